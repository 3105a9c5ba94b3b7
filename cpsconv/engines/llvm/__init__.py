"""Runs a program natively: LLVM compiles the IR that we emit (`cpsconv.emit.llvm`), optimised, in this process.

What was compiled runs in another process, a fork of this one. It may abort, exhaust its stack or be interrupted without
end, as native programs do, and it writes by the C library, whose buffers nobody else is to flush. Where our streams are
files, it writes to these directly; else to temporary ones, that are copied at the end. How it ends, it tells on a pipe.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO

from cpsconv.emit.llvm import ENTRY, llvm_for_host
from cpsconv.engines.llvm.host import CHANNEL, HostSupport
from cpsconv.entry import Data, accepted, data_parameters, return_type
from cpsconv.evaluator import Aborted, ByteStream, Halted, Outcome, Returned
from cpsconv.ir import VOID, Constant, Effect, Function, Program, Scalar, Type
from cpsconv.operations.formats import slots
from cpsconv.source import Diagnostic, DiagnosticError, error

_LEVEL = 2  # of optimisation
_STACK = 1 << 30  # bytes

C_TYPES: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "char": ctypes.c_int8,
    "signed char": ctypes.c_int8,
    "unsigned char": ctypes.c_uint8,
    "short": ctypes.c_int16,
    "unsigned short": ctypes.c_uint16,
    "int": ctypes.c_int32,
    "unsigned": ctypes.c_uint32,
    "long": ctypes.c_int64,
    "unsigned long": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "string": ctypes.c_char_p,
    "void": None,
}


def prepare(program: Program, entry: Function) -> Compiled:
    """The program as native code. Raises `DiagnosticError` where LLVM IR cannot say it, or there is no LLVM."""
    if complaints := [*_unfit_formats(program)]:
        raise DiagnosticError(complaints)
    support = HostSupport()
    text = llvm_for_host(program, entry, support)
    return Compiled(_compiled(text), support, entry)


def _compiled(text: str) -> Any:
    """LLVM's engine that has the machine code of a module."""
    if not hasattr(os, "fork"):
        raise DiagnosticError([error("the engine llvm needs a POSIX system")])
    try:
        from llvmlite import binding
    except ImportError:
        cure = "`pip install llvmlite` installs it; the engine python needs nothing"
        raise DiagnosticError([error("the engine llvm needs the package llvmlite", help=cure)]) from None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(text)
    machine = binding.Target.from_default_triple().create_target_machine(opt=_LEVEL)
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=_LEVEL))
    builder.getModulePassManager().run(module, builder)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _unfit_formats(program: Program) -> Iterator[Diagnostic]:
    """Complaints about formats that do not fit what is printed, which the C library would not notice."""
    for function in program.functions:
        for member in function.members():
            for statement in member.body:
                if isinstance(statement, Effect) and statement.op == "printf" and not _fits(statement):
                    yield error("the engine llvm cannot run a `printf` whose format does not fit", statement.span)


def _fits(effect: Effect) -> bool:
    format, *values = effect.operands
    if not isinstance(format, Constant):
        return True  # which is complained about elsewhere
    try:
        taken = slots(str(format.value))
    except ValueError:
        return False
    return len(taken) <= len(values) and all(
        _kind(slot.type) == _kind(value.type) for slot, value in zip(taken, values, strict=False)
    )


def _kind(type: Type) -> str:
    assert isinstance(type, Scalar)
    return "integer" if type.kind == "bool" else type.kind


@dataclass(frozen=True)
class Compiled:
    """A program as machine code, which LLVM's `engine` has."""

    engine: Any
    support: HostSupport
    entry: Function

    def __call__(self, arguments: Sequence[Data], *, output: ByteStream, errors: ByteStream) -> Outcome:
        """Run it, as `cpsconv.evaluator.evaluate` does. Raises `MemoryError` where recursion is too deep."""
        values = accepted(self.entry, arguments)
        output.flush()
        errors.flush()
        with ExitStack() as stack:
            files = [stack.enter_context(_File(stream)) for stream in (output, errors)]
            told, status = _in_child(lambda: self._call(values), [file.descriptor for file in files])
        return self._outcome(told, status)

    def _call(self, values: Sequence[Data]) -> None:
        """Call the entry, and tell what it returned."""
        returned = return_type(self.entry)
        result = str(returned.parameters[0]) if returned and returned.parameters else "void"
        types = [C_TYPES[str(parameter.type)] for parameter in data_parameters(self.entry)]
        function = ctypes.CFUNCTYPE(C_TYPES[result], *types)(self.engine.get_function_address(ENTRY))
        value = function(*(value.encode("latin-1") if isinstance(value, str) else value for value in values))
        ctypes.CDLL(None).fflush(None)
        value = value.decode("latin-1") if isinstance(value, bytes) else value
        os.write(CHANNEL, b"return " + pickle.dumps(value))

    def _outcome(self, told: bytes, status: int) -> Outcome:
        word, _, rest = told.partition(b" ")
        if word == b"fault":
            raise self.support.fault(rest.decode())
        if word == b"exit":
            return Halted(int(rest) & 0xFF)
        if word == b"return":
            returned = return_type(self.entry)
            return Returned(pickle.loads(rest), returned.parameters[0] if returned and returned.parameters else VOID)
        if status == -signal.SIGABRT:
            return Aborted()
        if status == -signal.SIGPIPE:
            raise BrokenPipeError
        if status == -signal.SIGINT:
            raise KeyboardInterrupt
        raise MemoryError  # what is left is a stack that was too small, or a system that had no more memory


class _File:
    """The file that a stream writes to; or one whose content the stream gets in the end."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._copied: BinaryIO | None = None

    def __enter__(self) -> _File:
        try:
            self.descriptor: int = self._stream.fileno()  # type: ignore[attr-defined]
        except (AttributeError, OSError):
            self._copied = tempfile.TemporaryFile()
            self.descriptor = self._copied.fileno()
        return self

    def __exit__(self, *_: object) -> None:
        if self._copied:
            with self._copied as file:
                file.seek(0)
                self._stream.write(file.read())
                self._stream.flush()


def _in_child(call: Callable[[], None], outputs: Sequence[int]) -> tuple[bytes, int]:
    """Call a function in a child that writes to these files: what it tells on the channel, and its exit code."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads that hold locks: the child needs none of them
        child = os.fork()
    if child == 0:
        try:
            _be_child(call, outputs, writing)
        finally:
            os._exit(1)
    os.close(writing)
    try:
        with open(reading, "rb") as channel:
            told = channel.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    _, status = os.waitpid(child, 0)
    return told, os.waitstatus_to_exitcode(status)


def _be_child(call: Callable[[], None], outputs: Sequence[int], channel: int) -> None:
    """Call a function in a thread that has a large stack. Signals end the process, as they do in C."""
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGABRT, signal.SIGSEGV):
        signal.signal(number, signal.SIG_DFL)
    copies = [*map(os.dup, (*outputs, channel))]  # since one may be where another is to be
    os.close(channel)
    for descriptor, target in zip(copies, (1, 2, CHANNEL), strict=True):
        os.dup2(descriptor, target)
    threading.stack_size(_STACK)
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
