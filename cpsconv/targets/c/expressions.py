"""Expressions of C: operations, implicit conversions, parentheses and literals.

C promotes operands narrower than `int`. The CPS program does not, so the result is converted back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from cpsconv.abi.attributes import ON_STACK, CSignature, c_signature
from cpsconv.abi.formats import Slot, slots, without_long_long
from cpsconv.abi.prototypes import MALLOC_ALIGNMENT
from cpsconv.core import ir
from cpsconv.core.operations.completeness import Unspelled, for_every_operation
from cpsconv.core.operations.expansions import tested
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.table import (
    ALLOCATE,
    ALLOCATING,
    CONVERT,
    COPY,
    DEALLOCATE,
    EFFECTS,
    ELEMENT,
    FIELD,
    HEAP,
    LOADS,
    MAKE_BYTES_CONSTANT,
    MAKE_CONSTANT,
    OPERATIONS,
    OUTPUTS,
    PRECEDENCE,
    PRIMITIVES,
    STORE,
)
from cpsconv.core.text.spelling import needs_no_parentheses
from cpsconv.targets.c.items import Items
from cpsconv.targets.c.places import Places, Pointer
from cpsconv.targets.c.pointers import STRING, VOID_POINTER, length, unit
from cpsconv.targets.c.terms import TYPES, UNARY, Term, as_primary, as_unary, cast, literal_term, split, string_literal
from cpsconv.targets.structuring.decisions import Condition, Test
from cpsconv.targets.structuring.variables import Variable, Variables

_TEXT = "char *{}"
_LOGICAL = {"&&": 2, "||": 1}  # by precedence


_HEADERS = for_every_operation(
    "cpsconv.targets.c", {"printf": "stdio.h", "puts": "stdio.h", "putchar": "stdio.h", "eprint": "assert.h"}, OUTPUTS
)
"""The header of the library function that performs each effect. (`eprint` becomes a failing assertion.)"""

_ASSERTION = re.compile(r".*Assertion `(.*)' failed\.\n", re.DOTALL)


class Expressions:
    """Writes the expressions of one function, and adds the headers that they require to `headers`.

    `functions` has the C name of each function of the program, and `items` the names and types of the other items of a
    program with memory.
    """

    def __init__(
        self, variables: Variables, functions: Mapping[str, str], headers: set[str], items: Items | None = None
    ) -> None:
        self._variables = variables
        self._functions = functions
        self._headers = headers
        self._items = items
        self._memory = Places(variables, items, self._term, self.call) if items else None

    @property
    def _places(self) -> Places:
        assert self._memory, "the program has no memory"
        return self._memory

    def assigned(self, value: ir.Value, type: ir.Scalar, pattern: object = None) -> str:
        """The value in a context that implicitly converts it to `type`; a pointer, to that of the declaration."""
        if type is ir.PTR:
            assert isinstance(pattern, str)
            return self._places.converted(value, pattern).text
        return self._term(self._widening(value, type)).text

    def value(self, value: ir.Value) -> str:
        """The value as an expression."""
        return self._term(value).text

    def condition(self, condition: Condition) -> str:
        """A condition, with ``&&`` and ``||``. (Its depth is bounded.)"""
        return self._condition(condition).text

    def assignment(self, name: str, value: ir.Value, type: ir.Scalar, pattern: object = None) -> str:
        """``name = value``. If the value is a pointer, `pattern` is the declaration of the variable."""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place:
            return self.computation(name, value, pattern)
        return f"{name} = {self.assigned(value, type, pattern)}"

    def computation(self, name: str, primitive: ir.Primitive, pattern: object = None) -> str:
        """``name = …``, or a short form: ``n++``, ``sum += n``."""
        if primitive.type is ir.PTR:
            return self._moved(name, primitive, pattern)
        op, type, row = primitive.op, primitive.type, OPERATIONS[primitive.op]
        left, right = primitive.operands[0], primitive.operands[-1]
        is_compound = row.form == "infix" and row.kind != "comparison"
        is_load = isinstance(left, ir.Effect)
        is_stored = not isinstance(left, ir.Constant) and (is_load or left not in self._variables.in_place)
        if is_compound and not _is_narrow(type) and is_stored and self.value(left) == name:
            if op in ("+", "-") and isinstance(right, ir.Constant) and right.value == 1 and type.kind == "integer":
                return f"({name}){op}{op}" if name.startswith("*") else f"{name}{op}{op}"
            operand = self._count(right) if row.kind == "shift" else self._term(self._widening(right, type))
            return f"{name} {op}= {operand.text}"
        source = self._widened(primitive)
        return f"{name} = {(self.operation(primitive) if source is primitive else self._term(source)).text}"

    def _moved(self, name: str, primitive: ir.Primitive, pattern: object) -> str:
        """The assignment of a computed pointer: ``p = &a[i]``, ``p++``, ``p += 2``."""
        assert isinstance(pattern, str)
        natural = self._places.computed(primitive)
        base, *index = primitive.operands
        is_step = primitive.op == ELEMENT and natural.pattern == pattern and base not in self._variables.in_place
        if is_step and isinstance(base, (ir.Parameter, ir.Primitive, ir.Effect)) and self._term(base).text == name:
            if not isinstance(index[0], ir.Constant):
                return f"{name} += {self._term(index[0]).text}"
            step = int(index[0].value)
            sign = "-" if step < 0 else "+"
            return f"{name}{sign}{sign}" if abs(step) == 1 else f"{name} {sign}= {abs(step)}"
        return f"{name} = {self._places.cast(natural, pattern).text}"

    def effect(self, effect: ir.Effect) -> str:
        """The statement or expression of an effect."""
        return _EFFECTS[effect.op](self, effect)

    def unused(self, effect: ir.Effect) -> str:
        """The statement for an effect whose result is not used; empty for an allocation."""
        if effect.op in LOADS:
            return f"(void){as_unary(self._places.load(effect))}"
        if effect.op == "realloc":
            return self._on_heap("free", effect.operands[:1])
        return "" if effect.op in ALLOCATING else self.effect(effect)

    def _store(self, effect: ir.Effect) -> str:
        value, pointer = effect.operands
        type = value.type
        assert isinstance(type, ir.Scalar)
        place = self._places.target(pointer, type)
        pattern = self._items.types.slot_pattern(pointer) if self._items and type is ir.PTR else None
        if place is not None:
            return self.assignment(place, value, type, pattern)
        return self._places.store(self.assigned(value, type, VOID_POINTER), pointer, type)

    def _allocate(self, effect: ir.Effect) -> str:
        """The allocation of an object that is no variable, on the stack or on the heap."""
        assert self._items
        self._headers.add("alloca.h" if ON_STACK in effect.attributes else "stdlib.h")
        type = ir.object_type_of(effect)
        pattern, inner = self._items.types.object_pattern(effect, unit(type)), length(type)
        size = Term(f"sizeof({pattern.format('').strip()})", UNARY)
        factors = [Term(str(inner))] if inner is not None else []
        factors += map(self._term, effect.operands)
        texts = [each.text if each.level >= UNARY and not each.op else f"({each.text})" for each in (*factors, size)]
        product, alignment = " * ".join(texts), max(effect.alignment, type.alignment)
        if alignment <= MALLOC_ALIGNMENT:
            return f"{'alloca' if ON_STACK in effect.attributes else 'malloc'}({product})"
        if ON_STACK in effect.attributes:
            return f"__builtin_alloca_with_align({product}, {8 * alignment})"
        return f"aligned_alloc({alignment}, ({product} + {alignment - 1}) & ~{alignment - 1}ul)"

    def _deallocate(self, effect: ir.Effect) -> str:
        """The end of the block, or of the function, ends the lifetime of a variable."""
        assert self._items
        (variable,) = effect.operands
        ends = variable in self._items.lifetimes or (
            isinstance(variable, ir.Effect) and ON_STACK in variable.attributes
        )
        return "" if ends else self._on_heap("free", effect.operands)

    def _on_heap(self, name: str, operands: Sequence[ir.Value]) -> str:
        """A call of a function of <stdlib.h>, whose parameters are sizes and ``void *``."""
        self._headers.add("stdlib.h")
        shown = [
            self.assigned(each, ir.PTR if each.type is ir.PTR else ir.UNSIGNED_LONG, VOID_POINTER) for each in operands
        ]
        return f"{name}({', '.join(shown)})"

    def _printed_text(self, effect: ir.Effect) -> str:
        """The call of a library function; for `eprint`, a failing assertion with the text of the original one."""
        self._headers.add(_HEADERS[effect.op])
        first = effect.operands[0]
        if effect.op == "eprint":
            assert isinstance(first, ir.Constant)
            words = _ASSERTION.sub(r"\1", str(first.value)).strip()
            return f"assert(!{string_literal(words)})"
        shown = [self._places.converted(first, _TEXT) if first.type is ir.PTR else self._term(first)]
        if effect.op == "printf":
            assert isinstance(first, ir.Constant)
            shown = [self._term(ir.Constant(ir.STRING, without_long_long(str(first.value))))]
            shown += map(self._printed, slots(str(first.value)), effect.operands[1:])
        return f"{effect.op}({', '.join(term.text for term in shown)})"

    def _printed(self, slot: Slot, value: ir.Value) -> Term:
        """An argument of `printf`, as a `double` or as an integer of the size that the directive takes."""
        assert isinstance(value.type, ir.Scalar) and slot.type is not None
        if value.type is ir.PTR:
            return self._places.text(value) if slot.type is ir.STRING else self._places.converted(value, VOID_POINTER)
        if value.type.kind == "integer" and max(value.type.bits, ir.INT.bits) != slot.type.bits:
            return self._cast(slot.type, self._term(value))
        narrower = self._widening(value, ir.DOUBLE)
        return self._term(narrower if narrower.type is ir.FLOAT else value)

    def call(self, call: ir.Call) -> str:
        """The call of a function of the program, of an external one, or through a pointer."""
        callee: ir.Function | None = call.callee
        patterns: Sequence[object] = [None] * len(call.arguments)
        if self._items:
            callee, patterns = self._items.callee(call), self._items.argument_patterns(call)
        if callee:
            name = self._functions[callee.name]
        else:
            assert self._items and call.pointer
            name = as_primary(self._places.exactly(call.pointer, self._items.types.function(call.callee.type)))
        if callee and (signature := c_signature(callee)):
            return self._with_signature(call, name, signature, patterns)
        arguments = [
            self.assigned(argument, parameter.type, pattern)
            for argument, parameter, pattern in zip(call.arguments, call.callee.parameters, patterns, strict=False)
            if isinstance(parameter.type, ir.Scalar)
        ]
        return f"{name}({', '.join(arguments)})"

    def _with_signature(self, call: ir.Call, name: str, signature: CSignature, patterns: Sequence[object]) -> str:
        """The call of a function with structs by value, or of an external one with variable arguments."""
        shown = []
        for index, argument in [*enumerate(call.arguments)][signature.returns_struct :]:
            assert isinstance(argument.type, ir.Scalar)
            if index in signature.structs:
                shown.append(self._places.struct(argument, signature.structs[index]))
            elif index < len(patterns):
                shown.append(self.assigned(argument, argument.type, patterns[index]))
            else:
                shown.append(self.value(argument))
        text = f"{name}({', '.join(shown)})"
        return (
            self._places.assignment(signature.structs[0], call.arguments[0], text) if signature.returns_struct else text
        )

    def returned(self, value: ir.Value, function: ir.Function) -> str:
        """The value in a return from the function."""
        type = function.result
        assert isinstance(type, ir.Scalar)
        return self.assigned(value, type, self._items and self._items.result_pattern(function))

    def result(self, call: ir.Call, pattern: object) -> str:
        """The call, converted to the declared type if it returns a pointer."""
        if call.callee.result is not ir.PTR or not isinstance(pattern, str):
            return self.call(call)
        return self._places.cast(Pointer(Term(self.call(call)), self._places.result(call)), pattern).text

    def tail_call(self, call: ir.Call, function: ir.Function) -> str:
        """The call whose result the function returns."""
        return self.result(call, self._items and function.result is ir.PTR and self._items.result_pattern(function))

    def effect_result(self, effect: ir.Effect, pattern: object) -> str:
        """The effect, converted to the declared type if its result is a pointer."""
        if effect.type is not ir.PTR or effect.op not in LOADS or not isinstance(pattern, str):
            return self.effect(effect)
        return self._places.cast(self._places.computed(effect), pattern).text

    def declaration(self, variable: Variable) -> tuple[str, str]:
        """The specifier and the declarator of a variable: ``struct point`` and ``*p``."""
        if isinstance(variable.kind, str):
            return split(variable.kind, variable.name)
        return split(self.pattern(variable.type), variable.name)

    def type(self, type: ir.Scalar) -> str:
        """The name of a type."""
        if type is ir.BOOL:
            self._headers.add("stdbool.h")
        return str(type) if type is not ir.PTR else VOID_POINTER.format("")

    def pattern(self, type: ir.Scalar) -> str:
        """The declaration of a value of the type, with ``{}`` for its name."""
        return STRING if type is ir.STRING else VOID_POINTER if type is ir.PTR else f"{self.type(type)} {{}}"

    # ----------------------------------------------------------------------------------------------------- conditions

    def _condition(self, condition: Condition) -> Term:
        if isinstance(condition, Test):
            return self._negated(condition.value) if condition.negated else self._term(condition.value)
        parts = [self._condition(part) for part in condition.parts]
        unclear = {*_LOGICAL, "&", "|", "^"}  # operators whose precedence readers may not know
        texts = [f"({part.text})" if part.op in unclear else part.text for part in parts]
        return Term(f" {condition.op} ".join(texts), _LOGICAL[condition.op], condition.op)

    def _negated(self, value: ir.Value) -> Term:
        """The negation of the value. With a NaN, ``!(a < b)`` is not ``a >= b``."""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place:
            if value.op == "!":
                return self._term(value.operands[0])
            if op := opposite(value.op, value.operands[0].type):
                return self._binary(op, value)
        return self._with_prefix("!", self._term(value))

    # --------------------------------------------------------------------------------------------------------- values

    def _term(self, value: ir.Value) -> Term:
        if value.type is ir.PTR and self._memory:
            return self._memory.pointer(value).term
        if isinstance(value, ir.Constant):
            return literal_term(value, self._headers)
        if value in self._variables.in_place:
            return self._places.load(value) if isinstance(value, ir.Effect) else self.operation(value)
        if value in self._variables.calls:
            return Term(self.call(self._variables.calls[value]))
        return Term(self._variables.of(value).name)

    def operation(self, primitive: ir.Primitive) -> Term:
        """The expression that computes a primitive."""
        return _OPERATIONS[primitive.op](self, primitive)

    def _prefixed(self, primitive: ir.Primitive) -> Term:
        term = self._with_prefix(OPERATIONS[primitive.op].symbol, self._term(primitive.operands[0]))
        return self._narrowed(primitive.type, term)

    def _with_prefix(self, prefix: str, operand: Term) -> Term:
        clear = operand.level > UNARY and operand.text[0] != "-"
        return Term(prefix + (operand.text if clear else f"({operand.text})"), UNARY)

    def _narrowed(self, type: ir.Scalar, term: Term) -> Term:
        """A result that C computes as an `int`, converted to its type."""
        return self._cast(type, term) if type.kind == "integer" and _is_narrow(type) else term

    def _infix(self, primitive: ir.Primitive) -> Term:
        return self._narrowed(primitive.type, self._binary(primitive.op, primitive))

    def _binary(self, op: str, primitive: ir.Primitive) -> Term:
        left, right = primitive.operands
        type = left.type
        assert isinstance(type, ir.Scalar)
        if type is ir.PTR:
            return self._pointers(op, left, right)
        narrower = self._widening(right, type)
        if narrower is right:  # at most one operand is converted implicitly: C converts it to the type of the other
            left = self._widening(left, type)
        right = narrower
        texts = self._operand(op, self._term(left), 0), self._operand(op, self._term(right), 1)
        return Term(f" {op} ".join(texts), PRECEDENCE[op], op)

    def _shift(self, primitive: ir.Primitive) -> Term:
        op, (left, right) = primitive.op, primitive.operands
        count = self._count(right)
        shown = f"({count.text})" if count.op else count.text
        term = Term(f"{self._operand(op, self._term(left), 0)} {op} {shown}", PRECEDENCE[op], op)
        return self._narrowed(primitive.type, term)

    def _count(self, count: ir.Value) -> Term:
        """A shift count, which is below the width."""
        return Term(str(int(count.value))) if isinstance(count, ir.Constant) else self._term(count)

    def _absolute(self, primitive: ir.Primitive) -> Term:
        (operand,), type = primitive.operands, primitive.type
        self._headers.add("math.h" if type.kind == "float" else "stdlib.h")
        return self._narrowed(type, Term(f"{TYPES[type].absolute}({self.assigned(operand, type)})"))

    def _mathematics(self, primitive: ir.Primitive) -> Term:
        self._headers.add("math.h")
        operands = [self.assigned(operand, primitive.type) for operand in primitive.operands]
        return Term(f"{platform_name(primitive.op, primitive.type)}({', '.join(operands)})")

    def _operand(self, op: str, term: Term, side: int) -> str:
        return term.text if not term.op or needs_no_parentheses(op, term.op, side) else f"({term.text})"

    # ---------------------------------------------------------------------------------------------------- conversions

    def _converted(self, primitive: ir.Primitive) -> Term:
        (operand,), type = primitive.operands, primitive.type
        assert isinstance(operand.type, ir.Scalar)
        if operand.type is ir.PTR:
            return self._of_pointer(operand, type)
        if operand.type is type or (type is ir.INT and operand.type.bits < ir.INT.bits):
            return self._term(operand)  # C promotes the operand wherever it matters
        return self._cast(type, self._term(operand))

    def _of_pointer(self, pointer: ir.Value, type: ir.Scalar) -> Term:
        """A pointer as an integer."""
        term = self._cast(type if type.bits == ir.PTR.bits else ir.UNSIGNED_LONG, self._term(pointer))
        return term if type.bits == ir.PTR.bits else self._cast(type, term)

    def _pointers(self, op: str, left: ir.Value, right: ir.Value) -> Term:
        """A comparison of pointers. C compares pointers of one type, and none with null by ``<``."""
        places, is_equality = self._places, OPERATIONS[op].commutative
        one, other = places.address(left), places.address(right)
        if is_equality or (one.pattern and other.pattern):
            types = {each.pattern.removeprefix("const ") for each in (one, other) if each.pattern}
            second = other.term
            if len(types) > 1 and not (is_equality and VOID_POINTER in types):
                second = cast(one.pattern.format(""), other.term) if one.pattern else second
            texts = as_unary(one.term), as_unary(second)
        else:
            texts = self._cast(ir.UNSIGNED_LONG, one.term).text, self._cast(ir.UNSIGNED_LONG, other.term).text
        return Term(f" {op} ".join(texts), PRECEDENCE[op], op)

    def _cast(self, type: ir.Scalar, term: Term) -> Term:
        return cast(self.type(type), term)

    def _widening(self, value: ir.Value, type: ir.Scalar) -> ir.Value:
        """The operand of a lossless conversion in place that C does implicitly; otherwise the value itself."""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place and value.type is type:
            return self._widened(value)
        return value

    def _widened(self, primitive: ir.Primitive) -> ir.Value:
        """The operand of a lossless conversion that C does implicitly; otherwise the primitive itself."""
        operand = primitive.operands[0]
        assert isinstance(operand.type, ir.Scalar)
        wider = _WIDENING_OF_NARROW if _is_narrow(operand.type) else _WIDENING.get(operand.type, ())
        return operand if primitive.op == CONVERT and primitive.type in wider else primitive


_OPERATIONS: Mapping[str, Callable[[Expressions, ir.Primitive], Term]] = for_every_operation(
    "cpsconv.targets.c",
    {
        **dict.fromkeys(["+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="], Expressions._infix),
        **dict.fromkeys(("<<", ">>"), Expressions._shift),
        **dict.fromkeys(("neg", "~", "!"), Expressions._prefixed),
        "abs": Expressions._absolute,
        **dict.fromkeys(MATHEMATICS, Expressions._mathematics),
        CONVERT: Expressions._converted,
        **dict.fromkeys((ELEMENT, FIELD), lambda self, primitive: self._places.computed(primitive).term),
    },
    PRIMITIVES,
    memory=True,
    expanded=True,
)

UNSPELLED = Unspelled(
    _OPERATIONS,
    {CONVERT: tested, "abs": lambda each: None if TYPES[each.type].absolute else PRIMITIVES["abs"].expansion},
)

_EFFECTS: Mapping[str, Callable[[Expressions, ir.Effect], str]] = for_every_operation(
    "cpsconv.targets.c",
    {
        **dict.fromkeys(LOADS, lambda self, effect: self._places.load(effect).text),
        STORE: Expressions._store,
        COPY: lambda self, effect: self._places.copy(effect),
        ALLOCATE: Expressions._allocate,
        DEALLOCATE: Expressions._deallocate,
        MAKE_CONSTANT: lambda self, effect: "",
        MAKE_BYTES_CONSTANT: lambda self, effect: "",
        **dict.fromkeys(HEAP, lambda self, effect: self._on_heap(effect.op, effect.operands)),
        **dict.fromkeys(_HEADERS, Expressions._printed_text),
    },
    EFFECTS,
    memory=True,
)


def _is_narrow(type: ir.Scalar) -> bool:
    """Whether C promotes the type to `int`."""
    return type.kind == "bool" or (type.kind == "integer" and type.bits < ir.INT.bits)


_WIDENING = {ir.INT: (ir.LONG, ir.DOUBLE), ir.UNSIGNED: (ir.LONG, ir.UNSIGNED_LONG, ir.DOUBLE), ir.FLOAT: (ir.DOUBLE,)}
_WIDENING_OF_NARROW = (ir.INT, ir.LONG, ir.FLOAT, ir.DOUBLE)
"""The types to which C's implicit conversion is lossless: by type, and for all types that C promotes to `int`."""
