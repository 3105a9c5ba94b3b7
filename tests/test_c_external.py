"""Functions of C that a source declares, but does not define: converted, emitted, and refused by the engines."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cpsconv import Source, convert, pretty
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.engines import ENGINES, EngineName
from cpsconv.targets import TARGETS, Style
from testing.gcc import GCC, compile_c, needs_gcc
from testing.gcc import observe as observe_executable
from testing.running import converted, observe
from tests.tables import table

CALLER = """\
int scale(int value, const double *by), (*later)(int, const double *) = scale;
void report(char *ret);
unsigned char next();
int main(void) {
    double half = 0.5;
    report("begin");
    return scale(40, &half) + later(4, &half) + next('a', 1.5f);
}
"""
CALLEE = """\
#include <stdio.h>
int scale(int value, const double *by) { return value * *by; }
void report(char *text) { puts(text); }
unsigned char next(int c, double d) { return c == 'a' && d == 1.5 ? 3 : 0; }
"""


def refused(text: str) -> list[Diagnostic]:
    with pytest.raises(DiagnosticError) as caught:
        convert(Source("test.c", text))
    return list(caught.value.diagnostics)


def test_declared_functions_are_external_functions_of_the_program() -> None:
    program = convert(Source("test.c", CALLER), certify=True)
    assert [line for line in pretty(program).splitlines() if line.startswith("extern")] == [
        "extern scale(value : int, by : ptr, ret : int → ⊥) → ⊥",
        "extern report(p0 : ptr, ret : () → ⊥) → ⊥",
        "extern next(p0 : int, p1 : double, ret : unsigned char → ⊥) → ⊥",
    ]


@needs_gcc
def test_emitted_c_is_linked_with_the_definitions(tmp_path: Path) -> None:
    (tmp_path / "caller.c").write_text(TARGETS["c"](convert(Source("test.c", CALLER)), Style()))
    (tmp_path / "callee.c").write_text(CALLEE)
    subprocess.run([GCC, "-w", "-o", "program", "caller.c", "callee.c"], cwd=tmp_path, check=True)  # type: ignore[list-item]
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("begin\n", 25)


UNDEFINED = {
    "scale": ("int scale(int); int (*f)(int) = scale; int main(void) { return f(1); }", "program.c:1:5"),
    "report": ('#include <stdio.h>\nvoid report(void);\nint main(void) { puts("a"); report(); }', "program.c:2:6"),
}


@pytest.mark.parametrize("engine", ["machine", "python", "llvm"])
@pytest.mark.parametrize("name", UNDEFINED)
def test_a_run_names_the_function_without_definition(engine: EngineName, name: str) -> None:
    text, place = UNDEFINED[name]
    program = converted(text, "scc")
    with pytest.raises(DiagnosticError) as caught:
        observe(program, engine=engine)
    [found] = caught.value.diagnostics
    assert found.message == f"the evaluator has no external function `{name}`"
    assert str(found.span) == place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("static int f(int); int main(void) { return f(1); }", "`f` is declared but never defined"),
        ("static int f(int); int (*p)(int) = f;", "`f` is declared but never defined"),
        ("int f(int); int main(void) { return f(); }", "`f` takes 1 argument, but none is given"),
        ("int f(); int main(void) { return f(1) + f(1.5); }",
         "this call of `int f()` passes other types than the calls before"),
        ('int strcmp() { return 1; } int main(void) { return __builtin_strcmp("", ""); }',
         "`__builtin_strcmp` in a program that defines `strcmp` is not supported yet"),
    ],
)  # fmt: skip
def test_what_cannot_be_external_is_reported(text: str, message: str) -> None:
    assert [each.message for each in refused(text)] == [message]


def test_what_is_declared_but_not_used_is_not_in_the_program() -> None:
    text = (
        "extern int n; int f(int), g(int, ...); static int h(void); int main(void) { return sizeof f(1) + sizeof n; }"
    )
    assert pretty(convert(Source("test.c", text))).startswith("main(")


_STRLEN, _MALLOC = "unsigned long strlen(const char *)", "void *malloc(unsigned long)"
LIBRARY = {
    "int strlen(char *);": f"`int strlen(char *)` does not agree with the library function `{_STRLEN}`",
    "char *malloc();": f"`char *malloc()` does not agree with the library function `{_MALLOC}`",
    "unsigned long strlen();": None,
    "int printf();": None,
    "void *memset(void *, int, unsigned long);": None,
}
"""Declarations, with the warning about each, or None."""


@pytest.mark.parametrize(("text", "message"), LIBRARY.items())
def test_a_declaration_of_a_library_function_is_compared_with_its_header(text: str, message: str | None) -> None:
    found: list[Diagnostic] = []
    convert(Source("test.c", text), warnings=found)
    assert [each.message for each in found] == ([message] if message else [])


@pytest.mark.parametrize(
    ("specifiers", "is_static"),
    [("inline", True), ("extern inline", False), ("extern GNU inline", True), ("GNU inline", False)],
)
def test_an_inline_definition_is_for_its_unit_only(specifiers: str, is_static: bool) -> None:
    specifiers = specifiers.replace("GNU", "__attribute__((__gnu_inline__))")
    shown = pretty(
        convert(Source("test.c", f"{specifiers} int f(int x) {{ return x; }} int g(void) {{ return f(1); }}"))
    )
    assert shown.startswith("static f(") is is_static


PROGRAMS = table("c_external")
"""The longer programs of these tests."""

WITHOUT_DECLARATIONS = PROGRAMS["WITHOUT_DECLARATIONS"]


@needs_gcc
def test_functions_are_declared_implicitly_as_by_gcc(tmp_path: Path) -> None:
    expected = observe_executable(compile_c(WITHOUT_DECLARATIONS, tmp_path, "-w"))
    for engine in ENGINES:
        assert observe(converted(WITHOUT_DECLARATIONS, "scc"), engine=engine) == expected


SYSTEM_CALLER = PROGRAMS["SYSTEM_CALLER"]
ONE_CALL = """\
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[] = "abc";
    explicit_bzero(text, 2);
    return puts(text + 2) < 0;
}
"""


HANDLER = PROGRAMS["HANDLER"]


@needs_gcc
def test_types_and_members_that_no_known_header_has_are_those_of_the_system(tmp_path: Path) -> None:
    text = TARGETS["c"](convert(Source("test.c", HANDLER)), Style())
    assert observe_executable(compile_c(text, tmp_path, "-w")).output == "15\n"


@needs_gcc
@pytest.mark.parametrize("text", [SYSTEM_CALLER, ONE_CALL])
def test_further_names_are_those_of_the_headers_of_the_system(text: str, tmp_path: Path) -> None:
    """Headers that are known by name declare more on the platform; emitted C includes some, and declares the rest."""
    source = "#define _GNU_SOURCE\n" + text
    expected = observe_executable(compile_c(source, tmp_path, "-w"))
    found: list[Diagnostic] = []
    program = convert(Source("test.c", source), warnings=found)
    assert observe_executable(compile_c(TARGETS["c"](program, Style()), tmp_path, "-w")) == expected
    assert found == []
    assert {each.name for each in program.functions} <= {"main", "handle"}


ERROR_CALLER = PROGRAMS["ERROR_CALLER"]


@needs_gcc
def test_extern_inline_functions_with_variable_arguments_are_those_of_another_file(tmp_path: Path) -> None:
    program = convert(Source("test.c", ERROR_CALLER))
    assert [each.name for each in program.functions] == ["main"]
    written, original = (
        observe_executable(compile_c(text, tmp_path, "-w")) for text in (TARGETS["c"](program, Style()), ERROR_CALLER)
    )
    assert written == original
    assert original.status == 5


RESERVED = """\
#undef unix
int index = 3, _Y0 = 2, unix = 1;
int gamma(int x) { return x + 1; }
int setbuffer(int first, ...) { return first * 2; }
const char text[] = "constant";
"""
USER = """\
#undef unix
extern int index, _Y0, unix;
extern const char text[];
int gamma(int), setbuffer(int, ...), printf(const char *, ...);
int main(void) { printf("%d %d %d %d %d %s\\n", index, _Y0, unix, gamma(3), setbuffer(5, 2), text); }
"""


@needs_gcc
@pytest.mark.parametrize("emitted", [(RESERVED,), (USER,), (RESERVED, USER)])
def test_names_of_headers_are_linked_as_in_the_source(emitted: Sequence[str], tmp_path: Path) -> None:
    for number, text in enumerate([RESERVED, USER]):
        if text in emitted:
            text = TARGETS["c"](
                convert(Source("test.c", "#include <stdlib.h>\nstatic void *p = malloc;\n" + text)), Style()
            )
        (tmp_path / f"{number}.c").write_text(text)
    subprocess.run([GCC, "-w", "-o", "program", "0.c", "1.c"], cwd=tmp_path, check=True)  # type: ignore[list-item]
    assert subprocess.run([tmp_path / "program"], capture_output=True, text=True).stdout == "3 2 1 4 10 constant\n"


@needs_gcc
def test_functions_are_called_as_configuration_scripts_call_them(tmp_path: Path) -> None:
    """To see whether the library has them, with declarations that are wrong on purpose."""
    declared = "char strchrnul(), malloc(); int isalpha(); double sqrt();"
    program = (
        f"{declared} int main() {{ if (main == 0) return strchrnul() + malloc() + isalpha() + sqrt(); return 4; }}"
    )
    text = TARGETS["c"](convert(Source("test.c", program)), Style())
    assert observe_executable(compile_c(text, tmp_path, "-w", "-fno-builtin", "-lm")).status == 4
