"""The translation of a structured function (`cpsconv.targets.structuring.tree`) to statements of C (`tree`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, cast

from cpsconv.abi.attributes import LONGJMP, SETJMP
from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.operations.table import COPY, traps
from cpsconv.targets.c.expressions import Expressions
from cpsconv.targets.c.items import returns_struct
from cpsconv.targets.c.library import LIBRARY
from cpsconv.targets.c.names import returns_status
from cpsconv.targets.c.tree import Block, If, Line, Loop, Switch, inside_out, is_silent
from cpsconv.targets.c.tree import Statement as Node
from cpsconv.targets.structuring import tree as s
from cpsconv.targets.structuring.decisions import negation, tests
from cpsconv.targets.structuring.parallel_copies import Copy, sequentialised
from cpsconv.targets.structuring.structurer import structure
from cpsconv.targets.structuring.variables import Variable, Variables

_BREAK = "break"

_EXITS = {ir.HALT: ("exit", "stdlib.h"), ir.ABORT: ("abort", "stdlib.h"), LONGJMP: ("longjmp", "setjmp.h")}
"""The functions that do not return, with their headers."""

_BUFFER = LIBRARY[SETJMP].parameters[0]
"""The declaration of the pointer that `longjmp` takes."""


class Statements:
    """Writes the statements of one function, whose variables are given.

    `objects` are the pointers whose variable is the object itself: an allocation, or a struct that is passed by value.
    """

    def __init__(
        self, variables: Variables, expressions: Expressions, objects: Collection[ir.Value] = frozenset()
    ) -> None:
        self._variables = variables
        self._objects = objects
        self._text_plan = variables.text_plan
        self._expressions = expressions
        self._labels: dict[ir.Continuation, str] = {}
        graph = variables.graph
        self._sources = {id(edge): member for member in graph.members for edge in graph.edges(member)}
        self._structure = structure(variables.function, graph)
        self._pending: list[tuple[s.Block, Block]] = []
        self._header_of: dict[Loop, ir.Continuation] = {}
        self._lines: dict[type, Callable[[Any], Iterable[Line]]] = {
            s.BasicBlock: self._basic_block,
            s.Pass: self._pass,
            s.CallStatement: self._call,
            s.Leave: self._leave,
            s.Break: lambda node: [Line(_BREAK)],
            s.Continue: lambda node: [Line("continue")],
            s.Goto: lambda node: [Line(f"goto {self._label(node.target)}")],
            s.Label: self._labelled,
        }

    def body(self) -> Block:
        """The statements of the whole function."""
        body: Block = []
        self._pending.append((self._structure.body, body))
        while self._pending:
            source, block = self._pending.pop()
            for node in source:
                self._add(node, block)
        for block in inside_out(body):
            self._tidy(block)
        if body and isinstance(body[-1], Line) and body[-1].text == "return":
            body.pop()
        return body

    def _add(self, node: s.Statement, block: Block) -> None:
        if isinstance(node, s.If):
            choice = If(node.condition, self._read_by(*(test.value for test in tests(node.condition))))
            self._pending += [(node.then, choice.then), (node.otherwise, choice.otherwise)]
            block.append(choice)
        elif isinstance(node, s.Loop):
            loop = Loop()
            self._header_of[loop] = node.header
            self._pending.append((node.body, loop.body))
            block.append(loop)
        elif isinstance(node, s.Select):
            block.append(self._switch(node))
        else:
            block += self._lines[type(node)](node)

    def _switch(self, node: s.Select) -> Switch:
        type = node.value.type
        assert isinstance(type, ir.Scalar)
        arms: list[tuple[list[str], Block]] = []
        for arm in node.arms:
            body: Block = []
            self._pending.append((arm.body, body))
            arms.append(([self._expressions.value(ir.Constant(type, case)) for case in arm.cases], body))
        return Switch(self._expressions.value(node.value), self._read_by(node.value), arms)

    # --------------------------------------------------------------------------------------------------------- shapes

    def _tidy(self, block: Block) -> None:
        """Simplify the statements of a block whose inner blocks are done, as a programmer would write them."""
        for index, statement in enumerate(block):
            if isinstance(statement, Loop):
                self._simplify_loop(statement)
            elif isinstance(statement, Switch):
                if _only_breaks(statement.arms[-1][1]):
                    statement.arms.pop()
            elif isinstance(statement, If):
                block[index] = self._simplified(statement)
        if returns_struct(self._variables.function):
            self._return_directly(block)

    def _return_directly(self, block: Block) -> None:
        """``return f(x);`` for ``result = f(x); return result;`` at the end of a block."""
        *_, assignment, last = [Line(""), Line(""), *(each for each in block if not is_silent(each))]
        result = self._variables.of(self._variables.function.parameters[0])
        if not isinstance(assignment, Line) or not isinstance(last, Line) or assignment.assigned is not result:
            return
        if last.text == f"return {result.name}":
            assignment.text = assignment.text.replace(f"{result.name} =", "return", 1)
            assignment.assigned, assignment.referenced = None, assignment.referenced[1:]
            block.remove(last)

    def _simplified(self, statement: If) -> Node:
        """The statement as an `if` with a non-empty `then`, as an assertion, or as the evaluation of its condition."""
        if not all(map(is_silent, statement.then)):
            return self._as_assertion(statement) or statement
        if all(map(is_silent, statement.otherwise)):
            text = ""
            if any(self._must_evaluate(test.value) for test in tests(statement.condition)):
                text = f"(void)({self._expressions.condition(statement.condition)})"
            return Line(text, statement.referenced)
        statement.condition = negation(statement.condition)
        statement.then, statement.otherwise = statement.otherwise, statement.then
        return statement

    def _simplify_loop(self, loop: Loop) -> None:
        """Convert the loop to ``while`` if it begins with a test that leaves it, to ``do`` if it ends with one."""
        for at_end in (False, True):
            shown = [statement for statement in loop.body if not is_silent(statement)]
            test = shown[-1 if at_end else 0] if shown else None
            if not isinstance(test, If) or not _only_breaks(test.then) or not all(map(is_silent, test.otherwise)):
                continue
            if not at_end or self._header_of[loop] not in self._structure.continued_loops:
                loop.condition, loop.at_end, loop.referenced = negation(test.condition), at_end, test.referenced
                loop.body.remove(test)
                return

    def _as_assertion(self, statement: If) -> Line | None:
        """``assert(condition);`` for ``if (!condition) { assert(!"…"); abort(); }``"""
        texts = [line.text if isinstance(line, Line) else "" for line in statement.then if not is_silent(line)]
        if statement.otherwise or texts[1:] != ["abort()"] or not texts[0].startswith('assert(!"'):
            return None
        return Line(f"assert({self._expressions.condition(negation(statement.condition))})", statement.referenced)

    # ---------------------------------------------------------------------------------------------------------- lines

    def _read_by(self, *values: ir.Value) -> tuple[Variable, ...]:
        return tuple(self._variables.of(read) for value in values for read in self._variables.read_by(value))

    def _assignment(self, variable: Variable, value: str, referenced: tuple[Variable, ...]) -> Line:
        return Line(f"{variable.name} = {value}", (variable, *referenced), variable)

    def _basic_block(self, node: s.BasicBlock) -> Iterable[Line]:
        for statement in node.member.body:
            if statement in self._text_plan.in_place:
                continue
            referenced = self._read_by(*statement.operands)
            variable = self._variables.of(statement) if self._variables.is_stored(statement) else None
            if isinstance(statement, ir.Effect):
                yield from self._effect(statement, variable, referenced)
            elif variable:
                text = self._expressions.computation(variable.name, statement, variable.kind)
                yield Line(text, (variable, *referenced), variable)
            elif self._must_compute(statement):
                yield Line(f"(void)({self._expressions.operation(statement).text})", referenced)

    def _effect(self, effect: ir.Effect, variable: Variable | None, referenced: tuple[Variable, ...]) -> Iterable[Line]:
        if variable and effect in self._objects:
            yield Line("", (variable,))  # a declaration follows from the reference
        elif variable:
            yield self._assignment(variable, self._expressions.effect_result(effect, variable.kind), referenced)
        elif effect.op == COPY:
            yield self._filling(effect.operands[1], self._expressions.unused(effect), referenced)
        else:
            yield Line(self._expressions.unused(effect), referenced)

    def _filling(self, pointer: ir.Value, text: str, referenced: tuple[Variable, ...]) -> Line:
        """The statement that stores the struct at the pointer: an assignment, if it is a variable."""
        variable = self._variables.of(pointer) if pointer in self._objects else None
        if variable is None or not text.startswith(f"{variable.name} = "):
            return Line(text, referenced)
        read = [*referenced]
        read.remove(variable)
        return Line(text, (variable, *read), variable)

    def _pass(self, node: s.Pass) -> Iterable[Line]:
        """The assignments for an edge. An undefined argument is omitted if its variable has no value yet."""
        member, target = self._sources[id(node.edge)], local_target(node.edge)
        assert target
        copies: list[Copy[Variable, ir.Value | Variable]] = []
        for parameter, argument in zip(target.parameters, node.edge.arguments, strict=True):
            variable, reads = self._variables.of(parameter), self._read_by(argument)
            is_plain = argument not in self._text_plan.in_place and argument not in self._variables.calls
            if not self._text_plan.used[parameter]:
                if self._must_evaluate(argument):
                    yield Line(f"(void)({self._expressions.value(argument)})", reads)
            elif isinstance(argument, ir.Undef) and self._variables.is_unset(variable, member):
                yield Line("", (variable,))
            elif is_plain and reads == (variable,):
                yield Line("", reads)
            else:
                copies.append(Copy(variable, argument, frozenset(reads), is_plain))
        for variable, source in sequentialised(copies, self._saved):
            if isinstance(source, Variable):
                yield self._assignment(variable, source.name, (source,))
            else:
                text = self._expressions.assignment(variable.name, source, variable.type, variable.kind)
                yield Line(text, (variable, *self._read_by(source)), variable)

    def _saved(self, copy: Copy[Variable, ir.Value | Variable]) -> tuple[Variable, Variable]:
        """A temporary variable for the source of a copy, twice: as the target and as the new source."""
        hint = copy.source.name if isinstance(copy.source, ir.Primitive) else copy.target.name
        variable = self._variables.new(hint, copy.target.type, copy.target.kind)
        return variable, variable

    def _must_evaluate(self, value: ir.Value) -> bool:
        """Whether the expression for a value contains a call, or may trap."""
        return self._variables.must_evaluate(value, self._must_compute)

    def _must_compute(self, primitive: ir.Primitive) -> bool:
        return traps(primitive.op, primitive.type) or any(map(self._must_evaluate, primitive.operands))

    def _call(self, node: s.CallStatement) -> Iterable[Line]:
        if self._variables.is_in_place(node.call):
            return
        target = local_target(node.call.then)
        assert target
        referenced = self._read_by(*node.call.operands)
        if target.parameters and self._text_plan.used[target.parameters[0]]:
            variable = self._variables.of(target.parameters[0])
            yield self._assignment(variable, self._expressions.result(node.call, variable.kind), referenced)
        else:
            yield self._called(node.call, referenced)

    def _called(self, call: ir.Call, referenced: tuple[Variable, ...]) -> Line:
        """The statement that calls a function without a result, or with a struct as its result."""
        text = self._expressions.call(call)
        return self._filling(call.arguments[0], text, referenced) if call.arguments else Line(text, referenced)

    def _leave(self, node: s.Leave) -> Iterable[Line]:
        """``return``, ``exit`` or ``abort``, with the arguments of the continuation."""
        transfer = node.transfer
        if isinstance(transfer, ir.Call):
            target, call = transfer.then.target, self._expressions.tail_call(transfer, self._variables.function)
            referenced = self._read_by(*transfer.operands)
            values = [call] if transfer.callee.result is not ir.VOID else []
            if not values:
                yield self._called(transfer, referenced)
        else:
            target, arguments = transfer.edge.target, transfer.edge.arguments
            if isinstance(target, ir.External):
                types = cast("Sequence[ir.Scalar]", target.type.parameters)
                values = [self._expressions.assigned(*each, _BUFFER) for each in zip(arguments, types, strict=True)]
            else:
                values = [self._expressions.returned(value, self._variables.function) for value in arguments]
            referenced = self._read_by(*arguments)
        if isinstance(target, ir.External):
            name, header = _EXITS[target]
            yield Line(f"{name}({', '.join(values)})", referenced, needs=header)
        else:
            function = self._variables.function
            if returns_status(function):
                values = ["0"]
            elif returns_struct(function):
                returned = self._variables.of(function.parameters[0])
                values, referenced = [returned.name], (returned,)
            yield Line(" ".join(["return", *values]), referenced)

    def _label(self, member: ir.Continuation) -> str:
        if member not in self._labels:
            self._labels[member] = self._variables.new_name(member.name)
        return self._labels[member]

    def _labelled(self, node: s.Label) -> Iterable[Line]:
        if node.member in self._structure.goto_targets:
            yield Line(f"{self._label(node.member)}:")


def _only_breaks(block: Block) -> bool:
    """Whether the block leaves the loop or switch, and does nothing else."""
    *before, last = block or [Line("")]
    return isinstance(last, Line) and last.text == _BREAK and all(map(is_silent, before))
