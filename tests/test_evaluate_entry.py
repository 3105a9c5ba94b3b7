"""Where a program starts, and the arguments of a command line."""

import io
import json
import math
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from cpsconv import Limits, convert, parse, pretty
from cpsconv.core import ir
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.entry import entry_of
from cpsconv.core.operations.runtime_errors import DepthLimit
from cpsconv.core.source import DiagnosticError
from cpsconv.engines.machine.machine import Returned, evaluate
from tests.conftest import Run

RETURN = ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")


def program(*names):
    return ir.Program([ir.Function(name, [RETURN]) for name in names])


def taking(*types):
    """A function `f` with parameters `a`, `b`, … of these types."""
    return ir.Function("f", [*(ir.Parameter(type, "abcdef"[number]) for number, type in enumerate(types)), RETURN])


def complaints(do):
    with pytest.raises(DiagnosticError) as raised:
        do()
    return [diagnostic.render() for diagnostic in raised.value.diagnostics]


@pytest.mark.parametrize(
    ("names", "asked", "chosen"), [(["f", "main"], None, "main"), (["f"], None, "f"), (["f", "g", "main"], "g", "g")]
)
def test_a_program_starts_at_the_entry_asked_for_or_main_or_its_only_function(names, asked, chosen):
    assert entry_of(program(*names), asked).name == chosen


@pytest.mark.parametrize(
    ("names", "asked", "complaint"),
    [
        (
            ["f", "g"],
            None,
            "error: there is no function `main`\nhelp: the program has `f`, `g`; choose one by `entry=`",
        ),
        (["f", "g"], "h", "error: there is no function `h`\nhelp: the program has `f`, `g`"),
        (["f"], "main", "error: there is no function `main`\nhelp: the program has `f`"),
        (["first", "g"], "frist", "error: there is no function `frist`\nhelp: did you mean `first`?"),
        ([], None, "error: there is no function `main`"),
    ],
)
def test_a_program_without_the_entry_asked_for_names_the_candidates(names, asked, complaint):
    assert complaints(lambda: entry_of(program(*names), asked)) == [complaint]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ([ir.Parameter(ir.ContinuationType(()), "fail"), RETURN], "its parameter `fail` is a continuation"),
        ([ir.Parameter(ir.ContinuationType((ir.INT, ir.INT)), "ret")], "it returns 2 values"),
    ],
)
def test_a_function_that_needs_continuations_or_returns_two_values_cannot_be_started(parameters, reason):
    function = ir.Function("f", parameters)
    assert complaints(lambda: entry_of(ir.Program([function]))) == [f"error: `f` cannot be started: {reason}"]


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (ir.INT, "42", 42),
        (ir.INT, "-2147483648", -(2**31)),
        (ir.INT, "+7", 7),
        (ir.INT, "007", 7),
        (ir.UNSIGNED, "0xFFFFFFFF", 2**32 - 1),
        (ir.LONG, "-0x10", -16),
        (ir.UNSIGNED_LONG, "18446744073709551615", 2**64 - 1),
        (ir.CHAR, "a", 97),
        (ir.CHAR, "'7'", 55),
        (ir.CHAR, "7", 7),
        (ir.CHAR, "-", 45),
        (ir.CHAR, "é", -23),
        (ir.UNSIGNED_CHAR, "é", 233),
        (ir.BOOL, "true", True),
        (ir.BOOL, "0", False),
        (ir.DOUBLE, "-1.5e3", -1500.0),
        (ir.DOUBLE, "inf", math.inf),
        (ir.FLOAT, "0.1", 0.10000000149011612),
        (ir.STRING, "abc", "abc"),
        (ir.STRING, "€", "\xe2\x82\xac"),
        (ir.STRING, "\udcff", "\xff"),
    ],
)
def test_an_argument_is_a_value_of_its_parameters_type(type, text, value):
    (parsed,) = parse_arguments(taking(type), [text])
    assert parsed == value
    assert parsed.__class__ is value.__class__


@pytest.mark.parametrize(
    ("type", "text", "reason"),
    [
        (ir.INT, "2147483648", "2147483648 is out of the range of `int`, -2147483648 to 2147483647"),
        (ir.UNSIGNED, "-1", "-1 is out of the range of `unsigned`, 0 to 4294967295"),
        (ir.CHAR, "300", "300 is out of the range of `char`, -128 to 127"),
        (ir.INT, "12x", "`12x` is not an integer"),
        (ir.INT, "", "`` is not an integer"),
        (ir.INT, "1_000", "`1_000` is not an integer"),
        (ir.INT, "a", "`a` is not an integer"),
        (ir.CHAR, "ab", "`ab` is not an integer"),
        (ir.BOOL, "yes", "`yes` is neither `true` nor `false`"),
        (ir.DOUBLE, "one", "`one` is not a number"),
    ],
)
def test_an_argument_that_is_no_value_of_its_parameters_type_is_explained(type, text, reason):
    assert complaints(lambda: parse_arguments(taking(type), [text])) == [f"error: argument `a` of `f`: {reason}"]


