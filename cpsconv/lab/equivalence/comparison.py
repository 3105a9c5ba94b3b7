"""The comparison of two programs by tests: function by function, input by input.

One of the programs is the *reference*, which defines the correct behaviour. An input is skipped if the reference
exceeds its steps, since its behaviour is then unknown; and if it ends in a runtime error, since C leaves the behaviour
undefined, so that any behaviour of the other program is correct. With `strict`, runtime errors are a part of the
behaviour: the other program must end in an error of the same class.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Any, Union

from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.core import progress
from cpsconv.core.analysis.graph import functions_used, uses
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import START, Data, data_parameters, entry_of, start_of
from cpsconv.core.floating import Floating
from cpsconv.core.ir import Constant, Function, Program, Scalar, Switch
from cpsconv.core.nodes import replace
from cpsconv.core.operations.objects import MemoryObject
from cpsconv.core.operations.runtime_errors import MemoryLimit, OutputLimit, ProgramError, StepLimit
from cpsconv.core.source import Diagnostic, DiagnosticError, error, setting
from cpsconv.core.transform import drop_unreachable_functions
from cpsconv.engines.machine.limits import Limits
from cpsconv.engines.machine.machine import Halted, Outcome, Returned, evaluate, exit_status
from cpsconv.engines.machine.memory import Memory
from cpsconv.lab.equivalence.inputs import Input, generated, smaller

TESTS = 500
"""The default number of inputs for a function."""

STEPS = 2_500_000
"""The number of transfers that the reference may make on all inputs of a function together, in equal shares."""

FEW_STEPS = 1000
"""The number of transfers that it may make on each input in any case."""

RULES = {
    "ambiguous-entry": "an input for programs with several functions in common",
    "no-common-function": "programs without a function in common",
}
"""The rules that errors of a comparison name, with the violation that each of them denotes."""

PATIENCE = 10
"""The factor by which the other program may make more transfers: a slower program is not a different one."""


@dataclass(frozen=True, slots=True)
class Method:
    """The method of testing a function.

    The function is run with the `inputs`, texts for `cpsconv.core.arguments.parse_arguments`, or else with `tests`
    generated inputs. On each the reference may make `max_steps` transfers (default: its share of `STEPS`). With
    `strict`, runtime errors of the reference must be reproduced.
    """

    tests: int = TESTS
    inputs: Sequence[Sequence[str]] = ()
    max_steps: int | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """An input with the behaviour of the reference and of the other program."""

    input: Input
    expected: Behaviour
    found: Behaviour


@dataclass(frozen=True, slots=True)
class Compared:
    """A function that was run in both programs; `function` is that of the tested program, as a run starts it.

    `agreed` counts the inputs with the same behaviour, up to the first difference, if any; `unfinished` and `undefined`
    those on which the reference exceeded its steps or ended in a runtime error.
    """

    name: str
    function: Function
    agreed: int
    unfinished: int
    undefined: int
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class Incomparable:
    """A function that could not be run in both programs, and the reason, which may itself be a difference."""

    name: str
    reason: str
    differs: bool = False


Result = Union[Compared, Incomparable]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The results for all functions; `suspects` has for each function, by name, the probable causes of a difference."""

    program: Program
    reference: Program
    results: list[Result]
    suspects: dict[str, list[str]]

    @property
    def differs(self) -> bool:
        """Whether a difference was found."""
        return any(result.differs if isinstance(result, Incomparable) else result.difference for result in self.results)

    @property
    def holds(self) -> bool:
        """Whether no difference was found, and at least one input was compared."""
        return not self.differs and any(isinstance(result, Compared) and result.agreed for result in self.results)


Starting = Callable[[str], Program]
"""The program whose function of that name runs the code before it that a run starts with, if the language has any."""


def equivalence(
    program: Program,
    reference: Program,
    entry: str | None = None,
    method: Method | None = None,
    starting: tuple[Starting, Starting] | None = None,
) -> Equivalence:
    """Compare a program with a reference: the function `entry`, or all functions that both have.

    The programs to run a function in are those of `starting`; by default, the programs themselves.

    Raises `DiagnosticError` if there is no such function, or an input does not fit its parameters.
    """
    method = method or Method()
    program, reference = with_command_line(program), with_command_line(reference)
    own, other = starting or (lambda name: program, lambda name: reference)
    results: list[Result] = []
    for function in _chosen(program, reference, entry, only_one=bool(method.inputs)):
        obstacle = _obstacle(program, reference, function.name)
        results.append(obstacle or _compared(own(function.name), other(function.name), function.name, method))
    differing = {result.name for result in results if isinstance(result, Compared) and result.difference}
    return Equivalence(program, reference, results, suspects(program, differing))


