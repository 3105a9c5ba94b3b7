"""Checks of statements."""

from __future__ import annotations

from cpsconv.frontends.tinylang import tree
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang.expressions import Expressions
from cpsconv.frontends.tinylang.types import NIL, UNKNOWN, is_scalar
from cpsconv.trampoline import Computation


class Statements:
    """Checks the statements of a procedure, or of the body of a module."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.errors = expressions.errors
        self.procedure = expressions.procedure

    def sequence(self, nodes: list[tree.Statement]) -> Computation[list[t.Statement]]:
        """The typed statements without the empty and erroneous ones."""
        found = []
        for node in nodes:
            statement = None if node is None else (yield self._statement(node))
            if statement is not None:
                found.append(statement)
        return found

    def _statement(self, node: tree.Statement) -> Computation[t.Statement | None]:
        if isinstance(node, tree.Assignment):
            assignment: t.Statement | None = yield self._assignment(node)
            return assignment
        if isinstance(node, tree.Call):
            call: t.Call | None = yield self._call(node)
            return call
        if isinstance(node, tree.Conditional):
            arms = []
            for number, (condition, statements) in enumerate(node.arms):
                checked = yield self.expressions.condition(condition, "ELSIF" if number else "IF")
                arms.append((checked, (yield self.sequence(statements))))
            return t.If(arms, (yield self.sequence(node.otherwise)), node.span)
        if isinstance(node, tree.Loop):
            condition = yield self.expressions.condition(node.condition, "WHILE")
            return t.While(condition, (yield self.sequence(node.body)), node.span)
        assert isinstance(node, tree.Return)
        returned: t.Return = yield self._return(node)
        return returned

    def _assignment(self, node: tree.Assignment) -> Computation[t.Statement | None]:
        target = yield self.expressions.place(node.target, "the target of `:=`")
        value = yield self.expressions.expression(node.value)
        if target is None:
            return None
        self.expressions.change(target)
        self.expressions.require(value, target.type, f"the value for `{node.target.name.text}`")
        if isinstance(value, t.Load) and not is_scalar(value.type):
            return t.Copy(target, value.place, node.span)
        return t.Assign(target, value, node.span)

    def _call(self, node: tree.Call) -> Computation[t.Call | None]:
        call = yield self.expressions.call(node)
        if not isinstance(call, t.Call):
            return None
        if call.type not in (NIL, UNKNOWN):
            message = f"the value that `{node.callee.name.text}` returns is not used"
            self.errors.add(message, node.span, "unused-result", "assign it to a variable")
        return call

    def _return(self, node: tree.Return) -> Computation[t.Return]:
        value: t.Expression | None = None if node.value is None else (yield self.expressions.expression(node.value))
        result, name = self.procedure.result, self.procedure.name
        if result is None and value is not None:
            self.errors.add(f"`{name}` returns no value", value.span, "type-mismatch")
        elif result is not None and value is None:
            self.errors.add(f"`{name}` returns a value of the type `{result.name}`", node.span, "type-mismatch")
        elif result is not None and value is not None:
            self.expressions.require(value, result, f"the value that `{name}` returns")
        return t.Return(value, node.span)
