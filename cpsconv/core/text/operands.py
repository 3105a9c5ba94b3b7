"""Elaboration of expressions: values, and the statements that compute them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cpsconv.core import ir
from cpsconv.core.operations.table import CONVERT, EFFECTS, OPERATIONS, result_type, takes_address
from cpsconv.core.source import Diagnostic, Source
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.plan import Alias
from cpsconv.core.text.reporter import Reporter
from cpsconv.core.text.spelling import is_callable, quote_operation, suggestion, unquote_name

if TYPE_CHECKING:
    from cpsconv.core.text.further_operands import FurtherOperands
    from cpsconv.core.text.objects import ObjectTypes


class Operands(Reporter):
    """Elaborates expressions to values, and adds the statements that compute them to `body`.

    `pending` are the referenced continuations whose bodies are not elaborated yet. `ordered` means that each body is
    elaborated after the bodies that dominate it. `settled` are the definitions that are elaborated, or reported as
    errors. With `aliases`, a further name of a value is an `Alias`. A value is `None` after an error, which has been
    reported.
    """

    hint = "k"
    """The name of abstractions."""

    def __init__(self, source: Source, diagnostics: list[Diagnostic], aliases: bool = False) -> None:
        super().__init__(source, diagnostics)
        self.aliases = aliases
        self.body: list[ir.Statement] = []
        self.pending: list[cps.Abstraction] = []
        self.ordered = True
        self.settled: set[cps.Definition] = set()
        self._own: set[cps.Definition] = set()

    @cached_property
    def types(self) -> ObjectTypes:
        """The elaboration of types of objects and of attributes, loaded on use: many texts have none."""
        from cpsconv.core.text.objects import ObjectTypes

        return ObjectTypes(self.source, self.diagnostics)

    @cached_property
    def further(self) -> FurtherOperands:
        """The elaboration of operations on memory and of foreign ones, loaded on use."""
        from cpsconv.core.text.further_operands import FurtherOperands

        return FurtherOperands(self)

    def begin(self, member: ir.Continuation, body: cps.Body) -> None:
        """Start to elaborate the body of `member`."""
        self.body = member.body
        self._own = set(body.statements)

    def parameters(self, nodes: list[cps.ParameterNode]) -> list[ir.Parameter]:
        """New parameters, for the nodes of a parameter list."""
        for node in nodes:
            node.value = ir.Parameter(node.type.type, cps.name_of(node), self.span(node))
            if node.attributes or node.mark:
                node.value.attributes = self.types.of_parameter(node)
        return [node.value for node in nodes if node.value]

    def continuation(self, node: cps.Abstraction) -> ir.Continuation:
        """The continuation of a referenced definition or of an abstraction."""
        if node.value is None:
            node.value = ir.Continuation(
                cps.name_of(node) or self.hint, self.parameters(node.parameters), span=self.span(node)
            )
            self.pending.append(node)
        return node.value

    def statement(self, node: cps.Binding) -> None:
        """Elaborate ``v := expression;``. If the expression is a name or literal, `v` is another name of its value."""
        if node.keyword and node.keyword.text not in ("in", "with"):
            self.unexpected("`with`", node.keyword)
        node.value = self.value(node.expression)
        self.settled.add(node)
        is_leaf = isinstance(node.expression, (cps.Name, cps.Literal, cps.Undefined))
        if self.aliases and is_leaf and node.value and isinstance(node.value.type, ir.Scalar):
            node.value = Alias(CONVERT, (node.value,), node.value.type, cps.name_of(node), self.span(node))
            self.body.append(node.value)
        if node.keyword and isinstance(node.value, ir.Effect):
            self.further.check_memory(node, node.keyword.text, node.value)
        if node.attributes:
            self._attribute(node)
        if (
            node.name
            and isinstance(node.value, (ir.Primitive, ir.Effect))
            and not isinstance(node.expression, cps.Name)
        ):
            node.value.name = cps.name_of(node)

    def _attribute(self, node: cps.Binding) -> None:
        """Add the attributes of a statement, which must compute something."""
        attributes = self.types.attributes(node.attributes, "statement")
        if isinstance(node.value, (ir.Primitive, ir.Effect)) and not isinstance(node.expression, cps.Name):
            node.value.attributes = {**attributes, **node.value.attributes}
        elif node.value is not None:
            self.error("attribute", "attributes are before an operation, but this is only another name", node)

    def value(self, expression: cps.Expression) -> ir.Value | None:
        """The value of an expression, whose operations are elaborated from left to right."""
        if isinstance(expression, (cps.Name, cps.Literal)):
            return self._leaf(expression)
        values: list[ir.Value | None] = []
        for node in _postorder(expression):
            if isinstance(node, (cps.Operation, cps.Application)):
                start = len(values) - len(node.arguments)
                values[start:] = [self._computed(node, values[start:])]
            else:
                values.append(self._leaf(node))
        return values[0]

    def _leaf(self, node: cps.Name | cps.Literal | cps.Undefined | cps.Abstraction) -> ir.Value | None:
        if isinstance(node, cps.Name):
            return self.named(node)
        if isinstance(node, cps.Literal):
            return self.literal(node)
        if isinstance(node, cps.Undefined):
            return ir.Undef(node.type, unquote_name(node.name), self.span(node))
        return self.continuation(node)

    def named(self, name: cps.Name) -> ir.Value | None:
        """The value of a name's definition, which must dominate this use."""
        definition = name.definition
        if definition is None:
            return None
        if isinstance(definition, cps.Abstraction):
            return self.continuation(definition)
        if definition.value is None and definition not in self.settled:
            self.settled.add(definition)  # so that the error is reported once
            shown = unquote_name(name.word)
            if definition in self._own:
                self.error("scope", f"`{shown}` is not defined yet", name)
            elif self.ordered:
                self.error("scope", f"`{shown}` is not computed on every path to this use", name)
        return definition.value

    def _computed(self, node: cps.Operation | cps.Application, operands: Sequence[ir.Value | None]) -> ir.Value | None:
        """The statement of an operation, added to the body."""
        op = unquote_name(node.name.word) if isinstance(node, cps.Application) else node.op
        if isinstance(node, cps.Application) and not (is_callable(op) and node.name.word == quote_operation(op)):
            message = f"there is no operation `{op}`; functions and continuations are called at the end of a body"
            form = f"the result is the parameter of what follows: `{op}(…, λ(v : int). …)`"
            self.error("unknown-operation", message, node, suggestion(op, filter(is_callable, OPERATIONS)) or form)
            return None
        values = [operand for operand in operands if operand is not None]
        if len(values) < len(operands):
            return None
        is_on_memory = bool(values) and values[-1].type is ir.MEMORY
        if is_on_memory or isinstance(node, (cps.MemoryOperation, cps.ForeignOperation)) or op not in OPERATIONS:
            return self.further.computed(node, op, values)
        return self.typed(node, op, values)

    def typed(
        self,
        node: cps.Operation | cps.Application,
        op: str,
        values: Sequence[ir.Value],
        target: ir.Scalar | None = None,
        static: ir.Foreign | None = None,
    ) -> ir.Value | None:
        """The statement of an operation whose result has the type that its row states, or else the `target`."""
        if isinstance(node, cps.Conversion):
            target = node.type
        type = _result(op, [value.type for value in values], target)
        if isinstance(node, cps.Conversion) and takes_address(op, values, node.type):
            type = node.type
        if type is None:
            types = " and ".join(str(value.type) for value in values)
            shown = node.type if isinstance(node, cps.Conversion) else static or OPERATIONS[op].symbol
            message = f"`{shown}` does not take {types}" if types else f"`{shown}` needs an argument"
            self.error("type-mismatch", message, node)
            return None
        return self.added(op, values, type, node, static)

    def added(
        self, op: str, operands: Sequence[ir.Value], type: ir.Scalar, node: cps.Expression, of: ir.Static = None
    ) -> ir.Statement:
        """A new statement, the last one of the body."""
        kind = ir.Effect if op in EFFECTS else ir.Primitive
        statement = kind(op, tuple(operands), type, None, self.span(node), of)
        self.body.append(statement)
        return statement


def _result(op: str, types: Sequence[ir.Type], target: ir.Scalar | None) -> ir.Scalar | None:
    """The type of the result; `None` if the operation does not take operands of these types."""
    if any(type is ir.VOID or isinstance(type, ir.ContinuationType) for type in types):
        return None
    return result_type(op, tuple(types), target)


def _postorder(root: cps.Expression) -> list[cps.Expression]:
    """The nodes of an expression in postorder: operands from left to right, then their user."""
    order: list[cps.Expression] = []
    pending = [root]
    while pending:
        node = pending.pop()
        order.append(node)
        if isinstance(node, (cps.Operation, cps.Application)):
            pending += node.arguments
    order.reverse()
    return order
