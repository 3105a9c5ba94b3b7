"""Name resolution in CPS text.

A name refers to the innermost definition around it. The scope of a statement's name is the rest of its body; that of
the continuations of a `let` group is the group and the rest of the body; that of parameters is the body of their
continuation. Functions and externals are in scope everywhere. A body binds a name once: its parameters, statements,
functions and continuations have distinct names; so have the items of the text. Uses of duplicate names are not
resolved. A flat text has no nested scopes: a name with no definition around it refers to the only definition of that
name in its function, or else in the function around that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Union

from cpsconv.core.ir import EXTERNALS, ContinuationType
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.source import Diagnostic, Source, Span, error, warning
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.spelling import is_callable, is_reserved, suggestion, unquote_name
from cpsconv.core.trampoline import Walk, flattened

_RETURN = "a function takes its return continuation as its last parameter, for example `ret : int → ⊥`"

if TYPE_CHECKING:
    _NamedNode = Union[cps.ParameterNode, cps.Binding, cps.Abstraction, cps.GlobalNode]


def resolve(items: list[cps.ItemNode], source: Source) -> list[Diagnostic]:
    """Set the definitions of names, and the `definitions` and `abstractions` of functions. Returns the errors."""
    globals: dict[str, cps.Definition] = {name: cps.Provided(0, 0, external) for name, external in EXTERNALS.items()}
    others = [item for item in items if isinstance(item, cps.DeclaredNode)]
    named: list[cps.GlobalNode] = [*others, *cps.functions_in(items)]
    named.sort(key=attrgetter("start"))
    globals.update((_key(item.name), item) for item in named)
    resolver = _Resolver(source, globals)
    resolver.check_distinct(named)
    for item in items:
        if isinstance(item, cps.FunctionNode):
            resolver.resolve(item)
        elif isinstance(item, cps.DeclaredNode):
            resolver.resolve_content(item)
    return resolver.diagnostics


def _key(word: str) -> str:
    """The key of a name in scopes: the name without back quotes, unless they distinguish it from a reserved word."""
    return word if is_reserved(name := unquote_name(word)) else name


class _Resolver:
    """Resolves the names of functions.

    `scope` has the local definitions in scope by key, innermost last; `entered` the keys in the order of definition.
    `duplicates` are the definitions that share their name with another one of the same scope. `function` is the one
    whose names are being resolved.
    """

    function: cps.FunctionNode

    def __init__(self, source: Source, globals: dict[str, cps.Definition]) -> None:
        self.source = source
        self.globals = globals
        self.diagnostics: list[Diagnostic] = []
        self.duplicates: set[cps.Definition] = set()
        self.scope: defaultdict[str, list[cps.Definition]] = defaultdict(list)
        self.entered: list[str] = []

    def resolve(self, function: cps.FunctionNode) -> None:
        """Resolve the names of a function."""
        unresolved: dict[tuple[cps.FunctionNode, str], list[cps.Name]] = {}
        for use in flattened(self._function(function)):
            key = _key(use.word)
            definition = self.scope[key][-1] if self.scope[key] else self.globals.get(key)
            if definition is None:
                unresolved.setdefault((self.function, key), []).append(use)
            elif definition not in self.duplicates:
                use.definition = definition
        for (inner, key), uses in unresolved.items():
            found = _definitions(inner, key)
            if len(found) == 1:
                for use in uses:
                    use.definition = found[0]
            elif self.duplicates.isdisjoint(found):
                self.diagnostics.append(self._unresolved_name(uses[0], inner, found))

    def resolve_content(self, node: cps.DeclaredNode) -> None:
        """Resolve the names in the content of data."""
        for use in node.names:
            use.definition = self.globals.get(_key(use.word))
            if use.definition is None:
                self.diagnostics.append(self._undefined(use, [*self.globals]))

    def check_distinct(self, definitions: Iterable[_NamedNode]) -> None:
        """Report definitions that share a name, unless they were reported before."""
        first: dict[str, _NamedNode] = {}
        for definition in definitions:
            other = first.setdefault(cps.name_of(definition), definition)
            if other is not definition and definition not in self.duplicates:
                self.diagnostics.append(self._defined_twice(definition, other))
                self.duplicates |= {other, definition}

    def _defined_twice(self, definition: _NamedNode, other: _NamedNode) -> Diagnostic:
        name, kind = cps.name_of(definition), definition.noun
        message = f"the {kind if other.noun != 'item' else 'item'} `{name}` is defined twice"
        notes = [("the other definition is here", self._span(other))]
        help = f"a name is bound once: choose another one, as in `{name}1 := …`" if kind == "value" else None
        return error(message, self._span(definition), notes=notes, help=help, rule="redefined")

    def _shadowing(self, definition: _NamedNode, outer: cps.Definition) -> Diagnostic:
        name, noun = cps.name_of(definition), definition.noun
        message, notes = f"the {noun} `{name}` shadows another `{name}`", [("the other one is here", self._span(outer))]
        return warning(message, self._span(definition), notes=notes, rule="shadowed-name")

    def _span(self, definition: cps.Definition) -> Span:
        """The span of the definition's name."""
        if isinstance(definition, (cps.Binding, cps.DeclarationNode)):
            return Span(self.source, definition.start, definition.name_end)
        return Span(self.source, definition.start, definition.end)

    def _function(self, function: cps.FunctionNode) -> Walk[cps.Name]:
        self.function = function
        yield self._body(function, function.parameters, function.body)
        self.function = function.enclosing or function

    def _body(self, function: cps.FunctionNode, parameters: list[cps.ParameterNode], body: cps.Body) -> Walk[cps.Name]:
        """Yields the names that the body uses, each while its definition is in scope."""
        before = len(self.entered)
        self.check_distinct(
            [*parameters, *(each for each in body.statements if each.name), *body.functions, *body.group]
        )
        self._define(function, parameters)
        for statement in body.statements:
            yield from _names(statement.expression)
            if statement.name:
                self._define(function, [statement])
        self._define(function, body.group)
        for inner in body.functions:
            yield self._function(inner)
        for member in body.group:
            yield self._abstraction(function, member)
        transfer = body.transfer
        parts = cps.parts_of(transfer)
        if isinstance(transfer, (cps.Application, cps.BranchNode)):
            parts = [transfer.name if isinstance(transfer, cps.Application) else transfer.value, *parts]
        for part in parts:
            yield self._abstraction(function, part) if isinstance(part, cps.Abstraction) else _names(part)
        while len(self.entered) > before:
            self.scope[self.entered.pop()].pop()

    def _abstraction(self, function: cps.FunctionNode, abstraction: cps.Abstraction) -> Walk[cps.Name]:
        function.abstractions.append(abstraction)
        yield self._body(function, abstraction.parameters, abstraction.body)

    def _define(
        self, function: cps.FunctionNode, definitions: Sequence[cps.ParameterNode | cps.Abstraction | cps.Binding]
    ) -> None:
        for definition in definitions:
            key = _key(definition.name)
            function.definitions.setdefault(key, []).append(definition)
            if self.scope[key] and definition not in self.duplicates:
                self.diagnostics.append(self._shadowing(definition, self.scope[key][-1]))
            self.scope[key].append(definition)
            self.entered.append(key)

    def _undefined(self, name: cps.Name, keys: Iterable[str]) -> Diagnostic:
        span, shown = Span(self.source, name.start, name.end), unquote_name(name.word)
        help = suggestion(shown, map(unquote_name, keys))
        return error(f"`{shown}` is not defined", span, help=help, rule="undeclared")

    def _unresolved_name(self, name: cps.Name, function: cps.FunctionNode, found: list[cps.Definition]) -> Diagnostic:
        span, shown = Span(self.source, name.start, name.end), unquote_name(name.word)
        if not found:
            parameters = function.parameters
            returns = bool(parameters) and isinstance(parameters[-1].type.type, ContinuationType)
            if shown == "ret" and not returns:
                return error(f"`{shown}` is not defined", span, help=_RETURN, rule="undeclared")
            return self._undefined(name, [*function.definitions, *self.globals, *filter(is_callable, OPERATIONS)])
        notes = [("this is one of them", self._span(other)) for other in found[:2]]
        return error(
            f"`{shown}` has several definitions, but none is in scope here", span, notes=notes, rule="ambiguous"
        )


def _definitions(function: cps.FunctionNode, key: str) -> list[cps.Definition]:
    """The definitions of a name in the function, or else in the innermost function around it that has some."""
    around: cps.FunctionNode | None = function
    while around and key not in around.definitions:
        around = around.enclosing
    return around.definitions[key] if around else []


def _names(expression: cps.Expression) -> Generator[cps.Name, None, None]:
    """The names in the expression, from left to right, without those of operations."""
    pending = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, cps.Name):
            yield part
        elif isinstance(part, (cps.Operation, cps.Application)):
            pending += reversed(part.arguments)
