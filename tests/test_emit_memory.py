"""Programs with memory in functional languages behave as in the evaluator, with the same runtime errors."""

from __future__ import annotations

import io
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpsconv import Program, Source, convert, parse
from cpsconv.abi.memory import definition as definition_module
from cpsconv.abi.prototypes import PROTOTYPES, PROVIDED
from cpsconv.abi.runtime.command_line import given_command_line
from cpsconv.core import ir
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import entry_of
from cpsconv.core.operations.memory_messages import MESSAGES
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError
from cpsconv.engines.machine.machine import evaluate
from cpsconv.targets.functional import prelude
from cpsconv.targets.functional.definition import LANGUAGES as GENERATED
from cpsconv.targets.functional.definition import definition_of, functions
from cpsconv.targets.functional.javascript import javascript
from cpsconv.targets.functional.prelude import prelude_text
from cpsconv.targets.functional.scheme import scheme
from testing import c_programs, memory_programs
from testing.access_sequences import access_sequences, comparisons
from testing.effort import examples, is_full, sample
from testing.expectations import Observation
from testing.functional_targets import (
    HASKELL,
    JAVASCRIPT,
    LACKING,
    NOT_EVERYWHERE,
    OCAML,
    PYTHON,
    SCHEME,
    Case,
    Ended,
    Language,
    Run,
    each,
    observation,
    run_cases,
)
from testing.memory_programs import LIBRARY
from testing.running import STRATEGIES, converted, observe, programs_to_run
from tests import test_memory_items
from tests.core import test_memory
from tests.core.test_memory import DEFAULTS, SHIFT, main_of, program_of
from tests.test_memory_items import CALLS, ITEMS, STRINGS

WITH_PRELUDE = [JAVASCRIPT, SCHEME, PYTHON]
"""The languages with checked memory in a prelude. In the others, the program has the definition of memory."""

LANGUAGES = [*WITH_PRELUDE, OCAML, HASKELL]
CHOSEN = LANGUAGES if is_full() else WITH_PRELUDE
"""The languages that run random programs: the definition does so in `test_memory_definition`."""


Behaviour = tuple[Observation, str]
"""The output and status of a run, and the message of its runtime error; empty if there is none."""


def meant(program: Program, arguments: Sequence[str] = ()) -> Behaviour:
    """The behaviour in the evaluator."""
    values = parse_arguments(entry_of(program), arguments)
    try:
        evaluate(program, "main", values, output=io.BytesIO(), errors=io.BytesIO())
    except ProgramError as fault:
        return observe(program, arguments), fault.diagnostic.message
    return observe(program, arguments), ""


def cases(test: Any) -> list[Any]:
    """The cases of a parametrised test."""
    return [*test.pytestmark[0].args[1]]


def behaviours_of(ended: Sequence[Ended]) -> list[Behaviour]:
    """The behaviours of emitted programs, which have ended."""
    return [(observation(each), _message(each.errors)) for each in ended]


def _message(errors: str) -> str:
    return errors.removeprefix("runtime error: ").rstrip("\n").encode("latin-1").decode()


_ORDER = re.compile("^(a variable|`[^`]*`) is used uninitialised$")


def behave_alike(runs: Sequence[Run]) -> Generator[Iterable[Run], list[Ended], list[Behaviour]]:
    """Check that emitted programs behave as in the evaluator. Returns their behaviours."""
    behaviours = behaviours_of((yield runs))
    for (program, arguments), (seen, stated) in zip(runs, behaviours, strict=True):
        expected, message = meant(program, arguments)
        assert seen.output.replace("-nan", "nan") == expected.output.replace("-nan", "nan")
        assert seen.status == expected.status
        assert stated == message or (message and _ORDER.match(stated))  # of several undefined operands, another one
    return behaviours


