"""From blocks to a finished function."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from cpsconv.build.block import Block, Placed, resolve, successors
from cpsconv.build.placement import Placement
from cpsconv.ir import Branch, Call, Function, Jump, Parameter, Switch, Transfer


@dataclass(frozen=True, slots=True)
class Counts:
    """What the construction of a function did, and what it cost. Continuations that nothing leads to do not count.

    Of the parameters `placed`, proxies included, some were `removed` again, the others `kept`; the edges pass
    `arguments` to these. `lookups` is the work: the pairs of a variable and a continuation that look-ups came to.
    """

    placed: int
    removed: int
    kept: int
    arguments: int
    lookups: int


def finish(function: Function, blocks: list[Block], placement: Placement) -> Counts:
    """Turn the filled and sealed blocks of `function`, its entry first, into its continuations.

    What is unreachable is dropped first, since it may be all that keeps a parameter from being trivial. Then the
    parameters that are left become those of the program, and every use of a placed one is resolved. Last, a block that
    is jumped to from a single place becomes part of its predecessor.
    """
    reachable = _drop_unreachable(blocks, placement)
    placement.settle(reachable)
    placed = sum(len(block.placed) for block in reachable)
    for block in reachable:
        _keep_parameters(block)
    for block in reachable:
        _resolve_uses(block)
        _write_arguments(block)
    kept = sum(len(block.placed) for block in reachable)
    arguments = sum(len(block.placed) * len(block.edges) for block in reachable)
    function.continuations = [block.continuation for block in _merge_chains(reachable)[1:]]
    return Counts(placed, placed - kept, kept, arguments, placement.lookups)


def _drop_unreachable(blocks: list[Block], placement: Placement) -> list[Block]:
    """The blocks that the entry leads to, in the given order, with what came from others forgotten."""
    reached = _reachable(blocks)
    if len(reached) == len(blocks):
        return blocks
    kept = [block for block in blocks if block in reached]
    for block in kept:
        if not reached.issuperset(block.predecessors):
            _forget_unreachable_predecessors(block, reached)
            placement.remove_trivial([parameter for parameter in block.placed if parameter.forward is None])
    return kept


def _reachable(blocks: list[Block]) -> set[Block]:
    following = successors(blocks)
    reached = {blocks[0]}
    pending = [blocks[0]]
    while pending:
        for block in following[pending.pop()]:
            if block not in reached:
                reached.add(block)
                pending.append(block)
    return reached


def _forget_unreachable_predecessors(block: Block, reached: set[Block]) -> None:
    stays = [predecessor in reached for predecessor in block.predecessors]
    for parameter in block.placed:
        if parameter.forward is None:
            assert parameter.arguments is not None
            parameter.arguments = [*compress(parameter.arguments, stays)]
            parameter.forget_witnesses()
    block.predecessors = [*compress(block.predecessors, stays)]
    block.edges = [*compress(block.edges, stays)]


def _keep_parameters(block: Block) -> None:
    """Make program parameters of the placed ones; these forward to them, like removed ones to what replaced them."""
    block.placed = [parameter for parameter in block.placed if parameter.forward is None]
    for placed in block.placed:
        placed.forward = Parameter(placed.type, placed.name, placed.span)
        block.continuation.parameters.append(placed.forward)


def _write_arguments(block: Block) -> None:
    for placed in block.placed:
        assert placed.arguments is not None
        for edge, argument in zip(block.edges, placed.arguments, strict=True):
            edge.arguments.append(resolve(argument))


def _resolve_uses(block: Block) -> None:
    for statement in block.continuation.body:
        for operand in statement.operands:
            if type(operand) is Placed:
                statement.operands = tuple(map(resolve, statement.operands))
                break
    transfer = block.continuation.transfer
    assert transfer is not None
    _resolve_transfer(transfer)


def _resolve_transfer(transfer: Transfer) -> None:
    """Resolve what the transfer itself uses. Only a jump has arguments already, those of a return."""
    match transfer:
        case Jump(edge):
            edge.arguments = [resolve(argument) for argument in edge.arguments]
        case Branch(condition):
            transfer.condition = resolve(condition)
        case Switch(value):
            transfer.value = resolve(value)
        case Call(_, arguments):
            transfer.arguments = [resolve(argument) for argument in arguments]


def _merge_chains(blocks: list[Block]) -> list[Block]:
    """Append each block that has a single predecessor which jumps to it to that predecessor; the blocks left."""
    tails = {block.predecessors[0]: block for block in blocks if _continues_predecessor(block)}
    merged = set(tails.values())
    heads = [block for block in blocks if block not in merged]
    for head in heads:
        block = head
        while block in tails:
            block = tails[block]
            head.continuation.body += block.continuation.body
            head.continuation.transfer = block.continuation.transfer
    return heads


def _continues_predecessor(block: Block) -> bool:
    if len(block.predecessors) != 1 or block.continuation.parameters:
        return False
    return isinstance(block.predecessors[0].continuation.transfer, Jump)
