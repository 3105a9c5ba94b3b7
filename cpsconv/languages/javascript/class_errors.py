"""Early errors of functions, classes and object literals."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.source import Diagnostic, error
from cpsconv.languages.javascript import literals, name_errors
from cpsconv.languages.javascript.contexts import Context
from cpsconv.languages.javascript.scopes import has_use_strict, parameters_of
from cpsconv.languages.javascript.syntax import Node, has_line_end


def function_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the name and the parameters of a function."""
    name, parameters, body = node.get("name"), parameters_of(node), node["body"]
    is_own = body.kind == "statement_block" and has_use_strict(body)
    strict = context._replace(is_strict=context.is_strict or is_own)
    if name and node.kind != "method_definition":
        yield from name_errors.bound(name, strict)
    for each in parameters:
        yield from name_errors.pattern_errors(each, strict)
    if is_own and any(each.kind != "identifier" for each in parameters):
        message = 'a function with "use strict" has plain names as parameters only'
        yield error(message, body.children[0].span, rule="strict-mode")
    for each, following in zip(node.parts, node.parts[1:], strict=False):
        if each.kind == "async" and has_line_end(node.source.text[each.end : following.start]):
            yield error("`async` is on another line than its function", each.span, rule="syntax")
    if node.kind == "arrow_function":
        arrow = next(each for each in node.parts if each.kind == "=>")
        before = node.parts[node.parts.index(arrow) - 1]
        if has_line_end(node.source.text[before.end : arrow.start]):
            yield error("`=>` is on another line than the parameters", arrow.span, rule="syntax")
        if body.kind != "statement_block" and node.source.text[body.start] == "{":
            yield error("the value of an arrow function does not begin with `{`", body.span, rule="syntax")


def method_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the parameters of a getter or setter."""
    parameters = parameters_of(node)
    if "get" in node.words and parameters:
        yield error("a getter has no parameters", parameters[0].span, rule="syntax")
    if "set" in node.words and (len(parameters) != 1 or parameters[0].kind == "rest_pattern"):
        yield error("a setter has one parameter", node["parameters"].span, rule="syntax")


def class_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the name and the members of a class."""
    name = node.get("name")
    strict = context._replace(is_strict=True)
    if name:
        yield from name_errors.reserved(name, strict)
        yield from name_errors.bound(name, strict)
    yield from _private_duplicates(node)
    constructors = 0
    for member in node["body"].children:
        key = member.get("name") or member.get("property")
        known = "" if key is None or key.kind == "computed_property_name" else literals.name_text(key)
        yield from _member_errors(member, key, known)
        is_constructor = member.kind == "method_definition" and known == "constructor" and "static" not in member.words
        constructors += is_constructor
        if is_constructor and constructors > 1 and key:
            yield error("a second constructor", key.span, rule="redefined")


def _member_errors(member: Node, key: Node | None, known: str) -> Iterator[Diagnostic]:
    is_static, is_field = "static" in member.words, member.kind == "field_definition"
    if key is None:
        return
    if known == "#constructor" or (is_static and known == "prototype") or (is_field and known == "constructor"):
        yield error(
            f"a class has no {'field' if is_field else 'method'} of the name `{known}`", key.span, rule="syntax"
        )
    elif known == "constructor" and not is_static and {"get", "set", "async", "*"} & {*member.words}:
        yield error("a constructor is a plain method", key.span, rule="syntax")


def _private_duplicates(node: Node) -> Iterator[Diagnostic]:
    """The errors for private names that a class declares twice, but as a getter and a setter."""
    seen: dict[str, set[str]] = {}
    for member in node["body"].children:
        name = member.get("name") or member.get("property")
        if name is None or name.kind != "private_property_identifier":
            continue
        static = "static " * ("static" in member.words)
        kind = next((f"{static}{word}" for word in member.words if word in ("get", "set")), "")
        known = seen.setdefault(name.text, set())
        if known and (not kind or known != {static + ("set" if kind.endswith("get") else "get")}):
            yield error(f"`{name.text}` is declared twice", name.span, rule="redefined")
        known.add(kind)


def private_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for a private name that no class around it declares, or that is no property here."""
    if parent.kind in ("field_definition", "method_definition") and node in (
        parent.get("name"),
        parent.get("property"),
    ):
        return
    if node.text not in context.privates:
        yield error(f"no class around `{node.text}` declares it", node.span, rule="undeclared")
    if parent.kind == "member_expression" and parent["object"].kind == "super":
        yield error("`super` has no private properties", node.span, rule="syntax")
    if parent.kind == "binary_expression" and (parent["operator"].kind != "in" or parent["left"] is not node):
        yield error("a private name is an operand of `in` only, on the left", node.span, rule="syntax")


def object_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for prototypes and private names in an object literal."""
    keys = [each["key"] for each in node.children if each.kind == "pair"]
    static = [each for each in keys if each.kind != "computed_property_name"]
    for each in [key for key in static if literals.name_text(key) == "__proto__"][1:]:
        yield error("a second `__proto__`", each.span, rule="redefined")
    for member in node.children:
        name = member.get("name") or member.get("key")
        if name and name.kind == "private_property_identifier":
            yield error("an object literal has no private names", name.span, rule="syntax")
        if member.kind == "method_definition" and "static" in member.words:
            yield error("an object literal has no static methods", member.span, rule="syntax")
