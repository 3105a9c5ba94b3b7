"""The documentation: its commands print the output shown, its links lead to files, and its index is complete."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from glob import glob
from pathlib import Path
from unittest.mock import patch

import click
import pytest

import cpsconv
from cpsconv.cli import main
from cpsconv.cli.commands import COMMANDS, Command
from cpsconv.cli.commands import commands as group
from cpsconv.core.construction import Builder, Reconstruction
from cpsconv.core.construction.items import ProgramItems
from cpsconv.engines import ENGINES
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import LANGUAGES
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS
from testing.effort import is_full

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the commands are for a POSIX shell")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output that follows it."""
    return [(command, output) for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new folder with the examples, and a command `cpsconv` for this checkout."""
    folder = tmp_path / "readme"
    for part in ("examples", "docs/course"):
        shutil.copytree(ROOT / part, folder / part)
    command = folder / "bin" / "cpsconv"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cpsconv "$@"\n')
    command.chmod(0o755)
    return folder


def links(document: Path) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", document.read_text(encoding="utf-8"))


def files(document: str) -> dict[str, str]:
    """The programs in C, MLIR, JavaScript and other languages, and the CPS texts, by the names in their first lines."""
    shown = [(suffix, block) for suffix in ("c", "cps", "mlir", "js") for block in blocks(suffix, document)]
    found = {block.split()[1]: block for suffix, block in shown if re.match(rf"// \w+\.(?:{suffix}|h)\n", block)}
    others = [block for language in ("modula-2", "llvm") for block in blocks(language, document)]
    return found | {block.split()[1]: block for block in others}


WITH_COMMANDS = [path for path in DOCUMENTS if "```console\n" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_commands_of_a_document_print_its_output(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands run in order in one folder: later ones use the files of earlier ones."""
    document = path.read_text(encoding="utf-8")
    for name, text in files(document).items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    for block in blocks("console", document):
        for command, expected in commands(block):
            assert (in_shell if is_full() else quickly)(command, folder) == expected, command


_COMMAND = re.compile(
    r"((?:'[^']*'|[^'|])+\| )?cpsconv ((?:'[^']*'|[^|<>;&$`#\n'])+?)((?:2?[|<>;&$`#\n].*)?)", re.DOTALL
)
"""What may write the input, a call of `cpsconv`, and the rest of a shell command, to which its output may go."""


def quickly(command: str, folder: Path) -> str:
    """The output and errors of a command. One call of `cpsconv` runs in this process, without a new Python."""
    parts = _COMMAND.fullmatch(command)
    if not parts:
        return in_shell(command, folder)
    before, words, after = parts.groups()
    given = io.TextIOWrapper(io.BytesIO(quickly(before.removesuffix("| "), folder).encode() if before else b""))
    output, errors = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in range(2))
    if re.match(r"2>&1(?! *>)", after):
        output, after = errors, after[4:]
    with redirect_stdout(output), redirect_stderr(errors), patch.object(sys, "stdin", given):
        status = main([name for word in shlex.split(words) for name in sorted(glob(word)) or [word]])
    reported, written = (b"" if output is errors else errors.buffer.getvalue()), output.buffer.getvalue()
    if not after:
        return (reported + written).decode()
    (folder / ".output").write_bytes(written)
    (folder / ".errors").write_bytes(reported)
    return in_shell(f"(cat .errors >&2; cat .output; exit {status}) {after}", folder)


def in_shell(command: str, folder: Path) -> str:
    """The output and errors of a command, which has no input."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_of_a_command_ends_with_examples_that_work(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands on all examples find some of them."""
    for path in [] if is_full() else (folder / "examples").glob("[!fgl]*.*"):
        path.unlink()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    command = group.get_command(click.Context(group), name) if name else group
    assert isinstance(command, Command)
    assert 2 <= len(command.examples) <= 3
    assert quickly(f"cpsconv {name} --help", folder).endswith(
        "\nExamples:\n" + "".join(f"  {example}\n" for example in command.examples)
    )
    for example in command.examples:
        assert f"cpsconv {name}" in example
        output = (in_shell if is_full() else quickly)(f"{example}\necho status $?", folder)
        assert output.endswith("status 0\n"), output
        assert "error: " not in output


@pytest.mark.parametrize(
    "text",
    [
        *(
            pytest.param(block, id=path.name)
            for path in DOCUMENTS
            for block in blocks("pycon", path.read_text(encoding="utf-8"))
        ),
        pytest.param(cpsconv.__doc__, id="cpsconv/__init__.py"),
        pytest.param(Builder.__doc__, id="cpsconv/core/construction/builder.py"),
        pytest.param(Reconstruction.__doc__, id="cpsconv/core/construction/reconstruction.py"),
        pytest.param(ProgramItems.__doc__, id="cpsconv/core/construction/items.py"),
    ],
)
def test_the_library_examples_work(text: str) -> None:
    example = doctest.DocTestParser().get_doctest(text, {}, "example", None, None)
    assert example.examples
    complaints: list[str] = []
    doctest.DocTestRunner().run(example, out=complaints.append)
    assert not complaints, "".join(complaints)


def anchors(document: Path) -> set[str]:
    """The names that GitHub gives the headings of a document."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    titles = [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title) for title in titles]
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in links(path):
        if not link.startswith("https://"):
            name, _, anchor = link.partition("#")
            page = path.parent / name if name else path
            assert page.exists(), link
            assert not anchor or anchor in anchors(page), link


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    pages = {path for path in (ROOT / "docs").glob("*") if path.is_file()} | {*(ROOT / "docs").glob("*/README.md")}
    assert pages - linked - {index} == set()


CHOICES = {
    "construction.md": CONSTRUCTIONS,
    "engines.md": ENGINES,
    "optimisation.md": OPTIMISATIONS,
    "command-line.md": [*COMMANDS, *(suffix for language in LANGUAGES.values() for suffix in language.suffixes)],
}
"""The names that a user can choose, by the page that has each of them."""


@pytest.mark.parametrize(("page", "names"), CHOICES.items(), ids=CHOICES)
def test_a_page_has_all_names_of_a_table(page: str, names: list[str]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []


def options_of(name: str, *, hidden: bool) -> list[set[str]]:
    """The names of each option of a command."""
    command = group.get_command(click.Context(group), name)
    assert command
    found = [each for each in command.params if isinstance(each, click.Option) and (hidden or not each.hidden)]
    return [{*each.opts, *each.secondary_opts} for each in found]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_documents_name_the_options_of_a_command_and_no_others(name: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    named = {*re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", text)}
    given = [re.findall(r"(?<= )--[a-z][a-z-]*", call) for call in re.findall(rf"cpsconv {name}\b([^|`;>#\n]*)", text)]
    assert [names for names in options_of(name, hidden=False) if not names & named] == []
    assert {option for options in given for option in options} - {"--help"} <= set().union(
        *options_of(name, hidden=True)
    )


def test_the_documents_name_every_target() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    assert [name for name in TARGETS if f"--emit {name}" not in text and f"`{name}`" not in text] == []


@pytest.mark.parametrize("script", ["demo", "test"])
def test_the_two_commands_are_there_and_can_be_run(script: str) -> None:
    assert f"\n./{script} " in README
    assert os.access(ROOT / script, os.X_OK)
