"""Random programs in JavaScript: nested control flow, exceptions, closures and destructuring, whose loops all end.

Each program defines functions, calls them with several arguments, and logs the results and exceptions. Expressions and
statements are rows of tables, in which words in angle brackets are replaced by other texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

NAMES = "abcdef"
_ARITHMETIC = ("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>")
_LITERALS = ("0", "1", "-1", "2.5", "7", "'x'", "''", "'12'", "true", "false", "null", "NaN", "[1, 2]", "{}")
_PARAMETERS = (
    "a, b, c",
    "a, b = 1, c",
    "a, ...b",
    "a, b = a, c",
    "[a, b] = [1, 2], { c } = {}",
    "a, { b = 1, ...c } = {}",
)

Rows = Mapping[str, Sequence[str]]

_EXPRESSIONS: Rows = {
    "expression": (
        *["<atom>"] * 5,
        *["((<e>) <operator> (<e>))"] * 4,
        "(<e> ? <e> : <e>)",
        "(<x> = <e>)",
        "(<x> <compound>= <e>)",
        "<unary>",
        "[<e>, ...'<x>', <e>]",
        "`${String(<e>)}-${typeof (<e>)}`",
        "({ p: <e>, q: { r: <e> } }?.<path>)",
        "((x) => { <inner> })(<e>)",
    ),
    "operator": (*_ARITHMETIC, "<", "<=", ">", ">=", "==", "!=", "===", "!==", ",", "??", "&&", "||"),
    "compound": ("+", "-", "*", "&&", "||", "??", "|"),
    "unary": ("<x>++", "--<x>", "typeof <x>", "!(<e>)", "-(<e>)", "void <x>"),
    "path": ("p", "q", "q?.r", "s?.t", "q.r"),
    "inner": ("<x> = x", "return [x, <x>]", "return x"),
}

_STATEMENTS: Rows = {
    "statements": ("<statement>", "<statement> <statement>", "<statement> <statement> <statement>"),
    "assignment": ("<x> = <1>;",),
    "if": ("if (<1>) <two>", "if (<1>) <two> else <two>"),
    "two": ("{ <statement> <statement> }",),
    "loop": ("l<n>: while (<condition>) { <repeated> }", "l<n>: do { <repeated> } while (<condition>);"),
    "condition": ("fuel-- > 0 && (<1>)",),
    "for": ("l<n>: for (let i<n> = 0; i<n> < <limit> && fuel-- > 0; i<n>++) { <captured> <repeated> }",),
    "limit": "123",
    "captured": ("", "let i<n>k = i<n>; a = () => i<n>k;", "b = () => i<n>++;", "c = () => i<n>;"),
    "for_of": ("l<n>: for (const x<n> <items>) { if (fuel-- < 0) break; d = x<n>; <repeated> }",),
    "items": ("of [1, 'y', null]", "of 'ab'", "in { p: 1, q: 2 }", "in [5, 6]"),
    "switch": ("l<n>: switch (<1>) { <case> <default> <case> }",),
    "case": ("case <2>: <labelled> <break>",),
    "default": ("default: <labelled> <break>", "<case>"),
    "break": ("break;", "", ""),
    "try": ("try { <statement> <throw> <statement> } <handler>",),
    "throw": ("", *["if (<2>) throw <2>;"] * 2),
    "handler": ("<catch>", "<finally>", "<catch> <finally>"),
    "catch": ("catch (error) { <x> = error instanceof Error ? error.name : error; <statement> }",),
    "finally": ("finally { <statement> }",),
    "block": ("l<n>: { <labelled> }",),
    "jump": ("if (<2>) <exit>;",),
    "destructuring": (
        "[<x>, <y>] = [<y>, <x>];",
        "[<x>, <y> = <2>] = [<2>];",
        "({ p: <x>, q: <y> = <2> } = { p: <2> });",
        "[<x>, ...<y>] = [<2>, <2>, 3];",
    ),
    "closure": (
        "<x> = () => <y>;",
        "if (typeof <x> === 'function') <y> = <x>();",
        "{ let own = <y>; const up = () => (own = [own, <x>].length); <x> = up() + up(); }",
        "<x> = (function () { <y> = <2>; return <y>; })();",
        "<where> { const own = <new>; const up = <shared>; up(); <x> = up(); }",
    ),
    "where": ("", "for (const x of 'ab')"),
    "new": ("[]", "{ n: 0 }", "[<y>]", "{ n: <2> }", "new Map()", "/x/g"),
    "shared": (
        "() => <use>",
        "function () { return <use>; }",
        "({ m() { return <use>; } }).m",
        "((inner) => () => inner())(() => <use>)",
        "(class { static k = own; static m() { return <use>; } }).m",
    ),
    "use": ("(own.n = (own.n ?? 0) + 1, typeof <y> === 'string' ? own.n : [own.n])",),
}

_CALL = (
    "fuel = 300; try { log(f<number>(<literal>, <literal>, <literal>)); } "
    "catch (error) { log('thrown', String(error?.name ?? error)); }"
)


class Program:
    """Writes one random program, whose functions have some of the `parameters`."""

    parameters: Sequence[str] = _PARAMETERS
    rows: ClassVar[Rows] = {**_EXPRESSIONS, **_STATEMENTS, "literal": _LITERALS}

    def __init__(self, random: Random) -> None:
        self.random, self.counter = random, 0
        self.labels: list[tuple[str, bool]] = []  # those around a statement, and whether they are of loops
        self.depth = 0

    def text(self) -> str:
        """The program."""
        functions = [self.function(f"f{number}") for number in range(self.random.randrange(1, 4))]
        calls = [self.call(number) for number in range(len(functions)) for _ in range(3)]
        return "\n".join(["let fuel = 3000;", *functions, *calls, ""])

    def call(self, number: int) -> str:
        """A call whose result or exception is logged."""
        return self.filled(_CALL, number=str(number))

    def function(self, name: str) -> str:
        """A function whose variables all have the names `NAMES`."""
        parameters = self.random.choice(self.parameters)
        declared = f"let d = 1, e; var f = {self.expression(1)};"
        variables = self.random.sample(NAMES, 4)
        more = "" if "c" in parameters else "let c = 3; "
        return f"function {name}({parameters}) {{ {more}{declared} {self.body()} return [{', '.join(variables)}]; }}"

    def body(self) -> str:
        """The statements of a function."""
        return " ".join(self.statement() for _ in range(self.random.randrange(3, 7)))

    def expression(self, depth: int) -> str:
        """An expression, perhaps with effects on variables."""
        return self.row("expression", depth) if depth <= 3 else self.atom()

    def atom(self) -> str:
        """A variable or a literal."""
        chosen = self.row("literal") if self.random.random() < 0.4 else self.random.choice(NAMES)
        return f"({chosen})" if chosen.startswith(("{", "-")) else chosen

    def statement(self) -> str:
        """A statement; loops consume fuel."""
        self.depth += 1
        kinds = [*["assignment"] * 4, "destructuring", "closure"]
        kinds += ["if", "loop", "for", "for_of", "switch", "try", "block"] * (self.depth <= 4)
        kinds += ["jump"] * (self.depth > 1)
        text = self.row(self.random.choice(kinds))
        self.depth -= 1
        return text

    # -------------------------------------------------------------------------------------------------------- rows

    def row(self, kind: str, depth: int = 0, **words: str) -> str:
        """One of the rows of a kind."""
        return self.filled(self.random.choice(self.rows[kind]), depth, **words)

    def filled(self, row: str, depth: int = 0, **words: str) -> str:
        """A row in which its words are replaced.

        ``<x>`` and ``<y>`` are two names, ``<n>`` is a new number; rows that are parts of this one have the same.
        ``<1>`` to ``<3>`` are expressions at this depth, and ``<e>`` is one inside the expression at `depth`.
        """
        if "x" not in words:
            words |= zip("xy", self.random.sample(NAMES, 2), strict=True)
        if "<n>" in row and "n" not in words:
            self.counter += 1
            words["n"] = str(self.counter)
        return re.sub(r"<(\w+)>", lambda match: self.replacement(match[1], depth, words), row)

    def replacement(self, word: str, depth: int, words: dict[str, str]) -> str:
        """The text for a word in a row."""
        if word in words:
            return words[word]
        if word.isdigit() or word == "e":
            return self.expression(depth + 1 if word == "e" else int(word))
        if word in ("repeated", "labelled"):
            self.labels.append((f"l{words['n']}", word == "repeated"))
            text = self.row("statements")
            self.labels.pop()
            return text
        if word == "exit":
            return self._exit()
        if word in ("atom", "statement"):
            return self.atom() if word == "atom" else self.statement()
        return self.row(word, depth, **words)

    def _exit(self) -> str:
        kind = self.random.randrange(3)
        if kind == 0 or not self.labels:
            return f"return {self.expression(2)}"
        label, is_loop = self.random.choice(self.labels)
        return f"{'continue' if kind == 1 and is_loop else 'break'} {label}"
