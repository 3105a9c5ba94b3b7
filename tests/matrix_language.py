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

from cpsconv import Builder, Diagnostic, DiagnosticError, Program, Source, Variable
from cpsconv.core.attributes import ATTRIBUTES, Attribute, register
from cpsconv.core.ir import INT, Scalar, foreign_type
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
