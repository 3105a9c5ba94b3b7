"""Calls of library functions, among them those with formats, such as `printf`, whose arguments are checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from cpsconv.abi.attributes import SETJMP
from cpsconv.abi.prototypes import NEVER_RETURNING
from cpsconv.core.ir import INTEGER, PTR
from cpsconv.core.ir import STRING as STRING_VALUE
from cpsconv.core.source import Span, counted
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.complex_types import part_of
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import called, erroneous_call, given_arguments, typed_arguments, wrong_count
from cpsconv.languages.c.meaning.call_warnings import CHECKED
from cpsconv.languages.c.meaning.complex_numbers import on_parts
from cpsconv.languages.c.meaning.context import Typing, text_of, then, typed, with_warnings
from cpsconv.languages.c.meaning.conversions import as_number, assigned, converted
from cpsconv.languages.c.meaning.library import (
    COMPLEX_OPERATIONS,
    FORMATS,
    LIBRARY,
    PURE,
    SCANNING,
    LibraryFunction,
    generic_function,
)
from cpsconv.languages.c.meaning.places import unevaluated
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    CHAR,
    DOUBLE,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    STRING,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    VOID,
    CType,
    Pointer,
    array_of,
    element_of,
    is_integer_type,
    pointer_to,
)

if TYPE_CHECKING:
    from cpsconv.abi.formats import Slot

_SLOT_TYPES = {type.program: type for type in (INT, UNSIGNED, LONG, UNSIGNED_LONG, DOUBLE, LONG_DOUBLE)}
_SLOT_TYPES[INTEGER] = LONG

_FORMATTED: dict[CType, str] = {INT: "%d", UNSIGNED: "%u", LONG: "%ld", UNSIGNED_LONG: "%lu", DOUBLE: "%f"}
_FORMATTED |= {LONG_DOUBLE: "%Lf", LONG_LONG: "%lld", UNSIGNED_LONG_LONG: "%llu"}
"""The types after the default argument promotions, each with its plain printf conversion."""


def _slot_type(slot: Slot) -> CType:
    return _SLOT_TYPES.get(slot.type or INT.program, STRING)


def _misfit(shown: str, value: c.Expression, type: CType = STRING) -> c.Expression:
    """The undefined value of a type for a directive, after the evaluation of an argument of another type."""
    missing = c.Missing(value.span, type, f"printf({shown}: {value.type})")
    return c.Comma(value.span, c.Cast(value.span, VOID, value), missing, type=type)


def _use_of_missing(arguments: Sequence[c.Expression], name: str, span: Span) -> list[c.Expression]:
    """A use of the first undefined value among the arguments of a function that prints, if any: it prints the value.

    As the last argument of the call, it ends the program after the evaluation of the others, as `printf` does.
    """
    last = (each.right if isinstance(each, c.Comma) else each for each in arguments)
    for each in last:
        if isinstance(each, c.Missing):
            each.name = each.name.replace("printf", name, 1)
            format = _format_of(each.type) or ""
            text = c.StringLiteral(span, format, type=array_of(CHAR, len(format) + 1))
            printed: list[c.Expression] = [c.Decay(span, pointer_to(CHAR), text), each]
            return [c.CallExpression(span, c.Name(span, "printf"), printed, operation="printf", type=INT)]
    return []


def _format_of(type: CType) -> str | None:
    """The plain printf conversion for a promoted type; None if there is none."""
    if isinstance(type, Pointer):
        return "%s" if type.target.unqualified is CHAR else "%p"
    return _FORMATTED.get(type)


def type_generic_call(typing: Typing, node: c.CallExpression, name: str) -> Computation[c.Expression]:
    """The call of a macro of <tgmath.h>: of the function for the arguments for floating parameters."""
    given: list[CType] = []
    for argument, type in zip(node.arguments, LIBRARY[name].type.parameters, strict=False):
        if part_of(type) is DOUBLE:
            given.append((yield unevaluated(typing, c.copied(argument))).type)
    chosen = generic_function(name, given)
    if chosen is None:
        typing.errors.report("type-mismatch", f"there is no `{name}` of complex numbers", node.span)
        return (yield from erroneous_call(typing, node))
    call: c.Expression = yield library_call(typing, node, chosen, LIBRARY[chosen])
    return call


def library_call(typing: Typing, node: c.CallExpression, name: str, library: LibraryFunction) -> Step[c.Expression]:
    """The call of a library function, or its computation."""
    if name in PURE and node is typing.discarded:
        typing.errors.warn("unused-value", f"the result of `{name}` is not used", node.span)
    if SETJMP in (name, library.operation):
        call: Step[c.Expression] = _set_jump(typing, node, library)
    elif library.operation is None:
        function = typing.declarations.external(name, node.callee.span)
        nodes = node.arguments
        call = called(typing, node, library.type, function, name not in NEVER_RETURNING)
        if name in CHECKED:
            call = then(typing, call, _checked, nodes, name)
        if name in FORMATS:
            call = then(typing, call, _formatted_by_text, nodes, name)
        elif name in SCANNING:
            call = then(typing, call, _scanned, name)
    elif library.type.variadic:
        call = printf(typing, node)
    else:
        call = _operation(typing, node, library, library.operation)
    declared = typing.declarations.functions.get(name)
    return then(typing, call, _as_declared, declared.result.unqualified) if declared else call


def _as_declared(typing: Typing, value: c.Expression, type: CType) -> c.Expression:
    """The result of a library function, converted to the type of the result that the program declares."""
    is_same = type in (value.type, UNKNOWN) or value.type in (UNKNOWN, VOID)
    return value if is_same else c.Cast(value.span, type, value)


def _set_jump(typing: Typing, node: c.CallExpression, library: LibraryFunction) -> Computation[c.Expression]:
    """The call of `setjmp`. The second argument of `sigsetjmp` has no effect: there are no signal masks."""
    parameters = library.type.parameters
    if len(node.arguments) != len(parameters):
        return (yield from wrong_count(typing, node, len(parameters)))
    buffer, *masks = yield from typed_arguments(typing, node.arguments, parameters)
    typing.function.note_jumps()
    function = typing.declarations.external(SETJMP, node.callee.span)
    node.callee, node.arguments, node.type = t.use(function, node.callee.span), [buffer], library.type.result
    call: c.Expression = node
    for mask in masks:
        call = c.Comma(node.span, mask, call, type=call.type)
    return call


def _operation(
    typing: Typing, node: c.CallExpression, library: LibraryFunction, operation: str
) -> Computation[c.Expression]:
    parameters = library.type.parameters
    if len(node.arguments) != len(parameters):
        return (yield from wrong_count(typing, node, len(parameters)))
    if operation in COMPLEX_OPERATIONS:
        return (yield from on_parts(typing, operation, node, parameters[0]))
    if operation == "abs":
        [argument], [type] = node.arguments, parameters
        value = as_number(typing, (yield typed(typing, argument)), argument)
        typing.checks.absolute(text_of(node.callee), type, value.type, node.span)
        arguments = [assigned(typing, type, with_warnings(typing, value), argument)]
    else:
        arguments = yield from typed_arguments(typing, node.arguments, parameters)
    node.operation, node.arguments, node.type = operation, arguments, library.type.result
    return node


def printf(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``printf(format, …)``, each argument converted to the type that the format requires.

    A format that is known when the program runs only, or that has other directives than print effects, is that of
    the external function.
    """
    from cpsconv.abi.formats import is_of_library  # on use: most commands have no printf

    nodes = node.arguments
    call = yield from called(typing, node, LIBRARY["printf"].type, None, True)
    if not isinstance(call, c.CallExpression):
        return call
    formats = _known_formats(typing, call.arguments[0])
    if not formats or any(map(is_of_library, formats)):
        call.callee = t.use(typing.declarations.external("printf", node.callee.span), node.callee.span)
        return _formatted(typing, call, nodes, "printf", formats)
    printed, call.variable = _printed(typing, call, nodes, 0, formats)
    call.operation, call.arguments = "printf", [t.unconverted(call.arguments[0]), *printed]
    return call


