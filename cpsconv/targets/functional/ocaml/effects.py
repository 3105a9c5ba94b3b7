"""Effects in OCaml: OCaml's ``Printf``, with the texts of the prelude for directives that OCaml lacks.

Functions of the prelude whose names end in a prime return C's result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cpsconv.core.ir import STRING, Constant, Effect, Scalar, Value
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.formats import PrintValue
from cpsconv.core.operations.python_formats import before_zero
from cpsconv.core.operations.table import OUTPUTS
from cpsconv.core.text.layout import Group, Piece, wrapped
from cpsconv.targets.functional.ocaml.operations import computed, is_long, literal
from cpsconv.targets.functional.printing import EXCEPT_PRINTF, Printing
from cpsconv.targets.functional.terms import Term, application


def performed(effect: Effect, operands: Sequence[Term], *, with_result: bool) -> Term:
    """``putchar a``; with a result, ``putchar' a``; ``print_string "text\\n"`` for `puts`"""
    write = _EFFECTS[effect.op]
    if write and not with_result and (own := write(effect.operands)):
        return own
    return application(f"{effect.op}'" if with_result else effect.op, operands)


def _puts(values: Sequence[Value]) -> Term | None:
    (text,) = values
    return _print_string(before_zero(str(text.value)) + "\n") if isinstance(text, Constant) else None


_EFFECTS = for_every_operation(
    "cpsconv.targets.functional.ocaml",
    {"puts": _puts, "putchar": None, "eprint": None},
    [op for op in EXCEPT_PRINTF if op in OUTPUTS],
)
"""The effects that OCaml's library can perform if the result is unused. The prelude performs all others."""


def _print_string(text: str) -> Term:
    return application("print_string", [literal(Constant(STRING, text))])


# --------------------------------------------------------------------------------------------------------- printf


@dataclass(frozen=True, slots=True, kw_only=True)
class _Directive(Term):
    """An argument of OCaml's printf, with the `directive` that shows it; literal text has no argument."""

    directive: str


_INTEGER = re.compile(r"%([-0]?[1-9]\d?)?(hh|h|ll|l|j|z|t)?.")
_FLOATING = re.compile(r"%(-?[1-9]\d?)?(\.\d\d?)?l?.")
_SHARED = {
    **dict.fromkeys("diuoxX", _INTEGER),
    **dict.fromkeys("feEgG", _FLOATING),
    "s": re.compile(r"%(-?[1-9]\d?)?."),
    "c": re.compile(r"%."),
}
"""For each conversion character, the directives that are the same in OCaml, except for the length modifier."""


class _Printing(Printing[Term]):
    """Printing by OCaml's ``Printf``."""

    def text(self, text: str) -> Term:
        """A literal text, in OCaml's format."""
        return _Directive("", directive=text.replace("%", "%%"))

    def shown(self, effect: PrintValue, type: Scalar, sizes: Sequence[Term], value: Term) -> Term:
        """``Int64.of_int a`` and ``%Ld``; the text ``shown_integer "x" "#" 5 (-1) (Int64.of_int a)`` and ``%s``"""
        form = _SHARED.get(effect.conversion)
        if not form or not form.fullmatch(effect.directive):
            is_int = type.kind == "integer" and not is_long(type) and effect.conversion != "c"
            return super().shown(effect, type, sizes, application("Int64.of_int", [value]) if is_int else value)
        before = effect.directive[: -len(effect.length + effect.conversion)]
        if effect.conversion in "cs":
            is_whole = isinstance(value.piece, str) and value.piece.startswith('"') and r"\x00" not in value.piece
            value = value if is_whole else application("Char.chr" if effect.conversion == "c" else "c_string", [value])
        directive = f"{before}{'L' if is_long(type) else ''}{effect.conversion}"
        return _Directive(value.piece, value.op, directive=directive)


def _printed(function: str) -> Callable[[Sequence[Term]], Term]:
    """``Printf.printf "%d %s" a (shown_float …)``"""

    def write(texts: Sequence[Term]) -> Term:
        arguments = [text for text in texts if text.piece]
        format = "".join(text.directive if isinstance(text, _Directive) else "%s" for text in texts)
        if not arguments and function == "Printf.printf":
            return _print_string(format.replace("%%", "%"))
        return application(function, [literal(Constant(STRING, format)), *arguments])

    return write


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``select_format format [ ("%d", fun () -> Printf.printf …) ]``"""
    cases: list[Piece] = [wrapped(f"({each.piece}, fun () -> ", code.piece, ")") for each, code in printed]
    listed = Group("[ ", cases, " ]", separator=";", bracketed=False) if cases else "[]"
    return application("select_format", [format, Term(listed)])


PRINTING, PRINTING_WITH_RESULT = (
    _Printing(
        call=lambda words, operands: application("_".join(words), operands or [Term("()")]),
        literal=literal,
        undefined=lambda _: Term("None"),
        name=Term,
        checked=lambda term: application("defined", [term]),
        converted=computed,  # type: ignore[arg-type]
        decimal=lambda _, term: term,
        printed=_printed(function),
        selected=_selected,
    )
    for function in ("Printf.printf", "printf'")
)
