"""The trace: the records of a run, and their text."""

from __future__ import annotations

import io
import json
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from cpsconv import Builder, Program, Source, Variable, convert, read_source
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import INT
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.engines.machine.machine import evaluate
from cpsconv.engines.machine.trace import ContinuationName, TraceRecord
from cpsconv.engines.machine.trace_json import trace_as_json
from cpsconv.engines.machine.trace_text import TextTrace
from testing.effort import each_in_turn, examples
from testing.ir_programs import programs, samples
from testing.running import LAYOUTS, program_of, reread

ROOT = Path(__file__).parent.parent
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "trace.schema.json").read_text(encoding="utf-8")))
EXAMPLES: dict[str, list[str]] = {
    "fig8": ["0"],
    "fig5": ["1", "3"],
    **{name: [] for name in ("gcd", "even_odd", "number_scanner", "roman", "bits", "bisection", "duff")},
}


def example(name: str) -> Program:
    return convert(read_source(str(ROOT / "examples" / f"{name}.c")))


def traced(
    program: Program, *arguments: str, entry: str | None = None, max_steps: int | None = 3000
) -> tuple[list[TraceRecord], str]:
    """The records of a run, and its output."""
    records: list[TraceRecord] = []
    output = io.BytesIO()
    function = entry_of(program, entry)
    values = parse_arguments(function, arguments)
    with suppress(ProgramError):
        evaluate(
            program, function.name, values, output=output, errors=output, trace=records.append, max_steps=max_steps
        )
    return records, output.getvalue().decode("latin-1")


def text(program: Program, *arguments: str) -> list[str]:
    """The lines of the trace."""
    shown = TextTrace(program)
    records, _ = traced(program, *arguments)
    return [shown.header(), *(line for record in records for line in shown.lines(record))]


def transfers(program: Program, *arguments: str) -> list[str]:
    """The last column of the trace."""
    header, *lines = text(program, *arguments)
    return [line[header.index("transfer") :] for line in lines]


# ------------------------------------------------------------------------------------------------------------- text


FIBONACCI = """\
int fib(int n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
"""


def test_figure_8() -> None:
    source = (ROOT / "examples" / "fig8.c").read_text(encoding="utf-8")
    assert text(convert(Source("fig8.c", source)), "7") == [
        "  step   line  fig8.c         in    transfer",
        "     1     11  if (x == 0) {  f     branch(false) → else",
        "     2     14  a = 42;        else  next(a = 42)",
        "     3     16  return a;      next  ret(42) → end",
    ]


def test_a_jump_that_the_source_does_not_contain_has_the_location_of_the_call_before_it() -> None:
    program = program_of(
        "void g(int n) { }\nvoid f(int n) {\n    int a;\n    while (n > 0) { a = n--;\n        g(a);\n    }\n}\n"
    )
    records, _ = traced(program, "1", entry="f")
    assert [(record.at.continuation, record.span and record.span.line) for record in records[1:5]] == [
        ("while", 4),
        ("body", 5),
        ("g", 1),
        ("after_g", 5),
    ]


def test_calls_are_indented_and_returns_show_their_targets() -> None:
    assert text(program_of(FIBONACCI), "2") == [
        "  step   line  program.c                        in          transfer",
        "     1      2  if (n < 2)                       fib         branch(false) → next",
        "     2      4  return fib(n - 1) + fib(n - 2);  next        fib(n = 1, ret = after_fib)",
        "     3      2  if (n < 2)                       fib         │ branch(true) → then",
        "     4      3  return n;                        then        │ ret(v = 1) → after_fib",
        "     5      4  return fib(n - 1) + fib(n - 2);  after_fib   fib(n = 0, ret = after_fib1)",
        "     6      2  if (n < 2)                       fib         │ branch(true) → then",
        "     7      3  return n;                        then        │ ret(v1 = 0) → after_fib1",
        "     8      4  return fib(n - 1) + fib(n - 2);  after_fib1  ret(1) → end",
    ]


def test_with_several_functions_each_continuation_is_shown_with_its_function() -> None:
    program = program_of("int one(void) { return 1; }\nint main(void) { return one() + 1; }\n")
    assert text(program) == [
        "  step   line  program.c                             in              transfer",
        "     1      2  int main(void) { return one() + 1; }  main            one(ret = after_one)",
        "     2      1  int one(void) { return 1; }           one             │ ret(v = 1) → main.after_one",
        "     3      2  int main(void) { return one() + 1; }  main.after_one  ret(2) → end",
    ]