def _formatted_by_text(typing: Typing, call: c.Expression, nodes: Sequence[c.Expression], name: str) -> c.Expression:
    """The call of an external function that prints by a format."""
    if not isinstance(call, c.CallExpression):
        return call
    return _formatted(typing, call, nodes, name, _known_formats(typing, call.arguments[FORMATS[name]]))


def _formatted(
    typing: Typing, call: c.CallExpression, nodes: Sequence[c.Expression], name: str, formats: list[str]
) -> c.CallExpression:
    """The call of an external function that prints by one of the formats, with the arguments that it requires.

    A struct is no argument for a format that is not known.
    """
    format = call.arguments[FORMATS[name]]
    if not formats:
        if not call.variable and not t.texts_within(format) and not _is_constant_text(format):
            message = f"`{name}` interprets each `%` in this text, which is not constant"
            help = 'write `"%s"` before it to print a text as it is'
            typing.errors.warn("format-security", message, nodes[FORMATS[name]].span, help=help)
        given = [_misfit("format", each) if isinstance(each.type, Record) else each for each in call.variable]
        call.variable = [*given, *_use_of_missing(given, name, call.span)]
    else:
        printed, unused = _printed(typing, call, nodes, FORMATS[name], formats)
        call.variable = [*printed, *unused, *_use_of_missing(printed, name, call.span)]
    return call


def _is_constant_text(format: c.Expression) -> bool:
    """Whether the format is the value of a constant array or pointer."""
    match t.unconverted(format):
        case c.Decay(operand=place) | c.Read(operand=place):
            return "const" in element_of(place.type).qualifiers
    return False


def _checked(typing: Typing, call: c.Expression, nodes: Sequence[c.Expression], name: str) -> c.Expression:
    """The call of a library function, after the checks of its arguments."""
    if isinstance(call, c.CallExpression):
        typing.call_checks.check(name, nodes, [*call.arguments, *call.variable])
    return call


