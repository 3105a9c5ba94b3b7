"""Random programs in Bril: any control flow, all types, memory, ``set`` and ``get``, and rarely an error of the run.

Every function has a number of steps left, so every program ends. Variables may be read before they are assigned.
"""

from __future__ import annotations

from collections.abc import Iterator

from testing.choices import Choices

_BINARY = {"int": ("add", "sub", "mul", "div"), "float": ("fadd", "fsub", "fmul", "fdiv"), "bool": ("and", "or")}
_COMPARED = {"int": ("", "int"), "float": ("f", "float"), "char": ("c", "char")}
_INTEGERS = (0, 1, 2, 3, -1, -2, 7, 10, 100, 4611686018427387904, -9223372036854775808)
_FLOATS = ("0", "1", "-0.5", "3.25", "1e10", "9999999999.99998", "3.814697265625e-06", "1e-10", "1e300", "-0.0", "0.1")
TYPES = ("int", "bool", "float", "char")


class Generator:
    """The programs of a source of decisions."""

    def __init__(self, choices: Choices) -> None:
        self.choose = choices

    def program(self) -> str:
        """A program whose `main` takes no arguments."""
        count = self.choose.number(0, 2)
        functions = [self._function(f"f{number}", number, count) for number in range(count)]
        return "\n".join([self._function("main", -1, count), *functions])

    def _function(self, name: str, number: int, count: int) -> str:
        self.callees = range(number + 1, count)
        self.variables = {f"{type[0]}{each}": type for type in TYPES for each in range(3)}
        self.blocks = self.choose.number(1, 6)
        parameters, result = ("", "") if name == "main" else ("(i0: int, f0: float)", ": int")
        lines = [f"@{name}{parameters}{result} {{", *self._entry()]
        for block in range(self.blocks):
            lines += [f".b{block}:", *self._block(block)]
        lines += [".end:", "  free p;", f"  ret{' i0' * bool(result)};", ".never:"]
        lines += [f"  {self._constant(name, type)}" for name, type in self.variables.items()]  # each is assigned
        lines += ["  jmp .never;", "}"]
        return "\n".join(lines) + "\n"

    def _entry(self) -> Iterator[str]:
        yield "  left: int = const 12;"
        yield "  one: int = const 1;"
        yield "  zero: int = const 0;"
        yield "  p: ptr<int> = alloc left;"
        yield "  q: ptr<int> = id p;"
        yield "  store p one;"
        for name, type in self.variables.items():
            if self.choose.number(0, 15):
                yield f"  {self._constant(name, type)}"
        yield "  set i2 one;"
        yield f"  jmp .b{self.choose.number(0, self.blocks - 1)};"

    def _block(self, block: int) -> Iterator[str]:
        for _ in range(self.choose.number(0, 5)):
            yield f"  {self._instruction()}"
        yield "  left: int = sub left one;"
        yield "  alive: bool = gt left zero;"
        yield f"  br alive .n{block} .end;"
        yield f".n{block}:"
        first, second = (self.choose.number(0, self.blocks - 1) for _ in range(2))
        if self.choose.number(0, 2):
            yield f"  br {self._variable('bool')} .b{first} .b{second};"
        elif self.choose.number(0, 3):
            yield f"  jmp .b{first};"

    def _variable(self, type: str) -> str:
        return self.choose.pick([name for name, each in self.variables.items() if each == type])

    def _constant(self, name: str, type: str) -> str:
        values = {
            "int": _INTEGERS,
            "bool": ("true", "false"),
            "float": _FLOATS,
            "char": ("'a'", "'é'", "'\\n'", "'🐶'"),
        }
        return f"{name}: {type} = const {self.choose.pick(values[type])};"

    def _instruction(self) -> str:
        kind = self.choose.number(0, 11)
        type = self.choose.pick(TYPES)
        target = self._variable(type)
        if kind <= 3 and type in _BINARY:
            operator = self.choose.pick(_BINARY[type])
            return f"{target}: {type} = {operator} {self._variable(type)} {self._variable(type)};"
        if kind <= 5:
            prefix, compared = self.choose.pick([*_COMPARED.values()])
            operator = prefix + self.choose.pick(("eq", "lt", "gt", "le", "ge"))
            operands = f"{self._variable(compared)} {self._variable(compared)}"
            return f"{self._variable('bool')}: bool = {operator} {operands};"
        if kind == 6:
            return (
                f"print {' '.join(self._variable(self.choose.pick(TYPES)) for _ in range(self.choose.number(0, 3)))};"
            )
        if kind == 7:
            return self._memory()
        if kind == 8:
            return self._special()
        if kind == 9 and self.callees:
            callee = self.choose.pick(self.callees)
            return f"{self._variable('int')}: int = call @f{callee} {self._variable('int')} {self._variable('float')};"
        return f"{target}: {type} = id {self._variable(type)};" if kind == 10 else self._constant(target, type)

    def _memory(self) -> str:
        return self.choose.pick(
            [
                f"q: ptr<int> = ptradd p {self.choose.pick(('one', 'zero', 'left'))};",
                f"store q {self._variable('int')};",
                f"store p {self._variable('int')};",
                f"{self._variable('int')}: int = load p;",
                f"{self._variable('int')}: int = load q;",
            ]
        )

    def _special(self) -> str:
        return self.choose.pick(
            [
                f"{self._variable('bool')}: bool = not {self._variable('bool')};",
                f"{self._variable('int')}: int = char2int {self._variable('char')};",
                f"set i2 {self._variable('int')};",
                "i2: int = get;",
                f"{self._variable('int')}: int = undef;",
                "nop;",
            ]
        )
