"""The lowering of instructions to operations of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import Any, cast

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core.construction import Builder, BuildError, Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import (
    INT,
    LONG,
    NO_ATTRIBUTES,
    PTR,
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
from cpsconv.core.operations.types import is_integer, scalar_type, zero
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.languages.llvm import lowering as foreign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.debug_info import declared
from cpsconv.languages.llvm.foreign_text import CONSTANT
from cpsconv.languages.llvm.lowering import Phi, hint
from cpsconv.languages.llvm.module_text import RECORD, Block, FunctionText, Line
from cpsconv.languages.llvm.ours.arithmetic import BINARY, CASTS, COMPARISONS, RELAXED_FLAGS, Compute, Maker
from cpsconv.languages.llvm.ours.calls import Calls
from cpsconv.languages.llvm.ours.initial_data import address_of
from cpsconv.languages.llvm.ours.intrinsics import UPDATES
from cpsconv.languages.llvm.ours.items import Items
from cpsconv.languages.llvm.ours.memory import Memory
from cpsconv.languages.llvm.ours.object_types import (
    Inexpressible,
    alignment_of,
    count_of,
    element_of,
    is_aggregate,
    scalar,
)
from cpsconv.languages.llvm.ours.operands import (
    Aggregate,
    Operand,
    built,
    elements_of,
    elementwise,
    instruction_of,
    leaves,
    operand_of,
)
from cpsconv.languages.llvm.promotion import allocated_type
from cpsconv.languages.llvm.types import PREFIX, first_type, scalar_of, text_of


class OursLowering(foreign.Lowering):
    """Constructs the program of a module when called. With `whole`, every instruction must be expressible."""

    def __init__(self, module: foreign.Module, whole: bool) -> None:
        super().__init__(module)
        self.whole = whole

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        items = Items(builder, self.module.text, self.module.source)
        items.define_all(self.whole)
        refused: list[Diagnostic] = []
        self._lower_functions(builder, FunctionLowering, items, refused)
        items.define_wrappers()
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
        self.calls = Calls(self)
        self.allocated: list[Value] = []
        self.members: dict[str, list[Variable]] = {}
        for name, type in [*self.promoted.types.items()]:
            if scalar_of(type).kind == "foreign":
                del self.promoted.types[name]
        self.masked = _masked(function)
        fixed = [line for line in function.blocks[0].lines if line.op == "alloca" and line.result]
        self.objects_at = {line.result: allocated_type(line) for line in fixed}
        self.instructions: dict[str, Callable[[Line], Any]] = {
            **dict.fromkeys(BINARY, self._binary),
            **dict.fromkeys(CASTS, self._cast),
            "icmp": self._compared,
            "fcmp": self._compared,
            "fneg": self._fneg,
            "freeze": self._freeze,
            "select": self._select,
            "bitcast": self._same_bits,
            "alloca": self._allocate,
            "load": self._loaded,
            "store": self._stored,
            "atomicrmw": self._changed_atomically,
            "cmpxchg": self._exchanged,
            "fence": lambda line: None,
            "getelementptr": self._element,
            "extractvalue": self._extracted,
            "insertvalue": self._inserted,
            "extractelement": self._element_extracted,
            "insertelement": self._element_inserted,
            "shufflevector": self._shuffled,
            **dict.fromkeys(["call", "tail", "notail", "musttail"], self.calls.call),
        }

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
        handler = self.instructions.get(line.op)
        try:
            if handler is None:
                raise Inexpressible(f"`{line.op}`")
            value = handler(line)
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
        for each in reversed(self.allocated):
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

    # ---------------------------------------------------------------------------------------------- computations

    def _operands(self, line: Line, texts: Iterable[str]) -> list[Any]:
        names = iter(line.names)
        return [self.operand(operand_of(text), names) for text in texts]

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

    def _computed(self, line: Line, compute: Compute, texts: Iterable[str], is_strict: bool = True) -> Any:
        """An instruction that computes a value of its operands."""
        type = text_of(self.types.type_of(line.op, line.text))
        return self.elementwise(compute, self._operands(line, texts), type or "", is_strict)

    def _of_pair(self, line: Line, compute: Compute) -> Any:
        """An instruction of two operands of one type, ``i32 %, 3``."""
        left, right, *_ = instruction_of(line.text).parts
        return self._computed(line, compute, [left, f"{first_type(left)} {right}"])

    def _binary(self, line: Line) -> Any:
        if not RELAXED_FLAGS.isdisjoint(instruction_of(line.text).words):
            raise Inexpressible(f"`{line.op}` with flags that change its result")
        return self._of_pair(line, BINARY[line.op])

    def _compared(self, line: Line) -> Any:
        return self._of_pair(line, COMPARISONS[f"{line.op} {instruction_of(line.text).words[-1]}"])

    def _cast(self, line: Line) -> Any:
        source, _, target = line.text.rpartition(" to ")
        type = scalar(self.items.types.leaves(first_type(target))[0], "a value")
        compute = CASTS[line.op]
        return self._computed(line, lambda make, x: compute(make, type, x), instruction_of(source).parts)

    def _same_bits(self, line: Line) -> Any:
        """``bitcast``: the value of another type whose representation in memory is the same."""
        source, _, target = line.text.rpartition(" to ")
        [part], type = instruction_of(source).parts, first_type(target)
        given, [value] = operand_of(part).type, self._operands(line, [part])
        if given == type:
            return value
        if isinstance(value, Aggregate) and given.endswith(" x i1>") and is_integer(scalar_of(type)):
            make, whole = self.make, scalar(type, "a value")
            bits = [make("<<", make.convert(whole, bit), Constant(INT, n)) for n, bit in enumerate(value.members)]
            return reduce(partial(make, "|"), bits)
        objects = [self.items.types.of(each) for each in (given, type)]
        if objects[0].size != objects[1].size or "i1" in (given, type):
            raise Inexpressible(f"`bitcast` from `{given}` to `{type}`")
        with self.memory.temporary() as allocate:
            place = allocate("bits", objects[0])
            self.memory.store(given, value, place)
            return self.memory.load(type, place)

    def _fneg(self, line: Line) -> Any:
        return self._computed(line, lambda make, x: make("neg", x), instruction_of(line.text).parts)

    def _freeze(self, line: Line) -> Any:
        values = self._operands(line, instruction_of(line.text).parts)
        return elementwise(lambda value: zero(value.type) if isinstance(value, Undef) else value, values)

    def _select(self, line: Line) -> Any:
        compute = partial(Maker.either, name=hint(line.result or ""))
        return self._computed(line, compute, instruction_of(line.text).parts[:3], is_strict=False)

    # ---------------------------------------------------------------------------------------------------- memory

    def _allocate(self, line: Line) -> Value:
        text, *others = instruction_of(line.text).parts
        type = self.items.types.of(text)
        counts = self._operands(line, [each for each in others if each[0] == "i"])
        is_fixed = all(isinstance(each, Constant) for each in counts) and line.result in self.objects_at
        value = self.b.effect(
            "allocate",
            *(counts or count_of(type)),
            of=type if counts else element_of(type),
            name=self._name_of(line.result or ""),
            span=self.objects.get(line.result or "", line),
            alignment=alignment_of(type, instruction_of(line.text).alignment),
            attributes=NO_ATTRIBUTES if is_fixed else {ON_STACK: True},
        )
        if is_fixed:
            self.allocated.append(value)
        return value

    def _find_descriptions(self) -> None:
        """Find the debug information on variables, and for each allocation the record that declares its variable."""
        super()._find_descriptions()
        records = [line for block in self.function.blocks for line in block.lines if line.op == RECORD and line.names]
        self.objects = {line.names[0]: line for line in records if declared(line.text)}

    def _name_of(self, allocation: str) -> str:
        """The name of the variable in an allocation."""
        described = declared(self.objects[allocation].text) if allocation in self.objects else None
        return (described and self.debug.variable_name(described)) or hint(allocation)

    def _loaded(self, line: Line) -> Any:
        """A load. Of a value of which some bits are used, and of an object of another type, bytes may be unwritten."""
        type, address, *_ = instruction_of(line.text).parts
        [pointer] = self._operands(line, [address])
        is_converted = bool(line.names) and self.objects_at.get(line.names[0], type) != type
        return self.memory.load(type, pointer, is_part=line.result in self.masked or is_converted)

    def _stored(self, line: Line) -> None:
        stored, address, *_ = instruction_of(line.text).parts
        value, pointer = self._operands(line, [stored, address])
        self.memory.store(first_type(stored), value, pointer)

    def _changed_atomically(self, line: Line) -> Value:
        """``atomicrmw``: the old value in memory, which an operation replaces."""
        words, (address, part, *_) = instruction_of(line.text)
        pointer, value = self._operands(line, [address, part])
        self.require_value(value)
        compute, type = BINARY.get(words[-1]) or UPDATES.get(words[-1]), first_type(part)
        if compute is None:
            raise Inexpressible(f"`atomicrmw {words[-1]}`")
        old = self.memory.load(type, pointer)
        self.memory.store(type, compute(self.make, old, value), pointer)
        return cast(Value, old)

    def _exchanged(self, line: Line) -> Aggregate:
        """``cmpxchg``: the old value in memory, and whether it was the expected one and has been replaced."""
        parts = instruction_of(line.text).parts[:3]
        pointer, compared, value = self._operands(line, parts)
        type = first_type(parts[1])
        old = self.memory.load(type, pointer)
        is_equal = self.make("==", old, compared)
        self.memory.store(type, self.make.either(is_equal, value, old), pointer)
        return Aggregate(f"{{ {type}, i1 }}", [old, is_equal])

    def _element(self, line: Line) -> Value:
        type, *operands = instruction_of(line.text).parts
        pointer, *indices = self._operands(line, operands)
        for each in pointer, *indices:
            self.require_value(each)
        if line.names and line.names[0] in self.objects_at and line.result:
            self.objects_at[line.result] = self._element_type(type, indices[1:])
        return self.memory.element(type, pointer, indices)

    def _element_type(self, type: str, indices: Sequence[Value]) -> str:
        """The text of the type of an element within an object."""
        for index in indices:
            type, _ = self.items.types.member(type, int(index.value) if isinstance(index, Constant) else 0)
        return type

    # ------------------------------------------------------------------------------------------------ aggregates

    def _extracted(self, line: Line) -> Any:
        aggregate, *indices = instruction_of(line.text).parts
        [value] = self._operands(line, [aggregate])
        for index in map(int, indices):
            value = self._members(value)[index]
        return value

    def _inserted(self, line: Line) -> Any:
        aggregate, member, *indices = instruction_of(line.text).parts
        whole, value = self._operands(line, [aggregate, member])
        return self._replaced(whole, [*map(int, indices)], value)

    def _element_extracted(self, line: Line) -> Any:
        vector, index = self._operands(line, instruction_of(line.text).parts)
        *others, element = self._members(vector)
        for number, each in reversed([*enumerate(others)]):
            element = self._at_index(index, number, each, element)
        return element

    def _element_inserted(self, line: Line) -> Any:
        vector, value, index = self._operands(line, instruction_of(line.text).parts)
        members = [self._at_index(index, number, value, each) for number, each in enumerate(self._members(vector))]
        return Aggregate(vector.type, members)

    def _at_index(self, index: Any, number: int, one: Value, other: Value) -> Value:
        """One value if the index is this number, else the other."""
        if isinstance(index, Constant):
            return one if index.value == number else other
        for each in index, one, other:
            self.require_value(each)
        return self.make.either(self.make("==", index, Constant(index.type, number)), one, other)

    def _shuffled(self, line: Line) -> Any:
        one, other, mask = self._operands(line, instruction_of(line.text).parts)
        elements = [*self._members(one), *self._members(other)]
        chosen = [each if isinstance(each, Undef) else elements[int(each.value)] for each in self._members(mask)]
        undefined = [Undef(elements[0].type, each.name) if isinstance(each, Undef) else each for each in chosen]
        return Aggregate(text_of(self.types.type_of(line.op, line.text)) or "", undefined)

    def _replaced(self, whole: Any, path: Sequence[int], value: Any) -> Aggregate:
        """The aggregate with another value of the member at the path."""
        index, *rest = path
        members = [*self._members(whole)]
        members[index] = self._replaced(members[index], rest, value) if rest else value
        return Aggregate(whole.type, members)

    def _members(self, value: Any) -> list[Any]:
        if not isinstance(value, Aggregate):
            raise Inexpressible("a part of an aggregate that stays foreign")
        return value.members

    # -------------------------------------------------------------------------------------------------- operands

    def operand(self, operand: Operand, names: Iterator[str]) -> Any:
        """The value of an operand, whose holes are the next of the names."""
        if operand.text == "%":
            return self.value_of(next(names))
        return self.constant_of(operand.type, operand.text)

    def value_of(self, name: str) -> Any:
        """The value of a local name, which may be an aggregate."""
        return self.values[name] if name in self.values else super()._value(name)

    def _value(self, name: str) -> Value:
        value = self.value_of(name)
        return self._packed(value) if isinstance(value, Aggregate) else value

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
        if constant is not None:
            return constant
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


def _masked(function: FunctionText) -> set[str]:
    """The values of which only some bits are used: ``and`` with a constant is all that reads them.

    So compilers change bit-fields, whose other bits may never have been written.
    """
    uses = Counter(name for block in function.blocks for line in block.lines for name in line.names)
    return {
        line.names[0]
        for block in function.blocks
        for line in block.lines
        if line.op == "and" and len(line.names) == 1 and uses[line.names[0]] == 1
    }
