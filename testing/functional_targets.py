"""The functional target languages, and runs of programs in them: the counterpart of `testing.running`.

A new language is a row in `LANGUAGES`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Program
from cpsconv.core import ir
from cpsconv.targets.functional.haskell import haskell
from cpsconv.targets.functional.javascript import javascript
from cpsconv.targets.functional.ocaml import ocaml
from cpsconv.targets.functional.python import python
from cpsconv.targets.functional.scheme import scheme
from testing.expectations import ROOT, Observation, Status
from testing.running import together

FIG8 = (ROOT / "examples" / "fig8.c").read_text()

LACKING = frozenset({ir.LONG_DOUBLE})
"""The types that no language has."""

NOT_EVERYWHERE = LACKING.union(ir.WIDE_INTEGERS)
"""The types that OCaml and Haskell lack, too."""

Run = tuple[Program, Sequence[str]]
"""A program and its arguments."""

_SECONDS = 200  # the timeout, for a busy machine


@dataclass(frozen=True)
class Ended:
    """The observable result of a run of a file."""

    output: str
    errors: str
    code: int


@dataclass(frozen=True)
class Language:
    """A language and its implementation, the first word of `command`, which must be installed.

    `noise` matches messages of the implementation itself on standard error. `distinguishes_nans` says whether
    programs print the signs of NaNs, `names_values` whether runtime errors have the messages of the evaluator, with
    names and numbers. The implementation executes `rounds` iterations of a loop in a few seconds.
    """

    name: str
    emit: Callable[..., str]
    file: str
    command: Sequence[str]
    noise: str = r"(?!)"
    distinguishes_nans: bool = True
    names_values: bool = False
    rounds: int = 10_000_000

    def write(self, text: str, folder: Path) -> None:
        """Write the file that `command` runs."""
        (folder / self.file).write_text(text, encoding="ascii")

    def run(self, text: str, folder: Path, arguments: Sequence[str] = (), given: bytes = b"") -> Ended:
        """Run a text with standard input. Raises `TimeoutExpired` if it takes too long."""
        self.write(text, folder)
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "LC_ALL": "C"}
        ended = subprocess.run(
            [*self.command, self.file, *arguments],
            cwd=folder,
            capture_output=True,
            timeout=_SECONDS,
            env=environment,
            input=given,
        )
        errors = re.sub(self.noise, "", ended.stderr.decode("latin-1"), flags=re.MULTILINE)
        return Ended(ended.stdout.decode("latin-1"), errors, ended.returncode)

    def run_all(self, runs: Iterable[tuple[str, Sequence[str]]], folder: Path) -> list[Ended]:
        """Run texts with their arguments."""
        return [self.run(text, folder, arguments) for text, arguments in runs]

    def observe(self, program: Program, folder: Path, arguments: Sequence[str] = (), given: bytes = b"") -> Observation:
        """Run a program. Fails if the implementation reports an error or a warning."""
        return observation(self.run(self.emit(program), folder, arguments, given))

    def observe_all(self, runs: Sequence[Run], folder: Path) -> list[Observation]:
        """Run programs with their arguments. Fails as `observe` does."""
        return [*map(observation, self.run_programs(runs, folder))]

    def run_programs(self, runs: Sequence[Run], folder: Path) -> list[Ended]:
        """Run programs with their arguments."""
        texts = {program: self.emit(program) for program in dict.fromkeys([program for program, _ in runs])}
        return self.run_all([(texts[program], arguments) for program, arguments in runs], folder)

    def runs_of(self, programs: Sequence[Program]) -> list[Run]:
        """Runs of programs whose `main` takes nothing, perhaps of one program that consists of them."""
        return [(program, ()) for program in programs]


_TOGETHER = """\
module Main (main) where

