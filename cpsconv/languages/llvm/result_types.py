"""The types of the results of instructions, by their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cpsconv.core.ir import Scalar
from cpsconv.languages.llvm.types import element_type, first_type, parts_of, scalar_of

Named = Mapping[str, str]

BINARY = "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem"
CASTS = "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast"
PURE = frozenset(
    f"{BINARY} {CASTS} fneg icmp fcmp select freeze getelementptr extractvalue insertvalue extractelement"
    " insertelement shufflevector".split()
)
"""The operations whose result depends only on their operands."""


class ResultTypes:
    """The types of results in a module, whose named types have definitions."""

    def __init__(self, named: Named) -> None:
        self._named = dict(named)
        self._known: dict[str, Scalar] = {}

    def type_of(self, op: str, text: str) -> Scalar:
        """The type of the result of an instruction, with holes for its operands."""
        found = self._known.get(text)
        if found is None:
            # The operands, and what follows them, seldom matter: most texts are alike up to the first hole or symbol.
            key = text if op in _WHOLE else text.partition("%")[0].partition("@")[0]
            found = self._known.get(key)
            if found is None:
                rule = _RULES.get(op, _first)
                found = self._known[key] = scalar_of(rule(text[len(op) :], self._named))
            self._known[text] = found
        return found


def _first(text: str, named: Named) -> str:
    return first_type(text)


def _comparison(text: str, named: Named) -> str:
    return _with_elements(first_type(text), "i1")


def _with_elements(type: str, element: str) -> str:
    """The vector of the elements with the length of `type`, if this is a vector."""
    return re.sub(r" x .*>$", f" x {element}>", type) if type[0] == "<" and " x " in type else element


def _cast(text: str, named: Named) -> str:
    return first_type(text, text.rindex(" to ") + 4)


def _pointer(text: str, named: Named) -> str:
    """``getelementptr``: a pointer like its operand, or a vector of pointers if an operand is a vector."""
    operands = [part for part in parts_of(text)[1:] if part[0] != "!"]
    types = [first_type(operand) for operand in operands]
    vector = next((type for type in types if type[0] == "<"), None)
    if vector is None:
        return types[0]
    base = first_type(types[0], types[0].index(" x ") + 3) if types[0][0] == "<" else types[0]
    return _with_elements(vector, base)


def _allocated(text: str, named: Named) -> str:
    space = re.search(r", addrspace\((?:\d+|\"[^\"]*\")\)", text)
    return f"ptr{space[0][1:]}" if space else "ptr"


def _selected(text: str, named: Named) -> str:
    return first_type(parts_of(text)[1])


def _member(text: str, named: Named) -> str:
    """``extractvalue``: the type of the member at the indices."""
    aggregate, *indices = parts_of(text)
    type = first_type(aggregate)
    for index in indices:
        if not index.isdigit():
            break  # metadata
        type = element_type(type, int(index), named)  # type: ignore[arg-type]
    return type


def _element(text: str, named: Named) -> str:
    vector = first_type(text)
    return vector[vector.rindex(" x ") + 3 : -1] if " x " in vector else vector


def _shuffled(text: str, named: Named) -> str:
    parts = parts_of(text)
    vector, mask = first_type(parts[0]), first_type(parts[2])
    return _with_elements(mask, _element(vector, named))


def _second(text: str, named: Named) -> str:
    """``atomicrmw`` and ``va_arg``: the type of the second part."""
    return first_type(parts_of(text)[1])


def _exchanged(text: str, named: Named) -> str:
    return f"{{ {first_type(parts_of(text)[1])}, i1 }}"


def _token(text: str, named: Named) -> str:
    return "token"


_RULES: dict[str, Callable[[str, Named], str]] = {
    **dict.fromkeys(CASTS.split(), _cast),
    **dict.fromkeys(["icmp", "fcmp"], _comparison),
    **dict.fromkeys(["catchpad", "cleanuppad", "catchswitch"], _token),
    "getelementptr": _pointer,
    "alloca": _allocated,
    "select": _selected,
    "extractvalue": _member,
    "extractelement": _element,
    "shufflevector": _shuffled,
    "atomicrmw": _second,
    "va_arg": _second,
    "cmpxchg": _exchanged,
}
_WHOLE = _RULES.keys() - {"icmp", "fcmp"}
