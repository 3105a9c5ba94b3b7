"""The functions and global data of a module as items of the program, declared when they are needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
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
    Constant,
    Data,
    Function,
    ObjectType,
    Scalar,
    Struct,
    Value,
)
from cpsconv.core.operations.types import scalar_type
from cpsconv.core.source import Diagnostic, DiagnosticError, Span, error
from cpsconv.languages.data_types import expressible_type
from cpsconv.languages.llvm.foreign_text import program_name
from cpsconv.languages.llvm.lowering import Module
from cpsconv.languages.llvm.module_text import SYMBOL, FunctionText, parameters_in
from cpsconv.languages.llvm.ours.initial_data import bytes_of, fill, with_pointers
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
    with variable arguments. `refused` gets an error for each instruction that stays foreign. Without `warnings`, the
    program must have all data, and an ``invoke`` stays, too; else it becomes a call.
    """

    def __init__(self, builder: Builder, module: Module, warnings: list[Diagnostic] | None) -> None:
        self.builder, self.source, self.debug, self.warnings = builder, module.source, module.debug, warnings
        text, self.refused = module.text, list[Diagnostic]()
        self.types, self.wrappers = ObjectTypes(builder, text.types), Wrappers(self)
        self.texts = {each.symbol: each for each in text.functions}
        self._globals = {match[1]: match for match in _GLOBAL.finditer(self.source.text)}
        self._aliases = {match[1]: match[2] for match in _ALIAS.finditer(text.frame)}
        self._groups = dict(re.findall(r"(?m)^attributes (#\d+) = (.*)$", text.frame))
        headers = re.findall(r"(?m)^declare .*", text.frame) + [each.header for each in text.functions]
        self._headers = {match[1]: header for header in headers if (match := SYMBOL.search(header))}
        self._signatures: dict[str, Signature] = {}
        self._data: dict[str, Data] = {}
        self._complex: dict[str, Struct] = {}
        listed = [parameters_in(header) for header in headers if "...)" in header]
        self.variadic = {(*map(first_type, each[:-1]),) for each in listed if each[-1:] == ["..."]}
        addressed = [(symbol, label) for symbol, labels in text.addressed.items() for label in labels]
        self.labels = {each: number for number, each in enumerate(sorted(addressed), 1)}

    def define_all(self) -> None:
        """Declare every function with a body, and all data that the module defines, with its content.

        Data of types that the program lacks are refused where they are used. Data of which it lacks the content are
        empty, with a warning: a run that accesses them ends. Without warnings, both raise `DiagnosticError`.
        """
        for symbol in self.texts:
            self.signature(symbol)
        declared_elsewhere = re.compile(r"\b(?:external|extern_weak|appending)\b")
        defined = [symbol for symbol, match in self._globals.items() if not declared_elsewhere.search(match[2])]
        types = [*self._inexpressible(self.named, defined)]
        contents = [*self._inexpressible(self._fill, [symbol for symbol in defined if symbol in self._data])]
        if self.warnings is not None:
            self.warnings += [replace(each, severity="warning", rule="dropped-content") for each in contents]
        elif types + contents:
            raise DiagnosticError(types + contents)

    def _inexpressible(self, define: Callable[[str], object], symbols: Iterable[str]) -> Iterator[Diagnostic]:
        for symbol in symbols:
            try:
                define(symbol)
            except Inexpressible as what:
                message, span = f"no item of the program expresses {what} in `@{symbol}`", self._globals[symbol].span()
                yield error(message, Span(self.source, *span), rule="not-expressible")

    def text(self, text: str) -> Data:
        """Data with the characters of a text."""
        return self._constant("string", Array(CHAR, len(text.encode()) + 1), text.encode())

    def number(self, constant: Constant) -> Data:
        """Data with the bits of a number."""
        return self._constant("number", scalar_type(constant), bytes_of(scalar_type(constant), constant.value))

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
        place: ObjectType | None
        types: Sequence[Scalar | Struct]
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
            listed = listed[: len(listed) - is_variadic]
            result, place = self.result(first_type(header.partition(" ")[2]))
            variables = [*self._variables(text, listed)]
            variables += [Variable("argv", PTR)] * (symbol == "main" and len(variables) == 1)
            types = [each.type for each in variables]
        if place:
            variables.insert(0, _pointer("result", place, SRET))
        attributes = _attributes_in(header.partition("@")[0]) | ({VARIADIC: True} if is_variadic else {})
        if text:
            variables += [Variable("arguments", PTR)] * is_variadic
            function = self.builder.declare(self.builder.unused_name(name), variables, result, text.span, attributes)
        else:
            attributes |= {} if prototype else {LAZILY_BOUND: True}
            known = self.builder.declared(name)
            function = known or self.builder.external(name, variables, result, attributes=attributes)
        return Signature(function, types, result, place, is_variadic, not text, variables)

    def _variables(self, text: FunctionText | None, listed: Sequence[str]) -> Iterator[Variable]:
        """The variables of a function's parameters: those of the scalars in an aggregate."""
        described = self.debug.parameter_names(text) if text else {}
        for number, each in enumerate(listed):
            local = text.parameters[number].name if text else str(number)
            name = described.get(local) or (f"p{local}" if local.isdigit() else program_name(local))
            types = self.types.scalars(first_type(each))
            with suppress(Inexpressible):
                if match := re.search(r"\b(byval|sret)\(", each):
                    yield _pointer(name, self.types.of(first_type(each, match.end())), KEYWORDS[match[1]])
                    continue
            for part, type in enumerate(types):
                yield Variable(name if len(types) == 1 else f"{name}_{part}", type)

    def result(self, type: str) -> tuple[Scalar, ObjectType | None]:
        """The type of the result in the program, and that of the place for a result that is an aggregate."""
        with suppress(Inexpressible):
            if self.types.has_members(type):
                return VOID, self.types.of(type)
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
        type, _, further = self._definition(symbol)
        name, object_type, attributes = _data_name(symbol), self.types.of(type), _attributes_in(match[2])
        if symbol == _IS_SINGLE_THREADED:
            return self.builder.data(name, object_type, b"\1", attributes={LOCAL: True})
        if re.search(r"\b(?:external|extern_weak)\b", match[2]):
            return self.builder.external_data(name, object_type, attributes=attributes | {LAZILY_BOUND: True})
        data = self.builder.data(name, object_type, is_constant=match[3] == "constant", attributes=attributes)
        data.alignment = alignment_of(object_type, stated_alignment(further))
        return data

    def _definition(self, symbol: str) -> tuple[str, str, list[str]]:
        """The type of data, their initial value ("" if another module defines them), and what follows."""
        text = with_pointers(symbol, self._globals[symbol][4], self.source.text)
        end = end_of_type(text, 0)
        initial, *further = parts_of(text[end:].strip())
        return text[:end], operand_of(f"{text[:end]} {initial}").text, further

    def _fill(self, symbol: str) -> None:
        """Set the content of the data."""
        data, (type, value, _) = self._data[symbol], self._definition(symbol)
        try:
            fill(self, data, type, value)
        except Inexpressible:
            data.object_type, data.addresses = Array(CHAR, 0), {}
            raise
        data.object_type = expressible_type(self.builder, data)


def _attributes_in(text: str) -> dict[str, bool]:
    """The attributes that words before a symbol or a type state."""
    words = [word.partition("(")[0] for word in text.split()]
    return {_ATTRIBUTES[word]: True for word in words if word in _ATTRIBUTES}


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