def name_of(program: Program) -> str:
    """The name of the source file of a program."""
    return program.source.name if program.source else "the program"


# ------------------------------------------------------------------------------------------- which functions to compare


def _chosen(program: Program, reference: Program, entry: str | None, *, only_one: bool) -> list[Function]:
    """The functions of the reference to compare, including those that turn out to be incomparable."""
    outer = [function for function in reference.functions if not function.is_nested and function.name != START]
    common = [function for function in outer if program.function(function.name)]
    if entry is not None:
        common = [function for function in common if function.name == entry]
    if not common:
        raise DiagnosticError([_nothing_in_common(program, reference, entry)])
    if only_one and len(common) > 1:
        message = f"the programs have {len(common)} functions in common: the input is ambiguous"
        raise DiagnosticError(
            [error(message, help=f"choose one with {setting('--entry', '`entry=`')}", rule="ambiguous-entry")]
        )
    return common if entry is not None or only_one else outer


def _nothing_in_common(program: Program, reference: Program, entry: str | None) -> Diagnostic:
    wanted = "function" if entry is None else f"function `{entry}`"
    message = f"{name_of(reference)} and {name_of(program)} have no {wanted} in common"
    return error(message, help=f"{_functions(reference)}; {_functions(program)}", rule="no-common-function")


def _functions(program: Program) -> str:
    return f"{name_of(program)} has {', '.join(f'`{function.name}`' for function in program.functions) or 'none'}"


def _obstacle(program: Program, reference: Program, name: str) -> Incomparable | None:
    """The reason why the function of that name cannot be run in both programs, if there is one."""
    function, expected = start_of(program, name), start_of(reference, name)
    if not function or not expected:
        return Incomparable(name, f"it is not in {name_of(program)}")
    if function.type != expected.type:
        types = f"{expected.type} in {name_of(reference)}, but {function.type} in {name_of(program)}"
        return Incomparable(name, f"it is of type {types}", differs=True)
    try:
        entry_of(reference, name)
    except DiagnosticError as failure:
        return Incomparable(name, failure.diagnostics[0].message)
    return None


# ------------------------------------------------------------------------------------------------------------- the runs


class Verdict(Enum):
    """The result of a run without a difference."""

    AGREED = auto()
    UNFINISHED = auto()
    UNDEFINED = auto()


@dataclass(frozen=True, slots=True)
class _Trial:
    """Runs both programs with an input."""

    program: Program
    reference: Program
    entry: str
    max_steps: int
    strict: bool

    def __call__(self, input: Input) -> Verdict | Difference:
        expected, steps = self._expected(input)
        if isinstance(expected.end, StepLimit):
            return Verdict.UNFINISHED
        if isinstance(expected.end, ProgramError) and not self.strict:
            return Verdict.UNDEFINED
        found = observe(self.program, self.entry, input, PATIENCE * steps)
        return Verdict.AGREED if found.is_equivalent(expected) else Difference(input, expected, found)

    def _expected(self, input: Input) -> tuple[Behaviour, int]:
        """The behaviour of the reference, and a bound on its steps: a low one, since it limits the other program."""
        steps = min(FEW_STEPS, self.max_steps)
        expected = observe(self.reference, self.entry, input, steps)
        while isinstance(expected.end, StepLimit) and steps < self.max_steps:
            steps = min(PATIENCE * steps, self.max_steps)
            expected = observe(self.reference, self.entry, input, steps)
        return expected, steps


