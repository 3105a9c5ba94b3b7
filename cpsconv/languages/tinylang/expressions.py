"""Expressions: their types and values. The result of a comparison is a `bool`; AND and OR are branches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from cpsconv.core.construction import Block
from cpsconv.core.construction import Variable as ProgramVariable
from cpsconv.core.construction.structured import encoded, joined
from cpsconv.core.ir import BOOL, INT, PTR, UNSIGNED_LONG, VOID, Constant, Primitive, Undef, Value
from cpsconv.core.ir import STRING as TEXT
from cpsconv.core.operations.semantics import fold
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang import types as ty
from cpsconv.languages.tinylang.places import NOWHERE, Place, Places
from cpsconv.languages.tinylang.scopes import (
    Entry,
    ModuleEntry,
    Predeclared,
    Procedure,
    Typed,
    TypeEntry,
    Variable,
    constant,
    unknown,
)
from cpsconv.languages.tinylang.types import BOOLEAN, INTEGER, NIL, STRING, UNKNOWN, Formal, Type, is_scalar, named

_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "DIV": "/", "MOD": "%"}
_LOGICAL = {"AND": "&", "OR": "|", "NOT": "!"}
_RELATIONS = {"=": "==", "#": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""The primitives for the operators."""

PREDECLARED: dict[str, list[tuple[str, Type]]] = {
    "WriteInt": [("number", INTEGER), ("width", INTEGER)],
    "WriteString": [("text", STRING)],
    "WriteLn": [],
}
"""The parameters of predeclared procedures. NEW and DISPOSE take a variable of any pointer type."""


