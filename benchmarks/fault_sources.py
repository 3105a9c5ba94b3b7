"""Programs of public collections with planted faults: how to run them, and the lines of the faults.

`juliet` reads NIST's Juliet test suite for C, `itc` the benchmarks of Toyota's InfoTechnology Center, and `kratkiewicz`
the programs with buffer overflows by Kratkiewicz.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

Place = tuple[str, int]


class Variant(NamedTuple):
    """A run of a program: the arguments of ``cpsconv run``, and the lines (with their files) that may be reported."""

    kind: str
    name: str
    arguments: list[str]
    inputs: list[str]
    planted: frozenset[Place]  # empty: the variant has no fault


# --- Juliet -----------------------------------------------------------------------------------------------------------

_WEAKNESSES = (121, 122, 124, 126, 127, 369, 401, 415, 416, 457, 475, 476, 562, 590, 665, 680, 690, 758, 761)
_OUTSIDE = re.compile(
    "w32|socket|thread|main"  # other systems, and input that does not exist here
    "|_12$|CWE369.*rand"  # whether the fault happens is drawn by lot
    "|CWE369.*float"  # the result is infinite
    "|CWE690.*alloc|CWE401.*malloc_realloc",  # only if there is no memory left
    re.IGNORECASE,
)
_PART = re.compile(r"(.*_\d\d)[a-e]?\.c")
_FLAW = re.compile(r"/\*(?:(?!\*/).)*?FLAW.*?\*/", re.DOTALL)
_NUMBERS = ["1073741825\n", "10\n", "-5\n", "0\n"]  # too large once multiplied by a size, too large, negative, zero
_LEAK = "CWE401"


def juliet(folder: Path) -> Iterator[Variant]:
    """The variants of all programs of the suite, without sockets, threads and Windows."""
    support = folder / "testcasesupport"
    for name, files in sorted(_programs(folder).items()):
        kind = name.split("_")[0]
        text = "".join(map(_text, files))
        options = ["-I", str(support), "-D", "INCLUDEMAIN", *["--check-leaks"] * (kind == _LEAK)]
        sources = [*map(str, files), str(support / "io.c")]
        inputs = _NUMBERS if re.search(r"\bstdin\b", text) else [""]
        planted = frozenset((str(file), line) for file in files for line in flawed_lines(_text(file)))
        yield Variant(kind, name, [*options, "-D", "OMITGOOD", *sources], inputs, planted)
        yield Variant(kind, name, [*options, "-D", "OMITBAD", *sources], inputs, frozenset())


def _programs(folder: Path) -> dict[str, list[Path]]:
    programs: dict[str, list[Path]] = defaultdict(list)
    for weakness in _WEAKNESSES:
        for file in sorted(folder.glob(f"testcases/CWE{weakness}_*/**/*.c")):
            if (part := _PART.fullmatch(file.name)) and not _OUTSIDE.search(part[1]):
                programs[part[1]].append(file)
    return programs


def flawed_lines(text: str, flaw: re.Pattern[str] = _FLAW) -> set[int]:
    """The lines of each statement after a comment that announces a flaw."""
    lines: set[int] = set()
    for comment in flaw.finditer(text):
        code = re.sub(
            r"/\*.*?\*/|\".*?\"", lambda found: re.sub(r"[^\n]", " ", found[0]), text[comment.end() :], flags=re.DOTALL
        )
        before = len(code) - len(code.lstrip())
        lines.add(text.count("\n", 0, comment.start()) + 1)  # the comment can follow the statement on its line
        first = text.count("\n", 0, comment.end()) + code.count("\n", 0, before) + 1
        lines.update(range(first, first + code.count("\n", before, _end_of_statement(code)) + 1))
    return lines


def _end_of_statement(code: str) -> int:
    depth = 0
    for place, character in enumerate(code):
        depth += (character in "({") - (character in ")}")
        if depth < 0 or (depth == 0 and character in ";}"):
            return place
    return len(code)


# --- ITC --------------------------------------------------------------------------------------------------------------

_KINDS = re.compile(
    "buffer_.*_dynamic|double_free|free_nondynamic.*|func_pointer|invalid_memory_access|littlemem_st|memory_leak"
    "|null_pointer|overrun_st|ow_memcpy|return_local|st_underrun|underrun_st|uninit_.*|wrong_arguments_func_pointer"
    "|zero_division"
)
_CASE = re.compile(r"\bvflag\s*==\s*(\d+)\s*\|\|")
_DRIVER = re.compile(r"^\s*void\s+(\w+_main)\s*\(", re.MULTILINE)
_ALL = 888  # the number that calls all functions
_MAIN = Path(__file__).with_name("fault_driver.c")
_DEFINITION = re.compile(r"[a-z][\w *]*_(\d\d\d)(?:_\w*)?\s*\(")


def itc(folder: Path) -> Iterator[Variant]:
    """Each function of the files about memory and division, called alone by the driver of its file."""
    for part in ("01.w_Defects", "02.wo_Defects"):
        for file in sorted((folder / part).glob("*.c")):
            if _KINDS.fullmatch(file.stem):
                yield from _functions(file, folder, part.startswith("01"))


def _functions(file: Path, folder: Path, faulty: bool) -> Iterator[Variant]:
    text = _text(file)
    planted = _planted(text)
    options = ["-I", str(folder / "include"), "-D", f"DRIVER={_DRIVER.findall(text)[-1]}"]
    options += ["--check-leaks"] * (file.stem == "memory_leak")
    for number in sorted({int(found) for found in _CASE.findall(text)} - {_ALL}):
        lines = frozenset((str(file), line) for line in planted[number] if faulty)
        if lines or not faulty:
            arguments = [*options, str(file), str(_MAIN), "--", str(number)]
            yield Variant(file.stem, f"{file.stem} {number}", arguments, [""], lines)


def _planted(text: str) -> dict[int, list[int]]:
    """The lines with the comment ``ERROR`` by the number in the name of the function."""
    lines: dict[int, list[int]] = defaultdict(list)
    number = 0
    for line, content in enumerate(text.splitlines(), 1):
        if definition := _DEFINITION.match(content):
            number = int(definition[1])
        if "ERROR" in content:
            lines[number].append(line)
    return lines


# --- Kratkiewicz ------------------------------------------------------------------------------------------------------

_BAD = re.compile(r"/\*\s*BAD\s*\*/")
_SIZE = re.compile(r"basic-\d+-(min|med|large|ok)\.c")


def kratkiewicz(folder: Path) -> Iterator[Variant]:
    """The programs, each with three overflows and without one."""
    for file in sorted(folder.glob("**/basic-*.c")):
        if size := _SIZE.fullmatch(file.name):
            planted = frozenset((str(file), line) for line in flawed_lines(_text(file), _BAD))
            yield Variant(size[1], file.stem, ["--allow-files", str(file)], [""], planted)


def _text(file: Path) -> str:
    return file.read_text(encoding="latin-1")


SOURCES: dict[str, Callable[[Path], Iterator[Variant]]] = {"juliet": juliet, "itc": itc, "kratkiewicz": kratkiewicz}
