"""Compare generated tinylang programs with translations to Python, under every strategy and engine.

    python benchmarks/tinylang_programs.py --programs 2000
    python benchmarks/tinylang_programs.py --programs 50 --engines machine,python

Each program runs with every strategy on the engine `machine`, and with one strategy, in turn, on each other engine,
with and without optimisations.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Source, convert
from cpsconv.engines import ENGINES
from cpsconv.pipeline import OPTIMISATIONS
from testing.running import STRATEGIES, observe
from testing.tinylang_programs import Generator, expected


def runs(number: int, text: str, engines: Sequence[str]) -> Iterator[tuple[str, tuple[str, bool]]]:
    """The runs of a program, each with its description: the output, and whether it ends with a fault."""
    for strategy in STRATEGIES:
        program = convert(Source("random.mod", text), language="tinylang", strategy=strategy, certify=True)
        observed = observe(program)
        yield strategy, (observed.output, observed.status != 0)
    strategy = STRATEGIES[number % len(STRATEGIES)]
    optimise = OPTIMISATIONS if number % 2 else ()
    program = convert(Source("random.mod", text), language="tinylang", strategy=strategy, optimise=optimise)
    for engine in engines:
        observed = observe(program, engine=engine)
        yield f"{engine}, {strategy}{', -O' if optimise else ''}", (observed.output, observed.status != 0)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, help="how many programs to generate")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first program")
    parser.add_argument("--engines", default=",".join(ENGINES), help="the engines")
    given = parser.parse_args()
    differences = count = faults = 0
    for number in range(given.seed, given.seed + given.programs):
        generated = Generator(number).program()
        wanted = expected(generated.python)
        faults += wanted[1]
        for description, found in runs(number, generated.tiny, given.engines.split(",")):
            count += 1
            if found != wanted:
                differences += 1
                print(f"program {number}, {description}:\n{generated.tiny}  expected {wanted}\n  got      {found}")
                break
    print(f"{given.programs} programs, {faults} with faults, {count} runs, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
