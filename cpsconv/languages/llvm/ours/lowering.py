"""The lowering of instructions to operations of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import copysign
from typing import Any

from cpsconv.core.construction import Builder, BuildError, Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.floating import Floating, payload
from cpsconv.core.ir import LONG, PTR, Constant, Effect, Function, Parameter, Primitive, Program, Undef, Value
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error, warning
from cpsconv.languages.arithmetic import Compute, Maker
from cpsconv.languages.llvm import lowering as foreign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import CONSTANT
from cpsconv.languages.llvm.lowering import Phi, hint
from cpsconv.languages.llvm.module_text import Block, FunctionText, Line
from cpsconv.languages.llvm.ours.aggregates import Aggregate, built, elementwise, leaves, packed, unpacked
from cpsconv.languages.llvm.ours.calls import Calls
from cpsconv.languages.llvm.ours.initial_data import address_of
from cpsconv.languages.llvm.ours.instructions import INSTRUCTIONS
from cpsconv.languages.llvm.ours.items import Items
from cpsconv.languages.llvm.ours.memory import Memory, frozen, masked
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.ours.operands import Operand, elements_of, instruction_of, operand_of
from cpsconv.languages.llvm.types import scalar_of, text_of

_BITS = re.compile(r"bitcast \((<.*) to \w+\)")
"""The bits of a constant vector."""

_CALLS = frozenset(["call", "tail", "notail", "musttail", "invoke"])
"""The words with which calls begin."""


class OursLowering(foreign.Lowering):
    """Constructs the program of a module when called. With `whole`, every instruction must be expressible."""

    def __init__(self, module: foreign.Module, whole: bool) -> None:
        super().__init__(module)
        self.whole = whole

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        items = Items(builder, self.module.text, self.module.source, self.module.debug)
        items.define_all(self.whole)
        refused: list[Diagnostic] = []
        self._lower_functions(builder, FunctionLowering, items, refused, None if self.whole else warnings)
        items.wrappers.define()
        if self.whole and refused:
            raise DiagnosticError(refused)
        return builder.program(self.module.source)


class FunctionLowering(foreign.FunctionLowering):
    """The lowering of one function. `refused` gets an error for each instruction that stays foreign.

    An `invoke` becomes a call, with a warning in `warnings` of the first one; without these, it stays.

    The value of a name is an `Aggregate` if its type has members that the program has. `objects` has the texts of the
    types of objects of fixed size, and of their elements, by the names of their addresses; `masked` the values of which
    only some bits are used; `frozen` those that are 0 where they have no value.
    """

    def __init__(
        self,
        builder: Builder,
        module: foreign.Module,
        function: FunctionText,
        items: Items,
        refused: list[Diagnostic],
        warnings: list[Diagnostic] | None,
    ) -> None:
        super().__init__(builder, module, function)
        self.items, self.refused, self.warnings = items, refused, warnings
        self.addressed = set()  # the addresses of blocks are numbers
        self.make = Maker(builder, function.span)
        self.memory: Memory = Memory(self.make, items.types)
        self.calls: Calls = Calls(self)
        self.members: dict[str, list[Variable]] = {}
        types = {name: type for name, type in self.promoted.types.items() if scalar_of(type).kind != "foreign"}
        self.promoted = self.promoted._replace(types=types)
        blocks = self.function.blocks
        lines = [line for block in blocks for line in block.lines]
        self.masked, self.frozen = masked(lines), frozen(lines)
        self.objects = {line.result: line.form.allocated for line in blocks[0].lines if line.op == "alloca"}

    # ------------------------------------------------------------------------------------------- the function

    def _open(self) -> Sequence[Any]:
        """Open the function, and return its parameters, without a place for its result."""
        signature = self.items.signature(self.function.symbol)
        assert isinstance(signature.callee, Function)
        name, variables = signature.callee.name, signature.variables
        opened = iter(self.b.function(name, variables, signature.result, self.function.span).parameters)
        self.place = next(opened) if signature.place is not None else None
        self.arguments = signature.callee.parameters[len(variables) - 1] if signature.is_variadic else None
        if name == "main":
            self._initialise()
        return [
            built(self.items.types, each.type, lambda _: self._checked(next(opened)))
            for each in self.function.parameters
        ]

    def _declare_variables(self) -> None:
        """Declare the variables, and assign 0 to those that must not be undefined."""
        super()._declare_variables()
        for name in self.variables.keys() & self.frozen:
            variable = self.variables[name]
            self.b.write_variable(variable, zero(variable.type))

    def _initialise(self) -> None:
        """Call what runs before `main`, and register what runs after it."""
        for function in self.items.listed("llvm.global_dtors"):
            self.calls.external("atexit", [self.make.convert(PTR, function)])
        for function in self.items.listed("llvm.global_ctors"):
            self.b.call(function, [], self.make.span)

    def _foreign(self, line: Line) -> None:
        """An instruction as an operation of the program, if one expresses it."""
        self.make.span = line
        try:
            value = self._expressed(line)
        except (Inexpressible, BuildError) as what:  # there are no operations of some types
            self.refuse(what if isinstance(what, Inexpressible) else Inexpressible(f"`{line.op}` of this type"))
            self._keep(line)
            return
        if line.result is not None:
            if isinstance(value, (Effect, Primitive, Parameter)) and not value.name:
                value.name = hint(line.result)
            self.values[line.result] = value

    def _expressed(self, line: Line) -> Any:
        """The result of an instruction. Raises `Inexpressible`."""
        if line.op in _CALLS:
            return self.calls.call(line)
        if line.op not in INSTRUCTIONS:
            raise Inexpressible(f"`{line.op}`")
        return INSTRUCTIONS[line.op](self, line, self.values_of(line, instruction_of(line.text).operands))

    def _keep(self, line: Line) -> None:
        """An instruction that stays as it is; aggregates among its operands and its result are foreign values."""
        known: dict[str, Any] = self.values
        whole = {name: known[name] for name in line.names if isinstance(known.get(name), Aggregate)}
        known.update({name: self._packed(value) for name, value in whole.items()})
        super()._foreign(line)
        known.update(whole)
        if line.result is not None:
            known[line.result] = self._unpacked(self.result_of(line), known[line.result])

    def refuse(self, what: Inexpressible) -> None:
        """Report once that an instruction stays as it is, unless nothing reaches it."""
        is_reported = bool(self.refused) and self.refused[-1].span == self.make.span
        if self.b.current is not None and not is_reported:
            message = f"no operation of the program expresses {what}"
            self.refused.append(error(message, self.make.span, rule="not-expressible"))

    def _record(self, line: Line) -> None:
        """Records of debug information stay with the module."""

    def _describe(self, line: Line, value: Value) -> None:
        """Likewise, the values of variables."""

    def _attach(self, metadata: str, span: Span) -> None:
        """Metadata of transfers stay with the module."""

    # ------------------------------------------------------------------------------------------------- transfers

    def _read_phi(self, phi: Phi) -> Any:
        variables = iter(self._variables_of(phi))
        return built(self.items.types, phi.type, lambda _: self.b.read_variable(next(variables), phi.variable.span))

    def _write_phi(self, phi: Phi, value: Any) -> None:
        for variable, member in zip(self._variables_of(phi), leaves(value), strict=True):
            is_zero = isinstance(member, Undef) and phi.name in self.frozen
            self.b.write_variable(variable, zero(variable.type) if is_zero else member, variable.span)

    def _variables_of(self, phi: Phi) -> list[Variable]:
        """The variables of a φ function: one for each scalar in an aggregate."""
        if phi.name not in self.members:
            name, scalars = phi.variable.name, enumerate(self.items.types.scalars(phi.type))
            members = [Variable(f"{name}_{number}", type, phi.variable.span) for number, type in scalars]
            self.members[phi.name] = members if self.items.types.has_members(phi.type) else [phi.variable]
        return self.members[phi.name]

    def _ret(self, block: Block, line: Line) -> None:
        self.make.span = line
        super()._ret(block, line)

    def _return(self, type: str, value: Any, span: Span) -> None:
        if self.place is not None:
            self.memory.store(type, value, self.place)
            value = None
        self.memory.deallocate()
        self.b.ret(value and self._packed(value), span)

    def _transfer(self, block: Block, line: Line) -> None:
        self.make.span = line
        if line.op == "unreachable":
            fail(self.b, "code that LLVM takes to be unreachable is reached", self.make.span)
            return
        try:
            if line.op == "indirectbr":
                self._jump_to_address(block, line)
            elif line.op == "invoke" and self.warnings is not None:
                self._invoke(block, line, self.warnings)
            else:
                raise Inexpressible(f"`{line.op}`")
        except Inexpressible as what:
            self.refuse(what)
            super()._transfer(block, line)

    def _invoke(self, block: Block, line: Line, warnings: list[Diagnostic]) -> None:
        """A call, which throws no exception: functions of the program cannot."""
        normal, _ = block.targets
        value = self._expressed(line.changed(line.text.rpartition(" to label ")[0], line.names[:-2]))
        if all(each.rule != "dropped-handlers" for each in warnings):
            message = "`invoke` becomes a call: an exception ends the program, and reaches no handler"
            help = "keep the handlers: `--ours none`"
            warnings.append(warning(message, line, help=help, rule="dropped-handlers"))
        if line.result is not None:
            self.values[line.result] = value
        self._assign_phis(block, [normal])
        self.b.jump(self.continuations[normal], self.make.span)

    def _jump_to_address(self, block: Block, line: Line) -> None:
        """``indirectbr``: a branch by the number of a block."""
        span, [address] = self.make.span, self.values_of(line, instruction_of(line.text).operands[:1])
        number, wrong = self.make.convert(LONG, address), self.b.continuation("nowhere", span=span)
        self._assign_phis(block, block.targets)
        labels = {label: each for (symbol, label), each in self.items.labels.items() if symbol == self.function.symbol}
        cases = [(labels[each], self.continuations[each]) for each in dict.fromkeys(block.targets) if each in labels]
        self.b.switch(number, cases, wrong, span)
        self.b.open(wrong)
        fail(self.b, "this pointer is not the address of a block of the function", span)

    # -------------------------------------------------------------------------------------------------- operands

    def result_of(self, line: Line) -> str:
        """The text of the type of the result of an instruction."""
        return text_of(line.form.type) or ""

    def values_of(self, line: Line, operands: Iterable[Operand]) -> list[Any]:
        """The values of the first operands of an instruction. Raises `Inexpressible`."""
        names = iter(line.names)
        return [
            self.value_of(next(names)) if each.text == "%" else self.constant_of(each.type, each.text)
            for each in operands
        ]

    def value_of(self, name: str) -> Any:
        """The value of a local name, which may be an aggregate."""
        if name in self.values:
            return self.values[name]
        value = super()._value(name)
        return self._unpacked(text_of(scalar_type(value)) or "", value)

    def elementwise(self, compute: Compute, values: Sequence[Any], line: Line, is_strict: bool = True) -> Any:
        """The result of a line that computes with scalars, or for each row of the elements of vectors.

        An element is undefined if one of its operands is, unless the computation is not strict. Raises `Inexpressible`.
        """
        result = self.result_of(line)
        scalars = self.items.types.scalars(result)
        self.require_scalars([leaf for each in values for leaf in leaves(each)])
        if not self.items.types.has_members(result):
            self.items.types.scalar(result)

        def computed(*row: Value) -> Value:
            if is_strict and len(scalars) > 1 and any(isinstance(each, Undef) for each in row):
                return Undef(scalars[0], "poison")
            return compute(self.make, *row)

        return elementwise(computed, values, result)

    def require_scalars(self, values: Iterable[Any]) -> None:
        """Raise `Inexpressible` if one of the values is an aggregate, or of a foreign type."""
        for each in values:
            type = each.type if isinstance(each, Aggregate) else text_of(each.type)
            if isinstance(each, Aggregate) or each.type.kind == "foreign":
                raise Inexpressible(f"an operation on a value of the type `{type}`")

    def _value(self, name: str) -> Value:
        return self._packed(self.value_of(name))

    def _operand(self, type: str, text: str, names: Sequence[str]) -> Any:
        """The value of a name, which may be an aggregate, or a constant, which is foreign if the program has none."""
        try:
            return self.value_of(names[0]) if text == "%" else self.constant_of(type, text)
        except Inexpressible as what:
            self.refuse(what)
            constant = self.b.foreign(CONSTANT + text, type=scalar_of(type), pure=True, span=self.make.span)
            return self._unpacked(type, constant)

    def _define(self, variable: Variable, text: str) -> None:
        """Constants are defined where they are assigned: a foreign one must not be reached earlier."""

    def _constant(self, variable: Variable, text: str) -> Any:
        self.make.span = variable.span or self.make.span
        return self._operand(text_of(variable.type) or "", text, ())

    def _checked(self, parameter: Any) -> Value:
        """A parameter, which is refused if its type is foreign."""
        try:
            self.items.types.scalar(text_of(parameter.type) or "")
        except Inexpressible as what:
            self.refuse(what)
        return parameter  # type: ignore[no-any-return]

    def _packed(self, value: Any) -> Value:
        """An aggregate as a foreign value; any other value itself."""
        if isinstance(value, Aggregate):
            self.refuse(Inexpressible(f"a value of the type `{value.type}`"))
        return packed(self.make, self.items.types, value)

    def _unpacked(self, type: str, value: Value) -> Any:
        return unpacked(self.make, self.items.types, type, value)

    def constant_of(self, type: str, text: str) -> Any:
        """A constant. Raises `Inexpressible`."""
        if self.items.types.has_members(type):
            listed = elements_of(text, [each for each, _ in self.items.types.members(type)])
            return Aggregate(type, [self.constant_of(each.type, each.text) for each in listed])
        value_type = self.items.types.scalar(type)
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


def _is_special(number: object) -> bool:
    """Whether a number is a NaN of which no literal has the bits: it has a payload or is negative."""
    if not isinstance(number, (float, Floating)) or number == number:
        return False
    return payload(number) != 0 or copysign(1, number) < 0
