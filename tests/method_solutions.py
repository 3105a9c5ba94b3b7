"""Solutions of the exercises that change the method (docs/course/7-the-code.md), and wrong solutions.

A change is a file with a text in it and the text that replaces it; a file without a text is new.
"""

from __future__ import annotations

from typing import NamedTuple

CORE = "cpsconv/core/"


class Change(NamedTuple):
    """The replacement of a text that occurs once in the file; of nothing, if the file is new."""

    file: str
    old: str
    new: str


_LOCAL = '''"""A strategy that first compares the values that the predecessors of a join have recorded."""

from __future__ import annotations

from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import Block, Variable, resolve
from cpsconv.core.ir import Value


class Local(Basic):
    """As `Basic`, but a join whose predecessors have recorded one value has this value."""

    def walk(self, variable: Variable, block: Block) -> tuple[Value | None, Block, list[Block]]:
        value, join, passed = super().walk(variable, block)
        if value is None:
            recorded = [predecessor.definitions.get(variable) for predecessor in join.predecessors]
            values = {resolve(each) for each in recorded if each is not None}
            if len(values) == 1 and None not in recorded:
                (value,) = values
                self.record(variable, [*passed, join], value)
        return value, join, passed
'''

_SIGN = """

def sign(_: Scalar, operand: Interval) -> Interval:
    return _hull((bound > 0) - (bound < 0) for bound in operand)


def complement("""

_EXPANSION = '''

def _sign(make: Callable[..., Value], x: Value) -> Value:
    """``sign(x)`` is ``int(x > 0) - int(x < 0)``."""
    assert isinstance(x.type, Scalar)
    zero = Constant(x.type, 0)
    return make("-", make(x.type, make(">", x, zero)), make(x.type, make("<", x, zero)))


def _by_target('''

_SIGN_ROW = """        _unary(
            "sign", "arithmetic", "sign", is_integer, lambda x: (x > 0) - (x < 0), intervals.sign,
            form="call", expansion=_sign,
        ),
        _unary("abs","""

_UNUSED = '''

def parameters_are_used(subject: Subject) -> Iterator[Diagnostic]:
    """Each parameter of a continuation is used, unless the continuation receives the result of a call."""
    used = {value for uses in subject.uses.values() for _, values in uses for value in values}
    results = {transfer.then.target for transfer in subject.transfers if isinstance(transfer, Call)}
    for member in subject.members:
        if not isinstance(member, Function) and member not in results:
            for parameter in member.parameters:
                if parameter not in used:
                    yield error(f"`{parameter.name}` of `{member.name}` is not used", parameter.span)


CHECKS: tuple'''

_REPEAT = """        if node.kind == "repeat":
            return self._repeat(branch, first)
        if node.kind == "while":"""

_REPEAT_METHOD = """
    def _repeat(self, branch: BranchTo, statement: Body) -> Work:
        body, exit = self.b.continuation("repeat"), self.b.continuation("exit")
        self.b.jump(body)
        self.b.enter(body)
        yield statement()
        branch(exit, body)
        self.b.seal(body)
        self.b.open(exit)

    def _jump("""

_COMPARE = '''class Compare(metaclass=NodeType):
    """``compare(x, y, k1, k2, k3)``: to `k1` if x < y, to `k2` if x = y, to `k3` if x > y."""

    left: Value
    right: Value
    below: Edge
    equal: Edge
    above: Edge
    span: Span | None = None

    @property
    def edges(self) -> Sequence[Edge]:
        return (self.below, self.equal, self.above)

    @property
    def operands(self) -> Sequence[Value]:
        return (self.left, self.right)

    @property
    def uses(self) -> Sequence[Value]:
        return [*self.operands, *(value for edge in self.edges for value in (edge.target, *edge.arguments))]


class Switch(metaclass=NodeType):'''

_FOLLOW = """            case ir.Compare(left, right, below, equal, above):
                one, other = self.value(left, scope), self.value(right, scope)
                return self.along(below if one < other else equal if one == other else above, scope)
            case ir.Switch("""

