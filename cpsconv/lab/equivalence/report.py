"""The report on a comparison: as text, and as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile
from typing import Any, Union

from cpsconv.core.analysis import flow
from cpsconv.core.arguments import shown_data
from cpsconv.core.entry import Data, data_parameters
from cpsconv.core.floating import Floating
from cpsconv.core.ir import Constant, Continuation, Effect, Function, Parameter, Primitive, Undef, Value
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.source import STANDARD_INPUT, Diagnostic, Span
from cpsconv.core.transform import redundant_parameters, unused_parameters
from cpsconv.engines.machine.machine import Aborted, Halted, Outcome
from cpsconv.lab.equivalence.comparison import Compared, Difference, Equivalence, Incomparable, Result, name_of

MAX_SHOWN = 60  # characters of a line of output
CONTEXT = 20  # characters before the first difference
TRACED = 100  # steps of a run that may not end

# ---------------------------------------------------------------------------------------------------------------- text


def as_text(equivalence: Equivalence) -> str:
    """A few lines for each function: the number of inputs compared; or the input that shows a difference."""
    lines = [line for result in equivalence.results for line in _lines(equivalence, result)]
    if not equivalence.holds and not equivalence.differs:
        lines.append("nothing could be compared")
    return "\n".join(lines) + "\n"


def in_brief(equivalence: Equivalence) -> tuple[str, str]:
    """The verdict on a program and, on one line, the first difference, or the reason why nothing was compared."""
    if equivalence.holds:
        return "same", ""
    first = next((each for each in equivalence.results if _verdict(each) == "different"), equivalence.results[0])
    reference, verdict = name_of(equivalence.reference), _verdict(first)
    if isinstance(first, Incomparable):
        return verdict, f"{first.name}: {first.reason}"
    if not first.difference:
        return verdict, f"{first.name}{_skipped(first, reference)}"
    expected, found = _contrast(first.difference)
    return verdict, f"{first.name}{_for_input(first, first.difference)}: {found}; {reference} {expected}"


def _lines(equivalence: Equivalence, result: Result) -> Iterator[str]:
    if isinstance(result, Incomparable):
        yield f"{result.name}: {_verdict(result)}: {result.reason}"
    elif result.difference:
        yield from _on_difference(equivalence, result, result.difference)
    else:
        yield f"{result.name}: {_agreed(result)}{_skipped(result, name_of(equivalence.reference))}"
        yield from _superfluous_notes(result)


def _verdict(result: Result) -> str:
    is_different = result.differs if isinstance(result, Incomparable) else result.difference
    is_same = isinstance(result, Compared) and result.agreed
    return "different" if is_different else "same" if is_same else "not compared"


def _agreed(result: Compared) -> str:
    if not result.agreed:
        return _verdict(result)
    return f"the same on {_counted(result.agreed, 'input')}" if data_parameters(result.function) else "the same"


def _skipped(result: Compared, reference: str) -> str:
    """The number of skipped inputs, with the reasons."""
    reasons = {"is not done within the steps allowed": result.unfinished, "ends in a runtime error": result.undefined}
    texts = [f"{_counted(count, 'input')} on which {reference} {reason}" for reason, count in reasons.items() if count]
    return f"; skipped: {', '.join(texts)}" if texts else ""


def _on_difference(equivalence: Equivalence, result: Compared, difference: Difference) -> Iterator[str]:
    yield f"{result.name}: different{_for_input(result, difference)}"
    names = [name_of(equivalence.reference), name_of(equivalence.program)]
    width = max(map(len, names))
    for name, text in zip(names, _contrast(difference), strict=True):
        yield f"  {name:{width}}  {text}"
    if result.agreed:
        yield f"  {_agreed(result)} tried before"
    for name in equivalence.suspects[result.name]:
        yield f"  it calls `{name}`, which differs itself: start there"
    call = shlex.join(["--entry", result.name, *map(shown_data, difference.input)])
    for name, behaviour in zip(names, (difference.expected, difference.found), strict=True):
        if name != STANDARD_INPUT:
            limit = f" --max-steps {TRACED}" if isinstance(behaviour.end, StepLimit) else ""
            yield f"  see cpsconv run --trace{limit} {shlex.quote(name)} {call}"


def _for_input(result: Compared, difference: Difference) -> str:
    parameters = [parameter.name for parameter in data_parameters(result.function)]
    given = ", ".join(f"{name} = {_value(value)}" for name, value in zip(parameters, difference.input, strict=True))
    return f" for {given}" if given else ""


def _contrast(difference: Difference) -> list[str]:
    """The behaviours of the reference and the program: the first line in which they differ, and the ends."""
    both = (difference.expected, difference.found)
    ends = [_end(behaviour.end) for behaviour in both]
    lines = [BytesIO(behaviour.output).readlines() for behaviour in both]
    if lines[0] == lines[1]:
        return [f"{end} after the same output" if lines[0] else end for end in ends]
    number = _in_common(*lines)
    differing = [_text(b"".join(side[number : number + 1])) for side in lines]
    start = max(0, _in_common(*differing) - CONTEXT)
    both_ends = zip(differing, ends, strict=True)
    return [f"{_written(line, start)} on line {number + 1} and {end}" for line, end in both_ends]


def _in_common(first: Any, second: Any) -> int:
    """The length of the common prefix of two sequences."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _written(line: str, start: int) -> str:
    if not line:
        return "writes nothing"
    end = start + MAX_SHOWN
    return f"writes {'…' if start else ''}{_quoted(line[start:end])}{'…' if line[end:] else ''}"


