"""How a function is seen from outside, where that differs from how the module calls it.

The outside knows nothing of companions: what it passes is defined, and what it gets has to be. And the system takes an
`int` from `main`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cpsconv.emit.llvm.helpers import resizing
from cpsconv.emit.llvm.passing import application, calling, returning
from cpsconv.emit.llvm.prototypes import Prototype
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.values import NULL
from cpsconv.emit.llvm.words import POINTER, type_word
from cpsconv.ir import INT, Scalar, Type


def seen_from_outside(inner: Prototype, returns: tuple[Type, ...] | None) -> Prototype:
    """The prototype for the outside, that returns this."""
    return replace(inner, returns=returns, uncertain_parameters=[], uncertain_results=[])


def face(outer: Prototype, inner: Prototype, support: Support) -> Iterator[str]:
    """The definition of a function that calls the inner one."""
    parameters = [f"%{index}" for index in range(len(outer.parameters))]
    results = [f"%result.{index}" for index in range(len(inner.result_words))]
    yield f"define {outer.returned} {application(outer, parameters)} {{"
    companions = [NULL] * len(inner.uncertain_parameters)
    body = [*calling(inner, [*parameters, *companions], results, "%results")]
    values, unset = results[: len(inner.returns or ())], results[len(inner.returns or ()) :]
    for each in unset:
        body.append(f"call void {support.helper('use')}({POINTER} {each}, {POINTER} {support.place(None)})")
    if inner.returns != outer.returns:
        values = ["0"]
        for value, type in zip(results, inner.returns or (), strict=False):
            assert isinstance(type, Scalar)
            values = ["%status"]
            body.append(f"%status = {resizing(type, INT)} {type_word(type)} {value} to i32")
    body += returning(outer, values, [f"%results.{index}" for index in range(len(values))])
    yield from (f"  {line}" for line in body)
    yield "}"
