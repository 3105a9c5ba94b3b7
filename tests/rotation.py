"""Operations that no back end spells, under every back end: a script.

It registers `rotl(value, count)`, and `magnitude(value)`, the operation `abs` by another name, before the back ends are
loaded, and prints as JSON what each back end does differently from the small evaluator.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

from cpsconv.core.ir import CHAR, INT, SCALARS, UNSIGNED_LONG, WIDE_INTEGERS, Constant, Scalar, Value
from cpsconv.core.operations.table import PRIMITIVES, Operation, add_operation
from cpsconv.core.operations.types import is_integer, range_of

INTEGERS = [type for type in SCALARS.values() if is_integer(type)]
UNSIGNED_OF = {type.bits: type for type in INTEGERS if not type.signed}


def rotated(type: Scalar) -> Callable[[int, int], int]:
    def compute(value: int, count: int) -> int:
        digits = format(value % 2**type.bits, f"0{type.bits}b")
        return int(digits[count % type.bits :] + digits[: count % type.bits], 2)

    return compute


def rotation(make: Callable[..., Value], value: Value, count: Value) -> Value:
    assert isinstance(value.type, Scalar)
    bits = make(UNSIGNED_OF[value.type.bits], value)
    turned = make("|", make("<<", bits, count), make(">>", bits, make("neg", count)))
    return make(value.type, turned)


add_operation(
    Operation(
        name="rotl",
        kind="shift",
        typing=PRIMITIVES["<<"].typing,
        symbol="rotl",
        form="call",
        compute=rotated,
        interval=lambda type, *_: (0, 4**type.bits),
        expansion=rotation,
    )
)
add_operation(PRIMITIVES["abs"]._replace(name="magnitude", symbol="magnitude"))

from cpsconv import Program, parse, pretty  # noqa: E402
from cpsconv.core.evaluator import evaluate  # noqa: E402
from cpsconv.core.operations.runtime_errors import ProgramError  # noqa: E402
from cpsconv.core.source import DiagnosticError, Source  # noqa: E402
from cpsconv.core.text.spelling import literal_text  # noqa: E402
from cpsconv.targets import TARGETS, Style  # noqa: E402
from cpsconv.targets.functional.javascript.operations import interpreter_runtime  # noqa: E402
from testing import gcc  # noqa: E402
from testing.engines import ENGINE_NAMES, seen  # noqa: E402
from testing.functional_targets import LANGUAGES, NOT_EVERYWHERE  # noqa: E402

COUNTS = {CHAR: (7, -1), INT: (0, 1, 31, 33), UNSIGNED_LONG: (63, 2**64 - 1)}
"""The counts by their types."""


def rotations(types: Iterable[Scalar]) -> Iterator[tuple[Scalar, int, Scalar, int]]:
    """Each third pair of a value and a count of each type, and so each value and each count."""
    for type, counted in product(types, COUNTS):
        for value, count in [*product(sorted({1, 100, *range_of(type)}), COUNTS[counted])][::3]:
            yield type, value, counted, count


def program(types: Iterable[Scalar]) -> Program:
    """A program that prints magnitudes of rotations, which functions compute, of all values, and of a `double`."""
    functions, calls = dict[str, str](), []
    for number, (type, value, counted, count) in enumerate(rotations(types)):
        definition = f"(x : {type}, n : {counted}, ret : {type} → ⊥) → ⊥ {{ ret(magnitude(rotl(x, n))) }}"
        name = functions.setdefault(definition, f"f{len(functions)}")
        arguments = f"{literal_text(Constant(type, value))}, {literal_text(Constant(counted, count))}"
        upper = f"long(v{number} >> 64)" if type in WIDE_INTEGERS else "0l"
        calls.append(f'{name}({arguments}, λ(v{number} : {type}).\n printf("%ld %ld\\n", {upper}, long(v{number}));')
    calls.append('printf("%g\\n", magnitude(double(v0) - 300.0));')
    main = f"main(ret : int → ⊥) → ⊥ {{ {' '.join(calls)} ret(0){')' * (len(calls) - 1)} }}"
    return parse(Source("rotl.cps", "\n".join([*(f"{name}{text}" for text, name in functions.items()), main])))


def meaning(program: Program) -> str:
    """The output of a program, or its runtime error, by the small evaluator."""
    output = BytesIO()
    try:
        evaluate(program, output=output, errors=BytesIO())
    except ProgramError as fault:
        return str(fault)
    return output.getvalue().decode()


def by_javascript_interpreter() -> list[str]:
    """The signatures with which the interpreter of the page computes other results."""
    script, expected = interpreter_runtime(), []
    for type, value, counted, count in rotations(INTEGERS):
        numbers = [f"{number}{'n' * (each.bits > 32)}" for each, number in ((type, value), (counted, count))]
        script += f"console.log(String(OPERATIONS['rotl({type}, {counted}): {type}']({', '.join(numbers)})));\n"
        bits = rotated(type)(value, count) % 2**type.bits
        expected.append(str(bits - (2**type.bits if type.signed and bits >> type.bits - 1 else 0)))
    found = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True).stdout.split()
    return [] if found == expected else [f"{one} != {other}" for one, other in zip(found, expected, strict=True)]


def differences(folder: Path) -> Iterator[tuple[str, Any]]:
    """What each back end does differently."""
    everywhere, narrow = program(INTEGERS), program([type for type in INTEGERS if type not in NOT_EVERYWHERE])
    before = pretty(everywhere)
    expected, expected_of_narrow = meaning(everywhere), meaning(narrow)
    for engine in ENGINE_NAMES:
        output, errors, _ = seen(everywhere, (), engine)
        yield engine, (output.decode() != expected) * f"{output!r} {errors!r}"
    if gcc.GCC:
        text = TARGETS["c"](everywhere, Style())
        yield "c", gcc.observe(gcc.compile_c(text, folder)).output != expected
    for language in LANGUAGES:
        if shutil.which(language.command[0]):
            is_narrow = language.name in ("ocaml", "haskell")
            ended = language.run(language.emit(narrow if is_narrow else everywhere), folder)
            differs = ended.output != (expected_of_narrow if is_narrow else expected)
            yield language.name, differs * (ended.output + ended.errors)
    if shutil.which("node"):
        yield "page", by_javascript_interpreter()
    yield "the program afterwards", pretty(everywhere) != before


def errors() -> Iterator[tuple[str, str]]:
    """The first line of the runtime error of an undefined operand, and that of Bril's refusal of the operation."""
    undefined = parse(Source("u.cps", "main(ret : int → ⊥) → ⊥ {\n  ret(rotl(undef(x : int), 3))\n}\n"))
    for engine in ENGINE_NAMES:
        yield engine, seen(undefined, (), engine)[2].splitlines()[0].removeprefix("UndefinedError: ")
    yield "evaluator", meaning(undefined).splitlines()[0]
    try:
        TARGETS["bril"](program([INT]), Style())
    except DiagnosticError as refusal:
        yield "bril", str(refusal).splitlines()[0]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"differences": dict(differences(Path(folder))), "errors": dict(errors())}))
