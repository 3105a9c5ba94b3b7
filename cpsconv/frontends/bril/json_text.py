"""The reader of Bril in JSON: the same syntax tree as that of the text. Its spans are those of the JSON objects."""

from __future__ import annotations

import json
from json.decoder import JSONDecodeError, JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, NoReturn

from cpsconv.frontends.bril.text import number
from cpsconv.frontends.bril.tree import (
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
from cpsconv.ir import MAX_TYPE_DEPTH
from cpsconv.source import DiagnosticError, Source, Span, error


def parse_json(source: Source) -> Module:
    """The module in JSON. Raises `DiagnosticError` if the text is not JSON, or for the first part that is not Bril."""
    try:
        return _Reader(source).module(_Decoder(source).decode(source.text))
    except JSONDecodeError as failure:
        at = Span(source, failure.pos, failure.pos + 1)
        raise DiagnosticError([error(f"this is not JSON: {failure.msg}", at, rule="syntax")]) from None
    except RecursionError:
        raise DiagnosticError([error(f"{source.name}: nested too deeply", rule="nesting")]) from None


class _Object(dict[str, Any]):
    """A JSON object, with its location."""

    span: Span


class _Decoder(json.JSONDecoder):
    """A decoder of JSON whose objects have locations. (The scanner in Python calls `parse_object`.)"""

    def __init__(self, source: Source) -> None:
        super().__init__(parse_int=self._number, parse_float=self._number, parse_constant=self._constant)
        self._source = source
        self.parse_object = self._object
        self.scan_once = py_make_scanner(self)

    def _object(self, place: tuple[str, int], *rest: Any) -> tuple[_Object, int]:
        found, end = JSONObject(place, *rest)
        value = _Object(found)
        value.span = Span(self._source, place[1] - 1, end)
        return value, end

    def _number(self, text: str) -> int | float:
        return number(text, Span(self._source, 0, 0))

    def _constant(self, text: str) -> NoReturn:
        raise JSONDecodeError(f"`{text}` is not a value", self._source.text, self._source.text.find(text))


class _Reader:
    """Reads the parts of a module. Each method raises `DiagnosticError` if the part is not in Bril's format."""

    def __init__(self, source: Source) -> None:
        self.whole = Span(source, 0, 1)

    def module(self, data: Any) -> Module:
        if not isinstance(data, _Object) or "functions" not in data:
            if isinstance(data, _Object) and "format" in data:
                _fail(
                    "this is a program of `--emit json`, not Bril",
                    self.whole,
                    help="`from_json` reads it (docs/json.md)",
                )
            _fail("this is not Bril: a program is an object with `functions`", self.whole)
        if data.get("structs"):
            _fail("structs are not part of Bril", data.span)
        imports = [self.import_(each) for each in _objects(data, "imports")]
        return Module(imports, [self.function(each) for each in _objects(data, "functions")])

    def import_(self, data: _Object) -> Import:
        pairs = []
        for each in _objects(data, "functions"):
            name = _word(each, "name")
            pairs.append((name, _word(each, "alias") if each.get("alias") is not None else name))
        return Import(_word(data, "path"), pairs)

    def function(self, data: _Object) -> Function:
        parameters = [Parameter(_word(each, "name"), _type(each)) for each in _objects(data, "args")]
        result = None if data.get("type") is None else _type(data)
        if "instrs" not in data:
            _fail("a function has `instrs`", data.span)
        lines = [self.line(each) for each in _objects(data, "instrs")]
        name = _word(data, "name")
        return Function(
            Word(name.text, Span(name.span.source, data.span.start, data.span.start + 1)), parameters, result, lines
        )

    def line(self, data: _Object) -> Line:
        if "label" in data:
            return Label(_word(data, "label").text, data.span)
        op = _word(data, "op").text
        destination = _word(data, "dest") if data.get("dest") is not None else None
        type = _type(data) if data.get("type") is not None else None
        found = Instruction(op, data.span, destination, type)
        if op == "const":
            found.value = _literal(data)
        else:
            found.arguments, found.functions, found.labels = (_words(data, key) for key in ("args", "funcs", "labels"))
        return found


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


def _literal(data: _Object) -> Literal:
    value = data.get("value")
    if not isinstance(value, (bool, int, float, str)):
        _fail("`value` is missing, or is no number, character or truth value", data.span)
    return value
