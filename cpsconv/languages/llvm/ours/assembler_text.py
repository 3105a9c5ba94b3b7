"""Assembler text without instructions, whose constraints alone move values: ``call i32 asm "", "=r,0"(i32 %x)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import Undef, Value
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.object_types import scalars_of
from cpsconv.languages.llvm.ours.operands import operands_of
from cpsconv.languages.llvm.types import end_of_brackets

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering

_CALL = re.compile(r'(?:\w+ )?call (.*) asm (?:[a-z]+ )*"(?:rep|nop|pause|[lms]fence|[; ]|\\0A|\\09)*", "([^"]*)"\(')
"""A call of text that at most waits, or orders accesses, whose order the program keeps."""


def is_without_instructions(line: Line) -> bool:
    """Whether a call is one of such text."""
    return bool(_CALL.match(line.text))


def moved(function: FunctionLowering, line: Line) -> Any:
    """The result of a call of such text: outputs have the values of the inputs in the same places, or are undefined.

    Raises `Inexpressible` for types that the program lacks.
    """
    match, types = _CALL.match(line.text), function.types
    assert match
    operands = operands_of(line.text[match.end() : end_of_brackets(line.text, match.end() - 1) - 1])
    arguments = zip(operands, function.values_of(line, operands), strict=True)
    places, pointers, given = list[str](), dict[int, Any](), dict[int, tuple[str, Any]]()
    for constraint in filter(None, match[2].split(",")):
        if constraint[0] == "=":
            if "*" in constraint:
                pointers[len(places)] = next(arguments)[1]
            places.append(constraint.lstrip("=&"))
        elif constraint[0] != "~":
            operand, value = next(arguments)
            tied = [n for n, place in enumerate(places) if constraint == (place if constraint[0] == "{" else str(n))]
            given.update(dict.fromkeys(tied, (operand.type, value)))
    for number in pointers.keys() & given.keys():
        function.memory.store(*given[number], pointers[number])
    results = [number for number in range(len(places)) if number not in pointers]
    scalars = list[Value]()
    for number, type in zip(results, types.parts(match[1]) if len(results) > 1 else [match[1]], strict=False):
        unknown = [Undef(each, "asm") for each in types.scalars(type)]
        scalars += scalars_of(given[number][1]) if number in given else unknown
    return types.value(match[1], scalars) if results else None
