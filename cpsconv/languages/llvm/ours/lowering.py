"""The lowering of instructions to operations of the program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.construction.structured import choice
from cpsconv.core.ir import (
    INT,
    LONG,
    NO_ATTRIBUTES,
    PTR,
    Array,
    Constant,
    Effect,
    Function,
    ObjectType,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Undef,
    Value,
    integer_type,
)
from cpsconv.core.operations.types import is_storable, zero
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.languages.llvm import lowering as foreign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.debug_info import declared
from cpsconv.languages.llvm.foreign_text import CONSTANT
from cpsconv.languages.llvm.lowering import Phi, hint
from cpsconv.languages.llvm.module_text import RECORD, Block, FunctionText, Line
from cpsconv.languages.llvm.ours.arithmetic import (
    BINARY,
    CASTS,
    FLOATING_COMPARISONS,
    INTEGER_COMPARISONS,
    Maker,
    is_relaxed,
)
from cpsconv.languages.llvm.ours.calls import Calls
from cpsconv.languages.llvm.ours.initial_data import address_of
from cpsconv.languages.llvm.ours.intrinsics import UPDATES, either
from cpsconv.languages.llvm.ours.items import Items
from cpsconv.languages.llvm.ours.object_types import (
    BYTE,
    Inexpressible,
    alignment_of,
    count_of,
    element_of,
    field_of,
    is_aggregate,
)
from cpsconv.languages.llvm.ours.operands import Aggregate, Operand, built, leaves, operand_of
from cpsconv.languages.llvm.promotion import allocated_type
from cpsconv.languages.llvm.types import PREFIX, first_type, parts_of, scalar_of, text_of


class OursLowering(foreign.Lowering):
    """Constructs the program of a module when called. With `whole`, every instruction must be expressible."""

    def __init__(self, module: foreign.Module, whole: bool) -> None:
        super().__init__(module)
        self.whole = whole

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        items = Items(builder, self.module.text, self.module.source)
        items.define_all()
        refused: list[Diagnostic] = []
        self._lower_functions(builder, FunctionLowering, items, refused)
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
        self.allocated: list[Value] = []
        self.members: dict[str, list[Variable]] = {}
        for name, type in [*self.promoted.types.items()]:
            if scalar_of(type).kind == "foreign":
                del self.promoted.types[name]
        self.calls = Calls(self)
        self.masked = _masked(function)
        self.objects_at = {
            line.result: allocated_type(line)
            for line in function.blocks[0].lines
            if line.op == "alloca" and line.result
        }
        self.instructions: dict[str, Callable[[Line], Any]] = {
            **dict.fromkeys(BINARY, self._binary),
            **dict.fromkeys(CASTS, self._cast),
            "icmp": self._integer_comparison,
            "fcmp": self._floating_comparison,
            "fneg": self._fneg,
            "freeze": self._freeze,
            "select": self._select,
            "alloca": self._allocated,
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
            **dict.fromkeys(["call", "tail", "notail"], self.calls.call),
        }

    # ------------------------------------------------------------------------------------------- the function

    def lower(self) -> None:
        """Construct the function. Raises `DiagnosticError` for a transfer or φ function that cannot stay foreign."""
        try:
            super().lower()
        except Inexpressible as what:
            self.refuse(what)
            raise DiagnosticError(self.refused) from None

    def _open(self) -> Sequence[Parameter]:
        """Open the function, and return its parameters, without a place for its result."""
        signature = self.items.signature(self.function.symbol)
        function = signature.function
        self.location = self.function.span
        variables = [Variable(each.name, scalar_type(each), each.span) for each in function.parameters[:-1]]
        assert isinstance(function.result, Scalar)
        opened = self.b.function(function.name, variables, function.result, function.span)
        self.place = opened.parameters[0] if signature.place is not None else None
        self.arguments = opened.parameters[-2] if signature.is_variadic else None
        if function.name == "main":
            self._initialise()
        return [*self._parameters(opened.parameters[signature.place is not None : -1])]

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
            pointer = self.b.convert(PTR, function, self.location)
            self.calls.external("atexit", [pointer], ["ptr"], "i32", self.location)
        for function in self.items.listed("llvm.global_ctors"):
            self.b.call(function, [], self.location)

    def _foreign(self, line: Line) -> None:
        """An instruction as an operation of the program, if one expresses it."""
        self.location = line
        handler = self.instructions.get(line.op)
        try:
            if handler is None:
                raise Inexpressible(f"`{line.op}`")
            value = handler(line)
        except Inexpressible as what:
            self.refuse(what)
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
        is_reported = bool(self.refused) and self.refused[-1].span == self.location
        if self.b.current is not None and not is_reported:
            message = f"no operation of the program expresses {what}"
            self.refused.append(error(message, self.location, rule="not-expressible"))

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
        self.location = phi.variable.span or self.location
        value = self.value_of(name) if name is not None else self.constant_of(phi.type, text)
        return self._unpacked(phi.type, value)

    def _variables_of(self, phi: Phi) -> list[Variable] | None:
        """The variables for the scalars in an aggregate; None for another type, or one that the program lacks."""
        if not is_aggregate(self.items.types.definition(phi.type)):
            return None
        if phi.name not in self.members:
            try:
                types = [self.items.scalar(each, "a value") for each in self.items.types.leaves(phi.type)]
            except Inexpressible:
                return None
            name, span = phi.variable.name, phi.variable.span
            self.members[phi.name] = [Variable(f"{name}_{i}", type, span) for i, type in enumerate(types)]
        return self.members[phi.name]

    def _ret(self, block: Block, line: Line) -> None:
        returned, span = parts_of(line.text[len("ret ") :])[0], line
        self.location, value = span, None
        if returned != "void":
            operand = operand_of(returned)
            if self.place is not None:
                value = self._unpacked(operand.type, self.operand(operand, iter(line.names)))
                self.store(operand.type, value, self.place, span)
                value = None
            else:
                value = self._operand(scalar_of(operand.type), operand.text, line.names)
        for each in reversed(self.allocated):
            self.b.effect("deallocate", each, span=span)
        self.b.ret(value, span)

    def _transfer(self, block: Block, line: Line) -> None:
        self.location = span = line
        if line.op == "unreachable":
            fail(self.b, "code that LLVM takes to be unreachable is reached", span)
            return
        try:
            if line.op != "invoke":
                raise Inexpressible(f"`{line.op}`")
            self._invoke(block, line)
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
        self.b.jump(self.continuations[normal], self.location)

    # ---------------------------------------------------------------------------------------------- computations

    def maker(self) -> Maker:
        """The maker of operations at the current location."""
        return Maker(self.b, self.location)

    def _operands(self, line: Line, *texts: str) -> list[Any]:
        names = iter(line.names)
        return [self.operand(operand_of(text), names) for text in texts]

    def _pair(self, line: Line, text: str) -> list[Value]:
        """The two operands of ``i32 %, 3``."""
        left, right, *_ = parts_of(text)
        operands = self._operands(line, left, f"{operand_of(left).type} {right}")
        for each in operands:
            self.require_value(each)
        return operands

    def require_value(self, value: Any) -> None:
        """Raise `Inexpressible` for an aggregate, or a value of a foreign type."""
        if isinstance(value, Aggregate) or value.type.kind == "foreign":
            type = value.type if isinstance(value, Aggregate) else text_of(value.type)
            raise Inexpressible(f"an operation on a value of the type `{type}`")

    def aggregate(self, type: str, members: Iterable[Any]) -> Aggregate:
        """The value of an aggregate type with these members."""
        return Aggregate(type, members)

    def _binary(self, line: Line) -> Value:
        if line.op[0] == "f" and is_relaxed(line.text.partition("%")[0]):
            raise Inexpressible(f"`{line.op}` with flags that change its result")
        return BINARY[line.op](self.maker(), *self._pair(line, _from_type(line.text, len(line.op))))

    def _cast(self, line: Line) -> Value:
        source, _, target = line.text.rpartition(" to ")
        type = self.items.scalar(first_type(target), "a value")
        [value] = self._operands(line, _from_type(source, len(line.op)))
        self.require_value(value)
        return CASTS[line.op](self.maker(), type, value)

    def _integer_comparison(self, line: Line) -> Value:
        predicate, _, operands = line.text.replace("samesign ", "", 1)[len("icmp ") :].partition(" ")
        return INTEGER_COMPARISONS[predicate](self.maker(), *self._pair(line, operands))

    def _floating_comparison(self, line: Line) -> Value:
        predicate = next(word for word in line.text.split()[1:] if word in FLOATING_COMPARISONS)
        operands = line.text.partition(f" {predicate} ")[2]
        return FLOATING_COMPARISONS[predicate](self.maker(), *self._pair(line, operands))

    def _fneg(self, line: Line) -> Value:
        [value] = self._operands(line, parts_of(_from_type(line.text, len("fneg")))[0])
        self.require_value(value)
        return self.maker()("neg", value)

    def _freeze(self, line: Line) -> Any:
        [value] = self._operands(line, parts_of(line.text[len("freeze ") :])[0])
        return zero(value.type) if isinstance(value, Undef) else value

    def _select(self, line: Line) -> Value:
        parts = parts_of(_from_type(line.text, len("select")))[:3]
        condition, then, otherwise = self._operands(line, *parts)
        for each in condition, then, otherwise:
            self.require_value(each)
        arms = {"selected": lambda: then, "otherwise": lambda: otherwise}
        variable = Variable(hint(line.result or ""), then.type, self.location)
        return choice(self.b, variable, condition, arms, self.location)

    # ---------------------------------------------------------------------------------------------------- memory

    def _allocated(self, line: Line) -> Value:
        text, *others = parts_of(line.text[len("alloca ") :])
        type = self.items.types.of(first_type(text))
        stated = next((int(each.split()[1]) for each in others if each.startswith("align ")), 0)
        counts = self._operands(line, *[each for each in others if each[0] == "i"])
        is_fixed = all(isinstance(each, Constant) for each in counts) and line in self.function.blocks[0].lines
        value = self.b.effect(
            "allocate",
            *(counts or count_of(type)),
            of=type if counts else element_of(type),
            name=self._name_of(line.result or ""),
            span=self.objects.get(line.result or "", line),
            alignment=alignment_of(type, stated),
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
        type, address, *_ = parts_of(re.sub(r"^load (?:atomic )?(?:volatile )?", "", line.text))
        [pointer] = self._operands(line, _ORDER.sub("", address))
        return self._load_part(
            type, pointer, self.location, is_part=line.result in self.masked or self._is_converted(line, type)
        )

    def load(self, type: str, pointer: Value, span: Span) -> Any:
        """The value of a type in memory. Bytes between the members of an aggregate need not have been written."""
        return self._load_part(type, pointer, span, is_part=False)

    def _load_part(self, type: str, pointer: Value, span: Span, is_part: bool) -> Any:
        types = self.items.types
        if is_aggregate(types.definition(type)):
            members = types.members(type)
            places = [(each, self.at(pointer, offset, span)) for each, offset in members]
            return Aggregate(type, [self._load_part(each, place, span, is_part=True) for each, place in places])
        scalar = self.items.scalar(type, "a value")
        if not is_storable(scalar):
            return self._load_bytes(scalar, pointer, span)
        if is_part and scalar.kind != "pointer":
            return self.b.effect("load_or", pointer, zero(scalar), span=span)
        return self.b.effect("load", pointer, type=scalar, span=span)

    def _is_converted(self, line: Line, type: str) -> bool:
        """Whether the load reads an object of another type, of which some bytes may never have been written."""
        return bool(line.names) and self.objects_at.get(line.names[0], type) != type

    def _load_bytes(self, type: Scalar, pointer: Value, span: Span) -> Value:
        """An integer that takes some bytes of memory, byte by byte."""
        make, wide = Maker(self.b, span), integer_type(-(-type.bits // 8) * 8, signed=False)
        value: Value = Constant(wide, 0)
        for number in range(wide.bits // 8):
            byte = self.b.effect("load_or", self.at(pointer, number, span), Constant(BYTE, 0), span=span)
            value = make("|", value, make("<<", make.convert(wide, byte), Constant(INT, 8 * number)))
        return make.convert(type, value)

    def _store_bytes(self, value: Value, pointer: Value, span: Span) -> None:
        """Likewise, a store."""
        assert isinstance(value.type, Scalar)
        make, wide = Maker(self.b, span), integer_type(-(-value.type.bits // 8) * 8, signed=False)
        whole = make.convert(wide, make.unsigned(value))
        for number in range(wide.bits // 8):
            byte = make.convert(BYTE, make(">>", whole, Constant(INT, 8 * number)))
            self.b.effect("store", byte, self.at(pointer, number, span), span=span)

    def _stored(self, line: Line) -> None:
        text = re.sub(r"^store (?:atomic )?(?:volatile )?", "", line.text)
        value, pointer = self._operands(line, *[_ORDER.sub("", part) for part in parts_of(text)[:2]])
        self.store(first_type(text), value, pointer, self.location)

    def store(self, type: str, value: Any, pointer: Value, span: Span) -> None:
        """Store a value of a type. Members that are undefined are not stored."""
        if isinstance(value, Aggregate):
            for member, (each, offset) in zip(value.members, self.items.types.members(type), strict=True):
                self.store(each, member, self.at(pointer, offset, span), span)
        elif value.type.kind == "foreign":
            raise Inexpressible(f"`store` of the type `{type}`")
        elif not is_storable(value.type):
            self._store_bytes(value, pointer, span)
        elif not isinstance(value, Undef):
            self.b.effect("store", value, pointer, span=span)

    def at(self, pointer: Value, offset: int, span: Span) -> Value:
        """The address so many bytes after another one."""
        if offset == 0:
            return pointer
        return self.b.primitive("element", pointer, Constant(LONG, offset), of=BYTE, span=span)

    def _changed_atomically(self, line: Line) -> Value:
        """``atomicrmw``: the old value in memory, which an operation replaces."""
        op, _, text = re.sub(r"^atomicrmw (?:volatile )?", "", line.text).partition(" ")
        address, part, *_ = parts_of(text)
        pointer, value = self._operands(line, address, _ORDER.sub("", part))
        self.require_value(value)
        compute = BINARY.get(op) or UPDATES.get(op)
        if compute is None:
            raise Inexpressible(f"`atomicrmw {op}`")
        type = operand_of(part).type
        old = self.load(type, pointer, self.location)
        self.store(type, compute(self.maker(), old, value), pointer, self.location)
        return cast(Value, old)

    def _exchanged(self, line: Line) -> Aggregate:
        """``cmpxchg``: the old value in memory, and whether it was the expected one and has been replaced."""
        address, expected, new, *_ = parts_of(re.sub(r"^cmpxchg (?:weak )?(?:volatile )?", "", line.text))
        parts = address, expected, _ORDER.sub("", _ORDER.sub("", new))
        pointer, compared, value = self._operands(line, *parts)
        type, make, span = operand_of(expected).type, self.maker(), self.location
        old = self.load(type, pointer, span)
        is_equal = make("==", old, compared)
        self.store(type, either(make, is_equal, value, old), pointer, span)
        return Aggregate(f"{{ {type}, i1 }}", [old, is_equal])

    def _element(self, line: Line) -> Value:
        text = re.sub(r"^getelementptr (?:(?:inbounds|nuw|nusw|inrange\([^)]*\)) )*", "", line.text)
        type, *operands = [part for part in parts_of(text) if part[0] != "!"]
        pointer, *indices = self._operands(line, *operands)
        for each in pointer, *indices:
            self.require_value(each)
        if line.names and line.names[0] in self.objects_at and line.result:
            self.objects_at[line.result] = self._element_type(type, indices[1:])
        return self.element(type, pointer, indices, self.location)

    def _element_type(self, type: str, indices: Sequence[Value]) -> str:
        """The text of the type of an element within an object."""
        for index in indices:
            type, _ = self.items.types.member(type, int(index.value) if isinstance(index, Constant) else 0)
        return type

    def element(self, type: str, pointer: Value, indices: Sequence[Value], span: Span) -> Value:
        """The address of an element: ``getelementptr``."""
        types = self.items.types
        for number, index in enumerate(indices):
            definition = types.definition(type)
            if number and definition[0] in "{<":
                assert isinstance(index, Constant)
                object_type, (type, offset) = types.of(type), types.members(type)[int(index.value)]
                field = field_of(object_type, int(index.value))
                if field is None:
                    pointer = self.at(pointer, offset, span)
                else:
                    pointer = self.b.primitive("field", pointer, of=field, span=span)  # type: ignore[arg-type]
                continue
            if number:
                type, _ = types.member(type, 0)
            if not (isinstance(index, Constant) and index.value == 0):
                pointer = self._moved(pointer, index, types.of(type), span)
        return pointer

    def _moved(self, pointer: Value, index: Value, type: ObjectType, span: Span) -> Value:
        """The address so many objects of a type further; those of an array are counted by its elements."""
        make, count = Maker(self.b, span), 1
        while isinstance(type, Array):
            count, type = count * type.length, type.element
        if count != 1:
            index = make.convert(LONG, index)
            factor = Constant(LONG, count)
            if isinstance(index, Constant):
                index = Constant(LONG, int(index.value) * count)
            else:
                index = make("*", index, factor)
        return self.b.primitive("element", pointer, index, of=type, span=span)

    # ------------------------------------------------------------------------------------------------ aggregates

    def _extracted(self, line: Line) -> Any:
        aggregate, *indices = parts_of(line.text[len("extractvalue ") :])
        [value] = self._operands(line, aggregate)
        for index in indices:
            if index[0] != "!":
                self._require_aggregate(value)
                value = value.members[int(index)]
        return value

    def _inserted(self, line: Line) -> Any:
        aggregate, member, *indices = parts_of(line.text[len("insertvalue ") :])
        whole, value = self._operands(line, aggregate, member)
        return self._replaced(whole, [int(index) for index in indices if index[0] != "!"], value)

    def _element_extracted(self, line: Line) -> Any:
        vector, index = self._operands(line, *parts_of(line.text[len("extractelement ") :])[:2])
        self._require_aggregate(vector)
        return vector.members[_number(index, vector)]

    def _element_inserted(self, line: Line) -> Any:
        vector, value, index = self._operands(line, *parts_of(line.text[len("insertelement ") :])[:3])
        self._require_aggregate(vector)
        return self._replaced(vector, [_number(index, vector)], value)

    def _replaced(self, whole: Any, path: Sequence[int], value: Any) -> Aggregate:
        """The aggregate with another value of the member at the path."""
        self._require_aggregate(whole)
        index, *rest = path
        members = [*whole.members]
        members[index] = self._replaced(members[index], rest, value) if rest else value
        return Aggregate(whole.type, members)

    def _require_aggregate(self, value: Any) -> None:
        if not isinstance(value, Aggregate):
            raise Inexpressible("a part of an aggregate that stays foreign")

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
        type, span = scalar_of(aggregate.type), self.location
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
            member = self.b.foreign(text, value, type=scalar_of(each), pure=True, span=self.location)
            members.append(self._unpacked(each, member))
        return Aggregate(type, members)

    def _operand(self, type: Scalar, text: str, names: Sequence[str]) -> Value:
        return self._value(names[0]) if text == "%" else self._constant_value(type, text, self.location)

    def _define(self, variable: Variable, text: str) -> None:
        """Constants are defined where they are assigned: a foreign one must not be reached earlier."""

    def _constant(self, variable: Variable, text: str) -> Value:
        return self._constant_value(variable.type, text, variable.span or self.location)

    def _constant_value(self, type: Scalar, text: str, span: Span) -> Value:
        """The constant of a scalar type, foreign if the program has none."""
        self.location = span
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
        scalar = self.items.scalar(type, "a value")
        constant = number_of(scalar, text)
        if constant is not None:
            return constant
        base, offset = address_of(self.items.types, self.items.named, text)
        if base is None:
            value: Value = Constant(LONG, offset)
        else:
            span = self.location
            value = self.b.convert(PTR, base, span) if isinstance(base, Function) else base
            value = self.at(value, offset, span)
        return value if value.type is scalar else self.b.convert(scalar, value, self.location)

    def _aggregate(self, type: str, definition: str, text: str) -> Aggregate:
        members = self.items.types.members(type)
        if text in ("undef", "poison"):
            return Aggregate(type, [self.constant_of(each, text) for each, _ in members])
        if text == "zeroinitializer":
            return Aggregate(type, [self._zero(each) for each, _ in members])
        inner = text[2:-2] if text[:2] == "<{" else text[1:-1]
        parts = [operand_of(each) for each in parts_of(inner.strip()) if each]
        if len(parts) != len(members) or text[0] not in "{[<":
            raise Inexpressible(f"the constant `{text}`")
        return Aggregate(type, [self.constant_of(each.type, each.text) for each in parts])

    def _zero(self, type: str) -> Any:
        if is_aggregate(self.items.types.definition(type)):
            return self.constant_of(type, "zeroinitializer")
        return zero(self.items.scalar(type, "a value"))


def _number(index: Any, vector: Aggregate) -> int:
    """The constant index of an element. Raises `Inexpressible` for another one."""
    if isinstance(index, Constant) and 0 <= int(index.value) < len(vector.members):
        return int(index.value)
    raise Inexpressible("an element of a vector whose index is no constant")


def _from_type(text: str, start: int) -> str:
    """The text from the first type on."""
    return text[text.index(first_type(text, start), start) :]


_ORDER = re.compile(r'(?: syncscope\("[^"]*"\))? (?:unordered|monotonic|acquire|release|acq_rel|seq_cst)$')
"""The ordering of an atomic access; the program has one thread at a time."""


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


def scalar_type(parameter: Parameter) -> Scalar:
    """The type of a parameter, which is no continuation."""
    assert isinstance(parameter.type, Scalar)
    return parameter.type