def _scanned(typing: Typing, call: c.Expression, name: str) -> c.Expression:
    """The call of a function that reads by a format. A wrong argument ends the program, after all are evaluated."""
    from cpsconv.languages.c.meaning.scan_warnings import ScanWarnings  # late: many programs do not read

    if isinstance(call, c.CallExpression):
        wrong = ScanWarnings(typing.errors).check(call.arguments[-1], call.variable)
        missing = [c.Missing(call.span, STRING, f"printf({each})") for each in wrong]
        call.variable = [*call.variable, *_use_of_missing(missing, name, call.span)]
    return call


def _known_formats(typing: Typing, format: c.Expression) -> list[str]:
    """The formats that a string literal, or a choice between some, has; none if they are not known.

    Alternatives that take arguments of different types, as in ``x ? "%c" : "%o"``, are not known. Warns of
    directives without a meaning.
    """
    from cpsconv.abi.formats import slots, without_meaning  # on use: most commands have no printf

    texts = [each for each in t.texts_within(format) if not isinstance(each, c.Conditional)]
    for each in texts:
        for directive in without_meaning(each.operand.format):
            typing.errors.warn("format", f"`{directive}` is not a conversion of `printf`", each.span)
    formats = [each.operand.format for each in texts]
    alternatives = zip_longest(*([slot.type for slot in slots(each)] for each in formats))
    return formats if all(len({*types} - {None}) <= 1 for types in alternatives) else []


def _printed(
    typing: Typing, call: c.CallExpression, arguments: Sequence[c.Expression], position: int, formats: list[str]
) -> tuple[list[c.Expression], list[c.Expression]]:
    """The arguments for the format at the position, and the unused ones. Reports missing and unsuitable ones, too."""
    from cpsconv.abi.formats import slots  # on use: most commands have no printf

    taken = max(map(slots, formats), key=len)
    format, values, nodes = t.unconverted(call.arguments[position]), call.variable, arguments[position + 1 :]
    if formats == [""]:
        typing.errors.warn("format-zero-length", "an empty `printf` format", format.span)
    if len(values) < len(taken):
        message = f"the format takes {counted(len(taken), 'argument')} after it, but {given_arguments(len(values))}"
        typing.errors.warn("format", message, format.span)
    if len(values) > len(taken):
        typing.errors.warn("format-extra-args", "the format does not use this argument", nodes[len(taken)].span)
    fitted = [_fitted(typing, *each) for each in zip(taken, values, nodes, strict=False)]
    missing = [c.Missing(call.span, _slot_type(slot), f"printf({slot.shown})") for slot in taken[len(fitted) :]]
    return [*fitted, *missing], [*values[len(fitted) :]]


def _fitted(typing: Typing, slot: Slot, value: c.Expression, node: c.Expression) -> c.Expression:
    """The value as the format requires it.

    Integers are reinterpreted. Those of another size, which is undefined behaviour, are truncated or extended with
    zeros, as by code for x86-64, which writes and reads parts of 64-bit registers.
    """
    given = value.type
    if slot.type in (STRING_VALUE, PTR):
        return _fitted_pointer(typing, slot, value, node)
    if slot.type is None:
        typing.errors.warn("format-extra-args", "the format does not use this argument", node.span)
        return value
    expected = _SLOT_TYPES[slot.type]
    if given is expected:
        return value
    is_integer = is_integer_type(given) and is_integer_type(expected)
    if given is UNKNOWN or (is_integer and given.size == expected.size):
        return converted(typing, expected, value)
    _warn_of_misfit(typing, slot, f"`{expected}`", given, node)
    return (
        converted(typing, expected, converted(typing, UNSIGNED, value))
        if is_integer
        else _misfit(slot.shown, value, _slot_type(slot))
    )


def _fitted_pointer(typing: Typing, slot: Slot, value: c.Expression, node: c.Expression) -> c.Expression:
    """The value as ``%s``, ``%p``, ``%n`` or ``%ls`` requires it."""
    given = value.type
    if isinstance(given, Pointer):
        size = slot.target.size if slot.target else 1 if slot.type is STRING_VALUE else None
        if size and not (given.target.size == size and is_integer_type(given.target)):
            wanted = f"`{slot.target} *`" if slot.target else "a string, `char *`"
            message = f"`{slot.shown}` takes {wanted}, but this is `{given}`"
            typing.errors.warn("format", message, node.span)
        is_address = slot.type is PTR and bool(t.texts_within(value))  # of a string, which is not printed
        return c.Convert(node.span, given, value) if is_address else value
    if given is UNKNOWN:
        return c.Convert(node.span, STRING, c.Erroneous(node.span, [value]))
    wanted = f"`{slot.target} *`" if slot.target else "a pointer" if slot.type is PTR else "`char *`"
    _warn_of_misfit(typing, slot, wanted, given, node)
    return _misfit(slot.shown, value, _slot_type(slot))


def _warn_of_misfit(typing: Typing, slot: Slot, wanted: str, given: CType, node: c.Expression) -> None:
    format = None if slot.shown == "*" or slot.target else _format_of(given)
    help = f"use `{format}` for `{given}`" if format else None
    typing.errors.warn("format", f"`{slot.shown}` takes {wanted}, but this is `{given}`", node.span, help=help)
