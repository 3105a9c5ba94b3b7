"""Random programs in tinylang, each with a translation to Python that shares nothing with cpsconv.

In Python, a variable is a list with its value, an array a list of variables, a record a dictionary of variables, and a
VAR argument the variable itself. Nested procedures and procedure values are Python's functions and closures. All
variables are initialised; the variable `fuel` bounds the number of calls, so that they can call each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import NamedTuple

LENGTH = 4
"""The length of every array."""

_PRELUDE = """
class Fault(Exception):
    pass

def wrap(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)

def div(left, right):
    if right == 0 or (left == -(1 << 63) and right == -1):
        raise Fault
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient

def mod(left, right):
    return wrap(left - div(left, right) * right)

def at(array, index):
    if not 0 <= index < len(array):
        raise Fault
    return array[index]

def deref(pointer):
    if pointer is None:
        raise Fault
    return pointer

def copied(source):
    if isinstance(source, dict):
        return {name: copied(part) for name, part in source.items()}
    return [each if not isinstance(each, (list, dict)) else copied(each) for each in source]

def assign(target, source):
    for place in target if isinstance(target, dict) else range(len(target)):
        if isinstance(target[place], (list, dict)):
            assign(target[place], source[place])
        else:
            target[place] = source[place]

def no_function(*arguments):
    raise Fault

def array():
    return [[0] for _ in range(4)]

def record():
    return {"x": [0], "y": [0], "a": array()}
"""

_TYPES = """TYPE
  Row = ARRAY [4] OF INTEGER;
  Matrix = ARRAY [4] OF Row;
  Item = RECORD x, y: INTEGER; a: Row END;
  Pair = RECORD x, y: INTEGER END;
  Link = POINTER TO Item;
  Function = PROCEDURE (INTEGER, VAR INTEGER): INTEGER;
