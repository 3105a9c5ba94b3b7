"""The reader of types, operands and instructions in the LLVM IR that `cpsconv.targets.llvm` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TOKEN = re.compile(
    r'\s*(;.*|c?"[^"]*"|[%@](?:"[^"]*"|[-\w$.]+)|0x\w+|-?\d+(?:\.\d+(?:e[-+]?\d+)?)?|[A-Za-z_][\w.]*|\.\.\.|\S)'
)

LOCATION = re.compile(r'loc\((?:unknown|"[^"]*":\d+:\d+)\)')

POINTER, VOID, LABEL = "!llvm.ptr", "!llvm.void", "label"

_WORDS = {"float": "f32", "double": "f64", "x86_fp80": "f80", "ptr": POINTER, "void": VOID, LABEL: LABEL}
"""The types that are words, with those of MLIR."""

_ATTRIBUTES = ("signext", "zeroext", "byval", "sret", "align")
_EXPRESSIONS = ("getelementptr", "inttoptr", "bitcast")
_DEPTHS = {**dict.fromkeys("([{<", 1), **dict.fromkeys(")]}>", -1)}


class Operand(NamedTuple):
    """An operand, parameter or result: its type and attributes in MLIR, its name or literal in LLVM IR, its location.

    The text is empty for a type alone, and the type for the index of a member. The others may be empty.
    """

    type: str
    text: str = ""
    attributes: str = ""
    location: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def typed(self) -> str:
        """The type with the attributes."""
        return f"{self.type} {{{self.attributes}}}" if self.attributes else self.type

    @property
    def listed(self) -> str:
        """The result after an arrow."""
        return "()" if self.type == VOID else f"({self.typed})" if self.attributes else self.type

    @property
    def plain(self) -> Operand:
        """The same without attributes."""
        return self._replace(attributes="")


class Tokens:
    """The tokens of a line, read from left to right. `structs` has the types in MLIR of the named ones.

    The `locations` are those in the comment at the end of the line.
    """

    def __init__(self, line: str, structs: Mapping[str, str]) -> None:
        self.texts: list[str] = _TOKEN.findall(line)
        comment = self.texts.pop() if self.texts and self.texts[-1][:1] == ";" else ""
        self.locations = LOCATION.findall(comment)
        self.position = 0
        self.structs = structs

    @property
    def next(self) -> str:
        """The next token; empty at the end."""
        return self.texts[self.position] if self.position < len(self.texts) else ""

    def read(self) -> str:
        """Read a token."""
        self.position += 1
        return self.texts[self.position - 1]

    def accept(self, *texts: str) -> bool:
        """Whether the next tokens have these texts. They are read then."""
        found = [*texts] == self.texts[self.position : self.position + len(texts)]
        self.position += len(texts) if found else 0
        return found

    def items(self, end: str) -> Iterator[None]:
        """Iterate over the parts between commas, which the caller reads, up to the `end`, which is read."""
        while not self.accept(end):
            yield
            self.accept(",")

    def type(self) -> str:
        """Read a type, and the parameters of a function after it. Returns the type in MLIR."""
        text = self.read()
        if text == "[":
            length = self.read()
            self.read()  # x
            element = self.type()
            self.read()
            return f"!llvm.array<{length} x {element}>"
        if text in "<{":
            is_packed = text == "<" and bool(self.read())
            types = ", ".join([self.type() for _ in self.items("}")])
            return f"!llvm.struct<packed ({types})>" if is_packed and self.read() else f"!llvm.struct<({types})>"
        if self.accept("("):
            while not self.accept(")"):
                self.read()
        return self.structs[text] if text.startswith("%") else _WORDS.get(text, text)

    def _attributes(self) -> str:
        """Read the attributes of a parameter. Returns them as those of MLIR."""
        found = []
        while self.next in _ATTRIBUTES:
            name = self.read()
            if name == "align":
                found.append(f"llvm.align = {self.read()} : i64")
            elif self.accept("("):
                found.append(f"llvm.{name} = {self.type()}")
                self.read()
            else:
                found.append(f"llvm.{name}")
        return ", ".join(found)

    def operand(self) -> Operand:
        """Read a type, attributes before or after it, and a name or literal, if there is one."""
        before = self._attributes()
        type = self.type()
        attributes = before or self._attributes()
        return Operand(type, "" if self.next in ("", ",", ")", "to") else self.literal(), attributes)

    def literal(self) -> str:
        """Read a name or number, or a constant in brackets."""
        words = [self.read()]
        is_open = words[0] in _EXPRESSIONS or words[0] in _DEPTHS
        depth = _DEPTHS.get(words[0], 0)
        while is_open:
            words.append(self.read())
            depth += _DEPTHS.get(words[-1], 0)
            is_open = depth > 0 or words[-1] not in _DEPTHS
        return " ".join(words)

    def flags(self) -> str:
        """Read words that are no types, as in ``load volatile``. Returns each after a space."""
        found = ""
        while self.next.replace("_", "").isalpha() and self.next not in _WORDS and self.next not in _ATTRIBUTES:
            found += f" {self.read()}"
        return found


class Instruction:
    """An instruction, ``%r = load volatile i32, ptr %p, align 4``, or an expression: ``inttoptr (i64 8 to ptr)``.

    The result is empty without one, and the alignment is an attribute of MLIR. `flags` are those of `Tokens.flags`. The
    operands of a call begin with the function; the second one of `alloca` is the number of objects. A φ has a type, and
    `incoming` operands by labels.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.result = tokens.read() if tokens.next.startswith("%") else ""
        tokens.accept("=")
        self.op = next(word for word in iter(tokens.read, "") if word not in ("tail", "musttail"))
        self.flags, self.alignment, self.location = tokens.flags(), "", " ".join(tokens.locations)
        self.operands: list[Operand] = []
        self.incoming: dict[str, Operand] = {}
        if self.op == "phi":
            self._read_edges(tokens)
        tokens.accept("(")
        while tokens.next not in ("", ")"):
            if tokens.accept("align"):
                self.alignment = f" {{alignment = {tokens.read()} : i64}}"
            else:
                self.operands.append(self._operand(tokens))
            tokens.accept(",") or tokens.accept("(")
        if self.op == "alloca" and not self.operands[1:]:
            self.operands.append(Operand("i64", "1"))

    def _read_edges(self, tokens: Tokens) -> None:
        """Read the type and the edges of a φ function."""
        self.operands.append(Operand(tokens.type()))
        while tokens.accept("["):
            operand = self.operands[0]._replace(text=tokens.literal())
            tokens.accept(",")
            self.incoming[symbol(tokens.read())] = operand
            tokens.accept("]", ",") or tokens.accept("]")

    def _operand(self, tokens: Tokens) -> Operand:
        """Read an operand, which without a type has that of the one before."""
        is_typed = not self.operands or tokens.accept("to")
        if is_typed or not (tokens.next in _EXPRESSIONS or tokens.texts[tokens.position + 1 :][:1] in ([], [","])):
            return tokens.operand()
        return Operand("" if self.op in ("extractvalue", "insertvalue") else self.operands[-1].type, tokens.literal())


def symbol(name: str) -> str:
    """The name of a global without its sign and quotes."""
    return name[1:].strip('"')


def reference(name: str) -> str:
    """``@f``; a name that does not start with a letter or ``_``, or with other characters, is in quotes."""
    plain = symbol(name)
    return f"@{plain}" if re.fullmatch(r"[A-Za-z_][\w$.]*", plain, re.ASCII) else f'@"{plain}"'
