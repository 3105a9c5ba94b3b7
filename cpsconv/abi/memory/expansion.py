"""The expansion of a program: calls of the definition of checked memory, and the objects that exist from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from struct import pack

from cpsconv.abi.attributes import LONGJMP, SETJMP
from cpsconv.abi.memory.definition import CHECKED_CALLS, Texts, access_name, definition
from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions, depth_first, functions_used, replace_in_transfer
from cpsconv.core.analysis.undefined import may_be_undefined
from cpsconv.core.attributes import stated
from cpsconv.core.operations.formats import PrintValue, number, print_effects
from cpsconv.core.operations.memory_messages import message
from cpsconv.core.operations.names import CREATE, CREATE_ZEROED, PRINT, PRINT_LINE, RELEASE, RESIZE
from cpsconv.core.operations.pointers import format_of, moved, pointer_to
from cpsconv.core.operations.table import (
    ALLOCATE,
    CONVERT,
    COPY,
    DEALLOCATE,
    ELEMENT,
    FIELD,
    LOAD,
    LOAD_OR,
    MAKE_BYTES_CONSTANT,
    MAKE_CONSTANT,
    STORE,
)
from cpsconv.core.source import DiagnosticError, error
from cpsconv.core.text.plan import UniqueNames
from cpsconv.core.transform.rewrite import replace_values

_VARIABLE, _DATA, _FUNCTION = 1, 3, 4
"""Origins of objects in the definition."""

_SIZE, _CONSTANT = 48, 16
"""The size of a record, and the offset of its list of constant parts."""

_ROOM = 16
"""The number of records for objects that the program creates, before the definition needs more room."""


class Expansion:
    """The expansion of a program, which it changes.

    `numbers` are those of the objects that exist from the start. `undefined` are the places that undefined values may
    reach. `calls` are the calls of functions of the definition, by name, which is made at last, for the `texts` and the
    `types` of accesses. `through` are the functions that call through pointers, by type.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self.global_names = program.global_names
        self.texts = Texts()
        self.objects: list[ir.Data | ir.Function] = [*program.data, *addressed_functions(program)]
        self.numbers = {each: index for index, each in enumerate(self.objects, 1)}
        self.undefined = may_be_undefined(program)
        self.types: dict[ir.Scalar, None] = {}
        self.calls: list[tuple[ir.Call, str]] = []
        self._through: dict[ir.ContinuationType, ir.Function] = {}

    def program(self) -> ir.Program:
        """The expanded program, with the functions of the definition that it uses."""
        program = self._program
        for function in program.functions:
            _Body(self, function).expand()
        for type, caller in self._through.items():
            self._dispatch(type, caller)
        records = _Records(self)
        has_jumps = any(each.name == SETJMP for each in program.externals) or any(map(_jumps, program.members()))
        defined = definition(self.texts, self.types, has_jumps)
        records.define({each.name: each for each in defined.data}, {each.name: each for each in defined.structs})
        self._call_by_name({each.name: each for each in defined.functions})
        program.data[:] = [*records.bytes, *records.parts]
        self._add(defined)
        return program

    def _call_by_name(self, functions: Mapping[str, ir.Function]) -> None:
        """Let the calls of functions of the definition, and of external functions, call these functions."""
        for call, name in self.calls:
            call.callee = functions[name]
        for caller in (*self._program.functions, *self._through.values()):
            for member in caller.members():
                transfer = member.transfer
                if isinstance(transfer, ir.Call) and transfer.callee.transfer is None:
                    transfer.callee = functions[CHECKED_CALLS[transfer.callee.name]]
                for edge in transfer.edges if transfer else ():
                    if edge.target is LONGJMP:
                        edge.target = functions["enter_jump"]

    def _add(self, defined: ir.Program) -> None:
        """Add the parts of the definition that the program uses, with names of their own."""
        program = self._program
        names, struct_names = UniqueNames(program.global_names), UniqueNames([each.name for each in program.structs])
        own = {*program.functions}
        used = [each for each, _ in depth_first(program.functions, functions_used) if each not in own]
        functions = [each for each in used if each.transfer]
        added: list[ir.Data | ir.Function] = [*functions, *defined.data]
        for new in added:
            new.name = names.unique(new.name)
        for struct in defined.structs:
            struct.name = struct_names.unique(struct.name)
        program.functions += functions
        program.externals[:] = [each for each in used if not each.transfer]
        program.data += defined.data
        program.structs += defined.structs

    def address(self, value: ir.Data | ir.Function) -> ir.Constant:
        """The pointer to data or a function, as a number."""
        return ir.Constant(ir.UNSIGNED_LONG, pointer_to(self.numbers[value]))

    def caller(self, type: ir.ContinuationType) -> ir.Function:
        """The function that calls a function of the type through a pointer, its first argument."""
        if type not in self._through:
            parameters = [ir.Parameter(each, f"x{index}") for index, each in enumerate(type.parameters)]
            self._through[type] = ir.Function("call_through", [ir.Parameter(ir.PTR, "p"), *parameters])
        return self._through[type]

    def _dispatch(self, type: ir.ContinuationType, caller: ir.Function) -> None:
        """Call the function with the number of the pointer."""
        pointer, *arguments = caller.parameters
        *passed, ret = arguments
        found = ir.Continuation("found", [ir.Parameter(ir.UNSIGNED_LONG, "number")])
        call = ir.Call(caller, [pointer, constant(ir.INT, self.texts.number(str(type)))], ir.Edge(found))
        self.calls.append((call, "function_at"))
        caller.transfer = call
        caller.continuations.append(found)
        default = ir.Edge(ir.HALT, [constant(ir.INT, 3)])  # never reached
        switch = ir.Switch(found.parameters[0], [], [], default)
        found.transfer = switch
        for function in self.objects:
            if isinstance(function, ir.Function) and function.type == type:
                target = ir.Continuation("case")
                target.transfer = ir.Call(function, [*passed], ir.Edge(ret))
                caller.continuations.append(target)
                switch.cases.append(self.numbers[function])
                switch.targets.append(ir.Edge(target))


