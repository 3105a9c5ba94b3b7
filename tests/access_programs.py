"""Random programs, as CPS text, that mostly access memory correctly, in loops and functions, and sometimes do not."""

from __future__ import annotations

import random

_HEADER = """\
struct point { x : int, y : char, z : double }
struct pair { p : ptr, n : long }
struct line { a : pair, c : short[3] }
union number { i : int, f : float }
const primes := int[6] { 2, 3, 5, 7, 11, 13 }
const word := "hello\\0"
data table := point[3] { { 1, 'a', 2.5 }, { 2 } }
extern strlen(s : ptr, ret : unsigned long → ⊥) → ⊥
extern memset(s : ptr, c : int, n : unsigned long, ret : ptr → ⊥) → ⊥
extern memcpy(s : ptr, t : ptr, n : unsigned long, ret : ptr → ⊥) → ⊥

ints(p : ptr, i : int, ret : int → ⊥) → ⊥ {
  q := int.at(p, i);
  v := int[q];
  int[q] := v + 1;
  ret(v + int[p])
}

points(p : ptr, i : int, ret : int → ⊥) → ⊥ {
  q := point.at(p, i);
  v := int[point.x(q)];
  int[point.x(q)] := v + 1;
  w := double[point.z(p)];
  double[point.z(q)] := w;
  ret(v + int(w))
}
"""

_OBJECTS = {
    "a": ("int", "allocate int[6]"),
    "b": ("int", "calloc(6ul, 4ul)"),
    "c": ("char", "malloc(8ul)"),
    "d": ("point", "allocate point[4]"),
    "e": ("point", "malloc(64ul)"),
    "f": ("double", "allocate double[5]"),
    "g": ("pair", "malloc(16ul)"),
    "h": ("line", "calloc(2ul, 24ul)"),
    "j": ("number", "allocate number[3]"),
    "k": ("short", "allocate short"),
    "l": ("point", "calloc(1ul, 16ul)"),
    "primes": ("int", ""),
    "table": ("point", ""),
    "word": ("char", ""),
}

_FIELDS = {
    "point": [("x", "int"), ("y", "char"), ("z", "double")],
    "pair": [("p", "ptr"), ("n", "long")],
    "number": [("i", "int"), ("f", "float")],
}

_VALUES = {
    "int": ["i", "s", "7", "-1"],
    "char": ["'q'", "char(i)"],
    "double": ["1.5", "double(s)"],
    "long": ["long(i)", "5l"],
    "float": ["0.5f"],
    "short": ["3s", "short(i)"],
    "ptr": ["a", "null", "int.at(a, 2)"],
}

_LENGTHS = {"a": 6, "c": 8, "d": 4, "e": 4, "f": 5, "g": 1, "k": 1}
_INITIAL = {"int": "4", "char": "'z'", "double": "2.0", "long": "4l", "short": "1s", "ptr": "null"}


