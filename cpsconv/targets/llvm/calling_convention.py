"""Prototypes, calls, returns and wrappers of the functions of a module.

A value that may be undefined is passed with a *companion*: null if the value is defined, otherwise a pointer to the
message of the runtime error that a use of the value raises. The companions follow the values. Several results are
returned as one structure.

External callers pass and expect no companions: their arguments are defined, and so must be their results. In addition,
the system expects an `int` from `main`. A function whose prototype differs from the one for external callers gets a
wrapper, which they call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from cpsconv.abi.attributes import symbol_of
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.entry import data_parameters, return_type
from cpsconv.core.ir import INT, PTR, Data, Function, Parameter, Program, Scalar, Type
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.targets.llvm.support import Support, is_reserved
from cpsconv.targets.llvm.vocabulary import NULL, POINTER, extension, resizing, type_word

MAIN = "main"


@dataclass(frozen=True, slots=True)
class Prototype:
    """The prototype of a function. `symbol` is its name with ``@``; `types` are those of the parameters in LLVM.

    `uncertain_parameters` and `uncertain_results` are the indices of the parameters and results that may be undefined.
    `attributes` are those of calls; with ``nobuiltin``, LLVM does not take a function of the program for the library
    function of that name.
    """

    symbol: str
    parameters: list[Parameter]
    types: tuple[Type, ...]
    returns: tuple[Type, ...]
    uncertain_parameters: list[int]
    uncertain_results: list[int]
    counts_calls: bool
    attributes: str = " nobuiltin"

    @property
    def parameter_words(self) -> list[str]:
        """The types of the parameters, then of their companions, then of the number of calls that may be pending."""
        words = [f"{type_word(each)} {extension(each)}".rstrip() for each in self.types]
        return words + [POINTER] * len(self.uncertain_parameters) + ["i32"] * self.counts_calls

    @property
    def result_words(self) -> list[str]:
        """The types of the results, then of their companions."""
        return [type_word(type) for type in self.returns] + [POINTER] * len(self.uncertain_results)

    @property
    def result(self) -> str:
        """The return type: a structure for several results."""
        words = self.result_words
        return f"{{ {', '.join(words)} }}" if len(words) > 1 else words[0] if words else "void"

    @property
    def returned(self) -> str:
        """The return type with its attribute, for definitions and calls."""
        extended = extension(self.returns[0]) if self.returns and len(self.result_words) == 1 else ""
        return f"{extended} {self.result}".lstrip()

    def returns_as(self, other: Prototype) -> bool:
        """Whether each of the two functions can return the result of the other unchanged."""
        return self.returned == other.returned and self.uncertain_results == other.uncertain_results

    def is_called_as(self, other: Prototype) -> bool:
        """Whether LLVM guarantees tail calls (``musttail``) between the two functions at any optimisation level."""
        is_simple = len(self.result_words) <= 1
        return is_simple and self.returned == other.returned and self.parameter_words == other.parameter_words


def prototype(
    function: Function, symbol: str, uncertain: Collection[Place], counts_calls: bool, pointer: Scalar = PTR
) -> Prototype:
    """The prototype of a function, given the places that undefined values may reach, and the type of its pointers."""
    parameters, returns, ret = data_parameters(function), result_types(function), function.return_continuation
    return Prototype(
        symbol,
        parameters,
        tuple(pointer if parameter.type is PTR else parameter.type for parameter in parameters),
        tuple(pointer if type is PTR else type for type in returns),
        [index for index, parameter in enumerate(parameters) if parameter in uncertain],
        [index for index in range(len(returns)) if ret and (ret, index) in uncertain],
        counts_calls,
    )


def external_prototype(function: Function, symbol: str, pointer: Scalar = PTR) -> Prototype:
    """The prototype of an external function, which has no companions."""
    return replace(prototype(function, symbol, (), False, pointer), attributes="")


def by_pointer(function: Function, uncertain: Collection[Place], counts_calls: bool, pointer: Scalar) -> Prototype:
    """The prototype of the function through which pointers call an external function."""
    return prototype(function, f"@cpsconv.by_pointer.{function.name}", uncertain, counts_calls, pointer)


def result_types(function: Function) -> tuple[Type, ...]:
    """The types of the results; none if the function never returns."""
    returned = return_type(function)
    return returned.parameters if returned else ()


def symbols(program: Program) -> dict[Data | Function, str]:
    """The symbol of each data and function: its name, prefixed if library functions or helpers may have that name."""
    taken, called = set(program.global_names), _mathematics(program)
    found: dict[Data | Function, str] = {}
    mangled: list[Function | Data] = [*program.functions, *program.data]
    for each in mangled:
        name = symbol_of(each)
        while is_reserved(name, called) or (name != each.name and name in taken):
            name = f"cps_{name}"
        taken.add(name)
        found[each] = name
    declared: list[Function | Data] = [*program.externals, *program.external_data]
    return found | {each: each.name for each in declared}


def private_symbols(program: Program) -> dict[Data | Function, str]:
    """The same for a module that runs in this process, where LLVM and the host call the functions of C libraries.

    No library has such a name, so that no program replaces a function of a library.
    """
    defined: list[Function | Data] = [*program.functions, *program.data]
    return {each: f"program.{each.name}" for each in defined}


def _mathematics(program: Program) -> set[str]:
    """The functions of <math.h> that are primitives of the program, as C names them."""
    return {platform_name(each.op, each.type) for each in program.statements() if each.op in MATHEMATICS}


# ---------------------------------------------------------------------------------------------- calls and returns


@dataclass(frozen=True)
class Landing:
    """The labels of the blocks after a call: if it returned, and if a runtime error leaves the calling function.

    In the latter, the `instruction` is executed.
    """

    returned: str
    unwound: str
    instruction: str

    def lines(self) -> Iterator[str]:
        """The instructions of the block `unwound`."""
        yield f"%{self.unwound[1:]}.pad = landingpad {{ {POINTER}, i32 }} cleanup"
        yield self.instruction
        yield f"resume {{ {POINTER}, i32 }} %{self.unwound[1:]}.pad"


def personality(support: Support) -> str:
    """The attribute of functions with landings."""
    return f" personality {POINTER} bitcast (i32 (...)* {support.library('__gcc_personality_v0')} to {POINTER})"


def calling(
    callee: Prototype, arguments: Sequence[str], names: Sequence[str], whole: str, landing: Landing | None = None
) -> Iterator[str]:
    """A call whose results get the `names`; `whole` is the name of the structure of several results."""
    call = a_call(callee, arguments)
    name = names[0] if len(names) == 1 else whole
    named = f"{name} = " if names else ""
    if landing:
        yield f"{named}invoke{call[len('call') :]} to label {landing.returned} unwind label {landing.unwound}"
        yield f"{landing.returned[1:]}:"
    else:
        yield f"{named}{call}"
    if len(names) < 2:
        return
    yield from (f"{name} = extractvalue {callee.result} {whole}, {index}" for index, name in enumerate(names))


def a_call(callee: Prototype, arguments: Sequence[str]) -> str:
    """``call i32 @f(i32 %x) nobuiltin``"""
    return f"call {callee.returned} {application(callee, arguments)}{callee.attributes}"


def application(callee: Prototype, arguments: Sequence[str]) -> str:
    """``@f(i32 %x)``"""
    passed = (f"{word} {text}" for word, text in zip(callee.parameter_words, arguments, strict=True))
    return f"{callee.symbol}({', '.join(passed)})"


def returning(prototype: Prototype, values: Sequence[str], wholes: Sequence[str]) -> Iterator[str]:
    """A return of the values; `wholes` are names for the steps that build the structure of several values."""
    if len(values) < 2:
        yield f"ret {prototype.result} {values[0]}" if values else "ret void"
        return
    before = "undef"
    for index, (word, value, whole) in enumerate(zip(prototype.result_words, values, wholes, strict=True)):
        yield f"{whole} = insertvalue {prototype.result} {before}, {word} {value}, {index}"
        before = whole
    yield f"ret {prototype.result} {before}"


def load_return_place(name: str, support: Support) -> str:
    """The instruction that loads the location where an undefined value was returned last."""
    return f"{name} = load {POINTER}, {POINTER}* {support.helper('returned')}"


# -------------------------------------------------------------------------------------------------------- wrappers


def wrapper(outer: Prototype, inner: Prototype, support: Support, linkage: str = "") -> Iterator[str]:
    """The definition of the function `outer`, which calls `inner`.

    Parameters and results that only one of the two passes with a companion must be defined.
    """
    parameters = [f"%{index}" for index in range(len(outer.parameter_words))]
    count = len(outer.types)
    companions, calls_left = parameters[count:], parameters[len(parameters) - outer.counts_calls :]
    body = [*_checked(companions[: len(outer.uncertain_parameters)], support)]
    results = [f"%result.{index}" for index in range(len(inner.result_words))]
    arguments = parameters[:count] + [NULL] * len(inner.uncertain_parameters) + calls_left * inner.counts_calls
    body += calling(inner, arguments, results, "%results")
    values = results[: len(inner.returns)]
    body += _checked(results[len(values) :], support)
    if inner.returns != outer.returns:  # `main`: its result as an `int`, 0 if there is none
        ((type, value),) = zip(inner.returns or [INT], values or ["0"], strict=True)
        assert isinstance(type, Scalar)
        body.append(f"%status = {resizing(type, INT)} {type_word(type)} {value} to i32")
        values = ["%status"]
    values += [NULL] * len(outer.uncertain_results)
    body += returning(outer, values, [f"%results.{index}" for index in range(len(values))])
    yield f"define {linkage}{outer.returned} {application(outer, parameters)} {{"
    yield from (f"  {line}" for line in body)
    yield "}"


def _checked(companions: Sequence[str], support: Support) -> Iterator[str]:
    """The checks that values are defined, given their companions."""
    if companions:
        yield load_return_place("%place", support)
        yield from (f"call void {support.helper('use')}({POINTER} {each}, {POINTER} %place)" for each in companions)
