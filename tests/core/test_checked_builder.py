"""The Builder refuses what `check` would reject, and says what to do: by examples, and by random calls."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Builder, Variable
from cpsconv.core import ir
from cpsconv.core.check import check
from cpsconv.core.construction import BuildError
from cpsconv.core.construction.checked import CheckedBuilder
from cpsconv.core.construction.explicit_memory import ExplicitMemory
from cpsconv.core.ir import (
    ABORT,
    BOOL,
    CHAR,
    DOUBLE,
    HALT,
    INT,
    LONG,
    MEMORY,
    PTR,
    STRING,
    VOID,
    Array,
    Constant,
    Effect,
    Foreign,
    Primitive,
)
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Source, Span
from testing.effort import examples

X, Y = Variable("x", INT), Variable("y", DOUBLE)
ONE = Constant(INT, 1)


def opened(**settings: Any) -> Builder:
    """A Builder with the open function ``f(x : int)``."""
    b = Builder(**settings)
    b.declare("g", [("n", INT), ("s", STRING)], INT)
    b.function("f", [X], INT)
    return b


def block(b: Builder, name: str = "k") -> Any:
    return b.continuation(name)


def foreign() -> Any:
    """A value of another function."""
    other = opened()
    return other.primitive("+", other.read_variable(X), ONE)


def finished(b: Builder) -> Any:
    """A value of a function that is finished, in a Builder with an open function after it."""
    value = b.primitive("+", b.read_variable(X), ONE)
    b.ret(value)
    b.finish()
    b.function("h", [], INT)
    return value


def split(b: Builder) -> Any:
    """A value that only one branch computes, where both meet."""
    then, join = block(b, "then"), block(b, "join")
    b.branch(b.primitive("<", b.read_variable(X), ONE), then, join)
    b.open(then)
    value = b.primitive("*", b.read_variable(X), b.read_variable(X))
    b.jump(join)
    b.open(join)
    b.ret(value)
    return b.finish()


def jump_to_the_entry(b: Builder) -> None:
    entry = b.current
    b.jump(entry)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        # results, conditions, arguments, assigned values
        (lambda b: b.ret(), "f returns int: pass a value to `ret`"),
        (lambda b: b.ret(Constant(LONG, 1)), "the result of f must be of type int, not long: convert it by `convert`"),
        (lambda b: b.ret(Constant(STRING, "")), "the result of f must be of type int, not string"),
        (
            lambda b: b.branch(b.read_variable(X), block(b), block(b)),
            "the condition of a branch must be of type bool, not int: compare it, for example with 0",
        ),
        (lambda b: b.switch(Constant(BOOL, True), [], block(b)), "a switch takes an integer, not `bool`"),
        (lambda b: b.switch(ONE, [(1, block(b)), (1, block(b))], block(b)), "the case 1 occurs twice"),
        (lambda b: b.switch(ONE, [(1 << 40, block(b))], block(b)), f"{1 << 40} is not a value of type `int`"),
        (
            lambda b: b.call(b.declared("g"), [ONE]),
            "`g` takes 2 arguments, but 1 is passed: each argument needs the type of its parameter, see `convert`",
        ),
        (lambda b: b.call(b.declared("g"), [ONE, ONE]), "argument 2 of `g` must be of type `string`, not `int`"),
        (lambda b: b.call_through(ONE, [], INT), "the pointer of a call must be of type ptr, not int"),
        (lambda b: b.write_variable(Y, ONE), "the value of y must be of type double, not int: convert it by `convert`"),
        (lambda b: b.leave(HALT), "`halt` takes 1 argument, but none are passed"),
        (lambda b: b.leave(ABORT, ONE), "`abort` takes no arguments, but 1 is passed"),
        # constants and other objects that are no values
        (
            lambda b: b.ret(Constant(INT, 1 << 31)),
            f"{1 << 31} is not a value of type int: `wrap` of `cpsconv.core.operations.types` gives {-(1 << 31)}",
        ),
        (lambda b: b.ret(Constant(INT, 1.5)), "1.5 is not a value of type int: pass an int"),
        (lambda b: b.ret(Constant(BOOL, 1)), "1 is not a value of type bool: pass True or False"),
        (lambda b: b.ret(Constant(VOID, 0)), "the result of f has the type void"),
        (lambda b: b.ret(5), r"the result of f is 5: pass `Constant\(INT, 5\)`"),
        (lambda b: b.primitive("+", ONE, X), r"operand 2 of \+ is the variable x: pass the result of `read_variable`"),
        (lambda b: b.primitive("+", ONE, block(b)), r"operand 2 of \+ is the block k: only transfers lead to it"),
        (lambda b: b.ret(b.declared("g")), "the result of f is the function g: `convert"),
        (lambda b: b.read_variable("x"), "'x' is no variable: create it by `Variable"),
        (
            lambda b: b.write_variable(Variable("z", "int"), ONE),  # type: ignore[arg-type]
            "the variable z has the type int: pass a type",
        ),
        (lambda b: b.effect("puts", "text"), r"operand 1 of puts is 'text': pass `Constant\(STRING, 'text'\)`"),
        # foreign objects
        (lambda b: b.ret(foreign()), r"the result of f is a result \(`\+`\), which does not belong to f"),
        (lambda b: b.ret(finished(b)), r"the result of h is a result \(`\+`\), which does not belong to h.*`free`"),
        (lambda b: b.free(foreign()), r"a result \(`\+`\) is no value of a finished function"),
        (lambda b: b.call(opened().declared("g"), []), "g belongs to another Builder: declare it with this one"),
        (lambda b: b.effect("puts", opened().data("d", CHAR)), "d belongs to another Builder"),
        (lambda b: b.jump(block(opened())), "continuation k is no block of the open function"),
        (
            lambda b: b.effect("allocate", ONE, of=Builder().struct("s", [("a", INT)])),
            "the static operand of allocate has the type s: pass a type of memory, or a struct that `struct` returned",
        ),
        # targets
        (lambda b: b.jump(b.declared("g")), "g is a function: `call` it"),
        (lambda b: b.jump(HALT), "the external halt is no block"),
        (lambda b: b.branch(Constant(BOOL, True), "then", block(b)), "'then' is no block"),
        (lambda b: b.leave(block(b)), "`leave` takes a continuation of `EXTERNALS`, not the block k"),
        (lambda b: b.call(HALT, [ONE]), "the external halt is no function"),
        (
            jump_to_the_entry,
            "continuation f, the entry, gets another predecessor, but it is sealed: jump from the entry to",
        ),
        # operations
        (lambda b: b.primitive("+", ONE), r"there is no operation \+\(int\)"),
        (
            lambda b: b.primitive("puts", Constant(STRING, "")),
            "there is no operation puts for `primitive`: use `effect`",
        ),
        (lambda b: b.effect("+", ONE, ONE), r"there is no operation \+ for `effect`: use `primitive`"),
        (lambda b: b.effect("put", ONE), "there is no operation put for `effect`: did you mean `puts`?"),
        (lambda b: b.primitive("convert", ONE), "a conversion needs its target: use `convert`"),
        (lambda b: b.convert(STRING, ONE), "`int` cannot be converted to `string`$"),
        (lambda b: b.convert("long", ONE), "the target of a conversion has the type long"),
        (lambda b: b.effect("load", Constant(PTR, 0)), "a load needs a `type=`"),
        (lambda b: b.effect("printf", Constant(STRING, "%d")), "`%d` in a printf format has no argument"),
        (lambda b: b.effect("allocate", of=Array(INT, 3)), "`allocate` has no number of elements"),
        (lambda b: b.effect("allocate", ONE, of=INT, alignment=3), "the alignment is 3, but must be a power of two"),
        (lambda b: b.primitive("element", Constant(PTR, 0), ONE), "`element` does not concern `None`"),
        # statements that the front end creates itself
        (lambda b: b.foreign("x.y", ONE, X), r"an operand of x.y is the variable x: pass the result of"),
        (lambda b: b.foreign("x.y", pure=True), "x.y is pure, so it has a result: pass its type"),
        (lambda b: b.append(Effect("foreign", (foreign(),), VOID, of=Foreign("x.y"))), "does not belong to f"),
        (
            lambda b: b.append(Effect("foreign", (ONE,), MEMORY, of=Foreign("x.y"))),
            "the result of x.y has the type mem",
        ),
        (lambda b: b.append(Primitive("+", (ONE, Constant(LONG, 1)), INT)), r"`\+` cannot be applied to"),
        (lambda b: b.append(Primitive("convert", (foreign(),), LONG)), "does not belong to f"),
        (lambda b: b.append(Primitive("convert", (), LONG)), "nothing cannot be converted to `long`"),
        (lambda b: b.append(Effect("puts", (foreign(),), INT)), "does not belong to f"),
        (lambda b: b.append(Effect("printf", (Constant(STRING, "%d"),), INT)), "`%d` in a printf format has no arg"),
        (
            lambda b: opened(memory=ExplicitMemory()).append(Effect("load", (Constant(PTR, 0),), INT)),
            "load accesses memory, which is explicit: use `effect`",
        ),
        # paths
        (split, "in f, a result .* is used in join, but it is not computed on every path to there: assign it to a var"),
        # declarations
        (lambda b: b.declare("", [], INT), "'' is no name"),
        (lambda b: b.declare("z", ["n"], INT), "'n' is no parameter of z: pass a `Variable`, or a name and a type"),
        (lambda b: b.declare("z", [("n", VOID)], INT), "the variable n has the type void"),
        (lambda b: b.declare("z", [("n", MEMORY)], INT), "the variable n has the type memory"),
        (lambda b: b.declare("z", [], None), "the result of z has the type None"),
        (lambda b: (b.external("z", [], INT), b.external_data("z", INT)), "z is declared twice"),
        (lambda b: b.declare("z", None, INT), "the parameters of z are None: pass a list of variables, or of pairs"),
        (lambda b: b.external("z", 3, INT), "the parameters of z are 3: pass a list"),
        (lambda b: b.function(["z"], [], INT), r"\['z'\] is no name"),
        (lambda b: b.struct("s", None), "the members of s are None: pass a list of pairs of a name and a type"),
        (lambda b: b.struct("s", ["a"]), "'a' is none of the members of s: pass pairs of a name and a type"),
        (lambda b: b.data("d", INT, addresses=[]), "the addresses in d are .*: pass a dictionary from offsets"),
        (lambda b: b.primitive(["+"], ONE, ONE), r"there is no operation \['\+'\] for `primitive`"),
        (lambda b: b.effect("allocate", ONE, of=INT, alignment="x"), "the alignment is a number of bytes"),
        (lambda b: b.switch(ONE, None, b.continuation("k")), "the cases of a switch are None: pass a list of pairs"),
        (lambda b: Builder(simplify=["x"]), "there is no simplification 'x'; there are fold"),
        (lambda b: Builder(simplify="cse"), "the simplifications are 'cse': pass a list of names"),
        (lambda b: b.struct("s", []), "the struct s has no members"),
        (lambda b: b.struct("s", [("a", INT), ("a", INT)]), "the struct s has two members of one name"),
        (lambda b: b.struct("s", [("a", STRING)]), "the member a of s has the type string"),
        (lambda b: b.data("d", Array(INT, -1)), "the type of the data d has an array of -1 elements"),
        (lambda b: b.continuation("k", may_assign=X), "`may_assign` of k is the variable x: pass a set of variables"),
        (lambda b: b.ret(ONE, "main.c:1"), "'main.c:1' is no location"),
    ],
)
def test_a_wrong_call_is_refused_with_what_to_do(call: Any, message: str) -> None:
    with pytest.raises(BuildError, match=message):
        call(opened())


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda b: b.data("d", INT, b"12345"), "the content of `d` is longer than `int`"),
        (lambda b: b.data("d", INT, 5), "the content of d is 5: pass bytes"),
        (lambda b: b.data("d", PTR, addresses={0: 5}), "5 is none of the addresses in d: pass pairs of data"),
        (lambda b: b.data("d", PTR, addresses={4: (b.data("e", INT), 0)}), "`d` has no `ptr` at the offset 4"),
        (lambda b: b.data("d", PTR, addresses={0: (opened().data("e", INT), 0)}), "e belongs to another Builder"),
    ],
)
def test_wrong_data_is_refused_when_the_program_is_complete(prepare: Any, message: str) -> None:
    b = Builder()
    prepare(b)
    with pytest.raises(BuildError, match=message):
        b.program()


def test_a_nested_function_can_only_be_called() -> None:
    b = Builder()
    inner = b.declare("inner", [], INT)
    b.function("outer", [X], INT)
    kept = b.read_variable(X)
    b.convert(PTR, inner)
    b.ret(b.call(inner, []))
    b.finish()
    b.function("inner", [], INT)
    b.ret(b.free(kept))
    b.finish()
    with pytest.raises(BuildError, match="inner uses values of another function, so it can only be called"):
        b.program()


@pytest.mark.parametrize("is_checked", [True, False])
@pytest.mark.parametrize(
    ("is_addressed", "message"),
    [
        (False, "main uses values of another function, so it can only be called in the scope of these values"),
        (True, "inner uses values of another function, so it can only be called$"),
    ],
)
def test_main_and_functions_whose_address_is_used_are_never_omitted(
    is_checked: bool, is_addressed: bool, message: str
) -> None:
    b = Builder(checked=is_checked)
    b.function("outer", [X], INT)
    kept = b.read_variable(X)
    b.ret(kept)
    b.finish()
    b.function("inner", [], INT)
    b.ret(b.free(kept))
    inner = b.finish()
    b.function("main", [], INT)
    if is_addressed:
        b.convert(PTR, inner)
    b.ret(b.call(inner, []))
    b.finish()
    with pytest.raises(BuildError, match=message):
        b.program()


def test_a_call_of_a_nested_function_where_its_free_value_is_not_computed_is_refused() -> None:
    b = Builder()
    inner = b.declare("inner", [], INT)
    b.function("outer", [X], INT)
    b.write_variable(X, b.call(inner, []))  # type: ignore[arg-type]
    kept = b.primitive("+", b.read_variable(X), ONE)
    b.ret(kept)
    b.finish()
    b.function("inner", [], INT)
    b.ret(b.free(kept))
    b.finish()
    with pytest.raises(BuildError, match=r"in outer, .* is not computed on every path to there"):
        b.program()


def test_a_function_that_was_refused_is_no_part_of_the_program() -> None:
    b = opened()
    with pytest.raises(BuildError, match="not computed on every path"):
        split(b)
    with pytest.raises(BuildError, match="is declared, but not built"):
        b.program()


def test_an_unchecked_builder_is_the_plain_class() -> None:
    assert type(Builder(checked=False)) is Builder
    assert type(Builder("marker", [], None, None)) is CheckedBuilder


# --------------------------------------------------------------------------------------------------- random calls


class _Careless:
    """Calls methods of a Builder with random arguments, which mostly have the right class."""

    def __init__(self, seed: int, **settings: Any) -> None:
        self.dice = random.Random(seed)
        self.b = Builder(**settings)
        other = opened()
        data, struct = self.b.data("data", INT), self.b.struct("pair", [("a", INT), ("b", PTR)])
        self.numbers = [0, 1, 7, -1, 1 << 35, True]
        self.types: list[Any] = [INT, INT, INT, BOOL, PTR, LONG, DOUBLE, STRING, VOID, MEMORY, None, struct]
        self.object_types = [INT, CHAR, PTR, Array(CHAR, 4), struct, STRING, None, *struct.fields.values()]
        self.variables: list[Any] = [X, Y, Variable("p", PTR), Variable("q", BOOL), Variable("v", VOID), "x"]
        self.values: list[Any] = [
            *(Constant(type, value) for type, value in [(INT, 0), (INT, 5), (BOOL, True), (PTR, 0), (DOUBLE, 1.5)]),
            *(Constant(STRING, text) for text in ("%d", "text")),
            *(Constant(INT, 1 << 31), ir.Undef(INT, "u"), data, None, 5, X, HALT, foreign(), other.data("other", INT)),
        ]
        self.blocks: list[Any] = [block(other), None]
        self.functions: list[Any] = [
            self.b.declare("f", [X], INT),
            self.b.declare("g", [], VOID),
            self.b.external("e", [("n", INT)], VOID),
            other.declared("g"),
        ]

    def one(self, pool: list[Any]) -> Any:
        return self.dice.choice(pool)

    def of(self, type: Any) -> Any:
        """A value, mostly of the type."""
        fitting = [each for each in self.values if getattr(each, "type", None) is type]
        return self.one(fitting) if fitting and self.dice.random() < 0.9 else self.one(self.values)

    def target(self) -> Any:
        return self.one(self.blocks[-3:] if self.dice.random() < 0.8 else [*self.blocks, *self.functions])

    def step(self) -> None:
        """Call one method."""
        one, of, b = self.one, self.of, self.b
        span = None if self.dice.random() < 0.98 else one(["here", Span(Source("s", "text"), 0, 1)])
        some = self.dice.randrange(3)
        if b._function is None:
            again: Any = ("h", [X, ("n", one(self.types))], INT)
            b.function(*one([("f", [X], INT), ("g", [], VOID), ("f", [], INT), again, ("e", [], VOID)]))
        call = one(
            [
                *[lambda: self.blocks.append(b.continuation(one(["k", "l", "", None]), one([None, None, {X}, X])))] * 2,
                *[lambda: b.open(self.target())] * 3,
                lambda: b.seal(self.target()),
                lambda: b.enter(self.target()),
                lambda: b.jump(self.target(), span),
                lambda: b.branch(of(BOOL), self.target(), self.target(), span),
                lambda: b.switch(of(INT), [(one(self.numbers), self.target())] * some, self.target(), span),
                lambda: b.ret(*[of(INT)] * one([0, 1, 1])),
                lambda: b.leave(*one([(ABORT,), (HALT, of(INT)), (HALT,), (None,)])),
                lambda: b.write_variable(variable := one(self.variables), of(getattr(variable, "type", None)), span),
                lambda: self.keep(b.read_variable(one(self.variables), span)),
                lambda: self.keep(b.call(one(self.functions), [of(INT)] * some, span)),
                lambda: self.keep(b.call_through(of(PTR), [of(INT)] * some, one(self.types), span)),
                lambda: self.keep(b.primitive(one(["+", "<", "neg", "/", "nonsense", "puts"]), of(INT), of(INT))),
                lambda: self.keep(b.primitive("element", of(PTR), of(INT), of=one(self.object_types))),
                lambda: self.keep(b.primitive("field", of(PTR), of=one(self.object_types))),
                lambda: self.keep(b.convert(one(self.types), one([*self.values, *self.functions]), span)),
                lambda: self.keep(b.effect("allocate", *[of(INT)] * some, of=one(self.object_types), name="x")),
                lambda: self.keep(b.effect("load", of(PTR), type=one(self.types))),
                lambda: b.effect("store", of(INT), of(PTR)),
                lambda: b.effect(one(["printf", "puts", "deallocate", "+"]), *[of(STRING), of(INT)][:some]),
                lambda: self.keep(b.append(Primitive(one(["+", "convert"]), (of(INT),) * some, one(self.types)))),
                lambda: self.keep(b.append(Effect(one(["load", "puts"]), (of(PTR),) * some, one(self.types)))),
                lambda: self.keep(b.append(Effect("foreign", (of(INT),) * some, one(self.types), of=Foreign("x.y")))),
                lambda: self.keep(b.free(one(self.values))),
                lambda: b.finish(),
            ]
        )
        call()

    def keep(self, value: Any) -> None:
        """Use a result later, too."""
        if value is not None:
            self.values += [value] * 3

    def complete(self) -> None:
        """Build all functions that are declared."""
        declared: list[Any] = [("", [], INT), ("f", [X], INT), ("g", [], VOID), ("h", [X, ("n", INT)], INT)]
        for name, parameters, result in declared:
            with suppress(BuildError):
                if name:
                    self.b.function(name, parameters, result)
                self.leave_all()

    def leave_all(self) -> None:
        """Finish the open function."""
        if self.b.current:
            self.b.leave(ABORT)
        for each in self.b._blocks:
            if not each.sealed:
                self.b.seal(each)
            if not each.filled:
                self.b.enter(each)
                if self.b.current:
                    self.b.leave(ABORT)
        self.b.finish()


@settings(max_examples=examples(200))
@given(st.integers(0, 10**9), st.sampled_from(["scc", "basic", "marker", "paper"]), st.booleans())
def test_random_calls_construct_sound_programs_or_raise(seed: int, strategy: str, simplify: bool) -> None:
    careless = _Careless(seed, strategy=strategy, simplify=SIMPLIFICATIONS.keys() if simplify else ())
    for _ in range(careless.dice.randrange(200)):
        with suppress(BuildError):
            careless.step()
    careless.complete()
    with suppress(BuildError):
        assert check(careless.b.program()) == []
