"""Facts about a source: the texts that the front end writes, and emitters and engines read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from cpsconv.abi.javascript import FUNCTION, MODULE, quoted, unquoted
from cpsconv.core.ir import Function, Program

IMPLICIT = ("this", "new.target", "arguments")
"""The variables that each function but an arrow function has of its own."""

_WORD = re.compile(r"(?:[^\s']|'[^']*')+")
_DEFAULT = re.compile(r"export \{ (\S+) as default \};")


class FunctionFacts(NamedTuple):
    """A function: its name and kind (``program``, ``function``, ``arrow``, ``method``, ``field``, ``static``).

    A generator *evaluates* code when it is called, before it is started. The first parameters are captured variables,
    the next ones the `implicit` variables. `length` is the number of its own parameters before one with a default.
    """

    name: str
    kind: str
    is_async: bool = False
    is_generator: bool = False
    evaluates: bool = False
    is_strict: bool = False
    captures: int = 0
    implicit: Sequence[str] = ()
    has_rest: bool = False
    length: int | None = None

    @property
    def can_return(self) -> bool:
        """Whether ``return`` is allowed in the function."""
        return self.kind not in ("program", "static")

    def text(self, name: str) -> str:
        """The attribute `FUNCTION` of a function that has this name in the program. What is usual is omitted."""
        words = [
            "async" * self.is_async,
            "generator" * self.is_generator,
            "evaluates" * self.evaluates,
            self.kind,
            "strict" * self.is_strict,
            f"captures={self.captures}" * (self.captures > 0),
            *(f"with={each}" for each in self.implicit),
            "rest" * self.has_rest,
            "" if self.length is None else f"length={self.length}",
            "" if self.name == name else f"name={quoted(self.name)}",
        ]
        return " ".join(filter(None, words))


def facts_of(function: Function) -> FunctionFacts:
    """The facts that the attribute of a function states; of other functions, the name only."""
    return _facts(str(function.attributes.get(FUNCTION, "")), function.name)


@lru_cache(1000)
def _facts(text: str, name: str) -> FunctionFacts:
    words = _WORD.findall(text)
    values = dict(each.split("=", 1) for each in words if "=" in each)
    kinds = [each for each in words if each in ("program", "function", "arrow", "method", "field", "static")]
    return FunctionFacts(
        name=unquoted(values["name"]) if "name" in values else name,
        kind=kinds[0] if kinds else "",
        is_async="async" in words,
        is_generator="generator" in words,
        evaluates="evaluates" in words,
        is_strict="strict" in words,
        captures=int(values.get("captures", 0)),
        implicit=tuple(each.removeprefix("with=") for each in words if each.startswith("with=")),
        has_rest="rest" in words,
        length=int(values["length"]) if "length" in values else None,
    )


class ModuleFacts(NamedTuple):
    """A program: whether it is a module, and the `items` of a module, its imports and exports."""

    is_module: bool
    items: Sequence[str]

    @property
    def default(self) -> str:
        """The variable of the default export, or ``""``."""
        return next((found[1] for each in self.items if (found := _DEFAULT.fullmatch(each))), "")

    def text(self) -> str:
        """The attribute `MODULE`."""
        return "\n".join(["module" if self.is_module else "script", *self.items])


def module_facts(program: Program) -> ModuleFacts:
    """The facts that the attribute of a program states."""
    kind, *items = str(program.attributes.get(MODULE, "script")).split("\n")
    return ModuleFacts(kind == "module", items)


def export_text(names: Sequence[str], is_default: bool) -> str:
    """The item that exports variables, or one as the default."""
    return f"export {{ {', '.join(names)}{' as default' * is_default} }};"


class ClassFacts(NamedTuple):
    """A class: its name, whether it extends another, whether it has a cell for its name, and its elements.

    An element is a kind (``method``, ``static_get``, ``field_undefined``, ``block``, …), and a static key or ``""``.
    """

    name: str
    is_derived: bool
    has_cell: bool
    elements: Sequence[tuple[str, str]]

    def text(self) -> str:
        """The static operand of ``js.class``."""
        elements = [f"{kind}:{key}" for kind, key in self.elements]
        name = self.name if re.fullmatch(r"[\w$]*", self.name) else quoted(self.name)
        return " ".join([f"name={name}", *["extends"] * self.is_derived, *["cell"] * self.has_cell, *elements])


def class_facts(operand: str) -> ClassFacts:
    """The facts that the static operand of a class states."""
    first, *words = _WORD.findall(operand)
    name = first.removeprefix("name=")
    elements = [(kind, key) for kind, colon, key in (each.partition(":") for each in words) if colon]
    return ClassFacts(unquoted(name) if "'" in name else name, "extends" in words, "cell" in words, elements)
