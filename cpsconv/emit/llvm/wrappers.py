"""How a function is seen from outside, where that differs from how the module calls it.

The outside knows nothing of companions: what it passes is defined, and what it gets has to be. And the system takes an
`int` from `main`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cpsconv.emit.llvm.calling_convention import application, calling, returning
from cpsconv.emit.llvm.helpers import resizing
from cpsconv.emit.llvm.prototypes import Prototype
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.values import NULL
from cpsconv.emit.llvm.vocabulary import POINTER, type_word
from cpsconv.ir import INT, Scalar, Type


def seen_from_outside(inner: Prototype, returns: tuple[Type, ...]) -> Prototype:
    """The prototype for the outside, that returns this."""
    return replace(inner, returns=returns, uncertain_parameters=[], uncertain_results=[])


def face(outer: Prototype, inner: Prototype, support: Support) -> Iterator[str]:
    """The definition of a function that calls the inner one."""
    parameters = [f"%{index}" for index in range(len(outer.parameters))]
    results = [f"%result.{index}" for index in range(len(inner.result_words))]
    yield f"define {outer.returned} {application(outer, parameters)} {{"
    arguments = parameters + [NULL] * len(inner.uncertain_parameters)
    body = [*calling(inner, arguments, results, "%results")]
    values, companions = results[: len(inner.returns)], results[len(inner.returns) :]
    for each in companions:
        body.append(f"call void {support.helper('use')}({POINTER} {each}, {POINTER} {support.place(None)})")
    if inner.returns != outer.returns:
        body += _status(inner, values)
        values = ["%status"]
    body += returning(outer, values, [f"%results.{index}" for index in range(len(values))])
    yield from (f"  {line}" for line in body)
    yield "}"


def _status(inner: Prototype, values: Sequence[str]) -> Iterator[str]:
    """What `main` returns as an `int`; 0 if that is nothing."""
    for type, value in zip(inner.returns or [INT], values or ["0"], strict=True):
        assert isinstance(type, Scalar)
        yield f"%status = {resizing(type, INT)} {type_word(type)} {value} to i32"
