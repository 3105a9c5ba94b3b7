"""Random CPS texts with memory that run without a fault, or with one planted fault.

The programs have structs with scalars, arrays, structs and pointers; data; local and heap objects; accesses at constant
and computed places, also as another type; copies; pointers in fields; library calls; loops over arrays in functions
that are called directly and through pointers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from cpsconv.core.ir import ContinuationType
from cpsconv.platform.prototypes import PROTOTYPES, PROVIDED


def declaration(name: str, type: ContinuationType) -> str:
    """The declaration of an external function."""
    parameters = ", ".join(f"a{number} : {each}" for number, each in enumerate(type.parameters))
    return f"extern {name}({parameters}) → ⊥\n"


LIBRARY = "".join(declaration(name, PROTOTYPES[name].type) for name in sorted(PROVIDED))
"""The declarations of the external functions that every engine provides."""

SCALARS = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "long": 8, "double": 8, "float": 4, "bool": 1}
FAULTS = ("bounds", "below", "freed", "null", "unwritten", "twice", "constant", "ended")


@dataclass
class _Struct:
    name: str
    fields: list[tuple[str, str, int | None]] = field(default_factory=list)  # name, unit, length

    def text(self) -> str:
        shown = ", ".join(
            f"{name} : {unit}{'' if count is None else f'[{count}]'}" for name, unit, count in self.fields
        )
        return f"struct {self.name} {{ {shown} }}"


@dataclass
class _Object:
    """An object: the expression of the pointer to it, its unit, and its number of units."""

    pointer: str
    unit: str
    count: int
    is_constant: bool = False
    ends: str = ""  # the operation that ends its lifetime


class _Writer:
    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.structs: dict[str, _Struct] = {}
        self.lines: list[str] = []
        self.ends: list[str] = []
        self.objects: list[_Object] = []
        self.values = ["1", "7"]
        self.number = 0
        self.index: tuple[str, int] | None = None
        self.functions: list[str] = []

    def new(self, hint: str) -> str:
        self.number += 1
        return f"{hint}_{self.number}"

    def line(self, text: str) -> None:
        self.lines.append(text)

    # ------------------------------------------------------------------------------------------------------- types

    def make_structs(self) -> None:
        for name in ("point", "row", "cell")[: self.source.randint(1, 3)]:
            struct = _Struct(name)
            units = [*SCALARS, "int", "int", "ptr", *self.structs]
            for number in range(self.source.randint(1, 4)):
                count = self.source.choice([None, None, 2, 3])
                struct.fields.append((f"f{number}", self.source.choice(units), count))
            self.structs[name] = struct

    # ----------------------------------------------------------------------------------------------------- objects

    def leaves(self, unit: str, address: str) -> list[tuple[str, str]]:
        """The scalars of a unit: their types and addresses."""
        if unit not in self.structs:
            return [(unit, address)]
        found = []
        for name, inner, count in self.structs[unit].fields:
            start = f"{unit}.{name}({address})"
            for index in range(count or 1):
                found += self.leaves(inner, start if count is None else f"{inner}.at({start}, {index})")
        return found

    def zero(self, unit: str) -> str:
        """The content of an object, as far as its first scalar."""
        if unit in self.structs:
            _, inner, count = self.structs[unit].fields[0]
            return f"{{ {self.zero(inner) if count is None else f'{{ {self.zero(inner)} }}'} }}"
        return {"ptr": "null", "bool": "true", "double": "1.5", "float": "0.5f"}.get(unit, "3")

    def initialise(self, made: _Object) -> None:
        for index in range(made.count):
            for type, address in self.leaves(made.unit, f"{made.unit}.at({made.pointer}, {index})"):
                self.line(f"{type}[{address}] := {self.of_type(type)};")

    def of_type(self, type: str, value: str | None = None) -> str:
        if type == "ptr":
            ints = [each for each in self.objects if each.unit == "int" and not each.is_constant]
            return self.source.choice(ints).pointer if ints else "null"
        if type == "bool":
            return f"{value or self.source.choice(self.values)} > 3"
        return f"{type}({value})" if value else self.source.choice([f"{type}({v})" for v in self.values])

    def allocate(self, unit: str | None = None) -> _Object:
        unit = unit or self.source.choice([*SCALARS, "int", "ptr", *self.structs, *self.structs])
        name, count = self.new("o"), self.source.randint(1, 4)
        how = self.source.random()
        if how < 0.5:
            self.line(f"{name} := allocate {unit}{f'[{count}]' if count > 1 or self.source.random() < 0.3 else ''};")
            ends = "deallocate" if self.source.random() < 0.7 else ""
        elif how < 0.7:
            self.line(f"n_{name} := {self.source.choice(self.values)} & 0;")
            self.line(f"{name} := allocate {unit}[n_{name} + {count}];")
            ends = "deallocate"
        else:
            size = sum(SCALARS.get(type, 8) for type, _ in self.leaves(unit, "")) * 2 + 16
            self.line(f"{name} := malloc({size * count}ul);")
            ends = "free"
        made = _Object(name, unit, count, ends=ends)
        self.initialise(made)
        self.objects.append(made)
        return made

    def place(self, made: _Object) -> tuple[str, str]:
        """The type and address of a scalar of the object."""
        index = str(self.source.randrange(made.count))
        if self.index and self.index[1] <= made.count and self.source.random() < 0.7:
            index = self.index[0]
        address = (
            made.pointer if index == "0" and self.source.random() < 0.5 else f"{made.unit}.at({made.pointer}, {index})"
        )
        if self.source.random() < 0.3:
            name = self.new("p")
            self.line(f"{name} := {address};")
            address = name
        return self.source.choice(self.leaves(made.unit, address))

    # -------------------------------------------------------------------------------------------------- statements

    def statement(self) -> None:
        made = self.source.choice(self.objects)
        kinds = "load load store store update copy pun bytes pointer compute print library compare"
        kind = self.source.choice(kinds.split())
        type, address = self.place(made)
        if type == "ptr" and kind != "copy":
            self.through(address, made)
        elif kind == "load":
            name = self.new("v")
            self.line(f"{name} := int({type}[{address}]);")
            self.values.append(name)
        elif kind == "store" and not made.is_constant:
            self.line(f"{type}[{address}] := {self.of_type(type, self.source.choice(self.values))};")
        elif kind == "update" and not made.is_constant and type not in ("bool",):
            self.line(f"{type}[{address}] := {type}[{address}] + {self.of_type(type)};")
        elif kind == "copy":
            self.copy(made)
        elif kind == "pun":
            self.pun(type, address, made.is_constant)
        elif kind == "bytes":
            name = self.new("b")
            self.line(f"{name} := int(char[{address}, {self.source.randrange(SCALARS[type])}]);")
            if type not in ("float", "double"):
                self.values.append(name)
        elif kind == "compute":
            name, op = self.new("w"), self.source.choice("+-*^")
            self.line(f"{name} := {self.source.choice(self.values)} {op} {self.source.choice(self.values)};")
            self.values.append(name)
        elif kind == "print":
            self.line(f'printf("%d ", {self.source.choice(self.values)});')
        elif kind == "library" and self.index is None:
            self.library(made)
        elif kind == "compare":
            name, other = self.new("c"), self.source.choice(self.objects)
            self.line(f"{name} := int({made.pointer} == {other.pointer});")
            self.values.append(name)

    def through(self, address: str, made: _Object) -> None:
        """An access through a pointer in memory, which points to an `int`, or is null."""
        if not [each for each in self.objects if each.unit == "int" and not each.is_constant]:
            return
        name, value = self.new("q"), self.new("v")
        if not made.is_constant:
            self.line(f"ptr[{address}] := {self.of_type('ptr')};")
            self.line(f"{name} := ptr[{address}];")
            self.line(f"{value} := int[{name}];")
            if self.source.random() < 0.5:
                self.line(f"int[{name}] := {value} + 1;")
            self.values.append(value)

    def copy(self, made: _Object) -> None:
        if made.unit in self.structs and not made.is_constant:
            others = [each for each in self.objects if each.unit == made.unit]
            other = self.source.choice(others)
            indices = self.source.randrange(made.count), self.source.randrange(other.count)
            self.line(f"{made.unit}[{made.pointer}, {indices[0]}] := {made.unit}[{other.pointer}, {indices[1]}];")

    def pun(self, type: str, address: str, is_constant: bool) -> None:
        same = {4: ["int", "unsigned"], 8: ["long"], 2: ["short"], 1: ["char"]}[SCALARS[type]]
        other, name = self.source.choice(same), self.new("u")
        if type != "bool" and self.source.random() < 0.5:
            self.line(f"{name} := int({other}[{address}]);")
            self.values.append(name)
        elif not is_constant and type not in ("bool", "float", "double"):
            self.line(f"{other}[{address}] := {self.of_type(other)};")

    def library(self, made: _Object) -> None:
        if made.unit == "char" and not made.is_constant and made.count > 1:
            name = self.new("t")
            self.line(f"char[{made.pointer}, {made.count - 1}] := char(0);")
            self.call("strlen", made.pointer, "unsigned long", name)
            self.line(f"{name}i := int({name});")
            self.values.append(f"{name}i")
        elif made.unit in SCALARS and not made.is_constant:
            others = [each for each in self.objects if each.unit == made.unit and each.count >= made.count]
            other = self.source.choice(others)
            size = made.count * SCALARS[made.unit]
            self.call("memmove", f"{made.pointer}, {other.pointer}, {size}ul", "ptr", self.new("t"))

    def call(self, function: str, arguments: str, type: str, result: str) -> None:
        self.line(f"{function}({arguments}, λ({result} : {type}).")
        self.ends.append(")")

    # ---------------------------------------------------------------------------------------------------- functions

    def loop_function(self, unit: str, count: int) -> str:
        """A function of an array: its loop has random statements. Returns its text."""
        name = f"g{len(self.functions)}"
        self.functions.append(name)
        saved = self.lines, self.objects, self.values, self.ends
        self.lines, self.ends = [], []
        self.objects = [*[each for each in saved[1] if each.pointer.startswith("d")], _Object("a", unit, count)]
        self.values, self.index = ["i", "s", "3"], ("i", count)
        for _ in range(self.source.randint(2, 6)):
            self.statement()
        result = self.source.choice(self.values)
        body = "\n".join(f"          {line}" for line in self.lines)
        self.lines, self.objects, self.values, self.ends = saved
        self.index = None
        return f"""
{name}(a : ptr, n : int, ret : int → ⊥) → ⊥ {{
  let
    for := (s : int, i : int) → ⊥
      let
        body := () → ⊥
{body}
          for(s + {result}, i + 1)
        exit := () → ⊥
          ret(s)
      in
      branch(i < n, body, exit)
  in
  for(0, 0)
}}
"""


def program(number: int, fault: str | None = None) -> str:
    """The text of the random program with that number, with a planted fault if one is given."""
    source = random.Random(number)
    writer = _Writer(source)
    writer.make_structs()
    data = ["data d0 := int[4] { 2, 3, 5, 7 }", 'data d1 := char[8] "hello"', "const d2 := int[3] { 9, 8, 7 }"]
    first = next(iter(writer.structs))
    data.append(f"data d3 := {first}[2] {{ {writer.zero(first)} }}")
    globals_ = [_Object("d0", "int", 4), _Object("d1", "char", 8), _Object("d2", "int", 3, is_constant=True)]
    globals_.append(_Object("d3", first, 2))
    writer.objects += globals_
    functions, shapes = [], []
    for _ in range(source.randint(1, 3)):
        unit, count = source.choice([*writer.structs, "int", "char"]), source.randint(1, 3)
        functions.append(writer.loop_function(unit, count))
        shapes.append((unit, count))
    writer.initialise(globals_[-1])
    writer.initialise(globals_[0])
    for _ in range(source.randint(2, 4)):
        writer.allocate()
    for step in range(source.randint(4, 14)):
        writer.statement()
        if source.random() < 0.3:
            which = source.randrange(len(shapes))
            unit, count = shapes[which]
            fitting = [
                each for each in writer.objects if each.unit == unit and each.count >= count and not each.is_constant
            ]
            made = source.choice(fitting) if fitting else writer.allocate(unit)
            if made.count >= count:
                result = writer.new("r")
                if source.random() < 0.4:
                    pointer = writer.new("f")
                    writer.line(f"{pointer} := ptr[table, {which}];")
                    writer.line(f"call({pointer}, {made.pointer}, {count}, λ({result} : int).")
                    writer.ends.append(")")
                else:
                    writer.call(f"g{which}", f"{made.pointer}, {count}", "int", result)
                writer.values.append(result)
        if fault and step == 2:
            _plant(writer, fault)
    shown = writer.values[-6:]
    writer.line(f'printf("{"%d " * len(shown)}\\n", {", ".join(shown)});')
    for made in writer.objects:
        if made.ends and source.random() < 0.9:
            writer.line(f"{made.ends}({made.pointer});")
    table = f"data table := ptr[{len(shapes)}] {{ {', '.join(writer.functions)} }}"
    externs = [
        "extern strlen(s : ptr, ret : unsigned long → ⊥) → ⊥",
        "extern memmove(t : ptr, s : ptr, n : unsigned long, ret : ptr → ⊥) → ⊥",
    ]
    body = "\n".join(f"  {line}" for line in writer.lines)
    main = f"main(ret : int → ⊥) → ⊥ {{\n{body}\n  ret({writer.values[-1]} & 63){''.join(writer.ends)}\n}}\n"
    structs = [struct.text() for struct in writer.structs.values()]
    return "\n".join([*structs, *data, table, *externs]) + "\n" + "\n".join(functions) + "\n" + main


def graph_program(number: int) -> str:
    """A program whose main function jumps at random, between accesses of a few objects at a few places.

    The accesses may be faults.
    """
    source = random.Random(number)
    names = [f"k{index}" for index in range(source.randint(2, 6))]
    is_gentle = source.random() < 0.7  # without accesses that are likely to fail
    pointers = ["a", "b", "d", "e", "p", "q", "point.x(b)", "point.x(q)"]
    pointers += [] if is_gentle else ["point.at(p, i & 1)", "int.at(a, 1)", "point.y(q)"]

    def statement(label: str) -> str:
        pointer, other = source.choice(pointers), source.choice(pointers)
        index = source.choice(["", ", 1", ", i & 1"] if is_gentle else ["", ", 1", ", i & 1", ", -1"])
        kinds = {
            "store": f"int[{pointer}{index}] := {source.choice(['x', 'i', '5', 'x + 1'])};",
            "load": f'v_{label} := int[{pointer}{index}]; printf("%d ", v_{label});',
            "twice": f"w_{label} := int[{pointer}{index}]; int[{other}] := w_{label}; int[{other}] := 3;",
            "short": f"short[{pointer}{index}] := short(x);",
            "copy": f"point[{pointer}] := point[{other}];",
            "constant": f"u_{label} := int[c, {source.randrange(3)}]; int[{pointer}] := u_{label};",
            "publish": f"ptr[g] := {source.choice('abp')};",
            "undefined": f"int[{pointer}{index}] := undef(z : int);",
            "end": source.choice(["deallocate(a);", "free(b);", "deallocate(e);", "free(p);"]),
        }
        weights = [6, 6, 4, 1, 3, 2, 1, *([0, 0] if is_gentle else [0.3, 0.3])]
        return kinds[source.choices([*kinds], weights)[0]]

    def jump(label: str) -> str:
        def edge() -> str:
            p, q, x = source.choice("pqabe"), source.choice("pqde"), source.choice(["x", "x + 1", "i"])
            return f"{source.choice(names)}(i - 1, {p}, {q}, {x})"

        if source.random() < 0.3:
            return f"touch({source.choice('pqd')}, λ(r_{label} : int). {edge()})"
        choice = f"branch((i & {source.choice([1, 2, 4])}) == 0, λ(). {edge()}, λ(). {edge()})"
        return f"branch(i < 0, λ(). done(x), λ(). {choice})"

    blocks = []
    for name in names:
        body = "\n        ".join(statement(f"{name}{step}") for step in range(source.randint(1, 5)))
        blocks.append(f"    {name} := (i : int, p : ptr, q : ptr, x : int) → ⊥\n        {body}\n        {jump(name)}")
    ends = "\n        ".join(source.sample(["deallocate(a);", "free(b);", "deallocate(e);"], source.randint(0, 3)))
    initial = [f"int[{each}, {n}] := {n};" for each in "abe" for n in (0, 1) if is_gentle or source.random() < 0.95]
    start = "\n  ".join(initial)
    effects = ["int[p] := 9;", "ptr[g] := p;", "o := ptr[g]; int[o] := 8;", "" if is_gentle else "free(p);"]
    touched = source.choice(effects)
    return f"""struct point {{ x : int, y : int }}
