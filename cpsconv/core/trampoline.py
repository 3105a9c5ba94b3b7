"""Recursion without Python's call stack.

A recursive function on deeply nested input is written as a generator. Instead of a recursive call, it yields the
generator of the call, and is sent its result. It may also yield a result itself, which is sent back unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from types import GeneratorType
from typing import Any, TypeVar, Union, overload

T = TypeVar("T")

Computation = Generator[Any, Any, T]
"""A computation whose result is a `T`."""

Step = Union[T, Computation[T]]
"""A `T`, or a computation of a `T`."""

Work = Iterator["Work"]
"""A computation without a result, which yields the work of its recursive calls.

It is faster than a `Computation`: a generator that returns a result raises an exception.
"""


@overload
def run(start: Computation[T]) -> T: ...


@overload
def run(start: T) -> T: ...


def run(start: Any) -> Any:
    """The result of a computation, after the computations that it yields."""
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


def after(step: Step[Any], finish: Callable[..., T], *arguments: Any) -> Step[T]:
    """``finish(result, *arguments)`` of the result of a step: at once if it is a result, else as a computation.

    It is faster than a generator for a step that is mostly a result.
    """
    return _after(step, finish, arguments) if type(step) is GeneratorType else finish(step, *arguments)


def _after(computation: Computation[Any], finish: Callable[..., T], arguments: tuple[Any, ...]) -> Computation[T]:
    return finish((yield computation), *arguments)


def perform(work: Work) -> None:
    """Do some work, including the work that it yields."""
    waiting: list[Work] = []
    while True:
        inner = next(work, None)
        if inner:
            waiting.append(work)
            work = inner
        elif waiting:
            work = waiting.pop()
        else:
            return


Walk = Generator[Union[T, "Walk[T]"], None, None]
"""A recursive traversal: yields items, and the traversals of substructures in the place of their items."""


def flattened(walk: Walk[T]) -> Iterator[T]:
    """The items of `walk` and of its nested traversals, of any depth, in order."""
    stack = [walk]
    item: Any
    while stack:
        for item in stack[-1]:
            if type(item) is GeneratorType:
                stack.append(item)
                break
            yield item
        else:
            stack.pop()
