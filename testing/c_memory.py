"""Generated objects and pointers, whose accesses C defines: the part of `testing.c_programs` with memory.

Each object is initialised where it is declared. An index is within the bounds, since it is taken modulo the length; a
pointer always points to as many objects as its type here states, of a scope that does not end before its own. What is
read from memory is never an operand beside a call that may change it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from testing.c_expressions import INTEGERS, CType, Expressions
from testing.c_memory_blocks import BLOCKS, Ground
from testing.c_memory_types import (
    WORDS,
    Array,
    Callee,
    Object,
    Pointer,
    Record,
    Type,
    Types,
    declaration,
    holds_pointers,
    scalars,
)


class Memory:
    """The objects that the statements of one function can use, innermost scope last. `helpers` are those it calls."""

    def __init__(self, types: Types, expressions: Expressions, helpers: set[str]) -> None:
        self.types = types
        self._choose = types.choose
        self._expressions = expressions
        self.objects: list[Object] = [*types.globals]
        self._names = 0
        self._helpers = helpers
        self._bases: dict[Object, Object] = {}
        """The local pointers to which pointers to pointers point."""

    # --------------------------------------------------------------------------------------------- declarations

    def declare(self) -> list[str]:
        """The declaration of a new object, of a pointer, or of a `static`."""
        choose, name = self._choose, f"m{self._names}"
        self._names += 1
        kind = choose.number(0, 7)
        if kind <= 1 and (pointer := self._pointer(name)):
            return pointer
        if kind == 7 and (pointer := self._pointer_to_pointer(name)):
            return pointer
        type = Callee() if kind == 6 else self.types.type(2)
        if kind == 2:
            self.objects.append(Object(name, type))
            return [f"static {declaration(type, name)} = {self.types.initialiser(type)};"]
        initial = self.types.initialiser(type, f"(int)({self._expressions.integer(2)})")
        self.objects.append(Object(name, type))
        if isinstance(type, CType):  # let its address be taken
            self.objects.append(Object(f"q{name}", Pointer(type, 1)))
            return [f"{declaration(type, name)} = {initial};", f"{type.name} *q{name} = &{name};"]
        return [f"{declaration(type, name)} = {initial};"]

    def _pointer(self, name: str) -> list[str] | None:
        """A pointer to an object, or into an array."""
        found = self._pointed()
        if found is None:
            return None
        target, count, text = found
        self.objects.append(Object(name, Pointer(target, count)))
        return [f"{declaration(Pointer(target, count), name)} = {text};"]

    def _pointer_to_pointer(self, name: str) -> list[str] | None:
        """A pointer to a pointer or to the address of a function: a local one, or one in a record."""
        part = self._part(lambda each: isinstance(each.type, (Pointer, Callee)) and not each.is_constant, constant=True)
        if part is None:
            return None
        pointer = Object(name, Pointer(part.type, 1))
        if part in self.objects:
            self._bases[pointer] = part
        self.objects.append(pointer)
        return [f"{declaration(pointer.type, name)} = &{part.text};"]

    def _pointed(self) -> tuple[Type, int, str] | None:
        """A type, a number of objects, and a pointer to them."""
        part = self._part(lambda each: not each.is_constant and not each.is_bits, constant=True)
        if part is None or isinstance(part.type, Callee):
            return None
        if isinstance(part.type, Array):
            start = self._choose.number(0, part.type.length - 1)
            text = self._choose.pick((f"&{part.text}[{start}]", f"{part.text} + {start}"))
            return part.type.element, part.type.length - start, text
        if isinstance(part.type, Pointer):
            return part.type.target, part.type.count, part.text
        return part.type, 1, f"&{part.text}"

    # ----------------------------------------------------------------------------------------- parts of objects

    def _part(self, accepts: Callable[[Object], bool], constant: bool = False) -> Object | None:
        """A part of an object: from the object downwards, to some depth."""
        part = self._choose.pick(self.objects)
        while True:
            if not isinstance(part.type, (CType, Callee)) and self._choose.number(0, 4):
                part = self._inner(part, constant)
            else:
                return part if accepts(part) else None

    def _inner(self, part: Object, constant: bool) -> Object:
        """A part of an array, of a record, or of what a pointer points to."""
        choose, type = self._choose, part.type
        if isinstance(type, Array):
            return Object(f"{part.text}[{self._index(type.length, constant)}]", type.element, part.is_constant)
        if isinstance(type, Record):
            field = choose.pick(type.fields)
            return Object(f"{part.text}.{field.name}", field.type, part.is_constant, bool(field.bits))
        assert isinstance(type, Pointer)
        if isinstance(type.target, Record) and choose.number(0, 2):
            field = choose.pick(type.target.fields)
            return Object(f"{part.text}->{field.name}", field.type, False, bool(field.bits))
        if type.count == 1:
            return Object(f"(*{part.text})", type.target)
        index = self._index(type.count, constant)
        form = choose.pick(("{0}[{1}]", "(*({0} + {1}))", "{1}[{0}]"))
        return Object(form.format(part.text, index), type.target)

    def _index(self, length: int, constant: bool) -> str:
        if constant or self._choose.number(0, 2) == 0:
            return str(self._choose.number(0, length - 1))
        variables = self._expressions.readable("integer")
        value = self._choose.pick(variables).name if variables else "3"
        return f"((unsigned)({value}) % {length})" if length > 1 else "0"

    # ------------------------------------------------------------------------------------------------ expressions

    def read(self, kind: str) -> str | None:
        """An expression that reads a number of that kind from memory, or calls a function without effects."""
        part = self._leaf()
        if isinstance(part.type, Callee):
            call = self._choose.pick(("{}({}, 3)", "(*{})({}, 3)"))
            return call.format(part.text, self._index(100, constant=False)) if kind == "integer" else None
        assert isinstance(part.type, CType)
        return part.text if part.type.kind == kind else None

    def _leaf(self) -> Object:
        part = self._choose.pick(self.objects)
        while not isinstance(part.type, (CType, Callee)):
            part = self._inner(part, constant=False)
        return part

    def _target(self, kind: str) -> Object | None:
        """A number of that kind that may be changed."""
        part = self._leaf()
        writable = isinstance(part.type, CType) and part.type.kind == kind and not part.is_constant
        return part if writable else None

    def integer(self) -> str:
        """An expression of an integer type that uses objects: calls without effects, strings, literals."""
        choose, one, other = self._choose, self._expressions.integer(1), self._expressions.integer(1)
        word = f"words[(unsigned)({one}) % {len(WORDS)}]"
        forms = [
            f"operations[(unsigned)({one}) % {self.types.operations}]((int)({other}), 3)",
            f"(int)strlen({word})",
            f"{word}[0]",
            f'"wxyz"[(unsigned)({one}) % 4]',
            f'L"w\\x20acz"[(unsigned)({one}) % 4]',
            f'*(u8"\\u00e4" "bc" + (unsigned)({one}) % 5)',
            f"(int[]){{1, 20, (int)({other})}}[(unsigned)({one}) % 3]",
            f"*&(int){{{other}}}",
            "(int)(BLUE - GREEN)",
            f"(strcmp({word}, words[2]) > 0)",
            f"(memcmp(numbers, numbers + (unsigned)({one}) % 4, 4 * sizeof(int)) > 0)",
            f"(cursor - numbers) + cursor[-1] + ({one} ? *cursor : cursor[1])",
            f"(cursor > &numbers[(unsigned)({one}) % 8])",
            "*(cursor ? cursor : (int *)0) + !cursor + (cursor == (int *)(long)(cursor + 1) - 1)",
            f"((__typeof__(fuel))({one}) + ({{ int inner = (int)({other}); inner ^= 5; inner; }}))",
            f"_Generic({word}, const char *: 4, default: (int)({one}))",
            f"(int)sizeof(struct {{ char c; {declaration(self.types.type(1), 'f')}; }})",
        ]
        with_helper = [
            ("vsum", f"vsum(2, (int)({one}), (int)({other}))"),
            ("vpassed", f"vpassed(3, (int)({one}), 4, (int)({other}))"),
            ("vmix", f'(int)vmix("idlp", (int)({one}), 0.5, (long)({other}), numbers)'),
            ("applied", f"applied({choose.pick(('op0', '&op1', 'operations[0]'))}, 3, numbers + 1)"),
            ("chosen", f"chosen((int)({one}))((int)({other}), 4)"),
            ("depth", f"depth((unsigned)({one}) % 5, 0)"),
        ]
        forms += self._of_records(one)
        at = choose.number(0, len(forms) + len(with_helper) - 1)
        if at < len(forms):
            return f"({forms[at]})"
        name, text = with_helper[at - len(forms)]
        self._helpers.add(name)
        return f"({text})"

    def _of_records(self, value: str) -> list[str]:
        """Expressions that pass and return a record."""
        records = [each for each in self.objects if each.type in self.types.structs]
        if not records:
            return []
        record = self._choose.pick(records)
        number = self.types.structs.index(record.type)  # type: ignore[arg-type]
        changed = f"changed{number}({record.text}, (int)({value}))"
        parts = [each.text for each in scalars(Object(changed, record.type)) if each.type in INTEGERS]
        return [f"sum{number}({record.text})", f"sum{number}({changed})", *parts[:1]]

    # ------------------------------------------------------------------------------------------------- statements

    def statement(self) -> list[str]:
        """Some lines that change objects."""
        kind = self._choose.number(0, 14)
        if kind <= 1 and (found := self._record_statement()):
            return found
        if kind <= 3 and (moved := self._moved()):
            return moved
        if kind == 4:
            return [f"cursor = &numbers[1 + (unsigned)({self._expressions.integer(1)}) % 6];"]
        if kind <= 9:
            ground = Ground(self.types, self._expressions, self.objects, self._helpers, self._names)
            self._names += 1
            block = self._choose.pick(BLOCKS)(ground)
            return ["{", *block, "}"] if block else self._store()
        return self._store()

    def _store(self) -> list[str]:
        number = self._target("integer")
        if number is None:
            fraction = self._target("float")
            return [f"{fraction.text} = {self._expressions.floating(1)};"] if fraction else [";"]
        form = self._choose.pick(
            ("{} = {};", "{} = {};", "{} += {};", "{} ^= {};", "{}++;", "--{};", "{} = {other} = {};")
        )
        other = self._target("integer") or number
        return [form.format(number.text, self._expressions.integer(2), other=other.text)]

    def _record_statement(self) -> list[str] | None:
        records = [each for each in self.objects if each.type in self.types.structs and not each.is_constant]
        if not records:
            return None
        choose, target = self._choose, self._choose.pick(records)
        number = self.types.structs.index(target.type)  # type: ignore[arg-type]
        same = [each.text for each in self.objects if each.type is target.type]
        value = self._expressions.integer(1)
        assert isinstance(target.type, Record)
        literal = f"({target.type.name}){self.types.initialiser(target.type)}"
        forms = [
            f"{target.text} = {choose.pick(same)};",
            f"{target.text} = changed{number}({choose.pick(same)}, (int)({value}));",
            f"{target.text} = {literal};",
            f"touched{number}(&{target.text});",
            f"*touched{number}(&{target.text}) = {choose.pick(same)};",
            f"{target.text} = {value} ? {choose.pick(same)} : {choose.pick(same)};",
            f"{target.text} = *touched{number}(&{literal});",
            f"memmove(&{target.text}, &{choose.pick(same)}, sizeof {target.text});",
        ]
        if not holds_pointers(target.type):
            forms.append(f"memset(&{target.text}, 0, sizeof({target.type.name}));")
        return [choose.pick(forms)]

    def _moved(self) -> list[str] | None:
        """Let a pointer point elsewhere: to objects of earlier declarations, which live at least as long.

        Pointers in objects other than local pointers are moved to global objects.
        """
        part = self._choose.pick(self.objects)
        while isinstance(part.type, (Array, Record)):
            part = self._inner(part, constant=False)
        if isinstance(part.type, Callee) and not part.is_constant:
            return [f"{part.text} = {self.types.initialiser(part.type)};"]
        if not isinstance(part.type, Pointer) or part.is_constant:
            return None
        base = part
        if isinstance(part.type.target, (Pointer, Callee)):
            base = self._bases.get(part, Object("", part.type))
            part = replace(part, text=f"*{part.text}", type=part.type.target)
        if isinstance(part.type, Callee):
            return [f"{part.text} = {self.types.initialiser(part.type)};"]
        text = self._elsewhere(base, part.type)
        return [f"{part.text} = {text};"] if text else None

    def _elsewhere(self, base: Object, type: Type) -> str | None:
        """A pointer of the type to objects that are declared before `base`, or to global objects."""
        assert isinstance(type, Pointer)
        everything = self.objects
        end = everything.index(base) if base in everything else len(self.types.globals)
        self.objects = everything[:end]
        found = self._pointed() if self.objects else None
        self.objects = everything
        if found is None or found[0] != type.target or found[1] < type.count:
            return None
        return found[2]
