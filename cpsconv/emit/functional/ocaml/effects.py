"""Effects in OCaml: OCaml's ``Printf`` for formats that mean the same there, otherwise the prelude's `printf`.

The prelude's `printf` takes a list of texts. Functions whose names end in a prime return C's result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.emit.functional.ocaml.operations import computed, converted, is_long, literal
from cpsconv.emit.functional.printing import EXCEPT_PRINTF, Printing
from cpsconv.emit.functional.terms import Term, application
from cpsconv.ir import DOUBLE, STRING, UNSIGNED_LONG, Constant, Effect, Scalar, Statement, Value
from cpsconv.operations.formats import PrintText, PrintValue, print_effects
from cpsconv.operations.python_printf import c_string
from cpsconv.operations.table import EFFECTS, for_every_operation
from cpsconv.text.layout import Group, Piece, wrapped


def performed(effect: Effect, operands: Sequence[Term], *, with_result: bool) -> Term:
    """``putchar a``; with a result, ``putchar' a``; ``print_string "text\\n"`` for `puts`"""
    write = _EFFECTS[effect.op]
    if write and not with_result and (own := write(effect.operands)):
        return own
    return application(f"{effect.op}'" if with_result else effect.op, operands)


def _puts(values: Sequence[Value]) -> Term | None:
    (text,) = values
    return _printed(c_string(str(text.value)) + "\n") if isinstance(text, Constant) else None


_EFFECTS = for_every_operation(
    "cpsconv.emit.functional.ocaml",
    {"puts": _puts, "putchar": None, "eprint": None},
    [op for op in EXCEPT_PRINTF if op in EFFECTS],
)
"""The effects that OCaml's library can perform if the result is unused. The prelude performs all others."""


def _printed(text: str) -> Term:
    """``print_string "text"``"""
    return application("print_string", [literal(Constant(STRING, text))])


# --------------------------------------------------------------------------------------------- printf of the prelude


class _Printing(Printing[Term]):
    """The prelude's `printf`, whose general function for integers takes an `int64`."""

    def number(self, type: Scalar, operands: list[Term]) -> Term:
        """``shown_integer "x" "" 5 (-1) (Int64.of_int a)``"""
        *others, value = operands
        is_int = type.kind == "integer" and not is_long(type)
        return super().number(type, [*others, application("Int64.of_int", [value]) if is_int else value])


def _called(words: Sequence[str], operands: Sequence[Term]) -> Term:
    return application("_".join(words), operands or [Term("()")])


def _decimal(type: Scalar, term: Term) -> Term | None:
    if type is UNSIGNED_LONG:
        return None
    return application("Int64.to_string" if is_long(type) else "string_of_int", [term])


def _listed(items: Sequence[Piece]) -> Term:
    return Term(Group("[ ", [*items], " ]", separator=";", bracketed=False) if items else "[]")


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``select_format format [ ("%d", fun () -> printf [ … ]) ]``"""
    cases = [wrapped(f"({each.piece}, fun () -> ", code.piece, ")") for each, code in printed]
    return application("select_format", [format, _listed(cases)])


def _printing(name: str) -> _Printing:
    return _Printing(
        call=_called,
        literal=literal,
        converted=computed,  # type: ignore[arg-type]
        decimal=_decimal,
        printed=lambda texts: application(name, [_listed([text.piece for text in texts])]),
        selected=_selected,
    )


PRINTING, PRINTING_WITH_RESULT = _printing("printf"), _printing("printf'")


# --------------------------------------------------------------------------------------------------- printf of OCaml

_INTEGER = re.compile(r"%([-0]?[1-9]\d?)?(hh|h|ll|l|j|z|t)?.")
_FLOATING = re.compile(r"%(-?[1-9]\d?)?(\.\d\d?)?l?.")
_SHARED = {
    **dict.fromkeys("diuoxX", _INTEGER),
    **dict.fromkeys("feEgG", _FLOATING),
    "s": re.compile(r"%(-?[1-9]\d?)?."),
    "c": re.compile(r"%."),
}
"""For each conversion character, the directives that are the same in OCaml, except for the length modifier."""


def shared_printf(effect: Statement, terms: Sequence[Term]) -> Term | None:
    """``Printf.printf "%d" a``, if the format is a constant that OCaml has, too."""
    format, *shown = effect.operands
    if not isinstance(format, Constant):
        return None
    effects = print_effects(str(format.value))
    directives = [each for each in effects if isinstance(each, PrintValue)]
    if len(directives) != len(shown) or not all(map(_is_shared, directives)):
        return None
    if not shown:
        return _printed("".join(each.text for each in effects if isinstance(each, PrintText)))
    own = "".join(_spelled(each) if isinstance(each, PrintValue) else each.text.replace("%", "%%") for each in effects)
    arguments = map(_argument, directives, shown, terms[1:])
    return application("Printf.printf", [literal(Constant(STRING, own)), *arguments])


def _is_shared(effect: PrintValue) -> bool:
    form = _SHARED.get(effect.conversion)
    return bool(form and form.fullmatch(effect.directive))


def _spelled(effect: PrintValue) -> str:
    """The directive in OCaml, with ``L`` as the length modifier for 64 bits."""
    before = effect.directive[: -len(effect.length + effect.conversion)]
    large = effect.conversion in "diuoxX" and effect.shown_type and is_long(effect.shown_type)
    return f"{before}{'L' if large else ''}{effect.conversion}"


def _argument(effect: PrintValue, value: Value, term: Term) -> Term:
    assert isinstance(value.type, Scalar) and effect.shown_type
    if effect.type is STRING:
        is_whole = isinstance(value, Constant) and "\0" not in str(value.value)
        return term if is_whole else application("c_string", [term])
    if effect.type is DOUBLE:
        return term
    shown = converted(value.type, effect.shown_type, term)
    return application("Char.chr", [shown]) if effect.conversion == "c" else shown
