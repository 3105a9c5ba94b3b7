"""How the functions of a module are called: their names in it, what they take and what they return.

Of a value that may be undefined, a companion is passed along: a pointer to the message of the fault that its use is, or
null where it is defined. Companions come after all values.
"""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.analysis.undefined import Place
from cpsconv.emit.llvm.support import is_taken
from cpsconv.emit.llvm.vocabulary import POINTER, extension, type_word
from cpsconv.ir import ContinuationType, Function, Parameter, Program, Type

MAIN = "main"


@dataclass(frozen=True, slots=True)
class Prototype:
    """`symbol` is the function's name with its ``@``.

    `uncertain_parameters` and `uncertain_results` are the indices of those that may be undefined.
    """

    symbol: str
    parameters: list[Parameter]
    returns: tuple[Type, ...]
    uncertain_parameters: list[int]
    uncertain_results: list[int]

    @property
    def parameter_words(self) -> list[str]:
        """The types of all that is passed."""
        words = [f"{type_word(each.type)} {extension(each.type)}".rstrip() for each in self.parameters]
        return words + [POINTER] * len(self.uncertain_parameters)

    @property
    def result_words(self) -> list[str]:
        """The types of all that is returned."""
        return [type_word(type) for type in self.returns] + [POINTER] * len(self.uncertain_results)

    @property
    def result(self) -> str:
        """The one type that it is for LLVM, which takes several together."""
        words = self.result_words
        return f"{{ {', '.join(words)} }}" if len(words) > 1 else words[0] if words else "void"

    @property
    def returned(self) -> str:
        """The same where a function is defined or called."""
        extended = extension(self.returns[0]) if self.returns and len(self.result_words) == 1 else ""
        return f"{extended} {self.result}".lstrip()

    def returns_as(self, other: Prototype) -> bool:
        """Whether the one's result can be returned by the other as it is."""
        return self.returned == other.returned and self.uncertain_results == other.uncertain_results

    def is_called_as(self, other: Prototype) -> bool:
        """Whether a call in tail position is sure to need no stack, however little LLVM optimises."""
        is_simple = len(self.result_words) <= 1
        return is_simple and self.returned == other.returned and self.parameter_words == other.parameter_words


def prototype(function: Function, symbol: str, uncertain: set[Place]) -> Prototype:
    """The prototype of a function, given the places at which undefined values may arrive."""
    parameters, returns, ret = data_parameters(function), result_types(function), function.return_continuation
    return Prototype(
        symbol,
        parameters,
        returns,
        [index for index, parameter in enumerate(parameters) if parameter in uncertain],
        [index for index in range(len(returns)) if ret and (ret, index) in uncertain],
    )


def data_parameters(function: Function) -> list[Parameter]:
    """The parameters but for the return continuation."""
    return function.parameters[:-1] if function.return_continuation else function.parameters


def result_types(function: Function) -> tuple[Type, ...]:
    """The types of what the function returns, if it returns."""
    ret = function.return_continuation
    return ret.type.parameters if ret and isinstance(ret.type, ContinuationType) else ()


def symbols(program: Program) -> dict[Function, str]:
    """A name for each function: its own, unless that is one of those that the module has other uses for."""
    taken = {function.name for function in program.functions}
    found: dict[Function, str] = {}
    for function in program.functions:
        name = function.name
        while is_taken(name) or (name != function.name and name in taken):
            name = f"cps_{name}"
        taken.add(name)
        found[function] = name
    return found
