"""The package without the folder of C: every command works for the other languages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from cpsconv.core.construction import STRATEGIES
from cpsconv.engines import ENGINES
from cpsconv.targets import TARGETS
from scripts.architecture import PACKAGE, ROOT
from testing.effort import sample

TEXT = r"""
greatest(a : int, b : int, ret : int → ⊥) → ⊥ {
  let
    next := () → ⊥
      greatest(b, a % b, ret)
    done := () → ⊥
      printf("%d\n", a);
      ret(a)
  in
  branch(b == 0, done, next)
}
"""

WITH_LIBRARY = """
extern labs(n : long, ret : long → ⊥) → ⊥

main(ret : int → ⊥) → ⊥ {
  let
    after := (n : long) → ⊥
      ret(int(n))
  in
  labs(-5l, after)
}
"""

PROGRAMS = {"text.cps": TEXT, "library.cps": WITH_LIBRARY, "program.c": "int main(void) { return 0; }"}
PROGRAMS |= {name: (ROOT / "examples" / name).read_text() for name in ("euclid.while", "Gcd.mod", "sieve.bril")}

COMMANDS = [
    *(f"convert --emit {target}" for target in TARGETS),
    *(f"convert --strategy {strategy} --no-minimal --thread-jumps" for strategy in STRATEGIES),
    *(f"run --engine {engine}" for engine in ENGINES),
    *("run --trace", "check", "compare", "explain", "explain --html page.html", "graph", "graph --format mermaid"),
    "convert -O -I . -Wall",
]

REFUSED = {
    "euclid.while": {
        "--emit c",
        "--emit llvm",
        "--emit mlir",
        "--emit bril",
        "--emit bril-json",
        "--emit ocaml",
        "--engine llvm",
    },
    "Gcd.mod": set(),
    "sieve.bril": {"--emit c", "--emit llvm", "--emit mlir"},
    "text.cps": {"compare", "explain", "--html page.html", ". -Wall"},
}
"""The ends of commands that cannot express the program, or that have nothing to do, whether C is there or not."""


class Done(NamedTuple):
    """The exit status and the output of a command."""

    status: int
    out: str
    errors: str


RUN = """
import contextlib, io, json, sys
sys.path.insert(0, ".")
from cpsconv.cli import main
for command, text in json.load(sys.stdin):
    sys.stdin, out, errors = (io.TextIOWrapper(io.BytesIO(each)) for each in (text.encode(), b"", b""))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = main(command)
    out.flush(), errors.flush()
    print(json.dumps([status, *(stream.buffer.getvalue().decode() for stream in (out, errors))]), file=sys.__stdout__)
