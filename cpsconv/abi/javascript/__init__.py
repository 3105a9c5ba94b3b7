"""The foreign operations of JavaScript: names, results, and which of them may throw.

The text of an operation is ``js.`` and its name, followed by its static operand, if any: the name of a variable or
property, an operator, a number, or a string in single quotes. docs/javascript.md states what each of them means.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from cpsconv.core.attributes import Attribute, register
from cpsconv.core.ir import BOOL, STRING, VOID, Scalar, foreign_type

PREFIX = "js."
"""The start of the names of JavaScript's types, operations and attributes in a program."""

FUNCTION = f"{PREFIX}function"
"""The attribute of a function with its kind in the source, and the numbers of its parameters."""

MODULE = f"{PREFIX}module"
"""The attribute of a program: ``script`` or ``module``, and the imports and exports of a module in further lines."""

RESERVED_WORDS = frozenset(
    """break case catch class const continue debugger default delete do else enum export extends false finally for
    function if import in instanceof new null return super switch this throw true try typeof var void while
    with""".split()  # noqa: SIM905
)
"""The words that are no identifiers."""

STRICT_WORDS = frozenset(
    ["implements", "interface", "let", "package", "private", "protected", "public", "static", "yield"]
)
"""The words that are no identifiers in strict code."""

NO_NAMES = RESERVED_WORDS.union(STRICT_WORDS, ("arguments", "await", "eval", "undefined"))
"""The words that a target gives to no variable and no function."""

register(Attribute(FUNCTION, "string", ["function"]), Attribute(MODULE, "string", ["program"]))

VALUE = foreign_type(f"{PREFIX}value")
"""The type of a value of JavaScript, of any type that it has at run time."""

CELL = foreign_type(f"{PREFIX}cell")
"""The type of a cell: the place of a variable that a closure captures, and that is assigned later."""


class Operation(NamedTuple):
    """The result of an operation; whether it depends on the operands alone (pure); whether it may throw."""

    result: Scalar
    is_pure: bool = False
    throws: bool = False


CONSTANTS = ("undefined", "null", "true", "false", "number", "bigint", "string", "uninitialised")
"""The operations without operands, whose results a target may write in place as often as they are used."""

_PURE = Operation(VALUE, is_pure=True)
_TEST = Operation(BOOL, is_pure=True)
_THROWS = Operation(VALUE, throws=True)
_ACTS = Operation(VOID, throws=True)

_ROWS = {
    _PURE: f"{' '.join(CONSTANTS)} same negation type_name increment decrement concatenation argument",
    _TEST: "truthy is_nullish is_undefined is_done",
    _THROWS: (
        "binary unary numeric to_string property_key get get_super delete delete_sloppy delete_global private_in "
        "call apply new new_apply call_super apply_super import await yield yield_all "
        "global typeof_variable variable iterator keys step step_value rest without class "
        "async_iterator async_next async_return item jsx jsx_component jsx_fragment"
    ),
    _ACTS: (
        "set set_sloppy set_super set_variable set_global set_global_sloppy assign_constant check require_object "
        "append_all copy_properties define define_named define_getter define_setter define_method set_prototype "
        "iterator_close require_result"
    ),
    Operation(VALUE): (
        "regexp array object closure template_object get_cell result exception import_meta this_module sloppy_this"
    ),
    Operation(STRING): "shown",
    Operation(VOID): "set_cell append append_hole iterator_close_quietly initialise export debugger",
    Operation(CELL): "cell parameter_cell",
}

OPERATIONS = {name: operation for operation, names in _ROWS.items() for name in names.split()}
"""The operations by their names without ``js.``; ``throw`` and others that end a block are no statements."""


def static_text(name: str, operand: str = "") -> str:
    """The text of an operation with its static operand."""
    return f"{PREFIX}{name} {operand}" if operand else PREFIX + name


def quoted(text: str) -> str:
    """A string as a static operand: in single quotes, with the escapes of JSON."""
    return "'" + json.dumps(text)[1:-1].replace('\\"', '"').replace("'", "\\u0027") + "'"


def unquoted(operand: str) -> str:
    """The string that a static operand denotes."""
    return str(json.loads('"' + operand[1:-1].replace('"', '\\"') + '"'))


def is_word(key: str) -> bool:
    """Whether a property name can be a static operand as it is."""
    return re.fullmatch(r"[A-Za-z_$][\w$]*", key, re.ASCII) is not None
