"""Attributes of GNU C by which a definition of a function is added, or counts as a declaration.

An ``alias`` is a function that calls the function of the other name. A ``gnu_inline`` definition with ``...`` declares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.core.nodes import replace
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import VOID


def with_aliases(unit: c.TranslationUnit, errors: Errors) -> c.TranslationUnit:
    """The unit with definitions of the functions that it declares as aliases; other aliases are reported."""
    aliases = [*_aliases(unit.items)]
    if not aliases:
        return unit
    functions = {each.declarator.name: each for each in unit.items if isinstance(each, c.FunctionDefinition)}
    definitions = []
    for declaration, declarator, attribute in aliases:
        target = functions.get(attribute.text)
        if target is None:
            message = f"an alias of `{attribute.text}`, no function of the source, is not supported yet"
            errors.report("unsupported", message, attribute.span)
        elif _function_of(target).is_variadic:
            errors.report("unsupported", "aliases of functions with `...` are not supported yet", attribute.span)
        else:
            definitions.append(_definition(declaration, declarator, target))
    return replace(unit, items=[*unit.items, *definitions])


def _aliases(
    items: Sequence[c.FunctionDefinition | c.Declaration | c.StaticAssert],
) -> Iterator[tuple[c.Declaration, c.Declarator, c.Attribute]]:
    for item in [item for item in items if isinstance(item, c.Declaration)]:
        for each in item.declarators:
            for attribute in (*item.specifiers.attributes, *each.declarator.attributes):
                if attribute.name == "alias":
                    yield item, each.declarator, attribute


def _definition(
    declaration: c.Declaration, declarator: c.Declarator, target: c.FunctionDefinition
) -> c.FunctionDefinition:
    """The definition of the alias, with the type of its target, which it calls."""
    span, function, name = declarator.span, _function_of(target), target.declarator.name
    assert name
    parameters = [_named(each, f"p{number}") for number, each in enumerate(function.parameters)]
    arguments: list[c.Expression] = [c.Name(span, each.declarator.name) for each in parameters if each.declarator.name]
    derivations = [replace(function, parameters=parameters), *target.declarator.derivations[1:]]
    result = target.specifiers.type
    if isinstance(result, c.RecordSpecifier) and result.tag:
        result = replace(result, members=None, attributes=[])  # the target defines it
    storage = {word: place for word, place in declaration.specifiers.storage.items() if word == "static"}
    call = c.CallExpression(span, c.Name(span, name), arguments)
    returns_nothing = result is VOID and len(derivations) == 1
    statement = c.ExpressionStatement(span, call) if returns_nothing else c.Return(span, call)
    body = c.Compound(span, [statement], span)
    specifiers = c.Specifiers(span, result, target.specifiers.qualifiers, storage)
    return c.FunctionDefinition(
        span, specifiers, c.Declarator(span, declarator.name, derivations), target.old_style, body
    )


def _named(parameter: c.ParameterDeclaration, name: str) -> c.ParameterDeclaration:
    """The parameter with that name, unless it has one, or is that of ``(void)``."""
    specifiers, declarator = parameter.specifiers, parameter.declarator
    is_void = specifiers is not None and specifiers.type is VOID and not declarator.derivations
    if declarator.name or is_void:
        return parameter
    return replace(parameter, declarator=replace(declarator, name=name))


def _function_of(definition: c.FunctionDefinition) -> c.FunctionOf:
    function = definition.declarator.derivations[0]
    assert isinstance(function, c.FunctionOf)
    return function


def without_inlined(unit: c.TranslationUnit) -> c.TranslationUnit:
    """The unit with declarations in place of the `extern inline` definitions with ``...``, such as glibc's of `error`.

    Another file defines these functions for the calls that are not expanded, which all calls may be. The bodies may
    contain ``__builtin_va_arg_pack()``, the variable arguments of the call.
    """
    return replace(unit, items=[_declaration_of(item) or item for item in unit.items])


def _declaration_of(item: c.Node) -> c.Declaration | None:
    if not isinstance(item, c.FunctionDefinition) or item.damaged_signature:
        return None
    specifiers = item.specifiers
    attributes = {each.name for each in specifiers.attributes}
    is_inlined = {"extern", "inline"} <= specifiers.storage.keys() and "gnu_inline" in attributes
    if not is_inlined or not _function_of(item).is_variadic:
        return None
    return c.Declaration(item.span, specifiers, [c.InitDeclarator(item.span, item.declarator, None)])
