"""Definitions of functions (C17 6.9.1): their parameters, also in the old style, and those of `main`; nested functions.

A nested function of GNU C uses *captured* variables of the functions around it. These variables are in memory; their
pointers are free values of the nested function in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.bodies import type_body
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.context import STATEMENTS, Typing, rule
from cpsconv.languages.c.meaning.conversions import is_integer, is_supported
from cpsconv.languages.c.meaning.declarations import VECTOR, are_of_main, new_function
from cpsconv.languages.c.meaning.declared_types import (
    adjusted,
    check_result,
    declared,
    defined,
    report_incomplete,
    specified,
)
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    LONG,
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    Pointer,
    VariableArray,
    argument_promoted,
    function_of,
)


def type_function(file: Typing, node: c.FunctionDefinition) -> None:
    """Declare a function outside of others, and type its body."""
    name, span = node.declarator.name, node.declarator.span
    assert name
    if node.damaged_signature:
        _declare_unknown(file, name, node)
        return
    known = file.declarations.functions.get(name)
    function = known if known and known.is_external else new_function(name, None, span)
    base = specified(file, node.specifiers)
    typing = Typing(file.translation, function)
    typing.scopes.enter()  # one scope for the parameters and the outermost variables
    type, parameters = defined(typing, base, node.declarator)
    prototype = known.type if known and known.type and known.type.prototyped else None
    starts = _old_parameters(typing, node, parameters, prototype)
    passed = [each.type.unqualified for each in parameters]
    if prototype and isinstance(type, FunctionType) and not type.prototyped and passed == [*prototype.parameters]:
        type = function_of(type.result, passed)
    type = _checked(typing, type, node, parameters)
    if name == "main" and isinstance(type, FunctionType) and parameters:
        written, type = type, _started(typing, type, parameters, starts, span)
        if known and known.type and are_compatible(known.type, written):
            known.type = type
    if isinstance(type, FunctionType):
        _define(typing, function, node, type, parameters, starts)
    else:
        with typing.scopes.outside():
            _declare_unknown(typing, name, node)
    typing.scopes.leave()
    typing.scopes.undeclared.clear()


def _started(
    typing: Typing, type: FunctionType, parameters: list[t.Local], starts: list[t.Declare], span: Span
) -> FunctionType:
    """The type of `main` with a number and a vector of arguments. Other parameters become variables."""
    types = [each.type.unqualified for each in parameters]
    if are_of_main(types) and not type.variadic:
        return type
    is_usual = are_of_main(types[:2]) and are_of_main([INT, *types[2:]])  # the third one is like the second
    if type.prototyped and not is_usual:
        message = "`main` should take no parameters, or `int argc, char *argv[]`"
        typing.errors.warn("main", message, span, help="write `int main(void)`")
    others = _with_arguments(parameters, span)
    missing = [each.variable for each in others if each.initial is None]
    for each in starts:  # conversions of parameters
        match each.initial:
            case c.Convert(operand=c.Read(operand=c.Name(denoted=variable))) if variable in missing:
                each.initial = None
    starts[:0] = others
    return function_of(type.result, [each.type.unqualified for each in parameters])


def _declare_unknown(typing: Typing, name: str, node: c.FunctionDefinition) -> None:
    typing.declarations.unknown.add(name)
    typing.scopes.declare_unknown(name, node.declarator.span)


def _define(
    typing: Typing,
    function: t.Function,
    node: c.FunctionDefinition,
    type: FunctionType,
    parameters: list[t.Local],
    starts: list[t.Declare],
) -> None:
    declarations, name, span = typing.declarations, function.name, node.declarator.span
    if declarations.is_defined(name, span):
        _ignore(parameters)
        return
    specifiers = node.specifiers
    declarations.note_weak(name, specifiers.attributes)
    with typing.scopes.outside():
        function = declarations.declare_function(name, type, specifiers, span)
    declarations.define_function(function, node, type)
    if node.damaged:
        _ignore(parameters)
        return
    check_result(typing, specifiers, node.declarator)
    typing.function = function
    function.parameters = parameters
    _type_body(typing, node, starts)
    typing.translation.defined += [function, *function.nested]


def _type_body(typing: Typing, node: c.FunctionDefinition, starts: list[t.Declare]) -> None:
    function, lengths = typing.function, typing.taken_lengths()
    assert function.type
    if lengths or isinstance(function.type.result, Record):  # a length may call a function that returns a struct
        function.note_objects()
    first: list[t.Declare | c.Expression] = [*starts, *lengths]
    type_body(typing, node.body)
    first = [*(t.Declare(count, None) for count in typing.counts), *first]
    if first:
        function.body = [t.Declared(node.declarator.span, first), *function.body]
    typing.declarations.complete.add(function.name)


@rule(STATEMENTS, c.NestedFunction)
def _nested(around: Typing, statement: c.NestedFunction) -> None:
    """Declare a function in the current block of another one, and type its body. (Recursive: see `MAX_NESTING`.)"""
    node, outer = statement.definition, around.function
    span = node.declarator.span
    assert node.declarator.name
    if len(enclosing(outer)) == MAX_NESTING:
        message = f"more than {MAX_NESTING} functions in each other are not supported yet"
        around.errors.report("unsupported", message, span)
        around.scopes.declare_unknown(node.declarator.name, span)
        return
    base = specified(around, node.specifiers)
    function = new_function(around.declarations.new_name(f"{outer.name}.{node.declarator.name}"), None, span)
    function.enclosing = outer
    typing = Typing(around.translation, function)
    typing.scopes.enter()
    type, function.parameters = defined(typing, base, node.declarator)
    starts = _old_parameters(typing, node, function.parameters)
    type = _checked(typing, type, node, function.parameters)
    if isinstance(type, FunctionType):
        typing.declarations.define_nested(function, node, type)
        with typing.scopes.outside():
            typing.scopes.declare(function, node.declarator.name or "")
        _type_body(typing, node, starts)
        capture(function)
        outer.nested = [*outer.nested, function, *function.nested]
    else:
        with typing.scopes.outside():
            _declare_unknown(typing, node.declarator.name or "", node)
    typing.scopes.leave()


def _ignore(parameters: list[t.Local]) -> None:
    """The body is not typed, so that its uses of the parameters are not known."""
    for parameter in parameters:
        parameter.is_used = True


def _checked(typing: Typing, type: CType, node: c.FunctionDefinition, parameters: list[t.Local]) -> CType:
    """The type of the function; `UNKNOWN` if its result or a parameter is erroneous, which is reported."""
    if not isinstance(type, FunctionType):
        return UNKNOWN
    span = node.declarator.span
    if type.result.unqualified is not VOID and not is_complete(type.result):
        report_incomplete(typing, f"the type that `{node.declarator.name}` returns", type.result, span)
        return UNKNOWN
    if not is_supported(typing, type.result, span):
        return UNKNOWN
    for parameter in parameters:
        if parameter.type is UNKNOWN or not is_supported(typing, parameter.type, parameter.span):
            return UNKNOWN
        if not is_complete(parameter.type):
            what = f"the type of the parameter `{parameter.name}`"
            report_incomplete(typing, what, parameter.type, parameter.span)
            return UNKNOWN
        if isinstance(parameter.type, Record):
            typing.function.note_objects()
    return type


# ---------------------------------------------------------------------------------------------------- old parameters


def _old_parameters(
    typing: Typing, node: c.FunctionDefinition, parameters: list[t.Local], prototype: FunctionType | None = None
) -> list[t.Declare]:
    """Add the parameters of an old-style definition, as the caller passes them: promoted.

    In GNU C, an earlier prototype may state the type of a parameter without its promotion. Returns the declarations
    of those that have a narrower type in the function.
    """
    stated = prototype.parameters if prototype else ()
    function = node.declarator.derivations[0]
    assert isinstance(function, c.FunctionOf)
    types = _old_types(typing, node, {each.declarator.name for each in function.parameters})
    starts: list[t.Declare] = []
    if not function.is_old_style:
        return starts
    for number, each in enumerate(function.parameters):
        name, span = each.declarator.name, each.span
        assert name
        if name not in types:
            message = f"the parameter `{name}` has no type, so it is an `int`"
            typing.errors.warn("implicit-int", message, span)
        type, specifiers = types.get(name, (INT, node.specifiers))
        passed = argument_promoted(type.unqualified) if isinstance(type, Arithmetic) else type
        if number < len(stated) and stated[number] is type.unqualified:
            passed = stated[number]
        parameter = t.Local(name, passed, span, False, is_parameter=True)
        parameters.append(parameter)
        declared = parameter
        if passed is not type.unqualified and isinstance(type, Arithmetic):
            parameter.is_used = True
            declared = t.Local(name, type, span, "const" in type.qualifiers, is_parameter=True)
            value = t.read(parameter, span)
            starts.append(t.Declare(declared, c.Convert(span, type.unqualified, value)))
        declared.is_register = name in types and "register" in specifiers.storage
        typing.scopes.declare(declared)
    return starts


def _old_types(
    typing: Typing, node: c.FunctionDefinition, names: set[str | None]
) -> dict[str, tuple[CType, c.Specifiers]]:
    """The types of the parameters that the declarations before the body state."""
    types: dict[str, tuple[CType, c.Specifiers]] = {}
    for declaration in node.old_style:
        base = specified(typing, declaration.specifiers)
        for each in declaration.declarators:
            name, span = each.declarator.name, each.declarator.span
            assert name
            type = adjusted(typing, declared(typing, base, each.declarator))
            if name not in names:
                message = f"`{name}` is not a parameter of `{node.declarator.name}`"
                typing.errors.report("undeclared", message, span)
            elif each.initialiser:
                typing.errors.report("type-mismatch", f"the parameter `{name}` cannot be initialised", span)
            elif name in types:
                typing.errors.report("redefined", f"the parameter `{name}` is declared twice", span)
            elif type.unqualified is VOID:
                typing.errors.report("void", "a parameter cannot be `void`", span)
                type = UNKNOWN
            types[name] = type, declaration.specifiers
    return types


def _with_arguments(parameters: list[t.Local], span: Span) -> list[t.Declare]:
    """Replace the parameters of `main` by the number of arguments and the vector of arguments, where they are others.

    Returns the declarations of the others, with the values that C passes in the same registers. The third one is the
    environment, a pointer that follows the arguments, as on Linux. Others have no value.
    """
    types = [each.type.unqualified for each in parameters]
    kept = 0 if types[0] is not INT else 2 if are_of_main(types[:2]) else 1
    others = parameters[kept:]
    added = [t.Local(name, type, span, False, is_parameter=True) for name, type in (("argc", INT), ("argv", VECTOR))]
    count, vector = parameters[:] = [*parameters[:kept], *added[kept:]]
    count.is_used = vector.is_used = True
    type = vector.type.unqualified
    number, start = t.read(count, span), t.read(vector, span)
    after = c.Binary(span, "+", start, number, type=type)
    end = c.Binary(span, "+", after, c.Constant(span, INT, 1), type=type)
    values = iter([number, start, end][kept:])
    return [t.Declare(each, _as_register(each.type.unqualified, values)) for each in others]


def _as_register(type: CType, values: Iterator[c.Expression]) -> c.Expression | None:
    """The next one of the values that C passes to `main`, for a parameter of a type that it passes like integers."""
    value = next(values, None) if is_integer(type) and type.size <= LONG.size else None
    if value is None or value.type is type:
        return value
    if isinstance(value.type, Pointer) == isinstance(type, Pointer):
        return c.Convert(value.span, type, value)
    return c.Cast(value.span, type, value if isinstance(value.type, Pointer) else c.Convert(value.span, LONG, value))


# ------------------------------------------------------------------------------------------------ nested functions


MAX_NESTING = 30
"""The largest number of functions in each other: typing and erasing them is recursive."""


def enclosing(function: t.Function) -> list[t.Function]:
    """The function and those around it, innermost first."""
    found = [function]
    while outer := found[-1].enclosing:
        found.append(outer)
    return found


def capture(function: t.Function) -> None:
    """Find the captured variables of a nested function, whose body is typed."""
    used, own = _locals(function)
    function.captured = [local for local in used if local not in own]
    for local in function.captured:
        local.captured = local.captured or function
        local.is_used = True
    if function.captured:
        for each in enclosing(function):
            each.note_objects()


def report_pointers(functions: Sequence[t.Function], globals: Sequence[t.Global], errors: Errors) -> None:
    """Report each pointer to a nested function that needs variables of functions around it."""
    bodies: list[Any] = [function.body for function in functions if function.nested or function.enclosing]
    for node in t.nodes_within([*bodies, *(each.initial for each in globals)]) if bodies else ():
        match node:
            case c.Decay(operand=c.Name(denoted=t.Function(enclosing=t.Function()) as f)) if _needs_variables(f):
                name, span = f.name.rpartition(".")[2], f.span
                message = f"pointers to `{name}`, a nested function with outer variables, are not supported yet"
                errors.report("unsupported", message, node.span, notes=[("it is defined here", span)])


def _needs_variables(function: t.Function) -> bool:
    """Whether a call of the function needs variables of functions around it, for itself or for functions it calls."""
    found = [function]
    for each in found:  # appended to during iteration
        if each.captured:
            return True
        found += [callee for callee in each.calls if callee not in found]
    return False


def _locals(function: t.Function) -> tuple[dict[t.Local, None], set[t.Local]]:
    """The variables that a function uses, also as lengths of arrays, and those that it declares."""
    used: dict[t.Local, None] = {}
    own = {*function.parameters}
    types = [each.type for each in function.parameters]
    for node in t.nodes_within(function.body):
        local = node.variable if isinstance(node, t.Declare) else node.denoted if isinstance(node, c.Name) else None
        types.append(getattr(node, "type", VOID))
        if isinstance(local, t.Local):
            used[local] = None
            types.append(local.type)
        if isinstance(node, t.Declare):
            own.add(node.variable)
    return used | dict.fromkeys(count for type in dict.fromkeys(types) for count in _counts(type)), own


def _counts(type: CType) -> Iterator[t.Local]:
    """The variables with the lengths of arrays in the type."""
    while isinstance(type, (Array, Pointer)):
        if isinstance(type, VariableArray) and isinstance(type.count, t.Local):
            yield type.count
        type = type.element if isinstance(type, Array) else type.target