FAULTS = [
    *(
        main_of(f"{body}\nret(0)", "struct point { x : int, y : int } ")
        for body, _ in cases(test_memory.test_every_access_is_checked)
    ),
    *(
        main_of(f'puts("before"); {body}', STRINGS)
        for body, _ in cases(test_memory_items.test_every_byte_of_a_printed_string_is_checked)
    ),
    *(text for text, _ in cases(test_memory_items.test_constants_and_calls_through_pointers_are_checked)),
    main_of("memset(x, 1, 18446744073709551615ul, λ(p : ptr). ret(0))", "data x := 5\n" + "MEMSET"),
    main_of("memset(x, 1, 2ul, λ(p : ptr). ret(0))", "const x := 5\n" + "MEMSET"),
    main_of("memset(x, undef(n : int), 2ul, λ(p : ptr). ret(0))", "data x := 5\n" + "MEMSET"),
    main_of("x := allocate int; deallocate(x); deallocate(x); ret(0)"),
    main_of("x := malloc(4ul); deallocate(int.at(x, 0)); ret(0)"),
    main_of("x := allocate int[3]; int[x, 3000000000u] := 5; ret(0)"),
    main_of("x := allocate int[3][4]; y := int.at(x, 13); ret(int[y])"),
    main_of("x := malloc(8ul); y := realloc(x, 0ul); ret(int[x])"),
    main_of("x := malloc(8ul); y := realloc(char.at(x, 1), 5ul); ret(0)"),
    main_of("memcpy(char.at(x, 1), x, 2ul, λ(p : ptr). ret(0))", "data x := 5\n" + LIBRARY),
    main_of("memcpy(x, char.at(x, 3), 4ul, λ(p : ptr). ret(0))", "data x := 5\n" + LIBRARY),
    main_of("strcpy(x, char.at(x, 1), λ(p : ptr). ret(0))", 'data x := "abc\\0"\n' + LIBRARY),
]
_MEMSET = "extern memset(s : ptr, byte : int, n : unsigned long, ret : ptr → ⊥) → ⊥\n"
FAULTS = [text.replace("MEMSET", _MEMSET) for text in FAULTS]

WRONG_COMPARISONS = [
    main_of(
        f"x := malloc(4ul); char[x] := 'a'; char[x, 2] := 'a'; {compared}, λ(n : int). ret(n))",
        'data s := "ab\\0"\n' + LIBRARY,
    )
    for compared in ("memcmp(x, s, 2ul", "memcmp(s, x, 2ul", "memcmp(s, s, 4ul", "strcmp(char.at(s, 1), x")
]
"""Comparisons up to a byte that cannot be loaded. In the last one, a byte before it differs."""


def runtime_errors(language: Language) -> Case:
    runs = language.runs_of([*map(program_of, [*sample(FAULTS, 6), *WRONG_COMPARISONS])])
    expected = [meant(*run)[1] for run in runs]
    if not language.names_values:
        expected = [_ORDER.sub("a variable is used uninitialised", each) for each in expected]
    assert all(expected) and [message for _, message in behaviours_of((yield runs))] == expected


PRINTING = (
    LIBRARY
    + """
struct mixed { c : char, d : double, f : float, b : bool, s : short, p : ptr, u : unsigned long, a : int[2][2] }
const s := "hello\\0"
data numbers := double[3] { 1.5, -0.25, 1e300 }
data words := short[4] { -1, 2, 300 }
data flags := bool[2] { true, false }
data places := ptr[3] { numbers, double.at(numbers, 2), main }
data record := mixed { 'x', 2.5, 1.5f, true, -3, int.at(words, 1), 18446744073709551615ul, { { 1, 2 }, { 3, 4 } } }

main(ret : int → ⊥) → ⊥ {
  b := allocate char[16];
  f := float[mixed.f(record)];
  printf("%g %g %d %d\\n", double[ptr[places, 1]], double(f), int(short[words, 2]), int(bool[flags]));
  printf("%lu %d %c\\n", unsigned long[mixed.u(record)], int[int.at(mixed.a(record), 3)], char[record]);
  printf("%d %d\\n", int(ptr[places, 2] == ptr(main)), int(ptr[places] < ptr[places, 1]));
  printf("%d\\n", int(short[ptr[mixed.p(record)], -1]));
  mixed[record] := mixed[record];
  long[mixed.u(record)] := -5l;
  printf("%ld %d\\n", long[mixed.u(record)], int[mixed.u(record), 1]);
  printf("%p %20p %-20p| %p\\n", b, b, b, char.at(b, -1));
  printf("%d %ld\\n", int(b), long(null) - long(b));
  strcpy(b, s, λ(p : ptr).
  strlen(p, λ(n : unsigned long).
  puts(char.at(p, 1));
  memcpy(char.at(b, 8), b, n, λ(p1 : ptr).
  memmove(char.at(b, 9), p1, n, λ(p2 : ptr).
  memset(p1, 121, 1ul, λ(p3 : ptr).
  char[b, 14] := '\\x00';
  printf("%s %.3s %8.2s %d\\n", p3, p3, p3, int(n));
  strcmp(b, s, λ(equal : int).
  memcmp(b, p2, 5ul, λ(order : int).
  q := calloc(3ul, 4ul);
  q1 := realloc(q, 400ul);
  int[q1, 99] := int[q1, 2] + 7;
  printf("%d %d %d\\n", equal, order, int[q1, 99]);
  free(q1);
  free(null);
  ret(puts(p3)))))))))
}
"""
)


