"""Adds the bytecode of the modules that the views of a C program import to the archive ``/packages.zip``."""

import site
import sys
from importlib.util import cache_from_source
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

sys.dont_write_bytecode = False

from cpsconv.cli.playground import answer  # noqa: E402
from cpsconv.lab.playground import VIEWS  # noqa: E402

PROGRAM = "int main(void) { int i = 0; while (i < 9) i++; return i; }"
UNCHECKED = b"\1\0\0\0"  # valid for any source (PEP 552): the times of unpacked files vary

for view in VIEWS:
    answer({"text": PROGRAM, "view": view})

[folder] = site.getsitepackages()
paths = [path for module in [*sys.modules.values()] if (path := getattr(module, "__file__", None))]
with ZipFile("/packages.zip", "a", ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(path for path in paths if path.startswith(folder) and path.endswith(".py")):
        compiled = cache_from_source(path)
        with open(compiled, "rb") as file:
            bytecode = file.read()
        name = compiled.removeprefix(f"{folder}/")
        archive.writestr(ZipInfo(name), bytecode[:4] + UNCHECKED + bytecode[8:], ZIP_DEFLATED)
