"""The JavaScript target: a continuation is a local function, a transfer returns the next step to a trampoline.

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

JavaScript has closures, but no tail calls, so that direct calls would overflow the stack. Each function therefore
returns the next step, a function without parameters, and a loop (`run` in ``node.js``) calls one step after another.
Every program can be written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from cpsconv.abi.javascript import NO_NAMES
from cpsconv.core import ir
from cpsconv.core.text.layout import Group, Piece, on_one_line, wrapped
from cpsconv.targets.functional.completeness import require_calls, require_functions
from cpsconv.targets.functional.definition import OnRecords
from cpsconv.targets.functional.file import Language, Start
from cpsconv.targets.functional.identifiers import Spelling, camel_case
from cpsconv.targets.functional.javascript import operations as js
from cpsconv.targets.functional.memory import Definitions, MemoryPlan
from cpsconv.targets.functional.nesting_plan import LiftedGroup
from cpsconv.targets.functional.terms import Line, Term, call, indented, list_of, text_of
from cpsconv.targets.functional.writer import Layer, Writer

_RESERVED = NO_NAMES.union(
    "Array BigInt Buffer Error Infinity Math NaN Number Object RangeError String fs process require".split()  # noqa: SIM905
)
"""Names that functions and values must not have, in addition to those of the runtime."""

_LOCALS = Spelling(_RESERVED.union(*map(js.PRELUDE.pieces_of, js.OPERATIONS_FILES), ir.EXTERNALS))

_HEADER = """\
// Made by cpsconv. To run it: node FILE
"use strict";
const fs = require("node:fs");"""


class _JavaScriptWriter(Writer[Term, list[Line]]):
    """Writes the JavaScript definitions of one function."""

    terms = js.PRINTING

    # ------------------------------------------------------------------------------------------------- functions

    def definition(self, member: ir.Continuation, body: list[Line]) -> list[Line]:
        """``function k(a) { body }``"""
        return _function(self.names[member], self.named(member.parameters), body)

    def lifted(self, group: LiftedGroup, inside: Sequence[list[Line]]) -> list[Line]:
        """``function f_k(x) { function k1() {…} … return [k1, k2]; }``"""
        returned = Line(Group("return [", [*self.named(group.members)], "];"))
        return _function(self.names[group], self.named(group.free), [*chain(*inside), returned])

    def lifted_call(self, group: LiftedGroup) -> list[Line]:
        """``const [k1, k2] = f_k(x);``"""
        created = call(self.names[group], map(Term, self.named(group.free)))
        return [Line(wrapped(f"const [{', '.join(self.named(group.members))}] = ", created.piece, ";"))]

    def body(self, layers: list[Layer], inside: Sequence[list[Line]], transfer: ir.Transfer) -> list[Line]:
        """The statements, the local functions after the bindings that they may use, and the next step."""
        *before, last = ([*self._statements(layer)] for layer in layers)
        bindings = len(layers[-1].bindings)
        return [*chain(*before), *last[:bindings], *chain(*inside), *last[bindings:], *self._transfer(transfer)]

    def _statements(self, layer: Layer) -> Iterator[Line]:
        for statement in layer.bindings:
            yield Line(wrapped(f"const {self.names[statement]} = ", self.operation(statement).piece, ";"))
        for effect in layer.effects:
            yield Line(wrapped("", self.operation(effect).piece, ";"))

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: ir.Transfer) -> list[Line]:
        if isinstance(transfer, ir.Jump):
            return [_returned(self._step(transfer.edge))]
        if isinstance(transfer, ir.Call):
            return self._call(transfer)
        if isinstance(transfer, ir.Branch):
            then, otherwise = self._step(transfer.then), self._step(transfer.otherwise)
            items = [self.used(transfer.condition).piece, wrapped("? ", then), wrapped(": ", otherwise)]
            return [_returned(Group("", items, "", separator="", bracketed=False))]
        assert isinstance(transfer, ir.Switch)
        return self._switch(transfer)

    def _step(self, edge: ir.Edge) -> Piece:
        """``() => k(a)``; ``k`` itself if it has no parameters."""
        target = self.value(edge.target)
        if not edge.arguments:
            return target.piece
        return _thunk(call(on_one_line(target.piece), map(self.value, edge.arguments)).piece)

    def _call(self, transfer: ir.Call) -> list[Line]:
        """``return () => f(x, k);`` or ``return () => f(x, (a) => { body });``"""
        then = transfer.then.target
        arguments, callee = self.arguments(transfer), self.callee(transfer)
        if then not in self.inlined:
            return [_returned(_thunk(call(on_one_line(callee.piece), [*arguments, self.value(then)]).piece))]
        assert isinstance(then, ir.Continuation)
        items = [argument.piece for argument in arguments]
        head = f"({', '.join(self.named(then.parameters))}) => {{"
        opening = Group(f"return () => {on_one_line(callee.piece)}(", [*items, head], "")
        return [Line(opening), *indented(self.inlined[then]), Line("});")]

    def _switch(self, transfer: ir.Switch) -> list[Line]:
        """``switch (x) { case 1: return k; … default: return () => k2(a); }``"""
        suffix = "n" if js.is_big(transfer.value.type) else ""
        labelled = [(f"case {case.value}{suffix}:", edge) for case, edge in transfer.arms]
        labelled.append(("default:", transfer.default))
        steps = [line for label, edge in labelled for line in (Line(label, 1), _returned(self._step(edge), 2))]
        return [Line(wrapped("switch (", self.used(transfer.value).piece, ") {")), *steps, Line("}")]

    def computed(self, statement: ir.Statement) -> Term:
        """``(a + b) | 0``, ``putchar(a)``"""
        return js.expression(statement, [*map(self.used, statement.operands)])


def _function(name: str, parameters: Sequence[str], body: Sequence[Line]) -> list[Line]:
    head = call(f"function {name}", map(Term, parameters))
    return [Line(wrapped("", head.piece, " {")), *indented(body), Line("}")]


def _returned(step: Piece, depth: int = 0) -> Line:
    return Line(wrapped("return ", step, ";"), depth)


def _thunk(piece: Piece) -> Piece:
    return wrapped("() => ", piece)


_MEMORY = Definitions(
    js.PRINTING, lambda type: call("new Type", map(Term, js.type_arguments(type))), lambda values: Term(list_of(values))
)


def _definitions(plan: MemoryPlan, names: Mapping[Any, str]) -> list[Line]:
    """``const int = new Type("int", 4, "Int32");`` and so on, a line each."""
    return [Line(wrapped(f"const {name} = " if name else "", value.piece, ";")) for name, value in _MEMORY(plan, names)]


def _start(start: Start) -> list[Line]:
    """``run(() => main(halt));``, or ``start(f, [readInt], [reportInteger]);``"""
    end = start.end_names(camel_case)
    if not start.types:
        return [Line(f"run(() => {start.name}({', '.join(end)}));")]
    readers = Group("[", [*map(js.reader, start.types)], "]")
    return [Line(Group("start(", [start.name, readers, f"[{', '.join(end)}]"], ");"))]


javascript = Language(
    name="JavaScript",
    header=_HEADER,
    prelude=js.PRELUDE,
    locals=_LOCALS,
    writer=_JavaScriptWriter,
    laid_out=text_of,
    start=_start,
    lacking=js.LACKING,
    unspelled=js.UNSPELLED,
).supporting_memory(js.PRELUDE_WITH_MEMORY, js.PRELUDE_WITH_MEMORY.pieces_of(js.MEMORY_FILE), _definitions)


class _OnRecords(OnRecords[Term, list[Line]], _JavaScriptWriter):
    """Writes the functions of the definition of memory."""

    def field(self, record: Term, field: ir.Field) -> Term:
        """``r.isSingle``; of an integer type with 64 bits, ``BigInt(r.size)``"""
        value = self._field(record, field)
        return call("BigInt", [value]) if field.type is ir.UNSIGNED_LONG else value

    def _field(self, record: Term, field: ir.Field) -> Term:
        return Term(f"{on_one_line(record.piece)}.{camel_case(field.name.split('_'))}")

    def changed(self, record: Term, field: ir.Field, value: Term) -> Term:
        """``r.end = line``"""
        return Term(wrapped(f"{on_one_line(self._field(record, field).piece)} = ", value.piece))


DEFINITION = replace(javascript, writer=_OnRecords, prelude=js.PRELUDE_WITH_MEMORY)
"""The language for the functions of the definition of memory."""

require_functions(javascript, js.expression, _RESERVED)
require_calls("JavaScript", js.PRELUDE_WITH_MEMORY)
