"""The installed package: a wheel, an editable install, an sdist and a bare checkout all work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cpsconv.core.generated import _cache, digest_of
from cpsconv.core.grammar import TABLES, read_grammar
from cpsconv.languages.c.library import DEFINITIONS
from cpsconv.targets.functional.definition import LANGUAGES, MEMORY

ROOT = Path(__file__).parent.parent
GRAMMARS = sorted(path.stem for path in (ROOT / "grammars").glob("*.lark"))
LIBRARY = sorted(path.stem for path in (ROOT / "cpsconv" / "languages" / "c" / "library").glob("*.c"))


posix = pytest.mark.skipif(os.name != "posix", reason="the scripts are for a POSIX shell")


def run(
    command: list[str | Path], folder: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")


def built(kind: str, folder: Path, root: Path = ROOT, **environment: str) -> Path:
    """A "wheel", an "editable" wheel or an "sdist" of a checkout, without the network."""
    pytest.importorskip("hatchling", reason="building a wheel takes hatchling (pip install -e .[test])")
    build = f"import hatchling.build; print(hatchling.build.build_{kind}({str(folder)!r}))"
    done = run([sys.executable, "-c", build], root, {**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", tmp_path_factory.mktemp("wheel"))


def convert_twice(path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Convert a C program outside of the checkout, with the package that `environment` selects."""
    (path / "twice.c").write_text("int twice(int x) { return x + x; }")
    return run([sys.executable, "-m", "cpsconv", "convert", "twice.c"], path, {**os.environ, **environment})


WITHOUT_LARK = "import sys; sys.modules['lark'] = None; from cpsconv.cli import main; sys.exit(main(sys.argv[1:]))"


def run_digit(path: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Run a program that calls C's library with an installed package, which needs neither lark nor a cache."""
    (path / "digit.c").write_text("#include <ctype.h>\nint main(void) { return isdigit(55) / 2048; }")
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": os.devnull, "CPSCONV_DEBUG": "1"}
    return run([sys.executable, "-c", WITHOUT_LARK, "run", "digit.c"], path, environment)


TWICE = "twice(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + x)\n}\n"


def test_each_grammar_is_found() -> None:
    assert {"c", "cps"} <= set(GRAMMARS)
    for name in GRAMMARS:
        assert read_grammar(name) == (ROOT / "grammars" / f"{name}.lark").read_text(encoding="utf-8")


def test_a_wheel_has_the_grammars_the_parts_of_the_page_the_types_and_the_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"cpsconv/grammars/{name}.lark" for name in GRAMMARS} <= set(names)
    generated = (
        {f"tables/{name}" for name in GRAMMARS}
        | {f"library/{name}" for name in LIBRARY}
        | {f"memory/{name}" for name in LANGUAGES}
    )
    assert {f"cpsconv/generated/{name}.json" for name in generated} <= set(names)
    assert {f"cpsconv/core/json/{name}.schema.json" for name in ("program", "record")} <= set(names)
    assert {f"cpsconv/checker/{name}" for name in ("check.py", "rules.lp")} <= set(names)
    targets = {path for path in (ROOT / "cpsconv/targets/functional").rglob("*.*") if path.suffix != ".pyc"}
    targets |= {*(ROOT / "cpsconv").rglob("*.ll")}
    assert {"cpsconv/py.typed", *(path.relative_to(ROOT).as_posix() for path in targets)} <= set(names)
    parts = [path for path in (ROOT / "cpsconv/lab").rglob("parts/*.*") if path.suffix != ".pyc"]
    assert {path.relative_to(ROOT).as_posix() for path in parts} <= set(names)
    assert {"cpsconv/examples/fig8.c", "cpsconv/docs/course/exercises/maximum.c"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith("cpsconv")]


def test_a_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = convert_twice(tmp_path, {"PYTHONPATH": str(tmp_path / "site")})
    assert (done.stdout, done.stderr) == (TWICE, "")
    done = run_digit(tmp_path, tmp_path / "site")
    assert (done.returncode, done.stderr) == (1, "")
    site = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = run([sys.executable, "-m", "cpsconv", "check", "--independent", "twice.c"], tmp_path, site)
    assert (done.stdout.startswith("twice.c: ok, certified by both checkers"), done.stderr) == (True, "")


