"""Random programs made directly in the intermediate representation, for properties that hold for every program.

`programs()` is a hypothesis strategy of well-formed, well-typed `Program`s: arbitrary (also irreducible) graphs of
continuations, every transfer, values of every type, continuations that are passed on as values. They need not end, nor
be free of undefined values, when they are run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from cpsconv.entry import data_parameters, entry_of
from cpsconv.ir import (
    ABORT,
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALT,
    INT,
    LONG,
    SCALARS,
    STRING,
    UNSIGNED,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Switch,
    Target,
    Transfer,
    Type,
    Undef,
    Value,
)
from cpsconv.operations.runtime_errors import StepLimit
from cpsconv.operations.table import CONVERT, PRIMITIVES
from cpsconv.operations.types import is_data, is_integer, wrap
from cpsconv.source import DiagnosticError
from tests.plain_graphs import reached
from tests.running import observe

NAMES = ["x", "y", "x1", "then", "next", "let", "int", "halt", "f", "v", "i"]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 123456789.0]
FLOATS_32 = [0.0, -0.0, 1.0, -1.5, 0.10000000149011612, 3.4028234663852886e38, float("inf"), float("nan")]
STRINGS = ["", "100%%\n", 'a "quoted" \\', "\0\x01\xff", "tab\t", "// no comment", "é"]
COMMON = [INT, INT, INT, BOOL, LONG, UNSIGNED, CHAR, DOUBLE]


def programs(max_functions: int = 3, max_continuations: int = 12) -> st.SearchStrategy[Program]:
    """Programs of at most so many functions with at most so many continuations each."""
    return st.builds(
        lambda source, functions, size: random_program(source, functions, size),
        st.randoms(use_true_random=False),
        st.integers(1, max_functions),
        st.integers(0, max_continuations),
    )


def random_program(source: random.Random, functions: int, continuations: int) -> Program:
    """A program drawn from `source`: so many functions, each with up to so many continuations."""
    program = Program([])
    for index in range(functions):
        name = "fghint"[index % 6] + str(index) * (index > 0)
        parameters = _parameters(source, [*COMMON, STRING], 3)
        parameters += [Parameter(ContinuationType((INT,)), "k") for _ in range(source.random() < 0.2)]
        result = ContinuationType(tuple(source.choice([(), (INT,), (LONG,), (BOOL,)])))
        program.functions.append(Function(name, [*parameters, Parameter(result, "ret")]))
    for function in program.functions:
        _FunctionMaker(source, program, function, continuations).fill()
    return program


_WORDS = {"integer": ["3", "7", "100", "0"], "float": ["1.5", "-0.0"], "bool": ["true"], "string": ["%d", "abc"]}


def program_to_run(number: int) -> tuple[Program, list[str]] | None:
    """The program of that number, with arguments; None where it cannot be started or does not end soon."""
    source = random.Random(number)
    program = random_program(source, source.randint(1, 3), source.randint(1, 9))
    program.functions[0].name = "main"
    try:
        types = [parameter.type for parameter in data_parameters(entry_of(program))]
        arguments = [source.choice(_WORDS[type.kind]) for type in types if isinstance(type, Scalar)]
        observe(program, arguments, max_steps=300)
    except (DiagnosticError, StepLimit):
        return None
    return program, arguments


def samples(function: Function) -> list[str] | None:
    """Command-line arguments for the function; None if it takes continuations."""
    types = [parameter.type for parameter in function.parameters[:-1]]
    words = [_WORDS[type.kind][0] for type in types if isinstance(type, Scalar)]
    return words if len(words) == len(types) else None


def random_constant(source: random.Random, type: Scalar) -> Constant:
    """A constant of the type, often a remarkable one."""
    if type.kind == "integer":
        close = source.choice([0, 1, 2, -1, 10, 97, 1 << (type.bits - 1), (1 << (type.bits - 1)) - 1])
        return Constant(type, wrap(type, close))
    if type is BOOL:
        return Constant(BOOL, source.random() < 0.5)
    if type is STRING:
        return Constant(STRING, source.choice(STRINGS))
    return Constant(type, source.choice(FLOATS_32 if type is FLOAT else FLOATS))


class _FunctionMaker:
    """Fills one function: first the graph, then the bodies, each after those that dominate it."""

    def __init__(self, source: random.Random, program: Program, function: Function, size: int) -> None:
        self.source = source
        self.program = program
        self.function = function
        self.shapes: dict[Continuation, list[Continuation]] = {}
        members: list[Continuation] = [function]
        for _ in range(source.randint(0, size)):
            members.append(Continuation(source.choice(NAMES), _parameters(source, COMMON, 3)))
        for member in members:
            self.shapes[member] = [source.choice(members[1:]) for _ in range(source.randint(0, 3)) if members[1:]]

    def fill(self) -> None:
        above = dominators_by_definition(self.function, self.shapes)
        visible: dict[Continuation, list[Value]] = {}
        for member in above:  # dominators first
            inherited = [value for other in above[member] if other is not member for value in visible[other]]
            own: list[Value] = [*member.parameters]
            for _ in range(self.source.randint(0, 4)):
                statement = self._statement(inherited + own)
                member.body.append(statement)
                if isinstance(statement.type, Scalar) and statement.type.kind != "void":
                    own.append(statement)
            visible[member] = own
            member.transfer = self._transfer(self.shapes[member], [*inherited, *own, *self.shapes[member]])
        self.function.continuations = [member for member in self.shapes if member in above][1:]
        self.source.shuffle(self.function.continuations)

    def _statement(self, values: Sequence[Value]) -> Statement:
        name = self.source.choice([*NAMES, None])
        if self.source.random() < 0.2:
            arguments = [self._value(self.source.choice(COMMON), values) for _ in range(self.source.randint(0, 2))]
            conversions = ["%f" if argument.type is DOUBLE else "%d" for argument in arguments]
            format = Constant(STRING, self.source.choice(STRINGS) + " ".join(conversions))
            return Effect("printf", (format, *arguments), INT, name)
        if self.source.random() < 0.2:
            operand = self._value(self.source.choice(COMMON), values)
            to = self.source.choice([type for type in SCALARS.values() if is_data(type)])
            return Primitive(CONVERT, (operand,), to, name)
        while True:
            op = self.source.choice(list(PRIMITIVES))
            type = self.source.choice(COMMON)
            for count in (1, 2):
                result = PRIMITIVES[op].typing([type] * count)
                if result is not None:
                    return Primitive(op, tuple(self._value(type, values) for _ in range(count)), result, name)

    def _value(self, type: Type, values: Sequence[Value]) -> Value:
        """Something of that type: mostly one of the latest of `values`."""
        fitting = [value for value in values if value.type == type]
        if fitting and self.source.random() < 0.8:
            return self.source.choice(fitting[-4:])
        if isinstance(type, ContinuationType):
            return HALT if type == HALT.type else self.function.ret
        if self.source.random() < 0.1:
            return Undef(type, self.source.choice(NAMES))
        return random_constant(self.source, type)

    def _edge(self, target: Target, values: Sequence[Value]) -> Edge:
        assert isinstance(target.type, ContinuationType)
        return Edge(target, [self._value(type, values) for type in target.type.parameters])

    def _transfer(self, targets: Sequence[Continuation], values: Sequence[Value]) -> Transfer:
        """A transfer that leads to exactly `targets`."""
        if not targets:
            return self._leave(values)
        if len(targets) == 1 and self.source.random() < 0.7:
            return self._transfer_to(targets[0], values)
        edges = [self._edge(target, values) for target in targets]
        if len(targets) == 1:
            edges.append(self._edge(self._outside(), values))
        if len(edges) == 2 and self.source.random() < 0.7:
            return Branch(self._value(BOOL, values), edges[0], edges[1])
        type = self.source.choice([type for type in COMMON if is_integer(type)])
        cases = self.source.sample([wrap(type, case) for case in (0, 1, 5, -1, 100)], len(edges) - 1)
        return Switch(self._value(type, values), cases, edges[:-1], edges[-1])

    def _leave(self, values: Sequence[Value]) -> Transfer:
        if self.source.random() < 0.3:
            return self._call(Edge(self._outside()), values)
        return Jump(self._edge(self._outside(), values))

    def _outside(self) -> Target:
        """A continuation that does not belong to the function."""
        targets: list[Target] = [self.function.ret, HALT, ABORT]
        return self.source.choice(targets)

    def _transfer_to(self, target: Continuation, values: Sequence[Value]) -> Transfer:
        if self.source.random() < 0.6:
            call = self._call(Edge(target), values)
            if isinstance(call, Call):
                return call
        return Jump(self._edge(target, values))

    def _call(self, then: Edge, values: Sequence[Value]) -> Transfer:
        """A call that returns to `then`, or a jump if no function does."""
        wanted = then.target.type
        callees = [callee for callee in self.program.functions if callee.ret.type == wanted]
        if not callees:
            return Jump(self._edge(then.target, values))
        callee = self.source.choice(callees)
        return Call(callee, [self._value(parameter.type, values) for parameter in callee.parameters[:-1]], then)


def dominators_by_definition(
    root: Continuation, successors: dict[Continuation, list[Continuation]]
) -> dict[Continuation, list[Continuation]]:
    """The dominators of each reachable continuation (without which it cannot be reached), all from the root on."""
    found = [*reached(successors, root)]
    above = {node: {other for other in found if node not in reached(successors, root, without=other)} for node in found}
    order = sorted(found, key=lambda node: len(above[node]))
    return {node: [other for other in order if other in above[node]] for node in order}


def _parameters(source: random.Random, types: Sequence[Type], most: int) -> list[Parameter]:
    return [Parameter(source.choice(types), source.choice(NAMES)) for _ in range(source.randint(0, most))]
