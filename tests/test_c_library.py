"""Functions of C's library: their results are those of gcc's programs, and their misuse is an error at the call."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert
from cpsconv.abi.prototypes import ARGUMENT_ACCESS, LIBGCC, NOT_INCLUDED, OBJECTS, PROTOTYPES, PROVIDED
from cpsconv.abi.runtime.command_line import given_command_line, with_command_line
from cpsconv.core.erasure import erased
from cpsconv.core.generated import generated
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.engines import EngineName
from cpsconv.engines.machine.system import Access, granting
from cpsconv.languages.c.library import DEFINITIONS, generate
from cpsconv.languages.c.meaning.complex_numbers import MACROS
from cpsconv.languages.c.meaning.expansions import EXPANSIONS
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.syntax.headers import HEADERS
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.llvm import llvm
from testing import gcc
from testing.effort import Row, T, each_in_turn, is_full, pairs_of, sample
from testing.engines import ENGINE_NAMES, ENGINES_HERE, native
from testing.expectations import ROOT, Observation, standard_input
from testing.fault_runs import Stop, end_of
from testing.functional_targets import JAVASCRIPT, PYTHON, SCHEME, Language, each
from testing.gcc import needs_gcc
from testing.native import object_code, observe_all
from testing.running import observe, program_of
from tests.conftest import Run
from tests.tables import table

SOURCES = sorted(path.stem for path in (ROOT / "cpsconv/languages/c/library").glob("*.c"))
PROGRAMS = {path.stem: path.read_text() for path in sorted((ROOT / "tests" / "c_library").glob("*.c"))}
INPUTS = {name: standard_input(text) for name, text in PROGRAMS.items()}
"""What each program reads, from lines ``// input: …``."""


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Observation]:
    """What each program does when gcc compiles it."""
    folder, given = tmp_path_factory.mktemp("gcc"), [*INPUTS.values()]
    found = gcc.observe_all([*PROGRAMS.values()], folder, "-w", "-fno-builtin", given=given)
    return dict(zip(PROGRAMS, found, strict=True))


OWN = {"echo", "payloads", "setjmp", "signal", "stdlib", "string"}
"""The programs with functions that each engine and target implements itself; others are written in C."""

IN_JAVASCRIPT = {"floating", "getopt", "input", "math", "prefixes", "pthread", "threads", "time", "values"}
"""The long runs. By default, a program whose functions are written in C, a program like others, runs once: in
JavaScript, or by the machine, or by ``llvm`` where it prints and reads numbers of thousands of digits."""

BY_THE_MACHINE = [name for name in PROGRAMS if name != "long_double" and (is_full() or name not in IN_JAVASCRIPT)]
REPRESENTABLE = [name for name in PROGRAMS if "long_double" not in name]
IN_TURN = REPRESENTABLE if is_full() else sorted(IN_JAVASCRIPT | OWN)


CONVERSIONS = pairs_of(
    [(), *((name,) for name in OPTIMISATIONS), (*OPTIMISATIONS,)], (None, "one", "objects"), (False, True)
)
"""Optimisations, the form of explicit memory, and whether jumps are threaded."""

CONVERSION_OF = dict(zip(PROGRAMS, cycle(CONVERSIONS), strict=False))
"""For each program, the conversion that all engines and targets share by default."""


def each_with(
    options: Sequence[T], names: Iterable[str] = PROGRAMS, others: Iterable[T] | None = None
) -> list[tuple[str, T, Row]]:
    """The programs of `OWN` with each option, each other one with one of `others`, and all with one conversion.

    With ``--full``, all programs with each option, and with each conversion. `others` are by default the options.
    """
    turns = cycle(others or options)
    with_options = [
        (name, option) for name in names for option in (options if name in OWN or is_full() else [next(turns)])
    ]
    return [
        (*given, row) for given in with_options for row in (CONVERSIONS if is_full() else [CONVERSION_OF[given[0]]])
    ]


@cache
def converted(name: str, text: str, conversion: Row = ((), None, False)) -> Program:
    """The program, converted so. The memory of a program with `longjmp` cannot be explicit."""
    optimise, memory, thread_jumps = conversion
    explicit = None if "longjmp" in text else memory
    source = Source(f"{name}.c", text)
    return erased(convert(source, optimise=optimise, explicit_memory=explicit, thread_jumps=thread_jumps))


