"""The program in JavaScript: a continuation is a local function, a transfer the next step for a trampoline.

::

    function f(x, ret) {
      function then() {
        return () => next(23);
      }
      function else_() {
        return () => next(42);
      }
      function next(a) {
        return () => ret(a);
      }
      return x === 0 ? then : else_;
    }

JavaScript has functions as values and closures, but no tail calls: each call would wait for the next one, and the stack
would overflow. So a function returns what comes next, as a function without parameters, instead of calling it, and a
loop (`run`, in the prelude ``javascript.js``) goes from step to step. No program is refused for what it does.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from cpsconv.emit.functional.file import Language, Start
from cpsconv.emit.functional.identifiers import Spelling, camel_case
from cpsconv.emit.functional.nesting_plan import LiftedGroup
from cpsconv.emit.functional.prelude import Facts, Prelude, usual_facts
from cpsconv.emit.functional.terms import PREFIX, Line, Term, call, indented, infix, prefix, text_of
from cpsconv.emit.functional.writer import Layer, Writer
from cpsconv.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Effect,
    Jump,
    Primitive,
    Program,
    Scalar,
    Statement,
    Switch,
    Transfer,
    Type,
    Undef,
    Value,
)
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import CONVERT
from cpsconv.operations.types import contains, range_of
from cpsconv.text.layout import Group, Piece, wrapped

# ---------------------------------------------------------------------------------------------------------- words


def _camel(type: Scalar) -> str:
    """The name of a type as a part of one word."""
    return type.name.title().replace(" ", "")


def _is_big(type: Type) -> bool:
    """Whether values of the type are BigInts."""
    return type in (LONG, UNSIGNED_LONG)


def _facts(type: Scalar) -> Facts:
    return {
        **usual_facts(type, _camel(type)),
        "NAME": type.name,
        "KIND": "BigInt" if _is_big(type) else "Number",
        "HIGHEST": f"{range_of(type)[1]}{'n' * _is_big(type)}",
        "WRAPPED": _in_range(type),
    }


def _in_range(type: Scalar) -> str:
    """The integer of the type that is congruent to `n`."""
    if _is_big(type):
        return f"BigInt.as{'Int' if type.signed else 'Uint'}N(64, n)"
    if type.bits == 32:
        return "n | 0" if type.signed else "n >>> 0"
    rest = 32 - type.bits
    return f"(n << {rest}) >> {rest}" if type.signed else f"n & {range_of(type)[1]}"


_OPERATIONS = "javascript/javascript.js"

_PRELUDE = Prelude(
    ("javascript/node.js", _OPERATIONS, "javascript/numbers.js", "javascript/printf.js"),
    definition=re.compile(r"^(?:const|let|function|class) (\w+)", re.MULTILINE),
    words=re.compile(r'//.*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|([A-Za-z_$][\w$]*)'),
    facts=_facts,
)

_KEYWORDS = frozenset(
    """arguments await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if implements import in instanceof interface let new null package private protected
    public return static super switch this throw true try typeof undefined var void while with yield
    Array BigInt Buffer Error Infinity Math NaN Number Object RangeError String fs process require""".split()  # noqa: SIM905
)
"""What no function of ours can be called, the names of the prelude apart."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]|^(?=[0-9])")
_LOCALS = Spelling(_ILLEGAL, _KEYWORDS.union(_PRELUDE.pieces_of(_OPERATIONS), ["nearestFloat"]), "_")
_GLOBALS = Spelling(_ILLEGAL, _KEYWORDS.union(_PRELUDE.pieces), "_")

_HEADER = """\
// Made by cpsconv. To run it: node FILE
"use strict";
const fs = require("node:fs");"""


def javascript(program: Program, *, width: int = 80) -> str:
    """The program as a JavaScript file for Node: see `Language.text_of`."""
    return _JAVASCRIPT.text_of(program, width)


