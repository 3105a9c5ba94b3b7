"""Calls and returns. Several values are returned as one structure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.emit.llvm.prototypes import Prototype


def calling(callee: Prototype, arguments: Sequence[str], names: Sequence[str], whole: str) -> Iterator[str]:
    """Call a function and give its results their names; `whole` is one for all of them together."""
    call = a_call(callee, arguments)
    if len(names) < 2:
        yield f"{names[0]} = {call}" if names else call
        return
    yield f"{whole} = {call}"
    for index, name in enumerate(names):
        yield f"{name} = extractvalue {callee.result} {whole}, {index}"


def a_call(callee: Prototype, arguments: Sequence[str]) -> str:
    """``call i32 @f(i32 %x) nobuiltin``: whatever its name, it is not the function that LLVM may know by that name."""
    return f"call {callee.returned} {application(callee, arguments)} nobuiltin"


def application(callee: Prototype, arguments: Sequence[str]) -> str:
    """``@f(i32 %x)``"""
    passed = (f"{word} {text}" for word, text in zip(callee.parameter_words, arguments, strict=True))
    return f"{callee.symbol}({', '.join(passed)})"


def returning(prototype: Prototype, values: Sequence[str], wholes: Sequence[str]) -> Iterator[str]:
    """Return the values; `wholes` are names for what is put together of them, one for each, if they are several."""
    if len(values) < 2:
        yield f"ret {prototype.result} {values[0]}" if values else "ret void"
        return
    before = "undef"
    for index, (word, value, whole) in enumerate(zip(prototype.result_words, values, wholes, strict=True)):
        yield f"{whole} = insertvalue {prototype.result} {before}, {word} {value}, {index}"
        before = whole
    yield f"ret {prototype.result} {before}"
