"""The architecture: the direction of imports between rooms, the absence of cycles, and the cost of imports."""

from __future__ import annotations

import ast
import pydoc
import re
import subprocess
import sys

import pytest

from cpsconv.languages import LANGUAGES
from scripts import architecture
from scripts.architecture import CORE, PACKAGE, ROOT, UPWARD, imported, imported_modules, part_of, room_of

MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "abi": {"core"},
    "languages": {"core", "abi"},
    "targets": {"core", "abi"},
    "engines": {"core", "abi", "targets"},
    "lab": {"core", "abi", "languages", "targets", "engines"},
    "pipeline": {"core", "abi", "languages", "lab"},
    "cli": {"", "core", "abi", "languages", "targets", "engines", "lab", "pipeline"},
    "notebook": {"core", "abi", "languages", "targets", "engines", "lab", "pipeline", "cli"},
    "__main__": {"cli"},
}
"""Every room, with the rooms that it may import from. The package itself, "", exports the names for library users."""

TABLES = {
    "arith",
    "argument_passing",
    "attributes",
    "complex_types",
    "formats",
    "javascript",
    "javascript.facts",
    "prototypes",
    "system_headers",
}

SHORT = {
    "abi/arith.py": "the names of the operations of `arith`, for the front end and the target MLIR",
    "abi/complex_types.py": "the structs of complex types",
    "abi/system_headers.py": "the folders of the headers of the system",
    "languages/data_types.py": "the types of data, for the front ends of C and LLVM IR",
    "__main__.py": "python -m cpsconv",
    "core/construction/basic.py": "one file per strategy",
    "lab/baselines/aycock_horspool.py": "one file per baseline",
    "targets/functional/identifiers.py": "identifiers of the functional targets",
    "languages/javascript/early_errors.py": "the early errors, which no other module reports",
    "languages/llvm/constants.py": "the constants of LLVM IR, in both directions",
    "languages/c/library/generate.py": "python -m cpsconv.languages.c.library.generate",
    "core/construction/failures.py": "runtime errors that front ends add",
    "core/check/program_warnings.py": "the warnings about finished programs, beside errors and certificates",
    "core/analysis/reentry.py": "calls that return more than once",
    "core/operations/names.py": "the names that the package replaces",
    "core/text/excerpts.py": "excerpts, for messages",
    "core/text/reporter.py": "errors at nodes of the syntax tree",
    "core/text/rules.py": "the rules of errors in CPS text",
    "core/operations/leaks.py": "memory that a run did not free, which is no error of an operation",
    "abi/earlier_signatures.py": "a key of JSON that earlier versions wrote",
    "core/operations/mathematics.py": "the mathematical functions",
    "core/operations/python_mathematics.py": "the same in Python, also as a part of emitted Python",
}
"""The files of fewer than forty lines that are concepts of their own; files that only export names are exempt."""

MODULES = architecture.modules()
FRONT_ENDS = {language.module.removesuffix(".reader") for language in LANGUAGES.values() if language.module}

INSIDE = [module for module in MODULES if room_of(module)]
"""All modules but the package itself, which exports names of all rooms."""


def test_nothing_imports_against_the_direction_of_the_house() -> None:
    for module in INSIDE:
        rooms = {room_of(name) for name in imported_modules(MODULES[module], MODULES)}
        assert rooms - {room_of(module)} <= MAY_IMPORT[room_of(module)], module


def test_no_module_imports_a_front_end_of_which_it_is_no_part() -> None:
    """The tables of languages and of libraries name the modules of front ends, so that any of these can be removed."""
    for module in INSIDE:
        for name in imported_modules(MODULES[module], MODULES):
            is_own = room_of(module) == "languages" and part_of(module) == part_of(name)
            assert is_own or not name.startswith((*FRONT_ENDS,)), module


def test_front_ends_import_only_tables_of_the_binary_interface() -> None:
    """What programs need when they are linked and run is no part of a front end."""
    for module in INSIDE:
        if room_of(module) == "languages" and part_of(module):
            found = {name for name in imported_modules(MODULES[module], MODULES) if room_of(name) == "abi"}
            assert found <= {f"cpsconv.abi.{table}" for table in TABLES}, module


def test_each_part_of_the_core_imports_only_parts_before_it() -> None:
    parts = architecture.parts("core")
    assert parts.keys() == {*CORE}
    for part, below in parts.items():
        assert below <= {*CORE[: CORE.index(part)]}, part


def test_parts_of_a_room_do_not_import_each_other() -> None:
    assert len([room for room in MAY_IMPORT if architecture.parts(room)]) > 6  # which fails if they do


