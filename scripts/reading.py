#!/usr/bin/env python3
"""Usage: scripts/reading.py [--write]

Prints the modules that are the whole method, in the order of docs/reading.md, with their numbers of lines of code, and
all that these modules import. With ``--write``, updates the tables in docs/reading.md.

A line of code is one without blank lines, comments, docstrings and imports. The path of the method is run in a new
process: a program in While is converted with each strategy, printed, parsed, checked and evaluated. A module that is
imported by a module of the path counts if the run loads it, unless a reader may take it as given; what only given
modules import is given, too. So a late import counts if it is executed on the path.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.architecture import ROOT, imported, modules

PAGE = ROOT / "docs" / "reading.md"

MAX_LINES = 4_500
"""The maximal number of lines of code that are counted."""

STEPS: dict[str, list[str]] = {
    "The program": ["core.ir", "core.attributes"],
    "The table of operations": [
        *("core.operations.table", "core.operations.types", "core.operations.names", "core.operations.mathematics"),
        *("core.operations.computation", "core.operations.intervals", "core.operations.semantics"),
    ],
    "The algorithms as printed": ["core.construction.block", "core.construction.placement", "core.construction.paper"],
    "The strategies": [
        "core.construction.basic",
        "core.construction.scc",
        "core.construction.strategies",
        "core.analysis.undefined_operands",
    ],
    "The Builder": [
        *("core.construction", "core.construction.builder", "core.construction.items", "core.construction.finish"),
        "core.construction.structured",
    ],
    "Dominance": ["core.analysis.graph", "core.analysis.dominance"],
    "The printer": [
        *("core.text", "core.text.plan", "core.text.layout", "core.text.spelling", "core.text.expressions"),
        "core.text.printer",
    ],
    "The parser": [
        *("core.text.syntax", "core.text.tree", "core.text.scope", "core.text.reporter", "core.text.operands"),
        "core.text.parser",
    ],
    "Well-formedness": ["core.check", "core.check.well_formedness"],
    "The small evaluator": ["core.evaluator", "core.evaluator.evaluation", "core.entry"],
    "A language: While": [
        *("languages.while_language.syntax", "languages.while_language.meaning", "languages.while_language.lowering"),
        *("languages.while_language", "languages.uses"),
    ],
    "The package around": ["", "core", "core.analysis", "core.operations", "abi", "abi.libraries", "languages"],
}
"""The modules of each step of the path, in the order in which they are read."""

GIVEN: dict[str, list[str]] = {
    "sources, diagnostics, and the errors of a run": ["core.source", "core.operations.runtime_errors"],
    "the parser of tables, and what parsers of several languages share": ["core.grammar", "languages.reading"],
    "reports of progress, and of the steps of a construction": ["core.progress", "core.construction.events"],
    "the classes of nodes, and recursion without Python's call stack": ["core.nodes", "core.trampoline"],
    "arithmetic that Python lacks, such as rounding, and the text of printed numbers": [
        *("core.floating", "core.operations.python_arithmetic", "core.operations.python_formats"),
        "core.operations.printing",
    ],
    "operations in terms of others, for back ends": ["core.operations.definitions"],
}
"""The modules that a reader may take as given."""

PATH = '''
import io
from cpsconv.core.check.well_formedness import CHECKS, Subject
from cpsconv.core.construction.builder import Builder
from cpsconv.core.evaluator import evaluate
from cpsconv.core.source import Source
from cpsconv.core.text.parser import parse
from cpsconv.core.text.printer import pretty
from cpsconv.languages.while_language import read

TEXT = """
i := 0; s := 0;
while i < n do { if i = 3 then s := s - i else s := s + i * 2; i := i + 1 };
b := s < 100 and not (i = 0);
if b then { again: s := s / 2; if s > 10 then goto again else skip } else skip
"""
lowering = read(Source("sum.while", TEXT))
for strategy in "paper", "basic", "scc":
    text = pretty(lowering(Builder(strategy, checked=False), []))
    program, output = parse(text), io.BytesIO()
    assert pretty(program) == text
    assert not [fault for _, check in CHECKS for fault in check(Subject(program))]
    evaluate(program, arguments=[10], output=output)
    assert output.getvalue() == b"i = 10\\ns = 10\\nn = 10\\nb = true\\n", output.getvalue()
'''
"""The path of the method."""


def code_lines(text: str) -> int:
    """The number of lines with code in a Python text, without blank lines, comments, docstrings and imports."""
    other: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str())):
                    other.update(range(statement.lineno, (statement.end_lineno or 0) + 1))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            other.update(range(node.lineno, (node.end_lineno or 0) + 1))
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    used: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank:
            used.update(range(token.start[0], token.end[0] + 1))
    return len(used - other)


@cache
def lines_of(module: str) -> int:
    """The number of lines of code of a module."""
    return code_lines(modules()[module].read_text(encoding="utf-8"))


def full(module: str) -> str:
    """The name of a module in the package."""
    return f"cpsconv.{module}".rstrip(".")


def is_given(module: str) -> bool:
    """Whether a reader may take the module as given: it, or a package that contains it, is listed."""
    listed = [full(each) for names in GIVEN.values() for each in names]
    return any(f"{module}.".startswith(f"{each}.") for each in listed)


@cache
def loaded() -> frozenset[str]:
    """The modules of the package that are loaded when the path has been run in a new process."""
    code = f"{PATH}\nimport sys; print(*[name for name in sys.modules if name.split('.')[0] == 'cpsconv'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


@cache
def counted() -> dict[str, int]:
    """The modules that the path needs, those that are given excepted, with their lines of code."""
    pending = [full(module) for step in STEPS.values() for module in step]
    found: dict[str, int] = {}
    while pending:
        module = pending.pop()
        if module not in found and module in loaded() and not is_given(module):
            found[module] = lines_of(module)
            names = imported(modules()[module], types=False)
            targets = (name if name in modules() else name.rpartition(".")[0] for name in names)
            for target in targets:
                if target in modules():
                    parts = target.split(".")
                    pending += [".".join(parts[:size]) for size in range(1, len(parts) + 1)]
    return found


def given() -> dict[str, int]:
    """The modules that are loaded, but not counted, with their lines of code."""
    return {module: lines_of(module) for module in sorted(loaded() - counted().keys())}


def tables() -> dict[str, str]:
    """The tables of docs/reading.md by their names."""
    found = {step: _table(names) for step, names in STEPS.items()}
    rows = [
        f"| {number}. {step} | {sum(map(_lines, names))} |" for number, (step, names) in enumerate(STEPS.items(), 1)
    ]
    total = f"| *together* | {sum(counted().values())} |"
    found["overview"] = "\n".join(["| step | lines |", "|---|---|", *rows, total]) + "\n"
    rows = [f"| {what} | {', '.join(f'`{name}`' for name in names)} |" for what, names in GIVEN.items()]
    rest = f"| *together, with what only they import* | {sum(given().values())} lines |"
    found["given"] = "\n".join(["| taken as given | modules |", "|---|---|", *rows, rest]) + "\n"
    return found


def _table(names: list[str]) -> str:
    rows = [f"| [`{name or 'cpsconv'}`]({_link(name)}) | {_lines(name)} |" for name in names]
    return "\n".join(["| module | lines |", "|---|---|", *rows]) + "\n"


def _lines(name: str) -> int:
    return lines_of(full(name))


def _link(name: str) -> str:
    return f"../{modules()[full(name)].relative_to(ROOT).as_posix()}"


def updated(page: str) -> str:
    """The page with its tables, each after a comment with its name, replaced by those of the checkout."""
    for name, table in tables().items():
        start = f"<!-- {name} -->\n"
        before, found, rest = page.partition(start)
        assert found, name
        page = before + start + re.sub(r"\A(\|[^\n]*\n)*", lambda _, table=table: table, rest, count=1)
    return page


def main() -> None:
    """Print the modules, or update the page."""
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    for name, lines in sorted(counted().items()):
        print(f"{name:50} {lines:5}")
    print(f"{'together':50} {sum(counted().values()):5}, given: {sum(given().values())}")
    known = {full(module) for step in STEPS.values() for module in step}
    print("in no step:", *sorted(counted().keys() - known))
    print("not counted:", *sorted(known - counted().keys()))


if __name__ == "__main__":
    main()
