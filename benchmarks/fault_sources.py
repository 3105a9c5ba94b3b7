"""Programs of public collections with planted faults: how to run them, and the lines of the faults.

`juliet` reads NIST's Juliet test suite for C, `itc` the benchmarks of Toyota's InfoTechnology Center, and `kratkiewicz`
the programs with buffer overflows by Kratkiewicz.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
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
    environment: Mapping[str, str] = {}


# --- Juliet -----------------------------------------------------------------------------------------------------------

_WEAKNESSES = (121, 122, 124, 126, 127, 369, 401, 415, 416, 457, 475, 476, 562, 590, 665, 690, 758, 761)
_OUTSIDE = re.compile(
    "w32|socket|thread|main"  # other systems, and input that does not exist here
    "|_12$|_rand"  # whether the fault happens is drawn by lot
    "|CWE369.*float"  # the result is infinite
    "|CWE690.*alloc|CWE401.*malloc_realloc"  # only if there is no memory left
    "|CWE122.*sizeof_(double|int64_t|struct)"  # the pointer is as large as the object
    "|wchar_t.*snprintf"  # `%s` reads the wide string as bytes, and ends after one
    "|CWE590.*declare"  # the variable is used after its block, before it is freed
    "|CWE761.*(file|wchar_t_environment)"  # input that does not exist here
    "|CWE476.*null_check_after",  # the pointer is not null
    re.IGNORECASE,
)
_PART = re.compile(r"(.*_\d\d)[a-e]?\.c")
_FLAW = re.compile(r"/\*(?:(?!\*/).)*?FLAW.*?\*/", re.DOTALL)
_NUMBERS = ["1073741825\n", "10\n", "-5\n", "0\n"]  # too large once multiplied by a size, too large, negative, zero
_LEAK = "CWE401"
_ADDED = {"ADD": "abSc"}  # an environment variable that some programs append to a string and search for an S


def juliet(folder: Path) -> Iterator[Variant]:
    """The variants of all programs of the suite, without sockets, threads and Windows."""
    support = folder / "testcasesupport"
    for name, files in sorted(_programs(folder).items()):
        kind = name.split("_")[0]
        text = "".join(map(_text, files))
        options = ["--allow-environment", *["--check-leaks"] * (kind == _LEAK)]
        options += ["-I", str(support), "-D", "INCLUDEMAIN"]
        sources = [*map(str, files), str(support / "io.c")]
        inputs = _NUMBERS if re.search(r"\bstdin\b", text) else [""]
        planted = frozenset((str(file), line) for file in files for line in flawed_lines(_text(file)))
        yield Variant(kind, name, [*options, "-D", "OMITGOOD", *sources], inputs, planted, _ADDED)
        yield Variant(kind, name, [*options, "-D", "OMITBAD", *sources], inputs, frozenset(), _ADDED)


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
_NO_FAULT = {
    "buffer_underrun_dynamic": {39},  # all accesses are in bounds
    "double_free": {4},  # drawn by lot
    "invalid_memory_access": {3, 14, 15},  # a pointer is copied; the line is not reached; a pointer is returned
    "memory_leak": {1, 7},  # an endless loop; drawn by lot
    "null_pointer": {16},  # the line is not reached
    "ow_memcpy": {1, 2},  # assignments in a loop
    "uninit_memory_access": {2, 4, 12, 13},  # the memory is from `calloc`
    "uninit_pointer": {13, 14},  # the memory is written before; it is from `calloc`
    "uninit_var": {8},  # the loop is not entered
    "zero_division": {8, 10},  # a quotient of floats; drawn by lot
}
"""The functions whose comment announces a fault that does not occur."""
_OTHER_FAULT = {
    "buffer_underrun_dynamic": {37},  # use after `free`
    "littlemem_st": {8, 9, 10, 11},  # the null pointer of another function
    "memory_leak": {17},  # a leak
    "overrun_st": {1, 2, 5, 6, 7, 22, 23, 26, 27, 28, 53},  # uninitialised elements
    "st_underrun": {2, 7},  # index -1; an uninitialised string
    "wrong_arguments_func_pointer": {14},  # an index out of bounds
}
"""The functions without the planted fault that have another fault."""
_DEFINITION = re.compile(r"[a-z][\w *]*?_(\d{3,4})(?:_\w*)?\s*\(")


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
    excluded = (_NO_FAULT if faulty else _OTHER_FAULT).get(file.stem, set())
    for number in sorted({int(found) for found in _CASE.findall(text)} - {_ALL} - excluded):
        lines = frozenset((str(file), line) for line in planted[number] if faulty)
        if lines or not faulty:
            arguments = [*options, str(file), str(_MAIN), "--", str(number)]
            yield Variant(file.stem, f"{file.stem} {number}", arguments, [""], lines)


def _planted(text: str) -> dict[int, list[int]]:
    """The lines with a comment that announces an error, by the number in the name of the function."""
    lines: dict[int, list[int]] = defaultdict(list)
    number = 0
    for line, content in enumerate(text.splitlines(), 1):
        if definition := _DEFINITION.match(content):
            number = int(definition[1])
        if "ERROR" in content or "should detect" in content:
            lines[number].append(line)
    return lines


# --- Kratkiewicz ------------------------------------------------------------------------------------------------------

INPUT_FILE = ("TestInputFile1", b"A" * 5000)
"""The name and the content of a file in the working folder."""
_BAD = re.compile(r"/\*\s*BAD\s*\*/")
_SIZE = re.compile(r"basic-\d+-(min|med|large|ok)\.c")
_UNSUPPORTED = re.compile(r"\b(pthread_create|fork|shmget|setitimer)\b")
_LENGTHS = {"OK": 9, "MIN": 10, "MED": 17, "LARGE": 4105}
_LETTERS = {f"STRINGLEN_{name}": "A" * length for name, length in _LENGTHS.items()}


def kratkiewicz(folder: Path) -> Iterator[Variant]:
    """The programs, each with three overflows and without one, without processes and threads.

    Lengths are arguments and those of environment variables. The file that one of the programs reads is `INPUT_FILE`.
    """
    for file in sorted(folder.glob("**/basic-*.c")):
        if (size := _SIZE.fullmatch(file.name)) and not _UNSUPPORTED.search(_text(file)):
            planted = frozenset((str(file), line) for line in flawed_lines(_text(file), _BAD))
            options = ["--allow-files", "--allow-environment"]
            arguments = [*options, str(file), "--", *map(str, _LENGTHS.values())]
            yield Variant(size[1], file.stem, arguments, [""], planted, _LETTERS)


def _text(file: Path) -> str:
    return file.read_text(encoding="latin-1")


SOURCES: dict[str, Callable[[Path], Iterator[Variant]]] = {"juliet": juliet, "itc": itc, "kratkiewicz": kratkiewicz}
