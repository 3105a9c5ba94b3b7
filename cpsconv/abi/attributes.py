"""The attributes of C's binary interface, which the front end for C and all rooms that read or write its objects share.

- `c.symbol`, a string, of functions and data: the name in object files, if it is not the name in the program.
- `c.thread_local`, of data: each thread of emitted code has its own object; the engines have one.
- `c.always_inline`, of local functions: emitted code expands each call of it.
- `c.byval`, a struct, of parameters: the pointer points to a copy of the struct that the caller passes by value.
- `c.sret`, a struct, of the first parameter: it points to the place for the struct that the function returns.
- `c.variadic`, of functions: it takes further arguments. A call of a declared one with some is a call through the
  pointer ``ptr(f)``, with the types of all arguments; one with a body has a last parameter for the pointer to their
  `va_list`.

The names `static`, `weak`, `thread`, `inline`, `byval`, `sret` and ``...`` are their keywords in CPS text. This module
also adds the continuation `longjmp`, which passes a value to the continuation that the external function `setjmp` saved
in a buffer: 1 instead of 0, as in C.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cpsconv.core import attributes
from cpsconv.core.attributes import LOCAL, REPLACEABLE, RETURNING_AGAIN, Attribute, with_flag
from cpsconv.core.ir import EXTERNALS, INT, PTR, Call, ContinuationType, Data, External, Function, Struct, Value
from cpsconv.core.nodes import NodeType

if TYPE_CHECKING:
    from collections.abc import Callable

SYMBOL, THREAD_LOCAL, ALWAYS_INLINE = "c.symbol", "c.thread_local", "c.always_inline"
BYVAL, SRET, VARIADIC = "c.byval", "c.sret", "c.variadic"

attributes.register(
    Attribute(SYMBOL, "string", ["function", "data"]),
    Attribute(THREAD_LOCAL, "flag", ["data", "external data"]),
    Attribute(ALWAYS_INLINE, "flag", ["function"]),
    Attribute(BYVAL, "type", ["parameter"]),
    Attribute(SRET, "type", ["parameter"]),
    Attribute(VARIADIC, "flag", ["function", "external"]),
)
attributes.KEYWORDS |= {
    "static": LOCAL,
    "inline": ALWAYS_INLINE,
    "weak": REPLACEABLE,
    "thread": THREAD_LOCAL,
    "byval": BYVAL,
    "sret": SRET,
    "...": VARIADIC,
}
attributes.EARLIER_KEYS |= {
    "static": LOCAL,
    "weak": REPLACEABLE,
    "always_inline": ALWAYS_INLINE,
    "thread_local": THREAD_LOCAL,
    "c_signature": "cpsconv.abi.attributes:read_signature",
}
attributes.CHECKS |= {
    "cpsconv.abi.attribute_checks:signature_errors": [BYVAL, SRET, VARIADIC],
    "cpsconv.abi.attribute_checks:thread_errors": [THREAD_LOCAL],
}

LONGJMP = External("longjmp", ContinuationType((PTR, INT)))
SETJMP = "setjmp"
"""The name of the external function that saves its return continuation in a buffer, for `longjmp`."""

EXTERNALS[LONGJMP.name] = LONGJMP
attributes.IMPLIED[SETJMP] = RETURNING_AGAIN


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


def read_signature(function: Function, data: Any, type_of: Callable[[Any], Any]) -> None:
    """Give the function the signature that earlier versions wrote in JSON; `type_of` reads a type."""
    structs = {each["parameter"]: type_of(each) for each in data["structs"]}
    if wrong := [number for number in structs if number >= len(function.parameters)]:
        raise ValueError(f"{function.name} has no parameter {wrong[0] + 1}, which is passed by value")
    set_signature(function, CSignature(structs, data["returns_struct"], data["variadic"]))
