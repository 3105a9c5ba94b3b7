"""The machine: the results and errors of CPS programs."""

import io
import tracemalloc

import pytest
from hypothesis import assume, given, settings

from cpsconv.core.arguments import parse_arguments
from cpsconv.core.ir import BOOL, INT, VOID
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.operations.types import wrap
from cpsconv.engines.machine import link
from cpsconv.engines.machine.link import is_first_order
from cpsconv.engines.machine.machine import Aborted, Halted, Returned, evaluate
from testing.effort import examples, is_full
from testing.expectations import ENTERED_TWICE, FIGURE_8
from testing.ir_programs import programs, samples
from testing.running import program_of


def run(text, *arguments, **options):
    """The outcome and the standard output of a program."""
    output = io.BytesIO()
    outcome = evaluate(program_of(text), None, arguments, output=output, errors=io.BytesIO(), **options)
    return outcome, output.getvalue().decode("latin-1")


def fault(text, *arguments, **options):
    """The rendered runtime error that ends the program."""
    with pytest.raises(ProgramError) as raised:
        run(text, *arguments, **options)
    return raised.value.diagnostic.render()


FIBONACCI = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }"
SUM = "int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }"
COUNT = "int count(int n) { int i = 0; while (i < n) i++; return i; }"

# ------------------------------------------------------------------------------------------------- ends of a run


def test_figure_8_returns_the_value_of_the_chosen_branch():
    assert run(FIGURE_8, 0) == (Returned(23, INT), "")
    assert run(FIGURE_8, 7) == (Returned(42, INT), "")


def test_a_function_may_return_nothing_or_a_bool():
    assert run("f(ret : () → ⊥) → ⊥ { ret() }")[0] == Returned(None, VOID)
    assert run("f(x : int, ret : bool → ⊥) → ⊥ { ret(x > 1) }", 2)[0] == Returned(True, BOOL)


def test_halt_ends_the_program_with_a_status_of_eight_bits():
    assert run("main(ret : int → ⊥) → ⊥ { f(halt) } f(ret : int → ⊥) → ⊥ { ret(-1) }")[0] == Halted(255)
    assert run("main() → ⊥ { halt(3) }")[0] == Halted(3)


def test_abort_ends_the_program():
    assert run("main(ret : int → ⊥) → ⊥ { abort() }")[0] == Aborted()


def test_arguments_are_brought_into_the_range_of_their_types():
    assert run("f(x : char, ret : char → ⊥) → ⊥ { ret(x) }", 300)[0].value == 44


# ------------------------------------------------------------------------------------------------ transfers and calls


def test_recursion_keeps_the_values_of_each_activation_apart():
    assert run(FIBONACCI, 15)[0] == Returned(610, INT)


def test_arguments_are_passed_simultaneously():
    text = """
    f(n : int, ret : int → ⊥) → ⊥ {
      let
        loop := (i : int, a : int, b : int) → ⊥
          let
            body := () → ⊥
              loop(i + 1, b, a)
            exit := () → ⊥
              ret(a * 10 + b)
          in
          branch(i < n, body, exit)
      in
      loop(0, 1, 2)
    }
    """
    assert [run(text, n)[0].value for n in range(3)] == [12, 21, 12]


def test_a_switch_selects_a_case_or_the_default():
    text = """
    f(x : int, ret : int → ⊥) → ⊥ {
      let
        one := () → ⊥
          ret(10)
        other := (v : int) → ⊥
          ret(v)
      in
      switch(x, 1 ⇒ one, -2 ⇒ λ(). other(20), _ ⇒ λ(). other(x))
    }
    """
    assert [run(text, x)[0].value for x in (1, -2, 3)] == [10, 20, 3]


def test_functions_call_each_other():
    text = """
    even(n : unsigned, ret : bool → ⊥) → ⊥ {
      branch(n == 0u, λ(). ret(true), λ(). odd(n - 1u, ret))
    }
    odd(n : unsigned, ret : bool → ⊥) → ⊥ {
      branch(n == 0u, λ(). ret(false), λ(). even(n - 1u, ret))
    }
    main(ret : () → ⊥) → ⊥ {
      even(10u, λ(a : bool).
      even(7u, λ(b : bool).
      printf("%d %d", int(a), int(b));
      ret()))
    }
    """
    assert run(text)[1] == "1 0"


# ------------------------------------------------------------------------------------------- continuations as values


