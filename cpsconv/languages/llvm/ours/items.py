"""The functions and global data of a module as items of the program, declared when they are needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cpsconv.abi.attributes import BYVAL, LAZILY_BOUND, SRET, THREAD_LOCAL, VARIADIC
from cpsconv.abi.complex_types import COMPLEX, PARTS
from cpsconv.abi.prototypes import PROTOTYPES, is_complex, type_of
from cpsconv.core.attributes import KEYWORDS, LOCAL, REPLACEABLE
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import (
    CHAR,
    NO_ATTRIBUTES,
    PTR,
    VOID,
    Array,
    Attributes,
    Constant,
    Data,
    Function,
    ObjectType,
    Scalar,
    Struct,
    Value,
)
from cpsconv.core.operations.types import scalar_type
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.data_types import expressible_type
from cpsconv.languages.llvm.debug_info import DebugInfo
from cpsconv.languages.llvm.foreign_text import program_name
from cpsconv.languages.llvm.module_text import SYMBOL, FunctionText, ModuleText, parameters_in
from cpsconv.languages.llvm.ours.initial_data import bytes_of, fill
from cpsconv.languages.llvm.ours.object_types import Inexpressible, ObjectTypes, alignment_of
from cpsconv.languages.llvm.ours.operands import operand_of, stated_alignment
from cpsconv.languages.llvm.ours.wrappers import Wrappers
from cpsconv.languages.llvm.types import NAME, end_of_type, first_type, parts_of, scalar_of

_GLOBAL = re.compile(rf"(?m)^@({NAME}) = (.*?)\b(global|constant) (.*)")
_ALIAS = re.compile(rf"(?m)^@({NAME}) = [\w ()-]*\balias .*, ptr @({NAME})$")
_ATTRIBUTES = {
    **dict.fromkeys(["internal", "private"], LOCAL),
    **dict.fromkeys(["weak", "weak_odr", "linkonce", "linkonce_odr", "extern_weak", "common"], REPLACEABLE),
    "thread_local": THREAD_LOCAL,
}
"""The attributes that words before a symbol or a type state."""

_IS_SINGLE_THREADED = "__libc_single_threaded"
"""The variable of glibc that is true as long as the program has one thread, as here."""

_VERSION = re.compile(r"^__isoc\d\d_|64$")
"""What glibc adds to the names of functions whose meaning a standard has changed, and of those for large files."""


class Signature(NamedTuple):
    """How a function, or one at a pointer, is called: the types of its parameters and of its result.

    A parameter of a struct type points to a complex number. A result that is an aggregate is returned in `place`, the
    type of an object to which an additional first parameter points. The `variables` are those of all parameters.
    """

    callee: Value
    types: Sequence[Scalar | Struct]
    result: Scalar
    place: ObjectType | None
    is_variadic: bool
    is_external: bool = False
    variables: Sequence[Variable] = ()


class Items:
    """The functions and data of a module, by their symbols.

    `labels` has the numbers that are the addresses of blocks, `variadic` the types of the parameters of the functions
    with variable arguments.
    """

    def __init__(self, builder: Builder, module: ModuleText, source: Source, debug: DebugInfo) -> None:
        self.builder, self.source, self.debug = builder, source, debug
        self.types, self.wrappers = ObjectTypes(builder, module.types), Wrappers(self)
        self.texts = {each.symbol: each for each in module.functions}
        self._globals = {match[1]: match for match in _GLOBAL.finditer(source.text)}
        self._aliases = {match[1]: match[2] for match in _ALIAS.finditer(module.frame)}
        self._groups = dict(re.findall(r"(?m)^attributes (#\d+) = (.*)$", module.frame))
        headers = re.findall(r"(?m)^declare .*", module.frame) + [each.header for each in module.functions]
        self._headers = {match[1]: header for header in headers if (match := SYMBOL.search(header))}
        self._signatures: dict[str, Signature] = {}
        self._data: dict[str, Data] = {}
        self._complex: dict[str, Struct] = {}
        listed = [parameters_in(header) for header in headers if "...)" in header]
        self.variadic = {(*map(first_type, each[:-1]),) for each in listed if each[-1:] == ["..."]}
        addressed = [(symbol, label) for symbol, labels in module.addressed.items() for label in labels]
        self.labels = {each: number for number, each in enumerate(sorted(addressed), 1)}

    def define_all(self, whole: bool) -> None:
        """Declare every function with a body, and all data that the module defines, with its content.

        Raises `DiagnosticError` for functions and contents that the program cannot have; with `whole`, for data of
        types that it lacks, too, which are otherwise refused where they are used.
        """
        declared_elsewhere = re.compile(r"\b(?:external|extern_weak|appending)\b")
        defined = [symbol for symbol, match in self._globals.items() if not declared_elsewhere.search(match[2])]
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
                span = text.span if text else Span(self.source, *self._globals[symbol].span())
                yield error(message, span, rule="not-expressible")

    def text(self, text: str) -> Data:
        """Data with the characters of a text."""
        return self._constant("string", Array(CHAR, len(text.encode()) + 1), text.encode())

    def number(self, constant: Constant) -> Data:
        """Data with the bits of a number."""
        return self._constant("number", scalar_type(constant), bytes_of(constant))

    def _constant(self, name: str, type: ObjectType, content: bytes) -> Data:
        return self.builder.data(name, type, content, is_constant=True, attributes={LOCAL: True})

    def listed(self, symbol: str) -> list[Function]:
        """The functions in ``llvm.global_ctors`` or ``llvm.global_dtors``, by their priority."""
        match = self._globals.get(symbol)
        rows = re.findall(rf"i32 (\d+), ptr @({NAME}), ptr", match[4]) if match else []
        rows.sort(key=lambda row: int(row[0]))
        return [each for _, name in rows if isinstance(each := self.signature(name).callee, Function)]

    def named(self, symbol: str) -> Data | Function:
        """The data or function with a symbol. Raises `Inexpressible` if the program cannot have it."""
        symbol = self._aliases.get(symbol, symbol)
        if symbol in self._globals and symbol not in self._data:
            self._data[symbol] = self._new_data(symbol, self._globals[symbol])
        return self._data[symbol] if symbol in self._data else self.wrappers.of(self.signature(symbol))

    def signature(self, symbol: str) -> Signature:
        """How the function with a symbol is called. Raises `Inexpressible` if the program cannot have its type."""
        symbol = self._aliases.get(symbol, symbol)
        if symbol not in self._signatures:
            self._signatures[symbol] = self._new_function(symbol)
        return self._signatures[symbol]

    def is_noreturn(self, symbol: str) -> bool:
        """Whether the module declares, and does not define, a function as one that does not return."""
        groups = re.findall(r"#\d+", self._headers.get(symbol, "")) if symbol not in self.texts else []
        return any(re.search(r"\bnoreturn\b", self._groups.get(each, "")) for each in groups)

    def library(self, name: str) -> Signature:
        """How a function of C's library is called, which need not be declared in the module."""
        self._headers.setdefault(name, f"declare void @{name}()")
        return self.signature(name)

    # -------------------------------------------------------------------------------------------------- functions

    def _new_function(self, symbol: str) -> Signature:
        text, header = self.texts.get(symbol), self._headers.get(symbol, "").partition("\n")[0]
        if not header:
            raise Inexpressible(f"the symbol `@{symbol}`")
        name = _name(symbol) if text else _library_name(_name(symbol))
        prototype = None if text else PROTOTYPES.get(name)
        types: Sequence[Scalar | Struct]
        place: ObjectType | None
        if prototype:
            types, is_variadic = [*map(self._c_type, prototype.parameters)], prototype.is_variadic
            returned = self._c_type(prototype.result)
            result, place = (VOID, returned) if isinstance(returned, Struct) else (returned, None)
            variables = [
                Variable(f"p{number}", type) if isinstance(type, Scalar) else _pointer(f"p{number}", type, BYVAL)
                for number, type in enumerate(types)
            ]
        else:
            listed = parameters_in(header)
            is_variadic = listed[-1:] == ["..."]
            listed = listed[:-1] if is_variadic else listed
            result, place = self.result(first_type(header.partition(" ")[2]))
            variables = [*self._variables(listed, self._names(text, len(listed)))]
            if text and symbol == "main" and len(variables) == 1:
                variables.append(Variable("argv", PTR))
            types = [each.type for each in variables]
        if place is not None:
            variables.insert(0, _pointer("result", place, SRET))
        if is_variadic and text:
            variables.append(Variable("arguments", PTR))
        attributes = _attributes_in(header.partition("@")[0]) | ({VARIADIC: True} if is_variadic else {})
        attributes |= {} if text or prototype else {LAZILY_BOUND: True}
        function = self._declared(name, variables, result, attributes, text)
        return Signature(function, types, result, place, is_variadic, not text, variables)

    def _declared(
        self,
        name: str,
        variables: Sequence[Variable],
        result: Scalar,
        attributes: Attributes,
        text: FunctionText | None,
    ) -> Function:
        """A function of the program, or an external one, whose parameters have the attributes of the variables."""
        if text:
            function = self.builder.declare(self.builder.unused_name(name), variables, result, text.span, attributes)
        else:
            known = self.builder.declared(name)
            function = known or self.builder.external(name, variables, result, attributes=attributes)
        for parameter, variable in zip(function.parameters, variables, strict=False):
            parameter.attributes = variable.attributes
        return function

    def _names(self, text: FunctionText | None, count: int) -> list[str]:
        """The names of the parameters of a function, which has a body or so many."""
        if text is None:
            return [f"p{number}" for number in range(count)]
        described, names = self.debug.parameter_names(text), [each.name for each in text.parameters]
        return [described.get(each) or (f"p{each}" if each.isdigit() else program_name(each)) for each in names]

    def _variables(self, listed: Sequence[str], names: Sequence[str]) -> Iterator[Variable]:
        """The variables of parameters: those of the scalars in an aggregate."""
        for each, name in zip(listed, names, strict=True):
            if match := re.search(r"\b(byval|sret)\(", each):
                yield _pointer(name, self.types.of(first_type(each, match.end())), KEYWORDS[match[1]])
                continue
            types = self.types.scalars(first_type(each))
            for number, type in enumerate(types):
                yield Variable(name if len(types) == 1 else f"{name}_{number}", type)

    def result(self, type: str) -> tuple[Scalar, ObjectType | None]:
        """The type of the result in the program, and that of the place for a result that is an aggregate."""
        if self.types.has_members(type):
            try:
                return VOID, self.types.of(type)
            except Inexpressible:
                pass
        return scalar_of(type), None

    def _c_type(self, type: str) -> Scalar | Struct:
        """The type of C's library; a complex one is a struct."""
        if not is_complex(type):
            return type_of(type)
        if type not in self._complex:
            part = type.removesuffix(" _Complex")
            members = [(name, type_of(part)) for name in PARTS]
            self._complex[type] = self.builder.struct(COMPLEX + part.replace(" ", "_"), members)
        return self._complex[type]

    # ------------------------------------------------------------------------------------------------------- data

    def _new_data(self, symbol: str, match: re.Match[str]) -> Data:
        """The data of a symbol, without content: data may refer to each other."""
        type, _, further = _type_and_value(match[4])
        name, object_type, attributes = _data_name(symbol), self.types.of(type), _attributes_in(match[2])
        if symbol == _IS_SINGLE_THREADED:
            return self.builder.data(name, object_type, b"\1", attributes={LOCAL: True})
        if re.search(r"\b(?:external|extern_weak)\b", match[2]):
            return self.builder.external_data(name, object_type, attributes=attributes | {LAZILY_BOUND: True})
        data = self.builder.data(name, object_type, is_constant=match[3] == "constant", attributes=attributes)
        data.alignment = alignment_of(object_type, stated_alignment(further))
        return data

    def _fill(self, symbol: str) -> None:
        """Set the content of the data."""
        data, (type, value, _) = self._data[symbol], _type_and_value(self._globals[symbol][4])
        fill(self, data, type, value)
        data.object_type = expressible_type(self.builder, data)


