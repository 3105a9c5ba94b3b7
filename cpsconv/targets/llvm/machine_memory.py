"""Memory in emitted modules: machine pointers, without checks.

A variable is in the frame of its function (``alloca``) if it cannot outlive one execution of its allocation: each path
from the allocation to itself, or to a return, deallocates it. Other variables, and those of variable size, are
allocated on the heap, so that a loop does not take more and more of the stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.abi.attributes import ON_STACK, is_setjmp, is_thread_local, variadic_callee
from cpsconv.abi.linking import is_complete, is_visible
from cpsconv.abi.prototypes import MALLOC_ALIGNMENT
from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions
from cpsconv.core.analysis.places import is_deallocated
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.table import ALLOCATE, COPY, ELEMENT, FIELD, LOAD, LOAD_OR, OPERATIONS, STORE
from cpsconv.targets.llvm import c_signatures
from cpsconv.targets.llvm.calling_convention import MAIN, Prototype, by_pointer, external_prototype, wrapper
from cpsconv.targets.llvm.instructions import Instructions, Operand
from cpsconv.targets.llvm.layouts import Layouts, memory_word, struct_name
from cpsconv.targets.llvm.memory_model import MemoryModel, MemoryWriter
from cpsconv.targets.llvm.support import LIBRARY
from cpsconv.targets.llvm.vocabulary import NULL, POINTER, comment, quoted, resizing, type_word
from cpsconv.targets.unsupported import memory_uses

_TARGET = (
    'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"',
    'target triple = "x86_64-unknown-linux-gnu"',
)


class MachineMemory(MemoryModel):
    """The memory of a module to be compiled."""

    pointer = ir.PTR

    def prepare(self) -> None:
        """Compute what the model needs before the functions are written."""
        self.is_used = bool(self.program.structs) or any(memory_uses(self.program))
        in_c = any(map(c_signatures.signature_in_c, self.program.functions))
        self.has_opaque_pointers = self.is_used or in_c  # old versions of LLVM accept other modules, too
        self.support.is_x86_64 = self.is_used  # the module has this target
        self.layouts = Layouts()
        plain = [each for each in self.program.externals if not c_signatures.signature_in_c(each)]
        own = {each: by_pointer(each, self.uncertain, False, ir.PTR) for each in plain}
        self._by_pointer = {
            each: found
            for each, found in own.items()
            if len(found.parameter_words) > len(found.types) or len(found.result_words) > len(found.returns)
        }
        self._variadic: dict[tuple[ir.Function, ir.ContinuationType], Prototype] = {}
        self._in_frame: dict[ir.Function, list[ir.Effect]] = {}
        self._with_stack = {each for each in self.program.functions if any(map(_is_on_stack, each.statements()))}
        self.qualifier = ""  # of accesses in the current function, whose values a jump must not restore
        self._places: dict[ir.Value, str] = {}
        self._alignments: dict[ir.Value, int] = {}

    # ------------------------------------------------------------------------------------------------- the model

    def address(self, target: ir.Data | ir.Function) -> str:
        """The pointer to data or to a function."""
        if not isinstance(target, ir.Function):
            return f"@{quoted(self.names[target])}"
        return (self._by_pointer.get(target) or self.prototypes[target]).symbol

    def external(self, function: ir.Function) -> Prototype:
        """The prototype of an external function; of one with a signature in C, of the definition that calls it."""
        prefix = "cpsconv.external." if c_signatures.signature_in_c(function) else ""
        return external_prototype(function, f"@{quoted(prefix + function.name)}")

    def variadic(self, call: ir.Call) -> Prototype | None:
        """The prototype of the definition that calls an external function with variable arguments."""
        function = variadic_callee(call)
        if function is None:
            return None
        key = function, call.callee.type
        if key not in self._variadic:
            number = len(self._variadic) + 1
            symbol = f"@{quoted(f'cpsconv.external.{function.name}.{number}')}"
            self._variadic[key] = external_prototype(call.callee, symbol)
        return self._variadic[key]

    def may_tail_call(self, function: ir.Function) -> bool:
        """Whether no variable of the function is on the stack."""
        return function not in self._with_stack and not self._frame(function) and not is_reentered(function)

    def start(self, to: Instructions, function: ir.Function) -> Iterator[str]:
        """The frame of the function: all its variables but those that its first block allocates in place."""
        self.qualifier = " volatile" if is_reentered(function) else ""
        for effect in self._frame(function):
            if effect not in function.body:
                self._places[effect] = to.fresh(f"{effect.name or 'variable'}.place")
                yield f"{self._places[effect]} = {_alloca(effect)}"
            else:
                self._places[effect] = ""

    def types(self) -> Iterator[str]:
        """The target, and the struct types."""
        if self.is_used:
            yield from _TARGET
        if self.program.structs:
            yield ""
        for struct in self.program.structs:
            yield f"{struct_name(struct)} = type {self.layouts.body(struct)}"

    def definitions(self) -> Iterator[str]:
        """The data, and the declarations of the external functions."""
        keeps_all = is_complete(self.program)
        if self.program.data or self.program.external_data:
            yield ""
        for each in self.program.external_data:
            weak = "extern_weak" if each.is_replaceable else "external"
            yield f"{self.address(each)} = {weak} {_thread(each)}global {memory_word(each.object_type)}"
        for data in self.program.data:
            linkage = "internal " if keeps_all or not is_visible(data) else "weak " if data.is_replaceable else ""
            kind = _thread(data) + ("constant" if data.is_constant else "global")
            value = self.layouts.initialiser(data, self.address)
            alignment = _alignment_of_object(data.object_type, data.alignment)
            yield f"{self.address(data)} = {linkage}{kind} {value}, align {alignment}"
        for function, own in self._by_pointer.items():
            yield from ("", *wrapper(own, self.prototypes[function], self.support, "internal "))
        for function in self.program.externals:
            if is_setjmp(function):
                continue
            if function.name in LIBRARY:
                self.support.library(function.name)
            elif c_signatures.signature_in_c(function):
                yield from ("", c_signatures.declaration(self.prototypes[function], function))
            else:
                declared = self.prototypes[function]
                weak = "extern_weak " if function.is_replaceable else ""
                head = f"declare {weak}{declared.returned} {declared.symbol}"
                yield f"{head}({', '.join(declared.parameter_words)}){c_signatures.returns_twice(function)}"
            if c_signatures.signature_in_c(function):
                yield from c_signatures.definition(self.prototypes[function], function)
        for (function, _), own in self._variadic.items():
            yield from ("", *c_signatures.definition(own, function))

    # ------------------------------------------------------------------------------------------------- variables

    def _frame(self, function: ir.Function) -> list[ir.Effect]:
        """The allocations of variables that are in the frame of the function."""
        if function not in self._in_frame:
            returns = function.name != MAIN or self._is_main_called()
            self._in_frame[function] = [
                statement
                for member in function.members()
                for statement in member.body
                if isinstance(statement, ir.Effect) and statement.op == ALLOCATE and _is_constant(statement)
                if is_deallocated(statement, member, before_return=returns)
            ]
        return self._in_frame[function]

    def _is_main_called(self) -> bool:
        transfers = [member.transfer for member in self.program.members()]
        called = [transfer.callee for transfer in transfers if isinstance(transfer, ir.Call)]
        return any(each.name == MAIN for each in (*called, *addressed_functions(self.program)))

    def place_of(self, variable: ir.Value) -> str | None:
        """The ``alloca`` of a variable in a frame, which is empty if the allocation itself is; otherwise None."""
        return self._places.get(variable)

    def alignment(self, pointer: ir.Value, type: ir.ObjectType) -> int:
        """The alignment of a value of the type at the pointer: packed structs contain values of lower alignment."""
        path = []
        while pointer not in self._alignments and isinstance(pointer, ir.Primitive) and pointer.op in (ELEMENT, FIELD):
            path.append(pointer)
            pointer = pointer.operands[0]
        known = self._alignments.get(pointer, 16)
        for each in reversed(path):
            if isinstance(each.of, ir.Field):
                known = min(each.of.struct.alignment, _lowest_bit(each.of.offset), MALLOC_ALIGNMENT)
            elif each.of is not None:
                known = min(known, _lowest_bit(ir.object_type_of(each).size))
            self._alignments[each] = known
        return min(known, type.alignment) or 1


def _thread(data: ir.Data) -> str:
    return "thread_local " if is_thread_local(data) else ""


def _lowest_bit(number: int) -> int:
    return number & -number or 16


def _is_constant(effect: ir.Effect) -> bool:
    """Whether the size of the variable is constant, and no error."""
    count = effect.operands[0] if effect.operands else None
    return count is None or (isinstance(count, ir.Constant) and 0 <= int(count.value) <= 1 << 20)


def _is_on_stack(statement: ir.Statement) -> bool:
    return ON_STACK in statement.attributes


def _alloca(effect: ir.Effect) -> str:
    type = _allocated(effect)
    return f"alloca {memory_word(type)}, align {_alignment_of_object(type, effect.alignment)}"


def _alignment_of_object(type: ir.ObjectType, alignment: int) -> int:
    """The alignment of a variable or data: aggregates have at least that of the heap."""
    return max(type.alignment, alignment, 1 if isinstance(type, ir.Scalar) else MALLOC_ALIGNMENT)


def _allocated(effect: ir.Effect) -> ir.ObjectType:
    """The type of a variable of constant size."""
    type = ir.object_type_of(effect)
    count = effect.operands[0] if effect.operands else None
    return ir.Array(type, int(count.value)) if isinstance(count, ir.Constant) else type


# --------------------------------------------------------------------------------------------------- the operations


def _element(
    memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    pointer, index = operands
    type, lines, number = ir.object_type_of(statement), list[str](), statement.operands[1]
    if isinstance(number, ir.Constant):
        return [_at_offset(pointer, int(number.value) * type.size, f"[{number.value}]")]
    if not index.type.signed and index.type.bits < 64:
        wide = Operand(ir.LONG, to.fresh("wide"))
        lines.append(f"{wide.text} = zext {index} to i64")
        index = wide
    return [*lines, f"getelementptr {memory_word(type)}, {pointer}, {index}"]


def _field(memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]) -> list[str]:
    field = statement.of
    assert isinstance(field, ir.Field)
    return [_at_offset(operands[0], field.offset, f".{field.name}")]


def _at_offset(pointer: Operand, offset: int, place: str) -> str:
    """An address at a constant offset, in bytes.

    LLVM 14 takes two instructions for one if they differ in the type of the element only.
    """
    return f"getelementptr i8, {pointer}, i64 {offset}  {comment(place)}"


def _load(memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]) -> list[str]:
    type = statement.type
    alignment = memory.alignment(statement.operands[0], type)
    load = f"load{memory.qualifier} {memory_word(type)}, {operands[0]}, align {alignment}"
    if type is not ir.BOOL:
        return [load]
    byte = to.fresh("byte")
    return [f"{byte} = {load}", f"icmp ne i8 {byte}, 0"]


def _load_or(
    memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """A load: machine memory has no record of the bytes that were written. The companion of the result is null."""
    unset = to.operand(statement).unset
    defined = [] if unset == NULL else [f"{unset} = bitcast {POINTER} {NULL} to {POINTER}"]
    return [*defined, *_load(memory, to, statement, operands)]


def _store(memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]) -> list[str]:
    value, pointer = operands
    lines, stored = [], str(value)
    if value.type is ir.BOOL:
        byte = to.fresh("byte")
        lines, stored = [f"{byte} = zext {value} to i8"], f"i8 {byte}"
    return [
        *lines,
        f"store{memory.qualifier} {stored}, {pointer}, align {memory.alignment(statement.operands[1], value.type)}",
    ]


def _copy(memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]) -> list[str]:
    type = ir.object_type_of(statement)
    places = [
        f"ptr align {memory.alignment(value, type)} {operand.text}"
        for value, operand in zip(statement.operands, operands, strict=True)
    ]
    helper = memory.support.library("llvm.memmove.p0.p0.i64")
    return [
        f"call void {helper}({places[1]}, {places[0]}, i64 {type.size}, i1 {'true' if memory.qualifier else 'false'})"
    ]


def _allocate(
    memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    assert isinstance(statement, ir.Effect)
    place = memory.place_of(statement)
    if place == "":
        return [_alloca(statement)]
    if place is not None:
        return [_lifetime(memory, "start", statement, place), f"bitcast ptr {place} to ptr"]
    type, lines = ir.object_type_of(statement), list[str]()
    size = str(_allocated(statement).size)
    if operands and not isinstance(statement.operands[0], ir.Constant):
        (count,) = operands
        wide, size = count.text, to.fresh("size")
        if count.type.bits < 64:
            wide = to.fresh("count")
            lines.append(f"{wide} = {resizing(count.type, ir.LONG)} {count} to i64")
        lines.append(f"{size} = mul i64 {wide}, {type.size}")
    alignment = _alignment_of_object(type, statement.alignment)
    if _is_on_stack(statement):
        return [*lines, f"alloca i8, i64 {size}, align {max(alignment, MALLOC_ALIGNMENT)}"]
    if alignment > MALLOC_ALIGNMENT:
        padded, rounded = to.fresh("padded"), to.fresh("rounded")
        lines += [f"{padded} = add i64 {size}, {alignment - 1}", f"{rounded} = and i64 {padded}, {-alignment}"]
        return [*lines, f"call ptr {memory.support.library('aligned_alloc')}(i64 {alignment}, i64 {rounded})"]
    return [*lines, f"call ptr {memory.support.library('malloc')}(i64 {size})"]


def _deallocate(
    memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """The end of the lifetime of a known variable. Of an unknown one, the memory is not reused."""
    (variable,) = statement.operands
    if not isinstance(variable, ir.Effect) or variable.op != ALLOCATE:
        return []
    place = memory.place_of(variable)
    if place is None and not _is_on_stack(variable):
        return [f"call void {memory.support.library('free')}({operands[0]})"]
    return [_lifetime(memory, "end", variable, place)] if place else []


def _lifetime(memory: MachineMemory, which: str, variable: ir.Effect, place: str) -> str:
    helper = memory.support.library(f"llvm.lifetime.{which}.p0")
    return f"call void {helper}(i64 {_allocated(variable).size}, ptr {place})"


def _library(name: str) -> MemoryWriter:
    """The call of a library function with the operands."""

    def write(
        memory: MachineMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
    ) -> Sequence[str]:
        result = "void" if name == "free" else type_word(statement.type)
        return [f"call {result} {memory.support.library(name)}({', '.join(map(str, operands))})"]

    return write


MachineMemory.writers = for_every_operation(
    "cpsconv.targets.llvm",
    {
        ELEMENT: _element,
        FIELD: _field,
        LOAD: _load,
        LOAD_OR: _load_or,
        STORE: _store,
        COPY: _copy,
        ALLOCATE: _allocate,
        "deallocate": _deallocate,
        "make_constant": lambda *_: [],
        "make_bytes_constant": lambda *_: [],
        **{op: _library(op) for op in ("malloc", "calloc", "realloc", "free")},
    },
    [op for op, row in OPERATIONS.items() if row.is_on_memory],
    memory=True,
)
