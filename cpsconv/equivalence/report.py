"""The report on two programs: as text for people, and as JSON for programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile
from typing import Any, Union

from cpsconv.analysis import flow
from cpsconv.entry import Data, data_parameters, shown_data
from cpsconv.equivalence.comparison import Agreement, Compared, Difference, Incomparable, Result, name_of
from cpsconv.evaluator import Aborted, Halted, Outcome
from cpsconv.ir import Function, Parameter
from cpsconv.operations.runtime_errors import RuntimeFault, StepLimit
from cpsconv.source import STANDARD_INPUT, Span
from cpsconv.transform import redundant_parameters, unused_parameters

_LONGEST = 60  # characters that are shown of a line of output
_BEFORE = 20  # and of what both have in common at its start

# ---------------------------------------------------------------------------------------------------------------- text


def as_text(agreement: Agreement) -> str:
    """A few lines for each function: how often it agrees; or on which input it does not, and what either does there."""
    lines = [line for result in agreement.results for line in _lines(agreement, result)]
    if not agreement.holds and not agreement.differs:
        lines.append("nothing could be compared")
    return "\n".join(lines) + "\n"


def _lines(agreement: Agreement, result: Result) -> Iterator[str]:
    if isinstance(result, Incomparable):
        yield f"{result.name}: {_verdict(result)}: {result.reason}"
    elif result.difference:
        yield from _on_difference(agreement, result, result.difference)
    else:
        yield f"{result.name}: {_agreed(result)}{_left_out(result, name_of(agreement.reference))}"
        yield from _on_spare(result)


def _verdict(result: Result) -> str:
    is_different = result.differs if isinstance(result, Incomparable) else result.difference
    is_same = isinstance(result, Compared) and result.agreed
    return "different" if is_different else "same" if is_same else "not compared"


def _agreed(result: Compared) -> str:
    if not result.agreed:
        return _verdict(result)
    return f"the same on {_counted(result.agreed, 'input')}" if data_parameters(result.function) else "the same"


def _left_out(result: Compared, reference: str) -> str:
    """On how many inputs the reference gave nothing to compare with, and why."""
    reasons = {"is not done within the steps allowed": result.unfinished, "ends in a runtime error": result.undefined}
    told = [f"{_counted(count, 'input')} on which {reference} {reason}" for reason, count in reasons.items() if count]
    return f"; left out: {', '.join(told)}" if told else ""


def _on_difference(agreement: Agreement, result: Compared, difference: Difference) -> Iterator[str]:
    parameters = [parameter.name for parameter in data_parameters(result.function)]
    given = ", ".join(f"{name} = {_value(value)}" for name, value in zip(parameters, difference.input, strict=True))
    yield f"{result.name}: different{f' for {given}' if given else ''}"
    names = [name_of(agreement.reference), name_of(agreement.program)]
    width = max(map(len, names))
    for name, what in zip(names, _told_apart(difference), strict=True):
        yield f"  {name:{width}}  {what}"
    if result.agreed:
        yield f"  {_agreed(result)} tried before"
    for name in agreement.suspects[result.name]:
        yield f"  it calls `{name}`, which is different by itself: begin there"
    call = shlex.join(["--entry", result.name, *map(shown_data, difference.input)])
    for name in names:
        if name != STANDARD_INPUT:
            yield f"  see cpsconv run --trace {shlex.quote(name)} {call}"


def _told_apart(difference: Difference) -> list[str]:
    """What the reference does, and the other program: only that in which they differ, and how they end."""
    both = (difference.expected, difference.found)
    ends = [_end(behaviour.end) for behaviour in both]
    lines = [BytesIO(behaviour.output).readlines() for behaviour in both]
    if lines[0] == lines[1]:
        return [f"{end} after the same output" if lines[0] else end for end in ends]
    number = _in_common(*lines)
    parting = [_text(b"".join(side[number : number + 1])) for side in lines]
    start = max(0, _in_common(*parting) - _BEFORE)
    return [f"{_written(line, start)} on line {number + 1} and {end}" for line, end in zip(parting, ends, strict=True)]


def _in_common(first: Any, second: Any) -> int:
    """How long the beginning is that two sequences share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _written(line: str, start: int) -> str:
    if not line:
        return "writes nothing"
    end = start + _LONGEST
    return f"writes {'…' if start else ''}{_quoted(line[start:end])}{'…' if line[end:] else ''}"