def memory_data_and_library(language: Language) -> Case:
    texts = (PRINTING, CALLS, ITEMS, DEFAULTS, SHIFT + main_of("shift(null, 0, ret)"))
    behaviours = yield from behave_alike(language.runs_of([*map(program_of, texts)]))
    assert "error" not in {seen.status for seen, _ in behaviours}


def random_programs_with_memory(language: Language) -> Case:
    lacking = LACKING if language in WITH_PRELUDE else NOT_EVERYWHERE
    runs = [*programs_to_run(sample(range(100, 400), 25), with_memory=True, lacking=lacking)]
    assert len({message for _, message in (yield from behave_alike(runs))}) > 2


def planted_faults(language: Language) -> Case:
    faults = sample([*enumerate([None, *memory_programs.FAULTS] * 3)], 7)
    runs: list[Run] = [(program_of(memory_programs.program(number, fault)), ()) for number, fault in faults]
    behaviours = yield from behave_alike(runs)
    assert [bool(message) for _, message in behaviours] == [fault is not None for _, fault in faults]


def c_programs_with_memory(language: Language) -> Case:
    texts = {number: c_programs.random_program(number, memory=True) for number in sample(range(12), 6)}
    programs = [converted(text, STRATEGIES[number % len(STRATEGIES)]) for number, text in texts.items()]
    yield from behave_alike([(program, ()) for program in programs])