import Control.Exception (SomeException, fromException, try)
import Control.Monad (forM_, void)
import GHC.IO.Encoding (char8, setFileSystemEncoding, utf8)
import System.Environment (withArgs)
import System.Exit (ExitCode (ExitFailure))
import System.IO (hFlush, hPrint, stderr, stdout)
import System.Posix.Files (stdFileMode)
import System.Posix.IO (createFile, dupTo, stdError, stdOutput)
import System.Posix.Process (ProcessStatus (Exited), exitImmediately, forkProcess, getProcessStatus)
IMPORTS

main :: IO ()
main = forM_ (zip [0 :: Int ..] [RUNS]) $ \\(number, (program, arguments)) -> do
  child <- forkProcess $ do
    forM_ [(stdOutput, "output"), (stdError, "errors")] $ \\(stream, name) -> do
      file <- createFile (name ++ show number) stdFileMode
      dupTo file stream
    setFileSystemEncoding char8
    Left ended <- try (withArgs arguments (setFileSystemEncoding utf8 >> program)) :: IO (Either SomeException ())
    hFlush stdout
    maybe (hPrint stderr ended >> exitImmediately (ExitFailure 1)) exitImmediately (fromException ended)
  Just (Exited code) <- getProcessStatus True False child
  print code
"""


_IN_NODE = """\
const fs = require("node:fs");
const ended = JSON.parse(fs.readFileSync(0, "utf8")).map(([text, words]) => {
  const written = ["", "", ""];
  const own = { argv: ["node", "program.js", ...words], exitCode: 0 };
  own.exit = (code) => { own.exitCode = code; throw own; };
  const writeSync = (stream, bytes, start) => (written[stream] += bytes.latin1Slice(start), bytes.length - start);
  try {
    new Function("require", "process", text)(() => ({ writeSync, readSync: () => 0 }), own);
  } catch (fault) {
    if (fault !== own) Object.assign(own, { exitCode: 1 }), written[2] += fault.stack;
  }
  return [written[1], written[2], own.exitCode];
});
console.log(JSON.stringify(ended));
"""


class _JavaScript(Language):
    """Node starts slowly, so that one process executes many programs, each with a `process` of its own."""

    def run_all(self, runs: Iterable[tuple[str, Sequence[str]]], folder: Path) -> list[Ended]:
        """Run texts with their arguments, without standard input."""
        given = json.dumps([*runs]).encode()
        together = self.run(_IN_NODE, folder, given=given)
        assert together.code == 0, together.errors
        return [Ended(*ended) for ended in json.loads(together.output.encode("latin-1"))]


class _Together(Language):
    """A language whose compiler takes long for the prelude, so that one program has it for several."""

    def runs_of(self, programs: Sequence[Program]) -> list[Run]:
        """Runs of one program that consists of the programs."""
        program = together(programs)
        return [(program, [str(number)]) for number in range(len(programs))]


class _OCaml(_Together):
    """The compiler takes a third of the time of the interpreter, whose own compiler is in bytecode."""

    def write(self, text: str, folder: Path) -> None:
        """Compile a text. Fails if there is a warning."""
        assert _compiled_by_ocaml(text, folder) == ""


@lru_cache(maxsize=1)
def _compiled_by_ocaml(text: str, folder: Path) -> str:
    """The messages of the compiler, which writes the file `program`. Runs of one program share it."""
    (folder / "program.ml").write_text(text, encoding="ascii")
    command = ["ocamlc", "-o", "program", "program.ml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stderr


class _Haskell(_Together):
    """GHC starts slowly, so that one program forks a process for each of many runs."""

    def run_all(self, runs: Iterable[tuple[str, Sequence[str]]], folder: Path) -> list[Ended]:
        """Run texts, each a module of one program, with their arguments."""
        runs = [*runs]
        modules = {text: f"P{number}" for number, text in enumerate(dict.fromkeys(text for text, _ in runs))}
        for text, module in modules.items():
            (folder / f"{module}.hs").write_text(text.replace("module Main ", f"module {module} "), encoding="ascii")
        calls = ", ".join(f"(void {modules[text]}.main, [{_strings(arguments)}])" for text, arguments in runs)
        imports = "\n".join(f"import qualified {module}" for module in modules.values())
        together = self.run(_TOGETHER.replace("IMPORTS", imports).replace("RUNS", calls), folder)
        assert together.code == 0, together.errors
        codes = [int(line.partition("ExitFailure ")[2] or 0) for line in together.output.splitlines()]
        streams = ([_content(folder / f"{name}{n}") for n in range(len(runs))] for name in ("output", "errors"))
        return [*map(Ended, *streams, codes)]


def _strings(words: Sequence[str]) -> str:
    """Haskell's literals for the bytes of words, each as a character."""
    return ", ".join('"' + "".join(rf"\{byte}\&" for byte in os.fsencode(word)) + '"' for word in words)