def test_a_closure_keeps_the_values_at_its_creation():
    text = """
    main(ret : int → ⊥) → ⊥ {
      let
        end := () → ⊥
          ret(0)
        loop := (i : int, rest : () → ⊥) → ⊥
          let
            show := () → ⊥
              printf("%d ", i);
              rest()
            more := () → ⊥
              loop(i + 1, show)
          in
          branch(i < 4, more, rest)
      in
      loop(0, end)
    }
    """
    assert run(text) == (Returned(0, INT), "3 2 1 0 ")


def test_a_search_backtracks_by_entering_a_continuation_again():
    text = """
    choose(i : int, n : int, fail : () → ⊥, ret : (int, () → ⊥) → ⊥) → ⊥ {
      let
        try := () → ⊥
          let
            next := () → ⊥
              choose(i + 1, n, fail, ret)
          in
          ret(i, next)
      in
      branch(i > n, fail, try)
    }
    main(ret : int → ⊥) → ⊥ {
      let
        none := () → ⊥
          ret(0)
      in
      choose(1, 20, none, λ(a : int, again_a : () → ⊥).
      choose(a, 20, again_a, λ(b : int, again_b : () → ⊥).
      choose(b, 20, again_b, λ(c : int, again_c : () → ⊥).
      let
        found := () → ⊥
          printf("%d %d %d, ", a, b, c);
          again_c()
      in
      branch(a * a + b * b == c * c, found, again_c))))
    }
    """
    assert run(text)[1] == "3 4 5, 5 12 13, 6 8 10, 8 15 17, 9 12 15, 12 16 20, "


def test_one_entry_of_a_closure_does_not_disturb_the_next():
    assert run(ENTERED_TWICE)[0] == Returned(1112, INT)


def test_a_function_is_a_value_and_a_return_continuation_too():
    text = """
    apply(f : (int, int → ⊥) → ⊥, x : int, ret : int → ⊥) → ⊥ { f(x, ret) }
    twofold(x : int, ret : int → ⊥) → ⊥ { ret(x * 2) }
    report(x : int) → ⊥ { printf("%d", x); halt(0) }
    main(ret : int → ⊥) → ⊥ { apply(twofold, 21, report) }
    """
    assert run(text) == (Halted(0), "42")


# ------------------------------------------------------------------------------------------------------------ effects


def test_effects_happen_in_order_and_have_results():
    text = r"""
    main(ret : int → ⊥) → ⊥ {
      a := puts("one");
      b := putchar(321);
      c := printf("\xff%s", "two");
      printf(" %d %d %d", a, b, c);
      ret(0)
    }
    """
    assert run(text)[1] == "one\nA\xfftwo 4 65 4"


def test_standard_output_is_flushed_before_standard_error_is_written():
    both = io.BytesIO()
    text = 'main() → ⊥ { puts("out"); eprint("err"); puts("out"); halt(0) }'
    evaluate(program_of(text), output=io.BufferedWriter(Unclosed(both)), errors=both)
    assert both.getvalue() == b"out\nerrout\n"


class Unclosed(io.RawIOBase):
    """Writes to a buffer, which stays open."""

    def __init__(self, buffer):
        self._buffer = buffer

    def writable(self):
        return True

    def write(self, data):
        return self._buffer.write(data)


# ----------------------------------------------------------------------------------------------------- runtime errors


def test_a_division_by_zero_is_reported_with_its_location():
    assert fault("f(x : int, ret : int → ⊥) → ⊥ {\n  ret(1 + 7 / x)\n}", 0) == (
        "program.cps:2:11: runtime error: division by zero\n    2 |   ret(1 + 7 / x)\n      |           ^^^^^"
    )


