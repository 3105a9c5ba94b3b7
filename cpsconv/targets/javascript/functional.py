"""A function without loops and assignments: continuations are functions inside it, and jumps are calls of them.

::

    const loop = (i, total) => i < xs.length ? $again(loop, i + 1, total + xs[i]) : total;
    return $loop(loop, 0, 0);

A continuation that one edge leads to is written there. Calls are tail calls, which fill the stack in JavaScript; so an
edge back to the header of a loop returns the call to ``$loop``, which makes it: the stack is as deep as loops are
nested. Functions that suspend cannot be divided: `Structured` writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cpsconv.core import ir
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.forms import Lines, arrow, declaration, returned
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.terms import Term, listed
from cpsconv.targets.javascript.transfers import Block, Entry, Transfers


@dataclass(eq=False)
class Functional(Transfers):
    """Writes the continuations of a function as functions in it."""

    is_expression = True
    functions: dict[ir.Continuation, str] = field(default_factory=dict)

    def is_written_at_edge(self, member: ir.Continuation) -> bool:
        """Whether a continuation is written where the only edge leads there."""
        return not self.layout.is_function(member)

    def place(self, member: ir.Continuation, block: Block) -> Computation[None]:
        """Write a continuation: its statements, the functions that it dominates, and its transfer.

        After the first statements, those of a module are a function, too.
        """
        self.statements(member, block.lines)
        is_divided = not self.facts.can_return and member is self.layout.prefix[-1]
        rest: Lines = []
        functions = self.layout.functions[member]
        names = [self.names.unique(self.layout.name(each)) for each in functions]
        self.functions.update(zip(functions, names, strict=True))
        pending, self.pending = self.pending, {}
        for each, name in zip(functions, names, strict=True):
            inner: Lines = []
            parameters = ", ".join([self.name(value) for value in self.inputs(each)])
            yield self.place(each, Block(inner, self.end))
            rest.append(f"const {name} = {arrow(f'({parameters}) =>', inner)};")
        self.pending = pending
        yield self.transfer(member, Block(rest, block.next))
        block.lines.extend(["(() => {", rest, "})();"] if is_divided and rest else rest)

    def enter(self, entry: Entry, block: Block) -> Computation[None]:
        """Call a continuation with its arguments, or write it here."""
        source, target, terms = entry
        values = [*self.inputs(target)]
        if self.layout.is_function(target):
            name, given = self.functions[target], terms[: len(values)]
            is_back = self.layout.is_back(source, target)
            if is_back or target in self.layout.headers:
                name, given = f"{HELPER}{'again' if is_back else 'loop'}", [Term(name), *given]
            block.lines.append(returned(Term(f"{name}({listed(given)})")))
            return
        for value, term in zip(values, terms, strict=False):
            if value not in self.terms:
                block.lines.append(declaration("const", self.name(value), term))
        yield self.place(target, block)

    def leave(self, term: Term, block: Block) -> None:
        """Return a value, unless the end of the function follows."""
        if term.text != "undefined":
            block.lines.append(returned(term))
        elif block.next is not self.end:
            block.lines.append("return;")
