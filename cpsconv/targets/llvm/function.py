"""The definition of one function: a block for each continuation, a φ for each parameter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from cpsconv.abi.attributes import ALWAYS_INLINE, LONGJMP, is_setjmp
from cpsconv.abi.library import enters_library
from cpsconv.core import ir
from cpsconv.core.analysis.graph import incoming
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.operations.queries import in_order_of_use, passes_undefined
from cpsconv.core.operations.table import traps
from cpsconv.core.source import Span
from cpsconv.targets.llvm.calling_convention import (
    Landing,
    Prototype,
    a_call,
    application,
    calling,
    load_return_place,
    personality,
    prototype,
    returning,
)
from cpsconv.targets.llvm.instructions import Instructions, Operand, Values, with_companions
from cpsconv.targets.llvm.memory_model import MemoryModel
from cpsconv.targets.llvm.support import Support
from cpsconv.targets.llvm.vocabulary import NULL, POINTER, type_word

MAX_KNOWN = 100
"""The number of values that a block may know in advance, so that the time is linear."""


class FunctionPrinter:
    """Prints one function of a module, in which the names `taken` are those of functions.

    `edges` has the incoming edges of each block, `between` the names of the extra blocks on edges, `results` the
    operands that each call defines, `landings` the blocks after calls. `known` has the values that each block computed,
    by their instructions, and those that were computed on each path to it. `calls_left` is the parameter with the
    number of further calls, if there is one.
    """

    def __init__(
        self,
        function: ir.Function,
        prototypes: dict[ir.Function, Prototype],
        taken: Collection[str],
        uncertain: set[Place],
        support: Support,
        memory: MemoryModel,
    ) -> None:
        self.function = function
        self.prototypes = prototypes
        self.uncertain = uncertain
        self.memory = memory
        self.own = prototypes[function]
        self.support = support
        self.index = [*prototypes].index(function)
        self.ret = function.return_continuation
        self.values = Values(function, taken, uncertain, support, memory)
        self.instructions = Instructions(support, memory, self.values.fresh, self.values.operand)
        self.calls_left = [self.values.fresh("calls.left")] if support.counts_calls else []
        self.edges = incoming(function)
        self.between: dict[ir.Edge, str] = {}
        self.known: dict[ir.Continuation, dict[str, str]] = {}
        self.results: dict[ir.Continuation, list[Operand]] = {}
        self.landings: dict[ir.Continuation, Landing] = {}
        for member in function.members():
            for edge in self._edges_with_blocks(member.transfer):
                self.between[edge] = self.values.fresh(f"to.{edge.target.name}")
            if isinstance(member.transfer, ir.Call):
                self.results[member] = self._results(member.transfer)
                if (instruction := self._recording(member.transfer)) is not None:
                    labels = self.values.fresh("returned"), self.values.fresh("unwound")
                    self.landings[member] = Landing(*labels, instruction)

    def lines(self, linkage: str) -> Iterator[str]:
        """``define i32 @f(i32 %x) { … }``"""
        parameters = with_companions(self.values.operands(self.own.parameters), self.own.uncertain_parameters)
        parameters += self.calls_left
        attributes = " alwaysinline" if ALWAYS_INLINE in self.function.attributes and linkage == "internal " else ""
        attributes += self.support.attributes(self.function)
        attributes += personality(self.support) if self.landings else ""
        note = self.support.note(self.function.span, *(each.span for each in self.own.parameters))
        yield f"define {linkage}{self.own.returned} {application(self.own, parameters)}{attributes} {{{note}"
        for member in self.function.members():
            yield from _labelled(self.values.name(member), self._block(member))
            assert member.transfer is not None, f"{member.name} is under construction"
            for edge in member.transfer.edges:
                if edge in self.between:
                    operands = self.values.operands(edge.arguments)
                    lines = self._go(edge.target, operands, member.transfer.span)
                    yield from _labelled(self.between[edge], self._noted(lines, member.transfer.span))
            if landing := self.landings.get(member):
                yield from _labelled(landing.unwound, landing.lines())
        yield "}"

    def _edges_with_blocks(self, transfer: ir.Transfer | None) -> Iterator[ir.Edge]:
        """The edges that need a block: those that leave the function, and those that a φ cannot distinguish."""
        if not isinstance(transfer, (ir.Branch, ir.Switch)):
            return
        first: dict[ir.Target, list[Operand]] = {}
        for edge in transfer.edges:
            operands = self.values.operands(edge.arguments)
            if edge.target not in self.edges or first.setdefault(edge.target, operands) != operands:
                yield edge

    def _results(self, call: ir.Call) -> list[Operand]:
        """The results of a call: the parameters of the next block if it has no other edge, otherwise new names."""
        target = call.then.target
        if isinstance(target, ir.Continuation) and len(self.edges.get(target, ())) == 1:
            return self.values.operands(target.parameters)
        callee = self._callee(call)
        return self.values.results(callee.returns, callee.uncertain_results)

    def _recording(self, call: ir.Call) -> str | None:
        """The instruction that records the call when a runtime error leaves it, if it is pending."""
        is_pending = call.then.target in self.edges and not is_setjmp(call.callee)
        return self.support.landing(self.function, call) if is_pending else None

    def _callee(self, call: ir.Call) -> Prototype:
        """The prototype of the called function; in a call through a pointer, its symbol is empty."""
        if call.pointer is None:
            return self.prototypes[call.callee]
        if variadic := self.memory.variadic(call):
            return variadic
        return prototype(call.callee, "", self.uncertain, self.support.counts_calls, self.memory.pointer)

    # --------------------------------------------------------------------------------------------------------- blocks

    def _block(self, member: ir.Continuation) -> Iterator[str]:
        self._begin(member)
        if member is self.function:
            yield from self.memory.start(self.instructions, self.function)
        yield from self._phis(member, self.edges.get(member, []))
        for statement in member.body:
            yield from self._noted(self._statement(statement), statement.span)
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        yield from self._noted(self._transfer(member, transfer), transfer.span)

    def _noted(self, lines: Iterator[str], span: Span | None) -> Iterator[str]:
        """The lines, with a note on the part of the source."""
        note = self.support.note(span)
        return (f"{line}{note}" for line in lines) if note else lines

    def _statement(self, statement: ir.Statement) -> Iterator[str]:
        operands = self.values.operands(statement.operands)
        yield from self._operand_checks(statement, operands)
        yield from self.instructions.of(statement, operands, self.values.name(statement))

    def _transfer(self, member: ir.Continuation, transfer: ir.Transfer) -> Iterator[str]:
        if isinstance(transfer, ir.Jump):
            yield from self._go(transfer.edge.target, self.values.operands(transfer.edge.arguments), transfer.span)
        elif isinstance(transfer, ir.Call):
            yield from self._call(transfer, self.results[member], self.landings.get(member))
        else:
            assert isinstance(transfer, (ir.Branch, ir.Switch))
            yield from self._uses(self.values.operands(transfer.operands), transfer.span)
            yield from self._branch(transfer)

    def _begin(self, member: ir.Continuation) -> None:
        """Let the block use the values that the only block before it knows, if that is written already."""
        edges = self.edges.get(member, ())
        before = self.known.get(edges[0][0], {}) if len(edges) == 1 else {}
        self.instructions.known = self.known[member] = dict(before) if len(before) <= MAX_KNOWN else {}

    def _phis(self, member: ir.Continuation, edges: list[tuple[ir.Continuation, ir.Edge]]) -> Iterator[str]:
        """``%a = phi i32 [ 23, %then ], [ 42, %else ]`` for each parameter, followed by those for the companions.

        A parameter that is the result of a call has no φ.
        """
        if not edges or (len(edges) == 1 and isinstance(edges[0][0].transfer, ir.Call)):
            return
        labels = [self.between.get(edge) or self._end_of(source) for source, edge in edges]
        passed = [self.results.get(source) or self.values.operands(edge.arguments) for source, edge in edges]
        parameters = self.values.operands(member.parameters)
        notes = [self.support.note(each.span) for each in member.parameters]
        phis = [
            (each.text, type_word(each.type), [operands[index].text for operands in passed], notes[index])
            for index, each in enumerate(parameters)
        ]
        phis += [
            (each.unset, POINTER, [operands[index].unset for operands in passed], notes[index])
            for index, each in enumerate(parameters)
            if each.unset != NULL
        ]
        for name, word, texts, note in phis:
            arguments = ", ".join(f"[ {text}, {label} ]" for text, label in zip(texts, labels, strict=True))
            yield f"{name} = phi {word} {arguments}{note}"

    def _end_of(self, member: ir.Continuation) -> str:
        """The label of the block with the transfer of the continuation."""
        return self.landings[member].returned if member in self.landings else self.values.name(member)

    def _operand_checks(self, statement: ir.Statement, operands: list[Operand]) -> Iterator[str]:
        """Checks that the operands are defined. A divisor of 0 is reported before an undefined dividend."""
        passed = passes_undefined(statement.op)
        if passed is not None:
            operands = [*operands[:passed], *operands[passed + 1 :]]
        for operand in in_order_of_use(statement.op, operands):
            is_dividend = operand is operands[0] and operand.unset != NULL
            if is_dividend and isinstance(statement, ir.Primitive) and traps(statement.op, statement.type):
                division = [Operand(operand.type, "0"), operands[1]]
                yield from self.instructions.of(statement, division, self.values.fresh(statement.name))
            yield from self._uses([operand], statement.span)

    def _uses(self, operands: Sequence[Operand], span: Span | None, place: str = "") -> Iterator[str]:
        """Checks that the operands are defined; the location of the error is in `place`, or is that of the `span`."""
        for operand in operands:
            if operand.unset != NULL:
                place = place or self.support.location(span)
                yield f"call void {self.support.helper('use')}({POINTER} {operand.unset}, {POINTER} {place})"

    # ------------------------------------------------------------------------------------------------------ transfers

    def _branch(self, transfer: ir.Branch | ir.Switch) -> Iterator[str]:
        if isinstance(transfer, ir.Branch):
            condition = self.values.operand(transfer.condition)
            yield f"br {condition}, {self._label(transfer.then)}, {self._label(transfer.otherwise)}"
            return
        value = self.values.operand(transfer.value)
        yield f"switch {value}, {self._label(transfer.default)} ["
        for case, edge in transfer.arms:
            yield f"  {self.values.operand(case)}, {self._label(edge)}"
        yield "]"

    def _label(self, edge: ir.Edge) -> str:
        return f"label {self.between.get(edge) or self.values.name(edge.target)}"

    def _go(self, target: ir.Target, operands: list[Operand], span: Span | None) -> Iterator[str]:
        """The instructions that pass the operands to a target."""
        if target in self.edges:
            yield f"br label {self.values.name(target)}"
        elif target is self.ret:
            if any(operand.unset != NULL for operand in operands):
                yield self._store_place(span)
            yield from self._return(operands)
        elif isinstance(target, ir.Function):  # without a return continuation
            callee = self.prototypes[target]
            arguments = with_companions(operands, callee.uncertain_parameters) + self.calls_left
            yield f"{self._tail(callee)}{a_call(callee, arguments)}"
            yield "ret void" if self.own.result == "void" else "unreachable"
        else:
            yield from self._leave(target, operands, span)

    def _store_place(self, span: Span | None) -> str:
        """The counterpart of `load_return_place`."""
        return f"store {POINTER} {self.support.location(span)}, {POINTER}* {self.support.helper('returned')}"

    def _return(self, operands: list[Operand]) -> Iterator[str]:
        values = with_companions(operands, self.own.uncertain_results)
        wholes = [self.values.fresh("results") for _ in values if len(values) > 1]
        yield from returning(self.own, values, wholes)

    def _leave(self, target: ir.Target, operands: list[Operand], span: Span | None, place: str = "") -> Iterator[str]:
        """The end of the program."""
        yield from self._uses(operands, span, place)
        if target is LONGJMP:
            yield self.memory.jump(span, operands)
        elif target is ir.HALT:
            yield f"call void {self.support.library('exit')}({operands[0]})"
        else:
            yield f"call void {self.support.helper('abort')}()"
        yield "unreachable"

    def _tail(self, callee: Prototype) -> str:
        """The marker of a call in tail position."""
        if not self.own.returns_as(callee) or not self.memory.may_tail_call(self.function):
            return ""
        return "musttail " if self.own.is_called_as(callee) else "tail "

    def _set_jump(self, call: ir.Call, results: list[Operand]) -> Iterator[str]:
        """The call of `_setjmp`, which saves no signal mask."""
        [pointer] = self.values.operands(call.arguments)
        yield from self._uses([pointer], call.span)
        before, buffer = self.memory.jump_buffer(self.instructions, call, pointer)
        yield from before
        yield f"{results[0].text} = call i32 {self.support.library('_setjmp')}({buffer})"
        yield from self._resume(call, results)

    def _call(self, call: ir.Call, results: list[Operand], landing: Landing | None) -> Iterator[str]:
        if is_setjmp(call.callee):
            yield from self._set_jump(call, results)
            return
        callee = self._callee(call)
        calls_left = self.calls_left
        if calls_left and call.then.target in self.edges:
            # One check suffices for all calls that it dominates: the number is a parameter of the function.
            checks: list[str] = []
            check = f"call i32 {self.support.helper('deeper')}(i32 {calls_left[0]}, i32 {self.index})"
            calls_left = [self.instructions.computed(checks, "calls.left", check)]
            yield from checks
        operands = self.values.operands(call.arguments)
        is_external = call.callee.transfer is None and (call.pointer is None or self.memory.variadic(call) is not None)
        if not is_external and call.pointer is not None:
            pointer = self.values.operand(call.pointer)
            yield from self._uses([pointer], call.span)
            checks, code = self.memory.code(self.instructions, call, pointer)
            yield from checks
            callee = replace(callee, symbol=code)
            if callee.uncertain_parameters:  # which an external function does not accept
                yield self._store_place(call.span)
        elif is_external:
            yield from self._uses(operands, call.span)
        if is_external or enters_library(call):
            yield from self.memory.before_call(self.instructions, call)
        arguments = with_companions(operands, callee.uncertain_parameters) + calls_left * callee.counts_calls
        names = with_companions(results, callee.uncertain_results)
        whole = self.values.fresh("results") if len(names) > 1 else "".join(names)
        if call.then.target is self.ret and self.own.returns_as(callee):
            tail = f"{self._tail(callee)}{a_call(callee, arguments)}"
            yield f"{whole} = {tail}" if whole else tail
            yield f"ret {callee.result} {whole}".rstrip()
        else:
            yield from calling(callee, arguments, names, whole, landing)
            yield from self._resume(call, results)

    def _resume(self, call: ir.Call, results: list[Operand]) -> Iterator[str]:
        """The instructions after a call, which is not in tail position."""
        target = call.then.target
        if target is self.ret:
            yield from self._return(results)
        elif isinstance(target, ir.External):
            place = self.values.fresh("place")
            yield load_return_place(place, self.support)
            yield from self._leave(target, results, None, place)
        else:
            yield from self._go(target, results, call.span)


def _labelled(name: str, instructions: Iterator[str]) -> Iterator[str]:
    """The lines of the block of that name."""
    yield f"{name[1:]}:"
    yield from (f"  {line}" for line in instructions)
