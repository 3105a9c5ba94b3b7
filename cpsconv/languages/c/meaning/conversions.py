"""Implicit conversions (C17 6.3), and conditions: expressions that decide a branch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from cpsconv.core.source import Source, Span, article
from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.call_warnings import CallWarnings
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.meaning.declared_types import DeclaredTypes
from cpsconv.languages.c.meaning.extents import InitialiserLimits
from cpsconv.languages.c.meaning.tree_warnings import TreeWarnings, warn_of_sequence
from cpsconv.languages.c.meaning.value_warnings import ValueWarnings
from cpsconv.languages.c.records import of_one_header
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    TRUTH,
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    OpaqueType,
    Pointer,
    VariableArray,
    array_of,
    element_of,
    is_integer_type,
)
from cpsconv.languages.c.vector_types import Vector, truth_vector

if TYPE_CHECKING:
    from cpsconv.languages.c.meaning.expressions import Expressions

NOWHERE = Span(Source("", ""), 0, 0)


class Conversions:
    """Converts typed expressions, and types conditions.

    The fields are the state of the typing of one function, which `begin` resets. `discarded` is an expression whose
    value is not used; `has_inner_change` states that the current whole expression may need `check_sequence`. Outside of
    functions, `is_file_scope` is set, and `function` is one without a name; in the initialiser of a static object,
    `is_static` is set. `literals` has the objects of the compound literals outside of functions.
    """

    def __init__(self, functions: Declarations, errors: Errors) -> None:
        self.functions = functions
        self.errors = errors
        self.scopes = functions.scopes
        self.types = DeclaredTypes(cast("Expressions", self), self.scopes, errors)
        self.tree = TreeWarnings(errors)
        self.initialiser_limits = InitialiserLimits(errors)
        self.discarded: c.Expression | None = None
        self.has_inner_change = False
        self._is_evaluated = True
        self.is_file_scope = True
        self.is_static = False
        self.function = self._file = t.Function(NOWHERE, "", VOID, [], NOWHERE, [], {}, [])
        self.literals: list[t.Global] = []
        self._pending = Errors()  # its warnings are given only where control can reach them
        self._conditions: dict[type, Callable[[Any], Step[t.Expression]]] = {
            c.Literal: self._constant_condition,
            c.StringLiteral: self._constant_condition,
            c.Unary: self._unary_condition,
            c.Logical: self._logical_condition,
            c.Conditional: self._conditional_condition,
            c.Comma: self._comma_condition,
        }

    def begin(self, function: t.Function) -> None:
        """Begin the typing of a function."""
        self.function = function
        self.is_file_scope = False
        self.scopes.undeclared.clear()
        self.checks = ValueWarnings(self._pending, self.scopes)
        self.call_checks = CallWarnings(self._pending, self.checks)

    def begin_file(self) -> None:
        """Begin the typing of declarations outside of functions."""
        self.begin(self._file)
        self.is_file_scope = True

    def part(self, node: c.Expression) -> Step[t.Expression]:
        """The typed subexpression, or its computation. Defined in `Expressions`."""
        raise NotImplementedError

    def type_named(self, node: Any) -> CType:
        """The type that a type name denotes; `UNKNOWN` if it is erroneous, which is reported."""
        return self.types.named(node)

    def with_lengths(self, value: t.Expression) -> t.Expression:
        """`value` after the computation of the lengths of arrays in the type name that it contains."""
        for length in reversed(self.types.taken_lengths()):
            value = t.Comma(value.span, value.type, length, value)
        return value

    # ------------------------------------------------------------------------------------------------------- values

    def data(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, if it is a number or truth value; else erroneous, which is reported."""
        kind = value.type.kind
        if kind == "pointer" or (kind == "void" and not isinstance(value.type, Complex)):
            return self._unsuitable(value, node, "a number")
        return value

    def scalar(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, if it is a number, truth value or pointer; else erroneous, and reported."""
        is_suitable = value.type.kind != "void" or isinstance(value.type, Complex)
        return value if is_suitable else self._unsuitable(value, node, "a number or pointer")

    def _unsuitable(self, value: t.Expression, node: c.Expression, wanted: str) -> t.Expression:
        if not self.is_supported(value.type, node.span):
            pass
        elif value.type is VOID:
            self.errors.report("void", "expected a value, but this expression is `void`", node.span)
        elif value.type is not UNKNOWN:
            self.errors.report("type-mismatch", f"expected {wanted}, but this is {with_article(value.type)}", node.span)
        else:
            return value
        return t.Erroneous(node.span, value)

    def is_supported(self, type: CType, span: Span) -> bool:
        """Whether there are values of the type; reported otherwise."""
        if isinstance(type, OpaqueType):
            self.errors.report("unsupported", f"values of type `{type.unqualified}` are not supported yet", span)
        return not isinstance(type, OpaqueType)

    # -------------------------------------------------------------------------------------------------- conversions

    def converted(self, type: CType, value: t.Expression) -> t.Expression:
        """A number or truth value, or an erroneous expression, converted to an arithmetic or complex type."""
        given = value.type
        if given is type or (given is TRUTH and type is BOOL):
            return value
        if isinstance(given, Complex) or isinstance(type, Complex):
            return self.folded(t.ComplexConversion(value.span, type, value))
        return t.Convert(value.span, type, value)

    def cast_of_vector(self, type: CType, operand: t.Expression, node: c.Expression) -> t.Expression:
        """The bytes of a vector as another one of the same size. Defined in `Vectors`."""
        raise NotImplementedError

    def folded(self, value: t.Expression) -> t.Expression:
        """The value of an operation on complex literals; other operations stay. Defined in `ComplexNumbers`."""
        raise NotImplementedError

    def assigned(self, type: CType, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, converted as if by assignment to an object of that type."""
        given, type = value.type, type.unqualified
        if given is type or (given is TRUTH and type is BOOL):
            return value
        if isinstance(given, Arithmetic) and isinstance(type, Arithmetic):
            self.checks.conversion(type, node, value)
            return self.with_warnings(t.Convert(node.span, type, value))
        return self._assigned_pointer(type, value, node)

    def _assigned_pointer(self, type: CType, value: t.Expression, node: c.Expression) -> t.Expression:
        """As `assigned`, if one of the types is not arithmetic."""
        given = value.type
        if type is UNKNOWN or given is UNKNOWN or not self.is_supported(type, node.span):
            return t.Convert(node.span, type, t.Erroneous(node.span, value))
        if is_number(type) and is_number(given):  # one of them is complex
            return self.converted(type, value)
        if isinstance(type, Pointer) and is_null(value):
            return t.Constant(node.span, type, 0)
        if isinstance(type, Pointer) and isinstance(given, Pointer):
            self._check_targets(type, given, node)
        elif isinstance(given, Pointer) and type is BOOL:
            self.check_never_null(value, "true", node.span)
            if is_string(value):  # a pointer that is never null
                return t.Comma(node.span, BOOL, value, t.Literal(node.span, BOOL, True))
        elif is_integer(type) and is_integer(given):  # one of them is a pointer
            what = "a pointer becomes" if isinstance(given, Pointer) else "an integer becomes"
            help = advice(type, value, node.span)
            self.errors.warn("int-conversion", f"{what} {with_article(type)} without a cast", node.span, help=help)
        elif given is VOID:
            return t.Convert(node.span, type, self._unsuitable(value, node, "a value"))
        elif isinstance(type, Vector) and given is truth_vector(type) and is_integer_type(type.element):
            return self.cast_of_vector(type, value, node)  # the result of a comparison, for unsigned elements
        else:
            message = f"expected {with_article(type)}, but this is {with_article(given)}"
            self.errors.report("type-mismatch", message, t.origin(value).span, help=_omission(type, value, node.span))
            return t.Convert(node.span, type, t.Erroneous(node.span, value))
        return t.Convert(node.span, type, value)

    def _check_targets(self, type: Pointer, given: Pointer, node: c.Expression) -> None:
        """Warn of the conversion of a pointer to a type to which C does not convert it without a cast."""
        wanted, target = type.target, given.target
        plain, given_plain = _unqualified(wanted), _unqualified(target)
        if are_compatible(plain, given_plain) or VOID in (plain, given_plain) or of_one_header(plain, given_plain):
            lost = sorted(element_of(target).qualifiers - element_of(wanted).qualifiers)
            if lost:
                message = f"the conversion from `{given}` to `{type}` discards {' and '.join(f'`{q}`' for q in lost)}"
                self.errors.warn("discarded-qualifiers", message, node.span)
        elif _differ_in_sign(wanted, target):
            message = f"`{given}` becomes `{type}`: the signedness of what they point to differs"
            self.errors.warn("pointer-sign", message, node.span)
        else:
            message = f"expected `{type}`, but this is `{given}`, a pointer to another type"
            self.errors.warn("incompatible-pointer-types", message, node.span)

    def as_condition(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, as the condition that it is not zero."""
        return self.assigned(BOOL, self.scalar(value, node), node)

    def check_never_null(self, value: t.Expression, outcome: str, span: Span) -> None:
        """Warn of a comparison with null, which always has that outcome, if the value is the address of a variable."""
        if named := _addressed(value):
            message = f"the address of `{named.name.rpartition('.')[2]}` is never null: this is always {outcome}"
            help = "add `()` to call the function" if isinstance(named, t.Function) else None
            self.errors.warn("address", message, span, help=help)

    def with_warnings(self, value: t.Expression) -> t.Expression:
        """`value` with the warnings that `checks` has just found. Those about static objects are given at once."""
        found = self._pending.warnings
        if not found:
            return value
        self._pending.warnings = []
        if self.is_static:
            self.errors.warnings += found
            return value
        return t.Warned(value.span, value.type, value, found)

    # --------------------------------------------------------------------------------------------------- conditions

    def condition(self, node: c.Expression) -> Step[t.Expression]:
        """The condition that the expression is not zero, or its computation."""
        return self._conditions.get(type(node), self._value_condition)(node)

    def whole_condition(self, node: c.Expression) -> t.Expression:
        """The condition that a whole expression is not zero."""
        if type(node) in self._conditions:
            condition: t.Expression = run(self.condition(node))
        else:  # the frequent case: one value decides
            condition = self.as_condition(run(self.part(node)), node)
        if self.has_inner_change:
            self.check_sequence(node)
        return self.with_warnings(condition) if self._pending.warnings else condition

    def check_sequence(self, node: c.Expression) -> None:
        """Check a whole expression in which an operand changes a variable."""
        self.has_inner_change = False
        warn_of_sequence(node, self.errors)

    def _value_condition(self, node: c.Expression) -> Computation[t.Expression]:
        return self.as_condition((yield self.part(node)), node)

    def _constant_condition(self, node: c.Literal | c.StringLiteral) -> t.Expression:
        return t.Literal(node.span, BOOL, isinstance(node, c.StringLiteral) or bool(node.value))

    def _unary_condition(self, node: c.Unary) -> Step[t.Expression]:
        return self._negation(node) if node.op == "!" else self._value_condition(node)

    def _negation(self, node: c.Unary) -> Computation[t.Expression]:
        return t.Unary(node.span, TRUTH, "!", (yield self.condition(node.operand)))

    def _logical_condition(self, node: c.Logical) -> Computation[t.Expression]:
        self.tree.logical(node)
        left, right = (yield self.condition(node.left)), (yield self.condition(node.right))
        self.checks.logical(node, left, right)
        return self.with_warnings(t.Logical(node.span, TRUTH, node.op, left, right))

    def _conditional_condition(self, node: c.Conditional) -> Computation[t.Expression]:
        if node.then is None:
            return self.as_condition((yield self.part(node)), node)
        self.tree.condition(node.condition)
        condition = yield self.condition(node.condition)
        then, otherwise = (yield self.condition(node.then)), (yield self.condition(node.otherwise))
        return t.Conditional(node.span, TRUTH, condition, then, otherwise)

    def _comma_condition(self, node: c.Comma) -> Computation[t.Expression]:
        self.tree.unused(node.left, "the left operand of `,`")
        left, right = (yield self.part(node.left)), (yield self.condition(node.right))
        return t.Comma(node.span, TRUTH, left, right)


def _unqualified(type: CType) -> CType:
    """The type without qualifiers, also those of the elements of an array, as in GNU C."""
    if not isinstance(type, Array):
        return type.unqualified  # type: ignore[no-any-return]
    element = _unqualified(type.element)
    return VariableArray(element, type.count) if isinstance(type, VariableArray) else array_of(element, type.length)


def is_number(type: CType) -> bool:
    """Whether the type is an arithmetic type in the sense of C: real or complex."""
    return isinstance(type, (Arithmetic, Complex))


def is_integer(type: CType) -> bool:
    """Whether the type is an integer type, `_Bool` or a pointer type: C converts these to each other."""
    return type.kind in ("integer", "bool", "pointer")


def is_null(value: t.Expression) -> bool:
    """Whether the value is a null pointer constant: the integer 0, or 0 converted to ``void *`` (C17 6.3.2.3)."""
    type = value.type
    if isinstance(type, Pointer):
        if type.target is not VOID:
            return False
        if isinstance(value, t.Constant):
            return value.value == 0
        return isinstance(value, t.Cast) and value.operand.type.kind == "integer" and is_null(value.operand)
    if isinstance(value, t.Constant):
        return value.value == 0 and type.kind == "integer"
    if isinstance(value, t.Cast) and type.kind == "integer":
        return is_null(value.operand)
    return False


def advice(type: CType, value: t.Expression, span: Span) -> str:
    """The help for a pointer in place of an integer, or the reverse: what was forgotten, or else a cast."""
    return _omission(type, value, span) or "write a cast if this is meant"


def _omission(type: CType, value: t.Expression, span: Span) -> str | None:
    """The help if `type` is that of a simple change of the expression with that `value` and `span`."""
    written = span.source.text[span.start : span.end]
    operand = written if _OPERAND.fullmatch(written) else f"({written})"
    match value:
        case t.Decay(operand=t.String(text=text)) if is_number(type):
            if type.size == 1 and len(text) == 1 and written[:1] == written[-1:] == '"' and "'" not in written:
                return f"a character is written in single quotes: `'{written[1:-1]}'`"
            return "a string literal is a `char *`, not a number"
        case t.AddressOf(place=place) if _fits(type, place.type) and written.startswith("&"):
            return f"did you mean `{written[1:].strip()}`, without `&`?"
        case t.FunctionAddress() if isinstance(value.type, Pointer) and isinstance(value.type.target, FunctionType):
            is_call = written.isidentifier() and _fits(type, value.type.target.result)
            return f"did you mean a call, `{written}(…)`?" if is_call else None
        case t.Decay() if isinstance(value.type, Pointer) and _fits(type, value.type.target):
            return f"did you mean an element, such as `{operand}[0]`?"
        case t.Read() if isinstance(value.type, Pointer) and _fits(type, value.type.target):
            return f"did you mean `*{operand}`?"
        case t.Read() if isinstance(type, Pointer) and type.target.unqualified is value.type.unqualified:
            return f"did you mean `&{operand}`?"
    if written[:1] == written[-1:] == "'" and isinstance(type, Pointer) and type.target.size == 1:
        return f'a string is written in double quotes: `"{written[1:-1]}"`' if '"' not in written else None
    return None


_OPERAND = re.compile(r"\w+(?:(?:\.|->)\w+|\[\w*\])*")
"""Text that stays one operand after a further operator."""


def _fits(type: CType, given: CType) -> bool:
    """Whether a value of the type `given` is converted to `type` without a warning."""
    given = given.unqualified
    return given is type.unqualified or (isinstance(given, Arithmetic) and isinstance(type, Arithmetic))


def is_string(value: t.Expression) -> bool:
    """Whether the value is a string literal."""
    return isinstance(value, t.Decay) and isinstance(value.operand, t.String)


def _addressed(value: t.Expression) -> t.Local | t.Global | t.Function | None:
    """The variable or function that the value points to, if its address is not null."""
    match t.unconverted(value):
        case t.FunctionAddress(function=t.Function(is_weak=False) as function):
            return function
        case t.AddressOf(place=place) | t.Decay(operand=place):
            match t.root_of(place):
                case t.Local() | t.Global(is_weak=False) as variable:
                    return variable
    return None


def _differ_in_sign(one: CType, other: CType) -> bool:
    """Whether both are integer types of the same size."""
    return one.kind == other.kind == "integer" and one.size == other.size


def with_article(type: CType) -> str:
    """The type for a message: ``a `struct point` ``."""
    return f"{article(type)} `{type}`"
