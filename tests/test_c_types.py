"""C's types: layouts as gcc's, compatibility, and C's spelling."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cpsconv.core.layout import MAX_ALIGNMENT
from cpsconv.languages.c import types as c
from cpsconv.languages.c.meaning.compatibility import are_compatible, composite
from cpsconv.languages.c.records import VA_LIST, Field, Record, is_complete
from testing import running
from testing.gcc import compile_c, needs_gcc, observe

ARRAY5 = c.array_of(c.INT, 5)
POINT = Record("struct", "point")
CALLBACK = c.function_of(c.INT, [c.pointer_to(c.VOID), c.INT])
CONST_CHAR = c.qualified(c.CHAR, ["const"])

SPELLINGS = {
    "int *": c.pointer_to(c.INT),
    "int **": c.pointer_to(c.pointer_to(c.INT)),
    "const char *": c.pointer_to(CONST_CHAR),
    "char *const": c.qualified(c.pointer_to(c.CHAR), ["const"]),
    "char *const *volatile": c.qualified(c.pointer_to(c.qualified(c.pointer_to(c.CHAR), ["const"])), ["volatile"]),
    "int[5]": ARRAY5,
    "int[3][5]": c.array_of(ARRAY5, 3),
    "int[]": c.array_of(c.INT, None),
    "int (*)[5]": c.pointer_to(ARRAY5),
    "int *[5]": c.array_of(c.pointer_to(c.INT), 5),
    "int (*)(void *, int)": c.pointer_to(CALLBACK),
    "int (*[2])(void *, int)": c.array_of(c.pointer_to(CALLBACK), 2),
    "int (*(void))(void *, int)": c.function_of(c.pointer_to(CALLBACK), []),
    "void ()": c.function_of(c.VOID, [], prototyped=False),
    "int (const char *, ...)": c.function_of(c.INT, [c.pointer_to(CONST_CHAR)], variadic=True),
    "const volatile struct point": c.qualified(POINT, ["volatile", "const"]),
    "struct __va_list_tag[1]": VA_LIST,
    "enum color": c.Enum("color"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_types_are_spelled_as_in_c(spelling: str) -> None:
    assert str(SPELLINGS[spelling]) == spelling


def test_a_declaration_is_spelled_with_its_name() -> None:
    assert c.spelled(c.pointer_to(CALLBACK), "f") == "int (*f)(void *, int)"
    assert c.spelled(ARRAY5, "a") == "int a[5]"
    assert c.spelled(c.pointer_to(CONST_CHAR), "s") == "const char *s"


def test_equal_types_are_identical() -> None:
    assert c.pointer_to(c.INT) is c.pointer_to(c.INT)
    assert c.array_of(c.INT, 5) is ARRAY5 is not c.array_of(c.INT, 6)
    assert c.function_of(c.INT, [c.LONG]) is c.function_of(c.INT, [c.LONG]) is not c.function_of(c.INT, [c.INT])
    constant = c.qualified(c.INT, ["const"])
    assert c.qualified(constant, ["volatile"]) is c.qualified(c.INT, ["volatile", "const"])
    assert constant.unqualified is c.INT is not constant


def test_the_qualifiers_of_an_array_are_those_of_its_elements() -> None:
    array = c.qualified(c.array_of(ARRAY5, 3), ["const"])
    assert str(array) == "const int[3][5]" and array is c.array_of(c.array_of(c.qualified(c.INT, ["const"]), 5), 3)


def test_types_nested_ten_thousand_deep_are_compared_and_spelled() -> None:
    one: c.CType = c.array_of(c.INT, None)
    other: c.CType = ARRAY5
    for _ in range(10_000):
        one, other = c.pointer_to(one), c.pointer_to(other)
    assert one is not other and are_compatible(one, other)
    assert composite(one, other) is other
    assert str(one).count("*") == 10_000


COMPATIBLE = [
    (c.array_of(c.INT, None), ARRAY5),
    (c.pointer_to(c.array_of(c.INT, None)), c.pointer_to(ARRAY5)),
    (c.function_of(c.INT, [], prototyped=False), c.function_of(c.INT, [c.INT, c.DOUBLE])),
    (c.Enum("color"), c.UNSIGNED),
    (c.VariableArray(c.INT, None), ARRAY5),
]
INCOMPATIBLE = [
    (c.INT, c.UNSIGNED),
    (c.CHAR, c.SIGNED_CHAR),
    (ARRAY5, c.array_of(c.INT, 6)),
    (c.pointer_to(c.INT), c.pointer_to(c.qualified(c.INT, ["const"]))),
    (c.function_of(c.INT, [], prototyped=False), c.function_of(c.INT, [c.CHAR])),
    (c.function_of(c.INT, [], prototyped=False), c.function_of(c.INT, [c.INT], variadic=True)),
    (c.function_of(c.INT, [c.INT]), c.function_of(c.INT, [c.INT, c.INT])),
    (Record("struct", "s"), Record("struct", "s")),
    (c.Enum("color"), c.INT),
    (c.Enum("color"), c.Enum("color")),
    (c.pointer_to(c.VOID), c.pointer_to(c.INT)),
]


def test_compatibility_is_that_of_the_standard() -> None:
    for pair in COMPATIBLE:
        assert are_compatible(*pair) and are_compatible(*reversed(pair))
    for pair in INCOMPATIBLE:
        assert not are_compatible(*pair) and not are_compatible(*reversed(pair))


def test_a_composite_type_has_the_length_and_the_parameters_that_one_declaration_states() -> None:
    assert composite(c.array_of(c.INT, None), ARRAY5) is ARRAY5
    unspecified, specified = c.function_of(c.INT, [], prototyped=False), c.function_of(c.INT, [c.INT])
    assert composite(unspecified, specified) is specified is composite(specified, unspecified)


def test_an_enumeration_has_the_underlying_type_that_holds_its_values() -> None:
    for values, type in {
        (1, 2): c.UNSIGNED,
        (-1, 2): c.INT,
        (-1, 1 << 40): c.LONG,
        (1 << 40,): c.UNSIGNED_LONG,
    }.items():
        enum = c.Enum("e")
        constant = c.qualified(enum, ["const"])
        enum.complete(dict.fromkeys(values, "A"))
        assert enum.underlying is constant.underlying is c.promoted(enum) is type and enum.size == type.size


def test_a_record_is_incomplete_until_it_is_completed_with_all_its_variants() -> None:
    record = Record("struct", "list")
    constant = c.qualified(record, ["const"])
    assert not is_complete(record) and not is_complete(c.array_of(record, 2)) and is_complete(c.pointer_to(record))
    inner = Record("union", None)
    inner.complete([Field("a", c.INT), Field("b", c.FLOAT)])
    record.complete([Field("next", c.pointer_to(record)), Field(None, inner)])
    assert is_complete(record) and constant.size == record.size == 16 and constant.fields == record.fields
    assert [field.name for field in constant.paths["b"]] == [None, "b"]
    assert "c" not in constant.paths


# --------------------------------------------------------------------------------------------------------- layout


class Layouts:
    """Random records, as C's text and as types of the front end."""

    SCALARS = (c.BOOL, c.CHAR, c.UNSIGNED_CHAR, c.SHORT, c.UNSIGNED_SHORT, c.INT, c.UNSIGNED, c.LONG, c.DOUBLE)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.records: list[Record] = []
        self.text = "#include <stdio.h>\n#include <string.h>\n#include <stddef.h>\n#include <stdbool.h>\n"
        for number in range(60):
            self._add(f"r{number}")

    def _add(self, tag: str) -> None:
        chance = self._random.random
        record = Record("union" if chance() < 0.2 else "struct", tag)
        fields, lines = [], []
        for number in range(self._random.randrange(0, 9)):
            field, line = self._bit_field(f"f{number}") if chance() < 0.5 else self._field(f"f{number}")
            fields.append(field)
            lines.append(line)
        packed, alignment = chance() < 0.2, self._random.choice([0, 0, 0, 2, 16])
        limit = self._random.choice([MAX_ALIGNMENT, MAX_ALIGNMENT, 1, 2, 4, 8])
        record.complete(fields, packed, alignment, limit)
        attributes = ["packed"] * packed + ([f"aligned({alignment})"] if alignment else [])
        pragma = "" if limit == MAX_ALIGNMENT else f"#pragma pack(push, {limit})\n"
        self.text += f"{pragma}{record} {{ {' '.join(lines)} }} __attribute__(({', '.join(attributes)}));\n"
        self.text += "#pragma pack(pop)\n" if pragma else ""
        self.records.append(record)

    def _field(self, name: str) -> tuple[Field, str]:
        type: c.CType = self._random.choice([*self.SCALARS, c.pointer_to(c.INT), *self.records[-3:]])
        for _ in range(self._random.choice([0, 0, 1, 2])):
            type = c.array_of(type, self._random.randrange(0, 4))
        packed, alignment = self._random.random() < 0.1, self._random.choice([0, 0, 0, 0, 1, 4, 8])
        text = c.spelled(type, name)
        attributes = ["packed"] * packed + ([f"aligned({alignment})"] if alignment else [])
        return Field(name, type, None, None, alignment, packed), f"{text} __attribute__(({', '.join(attributes)}));"

    def _bit_field(self, name: str) -> tuple[Field, str]:
        type = self._random.choice([c.BOOL, c.CHAR, c.UNSIGNED_SHORT, c.INT, c.UNSIGNED, c.LONG])
        bits = self._random.randrange(0, 1 + (1 if type is c.BOOL else type.bits))
        shown = None if bits == 0 or self._random.random() < 0.1 else name
        return Field(shown, type, None, bits), f"{c.spelled(type, shown or '')} : {bits};"

    def program(self) -> str:
        """A program that prints the size and alignment of each record, and the bits that each field occupies."""
        lines = []
        for record in self.records:
            lines.append(f'printf("%zu %zu\\n", sizeof({record}), _Alignof({record}));')
            for field in record.named_fields:
                if field.bits is None:
                    lines.append(f'printf("%zu\\n", 8 * offsetof({record}, {field.name}));')
                else:
                    lines.append(f"{{ {record} r; memset(&r, 0, sizeof r); r.{field.name} = -1; show(&r, sizeof r); }}")
        show = """void show(const void *p, size_t n) {
            const unsigned char *bytes = p;
            for (size_t i = 0; i < 8 * n; i++) if (bytes[i / 8] >> i % 8 & 1) printf("%zu ", i);
            printf("\\n");
        }
        """
        return f"{self.text}{show}int main(void) {{ {' '.join(lines)} return 0; }}"

    def reads(self) -> str:
        """A program that prints each bit-field of each record, for several values of its bytes."""
        lines = []
        for record in self.records:
            fields = [field for field in record.named_fields if field.bits is not None]
            for byte in (0xFF, 0xA5, 0x5A) if fields else ():
                shown = " ".join(f'printf("%ld ", (long)r.{field.name});' for field in fields)
                lines.append(f'{{ {record} r; memset(&r, {byte}, sizeof r); {shown} printf("\\n"); }}')
        return f"{self.text}int main(void) {{ {' '.join(lines)} return 0; }}"

    def expected(self) -> str:
        """The output of the program, if the layouts of gcc are those of the front end."""
        lines = []
        for record in self.records:
            lines.append(f"{record.size} {record.alignment}")
            for field in record.named_fields:
                first = 8 * field.offset + field.bit_offset
                lines.append(str(first) if field.bits is None else "".join(f"{first + i} " for i in range(field.bits)))
        return "\n".join(lines) + "\n"


@needs_gcc
@pytest.mark.parametrize("seed", range(5))
def test_the_layout_of_records_is_that_of_gcc(seed: int, tmp_path: Path) -> None:
    layouts = Layouts(seed)
    assert observe(compile_c(layouts.program(), tmp_path)).output == layouts.expected()


@pytest.mark.parametrize("seed", range(3))
def test_accesses_of_bit_fields_stay_within_their_records(seed: int) -> None:
    layouts = Layouts(seed)
    assert running.observe(running.converted(layouts.program(), "scc")).output == layouts.expected()


@needs_gcc
@pytest.mark.parametrize("seed", range(3))
def test_bit_fields_are_read_as_by_gcc(seed: int, tmp_path: Path) -> None:
    program = Layouts(seed).reads()
    assert running.observe(running.converted(program, "scc")) == observe(compile_c(program, tmp_path))