@needs_gcc
@pytest.mark.parametrize(
    ("name", "engine", "conversion"),
    [
        *each_with(ENGINE_NAMES, BY_THE_MACHINE, others=["machine"]),
        *each_with(ENGINE_NAMES, ["long_double"], others=ENGINE_NAMES[-1:]),
    ],
)
def test_functions_return_what_those_of_gcc_return(
    name: str, engine: EngineName, conversion: Row, expected: dict[str, Observation]
) -> None:
    with granting(Access(io.BytesIO(INPUTS[name]))):
        assert observe(converted(name, PROGRAMS[name], conversion), engine=engine) == expected[name]


@needs_gcc
@each([JAVASCRIPT, PYTHON, SCHEME])
def test_functional_targets_get_the_definitions(
    language: Language, tmp_path: Path, expected: dict[str, Observation]
) -> None:
    rows = each_with(["javascript", "python", "scheme"], IN_TURN, ["javascript"])
    chosen = {
        (name, conversion): converted(name, PROGRAMS[name], conversion)
        for name, target, conversion in rows
        if target == language.name and (name, target) != ("payloads", "scheme")  # one NaN
    }
    alone = {key: program for key, program in chosen.items() if INPUTS[key[0]]}
    found = {key: language.observe(program, tmp_path, given=INPUTS[key[0]]) for key, program in alone.items()}
    together = {key: program for key, program in chosen.items() if key not in alone}
    runs = [(program, ()) for program in together.values()]
    found |= dict(zip(together, language.observe_all(runs, tmp_path), strict=True))
    for (name, _), seen in found.items():
        wanted = expected[name]
        if not language.distinguishes_nans:
            seen, wanted = (replace(each, output=each.output.replace("-nan", "nan")) for each in (seen, wanted))
        assert seen == wanted, name


@needs_gcc
@pytest.mark.parametrize(("name", "target", "conversion"), each_with(["c"]))
def test_emitted_c_uses_the_library_of_the_platform(
    name: str, target: str, conversion: Row, tmp_path: Path, expected: dict[str, Observation]
) -> None:
    text = TARGETS[target](converted(name, PROGRAMS[name], conversion), Style())
    assert f"#include <{name}.h>" in text or f"{name}.h" not in HEADERS or f"{name}.h" in NOT_INCLUDED
    assert gcc.observe(gcc.compile_c(text, tmp_path, "-w", "-fno-builtin"), given=INPUTS[name]) == expected[name]


@needs_gcc
@native
def test_emitted_llvm_uses_the_library_of_the_platform(expected: dict[str, Observation]) -> None:
    names = [name for name in PROGRAMS if not INPUTS[name] and name not in OF_THE_PROCESS]
    chosen = each_with(["llvm"], names)
    programs = [converted(name, PROGRAMS[name], conversion) for name, _, conversion in chosen]
    assert observe_all([(program, ()) for program in programs]) == [expected[name] for name, *_ in chosen]


OF_THE_PROCESS = ["aborted", "ending", "multibyte", "signal"]
"""The programs that depend on functions for the end, the locale and signals, which Python's process has, too."""


@needs_gcc
@native
@pytest.mark.parametrize("name", OF_THE_PROCESS)
def test_linked_llvm_uses_the_state_of_its_process(name: str, tmp_path: Path, expected: dict[str, Observation]) -> None:
    object, program = tmp_path / f"{name}.o", tmp_path / name
    object.write_bytes(object_code(llvm(convert(Source(f"{name}.c", PROGRAMS[name])))))
    subprocess.run(["gcc", str(object), "-o", str(program)], check=True)
    assert gcc.observe(program) == expected[name]


FILES = (ROOT / "tests" / "c_system" / "files.c").read_text()
"""Uses files, the time and the environment."""


