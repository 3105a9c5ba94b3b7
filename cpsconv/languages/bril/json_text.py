"""The reader of Bril in JSON: the same syntax tree as that of the text. Its spans are those of the JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from json.decoder import JSONDecodeError, JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, NoReturn, TypeVar

from cpsconv.core.ir import MAX_TYPE_DEPTH
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error, setting
from cpsconv.languages.bril.text import LONG_NUMBER, number
from cpsconv.languages.bril.tree import (
    Function,
    Import,
    Instruction,
    Label,
    Line,
    Literal,
    Module,
    Parameter,
    Type,
    Word,
    pointer_to,
)

T = TypeVar("T")


def parse_json(source: Source, errors: list[Diagnostic]) -> Module:
    """The module in JSON. Adds an error for each line, function or import that is not in Bril's format.

    The module lacks these. Raises `DiagnosticError` if the text is not JSON, or not an object with functions.
    """
    whole = Span(source, 0, 1)
    try:
        return _Reader(errors).module(_Decoder(source).decode(source.text), whole)
    except JSONDecodeError as failure:
        at = Span(source, failure.pos, failure.pos + 1)
        raise DiagnosticError([error(f"this is not JSON: {failure.msg}", at, rule="syntax")]) from None
    except RecursionError:
        raise DiagnosticError([error("this JSON text is nested too deeply", whole, rule="nesting")]) from None


class _Object(dict[str, Any]):
    """A JSON object, with its location."""

    span: Span


class _Decoder(json.JSONDecoder):
    """A decoder of JSON whose objects have locations. (The scanner in Python calls `parse_object`.)"""

    def __init__(self, source: Source) -> None:
        super().__init__(parse_int=_number, parse_float=_number, parse_constant=self._constant)
        self._source = source
        self.parse_object = self._object
        self.scan_once = py_make_scanner(self)

    def _object(self, place: tuple[str, int], *rest: Any) -> tuple[_Object, int]:
        found, end = JSONObject(place, *rest)
        value = _Object(found)
        value.span = Span(self._source, place[1] - 1, end)
        return value, end

    def _constant(self, text: str) -> NoReturn:
        raise JSONDecodeError(f"`{text}` is not a value", self._source.text, self._source.text.find(text))


class _LongNumber:
    """A number that is too long."""


def _number(text: str) -> int | float | _LongNumber:
    value = number(text)
    return _LongNumber() if value is None else value


class _Reader:
    """Reads the parts of a module. Each method raises `DiagnosticError` if the part is not in Bril's format."""

    def __init__(self, errors: list[Diagnostic]) -> None:
        self.errors = errors

    def module(self, data: Any, whole: Span) -> Module:
        if isinstance(data, _Object) and "format" in data:
            written = setting("`--emit json`", "`cpsconv.core.json.to_json`")
            help = setting("without `--lang`, each command reads it", "`cpsconv.core.json.from_json` reads it")
            _fail(f"this is a program of {written}, not Bril", whole, help=help)
        if not isinstance(data, _Object) or "functions" not in data:
            _fail("this is not Bril: a program is an object with `functions`", whole)
        if data.get("structs"):
            _fail("structs are not part of Bril", data.span)
        return Module(self.each(data, "imports", self.import_), self.each(data, "functions", self.function))

    def each(self, data: _Object, key: str, read: Callable[[_Object], T]) -> list[T]:
        """The parts in the list `key`, without those that are wrong, which are reported."""
        found = []
        for part in _objects(data, key):
            try:
                found.append(read(part))
            except DiagnosticError as failure:
                self.errors += failure.diagnostics
        return found

    def import_(self, data: _Object) -> Import:
        return Import(_word(data, "path"), self.each(data, "functions", self.imported))

    def imported(self, data: _Object) -> tuple[Word, Word]:
        name = _word(data, "name")
        return name, name if data.get("alias") is None else _word(data, "alias")

    def function(self, data: _Object) -> Function:
        if "instrs" not in data:
            _fail("a function has `instrs`", data.span)
        lines = self.each(data, "instrs", self.line)
        parameters = self.each(data, "args", lambda each: Parameter(_word(each, "name"), _type(each)))
        name = Word(_word(data, "name").text, Span(data.span.source, data.span.start, data.span.start + 1))
        return Function(name, parameters, None if data.get("type") is None else _type(data), lines)

    def line(self, data: _Object) -> Line:
        if "label" in data:
            return Label(_word(data, "label").text, data.span)
        found = Instruction(_word(data, "op").text, data.span)
        found.destination = None if data.get("dest") is None else _word(data, "dest")
        found.type = None if data.get("type") is None else _type(data)
        if found.op == "const":
            found.value = self.literal(data)
        else:
            found.arguments, found.functions, found.labels = (_words(data, key) for key in ("args", "funcs", "labels"))
        return found

    def literal(self, data: _Object) -> Literal | None:
        """The member `value`; None after an error."""
        value = data.get("value")
        if isinstance(value, (bool, int, float, str)):
            return value
        is_long = isinstance(value, _LongNumber)
        message = LONG_NUMBER if is_long else "`value` is missing, or is no number, character or truth value"
        self.errors.append(error(message, data.span, rule="literal"))
        return None


def _fail(message: str, span: Span, help: str | None = None) -> NoReturn:
    raise DiagnosticError([error(message, span, help=help, rule="syntax")])


def _is_name(value: Any) -> bool:
    """Whether the value can be the name of something: text without line ends, white space and unpaired surrogates."""
    return isinstance(value, str) and value != "" and value.isprintable() and " " not in value


def _objects(data: _Object, key: str) -> list[_Object]:
    """The objects in the list `key`, which may be missing."""
    found = [] if data.get(key) is None else data[key]
    if not isinstance(found, list) or not all(isinstance(each, _Object) for each in found):
        _fail(f"`{key}` is not a list of objects", data.span)
    return found


def _words(data: _Object, key: str) -> list[Word]:
    found = [] if data.get(key) is None else data[key]
    if not isinstance(found, list) or not all(_is_name(each) for each in found):
        _fail(f"`{key}` is not a list of names", data.span)
    return [Word(each, data.span) for each in found]


def _word(data: _Object, key: str) -> Word:
    if not _is_name(data.get(key)):
        _fail(f"`{key}` is missing, or is no name", data.span)
    return Word(data[key], data.span)


def _type(data: _Object) -> Type:
    """The type in the member `type`: a name, or an object with the only member `ptr`."""
    found, depth = data.get("type"), 0
    while isinstance(found, dict) and list(found) == ["ptr"]:
        found, depth = found["ptr"], depth + 1
    if not isinstance(found, str) or depth > MAX_TYPE_DEPTH:
        _fail("`type` is missing, or is no type", data.span)
    for _ in range(depth):
        found = pointer_to(found)
    return found
