"""Plants faults in cpsconv, one at a time, and reports which of them the test suite finds.

    python benchmarks/planted_faults.py
    python benchmarks/planted_faults.py --full
    python benchmarks/planted_faults.py --only dominator,interval --jobs 2

Each fault is a change of one line, made by text replacement in a temporary copy of the checkout. The test files named
for the fault run first, then, if they find nothing, the whole suite; the first test that fails ends the run. Prints a
row of a Markdown table for each fault. With ``--full``, the suite runs with its option ``--full``. The exit status is 1
if a fault is not found, if its pattern does not match exactly one place, or if a named test file is missing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Fault:
    """A change of one line: `pattern`, a regular expression with one match in `cpsconv/`, becomes `wrong`.

    `tests` are the files of the suite that run first, without ``tests/test_`` and the suffix.
    """

    name: str
    pattern: str
    wrong: str
    tests: str


FAULTS = [
    Fault("`-` is commutative", r"(_arithmetic\(\"-\", .*commutative=)False", r"\1True", "proofs operations optimise"),
    Fault("the negation of `<` is `>`", r"_comparison\(\"<\", 7, \">=\"", '_comparison("<", 7, ">"', "optimise emit_c"),
    Fault(
        "the interval of a true `<` lacks a number",
        r"return left\[0\], min\(left\[1\], right\[1\] - 1\)",
        "return left[0], min(left[1], right[1] - 2)",
        "ranges engines",
    ),
    Fault(
        "a result just above its type is not wrapped",
        r"(result: int = exact\(left, right\)\n        return result if lowest <= result <= highest) else",
        r"\1 + 1 else",
        "operations",
    ),
    Fault("a printf width has one digit", r"\(\?P<width>\\\*\|\[0-9\]\*\)", r"(?P<width>\\*|[0-9]?)", "printf"),
    Fault("`%hd` prints an int", r"\"hh\": 8, \"h\": 16", '"hh": 8, "h": 32', "printf emit_functional"),
    Fault(
        "scc takes one join of a component for the only entry",
        r"entries = \[node for node in component if node\.entering\]",
        "entries = [node for node in component if node.entering][:1]",
        "build baselines",
    ),
    Fault(
        "marker takes two values for one",
        r"if len\(values\) > 1:\n(\s+return self\.complete)",
        r"if len(values) > 2:\n\1",
        "build",
    ),
    Fault(
        "a proxy gets no argument for the last predecessor",
        r"for predecessor in block\.predecessors\]\)\n(\s+block\.proxies\.clear)",
        r"for predecessor in block.predecessors[:-1]])\n\1",
        "build",
    ),
    Fault(
        "some dominators are one step off",
        r"if idom\[node\] != semi\[node\]:",
        "if idom[node] < semi[node] - 1:",
        "against analysis minimal",
    ),
    Fault(
        "a jump to an ancestor goes one too far",
        r"node = far if self\._depth\[far\] >= depth else",
        "node = far if self._depth[far] >= depth - 1 else",
        "optimise",
    ),
    Fault(
        "a redundant parameter is replaced by another redundant one",
        r"= replaced\.get\(dominator, dominator\)",
        "= dominator",
        "minimal",
    ),
    Fault("a rule loses a sign", r"Rule\(x - \(x \+ y\), -y, WHOLE\)", "Rule(x - (x + y), y, WHOLE)", "rules"),
    Fault(
        "the text has no parentheses on a right side",
        r"within\.precedence >= out\.precedence \+ side",
        "within.precedence >= out.precedence",
        "text_roundtrip corpus",
    ),
    Fault(
        "the parser associates to the right",
        r"PRECEDENCE\[operators\[-1\]\] >= PRECEDENCE\[operator\.text\]",
        "PRECEDENCE[operators[-1]] > PRECEDENCE[operator.text]",
        "text_parser text_roundtrip",
    ),
    Fault("a cycle of copies has no temporary", r" +yield temporary, copy\.source\n", "", "emit_c"),
    Fault(
        "LLVM shifts an unsigned number arithmetically",
        r"_shift\(\"ashr\", \"lshr\"\)",
        '_shift("ashr", "ashr")',
        "emit_llvm",
    ),
    Fault(
        "the certificate does not compare what is read",
        r"if not self\._same\(meaning, value\):",
        "if False:",
        "certificate",
    ),
    Fault(
        "`!` in a condition does not exchange its targets",
        r"self\._condition\(node\.operand, otherwise, then\)",
        "self._condition(node.operand, then, otherwise)",
        "corpus c_lower",
    ),
    Fault(
        "an irreducible loop has one entry",
        r"Loop\(sorted\(entries, key=(.*?)\),",
        r"Loop(sorted(entries, key=\1)[:1],",
        "loops",
    ),
    Fault(
        "outputs of any length are alike",
        r"self\.output == other\.output and",
        "self.output[:1] == other.output[:1] and",
        "against",
    ),
    Fault(
        "the engine `python` leaves all values unwrapped",
        r"user\.type\.bits <= type\.bits\n",
        "user.type.bits >= type.bits\n",
        "engines",
    ),
    Fault(
        "an access may end one byte after its object",
        r"offset < 0 or offset \+ size > found\.size or",
        "offset < 0 or offset + size > found.size + 1 or",
        "memory engines_memory",
    ),
    Fault(
        "an offset of 2 GiB is in the next object",
        r"min\(max\(offset \+ distance, -_HALF\), _HALF - 1\)",
        "offset + distance",
        "memory engines_memory",
    ),
    Fault(
        "the fields of a struct are not aligned",
        r"0 if is_union else _aligned\(struct\.size, type\.alignment\)",
        "0 if is_union else struct.size",
        "memory c_memory",
    ),
    Fault(
        "a variable whose address is taken is promoted",
        r"root\.address_taken = escapes\[0\] if escapes else None",
        "root.address_taken = None",
        "c_typed_memory c_memory",
    ),
    Fault(
        "places that overlap in part are distinct",
        r"one\.offset < other\.end and other\.offset < one\.end",
        "one.offset == other.offset",
        "memory_accesses",
    ),
    Fault(
        "a callee reads no object of the caller",
        r"\{each: None for each in state if self\._object\(each\) in self\._places\.confined\}",
        "state",
        "memory_accesses",
    ),
    Fault(
        "a copy in native code counts as written",
        r"@llvm\.memmove\.p0\.p0\.i64\(ptr %write\.marks, ptr %read\.marks, i64 %size, i1 false\)",
        "@llvm.memset.p0.i64(ptr %write.marks, i8 -1, i64 %size, i1 false)",
        "memory_llvm engines_memory",
    ),
]


class NotApplicable(Exception):
    """The pattern of a fault does not match one place of the sources."""


@contextmanager
def checkout() -> Iterator[Path]:
    """A temporary copy of this checkout, without its environment and history."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, copy, ignore=ignored, symlinks=True)
        yield copy


