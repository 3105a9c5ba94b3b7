"""The names and the structure of a text, and layouts that keep the names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from cpsconv.core.analysis.nesting import Nesting
from cpsconv.core.ir import Continuation, Data, Effect, Function, Primitive, Program, Value
from cpsconv.core.progress import steps
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.comments import Comments
from cpsconv.core.text.plan import TextPlan, Written
from cpsconv.core.text.printer import FunctionPrinter, Layout, Style
from cpsconv.core.text.spelling import quote_name, unquote_name
from cpsconv.core.trampoline import Walk, flattened


def written_in(nodes: Iterable[cps.FunctionNode]) -> Written:
    """The names and the structure that the text of the functions has."""
    written = Written()
    for node in nodes:
        assert node.value
        _add(written, node.value, node.parameters, node.body)
        for inner in node.inner:
            assert inner.value
            written.enclosing[inner.value] = node.value
        for member in node.abstractions:
            if member.value:
                _name(written, [member])
                _add(written, member.value, member.parameters, member.body)
    return written


def _name(written: Written, nodes: Iterable[cps.ParameterNode | cps.Abstraction | cps.Binding]) -> None:
    written.names.update({node.value: quote_name(cps.name_of(node)) for node in nodes if node.value and node.name})


def _add(written: Written, member: Continuation, parameters: list[cps.ParameterNode], body: cps.Body) -> None:
    """Add the names and the structure of a body. Abstractions, which may need a name, are the last in its `let`."""
    _name(written, parameters)
    _name(written, (node for node in body.statements if isinstance(node.value, (Primitive, Effect))))
    transfer = body.transfer
    nodes = [*body.group, *(part for part in cps.parts_of(transfer) if isinstance(part, cps.Abstraction))]
    written.groups[member] = [node.value for node in nodes if node.value]
    if body.functions:
        written.inner[member] = [node.value for node in body.functions if node.value]


def printers_of(
    program: Program, written: Written, style: Style, layout: Layout | None, comments: Comments
) -> Iterator[FunctionPrinter]:
    """The printers of the outer functions, in the layout if each name keeps its meaning, else as they are `written`."""
    taken = program.global_names | {unquote_name(name) for name in written.names.values()}

    def printer(function: Function, nesting: Nesting | Written) -> FunctionPrinter:
        plan = TextPlan(function, taken, written=written)
        return FunctionPrinter(function, plan, style, layout or "nested", comments, nesting)

    arranged: Nesting | Written = Nesting(program) if layout else written
    outermost: dict[Function, Function] = {}
    for function in program.functions:  # each after the one around it
        around = written.enclosing.get(function)
        outermost[function] = outermost[around] if around else function
    kept = {
        outermost[function]
        for function in program.functions
        if layout and function not in arranged.enclosing and _Scopes(program).are_misread(printer(function, arranged))
    }
    for function in steps("printing", program.functions):
        nesting = written if outermost[function] in kept else arranged
        if function not in nesting.enclosing:
            yield printer(function, nesting)


# --------------------------------------------------------------------------------------------------------- scopes


class _Scopes:
    """The rules of `cpsconv.core.text.scope`, for a text before it is printed.

    `scope` has the values that each name denotes, innermost last, and `defined` all that it denotes in each function.
    """

    def __init__(self, program: Program) -> None:
        self.scope: defaultdict[str, list[Value]] = defaultdict(list)
        for each in program.globals:
            self.scope[quote_name(each.name)].append(each)
        self.entered: list[str] = []
        self.defined: dict[Function, defaultdict[str, list[Value]]] = {}

    def are_misread(self, printer: FunctionPrinter) -> bool:
        """Whether a name in the text of an outer function would denote another value than it does in the program."""
        return any(flattened(self._function(printer, ())))

    def _function(self, printer: FunctionPrinter, around: tuple[FunctionPrinter, ...]) -> Walk[bool]:
        defined = self.defined[printer.function] = defaultdict(list)
        for member in printer.function.members():
            defines = [*member.parameters, *printer.text_plan.lines(member), *printer.groups.get(member, ())]
            for each in defines:
                defined[printer.names[each]].append(each)
        yield self._body(printer, printer.function, (printer, *around))

    def _body(self, printer: FunctionPrinter, member: Continuation, around: tuple[FunctionPrinter, ...]) -> Walk[bool]:
        """Yields whether each name in the body is misread, or bound twice."""
        before = len(self.entered)
        inner_printers, group = [*printer.inner_printers(member)], printer.groups.get(member, [])
        bound = [printer.names[each] for each in (*member.parameters, *printer.text_plan.lines(member), *group)]
        bound += [quote_name(inner.function.name) for inner in inner_printers]
        yield len({*bound}) < len(bound)
        self._define(printer, member.parameters)
        for statement in printer.text_plan.lines(member):
            yield from self._uses(printer, statement.operands, around)
            self._define(printer, [statement])
        self._define(printer, group)
        for inner in inner_printers:
            yield self._function(inner, around)
        for each in group:
            yield self._body(printer, each, around)
        abstraction = printer.abstraction(member)
        assert member.transfer
        yield from self._uses(printer, [each for each in member.transfer.uses if each is not abstraction], around)
        if abstraction:
            yield self._body(printer, abstraction, around)
        while len(self.entered) > before:
            self.scope[self.entered.pop()].pop()

    def _define(self, printer: FunctionPrinter, values: Iterable[Value]) -> None:
        for value in values:
            self.entered.append(printer.names[value])
            self.scope[printer.names[value]].append(value)

    def _uses(
        self, printer: FunctionPrinter, values: Iterable[Value], around: tuple[FunctionPrinter, ...]
    ) -> Iterator[bool]:
        pending = [*values]
        while pending:
            value = pending.pop()
            if isinstance(value, Primitive) and value in printer.text_plan.in_place:
                pending += value.operands
            elif value in printer.names:
                yield self._denoted(printer.names[value], around) is not value
            elif isinstance(value, (Data, Function)):
                yield self._denoted(quote_name(value.name), around) is not value

    def _denoted(self, name: str, around: tuple[FunctionPrinter, ...]) -> Value | None:
        if in_scope := self.scope.get(name):
            return in_scope[-1]
        found = next((found for each in around if (found := self.defined[each.function].get(name))), [])
        return found[0] if len(found) == 1 else None
