"""From the structured form of a function to statements of C."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cpsconv.emit.c.expressions import Expressions
from cpsconv.emit.c.tree import Block, If, Line, Loop, Switch, inside_out
from cpsconv.emit.c.tree import Statement as Node
from cpsconv.ir import (
    ABORT,
    HALT,
    INT,
    VOID,
    Call,
    Constant,
    Continuation,
    Effect,
    External,
    Function,
    Primitive,
    Scalar,
    Statement,
    Undef,
    Value,
)
from cpsconv.operations.table import traps
from cpsconv.structuring import tree as s
from cpsconv.structuring.decisions import Condition, DecisionGraph, local_target, negation, tests
from cpsconv.structuring.parallel_copies import Copy, sequentialised
from cpsconv.structuring.structurer import structure
from cpsconv.structuring.variables import Variable, Variables
from cpsconv.text.plan import TextPlan

_ASSERTION = re.compile(r".*Assertion `(.*)' failed\.\n", re.DOTALL)
_BREAK = "break"


class Statements:
    """Writes the statements of one function. `functions` are the C names of all."""

    def __init__(
        self,
        function: Function,
        graph: DecisionGraph,
        text_plan: TextPlan,
        variables: Variables,
        functions: Mapping[str, str],
        new_name: Callable[[str], str],
        headers: set[str],
    ) -> None:
        self.function = function
        self._graph = graph
        self._text_plan = text_plan
        self._variables = variables
        self._new_name = new_name
        self._headers = headers
        self.expressions = Expressions(variables, functions, headers)
        self._labels: dict[Continuation, str] = {}
        self._sources = {id(edge): member for member in graph.members for edge in graph.edges(member)}
        self._structure = structure(function, graph)
        self._pending: list[tuple[s.Block, Block]] = []
        self._begun_by: dict[Loop, Continuation] = {}
        self._lines: dict[type, Callable[[Any], Iterable[Line]]] = {
            s.BasicBlock: self._run,
            s.Pass: self._pass,
            s.CallStatement: self._call_on,
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
            self._begun_by[loop] = node.header
            self._pending.append((node.body, loop.body))
            block.append(loop)
        elif isinstance(node, s.Select):
            block.append(self._switch(node))
        else:
            block += self._lines[type(node)](node)

    def _switch(self, node: s.Select) -> Switch:
        type = node.value.type
        assert isinstance(type, Scalar)
        arms: list[tuple[list[str], Block]] = []
        for arm in node.arms:
            body: Block = []
            self._pending.append((arm.body, body))
            arms.append(([self._case(type, case) for case in arm.cases], body))
        return Switch(self.expressions.value(node.value), self._read_by(node.value), arms)

    def _case(self, type: Scalar, case: int) -> str:
        return self.expressions.value(Constant(type, case))

    # --------------------------------------------------------------------------------------------------------- shapes

    def _tidy(self, block: Block) -> None:
        """Give the statements of a block, within which all is done, the shape that people would give them."""
        for index, statement in enumerate(block):
            if isinstance(statement, Loop):
                self._shape(statement)
            elif isinstance(statement, Switch):
                *before, last = statement.arms[-1][1]
                if _is_break(last) and all(map(_is_silent, before)):
                    statement.arms.pop()
            elif isinstance(statement, If):
                block[index] = self._shaped(statement)

    def _shaped(self, statement: If) -> Node:
        """An `if` without an empty arm, or what it is instead."""
        if not all(map(_is_silent, statement.then)):
            return self._as_assertion(statement) or statement
        if all(map(_is_silent, statement.otherwise)):
            text = ""
            if any(self._must_evaluate(test.value) for test in tests(statement.condition)):
                text = f"(void)({self.expressions.condition(statement.condition)})"
            return Line(text, statement.mentioned)
        statement.condition = negation(statement.condition)
        statement.then, statement.otherwise = statement.otherwise, statement.then
        return statement

    def _shape(self, loop: Loop) -> None:
        """``while`` if the loop begins with a test that leaves it, ``do`` if it ends with one."""
        for at_end in (False, True):
            spoken = [statement for statement in loop.body if not _is_silent(statement)]
            test = spoken[-1 if at_end else 0] if spoken else None
            condition = _left_by(test) if test else None
            if test and condition and not (at_end and self._begun_by[loop] in self._structure.continued_loops):
                loop.condition, loop.at_end, loop.mentioned = negation(condition), at_end, test.mentioned
                loop.body.remove(test)
                return

    def _as_assertion(self, statement: If) -> Line | None:
        """``if (!condition) { assert(!"…"); abort(); }`` is ``assert(condition);``."""
        lines = [line for line in statement.then if not _is_silent(line)]
        if statement.otherwise or len(lines) != 2 or not all(isinstance(line, Line) for line in lines):
            return None
        failure, end = lines
        assert isinstance(failure, Line) and isinstance(end, Line)
        if not failure.text.startswith('assert(!"') or end.text != "abort()":
            return None
        return Line(f"assert({self.expressions.condition(negation(statement.condition))})", statement.mentioned)

    # ---------------------------------------------------------------------------------------------------------- lines

    def _read_by(self, *values: Value) -> tuple[Variable, ...]:
        return tuple(self._variables.of(read) for value in values for read in self._variables.read_by(value))

    def _assignment(self, variable: Variable, value: str, mentioned: tuple[Variable, ...]) -> Line:
        return Line(f"{variable.name} = {value}", (variable, *mentioned), variable)

    def _run(self, node: s.BasicBlock) -> Iterable[Line]:
        for statement in node.member.body:
            if statement not in self._text_plan.in_place and self._matters(statement):
                yield self._statement(statement)

    def _matters(self, statement: Statement) -> bool:
        """Whether anything would be missed without the statement."""
        return isinstance(statement, Effect) or self._variables.is_kept(statement) or self._must_compute(statement)

    def _statement(self, statement: Statement) -> Line:
        mentioned = self._read_by(*statement.operands)
        kept = self._variables.of(statement) if self._variables.is_kept(statement) else None
        if isinstance(statement, Primitive):
            if kept:
                return Line(self.expressions.computation(kept.name, statement), (kept, *mentioned), kept)
            return Line(f"(void)({self.expressions.operation(statement).text})", mentioned)
        text = self._failure(statement) if statement.op == "eprint" else self.expressions.effect(statement)
        return self._assignment(kept, text, mentioned) if kept else Line(text, mentioned)

    def _failure(self, effect: Effect) -> str:
        """An assertion that always fails, with the words of the one that did."""
        (message,) = effect.operands
        assert isinstance(message, Constant)
        self._headers.add("assert.h")
        words = _ASSERTION.sub(r"\1", str(message.value)).strip()
        return f"assert(!{self.expressions.value(Constant(message.type, words))})"

    def _pass(self, node: s.Pass) -> Iterable[Line]:
        """The copies of an edge. A variable that nothing was assigned to needs no value that it does not get."""
        member, target = self._sources[id(node.edge)], local_target(node.edge)
        assert target
        copies: list[Copy[Variable, Value | Variable]] = []
        for parameter, argument in zip(target.parameters, node.edge.arguments, strict=True):
            variable, reads = self._variables.of(parameter), self._read_by(argument)
            is_plain = argument not in self._text_plan.in_place and argument not in self._variables.calls
            if not self._text_plan.used[parameter]:
                if self._must_evaluate(argument):
                    yield Line(f"(void)({self.expressions.value(argument)})", reads)
            elif isinstance(argument, Undef) and self._variables.is_unset(variable, member):
                yield Line("", (variable,))
            elif is_plain and reads == (variable,):
                yield Line("", reads)
            else:
                copies.append(Copy(variable, argument, frozenset(reads), is_plain))
        for variable, source in sequentialised(copies, self._keep):
            if isinstance(source, Variable):
                yield self._assignment(variable, source.name, (source,))
            else:
                text = self.expressions.assignment(variable.name, source, variable.type)
                yield Line(text, (variable, *self._read_by(source)), variable)

    def _keep(self, copy: Copy[Variable, Value | Variable]) -> tuple[Variable, Variable]:
        """A variable for a value that cannot be copied yet."""
        hint = copy.source.name if isinstance(copy.source, Primitive) else copy.target.name
        variable = self._variables.new(hint, copy.target.type)
        return variable, variable

    def _must_evaluate(self, value: Value) -> bool:
        """Whether the expression for a value calls something, or may trap."""
        return self._variables.must_evaluate(value, self._must_compute)

    def _must_compute(self, primitive: Primitive) -> bool:
        return traps(primitive.op, primitive.type) or any(map(self._must_evaluate, primitive.operands))

    def _call_on(self, node: s.CallStatement) -> Iterable[Line]:
        if self._variables.is_in_place(node.call):
            return
        target, call = local_target(node.call.then), self.expressions.call(node.call)
        assert target
        mentioned = self._read_by(*node.call.arguments)
        if target.parameters and self._text_plan.used[target.parameters[0]]:
            yield self._assignment(self._variables.of(target.parameters[0]), call, mentioned)
        else:
            yield Line(call, mentioned)

    def _leave(self, node: s.Leave) -> Iterable[Line]:
        """``return``, ``exit`` or ``abort``, with the values that the continuation outside is given."""
        transfer = node.transfer
        if isinstance(transfer, Call):
            target, call = transfer.then.target, self.expressions.call(transfer)
            mentioned = self._read_by(*transfer.arguments)
            values = [call] if transfer.callee.result is not VOID else []
            if not values:
                yield Line(call, mentioned)
        else:
            target = transfer.edge.target
            type = INT if target is HALT else self.function.result
            assert isinstance(type, Scalar)
            values = [self.expressions.assigned(value, type) for value in transfer.edge.arguments]
            mentioned = self._read_by(*transfer.edge.arguments)
        if isinstance(target, External):
            name = {HALT: "exit", ABORT: "abort"}[target]
            yield Line(f"{name}({''.join(values)})", mentioned, needs="stdlib.h")
        else:
            yield Line(" ".join(["return", *values]), mentioned)

    # --------------------------------------------------------------------------------------------------------- labels

    def _label(self, member: Continuation) -> str:
        if member not in self._labels:
            self._labels[member] = self._new_name(member.name)
        return self._labels[member]

    def _labelled(self, node: s.Label) -> Iterable[Line]:
        if node.member in self._structure.goto_targets:
            yield Line(f"{self._label(node.member)}:")


def _is_silent(statement: Node) -> bool:
    return isinstance(statement, Line) and not statement.text


def _is_break(statement: Node) -> bool:
    return isinstance(statement, Line) and statement.text == _BREAK


def _left_by(statement: Node) -> Condition | None:
    """The condition by which a statement leaves the loop, if that is all it does."""
    if not isinstance(statement, If) or not all(map(_is_silent, statement.otherwise)):
        return None
    *before, last = statement.then or [Line("")]
    return statement.condition if _is_break(last) and all(map(_is_silent, before)) else None
