"""An answer as a placement strategy: its functions get blocks and φs, and all that they do is reported as events.

The functions call each other by their names in the file, so calls of `read_variable` and `write_variable` from the
answer's own code lead through this module, which reports look-ups and records.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Union, get_args

from cpsconv.core import ir
from cpsconv.core.construction.block import Block as CoreBlock
from cpsconv.core.construction.block import Placed, Variable, resolve
from cpsconv.core.construction.events import Event, Operand, Place, Proxy, Record, Remove, Seal, Walk
from cpsconv.core.construction.placement import Placement
from cpsconv.core.source import DiagnosticError, Source, Span, error

FUNCTIONS = ("write_variable", "read_variable", "seal_block")
"""The functions of an answer."""

_VALUES = get_args(ir.Value)


class Block:
    """A block, as an answer sees it: its `name`, whether it is `sealed`, and its `predecessors`."""

    def __init__(self, answer: Answer, block: CoreBlock) -> None:
        self._answer = answer
        self._block = block

    @property
    def name(self) -> str:
        """The name of the continuation."""
        return self._block.continuation.name

    @property
    def sealed(self) -> bool:
        """Whether all predecessors are known."""
        return self._block.sealed

    @property
    def predecessors(self) -> list[Block]:
        """The predecessors known so far, one for each edge."""
        return [self._answer.shown_block(each) for each in self._block.predecessors]

    def new_phi(self, variable: Variable) -> Phi:
        """A new φ without operands for `variable`."""
        placed = self._answer.new_parameter(variable, self._block)
        return self._answer.shown_phi(placed)

    def __repr__(self) -> str:
        return self.name


class Phi:
    """A φ, as an answer sees it: its `variable`, its `block`, its `operands`, and the φs that have it as an operand."""

    def __init__(self, answer: Answer, placed: Placed) -> None:
        self._answer = answer
        self.placed = placed
        self.arguments: list[ir.Value] = []
        self.variable = placed.variable

    @property
    def block(self) -> Block:
        """The block of the φ."""
        return self._answer.shown_block(self.placed.block)

    @property
    def operands(self) -> list[Shown]:
        """The operands appended so far; a φ that was replaced is its replacement."""
        return [*map(self._answer.shown, self.arguments)]

    @property
    def users(self) -> list[Phi]:
        """The φs with all of their operands that have this one among them."""
        return [*self._answer.users.get(self.placed, ())]

    @property
    def undefined(self) -> ir.Undef:
        """The undefined value of the variable."""
        return self._answer.undef(self.variable)

    def append_operand(self, value: Shown) -> None:
        """Append an operand: the value of the variable at the end of the next predecessor."""
        self._answer.append(self, value)

    def replace_by(self, value: Shown) -> None:
        """Replace the φ by `value` wherever it is used."""
        self._answer.replace(self, value)

    def __repr__(self) -> str:
        return f"φ for {self.variable.name} in {self.block}"


Shown = Union[Phi, ir.Value]
"""A value, as an answer sees it."""


class Answer(Placement):
    """The placement of parameters in one function by the functions of a file, which is executed anew for it.

    Raises `DiagnosticError` if the file cannot be executed, or has not all functions.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.users: dict[ir.Value, dict[Phi, None]] = {}
        self._source = source
        self._names: dict[str, Any] = {"__name__": "answer", "__file__": source.name}
        self._blocks: dict[CoreBlock, Block] = {}
        self._phis: dict[Placed, Phi] = {}
        self._reported = 0
        self._called("", lambda: exec(compile(source.text, source.name, "exec"), self._names))
        missing = [name for name in FUNCTIONS if not callable(self._names.get(name))]
        if missing:
            raise DiagnosticError([error(f"{source.name}: there is no function `{missing[0]}`", rule="answer")])
        self._functions: dict[str, Callable[..., Any]] = {name: self._names[name] for name in FUNCTIONS}
        self._names |= {"read_variable": self._inner_read, "write_variable": self._inner_write}

    # ------------------------------------------------------------------------------------- calls by the construction

    def write(self, variable: Variable, block: CoreBlock, value: ir.Value) -> None:
        """Call the answer's `write_variable` for an assignment of the source."""
        self._call("write_variable", variable, self.shown_block(block), self.shown(value))

    def read(self, variable: Variable, block: CoreBlock) -> ir.Value:
        """Call the answer's `read_variable` for a read of the source."""
        return self.value(self._call("read_variable", variable, self.shown_block(block)))

    look_up = read

    def seal(self, block: CoreBlock) -> None:
        """Call the answer's `seal_block`. The block is sealed afterwards."""
        self._call("seal_block", self.shown_block(block))
        block.sealed = True
        self._report(Seal(block))

    def _call(self, name: str, *arguments: object) -> Any:
        def call() -> object:
            result = self._functions[name](*arguments)
            return self.value(result) if name == "read_variable" else result

        return self._called(name, call)

    def _called(self, name: str, call: Callable[[], Any]) -> Any:
        """The result of `call`. An exception of the answer becomes a `DiagnosticError` at its line."""
        try:
            return call()
        except DiagnosticError:
            raise
        except SyntaxError as failure:
            raise self._error(f"this is not Python: {failure.msg}", failure.lineno) from None
        except (Exception, SystemExit) as failure:
            line = self._line_of(failure.__traceback__) or self._first_line(name)
            text = f": {failure}" if str(failure) else ""
            raise self._error(f"{type(failure).__name__}{text}", line) from None

    def _error(self, message: str, line: int | None) -> DiagnosticError:
        number = min(max(line or 1, 1), self._source.text.count("\n") + 1)
        text = self._source.line(number)
        start = sum(len(each) for each in self._source.text.splitlines(keepends=True)[: number - 1])
        span = Span(self._source, start + len(text) - len(text.lstrip()), start + len(text.rstrip()))
        return DiagnosticError([error(message, span, rule="answer")])

    def _line_of(self, traceback: TracebackType | None) -> int | None:
        """The last line of the answer in a traceback."""
        found = None
        while traceback:
            if traceback.tb_frame.f_code.co_filename == self._source.name:
                found = traceback.tb_lineno
            traceback = traceback.tb_next
        return found

    def _first_line(self, name: str) -> int | None:
        code = getattr(self._functions[name], "__code__", None) if name else None
        return code.co_firstlineno if code else None

    # -------------------------------------------------------------------------------------------- calls by the answer

    def _inner_read(self, variable: Variable, block: Block) -> Shown:
        before = self._reported
        value = self.value(self._functions["read_variable"](variable, block))
        if self._reported == before:
            self._report(Walk(variable, (), block._block, value))
        return self.shown(value)

    def _inner_write(self, variable: Variable, block: Block, value: Shown) -> None:
        resolved = self.value(value)
        self._report(Record(variable, (block._block,), resolved))
        self._functions["write_variable"](variable, block, self.shown(resolved))

    def new_parameter(self, variable: Variable, block: CoreBlock) -> Placed:
        """A new parameter, a proxy in a block that is not sealed."""
        placed = Placed(variable, block)
        block.placed.append(placed)
        self.placed += 1
        self._report(Place(placed) if block.sealed else Proxy(placed))
        return placed

    def append(self, phi: Phi, value: Shown) -> None:
        """Append an operand. The φ is complete when it has one for each predecessor."""
        argument = self.value(value)
        self._report(Operand(phi.placed, argument, len(phi.arguments)))
        phi.arguments.append(argument)
        if len(phi.arguments) == len(phi.placed.block.predecessors):
            phi.placed.arguments = [*map(resolve, phi.arguments)]
            for each in phi.placed.arguments:
                self.users.setdefault(each, {})[phi] = None

    def replace(self, phi: Phi, value: Shown) -> None:
        """Forward the φ to `value`, unless it was replaced before. Its users become users of the value."""
        if phi.placed.forward is None:
            replacement = self.value(value)
            self._report(Remove(phi.placed, replacement, ()))
            phi.placed.forward = replacement
            self.removed += 1
            users = self.users.pop(phi.placed, {})
            users.pop(phi, None)
            self.users.setdefault(replacement, {}).update(users)

    # --------------------------------------------------------------------------------------------------------- values

    def value(self, shown: object) -> ir.Value:
        """The value of the program. Raises `TypeError` for other objects."""
        if isinstance(shown, Phi):
            return resolve(shown.placed)
        if isinstance(shown, _VALUES):
            return shown  # type: ignore[no-any-return]
        raise TypeError(f"{shown!r} is no value of the program")

    def shown(self, value: ir.Value) -> Shown:
        """The value, as the answer sees it."""
        resolved = resolve(value)
        return self.shown_phi(resolved) if isinstance(resolved, Placed) else resolved

    def shown_phi(self, placed: Placed) -> Phi:
        """The φ for a parameter."""
        return self._phis.setdefault(placed, Phi(self, placed))

    def shown_block(self, block: CoreBlock) -> Block:
        """The block, as the answer sees it."""
        return self._blocks.setdefault(block, Block(self, block))

    def _report(self, event: Event) -> None:
        self._reported += 1
        if self.observer is not None:
            self.observer(event)


def current_line(source: Source) -> int | None:
    """The line of the answer that is being executed; None if it is not running."""
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_code.co_filename != source.name:
        frame = frame.f_back
    return frame.f_lineno if frame else None
