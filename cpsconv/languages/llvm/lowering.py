"""The lowering of LLVM IR: calls of the Builder, block by block.

Promoted allocations are variables: a load reads one, a store assigns to it. A φ function is a variable as well, to
which each predecessor assigns; so it becomes a parameter where one is needed. So is the result of a transfer, to which
the blocks that it leads to assign. All other values are defined once, and stand for themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, takewhile

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.attributes import Attribute, register
from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import NO_ATTRIBUTES, VOID, Attributes, Effect, Parameter, Primitive, Program, Scalar, Value
from cpsconv.core.operations.table import FOREIGN, FOREIGN_VALUE
from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.languages.blocks import entered
from cpsconv.languages.llvm.aliases import promoted_with_aliases
from cpsconv.languages.llvm.constants import literal
from cpsconv.languages.llvm.debug_info import DebugInfo, declared
from cpsconv.languages.llvm.foreign_text import CONSTANT, LABEL, METADATA, POISON, RESULT, filled, program_name
from cpsconv.languages.llvm.module_text import RECORD, Block, FunctionText, Line, ModuleText
from cpsconv.languages.llvm.poison import certain
from cpsconv.languages.llvm.types import PREFIX, first_type, parts_of, scalar_of

MODULE = f"{PREFIX}module"
"""The attribute of a program with the text of the module around the bodies of its functions."""

HEADER = f"{PREFIX}header"
"""The attribute of a function with the text of its first line, with holes for its parameters, and its first label."""

VARIABLE = f"{PREFIX}variable"
"""The attribute of a parameter with the debug information on its variable, as in records; several are separated."""

DEFINED = "defined"
"""The attribute of a parameter or instruction whose value never is undefined; the second checker knows it, too."""

CERTAIN: Attributes = {DEFINED: True}

register(
    Attribute(MODULE, "string", ["program"]),
    Attribute(HEADER, "string", ["function"]),
    Attribute(VARIABLE, "string", ["parameter"]),
    Attribute(DEFINED, "flag", ["parameter", "statement"], states="defined"),
)


class Module:
    """A module to convert. `source` has its text in normal form."""

    def __init__(self, text: ModuleText, source: Source, debug: DebugInfo) -> None:
        self.text, self.source, self.debug = text, source, debug


class Lowering:
    """Constructs the program of a module when called."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        self._lower_functions(builder, FunctionLowering)
        builder.attributes = {MODULE: self.module.text.frame}
        return builder.program(self.module.source)

    def _lower_functions(self, builder: Builder, lowering: Callable[..., FunctionLowering], *more: object) -> None:
        """Construct the functions, each by a lowering of its own, which takes further arguments."""
        for function in self.module.text.functions:
            lowering(builder, self.module, function, *more).lower()


