"""The record of a conversion as JSON: its schema, docs/record.md, what is written, and the options it excludes."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from cpsconv import Source, convert
from cpsconv.cli import main
from cpsconv.core.check.independent import independent_faults
from cpsconv.core.construction.record import FunctionRecord, Recorder
from cpsconv.core.ir import Function, Program
from cpsconv.core.json import to_json
from cpsconv.core.json.record import record_to_json
from cpsconv.core.source import DiagnosticError, read_source
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.effort import each_in_turn, is_full, sample
from testing.expectations import CORPUS, EXAMPLES

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "cpsconv" / "core" / "json"
OTHERS = [
    *sorted((ROOT / "examples").glob("*.[!c]*")),
    *(path for path in sorted((ROOT / "tests" / "corpus").glob("*/*")) if path.suffix != ".notes"),
]
"""The programs in other languages than C."""

PROGRAMS = [path for path in [*EXAMPLES, *CORPUS, *OTHERS] if path.is_file()]


@cache
def schema() -> jsonschema.Draft202012Validator:
    record, program = (json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name in ("record", "program"))
    registry: Registry[Any] = Registry().with_resource("program.schema.json", Resource.from_contents(program))
    return jsonschema.Draft202012Validator(record, registry=registry)


def document(source: Source, **given: Any) -> Any:
    """The document of a conversion."""
    documents: list[str] = []
    convert(source, documents=documents, **given)
    return json.loads(documents[0])


def documents(source: Source, **given: Any) -> list[Any]:
    """The document of a conversion; none if its memory cannot be explicit, or the source is no program."""
    try:
        return [document(source, **given)]
    except DiagnosticError:
        assert given.get("explicit_memory") or not is_converted(source)
        return []


def is_converted(source: Source) -> bool:
    try:
        convert(source)
    except DiagnosticError:
        return False
    return True


FORMS = (None, "one", "objects")


CHECKED = [path for path in sample(PROGRAMS, 6) if is_full() or path.stem != "long_ranges"]
"""By default, each sixth program but a very long one: `test_corpus` certifies all, with constructions in turn."""


@each_in_turn(path=CHECKED, strategy=[*CONSTRUCTIONS], minimal=(True, False), form=FORMS)
def test_the_document_of_each_program_fits_the_schema_and_is_accepted_by_the_second_checker(
    path: Path, strategy: str, minimal: bool, form: str | None
) -> None:
    """By default, each third of them is compared with the schema, for which jsonschema takes long."""
    for found in documents(read_source(str(path)), strategy=strategy, minimal=minimal, explicit_memory=form):
        if path in sample(CHECKED, 3):
            schema().validate(found)
        assert independent_faults(json.dumps(found)) == []


def test_the_program_is_the_one_before_its_jumps_are_threaded() -> None:
    source = read_source(str(ROOT / "examples" / "gcd.c"))
    assert document(source)["program"] == json.loads(to_json(convert(source)))
    assert document(source, thread_jumps=True) == document(source)


TEXT = "int f(int x) { int a; if (x) a = 1; else a = x; return a; }"


def without_spans(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_spans(value) for key, value in data.items() if key != "span"}
    return [without_spans(each) for each in data] if isinstance(data, list) else data


def test_the_document_has_the_example_of_its_description() -> None:
    text = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert TEXT in text
    found = document(Source("f.c", TEXT))
    assert without_spans(found["record"]["functions"]) == [json.loads(example)]


def test_the_record_has_the_fields_that_were_stated_and_not_those_of_a_changed_program() -> None:
    recorder, record = Recorder(), dict[Function, FunctionRecord]()
    text = "int n = 7; struct pair { int x; } p; int f(void) { return p.x + 23; }"
    program = convert(Source("f.c", text), record=record, observer=recorder)
    before = json.loads(record_to_json(program, record, recorder.stated))
    program.data[0].content = b"?"
    program.structs[0].is_union = True
    program.functions[0].attributes = {"c.changed": True}
    for statement in program.statements():
        for operand in statement.operands:
            if hasattr(operand, "value"):
                operand.value = 24
    after = json.loads(record_to_json(program, record, recorder.stated))
    assert after["record"] == before["record"]
    assert after["program"] != before["program"]


def test_a_rule_of_your_own_has_no_name_in_a_document() -> None:
    with pytest.raises(ValueError, match="can name the rules"):
        record_to_json(Program([]), {}, {}, lambda value, dominates: False)


# ---------------------------------------------------------------------------------------------------- command line


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main([*arguments])
    return status, *capsys.readouterr()


def test_the_command_writes_the_document_and_each_into_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.c").write_text(TEXT)
    (tmp_path / "main.c").write_text("int main(void) { return 0; }")
    status, out, _ = run(capsys, "convert", "--emit", "record", str(tmp_path / "f.c"))
    assert status == 0 and json.loads(out)["format"] == "cpsconv record"
    files = str(tmp_path / "f.c"), str(tmp_path / "main.c")
    assert run(capsys, "convert", "--emit", "record", *files, "-o", f"{tmp_path}/out/")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["f.record.json", "main.record.json"]


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("f.c", ["-O"], "--emit record and -O exclude each other"),
        ("f.c:f", [], "--emit record describes whole files, but"),
        ("f.cps", [], "CPS text is not converted: there is nothing to certify"),
    ],
)
def test_what_excludes_a_certificate_excludes_a_record(
    name: str, arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.c").write_text(TEXT)
    (tmp_path / "f.cps").write_text("f(ret : int → ⊥) → ⊥ { ret(1) }")
    status, _, err = run(capsys, "convert", "--emit", "record", *arguments, str(tmp_path / name))
    assert status != 0 and expected in err


def test_a_document_excludes_optimisations_in_python() -> None:
    with pytest.raises(ValueError, match="documents excludes optimise"):
        convert(Source("f.c", TEXT), documents=[], optimise=["dead"])
