"""The CPS program: types, values, continuations, functions.

**An essay before the code.** A *continuation* is a function that never returns. Its body computes values, has
effects, and ends with one *transfer*, the tail call to whatever comes next. Where a compiler in SSA form has a basic
block, a CPS program has a continuation; where a block begins with φ functions, a continuation has *parameters*; where a
φ function has an operand for a predecessor, the predecessor's transfer passes an *argument* (Braun et al. 2013,
section 5.2; Kelsey 1995; Appel 1998). A *function* is a continuation, too: its last parameter is the return
continuation, and it returns a value by calling this parameter with the value.

*Edges.* A transfer leads to other continuations through *edges*. An edge is one slot of the transfer: it has a target
and the arguments passed along it. Two cases of a switch with the same target are two edges. Only a continuation that is
reached through edges alone can gain or lose parameters; one that is passed around as a value keeps its type.

*No nesting.* A program is kept as a graph: a continuation may use any value whose definition dominates it. Lexical
nesting is how the text shows dominance (`cpsconv.core.text`) and is computed, not stored.

*Nested functions.* A function may use values of other functions, its *free* values: for example, a procedure inside
another one reads a parameter of the outer one. A call of the function uses its free values, as it uses its arguments.
So they must be in scope at each call: their definitions dominate the call, or the caller has them as free values, too.
Functions nest by dominance, as continuations do, and the text shows this: a function is written inside the one whose
values it uses. `cpsconv.core.analysis.nesting` computes free values and nesting. A function with free values is only
called: it is no value, and a run cannot start with it. `cpsconv.core.erasure` replaces free values by parameters.

*Two kinds of statements.* A `Primitive` is pure: its value depends only on its operands. Some primitives *trap* (a
division by zero). `Effect`s are executed in the order of the body.

*Identity.* Values are compared by identity: two `Constant`s are two values, even if they are equal, as two definitions
are in SSA form. (The Builder uses one `Constant` for equal constants that a function assigns to variables.) Names are
hints; `cpsconv.core.text` makes them unique when they are shown.

*Memory.* An *object* is a sequence of bytes in memory, and a *pointer*, of type `PTR`, an object and an offset in it.
Memory needs no new kind of statement. Addresses of elements and fields are primitives; loads, stores, copies,
allocations and deallocations are effects, so they keep their order. Pointers do not have the types of their targets:
each access has its own type, the type of the value loaded or stored. The only addition to statements is `of`, a static
operand: the type or field that an address computation, copy or allocation names. docs/memory.md has all operations.

*Foreign operations.* An operation that the core need not understand is *foreign*: a statement or a transfer with static
text, operands, and a result or edges. Foreign statements are effects unless they are declared pure. Their values may
have foreign types.

*Data and external functions.* A `Data` is an object that exists from the start; as a value, it is the pointer to the
object. An external function is a `Function` without a body. A call through a pointer is a `Call`, too: its callee is a
`prototype` of the type that the call expects, and the pointer is one of its operands.

*Linkage.* Programs refer to each other's functions and data by name. A program declares those of other programs:
functions without a body, and `ExternalData`.

*Attributes.* Everything that only one language or target understands is an *attribute*: a name, such as ``ml.label``,
with a static value, on a function, data, a parameter, a statement or the program. Passes, text and JSON keep attributes
(`cpsconv.core.attributes`); only the rooms that know a name interpret it. Three of them are facts that passes know: a
definition that `is_local` belongs to its program alone; a definition that `is_replaceable` can be replaced by another
one, and a declaration that is stands for null if there is no definition; a call of a declared function that
`returns_again` may return more than once.

*Explicit memory.* A program can make the state of memory explicit: as values of the type `MEMORY`. Each access then has
one more operand, the memory in which it takes place, and its result is the memory after it if it changes memory.
Functions take and return a memory. Memories are used in the order of the run: an access takes the current one.

Invariants, checked by `cpsconv.core.check`:

1. Every continuation of `Function.continuations` is reachable from the function, and every reachable one is listed.
2. Every operand, argument and target is a constant, `Undef`, data, function or external, a free value of the function,
   or its definition dominates the use.
3. Each edge to a continuation carries as many arguments as the continuation has parameters, of the same types. The
   return edge of a `Call` carries none: the callee supplies them.
4. A function with free values is called, directly or indirectly, by a function without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple, Union

from cpsconv.core.attributes import LOCAL, REPLACEABLE, RETURNING_AGAIN, stated
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Source, Span

if TYPE_CHECKING:
    from cpsconv.core.floating import Floating

# ---------------------------------------------------------------------------------------------------------- types


class Scalar(metaclass=NodeType):
    """A type of plain data.

    `bits` is the size in memory; integers are two's complement, except `integer`, which is unbounded and never in
    memory. `suffix` ends number literals of the type in CPS text. The significand of a floating number has `digits`
    bits, the first of which is in memory only for `long double`. The instances below and those of `integer_type` and
    `foreign_type` are the only ones, and are compared by identity.
    """

    name: str
    kind: Literal["integer", "unbounded", "float", "bool", "string", "pointer", "memory", "void", "foreign"]
    bits: int = 0
    signed: bool = False
    suffix: str = ""
    digits: int = 0

    @property
    def size(self) -> int:
        """The size in memory in bytes."""
        return self.bits // 8

    @property
    def alignment(self) -> int:
        """The alignment in memory: that of x86-64, the size."""
        return self.size

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __reduce__(self) -> tuple[object, ...]:
        return scalar, (self.name,)  # a copy of a scalar is that scalar


def scalar(name: str) -> Scalar:
    """The type of that name, which must exist."""
    if name in FURTHER_FLOATS:
        return FURTHER_FLOATS[name]
    if name.startswith(("int<", "unsigned<")):
        return integer_type(int(name[:-1].partition("<")[2]), signed=name.startswith("int"))
    return foreign_type(name[1:].strip("`")) if name.startswith("$") else VOID if name == VOID.name else SCALARS[name]


_FOREIGN_TYPES: dict[str, Scalar] = {}


def foreign_type(name: str) -> Scalar:
    """The foreign type of that name, which begins with its language: ``$ml.tensor`` in CPS text.

    Only foreign operations, parameters, arguments and calls carry its values. A name that is no sequence of words and
    points is shown in back quotes; it has none itself, and no line breaks.
    """
    shown = f"${name}" if re.fullmatch(r"[^\W\d]\w*(\.\w+)*", name) else f"$`{name}`"
    return _FOREIGN_TYPES.setdefault(name, Scalar(shown, "foreign"))


class ContinuationType(metaclass=NodeType):
    """The type of a continuation: its parameter types. (The result ⊥ means that it never returns.)

    Functions on types may recurse: types are nested at most `MAX_TYPE_DEPTH` deep.
    """

    parameters: tuple[Type, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContinuationType) and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(self.parameters)

    def __str__(self) -> str:
        return self.with_titles(str)

    def with_titles(self, title: Callable[[Type], str]) -> str:
        """The text of the type, with the titles of its parts."""
        parts = ", ".join(map(title, self.parameters))
        is_single = len(self.parameters) == 1 and isinstance(self.parameters[0], Scalar)
        return f"{parts if is_single else f'({parts})'} → ⊥"


Type = Union[Scalar, ContinuationType]

MAX_TYPE_DEPTH = 100
"""The maximal nesting of continuation types in the type of a parameter, and of arrays and structs in a type of objects.