@pytest.mark.parametrize("text", ["", "é€𝄞", "a\0b\n", "\udc82\udcac", "\x85"])
def test_a_string_is_shown_as_it_was_given(text):
    assert shown_data(*parse_arguments(taking(ir.STRING), [text])) == text


def test_an_integer_of_very_many_digits_is_out_of_range():
    (complaint,) = complaints(lambda: parse_arguments(taking(ir.INT), ["9" * 5000]))
    assert complaint.endswith("9 is out of the range of `int`, -2147483648 to 2147483647")


def test_all_wrong_arguments_are_reported_at_once():
    assert complaints(lambda: parse_arguments(taking(ir.INT, ir.INT, ir.BOOL), ["x", "1", "y"])) == [
        "error: argument `a` of `f`: `x` is not an integer",
        "error: argument `c` of `f`: `y` is neither `true` nor `false`",
    ]


@pytest.mark.parametrize(
    ("types", "texts", "complaint"),
    [
        ([ir.INT, ir.BOOL], ["1"], "error: `f` takes 2 arguments (a : int, b : bool), but 1 was given"),
        ([ir.INT], [], "error: `f` takes 1 argument (a : int), but none were given"),
        ([], ["1", "2"], "error: `f` takes no arguments, but 2 were given"),
    ],
)
def test_a_wrong_number_of_arguments_is_reported(types, texts, complaint):
    function = taking(*types)
    assert complaints(lambda: parse_arguments(function, texts)) == [complaint]
    nowhere = io.BytesIO()
    assert complaints(lambda: evaluate(ir.Program([function]), None, texts, output=nowhere, errors=nowhere)) == [
        complaint
    ]


@pytest.mark.parametrize("name", [".start", ".start.body", "_start", "start"])
def test_a_run_starts_with_main_whatever_the_names_of_functions_are(name: str, cpsconv: Run) -> None:
    text = f"`{name}`(ret : int → ⊥) → ⊥ {{ ret(3) }}\nmain(ret : int → ⊥) → ⊥ {{ `{name}`(λ(n : int). ret(n + 1)) }}\n"
    Path("program.cps").write_text(text)
    assert cpsconv("run", "program.cps").status == 4
    print_it = [{"op": "const", "dest": "x", "type": "int", "value": 3}, {"op": "print", "args": ["x"]}]
    call = [{"op": "call", "funcs": [name]}, {"op": "print", "args": ["n"]}]
    main = {"name": "main", "args": [{"name": "n", "type": "int"}], "instrs": call}
    Path("program.json").write_text(json.dumps({"functions": [main, {"name": name, "instrs": print_it}]}))
    assert cpsconv("run", "program.json", "--lang", "bril", "5") == (0, "3\n5\n", "")


@pytest.mark.parametrize(
    ("parameters", "shown", "expected"),
    [
        ("int n, char **a, char **e, int more", "n, *a[1]", "3 97"),
        ("unsigned n, const char **a", "n, *a[2]", "3 98"),
        ("long n", "(int)n, 0", "3 0"),
        ("char *n", "(int)(long)n, 0", "3 0"),
        ("double d, short n", "n, 0", "3 0"),
        ("int n, void *a", "n, *((char **)a)[1]", "3 97"),
        ("int n, char *a[], ...", "n, *a[1]", "3 97"),
    ],
)
def test_unusual_parameters_of_main_are_those_in_their_registers(parameters, shown, expected, tmp_path, cpsconv):
    path = tmp_path / "program.c"
    path.write_text(
        f'#include <stdio.h>\nint main({parameters});\nint main({parameters}) {{ printf("%d %d", {shown}); return 0; }}'
    )
    done = cpsconv("run", "-Wmain", str(path), "a", "b")
    assert done.out == expected and "[-Wmain]" in done.err


def test_old_parameters_of_main_may_have_any_type(tmp_path, cpsconv):
    path = tmp_path / "program.c"
    path.write_text("int main(n, x) float x; { return n; }")
    assert cpsconv("run", str(path), "a", "b").status == 3


def test_the_streams_of_the_process_are_the_default(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    program = convert('int main(void) { puts("out"); return 3; }', language="c")
    assert evaluate(program) == Returned(3, ir.INT)
    assert capsysbinary.readouterr() == (b"out\n", b"")
    with redirect_stdout(io.StringIO()) as text:
        evaluate(program)
    assert text.getvalue() == "out\n"


def test_a_program_prints_as_its_text() -> None:
    program = convert("int f(int x) { return x; }", language="c")
    assert str(parse(str(program))) == str(program)
    with pytest.raises(TypeError, match="the source is b'x': pass a `Source`, or a string and its `language`"):
        convert(b"x", language="c")  # type: ignore[arg-type]
    assert f"{program}\n" == pretty(program)


def test_errors_outside_of_the_command_line_name_parameters() -> None:
    with pytest.raises(DiagnosticError, match="choose a language with `language=`"):
        convert("int f(int x) { return x; }")
    with pytest.raises(DepthLimit) as caught:
        evaluate(convert("int f(int n) { return f(n) + 1; }", language="c"), "f", [1], limits=Limits(max_depth=9))
    assert "--" not in str(caught.value) and "`max_depth` sets the limit" in str(caught.value)
