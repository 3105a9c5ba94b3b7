"""A function of LLVM IR as one of MLIR: block arguments for φs, `arith` and `cf` where they have the instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from cpsconv.targets.mlir.llvm_text import LOCATION, POINTER, Constants, Passed, Tokens, operand_text, reference, symbol
from cpsconv.targets.mlir.signatures import Signature, passthrough

_BINARY = {
    **{name: f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor")},
    **{name: f"arith.{name[1:]}{name[0]}i" for name in ("sdiv", "udiv", "srem", "urem")},
    **{name: f"arith.{name[1:]}f" for name in ("fadd", "fsub", "fmul", "fdiv")},
    "shl": "arith.shli",
    "ashr": "arith.shrsi",
    "lshr": "arith.shrui",
}

_CONVERSIONS = {
    "zext": "arith.extui",
    "sext": "arith.extsi",
    "trunc": "arith.trunci",
    "fpext": "arith.extf",
    "fptrunc": "arith.truncf",
    **{name: f"arith.{name}" for name in ("sitofp", "uitofp", "fptosi", "bitcast")},
    **{name: f"llvm.{name}" for name in ("ptrtoint", "inttoptr")},
}


@dataclass
class _Block:
    """A block of the text: its label, the φs by name with types, incoming values and locations, and instructions."""

    label: str
    phis: dict[str, tuple[str, dict[str, str], str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


class FunctionText:
    """Writes the definition of one function, from the lines between its braces.

    `names` has the names of its values and blocks, `copies` the operands that other names denote.
    """

    def __init__(
        self, own: Signature, lines: Sequence[str], functions: Mapping[str, Signature], structs: Mapping[str, str]
    ) -> None:
        self.own, self.functions, self.structs = own, functions, structs
        self.constants = Constants(structs)
        self.names: dict[str, str] = {}
        self.copies: dict[str, str] = {}
        self.blocks = {block.label: block for block in self._blocks(lines)}
        self.labels = {label: f"^{self.constants.name(label or 'entry')[1:]}" for label in self.blocks}
        self.block = next(iter(self.blocks.values()))

    def _blocks(self, lines: Sequence[str]) -> Iterator[_Block]:
        block = _Block("")
        for line in _joined(lines):
            if label := re.match(r'("[^"]*"|[-\w$.]+):', line):
                if block.label or block.lines:
                    yield block
                block = _Block(label[1].strip('"'))
                continue
            tokens = Tokens(line, self.structs)
            name = tokens.next if tokens.next.startswith("%") else ""
            if name and tokens.texts[1:3] == ["=", "phi"]:
                tokens.position = 3
                block.phis[name] = tokens.type(), self._incoming(tokens), "".join(tokens.locations)
            elif name and tokens.texts[1:3] == ["=", "bitcast"] and (copied := self._copied(tokens)):
                self.copies[name] = copied
            elif tokens.texts:
                block.lines.append(line)
        yield block

    def _incoming(self, tokens: Tokens) -> dict[str, str]:
        incoming = {}
        while tokens.accept("["):
            text = operand_text(tokens)
            tokens.read()
            incoming[symbol(tokens.read())] = text
            tokens.accept("]", ",")
        return incoming

    def _copied(self, tokens: Tokens) -> str:
        """The operand of a conversion that does not change it; empty if it does."""
        tokens.position = 3
        source, text = tokens.type(), operand_text(tokens)
        return text if tokens.accept("to") and tokens.type() == source else ""

    # ------------------------------------------------------------------------------------------------- values

    def value(self, name: str) -> str:
        """The name in MLIR of a value of LLVM IR."""
        if name not in self.names:
            self.names[name] = self.constants.name(symbol(name))
        return self.names[name]

    def operand(self, type: str, text: str) -> str:
        """The name in MLIR of an operand, which may be a constant."""
        while text in self.copies:
            text = self.copies[text]
        if text.startswith("%"):
            return self.value(text)
        target = self.functions.get(reference(text)) if text.startswith("@") else None
        assert target is None or target.in_llvm, "functions with addresses are those of the dialect"
        return self.constants.constant(type, text)

    # ------------------------------------------------------------------------------------------------- the text

    def lines(self) -> Iterator[str]:
        """``func.func @f(%x: i32) -> i32 { … }``"""
        own = self.own
        if not own.in_llvm:  # its calls cannot state attributes
            own = replace(own, parameters=[each.plain for each in own.parameters], result=own.result.plain)
            self.own = own
        parameters = ", ".join(f"{self.value(each.name)}: {each.located}" for each in own.parameters)
        body = [line for block in self.blocks.values() for line in self._block(block)]
        yield f"{self._head(parameters)} {{"
        yield from (f"  {line}" for line in self.constants.lines)
        yield from body[1:]  # without the label of the first block
        yield f"}} {own.location}".rstrip()

    def _head(self, parameters: str) -> str:
        own = self.own
        if own.in_llvm:
            linkage = f"{own.linkage} " if own.linkage else ""
            return f"llvm.func {linkage}{own.name}({parameters}){own.returned}{passthrough(own)}"
        private = "private " if own.linkage else ""
        linkage = f" attributes {{llvm.linkage = #llvm.linkage<{own.linkage}>}}" if own.linkage else ""
        return f"func.func {private}{own.name}({parameters}){own.returned}{linkage}"

    def _block(self, block: _Block) -> Iterator[str]:
        self.block = block
        arguments = ", ".join(
            f"{self.value(name)}: {type} {location}".rstrip() for name, (type, _, location) in block.phis.items()
        )
        yield f"{self.labels[block.label]}{f'({arguments})' if arguments else ''}:"
        for line in block.lines:
            tokens = Tokens(line, self.structs)
            lines = [f"  {each}" for each in self._instruction(tokens)]
            lines[-1:] = [f"{each} {''.join(tokens.locations)}".rstrip() for each in lines[-1:]]
            yield from lines

    def _target(self, label: str) -> str:
        """A successor with the arguments of the edge from the current block."""
        target = self.blocks[symbol(label)]
        names = ", ".join(self.operand(type, texts[self.block.label]) for type, texts, _ in target.phis.values())
        types = ", ".join(type for type, *_ in target.phis.values())
        return f"{self.labels[target.label]}({names} : {types})" if names else self.labels[target.label]

    # --------------------------------------------------------------------------------------------- instructions

    def _instruction(self, tokens: Tokens) -> Iterator[str]:
        result = ""
        if tokens.next.startswith("%"):
            result = f"{self.value(tokens.read())} = "
            tokens.read()
        op = next(word for word in iter(tokens.read, "") if word not in ("tail", "musttail"))
        if op in _BINARY:
            type = tokens.type()
            yield f"{result}{_BINARY[op]} {self._operand(type, tokens)}, {self._next(type, tokens)} : {type}"
        elif op in _CONVERSIONS:
            source = tokens.type()
            operand = self._operand(source, tokens)
            tokens.read()
            yield f"{result}{_CONVERSIONS[op]} {operand} : {source} to {tokens.type()}"
        else:
            yield from _WRITERS[op](self, result, tokens)

    def _operand(self, type: str, tokens: Tokens) -> str:
        return self.operand(type, operand_text(tokens))

    def _next(self, type: str, tokens: Tokens) -> str:
        tokens.read()  # the comma
        return self._operand(type, tokens)

    def _typed(self, tokens: Tokens) -> tuple[str, str]:
        """Read a type and an operand. Returns the type and the name."""
        type = tokens.type()
        return type, self._operand(type, tokens)

    def compared(self, result: str, tokens: Tokens, *, kind: str) -> Iterator[str]:
        """``icmp slt i32 %a, %b``"""
        predicate, type = tokens.read(), tokens.type()
        operands = f"{self._operand(type, tokens)}, {self._next(type, tokens)} : {type}"
        is_pointer = type == POINTER
        yield f'{result}llvm.icmp "{predicate}" {operands}' if is_pointer else f"{result}{kind} {predicate}, {operands}"

    def negated(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``fneg double %a``"""
        type, name = self._typed(tokens)
        yield f"{result}arith.negf {name} : {type}"

    def selected(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``select i1 %c, i32 %a, i32 %b``"""
        _, condition = self._typed(tokens)
        tokens.read()
        type, first = self._typed(tokens)
        tokens.read()
        _, second = self._typed(tokens)
        yield f"{result}arith.select {condition}, {first}, {second} : {type}"

    def returned(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``ret i32 %a``"""
        op = "llvm.return" if self.own.in_llvm else "return"
        if tokens.accept("void"):
            yield op
        else:
            type, name = self._typed(tokens)
            yield f"{op} {name} : {type}"

    def branch(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``br label %a`` or ``br i1 %c, label %a, label %b``"""
        if tokens.accept("label"):
            yield f"cf.br {self._target(tokens.read())}"
            return
        _, condition = self._typed(tokens)
        then, otherwise = tokens.texts[-4], tokens.texts[-1]
        yield f"cf.cond_br {condition}, {self._target(then)}, {self._target(otherwise)}"

    def switch(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``switch i32 %v, label %d [ i32 1, label %a ]``"""
        type, value = self._typed(tokens)
        tokens.accept(",", "label")
        default, cases = tokens.read(), dict[str, str]()
        tokens.read()
        while not tokens.accept("]"):
            tokens.type()
            case = tokens.read()
            tokens.accept(",", "label")
            cases[case] = tokens.read()
        if any(abs(int(case)) >> 63 for case in cases):  # which MLIR does not read
            yield from self._comparisons(type, value, default, cases)
            return
        arms = [f"{case}: {self._target(label)}" for case, label in {"default": default, **cases}.items()]
        yield f"cf.switch {value} : {type}, ["
        yield from (f"  {arm}{',' if arm is not arms[-1] else ''}" for arm in arms)
        yield "]"

    def _comparisons(self, type: str, value: str, default: str, cases: Mapping[str, str]) -> Iterator[str]:
        """A switch as a comparison for each case."""
        for case, label in cases.items():
            found, following = self.constants.name("is.case"), self.constants.name("other")[1:]
            yield f"{found} = arith.cmpi eq, {value}, {self.operand(type, case)} : {type}"
            yield f"cf.cond_br {found}, {self._target(label)}, ^{following}"
            yield f"^{following}:"
        yield f"cf.br {self._target(default)}"

    def load(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``load i32, ptr %p, align 4``"""
        volatile = " volatile" * tokens.accept("volatile")
        type = tokens.type()
        tokens.read()
        _, pointer = self._typed(tokens)
        yield f"{result}llvm.load{volatile} {pointer}{_alignment(tokens)} : {POINTER} -> {type}"

    def store(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``store i32 %a, ptr %p, align 4``"""
        volatile = " volatile" * tokens.accept("volatile")
        type, value = self._typed(tokens)
        tokens.read()
        _, pointer = self._typed(tokens)
        yield f"llvm.store{volatile} {value}, {pointer}{_alignment(tokens)} : {type}, {POINTER}"

    def allocate(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``alloca i32, i64 %n, align 4``"""
        type, count = tokens.type(), ("i64", "1")
        if tokens.next == "," and tokens.texts[tokens.position + 1] != "align":
            tokens.read()
            count = tokens.type(), operand_text(tokens)
        number = self.operand(*count)
        yield f"{result}llvm.alloca {number} x {type}{_alignment(tokens)} : ({count[0]}) -> {POINTER}"

    def element(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``getelementptr [3 x i32], ptr %p, i64 0, i64 %i``"""
        inbounds, type = " inbounds" * tokens.accept("inbounds"), tokens.type()
        tokens.read()
        _, pointer = self._typed(tokens)
        indices, types = [], [POINTER]
        while tokens.accept(","):
            index_type, index = tokens.type(), operand_text(tokens)
            is_constant = re.fullmatch(r"-?\d+", index) and abs(int(index)) < 1 << 29
            indices.append(index if is_constant else self.operand(index_type, index))
            types += [] if is_constant else [index_type]
        places = f"{pointer}[{', '.join(indices)}] : ({', '.join(types)}) -> {POINTER}, {type}"
        yield f"{result}llvm.getelementptr{inbounds} {places}"

    def extracted(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``extractvalue { i32, ptr } %r, 0``"""
        type, whole = self._typed(tokens)
        yield f"{result}llvm.extractvalue {whole}[{tokens.rest()[1]}] : {type}"

    def inserted(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``insertvalue { i32, ptr } %r, i32 %a, 0``"""
        type, whole = self._typed(tokens)
        tokens.read()
        _, value = self._typed(tokens)
        yield f"{result}llvm.insertvalue {value}, {whole}[{tokens.rest()[1]}] : {type}"

    def call(self, result: str, tokens: Tokens) -> Iterator[str]:
        """``call i32 @f(i32 %x)``, also of an intrinsic, or through a pointer"""
        extension = tokens.attributes()
        returned = Passed(tokens.type(), extension, "")
        if tokens.next == "(":  # the type of a variadic function
            while tokens.read() != ")":
                pass
        name = tokens.read()
        target = self.functions.get(reference(name)) if name.startswith("@") else None
        tokens.read()
        passed = []
        for _ in tokens.items(")"):
            type, attributes = tokens.type(), tokens.attributes()
            passed.append(Passed(type, attributes, self._operand(type, tokens)))
        names = ", ".join(each.name for each in passed)
        if target is not None and not target.in_llvm:
            passed, returned = [each.plain for each in passed], returned.plain
        types = ", ".join(each.typed for each in passed)
        type = f"({types}) -> {returned.listed}"
        if target is None and name.startswith("@llvm."):
            if not name.startswith("@llvm.lifetime."):  # hints, whose form differs between versions
                yield f'{result}llvm.call_intrinsic "{symbol(name)}"({names}) : {type}'
        elif target is None:
            yield f"{result}llvm.call {self.operand(POINTER, name)}({names}) : {POINTER}, {type}"
        elif not target.in_llvm:
            yield f"{result}func.call {target.name}({names}) : {type}"
        else:
            variadic = f" vararg({target.type})" if target.is_variadic else ""
            yield f"{result}llvm.call {target.name}({names}){variadic} : {type}"


def _alignment(tokens: Tokens) -> str:
    return f" {{alignment = {tokens.read()} : i64}}" if tokens.accept(",", "align") else ""


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """The lines, those of a switch as one, with the comment of the last one."""
    pending = ""
    for line in lines:
        comment = _COMMENT.search(line)
        pending += line[: comment.start()] if comment else line
        if pending.lstrip().startswith("switch ") and not pending.endswith("]"):
            continue
        yield f"{pending}{comment[0]}" if comment else pending
        pending = ""


_COMMENT = re.compile(rf" ;(?: {LOCATION.pattern})+$")


_Writer = Callable[[FunctionText, str, Tokens], Iterator[str]]
"""Yields the lines for an instruction, whose result is named by the text before them."""

_WRITERS: Mapping[str, _Writer] = {
    "icmp": partial(FunctionText.compared, kind="arith.cmpi"),
    "fcmp": partial(FunctionText.compared, kind="arith.cmpf"),
    "fneg": FunctionText.negated,
    "select": FunctionText.selected,
    "ret": FunctionText.returned,
    "br": FunctionText.branch,
    "switch": FunctionText.switch,
    "load": FunctionText.load,
    "store": FunctionText.store,
    "alloca": FunctionText.allocate,
    "getelementptr": FunctionText.element,
    "extractvalue": FunctionText.extracted,
    "insertvalue": FunctionText.inserted,
    "call": FunctionText.call,
    "unreachable": lambda to, result, tokens: iter(["llvm.unreachable"]),
}