def test_undef_may_be_passed_but_not_used_in_an_operation():
    text = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let
    loop := (a : int, i : int) → ⊥
      let
        more := () → ⊥
          loop(undef(a : int), i + 1)
        exit := () → ⊥
          ret(a + 1)
      in
      branch(i < x, more, exit)
  in
  loop(5, 0)
}
"""
    assert run(text, 0)[0].value == 6
    assert fault(text, 3) == (
        "program.cps:8:15: runtime error: `a` is used uninitialised\n"
        "    8 |           ret(a + 1)\n"
        "      |               ^^^^^\n"
        "program.cps:6:16: note: declared here\n"
        "    6 |           loop(undef(a : int), i + 1)\n"
        "      |                ^^^^^^^^^^^^^^"
    )


@pytest.mark.parametrize(
    "use",
    [
        "branch(undef(x : bool), λ(). ret(1), λ(). ret(2))",
        "switch(undef(x : int), 1 ⇒ λ(). ret(1), _ ⇒ λ(). ret(2))",
        "branch(undef(x : int) == undef(x : int), λ(). ret(1), λ(). ret(2))",
        'printf("%d", undef(x : int)); ret(1)',
        "putchar(undef(x : int)); ret(1)",
        "puts(undef(x : string)); ret(1)",
        "eprint(undef(x : string)); ret(1)",
        "ret(undef(x : int))",
        "halt(undef(x : int))",
        "v := long(undef(x : int)); ret(1)",
    ],
)
def test_every_use_of_undef_is_a_runtime_error(use):
    message, *_ = fault(f"f(ret : int → ⊥) → ⊥ {{ {use} }}").splitlines()
    assert message.endswith("runtime error: `x` is used uninitialised")


def test_a_runtime_error_in_printf_shows_the_statement():
    assert fault('f(ret : () → ⊥) → ⊥ {\n  printf("%d");\n  ret()\n}') == (
        "program.cps:2:3: runtime error: `%d` in a printf format has no argument\n"
        '    2 |   printf("%d");\n'
        "      |   ^^^^^^^^^^^^"
    )


def test_the_limit_of_steps_counts_transfers():
    outcome, _ = run(COUNT, 10, max_steps=23)  # to the loop, twice for each of ten, out and back
    assert outcome.value == 10
    with pytest.raises(StepLimit):
        run(COUNT, 10, max_steps=22)
    assert run(COUNT, 10, max_steps=10**30)[0] == outcome


def test_the_step_limit_is_reported_at_the_last_transfer():
    assert fault("f(ret : () → ⊥) → ⊥ {\n  let\n    k := () → ⊥\n      k()\n  in\n  k()\n}", max_steps=1000) == (
        "program.cps:4:7: runtime error: the program is not done after 1000 steps\n    4 |       k()\n      |       ^^^"
    )


class Interrupted(io.BytesIO):
    """A stream whose second `write` is interrupted."""

    def write(self, data):
        if self.getvalue():
            raise KeyboardInterrupt
        return super().write(data)


@pytest.mark.parametrize(
    ("then", "end", "options"),
    [
        ("ret(1 / 0)", ProgramError, {}),
        ("f(ret)", StepLimit, {"max_steps": 1}),
        ('puts("again"); ret(0)', KeyboardInterrupt, {}),
    ],
)
def test_no_output_is_lost_however_the_run_ends(then, end, options):
    kept = Interrupted()
    text = f'f(ret : int → ⊥) → ⊥ {{ puts("kept"); {then} }}'
    with pytest.raises(end):
        output = kept if "again" in then else io.BufferedWriter(Unclosed(kept))
        evaluate(program_of(text), output=output, errors=kept, **options)
    assert kept.getvalue() == b"kept\n"


# --------------------------------------------------------------------------------------------------------------- size


def test_recursion_may_be_a_million_deep():
    depth = 1_000_000 if is_full() else 100_000
    assert run(SUM, depth)[0].value == wrap(INT, depth * (depth + 1) // 2)


def test_a_runtime_error_in_a_hundred_thousand_nested_calls_is_reported():
    assert "division by zero" in fault(SUM.replace("? 0", "? 1 / n"), 100_000)


@pytest.mark.parametrize(
    "text",
    [COUNT, "f(n : int, ret : int → ⊥) → ⊥ { branch(n == 0, λ(). ret(n), λ(). f(n - 1, ret)) }"],
    ids=["loop", "tail calls"],
)
def test_loops_and_tail_calls_take_no_memory(text):
    tracemalloc.start()
    try:
        run(text, 10)
        _, before = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        run(text, 20_000)
        _, after = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after < before + 100_000


# ------------------------------------------------------------------------------------------------- generated programs


def observed(program, function, **options):
    """Everything that can be observed of a run, in plain data."""
    output = io.BytesIO()
    values = parse_arguments(function, samples(function) or [])
    try:
        end = repr(evaluate(program, function.name, values, output=output, errors=output, max_steps=300, **options))
    except ProgramError as fault:
        end = str(fault)
    return end, output.getvalue()


def startable(program):
    return [function for function in program.functions if samples(function) is not None]


@settings(max_examples=examples(60))
@given(programs())
def test_a_sound_program_ends_well_or_in_a_runtime_error_traced_or_not(program):
    for function in startable(program):
        assert observed(program, function) == observed(program, function, trace=lambda record: None)


@settings(max_examples=examples(60))
@given(programs())
def test_a_first_order_program_may_share_frames(program):
    assume(is_first_order(program))
    for function in startable(program):
        with pytest.MonkeyPatch.context() as patch:
            shared = observed(program, function)
            patch.setattr(link, "is_first_order", lambda program: False)
            assert observed(program, function) == shared
