"""The program as structured C, with variables for parameters and assignments for arguments.

After the check that C can express the program (`unsupported`), each function is structured, and variables are assigned
to its values (`cpsconv.structuring`). Its statements are written with their expressions (`statements`, `expressions`),
then declarations are inserted (`declarations`), and the result is formatted as lines (`tree`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.emit.c.declarations import declare
from cpsconv.emit.c.expressions import Expressions
from cpsconv.emit.c.names import RESERVED, function_names, identifier
from cpsconv.emit.c.statements import Statements
from cpsconv.emit.c.tree import Layout
from cpsconv.emit.c.unsupported import unsupported
from cpsconv.ir import Call, Function, Program, Scalar
from cpsconv.source import DiagnosticError
from cpsconv.structuring import DecisionGraph, Variables, calls_in_place
from cpsconv.text.plan import TextPlan, UniqueNames


def c(program: Program) -> str:
    """The program in C, for gcc with ``-fwrapv``, or for cpsconv itself.

    Raises `DiagnosticError` if C cannot express the program.
    """
    if errors := unsupported(program):
        raise DiagnosticError(errors)
    names = function_names(function.name for function in program.functions)
    headers: set[str] = set()
    taken = RESERVED.union(names.values())
    written = [_Writer(function, names, taken, headers) for function in program.functions]
    texts = ["\n".join(writer.lines()) + "\n" for writer in written]
    early = _called_early(program)
    prototypes = "".join(f"{writer.signature()};\n" for writer in written if writer.function in early)
    includes = "".join(f"#include <{header}>\n" for header in sorted(headers))
    return "\n".join(part for part in [includes, prototypes, *texts] if part)


class _Writer:
    """Writes one function."""

    def __init__(
        self, function: Function, functions: Mapping[str, str], taken: Collection[str], headers: set[str]
    ) -> None:
        self.function = function
        self.name = functions[function.name]
        text_plan = TextPlan(function)
        inventor = UniqueNames(taken)
        calls = calls_in_place(function, text_plan)
        graph = DecisionGraph(function, text_plan.in_place, calls)

        def new_name(hint: str) -> str:
            return inventor.unique(identifier(hint))

        variables = Variables(function, graph, text_plan, calls, new_name)
        self.parameters = [variables.of(parameter) for parameter in function.parameters[:-1]]
        self.expressions = Expressions(variables, functions, headers)
        self.statements = Statements(variables, self.expressions)
        self.layout = Layout(self.expressions, headers)

    def signature(self) -> str:
        """``int f(int a, int b)``"""
        result = self.function.result
        assert isinstance(result, Scalar)
        type = self.expressions.type
        parameters = ", ".join(f"{type(variable.type)} {variable.name}" for variable in self.parameters)
        return f"{type(result)} {self.name}({parameters or 'void'})"

    def lines(self) -> Iterator[str]:
        """The definition of the function."""
        body = self.statements.body()
        declare(body, self.parameters, self.expressions.type)
        yield f"{self.signature()} {{"
        yield from self.layout.lines(body)
        yield "}"


def _called_early(program: Program) -> set[Function]:
    """The functions that need a prototype: they are called before their definition."""
    number = {function: index for index, function in enumerate(program.functions)}
    return {
        member.transfer.callee
        for function in program.functions
        for member in function.members()
        if isinstance(member.transfer, Call) and number[member.transfer.callee] > number[function]
    }