The readers enforce it.
"""

BOOL = Scalar("bool", "bool", 8)
CHAR = Scalar("char", "integer", 8, signed=True)  # as on x86-64, plain char is signed
SIGNED_CHAR = Scalar("signed char", "integer", 8, signed=True, suffix="sc")
UNSIGNED_CHAR = Scalar("unsigned char", "integer", 8, suffix="uc")
SHORT = Scalar("short", "integer", 16, signed=True, suffix="s")
UNSIGNED_SHORT = Scalar("unsigned short", "integer", 16, suffix="us")
INT = Scalar("int", "integer", 32, signed=True)
UNSIGNED = Scalar("unsigned", "integer", 32, suffix="u")
LONG = Scalar("long", "integer", 64, signed=True, suffix="l")
UNSIGNED_LONG = Scalar("unsigned long", "integer", 64, suffix="ul")
INT128 = Scalar("__int128", "integer", 128, signed=True, suffix="i128")
UNSIGNED_INT128 = Scalar("unsigned __int128", "integer", 128, suffix="u128")
INTEGER = Scalar("integer", "unbounded", signed=True, suffix="n")  # every integer, never in memory
FLOAT = Scalar("float", "float", 32, suffix="f", digits=24)
DOUBLE = Scalar("double", "float", 64, digits=53)
LONG_DOUBLE = Scalar("long double", "float", 128, suffix="L", digits=64)  # of which 80 bits are used
STRING = Scalar("string", "string", 64)
PTR = Scalar("ptr", "pointer", 64)
MEMORY = Scalar("memory", "memory")  # the state of memory, where a program makes it explicit
VOID = Scalar("void", "void")

WIDE_INTEGERS = INT128, UNSIGNED_INT128
_NARROW = CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT
_INTEGERS = *_NARROW, INT, UNSIGNED, LONG, UNSIGNED_LONG, *WIDE_INTEGERS
SCALARS: dict[str, Scalar] = {
    type.name: type for type in (BOOL, *_INTEGERS, INTEGER, FLOAT, DOUBLE, LONG_DOUBLE, STRING, PTR, MEMORY)
}
"""Every scalar type that a value can have, by its name in CPS text, except `VOID` and the types below."""

FURTHER_FLOATS: dict[str, Scalar] = {
    type.name: type
    for type in (
        Scalar("float<16>", "float", 16, suffix="f16", digits=11),
        Scalar("float<bf16>", "float", 16, suffix="bf16", digits=8),
        Scalar("float<128>", "float", 128, suffix="f128", digits=113),
    )
}
"""Further floating types by name: IEEE 754 with 16 and 128 bits, and bfloat16. Their numbers are `Floating`.

