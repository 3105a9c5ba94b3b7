"""A process that parses, verifies and prints a module of LLVM IR: what LLVM cannot bear ends this process alone.

Standard input is a module as text or bitcode. Standard output is ``ok`` and the module in LLVM's normal form, or
``error`` and LLVM's message, or ``missing`` if llvmlite is. The exit status is that of a process that LLVM ended, if it
did.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

_OWN = "; ModuleID = '<string>'", 'source_filename = "<string>"'
"""The lines that state the name of the text that LLVM has read."""

_NAME = r'([-\w$.]+|"[^"]*")'


def main() -> None:
    """Convert the module of standard input."""
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]
    try:
        from llvmlite import binding
    except ImportError:
        sys.stdout.write("missing\n")
        return
    data = sys.stdin.buffer.read()
    try:
        is_bitcode = data[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
        parse = binding.parse_bitcode if is_bitcode else binding.parse_assembly
        module = parse(data if is_bitcode else data.decode("utf-8", "surrogateescape"))
        module.verify()
    except (RuntimeError, UnicodeError) as failure:
        sys.stdout.write(f"error\n{failure}")
        return
    lines = normal_form(module).splitlines(keepends=True)
    sys.stdout.writelines(["ok\n", *(line for line in lines if not line.startswith(_OWN))])


def normal_form(module: Any) -> str:
    """The text of a module of llvmlite, in which no value or block has the name of a type: both begin with ``%``."""
    text = str(module)
    types = {*re.findall(rf"(?m)^%{_NAME} = type ", text)}
    if types.isdisjoint(_local_names(text)):
        return text
    names = {name.strip('"') for name in types}
    for function in module.functions:
        for block in function.blocks:
            for value in (block, *block.instructions):
                _rename(value, names)
        for value in function.arguments:
            _rename(value, names)
    return str(module)


def _local_names(text: str) -> Iterator[str]:
    for one, other in re.findall(rf"(?m)^  %{_NAME} = |^{_NAME}:", text):
        yield one or other
    for line in re.findall(r"(?m)^define .*", text):
        yield from re.findall(rf"%{_NAME}[,)]", line)


def _rename(value: Any, types: set[str]) -> None:
    """Give the value another name if it is that of a type. Numbers may be those of types without names."""
    if value.name in types:
        value.name = f"{value.name}.value"
    elif not value.name and "0" in types and str(value.type) != "void":
        value.name = "value"


if __name__ == "__main__":
    main()
