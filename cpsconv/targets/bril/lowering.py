"""The lowering of a program to functions of Bril: blocks with parameters, in SSA form.

Bril's ``int`` has 64 bits and wraps, so `long` and `unsigned long` need no more than Bril's operations. A narrower
integer is an ``int`` with the same value; a result is wrapped to its type where the ranges of the program do not show
that it is in the range. Bril has no integer operations but ``add``, ``sub``, ``mul`` and ``div``; others are lowered to
these or refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.core import ir
from cpsconv.core.analysis.graph import count_uses, is_local, reverse_postorder
from cpsconv.core.analysis.ranges import Ranges, exact_interval, ranges
from cpsconv.core.entry import data_parameters
from cpsconv.core.operations.completeness import Unspelled, for_every_operation
from cpsconv.core.operations.definitions import signed_product
from cpsconv.core.operations.expansions import (
    equivalent,
    multiplied,
    negated,
    on_bool,
    on_machine_integers,
    spelled,
    tested,
    widened,
)
from cpsconv.core.operations.formats import PrintText, print_effects
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.table import CONVERT, EFFECTS, OPERATIONS
from cpsconv.core.operations.types import is_integer, range_of, wrap
from cpsconv.core.source import Span
from cpsconv.core.transform.expansion import expanded
from cpsconv.targets.bril.blocks import Block, BlockFunction, Edge, Line, Literal, Names, Operand, Variable
from cpsconv.targets.bril.output import OutputLine
from cpsconv.targets.bril.types import PointerTypes, bit_casts, refuse

PRINT_FUNCTIONS = {"print.bool": "bool", "print.float": "float", "print.char": "char"}
"""The functions of a program from Bril that print one value of a type, as Bril's ``print`` does."""

