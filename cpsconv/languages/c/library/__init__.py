"""C's library, written in C: the external functions of a program that no engine provides itself.

The sources are ``cpsconv/languages/c/library/*.c``, one for each header. Their conversions are generated files
(`cpsconv.core.generated`), which are read here. `cpsconv.abi.library` links them.
"""

from __future__ import annotations

from cpsconv.abi.attributes import RESOURCE
from cpsconv.abi.prototypes import OBJECTS, PROTOTYPES, PROVIDED
from cpsconv.core.generated import Generator, generated
from cpsconv.core.grammar import TABLES
from cpsconv.core.ir import Effect, Program
from cpsconv.core.operations.table import HEAP

DEFINITIONS = Generator(
    "library",
    "cpsconv.languages.c.library.generate",
    (*TABLES.sources, "cpsconv/core", "cpsconv/abi", "cpsconv/languages", "cpsconv/pipeline.py"),
)
"""The generator of the converted programs, by the names of the sources; `sources` are all that a conversion uses."""

RESOURCES = {"stream_of": "stream", "opendir": "directory"}
"""The functions of the library that allocate memory for what programs open and close, with its kind."""


def source_of(name: str) -> str | None:
    """The name of the source that defines a function or object of the library; None for other names."""
    if name in OBJECTS:
        return OBJECTS[name].header.removesuffix(".h")
    return PROTOTYPES[name].source if name in PROTOTYPES and name not in PROVIDED else None


def definitions(source: str) -> Program:
    """A new copy of the converted source, without locations."""
    from cpsconv.core.json.reader import trusted  # late: the names suffice for most programs

    library = trusted(generated(DEFINITIONS, source))
    for function in library.functions:
        for statement in function.statements() if function.name in RESOURCES else ():
            if isinstance(statement, Effect) and statement.op in HEAP:
                statement.attributes = {**statement.attributes, RESOURCE: RESOURCES[function.name]}
    return library
