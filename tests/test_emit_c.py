"""C written from CPS programs: gcc compiles it to the same behaviour, and converted again it has no more parameters."""

from __future__ import annotations

import io
import random
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shapes import SHAPES
from cpsconv import DiagnosticError, Program, Source, convert, parse, pretty
from cpsconv.cli import main
from cpsconv.core import ir
from cpsconv.core.erasure import erased
from cpsconv.core.ir import STRING
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.operations.types import range_of
from cpsconv.engines.machine.machine import evaluate
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.c import c
from cpsconv.targets.llvm import llvm
from cpsconv.targets.structuring.parallel_copies import Copy, sequentialised
from testing import gcc
from testing.c_programs import random_program
from testing.effort import beyond_the_stack, is_full, sample
from testing.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from testing.gcc import compile_c, needs_gcc, with_main
from testing.graphs import Graph, random_graph
from testing.ir_programs import random_program as random_ir_program
from testing.running import converted, observe
from tests.tables import table

CONFIGURATIONS: list[tuple[str, dict]] = [
    ("scc", {}),
    ("basic", {"minimal": False}),
    ("scc", {"optimise": OPTIMISATIONS.keys()}),
    ("marker", {"thread_jumps": True}),
]

# gcc may warn of these properties of the source, which the written C preserves.
_IGNORED = """overflow format div-by-zero bool-operation tautological-compare switch-outside-range uninitialized
    unused-variable unused-but-set-variable unused-parameter implicit-fallthrough"""
_CLEAN = ["-Wall", "-Wextra", "-Werror", *(f"-Wno-{warning}" for warning in _IGNORED.split())]


def from_c(text: str, **given: object) -> str:
    return c(convert(Source("program.c", text), **given))  # type: ignore[arg-type]


def from_cps(text: str) -> str:
    return c(convert(Source("program.cps", text)))


def parameters(program: Program) -> int:
    return sum(len(member.parameters) for function in program.functions for member in function.members())


def variables_in_memory(program: Program) -> int:
    return pretty(program).count(" := allocate ")


# --------------------------------------------------------------------------------------------------------- the look


@pytest.mark.parametrize("text", [pytest.param(text, id=title) for title, text in table("c_as_written").items()])
def test_c_is_written_as_in_the_source(text: str) -> None:
    assert from_c(text) == text


def test_a_sequence_of_ifs_is_not_nested() -> None:
    ifs = "".join(f"    if (n == {number}) {{\n        return {2 * number};\n    }}\n" for number in range(500))
    text = f"int f(int n) {{\n{ifs}    return 0;\n}}\n"
    assert from_c(text) == text


def test_an_irreducible_loop_has_a_label() -> None:
    written = from_c("int f(int x, int n) { if (x) goto b; a: n -= 2; b: n--; if (n > 0) goto a; return n; }")
    assert "    if (x != 0) {\n        goto b;\n    }\na:;\n    n -= 2;\nb:;\n    n--;\n" in written
    assert "    if (n > 0) {\n        goto a;\n    }\n" in written


# ------------------------------------------------------------------------------------------------- copies and variables


def test_the_swap_problem() -> None:
    loop = "(i : int, a : int, b : int) → ⊥ branch(i < n, λ(). loop(i + 1, b, a), λ(). ret(a * 10 + b))"
    text = f"f(n : int, ret : int → ⊥) → ⊥ {{ let loop := {loop} in loop(0, 1, 2) }}"
    assert "    int a = 1;\n    int b = 2;\n    while (i < n) {\n" in (written := from_cps(text))
    assert "        i++;\n        int a1 = b;\n        b = a;\n        a = a1;\n    }\n" in written


def test_the_lost_copy_problem() -> None:
    written = from_c("int f(int n) { int last, i = 1; do { last = i; i = i + 1; } while (i < n); return last; }")
    loop = "{ int i = 1; while (1) { int i1 = i + 1; if (i1 >= n) { break; } i = i1; } return i; }"
    assert " ".join(written.split()).endswith(loop)


