"""The text of each operation of JavaScript, as an expression."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cpsconv.abi.javascript import PREFIX, is_word, unquoted
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.names import RESERVED, reads

ATOM, UNARY, BINARY, LOW = range(4)


class Term(NamedTuple):
    """An expression; its level says which operators it may be an operand of without parentheses.

    A function or class has its *bare* text as well, which gets its name where it is assigned to a variable. `parts` are
    an operand, the operator and the other operand; `members`, those of a literal that operations extend.
    """

    text: str
    level: int = ATOM
    bare: str = ""
    function_name: str = ""
    is_statement: bool = False
    members: Sequence[str] = ()
    parts: tuple[str, str, str] = ("", "", "")

    def within(self, level: int) -> str:
        """The text as an operand that may have at most this level."""
        return self.text if self.level <= level else f"({self.text})"


Terms = Sequence[Term]


def operation_of(text: object) -> tuple[str, str]:
    """The name and the static operand of an operation."""
    name, _, operand = str(text).removeprefix(PREFIX).partition(" ")
    return name, operand


def named(term: Term, name: str) -> str:
    """An expression that is assigned to a variable, from which a function or class takes its name."""
    if not term.bare:
        return term.within(LOW)
    if term.function_name == name:
        return term.bare
    return term.text if term.function_name else f"(0, {term.bare})"


def function_term(text: str, name: str) -> Term:
    """A function or class of this name; its text has no name of its own."""
    shown = json.dumps(name)
    if name and is_word(name) and name not in RESERVED and not reads(text, name):
        head = re.match(r"class|(?:async )?function\*?(?= \()", text)
        if head:
            rest = text[head.end() :]
            return Term(f"{head[0]} {name}{rest.removeprefix(' ') if rest[1] == '(' else rest}", LOW, text, name)
    return Term(f"({{ {shown}: {text} }})[{shown}]" if name else text, ATOM if name else LOW, text, name)


def listed(terms: Terms) -> str:
    """Expressions with commas between them."""
    return ", ".join(each.within(LOW) for each in terms)


def string(text: str) -> Term:
    """A string literal."""
    return Term(json.dumps(text))


def member(object: Term, name: str, keys: Terms) -> str:
    """A property of an object."""
    text = object.within(ATOM)
    text = f"({text})" if re.fullmatch(r"\d+", text) or text.startswith(("{", "function", "class")) else text
    if keys:
        return f"{text}[{keys[0].within(LOW)}]"
    return f"{text}.{name}"


def _get(name: str, values: Terms) -> Term:
    return Term(member(values[0], name, values[1:]))


def _set(name: str, values: Terms) -> Term:
    return Term(f"{member(values[0], name, values[1:-1])} = {values[-1].within(LOW)}", LOW)


def _super(values: Terms) -> Terms:
    return [Term("super"), *values[1:]]


def _delete(name: str, values: Terms) -> Term:
    return Term(f"delete {_get(name, values).text}", UNARY)


_LEVELS = ("|", "^", "&", "== != === !==", "< <= > >= in instanceof", "<< >> >>>", "+ -", "* / %", "**")
_PRECEDENCE = {operator: number for number, words in enumerate(_LEVELS) for operator in words.split()}
_OPPOSITE = {"===": "!==", "!==": "===", "==": "!=", "!=": "=="}


def _binary(operator: str, values: Terms) -> Term:
    precedence = _PRECEDENCE[operator]
    left = values[0].within(ATOM) if operator == "**" else _operand(values[0], precedence)
    return _infix(left, operator, _operand(values[1], precedence + 1))


def _operand(term: Term, precedence: int) -> str:
    return term.text if _PRECEDENCE.get(term.parts[1], -1) >= precedence else term.within(UNARY)


def _infix(left: str, operator: str, right: str) -> Term:
    return Term(f"{left} {operator} {right}", BINARY, parts=(left, operator, right))


def _prefix(operator: str, values: Terms) -> Term:
    operand = values[0].within(ATOM)
    return Term(f"{operator}{' ' * operator.isalpha()}{operand}", UNARY, parts=("", operator, values[0].text))


def _negation(_: str, values: Terms) -> Term:
    left, operator, right = values[0].parts
    return _infix(left, _OPPOSITE[operator], right) if operator in _OPPOSITE else _prefix("!", values)


def negation(condition: Term) -> Term:
    """The opposite of a condition."""
    _, operator, operand = condition.parts
    return Term(operand, LOW) if operator == "!" else _negation("", [condition])


def choice(condition: Term, then: Term, otherwise: Term) -> Term:
    """``c ? x : y``, or a logical operator of the same meaning."""
    operator, left, right = "", condition, otherwise
    if condition.text == otherwise.text:
        operator, right = "&&", then
    elif condition.text == then.text:
        operator = "||"
    elif condition.parts == (otherwise.text, "==", "null"):
        operator, left, right = "??", otherwise, then
    if operator and re.fullmatch(r"[\w$]+", left.text):
        return Term(f"{left.text} {operator} {right.within(BINARY)}", LOW)
    return Term(f"{condition.within(BINARY)} ? {then.within(LOW)} : {otherwise.within(LOW)}", LOW)


def assigned(name: str, term: Term) -> str:
    """An assignment to a variable."""
    left, operator, right = term.parts
    if left == name and operator in ("++", "--"):
        return f"{name}{operator}"
    if left == name and _PRECEDENCE.get(operator, -1) >= 0 and re.fullmatch(r"[-+*/%&|^<>]+", operator):
        return f"{name} {operator}= {right}" if operator not in ("<", ">", "<=", ">=") else f"{name} = {term.text}"
    return f"{name} = {named(term, name)}"


def _numeric(_: str, values: Terms) -> Term:
    return Term(f"{HELPER}numeric({listed(values)})", parts=(values[0].within(ATOM), "numeric", ""))


def _step(name: str, operator: str) -> Callable[[str, Terms], Term]:
    """A number plus or minus one; the operator converts its operand itself."""

    def text(_: str, values: Terms) -> Term:
        operand = values[0].parts[0] if values[0].parts[1] == "numeric" else values[0].within(LOW)
        return Term(f"{HELPER}{name}({operand})", parts=(operand, operator, ""))

    return text


def _helper(name: str) -> Callable[[str, Terms], Term]:
    def text(operand: str, values: Terms) -> Term:
        further = [string(operand)] if operand else []
        return Term(f"{name}({listed([*values, *further])})")

    return text


def _suspension(name: str) -> Callable[[str, Terms], Term]:
    """``yield`` with an edge for ``return()`` of the generator, which throws `Returned`."""
    return lambda operand, values: Term(f"yield* new {HELPER}{name}({listed(values)})", LOW)


def _call(_: str, values: Terms) -> Term:
    function, this, *arguments = values
    if re.fullmatch(rf"(?:super|{re.escape(this.text)})[.\[].*", function.text) and function.level == ATOM:
        return Term(f"{function.text}({listed(arguments)})")
    if this.text == "undefined":
        callee = function.within(ATOM)
        callee = f"(0, {callee})" if re.search(r"[.\]]", callee) or callee.startswith(("function", "class")) else callee
        return Term(f"{callee}({listed(arguments)})")
    return Term(f"{HELPER}Reflect.apply({listed([function, this])}, [{listed(arguments)}])")


def _new(_: str, values: Terms) -> Term:
    callee = values[0].text if re.fullmatch(r"[\w$]+", values[0].text) else f"({values[0].text})"
    return Term(f"new {callee}({listed(values[1:])})")


def _array(_: str, values: Terms) -> Term:
    return Term(f"[{listed(values)}]")


def _concatenation(_: str, values: Terms) -> Term:
    """A template, if all its parts are strings in place; else the sum of strings."""
    if not all(each.text[0] in '`"' for each in values):
        return Term(" + ".join(each.within(UNARY) for each in values), BINARY)
    parts = (each.text[1:-1] if each.text[0] == "`" else _in_template(each.text[1:-1]) for each in values)
    return Term(f"`{''.join(parts)}`")


def _in_template(text: str) -> str:
    """The content of a string literal as that of a template."""
    return text.replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")


def _template_object(operand: str, _: Terms) -> Term:
    parts = re.findall(r"'[^']*'|undefined", operand)
    texts = ["undefined" if each == "undefined" else json.dumps(unquoted(each)) for each in parts]
    half = len(texts) // 2
    return Term(
        f"{HELPER}templateObject({json.dumps(operand)}, [{', '.join(texts[:half])}], [{', '.join(texts[half:])}])"
    )


def _constant(text: str) -> Callable[[str, Terms], Term]:
    return lambda operand, values: Term(text)


def _literal(operand: str, _: Terms) -> Term:
    return Term(operand)


TERMS: dict[str, Callable[[str, Terms], Term]] = {
    **{name: _constant(name) for name in ("undefined", "null", "true", "false")},
    "uninitialised": _constant(f"{HELPER}uninitialised"),
    "number": _literal,
    "bigint": lambda operand, values: Term(f"{operand}n"),
    "string": lambda operand, values: string(unquoted(operand)),
    "regexp": _literal,
    "same": lambda operand, values: _binary("===", values),
    "negation": _negation,
    "type_name": lambda operand, values: _prefix("typeof", values),
    "increment": _step("increment", "++"),
    "decrement": _step("decrement", "--"),
    "concatenation": _concatenation,
    "truthy": lambda operand, values: values[0],
    "is_nullish": lambda operand, values: _infix(values[0].within(ATOM), "==", "null"),
    "is_undefined": lambda operand, values: _binary("===", [values[0], Term("undefined")]),
    "is_done": lambda operand, values: _binary("===", [values[0], Term(f"{HELPER}done")]),
    "binary": _binary,
    "unary": _prefix,
    "numeric": _numeric,
    "to_string": lambda operand, values: Term(f"`${{{values[0].text}}}`"),
    "property_key": _helper(f"{HELPER}propertyKey"),
    "get": _get,
    "get_super": lambda operand, values: _get(operand, _super(values)),
    "delete": _delete,
    "delete_sloppy": _delete,
    "delete_global": lambda operand, values: Term(f"delete {operand}", UNARY),
    "private_in": lambda operand, values: Term(f"{operand} in {values[0].within(UNARY)}", BINARY),
    "call": _call,
    "call_method": lambda _, values: Term(f"{values[0].text}({listed(values[1:])})"),
    "apply": _helper(f"{HELPER}Reflect.apply"),
    "new": _new,
    "new_apply": _helper(f"{HELPER}Reflect.construct"),
    "call_super": lambda operand, values: Term(f"super({listed(values)})"),
    "apply_super": lambda operand, values: Term(f"super(...{values[0].within(LOW)})"),
    "import": _helper("import"),
    "await": lambda operand, values: _prefix("await", values),
    "yield": lambda operand, values: Term(f"yield {values[0].within(LOW)}", LOW),
    "yield_all": lambda operand, values: Term(f"yield* {values[0].within(LOW)}", LOW),
    "yield_returning": _suspension("Yield"),
    "yield_all_returning": _suspension("Delegation"),
    "yield_returning_async": lambda operand, values: _suspension("AsyncYield")("", [_prefix("await", values)]),
    "yield_all_returning_async": _suspension("AsyncDelegation"),
    "global": _literal,
    "variable": _literal,
    "typeof_variable": lambda operand, values: Term(f'typeof {operand} === "undefined" ? undefined : {operand}', LOW),
    "iterator": _helper(f"{HELPER}iterate"),
    "keys": _helper(f"{HELPER}keysOf"),
    "async_iterator": _helper(f"{HELPER}iterateLater"),
    "async_next": lambda operand, values: Term(f"{values[0].within(ATOM)}.next()"),
    "async_return": lambda operand, values: Term(f"{values[0].within(ATOM)}.return()"),
    "item": _helper(f"{HELPER}item"),
    "require_result": _helper(f"{HELPER}requireResult"),
    "step": lambda operand, values: Term(f"{values[0].within(ATOM)}.step()"),
    "step_value": lambda operand, values: Term(f"{values[0].within(ATOM)}.value()"),
    "rest": lambda operand, values: Term(f"{values[0].within(ATOM)}.rest()"),
    "iterator_close": lambda operand, values: Term(f"{values[0].within(ATOM)}.close()"),
    "iterator_close_quietly": lambda operand, values: Term(f"{values[0].within(ATOM)}.closeQuietly()"),
    "without": lambda operand, values: Term(
        f"{HELPER}without({listed([values[0], _array('', [*map(string, operand.split()), *values[1:]])])})"
    ),
    "set": _set,
    "set_sloppy": _set,
    "set_super": lambda operand, values: _set(operand, _super(values)),
    "assign_constant": _helper(f"{HELPER}assignConstant"),
    "check": _helper(f"{HELPER}check"),
    "require_object": _helper(f"{HELPER}requireObject"),
    "append": lambda operand, values: Term(f"{values[0].within(ATOM)}.push({listed(values[1:])})"),
    "append_hole": lambda operand, values: Term(f"{values[0].within(ATOM)}.length++", LOW),
    "append_all": lambda operand, values: Term(f"{values[0].within(ATOM)}.push(...{values[1].within(LOW)})"),
    "array": _array,
    "template_object": _template_object,
    "import_meta": _constant("import.meta"),
    "this_module": _constant("this"),
    "sloppy_this": lambda operand, values: values[0],
    "debugger": _constant("debugger"),
    "cell": lambda operand, values: values[0],
    "parameter_cell": lambda operand, values: values[0],
}
"""The expressions of operations on values; those of cells, objects, classes and closures depend on the program."""


def property_text(name: str, key: Term | None, value: Term) -> str:
    """A property in a literal."""
    if key is None:
        return f"{name if is_word(name) else json.dumps(name)}: {named(value, name)}"
    return f"[{key.within(LOW)}]: {value.within(LOW)}"
