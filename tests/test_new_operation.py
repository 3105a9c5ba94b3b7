"""A new operation or type: a row of the table suffices for the core, and each back end without it refuses to load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv.core.ir import SCALARS
from cpsconv.core.operations.table import INTEGER_KINDS, OPERATIONS, PRIMITIVES, Kind, Operation, add_operation, binary
from cpsconv.core.operations.types import is_integer, is_whole
from cpsconv.engines import ENGINES
from tests import late_operations

ROOT = Path(__file__).parent.parent
EXAMPLE = "examples/extend/primitive.py"

ROWS = {
    "call": 'Operation(name="frob", kind="arithmetic", typing=binary(is_integer), symbol="frob", form="call",'
    " commutative=True, compute=lambda type: max, interval=lambda _, a, b: (max(a[0], b[0]), max(a[1], b[1])))",
    "infix": 'Operation(name="frob", kind="arithmetic", typing=binary(is_integer), symbol="<?>", precedence=9,'
    " interval=lambda _, a, b: a)",
    "prefix": 'Operation(name="frob", kind="bitwise", typing=unary(is_integer), symbol="?", arity=1, form="prefix",'
    " interval=lambda _, a: a)",
    "effect": 'Operation(name="frob", kind="output", typing=lambda _: INT, symbol="frob", arity=1, form="call")',
}
"""An operation of each form, as Python code."""

GENERIC = "handles every operation"
"""The result for a target without a table of operations."""

PRELUDE = """
import json, sys
from cpsconv.core.ir import *
from cpsconv.core.operations.table import *
from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.core.operations.types import *
add_operation({row})
"""

CORE = """
import io
from cpsconv import Builder, Source, Variable, evaluate, parse, pretty
from testing.isomorphism import same_program
from cpsconv.core.analysis.ranges import ranges
from cpsconv.core.check import check
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.simplify import SIMPLIFICATIONS

TEXT = "f(a : int, b : int, ret : int → ⊥) → ⊥ {{\\n  ret(frob(frob(a, 7), b))\\n}}\\n"
program = parse(Source("frob.cps", TEXT))
assert pretty(program) == TEXT
assert not check(program)
assert same_program(program, from_json(to_json(program)))

def run(*arguments):
    return evaluate(program, "f", arguments, output=io.BytesIO(), errors=io.BytesIO()).value

assert run(3, 5) == 7 and run(3, 9) == 9

function = program.functions[0]
inner, outer = function.body
known = ranges(function)
assert known.operands[outer][0] == (7, 2**31 - 1), known.operands[outer]
assert not wraps("frob", INT)

try:
    evaluate(parse(Source("u.cps", "f(ret : int → ⊥) → ⊥ {{ ret(frob(1, undef(x : int))) }}")), "f", [],
             output=io.BytesIO(), errors=io.BytesIO())
except ProgramError as failure:
    assert "`x` is used uninitialised" in str(failure)
else:
    raise AssertionError

builder = Builder(simplify=SIMPLIFICATIONS)
a = Variable("a", INT)
builder.function("g", [a], INT)
folded = builder.primitive("frob", Constant(INT, 3), Constant(INT, 4))
assert isinstance(folded, Constant) and folded.value == 4
first = builder.primitive("frob", builder.read_variable(a), folded)
assert builder.primitive("frob", folded, builder.read_variable(a)) is first  # commutative
"""

BACK_ENDS = """
import ast
from importlib import import_module
import cpsconv.core.check, cpsconv.core.json, cpsconv.pipeline, cpsconv.core.simplify.simplifier, cpsconv.core.text
from cpsconv.targets import TARGETS, Style

x = Parameter(INT, "x")
ret = Parameter(ContinuationType((INT,)), "ret")
statement = (Effect if OPERATIONS["frob"].is_effect else Primitive)("frob", (x,) * (OPERATIONS["frob"].arity), INT)
function = Function("f", [x, ret], [statement], Jump(Edge(ret, [statement])))
program = Program([function])

def run_by(engine):
    return import_module("cpsconv.engines").prepare(program, function, engine)

def attempts():
    for name, target in TARGETS.items():
        yield f"--emit {{name}}", lambda: target(program, Style())
    for name in {engines}:
        yield f"--engine {{name}}", lambda: run_by(name)
    yield "page", lambda: import_module("cpsconv.lab.page")

