"""The controlling expressions of ``#if`` and ``#elif`` (C17 6.10.1): integer constant expressions of 64 bits."""

from __future__ import annotations

from cpsconv.languages.c.preprocessor.macros import MacroError
from cpsconv.languages.c.preprocessor.tokens import Token
from cpsconv.languages.c.syntax.literals import LiteralError, is_name, parse_character, parse_number
from cpsconv.languages.c.types import exact_result, is_comparison

_Value = tuple[int, bool, MacroError | None]
"""A number of 64 bits, whether it is unsigned, and the error of an operand that has no value, if it is evaluated."""


_LEVELS = ("(", ",", "? :", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS, -1) for operator in operators.split()}
_UNARY = 12
_MASK = (1 << 64) - 1


def holds(tokens: list[Token], directive: Token) -> bool:
    """Whether the expression, whose macros are expanded, is not zero. Raises `MacroError` if it is malformed."""
    number, _, fault = _Evaluation(tokens, directive).value()
    if fault:
        raise fault
    return number != 0


class _Evaluation:
    """The evaluation of one expression, with explicit stacks of values and of operators that wait for operands."""

    def __init__(self, tokens: list[Token], directive: Token) -> None:
        self._tokens = tokens
        self._values: list[_Value] = []
        self._operators: list[tuple[str, Token]] = []
        self._directive = directive

    def value(self) -> _Value:
        """The value of the whole expression."""
        if not self._tokens:
            raise MacroError(f"`#{self._directive.text}` has no expression", self._directive)
        expects_operand = True
        for token in self._tokens:
            expects_operand = self._operand(token) if expects_operand else self._operator(token)
        if expects_operand:
            raise MacroError("the expression ends where an operand is expected", self._tokens[-1])
        self._reduce(-1)
        if self._operators:
            raise MacroError("this `(` has no `)`", self._operators[-1][1])
        return self._values[0]

    def _operand(self, token: Token) -> bool:
        """Process a token where an operand is expected. Returns whether one is still expected."""
        text = token.text
        if text in ("+", "-", "!", "~"):
            self._operators.append((f"unary {text}", token))
        elif text == "(":
            self._operators.append(("(", token))
        else:
            self._values.append(_constant(token))
            return False
        return True

    def _operator(self, token: Token) -> bool:
        """Process a token where an operator is expected. Returns whether an operand is expected next."""
        text = token.text
        if text == ")":
            self._reduce(-1)
            if not self._operators:
                raise MacroError("this `)` has no `(`", token)
            self._operators.pop()
            return False
        precedence = _PRECEDENCE.get(text)
        if precedence is None or text == "(":
            raise MacroError(f"`{text}` cannot follow an operand in the expression of `#if`", token)
        if text == "?":
            self._reduce(precedence)  # right associative
        elif text == ",":
            self._reduce_group()
        elif text == ":":
            self._reduce_group()
            if not self._operators or self._operators[-1][0] != "?":
                raise MacroError("this `:` has no `?`", token)
            self._operators.pop()
            text = "?:"
        else:
            self._reduce(precedence - 1)
        self._operators.append((text, token))
        return True

    def _reduce(self, precedence: int) -> None:
        """Apply the operators on the stack that bind more tightly than `precedence`."""
        while self._operators:
            operator, token = self._operators[-1]
            binding = _UNARY if operator.startswith("unary") else 1 if operator == "?:" else _PRECEDENCE[operator]
            if operator == "?" and precedence < 1:
                raise MacroError("this `?` has no `:`", token)
            if binding <= precedence or operator == "(":
                return
            self._operators.pop()
            self._apply(operator, token)

    def _reduce_group(self) -> None:
        """Apply the operators on the stack up to the innermost ``?`` or parenthesis."""
        while self._operators and self._operators[-1][0] not in ("?", "("):
            self._apply(*self._operators.pop())

    def _apply(self, operator: str, token: Token) -> None:
        right = self._values.pop()
        if operator.startswith("unary"):
            self._values.append(_unary(operator[-1], right))
            return
        left = self._values.pop()
        if operator == "?:":
            condition, _, fault = self._values.pop()
            number, _, chosen_fault = left if condition else right
            self._values.append(_value(number, left[1] or right[1], fault or chosen_fault))
        else:
            self._values.append(_binary(operator, left, right, token))


def _constant(token: Token) -> _Value:
    """The value of a number, character or name. Names that are not macros are 0."""
    text = token.text
    try:
        if text[-1] == "'" and len(text) > 2:
            return _value(parse_character(text)[1], False)
        if text[0].isdigit() or (text[0] == "." and len(text) > 1):
            type, number = parse_number(text)
            if isinstance(number, int):
                # A decimal number of 64 bits without suffix is unsigned if it is too large for `intmax_t`.
                return _value(number, (type.size == 8 and not type.program.signed) or "u" in text.lower())
            raise MacroError(f"`{text}` is not an integer", token)
    except LiteralError as malformed:
        if malformed.value and isinstance(malformed.value[1], int):
            return _value(malformed.value[1], True)
        raise MacroError(malformed.message, token) from None
    if is_name(text):
        return 0, False, None
    raise MacroError(f"`{text}` cannot be an operand in the expression of `#if`", token)


def _value(number: int, unsigned: bool, fault: MacroError | None = None) -> _Value:
    """The number in 64 bits."""
    number &= _MASK
    return number if unsigned or number < 1 << 63 else number - (1 << 64), unsigned, fault


def _unary(operator: str, operand: _Value) -> _Value:
    number, unsigned, fault = operand
    if operator == "!":
        return int(not number), False, fault
    return _value({"+": number, "-": -number, "~": ~number}[operator], unsigned, fault)


def _binary(operator: str, left: _Value, right: _Value, token: Token) -> _Value:
    a, left_unsigned, fault = left
    b, right_unsigned, right_fault = right
    if operator == "&&":
        return int(a != 0 and b != 0), False, fault or (right_fault if a else None)
    if operator == "||":
        return int(a != 0 or b != 0), False, fault or (None if a else right_fault)
    fault = fault or right_fault
    if operator == ",":
        return b, right_unsigned, fault
    if operator in ("<<", ">>"):
        count = b if operator == "<<" else -b
        return _value(a << min(count, 64) if count >= 0 else a >> min(-count, 64), left_unsigned, fault)
    unsigned = left_unsigned or right_unsigned
    if left_unsigned != right_unsigned:
        a, b = a & _MASK, b & _MASK
    if operator in ("/", "%") and b == 0:
        return 0, unsigned, fault or MacroError("division by zero in `#if`", token)
    number = exact_result(operator, a, b)
    return (number, False, fault) if is_comparison(operator) else _value(number, unsigned, fault)
