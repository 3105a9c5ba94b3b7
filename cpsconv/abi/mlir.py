"""The notions of MLIR that its front end and its target share: attributes, and foreign types and operations.

- `mlir.items`, a string, of the program: the text of the module's other operations, such as globals, and its aliases.
- `mlir.function`, a string, of functions: operation, properties and attributes, if name and types do not suffice.

The text of a foreign operation is its name, followed by its properties and attributes, if any. A foreign type is a type
of MLIR. Several results of an operation or function are one value of a foreign type ``results<i32, f32>``, which only
two foreign operations concern: ``result 0`` selects one of them, and ``results`` makes one value of all.
"""

from __future__ import annotations

import re

from cpsconv.core import attributes
from cpsconv.core.attributes import Attribute

ITEMS, FUNCTION = "mlir.items", "mlir.function"
RESULTS, RESULT = "results", "result"

attributes.register(Attribute(ITEMS, "string", ["program"]), Attribute(FUNCTION, "string", ["function", "external"]))

SEGMENTS = re.compile(r"operandSegmentSizes = array<i32: (\d{1,9}(?:, \d{1,9})*)>")
"""The sizes of the groups of operands: those of a transfer's edges come last."""

BRACKETS = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[<({\[]|[>)}\]]|,')
"""Brackets, commas, and the texts in which these are none."""


def parts_of(text: str) -> list[str]:
    """The parts between commas that are in no brackets, without white space around them."""
    found, depth, start = [], 0, 0
    for match in BRACKETS.finditer(text):
        if match[0] in "<({[":
            depth += 1
        elif match[0] in ">)}]":
            depth -= 1
        elif match[0] == "," and depth == 0:
            found.append(text[start : match.start()].strip())
            start = match.end()
    last = text[start:].strip()
    return [*found, last] if found or last else []


def results_in(type: str) -> list[str]:
    """The types of several results, by the type of all of them together; otherwise, that type."""
    start = f"{RESULTS}<"
    return parts_of(type.removeprefix(start)[:-1]) if type.startswith(start) else [type]
