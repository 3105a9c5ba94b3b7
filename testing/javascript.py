"""The judge of JavaScript: Node, which runs many programs in one process."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

from testing.expectations import ROOT

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not NODE, reason="Node is not installed")

_RUN = """
const util = require("util");
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
Function.prototype.toString = () => "function";
let open = 0, inner = 0;
Array.prototype.toString = function () {
  inner = open ? inner + 1 : 0;
  if (inner > 1000) return "";
  open++;
  try { return this.join(); } finally { open--; }
};
const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : util.inspect(value, { depth: 5 }));
process.on("unhandledRejection", () => {});
const logs = programs.map((text) => {
  const lines = [];
  const log = (...values) => void lines.push(values.map(shown).join(" "));
  try {
    new Function("log", text)(log);
  } catch (error) {
    lines.push(`thrown: ${error && error.name ? error.name + ": " + error.message : shown(error)}`);
  }
  return lines;
});
process.once("beforeExit", () => console.log(JSON.stringify(logs)));
"""


def programs() -> dict[str, str]:
    """The programs of the table, by what they test."""
    text = (ROOT / "tests" / "tables" / "javascript.js").read_text(encoding="utf-8")
    parts = re.split(r"^// ---- (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def logged(texts: Sequence[str]) -> Any:
    """The lines that each program logs by `log`, later ones included, and the exception that it throws, if any.

    An array has the text of its first thousand inner arrays: one that is built by ``a = [a, a]`` in a loop has 2ⁿ.
    """
    assert NODE
    done = subprocess.run([NODE, "-e", _RUN], input=json.dumps(texts), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


_PRINT = """
const util = require("util");
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(programs.map((text) => {
  const lines = [];
  try {
    new Function("console", text)({ log: (...values) => void lines.push(util.format(...values)) });
  } catch (error) {
    lines.push(`uncaught ${error instanceof Error ? `${error}` : util.inspect(error)}`);
  }
  return lines.join("\\n");
})));
"""


def printed(texts: Sequence[str]) -> list[str]:
    """What each program prints by `console.log`, and at its end the exception that it throws, if any."""
    assert NODE
    done = subprocess.run([NODE, "-e", _PRINT], input=json.dumps(texts), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [re.sub("[\ud800-\udfff]", "\ufffd", each) for each in json.loads(done.stdout)]


_PARSE = """
const vm = require("vm");
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(programs.map(([text, isModule]) => {
  try {
    if (isModule) new vm.SourceTextModule(text); else new Function(text);
    return "";
  } catch (error) {
    return error.message;
  }
})));
"""


def parsed(programs: Sequence[tuple[str, bool]]) -> list[str]:
    """The error of each program, a module or the body of a CommonJS script, as Node parses it; ``""`` without one."""
    assert NODE
    command = [NODE, "--experimental-vm-modules", "--no-warnings", "-e", _PARSE]
    done = subprocess.run(command, input=json.dumps(programs), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    messages: list[str] = json.loads(done.stdout)
    return messages
