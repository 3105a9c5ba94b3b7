"""The certificate: a proof that a finished program computes the same values as its source, on every path.

Construction is intricate: look-ups, cycles, removals, merges. The certificate examines none of this. It compares the
record of the source (`cpsconv.core.construction.record`), which has variables and no parameters, with the finished
program, which has parameters and no variables. Walk a path through both, and keep a table from variables to values of
the program, which each write in the record updates. Record and program are *in lockstep* (after the theorem
``in_lockstep`` of Ullrich, *Verified Construction of SSA Form*, 2013, section 5) if, wherever the source reads a
variable, the program uses the value in the table.

There are infinitely many paths. But the table at the start of a block is the same on every path if the block has a
*claim* for every demanded variable: a value that the variable always has there. If a parameter was placed for the
variable, the claim is this parameter. For any other variable, it is the value at the end of one predecessor. The
following checks suffice, each once:

1. functions, structs, data, declarations and literals are the recorded ones, in their order, with all fields that the
   front end stated (`cpsconv.core.check.stated_parts`);
2. in every block: the values received by reads agree with the claims and the writes before;
3. for every edge and every claim at its target: the value at the source of the edge is the argument for the claimed
   parameter, or else the claimed value;
4. at the entry, before any write: variables are undefined;
5. statements and transfers are the recorded ones, with the corresponding operands, and edges in the same order;
6. each claimed value is in scope at its claim, so that a claim cannot denote a value of an earlier loop iteration.

A language may choose a rule by which a value replaces undefined ones (`cpsconv.core.analysis.undefined_operands`).
Under such a rule, if the value of a predecessor is undefined, the claim is the only value that counts among those that
reach the block; and a value in the program may replace the undefined one in the table.

Where redundant parameters remain (``--no-minimal``), a claim may be equal to the value of another predecessor only
because a parameter always has the value of another one. If there are errors, the function is compared once more with
each redundant parameter replaced by the only value that it can have (`cpsconv.core.check.parameters`).

By induction over its length, every path is correct. The claims are derived here. Only the record itself is trusted; its
mapping from variables to parameters is a hint, and a wrong hint leads to an error, never to a wrong certificate.

The time is proportional to the number of claims at the targets of all edges, up to a logarithmic factor for
dominance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.scopes import Place, Places, Scope
from cpsconv.core.analysis.undefined_operands import Rule, counted, keep_undefined
from cpsconv.core.check.parameters import redundant_parameters
from cpsconv.core.check.recorded_cfg import Demand, RecordGraph
from cpsconv.core.check.scope import shown
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.events import ending_of
from cpsconv.core.construction.record import BlockRecord, FunctionRecord, Read, Record, fields_of
from cpsconv.core.ir import NO_ATTRIBUTES, Continuation, Function, Parameter, Program, Undef, Value
from cpsconv.core.source import Diagnostic, Span, error


def runs_in_lockstep(program: Program, record: Record, undefined: Rule = keep_undefined) -> list[Diagnostic]:
    """The differences between the functions of the finished program, which must be well-formed, and their records.

    `undefined` is the rule for undefined operands. A nested function of the source may assign values of others, though
    the program, without these assignments, uses none; so a difference counts only if nested functions are assumed.
    """
    functions = [function for function in program.functions if function in record]
    found: list[Diagnostic] = []
    for has_nested in dict.fromkeys([program.has_nested_functions, True]):
        found = [*_differences(functions, record, undefined, has_nested)]
        if not found:
            break
    return found


def _differences(
    functions: Sequence[Function], record: Record, undefined: Rule, has_nested: bool
) -> Iterator[Diagnostic]:
    used = _used(functions, record) if has_nested else set()
    outer: dict[Value, Value | None] = {}
    for function in functions:
        lockstep = _Lockstep(function, record[function], {}, used, outer, undefined)
        faults = [*lockstep.faults()]
        if faults and (redundant := redundant_parameters(function, undefined)):
            lockstep = _Lockstep(function, record[function], redundant, used, outer, undefined)
            faults = [*lockstep.faults()]
        yield from faults
        if has_nested:
            outer.update(lockstep.meanings)
            for member in function.members():
                outer.update((each, each) for each in (*member.parameters, *member.body))


def _used(functions: Sequence[Function], record: Record) -> set[Value]:
    """The demanded values of all functions. A nested function, which may demand values of others, follows those."""
    used: set[Value] = set()
    for function in reversed(functions):
        used.update(_Lockstep(function, record[function], {}, used, {}).demanded())
    return used


class _Lockstep:
    """The comparison of one function.

    `places` has the position of each block in the program, `last` the blocks whose transfers the program has, and
    `carried` the parameters of each block by variable. `claims` has the values of variables at the start of each block.
    `meanings` has the values denoted by pending values, and `received` the places of the reads that returned them.
    `redundant` has parameters with the only values that they can have. `used` has values that nested functions demand,
    `outer` the values denoted by those of the functions before, which may be free values.
    """

    def __init__(
        self,
        function: Function,
        record: FunctionRecord,
        redundant: Mapping[Value, Value],
        used: Collection[Value],
        outer: Mapping[Value, Value | None],
        undefined: Rule = keep_undefined,
    ) -> None:
        self.function = function
        self.undefined = undefined
        self.redundant = redundant
        self.used = used
        self.outer = outer
        self.graph = RecordGraph(record)
        self.scope = Scope(DominatorTree(function))
        self.places: dict[BlockRecord, Place] = {}
        self.last: set[BlockRecord] = set()
        self.carried: dict[BlockRecord, dict[Variable, Parameter]] = {}
        self.claims: dict[BlockRecord, dict[Variable, Value | None]] = {}
        self.meanings: dict[Value, Value | None] = {}
        self.received: dict[Value, Places] = {}
        self.demand: Demand

    def demanded(self) -> Collection[Value]:
        """The demanded values; none if blocks are missing."""
        return () if self._place_blocks() else Demand(self.graph, self.carried, self.used).values

    def faults(self) -> Iterator[Diagnostic]:
        """The errors in blocks; if there are none, those on edges."""
        lost = self._place_blocks()
        if lost:
            yield from lost
            return
        self.demand = Demand(self.graph, self.carried, self.used)
        found = [fault for block in self.graph.blocks for fault in self._block_faults(block)]
        yield from found
        if not found:
            for block in self.graph.blocks:
                yield from self._edge_faults(block)

    # -------------------------------------------------------------------------------------------- places of blocks

    def _place_blocks(self) -> list[Diagnostic]:
        """Find each block in the program: a continuation consists of a block and those merged into it."""
        listed = set(self.function.members())
        heads = [block for block in self.graph.blocks if block.continuation in listed]
        faults = [fault for head in heads for fault in self._place_chain(self.graph.chain(head, listed))]
        missing = [block.continuation for block in self.graph.blocks if block not in self.places]
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
            yield error(
                f"the parameters of `{continuation.name}` are not those placed for variables", continuation.span
            )
        if not isinstance(continuation, Function):  # those of functions are stated
            stated = {parameter: variable.attributes for variable, parameter in self.carried[head].items()}
            for parameter in continuation.parameters:
                if parameter.attributes != stated.get(parameter, NO_ATTRIBUTES):
                    yield error(f"the attributes of `{parameter.name}` are not those of the source", parameter.span)
        if offset != len(continuation.body):
            yield error(f"`{continuation.name}` does not have the statements of the source", continuation.span)

    # ------------------------------------------------------------------------------------------------------ blocks

    def _block_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """Derive the claims of a block, then check its events, statements and transfer."""
        claims = {variable: self._claim(variable, block) for variable in self.demand.variables[block]}
        self.claims[block] = claims
        for variable, value in claims.items():
            yield from self._scope_faults(variable, value, self.places[block], block)
        yield from self._event_faults(block)
        yield from self._statement_faults(block)
        if block in self.last:
            yield from self._ending_faults(block)

    def _claim(self, variable: Variable, block: BlockRecord) -> Value | None:
        """The claim for a variable at the start of `block`. At the entry, it is undefined."""
        parameter, parent = self.carried[block].get(variable), self.graph.parent[block]
        if parameter:
            return parameter
        if parent:
            value = self._at_end(variable, parent)
            if isinstance(value, Undef) and self.undefined is not keep_undefined:
                return self._only_counted(variable, block) or value
            return value
        return Undef(variable.type, variable.name, variable.span)

    def _only_counted(self, variable: Variable, block: BlockRecord) -> Value | None:
        reaching = {self._simple(self.outer.get(each, each)): None for each in self.demand.reaching(block, variable)}
        values = [each for each in reaching if each]
        found = counted(self.undefined, values, lambda value: not self.scope.error_of(value, self.places[block]))
        return next(iter(found)) if len(found) == 1 else None

    def _at_end(self, variable: Variable, block: BlockRecord) -> Value | None:
        assigned = self.graph.assigned[block]
        return self._simple(self._meaning(assigned[variable]) if variable in assigned else self.claims[block][variable])

    def _event_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """Check that reads return the value written last. Reads whose value is not demanded are skipped."""
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
                    yield error(
                        f"`{event.variable.name}` is assigned a value that no read has returned", event.variable.span
                    )
                yield from self._scope_faults(event.variable, value, place, block)

    def _read_faults(self, read: Read, value: Value | None, place: Place, block: BlockRecord) -> Iterator[Diagnostic]:
        """Derive the meaning of a pending value from the first read that returned it; other reads must agree."""
        if self._is_pending(read.received):
            self.meanings.setdefault(read.received, value)
            self.received.setdefault(read.received, Places(self.scope)).add(place)
        meaning = self._meaning(read.received)
        if not self._agrees(meaning, value):
            given = f"`{read.variable.name}` is read as {shown(meaning)} in `{block.continuation.name}`"
            yield error(f"{given}, but is {shown(value)} there", read.variable.span)

    def _scope_faults(
        self, variable: Variable, value: Value | None, place: Place, block: BlockRecord
    ) -> Iterator[Diagnostic]:
        message = self.scope.error_of(value, place) if value and value not in self.outer else None
        if message:
            yield error(f"`{variable.name}` in `{block.continuation.name}`: {message}", variable.span)

    def _statement_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        continuation, offset = self.places[block]
        statements = continuation.body[offset : offset + len(block.statements)]
        pairs = zip(block.statements, statements, block.names, strict=True)
        for number, (recorded, statement, name) in enumerate(pairs, offset):
            stated = recorded.statement, recorded.stated, name
            if (statement, fields_of(statement), statement.name) != stated:
                yield error("this is not what the source computes here", statement.span)
            else:
                place = continuation, number
                yield from self._operand_faults(recorded.operands, statement.operands, place, statement.span)

    def _ending_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        continuation = self.places[block][0]
        assert continuation.transfer
        recorded, found, span = block.ending, ending_of(continuation.transfer), continuation.transfer.span
        place = continuation, len(continuation.body)
        fixed = recorded.kind, recorded.fixed, len(recorded.edges), block.span
        if fixed != (found.kind, found.fixed, len(found.edges), span):
            yield error(f"`{continuation.name}` does not end as in the source", span or continuation.span)
            return
        yield from self._operand_faults(recorded.operands, found.operands, place, span)
        for (target, arguments), (leads_to, passed), successor in zip(
            recorded.edges, found.edges, self.graph.successors[block], strict=True
        ):
            if leads_to is not target:
                message = f"`{continuation.name}` leads to `{leads_to.name}`, but in the source to `{target.name}`"
                yield error(message, span)
            elif successor is None:
                yield from self._operand_faults(arguments, passed, place, span)

    def _operand_faults(
        self, recorded: Sequence[Value], found: Sequence[Value], place: Place, span: Span | None
    ) -> Iterator[Diagnostic]:
        if len(recorded) != len(found):
            yield error(f"{len(found)} values are used here, but in the source {len(recorded)}", span)
        for value, operand in zip(recorded, found, strict=False):
            if self._is_early(value, place):
                yield error(f"{shown(operand)} is used where no read has returned it", span)
            elif not self._agrees(operand, self._meaning(value)):
                yield error(f"{shown(operand)} is used here instead of {shown(self._meaning(value))}", span)

    def _meaning(self, value: Value) -> Value | None:
        """The value of the program that a value of the record denotes, None if it is not known."""
        if value in self.outer:
            return self.outer[value]
        return self.meanings.get(value) if self.graph.is_pending(value) else value

    def _is_pending(self, value: Value) -> bool:
        return value not in self.outer and self.graph.is_pending(value)

    def _simple(self, value: Value | None) -> Value | None:
        """The value, or the only value of a redundant parameter. Both are equal where the parameter is in scope."""
        return self.redundant.get(value, value) if value else value

    def _same(self, one: Value | None, other: Value | None) -> bool:
        """Whether two values are the same object, or both undefined for the same variable."""
        one, other = self._simple(one), self._simple(other)
        if isinstance(one, Undef) and isinstance(other, Undef):
            return one.name == other.name and one.type is other.type and one.span == other.span
        return one is other

    def _agrees(self, found: Value | None, value: Value | None) -> bool:
        """Whether the value found, which is in scope, is the source's value, or may replace this undefined one."""
        if self._same(found, value):
            return True
        if found is None or not isinstance(value, Undef) or self.undefined is keep_undefined:
            return False  # with another rule, all undefined values are alike
        return isinstance(found, Undef) or len(counted(self.undefined, [found, value], lambda each: True)) == 1

    def _is_early(self, value: Value, place: Place) -> bool:
        """Whether some path reaches `place` before a read returned the pending `value`."""
        return value in self.meanings and not self.received[value].dominate(place)

    # ------------------------------------------------------------------------------------------------------- edges

    def _edge_faults(self, block: BlockRecord) -> Iterator[Diagnostic]:
        """Check that the values at the end of a block are those claimed at the targets of its edges."""
        for number, successor in enumerate(self.graph.successors[block]):
            if successor:
                passed = self._passed(block, number)
                for variable, claim in self.claims[successor].items():
                    value = self._at_end(variable, block)
                    is_carried = variable in self.carried[successor]
                    arriving = passed.get(claim) if is_carried else claim
                    if not self._agrees(arriving, value):
                        path = f"on the edge from `{block.continuation.name}` to `{successor.continuation.name}`"
                        wrong = "is passed for it" if is_carried else "is expected there"
                        message = f"{path}, `{variable.name}` is {shown(value)}, but {shown(arriving)} {wrong}"
                        transfer = block.continuation.transfer
                        yield error(message, (transfer and transfer.span) or variable.span)

    def _passed(self, block: BlockRecord, number: int) -> dict[Value | None, Value]:
        """The arguments of an edge, by parameter; none if both blocks were merged into one continuation."""
        transfer = self.places[block][0].transfer
        if block not in self.last or not transfer:
            return {}
        edge = transfer.edges[number]
        parameters = edge.target.parameters if isinstance(edge.target, Continuation) else []
        return dict(zip(parameters, edge.arguments, strict=False))
