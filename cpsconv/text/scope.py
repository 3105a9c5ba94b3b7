"""What the names of a text mean.

A name means the innermost definition around it. Statements are in scope behind themselves, the continuations of a `let`
group in each other and behind the group, parameters in the body that follows. Around all functions lie the
functions themselves and what the outside world provides. The names of one parameter list, of the statements of one
body, of one group and of the functions are distinct; what a name means that is not, is left open. A flat text shows no
scopes: a name without a definition around it means the only one of that name in its function.
"""

from __future__ import annotations

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
    BranchNode,
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

_RETURN = "a function takes its return continuation as its last parameter: `ret : int → ⊥`, for instance"

_Named = Union[ParameterNode, Binding, Abstraction, FunctionNode]


def resolve(functions: list[FunctionNode], source: Source) -> list[Diagnostic]:
    """Give names their definitions, and functions their `definitions` and `abstractions`. Returns what is wrong."""
    outside: dict[str, Definition] = {name: Provided(0, 0, external) for name, external in EXTERNALS.items()}
    outside.update((_key(function.name), function) for function in functions)
    distinct = _Distinct(source)
    distinct.demand("function", functions)
    diagnostics = distinct.diagnostics
    for function in functions:
        _Resolver(function, outside, distinct).resolve()
    return diagnostics


def _key(word: str) -> str:
    """What a name is looked up by: the back quotes do not matter, unless they keep it apart from a reserved word."""
    name = unquote_name(word)
    return word if name in RESERVED else name


class _Distinct:
    """Complains where names that must be distinct are not. `doubled` are the definitions that share one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.doubled: set[Definition] = set()

    def demand(self, kind: str, definitions: Iterable[_Named]) -> None:
        """That no two of the definitions give the same name."""
        first: dict[str, _Named] = {}
        for definition in definitions:
            other = first.setdefault(name_of(definition), definition)
            if other is not definition:
                complaint = f"the {kind} `{name_of(definition)}` is defined twice"
                notes = [("the other definition is here", self.span(other))]
                self.diagnostics.append(error(complaint, self.span(definition), notes=[*notes]))
                self.doubled |= {other, definition}

    def span(self, definition: Definition) -> Span:
        """Where the name of the definition stands."""
        end = definition.name_end if isinstance(definition, Binding) else definition.end
        return Span(self.source, definition.start, end)


class _Resolver:
    """Resolves the names of one function. `scope` changes on the way; `changes` has what to restore."""

    def __init__(self, function: FunctionNode, outside: dict[str, Definition], distinct: _Distinct) -> None:
        self.function = function
        self.outside = outside
        self.distinct = distinct
        self.scope: dict[str, Definition] = {}
        self.changes: list[tuple[str, Definition | None]] = []
        self.unresolved: list[Name] = []

    def resolve(self) -> None:
        for use in flattened(self._body(self.function.parameters, self.function.body)):
            self._use(use)
        seen: set[str] = set()
        for use in self.unresolved:
            found = self.function.definitions.get(_key(use.word), [])
            if len(found) == 1:
                use.definition = found[0]
            elif use.word not in seen:
                seen.add(use.word)
                if self.distinct.doubled.isdisjoint(found):
                    self.distinct.diagnostics.append(self._complaint(use, found))

    def _body(self, parameters: list[ParameterNode], body: Body) -> Walk:
        """Yields the names that the body uses, each while its definition is in scope."""
        before = len(self.changes)
        self._define_all("parameter", parameters)
        self.distinct.demand("value", (statement for statement in body.statements if statement.name))
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
        """Define what comes into scope together."""
        self.distinct.demand(kind, definitions)
        for definition in definitions:
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
        definition = self.scope.get(key) or self.outside.get(key)
        if definition is None:
            self.unresolved.append(name)
        elif definition not in self.distinct.doubled:
            name.definition = definition

    def _complaint(self, name: Name, found: list[Definition]) -> Diagnostic:
        span = Span(self.distinct.source, name.start, name.end)
        shown = unquote_name(name.word)
        if not found:
            known = [unquote_name(key) for key in (*self.function.definitions, *self.outside, *CALLABLE)]
            help = _RETURN if shown == "ret" and not self._returns() else suggestion(shown, known)
            return error(f"`{shown}` is not defined", span, help=help)
        notes = [("it could be this one", self.distinct.span(other)) for other in found[:2]]
        return error(f"`{shown}` has several definitions, but none around this use", span, notes=[*notes])

    def _returns(self) -> bool:
        """Whether the function has a return continuation, by whatever name."""
        parameters = self.function.parameters
        return bool(parameters) and isinstance(parameters[-1].type.type, ContinuationType)


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
