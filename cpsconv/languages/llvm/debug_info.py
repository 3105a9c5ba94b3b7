"""The debug information of a module: names of variables, and locations in the source that was compiled."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from cpsconv.languages.llvm.module_text import RECORD, FunctionText

_NODE = re.compile(r"(?m)^!(\d+) = (?:distinct )?(.*)$")
_DECLARED = re.compile(r"#dbg_declare\(ptr(?: addrspace\(\d+\))? %, (.*)\)$")
_DESCRIBED = re.compile(r"#dbg_(?:declare|value)\(.* %, !(\d+), !DIExpression\(\), !\d+\)$")


class Location(NamedTuple):
    """A line and column, from 1, of a file; 0 is an unknown column. `checksum` is the MD5 of the file, if known."""

    folder: str
    file: str
    line: int
    column: int
    checksum: str


class DebugInfo:
    """The debug information in the text of a module."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def has_records(self) -> bool:
        """Whether a function of the module has records."""
        return "    #dbg_" in self._text

    @cached_property
    def _nodes(self) -> dict[str, str]:
        return dict(_NODE.findall(self._text)) if "!DI" in self._text else {}

    def variable_name(self, described: str) -> str | None:
        """The name of the variable that a record describes: ``!12, !DIExpression(), !15``."""
        number = re.match(r"!(\d+)", described)
        return _field(self._nodes.get(number[1], ""), "name") if number else None

    def parameter_names(self, function: FunctionText) -> dict[str, str]:
        """The names of the variables of parameters that have numbers: described, or at the address where one is stored.

        The first block describes them. Variables of functions that are inlined there have another scope.
        """
        scope = re.search(r"!dbg !(\d+)", function.header) if self.has_records else None
        if not scope:
            return {}
        lines, numbers = function.blocks[0].lines, {each.name for each in function.parameters if each.name.isdigit()}
        values = {number: number for number in numbers}
        stores = [line.names for line in lines if line.op == "store" and len(line.names) == 2]
        values.update({address: number for number, address in stores if number in numbers})
        found: dict[str, str] = {}
        for line in lines:
            number = values.get(line.names[0]) if line.op == RECORD and line.names else None
            match = _DESCRIBED.match(line.text) if number else None
            node = self._nodes.get(match[1], "") if match else ""
            name = _field(node, "name")
            if number and name and _field(node, "arg") and _field(node, "scope") == scope[1]:
                found.setdefault(number, name)
        return found

    def location(self, text: str) -> Location | None:
        """The location that is attached to an instruction, a record or a function with this text."""
        attached = re.search(r"!dbg !(\d+)|#dbg_.*, !(\d+)\)$", text)
        node = self._nodes.get(attached[1] or attached[2], "") if attached else ""
        line, column = _field(node, "line"), _field(node, "column")
        file = self._file(node)
        if not line or line == "0" or not file:
            return None
        name, folder, checksum = (_field(file, each) or "" for each in ("filename", "directory", "checksum"))
        return Location(folder, name, int(line), int(column or 0), checksum)

    def _file(self, node: str) -> str | None:
        """The file of a node, or of the scopes around it."""
        for _ in range(1000):  # malformed scopes may contain each other
            number = _field(node, "file") or _field(node, "scope")
            node = self._nodes.get(str(number), "")
            if node.startswith("!DIFile("):
                return node
        return None


def _field(node: str, name: str) -> str | None:
    """The value of a field: a number, also that of a node, or a string."""
    match = re.search(rf'[(, ]{name}: (?:!?(\d+)|"([^"]*)")', node)
    return match and (match[1] or match[2])


def declared(record: str) -> str | None:
    """The description of the variable that a record declares at an address: ``!12, !DIExpression(), !15``."""
    match = _DECLARED.match(record)
    return match and match[1]
