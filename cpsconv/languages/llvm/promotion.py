"""The variables of a function: the allocations of its first block that LLVM's ``mem2reg`` promotes.

The test is that of LLVM's ``isAllocaPromotable``. All uses of the address are loads and stores of exactly the allocated
type that are not volatile (they may be atomic), and never store the address itself; or markers of its lifetime,
``llvm.fake.use``, and the bundles of ``llvm.assume``, which LLVM may drop. The address may also be cast to another
pointer, or be the operand of a ``getelementptr`` whose indices are all zero, if only such markers and bundles use the
result; of an address in another address space, only markers of the lifetime. Records of debug information do not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from cpsconv.languages.llvm.module_text import RECORD, FunctionText, Line
from cpsconv.languages.llvm.types import parts_of

_POINTER = r"ptr(?: addrspace\([^)]*\))?"
_LIFETIME = re.compile(r"[a-z ]*call .*@llvm\.lifetime\.(?:start|end)\b")
_DROPPED = re.compile(r"[a-z ]*call .*@llvm\.(?:assume|fake\.use)\b")
_SAME_ADDRESS = re.compile(rf"bitcast {_POINTER} % to {_POINTER}|addrspacecast|getelementptr ")


class Promoted(NamedTuple):
    """The promoted allocations by name, with their types; the names of addresses derived from them; and the stores in
    allocations, promoted or not, of constants and of the addresses of allocations.
    """

    types: dict[str, str]
    derived: set[str]
    constants: list[Line]
    addresses: list[Line]


def promoted(function: FunctionText) -> Promoted:
    """The allocations of the function that become variables."""
    types = {name: line.form.allocated for name, line in function.allocations.items()}
    derived: dict[str, tuple[str, bool]] = {}
    constants, addresses = list[Line](), list[Line]()
    for line in chain.from_iterable([block.uses for block in function.blocks]):
        names, form = line.names, line.form
        if form.accessed != types.get(names[-1]):
            _restrict(types, derived, line, names)
        elif form.op == "store":
            if len(names) == 1:
                constants.append(line)
            elif names[0] in function.allocations:
                addresses.append(line)
                types.pop(names[0], None)
    for line in [line for block in function.blocks for line in block.lines] if derived else ():
        for base, is_strict in [derived[name] for name in line.names if name in derived and line.form.op != RECORD]:
            if not (_LIFETIME.match(line.text) or (_is_removable(line.text) and not is_strict)):
                types.pop(base, None)
    return Promoted(types, {name for name, (base, _) in derived.items() if base in types}, constants, addresses)


def _restrict(types: dict[str, str], derived: dict[str, tuple[str, bool]], line: Line, names: Sequence[str]) -> None:
    """Remove the allocations among the names, which the line uses, unless it derives another address from them."""
    if _is_removable(line.text):
        return
    for name in types.keys() & names:
        if line.result and _is_same_address(line.text):
            derived[line.result] = name, line.op == "addrspacecast"
        else:
            del types[name]


@lru_cache(10_000)
def _is_removable(text: str) -> bool:
    """Whether the promotion of an address that the line uses removes the line, or the use."""
    return bool(_LIFETIME.match(text) or _DROPPED.match(text))


@lru_cache(10_000)
def _is_same_address(text: str) -> bool:
    """Whether the result is the address that is the first operand."""
    if not text.startswith("getelementptr"):
        return _SAME_ADDRESS.match(text) is not None
    _, base, *indices = parts_of(text)
    words = [each.split()[-1] for each in indices if not each.startswith("!")]
    return base.endswith("%") and all(word in ("0", "zeroinitializer") for word in words)
