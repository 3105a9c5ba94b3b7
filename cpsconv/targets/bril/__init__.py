"""The emitter for Bril, in text or JSON (docs/bril.md).

`lowering` gives each function as blocks with parameters (`blocks`), with the types of values from `types` and
the lines of output from `output`; `forms` writes the blocks in SSA form or with copies.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from cpsconv.core.ir import INTEGER, LONG_DOUBLE, WIDE_INTEGERS, Program
from cpsconv.targets.bril.forms import lines_of
from cpsconv.targets.bril.lowering import lowered
from cpsconv.targets.unsupported import never_returning, require_expressible

_CONTROLS = {"\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}


def bril(program: Program, *, out_of_ssa: bool = False) -> str:
    """The program as Bril's text, in SSA form, or out of SSA form. Raises `DiagnosticError` for what Bril lacks."""
    return "\n".join("".join(f"{line}\n" for line in _text(function)) for function in _functions(program, out_of_ssa))


def bril_json(program: Program, *, out_of_ssa: bool = False) -> str:
    """The program as Bril's JSON, otherwise as `bril`."""
    return json.dumps({"functions": [*_functions(program, out_of_ssa)]}, indent=2, ensure_ascii=False) + "\n"


def _functions(program: Program, out_of_ssa: bool) -> Iterator[dict[str, Any]]:
    """The functions as JSON objects, with types as texts in place of objects if they are for the text."""
    require_expressible(program, "Bril", never_returning, lacking=frozenset({INTEGER, LONG_DOUBLE, *WIDE_INTEGERS}))
    for function in lowered(program):
        found: dict[str, Any] = {"name": function.name}
        lines = lines_of(function, out_of_ssa)  # it may rename parameters
        if function.parameters:
            found["args"] = [{"name": each.name, "type": _type(each.type)} for each in function.parameters]
        if function.result:
            found["type"] = _type(function.result)
        for line in lines:
            if "type" in line:
                line["type"] = _type(line["type"])
        yield {**found, "instrs": lines}


def _type(type: str) -> Any:
    return {"ptr": _type(type[4:-1])} if type.startswith("ptr<") else type


def _type_text(type: Any) -> str:
    return f"ptr<{_type_text(type['ptr'])}>" if isinstance(type, dict) else str(type)


def _text(function: dict[str, Any]) -> Iterator[str]:
    parameters = ", ".join(f"{each['name']}: {_type_text(each['type'])}" for each in function.get("args", ()))
    result = f": {_type_text(function['type'])}" if "type" in function else ""
    yield f"@{function['name']}{f'({parameters})' if parameters else ''}{result} {{"
    for line in function["instrs"]:
        yield f".{line['label']}:" if "label" in line else f"  {_instruction(line)};"
    yield "}"


def _instruction(line: dict[str, Any]) -> str:
    names = [f"@{each}" for each in line.get("funcs", ())] + line.get("args", [])
    names += [f".{each}" for each in line.get("labels", ())]
    if line["op"] == "const":
        names = [_literal(line["value"])]
    text = " ".join([line["op"], *names])
    return f"{line['dest']}: {_type_text(line['type'])} = {text}" if "dest" in line else text


def _literal(value: int | bool | float | str) -> str:
    if isinstance(value, str):
        return f"'{_CONTROLS.get(value, value)}'"
    return str(value).lower() if isinstance(value, bool) else repr(value)
