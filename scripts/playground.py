#!/usr/bin/env python3
"""Usage: scripts/playground.py DIR

Makes the playground in the folder DIR as files for any web server: the page, and cpsconv with Python for the browser
(Pyodide). Requires npm, its registry, and the packages that ``pip install -e .[test]`` installs. `bundles/browser` has
the locked versions of the packages from npm.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cpsconv.cli.playground import answer
from cpsconv.lab.playground.site import PARTS, site_files

ROOT = Path(__file__).resolve().parent.parent
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

UNUSED = (
    "cpsconv/checker/",
    "cpsconv/examples/",
    "cpsconv/engines/llvm/",
    "cpsconv/lab/bundles/editor.js",
    "cpsconv/lab/playground/parts/",
    "pygments/filters/",
    "pygments/formatters/",
    "pygments/lexers/",
)
"""Files of the packages that no view of the playground reads."""


def main(arguments: list[str]) -> int:
    """Write the files. Returns the exit status."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    build(Path(arguments[0]))
    return 0


def build(folder: Path) -> None:
    """Write the playground to a folder, which is created if it is missing."""
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name, data in site_files(answer, "browser.js").items():
        (folder / name).write_bytes(data)
    shutil.copy(PARTS / "worker.js", folder)
    with TemporaryDirectory() as temporary:
        package = installed(Path(temporary)) / "pyodide"
        for name in PYODIDE:
            shutil.copyfile(package / name, folder / "pyodide" / name)
        about = json.loads((package / "package.json").read_text(encoding="utf-8"))
        notice = "{name} {version} ({license}), {homepage}\n".format(**about)
        (folder / "pyodide" / "NOTICE.txt").write_text(notice, encoding="utf-8")
    pack(folder / "packages.zip")


def installed(folder: Path) -> Path:
    """The folder of packages of npm, installed in `folder`, which is empty."""
    shutil.copytree(ROOT / "bundles" / "browser", folder, dirs_exist_ok=True)
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)
    return folder / "node_modules"


def pack(path: Path) -> None:
    """Write an archive of cpsconv and the packages that it depends on."""
    with TemporaryDirectory() as wheels, ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        words = ["wheel", "--quiet", "--no-build-isolation", "--wheel-dir", wheels, str(ROOT)]
        subprocess.run([sys.executable, "-m", "pip", *words], check=True)
        for name, data in files_of(Path(wheels)):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def files_of(wheels: Path) -> Iterator[tuple[str, bytes]]:
    """The files of wheels that the playground uses."""
    for wheel in sorted(wheels.glob("*.whl")):
        with ZipFile(wheel) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist() if not name.startswith(UNUSED))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
