"""The front end for JavaScript (docs/javascript.md).

`parser` gives the tree that tree-sitter parses, of nodes of `syntax`; `respelling` makes up for differences of its
grammar. `types` erases the types of TypeScript, and `unsupported` finds what is not read. `scope_walk` finds the
`scopes`: declarations, functions and references; `captures` decides which variables are cells; `early_errors` checks
what the grammar does not.
`lowering` constructs the program, function by function: `statements`, `expressions`, `patterns` and `classes`
walk over the tree; `variables` and `places` are read and assigned; `emission` adds the `operations`, with edges to the
handlers of exceptions.
"""

from __future__ import annotations

from functools import lru_cache

from cpsconv.abi.javascript import RESERVED_WORDS
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.languages import Lowering as AnyLowering
from cpsconv.languages.javascript.captures import decide_storage
from cpsconv.languages.javascript.early_errors import early_errors
from cpsconv.languages.javascript.lowering import Lowering
from cpsconv.languages.javascript.parser import is_typed, parse
from cpsconv.languages.javascript.scope_walk import ScopeWalk
from cpsconv.languages.javascript.scopes import is_module
from cpsconv.languages.javascript.start import started_function
from cpsconv.languages.javascript.types import erase_types
from cpsconv.languages.javascript.unsupported import unsupported
from cpsconv.languages.reading import limited

PATTERNS = {
    "COMMENT": r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/",
    "STRING": r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`",
    "NUMBER": r"\d[\w.]*",
    "VARIABLE": r"[A-Za-z_$][\w$]*",
}
"""The tokens that editors show, as those of a grammar; tree-sitter has its own parser."""

_FURTHER = ("async", "await", "let", "of", "static", "undefined", "yield")
KEYWORDS = (*sorted(RESERVED_WORDS.difference(("enum", "with")).union(_FURTHER)),)
"""The words that editors complete: those of constructs that are read."""

RULES = {
    "exception": "an exception of JavaScript that no handler catches",
    "syntax": "a text that JavaScript's grammar rejects, or a construct that is malformed in another way",
    "literal": "a malformed number, escape or regular expression",
    "misplaced": "a statement or operator outside of what it belongs to, such as `return` outside a function",
    "not-assignable": "an assignment to an expression that cannot be assigned to",
    "redefined": "a second declaration of a name, label, parameter, member, or export",
    "reserved-name": "a reserved word as a name",
    "strict-mode": "what strict mode does not allow",
    "undeclared": "an undeclared label or private name, or an export of an undeclared name",
    "unsupported": "a construct that is not read",
}
"""The rules that diagnostics of JavaScript name, with the violation that each of them denotes."""


@lru_cache(1)
def read(source: Source, entry: str | None = None) -> AnyLowering:
    """Parse and check a source. Raises `DiagnosticError` with its errors, or if tree-sitter is missing.

    The lowering raises it as well, for what is not read. The function `entry` of the program, if the source has such a
    function, runs the source first. The last lowering is kept: several conversions of a source parse it once.
    """
    root = parse(source)
    as_module = is_module(root)
    if is_typed(source):
        erase_types(root)
    refused = unsupported(root)
    if refused:
        raise DiagnosticError(limited(refused))
    program = ScopeWalk(root, as_module).run()
    started = started_function(program, entry) if entry else None
    decide_storage(program)
    errors = early_errors(root, program)
    if errors:
        raise DiagnosticError(limited(errors))
    return Lowering(program, source, started)
