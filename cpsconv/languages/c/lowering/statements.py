"""The lowering of statements: sequences, conditionals, loops and jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

from cpsconv.core.construction import Block, Variable
from cpsconv.core.ir import MEMORY, Function, InMemory, SourceVariables, Undef, Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Work, run
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.lowering.calls import Calls, returned, signature
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.initialisers import Initialisers
from cpsconv.languages.c.lowering.labels import AssignedWithin, Labels, Switches, starts_within
from cpsconv.languages.c.lowering.places import Address, RecordValue
from cpsconv.languages.c.lowering.promotion import NONE, decided, uses_memory
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.typed_tree import declares_only, origin
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import VOID


class Statements:
    """Lowers the statements of functions. `begin` resets the state of the current function."""

    def __init__(self, emit: Emitter, built: dict[t.Function, Function], errors: Errors) -> None:
        self._emit = emit
        self._errors = errors
        self.expressions = Calls(emit, errors, built, self._declare, self._initialise_literal)
        self._value = self.expressions.value
        self._variables = self.expressions.variables
        self._objects = self.expressions.objects
        self._captured: dict[t.Local, Value] = {}  # the pointers to variables that nested functions use
        self._initialisers = Initialisers(
            emit,
            self.expressions.lvalues,
            self.expressions.places,
            self._objects,
            self.expressions.part,
            self.expressions.call_into,
        )
        self.expressions.values[c.StatementExpression] = self._statement_expression
        self._labels = Labels(emit, self._objects)
        self._switches = Switches(emit, errors)
        self._unreachable: set[int] = set()  # `id`s of sequences whose unreachable code is reported
        self._depth = 0  # of the statement expressions around the statement
        self._break_targets: list[tuple[Block, int]] = []  # with the number of scopes around the statement
        self._continue_targets: list[tuple[Block, int]] = []
        self._statements: dict[type, Callable[[Any], Any]] = {
            c.Declaration: self._declaration,
            t.Declared: self._declaration,
            **dict.fromkeys([c.StaticAssert, c.LabelDeclaration, c.NestedFunction], lambda node: None),
            c.ExpressionStatement: self._evaluate,
            c.Compound: self._compound,
            c.If: self._if,
            c.While: self._while,
            c.Do: self._do,
            c.For: self._for,
            c.Switch: self._switch,
            c.Case: partial(self._labelled, self._switches.enter_case),
            c.Label: partial(self._labelled, self._labels.enter),
            c.Goto: self._labels.jump,
            c.ComputedGoto: self._computed_goto,
            c.Break: self._break,
            c.Continue: self._continue,
            c.Return: self._return,
        }

    def begin(self, function: t.Function) -> list[Variable]:
        """Begin the lowering of a function. Returns the variables for its parameters."""
        self._function = function
        self._uses_memory = uses_memory(function)
        self._unreachable.clear()
        self._labels.begin(function)
        self.expressions.begin()
        self.promotion = decided(function, self.expressions.places.types) if self._uses_memory else NONE
        self._assigned: dict[Variable, list[int]] = {}
        self._initialisers.begin(self.promotion, self._assigned)
        if self._uses_memory:
            variables = [Variable(*each) for each in signature(function)]
            first = isinstance(function.result, Record)
            for number, parameter in enumerate(function.parameters, first):
                if self._is_variable(parameter):
                    variables[number] = self._declare(parameter)
            return variables
        return [self._declare(parameter) for parameter in function.parameters]

    def _is_variable(self, local: t.Local) -> bool:
        return local not in self.promotion.in_memory and local not in self.promotion.split

    def enter(self, function: Function) -> None:
        """Allocate the objects of the whole call, after the function has been opened."""
        typed, expressions = self._function, self.expressions
        if not self._uses_memory:
            return
        for local in typed.captured:
            if local in self._captured:
                expressions.lvalues.objects[local] = Address(self._emit.builder.free(self._captured[local]))
        values: list[Value] = [each for each in function.parameters[:-1] if each.type is not MEMORY]
        self._result = values.pop(0) if isinstance(typed.result, Record) else None
        expressions.enter(values.pop() if typed.is_variadic else None)
        for parameter, value in zip(typed.parameters, values, strict=True):
            self._enter_parameter(parameter, value)
        self._initialisers.allocate_at_start(None)
        for node in self.promotion.temporaries:
            self._allocate_result(node, for_call=True)

    def _allocate_result(self, node: c.Expression, *, for_call: bool) -> Value:
        """Allocate the place for the result of a call, or of a statement expression."""
        function = node.function if isinstance(node, c.CallExpression) else None
        name = function.name if function else "result"
        place = self._objects.allocate(node.type, name, node.span, for_call=for_call)
        self.expressions.results[node] = place
        return place

    def _temporaries(self, node: t.Declare | c.Expression | None) -> AbstractContextManager[None]:
        """The time of the evaluation of a whole expression: the results whose addresses it takes exist only then."""
        return self._existing(node) if node in self.promotion.ending else _NO_TEMPORARIES

    @contextmanager
    def _existing(self, node: Any) -> Iterator[None]:
        places = [self._allocate_result(each, for_call=False) for each in self.promotion.ending[node]]
        yield
        if isinstance(node, t.Declare):
            span = node.variable.span.to((node.initial or node.parts[-1].value).span)
        else:
            span = node.span
        for place in reversed(places):
            self._objects.deallocate(place, span)

    def _branch(self, node: c.Expression, then: Block, otherwise: Block) -> None:
        if node not in self.promotion.ending:
            self.expressions.branch(node, then, otherwise)
            return
        with self._existing(node):
            value = self._value(node)
        self._emit.branch(value, then, otherwise, node.span)

    def keep_captured(self) -> None:
        """Keep the places of the variables that nested functions use, after the function is finished."""
        objects = self.expressions.lvalues.objects
        for local, place in objects.items() if self._function.nested else ():
            if local.captured and isinstance(place, Address):
                self._captured[local] = place.base

    def leave(self, end: Span) -> None:
        """Deallocate the objects of the whole call, at the end of the function."""
        self._objects.jump_out(0, end)

    def variables(self) -> SourceVariables:
        """The variables of the function: how many became values, and those in memory."""
        kept = self.promotion.in_memory.items()
        found = [InMemory(local.name, local.span, reason, at) for local, (reason, at) in kept if local.name]
        return SourceVariables(len(self._variables) + len(self.promotion.split), found)

    def _enter_parameter(self, parameter: t.Local, value: Value) -> None:
        if parameter in self.promotion.split:
            self._initialisers.load_parameter(parameter, value)
        elif isinstance(parameter.type, Record):
            self.expressions.lvalues.objects[parameter] = Address(value)
        elif parameter in self.promotion.in_memory:
            pointer = self._objects.allocate(
                parameter.type, parameter.name, parameter.span, alignment=parameter.alignment, for_call=True
            )
            self.expressions.lvalues.objects[parameter] = Address(pointer)
            self._emit.effect("store", value, pointer, span=parameter.span)
        place = self.expressions.lvalues.objects.get(parameter)
        if isinstance(place, Address):
            self._initialisers.make_constant(parameter, place)

    def _declare(self, local: t.Local) -> Variable:
        variable = self._variables[local] = Variable(local.name, local.type.program, local.span)
        if local in self._function.assignments:
            self._assigned[variable] = self._function.assignments[local]
        return variable

    def statement(self, node: c.Statement) -> Work | None:
        """Lower a statement. Returns the rest of the work if the statement contains statements."""
        return self._statements[type(node)](node)  # type: ignore[no-any-return]

    def items(self, items: list[c.Statement]) -> Work:
        """Lower a sequence of statements."""
        builder, statements = self._emit.builder, self._statements
        for item in items:
            if builder.current is None:
                self._check_unreachable(item, items)
            if rest := statements[type(item)](item):
                yield rest

    def _check_unreachable(self, item: c.Statement, items: list[c.Statement]) -> None:
        """Warn of the first unreachable statement of a sequence, unless the whole sequence is unreachable.

        There is no warning of `break`, and of a `return` that does not follow a jump, as after an endless loop.
        """
        if isinstance(item, (c.Case, c.Label)):
            self._unreachable.clear()
        elif item is items[0]:
            self._unreachable.add(id(items))
        elif id(items) not in self._unreachable and not self._can_be_unreachable(item):
            self._unreachable.add(id(items))
            follows_jump = isinstance(items[items.index(item) - 1], _JUMPS)
            if not isinstance(item, (c.Break, c.Return)) or (isinstance(item, c.Return) and follows_jump):
                self._errors.warn("unreachable-code", "this statement is never executed", item.span)

    def _can_be_unreachable(self, item: c.Statement) -> bool:
        """Whether the statement does nothing, or can be entered at a label."""
        if c.is_empty(item) or declares_only(item) or starts_within(self._function.labels, item.span):
            return True
        return self._switches.has_case_within(item.span)

    # ---------------------------------------------------------------------------------------------------- sequences

    def _declaration(self, node: c.Declaration | t.Declared) -> Computation[None] | None:
        """Lower a declaration: in a statement expression, as a computation, since it may be in another one."""
        declared = self._declared(node)
        return declared if self._depth else run(declared)

    def _declared(self, node: c.Declaration | t.Declared) -> Computation[None]:
        """Lower a declaration. A variable is undefined until it is initialised."""
        for part in node.parts:
            with self._temporaries(part):
                if isinstance(part, c.Expression):
                    yield self.expressions.part(part)
                    continue
                local, initial = part.variable, part.initial
                if self._is_variable(local):
                    variable, span = self._declare(local), local.span
                    self._emit.write(variable, Undef(variable.type, local.name, span), span)
                    if initial:
                        self._emit.write(variable, (yield self.expressions.part(initial)), span.to(initial.span))
                else:
                    yield self._initialisers.declare(part)
            for call in part.cleanups:
                self._objects.end_by(partial(self._value, call), call.span)

    def _initialise_literal(self, node: t.Declare) -> Computation[None]:
        """Initialise the variable of a compound literal."""
        local = node.variable
        if self._is_variable(local) and node.initial is not None and not isinstance(local.type, Record):
            variable = self._variables.get(local) or self._declare(local)
            self._emit.write(variable, (yield self.expressions.part(node.initial)), local.span)
        else:
            yield self._initialisers.declare(node)

    def _evaluate(self, node: c.ExpressionStatement) -> None:
        if node.expression:
            with self._temporaries(node.expression):
                self.expressions.discard(node.expression)

    def _compound(self, node: c.Compound) -> Work:
        return self._scope(node, node.items) if self._uses_memory else self.items(node.items)

    def _scope(self, node: c.Statement, items: list[c.Statement]) -> Work:
        self._enter_scope(node)
        yield self.items(items)
        self._objects.leave(node.span)

    def _enter_scope(self, node: c.Statement | c.Expression) -> None:
        self._objects.enter(node.span)
        self._initialisers.allocate_at_start(node)

    def _statement_expression(self, node: c.StatementExpression) -> Computation[RecordValue | None]:
        """The value of a statement expression. A record in memory is copied before its scope ends."""
        expressions = self.expressions
        self._enter_scope(node)
        self._depth += 1
        yield self.items(node.items)
        self._depth -= 1
        value: RecordValue | None = None if node.value is None else (yield expressions.part(node.value))
        if value is not None and isinstance(node.type, Record) and not isinstance(value, list):
            place = Address(expressions.results[node])
            expressions.places.assign(place, value, node.type, node.span)
            value = place.base
        self._objects.leave(node.span)
        return None if node.type is VOID else value

    # ------------------------------------------------------------------------------------------------ conditionals

    def _if(self, node: c.If) -> Work:
        emit = self._emit
        then = emit.continuation("then", span=node.then.span)
        otherwise = emit.continuation("else", span=node.otherwise.span) if node.otherwise else None
        next = emit.continuation("next", span=node.span)
        self._branch(node.condition, then, otherwise or next)
        emit.seal(then)
        if otherwise:
            emit.seal(otherwise)
        emit.enter(then)
        if rest := self.statement(node.then):
            yield rest
        emit.jump(next)
        if node.otherwise and otherwise:
            emit.enter(otherwise)
            if rest := self.statement(node.otherwise):
                yield rest
            emit.jump(next)
        emit.open(next)

    def _switch(self, node: c.Switch) -> Work:
        """Lower a `switch`. Only cases enter its body: the code before the first case is dead."""
        self._enter_scope(node)
        with self._temporaries(node.value):
            value = self.expressions.operand(node.value)
        exit = self._switches.begin(node, value)
        self._break_targets.append((exit, self._objects.depth))
        if rest := self.statement(node.body):
            yield rest
        self._break_targets.pop()
        self._emit.jump(exit)
        self._switches.end()
        self._emit.open(exit)
        self._objects.leave(node.span)

    # ------------------------------------------------------------------------------------------------------- loops

    def _while(self, node: c.While) -> Work:
        emit = self._emit
        [header] = self._enter_loop("while", node)
        body, exit = emit.continuation("body", span=node.body.span), emit.continuation("exit", span=node.span)
        self._branch(node.condition, body, exit)
        emit.open(body)
        yield from self._loop_body(node.body, exit, header)
        emit.jump(header)
        emit.seal(header)
        emit.open(exit)

    def _do(self, node: c.Do) -> Work:
        emit = self._emit
        header, test, exit = self._enter_loop("do", node, ("while", node.condition.span), ("exit", node.span))
        yield from self._loop_body(node.body, exit, test)
        emit.jump(test)
        emit.open(test)
        self._branch(node.condition, header, exit)
        emit.seal(header)
        emit.open(exit)

    def _for(self, node: c.For) -> Work:
        emit = self._emit
        self._enter_scope(node)
        if rest := self.statement(node.first):
            yield rest
        [header] = self._enter_loop("for", node)
        body, step = emit.continuation("body", span=node.body.span), emit.continuation("step", span=node.span)
        exit = emit.continuation("exit", span=node.span)
        if node.condition:
            self._branch(node.condition, body, exit)
        else:
            emit.jump(body)
        emit.open(body)
        yield from self._loop_body(node.body, exit, step)
        emit.jump(step)
        emit.open(step)
        if node.step:
            with self._temporaries(node.step):
                self._value(node.step)
        emit.jump(header)
        emit.seal(header)
        emit.open(exit)
        self._objects.leave(node.span)

    def _enter_loop(self, name: str, node: c.While | c.Do | c.For, *others: tuple[str, Span]) -> Sequence[Block]:
        """The header of the loop, entered but not sealed, and others that are created with it, by names and places.

        If a jump from outside may enter the loop, the header may be reachable although the code before it is dead, and
        the loop may receive other values than its own assignments.
        """
        entered_elsewhere = starts_within(self._function.labels, node.span) or self._switches.has_case_within(node.span)
        may_assign = None if entered_elsewhere else AssignedWithin(self._assigned, node.span)
        header = self._emit.continuation(name, may_assign, node.span)
        rest = [self._emit.continuation(other, span=span) for other, span in others]
        self._emit.jump(header, node.span)
        self._emit.enter(header, expected=entered_elsewhere)
        return header, *rest

    def _loop_body(self, body: c.Statement, exit: Block, following: Block) -> Work:
        self._break_targets.append((exit, self._objects.depth))
        self._continue_targets.append((following, self._objects.depth))
        if rest := self.statement(body):
            yield rest
        self._continue_targets.pop()
        self._break_targets.pop()

    # ------------------------------------------------------------------------------------------------------- jumps

    def _labelled(self, enter: Callable[[Any], None], node: c.Case | c.Label) -> Work:
        enter(node)
        if rest := self.statement(node.body):
            yield rest

    def _break(self, node: c.Break) -> None:
        if self._break_targets:
            self._jump_out(*self._break_targets[-1], node.span)

    def _continue(self, node: c.Continue) -> None:
        if self._continue_targets:
            self._jump_out(*self._continue_targets[-1], node.span)

    def _jump_out(self, target: Block, depth: int, span: Span) -> None:
        """Jump to a continuation in the scope of that depth."""
        self._objects.jump_out(depth, span)
        self._emit.jump(target, span)

    def _computed_goto(self, node: c.ComputedGoto) -> None:
        with self._temporaries(node.target):
            value = self._value(node.target)
        self._labels.jump_to_address(value, node.span)

    def _return(self, node: c.Return) -> None:
        value, span, result = None, node.span, returned(self._function.result)
        has_result = result.kind != "void"
        if node.value:
            with self._temporaries(node.value):
                if isinstance(self._function.result, Record):
                    run(self._return_record(node.value, self._function.result))
                else:
                    value, span = self._value(node.value), origin(node.value).span
        elif has_result:
            value = Undef(result, f"{self._function.name}()", span)
        self._objects.jump_out(0, node.span)
        self._emit.ret(value if has_result else None, span)

    def _return_record(self, node: Any, type: Record) -> Computation[None]:
        """Copy the record to the place that the caller passes."""
        assert self._result is not None
        if t.is_call(node):
            yield self.expressions.call_into(node, self._result)
        else:
            value = yield self.expressions.part(node)
            self.expressions.places.assign(Address(self._result), value, type.unqualified, node.span)


_NO_TEMPORARIES = nullcontext()
_JUMPS = (c.Break, c.Continue, c.Goto, c.Return)
