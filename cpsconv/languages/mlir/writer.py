"""The emitter of a program that was read from MLIR, with every operation as it was: the module in the generic form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from cpsconv.core import ir
from cpsconv.core.analysis.graph import reverse_postorder
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.core.text.plan import UniqueNames
from cpsconv.languages.mlir.locations import Aliases
from cpsconv.languages.mlir.texts import (
    BODY,
    HEADER,
    LOCATION,
    MODULE,
    RESULT,
    RESULTS,
    TRANSFER,
    arguments_of,
    results_in,
    symbol,
    with_segments,
)
from cpsconv.languages.mlir.types import scalar_of, text_of


def module(program: ir.Program) -> str:
    """The module of a program that was read from MLIR. Raises `DiagnosticError` if the program has other operations."""
    found: list[Diagnostic] = []
    text = str(program.attributes[MODULE])
    frame = _Frame(text)
    bodies = {each.name: [*_Body(each, frame, found).lines()] for each in program.functions}
    if found:
        raise DiagnosticError(found)

    def defined(match: re.Match[str]) -> str:
        return "\n".join(f"{match[1]}{line}" for line in bodies.get(symbol(match[2]), [match[3]]))

    return BODY.sub(defined, text)


class _Frame:
    """What the text of a module has around the functions: their symbols, the names of values, and aliases of types."""

    def __init__(self, text: str) -> None:
        self.functions = {symbol(match[2]) for match in BODY.finditer(text)}
        self.names = {*re.findall(r"%([-\w$.]+)", text)}
        aliases = Aliases()
        for match in re.finditer(r"^![\w$-]+ *=.*", text, re.MULTILINE):
            aliases.define(match[0])
        self.aliases = {each: name for name, each in aliases.types.items() if scalar_of(each).kind == "foreign"}


class _Body:
    """The lines of a function; `words` has the names of its values and blocks."""

    def __init__(self, function: ir.Function, frame: _Frame, found: list[Diagnostic]) -> None:
        self.function, self.aliases, self.found = function, frame.aliases, found
        header = str(function.attributes.get(HEADER, ""))
        if not header:
            self._refuse(f"the function `{function.name}`", function.span)
        elif function.name not in frame.functions:
            help = "choose `--ours some` to link modules"
            message = f"the function `{function.name}` is that of another module"
            found.append(error(message, function.span, help=help, rule="not-expressible"))
        self.start, self.label, self.end = (*header.split("\n"), "", "", "")[:3]
        self.members = reverse_postorder(function)  # the order in which the module is read again
        self.names = UniqueNames(frame.names)
        self.numbers = (each for each in map(str, count()) if each not in frame.names and each not in self.names.taken)
        self.words: dict[ir.Value, str] = dict(
            zip(function.parameters, [each.name for each in arguments_of(self.label)], strict=False)
        )
        self.names.taken.update(word[1:] for word in self.words.values())
        for member in self.members:
            self._name(member)

    def lines(self) -> Iterator[str]:
        """The operation that defines the function."""
        yield self.start
        for member in self.members:
            if member is not self.function:
                typed = zip(member.parameters, self._types(member.parameters), strict=True)
                each = [f"{self._word(each)}: {type}{_location(each)}" for each, type in typed]
                yield f"{self.words[member]}({', '.join(each)}):" if each else f"{self.words[member]}:"
            elif self.label:
                yield self.label
            for statement in member.body:
                if statement.op not in FOREIGN_OPERATIONS:
                    self._refuse(f"the operation `{statement.op}`", statement.span)
                elif str(statement.of).partition(" ")[0] not in (RESULT, RESULTS, TRANSFER):
                    operation = self._operation(str(statement.of), statement.operands, [], [statement])
                    yield f"  {operation}{_location(statement)}"
            yield f"  {self._transfer(member)}"
        yield self.end

    # ------------------------------------------------------------------------------------------------------ names

    def _name(self, member: ir.Continuation) -> None:
        """Give each value of a member, and its block, a name of its own: that in the program, perhaps with a number."""
        if member is not self.function:
            self.words[member] = f"^{self._unique(member.name)}"
            self.words.update((each, f"%{self._unique(each.name)}") for each in member.parameters)
        for statement in member.body:
            op, _, number = str(statement.of).partition(" ")
            if op == RESULT and number:
                self.words[statement] = f"{self._word(statement.operands[0])}#{number}"
            elif op == RESULTS:
                self.words[statement] = ", ".join(map(self._word, statement.operands))
            elif op != RESULT and statement.type is not ir.VOID:
                self.words[statement] = f"%{self._unique(statement.name)}"
        if results := _results(member):
            self.words.update(dict.fromkeys(results, f"%{self._unique(results[0].name)}"))

    def _unique(self, hint: str | None) -> str:
        """The name, with a number if it is taken; a number without a name."""
        return self.names.unique(hint or next(self.numbers))

    def _word(self, value: ir.Value) -> str:
        if value not in self.words:
            self._refuse("this operand", getattr(value, "span", None) or self.function.span)
        return self.words.get(value, "")

    def _types(self, values: Iterable[ir.Value]) -> list[str]:
        """The types of values, of which one may stand for several results, or for none."""
        found: list[str] = []
        for value in values:
            text = text_of(value.type) if isinstance(value.type, ir.Scalar) else None
            if text is None:
                self._refuse(f"the type `{value.type}`", getattr(value, "span", None))
            found += [self.aliases.get(each, each) for each in results_in("none" if text is None else text) if each]
        return found

    def _refuse(self, what: str, span: Span | None) -> None:
        help = "read the module with `--ours none`"
        message = f"MLIR cannot express {what}, which was not read from it"
        self.found.append(error(message, span, help=help, rule="not-expressible"))

    # ------------------------------------------------------------------------------------------------- operations

    def _operation(
        self, text: str, operands: Sequence[ir.Value], labels: Sequence[str], results: Sequence[ir.Statement]
    ) -> str:
        """The operation in the generic form. Each of the `results`, if any, is the value of all of them together."""
        name, _, static = text.partition(" ")
        words, taken = ", ".join(map(self._word, operands)), ", ".join(self._types(operands))
        types = self._types(results[:1])
        type = types[0] if len(types) == 1 and types[0][0] != "(" else f"({', '.join(types)})"
        named = f"{self.words[results[0]]}{f':{len(types)}' if types[1:] else ''} = " if types else ""
        targets = f"[{', '.join(labels)}]" if labels else ""
        return f'{named}"{name}"({words}){targets}{static and " "}{static} : ({taken}) -> {type}'

    def _transfer(self, member: ir.Continuation) -> str:
        """The transfer, with the text and location stated before it, unless a pass replaced the transfer."""
        transfer, last = member.transfer, member.body[-1:]
        assert transfer
        is_llvm = self.start.startswith('"llvm.func"')
        kind, text = "", transfer.text if isinstance(transfer, ir.ForeignTransfer) else ""
        if isinstance(transfer, ir.Jump):
            kind = "return" if transfer.edge.target is self.function.ret else "br"
            text = f"{'llvm' if is_llvm else 'cf' if kind == 'br' else 'func'}.{kind}"
        elif isinstance(transfer, ir.Branch):
            kind = "cond_br"
            text = f"{'llvm' if is_llvm else 'cf'}.cond_br <{{operandSegmentSizes = array<i32: 1, 0, 0>}}>"
        elif not text:
            self._refuse("this transfer", transfer.span)
        stated = [str(each.of).removeprefix(TRANSFER).strip() for each in last if str(each.of).startswith(TRANSFER)]
        is_stated = [each.partition(" ")[0].rpartition(".")[2] for each in stated] == [kind]
        labels = [self._word(each.target) for each in transfer.edges if each.target is not self.function.ret]
        passed = [each.arguments for each in transfer.edges]
        operands = [*transfer.operands, *(value for each in passed for value in each)]
        text = with_segments((is_stated and stated[0]) or text, [*map(len, passed)])
        return self._operation(text, operands, labels, _results(member)) + (_location(last[0]) if is_stated else "")


def _results(member: ir.Continuation) -> list[ir.Statement]:
    """The statements for the results of a transfer, which its targets begin with."""
    targets = (each.target for each in member.transfer.edges) if member.transfer else ()
    firsts = [each for target in targets if isinstance(target, ir.Continuation) for each in target.body[:1]]
    return [each for each in firsts if str(each.of) == RESULT]


def _location(each: ir.Parameter | ir.Statement) -> str:
    found = each.attributes.get(LOCATION)
    return f" {found}" if found else ""
