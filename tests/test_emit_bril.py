"""The emitter for Bril: what it writes is read again, is in the chosen form, and behaves as the program."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from cpsconv import Source, convert
from cpsconv.core.construction import STRATEGIES
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing import effort
from testing.bril_generator import Generator
from testing.bril_programs import EXAMPLES, PHIS, Example
from testing.choices import Rolled
from tests.conftest import Run
from tests.tables import table

WITHOUT_TEXT = [each for each in [*EXAMPLES, *PHIS] if "[object Object]" not in each.output]
ALL = [pytest.param(each, id=each.name) for each in WITHOUT_TEXT]
OPTIONS = [("--emit", "bril"), ("--emit", "bril-json"), ("--emit", "bril", "--out-of-ssa"), ("--emit", "bril", "-O")]
OPTIONS += [("--emit", "bril", "-O", "--out-of-ssa"), ("--emit", "bril", "--no-minimal", "--out-of-ssa")]


@effort.each_in_turn(example=WITHOUT_TEXT, options=OPTIONS, strategy=[*STRATEGIES])
def test_the_written_program_behaves_as_the_source(
    cpsconv: Run, example: Example, options: tuple[str, ...], strategy: str
) -> None:
    Path("p.bril").write_text(dedent(example.text))
    written = cpsconv("convert", *options, "--strategy", strategy, "-Wno-all", "p.bril")
    assert (written.status, written.err) == (0, "")
    Path("q.bril").write_text(written.out)
    done = cpsconv("run", "q.bril", "-Wno-all", "--", *example.arguments)
    assert (done.out, done.status) == (example.output, 2 if example.error else 0)


@pytest.mark.parametrize("example", ALL)
def test_in_ssa_form_each_variable_is_assigned_once(cpsconv: Run, example: Example) -> None:
    Path("p.bril").write_text(dedent(example.text))
    program = json.loads(cpsconv("convert", "--emit", "bril-json", "-Wno-all", "p.bril").out)
    for function in program["functions"]:
        assigned = Counter(line["dest"] for line in function["instrs"] if "dest" in line)
        assigned.update(each["name"] for each in function.get("args", ()))
        assert set(assigned.values()) <= {1}


@pytest.mark.parametrize("example", ALL)
def test_out_of_ssa_form_there_are_no_shadow_variables(cpsconv: Run, example: Example) -> None:
    Path("p.bril").write_text(dedent(example.text))
    program = json.loads(cpsconv("convert", "--emit", "bril-json", "--out-of-ssa", "-Wno-all", "p.bril").out)
    operations = {line.get("op") for function in program["functions"] for line in function["instrs"]}
    assert not operations & {"set", "get", "phi"}


def test_a_loop_in_both_forms(cpsconv: Run) -> None:
    Path("p.c").write_text(
        "#include <stdio.h>\n"
        'int main(void) { long s = 0; for (long i = 0; i < 10; i++) s += i; printf("%ld\\n", s); return 0; }'
    )
    assert cpsconv("convert", "--emit", "bril", "p.c").out == dedent(
        """\
        @main {
          c0: int = const 0;
          set i c0;
          set s c0;
          c10: int = const 10;
          c1: int = const 1;
        .for:
          i: int = get;
          s: int = get;
          v: bool = lt i c10;
          br v .body .exit;
        .body:
          s.1: int = add s i;
          i.1: int = add i c1;
          set i i.1;
          set s s.1;
          jmp .for;
        .exit:
          print s;
        }
        """
    )
    assert " id " not in cpsconv("convert", "--emit", "bril", "--out-of-ssa", "p.c").out


def test_a_swap_out_of_ssa_form_needs_one_more_variable(cpsconv: Run) -> None:
    example = next(each for each in EXAMPLES if each.name == "set_and_get_swap_two_variables")
    Path("p.bril").write_text(dedent(example.text))
    text = cpsconv("convert", "--emit", "bril", "--out-of-ssa", "p.bril").out
    assert text.count(" = id ") == 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('int x = n & 6; printf("%d\\n", x);', "`&` on `int`"),
        ('float f = n; printf("%d\\n", f > 0);', "the conversion from `int` to `float`"),
        ('puts("hello");', 'the output "hello"'),
        ('printf("%5d\\n", n);', "the output of `%5d`"),
        ("return 3;", "an exit status other than 0"),
        ('printf("%d", n); if (n) puts("1");', "a printed line that is not complete"),
        ('int a[3]; a[n] = 4; int *p = a; printf("%d\\n", *p);', "`allocate`"),
        ('int x = n << n; printf("%d\\n", x);', "`<<` by a number that is not constant"),
        ("void **p = malloc(8); *p = p; p = *p; free(p);", "a pointer to its own type"),
    ],
)
def test_what_bril_lacks_is_refused_by_name(cpsconv: Run, body: str, reason: str) -> None:
    Path("p.c").write_text(
        f"#include <stdio.h>\n#include <stdlib.h>\nint f(int n) {{ {body} return 0; }}\nint main() {{ return f(2); }}"
    )
    done = cpsconv("convert", "--emit", "bril", "p.c")
    assert (done.status, done.out) == (1, "")
    assert f"not expressible in Bril: {reason}" in done.err


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("g(ret : () → ⊥) → ⊥ { halt(0) }", "a jump to a function"),
        ('g(ret : string → ⊥) → ⊥ { ret("x") }', "a string"),
        ("g(s : string, ret : () → ⊥) → ⊥ { ret() }", "a string"),
    ],
)
def test_what_bril_lacks_in_text_is_refused_by_name(cpsconv: Run, function: str, reason: str) -> None:
    Path("p.cps").write_text(function)
    assert f"not expressible in Bril: {reason}" in cpsconv("convert", "--emit", "bril", "p.cps").err


def test_a_variable_of_a_module_is_refused_where_it_is_used(cpsconv: Run) -> None:
    Path("N.mod").write_text("MODULE N; VAR n: INTEGER; PROCEDURE P(); BEGIN n := 1 END P; END N.")
    Path("M.mod").write_text("MODULE M; IMPORT N;\nBEGIN N.P() END M.")
    assert cpsconv("convert", "--emit", "bril", "M.mod").err == (
        "N.mod:1:48: error: not expressible in Bril: the variable `N_n` outside of functions\n"
        "    1 | MODULE N; VAR n: INTEGER; PROCEDURE P(); BEGIN n := 1 END P; END N.\n"
        "      |                                                ^^^^^^\n"
    )


@pytest.mark.parametrize("text", [pytest.param(text, id=title) for title, text in table("c_for_bril").items()])
def test_programs_in_c_behave_alike_in_bril(cpsconv: Run, text: str) -> None:
    Path("p.c").write_text(f"#include <stdio.h>\n#include <stdlib.h>\n{text}")
    expected = cpsconv("run", "p.c")
    assert expected.status == 0
    for options in ((), ("-O",), ("--out-of-ssa",), ("-O", "--out-of-ssa")):
        written = cpsconv("convert", "--emit", "bril", *options, "p.c")
        assert written.err == ""
        Path("q.bril").write_text(written.out)
        assert cpsconv("run", "q.bril") == expected


def test_generated_programs_behave_alike_under_every_engine_and_in_bril(cpsconv: Run) -> None:
    for number in range(effort.examples(100)):
        text = Generator(Rolled(Random(number))).program()
        Path("p.bril").write_text(text)
        expected = cpsconv("run", "p.bril", "--engine", "machine", "--profile", "-Wno-all")
        assert expected.status in (0, 2)
        for strategy, optimise in ((*STRATEGIES,)[number % len(STRATEGIES)], ()), ("scc", ("-O",)):
            options = ["--strategy", strategy, *optimise, "-Wno-all"]
            assert cpsconv("run", "p.bril", "--profile", *options) == expected
            form = ["--out-of-ssa"] if number % 2 else []
            Path("q.bril").write_text(cpsconv("convert", "--emit", "bril", *form, *options, "p.bril").out)
            done = cpsconv("run", "q.bril", "-Wno-all")
            assert (done.status, done.out) == (expected.status, expected.out)


def test_generated_programs_are_certified() -> None:
    for number in range(effort.examples(50)):
        source = Source("p.bril", Generator(Rolled(Random(number))).program())
        convert(source, strategy=[*CONSTRUCTIONS][number % len(CONSTRUCTIONS)], certify=True)
