"""Runs a program as Python: compiled to source text with real loops, variables for parameters, and a function for each.

::

    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

The pipeline, for each function: its graph with decisions joined, where irreducible loops get a hub (`routes`); its
structure, without ``goto`` (`jumps`); its variables; and lines (`statements`, `expressions`), which wrap numbers around
only where that is needed (`cpsconv.analysis.ranges`). What C needs, too, is in `cpsconv.emit.imperative`.

Undefined values are objects that may be moved around. Of the few values that may be undefined
(`cpsconv.analysis.undefined`), each is looked at before it is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.analysis.graph import depth_first, functions_used
from cpsconv.analysis.ranges import Ranges, ranges
from cpsconv.analysis.undefined import Place, may_be_undefined
from cpsconv.engines.python.counting import Counting
from cpsconv.engines.python.expressions import Expressions, Outside
from cpsconv.engines.python.names import RESERVED, identifier
from cpsconv.engines.python.overflow import Care
from cpsconv.engines.python.running import Compiled
from cpsconv.engines.python.statements import Statements
from cpsconv.engines.python.tail_recursion import with_tail_calls_as_jumps
from cpsconv.entry import data_parameters
from cpsconv.ir import Branch, Continuation, Function, Primitive, Program, Switch, Undef, Value
from cpsconv.structuring.decisions import Ways
from cpsconv.structuring.goto_elimination import Unreachable, without_gotos
from cpsconv.structuring.inline_calls import calls_in_place
from cpsconv.structuring.irreducible import RoutedWays, by_one_hub, without_irreducible_loops
from cpsconv.structuring.structurer import structure
from cpsconv.structuring.tree import Block, Loop, blocks_of
from cpsconv.structuring.variables import Variables
from cpsconv.text.plan import TextPlan, UniqueNames

_DEEPEST = 60  # blocks within blocks; Python takes less than 100
_MOST_LOOPS = 15  # loops within loops; Python takes 20


def prepare(program: Program, entry: Function) -> Compiled:
    """The first-order program, compiled and ready to be started at `entry`."""
    text, outside, name = source(program, entry)
    return Compiled(compile(text, "<program>", "exec"), outside.names, name, entry)


def source(program: Program, entry: Function) -> tuple[str, Outside, str]:
    """The source text of what can be called from `entry` on; what it refers to; and what it calls `entry`."""
    root: Function = entry
    functions = [function for function, _ in depth_first([root], functions_used)]
    inventor = UniqueNames(RESERVED)
    names = {function.name: inventor.unique(identifier(function.name)) for function in functions}
    facts = ranges(entry)
    uncertain = may_be_undefined(program)
    outside = Outside()
    writers = [_Writer(function, names, facts, uncertain, outside) for function in functions]
    texts = ["\n".join(writer.lines()) + "\n" for writer in writers]
    return "\n\n".join(texts), outside, names[entry.name]


class _Writer:
    """Writes one function."""

    def __init__(
        self,
        function: Function,
        functions: Mapping[str, str],
        ranges: Ranges,
        uncertain: Collection[Place],
        outside: Outside,
    ) -> None:
        self.name = functions[function.name]
        self._of_caller = function
        function, exits = with_tail_calls_as_jumps(function, uncertain)
        self.function = function
        text_plan = TextPlan(function)
        shaky = {member for member in function.members() if _is_shaky(member, uncertain)}
        care = Care(function, ranges, text_plan.in_place, text_plan.used)
        asked = _asked_twice(function, care)
        text_plan.in_place -= {*_not_in_place(function, care, shaky)}
        text_plan.in_place -= asked
        calls = {
            value: call
            for value, call in calls_in_place(function, text_plan).items()
            if value not in asked and value not in uncertain
        }
        self._ways = Ways(function, text_plan.in_place, calls, shaky, exits)
        inventor = UniqueNames(RESERVED.union(functions.values()))

        def new_name(hint: str) -> str:
            return inventor.unique(identifier(hint))

        variables = Variables(function, self._ways, text_plan, calls, new_name)
        self._parameters = [variables.of(parameter).name for parameter in data_parameters(self._of_caller)]
        expressions = Expressions(variables, functions, care, outside)
        counting = Counting(function, self._ways, variables, care)
        self._statements = Statements(
            function, text_plan, variables, expressions, uncertain, care, counting, outside, new_name
        )

    def lines(self) -> Iterator[str]:
        """The definition."""
        yield f"def {self.name}({', '.join(self._parameters)}):"
        yield from self._statements.lines(*self._body())

    def _body(self) -> tuple[Block, RoutedWays]:
        """The statements, structured by the dominator tree; where these are nested too deeply, around one hub."""
        routed = without_irreducible_loops(self.function, self._ways)
        try:
            found = structure(self.function, routed, like_c=False)
            _require_shallow(found.body)
            body = without_gotos(found)
            _require_shallow(body)
            return body, routed
        except (Unreachable, _TooDeep):
            routed = by_one_hub(self.function, self._ways)
            return without_gotos(structure(self.function, routed, like_c=False)), routed


class _TooDeep(Exception):
    """Statements are nested deeper than Python takes."""


def _require_shallow(body: Block) -> None:
    """Raises `_TooDeep` unless Python takes statements nested so deeply."""
    pending = [(body, 1, 0)]
    while pending:
        block, depth, loops = pending.pop()
        if depth > _DEEPEST or loops > _MOST_LOOPS:
            raise _TooDeep
        for statement in block:
            pending += [(inner, depth + 1, loops + isinstance(statement, Loop)) for inner in blocks_of(statement)]


def _is_shaky(member: Continuation, uncertain: Collection[Place]) -> bool:
    """Whether something is used that may be undefined. Then all is done strictly in order."""
    used = [operand for statement in member.body for operand in statement.operands]
    if isinstance(member.transfer, (Branch, Switch)):
        used += member.transfer.operands
    return any(isinstance(value, Undef) or value in uncertain for value in used)


def _not_in_place(function: Function, care: Care, shaky: Collection[Continuation]) -> Iterator[Value]:
    """What is computed by a statement of its own, though there is room for it where it is used."""
    for member in function.members():
        for statement in member.body:
            if isinstance(statement, Primitive) and (
                member in shaky or care.needs_look(statement) or care.may_trap(statement)
            ):
                yield statement


def _asked_twice(function: Function, care: Care) -> set[Value]:
    """The operands that are mentioned twice, where they are used."""
    return {
        operand
        for member in function.members()
        for statement in member.body
        if isinstance(statement, Primitive) and care.asks_twice(statement)
        for operand in statement.operands
    }