def test_cps_text_has_its_own_lines() -> None:
    program = program_of(
        "f(ret : int → ⊥) → ⊥ {\n  let\n    k := (x : int) → ⊥\n      ret(x)\n  in\n  k(1 +\n    2)\n}\n"
    )
    assert text(program) == [
        "  step   line  program.cps  in  transfer",
        "     1      6  k(1 +        f   k(x = 3)",
        "     2      4  ret(x)       k   ret(3) → end",
    ]


def test_a_program_without_a_source_has_no_columns_for_one() -> None:
    builder, x = Builder(), Variable("x", INT)
    builder.function("f", [x], INT)
    builder.ret(builder.read_variable(x))
    program = Program([builder.finish()])
    assert text(program, "1") == ["  step  in  transfer", "     1  f   ret(1) → end"]
    assert json.loads(trace_as_json(traced(program, "1")[0][0]))["source"] is None


CHOICES = """
f(x : double, ret : () → ⊥) → ⊥ {
  let
    k := (x : bool, c : () → ⊥, s : string, b : char) → ⊥
      switch(int(x), 0 ⇒ c, _ ⇒ λ(). k(false, ret, "b\\n", '\\n'))
  in
  k(x > 1.5, ret, "a", 'a')
}
"""


def test_values_are_written_as_in_the_text_and_a_continuation_by_its_name() -> None:
    assert transfers(program_of(CHOICES), "2.5") == [
        "k(x1 = true, c = end, s = \"a\", b = 'a')",
        "switch(1) → k(x1 = false, c = end, s = \"b\\n\", b = '\\n')",
        "switch(0) → c → end",
    ]


def test_a_parameter_is_not_confused_with_a_continuation_of_the_same_name() -> None:
    program = program_of("""
    f(k : () → ⊥) → ⊥ { k() }
    main(ret : () → ⊥) → ⊥ {
      let k := () → ⊥ ret() in
      f(k)
    }
    """)
    assert transfers(program) == ["f(k = k)", "│ k() → main.k", "ret() → end"]


def test_an_undefined_value_is_passed_and_a_branch_on_it_is_recorded_before_it_fails() -> None:
    program = program_of("""
    f(ret : () → ⊥) → ⊥ {
      let
        k := (x : bool) → ⊥
          branch(x, ret, ret)
      in
      k(undef(y : bool))
    }
    """)
    assert transfers(program) == ["k(x = undef)", "branch(undef)"]
    last = traced(program)[0][-1]
    assert (last.target, last.to, last.arguments) == (None, None, ())


def test_the_ends_of_a_program_are_named() -> None:
    assert transfers(program_of("f(ret : () → ⊥) → ⊥ { ret() }")) == ["ret() → end"]
    assert transfers(program_of("f(ret : () → ⊥) → ⊥ { halt(3) }")) == ["halt(3)"]
    assert transfers(program_of("f(ret : () → ⊥) → ⊥ { abort() }")) == ["abort()"]


def test_long_names_values_and_lists_are_truncated() -> None:
    parameters = ", ".join(f"x{number} : int" for number in range(20))
    program = program_of(f"""
    f(s : string, ret : () → ⊥) → ⊥ {{
      let
        a_very_long_name_of_a_continuation := ({parameters}, t : string) → ⊥
          puts("{"x" * 1000}");
          ret()
        k := (s : string) → ⊥
          a_very_long_name_of_a_continuation({"1, " * 20} s)
      in
      k(s)
    }}
    """)
    first, second, written, third = text(program, "é" * 1000)[1:]
    assert "k(s1 = " in first
    assert second.endswith("x7 = 1, … 13 more)")
    assert "a_very_long_name_of_a_c…  ret() → end" in third
    assert max(map(len, (first, second, written, third))) < 200


def test_output_is_shown_on_one_line_before_the_transfer_that_follows_it() -> None:
    program = program_of('#include <stdio.h>\nint main(void) { puts("\\tgrün \\033[1m"); return 0; }\n')
    records, output = traced(program)
    assert "".join(record.output for record in records) == output
    assert transfers(program) == ['writes "\\tgrün �[1m\\n"', "ret(0) → end"]


def test_many_bars_are_replaced_by_their_number() -> None:
    program = program_of("int sum(int n) { return n ? n + sum(n - 1) : 0; }\n")
    calls = [line for line in transfers(program, "10") if "sum(" in line]
    assert calls[1] == "│ sum(n = 8, ret = after_sum)"
    assert calls[8] == "│ │ │ │ │ │ │ │ sum(n = 1, ret = after_sum)"
    assert calls[9] == "│           9 │ sum(n = 0, ret = after_sum)"


