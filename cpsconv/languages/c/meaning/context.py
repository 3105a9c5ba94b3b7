"""The typing of functions: its state, and the tables of its rules, one for each class of nodes of the syntax tree.

The rules are functions of a `Typing` and a node. Each module adds the rules of its subject to the tables::

    @rule(VALUES, c.Comma)
    def _comma(typing: Typing, node: c.Comma) -> Computation[c.Expression]: ...

so that a rule can type the parts of its node by `typed`, `denoted`, `typed_condition` or `statement` without knowing
the modules that have the rules for them. `meaning` imports all modules with rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import GeneratorType
from typing import Any, TypeVar, Union

from cpsconv.core.source import Note, Source, Span
from cpsconv.core.trampoline import Computation, Step, Work, run
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.call_warnings import CallWarnings
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.meaning.extents import InitialiserLimits
from cpsconv.languages.c.meaning.tree_warnings import TreeWarnings, warn_of_sequence
from cpsconv.languages.c.meaning.value_warnings import ValueWarnings
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import UNKNOWN, VOID, CType

Operand = Any
"""A place, or the value of an expression that denotes none. Functions are places of function type."""

T = TypeVar("T")
AnyRule = TypeVar("AnyRule", bound=Callable[..., Any])


class Cases:
    """The cases so far of a `switch` on values of `type`, which are in the `limits` before their promotion.

    `first` has the first case of each number. `protected` is the number of protected parts around the `switch`.
    """

    def __init__(self, type: CType, limits: tuple[int, int] | None, protected: int) -> None:
        self.type = type
        self.protected = protected
        self.limits = limits
        self.cases: list[c.Case] = []
        self.first: dict[int | None, c.Case] = {}
        self.ranges: list[tuple[c.Case, Sequence[int | None]]] = []  # the cases of long ranges, with all their numbers


class Translation:
    """What the typings of the functions of one translation unit share.

    `pending` has warnings that are given only where control can reach them. `literals` has the objects of the compound
    literals outside of functions; `escapes` the places where pointers into a variable become values. `defined` has the
    functions without errors of syntax, in source order; `adapters` those that the program needs for pointers to other
    functions. The labels whose addresses are taken are numbered in the whole file, by `addressed_labels`; `in_ranges`
    is the number of cases that ranges have stood for.
    """

    def __init__(self, declarations: Declarations, errors: Errors) -> None:
        self.declarations = declarations
        self.errors = errors
        self.pending = Errors()
        self.tree = TreeWarnings(errors)
        self.initialiser_limits = InitialiserLimits(errors)
        self.literals: list[t.Global] = []
        self.escapes: dict[t.Local, list[Span]] = {}
        self.defined: list[t.Function] = []
        self.adapters: dict[str, t.Function] = {}
        self.addressed_labels = self.in_ranges = 0


_NOWHERE = Span(Source("", ""), 0, 0)


class Typing:
    """The state of the typing of one function, or of the declarations outside of functions.

    Outside of functions, `is_file_scope` is set, and `function` is one without a name; in the initialiser of a static
    object, `is_static` is set. `discarded` is an expression whose value is not used; `has_inner_change` states that the
    current whole expression may need `warn_of_sequence`. `lengths` has the assignments of the lengths of arrays that
    are computed at run time, until `taken_lengths` takes them; `counts` the variables for these lengths. `end` is the
    element after the last one of an array, for which a warning is pending. Some fields count what is around the current
    node: `operands` those of `typeof`, `prototypes`, `depth` statement expressions, `loops`, and what `breakable`
    statements there are.
    """

    def __init__(self, translation: Translation, function: t.Function | None = None) -> None:
        self.translation = translation
        self.declarations = translation.declarations
        self.errors = translation.errors
        self.pending = translation.pending
        self.tree = translation.tree
        self.scopes = self.declarations.scopes
        self.scopes.undeclared.clear()
        self.checks = ValueWarnings(self.pending, self.scopes)
        self.call_checks = CallWarnings(self.pending, self.checks)
        self.is_file_scope = function is None
        self.function = function or t.Function(_NOWHERE, "", VOID, [], _NOWHERE, [], {}, [])
        self.is_evaluated = True
        self.is_static = False
        self.is_in_body = False
        self.discarded: c.Expression | None = None
        self.has_inner_change = False
        self.lengths: list[c.Expression] = []
        self.counts: list[t.Local] = []
        self.of_vectors: set[c.Expression] = set()  # operations on vectors
        self.end: c.Subscript | None = None
        self.operands = self.prototypes = self.depth = self.loops = self.breakable = 0
        self.labels: dict[str, t.Label] = {}
        self.local_labels: list[dict[str, t.Label]] = []
        self.gotos: list[tuple[c.Goto, Sequence[tuple[str, Span]]]] = []  # with what is protected around them
        self.switches: list[Cases] = []

    def taken_lengths(self) -> list[c.Expression]:
        """The assignments of lengths that the last declarations need, which are removed from `lengths`."""
        lengths = self.lengths
        if lengths:
            self.lengths = []
        return lengths


# ---------------------------------------------------------------------------------------------------------- rules

VALUES: dict[type, Callable[[Typing, Any], Step[c.Expression]]] = {}
"""The rules that return the typed expression, or its computation."""

PLACES: dict[type, Callable[[Typing, Any], Step[Operand]]] = {}
"""The rules of the expressions that may denote places."""

CONDITIONS: dict[type, Callable[[Typing, Any], Step[c.Expression]]] = {}
"""The rules of expressions that are conditions in another way than that their values are not zero."""

STATEMENTS: dict[type, Callable[[Typing, Any], Union[Work, None]]] = {}
"""The rules that type a statement in place, and return the rest of the work if it contains statements."""


def rule(table: dict[type, Any], *kinds: type) -> Callable[[AnyRule], AnyRule]:
    """Add the decorated function to a table, as the rule for these classes of nodes."""

    def add(function: AnyRule) -> AnyRule:
        table.update(dict.fromkeys(kinds, function))
        return function

    return add


def typed(typing: Typing, node: c.Expression) -> Step[c.Expression]:
    """The typed subexpression, or its computation."""
    return VALUES[type(node)](typing, node)


def denoted(typing: Typing, node: c.Expression) -> Step[Operand]:
    """The place that the expression denotes, or else its value; or the computation of it."""
    return (PLACES.get(type(node)) or VALUES[type(node)])(typing, node)


def then(typing: Typing, step: Step[Any], finish: Callable[..., T], *arguments: Any) -> Step[T]:
    """``finish(typing, result, *arguments)`` of the result of a step, as `trampoline.after`."""
    if type(step) is GeneratorType:
        return _then(typing, step, finish, arguments)
    return finish(typing, step, *arguments)


def _then(
    typing: Typing, computation: Computation[Any], finish: Callable[..., T], arguments: tuple[Any, ...]
) -> Computation[T]:
    return finish(typing, (yield computation), *arguments)


# ---------------------------------------------------------------------------------------------- whole expressions


def text_of(node: c.Expression | c.Expression) -> str:
    """The text of an expression in the source."""
    return node.span.source.text[node.span.start : node.span.end]


def rejected(
    typing: Typing,
    rule: str,
    message: str,
    node: c.Node,
    parts: Sequence[c.Expression] = (),
    *,
    at: Span | None = None,
    help: str | None = None,
    notes: Sequence[Note] = (),
) -> c.Expression:
    """The erroneous expression for a node with an error, which is reported unless that of a part is its cause."""
    if UNKNOWN not in [each.type for each in parts]:
        typing.errors.report(rule, message, at or node.span, help=help, notes=notes)
    return c.Erroneous(node.span, parts)


def whole(typing: Typing, node: c.Expression, *, discarded: bool = False) -> c.Expression:
    """A whole expression, whose value is not used if it is `discarded`."""
    if discarded:
        typing.discarded = node
    value: c.Expression = run(VALUES[type(node)](typing, node))
    if typing.has_inner_change:
        check_sequence(typing, node)
    return with_warnings(typing, value) if typing.pending.warnings else value


def check_sequence(typing: Typing, node: c.Expression) -> None:
    """Check a whole expression in which an operand changes a variable."""
    typing.has_inner_change = False
    warn_of_sequence(node, typing.errors)


def with_warnings(typing: Typing, value: c.Expression) -> c.Expression:
    """`value` with the warnings that are pending. Those about static objects are given at once."""
    found = typing.pending.warnings
    if not found:
        return value
    typing.pending.warnings = []
    if typing.is_static:
        typing.errors.warnings += found
        return value
    return c.Warned(value.span, value.type, value, found)


def with_lengths(typing: Typing, value: c.Expression) -> c.Expression:
    """`value` after the computation of the lengths of arrays in the type name that it contains."""
    for length in reversed(typing.taken_lengths()):
        value = c.Comma(value.span, length, value, type=value.type)
    return value
