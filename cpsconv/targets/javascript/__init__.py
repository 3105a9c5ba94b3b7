"""The emitter of a program that was read from JavaScript: a module or script with structured statements.

`layout` decides where each continuation of a function is written, and `uses` which values are variables. `statements`
writes the operations of a continuation, and `transfers` its end. Edges are written in two ways: `structured` has
``let`` variables for parameters and assignments for arguments; `functional` has functions for continuations. `closures`
writes functions, classes and objects in place, `terms` all other operations, and `forms` statements. `helpers` adds the
functions that it uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.abi.javascript import PREFIX
from cpsconv.abi.javascript.facts import export_text, facts_of, module_facts
from cpsconv.core import ir
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.core.trampoline import run
from cpsconv.targets.javascript.closures import Closures
from cpsconv.targets.javascript.forms import flat
from cpsconv.targets.javascript.functional import Functional
from cpsconv.targets.javascript.helpers import HELPER, with_helpers
from cpsconv.targets.javascript.layout import Layout, instructions
from cpsconv.targets.javascript.names import Names
from cpsconv.targets.javascript.structured import Structured
from cpsconv.targets.javascript.terms import Term
from cpsconv.targets.javascript.transfers import Transfers

_MAX_DEPTH = 100
"""The number of functions inside each other in place of loops and joins: more would fill the stack of Node."""

_USED = re.compile(rf"{PREFIX}(?:variable|set_variable|initialise) (\S+)")


def javascript(program: ir.Program, *, functional: bool = False) -> str:
    """The text of a program that was read from JavaScript, with functions in place of loops if it is *functional*.

    Raises `DiagnosticError` if it has other operations.
    """
    found: list[Diagnostic] = []

    def text_of(closures: Closures, function: ir.Function, terms: dict[ir.Value, Term], names: Names) -> Transfers:
        layout = Layout(function)
        is_possible = layout.is_reducible and not _suspends(layout) and layout.depth() <= _MAX_DEPTH
        return (Functional if functional and is_possible else Structured)(closures, layout, terms, names)

    closures = Closures(program, text_of, found)
    module = next((each for each in program.functions if closures.is_module(each)), None)
    if module is None:
        closures.refuse("a program without the code of its module", None)
        raise DiagnosticError(found)
    facts = module_facts(program)
    items = [*facts.items]
    body = [*flat(run(closures.module(module).body()), "")]
    if found:
        raise DiagnosticError(found)
    if closures.exports_at_end():
        body.append(f"export default {closures.default};")
    if closures.has_default:
        items.remove(export_text([closures.default], True))
    declarations = _declarations(program, closures, items, "\n".join(body))
    directive = ['"use strict";'] if not facts.is_module and facts_of(module).is_strict else []
    text = with_helpers("\n".join([*declarations, *body]), closures.names.every | closures.declared, closures.declared)
    return "".join(f"{each}\n" for each in [*directive, *items, text] if each)


def _suspends(layout: Layout) -> bool:
    """Whether a function has operations that only its own body may contain, not functions in it."""
    names = {each.name for member in layout.members for each in instructions(member)}
    return not names.isdisjoint(("await", "yield", "yield_all"))


def _declarations(program: ir.Program, closures: Closures, items: Sequence[str], body: str) -> Iterator[str]:
    """The variables of the module that no statement at its start declares."""
    names = dict.fromkeys(match[1] for each in program.statements() if (match := _USED.match(str(each.of))))
    declared = {
        *re.findall(r"^(?:let|(?:async )?function\*?) ([\w$]+)", body, re.MULTILINE),
        *re.findall(r"[\w$]+", " ".join(each for each in items if each.startswith("import"))),
        closures.default * closures.has_default,
    }
    yield from (f"let {name} = {HELPER}uninitialised;" for name in names if name in closures.late)
    yield from (f"var {name};" for name in names if name not in closures.late and name not in declared)
