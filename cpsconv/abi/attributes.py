"""The attributes of C's binary interface, which the front end for C and all rooms that read or write its objects share.

- `on_stack`, of allocations that need no deallocation: the program does not access the object after the function has
  returned. Emitted code allocates it on its stack.
- `resource`, a string, of statements that create objects: the kind of what a library opens, such as ``stream``.
- `constant_bytes`, a string, of data: the bytes that the program may not change, ``4-7 12-15``.
- `lazily_bound`, of declared functions and data: a name without a definition is an error where a run reaches it, not in
  linking.
- `c.symbol`, a string, of functions and data: the name in object files, if it is not the name in the program.
- `c.thread_local`, of data: each thread of emitted code has its own object; the engines have one.
- `c.always_inline`, of local functions: emitted code expands each call of it.
- `c.byval`, a struct, of parameters: the pointer points to a copy of the struct that the caller passes by value.
- `c.sret`, a struct, of the first parameter: it points to the place for the struct that the function returns.
- `c.variadic`, of functions: it takes further arguments. A call of a declared one with some is a call through the
  pointer ``ptr(f)``, with the types of all arguments; one with a body has a last parameter for the pointer to their
  `va_list`.

The names `static`, `weak`, `thread`, `inline`, `byval`, `sret`, ``on stack`` and ``...`` are keywords in CPS text. This
module also adds the continuation `longjmp`, which passes a value to the continuation that the external function
`setjmp` saved in a buffer: 1 instead of 0, as in C; and messages of runtime errors about jumps and variable arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cpsconv.core import attributes
from cpsconv.core.attributes import LOCAL, REPLACEABLE, RETURNING_AGAIN, Attribute, with_flag
from cpsconv.core.ir import EXTERNALS, INT, PTR, Call, ContinuationType, Data, External, Function, Struct, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations import memory_messages

SYMBOL, THREAD_LOCAL, ALWAYS_INLINE = "c.symbol", "c.thread_local", "c.always_inline"
BYVAL, SRET, VARIADIC = "c.byval", "c.sret", "c.variadic"
ON_STACK, RESOURCE, CONSTANT_BYTES = "on_stack", "resource", "constant_bytes"
LAZILY_BOUND = "lazily_bound"

attributes.register(
    Attribute(SYMBOL, "string", ["function", "data"]),
    Attribute(THREAD_LOCAL, "flag", ["data", "external data"]),
    Attribute(ALWAYS_INLINE, "flag", ["function"]),
    Attribute(BYVAL, "type", ["parameter"]),
    Attribute(SRET, "type", ["parameter"]),
    Attribute(VARIADIC, "flag", ["function", "external"]),
    Attribute(LAZILY_BOUND, "flag", ["external", "external data"]),
    Attribute(ON_STACK, "flag", ["statement"], check="cpsconv.abi.attribute_checks:misplaced"),
    Attribute(RESOURCE, "string", ["statement"], states="resource"),
    Attribute(
        CONSTANT_BYTES, "string", ["data"], states="constant bytes", check="cpsconv.abi.attribute_checks:without_ranges"
    ),
)
attributes.KEYWORDS |= {
    "static": LOCAL,
    "inline": ALWAYS_INLINE,
    "weak": REPLACEABLE,
    "thread": THREAD_LOCAL,
    "byval": BYVAL,
    "sret": SRET,
    "on stack": ON_STACK,
    "...": VARIADIC,
}
_SIGNATURE = {"c_signature": "cpsconv.abi.earlier_signatures"}
attributes.EARLIER_KEYS["function"] |= {
    "static": LOCAL,
    "weak": REPLACEABLE,
    "always_inline": ALWAYS_INLINE,
    **_SIGNATURE,
}
attributes.EARLIER_KEYS["external"] |= {"weak": REPLACEABLE, **_SIGNATURE}
attributes.EARLIER_KEYS["data"] |= {"static": LOCAL, "weak": REPLACEABLE, "thread_local": THREAD_LOCAL}
attributes.EARLIER_KEYS["external data"] |= {"weak": REPLACEABLE, "thread_local": THREAD_LOCAL}
attributes.EARLIER_KEYS["statement"] |= {"on_stack": ON_STACK}
attributes.CHECKS |= {
    "cpsconv.abi.attribute_checks:signature_errors": [BYVAL, SRET, VARIADIC],
    "cpsconv.abi.attribute_checks:thread_errors": [THREAD_LOCAL],
}

LONGJMP = External("longjmp", ContinuationType((PTR, INT)))
SETJMP = "setjmp"
"""The name of the external function that saves its return continuation in a buffer, for `longjmp`."""

EXTERNALS[LONGJMP.name] = LONGJMP
attributes.IMPLIED[SETJMP] = RETURNING_AGAIN

ARGUMENTS = "arguments"
"""The name of the object with the variable arguments of a call."""

memory_messages.NOTES[ARGUMENTS] = "the variable arguments are passed here: one is missing, or has another type"
memory_messages.MESSAGES |= {
    "jump_unset": "the buffer of `longjmp` was not set by `setjmp`",
    "jump_returned": "the call of the function that called `setjmp` for the buffer of `longjmp` has ended",
}


def is_setjmp(value: Value) -> bool:
    """Whether the value is the external function `setjmp`."""
    return isinstance(value, Function) and value.name == SETJMP and value.transfer is None


def is_thread_local(data: Data) -> bool:
    """Whether each thread has its own object."""
    return THREAD_LOCAL in data.attributes


def symbol_of(definition: Function | Data) -> str:
    """The name of a function or data in object files."""
    return str(definition.attributes.get(SYMBOL, definition.name))


# -------------------------------------------------------------------------------------------------------- signatures


class CSignature(metaclass=NodeType):
    """The parts of a function's signature in C that the types of its parameters do not show: see the attributes.

    `structs` has the structs that parameters, given by their indices, pass by value. If the function `returns_struct`,
    the first of them is the place for the result.
    """

    structs: Mapping[int, Struct] = field(default_factory=dict)
    returns_struct: bool = False
    is_variadic: bool = False


def c_signature(function: Function) -> CSignature | None:
    """The signature of a function that takes or returns structs by value, or takes variable arguments; else None."""
    structs: dict[int, Struct] = {}
    returns_struct = False
    for number, parameter in enumerate(function.parameters):
        if parameter.attributes:
            struct = parameter.attributes.get(SRET) or parameter.attributes.get(BYVAL)
            if isinstance(struct, Struct):
                structs[number] = struct
                returns_struct = returns_struct or SRET in parameter.attributes
    is_variadic = VARIADIC in function.attributes
    return CSignature(structs, returns_struct, is_variadic) if structs or is_variadic else None


def set_signature(function: Function, signature: CSignature | None) -> None:
    """Give the function the attributes of the signature, and no others of this kind."""
    signature = signature or CSignature()
    function.attributes = with_flag(function.attributes, VARIADIC, signature.is_variadic)
    for number, parameter in enumerate(function.parameters):
        others = {name: value for name, value in parameter.attributes.items() if name not in (BYVAL, SRET)}
        own = {}
        if struct := signature.structs.get(number):
            own[SRET if signature.returns_struct and number == 0 else BYVAL] = struct
        if own or len(others) < len(parameter.attributes):
            parameter.attributes = {**others, **own}


def call_signature(function: Function) -> CSignature | None:
    """The signature of a declared function, whose address the program uses in calls only; None for others."""
    return c_signature(function) if function.transfer is None else None


def is_variadic(function: Function) -> bool:
    """Whether the function takes variable arguments."""
    return VARIADIC in function.attributes


def variadic_callee(call: Call) -> Function | None:
    """The declared function with variable arguments that the call calls through the pointer ``ptr(f)``."""
    function = call.addressed if call.pointer is not None else None
    return function if function and is_variadic(function) else None
