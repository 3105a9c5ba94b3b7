"""Bril's types and operations, and the type checker of functions.

Bril's interpreter checks types when it executes an instruction; here they are checked before the run, by the rules of
Bril's own type checker (`brilck`).
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from cpsconv.core.ir import BOOL, DOUBLE, INT, LONG, PTR, Scalar
from cpsconv.core.operations.types import range_of
from cpsconv.core.source import Diagnostic, Span, did_you_mean, error, warning
from cpsconv.languages.bril.tree import REPORTED, Function, Instruction, Label, Type, Word, pointee, pointer_to

SCALARS: dict[str, Scalar] = {"int": LONG, "bool": BOOL, "float": DOUBLE, "char": INT}
"""The types of the program for Bril's types; all pointers have the type `ptr`. A character is its code point."""

TERMINATORS = ("jmp", "br", "ret")
"""The operations that end a basic block."""


class Signature(NamedTuple):
    """The types of the arguments and of the result of an operation, and the number of its labels. ``T`` is any type.

    `primitive` is the primitive of the program that the operation is, if there is one.
    """

    arguments: tuple[Type, ...]
    result: Type | None
    labels: int = 0
    primitive: str = ""


def _signatures() -> dict[str, Signature]:
    table = {
        "add:+ sub:- mul:* div": "int int → int",
        "eq:== lt:< gt:> le:<= ge:>=": "int int → bool",
        "and or": "bool bool → bool",
        "not:!": "bool → bool",
        "id": "T → T",
        "nop": "→",
        "fadd:+ fsub:- fmul:* fdiv:/": "float float → float",
        "feq:== flt:< fgt:> fle:<= fge:>=": "float float → bool",
        "float2bits": "float → int",
        "bits2float": "int → float",
        "ceq:== clt:< cgt:> cle:<= cge:>=": "char char → bool",
        "char2int": "char → int",
        "int2char": "int → char",
        "alloc": "int → ptr<T>",
        "free": "ptr<T> →",
        "store": "ptr<T> T →",
        "load": "ptr<T> → T",
        "ptradd": "ptr<T> int → ptr<T>",
        "set": "T T →",
        "get undef": "→ T",
    }
    found = {"jmp": Signature((), None, 1), "br": Signature(("bool",), None, 2)}
    for names, typing in table.items():
        arguments, _, result = typing.partition("→")
        for name, _, primitive in (each.partition(":") for each in names.split()):
            found[name] = Signature(tuple(arguments.split()), result.strip() or None, primitive=primitive)
    return found


SIGNATURES = _signatures()
"""The operations whose operands have fixed numbers and types."""

_SPECIAL = ("const", "call", "print", "ret", "phi")
WORDS = ("true", "false", *SCALARS, "ptr", *_SPECIAL, *SIGNATURES)
"""The words with a meaning of their own, which the grammar does not distinguish from names."""
_SPECULATION = ("speculate", "guard", "commit")


def scalar_of(type: Type) -> Scalar:
    """The type of the program's values for a type of Bril."""
    return SCALARS.get(type, PTR)


UNDEFINED = "__undefined"
"""The operand that Bril's tools write in a φ function for an edge along which its variable has no value."""


def types_of(function: Function, found: list[Diagnostic]) -> dict[str, Type]:
    """The types of the variables of the function. Adds all errors and warnings about it to `found`."""
    checker = _TypeChecker(function, found)
    checker.check()
    return checker.types


