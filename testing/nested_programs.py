"""Random programs with nested functions: as Python source with closures, and as a construction with the Builder.

A function has parameters, statements that come first, constants that are computed then, functions inside it, and
further statements. The inner functions read the parameters and constants of those around them, which are not assigned
again. Python's closures, which cpsconv does not use, give the expected results.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import INT, Constant, Function, Program, Value

MAX_FUEL = 3
"""The depth of the calls in a run: each call passes on one less."""

Expression = tuple[str, ...]
"""``("name", n)``, ``("number", n)``, or ``(operator, …)`` with the operands in the tree, see `_Nested.expression`."""


@dataclass(eq=False, repr=False)
class Nested:
    """A function. Statements and expressions are trees of tuples."""

    name: str
    enclosing: Nested | None = None
    parameters: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    first: list[tuple] = field(default_factory=list)
    constants: dict[str, tuple] = field(default_factory=dict)
    inner: list[Nested] = field(default_factory=list)
    statements: list[tuple] = field(default_factory=list)
    result: tuple = ()

    def all(self):
        """The function and those inside of it, each after those around it."""
        yield self
        for each in self.inner:
            yield from each.all()

    def around(self):
        """The functions around the function, innermost first."""
        each = self.enclosing
        while each:
            yield each
            each = each.enclosing


def random_nested(source: random.Random, functions: int) -> Nested:
    """A function `f0` with up to so many functions inside, at any depth."""
    outer = Nested("f0")
    made = [outer]
    for number in range(1, functions):
        enclosing = source.choice(made)
        made.append(Nested(f"f{number}", enclosing))
        enclosing.inner.append(made[-1])
    for each in outer.all():
        number = each.name[1:]
        each.parameters = [f"fuel{number}", *(f"p{number}_{index}" for index in range(source.randint(0, 2)))]
        each.variables = [f"v{number}_{index}" for index in range(source.randint(1, 2))]
        each.first = _statements(source, each, 2, with_calls=False) if source.random() < 0.7 else []
        for index in range(source.randint(0, 2)):
            each.constants[f"c{number}_{index}"] = _expression(source, each, 2)
    for each in outer.all():
        each.statements = _statements(source, each, 2)
        each.result = _expression(source, each, 2)
    return outer


def _visible(function: Nested) -> list[str]:
    """The names that a function can read: its own, and the parameters and constants of those around it."""
    fixed = [name for each in (function, *function.around()) for name in (*each.parameters, *each.constants)]
    return [*fixed, *function.variables]


def _expression(source: random.Random, function: Nested, depth: int) -> tuple:
    names = _visible(function)
    if depth == 0 or source.random() < 0.3:
        return ("name", source.choice(names)) if names and source.random() < 0.7 else ("number", source.randint(-9, 99))
    return (source.choice("+-*"), _expression(source, function, depth - 1), _expression(source, function, depth - 1))


def _callable(function: Nested) -> list[Nested]:
    """The functions in scope: those inside, the siblings, and those around with their siblings."""
    return [*function.inner, *(each for outer in function.around() for each in outer.inner)]


def _statements(source: random.Random, function: Nested, depth: int, with_calls: bool = True) -> list[tuple]:
    found: list[tuple] = []
    for _ in range(source.randint(1, 3)):
        kind = source.choice(["assign", "call", "call", "if", "repeat"] if depth else ["assign", "call"])
        variable = source.choice(function.variables)
        if kind == "call" and with_calls and _callable(function):
            callee = source.choice(_callable(function))
            arguments = [_expression(source, function, 1) for _ in callee.parameters[1:]]
            found.append(("call", variable, callee, arguments))
        elif kind == "if":
            branches = [_statements(source, function, depth - 1, with_calls) for _ in range(2)]
            found.append(("if", _expression(source, function, 1), *branches))
        elif kind == "repeat":
            found.append(("repeat", source.randint(0, 3), _statements(source, function, depth - 1, with_calls)))
        else:
            found.append(("assign", variable, _expression(source, function, 2)))
    return found


# ------------------------------------------------------------------------------------------------------ as Python


def as_python(function: Nested) -> str:
    """The source of the function in Python."""
    return "\n".join(["def wrap(n): return (n + 2**31) % 2**32 - 2**31", *_definition(function)])


def _definition(function: Nested) -> list[str]:
    fuel = function.parameters[0]
    lines = [f"def {function.name}({', '.join(function.parameters)}):", f" if {fuel} < 1: return 1"]
    lines += [f" {name} = 0" for name in function.variables]
    lines += [f" {line}" for line in _lines(function, function.first)]
    lines += [f" {name} = {_text(value)}" for name, value in function.constants.items()]
    lines += [f" {line}" for each in function.inner for line in _definition(each)]
    lines += [f" {line}" for line in _lines(function, function.statements)]
    return [*lines, f" return {_text(function.result)}"]


def _lines(function: Nested, statements: list[tuple]) -> list[str]:
    lines: list[str] = []
    for kind, *parts in statements:
        if kind == "assign":
            lines.append(f"{parts[0]} = {_text(parts[1])}")
        elif kind == "call":
            arguments = ", ".join([f"{function.parameters[0]} - 1", *map(_text, parts[2])])
            lines.append(f"{parts[0]} = {parts[1].name}({arguments})")
        elif kind == "if":
            lines.append(f"if {_text(parts[0])} < 9:")
            lines += [f" {line}" for line in _lines(function, parts[1])]
            lines.append("else:")
            lines += [f" {line}" for line in _lines(function, parts[2])]
        else:
            lines.append(f"for _ in range({parts[0]}):")
            lines += [f" {line}" for line in _lines(function, parts[1])]
    return lines


def _text(expression: tuple) -> str:
    kind, *parts = expression
    if kind in ("name", "number"):
        return str(parts[0]) if kind == "name" else f"({parts[0]})"
    return f"wrap({_text(parts[0])} {kind} {_text(parts[1])})"


# -------------------------------------------------------------------------------------------------- with the Builder


def construct(function: Nested, builder: Builder) -> Program:
    """The program of the function, in which the inner functions use free values."""
    for each in function.all():
        builder.declare(each.name, [(name, INT) for name in each.parameters], INT)
    values: dict[str, Value] = {}
    for each in function.all():
        _Construction(each, builder, values).build()
    return builder.program()


class _Construction:
    """The construction of one function. `values` has the parameters and constants of the functions before it."""

    def __init__(self, function: Nested, builder: Builder, values: dict[str, Value]) -> None:
        self.function = function
        self.b = builder
        self.values = values
        self.variables = {name: Variable(name, INT) for name in (*function.parameters, *function.variables)}

    def build(self) -> Function:
        b, function = self.b, self.function
        b.function(function.name, [self.variables[name] for name in function.parameters], INT)
        for name in function.parameters:
            self.values[name] = b.read_variable(self.variables[name])
        empty, on = b.continuation("empty"), b.continuation("on")
        b.branch(b.primitive("<", self.values[function.parameters[0]], Constant(INT, 1)), empty, on)
        b.seal(empty)
        b.seal(on)
        b.enter(empty)
        b.ret(Constant(INT, 1))
        b.enter(on)
        for name in function.variables:
            b.write_variable(self.variables[name], Constant(INT, 0))
        self.statements(function.first)
        for name, value in function.constants.items():
            self.values[name] = self.value(value)
        self.statements(function.statements)
        b.ret(self.value(function.result))
        return b.finish()

    def value(self, expression: tuple) -> Value:
        kind, *parts = expression
        if kind == "number":
            return Constant(INT, parts[0])
        if kind == "name":
            name = parts[0]
            if name in self.variables:
                return self.b.read_variable(self.variables[name])
            return self.values[name] if name in self.function.constants else self.b.free(self.values[name])
        return self.b.primitive(kind, self.value(parts[0]), self.value(parts[1]))

    def statements(self, statements: list[tuple]) -> None:
        for kind, *parts in statements:
            getattr(self, f"_{kind}")(*parts)

    def _assign(self, name: str, value: tuple) -> None:
        self.b.write_variable(self.variables[name], self.value(value))

    def _call(self, name: str, callee: Nested, arguments: list[tuple]) -> None:
        fuel = self.b.read_variable(self.variables[self.function.parameters[0]])
        fuel = self.b.primitive("-", fuel, Constant(INT, 1))
        function = self.b.declared(callee.name)
        assert function
        result = self.b.call(function, [fuel, *map(self.value, arguments)])
        assert result
        self.b.write_variable(self.variables[name], result)

    def _if(self, condition: tuple, then: list[tuple], otherwise: list[tuple]) -> None:
        b = self.b
        blocks = [b.continuation(name) for name in ("then", "else", "endif")]
        b.branch(b.primitive("<", self.value(condition), Constant(INT, 9)), blocks[0], blocks[1])
        for block, statements in zip(blocks, (then, otherwise), strict=False):
            b.seal(block)
            b.enter(block)
            self.statements(statements)
            b.jump(blocks[2])
        b.seal(blocks[2])
        b.enter(blocks[2])

    def _repeat(self, times: int, statements: list[tuple]) -> None:
        b, counter = self.b, Variable("counter", INT)
        loop, body, exit = (b.continuation(name) for name in ("loop", "body", "exit"))
        b.write_variable(counter, Constant(INT, 0))
        b.jump(loop)
        b.enter(loop)
        b.branch(b.primitive("<", b.read_variable(counter), Constant(INT, times)), body, exit)
        b.seal(body)
        b.enter(body)
        self.statements(statements)
        b.write_variable(counter, b.primitive("+", b.read_variable(counter), Constant(INT, 1)))
        b.jump(loop)
        b.seal(loop)
        b.seal(exit)
        b.enter(exit)