data d := int[2] {{ 1, 2 }}
data g := ptr[1] {{ d }}
const c := int[3] {{ 4, 5, 6 }}

touch(p : ptr, ret : int → ⊥) → ⊥ {{
  {touched}
  n := int[p];
  ret(n)
}}

main(ret : int → ⊥) → ⊥ {{
  a := allocate int[2];
  b := malloc(8ul);
  e := allocate point;
  {start}
  let
{chr(10).join(blocks)}
    done := (x : int) → ⊥
        {ends}
        ret(x & 63)
  in
  {names[0]}({source.randint(0, 12)}, {source.choice("abe")}, d, 1)
}}
"""


def _plant(writer: _Writer, fault: str) -> None:
    name = writer.new("x")
    if fault == "null":
        writer.line(f"{name} := int(long(0) & 0l);")
        writer.line(f"{name}p := ptr({name});")
        writer.line(f"int[{name}p] := 5;")
        return
    if fault == "constant":
        writer.line(f"int[d2, {writer.source.randrange(3)}] := 5;")
        return
    writer.line(f"{name} := malloc(12ul);" if fault != "ended" else f"{name} := allocate int[3];")
    if fault != "unwritten":
        writer.line(f"int[{name}, 0] := 1;")
    if fault == "freed":
        writer.line(f"free({name});")
    if fault == "twice":
        writer.line(f"free({name});")
        writer.line(f"free({name});")
        return
    if fault == "ended":
        writer.line(f"deallocate({name});")
    index = {"bounds": "3", "below": "-1"}.get(fault, "0")
    writer.line(f"{name}v := int[{name}, {index}];")
    writer.line(f'printf("%d ", {name}v);')
