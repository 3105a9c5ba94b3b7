"""The evaluation of a program: scopes and closures, statements, and transfers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import immediate_dominators
from cpsconv.core.analysis.graph import successors
from cpsconv.core.entry import Data, accepted, entry_of, require_no_external_data, return_type
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.printing import ByteStream, Printing, process_stream
from cpsconv.core.operations.runtime_errors import ProgramError, Undefined, defined
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import EFFECTS
from cpsconv.core.source import DiagnosticError, error

if TYPE_CHECKING:
    from cpsconv.core.evaluator.memory import Memory
    from cpsconv.core.operations.dialects import ForeignOperations

Externals = Mapping[str, Callable[..., Any]]
"""External functions by name, each a function from the memory and the arguments, which are defined, to the result."""

_NONE: Externals = {}


class Scope(metaclass=NodeType):
    """The values that one entry of a continuation defines, and the scope around it, None for a function."""

    continuation: ir.Continuation
    values: dict[ir.Value, Any]
    outer: Scope | None

    def find(self, value: ir.Value) -> Any:
        """The value at run time of a parameter or statement, from the innermost scope that defines it."""
        scope = self
        while value not in scope.values:
            assert scope.outer, "a value is used outside its scope"
            scope = scope.outer
        return scope.values[value]

    @property
    def function(self) -> ir.Continuation:
        """The function whose activation the scope belongs to."""
        return self.outer.function if self.outer else self.continuation

    def enclosing(self, continuation: ir.Continuation) -> Scope:
        """The innermost scope that is one of the continuation: this scope, or one around it."""
        scope = self
        while scope.continuation is not continuation:
            assert scope.outer, "a continuation is used outside its scope"
            scope = scope.outer
        return scope


class Closure(NamedTuple):
    """A continuation as a value: with the scope in which it is bound, None for a function or an external."""

    continuation: ir.Continuation | ir.External
    scope: Scope | None = None


Entry = tuple[Closure, Sequence[Any]]
"""The closure that a transfer enters, and the arguments."""


class End(NamedTuple):
    """The end of a run: the continuation of the environment that the program called, and the arguments.

    It is that of an external such as ``halt``, or ``return``, the return continuation of the first function.
    """

    continuation: str
    arguments: Sequence[Any]


class Ended(Exception):
    """A function that a foreign operation calls has ended the program; the argument is the `End`."""


def evaluate(
    program: ir.Program,
    entry: str | None = None,
    arguments: Sequence[Data] = (),
    *,
    output: ByteStream | None = None,
    errors: ByteStream | None = None,
    externals: Externals = _NONE,
) -> End:
    """Run a well-formed program from the function `entry` (see `entry_of`) to its end.

    Args:
        arguments: Values for the parameters of the entry, except the return continuation.
        output: The standard output of the program; by default, that of the process.
        errors: Its standard error, likewise.
        externals: The external functions that the program calls.

    Raises `DiagnosticError` if the entry does not exist, the number of arguments is wrong, or an external function or
    data are missing, and `ProgramError` if the program causes a runtime error.
    """
    if program.has_nested_functions or program.has_explicit_memory:
        from cpsconv.core.erasure import erased  # imported late, as below: many programs need none of it

        program = erased(program)
    require_no_external_data(program, "the evaluator")
    function = entry_of(program, entry)
    printing = Printing(output or process_stream(sys.stdout), errors or process_stream(sys.stderr))
    return Evaluation(program, printing, externals).start(function, accepted(function, arguments))


class Evaluation:
    """One run of a program, in which no function is nested and memory is not explicit."""

    def __init__(self, program: ir.Program, printing: Printing, externals: Externals) -> None:
        self.printing = printing
        self.externals = externals
        self.program = program
        self.dominators: dict[ir.Continuation, ir.Continuation] = {}
        for function in program.functions:
            self.dominators |= immediate_dominators(cast(ir.Continuation, function), successors)

    @cached_property
    def memory(self) -> Memory:
        """The objects of the run. Its first use creates those that exist from the start."""
        from cpsconv.core.evaluator.memory import Memory

        memory = Memory()
        memory.define(self.program)
        return memory

    @cached_property
    def foreign(self) -> ForeignOperations:
        """The foreign operations of the run."""
        from cpsconv.core.operations.dialects import ForeignOperations, Host

        return ForeignOperations(Host(self.program, self.memory.called, self.call, self.printing.write))

    def call(self, function: ir.Function, arguments: Sequence[Any]) -> Any:
        """The result of a function that a foreign operation calls, None without one."""
        end = self.start(function, arguments)
        if end.continuation != "return":
            raise Ended(end)
        return end.arguments[0] if end.arguments else None

    def start(self, function: ir.Function, arguments: Sequence[Any]) -> End:
        """Run from a function on, to its return or another end."""
        ret = [Closure(ir.External("return", returned))] if (returned := return_type(function)) else []
        return self.run(Closure(function), [*arguments, *ret])

    def run(self, closure: Closure, arguments: Sequence[Any]) -> End:
        """Enter continuation after continuation, until the program enters one of the environment.

        A runtime error is located at the last statement or transfer that has a location.
        """
        span = None
        try:
            while isinstance(continuation := closure.continuation, ir.Continuation):
                scope = Scope(continuation, dict(zip(continuation.parameters, arguments, strict=True)), closure.scope)
                for statement in continuation.body:
                    span = statement.span or span
                    scope.values[statement] = self.execute(statement, scope)
                if transfer := continuation.transfer:
                    span = transfer.span or span
                    closure, arguments = self.follow(transfer, scope)
                else:
                    closure, arguments = self.call_external(continuation, arguments)
            return End(continuation.name, [*map(defined, arguments)])
        except Ended as ended:
            return cast(End, ended.args[0])
        except ProgramError as fault:
            fault.locate(span)
            raise

    def execute(self, statement: ir.Statement, scope: Scope) -> Any:
        """The result of a statement."""
        values = [self.value(operand, scope) for operand in statement.operands]
        match statement:
            case ir.Primitive(of=ir.Foreign(text=text)) | ir.Effect(of=ir.Foreign(text=text)):
                return self.foreign.action(text, scope.function.name)(*values)
            case ir.Primitive(operands=(ir.Function() as function,)):
                return self.memory.pointer_of(function)
            case ir.Primitive():
                return operation(statement)(*values)
            case ir.Effect(op) if EFFECTS[op].is_on_memory:
                return self.memory.execute(statement, values)
            case ir.Effect(op):
                types = [operand.type for operand in statement.operands]
                read = self.memory.string if ir.PTR in types else None
                return self.printing.action(op, types, read)(*values)

    def follow(self, transfer: ir.Transfer, scope: Scope) -> Entry:
        """The closure that a transfer enters, and the arguments."""
        match transfer:
            case ir.Jump(edge):
                return self.along(edge, scope)
            case ir.Branch(condition, then, otherwise):
                return self.along(then if self.value(condition, scope) else otherwise, scope)
            case ir.Switch(value, cases, targets, default):
                case = defined(self.value(value, scope))
                return self.along(targets[cases.index(case)] if case in cases else default, scope)
            case ir.Call(callee, arguments, then, _, pointer):
                if pointer is not None:
                    callee = self.memory.function_at(self.value(pointer, scope), callee.type)
                return Closure(callee), [self.value(each, scope) for each in (*arguments, then.target)]
            case ir.ForeignTransfer(text, values, targets):
                choose = self.foreign.action(text, scope.function.name, len(targets))
                return self.along(targets[choose(*(self.value(each, scope) for each in values))], scope)

    def along(self, edge: ir.Edge, scope: Scope) -> Entry:
        """The closure at the end of an edge, and the arguments."""
        return self.value(edge.target, scope), [self.value(argument, scope) for argument in edge.arguments]

    def call_external(self, function: ir.Continuation, arguments: Sequence[Any]) -> Entry:
        """The return continuation of an external function, which is its last argument, and the result."""
        assert isinstance(function, ir.Function)
        *values, ret = arguments
        if function.name not in self.externals:
            message = f"the evaluator has no external function `{function.name}`"
            raise DiagnosticError([error(message, function.span, rule="external")])
        result = self.externals[function.name](self.memory, *map(defined, values))
        return ret, [] if function.result is ir.VOID else [result]

    def value(self, value: ir.Value, scope: Scope) -> Any:
        """The value at run time of an operand, argument or target in a scope."""
        match value:
            case ir.Parameter() | ir.Primitive() | ir.Effect():
                return scope.find(value)
            case ir.Constant(type, literal):
                return normalised(type, literal)
            case ir.Undef():
                return Undefined(value)
            case ir.Data():
                return self.memory.pointer_of(value)
            case ir.External() | ir.Function():
                return Closure(value)
            case ir.Continuation():
                return Closure(value, scope.enclosing(self.dominators[value]))