A row may be added at any time, with the name ``float<…>``, and a suffix of ``f`` or ``bf`` and digits.
"""

ODD_INTEGERS: dict[str, Scalar] = {}
"""The types of other widths that have been used, by name."""


def integer_type(bits: int, *, signed: bool) -> Scalar:
    """The integer type of 1 to 128 bits: ``int<24>`` or ``unsigned<24>`` in CPS text, or one of `SCALARS`.

    Raises `ValueError` for another width.
    """
    if not 1 <= bits <= 128:
        raise ValueError(f"there are no integers of {bits} bits, but of 1 to 128")
    for type in SIGNED_CHAR, UNSIGNED_CHAR, *_INTEGERS:
        if (type.bits, type.signed) == (bits, signed):
            return type
    name = f"{'int' if signed else 'unsigned'}<{bits}>"
    return ODD_INTEGERS.setdefault(name, Scalar(name, "integer", bits, signed, f"{'i' if signed else 'u'}{bits}"))


# --------------------------------------------------------------------------------------------------- object types
# The types of objects in memory. They are static: a value has a scalar type or the type of a continuation.


class Array(metaclass=NodeType):
    """An array type: `length` elements side by side."""

    element: ObjectType
    length: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and (self.element, self.length) == (other.element, other.length)

    def __hash__(self) -> int:
        return hash((self.element, self.length))

    @property
    def depth(self) -> int:
        """The nesting depth of arrays and structs."""
        return 1 if isinstance(self.element, Scalar) else 1 + self.element.depth

    @property
    def size(self) -> int:
        """The size in memory in bytes."""
        return self.element.size * self.length

    @property
    def alignment(self) -> int:
        """The alignment in memory."""
        return self.element.alignment

    def __str__(self) -> str:
        """The lengths from the outermost one: ``int[3][4]`` has 3 elements of type ``int[4]``."""
        element, lengths = innermost(self)
        return f"{element}{lengths}"


def innermost(type: ObjectType) -> tuple[Scalar | Struct, str]:
    """The type of the elements of the elements and so on, which is no array, and the lengths: ``[3][4]``."""
    lengths = ""
    while isinstance(type, Array):
        lengths += f"[{type.length}]"
        type = type.element
    return type, lengths


class Struct(metaclass=NodeType):
    """A struct or union type of a program, with the offsets of x86-64: see `cpsconv.core.layout`. Compared by identity.

    `alignment` is at least that of each field. `depth` is the nesting depth of structs and arrays, at most
    `MAX_TYPE_DEPTH` (the readers enforce it).
    """

    name: str
    fields: dict[str, Field]
    size: int
    alignment: int
    is_union: bool = False
    span: Span | None = None
    depth: int = 1

    @property
    def is_aligned(self) -> bool:
        """Whether the alignment is larger than that of all fields."""
        return all(field.type.alignment < self.alignment for field in self.fields.values())

    def __str__(self) -> str:
        return self.name


class Field(metaclass=NodeType):
    """A field of a `struct`, at an `offset` in bytes."""

    struct: Struct
    name: str
    type: ObjectType
    offset: int


ObjectType = Union[Scalar, Array, Struct]


# ----------------------------------------------------------------------------------------------------- attributes

Attributes = Mapping[str, Union[bool, int, str, ObjectType]]
"""Attributes by name: True for one without a value, an integer, a string, or a type."""

NO_ATTRIBUTES: Attributes = {}
"""The attributes of most parts: none. (Attributes are never changed in place.)"""


# --------------------------------------------------------------------------------------------------------- values


class Constant(metaclass=NodeType):
    """A literal: `int` for integers (within the range of the type), `bool`, `float`, `str` for strings, 0 for `null`.

    The value of a `long double` or a further floating type is a `Floating`.

    A string holds one character (U+0000 to U+00FF) for each byte, without the final zero.
    """

    type: Scalar
    value: int | bool | float | Floating | str


class Undef(metaclass=NodeType):
    """The value of an unassigned variable; `name` and `span` are those of the variable.

    Other names denote what has no value for another reason: see `cpsconv.core.operations.runtime_errors.use_of`.
    """

    type: Scalar
    name: str
    span: Span | None = None


class Parameter(metaclass=NodeType):
    """A parameter of a continuation or function: the counterpart of a φ function in SSA form."""

    type: Type
    name: str
    span: Span | None = None
    attributes: Attributes = NO_ATTRIBUTES


class Primitive(metaclass=NodeType):
    """A pure operation on values; `op` is a key of `cpsconv.core.operations.table.PRIMITIVES`.

    `of` is a static operand: the object type of an element's address, the field of a field's address.
    """

    op: str
    operands: tuple[Value, ...]
    type: Scalar
    name: str | None = None
    span: Span | None = None
    of: Static = None
    attributes: Attributes = NO_ATTRIBUTES


class Effect(metaclass=NodeType):
    """An ordered operation; `op` is a key of `cpsconv.core.operations.table.EFFECTS`. `type` is `VOID` without a
    result.

    `of` is a static operand: the object type of an allocation or a copy. `alignment` is that of a variable which is
    aligned more than its type, a power of two; else 0.
    """

    op: str
    operands: tuple[Value, ...]
    type: Scalar
    name: str | None = None
    span: Span | None = None
    of: Static = None
    alignment: int = 0
    attributes: Attributes = NO_ATTRIBUTES


class Foreign:
    """The static text of a foreign operation, such as ``ml.add``, which only its own language understands."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foreign) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text


