"""The transfers of a function, whose edges are written in a way that a subclass defines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.forms import Lines, conditional, statement_of
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.layout import instructions, is_start
from cpsconv.targets.javascript.statements import Statements
from cpsconv.targets.javascript.terms import LOW, UNARY, Term, listed, operation_of


class Block(NamedTuple):
    """Lines that are being written, at whose end control reaches `next`: a continuation, or the end of the function."""

    lines: Lines
    next: ir.Continuation | None


class Entry(NamedTuple):
    """An edge to a continuation, with the values that the continuation begins with."""

    source: ir.Continuation
    target: ir.Continuation
    terms: Sequence[Term]


class Transfers(Statements, ABC):
    """Writes a function, whose `end` is the continuation that follows its lines."""

    end = ir.Continuation("end", [], [])
    is_expression = False
    """Whether results are conditional expressions where two arms return them."""

    @abstractmethod
    def place(self, member: ir.Continuation, block: Block) -> Computation[None]:
        """Write a continuation and those that it dominates."""

    @abstractmethod
    def is_written_at_edge(self, member: ir.Continuation) -> bool:
        """Whether a continuation is written where the only edge leads there."""

    @abstractmethod
    def enter(self, entry: Entry, block: Block) -> Computation[None]:
        """Pass the values that a continuation begins with, and continue there."""

    @abstractmethod
    def leave(self, term: Term, block: Block) -> None:
        """Return a value from the function."""

    def body(self) -> Computation[Lines]:
        """The lines of the whole function."""
        lines: Lines = []
        yield self.place(self.function, Block(lines, self.end))
        return lines

    def inputs(self, member: ir.Continuation) -> Iterator[ir.Value]:
        """The values that a continuation begins with: its parameters, and the exception or result."""
        if member is not self.function:
            yield from member.parameters
        if is_start(member) and self.uses.used[member.body[0]]:
            yield member.body[0]

    def go(self, source: ir.Continuation, edge: ir.Edge, block: Block, *start: Term) -> Computation[None]:
        """Continue at the target of an edge, with its arguments, and the exception that the target starts with."""
        terms = [*self.taken(edge.arguments, block.lines), *start]
        self.flush(block.lines)
        target = local_target(edge)
        if target:
            yield self._proceed(Entry(source, target, terms), block)
        elif edge.target is self.function.ret:
            self.leave(terms[0], block)
        else:
            self.closures.refuse("the end of the program", self.function.span)

    def _proceed(self, entry: Entry, block: Block) -> Computation[None]:
        """Enter a continuation, or return the value that it only returns."""
        target = entry.target
        if not self.layout.is_end(target):
            yield self.enter(entry, block)
            return
        assert target.transfer
        self.statements(target, block.lines)
        (value,) = target.transfer.edges[0].arguments
        given: dict[ir.Value, Term] = dict(zip(target.parameters, entry.terms, strict=False))
        self.leave(given.get(value) or self.term(value), block)

    def transfer(self, member: ir.Continuation, block: Block) -> Computation[None]:
        """Write the transfer of a continuation."""
        transfer = member.transfer
        if isinstance(transfer, ir.Jump):
            yield self.go(member, transfer.edge, block)
        elif isinstance(transfer, ir.Branch):
            yield self._branch(member, transfer, block)
        elif isinstance(transfer, ir.Switch):
            yield self._switch(member, transfer, block)
        elif isinstance(transfer, ir.Call):
            yield self._call(member, transfer, block)
        else:
            assert isinstance(transfer, ir.ForeignTransfer)
            if operation_of(transfer.text)[0] == "throw":
                yield self._throw(member, transfer, block)
            else:
                yield self._guarded(member, transfer, block)

    def _arm(
        self, source: ir.Continuation, edge: ir.Edge, next: ir.Continuation | None, *start: Term
    ) -> Computation[Lines]:
        lines: Lines = []
        yield self.go(source, edge, Block(lines, next), *start)
        return lines

    def _tested(self, value: ir.Value, lines: Lines) -> Term:
        """The value that a transfer depends on, after all pending effects."""
        (term,) = self.taken([value], lines)
        self.flush(lines)
        return term

    def _branch(self, member: ir.Continuation, branch: ir.Branch, block: Block) -> Computation[None]:
        condition = self._tested(branch.condition, block.lines)
        then: Lines = yield self._arm(member, branch.then, block.next)
        otherwise: Lines = yield self._arm(member, branch.otherwise, block.next)
        block.lines.extend(conditional(condition, then, otherwise, self.is_expression))

    def _switch(self, member: ir.Continuation, switch: ir.Switch, block: Block) -> Computation[None]:
        value = self._tested(switch.value, block.lines)
        for case, edge in zip(switch.cases, switch.targets, strict=True):
            arm: Lines = yield self._arm(member, edge, None)
            block.lines.extend([f"if ({value.within(UNARY)} === {case}) {{", arm, "}"])
        yield self.go(member, switch.default, block)

    def _call(self, member: ir.Continuation, call: ir.Call, block: Block) -> Computation[None]:
        term = Term(f"{self.closures.direct(call)}({listed(self.taken(call.arguments, block.lines))})")
        target = local_target(call.then)
        if target and self.layout.segment[target] is self.layout.segment[member]:
            self.keep(target.parameters[0], term, target, block.lines)
            yield self.place(target, block)
            return
        self.flush(block.lines)
        if target:
            yield self._proceed(Entry(member, target, [term]), block)
        else:
            self.leave(term, block)

    def _throw(self, member: ir.Continuation, transfer: ir.ForeignTransfer, block: Block) -> Computation[None]:
        value = self._tested(transfer.values[0], block.lines)
        if transfer.targets:
            yield self.go(member, transfer.targets[0], block, value)
        else:
            block.lines.append(f"throw {value.within(LOW)};")

    def _guarded(self, member: ir.Continuation, transfer: ir.ForeignTransfer, block: Block) -> Computation[None]:
        """Operations in ``try``, whose ``catch`` leads to the handler, or to the code for ``return()``."""
        links, lines = self.layout.chains[member], block.lines
        self.flush(lines)
        for value in self.uses.leaving(links):
            if value not in self.terms:
                lines.append(f"let {self.name(value)};")
        tried: Lines = []
        for each in links:
            self._attempt(each, tried, is_first=each is member)
        self.flush(tried)
        _, handler, *returns = transfer.targets
        error = self._exception(handler, bool(returns))
        caught: Lines = []
        for edge in returns:
            returning: Lines = yield self._arm(member, edge, None, Term(f"{error}.value"))
            caught += [f"if ({error} instanceof {HELPER}Returned) {{", returning, "}"]
        yield self.go(member, handler, Block(caught, None), Term(error))
        lines += ["try {", tried, f"}} catch ({error}) {{" if error else "} catch {", caught, "}"]
        last = links[-1].transfer
        assert last
        yield self.go(links[-1], last.edges[0], block)

    def _attempt(self, member: ir.Continuation, block: Lines, is_first: bool) -> None:
        """Write the operation of a continuation in a ``try``, and its statements unless it is the first there."""
        if not is_first:
            self.statements(member, block)
        *_, last = instructions(member)
        if member.transfer and len(member.transfer.edges) == 3:
            last = last._replace(name=f"{last.name}_returning{'_async' * self.facts.is_async}")
        term = self.operation(last, block)
        if last.result:
            self.keep(last.result, term, member, block)
        else:
            self.flush(block)
            block.append(statement_of(term))

    def _exception(self, handler: ir.Edge, is_used: bool) -> str:
        """The name that ``catch`` gives an exception: that of the value, if the handler is written there."""
        target = local_target(handler)
        assert target
        start = [*self.inputs(target)][len(target.parameters) :]
        if start and self.is_written_at_edge(target) and start[0] not in self.terms:
            return self.name(start[0])
        return self.names.unique("error") if start or is_used else ""
