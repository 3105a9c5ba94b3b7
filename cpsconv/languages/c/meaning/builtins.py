"""Built-in functions of GNU C, the macros of <stdarg.h>, and the expressions that are decided by types."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.abi.prototypes import COMPLEX_HEADER
from cpsconv.core.floating import LongDouble, not_a_number
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import erroneous_call, typed_arguments, wrong_count
from cpsconv.languages.c.meaning.complex_numbers import MACROS, make_complex
from cpsconv.languages.c.meaning.constants import NotConstantError, constant_value, integer_constant, is_constant
from cpsconv.languages.c.meaning.context import Typing, rejected, text_of, typed
from cpsconv.languages.c.meaning.conversions import assigned, constant_number, with_article
from cpsconv.languages.c.meaning.declared_types import constant_integer
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.meaning.library_calls import library_call
from cpsconv.languages.c.meaning.places import unevaluated
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.meaning.variable_arguments import va_copy, va_end, va_start
from cpsconv.languages.c.meaning.vectors import shuffle
from cpsconv.languages.c.records import DIV, LDIV, LLDIV, Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    CType,
    Pointer,
    exact_result,
    is_floating_type,
    is_integer_type,
    pointer_to,
    promoted,
)

if TYPE_CHECKING:
    from cpsconv.languages.c.meaning.atomics import Atomic

_STDARG = "stdarg.h"


def builtin_call(typing: Typing, node: c.CallExpression, name: str) -> Step[c.Expression] | None:
    """The call of a built-in function; None if there is none of that name."""
    if name.startswith("va_") and _STDARG in typing.declarations.headers:
        name = f"__builtin_{name}"
    if name in _CLASSIFICATIONS and "math.h" in typing.declarations.headers:
        name = f"__builtin_{_CLASSIFICATIONS[name]}"
    if name in MACROS and COMPLEX_HEADER in typing.declarations.headers:
        return make_complex(typing, node, MACROS[name])
    if name in _DIVISIONS and typing.declarations.headers & {"stdlib.h", "inttypes.h"}:
        return _division(typing, node, _DIVISIONS[name])
    if name.startswith(("__sync_", "__atomic_", "atomic_")):
        from cpsconv.languages.c.meaning.atomics import atomic  # late: few programs need them

        operation = atomic(name, "stdatomic.h" in typing.declarations.headers)
        return operation and _atomic(typing, node, operation)
    if not name.startswith("__builtin_"):
        return None
    short = name.removeprefix("__builtin_")
    if short in _RULES:
        count, apply = _RULES[short]
        if len(node.arguments) != count and (count >= 0 or not node.arguments):
            return wrong_count(typing, node, abs(count))
        return apply(typing, node)
    if short in LIBRARY:
        if short in typing.declarations.definitions and LIBRARY[short].operation is None:
            message = f"`{name}` in a program that defines `{short}` is not supported yet"
            typing.errors.report("unsupported", message, node.callee.span)
            return erroneous_call(typing, node)
        return library_call(typing, node, short, LIBRARY[short])
    if found := re.fullmatch(_OVERFLOW, short):
        fixed = _OPERANDS.get((found["sign"] or "", found["length"] or ""))
        return _overflow(typing, node, found["op"], fixed, stores=not short.endswith("_p"))
    from cpsconv.languages.c.meaning.expansions import EXPANSIONS  # late: few programs need them

    if short in EXPANSIONS:
        return _expanded(typing, node, short, EXPANSIONS[short])
    reason = "is not supported: calls have no stack frames" if short in _OF_FRAMES else "is not supported yet"
    typing.errors.report("unsupported", f"`{name}` {reason}", node.callee.span)
    return erroneous_call(typing, node)


# ------------------------------------------------------------------------------------------------ built-in functions


def _expect(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_expect(value, expected)``: the value as a `long`."""
    values = yield typed_arguments(typing, node.arguments, [LONG, LONG, DOUBLE][: len(node.arguments)])
    value, expected = values[:2]
    is_known = isinstance(t.origin(expected), c.Constant)
    return value if is_known else c.Comma(node.span, expected, value, type=LONG)


