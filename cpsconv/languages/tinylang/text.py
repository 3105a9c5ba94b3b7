"""The parser of tinylang, by the grammar ``grammars/tinylang.lark``."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from cpsconv.core.grammar import END, Parser, tables_of
from cpsconv.core.ir import LONG
from cpsconv.core.operations.types import wrap
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.reading import (
    ListRules,
    Token,
    after_part,
    inserted,
    limited,
    node,
    parsed,
    span_of,
    tokens_of,
    unexpected,
    value,
)
from cpsconv.languages.tinylang import tree

_MAX_DIGITS = 40
_INSERTED = (";", ")", "]", "END", "THEN", "DO", "OF", "BEGIN", ":=", ":")
_CONFUSED = {"=": ":=", ":=": "="}
_TITLES = {"NAME": "a name", "NUMBER": "a number", "STRING": "a string", END: "the end of the text"}


def parse(source: Source) -> tree.Module:
    """The module in the text. Raises `DiagnosticError` with all syntax errors found.

    After an error, a missing word is added, or the unexpected one replaced or skipped, if the text then continues as it
    should. Otherwise the statement is discarded.
    """
    rules = _TreeBuilder(source)
    tokens = tokens_of(source, "tinylang", ends={"COMMENT": partial(_after_comment, source, rules.errors)})
    module: tree.Module = parsed("tinylang", rules, tokens, _recover, rules.errors)
    if rules.errors:
        raise DiagnosticError(limited(rules.errors))
    return module


def _recover(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int | None:
    """Report the token. Returns the position at which to continue, None if nothing helps."""
    token, spellings = tokens[position], tables_of("tinylang").spellings
    following = [each.type for each in tokens[position : position + 3]]
    for ahead in (3, 2):  # the third one may be the next error
        if inserted(parser, tokens, position, _INSERTED, "tinylang", errors, ahead):
            return position
    other = _CONFUSED.get(token.text)
    is_confused = other is not None and parser.fitting([spellings[other], *following[1:2]]) == 2
    help = "`:=` assigns, `=` compares and defines" if is_confused else None
    errors.append(unexpected(token, parser, "tinylang", _TITLES, "a module is `MODULE Name; … END Name.`", help))
    if other is not None and is_confused:
        parser.read([token._replace(type=spellings[other])])
        return position + 1
    if token.type != END and parser.fitting(following[1:]) == len(following) - 1:
        return position + 1
    return after_part(parser, tokens, position, lambda each: each.text in (";", "END", "ELSE", "ELSIF"))


_COMMENT_PART = re.compile(r"\(\*|\*\)")


def _after_comment(source: Source, errors: list[Diagnostic], start: int) -> int:
    """The position after the comment at `start`. Comments nest."""
    depth = 0
    for match in _COMMENT_PART.finditer(source.text, start):
        depth += 1 if match[0] == "(*" else -1
        if not depth:
            return match.end()
    errors.append(error("this comment is not ended by `*)`", Span(source, start, start + 2), rule="syntax"))
    return len(source.text)


class _TreeBuilder(ListRules):
    """A method for each rule of the grammar, called by the parser with the values of the rule's parts.

    The value of a token is the token itself.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.errors: list[Diagnostic] = []

    def append_before_semicolon(self, parts: list[Any]) -> list[Any]:
        return self.append(parts[:2])

    # declarations

    import_modules = value(lambda names: tree.Import(None, names), 1)
    import_names = value(tree.Import, 1, 3)
    empty_block = value(lambda declarations, end: tree.Block(declarations, None, end.span), 0, 1)
    full_block = value(lambda declarations, statements, end: tree.Block(declarations, statements, end.span), 0, 2, 3)
    constant = value(tree.Constant, 0, 2)
    named_type = value(tree.NamedType, 0, 2)
    variable = value_parameter = value(tree.Variables, 0, 2)
    reference_parameter = value(partial(tree.Variables, is_reference=True), 1, 3)
    no_formals = value(lambda: ([], None))
    formals = value(lambda *formals: formals, 1, 3)

    def start(self, parts: list[Any]) -> tree.Module:
        _, name, _, imports, block, end_name, _ = parts
        return tree.Module(self.source, name, imports, block, end_name)

    def procedure(self, parts: list[Any]) -> tree.Procedure:
        _, name, (parameters, result), _, block, end_name = parts
        return tree.Procedure(name, parameters, result, block, end_name)

    # types

    type_name = value(lambda names: tree.Designator(names[0], names[1:]), 0)
    pointer = node(tree.Pointer, 2)
    array = node(tree.Array, 2, 5)
    record = node(lambda fields, span: tree.Record([field for field in fields if field], span), 1)
    plain_procedure_type = node(partial(tree.ProcedureType, [], None))
    procedure_type = node(tree.ProcedureType, 2, 4)
    value_type = value(lambda type: (False, type), 0)
    reference_type = value(lambda type: (True, type), 1)

    # statements

    assignment = node(tree.Assignment, 0, 2)
    plain_call = node(lambda callee, span: tree.Call(callee, [], span), 0)
    conditional = node(
        lambda condition, statements, elsifs, otherwise, span: tree.Conditional(
            [(condition, statements), *elsifs], otherwise, span
        ),
        *(1, 3, 4, 5),
    )
    elsif = value(lambda *arm: arm, 1, 3)
    loop = node(tree.Loop, 1, 3)
    plain_return = node(partial(tree.Return, None))
    return_value = node(tree.Return, 1)

    # expressions

    binary = node(lambda left, word, right, span: tree.Operation(word.text, [left, right], span), 0, 1, 2)
    unary = node(lambda word, operand, span: tree.Operation(word.text, [operand], span), 0, 1)
    parenthesised = node(
        lambda inner, span: inner if isinstance(inner, tree.Designator) else inner._replace(span=span), 1
    )
    text = value(lambda token: tree.Literal(token.text[1:-1], token.span), 0)
    call = node(tree.Call, 0, 2)
    designator = value(lambda name: tree.Designator(name, []), 0)
    field_selector = value(lambda whole, name: _selected(whole, name), 0, 2)
    dereference_selector = value(lambda whole, token: _selected(whole, tree.Dereference(token.span)), 0, 1)

    def index_selector(self, parts: list[Any]) -> tree.Designator:
        return _selected(parts[0], tree.Index(parts[2], span_of(parts[1:])))

    def number(self, parts: list[Any]) -> tree.Literal:
        token = parts[0]
        digits, is_hexadecimal = token.text.removesuffix("H"), token.text.endswith("H")
        if not is_hexadecimal and not digits.isdigit():
            self.errors.append(error("a hexadecimal number ends with `H`", token.span, rule="literal"))
            return tree.Literal(0, token.span)
        value = int(digits[-_MAX_DIGITS:], 16 if is_hexadecimal else 10)
        if digits[:-_MAX_DIGITS].strip("0") or value >= (1 << 64 if is_hexadecimal else 1 << 63):
            self.errors.append(error("the number is not in the range of INTEGER, 64 bits", token.span, rule="literal"))
        return tree.Literal(wrap(LONG, value), token.span)


def _selected(designator: tree.Designator, selector: tree.Selector) -> tree.Designator:
    designator.selectors.append(selector)
    return designator
