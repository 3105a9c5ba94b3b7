"""Elaboration of expressions: values, and the statements that compute them."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core import ir
from cpsconv.core.operations.table import (
    ALLOCATE,
    CONVERT,
    COPY,
    EFFECTS,
    ELEMENT,
    FIELD,
    LOAD,
    OPERATIONS,
    STORE,
    memory_of,
    result_type,
    takes_address,
)
from cpsconv.core.operations.types import is_convertible
from cpsconv.core.source import Diagnostic, Source
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.objects import ObjectTypes, Reporter
from cpsconv.core.text.plan import Alias
from cpsconv.core.text.spelling import CALLABLE, suggestion, unquote_name


class Operands(Reporter):
    """Elaborates expressions to values, and adds the statements that compute them to `body`.

    `pending` are the referenced continuations whose bodies are not elaborated yet. `ordered` means that each body is
    elaborated after the bodies that dominate it. `settled` are the definitions that are elaborated, or reported as
    errors. With `aliases`, a further name of a value is an `Alias`. A value is `None` after an error, which has been
    reported.
    """

    hint = "k"
    """The name of abstractions."""

    def __init__(
        self, source: Source, diagnostics: list[Diagnostic], types: ObjectTypes, aliases: bool = False
    ) -> None:
        super().__init__(source, diagnostics)
        self.types = types
        self.aliases = aliases
        self.body: list[ir.Statement] = []
        self.pending: list[cps.Abstraction] = []
        self.ordered = True
        self.settled: set[cps.Definition] = set()
        self._own: set[cps.Definition] = set()

    def begin(self, member: ir.Continuation, body: cps.Body) -> None:
        """Start to elaborate the body of `member`."""
        self.body = member.body
        self._own = set(body.statements)

    def parameters(self, nodes: list[cps.ParameterNode]) -> list[ir.Parameter]:
        """New parameters, for the nodes of a parameter list."""
        for node in nodes:
            node.value = ir.Parameter(node.type.type, cps.name_of(node), self.span(node))
            if node.attributes:
                node.value.attributes = self.types.attributes(node.attributes, "parameter")
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
        if isinstance(node.value, ir.Effect):
            self._check_memory(node, node.value)
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
            node.value.attributes = attributes
        elif node.value is not None:
            self.error("attribute", "attributes are before an operation, but this is only another name", node)

    def _check_memory(self, node: cps.Binding, effect: ir.Effect) -> None:
        """An effect with a memory is written with ``with`` if it changes the memory, else with ``in``."""
        if memory_of(effect) is None:
            return
        wanted = "with" if effect.type is ir.MEMORY else "in"
        if node.keyword is None or node.keyword.text == wanted:
            return
        verb = "changes" if wanted == "with" else "does not change"
        help = "write `m1 := m with …;`" if wanted == "with" else "write `… in m;`"
        self.error("type-mismatch", f"`{effect.op}` {verb} the memory", node, help)

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
        op = node.name.word if isinstance(node, cps.Application) else node.op
        if isinstance(node, cps.Application) and op not in CALLABLE:
            message = f"there is no operation `{op}`; functions and continuations are called at the end of a body"
            form = f"the result is the parameter of what follows: `{op}(…, λ(v : int). …)`"
            self.error("unknown-operation", message, node, suggestion(op, CALLABLE) or form)
            return None
        values = [operand for operand in operands if operand is not None]
        if len(values) < len(operands):
            return None
        if op not in OPERATIONS or (_has_memory(values) and not _takes_memory(op, len(values))):
            self.error("type-mismatch", "only an access to memory takes place in a memory", node)
            return None
        if isinstance(node, cps.MemoryOperation):
            return self._memory_operation(node, values)
        type = _result(node, op, [value.type for value in values])
        if isinstance(node, cps.Conversion) and takes_address(op, values, node.type):
            type = node.type
        if type is None:
            types = " and ".join(str(value.type) for value in values)
            shown = node.type if isinstance(node, cps.Conversion) else OPERATIONS[op].symbol
            message = f"`{shown}` does not take {types}" if types else f"`{shown}` needs an argument"
            self.error("type-mismatch", message, node)
            return None
        return self._statement(op, values, type, node)

    def _memory_operation(self, node: cps.MemoryOperation, operands: Sequence[ir.Value]) -> ir.Value | None:
        """The statement of an operation on objects of the type `node.of`."""
        of = self.types.of(node.of)
        if of is None:
            return None
        if node.op in (LOAD, STORE):
            return self._access(node, of, operands)
        static: ir.Static = of
        if node.op == FIELD:
            assert node.field
            static = self.types.field(of, node.field)
            if static is None:
                return None
        elif node.op == ELEMENT and node.field and node.field.text != "at":
            self.error("syntax", f"expected `at`, found `{node.field.text}`", node)
            return None
        types = tuple(operand.type for operand in operands)
        type = result_type(node.op, types)
        if type is None:
            self.error("type-mismatch", _mismatch(node.op, types[: len(types) - _has_memory(operands)]), node)
            return None
        statement = self._statement(node.op, operands, type, node, static)
        if isinstance(statement, ir.Effect):
            statement.alignment, statement.on_stack = self.types.placement(node.placement)
        return statement

    def _access(self, node: cps.MemoryOperation, of: ir.ObjectType, operands: Sequence[ir.Value]) -> ir.Value | None:
        """A load or store of a scalar."""
        *value, address = operands[:-1] if _has_memory(operands) else operands
        if not isinstance(of, ir.Scalar):
            message = f"`{of}` is no scalar type: its values are only copied, as in `{of}[p] := {of}[q]`"
            self.error("type-mismatch", message, node)
        elif address.type is not ir.PTR:
            self.error("type-mismatch", f"`{of}[…]` takes ptr, not {address.type}", node)
        elif value and value[0].type is not of:
            help = f"convert it: `{of}(…)`" if is_convertible(value[0].type, of) else None
            self.error("type-mismatch", f"`{of}[…] :=` takes {of}, not {value[0].type}", node, help)
        else:
            changed = ir.MEMORY if _has_memory(operands) else ir.VOID
            return self._statement(node.op, operands, changed if value else of, node)
        return None

    def _statement(
        self, op: str, operands: Sequence[ir.Value], type: ir.Scalar, node: cps.Expression, of: ir.Static = None
    ) -> ir.Statement:
        kind = ir.Effect if op in EFFECTS else ir.Primitive
        statement = kind(op, tuple(operands), type, None, self.span(node), of)
        self.body.append(statement)
        return statement


def _takes_memory(op: str, count: int) -> bool:
    """Whether the last of so many operands may be a memory: that of an effect, or an operand as any other."""
    return op in EFFECTS or count == OPERATIONS[op].arity


def _has_memory(operands: Sequence[ir.Value]) -> bool:
    return bool(operands) and operands[-1].type is ir.MEMORY


def _result(node: cps.Operation | cps.Application, op: str, types: Sequence[ir.Type]) -> ir.Scalar | None:
    """The type of the result; `None` if the operation does not take operands of these types."""
    if any(type is ir.VOID or isinstance(type, ir.ContinuationType) for type in types):
        return None
    return result_type(op, tuple(types), node.type if isinstance(node, cps.Conversion) else None)


def _mismatch(op: str, types: Sequence[ir.Type]) -> str:
    """The error message of an address computation, copy or allocation with unsuitable operands."""
    if op == ALLOCATE:
        return f"the number of elements is an integer, not {types[0]}"
    address, *rest = types if op != COPY else sorted(types, key=lambda type: type is ir.PTR)
    if address is not ir.PTR:
        return f"the address is a ptr, not {address}"
    return f"the index is an integer, not {rest[0]}"


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
