"""The data of a module of LLVM IR as globals of the dialect `llvm`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.targets.mlir.constants import Constants, number
from cpsconv.targets.mlir.llvm_text import Operand, Tokens, reference


def data_lines(tokens: Tokens) -> Iterator[str]:
    """The lines for ``@x = internal global i32 5, align 4``, or for the table of functions that run before `main`."""
    name = tokens.read()
    if name == "@llvm.global_ctors":
        function = next(each for each in tokens.texts[1:] if each.startswith("@"))
        lists = f"ctors = [{reference(function)}], priorities = [65535 : i32], data = [#llvm.zero]"
        yield f"llvm.mlir.global_ctors {lists}"
        return
    tokens.accept("=")
    kind = tokens.flags().removesuffix(" global")
    content = tokens.operand()
    alignment = f" {{alignment = {tokens.read()} : i64}}" if tokens.accept(",", "align") else ""
    is_text = content.text.startswith("c")
    head = (
        f"llvm.mlir.global{kind} {reference(name)}({content.text[1:] if is_text else ''}){alignment} : {content.type}"
    )
    if is_text or not content.text:
        yield head
    else:
        constants = Constants(tokens.structs, in_llvm=True)
        value = _content(constants, content)
        yield f"{head} {{"
        yield from (f"  {line}" for line in constants.lines)
        yield from (f"  llvm.return {value} : {content.type}", "}")


def _content(constants: Constants, whole: Operand) -> str:
    """The name of a constant; an aggregate is made element by element."""
    type, text = whole.type, whole.text
    if text.startswith("c"):
        return constants.made("text", f"llvm.mlir.constant({text[1:]}) : {type}")
    if text[0] not in "[{<":
        return constants.constant(whole)
    tokens = Tokens(text.removeprefix("< "), constants.structs)
    end = {"[": "]", "{": "}"}[tokens.read()]
    elements = [tokens.operand() for _ in tokens.items(end)]
    if end == "]" and (dense := _dense(elements)):
        return constants.made("dense", f"llvm.mlir.constant({dense}) : {type}")
    name = constants.made("undef", f"llvm.mlir.undef : {type}")
    for position, element in enumerate(elements):
        value = _content(constants, element)
        name = constants.made("with", f"llvm.insertvalue {value}, {name}[{position}] : {type}")
    return name


def _dense(elements: Sequence[Operand]) -> str:
    """An array of integers as one attribute; empty for other elements."""
    type = elements[0].type if elements else ""
    if not re.fullmatch(r"i(8|16|32|64)", type):
        return ""
    numbers = [number(type, each.text).partition(" ")[0] for each in elements]
    return f"dense<[{', '.join(numbers)}]> : tensor<{len(numbers)}x{type}>"
