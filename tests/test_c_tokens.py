"""Literals, type specifiers, headers and line splicing of C, compared with gcc."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cpsconv.core.floating import LongDouble
from cpsconv.core.source import DiagnosticError, Source, decode_source, read_source
from cpsconv.core.text import pretty
from cpsconv.languages import read
from cpsconv.languages.c.complex_types import COMPLEX_TYPES
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.headers import HEADERS, ConstantMacro, StringMacro, TypeName
from cpsconv.languages.c.syntax.literals import LiteralError, parse_character, parse_number, parse_string
from cpsconv.languages.c.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_LONG,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    Array,
    CType,
)
from cpsconv.pipeline import convert
from testing.c_trees import body, expression, functions, grouped, outline, parsed
from testing.effort import is_full
from testing.expectations import EXAMPLES
from testing.gcc import needs_gcc
from tests.tables import table


def lines_with_gcc_errors(lines: list[str]) -> set[int]:
    """The numbers, from 0, of the lines in which gcc finds errors."""
    command = ["gcc", "-fsyntax-only", "-w", "-fmax-errors=0", "-x", "c", "-"]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    errors = (line.split(":") for line in run.stderr.splitlines() if ": error: " in line)
    return {int(error[1]) - 1 for error in errors}


def has_type(text: str, type: CType) -> str:
    """A C expression that is true if gcc gives the expression `text` that type."""
    name = "_Bool" if type is BOOL else str(type)
    both = [name, f"{name} long"] if type in (LONG, UNSIGNED_LONG) else [name]
    return "(" + " || ".join(f"_Generic({text}, {name}: 1, default: 0)" for name in both) + ")"


def gcc_prints(program: str, folder: Path) -> str:
    """The output of the program, compiled by gcc."""
    (folder / "program.c").write_text(program)
    subprocess.run(["gcc", "-w", "program.c", "-o", "program"], cwd=folder, check=True)
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


# ---------------------------------------------------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("0", INT, 0),
        ("2147483647", INT, 2147483647),
        ("2147483648", LONG, 2147483648),
        ("9223372036854775807", LONG, 9223372036854775807),
        ("0x7fffffff", INT, 0x7FFFFFFF),
        ("0x80000000", UNSIGNED, 0x80000000),
        ("0xFFFFFFFFF", LONG, 0xFFFFFFFFF),
        ("0xffffffffffffffff", UNSIGNED_LONG, (1 << 64) - 1),
        ("0777", INT, 0o777),
        ("037777777777", UNSIGNED, 0xFFFFFFFF),
        ("0b101", INT, 5),
        ("0B11u", UNSIGNED, 3),
        ("1u", UNSIGNED, 1),
        ("4294967296U", UNSIGNED_LONG, 1 << 32),
        ("1l", LONG, 1),
        ("1LL", LONG_LONG, 1),
        ("1ul", UNSIGNED_LONG, 1),
        ("1LLu", UNSIGNED_LONG_LONG, 1),
        ("0x8000000000000000L", UNSIGNED_LONG, 1 << 63),
        ("1.5", DOUBLE, 1.5),
        ("1.", DOUBLE, 1.0),
        (".5e1", DOUBLE, 5.0),
        ("1e-3", DOUBLE, 0.001),
        ("1.1f", FLOAT, 1.10000002384185791015625),
        ("1E2F", FLOAT, 100.0),
        ("0x1.8p3", DOUBLE, 12.0),
        ("0x.8p-1", DOUBLE, 0.25),
        ("0xap1f", FLOAT, 20.0),
    ],
)
def test_numbers_have_the_value_and_type_that_c_gives_them(text: str, type: CType, value: float) -> None:
    node = expression(text)
    assert isinstance(node, c.Literal)
    assert (node.type, node.value) == (type, value)


integers = st.builds(
    lambda form, value, suffix: f"{form}{value:{ {'0x': 'x', '0b': 'b', '0': 'o', '': 'd'}[form] }}{suffix}",
    st.sampled_from(["", "0", "0x", "0b"]),
    st.integers(0, 70).flatmap(lambda bits: st.integers(max(0, (1 << bits) - 3), (1 << bits) + 3)),
    st.sampled_from(["", "u", "l", "ul", "LL", "ULL", "llU", "lL", "uu"]),
)
floats = st.from_regex(r"([0-9]{1,25}\.[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?[fF]?", fullmatch=True)
hex_floats = st.from_regex(r"0x(1\.[0-9a-f]{5,15}|\.[0-9a-f]{1,8})[pP]-?[0-9]{1,2}f?", fullmatch=True)


@needs_gcc
@settings(max_examples=5 if is_full() else 2, phases=[Phase.generate])
@given(st.lists(integers | floats | hex_floats, min_size=100, max_size=100))
def test_numbers_have_the_same_value_and_type_as_in_gcc(texts: list[str]) -> None:
    claims, malformed = {}, {}
    for number, text in enumerate(texts):
        try:
            type, value = parse_number(text)
            shown = value.hex() if isinstance(value, float) else f"{value}ull"
            claims[number] = f"{has_type(text, type)} && {text} == {shown}"
        except LiteralError as error:
            if "too large" not in error.message:  # in that case, gcc only warns
                malformed[number] = text
    lines = range(len(texts))
    assert lines_with_gcc_errors([f'_Static_assert({claims.get(line, 1)}, "");' for line in lines]) == set()
    assert lines_with_gcc_errors([f"double v{line} = {malformed.get(line, 0)};" for line in lines]) == set(malformed)


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("'a'", INT, 97),
        (r"'\377'", INT, -1),
        ("'ab'", INT, 24930),
        (r"'\377\0\0\0'", INT, -16777216),
        ("'é'", INT, 0xC3A9),
        (r"L'\0'", INT, 0),
        (r"L'\xffffffff'", INT, -1),
        ("u'é'", UNSIGNED_SHORT, 0xE9),
        (r"U'\U0001F600'", UNSIGNED, 0x1F600),
    ],
)
def test_character_constants_have_the_type_and_value_of_gcc(text: str, type: CType, value: int) -> None:
    node = expression(text)
    assert isinstance(node, c.Literal)
    assert (node.type, node.value) == (type, value)


@needs_gcc
def test_character_constants_agree_with_gcc() -> None:
    escapes = [*"abefnrtv'\"?\\", "0", "12", "377", "x80", "u20ac"]
    pieces = ["", "z", "é", '"', *(f"\\{escape}" for escape in escapes)]
    texts = [f"'{first}{second}{third}'" for first in pieces[1:] for second in pieces for third in ("", "x", "xyz")]
    texts += [f"{prefix}'{piece}{last}'" for prefix in "LuU" for piece in pieces[1:] for last in ("", "x")]
    characters = [parse_character(text) for text in texts]
    claims = [
        f"{has_type(text, each.type)} && {text} == {each.value}" for text, each in zip(texts, characters, strict=True)
    ]
    wrong = lines_with_gcc_errors([f'_Static_assert({claim}, "");' for claim in claims])
    assert [texts[line] for line in wrong] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('""', ""),
        ('"abc"', "abc"),
        (r'"a\tb\n"', "a\tb\n"),
        (r'"\1014\x41"', "A4A"),
        ('"é"', "\xc3\xa9"),
        (r'"\u00e9\U0001F600"', "\xc3\xa9\xf0\x9f\x98\x80"),
        (r'"\0"', "\0"),
        ('"it\'s"', "it's"),
        ('"one \\\ntwo"', "one two"),
        ('"one" " two"\n" three"', "one two three"),
        (r'"\x4" "1"', "\x041"),
    ],
)
def test_strings_have_one_character_for_each_byte(text: str, value: str) -> None:
    node = expression(text)
    assert isinstance(node, c.StringLiteral)
    assert node.text == value


@needs_gcc
def test_strings_hold_the_same_bytes_as_in_gcc(tmp_path: Path) -> None:
    pieces = ["z", "é", "'", "??", *(rf"\{letter}" for letter in "abefnrtv'\"?\\")]
    pieces += [r"\1", r"\12", r"\1234", r"\x4", r"\xff", r"\u00ff", r"\u20ac", r"\U0001f600"]
    texts = [f'"{first}{second}"' for first in pieces for second in pieces]
    held = [expression(text) for text in texts]
    show = 'int printf(); void show(unsigned char *s, int n) { while (--n > 0) printf("%02x", *s++); printf("\\n"); }'
    program = "int main(void) { " + "".join(f"show({text}, sizeof {text});" for text in texts) + "}"
    expected = [node.text.encode("latin-1").hex() for node in held if isinstance(node, c.StringLiteral)]
    assert gcc_prints(show + program, tmp_path).splitlines() == expected


# ---------------------------------------------------------------------------------------------------- type specifiers


def type_of(spelling: str) -> CType | None:
    """The result type of a function declared with these specifiers; None for an error."""
    try:
        [function] = functions(f"{spelling} f(void) {{ }}")
    except DiagnosticError:
        return None
    found = function.specifiers.type
    return found if isinstance(found, CType) else None


@needs_gcc
def test_type_specifiers_in_any_order_denote_the_same_type_as_in_gcc() -> None:
    vocabulary = ["void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"]
    spellings = [
        " ".join(order)
        for length in (1, 2, 3)
        for order in itertools.product(vocabulary, repeat=length)
        if length < 3 or "int" in order or "char" in order
    ]
    spellings += [" ".join(order) for order in set(itertools.permutations(["unsigned", "long", "long", "int"]))]
    refused = lines_with_gcc_errors([f"{spelling} f{number}(void);" for number, spelling in enumerate(spellings)])
    types = [type_of(spelling) for spelling in spellings]
    assert {number for number, type in enumerate(types) if not type} == refused
    claims = [
        has_type(f"({spelling}) 0", type) if type and type is not VOID else "1"
        for spelling, type in zip(spellings, types, strict=True)
    ]
    assert lines_with_gcc_errors([f'_Static_assert({claim}, "");' for claim in claims]) == set()


# ------------------------------------------------------------------------------------------------- headers and tokens


def test_names_of_types_are_types_only_where_the_header_is_included() -> None:
    text = "#include <stdint.h>\n#include <stdbool.h>\n#include <stddef.h>\n"
    [declaration] = body("int8_t a; uint_fast16_t b; bool d; size_t e; ptrdiff_t g;", text)[:1]
    assert isinstance(declaration, c.Declaration)
    assert declaration.specifiers.type is SIGNED_CHAR
    [declaration] = body("int int8_t = 1, bool, size_t, true;")
    assert isinstance(declaration, c.Declaration)
    assert [each.declarator.name for each in declaration.declarators] == ["int8_t", "bool", "size_t", "true"]


def test_headers_are_recorded_in_order() -> None:
    text = "#include <stdio.h> ;\n  # include <math.h> // why\nint f() {}"
    assert parsed(text).headers == ["stdio.h", "math.h"]


@pytest.mark.parametrize(
    ("header", "name", "type", "value"),
    [
        ("stdbool.h", "true", INT, 1),
        ("limits.h", "INT_MIN", INT, -(1 << 31)),
        ("limits.h", "ULONG_MAX", UNSIGNED_LONG, (1 << 64) - 1),
        ("stdint.h", "UINT8_MAX", INT, 255),
        ("inttypes.h", "INT64_MIN", LONG, -(1 << 63)),
        ("stdio.h", "EOF", INT, -1),
        ("stdlib.h", "EXIT_FAILURE", INT, 1),
        ("float.h", "DBL_MAX", DOUBLE, 1.7976931348623157e308),
        ("math.h", "M_PI", DOUBLE, 3.141592653589793),
    ],
)
def test_constants_of_headers_are_literals(header: str, name: str, type: CType, value: float) -> None:
    node = expression(name, f"#include <{header}>")
    assert isinstance(node, c.Literal)
    assert (node.type, node.value) == (type, value)
    assert isinstance(expression(name), c.Name)


def test_formats_of_inttypes_are_joined_with_adjacent_strings() -> None:
    node = expression('"%" PRId64 " %" PRIu8 "\\n"', "#include <inttypes.h>")
    assert isinstance(node, c.StringLiteral)
    assert node.text == "%ld %u\n"


def test_words_of_iso646_are_operators() -> None:
    assert grouped(expression("not a and b or_eq c", "#include <iso646.h>")) == "(((!a) && b) |= c)"


# -------------------------------------------------------------------------------------------- line splicing


def test_a_backslash_continues_a_line_anywhere() -> None:
    text = """\
