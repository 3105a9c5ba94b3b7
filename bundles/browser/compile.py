"""Adds the bytecode of the modules that the views of a C program import to the archive ``/packages.zip``."""

import py_compile
import site
import sys
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cpsconv.cli.playground import answer
from cpsconv.lab.playground import VIEWS

PROGRAM = "int main(void) { int i = 0; while (i < 9) i++; return i; }"

for view in VIEWS:
    answer({"text": PROGRAM, "view": view})

[folder] = site.getsitepackages()
paths = [path for module in [*sys.modules.values()] if (path := getattr(module, "__file__", None))]
with ZipFile("/packages.zip", "a", ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(path for path in paths if path.startswith(folder) and path.endswith(".py")):
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH  # the times of unpacked files vary
        compiled = py_compile.compile(path, doraise=True, invalidation_mode=mode)
        with open(compiled, "rb") as file:
            archive.writestr(ZipInfo(compiled.removeprefix(f"{folder}/")), file.read(), ZIP_DEFLATED)