"""


@pytest.fixture(scope="module")
def without_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package, without C, and with the programs."""
    folder = tmp_path_factory.mktemp("without_c")
    shutil.copytree(PACKAGE, folder / "cpsconv", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(folder / "cpsconv" / "languages" / "c")
    shutil.copytree(ROOT / "grammars", folder / "grammars")
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def outcomes(folder: Path, commands: list[str], stdin: str = "") -> list[Done]:
    """What the commands do with the package in the folder."""
    given = json.dumps([(command.split(), stdin) for command in commands])
    done = subprocess.run([sys.executable, "-c", RUN], cwd=folder, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [Done(*json.loads(line)) for line in done.stdout.splitlines()]


def test_every_command_works_for_the_other_languages(without_c: Path) -> None:
    """Each command for two languages; `test_house` finds imports of the folder."""
    arguments = {"euclid.while": "-- 48 36", "Gcd.mod": "48 36", "sieve.bril": "20", "text.cps": "48 36"}
    cases = [(command, file) for number, file in enumerate(REFUSED) for command in sample(COMMANDS, 2, number % 2)]
    given = [f"{command} {file} {arguments[file] if 'run' in command else ''}" for command, file in cases]
    for (command, file), done in zip(cases, outcomes(without_c, given), strict=True):
        is_refused = command.endswith((*REFUSED[file],))
        assert done.status == is_refused, (command, file, done)
        assert "not installed" not in done.errors and ("error: " in done.errors) == is_refused, done.errors
        if command.startswith("run --engine") and not is_refused:
            assert {"12", "x = 12", "19"} & {*done.out.splitlines()}, (command, file, done)


def test_a_program_in_c_is_refused_by_name(without_c: Path) -> None:
    commands = ["convert program.c", "run program.c", "check program.c", "explain program.c", "graph program.c"]
    commands += ["compare program.c", "convert -E program.c", "convert -DN=1 -I . -", "run -", "step program.c"]
    commands += ["convert program.c text.cps -o out -j 2"]
    message = "error: the language c is not installed: there is no module `cpsconv.languages.c.reader`"
    for command, done in zip(commands, outcomes(without_c, commands, PROGRAMS["program.c"]), strict=True):
        assert done.status == 1 and done.errors.strip() == message, (command, done)


def test_a_function_of_its_library_has_no_definition(without_c: Path) -> None:
    commands = [f"run --engine {engine} library.cps" for engine in ENGINES]
    for done in outcomes(without_c, commands):
        assert done.status == 1 and "`labs` is declared and used, but not defined" in done.errors


def test_its_row_can_be_removed_too(without_c: Path) -> None:
    rows = without_c / "cpsconv" / "languages" / "__init__.py"
    text = rows.read_text(encoding="utf-8")
    rows.write_text(re.sub(r'    "c": Language\(.*?\n    \),\n', "", text, flags=re.DOTALL), encoding="utf-8")
    run, stdin, suffix, preprocessed = outcomes(
        without_c,
        ["run euclid.while -- 48 36", "convert -", "convert program.c", "convert -E -"],
        PROGRAMS["program.c"],
    )
    assert run.status == 0 and "x = 12" in run.out
    help = "\nhelp: choose a language with --lang (bril, tinylang, llvm, cps, while, mlir or javascript)\n"
    assert stdin == (1, "", f"error: <stdin>: unknown language{help}")
    assert suffix == (1, "", f"error: program.c: unknown language{help}")
    assert preprocessed.status == 2 and preprocessed.errors.endswith("-E requires a program in C\n")
    rows.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package, and with a program. Its bytecode serves all tests."""
    copy = tmp_path_factory.mktemp("package")
    shutil.copytree(PACKAGE, copy / "cpsconv", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammars", copy / "grammars")
    (copy / "text.cps").write_text(TEXT, encoding="utf-8")
    return copy


@contextmanager
def removed(folder: Path) -> Iterator[None]:
    """A context without the folder."""
    elsewhere = folder.rename(folder.parents[2] / "removed")
    try:
        yield
    finally:
        elsewhere.rename(folder)


@pytest.mark.parametrize(
    ("folder", "refused"),
    {
        "engines/llvm": {"run --engine llvm": "engine llvm"},
        "engines/python": {"run --engine python": "engine python"},
        "targets/c": {"convert --emit c": "target c"},
        "targets/llvm": {
            "convert --emit llvm": "target llvm",
            "convert --emit mlir": "target mlir",
            "run --engine llvm": "engine llvm",
        },
        "targets/mlir": {"convert --emit mlir": "target mlir"},
        "targets/bril": {"convert --emit bril": "target bril", "convert --emit bril-json": "target bril-json"},
    }.items(),
)
def test_the_folder_of_an_engine_or_target_can_be_removed(package: Path, folder: str, refused: dict[str, str]) -> None:
    """Commands that need it name it; `run` uses another engine than the default one."""
    others = ["run", *(f"run --engine {engine}" for engine in ENGINES), *(f"convert --emit {each}" for each in TARGETS)]
    commands = [*refused, *(each for each in others if each not in refused)]
    given = [f"{command} text.cps {'48 36' if 'run' in command else ''}" for command in commands]
    with removed(package / "cpsconv" / folder):
        found = outcomes(package, given)
    for command, done in zip(commands, found, strict=True):
        missing = f"is not installed: there is no module `cpsconv.{folder.replace('/', '.')}`"
        message = f"error: the {refused[command]} {missing}\n" if command in refused else ""
        assert (done.status, done.errors) == (int(bool(message)), message), command


ALONE = r"""
import io
from cpsconv.core.evaluator import evaluate
from cpsconv.core.json import from_json, to_json
from cpsconv.core.text import parse, pretty
text = '''main(ret : int → ⊥) → ⊥ {
  p := create(8ul);
  q := resize(p, 16ul);
  int[q] := 5;
  v := int[q];
  print("%d\\n", v);
  print_line("done");
  release(q);
  ret(0)
}
'''
program = from_json(to_json(parse(text)))
assert pretty(program) == text, pretty(program)
output = io.BytesIO()
assert [*evaluate(program, output=output).arguments] == [0]
assert output.getvalue() == b"5\ndone\n"
"""


def test_the_core_alone_names_its_operations_itself(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "core", tmp_path / "cpsconv" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "cpsconv" / "__init__.py").touch()
    shutil.copytree(ROOT / "grammars", tmp_path / "grammars")
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
