"""JavaScript expressions for the operations, and the runtime that they call.

Emitted programs contain these expressions; the page evaluates them with the same runtime. Integers of up to 32 bits and
floating numbers are numbers, integers of 64 bits BigInts, and a string has one character for each byte.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from cpsconv.emit.functional.identifiers import camel_case
from cpsconv.emit.functional.prelude import Facts, Prelude, usual_facts
from cpsconv.emit.functional.printing import EXCEPT_PRINTF, Printing
from cpsconv.emit.functional.terms import PREFIX, Term, call, infix, prefix
from cpsconv.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SCALARS,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    Constant,
    Scalar,
    Statement,
    Type,
)
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import CONVERT, EFFECTS, OPERATIONS, PRIMITIVES, for_every_operation, result_type, wraps
from cpsconv.operations.types import contains, is_data, is_float, is_integer, range_of
from cpsconv.text.layout import Group, on_one_line, wrapped


class Application(NamedTuple):
    """An operation applied to operands: their types, the type of the result, and the operands as terms.

    `constants` has each operand that is a constant, and None for each other operand.
    """

    op: str
    types: Sequence[Scalar]
    result: Scalar
    operands: Sequence[Term]
    constants: Sequence[Constant | None]


def expression(application: Application) -> Term:
    """The JavaScript expression for the application; its value is in the range of the result type."""
    term = exact_expression(application)
    return _wrapped(term, application.result) if _needs_wrapping(application) else term


def exact_expression(application: Application) -> Term:
    """The same without the final wrapping or rounding."""
    return _EXACT[application.op](application)


def unwrapped_operands(op: str, types: Sequence[Scalar], result: Scalar) -> int:
    """The number of leading operands of which only the lowest 32 bits matter, so that they need no wrapping."""
    row = OPERATIONS[op]
    if row.kind == "conversion":
        is_cut = types[0] in (INT, UNSIGNED) and result is not types[0] and is_integer(result) and result.bits <= 32
        return int(is_cut)
    if row.kind == "shift":
        return 1
    return len(types) if row.modular else 0


def name_part(type: Scalar) -> str:
    """The name of a type as a part of an identifier: ``UnsignedLong``."""
    return type.name.title().replace(" ", "")


def is_big(type: Type) -> bool:
    """Whether values of the type are BigInts."""
    return type in (LONG, UNSIGNED_LONG)


# ------------------------------------------------------------------------------------------------------- literals


def literal(constant: Constant) -> Term:
    """``5``, ``5n``, ``-0.5``, ``true``, ``"text"``"""
    value = normalised(constant.type, constant.value)
    if isinstance(value, bool):
        return Term("true" if value else "false")
    if isinstance(value, str):
        return Term(json.dumps(value))
    if isinstance(value, int):
        return _number(value, constant.type)
    if math.isnan(value):
        return Term("NaN")
    text = repr(value).replace("inf", "Infinity")
    return Term(text, PREFIX if text.startswith("-") else "")


def _number(value: int, type: Scalar) -> Term:
    return Term(f"{value}n" if is_big(type) else str(value), PREFIX if value < 0 else "")


# ------------------------------------------------------------------------------------------------------- wrapping


def _needs_wrapping(application: Application) -> bool:
    """Whether the exact expression may have a value outside of the result type."""
    op, type = application.op, application.types[0]
    row = OPERATIONS[op]
    if row.is_effect or row.kind in ("comparison", "conversion"):
        return False
    if is_float(type):
        return type is FLOAT and row.form == "infix"
    if type is UNSIGNED and row.kind == "bitwise":
        return True  # these operators of JavaScript have signed results
    if (op == "*" and type is INT) or (op == "abs" and is_big(type)):
        return False  # `Math.imul` and `absLong` wrap
    return is_integer(type) and wraps(op, type)


def _wrapped(term: Term, type: Scalar) -> Term:
    if type is INT:
        return infix("|", [term, Term("0")])
    if type is UNSIGNED:
        return infix(">>", [term, Term("0")], ">>>")
    return call("Math.fround" if type is FLOAT else f"to{name_part(type)}", [term])


def _in_range(type: Scalar) -> str:
    """The expression for the integer of the type that is congruent to `n`."""
    if is_big(type):
        return f"BigInt.as{'Int' if type.signed else 'Uint'}N(64, n)"
    if type.bits == 32:
        return "n | 0" if type.signed else "n >>> 0"
    rest = 32 - type.bits
    return f"(n << {rest}) >> {rest}" if type.signed else f"n & {range_of(type)[1]}"


# ---------------------------------------------------------------------------------------------------------- table

_Write = Callable[[Application], Term]


def _infix(symbol: str) -> _Write:
    return lambda application: infix(application.op, application.operands, symbol)


def _prefix(symbol: str) -> _Write:
    return lambda application: prefix(symbol, *application.operands)


def _product(application: Application) -> Term:
    is_32_bits = application.result in (INT, UNSIGNED)  # the exact product need not be exact as a double
    return call("Math.imul", application.operands) if is_32_bits else infix("*", application.operands)


def _division(function: str) -> _Write:
    def write(application: Application) -> Term:
        if is_float(application.result):
            return infix(application.op, application.operands)
        return call(f"{function}{name_part(application.result)}", application.operands)

    return write


def _bitwise(on_bools: str) -> _Write:
    """An operator on integers; on `bool`, a function, for which both operands are evaluated."""

    def write(application: Application) -> Term:
        if application.result is BOOL:
            return call(on_bools, application.operands)
        return infix(application.op, application.operands)

    return write


def _exclusive_or(application: Application) -> Term:
    is_logical = application.result is BOOL
    return infix("!=", application.operands, "!==") if is_logical else infix("^", application.operands)


def _shift(application: Application) -> Term:
    fills_with_zeros = application.op == ">>" and application.result is UNSIGNED
    operands = [application.operands[0], _shift_count(application)]
    return infix(application.op, operands, ">>>" if fills_with_zeros else application.op)


def _shift_count(application: Application) -> Term:
    """The count modulo the width of the shifted type. JavaScript's operators on 32 bits reduce it themselves."""
    type, count_type, term = application.result, application.types[1], application.operands[1]
    mask = type.bits - 1
    if constant := application.constants[1]:
        return _number(int(constant.value) & mask, type)
    if type.bits != 32 or is_big(count_type):
        term = infix("&", [term, _number(mask, count_type)])
    if is_big(type) == is_big(count_type):
        return term
    return call("BigInt" if is_big(type) else "Number", [term])


