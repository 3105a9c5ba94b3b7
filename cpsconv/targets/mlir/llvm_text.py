"""The reader of types and operands in the LLVM IR that `cpsconv.targets.llvm` writes, with opaque pointers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TOKEN = re.compile(
    r"\s*(?:(?P<comment>;.*)|(?P<string>c?\"[^\"]*\")|(?P<name>[%@](?:\"[^\"]*\"|[-\w$.]+))"
    r"|(?P<number>0x\w+|-?\d+(?:\.\d+(?:e[-+]?\d+)?)?)|(?P<word>[A-Za-z_][\w.]*)|(?P<symbol>\.\.\.|\S))"
)

LOCATION = re.compile(r'loc\((?:unknown|"[^"]*":\d+:\d+)\)')

_SCALARS = {"float": "f32", "double": "f64", "x86_fp80": "f80", "ptr": "!llvm.ptr", "void": "!llvm.void"}

POINTER, VOID = "!llvm.ptr", "!llvm.void"


class Passed(NamedTuple):
    """A parameter or argument: its type, the text of its attributes in MLIR, its name and location, or "" without."""

    type: str
    attributes: str
    name: str
    location: str = ""

    @property
    def typed(self) -> str:
        """The type with the attributes."""
        return f"{self.type} {{{self.attributes}}}" if self.attributes else self.type

    @property
    def located(self) -> str:
        """The type with the attributes and the location."""
        return f"{self.typed} {self.location}".rstrip()

    @property
    def listed(self) -> str:
        """The result after an arrow."""
        return "()" if self.type == VOID else f"({self.typed})" if self.attributes else self.type

    @property
    def plain(self) -> Passed:
        """The same without attributes."""
        return self._replace(attributes="")


class Tokens:
    """The tokens of a line, read from left to right. `structs` has the types in MLIR of the named ones.

    The `locations` are those in the comment at the end of the line.
    """

    def __init__(self, line: str, structs: Mapping[str, str]) -> None:
        self.texts = [match[0].strip() for match in _TOKEN.finditer(line)]
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
        """Read a type. Returns that of MLIR."""
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
        if text.startswith("%"):
            return self.structs[text]
        return _SCALARS.get(text, text)

    def attributes(self) -> str:
        """Read the attributes of a parameter. Returns them as those of MLIR."""
        found = []
        while self.next in ("signext", "zeroext", "byval", "sret", "align"):
            name = self.read()
            if name == "align":
                found.append(f"llvm.align = {self.read()} : i64")
            elif self.accept("("):
                found.append(f"llvm.{name} = {self.type()}")
                self.read()
            else:
                found.append(f"llvm.{name}")
        return ", ".join(found)

    def rest(self) -> list[str]:
        """Read all tokens that are left."""
        found = self.texts[self.position :]
        self.position = len(self.texts)
        return found


def symbol(name: str) -> str:
    """The name of a global without its sign and quotes."""
    return name[1:].strip('"')


def reference(name: str) -> str:
    """``@f``; a name that does not start with a letter or ``_``, or with other characters, is in quotes."""
    plain = symbol(name)
    return f"@{plain}" if re.fullmatch(r"[A-Za-z_][\w$.]*", plain, re.ASCII) else f'@"{plain}"'


def number(type: str, text: str) -> str:
    """A number as an attribute of MLIR, with its type. Hexadecimal digits are the bits of the type."""
    if text.startswith("0x") and type == "f32":
        (value,) = struct.unpack(">d", bytes.fromhex(text[2:]))
        return f"0x{struct.pack('>f', value).hex().upper()} : f32"
    if text in ("true", "false"):
        return text
    return f"{text} : {type}"


def operand_text(tokens: Tokens) -> str:
    """Read an operand: a name or literal, or a constant expression with its brackets."""
    words, depth = [tokens.read()], 0
    if words[0] not in ("getelementptr", "inttoptr", "bitcast", "[", "{", "<"):
        return words[0]
    while True:
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(words[-1], 0)
        if depth == 0 and words[-1] in (")", "]", "}", ">"):
            return " ".join(words)
        words.append(tokens.read())


class Constants:
    """The constants of a function or of the content of data: each is made once, by one of the `lines`.

    In the dialect `llvm` only, a constant of data is made; elsewhere in `arith`, too.
    """

    def __init__(self, structs: Mapping[str, str], *, in_llvm: bool = False) -> None:
        self.structs, self.in_llvm = structs, in_llvm
        self.lines: list[str] = []
        self.taken: set[str] = set()
        self._names: dict[str, str] = {}

    def name(self, hint: str) -> str:
        """A new name for a value, with its sign."""
        plain = re.sub(r"[^\w$.-]", "_", hint, flags=re.ASCII)
        plain = plain if plain.isdigit() or not plain[:1].isdigit() else f"_{plain}"
        name, count = plain, 0
        while name in self.taken:
            count += 1
            name = f"{plain}_{count}"
        self.taken.add(name)
        return f"%{name}"

    def made(self, hint: str, operation: str) -> str:
        """The name of the result of an operation without effects on constants."""
        if operation not in self._names:
            self._names[operation] = self.name(hint)
            self.lines.append(f"{self._names[operation]} = {operation}")
        return self._names[operation]

    def constant(self, type: str, text: str) -> str:
        """The name of the constant that the text of an operand denotes."""
        tokens = Tokens(text, self.structs)
        word = tokens.read()
        if word.startswith("@"):
            return self.made("address", f"llvm.mlir.addressof {reference(word)} : {POINTER}")
        if word in ("null", "zeroinitializer", "undef"):
            kind = "undef" if word == "undef" else "zero"
            return self.made(word, f"llvm.mlir.{kind} : {type}")
        if word == "getelementptr":
            return self._element(tokens)
        if word in ("inttoptr", "bitcast"):
            tokens.read()
            source = tokens.type()
            value = self.constant(source, tokens.read())
            return self.made("cst", f"llvm.{word} {value} : {source} to {type}")
        if type == "f80":  # MLIR prints such a constant as a number of 64 bits
            bits = self.made("bits", f"llvm.mlir.constant({int(word[3:], 16)} : i80) : i80")
            return self.made("cst", f"llvm.bitcast {bits} : i80 to f80")
        literal = number(type, word)
        hint = literal if type == "i1" else f"c{word}_{type}" if re.fullmatch(r"-?\d+", word) else "cst"
        operation = f"llvm.mlir.constant({literal}) : {type}" if self.in_llvm else f"arith.constant {literal}"
        return self.made(hint, operation)

    def _element(self, tokens: Tokens) -> str:
        inbounds = " inbounds" * tokens.accept("inbounds")
        tokens.read()
        type = tokens.type()
        tokens.read()
        tokens.type()
        base = self.constant(POINTER, operand_text(tokens))
        tokens.read()
        indices = [tokens.read() for _ in tokens.items(")") if tokens.type()]
        if {*indices} == {"0"}:
            return base
        places = f"{base}[{', '.join(indices)}] : ({POINTER}) -> {POINTER}, {type}"
        return self.made("address", f"llvm.getelementptr{inbounds} {places}")
