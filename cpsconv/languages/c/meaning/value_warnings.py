"""Warnings of operations and conversions that need the types of operands, or the values of constant expressions."""

from __future__ import annotations

from cpsconv.core.floating import Real
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.source import Span, article, counted
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import PREFIX_OPERATIONS
from cpsconv.languages.c.meaning.scopes import Scopes
from cpsconv.languages.c.meaning.tree_warnings import COMPARISONS, ORDERINGS, is_parenthesised, is_same
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.tree import Expression
from cpsconv.languages.c.types import (
    BOOL,
    UNKNOWN,
    Array,
    CType,
    Enum,
    Pointer,
    converted_number,
    element_of,
    exact_result,
    is_floating_type,
    is_integer_type,
    is_truth_value,
    limits,
    wrapped,
)


class ValueWarnings:
    """The warnings in the code of one function, and the values of its constant expressions, as literals."""

    def __init__(self, errors: Errors, scopes: Scopes) -> None:
        self._warn = errors.warn
        self._scopes = scopes
        self._constants: dict[Expression, c.Literal] = {}
        self._variables: dict[t.Local, c.Literal] = {}  # `const` variables with constant initialisers
        self._measured: dict[c.SizeOf, CType] = {}  # the types whose sizes are taken

    def constant(self, node: Expression) -> c.Constant | None:
        """The value of a visited constant expression of literals, arithmetic, casts and `sizeof`; None for others."""
        return node if isinstance(node, c.Constant) else self._constants.get(node)

    def record(self, node: Expression, type: CType, value: Real) -> None:
        """Record the value of a constant expression."""
        self._constants[node] = c.Literal(node.span, type, value)

    def cast(self, node: c.Cast, type: CType) -> None:
        """Record the value of a cast of a constant expression to a type."""
        operand = self.constant(node.operand)
        if operand and (value := converted_number(type.program, operand.value)) is not None:
            self.record(node, type, value)

    def initialisation(self, variable: t.Local, node: Expression) -> None:
        """Record the value of a `const` variable, if its initialiser is a constant expression or such a variable."""
        initial = self.constant_or_variable(node)
        if initial and (value := converted_number(variable.type.program, initial.value)) is not None:
            self._variables[variable] = c.Literal(node.span, variable.type, value)

    def measure(self, node: c.SizeOf, type: CType) -> None:
        """Record the type of the operand of a `sizeof`."""
        self._measured[node] = type

    def measured(self, node: c.SizeOf) -> CType | None:
        """The type whose size `node` is, unless it is that of a parameter declared as an array, which is reported."""
        return self._measured.get(node)

    def constant_or_variable(self, node: Expression) -> c.Constant | None:
        """The value of a constant expression, or of a `const` variable with a constant initialiser."""
        if isinstance(node, c.Name):
            variable = self._scopes.find(node.name)
            return self._variables.get(variable) if variable else None
        return self.constant(node)

    def operation(self, node: c.Binary, left: c.Expression, right: c.Expression, common: CType) -> None:
        """Check an operation on operands with the values `left` and `right`. `left` is converted to `common`."""
        op, nodes = node.op, (node.left, node.right)
        if op in COMPARISONS:
            kinds = type(nodes[0]), type(nodes[1])
            if (
                left.type is right.type is common
                and common.signed
                and kinds[0] is not kinds[1]
                and c.Binary not in kinds
            ):
                return  # the frequent case
            self._comparison(node, left, right, common)
        elif op == "/" and isinstance(nodes[0], c.SizeOf) and isinstance(nodes[1], c.SizeOf):
            self._quotient_of_sizes(nodes[0], nodes[1], node)
        elif op not in SILENT_ON_VARIABLES or type(nodes[0]) is c.Literal or nodes[0] in self._constants:
            constant = self.constant(nodes[1])
            if constant and is_integer_type(constant.type):
                self._constant_operand(op, nodes[0], int(constant.value), common, node)
            elif op == "<<" and common.signed and (shifted := self.constant(nodes[0])) and shifted.value < 0:
                self._warn("shift-negative-value", _NEGATIVE_SHIFT, node.span)

    # --------------------------------------------------------------------------------------------------- constants

    def _constant_operand(self, op: str, left_node: Expression, right: int, type: CType, node: Expression) -> None:
        """Check an operation with a constant second operand."""
        constant = self.constant(left_node)
        kind = OPERATIONS[op].kind
        if kind == "division" and right == 0:
            self._warn("div-by-zero", "division by zero", node.span)
        elif kind == "shift" and not 0 <= right < type.bits:
            group = "shift-count-negative" if right < 0 else "shift-count-overflow"
            message = f"a shift of `{type}` by {right}: the count must be between 0 and {type.bits - 1}"
            self._warn(group, message, node.span)
        elif constant and is_integer_type(type):
            left = wrapped(type, int(constant.value))
            if op == "<<" and type.signed:
                self._constant_shift(left, right, type, node)
            else:
                self._exact(exact_result(op, left, wrapped(type, right)), type, node)

    def _constant_shift(self, left: int, right: int, type: CType, node: Expression) -> None:
        """Record the value of ``left << right``, and check that no bits are lost."""
        result = left << right
        if left < 0:
            self._warn("shift-negative-value", _NEGATIVE_SHIFT, node.span)
        elif result.bit_length() > type.bits:
            self._warn("shift-overflow", f"the result, {result}, does not fit in `{type}`", node.span)
        self.record(node, type, wrapped(type, result))

    def unary(self, node: c.Unary, type: CType) -> None:
        """Check ``-``, ``~`` or ``+`` of a constant, promoted to `type`."""
        operand = self.constant(node.operand)
        if operand and not isinstance(operand.value, int):
            self.record(node, type, -operand.value if node.op == "-" else operand.value)
        elif operand:
            value = int(operand.value)
            exact = value if node.op == "+" else exact_result(PREFIX_OPERATIONS[node.op], value)
            self._exact(exact, type, node)

    def _exact(self, exact: int, type: CType, node: Expression) -> None:
        """Record the value of a constant expression, and check that it fits in its type."""
        result = wrapped(type, exact)
        self.record(node, type, result)
        if type.signed and result != exact:
            message = f"this constant overflows: {exact} does not fit in `{type}`"
            self._warn("overflow", message, node.span, help=f"the result is {result}")

    def conversion(self, type: CType, node: Expression, value: c.Expression) -> None:
        """Check the implicit conversion of `value` to a type. A change of the sign alone is no mistake."""
        constant = self.constant(node)
        if type is BOOL and isinstance(value, c.Binary) and not constant:
            self._truth(value)
        if isinstance(type, Enum) and (given := self._enumeration(node, value.type)) not in (None, type):
            self._warn("enum-conversion", f"a value of `{given}` is converted to `{type}`", node.span)
        if constant is None or not is_integer_type(type) or isinstance(constant.value, bool):
            return
        lowest, highest = limits(type)
        if (
            not is_integer_type(constant.type)
            and lowest < constant.value < highest
            and constant.value != int(constant.value)
        ):
            message = f"the conversion to `{type}` changes {constant.value} to {int(constant.value)}"
            self._warn("literal-conversion", message, node.span)
        if is_integer_type(constant.type):
            if constant.type.bits <= type.bits:
                return
            lowest, highest = -(1 << (type.bits - 1)), (1 << type.bits) - 1
        if not lowest - 1 < constant.value < highest + 1:
            self._warn("overflow", f"the constant {constant.value} does not fit in `{type}`", node.span)

    def _enumeration(self, node: Expression, type: CType) -> CType | None:
        """The enumeration of an expression of a type: that of the constant that it names, or its type."""
        named = self._scopes.find(node.name) if isinstance(node, c.Name) else None
        if isinstance(named, t.Enumerator):
            return named.enumeration
        return type if isinstance(type, Enum) else None

    def bit_field(self, bits: int, type: CType, node: Expression) -> None:
        """Check the assignment to a bit-field of a type, which `conversion` checks, too."""
        constant = self.constant(node)
        if constant is None or not is_integer_type(type):
            return
        fits, fits_in_type = (
            -(1 << (width - 1)) - 1 < constant.value < 1 << width
            for width in (bits, max(type.bits, constant.type.bits))
        )
        if fits_in_type and not fits:
            message = f"the constant {constant.value} does not fit in a bit-field of {counted(bits, 'bit')}"
            self._warn("overflow", message, node.span)

    def _quotient_of_sizes(self, whole: c.SizeOf, part: c.SizeOf, node: Expression) -> None:
        """Check a quotient that looks like the length of an array."""
        type, divisor = self._measured.get(whole, UNKNOWN), self._measured.get(part, UNKNOWN)
        if isinstance(type, Pointer) and type.target.unqualified is divisor.unqualified:
            message = f"the size of a pointer, `{type}`, is divided: the length of an array is not known from a pointer"
            self._warn("sizeof-pointer-div", message, node.span)
        elif isinstance(type, Array) and divisor is not UNKNOWN and node.span.source.text[part.span.start] != "(":
            sizes = {type.element.size, element_of(type).size}
            if divisor.size not in sizes:
                message = f"this is not the length of the array: its elements have the type `{type.element}`"
                self._warn("sizeof-array-div", message, node.span, help="divide by the size of an element")

    def _truth(self, value: c.Binary) -> None:
        """Check an operation that is converted to a truth value, mostly as a condition."""
        if value.op in _MEANT and (value.op == "*" or value.type.signed):
            message, help = f"`{value.op}` as a truth value", f"did you mean `{_MEANT[value.op]}`?"
            self._warn("int-in-bool-context", message, value.span, help=help)

    # ------------------------------------------------------------------------------------------------- comparisons

    def _comparison(self, node: c.Binary, left: c.Expression, right: c.Expression, common: CType) -> None:
        op, left_node, right_node = node.op, node.left, node.right
        one, other = self._enumeration(left_node, left.type), self._enumeration(right_node, right.type)
        if one and other and one is not other:
            self._warn("enum-compare", f"a comparison of values of `{one}` and `{other}`", node.span)
        constant = self.constant(right_node)
        if constant:
            self._with_constant(op, left_node, left.type, constant, common, node)
        elif constant := self.constant(left_node):
            self._with_constant(OPERATIONS[op].mirror or op, right_node, right.type, constant, common, node)
        elif type(left_node) is type(right_node) and not is_floating_type(common) and is_same(left_node, right_node):
            message = f"a comparison of an expression with itself is always {_truth(op, 0, 0)}"
            self._warn("tautological-compare", message, node.span)
        self._masked(node, common)
        if left.type is right.type or common.kind != "integer" or common.signed:
            return
        if op in ORDERINGS or not (constant and _equals_no_negative(constant, common)):
            for operand, value in (left_node, left), (right_node, right):
                self._signedness("a comparison", operand, value, common, node)

    def _with_constant(
        self, op: str, other_node: Expression, type: CType, constant: c.Constant, common: CType, node: Expression
    ) -> None:
        """Check a comparison of a value with a constant."""
        if not is_integer_type(constant.type):
            return
        value = int(constant.value)
        if is_truth_value(type):
            outcomes = {_truth(op, truth, value) for truth in (0, 1)}
            is_comparison = isinstance(other_node, c.Binary) and other_node.op in COMPARISONS
            is_chain = is_comparison and not is_parenthesised(other_node)  # reported by `-Wparentheses`
            if len(outcomes) == 1 and not is_chain:
                message = f"a comparison of a truth value, 0 or 1, with {value} is always {outcomes.pop()}"
                self._warn("bool-compare", message, node.span)
        elif is_integer_type(type) and (value or not isinstance(type, Enum)):  # its sign may vary
            outcome = _constant_outcome(op, type, wrapped(common, value)) if common.signed or not type.signed else None
            if outcome:
                lowest, highest = limits(type)
                message = (
                    f"{article(type)} `{type}` is between {lowest} and {highest}: this comparison is always {outcome}"
                )
                self._warn("type-limits", message, node.span)

    def _masked(self, node: c.Binary, common: CType) -> None:
        """Check ``(a & 4) == 8`` and ``(a | 4) == 8``, with the operands in any order."""
        op = node.op
        for masked, other in (node.left, node.right), (node.right, node.left):
            constant = self.constant(other)
            if constant is None or not isinstance(masked, c.Binary) or masked.op not in ("&", "|") or op in ORDERINGS:
                continue
            operands = map(c.written, (masked.left, masked.right))
            literals = [literal for each in operands if (literal := self.constant(each))]
            if len(literals) != 1 or not is_integer_type(common):
                continue
            mask, value = (wrapped(common, int(each.value)) for each in (literals[0], constant))
            if value & ~mask if masked.op == "&" else mask & ~value:
                outcome = _truth(op, 0, 1)
                message = f"the result of `{masked.op} {literals[0].value}` is never {value}: this is always {outcome}"
                self._warn("tautological-compare", message, node.span)

    def logical(self, node: c.Logical, left: c.Expression, right: c.Expression) -> None:
        """Check two comparisons of a value with constants, as in ``a != 1 || a != 2``."""
        first, second = self._test(node.left, left), self._test(node.right, right)
        if first is None or second is None or not is_same(first[1], second[1]):
            return
        samples = {each[2] + distance for each in (first, second) for distance in (-1, 0, 1)}
        results = {
            tuple(bool(exact_result(op, sample, value)) for op, _, value in (first, second)) for sample in samples
        }
        outcomes = {any(each) if node.op == "||" else all(each) for each in results}
        if outcomes == {node.op == "||"}:
            help = f"did you mean `{'&&' if node.op == '||' else '||'}`?"
            never, always = "these comparisons are never both true", "one of these comparisons is always true"
            message = always if node.op == "||" else never
            self._warn("tautological-compare", message, node.span, help=help)

    def _test(self, node: Expression, value: c.Expression) -> tuple[str, Expression, int] | None:
        """A comparison of an integer variable or another value with a constant: operator, value and constant."""
        value = t.origin(value)
        if not isinstance(node, c.Binary) or node.op not in COMPARISONS or not isinstance(value, c.Binary):
            return None
        if not is_integer_type(value.left.type):
            return None
        left, right = c.written(node.left), c.written(node.right)
        if constant := self.constant(right):
            return node.op, left, wrapped(value.left.type, int(constant.value))
        if constant := self.constant(left):
            return OPERATIONS[node.op].mirror or node.op, right, wrapped(value.left.type, int(constant.value))
        return None

    def _signedness(self, what: str, operand: Expression, value: c.Expression, common: CType, node: Expression) -> None:
        """Warn if a signed operand is converted to the unsigned type `common`, and its value may be negative."""
        type, constant = value.type, self.constant(operand)
        if constant and constant.value < 0:
            message = f"{constant.value} is converted to `{common}`, where it is {wrapped(common, int(constant.value))}"
            self._warn("sign-compare", message, node.span)
        elif not constant and is_integer_type(type) and type.signed and not self._is_never_negative(value):
            message = f"{what} of signed and unsigned numbers: a negative `{type}` becomes a large `{common}`"
            self._warn("sign-compare", message, node.span)

    def _is_never_negative(self, value: c.Expression) -> bool:
        """Whether an expression of a signed type cannot be negative, by its operations, types and constants."""
        return run(self._never_negative(value))

    def _never_negative(self, value: c.Expression) -> Computation[bool]:
        match value:
            case c.Constant(value=number):
                return number >= 0
            case c.Read(operand=c.Name(denoted=variable)) if found := self._variables.get(variable):
                return found.value >= 0
            case c.CallExpression(operation="abs"):
                return True
            case c.Convert(operand=operand):
                if _unsigned_bits(value) is None and operand.type.bits <= value.type.bits:
                    return bool((yield self._never_negative(operand)))
            case c.Comma(right=operand) | c.Assign(new=None, value=operand) | c.Warned(operand=operand):
                return bool((yield self._never_negative(operand)))
            case c.Binary(op="%" | ">>", left=operand):
                return bool((yield self._never_negative(operand)))
            case c.Binary(op="&", left=one, right=other):
                return bool((yield self._never_negative(one)) or (yield self._never_negative(other)))
            case (
                c.Conditional(then=c.Expression() as one, otherwise=other)
                | c.Binary(op="|" | "^" | "/", left=one, right=other)
            ):
                return bool((yield self._never_negative(one)) and (yield self._never_negative(other)))
        bits = _unsigned_bits(value)
        return bits is not None and bits < value.type.bits

    def choice(self, first: c.Expression, second: c.Expression, common: CType, node: c.Conditional) -> None:
        """Check the types of both arms of ``?:``, which are converted to `common`."""
        if first.type is not second.type and common.kind == "integer" and not common.signed:
            self._signedness("a `?:`", node.then or node.condition, first, common, node)
            self._signedness("a `?:`", node.otherwise, second, common, node)

    # ------------------------------------------------------------------------------------------------------- others

    def negated_operand(self, node: c.Binary, left: c.Expression, right: c.Expression) -> None:
        """Check ``!a == b`` and ``!a & b``, unless `a` or `b` is a truth value."""
        op, operand = node.op, node.left
        is_negation = isinstance(operand, c.Unary) and operand.span.source.text[operand.span.start] == "!"
        is_truth = is_truth_value(right.type) or (isinstance(left, c.Unary) and is_truth_value(left.operand.type))
        if not is_negation or is_truth or op not in _AFTER_NOT:
            return
        message = f"`!` applies to the left operand of `{op}` only"
        if op not in COMPARISONS:
            self._warn("parentheses", message, node.span, help=f"did you mean `{op * 2}`, `~` or `!(…)`?")
        elif not (isinstance(node.right, c.Literal) and node.right.value == 0):
            self._warn("logical-not-parentheses", message, node.span, help="add parentheses: `!(…)` or `(!…)`")

    def absolute(self, name: str, parameter: CType, given: CType, span: Span) -> None:
        """Check the type of the argument of ``abs`` or a similar function."""
        if is_integer_type(given) and is_integer_type(parameter) and not given.signed and given.bits >= parameter.bits:
            self._warn("absolute-value", f"the absolute value of `{given}` is the number itself", span)
        elif given.kind in ("integer", "float") and (given.kind != parameter.kind or given.bits > parameter.bits):
            cure = "fabs" if is_floating_type(given) else "labs" if given.bits > 32 else "abs"
            self._warn("absolute-value", f"`{name}` takes `{parameter}`, not `{given}`", span, help=f"use `{cure}`")


