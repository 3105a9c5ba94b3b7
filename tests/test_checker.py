"""The second checker: it accepts every conversion, and refuses every planted fault that changes what a program does."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Source
from cpsconv.core import ir
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined, replace_undefined
from cpsconv.core.check import independent_faults
from cpsconv.core.check.independent import CHECKER
from cpsconv.core.construction import Builder
from cpsconv.core.construction.record import Recorder
from cpsconv.core.json.record import record_to_json
from cpsconv.core.source import read_source
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.effort import each_in_turn, examples, size
from testing.graphs import Construction, Graph, Node, graphs
from testing.nested_programs import construct, random_nested
from tests.test_record import FORMS, PROGRAMS, document, documents

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


@each_in_turn(path=PROGRAMS, strategy=[*CONSTRUCTIONS], minimal=(True, False), form=FORMS)
def test_the_conversion_of_each_program_is_accepted(path: Path, strategy: str, minimal: bool, form: str | None) -> None:
    for found in documents(read_source(str(path)), strategy=strategy, minimal=minimal, explicit_memory=form):
        assert faults(found) == []


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
