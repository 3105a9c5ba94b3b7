"""Several files as one program: the names that they share and those that they do not, judged by gcc."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.abi import libraries
from cpsconv.abi.library import with_library
from cpsconv.abi.linking import link, require_defined
from cpsconv.core.check import check
from cpsconv.core.json import Parts, from_json, to_json
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import ENGINES, EngineName
from cpsconv.targets import TARGETS, Style
from testing import native
from testing.c_programs import random_program
from testing.effort import each_in_turn, examples, sample
from testing.expectations import ROOT, Observation
from testing.gcc import compile_c, needs_gcc, observe_all
from testing.gcc import observe as observe_executable
from testing.running import observe
from tests.conftest import Run
from tests.tables import scenarios, table

Files = Mapping[str, str]


def files_of(text: str) -> Files:
    """The files of a table's case: the texts after the lines ``// NAME``."""
    _, *parts = re.split(r"^// (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


PROJECTS = {name: files_of(text.partition("// expected\n")[0]) for name, text in table("projects").items()}


def _observation(text: str) -> Observation:
    status, _, output = text.partition("// expected\n")[2].partition("\n")
    return Observation(output, int(status))


EXPECTED = {name: _observation(text) for name, text in table("projects").items()}
"""What the projects do."""

POINT = "struct point { int x, y; };\n"


def source(name: str, text: str) -> Source:
    return Source(name, text)


def linked(files: Files, **given: object) -> Program:
    """The program of the files. It is well-formed, and all that it uses is defined."""
    program = link([convert(source(name, text), **given) for name, text in files.items()])  # type: ignore[arg-type]
    require_defined(program)
    assert check(program) == []
    return program


def built(files: Files, folder: Path) -> Observation:
    """What the files do when gcc compiles them together, in a folder."""
    for name, text in files.items():
        (folder / name).write_text(text)
    further = [str(folder / name) for name in files]
    return observe_executable(compile_c("", folder, "-w", "-fno-builtin", *further))


OPTIONS: list[dict[str, Any]] = [{}, {"optimise": ["fold", "cse", "memory", "dead"]}, {"explicit_memory": "one"}]


@needs_gcc
def test_a_project_behaves_as_compiled_by_gcc(tmp_path: Path) -> None:
    """By default each fourth: gcc's judgment of a project changes with the project alone."""
    for name in sample([*PROJECTS], 4):
        (tmp_path / name).mkdir()
        assert built(PROJECTS[name], tmp_path / name) == EXPECTED[name], name


@each_in_turn(name=[*PROJECTS], options=OPTIONS, engine=[*ENGINES])
def test_files_behave_as_gcc_links_them(name: str, options: dict[str, Any], engine: EngineName) -> None:
    files = PROJECTS[name]
    if "..." in str(files):  # see test_variable_arguments_and_explicit_memory
        options = {option: value for option, value in options.items() if option != "explicit_memory"}
    assert observe(with_library(linked(files, **options)), engine=engine) == EXPECTED[name]


def test_variable_arguments_and_explicit_memory() -> None:
    programs = [convert(Source(*file), explicit_memory="one") for file in PROJECTS["variable arguments"].items()]
    with pytest.raises(DiagnosticError) as caught:
        link(programs)
    [found] = caught.value.diagnostics
    assert (str(found.span), found.message) == (
        "a.c:2:26",
        "the call of `sum`, with variable arguments, cannot be linked while memory is explicit",
    )


@pytest.mark.parametrize("name", PROJECTS)
def test_programs_are_linked_as_text_and_as_data(name: str) -> None:
    files = PROJECTS[name]
    for again in (lambda program: parse(Source("p.cps", pretty(program))), lambda program: from_json(to_json(program))):
        programs = [again(convert(source(name, text))) for name, text in files.items()]
        program = link(programs)
        require_defined(program)
        assert check(program) == []
        assert pretty(again(program)) == pretty(program)
        assert observe(with_library(again(program))) == EXPECTED[name]


@needs_gcc
def test_linked_programs_are_emitted_as_c_and_llvm(tmp_path: Path) -> None:
    programs = {name: linked(files) for name, files in PROJECTS.items()}
    texts = [TARGETS["c"](program, Style()) for program in programs.values()]
    assert dict(zip(programs, observe_all(texts, tmp_path, "-w"), strict=True)) == EXPECTED
    runs = native.observe_all([(program, ()) for program in programs.values()])
    assert dict(zip(programs, runs, strict=True)) == EXPECTED


# ------------------------------------------------------------------------------------------------ generated programs

_DEFINITION = re.compile(r"\n(?=\n[^\n]*\) \{\n)")
"""The line before a function of a generated program."""

_VARIABLE = re.compile(
    r"^(?:static )?((?!typedef|static|const|enum|struct \w+ {|union \w+ {)\w[\w *]*\w[][\d]*)( = .*)?;$", re.MULTILINE
)
"""A variable of a generated program."""


LIBRARY = """
data counted := 0

square(x : int, ret : int → ⊥) → ⊥ {
  n := int[counted];
  int[counted] := n + 1;
  ret(x * x)
}
"""


@needs_gcc
def test_a_module_defines_functions_for_programs_in_all_languages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    library = ModuleType("of_squares")
    vars(library).update(
        source_of=lambda name: "squares" if name in ("square", "counted") else None,
        definitions=lambda source: Parts(json.loads(to_json(parse(LIBRARY)))),
    )
    monkeypatch.setitem(sys.modules, "of_squares", library)
    monkeypatch.setattr(libraries, "LIBRARIES", [*libraries.LIBRARIES, "of_squares"])
    text = "int square(int); extern int counted; int main(void) { return square(6) + square(2) + counted; }"
    program = convert(source("squares.c", text))
    expected = Observation("", 42)
    for engine in ENGINES:
        assert observe(program, engine=engine) == expected, engine
    for target in ("scheme", "javascript", "python"):
        assert "square" in TARGETS[target](program, Style())
    assert observe_all([TARGETS["c"](program, Style())], tmp_path, "-w") == [expected]
    assert native.observe_all([(program, ())]) == [expected]


def split(text: str, files: int) -> Files:
    """A generated program in several files, each of which has the declarations and some of the functions.

    The first one defines the variables, except constants. The helpers are static functions of each file.
    """
    head, *functions = _DEFINITION.split(text)
    head = re.sub(r"^(?=\w[^\n;#]*\) \{$)(?!static)", "static ", head, flags=re.MULTILINE)
    heads = [_VARIABLE.sub(r"extern \1;" if number else r"\1\2;", head) for number in range(files)]
    return {f"f{number}.c": "\n".join([own, *functions[number::files]]) + "\n" for number, own in enumerate(heads)}


def test_generated_programs_in_several_files_behave_as_in_one() -> None:
    for number in range(examples(50)):
        text = random_program(number)
        whole, parts = convert(Source("program.c", text)), linked(split(text, 1 + number % 3))
        assert observe(parts, engine="python") == observe(whole, engine="python"), number


@pytest.mark.parametrize("number", sample(range(12), 6))
def test_generated_programs_with_memory_in_several_files_behave_as_in_one(number: int) -> None:
    text = random_program(number, memory=True)
    whole, parts = convert(Source("program.c", text)), linked(split(text, 2))
    assert observe(with_library(parts), engine="python") == observe(with_library(whole), engine="python")


# -------------------------------------------------------------------------------------------------- the command line


@pytest.fixture
def files(cpsconv: Run) -> None:
    """The files of a program, in the current folder."""
    for name, text in PROJECTS["static functions stay separate"].items():
        Path(name).write_text(text)


@pytest.mark.parametrize(
    "use", ["return f();", "int n = f(); return n;", "return f() == 0;", "int (*p)(void) = f; f(); return 0;"]
)
def test_another_result_that_is_used_is_an_error(use: str) -> None:
    programs = [convert(source("a.c", f"int f(void); int main(void) {{ {use} }}"))]
    programs.append(convert(source("b.c", "void f(void) {}")))
    with pytest.raises(DiagnosticError, match=r"^a\.c:1:5: error: `f` is declared as a function"):
        link(programs)


def test_another_result_that_is_not_used_is_a_warning(cpsconv: Run) -> None:
    Path("a.c").write_text("int f(int);\nint main(void) { f(3); return 4; }\n")
    Path("b.c").write_text("void f(int x) {}\n")
    expected = """\
a.c:1:5: warning: `f` is declared as a function of the type `(int, int → ⊥) → ⊥`, but defined elsewhere as a function \
of the type `(int, () → ⊥) → ⊥` [-Wlto-type-mismatch]
    1 | int f(int);
      |     ^
b.c:1:6: note: it is defined here
    1 | void f(int x) {}
      |      ^
"""
    assert cpsconv("run", "a.c", "b.c") == (4, "", expected)
    assert cpsconv("run", "-w", "a.c", "b.c") == (4, "", "")
    assert cpsconv("check", "a.c", "b.c").err == expected
    failed = cpsconv("convert", "-Werror", "a.c", "b.c")
    assert (failed.status, failed.out) == (1, "")
    assert failed.err.startswith("a.c:1:5: error: ") and "[-Werror=lto-type-mismatch]" in failed.err


ERRORS = {name: (files_of(text), expected) for name, (text, expected) in scenarios("link_errors").items()}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_all_places(cpsconv: Run, name: str) -> None:
    given, expected = ERRORS[name]
    for file, text in given.items():
        Path(file).write_text(f"{text}\n")
    assert cpsconv("run", *given) == (1, "", expected)
    assert cpsconv("convert", *given) == (1, "", expected)
    assert cpsconv("link", *given) == (1, "", expected)
    done = cpsconv("check", *given)
    assert (done.status, done.err) == (1, expected)
    assert [line.partition(",")[0] for line in done.out.splitlines()] == ["a.c: ok", "b.c: ok"]
    assert cpsconv("check", "-j", "2", *given) == done


@needs_gcc
@pytest.mark.parametrize("name", ["duplicate function", "duplicate variable, tentatively", "undefined function"])
def test_gcc_does_not_link_these_files_either(name: str, tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        built(ERRORS[name][0], tmp_path)


UNDECLARED = """\
a.c:1:25: error: `helper` is used, but not defined
    1 | int main(void) { return helper(1); }
      |                         ^^^^^^^^^
"""


def test_a_function_that_is_not_declared_is_one_of_another_file(cpsconv: Run) -> None:
    Path("a.c").write_text("int main(void) { return helper(1); }\n")
    Path("b.c").write_text("int helper(int x) { return x + 4; }\n")
    assert cpsconv("run", "-w", "a.c", "b.c") == (5, "", "")
    assert cpsconv("run", "-w", "a.c") == (1, "", UNDECLARED)
    assert "a.c:1:25: warning: `helper` is not declared" in cpsconv("convert", "a.c").err


def test_all_errors_of_all_files_are_reported_before_linking(cpsconv: Run) -> None:
    Path("a.c").write_text("int main(void) { return x; }\n")
    Path("b.c").write_text("int f(void) { return y; }\nint f(void) { return 0; }\n")
    for command in ("run", "convert"):
        done = cpsconv(command, "a.c", "b.c")
        assert (done.status, done.out) == (1, "")
        assert re.findall(r"^(\w.c:.*): error", done.err, re.MULTILINE) == ["a.c:1:25", "b.c:1:22", "b.c:2:5"]


@pytest.mark.usefixtures("files")
def test_files_are_run_as_one_program_in_any_order(cpsconv: Run) -> None:
    for order in (["a.c", "b.c"], ["b.c", "a.c"]):
        for options in ([], ["-O"], ["--engine", "machine"], ["--explicit-memory"], ["--thread-jumps"]):
            assert cpsconv("run", *order, *options) == (25, "", "")
        assert cpsconv("run", *order, "--entry", "g", "--", "3") == (0, "15\n", "")
        assert cpsconv("check", *order).status == 0
    assert "engine" in cpsconv("run", "--time", "a.c", "b.c").err


@pytest.mark.usefixtures("files")
def test_converted_files_are_one_program(cpsconv: Run) -> None:
    done = cpsconv("convert", "a.c", "b.c")
    assert [line for line in done.out.splitlines() if line.endswith("{")] == [
        "static f(x : int, ret : int → ⊥) → ⊥ {",
        "main(ret : int → ⊥) → ⊥ {",
        "static f1(x : int, ret : int → ⊥) → ⊥ {",
        "g(x : int, ret : int → ⊥) → ⊥ {",
    ]
    assert cpsconv("convert", "a.c", "b.c", "-o", "p.cps") == (0, "", "")
    assert Path("p.cps").read_text(encoding="utf-8") == done.out
    assert cpsconv("eval", "p.cps").status == 25


@pytest.mark.usefixtures("files")
def test_programs_that_were_converted_separately_are_linked(cpsconv: Run) -> None:
    together = cpsconv("convert", "a.c", "b.c").out
    assert cpsconv("convert", "a.c", "b.c", "-o", "objects/").status == 0
    assert cpsconv("link", "objects/a.cps", "objects/b.cps") == (0, together, "")
    assert cpsconv("link", "a.c", "objects/b.cps", "-o", "p.cps") == (0, "", "")
    assert cpsconv("run", "p.cps").status == cpsconv("eval", "objects/b.cps", "objects/a.cps").status == 25
    for name in ("a", "b"):
        Path(f"{name}.json").write_text(cpsconv("convert", "--emit", "json", f"{name}.c").out)
    assert cpsconv("link", "a.json", "b.json") == (0, together, "")
    linked_as_data = cpsconv("link", "--emit", "json", "a.json", "b.c").out
    assert pretty(from_json(linked_as_data)) == together
    Path("a.json").write_text('{"format": "cpsconv", "version": 1}')
    assert cpsconv("link", "a.json", "b.c").err == 'error: a.json: not a program in JSON: it has no "source"\n'


@pytest.mark.usefixtures("files")
def test_a_library_needs_no_definitions(cpsconv: Run) -> None:
    Path("c.c").write_text("int g(int); int h(int x) { return g(x); }")
    Path("d.c").write_text("int i(int); int j(int x) { return i(x); }")
    assert cpsconv("link", "c.c", "d.c", "-o", "lib.cps") == (0, "", "")
    assert cpsconv("run", "c.c", "b.c", "--entry", "h", "--", "2") == (0, "10\n", "")
    assert cpsconv("eval", "lib.cps:h", "3").err.startswith("lib.cps:5:3: error: `g` is declared and used")
    assert cpsconv("link", "lib.cps", "b.c").out.splitlines()[0].startswith("extern i(")


@pytest.mark.usefixtures("files")
def test_files_of_which_none_or_several_define_main_are_independent(cpsconv: Run) -> None:
    Path("zero.c").write_text("int main(void) { return 0; }")
    Path("id.c").write_text("int id(int x) { return x; }")
    assert cpsconv("run", "zero.c", "zero.c", "a.c").err == cpsconv("run", "a.c").err != ""
    assert cpsconv("run", "b.c:g", "id.c", "2").out == "==> b.c:g <==\n10\n==> id.c <==\n2\n"
    assert cpsconv("convert", "b.c", "id.c").out == cpsconv("convert", "b.c").out + cpsconv("convert", "id.c").out
    assert cpsconv("check", "a.c", "zero.c", "b.c").status == 0
    assert cpsconv("convert", "-O", "zero.c", "a.c:main").status == 0


def test_functions_that_only_other_files_use_are_kept(cpsconv: Run) -> None:
    Path("a.c").write_text(
        "int g(void); int f(void) { return 4; }\nint main(void) { return g(); }\nint h(void) { return 5; }"
    )
    Path("b.c").write_text("int f(void); int g(void) { return f(); }\nint i(void) { return 6; }")
    assert cpsconv("run", "-O", "a.c", "b.c").status == 4
    text = cpsconv("convert", "-O", "a.c", "b.c").out
    assert re.findall(r"^(\w+)\(", text, re.MULTILINE) == ["f", "main", "g"]
    alone = cpsconv("convert", "-O", "a.c").out
    assert re.findall(r"^(\w+)\(", alone, re.MULTILINE) == ["f", "main", "h"]


def test_programs_in_other_languages_are_linked_by_their_names_in_object_files(cpsconv: Run) -> None:
    Path("main.c").write_text(
        "long twice(long), _t3Gcd3GCD(long, long); int once(int);\n"
        "int main(void) { return twice(_t3Gcd3GCD(12, 18)) + once(1); }"
    )
    Path("twice.bril").write_text("@twice(x: int): int { two: int = const 2; y: int = mul x two; ret y; }")
    Path("once.cps").write_text("once(x : int, ret : int → ⊥) → ⊥ { ret(x) }", encoding="utf-8")
    Path("Gcd.mod").write_text((ROOT / "examples" / "Gcd.mod").read_text())
    names = ["main.c", "twice.bril", "once.cps", "Gcd.mod"]
    assert cpsconv("run", *names) == (13, "", "")


def test_a_runtime_error_is_in_its_file(cpsconv: Run) -> None:
    Path("a.c").write_text("int f(int);\nint main(void) { return f(0); }\n")
    Path("b.c").write_text("int f(int x) {\n    return 1 / x;\n}\n")
    for engine in ENGINES:
        assert cpsconv("run", "--engine", engine, "a.c", "b.c") == (
            3,
            "",
            "b.c:2:12: runtime error: division by zero\n    2 |     return 1 / x;\n      |            ^^^^^\n"
            "a.c:2:25: note: called from here, in `main`\n    2 | int main(void) { return f(0); }\n"
            "      |                         ^^^^\n",
        )


def test_emitted_programs_that_are_not_complete_keep_their_linkage(cpsconv: Run) -> None:
    Path("a.c").write_text("extern int n, a[]; static int s; int f(void);\nstatic int g(void) { return s + a[1]; }\n"
                           "int main(void) { s = 2; return f() + g() + n; }")  # fmt: skip
    text = cpsconv("convert", "--emit", "c", "a.c").out
    assert re.findall(r"^(extern [^;]*|static (?:inline )?\w+ \w+)", text, re.MULTILINE) == [
        "extern int n",
        "extern int a[]",
        "extern int f(void)",
        "static int s",
        "static inline int g",
    ]
    text = cpsconv("convert", "--emit", "llvm", "a.c").out
    assert "@n = external global i32\n" in text
    assert "@s = internal global i32 zeroinitializer" in text
    assert "define internal i32 @g()" in text
    Path("b.c").write_text("int n = 4;\nstatic int f(void) { return n; }\nint g(void) { return f(); }")
    text = cpsconv("convert", "--emit", "c", "b.c").out
    found = re.findall(r"^(?:static inline )?int \w+", text, re.MULTILINE)
    assert found == ["int n", "static inline int f", "int g"]
    done = cpsconv("convert", "--emit", "scheme", "a.c")
    assert done.err.startswith("a.c:1:12: error: the Scheme target has no definition of `n`")


@needs_gcc
@pytest.mark.parametrize("target", ["c", "llvm"])
@pytest.mark.parametrize("name", [name for name in PROJECTS if "weak" in name or "thread" in name])
def test_separately_emitted_programs_are_linked_by_gcc(name: str, target: str, tmp_path: Path) -> None:
    for file, text in PROJECTS[name].items():
        emitted = TARGETS[target](convert(source(file, text)), Style())
        if target == "c":
            (tmp_path / file).write_text(emitted)
        else:
            (tmp_path / file).with_suffix(".o").write_bytes(native.object_code(emitted))
    files = [str(tmp_path / file) for file in PROJECTS[name]]
    objects = [file.replace(".c", ".o") for file in files]
    executable = compile_c("", tmp_path, "-w", *(files if target == "c" else objects))
    assert observe_executable(executable) == EXPECTED[name]


def test_thread_local_variables_of_a_program_with_threads_are_not_supported(cpsconv: Run) -> None:
    text = "#include <threads.h>\nthread_local int n;\nint f(void *p) { return n++; }\n"
    Path("t.c").write_text(text + "int main(void) { thrd_t t; thrd_create(&t, f, 0); return thrd_join(t, 0) + n; }\n")
    message = "t.c:2:18: error: the thread-local variable `n` of a program that creates threads is not supported yet"
    assert cpsconv("run", "t.c").err.startswith(message)
    emitted = cpsconv("convert", "--emit", "c", "t.c").out
    assert "static _Thread_local int n;" in emitted


def test_a_declaration_and_a_definition_agree_on_threads(cpsconv: Run) -> None:
    Path("a.c").write_text("extern int n; int main(void) { return n; }")
    Path("b.c").write_text("_Thread_local int n;")
    message = (
        "declared as a variable of the type `int`, but defined elsewhere as a thread-local variable of the type `int`"
    )
    assert message in cpsconv("run", "a.c", "b.c").err


def test_data_contain_no_addresses_of_thread_local_data() -> None:
    [found] = check(parse(Source("a.cps", "thread n := 5\ndata p := n\nf(ret : int → ⊥) → ⊥ { ret(1) }")))
    assert found.message == "`p` contains the address of `n`, which each thread has"


def test_a_weak_constant_may_have_another_value() -> None:
    texts = "__attribute__((weak)) const int n = 4; int main(void) { return n; }", "const int n = 9;"
    programs = [convert(Source(f"{name}.c", text), optimise=["memory"]) for name, text in zip("ab", texts, strict=True)]
    assert observe(link(programs)).status == 9


def test_weak_functions_that_targets_cannot_express_are_reported() -> None:
    variadic = convert(Source("v.c", "__attribute__((weak)) int f(int n, ...) { return n; }"))
    struct = convert(Source("s.c", POINT + "__attribute__((weak)) struct point f(struct point p) { return p; }"))
    assert "__attribute__((weak)) struct point f(" in TARGETS["c"](struct, Style())
    for program, target in ((variadic, "c"), (variadic, "llvm"), (struct, "llvm")):
        with pytest.raises(DiagnosticError) as caught:
            TARGETS[target](program, Style())
        assert "`f` is weak, and takes" in caught.value.diagnostics[0].message


OPTIONAL = (
    POINT
    + """
#include <stdio.h>
int show(const char *, ...) __attribute__((weak)), absent(int, ...) __attribute__((weak));
struct point turned(struct point) __attribute__((weak)), moved(struct point) __attribute__((weak));
int main(void) {
    int (*f)(const char *, ...) = show;
    struct point p = { 1, 2 }, (*g)(struct point) = turned;
    if (show) show("%d\\n", 1);
    if (f) f("%d\\n", 2);
    if (turned) p = turned(p);
    if (g) p = g(p);
    if (absent) absent(3);
    if (moved) p = moved(p);
    return p.x * 10 + (absent == 0) + !moved;
}
"""
)
"""Tests of pointers to weak functions, of which another file may define `show` and `turned`."""


@needs_gcc
@pytest.mark.parametrize("defines", [True, False])
def test_pointers_to_weak_functions_with_structs_or_variable_arguments_may_be_null(
    defines: bool, tmp_path: Path
) -> None:
    definitions = POINT + (
        "#include <stdarg.h>\n#include <stdio.h>\n"
        "int show(const char *s, ...) { va_list l; va_start(l, s); int n = vprintf(s, l); va_end(l); return n; }\n"
        "struct point turned(struct point p) { return (struct point){ p.y + 1, p.x }; }\n"
    )
    files = {"a.c": OPTIONAL, "b.c": definitions if defines else "int nothing;"}
    expected = Observation("1\n2\n", 22) if defines else Observation("", 12)
    linked = with_library(link([convert(source(file, text)) for file, text in files.items()]))
    require_defined(linked)
    assert observe(linked) == expected
    for file, text in files.items():
        (tmp_path / file).write_text(TARGETS["c"](convert(source(file, text)), Style()))
    executable = compile_c("", tmp_path, "-w", *(str(tmp_path / file) for file in files))
    assert observe_executable(executable) == expected


def test_the_length_of_a_weak_array_does_not_matter_if_another_definition_replaces_it() -> None:
    texts = "__attribute__((weak)) int a[1]; int *f(void) { return a; }", "int *f(void), a[2] = {1, 2};"
    linked = link(
        [convert(Source("a.c", texts[0])), convert(Source("b.c", texts[1] + "int main(void) { return f()[1]; }"))]
    )
    assert observe(linked).status == 2


def test_a_strong_declaration_without_a_definition_is_an_error(cpsconv: Run) -> None:
    Path("a.c").write_text("int f(void) __attribute__((weak)); int g(void); int main(void) { return f ? f() : g(); }")
    Path("b.c").write_text("int f(void); int g(void) { return f(); }")
    assert cpsconv("run", "a.c", "b.c").err.startswith("a.c:1:73: error: `f` is declared and used, but not defined")
    Path("b.c").write_text("int g(void) { return 4; }")
    assert cpsconv("run", "a.c", "b.c").status == 4


@needs_gcc
def test_a_makefile_can_compile_by_emitted_c(tmp_path: Path) -> None:
    """By the compiler `examples/linking/cc`, with options of the preprocessor, of gcc and of the linker."""
    for path in (ROOT / "examples" / "linking").iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "cpsconv"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cpsconv "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}
    options = ["-I.", "-D", "UNUSED=1", "-std=c11", "-O2", "-g", "-Wall", "-fPIC", "-pthread"]
    for source in ("main.c", "stack.c"):
        subprocess.run(["./cc", *options, "-c", source], cwd=tmp_path, env=environment, check=True)
    subprocess.run(["./cc", "-o", "sum", "main.o", "stack.o", "-lm"], cwd=tmp_path, env=environment, check=True)
    assert subprocess.run([tmp_path / "sum"], capture_output=True, text=True).stdout == "2 3 4 + * = 14, depth 0\n"
    (tmp_path / "stack.c").write_text("int depth = missing;\n")
    failed = subprocess.run(["./cc", "-c", "stack.c"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert failed.returncode == 1
    assert failed.stderr.startswith("stack.c:1:13: error: `missing` is not declared")
