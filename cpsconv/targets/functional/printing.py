"""`printf` as the printing of a list of texts: emitted programs contain no formats.

A constant format is replaced by its print effects: literal texts, and calls of the prelude that convert values to text.
A format that is not constant is one of the strings that the program passes; it selects between their print effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from cpsconv.core.ir import (
    INT,
    INTEGER,
    PTR,
    STRING,
    Call,
    Constant,
    Primitive,
    Program,
    Scalar,
    Statement,
    Undef,
    Value,
)
from cpsconv.core.operations.formats import MAX_SIZE, PrintText, PrintValue, number, print_effects
from cpsconv.core.operations.table import CONVERT, OPERATIONS
from cpsconv.targets.functional import terms

Term = TypeVar("Term")

EXCEPT_PRINTF = [op for op in OPERATIONS if op != "printf"]
"""The operations for which a language has a table. `Printing` writes the remaining one."""


@dataclass(frozen=True, kw_only=True)
class Printing(Generic[Term]):
    """The smallest expressions of a language, and those for `printf`.

    `literal` is a constant, `undefined` an undefined value, `name` a name, and `checked` an expression with a check
    that its value is defined. `call` is a call of a function of the prelude, given the words of its name; `converted`
    a conversion; `decimal` the text of an integer without flags. `printed` prints texts; `selected` selects by a
    format between pairs of a format and a `printf`. `absent` is the name of the value for a missing fact about memory.
    """

    literal: Callable[[Constant], Term]
    undefined: Callable[[Undef], Term]
    name: Callable[[str], Term]
    checked: Callable[[Term], Term]
    call: Callable[[Sequence[str], Sequence[Term]], Term]
    converted: Callable[[Statement, Sequence[Term]], Term]
    decimal: Callable[[Scalar, Term], Term]
    printed: Callable[[Sequence[Term]], Term]
    selected: Callable[[Term, Sequence[tuple[Term, Term]]], Term]
    absent: str = ""

    def fact(self, fact: str | int | None) -> Term:
        """A name or number that the prelude takes; `absent` for None."""
        if fact is None:
            return self.name(self.absent)
        return self.literal(Constant(STRING, fact) if isinstance(fact, str) else Constant(INT, fact))

    def text(self, text: str) -> Term:
        """A literal text of a format."""
        return self.literal(Constant(STRING, text))

    def __call__(self, effect: Statement, terms: Sequence[Term], strings: Sequence[str]) -> Term:
        """The expression for a `printf` with these operands, in a program that passes the `strings`."""
        format, *values = effect.operands
        if isinstance(format, Constant):
            return self.printed([*self._texts(str(format.value), values, terms[1:])])
        texts = ([*self._texts(each, values, terms[1:])] for each in strings)
        formats = (self.literal(Constant(STRING, each)) for each in strings)
        return self.selected(terms[0], [*zip(formats, map(self.printed, texts), strict=True)])

    def _texts(self, format: str, values: Sequence[Value], terms: Sequence[Term]) -> Iterator[Term]:
        rest = zip(values, terms, strict=True)
        for effect in print_effects(format):
            if isinstance(effect, PrintText):
                yield self.text(effect.text)
                continue
            given = [*islice(rest, effect.stars + 1)]
            if not effect.fits([value.type for value, _ in given]):
                yield self.call(("misfit",), ())
                return
            *stars, (value, term) = given
            sizes = [self._size(digits, stars) for digits in (effect.width, effect.precision)]
            assert effect.shown_type
            if effect.shown_type is STRING and value.type is PTR:
                yield self.shown(effect, STRING, sizes, self.call(("string", "at"), [term, sizes[1]]))
            else:
                yield self.shown(effect, effect.shown_type, sizes, self._as(effect.shown_type, value, term))
        for _, term in rest:
            yield self.call(("unused",), [term])

    def shown(self, effect: PrintValue, type: Scalar, sizes: Sequence[Term], value: Term) -> Term:
        """The text of the value, which has the type, with the given width and precision."""
        is_plain = effect.directive[1:] == effect.length + effect.conversion
        if is_plain and effect.conversion in "diu":
            return self.decimal(type, value)
        if is_plain and effect.conversion in "cs":
            return self.call(("character",) if effect.conversion == "c" else ("c", "string"), [value])
        conversion, flags = (self.literal(Constant(STRING, each)) for each in (effect.conversion, effect.flags))
        if effect.conversion == "c":
            return self.call(("shown", "character"), [flags, sizes[0], value])
        if effect.conversion == "s":
            return self.call(("shown", "string"), [flags, *sizes, value])
        kind = "integer" if type is INTEGER else type.kind
        return self.call(("shown", kind), [conversion, flags, *sizes, value])

    def _size(self, digits: str | None, stars: list[tuple[Value, Term]]) -> Term:
        """A width or precision. One that is too large is an error at run time."""
        if digits == "*":
            return self.call(("size",), [self._as(INT, *stars.pop(0))])
        size = self.literal(Constant(INT, min(number(digits), MAX_SIZE + 1)))
        return size if number(digits) <= MAX_SIZE else self.call(("size",), [size])

    def _as(self, type: Scalar, value: Value, term: Term) -> Term:
        return term if value.type is type else self.converted(Primitive(CONVERT, (value,), type), [term])


@dataclass(frozen=True, kw_only=True)
class CallPrinting(Printing[terms.Term]):
    """`Printing` for a language with calls ``f(a)``, whose `printf` takes integers as they are."""

    name: Callable[[str], terms.Term] = terms.Term
    checked: Callable[[terms.Term], terms.Term] = lambda term: terms.call("defined", [term])
    decimal: Callable[[Scalar, terms.Term], terms.Term] = lambda _, term: term
    printed: Callable[[Sequence[terms.Term]], terms.Term] = lambda texts: terms.call("printf", texts)


def passed_strings(program: Program) -> list[str]:
    """The constant strings that are arguments: formats that are not constant are among them."""
    transfers = [member.transfer for member in program.members()]
    passed = [value for transfer in transfers if transfer for edge in transfer.edges for value in edge.arguments]
    passed += [value for transfer in transfers if isinstance(transfer, Call) for value in transfer.arguments]
    return [*dict.fromkeys(str(each.value) for each in passed if isinstance(each, Constant) and each.type is STRING)]
