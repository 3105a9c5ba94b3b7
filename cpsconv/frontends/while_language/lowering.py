"""The lowering of While: calls of the Builder, for the statements of a program in order."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

from cpsconv.construction import Block, Builder, Variable
from cpsconv.construction.structured import conditional, joined, loop
from cpsconv.frontends.uses import HOLDS, Uses
from cpsconv.frontends.while_language.meaning import Analysed
from cpsconv.frontends.while_language.syntax import Expression, Statement, postorder
from cpsconv.ir import BOOL, INTEGER, STRING, VOID, Constant, Function, Value
from cpsconv.operations.python_printf import decimal_number
from cpsconv.source import Span, warning
from cpsconv.trampoline import Work, perform

FUNCTION = "program"
"""The name of the function of a program."""

_OPERATIONS = {"=": "==", "and": "&", "or": "|", "not": "!"}
"""The operations whose names are not those of the operators. Both operands of `and` and `or` are evaluated."""


class _Flow:
    """The control flow of a program. Subclasses state what its assignments and expressions are."""

    def __init__(self, analysed: Analysed, builder: Builder) -> None:
        self.analysed, self.b = analysed, builder
        self.labels: dict[str, Block] = {}
        self.missing = {name: count + 1 for name, count in analysed.gotos.items()}  # and the statement before the label

    @abstractmethod
    def assign(self, name: str, expression: Expression, span: Span) -> None:
        """Lower an assignment."""

    @abstractmethod
    def value(self, expression: Expression) -> Value:
        """The value of an expression."""

    @abstractmethod
    def end(self, span: Span) -> None:
        """Lower the end of the program."""

    def construct(self) -> None:
        """Construct the body of the open function."""
        source = self.analysed.source
        end = Span(source, len(source.text), len(source.text))
        self.labels = {name: self.b.continuation(name) for name in self.missing}
        perform(self._statement(self.analysed.tree))
        self.end(end)
        self.b.ret(span=end)

    def _statement(self, node: Statement) -> Work:
        if node.kind == "goto":
            self._jump(node)
        elif node.kind == "label" and node.name:
            self._jump(node)
            self.b.enter(self.labels[node.name.text])
        elif node.kind == "assignment" and node.name and node.expression:
            self.assign(node.name.text, node.expression, node.span)
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


class _Assignment(_Flow):
    """Definite assignment: `uses` has the uses of variables, with their places.

    A variable is *definitely assigned* at a use if every path from the start to the use contains an assignment to it
    (Ullrich 2013, section 6). The end of the program, which prints the state, uses all variables.
    """

    def __init__(self, analysed: Analysed) -> None:
        self.uses = Uses[tuple[str, Span | None]]()
        super().__init__(analysed, self.uses.builder)
        self.facts = {name: Variable(name, BOOL) for name in analysed.types}

    def assign(self, name: str, expression: Expression, span: Span) -> None:
        self.b.write_variable(self.facts[name], self.value(expression))

    def value(self, expression: Expression) -> Value:
        for part in postorder(expression):
            if part.operator == "variable":
                self.uses.add(self.facts[part.text], (part.text, part.span))
        return HOLDS

    def end(self, span: Span) -> None:
        for name, fact in self.facts.items():
            self.uses.add(fact, (name, None))


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


class Lowering(_Flow):
    """Constructs the program."""

    def __init__(self, analysed: Analysed, builder: Builder) -> None:
        super().__init__(analysed, builder)
        self.variables = {name: Variable(name, type, analysed.spans[name]) for name, type in analysed.types.items()}

    def function(self, free: list[str]) -> Function:
        """The function of the program. The `free` variables are its parameters."""
        self.b.function(FUNCTION, [self.variables[name] for name in free], VOID)
        self.construct()
        return self.b.finish()

    def assign(self, name: str, expression: Expression, span: Span) -> None:
        self.b.write_variable(self.variables[name], self.value(expression), span)

    def end(self, span: Span) -> None:
        for name, variable in self.variables.items():
            value = self.b.read_variable(variable, span)
            if variable.type is BOOL:
                self._print_truth(name, value, span)
            else:
                self.b.effect("printf", Constant(STRING, _bytes(f"{name} = %Zd\n")), value, span=span)

    def _print_truth(self, name: str, value: Value, span: Span) -> None:
        """Print a truth value: a branch selects the word."""
        true, false = self.b.continuation("true"), self.b.continuation("false")
        self.b.branch(value, true, false, span)
        arms = [(block, partial(Constant, STRING, text)) for block, text in ((true, "true"), (false, "false"))]
        word = joined(self.b, Variable("word", STRING), arms, span)
        self.b.effect("printf", Constant(STRING, _bytes(f"{name} = %s\n")), word, span=span)

    def value(self, expression: Expression) -> Value:
        values: list[Value] = []
        for part in postorder(expression):
            operands = [values.pop() for _ in part.operands][::-1]
            values.append(self._computed(part, operands))
        return values[0]

    def _computed(self, part: Expression, operands: list[Value]) -> Value:
        if part.operator == "variable":
            return self.b.read_variable(self.variables[part.text], part.span)
        if part.operator == "number":
            return Constant(INTEGER, decimal_number(part.text))
        if part.operator == "truth":
            return Constant(BOOL, part.text == "true")
        if len(operands) == 2:
            return self.b.primitive(_OPERATIONS.get(part.operator, part.operator), *operands, span=part.span)
        if part.operator == "not":
            return self.b.primitive("!", *operands, span=part.span)
        (operand,) = operands
        if part.operator == "+":
            return operand
        if part.operands[0].operator == "number" and isinstance(operand, Constant):
            return Constant(INTEGER, -int(operand.value))
        return self.b.primitive("neg", operand, span=part.span)


def _bytes(text: str) -> str:
    """The text as a string of the program, which has a character for each byte of UTF-8."""
    return text.encode("utf-8").decode("latin-1")
