"""The activations of functions that call `setjmp`: the calls during which `longjmp` can continue there.

The program that runs begins an activation at the start of each such function, and ends it before each return. Then a
buffer that refers to the activation has no continuation any more.
"""

from __future__ import annotations

from cpsconv.abi.attributes import SETJMP, is_setjmp
from cpsconv.abi.prototypes import BEGIN_ACTIVATION, END_ACTIVATION
from cpsconv.core import ir
from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.erasure import copied
from cpsconv.core.source import DiagnosticError, error


def with_activations(program: ir.Program) -> ir.Program:
    """A copy of an ordinary program with activations; the program itself if it needs none, or has them.

    Raises `DiagnosticError` if `setjmp` is a value.
    """
    names = {each.name for each in program.externals}
    if SETJMP not in names or BEGIN_ACTIVATION in names:
        return program
    for statement in program.statements():
        if any(map(is_setjmp, statement.operands)):
            message = "`setjmp` can only be called: it is no function at an address"
            raise DiagnosticError([error(message, statement.span, rule="external")])
    program = copied(program)
    begin, end = (_external(name) for name in (BEGIN_ACTIVATION, END_ACTIVATION))
    program.externals += [begin, end]
    for function in program.functions:
        if is_reentered(function):
            _begin(function, begin)
            _end(function, end)
    return program


def _external(name: str) -> ir.Function:
    return ir.Function(name, [ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")])


def _begin(function: ir.Function, begin: ir.Function) -> None:
    """Begin an activation at the start of the function."""
    start = ir.Continuation("start", [ir.Parameter(ir.INT, "activation")], function.body, function.transfer)
    function.continuations.insert(0, start)
    function.body, function.transfer = [], ir.Call(begin, [], ir.Edge(start))


def _end(function: ir.Function, end: ir.Function) -> None:
    """End the activation before each return."""
    ret = function.return_continuation
    if ret is None:
        return
    assert isinstance(ret.type, ir.ContinuationType)
    leave = ir.Continuation("leave", [ir.Parameter(type, "result") for type in ret.type.parameters])
    done = ir.Continuation("done", [ir.Parameter(ir.INT, "activations")])
    done.transfer = ir.Jump(ir.Edge(ret, [*leave.parameters]))
    leave.transfer = ir.Call(end, [], ir.Edge(done))
    is_reached = False
    for member in function.members():
        transfer = member.transfer
        assert transfer
        if ret in transfer.uses:
            is_reached = True
            replace_in_transfer(transfer, lambda value: leave if value is ret else value)
            for edge in transfer.edges:
                if edge.target is ret:
                    edge.target = leave
    if is_reached:
        function.continuations += [leave, done]