class FunctionLowering:
    """The lowering of one function.

    `values` has the values of the local names defined so far, `results` the variables for results of transfers. By
    their labels, `order` has the reached blocks, in reverse postorder, and `starts` the results that they begin with.
    `label` is that of the open block; `addressed` are those of blocks whose addresses are used.
    """

    def __init__(self, builder: Builder, module: Module, function: FunctionText) -> None:
        self.b, self.debug = builder, module.debug
        self.addressed = module.text.addressed.get(function.symbol, ())
        self.function, self.promoted = promoted_with_aliases(function)
        function = self.function
        self.order = function.reached()
        if len(self.order) < len(function.blocks):
            unused = function.unused_allocations(self.order.values())
            self.promoted = self.promoted._replace(types=self.promoted.types | unused)
        self.values: dict[str, Value] = {}
        self.constants: dict[tuple[Scalar, str], Value] = {}
        self.results: dict[str, Variable] = {}
        self.starts: dict[str, tuple[Variable, Line]] = {}

    @cached_property
    def edges(self) -> Counter[str]:
        """The number of edges to each block, by its label."""
        return Counter(chain.from_iterable(block.targets for block in self.order.values()))

    @cached_property
    def dominance(self) -> Dominance[str]:
        """The dominator tree of the blocks, by their labels."""
        return Dominance(next(iter(self.order)), lambda label: self.order[label].targets, self.order)

    @cached_property
    def definitions(self) -> dict[str, str]:
        """The label of the block that defines a name, for all but parameters."""
        return {line.result: block.label for block in self.order.values() for line in block.lines if line.result}

    # ------------------------------------------------------------------------------------------- control flow

    def lower(self) -> None:
        """Construct the function."""
        b, function = self.b, self.function
        self.certain = certain(function, [*self.order.values()], self.promoted.types)
        for each, parameter in zip(function.parameters, self._open(), strict=False):
            self.values[each.name] = parameter
            if each.name in self.certain:
                parameter.attributes = CERTAIN
        self._declare_variables()
        self.continuations = {
            block.label: b.continuation(_block_name(block.label), span=block.lines[0])
            for block in function.blocks[1:]
            if block.label in self.order
        }
        instructions: dict[str, Callable[[Line], None]] = {
            "load": self._load,
            "store": self._store,
            **dict.fromkeys(["call", "tail", "notail"], self._call),
            **dict.fromkeys(["alloca", "bitcast", "addrspacecast", "getelementptr"], self._address),
            RECORD: self._record,
        }
        transfers = {"br": self._br, "switch": self._switch, "ret": self._ret}
        targets = {label: block.targets for label, block in self.order.items()}
        for label in entered(b, targets, self.continuations):
            self._fill(instructions, transfers, self.order[label])
        b.finish()

    def _open(self) -> Sequence[Parameter]:
        """Open the function, and return its parameters."""
        b, function = self.b, self.function
        names = self.debug.parameter_names(function)
        parameters = [
            Variable(names.get(each.name) or hint(each.name), scalar_of(each.type)) for each in function.parameters
        ]
        name, result = b.unused_name(program_name(function.symbol)), scalar_of(function.result)
        b.declare(name, parameters, result, function.span, {HEADER: function.header})
        return b.function(name, parameters, result).parameters

    def _declare_variables(self) -> None:
        """Declare the variables of promoted allocations and φ functions, and define the constants they are assigned."""
        self.variables: dict[str, Variable] = {}
        self.phis: dict[str, list[Phi]] = {}
        self._find_descriptions()
        for each, type in self.promoted.types.items():
            described = self.described.get(each, [])
            name = self.debug.variable_name(described[0]) if described else None
            attributes = {VARIABLE: "; ".join(described)} if described else NO_ATTRIBUTES
            span = self.records.get(each, self.function.allocations[each])
            self.variables[each] = Variable(name or hint(each), scalar_of(type), span, attributes)
        for block in self.order.values():
            if block.lines[0].form.op == "phi":
                lines = takewhile(lambda line: line.form.op == "phi", block.lines)
                phis = self.phis[block.label] = [*map(Phi, lines)]
                for phi in phis:
                    for text in phi.constants:
                        self._define(phi.variable, text)
        for line in self.promoted.constants:
            if line.names[0] in self.variables:
                self._define(self.variables[line.names[0]], line.form.stored)

    def _find_descriptions(self) -> None:
        """Find the debug information on the variable at each address, and the first record with it."""
        self.described: dict[str, list[str]] = {}
        self.records: dict[str, Line] = {}
        if not self.debug.has_records:
            return
        lines = [line for block in self.function.blocks for line in block.lines if line.op == RECORD]
        for line in lines:
            described = declared(line.text)
            if described and line.names:
                self.described.setdefault(line.names[0], []).append(described)
                self.records.setdefault(line.names[0], line)

    def _fill(
        self,
        instructions: Mapping[str, Callable[[Line], None]],
        transfers: Mapping[str, Callable[[Block, Line], None]],
        block: Block,
    ) -> None:
        """Fill a block. Instructions and transfers without a handler are foreign."""
        self.label = block.label
        if block.label in self.addressed:
            self.b.foreign(f"{LABEL}{block.label}", span=block.lines[0])
        phis = self.phis.get(block.label, ())
        for phi in phis:
            self.values[phi.name] = self._read_phi(phi)
        if block.label in self.starts:
            self._begin_with_result(*self.starts[block.label])
        foreign = self._foreign
        for line in block.lines[len(phis) : -1]:
            instructions.get(line.form.op, foreign)(line)
        last = block.lines[-1]
        transfers.get(last.form.op, self._transfer)(block, last)

    # ------------------------------------------------------------------------------------------- instructions

    def _foreign(self, line: Line) -> None:
        """An instruction that remains as it is."""
        result, form, known = line.result, line.form, self.values
        try:
            values = (*map(known.__getitem__, line.names),)
        except KeyError:
            line = self._without_variables(line)  # metadata may name values that are defined elsewhere
            form, values = line.form, (*map(self._value, line.names),)
        statement: Effect | Primitive
        if result is None:
            statement = Effect(FOREIGN, values, VOID, None, line, form.foreign)
        elif form.is_pure:
            statement = Primitive(FOREIGN_VALUE, values, form.type, hint(result), line, form.foreign)
        else:
            statement = Effect(FOREIGN, values, form.type, hint(result), line, form.foreign)
        if result in self.certain:
            statement.attributes = CERTAIN
        value = self.b.append(statement)
        if result is not None:
            known[result] = value

    def _address(self, line: Line) -> None:
        """An allocation, or an address derived from one, unless it is that of a variable."""
        if line.result not in self.variables and line.result not in self.promoted.derived:
            self._foreign(line)

    def _load(self, line: Line) -> None:
        variable = self.variables.get(line.names[0]) if line.names else None
        if variable is None:
            self._foreign(line)
        else:
            assert line.result
            self.values[line.result] = self.b.read_variable(variable, line)

    def _store(self, line: Line) -> None:
        variable = self.variables.get(line.names[-1]) if line.names else None
        if variable is None:
            self._foreign(line)
            return
        if len(line.names) == 1:
            value = self._constant(variable, line.form.stored)
        else:
            value, name = self._value(line.names[0]), line.names[0]
            has_number = name.isdigit() and not (line.names[-1].isdigit() and variable.name == hint(line.names[-1]))
            if has_number and isinstance(value, (Effect, Primitive, Parameter)) and value.name == hint(name):
                value.name = ""  # it takes the name of the variable
        self.b.write_variable(variable, value, line)
        self._describe(line, value)

    def _describe(self, line: Line, value: Value) -> None:
        """State the new value of a variable in debug information."""
        for described in self.described.get(line.names[-1], ()):
            type = self.promoted.types[line.names[-1]]
            self.b.foreign(f"{PREFIX}#dbg_value({type} %, {described})", value, span=line)

    def _call(self, line: Line) -> None:
        """A call; markers and hints that concern variables alone are removed."""
        if self.variables.keys().isdisjoint(line.names) and self.promoted.derived.isdisjoint(line.names):
            self._foreign(line)
        elif "@llvm.assume(" in line.text:
            self._foreign(self._without_variables(without_bundles(line, self.variables.keys() | self.promoted.derived)))

    def _record(self, line: Line) -> None:
        """A record of debug information. It may name values that are not defined here."""
        if not (line.names and line.names[0] in self.variables and declared(line.text)):
            self._foreign(self._without_variables(line))

    def _without_variables(self, line: Line) -> Line:
        """The line with ``poison`` for each name that has no value."""
        known = [*filter(self._has_value, line.names)]
        if len(known) == len(line.names):
            return line
        words = ["%" if name in known else POISON for name in line.names]
        return line.changed(filled(line.text, words), known)

    def _has_value(self, name: str) -> bool:
        """Whether a name has a value here, which metadata do not ensure: its definition dominates the open block."""
        if name not in self.values and name not in self.results:
            return False
        label = self.definitions.get(name, self.label)
        return label == self.label or self.dominance.dominates(label, self.label)

    # ---------------------------------------------------------------------------------------------- transfers

    def _br(self, block: Block, line: Line) -> None:
        labels, form, continuations = block.targets, line.form, self.continuations
        if self.phis:
            self._assign_phis(block, labels)
        if len(labels) > 1:
            condition = self._operand("i1", form.condition, line.names)
            if form.metadata:
                self._attach(form.metadata, line)
            self.b.branch(condition, continuations[labels[0]], continuations[labels[1]], line)
        elif labels[0] in self.addressed:
            self.b.foreign_transfer(form.foreign.text, [], [continuations[labels[0]]], line)
        else:
            if form.metadata and (self.edges[labels[0]] > 1 or not re.fullmatch(r", !dbg !\d+", form.metadata)):
                self._attach(form.metadata, line)
            self.b.jump(continuations[labels[0]], line)

    def _switch(self, block: Block, line: Line) -> None:
        type = first_type(line.text, len("switch "))
        if scalar_of(type).kind != "integer":
            self._transfer(block, line)
            return
        head, _, rest = line.text.partition("[")
        cases, _, metadata = rest.partition("]")
        value_text = head[len("switch ") + len(type) :].partition(",")[0].strip()
        value = self._operand(type, value_text, line.names[:1])
        self._assign_phis(block, block.targets)
        default, *targets = [self.continuations[label] for label in block.targets]
        numbers = [int(number) for number in re.findall(r"(-?\d+), label", cases)]
        self._attach(metadata, line)
        self.b.switch(value, [*zip(numbers, targets, strict=True)], default, line)

    def _ret(self, block: Block, line: Line) -> None:
        returned, *metadata = parts_of(line.text[len("ret ") :])
        type = first_type(returned)
        value = None if type == "void" else self._operand(type, returned[len(type) :].strip(), line.names)
        self._attach(", ".join(["", *metadata]), line)
        self._return(type, value, line)

    def _return(self, type: str, value: Value | None, span: Span) -> None:
        self.b.ret(value, span)

    def _transfer(self, block: Block, line: Line) -> None:
        """A transfer that remains as it is. Its result, if any, is a variable, assigned along its edges."""
        labels = block.targets
        values = [*map(self._value, line.names[: len(line.names) - len(labels)])]
        targets = [self.continuations[label] for label in labels]
        between: list[tuple[Continuation, str]] = []
        if line.result is not None:
            variable = Variable(hint(line.result), line.form.type, line)
            self.results[line.result] = variable
            for number, label in enumerate(labels[: -1 if " unwind label %" in line.text else None]):
                if self.edges[label] == labels.count(label):
                    self.starts[label] = variable, line
                else:
                    targets[number] = self.b.continuation(f"{_block_name(block.label)}_result", span=line)
                    between.append((targets[number], label))
        direct = [label for label, target in zip(labels, targets, strict=True) if target is self.continuations[label]]
        self._assign_phis(block, direct)
        self.b.foreign_transfer(line.form.foreign.text, values, targets, line)
        for continuation, label in between:
            self.b.open(continuation)
            self._begin_with_result(variable, line)
            self._assign_phis(block, [label])
            self.b.jump(self.continuations[label], line)

    def _begin_with_result(self, variable: Variable, line: Line) -> None:
        """Assign the result of the transfer that leads to the open block."""
        value = self.b.foreign(RESULT, type=variable.type, span=line)
        self.b.write_variable(variable, value, line)

    def _assign_phis(self, block: Block, labels: Sequence[str]) -> None:
        """Assign to the variables of the φ functions in the blocks with these labels, all at the same time."""
        phis = [phi for label in dict.fromkeys(labels) for phi in self.phis.get(label, ())]
        incoming = [(phi, *phi.incoming[block.label]) for phi in phis]
        values = [
            self._operand(phi.type, text, names) if names else self._constant(phi.variable, text)
            for phi, text, names in incoming
        ]
        for phi, value in zip(phis, values, strict=True):
            self._write_phi(phi, value)

    def _read_phi(self, phi: Phi) -> Value:
        return self.b.read_variable(phi.variable, phi.variable.span)

    def _write_phi(self, phi: Phi, value: Value) -> None:
        self.b.write_variable(phi.variable, value, phi.variable.span)

    def _attach(self, metadata: str, span: Span) -> None:
        """State the metadata of the transfer that follows."""
        if metadata := metadata.removeprefix(",").strip():
            self.b.foreign(METADATA + metadata, span=span)

    # ------------------------------------------------------------------------------------------------- values

    def _value(self, name: str) -> Value:
        """The value of a local name."""
        return self.values[name] if name in self.values else self.b.read_variable(self.results[name])

    def _operand(self, type: str, text: str, names: Sequence[str]) -> Value:
        """The operand with this text, which is a hole for the first of the names, or a constant of the type."""
        if text == "%":
            return self._value(names[0])
        scalar = scalar_of(type)
        constant = literal(scalar, text, "undef")
        return constant if constant is not None else self.b.foreign(CONSTANT + text, type=scalar, pure=True)

    def _define(self, variable: Variable, text: str) -> None:
        """Define a constant at the function's start."""
        self._constant(variable, text)

    def _constant(self, variable: Variable, text: str) -> Value:
        """The constant that is assigned to a variable. Equal ones are one value, defined at the function's start."""
        key = variable.type, text
        if key not in self.constants:
            value = literal(variable.type, text, variable.name)
            if value is None:
                value = self.b.foreign(CONSTANT + text, type=variable.type, pure=True, span=variable.span)
            self.constants[key] = value
        return self.constants[key]


