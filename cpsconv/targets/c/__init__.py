"""The program as structured C, with variables for parameters and assignments for arguments.

After the check that C can express the program (`obstacles`), each function is structured, and variables are assigned
to its values (`cpsconv.targets.structuring`). Its statements are written with their expressions (`statements`,
`expressions`), then declarations are inserted, and the result is formatted as lines (`tree`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.abi.attributes import ALWAYS_INLINE, SYMBOL
from cpsconv.abi.library import with_argument_access
from cpsconv.abi.linking import is_complete, is_visible, shared_functions
from cpsconv.abi.runtime.command_line import is_main_with_arguments
from cpsconv.abi.system_headers import is_in_system_header
from cpsconv.core.analysis.graph import addressed_functions, functions_used, reverse_postorder, successors
from cpsconv.core.entry import data_parameters, return_type
from cpsconv.core.erasure import with_plain_loads
from cpsconv.core.ir import ABORT, INT, Call, Constant, Continuation, Effect, Function, Jump, Program, Scalar
from cpsconv.core.operations.table import traps
from cpsconv.core.text.plan import TextPlan, UniqueNames
from cpsconv.core.transform.expansion import expanded
from cpsconv.targets.c.adapters import by_pointers, inner_names, variadic, variadic_functions
from cpsconv.targets.c.expressions import UNSPELLED, Expressions
from cpsconv.targets.c.items import Items, returns_struct, weak
from cpsconv.targets.c.library import library_function
from cpsconv.targets.c.names import RESERVED, assembler_name, function_names, identifier, returns_status
from cpsconv.targets.c.objects import bases
from cpsconv.targets.c.plan import in_place
from cpsconv.targets.c.statements import Statements
from cpsconv.targets.c.tree import Block, Layout, Line, declare, inside_out
from cpsconv.targets.structuring.decisions import DecisionGraph
from cpsconv.targets.structuring.inline_calls import calls_in_place
from cpsconv.targets.structuring.variables import Variable, Variables
from cpsconv.targets.unsupported import Obstacle, memory_uses, never_returning, reject, require_expressible


def c(program: Program) -> str:
    """The program in C, for gcc with ``-fwrapv``, or for cpsconv itself.

    Raises `DiagnosticError` if C cannot express the program.
    """
    program = expanded(with_plain_loads(with_argument_access(program)), UNSPELLED)
    has_memory = any(memory_uses(program))
    require_expressible(program, "C", obstacles)
    names = function_names(
        (function.name for function in program.functions),
        [external.name for external in program.externals],
        [each.name for each in program.externals if _may_differ_in_header(each)],
        memory=has_memory,
    )
    outer = {function: names[function.name] for function in variadic_functions(program)}
    weak_ones = [each for each in outer if each.is_replaceable]
    reject("C", [(f"`{each.name}` is weak, and takes variable arguments", each.span) for each in weak_ones])
    names |= inner_names(names, outer, RESERVED)
    headers: set[str] = set()
    items = Items(program, names, [*outer.values()], headers) if has_memory else None
    taken = RESERVED.union(names.values(), items.names.reserved if items else ())
    written = {function: _definition(function, names, taken, headers, items) for function in program.functions}
    early = _used_early(program) | {*(addressed_functions(program) if program.data else ())}
    internal = _internal(program) | {*outer}
    specifier = {each: _specifier(each) if each in internal else weak(each) for each in program.functions}
    signatures = {function: specifier[function] + signature for function, (signature, _) in written.items()}
    ends = {each: _assembler_name(each, names, program) for each in program.functions if each not in internal}
    prototypes = "".join(
        f"{signature}{ends.get(function, '')};\n"
        for function, signature in signatures.items()
        if function in early or ends.get(function)
    )
    before, after = [prototypes], list[str]()
    if items:
        data = "".join(items.definitions())
        shared = shared_functions(program)
        pointed = [by_pointers(each, items, shared.get(each)) for each in program.functions if each in items.pointed]
        after = [definition for _, definition in pointed]
        after += [variadic(function, name, items) for function, name in outer.items()]
        prototypes += "".join(f"{declaration}\n" for declaration, _ in pointed)
        structs, externals = [*items.structs()], "".join(items.externals())
        before = [*structs, *items.helpers(), externals, prototypes, data]
    includes = "".join(f"#include <{header}>\n" for header in sorted(headers))
    definitions = [f"{specifier[function]}{text}" for function, (_, text) in written.items()]
    return "\n".join(part for part in [includes, *before, *definitions, *after] if part)


MAX_INLINE = 30
"""The maximal number of statements and transfers of a function that is declared `inline`; it has no loop."""


def _specifier(function: Function) -> str:
    """The specifier of an internal function. ``gcc -O1`` inlines no small function without the word `inline`."""
    if ALWAYS_INLINE in function.attributes:
        return "static inline __attribute__((always_inline)) "
    place = {member: number for number, member in enumerate(reverse_postorder(function))}
    size = sum(len(member.body) + 1 for member in place)
    has_loop = any(place[each] <= place[member] for member in place for each in successors(member))
    return "static " if has_loop or size > MAX_INLINE else "static inline "


def _definition(
    function: Function, functions: Mapping[str, str], taken: Collection[str], headers: set[str], items: Items | None
) -> tuple[str, str]:
    """The signature of a function, such as ``int f(int a, int b)``, and its definition.

    `functions` has the C name of each function; the headers that the definition requires are added to `headers`.
    """
    text_plan, unique = TextPlan(function), UniqueNames(taken).unique
    calls = calls_in_place(function, text_plan)
    if items:
        text_plan.in_place = in_place(function, text_plan, calls)
    graph = DecisionGraph(function, text_plan.in_place, calls)
    kind_of = items.kind_of if items else lambda value: value.type
    variables = Variables(function, graph, text_plan, calls, lambda hint: unique(identifier(hint)), kind_of)
    expressions = Expressions(variables, functions, headers, items)
    parameters = [variables.of(parameter) for parameter in function.parameters[:-1]]
    results = [parameters.pop(0)] if returns_struct(function) else []
    listed = ", ".join(_declared(*expressions.declaration(each)) for each in parameters) or "void"
    assert isinstance(function.result, Scalar)
    result = items.result_pattern(function) if items else expressions.pattern(function.result)
    if returns_status(function):
        result = expressions.pattern(INT)
    signature = result.format(f"{functions[function.name]}({listed})")
    body = Statements(variables, expressions, items.objects if items else ()).body()
    outermost = {*results, *(_outermost(function, variables, body, items) if items else ())}
    declare(body, parameters, expressions.declaration, outermost)
    return signature, "\n".join([f"{signature} {{", *Layout(expressions, headers).lines(body), "}\n"])


def _may_differ_in_header(function: Function) -> bool:
    """Whether a header may declare the external function with other types."""
    is_known = function.name in RESERVED or is_in_system_header(function.span)
    return is_known and not library_function(function)


def _assembler_name(function: Function, names: Mapping[str, str], program: Program) -> str:
    is_main = function.name == "main" or SYMBOL in function.attributes
    return "" if is_main else assembler_name(names[function.name], function.name)


def _declared(specifier: str, declarator: str) -> str:
    return f"{specifier} {declarator}"


def _outermost(function: Function, variables: Variables, body: Block, items: Items) -> set[Variable]:
    """The variables that must be declared in the outermost block, because addresses of them may be used there."""
    base = bases(function)
    stored = {base[value] for value in base if value is not base[value] and value not in variables.in_place}
    has_goto = any(
        isinstance(statement, Line) and statement.text.startswith("goto ")
        for block in inside_out(body)
        for statement in block
    )
    found = set()
    for value in {*base.values()}:
        lifetime = items.lifetimes.get(value)
        must_be_outermost = {"function": True, "block": has_goto, "addresses": value in stored}
        if lifetime and variables.text_plan.used[value] and must_be_outermost[lifetime]:
            found.add(variables.of(value))
    return found


def _internal(program: Program) -> set[Function]:
    """The functions that are `static`: in a complete program, those that `main` or the data may call."""
    main = program.function("main")
    if main is None or not is_complete(program):
        return {function for function in program.functions if not is_visible(function)}
    in_data = (target for data in program.data for target, _ in data.addresses.values())
    found = dict.fromkeys([main, *(target for target in in_data if isinstance(target, Function))])
    pending = [*found]
    for function in pending:  # appended to during iteration
        new = [used for used in functions_used(function) if used not in found]
        found.update(dict.fromkeys(new))
        pending += dict.fromkeys(new)
    return {*found} - {main}


def _used_early(program: Program) -> set[Function]:
    """The functions that need a prototype: they are called, or their addresses taken, before their definition."""
    number = {function: index for index, function in enumerate(program.functions)}
    return {
        used
        for function in program.functions
        for used in functions_used(function)
        if number.get(used, -1) > number[function]
    }


# ------------------------------------------------------------------------------------------------------- obstacles


def obstacles(function: Function) -> Iterator[Obstacle]:
    """The parts of a function that C cannot express, apart from continuations as values."""
    type = return_type(function)
    if type is None:
        yield from never_returning(function)
        return
    returned = type.parameters
    if len(returned) > 1:
        yield f"`{function.name}` returns {len(returned)} values", function.span
    is_ordinary = not data_parameters(function) and returned in ((), (INT,))
    if function.name == "main" and not is_ordinary and not is_main_with_arguments(function):
        yield "`main` takes other parameters or returns another type than `int`", function.span
    for member in function.members():
        yield from _in_body(member)
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        for edge in transfer.edges:
            if isinstance(edge.target, Function):
                how = "call returns to" if isinstance(transfer, Call) else "jump to"
                yield f"a {how} the function `{edge.target.name}`", transfer.span or member.span


def _in_body(member: Continuation) -> Iterator[Obstacle]:
    for statement in member.body:
        type = statement.type
        if isinstance(statement, Effect):
            if statement.op in ("printf", "eprint") and not isinstance(statement.operands[0], Constant):
                yield f"the text of `{statement.op}` is not constant", statement.span
            elif statement.op == "eprint":
                end = member.transfer
                if statement is not member.body[-1] or not isinstance(end, Jump) or end.edge.target is not ABORT:
                    yield "an `eprint` that is not followed by `abort`, as in an assertion", statement.span
        elif traps(statement.op, type) and type.signed and type.bits < INT.bits:
            yield f"`{statement.op}` on `{type}` may overflow, but C computes it as an `int`", statement.span