@given(st.permutations(range(7)))
def test_a_cycle_of_copies_takes_one_temporary(sources: list[int]) -> None:
    copies = [Copy(place, source, frozenset([source]), is_plain=True) for place, source in enumerate(sources)]
    temporaries: list[int] = []

    def keep(copy: Copy[int, int]) -> tuple[int, int]:
        temporaries.append(100 + copy.target)
        return temporaries[-1], temporaries[-1]

    places = {place: place for place in range(7)}
    for place, source in sequentialised([copy for copy in copies if copy.target != copy.source], keep):
        places[place] = places[source]
    assert [places[place] for place in range(7)] == sources
    smallest = [*range(7)]  # the smallest member of the cycle of each place
    for _ in sources:
        smallest = [min(smallest[place], smallest[source]) for place, source in enumerate(sources)]
    assert len(temporaries) == len({smallest[place] for place, source in enumerate(sources) if source != place})


@needs_gcc
def test_functions_do_not_get_names_that_a_header_declares(tmp_path: Path) -> None:
    """The headers <math.h>, for `fabs`, and <stdio.h>, for `printf`, declare more names than the C standard lists."""
    names = ("round", "logf", "y0", "getline", "dprintf")
    functions = " ".join(f"{name}(x : int, ret : int → ⊥) → ⊥ {{ ret(abs(x)) }}" for name in names)
    calls = "".join(f"{name}({number}, λ({name} : int). " for number, name in enumerate(names, start=1))
    text = f'{functions} main(ret : int → ⊥) → ⊥ {{ {calls} v := abs(-0.5); printf("%g", v); ret(dprintf + y0) ))))) }}'
    assert gcc.observe(gcc.compile_c(from_cps(text), tmp_path)) == Observation("0.5", 8)


def test_names_become_legal() -> None:
    text = """
        `int`(`x y` : int, `x_y` : int, `é` : int, puts : int, `2` : int, ret : int → ⊥) → ⊥ {
          `while` := `x y` / puts;
          `abs`(`while`, `x_y` + `é` + `2` + `while`, ret)
        }
        `abs`(`int` : int, __x : int, ret : int → ⊥) → ⊥ { ret(`int` - __x) }
    """
    prototype, _, *first, _, _, second, _, _ = from_cps(text).splitlines()
    assert (prototype, second) == ('int abs1(int int2, int v__x) __asm__("abs");', "int abs1(int int2, int v__x) {")
    assert first == [
        "int int1(int x_y, int x_y1, int v_, int puts1, int v2) {",
        "    int while1 = x_y / puts1;",
        "    return abs1(while1, x_y1 + v_ + v2 + while1);",
    ]


# ------------------------------------------------------------------------------------------------------ expressions


@pytest.mark.parametrize(
    ("cps", "written"),
    [
        ("x + y * x - 1", "x + y * x - 1"),
        ("x - (y - x)", "x - (y - x)"),
        ("(x & 3) + (y << 2)", "(x & 3) + (y << 2)"),
        ("x << y", "x << (y & 31)"),
        ("x >> (y & 7)", "x >> (y & 7)"),
        ("x << -1", "x << 31"),
        ("-(-x)", "-(-x)"),
        ("~(x | y)", "~(x | y)"),
        ("int(char(x) + 'a')", "(char)((char)x + 'a')"),
        ("int(unsigned(x) / 3u)", "(int)((unsigned)x / 3u)"),
        ("int(long(x) * 3l)", "(int)(x * 3L)"),
        ("int(double(x) / double(y))", "(int)((double)x / y)"),
        ("int(x < y) + int(bool(x) & bool(y))", "(x < y) + ((x != 0) & (y != 0))"),
        ("int(float(x) * 1.5f)", "(int)((float)x * 1.5f)"),
        ("int(abs(double(x)))", "(int)fabs(x)"),
        ("-2147483648 + x", "INT_MIN + x"),
        ("int(1.0 / double(x) < inf)", "1.0 / x < INFINITY"),
    ],
)
def test_expressions(cps: str, written: str) -> None:
    assert f"    return {written};\n" in from_cps(f"f(x : int, y : int, ret : int → ⊥) → ⊥ {{ ret({cps}) }}")


