"""The lowering of destructuring: patterns that are assigned to, or that declare variables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from cpsconv.abi.javascript import VALUE, is_word
from cpsconv.core.construction import Variable
from cpsconv.core.ir import Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.javascript import literals
from cpsconv.languages.javascript.places import Place
from cpsconv.languages.javascript.syntax import Node, elements_of, unparenthesised

if TYPE_CHECKING:
    from cpsconv.languages.javascript.expressions import Expressions

_WITH_DEFAULT = ("assignment_pattern", "object_assignment_pattern")
_NAMES = ("identifier", "shorthand_property_identifier_pattern")


def _plain_list(node: Node) -> list[Node] | None:
    """The elements of a literal or pattern of an array, unless there are holes, spreads or a rest."""
    elements = elements_of(node) if node.kind in ("array", "array_pattern") else [None]
    plain = [each for each in elements if each and each.kind not in ("spread_element", "rest_pattern")]
    return plain if len(plain) == len(elements) else None


class Patterns:
    """The lowering of the patterns of a function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.emission, self.b = expressions, expressions.emission, expressions.b

    def assign(self, pattern: Node, value: Value, is_declaration: bool) -> Step[object]:
        """Assign a value to a pattern, or give the names in it their first values."""
        if pattern.kind in _WITH_DEFAULT:
            return self._with_default(pattern, value, is_declaration)
        if pattern.kind == "object_pattern":
            return self._object(pattern, value, is_declaration)
        if pattern.kind == "array_pattern":
            return self._array(pattern, value, is_declaration)
        if is_declaration:
            self.expressions.variables.initialise(pattern, value)
            return None
        return self._to_place(pattern, value)

    def assign_result(self, pattern: Node, right: Node, is_declaration: bool) -> Computation[None]:
        """Assign the value of an expression, as in `assign`; the elements of a plain list without an array."""
        targets, expressions = _plain_list(pattern), _plain_list(right)
        if targets is None or expressions is None:
            value = yield self.expressions.value(right)
            yield self.assign(pattern, value, is_declaration)
            return
        values = list[Value]()
        for each in expressions:
            value = yield self.expressions.value(each)
            values.append(value)
        rest = iter(values)
        for each in targets:
            yield self._element(each, lambda span: next(rest, None) or self.emission.undefined(span), is_declaration)

    def _to_place(self, target: Node, value: Value) -> Computation[None]:
        place = yield self.expressions.place(unparenthesised(target))
        self.expressions.write(place, value)

    def _with_default(self, pattern: Node, value: Value, is_declaration: bool) -> Computation[None]:
        value = yield self.defaulted(value, pattern["right"])
        yield self.assign(pattern["left"], value, is_declaration)

    def defaulted(self, value: Value, default: Node) -> Computation[Value]:
        """The value, or that of the default if it is `undefined`."""
        span, result = default.span, Variable("defaulted", VALUE, default.span)
        missing, join = self.b.continuation("default", span=span), self.b.continuation("after_default", span=span)
        self.b.write_variable(result, value, span)
        self.b.branch(self.emission.operation("is_undefined", value, span=span), missing, join, span)
        self.b.open(missing)
        other = yield self.expressions.value(default)
        self.b.write_variable(result, other, span)
        self.b.jump(join, span)
        self.b.open(join)
        return self.b.read_variable(result, span)

    # ---------------------------------------------------------------------------------------------------- arrays

    def _array(self, pattern: Node, value: Value, is_declaration: bool) -> Computation[None]:
        iterator = self.emission.operation("iterator", value, span=pattern.span)
        elements = elements_of(pattern)

        def taken(name: str, span: Span) -> Value:
            return self.emission.operation(name, iterator, span=span)

        def work() -> Computation[None]:
            for each in elements:
                if each is None:
                    taken("step_value", pattern.span)
                elif each.kind == "rest_pattern":
                    yield self._element(each.children[0], partial(taken, "rest"), is_declaration)
                else:
                    yield self._element(each, partial(taken, "step_value"), is_declaration)

        if all(each is None or each.kind == "identifier" for each in elements) and is_declaration:
            yield work()
        else:
            yield self.emission.closing(iterator, work, pattern.span)
        self.emission.operation("iterator_close", iterator, span=pattern.span)

    def _element(self, target: Node, take: Callable[[Span], Value], is_declaration: bool) -> Computation[None]:
        """Assign the next value to an element, after the evaluation of its place."""
        place = yield self._place_before(target, is_declaration)
        yield self._finish(target, place, take(target.span), is_declaration)

    def _place_before(self, target: Node, is_declaration: bool) -> Step[Place | None]:
        """The place of a target that is evaluated before its value is: a property that is assigned to."""
        inner = unparenthesised(target["left"] if target.kind in _WITH_DEFAULT else target)
        if is_declaration or inner.kind not in ("member_expression", "subscript_expression"):
            return None
        return self.expressions.place(inner)

    def _finish(self, target: Node, place: Place | None, value: Value, is_declaration: bool) -> Computation[None]:
        if place is None:
            yield self.assign(target, value, is_declaration)
            return
        if target.kind in _WITH_DEFAULT:
            value = yield self.defaulted(value, target["right"])
        self.expressions.write(place, value)

    # --------------------------------------------------------------------------------------------------- objects

    def _object(self, pattern: Node, value: Value, is_declaration: bool) -> Computation[None]:
        self.emission.operation("require_object", value, span=pattern.span)
        names, keys = list[str](), list[Value]()
        for each in pattern.children:
            if each.kind == "rest_pattern":
                target = each.children[0]
                place = yield self._place_before(target, is_declaration)
                words = " ".join(names)
                rest = self.emission.operation("without", value, *keys, operand=words, span=each.span)
                yield self._finish(target, place, rest, is_declaration)
                continue
            name, key, target = yield self._property(each)
            if key is None:
                names.append(name)
            else:
                keys.append(key)
            place = yield self._place_before(target, is_declaration)
            operands = [value] if key is None else [value, key]
            part = self.emission.operation("get", *operands, operand=name, span=each.span)
            yield self._finish(target, place, part, is_declaration)

    def _property(self, each: Node) -> Computation[tuple[str, Value | None, Node]]:
        """The static name or the key of a property in a pattern, and the target of its value."""
        if each.kind != "pair_pattern":
            name = each["left"] if each.kind in _WITH_DEFAULT else each
            return name.text, None, each
        name, key = yield self.key(each["key"])
        return name, key, each["value"]

    def key(self, node: Node) -> Computation[tuple[str, Value | None]]:
        """The name of a property if it is static, or else its key."""
        is_name = node.kind in ("property_identifier", "private_property_identifier")
        if is_name or (node.kind == "string" and is_word(literals.string_value(node))):
            return literals.name_text(node), None
        is_computed = node.kind == "computed_property_name"
        value = yield self.expressions.value(node.children[0] if is_computed else node)
        if is_computed:
            value = self.emission.operation("property_key", value, span=node.span)
        return "", value
