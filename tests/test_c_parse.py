"""The C parser: what text is made into. Wrong text is in `test_c_syntax_errors`."""

from __future__ import annotations

import itertools
import logging
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cpsconv.frontends.c import syntax as c
from cpsconv.frontends.c.headers import HEADERS, ConstantName, StringName, TypeName
from cpsconv.frontends.c.literals import LiteralError, parse_character, parse_number, parse_string
from cpsconv.frontends.c.parse import TreeRules, parse
from cpsconv.grammar import read_grammar
from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Scalar,
)
from cpsconv.source import DiagnosticError, Source, Span

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the judge here")

# -------------------------------------------------------------------------------------------------------- helpers


def parsed(text: str) -> c.TranslationUnit:
    return parse(Source("test.c", text))


def body(statements: str, headers: str = "") -> list[c.Statement]:
    """The statements of a function that holds these."""
    function = parsed(f"{headers}\nvoid f(void) {{ {statements} }}").functions[-1]
    assert function.body
    return function.body.items


def expression(text: str, headers: str = "") -> c.Expression:
    [statement] = body(f"{text};", headers)
    assert isinstance(statement, c.ExpressionStatement) and statement.expression
    return statement.expression


def grouped(node: Any) -> str:
    """An expression with all parentheses that it could have."""
    match node:
        case c.Literal():
            return str(node.value)
        case c.Name():
            return node.name
        case c.StringLiteral():
            return repr(node.value)
        case c.Unary():
            return f"({node.op}{grouped(node.operand)})"
        case c.Step():
            operand = grouped(node.operand)
            return f"({node.op}{operand})" if node.prefix else f"({operand}{node.op})"
        case c.Binary() | c.Logical():
            return f"({grouped(node.left)} {node.op} {grouped(node.right)})"
        case c.Conditional():
            return f"({grouped(node.condition)} ? {grouped(node.then)} : {grouped(node.otherwise)})"
        case c.Assign():
            return f"({grouped(node.target)} {node.op or ''}= {grouped(node.value)})"
        case c.Comma():
            return f"({grouped(node.left)}, {grouped(node.right)})"
        case c.Cast():
            return f"(({node.type}){grouped(node.operand)})"
        case c.SizeOf():
            operand = f"({node.operand})" if isinstance(node.operand, Scalar) else f" {grouped(node.operand)}"
            return f"(sizeof{operand})"
        case c.CallExpression():
            return f"{node.callee.name}({'; '.join(map(grouped, node.arguments))})"
    raise TypeError(node)


def outline(node: Any) -> str:
    """A statement, its parts in brackets."""
    match node:
        case c.ExpressionStatement():
            return grouped(node.expression) if node.expression else "-"
        case c.Declaration():
            return "declare " + " ".join(declarator.name for declarator in node.declarators)
        case c.Compound():
            return "{" + " ".join(map(outline, node.items)) + "}"
        case c.If():
            otherwise = f" [{outline(node.otherwise)}]" if node.otherwise else ""
            return f"if {grouped(node.condition)} [{outline(node.then)}]{otherwise}"
        case c.While():
            return f"while {grouped(node.condition)} [{outline(node.body)}]"
        case c.Do():
            return f"do [{outline(node.body)}] {grouped(node.condition)}"
        case c.For():
            middle = " ; ".join(grouped(part) if part else "-" for part in (node.condition, node.step))
            return f"for {outline(node.first)} ; {middle} [{outline(node.body)}]"
        case c.Switch():
            return f"switch {grouped(node.value)} [{outline(node.body)}]"
        case c.Case():
            return f"{'case ' + grouped(node.value) if node.value else 'default'}: {outline(node.body)}"
        case c.Label():
            return f"{node.name}: {outline(node.body)}"
        case c.Goto():
            return f"goto {node.name}"
        case c.Return():
            return f"return {grouped(node.value) if node.value else '-'}"
        case c.Break() | c.Continue():
            return type(node).__name__.lower()
    raise TypeError(node)


def words(span: Span) -> str:
    return span.source.text[span.start : span.end]


def gcc_complains_in_lines(lines: list[str]) -> set[int]:
    """The numbers, from 0, of the lines in which gcc finds errors."""
    command = ["gcc", "-fsyntax-only", "-w", "-fmax-errors=0", "-x", "c", "-"]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    places = (line.split(":") for line in run.stderr.splitlines() if ": error: " in line)
    return {int(place[1]) - 1 for place in places}