def _constant_p(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_constant_p(value)``, as gcc without optimisation decides it."""
    value = yield unevaluated(typing, node.arguments[0])
    while isinstance(value, c.Conditional) and value.then and is_constant(value.condition):
        value = value.then if constant_value(value.condition) else value.otherwise
    try:
        is_known = integer_constant(value) is not None
    except NotConstantError:
        is_known = isinstance(value, c.Constant) or (
            isinstance(value, c.Decay) and isinstance(value.operand, c.StringLiteral)
        )
    return constant_number(typing, node, INT, is_known)


def _choose(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_choose_expr(condition, then, otherwise)``."""
    condition = constant_integer(typing, (yield unevaluated(typing, node.arguments[0])), "the first argument")
    value: c.Expression = yield typed(typing, node.arguments[2 if condition == 0 else 1])
    return value


def _expanded(typing: Typing, node: c.CallExpression, name: str, text: str) -> Computation[c.Expression]:
    """A built-in function that is expressed in C, or its value if the argument is an integer constant."""
    from cpsconv.languages.c.meaning.expansions import LETTERS, NUMBERS, ON_BITS, arity, value_of_bits

    if len(node.arguments) != arity(text):
        return (yield from wrong_count(typing, node, arity(text)))
    examined = yield _examined(typing, node.arguments)
    if UNKNOWN in [each.type for each in examined]:
        return c.Erroneous(node.span)
    if name in NUMBERS and not any(is_floating_type(each.type) for each in examined):
        message = f"`{text_of(node.callee)}` needs a floating number, not {with_article(examined[-1].type)}"
        return rejected(typing, "type-mismatch", message, node, at=node.arguments[-1].span)
    number = _known(typing, examined[0]) if name in ON_BITS else None
    if number is not None:
        types = {"bswap16": UNSIGNED_SHORT, "bswap32": UNSIGNED, "bswap64": UNSIGNED_LONG}
        return constant_number(typing, node, types.get(name, INT), value_of_bits(name, number))
    if typing.is_file_scope:
        return rejected(typing, "not-constant", f"the value of `{text_of(node)}` is not a constant", node)
    arguments = dict(zip(LETTERS, node.arguments, strict=False))
    return (yield from _typed_expansion(typing, text, node, arguments))


def _atomic(typing: Typing, node: c.CallExpression, operation: Atomic) -> Computation[c.Expression]:
    """An operation on an atomic object."""
    if len(node.arguments) < operation.arity:
        wrong: c.Expression = yield wrong_count(typing, node, operation.arity)
        return wrong
    examined = yield _examined(typing, node.arguments)
    types = [each.type for each in examined]
    if UNKNOWN in types:
        return c.Erroneous(node.span)
    target = types[0].target if types and isinstance(types[0], Pointer) else None
    if operation.for_integers and (target is None or not is_integer_type(target)):
        message = f"`{text_of(node.callee)}` needs a pointer to an integer, not {with_article(types[0])}"
        return rejected(typing, "type-mismatch", message, node, at=node.arguments[0].span)
    arguments = dict(zip("ABC", node.arguments, strict=False))
    return (yield from _typed_expansion(typing, operation.text, node, arguments))


def _typed_expansion(
    typing: Typing, text: str, node: c.CallExpression, arguments: dict[str, c.Expression]
) -> Computation[c.Expression]:
    """The typed expansion of a call, without warnings about it; those about the arguments remain."""
    from cpsconv.languages.c.meaning.expansions import instantiated

    count = len(typing.errors.warnings)
    value: c.Expression = yield typed(typing, instantiated(text, node.span, arguments, typing.scopes.find))
    typing.errors.warnings[count:] = [each for each in typing.errors.warnings[count:] if each.span is not node.span]
    if isinstance(value, c.StatementExpression):
        value.expands = node
    return value


def _overflow(
    typing: Typing, node: c.CallExpression, op: str, fixed: CType | None, stores: bool
) -> Computation[c.Expression]:
    """``__builtin_add_overflow(a, b, &result)`` and similar functions, whose operands may have a `fixed` type.

    ``__builtin_add_overflow_p(a, b, value)`` stores no result, which would have the type of the value, an integer
    or bit-field. The value is evaluated for its effects only.
    """
    from cpsconv.languages.c.meaning.expansions import SYMBOLS, ResultType, overflow

    if len(node.arguments) != 3:
        return (yield from wrong_count(typing, node, 3))
    *operands, last = yield _examined(typing, node.arguments)
    types = [fixed or (each.type if is_integer_type(each.type) else promoted(each.type)) for each in operands]
    target = last.type.target if stores and isinstance(last.type, Pointer) else UNKNOWN if stores else last.type
    target = target.unqualified
    if UNKNOWN in (*types, target) or not all(is_integer_type(each) for each in (*types, target)):
        if UNKNOWN not in (*types, last.type):
            needed = "two integers, and a pointer to an integer" if stores else "three integers"
            message = f"`{text_of(node.callee)}` needs {needed}"
            typing.errors.report("type-mismatch", message, node.span)
        return c.Erroneous(node.span)
    numbers = [_known(typing, each) for each in operands]
    constants = [each for each in numbers if each is not None]
    of_result = ResultType(target.signed, target.bits) if stores else ResultType(*_precision(last))
    if not stores and len(constants) == 2:
        is_exact = of_result.fits(exact_result(SYMBOLS[op], *constants))
        constant = c.Constant(node.span, BOOL, not is_exact)
        return (yield from _after_effects(typing, node.arguments[2], constant))
    known = [-1 if each is None else each for each in numbers]
    text = overflow(op, of_result, [*zip(types, known, strict=True)], stores)
    if text is None:
        message = "checks of overflow on 128 bits, signed and unsigned, are not supported yet"
        return rejected(typing, "unsupported", message, node)
    arguments = dict(zip("ABP", node.arguments, strict=True))
    if fixed:
        arguments |= {name: _cast(fixed, arguments[name]) for name in "AB"}
    value = yield from _typed_expansion(typing, text, node, arguments)
    return value if stores else (yield from _after_effects(typing, node.arguments[2], value))


def _after_effects(typing: Typing, node: c.Expression, value: c.Expression) -> Computation[c.Expression]:
    """The value, after the evaluation of `node` for its effects, if it has any."""
    if not has_effect(node):
        return value
    effects = yield typed(typing, node)
    return c.Comma(value.span, c.Cast(node.span, VOID, effects), value, type=value.type)


def _examined(typing: Typing, nodes: Sequence[c.Expression]) -> Computation[list[c.Expression]]:
    """The arguments, for their types. If there are errors in them, they have the type `UNKNOWN`."""
    errors, found = len(typing.errors.found), []
    for node in nodes:
        found.append((yield unevaluated(typing, c.copied(node))))
    has_errors = len(typing.errors.found) > errors
    return [c.Erroneous(each.span) for each in found] if has_errors else found


def _known(typing: Typing, value: c.Expression) -> int | None:
    """The value of an integer constant expression; None if it is none."""
    try:
        return integer_constant(value)
    except NotConstantError:
        return None


def _division(typing: Typing, node: c.CallExpression, record: Record) -> Computation[c.Expression]:
    """``div(number, divisor)``: a struct with the quotient and the remainder."""
    if len(node.arguments) != 2:
        return (yield from wrong_count(typing, node, 2))
    span, type = node.span, record.named_fields[0].type
    values = yield typed_arguments(typing, node.arguments, [type, type])
    names = ("number", "divisor")
    operands = [t.temporary(name, type, span) for name in names]
    result = t.temporary("result", record, span)
    reads = [t.read(operand, span) for operand in operands]
    parts = [
        t.Part(t.member(t.use(result, span), field, span), c.Binary(span, op, *reads, type=type))
        for field, op in zip(record.named_fields, "/%", strict=True)
    ]
    declared = [t.Declare(operand, value) for operand, value in zip(operands, values, strict=True)]
    typing.function.note_objects()
    return t.after([*declared, t.Declare(result, None, parts)], t.read(result, span))


def _prefetch(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_prefetch(address, …)``: the arguments are evaluated."""
    values = yield _evaluated(typing, node.arguments)
    return c.Cast(node.span, VOID, values)


def _assume_aligned(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_assume_aligned(pointer, alignment, …)``: the pointer, as a ``void *``."""
    value = yield _evaluated(typing, node.arguments)
    return assigned(typing, pointer_to(VOID), value, node)


def _evaluated(typing: Typing, nodes: list[c.Expression]) -> Computation[c.Expression]:
    """The value of the first expression, after the evaluation of the others."""
    first, *others = nodes
    value: c.Expression = yield typed(typing, first)
    for each in others:
        other = yield typed(typing, each)
        value = value if isinstance(other, c.Constant) else c.Comma(value.span, other, value, type=value.type)
    return value


def _object_size(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_object_size(pointer, kind)``: unknown, as for gcc without optimisation."""
    kind = constant_integer(typing, (yield unevaluated(typing, node.arguments[1])), "the second argument")
    return constant_number(typing, node, UNSIGNED_LONG, 0 if kind and kind & 2 else (1 << 64) - 1)


def _classify_type(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_classify_type(value)``: the number of the kind of the type, in gcc's <typeclass.h>."""
    type = promoted((yield unevaluated(typing, node.arguments[0])).type)
    if isinstance(type, Complex):
        return constant_number(typing, node, INT, 9)
    if isinstance(type, Record):
        return constant_number(typing, node, INT, 13 if type.is_union else 12)
    kinds = {"void": 0, "integer": 1, "bool": 1, "pointer": 5, "float": 8}
    return constant_number(typing, node, INT, kinds.get(type.kind, -1))


def _abort(typing: Typing, node: c.CallExpression) -> c.Expression:
    node.operation, node.type = "abort", VOID
    return node


def _infinity(typing: Typing, node: c.CallExpression) -> c.Expression:
    type = _floating_type(typing, node)
    return c.Constant(node.span, type, LongDouble.of(math.inf) if type is LONG_DOUBLE else math.inf)


def _not_a_number(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_nan("payload")``; a call of the library if the payload is no number that is known.

    ``__builtin_nans`` is the signalling NaN, which has a payload.
    """
    texts = t.texts_within((yield unevaluated(typing, c.copied(node.arguments[0]))))
    tag = texts[0].operand.text if len(texts) == 1 and isinstance(texts[0], c.Decay) else "?"
    digits = re.fullmatch("(0[xX](?P<hex>[0-9a-fA-F]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))?", tag)
    name = text_of(node.callee).removeprefix("__builtin_")
    is_signalling = name.startswith("nans")
    if digits is None and is_signalling:
        return rejected(typing, "unsupported", f"`{name}` of an unknown payload is not supported", node)
    if digits is None:
        call: c.Expression = yield library_call(typing, node, name, LIBRARY[name])
        return call
    bases = {"hex": 16, "oct": 8, "dec": 10}
    payload = next((int(each, bases[base]) for base, each in digits.groupdict().items() if each), 0)
    type = _floating_type(typing, node)
    if type is LONG_DOUBLE:
        payload &= (1 << 62) - 1
        significand = 2 << 62 | (payload or 1 << 61) if is_signalling else 3 << 62 | payload
        return c.Constant(node.span, type, LongDouble(False, 0x7FFF, significand))
    if is_signalling:
        return c.Constant(node.span, type, not_a_number(payload, is_signalling=True))
    shifted = (payload & (1 << 22) - 1) << 29 if type is FLOAT else payload
    return c.Constant(node.span, type, not_a_number(shifted))


def _floating_type(typing: Typing, node: c.CallExpression) -> CType:
    """The type that the suffix of the called function denotes."""
    [suffix] = re.findall("(?:inf|nans?|huge_val)([fl]?)$", text_of(node.callee))
    return {"": DOUBLE, "f": FLOAT, "l": LONG_DOUBLE}[suffix]


_OPERANDS: dict[tuple[str, str], CType] = {
    ("s", ""): INT, ("u", ""): UNSIGNED,
    ("s", "l"): LONG, ("u", "l"): UNSIGNED_LONG, ("s", "ll"): LONG_LONG, ("u", "ll"): UNSIGNED_LONG_LONG,
}  # fmt: skip
"""The types of the operands of ``__builtin_saddl_overflow`` and similar functions, by letters in their names."""

_OF_FRAMES = {"return_address", "extract_return_addr", "frob_return_addr"}

_DIVISIONS = {"div": DIV, "ldiv": LDIV, "lldiv": LLDIV, "imaxdiv": LDIV}
"""The library functions that return a quotient and a remainder."""

_CLASSIFICATIONS = {"isinf": "isinf_sign", "fpclassify": "fpclassify_of"}
_CLASSIFICATIONS |= {name: name for name in ("isnan", "isfinite", "isnormal", "signbit", "isunordered", "isgreater")}
_CLASSIFICATIONS |= {name: name for name in ("isgreaterequal", "isless", "islessequal", "islessgreater")}
"""The macros of <math.h>, each with the built-in function that it calls."""

_RULES: dict[str, tuple[int, Callable[[Any, c.CallExpression], Step[c.Expression]]]] = {
    "va_start": (-1, va_start),
    "prefetch": (-1, _prefetch),
    "assume_aligned": (-1, _assume_aligned),
    "object_size": (2, _object_size),
    "va_end": (1, va_end),
    "va_copy": (2, va_copy),
    "expect": (2, _expect),
    "expect_with_probability": (3, _expect),
    "constant_p": (1, _constant_p),
    "choose_expr": (3, _choose),
    "classify_type": (1, _classify_type),
    "complex": (2, make_complex),
    "shuffle": (-1, shuffle),
    "unreachable": (0, _abort),
    "trap": (0, _abort),
    **dict.fromkeys(["inf", "inff", "infl", "huge_val", "huge_valf", "huge_vall"], (0, _infinity)),
    **dict.fromkeys(["nan", "nanf", "nanl", "nans", "nansl"], (1, _not_a_number)),
}
"""The built-in functions, each with the number of its arguments, or -1 for one or more."""


_OVERFLOW = r"(?P<sign>[su])?(?P<op>add|sub|mul)(?(sign)(?P<length>l{0,2})_overflow|_overflow(_p)?)"

_OF_GRAMMAR = {"va_arg", "offsetof", "types_compatible_p", "convertvector"}


def has_builtin(name: str) -> bool:
    """Whether there is a built-in function of that name: the value of ``__has_builtin(name)``."""
    if name.startswith(("__sync_", "__atomic_")):
        from cpsconv.languages.c.meaning.atomics import atomic  # late: few programs need them

        return atomic(name, False) is not None
    from cpsconv.languages.c.meaning.expansions import EXPANSIONS  # late, too

    short = name.removeprefix("__builtin_")
    if short in LIBRARY:
        return True
    return short != name and (
        short in _RULES or short in EXPANSIONS or short in _OF_GRAMMAR or re.fullmatch(_OVERFLOW, short) is not None
    )


def _cast(type: CType, operand: c.Expression) -> c.Cast:
    """The operand, cast to a type."""
    span = operand.span
    specifiers = c.Specifiers(span, type)
    return c.Cast(span, type, operand, c.TypeName(span, specifiers, c.Declarator(span, None, [])))


def _precision(value: c.Expression) -> tuple[bool, int]:
    """Whether an integer is signed, and its bits; of a bit-field, before it is promoted."""
    match t.unconverted(value):
        case c.Read(operand=c.Member(field=field), type=type) if field.bits is not None:
            return type.signed, field.bits
    return value.type.signed, value.type.bits
