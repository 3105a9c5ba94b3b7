"""The variables of a function: the allocations of its first block that LLVM's ``mem2reg`` promotes.

The test is that of LLVM's ``isAllocaPromotable``. All uses of the address are loads and stores of exactly the allocated
type that are not volatile (they may be atomic), and never store the address itself; or markers of its lifetime,
``llvm.fake.use``, and the bundles of ``llvm.assume``, which LLVM may drop. The address may also be cast to another
pointer, or be the operand of a ``getelementptr`` whose indices are all zero, if only such markers and bundles use the
result; of an address in another address space, only markers of the lifetime. Records of debug information do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from cpsconv.languages.llvm.module_text import RECORD, FunctionText, Line
from cpsconv.languages.llvm.types import first_type, parts_of

_POINTER = r"ptr(?: addrspace\([^)]*\))?"
_ACCESS = re.compile(rf"(?:load (?:atomic )?(?P<loaded>.*)|store (?:atomic )?(?P<stored>.*)), {_POINTER} %(?:[, ]|$)")
_LIFETIME = re.compile(r"[a-z ]*call .*@llvm\.lifetime\.(?:start|end)\b")
_DROPPED = re.compile(r"[a-z ]*call .*@llvm\.(?:assume|fake\.use)\b")
_SAME_ADDRESS = re.compile(rf"bitcast {_POINTER} % to {_POINTER}|addrspacecast|getelementptr ")


class Promoted(NamedTuple):
    """The promoted allocations by name, with their types; the names of addresses derived from them; and for each block
    by its label the loads and stores of allocations, promoted or not.
    """

    types: dict[str, str]
    derived: set[str]
    accesses: dict[str, list[Line]]


def promoted(function: FunctionText) -> Promoted:
    """The allocations of the function that become variables."""
    types = {str(line.result): allocated_type(line) for line in function.blocks[0].lines if line.op == "alloca"}
    derived: dict[str, tuple[str, bool]] = {}
    accesses: dict[str, list[Line]] = {}
    others = types.keys().isdisjoint
    for block in function.blocks if types else ():
        found = accesses[block.label] = list[Line]()
        for line in [line for line in block.lines if not others(line.names) and line.op != RECORD]:
            names = line.names
            if _accessed_type(line.text) == types.get(names[-1]):
                found.append(line)
                names = names[:-1]
            if not others(names):
                _restrict(types, derived, line, names)
    for line in _lines_with(function, derived.keys()) if derived else ():
        for name in line.names:
            base, is_strict = derived.get(name, ("", False))
            if base and not (_LIFETIME.match(line.text) or (_is_removable(line.text) and not is_strict)):
                types.pop(base, None)
    return Promoted(types, {name for name, (base, _) in derived.items() if base in types}, accesses)


def _restrict(types: dict[str, str], derived: dict[str, tuple[str, bool]], line: Line, names: Sequence[str]) -> None:
    """Remove the allocations among the names, which the line uses, unless it derives another address from them."""
    if _is_removable(line.text):
        return
    for name in types.keys() & names:
        if line.result and _is_same_address(line.text):
            derived[line.result] = name, line.op == "addrspacecast"
        else:
            del types[name]


def allocated_type(line: Line) -> str:
    """The type of the object that an ``alloca`` allocates."""
    return _allocated(line.text)


@lru_cache(10_000)
def _allocated(text: str) -> str:
    return first_type(text, len("alloca"))


@lru_cache(10_000)
def _accessed_type(text: str) -> str | None:
    """The type of a load or store through the last operand; "" of all other lines, and if it is volatile."""
    match = _ACCESS.match(text)
    accessed = match and (match["loaded"] or first_type(match["stored"]))
    return "" if not match or (match["loaded"] or match["stored"]).startswith("volatile ") else accessed


@lru_cache(10_000)
def _is_removable(text: str) -> bool:
    """Whether the promotion of an address that the line uses removes the line, or the use."""
    return bool(_LIFETIME.match(text) or _DROPPED.match(text))


def _lines_with(function: FunctionText, names: Set[str]) -> Iterator[Line]:
    """The instructions that use one of the names."""
    for block in function.blocks:
        for line in block.lines:
            if not names.isdisjoint(line.names) and line.op != RECORD:
                yield line


@lru_cache(10_000)
def _is_same_address(text: str) -> bool:
    """Whether the result is the address that is the first operand."""
    if not text.startswith("getelementptr"):
        return _SAME_ADDRESS.match(text) is not None
    _, base, *indices = parts_of(text)
    words = [each.split()[-1] for each in indices if not each.startswith("!")]
    return base.endswith("%") and all(word in ("0", "zeroinitializer") for word in words)