def test_imports_against_the_direction_are_late() -> None:
    for module, upward in UPWARD.items():
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        early = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
        late = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} - {*early}
        assert upward <= late, module


def test_no_modules_import_each_other() -> None:
    """Neither directly nor through others nor late. Imports for type checkers only do not count."""
    waiting = {module: imported_modules(MODULES[module], MODULES, types=False) - {module} for module in INSIDE}
    while free := [module for module in waiting if not waiting[module] & waiting.keys()]:
        for module in free:
            del waiting[module]
    assert waiting == {}


def test_rooms_use_only_public_names_of_each_other() -> None:
    private = {
        (module, name)
        for module in INSIDE
        for name in imported(MODULES[module])
        if name.startswith("cpsconv.") and re.search(r"\._(?!_)", name) and room_of(name) != room_of(module)
    }
    assert private == set()


def test_no_file_is_short_without_a_reason() -> None:
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in MODULES.values()}
    short = {name for name, path in paths.items() if path.read_text(encoding="utf-8").count("\n") < 40}
    assert {name for name in short if name not in SHORT and not name.endswith("/__init__.py")} == set()


def test_files_and_functions_have_the_sizes_that_the_conventions_state() -> None:
    texts = [path.read_text(encoding="utf-8") for path in MODULES.values()]
    sizes = [size for path in MODULES.values() for size in architecture.contents(path).functions]
    assert sum(60 <= text.count("\n") <= 300 for text in texts) > len(texts) / 2
    assert sum(size <= 10 for size in sizes) > len(sizes) / 2
    assert sum(size < 40 for size in sizes) > 0.9 * len(sizes)


def test_the_picture_of_the_architecture_is_up_to_date() -> None:
    page = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.updated(page) == page, "run scripts/architecture.py --write"


def test_the_page_on_the_architecture_has_every_room_once() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = page.partition("|---|---|\n")[2].partition("\n\n")[0].splitlines()
    named = [room for row in rows for room in re.findall("`(.*?)`", row.split("|")[1])]
    assert sorted(named) == sorted(architecture.rooms())


def test_helpers_and_benchmarks_import_no_tests() -> None:
    for path in [*ROOT.glob("testing/*.py"), *ROOT.glob("benchmarks/*.py")]:
        assert not [name for name in imported(path) if name.split(".")[0] == "tests"], path


def test_near_names_are_computed_in_one_module() -> None:
    assert [path.name for path in MODULES.values() if "difflib.get_close_matches" in imported(path)] == ["source.py"]


def test_no_room_hides_a_module_of_python() -> None:
    """`python cpsconv` searches the folder of the package first."""
    assert not {*architecture.rooms()} & sys.stdlib_module_names


def test_no_module_has_a_name_that_collides() -> None:
    assert not {"ast.py", "grammars.py"} & {path.name for path in ROOT.glob("[a-z]*/**/*.py")}


def run_apart(code: str) -> None:
    """Run the code in a new process, in which nothing has been imported. It must succeed."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_tests_of_the_core_need_no_front_end_for_c() -> None:
    """Also those that are collected only; `tests/core/conftest.py` watches those that run."""
    names = [f"tests.core.{path.stem}" for path in sorted(ROOT.glob("tests/core/test_*.py"))]
    run_apart(f"import {', '.join(names)}, sys; assert 'cpsconv.languages.c' not in sys.modules")


NOT_FOR_CONVERT = {
    "cpsconv.engines.machine",
    "cpsconv.engines",
    "cpsconv.core.check.certificate",
    "cpsconv.core.check.initialisation",
    "cpsconv.cli.parallel",
    "cpsconv.languages.c.syntax.recovery",
    "cpsconv.core.simplify.rules",
}
"""Modules that the conversion of a correct program does not need: they are imported on use."""

NEITHER = {"lark", "prettyprinter"}

COMMANDS = [
    (["--help"], NEITHER),
    (["--version"], NEITHER),
    (["convert", "--help"], NEITHER),
    (["convert", "examples/fig8.c"], NEITHER | NOT_FOR_CONVERT),
    (["run", "--nonsense"], NEITHER),
    (["run", "examples/gcd.c"], NEITHER),
]
"""Command lines, in the order in which one process runs them, each with modules that are not loaded until then."""


def test_commands_load_only_the_modules_that_they_need() -> None:
    assert MODULES.keys() >= NOT_FOR_CONVERT
    code = f"import cpsconv, sys; assert not {NEITHER} & sys.modules.keys()\nfrom cpsconv.cli import main\n"
    run_apart(code + "\n".join(f"main({line}); assert not {names} & sys.modules.keys()" for line, names in COMMANDS))


def test_every_public_name_of_the_package_exists() -> None:
    import cpsconv

    for name in cpsconv.__all__:
        assert getattr(cpsconv, name) is not None
    with pytest.raises(AttributeError, match="module 'cpsconv' has no attribute 'nonsense'"):
        cpsconv.nonsense  # noqa: B018


def test_dir_and_help_show_the_public_names() -> None:
    import cpsconv

    assert {*cpsconv.__all__} <= {*dir(cpsconv)} and not [name for name in dir(cpsconv) if re.match("_[^_]", name)]
    assert "convert(source: " in pydoc.plain(pydoc.render_doc(cpsconv))


def test_no_module_has_the_name_of_a_public_function() -> None:
    """Otherwise importing the module would replace the function."""
    import cpsconv

    modules_of_the_package = {path.stem for path in PACKAGE.iterdir()} - {"ir"}
    assert not modules_of_the_package & set(cpsconv.__all__)


WORDS_OF_C = """
    alloca always_inline argc argv atexit byval c_signature calloc clang errno fprintf free gcc getchar glibc gnu
    libc libgcc libm llvm longjmp malloc memcpy memmove memset posix preprocessor printf pthread putchar puts qsort
    realloc returns_struct scanf setjmp sprintf sret stderr stdio stdout strcmp strcpy strlen thread_local typedef
    va_arg va_list va_start varargs variadic volatile weak
