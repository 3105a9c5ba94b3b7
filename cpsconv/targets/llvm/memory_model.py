"""The interface of a model of memory: how a module represents pointers, and writes the operations on memory.

There are two models: machine pointers, in emitted text (`machine_memory`), and checked pointers, in code that the
engine runs (`cpsconv.engines.llvm`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.core.analysis.undefined import Place
from cpsconv.core.ir import Call, Data, Function, Program, Scalar, Statement
from cpsconv.core.source import Span
from cpsconv.targets.llvm.calling_convention import Prototype
from cpsconv.targets.llvm.support import Support

if TYPE_CHECKING:
    from cpsconv.targets.llvm.instructions import Instructions, Operand


class MemoryModel(ABC):
    """The memory of one module. Unless a model defines otherwise, nothing is checked, and variables are on the heap.

    `names` are those of data and functions, `prototypes` those of functions, which are added later, and `uncertain` the
    places that undefined values may reach.
    """

    pointer: Scalar
    """The type that represents pointers."""

    writers: Mapping[str, MemoryWriter]
    """The function that writes each operation on memory."""

    has_opaque_pointers = False
    """Whether the module has opaque pointers (``ptr``) only."""

    def __init__(
        self,
        program: Program,
        names: Mapping[Data | Function, str],
        prototypes: Mapping[Function, Prototype],
        uncertain: Collection[Place],
        support: Support,
    ) -> None:
        self.program = program
        self.names = names
        self.prototypes = prototypes
        self.uncertain = uncertain
        self.support = support
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Compute what the model needs before the functions are written."""

    @abstractmethod
    def address(self, target: Data | Function) -> str:
        """The pointer to data or to a function, as a constant."""

    @abstractmethod
    def external(self, function: Function) -> Prototype:
        """The prototype of an external function, for direct calls."""

    def variadic(self, call: Call) -> Prototype | None:
        """The prototype for a call with variable arguments; None for other calls, and if no such call is executed."""
        return None

    def may_tail_call(self, function: Function) -> bool:
        """Whether no variable of the function is in its stack frame."""
        return True

    def start(self, to: Instructions, function: Function) -> Iterator[str]:
        """The instructions at the start of the function."""
        return iter(())

    def statement(self, to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        """The instructions of an operation on memory. The last one lacks the name of its result."""
        return self.writers[statement.op](self, to, statement, operands)

    def string(self, to: Instructions, statement: Statement, pointer: Operand, limit: str) -> tuple[list[str], str]:
        """The instructions that check a string for output, of at most `limit` bytes, and the ``i8*`` to it."""
        return [], pointer.text

    def before_call(self, to: Instructions, call: Call) -> Iterator[str]:
        """The instructions before the direct call of an external function, or of a function of the library."""
        return iter(())

    def jump_buffer(self, to: Instructions, call: Call, pointer: Operand) -> tuple[list[str], str]:
        """The instructions before a call of `_setjmp`, and the operand of the call."""
        return [], str(pointer)

    def jump(self, span: Span | None, operands: Sequence[Operand]) -> str:
        """The call of `longjmp`."""
        return f"call void {self.support.library('longjmp')}({', '.join(map(str, operands))})"

    def code(self, to: Instructions, call: Call, pointer: Operand) -> tuple[list[str], str]:
        """The instructions that check a call through a pointer, and the address of the code."""
        return [], pointer.text

    def types(self) -> Iterator[str]:
        """The lines at the start of the module."""
        return iter(())

    @abstractmethod
    def definitions(self) -> Iterator[str]:
        """The lines after the functions of the module."""


MemoryWriter = Callable[[Any, "Instructions", Statement, Sequence["Operand"]], Sequence[str]]
"""Returns the instructions of an operation on the memory given first. The last one lacks the name of its result."""
