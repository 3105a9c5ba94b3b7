"""The limits of a run: pending calls, memory, output. Every engine enforces them with the same errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from cpsconv.core.analysis.graph import addressed_functions, depth_first, is_local
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.ir import Call, Function, Program
from cpsconv.core.operations.runtime_errors import DepthLimit, MemoryLimit, OutputLimit
from cpsconv.core.source import setting

_UNITS = {"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "byte": 1}


@dataclass(frozen=True)
class Limits:
    """The limits of a run.

    Attributes:
        max_depth: The maximum number of pending calls. A call in tail position adds none.
        max_memory: The maximum number of bytes that the run takes, in addition to those of the process at its start.
            None is no limit. The limit is enforced on Linux, and under the engine ``llvm`` on every system. It applies
            to the whole process, so that other threads may get a `MemoryError`.
        max_output: The maximum number of bytes that the run writes: to both standard streams and to files together.
            None is no limit.
    """

    max_depth: int = 1_000_000
    max_memory: int | None = None
    max_output: int | None = None

    def depth_error(self, program: Program, function: Function) -> DepthLimit:
        """The error of a call in `function` that exceeds `max_depth`.

        Its location is the first call of the recursion in the text, so that it depends neither on the engine nor on the
        number of calls. The recursion is that of the function, or the nearest one that leads to it.
        """
        addressed = addressed_functions(program)
        callees = {
            caller: [each for call in _calls(caller) if is_pending(call) for each in _callees(call, addressed)]
            for caller in program.functions
        }
        callers: defaultdict[Function, list[Function]] = defaultdict(list)
        for caller, called in callees.items():
            for each in called:
                callers[each].append(caller)
        recursions = {
            member: component
            for component in strongly_connected_components(program.functions, lambda each: callees.get(each, ()))
            for member in component
            if len(component) > 1 or member in callees.get(member, ())
        }
        leading = (each for each, _ in depth_first([function], lambda each: callers[each]))
        recursion = next((recursions[each] for each in leading if each in recursions), [function])
        first = min(recursion, key=program.functions.index)
        pending = [call for call in _calls(first) if is_pending(call)]
        calls = [call for call in pending if not set(recursion).isdisjoint(_callees(call, addressed))]
        calls = calls or pending or _calls(first)  # of which the engine python counts others, too
        fault = DepthLimit(f"more than {self.max_depth} {'call is' if self.max_depth == 1 else 'calls are'} pending")
        fault.diagnostic.span = calls[0].span
        fault.diagnostic.help = f"is the recursion endless? {setting('--max-depth', '`max_depth`')} sets the limit"
        return fault

    def memory_error(self) -> MemoryLimit:
        """The error of a run that exceeds `max_memory`."""
        fault = MemoryLimit(f"the program takes more than {_size(self.max_memory or 0)} of memory")
        fault.diagnostic.help = f"{setting('--max-memory', '`max_memory`')} sets the limit"
        return fault

    def output_error(self) -> OutputLimit:
        """The error of a run that exceeds `max_output`."""
        fault = OutputLimit(f"the program writes more than {_size(self.max_output or 0)}")
        fault.diagnostic.help = f"{setting('--max-output', '`max_output`')} sets the limit"
        return fault

    def require_data(self, program: Program) -> None:
        """Raises `MemoryLimit` if the data of the program, each byte with a mark, exceed `max_memory`."""
        if self.max_memory is not None and 2 * sum(data.object_type.size for data in program.data) > self.max_memory:
            raise self.memory_error()


DEFAULT_LIMITS = Limits()


def _size(size: int) -> str:
    """The number of bytes in the largest unit of which it is a multiple."""
    unit = next(unit for unit in _UNITS if size % _UNITS[unit] == 0 and (size or unit == "byte"))
    number = size // _UNITS[unit]
    return f"{number} {unit}{'s' if unit == 'byte' and number != 1 else ''}"


def is_pending(call: Call) -> bool:
    """Whether the caller continues after the call, which is not in tail position."""
    return is_local(call.then.target)


def _calls(function: Function) -> list[Call]:
    transfers = (member.transfer for member in function.members())
    return [transfer for transfer in transfers if isinstance(transfer, Call)]


def _callees(call: Call, addressed: Sequence[Function]) -> list[Function]:
    """The functions of the program that the call may call; through a pointer, those of its type."""
    if call.pointer is None:
        return [call.callee]
    return [each for each in addressed if each.type == call.callee.type and each.transfer is not None]


class OutputExhausted(Exception):
    """A run writes more than its limits allow."""


class OutputBudget:
    """The number of bytes that a run may still write: `left`, without a limit None."""

    def __init__(self, left: int | None = None) -> None:
        self.left = left

    def write(self, write: Callable[[bytes], Any], data: bytes) -> Any:
        """The result of `write`, which gets the data. Raises `OutputExhausted` after as much of it as is permitted."""
        if self.left is None:
            return write(data)
        permitted = min(self.left, len(data))
        self.left -= permitted
        result = write(data[:permitted])
        if permitted < len(data):
            raise OutputExhausted
        return result


@dataclass
class Limited:
    """A context for a run, in which the process gets no more memory than `limits` allow.

    Raises `MemoryLimit` if the run needs more memory, `OutputLimit` if it writes too much.
    """

    limits: Limits
    _before: tuple[int, int] | None = field(init=False, default=None)

    def __enter__(self) -> None:
        """Lower the limit of the operating system on the data of the process, which are all but its first stack."""
        if self.limits.max_memory is None:
            return
        from cpsconv.engines.processes import data_size  # late: most runs have no limit, and start no process

        used = data_size()
        if used is None:
            return
        import resource  # late: Windows does not have it

        self._before = resource.getrlimit(resource.RLIMIT_DATA)
        soft, hard = self._before
        size = used + self.limits.max_memory
        if soft == resource.RLIM_INFINITY or size < soft:
            resource.setrlimit(resource.RLIMIT_DATA, (min(size, 2**63 - 1), hard))

    def __exit__(self, _: object, failure: BaseException | None, trace: TracebackType | None) -> None:
        """Restore the limit of the operating system."""
        if self._before:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, self._before)
        if isinstance(failure, MemoryError) and self.limits.max_memory is not None:
            failure.__traceback__ = None  # which refers to the memory
            raise self.limits.memory_error() from None
        if isinstance(failure, OutputExhausted):
            raise self.limits.output_error() from None