#inc\\
lude <std\\\r
bool.h> // a comm\\
ent
in\\
t na\\
\\
me(void) { ret\\
urn tr\\
ue + 1\\
0 \\
<\\
< 'a'; }"""
    unit = parsed(text)
    [function] = unit.items
    assert isinstance(function, c.FunctionDefinition)
    assert (unit.headers, function.declarator.name) == (["stdbool.h"], "name")
    [statement] = function.body.items
    assert isinstance(statement, c.Return) and statement.value
    assert grouped(statement.value) == "((1 + 10) << 97)"


@given(st.sets(st.integers(0, 60)))
def test_continued_lines_change_no_span(places: set[int]) -> None:
    text = '/* a */ int f(int count) { return count * 0x10 - puts("a\\n"); }'
    pieces = [char + ("\\\n" if place in places else "") for place, char in enumerate(text)]
    offsets = [len("".join(pieces[:place])) for place in range(len(text))]
    [plain], [continued] = functions(text), functions("".join(pieces))
    before, after = _spans(plain), _spans(continued)
    assert after == [(offsets[start], offsets[end - 1] + 1) for start, end in before]


def _spans(function: c.FunctionDefinition) -> list[tuple[int, int]]:
    """The spans of the function's name, of its return value, and of the operands of that value."""
    assert function.body
    [statement] = function.body.items
    assert isinstance(statement, c.Return) and isinstance(statement.value, c.Binary)
    parts = (function, statement, statement.value, statement.value.left, statement.value.right)
    return [(part.span.start, part.span.end) for part in parts]