def _jumps(member: ir.Continuation) -> bool:
    """Whether the member ends with a `longjmp`."""
    return member.transfer is not None and any(edge.target is LONGJMP for edge in member.transfer.edges)


def constant(type: ir.Scalar, value: int | bool) -> ir.Constant:
    """A constant."""
    return ir.Constant(type, value)


_Called = tuple[str, Sequence[ir.Value]]


class _Body:
    """The expansion of one function, in the continuation `_open`: a call continues in a new one."""

    def __init__(self, expansion: Expansion, function: ir.Function) -> None:
        self._expansion = expansion
        self._texts = expansion.texts
        self._function = function
        self._open: ir.Continuation = function
        self._results: dict[ir.Value, ir.Value] = {}

    def expand(self) -> None:
        """Replace the operations on memory in all continuations, and then their results."""
        order: list[ir.Continuation] = []
        for member in [*self._function.members()]:
            self._function.continuations, body, transfer = [], member.body, member.transfer
            self._open, member.body = member, []
            assert transfer
            for statement in body:
                self._statement(statement)
            if isinstance(transfer, ir.Call) and transfer.pointer is not None:
                callee = self._expansion.caller(transfer.callee.type)
                transfer = ir.Call(callee, [transfer.pointer, *transfer.arguments], transfer.then, transfer.span)
            replace_in_transfer(transfer, self._value)
            self._open.transfer = transfer
            order += [member, *self._function.continuations]
        self._function.continuations = order[1:]
        replace_values(self._function, {each: self._result(each) for each in self._results})

    def _result(self, value: ir.Value) -> ir.Value:
        while value in self._results:
            value = self._results[value]
        return value

    def _value(self, value: ir.Value) -> ir.Value:
        """The value; the pointer to data is computed."""
        return self._converted(ir.PTR, self._expansion.address(value)) if isinstance(value, ir.Data) else value

    def _converted(self, type: ir.Scalar, value: ir.Value) -> ir.Value:
        if value.type is type:
            return value
        conversion = ir.Primitive(CONVERT, (value,), type)
        self._open.body.append(conversion)
        return conversion

    def _call(self, name: str, arguments: Sequence[ir.Value], result: ir.Parameter | None, at: ir.Statement) -> None:
        """Call a function of the definition, and continue with its result."""
        then = ir.Continuation("then", [result] if result else [], span=at.span)
        call = ir.Call(self._function, [*arguments], ir.Edge(then), at.span)
        self._expansion.calls.append((call, name))
        self._open.transfer = call
        self._function.continuations.append(then)
        self._open = then

    def _statement(self, statement: ir.Statement) -> None:
        if statement.op == CONVERT and isinstance(function := statement.operands[0], ir.Function):
            statement.operands = (self._expansion.address(function),)
        statement.operands = tuple(map(self._value, statement.operands))
        if statement.op == FIELD and isinstance(statement.of, ir.Field) and statement.of.offset == 0:
            self._results[statement] = statement.operands[0]
        elif called := _CALLS.get(statement.op):
            name, arguments = called(self, statement)
            result = (
                None
                if statement.type is ir.VOID
                else ir.Parameter(statement.type, statement.name or "v", statement.span)
            )
            self._call(name, arguments, result, statement)
            if result:
                self._results[statement] = result
        else:
            if statement.op in (PRINT, PRINT_LINE):
                statement.operands = tuple(self._printed(statement))
            self._open.body.append(statement)

    # -------------------------------------------------------------------------------------------------- accesses

    def _access(self, operation: str, type: ir.Type) -> str:
        assert isinstance(type, ir.Scalar)
        self._expansion.types[type] = None
        return access_name(operation, type)

    def load(self, load: ir.Statement) -> _Called:
        return self._access("load", load.type), load.operands

    def load_or(self, load: ir.Statement) -> _Called:
        return self._access("load_or", load.type), load.operands

    def store(self, store: ir.Statement) -> _Called:
        value = store.operands[0]
        is_undefined = isinstance(value, ir.Undef) or value in self._expansion.undefined
        return self._access("store_undefined" if is_undefined else "store", value.type), store.operands

    def copy(self, copy: ir.Statement) -> _Called:
        unit = ir.object_type_of(copy)
        return "move", [*copy.operands, constant(ir.UNSIGNED_LONG, unit.size), self._unit(unit)]

    def element(self, element: ir.Statement) -> _Called:
        pointer, index = element.operands
        is_large = index.type is ir.UNSIGNED_LONG
        size = constant(ir.LONG, ir.object_type_of(element).size)
        if is_large:
            return "moved_unsigned", [pointer, index, size]
        return "moved", [pointer, self._converted(ir.LONG, index), size]

    def field(self, field: ir.Statement) -> _Called:
        assert isinstance(field.of, ir.Field)
        return "moved", [field.operands[0], constant(ir.LONG, field.of.offset), constant(ir.LONG, 1)]

    # --------------------------------------------------------------------------------------------------- objects

    def allocate(self, allocate: ir.Statement) -> _Called:
        element, count = ir.object_type_of(allocate), allocate.operands
        number: ir.Value = constant(ir.UNSIGNED_LONG, 1)
        is_signed = bool(count) and isinstance(count[0].type, ir.Scalar) and count[0].type.signed
        if count:
            number = self._converted(ir.UNSIGNED_LONG, count[0])
        title = self._title(allocate.name)
        start = self._texts.line(allocate.span) if allocate.span else 0
        facts = [constant(ir.BOOL, is_signed), constant(ir.BOOL, not count), constant(ir.UNSIGNED_LONG, element.size)]
        return "variable", [number, *facts, self._unit(element), self._text(title), constant(ir.INT, start)]

    def _title(self, name: str | None) -> str:
        return f"`{name}`" if name else message("variable")

    def deallocate(self, deallocate: ir.Statement) -> _Called:
        return "end", [*deallocate.operands, constant(ir.INT, _VARIABLE), self._line(deallocate)]

    def make_constant(self, statement: ir.Statement) -> _Called:
        return "make_constant_object", statement.operands

    def make_bytes_constant(self, statement: ir.Statement) -> _Called:
        return "make_part_constant", statement.operands

    def create(self, create: ir.Statement) -> _Called:
        one, never = constant(ir.UNSIGNED_LONG, 1), constant(ir.UNSIGNED_CHAR, 1)
        return "on_heap", [one, *create.operands, never, *self._heap(create)]

    def create_zeroed(self, create: ir.Statement) -> _Called:
        return "on_heap", [*create.operands, constant(ir.UNSIGNED_CHAR, 0), *self._heap(create)]

    def resize(self, resize: ir.Statement) -> _Called:
        return "resized", [*resize.operands, *self._heap(resize), self._line(resize)]

    def release(self, release: ir.Statement) -> _Called:
        return "release", [*release.operands, self._line(release)]

    def _heap(self, create: ir.Statement) -> Sequence[ir.Value]:
        assert isinstance(create, ir.Effect)
        line = message("line", create.span.line_of_file) if create.span else ""
        resource = stated("resource", create.attributes)
        title = message("resource", resource, line) if resource else message("heap", line)
        return [self._text(title), constant(ir.BOOL, resource is not None)]

    def _line(self, statement: ir.Statement) -> ir.Value:
        return constant(ir.INT, self._texts.line(statement.span))

    def _unit(self, type: ir.ObjectType) -> ir.Value:
        return constant(ir.INT, self._texts.unit(type))

    def _text(self, text: str) -> ir.Value:
        return constant(ir.INT, self._texts.number(text))

    # -------------------------------------------------------------------------------------------------- printing

    def _printed(self, effect: ir.Statement) -> Iterator[ir.Value]:
        """The operands; those that are strings in memory are the pointers to their bytes, after a check."""
        limits = _limits(effect)
        for index, operand in enumerate(effect.operands):
            if index not in limits:
                yield operand
                continue
            limit = limits[index]
            given = constant(ir.LONG, limit) if isinstance(limit, int) else self._converted(ir.LONG, limit)
            result = ir.Parameter(ir.PTR, "s")
            self._call("string_of", [operand, given], result, effect)
            yield result


