"""The judge of TypeScript and JSX: the compiler of TypeScript, from npm, which handles many programs in one process."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from testing.javascript import NODE
from testing.npm import CACHE, installed

_COMPILE = """
const ts = require("typescript");
const options = { target: "esnext", module: "esnext", jsx: "react" };
const compilerOptions = ts.convertCompilerOptionsFromJson(options, ".").options;
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(([fileName, text]) => {
  const tree = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext);
  const errors = tree.parseDiagnostics.map((each) => ts.flattenDiagnosticMessageText(each.messageText, " ")).join(" ");
  return [errors, errors ? "" : ts.transpileModule(text, { fileName, compilerOptions }).outputText];
})));
"""


class Compiled(NamedTuple):
    """The errors of syntax in a program, or ``""``; and without errors the program in JavaScript."""

    errors: str
    text: str


def compiled(programs: Sequence[tuple[str, str]]) -> list[Compiled]:
    """The results of the compiler for programs, each a name and a text. Skips the test if there is no compiler."""
    assert NODE
    done = subprocess.run(
        [NODE, "-e", _COMPILE], input=json.dumps(programs), cwd=_packages(), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return [Compiled(*each) for each in json.loads(done.stdout)]


def _packages() -> Path:
    """The folder in which the compiler is installed."""
    try:
        return installed(CACHE / "typescript", ["typescript@5.9.3"])
    except (OSError, subprocess.SubprocessError):
        pytest.skip("npm cannot install the compiler of TypeScript")
