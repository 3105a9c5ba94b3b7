"""S-expressions and their layout on lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

_MAX_INDENTATION = 40  # as in the CPS text: deeper lines are not indented further
_BODY = {"define": 2, "lambda": 2, "let*": 2, "case": 2}  # the number of items on the first line


class Form:
    """``(item …)``. `size` is its length on one line, None if it needs several. Forms may share items."""

    __slots__ = ("items", "size")

    def __init__(self, *items: Expression) -> None:
        self.items = items
        self.size: int | None
        sizes = [len(item) if isinstance(item, str) else item.size for item in items]
        known = [size for size in sizes if size is not None]
        fits = len(known) == len(sizes) and not self._has_large_body()
        self.size = sum(known) + max(len(known), 1) + 1 if fits else None

    @property
    def head(self) -> str:
        """The first item if it is a word, otherwise ``""``."""
        return self.items[0] if self.items and isinstance(self.items[0], str) else ""

    def _has_large_body(self) -> bool:
        """Whether the form is written on several lines even if it is short."""
        return self.head in ("let*", "case") or (self.head in _BODY and len(self.items) > _BODY[self.head] + 1)


Expression = Union[str, Form]


class _Break:
    """A line break, and the indentation of the next line."""

    __slots__ = ("indentation",)

    def __init__(self, indentation: int) -> None:
        self.indentation = indentation


_Separator = Union[str, _Break]


def laid_out(expression: Expression, width: int) -> Iterator[str]:
    """The lines of the expression in the usual style of Scheme, none longer than `width` if possible."""
    max_indentation = min(_MAX_INDENTATION, width // 2)
    line, column = [""], 0
    pending: list[tuple[Expression | _Break, int]] = [(expression, 0)]  # with the number of closing brackets after it
    while pending:
        part, closing = pending.pop()
        if isinstance(part, _Break):
            yield "".join(line)
            column = min(part.indentation, max_indentation)
            line = [" " * column]
        elif isinstance(part, str):
            line.append(part)
            column += len(part)
        else:
            fits = part.size is not None and column + part.size + closing <= width
            separators = [" "] * len(part.items) if fits else _separators(part, column)
            pending.append((")", 0))
            for index in reversed(range(len(part.items))):
                is_last = index == len(part.items) - 1
                pending.append((part.items[index], closing + 1 if is_last else 0))
                if index:
                    pending.append((separators[index], 0))
            pending.append(("(", 0))
    yield "".join(line)


def _separators(form: Form, column: int) -> list[_Separator]:
    """The separator before each item of a form that starts in that column and does not fit on one line."""
    count = len(form.items)
    if not form.head:
        return [_Break(column + 1)] * count
    if form.head in _BODY:
        on_first_line = _BODY[form.head]
    elif _is_abstraction(form.items[-1]):
        on_first_line = count - 1
    else:
        return [" ", " ", *[_Break(column + len(form.head) + 2)] * (count - 2)]
    return [*[" "] * on_first_line, *[_Break(column + 2)] * (count - on_first_line)]


def _is_abstraction(expression: Expression) -> bool:
    return isinstance(expression, Form) and expression.head == "lambda"
