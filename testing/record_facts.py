"""A document (docs/record.md) as facts for `checker/rules.lp`. The second checker pairs blocks with continuations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from types import ModuleType
from typing import Any


def facts(checker: ModuleType, document: str) -> str:
    """The facts. Raises the checker's `Refused` if blocks and continuations cannot be paired."""
    found = checker.Checker(json.loads(document))
    found.define()
    functions = found.pair_parts()
    for blocks in functions.values():
        found.pair_blocks(blocks)
    return "\n".join(f"{each}." for each in _facts(found, functions))


def _facts(found: Any, functions: Any) -> Iterator[str]:
    edges = count()
    for stated, value in found.values.items():
        yield f"known({_term(stated)}, {_term(value)})"
    for number, blocks in functions.items():
        for each, undefined in found.undefined.items():
            if any(each == variable["id"] for variable in blocks[0].function["variables"]):
                yield f"variable({number}, {each}, {_term(undefined)})"
        yield f"entry({blocks[0].id}, {number})"
        for block in blocks:
            yield f"in({block.id}, {number})"
            yield f"last({block.id}, {len(block.steps)})"
            yield from _steps(found, block)
            for part in ("parameters", "body"):
                for each in block.continuation[part]:
                    yield f"defines({block.id}, {each['id']})"
                    if part == "parameters":
                        yield f"parameter({block.id}, {each['id']})"
            for target, pairs in block.edges:
                edge = next(edges)
                yield f"edge({edge}, {block.id}, {target.id})"
                yield from (f"passes({edge}, {parameter}, {_term(value)})" for parameter, value in pairs)
            if block.callee in functions:
                yield f"calls({block.id}, {block.callee})"
        yield from (f"result({number}, {each})" for each, owner in found.owners.items() if owner is blocks[0].function)


def _steps(found: Any, block: Any) -> Iterator[str]:
    for number, (kind, one, other) in enumerate(block.steps):
        yield from (f"known({_term(each)}, {_term(each)})" for each in (one, other) if isinstance(each, str))
        shown = f"define({other})" if kind == "define" else f"{kind}({_term(one)}, {_term(other)})"
        yield f"step({block.id}, {number}, {shown})"


def _term(value: int | str) -> str:
    return str(value) if isinstance(value, int) else json.dumps(value)