def test_an_sdist_is_built_without_the_network(tmp_path: Path) -> None:
    sdist = built("sdist", tmp_path)
    shutil.unpack_archive(sdist, tmp_path)
    wheel = built("wheel", tmp_path, tmp_path / sdist.name.removesuffix(".tar.gz"))
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = run_digit(tmp_path, tmp_path / "site")
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.usefixtures("wheel")  # which fills the cache of the user
def test_an_editable_installation_fills_the_cache(tmp_path: Path) -> None:
    """The cache lacks one file of each kind."""
    for generator, missing in ((TABLES, GRAMMARS[-1]), (DEFINITIONS, LIBRARY[-1]), (MEMORY, LANGUAGES[-1])):
        folder = Path("cpsconv", generator.kind, digest_of(generator.sources))
        shutil.copytree(Path(_cache()).parent / folder, tmp_path / folder, ignore=shutil.ignore_patterns(missing))
    names = zipfile.ZipFile(built("editable", tmp_path, XDG_CACHE_HOME=str(tmp_path))).namelist()
    assert not [name for name in names if name.startswith("cpsconv/generated/")]
    kept = {path.name for path in (tmp_path / "cpsconv").rglob("*") if path.is_file()}
    assert kept == {*GRAMMARS, *LIBRARY, *LANGUAGES, "lock"}


def test_a_bare_checkout_works(tmp_path: Path) -> None:
    done = convert_twice(tmp_path, {"PYTHONPATH": str(ROOT)})
    assert (done.stdout, done.stderr) == (TWICE, "")


def test_a_missing_grammar_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"klingon\.lark"):
        read_grammar("klingon")


def test_the_changelog_has_this_version() -> None:
    from cpsconv import __version__

    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[(Unreleased|{re.escape(__version__)})\]", changelog, re.MULTILINE)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables that make the scripts use the Python that runs the tests, as if they had created its environment."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    checksum = subprocess.run(["cksum"], input=(ROOT / "pyproject.toml").read_bytes(), capture_output=True, check=True)
    (tmp_path / "cpsconv-test").write_text(f"{ROOT} {checksum.stdout.decode()}")
    if sys.pycache_prefix:  # of `./test`, whose bytecode serves these commands, too
        (tmp_path / "bytecode").symlink_to(sys.pycache_prefix)
    return {**os.environ, "CPSCONV_VENV": str(tmp_path), "PYTHONPATH": str(ROOT)}


@posix
def test_the_demo_converts_and_runs_an_example_from_any_folder(environment: dict[str, str], tmp_path: Path) -> None:
    done = run([ROOT / "demo"], tmp_path, environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "$ cpsconv convert examples/fig8.c\nf(x : int, ret : int → ⊥) → ⊥ {\n" in done.stdout
    assert "$ cpsconv run examples/fig8.c 0\n23\n" in done.stdout


@posix
def test_the_demo_takes_a_program_as_argument(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "twice.c").write_text("int twice(int x) { return x + x; }")
    done = run([ROOT / "demo", "twice.c", "21"], tmp_path, environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"$ cpsconv convert twice.c\n{TWICE}\n$ cpsconv run twice.c 21\n42\n\n"


@posix
def test_the_test_command_passes_its_arguments_to_pytest(environment: dict[str, str], tmp_path: Path) -> None:
    done = run([ROOT / "test", "-n", "0", "--collect-only", "tests/test_packaging.py"], tmp_path, environment)
    assert done.returncode == 0, done.stderr
    assert "test_the_test_command_passes_its_arguments_to_pytest" in done.stdout


@posix
def test_the_hooks_and_the_workflow_run_the_steps_of_ci() -> None:
    hooks = re.findall(r"entry: \.ci/run (\w+)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    steps = re.search(r"^    set -- (.*)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert steps and hooks == steps[1].split()
    assert "\n      - run: .ci/run\n" in (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


@posix
def test_a_missing_python_is_named(tmp_path: Path) -> None:
    for tool in ("dirname", "cksum", "cat", "sh"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    without_python = {"PATH": str(tmp_path), "CPSCONV_VENV": str(tmp_path / "venv")}
    done = run([ROOT / "demo"], tmp_path, without_python)
    assert done.returncode == 1
    assert done.stderr == "cpsconv needs Python 3.10 or later, and none was found; set $PYTHON to its path\n"
