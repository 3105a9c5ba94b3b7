"""The preprocessor of C (translation phases 2 to 4, C17 5.1.1.2).

It gives a text without macros, conditionals and own files, and the origin of each character of this text: diagnostics
point into the files as written. The headers of the standard library are known by name: an ``#include`` of one of them
remains a line of the text, from which the scanner takes the names that the header defines.

Text between macros is copied, not divided into tokens. A source that needs no preprocessing is not even copied.

- `tokens` has the tokens of files, `macros` the definitions, `known` those of known headers.
- `expansion` has Prosser's algorithm, `conditions` the expressions of ``#if``.
- `files` finds the files that are included, `directives` is the preprocessor itself.
- `output` is the preprocessed text, with the origins of its characters; `settings` has the options.
"""

from __future__ import annotations

import re

from cpsconv.core.source import Diagnostic, Source
from cpsconv.languages.c.preprocessor.settings import Settings, current_settings, preprocessing
from cpsconv.languages.c.syntax.headers import COMPLETE

__all__ = ["Settings", "current_settings", "listing", "preprocessed", "preprocessing"]

_NEEDED = (
    r"\b__(?!FUNCTION__|PRETTY_FUNCTION__)(?:[A-Z]\w*|gnu_linux)__\b|\b__(?:x86_64|amd64|linux|unix)(?:__)?\b"
    r"|\b_LP64\b|\b_Pragma\b"
    r"|(?:^|\*/)[ \t]*(?:%:|#(?:[ \t]|/\*[^*\n]*\*/)*"
    r"(?:define|undef|if|el|endif|error|warning|include_next|import|ident|pragma[ \t]+once"
    r'|include[ \t]*(?:"|[^\s<"])|\w*\\))'
)
"""What a source contains that needs preprocessing: directives, and names of predefined macros."""

_SIGNS = ("#", "__", "%:", "_LP64", "_Pragma")
"""Texts of which each such source contains one. Their search takes less time than that for the pattern."""


def preprocessed(source: Source, warnings: list[Diagnostic]) -> Source:
    """The preprocessed source, with the options of the current context; `source` itself if nothing is to be done.

    Appends warnings to the list. Raises `DiagnosticError` with all errors, at their positions in the files as written.
    """
    settings = current_settings()
    if settings == Settings() and not _is_needed(source.text):
        return source
    from cpsconv.languages.c.preprocessor.directives import Preprocessor  # imported on use: many sources have no macros

    return Preprocessor(source, settings, warnings).run()


def _is_needed(text: str) -> bool:
    """Whether a text contains what needs preprocessing."""
    if not any(sign in text for sign in _SIGNS):
        return False
    if re.search(_NEEDED, text, re.MULTILINE):
        return True
    return not COMPLETE[False].issuperset(re.findall(r"(?m)^[ \t]*#[ \t]*include[ \t]*<([^>\n]*)>", text))


def listing(source: Source) -> str:
    """The preprocessed text of a source, with line markers as those of ``gcc -E``. Raises `DiagnosticError`."""
    from cpsconv.languages.c.preprocessor.output import listing as listed  # imported on use, as above

    return listed(preprocessed(source, []))
