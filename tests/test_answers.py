"""Constructions that students implement: a right answer agrees with the paper, and the first difference is found."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from testing.effort import sample
from tests.conftest import Run
from tests.test_course import answer, program

ROOT = Path(__file__).parent.parent
COURSE = ROOT / "docs" / "course"
ANSWER = (COURSE / "solutions" / "read_variable.py").read_text(encoding="utf-8")
LESSON_4 = {name: program("4-the-algorithm.md", name) for name in ("two", "three", "four", "five")}
PROGRAMS = {**LESSON_4, "agree": answer("agree").text, "sum": (COURSE / "exercises" / "sum.c").read_text("utf-8")}


def check(run: Run, text: str, answer: str, *options: str) -> tuple[int, str, str]:
    """The status, output and errors of ``cpsconv check program.c --construction answer.py`` in an empty folder."""
    Path("program.c").write_text(text, encoding="utf-8")
    Path("answer.py").write_text(answer, encoding="utf-8")
    return run("check", "program.c", "--construction", "answer.py", *options)


@pytest.mark.parametrize("path", sample(sorted((ROOT / "examples").glob("*.c")), 2), ids=lambda path: path.stem)
def test_the_answer_of_the_course_agrees_with_the_paper(path: Path, cpsconv: Run) -> None:
    status, out, err = cpsconv("check", str(path), "--construction", str(COURSE / "solutions" / "read_variable.py"))
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines and all(
        re.fullmatch(r".*: the same \d+ events of .* \(\d+ placed, \d+ removed\)", each) for each in lines
    )


SEALED = "    for variable, phi in incomplete_phis.get(block, {}).items():\n        add_phi_operands(variable, phi)"
RECORDED = "    write_variable(variable, block, value)\n    return value"

MISTAKES = {
    "the result is not recorded": ("two", RECORDED, "    return value", "Algorithm 2, line 10: ", ""),
    "the φ is not recorded": (
        *("four", "        write_variable(variable, block, phi)\n", "", "Algorithm 2, line 8: "),
        "finds the parameter `x` of `four` for `x` in `four`",
    ),
    "trivial φs are kept": (
        *("four", "return try_remove_trivial_phi(phi)", "return phi", "Algorithm 3, line 11: "),
        "records the parameter `x1` of `next` for `x` in `next`",
    ),
    "φs are not replaced": ("four", "    phi.replace_by(same)\n", "", "Algorithm 3, line 11: ", "records"),
    "a φ is its own witness": ("agree", " or operand is phi", "", "Algorithm 3, line 11: ", "finds"),
    "users are not examined": (
        *("agree", "        try_remove_trivial_phi(user)", "        pass", "Algorithm 3, line 11: "),
        "finds",
    ),
    "sealing is ignored": ("sum", "if not block.sealed:", "if False:", "Algorithm 2, line 2: ", "finds"),
    "proxies get no operands": ("sum", SEALED, "    pass", "Algorithm 1, line 3: ", "does nothing more here"),
    "a φ for each read": (
        *("two", "elif len(block.predecessors) == 1:", "elif False:", "Algorithm 2, line 5: "),
        "places a parameter for `x` in `then`",
    ),
    "the value of the last predecessor": (
        *("three", "phi.append_operand(read_variable(variable, predecessor))", "pass", "Algorithm 1, line 3: ", ""),
    ),
}
"""For each mistake: the program that reveals it, the right text, the wrong one, and parts of the report."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_first_difference_is_reported(mistake: str, cpsconv: Run) -> None:
    name, right, wrong, line, answered = MISTAKES[mistake]
    assert ANSWER.count(right) == 1
    Path("program.h").write_text("\n" * 99)
    text = f'#include "program.h"\n{PROGRAMS[name]}'
    status, out, err = check(cpsconv, text, ANSWER.replace(right, wrong))
    assert (status, err) == (1, "")
    heading, source, *_ = out.splitlines()
    number = re.fullmatch(rf"{name}: different at step (\d+) of the strategy paper", heading)
    assert number
    place = re.fullmatch(r"  program\.c:(\d+): (.+)", source)
    assert place and place[2] == text.splitlines()[int(place[1]) - 1].strip()
    assert f"\n  {line}" in out
    assert re.search(rf"^  answer\.py(:\d+)?: {re.escape(answered)}", out, re.MULTILINE)
    assert out.endswith(f"open page.html#fn={name}&strategy=paper&step={number[1]}\n")
    explained = cpsconv("explain", "--brief", "--strategy", "paper", "program.c")[1]
    (sentence,) = re.findall(r"^  paper: (.*)$", out, re.MULTILINE)
    assert re.search(rf"^ *{number[1]} +{re.escape(sentence)}$", explained, re.MULTILINE)