class Expressions(Places):
    """The expressions in a procedure. Those with errors have the type `UNKNOWN`, which fits everywhere."""

    def expression(self, node: tree.Expression, is_argument: bool = False) -> Step[Typed]:
        """The value of an expression, also that of a procedure."""
        if isinstance(node, tree.Designator):
            return self._value_of(node, is_argument)
        if isinstance(node, tree.Call):
            return self._result(node)
        if isinstance(node, tree.Operation):
            return self._truth(node) if node.operator in ("AND", "OR") else self._operation(node)
        if isinstance(node.value, int):
            return constant(INTEGER, node.value, node.span)
        return Typed(STRING, encoded(node.value), node.span)

    def constant(self, node: tree.Expression) -> Typed:
        """The value of a constant expression. Reports another one."""
        pending = [node]
        for part in pending:
            if isinstance(part, tree.Operation):
                pending += part.operands
            elif isinstance(part, tree.Call) or (
                isinstance(part, tree.Designator) and isinstance(self.entry(part)[0], (Variable, Procedure))
            ):
                return self.errors.add("this is not a constant", part.span, "constant")
        found = run(self.expression(node))
        if found.type is UNKNOWN:
            return found
        if found.constant is None:
            return self.errors.add("this is not a constant", node.span, "constant")
        return constant(found.type, found.constant, node.span)

    # ------------------------------------------------------------------------------------------------ operators

    def _operation(self, node: tree.Operation) -> Computation[Typed]:
        operands = []
        for each in node.operands:
            operands.append((yield self.expression(each)))
        if len(operands) == 1:
            return self._unary(node, operands[0])
        return self._relation(node, *operands) if node.operator in _RELATIONS else self._arithmetic(node, operands)

    def _unary(self, node: tree.Operation, operand: Typed) -> Typed:
        wanted = BOOLEAN if node.operator == "NOT" else INTEGER
        if not self.is_(operand, wanted, f"the operand of `{node.operator}`"):
            return unknown(node.span)
        if node.operator == "+":
            return operand
        return self._computed("!" if wanted is BOOLEAN else "neg", wanted, node, operand)

    def _computed(self, op: str, type: Type, node: tree.Operation, *operands: Typed) -> Typed:
        value = self.b.primitive(op, *[each.value for each in operands], span=node.span)
        return Typed(type, value, node.span, _folded(op, type, *operands))

    def _relation(self, node: tree.Operation, left: Typed, right: Typed) -> Typed:
        operator = node.operator
        if UNKNOWN in (left.type, right.type):
            return unknown(node.span)
        if not (ty.is_assignable(left.type, right.type) or ty.is_assignable(right.type, left.type)):
            message = f"`{operator}` compares values of one type, not {named(left.type)} and {named(right.type)}"
            return self.errors.add(message, node.span, "type-mismatch")
        addresses = isinstance(left.type, (ty.Pointer, ty.Procedure)) or NIL in (left.type, right.type)
        if left.type not in (INTEGER, BOOLEAN) and not (addresses and operator in ("=", "#")):
            return self.errors.add(f"`{operator}` does not compare {named(left.type)}", node.span, "type-mismatch")
        return self._computed(_RELATIONS[operator], BOOLEAN, node, left, right)

    def _arithmetic(self, node: tree.Operation, operands: list[Typed]) -> Typed:
        operator, op = node.operator, _ARITHMETIC.get(node.operator)
        fits = [self.is_(each, INTEGER, f"an operand of `{operator}`") for each in operands]
        self._warn_of_sign(node)
        if not all(fits):
            return unknown(node.span)
        if op is None:
            message = "`/` divides real numbers, which the language does not have"
            return self.errors.add(message, node.span, "type-mismatch", "write `DIV` for integers")
        if op in ("/", "%") and operands[1].constant == 0:
            self.errors.warn("division by zero", node.span, "div-by-zero")
        return self._computed(op, INTEGER, node, *operands)

    def _warn_of_sign(self, node: tree.Operation) -> None:
        """The sign before a sum belongs to its first term. In the book's compiler, it belongs to the sum."""
        left = node.operands[0]
        if node.operator not in ("+", "-") or not isinstance(left, tree.Operation):
            return
        if len(left.operands) == 1 and left.operator == left.span.source.text[left.span.start] == "-":
            help = "write parentheses"
            self.errors.warn("`-` negates the first term only, not the sum", left.span, "parentheses", help)

    def _truth(self, node: tree.Operation) -> Computation[Typed]:
        """The value of ``AND`` or ``OR``: a variable that each branch assigns."""
        true, false = [self.b.continuation(name, span=node.span, operator=node.operator) for name in ("true", "false")]
        found: Typed = yield self.branch(node, true, false)
        arms = [(true, partial(Constant, BOOL, True)), (false, partial(Constant, BOOL, False))]
        variable = ProgramVariable(node.operator.lower(), BOOL, node.span)
        return found._replace(value=joined(self.b, variable, arms, node.span))

    def branch(self, node: tree.Expression, then: Block, otherwise: Block, what: str = "") -> Computation[Typed]:
        """Jump to `then` if the condition is true, else to `otherwise`. Reports one that is no truth value."""
        if not isinstance(node, tree.Operation) or node.operator not in _LOGICAL:
            found: Typed = yield self.expression(node)
            is_truth = self.is_(found, BOOLEAN, what)
            if is_truth and isinstance(found.value, Constant):
                self.b.jump(then if found.value.value else otherwise, node.span)
            else:
                self.b.branch(found.value if is_truth else Undef(BOOL, ""), then, otherwise, node.span)
            return found if is_truth else unknown(node.span)
        if node.operator == "NOT":
            operand: Typed = yield self.branch(node.operands[0], otherwise, then, "the operand of `NOT`")
            return operand._replace(constant=_folded("!", operand.type, operand))
        right = self.b.continuation(node.operator.lower(), span=node.span, operator=node.operator)
        targets = (right, otherwise) if node.operator == "AND" else (then, right)
        what = f"an operand of `{node.operator}`"
        first: Typed = yield self.branch(node.operands[0], *targets, what)
        self.b.open(right)
        second = yield self.branch(node.operands[1], then, otherwise, what)
        if UNKNOWN in (first.type, second.type):
            return unknown(node.span)
        return first._replace(span=node.span, constant=_folded(_LOGICAL[node.operator], BOOLEAN, first, second))

    # --------------------------------------------------------------------------------------- designators, calls

    def _value_of(self, node: tree.Designator, is_argument: bool = False) -> Computation[Typed]:
        found, selectors = self.entry(node)
        if isinstance(found, Variable):
            place = yield self.selected(found, selectors, node, is_argument)
            if place is None:
                return unknown(node.span)
            self.use(place)
            return Typed(place.type, self.read(place), node.span)
        if isinstance(found, Typed) and not selectors:
            return found._replace(span=node.span)
        if isinstance(found, Procedure) and not selectors:
            self.procedure.used.setdefault(found, node.span)
            self.procedure.values.setdefault(found, node.span)
            return Typed(_type_of(found), self.closures.get(found, NOWHERE), node.span)
        return self._no_value(node, found)

    def _no_value(self, node: tree.Designator, found: Entry | None) -> Typed:
        if found is None:
            return unknown(node.span)
        kinds = {TypeEntry: "a type", ModuleEntry: "a module", Predeclared: "a predeclared procedure"}
        kind = kinds.get(type(found))
        if kind is None:
            return self.errors.add(f"`{node.name.text}` has no parts", node.span, "type-mismatch")
        return self.errors.add(f"`{node.name.text}` is {kind}, not a value", node.name.span, "type-mismatch")

    def use(self, place: Place) -> None:
        """Record a use of the variable of a place."""
        variable = place.variable
        if variable.owner is not None and variable.owner is not self.procedure:
            self.procedure.captured.setdefault(variable, place.span)
            variable.is_captured = True
            if not is_scalar(variable.type):
                variable.keep_in_memory("a nested procedure uses it", place.span)
        if not is_scalar(place.type) and not place.is_behind_pointer:
            variable.keep_in_memory("it is used as a whole", place.span)

    def change(self, place: Place, reference: bool = False) -> None:
        """Record an assignment to a place, or that a VAR parameter refers to it."""
        variable = place.variable
        self.use(place)
        if place.is_behind_pointer or variable.is_reference:
            return
        variable.assigned.add(place.span.start)
        if reference:
            variable.keep_in_memory("it is the argument for a VAR parameter", place.span)
        if variable.owner is not self.procedure:
            variable.keep_in_memory("a nested procedure assigns it", place.span)

    def _result(self, node: tree.Call) -> Computation[Typed]:
        call: Typed = yield self.call(node)
        if call.type is not NIL:
            return call
        return self.errors.add(f"procedure `{node.callee.name.text}` returns no value", node.span, "type-mismatch")

    def call(self, node: tree.Call) -> Computation[Typed]:
        """The result of the call, of the type `NIL` if it returns no value."""
        found, selectors = self.entry(node.callee)
        if isinstance(found, Predeclared) and not selectors:
            predeclared: Typed = yield self._predeclared(found.name, node)
            return predeclared
        closure, names = NOWHERE, list[str]()
        if isinstance(found, Procedure) and not selectors:
            self.procedure.used.setdefault(found, node.span)
            type, names = _type_of(found), [each.name for each in found.parameters]
        else:
            callee = yield self._value_of(node.callee)
            type, closure = callee.type, callee.value
            if not isinstance(type, ty.Procedure):
                if type is not UNKNOWN:
                    message = f"only procedures can be called, but this is {named(type)}"
                    self.errors.add(message, node.callee.span, "type-mismatch")
                return unknown(node.span)
        arguments = yield self._arguments(node, type.parameters, names)
        result = VOID if type.result is None else ty.scalar(type.result)
        returned: Value | None = Undef(result, "")
        if arguments is None:
            pass
        elif isinstance(found, Procedure):
            returned = self._called(found, arguments, node.span)
        else:
            code = self.b.effect("load", closure, type=PTR, span=node.callee.span)
            returned = self.b.call_through(code, [closure, *arguments], result, node.span)
        return Typed(type.result or NIL, returned or NOWHERE, node.span)

    def _called(self, procedure: Procedure, arguments: list[Value], span: Span | None) -> Value | None:
        """The result of a call of a declared procedure. One in `Nest.around` gets a closure for the call."""
        b, function = self.b, self.nest.function(procedure)
        if procedure not in self.nest.around:
            return b.call(function, arguments, span)
        if procedure is self.nest.root:
            return b.call(function, [self._own_closure(), *arguments], span)
        closure = b.effect("allocate", of=self.items.closure(procedure), name=f"closure of {procedure.name}", span=span)
        self.items.fill_closure(
            procedure, closure, [self._current(each, procedure.span) for each in procedure.captured]
        )
        returned = b.call(function, [closure, *arguments], span)
        b.effect("deallocate", closure, span=span)
        return returned

    def _own_closure(self) -> Value:
        assert self.nest.closure is not None
        return self.nest.closure if self.procedure is self.nest.root else self.b.free(self.nest.closure)

    def _arguments(
        self, node: tree.Call, formals: Sequence[Formal], names: Sequence[str]
    ) -> Computation[list[Value] | None]:
        """The values and addresses of the arguments; None after an error."""
        if not self._has_count(node, len(formals)):
            return None
        found: list[Value] = []
        for number, (formal, argument) in enumerate(zip(formals, node.arguments, strict=True)):
            what = f"argument `{names[number]}`" if names else f"argument {number + 1}"
            if formal.is_reference:
                address: Value | None = yield self._reference(formal, argument, what)
                found += [address] if address else []
            else:
                value = yield self.expression(argument, is_argument=not is_scalar(formal.type))
                found += [value.value] if self.require(value, formal.type, what) else []
        return found if len(found) == len(formals) else None

    def _has_count(self, node: tree.Call, count: int) -> bool:
        """Whether the call has `count` arguments; reports another number."""
        given = len(node.arguments)
        if given != count:
            takes = f"{count or 'no'} argument{'s' * (count != 1)}"
            message = f"`{node.callee.name.text}` takes {takes}, but {given} {'is' if given == 1 else 'are'} given"
            self.errors.add(message, node.span, "argument-count")
        return given == count

    def _reference(self, formal: Formal, node: tree.Expression, what: str) -> Computation[Value | None]:
        if not isinstance(node, tree.Designator):
            self.errors.add(f"{what} must be a variable, for a VAR parameter", node.span, "assignment")
            return None
        place = yield self.place(node, what, is_argument=True)
        if place is None:
            return None
        if not ty.same(formal.type, place.type):
            message = f"{what} must be a variable of the type {named(formal.type)}, not {named(place.type)}"
            self.errors.add(message, node.span, "type-mismatch", _advice(formal.type, place.type))
            return None
        self.change(place, reference=True)
        return NOWHERE if isinstance(place.location, ProgramVariable) else place.location

    def require(self, value: Typed, type: Type, what: str) -> bool:
        """Whether the value can be assigned to a variable of the type; reports another known one."""
        if not ty.is_assignable(type, value.type):
            message = f"{what} must be {named(type)}, but this is {named(value.type)}"
            self.errors.add(message, value.span, "type-mismatch", _advice(type, value.type))
            return False
        return UNKNOWN not in (type, value.type)

    def _predeclared(self, name: str, node: tree.Call) -> Computation[Typed]:
        if name in PREDECLARED:
            formals = [Formal(False, type) for _, type in PREDECLARED[name]]
            values = yield self._arguments(node, formals, [formal for formal, _ in PREDECLARED[name]])
            if values is None:
                return unknown(node.span)
            self._write(name, values, node.span)
        elif not self._has_count(node, 1):
            return unknown(node.span)
        else:
            argument, place = node.arguments[0], None
            if isinstance(argument, tree.Designator):
                place = yield self.place(argument, "the argument")
            if place is None or not isinstance(place.type, ty.Pointer):
                message = f"the argument of `{name}` must be a variable of a pointer type"
                return self.errors.add(message, argument.span, "type-mismatch")
            self.change(place)
            self._allocation(name, place, place.type, node.span)
        return Typed(NIL, NOWHERE, node.span)

    def _write(self, name: str, values: list[Any], span: Span) -> None:
        b = self.b
        if name == "WriteLn":
            b.effect("putchar", Constant(INT, ord("\n")), span=span)
        elif name == "WriteString":
            b.effect("printf", Constant(TEXT, values[0].value.replace("%", "%%")), span=span)
        elif isinstance(values[1], Constant):
            width = str(values[1].value) if values[1].value else ""
            b.effect("printf", Constant(TEXT, f"%{width}ld"), values[0], span=span)
        else:
            b.effect("printf", Constant(TEXT, "%*ld"), b.convert(INT, values[1]), values[0], span=span)

    def _allocation(self, name: str, place: Place, type: ty.Pointer, span: Span) -> None:
        if name == "NEW":
            size = Constant(UNSIGNED_LONG, self.items.object_type(type.target).size)
            self.write(place, self.b.effect("malloc", size, span=span), span)
        else:
            self.b.effect("free", self.read(place._replace(span=span)), span=span)
            self.write(place, Constant(PTR, 0), span)


def _advice(wanted: Type, found: Type) -> str | None:
    """The help for a mismatch of types of the same name."""
    return "types are equal if they have one declaration: declare a name" if wanted.name == found.name else None


def _folded(op: str, type: Type, *operands: Typed) -> int | None:
    values = tuple(constant(each.type, each.constant).value for each in operands if each.constant is not None)
    found = fold(Primitive(op, values, ty.scalar(type))) if len(values) == len(operands) else None
    return None if found is None else int(found.value)


def _type_of(procedure: Procedure) -> ty.Procedure:
    """The type of the procedure as a value."""
    formals = [Formal(each.is_reference, each.type) for each in procedure.parameters]
    return ty.procedure_type(formals, procedure.result)
