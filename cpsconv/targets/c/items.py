"""The items of a program in C: structs, data, external functions; their names, types and declarations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cpsconv.abi.attributes import c_signature, is_thread_local, is_variadic, variadic_callee
from cpsconv.abi.complex_types import is_complex
from cpsconv.abi.linking import is_complete, is_visible
from cpsconv.abi.prototypes import NOT_INCLUDED, OBJECTS, UNDECLARED
from cpsconv.abi.runtime.command_line import is_main_with_arguments
from cpsconv.core import ir
from cpsconv.core.analysis.places import Places
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.operations.table import CONVERT, ELEMENT, FIELD, LOAD, OPERATIONS
from cpsconv.core.operations.types import is_integer
from cpsconv.targets.c.initialisers import Initialiser
from cpsconv.targets.c.item_names import FILE, ItemNames
from cpsconv.targets.c.library import VA_LIST, library_function
from cpsconv.targets.c.names import assembler_name
from cpsconv.targets.c.objects import count, variables, volatile
from cpsconv.targets.c.pointers import VOID_POINTER, PointerTypes, field_at, length, structs_by_value, unit
from cpsconv.targets.c.terms import string_literal


class Items:
    """The items of a program: their `names`, types and declarations.

    `taken` are names of further functions in the file. `headers` is the set of included headers, to which more are
    added. `by_value` has the parameters that are declared as structs, `objects` also the allocations that are
    variables. `pointed` has the functions for calls through pointers that are in use (`cpsconv.targets.c.adapters`).
    """

    def __init__(
        self, program: ir.Program, functions: Mapping[str, str], taken: Collection[str], headers: set[str]
    ) -> None:
        self.program = program
        self.headers = headers
        self.names = ItemNames(program, functions, taken)
        self.pointed: set[ir.Function] = set()
        self.types = PointerTypes(program, self.names.tags, headers)
        self.lifetimes = variables(program)
        found = [(function, structs_by_value(function)) for function in program.functions]
        self.by_value = {parameter: struct for _, structs in found for parameter, struct in structs.items()}
        self.objects = {*self.lifetimes, *self.by_value}
        self._volatile = volatile(program)
        for function, structs in found:
            self._volatile.update(structs if is_reentered(function) else ())
        self.examined = {*_examined(program)}
        self.literals = {data: string_literal(_text(data)) for data in _strings(program)}
        self.is_complete = is_complete(program)
        self._helpers: dict[str, str] = {}
        main = program.function("main")
        self._argument_vector = main.parameters[1] if main and is_main_with_arguments(main) else None

    def kind_of(self, value: ir.Value) -> object:
        """The declaration of the variable for a value, with ``{}`` for the name, if the value is a pointer."""
        if value.type is not ir.PTR:
            return value.type
        if value is self._argument_vector:
            return "char **{}"
        if isinstance(value, ir.Parameter) and value in self.by_value:
            return ("volatile " if value in self._volatile else "") + f"{self.names.tags[self.by_value[value]]} {{}}"
        if isinstance(value, ir.Effect) and value in self.lifetimes:
            type, number = ir.object_type_of(value), count(value)
            pattern = self.types.object_pattern(value, unit(type))
            pattern = pattern if number is None else pattern.replace("{}", f"{{}}[{number}]")
            if value in self._volatile:
                pattern = pattern.replace("{}", "volatile {}") if "*" in pattern else f"volatile {pattern}"
            return self._alignment(value, type, value.alignment) + pattern
        return self.types.pattern(value)

    def member(self, owner: str, field: ir.Field, operator: str = ".") -> str:
        """The access to a field of the struct, or with ``->``, of the struct that a pointer points to."""
        if is_complex(field.struct):
            word = {"re": "__real__", "im": "__imag__"}[field.name]
            return f"({word} {'*' * (operator == '->')}{owner})"
        return f"{owner}{operator}{self.names.fields[field]}"

    def helper(self, verb: str, type: ir.Scalar | ir.Struct) -> str:
        """The name of the function that loads or stores the bytes of a value or struct."""
        declared, name = "void *" if type is ir.PTR else f"{self.types.named(type)} ", self.names.helpers[verb, type]
        if verb == "load":
            body = f"{declared}value;\n    memcpy(&value, place, sizeof value);\n    return value;"
            text = f"static inline {declared}{name}(const void *place) {{\n    {body}\n}}\n"
        else:
            body = "memcpy(place, &value, sizeof value);"
            text = f"static inline void {name}(void *place, {declared}value) {{\n    {body}\n}}\n"
        self.headers.add("string.h")
        self._helpers[name] = text
        return name

    # ------------------------------------------------------------------------------------------------------- functions

    def parameter_patterns(self, function: ir.Function) -> list[str]:
        """The declarations of the parameters of a function, without the return continuation.

        A struct that the function returns is the first parameter.
        """
        structs, row = structs_by_value(function), library_function(function)
        tags = self.names.tags
        by_value = [f"{tags[structs[each]]} {{}}" if each in structs else None for each in function.parameters]
        return [
            known or (self.types.pattern(parameter) if parameter.type is ir.PTR else self._plain(parameter.type))
            for parameter, known in zip(function.parameters[:-1], row.parameters if row else by_value, strict=False)
        ]

    def pointer_patterns(self, function: ir.Function) -> list[str]:
        """The declarations of the parameters of the function that takes pointers to structs."""
        structs = structs_by_value(function)
        return [
            f"{self.names.tags[structs[parameter]]} *{{}}" if parameter in structs else pattern
            for parameter, pattern in zip(function.parameters, self.parameter_patterns(function), strict=False)
        ]

    @staticmethod
    def callee(call: ir.Call) -> ir.Function | None:
        """The function that the call names, possibly as the pointer ``ptr(f)``; None if it is unknown."""
        if call.pointer is None or variadic_callee(call):
            return variadic_callee(call) or call.callee
        if isinstance(call.pointer, ir.Primitive) and isinstance(named := call.pointer.operands[0], ir.Function):
            return named if named.type == call.callee.type else None
        return None

    def argument_patterns(self, call: ir.Call) -> Sequence[str]:
        """The declarations of the parameters that receive the arguments of a call."""
        if callee := self.callee(call):
            return self.parameter_patterns(callee)
        type = call.callee.type
        return [self.types.of_signature((type, n), each) for n, each in enumerate(type.parameters[:-1])]

    def result_pattern(self, function: ir.Function) -> str:
        """The declaration of the result of a function."""
        if function.result is ir.PTR:
            row = library_function(function)
            return (row and row.result) or self.types.pattern(function.ret)
        if (signature := c_signature(function)) and signature.returns_struct:
            return f"{self.names.tags[signature.structs[0]]} {{}}"
        return self._plain(function.result)

    def address(self, function: ir.Function) -> tuple[str, str]:
        """The name of the function that a pointer to the function points to, and the declaration of the pointer."""
        if function not in self.names.by_pointers:
            result, patterns = self.result_pattern(function), self.parameter_patterns(function)
            return self.names.functions[function.name], result.format(f"(*{{}})({_types(patterns)})")
        self.pointed.add(function)
        result = "void {}" if returns_struct(function) else self.result_pattern(function)
        return self.names.by_pointers[function], result.format(f"(*{{}})({_types(self.pointer_patterns(function))})")

    def _plain(self, type: ir.Type) -> str:
        assert isinstance(type, ir.Scalar)
        return self.types.value(type)

    # ---------------------------------------------------------------------------------------------------- declarations

    def structs(self) -> Iterator[str]:
        """The definitions of the structs and unions."""
        pointers = [field for field in self.names.fields if unit(field.type) is ir.PTR]
        if any("(*" in self.types.object_pattern(field, ir.PTR) for field in pointers):
            declared = (tag for struct, tag in self.names.tags.items() if not is_complex(struct) and tag != FILE)
            yield "".join(f"{tag};\n" for tag in declared)
        for struct in self.program.structs:
            if is_complex(struct):
                continue
            if self.names.is_of_header(struct):
                self.headers.add(self.names.headers[struct.name])
                continue
            yield "\n".join([f"{self.names.tags[struct]} {{", *self._members(struct)]) + "\n"

    def _members(self, struct: ir.Struct) -> Iterator[str]:
        """The fields and the end of a definition. Padding is explicit where C would not insert it."""
        end, alignment, is_packed, number = 0, 1, False, 0
        used = {self.names.fields[field] for field in struct.fields.values()}
        for field in struct.fields.values():
            natural = 0 if struct.is_union else -(-end // field.type.alignment) * field.type.alignment
            if field.offset > natural:
                number += 1
                yield f"    char {_unused(f'padding{number}', used)}[{field.offset - end}];"
            is_packed = is_packed or field.offset < natural or field.offset % field.type.alignment != 0
            declared = self.types.object_pattern(field, field.type)
            yield f"    {declared.format(self.names.fields[field])};"
            end = max(end, field.offset + field.type.size)
            alignment = max(alignment, field.type.alignment)
        natural = -(-end // struct.alignment) * struct.alignment
        if struct.size > natural or (is_packed and struct.size > end):
            yield f"    char {_unused('padding', used)}[{struct.size - (0 if struct.is_union else end)}];"
        attributes = ["packed"] if is_packed else []
        if struct.alignment > alignment or (is_packed and struct.alignment > 1):
            attributes.append(f"aligned({struct.alignment})")
        yield f"}} __attribute__(({', '.join(attributes)}));" if attributes else "};"

    def externals(self) -> Iterator[str]:
        """The declarations of the external functions and data that no header declares."""
        for data in self.program.external_data:
            if data.name in OBJECTS:
                self.headers.add(OBJECTS[data.name].header)
            else:
                declared = self.types.object_pattern(data, data.object_type).format(self.names.data[data])
                end = assembler_name(self.names.data[data], data.name)
                yield f"extern {weak(data)}{thread(data)}{declared.replace('[0]', '[]', 1)}{end};\n"
        for function in self.program.externals:
            row = library_function(function)
            is_included = row is not None and row.header not in NOT_INCLUDED
            if row and is_included:
                self.headers |= {row.header, *["stdarg.h"] * (VA_LIST in row.parameters)}
            if not is_included or function.name in UNDECLARED:
                end = assembler_name(self.names.functions[function.name], function.name)
                yield f"extern {weak(function)}{self.signature(function)}{end};\n"

    def signature(self, function: ir.Function) -> str:
        """The declaration of an external function without the names of its parameters."""
        patterns = self.parameter_patterns(function)[returns_struct(function) :]
        listed = _types([*patterns, *["..."] * is_variadic(function)])
        return self.result_pattern(function).format(f"{self.names.functions[function.name]}({listed})")

    def definitions(self) -> Iterator[str]:
        """The definitions of the data, after declarations of those that are referenced before their definition."""
        written = [data for data in self.program.data if data not in self.literals]
        number = {data: index for index, data in enumerate(written)}
        early = {
            target
            for data in written
            for target, _ in data.addresses.values()
            if isinstance(target, ir.Data) and target in number and number[target] > number[data]
        }
        yield from (f"{self._declared(data)};\n" for data in written if data in early)
        for data in written:
            has_content = data.content.strip(b"\0") or data.addresses
            written_content = Initialiser(data, self.names.fields, self._address, self.headers).text
            yield f"{self._declared(data)}{f' = {written_content()}' if has_content else ''};\n"

    def _declared(self, data: ir.Data) -> str:
        pattern = self.types.object_pattern(data, data.object_type)
        if data.is_constant:
            is_pointer = unit(data.object_type) is ir.PTR
            pattern = pattern.replace("{}", "const {}") if is_pointer else f"const {pattern}"
        alignment = self._alignment(data, data.object_type, data.alignment)
        if self.is_complete or not is_visible(data):
            return f"static {thread(data)}{alignment}{pattern.format(self.names.data[data])}"
        declared = pattern.format(self.names.data[data])
        return f"{weak(data)}{thread(data)}{alignment}{declared}{assembler_name(self.names.data[data], data.name)}"

    def _alignment(self, value: ir.Value, type: ir.ObjectType, alignment: int) -> str:
        """The specifier of the alignment of an object, if it is not that of its type.

        At run time, the address of each object is aligned: so are those that the program examines.
        """
        alignment = max(alignment, 16 if value in self.examined else 0)
        return f"_Alignas({max(alignment, type.alignment)}) " if alignment else ""

    def helpers(self) -> Iterator[str]:
        """The functions that load and store the bytes of values."""
        return (text for _, text in sorted(self._helpers.items()))

    def _address(self, target: ir.Data | ir.Function, distance: int, place: ir.Data | ir.Field) -> str:
        """An address as a constant expression, for the pointers in the data or field `place`."""
        pattern = self.types.object_pattern(place, ir.PTR)
        if isinstance(target, ir.Function):
            text, natural = self.address(target)
        elif target in self.literals and distance == 0:
            text, natural = self.literals[target], "char *{}"
        else:
            text, natural = self._inside(target, distance)
        if natural == pattern or (VOID_POINTER in (pattern, natural) and not natural.startswith("const ")):
            return text
        return f"({pattern.format('')}){text}"

    def _inside(self, data: ir.Data, distance: int) -> tuple[str, str]:
        """The address of a place in data, as text and with its declaration."""
        text, rest, type = self.names.data[data], distance, data.object_type
        place: ir.Data | ir.Field = data
        start = text if length(type) is not None else f"&{text}"
        prefix = "const " if data.is_constant else ""
        while True:
            inner, is_array = unit(type), length(type) is not None
            index, rest = divmod(rest, inner.size) if is_array and inner.size else (0, rest)
            if not rest and index >= 0:
                pattern = prefix + self.types.object_pattern(place, inner).replace("{}", "*{}")
                return (f"&{text}[{index}]" if index else text) if is_array else f"&{text}", pattern
            field = field_at(inner, rest) if isinstance(inner, ir.Struct) and index >= 0 else None
            if field is None:
                return f"((char *){start} {'-' if distance < 0 else '+'} {abs(distance)})", "char *{}"
            text = self.member(f"{text}[{index}]" if is_array else text, field)
            place, type, rest = field, field.type, rest - field.offset


def weak(item: ir.Data | ir.Function) -> str:
    """The attribute of an item that other files may replace, or leave undefined."""
    return "__attribute__((weak)) " if item.is_replaceable else ""


def thread(data: ir.Data) -> str:
    """The specifier of an object that each thread has."""
    return "_Thread_local " if is_thread_local(data) else ""


def returns_struct(function: ir.Function) -> bool:
    """Whether the first parameter of the function stands for a struct that it returns."""
    signature = c_signature(function)
    return signature is not None and signature.returns_struct


def _types(patterns: Sequence[str]) -> str:
    """The list of parameters without names."""
    return ", ".join([each.format("").strip() for each in patterns]) or "void"


def _unused(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    used.add(name)
    return name


def _examined(program: ir.Program) -> Iterator[ir.Value]:
    """The objects of which functions convert addresses to integers."""
    for function in program.functions:
        converted = [
            statement.operands[0]
            for statement in function.statements()
            if statement.op == CONVERT and is_integer(statement.type) and statement.operands[0].type is ir.PTR
        ]
        places = Places(function) if converted else None
        for value in converted:
            if places and (base := places.address(value)[0].object) is not None:
                yield base


def _text(data: ir.Data) -> str:
    return data.content.rstrip(b"\0").decode("latin-1")


def _is_text(data: ir.Data) -> bool:
    """Whether the data is a constant string that ends with its only zero."""
    type, content = data.object_type, data.content.rstrip(b"\0")
    is_string = isinstance(type, ir.Array) and type.element is ir.CHAR and type.size == len(content) + 1
    return data.is_constant and not data.alignment and is_string and b"\0" not in content


def _strings(program: ir.Program) -> list[ir.Data]:
    """The constant strings that are only used as pointers, so that a literal may replace them.

    Two literals may be one object or several, so a program that compares pointers gets none.
    """
    keeps_all = not is_complete(program)
    found = dict.fromkeys(data for data in program.data if _is_text(data) and not (keeps_all and is_visible(data)))
    for statement in program.statements() if found else ():
        first = statement.operands[0] if statement.operands else None
        if statement.op in (ELEMENT, FIELD, LOAD) or (statement.op == CONVERT and statement.type is not ir.PTR):
            found.pop(first, None)  # type: ignore[arg-type]
        is_comparison = OPERATIONS[statement.op].kind == "comparison" and first and first.type is ir.PTR
        if is_comparison and not any(isinstance(operand, ir.Constant) for operand in statement.operands):
            return []
    for data in program.data:
        for target, distance in data.addresses.values():
            if distance:
                found.pop(target, None)  # type: ignore[arg-type]
    return [*found]
