"""The functions and global data of a module as items of the program, declared when they are needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from cpsconv.abi.attributes import BYVAL, LAZILY_BOUND, SRET, THREAD_LOCAL, VARIADIC
from cpsconv.abi.complex_types import COMPLEX, PARTS
from cpsconv.abi.prototypes import PROTOTYPES, is_complex, type_of
from cpsconv.core.attributes import LOCAL, REPLACEABLE
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import CHAR, PTR, VOID, Array, Attributes, Constant, Data, Function, ObjectType, Scalar, Struct
from cpsconv.core.operations.types import scalar_type
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.data_types import expressible_type
from cpsconv.languages.llvm.debug_info import DebugInfo
from cpsconv.languages.llvm.foreign_text import program_name
from cpsconv.languages.llvm.module_text import SYMBOL, FunctionText, ModuleText
from cpsconv.languages.llvm.ours.initial_data import bytes_of, content_of
from cpsconv.languages.llvm.ours.object_types import Inexpressible, ObjectTypes, alignment_of, is_aggregate
from cpsconv.languages.llvm.ours.operands import operand_of, stated_alignment
from cpsconv.languages.llvm.ours.signatures import Signature, passed
from cpsconv.languages.llvm.ours.wrappers import Wrappers
from cpsconv.languages.llvm.types import NAME, end_of_brackets, end_of_type, first_type, parts_of, scalar_of

_GLOBAL = re.compile(rf"@({NAME}) = (.*?)\b(global|constant) (.*)")
_ALIAS = re.compile(rf"(?m)^@({NAME}) = [\w ()-]*\balias .*, ptr @({NAME})$")
_LINKAGES = {
    **dict.fromkeys(["internal", "private"], LOCAL),
    **dict.fromkeys(["weak", "weak_odr", "linkonce", "linkonce_odr", "extern_weak", "common"], REPLACEABLE),
}
_IS_SINGLE_THREADED = "__libc_single_threaded"
"""The variable of glibc that is true as long as the program has one thread, as here."""

_VERSION = re.compile(r"^__isoc\d\d_|64$")
"""What glibc adds to the names of functions whose meaning a standard has changed, and of those for large files."""


class Items:
    """The functions and data of a module, by their symbols.

    `labels` has the numbers that are the addresses of blocks, `variadic` the types of the parameters of the functions
    with variable arguments.
    """

    def __init__(self, builder: Builder, module: ModuleText, source: Source, debug: DebugInfo) -> None:
        self.builder, self.source, self.debug = builder, source, debug
        self.types = ObjectTypes(builder, module.types)
        self.texts = {each.symbol: each for each in module.functions}
        self._globals = {match[1]: match for match in _GLOBAL.finditer(module.frame)}
        self._declared = {
            match[1]: line for line in re.findall(r"(?m)^declare .*", module.frame) if (match := SYMBOL.search(line))
        }
        self._groups = dict(re.findall(r"(?m)^attributes (#\d+) = (.*)$", module.frame))
        self._aliases = {match[1]: match[2] for match in _ALIAS.finditer(module.frame)}
        self._signatures: dict[str, Signature] = {}
        self._data: dict[str, Data] = {}
        self._complex: dict[str, Struct] = {}
        self.wrappers = Wrappers(self)
        lines = [each.header.partition("\n")[0] for each in module.functions] + [*self._declared.values()]
        found = [parameters_in(line) for line in lines if "..." in line]
        self.variadic = {(*map(first_type, listed),) for listed, is_variadic in found if is_variadic}
        addressed = [(symbol, label) for symbol, labels in module.addressed.items() for label in labels]
        self.labels = {each: number for number, each in enumerate(sorted(addressed), 1)}

    def define_all(self, whole: bool) -> None:
        """Declare every function with a body, and all data that the module defines, with its content.

        Raises `DiagnosticError` for functions and contents that the program cannot have; with `whole`, for data of
        types that it lacks, too, which are otherwise refused where they are used.
        """
        defined = [
            symbol
            for symbol, match in self._globals.items()
            if not re.search(r"\b(?:external|extern_weak|appending)\b", match[2])
        ]
        errors, types = [*self._each(self.signature, self.texts)], [*self._each(self.named, defined)]
        errors += types if whole else []
        errors += self._each(self._fill, [symbol for symbol in defined if symbol in self._data])
        if errors:
            raise DiagnosticError(errors)

    def _each(self, define: Callable[[str], object], symbols: Iterable[str]) -> Iterator[Diagnostic]:
        for symbol in symbols:
            try:
                define(symbol)
            except Inexpressible as what:
                message = f"no item of the program expresses {what} in `@{symbol}`"
                text = self.texts.get(symbol)
                span = text.span if text else self._places[symbol]
                yield error(message, span, rule="not-expressible")

    @cached_property
    def _places(self) -> dict[str, Span]:
        """The lines of the globals in the source."""
        found = re.finditer(rf"(?m)^@({NAME}) = .*", self.source.text)
        return {match[1]: Span(self.source, *match.span()) for match in found}

    def text(self, text: str) -> Data:
        """Data with the characters of a text."""
        data = text.encode() + b"\0"
        return self.builder.data(
            "string", Array(CHAR, len(data)), data[:-1], is_constant=True, attributes={LOCAL: True}
        )

    def number(self, constant: Constant) -> Data:
        """Data with the bits of a number."""
        text = bytes_of(constant)
        attributes = {LOCAL: True}
        return self.builder.data("number", scalar_type(constant), text, is_constant=True, attributes=attributes)

    def listed(self, symbol: str) -> list[Function]:
        """The functions in ``llvm.global_ctors`` or ``llvm.global_dtors``, by their priority."""
        match = self._globals.get(symbol)
        rows = re.findall(rf"i32 (\d+), ptr @({NAME}), ptr", match[4]) if match else []
        rows.sort(key=lambda row: int(row[0]))
        return [each for _, name in rows if (each := self.signature(name).function)]

    def named(self, symbol: str) -> Data | Function:
        """The data or function with a symbol. Raises `Inexpressible` if the program cannot have it."""
        symbol = self._aliases.get(symbol, symbol)
        if symbol in self._data:
            return self._data[symbol]
        if symbol in self._globals:
            return self._new_data(symbol, self._globals[symbol])
        signature = self.signature(symbol)
        assert signature.function
        name = signature.function.name
        is_called_otherwise = signature.is_variadic or not signature.is_signed
        if signature.is_external and is_called_otherwise and name in PROTOTYPES:
            return self.wrappers.of(name, signature)
        return signature.function

    def signature(self, symbol: str) -> Signature:
        """How the function with a symbol is called. Raises `Inexpressible` if the program cannot have its type."""
        symbol = self._aliases.get(symbol, symbol)
        found = self._signatures.get(symbol)
        if found is None:
            text = self.texts.get(symbol)
            found = self._external(symbol) if text is None else self._defined(text)
            self._signatures[symbol] = found
        return found

    def is_noreturn(self, symbol: str) -> bool:
        """Whether the module declares, and does not define, a function as one that does not return."""
        groups = re.findall(r"#\d+", self._declared.get(symbol, ""))
        return any(re.search(r"\bnoreturn\b", self._groups.get(each, "")) for each in groups)

    def declare(self, name: str, parameters: Sequence[str], result: str) -> None:
        """Declare an external function with these types, unless the module has it."""
        if name not in self.texts:
            self._declared.setdefault(name, f"declare {result} @{name}({', '.join(parameters)})")

    # -------------------------------------------------------------------------------------------------- functions

    def _variables(self, name: str, type: str) -> list[Variable]:
        """The variables of a parameter: those of the scalars in an aggregate."""
        try:
            types = self.types.leaves(type)
        except Inexpressible:
            types = [type]
        if len(types) == 1:
            return [Variable(name, scalar_of(types[0]))]
        return [Variable(f"{name}_{number}", scalar_of(each)) for number, each in enumerate(types)]

    def _defined(self, text: FunctionText) -> Signature:
        header = text.header.partition("\n")[0]
        listed, is_variadic = parameters_in(header)
        names = self.debug.parameter_names(text)
        variables = [
            variable
            for each in text.parameters
            for variable in self._variables(names.get(each.name) or _parameter_name(each.name), each.type)
        ]
        types = [each.type for each in variables]
        result, place = self.result(text.result)
        if place:
            variables.insert(0, Variable("result", PTR))
        if is_variadic:
            variables.append(Variable("arguments", PTR))
        if text.symbol == "main" and len(variables) == 1:
            variables.append(Variable("argv", PTR))
            types.append(PTR)
        name = self.builder.unused_name(_name(text.symbol))
        function = self.builder.declare(name, variables, result, text.span, self._linkage(header, is_variadic))
        self._set_structs(function, listed, place)
        return Signature(types, result, place, is_variadic, function)

    def _external(self, symbol: str) -> Signature:
        line = self._declared.get(symbol)
        if line is None:
            raise Inexpressible(f"the symbol `@{symbol}`")
        listed, is_variadic = parameters_in(line)
        name = _library_name(_name(symbol))
        stated = PROTOTYPES.get(name)
        types: list[Scalar | Struct]
        place: ObjectType | None
        if stated is not None:
            types = [self._c_type(each) for each in stated.parameters]
            returned, is_variadic = self._c_type(stated.result), stated.is_variadic
            result, place = (VOID, returned) if isinstance(returned, Struct) else (returned, None)
        else:
            types = [scalar_of(first_type(each)) for each in listed]
            result, place = self.result(first_type(line[len("declare ") :]))
        parameters = [Variable(f"p{number}", passed(type)) for number, type in enumerate(types)]
        if place is not None:
            parameters.insert(0, Variable("result", PTR))
        attributes = {**self._linkage(line, is_variadic), **({} if stated else {LAZILY_BOUND: True})}
        known = self.builder.declared(name)
        function = known or self.builder.external(name, parameters, result, attributes=attributes)
        if stated is None:
            self._set_structs(function, listed, place)
        else:
            structs = [(SRET, place)] * (place is not None) + [(BYVAL, each) for each in types]
            _set_attributes(function, structs)
        return Signature(types, result, place, is_variadic, function, is_external=True)

    def _c_type(self, type: str) -> Scalar | Struct:
        """The type of C's library; a complex one is a struct."""
        if not is_complex(type):
            return type_of(type)
        if type not in self._complex:
            part = type.removesuffix(" _Complex")
            members = [(name, type_of(part)) for name in PARTS]
            self._complex[type] = self.builder.struct(COMPLEX + part.replace(" ", "_"), members)
        return self._complex[type]

    def result(self, type: str) -> tuple[Scalar, ObjectType | None]:
        """The type of the result in the program, and that of the place for a result that is an aggregate.

        A type that the program lacks is foreign.
        """
        if is_aggregate(self.types.definition(type)):
            try:
                return VOID, self.types.of(type)
            except Inexpressible:
                pass
        return scalar_of(type), None

    def _set_structs(self, function: Function, listed: list[str], place: ObjectType | None) -> None:
        """State which parameters point to structs that are passed by value, or to the place of the result."""
        stated: list[tuple[str, ObjectType | None]] = [(SRET, place)] if place is not None else []
        for each in listed:
            match = re.search(r"\b(byval|sret)\(", each)
            if match:
                stated.append(({"byval": BYVAL, "sret": SRET}[match[1]], self.types.of(first_type(each, match.end()))))
            else:
                stated += [("", None)] * len(self._variables("", first_type(each)))
        _set_attributes(function, stated)

    def _linkage(self, header: str, is_variadic: bool) -> Attributes:
        return _linkage_in(header.partition("@")[0].split()) | ({VARIADIC: True} if is_variadic else {})

    # ------------------------------------------------------------------------------------------------------- data

    def _new_data(self, symbol: str, match: re.Match[str]) -> Data:
        """The data of a symbol, without content: data may refer to each other."""
        words = match[2].split()
        attributes = _linkage_in(words)
        if any(word.startswith("thread_local") for word in words):
            attributes[THREAD_LOCAL] = True
        type, _, further = _type_and_value(match[4])
        object_type = self.types.of(type)
        name = _data_name(symbol)
        data: Data
        if symbol == _IS_SINGLE_THREADED:
            data = self.builder.data(name, object_type, b"\1", attributes={LOCAL: True})
        elif "external" in words or "extern_weak" in words:
            data = self.builder.external_data(name, object_type, attributes=attributes | {LAZILY_BOUND: True})
        else:
            alignment, is_constant = alignment_of(object_type, stated_alignment(further)), match[3] == "constant"
            data = self.builder.data(
                name, object_type, is_constant=is_constant, alignment=alignment, attributes=attributes
            )
        self._data[symbol] = data
        return data

    def _fill(self, symbol: str) -> None:
        """Set the content of the data."""
        type, value, _ = _type_and_value(self._globals[symbol][4])
        content = content_of(self, type, value)
        data = self._data[symbol]
        data.content, data.addresses = bytes(content.data).rstrip(b"\0"), content.addresses
        data.object_type = expressible_type(self.builder, data)


