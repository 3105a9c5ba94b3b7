"""Foreign operations and types: a made-up language goes through every command, though no room understands it."""

from __future__ import annotations

import copy
import io
import pickle
import re
from pathlib import Path

import pytest

from cpsconv import (
    Builder,
    BuildError,
    DiagnosticError,
    Program,
    Source,
    Variable,
    convert,
    evaluate,
    ir,
    parse,
    pretty,
)
from cpsconv.abi.linking import link
from cpsconv.core.attributes import ATTRIBUTES
from cpsconv.core.check import certify, check
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.construction.record import Recorder
from cpsconv.core.evaluator import evaluate as evaluate_small
from cpsconv.core.ir import INT, PTR, Constant, Foreign, foreign_type
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.dialects import ForeignError, ForeignOperations, Host
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.table import DIALECTS
from cpsconv.core.text import reformat
from cpsconv.core.transform.memory_accesses import simplify_accesses
from cpsconv.engines import ENGINES, prepare
from cpsconv.languages import LANGUAGES, Language
from cpsconv.targets import TARGETS
from tests import matrix_language
from tests.conftest import Run
from tests.tables import table
from tests.test_small_evaluator import as_end

SOURCE = """\
function f(A n)
loop:
  A = multiply A A
  n = ?trace A
  log A n
  choose positive n: loop done
done:
  return n
"""

PROGRAMS = table("foreign")
"""The longer programs of these tests."""

