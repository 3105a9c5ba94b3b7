"""Syntax errors of C, and errors for unsupported features."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import partial
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import convert
from cpsconv.core.source import MAX_ERRORS, DiagnosticError, Source, limited_errors
from cpsconv.languages import read
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.warning_groups import Warnings, choosing
from testing.c_trees import shown
from testing.effort import examples, sample, size
from testing.gcc import needs_gcc
from tests.tables import scenarios


def errors_of(text: str) -> str:
    """The rendered errors of a text."""
    with pytest.raises(DiagnosticError) as caught:
        parse(Source("test.c", text))
    return str(caught.value)


def messages(text: str, parse: Callable[[Source], object] = parse) -> list[str]:
    """The messages of the errors, each with the text that it marks."""
    try:
        parse(Source("test.c", text))
    except DiagnosticError as caught:
        spans = ((found, found.span) for found in caught.diagnostics if found.severity == "error")
        return [f"{text[span.start : span.end]} | {found.message}" if span else found.message for found, span in spans]
    return []


def in_function(statements: str) -> str:
    return f"int f(int x) {{ {statements} return x; }}"


# ---------------------------------------------------------------------------------------------------- whole messages


def test_errors_are_reported_in_one_go_and_in_source_order() -> None:
    text = """\
    #include <sdtio.h>
    int f(int x) {
        int y = 3
        x = (y + 2;
        if x > 3) { y = 2; }
        for (int i = 0; i < 3; i++ { x = ; }
        uint8_t z = x +* 2;
        foo bar = '';
        do x--; while (x)
        int while = 3;
        return 08
    }
    """
    assert errors_of(dedent(text)) == dedent("""\
        test.c:1:10: error: `<sdtio.h>` is not a header of standard C
            1 | #include <sdtio.h>
              |          ^^^^^^^^^
        help: did you mean `<stdio.h>`?
        test.c:3:14: error: expected `;` after the declaration
            3 |     int y = 3
              |              ^
        test.c:4:15: error: expected `)` before `;`
            4 |     x = (y + 2;
              |               ^
        test.c:5:8: error: expected `(` before `x`
            5 |     if x > 3) { y = 2; }
              |        ^
        test.c:6:32: error: expected `)` before `{`
            6 |     for (int i = 0; i < 3; i++ { x = ; }
              |                                ^
        test.c:6:38: error: expected an expression before `;`
            6 |     for (int i = 0; i < 3; i++ { x = ; }
              |                                      ^
        test.c:7:5: error: unknown type `uint8_t`
            7 |     uint8_t z = x +* 2;
              |     ^^^^^^^
        help: add `#include <stdint.h>`
        test.c:8:5: error: unknown type `foo`
            8 |     foo bar = '';
              |     ^^^
        test.c:8:15: error: the character constant is empty
            8 |     foo bar = '';
              |               ^^
        test.c:9:22: error: expected `;` after the `do` statement
            9 |     do x--; while (x)
              |                      ^
        test.c:10:9: error: expected a name before `while`
           10 |     int while = 3;
              |         ^^^^^
        help: `while` is a reserved word of C: choose another name
        test.c:11:12: error: `08` is not an octal number
           11 |     return 08
              |            ^^
        test.c:11:14: error: expected `;` after the `return` statement
           11 |     return 08
              |              ^""")


SCENARIOS = scenarios("c_syntax_errors")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_error_is_reported_where_it_is_made(scenario: str) -> None:
    program, expected = SCENARIOS[scenario]
    with pytest.raises(DiagnosticError) as caught:
        parse(Source("test.c", program))
    assert shown(caught.value.diagnostics) == expected


def test_after_many_errors_reading_stops() -> None:
    found = messages(in_function("x = ; " * 100))
    assert found[:-1] == ["; | expected an expression before `;`"] * MAX_ERRORS
    assert found[-1:] == ["; | too many errors; the rest was not checked"]


@pytest.mark.parametrize("limit", [1, 3, 0])
def test_the_limit_of_errors_can_be_changed_or_removed(limit: int) -> None:
    with limited_errors(limit):
        found = messages(in_function("x = ; " * 100))
    assert found[: limit or None] == ["; | expected an expression before `;`"] * (limit or 100)
    assert found[limit or 100 :] == (["; | too many errors; the rest was not checked"] if limit else [])


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing\n", "#include <stdio.h>\n", "int f(void);\n", ";"])
def test_a_source_may_define_no_function(text: str) -> None:
    assert messages(text) == []


ENDS = ["int=returni", "int{turn", "int\\", "int x\\", "long f(void){ret\\", "int f(void){turn", "int f(void){whlie("]


@pytest.mark.parametrize("text", [*ENDS, "x", "foo"])
def test_a_text_may_end_within_a_misspelt_word(text: str) -> None:
    assert messages(text)


# ----------------------------------------------------------------------------------------------------- syntax errors

SYNTAX_ERRORS = {
    # text: its errors, as `marked text | message`
    "int f( { return 0; }": ["{ | expected a parameter before `{`"],
    "fucntion f() { }": ["fucntion | unknown type `fucntion`"],
    "return 0;": ["return | expected a declaration before `return`"],
    "int main(void) return 0; }": ["return | expected `{` or `;` before `return`"],
    "int f()\nint g() { }": ["int | expected `{` or `;` before `int`"],
    "int f { return 0; }": [" | expected parameters in parentheses after `f`"],
    "int f(int x y) { }": ["y | expected `)` before `y`"],
    "int f(int x, y) { }": ["y | expected a type before `y`"],
    "int f(int x,) { }": [") | expected a type before `)`"],
    "int f(3) { }": ["3 | expected a parameter before `3`"],
    "int f(unsined x, unsined y) { }": ["unsined | unknown type `unsined`"],
    "typdef int T; T v;": ["typdef | unknown type `typdef`"],
    "typdef struct { int a; } T; T v;": ["typdef | unknown type `typdef`"],
    "cosnt int x = 1; extren unsigned y;": ["cosnt | unknown type `cosnt`", "extren | unknown type `extren`"],
    in_function("cosnt int y = 1; statc unsigned z;"): ["cosnt | unknown type `cosnt`", "statc | unknown type `statc`"],
    "include <stdio.h>\nint x;": [" | expected `;` after the declaration"],
    "typedef stuct t { int a; } T; T v;": ["stuct | unknown type `stuct`"],
    "typedef foo T; T v;": ["foo | unknown type `foo`"],
    "static const foo x; static enmu e { A } y;": ["foo | unknown type `foo`", "enmu | unknown type `enmu`"],
    "int 3x(void) { }": ["3x | expected a name before `3x`"],
    "int f() { } }": ["} | unmatched `}`"],
    "unsigned double f() { }": ["unsigned double | `unsigned double` is not a type"],
    "int f() { ": [" | expected `}` before the end of the file"],
    "int f() { g(": [" | expected `)` before the end of the file"],
    "int f(": [" | expected `)` before the end of the file"],
    "int f": [" | expected `;` after the declaration"],
    in_function("x = 3 y = 4;"): [" | expected `;` after the expression"],
    in_function("return (x + 1)) * 2;"): [") | unmatched `)`"],
    in_function("x = 1)) + f(x); x = ;"): [") | unmatched `)`", "; | expected an expression before `;`"],
    in_function("int 3x = 4;"): ["3x | expected a name before `3x`"],
    in_function("return [x];"): ["[ | expected an expression before `[`"],
    in_function("retrun 0;"): ["retrun | unknown statement `retrun`"],
    in_function("retrun x;"): ["retrun | unknown statement `retrun`"],
    in_function("whlie (x + 1) { x = ; }"): [
        "whlie | unknown statement `whlie`",
        "; | expected an expression before `;`",
    ],
    in_function("fro (int i = 0; i < x; i++) ;"): ["fro | unknown statement `fro`"],
    in_function("if (x) x = 1; esle x = 2;"): ["esle | unknown statement `esle`"],
    in_function("if (x) { x = 1; } esle { x = ; }"): [
        "esle | unknown statement `esle`",
        "; | expected an expression before `;`",
    ],
    in_function("x = (baz) x;"): ["baz | unknown type `baz`"],
    in_function("x = (x) x;"): [" | expected `;` after the expression"],
    "int f(void { return 0; }": ["{ | expected `)` before `{`"],
    "int f() { int for;": ["for | expected a name before `for`", " | expected `}` before the end of the file"],
    "int f(int x;\nint g() { }": ["; | expected `)` before `;`"],
    in_function("swithc (x) { case 1: ; }"): ["swithc | unknown statement `swithc`"],
    in_function("int y = 3 x = 4;"): [" | expected `;` after the declaration"],
    in_function("int y x = 4;"): [" | expected `;` after the declaration"],
    in_function("break }"): [
        " | expected `;` after the `break` statement",
        "return | expected a declaration before `return`",
    ],
    in_function("goto a b: ;"): [" | expected `;` after the `goto` statement"],
    in_function("goto 3;"): ["3 | expected a name before `3`"],
    in_function("return x + ;"): ["; | expected an expression before `;`"],
    in_function("x = f(x));"): [") | unmatched `)`"],
    in_function("x = x];"): ["] | unmatched `]`"],
    in_function("f(x x);"): ["x | expected `)` before `x`"],
    in_function("f(x,);"): [") | expected an expression before `)`"],
    in_function("f(, x);"): [", | expected an expression before `,`"],
    in_function("x = x ? 1;"): ["; | expected `:` before `;`"],
    in_function("x = (int;"): ["; | expected `)` before `;`"],
    in_function("while x { }"): ["x | expected `(` before `x`"],
    in_function("while (x { }"): ["{ | expected `)` before `{`"],
    in_function("while () { }"): [") | expected an expression before `)`"],
    in_function("do x++; x = 1;"): ["x | expected `while` before `x`"],
    in_function("for (x = 0; x < 3) x;"): [" | expected `;` after the expression"],
    in_function("for (x = 0, x < 3, x++) x;"): [" | expected `;` after the expression"],
    in_function("switch (x) { case 1 x; }"): ["x | expected `:` before `x`"],
    in_function("switch (x) { case: x; }"): [": | expected an expression before `:`"],
    in_function("if (x) else x = 1;"): ["else | expected a statement before `else`"],
    in_function("x; else x = 1;"): ["else | `else` without a previous `if`"],
    in_function("if (x) int y = 3;"): ["int | expected a statement before `int`"],
    in_function("int = 3;"): ["= | expected a name before `=`"],
    in_function("int int;"): ["int int | `int int` is not a type"],
    in_function("int for;"): ["for | expected a name before `for`"],
    in_function("number y; number z = (number) y;"): ["number | unknown type `number`"],
    in_function("x = (uint8_t) x;"): ["uint8_t | unknown type `uint8_t`"],
    in_function("x = a.3;"): [" | expected `;` after the expression"],
    in_function("x = 1_000;"): ["1_000 | `1_000` is not a number"],
    in_function("x = 0x;"): ["0x | `0x` is not a number"],
    in_function("x = 0b12;"): ["0b12 | `0b12` is not a number"],
    in_function("x = 1.5.2;"): ["1.5.2 | `1.5.2` is not a number"],
    in_function("x = 99999999999999999999;"): ["99999999999999999999 | the number is too large for every integer type"],
    in_function("x = '';"): ["'' | the character constant is empty"],
    "#include <a\tb>\nint f() { }": ["<a\tb> | `<a\\tb>` is not a header of standard C"],
    in_function(r"x = u'\x10000';"): [r"\x10000 | the escape sequence `\x10000` does not fit into a wide character"],
    in_function(r"x = '\400';"): [r"\400 | the escape sequence `\400` does not fit into a `char`"],
    in_function(r'f("a\xfffb");'): [r"\xfffb | the escape sequence `\xfffb` does not fit into a `char`"],
    in_function(r'f("\ud800");'): [r"\ud800 | `\ud800` is not a character"],
    in_function("x = 3 @ 4;"): ["@ | stray character `@`"],
    in_function("x = `x`;"): ["` | stray character U+0060", "` | stray character U+0060"],
    in_function("x = \0\0;"): ["\0\0 | stray character U+0000"],
    in_function("x = x²;"): ["x² | stray character `²`"],
    in_function("x = x – 1;"): ["– | stray character `–`"],
    in_function("x = 1 \\ + 2;"): ["\\ | stray character `\\`"],
    in_function('f("abc);\n'): ['" | unterminated string'],
    in_function('f("abc); }'): ['" | unterminated string'],
    in_function('f("abc\n def\\n", "g");\n'): ['" | unterminated string'],
    in_function('f("abc\n); f("d"\n);'): ['" | unterminated string'],
    in_function('f("abc);\n f("def);\n'): ['" | unterminated string'] * 2,
    in_function("x = 'a;\n"): ["' | unterminated character constant"],
    "int f(void) {\n  int x = 1 ( ] 'a; }\nint g(void) { return 3; }\n": [
        "] | unmatched `]`",
        "' | unterminated character constant",
    ],
    in_function("/* x"): ["/* | unterminated comment"],
    "#inclde <stdio.h>\nint f() { }": ["#inclde | unknown directive `#inclde`"],
    "#include stdio.h\nint f() { }": ["#include stdio.h | expected the name of a header, as in `#include <stdio.h>`"],
    "#include <sys/sokcet.h>\nint f() { }": ["<sys/sokcet.h> | `<sys/sokcet.h>` is not a header of standard C"],
    "int f() { } #include <stdio.h>": ["#include | a directive must be on a line of its own"],
}


@pytest.mark.parametrize("text", SYNTAX_ERRORS)
def test_each_syntax_error_is_reported_once(text: str) -> None:
    assert messages(text) == SYNTAX_ERRORS[text]


MISSING_AFTER_DEFINITION = {
    "struct s { int a; }": ["int f(void) { struct s s = { 1 }; return s.a; }", "static const unsigned x = 1;"],
    "struct s { int a, b; }": ["struct t { struct s a; } t; int f(void) { return t.a.b; }", "main() { return 0; }"],
    "enum s { A, B }": [""],
    "enum s { A, B, }": ["typedef int number; number n = B;", "enum s x = A;", "extern int y;"],
    "typedef int N; union s { int a; }": ["N n;", "N *n;"],
    "int f(int n) { enum s { A }": [
        "return n; }",
        "while (n) n--; return A; }",
        "switch (n) { case A: break; } return 0; }",
    ],
    "struct t { struct s { int a; }": ["int b; }; int f(struct t *t) { return t->b; }", "};"],
}
"""Definitions without their ``;``, and declarations after them."""


@pytest.mark.parametrize("text", MISSING_AFTER_DEFINITION)
def test_a_missing_semicolon_after_a_definition_is_reported_at_its_brace_only(text: str) -> None:
    keyword = re.findall(r"(\w+) s ", text)[0]
    for rest in MISSING_AFTER_DEFINITION[text]:
        found = messages(f"{text}\n{rest}", partial(read, "c"))
        assert found == [f"}} | expected `;` after the definition of `{keyword} s`"]


def test_a_misspelt_struct_union_or_enum_is_one_error() -> None:
    text = "strcut s { int x; }; enmu e { B }; unoin u { int a; } u; int f(sturct s *p) { return p->x + B; }"
    found = [each.partition(" | ")[0] for each in messages(text, partial(read, "c"))]
    assert found == ["strcut", "enmu", "unoin", "sturct"]


def test_each_missing_semicolon_of_a_definition_is_reported() -> None:
    text = "struct s { int a; char b[2] }\nstruct t { struct s s };\ntypedef int (*F)(int)\nint f(void) { return 1; }"
    expected = ["declaration", "definition of `struct s`", "declaration", "declaration"]
    found = messages(text, partial(read, "c"))
    assert [each.partition("| expected `;` after the ")[2] for each in found] == expected


def test_qualifiers_and_storage_classes_may_follow_a_definition() -> None:
    text = "struct s { int a; } const x; struct t { int a; } typedef T; struct u { int a; } static y, *z;"
    function = "enum { A } f(T *); int g(void) { struct v { int q; } N; return sizeof N; }"
    assert not messages(f"typedef int N; {text} {function}")


EXPLAINED = {
    "int f(int a) {\n  if (a > 1)\n    a = 2;\n    a = 3;\n  else a = 4;\n  return a;\n}": "misleading-indentation",
    "int f(int a) {\n  while (a) {\n    if (a > 1);\n      a = 2;\n    else a = 4;\n  }\n  return a;\n}": "empty-body",
    "int f(int a) { /* one /* two */ three */ return a; }": "comment",
    "int f(int a) {\n  while (a);\n    a--; }\n  return a;\n}": "misleading-indentation",
}
"""Texts with the warning that explains their syntax error."""


@pytest.mark.parametrize("text", EXPLAINED)
def test_a_syntax_error_does_not_hide_the_warning_that_explains_it(text: str) -> None:
    with choosing(Warnings(["all"])), pytest.raises(DiagnosticError) as caught:
        read("c", Source("test.c", text))
    rules = [each.rule for each in caught.value.diagnostics]
    assert EXPLAINED[text] in rules and "syntax" in rules


def test_an_undeclared_name_does_not_hide_the_comment_that_contains_its_declaration() -> None:
    text = "int main(void) {\n  /* one\n  int y = 3;\n  /* two */\n  return y;\n}"
    with choosing(Warnings(["all"])), pytest.raises(DiagnosticError) as caught:
        convert(Source("test.c", text), warnings=[])
    assert [each.rule for each in caught.value.diagnostics] == ["comment", "undeclared"]


@needs_gcc
def test_gcc_rejects_the_same_texts() -> None:
    command = ["gcc", "-std=c17", "-pedantic-errors", "-fsyntax-only", "-x", "c", "-"]
    texts = sample([*SYNTAX_ERRORS], 4)  # gcc's judgment of a text changes with the text alone
    runs = {text: subprocess.run(command, input=text.encode(), capture_output=True) for text in texts}
    assert [text for text, run in runs.items() if run.returncode == 0] == []


# ----------------------------------------------------------------------------------------------- unsupported features

UNSUPPORTED = {
    'asm("nop"); int f() { }': ["asm | inline assembly is not supported yet"],
    'int f() { asm("nop; hlt"); }': ["asm | inline assembly is not supported yet"],
    "__declspec(dllexport) int x;": ["__declspec | attributes are not supported yet"],
    in_function('asm volatile ("hlt" : "=r"(x) : : "memory");'): ["asm | inline assembly is not supported yet"],
}
"""Texts, with the errors in each, as `marked text | message`."""


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_unsupported_features_are_named(text: str) -> None:
    assert messages(text) == UNSUPPORTED[text]


# --------------------------------------------------------------------------------------------------------- recovery

PROGRAM = """\
#include <stdio.h>
int gcd(int a, int b) {
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}
int main(void) {
    for (int i = 1; i < 10; i++) {
        if (gcd(i, 6) == 1 && i > 2)
            printf("%d\\n", i);
        else
            puts("no");
    }
    do { int x = (3 + 4) * 2, y; y = x ? 1 : -2; } while (0);
    return 0;
}
"""


def test_a_missing_token_leads_to_few_messages_and_to_no_semantic_errors() -> None:
    tokens = list(re.finditer(r'"[^"]*"|\w+|[<>=!&+]=|&&|\+\+|[^\w\s]', PROGRAM[19:]))
    counts = []
    for token in sample(tokens, 6):
        start, end = token.start() + 19, token.end() + 19
        text = PROGRAM[:start] + " " + PROGRAM[end:]
        counts.append(len(messages(text)))
        assert not counts[-1] or messages(text, partial(read, "c")) == messages(text)
    assert max(counts) <= 4
    assert sum(counts) / len(counts) < 1.2


TOKENS = r"""
    ( ) [ ] { } ; , : ? = == + - * & && . -> ... ++ if else while do for switch case default return goto break long
    const static typedef struct enum union sizeof x y foo 3 1.5 'a' "s" NULL EOF FILE int8_t _Generic asm [[
    __attribute__ _Atomic @ é ' " /* */ // #
"""
WORDS = [*TOKENS.split(), "int\n", "]]\n", "\n", *[""] * 6]
token_soup = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@settings(max_examples=examples(80))
@given(
    st.text()
    | token_soup
    | token_soup.map(lambda soup: f"#include <stdio.h>\nint f(int x) {{\n{soup}\n}}\nint g() {{ }}")
)
def test_any_text_gives_a_tree_or_diagnostics(text: str) -> None:
    try:
        read("c", Source("test.c", text))
    except DiagnosticError as caught:
        assert 1 <= len(caught.diagnostics) <= MAX_ERRORS + 1
        assert str(caught)
        starts = [found.span.start for found in caught.diagnostics if found.span]
        assert starts == sorted(starts)


MANY = size(10_000)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("}" * MANY, 1),
        (")" * MANY, 1),
        ("\0\1" * MANY, 1),
        ('"\n' * MANY, MAX_ERRORS + 1),
        ("int f() { return " + "(" * MANY, 1),
        ("int f() { return " + "(" * MANY + "; }", 1),
        ("int f() " + "{" * MANY, 1),
        ("int f() {" + "{" * MANY + "x = ; y = ); z" + "}" * MANY + "}", 3),
        ("int f() {" + "foo x;" * (MANY // 10) + "}", 1),
        ("int f() { /*" + "*" * MANY, 1),
        ("int " + "*" * MANY + "f(void) { }", 0),
        ("int f() { int x = " + "{" * MANY + "}" * MANY + "; }", 0),
        ("int " + "(" * MANY + "f" + ")" * MANY + "(void) { }", 0),
        ("struct s {" + "int x;" * MANY + "}; int f() { }", 0),
    ],
    ids=lambda value: str(value)[:16],
)
def test_text_of_any_size_is_read(text: str, count: int) -> None:
    assert len(messages(text)) == count