def test_deep_recursion_is_followed_to_its_end() -> None:
    records, _ = traced(program_of("int sum(int n) { return n ? n + sum(n - 1) : 0; }\n"), "5000", max_steps=None)
    assert max(record.depth for record in records) == 5000
    assert records[-1].depth == 0


# ------------------------------------------------------------------------------------------------------------ depth


def test_a_tail_call_is_no_deeper_and_a_return_leads_back_to_the_call() -> None:
    program = program_of("""
    f(n : int, ret : int → ⊥) → ⊥ {
      let again := () → ⊥ f(n - 1, ret) in
      branch(n == 0, λ(). ret(7), again)
    }
    main(ret : int → ⊥) → ⊥ {
      f(3, λ(a : int). ret(a))
    }
    """)
    records, _ = traced(program)
    assert [record.depth for record in records] == [0, *[1] * 7, 0]
    assert records[-2].to == records[-1].at


def test_a_continuation_that_is_entered_again_has_the_depth_of_its_creation() -> None:
    program = program_of("""
    twice(k : (int, () → ⊥) → ⊥) → ⊥ {
      let second := () → ⊥ k(2, abort) in
      k(1, second)
    }
    main(ret : int → ⊥) → ⊥ {
      let k := (x : int, go : () → ⊥) → ⊥ branch(x == 2, λ(). ret(x), go) in
      twice(k)
    }
    """)
    records, _ = traced(program)
    assert [(str(record.at), record.depth) for record in records] == [
        ("main", 0),
        ("twice", 1),
        ("main.k", 0),
        ("twice.second", 1),
        ("main.k", 0),
    ]


# -------------------------------------------------------------------------------------------------------- agreement


def facts(records: list[TraceRecord]) -> list[Any]:
    """The records as data without their sources. Continuations are numbered in order: some texts omit their names."""
    numbers: dict[Any, int] = {}

    def numbered(data: Any) -> Any:
        if isinstance(data, list):
            return [numbered(item) for item in data]
        if isinstance(data, dict) and "continuation" in data:
            return numbers.setdefault((data["function"], data["continuation"]), len(numbers))
        return {key: numbered(item) for key, item in data.items()} if isinstance(data, dict) else data

    return [numbered({**json.loads(trace_as_json(record)), "source": None}) for record in records]


@each_in_turn(name=[*EXAMPLES], layout=LAYOUTS)
def test_examples_and_their_texts_have_the_same_trace(name: str, layout: Any) -> None:
    program = example(name)
    records, _ = traced(program, *EXAMPLES[name])
    assert records
    assert facts(records) == facts(traced(reread(program, layout), *EXAMPLES[name])[0])


def traced_random(program: Program) -> list[TraceRecord]:
    """The first records of a run of the first function; none if it cannot be started."""
    first = program.functions[0]
    arguments = samples(first)
    return traced(program, *arguments, entry=first.name, max_steps=100)[0] if arguments is not None else []


@settings(max_examples=examples(60))
@given(programs())
def test_any_program_and_its_texts_have_the_same_trace(program: Program) -> None:
    expected = facts(traced_random(program))
    for layout in LAYOUTS:
        assert facts(traced_random(reread(program, layout))) == expected


@settings(max_examples=examples(60))
@given(programs())
def test_any_record_can_be_shown_and_read(program: Program) -> None:
    shown = TextTrace(program)
    for number, record in enumerate(traced_random(program), 1):
        assert record.step == number
        assert all("\n" not in line for line in shown.lines(record))
        SCHEMA.validate(json.loads(trace_as_json(record)))
        record.scope()


def test_a_call_with_other_types_is_recorded() -> None:
    wrong = program_of("main(ret : int → ⊥) → ⊥ {\n  call(ptr(main), 1, ret)\n}\n")
    (record,), _ = traced(wrong)
    assert [argument.name for argument in record.arguments] == [None, None]


def test_there_are_as_many_records_as_steps_are_counted() -> None:
    program = example("gcd")
    records, _ = traced(program)
    nowhere = io.BytesIO()
    evaluate(program, output=nowhere, errors=nowhere, max_steps=len(records))
    with pytest.raises(StepLimit):
        evaluate(program, output=nowhere, errors=nowhere, max_steps=len(records) - 1)
    for limit in (0, 1, len(records) - 1):
        assert len(traced(program, max_steps=limit)[0]) == limit
    assert [record.step for record in records] == [*range(1, len(records) + 1)]