def _absolute(application: Application) -> Term:
    if is_integer(application.result) and not application.result.signed:
        return application.operands[0]
    return call("absLong" if is_big(application.result) else "Math.abs", application.operands)


def _conversion(application: Application) -> Term:
    (source,), target, (operand,) = application.types, application.result, application.operands
    if target is BOOL:
        return operand if source is BOOL else infix("!=", [operand, _number(0, source)], "!==")
    if source is BOOL:
        return call("BigInt" if is_big(target) else "Number", [operand])
    if is_float(target):
        return _as_float(source, target, operand)
    if is_float(source):
        return call(f"truncateTo{name_part(target)}", [operand])
    return _as_integer(source, target, operand)


def _as_float(source: Scalar, target: Scalar, operand: Term) -> Term:
    if target is DOUBLE:
        return call("Number", [operand]) if is_big(source) else operand
    if source is FLOAT:
        return operand
    return call("nearestFloat" if is_big(source) else "Math.fround", [operand])


def _as_integer(source: Scalar, target: Scalar, operand: Term) -> Term:
    is_contained = contains(target, source)
    if is_big(target):
        big = operand if is_big(source) else call("BigInt", [operand])
        return big if is_contained else _wrapped(big, target)
    if is_big(source):
        cut = f"BigInt.as{'Int' if target.signed else 'Uint'}N"
        return call("Number", [call(cut, [Term(str(target.bits)), operand])])
    return operand if is_contained else _wrapped(operand, target)


def _effect(application: Application) -> Term:
    return call(application.op, application.operands)


_EXACT = for_every_operation(
    "the JavaScript emitter",
    {
        "+": _infix("+"),
        "-": _infix("-"),
        "*": _product,
        "/": _division("divide"),
        "%": _division("remainder"),
        "&": _bitwise("both"),
        "|": _bitwise("either"),
        "^": _exclusive_or,
        "<<": _shift,
        ">>": _shift,
        "==": _infix("==="),
        "!=": _infix("!=="),
        "<": _infix("<"),
        "<=": _infix("<="),
        ">": _infix(">"),
        ">=": _infix(">="),
        "neg": _prefix("-"),
        "~": _prefix("~"),
        "!": _prefix("!"),
        "abs": _absolute,
        CONVERT: _conversion,
        "puts": _effect,
        "putchar": _effect,
        "eprint": _effect,
    },
    EXCEPT_PRINTF,
)
"""How each operation is written, with an exact result where JavaScript has one."""


