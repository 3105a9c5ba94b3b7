"""The limits of a run: pending calls, and memory. Every engine enforces them with the same errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from cpsconv.analysis.graph import depth_first, is_local
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.ir import Call, Function, Program
from cpsconv.operations.runtime_errors import DepthLimit, MemoryLimit
from cpsconv.source import setting

_DATA = 5  # the field of /proc/self/statm with the number of pages of data
_UNITS = {"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "byte": 1}


@dataclass(frozen=True)
class Limits:
    """The limits of a run.

    Attributes:
        max_depth: The maximum number of pending calls. A call in tail position adds none.
        max_memory: The maximum number of bytes that the run takes, in addition to those of the process at its start.
            None is no limit. The limit is enforced on Linux, and under the engine ``llvm`` on every system. It applies
            to the whole process, so that other threads may get a `MemoryError`.
    """

    max_depth: int = 1_000_000
    max_memory: int | None = None

    def depth_error(self, program: Program, function: Function) -> DepthLimit:
        """The error of a call in `function` that exceeds `max_depth`.

        Its location is the first call of the recursion in the text, so that it depends neither on the engine nor on the
        number of calls.
        """
        functions = [each for each, _ in depth_first([function], _pending_callees)]
        components = strongly_connected_components(functions, _pending_callees)
        recursion = next(component for component in components if function in component)
        first = min(recursion, key=program.functions.index)
        calls = [call for call in _pending_calls(first) if call.callee in recursion] or _pending_calls(first)
        fault = DepthLimit(f"more than {self.max_depth} {'call is' if self.max_depth == 1 else 'calls are'} pending")
        fault.diagnostic.span = calls[0].span
        fault.diagnostic.help = f"is the recursion endless? {setting('--max-depth', '`max_depth`')} sets the limit"
        return fault

    def memory_error(self) -> MemoryLimit:
        """The error of a run that exceeds `max_memory`."""
        size = self.max_memory or 0
        unit = next(unit for unit in _UNITS if size % _UNITS[unit] == 0 and (size or unit == "byte"))
        number = size // _UNITS[unit]
        plural = "s" if unit == "byte" and number != 1 else ""
        fault = MemoryLimit(f"the program takes more than {number} {unit}{plural} of memory")
        fault.diagnostic.help = f"{setting('--max-memory', '`max_memory`')} sets the limit"
        return fault


DEFAULT_LIMITS = Limits()


def is_pending(call: Call) -> bool:
    """Whether the caller continues after the call, which is not in tail position."""
    return is_local(call.then.target)


def _pending_calls(function: Function) -> list[Call]:
    transfers = (member.transfer for member in function.members())
    return [transfer for transfer in transfers if isinstance(transfer, Call) and is_pending(transfer)]


def _pending_callees(function: Function) -> list[Function]:
    return [call.callee for call in _pending_calls(function)]


@dataclass
class LimitedMemory:
    """A context in which the process gets no more memory than `limits` allow. Raises `MemoryLimit` if it needs more."""

    limits: Limits
    _before: tuple[int, int] | None = field(init=False, default=None)

    def __enter__(self) -> None:
        """Lower the limit of the operating system on the data of the process, which are all but its first stack."""
        used = Path("/proc/self/statm")
        if self.limits.max_memory is None or not used.exists():
            return
        import resource  # late: Windows does not have it

        self._before = resource.getrlimit(resource.RLIMIT_DATA)
        soft, hard = self._before
        size = int(used.read_text().split()[_DATA]) * resource.getpagesize() + self.limits.max_memory
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
