"""The parser of tinylang, by the grammar ``grammars/tinylang.lark``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cpsconv.frontends.reading import ListRules, Token, missing, pattern_of, unexpected
from cpsconv.frontends.tinylang import tree
from cpsconv.grammar import END, Parser, Rejected, tables_of
from cpsconv.ir import LONG
from cpsconv.operations.types import wrap
from cpsconv.source import Diagnostic, DiagnosticError, Source, Span, error, max_errors, too_many_errors

_MAX_DIGITS = 40
_INSERTED = (";", ")", "]", "END", "THEN", "DO", ":=", "OF", "BEGIN")
_TITLES = {"NAME": "a name", "NUMBER": "a number", "STRING": "a string", END: "the end of the text"}


def parse(source: Source) -> tree.Module:
    """The module in the text. Raises `DiagnosticError` with all syntax errors found.

    After an error, a missing word is added or the unexpected one skipped, if the text then continues as it should.
    """
    rules = _TreeBuilder(source)
    parser = Parser(tables_of("tinylang"), rules)
    tokens = [*_tokens(source, rules.errors)]
    position = 0
    while position < len(tokens):
        try:
            for position in range(position, len(tokens)):  # noqa: B020 (continued where it stopped)
                parser.read(tokens[position : position + 1])
            break
        except Rejected:
            if len(rules.errors) >= max_errors():
                rules.errors.append(too_many_errors(tokens[position].span))
                break
            skipped = _recover(parser, tokens, position, rules.errors)
            if skipped is None:
                break
            position += skipped
    if rules.errors:
        raise DiagnosticError(rules.errors)
    module: tree.Module = parser.result()
    return module


def _recover(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int | None:
    """Report the token; return how many tokens to skip, None if nothing helps."""
    token, spellings = tokens[position], tables_of("tinylang").spellings
    following = [each.type for each in tokens[position : position + 3]]
    for word in _INSERTED:
        if parser.fitting([spellings[word], *following]) > len(following):
            errors.append(missing(word, tokens[position - 1]))
            parser.read([Token(spellings[word], word, token.span)])
            return 0
    errors.append(unexpected(token, parser, "tinylang", _TITLES, "a module is `MODULE Name; … END Name.`"))
    return 1 if token.type != END and parser.fitting(following[1:]) == len(following) - 1 else None


def _tokens(source: Source, errors: list[Diagnostic]) -> Iterator[Token]:
    spellings, text, position = tables_of("tinylang").spellings, source.text, 0
    while position < len(text):
        if text.startswith("(*", position):
            position = _after_comment(source, position, errors)
            continue
        match = pattern_of("tinylang").match(text, position)
        assert match
        position = match.end()
        kind = str(match.lastgroup)
        if kind != "SPACE":
            yield Token(spellings.get(match[0], kind), match[0], Span(source, *match.span()))
    yield Token(END, "", Span(source, len(text), len(text)))


_COMMENT_PART = re.compile(r"\(\*|\*\)")


def _after_comment(source: Source, start: int, errors: list[Diagnostic]) -> int:
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

    def _to(self, first: Any, last: Any) -> Span:
        return Span(self.source, first.span.start, last.span.end)

    def append_before_semicolon(self, parts: list[Any]) -> list[Any]:
        return self.append(parts[:2])

    # declarations

    def start(self, parts: list[Any]) -> tree.Module:
        _, name, _, imports, block, end_name, _ = parts
        return tree.Module(self.source, name, imports, block, end_name)

    def import_modules(self, parts: list[Any]) -> tree.Import:
        return tree.Import(None, parts[1])

    def import_names(self, parts: list[Any]) -> tree.Import:
        return tree.Import(parts[1], parts[3])

    def empty_block(self, parts: list[Any]) -> tree.Block:
        return tree.Block(parts[0], None, parts[1].span)

    def full_block(self, parts: list[Any]) -> tree.Block:
        return tree.Block(parts[0], parts[2], parts[3].span)

    def constant(self, parts: list[Any]) -> tree.Constant:
        return tree.Constant(parts[0], parts[2])

    def named_type(self, parts: list[Any]) -> tree.NamedType:
        return tree.NamedType(parts[0], parts[2])

    def variable(self, parts: list[Any]) -> tree.Variables:
        return tree.Variables(parts[0], parts[2])

    value_parameter = variable

    def reference_parameter(self, parts: list[Any]) -> tree.Variables:
        return tree.Variables(parts[1], parts[3], is_reference=True)

    def procedure(self, parts: list[Any]) -> tree.Procedure:
        _, name, (parameters, result), _, block, end_name = parts
        return tree.Procedure(name, parameters, result, block, end_name)

    def no_formals(self, parts: list[Any]) -> Any:
        return [], None

    def no_parameters(self, parts: list[Any]) -> Any:
        return [], parts[2]

    def formals(self, parts: list[Any]) -> Any:
        return parts[1], parts[3]

    # types

    def type_name(self, parts: list[Any]) -> tree.TypeName:
        return tree.TypeName(parts[0], self._to(parts[0][0], parts[0][-1]))

    def pointer(self, parts: list[Any]) -> tree.Pointer:
        return tree.Pointer(parts[2], self._to(parts[0], parts[2]))

    def array(self, parts: list[Any]) -> tree.Array:
        return tree.Array(parts[2], parts[5], self._to(parts[0], parts[5]))

    def record(self, parts: list[Any]) -> tree.Record:
        return tree.Record([field for field in parts[1] if field], self._to(parts[0], parts[2]))

    def plain_procedure_type(self, parts: list[Any]) -> tree.ProcedureType:
        return tree.ProcedureType([], None, parts[0].span)

    def procedure_type_without_parameters(self, parts: list[Any]) -> tree.ProcedureType:
        return tree.ProcedureType([], parts[3], self._to(parts[0], parts[3] or parts[2]))

    def procedure_type(self, parts: list[Any]) -> tree.ProcedureType:
        return tree.ProcedureType(parts[2], parts[4], self._to(parts[0], parts[4] or parts[3]))

    def value_type(self, parts: list[Any]) -> tuple[bool, tree.TypeNode]:
        return False, parts[0]

    def reference_type(self, parts: list[Any]) -> tuple[bool, tree.TypeNode]:
        return True, parts[1]

    # statements

    def assignment(self, parts: list[Any]) -> tree.Assignment:
        return tree.Assignment(parts[0], parts[2], self._to(parts[0], parts[2]))

    def plain_call(self, parts: list[Any]) -> tree.Call:
        return tree.Call(parts[0], [], parts[0].span)

    def conditional(self, parts: list[Any]) -> tree.Conditional:
        word, condition, _, statements, elsifs, otherwise, end = parts
        return tree.Conditional([(condition, statements), *elsifs], otherwise, self._to(word, end))

    def elsif(self, parts: list[Any]) -> tuple[tree.Expression, list[tree.Statement]]:
        return parts[1], parts[3]

    def loop(self, parts: list[Any]) -> tree.Loop:
        return tree.Loop(parts[1], parts[3], self._to(parts[0], parts[4]))

    def plain_return(self, parts: list[Any]) -> tree.Return:
        return tree.Return(None, parts[0].span)

    def return_value(self, parts: list[Any]) -> tree.Return:
        return tree.Return(parts[1], self._to(parts[0], parts[1]))

    # expressions

    def binary(self, parts: list[Any]) -> tree.Binary:
        return tree.Binary(parts[1].text, parts[0], parts[2], self._to(parts[0], parts[2]))

    def unary(self, parts: list[Any]) -> tree.Unary:
        return tree.Unary(parts[0].text, parts[1], self._to(parts[0], parts[1]))

    def parenthesised(self, parts: list[Any]) -> tree.Expression:
        inner: tree.Expression = parts[1]
        return inner if isinstance(inner, tree.Designator) else inner._replace(span=self._to(parts[0], parts[2]))

    def number(self, parts: list[Any]) -> tree.Number:
        token = parts[0]
        digits, is_hexadecimal = token.text.removesuffix("H"), token.text.endswith("H")
        if not is_hexadecimal and not digits.isdigit():
            self.errors.append(error("a hexadecimal number ends with `H`", token.span, rule="literal"))
            return tree.Number(0, token.span)
        value = int(digits[-_MAX_DIGITS:], 16 if is_hexadecimal else 10)
        if digits[:-_MAX_DIGITS].strip("0") or value >= (1 << 64 if is_hexadecimal else 1 << 63):
            self.errors.append(error("the number is not in the range of INTEGER, 64 bits", token.span, rule="literal"))
        return tree.Number(wrap(LONG, value), token.span)

    def text(self, parts: list[Any]) -> tree.Text:
        return tree.Text(parts[0].text[1:-1], parts[0].span)

    def call_without_arguments(self, parts: list[Any]) -> tree.Call:
        return tree.Call(parts[0], [], self._to(parts[0], parts[2]))

    def call(self, parts: list[Any]) -> tree.Call:
        return tree.Call(parts[0], parts[2], self._to(parts[0], parts[3]))

    def designator(self, parts: list[Any]) -> tree.Designator:
        return tree.Designator(parts[0], [])

    def field_selector(self, parts: list[Any]) -> tree.Designator:
        return _selected(parts[0], parts[2])

    def index_selector(self, parts: list[Any]) -> tree.Designator:
        return _selected(parts[0], tree.Index(parts[2], self._to(parts[1], parts[3])))

    def dereference_selector(self, parts: list[Any]) -> tree.Designator:
        return _selected(parts[0], tree.Dereference(parts[1].span))


def _selected(designator: tree.Designator, selector: tree.Selector) -> tree.Designator:
    designator.selectors.append(selector)
    return designator
