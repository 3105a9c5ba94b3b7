"""Foreign operations in MLIR's generic form, and those that have none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.abi.mlir import SEGMENTS, results_in
from cpsconv.core.ir import ForeignTransfer, Program, Scalar
from cpsconv.core.operations.odd_types import standard_type
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.targets.mlir.llvm_text import Passed
from cpsconv.targets.unsupported import Obstacle


def generic(name: str, static: str, passed: Sequence[Passed], type: str, targets: str = "") -> str:
    """An operation in the generic form, with its properties and attributes."""
    names, types = ", ".join(each.name for each in passed), ", ".join(each.type for each in passed)
    return f'"{name}"({names}){targets}{static and " "}{static} : ({types}) -> {listed(type)}'


def listed(type: str) -> str:
    """The types of results after an arrow."""
    types = [each for each in results_in(type) if each != "!llvm.void"]
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def with_segments(name: str, static: str, counts: Sequence[int]) -> str:
    """The properties of a transfer with the numbers of the operands that its edges pass now."""
    if name.endswith(".switch"):
        segments = f"case_operand_segments = array<i32{': ' * (len(counts) > 1)}{', '.join(map(str, counts[1:]))}>"
        static = re.sub(r"case_operand_segments = array<i32[^>]*>", segments, static)
        counts = [*counts[:1], sum(counts[1:])]
    found = SEGMENTS.search(static)
    if not found:
        return static
    own = found[1].split(", ")[: found[1].count(",") + 1 - len(counts)]
    return f"{static[: found.start(1)]}{', '.join([*own, *map(str, counts)])}{static[found.end(1) :]}"


_OPERATION = re.compile(r"(results|result \d+|[A-Za-z_][\w$]*(\.[\w$]+)+( <\{.*\}>)?( \{.*\})?)")
_TYPE = re.compile(r"!.*|(results|memref|tensor|vector|tuple|complex|affine_map)<.*|index|none|[su]?i\d+|t?f\d\w*|\(.*")


def obstacles(program: Program) -> Iterator[Obstacle]:
    """The foreign operations and types of other languages than MLIR, which have not its syntax."""
    for member in program.members():
        for statement in member.body:
            if statement.op in FOREIGN_OPERATIONS:
                if not _OPERATION.fullmatch(str(statement.of)):
                    yield f"the foreign operation `{statement.of}`", statement.span
                for type in (each.type for each in (statement, *statement.operands)):
                    if isinstance(type, Scalar) and standard_type(type) is not type:
                        yield f"the foreign operation `{statement.of}` on values of type `{type}`", statement.span
        for parameter in member.parameters:
            type = parameter.type
            if isinstance(type, Scalar) and type.kind == "foreign" and not _TYPE.fullmatch(type.name[1:].strip("`")):
                yield f"the foreign type `{type}`", parameter.span or member.span
        transfer = member.transfer
        if isinstance(transfer, ForeignTransfer) and not _OPERATION.fullmatch(transfer.text):
            yield f"the foreign operation `{transfer.text}`", transfer.span
