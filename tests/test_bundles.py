"""The bundles of packages from npm are those that ``scripts/bundles.py`` made, and have licences."""

from __future__ import annotations

import json
import subprocess
from hashlib import sha256
from shutil import which

import pytest

from cpsconv.lab.bundles import bundle
from scripts.bundles import BUNDLES, SOURCES

LOCKED = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]


def test_each_bundle_has_the_recorded_checksum() -> None:
    lines = (BUNDLES / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    recorded = {name: checksum for checksum, name in map(str.split, lines)}
    modules = {path.name for path in SOURCES.glob("*.js")}
    assert recorded.keys() == modules | {"LICENSES.txt"} == {path.name for path in BUNDLES.glob("*.[jt][sx]*")}
    assert recorded == {name: sha256((BUNDLES / name).read_bytes()).hexdigest() for name in recorded}


def test_each_bundled_package_is_locked_and_has_a_licence() -> None:
    licences = (BUNDLES / "LICENSES.txt").read_text(encoding="utf-8")
    for name, version in LOCKED[""]["devDependencies"].items():
        locked = LOCKED[f"node_modules/{name}"]
        assert locked["version"] == version and locked["integrity"] and "resolved" not in locked
        assert name == "esbuild" or f"{name} {version} (MIT)\n" in licences


@pytest.mark.skipif(not which("node"), reason="needs node")
@pytest.mark.parametrize("name", ["editor", "graph"])
def test_a_bundle_defines_one_object(name: str) -> None:
    """In an empty object as its global one: a bundle uses nothing of a browser before it is used."""
    code = "const here = {}; require('vm').runInNewContext(require('fs').readFileSync(0, 'utf8'), here);"
    words = ["node", "-e", f"{code} console.log(Object.keys(here))"]
    done = subprocess.run(words, input=bundle(name), capture_output=True, text=True, check=True)
    assert done.stdout == f"[ '{name}' ]\n"