_TYPES = {
    "void": VOID,
    "_Bool": BOOL,
    "char": CHAR,
    "signed char": SIGNED_CHAR,
    "unsigned char": UNSIGNED_CHAR,
    "short": SHORT,
    "unsigned short": UNSIGNED_SHORT,
    "int": INT,
    "unsigned": UNSIGNED,
    "long": LONG,
    "unsigned long": UNSIGNED_LONG,
    "long long": LONG,
    "unsigned long long": UNSIGNED_LONG,
    "float": FLOAT,
    "double": DOUBLE,
}


def has_type(text: str, type: Scalar) -> str:
    """C text that is true if gcc gives the expression that type."""
    names = [name for name, other in _TYPES.items() if other is type]
    return "(" + " || ".join(f"_Generic({text}, {name}: 1, default: 0)" for name in names) + ")"


def gcc_prints(program: str, folder: Path) -> str:
    """What the program prints when gcc has compiled it."""
    (folder / "program.c").write_text(program)
    subprocess.run(["gcc", "-w", "program.c", "-o", "program"], cwd=folder, check=True)
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


# ------------------------------------------------------------------------------------------------------ the grammar


def test_every_rule_of_the_grammar_is_handled_by_a_method() -> None:
    from lark import Lark

    rules = Lark(read_grammar("c"), parser="lalr", lexer="basic").rules
    names = {rule.alias or rule.origin.name for rule in rules if not (rule.options.expand1 and not rule.alias)}
    assert {name for name in names if not hasattr(TreeRules, name)} == set()


def test_the_dangling_else_is_the_only_conflict_of_the_grammar(caplog: pytest.LogCaptureFixture) -> None:
    from lark import Lark, logger

    level = logger.level
    try:
        with caplog.at_level(logging.DEBUG, logger.name):
            logger.addHandler(caplog.handler)
            Lark(read_grammar("c"), parser="lalr", lexer="basic", debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    conflicts = {record.message for record in caplog.records if "onflict" in record.message}
    assert conflicts == {"Shift/Reduce conflict for terminal ELSE: (resolving as shift)"}


# ------------------------------------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a << b + c", "(a << (b + c))"),
        ("a < b == c > d", "((a < b) == (c > d))"),
        ("a & b == c", "(a & (b == c))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a || b && c", "(a || (b && c))"),
        ("a && b | c", "(a && (b | c))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b, c : d", "(a ? (b, c) : d)"),
        ("a = b = c", "(a = (b = c))"),
        ("a += b ? c : d", "(a += (b ? c : d))"),
        ("a = b, c = d", "((a = b), (c = d))"),
        ("-a * !b", "((-a) * (!b))"),
        ("- -a", "(-(-a))"),
        ("~-+!a", "(~(-(+(!a))))"),
        ("-a++", "(-(a++))"),
        ("++a + a--", "((++a) + (a--))"),
        ("a+++b", "((a++) + b)"),
        ("a- -b", "(a - (-b))"),
        ("(int) a + b", "(((int)a) + b)"),
        ("(long) -a", "((long)(-a))"),
        ("(void) a", "((void)a)"),
        ("(int) (long) a", "((int)((long)a))"),
        ("(a) - b", "(a - b)"),
        ("sizeof a + b", "((sizeof a) + b)"),
        ("sizeof (int) + b", "((sizeof(int)) + b)"),
        ("sizeof (a) + b", "((sizeof a) + b)"),
        ("sizeof (long) - 1", "((sizeof(long)) - 1)"),
        ("sizeof sizeof a", "(sizeof (sizeof a))"),
        ("sizeof -a", "(sizeof (-a))"),
        ("f()", "f()"),
        ("f(a, b + c)", "f(a; (b + c))"),
        ("f((a, b), c = d)", "f((a, b); (c = d))"),
        ("f(g(a))++", "(f(g(a))++)"),
        ("(f)(a)", "f(a)"),
        ("((a))", "a"),
        ("a *= b /= c %= d <<= e >>= f &= g ^= h |= i", "(a *= (b /= (c %= (d <<= (e >>= (f &= (g ^= (h |= i))))))))"),
        ("a <= b >= c != d", "(((a <= b) >= c) != d)"),
        ("a % b / c", "((a % b) / c)"),
        ("a >> b << c", "((a >> b) << c)"),
    ],
)
def test_operators_bind_as_in_c(text: str, meant: str) -> None:
    assert grouped(expression(text)) == meant


