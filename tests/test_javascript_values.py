"""The values and operators of JavaScript under the engines, compared with Node."""

from __future__ import annotations

import gc
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse
from cpsconv.core.entry import entry_of
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import Function
from cpsconv.core.operations.dialects import ForeignError
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.engines import prepare
from cpsconv.engines.machine.machine import evaluate as evaluate_fast
from cpsconv.engines.machine.trace import Trace
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
    texts = [*own, *(f"const log = console.log;\n{text}" for text in sample([*programs().values()], 8))]
    complete = 0
    for number, (text, expected) in enumerate(zip(texts, printed(texts), strict=True)):
        found, fault = run(text, [*RUNS][number % len(RUNS)])
        assert expected.startswith(found) if isinstance(fault, ForeignError) else found == expected, text
        complete += not isinstance(fault, ForeignError)
    assert complete > len(own) // 4


@pytest.mark.parametrize(
    "text",
    [
        "log('a'); log(this)",
        "(function () { log('a'); log(typeof this); })()",
        "(function () { log('a'); const f = () => this; log('b'); })()",
        "log('a'); const f = () => () => this; log('b');",
    ],
)
def test_a_run_ends_where_this_is_read(text: str) -> None:
    """An arrow function reads `this` of the function around it when it is created."""
    for engine in RUNS:
        found, fault = run(f"const log = console.log; {text}", engine)
        assert found == "a" and isinstance(fault, ForeignError)


@pytest.mark.parametrize(
    "text",
    ["console.log(Error)", "typeof toString", "typeof __proto__", "constructor = 1", "'use strict'; undefined = 1"],
)
def test_properties_of_functions_and_of_the_global_object_have_no_meaning(text: str) -> None:
    for engine in RUNS:
        assert isinstance(run(text, engine)[1], ForeignError)


def test_a_long_bigint_is_read_in_each_radix() -> None:
    text = f"console.log(0x{'f' * 4000}n % 1000007n, {'9' * 5000}n % 1000007n)"
    for engine in RUNS:
        assert run(text, engine)[0] == f"{(16**4000 - 1) % 1000007}n {(10**5000 - 1) % 1000007}n"


@pytest.mark.parametrize("trace", [None, lambda record: None])
def test_steps_of_called_functions_are_limited(trace: Trace | None) -> None:
    program = convert(Source("a.js", "const f = (n) => { for (let i = 0; i < n; i++); return f; }; f(20)(20); f(20);"))
    with pytest.raises(StepLimit, match="not done after 60 steps"):
        evaluate_fast(program, max_steps=60, trace=trace)
    evaluate_fast(program, max_steps=300, trace=trace)


def test_a_run_does_not_keep_its_program_alive() -> None:
    for engine in RUNS:
        run("const kept_alive = () => 1; kept_alive();", engine)
    gc.collect()
    assert not any(isinstance(each, Function) and each.name == "kept_alive" for each in gc.get_objects())


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('v := pure "js.number abc"() : $js.value;', "`main` reaches the foreign operation `js.number abc`"),
        ('v := pure "js.same"() : $js.value;', "`main` reaches `js.same` with unsuitable operands"),
        ('v := "js.set x"(1) : $js.value;', "`main` reaches `js.set x` with unsuitable operands"),
        ('v := "js.closure"(4) : $js.value;', "`main` reaches `js.closure` with unsuitable operands"),
        ('v := "js.closure"(ptr(f)) : $js.value;', "`main` reaches `js.closure` with unsuitable operands"),
        (
            'v := "js.closure"(ptr(g), 1) : $js.value; w := "js.call"(v, v) : $js.value;',
            "`main` reaches `js.call` with unsuitable operands",
        ),
        ('v := "js.unknown"(1) : $js.value;', "`main` reaches the foreign operation `js.unknown`"),
    ],
)
def test_texts_that_no_front_end_writes_end_in_an_error(statement: str, message: str) -> None:
    other = "f(n : int, ret : int → ⊥) → ⊥ { ret(n + 1) } g(ret : int → ⊥) → ⊥ { ret(0) }"
    program = parse(f"main(ret : int → ⊥) → ⊥ {{ {statement} ret(0) }} {other}")
    for run in RUNS.values():
        with pytest.raises(ForeignError, match=message):
            run(program, io.BytesIO())
