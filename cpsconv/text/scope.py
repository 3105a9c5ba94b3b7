"""What the names of a text mean.

A name means the innermost definition around it. Statements are in scope behind themselves, the continuations of a `let`
group in each other and behind the group, parameters in the body that follows. Around all functions lie the
functions themselves and what the outside world provides. A flat text shows no scopes: a name without a
definition around it means the only one of that name in its function.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from cpsconv.ir import EXTERNALS
from cpsconv.source import Diagnostic, Source, Span, error
from cpsconv.text.syntax import (
    Abstraction,
    Application,
    Binding,
    Body,
    BranchNode,
    Definition,
    Expression,
    FunctionNode,
    Name,
    Node,
    Operation,
    ParameterNode,
    Provided,
    name_of,
)
from cpsconv.text.walk import Walk, run
from cpsconv.text.words import RESERVED, unspelled

_MOST_SUGGESTED_FROM = 1000  # names: a near one is not searched for among more


def resolve(functions: list[FunctionNode], source: Source) -> list[Diagnostic]:
    """Give names their definitions, and functions their `definitions` and `abstractions`. Returns what is wrong."""
    diagnostics: list[Diagnostic] = []
    outside: dict[str, Definition] = {name: Provided(0, 0, external) for name, external in EXTERNALS.items()}
    first: dict[str, FunctionNode] = {}
    for function in functions:
        outside[_key(function.name)] = function
        if first.setdefault(name_of(function), function) is not function:
            diagnostics.append(_defined_twice(source, "function", function, first[name_of(function)]))
    for function in functions:
        diagnostics += _Resolver(function, outside, source).resolve()
    return diagnostics


def _key(word: str) -> str:
    """What a name is looked up by: the back quotes do not matter, unless they keep it apart from a reserved word."""
    name = unspelled(word)
    return word if name in RESERVED else name


def _defined_twice(
    source: Source, kind: str, second: ParameterNode | Abstraction | FunctionNode, first: Node
) -> Diagnostic:
    note = ("the other definition is here", Span(source, first.start, first.end))
    return error(
        f"the {kind} `{name_of(second)}` is defined twice", Span(source, second.start, second.end), notes=[note]
    )


class _Resolver:
    """Resolves the names of one function. `scope` changes on the way; `changes` has what to restore."""

    def __init__(self, function: FunctionNode, outside: dict[str, Definition], source: Source) -> None:
        self.function = function
        self.outside = outside
        self.source = source
        self.scope: dict[str, Definition] = {}
        self.changes: list[tuple[str, Definition | None]] = []
        self.unresolved: list[Name] = []
        self.diagnostics: list[Diagnostic] = []

    def resolve(self) -> list[Diagnostic]:
        for use in run(self._body(self.function.parameters, self.function.body)):
            self._use(use)
        complained: dict[str, Diagnostic] = {}
        for use in self.unresolved:
            found = self.function.definitions.get(_key(use.word), [])
            if len(found) == 1:
                use.definition = found[0]
            elif use.word not in complained:
                complained[use.word] = self._complaint(use, found)
        self.diagnostics += complained.values()
        return self.diagnostics

    def _body(self, parameters: list[ParameterNode], body: Body) -> Walk:
        """Yields the names that the body uses, each while its definition is in scope."""
        before = len(self.changes)
        self._define_all("parameter", parameters)
        for statement in body.statements:
            yield from _names(statement.expression)
            if statement.name:
                self._define(statement)
        self._define_all("continuation", body.group)
        for member in body.group:
            yield self._abstraction(member)
        yield self._transfer(body)
        while len(self.changes) > before:
            self._undo()

    def _transfer(self, body: Body) -> Walk:
        transfer = body.transfer
        if isinstance(transfer, Application):
            yield transfer.name
            parts = transfer.arguments
        else:
            value = transfer.condition if isinstance(transfer, BranchNode) else transfer.value
            parts = [value, *transfer.slots]
        for part in parts:
            if isinstance(part, Abstraction):
                yield self._abstraction(part)
            else:
                yield from _names(part)

    def _abstraction(self, abstraction: Abstraction) -> Walk:
        self.function.abstractions.append(abstraction)
        yield self._body(abstraction.parameters, abstraction.body)

    def _define_all(self, kind: str, definitions: list[ParameterNode] | list[Abstraction]) -> None:
        """Define what belongs to one scope, and so must have distinct names."""
        first: dict[str, Node] = {}
        for definition in definitions:
            if first.setdefault(name_of(definition), definition) is not definition:
                other = first[name_of(definition)]
                self.diagnostics.append(_defined_twice(self.source, kind, definition, other))
            self._define(definition)

    def _define(self, definition: ParameterNode | Abstraction | Binding) -> None:
        key = _key(definition.name)
        self.function.definitions.setdefault(key, []).append(definition)
        self.changes.append((key, self.scope.get(key)))
        self.scope[key] = definition

    def _undo(self) -> None:
        key, before = self.changes.pop()
        if before is None:
            del self.scope[key]
        else:
            self.scope[key] = before

    def _use(self, name: Name) -> None:
        key = _key(name.word)
        name.definition = self.scope.get(key) or self.outside.get(key)
        if name.definition is None:
            self.unresolved.append(name)

    def _complaint(self, name: Name, found: list[Definition]) -> Diagnostic:
        span = Span(self.source, name.start, name.end)
        shown = unspelled(name.word)
        if not found:
            return error(f"`{shown}` is not defined", span, help=self._near(shown))
        notes = [("it could be this one", Span(self.source, other.start, other.end)) for other in found[:2]]
        return error(f"`{shown}` has several definitions, but none around this use", span, notes=[*notes])

    def _near(self, name: str) -> str | None:
        known = [unspelled(key) for key in (*self.function.definitions, *self.outside)]
        matches = get_close_matches(name, known, 1) if len(known) <= _MOST_SUGGESTED_FROM else []
        return f"did you mean `{matches[0]}`?" if matches else None


def _names(expression: Expression) -> Iterator[Name]:
    """The names in the expression, from left to right; those of operations apart."""
    pending = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, Name):
            yield part
        elif isinstance(part, Operation):
            pending += reversed(part.operands)
        elif isinstance(part, Application):
            pending += reversed(part.arguments)