Static = Union[ObjectType, Field, Foreign, None]
"""A static operand of a statement."""

Statement = Union[Primitive, Effect]


def object_type_of(statement: Statement) -> ObjectType:
    """The static operand of the address of an element, an allocation or a copy."""
    assert statement.of is not None and not isinstance(statement.of, (Field, Foreign))
    return statement.of


class Data(metaclass=NodeType):
    """An object in memory from the start of the run to its end. As a value, it is the pointer to the object.

    `content` is the initial content; further bytes are zero. `addresses` has the pointers in it, by their offsets: a
    pointer to a `Data` or function, and an offset in bytes that is added to the pointer. `alignment` is a power of two
    if the object is aligned more than its type, else 0.
    """

    name: str
    object_type: ObjectType
    content: bytes = b""
    addresses: dict[int, tuple[Data | Function, int]] = field(default_factory=dict)
    is_constant: bool = False
    span: Span | None = None
    alignment: int = 0
    attributes: Attributes = NO_ATTRIBUTES

    @property
    def is_local(self) -> bool:
        """Whether other programs cannot refer to it."""
        return LOCAL in self.attributes

    @property
    def is_replaceable(self) -> bool:
        """Whether a definition of another program replaces it; a declaration may stand for null."""
        return REPLACEABLE in self.attributes

    @property
    def constant_bytes(self) -> Sequence[range]:
        """The ranges of bytes that the program may not change: all bytes, or those that an attribute states."""
        if self.is_constant:
            return [range(self.object_type.size)]
        ranges = stated("constant bytes", self.attributes) or ""
        return [range(int(first), int(last) + 1) for first, last in re.findall("([0-9]+)-([0-9]+)", ranges)]

    @property
    def shown_name(self) -> str:
        """The name in runtime errors: that in the source. For example, ``main.n`` is the variable `n` of `main`.

        A string literal is shown as in the source, without the end of a long one.
        """
        text = self.span.source.text[self.span.start : self.span.end] if self.span else ""
        if text.endswith('"'):
            return re.sub(r"(?s)(?<=.{30}).+|\n.*", '..."', text)
        own = self.name.rpartition(".")[2]
        return own if text == own else self.name

    @property
    def type(self) -> Scalar:
        """The type of the value, `PTR`."""
        return PTR


