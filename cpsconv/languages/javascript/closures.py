"""Closures: the functions of the program that the functions of the source become, and the values that they capture.

A function of the program has the captured variables as its first parameters, then `this` and what else it has without a
declaration, then its own parameters. The operation ``js.closure`` creates a closure of the function and the values
or cells that it captures. So its attribute `FUNCTION` states how many there are, and what kind of function it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.abi.javascript import CELL, FUNCTION, VALUE
from cpsconv.abi.javascript.facts import IMPLICIT, FunctionFacts
from cpsconv.core.construction import Builder
from cpsconv.core.ir import PTR, Scalar, Value
from cpsconv.core.ir import Function as IrFunction
from cpsconv.languages.javascript.scopes import Binding, Function, Program, parameters_of
from cpsconv.languages.javascript.syntax import Node
from cpsconv.languages.javascript.variables import Variables

_ORDER = ("self", *IMPLICIT)


class Closures:
    """The functions of a program under construction, all of which are declared."""

    def __init__(self, builder: Builder, program: Program) -> None:
        self.builder, self.program = builder, program
        self.functions: dict[Function, IrFunction] = {}
        self._declare(program.root, "main")
        for function in program.functions.values():
            self._declare(function, function.name or function.kind)

    def _declare(self, function: Function, hint: str) -> None:
        name = self.builder.unused_name(hint.replace("`", "'"))
        parameters = parameters_in_program(function)
        self.functions[function] = self.builder.declare(
            name, parameters, VALUE, function.node.span, {FUNCTION: _facts(function).text(name)}
        )

    def known(self, binding: Binding) -> Function | None:
        """The function that a variable of the module always is, if its calls need nothing but its parameters."""
        function = binding.declared
        if function is None or not binding.is_module or binding.kind != "function" or len(binding.assigned) > 1:
            return None
        is_plain = function.has_simple_parameters and not function.is_async and not function.is_generator
        return function if is_plain and not function.implicit and not function.captured else None

    def captured(self, function: Function, variables: Variables) -> list[Value]:
        """The function as a value, and the variables that it captures."""
        captured = {binding: span for binding, span in function.captured.items() if is_passed(binding)}
        values = [variables.captured(binding, span) for binding, span in captured.items()]
        return [self.builder.convert(PTR, self.functions[function], function.node.span), *values]

    def closure(self, node: Node, variables: Variables) -> Value:
        """The closure that an expression or declaration creates."""
        function = self.program.functions[node.start]
        return variables.emission.operation("closure", *self.captured(function, variables), span=node.span)


def is_passed(binding: Binding) -> bool:
    """Whether a closure captures the binding: variables of the module have names."""
    return not binding.is_module


def implicit_of(function: Function) -> Iterator[Binding]:
    """The bindings that the function has without a declaration, in the order of the parameters."""
    return (function.implicit[name] for name in _ORDER if name in function.implicit and not _is_created(function, name))


def _is_created(function: Function, name: str) -> bool:
    """Whether the function itself creates the binding: `this` in a derived class, and all in the program."""
    return function.kind == "program" or (name == "this" and function.is_derived)


def parameters_in_program(function: Function) -> list[tuple[str, Scalar]]:
    """The parameters of the function of the program: names and types."""
    captured = [(each.name, CELL if each.cell else VALUE) for each in function.captured if is_passed(each)]
    implicit = [(each.name, VALUE) for each in implicit_of(function)]
    return [*captured, *implicit, *((parameter_name(each), VALUE) for each in parameters_of(function.node))]


def parameter_name(parameter: Node) -> str:
    """The name of a parameter; any name for a pattern."""
    while parameter.kind in ("assignment_pattern", "rest_pattern"):
        parameter = parameter.get("left") or parameter.children[0]
    return parameter.text if parameter.kind == "identifier" else "parameter"


def _is_plain(parameter: Node) -> bool:
    """Whether a parameter has no pattern, and no default other than a literal."""
    if parameter.kind == "rest_pattern":
        return parameter.children[0].kind == "identifier"
    default = parameter.get("right")
    is_literal = default is None or default.kind in ("number", "string", "true", "false", "null")
    is_literal = is_literal or (default is not None and default.text == "undefined")
    return is_literal and (parameter.get("left") or parameter).kind == "identifier"


def _facts(function: Function) -> FunctionFacts:
    """What an emitter or engine needs to know of a function."""
    parameters = parameters_of(function.node)
    plain = next((n for n, each in enumerate(parameters) if each.kind in ("assignment_pattern", "rest_pattern")), None)
    return FunctionFacts(
        name=function.name,
        kind=function.kind,
        is_async=function.is_async,
        is_generator=function.is_generator,
        evaluates=function.is_generator and not all(map(_is_plain, parameters)),
        is_strict=function.is_strict,
        captures=sum(map(is_passed, function.captured)),
        implicit=["self" if each.kind == "self" else each.name for each in implicit_of(function)],
        has_rest=bool(parameters) and parameters[-1].kind == "rest_pattern",
        length=plain,
    )
