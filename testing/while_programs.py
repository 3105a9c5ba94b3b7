"""Random While programs, each as a text and as a Python function that was written without our own code.

A program is a list of segments with labels; jumps lead to any segment, also out of loops. `fuel` bounds all loops.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from testing.expectations import Observation

_NUMBERS = ["x", "y", "z", "n"]
_TRUTHS = ["p", "q"]
_WORDS = {"skip", "if", "then", "else", "while", "do", "goto", "true", "false", "and", "or", "not"}
FUEL = 8


@dataclass(frozen=True)
class Generated:
    """A program, the Python text of the same meaning, and initial values of its variables."""

    text: str
    python: str
    initial: dict[str, int | bool]

    def expected(self) -> Observation:
        """What the program prints for the initial values, by Python."""
        names = dict.fromkeys(name for name in re.findall(r"\b[a-z]+\b", self.text) if name not in _WORDS)
        scope: dict[str, object] = {}
        exec(self.python, scope)
        run = scope["run"]
        assert callable(run)
        final: dict[str, int | bool] | None = run({"fuel": FUEL, **self.initial})
        if final is None:
            return Observation("", "error")
        return Observation("".join(f"{name} = {_shown(final[name])}\n" for name in names))


def _shown(value: int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{Decimal(value):f}"  # Python limits the digits of str


_HELPERS = """
class Jump(Exception):
    pass

class Wrong(Exception):
    pass

def multiply(a, b):
    if abs(a * b) >= 2 ** 1000000:
        raise Wrong
    return a * b

def divide(a, b):
    if b == 0:
        raise Wrong
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

def rest(a, b):
    return a - divide(a, b) * b

def run(v):
    try:
        segment = 0
        while segment < len(SEGMENTS):
            try:
                SEGMENTS[segment](v)
                segment += 1
            except Jump as jump:
                segment = jump.args[0]
    except Wrong:
        return None
    return v
"""


class _Generator:
    """A program under construction. Each part is a pair: its text in While, and in Python."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.segments = dice.choice([1, 1, 2, 4])

    def number(self, depth: int) -> tuple[str, str]:
        kind = self.dice.random()
        if depth == 0 or kind < 0.3:
            if self.dice.random() < 0.5:
                name = self.dice.choice(_NUMBERS)
                return name, f"v['{name}']"
            value = self.dice.choice([0, 1, 2, 3, 7, 10, 2**31, 2**63 - 1, 2**64, 10**30, self.dice.randrange(100)])
            return str(value), str(value)
        if kind < 0.4:
            text, python = self.number(depth - 1)
            return f"-({text})", f"(-{python})"
        (left, one), (right, other) = self.number(depth - 1), self.number(depth - 1)
        op = self.dice.choice("+++--**/%")
        if op == "*" and self.dice.random() < 0.8:  # repeated squares grow fast
            right = other = str(self.dice.choice([2, 3, 10, 2**32]))
        call = {"*": "multiply", "/": "divide", "%": "rest"}.get(op)
        return f"({left} {op} {right})", f"{call}({one}, {other})" if call else f"({one} {op} {other})"

    def truth(self, depth: int) -> tuple[str, str]:
        kind = self.dice.random()
        if depth == 0 or kind < 0.2:
            if self.dice.random() < 0.7:
                name = self.dice.choice(_TRUTHS)
                return name, f"v['{name}']"
            word = self.dice.choice(["true", "false"])
            return word, word.capitalize()
        if kind < 0.65:
            (left, one), (right, other) = self.number(depth - 1), self.number(depth - 1)
            op = self.dice.choice(["=", "!=", "<", "<=", ">", ">="])
            return f"({left} {op} {right})", f"({one} {'==' if op == '=' else op} {other})"
        if kind < 0.75:
            text, python = self.truth(depth - 1)
            return f"(not {text})", f"(not {python})"
        (left, one), (right, other) = self.truth(depth - 1), self.truth(depth - 1)
        op = self.dice.choice(["and", "or", "=", "!="])
        return f"({left} {op} {right})", f"({one} {({'and': '&', 'or': '|', '=': '==', '!=': '!='})[op]} {other})"

    def statements(self, depth: int) -> tuple[str, list[str]]:
        """One to four statements as a block, and lines of Python."""
        parts = [self.statement(depth) for _ in range(self.dice.randint(1, 4))]
        return "{ " + "; ".join(text for text, _ in parts) + " }", [line for _, lines in parts for line in lines]

    def statement(self, depth: int) -> tuple[str, list[str]]:
        kind = self.dice.random()
        if kind < 0.05:
            return "skip", ["pass"]
        if depth == 0 or kind < 0.5:
            is_truth = self.dice.random() < 0.3
            name = self.dice.choice(_TRUTHS if is_truth else _NUMBERS)
            text, python = self.truth(2) if is_truth else self.number(2)
            return f"{name} := {text}", [f"v['{name}'] = {python}"]
        condition, test = self.truth(2)
        if kind < 0.6 and self.segments > 1:
            target = self.dice.randrange(self.segments)
            guard = f"v['fuel'] > 0 and {test}"
            jump = ["v['fuel'] -= 1", f"raise Jump({target})"]
            text = f"if fuel > 0 then if {condition} then {{ fuel := fuel - 1; goto l{target} }}"
            return text, [f"if {guard}:", *_indented(jump)]
        body, lines = self.statements(depth - 1)
        if kind < 0.8:
            other, others = self.statements(depth - 1)
            if self.dice.random() < 0.3:
                return f"if {condition} then {body}", [f"if {test}:", *_indented(lines)]
            both = [f"if {test}:", *_indented(lines), "else:", *_indented(others)]
            return f"if {condition} then {body} else {other}", both
        inner = f"{{ fuel := fuel - 1; if fuel >= 0 and {condition} then {body} else fuel := -1 }}"
        loop = ["v['fuel'] -= 1", f"if (v['fuel'] >= 0) & {test}:", *_indented(lines), "else:", "    v['fuel'] = -1"]
        return f"while fuel > 0 do {inner}", ["while v['fuel'] > 0:", *_indented(loop)]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def random_program(number: int) -> Generated:
    """The program with that number."""
    dice = Random(number)
    generator = _Generator(dice)
    parts = [generator.statements(3) for _ in range(generator.segments)]
    labelled = (f"l{index}: " * (generator.segments > 1) for index in range(len(parts)))
    text = ";\n".join(label + body for label, (body, _) in zip(labelled, parts, strict=True))
    text += ";\np := p and true; q := q and true\n"  # without this, a use may not determine their types
    functions = [f"def segment{index}(v):\n" + "\n".join(_indented(lines)) for index, (_, lines) in enumerate(parts)]
    table = f"SEGMENTS = [{', '.join(f'segment{index}' for index in range(len(parts)))}]"
    python = "\n\n".join([_HELPERS, *functions, table])
    numbers = [0, 1, -1, 5, -7, 2**40, -(10**25)]
    initial = {name: dice.choice([*numbers, dice.randrange(-50, 50)]) for name in _NUMBERS} | {
        name: dice.random() < 0.5 for name in _TRUTHS
    }
    return Generated(text, python, initial)
