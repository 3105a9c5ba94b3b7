"""How effects are written in OCaml: by its own ``Printf``, where a format of C means the same there.

Where it does not, or the result is used, the prelude has a `printf`, which takes a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.emit.functional.ocaml.operations import converted, is_long, literal
from cpsconv.emit.functional.terms import Term, application
from cpsconv.ir import (
    BOOL,
    DOUBLE,
    STRING,
    Constant,
    Effect,
    Scalar,
    Type,
    Value,
)
from cpsconv.operations.formats import PrintText, PrintValue, print_effects
from cpsconv.operations.python_printf import c_string
from cpsconv.text.layout import Group


def performed(effect: Effect, operands: Sequence[Term], *, with_result: bool) -> Term:
    """``Printf.printf "%d" a``, ``printf "%+d" [ Int a ]``; with a result, ``printf' "%d" [ Int a ]``"""
    first = effect.operands[0]
    if not with_result and isinstance(first, Constant):
        if effect.op == "puts":
            return _printed(c_string(str(first.value)) + "\n")
        if effect.op == "printf" and (own := _own_printf(effect.operands, operands)):
            return own
    name = f"{effect.op}'" if with_result else effect.op
    if effect.op != "printf":
        return application(name, operands)
    arguments = [_told(value.type, term).piece for value, term in zip(effect.operands[1:], operands[1:], strict=True)]
    listed = Group("[ ", arguments, " ]", separator=";", bracketed=False) if arguments else "[]"
    return application(name, [operands[0], Term(listed)])


def _told(type: Type, term: Term) -> Term:
    """An argument of the prelude's printf, which says of which type it is."""
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
"""By conversion, the directives that are the same in OCaml, but for the size of an integer."""


def _own_printf(values: Sequence[Value], terms: Sequence[Term]) -> Term | None:
    """``Printf.printf "%d" a``, if OCaml has such a format. The first value is that of C, a constant."""
    format, *shown = values
    assert isinstance(format, Constant)
    effects = print_effects(str(format.value))
    directives = [each for each in effects if isinstance(each, PrintValue)]
    if len(directives) != len(shown) or not all(map(_is_shared, directives)):
        return None
    if not shown:
        return _printed("".join(each.text for each in effects if isinstance(each, PrintText)))
    own = "".join(_spelled(each) if isinstance(each, PrintValue) else each.text.replace("%", "%%") for each in effects)
    arguments = map(_argument, directives, shown, terms[1:])
    return application("Printf.printf", [literal(Constant(STRING, own)), *arguments])


def _printed(text: str) -> Term:
    """``print_string "text"``"""
    return application("print_string", [literal(Constant(STRING, text))])


def _is_shared(effect: PrintValue) -> bool:
    form = _SHARED.get(effect.conversion)
    return bool(form and form.fullmatch(effect.directive))


def _spelled(effect: PrintValue) -> str:
    """The directive as OCaml has it, for which what has 64 bits is *Large*."""
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
