"""Experiment: linear look-ups by skipping whole regions that do not assign the variable.

    python benchmarks/skipping.py
    python benchmarks/skipping.py --shapes late_reads --sizes 50,200,800

The method looks up each variable in each block between its use and its definition: quadratic if there are as many
variables as blocks and all are read at the end. Here, `marker` gets the dominator tree of the blocks sealed so far,
with the set of variables assigned between a block and one above it. Prints a row of a Markdown table for each shape and
kind of look-up: the look-ups, the processor time for the largest size, and the growth of both. Both kinds must place
the same parameters.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.subjects import GROWING, Subject, subject
from cpsconv import Builder
from cpsconv.core.construction import Block, Variable
from cpsconv.core.construction.marker import Marker
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Function, Value
from cpsconv.core.source import Span

ANY = -1
"""The set of all variables. A set is an integer, with a bit for each variable."""


class _Place:
    """Where a block stands in the dominator tree. `above` is its dominator, `far` one further up.

    `between` are the variables that are assigned on a way from `above` to the block, both left out, `far_between` those
    from `far`; `assigned` are those of the block itself. The distance to `far` is such that any block above can be come
    to in a number of steps that is logarithmic in the depth (Myers, *An applicative random-access stack*, 1983).
    """

    def __init__(self, block: Block, above: _Place | None, between: int) -> None:
        self.block = block
        self.above = above or self
        self.depth: int = above.depth + 1 if above else 0
        self.assigned = 0
        self.between = self.far_between = between
        self.far = self.above
        if above and above.depth - above.far.depth == above.far.depth - above.far.far.depth > 0:
            self.far = above.far.far
            self.far_between |= above.assigned | above.far_between | above.far.assigned | above.far.far_between


class _Skipping(Marker):
    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Block, _Place] = {}
        self._bits: dict[Variable, int] = {}

    def bit(self, variable: Variable) -> int:
        """The set of that variable alone."""
        return self._bits.setdefault(variable, 1 << len(self._bits))

    def attach(self, block: Block, assigned: int = 0) -> None:
        """Give a block its place below its predecessors, if these have one. `assigned`: what else may be on the way."""
        if block in self.places or not all(predecessor in self.places for predecessor in block.predecessors):
            return
        places: list[_Place | None] = [self.places[predecessor] for predecessor in block.predecessors]
        above, *others = places or [None]
        for other in others:
            assert above and other
            above, between = _meet(above, other)
            assigned |= between
        self.places[block] = _Place(block, above, assigned)

    def seal(self, block: Block) -> None:
        self.attach(block)
        super().seal(block)

    def walk(self, variable: Variable, block: Block) -> tuple[Value | None, Block, list[Block]]:
        skipped: list[Block] = []
        bit = self.bit(variable)
        while variable not in block.definitions and block in self.places and block.sealed:
            place = self.places[block]
            if place.between & bit or place.above is place:
                break
            skipped.append(block)
            block = (place.above if place.far_between & bit else place.far).block
        self.lookups += len(skipped)
        value, end, passed = super().walk(variable, block)
        if value is not None:
            self.record(variable, skipped, value)
        return value, end, skipped + passed


def _meet(one: _Place, other: _Place) -> tuple[_Place, int]:
    """The lowest place above both (or one of them), and what is assigned on the ways from there, they included."""
    assigned = 0
    while one is not other:
        if one.depth < other.depth:
            one, other = other, one
        assigned |= one.assigned
        if one.depth > other.depth:
            goes_far = one.far.depth >= other.depth
            assigned |= one.far_between if goes_far else one.between
            one = one.far if goes_far else one.above
        else:
            goes_far = one.far is not other.far
            assigned |= other.assigned
            assigned |= one.far_between | other.far_between if goes_far else one.between | other.between
            one, other = (one.far, other.far) if goes_far else (one.above, other.above)
    return one, assigned


class _SkippingBuilder(Builder):
    _placement: _Skipping

    def _new_placement(self) -> Placement:
        return _Skipping()

    def _begin(self, function: Function) -> None:
        super()._begin(function)
        assert self.current
        self._placement.attach(self.current)

    def enter(self, block: Block) -> None:
        """What is entered before it is sealed may be come to again, after anything has been assigned."""
        super().enter(block)
        self._placement.attach(block, ANY)

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        super().write_variable(variable, value, span)
        if self.current and (place := self._placement.places.get(self.current)):
            place.assigned |= self._placement.bit(variable)


MANNERS: dict[str, Callable[[], Builder]] = {"block by block": lambda: Builder("marker"), "skipping": _SkippingBuilder}


def measure(trees: Subject, make: Callable[[], Builder]) -> tuple[int, float, int]:
    """The look-ups, the least time of three, and how many parameters are kept."""
    seconds = []
    for _ in range(3):
        gc.collect()
        builder = make()
        start = process_time()
        for unit in trees.units:
            unit(builder, [])
        seconds.append(process_time() - start)
    counts = builder.counts.values()
    return sum(each.lookups for each in counts), min(seconds), sum(each.kept for each in counts)


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shapes", type=names(GROWING), default="late_reads,ifs,nested_loops,cases", help="which, with commas between"
    )
    parser.add_argument("--sizes", type=numbers, default="50,200,800", help="the sizes n (50,200,800)")
    options = parser.parse_args()
    sizes = options.sizes
    gc.disable()
    print(f"| shape | look-ups | {' | '.join(f'n = {size:,}' for size in sizes)} | growth | time | growth |")
    print(f"|---|---|{'--:|' * (len(sizes) + 3)}")
    for shape in options.shapes:
        assert shape in GROWING
        kept = []
        for manner, make in MANNERS.items():
            measured = [measure(subject(f"{shape} {size}"), make) for size in sizes]
            lookups, seconds, parameters = zip(*measured, strict=True)
            growths = [math.log(each[-1] / each[0]) / math.log(sizes[-1] / sizes[0]) for each in (lookups, seconds)]
            cells = [*(f"{count:,}" for count in lookups), f"{growths[0]:.2f}", f"{seconds[-1] * 1e3:,.0f} ms"]
            print(f"| {shape} | {manner} | {' | '.join(cells)} | {growths[1]:.2f} |", flush=True)
            kept.append(parameters)
        assert kept[0] == kept[1], "they differ"


if __name__ == "__main__":
    main()
