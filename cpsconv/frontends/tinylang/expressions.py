"""Checks of expressions: names, types, and which uses of a variable require memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cpsconv.frontends.tinylang import tree
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang import types as ty
from cpsconv.frontends.tinylang.scopes import (
    Broken,
    ConstantEntry,
    Entry,
    Errors,
    ModuleEntry,
    Predeclared,
    Scope,
    TypeEntry,
)
from cpsconv.frontends.tinylang.types import BOOLEAN, INTEGER, NIL, STRING, UNKNOWN, Formal, Type, is_scalar, same
from cpsconv.ir import Constant, Primitive
from cpsconv.operations.semantics import fold
from cpsconv.source import Span, did_you_mean
from cpsconv.trampoline import Computation

_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "DIV": "/", "MOD": "%"}
_UNARY = {"-": "neg", "NOT": "!"}
_LOGICAL = {"AND": "&", "OR": "|"}
_RELATIONS = {"=": "==", "#": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""The primitives for the operators."""

PREDECLARED: dict[str, list[tuple[str, Type]]] = {
    "WriteInt": [("number", INTEGER), ("width", INTEGER)],
    "WriteString": [("text", STRING)],
    "WriteLn": [],
}
"""The parameters of predeclared procedures. NEW and DISPOSE take a variable of any pointer type."""


