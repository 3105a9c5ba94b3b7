"""The lowering of While: calls of the Builder, for the statements of a program in order."""

from __future__ import annotations

from functools import partial

from cpsconv.core.construction import Block, Builder, Variable
from cpsconv.core.construction.structured import choice, conditional, encoded, loop
from cpsconv.core.ir import BOOL, INTEGER, STRING, VOID, Constant, Function, Value
from cpsconv.core.operations.python_formats import decimal_number
from cpsconv.core.source import Span, warning
from cpsconv.core.trampoline import Work, perform
from cpsconv.languages.uses import HOLDS, Uses
from cpsconv.languages.while_language.meaning import Analysed
from cpsconv.languages.while_language.syntax import Expression, Statement, evaluated, postorder

FUNCTION = "program"
"""The name of the function of a program."""

_OPERATIONS = {"=": "==", "and": "&", "or": "|", "not": "!"}
"""The operations whose names are not those of the operators. Both operands of `and` and `or` are evaluated."""


class Lowering:
    """Constructs the program."""

    def __init__(self, analysed: Analysed, builder: Builder) -> None:
        self.analysed, self.b = analysed, builder
        self.variables = {name: Variable(name, type, analysed.spans[name]) for name, type in analysed.types.items()}
        self.labels: dict[str, Block] = {}
        self.missing = {name: count + 1 for name, count in analysed.gotos.items()}  # and the statement before the label

    def function(self, free: list[str]) -> Function:
        """The function of the program. The `free` variables are its parameters."""
        self.b.function(FUNCTION, [self.variables[name] for name in free], VOID)
        self.construct()
        return self.b.finish()

    def construct(self) -> None:
        """Construct the body of the open function."""
        source = self.analysed.source
        end = Span(source, len(source.text), len(source.text))
        self.labels = {name: self.b.continuation(name) for name in self.missing}
        perform(self._statement(self.analysed.tree))
        for name, variable in self.variables.items():
            self.print(name, variable, end)
        self.b.ret(span=end)

    # ---------------------------------------------------------------------------------------------- statements

    def _statement(self, node: Statement) -> Work:
        if node.kind == "goto":
            self._jump(node)
        elif node.kind == "label" and node.name:
            self._jump(node)
            self.b.enter(self.labels[node.name.text])
        elif node.kind == "assignment" and node.name and node.expression:
            self.b.write_variable(self.variables[node.name.text], self.value(node.expression), node.span)
        elif node.expression:
            return self._compound(node, node.expression)
        return (self._statement(each) for each in node.parts)

    def _compound(self, node: Statement, condition: Expression) -> Work:
        end = Span(node.span.source, node.span.end, node.span.end)
        first, *others = (partial(self._statement, each) for each in node.parts)

        def branch(then: Block, otherwise: Block) -> None:
            self.b.branch(self.value(condition), then, otherwise, condition.span)

        if node.kind == "while":
            return loop(self.b, branch, first, node.span, end)
        return conditional(self.b, [(branch, first)], others[0] if others else lambda: iter(()), node.span, end)

    def _jump(self, node: Statement) -> None:
        """Jump to a label, whose block is sealed with the last jump to it."""
        assert node.name
        block = self.labels[node.name.text]
        self.b.jump(block, node.name.span if node.kind == "label" else node.span)
        self.missing[node.name.text] -= 1
        if not self.missing[node.name.text]:
            self.b.seal(block)

    def print(self, name: str, variable: Variable, span: Span) -> None:
        """Print a variable of the final state. For a truth value, a branch selects the word."""
        value, format = self.b.read_variable(variable, span), "%Zd"
        if variable.type is BOOL:
            words = {word: partial(Constant, STRING, word) for word in ("true", "false")}
            value, format = choice(self.b, Variable("word", STRING), value, words, span), "%s"
        self.b.effect("printf", encoded(f"{name} = {format}\n"), value, span=span)

    # --------------------------------------------------------------------------------------------- expressions

    def value(self, expression: Expression) -> Value:
        """The value of an expression."""
        return evaluated(expression, self._computed)

    def _computed(self, part: Expression, operands: list[Value]) -> Value:
        if part.operator == "variable":
            return self.b.read_variable(self.variables[part.text], part.span)
        if part.operator == "number":
            return Constant(INTEGER, decimal_number(part.text))
        if part.operator == "truth":
            return Constant(BOOL, part.text == "true")
        if len(operands) == 2 or part.operator == "not":
            return self.b.primitive(_OPERATIONS.get(part.operator, part.operator), *operands, span=part.span)
        (operand,) = operands
        if part.operator == "+":
            return operand
        if part.operands[0].operator == "number" and isinstance(operand, Constant):
            return Constant(INTEGER, -int(operand.value))
        return self.b.primitive("neg", operand, span=part.span)


class _Assignment(Lowering):
    """Definite assignment: `uses` has the uses of variables, with their places.

    A variable is *definitely assigned* at a use if every path from the start to the use contains an assignment to it
    (Ullrich 2013, section 6). The end of the program, which prints the state, uses all variables.
    """

    def __init__(self, analysed: Analysed) -> None:
        self.uses = Uses[tuple[str, Span | None]]()
        super().__init__(analysed, self.uses.builder)
        self.variables = {name: Variable(name, BOOL) for name in analysed.types}

    def value(self, expression: Expression) -> Value:
        for part in postorder(expression):
            if part.operator == "variable":
                self.uses.add(self.variables[part.text], (part.text, part.span))
        return HOLDS

    def print(self, name: str, variable: Variable, span: Span) -> None:
        self.uses.add(variable, (name, None))


def free_variables(analysed: Analysed) -> list[str]:
    """The variables whose initial values the program may use. Adds warnings of their first uses in the text."""
    flow = _Assignment(analysed)
    flow.construct()
    found: dict[str, Span | None] = {}
    for name, span in flow.uses.unassigned():
        if found.setdefault(name, span) is span and span:
            message = f"`{name}` is not definitely assigned: a path from the start to this use does not assign to it"
            help = f"the initial value of `{name}` is a parameter of the program"
            analysed.warnings.append(warning(message, span, help=help, rule="definite-assignment"))
    return [name for name in analysed.types if name in found]
