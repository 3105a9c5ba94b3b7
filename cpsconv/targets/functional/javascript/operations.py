"""JavaScript expressions for the operations, and the runtime that they call.

Emitted programs contain these expressions; the page evaluates them with the same runtime. Integers of up to 32 bits and
floating numbers are numbers, larger integers BigInts, and a string has one character for each byte.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from cpsconv.abi.prototypes import PROVIDED
from cpsconv.core import ir
from cpsconv.core.operations.completeness import Unspelled, for_every_operation, for_every_type, primitives_on
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.python_formats import decimal_text
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import CONVERT, OPERATIONS, OUTPUTS, wraps
from cpsconv.core.operations.types import contains, is_data, is_float, is_integer, is_whole, range_of
from cpsconv.core.text.layout import Group, on_one_line, wrapped
from cpsconv.core.transform.expansion import faults
from cpsconv.targets.functional.definition import definition_of
from cpsconv.targets.functional.faults import Expressions, Function, checked
from cpsconv.targets.functional.identifiers import camel_case, type_name
from cpsconv.targets.functional.memory import CALLS
from cpsconv.targets.functional.prelude import Facts, Prelude, usual_facts
from cpsconv.targets.functional.printing import EXCEPT_PRINTF, CallPrinting
from cpsconv.targets.functional.terms import (
    PREFIX,
    Term,
    call,
    congruent,
    converted_types,
    infix,
    operand_type,
    prefix,
    wrapped_to,
)

_REPRESENTATIONS = for_every_type(
    "the JavaScript emitter",
    {
        **dict.fromkeys([ir.BOOL], "boolean"),
        **dict.fromkeys([ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR, ir.SHORT, ir.UNSIGNED_SHORT], "number"),
        **dict.fromkeys([ir.INT, ir.UNSIGNED, ir.FLOAT, ir.DOUBLE], "number"),
        **dict.fromkeys([ir.LONG, ir.UNSIGNED_LONG, ir.INT128, ir.UNSIGNED_INT128, ir.INTEGER, ir.PTR], "bigint"),
        ir.STRING: "string",
    },
    memory=True,
    unbounded=True,
    wide=True,
)
"""The JavaScript type of the values of each type."""

_WORDS = (ir.INT, ir.UNSIGNED)
"""The types of JavaScript's integer operators."""


