"""The φ functions of LLVM's ``mem2reg`` beside the parameters of a program read from the same module."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import NamedTuple

from cpsconv import Program, Source
from cpsconv.languages.llvm.module_text import FunctionText, divide
from cpsconv.languages.llvm.normal_form import normal_form
from cpsconv.languages.llvm.writer import module

OPT = next(filter(None, map(which, ("opt-22", "opt"))), None)
"""LLVM's optimiser, if it is installed."""

CLANG = next(filter(None, map(which, ("clang-22", "clang"))), None)
"""The compiler, if it is installed."""


class Compared(NamedTuple):
    """A function: its φ functions after ``mem2reg``, its parameters, and the instructions that only one side has."""

    name: str
    phis: int
    parameters: int
    lost: Counter[str]
    added: Counter[str]


def compiled(source: Path, target: Path, *options: str) -> None:
    """Compile a source to a module as ``mem2reg`` expects it: with variables in memory, and without ``optnone``."""
    standard = ["-std=gnu17"] if source.suffix == ".c" else []
    command = [str(CLANG), *standard, "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-S", "-emit-llvm", *options]
    subprocess.run([*command, str(source), "-o", str(target)], check=True, capture_output=True)


def modules(files: Iterable[Path], folder: Path, options: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """The name of each file and its module, which the next one replaces; not of those that clang rejects."""
    for file in files:
        path = file
        if file.suffix not in (".ll", ".bc"):
            path = folder / "module.ll"
            try:
                compiled(file, path, *options)
            except subprocess.CalledProcessError:
                continue
        yield file.name, path


def promoted_by_llvm(path: Path) -> str:
    """The module after LLVM's ``mem2reg``, also of functions that clang exempts from it (``optnone``)."""
    command = [str(OPT), "-S", "-o", "-"]
    if path.suffix == ".bc":
        text = subprocess.run([*command, str(path)], check=True, capture_output=True, text=True).stdout
    else:
        text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^(attributes #.*) optnone\b", r"\1", text)
    done = subprocess.run([*command, "-passes=mem2reg"], input=text, check=True, capture_output=True, text=True)
    return done.stdout


def compared(program: Program, theirs: str) -> list[Compared]:
    """The functions of a program that was read from LLVM IR, and those of the module that LLVM promoted."""
    ours = {function.symbol: function for function in divide(Source("ours.ll", module(program))).functions}
    found = []
    for function in divide(Source("theirs.ll", normal_form(Source("theirs.ll", theirs)))).functions:
        mine, other = _instructions(ours[function.symbol]), _instructions(function)
        phis, parameters = other.pop("phi", 0), mine.pop("phi", 0)
        found.append(Compared(function.symbol, phis, parameters, other - mine, mine - other))
    return found


def _instructions(function: FunctionText) -> Counter[str]:
    """The reached instructions without operands and labels; of φ functions, nothing but the word.

    Allocations that they do not use are no instructions: LLVM keeps them for blocks that are not reached.
    """
    lines = [line for block in function.reached().values() for line in block.lines if not line.op.startswith("#")]
    used = {name for line in lines for name in line.names}
    lines = [line for line in lines if line.op != "alloca" or line.result in used]
    shapes = ["phi" if line.op == "phi" else _shape(line.text) for line in lines]
    return Counter(shape for shape in shapes if shape != "br label %")  # blocks with one predecessor are merged


def _shape(text: str) -> str:
    """The text without what a promotion replaces: the operands, and references to metadata, which are renumbered."""
    text = re.sub(r"![\w.]+ !\d+|!\d+|#\d+|%address\.\d+", "", text)
    operand = r"-?\d+|undef|poison|null|true|false|%|@[-\w$.]+|[-+.\de]+|0x[0-9A-F]+"
    text = re.sub(rf"(?<=[ (])({operand})(?=[,) ]|$)", "%", text)
    return re.sub(r"[, ]+$", "", text)