class Expressions:
    """Checks the expressions in a procedure. Erroneous ones have the type `UNKNOWN`, which fits everywhere."""

    def __init__(self, errors: Errors, scope: Scope, procedure: t.Procedure) -> None:
        self.errors = errors
        self.scope = scope
        self.procedure = procedure

    def expression(self, node: tree.Expression) -> Computation[t.Expression]:
        """The typed expression, which has a value."""
        if isinstance(node, tree.Number):
            return t.Constant(INTEGER, node.value, node.span)
        if isinstance(node, tree.Text):
            return t.Text(STRING, node.value, node.span)
        if isinstance(node, tree.Designator):
            value: t.Expression = yield self._value_of(node)
            return value
        if isinstance(node, tree.Call):
            call = yield self.call(node)
            if isinstance(call, t.Call) and call.type is NIL:
                name = node.callee.name.text
                return self.errors.add(f"procedure `{name}` returns no value", node.span, "type-mismatch")
            return cast(t.Expression, call)
        if isinstance(node, tree.Unary):
            operand = yield self.expression(node.operand)
            return self._unary(node, operand)
        left = yield self.expression(node.left)
        right = yield self.expression(node.right)
        return self._binary(node, left, right)

    # ------------------------------------------------------------------------------------------------ operators

    def _unary(self, node: tree.Unary, operand: t.Expression) -> t.Expression:
        wanted = BOOLEAN if node.operator == "NOT" else INTEGER
        if not self._is(operand, wanted, f"the operand of `{node.operator}`"):
            return t.Constant(UNKNOWN, 0, node.span)
        if node.operator == "+":
            return operand
        op = _UNARY[node.operator]
        return t.Unary(op, operand, wanted, node.span, _folded(op, wanted, operand))

    def _binary(self, node: tree.Binary, left: t.Expression, right: t.Expression) -> t.Expression:
        operator = node.operator
        if operator not in _RELATIONS:
            return self._operation(node, left, right)
        unknown = t.Constant(UNKNOWN, 0, node.span)
        if UNKNOWN in (left.type, right.type):
            return unknown
        if not (ty.is_assignable(left.type, right.type) or ty.is_assignable(right.type, left.type)):
            message = f"`{operator}` compares values of one type, not {_named(left.type)} and {_named(right.type)}"
            return self.errors.add(message, node.span, "type-mismatch")
        pointers = isinstance(left.type, ty.Pointer) or NIL in (left.type, right.type)
        if left.type not in (INTEGER, BOOLEAN) and not (pointers and operator in ("=", "#")):
            return self.errors.add(f"`{operator}` does not compare {_named(left.type)}", node.span, "type-mismatch")
        op = _RELATIONS[operator]
        return t.Binary(op, left, right, BOOLEAN, node.span, _folded(op, BOOLEAN, left, right))

    def _operation(self, node: tree.Binary, left: t.Expression, right: t.Expression) -> t.Expression:
        """The operation of an arithmetic or logical operator."""
        operator = node.operator
        op, wanted = (_LOGICAL[operator], BOOLEAN) if operator in _LOGICAL else (_ARITHMETIC.get(operator), INTEGER)
        fits = [self._is(each, wanted, f"an operand of `{operator}`") for each in (left, right)]
        self._warn_of_sign(node)
        if not all(fits):
            return t.Constant(UNKNOWN, 0, node.span)
        if op is None:
            message = "`/` divides real numbers, which the language does not have"
            return self.errors.add(message, node.span, "type-mismatch", "write `DIV` for integers")
        if op in ("/", "%") and value_of(right) == 0:
            self.errors.warn("division by zero", node.span, "div-by-zero")
        return t.Binary(op, left, right, wanted, node.span, _folded(op, wanted, left, right))

    def _warn_of_sign(self, node: tree.Binary) -> None:
        """The sign before a sum belongs to its first term. In the book's compiler, it belongs to the sum."""
        left = node.left
        if node.operator not in ("+", "-") or not isinstance(left, tree.Unary) or left.operator != "-":
            return
        if left.span.source.text[left.span.start] == "-":  # and not in parentheses
            help = "write parentheses"
            self.errors.warn("`-` negates the first term only, not the sum", left.span, "parentheses", help)

    def _is(self, expression: t.Expression, wanted: Type, what: str) -> bool:
        """Whether the expression has the type; reports another known one. False for an unknown one, too."""
        if expression.type is wanted:
            return True
        if expression.type is not UNKNOWN:
            message = f"{what} must be {_named(wanted)}, but this is {_named(expression.type)}"
            self.errors.add(message, expression.span, "type-mismatch")
        return False

    def condition(self, node: tree.Expression, statement: str) -> Computation[t.Expression]:
        """The condition of a statement."""
        found: t.Expression = yield self.expression(node)
        self._is(found, BOOLEAN, f"the condition of `{statement}`")
        return found

    def constant(self, node: tree.Expression) -> Computation[t.Constant]:
        """The value of a constant expression. Reports another one."""
        expression = yield self.expression(node)
        if expression.type is UNKNOWN:
            return t.Constant(UNKNOWN, 0, expression.span)
        value = value_of(expression)
        if value is None:
            return self.errors.add("this is not a constant", expression.span, "constant")
        return t.Constant(expression.type, value, expression.span)

    # ---------------------------------------------------------------------------------------------- designators

    def entry(self, name: tree.Word, selectors: list[tree.Selector]) -> tuple[Entry | None, list[tree.Selector]]:
        """The declaration of a name that modules may precede, and the further selectors."""
        found = self.errors.look_up(self.scope, name)
        while isinstance(found, ModuleEntry) and selectors and isinstance(selectors[0], tree.Word):
            found, selectors = self.errors.look_up(found.scope, selectors[0], found.name), selectors[1:]
        return found, selectors

    def _value_of(self, node: tree.Designator) -> Computation[t.Expression]:
        found, selectors = self.entry(node.name, node.selectors)
        if isinstance(found, t.Variable):
            place = yield self._place(found, selectors, node)
            if isinstance(place, t.Place):
                self._use(place)
                return t.Load(place, place.type, node.span)
            return cast(t.Expression, place)
        if isinstance(found, ConstantEntry) and not selectors:
            return t.Constant(found.type, found.value, node.span)
        if isinstance(found, t.Procedure) and not selectors:
            self.procedure.used.setdefault(found, node.span)
            self.procedure.values.setdefault(found, node.span)
            return t.ProcedureValue(found, type_of(found), node.span)
        return self._no_value(node, found)

    def _no_value(self, node: tree.Designator, found: Entry | None) -> t.Constant:
        if found is None or isinstance(found, Broken):
            return t.Constant(UNKNOWN, 0, node.span)
        kinds = {TypeEntry: "a type", ModuleEntry: "a module", Predeclared: "a predeclared procedure"}
        kind = kinds.get(type(found))
        if kind is None:
            return self.errors.add(f"`{node.name.text}` has no parts", node.span, "type-mismatch")
        return self.errors.add(f"`{node.name.text}` is {kind}, not a value", node.name.span, "type-mismatch")

    def place(self, node: tree.Designator, what: str) -> Computation[t.Place | None]:
        """The place that the designator denotes. Reports one that denotes no variable."""
        found, selectors = self.entry(node.name, node.selectors)
        if isinstance(found, t.Variable):
            place = yield self._place(found, selectors, node)
            return place if isinstance(place, t.Place) else None
        if found is not None and not isinstance(found, Broken):
            self.errors.add(f"{what} must be a variable, but `{node.name.text}` is none", node.span, "assignment")
        return None

    def _place(
        self, variable: t.Variable, selectors: list[tree.Selector], node: tree.Designator
    ) -> Computation[t.Place | t.Constant]:
        type, is_whole = variable.type, not variable.is_reference
        found: list[t.Field | t.Index | t.Dereference] = []
        for each in selectors:
            if type is UNKNOWN:
                break
            if isinstance(each, tree.Word):
                if not isinstance(type, ty.Record) or each.text not in type.fields:
                    return self._no_field(type, each)
                found.append(t.Field(type, each.text, each.span))
                type, is_whole = type.fields[each.text], False
            elif isinstance(each, tree.Index):
                index = yield self._index(type, each)
                if not isinstance(type, ty.Array) or index is None:
                    return t.Constant(UNKNOWN, 0, node.span)
                part, span = (Span(each.span.source, node.span.start, end) for end in (each.span.start, each.span.end))
                found.append(t.Index(type, index, is_whole, part, span))
                type, is_whole = type.element, False
            elif isinstance(type, ty.Pointer):
                found.append(t.Dereference(Span(each.span.source, node.span.start, each.span.end)))
                type, is_whole = type.target, True
            else:
                return self.errors.add(f"`^` follows a pointer, not {_named(type)}", each.span, "type-mismatch")
        if type is UNKNOWN:
            return t.Constant(UNKNOWN, 0, node.span)
        return t.Place(variable, found, type, node.span)

    def _no_field(self, type: Type, name: tree.Word) -> t.Constant:
        if isinstance(type, ty.Record):
            help = did_you_mean(name.text, type.fields)
            return self.errors.add(f"{_named(type)} has no field `{name.text}`", name.span, "undeclared", help)
        to_record = isinstance(type, ty.Pointer) and isinstance(type.target, ty.Record)
        help = f"write `^.{name.text}`" if to_record else None
        return self.errors.add(f"{_named(type)} has no fields", name.span, "type-mismatch", help)

    def _index(self, type: Type, node: tree.Index) -> Computation[t.Expression | None]:
        index = yield self.expression(node.subscript)
        if not isinstance(type, ty.Array):
            self.errors.add(f"`[` follows an array, not {_named(type)}", node.span, "type-mismatch")
            return None
        if not self._is(index, INTEGER, "an index"):
            return None
        value = value_of(index)
        if value is not None and not 0 <= value < type.length:
            message = f"index {value} is out of bounds: {_named(type)} has the indices 0 to {type.length - 1}"
            self.errors.add(message, index.span, "bounds")
            return None
        return cast(t.Expression, index)

    def _use(self, place: t.Place) -> None:
        """Record a use of the variable of a place."""
        variable = place.variable
        if variable.owner is not None and variable.owner is not self.procedure:
            self.procedure.captured.setdefault(variable, place.span)
            variable.is_captured = True
            if not is_scalar(variable.type):
                variable.keep_in_memory("a nested procedure uses it", place.span)
        if not is_scalar(place.type) and not place.is_behind_pointer:
            variable.keep_in_memory("it is used as a whole", place.span)

    def change(self, place: t.Place, reference: bool = False) -> None:
        """Record an assignment to a place, or that a VAR parameter refers to it."""
        variable = place.variable
        self._use(place)
        if place.is_behind_pointer or variable.is_reference:
            return
        variable.assigned.append(place.span)
        if reference:
            variable.keep_in_memory("it is the argument for a VAR parameter", place.span)
        if variable.owner is not self.procedure:
            variable.keep_in_memory("a nested procedure assigns it", place.span)

    # ----------------------------------------------------------------------------------------------------- calls

    def call(self, node: tree.Call) -> Computation[t.Expression]:
        """The call. Its type is `NIL` if it returns no value."""
        found, selectors = self.entry(node.callee.name, node.callee.selectors)
        if isinstance(found, Predeclared) and not selectors:
            predeclared: t.Expression = yield self._predeclared(found.name, node)
            return predeclared
        if isinstance(found, t.Procedure) and not selectors:
            self.procedure.used.setdefault(found, node.span)
            callee: t.Procedure | t.Load = found
            type = type_of(found)
        else:
            load = yield self._value_of(node.callee)
            if not isinstance(load.type, ty.Procedure) or not isinstance(load, t.Load):
                if load.type is not UNKNOWN:
                    message = f"only procedures can be called, but this is {_named(load.type)}"
                    self.errors.add(message, node.callee.span, "type-mismatch")
                return t.Constant(UNKNOWN, 0, node.span)
            callee, type = load, load.type
        names = [each.name for each in found.parameters] if isinstance(found, t.Procedure) else []
        arguments = yield self._arguments(node, type.parameters, names)
        return t.Call(callee, arguments, type.result or NIL, node.span)

    def _arguments(
        self, node: tree.Call, formals: Sequence[Formal], names: list[str]
    ) -> Computation[list[t.Expression | t.Place]]:
        if not self._has_count(node, node.callee.name.text, len(formals)):
            return []
        found = []
        for number, (formal, argument) in enumerate(zip(formals, node.arguments, strict=True)):
            what = f"argument `{names[number]}`" if names else f"argument {number + 1}"
            if formal.is_reference:
                found.append((yield self._reference(formal, argument, what)))
            else:
                value = yield self.expression(argument)
                self.require(value, formal.type, what)
                found.append(value.place if isinstance(value, t.Load) and not is_scalar(value.type) else value)
        return found

    def _has_count(self, node: tree.Call, name: str, count: int) -> bool:
        """Whether the call has `count` arguments; reports another number."""
        given = len(node.arguments)
        if given != count:
            takes = f"{count or 'no'} argument{'s' * (count != 1)}"
            message = f"`{name}` takes {takes}, but {given} {'is' if given == 1 else 'are'} given"
            self.errors.add(message, node.span, "argument-count")
        return given == count

    def _reference(self, formal: Formal, node: tree.Expression, what: str) -> Computation[t.Expression | t.Place]:
        unknown = t.Constant(UNKNOWN, 0, node.span)
        if not isinstance(node, tree.Designator):
            return self.errors.add(f"{what} must be a variable, for a VAR parameter", node.span, "assignment")
        place = yield self.place(node, what)
        if place is None:
            return unknown
        if not same(formal.type, place.type):
            message = f"{what} must be a variable of the type {_named(formal.type)}, not {_named(place.type)}"
            return self.errors.add(message, node.span, "type-mismatch")
        self.change(place, reference=True)
        return cast(t.Place, place)

    def require(self, value: t.Expression, type: Type, what: str) -> None:
        """Report a value that cannot be assigned to a variable of the type."""
        if not ty.is_assignable(type, value.type):
            message = f"{what} must be {_named(type)}, but this is {_named(value.type)}"
            self.errors.add(message, value.span, "type-mismatch")

    def _predeclared(self, name: str, node: tree.Call) -> Computation[t.Expression]:
        formals = PREDECLARED.get(name, [("pointer", NIL)])
        if not self._has_count(node, name, len(formals)):
            return t.Constant(UNKNOWN, 0, node.span)
        if name in PREDECLARED:
            arguments = []
            for (formal, type), argument in zip(formals, node.arguments, strict=True):
                arguments.append((yield self.expression(argument)))
                self.require(arguments[-1], type, f"argument `{formal}`")
            return t.Call(name, arguments, NIL, node.span)
        argument = node.arguments[0]
        place = None
        if isinstance(argument, tree.Designator):
            place = yield self.place(argument, "the argument")
        if place is None or not isinstance(place.type, ty.Pointer):
            message = f"the argument of `{name}` must be a variable of a pointer type"
            return self.errors.add(message, argument.span, "type-mismatch")
        self.change(place)
        return t.Call(name, [place], NIL, node.span)


