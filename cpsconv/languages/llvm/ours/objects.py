"""The objects that a function allocates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cpsconv.core.ir import Value
from cpsconv.languages.llvm.debug_info import declared
from cpsconv.languages.llvm.module_text import RECORD, Block, Line
from cpsconv.languages.llvm.promotion import allocated_type


class Objects:
    """The objects of one function, by the names of their addresses.

    `types` has the texts of the types of objects of fixed size, and of their elements; `records` the debug information
    that declares the variables. `allocated` are the objects that returns deallocate, `masked` the values of which only
    some bits are used.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        lines = [line for block in blocks for line in block.lines]
        fixed = [line for line in blocks[0].lines if line.op == "alloca" and line.result]
        self.types = {line.result: allocated_type(line) for line in fixed}
        self.records = {
            each.names[0]: each for each in lines if each.op == RECORD and each.names and declared(each.text)
        }
        self.allocated: list[Value] = []
        self.masked = _masked(lines)


def _masked(lines: Sequence[Line]) -> set[str]:
    """The values of which only some bits are used: ``and`` with a constant is all that reads them.

    So compilers change bit-fields, whose other bits may never have been written.
    """
    uses = Counter(name for line in lines for name in line.names)
    alone = [line.names[0] for line in lines if line.op == "and" and len(line.names) == 1]
    return {name for name in alone if uses[name] == 1}