def _limits(effect: ir.Statement) -> Mapping[int, int | ir.Value]:
    """The indices of the operands that are strings in memory, each with the maximum of its bytes, or -1."""
    if effect.op == PRINT_LINE:
        return {0: -1} if effect.operands[0].type is ir.PTR else {}
    format, *values = effect.operands
    if not isinstance(format, ir.Constant):
        if any(value.type is ir.PTR for value in values):
            message = "not expressible: a format that is not constant, with pointers"
            raise DiagnosticError([error(message, effect.span, rule="not-expressible")])
        return {}
    found: dict[int, int | ir.Value] = {}
    index = 1
    for each in print_effects(str(format.value)):
        if isinstance(each, PrintValue):
            last = index + each.stars
            if each.type is ir.STRING and last < len(effect.operands) and effect.operands[last].type is ir.PTR:
                is_star = each.precision == "*"
                found[last] = effect.operands[last - 1] if is_star else number(each.precision)
            index = last + 1
    return found


_CALLS: Mapping[str, Callable[[_Body, ir.Statement], _Called]] = {
    LOAD: _Body.load,
    LOAD_OR: _Body.load_or,
    STORE: _Body.store,
    COPY: _Body.copy,
    ELEMENT: _Body.element,
    FIELD: _Body.field,
    ALLOCATE: _Body.allocate,
    DEALLOCATE: _Body.deallocate,
    MAKE_BYTES_CONSTANT: _Body.make_bytes_constant,
    MAKE_CONSTANT: _Body.make_constant,
    CREATE: _Body.create,
    CREATE_ZEROED: _Body.create_zeroed,
    RESIZE: _Body.resize,
    RELEASE: _Body.release,
}


