"""The attribute ``alias`` of GNU C: an alias is a function that calls the function of the other name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import VOID


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
    items = [*unit.items, *definitions]
    return c.TranslationUnit(unit.source, items, unit.headers, unit.warnings, unit.unknown, unit.is_complete)


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
    """The definition of the alias with the type of its target."""
    span, function = declarator.span, _function_of(target)
    names, parameters = [], []
    for number, each in enumerate(function.parameters):
        own = each.declarator
        if _is_void(each):
            parameters.append(each)
            continue
        names.append(own.name or f"p{number}")
        parameters.append(
            c.ParameterDeclaration(each.span, each.specifiers, c.Declarator(own.span, names[-1], own.derivations))
        )
    signature = c.FunctionOf(function.span, parameters, function.is_prototyped, False, function.is_old_style)
    result = target.specifiers.type
    if isinstance(result, c.RecordSpecifier) and result.tag:
        result = c.RecordSpecifier(result.span, result.keyword, result.tag, None, [])
    specifiers = c.Specifiers(
        span,
        result,
        target.specifiers.qualifiers,
        {word: place for word, place in declaration.specifiers.storage.items() if word == "static"},
    )
    assert target.declarator.name
    call = c.CallExpression(span, c.Name(span, target.declarator.name), [c.Name(span, name) for name in names])
    derivations = [signature, *target.declarator.derivations[1:]]
    is_void = specifiers.type is VOID and len(derivations) == 1
    body = c.ExpressionStatement(span, call) if is_void else c.Return(span, call)
    return c.FunctionDefinition(
        span,
        specifiers,
        c.Declarator(span, declarator.name, derivations),
        target.old_style,
        c.Compound(span, [body], span),
    )


def _function_of(definition: c.FunctionDefinition) -> c.FunctionOf:
    function = definition.declarator.derivations[0]
    assert isinstance(function, c.FunctionOf)
    return function


def _is_void(parameter: c.ParameterDeclaration) -> bool:
    """Whether the parameter is that of ``(void)``."""
    specifiers, declarator = parameter.specifiers, parameter.declarator
    is_named = declarator.name is not None or declarator.derivations
    return specifiers is not None and specifiers.type is VOID and not is_named
