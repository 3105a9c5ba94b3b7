"""The forms of lines, and what follows from them: the types of results, and accesses through addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from cpsconv.core.ir import Foreign, Scalar
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS
from cpsconv.languages.llvm.types import PREFIX, element_type, end_of_type, first_type, parts_of, scalar_of

Named = Mapping[str, str]

CONVERSIONS = frozenset([*CASTS, "bitcast", "addrspacecast"])
"""The operations whose operand another type follows."""

COMPUTATIONS = CONVERSIONS.union(BINARY, COMPARISONS, ["fneg", "getelementptr"])
"""The operations on scalars, for which the result is poison if an operand is."""

PURE = COMPUTATIONS.union(
    ["select", "freeze", "extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"]
)
"""The operations whose result depends only on their operands."""

_LINE = re.compile(r"( *)(% = )?(([a-z_]\w*|#dbg).*)", re.DOTALL)
_ACCESS = re.compile(r"(?:load|(store)) (?:atomic )?(.*), ptr(?: addrspace\([^)]*\))? %(?:[, ]|$)")


class Form:
    """The text that equal lines share, apart from their local names: its operation, holes and result type.

    `op` is the first word of the `text`, in which each other name is a hole.
    """

    def __init__(self, line: str, named: Named) -> None:
        match = _LINE.match(line)
        assert match
        indentation, result, self.text, self.op = match.groups()
        self.named, self.indentation, self.has_result = named, len(indentation), result is not None
        self.is_pure = self.op in PURE

    @cached_property
    def foreign(self) -> Foreign:
        """The foreign operation."""
        return Foreign(PREFIX + self.text)

    @cached_property
    def labels(self) -> int:
        """How many of the holes are labels: the last ones."""
        return re.sub('"[^"]*"', "", self.text).count("label %")

    @cached_property
    def type(self) -> Scalar:
        """The type of the result."""
        text = self.text[len(self.op) :]
        return scalar_of(_RULES[self.op](text, self.named) if self.op in _RULES else first_type(text))

    @cached_property
    def accessed(self) -> str:
        """The type that a load or store accesses at its last operand; "" of all other lines, and if it is volatile."""
        match = _ACCESS.match(self.text)
        if not match or match[2].startswith("volatile "):
            return ""
        return first_type(match[2]) if match[1] else match[2]

    @cached_property
    def allocated(self) -> str:
        """The type of the object that an ``alloca`` allocates."""
        return first_type(self.text, len("alloca"))

    @cached_property
    def stored(self) -> str:
        """The text of the value that a ``store`` stores; ``undef`` for poison, which φ functions ignore as well."""
        stored = parts_of(self.text[len("store ") :])[0].removeprefix("atomic ")
        value = stored[end_of_type(stored, 0) :].strip()
        return "undef" if value == "poison" else value

    @cached_property
    def condition(self) -> str:
        """The text of the condition of a ``br`` with two labels."""
        return self.text[len("br i1 ") :].partition(", label %")[0]

    @cached_property
    def metadata(self) -> str:
        """The metadata of a ``br``: what follows its last label."""
        return self.text.rpartition("label %")[2]


def _with_elements(type: str, element: str) -> str:
    """The vector of the elements with the length of `type`, if this is a vector."""
    return f"{type[: type.rindex(' x ')]} x {element}>" if type[0] == "<" and " x " in type else element


def _pointer(text: str, named: Named) -> str:
    """``getelementptr``: a pointer like its operand, or a vector of pointers if an operand is a vector."""
    types = [first_type(operand) for operand in parts_of(text)[1:] if operand[0] != "!"]
    vector = next((type for type in types if type[0] == "<"), None)
    return _with_elements(vector, _element(types[0])) if vector else types[0]


def _allocated(text: str, named: Named) -> str:
    space = re.search(r", addrspace\((?:\d+|\"[^\"]*\")\)", text)
    return f"ptr{space[0][1:]}" if space else "ptr"


def _member(text: str, named: Named) -> str:
    """``extractvalue``: the type of the member at the indices."""
    aggregate, *indices = parts_of(text)
    type = first_type(aggregate)
    for index in indices:
        if not index.isdigit():
            break  # metadata
        type = element_type(type, int(index), named)
    return type


def _element(vector: str) -> str:
    """The type of the elements of a vector; any other type itself."""
    return vector[vector.rindex(" x ") + 3 : -1] if vector[0] == "<" and " x " in vector else vector


def _shuffled(text: str, named: Named) -> str:
    parts = parts_of(text)
    return _with_elements(first_type(parts[2]), _element(first_type(parts[0])))


def _second(text: str, named: Named) -> str:
    return first_type(parts_of(text)[1])


_RULES: dict[str, Callable[[str, Named], str]] = {
    **dict.fromkeys(CONVERSIONS, lambda text, _: first_type(text, text.rindex(" to ") + 4)),
    **dict.fromkeys(COMPARISONS, lambda text, _: _with_elements(first_type(text), "i1")),
    **dict.fromkeys(["catchpad", "cleanuppad", "catchswitch"], lambda *_: "token"),
    **dict.fromkeys(["select", "atomicrmw", "va_arg"], _second),
    "getelementptr": _pointer,
    "alloca": _allocated,
    "extractvalue": _member,
    "extractelement": lambda text, _: _element(first_type(text)),
    "shufflevector": _shuffled,
    "cmpxchg": lambda text, named: f"{{ {_second(text, named)}, i1 }}",
}
"""The types of the results of operations with which no other type begins."""
