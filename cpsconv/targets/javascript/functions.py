"""The text of a function: its statements as expressions and constants, its edges as assignments and jumps.

A value that is used once, and before the next effect, is written where it is used; others are constants. So the order
of effects stays: `_Pending` has the effects that are not yet written, in order, and an operation may only contain the
last ones of them, as its operands in order. Nothing moves into another continuation or function: what a closure or
class captures is a name, or a literal of a primitive value, as its functions evaluate it again at each call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Union

from cpsconv.abi.javascript import CONSTANTS, OPERATIONS, PREFIX
from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.closures import EXTENDING, LITERALS, Closures, Header
from cpsconv.targets.javascript.layout import Layout
from cpsconv.targets.javascript.terms import ATOM, HELPER, LOW, TERMS, UNARY, Term, named

Lines = list[Union[str, "Lines"]]
"""Lines; those in an inner list are indented."""

Inner = Callable[[Lines, "ir.Continuation | None"], Computation[None]]
"""Writes a statement to lines; at its end, control reaches the continuation."""

_STARTS = (f"{PREFIX}result", f"{PREFIX}exception")


def operation_of(text: object) -> tuple[str, str]:
    """The name and the static operand of an operation."""
    name, _, operand = str(text).removeprefix(PREFIX).partition(" ")
    return name, operand


class FunctionText:
    """The lines of the body of a function. `terms` has the captured values; names are unique in the whole program.

    `loops` has the headers of the loops around the present place, each with what follows its loop.
    """

    def __init__(self, closures: Closures, function: ir.Function, terms: Mapping[ir.Value, Term]) -> None:
        self.closures, self.function, self.layout = closures, function, Layout(function)
        self.terms: dict[ir.Value, Term] = {**terms}
        self.pending: dict[ir.Value, Term] = {}
        self.literals: dict[ir.Value, list[str]] = {}  # the parts of each, in their order
        self.left: dict[ir.Value, int] = {}  # the uses of literals that are not yet written
        self.variables: set[ir.Value] = set()  # values in variables that are assigned again in loops
        self.escaping = {value for values in self.layout.escaping.values() for value in values}
        self.labels: dict[ir.Continuation, str] = {}
        self.used_labels: set[str] = set()
        self.end = ir.Continuation("end", [], [])
        self.can_return = Header(function).kind not in ("program", "static")
        self.loops: list[tuple[ir.Continuation, ir.Continuation | None]] = []
        if not self.layout.is_reducible:
            closures.refuse("loops with several entries", function.span)

    # ----------------------------------------------------------------------------------------------------- values

    def term(self, value: ir.Value, span: Span | None = None) -> Term:
        """The expression of an operand that is not pending."""
        found = self.terms.get(value)
        if found is not None:
            return found
        if isinstance(value, ir.Constant):
            return Term(str(value.value).lower())
        if not isinstance(value, ir.Undef):
            self.closures.refuse("an operand that was not read from JavaScript", span)
        return Term("undefined")

    def name(self, value: ir.Value) -> str:
        """A name for a value, which is then its expression."""
        name = self.new_name(value)
        self.terms[value] = Term(name)
        return name

    def new_name(self, value: ir.Value) -> str:
        """An unused name for a value."""
        return self.closures.names.unique(self.closures.identifier(getattr(value, "name", "") or "value"))

    def taken(self, operands: Sequence[ir.Value], lines: Lines, extends: bool = False) -> list[Term]:
        """The expressions of operands. Pending ones are written in place if they are the last, in order.

        A literal that an operation *extends* stays pending; it is written in place where it has no other use.
        """
        wanted = [value for value in operands if value in self.pending]
        last = [*islice(reversed(self.pending), len(wanted))][::-1]
        kept = operands[0] if extends else None
        if wanted != last or any(self.left.get(value, 1) != 1 for value in wanted if value is not kept):
            self.flush(lines)
            wanted = []
        for value in operands:
            if value in self.left:
                self.left[value] -= 1
        found = {value: self.pending[value] if value is kept else self._finished(value) for value in wanted}
        return [found[value] if value in found else self.term(value) for value in operands]

    def _finished(self, value: ir.Value) -> Term:
        """The expression of a value that is pending no longer; that of a literal has all its parts."""
        term, parts = self.pending.pop(value), self.literals.get(value)
        if not parts:
            return term
        start, end = ("{ ", " }") if term.text.startswith("{") else ("[", "]")
        comma = "," * (parts[-1] == "")  # a hole at the end
        return Term(f"{start}{', '.join(parts)}{comma}{end}")

    def flush(self, lines: Lines) -> None:
        """Write all pending effects as constants."""
        for value in [*self.pending]:
            lines.append(self.define(value, self._finished(value)))

    def define(self, value: ir.Value, term: Term) -> str:
        """The statement that computes a value."""
        if value in self.escaping:
            return f"{self.terms[value].text} = {named(term, self.terms[value].text)};"
        if not self.layout.used[value]:
            return statement_of(term)
        name = self.name(value)
        return f"const {name} = {named(term, name)};"

    # ------------------------------------------------------------------------------------------------- statements

    def statements(self, member: ir.Continuation, lines: Lines) -> None:
        """Write the statements of a continuation; some may stay pending for its transfer."""
        for number, statement in enumerate(member.body):
            if number == 0 and str(statement.of) in _STARTS:
                continue  # a variable, which the transfer before assigns
            self._statement(member, statement, lines)
        if any(value in self.literals and self.layout.user.get(value) is not member for value in self.pending):
            self.flush(lines)

    def _statement(self, member: ir.Continuation, statement: ir.Statement, lines: Lines) -> None:
        if statement.op == CONVERT and isinstance(statement.operands[0], ir.Function):
            self.closures.functions[statement] = statement.operands[0]
            return
        name, operand = operation_of(statement.of)
        if not str(statement.of).startswith(PREFIX) or name not in OPERATIONS:
            self.closures.refuse(f"the operation `{statement.of or statement.op}`", statement.span)
            return
        extends = name in EXTENDING and statement.operands[0] in self.literals
        values = self.closures.values(statement.operands)
        terms = self._captured(values, lines) if name in ("closure", "class") else self.taken(values, lines, extends)
        if extends and statement.operands[0] not in self.terms:
            self.literals[statement.operands[0]].append(EXTENDING[name](operand, terms[1:]))
        elif name in ("cell", "parameter_cell"):
            self._cell(statement, terms, lines)
        else:
            self._write(
                member, statement, name, self._expression(name, operand, statement.operands, terms, lines), lines
            )

    def _write(self, member: ir.Continuation, statement: ir.Statement, name: str, term: Term, lines: Lines) -> None:
        """Write the expression of a statement: in place, as a statement, or as a constant."""
        if name in CONSTANTS or (name == "closure" and self.closures.is_method(statement)):
            self.terms[statement] = term
        elif name in LITERALS and statement not in self.escaping:
            self.literals[statement] = [term.text[1:-1].strip()] if len(term.text) > 2 else []
            self.left[statement] = self.layout.used[statement]
            self.pending[statement] = term
        elif statement.type is ir.VOID:
            self.flush(lines)
            lines.append(statement_of(term))
        elif statement not in self.escaping and self.layout.user.get(statement) is member:
            self.pending[statement] = term
        else:
            self.flush(lines)
            lines.append(self.define(statement, term))

    def _captured(self, values: Sequence[ir.Value], lines: Lines) -> list[Term]:
        """The operands of a closure or class, with constants in place of variables that loops assign again."""
        if any(value in self.pending for value in values):
            self.flush(lines)
        terms = self.taken(values, lines)
        for number, value in enumerate(values):
            if value in self.variables:
                self.flush(lines)
                name = self.new_name(value)
                lines.append(f"const {name} = {terms[number].text};")
                terms[number] = Term(name)
        return terms

    def _cell(self, statement: ir.Statement, terms: list[Term], lines: Lines) -> None:
        """A cell is a variable, unless a loop copies it in each iteration: then it is an object."""
        self.flush(lines)
        if "parameter_cell" in str(statement.of):
            self.terms[statement] = terms[0]
            self.closures.plain_cells.add(statement)
        elif statement not in self.escaping and statement not in self.layout.passed:
            name = self.name(statement)
            self.closures.plain_cells.add(statement)
            start = "" if terms[0].text == "undefined" else f" = {named(terms[0], name)}"
            lines.append(f"let {name}{start};")
        else:
            lines.append(self.define(statement, Term(f"{{ value: {terms[0].within(LOW)} }}")))

    def _expression(
        self, name: str, operand: str, operands: Sequence[ir.Value], terms: list[Term], lines: Lines
    ) -> Term:
        """The expression of an operation."""
        if name in ("get_cell", "set_cell"):
            is_plain = operands[0] in self.closures.plain_cells
            place = terms[0].text if is_plain else f"{terms[0].within(ATOM)}.value"
            return Term(place) if name == "get_cell" else Term(f"{place} = {named(terms[1], place)}", LOW)
        if name == "closure":
            return self.closures.closure(operands, terms, self, lines)
        if name == "class":
            return self.closures.class_(operand, operands, terms, self)
        return self.closures.of_module(name, operand, terms) or TERMS[name](operand, terms)

    # --------------------------------------------------------------------------------------------------- control

    def body(self) -> Computation[Lines]:
        """The lines of the whole function."""
        lines: Lines = []
        yield self.place(self.function, lines, self.end)
        return lines

    def place(self, member: ir.Continuation, lines: Lines, following: ir.Continuation | None) -> Computation[None]:
        """Write a continuation and those that it dominates; at its end, control reaches the `following` one."""
        if member not in self.layout.headers:
            yield self._inside(member, lines, following)
            return
        for value in self.layout.escaping.get(member, ()):
            lines.append(f"let {self.name(value)};")
            self.variables.add(value)
        self.variables |= {*member.parameters} if member is not self.function else set()

        def loop(block: Lines, next: ir.Continuation | None) -> Computation[None]:
            inner: Lines = []
            label = self._label(member)
            self.loops.append((member, next))
            yield self._inside(member, inner, member)
            self.loops.pop()
            head, inner = _loop_head(inner)
            block += [f"{label}: {head}" if label in self.used_labels else head, inner, "}"]

        yield self._followed(self.layout.after_loop[member], lines, following, loop)

    def _inside(self, member: ir.Continuation, lines: Lines, following: ir.Continuation | None) -> Computation[None]:
        self.statements(member, lines)

        def end(block: Lines, next: ir.Continuation | None) -> Computation[None]:
            yield self._transfer(member, block, next)

        rest: Lines = []
        yield self._followed(self.layout.merges[member], rest, following, end)
        label = self._label(self.end) if member is self.function and self.end in self.labels else ""
        lines += [f"{label}: {{", rest, "}"] if label else rest

    def _followed(
        self, members: Sequence[ir.Continuation], lines: Lines, following: ir.Continuation | None, inner: Inner
    ) -> Computation[None]:
        """Write a statement and the continuations that follow it, each after a block that jumps to it leave."""
        for each in members:
            for value in self.started(each):
                if value not in self.escaping:
                    lines.append(f"let {self.name(value)};")
        order = [*members, following]
        block: Lines = []
        yield inner(block, order[0])
        for each, next in zip(members, order[1:], strict=True):
            label = self._label(each)
            if label in self.used_labels:
                block = [f"{label}: {{", block, "}"]
            yield self.place(each, block, next)
        lines += block

    def started(self, member: ir.Continuation) -> Iterator[ir.Value]:
        """The values that transfers to a continuation assign: its parameters, and the exception or result."""
        if member is not self.function:
            yield from member.parameters
        if member.body and str(member.body[0].of) in _STARTS and self.layout.used[member.body[0]]:
            yield member.body[0]

    def _label(self, member: ir.Continuation) -> str:
        if member not in self.labels:
            self.labels[member] = self.closures.names.unique(self.closures.identifier(member.name))
        return self.labels[member]

    # --------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, member: ir.Continuation, lines: Lines, next: ir.Continuation | None) -> Computation[None]:
        transfer = member.transfer
        if isinstance(transfer, ir.Jump):
            yield self._go(member, transfer.edge, lines, next)
        elif isinstance(transfer, ir.Branch):
            yield self._branch(member, transfer, lines, next)
        elif isinstance(transfer, ir.Switch):
            yield self._switch(member, transfer, lines, next)
        elif isinstance(transfer, ir.Call):
            yield self._call(member, transfer, lines, next)
        else:
            assert isinstance(transfer, ir.ForeignTransfer)
            yield self._foreign(member, transfer, lines, next)

    def _go(
        self, source: ir.Continuation, edge: ir.Edge, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        """Pass the arguments of an edge, and continue at its target."""
        target = local_target(edge)
        if target is None:
            self._leave(edge, lines, next)
            return
        self._pass(edge, target, lines)
        yield self._reach(source, target, lines, next)

    def _reach(
        self, source: ir.Continuation, target: ir.Continuation, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        if self.layout.is_back(source, target):
            if target is not next:
                self._jump("continue", target, lines)
        elif self.layout.is_in_place(target):
            yield self.place(target, lines, next)
        elif target is not next:
            self._jump("break", target, lines)

    def _jump(self, word: str, target: ir.Continuation, lines: Lines) -> None:
        if self.loops and self.loops[-1][word == "break"] is target:
            lines.append(f"{word};")
            return
        label = self._label(target)
        self.used_labels.add(label)
        lines.append(f"{word} {label};")

    def _leave(self, edge: ir.Edge, lines: Lines, next: ir.Continuation | None) -> None:
        if edge.target is not self.function.ret:
            self.closures.refuse("the end of the program", self.function.span)
            return
        terms = self.taken(edge.arguments, lines)
        self.flush(lines)
        if terms[0].text != "undefined":
            lines.append(f"return {terms[0].within(LOW)};")
        elif next is not self.end:
            lines.append("return;" if self.can_return else f"break {self._label(self.end)};")

    def _pass(self, edge: ir.Edge, target: ir.Continuation, lines: Lines) -> None:
        """Assign arguments to parameters; at once, where one is assigned before it is read."""
        terms = self.taken(edge.arguments, lines)
        self.flush(lines)
        pairs = []
        for parameter, term in zip(target.parameters, terms, strict=True):
            if parameter not in self.terms:  # the only edge: the parameter is declared here
                name = self.name(parameter)
                lines.append(f"let {name} = {named(term, name)};")
            elif self.terms[parameter].text != term.text:
                pairs.append((self.terms[parameter].text, term))
        if any(_reads(term.text, name) for n, (name, _) in enumerate(pairs) for _, term in pairs[n + 1 :]):
            names, values = ", ".join(name for name, _ in pairs), ", ".join(term.within(LOW) for _, term in pairs)
            lines.append(f"[{names}] = [{values}];")
        else:
            lines += [f"{name} = {named(term, name)};" for name, term in pairs]

    def _arm(self, source: ir.Continuation, edge: ir.Edge, next: ir.Continuation | None) -> Computation[Lines]:
        lines: Lines = []
        yield self._go(source, edge, lines, next)
        return lines

    def _branch(
        self, member: ir.Continuation, branch: ir.Branch, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        (condition,) = self.taken([branch.condition], lines)
        self.flush(lines)
        then: Lines = yield self._arm(member, branch.then, next)
        otherwise: Lines = yield self._arm(member, branch.otherwise, next)
        if not then or (otherwise == ["break;"] and not _ends(then)):
            condition, then, otherwise = negation(condition), otherwise, then
        lines += [f"if ({condition.text}) {{", then, "}"]
        if otherwise and _ends(then):
            lines += otherwise
        elif _is_if(otherwise):  # one line for both: chains are not nested
            lines[-1] = f"}} else {otherwise[0]}"
            lines += otherwise[1:]
        elif otherwise:
            lines[-1] = "} else {"
            lines += [otherwise, "}"]

    def _switch(
        self, member: ir.Continuation, switch: ir.Switch, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        (value,) = self.taken([switch.value], lines)
        self.flush(lines)
        for case, edge in zip(switch.cases, switch.targets, strict=True):
            arm: Lines = yield self._arm(member, edge, None)
            lines += [f"if ({value.within(UNARY)} === {case}) {{", arm, "}"]
        yield self._go(member, switch.default, lines, next)

    def _call(
        self, member: ir.Continuation, call: ir.Call, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        terms = self.taken(call.arguments, lines)
        self.flush(lines)
        callee = self.closures.direct(call)
        term = Term(f"{callee}({', '.join(each.within(LOW) for each in terms)})")
        target = local_target(call.then)
        if target is None:
            lines.append(f"return {term.text};")
            return
        (result,) = target.parameters
        lines.append(self.define(result, term))
        yield self._reach(member, target, lines, next)

    def _foreign(
        self, member: ir.Continuation, transfer: ir.ForeignTransfer, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        name, operand = operation_of(transfer.text)
        values = self.closures.values(transfer.values)
        terms = self._captured(values, lines) if name == "class" else self.taken(values, lines)
        self.flush(lines)
        if name == "throw":
            yield self._throw(member, transfer, terms[0], lines, next)
        else:
            if len(transfer.targets) == 3:
                name = f"{name}_returning{'_async' * Header(self.function).is_async}"
            term = self._expression(name, operand, transfer.values, terms, lines)
            yield self._guarded(member, transfer, term, lines, next)

    def _throw(
        self,
        member: ir.Continuation,
        transfer: ir.ForeignTransfer,
        value: Term,
        lines: Lines,
        next: ir.Continuation | None,
    ) -> Computation[None]:
        if not transfer.targets:
            lines.append(f"throw {value.within(LOW)};")
            return
        self._assign_start(transfer.targets[0], value, lines)
        yield self._go(member, transfer.targets[0], lines, next)

    def _assign_start(self, edge: ir.Edge, value: Term, lines: Lines) -> None:
        """Assign the exception that a handler begins with."""
        target = local_target(edge)
        assert target
        first = target.body[0] if target.body and str(target.body[0].of) in _STARTS else None
        if first is not None and self.layout.used[first]:
            if first in self.terms:
                lines.append(f"{self.terms[first].text} = {value.within(LOW)};")
            else:
                lines.append(f"const {self.name(first)} = {value.within(LOW)};")

    def _guarded(
        self,
        member: ir.Continuation,
        transfer: ir.ForeignTransfer,
        term: Term,
        lines: Lines,
        next: ir.Continuation | None,
    ) -> Computation[None]:
        """An operation in ``try``, whose ``catch`` leads to the handler, or to the code for ``return()``."""
        after, handler, *returns = transfer.targets
        target = local_target(after)
        assert target
        first = target.body[0] if target.body and str(target.body[0].of) in _STARTS else None
        if first is not None and self.layout.used[first]:
            if first not in self.terms:
                lines.append(f"let {self.name(first)};")
            text = f"{self.terms[first].text} = {term.within(LOW)};"
        else:
            text = statement_of(term)
        caught: Lines = []
        error = self.closures.names.unique("error")
        for edge in returns:
            returning: Lines = []
            self._assign_start(edge, Term(f"{error}.value"), returning)
            yield self._go(member, edge, returning, None)
            caught += [f"if ({error} instanceof {HELPER}Returned) {{", returning, "}"]
        self._assign_start(handler, Term(error), caught)
        yield self._go(member, handler, caught, None)
        lines += ["try {", [text], f"}} catch ({error}) {{", caught, "}"]
        yield self._go(member, after, lines, next)


def statement_of(term: Term) -> str:
    """An expression as a statement."""
    is_ambiguous = re.match(r"\{|function\b|class\b|async function\b", term.text) and not term.is_statement
    end = "" if term.is_statement and term.text.endswith("}") else ";"
    return f"({term.text});" if is_ambiguous else f"{term.text}{end}"


def negation(condition: Term) -> Term:
    """The opposite of a condition."""
    if condition.text.startswith("!") and condition.level == UNARY:
        inner = condition.text[1:]
        return Term(inner[1:-1], LOW) if inner.startswith("(") else Term(inner)
    return Term(f"!{condition.within(ATOM)}", UNARY)


def _loop_head(body: Lines) -> tuple[str, Lines]:
    """The first line of a loop, and its body: one that begins with an exit is a ``while``."""
    if len(body) > 2 and body[1] == ["break;"] and body[2] == "}":
        condition = str(body[0]).removeprefix("if (").removesuffix(") {")
        is_negated = condition.startswith("!") and (condition[1] != "(" or condition.endswith(")"))
        is_whole = re.fullmatch(r"!(?:[\w$.]+|\([^()]*\))", condition)
        term = Term(condition, UNARY if is_negated and is_whole else LOW)
        return f"while ({negation(term).text}) {{", body[3:]
    return "for (;;) {", body


def _reads(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text) is not None


def _is_if(lines: Lines) -> bool:
    """Whether the lines are one ``if``, perhaps with ``else``."""
    rest = (isinstance(each, list) or each.startswith("}") for each in lines[1:])
    return bool(lines) and str(lines[0]).startswith("if (") and all(rest)


def _ends(lines: Lines) -> bool:
    """Whether control does not reach the end of a block."""
    return bool(lines) and re.match(r"(return|throw|break|continue)\b", str(lines[-1])) is not None
