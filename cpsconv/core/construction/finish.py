"""The last step of construction: from blocks to the continuations of a finished function."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import compress
from operator import attrgetter

from cpsconv.core.analysis.graph import depth_first, is_local, replace_in_transfer
from cpsconv.core.construction.block import Block, Placed, resolve, successors
from cpsconv.core.construction.events import Unreachable
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Continuation, Counts, Function, Jump, Parameter

_IS_REACHED = attrgetter("is_reached")


def finish(function: Function, blocks: list[Block], placement: Placement, has_free: bool = False) -> Counts:
    """Turn the sealed blocks of `function`, in the order in which they were filled, into its continuations.

    Unreachable blocks are dropped first, since a parameter may be trivial without the arguments from them. Then the
    remaining parameters are written into the continuations, and all uses are resolved. Last, each block is merged into
    its only predecessor if the predecessor ends with a jump.

    If the function `has_free` values, they are resolved, too: they may be placed parameters of other functions.
    """
    reachable = _drop_unreachable(blocks, placement)
    is_open = has_free or any(block.proxies for block in reachable)
    placement.settle(reachable)
    with_parameters = [block for block in reachable if block.placed]
    placed = sum(len(block.placed) for block in with_parameters)
    if with_parameters or is_open:  # else all values are final
        write_parameters(reachable)
    kept = sum(len(block.placed) for block in with_parameters)
    arguments = sum(len(block.placed) * len(block.edges) for block in with_parameters)
    function.continuations = merge_chains([block.continuation for block in reachable], _tails(reachable))
    return Counts(placed, placed - kept, kept, arguments, placement.lookups)


def _drop_unreachable(blocks: list[Block], placement: Placement) -> list[Block]:
    """The reachable blocks, in the given order, without the edges and arguments from unreachable ones."""
    if all(map(_IS_REACHED, blocks)):
        return blocks
    reached = {block for block, _ in depth_first(blocks[:1], successors(blocks).__getitem__)}
    if len(reached) == len(blocks):
        return blocks
    kept = [block for block in blocks if block in reached]
    if placement.observer is not None:
        for block in blocks:
            if block not in reached:
                placement.observer(Unreachable(block))
    for block in kept:
        if not reached.issuperset(block.predecessors):
            _forget_unreachable_predecessors(block, reached)
            placement.remove_trivial([parameter for parameter in block.placed if parameter.forward is None])
    return kept


def _forget_unreachable_predecessors(block: Block, reached: set[Block]) -> None:
    stays = [predecessor in reached for predecessor in block.predecessors]
    for parameter in block.placed:
        if parameter.forward is None:
            assert parameter.arguments is not None
            parameter.arguments = [*compress(parameter.arguments, stays)]
            parameter.witnesses, parameter.scanned = [], 0
    block.predecessors = [*compress(block.predecessors, stays)]
    block.edges = [*compress(block.edges, stays)]


def write_parameters(blocks: Collection[Block]) -> None:
    """Write the placed parameters that were not removed, and their arguments, into the program. Resolve all uses."""
    with_parameters = [block for block in blocks if block.placed]
    for block in with_parameters:
        _keep_parameters(block)
    for block in blocks:
        for statement in block.continuation.body:
            if Placed in map(type, statement.operands):
                statement.operands = tuple(map(resolve, statement.operands))
        assert block.continuation.transfer is not None
        replace_in_transfer(block.continuation.transfer, resolve)
    for block in with_parameters:
        for placed in block.placed:
            assert placed.arguments is not None
            for edge, argument in zip(block.edges, placed.arguments, strict=True):
                edge.arguments.append(resolve(argument))


def _keep_parameters(block: Block) -> None:
    """Create the parameters of the program, and forward the placed ones to them."""
    block.placed = [parameter for parameter in block.placed if parameter.forward is None]
    for placed in block.placed:
        placed.forward = Parameter(placed.type, placed.name, placed.span, placed.attributes)
        block.continuation.parameters.append(placed.forward)


def _tails(blocks: list[Block]) -> dict[Continuation, Continuation]:
    """For each predecessor that jumps to a block with no other predecessor, the continuation of the block."""
    tails: dict[Continuation, Continuation] = {}
    for block in blocks:
        if len(block.predecessors) == 1:
            predecessor = block.predecessors[0].continuation
            if type(predecessor.transfer) is Jump and not block.continuation.parameters:
                tails[predecessor] = block.continuation
    return tails


def merge_chains(members: Iterable[Continuation], tails: Mapping[Continuation, Continuation]) -> list[Continuation]:
    """Append to each member its tail, and to this the next tail. Returns the remaining continuations of the function.

    The tail of a member is a continuation without parameters to which only this member jumps. There are no cycles. The
    place of a merged continuation is that of its last tail, so that the edges keep their order.
    """
    heads: dict[Continuation, Continuation] = {}
    for head in tails.keys() - set(tails.values()):
        member = head
        while member in tails:
            member = tails[member]
            head.body += member.body
            head.transfer = member.transfer
        heads[member] = head
    return [*filter(is_local, (heads.get(member, member) for member in members if member not in tails))]
