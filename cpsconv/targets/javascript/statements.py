"""The statements of a function, written in order.

A value that is used once, and before the next effect, is written where it is used; others are constants. So the order
of effects stays: `pending` has the effects that are not yet written, in order, and an operation may only contain the
last ones of them, as its operands in order. Nothing moves into another function, nor past a branch or join: what a
closure or class captures is a name, or a literal of a primitive value, as its functions evaluate it again at each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from cpsconv.abi.javascript import CONSTANTS, OPERATIONS, PREFIX
from cpsconv.abi.javascript.facts import IMPLICIT, class_facts, facts_of
from cpsconv.core import ir
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.source import Span
from cpsconv.targets.javascript import jsx
from cpsconv.targets.javascript.closures import EXTENDING, LITERALS, Closures
from cpsconv.targets.javascript.forms import Lines, assignment, declaration, statement_of
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.layout import Instruction, Layout, is_start
from cpsconv.targets.javascript.names import Names, reads
from cpsconv.targets.javascript.terms import LOW, TERMS, Term, assigned, operation_of
from cpsconv.targets.javascript.uses import Uses

_MAX_DISTANCE = 50
"""The number of statements between the declaration of a cell and its first assignment that become one."""


class Method(NamedTuple):
    """A pending method with its object, whose expression has no other use than as `this` of the call."""

    object: ir.Value
    term: Term
    name: str
    keys: Sequence[Term]


@dataclass(eq=False)
class Statements:
    """Writes the statements of a function. `terms` has the expressions of values: at first, of captured ones."""

    closures: Closures
    layout: Layout
    terms: dict[ir.Value, Term]
    names: Names
    pending: dict[ir.Value, Term] = field(default_factory=dict)
    methods: dict[ir.Value, Method] = field(default_factory=dict)
    literals: dict[ir.Value, list[str]] = field(default_factory=dict)  # the parts of each, in their order
    left: dict[ir.Value, int] = field(default_factory=dict)  # the uses of literals that are not yet written
    variables: set[ir.Value] = field(default_factory=set)  # values in variables that are assigned again in loops

    def __post_init__(self) -> None:
        self.function = self.layout.function
        self.uses = Uses(self.layout)
        self.facts = facts_of(self.function)

    # ----------------------------------------------------------------------------------------------------- values

    def term(self, value: ir.Value, span: Span | None = None) -> Term:
        """The expression of an operand that is not pending."""
        found = self.terms.get(value)
        if found is not None:
            return found
        if isinstance(value, ir.Constant):
            return Term(str(value.value).lower())
        if not isinstance(value, ir.Undef):
            self.closures.refuse("an operand that was not read from JavaScript", span)
        return Term("undefined")

    def name(self, value: ir.Value) -> str:
        """A name for a value, which is then its expression."""
        name = self.new_name(value)
        self.terms[value] = Term(name)
        return name

    def new_name(self, value: ir.Value) -> str:
        """An unused name for a value."""
        return self.names.unique(getattr(value, "name", "") or "value")

    def taken(self, operands: Sequence[ir.Value], lines: Lines, extends: bool = False) -> list[Term]:
        """The expressions of operands. Pending ones are written in place if they are the last, in order.

        A literal that an operation *extends* stays pending; it is written in place where it has no other use.
        """
        kept = operands[0] if extends else None
        wanted = [value for value in operands if value in self.pending]
        while wanted != [*islice(reversed(self.pending), len(wanted))][::-1] or any(
            self.left.get(value, 1) != 1 for value in wanted if value is not kept
        ):
            self._flush_first(lines)
            wanted = [value for value in operands if value in self.pending]
        for value in operands:
            if value in self.left:
                self.left[value] -= 1
        found = {value: self.pending[value] if value is kept else self._finished(value) for value in wanted}
        return [found[value] if value in found else self.term(value) for value in operands]

    def _finished(self, value: ir.Value) -> Term:
        """The expression of a value that is pending no longer; that of a literal has all its parts."""
        term, parts = self.pending.pop(value), self.literals.get(value)
        if not parts:
            return term
        start, end = ("{ ", " }") if term.text.startswith("{") else ("[", "]")
        comma = "," * (parts[-1] == "")  # a hole at the end
        return Term(f"{start}{', '.join(parts)}{comma}{end}", members=(*parts,))

    def flush(self, lines: Lines) -> None:
        """Write all pending effects as constants."""
        while self.pending:
            self._flush_first(lines)

    def _flush_first(self, lines: Lines) -> None:
        value = next(iter(self.pending))
        term, method = self._finished(value), self.methods.pop(value, None)
        if method:
            if method.object not in self.terms:
                lines.append(self.define(method.object, method.term))
            term = TERMS["get"](method.name, [self.term(method.object), *method.keys])
        lines.append(self.define(value, term))

    def keep(self, value: ir.Value, term: Term, member: ir.Continuation, lines: Lines) -> None:
        """Let a value of a continuation be pending, if its only use allows it; otherwise write it as a constant."""
        if value not in self.terms and self.uses.user.get(value) is self.layout.segment[member]:
            self.pending[value] = term
        else:
            self.flush(lines)
            lines.append(self.define(value, term))

    def define(self, value: ir.Value, term: Term) -> str:
        """The statement that computes a value, as a constant or in the variable that is declared for it."""
        if value in self.terms:
            return assignment(self.terms[value].text, term)
        return declaration("const", self.name(value), term) if self.uses.used[value] else statement_of(term)

    # ------------------------------------------------------------------------------------------------- statements

    def statements(self, member: ir.Continuation, lines: Lines) -> None:
        """Write the statements of a continuation; some may stay pending for its transfer."""
        for statement in member.body[is_start(member) :]:
            self._statement(member, statement, lines)
        segment = self.layout.segment[member]
        if any(value in self.literals and self.uses.user.get(value) is not segment for value in self.pending):
            self.flush(lines)

    def _statement(self, member: ir.Continuation, statement: ir.Statement, lines: Lines) -> None:
        if statement.op == CONVERT and isinstance(statement.operands[0], ir.Function):
            self.closures.functions[statement] = statement.operands[0]
            return
        instruction = Instruction(*operation_of(statement.of), statement.operands, statement)
        name, operand = instruction[:2]
        if not str(statement.of).startswith(PREFIX) or name not in OPERATIONS:
            self.closures.refuse(f"the operation `{statement.of or statement.op}`", statement.span)
            return
        if name == "closure" and not self.uses.used[statement]:
            return
        if statement in self.uses.class_names:  # the class has its name itself
            self.terms[statement] = Term("")
            return
        if name in EXTENDING and statement.operands[0] in self.literals:
            terms = self.taken(statement.operands, lines, extends=True)
            if statement.operands[0] not in self.terms:
                self.literals[statement.operands[0]].append(EXTENDING[name](operand, terms[1:]))
                return
            term = self.closures.of_module(name, operand, terms) or TERMS[name](operand, terms)
        else:
            term = self.operation(instruction, lines)
        if name in ("cell", "parameter_cell"):
            self._cell(statement, term, lines)
        else:
            self._write(member, statement, name, term, lines)

    def _write(self, member: ir.Continuation, statement: ir.Statement, name: str, term: Term, lines: Lines) -> None:
        """Write the expression of a statement: in place, as a statement, or as a constant."""
        is_method = name == "closure" and self.closures.kind(statement.operands[0]) == "method"
        if name in CONSTANTS or is_method or (term.text == "this" and statement not in self.terms):
            self.terms[statement] = term
        elif name in LITERALS and statement not in self.terms:
            self.literals[statement] = [term.text[1:-1].strip()] if len(term.text) > 2 else []
            self.left[statement] = self.uses.used[statement]
            self.pending[statement] = term
        elif statement.type is ir.VOID:
            self.flush(lines)
            self._append(name, term, lines)
        else:
            self.keep(statement, term, member, lines)

    def _append(self, name: str, term: Term, lines: Lines) -> None:
        """Write a statement; the first assignment to a cell, as its declaration."""
        cell, _, value = term.text.partition(" = ")
        if name == "set_cell" and (term.bare or not reads(value, cell)):
            for number in reversed(range(max(len(lines) - _MAX_DISTANCE, 0), len(lines))):
                line = lines[number]
                if line in (f"let {cell};", f"let {cell} = {HELPER}uninitialised;"):
                    del lines[number]
                    lines.append(f"let {cell};" if value == "undefined" else f"let {term.text};")
                    return
                if not isinstance(line, str) or reads(line, cell):
                    break
        lines.append(statement_of(term))

    def captured(self, values: Sequence[ir.Value], lines: Lines, hidden: Sequence[str]) -> list[Term]:
        """The operands of a closure or class, with constants in place of what has another value in functions or later.

        These are variables that loops assign again, and `hidden` names: that of the class, `this` and `arguments`.
        """
        if any(value in self.pending for value in values):
            self.flush(lines)
        terms = self.taken(values, lines)
        for number, value in enumerate(values):
            if value in self.variables or terms[number].text in hidden:
                self.flush(lines)
                name = self.new_name(value)
                lines.append(f"const {name} = {terms[number].text};")
                terms[number] = Term(name)
        return terms

    def _cell(self, statement: ir.Statement, term: Term, lines: Lines) -> None:
        """A cell is a variable, unless a loop copies it in each iteration: then it is an object."""
        self.flush(lines)
        if "parameter_cell" in str(statement.of):
            self.terms[statement] = term
            self.closures.plain_cells.add(statement)
        elif statement in self.variables or statement in self.uses.passed:
            lines.append(self.define(statement, Term(f"{{ value: {term.within(LOW)} }}")))
        else:
            self.closures.plain_cells.add(statement)
            if statement in self.terms:
                lines.append(self.define(statement, term))
            elif term.text == "undefined":
                lines.append(f"let {self.name(statement)};")
            else:
                lines.append(declaration("let", self.name(statement), term))

    def operation(self, instruction: Instruction, lines: Lines) -> Term:
        """The expression of an operation, whose operands are written in place where the order allows it."""
        name, operand, operands, result = instruction
        if name == "call" and operands[0] in self.methods:
            terms = self.taken([operands[0], *operands[2:]], lines)
            if self.methods.pop(operands[0], None):
                return TERMS["call_method"]("", terms)
            return TERMS["call"]("", [terms[0], self.term(operands[1]), *terms[1:]])
        values = self.closures.values(operands)
        if name in ("closure", "class"):
            is_arrow = name == "closure" and self.closures.kind(operands[0]) == "arrow"
            is_named = not self.uses.class_names.isdisjoint(operands)
            hidden = () if is_arrow else (*IMPLICIT, class_facts(operand).name if is_named else "")
            terms = self.captured(values, lines, hidden)
        else:
            terms = self.taken(values, lines)
        if name == "get" and result in self.uses.methods:
            self.methods[result] = Method(operands[0], terms[0], operand, terms[1:])
        if name in ("get_cell", "set_cell"):
            place = self.closures.place(operands[0], terms[0])
            return Term(place) if name == "get_cell" else Term(assigned(place, terms[1]), LOW)
        if name == "closure":
            return self.closures.closure(operands, terms, self, lines)
        if name == "class":
            return self.closures.class_(operand, operands, terms, self)
        if name in jsx.OPERATIONS:
            return self._element(instruction, terms, lines)
        return self.closures.of_module(name, operand, terms) or TERMS[name](operand, terms)

    def _element(self, instruction: Instruction, terms: list[Term], lines: Lines) -> Term:
        """The expression of an element of JSX; its component is a constant before it, unless its text is a name."""
        name, operand, operands, _ = instruction
        if name == "jsx_component" and not jsx.COMPONENT.fullmatch(terms[0].text):
            self.flush(lines)
            tag = self.new_name(operands[0])
            tag = self.names.unique(tag[0].upper() + tag[1:])
            lines.append(declaration("const", tag, terms[0]))
            terms[0] = Term(tag)
        return jsx.element(name, operand, terms)
