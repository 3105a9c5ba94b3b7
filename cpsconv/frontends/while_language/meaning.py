"""The meaning of a While program: its control flow graph, its types, and definite assignment.

The graph has one node for each statement or condition, a `Step`, as the graph for which the SSA construction was
verified (Ullrich 2013, section 6). A variable is *definitely assigned* at a step if every path of the graph from the
start to the step contains an assignment to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from cpsconv.frontends.reading import limited
from cpsconv.frontends.while_language.syntax import Expression, Step, label_names, parse, postorder
from cpsconv.ir import BOOL, INTEGER, Scalar
from cpsconv.source import Diagnostic, DiagnosticError, Source, Span, error, warning


@dataclass(eq=False, slots=True)
class Analysed:
    """An analysed program: its steps; the types of its variables, in the order of their first occurrences.

    `free` are the variables whose initial values a path may read or print. `gotos` has the number of ``goto``s to each
    label.
    """

    source: Source
    steps: list[Step]
    types: dict[str, Scalar]
    spans: dict[str, Span]
    free: list[str]
    gotos: dict[str, int]
    warnings: list[Diagnostic]


def analysed(source: Source) -> Analysed:
    """The analysed program of a source. Raises `DiagnosticError` with all errors in syntax, types and labels.

    The steps lack the statements with syntax errors; a label in such a statement is not reported as missing.
    """
    errors: list[Diagnostic] = []
    steps = parse(source, errors)
    gotos = _connect(steps, label_names(source) if errors else set(), errors)
    types = _Types(errors)
    for step in steps:
        types.check(step)
    if errors:
        raise DiagnosticError(limited(errors))
    names = types.names()
    unassigned = _unassigned(steps, [*names])
    warnings = [_unassigned_warning(name, span) for name, span in unassigned.items() if span]
    for name in (step.name for step in steps if step.kind == "label"):
        if name and not gotos[name.text]:
            warnings.append(warning(f"unused label `{name.text}`", name.span, rule="unused-label"))
    return Analysed(source, steps, names, types.spans, [*filter(unassigned.__contains__, names)], gotos, warnings)


# ------------------------------------------------------------------------------------------------------------- graph


def _connect(steps: list[Step], lost: set[str], errors: list[Diagnostic]) -> dict[str, int]:
    """Set the successors of the steps. Returns the labels, with the number of ``goto``s to each.

    The `lost` labels may be in statements with syntax errors.
    """
    labels: dict[str, int] = {}
    opened: list[int] = []
    for index, step in enumerate(steps):
        step.next = (index + 1,) if step.kind != "end" else ()
        if step.kind == "label" and step.name and labels.setdefault(step.name.text, index) != index:
            first = steps[labels[step.name.text]].span
            message = f"duplicate label `{step.name.text}`"
            errors.append(error(message, step.span, notes=[("first here", first)], rule="duplicate-label"))
        elif step.kind in ("if", "while"):
            opened.append(index)
        elif step.kind == "else":
            steps[opened[-1]].next += (index + 1,)
            opened[-1] = index
        elif step.kind == "endif":
            steps[opened.pop()].next = (index,)
        elif step.kind == "endwhile":
            start = opened.pop()
            steps[start].next += (index + 1,)
            step.next = (start,)
    gotos = dict.fromkeys(labels, 0)
    for step in steps:
        if step.kind == "goto" and step.name:
            if step.name.text not in labels:
                if step.name.text not in lost:
                    errors.append(error(f"there is no label `{step.name.text}`", step.name.span, rule="undeclared"))
                continue
            step.next = (labels[step.name.text],)
            gotos[step.name.text] += 1
    return gotos


# ------------------------------------------------------------------------------------------------------------- types


@dataclass(eq=False, slots=True)
class _Types:
    """The inference of the types of variables, by unification; `spans` has their first occurrences.

    The type of an expression is a `Scalar`, or the name of a variable with the same type. A variable without any
    constraint is an `integer`.
    """

    errors: list[Diagnostic]
    spans: dict[str, Span] = field(default_factory=dict)
    _parents: dict[str, str | Scalar] = field(default_factory=dict)
    _reasons: dict[str, Span] = field(default_factory=dict)

    def names(self) -> dict[str, Scalar]:
        """The variables with their types."""
        return {name: found if isinstance(found := self._root(name), Scalar) else INTEGER for name in self.spans}

    def check(self, step: Step) -> None:
        """Check the types in a step."""
        if step.kind == "assignment" and step.name and step.expression:
            target = self._variable(step.name.text, step.name.span)
            self._unify(target, self._type(step.expression), step.expression.span)
        elif step.expression:
            self._unify(BOOL, self._type(step.expression), step.expression.span)

    def _type(self, expression: Expression) -> str | Scalar:
        types: list[str | Scalar] = []
        for part in postorder(expression):
            operands = [types.pop() for _ in part.operands][::-1]
            types.append(self._result(part, operands))
        return types[0]

    def _result(self, part: Expression, operands: list[str | Scalar]) -> str | Scalar:
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

    def _root(self, type: str | Scalar) -> str | Scalar:
        path = []
        while isinstance(type, str) and type in self._parents:
            path.append(type)
            type = self._parents[type]
        for name in path:  # path compression
            self._parents[name] = type
        return type

    def _unify(self, wanted: str | Scalar, found: str | Scalar, span: Span) -> None:
        """Report an error at `span`, where `found` is, if the types differ."""
        one, other = self._root(wanted), self._root(found)
        if one is other:
            return
        if isinstance(other, str):
            self._parents[other] = one
            self._reasons.setdefault(other, span)
        elif isinstance(one, str):
            self._parents[one] = other
            self._reasons.setdefault(one, span)
        else:
            names = [each for each in (found, wanted) if isinstance(each, str) and each in self._reasons]
            notes = [(f"`{name}` has its type by this", self._reasons[name]) for name in names[:1]]
            message = f"expected {_SHOWN[one]}, found {_SHOWN[other]}"
            self.errors.append(error(message, span, notes=notes, rule="type-mismatch"))


_SHOWN = {INTEGER: "an integer", BOOL: "a truth value"}


# ----------------------------------------------------------------------------------------------- definite assignment


def _unassigned(steps: list[Step], names: list[str]) -> dict[str, Span | None]:
    """The variables that are not definitely assigned at a use, each with its first such use in the text.

    The end of the program, which prints the state, uses all variables; None stands for it. A set of variables is a
    number with a bit for each. The assigned variables at a step with several predecessors are those that all known
    paths assign; steps are visited in the order of the text, and again if a further path assigns fewer.
    """
    bits = {name: 1 << number for number, name in enumerate(names)}
    counts = [1, *[0] * (len(steps) - 1)]  # the first step has the start as a predecessor
    for step in steps:
        for following in step.next:
            counts[following] += 1
    assigned: dict[int, int] = {}  # at steps with several predecessors
    pending, waiting = {0: 0}, [0]
    failing: set[tuple[int, str]] = set()
    everywhere = (1 << len(names)) - 1
    while waiting:
        index = heappop(waiting)
        known = pending.pop(index)
        if counts[index] > 1:
            if index in assigned and assigned[index] & known == assigned[index]:
                continue
            known = assigned[index] = assigned.get(index, everywhere) & known
        step = steps[index]
        failing.update((index, use.text) for use in _uses(step) if not known & bits[use.text])
        if step.kind == "end":
            failing.update((index, name) for name in names if not known & bits[name])
        if step.kind == "assignment" and step.name:
            known |= bits[step.name.text]
        for following in step.next:
            if following not in pending:
                heappush(waiting, following)
            pending[following] = pending.get(following, known) & known
    found: dict[str, Span | None] = {}
    for index, name in sorted(failing):
        found.setdefault(name, next((use.span for use in _uses(steps[index]) if use.text == name), None))
    return found


def _uses(step: Step) -> Iterator[Expression]:
    """The uses of variables in a step."""
    if step.expression:
        yield from (part for part in postorder(step.expression) if part.operator == "variable")


def _unassigned_warning(name: str, span: Span) -> Diagnostic:
    message = f"`{name}` is not definitely assigned: a path from the start to this use does not assign to it"
    help = f"the initial value of `{name}` is a parameter of the program"
    return warning(message, span, help=help, rule="definite-assignment")
