"""The lowering of instructions to operations of the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice, repeat
from math import copysign
from typing import Any

from cpsconv.core.construction import Builder, BuildError, Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.floating import payload
from cpsconv.core.ir import (
    INT,
    LONG,
    PTR,
    VOID,
    Constant,
    Effect,
    Function,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Undef,
    Value,
)
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error, warning
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.llvm import lowering as foreign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import CONSTANT, filled
from cpsconv.languages.llvm.lowering import Phi, hint
from cpsconv.languages.llvm.module_text import Block, FunctionText, Line
from cpsconv.languages.llvm.ours.calls import Calls
from cpsconv.languages.llvm.ours.initial_data import UNIFORM, address_of
from cpsconv.languages.llvm.ours.instructions import INSTRUCTIONS
from cpsconv.languages.llvm.ours.items import Items
from cpsconv.languages.llvm.ours.memory import Memory, frozen, masked, unions
from cpsconv.languages.llvm.ours.object_types import Aggregate, Inexpressible, scalars_of
from cpsconv.languages.llvm.ours.operands import Operand, characters, elements_of, instruction_of, operand_of
from cpsconv.languages.llvm.types import PREFIX, scalar_of, text_of

_BITS = re.compile(r"bitcast \((<.*) to \w+\)")
"""The bits of a constant vector."""

_CALLS = frozenset(["call", "tail", "notail", "musttail", "invoke"])
"""The words with which calls begin."""

_OTHER_LAYOUT = re.compile(r'^target datalayout = "(?:E|(?:[^"]*-)?p0?:(?!64))[^"]*"', re.MULTILINE)
"""The layout of a target that is big-endian, or whose pointers do not have 64 bits."""


class OursLowering(foreign.Lowering):
    """Constructs the program of a module when called. With `whole`, every instruction must be expressible."""

    def __init__(self, module: foreign.Module, whole: bool) -> None:
        super().__init__(module)
        self.whole = whole

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        if found := _OTHER_LAYOUT.search(self.module.source.text):
            message = "this target lays out memory otherwise than the program, which has the layout of x86-64"
            span = Span(self.module.source, *found.span())
            warnings.append(warning(message, span, help="keep the layout: `--ours none`", rule="other-layout"))
        items = Items(builder, self.module, None if self.whole else warnings)
        items.define_all()
        self._lower_functions(builder, FunctionLowering, items)
        items.wrappers.define()
        if self.whole and items.refused:
            raise DiagnosticError(items.refused)
        return builder.program(self.module.source)


class FunctionLowering(foreign.FunctionLowering):
    """The lowering of one function.

    The value of a name is an `Aggregate` if its type has members that the program has. `objects` has the texts of the
    types of objects of fixed size, and of their elements, by the names of their addresses, "" for a union; `masked` the
    values that need not be whole; `frozen` those that are 0 where they have no value; `members` the variables of φ
    functions for aggregates.
    """

    def __init__(self, builder: Builder, module: foreign.Module, function: FunctionText, items: Items) -> None:
        super().__init__(builder, module, function)
        self.items, self.types = items, items.types
        self.addressed = set()  # the addresses of blocks are numbers
        self.make = Maker(builder, function.span)
        self.memory: Memory = Memory(self.make, items.types)
        self.calls: Calls = Calls(self)
        self.members: dict[str, list[Variable]] = {}
        types = {name: type for name, type in self.promoted.types.items() if scalar_of(type).kind != "foreign"}
        self.promoted = self.promoted._replace(types=types)
        lines = [line for block in self.function.blocks for line in block.lines]
        self.masked, self.frozen = masked(lines), frozen(lines)
        self.objects = {name: line.form.allocated for name, line in self.function.allocations.items()}
        self.objects |= dict.fromkeys(unions(lines, self.objects), "")

    # ------------------------------------------------------------------------------------------- the function

    def _open(self) -> Sequence[Any]:
        """Open the function, and return its parameters, without a place for its result."""
        signature = self.items.signature(self.function.symbol)
        assert isinstance(signature.callee, Function)
        name, variables = signature.callee.name, signature.variables
        opened = self.b.function(name, variables, signature.result, self.function.span).parameters[: len(variables)]
        for each in opened:
            if scalar_type(each).kind == "foreign":
                self.refuse(f"a value of the type `{text_of(scalar_type(each))}`")
        self.place = opened.pop(0) if signature.place is not None else None
        self.arguments = opened.pop() if signature.is_variadic else None
        if name == "main":
            self._initialise()
        given, types = iter(opened), [each.type for each in self.function.parameters]
        return [self.types.value(each, islice(given, len(self.types.scalars(each)))) for each in types]

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
            self.refuse(what if isinstance(what, Inexpressible) else f"`{line.op}` of this type")
            value = self._kept(line)
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

    def _kept(self, line: Line) -> Any:
        """The result of an instruction that stays as it is. The scalars in an aggregate are operands of its own."""
        line, type = self._without_variables(line), VOID if line.result is None else line.form.type
        return self._unpacked(self._made(line.text, [*map(self.value_of, line.names)], type, line.form.is_pure))

    def _made(self, text: str, values: Sequence[Any], type: Scalar, is_pure: bool) -> Value:
        """The result of a foreign operation, whose text has a hole for each value."""
        scalars = [each for value in values for each in scalars_of(value)]
        text = filled(text, [_holes(each) for each in values])
        defined = [each for each in scalars if not isinstance(each, Undef)]
        return self.b.foreign(PREFIX + text, *defined, type=type, pure=is_pure, span=self.make.span)

    def refuse(self, what: object) -> None:
        """Report once that an instruction stays as it is, unless nothing reaches it."""
        refused, span = self.items.refused, self.make.span
        if self.b.current is not None and not (refused and refused[-1].span == span):
            refused.append(error(f"no operation of the program expresses {what}", span, rule="not-expressible"))

    def _record(self, line: Line) -> None:
        """Records of debug information stay with the module."""

    def _describe(self, line: Line, value: Value) -> None:
        """Likewise, the values of variables."""

    def _attach(self, metadata: str, span: Span) -> None:
        """Metadata of transfers stay with the module."""

    # ------------------------------------------------------------------------------------------------- transfers

    def _read_phi(self, phi: Phi) -> Any:
        scalars = [self.b.read_variable(each, each.span) for each in self._variables_of(phi)]
        return self.types.value(phi.type, scalars)

    def _write_phi(self, phi: Phi, value: Any) -> None:
        for variable, each in zip(self._variables_of(phi), scalars_of(value), strict=True):
            is_zero = isinstance(each, Undef) and phi.name in self.frozen
            self.b.write_variable(variable, zero(variable.type) if is_zero else each, variable.span)

    def _variables_of(self, phi: Phi) -> list[Variable]:
        """The variables of a φ function: one for each scalar in an aggregate."""
        if not self.types.has_members(phi.type):
            return [phi.variable]
        name, span, scalars = phi.variable.name, phi.variable.span, enumerate(self.types.scalars(phi.type))
        variables = [Variable(f"{name}_{number}", type, span) for number, type in scalars]
        return self.members.setdefault(phi.name, variables)

    def _switch(self, block: Block, line: Line) -> None:
        self.make.span = line
        head, _, cases = line.text.removeprefix("switch i1 ").partition("[")
        if head.startswith("switch "):
            super()._switch(block, line)
            return
        number = self.make.convert(INT, self._operand("i1", head.partition(",")[0], line.names))
        self._assign_phis(block, block.targets)
        default, *targets = [self.continuations[label] for label in block.targets]
        numbers = [int(word == "true") for word in re.findall("i1 (true|false), label", cases)]
        self.b.switch(number, [*zip(numbers, targets, strict=True)], default, line)

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
            fail(self.b, "code that LLVM takes to be unreachable is reached", line)
        elif line.op == "indirectbr":
            self._jump_to_address(block, line)
        elif line.op == "invoke" and self.items.warnings is not None:
            self._invoke(block, line, self.items.warnings)
        else:
            self.refuse(f"`{line.op}`")
            super()._transfer(block, line)

    def _invoke(self, block: Block, line: Line, warnings: list[Diagnostic]) -> None:
        """A call, which throws no exception: functions of the program cannot. The first one has a warning."""
        if all(each.rule != "dropped-handlers" for each in warnings):
            message = "`invoke` becomes a call: an exception ends the program, and reaches no handler"
            warnings.append(warning(message, line, help="keep the handlers: `--ours none`", rule="dropped-handlers"))
        self._foreign(line.changed(line.text.rpartition(" to label ")[0], line.names[:-2]))
        self._assign_phis(block, block.targets[:1])
        self.b.jump(self.continuations[block.targets[0]], line)

    def _jump_to_address(self, block: Block, line: Line) -> None:
        """``indirectbr``: a branch by the number of a block."""
        span, [operand] = self.make.span, instruction_of(line.text).operands[:1]
        address = self._operand(operand.type, operand.text, line.names)
        number, wrong = self.make.convert(LONG, address), self.b.continuation("nowhere", span=span)
        self._assign_phis(block, block.targets)
        labels, keys = self.items.labels, [(self.function.symbol, each) for each in dict.fromkeys(block.targets)]
        cases = [(labels[key], self.continuations[key[1]]) for key in keys if key in labels]
        self.b.switch(number, cases, wrong, span)
        self.b.open(wrong)
        fail(self.b, "this pointer is not the address of a block of the function", span)

    # -------------------------------------------------------------------------------------------------- operands

    def result_of(self, line: Line) -> str:
        """The text of the type of the result of an instruction."""
        return text_of(line.form.type) or ""

    def values_of(self, line: Line, operands: Iterable[Operand]) -> list[Any]:
        """The values of the first operands of an instruction. Raises `Inexpressible`."""
        names, constant = iter(line.names), self.constant_of
        return [self.value_of(next(names)) if each.text == "%" else constant(each.type, each.text) for each in operands]

    def value_of(self, name: str) -> Any:
        """The value of a local name, which may be an aggregate."""
        return self.values[name] if name in self.values else self._unpacked(super()._value(name))

    def elementwise(
        self, compute: Callable[..., Any], values: Sequence[Any], line: Line, *, is_strict: bool = True
    ) -> Any:
        """The result of a line that computes with scalars, or for each row of the elements of vectors.

        Several results of the computation are members. The result for a row is undefined if an operand is, unless the
        computation is not strict. Raises `Inexpressible`.
        """
        type, columns = self.result_of(line), [*map(scalars_of, values)]
        results, count = self.types.scalars(type), max(map(len, columns))
        self.require_scalars([*chain(*columns), *[Undef(each, "") for each in results]])

        def computed(*row: Value) -> Sequence[Value]:
            if is_strict and count > 1 and any(isinstance(each, Undef) for each in row):
                return [Undef(each, "poison") for each in results[::count]]
            found = compute(self.make, *row)
            return found if isinstance(found, list) else [found]

        rows = zip(*[each * (count // len(each)) for each in columns], strict=True)
        return self.types.value(type, chain(*zip(*[computed(*row) for row in rows], strict=True)))

    def require_scalars(self, values: Iterable[Any]) -> None:
        """Raise `Inexpressible` if one of the values is an aggregate, or of a foreign type."""
        for each in values:
            type = each.type if isinstance(each, Aggregate) else text_of(each.type)
            if isinstance(each, Aggregate) or each.type.kind == "foreign":
                raise Inexpressible(f"a value of the type `{type}`")

    def _value(self, name: str) -> Value:
        return self._packed(self.value_of(name))

    def _operand(self, type: str, text: str, names: Sequence[str]) -> Any:
        """The value of a name, which may be an aggregate, or a constant, which is foreign if the program has none."""
        try:
            return self.value_of(names[0]) if text == "%" else self.constant_of(type, text)
        except Inexpressible as what:
            self.refuse(what)
            return self._unpacked(super()._operand(type, text, names))

    def _define(self, variable: Variable, text: str) -> None:
        """Constants are defined where they are assigned: a foreign one must not be reached earlier."""

    def _constant(self, variable: Variable, text: str) -> Any:
        self.make.span = variable.span or self.make.span
        return self._operand(text_of(variable.type) or "", text, ())

    def _packed(self, value: Any) -> Value:
        """An aggregate as a foreign value; any other value itself."""
        if not isinstance(value, Aggregate):
            return value  # type: ignore[no-any-return]
        self.refuse(f"a value of the type `{value.type}`")
        return self._made(f"{CONSTANT.removeprefix(PREFIX)}{value.type} %", [value], scalar_of(value.type), True)

    def _unpacked(self, value: Value) -> Any:
        """A foreign value of an aggregate type that the program has as its scalars; any other value itself.

        The operation ``llvm.member 2 %``, which is no instruction, selects the third scalar.
        """
        type = text_of(scalar_type(value)) or ""
        if value.type is VOID or not self.types.has_members(type):
            return value
        scalars = enumerate(self.types.scalars(type))
        return Aggregate(type, [self._made(f"member {number} %", [value], each, True) for number, each in scalars])

    def constant_of(self, type: str, text: str) -> Any:
        """A constant. Raises `Inexpressible`."""
        if not self.types.has_members(type):
            return self._scalar_constant(self.types.scalar(type), text)
        if text in UNIFORM or text[:2] == 'c"':
            texts = repeat(text) if text in UNIFORM else map(str, characters(text))
            return Aggregate(type, map(self._scalar_constant, self.types.scalars(type), texts))
        parts = [self.constant_of(each.type, each.text) for each in elements_of(text, self.types.parts(type))]
        return Aggregate(type, chain(*map(scalars_of, parts)))

    def _scalar_constant(self, type: Scalar, text: str) -> Value:
        if text == "zeroinitializer":
            return zero(type)
        constant = number_of(type, text)
        if isinstance(constant, Constant) and _is_special(constant.value):
            return self.make.effect("load", self.items.number(constant), type=type)
        if constant is not None:
            return constant
        if match := _BITS.fullmatch(text):
            given = operand_of(match[1])
            value = self.constant_of(given.type, given.text)
            same: Value = self.memory.same_bits(given.type, text_of(type) or "", value)
            return same
        base, offset = address_of(self.items, text)
        if base is None:
            return self.make.convert(type, Constant(LONG, offset))
        value = self.make.convert(PTR, base) if isinstance(base, Function) else base
        return self.make.convert(type, self.memory.at(value, offset))


def _holes(value: Any) -> str:
    """The text of an operand of a foreign operation, with a hole for each scalar that is defined."""
    holes = ["undef" if isinstance(each, Undef) else "%" for each in scalars_of(value)]
    return f"{{ {', '.join(holes)} }}" if isinstance(value, Aggregate) else holes[0]


def _is_special(number: Any) -> bool:
    """Whether a number is a NaN of which no literal has the bits: it has a payload or is negative."""
    return bool(number != number and (payload(number) != 0 or copysign(1, number) < 0))
