"""The definition of checked memory, a program in the CPS language, for one program: with its types, texts and objects.

`objects.cps` has the objects and their checks, `errors.cps` the errors, `library.cps` the functions of C's library on
memory, `jumps.cps` has `setjmp`, and `accesses.cps` is a template for the accesses to the values of a type. A
``«name.1»`` in them is a part of a message (`cpsconv.core.operations.memory_messages`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from cpsconv.abi.attributes import SETJMP
from cpsconv.abi.prototypes import BEGIN_ACTIVATION, CONTROL, END_ACTIVATION, PROTOTYPES, PROVIDED
from cpsconv.core import ir
from cpsconv.core.operations.memory_messages import message, parts
from cpsconv.core.operations.names import CREATE_ZEROED, RELEASE
from cpsconv.core.operations.table import CONVERT, ELEMENT, FIELD, LOAD
from cpsconv.core.operations.types import type_title
from cpsconv.core.source import Source, Span
from cpsconv.core.text import parse
from cpsconv.core.text.spelling import literal_text

EXTERNALS = ("__read", "__write")
"""The external functions of the definition, on memory that is not checked."""

CHECKED_CALLS = {
    **{name: name for name in PROVIDED - CONTROL},
    **{name: f"checked{name[1:]}" for name in EXTERNALS},
    BEGIN_ACTIVATION: "begin_activation",
    END_ACTIVATION: "end_activation",
    SETJMP: "save_jump",
}
"""The function of the definition for each external function of programs."""


class Texts:
    """The texts in messages of a program, by number from 1, with the sizes of those that are types of elements."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sizes: dict[int, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers) + 1)

    def unit(self, type: ir.ObjectType) -> int:
        """The number of the title of a type of elements."""
        found = self.number(type_title(type))
        self.sizes[found] = type.size
        return found

    def line(self, span: Span | None) -> int:
        """The number of the text that names the line of a location; empty without one."""
        return self.number(message("line", span.line_of_file) if span else "")


def definition(texts: Texts, types: Iterable[ir.Scalar], has_jumps: bool) -> ir.Program:
    """The definition with the accesses to the types, and the texts; with that of `setjmp` and `longjmp` if needed."""
    units = {type: texts.unit(type) for type in dict.fromkeys([ir.CHAR, *[ir.LONG] * has_jumps, *types])}
    jumps = [_file("jumps.cps").replace("NO_LINE", str(texts.line(None)))] * has_jumps
    written = "".join(_case(number, f"eprint({_string(text)}); ret()") for text, number in texts.numbers.items())
    sizes = "".join(_case(number, f"ret({size}ul)") for number, size in texts.sizes.items())
    program = _parsed(
        units[ir.CHAR],
        *(_accesses(type, unit) for type, unit in units.items()),
        *jumps,
        f"write_text(text : int, ret : () → ⊥) → ⊥ {{ switch(text, {written}_ ⇒ λ(). ret()) }}",
        f"size_of_unit(unit : int, ret : unsigned long → ⊥) → ⊥ {{ switch(unit, {sizes}_ ⇒ λ(). ret(0ul)) }}",
    )
    for member in program.members():
        member.body = [step for statement in member.body for step in _with_numbers(statement)]
    return program


UNIT_OF_CHAR = 1
"""The text of the type `char` in `definition_over_records`."""


def definition_over_records() -> ir.Program:
    """The definition for a host that has the records of objects itself, and the texts, which are any values of its own.

    The functions refer to the host by the numbers of records, accesses to fields of records and to `count`, pointers to
    bytes, which are any values, too, and external functions.
    """
    program = _parsed(
        UNIT_OF_CHAR,
        "extern load_char(p : ptr, ret : char → ⊥) → ⊥",
        "extern write_text(text : int, ret : () → ⊥) → ⊥",
        "extern size_of_unit(unit : int, ret : unsigned long → ⊥) → ⊥",
    )
    [records] = (each for each in program.data if each.name == "records")
    for member in program.members():
        member.body = [each for each in member.body if each.op != LOAD or each.operands != (records,)]
    return program


