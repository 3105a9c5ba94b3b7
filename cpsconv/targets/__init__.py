"""Emitters: a program as CPS text, in φ form, in another language, as JSON or as a picture.

The tables of targets and pictures name the function that writes each, in a module that is imported at the first use.
``TARGETS["mine"] = write`` registers a target of your own, with a function ``write(program, style)``. See
docs/targets.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from cpsconv.abi.libraries import required
from cpsconv.core.ir import Program

if TYPE_CHECKING:
    from cpsconv.targets.picture import Picture

__all__ = ["COMPLETE", "PICTURES", "SUFFIXES", "TARGETS", "Style", "Target"]


class Style(NamedTuple):
    """The layout of a text, and the function that a complete program starts; by default `main`, or the only one.

    `out_of_ssa` chooses copies in place of φ functions, `names` numbers in names (`cpsconv.targets.numbering`),
    `locations` the locations of operations in the source, and `functional` functions in place of loops in JavaScript.

    A target ignores the options that do not apply to it.
    """

    layout: Literal["nested", "flat"] = "nested"
    ascii: bool = False
    width: int = 80
    entry: str | None = None
    out_of_ssa: bool = False
    names: Literal["source", "numbered", "all"] = "source"
    locations: bool = False
    functional: bool = False


Target = Callable[[Program, Style], str]


def _imported(function: str) -> Callable[..., Any]:
    """The function ``module:name``, of a module below `cpsconv`."""
    module, _, name = function.partition(":")
    implementation: Callable[..., Any] = getattr(
        required(f"cpsconv.{module}", f"the target {name.replace('_', '-')}"), name
    )
    return implementation


def _target(function: str, *options: str) -> Target:
    """A target written by ``module:name``, which takes a program and these options of the style."""
    return lambda program, style: _imported(function)(program, **{each: getattr(style, each) for each in options})


def _lifted(function: str, *options: str) -> Target:
    """Likewise, without nested functions."""
    write = _target(function, *options)
    return lambda program, style: write(_imported("core.erasure:lifted")(program), style)


def _erased(function: str, *options: str) -> Target:
    """Likewise, without nested functions and explicit memory."""
    write = _target(function, *options)
    return lambda program, style: write(_imported("core.erasure:erased")(program), style)


def _language(function: str, *options: str) -> Target:
    """Likewise; it has no foreign operations."""
    write, refusal = _erased(function, *options), f"the target `{function.partition(':')[2]}` cannot write"

    def written(program: Program, style: Style) -> str:
        _imported("core.operations.foreign:require_no_foreign")(program, refusal)
        return write(program, style)

    return written


def _own(attribute: str, function: str, otherwise: Target, *options: str) -> Target:
    """The target of programs in its own language, which have the attribute, written by ``module:name``; or another.

    A program without functions and data is an empty text, unless it has the attribute.
    """
    own = _target(function, *options)

    def written(program: Program, style: Style) -> str:
        if attribute in program.attributes:
            return own(program, style)
        return otherwise(program, style) if program.functions or program.data else ""

    return written


def _cps(program: Program, style: Style) -> str:
    """CPS text. Numbered names are loaded on use."""
    given = ("layout", "ascii", "width")
    plain, numbered = "core.text.printer:pretty", "targets.numbering:numbered_text"
    target = _target(plain, *given) if style.names == "source" else _target(numbered, "names", *given)
    return target(program, style)


TARGETS: dict[str, Target] = {
    "cps": _cps,
    "ssa": _lifted("targets.ssa:ssa", "names", "ascii", "width"),
    "c": _language("targets.c:c"),
    "llvm": _own("llvm.module", "languages.llvm.writer:module", _language("targets.llvm:llvm", "ascii")),
    "mlir": _own("mlir.module", "languages.mlir.writer:module", _language("targets.mlir:mlir", "ascii", "locations")),
    "bril": _language("targets.bril:bril", "out_of_ssa"),
    "bril-json": _language("targets.bril:bril_json", "out_of_ssa"),
    "scheme": _language("targets.functional.scheme:scheme", "width", "entry"),
    "javascript": _own(
        "js.module",
        "targets.javascript:javascript",
        _language("targets.functional.javascript:javascript", "width", "entry"),
        "functional",
    ),
    "python": _language("targets.functional.python:python", "width", "entry"),
    "ocaml": _language("targets.functional.ocaml:ocaml", "width", "entry"),
    "haskell": _language("targets.functional.haskell:haskell", "width", "entry"),
    "json": _target("core.json.writer:to_json"),
    "latex": _target("targets.latex:latex", "names", "layout", "width"),
    "mermaid": _lifted("targets.mermaid:flowchart", "ascii"),
}
"""The function that writes each target, by the name of the target."""

COMPLETE = frozenset({"scheme", "javascript", "python", "ocaml", "haskell"})
"""The targets whose texts are complete programs: they start a function."""


SUFFIXES = {
    "bril-json": ".json",
    "llvm": ".ll",
    "scheme": ".scm",
    "javascript": ".js",
    "python": ".py",
    "ocaml": ".ml",
    "haskell": ".hs",
    "latex": ".tex",
    "mermaid": ".mmd",
}
"""The suffix of a target's files, where it is not the name of the target."""


class PictureFormat(NamedTuple):
    """A format of pictures: the suffixes of its files, and the function that writes it, as text or as data."""

    suffixes: tuple[str, ...]
    write: Callable[[Picture], Union[str, bytes]]


def _format(suffixes: str, function: str, *arguments: str) -> PictureFormat:
    return PictureFormat(tuple(suffixes.split()), lambda picture: _imported(function)(picture, *arguments))


PICTURES: dict[str, PictureFormat] = {
    "dot": _format(".dot .gv", "targets.dot:dot"),
    "mermaid": _format(".mermaid .mmd", "targets.mermaid:mermaid"),
    **{name: _format(f".{name}", "targets.dot:draw", name) for name in ("svg", "png", "pdf")},
}
"""The formats of pictures, by name."""