Case = Generator[Iterable[Run], list[Ended], Any]
"""A test in two parts: it yields runs, and receives their ends."""


def run_cases(cases: Iterable[Callable[[Language], Case]], language: Language, folder: Path) -> None:
    """Run the programs of all cases in one start of the language, if it can. Each case yields once."""
    started = [case(language) for case in cases]
    runs = [[*next(each)] for each in started]
    ended = iter(language.run_programs([*chain(*runs)], folder))
    for each, own in zip(started, runs, strict=True):
        with pytest.raises(StopIteration):
            each.send([*islice(ended, len(own))])


def _content(path: Path) -> str:
    return path.read_bytes().decode("latin-1")


def observation(ended: Ended) -> Observation:
    """The run, as those of the evaluator are observed. Fails if the implementation reports an error or a warning."""
    return Observation(ended.output, _status(ended))


def _status(ended: Ended) -> Status:
    if ended.errors.startswith("runtime error: "):
        assert ended.code == 3
        return "error"
    crash = re.search(r"^(WARNING|Backtrace|Traceback|    at |\S+: (error|warning):)", ended.errors, re.MULTILINE)
    assert not crash, ended.errors
    return "abort" if ended.code == 134 else ended.code


_GUILE_MESSAGES = r"^;;; .*\n"
_LARGE_NURSERY = ["+RTS", "-A128m", "-n4m", "-RTS"]  # a third faster

SCHEME = Language("scheme", scheme, "program.scm", ["guile", "--r7rs", "--no-auto-compile"], _GUILE_MESSAGES)
JAVASCRIPT = _JavaScript("javascript", javascript, "program.js", ["node"], distinguishes_nans=False, names_values=True)
PYTHON = Language("python", python, "program.py", [sys.executable, "-W", "error"], rounds=1_000_000)
OCAML = _OCaml("ocaml", ocaml, "program", ["ocamlrun"])
HASKELL = _Haskell("haskell", haskell, "program.hs", ["runghc", *(f"--ghc-arg={flag}" for flag in _LARGE_NURSERY)])
LANGUAGES = [SCHEME, JAVASCRIPT, PYTHON, OCAML, HASKELL]

SCHEME_COMPILED = replace(SCHEME, name="scheme-compiled", command=["guile", "--r7rs"], distinguishes_nans=False)
"""Guile compiles the program before it runs it."""

HASKELL_COMPILED = replace(
    HASKELL, name="haskell-compiled", command=[*HASKELL.command, "--ghc-arg=-fobject-code", "--ghc-arg=-fforce-recomp"]
)
"""GHC compiles the program before it runs it."""

OCAML_INTERPRETED = Language("ocaml", ocaml, "program.ml", ["ocaml"])

FOR_LONG_RUNS = [SCHEME_COMPILED, JAVASCRIPT, PYTHON, OCAML_INTERPRETED, HASKELL_COMPILED]
"""For each language, the implementation for long runs, or another one."""


def each(languages: Sequence[Language]) -> pytest.MarkDecorator:
    """Parametrises a test with each `language`, and skips languages that are not installed."""
    parameters = []
    for language in languages:
        command = language.command[0]
        skip = pytest.mark.skipif(shutil.which(command) is None, reason=f"{command} is not installed")
        parameters.append(pytest.param(language, marks=skip, id=language.name))
    return pytest.mark.parametrize("language", parameters)