class ExternalData(Data):
    """Data that another program defines, and this one only declares. The length of an array may be 0, if it is open."""


class External(metaclass=NodeType):
    """A continuation of the run-time environment.

    `halt` ends the program with an exit status, `abort` abnormally. Others, which languages add to `EXTERNALS`, may
    enter continuations that a call which returns again has saved.
    """

    name: str
    type: ContinuationType

    @property
    def ends(self) -> bool:
        """Whether it ends the program."""
        return self in (HALT, ABORT)

    def __reduce__(self) -> tuple[object, ...]:
        return EXTERNALS.__getitem__, (self.name,)  # a copy of an external is that external


HALT = External("halt", ContinuationType((INT,)))
ABORT = External("abort", ContinuationType(()))

EXTERNALS: dict[str, External] = {external.name: external for external in (HALT, ABORT)}
"""The continuations of the environment, by name."""


class Continuation(metaclass=NodeType):
    """Parameters, a body, and the transfer that ends it. The transfer is None only during construction."""

    name: str
    parameters: list[Parameter] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    transfer: Transfer | None = None
    span: Span | None = None

    @property
    def type(self) -> ContinuationType:
        """The type of the continuation, by its parameters."""
        return ContinuationType(tuple([parameter.type for parameter in self.parameters]))


class Function(Continuation):
    """A continuation of the program, whose last parameter is the return continuation.

    `continuations` are its local continuations, in source order. An external function is only declared: it has neither
    a body nor a transfer, and belongs to `Program.externals`. `free` are the values of other functions that it uses,
    itself or in the functions that it calls (`cpsconv.core.analysis.nesting.find_free_values`). `lifted` is the number
    of parameters that were free values (`cpsconv.core.erasure`).
    """

    continuations: list[Continuation] = field(default_factory=list)
    free: list[Parameter | Primitive | Effect] = field(default_factory=list)
    lifted: int = 0
    attributes: Attributes = NO_ATTRIBUTES

    @property
    def is_local(self) -> bool:
        """Whether other programs cannot refer to it."""
        return LOCAL in self.attributes

    @property
    def is_replaceable(self) -> bool:
        """Whether a definition of another program replaces it; a declaration may stand for null."""
        return REPLACEABLE in self.attributes

    @property
    def returns_again(self) -> bool:
        """Whether a call of it, a declared function, may return more than once."""
        return RETURNING_AGAIN in self.attributes

    @property
    def is_nested(self) -> bool:
        """Whether the function has, or had, free values."""
        return bool(self.free or self.lifted)

    @property
    def return_continuation(self) -> Parameter | None:
        """The last parameter, if it is a continuation. (A hand-written function may have none.)"""
        last = self.parameters[-1] if self.parameters else None
        return last if last and isinstance(last.type, ContinuationType) else None

    @property
    def ret(self) -> Parameter:
        """The return continuation. Raises `ValueError` for a hand-written function that has none."""
        if ret := self.return_continuation:
            return ret
        raise ValueError(f"function {self.name} has no return continuation")

    @property
    def result(self) -> Type:
        """The type of the function's result: that of the parameter of `ret`, or `VOID` if `ret` has none.

        The memory that a function returns where memory is explicit is not its result.
        """
        returned = self.ret.type
        assert isinstance(returned, ContinuationType)
        return next((type for type in returned.parameters if type is not MEMORY), VOID)

    def members(self) -> Iterator[Continuation]:
        """The function itself, which is the entry, then its continuations."""
        yield self
        yield from self.continuations

    def statements(self) -> Iterator[Statement]:
        """The statements of all members."""
        for member in self.members():
            yield from member.body


