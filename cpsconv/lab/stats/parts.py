"""Parts: the rows of each file, kept in a folder, so that a second run continues the first.

The name of a part is a digest of the path and the content of the file, of the options, and of the code of this
package, which determine the rows. A part also has the digests of the other files that were read for it, as those that C
includes; if one of them has changed, the part is not used. A part is written under a temporary name, and renamed when
complete.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from cpsconv.core.generated import digest_of
from cpsconv.lab.stats.rows import Measured, Method, Row, Task


class Parts:
    """The parts in a folder, which exists, of files that are converted by the same method."""

    def __init__(self, folder: str, method: Method) -> None:
        self._folder = Path(folder)
        self._method = method

    def has(self, task: Task) -> bool:
        """Whether there is a complete and valid part for the file as it is now."""
        try:
            inputs = json.loads(self._path(task).read_bytes())["inputs"]
        except (OSError, ValueError, KeyError):
            return False
        return all(_digest(task, path) == digest for path, digest in inputs.items())

    def rows(self, task: Task) -> list[Row]:
        """The rows in the part for the file. Raises `OSError` if there is none."""
        rows: list[Row] = json.loads(self._path(task).read_bytes())["rows"]
        return rows

    def write(self, task: Task, measured: Measured) -> None:
        """Write the part for the file. Raises `OSError` if it cannot be written."""
        part = {
            "inputs": {path: _digest(task, path) for path in measured.inputs if path != task.path},
            "rows": measured.rows,
        }
        path = self._path(task)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            beside.write_text(json.dumps(part, ensure_ascii=False), encoding="utf-8", errors="surrogateescape")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

    def _path(self, task: Task) -> Path:
        described = json.dumps([_digest(task, task.path), digest_of(("cpsconv",)), task, self._method])
        return self._folder / f"{blake2b(described.encode(), digest_size=16).hexdigest()}.json"


def _digest(task: Task, path: str) -> str | None:
    """The digest of the content of a file that the task reads; None if it cannot be read."""
    with suppress(OSError, ValueError):
        return blake2b(Path(task.directory, path).read_bytes(), digest_size=16).hexdigest()
    return None
