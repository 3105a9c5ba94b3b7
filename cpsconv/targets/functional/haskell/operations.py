"""The types, operations and literals of a program in Haskell.

The types are those of `Data.Int` and `Data.Word`, which wrap around, and `Float` and `Double`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from cpsconv.core import ir
from cpsconv.core.operations.completeness import Unspelled, for_every_operation, for_every_type
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.text.layout import Group, Piece, on_one_line, wrapped
from cpsconv.core.transform.expansion import faults
from cpsconv.targets.functional import terms
from cpsconv.targets.functional.faults import Expressions, Function, checked
from cpsconv.targets.functional.identifiers import camel_case
from cpsconv.targets.functional.printing import EXCEPT_PRINTF, Printing
from cpsconv.targets.functional.terms import Term, application, infix

TYPES = for_every_type(
    "cpsconv.targets.functional.haskell",
    {
        ir.BOOL: "Bool",
        ir.CHAR: "Int8",
        ir.SIGNED_CHAR: "Int8",
        ir.UNSIGNED_CHAR: "Word8",
        ir.SHORT: "Int16",
        ir.UNSIGNED_SHORT: "Word16",
        ir.INT: "Int32",
        ir.UNSIGNED: "Word32",
        ir.LONG: "Int64",
        ir.UNSIGNED_LONG: "Word64",
        ir.INTEGER: "Integer",
        ir.FLOAT: "Float",
        ir.DOUBLE: "Double",
        ir.STRING: "String",
        ir.PTR: "Word64",
    },
    memory=True,
    unbounded=True,
)


def type_text(type: ir.Type) -> str:
    """``Int32``, ``Int32 -> IO Void``. (The depth of types is bounded.)"""
    return TYPES[type] if isinstance(type, ir.Scalar) else " -> ".join([*map(operand_type, type.parameters), BOTTOM])


def operand_type(type: ir.Type) -> str:
    """The type as an operand of ``->``."""
    return f"({type_text(type)})" if isinstance(type, ir.ContinuationType) and type.parameters else type_text(type)


BOTTOM = "IO Void"


def typed(term: Term, type: ir.Type) -> Term:
    """``(5 :: Int32)``"""
    return Term(wrapped("(", term.piece, f" :: {type_text(type)})"))


# ------------------------------------------------------------------------------------------------------ operations

_Operation = Callable[[ir.Statement, Sequence[Term]], Term]


def _infix(symbol: str, bools: str = "", *, floats: str = "", unbounded: str = "") -> _Operation:
    """An operator, with variants for `bool`, floats and `integer`."""

    def write(statement: ir.Statement, operands: Sequence[Term]) -> Term:
        type = terms.operand_type(statement)
        if type is ir.BOOL and bools:
            return infix(statement.op, operands, bools)
        if type is ir.INTEGER and unbounded:
            return infix(statement.op, operands, unbounded)
        return infix(statement.op, operands, floats if floats and type.kind == "float" else symbol)

    return write


def _function(name: str) -> _Operation:
    return lambda _, operands: application(name, operands)


def _division(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    if faults(statement):
        return infix(statement.op, operands, f"`{_name_of_division(statement)}`")
    return _unchecked_division(statement, operands)


def _name_of_division(statement: ir.Statement) -> str:
    return camel_case(["quotient" if statement.op == "/" else "remainder", *statement.type.name.split()])


def _unchecked_division(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    of_integers = "`quot`" if statement.op == "/" else "`rem`"
    return infix(statement.op, operands, "/" if statement.type.kind == "float" else of_integers)


def _mathematics(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    return application(f"c_{platform_name(statement.op, statement.type)}", operands)


def _conversion(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    source, target, operand = terms.operand_type(statement), statement.type, operands[0]
    if TYPES[source] == TYPES[target]:
        return operand
    if source is ir.BOOL:
        source, operand = ir.LONG, application("fromEnum", [operand])
    return application(_converter(source, target), [operand])


def _converter(source: ir.Scalar, target: ir.Scalar) -> str:
    """The function that converts numbers."""
    if source.kind == "float":
        return f"truncateTo{TYPES[target]}" if target.kind == "integer" else _BETWEEN_FLOATS[target]
    if target.kind == "float" and source.bits == 64 and not (source.signed and target is ir.DOUBLE):
        return f"nearest{TYPES[target]}"
    return f"to{TYPES[target]}"


_BETWEEN_FLOATS = {ir.FLOAT: "double2Float", ir.DOUBLE: "float2Double"}


WRITERS = for_every_operation(
    "cpsconv.targets.functional.haskell",
    {
        **{op: _infix(op) for op in ("+", "-", "==", "<", "<=", ">", ">=")},
        "*": _infix("*", unbounded="`timesInteger`"),
        "/": _division,
        "%": _division,
        "&": _infix(".&.", "`both`"),
        "|": _infix(".|.", "`oneOf`"),
        "^": _infix("`xor`"),
        "<<": _infix("`shl`"),
        ">>": _infix("`shr`"),
        "!=": _infix("/="),
        "neg": _function("negate"),
        "~": _function("complement"),
        "!": _function("not"),
        "abs": _function("abs"),
        **dict.fromkeys(MATHEMATICS, _mathematics),
        CONVERT: _conversion,
        **{effect: _function(effect) for effect in ("puts", "putchar", "eprint")},
    },
    EXCEPT_PRINTF,
    expanded=True,
)
"""The function that writes each operation, given the statement and its operands."""

UNSPELLED = Unspelled(WRITERS)


def computed(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    """The expression that computes the statement."""
    return WRITERS[statement.op](statement, operands)


# -------------------------------------------------------------------------------------------------------- literals


_WORDS = {"-nan": "(negate nan)", "inf": "infinity", "-inf": "(negate infinity)"}


def literal(constant: ir.Constant) -> Term:
    """``5``, ``(-0.5)``, ``True``, ``"text"``"""
    # All digits, even for a `float`: GHC may compute with the digits instead of the rounded value.
    text = terms.literal(constant, _WORDS, r"\{}\&")
    if constant.type is ir.STRING:
        return Term(re.sub(r"(\\[0-9]+)\\&(?![0-9])", r"\1", text))  # `\&` separates a code from a digit
    if constant.type is ir.FLOAT and ("nan" in text or "inf" in text):
        return Term(f"(double2Float {text})")
    return Term(f"({text})" if text.startswith("-") else text)


CHECKED = checked(
    TYPES,
    Expressions(computed, literal, Term, lambda term: on_one_line(term.piece), UNSPELLED),
    Function(
        "infixl 7 `{name}`\n{name} :: {type} -> {type} -> {type}\n{name} a b",
        '  | {condition} = runtimeError "{message}"',
        "  | otherwise = {result}",
    ),
    _name_of_division,
    _unchecked_division,
)
"""The functions that divide integers, by their names."""


# -------------------------------------------------------------------------------------------------------- printf


def _list(items: Sequence[Piece]) -> Term:
    return Term(Group("[", [*items], "]", bracketed=False) if items else "[]")


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``selectFormat format [("%d", printf [show a])]``"""
    cases = [Group("(", [each.piece, code.piece], ")", bracketed=False) for each, code in printed]
    return application("selectFormat", [format, _list(cases)])


PRINTING = Printing(
    call=lambda words, operands: application(camel_case(words), operands),
    literal=literal,
    undefined=lambda value: typed(Term("undef"), value.type),
    name=Term,
    checked=lambda term: term,  # the evaluation of an undefined value is an error
    converted=_conversion,
    decimal=lambda _, term: application("show", [term]),
    printed=lambda texts: application("printf", [_list([text.piece for text in texts])]),
    selected=_selected,
)
