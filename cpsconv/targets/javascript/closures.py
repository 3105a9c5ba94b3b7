"""Closures, classes and the variables of the module, which the functions of a program become in JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cpsconv.abi.javascript import PREFIX
from cpsconv.abi.javascript.facts import FunctionFacts, class_facts, facts_of, module_facts
from cpsconv.core import ir
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.core.trampoline import run
from cpsconv.targets.javascript.forms import Lines, arrow, flat
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.names import RESERVED, Names, identifier
from cpsconv.targets.javascript.terms import ATOM, LOW, Term, function_term, named, property_text

if TYPE_CHECKING:
    from cpsconv.targets.javascript.statements import Statements
    from cpsconv.targets.javascript.transfers import Transfers

    TextOf = Callable[["Closures", ir.Function, dict[ir.Value, Term], Names], Transfers]

_MAX_DEPTH = 80
"""The depth of functions in functions that is written: each level recurses."""

_NAMED = re.compile(
    rf"{PREFIX}(?:global|typeof_variable|(variable|set_variable|set_global(?:_sloppy)?|initialise)) (\S+)"
)


class Parts(NamedTuple):
    """What the elements of a class consist of, in order: the values `given` to it, with their terms, and functions."""

    given: Iterator[tuple[ir.Value, Term]]
    functions: Iterator[ir.Function]


class Closures:
    """The expressions of closures and classes. `late` are the variables of the module that no declaration begins.

    `declared` are names that may denote other values than those of globals, `default` is the variable of the default
    export; `has_default` says whether it is exported where it is initialised.
    """

    def __init__(self, program: ir.Program, text_of: TextOf, found: list[Diagnostic]) -> None:
        self.program, self._text_of, self._found = program, text_of, found
        self.functions: dict[ir.Value, ir.Function] = {}
        self.plain_cells: set[ir.Value] = set()
        self.late: set[str] = set()
        self._direct: dict[ir.Function, str] = {}
        self._depth = 0
        named = [match for each in program.statements() if (match := _NAMED.match(str(each.of)))]
        self.names = Names(RESERVED.union(match[2] for match in named))
        self._used = {match[2] for match in named if "initialise" not in match[0]}
        facts = module_facts(program)
        self.default = facts.default
        self.declared = {
            *(facts_of(function).name for function in program.functions),
            *(match[2] for match in named if match[1]),
            *re.findall(r"[\w$]+", " ".join(facts.items)),
        }
        self.has_default = False

    def refuse(self, what: str, span: Span | None) -> None:
        """Add an error."""
        message = f"JavaScript as it was read cannot express {what}"
        self._found.append(error(message, span, rule="not-expressible"))

    def exports_at_end(self) -> bool:
        """Whether the default export follows the code of the module: it has its value late, and no other use."""
        is_late = self.default in self.late and self.default not in self._used
        self.has_default |= is_late
        return is_late

    def is_module(self, function: ir.Function) -> bool:
        """Whether a function is the code of the module itself."""
        return facts_of(function).kind == "program"

    def kind(self, function: ir.Value) -> str:
        """The kind of the function of a closure. The text of a method is a part of the literal of its object."""
        return facts_of(self.functions[function]).kind

    def module(self, function: ir.Function) -> Transfers:
        """The text of the module. Finds the names of its functions, and the variables not initialised at its start."""
        text = self._text_of(self, function, {}, self.names)
        for member in function.members():
            for each in member.body:
                word, _, name = str(each.of).partition(" ")
                if word != f"{PREFIX}initialise":
                    continue
                if member not in text.layout.prefix:
                    self.late.add(name)
                closure = each.operands[0]
                if isinstance(closure, ir.Effect) and str(closure.of) == f"{PREFIX}closure":
                    target = closure.operands[0]
                    if isinstance(target, ir.Primitive) and isinstance(target.operands[0], ir.Function):
                        self._direct[target.operands[0]] = name
        return text

    def direct(self, call: ir.Call) -> str:
        """The name of a function that is called directly."""
        name = self._direct.get(call.callee)
        if name is None:
            self.refuse(f"the call of `{call.callee.name}`", call.span)
        return name or ""

    def values(self, operands: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """The operands that have expressions: the functions of closures have none."""
        return [each for each in operands if each not in self.functions]

    def place(self, cell: ir.Value, term: Term) -> str:
        """What holds the value of a cell: a variable, or a property of an object."""
        return term.text if cell in self.plain_cells else f"{term.within(ATOM)}.value"

    def of_module(self, name: str, operand: str, terms: list[Term]) -> Term | None:
        """The expression of an operation on variables of the module, or on objects with methods."""
        if name == "variable" and operand in self.late:
            return Term(f'{HELPER}checked({operand}, "{operand}")')
        if name == "initialise":
            return self._initialised(operand, terms[0])
        if name in ("set_variable", "set_global", "set_global_sloppy"):
            return Term(f"{operand} = {named(terms[0], operand)}", LOW)
        if name == "object":
            return _object(operand, terms)
        if name in _ALONE:
            return Term(_ALONE[name].format(terms[0].within(LOW), EXTENDING[name](operand, terms[1:])))
        return None

    def _initialised(self, name: str, value: Term) -> Term:
        """The first value of a variable of the module: a declaration, of a function if it is one."""
        head = re.match(r"(?:async )?function\*? ", value.bare)
        if head and value.function_name == name and name not in self.late:
            self.has_default |= name == self.default
            export = "export default " * (name == self.default)
            return Term(f"{export}{head[0]}{name}{value.bare[head.end() :]}", LOW, is_statement=True)
        if name == self.default and name not in self.late and name not in self._used:
            self.has_default = True
            text = value.bare if value.function_name == "default" else value.text
            is_named = text != value.bare and text.startswith(("function", "class", "async"))
            return Term(f"export default ({text})" if is_named else f"export default {text}", LOW)
        let = "" if name in self.late else "let "
        return Term(f"{let}{name} = {named(value, name)}", LOW)

    # -------------------------------------------------------------------------------------------------- functions

    def closure(self, operands: Sequence[ir.Value], terms: list[Term], around: Statements, lines: Lines) -> Term:
        """The expression of a closure."""
        function = self.functions[operands[0]]
        facts = facts_of(function)
        captured = [*zip(operands[1:], terms, strict=True)]
        if "self" in facts.implicit and facts.kind == "arrow":
            around.flush(lines)
            own = around.names.unique(facts.name)
            lines.append(f"const {own} = {self.function(function, captured, around, own)};")
            return Term(own)
        if facts.kind == "method":
            text = self.function(function, captured, around, "method")
            return Term(f"({{ {text} }}).method", ATOM, text)
        shown = identifier(facts.name) if "self" in facts.implicit else None
        for number, (value, term) in enumerate(captured):
            if term.text == shown:
                around.flush(lines)
                other = around.names.unique(shown)
                captured[number] = value, Term(other)
                lines.append(f"const {other} = {shown};")
        text = self.function(function, captured, around, shown)
        return Term(text, LOW, text, facts.name) if shown else function_term(text, facts.name)

    def function(
        self,
        function: ir.Function,
        captured: Sequence[tuple[ir.Value, Term]],
        around: Statements,
        name: str | None,
        prefix: str | None = None,
    ) -> str:
        """The text of a function; `name` is that in its text. A member of a class has a `prefix`."""
        facts = facts_of(function)
        if facts.evaluates:
            self.refuse("a generator with patterns or defaults, which its call evaluates", function.span)
        parameters = function.parameters[:-1]
        known = dict[ir.Value, Term]()
        for parameter, (value, term) in zip(parameters, captured, strict=False):
            known[parameter] = term
            if value in self.plain_cells:
                self.plain_cells.add(parameter)
        own = len(captured) + len(facts.implicit)
        for parameter, word in zip(parameters[len(captured) : own], facts.implicit, strict=True):
            known[parameter] = Term(name or "") if word == "self" else Term(word)
        text = self._text_of(self, function, known, Names(around.names))
        text.names.taken.add(name or "")
        names = [text.name(parameter) for parameter in parameters[own:]]
        body = self._body(text)
        if facts.kind == "field":
            return self._field(body, name)
        head = f"({', '.join(_parameters(names, facts))})"
        stars = "async " * facts.is_async, "*" * facts.is_generator
        is_first = prefix is None and facts.is_strict and not facts_of(around.function).is_strict
        if facts.kind == "arrow":
            return arrow(f"{stars[0]}{head} =>", ['"use strict";', *body] if is_first else body)
        if facts.kind == "method":
            head = f"{prefix or ''}{stars[0]}{stars[1]}{name}{head}"
        elif facts.kind == "static":
            head = "static"
        else:
            head = f"{stars[0]}function{stars[1]} {name or ''}{head}"
        return "\n".join([f"{head} {{", *(['  "use strict";'] * is_first), *flat(body, "  "), "}"])

    def _body(self, text: Transfers) -> Lines:
        """The lines of a function. Raises `DiagnosticError` if too many functions are around it."""
        if self._depth == _MAX_DEPTH:
            self.refuse(
                f"more than {_MAX_DEPTH} functions in each other: they are nested too deeply", text.function.span
            )
            raise DiagnosticError(self._found)
        self._depth += 1
        body = run(text.body())
        self._depth -= 1
        return body

    def _field(self, body: Lines, name: str | None) -> str:
        """The initialiser of a field: an expression, or a function that is called at once."""
        if len(body) == 1 and str(body[0]).startswith("return "):
            return f"{name} = {str(body[0])[len('return ') : -1]};"
        return "\n".join([f"{name} = (() => {{", *flat(body, "  "), "})();"])

    # ---------------------------------------------------------------------------------------------------- classes

    def class_(self, operand: str, operands: Sequence[ir.Value], terms: list[Term], around: Statements) -> Term:
        """The expression of a class."""
        facts = class_facts(operand)
        name = facts.name
        self.declared.add(name)
        given: Iterator[tuple[ir.Value, Term]] = zip(self.values(operands), terms, strict=True)
        functions = (self.functions[each] for each in operands if each in self.functions)
        heritage = f"extends {next(given)[1].within(ATOM)}" if facts.is_derived else ""
        cell, own = next(given) if facts.has_cell else (None, Term(""))
        shown = name if cell and not own.text else ""
        lines = [f"static {{ {self.place(cell, own)} = this; }}"] if cell and not shown else []
        if cell and shown:
            self.plain_cells.add(cell)
            given = ((value, Term(name) if value is cell else term) for value, term in given)
        parts = Parts(given, functions)
        for kind, key in facts.elements:
            lines += self._element(kind, key, parts, around).split("\n")
        text = "\n".join(
            [
                f"class {shown}{' ' * bool(shown)}{heritage.lstrip()}{' ' * bool(heritage)}{{",
                *(f"  {line}" for line in lines),
                "}",
            ]
        )
        return Term(text, LOW, text, name) if shown else function_term(text, name)

    def _element(self, kind: str, key: str, parts: Parts, around: Statements) -> str:
        static = "static " * kind.startswith("static_")
        kind = kind.removeprefix("static_")
        shown = key
        if not key and kind != "block":
            shown = f"[{next(parts.given)[1].within(LOW)}]"
        if kind.endswith("_undefined"):
            return f"{static}{shown};"
        function = next(parts.functions)
        captured = [*islice(parts.given, facts_of(function).captures)]
        prefix = f"{static}{kind} " if kind in ("get", "set") else static
        text = self.function(function, captured, around, shown, prefix)
        return f"{static}{text}" if kind == "field" else text


def _parameters(names: Sequence[str], facts: FunctionFacts) -> Iterator[str]:
    """The parameters as written: a default keeps the length of the function, an ellipsis its rest parameter."""
    for number, name in enumerate(names):
        if facts.has_rest and number == len(names) - 1:
            yield f"...{name}"
        else:
            yield name if facts.length is None or number < facts.length else f"{name} = undefined"


# ------------------------------------------------------------------------------------------------------------ objects


def _object(operand: str, terms: Sequence[Term]) -> Term:
    parts = [property_text(name, None, term) for name, term in zip(operand.split(), terms, strict=True)]
    return Term(f"{{ {', '.join(parts)} }}" if parts else "{}", ATOM)


def _property(operand: str, terms: Sequence[Term]) -> str:
    return property_text(operand, terms[0] if len(terms) > 1 else None, terms[-1])


def _plain_property(operand: str, terms: Sequence[Term]) -> str:
    """A property whose key gives its value no name: one with a computed key."""
    value = terms[-1]
    if len(terms) > 1 and value.bare and not value.function_name:
        value = Term(f"(0, {value.bare})")
    return _property(operand, [*terms[:-1], value])


def _method(word: str) -> Callable[[str, Sequence[Term]], str]:
    def text(operand: str, terms: Sequence[Term]) -> str:
        key = f"[{terms[0].within(LOW)}]" if len(terms) > 1 else operand
        head, _, body = terms[-1].bare.partition("method")
        return f"{word}{head}{key}{body}"

    return text


LITERALS = ("object", "array")
"""The operations that begin literals."""

EXTENDING: dict[str, Callable[[str, Sequence[Term]], str]] = {
    "define": _plain_property,
    "define_named": _property,
    "define_method": _method(""),
    "define_getter": _method("get "),
    "define_setter": _method("set "),
    "copy_properties": lambda operand, terms: f"...{terms[0].within(LOW)}",
    "set_prototype": lambda operand, terms: f"__proto__: {terms[0].within(LOW)}",
    "append": lambda operand, terms: terms[0].within(LOW),
    "append_all": lambda operand, terms: f"...{terms[0].within(LOW)}",
    "append_hole": lambda operand, terms: "",
}
"""The parts that operations add to the literal that is their first operand."""

_ALONE = {
    **dict.fromkeys(("define", "define_named", "define_method"), f"{HELPER}defineAll({{}}, {{{{ {{}} }}}})"),
    **dict.fromkeys(("define_getter", "define_setter"), f"{HELPER}defineAccessor({{}}, {{{{ {{}} }}}})"),
    "copy_properties": f"{HELPER}defineAll({{}}, {{{{ {{}} }}}})",
    "set_prototype": f"{HELPER}setPrototype({{}}, {{{{ {{}} }}}})",
}
"""The expressions of the same operations on an object that is no longer a literal."""
