"""The values that LLVM knows not to be poison, so that they may replace undefined ones.

LLVM replaces φ(x, undef) by x if x is a constant, or if its definition dominates the φ function and it is not poison:
by its own definition (``isGuaranteedNotToBePoison``), or because the program would have no meaning otherwise, as after
a load from the address x (``programUndefinedIfPoison``). Here, these are the attributes ``noundef`` and
``dereferenceable``, of parameters and results of calls; allocations; ``freeze``; operations without flags on such
operands; and values that the code after their definition, up to the next call or branch, uses where poison is undefined
behaviour: as addresses, conditions, divisors, ``noundef`` arguments, or operands of the operations in these places.

Only functions with a variable that may be read before it is assigned need this, and in them only what is assigned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cpsconv.languages.llvm.foreign_text import hole_count
from cpsconv.languages.llvm.forms import COMPUTATIONS
from cpsconv.languages.llvm.module_text import RECORD, Block, FunctionText, Line, parameters_in
from cpsconv.languages.llvm.types import NAME, end_of_brackets, parts_of

_HARMLESS = COMPUTATIONS - {"fptosi", "fptoui", "addrspacecast", "shl", "lshr", "ashr"} | {
    *("select", "extractvalue", "insertvalue")
}
_SHIFT = re.compile(r"(?:shl|lshr|ashr) .*, \d+(?:,|$)")
_FLAG = re.compile(
    r" (?:nsw|nuw|nusw|exact|inbounds|disjoint|nneg|samesign|nnan|ninf|fast) "
    r"|!(?:range|nonnull|align)|\b(?:undef|poison)\b"
)
_CERTAIN = re.compile(r"\b(?:noundef|dereferenceable(?:_or_null)?)\b")
_CALL = re.compile(r"(?:tail |musttail |notail )?call |invoke |callbr ")
_CALLEE = re.compile(rf"(?:@{NAME}|(%))\(")
_RETURNING = re.compile(r"@llvm\.(?!trap|debugtrap|ubsantrap|eh\.|coro\.)")
_ADDRESS = re.compile(r"(?:load|store|atomicrmw|cmpxchg)\b.*?ptr(?: addrspace\(\d+\))? %(?:[, ]|$)")


def certain(function: FunctionText, order: Sequence[Block], variables: Mapping[str, str]) -> set[str]:
    """The values that are assigned to the variables, the promoted allocations, and that are not poison.

    `order` has the reached blocks, in reverse postorder. The set is empty if no variable may be read before it is
    assigned.
    """
    if not _is_uncertain(order, variables):
        return set()
    stores = [line.names for block in order for line in block.uses if line.op == "store"]
    stored = {names[0] for names in stores if len(names) == 2 and names[1] in variables}
    counts = Counter(names[-1] for names in stores)
    once = {name for name in variables if counts[name] == 1}
    postorder = order[::-1]
    return stored & (_defined(function, postorder, variables, once) | _required(function, postorder, variables))


def _is_uncertain(order: Sequence[Block], variables: Mapping[str, str]) -> bool:
    """Whether a variable may be read before it is assigned, on a path from the start of the function."""
    bits = {name: 1 << number for number, name in enumerate(variables)}
    assigned = dict.fromkeys([block.label for block in order], -1) | {order[0].label: 0}  # on all paths so far
    changed = bool(bits)
    while changed:
        changed, passed = False, set[str]()
        for block in order:
            passed.add(block.label)
            known = assigned[block.label]
            for line in block.uses:
                bit = bits.get(line.names[-1], 0)
                if line.form.op == "store":
                    known |= bit
                elif bit & ~known and line.form.op == "load":
                    return True
            if block is order[0] and known + 1 == 1 << len(bits):
                return False  # all are assigned in the first block
            for label in block.targets:
                changed |= label in passed and assigned[label] & ~known != 0
                assigned[label] &= known
    return False


def _parameters(function: FunctionText) -> set[str]:
    """The parameters that are not poison by their attributes."""
    texts = zip(function.parameters, parameters_in(function.header), strict=False)
    return {each.name for each, text in texts if _CERTAIN.search(text)}


# ------------------------------------------------------------------------------------------- by their own definitions


def _defined(
    function: FunctionText, postorder: Sequence[Block], variables: Mapping[str, str], once: set[str]
) -> set[str]:
    """The values that are not poison by their definitions.

    Forwards, the variables are collected whose contents are not; around a loop, only those that are assigned `once`.
    """
    found = _parameters(function)
    ends: dict[str, set[str]] = {}
    before: dict[str, list[str]] = {}
    for block in postorder:
        for label in block.targets:
            before.setdefault(label, []).append(block.label)
    for block in reversed(postorder):
        known = [ends.get(label) for label in before.get(block.label, ())]
        visited = [each for each in known if each is not None]
        contents = set[str].intersection(*visited) if visited else set[str]()
        if len(visited) < len(known):
            contents &= once
        for line in block.lines:
            variable = line.names[-1] if line.names and line.names[-1] in variables else ""
            if variable and line.op == "store":
                is_certain = not _FLAG.search(line.text) if len(line.names) == 1 else line.names[0] in found
                (contents.add if is_certain else contents.discard)(variable)
            elif variable and line.op == "load":
                found |= {str(line.result)} if variable in contents else set()
            elif line.result and _is_certain(line, found):
                found.add(line.result)
        ends[block.label] = contents
    return found


def _is_certain(line: Line, known: set[str]) -> bool:
    """Whether the result is not poison, given the values before it that are not."""
    if line.op in ("alloca", "freeze"):
        return True
    if line.op == "load":
        return "!noundef" in line.text or "!dereferenceable" in line.text
    if _CALL.match(line.text):
        return _CERTAIN.search(line.text.partition("@")[0].partition("(%")[0]) is not None
    is_harmless = line.op in _HARMLESS or _SHIFT.match(line.text)
    return bool(is_harmless) and not _FLAG.search(line.text) and known.issuperset(line.names)


# ------------------------------------------------------------------------------------------------- by their later uses


def _required(function: FunctionText, postorder: Sequence[Block], variables: Mapping[str, str]) -> set[str]:
    """The values with which the program would have no meaning if they were poison, at the ends of their definitions.

    Backwards, the values are collected that the code from there on requires. The content of a variable is such a value,
    too, named like it.
    """
    starts: dict[str, set[str]] = {}
    found: set[str] = set()
    returns = _CERTAIN.search(function.header.partition("@")[0]) is not None
    for block in postorder:
        targets = block.targets
        needed = {*starts.get(targets[0], ())} if len(targets) == 1 else set[str]()
        for line in reversed(block.lines):
            if line.op == RECORD or line.op == "phi":
                continue
            if line.result in needed:
                found.add(str(line.result))
            _require(line, needed, variables, returns)
        starts[block.label] = needed
    return found | (starts[postorder[-1].label] & {each.name for each in function.parameters})


def _require(line: Line, needed: set[str], variables: Mapping[str, str], returns: bool) -> None:
    """Add to the values that the code after a line requires those that the line requires."""
    variable = line.names[-1] if line.names and line.names[-1] in variables else None
    if variable and line.op == "store":
        if variable in needed:
            needed.remove(variable)
            needed.update(line.names[:-1])
    elif variable and line.op == "load":
        if line.result in needed:
            needed.add(variable)
    else:
        uses = _uses(line.text, returns)
        if not uses.continues:
            needed.clear()
        if line.result in needed and uses.propagates:
            needed.update(line.names[: 1 if line.op == "select" else None])
        needed.update(line.names[position] for position in uses.required)


class _Uses(NamedTuple):
    """The operands of an instruction that must not be poison; whether a poison operand makes the result poison; and
    whether execution continues after it.
    """

    required: Sequence[int]
    propagates: bool
    continues: bool


@lru_cache(10_000)
def _uses(text: str, returns: bool) -> _Uses:
    op = text.partition(" ")[0]
    if _CALL.match(text):
        return _Uses(_required_arguments(text), False, bool(_RETURNING.search(text)) and op != "invoke")
    required: list[int] = []
    if match := _ADDRESS.match(text):
        required = [hole_count(match[0]) - 1]
    elif op in ("udiv", "sdiv", "urem", "srem") and parts_of(text)[1] == "%":
        required = [hole_count(text) - 1]
    elif re.match(r"(?:br i1|switch [^%\[]*) %", text) or (op == "ret" and returns and hole_count(text)):
        required = [0]
    continues = not re.match(r"ret|unreachable|resume|store (?:atomic )?volatile", text)
    return _Uses(required, op in COMPUTATIONS or op == "select", continues)


def _required_arguments(text: str) -> Sequence[int]:
    """The positions of the arguments that must not be poison, and of the called address."""
    callee = _CALLEE.search(text)
    if callee is None:
        return ()
    position = hole_count(text[: callee.start()])
    found = [position] if callee[1] else []
    position += bool(callee[1])
    for argument in parts_of(text[callee.end() : end_of_brackets(text, callee.end() - 1) - 1]):
        count = hole_count(argument)
        if count == 1 and argument.endswith(" %") and _CERTAIN.search(argument):
            found.append(position)
        position += count
    return found