@needs_gcc
def test_files_times_and_the_environment_are_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CPSCONV_TEST", "a value")
    program = with_command_line(converted("files", FILES), ["one", "two words"])
    monkeypatch.chdir(tmp_path)
    expected = gcc.observe(gcc.compile_c(FILES, tmp_path, "-w"), ["one", "two words"])
    for name in ("text", "binary", "raw"):
        (tmp_path / name).unlink(missing_ok=True)
    with granting(Access(io.BytesIO(), tmp_path, has_clock=True, has_environment=True)):
        assert observe(program) == expected


OF_FILES = {name: (ROOT / "tests" / "c_system" / f"{name}.c").read_text() for name in ("directories", "status")}
"""Make, list and remove directories, and map a file; read and change the status of files."""


@needs_gcc
@pytest.mark.parametrize(
    ("name", "engines"), [("directories", sample(ENGINE_NAMES, 3, 2)), ("status", sample(ENGINE_NAMES, 3, 1))]
)
def test_directories_and_the_status_of_files_are_those_of_the_system(
    name: str, engines: Sequence[EngineName], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One engine runs each program: the functions of the system are the same ones in all of them."""
    program = converted(name, OF_FILES[name])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("file")
    expected = gcc.observe(gcc.compile_c(OF_FILES[name], tmp_path, "-w"))
    assert gcc.observe(gcc.compile_c(TARGETS["c"](program, Style()), tmp_path, "-w")) == expected
    for engine in engines:
        with granting(Access(files=tmp_path)):
            assert observe(program, engine=engine) == expected


REDIRECTION = (ROOT / "tests" / "c_system" / "redirection.c").read_text()


@needs_gcc
def test_standard_output_can_be_redirected_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = converted("redirection", REDIRECTION)
    monkeypatch.chdir(tmp_path)
    expected = gcc.observe(gcc.compile_c(REDIRECTION, tmp_path, "-w"))
    written = Path("redirected").read_text()
    for engine in ENGINE_NAMES:
        with granting(Access(files=tmp_path)):
            assert observe(program, engine=engine) == expected
        assert Path("redirected").read_text() == written
    Path("redirected").unlink()
    assert observe(program).output == "first\n0\nline\ncharacter\n", "no access: `stdout` remains open"


LINK = """
#include <stdio.h>
#include <sys/stat.h>
int main(void) {
    struct stat status;
    int result = lstat("link", &status);
    printf("%d %d ", result, S_ISLNK(status.st_mode));
    printf("%d\\n", stat("link", &status));
    return chmod("link", 0) == 0;
}
"""


def test_a_link_that_leads_out_of_the_folder_has_a_status_but_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "outside")
    with granting(Access(files=folder)):
        assert observe(convert(Source("link.c", LINK))).output == "0 1 -1\n"


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_without_permission_calls_of_the_system_fail(engine: EngineName, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(outside)
    text = f"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {{
    int done = (time(NULL) != -1) + (clock() != -1) + (getenv("HOME") != NULL);
    for (char *names[] = {{ "{outside}", "link" }}, **name = names; name < names + 2; name++)
        done += (fopen(*name, "r") != NULL) + (remove(*name) == 0) + (rename(*name, "x") == 0);
    return done;
}}
"""
    program = convert(Source("test.c", text))
    with granting(Access(files=folder)):
        assert observe(program, engine=engine).status == 0
    if engine == "machine":
        assert observe(program).status == 0
    assert outside.read_text() == "secret"


REFUSED = """
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    FILE *output = popen("true", "r");
    void *library = dlopen("libm.so.6", RTLD_NOW);
    printf("%d %d\\n", output == NULL && pclose(output) == -1, library == NULL && dlsym(library, "sin") == NULL);
    printf("%s %d\\n", dlerror(), dlclose(library));
}
"""


def test_a_run_starts_no_command_and_loads_no_library() -> None:
    assert observe(convert(Source("refused.c", REFUSED))).output == "1 1\ndynamic loading is not available -1\n"


def test_every_function_is_used_by_a_test() -> None:
    text = "".join([*PROGRAMS.values(), FILES, *OF_FILES.values()])
    text += (
        " __errno_location __strtold __run_abort_handler __run_exit_handlers __xpg_basename _exit "  # which others call
    )
    text += " ".join([*ARGUMENT_ACCESS, *(row.name for row in PROTOTYPES.values() if row.header == LIBGCC), REFUSED])
    operations = {name for name, row in LIBRARY.items() if row.operation}  # tests/test_mathematics.py
    words = set(re.findall(r"\w+", text))
    assert PROTOTYPES.keys() - words - operations - PROVIDED == set()


C17 = table("c17_names")
"""Names that the headers of C17 define or declare."""


@pytest.mark.parametrize("header", C17)
def test_headers_have_the_names_of_c17(header: str) -> None:
    known = {name for name, row in LIBRARY.items() if row.header == header} | HEADERS[header].keys()
    known |= {name for name, row in OBJECTS.items() if row.header == header}
    of_front_end = {"errno", "div", "ldiv", "lldiv", "imaxdiv", *EXPANSIONS, *MACROS}
    assert {*C17[header].split()} - known - of_front_end == set()


@pytest.mark.parametrize("source", sample(SOURCES, 4))
def test_the_library_is_the_conversion_of_its_sources(source: str) -> None:
    assert generated(DEFINITIONS, source) == generate.converted(source)


def test_the_sources_define_what_the_table_states() -> None:
    for source in SOURCES:
        functions = {item["name"] for item in json.loads(generated(DEFINITIONS, source))["functions"]}
        stated = {name for name, row in PROTOTYPES.items() if row.source == source}
        assert stated - PROVIDED <= functions


ENDS = ["return 3;", "exit(3);", "_Exit(3);", "_exit(3);", "quick_exit(3);", "main_again(); return 5;"]


@needs_gcc
@each_in_turn(end=ENDS, engine=ENGINE_NAMES)
def test_each_end_of_a_program_calls_its_functions(end: str, engine: EngineName, tmp_path: Path) -> None:
    text = f"""
#include <stdlib.h>
#include <unistd.h>
static int called;
static void at_end(void) {{ called += 1; write(1, "end", 3); if (called == 2) _Exit(7); }}
static void quick(void) {{ write(1, "quick", 5); }}
static void main_again(void);
int main(void) {{
    if (called++) return 4;
    atexit(at_end);
    at_quick_exit(quick);
    {end}
}}
static void main_again(void) {{ if (main() != 4) exit(1); called = 0; }}
"""
    expected = gcc.observe(gcc.compile_c(text, tmp_path, "-w"))
    assert observe(convert(Source("ends.c", text)), engine=engine) == expected


FAULTS = [
    ("string", "char a[3] = {97, 98, 99}; return strchr(a, 122) != 0;", "index 3 of `a`"),
    ("string", 'char a[3] = {97, 98, 99}; char b[9] = ""; strncat(b, a, 5);', "index 3 of `a`"),
    ("string", 'char a[4] = "abc"; strcat(a, "d");', "bytes 3 to 4 of `a`"),
    ("string", 'char a[4]; strncpy(a, "abc", -1);', "index 4 of `a`"),
    ("string", 'char a[9] = "abcd"; strncpy(a, a + 2, 9);', "bytes 2 to 4 of `a`"),
    ("string", 'char a[9] = "abc"; strncat(a, a + 1, 4);', "bytes 1 to 3 of `a`"),
    ("string", 'char a[4]; return strspn(a, "x");', "index 0 of `a` (4 elements of char, declared on line 4) is used"),
    ("string", 'return strtok(0, " ") != 0;', "null"),
    ("string", 'strtok("a b", " ");', "constant"),
    ("string", 'return strdup("ab")[3];', "index 3 of the memory"),
    ("wchar", 'wchar_t a[4] = L"abc"; wcscat(a, L"d");', "bytes 12 to 19 of `a`"),
    ("wchar", "wchar_t a[3] = {97, 98, 99}; return wcslen(a);", "index 3 of `a`"),
    ("wchar", 'char a[4]; swscanf(L"12", L"%ls", a);', "index 4 of `a`"),
    ("stdlib", "return atoi(0);", "null"),
    ("stdlib", "char a[2] = {49, 50}; return atoi(a);", "index 2 of `a`"),
    ("stdlib", "int a[3] = {3, 2, 1}; qsort(a, 3, sizeof *a, 0); return 0;", "null"),
    ("ctype", "return isalpha(300);", "index 300 of `classes_of_characters`"),
    (
        "stdio",
        'FILE *f = fdopen(1, "w"); fclose(f); return fclose(f);',
        "the stream opened on line 4 was closed on line 4,",
    ),
    ("stdio", 'FILE *f = fdopen(1, "w"); fclose(f); return fputc(97, f);', "was closed on line 4, before this access"),
    (
        "stdio",
        'FILE *f = fdopen(1, "w"); fclose(f); setvbuf(f, 0, _IONBF, 0);',
        "was closed on line 4, before this access",
    ),
    (
        "stdlib",
        'void *fdopen(int, char *); int fclose(void *); void *f = fdopen(1, "w"); fclose(f); free(f);',
        "and is freed",
    ),
]
_START = (
    "#include <HEADER.h>\nint less(const void *a, const void *b) { return *(int *)a - *(int *)b; }\nint main(void) {\n"
)


@each_in_turn(fault=FAULTS, engine=ENGINE_NAMES)
def test_misuse_is_an_error_at_the_call(fault: tuple[str, str, str], engine: EngineName) -> None:
    header, body, message = fault
    text = _START.replace("HEADER", header) + body + "\n}\n"
    ended = end_of(convert(Source("test.c", text)), engine)
    assert isinstance(ended, Stop)
    assert message in ended.message
    assert ended.line == 4


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_no_bytes_are_read_and_written_at_a_null_pointer(engine: EngineName) -> None:
    calls = "read(0, 0, 0), read(-1, 0, 0), write(1, 0, 0), write(-1, 0, 0)"
    text = f'#include <stdio.h>\n#include <unistd.h>\nint main(void) {{ printf("%zd %zd %zd %zd", {calls}); }}\n'
    assert observe(convert(Source("none.c", text)), engine=engine).output == "0 -1 0 -1"


def test_two_calls_have_their_own_locations_and_share_their_state() -> None:
    text = """
#include <stdlib.h>
#include <string.h>
int main(void) {
    char a[] = "a b", *p = strtok(a, " "), *q = strtok(0, " ");
    int first = rand();
    srand(1);
    return q - p == 2 && rand() == first ? strchr(p, 'a') == p ? strchr(0, 'a') != 0 : 8 : 9;
}
"""
    ended = end_of(convert(Source("test.c", text)), "machine")
    assert isinstance(ended, Stop)
    assert (ended.line, ended.column) == (8, 66)


def test_names_of_a_program_stay_apart_from_those_of_the_library() -> None:
    text = """
#include <ctype.h>
int has_class = 3, classes_of_characters = 4;
int strchr1(void) { return 5; }
int main(void) { return isdigit('7') && isdigit('8') ? has_class + classes_of_characters + strchr1() : 0; }
"""
    for engine in ("machine", "python"):
        assert observe(convert(Source("test.c", text)), engine=engine).status == 12


def test_a_declaration_with_another_type_is_refused() -> None:
    text = "extern rand(n : int, ret : int → ⊥) → ⊥\nmain(ret : int → ⊥) → ⊥ {\n  rand(1, ret)\n}\n"
    with pytest.raises(DiagnosticError, match="the external function `rand` of C's library has another type"):
        observe(program_of(text))


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_main_gets_the_command_line_and_may_return_nothing(engine: EngineName) -> None:
    text = '#include <stdio.h>\nvoid main(int n, const char *const v[]) { printf("%d %s %d", n, v[n - 1], !v[n]); }\n'
    program = convert(Source("arguments.c", text))
    assert observe(program, engine=engine).output == "1 arguments 1"
    assert observe(with_command_line(program, ["a", "ü"]), engine=engine).output == "3 Ã¼ 1"


ENVIRONMENT = """
#include <stdio.h>
int main(int count, char **words, char *environment[]) {
    printf("%d %d", environment == words + count + 1, *environment == NULL);
    return 0;
}
"""


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_main_gets_an_empty_environment(engine: EngineName) -> None:
    program = with_command_line(convert(Source("environment.c", ENVIRONMENT)), ["a"])
    assert observe(program, engine=engine).output == "1 1"


@needs_gcc
def test_emitted_c_gets_the_environment_of_the_platform(tmp_path: Path) -> None:
    text = TARGETS["c"](convert(Source("environment.c", ENVIRONMENT)), Style())
    assert gcc.observe(gcc.compile_c(text, tmp_path)).output == "1 0"


REPLACED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *strdup(const char *s) { char *p = malloc(strlen(s) + 2); p[0] = '<'; strcpy(p + 1, s); return p; }
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int main(void) { char b[20]; sprintf(b, "%s", strdup("abc")); fputs(b, stdout); return (int)strlen(b); }
"""


@pytest.mark.parametrize("engine", sample(ENGINES_HERE, 2))
def test_a_program_may_define_a_library_function_itself(engine: EngineName) -> None:
    """By default without the engine `python`, for which the library is linked in the same way."""
    warnings: list[Diagnostic] = []
    program = convert(Source("replaced.c", REPLACED), warnings=warnings)
    assert warnings == []
    assert observe(program, engine=engine) == Observation("<abc", 4)


@each(sample([SCHEME, JAVASCRIPT, PYTHON], 3))
def test_targets_keep_such_a_function_apart_from_that_of_the_library(language: Language, tmp_path: Path) -> None:
    """By default in Scheme: the library is linked before a language is written."""
    assert language.observe(convert(Source("replaced.c", REPLACED)), tmp_path) == Observation("<abc", 4)


def test_arguments_of_another_function_are_not_those_of_main() -> None:
    text = "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }\nint main(int n, char *v[]) { return n; }\n"
    program = convert(Source("test.c", text))
    assert given_command_line(program, "gcd", ["12", "18"]) == (program, ["12", "18"])
    started, left = given_command_line(program, None, ["12", "18"])
    assert (observe(started).status, left) == (3, ())


LOCKS_AGAIN = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *wait(void *p) { pthread_mutex_lock(&lock); return p; }
int main(void) { pthread_mutex_lock(&lock); START; return 0; }
"""


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("wait(0)", "error: deadlock: the only thread waits\n"),
        (
            "pthread_t t; pthread_create(&t, 0, wait, 0); pthread_join(t, 0)",
            "error: this thread waits for one that cannot go on, since threads share a stack\n",
        ),
    ],
)
def test_a_thread_that_waits_for_ever_ends_the_run(start: str, message: str, cpsconv: Run) -> None:
    Path("t.c").write_text(LOCKS_AGAIN.replace("START", start))
    ended = cpsconv("run", "t.c")
    assert (ended.err, ended.status) == (message, 134)