def _attributes_in(text: str) -> dict[str, bool]:
    """The attributes that words before a symbol or a type state."""
    words = [word.partition("(")[0] for word in text.split()]
    return {_ATTRIBUTES[word]: True for word in words if word in _ATTRIBUTES}


def _type_and_value(text: str) -> tuple[str, str, list[str]]:
    """The type of data, its initial value ("" if another module defines it), and what follows."""
    end = end_of_type(text, 0)
    initial, *further = parts_of(text[end:].strip())
    return text[:end], operand_of(f"{text[:end]} {initial}").text, further


def _pointer(name: str, type: ObjectType, attribute: str) -> Variable:
    """The variable of a parameter that points to an object, whose struct the attribute states."""
    return Variable(name, PTR, attributes={attribute: type} if isinstance(type, Struct) else NO_ATTRIBUTES)


def _name(symbol: str) -> str:
    return program_name(symbol).removeprefix("\x01")


def _library_name(name: str) -> str:
    """The name of a function in the headers of C, for a name that glibc's headers replace it by."""
    stated = _VERSION.sub("", name)
    return stated if stated in PROTOTYPES else name


def _data_name(symbol: str) -> str:
    """The name of data; `string` for that of a string literal."""
    return "string" if re.fullmatch(r"\.str(\.\d+)?", symbol) else _name(symbol)
