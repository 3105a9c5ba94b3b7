"""The lowering of the language: calls of the Builder, in the order of the source.

The Builder ignores dead code, so the lowering need not know whether a statement follows a ``return``.
"""

from lark import Token, Tree, visitors

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import INT, Constant, Function, Program, Value
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error


class Lowering(visitors.Interpreter):
    """Constructs the program of a parsed source when called; `visit` calls the method with the name of a rule."""

    def __init__(self, tree: Tree, source: Source) -> None:
        self.tree, self.source = tree, source

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        self.b = builder
        self.functions: dict[str, Function] = {}
        for name, names, _ in (function.children for function in self.tree.children):
            if name in self.functions:
                raise DiagnosticError([error(f"function `{name}` is defined twice", self.span(name))])
            self.functions[name] = builder.declare(name, [(each, INT) for each in names.children], INT)
        return Program(self.visit_children(self.tree), self.source)

    def span(self, node: Tree | Token) -> Span:
        position = node if isinstance(node, Token) else node.meta
        return Span(self.source, position.start_pos, position.end_pos)

    def function(self, tree: Tree) -> Function:
        name, names, body = tree.children
        self.variables = {each: Variable(each, INT, self.span(each)) for each in names.children}
        self.exits = []  # the continuations after the enclosing loops
        self.b.function(name, list(self.variables.values()), INT, self.span(name))
        self.visit_children(body)
        self.b.ret(Constant(INT, 0))  # for a body that ends without a return
        return self.b.finish()

    def assignment(self, tree: Tree) -> None:
        name, value = tree.children  # the first assignment declares the variable
        variable = self.variables.setdefault(name, Variable(name, INT, self.span(name)))
        self.b.write_variable(variable, self.visit(value), self.span(tree))

    def conditional(self, tree: Tree) -> None:
        condition, *arms = tree.children
        then, otherwise, join = map(self.b.continuation, ("then", "else", "endif"))
        self.b.branch(self.visit(condition), then, otherwise, self.span(condition))
        for block, arm in zip((then, otherwise), (*arms, Tree("block", [])), strict=False):
            self.b.open(block)
            self.visit_children(arm)
            self.b.jump(join)
        self.b.open(join)

    def loop(self, tree: Tree) -> None:
        condition, body = tree.children
        header, inside, exit = map(self.b.continuation, ("while", "body", "exit"))
        self.b.jump(header)
        self.b.enter(header)  # sealed below: the end of the body is a further predecessor
        self.b.branch(self.visit(condition), inside, exit, self.span(condition))
        self.b.open(inside)
        self.exits.append(exit)
        self.visit_children(body)
        self.exits.pop()
        self.b.jump(header)
        self.b.seal(header)
        self.b.open(exit)

    def break_(self, tree: Tree) -> None:
        if not self.exits:
            raise DiagnosticError([error("`break` outside of a loop", self.span(tree))])
        self.b.jump(self.exits[-1], self.span(tree))

    def return_(self, tree: Tree) -> None:
        self.b.ret(self.visit(tree.children[0]), self.span(tree))

    def operation(self, tree: Tree) -> Value:
        left, operator, right = tree.children
        return self.b.primitive(operator.value, self.visit(left), self.visit(right), span=self.span(tree))

    def number(self, tree: Tree) -> Value:
        return Constant(INT, int(tree.children[0]))

    def variable(self, tree: Tree) -> Value:
        if tree.children[0] not in self.variables:
            raise DiagnosticError([error(f"`{tree.children[0]}` is not assigned before this use", self.span(tree))])
        return self.b.read_variable(self.variables[tree.children[0]], self.span(tree))

    def call(self, tree: Tree) -> Value:
        name, arguments = tree.children
        if name not in self.functions or len(self.functions[name].parameters) - 1 != len(arguments.children):
            raise DiagnosticError([error(f"no function `{name}` has these parameters", self.span(tree))])
        return self.b.call(self.functions[name], self.visit_children(arguments), self.span(tree))
