"""The lowering of expressions to values.

In C, comparisons, `!`, `&&` and `||` have the type `int`. Here their values are `bool`: the integer promotions convert
them to `int` in computations, and conditions use them without a conversion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.diagnostics import POISON, misspelt_keyword
from cpsconv.frontends.c.lowering.calls import Calls
from cpsconv.frontends.c.lowering.conversions import origin
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.value_warnings import SILENT_ON_VARIABLES, Operands
from cpsconv.frontends.c.meaning.constants import UNARY_PRIMITIVES
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.headers import header_defining
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.frontends.c.types import UNKNOWN, common_type, negated, operand_types, promoted, type_of, zero_like
from cpsconv.ir import BOOL, INT, STRING, UNSIGNED_LONG, VOID, Constant, Scalar, Value
from cpsconv.operations.table import OPERATIONS
from cpsconv.operations.types import is_float
from cpsconv.trampoline import Computation, Step, run


class Expressions(Calls):
    """Lowers the expressions of one function."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.discarded: Expression | None = None  # its value is not used: an assigned variable does not count as used
        self._leaves: dict[type, Callable[[Any], Value]] = {c.Literal: self._literal, c.Name: self._name}
        self._values: dict[type, Callable[[Any], Step[Value | None]]] = {
            **self._leaves,
            c.StringLiteral: self._string,
            c.Erroneous: self._erroneous,
            c.Unary: self._unary,
            c.Increment: self._increment,
            c.Binary: self._binary,
            c.Logical: self.logical,
            c.Conditional: self._conditional,
            c.Assign: self._assign,
            c.Comma: self._comma,
            c.Cast: self._cast,
            c.SizeOf: self._size_of,
            c.CallExpression: self.call,
        }

    # ---------------------------------------------------------------------------------------------- entry points

    def discard(self, node: Expression) -> None:
        """Lower a whole expression whose value is not used."""
        self.discarded = node
        run(self.part(node))
        if self.has_inner_change:
            self.check_sequence(node)

    def value(self, node: Expression) -> Value | None:
        """The value of a whole expression; None for `void`, `POISON` for an erroneous expression."""
        value: Value | None = run(self.part(node))
        if self.has_inner_change:
            self.check_sequence(node)
        return value

    def converted(self, node: Expression, type: Scalar) -> Value:
        """The value of a whole expression, converted as if by assignment to a variable of that type."""
        return self.assigned(type, self.value(node), node)

    def part(self, node: Expression) -> Step[Value | None]:
        """The value of a subexpression, or the computation of the value."""
        return self._values[type(node)](node)

    def _size_of(self, node: c.SizeOf) -> Computation[Value]:
        """The value of `sizeof`: a constant, or `POISON` for an erroneous operand."""
        operand = node.operand
        if isinstance(operand, c.StringLiteral):
            return self._size(node, len(operand.value) + 1)
        if isinstance(operand, Scalar):
            type = operand
        else:
            kept, self.emit = self.emit, Emitter(Builder())
            warnings = len(self.errors.warnings)
            self.emit.function("discarded", [], VOID)
            value = self.data((yield self.part(operand)), operand)
            self.emit = kept
            del self.errors.warnings[warnings:]  # the operand is not evaluated
            type = INT if _is_truth(operand) else type_of(value)
        if type is UNKNOWN:
            return POISON
        if type is VOID:
            return self.errors.report("void", "`void` has no size", node.span)
        return self._size(node, type.bits // 8)

    def _size(self, node: c.SizeOf, size: int) -> Value:
        constant = Constant(UNSIGNED_LONG, size)
        self.checks.record(node, constant)
        return constant

    # ------------------------------------------------------------------------------------------- literals and names

    def _literal(self, node: c.Literal) -> Value:
        return Constant(node.type, node.value)

    def _string(self, node: c.StringLiteral) -> Value:
        return Constant(STRING, node.value.partition("\0")[0])  # strings are only printed, up to the first zero

    def _name(self, node: c.Name) -> Value:
        binding = self.scopes.find(node.name)
        if binding is None:
            return self._no_variable(node)
        binding.is_used = True
        return self.emit.read(binding.variable, node.span)

    def _no_variable(self, node: c.Name) -> Value:
        """Report a name that denotes no variable, once for each name."""
        name = node.name
        if name in self.scopes.undeclared or self.functions.may_be_declared(name):
            return POISON
        self.scopes.undeclared.add(name)
        if name in self.functions.visible or self.functions.library(name):
            message = f"`{name}` is a function; functions as values are not supported yet"
            return self.errors.report("unsupported", message, node.span, help=f"to call it, write `{name}(…)`")
        header = header_defining(name)
        help = f"add `#include <{header}>`" if header else self.errors.suggestion(name, self.scopes.names())
        if not help and (near := misspelt_keyword(name)):
            help = f"did you mean `{near}`?"
        return self.errors.report("undeclared", f"`{name}` is not declared", node.span, help=help)

    def _erroneous(self, node: c.Erroneous) -> Computation[Value]:
        """Lower the parts of an erroneous expression, only to report their errors."""
        for part in node.parts:
            yield self.part(part)
        return POISON

    # -------------------------------------------------------------------------------------------------- arithmetic

    def _unary(self, node: c.Unary) -> Computation[Value]:
        operand = self.data((yield self.part(node.operand)), node.operand)
        if operand is POISON:
            return POISON
        if node.op == "!":
            if operand.type is BOOL:
                return self.emit.primitive("!", operand, span=node.span)
            return self.emit.primitive("==", operand, zero_like(operand), span=node.span)
        type = promoted(type_of(operand))
        if node.op == "~" and is_float(type):
            return self.errors.report("type-mismatch", f"`~` needs an integer, not `{type}`", node.span)
        if node.op == "~" and operand.type is BOOL:
            message = "`~` of a truth value is never zero"
            self.errors.warn("bool-operation", message, node.span, help="did you mean `!`?")
        value = self.convert(type, operand, node.span)
        self.checks.unary(node, type)
        if node.op == "+":
            return value
        if node.op == "-" and isinstance(node.operand, c.Literal) and isinstance(value, Constant):
            return negated(value)
        return self.emit.primitive(UNARY_PRIMITIVES[node.op], value, span=node.span)

    def _binary(self, node: c.Binary) -> Step[Value]:
        """The value itself if both operands are names or literals, the frequent case; else its computation."""
        left, right = self._leaves.get(type(node.left)), self._leaves.get(type(node.right))
        if left and right:
            return self._arithmetic(node.op, left(node.left), right(node.right), node, (node.left, node.right))
        return self._nested_binary(node)

    def _nested_binary(self, node: c.Binary) -> Computation[Value]:
        self.tree.binary(node)
        left = self.data((yield self.part(node.left)), node.left)
        right = self.data((yield self.part(node.right)), node.right)
        if type(node.left) is c.Unary:
            self.checks.negated_operand(node, left, right)
        return self._arithmetic(node.op, left, right, node, (node.left, node.right))

    def _arithmetic(self, op: str, left: Value, right: Value, node: Expression, nodes: Operands | None = None) -> Value:
        """The operation of `node` on both operands, after C's conversions of operands. `nodes` are the operands."""
        if left is POISON or right is POISON:
            return POISON
        types = operand_types(op, left.type, right.type)
        if types is None:
            return self.errors.report(
                "type-mismatch", f"`{op}` needs integers, not `{left.type}` and `{right.type}`", node.span
            )
        if nodes and (type(nodes[0]) is not c.Name or op not in SILENT_ON_VARIABLES):
            self.checks.operation(op, nodes, left, right, types, node)
        if left.type is not types[0]:
            left = self.convert(types[0], left, node.span)
        if right.type is not types[1]:
            right = self.convert(types[1], right, node.span)
        return self.emit.primitive(op, left, right, span=node.span)

    # -------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: c.Assign) -> Computation[Value]:
        if node is not self.discarded or type(node.value) in (c.Assign, c.Increment):
            self.has_inner_change = True
        variable = self._target(node.target, is_used=node.op is not None or node is not self.discarded)
        if variable is None:
            if isinstance(node.target, c.Erroneous):
                yield self.part(node.target)
            self.data((yield self.part(node.value)), node.value)
            return POISON
        if node.op is None:
            if type(node.value) is c.Name and node.value.name == variable.name:
                self.errors.warn("self-assign", f"`{variable.name}` is assigned to itself", node.span)
            value = self.assigned(variable.type, (yield self.part(node.value)), node.value)
        else:
            old = self.emit.read(variable, node.target.span)
            right = self.data((yield self.part(node.value)), node.value)
            combined = self._arithmetic(node.op, old, right, node, (node.target, node.value))
            value = self.convert(variable.type, combined, node.span)
        self.emit.write(variable, value, node.span)
        return value

    def _increment(self, node: c.Increment) -> Value:
        if node is not self.discarded:
            self.has_inner_change = True
        variable = self._target(node.operand)
        if variable is None:
            return POISON
        if variable.type is BOOL:
            self.errors.warn("bool-operation", f"`{node.op}` of a truth value", node.span)
        old = self.emit.read(variable, node.operand.span)
        changed = self._arithmetic(node.op[0], old, Constant(INT, 1), node)
        new = self.convert(variable.type, changed, node.span)
        self.emit.write(variable, new, node.span)
        return new if node.prefix else old

    def _target(self, node: Expression, is_used: bool = True) -> Variable | None:
        """The variable to assign to; None if `node` is not a variable, which is reported.

        The variable counts as used, or else as assigned.
        """
        if not isinstance(node, c.Name | c.Erroneous):
            self.errors.report("not-assignable", "only a variable can be assigned to", node.span)
        if not isinstance(node, c.Name):
            return None
        binding = self.scopes.find(node.name)
        if binding is None:
            self._no_variable(node)
            return None
        binding.is_assigned = True
        binding.is_used = binding.is_used or is_used
        if binding.constant:
            note = ("it is declared here", binding.variable.span)
            self.errors.report("const", f"`{node.name}` is `const` and cannot be assigned to", node.span, notes=[note])
        return binding.variable

    # ------------------------------------------------------------------------------------------------ control flow

    def _comma(self, node: c.Comma) -> Computation[Value | None]:
        self.tree.unused(node.left, "the left operand of `,`")
        is_discarded = node is self.discarded
        self.discarded = node.left
        yield self.part(node.left)
        self.discarded = node.right if is_discarded else None
        value: Value | None = yield self.part(node.right)
        return value

    def _conditional(self, node: c.Conditional) -> Computation[Value | None]:
        """Lower ``?:``. The first value is converted in a continuation of its own: its type depends on both values."""
        self.tree.condition(node.condition)
        emit = self.emit
        then, pending = emit.continuation("then", span=node.then.span), emit.continuation("then", span=node.then.span)
        otherwise, join = emit.continuation("else", span=node.otherwise.span), emit.continuation("join", span=node.span)
        yield self.condition(node.condition, then, otherwise)
        emit.open(then)
        first = yield self.part(node.then)
        emit.jump(pending)
        emit.open(otherwise)
        second = yield self.part(node.otherwise)
        chosen = Variable("chosen", self._type_of_both(first, second, node), node.span)
        for value, arm, following in (second, node.otherwise, pending), (first, node.then, join):
            if chosen.type is not VOID:
                chosen_value = value if chosen.type is STRING else self.convert(chosen.type, value, node.span)
                emit.write(chosen, chosen_value, arm.span)
            emit.jump(join)
            emit.open(following)
        if chosen.type is VOID:
            return None if first is second is None else POISON
        return emit.read(chosen, node.span)

    def _type_of_both(self, first: Value | None, second: Value | None, node: c.Conditional) -> Scalar:
        """The type of a conditional expression with these values; `VOID` if it is `void` or erroneous."""
        if first is POISON or second is POISON or (first is None and second is None):
            return VOID
        if first is not None and second is not None and first.type is second.type is STRING:
            return STRING
        first, second = self.data(first, node.then), self.data(second, node.otherwise)
        if first is POISON or second is POISON:
            return VOID
        common = common_type(type_of(first), type_of(second))
        self.checks.choice(first, second, common, node)
        return common

    def _cast(self, node: c.Cast) -> Computation[Value | None]:
        if node.type is VOID or node.type is UNKNOWN:
            yield self.part(node.operand)
            return None if node.type is VOID else POISON
        operand = self.data((yield self.part(node.operand)), node.operand)
        self.checks.cast(node)
        return self.convert(node.type, operand, origin(node.operand).span)


def _is_truth(node: Expression) -> bool:
    """Whether the type of the expression is `int` in C, while its value here is a `bool`."""
    while isinstance(node, c.Comma):
        node = node.right
    if isinstance(node, c.Binary):
        return OPERATIONS[node.op].kind == "comparison"
    return isinstance(node, c.Logical) or (isinstance(node, c.Unary) and node.op == "!")