SILENT_ON_VARIABLES = frozenset("+-*&|^")
"""The operators that give no warning unless both operands are constant."""

_NEGATIVE_SHIFT = "a shift of a negative number to the left"

_MEANT = {"*": "&&", "<<": "<"}

_AFTER_NOT = COMPARISONS | {"&", "|"}


def _equals_no_negative(constant: c.Constant, common: CType) -> bool:
    """Whether no negative number, converted to the unsigned type `common`, equals the unsigned constant."""
    return not constant.type.signed and int(constant.value) < 1 << (common.bits - 1)


def _unsigned_bits(value: c.Expression) -> int | None:
    """The number of bits of a truth value, a converted unsigned number, or a sum or product of two of them."""
    match value:
        case c.Convert(operand=c.Implicit(type=type, operand=c.Member(field=field))) if field.bits and not type.signed:
            return int(field.bits)
        case c.Convert(operand=operand) if is_truth_value(operand.type) or not operand.type.signed:
            return operand.type.bits
        case c.Binary(op="+" | "*" as op, left=c.Convert() as one, right=c.Convert() as other):
            first, second = _unsigned_bits(one), _unsigned_bits(other)
            if first and second:
                return max(first, second) + 1 if op == "+" else first + second
    return 1 if is_truth_value(value.type) else None


def _truth(op: str, left: int, right: int) -> str:
    return "true" if exact_result(op, left, right) else "false"


def _constant_outcome(op: str, type: CType, value: int) -> str | None:
    """The outcome of the comparison of any number of the type with `value`, if it is the same for all.

    A comparison of a wide type with one of its limits may be meant, except for ``< 0`` and ``>= 0``.
    """
    lowest, highest = limits(type)
    if lowest <= value <= highest and (op not in ORDERINGS or (type.bits >= 32 and not value == lowest == 0)):
        return None
    if op not in ORDERINGS:
        return "false" if op == "==" else "true"
    outcomes = {_truth(op, number, value) for number in (lowest, highest)}
    return outcomes.pop() if len(outcomes) == 1 else None
