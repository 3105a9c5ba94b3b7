"""The function that a run of ``FILE:FUNCTION`` starts: it runs the program, and then calls the function."""

from __future__ import annotations

from cpsconv.core.construction import Builder
from cpsconv.core.ir import STRING
from cpsconv.languages.javascript.closures import Closures, parameter_name
from cpsconv.languages.javascript.emission import Emission
from cpsconv.languages.javascript.scopes import Function, Program, parameters_of


def started_function(program: Program, name: str) -> Function | None:
    """The function at the top level of the program that a variable of the same name has; None if there is none.

    The variable becomes one of the module. It may get another value before the function is called.
    """
    binding = program.root.body.names.get(name)
    functions = (each for each in program.functions.values() if each.parent is program.root and each.name == name)
    function = next(functions, None)
    if binding is None or function is None:
        return None
    binding.is_module = True
    return function


def declare_start(builder: Builder, function: Function) -> None:
    """Declare the function that a run starts: it takes and returns strings, and has the name of the called one."""
    parameters = [(parameter_name(each), STRING) for each in parameters_of(function.node)]
    builder.declare(function.name, parameters, STRING, function.node.span)


def construct_start(builder: Builder, function: Function, closures: Closures) -> None:
    """Construct the declared function."""
    emission, span = Emission(builder), function.node.span
    parameters = [(parameter_name(each), STRING) for each in parameters_of(function.node)]
    texts = builder.function(function.name, parameters, STRING, span).parameters[:-1]
    builder.call(closures.functions[closures.program.root], [], span)
    called = emission.operation("variable", operand=function.name, span=span)
    arguments = [emission.operation("argument", each, span=span) for each in texts]
    result = emission.operation("call", called, emission.undefined(span), *arguments, span=span)
    builder.ret(emission.operation("shown", result, span=span), span)
    builder.finish()