def test_an_error_in_a_continued_line_is_marked_in_the_original_text() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parsed("int f(int x) {\n    x = x +\\\n\\\n        ;\n    re\\\nturn 'a\\\n\\777';\n}\n")
    assert (
        str(caught.value)
        == """\
test.c:4:9: error: expected an expression before `;`
    4 |         ;
      |         ^
test.c:6:6: error: the escape sequence `\\777` does not fit into a `char`
    6 | turn 'a\\
      |      ^^^"""
    )


# ------------------------------------------------------------------------------------- names, bytes and line markers


def test_names_have_letters_of_any_script() -> None:
    [function] = functions("int größe(int \\u00e9t\\U000000e9) { return été; }")
    [derivation] = function.declarator.derivations
    assert isinstance(derivation, c.FunctionOf)
    assert (function.declarator.name, derivation.parameters[0].declarator.name) == ("größe", "été")


def test_bytes_that_are_not_utf_8_may_be_in_comments_and_strings() -> None:
    source = decode_source("test.c", b'// caf\xe9\nint main(void) { return sizeof("\xe9\xff"); /* \xfc */ }')
    [function] = parse(source).items
    assert isinstance(function, c.FunctionDefinition) and outline(function.body) == "{return (sizeof '\xe9\xff')}"


def test_other_bytes_that_are_not_utf_8_are_errors() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse(decode_source("test.c", b"/* \xe9 */ int gr\xf6\xdfe;"))
    [found] = caught.value.diagnostics
    assert (str(found.span), found.message) == ("test.c:1:15", "this is not UTF-8 text (byte 0xf6)")