Value = Union[Constant, Undef, Parameter, Primitive, Effect, Data, External, Continuation, Function]
Target = Union[Continuation, Function, External, Parameter]

# ------------------------------------------------------------------------------------------------------ transfers
# Each transfer has `edges`; `operands`, the values that it uses itself, without the arguments of its edges; and `uses`:
# its operands, then the target and the arguments of each edge. The free values of its callee are operands of a call.


class Edge(metaclass=NodeType):
    """One slot of a transfer: its target, and the arguments that it passes."""

    target: Target
    arguments: list[Value] = field(default_factory=list)


class Jump(metaclass=NodeType):
    """``k(arguments)``. A jump to a return continuation is a return."""

    edge: Edge
    span: Span | None = None

    @property
    def edges(self) -> Sequence[Edge]:
        return (self.edge,)

    @property
    def operands(self) -> Sequence[Value]:
        return ()

    @property
    def uses(self) -> Sequence[Value]:
        return [self.edge.target, *self.edge.arguments]


class Branch(metaclass=NodeType):
    """``branch(condition, k1, k2)`` on a `bool`."""

    condition: Value
    then: Edge
    otherwise: Edge
    span: Span | None = None

    @property
    def edges(self) -> Sequence[Edge]:
        return (self.then, self.otherwise)

    @property
    def operands(self) -> Sequence[Value]:
        return (self.condition,)

    @property
    def uses(self) -> Sequence[Value]:
        then, otherwise = self.then, self.otherwise
        return [self.condition, then.target, *then.arguments, otherwise.target, *otherwise.arguments]


class Switch(metaclass=NodeType):
    """``switch(value, 1 ⇒ k1, …, _ ⇒ k)`` on an integer: distinct `cases`, each with its edge in `targets`."""

    value: Value
    cases: list[int]
    targets: list[Edge]
    default: Edge
    span: Span | None = None

    @property
    def arms(self) -> Iterator[tuple[Constant, Edge]]:
        """Each case, as a constant of the type of `value`, with its edge."""
        type = self.value.type
        assert isinstance(type, Scalar)
        return ((Constant(type, case), edge) for case, edge in zip(self.cases, self.targets, strict=True))

    @property
    def edges(self) -> Sequence[Edge]:
        return (*self.targets, self.default)

    @property
    def operands(self) -> Sequence[Value]:
        return (self.value,)

    @property
    def uses(self) -> Sequence[Value]:
        return [self.value, *(value for edge in self.edges for value in (edge.target, *edge.arguments))]


class Call(metaclass=NodeType):
    """``f(arguments, k)``: calls `callee`, which passes its result to the target of the edge `then`.

    `callee` is a function whose last parameter is a continuation. The edge carries no arguments of its own. In a call
    ``call(p, arguments, k)`` through the `pointer` `p`, `callee` is not part of the program: it has neither name nor
    body, and its parameters have the types that the call expects (see `prototype`).
    """

    callee: Function
    arguments: list[Value]
    then: Edge
    span: Span | None = None
    pointer: Value | None = None

    @property
    def edges(self) -> Sequence[Edge]:
        return (self.then,)

    @property
    def addressed(self) -> Function | None:
        """The declared function that the call calls through its address, ``ptr(f)``."""
        named = self.pointer.operands[0] if isinstance(self.pointer, Primitive) and self.pointer.operands else None
        return named if isinstance(named, Function) and named.transfer is None else None

    @property
    def passed(self) -> Sequence[Value]:
        """The operands without the free values of the callee: the pointer, if any, and the arguments."""
        return self.arguments if self.pointer is None else [self.pointer, *self.arguments]

    @property
    def operands(self) -> Sequence[Value]:
        free = self.callee.free
        return [*self.passed, *free] if free else self.passed

    @property
    def uses(self) -> Sequence[Value]:
        return [*self.operands, self.then.target, *self.then.arguments]


