"""The second checker: it accepts every conversion, and refuses every planted fault that changes what a program does."""

from __future__ import annotations

import ast
import itertools
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.checker_faults import add_fault, converted, new_tally, tally
from cpsconv import Source
from cpsconv.cli import main
from cpsconv.core import ir
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined, replace_undefined
from cpsconv.core.check.independent import CHECKER, checker, independent_faults
from cpsconv.core.construction import Builder
from cpsconv.core.construction.record import Recorder
from cpsconv.core.json import from_json
from cpsconv.core.json.record import record_to_json
from cpsconv.core.source import read_source
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.effort import examples, is_full, sample, size
from testing.graphs import Construction, Graph, Node, graphs, random_graph
from testing.nested_programs import construct, random_nested
from testing.record_facts import facts
from testing.record_faults import ALWAYS, FAULTS, plant
from tests.core.test_certificate import is_walked_as_before
from tests.tables import table
from tests.test_record import ROOT, document

every_strategy = pytest.mark.parametrize("strategy", [*CONSTRUCTIONS])
either = pytest.mark.parametrize("minimal", [True, False], ids=["minimal", "as constructed"])


def faults(found: Any) -> list[str]:
    """The faults of a document."""
    return independent_faults(json.dumps(found))


# ----------------------------------------------------------------------------------------------------- the file


def test_the_checker_is_one_short_file_of_standard_python() -> None:
    text = Path(CHECKER).read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {name for node in imports for name in ([node.module] if isinstance(node, ast.ImportFrom) else node.names)}
    assert {getattr(name, "name", name) for name in names} <= set(sys.stdlib_module_names)


def checked(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """The exit status and the output of the checker as a command, without any other module of this project."""
    command = [sys.executable, "-I", CHECKER, *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


TEXT = "int f(int n) { int s = 0; while (n > 0) { s = s + n; n = n - 1; } return s; }"


def test_the_exit_status_states_the_result(tmp_path: Path) -> None:
    right = document(Source("f.c", TEXT))
    wrong = json.loads(json.dumps(right))
    wrong["program"]["functions"][0]["continuations"][0]["body"][0]["op"] = "<"
    paths = [str(tmp_path / name) for name in ("right.json", "wrong.json", "none.json", "text.json", "program.json")]
    for path, data in zip(paths, (right, wrong), strict=False):
        Path(path).write_text(json.dumps(data))
    Path(paths[3]).write_text("{")
    Path(paths[4]).write_text(json.dumps(right["program"]))
    assert checked(paths[0]) == (0, f"{paths[0]}: accepted\n", "")
    assert checked(stdin=json.dumps(right)) == (0, "-: accepted\n", "")
    refusal = f"{paths[1]}: refused: `while` in `f`: has no statement `>` as in the source\n"
    assert checked(*paths[:2]) == (1, f"{paths[0]}: accepted\n{refusal}", "")
    for path in paths[2:]:
        status, out, err = checked(path, paths[1])
        assert (status, out) == (2, refusal) and err.startswith(f"{path}: ")


# ------------------------------------------------------------------------------------------------ no false alarms


def recorded(graph: Graph, strategy: str, minimal: bool, undefined: Rule = keep_undefined) -> str:
    """The document of a graph."""
    recorder = Recorder()
    builder = Builder(strategy, observer=recorder, undefined=undefined)
    program = ir.Program([Construction(graph, builder).function])
    if minimal:
        prune(program)
        minimise(program, undefined=undefined)
    return record_to_json(program, recorder.record, recorder.stated, undefined)


@either
@every_strategy
@settings(max_examples=examples(40))
@given(graph=graphs(most_nodes=20, most_variables=4))
def test_every_construction_is_accepted(strategy: str, minimal: bool, graph: Graph) -> None:
    for rule in (keep_undefined, replace_undefined):
        assert independent_faults(recorded(graph, strategy, minimal, rule)) == []


@given(seed=st.integers(0, 2**32), strategy=st.sampled_from([*CONSTRUCTIONS]), minimal=st.booleans())
def test_nested_functions_are_accepted(seed: int, strategy: str, minimal: bool) -> None:
    dice = random.Random(seed)
    recorder = Recorder()
    program = construct(random_nested(dice, 5), Builder(strategy, observer=recorder))
    if minimal:
        prune(program)
        minimise(program)
    assert independent_faults(record_to_json(program, recorder.record, recorder.stated)) == []


@pytest.mark.parametrize("shape", ["ladder", "loop"])
def test_ten_thousand_blocks_are_accepted(shape: str) -> None:
    count = size(10_000)
    edges = 2 if shape == "ladder" else 1
    nodes = [Node([("copy", 1, 0)], [i + 1] * edges) for i in range(count)]
    nodes[0].events = [("write", 0, 0), ("write", 1, 1)]
    nodes.append(Node([("show", 0), ("show", 1), ("write", 0, 2)], [1] if shape == "loop" else []))
    assert independent_faults(recorded(Graph(2, nodes, list(range(count + 1))), "scc", minimal=True)) == []


# -------------------------------------------------------------------------------------------------- planted faults


PROGRAMS = table("checker")
"""The longer programs of these tests."""

EVERYTHING = "\n" + PROGRAMS["EVERYTHING"]
"""A program with a place for each kind of fault."""


def test_each_kind_of_fault_that_changes_a_program_is_refused() -> None:
    """By default, until two faults of a kind count."""
    found, dice = new_tally(), random.Random(6)
    subjects = [*converted("everything", EVERYTHING, [()], dice, max_size=1_000_000)]
    for _ in range(12):
        rare = [kind for kind in FAULTS if is_full() or found.ill_formed[kind] + found.changing[kind] < 2]
        for kind, subject in itertools.product(rare, subjects):
            add_fault(found, kind, subject, dice)
    assert found.wrong == []
    assert {kind for kind in FAULTS if not found.ill_formed[kind] + found.changing[kind]} == set()
    assert found.changing.total() > (200 if is_full() else 50)


@pytest.mark.parametrize("number", sample(range(3, 243, 16), 2))
def test_faults_in_programs_of_the_corpus_and_in_generated_ones_are_refused(number: int) -> None:
    found = tally(number, seed=2, each=1)
    assert found.wrong == []


def test_faults_in_graphs_are_refused_unless_no_path_shows_them() -> None:
    """Without an evaluator: the output of many paths, as in the tests of certificates."""
    missed = []
    for seed in range(examples(200)):
        dice = random.Random(seed)
        graph = random_graph(dice)
        text = recorded(graph, dice.choice([*CONSTRUCTIONS]), minimal=True)  # no argument is unused
        paths = [dice.choices([0, 1], k=30) for _ in range(20)]
        for kind in list(FAULTS)[:20]:
            data = json.loads(text)
            if plant(data["program"], kind, dice) and not faults(data):
                (function,) = from_json(json.dumps(data["program"])).functions
                if not is_walked_as_before(graph, function, paths):
                    missed.append((seed, kind))
    assert missed == []


# ------------------------------------------------------------------------------------------------- other refusals


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda p: p["functions"].pop(), "the program: its functions are not those of the source"),
        (lambda p: p["data"][0].update(content="x"), "`origin`: differs from the source"),
        (lambda p: p["functions"][0]["body"].append(p["functions"][0]["body"][0]), "the program: a number is defined"),
        (lambda p: p.update(source=None), "the program: its text or its attributes are not those of the source"),
        (lambda p: p["structs"].clear(), "the program: it has 0 structs, not 1"),
    ],
)
def test_a_refusal_names_the_place(change: Any, expected: str) -> None:
    found = document(Source("p.c", EVERYTHING))
    change(found["program"])
    (message,) = faults(found)
    assert message.startswith(expected)