PROGRAMS = table("c_tokens")
"""The longer programs of these tests."""

PREPROCESSED = PROGRAMS["PREPROCESSED"]


def test_diagnostics_in_preprocessed_text_name_the_original_lines() -> None:
    with pytest.raises(DiagnosticError) as caught:
        read("c", Source("a.i", PREPROCESSED))
    assert [f"{each.span}: {each.message}" for each in caught.value.diagnostics] == [
        "dir//own.h:1:27: expected an expression before `;`",
        "a.c:3:7: `missing` is not declared",
        "a.c:3:17: `assert` is not declared",
        "a.c:7:12: `x` is not declared",
    ]
    assert caught.value.diagnostics[-1].render().splitlines()[1] == "    7 |     return x; }"


def test_headers_in_preprocessed_text_must_be_standard() -> None:
    with pytest.raises(DiagnosticError, match=r"`<sys/waiting\.h>` is not a header of standard C"):
        parsed('# 1 "a.c"\n# 1 "/usr/include/sys/waiting.h" 1 3 4\nint wait(int *);\n# 2 "a.c" 2\nint f(void) { }')


@needs_gcc
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_preprocessed_examples_are_the_same_programs(path: Path) -> None:
    preprocessed = subprocess.run(["gcc", "-E", path], capture_output=True, text=True, check=True).stdout
    if "assert" not in path.read_text():  # a statement in an expression
        assert pretty(convert(Source("p.i", preprocessed))) == pretty(convert(read_source(str(path))))