_COMPARISONS = {"==": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge"}
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_BITWISE = {"&": "and", "|": "or"}
_LOWEST = Literal("int", -(2**63))
_ONE, _ZERO = Literal("int", 1), Literal("int", 0)


def lowered(program: ir.Program) -> Iterator[BlockFunction]:
    """The functions of the program in Bril. Raises `DiagnosticError` for what Bril lacks."""
    program = expanded(with_command_line(program), _UNSPELLED)
    types = PointerTypes(program)
    main = program.function("main")
    known = ranges(main) if main else Ranges()
    own = [each for each in program.functions if not _is_print_function(each)]
    names, inventor = dict[ir.Function, str](), Names(())
    for function in sorted(own, key=lambda each: each is not main):  # `main` keeps its name
        names[function] = inventor.unique(function.name)
    for function in own:
        yield _FunctionLowering(function, names, types, known).lower()


def _is_print_function(function: ir.Function) -> bool:
    return function.name in PRINT_FUNCTIONS and len(function.parameters) == 2 and function.result is ir.VOID


class _FunctionLowering:
    """The lowering of one function."""

    def __init__(
        self, function: ir.Function, names: Mapping[ir.Function, str], types: PointerTypes, known: Ranges
    ) -> None:
        self.function, self.functions, self.types, self.known = function, names, types, known
        self.names = Names(())
        self.is_main = function.name == "main"
        self.operands: dict[ir.Value, Operand] = {}
        self.blocks: list[Block] = []
        self.targets: dict[ir.Continuation, Block] = {}
        self.output = OutputLine()
        self.needed = _needed(function)
        self.span = function.span  # of the statement or transfer that is being lowered

    # ------------------------------------------------------------------------------------------- control flow

    def lower(self) -> BlockFunction:
        """The function in Bril."""
        function = self.function
        parameters = [self.define(each, each.name) for each in data_parameters(function)]
        self.block = self.new_block("entry")
        if self.is_main:
            parameters = [*map(self._main_parameter, data_parameters(function), parameters)]
        uses = count_uses(function)
        inlined = set()
        members = reverse_postorder(function)
        for member in members:
            if isinstance(member.transfer, ir.Call):
                target = member.transfer.then.target
                if is_local(target) and uses[target] == 1:
                    inlined.add(target)
        for member in members:
            if member is not function and member not in inlined:
                self.targets[member] = self.new_block(member.name)
                self.targets[member].parameters = [self.define(each, each.name) for each in member.parameters]
        for member in members:
            if member not in inlined:
                self.block = self.targets.get(member, self.blocks[0])
                self._fill(member)
        result = None if self.is_main else self.types.of_result(function)
        return BlockFunction(self.functions[function], parameters, result, self.blocks, self.names)

    def _main_parameter(self, parameter: ir.Parameter, variable: Variable) -> Variable:
        """A parameter of `main`. One of 32 bits is a character, as in programs from Bril."""
        if parameter.type in (ir.LONG, ir.BOOL, ir.DOUBLE):
            return variable
        if parameter.type is not ir.INT:
            refuse(f"`main` takes a parameter of the type `{parameter.type}`", parameter.span)
        given = Variable(self.names.unique(f"{variable.name}.char"), "char")
        self.block.lines.append(Line("char2int", [given], variable))
        return given

    def new_block(self, hint: str) -> Block:
        """A new block, the last in the order of the text."""
        block = Block(self.names.unique(hint))
        self.blocks.append(block)
        return block

    def _fill(self, member: ir.Continuation) -> None:
        """Fill the current block with the body, and with those of continuations of calls that only return to it."""
        following: ir.Continuation | None = member
        while following is not None:
            member = following
            casts = bit_casts(member)
            for statement in member.body:
                self.span = statement.span or self.span
                if isinstance(statement, ir.Effect):
                    self._effect(statement, casts)
                elif statement in self.needed:
                    self.operands[statement] = _PRIMITIVES[statement.op](self, statement)
            self.span = member.transfer.span if member.transfer and member.transfer.span else member.span
            following = self._transfer(member, member.transfer)

    def _transfer(self, member: ir.Continuation, transfer: ir.Transfer | None) -> ir.Continuation | None:
        """Lower the transfer. Returns the continuation that follows in the same block, if any."""
        if isinstance(transfer, ir.Call):
            return self._call(transfer)
        span = transfer.span if transfer else None
        if self.output.pieces:
            refuse("a printed line that is not complete before control branches or returns", span or member.span)
        if isinstance(transfer, ir.Jump):
            self._jump(transfer)
        elif isinstance(transfer, ir.Branch):
            self.block.condition = self.operand(transfer.condition)
            self.block.edges = [self._edge(edge, span) for edge in transfer.edges]
        elif isinstance(transfer, ir.Switch):
            self._switch(transfer)
        return None

    def _jump(self, jump: ir.Jump) -> None:
        target = jump.edge.target
        if target is ir.ABORT:
            self._stop()
        elif target is self.function.return_continuation:
            self._return([*map(self.operand, jump.edge.arguments)], jump.span)
        elif target not in self.targets:
            refuse("a jump to a function", jump.span)
        else:
            self.block.edges = [self._edge(jump.edge, jump.span)]

    def _edge(self, edge: ir.Edge, span: Span | None) -> Edge:
        """An edge to a block. One to the return continuation or to an external leads to a new block."""
        if edge.target in self.targets:
            return Edge(self.targets[edge.target], [*map(self.operand, edge.arguments)])
        before, self.block = self.block, self.new_block("leave")
        self._jump(ir.Jump(edge, span))
        leave, self.block = self.block, before
        return Edge(leave)

    def _return(self, values: list[Operand], span: Span | None) -> None:
        if self.is_main and values:
            if values != [_ZERO]:
                refuse("an exit status other than 0: `main` returns no value in Bril", span)
        elif values:
            self.block.result = values[0]

    def _stop(self) -> None:
        """End the program with an error, as Bril has no other means: a division by zero. No block follows."""
        self.assign("div", [_ONE, _ZERO], Variable(self.names.unique("abort"), "int"))
        stop = self.new_block("stop")
        stop.edges = [Edge(stop)]
        self.block.edges = [Edge(stop)]

    def _switch(self, switch: ir.Switch) -> None:
        value = self.operand(switch.value)
        for case, edge in switch.arms:
            self.block.condition = self.assign("eq", [value, self.operand(case)], self.temporary("bool"))
            following = self.new_block("case")
            self.block.edges = [self._edge(edge, switch.span), Edge(following)]
            self.block = following
        self.block.edges = [self._edge(switch.default, switch.span)]

    def _call(self, call: ir.Call) -> ir.Continuation | None:
        printed = PRINT_FUNCTIONS.get(call.callee.name) if _is_print_function(call.callee) else None
        target = call.then.target
        result = None
        if printed:
            value = self.operand(call.arguments[0])
            is_char = printed == "char"
            self.print(self.compute("int2char", value, type="char") if is_char else value, call.span)
        else:
            result = self._called(call, target)
        if is_local(target) and target not in self.targets:
            return target
        if self.output.pieces:
            refuse("a printed line that is not complete before control branches or returns", call.span)
        results = [] if result is None else [result]
        if is_local(target):
            self.block.edges = [Edge(self.targets[target], results)]
        elif target is self.function.return_continuation:
            self._return(results, call.span)
        else:
            refuse("an exit status: `main` returns no value in Bril", call.span)
        return None

    def _called(self, call: ir.Call, target: ir.Target) -> Operand | None:
        if call.pointer is not None or call.callee not in self.functions:
            refuse("a call through a pointer, or of an external function", call.span)
        if call.callee.name == "main" and call.callee.result is not ir.VOID:
            refuse("a call of `main`: it returns no value in Bril", call.span)
        if self.output.pieces:
            refuse("a call before the printed line is complete", call.span)
        result = self.types.of_result(call.callee)
        destination = None
        if result and is_local(target) and target not in self.targets:
            destination = self.define(target.parameters[0], target.parameters[0].name)
        elif result:
            destination = Variable(self.names.unique("result"), result)
        arguments = [*map(self.operand, call.arguments)]
        self.block.lines.append(Line("call", arguments, destination, self.functions[call.callee]))
        return destination

    # ------------------------------------------------------------------------------------------------- values

    def define(self, value: ir.Value, name: str | None) -> Variable:
        """A new variable for a value."""
        variable = Variable(self.names.unique(name or "v"), self.types.of(value))
        self.operands[value] = variable
        return variable

    def temporary(self, type: str) -> Variable:
        """A new variable."""
        return Variable(self.names.unique("t"), type)

    def operand(self, value: ir.Value) -> Operand:
        """The operand for a value of the program."""
        if isinstance(value, ir.Constant):
            return self._constant(value)
        if isinstance(value, ir.Undef):
            return Literal(self.types.of(value), None)
        if value not in self.operands:
            refuse(_unknown(value), self.span)
        return self.operands[value]

    def _constant(self, constant: ir.Constant) -> Operand:
        value = constant.value
        if constant.type is ir.PTR:
            refuse("a null pointer", self.span)
        if isinstance(value, float):
            if not math.isfinite(value):
                sign = Literal("float", {math.inf: 1.0, -math.inf: -1.0}.get(value, 0.0))
                return self.compute("fdiv", sign, Literal("float", 0.0), type="float")
            return Literal("float", value)
        if isinstance(value, bool):
            return Literal("bool", value)
        if not isinstance(value, int):
            refuse("a string", self.span)
        return self._integer(value if value < 2**63 else value - 2**64)

    def _integer(self, value: int) -> Operand:
        """A number. Bril's interpreter reads numbers in JSON as floats, so those that no float has are computed."""
        if int(float(value)) == value:
            return Literal("int", value)
        high = self.assign("mul", [Literal("int", value >> 32), Literal("int", 2**32)], self.temporary("int"))
        return self.assign("add", [high, Literal("int", value & (2**32 - 1))], self.temporary("int"))

    def assign(self, op: str, arguments: list[Operand], destination: Variable) -> Variable:
        """Add an instruction with a result, which is returned."""
        self.block.lines.append(Line(op, arguments, destination))
        return destination

    def compute(self, op: str, *arguments: Operand, type: str = "int") -> Variable:
        """Add an instruction with a new variable as its result."""
        return self.assign(op, [*arguments], self.temporary(type))

    def select(self, condition: Operand, then: Operand, otherwise: Operand, destination: Variable) -> Variable:
        """The second operand if the condition holds, else the third: by a branch."""
        after = self.new_block("selected")
        after.parameters = [destination]
        self.block.condition = condition
        self.block.edges = [Edge(after, [then]), Edge(after, [otherwise])]
        self.block = after
        return destination

    # --------------------------------------------------------------------------------------------- primitives

    def _binary(self, each: ir.Primitive) -> Operand:
        """An arithmetic operator."""
        type = each.type
        operands = [*map(self.operand, each.operands)]
        if type is ir.DOUBLE:
            return self.assign(f"f{_ARITHMETIC[each.op]}", operands, self.define(each, each.name))
        if not is_integer(type):
            refuse(f"`{each.op}` on `{type}`", each.span)
        if each.op == "/" and type is ir.UNSIGNED_LONG and min(low for low, _ in self._intervals(each)) < 0:
            refuse("`/` on `unsigned long`", each.span)
        low, high = range_of(type)
        least, greatest = exact_interval(each, self._intervals(each))
        if type.bits == 64 or low <= least <= greatest <= high:
            return self.assign(_ARITHMETIC[each.op], operands, self.define(each, each.name))
        result = self.compute(_ARITHMETIC[each.op], *operands)
        return self._modulo(result, type, self.define(each, each.name), is_small=abs(least) < 2**62 > greatest)

    def _modulo(self, value: Operand, type: ir.Scalar, to: Variable, is_small: bool) -> Operand:
        """The value wrapped to the type: the remainder by 2 to its bits, moved into its range."""
        size, low = 1 << type.bits, range_of(type)[0]
        if not is_small:
            multiple = self.compute("mul", self.compute("div", value, self._integer(size)), self._integer(size))
            value = self.compute("sub", value, multiple)
        bias = (size if not is_small else 2**62 - size) - low
        moved = self.compute("add", value, self._integer(bias))
        multiple = self.compute("mul", self.compute("div", moved, self._integer(size)), self._integer(size))
        if not low:
            return self.assign("sub", [moved, multiple], to)
        return self.assign("add", [self.compute("sub", moved, multiple), self._integer(low)], to)

    def _intervals(self, each: ir.Primitive) -> tuple[tuple[int, int], ...]:
        """The intervals of the operands as values of `int`, in which an `unsigned long` may be negative."""
        found = self.known.of_operands(each)
        return tuple((-(2**63), 2**63 - 1) if high >= 2**63 else (low, high) for low, high in found)

    def _remainder(self, each: ir.Primitive) -> Operand:
        x, y = map(self.operand, each.operands)
        if each.type is ir.UNSIGNED_LONG and min(low for low, _ in self._intervals(each)) < 0:
            refuse("`%` on `unsigned long`", each.span)
        product = self.compute("mul", self.compute("div", x, y), y)
        return self.assign("sub", [x, product], self.define(each, each.name))

    def _comparison(self, each: ir.Primitive) -> Operand:
        operands, type = [*map(self.operand, each.operands)], each.operands[0].type
        if type is ir.PTR or type is ir.FLOAT:
            refuse(f"`{each.op}` on `{type}`", each.span)
        if type is ir.UNSIGNED_LONG and each.op != "==":
            operands = [self.compute("add", operand, _LOWEST) for operand in operands]
        prefix = "f" if type is ir.DOUBLE else ""
        return self.assign(prefix + _COMPARISONS[each.op], operands, self.define(each, each.name))

    def _bitwise(self, each: ir.Primitive) -> Operand:
        if each.type is not ir.BOOL:
            refuse(f"`{each.op}` on `{each.type}`", each.span)
        return self.assign(_BITWISE[each.op], [*map(self.operand, each.operands)], self.define(each, each.name))

    def _shift(self, each: ir.Primitive) -> Operand:
        """A shift to the right by a constant, of what is not negative, as a division."""
        x, count = each.operands
        if each.op == "<<" or not isinstance(count, ir.Constant):
            refuse(f"`{each.op}` by a number that is not constant", each.span)
        if self._intervals(each)[0][0] < 0:
            refuse("`>>` of what may be negative", each.span)
        factor = self._integer(wrap(ir.LONG, 1 << int(count.value) % each.type.bits))
        return self.assign("div", [self.operand(x), factor], self.define(each, each.name))

    def _not(self, each: ir.Primitive) -> Operand:
        return self.assign("not", [*map(self.operand, each.operands)], self.define(each, each.name))

    def _conversion(self, each: ir.Primitive) -> Operand:
        (source,) = each.operands
        value, target = self.operand(source), each.type
        if source.type is ir.BOOL and is_integer(target):
            return self.select(value, _ONE, _ZERO, self.define(each, each.name))
        if not is_integer(source.type) or not is_integer(target):
            refuse(f"the conversion from `{source.type}` to `{target}`", each.span)
        low, high = range_of(target)
        ((least, greatest),) = self._intervals(each)
        if target.bits == 64 or low <= least <= greatest <= high:
            self.operands[each] = value  # the same number
            return value
        is_small = abs(least) < 2**62 > greatest
        return self._modulo(value, target, self.define(each, each.name), is_small)

    def _element(self, each: ir.Primitive) -> Operand:
        pointer, index = each.operands
        if not isinstance(each.of, ir.Scalar) or each.of.size != self.types.element(pointer).size:
            refuse(f"the address of an element of the type `{each.of}`", each.span)
        return self.assign("ptradd", [self.operand(pointer), self.operand(index)], self.define(each, each.name))

    def _refused(self, each: ir.Primitive | ir.Effect) -> NoReturn:
        refuse(f"`{OPERATIONS[each.op].symbol or each.op}`", each.span)

    # ------------------------------------------------------------------------------------------------ effects

    def _effect(self, effect: ir.Effect, casts: Mapping[ir.Statement, ir.Value | None]) -> None:
        if effect not in casts:
            _EFFECTS[effect.op](self, effect)
        elif value := casts[effect]:
            op = "float2bits" if value.type is ir.DOUBLE else "bits2float"
            self.assign(op, [self.operand(value)], self.define(effect, effect.name))

    def print(self, piece: str | Operand, span: Span | None) -> None:
        """Print a text, or a value of Bril."""
        for words in self.output.add(piece, span):
            self.block.lines.append(Line("print", words))

    def _printf(self, effect: ir.Effect) -> None:
        format, *values = effect.operands
        if not isinstance(format, ir.Constant):
            refuse("a `printf` format that is not constant", effect.span)
        remaining = iter(values)
        for part in print_effects(str(format.value)):
            if isinstance(part, PrintText):
                self.print(part.text, effect.span)
                continue
            if part.directive.lstrip("%hlqjzt") not in ("d", "i", "u", "c", "s"):
                refuse(f"the output of `{part.directive}`", effect.span)
            self._print_value(part.conversion, next(remaining), effect.span)

    def _print_value(self, conversion: str, value: ir.Value, span: Span | None) -> None:
        if conversion == "s":
            if not isinstance(value, ir.Constant):
                refuse("the output of a string that is not constant", span)
            self.print(str(value.value), span)
        elif conversion == "c":
            self._print_byte(value, span)
        else:
            if value.type is ir.UNSIGNED_LONG or (conversion == "u" and value.type in (ir.INT, ir.LONG)):
                refuse(f"the output of `{value.type}` as unsigned", span)
            number = self.operand(value)
            is_bool = value.type is ir.BOOL
            self.print(self.select(number, _ONE, _ZERO, self.temporary("int")) if is_bool else number, span)

    def _print_byte(self, value: ir.Value, span: Span | None) -> None:
        if not isinstance(value, ir.Constant):
            refuse("the output of a byte that is not constant", span)
        self.print(chr(int(value.value) & 0xFF), span)

    def _puts(self, effect: ir.Effect) -> None:
        self._print_value("s", effect.operands[0], effect.span)
        self.print("\n", effect.span)

    def _malloc(self, effect: ir.Effect) -> None:
        (size,) = effect.operands
        element = Literal("int", self.types.element(effect).size)
        count = _count(size, int(element.value or 1))
        if count is None:
            count_operand: Operand = self.compute("div", self.operand(size), element)
        else:
            count_operand = self.operand(count)
        self.assign("alloc", [count_operand], self.define(effect, effect.name))

    def _free(self, effect: ir.Effect) -> None:
        self.block.lines.append(Line("free", [*map(self.operand, effect.operands)]))

    def _load(self, effect: ir.Effect) -> None:
        self.assign("load", [*map(self.operand, effect.operands)], self.define(effect, effect.name))

    def _store(self, effect: ir.Effect) -> None:
        value, pointer = map(self.operand, effect.operands)
        self.block.lines.append(Line("store", [pointer, value]))

    def _eprint(self, effect: ir.Effect) -> None:
        """Bril has no standard error: the message is lost, the end with an error remains."""


def _count(size: ir.Value, element: int) -> ir.Value | None:
    """The number of elements in a product of it and the size of an element, as a front end writes it."""
    if isinstance(size, ir.Constant) and int(size.value) % element == 0:
        return ir.Constant(ir.LONG, int(size.value) // element)
    if isinstance(size, ir.Primitive) and size.op == "*" and element > 1:
        count, unit = size.operands
        return count if isinstance(unit, ir.Constant) and unit.value == element else None
    return size if element == 1 else None


def _unknown(value: ir.Value) -> str:
    """What a value is that no parameter or statement of the function defines, for a message."""
    if isinstance(value, ir.Data):
        return f"the variable `{value.shown_name}` outside of functions"
    if isinstance(value, ir.Function):
        return f"a pointer to the function `{value.name}`"
    return f"a value of the type `{value.type}`"


def _needed(function: ir.Function) -> set[ir.Primitive]:
    """The primitives that are used, by effects, transfers and other needed ones, or may end the program."""
    pending: list[ir.Value] = []
    for member in function.members():
        for statement in member.body:
            if statement.op == "malloc":
                pending.append(statement.operands[0])
            elif statement.op in EFFECTS:
                pending += statement.operands
            elif OPERATIONS[statement.op].faults:
                pending.append(statement)
        assert member.transfer is not None
        pending += member.transfer.operands
        pending += [argument for edge in member.transfer.edges for argument in edge.arguments]
    found: set[ir.Primitive] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, ir.Primitive) and value not in found:
            found.add(value)
            pending += value.operands
    return found


_Lower = Callable[[_FunctionLowering, ir.Primitive], Operand]
_PRIMITIVES: dict[str, _Lower] = {
    **dict.fromkeys("+-*/", _FunctionLowering._binary),
    "%": _FunctionLowering._remainder,
    **dict.fromkeys(_COMPARISONS, _FunctionLowering._comparison),
    **dict.fromkeys("&|^", _FunctionLowering._bitwise),
    **dict.fromkeys(("<<", ">>"), _FunctionLowering._shift),
    "neg": _FunctionLowering._refused,
    "!": _FunctionLowering._not,
    "abs": _FunctionLowering._refused,
    **dict.fromkeys(MATHEMATICS, _FunctionLowering._refused),
    CONVERT: _FunctionLowering._conversion,
    "element": _FunctionLowering._element,
    "field": _FunctionLowering._refused,
}
_EFFECTS: dict[str, Callable[[_FunctionLowering, ir.Effect], None]] = {
    "printf": _FunctionLowering._printf,
    "puts": _FunctionLowering._puts,
    "putchar": lambda to, effect: to._print_byte(effect.operands[0], effect.span),
    "eprint": _FunctionLowering._eprint,
    "malloc": _FunctionLowering._malloc,
    "free": _FunctionLowering._free,
    "load": _FunctionLowering._load,
    "store": _FunctionLowering._store,
    **dict.fromkeys(
        ("allocate", "deallocate", "make_constant", "make_bytes_constant", "calloc", "realloc", "copy", "load_or"),
        _FunctionLowering._refused,
    ),
}
for_every_operation("cpsconv.targets.bril", {**_PRIMITIVES, **_EFFECTS}, memory=True, expanded=True)


_UNSPELLED = Unspelled(
    _PRIMITIVES,
    {
        "neg": lambda each: negated,
        "<<": lambda each: multiplied if isinstance(each.operands[1], ir.Constant) else None,
        ">>": spelled,
        "abs": lambda each: signed_product if is_integer(each.type) and each.type.signed else on_machine_integers(each),
        CONVERT: tested,
        "==": on_bool(equivalent),
        **{op: on_bool(widened(op, ir.LONG)) for op in ("<", "<=", ">", ">=")},
    },
)
