"""Replaces the sources of an npm package by emitted JavaScript, and runs the tests of the package before and after.

    git clone https://github.com/d3/d3-array && cd d3-array && npm install && cd ..
    python benchmarks/javascript_packages.py d3-array src -- npx mocha 'test/**/*-test.js'
    python benchmarks/javascript_packages.py lodash lodash.js --functional -- node test/test

The folder is that of the package, with its dependencies. All JavaScript files in the named files and folders are
converted; those that are refused stay as they are, and the errors follow. The files are restored at the end.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Source, convert
from cpsconv.core.source import DiagnosticError
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS, Style

_SUFFIXES = (".js", ".mjs", ".cjs")
_PASSED = re.compile(r"(?:(\d+) passing|# pass +(\d+)|PASS: (\d+))")
"""The number of tests that passed, as mocha, tape and QUnit print it."""


def main() -> None:
    """Print what was converted, and how many tests pass before and after."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("sources", nargs="+")
    options.add_argument("--functional", action="store_true", help="functions in place of loops")
    options.add_argument("--optimise", action="store_true", help="all optimisations")
    end = sys.argv.index("--")
    given = options.parse_args(sys.argv[1:end])
    command = sys.argv[end + 1 :]
    originals = {path: path.read_text(encoding="utf-8") for path in _files(given.folder, given.sources)}
    print(f"before: {tests(command, given.folder)}", flush=True)
    try:
        count = sum(replaced(path, given.functional, given.optimise) for path in originals)
        print(f"{count} functions in {len(originals)} files", flush=True)
        print(f"after: {tests(command, given.folder)}")
    finally:
        for path, text in originals.items():
            path.write_text(text, encoding="utf-8")


def _files(folder: Path, sources: Sequence[str]) -> Iterator[Path]:
    for source in sources:
        path = folder / source
        yield from [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.suffix in _SUFFIXES)


def replaced(path: Path, functional: bool, optimise: bool) -> int:
    """The number of functions of a file, which is replaced unless it is refused."""
    source = Source(str(path), path.read_text(encoding="utf-8"))
    try:
        program = convert(source, optimise=OPTIMISATIONS if optimise else ())
        text = TARGETS["javascript"](program, Style(functional=functional))
    except DiagnosticError as error:
        print(*(f"{each.span}: {each.message}" for each in error.diagnostics), sep="\n")
        return 0
    path.write_text(text, encoding="utf-8")
    return len(program.functions) - 1


def tests(command: Sequence[str], folder: Path) -> str:
    """The status of the tests, and the number of those that pass."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = [next(filter(None, match.groups())) for match in _PASSED.finditer(done.stdout)]
    summary = f"status {done.returncode}, {' '.join(found[-1:])} tests pass"
    return summary if done.returncode == 0 else f"{summary}\n{done.stdout[-3000:]}"


if __name__ == "__main__":
    main()
