"""The functions that a program calls when it ends: those that `atexit` registers, and the handler of SIGABRT."""

from __future__ import annotations

from cpsconv.core import ir
from cpsconv.core.entry import START, start_of
from cpsconv.core.erasure import copied
from cpsconv.platform.prototypes import RUN_ABORT_HANDLER, RUN_EXIT_HANDLERS


def with_exit_handlers(program: ir.Program) -> ir.Program:
    """A copy of an ordinary program that calls the functions at each `halt` and `abort`, and after `main` returns.

    The program itself, if it registers none, or calls them already. To be called before the library is linked: its own
    functions end the program at once.
    """
    names = {each.name for each in program.externals}
    at_exit = "atexit" in names and RUN_EXIT_HANDLERS not in names
    at_abort = not names.isdisjoint(["signal", "sigaction"]) and RUN_ABORT_HANDLER not in names
    if not at_exit and not at_abort:
        return program
    program = copied(program)
    if at_abort:
        _before(ir.ABORT, program, _declared(RUN_ABORT_HANDLER, program))
    if not at_exit:
        return program
    run = _declared(RUN_EXIT_HANDLERS, program)
    _before(ir.HALT, program, run)
    start = start_of(program, "main")
    if start and start.return_continuation:
        if start.name == START:
            start.name = f"{START}.body"
        program.functions.append(_around(start, run))
    return program


def _declared(name: str, program: ir.Program) -> ir.Function:
    """The external function with the name, declared in the program."""
    function = ir.Function(name, [ir.Parameter(ir.ContinuationType(()), "ret")])
    program.externals.append(function)
    return function


def _before(end: ir.External, program: ir.Program, run: ir.Function) -> None:
    """Call `run` before each jump to `end`, of all functions of the program."""
    assert isinstance(end.type, ir.ContinuationType)
    for function in program.functions:
        transfers = [member.transfer for member in function.members() if member.transfer]
        for edge, span in [(edge, transfer.span) for transfer in transfers for edge in transfer.edges]:
            if edge.target is end:
                parameters = [ir.Parameter(type, "status") for type in end.type.parameters]
                halt = ir.Continuation("halted", [], [], ir.Jump(ir.Edge(end, [*parameters])))
                edge.target = ir.Continuation("ending", parameters, [], ir.Call(run, [], ir.Edge(halt), span=span))
                function.continuations += [edge.target, halt]


def _around(start: ir.Function, run: ir.Function) -> ir.Function:
    """A function that calls the given one, then `run`."""
    *parameters, ret = (ir.Parameter(each.type, each.name) for each in start.parameters)
    results = [ir.Parameter(type, "status") for type in start.ret.type.parameters]  # type: ignore[union-attr]
    done = ir.Continuation("done", [], [], ir.Jump(ir.Edge(ret, [*results])))
    ended = ir.Continuation("ended", results, [], ir.Call(run, [], ir.Edge(done)))
    transfer = ir.Call(start, [*parameters], ir.Edge(ended))
    return ir.Function(START, [*parameters, ret], [], transfer, start.span, [ended, done])