_LEVELS = ["*/%", "+-", ["<<", ">>"], ["<", ">", "<=", ">="], ["==", "!="], "&", "^", "|", ["&&"], ["||"]]
_LEVEL = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_CONDITIONAL, _ASSIGNMENT = 10, 11


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> tuple[str, str, int]:
    """A random expression: with no more parentheses than it needs, with all of them, and how loosely it binds."""
    kind = draw(st.sampled_from(["name", "binary", "binary", "unary", "cast", "step", "choice", "assign"]))
    if depth == 0 or kind == "name":
        name = draw(st.sampled_from(["a", "b", "f(a)", "(b)"]))
        return name, name.strip("()") if name[0] == "(" else name, -2
    parts = [draw(expressions(depth - 1)) for _ in range(3)]

    def part(index: int, most: int) -> str:
        bare, _, level = parts[index]
        return bare if level <= most else f"({bare})"

    full = [part[1] for part in parts]
    if kind == "binary":
        op = draw(st.sampled_from(sorted(_LEVEL)))
        level = _LEVEL[op]
        return f"{part(0, level)} {op} {part(1, level - 1)}", f"({full[0]} {op} {full[1]})", level
    if kind == "unary":
        op = draw(st.sampled_from("+-~!"))
        return f"{op} {part(0, -1)}", f"({op}{full[0]})", -1
    if kind == "cast":
        return f"(long) {part(0, -1)}", f"((long){full[0]})", -1
    if kind == "step":
        return f"{part(0, -2)} ++", f"({full[0]}++)", -2
    if kind == "choice":
        bare = f"{part(0, 9)} ? {part(1, _ASSIGNMENT)} : {part(2, _CONDITIONAL)}"
        return bare, f"({full[0]} ? {full[1]} : {full[2]})", _CONDITIONAL
    return f"{part(0, _CONDITIONAL)} -= {part(1, _ASSIGNMENT)}", f"({full[0]} -= {full[1]})", _ASSIGNMENT


@settings(max_examples=200, deadline=None)
@given(expressions())
def test_parentheses_that_precedence_makes_needless_change_nothing(example: tuple[str, str, int]) -> None:
    bare, full, _ = example
    assert grouped(expression(bare)) == full


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
        ("1LL", LONG, 1),
        ("1ul", UNSIGNED_LONG, 1),
        ("1LLu", UNSIGNED_LONG, 1),
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
def test_numbers_have_the_value_and_type_that_c_gives_them(text: str, type: Scalar, value: float) -> None:
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
@settings(max_examples=5, deadline=None, phases=[Phase.generate])
@given(st.lists(integers | floats | hex_floats, min_size=100, max_size=100))
def test_numbers_mean_what_gcc_says(texts: list[str]) -> None:
    claims, malformed = {}, {}
    for number, text in enumerate(texts):
        try:
            type, value = parse_number(text)
            shown = value.hex() if isinstance(value, float) else f"{value}ull"
            claims[number] = f"{has_type(text, type)} && {text} == {shown}"
        except LiteralError as fault:
            if "too large" not in fault.message:  # in that case, gcc only warns
                malformed[number] = text
    lines = range(len(texts))
    assert gcc_complains_in_lines([f'_Static_assert({claims.get(line, 1)}, "");' for line in lines]) == set()
    assert gcc_complains_in_lines([f"double v{line} = {malformed.get(line, 0)};" for line in lines]) == set(malformed)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", 97),
        (r"'\n'", 10),
        (r"'\''", 39),
        ("'\"'", 34),
        (r"'\\'", 92),
        (r"'\0'", 0),
        (r"'\101'", 65),
        (r"'\x41'", 65),
        (r"'\377'", -1),
        (r"'\x80'", -128),
        (r"'\a'", 7),
        (r"'\e'", 27),
        (r"'\?'", 63),
    ],
)
def test_character_constants_are_ints_that_a_char_can_hold(text: str, value: int) -> None:
    node = expression(text)
    assert isinstance(node, c.Literal)
    assert (node.type, node.value) == (INT, value)
    assert parse_character(text) == value


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
def test_strings_are_one_character_for_each_byte(text: str, value: str) -> None:
    node = expression(text)
    assert isinstance(node, c.StringLiteral)
    assert node.value == value


