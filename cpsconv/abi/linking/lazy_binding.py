"""Lazy binding: a name without a definition is an error where a run reaches it, and not in linking."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.abi.attributes import LAZILY_BOUND
from cpsconv.abi.linking.references import Global, replace_references
from cpsconv.core.attributes import LOCAL
from cpsconv.core.ir import CHAR, Array, Call, Data, Program
from cpsconv.core.transform.ends import Part, end, end_where


def bind_lazily(program: Program, missing: Collection[Global]) -> set[Global]:
    """Define, in place, those of the `missing` functions and data that are bound lazily. Returns the others.

    A call of such a function ends the run, as does the function itself, which pointers may reach. Such data have no
    bytes: each access is a runtime error.
    """
    lazy = {each for each in missing if LAZILY_BOUND in each.attributes}

    def undefined(part: Part) -> str | None:
        called = (part.addressed or part.callee) if isinstance(part, Call) else None
        return f"calls `{called.name}`, which is not defined" if called in lazy else None

    if lazy:
        for function in program.functions:
            end_where(function, undefined)
        for each in filter(lazy.__contains__, program.externals):
            each.attributes = {LOCAL: True}
            end(each, f"`{each.name}`, which is not defined, is called", each.span)
            program.functions.append(each)
        empty: dict[Global, Data] = {
            each: Data(each.name, Array(CHAR, 0), attributes={LOCAL: True})
            for each in program.external_data
            if each in lazy
        }
        program.data += empty.values()
        replace_references(program, lambda value, span: empty.get(value, value))
    return {*missing} - lazy
