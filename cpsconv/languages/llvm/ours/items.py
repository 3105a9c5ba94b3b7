"""The functions and global data of a module as items of the program, declared when they are needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cpsconv.abi.attributes import BYVAL, SRET, THREAD_LOCAL, VARIADIC
from cpsconv.abi.prototypes import PROTOTYPES, is_complex
from cpsconv.core.attributes import LOCAL, REPLACEABLE
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import (
    CHAR,
    PTR,
    VOID,
    Array,
    Attributes,
    ContinuationType,
    Data,
    Function,
    ObjectType,
    Scalar,
    Struct,
)
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.llvm.foreign_text import unquoted
from cpsconv.languages.llvm.module_text import SYMBOL, FunctionText, ModuleText
from cpsconv.languages.llvm.ours.initial_data import content_of
from cpsconv.languages.llvm.ours.object_types import Inexpressible, ObjectTypes, alignment_of, is_aggregate
from cpsconv.languages.llvm.ours.operands import operand_of
from cpsconv.languages.llvm.types import end_of_brackets, end_of_type, first_type, parts_of, scalar_of

_GLOBAL = re.compile(r'@([-\w$.]+|"[^"]*") = (.*?)\b(global|constant) (.*)')
_ALIAS = re.compile(r'(?m)^@([-\w$.]+|"[^"]*") = [\w ()-]*\balias .*, ptr @([-\w$.]+|"[^"]*")$')
_LINKAGES = {
    **dict.fromkeys(["internal", "private"], LOCAL),
    **dict.fromkeys(["weak", "weak_odr", "linkonce", "linkonce_odr", "extern_weak", "common"], REPLACEABLE),
}
_VERSION = re.compile(r"^__isoc\d\d_|64$")
"""What glibc adds to the names of functions whose meaning a standard has changed, and of those for large files."""


class Signature(NamedTuple):
    """How a function is called: its parameters, as texts with their types and attributes, and the type of its result.

    A result that is an aggregate is returned in `place`, the type of an object that the first parameter points to.
    """

    function: Function
    parameters: list[str]
    result: str
    is_variadic: bool
    place: ObjectType | None
    is_external: bool = False


class Items:
    """The functions and data of a module, by their symbols."""

    def __init__(self, builder: Builder, module: ModuleText, source: Source) -> None:
        self.builder, self.source = builder, source
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

    def define_all(self) -> None:
        """Declare every function with a body, and all data that the module defines, with its content.

        Raises `DiagnosticError` for functions and data that the program cannot have.
        """
        defined = [
            symbol
            for symbol, match in self._globals.items()
            if not re.search(r"\b(?:external|extern_weak|appending)\b", match[2])
        ]
        errors = [*self._each(self.signature, self.texts), *self._each(self.named, defined)]
        errors += self._each(self._fill, defined)
        if errors:
            raise DiagnosticError(errors)

    def _each(self, define: Callable[[str], object], symbols: Iterable[str]) -> Iterator[Diagnostic]:
        for symbol in symbols:
            try:
                define(symbol)
            except Inexpressible as what:
                message = f"no item of the program expresses {what} in `@{symbol}`"
                text = self.texts.get(symbol)
                span = self.span(text) if text else self._span_of_global(symbol)
                yield error(message, span, rule="not-expressible")

    def _span_of_global(self, symbol: str) -> Span:
        start = self.source.text.index(f"\n@{symbol} = ") + 1
        return Span(self.source, start, self.source.text.find("\n", start))

    def text(self, text: str) -> Data:
        """Data with the characters of a text."""
        data = text.encode() + b"\0"
        return self.builder.data(
            "string", Array(CHAR, len(data)), data[:-1], is_constant=True, attributes={LOCAL: True}
        )

    def listed(self, symbol: str) -> list[Function]:
        """The functions in ``llvm.global_ctors`` or ``llvm.global_dtors``, by their priority."""
        match = self._globals.get(symbol)
        rows = re.findall(r"i32 (\d+), ptr @([-\w$.]+|\"[^\"]*\"), ptr", match[4]) if match else []
        rows.sort(key=lambda row: int(row[0]))
        return [self.signature(name).function for _, name in rows]

    def named(self, symbol: str) -> Data | Function:
        """The data or function with a symbol. Raises `Inexpressible` if the program cannot have it."""
        symbol = self._aliases.get(symbol, symbol)
        if symbol in self._data:
            return self._data[symbol]
        if symbol in self._globals:
            return self._new_data(symbol, self._globals[symbol])
        return self.signature(symbol).function

    def signature(self, symbol: str) -> Signature:
        """How the function with a symbol is called. Raises `Inexpressible` if the program cannot have its type."""
        symbol = self._aliases.get(symbol, symbol)
        found = self._signatures.get(symbol)
        if found is None:
            text = self.texts.get(symbol)
            found = self._external(symbol) if text is None else self._defined(text)
            self._signatures[symbol] = found
        return found

    def panic(self, symbol: str) -> str | None:
        """The path of a function of Rust's library `core` that ends the program, ``core::panicking::panic``.

        Modules declare these functions alone. None for any other symbol.
        """
        line = self._declared.get(symbol, "")
        groups = re.findall(r"#\d+", line)
        if "4core" not in symbol or not any(re.search(r"\bnoreturn\b", self._groups.get(each, "")) for each in groups):
            return None
        return _path(symbol[symbol.index("4core") :])

    def declare(self, name: str, parameters: Sequence[str], result: str) -> None:
        """Declare an external function with these types, unless the module has it."""
        if name not in self.texts:
            self._declared.setdefault(name, f"declare {result} @{name}({', '.join(parameters)})")

    # -------------------------------------------------------------------------------------------------- functions

    def _variables(self, name: str, type: str) -> list[Variable]:
        """The variables of a parameter: those of the scalars in an aggregate."""
        name = _parameter_name(name)
        try:
            types = self.types.leaves(type)
        except Inexpressible:
            types = [type]
        if len(types) == 1:
            return [Variable(name, scalar_of(types[0]))]
        return [Variable(f"{name}_{number}", scalar_of(each)) for number, each in enumerate(types)]

    def scalar(self, type: str, what: str) -> Scalar:
        """The type of a scalar value. Raises `Inexpressible`, which names `what` has it, for another type."""
        scalar = scalar_of(type)
        if scalar.kind == "foreign":
            raise Inexpressible(f"{what} of the type `{type}`")
        return scalar

    def _defined(self, text: FunctionText) -> Signature:
        header = text.header.partition("\n")[0]
        listed, is_variadic = parameters_in(header)
        variables = [variable for each in text.parameters for variable in self._variables(each.name, each.type)]
        result, place = self._result(text.result)
        if place:
            variables.insert(0, Variable("result", PTR))
        if is_variadic:
            variables.append(Variable("arguments", PTR))
        if text.symbol == "main" and len(variables) == 1:
            variables.append(Variable("argv", PTR))
        name = self.builder.unused_name(_name(text.symbol))
        function = self.builder.declare(name, variables, result, self.span(text), self._linkage(header, is_variadic))
        self._set_structs(function, listed, place)
        return Signature(function, listed, text.result, is_variadic, place)

    def span(self, text: FunctionText) -> Span:
        """The location of the first line of a function with a body."""
        return Span(self.source, text.start, text.start + len(text.header.partition("\n")[0]))

    def _external(self, symbol: str) -> Signature:
        line = self._declared.get(symbol)
        if line is None:
            raise Inexpressible(f"the symbol `@{symbol}`")
        listed, is_variadic = parameters_in(line)
        result = first_type(line[len("declare ") :])
        name = _library_name(_name(symbol))
        stated = PROTOTYPES.get(name)
        if stated is not None and any(map(is_complex, (stated.result, *stated.parameters))):
            raise Inexpressible(f"the complex numbers of `@{symbol}`")
        place = None
        if stated is not None:
            types, scalar = scalars(stated.type)
            is_variadic = stated.is_variadic
        else:
            types = [self.scalar(first_type(each), f"a parameter of `@{symbol}`") for each in listed]
            scalar, place = self._result(result)
            types = [PTR] * (place is not None) + types
        parameters = [Variable(f"p{number}", type) for number, type in enumerate(types)]
        known = self.builder.declared(name)
        attributes: Attributes = {VARIADIC: True} if is_variadic else {}
        function = known or self.builder.external(name, parameters, scalar, attributes=attributes)
        if stated is None:
            self._set_structs(function, listed, place)
        return Signature(function, listed, result, is_variadic, place, is_external=True)

    def _result(self, type: str) -> tuple[Scalar, ObjectType | None]:
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
        for parameter, (attribute, type) in zip(function.parameters, stated, strict=False):
            if isinstance(type, Struct):
                parameter.attributes = {attribute: type}

    def _linkage(self, header: str, is_variadic: bool) -> Attributes:
        words = header.partition("@")[0].split()
        found: dict[str, bool] = {_LINKAGES[word]: True for word in words if word in _LINKAGES}
        return found | {VARIADIC: True} if is_variadic else found

    # ------------------------------------------------------------------------------------------------------- data

    def _new_data(self, symbol: str, match: re.Match[str]) -> Data:
        """The data of a symbol, without content: data may refer to each other."""
        words = match[2].split()
        attributes: dict[str, bool] = {_LINKAGES[word]: True for word in words if word in _LINKAGES}
        if any(word.startswith("thread_local") for word in words):
            attributes[THREAD_LOCAL] = True
        type, _, further = _type_and_value(match[4])
        object_type = self.types.of(type)
        name = _data_name(symbol)
        if "external" in words or "extern_weak" in words:
            data: Data = self.builder.external_data(name, object_type, attributes=attributes)
        else:
            stated = next((int(each.split()[1]) for each in further if each.startswith("align ")), 0)
            alignment, is_constant = alignment_of(object_type, stated), match[3] == "constant"
            data = self.builder.data(
                name, object_type, is_constant=is_constant, alignment=alignment, attributes=attributes
            )
        self._data[symbol] = data
        return data

    def _fill(self, symbol: str) -> None:
        """Set the content of the data."""
        type, value, _ = _type_and_value(self._globals[symbol][4])
        content = content_of(self.types, self.named, type, value)
        if symbol in self._data:
            self._data[symbol].content = bytes(content.data).rstrip(b"\0")
            self._data[symbol].addresses = content.addresses


def _type_and_value(text: str) -> tuple[str, str, list[str]]:
    """The type of data, its initial value ("" if another module defines it), and what follows."""
    end = end_of_type(text, 0)
    initial, *further = parts_of(text[end:].strip())
    return text[:end], operand_of(f"{text[:end]} {initial}").text, further


def scalars(type: ContinuationType) -> tuple[list[Scalar], Scalar]:
    """The types of the parameters and the result of a function of C."""
    *parameters, returned = type.parameters
    assert isinstance(returned, ContinuationType)
    found = [each for each in (*parameters, *returned.parameters) if isinstance(each, Scalar)]
    return found[: len(parameters)], (*found[len(parameters) :], VOID)[0]


def parameters_in(line: str) -> tuple[list[str], bool]:
    """The texts of the parameters in the first line of a function, and whether it takes variable arguments."""
    symbol = SYMBOL.search(line)
    assert symbol
    start = symbol.end() - 1
    listed = [each for each in parts_of(line[start + 1 : end_of_brackets(line, start) - 1]) if each]
    return [each for each in listed if each != "..."], listed[-1:] == ["..."]


def _name(symbol: str) -> str:
    return unquoted(symbol).replace("`", "'").removeprefix("\x01")


def _library_name(name: str) -> str:
    """The name of a function in the headers of C, for a name that glibc's headers replace it by."""
    stated = _VERSION.sub("", name)
    return stated if stated in PROTOTYPES else name


def _path(mangled: str) -> str:
    """The path in the end of a symbol of Rust, in which each name follows its length."""
    names = []
    while match := re.match(r"(\d+)_?", mangled):
        end = match.end() + int(match[1])
        names.append(mangled[match.end() : end])
        mangled = mangled[end:]
    return "::".join(each for each in names if not re.fullmatch(r"h[0-9a-f]{16}", each))


def _data_name(symbol: str) -> str:
    """The name of data; `string` for that of a string literal."""
    return "string" if re.fullmatch(r"\.str(\.\d+)?", symbol) else _name(symbol)


def _parameter_name(name: str) -> str:
    return f"p{name}" if name.isdigit() else unquoted(name).replace("`", "'")
