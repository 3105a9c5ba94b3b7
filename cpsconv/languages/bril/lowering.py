"""The lowering of Bril: calls of the Builder, block by block.

Bril's interpreter ends the run at a read of a variable that was not assigned, and at a use of an ``undef`` other than a
copy. The program tests both where `flow` does not exclude them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.failures import fail, require
from cpsconv.core.construction.structured import choice
from cpsconv.core.ir import BOOL, DOUBLE, INT, LONG, UNSIGNED_LONG, VOID, Constant, Data, Program, Scalar, Value
from cpsconv.core.ir import Function as ProgramFunction
from cpsconv.core.operations.pointers import MAX_SIZE
from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.languages.bril.flow import (
    PASS,
    Block,
    Flags,
    blocks_of,
    constants_of,
    construct,
    flagged,
    shadow,
    uncertain_reads,
)
from cpsconv.languages.bril.output import PRINT_FUNCTIONS, Output
from cpsconv.languages.bril.tree import Function, Instruction, Type, Word, pointee
from cpsconv.languages.bril.types import SIGNATURES, scalar_of


class Lowering:
    """Constructs the program when called. `types` has the types of the variables of each function.

    `found` are the warnings. With `profile`, the program counts the instructions of the source that it executes, in a
    global object, and its `main` returns the count.
    """

    def __init__(
        self, types: Mapping[Function, dict[str, Type]], found: list[Diagnostic], source: Source, profile: bool
    ) -> None:
        self.types, self.found, self.source, self.profile = types, found, source, profile

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        warnings += self.found
        functions = [*self.types]
        main = next((each for each in functions if each.name.text == "main"), None)
        is_wrapped = main is not None and (self.profile or main.result is not None)
        output, counter = Output(builder), builder.data("executed", LONG) if self.profile else None
        if main is not None and is_wrapped:
            builder.declare("main", _parameters(main), VOID if counter is None else LONG, main.name.span)
        declared = {each: self._declare(builder, each) for each in functions}
        for each in functions:
            _FunctionLowering(builder, each, self.types[each], declared, output, counter).lower()
        output.finish()
        if main is not None and is_wrapped:
            _construct_main(builder, main, declared[main], counter)
        return builder.program(self.source)

    def _declare(self, builder: Builder, function: Function) -> ProgramFunction:
        name = builder.unused_name(function.name.text.replace("`", "'"))
        return builder.declare(name, _parameters(function), _result(function), function.name.span)


def _parameters(function: Function) -> list[Variable]:
    return [Variable(each.name.text, scalar_of(each.type), each.name.span) for each in function.parameters]


def _result(function: Function) -> Scalar:
    return VOID if function.result is None else scalar_of(function.result)


def _construct_main(b: Builder, main: Function, target: ProgramFunction, counter: Data | None) -> None:
    """The `main` that calls the one of the source, ignores its result, and returns the count, if there is one."""
    parameters = _parameters(main)
    b.function("main", parameters, VOID if counter is None else LONG, main.name.span)
    b.call(target, [b.read_variable(each) for each in parameters])
    b.ret(None if counter is None else b.effect("load", counter, type=LONG))
    b.finish()


@dataclass(eq=False)
class _FunctionLowering:
    """The lowering of one function."""

    b: Builder
    function: Function
    types: dict[str, Type]
    declared: dict[Function, ProgramFunction]
    output: Output
    counter: Data | None

    def __post_init__(self) -> None:
        self.blocks = blocks_of(self.function, self.types)
        self.constants = constants_of(self.function)
        self.uncertain = uncertain_reads(self.function, self.blocks)
        self.flagged = flagged(self.blocks, self.uncertain)
        self.flags = Flags(self.b, Constant(BOOL, False), self.flagged)
        self.variables: dict[str, Variable] = {}
        self.handlers: dict[str, Callable[[Instruction], Value | None]] = {
            "const": self._const,
            "id": lambda each: self._read(each.arguments[0], each),
            "and": self._logical,
            "or": self._logical,
            "div": self._div,
            "nop": lambda each: None,
            "call": self._call,
            "print": self._print,
            "get": self._get,
            "set": self._set,
            "undef": lambda each: None,
            PASS: self._pass,
            "int2char": self._int2char,
            "char2int": lambda each: self.b.convert(LONG, self._operands(each)[0], each.span),
            "float2bits": lambda each: self._reinterpreted(each, DOUBLE, LONG),
            "bits2float": lambda each: self._reinterpreted(each, LONG, DOUBLE),
            "alloc": self._alloc,
            "free": self._free,
            "load": self._load,
            "store": self._store,
            "ptradd": self._ptradd,
        }

    # ------------------------------------------------------------------------------------------- control flow

    def lower(self) -> None:
        """Construct the function."""
        b, function = self.b, self.function
        parameters = _parameters(function)
        self.variables.update({each.name: each for each in parameters})
        b.function(self.declared[function].name, parameters, _result(function), function.name.span)
        for name in sorted(self.flagged):
            self.flags.set(name, Constant(BOOL, any(name == each.name for each in parameters)))
        construct(b, self.blocks, self._fill)
        b.finish()

    def _fill(self, block: Block, targets: list[Continuation]) -> None:
        self._count(block.count)
        for each in block.instructions:
            if each is not block.terminator:
                self._instruction(each)
        self._end(block, targets)

    def _end(self, block: Block, targets: Sequence[Continuation]) -> None:
        """The transfer at the end of a block."""
        each = block.terminator
        if each and each.op == "ret":
            self.b.ret(next(iter(self._operands(each)), None), each.span)
        elif targets:
            condition = self._operands(each) if each else []
            for copy in block.copies:
                self._instruction(copy)
            if condition:
                self.b.branch(condition[0], targets[0], targets[1], each.span if each else None)
            else:
                self.b.jump(targets[0], each.span if each else None)
        elif self.function.result is None:
            self.b.ret()
        else:
            name, result = self.function.name, self.function.result
            fail(self.b, f"non-void function (type: {result}) doesn't return anything", name.span)

    def _instruction(self, each: Instruction) -> None:
        value = self.handlers.get(each.op, self._primitive)(each)
        if value is not None and each.destination:
            self._write(each.destination.text, value, each.span)
        self.flags.write(each)

    def _count(self, instructions: int) -> None:
        """Add to the count of executed instructions."""
        if self.counter is not None and instructions:
            before = self.b.effect("load", self.counter, type=LONG)
            self.b.effect("store", self.b.primitive("+", before, Constant(LONG, instructions)), self.counter)

    # ---------------------------------------------------------------------------------------------- variables

    def _variable(self, name: str, span: Span | None = None) -> Variable:
        """The variable of the program for one of Bril, for a shadow variable, or for one of an edge."""
        if name not in self.variables:
            base = name.removeprefix("set ").partition(" ")[0]
            self.variables[name] = Variable(name, scalar_of(self.types[base]), span)
        return self.variables[name]

    def _write(self, name: str, value: Value, span: Span) -> None:
        self.b.write_variable(self._variable(name, span), value, span)

    def _read(self, word: Word, each: Instruction) -> Value:
        """The value of a variable. Where it may not be assigned, or be ``undef``, the program tests it first."""
        name = word.text
        self._test(self.flags.assigned(name), f"undefined variable {name}", each, word.span)
        use = f"{each.op} of undefined value" if each.op == "print" else f"{each.op} of undefined value {name}"
        self._test(self.flags.defined(name), use, each, word.span)
        return self.b.read_variable(self._variable(name, word.span), word.span)

    def _test(self, flag: Variable, message: str, each: Instruction, span: Span) -> None:
        """End the program with the message unless the flag holds, if this is uncertain."""
        if (each, flag.name) in self.uncertain:
            require(self.b, self.b.read_variable(flag, span), message, span)

    def _operands(self, each: Instruction) -> list[Value]:
        return [self._read(argument, each) for argument in each.arguments]

    # ------------------------------------------------------------------------------------- φ functions, set, get

    def _pass(self, each: Instruction) -> Value | None:
        return self.b.read_variable(self._variable(each.arguments[0].text)) if each.arguments else None

    def _set(self, each: Instruction) -> None:
        target, source = each.arguments
        self._write(shadow(target.text), self._read(source, each), each.span)

    def _get(self, each: Instruction) -> Value:
        assert each.destination
        name = each.destination.text
        self._test(self.flags.assigned(shadow(name)), f"get without corresponding set for {name}", each, each.span)
        return self.b.read_variable(self._variable(shadow(name), each.span), each.span)

    # --------------------------------------------------------------------------------------------- operations

    def _const(self, each: Instruction) -> Value:
        assert each.destination and each.value is not None
        type = scalar_of(self.types[each.destination.text])
        return Constant(type, ord(each.value) if isinstance(each.value, str) else each.value)

    def _primitive(self, each: Instruction) -> Value:
        return self.b.primitive(SIGNATURES[each.op].primitive, *self._operands(each), span=each.span)

    def _logical(self, each: Instruction) -> Value:
        """`and`, `or`: as in Bril's interpreter, a decisive first operand permits a second one without a value."""
        b, span = self.b, each.span
        first, (_, second) = self._read(each.arguments[0], each), each.arguments
        flags = self.flags.assigned(second.text), self.flags.defined(second.text)
        if not any((each, flag.name) in self.uncertain for flag in flags):
            return b.primitive("&" if each.op == "and" else "|", first, self._read(second, each), span=span)
        arms: list[tuple[str, Callable[[], Value]]]
        arms = [("undecided", lambda: self._read(second, each)), ("decided", lambda: first)]
        return choice(b, Variable(each.op, BOOL, span), first, dict(arms if each.op == "and" else arms[::-1]), span)

    def _div(self, each: Instruction) -> Value:
        """A division wraps: the quotient by -1 is the negation. (An operation that overflows would be an error.)"""
        b, span = self.b, each.span
        dividend, divisor = self._operands(each)
        known = self.constants.get(each.arguments[1].text)
        if known and -1 not in known:
            return b.primitive("/", dividend, divisor, span=span)
        arms = {
            "negate": lambda: b.primitive("neg", dividend, span=span),
            "divide": lambda: b.primitive("/", dividend, divisor, span=span),
        }
        is_minus_one = b.primitive("==", divisor, Constant(LONG, -1), span=span)
        return choice(b, Variable("quotient", LONG, span), is_minus_one, arms, span)

    def _int2char(self, each: Instruction) -> Value:
        """A character is a Unicode scalar value: the code of a surrogate is none."""
        b, span = self.b, each.span
        (code,) = self._operands(each)
        known = self.constants.get(each.arguments[0].text)
        if not known or not all(isinstance(value, int) and _is_character(value) for value in known):
            unsigned = b.convert(UNSIGNED_LONG, code, span)
            below = b.primitive("<", unsigned, Constant(UNSIGNED_LONG, 0xD800), span=span)
            offset = b.primitive("-", unsigned, Constant(UNSIGNED_LONG, 0xE000), span=span)
            above = b.primitive("<", offset, Constant(UNSIGNED_LONG, 0x110000 - 0xE000), span=span)
            require(self.b, b.primitive("|", below, above, span=span), "value cannot be converted to char", span)
        return b.convert(INT, code, span)

    def _reinterpreted(self, each: Instruction, source: Scalar, target: Scalar) -> Value:
        """The value with the same bits, via memory."""
        (value,) = self._operands(each)
        cell = self.b.effect("allocate", of=source, name="bits", span=each.span)
        self.b.effect("store", value, cell, span=each.span)
        result = self.b.effect("load", cell, type=target, span=each.span)
        self.b.effect("deallocate", cell, span=each.span)
        return result

    def _call(self, each: Instruction) -> Value | None:
        callee = self.function.scope[each.functions[0].text]
        return self.b.call(self.declared[callee], self._operands(each), each.span)

    def _print(self, each: Instruction) -> None:
        """Numbers and text between are one `printf`; a function prints each value of another type."""
        text, numbers = "", list[Value]()
        for argument, value in zip(each.arguments, self._operands(each), strict=True):
            text += " " if argument is not each.arguments[0] else ""
            type = self.types[argument.text]
            if type == "int":
                text += "%ld"
                numbers.append(value)
            elif type in PRINT_FUNCTIONS:
                if text:
                    self.output.text(text, *numbers)
                text, numbers = "", []
                self.b.call(self.output.function(type), [value], each.span)
            else:
                text += "[object Object]"  # as Bril's interpreter prints pointers
        self.output.text(f"{text}\n", *numbers)

    # -------------------------------------------------------------------------------------------------- memory

    def _element_type(self, pointer: str) -> Scalar:
        return scalar_of(pointee(self.types[pointer]) or "")

    def _alloc(self, each: Instruction) -> Value:
        b, span = self.b, each.span
        assert each.destination
        size = self._element_type(each.destination.text).size
        most = MAX_SIZE // size
        (count,) = self._operands(each)
        known = self.constants.get(each.arguments[0].text)
        if not known or not all(isinstance(value, int) and 0 < value <= most for value in known):
            less = b.convert(UNSIGNED_LONG, b.primitive("-", count, Constant(LONG, 1), span=span), span)
            is_possible = b.primitive("<", less, Constant(UNSIGNED_LONG, most), span=span)
            require(self.b, is_possible, f"must allocate 1 to {most} entries", span)
        bytes = b.convert(UNSIGNED_LONG, count, span)
        if size > 1:
            bytes = b.primitive("*", bytes, Constant(UNSIGNED_LONG, size), span=span)
        return b.effect("malloc", bytes, span=span)

    def _free(self, each: Instruction) -> None:
        self.b.effect("free", *self._operands(each), span=each.span)

    def _load(self, each: Instruction) -> Value:
        (pointer,) = self._operands(each)
        return self.b.effect("load", pointer, type=self._element_type(each.arguments[0].text), span=each.span)

    def _store(self, each: Instruction) -> None:
        pointer, value = self._operands(each)
        self.b.effect("store", value, pointer, span=each.span)

    def _ptradd(self, each: Instruction) -> Value:
        element = self._element_type(each.arguments[0].text)
        return self.b.primitive("element", *self._operands(each), of=element, span=each.span)


def _is_character(code: int) -> bool:
    return 0 <= code < 0xD800 or 0xE000 <= code < 0x110000