TEXT = PROGRAMS["TEXT"]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The language, and a source in the empty folder of `cpsconv`."""
    monkeypatch.setitem(LANGUAGES, "matrix", Language((".mx",), "tests.matrix_language"))
    (tmp_path / "f.mx").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "f.cps").write_text(TEXT, encoding="utf-8")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("option", [(), ("-O",), ("--certify",), ("--thread-jumps", "--certify"), ("--no-minimal",)])
def test_each_strategy_constructs_the_same_program(cpsconv: Run, strategy: str, option: tuple[str, ...]) -> None:
    assert cpsconv("convert", "f.mx", "--strategy", strategy, *option) == (0, TEXT, "")


def test_the_text_and_json_are_read_back(cpsconv: Run) -> None:
    assert cpsconv("convert", "f.cps", "--emit", "json", "-o", "f.json").status == 0
    for layout in ("nested", "flat"):
        text = cpsconv("convert", "f.json", "--layout", layout, "--ascii").out
        assert pretty(parse(text)) == TEXT
    assert cpsconv("fmt", "--check", "f.cps").status == 0
    assert cpsconv("check", "f.json") == (0, "f.json: ok\n", "")
    (_, first), (_, second), *_ = [(each.op, each) for each in parse(TEXT).statements()]
    assert isinstance(first, ir.Effect) and isinstance(second, ir.Primitive) and second.of == Foreign("matrix.trace")


EXPECTED = {
    ("check", "f.mx"): "f.mx: ok, certified: 2 continuations, 1 parameter",
    ("compare", "f.mx"): "cytron",
    ("explain", "f.mx"): "the foreign operation matrix.positive to `loop` or `done`: `loop` is filled",
    ("explain", "--html", "page.html", "f.mx"): "",
    ("why", "f.mx:f", "A1"): "line 3: A = multiply A A",
    ("graph", "--format", "dot", "f.mx"): "matrix.positive",
    ("graph", "--format", "mermaid", "f.mx"): '|"1 ⇒ A2"|',
    ("convert", "--emit", "ssa", "f.mx"): '  "matrix.positive"(n1) {\n    goto loop\n    goto done\n  }\n',
    ("convert", "--emit", "latex", "f.mx"): "matrix",
    ("convert", "--emit", "record", "f.mx"): '"of": {"foreign": "matrix.multiply"}',
    ("check", "--independent", "f.mx"): "f.mx: ok, certified by both checkers: 2 continuations, 1 parameter",
    ("stats", "f.mx"): "1 of 1 file certified",
    ("link", "f.cps", "g.cps"): '  "matrix.abort"()',
}


@pytest.mark.parametrize(("arguments", "expected"), EXPECTED.items())
def test_commands_treat_foreign_operations_like_others(
    cpsconv: Run, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "g.cps").write_text('g() → ⊥ { "matrix.abort"() }', encoding="utf-8")
    done = cpsconv(*arguments)
    assert (done.status, done.err) == (0, "") and expected in done.out
    if "--html" in arguments:
        assert "matrix.positive" in (tmp_path / "page.html").read_text(encoding="utf-8")


def refused(who: str) -> list[str]:
    """The errors of an engine or target that cannot handle the program."""
    lines = [(3, "multiply"), (4, "trace"), (5, "log"), (6, "positive")]
    return [f"f.mx:{line}:3: error: {who} the foreign operation `matrix.{name}` of `f`" for line, name in lines]


WITH_FOREIGN = ("cps", "ssa", "json", "latex", "mermaid")
"""The targets that write foreign operations, all or some."""


@pytest.mark.parametrize("target", [name for name in TARGETS if name not in WITH_FOREIGN])
def test_other_targets_name_what_they_cannot_write(cpsconv: Run, target: str) -> None:
    done = cpsconv("convert", "--emit", target, "f.mx")
    name = target.replace("-", "_")
    assert done.status == 1 and [each for each in done.err.splitlines() if "error" in each] == refused(
        f"the target `{name}` cannot write"
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_ends_at_the_first_foreign_operation_that_it_reaches(cpsconv: Run, engine: str) -> None:
    Path("ends.cps").write_text(PROGRAMS["ENDS"], encoding="utf-8")
    run = "run", "--engine", engine, "--entry", "f", "ends.cps"
    assert cpsconv(*run, "1").out == "3\n"
    for argument, end in (("2", "3:8: runtime error: `g` reaches the foreign operation `x.y`"), ("3", "10:5: ")):
        done = cpsconv(*run, argument)
        assert done.status == 134 and done.out == "before" and done.err.startswith(f"ends.cps:{end}")
    if engine == "machine":
        assert f"ends.cps:{end}" in cpsconv(*run, "3", "--trace").err
        assert "the program is done: aborted" in cpsconv("step", "--entry", "f", "ends.cps", "3", stdin="r").out


def test_a_function_with_foreign_parameters_cannot_be_started(cpsconv: Run) -> None:
    done = cpsconv("run", "f.mx", "1", "2")
    message = "f.mx:1:10: error: `f` cannot be started: its parameter `A` is a `$matrix.t`"
    assert done.status == 1 and done.err.splitlines()[0] == message


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_name_the_foreign_types_that_they_cannot_run(cpsconv: Run, engine: str) -> None:
    Path("g.cps").write_text(f"{TEXT} main(ret : int → ⊥) → ⊥ {{ f(undef(t : $matrix.t), 1, ret) }}", encoding="utf-8")
    done = cpsconv("run", "--engine", engine, "g.cps")
    message = f"error: the engine `{engine}` cannot run the foreign type `$matrix.t` in `f`"
    assert done.status == 1 and message in done.err


@pytest.mark.parametrize("engine", ["evaluator", "machine", "python"])
def test_a_dialect_executes_foreign_operations(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setitem(DIALECTS, "matrix", "tests.matrix_language:Matrices")
    program = parse(Source("run.cps", PROGRAMS["EXECUTED"]))

    def run(argument: int) -> tuple[object, bytes]:
        output = io.BytesIO()
        if engine == "evaluator":
            (value,) = evaluate_small(program, "main", [argument], output=output).arguments
        else:
            main = prepare(program, program.functions[0], engine)
            value = main([argument], output=output, errors=io.BytesIO()).value
        return value, output.getvalue()

    assert run(2) == (131072, b"(4, 4) 8\n(16, 16) 32\n(256, 256) 512\n(65536, 65536) 131072\n")
    for argument, message in ((0, "2:8: .*the matrix is zero"), (3, "5:21: .*`main` reaches .* `matrix.unknown`")):
        with pytest.raises(ProgramError, match=message):
            run(argument)


CALLS = """
main(n : int, ret : int → ⊥) → ⊥ { "matrix.apply"(ptr(f), n); v := "matrix.apply"(ptr(g), n) : int; ret(v) }
f(n : int, ret : () → ⊥) → ⊥ {
  let
    ends := () → ⊥ halt(7)
    returns := () → ⊥ ret()
  in
  switch(n, 0 ⇒ ends, _ ⇒ returns)
}
g(n : int, ret : int → ⊥) → ⊥ { v := "matrix.apply"(ptr(h), n) : int; ret(v + 1) }
h(n : int, ret : int → ⊥) → ⊥ {
  let
    ends := () → ⊥ "matrix.apply"(ptr(e), n); ret(0)
    returns := () → ⊥ ret(n)
  in
  switch(n, 1 ⇒ ends, _ ⇒ returns)
}
e(n : int) → ⊥ { halt(n) }
"""


@pytest.mark.parametrize(("argument", "end"), [(0, ("halt", [7])), (1, ("halt", [1])), (2, ("return", [3]))])
def test_functions_that_a_dialect_calls_end_the_program_or_have_no_result(
    monkeypatch: pytest.MonkeyPatch, argument: int, end: tuple[str, list[int]]
) -> None:
    monkeypatch.setitem(DIALECTS, "matrix", "tests.matrix_language:Matrices")
    program = parse(Source("calls.cps", CALLS))
    assert evaluate_small(program, "main", [argument]) == end
    for engine in ("machine", "python"):
        outcome = prepare(program, program.functions[0], engine)([argument], output=io.BytesIO(), errors=io.BytesIO())
        assert as_end(outcome) == end


def test_a_fault_in_a_called_function_is_not_one_of_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DIALECTS, "matrix", "tests.matrix_language:Matrices")

    def call(function: ir.Function, arguments: object) -> None:
        raise KeyError(function)  # as a fault of an engine

    program = parse(TEXT)
    host = Host(program, lambda _: program.functions[0], call, io.BytesIO().write)
    with pytest.raises(RuntimeError, match="a call of `f` failed"):
        ForeignOperations(host).action("matrix.apply", "main")(1, (1, 1), 1)
    with pytest.raises(ForeignError, match="with unsuitable operands"):
        ForeignOperations(host).action("matrix.trace", "main")((), "a")


def test_a_trace_shows_foreign_values_and_the_choices_of_a_dialect(
    cpsconv: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DIALECTS, "matrix", "tests.matrix_language:Matrices")
    text = PROGRAMS["EXECUTED"].replace('v := "matrix.apply"(ptr(f), A, n) : int; ret(v)', "f(A, n, ret)")
    Path("run.cps").write_text(text, encoding="utf-8")
    done = cpsconv("eval", "--trace", "run.cps", "30")
    assert "f(A = <30 30>, n = 30, ret = end)" in done.err and "switch(1) → ret(1800)" in done.err
    done = cpsconv("eval", "--trace=json", "run.cps", "30")
    assert '"value": {"foreign": "<30 30>"}' in done.err
    assert (
        "`main` reaches the foreign operation `matrix.diag" in cpsconv("eval", "--engine", "llvm", "run.cps", "3").err
    )


@pytest.mark.parametrize(
    "command", [("run", "--trace", "f.mx"), ("eval", "--trace=json", "f.cps"), ("step", "f.mx"), ("step", "f.cps")]
)
def test_no_step_precedes_the_refusal(cpsconv: Run, command: tuple[str, ...]) -> None:
    done = cpsconv(*command, "1", "2")
    start = r"f\.\w+:\d+:\d+: error: `f` cannot be started: its parameter `A` is a `\$matrix\.t`\n"
    assert done.status == 1 and done.out == "" and re.match(start, done.err)


def test_programs_with_foreign_operations_are_not_compared_by_runs(cpsconv: Run) -> None:
    done = cpsconv("check", "--against", "f.cps", "f.mx")
    assert done.status == 1 and "f: not compared: `f` cannot be started: its parameter `A` is a `$matrix.t`" in done.out


def test_the_evaluator_refuses_programs_with_foreign_parts_and_the_small_one_ends_at_foreign_operations() -> None:
    operation = parse('main(ret : int → ⊥) → ⊥ { "x.y"() [λ(). ret(1)] }')
    type = parse("f(t : $x.t, k : int → ⊥) → ⊥ { k(1) } main(k : int → ⊥) → ⊥ { f(undef(t : $x.t), k) }")
    for program in (operation, type):
        with pytest.raises(DiagnosticError, match="cannot run the foreign"):
            evaluate(program)
    with pytest.raises(ProgramError, match=r"`main` reaches the foreign operation `x\.y`"):
        evaluate_small(operation)
    assert evaluate_small(type).arguments == [1]


def test_memory_cannot_be_explicit_with_foreign_effects(cpsconv: Run) -> None:
    done = cpsconv("convert", "--explicit-memory", "f.mx")
    assert done.status == 1 and "f.mx:3:3: error: the memory of a program with foreign effects" in done.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('v := impure "x.y"(n) : int; ret(v)', "expected `pure`, found `impure`"),
        ('v := "x.y"(k) : int; ret(v)', "`x.y` does not take"),
        ('v := "x.y"(n) : int → ⊥; ret(n)', "the result of a foreign operation is no int → ⊥"),
        ('"x.y"(ret) [k]', "an operand of a foreign operation is no int → ⊥"),
        ('"x.y"(n) [ret]', "`ret` takes 1 argument"),
        ('"\\xff"(n); ret(n)', "the text of a foreign operation is not UTF-8"),
        ("v := $x.t(n); ret(n)", r"`\$x.t` does not take int"),
        ("v := t + t; ret(n)", r"does not take \$x.t and \$x.t"),
        ("v := $x.t[p]; ret(n)", r"memory cannot contain a \$x.t"),
    ],
)
def test_wrong_foreign_operations_are_reported(body: str, message: str) -> None:
    let = "let k := () → ⊥ ret(1) in " if "k" in body else ""
    statements, _, transfer = body.rpartition("; ")
    text = (
        f"f(n : int, p : ptr, t : $x.t, ret : int → ⊥) → ⊥ {{ {statements}{';' * bool(statements)} {let}{transfer} }}"
    )
    with pytest.raises(DiagnosticError, match=message):
        parse(text)


def test_texts_of_operations_and_types_may_have_any_characters() -> None:
    text = 'f(t : $`x.a b`, ret : $`x.a b` → ⊥) → ⊥ {\n  "x \\303\\251 \\"q\\" \\n"(t);\n  ret(t)\n}\n'
    program = parse(text)
    assert pretty(program) == text == reformat(Source("f.cps", text)) == pretty(from_json(to_json(program)))
    (statement,) = program.statements()
    assert statement.of == Foreign('x é "q" \n') and program.functions[0].parameters[0].type is foreign_type("x.a b")
    for copied in (copy.deepcopy(foreign_type("x.t")), pickle.loads(pickle.dumps(foreign_type("x.t")))):
        assert copied is foreign_type("x.t")


def test_json_checks_foreign_operations() -> None:
    json = to_json(parse('f(n : int, ret : int → ⊥) → ⊥ { v := pure "x.y"(n) : int; ret(v) }'))
    for wrong in ('"of": {"foreign": 3}', '"of": "int"'):
        with pytest.raises(ValueError, match="not a program in JSON"):
            from_json(json.replace('"of": {"foreign": "x.y"}', wrong))


def test_the_builder_checks_foreign_operations() -> None:
    b = Builder()
    function = b.function("f", [("n", INT)], INT)
    n, other = function.parameters[0], b.continuation("other")
    with pytest.raises(BuildError, match="is pure, so it has a result"):
        b.foreign("x.y", n, pure=True)
    with pytest.raises(BuildError, match=r"an operand of x\.y"):
        b.foreign("x.y", function.ret)
    with pytest.raises(BuildError, match=r"an operand of x\.y"):
        b.foreign_transfer("x.y", [function.ret], [other])
    with pytest.raises(BuildError, match="there is no attribute"):
        b.foreign("x.y", n, attributes={"wrong": True})
    b.foreign_transfer("x.y", [b.foreign("x.z", n, type=foreign_type("x.t"))], [other, other])
    b.open(other)
    b.ret(n)
    b.finish()
    assert check(b.program()) == []


def test_pure_operations_are_computed_once_and_effects_are_kept() -> None:
    b = Builder(simplify=["cse", "fold", "arithmetic"])
    n = b.function("f", [("n", INT)], INT).parameters[0]
    one, two = (b.foreign("x.y", n, Constant(INT, 1), type=INT, pure=True) for _ in range(2))
    assert one is two and b.foreign("x.z", n, Constant(INT, 1), type=INT, pure=True) is not one
    constant = b.foreign("x.y", Constant(INT, 1), type=INT, pure=True)
    assert isinstance(constant, ir.Primitive)
    assert b.foreign("x.y", n, type=INT) is not b.foreign("x.y", n, type=INT)
    b.ret(b.primitive("+", one, constant))
    b.finish()
    unused = convert(Source("f.mx", SOURCE.replace("  log A n\n", "  A = ?unused A\n")), optimise=["dead"])
    assert "matrix.unused" in pretty(unused)
    unused = convert(Source("f.mx", SOURCE.replace("  log A n\n", "  B = ?unused A\n")), optimise=["dead"])
    assert "matrix.unused" not in pretty(unused) and "matrix.multiply" in pretty(unused)


def test_a_certificate_covers_foreign_transfers() -> None:
    recorder = Recorder()
    b = Builder(observer=recorder)
    x = Variable("x", INT)
    b.function("f", [x], INT)
    one, two = b.continuation("one"), b.continuation("two")
    b.foreign_transfer("x.choose", [b.read_variable(x)], [one, two])
    for block, number in ((one, 1), (two, 2)):
        b.open(block)
        b.ret(b.primitive("+", b.read_variable(x), Constant(INT, number)))
    b.finish()
    program = b.program()

    def faults(change: str, value: object) -> list[str]:
        transfer = program.functions[0].transfer
        before = getattr(transfer, change)
        setattr(transfer, change, value)
        found = [each.message for each in certify(program, recorder.record, recorder.stated)]
        setattr(transfer, change, before)
        return found

    transfer = program.functions[0].transfer
    assert isinstance(transfer, ir.ForeignTransfer) and faults("text", transfer.text) == []
    assert faults("text", "x.other") and faults("values", [Constant(INT, 3)]) and faults("values", [])
    assert faults("targets", transfer.targets[::-1]) and faults("targets", transfer.targets[:1])


MEMORY = """\
f(p : ptr, ret : int → ⊥) → ⊥ {
  b := allocate int;
  int[b] := 1;
  OPERATION
  v := int[b];
  int[b] := 2;
  deallocate(b);
  ret(v)
}
"""


@pytest.mark.parametrize("operation", ['"x.y"(b);', '"x.y"();', 'q := pure "x.cast"(b) : ptr; "x.y"(q);'])
def test_a_foreign_effect_may_access_every_object(operation: str) -> None:
    program = parse(MEMORY.replace("OPERATION", operation))
    simplify_accesses(program)
    text = pretty(program)
    assert "int[b] := 1;" in text and ":= int[b];" in text


def test_a_foreign_transfer_may_access_every_object() -> None:
    text = (
        MEMORY.replace("  OPERATION\n", "")
        .replace("  v := int[b];", "  let k := () → ⊥ v := int[b];")
        .replace("  ret(v)\n}", '  ret(v) in "x.y"(b) [k]\n}')
    )
    program = parse(text)
    simplify_accesses(program)
    assert "int[b] := 1;" in pretty(program) and ":= int[b];" in pretty(program)


def test_linking_keeps_foreign_operations() -> None:
    program = link([parse(TEXT), parse('g(t : $matrix.t) → ⊥ { "matrix.abort"(t) }')])
    assert pretty(program).startswith(TEXT) and program.function("g")


def test_the_attributes_of_the_language_are_registered() -> None:
    assert {*matrix_language.NAMES} <= ATTRIBUTES.keys()
    with pytest.raises(DiagnosticError, match=r"the attribute `matrix\.label` is not one of a program"):
        parse(f'@matrix.label("x");\n{TEXT}')
    assert isinstance(parse(TEXT), Program) and PTR.kind == "pointer"
