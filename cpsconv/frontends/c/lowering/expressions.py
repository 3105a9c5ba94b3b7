"""The lowering of typed expressions to values, and of conditions to transfers.

The type of every value is decided: the lowering chooses operations only. A value of C's type `TRUTH` is a `bool` here;
its promotion to `int` is a conversion like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cpsconv.construction import Block, Variable
from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.constants import PREFIX_OPERATIONS
from cpsconv.frontends.c.types import UNKNOWN, VOID, converted_number
from cpsconv.ir import ABORT, BOOL, EXTERNALS, STRING, Constant, Function, Scalar, Undef, Value
from cpsconv.operations.table import EFFECTS
from cpsconv.operations.types import is_float
from cpsconv.source import Span
from cpsconv.trampoline import Computation, Step, after, run

POISON: Value = Undef(UNKNOWN.program, "unknown")
"""The value of an erroneous expression."""

_LOGICAL = {"&&": ("both", False, "and"), "||": ("either", True, "or")}
"""For each operator the name of its value, the value that the left operand decides, and the name of the right one."""


class Expressions:
    """Lowers expressions. The value of a `void` expression is None, of an erroneous one `POISON`.

    `built` has the functions of the program, `variables` the variables of the current function. No value is computed
    for the conditions of branches, and for their operands that are conditions.
    """

    def __init__(self, emit: Emitter, built: dict[t.Function, Function], errors: Errors) -> None:
        self.emit = emit
        self.errors = errors
        self.variables: dict[t.Local, Variable] = {}
        self._built = built
        self._old: dict[t.Old, Value] = {}
        self._leaves: dict[type, Callable[[Any], Value]] = {
            t.Literal: self._constant,
            t.Constant: self._constant,
            t.Read: self._read,
            t.Old: self._old_value,
        }
        self._values: dict[type, Callable[[Any], Step[Value | None]]] = {
            **self._leaves,
            t.Decay: self._string,
            t.Convert: self._convert,
            t.Cast: self._convert,
            t.Unary: self._unary,
            t.Binary: self._binary,
            t.Logical: self._logical,
            t.Conditional: self._conditional,
            t.Comma: self._comma,
            t.Assign: self._assign,
            t.Update: self._update,
            t.Call: self._call,
            t.LibraryCall: self._library_call,
            t.Print: self._print,
            t.Assert: self._assert,
            t.Warned: self._warned,
            t.Erroneous: self._erroneous,
        }
        self._conditions: dict[type, Callable[[Any, Block, Block], Step[None]]] = {
            t.Literal: self._constant_branch,
            t.Unary: self._unary_branch,
            t.Logical: self._logical_branch,
            t.Conditional: self._conditional_branch,
            t.Comma: self._comma_branch,
        }

    def begin(self) -> None:
        """Begin the lowering of a function."""
        self.variables.clear()
        self._old.clear()

    def value(self, node: t.Expression) -> Any:
        """The value of a whole expression."""
        return run(self._values[type(node)](node))

    def operand(self, node: t.Expression) -> Value:
        """The value of a whole expression, whose implicit conversions belong to the statement."""
        return self._delayed(node, run(self._part(_operand(node))), node.span)

    def branch(self, node: t.Expression, then: Block, otherwise: Block) -> None:
        """Branch to `then` if the condition holds, else to `otherwise`."""
        if type(node) in self._conditions:
            run(self._conditions[type(node)](node, then, otherwise))
        else:  # the frequent case: one value decides
            self.emit.branch(self.value(node), then, otherwise, node.span)

    def _part(self, node: t.Expression) -> Step[Any]:
        """The value of a subexpression, or its computation."""
        return self._values[type(node)](node)

    # ------------------------------------------------------------------------------------------- constants and names

    def _constant(self, node: t.Constant) -> Value:
        return Constant(node.type.program, node.value)

    def _string(self, node: t.Decay) -> Value:
        return Constant(STRING, node.operand.text.partition("\0")[0])  # strings are only printed, up to the first zero

    def _read(self, node: t.Read) -> Value:
        return self.emit.read(self.variables[node.place], node.span)

    def _old_value(self, node: t.Old) -> Value:
        return self._old[node]

    def _erroneous(self, node: t.Erroneous) -> Computation[Value]:
        for part in node.parts:
            yield self._part(part)
        return POISON

    def _warned(self, node: t.Warned) -> Computation[Value | None]:
        value: Value | None = yield self._part(node.operand)
        if self.emit.live:
            self.errors.warnings += node.warnings
        return value

    # -------------------------------------------------------------------------------------------------- conversions

    def convert(self, target: Scalar, value: Value, span: Span) -> Value:
        """A number or truth value (or `POISON`) converted to a type. A constant remains a constant, if possible."""
        if value.type is target or value.type is STRING:  # strings are only printed so far
            return value
        if value is POISON:
            return Undef(target, "unknown", span)
        if type(value) is Constant and not isinstance(value.value, str):
            number = converted_number(target, value.value)
            if number is not None:
                return Constant(target, number)
        if target is BOOL:
            return self.emit.primitive("!=", value, _zero_like(value), span=span)
        return self.emit.convert(target, value, span)

    def _convert(self, node: t.Convert) -> Computation[Value | None]:
        value = yield self._part(node.operand)
        return None if node.type is VOID else self.convert(node.type.program, value, t.origin(node.operand).span)

    def _delayed(self, node: t.Expression, value: Value, span: Span) -> Value:
        """The implicit conversion of an operand, if `node` is one, of the value of its `_operand`."""
        if type(node) is not t.Convert:
            return value
        return self.convert(node.type.program, self._delayed(node.operand, value, span), span)

    # --------------------------------------------------------------------------------------------------- operations

    def _unary(self, node: t.Unary) -> Computation[Value]:
        op = node.op
        value = self._delayed(node.operand, (yield self._part(_operand(node.operand))), node.span)
        if op == "+":
            return value
        if op == "!" and value.type is not BOOL:
            return self.emit.primitive("==", value, _zero_like(value), span=node.span)
        return self.emit.primitive(PREFIX_OPERATIONS[op], value, span=node.span)

    def _binary(self, node: t.Binary) -> Step[Value]:
        """The value itself if both operands are variables or constants, the frequent case; else its computation."""
        left, right = node.left, node.right
        if type(left) is t.Convert:
            left = _operand(left)
        if type(right) is t.Convert:
            right = _operand(right)
        one, other = self._leaves.get(type(left)), self._leaves.get(type(right))
        if one and other:
            return self._operation(node, one(left), other(right))
        return self._nested_binary(node, left, right)

    def _nested_binary(self, node: t.Binary, left: t.Expression, right: t.Expression) -> Computation[Value]:
        first, leaf = (yield self._part(left)), self._leaves.get(type(right))
        return self._operation(node, first, leaf(right) if leaf else (yield self._part(right)))

    def _operation(self, node: t.Binary, left: Value, right: Value) -> Value:
        span = node.span
        if type(node.left) is t.Convert:
            left = self._delayed(node.left, left, span)
        if type(node.right) is t.Convert:
            right = self._delayed(node.right, right, span)
        return self.emit.primitive(node.op, left, right, span=span)

    def _comma(self, node: t.Comma) -> Computation[Value | None]:
        yield self._part(node.left)
        value: Value | None = yield self._part(node.right)
        return value

    def _conditional(self, node: t.Conditional) -> Computation[Value | None]:
        """Lower ``?:``. The first value is converted after the second one, as the operands of other operations are."""
        emit, then, otherwise = self.emit, node.then, node.otherwise
        first, pending = emit.continuation("then", span=then.span), emit.continuation("then", span=then.span)
        second, join = emit.continuation("else", span=otherwise.span), emit.continuation("join", span=node.span)
        yield self._condition(node.condition, first, second)
        emit.open(first)
        first_value = yield self._part(_operand(then))
        emit.jump(pending)
        emit.open(second)
        second_value = yield self._part(_operand(otherwise))
        is_string = isinstance(second_value, Constant) and second_value.type is STRING
        chosen = Variable("chosen", STRING if is_string else node.type.program, node.span)
        for value, arm, following in (second_value, otherwise, pending), (first_value, then, join):
            if node.type is not VOID:
                emit.write(chosen, self._delayed(arm, value, node.span), arm.span)
            emit.jump(join)
            emit.open(following)
        return None if node.type is VOID else emit.read(chosen, node.span)

    def _logical(self, node: t.Logical) -> Computation[Value]:
        """The value of ``&&`` or ``||``: the left operand is a condition that skips the right one."""
        emit = self.emit
        name, decided, right_name = _LOGICAL[node.op]
        variable = Variable(name, BOOL, node.span)
        right = emit.continuation(right_name, span=node.right.span)
        join = emit.continuation("join", span=node.span)
        emit.write(variable, Constant(BOOL, decided), node.left.span)
        yield self._condition(node.left, *((join, right) if decided else (right, join)))
        emit.open(right)
        emit.write(variable, (yield self._part(node.right)), node.right.span)
        emit.jump(join)
        emit.open(join)
        return emit.read(variable, node.span)

    # -------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: t.Assign) -> Step[Value]:
        return after(self._inner(node.value), self._write, node)

    def _write(self, value: Value, node: t.Assign) -> Value:
        self.emit.write(self.variables[node.place], value, node.span)
        return value

    def _update(self, node: t.Update) -> Step[Value]:
        old = node.old
        variable = self.variables[old.place]
        before = self._old[old] = self.emit.read(variable, old.span)
        return after(self._inner(node.new), self._write_new, node, variable, before)

    def _write_new(self, new: Value, node: t.Update, variable: Variable, before: Value) -> Value:
        self.emit.write(variable, new, node.span)
        return before if node.is_postfix else new

    def _inner(self, node: t.Expression) -> Step[Value]:
        """The value of a subexpression, or its computation, which is not begun yet if it may contain another one."""
        kind = type(node)
        return self._later(node) if kind is t.Assign or kind is t.Update else self._values[kind](node)  # type: ignore[return-value]

    def _later(self, node: t.Expression) -> Computation[Value]:
        value: Value = yield self._part(node)
        return value

    # -------------------------------------------------------------------------------------------------------- calls

    def _arguments(self, nodes: Iterable[t.Expression]) -> Computation[list[Value]]:
        """The values of the arguments, from left to right."""
        values, leaves = [], self._leaves
        for node in nodes:
            leaf = leaves.get(type(node))
            values.append(leaf(node) if leaf else (yield self._part(node)))
        return values

    def _call(self, node: t.Call) -> Computation[Value | None]:
        arguments = yield self._arguments(node.arguments)
        result = self.emit.call(self._built[node.callee], arguments, node.span)
        if not node.returns:
            self.emit.leave(ABORT, span=node.span)  # its return is undefined behaviour (C17 6.7.4, paragraph 8)
        return result

    def _library_call(self, node: t.LibraryCall) -> Computation[Value | None]:
        name, span = node.operation, node.span
        arguments = yield self._arguments(node.arguments)
        if name in EXTERNALS:
            self.emit.leave(EXTERNALS[name], *arguments, span=span)
            return None
        if name in EFFECTS:
            return self.emit.effect(name, *arguments, span=span)
        return self.emit.primitive(name, *arguments, span=span)

    def _print(self, node: t.Print) -> Computation[Value]:
        """Lower a call of `printf`. The conversions for the format are computed after all arguments."""
        text = self._string(node.format)
        values = yield self._arguments([*map(_operand, node.arguments), *node.unused])
        printed = [self._delayed(part, value, part.span) for part, value in zip(node.arguments, values, strict=False)]
        return self.emit.effect("printf", text, *printed, span=node.span)

    def _assert(self, node: t.Assert) -> Computation[None]:
        """Lower ``assert(condition)``: continue if the condition holds, else print the message and abort."""
        emit, span = self.emit, node.span
        holds, fails = emit.continuation("holds", span=span), emit.continuation("fails", span=span)
        yield self._condition(node.condition, holds, fails)
        emit.open(fails)
        emit.effect("eprint", Constant(STRING, node.message), span=span)
        emit.leave(ABORT, span=span)
        emit.open(holds)

    # --------------------------------------------------------------------------------------------------- conditions

    def _condition(self, node: t.Expression, then: Block, otherwise: Block) -> Step[None]:
        """Branch as `branch` does, within the computation of an expression."""
        return self._conditions.get(type(node), self._value_branch)(node, then, otherwise)

    def _value_branch(self, node: t.Expression, then: Block, otherwise: Block) -> Computation[None]:
        self.emit.branch((yield self._part(node)), then, otherwise, node.span)

    def _constant_branch(self, node: t.Literal, then: Block, otherwise: Block) -> None:
        self.emit.jump(then if node.value else otherwise, node.span)

    def _unary_branch(self, node: t.Unary, then: Block, otherwise: Block) -> Computation[None]:
        yield self._condition(node.operand, otherwise, then)

    def _logical_branch(self, node: t.Logical, then: Block, otherwise: Block) -> Computation[None]:
        right = self.emit.continuation(_LOGICAL[node.op][2], span=node.right.span)
        yield self._condition(node.left, *((right, otherwise) if node.op == "&&" else (then, right)))
        self.emit.open(right)
        yield self._condition(node.right, then, otherwise)

    def _conditional_branch(self, node: t.Conditional, then: Block, otherwise: Block) -> Computation[None]:
        first = self.emit.continuation("then", span=node.then.span)
        second = self.emit.continuation("else", span=node.otherwise.span)
        yield self._condition(node.condition, first, second)
        self.emit.open(first)
        yield self._condition(node.then, then, otherwise)
        self.emit.open(second)
        yield self._condition(node.otherwise, then, otherwise)

    def _comma_branch(self, node: t.Comma, then: Block, otherwise: Block) -> Computation[None]:
        yield self._part(node.left)
        yield self._condition(node.right, then, otherwise)


def _operand(node: t.Expression) -> t.Expression:
    """The expression without its implicit conversions, which `_delayed` computes."""
    while type(node) is t.Convert:
        node = node.operand
    return node


def _zero_like(value: Value) -> Constant:
    """The zero of the arithmetic type of `value`."""
    assert isinstance(value.type, Scalar)
    return Constant(value.type, 0.0 if is_float(value.type) else 0)
