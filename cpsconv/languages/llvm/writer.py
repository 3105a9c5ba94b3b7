"""The emitter of a program that was read from LLVM IR: the module again, with a φ function for each parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from cpsconv.core import ir
from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.core.text.plan import UniqueNames
from cpsconv.languages.llvm.constants import text_of_constant
from cpsconv.languages.llvm.foreign_text import (
    BLOCK_ADDRESS,
    CONSTANT,
    LABEL,
    METADATA,
    RESULT,
    filled,
    local,
    unquoted,
)
from cpsconv.languages.llvm.lowering import HEADER, MODULE, VARIABLE
from cpsconv.languages.llvm.module_text import DEFINE, SYMBOL
from cpsconv.languages.llvm.normal_form import missing, printed
from cpsconv.languages.llvm.types import PREFIX, text_of

_NO_INSTRUCTIONS = RESULT, CONSTANT, LABEL, METADATA
"""The starts of the texts of statements that are no lines of their own."""


def module(program: ir.Program) -> str:
    """The module of a program that was read from LLVM IR, in LLVM's normal form.

    Raises `DiagnosticError` if the program has other operations, if LLVM rejects the module, or llvmlite is missing.
    """
    status, text = printed(module_text(program))
    if status == "missing":
        raise DiagnosticError([missing()])
    if status != "ok":
        reason = " ".join(text.split()) or "its parser ended"
        raise DiagnosticError([error(f"LLVM rejects the module: {reason}", rule="not-expressible")])
    return text.lstrip("\n")


def module_text(program: ir.Program) -> str:
    """The text of the module, not yet verified."""
    found: list[Diagnostic] = []
    bodies, labels = dict[str, str](), set[tuple[str, str]]()
    for function in program.functions:
        body = _Body(function, found)
        bodies[body.symbol] = body.text()
        labels |= {(body.symbol, label) for label in body.labels}
    if found:
        raise DiagnosticError(found)
    frame = str(program.attributes[MODULE]).split("\n")
    lines = [_defined(line, bodies) if line.startswith(DEFINE) else line for line in frame]
    return _without_lost_labels("\n".join(lines), labels)


def _defined(line: str, bodies: Mapping[str, str]) -> str:
    """The function for which a line of the frame stands; only its declaration, if the program lacks it."""
    prototype = line[len(DEFINE) :]
    match = SYMBOL.search(prototype)
    return bodies.get(match[1] if match else "", f"declare {prototype}")


def _without_lost_labels(text: str, labels: set[tuple[str, str]]) -> str:
    """The text in which the address of a block that the program does not reach is 1, as LLVM defines it."""
    if "blockaddress(" not in text:
        return text

    def replaced(match: re.Match[str]) -> str:
        return match[0] if (match[1], match[2]) in labels else "inttoptr (i32 1 to ptr)"

    return BLOCK_ADDRESS.sub(replaced, text)


class _Body:
    """The lines of a function. `labels` are the names of its blocks whose addresses are used."""

    def __init__(self, function: ir.Function, found: list[Diagnostic]) -> None:
        self.function, self.found = function, found
        header = str(function.attributes.get(HEADER, ""))
        self._first, _, entry = header.partition("\n")
        match = SYMBOL.search(header)
        if not match:
            self._refuse(f"the function `{function.name}`", function.span)
        self.symbol = match[1] if match else ""
        self.labels: set[str] = set()
        self._words: dict[ir.Value, str] = {function: entry.removesuffix(":")}
        self._texts = {
            member: [(each, getattr(each.of, "text", "")) for each in member.body] for member in function.members()
        }
        self._results: dict[ir.Continuation, str] = {}
        self._blocks: dict[str, _Block] = {}

    def text(self) -> str:
        """The function."""
        self._name()
        function, words, blocks = self.function, self._words, self._blocks
        blocks.update({words[member]: _Block(member) for member in function.members()})
        for member in function.members():
            self._end(member, blocks[words[member]])
        reached = reverse_postorder_from(words[function], lambda label: blocks[label].targets)
        order = [*dict.fromkeys([*reached, *blocks])]  # as the module is read again
        positions = {label or self._entry: number for number, label in enumerate(order)}
        lines = [filled(self._first, [words[parameter] for parameter in function.parameters[:-1]])]
        for label in order:
            lines += [f"{label}:"] if label else []
            lines += self._lines(blocks[label], positions)
        return "\n".join([*lines, "}"])

    def _lines(self, block: _Block, positions: Mapping[str, int]) -> list[str]:
        """The lines of a block; the edges of φ functions are in the order of the blocks."""
        member = block.member
        if member is None:
            return [block.transfer]
        body = [self._statement(*each) for each in self._texts[member] if not each[1].startswith(_NO_INSTRUCTIONS)]
        if member.parameters and member is not self.function:
            block.edges.sort(key=lambda edge: positions[edge[0]])
            first = bool(body and re.search(r" = (landing|catch|cleanup)pad ", body[0]))  # which follows φ functions
            body = [*self._phis(member, block), *body[:first], *self._values_of_variables(member), *body[first:]]
        return [*body, block.transfer]

    # ------------------------------------------------------------------------------------------------------ names

    def _name(self) -> None:
        """Give each value and block a name of its own: that in the program, perhaps with a number."""
        function, words, names = self.function, self._words, _Names(())
        names.taken.add(unquoted(words[function]))
        for member in function.continuations:
            label = next((text[len(LABEL) :] for _, text in self._texts[member] if text.startswith(LABEL)), None)
            if label:
                self.labels.add(label)
                words[member] = label
                names.taken.add(unquoted(label))
        for parameter in function.parameters[:-1]:
            words[parameter] = f"%{names.unique(parameter.name)}"
        for member in function.members():
            if member not in words:
                words[member] = names.unique(member.name)
            for parameter in member.parameters if member is not function else ():
                words[parameter] = f"%{names.unique(parameter.name)}"
            for statement, text in self._texts[member]:
                if text.startswith(CONSTANT):
                    words[statement] = text[len(CONSTANT) :]
                elif statement.type is not ir.VOID and text != RESULT:
                    words[statement] = f"%{names.unique(statement.name)}"
        for member in function.members():
            self._name_result(member, names)
        self._entry, self._between = words[function] or "0", names

    def _name_result(self, member: ir.Continuation, names: _Names) -> None:
        """Give a name to the result of the transfer of a member, to which those that it leads to refer."""
        if isinstance(member.transfer, ir.ForeignTransfer):
            targets = [edge.target for edge in member.transfer.targets if isinstance(edge.target, ir.Continuation)]
            found = [each for target in targets for each, text in self._texts.get(target, ()) if text == RESULT]
            if found:
                self._results[member] = f"%{names.unique(found[0].name)}"
                self._words.update(dict.fromkeys(found, self._results[member]))

    def _value(self, value: ir.Value, span: Span | None = None) -> str:
        """The text of an operand."""
        word = self._words.get(value)
        if word is not None:
            return word
        if isinstance(value, ir.Constant):
            return text_of_constant(value)
        if not isinstance(value, ir.Undef):
            self._refuse("this operand", span)
        return "undef"

    def _typed(self, value: ir.Value, span: Span | None = None) -> str:
        """The type and the text of an operand."""
        return f"{self._type(value.type, span)} {self._value(value, span)}"

    def _type(self, type: ir.Type, span: Span | None) -> str:
        text = text_of(type) if isinstance(type, ir.Scalar) else None
        if text is None:
            self._refuse(f"the type `{type}`", span)
        return text or ""

    def _refuse(self, what: str, span: Span | None) -> None:
        self.found.append(
            error(f"LLVM IR cannot express {what}, which was not read from it", span, rule="not-expressible")
        )

    # ------------------------------------------------------------------------------------------------------ lines

    def _phis(self, member: ir.Continuation, block: _Block) -> Iterator[str]:
        """The φ functions of a block."""
        for number, parameter in enumerate(member.parameters):
            pairs = [f"[ {self._value(arguments[number])}, %{label} ]" for label, arguments in block.edges]
            phi = f"phi {self._type(parameter.type, parameter.span)} {', '.join(pairs)}"
            yield f"  {self._words[parameter]} = {phi}"

    def _values_of_variables(self, member: ir.Continuation) -> Iterator[str]:
        """Records of debug information: the values of variables that are parameters."""
        is_start = isinstance(member.transfer, ir.ForeignTransfer) and "catchswitch" in member.transfer.text
        for parameter in () if is_start else member.parameters:
            described = parameter.attributes.get(VARIABLE)
            for each in str(described).split("; ") if described else ():
                yield f"    #dbg_value({self._typed(parameter, parameter.span)}, {each})"

    def _statement(self, statement: ir.Statement, text: str) -> str:
        """The line of an instruction."""
        if not text.startswith(PREFIX):
            self._refuse(f"the operation `{statement.of or statement.op}`", statement.span)
            return ""
        words = self._words
        values = [words.get(each) or self._value(each, statement.span) for each in statement.operands]
        line = filled(text[len(PREFIX) :], values)
        if line[0] == "#":
            return f"    {line}"
        return f"  {line}" if statement.type is ir.VOID else f"  {words[statement]} = {line}"

    def _end(self, member: ir.Continuation, block: _Block) -> None:
        """Write the transfer of a member, and note its edges.

        Edges to one block with different arguments are possible in the program, but not in LLVM IR: then each leads
        through a block of its own.
        """
        transfer, label, words = member.transfer, self._words[member] or self._entry, self._words
        assert transfer is not None
        passed = dict[str, Sequence[ir.Value]]()
        for edge in [transfer.default, *transfer.targets] if isinstance(transfer, ir.Switch) else transfer.edges:
            target = words.get(edge.target) if isinstance(edge.target, ir.Continuation) else None
            if target is None:
                continue
            first = passed.setdefault(target, edge.arguments)
            if first == edge.arguments or [*map(self._value, first)] == [*map(self._value, edge.arguments)]:
                self._blocks[target].edges.append((label, edge.arguments))
                block.targets.append(target)
            else:
                between = self._between.unique(f"{member.name}_edge")
                self._blocks[between] = _Block(None, [], [target], f"  br label %{target}")
                self._blocks[target].edges.append((between, edge.arguments))
                block.targets.append(between)
        block.transfer = f"  {self._transfer(member, transfer, block.targets)}"

    def _transfer(self, member: ir.Continuation, transfer: ir.Transfer, labels: list[str]) -> str:
        last = self._texts[member][-1][1] if member.body else ""
        metadata = f", {last[len(METADATA) :]}" if last.startswith(METADATA) else ""
        targets = [f"label %{label}" for label in labels]
        if isinstance(transfer, ir.Jump):
            if targets:
                return f"br {targets[0]}{metadata}"
            if transfer.edge.target is self.function.ret:
                returned = [self._typed(value, transfer.span) for value in transfer.edge.arguments]
                return f"ret {returned[0] if returned else 'void'}{metadata}"
        elif isinstance(transfer, ir.Branch):
            return f"br {self._typed(transfer.condition, transfer.span)}, {', '.join(targets)}{metadata}"
        elif isinstance(transfer, ir.Switch):
            return self._switch(transfer, targets) + metadata
        elif isinstance(transfer, ir.ForeignTransfer) and transfer.text.startswith(PREFIX):
            return self._foreign(member, transfer, labels)
        self._refuse("this transfer", transfer.span)
        return ""

    def _switch(self, transfer: ir.Switch, targets: Sequence[str]) -> str:
        type = self._type(transfer.value.type, transfer.span)
        cases = [f"{type} {number}, {target}" for number, target in zip(transfer.cases, targets[1:], strict=False)]
        return f"switch {type} {self._value(transfer.value, transfer.span)}, {targets[0]} [ {' '.join(cases)} ]"

    def _foreign(self, member: ir.Continuation, transfer: ir.ForeignTransfer, labels: Sequence[str]) -> str:
        values = [self._value(value, transfer.span) for value in transfer.values]
        result = f"{self._results[member]} = " if member in self._results else ""
        return result + filled(transfer.text[len(PREFIX) :], [*values, *(f"%{label}" for label in labels)])


class _Block(metaclass=NodeType):
    """A basic block: its member, unless it is for an edge only; its edges in, as pairs of the label that each comes
    from and its arguments; the labels to which its transfer leads; and the transfer.
    """

    member: ir.Continuation | None
    edges: list[tuple[str, Sequence[ir.Value]]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    transfer: str = ""


class _Names(UniqueNames):
    """The names of a function, each used once, as LLVM IR writes them."""

    def unique(self, hint: str | None) -> str:
        """The name, with a number if it is taken."""
        return local(super().unique(hint or "v"))

    def numbered(self, hint: str, number: int) -> str:
        """The hint and a number, after a point if the hint ends with a digit."""
        return f"{hint}{'.' * hint[-1].isdigit()}{number}"