def writes_operations(module):
    # A module with a table of its own names the negation, whose name is not its symbol.
    tree = ast.parse(open(module.__file__, encoding="utf-8").read())
    return any(isinstance(node, ast.Constant) and node.value == "neg" for node in ast.walk(tree))

core = {{*sys.modules}}
found = {{}}
for name, attempt in attempts():
    for module in {{*sys.modules}} - core:
        del sys.modules[module]
    try:
        attempt()
        private = [each for each in {{*sys.modules}} - core if each.startswith("cpsconv.")]
        writers = [each for each in private if writes_operations(sys.modules[each])]
        found[name] = f"accepts it, with a table in {{writers}}" if writers else {generic!r}
    except IncompleteTable as failure:
        found[name] = "refuses it" if "missing operation `frob`" in str(failure) else str(failure)
    except Exception as failure:
        found[name] = repr(failure)
print(json.dumps(found))
"""


def run_apart(code: str, *arguments: str) -> str:
    """The output of the code in a new process, which must succeed."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", sorted(INTEGER_KINDS))
def test_an_operation_on_integers_without_an_interval_is_refused_when_it_is_loaded(kind: Kind) -> None:
    row = Operation(
        name="frob", kind=kind, typing=binary(is_integer), symbol="frob", form="call", compute=lambda type: max
    )
    with pytest.raises(ValueError, match="lacks the interval of its result"):
        add_operation(row)
    assert "frob" not in OPERATIONS


def test_the_kinds_without_intervals_have_no_integer_results_of_integers() -> None:
    integers = [type for type in SCALARS.values() if is_whole(type)]
    for row in PRIMITIVES.values():
        if row.kind not in INTEGER_KINDS and row.form != "foreign":
            assert row.arity is not None
            assert not any(is_whole(result) for each in integers if (result := row.typing([each] * row.arity))), row


def test_one_row_makes_an_operation_known_to_the_core() -> None:
    run_apart((PRELUDE + CORE).format(row=ROWS["call"]))


@pytest.mark.parametrize("form", ROWS)
def test_every_back_end_without_the_operation_names_it_when_loaded(form: str) -> None:
    code = (PRELUDE + BACK_ENDS).format(generic=GENERIC, row=ROWS[form], engines=[*ENGINES])
    found: dict[str, str] = json.loads(run_apart(code))
    refusing = {name for name, what in found.items() if what == "refuses it"}
    assert {name: what for name, what in found.items() if what not in ("refuses it", GENERIC)} == {}
    assert refusing >= {"page", *(f"--engine {name}" for name in ENGINES if name != "machine" or form == "effect")}


def test_an_operation_with_an_expansion_needs_no_spelling_in_any_back_end() -> None:
    found = json.loads(run_apart("import runpy; runpy.run_module('tests.rotation', run_name='__main__')"))
    assert found["differences"].keys() >= {"machine", "python", "the program afterwards"}
    assert {name: what for name, what in found["differences"].items() if what} == {}
    refusal = found["errors"].pop("bril")
    assert refusal == "rotl.cps:1:58: error: not expressible in Bril: `<<` by a number that is not constant"
    assert {*found["errors"].values()} == {"u.cps:2:7: runtime error: `x` is used uninitialised"}


def test_a_language_adds_operations_after_all_rooms_are_loaded() -> None:
    found = json.loads(run_apart("import runpy; runpy.run_module('tests.late_operations', run_name='__main__')"))
    for (name, spelled), shown in zip(late_operations.NAMES.items(), found, strict=True):
        assert f"there is no operation `{name}`" in shown.pop("before")
        assert shown.pop("text") == late_operations.text(spelled)
        assert {*shown} >= {"evaluator", "machine", "python"}
        assert {engine for engine, end in shown.items() if "9" not in end} == set()


