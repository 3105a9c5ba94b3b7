"""The front end for tinylang, the language of *Learn LLVM 17*: a subset of Modula-2 (docs/tinylang.md).

`text` parses a module by ``grammars/tinylang.lark`` into a `tree`; `modules` adds the imported ones. `declarations`
gives each name its meaning. One walk over the `statements`, `expressions` and `places` (designators) then checks types
and calls the Builder, with the `objects` of the program. `read` lowers each program once, and drops the result: this
run reports the errors. It also finds what nested procedures capture, and so which variables have to be in memory
(`captures`); later runs use it.

(Nacke and Kwan, *Learn LLVM 17*, 2024, chapters 3 to 6.)
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.construction import Builder
from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, in_source_order
from cpsconv.languages.tinylang.captures import find_captures
from cpsconv.languages.tinylang.declarations import declared
from cpsconv.languages.tinylang.modules import modules_of
from cpsconv.languages.tinylang.scopes import Errors
from cpsconv.languages.tinylang.statements import program_of

RULES = {
    "argument-count": "a call with another number of arguments than the procedure has parameters",
    "assignment": "an assignment to, or a VAR argument that is, no variable",
    "bounds": "a constant index outside of the array, or an array without elements",
    "constant": "an expression that must be constant, and is not",
    "empty-record": "a record without fields",
    "end-name": "a module or procedure whose name after END differs from its name",
    "import": "a module that does not exist, is not in a permitted folder, or imports itself",
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


def read(source: Source, entry: str | None = None) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse and check the source, and the modules that it imports. Returns its lowering. Raises `DiagnosticError`.

    The function `entry` of the program, if it has one, executes the bodies of the modules first.
    """
    errors = Errors([])
    modules = declared(modules_of(source), errors)
    warnings = [*errors.warnings]
    program_of(modules, Builder(checked=False), errors, source)
    if errors.found:
        raise DiagnosticError(in_source_order(errors.found) + errors.warnings)
    find_captures([procedure for module in modules for procedure in module.procedures])

    def lowering(builder: Builder, found: list[Diagnostic]) -> Program:
        found += warnings
        return program_of(modules, builder, Errors(found), source, entry)

    return lowering
