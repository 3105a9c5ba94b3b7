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

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from cpsconv.cli.playground import answer  # noqa: E402
from cpsconv.lab.playground.site import PARTS, site_files  # noqa: E402

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

UNUSED = (
    "cpsconv/checker/",
    "cpsconv/examples/",
    "cpsconv/lab/bundles/editor.js",
    "cpsconv/lab/playground/parts/",
    "colorful/data/colornames.json",
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
    with TemporaryDirectory() as temporary:
        build(Path(arguments[0]).resolve(), installed(Path(temporary)))
    return 0


def installed(folder: Path) -> Path:
    """The folder itself, which is empty, with the packages from npm."""
    shutil.copytree(ROOT / "bundles" / "browser", folder, dirs_exist_ok=True)
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)
    return folder


def build(folder: Path, packages: Path, *, compiled: bool = True) -> None:
    """Write the playground to a folder, which is created if it is missing, with the packages from npm in `packages`.

    Its modules are `compiled` so that it starts faster.
    """
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name, data in site_files(answer, "browser.js").items():
        (folder / name).write_bytes(data)
    shutil.copy(PARTS / "worker.js", folder)
    pyodide = packages / "node_modules" / "pyodide"
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    about = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))
    notice = "{name} {version} ({license}), {homepage}\n".format(**about)
    (folder / "pyodide" / "NOTICE.txt").write_text(notice, encoding="utf-8")
    pack(folder / "packages.zip")
    if compiled:
        subprocess.run(["node", "compile.mjs", str(folder / "packages.zip")], cwd=packages, check=True)


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
