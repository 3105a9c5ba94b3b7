"""Generated C types, objects and pointers, whose accesses C defines: the part of `tests.c_programs` with memory.

Each object is initialised where it is declared. An index is within the bounds, since it is taken modulo the length; a
pointer always points to as many objects as its type here states, of a scope that does not end before its own. The
fields of a union have no padding, so that each may be read after another one was written. What is read from memory is
never an operand beside a call that may change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from tests.c_expressions import FLOATS, INT, INTEGERS, CType, Expressions
from tests.choices import Choices


@dataclass(frozen=True)
class Array:
    """An array type."""

    element: Type
    length: int


@dataclass(frozen=True)
class Pointer:
    """A pointer to at least `count` objects."""

    target: Type
    count: int


@dataclass(frozen=True)
class Field:
    """A field; `bits` is the width of a bit-field."""

    name: str
    type: Type
    bits: int = 0


@dataclass(frozen=True)
class Record:
    """A struct or union, by its name in C, ``struct s0`` or the name of a typedef. `fields` may be reached directly."""

    name: str
    fields: tuple[Field, ...]
    is_union: bool = False
    definition: str = ""


Type = Union[CType, Array, Pointer, Record]


@dataclass(frozen=True)
class Object:
    """An object or a part of it: the lvalue, and its type."""

    text: str
    type: Type
    is_constant: bool = False
    is_bits: bool = False


_BYTE = next(type for type in INTEGERS if type.name == "unsigned char")
_SHORT = next(type for type in INTEGERS if type.name == "short")
_UNSIGNED = next(type for type in INTEGERS if type.name == "unsigned")
_BIT_TYPES = [type for type in INTEGERS if type.name in ("int", "unsigned", "unsigned char", "long", "bool")]

_PUNNED = Record(
    "union punned",
    (Field("i", INT), Field("u", _UNSIGNED), Field("bytes", Array(_BYTE, 4)), Field("halves", Array(_SHORT, 2))),
    is_union=True,
    definition="union punned { int i; unsigned u; unsigned char bytes[4]; short halves[2]; };",
)

_WORDS = ["", "a", "be", "sea", "deep", "e\\tf", "gamma!", "h%i"]


def declaration(type: Type, name: str) -> str:
    """The declaration of a name."""
    while True:
        if isinstance(type, Array):
            name = f"{name}[{type.length}]"
            type = type.element
        elif isinstance(type, Pointer):
            name = f"(*{name})" if isinstance(type.target, Array) else f"*{name}"
            type = type.target
        else:
            return f"{type.name} {name}"


class Types:
    """The types, helper functions and global objects of one program."""

    def __init__(self, choose: Choices) -> None:
        self.choose = choose
        self.records: list[Record] = [_PUNNED]
        self.globals: list[Object] = []
        for number in range(choose.number(1, 3)):
            self.records.append(self._record(number))
        self.structs = self.records[1:]
        self.operations = choose.number(2, 4)

    def _record(self, number: int) -> Record:
        choose = self.choose
        fields: list[Field] = []
        for index in range(choose.number(1, 5)):
            if choose.number(0, 3) == 0:
                bit_type = choose.pick(_BIT_TYPES)
                size = {"bool": 1, "unsigned char": 8, "long": 40}.get(bit_type.name, 31)
                fields.append(Field(f"b{index}", bit_type, choose.number(1, size)))
            else:
                fields.append(Field(f"f{index}", self.type(2)))
        inner = "".join(
            f" {declaration(field.type, field.name)}{f' : {field.bits}' if field.bits else ''};" for field in fields
        )
        if choose.number(0, 4) == 0:
            fields += [Field("low", INT), Field("high", INT)]
            inner += " struct { int low, high; };"
        style = choose.number(0, 2)
        name = f"s{number}_t" if style == 0 else f"struct s{number}"
        definition = f"typedef struct {{{inner} }} {name};" if style == 0 else f"{name} {{{inner} }};"
        return Record(name, tuple(fields), definition=definition)

    def scalar(self) -> CType:
        """A type of numbers."""
        return self.choose.pick((INT, INT, *INTEGERS, *FLOATS))

    def type(self, depth: int = 2) -> Type:
        """A type of objects, without pointers."""
        kind = self.choose.number(0, 6) if depth else 0
        if kind == 5 and self.records:
            return self.choose.pick(self.records)
        if kind >= 4:
            return Array(self.type(depth - 1), self.choose.number(1, 4))
        return self.scalar()

    # --------------------------------------------------------------------------------------------- initial values

    def initialiser(self, type: Type, value: str | None = None) -> str:
        """An initial value, of constants. `value` may be one of the numbers, where one is needed."""
        choose = self.choose
        if isinstance(type, CType):
            return value or choose.pick(("0", "1", "-1", "7", "42", "100", "-3", "2"))
        if isinstance(type, Array):
            if isinstance(type.element, CType) and type.element.name == "char" and choose.number(0, 1):
                return f'"{"abc"[: type.length - 1]}"'
            count = choose.number(1, type.length)
            inner = [self.initialiser(type.element) for _ in range(count)]
            if choose.number(0, 3) == 0:
                at = choose.number(0, type.length - 1)
                inner.append(f"[{at}] = {self.initialiser(type.element)}")
            return f"{{{', '.join(inner)}}}"
        assert isinstance(type, Record)
        if type.is_union:
            return choose.pick(("{5}", "{.bytes = {1, 2, 3, 4}}", "{.u = 4000000000u}"))
        if choose.number(0, 2) == 0:
            field = choose.pick(type.fields)
            return f"{{.{field.name} = {self.initialiser(field.type)}}}"
        named = [field for field in type.fields if field.name not in ("low", "high")]
        return f"{{{', '.join(self.initialiser(field.type) for field in named) or '0'}}}"

    # ------------------------------------------------------------------------------------------------------ lines

    def definitions(self) -> list[str]:
        """The types, globals and helper functions of the program."""
        choose = self.choose
        lines = ["enum color { RED, GREEN = 5, BLUE };"]
        lines += [record.definition for record in self.records]
        for number in range(choose.number(2, 5)):
            lines.append(self._global(number))
        lines.append("static int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};")
        self.globals.append(Object("numbers", Array(INT, 8)))
        lines.append("static int *cursor = &numbers[2];")
        words = ", ".join(f'"{word}"' for word in _WORDS)
        lines.append(f"static const char *const words[{len(_WORDS)}] = {{{words}}};")
        for number in range(self.operations):
            body = choose.pick(("a + b", "a * 3 - b", "(a ^ b) & 255", "a < b ? a : b", "a == b", "a - (b | 1)"))
            lines.append(f"static int op{number}(int a, int b) {{ return {body}; }}")
        table = ", ".join(f"op{number}" for number in range(self.operations))
        lines.append(f"static int (*const operations[])(int, int) = {{{table}}};")
        lines += _HELPERS
        for number, record in enumerate(self.structs):
            lines += self._functions(number, record)
        return lines

    def _global(self, number: int) -> str:
        type = self.type(2)
        words = self.choose.pick(("static ", "", "static const "))
        if words == "static const " and isinstance(type, CType):
            words = "static "
        name = f"g{number}"
        self.globals.append(Object(name, type, is_constant="const" in words))
        initial = f" = {self.initialiser(type)}" if self.choose.number(0, 3) else ""
        return f"{words}{declaration(type, name)}{initial};"

    def _functions(self, number: int, record: Record) -> list[str]:
        """Functions that take and return the struct."""
        leaves = [leaf for leaf in self.scalars(Object("s", record)) if leaf.type.kind == "integer"]
        total = " + ".join(f"(unsigned long){leaf.text}" for leaf in leaves[:6]) or "0"
        change = f" {leaves[0].text} = n;" if leaves else ""
        through = "".join(f" {leaf.text.replace('s.', 'p->', 1)} += 1;" for leaf in leaves[:1])
        return [
            f"static unsigned long sum{number}({record.name} s) {{ return {total}; }}",
            f"static {record.name} changed{number}({record.name} s, int n) {{{change} return s; }}",
            f"static {record.name} *touched{number}({record.name} *p) {{{through} return p; }}",
        ]

    def scalars(self, whole: Object) -> list[Object]:
        """All numbers in an object."""
        found, pending = list[Object](), [whole]
        while pending:
            part = pending.pop()
            if isinstance(part.type, Array):
                pending += [
                    Object(f"{part.text}[{index}]", part.type.element, part.is_constant)
                    for index in reversed(range(part.type.length))
                ]
            elif isinstance(part.type, Record):
                pending += [
                    Object(f"{part.text}.{field.name}", field.type, part.is_constant, bool(field.bits))
                    for field in reversed(part.type.fields)
                ]
            elif isinstance(part.type, CType):
                found.append(part)
        return found


_HELPERS = [
    "static long vsum(int n, ...) {",
    "    va_list ap;",
    "    long s = 0;",
    "    va_start(ap, n);",
    "    while (n-- > 0) s = s * 3 + va_arg(ap, int);",
    "    va_end(ap);",
    "    return s;",
    "}",
    "static double vmix(const char *kinds, ...) {",
    "    va_list ap, again;",
    "    double s = 0;",
    "    va_start(ap, kinds);",
    "    va_copy(again, ap);",
    "    for (; *kinds; kinds++) {",
    "        if (*kinds == 'i') s += va_arg(ap, int) % 1000;",
    "        else if (*kinds == 'l') s += (double)(va_arg(ap, long) % 1000);",
    "        else if (*kinds == 'd') s += va_arg(ap, double) > 0 ? 1 : 2;",
    "        else s += va_arg(ap, int *)[1] % 100;",
    "    }",
    "    s += va_arg(again, int) % 10;",
    "    va_end(again);",
    "    va_end(ap);",
    "    return s;",
    "}",
]


class Memory:
    """The objects that the statements of one function can use, innermost scope last."""

    def __init__(self, types: Types, expressions: Expressions) -> None:
        self.types = types
        self._choose = types.choose
        self._expressions = expressions
        self.objects: list[Object] = [*types.globals]
        self._names = 0

    def declare(self) -> list[str]:
        """The declaration of a new object, of a pointer, or of a `static`."""
        choose, name = self._choose, f"m{self._names}"
        self._names += 1
        kind = choose.number(0, 6)
        if kind <= 1 and (pointer := self._pointer(name)):
            return pointer
        type = self.types.type(2)
        if kind == 2:
            self.objects.append(Object(name, type))
            return [f"static {declaration(type, name)} = {self.types.initialiser(type)};"]
        initial = self.types.initialiser(type, f"(int)({self._expressions.integer(2)})")
        if isinstance(type, CType):  # let its address be taken
            self.objects.append(Object(name, type))
            self.objects.append(Object(f"q{name}", Pointer(type, 1)))
            return [f"{declaration(type, name)} = {initial};", f"{type.name} *q{name} = &{name};"]
        self.objects.append(Object(name, type))
        return [f"{declaration(type, name)} = {initial};"]

    def _pointer(self, name: str) -> list[str] | None:
        """A pointer to an object, or into an array."""
        found = self._pointed()
        if found is None:
            return None
        target, count, text = found
        self.objects.append(Object(name, Pointer(target, count)))
        return [f"{declaration(Pointer(target, count), name)} = {text};"]

    def _pointed(self) -> tuple[Type, int, str] | None:
        """A type, a number of objects, and a pointer to them."""
        part = self._part(lambda each: not each.is_constant and not each.is_bits, constant=True)
        if part is None:
            return None
        if isinstance(part.type, Array):
            start = self._choose.number(0, part.type.length - 1)
            text = self._choose.pick((f"&{part.text}[{start}]", f"{part.text} + {start}"))
            return part.type.element, part.type.length - start, text
        if isinstance(part.type, Pointer):
            return part.type.target, part.type.count, part.text
        return part.type, 1, f"&{part.text}"

    def _part(self, accepts: object, constant: bool = False) -> Object | None:
        """A part of an object: from the object downwards, to some depth."""
        assert callable(accepts)
        part = self._choose.pick(self.objects)
        while True:
            if not isinstance(part.type, CType) and self._choose.number(0, 4):
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
            return Object(f"{part.text}->{field.name}", field.type, part.is_constant, bool(field.bits))
        if type.count == 1:
            return Object(f"(*{part.text})", type.target, part.is_constant)
        index = self._index(type.count, constant)
        form = choose.pick(("{0}[{1}]", "(*({0} + {1}))"))
        return Object(form.format(part.text, index), type.target, part.is_constant)

    def _index(self, length: int, constant: bool) -> str:
        if constant or self._choose.number(0, 2) == 0:
            return str(self._choose.number(0, length - 1))
        variables = self._expressions.readable("integer")
        value = self._choose.pick(variables).name if variables else "3"
        return f"(unsigned)({value}) % {length}" if length > 1 else "0"

    # ------------------------------------------------------------------------------------------------ expressions

    def read(self, kind: str) -> str | None:
        """An expression that reads a number of that kind from memory."""
        part = self._scalar(kind, writable=False)
        return part.text if part else None

    def _scalar(self, kind: str, writable: bool) -> Object | None:
        part = self._choose.pick(self.objects)
        while not isinstance(part.type, CType):
            part = self._inner(part, constant=False)
        return None if part.type.kind != kind or (writable and part.is_constant) else part

    def integer(self) -> str:
        """An expression of an integer type that uses objects: calls without effects, strings, literals."""
        choose, one, other = self._choose, self._expressions.integer(1), self._expressions.integer(1)
        word = f"words[(unsigned)({one}) % {len(_WORDS)}]"
        records = [each for each in self.objects if each.type in self.types.structs]
        forms = [
            f"operations[(unsigned)({one}) % {self.types.operations}]((int)({other}), 3)",
            f"(int)strlen({word})",
            f"{word}[0]",
            f'"wxyz"[(unsigned)({one}) % 4]',
            f"(int[]){{1, 20, (int)({other})}}[(unsigned)({one}) % 3]",
            f"vsum(2, (int)({one}), (int)({other}))",
            f'(int)vmix("idlp", (int)({one}), 0.5, (long)({other}), numbers)',
            "(int)(BLUE - GREEN)",
            f"(strcmp({word}, words[2]) > 0)",
            f"(cursor - numbers) + cursor[-1] + ({one} ? *cursor : cursor[1])",
        ]
        if records:
            record = choose.pick(records)
            number = self.types.structs.index(record.type)  # type: ignore[arg-type]
            forms += [f"sum{number}({record.text})", f"sum{number}(changed{number}({record.text}, (int)({one})))"]
        return f"({choose.pick(forms)})"

    # ------------------------------------------------------------------------------------------------- statements

    def statement(self) -> list[str]:
        """Some lines that change objects."""
        choose = self._choose
        kind = choose.number(0, 11)
        if kind == 0 and (found := self._record_statement()):
            return found
        if kind == 1:
            pointers = [each for each in self.objects if isinstance(each.type, Pointer)]
            if pointers and (moved := self._moved(choose.pick(pointers))):
                return moved
        if kind == 2:
            return self._heap()
        if kind == 3:
            return self._variable_array()
        if kind == 4:
            return self._text()
        if kind == 5:
            return self._list()
        if kind == 6:
            return [f"cursor = &numbers[1 + (unsigned)({self._expressions.integer(1)}) % 6];"]
        if kind == 7:
            return self._entered_scope()
        return self._store()

    def _store(self) -> list[str]:
        number = self._scalar("integer", writable=True)
        if number is None:
            fraction = self._scalar("float", writable=True)
            return [f"{fraction.text} = {self._expressions.floating(1)};"] if fraction else [";"]
        form = self._choose.pick(("{} = {};", "{} = {};", "{} += {};", "{} ^= {};", "{}++;", "--{};"))
        return [form.format(number.text, self._expressions.integer(2))]

    def _record_statement(self) -> list[str] | None:
        records = [each for each in self.objects if each.type in self.types.structs and not each.is_constant]
        if not records:
            return None
        choose, target = self._choose, self._choose.pick(records)
        number = self.types.structs.index(target.type)  # type: ignore[arg-type]
        same = [each for each in self.objects if each.type is target.type]
        value = self._expressions.integer(1)
        assert isinstance(target.type, Record)
        return [
            choose.pick(
                (
                    f"{target.text} = {choose.pick(same).text};",
                    f"{target.text} = changed{number}({choose.pick(same).text}, (int)({value}));",
                    f"{target.text} = ({target.type.name}){self.types.initialiser(target.type)};",
                    f"touched{number}(&{target.text});",
                    f"*touched{number}(&{target.text}) = {choose.pick(same).text};",
                    f"{target.text} = {value} ? {choose.pick(same).text} : {choose.pick(same).text};",
                )
            )
        ]

    def _moved(self, pointer: Object) -> list[str] | None:
        """Let a pointer point elsewhere: to objects of earlier declarations, which live at least as long."""
        assert isinstance(pointer.type, Pointer)
        before = self.objects
        self.objects = before[: before.index(pointer)]
        found = self._pointed() if self.objects else None
        self.objects = before
        if found is None or found[0] != pointer.type.target or found[1] < pointer.type.count:
            return None
        return [f"{pointer.text} = {found[2]};"]

    def _heap(self) -> list[str]:
        choose, count = self._choose, self._choose.number(1, 5)
        records: list[Record | CType] = [*self.types.structs, INT, INTEGERS[2]]
        record = choose.pick(records)
        zero = f"({record.name}){{0}}" if isinstance(record, Record) else "0"
        more = [f"h = realloc(h, {2 * count} * sizeof *h);", f"h[{count}] = h[{count - 1}];"] * choose.number(0, 1)
        shown = self.types.scalars(Object(f"h[{count - 1}]", record))[:1]
        allocation = choose.pick((f"malloc({count} * sizeof *h)", f"calloc({count}, sizeof *h)"))
        return [
            "{",
            f"{record.name} *h = {allocation};",
            f"for (int k = 0; k < {count}; k++) h[k] = {zero};",
            *more,
            *(f"{each.text} = {self._expressions.integer(1)};" for each in shown),
            *(f'printf("%d ", (int)({each.text} > 5));' for each in shown),
            "free(h);",
            "}",
        ]

    def _variable_array(self) -> list[str]:
        length = self._expressions.integer(1)
        return [
            "{",
            f"int n = (int)((unsigned)({length}) % 4) + 1, w[n][2];",
            "for (int k = 0; k < n; k++) w[k][0] = k, w[k][1] = -k;",
            f"w[n - 1][1] += {self._expressions.integer(1)};",
            'printf("%d %d %d ", (int)(sizeof w / sizeof *w), w[0][0], w[n - 1][1]);',
            "}",
        ]

    def _text(self) -> list[str]:
        word = f"words[(unsigned)({self._expressions.integer(1)}) % {len(_WORDS)}]"
        return [
            "{",
            f'char text[12] = "{self._choose.pick(_WORDS)}", copy[12];',
            f"strcpy(copy, {word});",
            self._choose.pick(("memcpy(text, copy, sizeof text / 4);", "text[0] = 'Q';", "memset(text + 2, 'z', 3);")),
            "text[11] = 0;",
            "for (char *p = text; *p && p < text + 11; p++) *p ^= 1, *p ^= 1;",
            'printf("%s/%s ", copy, strcmp(copy, text) ? "differs" : "same");',
            "}",
        ]

    def _list(self) -> list[str]:
        return [
            "{",
            "struct node { int value; struct node *next; } *head = 0;",
            f"for (int k = 0; k < {self._choose.number(0, 4)}; k++) {{",
            "struct node *new = malloc(sizeof *new);",
            "*new = (struct node){k * k, head};",
            "head = new;",
            "}",
            "while (head) {",
            "struct node *next = head->next;",
            'printf("%d ", head->value);',
            "free(head);",
            "head = next;",
            "}",
            "}",
        ]

    def _entered_scope(self) -> list[str]:
        """A scope with objects that is entered in the middle, by a case."""
        return [
            f"switch ((unsigned)({self._expressions.integer(1)}) % 3) {{",
            "int box[2];",
            "case 0:;",
            f"box[0] = {self._expressions.integer(1)};",
            'printf("%d ", *box);',
            "break;",
            "case 1:;",
            "default:;",
            "box[1] = 8;",
            'printf("%d ", box[1]);',
            "}",
        ]

    # ----------------------------------------------------------------------------------------------------- output

    def shown_globals(self) -> list[str]:
        """Lines that print all numbers of the global objects."""
        lines = []
        for each in self.types.globals:
            for leaf in self.types.scalars(each):
                assert isinstance(leaf.type, CType)
                if leaf.type.kind == "float":
                    lines.append(f'printf("%g ", ({leaf.text} == {leaf.text} ? (double){leaf.text} : 0));')
                else:
                    lines.append(f'printf("%ld ", (long){leaf.text});')
        return lines
