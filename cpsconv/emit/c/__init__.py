"""The program as structured C, with variables for parameters and assignments for arguments.

After the check that C can express the program (`unsupported`), each function is structured, and variables are assigned
to its values (`cpsconv.structuring`). Its statements are written with their expressions (`statements`, `expressions`),
then declarations are inserted, and the result is formatted as lines (`tree`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cpsconv.emit.c.expressions import Expressions
from cpsconv.emit.c.names import RESERVED, function_names, identifier
from cpsconv.emit.c.statements import Statements
from cpsconv.emit.c.tree import Layout, declare
from cpsconv.emit.c.unsupported import obstacles
from cpsconv.emit.unsupported import require_expressible, require_no_memory
from cpsconv.ir import Call, Function, Program, Scalar
from cpsconv.structuring.decisions import DecisionGraph
from cpsconv.structuring.inline_calls import calls_in_place
from cpsconv.structuring.variables import Variables
from cpsconv.text.plan import TextPlan, UniqueNames


def c(program: Program) -> str:
    """The program in C, for gcc with ``-fwrapv``, or for cpsconv itself.

    Raises `DiagnosticError` if C cannot express the program.
    """
    require_no_memory(program, "C")
    require_expressible(program, "C", obstacles)
    names = function_names(function.name for function in program.functions)
    headers: set[str] = set()
    taken = RESERVED.union(names.values())
    written = {function: _definition(function, names, taken, headers) for function in program.functions}
    early = _called_early(program)
    prototypes = "".join(f"{signature};\n" for function, (signature, _) in written.items() if function in early)
    includes = "".join(f"#include <{header}>\n" for header in sorted(headers))
    return "\n".join(part for part in [includes, prototypes, *(text for _, text in written.values())] if part)


def _definition(
    function: Function, functions: Mapping[str, str], taken: Collection[str], headers: set[str]
) -> tuple[str, str]:
    """The signature of a function, such as ``int f(int a, int b)``, and its definition.

    `functions` has the C name of each function; the headers that the definition requires are added to `headers`.
    """
    text_plan, unique = TextPlan(function), UniqueNames(taken).unique
    calls = calls_in_place(function, text_plan)
    graph = DecisionGraph(function, text_plan.in_place, calls)
    variables = Variables(function, graph, text_plan, calls, lambda hint: unique(identifier(hint)))
    expressions = Expressions(variables, functions, headers)
    parameters = [variables.of(parameter) for parameter in function.parameters[:-1]]
    listed = ", ".join(f"{expressions.type(each.type)} {each.name}" for each in parameters) or "void"
    assert isinstance(function.result, Scalar)
    signature = f"{expressions.type(function.result)} {functions[function.name]}({listed})"
    body = Statements(variables, expressions).body()
    declare(body, parameters, expressions.type)
    return signature, "\n".join([f"{signature} {{", *Layout(expressions, headers).lines(body), "}\n"])


def _called_early(program: Program) -> set[Function]:
    """The functions that need a prototype: they are called before their definition."""
    number = {function: index for index, function in enumerate(program.functions)}
    return {
        member.transfer.callee
        for function in program.functions
        for member in function.members()
        if isinstance(member.transfer, Call) and number[member.transfer.callee] > number[function]
    }
