"""The inputs that a function is tested with, and smaller ones than one that was found.

Half of them are small values in every combination. Then come notable values for all parameters alike: the ends of a
type's range, and what stands as a constant in the programs, for that is what they decide by. The rest is drawn at
random, each value from the small ones, the notable ones, all of its type, or the same as the one before it. Small
values are preferred everywhere: what they show is shown best, and loops tend to go round as often as a parameter says.

The same call gives the same inputs, on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from random import Random

from cpsconv.entry import Data
from cpsconv.ir import Scalar
from cpsconv.operations.semantics import normalised
from cpsconv.operations.types import range_of

Input = tuple[Data, ...]
"""A value for each parameter, the return continuation left out."""

_SEED = 2013
_MOST_DRAWS = 10  # for each input wanted: there are few different ones where the types are small
_MOST_SMALL = 16  # values to draw from, where they are drawn


def generated(types: Sequence[Scalar], constants: Iterable[Data], count: int) -> list[Input]:
    """At most `count` different inputs for parameters of these types, the smallest first; one for no parameters.

    `constants` are values of any type that are worth a test, as are their neighbours.
    """
    if not types:
        return [()]
    numbers = [*dict.fromkeys(constants)]
    choices = [_Choice(type, _small(type, count), _notable(type, numbers)) for type in types]
    found: dict[str, Input] = {}
    candidates = chain(_grid(choices, count // 2), islice(_alike(choices), count // 4), _drawn(choices))
    for candidate in islice(candidates, _MOST_DRAWS * count):
        if len(found) == count:
            break
        found.setdefault(repr(candidate), candidate)  # in Python, 0.0 equals -0.0, and NaN not itself
    return sorted(found.values(), key=size)


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a parameter may be given: its type's small values, the smallest first, and its notable ones."""

    type: Scalar
    small: list[Data]
    notable: list[Data]


def _grid(choices: Sequence[_Choice], count: int) -> Iterator[Input]:
    """All combinations of as many small values as make no more than `count`."""
    width = 1
    while (width + 1) ** len(choices) <= count:
        width += 1
    return product(*(choice.small[:width] for choice in choices))


def _alike(choices: Sequence[_Choice]) -> Iterator[Input]:
    """For each notable value of the parameter that has the most, inputs of nothing else, as far as types allow."""
    return (
        tuple(choice.notable[index % len(choice.notable)] for choice in choices)
        for index in range(max(len(choice.notable) for choice in choices))
    )


def _drawn(choices: Sequence[_Choice]) -> Iterator[Input]:
    """Inputs drawn at random, without end."""
    random = Random(_SEED)
    while True:
        values: list[Data] = []
        for index, choice in enumerate(choices):
            if index and choice.type is choices[index - 1].type and random.random() < 0.1:
                values.append(values[-1])
            else:
                values.append(_draw(choice, random))
        yield tuple(values)


def _draw(choice: _Choice, random: Random) -> Data:
    chance = random.random()
    if chance < 0.5:
        return random.choice(choice.small[:_MOST_SMALL])
    if chance < 0.8 or choice.type.kind not in ("integer", "float"):
        return random.choice(choice.notable)
    magnitude = random.getrandbits(random.randint(1, choice.type.bits))
    signed = random.choice((1, -1)) * magnitude
    value: Data = normalised(choice.type, signed / 1000 if choice.type.kind == "float" else signed)
    return value


# --------------------------------------------------------------------------------------------------- values of a type


def _small(type: Scalar, count: int) -> list[Data]:
    """At least one, and at most `count` or so, of the smallest values of the type, the smallest first."""
    if type.kind == "bool":
        return [False, True]
    if type.kind == "string":
        return ["", "a", "b", "ab", "0", " "]
    lowest, highest = range_of(type) if type.kind == "integer" else (-count, count)
    around = [value for number in range(count // 2 + 1) for value in dict.fromkeys((number, -number))]
    numbers = [value for value in around if lowest <= value <= highest]
    return [*numbers] if type.kind == "integer" else [number / 2 for number in numbers]


def _notable(type: Scalar, constants: Sequence[Data]) -> list[Data]:
    """Values of the type that a program may treat differently from others; at least one."""
    numbers = [value for value in constants if not isinstance(value, str)]
    if type.kind == "bool":
        return [False, True]
    if type.kind == "string":
        return [*dict.fromkeys(["", "%d", "\n", *(value for value in constants if isinstance(value, str))])]
    if type.kind == "float":
        near = [float(number) + step for number in numbers for step in (0, -1, 1)]
        values = [*near, 0.1, 1e6, 1e-6, 1e300, -1e300, -0.0, math.inf, -math.inf, math.nan]
        return [normalised(type, value) for value in values]
    lowest, highest = range_of(type)
    near = [int(number) + step for number in numbers if math.isfinite(number) for step in (0, -1, 1)]
    values = [*near, 10, 100, lowest, highest, lowest + 1, highest - 1]
    return [*dict.fromkeys(value for value in values if lowest <= value <= highest)]


# --------------------------------------------------------------------------------------------------------------- size


def size(input: Input) -> tuple[float, float]:
    """Orders inputs by how easily a reader follows a run with them: by their sum, and then by the largest value."""
    sizes = [_size(value) for value in input]
    return sum(sizes), max(sizes, default=0)


def _size(value: Data) -> float:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, float) and not math.isfinite(value):
        return math.inf
    is_awkward = value < 0 or value != int(value) or str(value).startswith("-")
    return abs(value) + is_awkward / 4


def smaller(types: Sequence[Scalar], input: Input) -> Iterator[Input]:
    """Inputs that are like this one but for one value, which is smaller: first by far, and then by little."""
    for index, (type, value) in enumerate(zip(types, input, strict=True)):
        for other in _smaller(value):
            if _size(other) < _size(value) and normalised(type, other) == other:
                yield (*input[:index], other, *input[index + 1 :])


def _smaller(value: Data) -> Iterator[Data]:
    if isinstance(value, str):
        yield from (value[:length] for length in range(len(value)))
    elif isinstance(value, bool):
        yield False
    elif isinstance(value, int):
        yield from _nearer_to_zero(value)
    elif math.isfinite(value):
        yield from (float(whole) for whole in _nearer_to_zero(int(value)))
        yield float(int(value))
    else:
        yield from (0.0, 1.0, -1.0)


def _nearer_to_zero(value: int) -> Iterator[int]:
    """Zero, half of the way, a quarter, and so on: a search for the nearest takes few steps, however far it begins."""
    yield abs(value)
    step = abs(value)
    while step:
        yield value - step if value > 0 else value + step
        step //= 2
    yield 0
