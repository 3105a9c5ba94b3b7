"""The errors and warnings found in a C source, the rules that they break, and spelling suggestions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from cpsconv.abi.system_headers import is_in_system_header
from cpsconv.core.source import (
    Diagnostic,
    DiagnosticError,
    Note,
    Span,
    error,
    max_errors,
    nearest,
    too_many_errors,
    warning,
)
from cpsconv.languages.warning_groups import GROUPS, chosen_warnings

RULES = {
    # errors
    "alignment": "an alignment that is not a power of two",
    "argument-count": "a call with another number of arguments than its target has parameters",
    "redeclared": "two declarations of a function that do not agree",
    "bit-field": "a bit-field of an unsuitable width",
    "const": "an assignment to a `const` variable",
    "directive": "an unknown or malformed directive, or a wrong use of a macro",
    "duplicate-case": "two equal cases, or two `default`s, in a `switch`",
    "incomplete-type": "a use of an object of a type whose size is not known",
    "error-directive": "an `#error`",
    "initialiser": "an initialiser that does not suit its object",
    "literal": "a malformed number, character or string",
    "main-result": "a `main` that returns another type than `int`",
    "misplaced": "`break`, `continue`, `case` or `default` outside of the statements that it belongs to",
    "no-include-file": "an `#include` of a file that is not found, or not in a permitted folder",
    "no-address": "`&` of an expression that has no address",
    "no-field": "a field that a struct or union does not have",
    "not-a-function": "a call of a value that is not a function",
    "not-assignable": "an assignment to an expression that cannot be assigned to",
    "not-constant": "an expression that is not constant where a constant is required",
    "redefined": "a second definition of a name in its scope",
    "static-assert": "a static assertion that fails",
    "storage": "a storage class that is not allowed here, or excludes another one",
    "stray-character": "a character that is not part of the language",
    "syntax": "tokens that do not form a program",
    "too-large": "a small text that denotes more than a limit allows",
    "type-mismatch": "an operand, argument or decision of an unsuitable type",
    "type-specifiers": "type specifiers that denote no type together",
    "undeclared": "a name that is not declared or defined",
    "undefined-function": "a use of a `static` function that the program does not define",
    "unknown-statement": "a misspelt keyword of a statement",
    "unknown-header": "a header that standard C does not have",
    "unknown-type": "a name in the position of a type that denotes no type",
    "unsupported": "a feature of C that is not supported yet",
    "unterminated": "a comment, string, character or quoted name without its end",
    "variadic": "a wrong use of variable arguments",
    "void": "`void` where a value or the type of a value is needed",
    # warnings (and `format` is also a rule of errors)
    **{name: group.description for name, group in GROUPS.items()},
}
"""The rules that diagnostics of the C front end name, with the violation that each of them denotes."""

_MAX_SUGGESTIONS = 20  # a search for a similar name takes time in proportion to the number of names


def seen(span: Span | None, how: str = "declared") -> list[Note]:
    """The note on a declaration at the span, if any: what is ``declared``, ``first declared`` or ``first defined``."""
    return [(f"it is {how} here", span)] if span else []


class TooManyErrors(Exception):
    """The maximal number of errors is exceeded: reading stops."""


class Errors:
    """The errors and warnings found in a source, in the order of discovery."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self._enabled = chosen_warnings().enabled
        self._suggestions = 0

    def report(
        self, rule: str, message: str, span: Span, *, help: str | None = None, notes: Sequence[Note] = ()
    ) -> None:
        """Record an error against a rule of `RULES`."""
        self.found.append(error(_printable(message), span, help=help, notes=notes, rule=rule))

    def warn(self, rule: str, message: str, span: Span, *, help: str | None = None, notes: Sequence[Note] = ()) -> None:
        """Record a warning, if its group is enabled and no header of the system contains its span.

        Its `rule`, one of `RULES`, is the group.
        """
        if rule not in self._enabled or is_in_system_header(span):
            return
        self.warnings.append(warning(_printable(message), span, help=help, notes=notes, rule=rule))

    def raise_if_any(self) -> None:
        """Raise `DiagnosticError` with all errors and warnings, if there are errors."""
        if self.found:
            raise DiagnosticError([*self.found, *chosen_warnings().chosen(self._independent_warnings())])

    def _independent_warnings(self) -> list[Diagnostic]:
        """The warnings that are not consequences of errors: an erroneous expression does not use its variables."""
        starts = sorted(each.span.start for each in self.found if each.span)
        return [
            each
            for each in self.warnings
            if each.span
            and bisect_left(starts, each.span.start) == bisect_left(starts, each.span.end)
            and not each.rule.startswith(("unused-variable", "unused-parameter", "unused-but-set"))
        ]

    def suggestion(self, name: str, names: Iterable[str]) -> str | None:
        """The help text that proposes the one of `names` most similar to `name`, if one is similar."""
        found = self.nearest(name, names)
        return f"did you mean `{found}`?" if found else None

    def nearest(self, name: str, names: Iterable[str]) -> str | None:
        """The one of `names` most similar to `name`, if one is similar. The search for many names takes too long."""
        self._suggestions += 1
        if self._suggestions > _MAX_SUGGESTIONS:
            return None
        return nearest(name, [other for other in names if other != name])