def value_of(expression: t.Expression) -> int | None:
    """The value of the expression, if it is constant."""
    return expression.value if isinstance(expression, (t.Constant, t.Unary, t.Binary)) else None


def _folded(op: str, type: Type, *operands: t.Expression) -> int | None:
    constants = [Constant(ty.scalar(each.type), value) for each in operands if (value := value_of(each)) is not None]
    found = fold(Primitive(op, tuple(constants), ty.scalar(type))) if len(constants) == len(operands) else None
    return None if found is None else int(found.value)


def type_of(procedure: t.Procedure) -> ty.Procedure:
    """The type of the procedure as a value."""
    formals = [Formal(each.is_reference, each.type) for each in procedure.parameters]
    return ty.Procedure(procedure_type_name(formals, procedure.result), formals, procedure.result)


def procedure_type_name(formals: Sequence[Formal], result: Type | None) -> str:
    """The name of a procedure type without one."""
    shown = ", ".join(f"VAR {each.type.name}" if each.is_reference else each.type.name for each in formals)
    returned = f": {result.name}" if result else ""
    return f"PROCEDURE ({shown}){returned}" if shown or result else "PROCEDURE"


def _named(type: Type) -> str:
    return type.name if type in (UNKNOWN, STRING) else f"`{type.name}`"
