"""Built-in functions of GNU C that are expressed in C: on the bits of integers, and arithmetic that checks overflow.

An expansion is a statement expression, which is parsed once, and copied for each call. ``A``, ``B`` and ``P`` in it are
the arguments of the call. The names of its variables begin with two underscores, so that they hide none of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from cpsconv.core.ir import SETJMP
from cpsconv.core.nodes import replace
from cpsconv.core.source import Source, Span
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.records import Record, register_classes
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import DOUBLE, LONG, LONG_DOUBLE, VOID, CType, FunctionType, is_floating_type
from cpsconv.platform.argument_passing import GENERAL_REGISTERS, INTEGER, MAX_DESCRIBED, NO_CLASS, SSE, VECTOR_REGISTERS

# ------------------------------------------------------------------------------------------------------------ bits

_COUNT = """__x = __x - ((__x >> 1) & 0x5555555555555555);
    __x = (__x & 0x3333333333333333) + ((__x >> 2) & 0x3333333333333333);
    __x = (__x + (__x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    __x = (__x * 0x0101010101010101) >> 56;"""
"""The number of ones in the variable (Warren, Hacker's Delight, section 5-1)."""

_SPREAD = "".join(f"__x = __x | (__x >> {1 << step});" for step in range(6))
"""All bits after the first one become ones."""

_BITS = {
    "popcount": f"({{ unsigned long __x = (TYPE)A; {_COUNT} (int)__x; }})",
    "parity": f"({{ unsigned long __x = (TYPE)A; {_COUNT} (int)(__x & 1); }})",
    "ctz": f"({{ unsigned long __x = (TYPE)A; __x = (__x & -__x) - 1; {_COUNT} (int)__x; }})",
    "clz": f"({{ unsigned long __x = (TYPE)A; {_SPREAD} {_COUNT} WIDTH - (int)__x; }})",
    "ffs": f"""({{ unsigned long __x = (TYPE)A; int __found = __x != 0; __x = (__x & -__x) - 1; {_COUNT}
        __found ? (int)__x + 1 : 0; }})""",
    "clrsb": f"""({{ long __s = (signed TYPE)(TYPE)A; unsigned long __x = __s ^ (__s >> 63); {_SPREAD} {_COUNT}
        WIDTH - 1 - (int)__x; }})""",
}
_SWAPS = {
    "bswap16": "({ unsigned __x = (unsigned short)A; (unsigned short)((__x << 8) | (__x >> 8)); })",
    "bswap32": """({ unsigned __x = A; __x = ((__x & 0xff00ff) << 8) | ((__x >> 8) & 0xff00ff);
        (__x << 16) | (__x >> 16); })""",
    "bswap64": """({ unsigned long __x = A; __x = ((__x & 0xff00ff00ff00ff) << 8) | ((__x >> 8) & 0xff00ff00ff00ff);
        __x = ((__x & 0xffff0000ffff) << 16) | ((__x >> 16) & 0xffff0000ffff); (__x << 32) | (__x >> 32); })""",
}
_LEAST = "__builtin_choose_expr(sizeof __x == 16, 0x1p-16382L, sizeof __x == 4 ? 0x1p-126 : 0x1p-1022)"
_MAGNITUDE = "(__x < 0 ? -__x : __x)"
_COMPARISONS = {"isgreater": "__x > __y", "isgreaterequal": "__x >= __y", "isless": "__x < __y"}
_COMPARISONS |= {"islessequal": "__x <= __y", "islessgreater": "__x < __y || __x > __y"}
_COMPARISONS |= {"isunordered": "__x != __x || __y != __y"}
NUMBERS = {
    "isnan": "({ __auto_type __x = A; __x != __x; })",
    "isinf": "({ __auto_type __x = A; __x - __x != __x - __x && __x == __x; })",
    "isfinite": "({ __auto_type __x = A; __x - __x == __x - __x; })",
    "isinf_sign": "({ __auto_type __x = A; __x - __x == __x - __x || __x != __x ? 0 : __x < 0 ? -1 : 1; })",
    "isnormal": f"({{ __auto_type __x = A; {_MAGNITUDE} >= {_LEAST} && __x - __x == 0; }})",
    "signbit": "({ double __x = A; __builtin_copysign(1, __x) < 0; })",
    "fpclassify": f"""({{ __auto_type __x = F;
        __x != __x ? A : __x - __x != 0 ? B : __x == 0 ? E : {_MAGNITUDE} < {_LEAST} ? D : C; }})""",
    **{name: f"({{ __auto_type __x = A; __auto_type __y = B; {test}; }})" for name, test in _COMPARISONS.items()},
}
"""The functions on floating numbers."""

_CLASSES = {"A": "0", "B": "1", "C": "4", "D": "3", "E": "2", "F": "A"}
NUMBERS["fpclassify_of"] = re.sub(r"\b[A-F]\b", lambda letter: _CLASSES[letter[0]], NUMBERS["fpclassify"])
"""The macro `fpclassify`."""

NUMBERS["finite"] = NUMBERS["isfinite"]
for _suffix, _type in (("f", "float"), ("l", "long double")):
    for _name in ("isnan", "isinf", "finite", "signbit"):
        NUMBERS[_name + _suffix] = re.sub(r"__auto_type|\bdouble\b", _type, NUMBERS[_name])


def _all_on_bits() -> dict[str, str]:
    found = {**_SWAPS}
    for name, text in _BITS.items():
        found[name] = text.replace("signed TYPE", "int").replace("TYPE", "unsigned").replace("WIDTH", "32")
        long = text.replace("signed TYPE", "long").replace("TYPE", "unsigned long").replace("WIDTH", "64")
        found[f"{name}l"] = found[f"{name}ll"] = long
    return found


ON_BITS = _all_on_bits()
"""The functions on the bits of integers."""

EXPANSIONS = {**ON_BITS, **NUMBERS, "frame_address": "({ char __frame = A; (void *)&__frame; })"}
"""The expansions of built-in functions, by name."""

LETTERS = "ABCDEF"


def arity(text: str) -> int:
    """The number of arguments in an expansion."""
    return sum(bool(re.search(rf"\b{letter}\b", text)) for letter in LETTERS)


def value_of_bits(name: str, value: int) -> int:
    """The value of a built-in function on bits for a constant argument."""
    stem = name.rstrip("l")
    if stem in _SWAPS:
        size = int(stem.removeprefix("bswap")) // 8
        return int.from_bytes((value % (1 << 8 * size)).to_bytes(size, "big"), "little")
    width = 64 if name.endswith("l") else 32
    bits = value % (1 << width)
    lowest = (bits & -bits).bit_length()
    is_negative = bits >> (width - 1)
    others = bits ^ ((1 << width) - 1) if is_negative else bits
    values = {"popcount": bits.bit_count(), "ctz": lowest - 1 if bits else 64, "clz": width - bits.bit_length()}
    values |= {"parity": bits.bit_count() & 1, "ffs": lowest, "clrsb": width - 1 - others.bit_length()}
    return values[stem]


# -------------------------------------------------------------------------------------------------------- overflow

_SIGNED_OVERFLOWS = {
    "add": "((__a ^ __w) & (__b ^ __w)) < 0",
    "sub": "((__a ^ __b) & (__a ^ __w)) < 0",
    "mul": "__a == 0 ? 0 : __a == -1 ? __b == (SIGNED)1 << (8 * sizeof __b - 1) : __w / __a != __b",
}
_UNSIGNED_OVERFLOWS = {"add": "__w < __a", "sub": "__a < __b", "mul": "__a != 0 && __w / __a != __b"}
"""Whether the result `w` is not exact."""

SYMBOLS = {"add": "+", "sub": "-", "mul": "*"}
"""The operators for the names of operations."""

_TYPES = {8: "char", 16: "short", 32: "int", 64: "long", 128: "__int128"}
"""The types by their bits. Results are computed in the last two."""


class ResultType(NamedTuple):
    """The type of the result of an operation: an integer type or, with fewer `bits`, that of a bit-field."""

    signed: bool
    bits: int

    def fits(self, value: int) -> bool:
        """Whether the type has the value."""
        least = -1 << self.bits - 1 if self.signed else 0
        return 0 <= value - least < 1 << self.bits


def overflow(op: str, type: ResultType, operands: Sequence[tuple[CType, int]], stores: bool) -> str | None:
    """The expansion of an operation with the result `type`, ``add``, ``sub`` or ``mul``, on `A` and `B`.

    The operands have these types, and the values if those are known and not negative. If it `stores` the result, it
    does so at the pointer `P`. Returns None if 128 bits do not determine whether the result is exact.
    """
    least = max(type.bits, *(each.bits for each, _ in operands))
    found = (_overflow(op, type, operands, stores, bits) for bits in (64, 128) if bits >= least)
    return next(filter(None, found), None)


def _overflow(op: str, type: ResultType, operands: Sequence[tuple[CType, int]], stores: bool, bits: int) -> str | None:
    """The expansion in which the operands are converted to a type with these bits, which has their values."""
    are_signed = all(each.signed or each.bits < bits or 0 <= value < 1 << bits - 1 for each, value in operands)
    are_unsigned = all(not each.signed or value >= 0 for each, value in operands)
    are_narrow = all(each.bits < bits for each, _ in operands)
    is_signed = not are_unsigned or (are_signed and op != "mul")
    needs_more = op == "mul" and is_signed and not are_narrow and type.bits == bits and not type.signed
    if needs_more or not (are_signed or are_unsigned):
        return None
    wide = "SIGNED" if is_signed else "UNSIGNED"
    text = f"""({{ {wide} __a = A, __b = B; {"__auto_type __p = P;" * stores}
        {wide} __w = ({wide})((UNSIGNED)__a {SYMBOLS[op]} (UNSIGNED)__b);
        {_narrowed(type, bits)} {"*__p = __v;" * stores}
        (_Bool)({_is_inexact(op, type, is_signed, type.bits == bits)}); }})"""
    return text.replace("UNSIGNED", f"unsigned {_TYPES[bits]}").replace("SIGNED", _TYPES[bits])


def _narrowed(type: ResultType, bits: int) -> str:
    """The declaration of `v`: `w`, which has these bits, converted to `type`."""
    name = f"{'signed' if type.signed else 'unsigned'} {_TYPES.get(type.bits, _TYPES[bits])}"
    if type.bits in _TYPES:
        return f"{name} __v = ({name})__w;"
    return f"{name} __v = ({name})((UNSIGNED)__w << {bits - type.bits}) >> {bits - type.bits};"


def _is_inexact(op: str, type: ResultType, is_signed: bool, is_wide: bool) -> str:
    """The condition that `v`, which is `w` converted to `type`, is not the exact result."""
    overflows = f"({(_SIGNED_OVERFLOWS if is_signed else _UNSIGNED_OVERFLOWS)[op]})"
    differs = "" if is_wide else f" || ({'SIGNED' if is_signed else 'UNSIGNED'})__v != __w"
    if is_signed:
        if not is_wide or type.signed:
            return overflows + differs
        return f"(__w < 0) != {overflows}"
    if not type.signed:
        return overflows + differs
    if op == "sub":  # the difference may be negative
        return "(SIGNED)__v != (SIGNED)__w || (__a < __b) != (__v < 0)"
    return f"{overflows} || __v < 0{differs}"


# ---------------------------------------------------------------------------------------------- library functions


def library_call(name: str, type: FunctionType) -> str | None:
    """The call of a library function with the parameters of a function of its type, which are `P0`, `P1` and so on.

    A variadic function is called by the function that takes a `va_list` instead. Returns None if there is none.
    """
    if LIBRARY[name].operation in (SETJMP, "allocate") or name == SETJMP:
        return None  # belongs to the function that calls it
    parameters = _parameters(type)
    if not type.variadic:
        return f"__builtin_{name}({parameters})"
    listed = f"v{name}"
    if listed not in LIBRARY:
        return None
    return _with_list(type, f"__builtin_{listed}({parameters}, __l)")


def external_call(type: FunctionType) -> str:
    """The call of `FUNCTION`, an external one of that type, with `P0`, `P1` and so on.

    Variable arguments are passed in all registers for arguments that are left, and on the stack: that is correct for
    all numbers and types of scalars of at most 8 bytes (see `argument_passing.described`).
    """
    parameters = _parameters(type)
    if not type.variadic:
        return f"FUNCTION({parameters})"
    left = registers_left(type)
    words = [(1, left[1], "double"), (0, left[0], "word"), (2, MAX_DESCRIBED, "word")]
    passed = [
        f"__builtin___va_{name}(__l, {left[0]}, {left[1]}, {kind}, {number})"
        for kind, count, name in words
        for number in range(count)
    ]
    return _with_list(type, f"FUNCTION({', '.join([parameters, *passed])})")


def _parameters(type: FunctionType) -> str:
    return ", ".join(f"P{number}" for number in range(len(type.parameters)))


def _with_list(type: FunctionType, call: str) -> str:
    """The call with the list `l` of the variable arguments."""
    last = len(type.parameters) - 1
    declared, value = ("", "") if type.result is VOID else ("__auto_type __r = ", " __r;")
    return f"""({{ __builtin_va_list __l; __builtin_va_start(__l, P{last});
        {declared}{call}; __builtin_va_end(__l);{value} }})"""


def registers_left(type: FunctionType) -> tuple[int, int]:
    """The numbers of general and vector registers that the parameters of a function leave for further arguments."""
    registers = Registers(type)
    return registers.general, registers.vector


class Registers:
    """The registers that the arguments of a function leave, after those for its named parameters."""

    def __init__(self, type: FunctionType) -> None:
        self.general, self.vector = GENERAL_REGISTERS, VECTOR_REGISTERS
        if isinstance(type.result, Record) and not register_classes(type.result):
            self.general -= 1  # for the address of the result
        for each in type.parameters:
            self._take(_classes(each))

    def pass_words(self, type: CType) -> Sequence[CType] | None:
        """Pass an argument of the type. Returns the types of its words.

        If the words of a struct cannot be passed in its place, the result is None: in memory, while registers are left.
        """
        classes = _classes(type)
        if (
            classes
            and NO_CLASS not in classes
            and (self._take(classes) or (INTEGER not in classes and not self.vector))
        ):
            return [DOUBLE if each == SSE else LONG for each in classes]
        is_possible = self.general == 0 and type.size > 0 and type.alignment <= 8
        return [LONG] * (-(-type.size // 8)) if is_possible else None

    def _take(self, classes: Sequence[str]) -> bool:
        """Use registers for words of these classes, if all are left. Returns whether they are."""
        general, vector = self.general - classes.count(INTEGER), self.vector - classes.count(SSE)
        if general < 0 or vector < 0:
            return False
        self.general, self.vector = general, vector
        return True


def _classes(type: CType) -> Sequence[str]:
    """The classes of the words of an argument; none if it is passed in memory."""
    if isinstance(type, Record):
        return register_classes(type) or ()
    return () if type is LONG_DOUBLE else (SSE if is_floating_type(type) else INTEGER,) * (-(-type.size // 8))


# ---------------------------------------------------------------------------------------------------------- copies


def instantiated(
    text: str, span: Span, arguments: Mapping[str, c.Expression], is_taken: Callable[[str], Any]
) -> c.Expression:
    """The syntax tree of an expansion, for a call with that span and these arguments.

    Its variables get other names if their own are taken: in the program, or by an expansion around this one.
    """
    names = {name: _unique(name, is_taken) for name in re.findall(r"\b__(?!auto_type|typeof)[a-z]+\b", text)}
    copied: c.Expression = _Copier(span, arguments, names).copied(_parsed(text))
    return copied


def _unique(name: str, is_taken: Callable[[str], Any]) -> str:
    while is_taken(name):
        name += "_"
    return name


@cache
def _parsed(text: str) -> c.Expression:
    [function] = parse(Source("built-in", f"void f(void) {{ {text}; }}")).items
    assert isinstance(function, c.FunctionDefinition)
    [statement] = function.body.items
    assert isinstance(statement, c.ExpressionStatement) and statement.expression
    return statement.expression


class _Copier:
    """Copies a tree, with another span, arguments for some names, and other names of variables."""

    def __init__(self, span: Span, arguments: Mapping[str, c.Expression], names: Mapping[str, str]) -> None:
        self._span = span
        self._arguments = arguments
        self._names = names

    def copied(self, part: Any) -> Any:
        """The copy of a node, or of a part of one."""
        if isinstance(part, c.Name) and part.name in self._arguments:
            return self._arguments[part.name]
        if isinstance(part, str):
            return self._names.get(part, part)
        if isinstance(part, Span):
            return self._span
        if isinstance(part, (list, tuple)):
            return type(part)(map(self.copied, part))
        if isinstance(part, dict):
            return {key: self.copied(each) for key, each in part.items()}
        if not isinstance(part, c.Node):
            return part
        return replace(part, **{name: self.copied(getattr(part, name)) for name in type(part).__match_args__})
