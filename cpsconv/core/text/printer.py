"""The printer of CPS text: nested by dominance, or flat like a list of basic blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.ir import (
    Branch,
    Call,
    Continuation,
    Edge,
    ForeignTransfer,
    Function,
    Jump,
    Parameter,
    Program,
    Statement,
    Switch,
    Target,
    Transfer,
    Value,
)
from cpsconv.core.progress import steps
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import INDENTATION, Group, Piece, layout_lines, wrapped
from cpsconv.core.text.plan import TextPlan, Written, let_groups
from cpsconv.core.text.spelling import foreign_text, in_ascii, literal_text, quote_name
from cpsconv.core.trampoline import Walk, flattened

if TYPE_CHECKING:
    from cpsconv.core.analysis.nesting import Nesting
    from cpsconv.core.text.comments import Comment, Comments, Item

Layout = Literal["nested", "flat"]

_MAX_INDENTATION = 40  # deeper nesting is not indented further

NO_COMMENTS: Comments = {}


def pretty(
    program: Program,
    *,
    layout: Layout = "nested",
    ascii: bool = False,
    width: int = 80,
    comments: Comments = NO_COMMENTS,
) -> str:
    """The text of `program`, which `cpsconv.core.text.parse` reads back as an equal program.

    The `layout` is ``nested``, each continuation in the scope of its immediate dominator, or ``flat``, all
    continuations of a function side by side. With `ascii`, symbols are ``->``, ``_|_``, ``\\`` and ``=>``. Lines are no
    longer than `width` if possible. `comments` are printed with their items.
    """
    lines = pretty_lines(program, layout=layout, ascii=ascii, width=width, comments=comments)
    return "\n".join([*lines, ""])


def pretty_lines(
    program: Program,
    *,
    layout: Layout = "nested",
    ascii: bool = False,
    width: int = 80,
    comments: Comments = NO_COMMENTS,
) -> Iterator[str]:
    """The lines of `pretty`, without line ends."""
    style, functions = Style(ascii, width), program.global_names
    nesting, outer = None, program.functions
    if program.has_nested_functions:
        from cpsconv.core.analysis.nesting import Nesting  # imported late, as below: few programs need it

        nesting = Nesting(program)
        outer = [function for function in program.functions if function not in nesting.enclosing]
    printers = (
        FunctionPrinter(function, TextPlan(function, functions), style, layout, comments, nesting)
        for function in steps("printing", outer)
    )
    return program_lines(program, style, comments, printers)


def program_lines(
    program: Program, style: Style, comments: Comments, printers: Iterable[FunctionPrinter]
) -> Iterator[str]:
    """The lines of a program whose outer functions the `printers` print."""
    is_first = not program.items
    if program.items or program.attributes:
        from cpsconv.core.text.items import item_texts

        for item, text in item_texts(program, style.symbols):
            yield from style.commented(0, style.lines(0, text), comments.get(item, ()) if item else ())
    for printer in printers:
        if not is_first:
            yield ""
        is_first = False
        for print_part, *arguments in flattened(printer.parts()):
            yield from print_part(*arguments)
    if last := comments.get(program):
        yield ""
        yield from style.commented(0, [], last)


class Style(NamedTuple):
    """The settings of a text."""

    ascii: bool
    width: int

    def symbols(self, text: str) -> str:
        """Symbols and types, in ASCII if the text is."""
        return in_ascii(text) if self.ascii else text

    def lines(self, depth: int, piece: Piece) -> list[str]:
        """The lines of `piece`, indented by `depth` levels."""
        margin = self._margin(depth)
        return [margin + line for line in layout_lines(piece, self.width - len(margin))]

    def commented(self, depth: int, lines: list[str], comments: Sequence[Comment]) -> list[str]:
        """The lines with their comments above them. The last comment follows the lines if it is `trailing` and fits."""
        if comments and comments[-1].trailing and len(lines[-1]) + 1 + len(comments[-1].text) <= self.width:
            lines[-1] += f" {comments[-1].text}"
            comments = comments[:-1]
        margin = self._margin(depth)
        return [*(line for comment in comments for line in (margin + comment.text, *[""] * comment.apart)), *lines]

    def _margin(self, depth: int) -> str:
        return " " * min(INDENTATION * depth, _MAX_INDENTATION, self.width // 2)


class FunctionPrinter:
    """Prints one function, also one under construction: a body without a transfer ends with ``…``.

    `groups` maps each continuation to the members of its `let`. The text consists of parts. A part is a method that
    returns lines, followed by its arguments: a continuation, the depth of indentation, and others. By the `nesting` of
    the program, the functions that are defined in the function are parts of its text.
    """

    def __init__(
        self,
        function: Function,
        text_plan: TextPlan,
        style: Style,
        layout: Layout = "nested",
        comments: Comments = NO_COMMENTS,
        nesting: Nesting | Written | None = None,
    ) -> None:
        self.function = function
        self.style = style
        self.text_plan = text_plan
        self.names = text_plan.names
        self.expressions = Expressions(self.names, text_plan.in_place)
        self.comments, self.last_comments = NO_COMMENTS, NO_COMMENTS.get(function, ())
        if comments:
            from cpsconv.core.text.comments import End, comments_of

            self.comments = comments_of(comments, function, text_plan.in_place)
            self.last_comments = self.comments.get(End(function), ())
        self.inline: Collection[Continuation] = frozenset()
        self.groups: dict[Continuation, list[Continuation]] = {function: function.continuations}
        self.inner: dict[Continuation, list[Function]] = {}
        inner = nesting.inner if nesting else {}
        for member in function.members() if inner else ():
            if member in inner:
                self.inner.setdefault(function if layout == "flat" else member, []).extend(inner[member])
        self._settings = style, layout, comments, nesting
        if isinstance(nesting, Written):
            self.inline = {each for each in text_plan.inline if each not in nesting.names}
            groups = ((member, nesting.groups[member]) for member in function.members() if member in nesting.groups)
            self.groups = {member: [k for k in group if k not in self.inline] for member, group in groups}
        elif layout == "nested":
            self.nest()

    def nest(self) -> None:
        """Define each continuation in the `let` of its immediate dominator, by the edges that exist now."""
        self.inline = self.text_plan.inline
        self.groups = let_groups(DominatorTree(self.function), self.inline)

    def parts(self, depth: int = 0) -> Walk[tuple[Any, ...]]:
        """``f(x : int, ret : int → ⊥) → ⊥ { body }``"""
        yield self._opening, self.function, depth
        yield self._body_parts(self.function, depth + 1)
        yield self._end, self.function, depth

    def _body_parts(self, member: Continuation, depth: int) -> Walk[tuple[Any, ...]]:
        """Statements, `let … in`, transfer. The body of `λ(a : int). …` in a call follows at the same depth."""
        closing = 0  # the number of such abstractions that are open
        while True:
            yield self._statements, member, depth
            group = self.groups.get(member, [])
            if group or member in self.inner:
                yield self._let_parts(member, group, depth)
            abstraction = self.abstraction(member)
            if not abstraction:
                break
            yield self._call_opening, member, depth
            member = abstraction
            closing += 1
        yield self._ending, member, depth, closing

    def _let_parts(self, outer: Continuation, group: Sequence[Continuation], depth: int) -> Walk[tuple[Any, ...]]:
        """``let k := (a : int) → ⊥ body … in``"""
        yield self._let, outer, depth
        for printer in self.inner_printers(outer):
            yield printer.parts(depth + 1)
        for member in group:
            yield self._binding, member, depth + 1
            yield self._body_parts(member, depth + 2)
        yield self._in, outer, depth

    def inner_printers(self, outer: Continuation) -> Iterator[FunctionPrinter]:
        """The printers of the functions that are defined in the continuation."""
        for function in self.inner.get(outer, ()):
            text_plan = TextPlan(function, self.text_plan.functions, self.text_plan, self.text_plan.written)
            yield FunctionPrinter(function, text_plan, *self._settings)

    def abstraction(self, member: Continuation) -> Continuation | None:
        """The continuation that is written as an abstraction in the call that ends `member`."""
        target = member.transfer.then.target if isinstance(member.transfer, Call) else None
        return target if isinstance(target, Continuation) and target in self.inline else None

    def owners(self, part: tuple[Any, ...]) -> list[Continuation]:
        """The continuations to which the lines of a part belong: to both, if it is a call with an abstraction."""
        print_part, member, *_ = part
        if print_part in (self._let, self._in, self._end):
            return []
        abstraction = self.abstraction(member) if print_part == self._call_opening else None
        return [member, abstraction] if abstraction else [member]

    # ---------------------------------------------------------------------------------------------- lines of a part

    def _opening(self, function: Function, depth: int) -> list[str]:
        opening = f"{_attributes(function)}{quote_name(function.name)}("
        return self._lines(depth, self._header(opening, function, " {"), function)

    def _end(self, function: Function, depth: int) -> list[str]:
        return self.style.commented(depth + 1, self.style.lines(depth, "}"), self.last_comments)

    def _let(self, member: Continuation, depth: int) -> list[str]:
        return self.style.lines(depth, "let")

    def _in(self, member: Continuation, depth: int) -> list[str]:
        return self.style.lines(depth, "in")

    def _binding(self, member: Continuation, depth: int) -> list[str]:
        return self._lines(depth, self._header(f"{self.names[member]} := (", member, ""), member)

    def _statements(self, member: Continuation, depth: int) -> list[str]:
        return [line for each in self.text_plan.lines(member) for line in self.statement_lines(each, depth)]

    def statement_lines(self, statement: Statement, depth: int) -> list[str]:
        """The lines of a statement that is not written in place."""
        return self._lines(depth, self._statement(statement), statement)

    def _call_opening(self, member: Continuation, depth: int) -> list[str]:
        """``f(x, λ(a : int).``"""
        call, abstraction = member.transfer, self.abstraction(member)
        assert isinstance(call, Call) and abstraction
        header = self._parameters(self.style.symbols("λ("), abstraction, ").")
        name, values = self.expressions.call(call)
        piece = Group(f"{name}(", [*map(self.expressions.value, values), header], "")
        return self._lines(depth, piece, call, abstraction)

    def _ending(self, member: Continuation, depth: int, closing: int) -> list[str]:
        if not member.transfer:
            return self.style.lines(depth, "…" + ")" * closing)
        return self._lines(depth, wrapped("", self._transfer(member.transfer), ")" * closing), member.transfer)

    def _lines(self, depth: int, piece: Piece, *items: Item) -> list[str]:
        """The lines of `piece`, with the comments on `items`."""
        lines = self.style.lines(depth, piece)
        if not self.comments:
            return lines
        comments = [comment for item in items for comment in self.comments.get(item, ())]
        return self.style.commented(depth, lines, comments)

    # ------------------------------------------------------------------------------------------------------- pieces

    def _header(self, opening: str, member: Continuation, closing: str) -> Piece:
        return self._parameters(opening, member, self.style.symbols(") → ⊥") + closing)

    def _parameters(self, opening: str, member: Continuation, closing: str) -> Piece:
        if not member.parameters:
            return opening + closing
        parameters: list[Piece] = [*map(self.declaration, member.parameters)]
        if isinstance(member, Function) and member.attributes:
            from cpsconv.core.text.items import with_variable

            parameters = with_variable(member, parameters)
        return Group(opening, parameters, closing)

    def declaration(self, parameter: Parameter) -> str:
        """``x : int``"""
        name, type = self.names[parameter], self.style.symbols(str(parameter.type))
        if not parameter.attributes:
            return f"{name} : {type}"
        from cpsconv.core.text.items import parameter_text

        return parameter_text(name, type, parameter)

    def _statement(self, statement: Statement) -> Piece:
        """``v := x + 1;``, or the effect alone if its result has no use"""
        name = f"{self.names[statement]} := " if self.text_plan.is_shown(statement) else ""
        return wrapped(_attributes(statement) + name, self.expressions.operation(statement), ";")

    def _transfer(self, transfer: Transfer) -> Piece:
        value = self.expressions.value
        if isinstance(transfer, Jump):
            return self._application(transfer.edge.target, transfer.edge.arguments)
        if isinstance(transfer, Call):
            name, arguments = self.expressions.call(transfer)
            return self.expressions.application(name, [*arguments, transfer.then.target])
        if isinstance(transfer, Branch):
            slots = [value(transfer.condition), self._slot(transfer.then), self._slot(transfer.otherwise)]
            return Group("branch(", slots, ")")
        if isinstance(transfer, ForeignTransfer):
            call = self.expressions.application(foreign_text(transfer.text), transfer.values)
            slots = [*map(self._slot, transfer.targets)]
            return Group("", [call, Group("[", slots, "]")], "", separator="", bracketed=False) if slots else call
        return Group("switch(", [value(transfer.value), *self._cases(transfer)], ")")

    def _cases(self, transfer: Switch) -> Iterator[Piece]:
        """``1 ⇒ k1, …, _ ⇒ k``"""
        for case, edge in transfer.arms:
            yield wrapped(f"{literal_text(case)}{self.style.symbols(' ⇒ ')}", self._slot(edge))
        yield wrapped(f"_{self.style.symbols(' ⇒ ')}", self._slot(transfer.default))

    def _slot(self, edge: Edge) -> Piece:
        """A nullary continuation: the target, or ``λ(). target(arguments)``"""
        if not edge.arguments:
            return self.expressions.value(edge.target)
        return wrapped(self.style.symbols("λ(). "), self._application(edge.target, edge.arguments))

    def _application(self, target: Target, arguments: Sequence[Value]) -> Piece:
        name = self.expressions.value(target)
        assert isinstance(name, str)
        return self.expressions.application(name, arguments)


def _attributes(part: Function | Statement) -> str:
    """The attributes before a part."""
    if not part.attributes:
        return ""
    from cpsconv.core.text.items import attributes_text

    return attributes_text(part)
