"""Effects in OCaml: OCaml's ``Printf`` for formats that mean the same there, otherwise the prelude's `printf`.

The prelude's `printf` takes a list of arguments, and has a variant that returns C's result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.emit.functional.ocaml.operations import converted, is_long, literal
from cpsconv.emit.functional.terms import Term, application
from cpsconv.ir import BOOL, DOUBLE, STRING, Constant, Effect, Scalar, Type, Value
from cpsconv.operations.formats import PrintText, PrintValue, print_effects
from cpsconv.operations.python_printf import c_string
from cpsconv.operations.table import EFFECTS, for_every_operation
from cpsconv.text.layout import Group


def performed(effect: Effect, operands: Sequence[Term], *, with_result: bool) -> Term:
    """``Printf.printf "%d" a``, ``printf "%+d" [ Int a ]``; with a result, ``printf' "%d" [ Int a ]``"""
    write = _EFFECTS[effect.op]
    if write and not with_result and (own := write(effect.operands, operands)):
        return own
    name = f"{effect.op}'" if with_result else effect.op
    if effect.op != "printf":
        return application(name, operands)
    values = zip(effect.operands[1:], operands[1:], strict=True)
    arguments = [_tagged(value.type, term).piece for value, term in values]
    listed = Group("[ ", arguments, " ]", separator=";", bracketed=False) if arguments else "[]"
    return application(name, [operands[0], Term(listed)])


def _tagged(type: Type, term: Term) -> Term:
    """An argument of the prelude's printf, tagged with its type."""
    if type is BOOL:
        return application("Int", [application("Bool.to_int", [term])])
    assert isinstance(type, Scalar)
    constructor = "Long" if is_long(type) else {"integer": "Int", "float": "Double", "string": "String"}[type.kind]
    return application(constructor, [term])


# -------------------------------------------------------------------------------------------------------- formats

_INTEGER = re.compile(r"%([-0]?[1-9]\d?)?(hh|h|ll|l|j|z|t)?.")
_FLOATING = re.compile(r"%(-?[1-9]\d?)?(\.\d\d?)?l?.")
_SHARED = {
    **dict.fromkeys("diuoxX", _INTEGER),
    **dict.fromkeys("feEgG", _FLOATING),
    "s": re.compile(r"%(-?[1-9]\d?)?."),
    "c": re.compile(r"%."),
}
"""For each conversion character, the directives that are the same in OCaml, except for the length modifier."""


def _printf(values: Sequence[Value], terms: Sequence[Term]) -> Term | None:
    """``Printf.printf "%d" a``, if the format is a constant that OCaml has, too."""
    format, *shown = values
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


def _puts(values: Sequence[Value], _: Sequence[Term]) -> Term | None:
    (text,) = values
    return _printed(c_string(str(text.value)) + "\n") if isinstance(text, Constant) else None


_EFFECTS = for_every_operation(
    "cpsconv.emit.functional.ocaml", {"printf": _printf, "puts": _puts, "putchar": None, "eprint": None}, EFFECTS
)
"""The effects that OCaml's library can perform if the result is unused. The prelude performs all others."""


def _printed(text: str) -> Term:
    """``print_string "text"``"""
    return application("print_string", [literal(Constant(STRING, text))])


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