@needs_gcc
def test_strings_hold_the_bytes_that_gcc_puts_there(tmp_path: Path) -> None:
    pieces = ["a", "é", "'", "??", *(rf"\{letter}" for letter in "abefnrtv'\"?\\")]
    pieces += [r"\1", r"\12", r"\1234", r"\x4", r"\xff", r"\u00ff", r"\u20ac", r"\U0001f600", '" "']
    texts = [f'"{first}{second}"' for first in pieces for second in pieces]
    texts = [text for text in texts if r'" "' not in text and "x4a" not in text and "x4e" not in text]
    held = [expression(text) for text in texts]
    program = "int main(void) { " + "".join(f"show({text}, sizeof {text});" for text in texts) + "}"
    show = (
        r"""int printf(); void show(unsigned char *s, int n) { while (--n > 0) printf("%02x", *s++); printf("\n"); }"""
    )
    expected = [node.value.encode("latin-1").hex() for node in held if isinstance(node, c.StringLiteral)]
    assert gcc_prints(show + program, tmp_path).splitlines() == expected


# ---------------------------------------------------------------------------------------------- types and declarations


def type_of(spelling: str) -> Scalar | None:
    """The result type of a function declared with these words; None if they are refused."""
    try:
        return parsed(f"{spelling} f(void) {{ }}").functions[0].result
    except DiagnosticError:
        return None


@needs_gcc
def test_the_words_of_a_type_mean_in_any_order_what_gcc_says() -> None:
    vocabulary = ["void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"]
    spellings = [
        " ".join(order)
        for length in (1, 2, 3)
        for order in itertools.product(vocabulary, repeat=length)
        if length < 3 or "int" in order or "char" in order
    ]
    spellings += [" ".join(order) for order in set(itertools.permutations(["unsigned", "long", "long", "int"]))]
    refused = gcc_complains_in_lines([f"{spelling} f{number}(void);" for number, spelling in enumerate(spellings)])
    types = [type_of(spelling) for spelling in spellings]
    ours = {
        number for number, type in enumerate(types) if not type and sorted(spellings[number].split()) != LONG_DOUBLE
    }
    assert ours == refused
    claims = [
        has_type(f"({spelling}) 0", type) if type and type is not VOID else "1"
        for spelling, type in zip(spellings, types, strict=True)
    ]
    assert gcc_complains_in_lines([f'_Static_assert({claim}, "");' for claim in claims]) == set()


LONG_DOUBLE = ["double", "long"]


def test_specifiers_that_change_nothing_are_accepted_anywhere() -> None:
    [function] = parsed("static inline long const unsigned volatile int f(register int a) { }").functions
    assert (function.name, function.result) == ("f", UNSIGNED_LONG)
    [declaration] = body("register int a; auto int b; volatile int c; int const d = 1;")[-1:]
    assert isinstance(declaration, c.Declaration)
    assert declaration.declarators[0].constant


def test_a_declaration_declares_several_variables_with_initial_values() -> None:
    [declaration] = body("const unsigned char a = 1, b, (c) = b + 1;")
    assert isinstance(declaration, c.Declaration)
    shown = [
        (each.name, each.type, each.constant, each.initialiser and grouped(each.initialiser))
        for each in declaration.declarators
    ]
    assert shown == [
        ("a", UNSIGNED_CHAR, True, "1"),
        ("b", UNSIGNED_CHAR, True, None),
        ("c", UNSIGNED_CHAR, True, "(b + 1)"),
    ]


def test_prototypes_and_definitions_are_listed_in_source_order() -> None:
    functions = parsed(
        """
        int first(void), second();
        double third(int, const long x);
        void (fourth)(int (a), short);
        extern int fifth(unsigned a);
        int first(void) { return 1; } ;
        static int sixth() { return 2; }
        """
    ).functions
    shown = [
        (
            each.name,
            str(each.result),
            [(p.name, str(p.type), p.constant) for p in each.parameters],
            each.prototyped,
            bool(each.body),
        )
        for each in functions
    ]
    assert shown == [
        ("first", "int", [], True, False),
        ("second", "int", [], False, False),
        ("third", "double", [(None, "int", False), ("x", "long", True)], True, False),
        ("fourth", "void", [("a", "int", False), (None, "short", False)], True, False),
        ("fifth", "int", [("a", "unsigned", False)], True, False),
        ("first", "int", [], True, True),
        ("sixth", "int", [], False, True),
    ]


