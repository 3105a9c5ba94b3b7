"""``cpsconv check FILE --against REFERENCE``: its options, and what it prints."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cpsconv.cli import progress, streams
from cpsconv.cli.options import together, words
from cpsconv.cli.status import DONE, WRONG_INPUT
from cpsconv.equivalence import TESTS, Method, as_json, as_text, equivalence
from cpsconv.ir import Program

options = together(
    click.option("--against", metavar="REFERENCE", help="Test whether FILE does what this program does."),
    click.option("--entry", metavar="NAME", help="The function to test; by default all that both have."),
    click.option(
        "--tests", type=click.IntRange(min=1), metavar="N", help=f"How many inputs to try; {TESTS} unless given."
    ),
    click.option(
        "--input",
        "inputs",
        metavar="'ARG ...'",
        multiple=True,
        callback=lambda context, parameter, given: [words(text) for text in given],
        help="Try this input; can be repeated.",
    ),
    click.option(
        "--max-steps",
        type=click.IntRange(min=1),
        metavar="N",
        help="Leave an input out on which REFERENCE is not done after N transfers.",
    ),
    click.option("--strict", is_flag=True, help="Let runtime errors of REFERENCE count: they must be matched."),
    click.option("--json", "as_data", is_flag=True, help="Print the result as JSON (docs/against.md)."),
)
"""What to hold a file against, and how. All but `against` go with that alone."""


def require_reference(against: str | None, **given: object) -> None:
    """Raises `click.UsageError` if anything is `given` that goes with a reference, and there is none."""
    if against is None and any(given.values()):
        wanted = next(name for name, value in given.items() if value)
        spelled = {"inputs": "--input", "as_data": "--json", "max_steps": "--max-steps"}.get(wanted, f"--{wanted}")
        raise click.UsageError(f"{spelled} goes with --against", click.get_current_context())


def hold(
    program: Program,
    reference: Program,
    entry: str | None,
    tests: int | None,
    inputs: Sequence[Sequence[str]],
    max_steps: int | None,
    strict: bool,
    as_data: bool,
) -> int:
    """Test a program against a reference and print the result. The exit status is 0 if they agree.

    Raises `DiagnosticError` where there is nothing to compare, or an input does not fit.
    """
    method = Method(tests or TESTS, inputs, max_steps, strict)
    with progress.shown():
        found = equivalence(program, reference, entry, method)
    streams.write_result((as_json if as_data else as_text)(found))
    return DONE if found.holds else WRONG_INPUT
