"""The engine `llvm`: runs a program as native code, which LLVM compiles from the emitted IR (`cpsconv.targets.llvm`).

The program is compiled in this process and runs in a child process (`child`). If the output streams are files, the
child writes to these files; otherwise to temporary files, whose content is copied at the end.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NoReturn

from cpsconv.core.entry import Data, accepted, data_parameters, result_type
from cpsconv.core.generated import digest_of, kept
from cpsconv.core.ir import Constant, Effect, Function, Program, Scalar, Type
from cpsconv.core.operations.formats import misfits
from cpsconv.core.operations.leaks import Leaks
from cpsconv.core.operations.odd_types import standard_type
from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import STANDARD_ERROR, Diagnostic, DiagnosticError, error
from cpsconv.engines.llvm.child import ChildFailed, add_to_report, end, in_child
from cpsconv.engines.llvm.code_model import code_model
from cpsconv.engines.llvm.helpers import LOOKUP
from cpsconv.engines.llvm.host import HostSupport, NativeBudget
from cpsconv.engines.llvm.native_objects import NativeObjects
from cpsconv.engines.machine.call_chain import complete
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limited, Limits
from cpsconv.engines.machine.machine import Aborted, Halted, Outcome, Returned, add_null_origin
from cpsconv.engines.processes import OutputFile
from cpsconv.targets.llvm import ENTRY, llvm

STACK_SIZE = 1 << 30  # bytes
SPARE_MEMORY = 1 << 26  # bytes for what the host needs beside the objects of the program
_ERRORS = ("fault", "memory fault")
"""The kinds of reports of runtime errors."""

NO_SYMBOLS: Mapping[str, int] = MappingProxyType({})

LARGE_TEXT = 1 << 18
"""The length of the text of a large module: its code is generated faster, and runs a little slower."""

KEPT_TEXT = 1 << 16
"""The length of the text of a module whose code is kept: it calls functions of the library, which are compiled."""

MAX_OPTIMISED = 2_000
"""The number of continuations of a function that LLVM optimises. In larger functions, it may take minutes."""


def c_type(type: Type) -> Any:
    """The type of `ctypes` for a type; None for `VOID`."""
    assert isinstance(type, Scalar)
    type = standard_type(type)
    if type.kind == "integer":
        return getattr(ctypes, f"c_{'' if type.signed else 'u'}int{type.bits}")
    if type.kind == "float":
        return ctypes.c_float if type.bits == 32 else ctypes.c_double
    return {"bool": ctypes.c_bool, "string": ctypes.c_char_p, "void": None}[type.kind]


def prepare(program: Program, entry: Function) -> Compiled:
    """The program as native code. Raises `DiagnosticError` if LLVM IR cannot express it, or llvmlite is missing."""
    if mismatches := [*_format_mismatches(program)]:
        raise DiagnosticError(mismatches)
    support = HostSupport()
    text = llvm(program, ascii=True, entry=entry, support=support, memory=support.memory)
    is_large = max(len(function.continuations) for function in program.functions) > MAX_OPTIMISED
    later = LOOKUP if support.checked_memory.is_used else ""
    level = 0 if is_large else 1 if later else 2
    symbols = {**support.symbols, **support.checked_memory.symbols}
    return Compiled(compiled(text, level, later, symbols), support, program, entry)


def compiled(text: str, optimisation: int = 2, later: str = "", symbols: Mapping[str, int] = NO_SYMBOLS) -> Any:
    """The execution engine of LLVM with the machine code of the module, optimised to that level.

    `symbols` has the addresses of functions and data of the host. The module `later` is linked, and inlined, after the
    optimisation. Level 1 leaves out what costs more time to compile than checked code gains.

    Raises `DiagnosticError` if this process cannot use LLVM.
    """
    binding = _binding()
    if re.search(_CALLS_LIBRARY, text):
        _load(binding)
    for name, address in symbols.items():
        binding.add_symbol(name, address)
    model = code_model()
    machine = binding.Target.from_default_triple().create_target_machine(opt=optimisation, **model)

    is_kept = later and len(text) >= KEPT_TEXT
    module = binding.parse_assembly("" if is_kept else text)  # in which the engine finds static constructors

    def code() -> bytes:
        whole = binding.parse_assembly(text) if is_kept else module
        return _code(binding, whole, machine, optimisation, later, len(text) > LARGE_TEXT)

    key = optimisation, machine.triple, str(machine.target_data), model, text, later
    emitted = _kept(binding, key, code) if is_kept else code()
    engine = binding.create_mcjit_compiler(module, machine)
    engine.set_object_cache(getbuffer_func=lambda _: emitted)  # the engine would compile the module again
    engine.finalize_object()
    return engine


def _binding() -> Any:
    """The interface of llvmlite, initialised. Raises `DiagnosticError` if this process cannot use LLVM."""
    if not hasattr(os, "fork"):
        raise DiagnosticError([error("the engine llvm requires a POSIX system", rule="tool")])
    try:
        from llvmlite import binding
    except ImportError:
        cure = "install it with `pip install llvmlite`, or choose the engine python"
        raise DiagnosticError(
            [error("the engine llvm requires the package llvmlite", help=cure, rule="tool")]
        ) from None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


def _kept(binding: Any, key: tuple[object, ...], code: Callable[[], bytes]) -> bytes:
    """The code, which the cache of the user keeps under a key that determines it, with the versions of all tools."""
    from hashlib import blake2b  # late, as short programs need no key

    whole = repr((digest_of(("cpsconv/engines/llvm",)), binding.llvm_version_info, *key))
    digest = blake2b(whole.encode(), digest_size=16).hexdigest()
    return kept("native", digest, code)


def _code(binding: Any, module: Any, machine: Any, optimisation: int, later: str, is_large: bool) -> bytes:
    """The object file of the module, optimised."""
    module.verify()
    module.data_layout = str(machine.target_data)  # versions of LLVM describe the same layout differently
    _optimise(binding, module, machine, optimisation, later)
    with _options(binding, _code_generation(optimisation, is_large)):
        code: bytes = machine.emit_object(module)
    return code


def _optimise(binding: Any, module: Any, machine: Any, optimisation: int, later: str) -> None:
    """Optimise the module, and link and inline the module `later`.

    At level 1, only functions that must be inlined are inlined, and then each function is simplified once. LLVM's
    passes for modules take as long again, most of it to optimise the same functions a second time.
    """
    options = binding.create_pipeline_tuning_options(speed_level=optimisation)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = optimisation > 1
    builder = binding.create_pass_builder(machine, options)
    if optimisation == 1:
        _inlining(binding).run(module, builder)
        passes = builder.getFunctionPassManager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
    else:
        builder.getModulePassManager().run(module, builder)
    if later:
        module.link_in(binding.parse_assembly(later))
        _inlining(binding).run(module, builder)


def _code_generation(optimisation: int, is_large: bool) -> Iterator[tuple[str, bool]]:
    """The options of code generation with their values: a faster selection of instructions, and fewer passes."""
    if optimisation == 1:
        yield "disable-lsr", True
        yield "enable-misched", False
    if optimisation == 0 or (optimisation == 1 and is_large):
        yield "fast-isel", True
    if optimisation == 1 and is_large:
        yield "disable-cgp", True
        yield "disable-copyprop", True


@contextmanager
def _options(binding: Any, options: Iterable[tuple[str, bool]]) -> Iterator[None]:
    """A context in which options of LLVM have these values, which hold for the whole process, instead of the others."""
    options = [*options]
    try:
        _set_options(binding, options)
        yield
    finally:
        _set_options(binding, [(option, not value) for option, value in options])


def _set_options(binding: Any, options: Iterable[tuple[str, bool]]) -> None:
    for option, value in options:
        binding.set_option("cpsconv", f"-{option}={str(value).lower()}")


def _inlining(binding: Any) -> Any:
    """The passes that inline what must be, and remove unused functions."""
    passes = binding.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    return passes


_CALLS_LIBRARY = r"(?:div|rem|tofp) i128"
"""The instructions on 128 bits for which LLVM calls functions of the compiler's library."""


