"""Name resolution in CPS text.

A name refers to the innermost definition around it. The scope of a statement's name is the rest of its body; that of
the continuations of a `let` group is the group and the rest of the body; that of parameters is the body of their
continuation. Functions and externals are in scope everywhere. Names must be distinct within a parameter list, among the
statements of a body, within a group, and among the functions; uses of duplicate names are not resolved. A flat text has
no nested scopes: a name with no definition around it refers to the only definition of that name in its function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Union

from cpsconv.ir import EXTERNALS, ContinuationType
from cpsconv.source import Diagnostic, Source, Span, error
from cpsconv.text.spelling import CALLABLE, RESERVED, suggestion, unquote_name
from cpsconv.text.syntax import (
    Abstraction,
    Application,
    Binding,
    Body,
    Definition,
    Expression,
    FunctionNode,
    Name,
    Operation,
    ParameterNode,
    Provided,
    name_of,
)
from cpsconv.trampoline import Walk, flattened

_RETURN = "a function takes its return continuation as its last parameter, for example `ret : int → ⊥`"

_NamedNode = Union[ParameterNode, Binding, Abstraction, FunctionNode]


def resolve(functions: list[FunctionNode], source: Source) -> list[Diagnostic]:
    """Set the definitions of names, and the `definitions` and `abstractions` of functions. Returns the errors."""
    globals: dict[str, Definition] = {name: Provided(0, 0, external) for name, external in EXTERNALS.items()}
    globals.update((_key(function.name), function) for function in functions)
    duplicates = _Duplicates(source)
    duplicates.check("function", functions)
    for function in functions:
        _Resolver(function, globals, duplicates).resolve()
    return duplicates.diagnostics


def _key(word: str) -> str:
    """The key of a name in scopes: the name without back quotes, unless they distinguish it from a reserved word."""
    name = unquote_name(word)
    return word if name in RESERVED else name


class _Duplicates:
    """Reports duplicate names. `definitions` are the definitions with such names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.definitions: set[Definition] = set()

    def check(self, kind: str, definitions: Iterable[_NamedNode]) -> None:
        """Report definitions that share a name."""
        first: dict[str, _NamedNode] = {}
        for definition in definitions:
            other = first.setdefault(name_of(definition), definition)
            if other is not definition:
                message = f"the {kind} `{name_of(definition)}` is defined twice"
                notes = [("the other definition is here", self.span(other))]
                self.diagnostics.append(error(message, self.span(definition), notes=notes))
                self.definitions |= {other, definition}

    def span(self, definition: Definition) -> Span:
        """The span of the definition's name."""
        end = definition.name_end if isinstance(definition, Binding) else definition.end
        return Span(self.source, definition.start, end)


class _Resolver:
    """Resolves the names of one function.

    `scope` has the local definitions in scope by key, innermost last; `entered` the keys in the order of definition.
    """

    def __init__(self, function: FunctionNode, globals: dict[str, Definition], duplicates: _Duplicates) -> None:
        self.function = function
        self.globals = globals
        self.duplicates = duplicates
        self.scope: defaultdict[str, list[Definition]] = defaultdict(list)
        self.entered: list[str] = []
        self.unresolved: list[Name] = []

    def resolve(self) -> None:
        for use in flattened(self._body(self.function.parameters, self.function.body)):
            key = _key(use.word)
            definition = self.scope[key][-1] if self.scope[key] else self.globals.get(key)
            if definition is None:
                self.unresolved.append(use)
            elif definition not in self.duplicates.definitions:
                use.definition = definition
        seen: set[str] = set()
        for use in self.unresolved:
            found = self.function.definitions.get(_key(use.word), [])
            if len(found) == 1:
                use.definition = found[0]
            elif use.word not in seen:
                seen.add(use.word)
                if self.duplicates.definitions.isdisjoint(found):
                    self.duplicates.diagnostics.append(self._unresolved_name(use, found))

    def _body(self, parameters: list[ParameterNode], body: Body) -> Walk:
        """Yields the names that the body uses, each while its definition is in scope."""
        before = len(self.entered)
        self._define_all("parameter", parameters)
        self.duplicates.check("value", (statement for statement in body.statements if statement.name))
        for statement in body.statements:
            yield from _names(statement.expression)
            if statement.name:
                self._define(statement)
        self._define_all("continuation", body.group)
        for member in body.group:
            yield self._abstraction(member)
        yield self._transfer(body)
        while len(self.entered) > before:
            self.scope[self.entered.pop()].pop()

    def _transfer(self, body: Body) -> Walk:
        transfer = body.transfer
        if isinstance(transfer, Application):
            yield transfer.name
            parts = transfer.arguments
        else:
            parts = [transfer.value, *transfer.slots]
        for part in parts:
            if isinstance(part, Abstraction):
                yield self._abstraction(part)
            else:
                yield from _names(part)

    def _abstraction(self, abstraction: Abstraction) -> Walk:
        self.function.abstractions.append(abstraction)
        yield self._body(abstraction.parameters, abstraction.body)

    def _define_all(self, kind: str, definitions: list[ParameterNode] | list[Abstraction]) -> None:
        self.duplicates.check(kind, definitions)
        for definition in definitions:
            self._define(definition)

    def _define(self, definition: ParameterNode | Abstraction | Binding) -> None:
        key = _key(definition.name)
        self.function.definitions.setdefault(key, []).append(definition)
        self.scope[key].append(definition)
        self.entered.append(key)

    def _unresolved_name(self, name: Name, found: list[Definition]) -> Diagnostic:
        span = Span(self.duplicates.source, name.start, name.end)
        shown = unquote_name(name.word)
        if not found:
            known = [unquote_name(key) for key in (*self.function.definitions, *self.globals, *CALLABLE)]
            parameters = self.function.parameters
            returns = bool(parameters) and isinstance(parameters[-1].type.type, ContinuationType)
            help = _RETURN if shown == "ret" and not returns else suggestion(shown, known)
            return error(f"`{shown}` is not defined", span, help=help)
        notes = [("this is one of them", self.duplicates.span(other)) for other in found[:2]]
        return error(f"`{shown}` has several definitions, but none is in scope here", span, notes=notes)


def _names(expression: Expression) -> Iterator[Name]:
    """The names in the expression, from left to right, without those of operations."""
    pending = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, Name):
            yield part
        elif isinstance(part, (Operation, Application)):
            pending += reversed(part.arguments)