def _linkage_in(words: Iterable[str]) -> dict[str, bool]:
    """The attributes that words before a symbol or a type state."""
    return {_LINKAGES[word]: True for word in words if word in _LINKAGES}


def _type_and_value(text: str) -> tuple[str, str, list[str]]:
    """The type of data, its initial value ("" if another module defines it), and what follows."""
    end = end_of_type(text, 0)
    initial, *further = parts_of(text[end:].strip())
    return text[:end], operand_of(f"{text[:end]} {initial}").text, further


def _set_attributes(function: Function, stated: Iterable[tuple[str, ObjectType | None]]) -> None:
    """Set the attribute of each parameter that points to a struct."""
    for parameter, (attribute, type) in zip(function.parameters, stated, strict=False):
        if isinstance(type, Struct):
            parameter.attributes = {attribute: type}


def parameters_in(line: str) -> tuple[list[str], bool]:
    """The texts of the parameters in the first line of a function, and whether it takes variable arguments."""
    symbol = SYMBOL.search(line)
    assert symbol
    start = symbol.end() - 1
    listed = [each for each in parts_of(line[start + 1 : end_of_brackets(line, start) - 1]) if each]
    return [each for each in listed if each != "..."], listed[-1:] == ["..."]


def _name(symbol: str) -> str:
    return program_name(symbol).removeprefix("\x01")


def _library_name(name: str) -> str:
    """The name of a function in the headers of C, for a name that glibc's headers replace it by."""
    stated = _VERSION.sub("", name)
    return stated if stated in PROTOTYPES else name


def _data_name(symbol: str) -> str:
    """The name of data; `string` for that of a string literal."""
    return "string" if re.fullmatch(r"\.str(\.\d+)?", symbol) else _name(symbol)


def _parameter_name(name: str) -> str:
    return f"p{name}" if name.isdigit() else program_name(name)