SOLUTIONS: dict[str, list[Change]] = {
    "strategy": [
        Change(CORE + "construction/local.py", "", _LOCAL),
        Change(
            CORE + "construction/strategies.py",
            '    "scc": Strategy(Scc,',
            '    "local": Strategy("cpsconv.core.construction.local:Local", "compare what is recorded first"),\n'
            '    "scc": Strategy(Scc,',
        ),
    ],
    "operation": [
        Change(CORE + "operations/intervals.py", "\n\ndef complement(", _SIGN),
        Change(CORE + "operations/table.py", "\n\ndef _by_target(", _EXPANSION),
        Change(CORE + "operations/table.py", '        _unary("abs",', _SIGN_ROW),
    ],
    "check": [
        Change(CORE + "check/well_formedness.py", "\n\nCHECKS: tuple", _UNUSED),
        Change(
            CORE + "check/well_formedness.py",
            '    ("redefined", values_are_defined_once),\n',
            '    ("redefined", values_are_defined_once),\n    ("unused-parameter", parameters_are_used),\n',
        ),
    ],
    "statement": [
        Change(
            "grammars/while.lark",
            '         | "{" statements "}" ',
            '         | "repeat" statement "until" expression           -> repeated\n         | "{" statements "}" ',
        ),
        Change(
            "cpsconv/languages/while_language/syntax.py",
            '    loop = _statement("while", None, 1, 3)\n',
            '    loop = _statement("while", None, 1, 3)\n    repeated = _statement("repeat", None, 3, 1)\n',
        ),
        Change(
            "cpsconv/languages/while_language/lowering.py",
            "construction.structured import choice,",
            "construction.structured import Body, BranchTo, choice,",
        ),
        Change("cpsconv/languages/while_language/lowering.py", '        if node.kind == "while":', _REPEAT),
        Change("cpsconv/languages/while_language/lowering.py", "\n    def _jump(", _REPEAT_METHOD),
    ],
    "transfer": [
        Change(CORE + "ir.py", "class Switch(metaclass=NodeType):", _COMPARE),
        Change(CORE + "ir.py", "Transfer = Union[Jump, Branch,", "Transfer = Union[Jump, Branch, Compare,"),
        Change(CORE + "evaluator/evaluation.py", "            case ir.Switch(", _FOLLOW),
        Change(
            CORE + "analysis/graph.py",
            "    elif isinstance(transfer, Switch):\n",
            "    elif isinstance(transfer, Compare):\n"
            "        transfer.left, transfer.right = replace(transfer.left), replace(transfer.right)\n"
            "    elif isinstance(transfer, Switch):\n",
        ),
        Change(CORE + "analysis/graph.py", "    Call,\n", "    Call,\n    Compare,\n"),
        Change(
            CORE + "text/printer.py",
            "        if isinstance(transfer, ForeignTransfer):\n",
            "        if isinstance(transfer, Compare):\n"
            "            slots = [*map(value, transfer.operands), *map(self._slot, transfer.edges)]\n"
            '            return Group("compare(", slots, ")")\n'
            "        if isinstance(transfer, ForeignTransfer):\n",
        ),
        Change(CORE + "text/printer.py", "    Call,\n", "    Call,\n    Compare,\n"),
    ],
}
"""The changes that solve each exercise."""

WRONG: dict[str, list[Change]] = {
    "strategy": [
        Change(CORE + "construction/local.py", "if len(values) == 1 and None not in recorded:", "if values:"),
        Change(CORE + "construction/local.py", " and None not in recorded", ""),
        Change(CORE + "construction/local.py", "[*passed, join], value", "passed, value"),
    ],
    "operation": [
        Change(CORE + "operations/table.py", "lambda x: (x > 0) - (x < 0)", "lambda x: 1 if x >= 0 else -1"),
        Change(CORE + "operations/table.py", '"sign", is_integer,', '"sign", is_arithmetic,'),
        Change(CORE + "operations/table.py", 'form="call", expansion=_sign,', 'form="call",'),
        Change(CORE + "operations/intervals.py", "_hull((bound > 0) - (bound < 0) for bound in operand)", "(-1, 1)"),
    ],
    "check": [
        Change(CORE + "check/well_formedness.py", "if not isinstance(member, Function) and", "if"),
        Change(CORE + "check/well_formedness.py", " and member not in results", ""),
        Change(CORE + "check/well_formedness.py", "for _, values in uses for", "for _, values in uses[:-1] for"),
    ],
    "statement": [
        Change("cpsconv/languages/while_language/lowering.py", "branch(exit, body)", "branch(body, exit)"),
        Change(
            "cpsconv/languages/while_language/lowering.py",
            'if node.kind == "repeat":\n            return self._repeat(branch, first)',
            'if node.kind == "repeat":\n            return loop(self.b, branch, first, node.span, end)',
        ),
    ],
    "transfer": [
        Change(CORE + "evaluator/evaluation.py", "below if one < other", "below if one <= other"),
        Change(
            CORE + "analysis/graph.py",
            "replace(transfer.left), replace(transfer.right)",
            "transfer.left, transfer.right",
        ),
        Change(CORE + "ir.py", "return (self.left, self.right)", "return (self.left,)"),
    ],
}
"""Changes that make a solution wrong."""