"""
"""Words of the run-time world of C. (`struct` alone is a type of the core, with this keyword in CPS text.)"""

NAMES_OF_C = r"\bC\b|\bC[A-Z][a-z]|\b[Cc]_[a-z]|`c\.|\b[a-z]+\.h\b"
"""The language itself, names that begin with it, its attributes, and its headers."""

WITH_FREE_VALUES = """
    analysis/nesting analysis/scopes check/certificate check/scope check/stated_parts check/well_formedness
    construction/builder construction/checked construction/finish construction/items construction/record erasure ir
    json/reader json/record text/items text/parser text/plan transform/jump_threading transform/memory_accesses
    transform/minimality transform/pruning transform/rewrite
"""
"""The modules of the core that are concerned with free values: values of other functions that a function uses."""

EXCEPTIONS = {
    "the streams and arguments of Python's own process": {
        "core/generated.py": "argv stderr stdout",
        "core/evaluator/evaluation.py": "stderr stdout",
    },
    "programs in C that a user passes as CPS text": {"core/text/recovery.py": "C typedef"},
    "an example, for a user, of the names of attributes": {"core/operations/misuse.py": "`c."},
    "types of Python's module ctypes, for functions of the platform": {
        "core/operations/python_mathematics.py": "c_d c_f c_l"
    },
    "the free values of nested functions": {f"core/{name}.py": "free" for name in WITH_FREE_VALUES.split()},
}
"""The words in files of the core, each with the reason why it is there."""


def humps(text: str) -> str:
    """The words of a text in lower case; a word ends at a hump, as in `isVariadic`, and at an underscore."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+", " ", text).lower()


def words_of_c(text: str) -> set[str]:
    """The words of C in a text."""
    words = {humps(word): word for word in WORDS_OF_C.split()}
    found = re.findall(rf"\b({'|'.join(words)})\b", humps(text))
    return {*re.findall(NAMES_OF_C, text), *map(words.__getitem__, found)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("_is_variadic(f) # <math.h>", {"variadic", "math.h"}),
        ("MALLOC_ALIGNMENT, FreeError", {"malloc", "free"}),
        ('"c_signature": { "returnsStruct"', {"c_signature", "c_s", "returns_struct"}),
        ("threadLocal, va_list, VaList, `c.symbol`", {"thread_local", "va_list", "`c."}),
        ("C's memory, CType; a freed thread of struct types in abc.header", {"C", "CTy"}),
    ],
)
def test_words_of_c_are_found_in_names(text: str, words: set[str]) -> None:
    assert words_of_c(text) == words


def test_the_core_has_no_word_of_the_run_time_world_of_c() -> None:
    excepted = {(path, word) for rows in EXCEPTIONS.values() for path, words in rows.items() for word in words.split()}
    files = {path.relative_to(PACKAGE).as_posix(): path for path in (PACKAGE / "core").rglob("*.*")}
    files["cps.lark"] = ROOT / "grammars" / "cps.lark"
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items() if path.suffix != ".pyc"}
    assert {f"core/{name}" for name in ("ir.py", "json/program.schema.json", "json/record.schema.json")} < texts.keys()
    assert {(name, word) for name, text in texts.items() for word in words_of_c(text)} == excepted
