"""The certificate: that a finished program does what its source does, whatever path is taken.

Construction is intricate: look-ups, cycles, removals, merges. Nothing of that is looked at here. There is the record of
what the front end told (`cpsconv.construction.record`), which has variables and no parameters; there is the finished
program, which has parameters and no variables. Walk a path through both, and keep a table of the variables by the
record, with the values of the program in it: a write puts its value there. The two are *in lockstep* (so the theorem
``in_lockstep`` of Ullrich, *Verified Construction of SSA Form*, 2013, section 5) if at each step the program uses the
value that stands in the table where the source reads the variable.

There are infinitely many paths. But the table at the beginning of a block need not depend on the path, if at each block
one *claim* is made for every variable that matters: that its value there is always such and such. A parameter that was
placed for a variable is claimed for it. For any other variable the claim is the value at the end of one predecessor.
Then it is enough to check, each once,

1. in every block: the values that reads gave, held against the claims and the writes before;
2. for every edge and every claim where it leads: that the value at its start is the argument passed for the claimed
   parameter, or the value that is claimed;
3. at the entry, before any write: that variables are undefined;
4. that statements and transfers are those that were told, with these values for operands, and edges in the same order;
5. that each value claimed is in scope where it is claimed, which keeps a claim from meaning a value of an earlier round
   of a loop.

So every path is right by induction over its length. The claims are made here, and nothing is taken on trust but the
record itself: which variable a parameter stands for is a hint, and a wrong one leads to a complaint, never to a wrong
certificate.

It takes time proportional to the claims, once for each edge that leads to them (and a logarithm for dominance).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.check.recorded_cfg import Demand, Told
from cpsconv.check.scope import Place, Places, Scope
from cpsconv.construction.block import Variable
from cpsconv.construction.events import ending_of
from cpsconv.construction.record import BlockRecord, FunctionRecord, Read, Record
from cpsconv.ir import Constant, Continuation, Effect, Function, Parameter, Primitive, Program, Undef, Value
from cpsconv.source import Diagnostic, Span, error


def runs_in_lockstep(program: Program, record: Record) -> Iterator[Diagnostic]:
    """Whatever in the finished program, which must be sound, is not as it was told."""
    for function in program.functions:
        if function not in record:
            yield error(f"there is no record of `{function.name}`", function.span)
        else:
            yield from _Lockstep(function, record[function]).faults()


class _Lockstep:
    """One function. `places` says where in the program a block begins.

    `demand` says what has to be known where, once all blocks have a place. `claims` are the values of variables where a
    block begins; `meanings` says what pending values stand for, and `received` where they can be used because a read
    gave them.
    """

    def __init__(self, function: Function, record: FunctionRecord) -> None:
        self.function = function
        self.told = Told(record)
        self.scope = Scope(DominatorTree(function))
        self.places: dict[BlockRecord, Place] = {}
        self.last: set[BlockRecord] = set()
        self.carried: dict[BlockRecord, dict[Variable, Parameter]] = {}
        self.claims: dict[BlockRecord, dict[Variable, Value | None]] = {}
        self.meanings: dict[Value, Value | None] = {}
        self.received: dict[Value, Places] = {}
        self.demand: Demand

    def faults(self) -> Iterator[Diagnostic]:
        """All faults found in the blocks; if there are none, those of the edges."""
        lost = self._place_blocks()
        if lost:
            yield from lost
            return
        self.demand = Demand(self.told, self.carried)
        found = [fault for block in self.told.blocks for fault in self._block_faults(block)]
        yield from found
        if not found:
            for block in self.told.blocks:
                yield from self._edge_faults(block)

    # ------------------------------------------------------------------------------------------- where blocks are

    def _place_blocks(self) -> list[Diagnostic]:
        """Find each block in the program: a continuation is a block, with those appended that followed it alone."""
        listed = set(self.function.members())
        heads = [block for block in self.told.blocks if block.continuation in listed]
        faults = [fault for head in heads for fault in self._place_chain(self.told.chain(head, listed))]
        missing = [block.continuation for block in self.told.blocks if block not in self.places]
        return faults + [error(f"`{continuation.name}` is missing", continuation.span) for continuation in missing]

    def _place_chain(self, chain: list[BlockRecord]) -> Iterator[Diagnostic]:
        head = chain[0]
        continuation = head.continuation
        own = len(head.parameters)
        placed = set(continuation.parameters[own:])
        self.carried |= {block: {} for block in chain}
        self.carried[head] = {variable: each for variable, each in head.carried.items() if each in placed}
        offset = 0
        for block in chain:
            self.places[block] = continuation, offset
            offset += len(block.statements)
        self.last.add(chain[-1])
        if (*continuation.parameters[:own],) != head.parameters or placed != {*self.carried[head].values()}:
            yield error(f"the parameters of `{continuation.name}` do not stand for variables", continuation.span)
        if offset != len(continuation.body):
            yield error(f"`{continuation.name}` has not the statements of the source", continuation.span)

    # ------------------------------------------------------------------------------------------------ in a block

    def _block_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """Make the claims of a block, then go through it."""
        claims = {variable: self._claim(variable, block) for variable in self.demand.variables[block]}
        self.claims[block] = claims
        for variable, value in claims.items():
            yield from self._scope_faults(variable, value, self.places[block], block)
        yield from self._event_faults(block)
        yield from self._statement_faults(block)
        if block in self.last:
            yield from self._ending_faults(block)

    def _claim(self, variable: Variable, block: BlockRecord) -> Value | None:
        """The value that is claimed for a variable where `block` begins. Nothing has a value where the entry does."""
        parameter, parent = self.carried[block].get(variable), self.told.parent[block]
        if parameter:
            return parameter
        if parent:
            return self._at_end(variable, parent)
        return Undef(variable.type, variable.name, variable.span)

    def _at_end(self, variable: Variable, block: BlockRecord) -> Value | None:
        if variable in self.told.assigned[block]:
            return self._meaning(self.told.assigned[block][variable])
        return self.claims[block][variable]

    def _event_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """Reads give what was written last. Those that give what nobody asks for are passed over."""
        continuation, offset = self.places[block]
        values = {**self.claims[block]}
        for event in block.events:
            place = continuation, offset + event.at
            if isinstance(event, Read):
                if event.received in self.demand.values:
                    yield from self._read_faults(event, values[event.variable], place, block)
            else:
                value = values[event.variable] = self._meaning(event.value)
                if self._is_early(event.value, place):
                    yield error(f"`{event.variable.name}` is assigned what no read has given", event.variable.span)
                yield from self._scope_faults(event.variable, value, place, block)

    def _read_faults(self, read: Read, value: Value | None, place: Place, block: BlockRecord) -> Iterator[Diagnostic]:
        """Learn what a pending value means from the first read that gave it; the others must agree."""
        if self.told.is_pending(read.received):
            self.meanings.setdefault(read.received, value)
            self.received.setdefault(read.received, Places(self.scope)).add(place)
        meaning = self._meaning(read.received)
        if not _same(meaning, value):
            given = f"`{read.variable.name}` is read as {_shown(meaning)} in `{block.continuation.name}`"
            yield error(f"{given}, but is {_shown(value)} there", read.variable.span)

    def _scope_faults(
        self, variable: Variable, value: Value | None, place: Place, block: BlockRecord
    ) -> Iterator[Diagnostic]:
        complaint = self.scope.complaint(value, place) if value else None
        if complaint:
            yield error(f"`{variable.name}` in `{block.continuation.name}`: {complaint}", variable.span)

    def _statement_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        continuation, offset = self.places[block]
        statements = continuation.body[offset : offset + len(block.statements)]
        for number, (told, statement) in enumerate(zip(block.statements, statements, strict=True), offset):
            if (statement, statement.op, statement.type) != told[:3]:
                yield error("this is not what the source computes here", statement.span)
            else:
                place = continuation, number
                yield from self._operand_faults(told.operands, statement.operands, place, statement.span)

    def _ending_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        continuation = self.places[block][0]
        assert continuation.transfer
        told, found, span = block.ending, ending_of(continuation.transfer), continuation.transfer.span
        place = continuation, len(continuation.body)
        if (told.kind, told.fixed, len(told.edges)) != (found.kind, found.fixed, len(found.edges)):
            yield error(f"`{continuation.name}` does not end as in the source", span or continuation.span)
            return
        yield from self._operand_faults(told.operands, found.operands, place, span)
        for (target, arguments), (leads_to, passed), successor in zip(
            told.edges, found.edges, self.told.successors[block], strict=True
        ):
            if leads_to is not target:
                complaint = f"`{continuation.name}` leads to `{leads_to.name}`, but in the source to `{target.name}`"
                yield error(complaint, span)
            elif successor is None:
                yield from self._operand_faults(arguments, passed, place, span)

    def _operand_faults(
        self, told: Sequence[Value], found: Sequence[Value], place: Place, span: Span | None
    ) -> Iterator[Diagnostic]:
        if len(told) != len(found):
            yield error(f"{len(found)} values are used here, but in the source {len(told)}", span)
        for value, operand in zip(told, found, strict=False):
            if self._is_early(value, place):
                yield error(f"{_shown(operand)} is used where no read has given it", span)
            elif not _same(self._meaning(value), operand):
                yield error(f"{_shown(operand)} is used here instead of {_shown(self._meaning(value))}", span)

    def _meaning(self, value: Value) -> Value | None:
        """The value of the program that a value of the record stands for, if that is known."""
        return self.meanings.get(value) if self.told.is_pending(value) else value

    def _is_early(self, value: Value, place: Place) -> bool:
        """Whether a pending value is used though control can have come here without a read that gave it."""
        return value in self.meanings and not self.received[value].dominate(place)

    # --------------------------------------------------------------------------------------------------- on edges

    def _edge_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """The values at the end of a block are those claimed where its edges lead."""
        for number, successor in enumerate(self.told.successors[block]):
            if successor:
                passed = self._passed(block, number)
                for variable, claim in self.claims[successor].items():
                    value = self._at_end(variable, block)
                    is_carried = variable in self.carried[successor]
                    arriving = passed.get(claim) if is_carried else claim
                    if not _same(arriving, value):
                        way = f"on the way from `{block.continuation.name}` to `{successor.continuation.name}`"
                        wrong = "is passed for it" if is_carried else "is expected there"
                        complaint = f"{way}, `{variable.name}` is {_shown(value)}, but {_shown(arriving)} {wrong}"
                        yield error(complaint, self._end_span(block) or variable.span)

    def _passed(self, block: BlockRecord, number: int) -> dict[Value | None, Value]:
        """What an edge passes for each parameter: nothing, if the program has both of its ends in one continuation."""
        transfer = self.places[block][0].transfer
        if block not in self.last or not transfer:
            return {}
        edge = transfer.edges[number]
        parameters = edge.target.parameters if isinstance(edge.target, Continuation) else []
        return dict(zip(parameters, edge.arguments, strict=False))

    def _end_span(self, block: BlockRecord) -> Span | None:
        return block.continuation.transfer.span if block.continuation.transfer else None


def _same(one: Value | None, other: Value | None) -> bool:
    """Whether two values are one: the same object, or undefined for the same variable."""
    if isinstance(one, Undef) and isinstance(other, Undef):
        return one.name == other.name and one.type is other.type
    return one is other


def _shown(value: Value | None) -> str:
    """A value, in a complaint."""
    match value:
        case None:
            return "nothing"
        case Constant():
            return f"`{value.value}`"
        case Undef():
            return f"the undefined `{value.name}`"
        case Primitive() | Effect():
            return f"the result of `{value.op}`"
        case Parameter():
            return f"the parameter `{value.name}`"
    return f"`{value.name}`"