def test_a_value_of_an_earlier_iteration_is_not_the_current_one() -> None:
    """After ``y = x; x = x + 1;``, the loop's parameter for `x` is not `y` in the next iteration."""
    text = "int f(int n) { int x = 0, y = 0; while (n-- > 0) { y = x; x = x + 1; } return y; }"
    found = document(Source("f.c", text))
    function = found["program"]["functions"][0]
    (loop,) = [each for each in function["continuations"] if each["name"] == "while"]
    numbers = {each["name"]: each["id"] for each in loop["parameters"]}
    (last,) = [each for each in function["continuations"] if each["name"] == "exit"]
    assert last["transfer"]["edge"]["arguments"] == [numbers["y"]]
    last["transfer"]["edge"]["arguments"] = [numbers["x"]]
    assert faults(found) == [f"`exit` in `f`: the source may not use {numbers['x']} here"]


def test_the_command_states_which_checker_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.c"
    path.write_text(TEXT)
    assert main(["check", "--independent", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: ok, certified by both checkers: 3 continuations, 2 parameters\n"
    monkeypatch.setattr(checker(), "fault", lambda document: "`f`: differs from the source")
    assert main(["check", "--independent", str(path)]) == 1
    assert "error: second checker: `f`: differs from the source\n" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-O", "--against"])
def test_the_second_checker_excludes_what_a_certificate_excludes(option: str, capsys: Any) -> None:
    arguments = [option, "f.c"] if option == "--against" else [option]
    assert main(["check", "--independent", *arguments, "f.c"]) == 2
    assert f"--independent and {option} exclude each other" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------ the logic program


def refusals(found: str) -> list[str]:
    """The blocks that `checker/rules.lp` refuses."""
    clingo = pytest.importorskip("clingo", reason="the rules as a logic program take clingo (pip install clingo)")
    control = clingo.Control(["--warn=none"])
    control.load(str(Path(CHECKER).with_name("rules.lp")))
    control.add("base", [], facts(checker(), found))
    control.ground([("base", [])])
    symbols: list[str] = []
    control.solve(on_model=lambda model: symbols.extend(map(str, model.symbols(shown=True))))
    return symbols


def test_the_logic_program_is_short() -> None:
    assert Path(CHECKER).with_name("rules.lp").read_text(encoding="utf-8").count("\n") < 60


@given(seed=st.integers(0, 2**32))
def test_the_logic_program_and_the_checker_agree_on_graphs_and_faults(seed: int) -> None:
    dice = random.Random(seed)
    text = recorded(random_graph(dice, 6, 2), dice.choice([*CONSTRUCTIONS]), dice.random() < 0.5)
    assert refusals(text) == []
    for kind in [each for each in FAULTS if each not in ALWAYS]:  # which the rules leave to the checker
        data = json.loads(text)
        if plant(data["program"], kind, dice):
            found = faults(data)
            try:
                refused = refusals(json.dumps(data))
            except checker().Refused:
                continue
            if not any("type" in each for each in found):
                assert bool(refused) == bool(found), kind


def test_the_logic_program_accepts_nested_functions() -> None:
    source = read_source(str(ROOT / "tests" / "corpus" / "tinylang" / "nesting.mod"))
    assert refusals(json.dumps(document(source))) == []
