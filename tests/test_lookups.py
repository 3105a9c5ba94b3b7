"""What look-ups cost: they grow no faster than the program, whatever makes it large."""

from __future__ import annotations

import pytest

from benchmarks.lookups import ALL, COUNTED, growth, lookups
from cpsconv.frontends import read
from cpsconv.source import Source

SIZES = [40, 160]


@pytest.mark.parametrize("shape", ["ifs", "nested_loops", "late_read", "cases", "mesh"])
def test_look_ups_are_proportional_to_the_size_of_the_program(shape: str) -> None:
    lowerings = [read("c", Source("program.c", ALL[shape](size))) for size in SIZES]
    for strategy in COUNTED:
        assert growth([lookups(lowering, strategy) for lowering in lowerings], SIZES) < 1.05, strategy