class _JavaScriptWriter(Writer[Term, list[Line]]):
    """Writes one function."""

    # ------------------------------------------------------------------------------------------------- functions

    def definition(self, member: Continuation, body: list[Line]) -> list[Line]:
        """``function k(a) { body }``"""
        return _function(self.names[member], self.named(member.parameters), body)

    def lifted(self, group: LiftedGroup, inside: Sequence[list[Line]]) -> list[Line]:
        """``function f_k(x) { function k1() {…} … return [k1, k2]; }``"""
        made = Line(Group("return [", [*self.named(group.members)], "];"))
        return _function(self.lifted_names[group], self.named(group.free), [*chain(*inside), made])

    def lifted_call(self, group: LiftedGroup) -> list[Line]:
        """``const [k1, k2] = f_k(x);``"""
        made = ", ".join(self.named(group.members))
        made_by = call(self.lifted_names[group], map(Term, self.named(group.free)))
        return [Line(wrapped(f"const [{made}] = ", made_by.piece, ";"))]

    def body(self, layers: list[Layer], inside: Sequence[list[Line]], transfer: Transfer) -> list[Line]:
        """Statements, and with those of the last layer the functions that may use them; then what comes next."""
        *before, last = ([*self._statements(layer)] for layer in layers)
        bindings = len(layers[-1].bindings)
        return [*chain(*before), *last[:bindings], *chain(*inside), *last[bindings:], *self._transfer(transfer)]

    def _statements(self, layer: Layer) -> Iterator[Line]:
        for statement in layer.bindings:
            yield Line(wrapped(f"const {self.names[statement]} = ", self.operation(statement).piece, ";"))
        for effect in layer.effects:
            yield Line(wrapped("", self.operation(effect).piece, ";"))

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: Transfer) -> list[Line]:
        if isinstance(transfer, Jump):
            return [_returned(self._step(transfer.edge))]
        if isinstance(transfer, Call):
            return self._call(transfer)
        if isinstance(transfer, Branch):
            then, otherwise = self._step(transfer.then), self._step(transfer.otherwise)
            items = [self.used(transfer.condition).piece, wrapped("? ", then), wrapped(": ", otherwise)]
            return [_returned(Group("", items, "", separator="", bracketed=False))]
        return self._switch(transfer)

    def _step(self, edge: Edge) -> Piece:
        """``() => k(a)``, or ``k`` itself if it takes nothing."""
        target = self.value(edge.target)
        if not edge.arguments:
            return target.piece
        return _thunk(call(_word(target), map(self.value, edge.arguments)).piece)

    def _call(self, transfer: Call) -> list[Line]:
        """``return () => f(x, k);`` or ``return () => f(x, (a) => { body });``"""
        then = transfer.then.target
        arguments = [self.value(argument) for argument in transfer.arguments]
        if then not in self.inlined:
            return [_returned(_thunk(call(self.names[transfer.callee], [*arguments, self.value(then)]).piece))]
        assert isinstance(then, Continuation)
        items = [argument.piece for argument in arguments]
        head = f"({', '.join(self.named(then.parameters))}) => {{"
        opening = Group(f"return () => {self.names[transfer.callee]}(", [*items, head], "")
        return [Line(opening), *indented(self.inlined[then]), Line("});")]

    def _switch(self, transfer: Switch) -> list[Line]:
        """``switch (x) { case 1: return k; … default: return () => k2(a); }``"""
        suffix = "n" if _is_big(transfer.value.type) else ""
        cases = zip(transfer.cases, transfer.targets, strict=True)
        labelled = [(f"case {case}{suffix}:", edge) for case, edge in cases] + [("default:", transfer.default)]
        ways = [line for label, edge in labelled for line in (Line(label, 1), _returned(self._step(edge), 2))]
        return [Line(wrapped("switch (", self.used(transfer.value).piece, ") {")), *ways, Line("}")]

    # ----------------------------------------------------------------------------------------------------- terms

    def literal(self, constant: Constant) -> Term:
        """``5``, ``5n``, ``-0.5``, ``true``, ``"text"``"""
        return _literal(constant)

    def undefined(self, value: Undef) -> Term:
        """JavaScript has a value for that."""
        return Term("undefined")

    def name(self, name: str) -> Term:
        """A name by itself."""
        return Term(name)

    def checked(self, term: Term) -> Term:
        """``defined(x)``"""
        return call("defined", [term])

    def operation(self, statement: Statement) -> Term:
        """``(a + b) | 0``, ``printf("%d", a)``"""
        if isinstance(statement, Effect):
            return self._effect(statement)
        op, type = statement.op, statement.operands[0].type
        assert isinstance(type, Scalar)
        if op == CONVERT:
            written = self._modular if _is_cut(type, statement.type) else self.used
            return _converted(type, statement.type, written(statement.operands[0]))
        if op in _COMPARISONS:
            return infix(op, [*map(self.used, statement.operands)], _COMPARISONS[op])
        if type is BOOL:
            return _on_bools(op, [*map(self.used, statement.operands)])
        if type.kind == "float":
            return _on_floats(op, type, [*map(self.used, statement.operands)])
        return self._on_integers(statement, type)

    def _effect(self, effect: Effect) -> Term:
        """``printf("%d", a)``. Where the format is no constant, what a number is must show (see ``printf.js``)."""
        is_known = effect.op != "printf" or isinstance(effect.operands[0], Constant)
        written = _promoted if is_known else _told_apart
        return call(effect.op, [written(operand, self.used(operand)) for operand in effect.operands])

    # -------------------------------------------------------------------------------------------------- integers

    def _on_integers(self, primitive: Primitive, type: Scalar) -> Term:
        op = primitive.op
        if op in _DIVISIONS:
            return call(f"{_DIVISIONS[op]}{_camel(type)}", map(self.used, primitive.operands))
        if op == "abs" and not type.signed:
            return self.used(primitive.operands[0])
        exact = self._exact(primitive, type)
        return exact if _stays_in_range(op, type) else _wrapped(exact, type)

    def _exact(self, primitive: Primitive, type: Scalar) -> Term:
        """The result as if its type had no bounds; or, of operators that JavaScript has for 32 bits, in these."""
        op = primitive.op
        if op in ("<<", ">>"):
            counted = _count(primitive.operands[1], self.used(primitive.operands[1]), type)
            return infix(op, [self._modular(primitive.operands[0]), counted], ">>>" if _is_logical(op, type) else op)
        operands = [*map(self._modular if op in _MODULAR else self.used, primitive.operands)]
        if op == "*" and type in (INT, UNSIGNED):
            return call("Math.imul", operands)
        if op == "abs":
            return call("absLong" if _is_big(type) else "Math.abs", operands)
        return prefix(_PREFIXES[op], *operands) if op in _PREFIXES else infix(op, operands)

    def _modular(self, value: Value) -> Term:
        """The value, or a number that is congruent to it modulo 2^32 where that is shorter: a sum that is not wrapped.

        It is exact as a double: no sum in place has more than 2^16 operands (see `cpsconv.text.plan`).
        """
        is_sum = isinstance(value, Primitive) and value in self.text_plan.in_place and value.op in ("+", "-", "neg")
        if is_sum and value.type in (INT, UNSIGNED):
            assert isinstance(value, Primitive)
            return self._exact(value, value.type)
        return self.used(value)


