"""The judge of MLIR: the results of LLVM's own `mlir-opt` and of clang."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from testing.expectations import Observation, Status

_VERSIONS = range(30, 15, -1)


def _tool(name: str) -> str | None:
    """The newest version of a tool of LLVM."""
    found = (shutil.which(f"{name}-{version}") for version in _VERSIONS)
    return next(filter(None, found), None) or shutil.which(name)


MLIR_OPT, MLIR_TRANSLATE, CLANG = map(_tool, ("mlir-opt", "mlir-translate", "clang"))
needs_mlir = pytest.mark.skipif(
    not (MLIR_OPT and MLIR_TRANSLATE and CLANG), reason="mlir-opt, mlir-translate or clang is not installed"
)
_TO_LLVM = [f"--convert-{dialect}-to-llvm" for dialect in ("cf", "arith", "func")]
LOWERING = ["--arith-expand", *_TO_LLVM, "--reconcile-unrealized-casts"]


SEPARATOR = "\n// -----\n"
"""The line between modules, which the tools treat in turn."""


def mlir_opt(text: str, *options: str) -> str:
    """The output of `mlir-opt` for a module, which it verifies. Fails the test if it is rejected."""
    assert MLIR_OPT
    return _output([MLIR_OPT, *options], text)


def generic(text: str, *options: str) -> str:
    """The generic form of a module."""
    return mlir_opt(text, "--mlir-print-op-generic", *options)


def each_generic(texts: Sequence[str], *options: str) -> list[str]:
    """The generic forms of modules."""
    return generic(SEPARATOR.join(texts), "--split-input-file", *options).split(SEPARATOR)


def compiled(text: str, folder: Path, *further: str) -> Path:
    """The executable that clang compiles from a module, lowered to LLVM IR, and `further` files."""
    (found,) = each_compiled([text], folder, *further)
    return found


def each_compiled(texts: Sequence[str], folder: Path, *further: str) -> list[Path]:
    """The executables that clang compiles from modules, as `compiled` does."""
    assert MLIR_TRANSLATE and CLANG
    lowered = mlir_opt(SEPARATOR.join(texts), "--split-input-file", *LOWERING)
    translated = _output([MLIR_TRANSLATE, "--mlir-to-llvmir", "--split-input-file"], lowered)
    programs = []
    for number, text in enumerate(translated.split("; ModuleID")[1:]):
        module, program = folder / f"module{number}.ll", folder / f"program{number}"
        module.write_text(f";{text}", encoding="utf-8")
        _output([CLANG, "-O1", "-w", str(module), *further, "-o", str(program), "-lm"], "")
        programs.append(program)
    return programs


def observed(program: Path, arguments: Sequence[str]) -> Observation:
    """A run of an executable."""
    run = subprocess.run([program, *arguments], capture_output=True, timeout=60)
    ends: dict[int, Status] = {-signal.SIGABRT: "abort", 3: "error"}
    status = ends.get(run.returncode, run.returncode) if run.returncode != 3 or b"runtime error" in run.stderr else 3
    return Observation(run.stdout.decode("latin-1"), status)


def _output(command: Sequence[str], text: str) -> str:
    data = text.encode("utf-8", "surrogateescape")
    run = subprocess.run(command, input=data, capture_output=True, env={**os.environ, "TERM": "dumb"})
    assert run.returncode == 0, run.stderr.decode()[:2000]
    return run.stdout.decode("utf-8", "surrogateescape")