"""

_NEW = {
    "INTEGER": "[0]",
    "BOOLEAN": "[False]",
    "Row": "array()",
    "Matrix": "[array() for _ in range(4)]",
    "Item": "record()",
    "Pair": "{'x': [0], 'y': [0]}",
    "Link": "[None]",
}


class Pair(NamedTuple):
    """A text in tinylang and in Python."""

    tiny: str
    python: str


class Procedure(NamedTuple):
    """A procedure: for each parameter its type and whether it is a reference; whether it is a `Function`."""

    name: str
    parameters: list[tuple[str, bool]]
    returns: bool

    @property
    def is_function(self) -> bool:
        return self.returns and self.parameters == [("INTEGER", False), ("INTEGER", True)]


Scope = dict[str, str]
"""The visible variables with their types. A function value has the type `Function`."""


class Generator:
    """Generates one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tiny: list[str] = []
        self.python: list[str] = []
        self.procedures = 0

    def program(self) -> Pair:
        """The program in both languages."""
        scope: Scope = {"g": "INTEGER", "h": "INTEGER", "flag": "BOOLEAN", "row": "Row", "m": "Matrix"}
        scope |= {"item": "Item", "other": "Item", "link": "Link"}
        self._line(0, "MODULE random;\n\nFROM InOut IMPORT WriteInt, WriteLn;\n", _PRELUDE)
        self._line(0, _TYPES, "")
        self._line(0, "VAR fuel: INTEGER;", "fuel = [40]")
        self._variables(scope, 0)
        known: list[Procedure] = []
        for _ in range(self.random.randint(1, 3)):
            known.append(self._procedure(scope, known, 0))
        self._line(0, "BEGIN", "def body():")
        self._line(1, "fuel := 40; NEW(link); link^ := item", "link[0] = record()")
        self._statements(scope, known, 1, 5, None)
        for each in ("g", "h", "item.y", "row[1]", "m[2][3]", "link^.x"):
            shown = self._place(each, scope)
            self._line(1, f"; WriteInt({shown.tiny}, 0); WriteLn", f"print({shown.python}[0])")
        self._line(0, "END random.", "")
        return Pair("\n".join(self.tiny) + "\n", "\n".join(self.python) + "\n")

    def _line(self, depth: int, tiny: str, python: str) -> None:
        if tiny:
            self.tiny.append("  " * depth + tiny)
        if python:
            self.python.append("    " * depth + python)

    def _variables(self, scope: Scope, depth: int) -> None:
        for name, type in scope.items():
            if type != "Function":
                self._line(depth, f"VAR {name}: {type};", f"{name} = {_NEW[type]}")

    # ---------------------------------------------------------------------------------------------- procedures

    def _procedure(self, outer: Scope, known: list[Procedure], depth: int) -> Procedure:
        choose = self.random
        self.procedures += 1
        name = f"P{self.procedures}"
        types = [choose.choice(["INTEGER"] * 3 + ["Row", "Item", "BOOLEAN"]) for _ in range(choose.randint(0, 3))]
        own = Procedure(name, [(type, choose.random() < 0.4) for type in types], choose.random() < 0.6)
        if choose.random() < 0.4:
            own = Procedure(name, [("INTEGER", False), ("INTEGER", True)], True)
        names = choose.sample(["a", "b", "c", "x", "y"], len(own.parameters))
        takes_function = choose.random() < 0.3 and not own.is_function
        if takes_function:
            own.parameters.append(("Function", False))
            names.append("f")
        scope = outer | {each: type for each, (type, _) in zip(names, own.parameters, strict=True)}
        formals = [
            f"{'VAR ' if is_reference else ''}{each}: {type}"
            for each, (type, is_reference) in zip(names, own.parameters, strict=True)
        ]
        header = f"PROCEDURE {name}({'; '.join(formals)}){': INTEGER' if own.returns else ''};"
        self._line(depth, header, f"def {name}({', '.join(names)}):")
        for each, (type, is_reference) in zip(names, own.parameters, strict=True):
            if not is_reference and type != "Function":
                self._line(depth + 1, "", f"{each} = copied({each})")
        locals: Scope = {"i": "INTEGER", "t": "INTEGER", "ok": "BOOLEAN", "pair": "Pair"}
        locals |= {name: type for name, type in (("v", "Row"), ("w", "Item")) if choose.random() < 0.5}
        self._variables(locals, depth + 1)
        scope |= locals
        inner = [*known, own]
        if depth < 2:
            for _ in range(choose.randint(0, 2)):
                inner.append(self._procedure(scope, inner, depth + 1))
        self._body(own, scope, inner, depth, locals)
        return own

    def _body(self, own: Procedure, scope: Scope, known: list[Procedure], depth: int, locals: Scope) -> None:
        self._line(depth, "BEGIN", "")
        self._line(
            depth + 1,
            "i := 0; t := 1; ok := FALSE; pair.x := 2; pair.y := 3;",
            "t[0] = 1; assign(pair, {'x': [2], 'y': [3]})",
        )
        for name in ("v", "w"):
            if name in locals:
                source = "row" if name == "v" else "item"
                self._line(depth + 1, f"{name} := {source};", f"assign({name}, {source})")
        result = "0" if own.returns else ""
        self._line(depth + 1, f"IF fuel <= 0 THEN RETURN {result} END;", f"if fuel[0] <= 0: return {result}")
        self._line(depth + 1, "fuel := fuel - 1", "fuel[0] -= 1")
        self._statements(scope, known, depth + 1, 5, own)
        if own.returns:
            value = self._integer(scope, known, 2)
            self._line(depth + 1, f"; RETURN {value.tiny}", f"return {value.python}")
        self._line(depth, f"END {own.name};", "")

    # ---------------------------------------------------------------------------------------------- statements

    def _statements(self, scope: Scope, known: list[Procedure], depth: int, count: int, own: Procedure | None) -> None:
        for _ in range(self.random.randint(1, count)):
            self._statement(scope, known, depth, count, own)

    def _statement(self, scope: Scope, known: list[Procedure], depth: int, count: int, own: Procedure | None) -> None:
        kind = self.random.choices(
            ["assign", "boolean", "copy", "if", "while", "call", "write", "return", "link"], [8, 2, 2, 3, 2, 4, 3, 1, 1]
        )[0]
        if kind == "assign":
            value, place = self._integer(scope, known, 3), self._integer_place(scope, known, False)
            self._line(depth, f"; {place.tiny} := {value.tiny}", f"value = {value.python}; {place.python}[0] = value")
        elif kind == "boolean":
            name = self.random.choice([each for each, type in scope.items() if type == "BOOLEAN"])
            value = self._boolean(scope, known, 3)
            self._line(depth, f"; {name} := {value.tiny}", f"{name}[0] = {value.python}")
        elif kind == "copy":
            type = self.random.choice(["Row", "Item"])
            target, source = self._aggregate(type, scope), self._aggregate(type, scope)
            self._line(
                depth,
                f"; {target.tiny} := {source.tiny}",
                f"value = copied({source.python}); assign({target.python}, value)",
            )
        elif kind == "if" and count > 1:
            self._if(scope, known, depth, count // 2, own)
        elif kind == "while" and count > 1 and "i" in scope:
            self._line(depth, "; i := 0; WHILE i < 3 DO i := i + 1", "i[0] = 0")
            self._line(depth, "", "while i[0] < 3:")
            self._line(depth + 1, "", "i[0] = wrap(i[0] + 1)")
            self._line(depth + 1, "; fuel := fuel - 1; IF fuel < -60 THEN i := 3 END", "fuel[0] -= 1")
            self._line(depth + 1, "", "if fuel[0] < -60: i[0] = 3")
            without = {name: type for name, type in scope.items() if name != "i"}
            self._statements(without, known, depth + 1, count // 2, own)
            self._line(depth, "END", "")
        elif kind == "return" and own is not None:
            value = self._integer(scope, known, 1) if own.returns else Pair("", "")
            condition = self._boolean(scope, known, 1)
            self._line(
                depth,
                f"; IF {condition.tiny} THEN RETURN {value.tiny} END",
                f"if {condition.python}: return {value.python}",
            )
        elif kind == "link" and own is None:
            self._line(depth, "; DISPOSE(link); NEW(link); link^ := other", "link[0] = copied(other)")
        elif kind == "call" and any(not each.returns for each in known):
            call = self._call(self.random.choice([each for each in known if not each.returns]), scope, known, 2)
            self._line(depth, f"; {call.tiny}", call.python)
        else:
            value = self._integer(scope, known, 2)
            self._line(depth, f"; WriteInt({value.tiny}, 0); WriteLn", f"print({value.python})")

    def _if(self, scope: Scope, known: list[Procedure], depth: int, count: int, own: Procedure | None) -> None:
        condition = self._boolean(scope, known, 3)
        self._line(depth, f"; IF {condition.tiny} THEN", f"if {condition.python}:")
        self._statements(scope, known, depth + 1, count, own)
        if self.random.random() < 0.4:
            condition = self._boolean(scope, known, 2)
            self._line(depth, f"ELSIF {condition.tiny} THEN", f"elif {condition.python}:")
            self._statements(scope, known, depth + 1, count, own)
        if self.random.random() < 0.6:
            self._line(depth, "ELSE", "else:")
            self._statements(scope, known, depth + 1, count, own)
        self._line(depth, "END", "")

    # ---------------------------------------------------------------------------------------------- expressions

    def _place(self, text: str, scope: Scope) -> Pair:
        """A fixed place: names, fields, ``^`` and constant indices."""
        parts = text.replace("^", " ^").replace(".", " .").replace("[", " [").split()
        python = parts[0]
        for part in parts[1:]:
            if part == "^":
                python = f"deref({python}[0])"
            else:
                python += f"['{part[1:]}']" if part[0] == "." else part
        return Pair(text, python)

    def _aggregate(self, type: str, scope: Scope) -> Pair:
        found = [self._place(name, scope) for name, its in scope.items() if its == type]
        if type == "Row":
            found += [self._place(f"{name}.a", scope) for name, its in scope.items() if its == "Item"]
            found += [self._place("m[1]", scope), self._place("link^.a", scope)]
        else:
            found.append(self._place("link^", scope))
        return self.random.choice(found)

    def _integer_place(self, scope: Scope, known: list[Procedure], pure: bool) -> Pair:
        """A place of an INTEGER; the Python text denotes the variable. Without calls if it is `pure`."""
        name, type = self.random.choice([item for item in scope.items() if item[1] not in ("BOOLEAN", "Function")])
        if type == "INTEGER":
            return Pair(name, name)
        if type == "Pair" or (type in ("Item", "Link") and self.random.random() < 0.5):
            access = f"{name}^" if type == "Link" else name
            return self._place(f"{access}.{self.random.choice('xy')}", scope)
        if type == "Matrix":
            one, two = self._index(scope, known, pure), self._index(scope, known, pure)
            return Pair(f"{name}[{one.tiny}][{two.tiny}]", f"at(at({name}, {one.python}), {two.python})")
        part = self._place({"Row": name, "Item": f"{name}.a", "Link": f"{name}^.a"}[type], scope)
        index = self._index(scope, known, pure)
        return Pair(f"{part.tiny}[{index.tiny}]", f"at({part.python}, {index.python})")

    def _index(self, scope: Scope, known: list[Procedure], pure: bool) -> Pair:
        if self.random.random() < 0.6:
            number = str(self.random.randrange(LENGTH))
            return Pair(number, number)
        value = self._integer(scope, [] if pure else known, 1)
        if self.random.random() < 0.03:
            return Pair(f"({value.tiny} + g)", f"wrap({value.python} + g[0])")
        return Pair(f"({value.tiny} MOD 2 + 1)", f"(mod({value.python}, 2) + 1)")

    def _integer(self, scope: Scope, known: list[Procedure], depth: int) -> Pair:
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            if self.random.random() < 0.4:
                number = str(self.random.choice([0, 1, 2, 3, 7, 100, 1 << 40, (1 << 63) - 1]))
                return Pair(number, number)
            place = self._integer_place(scope, known if depth else [], depth == 0)
            return Pair(place.tiny, f"{place.python}[0]")
        functions = [each for each in known if each.returns]
        values = [name for name, type in scope.items() if type == "Function"]
        if kind < 0.45 and (functions or values):
            if values and self.random.random() < 0.5:
                return self._call(
                    Procedure(values[-1], [("INTEGER", False), ("INTEGER", True)], True), scope, known, depth - 1
                )
            if functions:
                return self._call(self.random.choice(functions), scope, known, depth - 1)
        if kind < 0.5:
            operand = self._integer(scope, known, depth - 1)
            return Pair(
                f"(-{operand.tiny})" if operand.tiny[0] != "-" else f"(-({operand.tiny}))", f"wrap(-{operand.python})"
            )
        operator = self.random.choice(["+", "-", "*", "+", "-", "DIV", "MOD"])
        left, right = self._integer(scope, known, depth - 1), self._integer(scope, known, depth - 1)
        if operator in ("DIV", "MOD"):
            if self.random.random() < 0.9:
                right = Pair(*[str(self.random.randint(1, 9))] * 2)
            return Pair(f"({left.tiny} {operator} {right.tiny})", f"{operator.lower()}({left.python}, {right.python})")
        return Pair(f"({left.tiny} {operator} {right.tiny})", f"wrap({left.python} {operator} {right.python})")

    def _boolean(self, scope: Scope, known: list[Procedure], depth: int) -> Pair:
        kind = self.random.random()
        if depth == 0 or kind < 0.2:
            name = self.random.choice([each for each, type in scope.items() if type == "BOOLEAN"])
            return Pair(name, f"{name}[0]")
        if kind < 0.3:
            left, right = self._function(scope, known), self._function(scope, known)
            tiny, python = self.random.choice([("=", "=="), ("#", "!=")])
            return Pair(f"({left.tiny} {tiny} {right.tiny})", f"({left.python} {python} {right.python})")
        if kind < 0.65:
            left, right = self._integer(scope, known, depth - 1), self._integer(scope, known, depth - 1)
            tiny, python = self.random.choice(
                [("=", "=="), ("#", "!="), ("<", "<"), ("<=", "<="), (">", ">"), (">=", ">=")]
            )
            return Pair(f"({left.tiny} {tiny} {right.tiny})", f"({left.python} {python} {right.python})")
        left = self._boolean(scope, known, depth - 1)
        if kind < 0.75:
            return Pair(f"(NOT {left.tiny})", f"(not {left.python})")
        operator, right = self.random.choice(["AND", "OR"]), self._boolean(scope, known, depth - 1)
        return Pair(f"({left.tiny} {operator} {right.tiny})", f"({left.python} {operator.lower()} {right.python})")

    def _call(self, procedure: Procedure, scope: Scope, known: list[Procedure], depth: int) -> Pair:
        arguments = [
            self._argument(type, is_reference, scope, known, depth) for type, is_reference in procedure.parameters
        ]
        texts = [", ".join(texts) for texts in zip(*arguments, strict=True)] if arguments else ["", ""]
        return Pair(f"{procedure.name}({texts[0]})", f"{procedure.name}({texts[1]})")

    def _argument(self, type: str, is_reference: bool, scope: Scope, known: list[Procedure], depth: int) -> Pair:
        if type in ("Row", "Item"):
            return self._aggregate(type, scope)
        if type == "Function":
            return self._function(scope, known)
        if is_reference and type == "BOOLEAN":
            name = self.random.choice([each for each, its in scope.items() if its == "BOOLEAN"])
            return Pair(name, name)
        if is_reference:
            return self._integer_place(scope, [], True)
        value = (self._boolean if type == "BOOLEAN" else self._integer)(scope, known, max(depth, 0))
        return Pair(value.tiny, f"[{value.python}]")

    def _function(self, scope: Scope, known: list[Procedure]) -> Pair:
        functions = [each.name for each in known if each.is_function]
        functions += [name for name, its in scope.items() if its == "Function"]
        name = self.random.choice(functions) if functions else "NIL"
        return Pair(name, "no_function" if name == "NIL" else name)


def expected(python: str) -> tuple[str, bool]:
    """The output of the translation, and whether it ends with a fault."""
    scope: dict[str, Callable[[], None]] = {}
    output = StringIO()
    with redirect_stdout(output):
        exec(compile(python, "<translation>", "exec"), scope)
        try:
            scope["body"]()
        except Exception as fault:
            if type(fault).__name__ != "Fault":
                raise
            return output.getvalue(), True
    return output.getvalue(), False