def _function(name: str, parameters: Sequence[str], body: Sequence[Line]) -> list[Line]:
    head = call(f"function {name}", map(Term, parameters))
    return [Line(wrapped("", head.piece, " {")), *indented(body), Line("}")]


def _returned(step: Piece, depth: int = 0) -> Line:
    return Line(wrapped("return ", step, ";"), depth)


def _thunk(piece: Piece) -> Piece:
    return wrapped("() => ", piece)


def _word(term: Term) -> str:
    assert isinstance(term.piece, str)
    return term.piece


# ----------------------------------------------------------------------------------------------------- operations

_COMPARISONS = {"==": "===", "!=": "!==", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_DIVISIONS = {"/": "divide", "%": "remainder"}
_PREFIXES = {"neg": "-", "~": "~", "!": "!"}
_MODULAR = frozenset(["+", "-", "neg", "*", "&", "|", "^", "~"])
"""On 32 bits, what gives the same modulo 2^32 if that is so of its operands; as written here, even the product."""


def _on_bools(op: str, operands: Sequence[Term]) -> Term:
    if op == "!":
        return prefix(op, *operands)
    if op == "^":
        return infix("!=", operands, "!==")
    return call("both" if op == "&" else "either", operands)


def _on_floats(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if op == "neg":
        return prefix("-", *operands)
    if op == "abs":
        return call("Math.abs", operands)
    exact = infix(op, operands)
    return exact if type is DOUBLE else call("Math.fround", [exact])


def _stays_in_range(op: str, type: Scalar) -> bool:
    """Whether `_exact` gives a value of the type."""
    if op in ("&", "|", "^"):
        return type is not UNSIGNED
    if op == "~":
        return type.signed
    return op == ">>" or (op == "*" and type is INT) or (op == "abs" and _is_big(type))


def _is_logical(op: str, type: Scalar) -> bool:
    """Whether it is a shift that fills with zeros even if the number is negative for JavaScript."""
    return op == ">>" and type is UNSIGNED


def _wrapped(term: Term, type: Scalar) -> Term:
    if type is INT:
        return infix("|", [term, Term("0")])
    if type is UNSIGNED:
        return infix(">>", [term, Term("0")], ">>>")
    return call(f"to{_camel(type)}", [term])


def _count(value: Value, term: Term, type: Scalar) -> Term:
    """A shift count modulo the width of the type. Of 32 bits, JavaScript does that by itself."""
    mask = type.bits - 1
    if isinstance(value, Constant):
        return _number(int(value.value) & mask, type)
    assert isinstance(value.type, Scalar)
    is_masked = type.bits == 32 and not _is_big(value.type)
    masked = term if is_masked else infix("&", [term, _number(mask, value.type)])
    if _is_big(type) == _is_big(value.type):
        return masked
    return call("BigInt" if _is_big(type) else "Number", [masked])


def _converted(source: Scalar, target: Scalar, operand: Term) -> Term:
    if target is BOOL:
        return operand if source is BOOL else infix("!=", [operand, _number(0, source)], "!==")
    if source is BOOL:
        return call("BigInt" if _is_big(target) else "Number", [operand])
    if target.kind == "float":
        return _as_float(source, target, operand)
    if source.kind == "float":
        return call(f"truncateTo{_camel(target)}", [operand])
    return _as_integer(source, target, operand)


def _is_cut(source: Scalar, target: Scalar) -> bool:
    """Whether only the lower bits of a number of 32 bits are of interest, and the conversion takes these."""
    return source in (INT, UNSIGNED) and target is not source and target.kind == "integer" and target.bits <= 32


def _as_float(source: Scalar, target: Scalar, operand: Term) -> Term:
    if target is DOUBLE:
        return call("Number", [operand]) if _is_big(source) else operand
    if source is FLOAT:
        return operand
    return call("nearestFloat" if _is_big(source) else "Math.fround", [operand])


def _as_integer(source: Scalar, target: Scalar, operand: Term) -> Term:
    is_contained = contains(target, source)
    if _is_big(target):
        big = operand if _is_big(source) else call("BigInt", [operand])
        return big if is_contained else _wrapped(big, target)
    if _is_big(source):
        cut = f"BigInt.as{'Int' if target.signed else 'Uint'}N"
        return call("Number", [call(cut, [Term(str(target.bits)), operand])])
    return operand if is_contained else _wrapped(operand, target)


def _promoted(value: Value, operand: Term) -> Term:
    """An argument of printf, for which a `bool` is an integer."""
    return call("Number", [operand]) if value.type is BOOL else operand


def _told_apart(value: Value, operand: Term) -> Term:
    """An argument of printf that is an integer or a double for all to see."""
    assert isinstance(value.type, Scalar)
    if value.type.kind == "float":
        return call("Object", [operand])
    return operand if value.type is STRING or _is_big(value.type) else call("BigInt", [operand])


# ------------------------------------------------------------------------------------------------------- literals


def _literal(constant: Constant) -> Term:
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
    return Term(f"{value}n" if _is_big(type) else str(value), PREFIX if value < 0 else "")


# ---------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> list[Line]:
    """``run(() => main(halt));``, or ``start(f, [readInt], [reportInteger]);``"""
    end = start.end_names(camel_case)
    if not start.types:
        return [Line(f"run(() => {start.name}({', '.join(end)}));")]
    readers = Group("[", [*map(_reader, start.types)], "]")
    return [Line(Group("start(", [start.name, readers, f"[{', '.join(end)}]"], ");"))]


def _reader(type: Scalar) -> str:
    """The function from a word of the command line to a value."""
    return "readSingle" if type is FLOAT else f"read{_camel(type)}"


_JAVASCRIPT = Language(
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    globals=_GLOBALS,
    writer=_JavaScriptWriter,
    laid_out=text_of,
    start=_start,
)
