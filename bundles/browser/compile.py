"""Replaces the modules that the views of a C program import by their bytecode, in the archive ``/packages.zip``."""

import site
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

sys.dont_write_bytecode = False

from cpsconv.cli.playground import answer  # noqa: E402
from cpsconv.lab.playground import VIEWS  # noqa: E402

PROGRAM = """int maximum(int a, int b) { return a < b ? b : a; }
int main(void) { int i = 0; while (i < 9) i = maximum(i + 1, i); return i; }"""
UNCHECKED = b"\1\0\0\0"  # valid for any source (PEP 552): the times of unpacked files vary

EMITTED = "cpsconv/core/operations/python_"
"""The beginning of the names of modules whose source is also a part of emitted Python."""

for view in VIEWS:
    found = answer({"text": PROGRAM, "view": view})
    assert not found["errors"], found

[folder] = site.getsitepackages()
imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}


def compiled(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files that replace a file."""
    if not name.endswith(".py") or f"{folder}/{name}" not in imported:
        yield name, data
        return
    path = cache_from_source(f"{folder}/{name}")
    with open(path, "rb") as file:
        bytecode = file.read()
    bytecode = bytecode[:4] + UNCHECKED + bytecode[8:]
    if name.startswith(EMITTED):
        yield name, data
        yield path.removeprefix(f"{folder}/"), bytecode
    else:
        yield f"{name}c", bytecode


with ZipFile("/packages.zip") as archive:
    files = [file for name in archive.namelist() for file in compiled(name, archive.read(name))]
with ZipFile("/packages.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
    for name, data in files:
        archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
