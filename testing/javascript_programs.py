"""Random programs in JavaScript: nested control flow, exceptions, closures and destructuring, whose loops all end.

Each program defines functions, calls them with several arguments, and logs the results and exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

NAMES = "abcdef"
_ARITHMETIC = ("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>")
_OPERATORS = (*_ARITHMETIC, "<", "<=", ">", ">=", "==", "!=", "===", "!==", ",", "??", "&&", "||")
_LITERALS = ("0", "1", "-1", "2.5", "7", "'x'", "''", "'12'", "true", "false", "null", "NaN", "[1, 2]", "{}")
_PARAMETERS = (
    "a, b, c",
    "a, b = 1, c",
    "a, ...b",
    "a, b = a, c",
    "[a, b] = [1, 2], { c } = {}",
    "a, { b = 1, ...c } = {}",
)
_ITEMS = (("of", "[1, 'y', null]"), ("of", "'ab'"), ("in", "{ p: 1, q: 2 }"), ("in", "[5, 6]"))


class Program:
    """Writes one random program, whose functions have some of the `parameters`."""

    parameters: Sequence[str] = _PARAMETERS

    def __init__(self, random: Random) -> None:
        self.random, self.counter = random, 0
        self.labels: list[str] = []
        self.is_loop: list[bool] = []
        self.depth = 0

    def text(self) -> str:
        """The program."""
        functions = [self.function(f"f{number}") for number in range(self.random.randrange(1, 4))]
        calls = [self.call(number) for number in range(len(functions)) for _ in range(3)]
        return "\n".join(["let fuel = 3000;", *functions, *calls, ""])

    def call(self, number: int) -> str:
        """A call whose result or exception is logged."""
        values = ", ".join(self.random.choice(_LITERALS) for _ in range(3))
        caught = "catch (error) { log('thrown', String(error?.name ?? error)); }"
        return f"fuel = 300; try {{ log(f{number}({values})); }} {caught}"

    def function(self, name: str) -> str:
        """A function whose variables all have the names `NAMES`."""
        parameters = self.random.choice(self.parameters)
        declared = f"let d = 1, e; var f = {self.expression(1)};"
        variables = self.random.sample(NAMES, 4)
        more = "" if "c" in parameters else "let c = 3; "
        body = self.block(self.random.randrange(3, 7))
        return f"function {name}({parameters}) {{ {more}{declared} {body} return [{', '.join(variables)}]; }}"

    # ------------------------------------------------------------------------------------------------- expressions

    def expression(self, depth: int) -> str:
        """An expression, perhaps with effects on variables."""
        if depth > 3:
            return self.atom()
        kind = self.random.randrange(17)
        if kind < 5:
            return self.atom()
        inner = [self.expression(depth + 1) for _ in range(3)]
        name = self.random.choice(NAMES)
        if kind < 9:
            return f"(({inner[0]}) {self.random.choice(_OPERATORS)} ({inner[1]}))"
        return [
            f"({inner[0]} ? {inner[1]} : {inner[2]})",
            f"({name} = {inner[0]})",
            f"({name} {self.random.choice(['+', '-', '*', '&&', '||', '??', '|'])}= {inner[0]})",
            self.random.choice(
                [f"{name}++", f"--{name}", f"typeof {name}", f"!({inner[0]})", f"-({inner[0]})", f"void {name}"]
            ),
            f"[{inner[0]}, ...'{name}', {inner[1]}]",
            f"`${{String({inner[0]})}}-${{typeof ({inner[1]})}}`",
            f"({{ p: {inner[0]}, q: {{ r: {inner[1]} }} }}?.{self.random.choice(['p', 'q', 'q?.r', 's?.t', 'q.r'])})",
            f"((x) => {{ {self.random.choice([f'{name} = x', f'return [x, {name}]', 'return x'])}; }})({inner[0]})",
        ][kind - 9]

    def atom(self) -> str:
        """A variable or a literal."""
        chosen = self.random.choice(_LITERALS) if self.random.random() < 0.4 else self.random.choice(NAMES)
        return f"({chosen})" if chosen.startswith(("{", "-")) else chosen

    # -------------------------------------------------------------------------------------------------- statements

    def block(self, length: int) -> str:
        """Several statements."""
        return " ".join(self.statement() for _ in range(length))

    def statement(self) -> str:
        """A statement; loops consume fuel."""
        self.depth += 1
        writers = [
            *[self._assignment] * 4,
            *(
                []
                if self.depth > 4
                else [self._if, self._loop, self._for, self._for_of, self._switch, self._try, self._labelled]
            ),
            *([self._jump] if self.depth > 1 else []),
            self._destructuring,
            self._closure,
        ]
        text = self.random.choice(writers)()
        self.depth -= 1
        return text

    def _assignment(self) -> str:
        return f"{self.random.choice(NAMES)} = {self.expression(1)};"

    def _if(self) -> str:
        otherwise = f" else {{ {self.block(2)} }}" if self.random.random() < 0.5 else ""
        return f"if ({self.expression(1)}) {{ {self.block(2)} }}{otherwise}"

    def _inside(self, label: str, is_loop: bool) -> str:
        self.labels.append(label)
        self.is_loop.append(is_loop)
        text = self.block(self.random.randrange(1, 4))
        self.labels.pop()
        self.is_loop.pop()
        return text

    def _label(self) -> str:
        self.counter += 1
        return f"l{self.counter}"

    def _loop(self) -> str:
        label = self._label()
        condition, body = f"fuel-- > 0 && ({self.expression(1)})", self._inside(label, True)
        if self.random.random() < 0.5:
            return f"{label}: while ({condition}) {{ {body} }}"
        return f"{label}: do {{ {body} }} while ({condition});"

    def _for(self) -> str:
        label, name = self._label(), f"i{self.counter}"
        kept = self.random.choice(
            ["", f"let {name}k = {name}; a = () => {name}k;", f"b = () => {name}++;", f"c = () => {name};"]
        )
        end = f"{name} < {self.random.randrange(1, 4)} && fuel-- > 0"
        return f"{label}: for (let {name} = 0; {end}; {name}++) {{ {kept} {self._inside(label, True)} }}"

    def _for_of(self) -> str:
        label, name = self._label(), f"x{self.counter}"
        word, items = self.random.choice(_ITEMS)
        body = f"if (fuel-- < 0) break; d = {name}; {self._inside(label, True)}"
        return f"{label}: for (const {name} {word} {items}) {{ {body} }}"

    def _switch(self) -> str:
        label, cases = self._label(), list[str]()
        for number in range(3):
            end = self.random.choice(["break;", "", ""])
            head = "default" if number == 1 and self.random.random() < 0.5 else f"case {self.expression(2)}"
            cases.append(f"{head}: {self._inside(label, False)} {end}")
        return f"{label}: switch ({self.expression(1)}) {{ {' '.join(cases)} }}"

    def _try(self) -> str:
        thrown = f"if ({self.expression(2)}) throw {self.expression(2)};" if self.random.random() < 0.7 else ""
        kind = self.random.randrange(3)
        name = self.random.choice(NAMES)
        caught = f"catch (error) {{ {name} = error instanceof Error ? error.name : error; {self.block(1)} }}"
        finish = f"finally {{ {self.block(1)} }}"
        ends = [caught, finish, f"{caught} {finish}"][kind]
        return f"try {{ {self.block(1)} {thrown} {self.block(1)} }} {ends}"

    def _labelled(self) -> str:
        label = self._label()
        return f"{label}: {{ {self._inside(label, False)} }}"

    def _jump(self) -> str:
        kind = self.random.randrange(3)
        if kind == 0 or not self.labels:
            return f"if ({self.expression(2)}) return {self.expression(2)};"
        number = self.random.randrange(len(self.labels))
        word = "continue" if kind == 1 and self.is_loop[number] else "break"
        return f"if ({self.expression(2)}) {word} {self.labels[number]};"

    def _destructuring(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        values = self.expression(2), self.expression(2)
        return self.random.choice(
            [
                f"[{one}, {two}] = [{two}, {one}];",
                f"[{one}, {two} = {values[0]}] = [{values[1]}];",
                f"({{ p: {one}, q: {two} = {values[0]} }} = {{ p: {values[1]} }});",
                f"[{one}, ...{two}] = [{values[0]}, {values[1]}, 3];",
            ]
        )

    def _closure(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        return self.random.choice(
            [
                f"{one} = () => {two};",
                f"if (typeof {one} === 'function') {two} = {one}();",
                f"{{ let own = {two}; const up = () => (own = [own, {one}].length); {one} = up() + up(); }}",
                f"{one} = (function () {{ {two} = {self.expression(2)}; return {two}; }})();",
                self._sharing(one, two),
            ]
        )

    def _sharing(self, one: str, two: str) -> str:
        """Closures that capture a new value, and are called several times."""
        literals = "[]", "{ n: 0 }", f"[{two}]", f"{{ n: {self.expression(2)} }}", "new Map()", "/x/g"
        use = f"(own.n = (own.n ?? 0) + 1, typeof {two} === 'string' ? own.n : [own.n])"
        shared = self.random.choice(
            [
                f"() => {use}",
                f"function () {{ return {use}; }}",
                f"({{ m() {{ return {use}; }} }}).m",
                f"((inner) => () => inner())(() => {use})",
                f"(class {{ static k = own; static m() {{ return {use}; }} }}).m",
            ]
        )
        made = f"const own = {self.random.choice(literals)}; const up = {shared}; up(); {one} = up();"
        if self.random.random() < 0.5:
            return f"{{ {made} }}"
        return f"for (const x of 'ab') {{ {made} }}"