@needs_gcc
@pytest.mark.parametrize("header", HEADERS)
def test_headers_define_the_same_names_as_in_gcc(header: str) -> None:
    claims = []
    for name, meaning in HEADERS[header].items():
        if name in ("atomic_flag", "ATOMIC_FLAG_INIT", "MB_CUR_MAX"):
            continue  # a `bool`, for gcc a struct with one; a constant in our only locale, for gcc a call
        if isinstance(meaning, TypeName):
            assert meaning.type
            is_array = isinstance(meaning.type, (Array, Record))  # `va_list`, `div_t`
            if not is_complete(meaning.type):  # `FILE`, which is complete in glibc
                continue
            size = f"sizeof({name}) == {meaning.type.size}"
            claims.append(size if is_array else has_type(f"({name}) 0", meaning.type))
        elif isinstance(meaning, ConstantMacro):
            value, sign = meaning.value, "-" if meaning.value < 0 else ""
            shown = f"{sign}(__int128) {abs(value)}ull" if isinstance(value, int) else value.hex()
            shown += "L" * (isinstance(value, LongDouble) and value.is_finite)
            is_typed = has_type(name, meaning.type)
            if meaning.type in COMPLEX_TYPES.values():
                name = f"__imag__ {name}"
            if meaning.value != meaning.value:
                name, shown = f"({name} != {name})", "1"
            shown = shown.replace("inf", "__builtin_inf()")
            claims.append(f"{is_typed} && {name} == {shown}")
        elif isinstance(meaning, StringMacro):
            claims.append(f"sizeof {name} == sizeof {meaning.text}")
    if not claims:
        return
    lines = [
        "#define _GNU_SOURCE",
        "#include <stdio.h>",
        "#include <setjmp.h>",
        f"#include <{header}>",
        *(f'_Static_assert({claim}, "");' for claim in claims),
    ]
    assert {lines[number] for number in lines_with_gcc_errors(lines)} == set()


@needs_gcc
def test_formats_of_inttypes_are_the_same_as_in_gcc(tmp_path: Path) -> None:
    known = HEADERS["inttypes.h"].items()
    formats = {name: parse_string(meaning.text) for name, meaning in known if isinstance(meaning, StringMacro)}
    lines = "".join(f"puts({name});" for name in formats)
    program = f"#include <inttypes.h>\n#include <stdio.h>\nint main(void) {{ {lines} }}"
    assert gcc_prints(program, tmp_path).splitlines() == list(formats.values())
