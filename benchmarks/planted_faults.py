"""Plants faults in cpsconv, one at a time, and reports which of them the test suite finds.

    python benchmarks/planted_faults.py
    python benchmarks/planted_faults.py --full
    python benchmarks/planted_faults.py --room
    python benchmarks/planted_faults.py --only dominator,interval --jobs 2

Each fault is a change of one line, made by text replacement in a temporary copy of the checkout. The test files of the
room with the fault, which are named for it, run first, then, if they miss it, the whole suite; the first test that
fails ends the run. Prints a row of a Markdown table for each fault, and whether the tests of its room found or missed
it. With ``--room``, the rest of the suite does not run. With ``--full``, the suite runs with its option ``--full``. The
exit status is 1 if the tests of a room miss a fault, if its pattern does not match exactly one place, or if a named
test file is missing.
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

    `tests` are the test files of the room that has the fault: ``core/build`` is ``tests/core/test_build.py``.
    """

    name: str
    pattern: str
    wrong: str
    tests: str


def exactly(name: str, right: str, wrong: str, tests: str) -> Fault:
    """The fault that the text `right` becomes `wrong`."""
    return Fault(name, re.escape(right), wrong.replace("\\", "\\\\"), tests)


FAULTS = [
    Fault("`-` is commutative", r"(_arithmetic\(\"-\", .*commutative=)False", r"\1True", "core/operations"),
    Fault("the negation of `<` is `>`", r"_comparison\(\"<\", 7, \">=\"", '_comparison("<", 7, ">"', "core/operations"),
    Fault(
        "the interval of a true `<` lacks a number",
        r"return left\[0\], min\(left\[1\], right\[1\] - 1\)",
        "return left[0], min(left[1], right[1] - 2)",
        "core/ranges",
    ),
    Fault(
        "a result just above its type is not wrapped",
        r"(result: int = exact\(left, right\)\n        return result if lowest <= result <= highest) else",
        r"\1 + 1 else",
        "core/operations",
    ),
    Fault("a printf width has one digit", r"(\(\?P<width>.*\|)\[0-9\]\*\)", r"\1[0-9]?)", "core/printf"),
    Fault("`%hd` prints an int", r"\"hh\": 8, \"h\": 16", '"hh": 8, "h": 32', "core/printf"),
    Fault(
        "scc takes one join of a component for the only entry",
        r"entries = \[node for node in component if node\.entering\]",
        "entries = [node for node in component if node.entering][:1]",
        "core/build",
    ),
    Fault(
        "marker takes two values for one",
        r"if len\(values\) > 1:\n(\s+return self\.complete)",
        r"if len(values) > 2:\n\1",
        "core/build",
    ),
    Fault(
        "a proxy gets no argument for the last predecessor",
        r"for predecessor in block\.predecessors\]\)\n(\s+block\.proxies\.clear)",
        r"for predecessor in block.predecessors[:-1]])\n\1",
        "core/build",
    ),
    Fault(
        "some dominators are one step off",
        r"if idom\[node\] != semi\[node\]:",
        "if idom[node] < semi[node] - 1:",
        "core/analysis core/minimal",
    ),
    Fault(
        "a jump to an ancestor goes one too far",
        r"node = far if self\._depth\[far\] >= depth else",
        "node = far if self._depth[far] >= depth - 1 else",
        "core/analysis",
    ),
    Fault(
        "a redundant parameter is replaced by another redundant one",
        r"= replaced\.get\(dominator, dominator\)",
        "= dominator",
        "core/minimal",
    ),
    Fault("a rule loses a sign", r"Rule\(x - \(x \+ y\), -y, WHOLE\)", "Rule(x - (x + y), y, WHOLE)", "core/rules"),
    Fault(
        "the text has no parentheses on a right side",
        r"within\.precedence >= out\.precedence \+ side",
        "within.precedence >= out.precedence",
        "core/text_roundtrip",
    ),
    Fault(
        "the parser associates to the right",
        r"PRECEDENCE\[operators\[-1\]\] >= PRECEDENCE\[operator\.text\]",
        "PRECEDENCE[operators[-1]] > PRECEDENCE[operator.text]",
        "core/text_parser core/text_roundtrip",
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
        r"if not self\._agrees\(meaning, value\):",
        "if False:",
        "core/certificate",
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
        "core/loops",
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
        "small_evaluator engines",
    ),
    Fault(
        "an access may end one byte after its object",
        r"offset < 0 or offset \+ size > found\.size or",
        "offset < 0 or offset + size > found.size + 1 or",
        "core/memory",
    ),
    Fault(
        "an offset of 2 GiB is in the next object",
        r"min\(max\(offset \+ distance, -_HALF\), _HALF - 1\)",
        "offset + distance",
        "core/memory",
    ),
    Fault(
        "the fields of a struct are not aligned",
        r"0 if is_union else aligned\(struct\.size, type\.alignment\)",
        "0 if is_union else struct.size",
        "core/memory",
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
        "core/memory_accesses",
    ),
    Fault(
        "a callee reads no object of the caller",
        r"\{each: None for each in state if self\._object\(each\) in self\._places\.confined\}",
        "state",
        "core/memory_accesses",
    ),
    Fault(
        "a copy in native code counts as written",
        r"@llvm\.memmove\.p0\.p0\.i64\(ptr %write\.marks, ptr %read\.marks, i64 %size, i1 false\)",
        "@llvm.memset.p0.i64(ptr %write.marks, i8 -1, i64 %size, i1 false)",
        "memory_llvm engines_memory",
    ),
    exactly(
        "scc takes the first two joins of a component for all entries",
        "entries = [node for node in component if node.entering]",
        "entries = [node for node in component if node.entering][:2]",
        "core/build core/certificate",
    ),
    exactly(
        "scc searches inside a component without inner joins",
        "if len(entries) < len(component):",
        "if len(entries) <= len(component):",
        "core/build core/certificate",
    ),
    exactly(
        "scc forgets from which join a value comes",
        "self.inner.append(other.join)",
        "self.inner.append(None)",
        "core/build core/certificate",
    ),
    exactly(
        "a parameter that replaces another one is not examined again",
        "return [same, *fewer]",
        "return [*fewer]",
        "core/build",
    ),
    exactly(
        "the last argument of a parameter is not examined",
        "self.scanned < len(self.arguments):",
        "self.scanned < len(self.arguments) - 1:",
        "core/build",
    ),
    exactly(
        "witnesses from unreachable blocks remain valid",
        "parameter.witnesses, parameter.scanned = [], 0",
        "parameter.scanned = 0",
        "core/build",
    ),
    exactly(
        "continuations are in the order in which they were created",
        "finish(function, self._filled,",
        "finish(function, self._blocks,",
        "core/build",
    ),
    exactly(
        "merged continuations have the place of the first one",
        "heads.get(member, member) for member in members if member not in tails",
        "member for member in members if member not in set(tails.values())",
        "core/build",
    ),
    exactly(
        "a reconstruction uses a value before it is computed",
        "if assigned is value and value not in ahead:",
        "if assigned is value:",
        "core/reconstruct",
    ),
    exactly(
        "a reconstruction reads at the end what is used at the start",
        "at = self._start(variable, block) if assigned in ahead else block",
        "at = block",
        "core/reconstruct",
    ),
    exactly(
        "the loop around a loop counts as its entry",
        "before not in component and not self.is_back(before, node)",
        "before not in component",
        "core/loops",
    ),
    exactly(
        "callers of a nested function with a new free value are not examined again",
        "                needs[caller] |= missing\n                pending.append(caller)",
        "                needs[caller] |= missing",
        "core/nested_functions",
    ),
    exactly(
        "a branch with a single target decides its condition",
        "for target, edges in groups.items() if len(edges) < every",
        "for target, edges in groups.items() if len(edges) <= every",
        "core/analysis core/check_initialisation",
    ),
    exactly(
        "a dominance frontier lacks siblings",
        "if self._depth[successor] <= depth",
        "if self._depth[successor] < depth",
        "core/analysis",
    ),
    exactly(
        "a division by -1 never traps",
        "divisor.value not in (0, -1)",
        "divisor.value != 0",
        "core/simplify core/minimal",
    ),
    exactly(
        "facts about memory are joined without comparison",
        "for key, fact in start.items() if end.get(key) == fact}",
        "for key, fact in start.items() if key in end}",
        "core/memory_accesses",
    ),
    exactly(
        "a constant is loaded over a pointer that begins before it",
        "range(place.offset - ir.PTR.size + 1, place.end)",
        "range(place.offset, place.end)",
        "core/memory_accesses",
    ),
    exactly("0.0 replaces -0.0", "if is_whole(left.type) or left.type is BOOL:", "if True:", "core/thread_jumps"),
    exactly(
        "copies with statements are skipped as if they were empty",
        "isinstance(member.transfer, Jump) and not member.parameters and not member.body",
        "isinstance(member.transfer, Jump) and not member.parameters",
        "core/thread_jumps",
    ),
    exactly(
        "the negation of a known condition is known to have its outcome",
        "self._facts.add(key_of(negation), Constant(BOOL, not outcome), self._place)",
        "self._facts.add(key_of(negation), Constant(BOOL, outcome), self._place)",
        "core/simplify",
    ),
    exactly(
        "a mirrored comparison keeps the order of its operands",
        "op, values = PRIMITIVES[op].mirror or op, values[::-1]",
        "op, values = PRIMITIVES[op].mirror or op, values",
        "core/simplify",
    ),
    exactly(
        "constants of a rule are compared as Python compares numbers",
        "constant_key(one) == constant_key(other)",
        "one.value == other.value",
        "core/simplify core/rules",
    ),
    exactly(
        "an expression in the text is written in place of each of two uses",
        "if self.used[value] != 1 or value in self.bound or",
        "if self.used[value] > 2 or value in self.bound or",
        "core/text_roundtrip core/text_printer",
    ),
    exactly(
        "an octal escape has as few digits as possible",
        "{ord(char):03o}",
        "{ord(char):o}",
        "core/text_roundtrip core/text_printer",
    ),
    exactly(
        "a value is in scope before its statement",
        "return above[1] <= below[1]",
        "return True",
        "core/check core/certificate",
    ),
    exactly("a duplicate case of a switch is accepted", "        seen.add(case)\n", "", "core/check"),
    exactly(
        "the certificate accepts a value that no read has returned",
        "return value in self.meanings and not self.received[value].dominate(place)",
        "return False",
        "core/certificate",
    ),
    exactly(
        "an object may be used after its lifetime",
        "offset + size > found.size or found.ended or not number",
        "offset + size > found.size or not number",
        "core/memory",
    ),
    exactly(
        "a run with a limit has one step too few",
        "min(maximum, maxsize))",
        "min(maximum, maxsize) - 1)",
        "evaluate trace",
    ),
    exactly(
        "the engine `python` counts to a bound that the loop changes",
        "not in loop.header.parameters or self._changes(bound, members):",
        "not in loop.header.parameters:",
        "engines",
    ),
    exactly(
        "the engine `python` moves a pointer to another object",
        "if offset < _HALF and 0 <= offset + distance < _HALF:",
        "if True:",
        "engines_memory",
    ),
    exactly(
        "a count of a shift of LLVM IR is not reduced to an odd width",
        'Constant(INT, width))\n    return make("%"',
        'Constant(INT, 0))\n    return make("%"',
        "odd_integers",
    ),
    exactly("MLIR's `cmpi` compares in another order", '"slt", "sle", "sgt"', '"sle", "slt", "sgt"', "mlir_read"),
    exactly(
        "MLIR's `llvm.invoke` has a result where it is unwound, too",
        'else 1 if each.name == "llvm.invoke" else',
        "else",
        "mlir_read",
    ),
    exactly("MLIR's `floordivsi` rounds to zero", "x / y - (", "x / y + (", "mlir_read"),
    exactly(
        "an alias of a type of MLIR is that of its name", "self.types.get(found[0], found[0])", "found[0]", "mlir_read"
    ),
    exactly(
        "blocks of MLIR are written in the order of their construction",
        "reverse_postorder(function)  # the order",
        "[*function.members()]  # the order",
        "mlir_write",
    ),
    exactly(
        "a replaced transfer of MLIR keeps its text",
        "for each in stated] == [kind]",
        "for each in stated] != []",
        "mlir_write",
    ),
    exactly(
        "MLIR's index of a member is a constant of the module",
        'Operand("" if self.op',
        'Operand("i64" if self.op',
        "mlir_write",
    ),
    exactly(
        "the engine `llvm` returns unsigned numbers as signed ones",
        "f\"c_{'' if type.signed else 'u'}int{type.bits}\"",
        'f"c_int{type.bits}"',
        "engines",
    ),
    exactly(
        "JSON has no negative infinity",
        '("-" if math.copysign(1, value) < 0 else "")',
        '("-" if math.copysign(1, value) < -1 else "")',
        "core/json",
    ),
    exactly(
        "an address may not be at the end of data in JSON",
        "at + ir.PTR.size <= found.object_type.size",
        "at + ir.PTR.size < found.object_type.size",
        "core/json",
    ),
    exactly(
        "emitted C does not narrow `short`",
        'return type.kind == "bool" or (type.kind == "integer" and type.bits < ir.INT.bits)',
        "return type.bits < 16",
        "emit_c",
    ),
    exactly(
        "emitted C writes the least int as a literal",
        "if type.signed and type.bits >= ir.INT.bits and number == -(1 << type.bits - 1):",
        "if type.signed and type.bits > ir.INT.bits and number == -(1 << type.bits - 1):",
        "emit_c emit_c_memory",
    ),
    exactly(
        "LLVM IR converts unsigned integers as signed ones",
        "'sitofp' if source.signed else 'uitofp'",
        "'sitofp' if source.signed else 'sitofp'",
        "emit_llvm",
    ),
    exactly(
        "countdown eliminates trivial parameters in one pass",
        "while len(parameters) < before:",
        "if len(parameters) < before:",
        "baselines",
    ),
    exactly(
        "JavaScript wraps unsigned words as signed ones",
        '[term, Term("0")], ">>>")',
        '[term, Term("0")])',
        "emit_functional emit_functional_text",
    ),
    exactly(
        "emitted JavaScript moves an operation into `try`",
        "        self.flush(lines)\n        for value in self.uses.leaving(links):",
        "        for value in self.uses.leaving(links):",
        "javascript",
    ),
    exactly(
        "`return()` of an emitted generator has no value", 'Term(f"{error}.value")', 'Term("undefined")', "javascript"
    ),
    exactly(
        "a loop that is a function calls itself in emitted JavaScript",
        "if is_back or target in self.layout.headers:",
        "if not is_back and target in self.layout.headers:",
        "javascript",
    ),
    exactly(
        "OCaml compares unsigned longs as signed ones",
        "if is_long(type) and not type.signed and not OPERATIONS[op].commutative:",
        "if False:",
        "emit_functional emit_functional_text",
    ),
    exactly(
        "Bril joins variables that interfere",
        "if one != other and other not in interferences[one]:",
        "if one != other:",
        "emit_bril",
    ),
    exactly(
        "an emitted program whose `main` uses only `argc` counts no words",
        "if not takes_vector and not uses[count]:",
        "if not takes_vector:",
        "emit_memory",
    ),
    exactly(
        "Bril wraps a small product as if it were no less than a negative modulus",
        "bias = (size if not is_small else 2**62 - size) - low",
        "bias = size - low",
        "emit_bril",
    ),
    exactly(
        "Bril wraps a large product as a small one",
        "is_small=abs(least) < 2**62 > greatest",
        "is_small=True",
        "emit_bril",
    ),
    exactly(
        "the negation of `a && b` negates no operand",
        'Combined("||" if condition.op == "&&" else "&&", tuple(map(negation, condition.parts)))',
        'Combined("||" if condition.op == "&&" else "&&", condition.parts)',
        "emit_c emit_functional_text engines",
    ),
    exactly(
        "a call is written in place of each of two uses",
        "if text_plan.used[result] == 1 and inner < MAX_DEPTH",
        "if text_plan.used[result] >= 1 and inner < MAX_DEPTH",
        "emit_c",
    ),
    exactly(
        "a continuation with two predecessors is written in place of both",
        "for member, count in self._forward_edges.items() if count == 1} - after",
        "for member, count in self._forward_edges.items() if count <= 2} - after",
        "emit_c",
    ),
    exactly(
        "`#if` shifts by a negative count in the same direction",
        "a >> min(-count, 64)",
        "a << min(-count, 64)",
        "c_preprocessor",
    ),
    exactly(
        "a macro stays active after its expansion",
        "            result += found[1:]\n",
        "            result += found\n",
        "c_preprocessor",
    ),
    exactly(
        "`#if` takes the remainder's sign from the divisor",
        "number = exact_result(operator, a, b)",
        'number = a % b if operator == "%" else exact_result(operator, a, b)',
        "c_preprocessor",
    ),
    exactly(
        "a label in the middle of a loop is not seen",
        "return index < len(starts) and starts[index] < span.end",
        "return index < len(starts) - 1 and starts[index] < span.end",
        "c_lower corpus",
    ),
    exactly("the key of generated files omits contents", ".encode() + content)", ".encode())", "core/generated"),
    exactly(
        "damaged generated files are read",
        'if checksum == b"%08x" % crc32(data) else',
        "if checksum else",
        "core/generated",
    ),
    exactly("a file of changed sources is kept", "if _digest(generator.sources) == key:", "if True:", "core/generated"),
    exactly("processes generate files side by side", "        flock(file, LOCK_EX)", "        pass", "core/generated"),
    exactly(
        "NaN equals itself in JavaScript",
        "return type(left) is type(right) and bool(left == right)",
        "return type(left) is type(right) and (left is right or left == right)",
        "javascript_values",
    ),
    exactly("JavaScript shifts by more than 31", "left << (count & 31)", "left << (count & 63)", "javascript_values"),
    exactly(
        "an exception of JavaScript does not enter the handler",
        "self._exception = exception.value\n                return targets - 1",
        "self._exception = exception.value\n                return 0",
        "javascript_values",
    ),
    exactly(
        "a large number of JavaScript has an exponent", "if 0 < point <= 21:", "if 0 < point < 21:", "javascript_values"
    ),
    exactly(
        "a closure in a loop of JavaScript captures a value that the loop assigns again",
        "return offset <= position and not _share_loop(binding, offset, position)",
        "return offset <= position",
        "javascript",
    ),
    exactly(
        "a closure of JavaScript that is created before a declaration reads its variable unchecked",
        "return any(not binding.precedes(position) for position, _, _ in binding.captures)",
        "return False",
        "javascript",
    ),
    exactly(
        "the comma after an erased type of TypeScript is kept",
        'if not is_erased and not (was_erased and each.kind == ","):',
        "if not is_erased:",
        "javascript typescript",
    ),
    exactly(
        "a constant condition of LLVM IR ends at its first comma",
        'partition(", label %")[0]',
        'partition(",")[0]',
        "llvm_input",
    ),
    exactly(
        "a module of LLVM IR that uses undefined names is not linked",
        "lazy = {each for each in missing if LAZILY_BOUND in each.attributes}",
        "lazy = set()",
        "llvm_ours",
    ),
    exactly(
        "`fmax` of LLVM IR is its second operand if both are zero",
        "return lambda x, y: ((x >= y) | (y != y)).either(x, y)",
        "return lambda x, y: ((x > y) | (y != y)).either(x, y)",
        "llvm_ours",
    ),
    exactly(
        "constants of LLVM IR lose the payloads of NaNs",
        "payload(number) != 0 or copysign(1, number) < 0",
        "False",
        "llvm_ours",
    ),
    exactly(
        "an error that aborts has its location in the message, too",
        'written.removeprefix(f"{printed.span}: ")',
        "written",
        "diagnostics",
    ),
    exactly(
        "the operands of an appended foreign operation are not checked",
        "            self._foreign_operands(title, values)",
        "            pass",
        "core/checked_builder",
    ),
    exactly(
        "the line of an object is that of its text",
        '"line_of_file", span.line_of_file, span.file',
        '"line_of_file", span.line, span.file',
        "call_chain",
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
    found = re.search(r"^(?:FAILED|ERROR) tests/([\w/.:]+)", done.stdout, re.MULTILINE)
    return found[1] if found else f"exit status {done.returncode}"


def files_of(fault: Fault) -> list[str]:
    """The paths of the test files that the fault names."""
    paths = [Path("tests", name) for name in fault.tests.split()]
    return [str(path.with_name(f"test_{path.name}.py")) for path in paths]


def row(fault: Fault, full: bool, room_only: bool) -> tuple[bool, str]:
    """Whether the tests of the room find the fault, and its row of the table."""
    started = time.monotonic()
    with checkout() as copy:
        try:
            module = plant(fault, copy)
        except NotApplicable as reason:
            return False, f"| {fault.name} | | **not applicable** | {reason} | |"
        files = files_of(fault)
        if missing := [name for name in files if not (copy / name).exists()]:  # pytest would fail without a test
            return False, f"| {fault.name} | `{module}` | **not applicable** | no {missing[0]} | |"
        by_room = failing_test(copy, files, full)
        found = by_room or (None if room_only else failing_test(copy, ["tests"], full))
    room, test = "found" if by_room else "**missed**", f"`{found}`" if found else "–"
    return by_room is not None, f"| {fault.name} | `{module}` | {room} | {test} | {time.monotonic() - started:.0f} s |"


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="run the suite with --full")
    parser.add_argument("--room", action="store_true", help="run only the test files of the room with the fault")
    parser.add_argument("--only", default="", help="comma-separated parts of the names of faults to try (all)")
    parser.add_argument("--jobs", type=int, default=1, help="number of faults tried in parallel (1)")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if any(word in fault.name for word in options.only.split(","))]
    print("| fault | module | by tests of the room | found by | time |\n|---|---|---|---|--:|", flush=True)
    found = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for is_found, text in pool.map(partial(row, full=options.full, room_only=options.room), faults):
            found += is_found
            print(text, flush=True)
    print(f"\n{found} of {len(faults)} found by the tests of their rooms")
    sys.exit(found < len(faults))


if __name__ == "__main__":
    main()
