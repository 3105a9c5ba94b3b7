"""The emitter of a program that was read from JavaScript: a module or script with structured statements.

`layout` decides where each continuation of a function is written, `statements` writes its operations, and `transfers`
its end. Edges are written in two ways: `structured` has ``let`` variables for parameters and assignments for arguments;
`functional` has functions for continuations. `closures` writes functions, classes and objects in place, `terms` all
other operations, and `forms` statements. Functions of ``helpers.js`` are added if they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cpsconv.abi.javascript import PREFIX
from cpsconv.abi.javascript.facts import export_text, facts_of, module_facts
from cpsconv.core import ir
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.core.trampoline import run
from cpsconv.targets.javascript.closures import Closures
from cpsconv.targets.javascript.forms import flat
from cpsconv.targets.javascript.functional import Functional
from cpsconv.targets.javascript.layout import Layout, operations
from cpsconv.targets.javascript.names import Names
from cpsconv.targets.javascript.structured import Structured
from cpsconv.targets.javascript.terms import HELPER, Term, operation_of
from cpsconv.targets.javascript.transfers import Transfers

_MAX_DEPTH = 100
"""The number of functions inside each other in place of loops and joins: more would fill the stack of Node."""

_HELPERS = Path(__file__).with_name("helpers.js")
_USED = re.compile(rf"{PREFIX}(?:variable|set_variable|initialise) (\S+)")


def javascript(program: ir.Program, *, functional: bool = False) -> str:
    """The text of a program that was read from JavaScript, with functions in place of loops if it is *functional*.

    Raises `DiagnosticError` if it has other operations.
    """
    found: list[Diagnostic] = []

    def text_of(closures: Closures, function: ir.Function, terms: Mapping[ir.Value, Term], names: Names) -> Transfers:
        layout = Layout(function)
        is_functional = functional and not _suspends(layout) and layout.depth() <= _MAX_DEPTH
        return (Functional if is_functional else Structured)(closures, layout, terms, names)

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
    text = _named_helpers("\n".join([*declarations, *body]), closures)
    return "".join(f"{each}\n" for each in [*directive, *items, text] if each)


def _suspends(layout: Layout) -> bool:
    """Whether a function has operations that only its own body may contain, not functions in it."""
    names = {operation_of(text)[0] for member in layout.members for _, text, _ in operations(member)}
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


def _named_helpers(text: str, closures: Closures) -> str:
    """The text with the helpers that it uses before it, whose names begin with so many ``$`` that they are unused."""
    pieces = {
        match[1]: piece
        for piece in _HELPERS.read_text(encoding="utf-8").strip().split("\n\n")
        if (match := re.match(r"(?:const|class|(?:async )?function\*?) \$(\w+)", piece))
    }
    used, pending = set[str](), re.findall(rf"{HELPER}(\w+)", text)
    while pending:
        if (name := pending.pop()) not in used:
            used.add(name)
            pending += re.findall(r"\$(\w+)", pieces[name])
    prefix, names = "$", closures.names.every
    while any(name.startswith(prefix) and name.removeprefix(prefix) in used for name in names):
        prefix += "$"
    helpers = [re.sub(r"\$(?=\w)", HELPER, piece) for name, piece in pieces.items() if name in used]
    return "\n".join([*helpers, text]).replace(HELPER, prefix)
