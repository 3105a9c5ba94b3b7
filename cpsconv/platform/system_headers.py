"""The headers of the system: their folders, and which parts of a program they declare."""

from __future__ import annotations

from cpsconv.core.source import Span

SYSTEM_FOLDERS = "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"
"""The folders of the system's headers, in the order of search."""

COMPILERS = "/usr/lib/gcc/x86_64-linux-gnu"
"""The folder with a folder for each version of gcc, which contains the headers of the compiler."""


def is_in_system_header(span: Span | None) -> bool:
    """Whether the span is in a header of the system, as written."""
    return span is not None and span.source.origin(span.start)[0].startswith((*SYSTEM_FOLDERS, COMPILERS))
