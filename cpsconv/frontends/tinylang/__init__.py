"""The front end for tinylang, the language of *Learn LLVM 17*: a subset of Modula-2 (docs/tinylang.md).

`text` parses a module by ``grammars/tinylang.lark`` into a `tree`; `modules` adds the imported ones. `declarations`,
`expressions` and `statements` check names and types; they give the `typed_tree`, in which each variable that has to be
in memory states the reason, and each nested procedure what it needs of the enclosing ones. `lowering` constructs the
program: its `objects`, statements, and `values`.

(Nacke and Kwan, *Learn LLVM 17*, 2024, chapters 3 to 6.)
"""

from __future__ import annotations

from cpsconv.frontends.tinylang.declarations import checked
from cpsconv.frontends.tinylang.lowering import Lowering
from cpsconv.frontends.tinylang.modules import modules_of
from cpsconv.source import Diagnostic, Source

RULES = {
    "argument-count": "a call with another number of arguments than the procedure has parameters",
    "assignment": "an assignment to, or a VAR argument that is, no variable",
    "bounds": "a constant index outside of the array, or an array without elements",
    "constant": "an expression that must be constant, and is not",
    "empty-record": "a record without fields",
    "end-name": "a module or procedure whose name after END differs from its name",
    "import": "a module that does not exist, or that imports itself",
    "literal": "a number that is not in the range of its type",
    "nesting": "types that are nested too deeply",
    "redefined": "a second declaration of a name in the same scope",
    "syntax": "a violation of the grammar",
    "too-large": "a type that is larger than 2 GiB",
    "type-mismatch": "an expression of an unsuitable type",
    "undeclared": "a name without a declaration",
    "unused-result": "a call of a procedure whose result is not used",
}
"""The rules that diagnostics of tinylang name, with the violation that each of them denotes."""


def read(source: Source, entry: str | None = None) -> Lowering:
    """Parse and check the source, and the modules that it imports. Raises `DiagnosticError`.

    The function `entry` of the program, if it has one, executes the bodies of the modules first.
    """
    warnings: list[Diagnostic] = []
    return Lowering(checked(modules_of(source), warnings), warnings, source, entry)
