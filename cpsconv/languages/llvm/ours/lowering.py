"""The lowering of instructions to operations of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import copysign
from typing import Any

from cpsconv.core.construction import Builder, BuildError, Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.floating import Floating, payload
from cpsconv.core.ir import LONG, PTR, Constant, Effect, Function, Parameter, Primitive, Program, Scalar, Undef, Value
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.languages.arithmetic import Compute, Maker
from cpsconv.languages.llvm import lowering as foreign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import CONSTANT
from cpsconv.languages.llvm.lowering import Phi, hint
from cpsconv.languages.llvm.module_text import Block, FunctionText, Line
from cpsconv.languages.llvm.ours.accesses import ACCESSES, Objects
from cpsconv.languages.llvm.ours.aggregate_parts import AGGREGATE_PARTS
from cpsconv.languages.llvm.ours.calls import Calls
from cpsconv.languages.llvm.ours.computations import COMPUTATIONS
from cpsconv.languages.llvm.ours.initial_data import address_of
from cpsconv.languages.llvm.ours.items import Items
from cpsconv.languages.llvm.ours.memory import Memory
from cpsconv.languages.llvm.ours.object_types import Inexpressible, is_aggregate, scalar
from cpsconv.languages.llvm.ours.operands import (
    Aggregate,
    Handler,
    Operand,
    built,
    elements_of,
    elementwise,
    instruction_of,
    leaves,
    operand_of,
)
from cpsconv.languages.llvm.types import PREFIX, scalar_of, text_of

_BITS = re.compile(r"bitcast \((<.*) to \w+\)")
"""The bits of a constant vector."""


_HANDLERS: dict[str, Handler] = {
    **COMPUTATIONS,
    **ACCESSES,
    **AGGREGATE_PARTS,
    **dict.fromkeys(["call", "tail", "notail", "musttail"], lambda function, line: function.calls.call(line)),
}
"""The instructions that operations of the program may express."""


class OursLowering(foreign.Lowering):
    """Constructs the program of a module when called. With `whole`, every instruction must be expressible."""

    def __init__(self, module: foreign.Module, whole: bool) -> None:
        super().__init__(module)
        self.whole = whole

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        items = Items(builder, self.module.text, self.module.source, self.module.debug)
        items.define_all(self.whole)
        refused: list[Diagnostic] = []
        self._lower_functions(builder, FunctionLowering, items, refused)
        items.wrappers.define()
        if self.whole and refused:
            raise DiagnosticError(refused)
        return builder.program(self.module.source)


class FunctionLowering(foreign.FunctionLowering):
    """The lowering of one function. `refused` gets an error for each instruction that stays foreign."""

    def __init__(
        self, builder: Builder, module: foreign.Module, function: FunctionText, items: Items, refused: list[Diagnostic]
    ) -> None:
        super().__init__(builder, module, function)
        self.items, self.refused = items, refused
        self.addressed = set()  # the addresses of blocks are numbers
        self.make = Maker(builder, function.span)
        self.memory = Memory(self.make, items.types)
        self.calls: Calls = Calls(self)
        self.members: dict[str, list[Variable]] = {}
        for name, type in [*self.promoted.types.items()]:
            if scalar_of(type).kind == "foreign":
                del self.promoted.types[name]
        self.objects = Objects(self.function.blocks)

    # ------------------------------------------------------------------------------------------- the function

    def lower(self) -> None:
        """Construct the function. Raises `DiagnosticError` for a transfer or φ function that cannot stay foreign."""
        try:
            super().lower()
        except Inexpressible as what:
            raise DiagnosticError([*self.refused, self._refusal(what)]) from None

    def _open(self) -> Sequence[Parameter]:
        """Open the function, and return its parameters, without a place for its result."""
        signature = self.items.signature(self.function.symbol)
        function = signature.function
        assert function
        variables = [
            Variable(each.name, scalar_type(each), each.span) for each in function.parameters[: signature.number]
        ]
        opened = self.b.function(function.name, variables, signature.result, function.span)
        self.place = opened.parameters[0] if signature.place is not None else None
        self.arguments = opened.parameters[signature.number - 1] if signature.is_variadic else None
        if function.name == "main":
            self._initialise()
        return [*self._parameters(opened.parameters[signature.place is not None : signature.number])]

    def _parameters(self, parameters: Sequence[Parameter]) -> Iterator[Any]:
        """The values of the parameters that the text of the function lists."""
        remaining = iter(parameters)
        for each in self.function.parameters:
            try:
                yield built(self.items.types, each.type, lambda type: next(remaining))
            except Inexpressible as what:
                self.refuse(what)
                yield next(remaining)

    def _initialise(self) -> None:
        """Call what runs before `main`, and register what runs after it."""
        for function in self.items.listed("llvm.global_dtors"):
            pointer = self.b.convert(PTR, function, self.make.span)
            self.calls.external("atexit", [pointer], ["ptr"], "i32")
        for function in self.items.listed("llvm.global_ctors"):
            self.b.call(function, [], self.make.span)

    def _foreign(self, line: Line) -> None:
        """An instruction as an operation of the program, if one expresses it."""
        self.make.span = line
        handler = _HANDLERS.get(line.op)
        try:
            if handler is None:
                raise Inexpressible(f"`{line.op}`")
            value = handler(self, line)
        except (Inexpressible, BuildError) as what:  # there are no operations of some types
            self.refuse(what if isinstance(what, Inexpressible) else Inexpressible(f"`{line.op}` of this type"))
            self._keep(line)
            return
        if line.result is not None:
            if isinstance(value, (Effect, Primitive, Parameter)) and not value.name:
                value.name = hint(line.result)
            self.values[line.result] = value

    def _keep(self, line: Line) -> None:
        """An instruction that stays as it is; aggregates among its operands are foreign values."""
        known: dict[str, Any] = self.values
        whole = {name: known[name] for name in line.names if isinstance(known.get(name), Aggregate)}
        known.update({name: self._packed(value) for name, value in whole.items()})
        super()._foreign(line)
        known.update(whole)

    def refuse(self, what: Inexpressible) -> None:
        """Report once that an instruction stays as it is, unless nothing reaches it."""
        is_reported = bool(self.refused) and self.refused[-1].span == self.make.span
        if self.b.current is not None and not is_reported:
            self.refused.append(self._refusal(what))

    def _refusal(self, what: Inexpressible) -> Diagnostic:
        return error(f"no operation of the program expresses {what}", self.make.span, rule="not-expressible")

    def _record(self, line: Line) -> None:
        """Records of debug information stay with the module."""

    def _describe(self, line: Line, value: Value) -> None:
        """Likewise, the values of variables."""

    def _attach(self, metadata: str, span: Span) -> None:
        """Metadata of transfers stay with the module."""

    def _read_phi(self, phi: Phi) -> Any:
        """The value of a φ function; an aggregate has a variable for each scalar in it."""
        variables = self._variables_of(phi)
        if variables is None:
            return super()._read_phi(phi)
        values = iter([self.b.read_variable(each, each.span) for each in variables])
        return built(self.items.types, phi.type, lambda type: next(values))

    def _write_phi(self, phi: Phi, value: Any) -> None:
        variables = self._variables_of(phi)
        if variables is None:
            super()._write_phi(phi, value)
            return
        for variable, member in zip(variables, leaves(value), strict=True):
            self.b.write_variable(variable, member, variable.span)

    def _incoming(self, phi: Phi, text: str, name: str | None) -> Any:
        if self._variables_of(phi) is None:
            return super()._incoming(phi, text, name)
        self.make.span = phi.variable.span or self.make.span
        value = self.value_of(name) if name is not None else self.constant_of(phi.type, text)
        return self._unpacked(phi.type, value)

    def _variables_of(self, phi: Phi) -> list[Variable] | None:
        """The variables for the scalars in an aggregate; None for another type, or one that the program lacks."""
        if not is_aggregate(self.items.types.definition(phi.type)):
            return None
        if phi.name not in self.members:
            try:
                types = [scalar(each, "a value") for each in self.items.types.leaves(phi.type)]
            except Inexpressible:
                return None
            name, span = phi.variable.name, phi.variable.span
            self.members[phi.name] = [Variable(f"{name}_{i}", type, span) for i, type in enumerate(types)]
        return self.members[phi.name]

    def _ret(self, block: Block, line: Line) -> None:
        self.make.span = line
        operand, value = operand_of(instruction_of(line.text).parts[0]), None
        if self.place is not None:
            value = self._unpacked(operand.type, self.operand(operand, iter(line.names)))
            self.memory.store(operand.type, value, self.place)
            value = None
        elif operand.type != "void":
            value = self._operand(scalar_of(operand.type), operand.text, line.names)
        for each in reversed(self.objects.allocated):
            self.make.effect("deallocate", each)
        self.b.ret(value, self.make.span)

    def _transfer(self, block: Block, line: Line) -> None:
        self.make.span = line
        if line.op == "unreachable":
            fail(self.b, "code that LLVM takes to be unreachable is reached", self.make.span)
            return
        try:
            if line.op not in ("invoke", "indirectbr"):
                raise Inexpressible(f"`{line.op}`")
            (self._invoke if line.op == "invoke" else self._jump_to_address)(block, line)
        except Inexpressible as what:
            self.refuse(what)
            super()._transfer(block, line)

    def _invoke(self, block: Block, line: Line) -> None:
        """A call, which throws no exception: functions of the program cannot."""
        normal, _ = block.targets
        names = line.names[:-2]
        value = self.calls.call(line.changed(line.text.rpartition(" to label ")[0], names))
        if line.result is not None:
            self.values[line.result] = value
        self._assign_phis(block, [normal])
        self.b.jump(self.continuations[normal], self.make.span)

    def _jump_to_address(self, block: Block, line: Line) -> None:
        """``indirectbr``: a branch by the number of a block."""
        span, address = self.make.span, self.operand(operand_of(instruction_of(line.text).parts[0]), iter(line.names))
        number, wrong = self.make.convert(LONG, address), self.b.continuation("nowhere", span=span)
        self._assign_phis(block, block.targets)
        numbers = {label: self.items.labels.get((self.function.symbol, label)) for label in block.targets}
        cases = [(number, self.continuations[label]) for label, number in numbers.items() if number is not None]
        self.b.switch(number, cases, wrong, span)
        self.b.open(wrong)
        fail(self.b, "this pointer is not the address of a block of the function", span)

    # -------------------------------------------------------------------------------------------------- operands

    def operand(self, operand: Operand, names: Iterator[str]) -> Any:
        """The value of an operand, whose holes are the next of the names."""
        if operand.text == "%":
            return self.value_of(next(names))
        return self.constant_of(operand.type, operand.text)

    def operands(self, line: Line, texts: Iterable[str]) -> list[Any]:
        names = iter(line.names)
        return [self.operand(operand_of(text), names) for text in texts]

    def value_of(self, name: str) -> Any:
        """The value of a local name, which may be an aggregate."""
        return self.values[name] if name in self.values else super()._value(name)

    def _value(self, name: str) -> Value:
        value = self.value_of(name)
        return self._packed(value) if isinstance(value, Aggregate) else value

    def elementwise(self, compute: Compute, values: Sequence[Any], type: str, is_strict: bool = True) -> Any:
        """A computation with scalars, or for each row of the elements of vectors. Raises `Inexpressible`.

        An element is undefined if one of its operands is, unless the computation is not strict.
        """
        for leaf in (leaf for each in values for leaf in leaves(each)):
            self.require_value(leaf)

        def computed(*row: Value) -> Value:
            if is_strict and len(elements) > 1 and any(isinstance(each, Undef) for each in row):
                return Undef(scalar(elements[0], "a value"), "poison")
            return compute(self.make, *row)

        elements = self.items.types.leaves(type)
        return elementwise(computed, values, type)

    def require_value(self, value: Any) -> None:
        """Raise `Inexpressible` for an aggregate, or a value of a foreign type."""
        if isinstance(value, Aggregate) or value.type.kind == "foreign":
            type = value.type if isinstance(value, Aggregate) else text_of(value.type)
            raise Inexpressible(f"an operation on a value of the type `{type}`")

    def _packed(self, aggregate: Aggregate) -> Value:
        """An aggregate as a foreign value."""
        self.refuse(Inexpressible(f"a value of the type `{aggregate.type}`"))
        type, span = scalar_of(aggregate.type), self.make.span
        whole = self.b.foreign(f"{CONSTANT}poison", type=type, pure=True, span=span)
        for number, (member, (each, _)) in enumerate(
            zip(aggregate.members, self.items.types.members(aggregate.type), strict=True)
        ):
            value = self._packed(member) if isinstance(member, Aggregate) else member
            text = f"{PREFIX}insertvalue {aggregate.type} %, {each} %, {number}"
            whole = self.b.foreign(text, whole, value, type=type, pure=True, span=span)
        return whole

    def _unpacked(self, type: str, value: Any) -> Any:
        """The members of a value of an aggregate type that stays foreign; any other value itself."""
        definition = self.items.types.definition(type)
        if isinstance(value, Aggregate) or not is_aggregate(definition):
            return value
        is_vector = definition[0] == "<" and definition[1] != "{"
        start, index = (f"{PREFIX}extractelement", "i32 ") if is_vector else (f"{PREFIX}extractvalue", "")
        members = []
        for number, (each, _) in enumerate(self.items.types.members(type)):
            text = f"{start} {type} %, {index}{number}"
            member = self.b.foreign(text, value, type=scalar_of(each), pure=True, span=self.make.span)
            members.append(self._unpacked(each, member))
        return Aggregate(type, members)

    def _operand(self, type: Scalar, text: str, names: Sequence[str]) -> Value:
        return self._value(names[0]) if text == "%" else self._constant_value(type, text, self.make.span)

    def _define(self, variable: Variable, text: str) -> None:
        """Constants are defined where they are assigned: a foreign one must not be reached earlier."""

    def _constant(self, variable: Variable, text: str) -> Value:
        return self._constant_value(variable.type, text, variable.span or self.make.span)

    def _constant_value(self, type: Scalar, text: str, span: Span) -> Value:
        """The constant of a scalar type, foreign if the program has none."""
        self.make.span = span
        try:
            value = self.constant_of(text_of(type) or "", text)
            return self._packed(value) if isinstance(value, Aggregate) else value
        except Inexpressible as what:
            self.refuse(what)
            return self.b.foreign(CONSTANT + text, type=type, pure=True, span=span)

    def constant_of(self, type: str, text: str) -> Any:
        """A constant. Raises `Inexpressible`."""
        definition = self.items.types.definition(type)
        if is_aggregate(definition):
            return self._aggregate(type, definition, text)
        value_type = scalar(type, "a value")
        if text == "zeroinitializer":
            return zero(value_type)
        constant = number_of(value_type, text)
        if isinstance(constant, Constant) and _is_special(constant.value):
            return self.make.effect("load", self.items.number(constant), type=value_type)
        if constant is not None:
            return constant
        if match := _BITS.fullmatch(text):
            given = operand_of(match[1])
            return self.memory.same_bits(given.type, type, self.constant_of(given.type, given.text))
        base, offset = address_of(self.items, text)
        if base is None:
            return self.make.convert(value_type, Constant(LONG, offset))
        value = self.make.convert(PTR, base) if isinstance(base, Function) else base
        return self.make.convert(value_type, self.memory.at(value, offset))

    def _aggregate(self, type: str, definition: str, text: str) -> Aggregate:
        members = self.items.types.members(type)
        if text in ("undef", "poison", "zeroinitializer"):
            return Aggregate(type, [self.constant_of(each, text) for each, _ in members])
        parts = elements_of(text, len(members))
        if len(parts) != len(members):
            raise Inexpressible(f"the constant `{text}`")
        return Aggregate(type, [self.constant_of(each.type, each.text) for each in parts])


def _is_special(number: object) -> bool:
    """Whether a number is a NaN of which no literal has the bits: it has a payload or is negative."""
    if not isinstance(number, (float, Floating)) or number == number:
        return False
    return payload(number) != 0 or copysign(1, number) < 0
