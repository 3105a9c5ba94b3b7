"""Generated C programs, each of which ends, and does what C (as `gcc -fwrapv` reads it) defines.

Every cycle of a function's flow uses up `fuel` or advances a counter of its own, and a call hands a quarter of the fuel
on. All variables that a `goto` or a `case` could jump over are initialised at the top of their function. Labels are
sown among the statements; each `goto` finds its target when the whole function is there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Union

from hypothesis import strategies as st

from testing.c_expressions import FLOATS, INT, INTEGERS, VOID, CType, Expressions, Signature, Variable
from testing.c_memory import Memory
from testing.c_memory_blocks import HELPERS
from testing.c_memory_types import Types
from testing.choices import Choices, Drawn, Rolled


@st.composite
def c_programs(draw: st.DrawFn, statements: int = 12) -> str:
    """C programs, as text: small ones, which hypothesis can shrink in reasonable time."""
    return generate(Drawn(draw), statements)


def random_program(seed: int, *, memory: bool = False) -> str:
    """The program of that number: always the same one. With `memory`, it uses arrays, structs, pointers and so on."""
    return generate(Rolled(random.Random(seed)), statements=25 if memory else 40, memory=memory)


def generate(choose: Choices, statements: int, memory: bool = False) -> str:
    """A program whose `main` calls some functions that may all call each other.

    A function in which there are that many `statements` has no further loops and branches.
    """
    functions = [_signature(choose, index) for index in range(choose.number(0, 3))]
    headers = ["stdarg", "stdbool", "stddef", "stdio", "stdlib", "string"] if memory else ["stdbool", "stdio", "stdlib"]
    lines: list[str] = [*(f"#include <{header}.h>" for header in headers), ""]
    types = Types(choose) if memory else None
    lines += types.definitions() if types else []
    helpers = set[str]()
    bodies: list[str] = []
    for function in functions:
        body = _Body(choose, functions, function, statements, types, helpers)
        bodies += ["", f"{function} {{", *_indented(body.lines()), "}"]
    main = _Body(choose, functions, None, statements, types, helpers)
    bodies += ["", "int main(void) {", *_indented(main.lines()), "}"]
    lines += [line for name, text in HELPERS.items() if name in helpers for line in text.splitlines()[1:]]
    return "\n".join([*lines, *(f"{function};" for function in functions), *bodies]) + "\n"


def _signature(choose: Choices, index: int) -> Signature:
    result = choose.pick((INT, *INTEGERS, *FLOATS, VOID))
    types = [choose.pick((INT, *INTEGERS, *FLOATS)) for _ in range(choose.number(0, 4))]
    parameters = [Variable(f"p{number}", type) for number, type in enumerate(types)]
    return Signature(f"f{index}", result, (Variable("fuel", INT, assignable=False), *parameters))


# ------------------------------------------------------------------------------------------ lines, labels and jumps


@dataclass(frozen=True)
class _Label:
    """The place of a label."""


@dataclass(frozen=True)
class _Goto:
    """A `goto`; `choice`, modulo the number of labels, is the one it leads to."""

    choice: int


_Line = Union[str, _Label, _Goto]


def _with_jumps(lines: list[_Line]) -> list[str]:
    """The lines with labels named and jumps led to them. A jump back costs fuel."""
    places = [index for index, line in enumerate(lines) if isinstance(line, _Label)]
    named = {place: f"l{number}" for number, place in enumerate(places)}
    result = []
    for index, line in enumerate(lines):
        if isinstance(line, str):
            result.append(line)
        elif isinstance(line, _Label):
            result.append(f"{named[index]}:;")
        elif not places:
            result.append(";")
        else:
            place = places[line.choice % len(places)]
            result.append(f"goto {named[place]};" if place > index else f"if (fuel-- > 0) goto {named[place]};")
    return result


def _indented(lines: list[str]) -> list[str]:
    """The lines, indented by the braces around them."""
    depth, result = 1, []
    for line in lines:
        depth -= line.startswith("}")
        result.append("    " * depth + line)
        depth += line.endswith("{")
    return result


# ------------------------------------------------------------------------------------------------------- functions


class _Body:
    """Makes the body of a function; of `main` where `function` is None."""

    def __init__(
        self,
        choose: Choices,
        functions: list[Signature],
        function: Signature | None,
        statements: int,
        types: Types | None,
        helpers: set[str],
    ) -> None:
        self._choose = choose
        self._functions = functions
        self._result = function.result if function else INT
        self._is_main = function is None
        self._expressions = Expressions(choose, functions)
        self._expressions.scope += function.parameters if function else ()
        self._memory = self._expressions.memory = Memory(types, self._expressions, helpers) if types else None
        self._counters = 0
        self._loops = 0
        self._breakable = 0
        self._cases: list[list[int] | None] = []  # of each switch around: the values that have no case yet
        self._labels_allowed = True
        self._budget = statements

    def lines(self) -> list[str]:
        """The statements of the body, the declarations first."""
        declarations = [*self._fuel_of_main(), *(self._declaration(f"v{n}") for n in range(self._choose.number(1, 6)))]
        if self._memory:
            for _ in range(self._choose.number(1, 5)):
                declarations += self._memory.declare()
        statements = self._statements(3, 1, 8)
        counters = [f"int i{number} = 0;" for number in range(self._counters)]
        shown = self._show_all() if self._is_main else []
        if self._memory and self._is_main:
            shown += self._memory.types.shown_globals()
        return [*declarations, *counters, *_with_jumps(statements), *shown, *self._return()]

    def _fuel_of_main(self) -> list[str]:
        if not self._is_main:
            return []
        self._expressions.scope.append(Variable("fuel", INT, assignable=False))
        return [f"int fuel = {self._choose.number(0, 30)};"]

    def _declaration(self, name: str) -> str:
        type = self._choose.pick((INT, *INTEGERS, *FLOATS))
        with self._expressions.hiding(frozenset({name})):
            line = f"{type.name} {name} = {self._value(type, 2)};"
        self._expressions.scope.append(Variable(name, type))
        return line

    def _value(self, type: CType, depth: int) -> str:
        """Something that may be assigned to a variable of that type."""
        if type.kind == "float" or type.name == "bool":
            return self._expressions.scalar(depth)
        return self._expressions.integer(depth)

    # ------------------------------------------------------------------------------------------------ statements

    def _statements(self, depth: int, low: int = 0, high: int = 4) -> list[_Line]:
        made = self._choose.several(lambda: self._statement(depth), low, high)
        return [line for lines in made for line in lines]

    def _statement(self, depth: int) -> list[_Line]:
        self._budget -= 1
        nested = depth > 0 and self._budget > 0
        if self._memory and self._choose.number(0, 2) == 2:
            return [*self._sown(), *self._memory.statement()]
        make = self._choose.pick(self._SIMPLE + self._NESTED if nested else self._SIMPLE)
        return [*self._sown(), *make(self, depth - 1)]

    def _sown(self) -> list[_Line]:
        """Perhaps a label or a case, which the statement then follows."""
        kind = self._choose.number(0, 7)
        if kind == 6 and self._labels_allowed:
            return [_Label()]
        free = self._cases[-1] if self._cases else None
        if kind == 7 and free:
            return [self._case(free)]
        return []

    def _case(self, free: list[int]) -> str:
        value = free.pop(self._choose.number(0, len(free) - 1))
        return "default:;" if value == _DEFAULT else f"case {value}:;"

    def _print(self, depth: int) -> list[_Line]:
        if not self._choose.number(0, 5):
            return [f"putchar('a' + (int)(({self._expressions.integer(1)}) & 15));", "putchar(10);"]
        variables = self._choose.several(lambda: self._choose.pick(self._visible()), 1, 3)
        return [self._show(variables)]

    def _visible(self) -> list[Variable]:
        return self._expressions.readable("integer") + self._expressions.readable("float")

    def _show(self, variables: list[Variable]) -> str:
        """A call of printf. The sign of a NaN is nobody's business."""
        formats = [self._choose.pick(variable.type.formats) for variable in variables]
        values = [f"({v.name} == {v.name} ? {v.name} : 0)" if v.type.kind == "float" else v.name for v in variables]
        return f'printf("{" ".join(formats)}\\n", {", ".join(values)});'

    def _show_all(self) -> list[str]:
        return [self._show([variable]) for variable in self._expressions.scope]

    def _assignment(self, depth: int) -> list[_Line]:
        kind = "float" if not self._choose.number(0, 4) else "integer"
        variables = self._expressions.assignable(kind)
        if not variables:
            return self._effect(depth)
        variable = self._choose.pick(variables)
        return [f"{variable.name} = {self._value(variable.type, 3)};"]

    def _compound_assignment(self, depth: int) -> list[_Line]:
        variables = self._expressions.assignable("integer")
        if not variables:
            return self._effect(depth)
        name = self._choose.pick(variables).name
        expressions = self._expressions
        form = self._choose.number(0, 9)
        if form == 0:
            return [f"{name} {self._choose.pick(('/=', '%='))} {expressions.divisor(2)};"]
        if form == 1:
            return [f"{name} {self._choose.pick(('<<=', '>>='))} {expressions.shift_count(2)};"]
        operator = self._choose.pick(("+=", "-=", "*=", "&=", "|=", "^="))
        return [f"{name} {operator} {expressions.integer(2)};"]

    def _float_assignment(self, depth: int) -> list[_Line]:
        variables = self._expressions.assignable("float")
        if not variables:
            return self._effect(depth)
        name = self._choose.pick(variables).name
        operator = self._choose.pick(("=", "+=", "-=", "*=", "/="))
        return [self._choose.pick((f"{name} {operator} {self._expressions.scalar(2)};", f"{name}++;", f"--{name};"))]

    def _effect(self, depth: int) -> list[_Line]:
        return [f"{self._expressions.effect(3)[0]};"]

    def _call(self, depth: int) -> list[_Line]:
        if not self._functions:
            return self._effect(depth)
        function = self._choose.pick(self._functions)
        call = self._expressions.call(function)[0]
        targets = self._expressions.assignable(function.result.kind)
        if targets and self._choose.number(0, 2):
            call = f"{self._choose.pick(targets).name} = {call}"
        return [f"if (fuel > 3) {call};"]

    def _goto(self, depth: int) -> list[_Line]:
        return [f"if ({self._expressions.condition()}) {{", _Goto(self._choose.number(0, 5)), "}"]

    def _bare_goto(self, depth: int) -> list[_Line]:
        return [_Goto(self._choose.number(0, 5))]

    def _leave(self, depth: int) -> list[_Line]:
        words = [*(["break;"] if self._breakable else []), *(["continue;"] if self._loops else [])]
        if not words:
            return self._effect(depth)
        word = self._choose.pick(words)
        return [word if not self._choose.number(0, 3) else f"if ({self._expressions.condition()}) {word}"]

    def _end(self, depth: int) -> list[_Line]:
        form = self._choose.number(0, 9)
        status = self._choose.number(0, 300)
        leave = [f"exit({status});"] if form == 8 else ["abort();"] if form == 9 else self._return()
        return [f"if ({self._expressions.condition()}) {{", *self._print(depth), *leave, "}"]

    def _return(self) -> list[str]:
        if self._result is VOID:
            return ["return;"]
        return [f"return {self._value(self._result, 2)};"]

    # --------------------------------------------------------------------------------- statements in statements

    def _if(self, depth: int) -> list[_Line]:
        return [f"if ({self._expressions.condition()}) {{", *self._statements(depth), "}"]

    def _if_else(self, depth: int) -> list[_Line]:
        then = [f"if ({self._expressions.condition()}) {{", *self._statements(depth)]
        return [*then, "} else {", *self._statements(depth), "}"]

    @contextmanager
    def _inside(self, *, loop: bool) -> Iterator[None]:
        self._breakable += 1
        self._loops += loop
        yield
        self._breakable -= 1
        self._loops -= loop

    def _loop_body(self, depth: int) -> list[_Line]:
        with self._inside(loop=True):
            return self._statements(depth)

    def _while(self, depth: int) -> list[_Line]:
        condition = self._expressions.condition()
        head = self._choose.pick(("fuel-- > 0 && {}", "{} && fuel-- > 0")).format(f"({condition})")
        return [f"while ({head}) {{", *self._loop_body(depth), "}"]

    def _while_with_check(self, depth: int) -> list[_Line]:
        head = self._choose.pick(("while ({}) {{", "for (; {};) {{")).format(self._expressions.condition())
        leave = self._choose.pick(("break;", self._return()[0]))
        return [head, f"if (--fuel < 0) {leave}", *self._loop_body(depth), "}"]

    def _do(self, depth: int) -> list[_Line]:
        return ["do {", *self._loop_body(depth), f"}} while (fuel-- > 0 && {self._expressions.integer(1)});"]

    def _endless(self, depth: int) -> list[_Line]:
        head = self._choose.pick(("for (;;) {", "while (1) {"))
        return [head, "if (fuel-- <= 0) break;", *self._loop_body(depth), "}"]

    def _for(self, depth: int) -> list[_Line]:
        step = self._expressions.effect(2)[0]
        head = f"for ({self._expressions.effect(2)[0]}; fuel-- > 0 && {self._expressions.integer(1)}; {step}) {{"
        return [head, *self._loop_body(depth), "}"]

    def _counted(self, depth: int) -> list[_Line]:
        name = f"i{self._counters}"
        self._counters += 1
        end = self._choose.number(1, 4)
        forms = (
            (f"for ({name} = 0; {name} < {end}; {name}++) {{", "}"),
            (f"{name} = 0; while ({name}++ < {end}) {{", "}"),
            (f"{name} = {end}; do {{", f"}} while (--{name} > 0);"),
        )
        head, tail = self._choose.pick(forms)
        check = self._choose.pick(("if (fuel-- <= 0) break;", "if (fuel-- <= 0) break;", ";"))
        return [head, check, *self._loop_body(depth), tail]

    def _switch(self, depth: int) -> list[_Line]:
        first = self._choose.pick((0, -2, 97))
        value = self._expressions.effect()[0] if first else f"({self._expressions.integer(2)}) & 7"
        if first == 97:
            value = f"'a' + (({self._expressions.integer(2)}) & 7)"
        self._cases.append([*range(first, first + 8), _DEFAULT])
        with self._inside(loop=False):
            arms = self._choose.several(lambda: self._arm(depth), 0, 5)
        self._cases.pop()
        return [f"switch ((int)({value})) {{", *(line for arm in arms for line in arm), "}"]

    def _arm(self, depth: int) -> list[_Line]:
        free = self._cases[-1]
        labels = [self._case(free)] if free else []
        end = self._choose.pick(("break;", ";", "break;"))
        return [*labels, *self._statements(depth, 0, 3), end]

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """A block whose declarations no jump may skip."""
        variables, allowed = len(self._expressions.scope), self._labels_allowed
        objects = len(self._memory.objects) if self._memory else 0
        self._labels_allowed = False
        self._cases.append(None)
        yield
        self._cases.pop()
        self._labels_allowed = allowed
        del self._expressions.scope[variables:]
        if self._memory:
            del self._memory.objects[objects:]

    def _block(self, depth: int) -> list[_Line]:
        with self._scope():
            names = self._choose.pick((("t0",), ("v0",), ("t1", "v1")))
            declarations = [self._declaration(name) for name in names]
            declarations += self._memory.declare() if self._memory else []
            return ["{", *declarations, *self._statements(depth, 1, 4), "}"]

    def _late(self, depth: int) -> list[_Line]:
        """A variable that has no value at first, and one in both arms."""
        with self._scope():
            with self._expressions.hiding(frozenset({"late"})):
                condition = self._expressions.condition()
                arms = [[*self._statements(depth, 0, 2), f"late = {self._expressions.integer(2)};"] for _ in range(2)]
            self._expressions.scope.append(Variable("late", self._choose.pick(INTEGERS)))
            type = self._expressions.scope[-1].type
            head = ["{", f"{type.name} late;", f"if ({condition}) {{", *arms[0], "} else {", *arms[1], "}"]
            return [*head, *self._statements(depth, 1, 3), "}"]

    def _loop_with_declaration(self, depth: int) -> list[_Line]:
        with self._scope():
            end = self._choose.number(1, 4)
            self._expressions.scope.append(Variable("k", INT, assignable=False))
            head = f"for (int k = 0, n = {end}; k < n && fuel-- > 0; k++) {{"
            return [head, *self._loop_body(depth), "}"]

    _Maker = Callable[["_Body", int], list[_Line]]
    _SIMPLE: tuple[_Maker, ...] = (
        *(_assignment, _assignment, _assignment, _print, _print, _print, _compound_assignment, _compound_assignment),
        *(_effect, _effect, _call, _float_assignment, _goto, _goto, _leave, _bare_goto, _end),
    )
    _NESTED: tuple[_Maker, ...] = (
        *(_if, _if, _if, _if_else, _if_else, _while, _while_with_check, _do, _endless, _for, _counted),
        *(_switch, _switch, _block, _late, _loop_with_declaration),
    )


_DEFAULT = 1000  # stands for `default` among the values of cases
