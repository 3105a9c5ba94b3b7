"""Source languages: a package for each, with all that is its own, and the table whose rows name their readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from os.path import splitext
from types import ModuleType
from typing import NamedTuple

from cpsconv.abi.libraries import required
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined, replace_undefined
from cpsconv.core.construction import Builder
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.table import DIALECTS
from cpsconv.core.source import STANDARD_INPUT, Diagnostic, DiagnosticError, Source, error, setting, undecodable

Lowering = Callable[[Builder, "list[Diagnostic]"], Program]
"""Constructs the program of a parsed source with the given Builder, and appends warnings to the list.

It can be called any number of times. Raises `DiagnosticError` if the source is wrong.
"""


class Language(NamedTuple):
    """A language: the suffixes of its files, and the module with its reader ``read(source) -> Lowering``.

    The module may have `RULES`: descriptions of the rules that its diagnostics name; and `KEYWORDS`: words that editors
    complete, besides the keywords of the grammar with the language's name. Without such a grammar, it has `PATTERNS`:
    the regular expressions of tokens by their kinds. CPS text has no such module: it is
    read, from text or JSON, and not lowered through the Builder. With `any_bytes`, the reader itself rejects bytes that
    are not UTF-8 where they are wrong. `beginning` is a regular expression for the start of sources: standard input
    that matches it is in this language. `preprocessor` is the module of the preprocessor, if any, with
    ``listing(source)`` and the settings that options of the command line change. With `reads_empty`, the module reads
    texts of spaces, too: a preprocessor may include files before them, or they are programs that do nothing.

    The other members are for languages with an interpreter that ``run`` behaves like: `error_status` is the exit status
    of every error but an exhausted limit, `checks_leaks` whether memory that is not freed is an error, and `profiles`
    whether the reader ``read(source, profile=True)`` gives a program whose `main` returns the number of executed
    instructions. With `own_arguments`, the module has ``arguments(function, texts)``, which converts arguments of the
    command line to the form that `cpsconv.core.arguments` reads. With `initialises`, a program has code that runs
    before any function that is started: the reader ``read(source, entry=NAME)`` gives a program whose function `NAME`
    runs this code first.

    A `dialect` executes the foreign operations: the word before the point in their texts, and an item of `DIALECTS`.

    `type_names` are the names of types of the program in messages about a run. `undefined` is the rule for undefined
    operands of the parameters that construction places (`cpsconv.core.analysis.undefined_operands`).
    """

    suffixes: tuple[str, ...]
    module: str = ""
    any_bytes: bool = False
    beginning: str = ""
    preprocessor: str = ""
    reads_empty: bool = False
    error_status: int | None = None
    checks_leaks: bool = False
    profiles: bool = False
    own_arguments: bool = False
    initialises: bool = False
    dialect: tuple[str, str] | None = None
    type_names: Mapping[str, str] = {}
    undefined: Rule = keep_undefined

    @property
    def is_checked(self) -> bool:
        """Whether the Builder checks the calls of the front end: those of the package are tested."""
        return not self.module.startswith("cpsconv.")


CPS = "cps"
"""The name of CPS text."""

DEFAULT = "c"
"""The language of standard input, if none is chosen, and its text does not begin like one of another language."""

BITCODE = "(?:BC\udcc0\udcde|\udcde\udcc0\x17\x0b)"
"""How bitcode of LLVM begins, whose bytes are no text, as a regular expression."""

_MLIR = r'(?:\s|//.*\n)*(?:[#!][A-Za-z_][\w$-]* = |"\w+(?:\.\w+)+"\()'
_LLVM = (
    rf"{BITCODE}|(?:\s|;.*\n)*(?:source_filename = |target (?:triple|datalayout) = |module asm |(?:define|declare) "
    r'|attributes #\d+ = |[%@$!](?:[-\w$.]+|"[^"]*") = )'
)

LANGUAGES: dict[str, Language] = {
    "c": Language(
        (".c", ".h", ".i"),
        "cpsconv.languages.c.reader",
        any_bytes=True,
        preprocessor="cpsconv.languages.c.preprocessor",
        reads_empty=True,
    ),
    "bril": Language(
        (".bril", ".json"),
        "cpsconv.languages.bril",
        error_status=2,
        checks_leaks=True,
        profiles=True,
        own_arguments=True,
        type_names={"long": "int", "double": "float", "int": "char"},
    ),
    "tinylang": Language(
        (".mod",),
        "cpsconv.languages.tinylang",
        initialises=True,
        type_names={"long": "INTEGER", "bool": "BOOLEAN", "ptr": "POINTER"},
    ),
    "llvm": Language(
        (".ll", ".bc"), "cpsconv.languages.llvm", any_bytes=True, beginning=_LLVM, undefined=replace_undefined
    ),
    CPS: Language((".cps",)),
    "while": Language((".while",), "cpsconv.languages.while_language"),
    "mlir": Language((".mlir",), "cpsconv.languages.mlir", beginning=_MLIR),
    "javascript": Language(
        (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
        "cpsconv.languages.javascript",
        reads_empty=True,
        initialises=True,
        dialect=("js", "cpsconv.abi.javascript.dialect:JavaScript"),
    ),
}
"""Every language that the tool reads, by the name that ``--lang`` takes. A new language is one more row."""

DIALECTS.update(row.dialect for row in LANGUAGES.values() if row.dialect)


def language_of(path: str) -> str | None:
    """The language that the suffix of a file name denotes, if any."""
    return next((name for name, language in LANGUAGES.items() if splitext(path)[1] in language.suffixes), None)


def is_data(source: Source) -> bool:
    """Whether a text is a program in JSON (docs/json.md), which every reader of CPS text reads."""
    return source.text.lstrip()[:1] == "{" and re.search(r'"format"\s*:\s*"cpsconv"', source.text) is not None


def _begins_like(language: Language, source: Source) -> bool:
    return bool(language.beginning) and re.match(language.beginning, source.text) is not None


def language_of_source(source: Source, default: str | None = None) -> str:
    """The language of a source: `CPS` for a program in JSON, that of the name's suffix, or else the default.

    Without a default, the language of standard input is the one of which it has the beginning, or else `DEFAULT`.
    Raises `DiagnosticError` if the language is not known.
    """
    if source.name == STANDARD_INPUT:
        default = default or next((name for name, row in LANGUAGES.items() if _begins_like(row, source)), DEFAULT)
    language = CPS if is_data(source) else language_of(source.name) or default
    if language not in LANGUAGES:
        *others, last = LANGUAGES
        help = f"choose a language with {setting('--lang', '`language=`')} ({', '.join(others)} or {last})"
        raise DiagnosticError([error(f"{source.name}: unknown language", help=help, rule="language")])
    return language


def read(language: str, source: Source, profile: bool = False, entry: str | None = None) -> Lowering:
    """Parse the source with the front end of `language`, which is loaded on first use. Raises `DiagnosticError`.

    With `profile`, which the language must offer, the program counts the instructions that it executes. `entry` is the
    function that a run starts, which initialises the program first if the language requires it.
    """
    if source.undecoded is not None and not LANGUAGES[language].any_bytes:
        raise undecodable(source, source.undecoded)
    if not LANGUAGES[language].reads_empty and not source.text.strip():
        return lambda builder, warnings: Program([], source)
    options = {"profile": profile} if profile else {"entry": entry} if LANGUAGES[language].initialises else {}
    lowering: Lowering = module_of(language).read(source, **options)
    return lowering


def module_of(language: str) -> ModuleType:
    """The module with the reader of the language. Raises `DiagnosticError` if it has been removed."""
    return required(LANGUAGES[language].module, f"the language {language}", "language")


def arguments_of(language: str, function: Function, texts: Sequence[str]) -> Sequence[str]:
    """The arguments of the command line for the function, in the form that `cpsconv.core.arguments` reads."""
    if not LANGUAGES[language].own_arguments:
        return texts
    converted: Sequence[str] = module_of(language).arguments(function, texts)
    return converted
