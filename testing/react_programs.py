"""Random functions in the part of JavaScript that the React compiler accepts, with a statement on each line."""

from __future__ import annotations

from random import Random

_NAMES = "abcde"


def react_function(random: Random) -> str:
    """A function ``f`` of two parameters and three further variables, all of which it may assign and return."""
    writer = _Writer(random)
    lines = ["function f(a, b) {", "  let c = 0;", "  let d = a;", "  let e;", *writer.block(random.randint(3, 6), 1)]
    return "\n".join([*lines, f"  return [{', '.join(random.sample(_NAMES, random.randint(1, 5)))}];", "}", ""])


class _Writer:
    """Writes the lines of nested statements."""

    def __init__(self, random: Random) -> None:
        self.random, self.counter = random, 0
        self.loops: list[str] = []
        self.tries = 0

    def block(self, length: int, depth: int) -> list[str]:
        """Several statements. A jump ends the block: what follows it would be unreachable."""
        lines = [line for _ in range(length) for line in self._statement(depth)]
        if depth > 1 and self.random.random() < 0.15:
            lines.append(f"{'  ' * depth}{self._jump()}")
        return lines

    def _name(self) -> str:
        return self.random.choice(_NAMES)

    def _new(self, letter: str) -> str:
        self.counter += 1
        return f"{letter}{self.counter}"

    def _value(self) -> str:
        one, two, three = (self._name() for _ in range(3))
        values = [one, "1", f"{one} + {two}", f"g({one}, {two})"]
        values += [] if self.tries else [f"{one} && {two}", f"{one} ?? {two}", f"{one}?.p", f"{one} ? {two} : {three}"]
        if self.random.random() < 0.02:
            return f"() => {one}"
        return self.random.choice([*values, f"[{one}]"])

    def _condition(self) -> str:
        one, two = self._name(), self._name()
        return self.random.choice([one, f"g({one})", f"{one} < {two}", f"{one} && {two}", f"!{one} || {two}"])

    def _jump(self) -> str:
        if self.loops and self.random.random() < 0.7:
            return f"{self.random.choice(['break', 'continue'])} {self.random.choice(self.loops)};"
        return f"{'return' if self.tries or self.random.random() < 0.5 else 'throw'} {self._name()};"

    def _statement(self, depth: int) -> list[str]:
        simple = [self._assign, self._assign, self._assign, self._destructure, self._declare, self._update]
        nested = [self._if, self._if, self._while, self._for, self._for_of, self._switch, self._if]
        nested += [self._try] * (self.random.random() < 0.3 and not self.tries)
        lines = self.random.choice([*simple, *(nested if depth < 4 else [])])(depth)
        return ["  " * depth + line if line[0] != " " else line for line in lines]

    def _assign(self, depth: int) -> list[str]:
        return [f"{self._name()} = {self._value()};"]

    def _update(self, depth: int) -> list[str]:
        return [f"{self._name()} {self.random.choice(['+', '-'])}= {self._value()};"]

    def _destructure(self, depth: int) -> list[str]:
        one, two = self.random.sample(_NAMES, 2)
        return [f"[{one}, {two}] = [{two}, {one}];"]

    def _declare(self, depth: int) -> list[str]:
        return [f"const {self._new('k')} = {self._value()};"]

    def _inner(self, depth: int) -> list[str]:
        return self.block(self.random.randint(1, 3), depth + 1)

    def _if(self, depth: int) -> list[str]:
        otherwise = ["} else {", *self._inner(depth)] if self.random.random() < 0.5 else []
        return [f"if ({self._condition()}) {{", *self._inner(depth), *otherwise, "}"]

    def _loop(self, head: str, depth: int) -> list[str]:
        self.loops.append(self._new("l"))
        lines = [f"{self.loops[-1]}: {head} {{", *self._inner(depth), "}"]
        self.loops.pop()
        return lines

    def _while(self, depth: int) -> list[str]:
        return self._loop(f"while ({self._condition()})", depth)

    def _for(self, depth: int) -> list[str]:
        name = self._new("i")
        return self._loop(f"for (let {name} = 0; {name} < {self._name()}; {name}++)", depth)

    def _for_of(self, depth: int) -> list[str]:
        return self._loop(f"for (const {self._new('x')} {self.random.choice(['of', 'in'])} {self._name()})", depth)

    def _switch(self, depth: int) -> list[str]:
        lines = [f"switch ({self._name()}) {{"]
        for head in ("case 1:", "default:", "case 2:"):
            lines += [head, *self._inner(depth), *(["break;"] if self.random.random() < 0.5 else [])]
        return [*lines, "}"]

    def _try(self, depth: int) -> list[str]:
        self.tries += 1
        lines = ["try {", *self._inner(depth), "} catch {", *self._inner(depth), "}"]
        self.tries -= 1
        return lines
