"""C's library, written in C: the external functions of a program that no engine provides itself.

The sources are ``cpsconv/languages/c/library/*.c``, one for each header. Their conversions are generated files
(`cpsconv.core.generated`), which are read here. `cpsconv.abi.library` links them.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from cpsconv.abi.prototypes import OBJECTS, PROTOTYPES, PROVIDED
from cpsconv.core.generated import Generator, generated
from cpsconv.core.grammar import TABLES

if TYPE_CHECKING:
    from cpsconv.core.json.reader import Parts

DEFINITIONS = Generator(
    "library",
    "cpsconv.languages.c.library.generate",
    (*TABLES.sources, "cpsconv/core", "cpsconv/abi", "cpsconv/languages", "cpsconv/pipeline.py"),
)
"""The generator of the converted programs, by the names of the sources; `sources` are all that a conversion uses."""


def source_of(name: str) -> str | None:
    """The name of the source that defines a function or object of the library; None for other names."""
    if name in OBJECTS:
        return OBJECTS[name].header.removesuffix(".h")
    return PROTOTYPES[name].source if name in PROTOTYPES and name not in PROVIDED else None


def definitions(source: str) -> Parts:
    """The parts of a new copy of the converted source, without locations."""
    from cpsconv.core.json.reader import Parts  # late: the names suffice for most programs

    return Parts(_program(source))


@cache
def _program(source: str) -> Any:
    """The converted source in JSON."""
    return json.loads(generated(DEFINITIONS, source))
