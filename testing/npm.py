"""Packages from npm, which are installed once for a user."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from fcntl import LOCK_EX, flock
from pathlib import Path

CACHE = Path.home() / ".cache" / "cpsconv"
"""The folder for the folders with packages."""


def installed(folder: Path, packages: Sequence[str]) -> Path:
    """The folder with packages from npm, which are installed if they are not there; one process at a time does it.

    Raises `subprocess.SubprocessError` or `OSError` if npm cannot install them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / "installed.txt"
    with marker.open("a+", encoding="utf-8") as file:
        flock(file, LOCK_EX)
        if marker.read_text(encoding="utf-8").split() != [*packages]:
            options = ["--silent", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", str(folder)]
            subprocess.run(["npm", "install", *options, *packages], check=True, capture_output=True, timeout=300)
            marker.write_text(" ".join(packages), encoding="utf-8")
    return folder
