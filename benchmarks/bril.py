"""Reads the text of Bril programs, one instruction per line, and converts it to JSON for Bril's interpreter.

(Sampson, *Bril: A Compiler Intermediate Representation for Learning*, https://capra.cs.cornell.edu/bril/.)
"""

from __future__ import annotations

import json
import re
from typing import Any

_HEAD = re.compile(r"@(?P<name>\w+)\((?P<parameters>.*)\)(: (?P<type>\w+))? {")
_INSTRUCTION = re.compile(r"((?P<dest>\w+): (?P<type>\w+) = )?(?P<op>\w+)(?P<operands>.*);")
_KINDS = {"@": "funcs", ".": "labels"}


def in_json(text: str) -> str:
    """The same program. Raises `ValueError` where a line is none of this form."""
    functions: list[dict[str, Any]] = []
    for line in (line.strip() for line in text.splitlines()):
        if head := _HEAD.fullmatch(line):
            functions.append({"name": head["name"], "args": _parameters(head["parameters"]), "instrs": []})
            functions[-1] |= {"type": head["type"]} if head["type"] else {}
        elif line.startswith("."):
            functions[-1]["instrs"].append({"label": line[1:].removesuffix(":")})
        elif line not in ("", "}") and not line.startswith("#"):
            functions[-1]["instrs"].append(_instruction(line))
    return json.dumps({"functions": functions})


def _parameters(text: str) -> list[dict[str, str]]:
    named = (parameter.split(": ") for parameter in text.split(", ") if parameter)
    return [{"name": name, "type": type} for name, type in named]


def _instruction(line: str) -> dict[str, Any]:
    match = _INSTRUCTION.fullmatch(line)
    if not match:
        raise ValueError(f"not an instruction: {line}")
    instruction = {key: match[key] for key in ("op", "dest", "type") if match[key]}
    operands = match["operands"].split()
    if match["op"] == "const":
        return {**instruction, "value": json.loads(operands[0])}
    found: dict[str, list[str]] = {"args": [], "funcs": [], "labels": []}
    for operand in operands:
        found[_KINDS.get(operand[0], "args")].append(operand.lstrip("@."))
    return {**instruction, **found}
