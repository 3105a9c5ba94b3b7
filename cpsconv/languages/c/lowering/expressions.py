"""The lowering of typed expressions to values, and of conditions to transfers.

The type of every value is decided: the lowering chooses operations only. A value of C's type `TRUTH` is a `bool` here;
its promotion to `int` is a conversion like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import GeneratorType
from typing import Any

from cpsconv.core.construction import Block, Variable
from cpsconv.core.floating import payload
from cpsconv.core.ir import BOOL, LONG, PTR, STRING, Constant, Function, Scalar, Undef, Value
from cpsconv.core.operations.types import is_convertible, zero
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, after, run
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.lowering.complex_numbers import ComplexNumbers
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.lvalues import Declare, Initialise, Lvalues
from cpsconv.languages.c.lowering.object_types import ObjectTypes
from cpsconv.languages.c.lowering.objects import Objects
from cpsconv.languages.c.lowering.places import Place, Places, RecordValue
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import PREFIX_OPERATIONS
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import UNKNOWN, VOID, converted_number

POISON: Value = Undef(UNKNOWN.program, "unknown")
"""The value of an erroneous expression."""

CONDITIONAL = "?:"

_LOGICAL = {"&&": ("both", False, "and"), "||": ("either", True, "or")}
"""For each operator the name of its value, the value that the left operand decides, and the name of the right one."""


class Expressions:
    """Lowers expressions. The value of a `void` expression is None, of an erroneous one `POISON`.

    `variables` has the variables of the current function. No value is computed for the conditions of branches, and for
    their operands that are conditions. `built` has the functions of the program. Calls are lowered in `lowering.calls`.
    """

    def __init__(
        self,
        emit: Emitter,
        errors: Errors,
        built: Mapping[t.Function, Function],
        declare: Declare,
        initialise: Initialise,
    ) -> None:
        self.emit = emit
        self.errors = errors
        self.built = built
        self.places = Places(emit, ObjectTypes(emit.builder), self._count)
        self.objects = Objects(emit, self.places.types)
        self.lvalues = Lvalues(emit, self.places, self.objects, self.part, built, declare, initialise)
        self.complex_numbers = ComplexNumbers(emit, self.places, self.objects, self.part, self.convert, built)
        self.variables = self.lvalues.variables
        self.results: dict[c.Expression, Value] = {}  # the places for the records that calls return
        self.own_arguments: Value | None = None
        self._discarded: c.Expression | None = None  # the expression of the current statement
        self._computed: dict[c.Computed, RecordValue] = {}
        self._texts: set[c.Expression] = set()  # strings, and choices between strings, that are only printed
        self._leaves: dict[type, Callable[[Any], Step[Value]]] = {
            c.Literal: self._constant,
            c.Constant: self._constant,
            c.Read: self._read,
            c.Computed: self._value_before,
        }
        self.values = self._rules()
        self._conditions: dict[type, Callable[[Any, Block, Block], Step[None]]] = {
            c.Literal: self._constant_branch,
            c.Unary: self._unary_branch,
            c.Logical: self._logical_branch,
            c.Conditional: self._conditional_branch,
            c.Comma: self._comma_branch,
        }

    def _rules(self) -> dict[type, Callable[[Any], Step[Any]]]:
        """The lowering of each class of expressions to values."""
        return {
            **self._leaves,
            **self.lvalues.values,
            c.Decay: self._decay,
            c.Convert: self._convert,
            c.Cast: self._convert,
            c.Unary: self._unary,
            c.Binary: self._binary,
            c.Logical: self._logical,
            c.Conditional: self._conditional,
            c.Comma: self._comma,
            c.Assign: self._assign,
            c.Increment: self._update,
            c.Warned: self._warned,
            c.Erroneous: self._erroneous,
            c.ComplexConversion: self.complex_numbers.conversion,
            c.Missing: self._missing,
        }

    def enter(self, arguments: Value | None) -> None:
        """Enter a function with this pointer to its variable arguments, if it has some."""
        self.own_arguments = arguments

    def begin(self) -> None:
        """Begin the lowering of a function."""
        self.variables.clear()
        self.lvalues.objects.clear()
        self.objects.begin()
        self._computed.clear()
        self._texts.clear()

    def discard(self, node: c.Expression) -> Any:
        """The value of the expression of a statement, which is not used."""
        self._discarded = node
        return self.value(node)

    def value(self, node: c.Expression) -> Any:
        """The value of a whole expression."""
        return run(self.values[type(node)](node))

    def operand(self, node: c.Expression) -> Value:
        """The value of a whole expression, whose implicit conversions belong to the statement."""
        return self._delayed(node, run(self.part(t.unconverted(node))), node.span)

    def branch(self, node: c.Expression, then: Block, otherwise: Block) -> None:
        """Branch to `then` if the condition holds, else to `otherwise`."""
        if type(node) in self._conditions:
            run(self._conditions[type(node)](node, then, otherwise))
        else:  # the frequent case: one value decides
            self.emit.branch(self.value(node), then, otherwise, node.span)

    def part(self, node: c.Expression) -> Step[Any]:
        """The value of a subexpression, or its computation."""
        return self.values[type(node)](node)

    # ------------------------------------------------------------------------------------------- constants and names

    def _constant(self, node: c.Constant) -> Value:
        if node.value != node.value and payload(node.value):  # which no literal has
            return self.emit.effect("load", self.objects.number(node), type=node.type.program, span=node.span)
        return Constant(node.type.program, node.value)

    def _missing(self, node: c.Missing) -> Value:
        return Undef(node.type.program, node.name, node.span)

    def _count(self, variable: t.Local, span: Span) -> Any:
        return self.places.load(self.lvalues.of_variable(variable), variable.type, span)

    def _decay(self, node: c.Decay) -> Step[Value]:
        if node in self._texts:
            return text_constant(node)
        return self.lvalues.values[c.Decay](node)

    def _read(self, node: c.Read) -> Step[Any]:
        place = node.operand
        if type(place) is c.Name and (variable := self.variables.get(place.denoted)) is not None:
            return self.emit.read(variable, node.span)
        return after(self.lvalues.place(place), self._load, node)

    def _variable(self, place: t.Place) -> Variable | None:
        """The variable of the construction that the place is, if it is one."""
        return self.variables.get(place.denoted) if type(place) is c.Name else None

    def _load(self, place: Place, node: c.Read) -> RecordValue:
        return self.places.load(place, node.type, node.span)

    def _value_before(self, node: c.Computed) -> Any:
        return self._computed[node]

    def _erroneous(self, node: c.Erroneous) -> Computation[Value]:
        for part in node.parts:
            yield self.part(part)
        return POISON

    def _warned(self, node: c.Warned) -> Computation[Value | None]:
        value: Value | None = yield self.part(node.operand)
        if self.emit.live:
            self.errors.warnings += node.warnings
        return value

    # -------------------------------------------------------------------------------------------------- conversions

    def convert(self, target: Scalar, value: Value, span: Span) -> Value:
        """A number or truth value (or `POISON`) converted to a type. A constant remains a constant, if possible."""
        if value.type is target or value.type is STRING:
            return value
        if value is POISON:
            return Undef(target, "unknown", span)
        if type(value) is Constant and not isinstance(value.value, str):
            number = converted_number(target, value.value)
            if number is not None:
                return Constant(target, number)
            if target is PTR and value.value == 0:
                return Constant(PTR, 0)
        if target is BOOL:
            return self.emit.primitive("!=", value, zero_like(value), span=span)
        if not is_convertible(value.type, target):  # a pointer and 128 bits
            value = self.emit.convert(LONG, value, span)
        return self.emit.convert(target, value, span)

    def _convert(self, node: c.Convert) -> Computation[Value | None]:
        value = yield self.part(node.operand)
        if node.type is VOID or isinstance(node.type, Record):
            return None if node.type is VOID else value
        return self.convert(node.type.program, value, t.origin(node.operand).span)

    def _delayed(self, node: c.Expression, value: Value, span: Span) -> Value:
        """The implicit conversion of an operand, if `node` is one, of the `unconverted` value."""
        if type(node) is not c.Convert:
            return value
        return self.convert(node.type.program, self._delayed(node.operand, value, span), span)

    # --------------------------------------------------------------------------------------------------- operations

    def _unary(self, node: c.Unary) -> Computation[Any]:
        if isinstance(node.type, Complex):
            return (yield from self.complex_numbers.unary(node))
        op = node.op
        value = self._delayed(node.operand, (yield self.part(t.unconverted(node.operand))), node.span)
        if op == "+":
            return value
        if op == "!" and value.type is not BOOL:
            return self.emit.primitive("==", value, zero_like(value), span=node.span)
        return self.emit.primitive(PREFIX_OPERATIONS[op], value, span=node.span)

    def _binary(self, node: c.Binary) -> Step[Value]:
        """The value itself if both operands are variables or constants, the frequent case; else its computation."""
        left, right = node.left, node.right
        kind = left.type.kind
        if kind == "pointer":
            if node.type.kind == "pointer":
                return self.lvalues.sum(node)
            if node.op == "-":
                return self.lvalues.difference(node)
        elif kind == "void" or node.type.kind == "void":
            return self.complex_numbers.binary(node)
        if type(left) is c.Convert:
            left = t.unconverted(left)
        if type(right) is c.Convert:
            right = t.unconverted(right)
        one, other = self._leaves.get(type(left)), self._leaves.get(type(right))
        if one and other:
            first = one(left)
            if type(first) is not GeneratorType:
                second = other(right)
                if type(second) is not GeneratorType:
                    return self._operation(node, first, second)  # type: ignore[arg-type]
                return after(second, self._second, node, first)
            return self._nested_binary(node, left, right, first)
        return self._nested_binary(node, left, right)

    def _second(self, second: Value, node: c.Binary, first: Value) -> Value:
        return self._operation(node, first, second)

    def _nested_binary(
        self, node: c.Binary, left: c.Expression, right: c.Expression, first: Computation[Value] | None = None
    ) -> Computation[Value]:
        value = yield first or self.part(left)
        return self._operation(node, value, (yield self.part(right)))

    def _operation(self, node: c.Binary, left: Value, right: Value) -> Value:
        span = node.span
        if type(node.left) is c.Convert:
            left = self._delayed(node.left, left, span)
        if type(node.right) is c.Convert:
            right = self._delayed(node.right, right, span)
        return self.emit.primitive(node.op, left, right, span=span)

    def _comma(self, node: c.Comma) -> Computation[Value | None]:
        yield self.part(node.left)
        value: Value | None = yield self.part(node.right)
        return value

    def _conditional(self, node: c.Conditional) -> Computation[RecordValue | None]:
        return self._either(node, node.then) if node.then else self._or_else(node)

    def _either(self, node: c.Conditional, then: c.Expression) -> Computation[RecordValue | None]:
        """Lower ``?:``. A first struct in memory waits for the second one, since it is loaded if that is split."""
        emit, otherwise = self.emit, node.otherwise
        first, second = self._arms(node, then)
        join, waiting = emit.continuation("join", span=node.span, operator=CONDITIONAL), None
        yield self._condition(node.condition, first, second)
        emit.open(first)
        one = yield self.part(t.unconverted(then))
        chosen = self._choice(one, node)
        if isinstance(node.type, Record) and not isinstance(one, list):
            waiting = emit.continuation("then", span=then.span, operator=CONDITIONAL)
            emit.jump(waiting)
        else:
            self._end_arm(one, then, node, chosen, join)
        emit.open(second)
        other = yield self.part(t.unconverted(otherwise))
        is_split = isinstance(one, list) or isinstance(other, list)
        if waiting and is_split:
            chosen = self._choice(other, node)
        self._end_arm(other, otherwise, node, chosen, join, is_split=is_split)
        if waiting:
            emit.open(waiting)
            self._end_arm(one, then, node, chosen, join, is_split=is_split)
        emit.open(join)
        values = [emit.read(each, node.span) for each in chosen]
        return values if is_split else values[0] if values else None

    def _arms(self, node: c.Conditional, then: c.Expression) -> tuple[Block, Block]:
        """The continuations for the values of ``?:``."""
        first = self.emit.continuation("then", span=then.span, operator=CONDITIONAL)
        return first, self.emit.continuation("else", span=node.otherwise.span, operator=CONDITIONAL)

    def _end_arm(
        self,
        value: Any,
        arm: c.Expression,
        node: c.Conditional,
        chosen: list[Variable],
        join: Block,
        *,
        is_split: bool = False,
    ) -> None:
        """Assign the value of an arm of ``?:`` to the variables, if any, and jump to the join."""
        if is_split and isinstance(node.type, Record) and not isinstance(value, list):
            value = self._split(value, node.type, arm.span)
        if chosen:
            is_final = isinstance(value, list) or node in self._texts
            self._choose(chosen, value if is_final else self._delayed(arm, value, node.span), arm.span)
        self.emit.jump(join)

    def _split(self, pointer: Value, type: Record, span: Span) -> RecordValue:
        """The scalars of the record at the pointer."""
        names = [f"{type.tag or type.keyword}{leaf.path}" for leaf in self.places.types.leaves(type) or ()]
        return self.places.loaded_leaves(pointer, type, names, span)

    def _choice(self, value: RecordValue, node: c.Conditional) -> list[Variable]:
        """The variables for a value that is chosen from two: one for each scalar of a record, none for `void`."""
        if isinstance(value, list):
            return [Variable("chosen", each.type, node.span) for each in value]
        if node.type is VOID:
            return []
        type = node.type.program
        if isinstance(node.type, Record):
            type = PTR
        return [Variable("chosen", STRING if node in self._texts else type, node.span)]

    def _choose(self, chosen: list[Variable], value: RecordValue, span: Span) -> None:
        values = value if isinstance(value, list) else [value]
        for variable, each in zip(chosen, values, strict=True):
            self.emit.write(variable, each, span)

    def _or_else(self, node: c.Conditional) -> Computation[Any]:
        """Lower ``a ?: b`` of GNU C, whose first operand is computed once."""
        emit, span = self.emit, node.span
        value = yield self.part(node.condition)
        chosen, is_complex = self._choice(value, node), isinstance(value, list)
        otherwise = emit.continuation("else", span=node.otherwise.span, operator=CONDITIONAL)
        join = emit.continuation("join", span=span, operator=CONDITIONAL)
        self._choose(chosen, value, node.condition.span)
        truth = self.complex_numbers.truth if is_complex else partial(self.convert, BOOL)
        emit.branch(truth(value, node.condition.span), join, otherwise, span)
        emit.open(otherwise)
        self._choose(chosen, (yield self.part(node.otherwise)), node.otherwise.span)
        emit.jump(join)
        emit.open(join)
        values = [emit.read(each, span) for each in chosen]
        return values if is_complex else values[0]

    def _logical(self, node: c.Logical) -> Computation[Value]:
        """The value of ``&&`` or ``||``: the left operand is a condition that skips the right one."""
        emit = self.emit
        name, decided, right_name = _LOGICAL[node.op]
        variable = Variable(name, BOOL, node.span)
        right = emit.continuation(right_name, span=node.right.span, operator=node.op)
        join = emit.continuation("join", span=node.span, operator=node.op)
        emit.write(variable, Constant(BOOL, decided), node.left.span)
        yield self._condition(node.left, *((join, right) if decided else (right, join)))
        emit.open(right)
        emit.write(variable, (yield self.part(node.right)), node.right.span)
        emit.jump(join)
        emit.open(join)
        return emit.read(variable, node.span)

    # -------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: c.Assign) -> Step[Any]:
        if node.new is not None:
            return self._update_after(node, node.computed) if node.computed else self._update(node)
        variable = self._variable(node.target)
        if variable is not None:
            return after(self._inner(node.value), self._write, variable, node)
        return self._assign_place(node)

    def _write(self, value: Value, variable: Variable, node: c.Assign) -> Value:
        self.emit.write(variable, value, node.span)
        return value

    def _assign_place(self, node: c.Assign) -> Computation[RecordValue]:
        """Assign to a place that is no variable: its operands are computed first."""
        place = yield self.lvalues.place(node.target)
        value = yield self.part(node.value)
        if isinstance(node.type, Record):
            self.places.assign(place, value, node.type, node.span)
            return value  # type: ignore[no-any-return]
        return self.places.store(place, value, node.target.type, node.span, is_used=node is not self._discarded)

    def _update_after(self, node: c.Assign, computed: c.Computed) -> Computation[Value]:
        self._computed[computed] = yield self.part(node.value)
        value: Value = yield self._update(node)
        return value

    def _update(self, node: c.Update) -> Step[Value]:
        old, new = node.old, node.new
        assert old and new
        variable = self._variable(node.target)
        if variable is None:
            return self._update_place(node, old, new)
        before = self._computed[old] = self.emit.read(variable, old.span)
        return after(self._inner(new), self._write_new, node, variable, before)

    def _write_new(self, new: Value, node: c.Update, variable: Variable, before: Value) -> Value:
        self.emit.write(variable, new, node.span)
        return before if _is_postfix(node) else new

    def _update_place(self, node: c.Update, old: c.Computed, updated: c.Expression) -> Computation[Any]:
        place = self.places.fixed((yield self.lvalues.place(node.target)), old.span)
        before: Any = self.places.load(place, old.type, old.span)
        if isinstance(node.type, Record) and not isinstance(before, list):  # a vector in memory
            before = self._split(before, node.type, old.span)
        self._computed[old] = before
        new, is_postfix = (yield self.part(updated)), _is_postfix(node)
        if isinstance(node.type, Record):
            self.places.assign(place, new, node.type, node.span)
            return before if is_postfix else new
        is_used = not is_postfix and node is not self._discarded
        new = self.places.store(place, new, node.target.type, node.span, is_used=is_used)
        return before if is_postfix else new

    def _inner(self, node: c.Expression) -> Step[Value]:
        """The value of a subexpression, or its computation, which is not begun yet if it may contain another one."""
        kind = type(node)
        return self._later(node) if kind is c.Assign or kind is c.Increment else self.values[kind](node)

    def _later(self, node: c.Expression) -> Computation[Value]:
        value: Value = yield self.part(node)
        return value

    # --------------------------------------------------------------------------------------------------- conditions

    def _condition(self, node: c.Expression, then: Block, otherwise: Block) -> Step[None]:
        """Branch as `branch` does, within the computation of an expression."""
        return self._conditions.get(type(node), self._value_branch)(node, then, otherwise)

    def _value_branch(self, node: c.Expression, then: Block, otherwise: Block) -> Computation[None]:
        self.emit.branch((yield self.part(node)), then, otherwise, node.span)

    def _constant_branch(self, node: c.Literal, then: Block, otherwise: Block) -> None:
        self.emit.jump(then if node.value else otherwise, node.span)

    def _unary_branch(self, node: c.Unary, then: Block, otherwise: Block) -> Computation[None]:
        yield self._condition(node.operand, otherwise, then)

    def _logical_branch(self, node: c.Logical, then: Block, otherwise: Block) -> Computation[None]:
        right = self.emit.continuation(_LOGICAL[node.op][2], span=node.right.span, operator=node.op)
        yield self._condition(node.left, *((right, otherwise) if node.op == "&&" else (then, right)))
        self.emit.open(right)
        yield self._condition(node.right, then, otherwise)

    def _conditional_branch(self, node: c.Conditional, then: Block, otherwise: Block) -> Computation[None]:
        assert node.then
        first, second = self._arms(node, node.then)
        yield self._condition(node.condition, first, second)
        self.emit.open(first)
        yield self._condition(node.then, then, otherwise)
        self.emit.open(second)
        yield self._condition(node.otherwise, then, otherwise)

    def _comma_branch(self, node: c.Comma, then: Block, otherwise: Block) -> Computation[None]:
        yield self.part(node.left)
        yield self._condition(node.right, then, otherwise)


def _is_postfix(node: c.Update) -> bool:
    return isinstance(node, c.Increment) and not node.prefix


def text_constant(node: c.Decay) -> Constant:
    """The string constant for a literal that is only printed, up to its first zero."""
    return Constant(STRING, node.operand.text.partition("\0")[0])


def zero_like(value: Value) -> Constant:
    """The zero of the arithmetic type of `value`."""
    assert isinstance(value.type, Scalar)
    return zero(value.type)
