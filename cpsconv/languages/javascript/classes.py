"""The lowering of object literals and classes.

A class is one operation, ``js.class``, whose static operand lists its elements. Its operands are the class extended,
and for each element its computed key, and the function with the variables that it captures: a method, or the
initialiser of a field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsconv.abi.javascript import is_word
from cpsconv.abi.javascript.facts import ClassFacts
from cpsconv.core.ir import Value
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.javascript.syntax import Node, refuse, unparenthesised

if TYPE_CHECKING:
    from cpsconv.languages.javascript.expressions import Expressions

_ANONYMOUS = ("function_expression", "arrow_function", "generator_function", "class")
_ACCESSORS = {"get": "define_getter", "set": "define_setter"}


class Classes:
    """The lowering of the object literals and classes of a function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.emission = expressions, expressions.emission

    # ---------------------------------------------------------------------------------------------------- objects

    def literal(self, node: Node) -> Computation[Value]:
        """The object that a literal creates: first its plain properties, up to one that needs more."""
        properties = node.children
        plain = next((n for n, each in enumerate(properties) if not _is_plain(each)), len(properties))
        names, values = list[str](), list[Value]()
        for each in properties[:plain]:
            names.append((each.get("key") or each).text)
            value = yield self.expressions.value(each.get("value") or each)
            values.append(value)
        object = self.emission.operation("object", *values, operand=" ".join(names), span=node.span)
        for each in properties[plain:]:
            yield self._add(object, each)
        return object

    def _add(self, object: Value, each: Node) -> Step[object]:
        if each.kind == "spread_element":
            return self._spread(object, each)
        if each.kind == "method_definition":
            return self._add_method(object, each)
        if each.kind == "shorthand_property_identifier":
            value = self.expressions.variables.read(each)
            return self.emission.operation("define", object, value, operand=each.text, span=each.span)
        if each.kind != "pair":
            refuse(each)
        return self._add_pair(object, each)

    def _spread(self, object: Value, each: Node) -> Computation[None]:
        value = yield self.expressions.value(each.children[0])
        self.emission.operation("copy_properties", object, value, span=each.span)

    def _add_pair(self, object: Value, each: Node) -> Computation[None]:
        name, key = yield self.expressions.patterns.key(each["key"])
        value = yield self.expressions.value(each["value"])
        if name == "__proto__":
            self.emission.operation("set_prototype", object, value, span=each.span)
            return
        is_named = key is not None and unparenthesised(each["value"]).kind in _ANONYMOUS
        keys = [] if key is None else [key]
        self.emission.operation(
            "define_named" if is_named else "define", object, *keys, value, operand=name, span=each.span
        )

    def _add_method(self, object: Value, each: Node) -> Computation[None]:
        name, key = yield self.expressions.patterns.key(each["name"])
        closure = self.expressions.closures.closure(each, self.expressions.variables)
        keys = [] if key is None else [key]
        words = [word for word in each.words if word in _ACCESSORS]
        operation = _ACCESSORS[words[0]] if words else "define_method"
        self.emission.operation(operation, object, *keys, closure, operand=name, span=each.span)

    # ---------------------------------------------------------------------------------------------------- classes

    def value(self, node: Node) -> Computation[Value]:
        """The class that a declaration or expression creates; it initialises the cell of its name itself."""
        variables, scope = self.expressions.variables, self.expressions.variables.program.scopes[node]
        variables.open(scope, node.span)
        name, operands = node.get("name"), list[Value]()
        heritage = next((each for each in node.children if each.kind == "class_heritage"), None)
        if heritage:
            value = yield self.expressions.value(heritage.children[0])
            operands.append(value)
        cells = [binding for binding in scope.names.values() if binding.cell]
        operands += [self.expressions.b.read_variable(variables.variable(each), each.span) for each in cells]
        elements = list[tuple[str, str]]()
        for member in node["body"].children:
            yield self._element(member, elements, operands)
        facts = ClassFacts(name.text if name else self._inferred(node), heritage is not None, bool(cells), elements)
        return self.emission.operation("class", *operands, operand=facts.text(), span=node.span)

    def _inferred(self, node: Node) -> str:
        return self.expressions.closures.program.class_names.get(node.start, "")

    def _element(self, member: Node, elements: list[tuple[str, str]], operands: list[Value]) -> Computation[None]:
        """Add a member of a class, and its operands."""
        static = "static_" if "static" in member.words else ""
        closures = self.expressions.closures
        if member.kind == "class_static_block":
            elements.append(("block", ""))
            operands += closures.captured(closures.program.functions[member.start], self.expressions.variables)
            return
        name, key = yield self.expressions.patterns.key(member.get("name") or member["property"])
        if key is not None:
            operands.append(key)
        has_function = member.start in closures.program.functions
        kinds = [word for word in member.words if word in _ACCESSORS]
        kind = kinds[0] if kinds else "method" if member.kind == "method_definition" else "field"
        elements.append((f"{static}{kind}{'' if has_function else '_undefined'}", name))
        if has_function:
            operands += closures.captured(closures.program.functions[member.start], self.expressions.variables)


def _is_plain(each: Node) -> bool:
    if each.kind == "shorthand_property_identifier":
        return is_word(each.text)
    if each.kind != "pair" or each["key"].kind != "property_identifier":
        return False
    return is_word(each["key"].text) and each["key"].text != "__proto__"