WITHOUT_A_FUNCTION = """
import json, sys
from importlib import import_module
import cpsconv.core.text
from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.targets.functional.prelude import Prelude
from cpsconv.targets.llvm import support

whole, removed, found = Prelude.pieces_of, "", {}
Prelude.pieces_of = lambda self, file: {name: piece for name, piece in whole(self, file).items() if name != removed}
core = {*sys.modules} - {"cpsconv.targets.llvm", "cpsconv.targets.llvm.instructions"}
for module, removed in json.loads(sys.argv[1]):
    for loaded in {*sys.modules} - core:
        del sys.modules[loaded]
    before = support.LIBRARY.pop(removed, None)
    try:
        import_module(f"cpsconv.targets.{module}")
        found[removed] = "loaded"
    except IncompleteTable as failure:
        found[removed] = str(failure)
    if before:
        support.LIBRARY[removed] = before
print(json.dumps(found))
"""

FUNCTIONS = {
    "toShort": ("functional.javascript", "JavaScript"),
    "absInteger": ("functional.javascript", "JavaScript"),
    "truncated": ("functional.python", "Python"),
    "to_unsigned_char": ("functional.python", "Python"),
    "->unsigned-short": ("functional.scheme", "Scheme"),
    "->float": ("functional.scheme", "Scheme"),
    "either": ("functional.ocaml", "OCaml"),
    "unsigned_long_of_double": ("functional.ocaml", "OCaml"),
    "half": ("functional.ocaml", "OCaml"),
    "shl": ("functional.haskell", "Haskell"),
    "truncateToInt64": ("functional.haskell", "Haskell"),
    "withPoint": ("functional.haskell", "Haskell"),
    "llvm.fabs.f64": ("llvm.instructions", "cpsconv.targets.llvm"),
    "fmodf": ("llvm.instructions", "cpsconv.targets.llvm"),
    "dprintf": ("llvm.instructions", "cpsconv.targets.llvm"),
}
"""Functions that operations or a prelude call in some back ends, each with the module and the owner of the table."""


def test_every_back_end_without_a_function_that_an_operation_calls_names_it_when_loaded() -> None:
    removed = [(module, name) for name, (module, _) in FUNCTIONS.items()]
    found: dict[str, str] = json.loads(run_apart(WITHOUT_A_FUNCTION, json.dumps(removed)))
    assert found == {name: f"{owner}: missing function `{name}`" for name, (_, owner) in FUNCTIONS.items()}


def test_the_engine_python_without_a_function_that_an_operation_calls_names_it_when_loaded() -> None:
    code = "import cpsconv.core.operations.python_arithmetic as a; del a.divided; import cpsconv.engines.python"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "ImportError: cannot import name 'divided'" in done.stderr


NEW_TYPE = """
import json, sys
from importlib import import_module
from cpsconv.core.ir import *
from cpsconv.core.operations.completeness import IncompleteTable

quad = SCALARS["quad"] = Scalar("quad", "integer", 128, signed=True, suffix="q")
core = {*sys.modules}
found = {}
for name in sys.argv[1:]:
    for module in {*sys.modules} - core:
        del sys.modules[module]
    try:
        import_module(name)
        found[name] = "loaded"
    except IncompleteTable as failure:
        found[name] = str(failure)
print(json.dumps(found))
"""

WITH_TABLES_OF_TYPES = [
    "cpsconv.targets.bril",
    "cpsconv.targets.c",
    "cpsconv.targets.llvm",
    "cpsconv.engines.llvm",
    "cpsconv.lab.page",
] + [f"cpsconv.targets.functional.{name}" for name in ("javascript", "ocaml", "haskell")]
"""The back ends that represent types differently. The others compute with the width of any integer type."""


def test_every_back_end_without_a_new_type_names_it_when_loaded() -> None:
    found: dict[str, str] = json.loads(run_apart(NEW_TYPE, *WITH_TABLES_OF_TYPES))
    assert {name for name, what in found.items() if "missing type `quad`" not in what} == set()


def test_the_worked_example_of_a_primitive_runs() -> None:
    done = subprocess.run([sys.executable, EXAMPLE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "largest(a : int, b : int, c : int, ret : int → ⊥) → ⊥ {\n  ret(max(max(a, b), c))\n}\n"
    )
    assert done.stdout.endswith("    return c + (v - c) * (v > c);\n}\n"), done.stdout
    assert len((ROOT / EXAMPLE).read_text(encoding="utf-8").splitlines()) < 100


def test_the_page_about_operations_shows_the_row_of_the_example_and_every_field() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    shown = page.partition("```python\n")[2].partition("```")[0]
    assert shown in (ROOT / EXAMPLE).read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in Operation._fields)
