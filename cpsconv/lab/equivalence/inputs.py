"""Generated test inputs for a function, and the reduction of an input to smaller ones.

Half of the inputs are all combinations of small values. A quarter gives a notable value to every parameter: the ends of
a type's range, and the constants of the programs, which their branches test. The rest is random: each value is drawn
from the small values, the notable values or the whole type, or equals the previous one. Small values are preferred, as
they make the clearest counterexamples, and as a parameter often is the number of iterations of a loop.

The inputs are deterministic, on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from random import Random

from cpsconv.core.entry import Data
from cpsconv.core.ir import INTEGER, Scalar
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import is_whole, range_of

Input = tuple[Data, ...]
"""A value for each parameter, except the return continuation."""

_SEED = 2013
_MAX_DRAWS = 10  # per requested input: small types have few different inputs
_UNBOUNDED_BITS = 100  # of the inputs of type `integer`
_MAX_SMALL = 16  # small values to draw from


def generated(types: Sequence[Scalar], constants: Iterable[Data], count: int) -> list[Input]:
    """At most `count` different inputs for parameters of these types, the smallest first; one without parameters.

    `constants` are values of any type; they and their neighbours are tested.
    """
    if not types:
        return [()]
    numbers = [*dict.fromkeys(constants)]
    choices = [_Choice(type, _small(type, count), _notable(type, numbers)) for type in types]
    found: dict[str, Input] = {}
    candidates = chain(_grid(choices, count // 2), islice(_alike(choices), count // 4), _drawn(choices))
    for candidate in islice(candidates, _MAX_DRAWS * count):
        if len(found) == count:
            break
        found.setdefault(repr(candidate), candidate)  # 0.0 == -0.0, and NaN != NaN
    return sorted(found.values(), key=size)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The candidate values of a parameter: the small values of its type, in order, and the notable ones."""

    type: Scalar
    small: list[Data]
    notable: list[Data]


def _grid(choices: Sequence[_Choice], count: int) -> Iterator[Input]:
    """All combinations of the smallest values, at most `count` combinations."""
    width = 1
    while (width + 1) ** len(choices) <= count:
        width += 1
    return product(*(choice.small[:width] for choice in choices))


def _alike(choices: Sequence[_Choice]) -> Iterator[Input]:
    """Inputs that give every parameter a notable value, the same one for equal types."""
    return (
        tuple(choice.notable[index % len(choice.notable)] for choice in choices)
        for index in range(max(len(choice.notable) for choice in choices))
    )


def _drawn(choices: Sequence[_Choice]) -> Iterator[Input]:
    """An endless sequence of random inputs."""
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
        return random.choice(choice.small[:_MAX_SMALL])
    if chance < 0.8 or choice.type.kind not in ("integer", "unbounded", "float"):
        return random.choice(choice.notable)
    magnitude = random.getrandbits(random.randint(1, choice.type.bits or _UNBOUNDED_BITS))
    signed = random.choice((1, -1)) * magnitude
    value: Data = normalised(choice.type, signed / 1000 if choice.type.kind == "float" else signed)
    return value


# --------------------------------------------------------------------------------------------------- values of a type


def _small(type: Scalar, count: int) -> list[Data]:
    """About `count` of the smallest values of the type, at least one, in order of magnitude."""
    if type.kind == "bool":
        return [False, True]
    if type.kind == "string":
        return ["", "a", "b", "ab", "0", " "]
    lowest, highest = range_of(type) if type.kind == "integer" else (-count, count)
    around = [value for number in range(count // 2 + 1) for value in dict.fromkeys((number, -number))]
    numbers = [value for value in around if lowest <= value <= highest]
    return [*numbers] if is_whole(type) else [number / 2 for number in numbers]


def _notable(type: Scalar, constants: Sequence[Data]) -> list[Data]:
    """Values of the type that a program may treat specially; at least one."""
    numbers = [value for value in constants if not isinstance(value, str)]
    if type.kind == "bool":
        return [False, True]
    if type.kind == "string":
        return [*dict.fromkeys(["", "%d", "\n", *(value for value in constants if isinstance(value, str))])]
    if type.kind == "float":
        near = [float(number) + step for number in numbers for step in (0, -1, 1)]
        values = [*near, 0.1, 1e6, 1e-6, 1e300, -1e300, -0.0, math.inf, -math.inf, math.nan]
        return [normalised(type, value) for value in values]
    lowest, highest = range_of(type) if type is not INTEGER else (-(1 << _UNBOUNDED_BITS), 1 << _UNBOUNDED_BITS)
    near = [int(number) + step for number in numbers if math.isfinite(number) for step in (0, -1, 1)]
    values = [*near, 10, 100, lowest, highest, lowest + 1, highest - 1]
    return [*dict.fromkeys(value for value in values if lowest <= value <= highest)]


# --------------------------------------------------------------------------------------------------------------- size


def size(input: Input) -> tuple[float, float]:
    """A key that orders inputs by readability: by the sum of the magnitudes, then by the largest one."""
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
    """The inputs with one value replaced by a smaller one, the smallest values first."""
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
    """Zero, half of the value, three quarters, and so on, for a binary search."""
    yield abs(value)
    step = abs(value)
    while step:
        yield value - step if value > 0 else value + step
        step //= 2
    yield 0
