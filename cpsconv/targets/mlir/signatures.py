"""The functions of a module: their signatures, read from LLVM IR, and their declarations in MLIR."""

from __future__ import annotations

from dataclasses import dataclass, field

from cpsconv.targets.mlir.llvm_text import VOID, Passed, Tokens, reference


@dataclass
class Signature:
    """A function of the module: its parameters and result, and what is known of it.

    `linkage` is empty for one that is visible to other modules. Those in the dialect `func` are not `in_llvm`. The
    `location` is empty if it is not known.
    """

    name: str
    parameters: list[Passed]
    result: Passed
    is_variadic: bool = False
    linkage: str = ""
    attributes: list[str] = field(default_factory=list)
    in_llvm: bool = True
    location: str = ""

    @property
    def is_visible(self) -> bool:
        """Whether other modules call it."""
        return self.linkage != "internal"

    @property
    def has_attributes(self) -> bool:
        """Whether parameters or the result have attributes, which a caller must state."""
        return any(each.attributes for each in (self.result, *self.parameters))

    @property
    def returned(self) -> str:
        """The result after an arrow; empty without one."""
        return "" if self.result.type == VOID else f" -> {self.result.listed}"

    @property
    def type(self) -> str:
        """The type of a variadic function in the dialect `llvm`."""
        types = [each.type for each in self.parameters]
        return f"!llvm.func<{self.result.type} ({', '.join([*types, '...'])})>"


def signature(tokens: Tokens) -> Signature:
    """Read the head of a definition or declaration, after ``define`` or ``declare``."""
    linkage = tokens.read() if tokens.next in ("internal", "weak", "linkonce_odr", "extern_weak") else ""
    extension = tokens.attributes()
    result = Passed(tokens.type(), extension, "")
    found = Signature(reference(tokens.read()), [], result, linkage=linkage)
    tokens.read()
    for _ in tokens.items(")"):
        if tokens.accept("..."):
            found.is_variadic = True
            continue
        type, attributes = tokens.type(), tokens.attributes()
        found.parameters.append(Passed(type, attributes, tokens.read() if tokens.next.startswith("%") else ""))
    found.attributes = [each for each in tokens.rest() if each != "{"]
    found.location, *others = tokens.locations or [""]
    for index, location in enumerate(others):
        found.parameters[index] = found.parameters[index]._replace(location=location.replace("loc(unknown)", ""))
    return found


def declaration(function: Signature) -> str:
    """The declaration of an external function."""
    types = ", ".join([*(each.typed for each in function.parameters), *["..."] * function.is_variadic])
    weak = "extern_weak " if function.linkage else ""
    if not function.in_llvm:
        return f"func.func private {function.name}({types}){function.returned}"
    return f"llvm.func {weak}{function.name}({types}){function.returned}{passthrough(function)}"


def passthrough(function: Signature) -> str:
    """The attributes of a function in the dialect `llvm`, which MLIR passes on to LLVM."""
    words = ", ".join(_PASSED.get(each, f'"{each}"') for each in function.attributes)
    return f" attributes {{passthrough = [{words}]}}" if words else ""


_PASSED = {"readnone": '["memory", "0"]'}
