"""The meaning of a While program: its labels, and the types of its variables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Union

from cpsconv.core.ir import BOOL, INTEGER, Scalar
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error, warning
from cpsconv.languages.reading import limited
from cpsconv.languages.while_language.syntax import Expression, Statement, evaluated, label_names, parse


@dataclass(eq=False, slots=True)
class Analysed:
    """An analysed program. `types` has the types of its variables, in the order of their first occurrences.

    `gotos` has the number of ``goto``s to each label.
    """

    source: Source
    tree: Statement
    types: dict[str, Scalar]
    spans: dict[str, Span]
    gotos: dict[str, int]
    warnings: list[Diagnostic]


def analysed(source: Source) -> Analysed:
    """The analysed program of a source. Raises `DiagnosticError` with all errors in syntax, types and labels.

    The tree lacks the statements with syntax errors; a label in such a statement is not reported as missing.
    """
    errors: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    tree = parse(source, errors)
    gotos = _gotos(tree, label_names(source) if errors else set(), errors, warnings)
    types = _Types(errors)
    for statement in tree.all():
        types.check(statement)
    if errors:
        raise DiagnosticError(limited(errors))
    return Analysed(source, tree, types.names(), types.spans, gotos, warnings)


def _gotos(tree: Statement, lost: set[str], errors: list[Diagnostic], warnings: list[Diagnostic]) -> dict[str, int]:
    """The labels, with the number of ``goto``s to each. The `lost` labels may be in statements with syntax errors."""
    named = [(each.kind, each.name) for each in tree.all() if each.name]
    counts = Counter(name.text for kind, name in named if kind == "goto")
    labels: dict[str, Span] = {}
    for name in (name for kind, name in named if kind == "label"):
        first = labels.setdefault(name.text, name.span)
        if first is not name.span:
            message = f"duplicate label `{name.text}`"
            errors.append(error(message, name.span, notes=[("first here", first)], rule="duplicate-label"))
        elif name.text not in counts:
            warnings.append(warning(f"unused label `{name.text}`", name.span, rule="unused-label"))
    for kind, name in named:
        if kind == "goto" and name.text not in labels.keys() | lost:
            errors.append(error(f"there is no label `{name.text}`", name.span, rule="undeclared"))
    return {name: counts[name] for name in labels}


_Type = Union[Scalar, str]
"""The type of an expression, or a variable with this type. A variable without any constraint is an `integer`."""


@dataclass(eq=False, slots=True)
class _Types:
    """The inference of the types of variables, by unification; `spans` has their first occurrences."""

    errors: list[Diagnostic]
    spans: dict[str, Span] = field(default_factory=dict)
    _parents: dict[_Type, _Type] = field(default_factory=dict)
    _reasons: dict[_Type, Span] = field(default_factory=dict)

    def names(self) -> dict[str, Scalar]:
        """The variables with their types."""
        return {name: found if isinstance(found := self._root(name), Scalar) else INTEGER for name in self.spans}

    def check(self, statement: Statement) -> None:
        """Check the types in a statement, without those in it."""
        if statement.expression:
            name = statement.name
            wanted = self._variable(name.text, name.span) if name else BOOL
            self._unify(wanted, evaluated(statement.expression, self._type), statement.expression.span)

    def _type(self, part: Expression, operands: list[_Type]) -> _Type:
        if part.operator == "variable":
            return self._variable(part.text, part.span)
        if part.operator in ("number", "truth"):
            return INTEGER if part.operator == "number" else BOOL
        if part.operator in ("=", "!="):
            self._unify(operands[0], operands[1], part.operands[1].span)
            return BOOL
        wanted = BOOL if part.operator in ("and", "or", "not") else INTEGER
        for type, operand in zip(operands, part.operands, strict=True):
            self._unify(wanted, type, operand.span)
        return BOOL if part.operator in ("<", "<=", ">", ">=") else wanted

    def _variable(self, name: str, span: Span) -> str:
        self.spans.setdefault(name, span)
        return name

    def _root(self, type: _Type) -> _Type:
        while type in self._parents:
            above = self._parents[type]
            self._parents[type] = type = self._parents.get(above, above)  # halves the path
        return type

    def _unify(self, wanted: _Type, found: _Type, span: Span) -> None:
        """Report an error at `span`, where `found` is, if the types differ."""
        one, other = self._root(wanted), self._root(found)
        if one is other:
            return
        if isinstance(one, str) and not isinstance(other, str):
            one, other = other, one
        if isinstance(other, str):
            self._parents[other] = one
            self._reasons.setdefault(other, span)
        elif not isinstance(one, str):
            names = [each for each in (found, wanted) if each in self._reasons]
            notes = [(f"`{name}` has its type by this", self._reasons[name]) for name in names[:1]]
            message = f"expected {_SHOWN[one]}, found {_SHOWN[other]}"
            self.errors.append(error(message, span, notes=notes, rule="type-mismatch"))


_SHOWN = {INTEGER: "an integer", BOOL: "a truth value"}
