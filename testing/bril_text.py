"""Bril's text as JSON, independently of the front end: by regular expressions."""

from __future__ import annotations

import json
import re
from typing import Any

_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}


def in_json(text: str) -> str:
    """A correct program without imports, as Bril's own tool ``bril2json`` writes it."""
    return json.dumps({"functions": list(_functions(_tokens(text)))}, indent=1)


def _tokens(text: str) -> list[str]:
    pattern = re.compile(r"\s+|#.*|('(?:\\.|[^'])'|[+-]?\d[\d.]*(?:[eE][+-]?\d+)?|[@.]?[A-Za-z_%][\w%.]*|\S)")
    return [match[1] for match in pattern.finditer(text) if match[1]]


def _functions(tokens: list[str]) -> Any:
    while tokens:
        end = tokens.index("}")
        head, body = tokens[: tokens.index("{")], tokens[tokens.index("{") + 1 : end]
        del tokens[: end + 1]
        function: dict[str, Any] = {"name": head.pop(0)[1:], "instrs": list(_lines(body))}
        if head and head[0] == "(":
            close = head.index(")")
            inside = " ".join(head[1:close])
            parts = [each.split(" : ") for each in inside.split(" , ") if each]
            function["args"] = [{"name": name, "type": _type(type)} for name, type in parts]
            head = head[close + 1 :]
        if head:
            function["type"] = _type(" ".join(head[1:]))
        yield function


def _lines(tokens: list[str]) -> Any:
    while tokens:
        if tokens[0][0] == "." and tokens[1] == ":":
            yield {"label": tokens[0][1:]}
            del tokens[:2]
            continue
        end = tokens.index(";")
        words = tokens[:end]
        del tokens[: end + 1]
        line: dict[str, Any] = {}
        if "=" in words:
            at = words.index("=")
            line = {"dest": words[0], "type": _type(" ".join(words[2:at]))}
            words = words[at + 1 :]
        line["op"] = words.pop(0)
        if line["op"] == "const":
            line["value"] = _value(words[0])
        for key, mark in (("args", ""), ("funcs", "@"), ("labels", ".")):
            found = [word for word in words if (word[0] if word[0] in "@." else "") == mark]
            if found and line["op"] != "const":
                line[key] = [word.lstrip("@.") for word in found]
        yield line


def _type(text: str) -> Any:
    words = text.replace("<", " ").replace(">", " ").split()
    type: Any = words.pop()
    while words:
        type = {words.pop(): type}
    return type


def _value(word: str) -> Any:
    if word[0] == "'":
        return _ESCAPES[word[2]] if word[1] == "\\" else word[1]
    return json.loads(word.lstrip("+"))