@each(CHOSEN)
@settings(max_examples=1 + examples(30) // 5, suppress_health_check=[*HealthCheck])
@given(texts=st.tuples(*[access_sequences(NOT_EVERYWHERE)] * 3, *[comparisons()] * 2))
def test_accesses_are_checked_as_in_the_evaluator(language: Language, tmp_path: Path, texts: Sequence[str]) -> None:
    run_cases([lambda language: behave_alike(language.runs_of([*map(program_of, texts)]))], language, tmp_path)


NAMES = """
struct `int` { load : int, `objects` : int }
data MemoryObject := `int`[2] { { 1, 2 }, { 3, 4 } }
data `data` := MemoryObject

load(store : ptr, ret : int → ⊥) → ⊥ {
  element := int[`int`.load(store)];
  ret(element)
}

main(ret : int → ⊥) → ⊥ {
  `free` := malloc(4ul);
  int[`free`] := 40;
  load(MemoryObject, λ(copy : int).
  point := int[`free`];
  ret(point + copy))
}
"""


def names_of_the_prelude(language: Language) -> Case:
    (ended,) = yield [(program_of(NAMES), ())]
    assert observation(ended).status == 41


TAKING_ARGUMENTS = """
int printf(const char *, ...);
int main(int argc, char **argv) {
    printf("%d %s\\n", argv[argc] == 0 && argv[argc + 1] == 0, argv[argc - 1]);
    if (argv[argc - 1][0]) argv[argc - 1][0] = '#';
    return argc == 1 ? argv[1][0] : main(argc - 1, argv) + 1;
}
"""

COUNTING_ARGUMENTS = "int main(int argc, char **argv) { return argc + 40; }"

OTHER_BYTES: dict[str, Sequence[str]] = {"scheme": [], "javascript": ["é"]}
"""Words with other bytes than ASCII, of languages that do not pass all bytes."""


def command_lines(language: Language) -> Case:
    taking, counting = (convert(Source("program.c", text)) for text in (TAKING_ARGUMENTS, COUNTING_ARGUMENTS))
    words = ["ab", "c d", "", *OTHER_BYTES.get(language.name, ["é", "\udcff"])]
    behaviours = behaviours_of((yield [(taking, words), (counting, words), (counting, [])]))
    expected, _ = given_command_line(taking, None, words)
    assert behaviours == [meant(expected), *((Observation("", 41 + count), "") for count in (len(words), 0))]
    assert not re.search("memory|objects|records", language.emit(counting))


@each(LANGUAGES)
def test_programs_with_memory_behave_as_in_the_evaluator(language: Language, tmp_path: Path) -> None:
    random = [random_programs_with_memory, planted_faults, c_programs_with_memory] if language in CHOSEN else []
    run_cases(
        [runtime_errors, memory_data_and_library, names_of_the_prelude, command_lines, *random], language, tmp_path
    )


@each(WITH_PRELUDE)
def test_a_program_without_memory_has_no_prelude_for_it(language: Language) -> None:
    text = language.emit(parse(Source("f.cps", "f(load : int, ret : int → ⊥) → ⊥ { ret(load) }")))
    assert not re.search("memory|objects", text)
    assert "load_" not in text and "load*" not in text


@each(WITH_PRELUDE)
def test_every_external_function_is_provided(language: Language) -> None:
    for name in sorted(PROVIDED):
        type = PROTOTYPES[name].type
        *given, ret = type.parameters
        arguments = ["null" if each is ir.PTR else f"0{each.suffix}" for each in given]
        body = f"{name}({', '.join([*arguments, f'λ(r : {ret.parameters[0]}). ret(0)'])})"
        text = language.emit(program_of(main_of(body, memory_programs.declaration(name, type))))
        assert re.search(rf"(function|const|define|def|\n\n) ?\(?{name}\b", text)


@each(LANGUAGES)
def test_an_unknown_external_function_is_refused(language: Language) -> None:
    program = program_of(main_of("foo(ret)", "extern foo(ret : int → ⊥) → ⊥"))
    with pytest.raises(DiagnosticError) as raised:
        language.emit(program)
    assert [each.rule for each in raised.value.diagnostics] == ["external"]
    assert " target has no external function `foo`" in str(raised.value)
    program = program_of(main_of("ret(0)", "extern foo(ret : int → ⊥) → ⊥\ndata x := 5\n"))
    assert language.emit(program)


def test_javascript_reads_like_the_cps_text() -> None:
    text = javascript(program_of(SHIFT + main_of("shift(null, 0, ret)")))
    body = """
      const p = elementAt(point, a, i);
      const x = load(int, field(point_x, p));
      store(int, (x + 1) | 0, field(point_x, p));
      const y = load(int, field(point_y, p));
      return () => for_((s + y) | 0, (i + 1) | 0);
"""
    assert body in text
    assert 'const int = new Type("int", 4, "Int32");\n' in text
    assert 'const point = new Type("point", 8);\n' in text


@each([SCHEME])
def test_functions_may_have_the_names_of_syntax_of_guile(language: Language, tmp_path: Path) -> None:
    names = ["load", "delay", "syntax", "export", "library"]
    functions = "".join(f"{each}(x : int, ret : int → ⊥) → ⊥ {{\n  ret(x + 1)\n}}\n" for each in names)
    values = [f"{each}1" for each in names[:-1]]
    calls = "".join(f"{each}({value}, λ({each}1 : int).\n" for each, value in zip(names, ["1", *values], strict=True))
    text = f"main(ret : int → ⊥) → ⊥ {{\n{calls}ret(library1){')' * len(names)}\n}}\n"
    assert language.observe(program_of(text + functions), tmp_path).status == 6


def test_scheme_reads_like_the_cps_text() -> None:
    text = scheme(program_of(SHIFT + main_of("shift(null, 0, ret)")))
    body = """
      (let* ((p (element point a i)) (x (load-value int (field point_x p))))
        (store int (->int (+ x 1)) (field point_x p))
        (let* ((y (load-value int (field point_y p))))
          (for (->int (+ s y)) (->int (+ i 1))))))
"""
    assert body in text
    assert """(define int (type "int" 4 'signed))\n(define point_x 0)\n""" in text


@pytest.fixture
def changeable(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The texts of the definition are read again, before the test and after it."""
    read_again = definition_module._file.cache_clear
    read_again()
    yield monkeypatch
    monkeypatch.undo()
    read_again()


def generated_text(name: str) -> str:
    """The functions of the definition in a language, generated anew."""
    language = import_module(f"cpsconv.targets.functional.{name}").DEFINITION
    return "\n".join(dict(functions(language, language.prelude)).values())


@pytest.mark.parametrize("name", GENERATED)
def test_a_changed_message_changes_the_generated_functions(name: str, changeable: pytest.MonkeyPatch) -> None:
    assert "out of bounds" in "\n".join(definition_of(name).values())
    changeable.setitem(MESSAGES, "bounds", "beyond {place}!")
    definition_module._file.cache_clear()
    text = generated_text(name)
    assert "out of bounds" not in text and "beyond " in text


@pytest.mark.parametrize("name", GENERATED)
def test_the_kept_functions_are_those_that_are_generated(name: str) -> None:
    assert "\n".join(definition_of(name).values()) == generated_text(name)


FILES = ("python/memory.prelude", "javascript/memory.js", "scheme/memory.scm")


@pytest.mark.parametrize("file", FILES)
def test_a_changed_message_changes_the_prelude(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MESSAGES, "line", " by line {line}!")
    assert " on line " not in prelude_text(file)
    assert " by line " in prelude_text(file)
    with pytest.raises(ValueError, match="zip"):
        monkeypatch.setitem(MESSAGES, "line", "no fields")
        prelude_text(file)


def test_preludes_write_all_messages() -> None:
    without = {"line_of_file", "resource", "closed", "end_closed"}  # they state lines only, and open no streams
    definition = "".join(path.read_text() for path in Path(definition_module.__file__).parent.glob("*.cps"))
    for file in FILES:
        text = (Path(prelude.__file__).parent / file).read_text()
        assert {*re.findall("«(\\w+)", definition + text)} >= {*MESSAGES} - without
