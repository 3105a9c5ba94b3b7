"""Functions that the program needs for pointers to functions of the library and of other files: they call these."""

from __future__ import annotations

from cpsconv.core.source import Span
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.bodies import type_body
from cpsconv.languages.c.meaning.context import Typing
from cpsconv.languages.c.meaning.declarations import new_function
from cpsconv.languages.c.meaning.library import LibraryFunction
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import INT, VOID, FunctionType


def library_value(typing: Typing, name: str, library: LibraryFunction, span: Span) -> t.Function | None:
    """The function that a pointer to a library function without an external function points to: it calls this one.

    Returns None if there is no such function.
    """
    from cpsconv.languages.c.meaning.expansions import library_call  # late: few programs need it

    text = library_call(name, library.type)
    return _adapter(typing, f"library.{name}", library.type, text, span) if text else None


def external_pointer(typing: Typing, function: t.Function, span: Span) -> c.Expression:
    """The pointer to a function of another file: to the function itself if it can be called through a pointer.

    The functions of the program take structs and variable arguments in another way than C. A pointer to a function
    with such points to a function of the program that calls it; or is null if the function is weak and its address
    is null.
    """
    type = function.type
    assert type
    typing.declarations.use_external(function, span)
    own = t.pointer_to_function(function, type, span)
    if not type.variadic and not any(isinstance(each, Record) for each in (type.result, *type.parameters)):
        return own
    from cpsconv.languages.c.meaning.expansions import external_call  # late: few programs need it

    adapter = _adapter(typing, f"external.{function.name}", type, external_call(type), span, function)
    pointer = t.pointer_to_function(adapter, type, span)
    if not function.is_weak:
        return pointer
    null = c.Constant(span, own.type, 0)
    return c.Conditional(span, c.Binary(span, "!=", own, null, type=INT), pointer, null, type=own.type)


def _adapter(
    typing: Typing, name: str, called: FunctionType, text: str, span: Span, callee: t.Function | None = None
) -> t.Function:
    """The function of the program of the type `called` that executes `text`, in which `callee` is ``FUNCTION``."""
    from cpsconv.languages.c.meaning.expansions import instantiated

    if name in typing.translation.adapters:
        return typing.translation.adapters[name]
    function = new_function(typing.declarations.new_name(name), called, span)
    function.is_external, function.is_static = False, True
    typing.translation.adapters[name] = function
    inner, scopes = Typing(typing.translation, function), typing.scopes
    scopes.enter()
    names: dict[str, c.Expression] = {}
    if callee:
        names["FUNCTION"] = c.Name(span, scopes.declare(callee).name)
    for number, type in enumerate(called.parameters):
        parameter = t.Local(f"p{number}", type, span, is_constant=False, is_used=True, is_parameter=True)
        function.parameters.append(scopes.declare(parameter))
        names[f"P{number}"] = c.Name(span, parameter.name)
    call = instantiated(text, span, names, lambda name: False)
    body = c.ExpressionStatement(span, call) if called.result is VOID else c.Return(span, call)
    type_body(inner, c.Compound(span, [body], span))
    scopes.leave()
    typing.declarations.complete.add(function.name)
    typing.translation.defined.append(function)
    return function
