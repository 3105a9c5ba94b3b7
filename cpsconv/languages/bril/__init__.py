"""The front end for Bril, the intermediate language of a compiler course (docs/bril.md).

Three stages: the syntax, in text (`text`, by ``grammars/bril.lark``) or in JSON (`json_text`), gives one tree (`tree`);
`imports` reads the imported files, and gives each function the functions that it can call; `types` checks the types.
`flow` divides a function into blocks, and finds where variables may not be assigned; `lowering` constructs the program,
with the functions of `output` that print values.

(Sampson et al., *Bril: A Compiler Intermediate Representation for Learning*, https://capra.cs.cornell.edu/bril/.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from cpsconv.core.entry import data_parameters
from cpsconv.core.ir import INT, LONG, Function, Type
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages.bril.imports import functions_of
from cpsconv.languages.bril.lowering import Lowering
from cpsconv.languages.bril.types import WORDS, types_of
from cpsconv.languages.reading import limited

RULES = {
    "argument-count": "an instruction with another number of operands than its operation takes",
    "import": "an imported file that does not exist, or is not in a permitted folder",
    "literal": "a constant that is not a value of its type",
    "nesting": "a JSON text that is nested too deeply",
    "redefined": "a second function, parameter or label of the same name",
    "syntax": "a text that is neither Bril's text nor its JSON",
    "type-mismatch": "an operand or result of an unsuitable type, or a variable with two types",
    "undeclared": "a variable, function or label that is not defined",
    "unknown-operation": "an operation that Bril does not have",
    "unknown-type": "a type that Bril does not have",
    "unsupported": "speculation, dynamic types, and other parts of Bril that have no meaning here",
}
"""The rules that diagnostics of Bril name, with the violation that each of them denotes."""

KEYWORDS = WORDS
"""The words that editors complete and highlight."""


def read(source: Source, profile: bool = False) -> Lowering:
    """Parse and check the source, in text or JSON, and the files that it imports. Raises `DiagnosticError`.

    All errors are reported together. Lines and functions with syntax errors are omitted; so with such errors, undefined
    names are not reported. With `profile`, the program's `main` returns the number of executed instructions.
    """
    found: list[Diagnostic] = []
    types = {function: types_of(function, found) for function in functions_of(source, found)}
    if any(each.rule in ("syntax", "import") for each in found):
        found = [each for each in found if each.rule not in ("undeclared", "uninitialized")]
    if any(each.severity == "error" for each in found):
        raise DiagnosticError(limited(found))
    return Lowering(types, found, source, profile)


def arguments(function: Function, texts: Sequence[str]) -> list[str]:
    """The arguments of `main` in the form of `cpsconv.core.arguments`: a character becomes its code point, 3.0 an
    integer 3.
    """
    types = [parameter.type for parameter in data_parameters(function)]
    return [_argument(type, text) for type, text in zip_longest(types, texts) if text is not None]


def _argument(type: Type, text: str) -> str:
    if type is INT:
        return str(ord(text)) if len(text) == 1 else f"{text} (not one character)"
    return text.partition(".")[0] if type is LONG and re.fullmatch(r"[+-]?\d+\.0*", text) else text