def test_a_long_trace_takes_no_memory() -> None:
    program = program_of("int f(int n) { int i = 0; while (i < n) i++; return i; }")
    shown = TextTrace(program)
    nowhere = io.BytesIO()

    def peak(rounds: int) -> int:
        tracemalloc.start()
        try:
            evaluate(
                program, "f", [rounds], output=nowhere, errors=nowhere, trace=lambda record: [*shown.lines(record)]
            )
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(4_000) < peak(20) + 100_000


# ------------------------------------------------------------------------------------------------------------- JSON


def read(line: str) -> tuple[int, int, int, str, str]:
    """The columns of the text for a line of JSON: step, depth, number and text of the source line, transfer."""
    data = json.loads(line)
    SCHEMA.validate(data)

    def name(place: dict[str, str]) -> str:
        if "external" in place:
            return {"return": "end"}.get(place["external"], place["external"])
        here = place["function"] in (data["at"]["function"], place["continuation"])
        return place["continuation"] if here else f"{place['function']}.{place['continuation']}"

    def value(datum: dict[str, Any]) -> str:
        return name(datum["value"]) if isinstance(datum["value"], dict) else json.dumps(datum["value"])

    arguments = [f"{each['name']} = {value(each)}" if each["name"] else value(each) for each in data["arguments"]]
    transfer = f"{data['target']}({', '.join(arguments)})" if arguments or not data["condition"] else data["target"]
    if data["target"] != name(data["to"]):
        transfer += f" → {name(data['to'])}"
    choice = f"{data['kind']}({value(data['condition'])}) → " if data["condition"] else ""
    source = data["source"]
    return data["step"], data["depth"], source["line"], source["text"].strip(), choice + transfer


@pytest.mark.parametrize(
    ("program", "arguments"),
    [(example("fig8"), ["0"]), (example("gcd"), []), (program_of(FIBONACCI), ["5"])],
    ids=["fig8", "gcd", "fibonacci"],
)
def test_a_line_of_json_and_a_line_of_text_agree(program: Program, arguments: list[str]) -> None:
    shown = TextTrace(program)
    start = shown.header().index("transfer")
    for record in traced(program, *arguments)[0]:
        step, depth, number, source, transfer = read(trace_as_json(record))
        line = shown.transfer(record)
        assert line.split()[:2] == [str(step), str(number)]
        assert source[:30] in line
        assert line[start:] == "│ " * depth + transfer


def test_special_values_in_json() -> None:
    program = program_of("""
    f(ret : () → ⊥) → ⊥ {
      let
        k := (a : double, b : unsigned long, c : string, d : int, e : () → ⊥) → ⊥
          e()
      in
      k(1.0 / 0.0, 18446744073709551615ul, "\\377", undef(x : int), ret)
    }
    """)
    first = json.loads(trace_as_json(traced(program)[0][0]))
    assert first["arguments"] == [
        {"name": "a", "type": "double", "value": "inf"},
        {"name": "b", "type": "unsigned long", "value": "18446744073709551615"},
        {"name": "c", "type": "string", "value": "ÿ"},
        {"name": "d", "type": "int", "value": {"undef": "x"}},
        {"name": "e", "type": {"parameters": []}, "value": {"external": "return"}},
    ]
    SCHEMA.validate(first)


# ------------------------------------------------------------------------------------------------------------ scope


def test_the_scope_has_the_values_of_the_dominators_only() -> None:
    seen: dict[str, dict[str | None, object]] = {}

    def note(record: TraceRecord) -> None:
        seen[record.at.continuation] = {datum.name: datum.value for datum in record.scope()}

    program = program_of("""
    f(n : int, ret : int → ⊥) → ⊥ {
      let
        body := (i : int) → ⊥
          j := i + 1;
          k(j, j)
        k := (a : int, b : int) → ⊥
          ret(a + b)
      in
      body(n)
    }
    """)
    evaluate(program, "f", [5], output=io.BytesIO(), errors=io.BytesIO(), trace=note)
    end = ContinuationName(None, "return")
    assert seen == {
        "f": {"n": 5, "ret": end},
        "body": {"n": 5, "ret": end, "i": 5, "j": 6},
        "k": {"n": 5, "ret": end, "i": 5, "j": 6, "a": 6, "b": 6},
    }
