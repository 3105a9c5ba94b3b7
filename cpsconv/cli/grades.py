"""The table of `check --all`: the results of a folder of answers, of which none stops the others."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, WRONG_INPUT, diagnosed
from cpsconv.cli.files import each
from cpsconv.core.operations.runtime_errors import TimeLimit
from cpsconv.core.source import Diagnostic, DiagnosticError, error, printable
from cpsconv.languages.permissions import folders_of, permitting

Violations = Mapping[str, Sequence[Diagnostic]]
"""The violations of each requirement."""

Result = tuple[str, str, Violations]
"""The verdict, the first difference, if any, and the violations."""


class Grade(NamedTuple):
    """The verdict on an answer; `detail` is the first difference, or the first error; `violated` is empty then."""

    answer: str
    verdict: str
    detail: str
    violated: Violations

    @property
    def is_correct(self) -> bool:
        """Whether the answer is the same as the reference, and violates no requirement."""
        return self.verdict == "same" and not any(self.violated.values())

    def cells(self, required: Sequence[str]) -> list[str]:
        """The cells of a row, with one for each requirement."""
        met = [("no" if self.violated[name] else "yes") if name in self.violated else "-" for name in required]
        return [self.answer, self.verdict, *met, self.detail]


def grade(
    files: Sequence[str],
    references: Sequence[str],
    compare: Callable[[str], Result],
    required: Sequence[str],
    seconds: float,
    jobs: int,
    form: Callable[[Sequence[Grade], Sequence[str]], str],
) -> int:
    """Write a table of the answers in files and folders, other than the references. Returns 0 if all are correct.

    `seconds` limits the processor time for each of them. Raises `DiagnosticError` if there are none.
    """
    found = (path for file in files for path in _answers(file))
    answers = [path for path in found if not any(_is_same(path, reference) for reference in references)]
    if not answers:
        raise DiagnosticError([error(f"{', '.join(files)}: there is no answer in this folder", rule="file")])

    def graded(path: str) -> Grade:
        try:
            return options.within_time(lambda: _graded(path, compare), [], seconds)
        except Exception as failure:
            return Grade(path, "error", _in_brief(failure), {})

    lost = "the process of the comparison ended"
    results = zip(answers, each(answers, graded, jobs), strict=True)
    grades = [result or Grade(path, "error", lost, {}) for path, (result, _) in results]
    streams.write_result(form(grades, required))
    return DONE if all(each.is_correct for each in grades) else WRONG_INPUT


def _in_brief(failure: Exception) -> str:
    """The first line of the report on an exception: the reason why an answer has no verdict."""
    from cpsconv.engines.processes import ProcessEnded  # late, as in `within_time`

    if isinstance(failure, ProcessEnded):
        return str(failure)
    found = [failure.diagnostic] if isinstance(failure, TimeLimit) else diagnosed(failure)[0]
    return re.sub("^(runtime )?error: ", "", found[0].render().splitlines()[0])


def _answers(file: str) -> Iterator[str]:
    """The files in a folder and the folders within, in the order of their names, without hidden ones; or the file."""
    if not os.path.isdir(file):
        yield file
        return
    for path in sorted(Path(file).rglob("*")):
        is_answer = path.is_file() or not path.exists()  # also a link that leads nowhere, but no pipe
        if is_answer and not any(part.startswith(".") for part in path.relative_to(file).parts):
            yield str(path)


def _is_same(path: str, reference: str) -> bool:
    return os.path.exists(path) and os.path.exists(reference) and os.path.samefile(path, reference)


def _graded(path: str, compare: Callable[[str], Result]) -> Grade:
    """The grade of an answer. Raises `DiagnosticError` if the answer is wrong."""
    streams.settings.update(quiet=True)  # warnings have no place in the table
    with permitting(*folders_of(path)):
        return Grade(path, *compare(path))


# -------------------------------------------------------------------------------------------------------------- forms


def as_table(grades: Sequence[Grade], required: Sequence[str]) -> str:
    """A line for each answer in aligned columns, and the number of correct answers."""
    lines = [[printable(cell) for cell in line] for line in _lines(grades, required)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ["  ".join(map(str.ljust, line, widths)).rstrip() + "\n" for line in lines]
    return "".join(rows) + f"{sum(each.is_correct for each in grades)} of {len(grades)} correct\n"


def as_csv(grades: Sequence[Grade], required: Sequence[str]) -> str:
    """The cells of the table in CSV, after the names of the columns."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_lines(grades, required))
    return text.getvalue()


def as_json(grades: Sequence[Grade], required: Sequence[str]) -> str:
    """A list with an object for each answer (docs/against.md)."""
    from cpsconv.lab.equivalence.report import violations_as_json

    objects = [
        {
            "answer": each.answer,
            "correct": each.is_correct,
            "verdict": each.verdict,
            "detail": each.detail,
            "requirements": violations_as_json(each.violated),
        }
        for each in grades
    ]
    return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"


def _lines(grades: Sequence[Grade], required: Sequence[str]) -> list[list[str]]:
    return [["answer", "verdict", *required, "detail"], *(each.cells(required) for each in grades)]
