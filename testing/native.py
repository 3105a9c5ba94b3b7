"""Observable behaviour of programs as LLVM IR, compiled by llvmlite: the counterpart of `testing.running`.

All programs run in one process (this module, as a script), each in a fork of it.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import IO, Any, NoReturn

from cpsconv import Program
from cpsconv.abi.attributes import symbol_of
from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.entry import START, data_parameters, entry_of, is_main
from cpsconv.core.erasure import erased
from cpsconv.core.ir import SCALARS, VOID
from cpsconv.engines.llvm import c_type, compiled
from cpsconv.targets.llvm import llvm
from testing.expectations import ROOT, Observation

_SECONDS = 120


@dataclass(frozen=True)
class Ended:
    """What a program wrote, and how it ended: with that status, or by that signal, negated."""

    output: str
    errors: str
    code: int

    def observation(self) -> Observation:
        """The same, as the evaluator's runs are observed."""
        if self.code == 3 and "runtime error: " in self.errors:
            return Observation(self.output, "error")
        return Observation(self.output, "abort" if self.code == -signal.SIGABRT else self.code)


def observe_all(runs: Sequence[tuple[Program, Sequence[str]]], optimise: int = 0) -> list[Observation]:
    """What programs do with their arguments."""
    return [ended.observation() for ended in run_all(runs, optimise)]


def run_all(runs: Sequence[tuple[Program, Sequence[str]]], optimise: int = 0) -> list[Ended]:
    """Run programs with their arguments. Each module is verified, and LLVM optimises it to that level."""
    jobs = []
    for program, arguments in runs:
        program = _with_one_main(with_command_line(erased(program)))
        entry = entry_of(program)
        types = [str(parameter.type) for parameter in data_parameters(entry)]
        values = parse_arguments(entry, arguments)
        returned = "int" if is_main(entry.name) else str(entry.result)
        symbol = symbol_of(entry)
        text = llvm(program).replace(" thread_local ", " ")  # llvmlite loads no thread-local variables
        jobs.append([text, symbol, list(zip(types, values, strict=True)), returned, optimise])
    process = _process()
    assert process.stdin and process.stdout
    print(json.dumps(jobs), file=process.stdin, flush=True)
    return [Ended(*ended) for ended in json.loads(process.stdout.readline())]


@cache
def _process() -> subprocess.Popen[str]:
    """The process that runs programs, until this one ends."""
    command = [sys.executable, "-m", "testing.native"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    atexit.register(process.communicate)
    return process


def _with_one_main(program: Program) -> Program:
    """The program, in which the function that starts `main`, if there is one, is the external function `main`."""
    start, main = program.function(START), program.function("main")
    if start and main:
        start.name, main.name = main.name, "program.main"
    return program


def object_code(text: str) -> bytes:
    """The object file of a module, optimised by LLVM."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(text)
    machine = binding.Target.from_default_triple().create_target_machine(opt=2, reloc="pic", codemodel="small")
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2))
    module.data_layout = str(machine.target_data)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


# ------------------------------------------------------------------------------------------------- in the other process


def _observed(job: list[Any]) -> tuple[str, str, int]:
    """Run one program in a fork: what it writes, and how it ends."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            signal.alarm(_SECONDS)
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            _run(*job)
        _, status = os.waitpid(child, 0)
        return _content(output), _content(errors), os.waitstatus_to_exitcode(status)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("latin-1")


def _run(text: str, entry: str, arguments: list[tuple[str, Any]], returned: str, optimise: int) -> NoReturn:
    """Compile a module and call its entry; the value of one that is not `main` is printed.

    The process ends before the code is freed, since detached threads may still execute it.
    """
    with compiled(text, optimise) as engine:
        engine.run_static_constructors()
        types = [c_type(SCALARS[type]) for type, _ in arguments]
        address = engine.get_function_address(entry)
        values = [value.encode("latin-1") if isinstance(value, str) else value for _, value in arguments]
        value = ctypes.CFUNCTYPE(c_type(SCALARS.get(returned, VOID)), *types)(address)(*values)
        ctypes.CDLL(None).fflush(None)
        if is_main(entry):
            os._exit(int(value) & 0xFF)
        if value is not None:
            data = value.decode("latin-1") if isinstance(value, bytes) else value
            os.write(1, f"{shown_data(data)}\n".encode())
        os._exit(0)


def _main() -> None:
    compiled("")  # loads LLVM, before the forks
    for library in ("libgcc_s.so.1", "libm.so.6"):  # with which a compiler links every program, or this one
        ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
    for jobs in sys.stdin:
        print(json.dumps([_observed(job) for job in json.loads(jobs)]), flush=True)


if __name__ == "__main__":
    _main()
