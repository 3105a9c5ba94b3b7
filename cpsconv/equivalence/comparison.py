"""Whether two programs mean the same, as far as tests can tell: function by function, input by input.

One of the programs is the *reference*. It says what is right, but only where its own meaning is beyond doubt. An input
is left out on which the reference is not done within its steps, for nobody knows what it would do; and one on which it
ends in a runtime error, for there C leaves undefined what happens, and whatever the other program does is as good. With
`strict`, runtime errors are taken as part of the meaning: they must be matched by errors of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Union

from cpsconv import progress
from cpsconv.analysis.graph import functions_used, uses
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.entry import Data, data_parameters, entry_of, parse_arguments
from cpsconv.equivalence.behaviour import Behaviour, observe
from cpsconv.equivalence.inputs import Input, generated, smaller
from cpsconv.ir import Constant, Function, Program, Scalar, Switch
from cpsconv.operations.runtime_errors import RuntimeFault, StepLimit
from cpsconv.source import Diagnostic, DiagnosticError, error
from cpsconv.transform import drop_unreachable_functions

TESTS = 500
"""How many inputs a function is tested with, unless said otherwise."""

STEPS = 2_500_000
"""How many transfers the reference may make on all inputs of a function together; on each, its share."""

FEW_STEPS = 1000
"""How many it may make on each in any case."""

PATIENCE = 10
"""How many times as many the other program may make: to go a longer way is not to mean something else."""


@dataclass(frozen=True, slots=True)
class Method:
    """How to test a function.

    It is run with the `inputs`, texts as `cpsconv.evaluator.parse_arguments` takes them; where there are none, with as
    many generated ones as `tests` says. On each the reference may make `max_steps` transfers, or its share of `STEPS`.
    `strict` decides whether its runtime errors count.
    """

    tests: int = TESTS
    inputs: Sequence[Sequence[str]] = ()
    max_steps: int | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """An input, what the reference does with it, and what the other program does."""

    input: Input
    expected: Behaviour
    found: Behaviour


@dataclass(frozen=True, slots=True)
class Compared:
    """A function that was run in both programs; `function` is that of the program held against the reference.

    They agreed on so many inputs before they differed, if they did. On others the reference was not done (`unfinished`)
    or ended in a runtime error (`undefined`).
    """

    function: Function
    agreed: int
    unfinished: int
    undefined: int
    difference: Difference | None

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.name


@dataclass(frozen=True, slots=True)
class Incomparable:
    """A function that could not be run in both programs, and why. That may be a difference by itself."""

    name: str
    reason: str
    differs: bool = False


Result = Union[Compared, Incomparable]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What became of each function; and for each by name the functions to begin with where it is different."""

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
        """Whether no difference was found, and there is something that the programs agree on."""
        return not self.differs and any(isinstance(result, Compared) and result.agreed for result in self.results)


def agreement(
    program: Program, reference: Program, entry: str | None = None, method: Method | None = None
) -> Agreement:
    """Hold a program against a reference: the function `entry`, or all functions that both have.

    Raises `DiagnosticError` where there is no such function, or an input does not fit it.
    """
    method = method or Method()
    results: list[Result] = []
    for function in _chosen(program, reference, entry, only_one=bool(method.inputs)):
        obstacle = _obstacle(program, reference, function.name)
        results.append(obstacle or _compared(program, reference, function.name, method))
    differing = {result.name for result in results if isinstance(result, Compared) and result.difference}
    return Agreement(program, reference, results, suspects(program, differing))


def name_of(program: Program) -> str:
    """The name of the file that a program was made from."""
    return program.source.name if program.source else "the program"


# ------------------------------------------------------------------------------------------- which functions to compare


def _chosen(program: Program, reference: Program, entry: str | None, *, only_one: bool) -> list[Function]:
    """The functions of the reference that are to be compared, or of which to say why they are not."""
    common = [function for function in reference.functions if program.function(function.name)]
    if entry is not None:
        common = [function for function in common if function.name == entry]
    if not common:
        raise DiagnosticError([_nothing_in_common(program, reference, entry)])
    if only_one and len(common) > 1:
        complaint = f"the programs have {len(common)} functions in common: it is not clear which the input is for"
        raise DiagnosticError([error(complaint, help="choose one with --entry")])
    return common if entry is not None or only_one else reference.functions


def _nothing_in_common(program: Program, reference: Program, entry: str | None) -> Diagnostic:
    wanted = "function" if entry is None else f"function `{entry}`"
    complaint = f"{name_of(reference)} and {name_of(program)} have no {wanted} in common"
    return error(complaint, help=f"{_functions(reference)}; {_functions(program)}")


def _functions(program: Program) -> str:
    return f"{name_of(program)} has {', '.join(f'`{function.name}`' for function in program.functions) or 'none'}"


def _obstacle(program: Program, reference: Program, name: str) -> Incomparable | None:
    """Why the function of that name cannot be run in both programs, if it cannot."""
    function, expected = program.function(name), reference.function(name)
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
    """What a run showed that showed no difference."""

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
        if isinstance(expected.end, RuntimeFault) and not self.strict:
            return Verdict.UNDEFINED
        found = observe(self.program, self.entry, input, PATIENCE * steps)
        return Verdict.AGREED if found.is_like(expected) else Difference(input, expected, found)

    def _expected(self, input: Input) -> tuple[Behaviour, int]:
        """What the reference does, and within how many steps: few are tried first, since the other may take more."""
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
    return Compared(function, agreed, unfinished, undefined, difference)


def _smallest(difference: Difference, types: Sequence[Scalar], trial: _Trial) -> Difference:
    """A difference on an input so small that nothing that is a little smaller shows one."""
    while True:
        verdicts = map(trial, smaller(types, difference.input))
        found = next((verdict for verdict in verdicts if isinstance(verdict, Difference)), None)
        if not found:
            return difference
        difference = found


def _part(program: Program, name: str) -> Program:
    """The function of that name with what it needs, by itself: that is sooner made ready to run."""
    part = Program([*program.functions], program.source)
    drop_unreachable_functions(part, [function for function in program.functions if function.name == name])
    return part


def _constants(program: Program) -> Iterator[Data]:
    """The values that stand in a program, and that it decides by."""
    for function in program.functions:
        for member in function.members():
            yield from (value.value for value in uses(member) if isinstance(value, Constant))
            if isinstance(member.transfer, Switch):
                yield from member.transfer.cases


_MOST = 3  # suspects that are named: more are no help


def suspects(program: Program, differing: Collection[str]) -> dict[str, list[str]]:
    """For each function those of the `differing` ones to begin with, a few at most.

    The function needs them, they do not need it, and they have no suspects themselves.
    """
    found: dict[str, list[str]] = {}
    passed_on: dict[Function, list[str]] = {}  # what those have as suspects that call the function
    for component in strongly_connected_components(program.functions, functions_used):
        needed = [callee for function in component for callee in functions_used(function) if callee in passed_on]
        below = [*dict.fromkeys(name for callee in needed for name in passed_on[callee])][:_MOST]
        wrong = [function.name for function in reversed(component) if function.name in differing][:_MOST]
        passed_on |= dict.fromkeys(component, below or wrong)
        found |= {function.name: below for function in component}
    return found