def expression(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    """The JavaScript expression for the statement; its value is in the range of the result type.

    A sum of 32 bits that is an operand stays unwrapped where only its lowest bits matter. The sum is exact as a double,
    as a sum in place has at most 2^16 operands (see `cpsconv.core.text.plan`).
    """
    count = _unwrapped_operands(statement)
    operands = [*(congruent(each, ir.INT) for each in operands[:count]), *operands[count:]]
    exact = _EXACT[statement.op](statement, operands)
    if not _needs_wrapping(statement):
        return exact
    is_sum = statement.op in ("+", "-", "neg") and statement.type in _WORDS
    whole = _wrapped(exact, statement.type)
    return wrapped_to(statement.type, exact, whole) if is_sum else whole


def _unwrapped_operands(statement: ir.Statement) -> int:
    """The number of leading operands of which only the lowest 32 bits matter, so that they need no wrapping."""
    row, result = OPERATIONS[statement.op], statement.type
    if row.kind == "conversion":
        source = operand_type(statement)
        return int(source in _WORDS and result is not source and is_integer(result) and result.bits <= 32)
    if row.kind == "shift":
        return 1
    return len(statement.operands) if row.modular else 0


def name_part(type: ir.Scalar) -> str:
    """The name of a type as a part of an identifier: ``UnsignedLong``."""
    return type_name(type).title().replace("_", "")


def is_big(type: ir.Type) -> bool:
    """Whether values of the type are BigInts."""
    return isinstance(type, ir.Scalar) and _REPRESENTATIONS.get(type) == "bigint"


def type_arguments(type: ir.ObjectType) -> list[str]:
    """The arguments of `Type`; for a scalar, with the names of the functions of DataView that read and write it."""
    arguments = [json.dumps(str(type)), str(type.size)]
    if not isinstance(type, ir.Scalar):
        return arguments
    if type is ir.BOOL:
        return [*arguments, '"Uint8"', "Boolean"]
    if is_float(type):
        return [*arguments, f'"Float{type.bits}"']
    return [*arguments, f'"{"Big" if is_big(type) else ""}{"Int" if type.signed else "Uint"}{type.bits}"']


# ------------------------------------------------------------------------------------------------------- literals


def literal(constant: ir.Constant) -> Term:
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


def _number(value: int, type: ir.Scalar) -> Term:
    return Term(f"{decimal_text(value)}n" if is_big(type) else str(value), PREFIX if value < 0 else "")


# ------------------------------------------------------------------------------------------------------- wrapping


def _needs_wrapping(statement: ir.Statement) -> bool:
    """Whether the exact expression may have a value outside of the result type."""
    op, type = statement.op, operand_type(statement)
    row = OPERATIONS[op]
    if row.is_effect or row.kind in ("comparison", "conversion"):
        return False
    if is_float(type):
        return type is ir.FLOAT and (row.form == "infix" or row.kind == "mathematics")
    if type is ir.UNSIGNED and row.kind == "bitwise":
        return True  # these operators of JavaScript have signed results
    return is_integer(type) and wraps(op, type) and (op != "*" or type is not ir.INT)  # `Math.imul` wraps


def _wrapped(term: Term, type: ir.Scalar) -> Term:
    if type is ir.INT:
        return infix("|", [term, Term("0")])
    if type is ir.UNSIGNED:
        return infix(">>", [term, Term("0")], ">>>")
    return call("Math.fround" if type is ir.FLOAT else f"to{name_part(type)}", [term])


def _in_range(type: ir.Scalar) -> str:
    """The expression for the integer of the type that is congruent to `n`."""
    if is_big(type):
        return f"BigInt.as{'Int' if type.signed else 'Uint'}N({type.bits}, n)"
    rest = 32 - type.bits
    return f"(n << {rest}) >> {rest}" if type.signed else f"n & {range_of(type)[1]}"


# ---------------------------------------------------------------------------------------------------------- table

_Write = Callable[[ir.Statement, Sequence[Term]], Term]


def _function(name: str) -> _Write:
    return lambda _, operands: call(name, operands)


def _infix(symbol: str) -> _Write:
    return lambda statement, operands: infix(statement.op, operands, symbol)


def _prefix(symbol: str) -> _Write:
    return lambda _, operands: prefix(symbol, *operands)


def _operator_except_on(types: Collection[ir.Scalar], function: _Write) -> _Write:
    """The operator of the same name; on some types, a function."""

    def write(statement: ir.Statement, operands: Sequence[Term]) -> Term:
        return function(statement, operands) if statement.type in types else infix(statement.op, operands)

    return write


def _product(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    if statement.type is ir.INTEGER:
        return call("multiplyInteger", operands)
    write = _operator_except_on(_WORDS, _function("Math.imul"))  # the exact product may not be a double
    return write(statement, operands)


def _division(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    if faults(statement):
        return call(_name_of_division(statement), operands)
    return _unchecked_division(statement, operands)


def _name_of_division(statement: ir.Statement) -> str:
    return ("divide" if statement.op == "/" else "remainder") + name_part(statement.type)


def _unchecked_division(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    exact = infix(statement.op, operands)
    if is_big(statement.type) or is_float(statement.type):
        return exact
    return _wrapped(exact, ir.INT if statement.type.signed else ir.UNSIGNED)


def _shift(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    fills_with_zeros = statement.op == ">>" and statement.type is ir.UNSIGNED
    (value, term), count = operands, statement.operands[1]
    if isinstance(count, ir.Constant):
        term = _number(int(count.value), statement.type)
    elif is_big(statement.type) != is_big(count.type):
        term = call("BigInt" if is_big(statement.type) else "Number", [term])
    return infix(statement.op, [value, term], ">>>" if fills_with_zeros else statement.op)


def _absolute(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    return call("absInteger" if statement.type is ir.INTEGER else "Math.abs", operands)


def _conversion(statement: ir.Statement, operands: Sequence[Term]) -> Term:
    source, target = converted_types(statement)
    (operand,) = operands
    if source is target:
        return operand
    if source is ir.BOOL:
        return call("BigInt" if is_big(target) else "Number", [operand])
    if is_float(target):
        return _as_float(source, target, operand)
    if is_float(source):
        return call(f"truncateTo{name_part(target)}", [operand])
    return _as_integer(source, target, operand)


def _as_float(source: ir.Scalar, target: ir.Scalar, operand: Term) -> Term:
    if target is ir.DOUBLE:
        return call("Number", [operand]) if is_big(source) else operand
    if source is ir.FLOAT:
        return operand
    return call("nearestFloat" if is_big(source) else "Math.fround", [operand])


def _as_integer(source: ir.Scalar, target: ir.Scalar, operand: Term) -> Term:
    is_contained = target is ir.INTEGER or (source is not ir.INTEGER and contains(target, source))
    if is_big(target):
        big = operand if is_big(source) else call("BigInt", [operand])
        return big if is_contained else _wrapped(big, target)
    if is_big(source):
        cut = f"BigInt.as{'Int' if target.signed else 'Uint'}N"
        return call("Number", [call(cut, [Term(str(target.bits)), operand])])
    return operand if is_contained else _wrapped(operand, target)


LACKING = frozenset(["erf", "erfc", "tgamma", "lgamma", "fma"])
"""The functions of <math.h> that JavaScript lacks."""

_MATHEMATICS = {
    "copysign": "copySign",
    "exp2": "powerOfTwo",
    "fmod": "floatRemainder",
    "pow": "power",
    "round": "rounded",
}
"""The functions of the runtime for functions of <math.h> that differ from those of `Math`."""

_MATHEMATICS |= dict.fromkeys(LACKING, "lacking")

_EXACT = for_every_operation(
    "the JavaScript emitter",
    {
        **{op: _infix(op) for op in ("+", "-", "^", "<", "<=", ">", ">=")},
        "==": _infix("==="),
        "!=": _infix("!=="),
        "*": _product,
        "/": _division,
        "%": _division,
        "&": _operator_except_on([ir.BOOL], _function("both")),
        "|": _operator_except_on([ir.BOOL], _function("either")),
        "<<": _shift,
        ">>": _shift,
        "neg": _prefix("-"),
        "~": _prefix("~"),
        "!": _prefix("!"),
        "abs": _absolute,
        **{name: _function(_MATHEMATICS.get(name, f"Math.{name}")) for name in MATHEMATICS},
        CONVERT: _conversion,
        **{effect: _function(effect) for effect in ("puts", "putchar", "eprint")},
    },
    EXCEPT_PRINTF,
    expanded=True,
)
"""The function that writes each operation, with an exact result where JavaScript has one."""

UNSPELLED = Unspelled(_EXACT)


# --------------------------------------------------------------------------------------------------------- printf


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``selectFormat(format, new Map([["%d", () => printf(a)]]))``"""
    cases = [Group("[", [each.piece, wrapped("() => ", code.piece)], "]") for each, code in printed]
    return call("selectFormat", [format, Term(Group("new Map([", [*cases], "])"))])


_RENAMED = {"element": "elementAt"}
"""The functions of the runtime for operations whose own names the page uses otherwise."""

PRINTING = CallPrinting(
    call=lambda words, operands: call(_RENAMED.get(words[0], camel_case(words)), operands),
    literal=literal,
    undefined=lambda value: call("new Undefined", [Term(json.dumps(value.name))]),
    converted=expression,
    selected=_selected,
    absent="null",
)


# -------------------------------------------------------------------------------------------------------- runtime


def _facts(type: ir.Scalar) -> Facts:
    suffix = "n" if is_big(type) else ""
    return {
        **usual_facts(type, name_part(type)),
        "NAME": type.name,
        "KIND": "BigInt" if is_big(type) else "Number",
        "HIGHEST": f"{range_of(type)[1]}{suffix}",
        "WRAPPED": _in_range(type),
    }


_EXPRESSIONS = Expressions(expression, literal, Term, lambda term: on_one_line(term.piece), UNSPELLED)

_CHECKED = Function(
    "function {name}(a, b) {{", '  if ({condition}) throw new Fault("{message}");', "  return {result};\n}}"
)

OPERATIONS_FILES = "javascript/runtime.js", "javascript/printf.js"
"""The files with the functions that the code of functions calls."""

_RUNTIME_FILES = (*OPERATIONS_FILES, "javascript/numbers.js")

_KNOWN = frozenset(
    """ArrayBuffer BigInt DataView Map Number RangeError TextEncoder Uint8Array constructor super getBigInt128
    getBigUint128 setBigInt128 setBigUint128 e inf""".split()  # noqa: SIM905
)
"""Names of JavaScript, of methods that the prelude defines, and in its regular expressions, before parentheses."""

PRELUDE = Prelude(
    ("javascript/node.js", *_RUNTIME_FILES),
    definition=re.compile(r"^(?:const|let|function|class) (\w+)", re.MULTILINE),
    words=re.compile(r'//.*|/\*[\s\S]*?\*/|"[^"\n]*"|([A-Za-z_$][\w$]*)'),
    facts=_facts,
    written=checked(_REPRESENTATIONS, _EXPRESSIONS, _CHECKED, _name_of_division, _unchecked_division),
    called=re.compile(r"(?<!\.)(?<!function )\b([A-Za-z_$][\w$]*)\("),
    known=_KNOWN,
)

MEMORY_FILE = "javascript/memory.js"
"""The file with the operations on memory."""

PRELUDE_WITH_MEMORY = replace(
    PRELUDE, files=(*PRELUDE.files, MEMORY_FILE), generated=lambda: definition_of("javascript")
)


@cache
def interpreter_runtime() -> str:
    """The runtime as a script for an interpreter, which defines the functions `write`, `writeError`, `readInput`.

    Besides the runtime's functions there are `OPERATIONS`, the functions that compute the primitives, by signature;
    `EFFECTS`, `MEMORY`, the operations on memory, and `EXTERNALS`, by name; and by the names of types `TYPES`, the
    scalars in memory, `INTEGERS`, the conversions to JavaScript's representation, and `READERS`, the functions from a
    text to a value. Raises `IncompleteTable` if the runtime lacks an effect or an operation on memory.
    """
    pieces = replace(PRELUDE_WITH_MEMORY, files=(*_RUNTIME_FILES, MEMORY_FILE)).pieces
    effects = for_every_operation("the JavaScript runtime", {name: name for name in OUTPUTS if name in pieces}, OUTPUTS)
    on_memory = {op: name for op in CALLS if (name := _RENAMED.get(op, camel_case(op.split("_")))) in pieces}
    data = [type for type in ir.SCALARS.values() if is_data(type) and type is not ir.LONG_DOUBLE]
    stored, values = [*data, ir.PTR], [*data, ir.INTEGER]
    tables = [
        _table("OPERATIONS", {_signature(each): _source(each) for each in primitives_on([*values, ir.PTR], values)}),
        _table("EFFECTS", effects),
        _table("MEMORY", for_every_operation("the JavaScript runtime", on_memory, CALLS, memory=True)),
        _table("EXTERNALS", {name: name for name in sorted(PROVIDED)}),
        _table("TYPES", {type.name: f"new Type({', '.join(type_arguments(type))})" for type in stored}),
        _table("INTEGERS", {type.name: "BigInt" if is_big(type) else "Number" for type in values if is_whole(type)}),
        _table("READERS", {type.name: reader(type) for type in [*values, ir.STRING]}),
    ]
    return "\n\n".join([*dict.fromkeys(pieces.values()), *tables]) + "\n"


def reader(type: ir.Scalar) -> str:
    """The name of the function from a word of the command line to a value of the type."""
    return "readUnbounded" if type is ir.INTEGER else f"read{name_part(type)}"


def _signature(primitive: ir.Primitive) -> str:
    """``+(int, int): int``"""
    return f"{primitive.op}({', '.join(str(operand.type) for operand in primitive.operands)}): {primitive.type}"


def _source(primitive: ir.Primitive) -> str:
    names = [operand.name for operand in primitive.operands if isinstance(operand, ir.Parameter)]
    return f"({', '.join(names)}) => {_EXPRESSIONS.of(primitive)}"


def _table(name: str, entries: Mapping[str, str]) -> str:
    lines = [f"  {json.dumps(key)}: {value},\n" for key, value in entries.items()]
    return f"const {name} = {{\n{''.join(lines)}}};"
