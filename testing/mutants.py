"""Mutants of programs as CPS text and as JSON, and everything that one can do with a program that was read."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from cpsconv.core.check import check, warnings_of
from cpsconv.core.ir import Program
from cpsconv.core.json import from_json, to_json
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import parse, pretty, reformat
from cpsconv.core.text.syntax import tokens
from testing.ir_programs import random_program
from testing.isomorphism import same_program

_ODD: list[Any] = [
    *(None, True, 0, -1, 1, 7, 2**70, 0.5, float("inf"), float("nan"), "", "int", "void", "x`\n", "\ud800", "+", "1_0"),
    *([], [0], [5, 2], {}, {"type": "int", "value": 1}, {"type": "double", "value": 10**400}, {"external": "halt"}),
    *({"type": "bool", "value": 1}, {"type": "char", "value": "9999"}, {"type": "int", "undef": "`"}),
]
_WORDS = (
    "f x k ret halt printf ( ) { } , ; : . := -> _|_ → ⊥ λ \\ => ⇒ _ let in branch switch undef true int bool double 0"
    " 1u 1.5 1e999 nan -inff 99999999999 'a' 'bc' '\\x' \"a\" \"%d\" + - * < / << ~ ! & // ` ' \" @ \0 \ud7ff é 0x1 9f"
)


def mutated_json(dice: random.Random) -> str:
    """A program in JSON, with some parts replaced, deleted or repeated."""
    data = json.loads(to_json(random_program(dice, 2, 6)))
    for _ in range(dice.choice([1, 1, 2, 3])):
        places = [*_places(data)]
        owner, key = dice.choice(places)
        change = dice.random()
        alike = [(other, at) for other, at in places if at == key and key not in ("id", 0)]
        if change < 0.5 and alike:
            other, at = dice.choice(alike)
            owner[key] = copy.deepcopy(other[at])
        elif change < 0.6:
            del owner[key]
        elif change < 0.8:
            other, from_key = dice.choice(places)
            owner[key] = copy.deepcopy(other[from_key])
        elif change < 0.9 and isinstance(owner, list):
            owner.insert(key, copy.deepcopy(owner[key]))
        else:
            owner[key] = copy.deepcopy(dice.choice(_ODD))
    return json.dumps(data)


def _places(data: Any) -> Any:
    """The containers in the data, each with its keys."""
    for key, value in [*data.items()] if isinstance(data, dict) else [*enumerate(data)]:
        yield data, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def mutated_text(dice: random.Random) -> str:
    """A program as CPS text, with some tokens deleted, repeated, moved or replaced, or some characters."""
    layout = dice.choice(["nested", "flat"])
    text = pretty(random_program(dice, 2, 6), layout=layout, ascii=dice.random() < 0.3)  # type: ignore[arg-type]
    found = [*tokens(text)]
    words = [token.text for token in found]
    for _ in range(dice.choice([1, 1, 2, 4])):
        start = dice.randrange(len(words))
        if dice.random() < 0.6 and len(words) == len(found):  # a token of the same type
            words[start] = dice.choice([token.text for token in found if token.type == found[start].type])
            continue
        end = start + dice.choice([0, 1, 1, 1, 2, 5])
        other = dice.randrange(len(words))
        new = dice.choice([[], [dice.choice(_WORDS.split())], [dice.choice(words)], words[other : other + 4]])
        words[start:end] = new
    if dice.random() < 0.2:
        text = " ".join(words)
        at = dice.randrange(len(text))
        return text[:at] + dice.choice([*_WORDS.split(), ""]) + text[at + dice.randrange(3) :]
    return dice.choice([" ", "\n"]).join(words)


def read_mutated_json(dice: random.Random) -> Program | None:
    """The program of a mutant in JSON, if it has one."""
    try:
        return from_json(mutated_json(dice))
    except ValueError as failure:
        assert type(failure) is ValueError
        return None


def read_mutated_text(dice: random.Random) -> Program | None:
    """The program of a mutant as text, if it has one. Errors must be on the text, and name their rules."""
    source = Source("mutant.cps", mutated_text(dice))
    try:
        program = parse(source)
        errors = check(program)
    except DiagnosticError as failure:
        program, errors = None, failure.diagnostics
    assert all(each.rule and each.span and each.render() for each in errors)
    if program is None or errors:
        return None
    try:
        assert same_program(parse(Source("again", reformat(source, width=dice.choice([1, 80])))), program)
    except DiagnosticError as failure:
        assert all(each.rule == "unused-continuation" for each in failure.diagnostics)
    return program


def use(program: Program, write: Callable[[Program, int], object] = lambda program, width: None) -> None:
    """Check, print, write and read a program again; also `write` it in each width."""
    assert check(program) == []
    warnings_of(program)
    text = to_json(program)
    assert to_json(from_json(text)) == text
    for width in (1, 80):
        for layout in ("nested", "flat"):
            printed = pretty(program, layout=layout, width=width)
            assert same_program(parse(Source("text", printed)), program)
        write(program, width)
