"""Programs that read undefined variables: all engines report the same error at the same place after the same output."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.entry import entry_of
from cpsconv.engines import EngineName
from testing.effort import examples, is_full
from testing.engines import COMPILERS, ENGINES_HERE, alike, in_turn, seen, seen_each
from testing.running import STRATEGIES, converted

PRELUDE = """#include <stdio.h>
int say(int n) { printf("%d ", n); return n; }
int pair(int m, int n) { printf("(%d) ", m); return n; }
double half(double x) { printf("%g ", x); return x / 2; }
"""

DECLARATIONS = "int r, s, t; long l; unsigned char c; double d; int a = 1, b = 0, fuel = 3;"
OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", ","]

leaves = st.sampled_from(["r", "s", "t", "l", "c", "d", "a", "b", "0", "1", "-1", "7"])
"""Variables, of which `a` and `b` are defined, and numbers."""


def whole(text: str) -> str:
    """An expression of type `int` for one of any type, for the operators that need it."""
    return f"(int)({text})"


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.builds(
        lambda left, op, right: f"({whole(left) if op in '%&|^<<>>' else left} {op} {whole(right)})",
        inner,
        st.sampled_from(OPERATORS),
        inner,
    )
    return st.one_of(
        operators,
        operators,
        st.builds(lambda op, operand: f"{op}({whole(operand)})", st.sampled_from("-~!"), inner),
        st.builds(lambda type, operand: f"({type})({operand})", st.sampled_from(["char", "long", "double"]), inner),
        st.builds(lambda argument: f"say({argument})", inner),
        st.builds(lambda argument: f"half({argument})", inner),
        st.builds(lambda one, other: f"pair({one}, {other})", inner, inner),
        st.builds(lambda test, one, other: f"({test} ? {one} : {other})", inner, inner, inner),
    )


expressions = st.recursive(leaves, larger, max_leaves=6)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(lambda test, then: f"if ({test}) {{ {then} }}", expressions, inner),
        st.builds(lambda test, then: f"if (a) {{ {then} }} else {{ {test}; }}", expressions, inner),
        st.builds(lambda test, body: f"while (fuel-- > 0 && {test}) {{ {body} }}", expressions, inner),
        st.builds(
            lambda value, one, other: (
                f"switch ({whole(value)}) {{ case 0: {one} case 1: {other} break; default: a = 2; }}"
            ),
            expressions,
            inner,
            inner,
        ),
        st.builds(lambda first, second: f"{first} {second}", inner, inner),
    )


statements = st.recursive(
    st.one_of(
        st.builds(lambda name, value: f"{name} = {value};", st.sampled_from("rstlcd"), expressions),
        st.builds(lambda value: f"say({value});", expressions),
        st.builds(lambda one, other: f'printf("%d %d|", {whole(one)}, {whole(other)});', expressions, expressions),
        st.builds(lambda value: f"return {value};", expressions),
    ),
    compound,
    max_leaves=5,
)

programs = st.builds(
    lambda body, value: f"{PRELUDE}int main(void) {{ {DECLARATIONS} {body} return {value}; }}\n",
    statements,
    expressions,
)


@pytest.mark.parametrize("engine", COMPILERS)
@settings(max_examples=examples(60))
@given(programs, st.sampled_from(STRATEGIES), st.booleans())
def test_the_first_use_of_an_undefined_value_ends_the_run(
    engine: EngineName, text: str, strategy: str, optimised: bool
) -> None:
    program = converted(text, strategy, optimise=["fold", "arithmetic", "cse"] if optimised else [])
    assert entry_of(program)
    assert seen(program, [], engine) == seen(program, [], "machine")


def test_a_call_precedes_the_use_of_an_undefined_operand_beside_it() -> None:
    expressions = [
        "(r < say(1)) & 2",
        "say(1) + r",
        "r / say(0)",
        "say(7) % r",
        "r << say(1)",
        "pair(say(1), r) + pair(r, 2)",
        "r ? say(1) : say(2)",
        "(say(1), r) && say(2)",
        "half(say(1)) * d",
        "-r - say(2)",
    ]
    text = f"{PRELUDE}int main(void) {{ {DECLARATIONS} return EXPRESSION; }}\n"
    ends = alike([converted(text.replace("EXPRESSION", each), "scc") for each in expressions])
    assert all("runtime error" in end for *_, end in ends)


FORMATS = [
    ('printf("%d", say(1) * 1.5)', "%d", "has the type `double`"),
    ('printf("%ld", text + say(1))', "%ld", "has the type `char *`"),
    ('printf("%p", (long)say(1))', "%p", "has the type `long`"),
    ("printf(text, (struct s { int n; }){say(1)})", "format", "has the type `struct s`"),
    ('printf("%f", say(1))', "%f", "has the type `int`"),
    ('printf("%d %s", say(1), 1.5)', "%s", "has the type `double`"),
    ('printf("%s", say(1))', "%s", "has the type `int`"),
    ('printf("%d %ld", say(1))', "%ld", "is missing"),
    ('printf("%d %d", say(1), "text")', "%d", "has the type `char *`"),
    ('printf("%*c", "text", say(1))', "*", "has the type `char *`"),
    ('printf("%d %lx", say(1), number ? "a" : "b")', "%lx", "has the type `char *`"),
    ('dprintf(1, "%d %f", say(1), 1)', "%f", "has the type `int`"),
    ('sprintf(text, "%s %d", 1, say(1))', "%s", "has the type `int`"),
    ('snprintf(text, 9, "%*d", "x", say(1))', "*", "has the type `char *`"),
    ('snprintf(text, 9, "%d %d", say(1))', "%d", "is missing"),
    ('printf("%n", say(1))', "%n", "has the type `int`"),
    ('printf("%ls", say(1))', "%ls", "has the type `int`"),
    ('printf("%d%m %lc", say(1), 1.5)', "%lc", "has the type `double`"),
    ('printf("%2$s %1$d", say(1), 1)', "%2$s", "has the type `int`"),
    ('printf("%2$d %1$d", say(1))', "%2$d", "is missing"),
    ('printf("%\'d%n", say(1))', "%n", "is missing"),
    ('snprintf(text, 9, "%Zd %\'f", (long)say(1), 1)', "%'f", "has the type `int`"),
    ('wprintf(L"%d %s", say(1), 1)', "%s", "has the type `int`"),
    ('swprintf(wide, 9, L"%d", say(1) * 1.5)', "%d", "has the type `double`"),
    ('fwprintf(stdout, L"%d %d", say(1))', "%d", "is missing"),
    ('scanf("%d", say(1))', "%d", "has the type `int`"),
    ('sscanf("1", "%ms", say(1))', "%ms", "has the type `int`"),
    ('fscanf(stdin, "%*d%*[a-z]%lf", say(1) * 1.5)', "%lf", "has the type `double`"),
    ('sscanf("1", "%n%2$d", text + say(1))', "%2$d", "is missing"),
    ('swscanf(L"1", L"%s %d", text + say(1))', "%d", "is missing"),
]
"""Calls with an argument that does not fit the format, the directive, and the fault."""


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_call_without_an_argument_that_fits_its_format_ends_the_run(engine: EngineName) -> None:
    """By default, those of wide characters and of input with the machine: their functions are written in C."""
    others = [each for each in FORMATS if not is_full() and re.match(r"\w*w\w*f|\w*scanf", each[0])]
    formats = [each for each in in_turn(FORMATS, engine) if each not in others]
    formats += others if engine == "machine" else []
    bodies = [f"char text[9]; wchar_t wide[9]; if (number > 99) {call}; {call};" for call, *_ in formats]
    found = seen_each(bodies, f"#include <stdio.h>\n#include <wchar.h>\n{PRELUDE}", engine)
    for (call, slot, fault), (output, _, end) in zip(formats, found, strict=True):
        assert output == b"1 ", call
        assert f"runtime error: the argument for `{slot}` of `{call.partition('(')[0]}` {fault}" in end


UNKNOWN_FORMATS = [
    ('print("%d %s", 1, 2)', "index 4 of `arguments` (5 elements of long, declared on line LINE) is used"),
    ('print("%2$s %1$d", 1, 2)', "index 4 of `arguments` (5 elements of long, declared on line LINE) is used"),
    ('print("%ld", "x")', "index 3 of `arguments` (4 elements of long, declared on line LINE) is used"),
    ('print("%d", "x")', "bytes 24 to 27 of `arguments` (4 elements of long, declared on line LINE) are used"),
    ('print("%s", 5L)', "index 3 of `arguments` (4 elements of long, declared on line LINE) is used"),
    ('print("%f", 5L)', "index 3 of `arguments` (4 elements of long, declared on line LINE) is used"),
    ('print("%ld %ld", 1L, 2.5)', "index 4 of `arguments` (5 elements of long, declared on line LINE) is used"),
    ('print("%2$f %1$d", 1, 2L)', "index 4 of `arguments` (5 elements of long, declared on line LINE) is used"),
    ('print("%.*f", 1.5, 1.5)', "bytes 24 to 27 of `arguments` (5 elements of long, declared on line LINE) are used"),
    ('print("%d %d", 1)', "index 4 of `arguments` (4 elements of long, declared on line LINE) is out of bounds"),
    ('print("%d%Lf", 1, 2.5)', "bytes 32 to 47 of `arguments` (5 elements of long, declared on line LINE) are out"),
    ('scan("%d %d", &number, 5)', "index 4 of `arguments` (5 elements of long, declared on line LINE) is used"),
    ('scan("%d %2$d", &number)', "index 4 of `arguments` (4 elements of long, declared on line LINE) is out of bounds"),
]
"""Calls with an argument that does not fit a format that is not known, and the fault."""


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_wrong_argument_for_an_unknown_format_has_a_note_on_the_call(engine: EngineName) -> None:
    before = """#include <stdarg.h>
#include <stdio.h>
int print(const char *format, ...) { va_list list; va_start(list, format); return vprintf(format, list); }
int scan(const char *format, ...) { va_list list; va_start(list, format); return vsscanf("1 2", format, list); }"""
    formats = in_turn(UNKNOWN_FORMATS, engine)
    found = seen_each([f"{call};" for call, _ in formats], before, engine)
    for number, ((_, fault), (_, _, end)) in enumerate(zip(formats, found, strict=True), 1):
        line, column = number + 6, len(f"case {number}: {{ ") + 1
        assert f"runtime error: {fault.replace('LINE', str(line))}" in end
        assert (
            f"{line}:{column}: note: the variable arguments are passed here: one is missing, or has another type" in end
        )


def test_a_variable_called_arguments_has_no_note_on_a_call() -> None:
    text = "int main(int argc, char **argv) { long arguments[4]; return arguments[argc] + 1; }"
    _, _, end = seen(converted(text, "scc"), [], "machine")
    assert "index 1 of `arguments`" in end and "[]" in end
