"""Notebooks: in IPython, and so in Jupyter, programs and functions show themselves, and a cell may hold C.

Where IPython runs, ``import cpsconv`` sees to the first; ``%load_ext cpsconv`` adds the magic ``%%cpsconv``.
"""

from __future__ import annotations

from typing import Any

from cpsconv.ir import Function, Program


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls for ``%load_ext cpsconv``."""
    from cpsconv.notebook import magic

    show_programs()
    magic.register(shell)


def show_programs() -> None:
    """Have the IPython that runs, if any does, show programs and functions as CPS text, coloured where it can."""
    from IPython import get_ipython

    if shell := get_ipython():
        formatters = shell.display_formatter.formatters
        for shown in (Program, Function):
            formatters["text/html"].for_type(shown, _html)
            formatters["text/plain"].for_type(shown, _print)


def _html(shown: Program | Function) -> str:
    from cpsconv.emit.highlighting import html

    return html(_text(shown))


def _print(shown: Program | Function, printer: Any, _: bool) -> None:
    printer.text(_text(shown).rstrip("\n"))


def _text(shown: Program | Function) -> str:
    from cpsconv.text import pretty

    return pretty(shown if isinstance(shown, Program) else Program([shown]))
