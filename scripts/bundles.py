#!/usr/bin/env python3
"""Usage: scripts/bundles.py [--check]

Makes the bundles in cpsconv/lab/bundles: for each module bundles/NAME.js, one script NAME.js with all that the module
imports from packages of npm, in the versions of bundles/package-lock.json. The script defines a global object `NAME`.
LICENSES.txt contains the licence of each package that is in a bundle, and SHA256SUMS the checksum of each file. With
``--check``, writes nothing, and fails if a file differs. Requires npm and its registry.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "bundles"
BUNDLES = ROOT / "cpsconv" / "lab" / "bundles"


def main(arguments: list[str]) -> int:
    """Write or check the bundles. Returns the exit status."""
    with TemporaryDirectory() as folder:
        files = made_in(Path(folder))
    if arguments == ["--check"]:
        different = [name for name, data in files.items() if (BUNDLES / name).read_bytes() != data]
        print(*(f"{name} differs" for name in different), sep="\n", file=sys.stderr, end="")
        return bool(different)
    for name, data in files.items():
        (BUNDLES / name).write_bytes(data)
    return 0


def made_in(folder: Path) -> dict[str, bytes]:
    """The files of the folder of bundles, by name, made in an empty folder."""
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)
    files: dict[str, bytes] = {}
    packages: set[str] = set()
    for module in sorted(path.name for path in SOURCES.glob("*.js")):
        options = ["--bundle", "--minify", "--format=iife", f"--global-name={Path(module).stem}", "--target=es2020"]
        output = ["--legal-comments=none", "--outfile=bundle.js", "--metafile=bundle.json", "--log-level=warning"]
        subprocess.run(["node_modules/.bin/esbuild", module, *options, *output], cwd=folder, check=True)
        files[module] = (folder / "bundle.js").read_bytes()
        inputs = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))["inputs"]
        packages |= {found[1] for path in inputs if (found := re.match(r"(node_modules/(?:@[^/]+/)?[^/]+)/", path))}
    files["LICENSES.txt"] = "\n".join(_licence(folder / package) for package in sorted(packages)).encode()
    checksums = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return {**files, "SHA256SUMS": "".join(checksums).encode()}


def _licence(package: Path) -> str:
    """The name, the version and the licence of a package."""
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    text = next(package.glob("LICENSE*")).read_text(encoding="utf-8").strip()
    return f"{about['name']} {about['version']} ({about['license']})\n\n{text}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