def _load(binding: Any) -> None:
    """Load the compiler's library."""
    try:
        binding.load_library_permanently("libgcc_s.so.1")
    except RuntimeError as failure:
        message = f"the engine llvm cannot divide or convert integers of 128 bits: {failure}"
        raise DiagnosticError([error(message, help="choose another engine", rule="tool")]) from None


def _format_mismatches(program: Program) -> Iterator[Diagnostic]:
    """Errors for formats that do not match their arguments; the C library would not detect them."""
    for statement in program.statements():
        if isinstance(statement, Effect) and statement.op == "printf" and _is_misfit(statement):
            message = "the engine llvm cannot run a `printf` whose format does not match"
            yield error(message, statement.span, rule="not-expressible")


def _is_misfit(effect: Effect) -> bool:
    """Whether the constant format does not match. (Other formats are not expressible, which is reported separately.)"""
    format, *values = effect.operands
    return isinstance(format, Constant) and any(misfits(str(format.value), [value.type for value in values]))


@dataclass(frozen=True)
class Compiled:
    """A program as machine code, which the execution `engine` of LLVM contains."""

    engine: Any
    support: HostSupport
    program: Program
    entry: Function

    def __call__(
        self,
        arguments: Sequence[Data],
        *,
        output: ByteStream,
        errors: ByteStream,
        limits: Limits = DEFAULT_LIMITS,
        leaks: Leaks | None = None,
    ) -> Outcome:
        """Run the program as `cpsconv.engines.machine.machine.evaluate` does. It takes no memory but its stack.

        Raises `DiagnosticError` if the process of the program cannot be started.
        """
        values = accepted(self.entry, arguments)
        output.flush()
        errors.flush()
        with ExitStack() as stack:
            files = [stack.enter_context(OutputFile(stream)) for stream in (output, errors)]
            descriptors, stack_size = [file.descriptor for file in files], limits.max_memory or STACK_SIZE
            try:
                (kind, value, *fault), addition = in_child(
                    lambda: self._call(values, limits, leaks is not None), descriptors, stack_size
                )
            except MemoryError:
                raise replace(limits, max_memory=stack_size).memory_error() from None
            except ChildFailed as failure:
                message = f"the engine llvm cannot run the program: {failure}"
                raise DiagnosticError([error(message, help="choose another engine", rule="tool")]) from None
        if kind == "output":
            raise limits.output_error()
        if kind == "depth":
            raise limits.depth_error(self.program, [*self.program.externals, *self.program.functions][value])
        if kind in _ERRORS:
            self._raise(values, limits, addition, kind, value, *fault)
        outcome = self._outcome(kind, value)
        if leaks is not None and addition:
            sites = self.support.checked_memory.sites
            leaks.update({(sites[site].span, size): count for (site, size), count in addition.items()})
        return outcome

    def _call(self, values: Sequence[Data], limits: Limits, has_leaks: bool) -> None:
        """Call the entry, and report its result, with the leaks if `has_leaks`."""
        types = [c_type(parameter.type) for parameter in data_parameters(self.entry)]
        prototype = ctypes.CFUNCTYPE(c_type(result_type(self.entry)), *types, ctypes.c_uint32, use_errno=True)
        function = prototype(self.engine.get_function_address(ENTRY))
        data = (value.encode("latin-1") if isinstance(value, str) else value for value in values)
        if limits.max_memory is not None:
            Limited(replace(limits, max_memory=limits.max_memory + SPARE_MEMORY)).__enter__()
        budget = NativeBudget(self.engine, limits.max_output)
        objects: NativeObjects | None = None
        if self.support.checked_memory.is_used:
            objects = NativeObjects(self.support.checked_memory, self.engine, limits.max_memory, budget)
            objects.define()

        def addition(kind: str) -> object:
            if kind in _ERRORS:
                return self.support.recorded_calls(self.engine)
            return objects.leaks() if objects and has_leaks and kind in ("return", "exit") else None

        add_to_report(addition)
        value = function(*data, min(limits.max_depth, 2**32 - 1))
        end("return", value.decode("latin-1") if isinstance(value, bytes) else value)

    def _raise(
        self, arguments: Sequence[Data], limits: Limits, calls: tuple[int, list[int]], kind: str, *report: Any
    ) -> NoReturn:
        """Raise the runtime error in a report, with the pending calls."""
        if kind == "memory fault":
            error_type, message, site, notes = report
            sites = self.support.checked_memory.sites
            fault: ProgramError = error_type(message, [(text, sites[number].span) for text, number in notes])
            fault.diagnostic.span = sites[site].span
        else:
            fault = self.support.fault(*report)
        complete(fault, self.support.pending_calls(*calls))
        add_null_origin(fault, self.program, self.entry, arguments, limits)
        raise fault

    def _outcome(self, kind: str, value: Any) -> Outcome:
        if kind == "lost":
            raise OSError(value, os.strerror(value))
        if kind == "lost errors":
            raise OSError(value, os.strerror(value), STANDARD_ERROR)
        if kind == "abort":
            return Aborted()
        return Halted(value & 0xFF) if kind == "exit" else Returned(value, result_type(self.entry))