class ForeignTransfer(metaclass=NodeType):
    """``"text"(values)[k1, k2]``: a transfer that only its own language understands, to one of its `targets`."""

    text: str
    values: list[Value]
    targets: list[Edge]
    span: Span | None = None

    @property
    def edges(self) -> Sequence[Edge]:
        return self.targets

    @property
    def operands(self) -> Sequence[Value]:
        return self.values

    @property
    def uses(self) -> Sequence[Value]:
        return [*self.values, *(value for edge in self.targets for value in (edge.target, *edge.arguments))]


def prototype(types: Sequence[Type]) -> Function:
    """A function without a name and a body, whose parameters have these types, for calls through pointers."""
    return Function("", [Parameter(type, "") for type in types])


Transfer = Union[Jump, Branch, Switch, Call, ForeignTransfer]


class Counts(NamedTuple):
    """Statistics of the construction of a function, without unreachable continuations.

    `placed` counts the parameters that were placed, proxies included. Each is either `removed` again or `kept`.
    `arguments` counts the arguments of edges to kept parameters, `lookups` the visits of look-ups, each to a variable
    in a continuation.
    """

    placed: int
    removed: int
    kept: int
    arguments: int
    lookups: int


class InMemory(NamedTuple):
    """A variable of the source that is an object in memory, and the `reason` for it, at the location `at`.

    It is a fact for explanations, as spans are for messages: no pass reads it.
    """

    name: str
    span: Span | None
    reason: str
    at: Span | None


class SourceVariables(NamedTuple):
    """The variables of a source function with arrays, structs or pointers: how many became values, and the others.

    A `promoted` variable is no object in memory: its value, or the values of its parts, are those of the program.
    """

    promoted: int
    in_memory: Sequence[InMemory]


class Program(metaclass=NodeType):
    """Functions with distinct names, in source order; `source` is the text that they were read from.

    `structs` are the struct and union types, each after those that it contains; `data` the objects that exist from the
    start; `externals` the declared functions, and `external_data` the declared data. Their names, except those of
    structs, are distinct. `counts` has the statistics of each function that was constructed with a Builder, before any
    transformation. `variables` has those of the functions whose front end distinguishes objects in memory.
    """

    functions: list[Function]
    source: Source | None = None
    counts: dict[Function, Counts] = field(default_factory=dict)
    structs: list[Struct] = field(default_factory=list)
    data: list[Data] = field(default_factory=list)
    externals: list[Function] = field(default_factory=list)
    variables: dict[Function, SourceVariables] = field(default_factory=dict)
    external_data: list[ExternalData] = field(default_factory=list)
    attributes: Attributes = NO_ATTRIBUTES

    def __str__(self) -> str:
        """The CPS text of the program."""
        from cpsconv.core.text import pretty  # late, and against the direction of imports: the only such import

        return pretty(self).rstrip("\n")

    @property
    def items(self) -> list[Struct | Data | Function]:
        """All but the functions with bodies, in the order of the text."""
        return [*self.structs, *self.external_data, *self.data, *self.externals]

    @property
    def globals(self) -> list[Data | Function]:
        """The parts that values can refer to from anywhere: data, external functions and functions."""
        return [*self.external_data, *self.data, *self.externals, *self.functions]

    @property
    def global_names(self) -> frozenset[str]:
        """The names of the globals."""
        return frozenset([each.name for each in self.globals])

    @property
    def has_nested_functions(self) -> bool:
        """Whether a function of the program has free values."""
        return any(function.free for function in self.functions)

    @property
    def has_explicit_memory(self) -> bool:
        """Whether a function of the program takes or returns a memory."""
        functions = (*self.functions, *self.externals)
        return any(_concerns_memory(parameter.type) for function in functions for parameter in function.parameters)

    def members(self) -> Iterator[Continuation]:
        """The members of all functions."""
        for function in self.functions:
            yield from function.members()

    def statements(self) -> Iterator[Statement]:
        """The statements of all functions."""
        for function in self.functions:
            yield from function.statements()

    def function(self, name: str) -> Function | None:
        """The function named `name`, or None."""
        return next((function for function in self.functions if function.name == name), None)


def _concerns_memory(type: Type) -> bool:
    """Whether the type is, or contains, that of a memory. (Recursive: the nesting of types is bounded.)"""
    return type is MEMORY or (isinstance(type, ContinuationType) and any(map(_concerns_memory, type.parameters)))


Attributed = Union[Program, Function, Data, Parameter, Statement]
"""A part of a program that can have attributes."""
