"""A function without loops and assignments: continuations are functions inside it, and jumps are calls of them.

::

    const loop = (i, total) => i < xs.length ? $again(loop, i + 1, total + xs[i]) : total;
    return $loop(loop, 0, 0);

A continuation that one edge leads to is written there. Calls are tail calls, which fill the stack in JavaScript; so an
edge back to the header of a loop returns the call to ``$loop``, which makes it: the stack is as deep as loops are
nested. Functions that suspend cannot be divided: `Structured` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cpsconv.core import ir
from cpsconv.core.trampoline import Computation
from cpsconv.targets.javascript.closures import Closures
from cpsconv.targets.javascript.forms import Lines, arrow, declaration, returned
from cpsconv.targets.javascript.helpers import HELPER
from cpsconv.targets.javascript.layout import Layout
from cpsconv.targets.javascript.names import Names
from cpsconv.targets.javascript.terms import Term, listed
from cpsconv.targets.javascript.transfers import Transfers


class Functional(Transfers):
    """Writes the continuations of a function as functions in it."""

    is_expression = True

    def __init__(self, closures: Closures, layout: Layout, terms: Mapping[ir.Value, Term], names: Names) -> None:
        super().__init__(closures, layout, terms, names)
        self.functions: dict[ir.Continuation, str] = {}

    def body(self) -> Computation[Lines]:
        """The lines of the whole function; after the first statements, those of a module are a function, too."""
        lines: Lines = []
        yield self.place(self.function, lines, self.end)
        return lines

    def is_written_at_edge(self, member: ir.Continuation) -> bool:
        """Whether a continuation is written where the only edge leads there."""
        return not self.layout.is_function(member)

    def place(self, member: ir.Continuation, lines: Lines, next: ir.Continuation | None) -> Computation[None]:
        """Write a continuation: its statements, the functions that it dominates, and its transfer."""
        self.statements(member, lines)
        is_divided = not self.facts.can_return and member is self.layout.prefix[-1]
        rest: Lines = []
        functions = self.layout.functions[member]
        names = [self.names.unique(self.layout.name(each)) for each in functions]
        self.functions.update(zip(functions, names, strict=True))
        pending, self.pending = self.pending, {}
        for each, name in zip(functions, names, strict=True):
            inner: Lines = []
            parameters = ", ".join([self.name(value) for value in self.inputs(each)])
            yield self.place(each, inner, self.end)
            rest.append(f"const {name} = {arrow(f'({parameters}) =>', inner)};")
        self.pending = pending
        yield self.transfer(member, rest, next)
        lines += ["(() => {", rest, "})();"] if is_divided and rest else rest

    def enter(
        self,
        source: ir.Continuation,
        target: ir.Continuation,
        terms: Sequence[Term],
        lines: Lines,
        next: ir.Continuation | None,
    ) -> Computation[None]:
        """Call a continuation with its arguments, or write it here."""
        values = [*self.inputs(target)]
        if self.layout.is_function(target):
            name = self.functions[target]
            given = terms[: len(values)]
            if self.layout.is_back(source, target):
                lines.append(returned(Term(f"{HELPER}again({listed([Term(name), *given])})")))
            elif target in self.layout.headers:
                lines.append(returned(Term(f"{HELPER}loop({listed([Term(name), *given])})")))
            else:
                lines.append(returned(Term(f"{name}({listed(given)})")))
            return
        for value, term in zip(values, terms, strict=False):
            if value not in self.terms:
                lines.append(declaration("const", self.name(value), term))
        yield self.place(target, lines, next)

    def leave(self, term: Term, lines: Lines, next: ir.Continuation | None) -> None:
        """Return a value, unless the end of the function follows."""
        if term.text != "undefined":
            lines.append(returned(term))
        elif next is not self.end:
            lines.append("return;")