def test_the_negation_of_a_floating_comparison_is_true_for_nan() -> None:
    assert "if (!(x < 1.0)) {" in from_cps(_guarded("x < 1.0"))
    assert "if (x != 1.0) {" in from_cps(_guarded("x == 1.0"))


def _guarded(condition: str) -> str:
    continuations = 'go := () → ⊥ puts("x"); next() next := () → ⊥ ret(0)'
    return f"f(x : double, ret : int → ⊥) → ⊥ {{ let {continuations} in branch({condition}, next, go) }}"


def test_unused_computations_are_omitted_unless_they_may_trap() -> None:
    written = from_c("int f(int x) { x + 1; x / 0; return x; }")
    assert written == "int f(int x) {\n    (void)(x / 0);\n    return x;\n}\n"


def test_calls_are_written_where_their_result_is_used() -> None:
    text = """\
#include <stdio.h>

int next(int n) {
    putchar(n);
    return n + 1;
}

int f(int n) {
    if (n > 0 && next(n) > 3) {
        return n * next(next(n));
    }
    (void)(next(1) != 0);
    int first = next(2);
    return first + next(3);
}
"""
    assert from_c(text.replace("(void)(next(1) != 0);", "if (next(1)) {}")) == text


def test_the_nesting_of_calls_is_bounded() -> None:
    text = f"int g(int n) {{ return n; }} int f(int n) {{ return {'g(1 + ' * 2_000}n{')' * 2_000}; }}"
    assert observe(converted(from_c(text) + "int main(void) { return f(0) == 2000; }", "scc")).status == 1
    assert max(line.count("g(") for line in from_c(text).splitlines()) == 5  # one, and four within


def test_strings_in_variables_are_pointers() -> None:
    text = 'f(n : int, ret : string → ⊥) → ⊥ { branch(n > 1, λ(). ret("many"), λ(). ret("one")) }\n'
    text += 'main(ret : int → ⊥) → ⊥ { f(2, λ(s : string). puts(s); printf("%s", s); ret(0)) }'
    written = from_cps(text)
    assert "const char *f(int n) {\n" in written
    assert '    const char *s = f(2);\n    puts(s);\n    printf("%s", s);\n' in written


def test_an_assertion_that_always_fails_is_written_as_one() -> None:
    cps = 'f(ret : () → ⊥) → ⊥ { eprint("f.c:1: f: Assertion `a < b\' failed.\\n"); abort() }'
    assert '    assert(!"a < b");\n    abort();\n' in from_cps(cps)


# ----------------------------------------------------------------------------------------------- the same behaviour


