"""The lowering of While: calls of the Builder, for the steps of a program in order."""

from __future__ import annotations

from dataclasses import dataclass, field

from cpsconv.construction import Block, Builder, Variable
from cpsconv.frontends.while_language.meaning import Analysed
from cpsconv.frontends.while_language.syntax import Expression, Step, postorder
from cpsconv.ir import BOOL, INTEGER, STRING, VOID, Constant, Function, Program, Value
from cpsconv.operations.python_printf import decimal_number
from cpsconv.source import Diagnostic, Span

FUNCTION = "program"
"""The name of the function of a program."""

_OPERATIONS = {"=": "==", "and": "&", "or": "|", "not": "!"}
"""The operations whose names are not those of the operators. Both operands of `and` and `or` are evaluated."""


def lower(analysed: Analysed, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The program, constructed with the Builder; appends the warnings."""
    warnings += analysed.warnings
    return Program([_Lowering(analysed, builder).function()], analysed.source)


@dataclass(eq=False)
class _Lowering:
    """The lowering of one program. `variables` has the variables by name, `labels` the blocks of labels.

    `arrivals` counts the jumps to each label that are still missing, `opened` has the blocks of enclosing constructs.
    """

    analysed: Analysed
    b: Builder
    variables: dict[str, Variable] = field(default_factory=dict)
    labels: dict[str, Block] = field(default_factory=dict)
    arrivals: dict[str, int] = field(default_factory=dict)
    opened: list[list[Block]] = field(default_factory=list)

    def function(self) -> Function:
        """The function of the program: its free variables are the parameters, and it prints the final state."""
        found = self.analysed
        self.variables = {name: Variable(name, type, found.spans[name]) for name, type in found.types.items()}
        self.b.function(FUNCTION, [self.variables[name] for name in found.free], VOID)
        self.labels = {name: self.b.continuation(name) for name in found.gotos}
        self.arrivals = {name: count + 1 for name, count in found.gotos.items()}  # and the step before the label
        for step in found.steps:
            getattr(self, f"_{step.kind}")(step)
        return self.b.finish()

    # ------------------------------------------------------------------------------------------------- statements

    def _skip(self, step: Step) -> None:
        pass

    def _assignment(self, step: Step) -> None:
        assert step.name and step.expression
        self.b.write_variable(self.variables[step.name.text], self._value(step.expression), step.span)

    def _if(self, step: Step) -> None:
        assert step.expression
        then, otherwise, join = (self.b.continuation(name, span=step.span) for name in ("then", "else", "endif"))
        self.b.branch(self._value(step.expression), then, otherwise, step.expression.span)
        self.b.open(then)
        self.opened.append([otherwise, join])

    def _else(self, step: Step) -> None:
        otherwise, join = self.opened[-1]
        self.b.jump(join, step.span)
        self.b.open(otherwise)

    def _endif(self, step: Step) -> None:
        _, join = self.opened.pop()
        self.b.jump(join, step.span)
        self.b.open(join)

    def _while(self, step: Step) -> None:
        assert step.expression
        header = self.b.continuation("while", span=step.span)
        body, exit = (self.b.continuation(name, span=step.span) for name in ("body", "exit"))
        self.b.jump(header, step.span)
        self.b.enter(header)  # sealed at the end of the loop, which is a predecessor, too
        self.b.branch(self._value(step.expression), body, exit, step.expression.span)
        self.b.open(body)
        self.opened.append([header, exit])

    def _endwhile(self, step: Step) -> None:
        header, exit = self.opened.pop()
        self.b.jump(header, step.span)
        self.b.seal(header)
        self.b.open(exit)

    def _label(self, step: Step) -> None:
        assert step.name
        self._goto(step)
        self.b.enter(self.labels[step.name.text])

    def _goto(self, step: Step) -> None:
        """Jump to a label, whose block is sealed with the last jump to it."""
        assert step.name
        block = self.labels[step.name.text]
        self.b.jump(block, step.span)
        self.arrivals[step.name.text] -= 1
        if not self.arrivals[step.name.text]:
            self.b.seal(block)

    def _end(self, step: Step) -> None:
        for name, variable in self.variables.items():
            value = self.b.read_variable(variable, step.span)
            if variable.type is BOOL:
                self._print_truth(name, value, step.span)
            else:
                self.b.effect("printf", Constant(STRING, _bytes(f"{name} = %Zd\n")), value, span=step.span)
        self.b.ret(span=step.span)

    def _print_truth(self, name: str, value: Value, span: Span) -> None:
        """Print a truth value: a branch selects the word."""
        word = Variable("word", STRING)
        then, otherwise, join = map(self.b.continuation, ("true", "false", "shown"))
        self.b.branch(value, then, otherwise, span)
        for block, text in (then, "true"), (otherwise, "false"):
            self.b.open(block)
            self.b.write_variable(word, Constant(STRING, text))
            self.b.jump(join, span)
        self.b.open(join)
        self.b.effect("printf", Constant(STRING, _bytes(f"{name} = %s\n")), self.b.read_variable(word, span), span=span)

    # ------------------------------------------------------------------------------------------------ expressions

    def _value(self, expression: Expression) -> Value:
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
