"""Random programs with memory, constructed with a Builder as by a front end, for every strategy and form of memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import (
    INT,
    PTR,
    STRING,
    UNSIGNED_LONG,
    VOID,
    Array,
    Constant,
    Data,
    Function,
    Program,
    Struct,
    Value,
)

Lowering = Callable[[Builder, list[Any]], Program]

MAX_STATEMENTS = 60


def random_lowering(seed: int) -> Lowering:
    """The lowering of a random program: with any Builder, it constructs the same one."""
    return lambda builder, warnings: _Program(builder, random.Random(seed)).program()


class _Program:
    """Constructs one program: functions with loops, branches, variables, objects, and calls of each other."""

    def __init__(self, builder: Builder, source: random.Random) -> None:
        self.b = builder
        self.source = source
        self.point: Struct = builder.struct("point", [("x", INT), ("y", INT), ("next", PTR)])
        self.data: list[Data] = [
            builder.data("table", Array(INT, 4), bytes(16)),
            builder.data("origin", self.point, bytes(16)),
        ]
        self.functions: list[Function] = [
            builder.declare(f"f{index}", [("x", INT), ("p", PTR)], source.choice([INT, VOID])) for index in range(2)
        ]
        self.objects: list[Value] = []
        self.integers: list[Variable] = []
        self.pointers: list[Variable] = []
        self.left = 0

    def program(self) -> Program:
        """All functions, and `main`."""
        for function in self.functions:
            self._function(function.name, [Variable("x", INT), Variable("p", PTR)], function.result)
        self._function("main", [], INT)
        return self.b.program()

    def _function(self, name: str, parameters: list[Variable], result: Any) -> None:
        self.b.function(name, parameters, result)
        self.integers = [Variable("i", INT), Variable("k", INT), *parameters[:1]]
        self.pointers = [Variable("q", PTR), *parameters[1:]]
        self.objects = []
        for variable in self.integers[:2]:
            self.b.write_variable(variable, Constant(INT, self.source.randint(0, 3)))
        self.b.write_variable(self.pointers[0], self.source.choice(self.data))
        self.left = MAX_STATEMENTS
        self._block(0)
        if name == "main":
            self.b.ret(self._integer())
        else:
            self.b.ret(None if result is VOID else self._integer())
        self.b.finish()

    def _block(self, depth: int) -> None:
        """Statements, with objects whose lifetimes end with the block."""
        before = len(self.objects)
        for _ in range(self.source.randint(2, 7)):
            self.left -= 1
            if self.left > 0:
                self._statement(depth)
        for each in self.objects[before:]:
            if self.source.random() < 0.7:
                self.b.effect("deallocate", each)
        del self.objects[before:]

    def _statement(self, depth: int) -> None:
        choice = self.source.randint(0, 13)
        if choice < 3:
            place = self._place()
            self.b.effect("store", self._integer(), place)
        elif choice < 6:
            place = self._place()
            self.b.write_variable(self.source.choice(self.integers), self.b.effect("load", place, type=INT))
        elif choice == 6:
            name = self.source.choice(["a", "b", "m"])
            count = self.source.randint(1, 3)
            made = self.b.effect("allocate", Constant(INT, count), of=self.point, name=name)
            self.objects.append(made)
            if self.source.random() < 0.8:
                for index in range(count):
                    element = self.b.primitive("element", made, Constant(INT, index), of=self.point)
                    for field in ("x", "y"):
                        address = self.b.primitive("field", element, of=self.point.fields[field])
                        self.b.effect("store", Constant(INT, index), address)
        elif choice == 7:
            self.b.write_variable(self.source.choice(self.pointers), self._pointer())
        elif choice == 8:
            self.b.effect("copy", self._pointer(), self._pointer(), of=self.point)
        elif choice == 9:
            self._call()
        elif choice == 10:
            size = Constant(UNSIGNED_LONG, self.source.choice([16, 24, 40]))
            made = self.b.effect("calloc", Constant(UNSIGNED_LONG, 1), size)
            self.b.effect("store", self._integer(), made)
            self.b.write_variable(self.integers[0], self.b.effect("load", made, type=INT))
            if self.source.random() < 0.5:
                self.b.effect("free", made)
        elif choice == 11 and depth < 3:
            self._if(depth)
        elif choice == 12 and depth < 2:
            self._loop(depth)
        else:
            self.b.effect("printf", Constant(STRING, "%d "), self._integer())

    def _call(self) -> None:
        function = self.source.choice(self.functions)
        depth = self.b.primitive("-", self.b.read_variable(self.integers[-1]), Constant(INT, 1))
        again, after = self.b.continuation("again"), self.b.continuation("after")
        self.b.branch(self.b.primitive(">", depth, Constant(INT, 0)), again, after)
        self.b.seal(again)
        self.b.enter(again)
        small = self.b.primitive("%", depth, Constant(INT, 3))
        arguments = [small, self._pointer()]
        if self.source.random() < 0.3:
            result = self.b.call_through(self.b.convert(PTR, function), arguments, function.result)  # type: ignore[arg-type]
        else:
            result = self.b.call(function, arguments)
        if result:
            self.b.write_variable(self.integers[1], result)
        self.b.jump(after)
        self.b.seal(after)
        self.b.enter(after)

    def _if(self, depth: int) -> None:
        then, otherwise, after = (self.b.continuation(name) for name in ("then", "else", "after"))
        self.b.branch(self.b.primitive("<", self._integer(), Constant(INT, 2)), then, otherwise)
        for block in then, otherwise:
            self.b.seal(block)
            self.b.enter(block)
            if self.source.random() < 0.8:
                self._block(depth + 1)
            self.b.jump(after)
        self.b.seal(after)
        self.b.enter(after)

    def _loop(self, depth: int) -> None:
        count = Variable("n", INT)
        self.b.write_variable(count, Constant(INT, 0))
        loop = self.b.continuation("while", self.source.choice([None, {count, *self.integers, *self.pointers}]))
        body, after = self.b.continuation("body"), self.b.continuation("after")
        self.b.jump(loop)
        self.b.enter(loop)
        self.b.branch(self.b.primitive("<", self.b.read_variable(count), Constant(INT, 2)), body, after)
        self.b.seal(body)
        self.b.enter(body)
        self._block(depth + 1)
        self.b.write_variable(count, self.b.primitive("+", self.b.read_variable(count), Constant(INT, 1)))
        self.b.jump(loop)
        self.b.seal(loop)
        self.b.seal(after)
        self.b.enter(after)

    def _integer(self) -> Value:
        if self.source.random() < 0.3:
            return Constant(INT, self.source.randint(0, 9))
        value = self.b.read_variable(self.source.choice(self.integers))
        return self.b.primitive("+", value, Constant(INT, 1)) if self.source.random() < 0.3 else value

    def _pointer(self) -> Value:
        """A pointer; mostly not one to the objects of the block, so that some of these do not escape."""
        if self.objects and self.source.random() < 0.2:
            return self.source.choice(self.objects)
        return self.source.choice([self.data[1], self.b.read_variable(self.source.choice(self.pointers))])

    def _place(self) -> Value:
        """The address of an `int`."""
        base = self.source.choice(self.objects) if self.objects and self.source.random() < 0.6 else self._pointer()
        if self.source.random() < 0.5:
            return self.b.primitive("field", base, of=self.point.fields[self.source.choice("xy")])
        return self.b.primitive("element", base, Constant(INT, self.source.randint(0, 1)), of=INT)