STUB = (COURSE / "exercises" / "read_variable.py").read_text(encoding="utf-8")

FAILURES = {
    "the stub": (STUB, "answer.py:16:5: error: NotImplementedError: the search in the predecessors: Algorithm 2\n"),
    "no Python": ("def f(:\n", "answer.py:1:1: error: this is not Python: invalid syntax\n"),
    "a function is missing": ("def read_variable(variable, block): pass\n", "error: answer.py: there is no function"),
    "an exception at the start": ("\nx = 1 / 0\n", "answer.py:2:1: error: ZeroDivisionError: division by zero\n"),
    "an exit": ("raise SystemExit(3)\n", "answer.py:1:1: error: SystemExit: 3\n"),
    "the end of the process": (
        "import os\nos._exit(3)\n",
        "error: answer.py: the process of the run ended with status 3",
    ),
    "no result": (
        ANSWER.replace("    return read_variable_recursive", "    read_variable_recursive"),
        "error: TypeError: None is no value of the program\n",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_an_answer_that_fails_is_reported_with_its_line(failure: str, cpsconv: Run) -> None:
    text, message = FAILURES[failure]
    status, out, err = check(cpsconv, PROGRAMS["four"], text)
    assert (status, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


def test_a_look_up_that_does_not_end_is_an_exception_of_the_answer(cpsconv: Run) -> None:
    endless = ANSWER.replace("return read_variable_recursive(variable, block)", "return read_variable(variable, block)")
    status, _, err = check(cpsconv, PROGRAMS["four"], endless)
    assert status == 1
    assert re.match(r"answer\.py:\d+:\d+: error: RecursionError: ", err)


def test_an_answer_may_take_a_limited_time(cpsconv: Run) -> None:
    status, out, err = check(cpsconv, PROGRAMS["four"], "while True: pass\n", "--timeout", "0.2")
    assert (status, out) == (3, "")
    assert err.startswith("runtime error: the program takes more than 0.2 seconds of processor time\n")


def test_an_answer_cannot_catch_a_difference(cpsconv: Run) -> None:
    caught = ANSWER.replace("    return try_remove_trivial_phi(phi)", "    return phi").replace(
        "    return read_variable_recursive(variable, block)",
        "    try:\n        return read_variable_recursive(variable, block)\n    except Exception:\n        return None",
    )
    assert check(cpsconv, PROGRAMS["four"], caught)[1].startswith("four: different at step 23")


def test_only_the_chosen_function_is_constructed_by_the_answer(cpsconv: Run) -> None:
    two = "int f(int c) { int x = 0; if (c) x = 1; return x; }\nint g(int c) { return c; }\n"
    Path("two.c").write_text(two, encoding="utf-8")
    Path("answer.py").write_text(ANSWER, encoding="utf-8")
    out = cpsconv("check", "two.c:g", "--construction", "answer.py")[1]
    assert out == "g: the same 1 events of look-ups as the strategy paper (0 placed, 0 removed)\n"
    status, _, err = cpsconv("check", "two.c:h", "--construction", "answer.py")
    assert status == 1 and "there is no function" in err


def test_text_in_cps_has_no_construction(cpsconv: Run) -> None:
    Path("f.cps").write_text("f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n", encoding="utf-8")
    Path("answer.py").write_text(ANSWER, encoding="utf-8")
    status, _, err = cpsconv("check", "f.cps", "--construction", "answer.py")
    assert status == 1 and "CPS text is not converted" in err


GRADES = [
    ("anna.py", "same", ""),
    ("ben.py", "error", "answers/ben.py:16:5: error: NotImplementedError: the search in the predecessors: Algorithm 2"),
    ("dora.py", "error", "the program takes more than 0.2 seconds of processor time"),
    ("emil.py", "error", "the process of the run ended with status 3"),
    (
        "late/fritz.py",
        "different",
        "four.c:four, step 23: answers/late/fritz.py:30: records the parameter `x1` of `next` for `x` in `next`; "
        "paper: `x1` is trivial: replaced by the parameter `x` of `four`; record it as `x` in `next`",
    ),
    ("late/gerda.py", "error", "answers/late/gerda.py: there is no such file"),
]


@pytest.fixture
def answers(cpsconv: Run) -> Run:
    """The command in a folder with two programs, and a folder of answers, right and wrong ones."""
    Path("answers/late").mkdir(parents=True)
    files = {
        "two.c": PROGRAMS["two"],
        "four.c": PROGRAMS["four"],
        "answers/anna.py": "print('hello')\n" + ANSWER,
        "answers/ben.py": STUB,
        "answers/.carla.py": ANSWER,
        "answers/dora.py": "while True: pass\n",
        "answers/emil.py": "import os\nos._exit(3)\n",
        "answers/late/fritz.py": ANSWER.replace("return try_remove_trivial_phi(phi)", "return phi"),
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("answers/late/gerda.py").symlink_to("nowhere")
    return cpsconv


@pytest.mark.parametrize("jobs", sample(["2", "1"], 2))
def test_a_folder_of_answers_is_a_table(answers: Run, jobs: str) -> None:
    options = ("--construction", "answers", "--timeout", "0.2", "-j", jobs)
    done = answers("check", "--all", "two.c", "four.c", *options, "--csv")
    assert done.status == 1 and "Traceback" not in done.err
    head, *rows = csv.reader(io.StringIO(done.out))
    assert head == ["answer", "verdict", "detail"]
    assert rows == [[f"answers/{name}", verdict, detail] for name, verdict, detail in GRADES]


def test_the_table_of_constructions_is_text_or_json(answers: Run) -> None:
    two = ("check", "--all", "two.c", "--construction")
    done = answers(*two, "answers/late")
    assert (done.status, done.out.splitlines()[1:]) == (
        1,
        [
            "answers/late/fritz.py  same",
            "answers/late/gerda.py  error    answers/late/gerda.py: there is no such file",
            "1 of 2 correct",
        ],
    )
    status, out, _ = answers(*two, "answers/anna.py", "--json")
    assert status == 0
    keys = {"answer": "answers/anna.py", "correct": True, "verdict": "same", "detail": "", "requirements": {}}
    assert json.loads(out) == [keys]


def test_the_programs_of_a_table_are_no_answers_and_must_be_right(answers: Run) -> None:
    Path("answers/four.c").symlink_to(Path("four.c").absolute())
    Path("answers/dora.py").unlink()
    assert "four.c " not in answers("check", "--all", "four.c", "--construction", "answers").out
    status, out, err = answers("check", "--all", "four.c", "three.c", "--construction", "answers")
    assert (status, out, err) == (1, "", "error: three.c: there is no such file\n")


@pytest.mark.parametrize("options", [["--tests", "5"], ["--strict"], ["--entry", "f"], ["--require", "minimal"]])
def test_options_of_other_checks_are_refused(options: list[str], answers: Run) -> None:
    status, out, err = answers("check", "two.c", "--construction", "answers/anna.py", *options)
    assert (status, out) == (2, "") and f"--construction and {options[0]} exclude each other" in err


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_one_answer_has_no_table(option: str, answers: Run) -> None:
    status, _, err = answers("check", "two.c", "--construction", "answers/anna.py", option)
    assert status == 2 and f"{option} requires --all" in err
