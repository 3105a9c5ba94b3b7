"""Structs and unions: their fields, with the offsets that gcc gives them on x86-64 Linux.

The layout is that of the System V ABI: each field at the next offset that is aligned. A bit-field is at the next bit,
unless it would cross a boundary between two objects of its declared type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cpsconv.abi.argument_passing import classes_of
from cpsconv.core import ir
from cpsconv.core.layout import MAX_ALIGNMENT
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span
from cpsconv.languages.c.types import (
    CHAR,
    INT,
    LONG,
    LONG_LONG,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Array,
    CType,
    Enum,
    Pointer,
    VariableArray,
    array_of,
    element_of,
    function_of,
    pointer_to,
    qualified,
    variants,
)


class Field(metaclass=NodeType):
    """A field of a struct or union. `name` is None for an anonymous struct or union, and for padding.

    `bits` is the width of a bit-field, or None. A bit-field is at `bit_offset` in the object of its declared type at
    `offset`, which is aligned; it crosses the end of this object only in a packed struct. `alignment` is that of an
    attribute, or 0; in a complete record, that of the field, unless it is a bit-field. `number` is the position among
    the fields that are no padding. It and the offsets are known as soon as the record is complete.
    """

    name: str | None
    type: CType
    span: Span | None = None
    bits: int | None = None
    alignment: int = 0
    is_packed: bool = False
    offset: int = 0
    bit_offset: int = 0
    number: int = 0

    @property
    def is_flexible(self) -> bool:
        """Whether the field is an array without a length, which is the last one of its struct."""
        return type(self.type) is Array and self.type.length is None

    @property
    def is_padding(self) -> bool:
        """Whether the field is a bit-field without a name."""
        return self.name is None and self.bits is not None

    @property
    def is_anonymous(self) -> bool:
        """Whether the field is a struct or union whose fields are accessed like those of the record around it."""
        return self.name is None and self.bits is None


class Record(CType):
    """A struct or union. It has an identity: two records with equal fields are different types.

    `keyword` is ``struct`` or ``union``. `fields` is None until `complete` is called. `hint` is the name in the program
    of a record without a tag: that of the first type name, variable or field that is declared with it. To a parameter
    whose type is a union that `is_transparent`, values of the types of its members can be passed. `paths` has for each
    name the fields that lead to the field: several if it is in anonymous structs or unions.
    """

    __slots__ = ("fields", "hint", "is_transparent", "keyword", "paths", "span", "tag")

    def __init__(self, keyword: str, tag: str | None, span: Span | None = None) -> None:
        super().__init__(f"{keyword} {tag or '<unnamed>'}", ir.VOID)
        self.keyword = keyword
        self.tag = self.hint = tag
        self.span = span
        self.fields: list[Field] | None = None
        self.is_transparent = False
        self.paths: dict[str, tuple[Field, ...]] = {}

    @property
    def is_union(self) -> bool:
        """Whether all fields are at offset 0."""
        return self.keyword == "union"

    def complete(
        self, fields: Sequence[Field], is_packed: bool = False, alignment: int = 0, limit: int = MAX_ALIGNMENT
    ) -> None:
        """Complete the type: lay out the fields.

        `alignment` is that of an attribute of the record, `limit` the maximal alignment of its fields.
        """
        layout = _Layout(self.is_union, is_packed, limit)
        for field in fields:
            layout.add(field)
        paths: dict[str, tuple[Field, ...]] = {}
        for number, field in enumerate(field for field in fields if not field.is_padding):
            field.number = number
            if field.name is not None:
                paths[field.name] = (field,)
            elif isinstance(inner := field.type, Record):
                paths |= {name: (field, *path) for name, path in inner.unqualified.paths.items()}
        full = max(layout.alignment, alignment)
        depth = 1 + max((field.type.depth for field in fields), default=0)
        for each in variants(self):
            each.fields, each.paths, each.depth = [*fields], paths, depth
            each.alignment, each.size = full, -(-layout.bytes // full) * full

    @property
    def named_fields(self) -> list[Field]:
        """The fields that an initialiser initialises: all but the padding."""
        return [field for field in self.fields or () if not field.is_padding]

    @property
    def is_flexible(self) -> bool:
        """Whether the last field is an array without a length."""
        return bool(self.fields) and self.fields[-1].is_flexible  # type: ignore[index]


class _Layout:
    """The layout of a record so far: `bits` are taken, and `bytes` is the size before the padding at the end."""

    def __init__(self, is_union: bool, is_packed: bool, limit: int) -> None:
        self._is_union = is_union
        self._is_packed = is_packed
        self._limit = limit
        self._bits = 0
        self.bytes = 0
        self.alignment = 1

    def add(self, field: Field) -> None:
        """Place the next field."""
        if self._is_union:
            self._bits = 0
        is_packed, is_limited = self._is_packed or field.is_packed, self._limit < MAX_ALIGNMENT
        is_byte = is_packed and not (field.bits is not None and is_limited)  # as in gcc
        alignment = min(max(1 if is_byte else field.type.alignment, field.alignment), self._limit)
        if field.bits is None:
            field.alignment = alignment
            self._align(8 * alignment)
            field.offset, field.bit_offset = self._bits // 8, 0
            self._bits += 8 * field.type.size
        else:
            self._add_bits(field, field.bits, is_packed or is_limited)
        if not field.is_padding:
            self.alignment = max(self.alignment, alignment)
        self.bytes = max(self.bytes, -(-self._bits // 8))

    def _add_bits(self, field: Field, bits: int, may_cross: bool) -> None:
        unit, unit_alignment = 8 * field.type.size, 8 * field.type.alignment
        if bits == 0:
            self._align(max(unit_alignment, 8 * field.alignment))
        elif field.alignment:
            self._align(8 * min(field.alignment, self._limit))
        elif not may_cross and self._bits % unit_alignment + bits > unit:
            self._align(unit_alignment)
        field.offset = self._bits // unit * field.type.size
        field.bit_offset = self._bits - 8 * field.offset
        self._bits += bits

    def _align(self, bits: int) -> None:
        self._bits = -(-self._bits // bits) * bits


def name_after(type: CType, name: str | None) -> None:
    """Name a record, also behind arrays and pointers, after what is declared with it first."""
    while isinstance(type, (Array, Pointer)):
        type = type.element if isinstance(type, Array) else type.target
    record = type.unqualified
    if isinstance(record, Record) and record.hint is None:
        record.hint = name


def is_complete(type: CType) -> bool:
    """Whether the size of objects of the type is known, at run time at least; `void` and functions are not complete."""
    inner = element_of(type)
    known = inner.fields is not None if isinstance(inner, Record) else bool(inner.size)
    if isinstance(inner, Enum):
        known = inner.is_complete
    while known and isinstance(type, Array):
        known = type.length is not None or isinstance(type, VariableArray)
        type = type.element
    return known


def register_classes(record: Record) -> tuple[str, ...] | None:
    """The classes of the eightbytes of a record that C passes by value in registers; None if it passes it in memory."""
    return classes_of(record.size, _scalars(record, 0))


def bytes_in_words(record: Record, words: Sequence[CType]) -> Record:
    """The union of a record and a struct of words of these types."""
    key = "words", *words
    found: Any = record.unqualified.derived.get(key)
    if found is None:
        fields = [Field(f"word{number}", each) for number, each in enumerate(words)]
        inner, found = Record("struct", "words"), Record("union", f"words_of_{record.hint or record.keyword}")
        inner.complete(fields)
        found.complete([Field("source", record.unqualified), Field("words", inner)])
        record.unqualified.derived[key] = found
    return found  # type: ignore[no-any-return]


def _scalars(type: CType, offset: int) -> Iterator[tuple[ir.Scalar, int]]:
    """The scalars in a record of at most 16 bytes, with their offsets. Bit-fields count as their bytes."""
    type = type.unqualified
    if isinstance(type, Record) and type.size <= 16:
        for field in type.named_fields:
            if field.bits is None:
                yield from _scalars(field.type, offset + field.offset)
            else:
                first, last = field.bit_offset // 8, (field.bit_offset + field.bits - 1) // 8
                yield from ((ir.CHAR, offset + field.offset + at) for at in range(first, last + 1))
    elif isinstance(type, Array):
        for index in range(type.length or 0):
            yield from _scalars(type.element, offset + index * type.element.size)
    elif type.size:
        yield type.program, offset


def _of_header(name: str, fields: Mapping[str, CType], alignment: int = 0) -> Record:
    """A struct that a header defines: one with a tag, as ``struct tm``, or a type name, as ``div_t``."""
    record = Record("struct", name.removeprefix("struct ") if name.startswith("struct ") else None)
    record.own_name = name
    record.complete([Field(field, type) for field, type in fields.items()], alignment=alignment)
    return record


VA_LIST_RECORD = _of_header(
    "struct __va_list_tag",
    {"gp_offset": UNSIGNED, "fp_offset": UNSIGNED}
    | dict.fromkeys(["overflow_arg_area", "reg_save_area"], pointer_to(VOID)),
)
VA_LIST = array_of(VA_LIST_RECORD, 1)
"""The type `va_list`, an array of one struct of 24 bytes, and this struct."""

DIV = _of_header("div_t", {"quot": INT, "rem": INT})
LDIV = _of_header("ldiv_t", {"quot": LONG, "rem": LONG})
LLDIV = _of_header("lldiv_t", {"quot": LONG_LONG, "rem": LONG_LONG})
"""The types `div_t`, `ldiv_t` and `lldiv_t`."""


MAX_ALIGN = _of_header("max_align_t", {"__max_align_ll": LONG_LONG, "__max_align_ld": array_of(CHAR, 16)}, alignment=16)
"""The type `max_align_t`, of 32 bytes. An array of characters replaces its `long double`."""


_POINTERS_OF_FILE = """_IO_read_ptr _IO_read_end _IO_read_base _IO_write_base _IO_write_ptr _IO_write_end _IO_buf_base
    _IO_buf_end _IO_save_base _IO_backup_base _IO_save_end"""


def _file() -> Record:
    file = Record("struct", "_IO_FILE")
    file.own_name = "FILE"
    types: dict[str, CType] = {"_flags": INT, **dict.fromkeys(_POINTERS_OF_FILE.split(), pointer_to(CHAR))}
    types |= {"_markers": pointer_to(VOID), "_chain": pointer_to(file)}
    types |= {"_fileno": INT, "_flags2": INT, "_old_offset": LONG}
    types |= {"_cur_column": UNSIGNED_SHORT, "_vtable_offset": SIGNED_CHAR, "_shortbuf": array_of(CHAR, 1)}
    types |= {"_lock": pointer_to(VOID), "_offset": LONG}
    types |= dict.fromkeys(["_codecvt", "_wide_data"], pointer_to(VOID))
    types |= {"_freeres_list": pointer_to(file), "_freeres_buf": pointer_to(VOID)}
    types |= {"__pad5": UNSIGNED_LONG, "_mode": INT, "_unused2": array_of(CHAR, 20)}
    file.complete([Field(name, type) for name, type in types.items()])
    return file


FILE = _file()
"""The type `FILE`, as in glibc."""

MULTIBYTE_STATE = _of_header("mbstate_t", {"__count": INT, "__value": UNSIGNED})
"""The type `mbstate_t`."""

FILE_POSITION = _of_header("fpos_t", {"__pos": LONG, "__state": LONG})
"""The type `fpos_t`."""

TIME = _of_header(
    "struct tm",
    {f"tm_{name}": INT for name in ("sec", "min", "hour", "mday", "mon", "year", "wday", "yday", "isdst")}
    | {"tm_gmtoff": LONG, "tm_zone": pointer_to(qualified(CHAR, ["const"]))},
)
"""The type `struct tm`, as in glibc."""

JUMP_RECORD = _of_header(
    "struct __jmp_buf_tag",
    {"__jmpbuf": array_of(LONG, 8), "__mask_was_saved": INT, "__saved_mask": array_of(UNSIGNED_LONG, 16)},
)
JUMP_BUFFER = array_of(JUMP_RECORD, 1)
"""The type `jmp_buf`, as large as in glibc, and that of its element."""

OPTION = _of_header(
    "struct option",
    {"name": pointer_to(qualified(CHAR, ["const"])), "has_arg": INT, "flag": pointer_to(INT), "val": INT},
)
"""The type `struct option` of <getopt.h>."""

TIME_SPAN = _of_header("struct timespec", {"tv_sec": LONG, "tv_nsec": LONG})
TIME_OF_DAY = _of_header("struct timeval", {"tv_sec": LONG, "tv_usec": LONG})
"""The types `struct timespec` and `struct timeval`."""

_CONVENTIONS = """decimal_point thousands_sep grouping int_curr_symbol currency_symbol mon_decimal_point
    mon_thousands_sep mon_grouping positive_sign negative_sign"""
_MONETARY = """int_frac_digits frac_digits p_cs_precedes p_sep_by_space n_cs_precedes n_sep_by_space p_sign_posn
    n_sign_posn int_p_cs_precedes int_p_sep_by_space int_n_cs_precedes int_n_sep_by_space int_p_sign_posn
    int_n_sign_posn"""
CONVENTIONS = _of_header(
    "struct lconv", dict.fromkeys(_CONVENTIONS.split(), pointer_to(CHAR)) | dict.fromkeys(_MONETARY.split(), CHAR)
)
"""The type `struct lconv`."""

SIGNAL_HANDLER = pointer_to(function_of(VOID, [INT]))
"""The type of signal handlers."""

SIGNAL_SET = _of_header("sigset_t", {"__val": array_of(UNSIGNED_LONG, 16)})
"""The type `sigset_t`."""

SIGNAL_ACTION = _of_header(
    "struct sigaction",
    {
        "sa_handler": SIGNAL_HANDLER,
        "sa_mask": SIGNAL_SET,
        "sa_flags": INT,
        "sa_restorer": pointer_to(function_of(VOID, [])),
    },
)
"""The type `struct sigaction`, without `sa_sigaction`."""

TAGS: dict[str, dict[str, Record]] = {
    "getopt.h": {"option": OPTION},
    "locale.h": {"lconv": CONVENTIONS},
    "signal.h": {"sigaction": SIGNAL_ACTION},
    "setjmp.h": {"__jmp_buf_tag": JUMP_RECORD},
    "stdio.h": {"_IO_FILE": FILE},
    "bits/types/struct_FILE.h": {"_IO_FILE": FILE},
    "bits/types/struct___jmp_buf_tag.h": {"__jmp_buf_tag": JUMP_RECORD},
    "bits/types/struct_timespec.h": {"timespec": TIME_SPAN},
    "bits/types/struct_timeval.h": {"timeval": TIME_OF_DAY},
    "bits/types/struct_tm.h": {"tm": TIME},
    "sys/time.h": {"timeval": TIME_OF_DAY},
    "time.h": {"tm": TIME, "timespec": TIME_SPAN},
}
"""The structs with tags that headers define."""


def of_one_header(one: CType, other: CType) -> bool:
    """Whether one of the types is that of a header here, and the other one is defined by the header of the system."""
    if not isinstance(one, Record) or not isinstance(other, Record) or one.tag != other.tag:
        return False
    return any(tags.get(str(one.tag)) in (one, other) for tags in TAGS.values())
