"""The data of a module of LLVM IR as globals of the dialect `llvm`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.targets.mlir.llvm_text import Constants, Tokens, number, operand_text, reference

_LINKAGES = ("internal", "weak", "external", "extern_weak", "private", "appending")


def data_lines(tokens: Tokens) -> Iterator[str]:
    """The lines for ``@x = internal global i32 5, align 4``, or for the table of functions that run before `main`."""
    name = tokens.read()
    if name == "@llvm.global_ctors":
        yield from _constructors(tokens)
        return
    words = [tokens.read()]
    while words[-1] not in ("global", "constant"):
        words.append(tokens.read())
    kind = " ".join(word for word in words if word not in ("=", "global"))
    type = tokens.type()
    content = operand_text(tokens) if tokens.next not in ("", ",") else ""
    alignment = f" {{alignment = {tokens.read()} : i64}}" if tokens.accept(",", "align") else ""
    head = f"llvm.mlir.global {kind} {reference(name)}"
    if content.startswith("c"):
        yield f"{head}({content[1:]}){alignment} : {type}"
    elif not content:
        yield f"{head}(){alignment} : {type}"
    else:
        constants = Constants(tokens.structs, in_llvm=True)
        value = _content(constants, type, Tokens(content, tokens.structs))
        yield f"{head}(){alignment} : {type} {{"
        yield from (f"  {line}" for line in constants.lines)
        yield from (f"  llvm.return {value} : {type}", "}")


def _constructors(tokens: Tokens) -> Iterator[str]:
    name, priority = next(each for each in tokens.texts[1:] if each.startswith("@")), "65535"
    yield f"llvm.mlir.global_ctors ctors = [{reference(name)}], priorities = [{priority} : i32], data = [#llvm.zero]"


def _content(constants: Constants, type: str, tokens: Tokens) -> str:
    """The name of the constant of the type that the tokens denote; an aggregate is made element by element."""
    if tokens.next.startswith('c"'):
        return constants.made("text", f"llvm.mlir.constant({tokens.read()[1:]}) : {type}")
    if tokens.next not in "[{<":
        return constants.constant(type, operand_text(tokens))
    is_packed = tokens.accept("<")
    end = {"[": "]", "{": "}"}[tokens.read()]
    whole, position = f"llvm.mlir.undef : {type}", 0
    elements = []
    for _ in tokens.items(end):
        element = tokens.type()
        if tokens.next.startswith('c"'):
            elements.append((element, tokens.read()))
        else:
            elements.append((element, operand_text(tokens)))
    if is_packed:
        tokens.read()
    if end == "]" and (dense := _dense(elements)):
        return constants.made("dense", f"llvm.mlir.constant({dense}) : {type}")
    name = constants.made("undef", whole)
    for position, (element, text) in enumerate(elements):
        value = _content(constants, element, Tokens(text, constants.structs))
        name = constants.made("with", f"llvm.insertvalue {value}, {name}[{position}] : {type}")
    return name


def _dense(elements: list[tuple[str, str]]) -> str:
    """An array of integers as one attribute; empty for other elements."""
    type = elements[0][0] if elements else ""
    if not re.fullmatch(r"i(8|16|32|64)", type):
        return ""
    numbers = [number(type, text).partition(" ")[0] for _, text in elements]
    return f"dense<[{', '.join(numbers)}]> : tensor<{len(numbers)}x{type}>"