def _text(output: bytes) -> str:
    """The bytes as text; each byte that is not UTF-8 becomes a surrogate, so that different outputs stay different."""
    return output.decode("utf-8", "surrogateescape")


def _quoted(text: str) -> str:
    """The text in double quotes, on one line; a byte that is not UTF-8 as ``\\xff``."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _value(value: Data | Floating) -> str:
    return _quoted(shown_data(value)) if isinstance(value, str) else shown_data(value)


def _end(end: Union[Outcome, ProgramError]) -> str:
    match end:
        case StepLimit():
            return end.diagnostic.message.removeprefix("the program ")
        case ProgramError():
            place = f" ({end.diagnostic.span})" if end.diagnostic.span else ""
            return f"ends in a runtime error, {end.diagnostic.message}{place}"
        case Halted():
            return f"ends with exit status {end.status}"
        case Aborted():
            return "aborts"
    return "returns" if end.value is None else f"returns {_value(end.value)}"


def _superfluous_notes(result: Compared) -> Iterator[str]:
    superfluous = superfluous_parameters(result.function)
    if superfluous:
        placed = sum(len(member.parameters) for member in result.function.continuations)
        share = f"{len(superfluous)} of {_counted(placed, 'parameter')} of the continuations of `{result.name}`"
        yield f"note: {share} {'is' if len(superfluous) == 1 else 'are'} superfluous"
    for each in superfluous:
        yield f"  {each.span or result.name}: `{each.parameter}` of `{each.continuation}` {each.reason}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


# ---------------------------------------------------------------------------------------------------------------- JSON


def as_json(equivalence: Equivalence, violations: Mapping[str, Sequence[Diagnostic]]) -> str:
    """An object with the verdict and an object for each function (docs/against.md)."""
    data: dict[str, Any] = {
        "program": name_of(equivalence.program),
        "reference": name_of(equivalence.reference),
        "agrees": equivalence.holds,
        "functions": [_result(result) for result in equivalence.results],
    }
    if violations:
        data["requirements"] = violations_as_json(violations)
    return json.dumps(data, ensure_ascii=False, indent=2)


def violations_as_json(violations: Mapping[str, Sequence[Diagnostic]]) -> dict[str, list[dict[str, str]]]:
    """For each requirement, an object for each violation, without a location that is not known."""
    return {
        name: [{"message": each.message, **({"location": str(each.span)} if each.span else {})} for each in found]
        for name, found in violations.items()
    }


def _result(result: Result) -> dict[str, Any]:
    if isinstance(result, Incomparable):
        return {"function": result.name, "verdict": _verdict(result), "reason": result.reason}
    counts = {"agreed": result.agreed, "unfinished": result.unfinished, "undefined": result.undefined}
    superfluous = [
        {"continuation": each.continuation, "parameter": each.parameter, "reason": each.reason}
        for each in superfluous_parameters(result.function)
    ]
    difference = {"difference": _difference(result.difference)} if result.difference else {}
    return {"function": result.name, "verdict": _verdict(result), **counts, **difference, "spare": superfluous}


def _difference(difference: Difference) -> dict[str, Any]:
    sides = {"reference": difference.expected, "program": difference.found}
    return {
        "input": [shown_data(value) for value in difference.input],
        **{name: {"output": _text(side.output), **_ending(side.end)} for name, side in sides.items()},
    }


def _ending(end: Union[Outcome, ProgramError]) -> dict[str, Any]:
    match end:
        case StepLimit():
            return {"end": "unfinished"}
        case ProgramError():
            return {"end": "runtime error", "message": end.diagnostic.message}
        case Halted():
            return {"end": "halted", "status": end.status}
        case Aborted():
            return {"end": "aborted"}
    return {"end": "returned"} if end.value is None else {"end": "returned", "value": shown_data(end.value)}


# ---------------------------------------------------------------------------------------------- superfluous parameters


@dataclass(frozen=True, slots=True)
class SuperfluousParameter:
    """A parameter of a continuation, and the reason why it is not needed."""

    continuation: str
    parameter: str
    reason: str
    span: Span | None


def superfluous_parameters(function: Function) -> list[SuperfluousParameter]:
    """The unused and the redundant parameters (Braun et al., section 3.2), in source order."""
    homes = {parameter: member for member in function.members() for parameter in member.parameters}
    redundant = redundant_parameters(flow.parameter_arguments(function))
    reasons = {parameter: f"is always equal to {_shown(value, homes)}" for parameter, value in redundant.items()}
    reasons |= dict.fromkeys(unused_parameters(function), "is never used")
    return [
        SuperfluousParameter(member.name, parameter.name, reasons[parameter], parameter.span)
        for member in function.continuations
        for parameter in member.parameters
        if parameter in reasons
    ]


def _shown(value: Value, homes: Mapping[Parameter, Continuation]) -> str:
    """A value with the names of the source; a computation without a name as its source text."""
    match value:
        case Parameter():
            return f"`{value.name}` of `{homes[value].name}`"
        case Constant():
            return f"`{_value(value.value)}`"
        case Undef():
            return f"the undefined `{value.name}`"
        case Primitive() | Effect() if not value.name and value.span:
            text = value.span.source.text[value.span.start : value.span.end]
            return f"`{text}`" if len(text) <= MAX_SHOWN and "\n" not in text else f"the result of `{value.op}`"
    return f"`{value.name}`"