# -------------------------------------------------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (";", "-"),
        ("a; b;", "a b"),
        ("{ } { a; { b; } }", "{} {a {b}}"),
        ("int a; a; int b, d;", "declare a a declare b d"),
        ("int;", "declare "),
        ("if (a) b;", "if a [b]"),
        ("if (a) b; else d;", "if a [b] [d]"),
        ("if (a) if (b) d; else e;", "if a [if b [d] [e]]"),
        ("if (a) { if (b) d; } else e;", "if a [{if b [d]}] [e]"),
        ("if (a) b; else if (d) e; else g;", "if a [b] [if d [e] [g]]"),
        ("if (a) while (b) if (d) e; else g;", "if a [while b [if d [e] [g]]]"),
        ("if (a) do if (b) d; while (e); else g;", "if a [do [if b [d]] e] [g]"),
        ("while (a) b;", "while a [b]"),
        ("do a; while (b);", "do [a] b"),
        ("for (;;) a;", "for - ; - ; - [a]"),
        ("for (a = 1; a < 2; a++) ;", "for (a = 1) ; (a < 2) ; (a++) [-]"),
        ("for (int a = 1, b; ; a, b) { }", "for declare a b ; - ; (a, b) [{}]"),
        ("switch (a) { case 1: b; break; default: d; }", "switch a [{case 1: - b break default: - d}]"),
        ("switch (a) case 1: case 2: b;", "switch a [case 1: case 2: b]"),
        ("switch (a) { if (b) case 2: d; else default: e; }", "switch a [{if b [case 2: d] [default: e]}]"),
        ("switch (a) { case 1 ? 2 : 3: ; }", "switch a [{case (1 ? 2 : 3): - -}]"),
        ("a: b: c;", "a: - b: - c"),
        ("a: int b; goto a;", "a: - declare b goto a"),
        ("{ a: }", "{a: -}"),
        ("if (a) b: c;", "if a [b: c]"),
        ("a ? b : c; a: b;", "(a ? b : c) a: - b"),
        ("break; continue; return; return a, b;", "break continue return - return (a, b)"),
    ],
)  # fmt: skip
def test_statements_are_grouped_as_in_c(text: str, meant: str) -> None:
    assert " ".join(map(outline, body(text))) == meant


# ------------------------------------------------------------------------------------------------- headers and tokens


def test_names_of_types_are_types_only_where_the_header_is_included() -> None:
    text = "#include <stdint.h>\n#include <stdbool.h>\n#include <stddef.h>\n"
    [declaration] = body("int8_t a; uint_fast16_t b; bool d; size_t e; ptrdiff_t g;", text)[:1]
    assert isinstance(declaration, c.Declaration)
    assert declaration.declarators[0].type is SIGNED_CHAR
    [declaration] = body("int int8_t = 1, bool, size_t, true;")
    assert isinstance(declaration, c.Declaration)
    assert [each.name for each in declaration.declarators] == ["int8_t", "bool", "size_t", "true"]


def test_headers_are_recorded_in_order() -> None:
    assert parsed('#include <stdio.h>\n  # include "math.h" // why\nint f() {}').headers == ["stdio.h", "math.h"]


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
def test_constants_of_headers_are_literals(header: str, name: str, type: Scalar, value: float) -> None:
    node = expression(name, f"#include <{header}>")
    assert isinstance(node, c.Literal)
    assert (node.type, node.value) == (type, value)
    assert isinstance(expression(name), c.Name)


def test_formats_of_inttypes_join_the_strings_beside_them() -> None:
    node = expression('"%" PRId64 " %" PRIu8 "\\n"', "#include <inttypes.h>")
    assert isinstance(node, c.StringLiteral)
    assert node.value == "%ld %u\n"


def test_words_of_iso646_are_operators() -> None:
    assert grouped(expression("not a and b or_eq c", "#include <iso646.h>")) == "(((!a) && b) |= c)"


@needs_gcc
@pytest.mark.parametrize("header", HEADERS)
def test_what_a_header_makes_known_is_what_gcc_has(header: str) -> None:
    claims = []
    for name, meaning in HEADERS[header].items():
        if isinstance(meaning, TypeName):
            claims.append(has_type(f"({name}) 0", meaning.type))
        elif isinstance(meaning, ConstantName):
            value, sign = meaning.value, "-" if meaning.value < 0 else ""
            shown = value.hex() if isinstance(value, float) else f"{sign}(__int128) {abs(value)}ull"
            claims.append(f"{has_type(name, meaning.type)} && {name} == {shown}")
        elif isinstance(meaning, StringName):
            claims.append(f"sizeof {name} == sizeof {meaning.text}")
    lines = [f"#include <{header}>", *(f'_Static_assert({claim}, "");' for claim in claims)]
    assert {lines[number] for number in gcc_complains_in_lines(lines)} == set()


