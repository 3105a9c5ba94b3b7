"""The functions of a module: their signatures, read from LLVM IR, and the first lines of their definitions in MLIR."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from cpsconv.targets.mlir.llvm_text import VOID, Operand, Tokens, reference, symbol


@dataclass
class Signature:
    """A function of the module: its parameters and result, and what is known of it.

    `linkage` is empty for one that is visible to other modules. Those in the dialect `func` are not `in_llvm`. The
    `location` is empty if it is not known.
    """

    name: str
    result: Operand
    linkage: str
    is_external: bool
    parameters: list[Operand] = field(default_factory=list)
    is_variadic: bool = False
    attributes: Sequence[str] = ()
    location: str = ""
    in_llvm: bool = False

    @property
    def type(self) -> str:
        """The type of a variadic function in the dialect `llvm`."""
        types = [each.type for each in self.parameters]
        return f"!llvm.func<{self.result.type} ({', '.join([*types, '...'])})>"

    def choose_dialect(self, addressed: Container[str]) -> None:
        """Choose `llvm` for what `func` lacks, such as the attributes of arguments; else, drop these."""
        has_attributes = any(each.attributes for each in (self.result, *self.parameters))
        self.in_llvm = bool(
            self.name in addressed
            or symbol(self.name).startswith("cpsconv.")
            or (self.is_external and (self.is_variadic or self.attributes or self.linkage))
            or (has_attributes and self.linkage != "internal")
        )
        if not self.in_llvm:
            self.result, *self.parameters = (each.plain for each in (self.result, *self.parameters))

    def head(self, parameters: Sequence[str]) -> str:
        """The declaration of the function with the texts of its parameters."""
        result = "" if self.result.type == VOID else f" -> {self.result.listed}"
        typed, linkage = f"{self.name}({', '.join(parameters)}){result}", self.linkage
        if self.in_llvm:  # whose attributes MLIR passes on to LLVM
            words = ", ".join(_PASSED.get(each, f'"{each}"') for each in self.attributes)
            passed = f" attributes {{passthrough = [{words}]}}" if words else ""
            return f"llvm.func {linkage and f'{linkage} '}{typed}{passed}"
        stated = f" attributes {{llvm.linkage = #llvm.linkage<{linkage}>}}" if linkage else ""
        return f"func.func {'private ' if linkage or self.is_external else ''}{typed}{stated}"

    @property
    def declaration(self) -> str:
        """The declaration of an external function."""
        return self.head([*(each.typed for each in self.parameters), *["..."] * self.is_variadic])


_PASSED = {"readnone": '["memory", "0"]'}


def signature(tokens: Tokens) -> Signature:
    """Read the first line of a definition, or a declaration."""
    is_external, linkage, result = tokens.read() == "declare", tokens.flags().strip(), tokens.operand()
    found = Signature(reference(result.text), result, linkage, is_external)
    tokens.read()
    for _ in tokens.items(")"):
        if tokens.accept("..."):
            found.is_variadic = True
        else:
            found.parameters.append(tokens.operand())
    found.attributes = [each for each in tokens.texts[tokens.position :] if each != "{"]
    found.location, *others = tokens.locations or [""]
    for index, location in enumerate(others):
        found.parameters[index] = found.parameters[index]._replace(location=location.replace("loc(unknown)", ""))
    return found