@needs_gcc
@pytest.mark.parametrize("first", sample(range(4), 4))
def test_programs_written_as_c_do_the_same_by_gcc_and_converted_again(first: int, tmp_path: Path) -> None:
    """Each eighth program in one configuration; with ``--full``, all programs in all of them."""
    step = 4 if is_full() else 8
    texts, expected = [], []
    for number, path in enumerate(EXAMPLES + CORPUS):
        if number % step != first and not is_full():
            continue
        text = path.read_text()
        strategy, given = CONFIGURATIONS[(number - first) // step % 4]
        program = erased(converted(text, strategy, **given))
        written = c(program)
        again = converted(written, "scc")
        promotes_more = variables_in_memory(again) < variables_in_memory(program)  # no pointer to them is left
        may_grow = promotes_more or "void *place" in written  # functions that copy bytes
        may_grow = may_grow or "_by_pointers(" in written  # functions for calls through pointers
        may_grow = may_grow or "goto *" in text  # the ends of the cases of a `switch` meet before its loop
        assert may_grow or parameters(again) <= parameters(program), path
        reads_unwritten = "load_or(" in pretty(program)  # a plain load in C, which is checked
        for run in expected_runs(text):
            assert reads_unwritten or observe(again, run.arguments) == run.expected, path
            texts.append(with_main(written, run.arguments))
            expected.append((path.stem, run.expected))
    found = gcc.observe_all(texts, tmp_path, *_CLEAN)
    assert [(name, each) for (name, _), each in zip(expected, found, strict=True)] == expected


def test_functions_that_main_uses_are_static() -> None:
    text = """
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int unused(int n) { return even(n); }
"""
    assert "static" not in from_c(text)
    written = from_c(f"{text}int main(void) {{ return even(10); }}")
    lines = [line for line in written.splitlines() if "int" in line and not line.startswith(" ")]
    assert lines == [
        "static inline int odd(int n);",
        "static inline int even(int n) {",
        "static inline int odd(int n) {",
        "int unused(int n) {",
        "int main(void) {",
    ]


def test_no_goto_is_written_for_structured_programs() -> None:
    texts = [path.read_text() for path in EXAMPLES + CORPUS]
    structured = [text for text in texts if not re.search(r"\b(goto|switch)\b|&&|[|][|]|[?]", text)]
    assert len(structured) > 60
    for text in sample(structured, 3):
        assert "goto " not in from_c(text)


NARROW = (ir.SHORT, ir.UNSIGNED_SHORT, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR)
"""The integer types below `int`. C computes on them as `int`."""


def narrow_expression(choose: random.Random, suffix: str, depth: int) -> str:
    """An expression of CPS text on `a` and `b`, whose operations all have results of the type with the suffix."""
    if depth == 0:
        return choose.choice(["a", "b", f"{choose.choice([1, 2, 3, 7, 100, 127])}{suffix}"])
    left, right = (narrow_expression(choose, suffix, depth - 1) for _ in range(2))
    op = choose.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "~", "abs", *["/", "%"] * ("u" in suffix)])
    if op in ("~", "abs"):
        return f"{op}({left})"
    return f"({left} {op} {f'7{suffix}' if op in ('/', '%') else right})"  # C traps where the divisor may be -1