class _Records:
    """The records of the objects that exist from the start, the `bytes` of the data, and their constant `parts`."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._texts = expansion.texts
        self._names = UniqueNames(expansion.global_names)
        self.bytes: list[ir.Data] = []
        self.parts: list[ir.Data] = []
        self._records = [self._record(0, 0, 0, 0, self._texts.number(""), 0)]  # null, which permits no access
        self._places: dict[int, tuple[ir.Data | ir.Function, int]] = {}
        for each in expansion.objects:
            self._records.append(self._data(each) if isinstance(each, ir.Data) else self._function(each))

    def define(self, data: Mapping[str, ir.Data], structs: Mapping[str, ir.Struct]) -> None:
        """Define the records in the data of the definition."""
        for part in self.parts:
            part.object_type = structs["part"]
        objects, count = data["objects"], len(self._records)
        assert isinstance(objects.object_type, ir.Struct) and objects.object_type.size == _SIZE
        objects.object_type = ir.Array(objects.object_type, count + _ROOM)
        objects.content = b"".join(self._records)
        objects.addresses = self._places
        data["count"].content, data["room"].content = pack("<Q", count), pack("<Q", count + _ROOM)

    def _record(
        self, size: int, unit: int, title: int, start: int, end: int, origin: int, single: bool = False
    ) -> bytes:
        return pack("<QQQ5i2?2x", 0, size, 0, unit, title, start, end, origin, single, False)

    def _data(self, data: ir.Data) -> bytes:
        type = data.object_type
        element = type.element if isinstance(type, ir.Array) else type
        content = bytearray(data.content.ljust(type.size, b"\0"))
        for at, (target, offset) in data.addresses.items():
            content[at : at + 8] = format_of(ir.PTR).pack(moved(pointer_to(self._expansion.numbers[target]), offset))
        whole = ir.Data(data.name, ir.Array(ir.CHAR, 2 * type.size), bytes(content.rstrip(b"\0")))
        self._places[len(self._records) * _SIZE] = whole, 0
        self.bytes.append(whole)
        for each in data.constant_bytes:
            part = ir.Data(self._names.unique("part"), ir.PTR, pack("<QQQ", 0, each.start, each.stop))
            previous = self._places.get(at := len(self._records) * _SIZE + _CONSTANT)
            part.addresses = {0: previous} if previous else {}
            self._places[at] = part, 0
            self.parts.append(part)
        start = self._texts.line(data.span) if data.span else 0
        title, single = self._texts.number(f"`{data.shown_name}`"), not isinstance(type, ir.Array)
        return self._record(type.size, self._texts.unit(element), title, start, 0, _DATA, single)

    def _function(self, function: ir.Function) -> bytes:
        title = self._texts.number(f"`{function.name}`")
        return self._record(0, self._texts.number(str(function.type)), title, 0, 0, _FUNCTION)
