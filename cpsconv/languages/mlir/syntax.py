"""The syntax of MLIR's generic form: the tree of operations, regions and blocks, by ``grammars/mlir.lark``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from cpsconv.core.grammar import END, Parser
from cpsconv.core.source import Diagnostic, Source, Span, error
from cpsconv.languages.mlir.locations import Aliases
from cpsconv.languages.mlir.texts import BRACKETS, arguments_of, dictionary, on_one_line, signature
from cpsconv.languages.reading import STRAY, ListRules, Token, after_part, parsed, span_of, tokens_of, unexpected


class Operation:
    """An operation: its results, a name such as ``arith.addi``, and operands. What it needs of its texts is computed.

    `results` are the names of the results; ``%r:2`` are ``%r#0`` and ``%r#1``. The `properties`, ``<{…}>``, the
    `attributes`, ``{…}``, and the `location`, ``loc(…)``, are empty if the operation has none. `blocks` are those of
    its regions. `end` is the offset after all of it; the `span` excludes the location.
    """

    def __init__(self, parts: list[Any], aliases: Aliases) -> None:
        results, name, operands, successors, properties, self.regions, attributes, types, location = parts
        self.aliases = aliases
        self.name = name.text[1:-1]
        self.results = _results(results.text) if results else []
        self.operands = _names(operands.text)
        self.successors = _names(successors.text) if successors else []
        self.properties, self.attributes, self.location = (
            on_one_line(each.text) if each else "" for each in (properties, attributes, location)
        )
        self.blocks: list[Block] = [block for region in self.regions for block in region]
        self.parameters, self.types = signature(aliases.resolved(types.text[1:]))
        self.span = Span(name.span.source, (results or name).span.start, types.span.end)
        self.end = location.span.end if location else self.span.end

    @property
    def text(self) -> str:
        """The static text: name, properties and attributes."""
        return " ".join(filter(None, [self.name, self.properties, self.attributes]))

    @cached_property
    def table(self) -> Mapping[str, str]:
        """The properties and attributes, by name."""
        texts = {**dictionary(self.properties[1:-1]), **dictionary(self.attributes)}
        return {name: self.aliases.resolved(text) for name, text in texts.items()}


class Block:
    """A block: its label, `text`, which the first block of a region may lack, and its operations.

    The `name` is ``^bb1``; `arguments` are those in the label. The span is the label, or the first operation.
    """

    def __init__(self, label: Token | None, operations: list[Operation], aliases: Aliases) -> None:
        self.operations = operations
        self.text = on_one_line(label.text) if label else ""
        self.name = re.split(r"[(:\s]", self.text)[0]
        self.arguments = arguments_of(aliases.resolved(self.text))
        self.span = label.span if label else operations[0].span


def _names(text: str) -> list[str]:
    """The names between brackets, of values or blocks. If one is none, no value or block has it."""
    names = on_one_line(text[1:-1])
    return [*map(str.strip, names.split(","))] if names else []


def _results(text: str) -> list[str]:
    """The names of the results before an equals sign."""
    found = re.findall(r"(%[-\w$.]+)(?::(\d+))?", text)
    return [f"{name}#{number}" if count else name for name, count in found for number in range(int(count or 1))]


# ------------------------------------------------------------------------------------------------------------ parser


class _Rules(ListRules):
    """The methods that make the nodes of the tree, one for each rule of the grammar."""

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases

    def skipped(self, parts: list[Any]) -> Any:
        return parts[0]

    def text(self, parts: list[Token]) -> Token:
        """One token for all."""
        span = span_of(parts)
        return Token(parts[0].type, span.source.text[span.start : span.end], span)

    def operation(self, parts: list[Any]) -> Operation:
        return Operation(parts, self.aliases)

    def block(self, parts: list[Any]) -> Block:
        return Block(parts[0], parts[1], self.aliases)

    def region(self, parts: list[Any]) -> list[Block]:
        return [Block(None, parts[0], self.aliases), *parts[1]] if parts[0] else parts[1]


_GROUPS = {"ROUND": ("(", ")"), "SQUARE": ("[", "]"), "CURLY": ("{", "}"), "ANGLED": ("<", ">")}
"""The terminals that are brackets with all that is in them."""

_PARTNERS = dict(_GROUPS.values())


def _ends(text: str) -> dict[int, int]:
    """The offsets after the partners of the brackets in a text, by those of the brackets that are closed."""
    ends: dict[int, int] = {}
    pending: list[tuple[str, int]] = []
    for match in BRACKETS.finditer(text):
        if match[0] in _PARTNERS:
            pending.append((_PARTNERS[match[0]], match.start()))
        elif pending and match[0] == pending[-1][0]:
            ends[pending.pop()[1]] = match.end()
        elif match[0] in ")]}>":
            pending.clear()
    return ends


def parse(source: Source, errors: list[Diagnostic]) -> list[Operation]:
    """The operations at the top of a text. Adds all syntax errors to `errors`."""
    ends, aliases = _ends(source.text), Aliases()
    tokens = tokens_of(source, "mlir", ends=dict.fromkeys(_GROUPS, lambda start: ends.get(start, 0)))
    for token in tokens:
        if token.type == "DEFINITION" and not aliases.define(token.text):
            errors.append(error("there are two aliases of this name", token.span, rule="redefined"))
    items = parsed("mlir", _Rules(aliases), tokens, _recovered, errors)
    return items if isinstance(items, list) else []


_TITLES = {
    **{name: f"`{'…'.join(pair)}`" for name, pair in _GROUPS.items()},
    "RESULTS": "`%name =`",
    "LABEL": "`^block:`",
    "STRING": "the name of an operation in quotes",
    "OPEN": "`({`",
    "NEXT": "`}, {`",
    "CLOSE": "`})`",
    "LOC": "`loc(…)`",
    "TYPE": "a type",
    "DEFINITION": "an alias",
    "RESOURCES": "`{-# … #-}`",
    END: "the end of the text",
}
_STARTS = ("RESULTS", "STRING", "LABEL", "CLOSE", "NEXT", END)
_HELP = "write the generic form: `mlir-opt --mlir-print-op-generic FILE`"


def _recovered(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int | None:
    """Report the token, and replace its operation by ERROR, up to the line where another operation starts."""
    token = tokens[position]
    if token.type == "TYPE":
        message = f"`{token.text}` is not expected here: MLIR is read in its generic form"
        errors.append(error(message, token.span, help=_HELP, rule="syntax"))
        return None
    if token.type == STRAY and token.text in _PARTNERS:
        errors.append(error(f"`{token.text}` is not closed", token.span, rule="syntax"))
    else:
        errors.append(unexpected(token, parser, "mlir", _TITLES, '`"func.func"() … : () -> ()` is an operation'))
    return after_part(parser, tokens, position, lambda each: each is not token and each.type in _STARTS)