def sources(package: Path) -> dict[Path, str]:
    """The texts of all modules and templates of the package."""
    paths = (path for suffix in ("py", "ll") for path in package.rglob(f"*.{suffix}"))
    return {path: path.read_text(encoding="utf-8") for path in paths}


def module_of(fault: Fault, texts: Mapping[Path, str]) -> Path:
    """The module with the place for the change. Raises `NotApplicable` if there is not exactly one place."""
    places = {path: count for path, text in texts.items() if (count := len(re.findall(fault.pattern, text)))}
    if [*places.values()] != [1]:
        raise NotApplicable(f"{sum(places.values())} matches of {fault.pattern}")
    (path,) = places
    return path


def plant(fault: Fault, copy: Path) -> str:
    """Make the change; returns the module. Raises `NotApplicable` if there is not one place for it."""
    texts = sources(copy / "cpsconv")
    path = module_of(fault, texts)
    path.write_text(re.sub(fault.pattern, fault.wrong, texts[path]), encoding="utf-8")
    return str(path.relative_to(copy / "cpsconv"))


def failing_test(copy: Path, files: list[str], full: bool) -> str | None:
    """The first test that fails; None if all pass. The suite is the same in each run."""
    options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "-rfE", "--no-shrink"]
    command = [sys.executable, "-m", "pytest", *options, *(["--full"] if full else []), *files]
    environment = {**os.environ, "CI": "1", "PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) tests/test_([\w.:]+)", done.stdout, re.MULTILINE)
    return found[1] if found else f"exit status {done.returncode}"


def row(fault: Fault, full: bool) -> tuple[bool, str]:
    """Whether the fault is found, and its row of the table."""
    started = time.monotonic()
    with checkout() as copy:
        try:
            module = plant(fault, copy)
        except NotApplicable as reason:
            return False, f"| {fault.name} | | **not applicable**: {reason} | |"
        files = [f"tests/test_{name}.py" for name in fault.tests.split()]
        if missing := [name for name in files if not (copy / name).exists()]:  # pytest would fail without a test
            return False, f"| {fault.name} | `{module}` | **not applicable**: no {missing[0]} | |"
        found = failing_test(copy, files, full) or failing_test(copy, ["tests"], full)
    test = f"`{found}`" if found else "**not found**"
    return found is not None, f"| {fault.name} | `{module}` | {test} | {time.monotonic() - started:.0f} s |"


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="run the suite with --full")
    parser.add_argument("--only", default="", help="comma-separated parts of the names of faults to try (all)")
    parser.add_argument("--jobs", type=int, default=1, help="number of faults tried in parallel (1)")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if any(word in fault.name for word in options.only.split(","))]
    print("| fault | module | found by | time |\n|---|---|---|--:|", flush=True)
    found = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for is_found, text in pool.map(partial(row, full=options.full), faults):
            found += is_found
            print(text, flush=True)
    print(f"\n{found} of {len(faults)} found")
    sys.exit(found < len(faults))


if __name__ == "__main__":
    main()
