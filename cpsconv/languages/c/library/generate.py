"""Conversion of the library: ``python -m cpsconv.languages.c.library.generate NAME…`` prints the programs as JSON."""

from __future__ import annotations

from pathlib import Path

from cpsconv.abi.attributes import RESOURCE
from cpsconv.core.generated import print_files
from cpsconv.core.ir import Effect
from cpsconv.core.json import to_json
from cpsconv.core.operations.table import HEAP
from cpsconv.core.source import Source

RESOURCES = {"stream_of": "stream", "opendir": "directory"}
"""The functions of the library that allocate memory for what programs open and close, with its kind."""


def converted(name: str) -> str:
    """The program of the source ``<name>.c``, as JSON text without locations."""
    from cpsconv.pipeline import convert  # late: against the direction, since only this process needs the pipeline

    path = Path(__file__).with_name(f"{name}.c")
    program = convert(Source(str(path), path.read_text(encoding="utf-8")), certify=True)
    program.source = None
    for function in program.functions:
        for statement in function.statements() if function.name in RESOURCES else ():
            if isinstance(statement, Effect) and statement.op in HEAP:
                statement.attributes = {**statement.attributes, RESOURCE: RESOURCES[function.name]}
    return to_json(program)


if __name__ == "__main__":
    print_files(converted)
