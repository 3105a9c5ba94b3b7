"""The changes that each step of a construction makes to the picture of the control flow.

The picture has one card for each continuation. A change is a list: its kind, the name of the continuation whose card it
changes, and details, which are names, texts and numbers. The card at a step is the result of its changes up to that
step, independent of other cards.

=============  ===========================================================================================
kind           details, after the continuation's name
=============  ===========================================================================================
``created``    the names of the parameters that were not placed by construction
``entered``    nothing: it is being filled
``computed``   the text of a statement
``assigned``   a variable's number, the text of its value
``filled``     the text of the transfer, and for each of its edges the label, target and arguments
``sealed``     nothing
``placed``     a parameter, the number of its variable, and whether it is a proxy
``passed``     the number of an edge, the parameter that it leads to, and the text of the argument
``withdrawn``  the number of an edge, and the removed parameter that it led to
``completed``  a parameter
``kept``       a parameter
``removed``    a removed parameter, and the text of the value that replaces it, or null
``dropped``    nothing: it is unreachable
``merged``     the name of the continuation into which it was merged
``finished``   the names of its parameters, the texts of its statements, and the transfer as for ``filled``
=============  ===========================================================================================
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Placed
from cpsconv.construction.events import Ending, ending_of
from cpsconv.explain import Narration
from cpsconv.ir import Branch, Call, Constant, Continuation, Function, Jump, Scalar, Switch, Target, Value
from cpsconv.page.source_variables import Variables
from cpsconv.text.spelling import literal_text

Change = list[Any]


class Changes:
    """The changes of the steps of one narration."""

    def __init__(self, narration: Narration, variables: Variables) -> None:
        self._narration = narration
        self._labels = narration.labels
        self._variables = variables
        self._completed: set[str] = set()
        self._homes: dict[str, Block] = {}
        self._incoming = _incoming(narration)

    def of(self, event: e.Event) -> Iterator[Change]:
        """The changes that `event` makes. Must be called for all events, in order."""
        match event:
            case e.Open(_, block):
                yield from self._created(block)
                yield ["entered", self._block(block)]
                yield ["sealed", self._block(block)]
            case e.Create(block):
                yield from self._created(block)
            case e.Enter(block):
                yield ["entered", self._block(block)]
            case e.Compute(block, statement):
                yield ["computed", self._block(block), self._labels.bare_statement(statement)]
            case e.Write(variable, block, value) | e.Answer(variable, block, value):
                yield ["assigned", self._block(block), self._variables.number(variable), self._labels.bare_value(value)]
            case e.Fill(block, ending):
                yield ["filled", self._block(block), *self._transfer(ending)]
            case e.Seal(block):
                yield ["sealed", self._block(block)]
            case e.Unreachable(block):
                yield ["dropped", self._block(block)]
            case e.Proxy(parameter) | e.Place(parameter):
                home, name = parameter.block, self._labels.name(parameter)
                self._homes[name] = home
                number = self._variables.number(parameter.variable)
                yield ["placed", self._block(home), name, number, isinstance(event, e.Proxy)]
            case e.Complete(parameter, arguments):
                yield from self._completes(parameter, arguments)
            case e.Keep(parameter):
                yield ["kept", self._block(parameter.block), self._labels.name(parameter)]
            case e.Remove(parameter, value):
                yield from self._removed(self._labels.name(parameter), value)
            case e.Unused(_, parameters):
                for unused in parameters:
                    yield from self._removed(self._labels.name(unused), None)
            case e.Redundant(_, replaced):
                for redundant, value in replaced.items():
                    yield from self._removed(self._labels.name(redundant), value)

    def finish(self) -> Iterator[Change]:
        """The changes to the finished function, after all events."""
        self._labels = self._labels.finished()
        members = [*self._narration.function.members()]
        for member in members:
            assert member.transfer
            parameters = [self._labels.name(parameter) for parameter in member.parameters]
            statements = [self._labels.bare_statement(each) for each in member.body if self._labels.is_a_line(each)]
            yield [
                "finished",
                self._labels.name(member),
                parameters,
                statements,
                *self._transfer(ending_of(member.transfer)),
            ]
        heads = set(members)
        dropped = {event.block for event in self._narration.events if isinstance(event, e.Unreachable)}
        for block in self._narration.end.blocks.values():
            if block.continuation not in heads and block not in dropped:
                yield ["merged", self._block(block), self._labels.name(self._head(block, heads, dropped))]

    def _head(self, block: Block, heads: set[Continuation], dropped: set[Block]) -> Continuation:
        """The continuation into which a block was merged, through its only predecessor, and so on."""
        while block.continuation not in heads:
            (block,) = (each for each in self._narration.end.predecessors[block] if each not in dropped)
        return block.continuation

    def _created(self, block: Block) -> Iterator[Change]:
        own = self._variables.own_parameters(block.continuation)
        yield ["created", self._block(block), [self._labels.name(parameter) for parameter in own]]

    # -------------------------------------------------------------------------------------------------- parameters

    def _completes(self, parameter: Placed, arguments: Sequence[Value]) -> Iterator[Change]:
        name = self._labels.name(parameter)
        self._completed.add(name)
        yield ["completed", self._block(parameter.block), name]
        for (source, number), argument in zip(self._incoming[parameter.block], arguments, strict=True):
            yield ["passed", self._block(source), number, name, self._labels.bare_value(argument)]

    def _removed(self, name: str, value: Value | None) -> Iterator[Change]:
        home = self._homes[name]
        yield ["removed", self._block(home), name, self._labels.bare_value(value) if value else None]
        if name in self._completed:
            for source, number in self._incoming[home]:
                yield ["withdrawn", self._block(source), number, name]

    # --------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, ending: Ending) -> tuple[str, list[Change]]:
        """The text of a transfer without its edges, and the label, target and arguments of each edge."""
        value = self._labels.bare_value
        edges = [
            [label, value(target), [*self._arguments(target, arguments)]]
            for label, (target, arguments) in zip(_edge_labels(ending), ending.edges, strict=True)
        ]
        if ending.kind is Jump:
            return "", edges
        if ending.kind is Call:
            (callee,) = ending.fixed
            assert isinstance(callee, Function)
            return self._labels.bare_application(callee, ending.operands), edges
        return f"{ending.kind.__name__.lower()}({value(ending.operands[0])})", edges

    def _arguments(self, target: Target, arguments: Sequence[Value]) -> Iterator[Change]:
        """Each argument with the name of the parameter that receives it, None if it is unknown."""
        receiving = [self._labels.name(each) for each in target.parameters] if isinstance(target, Continuation) else []
        for parameter, argument in zip_longest(receiving[: len(arguments)], arguments):
            yield [parameter, self._labels.bare_value(argument)]

    def _block(self, block: Block) -> str:
        return self._labels.name(block.continuation)


def _edge_labels(ending: Ending) -> list[str]:
    if ending.kind is Branch:
        return ["true", "false"]
    if ending.kind is Switch:
        type = ending.operands[0].type
        assert isinstance(type, Scalar)
        return [*(literal_text(Constant(type, case)) for case in ending.fixed if isinstance(case, int)), "else"]
    return ["then" if ending.kind is Call else ""]


def _incoming(narration: Narration) -> dict[Block, list[tuple[Block, int]]]:
    """The edges to each block, in the order of its predecessors: the block in which each starts, and its number."""
    blocks = narration.end.blocks
    found: dict[Block, list[tuple[Block, int]]] = defaultdict(list)
    for event in narration.events:
        if isinstance(event, e.Fill):
            for number, (target, _) in enumerate(event.ending.edges):
                if isinstance(target, Continuation) and target in blocks:
                    found[blocks[target]].append((event.block, number))
    return found
