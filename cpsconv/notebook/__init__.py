"""Notebook support: the display of programs and functions in IPython and Jupyter, and cells with C.

In IPython, ``import cpsconv`` sets up the display; ``%load_ext cpsconv`` adds the magic ``%%cpsconv``.
"""

from __future__ import annotations

from typing import Any

from cpsconv.core.ir import Function, Program


def load_ipython_extension(shell: Any) -> None:
    """Set up the display and the magic; IPython calls this for ``%load_ext cpsconv``."""
    from cpsconv.notebook import magic

    show_programs()
    magic.register(shell)


def show_programs() -> None:
    """Display programs and functions as CPS text in the running IPython, if any; in colour where possible."""
    from IPython import get_ipython

    if shell := get_ipython():
        formatters = shell.display_formatter.formatters
        for shown in (Program, Function):
            formatters["text/html"].for_type(shown, _html)
            formatters["text/plain"].for_type(shown, _print)


def _html(shown: Program | Function) -> str:
    from cpsconv.targets.highlighting import html

    return html(_text(shown))


def _print(shown: Program | Function, printer: Any, _: bool) -> None:
    printer.text(_text(shown).rstrip("\n"))


def _text(shown: Program | Function) -> str:
    from cpsconv.core.text import pretty

    return pretty(shown if isinstance(shown, Program) else Program([shown]))
