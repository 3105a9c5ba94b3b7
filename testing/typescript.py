"""The judge of TypeScript and JSX: the compiler of TypeScript, from npm, which handles many programs in one process."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import pytest

from testing.javascript import NODE

_PACKAGE = "typescript@5.9.3"

_COMPILE = """
const ts = require("typescript");
const options = { target: "esnext", module: "esnext", jsx: "react" };
const compilerOptions = ts.convertCompilerOptionsFromJson(options, ".").options;
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(([fileName, text]) => {
  const tree = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext);
  const errors = tree.parseDiagnostics.map((each) => ts.flattenDiagnosticMessageText(each.messageText, " "));
  return [errors.join(" "), ts.transpileModule(text, { fileName, compilerOptions }).outputText];
})));
"""


class Compiled(NamedTuple):
    """The errors of syntax in a program, or ``""``; and the program in JavaScript."""

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


@cache
def _packages() -> Path:
    """The folder in which the compiler is installed, for the rest of the process."""
    if not NODE or not shutil.which("npm"):
        pytest.skip("needs npm")
    folder = Path(mkdtemp(prefix="typescript"))
    command = ["npm", "install", "--silent", "--no-save", "--prefix", str(folder), _PACKAGE]
    if subprocess.run(command, check=False).returncode:
        pytest.skip("needs the registry of npm")
    return folder