@needs_gcc
def test_narrow_operations_in_place_are_wrapped(tmp_path: Path) -> None:
    choose = random.Random(1)
    uses = "int({})", "int({} > a)", "int(long({}))", "int(unsigned({}) / 3u)", "int(double({}))"
    functions: list[ir.Function] = []
    lines, expected = [], ""
    for number, type in product(range(40), NARROW):
        shape = uses[number % 5].format(narrow_expression(choose, type.suffix, 1 + number % 3))
        name, (low, high) = f"f{len(functions)}", range_of(type)
        text = f"{name}(a : {type}, b : {type}, ret : int → ⊥) → ⊥ {{ ret({shape}) }}"
        program = parse(Source("narrow.cps", text))
        functions += program.functions
        for _ in range(4):
            a, b = (choose.choice([low, high, low + 1, high // 2, choose.randint(low, high)]) for _ in "ab")
            found = evaluate(program, name, [a, b], output=io.BytesIO(), errors=io.BytesIO())
            lines.append(f'printf("%s %s %d %d: %d\\n", "{type}", "{shape}", {a}, {b}, {name}({a}, {b}));')
            expected += f"{type} {shape} {a} {b}: {found.value}\n"
    main = "\n".join(["#include <stdio.h>", "int main(void) {", *lines, "}"])
    assert gcc.observe(compile_c(c(Program(functions)) + main, tmp_path, "-w", "-fwrapv")).output == expected


@needs_gcc
def test_random_programs_written_as_c_do_the_same(tmp_path: Path) -> None:
    texts = [random_program(number) for number in sample(range(200, 225), 4)]
    written = []
    for number, text in enumerate(texts):
        strategy, given = CONFIGURATIONS[number % len(CONFIGURATIONS)]
        program = converted(text, strategy, **given)
        written.append(c(program))
        again = converted(written[-1], "scc")
        assert observe(again) == observe(program)
        assert parameters(again) <= parameters(program)
    assert gcc.observe_all(written, tmp_path, "-w") == gcc.observe_all(texts, tmp_path, "-w")


@pytest.mark.parametrize("seed", sample(range(60), 3))
def test_a_random_graph_written_as_c_takes_the_same_paths(seed: int) -> None:
    text = _as_c(random_graph(random.Random(seed), most_nodes=15))
    program = converted(text, "scc")
    again = converted(c(program), "scc")
    for choices in (0, 0b1011010, 0b110010101, -1):
        assert observe(again, [str(choices), "40"]) == observe(program, [str(choices), "40"])
    assert parameters(again) <= parameters(program)


def _as_c(graph: Graph) -> str:
    """A function whose control goes through the graph, as the bits of `choices` say, until `fuel` is used up."""
    lines = [f"int v{number} = {number};" for number in range(graph.variables)]
    lines.append("goto l0;")
    for number, node in enumerate(graph.nodes):
        lines.append(f"l{number}: if (fuel-- <= 0) return {number};")
        for event in node.events:
            if event[0] == "show":
                lines.append(f'printf("%d ", v{event[1]});')
            else:
                lines.append(f"v{event[1]} = {event[2] if event[0] == 'write' else f'v{event[2]}'};")
        for successor in node.successors[:-1]:
            lines.append(f"choices = choices / 2; if (choices & 1) goto l{successor};")
        lines.append(f"goto l{node.successors[-1]};" if node.successors else "return -1;")
    return "#include <stdio.h>\nint f(int choices, int fuel) {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("seed", sample(range(80), 2))
def test_a_random_program_is_written_or_rejected(seed: int) -> None:
    source = random.Random(seed)
    program = random_ir_program(source, 1 + seed % 3, 8)
    try:
        again = convert(Source("program.c", c(program)))
    except DiagnosticError as rejected:
        assert all(each.message.startswith("not expressible in C: ") for each in rejected.diagnostics)
        return
    for function, written in zip(program.functions, again.functions, strict=True):
        if STRING in (function.result, *(parameter.type for parameter in function.parameters)):
            continue  # no pointer can be given on the command line
        arguments = [source.choice([0, 1, 5]) for _ in function.parameters[:-1]]
        expected = _observed(program, function.name, arguments)
        assert expected is None or _observed(again, written.name, arguments) == expected


def _observed(program: Program, entry: str, arguments: list[int]) -> tuple[str, bytes] | None:
    """The result and output of a run; None if it ends with an error."""
    output = io.BytesIO()
    try:
        outcome = evaluate(program, entry, arguments, output=output, errors=io.BytesIO(), max_steps=1_000)
    except (ProgramError, StepLimit):
        return None
    return repr(outcome), output.getvalue()


@needs_gcc
@pytest.mark.parametrize("shape", sample([*SHAPES], 4))
def test_a_shape_beyond_the_stack_is_written(shape: str, tmp_path: Path) -> None:
    with beyond_the_stack() as size:
        program = converted(SHAPES[shape](size), "scc")
        written = c(program)
        again = converted(written, "scc")
        assert observe(again) == observe(program) == gcc.observe(compile_c(written, tmp_path, "-w"))
        assert parameters(again) == parameters(program)


def test_a_division_traps_after_the_same_output() -> None:
    text = '#include <stdio.h>\nint f(int x) { puts("before"); int y = 10 / x; puts("after"); return y; }'
    written = from_c(text)
    for argument in ("0", "5"):
        assert observe(converted(written, "scc"), [argument]) == observe(converted(text, "scc"), [argument])
    assert observe(converted(written, "scc"), ["0"]) == Observation("before\n", "error")


# -------------------------------------------------------------------------------------------------------- rejections


@pytest.mark.parametrize(("target", "language"), [("c", "C"), ("llvm", "LLVM IR")])
def test_continuations_as_values_are_rejected(
    target: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    twice = "twice(k : int → ⊥, ret : int → ⊥) → ⊥ { k(2) }"
    last = "f(x : int, ret : int → ⊥) → ⊥ { let done := (y : int) → ⊥ ret(y) in twice(done, ret) }"
    Path("twice.cps").write_text(f"{twice}\n{last}\n", encoding="utf-8")
    assert main(["convert", "--emit", target, "twice.cps", "-o", "twice.c"]) == 1
    assert not Path("twice.c").exists()
    assert capsys.readouterr() == (
        "",
        f"twice.cps:1:7: error: not expressible in {language}: the parameter `k` of `twice` is a continuation\n"
        f"    1 | {twice}\n      |       ^\n"
        f"twice.cps:2:69: error: not expressible in {language}: the continuation `done` is passed as a value\n"
        f"    2 | {last}\n      | {' ' * 68}^^^^^^^^^^^^^^^^\n",
    )


_ASSERTION = "an `eprint` that is not followed by `abort`, as in an assertion"


@pytest.mark.parametrize(
    ("language", "text", "messages"),
    [
        ("C", "f(x : int) → ⊥ { halt(x) }", ["`f` never returns: it has no return continuation"]),
        ("C", "f(ret : (int, int) → ⊥) → ⊥ { ret(1, 2) }", ["`f` returns 2 values"]),
        ("C", "f(s : string, ret : () → ⊥) → ⊥ { printf(s); ret() }", ["the text of `printf` is not constant"]),
        (
            "C",
            "main(x : int, ret : int → ⊥) → ⊥ { ret(x) }",
            ["`main` takes other parameters or returns another type than `int`"],
        ),
        ("C", 'f(ret : () → ⊥) → ⊥ { eprint("a"); ret() }', [_ASSERTION]),
        (
            "C",
            "f(x : char, ret : char → ⊥) → ⊥ { ret(x / x) }",
            ["`/` on `char` may overflow, but C computes it as an `int`"],
        ),
        (
            "LLVM IR",
            "f(ret : (int → ⊥) → ⊥) → ⊥ { ret(halt) }",
            ["`f` returns a continuation", "the continuation `halt` is passed as a value"],
        ),
        ("LLVM IR", "f(s : string, ret : () → ⊥) → ⊥ { printf(s); ret() }", ["a `printf` format that is not constant"]),
        (
            "LLVM IR",
            "main(x : int, ret : double → ⊥) → ⊥ { ret(0.5) }",
            ["`main` takes other parameters, for which the system has no values", "`main` does not return an integer"],
        ),
    ],
)
def test_programs_that_a_target_cannot_express_are_rejected(language: str, text: str, messages: list[str]) -> None:
    with pytest.raises(DiagnosticError) as rejected:
        {"C": c, "LLVM IR": llvm}[language](convert(Source("program.cps", text)))
    found = [(each.message, each.rule) for each in rejected.value.diagnostics]
    assert found == [(f"not expressible in {language}: {message}", "not-expressible") for message in messages]
    assert all(each.span for each in rejected.value.diagnostics)


@needs_gcc
def test_a_main_without_a_result_returns_the_status_0(tmp_path: Path) -> None:
    text = """
        main(ret : () -> _|_) -> _|_ {
          let more := () -> _|_ printf("more\\n"); ret() in branch(true, more, \\(). last(ret))
        }
        last(ret : () -> _|_) -> _|_ { printf("last\\n"); ret() }
    """
    written = from_cps(text)
    assert "int main(void)" in written and "return 0;" in written
    done = subprocess.run([compile_c(written, tmp_path)], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"more\n")
