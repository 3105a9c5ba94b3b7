"""The lowering of expressions, in the order of evaluation that JavaScript defines.

Methods return a value, or a computation of one for `cpsconv.core.trampoline`, so that deep nesting does not recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cpsconv.abi.javascript import VALUE, is_word, quoted
from cpsconv.core.construction import Block, Variable
from cpsconv.core.ir import Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.javascript import literals
from cpsconv.languages.javascript.classes import Classes
from cpsconv.languages.javascript.closures import Closures
from cpsconv.languages.javascript.emission import Emission
from cpsconv.languages.javascript.escapes import unescaped
from cpsconv.languages.javascript.jsx import ELEMENTS, Elements
from cpsconv.languages.javascript.patterns import Patterns
from cpsconv.languages.javascript.places import Place, keys_of, read_place, write_place
from cpsconv.languages.javascript.scopes import FUNCTIONS, Function
from cpsconv.languages.javascript.syntax import Node, elements_of, refuse, unparenthesised
from cpsconv.languages.javascript.variables import Variables

_PURE = {"===": "same", "!==": "same"}
_CHAINS = ("member_expression", "subscript_expression", "call_expression")


class Expressions:
    """The lowering of the expressions of a function."""

    def __init__(self, emission: Emission, variables: Variables, closures: Closures) -> None:
        self.emission, self.b, self.variables, self.closures = emission, emission.b, variables, closures
        self.function: Function = variables.function
        self.patterns, self.classes = Patterns(self), Classes(self)
        self._handlers: dict[str, Callable[[Node], Step[Value]]] = {
            "identifier": variables.read,
            "shorthand_property_identifier": variables.read,
            "this": variables.read,
            **dict.fromkeys(("null", "true", "false"), self._word),
            "number": self._number,
            "string": self._string,
            "regex": self._regex,
            "template_string": self._template,
            "sequence_expression": self._sequence,
            "unary_expression": self._unary,
            "binary_expression": self._binary,
            "ternary_expression": self._ternary,
            "update_expression": self._update,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            **dict.fromkeys(_CHAINS, self._chain),
            "new_expression": self._new,
            "array": self._array,
            "object": self._object,
            **dict.fromkeys([kind for kind in FUNCTIONS if kind != "method_definition"], self._closure),
            "class": self.class_value,
            "meta_property": self._meta,
            "await_expression": self._await,
            "yield_expression": self._yield,
            **dict.fromkeys(ELEMENTS, Elements(self).value),
        }

    def value(self, node: Node) -> Step[Value]:
        """The value of an expression."""
        node = unparenthesised(node)
        handler = self._handlers.get(node.kind)
        if handler is None:
            refuse(node)
        return handler(node)

    # --------------------------------------------------------------------------------------------------- literals

    def _word(self, node: Node) -> Value:
        return self.emission.operation(node.kind, span=node.span)

    def _number(self, node: Node) -> Value:
        text = literals.number_text(node.text)
        return self.emission.operation(
            "bigint" if text[-1] == "n" else "number", operand=text.removesuffix("n"), span=node.span
        )

    def _string(self, node: Node) -> Value:
        return self.emission.string(literals.string_value(node), node.span)

    def _regex(self, node: Node) -> Value:
        return self.emission.operation("regexp", operand=node.text, span=node.span)

    def _template(self, node: Node) -> Computation[Value]:
        texts, holes = literals.template_parts(node)
        values = [self.emission.string(unescaped(texts[0]), node.span)]
        for hole, text in zip(holes, texts[1:], strict=True):
            value = yield self.value(hole)
            values.append(self.emission.operation("to_string", value, span=hole.span))
            if text:
                values.append(self.emission.string(unescaped(text), node.span))
        return self.emission.operation("concatenation", *values, span=node.span) if len(values) > 1 else values[0]

    # -------------------------------------------------------------------------------------------------- operators

    def _sequence(self, node: Node) -> Computation[Value]:
        for each in node.children[:-1]:
            yield self.effect(each)
        found: Value = yield self.value(node.children[-1])
        return found

    def _unary(self, node: Node) -> Computation[Value]:
        operator, operand = node["operator"].kind, node["argument"]
        inner = unparenthesised(operand)
        if operator == "delete":
            found: Value = yield self._delete(node, inner)
            return found
        if operator == "typeof" and inner.kind == "identifier" and self.variables.is_global(inner):
            value = self.variables.read(inner, is_typeof=True)
        else:
            value = yield self.value(operand)
        if operator == "void":
            return self.emission.undefined(node.span)
        names = {"!": "negation", "typeof": "type_name"}
        if operator in names:
            return self.emission.operation(names[operator], value, span=node.span)
        return self.emission.operation("unary", value, operand=operator, span=node.span)

    def _delete(self, node: Node, operand: Node) -> Computation[Value]:
        if operand.kind == "identifier":
            if self.variables.is_global(operand):
                return self.emission.operation("delete_global", operand=operand.text, span=node.span)
            return self.emission.operation("false", span=node.span)
        if operand.kind not in ("member_expression", "subscript_expression"):
            yield self.value(operand)
            return self.emission.operation("true", span=node.span)
        if is_chain(operand):
            found: Value = yield self._delete_optional(operand)
            return found
        place = yield self.place(operand)
        return self._deleted(place, node.span)

    def _deleted(self, place: Place, span: Span) -> Value:
        assert place.object is not None
        if place.is_super:
            refuse(place.node, "`delete` of a property of `super`")
        name = "delete" if self.function.is_strict else "delete_sloppy"
        return self.emission.operation(name, place.object, *keys_of(place), operand=place.name, span=span)

    def _binary(self, node: Node) -> Computation[Value]:
        operator = node["operator"].kind
        if operator in ("&&", "||", "??"):
            found: Value = yield self._short_circuit(node)
            return found
        if node["left"].kind == "private_property_identifier":
            value = yield self.value(node["right"])
            return self.emission.operation("private_in", value, operand=node["left"].text, span=node.span)
        left = yield self.value(node["left"])
        right = yield self.value(node["right"])
        if operator in _PURE:
            same = self.emission.operation("same", left, right, span=node.span)
            return same if operator == "===" else self.emission.operation("negation", same, span=node.span)
        return self.emission.operation("binary", left, right, operand=operator, span=node.span)

    def _short_circuit(self, node: Node) -> Computation[Value]:
        operator, span = node["operator"].kind, node.span
        result = Variable({"&&": "and", "||": "or", "??": "or_else"}[operator], VALUE, span)
        left = yield self.value(node["left"])
        further, join = self.b.continuation("right", span=span), self.b.continuation(f"after_{result.name}", span=span)
        self.b.write_variable(result, left, span)
        self._skip(operator, left, further, join, span)
        self.b.open(further)
        right = yield self.value(node["right"])
        self.b.write_variable(result, right, span)
        self.b.jump(join, span)
        self.b.open(join)
        return self.b.read_variable(result, span)

    def _skip(self, operator: str, left: Value, further: Block, join: Block, span: Span) -> None:
        """End the block: jump to `further` if the operator needs its right operand, else to `join`."""
        if operator == "&&":
            self.b.branch(self.emission.operation("truthy", left, span=span), further, join, span)
        elif operator == "||":
            self.b.branch(self.emission.operation("truthy", left, span=span), join, further, span)
        else:
            self.b.branch(self.emission.operation("is_nullish", left, span=span), further, join, span)

    def branch(self, node: Node, then: Block, otherwise: Block) -> Computation[None]:
        """End the block: jump to one of two blocks, by the truth of an expression."""
        node = unparenthesised(node)
        operator = node["operator"].kind if node.kind in ("unary_expression", "binary_expression") else ""
        if operator == "!":
            yield self.branch(node["argument"], otherwise, then)
        elif operator in ("&&", "||"):
            right = self.b.continuation("right", span=node.span)
            yield self.branch(node["left"], *((right, otherwise) if operator == "&&" else (then, right)))
            self.b.open(right)
            yield self.branch(node["right"], then, otherwise)
        else:
            value = yield self.value(node)
            self.b.branch(self.emission.operation("truthy", value, span=node.span), then, otherwise, node.span)

    def _ternary(self, node: Node) -> Computation[Value]:
        span, result = node.span, Variable("choice", VALUE, node.span)
        then, otherwise, join = (self.b.continuation(name, span=span) for name in ("then", "else", "after_choice"))
        yield self.branch(node["condition"], then, otherwise)
        for block, part in ((then, node["consequence"]), (otherwise, node["alternative"])):
            self.b.open(block)
            value = yield self.value(part)
            self.b.write_variable(result, value, part.span)
            self.b.jump(join, part.span)
        self.b.open(join)
        return self.b.read_variable(result, span)

    # ------------------------------------------------------------------------------------------------ assignments

    def _update(self, node: Node) -> Computation[Value]:
        operator, span = node["operator"], node.span
        place = yield self.place(unparenthesised(node["argument"]))
        before = self.emission.operation("numeric", self.read(place), span=span)
        name = "increment" if operator.kind == "++" else "decrement"
        after = self.emission.operation(name, before, span=span)
        self.write(place, after)
        return after if operator.start == node.start else before

    def _assignment(self, node: Node) -> Computation[Value]:
        left = unparenthesised(node["left"])
        place: Place | None = None
        if left.kind not in ("array_pattern", "object_pattern"):
            place = yield self.place(left)
        value: Value = yield self.value(node["right"])
        if place:
            self.write(place, value)
        else:
            yield self.assign(left, value)
        return value

    def effect(self, node: Node) -> Step[object]:
        """Evaluate an expression whose value is not used."""
        node = unparenthesised(node)
        if node.kind == "assignment_expression" and unparenthesised(node["left"]).kind == "array_pattern":
            return self.patterns.assign_result(unparenthesised(node["left"]), unparenthesised(node["right"]), False)
        return self.value(node)

    def assign(self, pattern: Node, value: Value, is_declaration: bool = False) -> Step[Any]:
        """Assign a value to a pattern, or give the names in it their first values."""
        return self.patterns.assign(pattern, value, is_declaration)

    def _augmented(self, node: Node) -> Computation[Value]:
        operator, span = node["operator"].kind[:-1], node.span
        place = yield self.place(unparenthesised(node["left"]))
        before = self.read(place)
        if operator not in ("&&", "||", "??"):
            right = yield self.value(node["right"])
            value = self.emission.operation("binary", before, right, operand=operator, span=span)
            self.write(place, value)
            return value
        result = Variable("assigned", VALUE, span)
        further, join = self.b.continuation("assign", span=span), self.b.continuation("after_assign", span=span)
        self.b.write_variable(result, before, span)
        self._skip(operator, before, further, join, span)
        self.b.open(further)
        value = yield self.value(node["right"])
        self.write(place, value)
        self.b.write_variable(result, value, span)
        self.b.jump(join, span)
        self.b.open(join)
        return self.b.read_variable(result, span)

    # ----------------------------------------------------------------------------------------------------- places

    def place(self, node: Node) -> Computation[Place]:
        """The place that an expression denotes; its object and key are evaluated."""
        if node.kind in ("identifier", "shorthand_property_identifier_pattern"):
            return Place(node)
        if node.kind not in ("member_expression", "subscript_expression") or is_chain(node):
            refuse(node, "an assignment to this expression")
        is_super = node["object"].kind == "super"
        object = self.variables.read(node["object"]) if is_super else (yield self.value(node["object"]))
        found: Place = yield self._property(node, object, is_super)
        return found

    def _property(self, node: Node, object: Value, is_super: bool) -> Computation[Place]:
        if node.kind == "member_expression":
            return Place(node, object, None, node["property"].text, is_super)
        index = unparenthesised(node["index"])
        if index.kind == "string" and is_word(literals.string_value(index)):
            return Place(node, object, None, literals.string_value(index), is_super)
        key = yield self.value(node["index"])
        return Place(node, object, key, "", is_super)

    def read(self, place: Place) -> Value:
        """The value at a place."""
        return read_place(self.emission, self.variables, place)

    def write(self, place: Place, value: Value) -> None:
        """Assign to a place."""
        write_place(self.emission, self.variables, place, value)

    # ------------------------------------------------------------------------------- properties, calls, and chains

    def _chain(self, node: Node) -> Computation[Value]:
        found: tuple[object, Value] = yield self._optional(node) if is_chain(node) else self._link(node, None)
        return found[1]

    def _optional(self, node: Node) -> Computation[tuple[Value, Value]]:
        """The object and the value of an optional chain; they are `undefined` if one of its objects is nullish."""
        span, missing = node.span, self.b.continuation("missing", span=node.span)
        variables = [Variable("receiver", VALUE, span), Variable("chain", VALUE, span)]
        object, value = yield self._link(node, missing)
        values = [object or self.emission.undefined(span), value]
        receiver, result = self._joined(variables, values, missing, "undefined", span)
        return receiver, result

    def _delete_optional(self, node: Node) -> Computation[Value]:
        """The result of `delete` of an optional chain, which is true if one of its objects is nullish."""
        missing, variable = self.b.continuation("missing", span=node.span), Variable("chain", VALUE, node.span)
        object = yield self._object_of(node, missing)
        place = yield self._property(node, object, is_super=False)
        (value,) = self._joined([variable], [self._deleted(place, node.span)], missing, "true", node.span)
        return value

    def _joined(
        self, variables: Sequence[Variable], values: Sequence[Value], missing: Block, otherwise: str, span: Span
    ) -> list[Value]:
        """The values where a chain ends, or for each of them another one if it ended early."""
        join = self.b.continuation("after_chain", span=span)
        for variable, value in zip(variables, values, strict=True):
            self.b.write_variable(variable, value, span)
        self.b.jump(join, span)
        self.b.open(missing)
        nothing = self.emission.operation(otherwise, span=span)
        for variable in variables:
            self.b.write_variable(variable, nothing, span)
        self.b.jump(join, span)
        self.b.open(join)
        return [self.b.read_variable(variable, span) for variable in variables]

    def _object_of(self, node: Node, missing: Block | None) -> Computation[Value]:
        """The object of a property access in a chain, after a test of it if it is optional."""
        found: tuple[object, Value] = yield self._link(node["object"], missing)
        self._test(node, found[1], missing)
        return found[1]

    def _test(self, node: Node, value: Value, missing: Block | None) -> None:
        if missing is not None and node.get("optional_chain"):
            present = self.b.continuation("present", span=node.span)
            self.b.branch(self.emission.operation("is_nullish", value, span=node.span), missing, present, node.span)
            self.b.open(present)

    def _link(self, node: Node, missing: Block | None) -> Computation[tuple[Value | None, Value]]:
        """The object and the value of a part of a chain. `missing` is the block where the whole chain ends early."""
        if node.kind == "call_expression":
            value = yield self._call(node, missing)
            return None, value
        if node.kind not in ("member_expression", "subscript_expression"):
            inner = unparenthesised(node)
            if inner is not node and inner.kind in ("member_expression", "subscript_expression"):
                found: tuple[Value | None, Value]
                found = yield self._optional(inner) if is_chain(inner) else self._link(inner, None)
                return found  # a call of it passes its object, too
            value = yield self.value(node)
            return None, value
        is_super = node["object"].kind == "super"
        object = self.variables.read(node["object"]) if is_super else (yield self._object_of(node, missing))
        place = yield self._property(node, object, is_super)
        return object, self.read(place)

    def _call(self, node: Node, missing: Block | None) -> Step[Value]:
        callee = node["function"]
        if callee.kind == "super":
            return self._call_super(node)
        if callee.kind == "import":
            return self._import(node)
        direct = None if node.get("optional_chain") else self._direct(callee, node["arguments"])
        return self._call_directly(node, direct) if direct else self._call_value(node, missing)

    def _import(self, node: Node) -> Computation[Value]:
        value = yield self.value(node["arguments"].children[0])
        return self.emission.operation("import", value, span=node.span)

    def _call_value(self, node: Node, missing: Block | None) -> Computation[Value]:
        this, function = yield self._link(node["function"], missing)
        self._test(node, function, missing)
        this = this if this is not None else self.emission.undefined(node.span)
        is_tagged = node["arguments"].kind == "template_string"
        found: Value = yield (
            self._tagged(node, function, this)
            if is_tagged
            else self._with_arguments("call", "apply", [function, this], node["arguments"], node.span)
        )
        return found

    def _direct(self, callee: Node, arguments: Node) -> Function | None:
        """The function of the module that is certainly called, and needs nothing but its parameters."""
        if callee.kind != "identifier" or self.emission.handler is not None or arguments.kind != "arguments":
            return None
        binding = self.variables.program.references[callee.start].binding
        if binding is None or any(each.kind == "spread_element" for each in arguments.children):
            return None
        return self.closures.known(binding)

    def _call_directly(self, node: Node, callee: Function) -> Computation[Value]:
        values = []
        for each in node["arguments"].children:
            value = yield self.value(each)
            values.append(value)
        target = self.closures.functions[callee]
        count = len(target.parameters) - 1
        values += [self.emission.undefined(node.span) for _ in range(count - len(values))]
        result = self.b.call(target, values[:count], node.span)
        assert result is not None
        return result

    def _with_arguments(
        self, call: str, apply: str, values: Sequence[Value], arguments: Node | None, span: Span
    ) -> Computation[Value]:
        """The result of a call; with spread arguments, they are an array."""
        nodes = arguments.children if arguments else []
        if any(each.kind == "spread_element" for each in nodes):
            assert arguments
            items = yield self._array(arguments)
            return self.emission.operation(apply, *values, items, span=span)
        passed = []
        for each in nodes:
            value = yield self.value(each)
            passed.append(value)
        return self.emission.operation(call, *values, *passed, span=span)

    def _call_super(self, node: Node) -> Computation[Value]:
        value: Value = yield self._with_arguments("call_super", "apply_super", [], node["arguments"], node.span)
        this = self.variables.program.references[node["function"].start].binding
        assert this
        self.variables.write(this, value, node.span)
        return value

    def _tagged(self, node: Node, function: Value, this: Value) -> Computation[Value]:
        template = node["arguments"]
        texts, holes = literals.template_parts(template)
        cooked = [literals.cooked(text) for text in texts]
        strings = [*("undefined" if text is None else quoted(text) for text in cooked), *map(quoted, texts)]
        values = [self.emission.operation("template_object", operand=" ".join(strings), span=template.span)]
        for hole in holes:
            value = yield self.value(hole)
            values.append(value)
        return self.emission.operation("call", function, this, *values, span=node.span)

    def _new(self, node: Node) -> Computation[Value]:
        constructor = yield self.value(node["constructor"])
        found: Value = yield self._with_arguments("new", "new_apply", [constructor], node.get("arguments"), node.span)
        return found

    # --------------------------------------------------------------------------------------------- arrays, objects

    def _array(self, node: Node) -> Computation[Value]:
        """An array of the elements of a literal, or of arguments."""
        elements = elements_of(node)
        plain = next((n for n, each in enumerate(elements) if each is None or each.kind == "spread_element"), None)
        values = []
        for each in elements[:plain]:
            assert each
            value = yield self.value(each)
            values.append(value)
        array = self.emission.operation("array", *values, span=node.span)
        for each in elements[len(values) :]:
            if each is None:
                self.emission.operation("append_hole", array, span=node.span)
            elif each.kind == "spread_element":
                value = yield self.value(each.children[0])
                self.emission.operation("append_all", array, value, span=each.span)
            else:
                value = yield self.value(each)
                self.emission.operation("append", array, value, span=each.span)
        return array

    def _object(self, node: Node) -> Step[Value]:
        return self.classes.literal(node)

    def class_value(self, node: Node) -> Step[Value]:
        """The class that a declaration or expression creates."""
        return self.classes.value(node)

    def _closure(self, node: Node) -> Value:
        return self.closures.closure(node, self.variables)

    # ------------------------------------------------------------------------------------------------------ others

    def _meta(self, node: Node) -> Value:
        if node.words[:1] == ["new"]:
            return self.variables.read(node)
        return self.emission.operation("import_meta", span=node.span)

    def _await(self, node: Node) -> Computation[Value]:
        value = yield self.value(node.children[0])
        return self.emission.operation("await", value, span=node.span)

    def _yield(self, node: Node) -> Computation[Value]:
        value = (yield self.value(node.children[0])) if node.children else self.emission.undefined(node.span)
        return self.emission.suspend("yield_all" if "*" in node.words else "yield", value, node.span)


def is_chain(node: Node) -> bool:
    """Whether an expression is an optional chain, perhaps with further links after ``?.``."""
    while node.kind in _CHAINS:
        if node.get("optional_chain"):
            return True
        node = node.get("object") or node["function"]
    return False
