"""The functions that `atexit` registers: a program that registers some calls them when it ends."""

from __future__ import annotations

from cpsconv import ir
from cpsconv.entry import START, start_of
from cpsconv.erasure import copied
from cpsconv.operations.c_library import RUN_EXIT_HANDLERS


def with_exit_handlers(program: ir.Program) -> ir.Program:
    """A copy of an ordinary program that calls the functions at each `halt`, and after `main` returns.

    The program itself, if it registers none, or calls them already. To be called before the library is linked: its own
    functions end the program at once.
    """
    names = {each.name for each in program.externals}
    if "atexit" not in names or RUN_EXIT_HANDLERS in names:
        return program
    program = copied(program)
    run = ir.Function(RUN_EXIT_HANDLERS, [ir.Parameter(ir.ContinuationType(()), "ret")])
    program.externals.append(run)
    for function in program.functions:
        _before_halts(function, run)
    start = start_of(program, "main")
    if start and start.return_continuation:
        if start.name == START:
            start.name = f"{START}.body"
        program.functions.append(_around(start, run))
    return program


def _before_halts(function: ir.Function, run: ir.Function) -> None:
    """Call `run` before each `halt` of the function."""
    for member in [*function.members()]:
        for edge in member.transfer.edges if member.transfer else ():
            if edge.target is ir.HALT:
                ended = ir.Parameter(ir.INT, "status")
                halt = ir.Continuation("halted", [], [], ir.Jump(ir.Edge(ir.HALT, [ended])))
                edge.target = ir.Continuation("ending", [ended], [], ir.Call(run, [], ir.Edge(halt)))
                function.continuations += [edge.target, halt]


def _around(start: ir.Function, run: ir.Function) -> ir.Function:
    """A function that calls the given one, then `run`."""
    *parameters, ret = (ir.Parameter(each.type, each.name) for each in start.parameters)
    results = [ir.Parameter(type, "status") for type in start.ret.type.parameters]  # type: ignore[union-attr]
    done = ir.Continuation("done", [], [], ir.Jump(ir.Edge(ret, [*results])))
    ended = ir.Continuation("ended", results, [], ir.Call(run, [], ir.Edge(done)))
    transfer = ir.Call(start, [*parameters], ir.Edge(ended))
    return ir.Function(START, [*parameters, ret], [], transfer, start.span, [ended, done])
