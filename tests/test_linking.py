"""Several files as one program: the names that they share and those that they do not, judged by gcc."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.check import check
from cpsconv.emit import TARGETS, Style
from cpsconv.engines import ENGINES
from cpsconv.json import from_json, to_json
from cpsconv.library import with_library
from cpsconv.linking import link, require_defined
from cpsconv.source import DiagnosticError
from tests import native
from tests.c_programs import c_programs, random_program
from tests.effort import examples
from tests.expectations import Observation
from tests.gcc import compile_c, needs_gcc
from tests.gcc import observe as observe_executable
from tests.running import observe

Files = Mapping[str, str]

POINT = "struct point { int x, y; };\n"

PROJECTS: dict[str, Files] = {
    "static functions stay separate": {
        "a.c": "static int f(int x) { return x + 1; }\nint g(int);\nint main(void) { return f(1) * 10 + g(1); }",
        "b.c": "static int f(int x) { return x * 5; }\nint g(int x) { return f(x); }",
    },
    "static variables stay separate": {
        "a.c": "static int n = 3; int next(void);\nint main(void) { n++; next(); return n * 10 + next(); }",
        "b.c": "static int n = 5;\nint next(void) { static int count; n++; return n + count++; }",
    },
    "a static name is another one's external name": {
        "a.c": "int n = 2; int get(void);\nint main(void) { return n * 10 + get(); }",
        "b.c": "static int n = 7;\nint get(void) { return n; }",
    },
    "string literals and compound literals stay separate": {
        "a.c": "#include <stdio.h>\nextern const char *text; int *numbers = (int[]){ 1, 2 }; int *others(void);\n"
        'int main(void) { const char *own = "own"; puts(text); puts(own); return numbers[1] * 10 + others()[1]; }',
        "b.c": 'const char *text = "other";\nstatic int *list = (int[]){ 3, 4 };\nint *others(void) { return list; }',
    },
    "extern variables, arrays and structs": {
        "a.c": POINT + "extern int n, table[]; extern struct point origin; extern const double half;\n"
        "int main(void) { table[1] += n; origin.y = 4; return table[1] + origin.x + (int)(half * 4) + origin.y; }",
        "b.c": POINT + "int n = 5; int table[3] = { 1, 2, 3 };\n"
        "struct point origin = { 7, 8 }; const double half = 0.5;",
    },
    "an extern struct of a type that is not complete": {
        "a.c": "extern struct hidden it; int value(struct hidden *);\nint main(void) { return value(&it); }",
        "b.c": "struct hidden { int a, b; } it = { 3, 4 };\nint value(struct hidden *h) { return h->b; }",
    },
    "a tentative definition meets declarations": {
        "a.c": "extern int n; int n; extern int n;\nvoid set(int);\nint main(void) { set(9); return n; }",
        "b.c": "extern int n;\nvoid set(int value) { n = value; }",
    },
    "a file with data only": {
        "a.c": "extern int table[3]; extern int *last;\nint main(void) { *last = 6; return table[2]; }",
        "b.c": "int table[3]; int *last = &table[2];",
    },
    "addresses in initial values": {
        "a.c": "int twice(int); extern int n; int (*f)(int) = twice; int *p = &n;\nint main(void) { return f(*p); }",
        "b.c": "int n = 21;\nint twice(int x) { return 2 * x; }",
    },
    "a function pointer is equal in all files": {
        "a.c": "int f(int x) { return x; }\nint (*get(void))(int);\nint main(void) { return get() == f && get()(1); }",
        "b.c": "int f(int);\nint (*get(void))(int) { return f; }",
    },
    "structs by value": {
        "a.c": POINT + "struct point swapped(struct point);\n"
        "int main(void) { struct point p = { 1, 2 }; p = swapped(p); return p.x * 10 + p.y; }",
        "b.c": POINT + "struct point swapped(struct point p) { return (struct point){ p.y, p.x }; }",
    },
    "equal names of different structs": {
        "a.c": "struct s { int x; }; int f(void);\n"
        "int main(void) { struct s a[2] = { { 1 }, { 2 } }; return a[1].x + f(); }",
        "b.c": "struct s { double d; int y; };\n"
        "int f(void) { struct s a[2] = { { 1.5, 2 }, { 2.5, 4 } }; return a[1].y; }",
    },
    "variable arguments": {
        "a.c": "int sum(int, ...);\nint tail(int x) { return sum(2, x, 5); }\n"
        "int main(void) { int n = 0; for (int i = 0; i < 3; i++) n += sum(i, i, 2L == 2, 3); return n + tail(1); }",
        "b.c": "#include <stdarg.h>\n"
        "int sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a);"
        " return s; }",
    },
    "calls in both directions": {
        "a.c": "int odd(unsigned); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }\n"
        "int main(void) { return even(10) * 10 + odd(7); }",
        "b.c": "int even(unsigned); int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }",
    },
    "inline functions": {
        "a.c": "inline int f(int x) { return x + 1; }\nextern inline int f(int);\nint g(void);\n"
        "static inline int h(void) { return 3; }\nint main(void) { return f(1) + g() * h(); }",
        "b.c": "inline int f(int x) { return x + 1; }\nstatic inline int h(void) { return 4; }\n"
        "int g(void) { return f(2) + h(); }",
    },
    "a declaration in a block": {
        "a.c": "int main(void) { extern int n; int f(void); return n + f(); }",
        "b.c": "int n = 3;\nint f(void) { extern int n; return n * 2; }",
    },
    "main is in the last file": {
        "a.c": "#include <stdlib.h>\nint f(void) { exit(7); }",
        "b.c": "int f(void);\nint main(void) { return f(); }",
    },
    "a function of the library is used in all files": {
        "a.c": "#include <string.h>\n#include <stdlib.h>\nint f(char *);\n"
        'int main(void) { srand(3); char s[] = "abc"; return strchr(s, \'b\') - s + f(s) + rand() % 5; }',
        "b.c": "#include <string.h>\n#include <stdlib.h>\n"
        'int f(char *s) { rand(); return strlen(s) + strcspn(s, "c"); }',
    },
    "a function of the library is defined by the program": {
        "a.c": "unsigned long strlen(const char *);\nint main(void) { return (int)strlen(\"abc\"); }",
        "b.c": "unsigned long strlen(const char *s) { return s[0]; }",
    },
    "the dead code of a header needs no definition": {
        "a.c": "int nowhere(int);\nstatic inline int unused(int x) { return nowhere(x); }\nint g(void);\n"
        "int main(void) { return g(); }",
        "b.c": "int g(void) { return 4; }",
    },
}  # fmt: skip


def source(name: str, text: str) -> Source:
    return Source(name, text)


def linked(files: Files, **given: object) -> Program:
    """The program of the files. It is well-formed, and all that it uses is defined."""
    program = link([convert(source(name, text), **given) for name, text in files.items()])  # type: ignore[arg-type]
    require_defined(program)
    assert check(program) == []
    return program


def judged(files: Files, folder: Path) -> Observation:
    """What the files do when gcc compiles them together."""
    for name, text in files.items():
        (folder / name).write_text(text)
    further = [str(folder / name) for name in files]
    return observe_executable(compile_c("", folder, "-w", "-fno-builtin", *further))


@needs_gcc
@pytest.mark.parametrize("name", PROJECTS)
def test_files_behave_as_gcc_links_them(name: str, tmp_path: Path) -> None:
    files = PROJECTS[name]
    expected = judged(files, tmp_path)
    for options in ({}, {"optimise": ["fold", "cse", "memory", "dead"]}, {"explicit_memory": "one"}):
        if options.get("explicit_memory") and "..." in str(files):
            continue  # see test_variable_arguments_and_explicit_memory
        program = with_library(linked(files, **options))
        for engine in ENGINES:
            assert observe(program, engine=engine) == expected, (engine, options)


def test_variable_arguments_and_explicit_memory() -> None:
    programs = [convert(Source(*file), explicit_memory="one") for file in PROJECTS["variable arguments"].items()]
    with pytest.raises(DiagnosticError) as caught:
        link(programs)
    [found] = caught.value.diagnostics
    assert (str(found.span), found.message) == (
        "a.c:2:26",
        "the call of `sum`, with variable arguments, cannot be linked while memory is explicit",
    )


@needs_gcc
@pytest.mark.parametrize("name", PROJECTS)
def test_programs_are_linked_as_text_and_as_data(name: str, tmp_path: Path) -> None:
    files = PROJECTS[name]
    expected = judged(files, tmp_path)
    for again in (lambda program: parse(Source("p.cps", pretty(program))), lambda program: from_json(to_json(program))):
        programs = [again(convert(source(name, text))) for name, text in files.items()]
        program = link(programs)
        require_defined(program)
        assert check(program) == []
        assert pretty(again(program)) == pretty(program)
        assert observe(with_library(again(program)), engine="python") == expected


@needs_gcc
@pytest.mark.parametrize("name", PROJECTS)
def test_linked_programs_are_emitted_as_c_and_llvm(name: str, tmp_path: Path) -> None:
    files = PROJECTS[name]
    expected = judged(files, tmp_path)
    (tmp_path / "emitted").mkdir()
    text = TARGETS["c"](linked(files), Style())
    assert observe_executable(compile_c(text, tmp_path / "emitted", "-w")) == expected
    if "strlen" not in name:
        assert native.observe_all([(linked(files), ())]) == [expected]


# ------------------------------------------------------------------------------------------------ generated programs

_DEFINITION = re.compile(r"\n(?=\n[^\n]*\) \{\n)")
"""The line before a function of a generated program."""

_VARIABLE = re.compile(
    r"^(?:static )?((?!typedef|static|const|enum|struct \w+ {|union \w+ {)\w[\w *]*\w[][\d]*)( = .*)?;$", re.MULTILINE
)
"""A variable of a generated program."""


def split(text: str, files: int) -> Files:
    """A generated program in several files, each of which has the declarations and some of the functions.

    The first one defines the variables, except constants. The helpers are static functions of each file.
    """
    head, *functions = _DEFINITION.split(text)
    head = re.sub(r"^(?=\w[^\n;#]*\) \{$)(?!static)", "static ", head, flags=re.MULTILINE)
    heads = [_VARIABLE.sub(r"extern \1;" if number else r"\1\2;", head) for number in range(files)]
    return {f"f{number}.c": "\n".join([own, *functions[number::files]]) + "\n" for number, own in enumerate(heads)}


@given(text=c_programs(), files=st.integers(1, 3))
def test_generated_programs_in_several_files_behave_as_in_one(text: str, files: int) -> None:
    whole, parts = convert(Source("program.c", text)), linked(split(text, files))
    assert observe(parts, engine="python") == observe(whole, engine="python")


@pytest.mark.parametrize("number", range(examples(12)))
def test_generated_programs_with_memory_in_several_files_behave_as_in_one(number: int) -> None:
    text = random_program(number, memory=True)
    whole, parts = convert(Source("program.c", text)), linked(split(text, 2))
    assert observe(with_library(parts), engine="python") == observe(with_library(whole), engine="python")
