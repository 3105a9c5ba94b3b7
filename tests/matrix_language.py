"""A made-up language whose operations and types are all foreign: the core and its rooms understand none of them.

A source is one function, of lines. Variables with capital letters are matrices, others are integers::

    function f(A n)
    loop:
      A = multiply A A             an effect, with a result
      n = ?trace A                 a pure operation
      log A n                      an effect without a result
      choose positive n: loop done a transfer to one of two labels
    done:
      return n
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cpsconv import Builder, Diagnostic, DiagnosticError, Program, Source, Variable
from cpsconv.core.attributes import ATTRIBUTES, Attribute, register
from cpsconv.core.ir import INT, Scalar, foreign_type
from cpsconv.core.operations.dialects import Host
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import Span, error
from cpsconv.languages import Lowering

register(
    Attribute("matrix.fast", "flag", ["statement"]),
    Attribute("matrix.label", "string", ["statement"], is_unique=True),
    Attribute("matrix.version", "int", ["program"]),
    Attribute("matrix.square", "flag", ["parameter"]),
    Attribute("matrix.kernel", "string", ["function"]),
)
NAMES = [name for name in ATTRIBUTES if name.startswith("matrix.")]


def type_of(name: str) -> Scalar:
    """The type of the variable with that name."""
    return foreign_type("matrix.t") if name.isupper() else INT


def read(source: Source) -> Lowering:
    """Parse the source: its first line, perhaps after empty ones, has the function."""
    if not (match := re.match(r"\n*function (\w+)\(([\w ]*)\)\n", source.text)):
        raise DiagnosticError([error("expected a function", Span(source, 0, len(source.text)))])
    name, parameters = match[1], match[2].split()

    def lower(builder: Builder, warnings: list[Diagnostic]) -> Program:
        variables = {word: Variable(word, type_of(word)) for word in re.findall(r"[A-Za-z]\w*", source.text)}
        function = builder.function(name, [variables[each] for each in parameters], INT, Span(source, *match.span(1)))
        function.attributes = {"matrix.kernel": name}
        function.parameters[0].attributes = {"matrix.square": True}
        blocks = {label: builder.continuation(label) for label in re.findall(r"(?m)^(\w+):", source.text)}
        for line in re.finditer(r"(?m)^.*\S.*$", source.text[match.end() :]):
            start = match.end() + line.start()
            span = Span(source, start + len(line[0]) - len(line[0].lstrip()), start + len(line[0]))
            words = line[0].replace(":", "").split()
            if line[0].endswith(":"):
                if builder.current is not None:
                    builder.jump(blocks[words[0]], span)
                builder.enter(blocks[words[0]])
            elif words[0] == "return":
                builder.ret(builder.read_variable(variables[words[1]], span), span)
            elif words[0] == "choose":
                values = [builder.read_variable(variables[words[2]], span)]
                builder.foreign_transfer(f"matrix.{words[1]}", values, [blocks[each] for each in words[3:]], span)
            elif words[1:2] == ["="]:
                values = [builder.read_variable(variables[each], span) for each in words[3:]]
                operation, result = words[2], variables[words[0]]
                builder.write_variable(
                    result,
                    builder.foreign(
                        f"matrix.{operation.lstrip('?')}",
                        *values,
                        type=result.type,
                        pure=operation.startswith("?"),
                        span=span,
                        attributes={"matrix.fast": True},
                    ),
                    span,
                )
            else:
                values = [builder.read_variable(variables[each], span) for each in words[1:]]
                builder.foreign(f"matrix.{words[0]}", *values, span=span, attributes={"matrix.label": words[0]})
        for block in blocks.values():
            builder.seal(block)
        builder.finish()
        builder.attributes = {"matrix.version": 2}
        return builder.program(source)

    return lower


class Matrices:
    """The dialect: a matrix is the pair of the numbers on its diagonal."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def operation(self, text: str) -> Callable[..., Any]:
        """The function of an operation."""
        return getattr(self, f"_{text.removeprefix('matrix.')}")

    def transfer(self, text: str, targets: int) -> Callable[..., int]:
        """The function of the transfer, which chooses the first target for small numbers."""
        assert (text, targets) == ("matrix.positive", 2)
        return lambda number: int(not 0 < number < 1000)

    def shown(self, value: Any) -> str:
        """The numbers in angle brackets."""
        return f"<{value[0]} {value[1]}>"

    def _diagonal(self, number: int) -> tuple[int, int]:
        if number == 0:
            raise ProgramError("the matrix is zero")
        return number, number

    def _multiply(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return one[0] * other[0], one[1] * other[1]

    def _trace(self, matrix: tuple[int, int]) -> int:
        return sum(matrix)

    def _log(self, matrix: tuple[int, int], number: int) -> None:
        self.host.write(f"{matrix} {number}\n".encode())

    def _apply(self, pointer: int, *values: Any) -> Any:
        function = self.host.function_at(pointer)
        assert function
        return self.host.call(function, values)

    def _unknown(self, matrix: tuple[int, int]) -> None:
        raise NotImplementedError
