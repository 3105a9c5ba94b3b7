"""Random programs made directly in the intermediate representation, for properties that hold for every program.

`programs()` is a hypothesis strategy of well-formed, well-typed `Program`s: arbitrary (also irreducible) graphs of
continuations, every transfer, values of every type, continuations that are passed on as values. They need not end, nor
be free of undefined values, when they are run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import ALLOCATE, CONVERT, COPY, ELEMENT, FIELD, LOAD, PRIMITIVES, STORE
from cpsconv.core.operations.types import is_data, is_integer, is_storable, wrap
from testing.effort import randoms
from testing.exact_operations import EXACT
from testing.plain_graphs import reached

NAMES = ["x", "y", "x1", "then", "next", "let", "int", "halt", "f", "v", "i"]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 123456789.0]
FLOATS_32 = [0.0, -0.0, 1.0, -1.5, 0.10000000149011612, 3.4028234663852886e38, float("inf"), float("nan")]
STRINGS = ["", "100%%\n", 'a "quoted" \\', "\0\x01\xff", "tab\t", "// no comment", "é"]
STORABLE = [type for type in ir.SCALARS.values() if is_storable(type)]
WORDS = {"integer": ["3", "7", "100", "0"], "float": ["1.5", "-0.0"], "bool": ["true"], "string": ["%d", "abc"]}
COMMON = [ir.INT, ir.INT, ir.INT, ir.BOOL, ir.LONG, ir.UNSIGNED, ir.CHAR, ir.DOUBLE]


def programs(max_functions: int = 3, max_continuations: int = 12) -> st.SearchStrategy[ir.Program]:
    """Programs of at most so many functions with at most so many continuations each, with and without memory."""
    return st.builds(
        random_program, randoms(), st.integers(1, max_functions), st.integers(0, max_continuations), st.booleans()
    )


def random_program(source: random.Random, functions: int, continuations: int, with_memory: bool = False) -> ir.Program:
    """A program drawn from `source`: so many functions, each with up to so many continuations."""
    program = ir.Program([], structs=random_structs(source) if with_memory else [])
    for index in range(functions):
        name = "fghint"[index % 6] + str(index) * (index > 0)
        parameters = _parameters(source, [*COMMON, ir.STRING, *[ir.PTR] * 3 * with_memory], 3)
        parameters += [ir.Parameter(ir.ContinuationType((ir.INT,)), "k") for _ in range(source.random() < 0.2)]
        result = ir.ContinuationType(tuple(source.choice([(), (ir.INT,), (ir.LONG,), (ir.BOOL,)])))
        program.functions.append(ir.Function(name, [*parameters, ir.Parameter(result, "ret")]))
    if with_memory:
        program.externals += [external(*each) for each in EXTERNALS[: source.randint(0, 2)]]
        program.data += [ir.Data(name, object_type(source, program.structs)) for name in ("table", "data", "v")]
        for data in program.data:
            random_content(source, program, data)
    for function in program.functions:
        _FunctionMaker(source, program, function, continuations).fill()
    return program


def random_structs(source: random.Random) -> list[ir.Struct]:
    """Some structs and unions, which may contain earlier ones."""
    structs: list[ir.Struct] = []
    for name in source.sample(["point", "x", "let", "struct", "at"], source.randint(1, 3)):
        fields = [(field, object_type(source, structs)) for field in source.sample(NAMES, source.randint(1, 3))]
        structs.append(laid_out(name, fields, is_union=source.random() < 0.3))
    return structs


def object_type(source: random.Random, structs: Sequence[ir.Struct], arrays: int = 3) -> ir.ObjectType:
    """A type of objects in memory, with arrays nested at most so deeply."""
    if arrays and source.random() < 0.3:
        return ir.Array(object_type(source, structs, arrays - 1), source.randint(0, 4))
    types: list[ir.ObjectType] = [*STORABLE, *structs]
    return source.choice(types)


EXTERNALS = [("strlen", ir.UNSIGNED_LONG, "s"), ("strcmp", ir.INT, "st")]


def external(name: str, result: ir.Scalar, parameters: str) -> ir.Function:
    """The declaration of an external function of pointers."""
    ret = ir.Parameter(ir.ContinuationType((result,)), "ret")
    return ir.Function(name, [*(ir.Parameter(ir.PTR, parameter) for parameter in parameters), ret])


def random_content(source: random.Random, program: ir.Program, data: ir.Data) -> None:
    """Fill the data, with addresses in arrays of pointers."""
    data.is_constant = source.random() < 0.3
    type = data.object_type
    size = source.choice([type.size, source.randint(0, type.size)])
    data.content = bytes(source.choice([0, 0, 1, 97, 255]) for _ in range(size)).rstrip(b"\0")
    if isinstance(type, ir.Array) and type.element is ir.PTR:
        data.content = b""
        for index in range(type.length):
            target = source.choice(program.globals)
            data.addresses[8 * index] = target, source.choice([0, 4, -12]) if isinstance(target, ir.Data) else 0


def samples(function: ir.Function) -> list[str] | None:
    """Command-line arguments for the function; None if it takes continuations or pointers."""
    types = [parameter.type for parameter in function.parameters[:-1]]
    words = [WORDS[type.kind][0] for type in types if isinstance(type, ir.Scalar) and type is not ir.PTR]
    return words if len(words) == len(types) else None


def random_constant(source: random.Random, type: ir.Scalar) -> ir.Constant:
    """A constant of the type, often a remarkable one."""
    if type.kind == "integer":
        close = source.choice([0, 1, 2, -1, 10, 97, 1 << (type.bits - 1), (1 << (type.bits - 1)) - 1])
        return ir.Constant(type, wrap(type, close))
    if type is ir.BOOL:
        return ir.Constant(ir.BOOL, source.random() < 0.5)
    if type is ir.PTR:
        return ir.Constant(ir.PTR, 0)
    if type is ir.STRING:
        return ir.Constant(ir.STRING, source.choice(STRINGS))
    return ir.Constant(type, normalised(type, source.choice(FLOATS_32 if type is ir.FLOAT else FLOATS)))


class _FunctionMaker:
    """Fills one function: first the graph, then the bodies, each after those that dominate it."""

    def __init__(self, source: random.Random, program: ir.Program, function: ir.Function, size: int) -> None:
        self.source = source
        self.program = program
        self.function = function
        self.shapes: dict[ir.Continuation, list[ir.Continuation]] = {}
        members: list[ir.Continuation] = [function]
        for _ in range(source.randint(0, size)):
            members.append(ir.Continuation(source.choice(NAMES), _parameters(source, COMMON, 3)))
        for member in members:
            self.shapes[member] = [source.choice(members[1:]) for _ in range(source.randint(0, 3)) if members[1:]]

    def fill(self) -> None:
        above = dominators_by_definition(self.function, self.shapes)
        visible: dict[ir.Continuation, list[ir.Value]] = {}
        for member in above:  # dominators first
            inherited = [value for other in above[member] if other is not member for value in visible[other]]
            own: list[ir.Value] = [*member.parameters]
            for _ in range(self.source.randint(0, 4)):
                statement = self._statement(inherited + own)
                member.body.append(statement)
                if isinstance(statement.type, ir.Scalar) and statement.type.kind != "void":
                    own.append(statement)
            visible[member] = own
            member.transfer = self._transfer(self.shapes[member], [*inherited, *own, *self.shapes[member]])
        self.function.continuations = [member for member in self.shapes if member in above][1:]
        self.source.shuffle(self.function.continuations)

    def _statement(self, values: Sequence[ir.Value]) -> ir.Statement:
        if self.program.structs and self.source.random() < 0.5:
            return self._memory_statement(values)
        name = self.source.choice([*NAMES, None])
        if self.source.random() < 0.2:
            arguments = [self._value(self.source.choice(COMMON), values) for _ in range(self.source.randint(0, 2))]
            conversions = ["%f" if argument.type is ir.DOUBLE else "%d" for argument in arguments]
            format = ir.Constant(ir.STRING, self.source.choice(STRINGS) + " ".join(conversions))
            return ir.Effect("printf", (format, *arguments), ir.INT, name)
        if self.source.random() < 0.2:
            operand = self._value(self.source.choice(COMMON), values)
            to = self.source.choice([type for type in ir.SCALARS.values() if is_data(type)])
            return ir.Primitive(CONVERT, (operand,), to, name)
        while True:
            op = self.source.choice(EXACT)
            type = self.source.choice(COMMON)
            for count in (1, 2):
                result = PRIMITIVES[op].typing([type] * count)
                if result is not None:
                    return ir.Primitive(op, tuple(self._value(type, values) for _ in range(count)), result, name)

    def _memory_statement(self, values: Sequence[ir.Value]) -> ir.Statement:
        name = self.source.choice([*NAMES, None])
        pointer, structs = self._value(ir.PTR, values), self.program.structs
        index = self._value(self.source.choice([ir.INT, ir.LONG]), values)
        element = object_type(self.source, structs, arrays=0)
        match self.source.randint(0, 9):
            case 9:
                function = self.source.choice([*self.program.functions, *self.program.externals])
                return ir.Primitive(CONVERT, (function,), ir.PTR, name)
            case 0:
                return ir.Primitive(ELEMENT, (pointer, index), ir.PTR, name, None, element)
            case 1:
                field = self.source.choice([*self.source.choice(structs).fields.values()])
                return ir.Primitive(FIELD, (pointer,), ir.PTR, name, None, field)
            case 2:
                return ir.Effect(LOAD, (pointer,), self.source.choice(STORABLE), name)
            case 3:
                return ir.Effect(STORE, (self._value(self.source.choice(STORABLE), values), pointer), ir.VOID)
            case 4:
                source, target, struct = pointer, self._value(ir.PTR, values), self.source.choice(structs)
                return ir.Effect(COPY, (source, target), ir.VOID, None, None, struct)
            case 5 | 6:
                count = (index,) if self.source.random() < 0.7 else ()
                type = object_type(self.source, structs) if count else element
                return ir.Effect(ALLOCATE, count, ir.PTR, name, None, type)
            case 7:
                size = self._value(ir.UNSIGNED_LONG, values)
                return ir.Effect("realloc", (pointer, size), ir.PTR, name)
        return ir.Primitive(CONVERT, (pointer,), self.source.choice([ir.BOOL, ir.LONG, ir.PTR, ir.CHAR]), name)

    def _value(self, type: ir.Type, values: Sequence[ir.Value]) -> ir.Value:
        """Something of that type: mostly one of the latest of `values`."""
        fitting = [value for value in values if value.type == type]
        if type is ir.PTR and self.program.data and self.source.random() < 0.3:
            return self.source.choice(self.program.data)
        if fitting and self.source.random() < 0.8:
            return self.source.choice(fitting[-4:])
        if isinstance(type, ir.ContinuationType):
            return ir.HALT if type == ir.HALT.type else self.function.ret
        if self.source.random() < 0.1:
            return ir.Undef(type, self.source.choice(NAMES))
        return random_constant(self.source, type)

    def _edge(self, target: ir.Target, values: Sequence[ir.Value]) -> ir.Edge:
        assert isinstance(target.type, ir.ContinuationType)
        return ir.Edge(target, [self._value(type, values) for type in target.type.parameters])

    def _transfer(self, targets: Sequence[ir.Continuation], values: Sequence[ir.Value]) -> ir.Transfer:
        """A transfer that leads to exactly `targets`."""
        if not targets:
            return self._leave(values)
        if len(targets) == 1 and self.source.random() < 0.7:
            return self._transfer_to(targets[0], values)
        edges = [self._edge(target, values) for target in targets]
        if len(targets) == 1:
            edges.append(self._edge(self._outside(), values))
        if len(edges) == 2 and self.source.random() < 0.7:
            return ir.Branch(self._value(ir.BOOL, values), edges[0], edges[1])
        type = self.source.choice([type for type in COMMON if is_integer(type)])
        cases = self.source.sample([wrap(type, case) for case in (0, 1, 5, -1, 100)], len(edges) - 1)
        return ir.Switch(self._value(type, values), cases, edges[:-1], edges[-1])

    def _leave(self, values: Sequence[ir.Value]) -> ir.Transfer:
        if self.source.random() < 0.3:
            return self._call(ir.Edge(self._outside()), values)
        return ir.Jump(self._edge(self._outside(), values))

    def _outside(self) -> ir.Target:
        """A continuation that does not belong to the function."""
        targets: list[ir.Target] = [self.function.ret, ir.HALT, ir.ABORT]
        return self.source.choice(targets)

    def _transfer_to(self, target: ir.Continuation, values: Sequence[ir.Value]) -> ir.Transfer:
        if self.source.random() < 0.6:
            call = self._call(ir.Edge(target), values)
            if isinstance(call, ir.Call):
                return call
        return ir.Jump(self._edge(target, values))

    def _call(self, then: ir.Edge, values: Sequence[ir.Value]) -> ir.Transfer:
        """A call that returns to `then`, or a jump if no function does."""
        wanted = then.target.type
        if self.program.structs and self.source.random() < 0.3 and isinstance(wanted, ir.ContinuationType):
            arguments = [self._value(self.source.choice(COMMON), values) for _ in range(self.source.randint(0, 2))]
            callee = ir.prototype([*(argument.type for argument in arguments), wanted])
            return ir.Call(callee, arguments, then, None, self._value(ir.PTR, values))
        functions = [*self.program.functions, *self.program.externals]
        callees = [callee for callee in functions if callee.ret.type == wanted]
        if not callees:
            return ir.Jump(self._edge(then.target, values))
        callee = self.source.choice(callees)
        return ir.Call(callee, [self._value(parameter.type, values) for parameter in callee.parameters[:-1]], then)


def dominators_by_definition(
    root: ir.Continuation, successors: dict[ir.Continuation, list[ir.Continuation]]
) -> dict[ir.Continuation, list[ir.Continuation]]:
    """The dominators of each reachable continuation (without which it cannot be reached), all from the root on."""
    found = [*reached(successors, root)]
    above = {node: {other for other in found if node not in reached(successors, root, without=other)} for node in found}
    order = sorted(found, key=lambda node: len(above[node]))
    return {node: [other for other in order if other in above[node]] for node in order}


def _parameters(source: random.Random, types: Sequence[ir.Type], most: int) -> list[ir.Parameter]:
    return [ir.Parameter(source.choice(types), source.choice(NAMES)) for _ in range(source.randint(0, most))]
