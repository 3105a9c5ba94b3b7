"""What ``FILE:FUNCTION`` means on the command line."""

from __future__ import annotations

from pathlib import Path


def path_and_function(place: str) -> tuple[str, str | None]:
    """The path, and the name of the function after a colon; a colon may also be part of the path."""
    path, colon, function = place.rpartition(":")
    return (path, function) if colon and path and not Path(place).exists() else (place, None)
