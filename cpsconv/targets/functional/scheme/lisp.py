"""S-expressions and their layout on lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Union

_MAX_INDENTATION = 40  # as in the CPS text: deeper lines are not indented further
_WITH_BODY = ("define", "lambda", "let*", "case")  # the second item is on the first line, and a body follows


class Form:
    """``(item …)``, whose `head` is its first item if that is a word. Forms may share items.

    `size` is the length of the form on one line; None if it is written on several lines even if it is short.
    """

    __slots__ = ("head", "items", "size")

    def __init__(self, *items: Expression) -> None:
        self.items = items
        self.head = items[0] if items and isinstance(items[0], str) else ""
        self.size: int | None
        sizes = [len(item) if isinstance(item, str) else item.size for item in items]
        known = [size for size in sizes if size is not None]
        has_large_body = self.head in ("let*", "case") or (self.head in _WITH_BODY and len(items) > 3)
        fits = len(known) == len(sizes) and not has_large_body
        self.size = sum(known) + max(len(known), 1) + 1 if fits else None


class Wrapped(Form):
    """``(->int (+ a b))``: the lowest `bits` of the expression `exact`, as a number of an integer type."""

    __slots__ = ("bits", "exact")

    def __init__(self, procedure: str, exact: Expression, bits: int) -> None:
        super().__init__(procedure, exact)
        self.exact, self.bits = exact, bits


Expression = Union[str, Form]

_Separator = Union[str, int]
"""Text between items, or a line break with the indentation of the next line."""


def laid_out(expression: Expression, width: int) -> Iterator[str]:
    """The lines of the expression in the usual style of Scheme, none longer than `width` if possible."""
    max_indentation = min(_MAX_INDENTATION, width // 2)
    line, column = [""], 0
    pending: list[tuple[Expression | int, int]] = [(expression, 0)]  # with the number of closing brackets after it
    while pending:
        part, closing = pending.pop()
        if isinstance(part, int):
            yield "".join(line)
            column = min(part, max_indentation)
            line = [" " * column]
        elif isinstance(part, str):
            line.append(part)
            column += len(part)
        else:
            fits = not part.items or (part.size is not None and column + part.size + closing <= width)
            separators = [" "] * len(part.items) if fits else _separators(part, column)
            pending.append((")", 0))
            for index in reversed(range(len(part.items))):
                is_last = index == len(part.items) - 1
                pending.append((part.items[index], closing + 1 if is_last else 0))
                if index:
                    pending.append((separators[index], 0))
            pending.append(("(", 0))
    yield "".join(line)


def _separators(form: Form, column: int) -> Sequence[_Separator]:
    """The separator before each item of a form that starts in that column and does not fit on one line."""
    count, last = len(form.items), form.items[-1]
    if not form.head:
        return [column + 1] * count
    if form.head in _WITH_BODY:
        on_first_line = 2
    elif isinstance(last, Form) and last.head == "lambda":
        on_first_line = count - 1
    else:
        return [" ", " ", *[column + len(form.head) + 2] * (count - 2)]
    return [*[" "] * on_first_line, *[column + 2] * (count - on_first_line)]