def _text(output: bytes) -> str:
    """What the bytes mean; one that means nothing is a character of its own, so that no two outputs look the same."""
    return output.decode("utf-8", "surrogateescape")


def _quoted(text: str) -> str:
    """The text in double quotes, on one line; what stands for a byte without a meaning as ``\\xff``."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _value(value: Data) -> str:
    return _quoted(shown_data(value)) if isinstance(value, str) else shown_data(value)


def _end(end: Union[Outcome, RuntimeFault]) -> str:
    match end:
        case StepLimit():
            return end.diagnostic.message.removeprefix("the program ")
        case RuntimeFault():
            place = f" ({end.diagnostic.span})" if end.diagnostic.span else ""
            return f"ends in a runtime error, {end.diagnostic.message}{place}"
        case Halted():
            return f"ends with exit status {end.status}"
        case Aborted():
            return "aborts"
    return "returns" if end.value is None else f"returns {_value(end.value)}"


def _on_spare(result: Compared) -> Iterator[str]:
    spare = spare_parameters(result.function)
    if spare:
        placed = sum(len(member.parameters) for member in result.function.continuations)
        had = f"the continuations of `{result.name}` have {_counted(placed, 'parameter')}"
        yield f"note: {had}, {placed - len(spare) or 'none'} would do"
    for each in spare:
        yield f"  {each.span or result.name}: `{each.parameter}` of `{each.continuation}` {each.reason}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


# ---------------------------------------------------------------------------------------------------------------- JSON


def as_json(agreement: Agreement) -> str:
    """An object with the verdict, and in it one for each function (docs/against.md)."""
    data = {
        "program": name_of(agreement.program),
        "reference": name_of(agreement.reference),
        "agrees": agreement.holds,
        "functions": [_result(result) for result in agreement.results],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _result(result: Result) -> dict[str, Any]:
    if isinstance(result, Incomparable):
        return {"function": result.name, "verdict": _verdict(result), "reason": result.reason}
    counts = {"agreed": result.agreed, "unfinished": result.unfinished, "undefined": result.undefined}
    spare = [_spare(each) for each in spare_parameters(result.function)]
    difference = {"difference": _difference(result.difference)} if result.difference else {}
    return {"function": result.name, "verdict": _verdict(result), **counts, **difference, "spare": spare}


def _difference(difference: Difference) -> dict[str, Any]:
    sides = {"reference": difference.expected, "program": difference.found}
    return {
        "input": [shown_data(value) for value in difference.input],
        **{name: {"output": _text(side.output), **_ending(side.end)} for name, side in sides.items()},
    }


def _ending(end: Union[Outcome, RuntimeFault]) -> dict[str, Any]:
    match end:
        case StepLimit():
            return {"end": "unfinished"}
        case RuntimeFault():
            return {"end": "runtime error", "message": end.diagnostic.message}
        case Halted():
            return {"end": "halted", "status": end.status}
        case Aborted():
            return {"end": "aborted"}
    return {"end": "returned"} if end.value is None else {"end": "returned", "value": shown_data(end.value)}


def _spare(spare: SpareParameter) -> dict[str, Any]:
    return {"continuation": spare.continuation, "parameter": spare.parameter, "reason": spare.reason}


@dataclass(frozen=True, slots=True)
class SpareParameter:
    """A parameter of a continuation, and why it is not needed."""

    continuation: str
    parameter: str
    reason: str
    span: Span | None


def spare_parameters(function: Function) -> list[SpareParameter]:
    """The parameters that are not used, or that are redundant (Braun et al., section 3.2), in source order."""
    reasons: dict[Parameter, str] = dict.fromkeys(
        redundant_parameters(flow.arguments(function)), "always has the same value"
    )
    reasons |= dict.fromkeys(unused_parameters(function), "is never used")
    return [
        SpareParameter(member.name, parameter.name, reasons[parameter], parameter.span)
        for member in function.continuations
        for parameter in member.parameters
        if parameter in reasons
    ]
