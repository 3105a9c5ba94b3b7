"""The engine `python`: compiles a first-order program to Python source text, and runs it.

::

    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

Each function becomes a function of Python, with loops and variables (`cpsconv.structuring`). Its self tail calls become
a loop (`tail_recursion`). Its statements are written by `statements` and `expressions`, which wrap numbers only where
the ranges require it (`overflow`), and use `range` where a loop counts (`counted_loops`). `runtime` runs the text.

An undefined value is an object that can be copied. The values that may be undefined (`cpsconv.analysis.undefined`) are
few; each is checked before it is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.analysis.graph import depth_first, functions_used
from cpsconv.analysis.ranges import Ranges, ranges
from cpsconv.analysis.undefined import Place, may_be_undefined
from cpsconv.engines.python.counted_loops import CountedLoops
from cpsconv.engines.python.expressions import RESERVED, Environment, Expressions, identifier
from cpsconv.engines.python.overflow import Overflow
from cpsconv.engines.python.runtime import Compiled
from cpsconv.engines.python.statements import Statements
from cpsconv.engines.python.tail_recursion import with_tail_calls_as_jumps
from cpsconv.entry import data_parameters
from cpsconv.ir import Branch, Continuation, Function, Primitive, Program, Switch, Undef, Value
from cpsconv.structuring import (
    DecisionGraph,
    DispatchGraph,
    UnsupportedGoto,
    Variables,
    calls_in_place,
    structure,
    with_one_dispatch,
    without_gotos,
    without_irreducible_loops,
)
from cpsconv.structuring.tree import Block, Loop, blocks_of
from cpsconv.text.plan import TextPlan, UniqueNames

MAX_DEPTH = 60  # of nested blocks; Python accepts less than 100
MAX_LOOPS = 15  # of nested loops; Python accepts 20


def prepare(program: Program, entry: Function) -> Compiled:
    """The first-order program, compiled and ready to be started at `entry`."""
    text, environment, name = source(program, entry)
    return Compiled(compile(text, "<program>", "exec"), environment.names, name, entry)


def source(program: Program, entry: Function) -> tuple[str, Environment, str]:
    """The source text of the functions reachable from `entry`, the objects it refers to, and the name of `entry`."""
    functions = [function for function, _ in depth_first([entry], functions_used)]
    inventor = UniqueNames(RESERVED)
    names = {function.name: inventor.unique(identifier(function.name)) for function in functions}
    intervals = ranges(entry)
    maybe_undefined = may_be_undefined(program)
    environment = Environment()
    writers = [_Writer(function, names, intervals, maybe_undefined, environment) for function in functions]
    texts = ["\n".join(writer.lines()) + "\n" for writer in writers]
    return "\n\n".join(texts), environment, names[entry.name]


class _Writer:
    """Writes one function."""

    def __init__(
        self,
        function: Function,
        functions: Mapping[str, str],
        ranges: Ranges,
        maybe_undefined: Collection[Place],
        environment: Environment,
    ) -> None:
        self._name = functions[function.name]
        parameters = data_parameters(function)
        function, jumps = with_tail_calls_as_jumps(function, maybe_undefined)
        self._function = function
        text_plan = TextPlan(function)
        ordered = {member for member in function.members() if _uses_undefined(member, maybe_undefined)}
        overflow = Overflow(function, ranges, text_plan.in_place, text_plan.used)
        duplicated = _duplicated_operands(function, overflow)
        text_plan.in_place -= {*_separate_statements(function, overflow, ordered), *duplicated}
        calls = {
            value: call
            for value, call in calls_in_place(function, text_plan).items()
            if value not in duplicated and value not in maybe_undefined
        }
        self._graph = DecisionGraph(function, text_plan.in_place, calls, ordered, jumps)
        inventor = UniqueNames(RESERVED.union(functions.values()))

        def new_name(hint: str) -> str:
            return inventor.unique(identifier(hint))

        variables = Variables(function, self._graph, text_plan, calls, new_name)
        self._parameters = [variables.of(parameter).name for parameter in parameters]
        expressions = Expressions(variables, functions, overflow, environment)
        counted_loops = CountedLoops(function, self._graph, variables, overflow)
        self._statements = Statements(function, text_plan, expressions, maybe_undefined, counted_loops, new_name)

    def lines(self) -> Iterator[str]:
        """The definition of the function."""
        yield f"def {self._name}({', '.join(self._parameters)}):"
        yield from self._statements.lines(*self._body())

    def _body(self) -> tuple[Block, DispatchGraph]:
        """The structured statements; where they would be nested too deeply, with one dispatch block."""
        graph = without_irreducible_loops(self._function, self._graph)
        try:
            structured = structure(self._function, graph, like_c=False)
            _require_shallow(structured.body)
            body = without_gotos(structured)
            _require_shallow(body)
            return body, graph
        except (UnsupportedGoto, _TooDeep):
            graph = with_one_dispatch(self._function, self._graph)
            return without_gotos(structure(self._function, graph, like_c=False)), graph


class _TooDeep(Exception):
    """Statements are nested deeper than Python accepts."""


def _require_shallow(body: Block) -> None:
    """Raises `_TooDeep` if statements are nested deeper than Python accepts."""
    pending = [(body, 1, 0)]
    while pending:
        block, depth, loops = pending.pop()
        if depth > MAX_DEPTH or loops > MAX_LOOPS:
            raise _TooDeep
        for statement in block:
            pending += [(inner, depth + 1, loops + isinstance(statement, Loop)) for inner in blocks_of(statement)]


def _uses_undefined(member: Continuation, maybe_undefined: Collection[Place]) -> bool:
    """Whether a value is used that may be undefined. If so, the statements are executed strictly in order."""
    used = [operand for statement in member.body for operand in statement.operands]
    if isinstance(member.transfer, (Branch, Switch)):
        used += member.transfer.operands
    return any(isinstance(value, Undef) or value in maybe_undefined for value in used)


def _separate_statements(function: Function, overflow: Overflow, ordered: Collection[Continuation]) -> Iterator[Value]:
    """The primitives that are not written in place: those that may trap or need a check, or whose order matters."""
    for member in function.members():
        for statement in member.body:
            if isinstance(statement, Primitive) and (
                member in ordered or overflow.needs_check(statement) or overflow.may_trap(statement)
            ):
                yield statement


def _duplicated_operands(function: Function, overflow: Overflow) -> set[Value]:
    """The operands that an expression contains twice."""
    return {
        operand
        for member in function.members()
        for statement in member.body
        if isinstance(statement, Primitive) and overflow.duplicates_operands(statement)
        for operand in statement.operands
    }
