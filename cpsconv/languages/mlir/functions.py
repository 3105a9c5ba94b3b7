"""The functions of a module in MLIR: names, types and dominance are checked, and control flow is found.

Blocks that control cannot reach are dropped, as by MLIR's own rule that their operations may use any values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.source import Diagnostic, Span, error
from cpsconv.languages.mlir.locations import LocatedSource
from cpsconv.languages.mlir.syntax import Block, Operation
from cpsconv.languages.mlir.texts import halves_of, parts_of, signature, symbol
from cpsconv.languages.mlir.types import is_in_range


@dataclass(eq=False)
class Function:
    """A function: its name, and the types of its parameters and results; the blocks are empty if it is only declared.

    `targets` has the blocks that control can reach, in reverse postorder, with their successors, one for each edge.
    """

    operation: Operation
    name: str
    types: Sequence[str]
    results: Sequence[str]
    targets: dict[Block, list[Block]] = field(default_factory=dict)

    @property
    def header(self) -> str:
        """The text around the blocks: three lines, of which the second is the label of the first block, if any."""
        each = self.operation
        start = " ".join(filter(None, [f'"{each.name}"()', each.properties, "({"]))
        end = " ".join(filter(None, ["})", each.attributes, ": () -> ()", each.location]))
        return f"{start}\n{each.blocks[0].text}\n{end}"

    @property
    def declaration(self) -> str:
        """The line that stands for the function in the text of the module."""
        name, type = (self.operation.table[key] for key in ("sym_name", "function_type"))
        properties = f'function_type = {type}, sym_name = {name}, sym_visibility = "private"'
        return f'function {name} "{self.operation.name}"() <{{{properties}}}> ({{}}) : () -> ()'


def text_around(functions: Sequence[Function], text: str) -> str:
    """The text of a module, in which a line stands for each function that is defined: `texts.BODY`."""
    found, start = "", 0
    for each in functions:
        if each.targets:
            before, end = text[start : each.operation.span.start], each.operation.end
            rest = text[end : text.find("\n", end)]
            line_start, line_end = (text and "\n" for text in (before.rpartition("\n")[2].strip(), rest.strip()))
            found += f"{before}{line_start}{each.declaration}{line_end}"
            start = end
    return found + text[start:]


def functions_of(operations: list[Operation], source: LocatedSource, errors: list[Diagnostic]) -> list[Function]:
    """The functions of the module with these operations. Adds all errors to `errors`."""
    if [each.name for each in operations] == ["builtin.module"]:
        operations = [each for block in operations[0].blocks for each in block.operations]
    functions: dict[str, Function] = {}
    for each in operations:
        for located in [each, *(inner for block in each.blocks for inner in block.operations)]:
            if located.location and (place := located.aliases.place(located.location)):
                source.locations[source.position(located.span.start)[0]] = place
        name = symbol(each.table.get("sym_name", ""))
        if not _is_function(each):
            if each.blocks and each.name not in ("llvm.mlir.global", "llvm.func"):
                errors.append(_with_region(each))
        elif name in functions or not name:
            message = f"there are two functions `{name}`" if name else "the function has no name"
            errors.append(error(message, each.span, rule="redefined" if name else "syntax"))
        else:
            functions[name] = Function(each, name, *_types(each.table["function_type"]))
    for function in functions.values():
        if function.operation.blocks:
            _Checker(function, functions, errors).check()
    return [*functions.values()]


def _is_function(each: Operation) -> bool:
    """Whether an operation is a function: one of `func`, or one with a body of another dialect."""
    is_plain = len(each.regions) == 1 and not (each.operands or each.results or each.successors)
    is_known = each.name == "func.func" or (each.name.endswith(".func") and each.blocks)
    return bool(is_plain and is_known and each.table.get("function_type"))


def _types(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """The types of the parameters and results of a function."""
    if not text.startswith("!llvm.func<"):
        return signature(text)
    result, parameters = halves_of(text.removeprefix("!llvm.func<").removesuffix(")>"), "(")
    types = [_in_dialect(each) for each in parts_of(parameters) if each != "..."]
    return types, [] if result == "void" else [_in_dialect(result)]


def _in_dialect(text: str) -> str:
    """A type as in ``!llvm.func<…>``, where the types of the dialect lack their prefix."""
    return text if re.match(r"!|i\d+\b|[bt]?f\d+\b|vector<", text) else f"!llvm.{text}"


def _with_region(each: Operation) -> Diagnostic:
    """The error for an operation with a region."""
    dialect = each.name.partition(".")[0]
    lowers = {"scf": "--convert-scf-to-cf", "affine": "--lower-affine --convert-scf-to-cf"}.get(dialect)
    help = lowers and f"lower the dialect first: `mlir-opt {lowers} --mlir-print-op-generic FILE`"
    message = f"`{each.name}` has a region: only those of functions are read"
    return error(message, each.span, help=help, rule="unsupported")


# ------------------------------------------------------------------------------------------------------------ checks


class _Checker:
    """Checks one function; `values` has the types of the values so far, and the blocks that define them."""

    def __init__(self, function: Function, functions: dict[str, Function], errors: list[Diagnostic]) -> None:
        self.function, self.functions, self.errors = function, functions, errors
        self.values: dict[str, tuple[str, Block]] = {}
        self.labelled: dict[str, Block] = {}

    def error(self, message: str, span: Span, rule: str) -> None:
        """Add an error."""
        self.errors.append(error(message, span, rule=rule))

    def check(self) -> None:
        """Check the function, and find its blocks."""
        function, region, before = self.function, self.function.operation.blocks, len(self.errors)
        entry = region[0]
        if [each.type for each in entry.arguments] != [*function.types]:
            message = f"the arguments of the first block are not those of `{function.name}`"
            self.error(message, entry.span, "type-mismatch")
        for block in region:
            if block.name and self.labelled.setdefault(block.name, block) is not block:
                self.error(f"there are two blocks `{block.name}`", block.span, "redefined")
        for block in region:
            self._check_end(block, entry)
        if len(self.errors) > before:
            return
        targets = {block: [self.labelled[name] for name in block.operations[-1].successors] for block in region}
        function.targets = {each: targets[each] for each in reverse_postorder_from(entry, targets.__getitem__)}
        self.dominance = Dominance(entry, targets.__getitem__, function.targets)
        for block in function.targets:
            for name, type, _ in block.arguments:
                self._define(name, type, block, block.span)
            for each in block.operations:
                self._check(each, block)

    def _check_end(self, block: Block, entry: Block) -> None:
        """Check that the last operation of a block ends it, and leads to blocks of the function."""
        if not block.operations:
            self.error(f"the block `{block.name}` has no operation that ends it", block.span, "syntax")
            return
        *others, last = block.operations
        for each in others:
            if each.successors:
                self.error(f"`{each.name}` has successors, but does not end its block", each.span, "syntax")
        if last.results and not last.successors:
            self.error(f"`{last.name}` has results, but no block follows that uses them", last.span, "unsupported")
        for name in last.successors:
            if name not in self.labelled:
                self.error(f"there is no block `{name}`", last.span, "undeclared")
            elif self.labelled[name] is entry:
                self.error(f"`{name}` is the first block: no operation leads to it", last.span, "unsupported")

    def _define(self, name: str, type: str, block: Block, span: Span) -> None:
        if name in self.values:
            self.error(f"there are two values `{name}`", span, "redefined")
        self.values[name] = type, block

    def _check(self, each: Operation, block: Block) -> None:
        if each.regions:
            self.errors.append(_with_region(each))
        for name, text in each.table.items():
            if not is_in_range(text):
                self.error(f"`{name}` of `{each.name}` is not in the range of its type", each.span, "literal")
        if len(each.operands) != len(each.parameters) or len(each.results) != len(each.types):
            self.error(f"`{each.name}` has other numbers of operands or results than types", each.span, "type-mismatch")
            return
        for name, type in zip(each.operands, each.parameters, strict=True):
            found, home = self.values.get(name, ("", block))
            if not found or not self.dominance.dominates(home, block):
                self.error(f"`{name}` is not defined on every path to this use", each.span, "undeclared")
            elif found != type:
                self.error(f"`{name}` has the type `{found}`, not `{type}`", each.span, "type-mismatch")
        for name, type in zip(each.results, each.types, strict=True):
            self._define(name, type, block, each.span)
        if each.name == "func.call":
            self._check_call(each)

    def _check_call(self, each: Operation) -> None:
        name = callee(each)
        target = self.functions.get(name)
        if target is None:
            self.error(f"there is no function `{name}`", each.span, "undeclared")
        elif (each.parameters, each.types) != (tuple(target.types), tuple(target.results)):
            self.error(f"`{name}` has other parameters or results", each.span, "type-mismatch")


def callee(call: Operation) -> str:
    """The name of the function that ``func.call`` calls."""
    return symbol(call.table.get("callee", ""))
