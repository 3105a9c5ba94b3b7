"""A process that parses, verifies and prints a module of LLVM IR: what LLVM cannot bear ends this process alone.

Standard input is a module as text or bitcode. Standard output is ``ok`` and the module in LLVM's normal form, or
``error`` and LLVM's message. The exit status is that of a process that LLVM ended, if it did.
"""

from __future__ import annotations

import sys


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
    sys.stdout.write("ok\n")
    sys.stdout.writelines(line for line in str(module).splitlines(keepends=True) if not line.startswith(_OWN))


_OWN = "; ModuleID = '<string>'", 'source_filename = "<string>"'
"""The lines that state the name of the text that LLVM has read."""


if __name__ == "__main__":
    main()
