"""The Builder that checks its arguments: no sequence of its calls constructs a program that `cpsconv.core.check`
rejects.

Each error states what to do instead. Operands, conditions, arguments, results and assigned values are checked when they
are passed; whether a value is computed on every path to its uses is checked when the function is finished.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.scopes import DEFINED, Scope
from cpsconv.core.construction.block import Block, BuildError, Variable, resolve
from cpsconv.core.construction.build_messages import conversion, cure, range_of, shown
from cpsconv.core.construction.builder import Builder, accesses_memory, typed
from cpsconv.core.construction.items import as_variable
from cpsconv.core.layout import unaligned
from cpsconv.core.operations.contents import unsound
from cpsconv.core.operations.misuse import (
    argument_errors,
    attribute_errors,
    attribute_faults,
    data_errors,
    format_errors,
    is_known,
    is_value,
    operation_error,
    switch_errors,
)
from cpsconv.core.operations.names import PRINT
from cpsconv.core.operations.table import CONVERT, EFFECTS, EXTEND, FOREIGN_OPERATIONS, LOAD, OPERATIONS, PRIMITIVES
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Source, Span, did_you_mean

_VALUES = (ir.Constant, ir.Undef, ir.Data, ir.Function, *DEFINED)
_Parameters = Sequence[Variable | tuple[str, ir.Scalar]]


class CheckedBuilder(Builder):
    """The Builder for the authors of front ends; see `Builder`.

    `_values` are the values of the open function, `_finished` those of the functions before it.
    """

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        self._list(self.simplify, "the simplifications", "names")
        for name in self.simplify:
            if name not in SIMPLIFICATIONS:
                raise BuildError(f"there is no simplification {name!r}; there are {', '.join(SIMPLIFICATIONS)}")
        self._items: set[ir.Data | ir.Function] = set()
        self._values: set[ir.Value] = set()
        self._finished: set[ir.Value] = set()
        self._known_blocks: set[Block] = set()

    # ----------------------------------------------------------------------------------------------- other items

    def declare(
        self,
        name: str,
        parameters: _Parameters,
        result: ir.Scalar,
        span: Span | None = None,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Function:
        self._name(name, span)
        if any(each.name == name for each in self._external_data):
            raise BuildError(f"{name} is declared twice: as data and as a function")
        self._parameters(name, parameters)
        if result is not ir.VOID:
            self._type(result, f"the result of {name}")
        function = super().declare(name, parameters, result, span, attributes)
        self._items.add(function)
        return function

    def struct(
        self,
        name: str,
        members: Sequence[tuple[str, ir.ObjectType]],
        is_union: bool = False,
        span: Span | None = None,
        alignment: int = 1,
    ) -> ir.Struct:
        self._name(name, span)
        self._pairs(members, f"the members of {name}", "a name and a type")
        for member, type in members:
            self._name(member)
            self._object_type(type, f"the member {member} of {name}")
        if not members or len({member for member, _ in members}) < len(members):
            raise BuildError(f"the struct {name} {'has two members of one name' if members else 'has no members'}")
        self._alignment(alignment)
        struct = super().struct(name, members, is_union, span, alignment)
        if reason := unsound(struct):
            self._structs.remove(struct)
            raise BuildError(f"the struct {name} {reason}")
        return struct

    def data(
        self,
        name: str,
        type: ir.ObjectType,
        content: bytes = b"",
        addresses: Mapping[int, tuple[ir.Data | ir.Function, int]] | None = None,
        is_constant: bool = False,
        span: Span | None = None,
        alignment: int = 0,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Data:
        self._name(name, span)
        self._object_type(type, f"the data {name}")
        self._alignment(alignment)
        if not isinstance(addresses, Mapping | None):
            raise BuildError(f"the addresses in {name} are {shown(addresses)}: pass a dictionary from offsets")
        data = super().data(name, type, content, addresses, is_constant, span, alignment, attributes)
        self._items.add(data)
        return data

    def external_data(
        self, name: str, type: ir.ObjectType, span: Span | None = None, attributes: ir.Attributes = ir.NO_ATTRIBUTES
    ) -> ir.ExternalData:
        self._name(name, span)
        self._object_type(type, f"the data {name}")
        if name in self._declared or any(each.name == name for each in self._external_data):
            raise BuildError(f"{name} is declared twice")
        data = super().external_data(name, type, span, attributes)
        self._items.add(data)
        return data

    def program(self, source: Source | None = None) -> ir.Program:
        for data in self._data:
            self._initial(data)
        program = super().program(source)
        for fault in attribute_faults(program):
            raise BuildError(fault.message.replace("`", ""))
        if self._is_nested:
            for function in program.functions:
                self._check_scope(function, {*function.free})
        return program

    def _initial(self, data: ir.Data) -> None:
        """Check the content of data, which the front end could change until now."""
        if not isinstance(data.content, bytes):
            raise BuildError(f"the content of {data.name} is {data.content!r}: pass bytes")
        self._pairs([*data.addresses.values()], f"the addresses in {data.name}", "data or a function, and an offset")
        for target, _ in data.addresses.values():
            if not isinstance(target, (ir.Data, ir.Function)):
                raise BuildError(f"{target!r} in {data.name} has no address: pass data, or a function")
            self._item(target)
        for reason in data_errors(data):
            raise BuildError(reason)

    # ------------------------------------------------------------------------------------------------- functions

    def function(self, name: str, parameters: _Parameters, result: ir.Scalar, span: Span | None = None) -> ir.Function:
        self._name(name, span)
        self._parameters(name, parameters)
        if self.declared(name) in self._externals:
            raise BuildError(f"function {name} is external: it has no body")
        return super().function(name, parameters, result, span)

    def _begin(self, function: ir.Function) -> None:
        self._values = {*function.parameters}
        super()._begin(function)
        self._known_blocks = {*self._blocks}

    def finish(self) -> ir.Function:
        function = super().finish()
        try:
            self._check_scope(function, self._finished)
        except BuildError:
            del self.counts[function]  # it is no part of the program
            function.body, function.transfer, function.continuations = [], None, []
            raise
        finally:
            self._values = set()
        self._finished.update(value for member in function.members() for value in (*member.parameters, *member.body))
        return function

    def _check_scope(self, function: ir.Function, others: Container[ir.Value]) -> None:
        """Check that each value is computed on every path to its uses.

        The `others` are values of finished functions: free values, and operands of these that a simplification uses.
        """
        tree = DominatorTree(function)
        scope = Scope(tree)
        for member in tree.preorder():
            uses = [statement.operands for statement in member.body]
            for number, values in enumerate([*uses, member.transfer.uses if member.transfer else ()]):
                for value in values:
                    if isinstance(value, DEFINED) and value not in others and scope.error_of(value, (member, number)):
                        raise BuildError(
                            f"in {function.name}, {shown(value)} is used in {member.name}, but it is not computed on "
                            "every path to there: assign it to a variable with `write_variable`, and use the result of "
                            "`read_variable`"
                        )

    # ---------------------------------------------------------------------------------------------------- blocks

    def continuation(
        self, name: str, may_assign: Container[Variable] | None = None, span: Span | None = None, operator: str = ""
    ) -> Block:
        self._open_function()
        self._name(name, span)
        if may_assign is not None and not isinstance(may_assign, Container):
            raise BuildError(f"`may_assign` of {name} is {shown(may_assign)}: pass a set of variables")
        block = super().continuation(name, may_assign, span, operator)
        self._known_blocks.add(block)
        return block

    def enter(self, block: Block) -> None:
        self._block(block)
        super().enter(block)

    def seal(self, block: Block) -> None:
        self._block(block)
        super().seal(block)

    # ------------------------------------------------------------------------------------------------- variables

    def write_variable(self, variable: Variable, value: ir.Value, span: Span | None = None) -> None:
        if not self._is_memory(variable):
            self._variable(variable)
            self._operand(value, f"the value of {variable.name}", variable.type)
        self._span(span)
        super().write_variable(variable, value, span)

    def read_variable(self, variable: Variable, span: Span | None = None) -> ir.Value:
        if not self._is_memory(variable):
            self._variable(variable)
        self._span(span)
        return self._noted(super().read_variable(variable, span))

    def free(self, value: ir.Value) -> ir.Value:
        self._open_function()
        if isinstance(value, DEFINED) and value not in self._values:
            resolved = resolve(value)  # a parameter may have been removed
            if resolved not in self._finished and not isinstance(resolved, (ir.Constant, ir.Undef)):
                raise BuildError(f"{shown(value)} is no value of a finished function that is always computed there")
            self._noted(value)
            return super().free(value)
        self._operand(value, "the free value")
        return value

    # ------------------------------------------------------------------------------------------------ statements

    def primitive(
        self,
        op: str,
        *values: ir.Value,
        of: ir.Static = None,
        span: Span | None = None,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Value:
        self._operation(op, values, PRIMITIVES)
        if op == CONVERT:
            raise BuildError("a conversion needs its target: use `convert`")
        statement = ir.Primitive(op, values, typed(op, values), None, span, of, attributes)
        self._statement(statement)
        return self._noted(super().primitive(op, *values, of=of, span=span, attributes=attributes))

    def convert(
        self, type: ir.Scalar, value: ir.Value, span: Span | None = None, attributes: ir.Attributes = ir.NO_ATTRIBUTES
    ) -> ir.Value:
        self._type(type, "the target of a conversion")
        self._converted(type, value)
        self._statement(ir.Primitive(CONVERT, (value,), type, None, span, None, attributes))
        return self._noted(super().convert(type, value, span, attributes))

    def effect(
        self,
        op: str,
        *values: ir.Value,
        type: ir.Scalar | None = None,
        of: ir.Static = None,
        name: str | None = None,
        span: Span | None = None,
        alignment: int = 0,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Value:
        self._operation(op, values, EFFECTS)
        self._alignment(alignment)
        if op == LOAD:
            self._type(type, "a load needs a `type=`; it")
        statement = ir.Effect(op, values, typed(op, values, type), name, span, of, alignment, attributes)
        self._statement(statement)
        settings: Any = {"type": type, "of": of, "name": name, "span": span, "attributes": attributes}
        return self._noted(super().effect(op, *values, **settings, alignment=alignment))

    def _foreign_operands(self, text: str, values: Sequence[ir.Value]) -> None:
        for value in values:
            self._operand(value, f"an operand of {text}")
            if isinstance(value.type, ir.ContinuationType):
                raise BuildError(f"an operand of {text} is {shown(value)}: pass a value, not a continuation")

    def append(self, statement: ir.Statement) -> ir.Value:
        op, values, type = statement.op, statement.operands, statement.type
        title = str(statement.of) if op in FOREIGN_OPERATIONS else op
        if type is not ir.VOID:
            self._type(type, f"the result of {title}")
        elif isinstance(statement, ir.Primitive):
            raise BuildError(f"{title} is pure, so it has a result: pass its type")
        if op in FOREIGN_OPERATIONS:
            self._foreign_operands(title, values)
        elif op == CONVERT and len(values) == 1:
            self._converted(type, values[0])
        else:
            self._operation(op, values, PRIMITIVES if isinstance(statement, ir.Primitive) else EFFECTS)
        self._statement(statement)
        if self.memory is not None and isinstance(statement, ir.Effect) and accesses_memory(statement):
            raise BuildError(f"{op} accesses memory, which is explicit: use `effect`")
        return self._noted(super().append(statement))

    # ------------------------------------------------------------------------------------------------- transfers

    def jump(self, block: Block, span: Span | None = None) -> None:
        self._targets([block], span)
        super().jump(block, span)

    def branch(self, condition: ir.Value, then: Block, otherwise: Block, span: Span | None = None) -> None:
        self._operand(condition, "the condition of a branch", ir.BOOL)
        self._targets([then, otherwise], span)
        super().branch(condition, then, otherwise, span)

    def switch(
        self, value: ir.Value, cases: Sequence[tuple[int, Block]], default: Block, span: Span | None = None
    ) -> None:
        self._operand(value, "the value of a switch")
        self._pairs(cases, "the cases of a switch", "a number and a block")
        for reason in switch_errors(value.type, [number for number, _ in cases]):
            raise BuildError(reason)
        self._targets([*(block for _, block in cases), default], span)
        super().switch(value, cases, default, span)

    def ret(self, value: ir.Value | None = None, span: Span | None = None) -> None:
        function = self._open_function()
        result = function.result
        if value is None and result is not ir.VOID:
            raise BuildError(f"{function.name} returns {result}: pass a value to `ret`")
        if value is not None and result is ir.VOID:
            raise BuildError(f"{function.name} returns nothing: `ret` takes no value")
        if value is not None:
            self._operand(value, f"the result of {function.name}", result)
        self._span(span)
        super().ret(value, span)

    def foreign_transfer(
        self, text: str, values: Sequence[ir.Value], targets: Sequence[Block], span: Span | None = None
    ) -> None:
        self._foreign_operands(text, values)
        self._targets(targets, span)
        super().foreign_transfer(text, values, targets, span)

    def leave(self, external: ir.External, *values: ir.Value, span: Span | None = None) -> None:
        if not isinstance(external, ir.External):
            raise BuildError(
                f"`leave` takes a continuation of `EXTERNALS`, not {shown(external)}: use `jump`, `ret` or `call`"
            )
        self._arguments(external.name, external.type.parameters, values)
        self._span(span)
        super().leave(external, *values, span=span)

    def call(self, function: ir.Function, arguments: Sequence[ir.Value], span: Span | None = None) -> ir.Value | None:
        if not isinstance(function, ir.Function):
            raise BuildError(f"{shown(function)} is no function: `declare` and `external` declare functions to call")
        self._item(function)
        parameters = [each.type for each in function.parameters[:-1] if each.type is not ir.MEMORY]
        self._arguments(function.name, parameters, arguments)
        self._span(span)
        return self._noted_result(super().call(function, arguments, span))

    def call_through(
        self, pointer: ir.Value, arguments: Sequence[ir.Value], result: ir.Scalar, span: Span | None = None
    ) -> ir.Value | None:
        self._operand(pointer, "the pointer of a call", ir.PTR)
        self._arguments("the function at the pointer", None, arguments)
        if result is not ir.VOID:
            self._type(result, "the result of a call")
        self._span(span)
        return self._noted_result(super().call_through(pointer, arguments, result, span))

    # ---------------------------------------------------------------------------------------------------- checks

    def _noted(self, value: ir.Value) -> ir.Value:
        """The value, which belongs to the open function from now on."""
        self._values.add(value)
        return value

    def _noted_result(self, value: ir.Value | None) -> ir.Value | None:
        return None if value is None else self._noted(value)

    def _is_memory(self, variable: object) -> bool:
        """Whether the variable is a memory, which the Builder reads and assigns itself."""
        return self.memory is not None and isinstance(variable, Variable) and variable.type is ir.MEMORY

    def _span(self, span: object) -> None:
        if span is not None and not isinstance(span, Span):
            raise BuildError(f"{span!r} is no location: pass `span=Span(source, start, end)`")

    def _name(self, name: object, span: object = None) -> None:
        if not isinstance(name, str) or not name:
            raise BuildError(f"{name!r} is no name: pass a string that is not empty")
        self._span(span)

    def _list(self, values: object, what: str, of: str) -> None:
        if not isinstance(values, Collection) or isinstance(values, (str, bytes)):
            raise BuildError(f"{what} are {shown(values)}: pass a list of {of}")

    def _pairs(self, values: Any, what: str, of: str) -> None:
        self._list(values, what, f"pairs of {of}")
        for pair in values:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise BuildError(f"{pair!r} is none of {what}: pass pairs of {of}")

    def _type(self, type: object, of: str) -> None:
        if not isinstance(type, ir.Scalar) or type in (ir.VOID, ir.MEMORY):
            raise BuildError(f"{of} has the type {type}: pass a type of data, such as `cpsconv.core.ir.INT`")

    def _object_type(self, type: Any, of: str) -> None:
        if not isinstance(type, (ir.Scalar, ir.Array, ir.Struct)) or not is_known(type, self._structs):
            raise BuildError(f"{of} has the type {type}: pass a type of memory, or a struct that `struct` returned")
        if reason := unsound(type):
            raise BuildError(f"the type of {of} {reason}")

    def _attributes(self, place: str, attributes: ir.Attributes) -> None:
        for reason in attribute_errors(place, attributes) if attributes else ():
            raise BuildError(reason)

    def _alignment(self, alignment: int) -> None:
        if reason := unaligned(alignment) if isinstance(alignment, int) else "the alignment is a number of bytes":
            raise BuildError(reason)

    def _parameters(self, name: str, parameters: _Parameters) -> None:
        self._list(parameters, f"the parameters of {name}", "variables, or of pairs of a name and a type")
        for parameter in parameters:
            if not isinstance(parameter, Variable) and not (isinstance(parameter, tuple) and len(parameter) == 2):
                raise BuildError(f"{parameter!r} is no parameter of {name}: pass a `Variable`, or a name and a type")
            self._variable(as_variable(parameter))

    def _variable(self, variable: object) -> None:
        if not isinstance(variable, Variable):
            raise BuildError(f"{shown(variable)} is no variable: create it by `Variable(name, type)`")
        self._name(variable.name, variable.span)
        self._type(variable.type, f"the variable {variable.name}")

    def _block(self, block: object) -> None:
        if isinstance(block, ir.Function):
            raise BuildError(f"{block.name} is a function: `call` it, or jump to a block that `continuation` returned")
        if not isinstance(block, Block):
            raise BuildError(f"{shown(block)} is no block: `continuation` returns a new one")
        if block not in self._known_blocks:
            raise BuildError(f"continuation {block.continuation.name} is no block of the open function")

    def _targets(self, blocks: Collection[Block], span: Span | None) -> None:
        """Check the targets of a transfer, all before one of them gets a predecessor."""
        self._span(span)
        for block in blocks:
            self._block(block)
            if self.current is not None and block.sealed:
                name = block.continuation.name
                cure = "seal it after the last transfer to it"
                if block is self._blocks[0]:
                    name, cure = f"{name}, the entry,", "jump from the entry to a new block, and back to that"
                raise BuildError(f"continuation {name} gets another predecessor, but it is sealed: {cure}")

    def _item(self, item: ir.Data | ir.Function) -> None:
        if item not in self._items:
            raise BuildError(f"{item.name} belongs to another Builder: declare it with this one")

    def _operand(self, value: Any, what: str, type: ir.Type | None = None) -> None:
        """Check that the value belongs to the open function or the program, and has the type."""
        self._open_function()
        if not isinstance(value, _VALUES):
            raise BuildError(f"{what} is {shown(value)}: {cure(value)}")
        if isinstance(value, ir.Function):
            raise BuildError(f"{what} is the function {value.name}: `convert(PTR, {value.name})` gives its address")
        if isinstance(value, ir.Data):
            self._item(value)
        elif isinstance(value, (ir.Constant, ir.Undef)):
            self._type(value.type, what)
            if isinstance(value, ir.Constant) and not is_value(value.type, value.value):
                raise BuildError(f"{value.value!r} is not a value of type {value.type}: {range_of(value)}")
        elif value not in self._values:
            raise BuildError(
                f"{what} is {shown(value)}, which does not belong to {self._open_function().name}: pass it as an "
                "argument, or, to a nested function, by `free`"
            )
        if type is not None and value.type is not type:
            raise BuildError(f"{what} must be of type {type}, not {value.type}{conversion(value.type, type)}")

    def _arguments(self, name: str, parameters: Sequence[ir.Type] | None, arguments: Sequence[ir.Value]) -> None:
        self._list(arguments, f"the arguments of {name}", "values")
        for number, argument in enumerate(arguments, 1):
            self._operand(argument, f"argument {number} of {name}")
        for reason in argument_errors(name, parameters, arguments) if parameters is not None else ():
            raise BuildError(f"{reason}: each argument needs the type of its parameter, see `convert`")

    def _operation(self, op: object, values: Sequence[ir.Value], known: Mapping[str, object]) -> None:
        if not isinstance(op, str) or op not in known or op == EXTEND:
            other = "primitive" if known is EFFECTS else "effect"
            help = (
                f"use `{other}`" if str(op) in OPERATIONS else did_you_mean(str(op), known) or "see docs/operations.md"
            )
            raise BuildError(
                f"there is no operation {op} for `{'effect' if known is EFFECTS else 'primitive'}`: {help}"
            )
        for number, value in enumerate(values, 1):
            self._operand(value, f"operand {number} of {op}")

    def _converted(self, type: ir.Type, value: Any) -> None:
        """Check the operand of a conversion. A function has an address."""
        if isinstance(value, ir.Function) and type is ir.PTR:
            self._item(value)
        else:
            self._operand(value, "the converted value")

    def _statement(self, statement: ir.Statement) -> None:
        """Check a statement whose operands are values of the function."""
        self._span(statement.span)
        if statement.name is not None:
            self._name(statement.name)
        self._attributes("statement", statement.attributes)
        if message := operation_error(statement):
            help = "" if statement.op == CONVERT else ": `of=` is the static operand, see docs/memory.md"
            raise BuildError(message + help)
        if statement.of is not None and not isinstance(statement.of, ir.Foreign):
            of = statement.of.struct if isinstance(statement.of, ir.Field) else statement.of
            self._object_type(of, f"the static operand of {statement.op}")
        for reason in format_errors(statement.operands) if statement.op == PRINT else ():
            raise BuildError(reason)