class _TypeChecker:
    """Checks one function. `types` has the types of its variables, `found` gets the errors and warnings."""

    def __init__(self, function: Function, found: list[Diagnostic]) -> None:
        self.function, self.found = function, found
        self.types: dict[str, Type] = {}
        self.labels: set[str] = set()

    def check(self) -> None:
        """Check the whole function."""
        function = self.function
        for parameter in function.parameters:
            if parameter.name.text in self.types:
                self.error(f"there are two parameters `{parameter.name.text}`", parameter.name.span, "redefined")
            self._define(parameter.name, parameter.type)
        if function.result is not None:
            self._require_type(function.result, function.name.span)
        instructions = [line for line in function.lines if isinstance(line, Instruction)]
        self._check_labels_and_phis()
        self._check_order_of_phis()
        for each in instructions:
            if each.destination:
                self._define(each.destination, each.type)
        for each in instructions:
            self._check(each)

    def _check_labels_and_phis(self) -> None:
        is_start = True
        for line in self.function.lines:
            if isinstance(line, Label):
                if line.name in self.labels:
                    self.error(f"there are two labels `.{line.name}`", line.span, "redefined")
                self.labels.add(line.name)
            elif line.op == "phi" and not is_start:
                message = "`phi` is supported at the start of a block only, before other instructions"
                self.error(message, line.span, "unsupported")
            is_start = isinstance(line, Label) or line.op in TERMINATORS or (is_start and line.op == "phi")

    def _check_order_of_phis(self) -> None:
        """Warn of φ functions that read others of their block."""
        for op, lines in groupby(self.function.lines, lambda line: line.op if isinstance(line, Instruction) else None):
            phis = [line for line in lines if op == "phi" and isinstance(line, Instruction)]
            numbers = {each.destination.text: number for number, each in enumerate(phis) if each.destination}
            for number, each in enumerate(phis):
                for argument in each.arguments:
                    other = numbers.get(argument.text, number)
                    if other != number:
                        self._warn_of_order(argument, phis[other] if other < number else None)

    def _warn_of_order(self, argument: Word, earlier: Instruction | None) -> None:
        message = f"`{argument.text}` is the value before the block: its φ functions are executed at the same time"
        before = "Bril's older interpreter executes this one before, and then reads its result"
        notes = [(before, earlier.span)] if earlier else []
        self.found.append(warning(message, argument.span, notes=notes, rule="phi-order"))

    def error(self, message: str, span: Span, rule: str, help: str | None = None) -> None:
        self.found.append(error(message, span, help=help, rule=rule))

    def _define(self, name: Word, type: Type | None) -> None:
        """Note the type of a variable, which is the same at each assignment."""
        if type is None:
            self.error(f"the type of `{name.text}` is missing", name.span, "type-mismatch", "write `name: type = …`")
            type = "int"
        self._require_type(type, name.span)
        before = self.types.setdefault(name.text, type)
        if before != type:
            self.error(f"`{name.text}` has the type {before} elsewhere, not {type}", name.span, "type-mismatch")

    def _require_type(self, type: Type, span: Span) -> None:
        base = type.rpartition("<")[2].partition(">")[0]
        if base == "any":
            self.error("the type `any` is not supported: types are checked before the run", span, "unsupported")
        elif base not in SCALARS or not type.startswith("ptr<" * type.count("<")):
            self.error(f"there is no type `{type}`", span, "unknown-type", did_you_mean(base, SCALARS))

    def _check(self, each: Instruction) -> None:
        signature = self._signature(each)
        if signature is None:
            return
        if signature.result is None and each.destination:
            self.error(f"`{each.op}` has no result", each.span, "type-mismatch")
        if signature.result is not None and not each.destination:
            self.error(f"the result of `{each.op}` is not assigned to a variable", each.span, "type-mismatch")
        if each.op != "call" and each.functions:
            self.error(f"`{each.op}` takes no functions", each.span, "argument-count")
        self._check_labels(each, signature)
        self._check_arguments(each, signature)

    def _signature(self, each: Instruction) -> Signature | None:
        """The signature of the instruction; None after an error, and for a `const`."""
        if each.op == REPORTED:
            return None
        if each.op in SIGNATURES:
            return SIGNATURES[each.op]
        if each.op == "const":
            self._check_constant(each)
            return None
        if each.op == "call":
            return self._callee(each)
        if each.op == "print":
            return Signature(tuple(self.types.get(name.text, "int") for name in each.arguments), None)
        if each.op == "ret":
            return Signature((self.function.result,) if self.function.result else (), None)
        if each.op == "phi":
            return Signature(("T",) * len(each.labels), "T", len(each.labels))
        if each.op in _SPECULATION:
            message = f"`{each.op}` is not supported: a rollback would restore all variables"
            self.error(message, each.span, "unsupported", "write the recovery with `br`")
        else:
            help = did_you_mean(each.op, [*SIGNATURES, *_SPECIAL])
            self.error(f"there is no operation `{each.op}`", each.span, "unknown-operation", help)
        return None

    def _callee(self, each: Instruction) -> Signature | None:
        if len(each.functions) != 1:
            self.error("`call` takes one function", each.span, "argument-count")
            return None
        name = each.functions[0]
        callee = self.function.scope.get(name.text)
        if callee is None:
            help = did_you_mean(name.text, self.function.scope)
            self.error(f"there is no function `{name.text}`", name.span, "undeclared", help)
            return None
        return Signature(tuple(parameter.type for parameter in callee.parameters), callee.result)

    def _check_constant(self, each: Instruction) -> None:
        if not each.destination:
            self.error("the result of `const` is not assigned to a variable", each.span, "type-mismatch")
            return
        wanted, value = self.types[each.destination.text], each.value
        if value is None:
            return
        if wanted == "float" and isinstance(value, int) and not isinstance(value, bool):
            each.value = value = _as_float(value)
        kinds = {"bool": bool, "int": int, "float": float, "char": str}
        low, high = range_of(LONG)
        if wanted not in kinds or type(value) is not kinds[wanted]:
            self.error(f"this is not a value of type {wanted}", each.span, "literal")
        elif isinstance(value, str) and len(value) != 1:
            self.error("a character is one character", each.span, "literal")
        elif wanted == "int" and isinstance(value, int) and not low <= value <= high:
            self.error("the number is not in the range of `int`, 64 bits", each.span, "literal")

    def _check_labels(self, each: Instruction, signature: Signature) -> None:
        if len(each.labels) != signature.labels:
            self.error(f"`{each.op}` takes {_counted(signature.labels, 'label')}", each.span, "argument-count")
        for label in each.labels:
            if label.text not in self.labels:
                help = did_you_mean(label.text, self.labels)
                self.error(f"there is no label `.{label.text}`", label.span, "undeclared", help)

    def _check_arguments(self, each: Instruction, signature: Signature) -> None:
        if len(each.arguments) != len(signature.arguments):
            callee = f"function `{each.functions[0].text}`" if each.op == "call" else f"`{each.op}`"
            wanted, given = _counted(len(signature.arguments), "argument"), len(each.arguments)
            message = f"{callee} takes {wanted}, but {given} {'is' if given == 1 else 'are'} given"
            self.error(message, each.span, "argument-count")
            return
        bound = None
        if each.destination and signature.result is not None:
            need = f"the result of `{each.op}` has {{}}"
            bound = self._match(each.destination, signature.result, None, need)
        for number, (name, wanted) in enumerate(zip(each.arguments, signature.arguments, strict=True)):
            if name.text in self.types:
                bound = self._match(name, wanted, bound, "{} is needed")
            elif each.op == "set" and number == 0:
                self.error(f"there is no `get` of `{name.text}`", name.span, "undeclared")
            elif name.text != UNDEFINED or each.op != "phi":
                message, help = f"`{name.text}` is never assigned", did_you_mean(name.text, self.types)
                if each.op == "phi":
                    self.found.append(warning(message, name.span, help=help, rule="uninitialized"))
                else:
                    self.error(message, name.span, "undeclared", help)

    def _match(self, name: Word, wanted: Type, bound: Type | None, need: str) -> Type | None:
        """The type ``T`` after a variable is given for `wanted`. Reports one of another type, with the `need`."""
        found = self.types[name.text]
        if wanted == "T":
            wanted = bound = bound or found
        elif wanted == "ptr<T>" and (bound is not None or pointee(found)):
            bound = bound or pointee(found)
            wanted = pointer_to(str(bound))
        if found != wanted:
            needed = need.format("a pointer type" if wanted == "ptr<T>" else f"the type {wanted}")
            self.error(f"`{name.text}` has the type {found}, but {needed}", name.span, "type-mismatch")
        return bound


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _counted(number: int, thing: str) -> str:
    return f"{number or 'no'} {thing}{'s' * (number != 1)}"
