"""The options of the preprocessor, and their current values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Settings(NamedTuple):
    """The options of the preprocessor.

    - `folders`: where files are searched, in this order (``-I``).
    - `macros`: definitions ``-DNAME``, ``-DNAME=BODY``, ``-DNAME(PARAMETERS)=BODY``, and their removals ``-UNAME``, in
      the order in which they apply.
    - `included`: files that are included before the source (``-include``).
    - `quoted`: where files in quotes are searched before (``-iquote``).
    - `last_folders`: where files are searched afterwards (``-isystem``, ``-idirafter``).
    - `is_extended`: whether the system's files are read for headers that are known by name, for further names.
    """

    folders: Sequence[str] = ()
    macros: Sequence[str] = ()
    included: Sequence[str] = ()
    quoted: Sequence[str] = ()
    last_folders: Sequence[str] = ()
    is_extended: bool = False

    def as_directives(self) -> str:
        """The directives that have the effect of the options."""
        lines = ["#define __NO_CTYPE\n"] if self.is_extended else []  # <ctype.h> has functions in place of its table
        for option in self.macros:
            name, equals, body = option[2:].replace("\n", " ").partition("=")
            lines.append(f"#define {name} {body if equals else 1}\n" if option.startswith("-D") else f"#undef {name}\n")
        lines += [f'#include "{name}"\n' for name in self.included]
        return "".join(lines)


_settings: ContextVar[Settings] = ContextVar("preprocessor_settings", default=Settings())  # noqa: B039 -- immutable


def current_settings() -> Settings:
    """The options in the current context."""
    return _settings.get()


@contextmanager
def preprocessing(settings: Settings) -> Iterator[None]:
    """Preprocess the C sources that are read within the block with these options."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)
