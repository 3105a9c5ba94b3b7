"""The program as C: structured by its dominator tree, with variables for parameters and copies for arguments.

The pipeline, for each function: its graph with decisions joined, its structure and its variables
(`cpsconv.emit.imperative`); its statements, declarations, and lines. What C cannot say is refused beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cpsconv.emit.c.declarations import declare
from cpsconv.emit.c.expressions import Expressions
from cpsconv.emit.c.layout import Layout
from cpsconv.emit.c.names import RESERVED, function_names, identifier
from cpsconv.emit.c.statements import Statements
from cpsconv.emit.c.unsupported import refusals
from cpsconv.ir import Call, Function, Program, Scalar
from cpsconv.source import DiagnosticError
from cpsconv.structuring.decisions import DecisionGraph
from cpsconv.structuring.inline_calls import calls_in_place
from cpsconv.structuring.variables import Variable, Variables
from cpsconv.text.plan import TextPlan, UniqueNames


def c(program: Program) -> str:
    """The program in C, which gcc (with ``-fwrapv``) and cpsconv itself read.

    Raises `DiagnosticError` for what C cannot say.
    """
    if complaints := refusals(program):
        raise DiagnosticError(complaints)
    names = function_names(function.name for function in program.functions)
    headers: set[str] = set()
    taken = RESERVED.union(names.values())
    written = [_Writer(function, names, taken, headers) for function in program.functions]
    texts = ["\n".join(writer.lines()) + "\n" for writer in written]
    prototypes = "".join(f"{writer.signature()};\n" for writer in _called_early(program, written))
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
        self.parameters: list[Variable] = [variables.of(parameter) for parameter in function.parameters[:-1]]
        self.statements = Statements(function, graph, text_plan, variables, functions, new_name, headers)
        self.expressions: Expressions = self.statements.expressions
        self.layout = Layout(self.expressions, headers)

    def signature(self) -> str:
        """``int f(int a, int b)``"""
        result = self.function.result
        assert isinstance(result, Scalar)
        parameters = [f"{self.expressions.type(variable.type)} {variable.name}" for variable in self.parameters]
        return f"{self.expressions.type(result)} {self.name}({', '.join(parameters) or 'void'})"

    def lines(self) -> Iterator[str]:
        """The definition."""
        body = self.statements.body()
        declare(body, self.parameters, self.expressions.type)
        yield f"{self.signature()} {{"
        yield from self.layout.lines(body)
        yield "}"


def _called_early(program: Program, written: list[_Writer]) -> list[_Writer]:
    """The functions that are called before they are defined."""
    number = {function: index for index, function in enumerate(program.functions)}
    early = {
        member.transfer.callee
        for function in program.functions
        for member in function.members()
        if isinstance(member.transfer, Call) and number[member.transfer.callee] > number[function]
    }
    return [writer for writer in written if writer.function in early]