class _Maker:
    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.lines: list[str] = []
        self.names = [name for name in _OBJECTS if source.random() < 0.6] or ["a"]
        self.count = 0
        self.open = 0
        self.faults = source.choice([0.0, 0.01, 0.05])

    def index(self) -> str:
        if self.source.random() < self.faults:
            return self.source.choice(["-1", "9", "1000000000", "i * 3", "i - 2"])
        return self.source.choice(["i", "i", "i & 1", "0", "1", "2 - i"])

    def scalar(self, name: str) -> tuple[str, str]:
        """The type and the address of a scalar in the object."""
        type = _OBJECTS[name][0]
        if self.source.random() < self.faults:
            return self.source.choice(["int", "char", "long", "double"]), name
        base = name
        if self.source.random() < 0.8:
            base = f"{type}.at({name}, {self.index()})"
            if self.source.random() < 0.3:
                self.count += 1
                self.lines.append(f"q{self.count} := {base};")
                base = f"q{self.count}"
        if type == "line":
            if self.source.random() < 0.5:
                return "short", f"short.at(line.c({base}), {self.index()})"
            type, base = "pair", f"line.a({base})"
        if type in _FIELDS:
            field, inner = self.source.choice(_FIELDS[type])
            return inner, f"{type}.{field}({base})"
        return type, base

    def step(self) -> None:
        source = self.source
        name = source.choice(self.names)
        type = _OBJECTS[name][0]
        is_constant = name in ("primes", "word")
        choice = source.random()
        self.count += 1
        if choice < 0.45 and (not is_constant or source.random() < self.faults):
            scalar, address = self.scalar(name)
            self.lines.append(f"{scalar}[{address}] := {source.choice(_VALUES[scalar])};")
        elif choice < 0.7:
            scalar, address = self.scalar(name)
            self.lines.append(f"v{self.count} := {scalar}[{address}];")
            shown = {"double": "%g", "float": "%g", "ptr": "%p", "long": "%ld"}.get(scalar, "%d")
            value = f"v{self.count}" if scalar != "float" else f"double(v{self.count})"
            value = f"int({value})" if scalar in ("char", "short") else value
            self.lines.append(f'printf("{shown}\\n", {value});')
        elif choice < 0.75 and type in ("point", "pair", "line", "number"):
            self.lines.append(f"{type}[{name}, {self.index()}] := {type}[{name}, {self.index()}];")
        elif choice < 0.85 and type in ("int", "point") and not is_constant:
            inner = f"{type}.at({name}, {self.index()})" if source.random() < 0.3 else name
            self.lines.append(f"{type}s({inner}, {self.index()}, λ(s : int).")
            self.open += 1
        elif choice < 0.88 and not is_constant:
            self.lines.append(f"memset({name}, {source.choice('015')}, {source.choice('248')}ul, λ(t : ptr).")
            self.open += 1
        elif choice < 0.9:
            other = source.choice(self.names)
            if not is_constant and other != name:
                self.lines.append(f"memcpy({name}, {other}, {source.choice('248')}ul, λ(t : ptr).")
                self.open += 1
        elif choice < 0.92 and type == "char":
            self.lines.append(f"strlen({name}, λ(n{self.count} : unsigned long).")
            self.lines.append(f'printf("%d\\n", int(n{self.count}));')
            self.open += 1
        elif choice < 0.94 and name in ("b", "c", "e", "g", "h", "l") and source.random() < 0.3 + self.faults:
            self.lines.append(source.choice([f"free({name});", f"r{self.count} := realloc({name}, 40ul);"]))
        elif choice < 0.95 and name in ("a", "d", "f") and source.random() < self.faults * 5:
            self.lines.append(f"deallocate({name});")


def memory_program(number: int) -> str:
    """The text of the program of that number."""
    maker = _Maker(random.Random(number))
    source = maker.source
    start = [f"{name} := {made};" for name in _OBJECTS if (made := _OBJECTS[name][1])]
    for name in maker.names:  # most objects are filled
        type, made = _OBJECTS[name]
        for index in range(_LENGTHS.get(name, 0)):
            for field, inner in _FIELDS.get(type, [("", type)]):
                if source.random() < 0.95:
                    element = f"{type}.at({name}, {index})"
                    address = f"{type}.{field}({element})" if field else element
                    start.append(f"{inner}[{address}] := {_INITIAL[inner]};")
    for _ in range(source.randint(1, 12)):
        maker.step()
    body = "\n          ".join(maker.lines)
    return f"""{_HEADER}
main(ret : int → ⊥) → ⊥ {{
  {chr(10).join(start)}
  let
    loop := (i : int, s : int) → ⊥
      let
        body := () → ⊥
          {body}
          loop(i + 1, s){")" * maker.open}
        exit := () → ⊥
          ret(s)
      in
      branch(i < 3, body, exit)
  in
  loop(0, 0)
}}
"""