# --------------------------------------------------------------------------------------------------------- printf


def _converted(statement: Statement, operands: Sequence[Term]) -> Term:
    (source,) = (operand.type for operand in statement.operands)
    assert isinstance(source, Scalar)
    return expression(Application(statement.op, [source], statement.type, operands, [None]))


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``selectFormat(format, new Map([["%d", () => printf(a)]]))``"""
    cases = [Group("[", [each.piece, wrapped("() => ", code.piece)], "]") for each, code in printed]
    return call("selectFormat", [format, Term(Group("new Map([", [*cases], "])"))])


PRINTING = Printing(
    call=lambda words, operands: call(camel_case(words), operands),
    literal=literal,
    converted=_converted,
    decimal=lambda _, term: term,
    printed=lambda texts: call("printf", texts),
    selected=_selected,
)


# -------------------------------------------------------------------------------------------------------- runtime


def _facts(type: Scalar) -> Facts:
    suffix = "n" if is_big(type) else ""
    return {
        **usual_facts(type, name_part(type)),
        "NAME": type.name,
        "KIND": "BigInt" if is_big(type) else "Number",
        "HIGHEST": f"{range_of(type)[1]}{suffix}",
        "WRAPPED": _in_range(type),
    }


OPERATIONS_FILES = "javascript/runtime.js", "javascript/printf.js"
"""The files with the functions that the code of functions calls."""

_RUNTIME_FILES = (*OPERATIONS_FILES, "javascript/numbers.js")

PRELUDE = Prelude(
    ("javascript/node.js", *_RUNTIME_FILES),
    definition=re.compile(r"^(?:const|let|function|class) (\w+)", re.MULTILINE),
    words=re.compile(r'//.*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|([A-Za-z_$][\w$]*)'),
    facts=_facts,
)


@cache
def interpreter_runtime() -> str:
    """The runtime as a script for an interpreter, which defines the functions `write` and `writeError`.

    Besides the runtime's functions there are `OPERATIONS`, the functions that compute the primitives, by signature;
    `EFFECTS`, by name; and by the names of types `INTEGERS`, the conversions to JavaScript's representation, and
    `READERS`, the functions from a text to a value. Raises `IncompleteTable` if the runtime lacks an effect.
    """
    pieces = {name: piece for file in _RUNTIME_FILES for name, piece in PRELUDE.pieces_of(file).items()}
    effects = for_every_operation("the JavaScript runtime", {name: name for name in EFFECTS if name in pieces}, EFFECTS)
    data = [type for type in SCALARS.values() if is_data(type)]
    tables = [
        _table("OPERATIONS", {_signature(each): _function(each) for each in _applications(data)}),
        _table("EFFECTS", effects),
        _table("INTEGERS", {type.name: _facts(type)["KIND"] for type in data if is_integer(type)}),
        _table("READERS", {type.name: reader(type) for type in [*data, STRING]}),
    ]
    return "\n\n".join([*dict.fromkeys(pieces.values()), *tables]) + "\n"


def reader(type: Scalar) -> str:
    """The name of the function from a word of the command line to a value of the type."""
    return f"read{name_part(type)}"


def _applications(types: Sequence[Scalar]) -> Iterator[Application]:
    """Every primitive applied to operands ``a`` and ``b`` of all types that it takes."""
    for source, target in product(types, types):
        yield Application(CONVERT, [source], target, [Term("a")], [None])
    for op, count in product(PRIMITIVES, (1, 2)):
        for operands in product(types, repeat=count):
            if result := result_type(op, operands):
                yield Application(op, operands, result, [Term("a"), Term("b")][:count], [None] * count)


def _signature(application: Application) -> str:
    """``+(int, int): int``"""
    return f"{application.op}({', '.join(type.name for type in application.types)}): {application.result.name}"


def _function(application: Application) -> str:
    parameters = "(a, b)" if len(application.operands) > 1 else "(a)"
    return f"{parameters} => {on_one_line(expression(application).piece)}"


def _table(name: str, entries: Mapping[str, str]) -> str:
    lines = [f"  {json.dumps(key)}: {value},\n" for key, value in entries.items()]
    return f"const {name} = {{\n{''.join(lines)}}};"
