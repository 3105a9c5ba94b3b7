"""Diagnostics as data, JSON or SARIF 2.1.0, and the table of all rules (docs/diagnostics.md).

Lines and columns are counted from 1, columns in characters; the end of a span is the position after its last character.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from cpsconv.core.source import STANDARD_INPUT, Diagnostic, Span

Json = dict[str, Any]

GENERAL_RULES = {
    # errors
    "answer": "a file for `check --construction` that fails, or lacks a function",
    "argument": "an argument of the program on the command line that is not a value of its type",
    "command-line": "a command line that is wrong",
    "encoding": "a source that is not UTF-8 text",
    "entry": "a function that cannot be started from the command line",
    "external": "an external function that the environment does not have",
    "file": "a file or stream that cannot be read or written",
    "internal": "a fault of cpsconv",
    "language": "a source whose language is unknown, or unsuitable for the command",
    "memory": "memory that does not suffice",
    "time": "a conversion of `stats` that takes too long",
    "dropped-attribute": "an attribute that holds for one statement only, which jump threading copied",
    "no-entry": "a program without `main`, of several functions",
    "not-expressible": "a program that the target language cannot express",
    "query": "a question about a parameter, variable or continuation that does not exist",
    "too-many-errors": "the end of a list of errors that is too long",
    "too-large": "a result that is too large to be shown",
    "tool": "a program or package that is missing or failed",
    "unformatted": "a file that `fmt --check` would change",
    "unknown-function": "a function that the program does not have",
    # runtime errors, which include the exhaustion of limits
    "abort": "a trap, a panic, a failed assertion, or another error that the program prints before it aborts",
    "allocation": "an object that cannot be allocated, because its size is negative or too large",
    "bounds": "an access to memory outside of an object",
    "call": "a call through a pointer that does not point to a function of the expected type",
    "constant": "a change of constant data",
    "division": "a division by zero, or a quotient out of range",
    "foreign": "a foreign operation that has no meaning in a run, or none for its operands",
    "free": "a `free` of a pointer that is not the start of memory allocated by `malloc`",
    "jump": "a `longjmp` to a buffer that no `setjmp` has set, or whose function has returned",
    "leak": "memory allocated by `malloc` that is not freed at the end of the run",
    "lifetime": "an access to an object after the end of its lifetime, or a second end",
    "limit": "an exhausted limit of steps, depth, memory, output or time",
    "null-pointer": "an access to memory through a null pointer",
    "overlap": "a copy by `memcpy` or `strcpy` between places that overlap",
}
"""The rules that belong to no language, and those of running programs."""


def rules() -> dict[str, str]:
    """Each rule that a diagnostic can name, in alphabetical order, with a description of what violates it."""
    from cpsconv.abi import attribute_checks, linking
    from cpsconv.abi.libraries import installed
    from cpsconv.core import check
    from cpsconv.core.text import rules as text_rules
    from cpsconv.lab.equivalence import comparison, requirements
    from cpsconv.languages import LANGUAGES

    found: dict[str, list[str]] = {}
    readers = [installed(each.module) for each in LANGUAGES.values() if each.module]
    languages = [getattr(each, "RULES", {}) for each in readers]
    others = (
        text_rules.RULES,
        check.RULES,
        comparison.RULES,
        requirements.RULES,
        linking.RULES,
        attribute_checks.RULES,
    )
    for table in (GENERAL_RULES, *languages, *others):
        for rule, description in table.items():
            found.setdefault(rule, []).append(description)
    return {rule: "; ".join(dict.fromkeys(found[rule])) for rule in sorted(found)}


def rule_of(diagnostic: Diagnostic) -> str:
    """The rule of a diagnostic; its severity in place of a rule if a front end of a user names none."""
    return diagnostic.rule or diagnostic.severity.replace(" ", "-")


# ----------------------------------------------------------------------------------------------------------- JSON


def to_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The diagnostics as JSON, one object on each line."""
    return "".join(f"{json.dumps(_object(each), ensure_ascii=False)}\n" for each in diagnostics)


def _object(diagnostic: Diagnostic) -> Json:
    return {
        "rule": rule_of(diagnostic),
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **_place(diagnostic.span, diagnostic.file),
        "notes": [{"message": message, **_place(span)} for message, span in diagnostic.all_notes],
        "help": diagnostic.help,
    }


def _place(span: Span | None, file: str | None = None) -> Json:
    if not span:
        return {"file": file, "spans": []}
    span = span.written
    ends = [span.source.origin(offset) for offset in (span.start, span.end)]
    start, end = ({"line": line, "column": column} for _, line, column in ends)
    return {"file": ends[0][0], "spans": [{"start": start, "end": end}]}


# ---------------------------------------------------------------------------------------------------------- SARIF


def to_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """The diagnostics as one SARIF 2.1.0 document, with the rules that they name."""
    from cpsconv import __version__

    found = [*diagnostics]
    index = {rule: number for number, rule in enumerate(dict.fromkeys(map(rule_of, found)))}
    descriptions = rules()
    run = {
        "tool": {
            "driver": {
                "name": "cpsconv",
                "version": __version__,
                "rules": [{"id": rule, "shortDescription": {"text": descriptions.get(rule, rule)}} for rule in index],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, index[rule_of(each)]) for each in found],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return f"{json.dumps(document, ensure_ascii=False, indent=2)}\n"


def _result(diagnostic: Diagnostic, rule: int) -> Json:
    help = f"\nhelp: {diagnostic.help}" if diagnostic.help else ""
    return {
        "ruleId": rule_of(diagnostic),
        "ruleIndex": rule,
        "level": "warning" if diagnostic.severity == "warning" else "error",
        "message": {"text": diagnostic.message + help},
        "locations": [location] if (location := _location(diagnostic.span, diagnostic.file)) else [],
        "relatedLocations": [
            {"id": number, "message": {"text": message}, **_location(span)}
            for number, (message, span) in enumerate(diagnostic.all_notes)
        ],
    }


def _location(span: Span | None, name: str | None = None) -> Json:
    if not span:
        return {"physicalLocation": {"artifactLocation": {"uri": _uri(name)}}} if name else {}
    span = span.written
    (file, line, column), (_, end_line, end_column) = (span.source.origin(each) for each in (span.start, span.end))
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(name: str) -> str:
    """A file name as a URI reference. A relative name with a colon would have a scheme."""
    if name == STANDARD_INPUT:
        return "stdin:"
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
