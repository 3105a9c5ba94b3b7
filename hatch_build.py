"""The build hook: a wheel contains the generated files; for an editable installation, they are put into the cache."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFiles(BuildHookInterface[Any]):
    """Generates the files before a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to `build_data`, unless the version is "editable"."""
        sys.path.insert(0, self.root)
        from cpsconv.core.generated import cached, path_in_wheel
        from cpsconv.core.grammar import TABLES
        from cpsconv.languages.c.library import DEFINITIONS
        from cpsconv.targets.functional.definition import LANGUAGES, MEMORY

        self._folder = TemporaryDirectory()
        files = {
            TABLES: self._stems("grammars/*.lark"),
            DEFINITIONS: self._stems("cpsconv/languages/c/library/*.c"),
            MEMORY: [*LANGUAGES],
        }
        for generator, names in files.items():
            for name, text in zip(names, cached(generator, names), strict=True):
                path = Path(self._folder.name, path_in_wheel(generator, name))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        if version != "editable":
            build_data["force_include"][self._folder.name] = "cpsconv"

    def _stems(self, pattern: str) -> list[str]:
        return sorted(path.stem for path in Path(self.root).glob(pattern))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files."""
        self._folder.cleanup()
