"""Writing files: all of them, or nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def put(data: bytes, name: str) -> None:
    """Make `data` the content of the file, by way of a new one beside it. What is no file is written to directly.

    Raises `OSError` where that is impossible.
    """
    path = Path(name)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = path.resolve()  # a link stays, and what it leads to is replaced
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