@needs_gcc
def test_formats_of_inttypes_are_those_that_gcc_has(tmp_path: Path) -> None:
    formats = {
        name: parse_string(held.text) for name, held in HEADERS["inttypes.h"].items() if isinstance(held, StringName)
    }
    lines = "".join(f"puts({name});" for name in formats)
    program = f"#include <inttypes.h>\n#include <stdio.h>\nint main(void) {{ {lines} }}"
    assert gcc_prints(program, tmp_path).splitlines() == list(formats.values())


def test_comments_continuations_and_ignored_directives_are_space() -> None:
    text = """
    #pragma once
    #
    #include <stdio.h> /* a comment
                          of two lines */
    int f(void) { // a comment \\
        that goes on ) } {
        return/**/1/* * / // */+ \\
            2 /***/;
    }
    """
    [function] = parsed(text).functions
    assert function.body and outline(function.body) == "{return (1 + 2)}"


def test_lines_may_end_as_on_windows() -> None:
    [function] = parsed("#include <stdio.h>\r\nint f(void) {\r\n  return 1 + \\\r\n 2; // x\r\n}\r\n").functions
    assert function.body and outline(function.body) == "{return (1 + 2)}"


# ------------------------------------------------------------------------------------------------------------- spans


def test_nodes_have_the_spans_that_they_were_read_from() -> None:
    [declaration, choice, block, label, jump, last] = body(
        'int a = 1, bc = (a + 2); if (a) b; else c; { d; } there: goto there; return f(a, "x" "y")[0];'.replace(
            "[0]", ""
        )
    )
    assert isinstance(declaration, c.Declaration) and isinstance(choice, c.If) and isinstance(block, c.Compound)
    assert isinstance(label, c.Label) and isinstance(jump, c.Goto) and isinstance(last, c.Return)
    assert words(declaration.span) == "int a = 1, bc = (a + 2);"
    assert [words(declarator.span) for declarator in declaration.declarators] == ["a", "bc"]
    assert words(declaration.declarators[1].initialiser.span) == "(a + 2)"  # type: ignore[union-attr]
    assert words(choice.span) == "if (a) b; else c;"
    assert (words(block.span), words(block.end)) == ("{ d; }", "}")
    assert words(label.span) == "there"
    assert (words(jump.span), words(jump.name_span)) == ("goto there;", "there")
    assert isinstance(last.value, c.CallExpression)
    assert [words(argument.span) for argument in last.value.arguments] == ["a", '"x" "y"']
    assert words(last.value.span) == 'f(a, "x" "y")'


def test_a_function_and_an_unnamed_parameter_are_where_they_are_named() -> None:
    [function] = parsed("int long;int add(unsigned long, int b); int f() {}").functions[:1]
    assert words(function.span) == "add"
    assert [words(parameter.span) for parameter in function.parameters] == ["unsigned long", "b"]


# -------------------------------------------------------------------------------------------------------------- size

MANY = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "a = 1;" * MANY,
        "if (a) b = 1; else b = 2;" * MANY,
        "".join(f"if (a == {number}) b; else " for number in range(MANY)) + ";",
        "a = " + "(" * MANY + "b" + ")" * MANY + ";",
        "a = " * MANY + "b;",
        "a = " + "b ? 1 : " * MANY + "2;",
        "a = b" + " + b" * MANY + ";",
        "a = " + "- " * MANY + "b;",
        "f(" * MANY + "a" + ")" * MANY + ";",
        "f(a" + ", a" * MANY + ");",
        "{" * MANY + "a;" + "}" * MANY,
        "while (a) " * MANY + "b;",
        "int a0" + "".join(f", a{number} = {number}" for number in range(MANY)) + ";",
        "switch (a) {" + "".join(f"case {number}: b; break;" for number in range(MANY)) + "}",
        "switch (a) " + "".join(f"case {number}: " for number in range(MANY)) + "b;",
        'puts("a"' + ' "b"' * MANY + ");",
        "goto a; a: " * 1 + "".join(f"b{number}: " for number in range(MANY)) + ";",
    ],
    ids=lambda text: text[:24],
)
def test_long_and_deep_programs_are_parsed(text: str) -> None:
    assert body(text)