@pytest.mark.parametrize("format", sample(["%*d", "%.*f", "%-*d", "%.*e", "%0*d", "%.*a", "%.*d", "%*s"], 2))
def test_characters_that_are_not_stored_take_no_steps(cpsconv: Run, format: str) -> None:
    value = '"1"' if "s" in format else "1" if "d" in format else "1.0"
    Path("a.c").write_text(
        "#include <stdio.h>\nchar text[10];\n"
        f'int main(void) {{ return snprintf(text, 10, "{format}", 2000000000, {value}) < 2000000000; }}'
    )
    assert cpsconv("run", "--max-steps", "5000", "a.c")[0] == 0


LONG = {
    '"abc[%2147483646s]", "x"': "-1 abc[     ",
    '"%2147483646s", "x"': "2147483646          ",
    '"%*s", -2147483647, "x"': "2147483647 x        ",
    '"%*s", -2147483647 - 1, "x"': "-1 ",
    '"%.*d", 2147483646, 1': "2147483646 000000000",
    '"%.*f", 2147483640, 1.5': "2147483642 1.5000000",
    '"%*.*e", 2147483647, 2147483647, 1.5': "-1 1.5000000",
}


def test_lengths_near_the_largest_int_are_counted(cpsconv: Run) -> None:
    chosen = dict(sample([*LONG.items()], 2))
    calls = "".join(
        f'n = snprintf(text, 10, {arguments}); printf("%d %s\\n", n, text); text[0] = 0;' for arguments in chosen
    )
    Path("a.c").write_text(f"#include <stdio.h>\nchar text[10];\nint main(void) {{ int n; {calls} }}")
    assert cpsconv("run", "--engine", "machine", "a.c").out.splitlines() == [*chosen.values()]
