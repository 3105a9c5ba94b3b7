"""Runs random While programs, and compares them with separate translations to Python.

    python benchmarks/while_programs.py --programs 2000
    python benchmarks/while_programs.py --programs 300 --target javascript

Each program is converted with each strategy; the engine and the options differ from one conversion to the next. With
--target, the emitted program runs instead. A program whose run differs is shown, and the command ends with status 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Source, convert
from cpsconv.core.arguments import ordered_arguments
from cpsconv.pipeline import OPTIMISATIONS
from testing.expectations import Observation
from testing.functional_targets import LANGUAGES
from testing.running import STRATEGIES, observe
from testing.while_programs import FUEL, Generated, random_program


def named_arguments(generated: Generated, parameters: list[str]) -> list[str]:
    """The initial values of the parameters, by name."""
    values = {**generated.initial, "fuel": FUEL}
    return [f"{name}={str(values[name]).lower()}" for name in parameters]


def runs(number: int, generated: Generated, target: str | None, folder: Path) -> Iterator[tuple[str, Observation]]:
    """The runs of a program: a description, and what was observed."""
    for turn, strategy in enumerate(STRATEGIES, number):
        optimise, threaded = OPTIMISATIONS if turn & 1 else (), turn & 2 > 0
        source = Source("program.while", generated.text)
        program = convert(source, strategy=strategy, optimise=optimise, thread_jumps=threaded)
        function = program.functions[0]
        arguments = named_arguments(generated, [each.name for each in function.parameters[:-1]])
        if target:
            language = next(each for each in LANGUAGES if each.name == target)
            yield target, language.observe(program, folder, ordered_arguments(function, arguments))
            return
        engine = "machine" if turn * 3 & 4 else "python"
        shown = f"{strategy}{' -O' if optimise else ''}{' --thread-jumps' if threaded else ''} {engine}"
        yield shown, observe(program, arguments, engine=engine)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, help="how many programs to generate")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first program")
    parser.add_argument("--target", choices=[each.name for each in LANGUAGES], help="run the emitted programs instead")
    given = parser.parse_args()
    differences = count = errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.seed, given.seed + given.programs):
            generated = random_program(number)
            expected = generated.expected()
            errors += expected.status == "error"
            for description, found in runs(number, generated, given.target, Path(folder)):
                count += 1
                if found != expected:
                    differences += 1
                    print(
                        f"program {number}, {description}:\n{generated.text}  expected {expected}\n  got      {found}"
                    )
                    break
    print(f"{given.programs} programs, {errors} with runtime errors, {count} runs, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
