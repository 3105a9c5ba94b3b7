"""The transfers of a function, whose edges are written in a way that a subclass defines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.forms import Lines, conditional, statement_of
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.layout import is_start
from cpsconv.targets.javascript.statements import Statements
from cpsconv.targets.javascript.terms import LOW, UNARY, Term, operation_of


class Transfers(Statements, ABC):
    """Writes a function. At the end of lines, control reaches `next`, a continuation, or the `end` of the function."""

    end = ir.Continuation("end", [], [])
    is_expression = False
    """Whether results are conditional expressions where two arms return them."""

    @abstractmethod
    def body(self) -> Computation[Lines]:
        """The lines of the whole function."""

    @abstractmethod
    def place(self, member: ir.Continuation, lines: Lines, next: ir.Continuation | None) -> Computation[None]:
        """Write a continuation and those that it dominates."""

    @abstractmethod
    def is_written_at_edge(self, member: ir.Continuation) -> bool:
        """Whether a continuation is written where the only edge leads there."""

    @abstractmethod
    def leave(self, term: Term, lines: Lines, next: ir.Continuation | None) -> None:
        """Return a value from the function."""

    @abstractmethod
    def enter(
        self,
        source: ir.Continuation,
        target: ir.Continuation,
        terms: Sequence[Term],
        lines: Lines,
        next: ir.Continuation | None,
    ) -> Computation[None]:
        """Pass the values that a continuation begins with, and continue there."""

    def inputs(self, member: ir.Continuation) -> Iterator[ir.Value]:
        """The values that a continuation begins with: its parameters, and the exception or result."""
        if member is not self.function:
            yield from member.parameters
        if is_start(member) and self.uses.used[member.body[0]]:
            yield member.body[0]

    def go(
        self, source: ir.Continuation, edge: ir.Edge, lines: Lines, next: ir.Continuation | None, *start: Term
    ) -> Computation[None]:
        """Continue at the target of an edge, with its arguments, and the exception that the target starts with."""
        terms = [*self.taken(edge.arguments, lines), *start]
        self.flush(lines)
        target = local_target(edge)
        if target:
            yield self._proceed(source, target, terms, lines, next)
        elif edge.target is self.function.ret:
            self.leave(terms[0], lines, next)
        else:
            self.closures.refuse("the end of the program", self.function.span)

    def _proceed(
        self,
        source: ir.Continuation,
        target: ir.Continuation,
        terms: Sequence[Term],
        lines: Lines,
        next: ir.Continuation | None,
    ) -> Computation[None]:
        """Enter a continuation, or return the value that it only returns."""
        if not self.layout.is_end(target):
            yield self.enter(source, target, terms, lines, next)
            return
        assert target.transfer
        self.statements(target, lines)
        (value,) = target.transfer.edges[0].arguments
        given: dict[ir.Value, Term] = dict(zip(target.parameters, terms, strict=False))
        self.leave(given.get(value) or self.term(value), lines, next)

    def transfer(self, member: ir.Continuation, lines: Lines, next: ir.Continuation | None) -> Computation[None]:
        """Write the transfer of a continuation."""
        transfer = member.transfer
        if isinstance(transfer, ir.Jump):
            yield self.go(member, transfer.edge, lines, next)
        elif isinstance(transfer, ir.Branch):
            yield self._branch(member, transfer, lines, next)
        elif isinstance(transfer, ir.Switch):
            yield self._switch(member, transfer, lines, next)
        elif isinstance(transfer, ir.Call):
            yield self._call(member, transfer, lines, next)
        else:
            assert isinstance(transfer, ir.ForeignTransfer)
            if operation_of(transfer.text)[0] == "throw":
                yield self._throw(member, transfer, lines, next)
            else:
                yield self._guarded(member, transfer, lines, next)

    def _arm(self, source: ir.Continuation, edge: ir.Edge, next: ir.Continuation | None) -> Computation[Lines]:
        lines: Lines = []
        yield self.go(source, edge, lines, next)
        return lines

    def _branch(
        self, member: ir.Continuation, branch: ir.Branch, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        (condition,) = self.taken([branch.condition], lines)
        self.flush(lines)
        then: Lines = yield self._arm(member, branch.then, next)
        otherwise: Lines = yield self._arm(member, branch.otherwise, next)
        lines += conditional(condition, then, otherwise, self.is_expression)

    def _switch(
        self, member: ir.Continuation, switch: ir.Switch, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        (value,) = self.taken([switch.value], lines)
        self.flush(lines)
        for case, edge in zip(switch.cases, switch.targets, strict=True):
            arm: Lines = yield self._arm(member, edge, None)
            lines += [f"if ({value.within(UNARY)} === {case}) {{", arm, "}"]
        yield self.go(member, switch.default, lines, next)

    def _call(
        self, member: ir.Continuation, call: ir.Call, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        terms = self.taken(call.arguments, lines)
        term = Term(f"{self.closures.direct(call)}({', '.join(each.within(LOW) for each in terms)})")
        target = local_target(call.then)
        if target and self.layout.segment[target] is self.layout.segment[member]:
            self.keep(target.parameters[0], term, target, lines)
            yield self.place(target, lines, next)
            return
        self.flush(lines)
        if target:
            yield self._proceed(member, target, [term], lines, next)
        else:
            self.leave(term, lines, next)

    def _throw(
        self, member: ir.Continuation, transfer: ir.ForeignTransfer, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        (value,) = self.taken(transfer.values, lines)
        self.flush(lines)
        if transfer.targets:
            yield self.go(member, transfer.targets[0], lines, next, value)
        else:
            lines.append(f"throw {value.within(LOW)};")

    def _guarded(
        self, member: ir.Continuation, transfer: ir.ForeignTransfer, lines: Lines, next: ir.Continuation | None
    ) -> Computation[None]:
        """Operations in ``try``, whose ``catch`` leads to the handler, or to the code for ``return()``."""
        links = self.layout.chains[member]
        self.flush(lines)
        for value in self.uses.leaving(links):
            if value not in self.terms:
                lines.append(f"let {self.name(value)};")
        block: Lines = []
        for each in links:
            self._attempt(each, block, is_first=each is member)
        self.flush(block)
        _, handler, *returns = transfer.targets
        error = self._exception(handler, bool(returns))
        caught: Lines = []
        for edge in returns:
            returning: Lines = []
            yield self.go(member, edge, returning, None, Term(f"{error}.value"))
            caught += [f"if ({error} instanceof {HELPER}Returned) {{", returning, "}"]
        yield self.go(member, handler, caught, None, Term(error))
        lines += ["try {", block, f"}} catch ({error}) {{" if error else "} catch {", caught, "}"]
        last = links[-1].transfer
        assert last
        yield self.go(links[-1], last.edges[0], lines, next)

    def _attempt(self, member: ir.Continuation, block: Lines, is_first: bool) -> None:
        """Write the operation of a continuation in a ``try``, and its statements unless it is the first there."""
        if not is_first:
            self.statements(member, block)
        transfer = member.transfer
        assert isinstance(transfer, ir.ForeignTransfer)
        (name, operand), target = operation_of(transfer.text), local_target(transfer.targets[0])
        if len(transfer.targets) == 3:
            name = f"{name}_returning{'_async' * self.facts.is_async}"
        assert target
        result = target.body[0] if is_start(target) else None
        term = self.operation(name, operand, transfer.values, block, result)
        if result is None:
            self.flush(block)
            block.append(statement_of(term))
        else:
            self.keep(result, term, member, block)

    def _exception(self, handler: ir.Edge, is_used: bool) -> str:
        """The name that ``catch`` gives an exception: that of the value, if the handler is written there."""
        target = local_target(handler)
        assert target
        start = [*self.inputs(target)][len(target.parameters) :]
        if start and self.is_written_at_edge(target) and start[0] not in self.terms:
            return self.name(start[0])
        return self.names.unique("error") if start or is_used else ""
