"""A process that parses, verifies and prints modules of LLVM IR: what LLVM cannot bear ends this process alone.

A message is a line with a number, and that many bytes. Standard input has a message for each module, with ``assembly``
or ``bitcode`` after the number; standard output has the results: ``ok`` and the module in LLVM's normal form, or
``error`` and LLVM's message, or ``missing`` if llvmlite is, each in the first line. The process ends with its input.
"""

from __future__ import annotations

import re
import sys
from typing import Any

_OWN = "; ModuleID = '<string>'\n", 'source_filename = "<string>"\n'
"""The first lines, which state the name of the text that LLVM has read."""


def main() -> None:
    """Send the result for each message."""
    while head := sys.stdin.buffer.readline().split():
        status, text = _result(sys.stdin.buffer.read(int(head[0])), is_bitcode=head[1] == b"bitcode")
        data = f"{status}\n{text}".encode("utf-8", "surrogateescape")
        sys.stdout.buffer.write(b"%d\n%b" % (len(data), data))
        sys.stdout.buffer.flush()


def _result(data: bytes, is_bitcode: bool) -> tuple[str, str]:
    try:
        from llvmlite import binding
    except ImportError:
        return "missing", ""
    context = binding.create_context()  # a name of a type has no number for the same name in an earlier module
    try:
        if is_bitcode:
            module = binding.parse_bitcode(data, context)
        else:
            module = binding.parse_assembly(data.decode("utf-8", "surrogateescape"), context)
        module.verify()
        return "ok", normal_form(module).removeprefix(_OWN[0]).removeprefix(_OWN[1])
    except (RuntimeError, UnicodeError) as failure:
        return "error", str(failure)


def normal_form(module: Any) -> str:
    """The text of a module of llvmlite, in which no value or block has the name of a type: both begin with ``%``."""
    text = str(module)
    types = {*re.findall(r"\n%(.+?) = type ", text.partition("\ndefine ")[0])}
    if not types or ("0" not in types and types.isdisjoint(_locals(text))):
        return text
    names = {name.strip('"') for name in types}
    for function in module.functions:
        for block in function.blocks:
            for value in (block, *block.instructions):
                _rename(value, names)
        for value in function.arguments:
            _rename(value, names)
    return str(module)


def _locals(text: str) -> list[str]:
    """The names of the values and blocks of all functions, without numbers."""
    name, heads = r'("[^"]*"|[^\d\s"][-\w$.]*)', "\n".join(re.findall(r"\ndefine .*", text))
    patterns = (rf"\n  %{name} = ", text), (rf"\n{name}:", text), (rf"%{name}[,)]", heads)
    return [found for pattern, searched in patterns for found in re.findall(pattern, searched)]


def _rename(value: Any, types: set[str]) -> None:
    """Give the value another name if it is that of a type. Numbers may be those of types without names."""
    if value.name in types:
        value.name = f"{value.name}.value"
    elif not value.name and "0" in types and str(value.type) != "void":
        value.name = "value"


if __name__ == "__main__":
    main()