def _parsed(unit_of_char: int, *items: str) -> ir.Program:
    parts = [
        *(f"extern {name}{_signature(name)}" for name in EXTERNALS),
        _ITEMS,
        *map(_file, ("objects.cps", "errors.cps")),
        _file("library.cps").replace("UNIT_OF_CHAR", str(unit_of_char)),
        *items,
    ]
    program = parse(Source("memory.cps", "\n".join(parts)))
    for statement in program.statements():
        statement.span = None
    return program


def _with_numbers(statement: ir.Statement) -> Iterator[ir.Statement]:
    """The statements that compute an address, whose object exists, as a number."""
    if statement.op not in (ELEMENT, FIELD):
        yield statement
        return
    pointer, *index = statement.operands
    start = ir.Primitive(CONVERT, (pointer,), ir.UNSIGNED_LONG)
    yield start
    if isinstance(statement.of, ir.Field):
        distance: ir.Value = ir.Constant(ir.UNSIGNED_LONG, statement.of.offset)
    else:
        size = ir.Constant(ir.UNSIGNED_LONG, ir.object_type_of(statement).size)
        number = ir.Primitive(CONVERT, (index[0],), ir.UNSIGNED_LONG)
        distance = number if size.value == 1 else ir.Primitive("*", (number, size), ir.UNSIGNED_LONG)
        yield from [number] if distance is number else [number, distance]
    sum = ir.Primitive("+", (start, distance), ir.UNSIGNED_LONG)
    yield sum
    statement.op, statement.operands, statement.of = CONVERT, (sum,), None
    yield statement


_ITEMS = """
data objects := record { }
data records := objects
data count := 0ul
data room := 0ul
data scratch := char[16] { }
"""


def _case(number: int, body: str) -> str:
    return f"{number} ⇒ λ(). {body}, "


def _string(text: str) -> str:
    return literal_text(ir.Constant(ir.STRING, text.encode().decode("latin-1")))


def _signature(name: str) -> str:
    type = PROTOTYPES[name].type
    names = [*(f"p{index}" for index in range(len(type.parameters) - 1)), "ret"]
    pairs = zip(names, type.parameters, strict=True)
    return f"({', '.join(f'{name} : {each}' for name, each in pairs)}) → ⊥"


@cache
def _file(name: str) -> str:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    text = re.sub("calloc|free", lambda found: _NAMES[found[0]], text)
    text = re.sub(r"«(\w+)\.(\d)»", lambda found: parts(found[1])[int(found[2])], text)
    return re.sub(r'eprint\(""\);\s*', "", text)


_NAMES = {"calloc": CREATE_ZEROED, "free": RELEASE}


def access_name(operation: str, type: ir.Scalar) -> str:
    """The name of the function for an access to a value of a type: ``load_unsigned_long``."""
    return f"{operation}_{str(type).replace(' ', '_')}"


def _accesses(type: ir.Scalar, unit: int) -> str:
    halves, marks = _MARKS[type.size]
    zero = f"0{marks.suffix}" if marks is not ir.CHAR else "0"
    facts = {
        "WRITTEN": " & ".join(f"({marks}[marks, {index}] == {zero})" for index in range(halves)),
        "MARK": " ".join(f"{marks}[marks, {index}] := {zero};" for index in range(halves)),
        "SIZE": str(type.size),
        "UNIT": str(unit),
    }
    text = re.sub("|".join(facts), lambda found: facts[found[0]], _file("accesses.cps"))
    text = re.sub(r"(\w+)_TYPE", lambda found: access_name(found[1], type), text)
    return text.replace("TYPE", str(type))


_MARKS = {
    1: (1, ir.UNSIGNED_CHAR),
    2: (1, ir.UNSIGNED_SHORT),
    4: (1, ir.UNSIGNED),
    8: (1, ir.UNSIGNED_LONG),
    16: (2, ir.UNSIGNED_LONG),
}
"""The number and the type of the words of the marks of a value, by its size."""