def _compared(program: Program, reference: Program, name: str, method: Method) -> Compared:
    """Run a function in both programs, up to the first difference."""
    function = entry_of(program, name)
    program, reference = _part(program, name), _part(reference, name)
    types = [parameter.type for parameter in data_parameters(function) if isinstance(parameter.type, Scalar)]
    inputs: list[Input] = [tuple(parse_arguments(function, texts)) for texts in method.inputs]
    if not inputs:
        inputs = generated(types, chain(_constants(reference), _constants(program)), method.tests)
    max_steps = max(STEPS // len(inputs), FEW_STEPS) if method.max_steps is None else method.max_steps
    trial = _Trial(program, reference, name, max_steps, method.strict)
    counts: Counter[Verdict] = Counter()
    difference = None
    for input in progress.steps("comparing", inputs):
        verdict = trial(input)
        if isinstance(verdict, Difference):
            difference = verdict if method.inputs else _smallest(verdict, types, trial)
            break
        counts[verdict] += 1
    agreed, unfinished, undefined = (counts[verdict] for verdict in Verdict)
    return Compared(name, function, agreed, unfinished, undefined, difference)


def _smallest(difference: Difference, types: Sequence[Scalar], trial: _Trial) -> Difference:
    """A difference on a locally minimal input: no slightly smaller input shows one."""
    while True:
        verdicts = map(trial, smaller(types, difference.input))
        found = next((verdict for verdict in verdicts if isinstance(verdict, Difference)), None)
        if not found:
            return difference
        difference = found


def _part(program: Program, name: str) -> Program:
    """The function of that name with the functions that it needs: a smaller program is prepared faster."""
    part = replace(program, functions=[*program.functions], counts={})
    drop_unreachable_functions(part, [each for each in (start_of(program, name),) if each])
    return part


def _constants(program: Program) -> Iterator[Data]:
    """The constants of a program, and the cases of its switches."""
    for member in program.members():
        for value in uses(member):
            if isinstance(value, Constant) and not isinstance(value.value, Floating):  # which is no argument
                yield value.value
        if isinstance(member.transfer, Switch):
            yield from member.transfer.cases


# --------------------------------------------------------------------------------------------------- fault localisation

MAX_SUSPECTS = 3
"""The maximal number of functions that are named as causes of a difference in a caller."""


def suspects(program: Program, differing: Collection[str]) -> dict[str, list[str]]:
    """For each function, at most `MAX_SUSPECTS` of the `differing` functions that may cause its difference.

    The function calls them, directly or not; they do not call it; and they have no suspects themselves.
    """
    found: dict[str, list[str]] = {}
    passed_on: dict[Function, list[str]] = {}  # the suspects that a function passes on to its callers
    for component in strongly_connected_components(program.functions, functions_used):
        needed = [callee for function in component for callee in functions_used(function) if callee in passed_on]
        below = [*dict.fromkeys(name for callee in needed for name in passed_on[callee])][:MAX_SUSPECTS]
        wrong = [function.name for function in reversed(component) if function.name in differing][:MAX_SUSPECTS]
        passed_on |= dict.fromkeys(component, below or wrong)
        found |= {function.name: below for function in component}
    return found


MAX_OUTPUT = 1_000_000  # bytes: an endless loop must not fill the memory
MAX_MEMORY = 10_000_000  # bytes of objects: an input may be the length of an array
MAX_PROCESS = 1_000_000_000  # bytes of the process, for calls that are pending


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The observable behaviour of a run, without standard error, which contains source locations."""

    output: bytes
    end: Union[Outcome, ProgramError]

    def is_equivalent(self, other: Behaviour) -> bool:
        """Whether both runs have the same output and end. Runtime errors are compared by class."""
        return self.output == other.output and _visible(self.end) == _visible(other.end)


def _visible(end: Union[Outcome, ProgramError]) -> object:
    if isinstance(end, Returned):
        return repr(end.value)  # in Python, 0.0 equals -0.0, and NaN not itself
    return type(end) if isinstance(end, ProgramError) else end


def observe(program: Program, entry: str, input: Input, max_steps: int) -> Behaviour:
    """The behaviour of a program, started with a function. A run that is too long or too large ends with a `StepLimit`.

    The value of `main` is an exit status.
    """
    output, limits = io.BytesIO(), Limits(max_memory=MAX_PROCESS, max_output=MAX_OUTPUT)
    try:
        given: dict[str, Any] = {"max_steps": max_steps, "limits": limits, "memory": _Memory()}
        end = evaluate(program, entry, input, output=output, errors=io.BytesIO(), **given)
    except (OutputLimit, MemoryLimit) as fault:
        reached = (
            f"{MAX_OUTPUT} bytes of output" if isinstance(fault, OutputLimit) else f"{MAX_PROCESS} bytes of memory"
        )
        return Behaviour(output.getvalue(), StepLimit(f"the program is not done after {reached}"))
    except ProgramError as fault:
        return Behaviour(output.getvalue(), fault.with_traceback(None))  # which refers to the memory
    status = exit_status(entry, end)
    return Behaviour(output.getvalue(), end if status is None else Halted(status))


class _Memory(Memory):
    """Memory for objects of at most `MAX_MEMORY` bytes together, in the whole run."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0

    def allocate(self, new: MemoryObject, *, initialised: bool = False) -> int:
        """The pointer to a new object. Raises `StepLimit` if all objects together are too large."""
        self._size += new.size
        if self._size > MAX_MEMORY:
            raise StepLimit(f"the program is not done after {MAX_MEMORY} bytes of memory")
        return super().allocate(new, initialised=initialised)
