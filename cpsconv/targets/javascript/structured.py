"""A function with loops and assignments: each edge assigns arguments to the variables of parameters, and jumps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cpsconv.core import ir
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.forms import Line, Lines, assignment, declaration, loop, returned
from cpsconv.targets.javascript.names import reads
from cpsconv.targets.javascript.terms import LOW, Term
from cpsconv.targets.javascript.transfers import Block, Entry, Transfers

Inner = Callable[[Block], Computation[None]]
"""Writes a statement to a block."""


@dataclass(eq=False)
class Structured(Transfers):
    """Writes loops, ``if``s and labelled blocks. `loops` has the headers of those around, each with what follows it."""

    labels: dict[ir.Continuation, str] = field(default_factory=dict)
    used_labels: set[str] = field(default_factory=set)
    assigned: Counter[str] = field(default_factory=Counter)
    loops: list[tuple[ir.Continuation, ir.Continuation | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.layout.is_reducible:
            self.closures.refuse("loops with several entries", self.function.span)

    def is_written_at_edge(self, member: ir.Continuation) -> bool:
        """Whether a continuation is written where the only edge leads there."""
        return self.layout.is_in_place(member)

    def place(self, member: ir.Continuation, block: Block) -> Computation[None]:
        """Write a continuation and those that it dominates; a header as a loop."""
        if member not in self.layout.headers:
            yield self._inside(member, block)
            return
        for value in self.uses.escaping.get(member, ()):
            block.lines.append(f"let {self.name(value)};")
            self.variables.add(value)
        self.variables |= {*member.parameters} if member is not self.function else set()

        def repeated(around: Block) -> Computation[None]:
            inner: Lines = []
            label = self._label(member)
            self.loops.append((member, around.next))
            yield self._inside(member, Block(inner, member))
            self.loops.pop()
            around.lines.extend(loop(f"{label}: " if label in self.used_labels else "", inner))

        yield self._followed(self.layout.after_loop[member], block, repeated)

    def _inside(self, member: ir.Continuation, block: Block) -> Computation[None]:
        self.statements(member, block.lines)
        rest: Lines = []
        merges = self.layout.merges[member]
        yield self._followed(merges, Block(rest, block.next), lambda inner: self.transfer(member, inner))
        label = self._label(self.end) if member is self.layout.prefix[-1] and self.end in self.labels else ""
        block.lines.extend([f"{label}: {{", rest, "}"] if label else rest)

    def _followed(self, members: Sequence[ir.Continuation], block: Block, inner: Inner) -> Computation[None]:
        """Write a statement and the continuations that follow it, each after a block that jumps to it leave."""
        variables = [value for each in members for value in self.inputs(each) if value not in self.terms]
        names = [self.name(value) for value in variables]
        order = [*members, block.next]
        lines: Lines = []
        yield inner(Block(lines, order[0]))
        for each, after in zip(members, order[1:], strict=True):
            label = self._label(each)
            if label in self.used_labels:
                lines = [f"{label}: {{", lines, "}"]
            yield self.place(each, Block(lines, after))
        block.lines.extend(self._declared(names, lines))

    def _declared(self, names: Sequence[str], block: Lines) -> Lines:
        """The lines after declarations of variables, which those that are assigned first begin with."""
        declared: Lines = []
        rest = dict.fromkeys(names)
        for number, line in enumerate(block):
            name = line.head.removesuffix(" =") if isinstance(line, Line) else ""
            if name not in rest:
                return [*(f"let {each};" for each in rest), *declared, *block[number:]]
            assert isinstance(line, Line)
            del rest[name]
            declared.append(declaration("const" if self.assigned[name] == line.number else "let", name, line.term))
        return [*(f"let {each};" for each in rest), *declared]

    def _label(self, member: ir.Continuation) -> str:
        if member not in self.labels:
            self.labels[member] = self.names.unique(self.layout.name(member))
        return self.labels[member]

    # --------------------------------------------------------------------------------------------------- transfers

    def enter(self, entry: Entry, block: Block) -> Computation[None]:
        """Assign the values that a continuation begins with, and jump there unless it is next."""
        target = entry.target
        self._pass(target, entry.terms, block.lines)
        if self.layout.is_back(entry.source, target):
            if target is not block.next:
                self._jump("continue", target, block.lines)
        elif self.layout.is_in_place(target):
            yield self.place(target, block)
        elif target is not block.next:
            self._jump("break", target, block.lines)

    def _jump(self, word: str, target: ir.Continuation, lines: Lines) -> None:
        if self.loops and self.loops[-1][word == "break"] is target:
            lines.append(f"{word};")
            return
        label = self._label(target)
        self.used_labels.add(label)
        lines.append(f"{word} {label};")

    def leave(self, term: Term, block: Block) -> None:
        """Return a value; from the code of a module, a jump to its end."""
        if term.text != "undefined":
            block.lines.append(returned(term))
        elif block.next is not self.end:
            if self.facts.can_return:
                block.lines.append("return;")
            else:
                self._jump("break", self.end, block.lines)

    def _pass(self, target: ir.Continuation, terms: Sequence[Term], lines: Lines) -> None:
        """Assign values to variables; at once, where one is assigned before it is read."""
        pairs = []
        for value, term in zip(self.inputs(target), terms, strict=False):
            if value not in self.terms:  # the only edge: the variable is declared here
                word = "let" if target in self.layout.headers else "const"
                lines.append(declaration(word, self.name(value), term))
            elif self.terms[value].text != term.text:
                pairs.append((self.terms[value].text, term))
        self.assigned.update(name for name, _ in pairs)
        if any(reads(term.text, name) for n, (name, _) in enumerate(pairs) for _, term in pairs[n + 1 :]):
            names, values = ", ".join(name for name, _ in pairs), ", ".join(term.within(LOW) for _, term in pairs)
            lines.append(f"[{names}] = [{values}];")
        else:
            lines += [assignment(name, term) for name, term in pairs]