class SyntaxErrors(Errors):
    """The errors found while reading. An error that may follow from another one is not recorded.

    `damage` has the offsets of all syntax errors, also of those that are not recorded.
    """

    def __init__(self) -> None:
        super().__init__()
        self.damage: list[int] = []
        self._limit = max_errors()
        self._starts: set[int] = set()

    def report(
        self, rule: str, message: str, span: Span, *, help: str | None = None, notes: Sequence[Note] = ()
    ) -> None:
        """Record an error as in `Errors`, unless an error with the same start is recorded already.

        Raises `TooManyErrors` if the limit is exceeded, and records that fact instead of the error.
        """
        if rule == "syntax":
            self.damage.append(span.start)
        if span.start in self._starts:
            return
        if len(self.found) == self._limit:
            self.found.append(too_many_errors(span))
            raise TooManyErrors
        self._starts.add(span.start)
        super().report(rule, message, span, help=help, notes=notes)

    def report_unsupported(self, subject: str, span: Span) -> None:
        """Record that a feature of C is not supported yet; `subject` ends with its verb: ``arrays are``."""
        self.report("unsupported", f"{subject} not supported yet", span)


def _printable(message: str) -> str:
    """The message with unprintable characters of quoted source text as escape sequences."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in message)


# ------------------------------------------------------------------------------------------------------ misspellings

STATEMENT_KEYWORDS = frozenset(
    ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]
)
"""The keywords of statements."""

_CERTAIN_SIMILARITY = 0.8  # of 1: a few letters are swapped, missing or added


def misspelt_keyword(name: str) -> str | None:
    """The keyword of a statement of which `name` is a misspelling, if any."""
    return misspelt(name, sorted(STATEMENT_KEYWORDS))


def misspelt(name: str, words: Iterable[str]) -> str | None:
    """The one of `words` that has the same letters as `name`, or else is very similar, if any."""
    permuted = [word for word in words if sorted(word) == sorted(name) and word != name]
    return permuted[0] if permuted else nearest(name, words, _CERTAIN_SIMILARITY)


def is_misspelling(name: str, word: str) -> bool:
    """Whether one letter inside of `word` is replaced, missing or added in `name`, or its letters are permuted."""
    if sorted(name) == sorted(word):
        return True
    start, end = _common(name, word), _common(name[::-1], word[::-1])
    differing = name[start : len(name) - end] + word[start : len(word) - end]
    is_one = max(len(name), len(word)) - min(start + end, len(name), len(word)) == 1
    return is_one and start > 0 and end > 0 and not any(each.isdigit() for each in differing)


def _common(left: str, right: str) -> int:
    """The number of letters with which both words begin."""
    shorter = min(len(left), len(right))
    return next((place for place in range(shorter) if left[place] != right[place]), shorter)
