"""Built-in functions of GNU C, the macros of <stdarg.h>, and the expressions that are decided by types."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.core.long_double import LongDouble, not_a_number
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.calls import Calls
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.complex_numbers import MACROS
from cpsconv.languages.c.meaning.constants import (
    NotConstantError,
    constant_value,
    exact_result,
    integer_constant,
    is_constant,
)
from cpsconv.languages.c.meaning.conversions import with_article
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.records import DIV, LDIV, LLDIV, VA_LIST_RECORD, Record, is_complete, register_classes
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    TRUTH,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    Pointer,
    argument_promoted,
    is_floating_type,
    is_integer_type,
    pointer_to,
    promoted,
)
from cpsconv.platform.argument_passing import INTEGER, SSE
from cpsconv.platform.prototypes import COMPLEX_HEADER

if TYPE_CHECKING:
    from cpsconv.languages.c.meaning.atomics import Atomic

_VA_LIST_POINTER = pointer_to(VA_LIST_RECORD)
_STDARG = "stdarg.h"


class Builtins(Calls):
    """Types calls of built-in functions, `_Generic`, `offsetof` and similar expressions."""

    def builtin_call(self, node: c.CallExpression, name: str) -> Step[t.Expression] | None:
        """The call of a built-in function; None if there is none of that name."""
        if name.startswith("va_") and _STDARG in self.functions.headers:
            name = f"__builtin_{name}"
        if name in _CLASSIFICATIONS and "math.h" in self.functions.headers:
            name = f"__builtin_{_CLASSIFICATIONS[name]}"
        if name in MACROS and COMPLEX_HEADER in self.functions.headers:
            return self.make_complex(node, MACROS[name])
        if name in _DIVISIONS and self.functions.headers & {"stdlib.h", "inttypes.h"}:
            return self._division(node, _DIVISIONS[name])
        if name.startswith(("__sync_", "__atomic_", "atomic_")):
            from cpsconv.languages.c.meaning.atomics import atomic  # late: few programs need them

            operation = atomic(name, "stdatomic.h" in self.functions.headers)
            return operation and self._atomic(node, operation)
        if not name.startswith("__builtin_"):
            return None
        short = name.removeprefix("__builtin_")
        if short in _RULES:
            count, rule = _RULES[short]
            if len(node.arguments) != count and (count >= 0 or not node.arguments):
                return self.wrong_count(node, abs(count))
            return rule(self, node)
        if short in LIBRARY:
            if short in self.functions.definitions and LIBRARY[short].operation is None:
                message = f"`{name}` in a program that defines `{short}` is not supported yet"
                self.errors.report("unsupported", message, node.callee.span)
                return self.erroneous_call(node)
            return self.library_call(node, short, LIBRARY[short])
        if found := re.fullmatch(_OVERFLOW, short):
            fixed = _OPERANDS.get((found["sign"] or "", found["length"] or ""))
            return self._overflow(node, found["op"], fixed, stores=not short.endswith("_p"))
        from cpsconv.languages.c.meaning.expansions import EXPANSIONS  # late: few programs need them

        if short in EXPANSIONS:
            return self._expanded(node, short, EXPANSIONS[short])
        reason = "is not supported: calls have no stack frames" if short in _OF_FRAMES else "is not supported yet"
        self.errors.report("unsupported", f"`{name}` {reason}", node.callee.span)
        return self.erroneous_call(node)

    # ------------------------------------------------------------------------------------------ unnamed arguments

    def _va_list(self, node: c.Expression) -> Computation[t.Expression]:
        """The pointer to a `va_list`, which `node` denotes."""
        value: t.Expression = yield self.part(node)
        if value.type is _VA_LIST_POINTER:
            return value
        if value.type is not UNKNOWN:
            message = f"expected a `va_list`, but this is {with_article(value.type)}"
            self.errors.report("type-mismatch", message, node.span)
        return t.Erroneous(node.span, value)

    def _va_start(self, node: c.CallExpression) -> Computation[t.Expression]:
        if not self.function.is_variadic:
            message = f"`{self.function.name}` has no variable arguments: its parameters do not end with `...`"
            self.errors.report("variadic", message, node.span)
        return t.VaStart(node.span, VOID, (yield self._va_list(node.arguments[0])))

    def _va_end(self, node: c.CallExpression) -> Computation[t.Expression]:
        return t.Cast(node.span, VOID, (yield self._va_list(node.arguments[0])))

    def _va_copy(self, node: c.CallExpression) -> Computation[t.Expression]:
        target, source = (yield self._va_list(node.arguments[0])), (yield self._va_list(node.arguments[1]))
        if UNKNOWN in (target.type, source.type):
            return t.Erroneous(node.span, target, source)
        into, of = (t.Dereference(each.span, VA_LIST_RECORD, each) for each in (target, source))
        copy = t.Assign(node.span, VA_LIST_RECORD, into, t.Read(of.span, VA_LIST_RECORD, of))
        return t.Cast(node.span, VOID, copy)

    def va_arg(self, node: c.VaArg) -> Computation[t.Expression]:
        """``va_arg(list, type)``."""
        pointer = yield self._va_list(node.list)
        type = self.type_named(node.type_name).unqualified
        if UNKNOWN in (type, pointer.type) or not self.is_supported(type, node.span):
            return t.Erroneous(node.span, pointer)
        wide = argument_promoted(type) if isinstance(type, Arithmetic) else type
        if wide is not type and wide.size != type.size:
            message = f"no variable argument has the type `{type}`: it is passed as `{wide}`"
            self.errors.report("variadic", message, node.span, help=f"write `{wide}`")
            return t.Erroneous(node.span, pointer)
        if isinstance(type, (Array, FunctionType)) or type is VOID or not is_complete(type):
            message = f"{with_article(type)} cannot be a variable argument"
            self.errors.report("variadic", message, node.span)
            return t.Erroneous(node.span, pointer)
        place = t.Convert(node.span, pointer_to(type), self._argument(pointer, type, node.span))
        return self.with_lengths(t.Read(node.span, type, t.Dereference(node.span, type, place)))

    def _argument(self, list: t.Expression, type: CType, span: Span) -> t.Expression:
        """The pointer to the next argument, as C passes arguments of the type."""
        size, alignment = (t.Constant(span, UNSIGNED_LONG, each) for each in (type.size, type.alignment))
        if not isinstance(type, Record):
            if type is LONG_DOUBLE:
                return self._access("memory", span, list, size, alignment)
            if is_floating_type(type):
                return self._access("vector", span, list)
            if type.size <= 8:
                return self._access("general", span, list, t.Constant(span, INT, 1))
        self.function.has_objects = True
        classes = register_classes(type) if isinstance(type, Record) else (INTEGER, INTEGER)
        if classes is None:
            return self._access("memory", span, list, size, alignment)
        vectors = sum(1 << number for number, each in enumerate(classes) if each == SSE)
        if not vectors and type.alignment <= 8:
            return self._access("general", span, list, t.Constant(span, INT, len(classes)))
        local = t.Local("argument", type, span, is_constant=False, is_used=True)
        object = t.LiteralObject(span, type, t.Declare(local, None))
        place = t.AddressOf(span, pointer_to(type), object)
        return self._access("struct", span, list, place, size, t.Constant(span, INT, vectors), alignment)

    def _access(self, kind: str, span: Span, *arguments: t.Expression) -> t.Expression:
        """The call of a function that accesses variable arguments."""
        function = self.functions.external(f"__va_{kind}", span)
        return t.Call(span, function.result, function, [*arguments], True)

    # ------------------------------------------------------------------------------------------- decided by types

    def generic(self, node: c.Generic) -> Computation[Any]:
        """The place or value that `_Generic` chooses by the type of the controlling expression."""
        controlling = yield self.unevaluated(node.controlling)
        type = INT if controlling.type is TRUTH else controlling.type
        chosen, default = [], None
        for type_name, expression in node.associations:
            if type_name is None:
                default = expression
            elif (associated := self.type_named(type_name)) is UNKNOWN or type is UNKNOWN:
                return t.Erroneous(node.span)
            elif are_compatible(associated, type):
                chosen.append(expression)
        if type is UNKNOWN:
            return t.Erroneous(node.span)
        if len(chosen) > 1:
            message = f"several types of this `_Generic` are compatible with `{type}`"
            self.errors.report("redeclared", message, node.span)
            return t.Erroneous(node.span)
        found = chosen[0] if chosen else default
        if found is None:
            message = f"no type of this `_Generic` is `{type}`, that of its first operand"
            self.errors.report("type-mismatch", message, node.controlling.span, help="add a `default`")
            return t.Erroneous(node.span)
        return (yield self.operand(found))

    def offset_of(self, node: c.OffsetOf) -> Computation[t.Expression]:
        """``offsetof(type, a.b[1])``."""
        type, offset = self.type_named(node.type_name).unqualified, 0
        for designator in node.designators:
            if type is UNKNOWN:
                break
            if isinstance(designator, c.FieldDesignator):
                access = c.Member(designator.span, node, designator.name, designator.span, False)
                path = self.path(type, access)
                for field in path or ():
                    if field.bits is not None:
                        message = f"`{field.name}` is a bit-field, and has no offset in bytes"
                        self.errors.report("no-address", message, designator.span)
                    offset, type = offset + field.offset, field.type.unqualified
                if path is None:
                    return t.Erroneous(node.span)
            elif isinstance(type, Array):
                index = self.constant_integer((yield self.unevaluated(designator.index)), "the index")
                offset, type = offset + (index or 0) * type.element.size, type.element.unqualified
            else:
                message = f"`[]` needs an array, not {with_article(type)}"
                self.errors.report("type-mismatch", message, designator.span)
                return t.Erroneous(node.span)
        return t.Erroneous(node.span) if type is UNKNOWN else self.constant_number(node, UNSIGNED_LONG, offset)

    def types_compatible(self, node: c.TypesCompatible) -> t.Expression:
        """``__builtin_types_compatible_p(first, second)``."""
        one, other = self.type_named(node.first).unqualified, self.type_named(node.second).unqualified
        if UNKNOWN in (one, other):
            return t.Erroneous(node.span)
        return self.constant_number(node, INT, are_compatible(one, other))

    def constant_integer(self, value: t.Expression, what: str) -> int | None:
        """The value of an integer constant expression; None if it is none, which is reported."""
        try:
            return integer_constant(value)
        except NotConstantError as reason:
            self.errors.report("not-constant", f"{what} {reason.message}", reason.span)
            return None

    def constant_number(self, node: c.Expression, type: CType, value: int) -> t.Constant:
        """A constant that is computed here, also for the warnings about constants."""
        self.checks.record(node, type, int(value))
        return t.Constant(node.span, type, int(value))

    # ----------------------------------------------------------------------------------------- built-in functions

    def _expect(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_expect(value, expected)``: the value as a `long`."""
        values = yield self.arguments(node.arguments, [LONG, LONG, DOUBLE][: len(node.arguments)])
        value, expected = values[:2]
        is_known = isinstance(t.origin(expected), t.Constant)
        return value if is_known else t.Comma(node.span, LONG, expected, value)

    def _constant_p(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_constant_p(value)``, as gcc without optimisation decides it."""
        value = yield self.unevaluated(node.arguments[0])
        while isinstance(value, t.Conditional) and is_constant(value.condition):
            value = value.then if constant_value(value.condition) else value.otherwise
        try:
            is_known = integer_constant(value) is not None
        except NotConstantError:
            is_known = isinstance(value, t.Constant) or (
                isinstance(value, t.Decay) and isinstance(value.operand, t.String)
            )
        return self.constant_number(node, INT, is_known)

    def _choose(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_choose_expr(condition, then, otherwise)``."""
        condition = self.constant_integer((yield self.unevaluated(node.arguments[0])), "the first argument")
        value: t.Expression = yield self.part(node.arguments[2 if condition == 0 else 1])
        return value

    def _expanded(self, node: c.CallExpression, name: str, text: str) -> Computation[t.Expression]:
        """A built-in function that is expressed in C, or its value if the argument is an integer constant."""
        from cpsconv.languages.c.meaning.expansions import LETTERS, NUMBERS, ON_BITS, arity, instantiated, value_of_bits

        if len(node.arguments) != arity(text):
            return (yield from self.wrong_count(node, arity(text)))
        examined = yield self._examined(node.arguments)
        if UNKNOWN in [each.type for each in examined] or (name in NUMBERS and not self._is_floating(examined, node)):
            return t.Erroneous(node.span)
        number = self._known(examined[0]) if name in ON_BITS else None
        if number is not None:
            types = {"bswap16": UNSIGNED_SHORT, "bswap32": UNSIGNED, "bswap64": UNSIGNED_LONG}
            return self.constant_number(node, types.get(name, INT), value_of_bits(name, number))
        if self.is_file_scope:
            self.errors.report("not-constant", f"the value of `{self.text_of(node)}` is not a constant", node.span)
            return t.Erroneous(node.span)
        value: t.Expression = yield self._typed_expansion(
            instantiated(text, node.span, dict(zip(LETTERS, node.arguments, strict=False)), self.scopes.find)
        )
        return value

    def _atomic(self, node: c.CallExpression, operation: Atomic) -> Computation[t.Expression]:
        """An operation on an atomic object."""
        from cpsconv.languages.c.meaning.expansions import instantiated

        if len(node.arguments) < operation.arity:
            wrong: t.Expression = yield self.wrong_count(node, operation.arity)
            return wrong
        examined = yield self._examined(node.arguments)
        types = [each.type for each in examined]
        if UNKNOWN in types:
            return t.Erroneous(node.span)
        target = types[0].target if types and isinstance(types[0], Pointer) else None
        if operation.for_integers and (target is None or not is_integer_type(target)):
            message = f"`{self.text_of(node.callee)}` needs a pointer to an integer, not {with_article(types[0])}"
            self.errors.report("type-mismatch", message, node.arguments[0].span)
            return t.Erroneous(node.span)
        arguments = dict(zip("ABC", node.arguments, strict=False))
        value: t.Expression = yield self._typed_expansion(
            instantiated(operation.text, node.span, arguments, self.scopes.find)
        )
        return value

    def _is_floating(self, arguments: list[t.Expression], node: c.CallExpression) -> bool:
        """Whether one of the arguments is a floating number; reported otherwise."""
        is_floating = any(is_floating_type(each.type) for each in arguments)
        if not is_floating:
            message = f"`{self.text_of(node.callee)}` needs a floating number, not {with_article(arguments[-1].type)}"
            self.errors.report("type-mismatch", message, node.arguments[-1].span)
        return is_floating

    def _typed_expansion(self, expansion: c.Expression) -> Computation[t.Expression]:
        """The typed expansion, without warnings about it; those about the arguments remain."""
        count = len(self.errors.warnings)
        value: t.Expression = yield self.part(expansion)
        self.errors.warnings[count:] = [
            each for each in self.errors.warnings[count:] if each.span is not expansion.span
        ]
        return value

    def _overflow(
        self, node: c.CallExpression, op: str, fixed: CType | None, stores: bool
    ) -> Computation[t.Expression]:
        """``__builtin_add_overflow(a, b, &result)`` and similar functions, whose operands may have a `fixed` type.

        ``__builtin_add_overflow_p(a, b, value)`` stores no result, which would have the type of the value, an integer
        or bit-field. The value is evaluated for its effects only.
        """
        from cpsconv.languages.c.meaning.expansions import SYMBOLS, ResultType, instantiated, overflow

        if len(node.arguments) != 3:
            return (yield from self.wrong_count(node, 3))
        *operands, last = yield self._examined(node.arguments)
        types = [fixed or (each.type if is_integer_type(each.type) else promoted(each.type)) for each in operands]
        target = last.type.target if stores and isinstance(last.type, Pointer) else UNKNOWN if stores else last.type
        target = target.unqualified
        if UNKNOWN in (*types, target) or not all(is_integer_type(each) for each in (*types, target)):
            if UNKNOWN not in (*types, last.type):
                needed = "two integers, and a pointer to an integer" if stores else "three integers"
                message = f"`{self.text_of(node.callee)}` needs {needed}"
                self.errors.report("type-mismatch", message, node.span)
            return t.Erroneous(node.span)
        numbers = [self._known(each) for each in operands]
        constants = [each for each in numbers if each is not None]
        of_result = ResultType(target.signed, target.bits) if stores else ResultType(*_precision(last))
        if not stores and len(constants) == 2:
            is_exact = of_result.fits(exact_result(SYMBOLS[op], *constants))
            constant = t.Constant(node.span, BOOL, not is_exact)
            return (yield from self._after_effects(node.arguments[2], constant))
        known = [-1 if each is None else each for each in numbers]
        text = overflow(op, of_result, [*zip(types, known, strict=True)], stores)
        if text is None:
            message = "checks of overflow on 128 bits, signed and unsigned, are not supported yet"
            self.errors.report("unsupported", message, node.span)
            return t.Erroneous(node.span)
        arguments = dict(zip("ABP", node.arguments, strict=True))
        if fixed:
            arguments |= {name: _cast(fixed, arguments[name]) for name in "AB"}
        value: t.Expression = yield self._typed_expansion(instantiated(text, node.span, arguments, self.scopes.find))
        return value if stores else (yield from self._after_effects(node.arguments[2], value))

    def _after_effects(self, node: c.Expression, value: t.Expression) -> Computation[t.Expression]:
        """The value, after the evaluation of `node` for its effects, if it has any."""
        if not has_effect(node):
            return value
        effects = yield self.part(node)
        return t.Comma(value.span, value.type, t.Cast(node.span, VOID, effects), value)

    def _examined(self, nodes: Sequence[c.Expression]) -> Computation[list[t.Expression]]:
        """The arguments, for their types. If there are errors in them, they have the type `UNKNOWN`."""
        errors, found = len(self.errors.found), []
        for node in nodes:
            found.append((yield self.unevaluated(node)))
        has_errors = len(self.errors.found) > errors
        return [t.Erroneous(each.span) for each in found] if has_errors else found

    def _known(self, value: t.Expression) -> int | None:
        """The value of an integer constant expression; None if it is none."""
        try:
            return integer_constant(value)
        except NotConstantError:
            return None

    def _division(self, node: c.CallExpression, record: Record) -> Computation[t.Expression]:
        """``div(number, divisor)``: a struct with the quotient and the remainder."""
        if len(node.arguments) != 2:
            return (yield from self.wrong_count(node, 2))
        span, type = node.span, record.named_fields[0].type
        values = yield self.arguments(node.arguments, [type, type])
        names = ("number", "divisor")
        operands = [t.Local(name, type, span, is_constant=False, is_used=True) for name in names]
        result = t.Local("result", record, span, is_constant=False, is_used=True)
        reads = [t.Read(span, type, operand) for operand in operands]
        parts = [
            t.Part(t.Member(span, type, result, field), t.Binary(span, type, op, *reads))
            for field, op in zip(record.named_fields, "/%", strict=True)
        ]
        declared = [t.Declare(operand, value) for operand, value in zip(operands, values, strict=True)]
        self.function.has_objects = True
        items: list[t.Statement] = [t.Declaration(span, [*declared, t.Declare(result, None, parts)])]
        return t.StatementExpression(span, record, items, t.Read(span, record, result))

    def _prefetch(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_prefetch(address, …)``: the arguments are evaluated."""
        values = yield self._evaluated(node.arguments)
        return t.Cast(node.span, VOID, values)

    def _assume_aligned(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_assume_aligned(pointer, alignment, …)``: the pointer, as a ``void *``."""
        value = yield self._evaluated(node.arguments)
        return self.assigned(pointer_to(VOID), value, node)

    def _evaluated(self, nodes: list[c.Expression]) -> Computation[t.Expression]:
        """The value of the first expression, after the evaluation of the others."""
        first, *others = nodes
        value: t.Expression = yield self.part(first)
        for each in others:
            other = yield self.part(each)
            value = value if isinstance(other, t.Constant) else t.Comma(value.span, value.type, other, value)
        return value

    def _object_size(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_object_size(pointer, kind)``: unknown, as for gcc without optimisation."""
        kind = self.constant_integer((yield self.unevaluated(node.arguments[1])), "the second argument")
        return self.constant_number(node, UNSIGNED_LONG, 0 if kind and kind & 2 else (1 << 64) - 1)

    def _classify_type(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_classify_type(value)``: the number of the kind of the type, in gcc's <typeclass.h>."""
        type = promoted((yield self.unevaluated(node.arguments[0])).type)
        if isinstance(type, Complex):
            return self.constant_number(node, INT, 9)
        if isinstance(type, Record):
            return self.constant_number(node, INT, 13 if type.is_union else 12)
        kinds = {"void": 0, "integer": 1, "bool": 1, "pointer": 5, "float": 8}
        return self.constant_number(node, INT, kinds.get(type.kind, -1))

    def _abort(self, node: c.CallExpression) -> t.Expression:
        return t.LibraryCall(node.span, VOID, "abort", [])

    def _infinity(self, node: c.CallExpression) -> t.Expression:
        return self._special(node, math.inf)

    def _not_a_number(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``__builtin_nan("payload")``; a call of the library if the payload is no number that is known.

        ``__builtin_nans`` is the signalling NaN, which has a payload.
        """
        texts = t.texts_within((yield self.unevaluated(node.arguments[0])))
        tag = texts[0].operand.text if len(texts) == 1 and isinstance(texts[0], t.Decay) else "?"
        digits = re.fullmatch("(0[xX](?P<hex>[0-9a-fA-F]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))?", tag)
        name = self.text_of(node.callee).removeprefix("__builtin_")
        is_signalling = name.startswith("nans")
        if digits is None and is_signalling:
            self.errors.report("unsupported", f"`{name}` of an unknown payload is not supported", node.span)
            return t.Erroneous(node.span)
        if digits is None:
            call: t.Expression = yield self.library_call(node, name, LIBRARY[name])
            return call
        bases = {"hex": 16, "oct": 8, "dec": 10}
        payload = next((int(each, bases[base]) for base, each in digits.groupdict().items() if each), 0)
        type = self._floating_type(node)
        if type is LONG_DOUBLE:
            payload &= (1 << 62) - 1
            significand = 2 << 62 | (payload or 1 << 61) if is_signalling else 3 << 62 | payload
            return t.Constant(node.span, type, LongDouble(False, 0x7FFF, significand))
        if is_signalling:
            return t.Constant(node.span, type, not_a_number(payload, is_signalling=True))
        shifted = (payload & (1 << 22) - 1) << 29 if type is FLOAT else payload
        return t.Constant(node.span, type, not_a_number(shifted))

    def _special(self, node: c.CallExpression, value: float) -> t.Expression:
        """The value in the type that the suffix of the function denotes."""
        type = self._floating_type(node)
        return t.Constant(node.span, type, LongDouble.of(value) if type is LONG_DOUBLE else value)

    def _floating_type(self, node: c.CallExpression) -> CType:
        """The type that the suffix of the called function denotes."""
        [suffix] = re.findall("(?:inf|nans?|huge_val)([fl]?)$", self.text_of(node.callee))
        return {"": DOUBLE, "f": FLOAT, "l": LONG_DOUBLE}[suffix]


_OPERANDS: dict[tuple[str, str], CType] = {
    ("s", ""): INT, ("u", ""): UNSIGNED,
    ("s", "l"): LONG, ("u", "l"): UNSIGNED_LONG, ("s", "ll"): LONG_LONG, ("u", "ll"): UNSIGNED_LONG_LONG,
}  # fmt: skip
"""The types of the operands of ``__builtin_saddl_overflow`` and similar functions, by letters in their names."""

_OF_FRAMES = {"return_address", "extract_return_addr", "frob_return_addr"}

_DIVISIONS = {"div": DIV, "ldiv": LDIV, "lldiv": LLDIV, "imaxdiv": LDIV}
"""The library functions that return a quotient and a remainder."""

_CLASSIFICATIONS = {"isinf": "isinf_sign", "fpclassify": "fpclassify_of"}
_CLASSIFICATIONS |= {name: name for name in ("isnan", "isfinite", "isnormal", "signbit", "isunordered", "isgreater")}
_CLASSIFICATIONS |= {name: name for name in ("isgreaterequal", "isless", "islessequal", "islessgreater")}
"""The macros of <math.h>, each with the built-in function that it calls."""

_RULES: dict[str, tuple[int, Callable[[Any, c.CallExpression], Step[t.Expression]]]] = {
    "va_start": (-1, Builtins._va_start),
    "prefetch": (-1, Builtins._prefetch),
    "assume_aligned": (-1, Builtins._assume_aligned),
    "object_size": (2, Builtins._object_size),
    "va_end": (1, Builtins._va_end),
    "va_copy": (2, Builtins._va_copy),
    "expect": (2, Builtins._expect),
    "expect_with_probability": (3, Builtins._expect),
    "constant_p": (1, Builtins._constant_p),
    "choose_expr": (3, Builtins._choose),
    "classify_type": (1, Builtins._classify_type),
    "complex": (2, Builtins.make_complex),
    "shuffle": (-1, Builtins.shuffle),
    "unreachable": (0, Builtins._abort),
    "trap": (0, Builtins._abort),
    **dict.fromkeys(["inf", "inff", "infl", "huge_val", "huge_valf", "huge_vall"], (0, Builtins._infinity)),
    **dict.fromkeys(["nan", "nanf", "nanl", "nans", "nansl"], (1, Builtins._not_a_number)),
}
"""The built-in functions, each with the number of its arguments, or -1 for one or more."""


_OVERFLOW = r"(?P<sign>[su])?(?P<op>add|sub|mul)(?(sign)(?P<length>l{0,2})_overflow|_overflow(_p)?)"

_OF_GRAMMAR = {"va_arg", "offsetof", "types_compatible_p", "convertvector"}


def has_builtin(name: str) -> bool:
    """Whether there is a built-in function of that name: the value of ``__has_builtin(name)``."""
    if name.startswith(("__sync_", "__atomic_")):
        from cpsconv.languages.c.meaning.atomics import atomic  # late: few programs need them

        return atomic(name, False) is not None
    from cpsconv.languages.c.meaning.expansions import EXPANSIONS  # late, too

    short = name.removeprefix("__builtin_")
    if short in LIBRARY:
        return True
    return short != name and (
        short in _RULES or short in EXPANSIONS or short in _OF_GRAMMAR or re.fullmatch(_OVERFLOW, short) is not None
    )


def _cast(type: CType, operand: c.Expression) -> c.Cast:
    """The operand, cast to a type."""
    span = operand.span
    specifiers = c.Specifiers(span, type)
    return c.Cast(span, c.TypeName(span, specifiers, c.Declarator(span, None, [])), operand)


def _precision(value: t.Expression) -> tuple[bool, int]:
    """Whether an integer is signed, and its bits; of a bit-field, before it is promoted."""
    match t.unconverted(value):
        case t.Read(place=t.Member(field=field), type=type) if field.bits is not None:
            return type.signed, field.bits
    return value.type.signed, value.type.bits
