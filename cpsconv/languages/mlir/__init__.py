"""The front end for MLIR in its generic form (docs/mlir.md).

Three stages: `syntax` parses the text to operations, whose aliases `locations` resolves; `functions` checks the
functions of a module: names, types and dominance, and finds their control flow; `lowering` constructs the program.
`arith` expresses operations of MLIR's dialect for arithmetic by those of the program; all others stay as they are, as
foreign operations. If all of them do, `writer` writes the module again.

(Lattner et al., *MLIR: Scaling Compiler Infrastructure for Domain Specific Computation*, CGO 2021.)
"""

from __future__ import annotations

from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages.mlir.functions import functions_of
from cpsconv.languages.mlir.locations import LocatedSource
from cpsconv.languages.mlir.lowering import Lowering
from cpsconv.languages.mlir.syntax import parse
from cpsconv.languages.ours import current_choice
from cpsconv.languages.reading import limited

RULES = {
    "literal": "a number that is not in the range of its type",
    "redefined": "a second function, value or block of the same name",
    "syntax": "a text that is not MLIR's generic form",
    "type-mismatch": "an operand of another type than its value has, or another number of operands or results",
    "undeclared": "a value, function or block that is not defined, or not on every path to its use",
    "unsupported": "regions other than those of functions, and operations that lack what a conversion needs",
}
"""The rules that diagnostics of MLIR name, with the violation that each of them denotes."""


def read(source: Source) -> Lowering:
    """Parse and check a source. Raises `DiagnosticError` with all errors: those in syntax, or else the others."""
    errors: list[Diagnostic] = []
    source = LocatedSource(source.name, source.text, source.undecoded)
    operations = parse(source, errors)
    functions = functions_of(operations, source, errors) if not errors else []
    if errors:
        raise DiagnosticError(limited(errors))
    return Lowering(functions, source, current_choice("mlir"))
