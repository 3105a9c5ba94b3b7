"""The definition of checked memory, a program, agrees with the memory of the small evaluator."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Program
from cpsconv.abi.library import with_library_once
from cpsconv.abi.memory import UNCHECKED, with_memory_defined
from cpsconv.abi.memory.definition import EXTERNALS as OF_DEFINITION
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.check import check
from cpsconv.core.entry import entry_of
from cpsconv.core.evaluator import evaluate
from cpsconv.core.operations import memory_errors
from cpsconv.core.operations.memory_messages import MESSAGES, message, without_file
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.engines import EngineName
from testing import memory_programs
from testing.access_sequences import access_sequences, comparisons
from testing.effort import each_in_turn, examples, is_full, sample
from testing.engines import ENGINE_NAMES
from testing.evaluation import EXTERNALS, limited
from testing.expectations import CORPUS, expected_runs
from testing.running import STRATEGIES, converted, programs_to_run
from tests.core.test_memory import DEFAULTS, SHIFT, main_of, program_of
from tests.test_emit_memory import FAULTS, PRINTING
from tests.test_memory_items import CALLS, ITEMS
from tests.test_small_evaluator import SYSTEM_CALLS
from tests.test_small_evaluator import agreed as in_engines

Seen = tuple[bytes, str, object]
"""The output of a run, its errors, and its end."""


def seen(program: Program, arguments: Sequence[str] = ()) -> Seen:
    """A run of a linked program. A runtime error is the message that an emitted program writes, and the status 3."""
    output, errors = io.BytesIO(), io.BytesIO()
    entry = entry_of(program)
    try:
        values = parse_arguments(entry, arguments)
        end = evaluate(program, entry.name, values, output=output, errors=errors, externals=EXTERNALS)
        shown = end.continuation, repr(end.arguments)
    except StepLimit:
        raise
    except ProgramError as fault:
        source = program.source
        message = without_file(fault.diagnostic.message, source.name) if source else fault.diagnostic.message
        errors.write(f"runtime error: {message}\n".encode())
        shown = "halt", "[3]"
    return output.getvalue(), errors.getvalue().decode(), shown


def agreed(program: Program, arguments: Sequence[str] = ()) -> Seen:
    """A run by the evaluator; the definition must do the same, without memory that is checked."""
    linked = with_library_once(program)
    defined = with_memory_defined(linked, "the definition")
    assert not check(defined)
    assert {each.op for each in defined.statements() if OPERATIONS[each.op].is_on_memory} <= {*UNCHECKED}
    assert {each.name for each in defined.externals} <= {*OF_DEFINITION}
    expected = seen(linked, arguments)
    assert seen(defined, arguments) == expected
    return expected


@pytest.mark.parametrize("text", sample(FAULTS, 30))
def test_errors_have_the_messages_of_the_evaluator(text: str) -> None:
    _, errors, end = agreed(program_of(text))
    assert errors.startswith("runtime error: ")
    assert end == ("halt", "[3]")


ENDS = [
    main_of("x := int[allocate int[2], 5]; ret(0)"),
    main_of("deallocate(null); ret(0)"),
    main_of("deallocate(ptr(21474836480ul)); ret(0)"),
    main_of('@resource("stream") p := malloc(4ul); free(p); free(p); ret(0)'),
    main_of('@resource("stream") p := malloc(4ul); free(p); ret(int[p])'),
]
"""Errors besides `FAULTS`: of objects without names, of pointers to none, and of what a library opens."""


def test_errors_with_each_message_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = set[str]()

    def noted(name: str, *fields: object) -> str:
        compared.add(name)
        return message(name, *fields)

    monkeypatch.setattr(memory_errors, "message", noted)
    for text in ENDS:
        assert agreed(program_of(text))[1].startswith("runtime error: ")
    for text in FAULTS:  # compared by the test above
        seen(program_of(text))
    assert compared == MESSAGES.keys() - {"jump_unset", "jump_returned", "line"}


@pytest.mark.parametrize("text", [PRINTING, CALLS, ITEMS, DEFAULTS, SHIFT + main_of("shift(null, 0, ret)")])
def test_memory_data_and_library_behave_as_in_the_evaluator(text: str) -> None:
    agreed(program_of(text))


@each_in_turn(number=range(20 if is_full() else 9), fault=[None, *memory_programs.FAULTS])
def test_a_planted_fault_is_found(number: int, fault: str | None) -> None:
    """Each fault in one program at least: the program around it is random, and makes no difference to its report."""
    _, errors, _ = agreed(program_of(memory_programs.program(number, fault)))
    assert bool(errors) == (fault is not None)


def test_random_programs_behave_as_in_the_evaluator() -> None:
    errors = set()
    for program, arguments in programs_to_run(sample(range(100, 400), 25), with_memory=True):
        errors.add(agreed(program, arguments)[1])
    assert len(errors) > 2


C_PROGRAMS = [path for path in CORPUS if path.stem not in SYSTEM_CALLS]


@pytest.mark.parametrize("path", sample(C_PROGRAMS, 30), ids=lambda path: path.stem)
def test_c_programs_behave_as_in_the_evaluator(path: Path) -> None:
    text = path.read_text()
    program = converted(text, STRATEGIES[C_PROGRAMS.index(path) % len(STRATEGIES)])
    for run in expected_runs(text):
        with suppress(StepLimit), limited(20_000):  # for both runs
            agreed(program, run.arguments)


@settings(max_examples=examples(100), deadline=None)
@given(st.one_of(access_sequences(), comparisons()), st.sampled_from(ENGINE_NAMES))
def test_all_engines_check_accesses_as_the_definition_does(text: str, engine: EngineName) -> None:
    """Each sequence with one engine: what the engines check, they check for all sequences alike."""
    program = program_of(text)
    agreed(program)
    in_engines(program, (), ENGINE_NAMES if is_full() else [engine])
