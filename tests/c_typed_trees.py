"""Typed trees of C programs as text, in which each conversion is visible."""

from __future__ import annotations

from typing import Any

from cpsconv.core.source import Source
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import INT


def unit(text: str) -> t.Unit:
    """The typed tree of a C program."""
    return typed(parse(Source("test.c", text)))


def name(place: Any) -> str:
    """A place as in C, with all parentheses of pointers."""
    match place:
        case c.Name():
            return place.name
        case c.StringLiteral():
            return repr(place.text)
        case c.Dereference():
            return f"*{text(place.pointer)}"
        case c.Subscript(pointer=c.Decay(operand=array)):
            return f"{name(array)}[{text(place.index)}]"
        case c.Subscript():
            return f"{text(place.pointer)}[{text(place.index)}]"
        case c.Member():
            return f"{name(place.operand)}.{place.field.name}"
        case c.Temporary():
            return f"temporary({text(place.operand)})"
        case c.CompoundLiteral():
            return f"literal({declared(place.declared)})"
    raise TypeError(place)


def text(node: Any) -> str:
    """An expression as in C, with all parentheses and the types of results; constants of type `int` have none."""
    match node:
        case c.Constant():
            return "null" if node.type.kind == "pointer" else f"{node.value}" + f":{node.type}" * (node.type is not INT)
        case c.Computed(operand=operand):
            return "old" if type(operand) in (c.Name, c.Subscript, c.Member, c.Dereference) else text(operand)
        case c.Read():
            return name(node.operand)
        case c.Decay(operand=c.Name(denoted=t.Function() as function)):
            return f"&{function.name}"
        case c.Decay():
            return f"decay {name(node.operand)}"
        case c.AddressOf():
            return f"&{name(node.operand)}"
        case c.Binary() if node.op in ("+", "-") and node.left.type.kind == "pointer":
            return f"({text(node.left)} {node.op} {text(node.right)}):{node.type}"
        case c.Cast():
            return f"cast {node.type}({text(node.operand)})"
        case c.Convert():
            return f"{node.type}({text(node.operand)})"
        case c.Unary():
            return f"({node.op}{text(node.operand)})"
        case c.Binary():
            return f"({text(node.left)} {node.op} {text(node.right)})"
        case c.Conditional(then=None):
            return f"({text(node.condition)} ?: {text(node.otherwise)}):{node.type}"
        case c.Conditional():
            return f"({text(node.condition)} ? {text(node.then)} : {text(node.otherwise)}):{node.type}"
        case c.Comma():
            return f"({text(node.left)}, {text(node.right)})"
        case c.Assign(new=None):
            return f"({name(node.target)} = {text(node.value)})"
        case c.Update():
            is_postfix = isinstance(node, c.Increment) and not node.prefix
            return f"({name(node.target)} {'postfix ' * is_postfix}:= {text(node.new)})"
        case c.CallExpression(operation=None):
            callee = node.function.name if node.function else f"(*{text(node.callee)})"
            variable = [f"variable {text(each)}" for each in node.variable]
            return f"{callee}({', '.join([*map(text, node.arguments), *variable])})"
        case c.CallExpression():
            return f"{node.operation}({', '.join(map(text, node.arguments))})"
        case c.Erroneous():
            return f"erroneous({', '.join(map(text, node.parts))})"
        case c.Warned():
            return text(node.operand)
    raise TypeError(node)


def declared(node: t.Declare) -> str:
    """The type of a variable and the parts that are initialised."""
    if node.initial:
        return f"{node.variable.type} = {text(node.initial)}"
    return f"{node.variable.type}{shown(node.parts)}{' 0' * node.is_zeroed}"


def shown(parts: Any) -> str:
    """The parts of an object that are initialised."""
    return "".join(
        f" {name(each.place)}={repr(each.value.text) if isinstance(each.value, c.StringLiteral) else text(each.value)}"
        for each in parts
    )
