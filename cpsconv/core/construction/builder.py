"""The Builder: the interface through which a front end constructs a program, in source order."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NoReturn

from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.construction import events
from cpsconv.core.construction.block import Block, BuildError, Placed, Variable, resolve
from cpsconv.core.construction.events import Observer, ending_of
from cpsconv.core.construction.finish import finish
from cpsconv.core.construction.items import ProgramItems, as_variable
from cpsconv.core.construction.placement import Placement
from cpsconv.core.construction.strategies import new_placement
from cpsconv.core.ir import (
    ABORT,
    MEMORY,
    NO_ATTRIBUTES,
    PTR,
    VOID,
    Attributes,
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Effect,
    External,
    Foreign,
    ForeignTransfer,
    Function,
    Jump,
    Parameter,
    Primitive,
    Scalar,
    Statement,
    Static,
    Switch,
    Transfer,
    Type,
    Undef,
    Value,
    prototype,
)
from cpsconv.core.operations.table import (
    CONVERT,
    CREATING,
    EFFECTS,
    EXTEND,
    FOREIGN,
    FOREIGN_VALUE,
    constant_key,
    result_type,
)
from cpsconv.core.source import Span

if TYPE_CHECKING:
    from cpsconv.core.construction.explicit_memory import ExplicitMemory
    from cpsconv.core.simplify.simplifier import Simplifier

_TYPE = attrgetter("type")


class Builder(ProgramItems):
    """Builds functions, one after the other. The package's essay describes the algorithms.

    A front end opens a function and fills it block by block: it enters a block, reads and writes variables, computes,
    and ends the block with a transfer. A block can be entered before all of its predecessors are known; `seal` declares
    that no more will follow.

    `current` is the block that is being filled. After a transfer it is None: the code that follows is dead until the
    next `enter`, and also after it if that block is sealed and has no predecessors. Dead code has no effect: it adds no
    statement and no edge (not even to a sealed block, which otherwise is an error), writes nothing, and its values are
    undefined. Its operations must have operands of the right types. So a front end need not know that a statement
    follows a ``return``.

    `strategy` is a key of `CONSTRUCTIONS` (`cpsconv.core.construction.strategies`), and `simplify` holds keys of
    `cpsconv.core.simplify.SIMPLIFICATIONS`, the simplifications that are applied to each operation (section 3.1). The
    `observer` is called with each step, see `cpsconv.core.construction.events`. With `memory`, the state of memory is
    explicit: a front end constructs the program as without it, and the functions and accesses get their memories here.
    `undefined` is the rule for undefined operands (`cpsconv.core.analysis.undefined_operands`).
    `ProgramItems` has the methods for the other parts of a program.

    Each method raises `BuildError` for a wrong argument, with the cure: no call constructs a program that
    `cpsconv.core.check` rejects. A front end whose calls are known to be right saves the time with ``checked=False``;
    then only the order of calls and the operands of operations are checked.

    The following program has a function that is called before it is built, a loop, and a dead statement::

        int main() { int i = 0; while (i < 3) i = next(i); return i; i = 9; }
        int next(int n) { return n + 1; }

    >>> from cpsconv.core.construction import Builder, Variable
    >>> from cpsconv.core.ir import INT, Constant, Program
    >>> from cpsconv.core.text import pretty
    >>> b = Builder()
    >>> next = b.declare("next", [("n", INT)], INT)  # to be called before it is built
    >>> main = b.function("main", [], INT)
    >>> i = Variable("i", INT)
    >>> loop, body, exit = b.continuation("while"), b.continuation("body"), b.continuation("exit")
    >>> b.write_variable(i, Constant(INT, 0))
    >>> b.jump(loop)
    >>> b.enter(loop)  # not sealed: the body will jump back to it
    >>> b.branch(b.primitive("<", b.read_variable(i), Constant(INT, 3)), body, exit)
    >>> b.seal(body)  # the branch is its only predecessor
    >>> b.enter(body)
    >>> b.write_variable(i, b.call(next, [b.read_variable(i)]))
    >>> b.jump(loop)
    >>> b.seal(loop)
    >>> b.seal(exit)
    >>> b.enter(exit)
    >>> b.ret(b.read_variable(i))
    >>> b.write_variable(i, Constant(INT, 9))  # dead: it follows a transfer
    >>> main = b.finish()
    >>> n = Variable("n", INT)
    >>> next = b.function("next", [n], INT)
    >>> b.ret(b.primitive("+", b.read_variable(n), Constant(INT, 1)))
    >>> print(pretty(Program([main, b.finish()])), end="")
    main(ret : int → ⊥) → ⊥ {
      let
        while := (i : int) → ⊥
          let
            body := () → ⊥
              next(i, λ(i1 : int).
              while(i1))
            exit := () → ⊥
              ret(i)
          in
          branch(i < 3, body, exit)
      in
      while(0)
    }
    <BLANKLINE>
    next(n : int, ret : int → ⊥) → ⊥ {
      ret(n + 1)
    }
    """

    def __new__(cls, *_: object, checked: bool = True, **__: object) -> Builder:
        """A Builder that checks the arguments of its methods, unless it is not `checked`."""
        if checked and cls is Builder:  # loaded on use: it is a subclass, and our own front ends do not need it
            from cpsconv.core.construction.checked import CheckedBuilder

            return super().__new__(CheckedBuilder)
        return super().__new__(cls)

    def __init__(
        self,
        strategy: str = "scc",
        simplify: Collection[str] = (),
        observer: Observer | None = None,
        memory: ExplicitMemory | None = None,
        *,
        undefined: Rule = keep_undefined,
        checked: bool = True,
    ) -> None:
        super().__init__(memory, observer)
        self.strategy = strategy
        self.undefined = undefined
        self.simplify = simplify
        self.current: Block | None = None
        self._function: Function | None = None
        self._placement = self._new_placement()
        self._blocks: list[Block] = []
        self._filled: list[Block] = []
        self._simplifier: Simplifier | None = None
        self._constants: dict[object, Constant] = {}  # those assigned in the open function
        self._has_free = False  # whether the open function has free values

    # ------------------------------------------------------------------------------------------------- functions

    def function(
        self, name: str, parameters: Sequence[Variable | tuple[str, Scalar]], result: Scalar, span: Span | None = None
    ) -> Function:
        """Open a function: seal and enter its entry, and assign to each variable its parameter.

        Raises `BuildError` if another function is open, or this one was built before or declared with other types.
        """
        if self._function is not None:
            raise BuildError(f"function {name} is opened before {self._function.name} is finished")
        function = self.declared(name) or self.declare(name, parameters, result, span)
        if function in self.counts:
            raise BuildError(f"function {name} is built twice")
        variables = [as_variable(parameter) for parameter in parameters]
        if self.memory is not None:
            variables.append(self.memory.rest)
        if [*map(_TYPE, variables)] != [*map(_TYPE, function.parameters[:-1])] or result is not function.result:
            raise BuildError(f"function {name} is declared with other types")
        self._begin(function)
        for variable, parameter in zip(variables, function.parameters, strict=False):
            self.write_variable(variable, parameter)
        return function

    def finish(self) -> Function:
        """Close the function: resolve removed parameters, drop unreachable blocks, write the arguments into the edges.

        Its continuations are in the order in which the blocks were filled. Raises `BuildError` if a block is not sealed
        or not filled.
        """
        function = self._open_function()
        for block in self._blocks:
            if not block.sealed:
                raise BuildError(f"continuation {block.continuation.name} of {function.name} was never sealed")
            if not block.filled:
                raise BuildError(f"continuation {block.continuation.name} of {function.name} was never filled")
        self.counts[function] = finish(function, self._filled, self._placement, self._has_free)
        self._function = None
        if self.observer is not None:
            self.observer(events.Close(function))
        else:
            for block in self._blocks:  # placed parameters keep their blocks alive, and blocks of loops each other
                block.definitions.clear()
                block.predecessors.clear()
        self._blocks, self._filled = [], []
        return function

    # ---------------------------------------------------------------------------------------------------- blocks

    def continuation(
        self, name: str, may_assign: Container[Variable] | None = None, span: Span | None = None, operator: str = ""
    ) -> Block:
        """A new, empty, unsealed block. `operator`, which the block is created for, is for the observer.

        A front end that knows a whole loop can pass in `may_assign` the variables that may change before control
        returns to the block. A read of any other variable uses the predecessor known so far, and places no
        proxy, unless several predecessors are known.
        """
        if self.memory is not None and may_assign is not None:
            may_assign = self.memory.changing(may_assign)
        block = Block(Continuation(name, [], [], None, span), may_assign)
        self._blocks.append(block)
        if self.observer is not None:
            self.observer(events.Create(block, operator))
        return block

    def enter(self, block: Block) -> None:
        """Start to fill `block`. If it is sealed and has no predecessors, its code is dead.

        Raises `BuildError` if the current block is not filled, or `block` is.
        """
        if self.current is not None:
            self._fail(self.current, f"is not filled yet, but {block.continuation.name} is entered")
        if block.filled:
            self._fail(block, "is entered, but it is filled already")
        self.current = block
        if self._simplifier is not None:
            known = block.sealed or block.may_assign is not None
            before = [predecessor.continuation for predecessor in block.predecessors] if known else []
            self._simplifier.enter(block.continuation, before, sealed=block.sealed)
        if self.observer is not None:
            self.observer(events.Enter(block))
        if block.sealed and not block.predecessors:
            self.leave(ABORT)  # any transfer: control does not reach it

    def open(self, block: Block) -> None:
        """Seal `block`, whose predecessors are all known, and enter it. Raises `BuildError` as these do."""
        self.seal(block)
        self.enter(block)

    def seal(self, block: Block) -> None:
        """Declare that `block` gets no further predecessor (Algorithm 4). Raises `BuildError` if it is sealed."""
        if block.sealed:
            self._fail(block, "is sealed twice")
        self._placement.seal(block)

    @property
    def placed(self) -> int:
        """The number of parameters placed in the open function, or else in the last one, proxies included."""
        return self._placement.placed

    @property
    def removed(self) -> int:
        """The number of placed parameters that were removed again."""
        return self._placement.removed

    # ------------------------------------------------------------------------------------------------- variables

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        """Assign `value` to `variable` (Algorithm 1). A value without a name takes that of the variable.

        Equal constants are one value, so a join that they reach needs no parameter. `span`, the location of the
        assignment, is for the observer.
        """
        block = self._source()
        if block is None:
            return
        if isinstance(value, Constant):
            value = self._constants.setdefault(constant_key(value), value)
        elif isinstance(value, (Primitive, Effect, Parameter)) and not value.name:
            value.name = variable.name
        block.definitions[variable] = value
        if self.observer is not None:
            self.observer(events.Write(variable, block, value, span))

    def read_variable(self, variable: Variable, span: Span | None = None) -> Value:
        """The current value of `variable` (Algorithm 1). `span`, the location of the use, is for the observer."""
        block = self.current
        if block is None:
            return self._dead(variable.type)
        if self.observer is None:
            return self._placement.read(variable, block)
        self.observer(events.Read(variable, block, span))
        value = self._placement.read(variable, block)
        self.observer(events.Answer(variable, block, value))
        return value

    def free(self, value: Value) -> Value:
        """A value of a finished function, as a free value of the open function, which is nested in it.

        Each function that calls the open one must have the value in scope at the call
        (`cpsconv.core.analysis.nesting`).
        """
        self._is_nested = self._has_free = True
        return value

    # ------------------------------------------------------------------------------------------------ statements

    def primitive(
        self,
        op: str,
        *values: Value,
        of: Static = None,
        span: Span | None = None,
        attributes: Attributes = NO_ATTRIBUTES,
    ) -> Value:
        """The result of a pure operation. Raises `BuildError` if there is none for such operands.

        `of` is the static operand of an address computation.
        """
        return self._append(Primitive(op, values, typed(op, values), None, span, of, attributes))

    def convert(
        self, type: Scalar, value: Value, span: Span | None = None, attributes: Attributes = NO_ATTRIBUTES
    ) -> Value:
        """`value` converted to a scalar type."""
        return self._append(Primitive(CONVERT, (value,), type, None, span, None, attributes))

    def effect(
        self,
        op: str,
        *values: Value,
        type: Scalar | None = None,
        of: Static = None,
        name: str | None = None,
        span: Span | None = None,
        alignment: int = 0,
        attributes: Attributes = NO_ATTRIBUTES,
    ) -> Value:
        """The result of an ordered operation. Raises `BuildError` if there is none for such operands.

        A load needs the `type` of the data; `of` is the static operand of an allocation or a copy. The `name` of an
        allocation is that of the variable in runtime errors, `alignment` as in `ir.Effect`.
        """
        type = typed(op, values, type)
        if self.current is None:
            return self._dead(type)
        effect = Effect(op, values, type, name, span, of, alignment, attributes)
        if self.memory is not None and accesses_memory(effect):
            return self._access(self.memory, effect)
        return self._append(effect)

    def foreign(
        self,
        text: str,
        *values: Value,
        type: Scalar = VOID,
        pure: bool = False,
        span: Span | None = None,
        attributes: Attributes = NO_ATTRIBUTES,
    ) -> Value:
        """The result of a foreign operation, which has this static text; see `cpsconv.core.ir`.

        It is an effect unless it is `pure`: then its result depends only on the values, and it always has one.
        """
        of = Foreign(text)
        if pure:
            return self.append(Primitive(FOREIGN_VALUE, values, type, None, span, of, attributes))
        return self.append(Effect(FOREIGN, values, type, None, span, of, 0, attributes))

    def _access(self, explicit: ExplicitMemory, access: Effect) -> Value:
        """Append an access that reads the variable of its memory; assign the changed or extended memory to it."""
        variable, span = explicit.next_variable(), access.span
        if access.op in CREATING:
            before = [self.read_variable(variable, span)] if variable is explicit.rest else []
            access.operands += tuple(before)
            self._append(access)
            extended = self._append(Effect(EXTEND, (access, *before), MEMORY, span=span))
            self.write_variable(variable, extended, span)
            return access
        access.operands += (self.read_variable(variable, span),)
        if access.type is not VOID:
            return self._append(access)
        access.type = MEMORY
        self._append(access)
        self.write_variable(variable, access, span)
        return access

    def append(self, statement: Statement) -> Value:
        """Append a statement. Returns its value: a simpler one, or undef in unreachable code."""
        block = self.current
        if block is None:
            return self._dead(statement.type)
        if self._simplifier is not None and type(statement) is Primitive:
            return self._simplify(self._simplifier, block, statement)
        block.continuation.body.append(statement)
        if self.observer is not None:
            self.observer(events.Compute(block, statement, statement.operands))
        return statement

    _append = append  # `append` of a derived class may check the statements of its callers

    def _simplify(self, simplifier: Simplifier, block: Block, wanted: Primitive) -> Value:
        size = len(block.continuation.body)
        wanted.operands = tuple(map(resolve, wanted.operands))
        value = simplifier.primitive(wanted)
        if self.observer is not None:
            added = block.continuation.body[size:]
            for statement in added:
                self.observer(events.Compute(block, statement, statement.operands))
            if value is not wanted:
                self.observer(events.Simplify(block, wanted.op, wanted.operands, value, wanted.span))
        return value

    # ------------------------------------------------------------------------------------------------- transfers

    def jump(self, block: Block, span: Span | None = None) -> None:
        """Jump to `block`. As every transfer outside of dead code, raises `BuildError` if its target is sealed."""
        source = self._source()
        if source is not None:
            self._fill(source, Jump(self._edge(source, block), span))

    def branch(self, condition: Value, then: Block, otherwise: Block, span: Span | None = None) -> None:
        """Jump to `then` if the `bool` is true, else to `otherwise`. Both may be the same block.

        If branches are simplified and the condition is known, the other block does not get a predecessor.
        """
        source = self._source()
        if source is None:
            return
        known = self._known(source, condition) if self._simplifier is not None else None
        if known:
            self.jump(then if known.value else otherwise, span)
            return
        self._fill(source, Branch(condition, self._edge(source, then), self._edge(source, otherwise), span))

    def switch(
        self, value: Value, cases: Sequence[tuple[int, Block]], default: Block, span: Span | None = None
    ) -> None:
        """Jump to the block whose number equals the integer `value`, else to `default`. Simplified like a branch."""
        source = self._source()
        if source is None:
            return
        known = self._known(source, value)
        if known:
            self.jump(dict(cases).get(int(known.value), default), span)
            return
        targets = [self._edge(source, block) for _, block in cases]
        self._fill(source, Switch(value, [number for number, _ in cases], targets, self._edge(source, default), span))

    def foreign_transfer(
        self, text: str, values: Sequence[Value], targets: Sequence[Block], span: Span | None = None
    ) -> None:
        """Fill the block with a foreign transfer, which has this static text, to one of the targets."""
        source = self._source()
        if source is not None:
            edges = [self._edge(source, block) for block in targets]
            self._fill(source, ForeignTransfer(text, [*values], edges, span))

    def ret(self, value: Value | None = None, span: Span | None = None) -> None:
        """Return from the function, with a value unless its result is `VOID`."""
        function = self._open_function()
        if self.current is not None:
            values = [] if value is None else [value]
            self._fill(self.current, Jump(Edge(function.ret, [*values, *self._memory_read(span)]), span))

    def leave(self, external: External, *values: Value, span: Span | None = None) -> None:
        """End the program: ``leave(HALT, status)`` or ``leave(ABORT)``."""
        source = self._source()
        if source is not None:
            self._fill(source, Jump(Edge(external, [*values]), span))

    def call(self, function: Function, arguments: Sequence[Value], span: Span | None = None) -> Value | None:
        """Call `function`, and enter and seal a new block for its return continuation.

        Returns the result of the call, None for `VOID`.
        """
        return self._call(function, arguments, span)

    def call_through(
        self, pointer: Value, arguments: Sequence[Value], result: Scalar, span: Span | None = None
    ) -> Value | None:
        """Call the function at `pointer`, whose parameters must have the types of the arguments. Otherwise as `call`.

        At run time, the function's type must be exactly this one.
        """
        types: list[Type] = [*map(_TYPE, arguments)]
        if self.memory is not None:
            types.append(MEMORY)
        return self._call(prototype([*types, self.returning(result)]), arguments, span, pointer)

    def _call(
        self, function: Function, arguments: Sequence[Value], span: Span | None, pointer: Value | None = None
    ) -> Value | None:
        source = self.current
        result = function.result
        if source is None:
            return self._dead(result) if isinstance(result, Scalar) and result is not VOID else None
        passed = [*arguments, *self._memory_read(span)]
        then = self.continuation(f"after_{function.name or 'call'}", span=span)
        self._fill(source, Call(function, passed, self._edge(source, then), span, pointer))
        self.open(then)
        returned = None if result is VOID else Parameter(result, "", span)
        if returned:
            then.continuation.parameters.append(returned)
        if self.memory is not None:
            memory = Parameter(MEMORY, "", span)
            then.continuation.parameters.append(memory)
            self.write_variable(self.memory.rest, memory, span)
        return returned

    # -------------------------------------------------------------------------------------------------- internals

    def _new_placement(self) -> Placement:
        placement = new_placement(self.strategy)
        placement.observer = self.observer
        placement.undefined = self.undefined
        return placement

    def _begin(self, function: Function) -> None:
        self._function, self._has_free = function, False
        self._constants = {}
        self._placement = self._new_placement()
        entry = Block(function, sealed=True)
        entry.is_reached = True
        self.current = entry
        self._blocks, self._filled = [entry], []
        if self.simplify:
            from cpsconv.core.simplify.simplifier import Simplifier  # imported on use: its table of rules takes time

            self._simplifier = Simplifier(self.simplify, _is_defined)
            self._simplifier.enter(function, [], sealed=True)
        if self.observer is not None:
            self.observer(events.Open(function, entry))

    def _memory_read(self, span: Span | None) -> list[Value]:
        """The memory that a transfer passes to another function, if memory is explicit."""
        return [] if self.memory is None else [self.read_variable(self.memory.rest, span)]

    def _open_function(self) -> Function:
        if self._function is None:
            raise BuildError("no function is open")
        return self._function

    def _source(self) -> Block | None:
        """The block to be ended or extended, None in dead code."""
        if self.current is None:
            self._open_function()
        return self.current

    def _dead(self, type: Scalar) -> Value:
        """The value of a read or an operation in dead code."""
        self._open_function()
        return Undef(type, "dead code")

    def _known(self, block: Block, value: Value) -> Constant | None:
        """The constant that `value`, on which `block` branches, is known to equal, if branches are simplified."""
        if self._simplifier is None:
            return None
        constant = self._simplifier.constant(resolve(value))
        if constant and self.observer is not None:
            self.observer(events.Decide(block, value, constant))
        return constant

    def _edge(self, source: Block, block: Block) -> Edge:
        if block.sealed:
            self._fail(block, "gets another predecessor, but it is sealed")
        edge = Edge(block.continuation, [])
        block.predecessors.append(source)
        block.edges.append(edge)
        block.is_reached = block.is_reached or source.is_reached
        return edge

    def _fill(self, block: Block, transfer: Transfer) -> None:
        block.continuation.transfer = transfer
        block.filled = True
        self._filled.append(block)
        self.current = None
        if self.observer is not None:
            self.observer(events.Fill(block, ending_of(transfer), transfer.span))

    def _fail(self, block: Block, what: str) -> NoReturn:
        raise BuildError(f"continuation {block.continuation.name} {what}")


def _is_defined(value: Value) -> bool:
    """Whether a value is known to be defined. A placed parameter may still receive an undefined value."""
    return not isinstance(value, (Placed, Undef))


def accesses_memory(effect: Effect) -> bool:
    """Whether the effect is an access to memory, or reads memory through an operand."""
    return EFFECTS[effect.op].is_on_memory or PTR in map(_TYPE, effect.operands)


def typed(op: str, values: Sequence[Value], target: Scalar | None = None) -> Scalar:
    """The type of the result of an operation. Raises `BuildError` if there is none for such operands."""
    operands = tuple(map(_TYPE, values))
    result = result_type(op, operands, target)
    if result is None:
        help = "see docs/operations.md, and `convert` for the types of operands"
        raise BuildError(f"there is no operation {op}({', '.join(map(str, operands))}): {help}")
    return result
