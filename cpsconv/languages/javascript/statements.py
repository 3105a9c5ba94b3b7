"""The lowering of statements: structured control flow, and exceptions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Union

from cpsconv.core.construction import Block
from cpsconv.core.ir import Value
from cpsconv.core.source import Diagnostic, Span, warning
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.javascript.emission import Emission, Exit, Finally, Target
from cpsconv.languages.javascript.expressions import Expressions
from cpsconv.languages.javascript.scopes import DECLARED_FUNCTIONS, LOOPS
from cpsconv.languages.javascript.syntax import Node, refuse, unparenthesised
from cpsconv.languages.javascript.variables import LoopAssignments, Variables

_JUMPS = ("return_statement", "throw_statement", "break_statement", "continue_statement")

Work = Union[Step[None], Computation[None]]


class Statements:
    """The lowering of the statements of a function. Adds warnings of those that are never executed."""

    def __init__(self, emission: Emission, expressions: Expressions, warnings: list[Diagnostic]) -> None:
        self.warnings = warnings
        self.emission, self.b, self.expressions = emission, emission.b, expressions
        self.variables: Variables = expressions.variables
        self.program = self.variables.program
        self._handlers: dict[str, Callable[[Node], Work]] = {
            "expression_statement": self._expression,
            "variable_declaration": self._declaration,
            "lexical_declaration": self._declaration,
            **dict.fromkeys(DECLARED_FUNCTIONS, self._function),
            "class_declaration": self._class,
            "statement_block": self._block,
            "if_statement": self._if,
            **dict.fromkeys(LOOPS, self._loop),
            "switch_statement": self._switch,
            "labeled_statement": self._labelled,
            "break_statement": self._jump,
            "continue_statement": self._jump,
            "return_statement": self._return,
            "throw_statement": self._throw,
            "try_statement": self._try,
            "empty_statement": lambda node: None,
            "debugger_statement": self._debugger,
            "import_statement": lambda node: None,
            "export_statement": self._export,
        }
        self._loops: dict[str, Callable[[Node, Sequence[str]], Work]] = {
            "for_statement": self._for,
            "for_in_statement": self._for_in,
            "while_statement": self._while,
            "do_statement": self._do,
        }

    def sequence(self, nodes: Sequence[Node]) -> Computation[None]:
        """Lower statements, in order."""
        is_reported = self.b.current is None  # the whole sequence is never executed
        for number, node in enumerate(nodes):
            if self.b.current is None and not is_reported and _is_executed(node, nodes[number - 1]):
                is_reported = True
                self.warnings.append(warning("this statement is never executed", node.span, rule="unreachable-code"))
            yield self.statement(node)

    def scope(self, node: Node, statements: Sequence[Node]) -> None:
        """Enter the scope of a node: create the variables and functions that the statements declare."""
        self.variables.open(self.program.scopes[node], node.span)
        for each in statements:
            declared = _declared_function(each)
            if declared:
                self._create(declared)

    def _create(self, node: Node) -> None:
        """Create the closure of a declared function, and assign it to its variable."""
        name, outer = node["name"], self.program.functions[node.start].parameters.parent
        assert outer
        closure = self.expressions.closures.closure(node, self.variables)
        self.variables.begin(outer.names[name.text], closure, name.span)

    def statement(self, node: Node) -> Work:
        """Lower a statement."""
        handler = self._handlers.get(node.kind)
        if handler is None:
            refuse(node)
        return handler(node)

    # ------------------------------------------------------------------------------------------ simple statements

    def _expression(self, node: Node) -> Computation[None]:
        yield self.expressions.effect(node.children[0])

    def _declaration(self, node: Node) -> Computation[None]:
        kind = node["kind"].kind if node.kind == "lexical_declaration" else "var"
        for each in node.children:
            value = each.get("value")
            if value:
                yield self.expressions.patterns.assign_result(each["name"], unparenthesised(value), kind != "var")
            elif kind != "var":
                self.variables.initialise(each["name"], self.emission.undefined(each.span))

    def _function(self, node: Node) -> None:
        """A declared function exists from the start of its scope; in sloppy blocks, it is assigned here as well."""
        if node.start in self.program.copies:
            inner, outer = self.program.copies[node.start]
            self.variables.write(outer, self.variables.current(inner, node.span), node.span)

    def _class(self, node: Node) -> Computation[None]:
        value = yield self.expressions.class_value(node)
        self.variables.initialise(node["name"], value)

    def _block(self, node: Node) -> Computation[None]:
        self.scope(node, node.children)
        yield self.sequence(node.children)

    def _return(self, node: Node) -> Computation[None]:
        value = (
            (yield self.expressions.value(node.children[0])) if node.children else self.emission.undefined(node.span)
        )
        function = self.variables.function
        if function.is_async and function.is_generator:
            value = self.emission.operation("await", value, span=node.span)
        self.emission.leave(Exit(0, None, value), node.span)

    def _throw(self, node: Node) -> Computation[None]:
        value = yield self.expressions.value(node.children[0])
        self.emission.throw(value, node.span)

    def _debugger(self, node: Node) -> None:
        self.emission.operation("debugger", span=node.span)

    def _export(self, node: Node) -> Computation[None]:
        declaration, value = node.get("declaration"), node.get("value")
        if declaration:
            yield self.statement(declaration)
        elif value:
            if "default" not in node.words:
                refuse(node, "an exported expression")
            self.variables.initialise(node, (yield self.expressions.value(value)))

    # -------------------------------------------------------------------------------------------------- conditions

    def _if(self, node: Node) -> Computation[None]:
        then, otherwise = self._block_of("then", node), self._block_of("else", node)
        yield self.expressions.branch(node["condition"], then, otherwise)
        join = self._block_of("endif", node)
        self.b.open(then)
        yield self.statement(node["consequence"])
        self.b.jump(join, node.span)
        self.b.open(otherwise)
        alternative = node.get("alternative")
        if alternative:
            yield self.statement(alternative.children[0])
        self.b.jump(join, node.span)
        self.b.open(join)

    def _switch(self, node: Node) -> Computation[None]:
        value = yield self.expressions.value(node["value"])
        cases = node["body"].children
        self.scope(node["body"], [each for case in cases for each in case.all("body")])
        exit = self._block_of("after_switch", node)
        bodies = [self._block_of("case" if case.get("value") else "default", case) for case in cases]
        default = exit
        for case, body in zip(cases, bodies, strict=True):
            if case.get("value") is None:
                default = body
                continue
            other = yield self.expressions.value(case["value"])
            same = self.emission.operation("same", value, other, span=case["value"].span)
            following = self._block_of("next_case", case)
            self.b.branch(self.emission.operation("truthy", same, span=case["value"].span), body, following, case.span)
            self.b.open(following)
        self.b.jump(default, node.span)
        self.emission.frames.append(Target((), exit))
        for number, (case, body) in enumerate(zip(cases, bodies, strict=True)):
            if number:
                self.b.jump(body, case.span)
            self.b.open(body)
            yield self.sequence(case.all("body"))
        self.emission.frames.pop()
        if cases:
            self.b.jump(exit, node.span)
        self.b.open(exit)

    def _labelled(self, node: Node) -> Computation[None]:
        labels = list[str]()
        while node.kind == "labeled_statement":
            labels.append(node["label"].text)
            node = node["body"]
        if node.kind in LOOPS:
            yield self._loops[node.kind](node, labels)
            return
        after = self._block_of(f"after_{labels[0]}", node)
        self.emission.frames.append(Target(labels, after, is_plain=False))
        yield self.statement(node)
        self.emission.frames.pop()
        self.b.jump(after, node.span)
        self.b.open(after)

    def _jump(self, node: Node) -> None:
        label = node.get("label")
        self.emission.jump_out(label.text if label else None, node.kind == "continue_statement", node.span)

    # ------------------------------------------------------------------------------------------------------- loops

    def _block_of(self, name: str, node: Node) -> Block:
        return self.b.continuation(name, span=node.span)

    def _header(self, name: str, node: Node) -> Block:
        """A new block that the end of a loop jumps to; it is open, and the present block jumps to it."""
        header = self.b.continuation(name, LoopAssignments(node, self.variables.bindings), span=node.span)
        self.b.jump(header, node.span)
        self.b.enter(header)
        return header

    def _loop(self, node: Node) -> Work:
        return self._loops[node.kind](node, ())

    def _body(self, body: Node, target: Target) -> Computation[None]:
        self.emission.frames.append(target)
        yield self.statement(body)
        self.emission.frames.pop()

    def _while(self, node: Node, labels: Sequence[str]) -> Computation[None]:
        header = self._header("while", node)
        body, exit = self._block_of("body", node), self._block_of("exit", node)
        yield self.expressions.branch(node["condition"], body, exit)
        self.b.open(body)
        yield self._body(node["body"], Target(labels, exit, header))
        self.emission.repeat(header, node.span)
        self.b.open(exit)

    def _do(self, node: Node, labels: Sequence[str]) -> Computation[None]:
        header = self._header("do", node)
        again, exit = self._block_of("while", node), self._block_of("exit", node)
        yield self._body(node["body"], Target(labels, exit, again))
        self.b.jump(again, node.span)
        self.b.open(again)
        yield self.expressions.branch(node["condition"], header, exit)
        self.b.seal(header)
        self.b.open(exit)

    def _for(self, node: Node, labels: Sequence[str]) -> Computation[None]:
        initializer, condition, increment = node.get("initializer"), node.get("condition"), node.get("increment")
        self.scope(node, ())
        if initializer:
            is_statement = initializer.kind in self._handlers
            yield (self.statement if is_statement else self.expressions.effect)(initializer)
        scope = self.program.scopes[node]
        self.variables.copy(scope, node.span)
        header = self._header("for", node)
        body, step, exit = (self._block_of(name, node) for name in ("body", "step", "exit"))
        if condition and condition.kind != "empty_statement":
            condition = condition.children[0] if condition.kind == "expression_statement" else condition
            yield self.expressions.branch(condition, body, exit)
        else:
            self.b.jump(body, node.span)
        self.b.open(body)
        yield self._body(node["body"], Target(labels, exit, step))
        self.b.jump(step, node.span)
        self.b.open(step)
        self.variables.copy(scope, node.span)
        if increment:
            yield self.expressions.effect(increment)
        self.b.jump(header, node.span)
        self.b.seal(header)
        self.b.open(exit)

    def _for_in(self, node: Node, labels: Sequence[str]) -> Computation[None]:
        is_of, waits, span = node["operator"].kind == "of", "await" in node.words, node["right"].span
        self.scope(node, ())
        value = yield self.expressions.value(node["right"])
        name = "async_iterator" if waits else "iterator" if is_of else "keys"
        iterator = self.emission.operation(name, value, span=span)
        header = self._header("for", node)
        body, exit = self._block_of("body", node), self._block_of("exit", node)
        item = self._next_later(iterator, span) if waits else self.emission.operation("step", iterator, span=span)
        self.b.branch(self.emission.operation("is_done", item, span=span), exit, body, span)
        self.b.open(body)
        self.scope(node, ())

        def work() -> Computation[None]:
            yield self._assign_item(node, item)
            yield self._body(node["body"], Target(labels, None, header))

        self.emission.frames.append(Target(labels, exit))
        yield self.emission.closing(iterator, work, span, waits) if is_of else work()
        self.emission.frames.pop()
        self.emission.repeat(header, node.span)
        self.b.open(exit)

    def _next_later(self, iterator: Value, span: Span) -> Value:
        """The next value of an asynchronous iterator, or the mark of its end."""
        promise = self.emission.operation("async_next", iterator, span=span)
        return self.emission.operation("item", self.emission.operation("await", promise, span=span), span=span)

    def _assign_item(self, node: Node, item: Value) -> Step[object]:
        kind = node.get("kind")
        is_declaration = kind is not None and kind.kind != "var"
        return self.expressions.assign(unparenthesised(node["left"]), item, is_declaration)

    # -------------------------------------------------------------------------------------------------- exceptions

    def _try(self, node: Node) -> Computation[None]:
        finalizer = node.get("finalizer")
        if finalizer is None:
            yield self._try_catch(node)
            return
        span, outer = node.span, self.emission.handler
        frame = Finally(self._block_of("finally", finalizer), finalizer.span)
        handler = self._block_of("unwind", finalizer)
        self.emission.frames.append(frame)
        self.emission.handler = handler
        yield self._try_catch(node) if node.get("handler") else self._block(node["body"])
        self.emission.frames.pop()
        self.emission.handler = outer
        self._complete(frame, 0, span)
        self.b.open(handler)
        exception = self.emission.caught(span)
        self.emission.complete(frame, 1, exception, span)
        self.b.open(frame.block)
        yield self._block(finalizer["body"])
        self.emission.go_on(frame)

    def _complete(self, frame: Finally, number: int, span: Span) -> None:
        self.emission.complete(frame, number, self.emission.undefined(span), span)

    def _try_catch(self, node: Node) -> Computation[None]:
        clause, outer = node["handler"], self.emission.handler
        handler, after = self._block_of("catch", clause), self._block_of("after_try", node)
        self.emission.handler = handler
        yield self._block(node["body"])
        self.emission.handler = outer
        self.b.jump(after, node.span)
        self.b.open(handler)
        exception = self.emission.caught(clause.span)
        self.scope(clause, ())
        parameter = clause.get("parameter")
        if parameter:
            yield self.expressions.assign(parameter, exception, is_declaration=True)
        yield self._block(clause["body"])
        self.b.jump(after, node.span)
        self.b.open(after)


def _is_executed(statement: Node, before: Node) -> bool:
    """Whether a statement has code. A ``break``, or a ``return`` after a loop, may be there for its reader only."""
    if statement.kind == "return_statement":
        return before.kind in _JUMPS
    if statement.kind == "variable_declaration":
        return any(each.get("value") for each in statement.children)
    return statement.kind not in (*DECLARED_FUNCTIONS, "empty_statement", "break_statement")


def _declared_function(statement: Node) -> Node | None:
    """The function that a statement declares, perhaps after labels or ``export``."""
    while statement.kind in ("labeled_statement", "export_statement"):
        inner = statement.get("body") or statement.get("declaration")
        if inner is None:
            return None
        statement = inner
    return statement if statement.kind in DECLARED_FUNCTIONS else None