class Phi:
    """A φ function: its name, the text of its type, its variable, and for each label the text of its operand and, if
    it is no constant, its name.
    """

    def __init__(self, line: Line) -> None:
        assert line.result
        type = first_type(line.text, len("phi "))
        self.name, self.type = line.result, type
        self.variable = Variable(hint(line.result), scalar_of(type), line)
        self.incoming: dict[str, tuple[str, Sequence[str]]] = {}
        names = iter(line.names)
        for pair in parts_of(line.text[line.text.index(type) + len(type) :]):
            if pair[0] == "[":
                text = pair[1:-1].rpartition(",")[0].strip()
                named = [next(names)] if text == "%" else ()
                self.incoming[next(names)] = text, named

    @property
    def constants(self) -> Iterator[str]:
        """The texts of the operands that are constants."""
        return (text for text, names in self.incoming.values() if not names)


def without_bundles(line: Line, names: Collection[str]) -> Line:
    """An assumption whose bundles on the names are void, as LLVM writes it."""
    head, bracket, bundles = line.text.partition("[ ")
    kept, position = list[str](), head.count("%")
    for bundle in parts_of(bundles.rpartition(" ]")[0]):
        holes = bundle.count("%")
        is_void = not names.isdisjoint(line.names[position : position + holes])  # type: ignore[attr-defined]
        kept.append(re.sub(r'^"[^"]*"', '"ignore"', bundle) if is_void else bundle)
        position += holes
    return line.changed(f"{head}{bracket}{', '.join(kept)} ]{bundles.rpartition(' ]')[2]}", line.names)


@lru_cache(10_000)
def hint(name: str) -> str:
    """The name of a value in the program; `v5` for the number 5."""
    return f"v{name}" if name.isdigit() else program_name(name).removesuffix(".addr")


def _block_name(label: str) -> str:
    return f"block{label}" if label.isdigit() else hint(label)
