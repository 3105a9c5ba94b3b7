"""Recursion without Python's stack.

A function on trees that is nested as deeply as its input may be is written as a generator that yields what it would
otherwise call, and is sent the result. Where the result needs no further steps it may yield the result itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from types import GeneratorType
from typing import Any, TypeVar, Union

T = TypeVar("T")

Computation = Generator[Any, Any, T]
"""A computation that ends with a `T`."""

Step = Union[T, Computation[T]]
"""A `T`, or the computation of one: what may be yielded."""

Work = Iterator["Work"]
"""What is still to be done of something that has no result; it yields the work that has to be done in between.

To end with a result costs a generator an exception; to have no more work costs it nothing.
"""


def run(start: Step[Any]) -> Any:
    """The result of a computation and of all that it yields, in order."""
    if type(start) is not GeneratorType:
        return start
    waiting: list[Computation[Any]] = []
    computation: Computation[Any] = start
    result = None
    while True:
        try:
            step = computation.send(result)
        except StopIteration as end:
            if not waiting:
                return end.value
            computation, result = waiting.pop(), end.value
        else:
            if type(step) is GeneratorType:
                waiting.append(computation)
                computation, result = step, None
            else:
                result = step


def perform(work: Work) -> None:
    """Do some work, and all that it yields, in order."""
    waiting: list[Work] = []
    while True:
        within = next(work, None)
        if within:
            waiting.append(work)
            work = within
        elif waiting:
            work = waiting.pop()
        else:
            return


Walk = Generator[Any, None, None]
"""A traversal of a structure: yields items, and the traversals that take place at this point."""


def flattened(walk: Walk) -> Iterator[Any]:
    """The items of `walk` and of the traversals inside it, however deeply they are nested."""
    stack = [walk]
    while stack:
        for item in stack[-1]:
            if isinstance(item, GeneratorType):
                stack.append(item)
                break
            yield item
        else:
            stack.pop()
