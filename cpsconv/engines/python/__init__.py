"""The engine `python`: compiles a first-order program to Python source text, and runs it.

::

    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

Each function becomes a function of Python, with loops and variables (`cpsconv.targets.structuring`). Its self tail
calls become a loop (`tail_recursion`). Its statements are written by `statements` and `expressions`, which wrap numbers
only where the ranges require it (`overflow`), and use `range` where a loop counts (`counted_loops`). `runtime` runs the
text.

An undefined value is an object that can be copied. The values that may be undefined (`cpsconv.core.analysis.undefined`)
are few; each is checked before it is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions, depth_first, functions_used, local_target
from cpsconv.core.analysis.ranges import Ranges, ranges
from cpsconv.core.analysis.undefined import Place, may_be_undefined
from cpsconv.core.entry import data_parameters
from cpsconv.core.operations.completeness import Unspelled
from cpsconv.core.operations.expansions import narrowed, spelled
from cpsconv.core.operations.python_text import SPELLED
from cpsconv.core.operations.queries import passes_undefined
from cpsconv.core.operations.table import CONVERT, EFFECTS
from cpsconv.core.text.plan import TextPlan, UniqueNames
from cpsconv.core.transform.expansion import expanded
from cpsconv.core.transform.foreign_effects import with_foreign_effects
from cpsconv.engines.python.accesses import Accesses, write_addresses_in_place
from cpsconv.engines.python.call_sites import without_marks
from cpsconv.engines.python.counted_loops import CountedLoops
from cpsconv.engines.python.expressions import RESERVED, Environment, Expressions, identifier
from cpsconv.engines.python.loop_invariants import with_invariants_before_loops
from cpsconv.engines.python.overflow import Overflow
from cpsconv.engines.python.runtime import FILE, Compiled
from cpsconv.engines.python.statements import Statements
from cpsconv.engines.python.tail_recursion import with_tail_calls_as_jumps
from cpsconv.targets.structuring.decisions import DecisionGraph
from cpsconv.targets.structuring.goto_elimination import UnsupportedGoto, without_gotos
from cpsconv.targets.structuring.inline_calls import calls_in_place
from cpsconv.targets.structuring.irreducible import DispatchGraph, with_one_dispatch, without_irreducible_loops
from cpsconv.targets.structuring.structurer import structure
from cpsconv.targets.structuring.tree import Block, Loop, blocks_of
from cpsconv.targets.structuring.variables import Variables

# Ranges often show that a count of a shift is in range.
_UNSPELLED = Unspelled(SPELLED, {CONVERT: narrowed, **dict.fromkeys(("abs", "<<", ">>"), spelled)})

MAX_DEPTH = 60  # of nested blocks; Python accepts less than 100
MAX_LOOPS = 15  # of nested loops; Python accepts 20


def prepare(program: ir.Program, entry: ir.Function) -> Compiled:
    """The first-order program, compiled and ready to be started at `entry`."""
    program = with_invariants_before_loops(expanded(with_foreign_effects(program), _UNSPELLED))
    entry = program.function(entry.name) or entry
    text, environment, functions = source(program, entry)
    code, names, sites = compile(text, FILE, "exec"), environment.names, environment.sites
    return Compiled(code, names, environment.of_run, program, functions, sites, entry, addressed_functions(program))


def source(program: ir.Program, entry: ir.Function) -> tuple[str, Environment, dict[str, ir.Function]]:
    """The source text of the functions reachable from `entry`, the objects it refers to, and the functions by name.

    Raises `DiagnosticError` if a pointer refers to an external function that does not exist.
    """
    addressed = addressed_functions(program)
    for each in addressed:
        if each.transfer is None:
            from cpsconv.abi.prototypes import require_provided  # late: few programs have such pointers

            require_provided(each, "the evaluator")
    called = [function for function in addressed if _has_text(function)]
    functions = [function for function, _ in depth_first([entry, *called], functions_used) if _has_text(function)]
    inventor = UniqueNames(RESERVED)
    names = {function.name: inventor.unique(identifier(function.name)) for function in functions}
    intervals = ranges(entry, called)
    maybe_undefined = may_be_undefined(program)
    objects: list[ir.Data | ir.Function] = [*program.data, *addressed]
    environment = Environment({each: number for number, each in enumerate(objects, 1)})
    taken = RESERVED.union(names.values())
    texts = (
        "\n".join(_lines(function, names, taken, intervals, maybe_undefined, environment)) for function in functions
    )
    text, environment.sites = without_marks("\n\n\n".join(texts) + "\n", [*environment.calls])
    return text, environment, {names[function.name]: function for function in functions}


def _has_text(function: ir.Function) -> bool:
    """Whether the function can be called: it has a body, and no continuations as parameters but the return one."""
    return function.transfer is not None and all(isinstance(each.type, ir.Scalar) for each in data_parameters(function))


def _lines(
    function: ir.Function,
    functions: Mapping[str, str],
    taken: Collection[str],
    ranges: Ranges,
    maybe_undefined: Collection[Place],
    environment: Environment,
) -> Iterator[str]:
    """The definition of one function. `functions` has the Python names of all functions, `taken` all reserved names."""
    name, parameters = functions[function.name], data_parameters(function)
    function, jumps, recursion = with_tail_calls_as_jumps(function, maybe_undefined)
    text_plan = TextPlan(function)
    ordered = {member for member in function.members() if _uses_undefined(member, maybe_undefined)}
    write_addresses_in_place(function, text_plan, ordered)
    overflow = Overflow(function, ranges, text_plan.in_place, text_plan.used)
    duplicated = _duplicated_operands(function, overflow)
    text_plan.in_place -= {*_separate_statements(function, overflow, ordered), *duplicated}
    separate = {*duplicated, *_operands_on_memory(function, text_plan.in_place)}
    calls = {
        value: call
        for value, call in calls_in_place(function, text_plan).items()
        if value not in separate and value not in maybe_undefined and local_target(call.then) not in ordered
    }
    graph = DecisionGraph(function, text_plan.in_place, calls, ordered, jumps)
    inventor = UniqueNames(taken)

    def new_name(hint: str) -> str:
        return inventor.unique(identifier(hint))

    variables = Variables(function, graph, text_plan, calls, new_name)
    expressions = Expressions(variables, functions, overflow, environment)
    counted_loops = CountedLoops(function, graph, variables, overflow)
    yield f"def {name}({', '.join(variables.of(parameter).name for parameter in parameters)}):"
    accesses = Accesses(function, expressions, maybe_undefined, new_name)
    statements = Statements(
        function, text_plan, expressions, accesses, maybe_undefined, counted_loops, recursion, new_name
    )
    yield from statements.lines(*_structured(function, graph, recursion))


def _structured(
    function: ir.Function, graph: DecisionGraph, recursion: ir.Continuation | None
) -> tuple[Block, DispatchGraph]:
    """The structured statements; if they would be nested too deeply, with one dispatch block.

    `recursion` is the header of the loop that counts self tail calls, which the dispatch block must not replace.
    """
    dispatch = without_irreducible_loops(function, graph)
    try:
        structured = structure(function, dispatch, like_c=False)
        if _is_shallow(structured.body) and _is_shallow(body := without_gotos(structured)):
            return body, dispatch
    except UnsupportedGoto:
        pass
    dispatch = with_one_dispatch(function, graph, recursion)
    return without_gotos(structure(function, dispatch, like_c=False)), dispatch


def _is_shallow(body: Block) -> bool:
    """Whether statements are nested at most as deeply as Python accepts."""
    pending = [(body, 1, 0)]
    for block, depth, loops in pending:  # appended to during iteration
        if depth > MAX_DEPTH or loops > MAX_LOOPS:
            return False
        for statement in block:
            pending += [(inner, depth + 1, loops + isinstance(statement, Loop)) for inner in blocks_of(statement)]
    return True


def _uses_undefined(member: ir.Continuation, maybe_undefined: Collection[Place]) -> bool:
    """Whether a value is used that may be undefined. If so, the statements are executed strictly in order.

    A store or a default value is no use.
    """
    used = [
        operand
        for statement in member.body
        for index, operand in enumerate(statement.operands)
        if index != passes_undefined(statement.op)
    ]
    if isinstance(member.transfer, (ir.Branch, ir.Switch)):
        used += member.transfer.operands
    return any(isinstance(value, ir.Undef) or value in maybe_undefined for value in used)


def _separate_statements(
    function: ir.Function, overflow: Overflow, ordered: Collection[ir.Continuation]
) -> Iterator[ir.Value]:
    """The primitives that are not written in place: those that may trap or need a check, or whose order matters."""
    for member in function.members():
        for statement in member.body:
            if isinstance(statement, ir.Primitive) and (
                member in ordered or overflow.needs_check(statement) or overflow.may_trap(statement)
            ):
                yield statement


def _duplicated_operands(function: ir.Function, overflow: Overflow) -> set[ir.Value]:
    """The operands that an expression contains twice."""
    return {
        operand
        for statement in function.statements()
        if isinstance(statement, ir.Primitive) and overflow.duplicates_operands(statement)
        for operand in statement.operands
    }


def _operands_on_memory(function: ir.Function, in_place: Collection[ir.Value]) -> set[ir.Value]:
    """The values in the operands of operations on memory and calls through pointers, which may end in an error."""
    pending: list[ir.Value] = []
    for member in function.members():
        for statement in member.body:
            if isinstance(statement, ir.Effect) and EFFECTS[statement.op].is_on_memory:
                pending += statement.operands
        if isinstance(member.transfer, ir.Call) and member.transfer.pointer is not None:
            pending += member.transfer.operands
    for value in pending:  # appended to during iteration
        if isinstance(value, ir.Primitive) and value in in_place:
            pending += value.operands
    return {*pending}
