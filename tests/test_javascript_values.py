"""The values and operators of JavaScript under the engines, compared with Node."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse
from cpsconv.core.entry import entry_of
from cpsconv.core.evaluator import evaluate
from cpsconv.core.operations.dialects import ForeignError
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines import prepare
from testing.effort import examples, sample
from testing.javascript import needs_node, printed, programs
from testing.javascript_values import ValueProgram, every_operation, expression, reporting

PROGRAMS = Path(__file__).parent / "tables" / "javascript_values.js"
"""Programs whose operations all have a meaning in a run."""

pytest.importorskip("tree_sitter_javascript")


def on_engine(name: str) -> Callable[[Program, io.BytesIO], object]:
    """The run of a program by an engine."""
    return lambda program, output: prepare(program, entry_of(program), name)([], output=output, errors=io.BytesIO())


RUNS: dict[str, Callable[[Program, io.BytesIO], object]] = {
    "evaluator": lambda program, output: evaluate(program, output=output),
    "machine": on_engine("machine"),
    "python": on_engine("python"),
}


def run(text: str, engine: str) -> tuple[str, ProgramError | None]:
    """What the program prints, with the exception at its end as in `printed`; and the error that ends it, if any."""
    output, fault = io.BytesIO(), None
    try:
        RUNS[engine](convert(Source("a.js", text)), output)
    except ProgramError as failure:
        fault = failure
    lines = output.getvalue().decode().split("\n")[:-1]
    if fault and not isinstance(fault, ForeignError):
        lines.append(fault.diagnostic.message)
    return "\n".join(lines), fault


@needs_node
def test_expressions_have_the_values_that_node_computes() -> None:
    """Every operator on a part of all pairs of operands, and nested expressions."""
    generator = random.Random(37)
    expressions = generator.sample(every_operation(), examples(2000))
    expressions += [expression(generator) for _ in range(examples(1000))]
    text = reporting(expressions)
    (expected,) = printed([text])
    for engine in RUNS:
        found, _ = run(text, engine)
        lines = zip(expressions, expected.split("\n"), found.split("\n"), strict=False)
        assert [each for each in lines if each[1] != each[2]] == []
        assert found == expected


@needs_node
def test_programs_print_what_node_prints() -> None:
    texts = PROGRAMS.read_text(encoding="utf-8").split("// ----\n")
    for text, expected in zip(texts, printed(texts), strict=True):
        for engine in RUNS:
            assert run(text, engine)[0] == expected, text


@needs_node
def test_programs_print_what_node_prints_up_to_an_operation_without_a_meaning() -> None:
    own = [ValueProgram(random.Random(seed)).text() for seed in range(examples(100))]
    texts = [*own, *(f"const log = console.log;\n{text}" for text in sample([*programs().values()], 5))]
    complete = 0
    for number, (text, expected) in enumerate(zip(texts, printed(texts), strict=True)):
        found, fault = run(text, [*RUNS][number % len(RUNS)])
        assert expected.startswith(found) if isinstance(fault, ForeignError) else found == expected, text
        complete += not isinstance(fault, ForeignError)
    assert complete > len(own) // 4


@pytest.mark.parametrize("text", ["log('a'); log(this)", "(function () { log('a'); log(typeof this); })()"])
def test_a_run_ends_where_this_is_read(text: str) -> None:
    for engine in RUNS:
        found, fault = run(f"const log = console.log; {text}", engine)
        assert found == "a" and isinstance(fault, ForeignError)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('v := pure "js.number abc"() : $js.value;', "`main` reaches the foreign operation `js.number abc`"),
        ('v := pure "js.same"() : $js.value;', "`main` reaches `js.same` with unsuitable operands"),
        ('v := "js.unknown"(1) : $js.value;', "`main` reaches the foreign operation `js.unknown`"),
    ],
)
def test_texts_that_no_front_end_writes_end_in_an_error(statement: str, message: str) -> None:
    program = parse(f"main(ret : int → ⊥) → ⊥ {{ {statement} ret(0) }}")
    for run in RUNS.values():
        with pytest.raises(ForeignError, match=message):
            run(program, io.BytesIO())
