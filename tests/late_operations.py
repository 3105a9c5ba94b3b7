"""Operations that a language adds after all rooms have been loaded, under the engines and targets: a script.

It prints as JSON what each engine computes, and the text of each program.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO

from cpsconv import DiagnosticError, Program, parse, pretty
from cpsconv.core.check import check
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import Value
from cpsconv.core.operations.table import Operation, add_operation, binary
from cpsconv.core.operations.types import is_integer
from cpsconv.targets import TARGETS, Style
from testing.engines import ENGINE_NAMES, seen

NAMES = {"most": "most", "ml.most": "`ml.most`", "let": "`let`"}
"""The names of the operations, each with its spelling in the text."""


def text(name: str) -> str:
    """A program in which a parameter has the name of an operation, too."""
    return f"f(`most` : int, b : int, ret : int → ⊥) → ⊥ {{\n  ret({name}({name}(`most`, 7), b))\n}}\n"


def expansion(make: Callable[..., Value], a: Value, b: Value) -> Value:
    return make("+", b, make("*", make("-", a, b), make(a.type, make(">", a, b))))


def ends(program: Program) -> dict[str, str]:
    """The end of a run under each engine; each target writes the program."""
    for target in TARGETS.values():
        target(program, Style())
    return {engine: seen(program, (3, 9), engine)[2] for engine in ENGINE_NAMES}


def added(name: str, spelled: str) -> dict[str, str]:
    """What the program of the operation shows after it has been added, but not before."""
    try:
        parse(text(spelled))
    except DiagnosticError as failure:
        before = str(failure).splitlines()[0]
    row = Operation(name, "arithmetic", binary(is_integer), symbol=name, form="call")
    add_operation(
        row._replace(
            compute=lambda type: max, interval=lambda _, a, b: (max(a[0], b[0]), max(a[1], b[1])), expansion=expansion
        )
    )
    program = parse(text(spelled))
    assert check(program) == []
    value = evaluate(program, "f", [3, 9], output=BytesIO(), errors=BytesIO())
    return {"before": before, "text": pretty(program), "evaluator": str(value), **ends(program)}


if __name__ == "__main__":
    ends(parse("f(`most` : int, b : int, ret : int → ⊥) → ⊥ {\n  ret(abs(`most`) + b)\n}\n"))
    print(json.dumps([added(*each) for each in NAMES.items()]))
