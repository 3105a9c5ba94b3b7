"""The comparison of the parts of a program, beside the bodies of its functions, with what the front end stated of them.

The passes of a conversion without optimisations change continuations only. Two exceptions are part of the construction:
nested functions that are not called are dropped, and structs and data get a number after their names if another one has
the same name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import is_not

from cpsconv.core.check.scope import shown
from cpsconv.core.construction.record import Fields, Stated, copies_of_fields, fields_of, stated_fields
from cpsconv.core.ir import Constant, ContinuationType, Data, Function, Program, Struct, Undef
from cpsconv.core.source import Diagnostic, Span, error


def part_faults(
    program: Program, functions: Iterable[Function], stated: Mapping[Stated, Fields]
) -> Iterator[Diagnostic]:
    """The differences between the parts of the program and the recorded `functions` and what is `stated`.

    A front end that creates the `Program` itself, without `Builder.program`, states functions and literals only.
    """
    kept = {*program.functions}
    wanted = [function for function in functions if function in kept or not function.free]
    yield from _list_faults("functions", wanted, program.functions)
    for external in program.externals:
        if external.transfer or external.body or external.continuations:
            yield error(f"{_title(external)} has a body, but is only declared in the source", external.span)
    dropped = {*functions} - kept
    names = [{each.name for each in items} for items in (program.structs, program.globals)]
    for part, fields in stated.items():
        if isinstance(part, (Constant, Undef)):
            if any(map(is_not, fields, fields_of(part))):  # as numbers, 0.0 equals -0.0
                yield error(f"{shown(part)} is not the value that the source states here", _span(part))
        elif part not in dropped and (now := copies_of_fields(part)) != fields:
            yield from _field_faults(part, fields, now, names[isinstance(part, Data)])


def _list_faults(title: str, stated: Sequence[object], found: Sequence[object]) -> Iterator[Diagnostic]:
    """Check that two lists have the same members, in the same order."""
    wanted, kept = {*stated}, {*found}
    for member in stated:
        if member not in kept:
            yield error(f"{_title(member)} is missing", _span(member))
    for member in found:
        if member not in wanted:
            yield error(f"there is no record of {_title(member)}", _span(member))
    if [member for member in stated if member in kept] != [member for member in found if member in wanted]:
        yield error(f"the {title} are not in the order of the source")


def _field_faults(part: Stated, stated: Fields, found: Fields, names: Collection[str]) -> Iterator[Diagnostic]:
    for field, was, now in zip(stated_fields(type(part)), stated, found, strict=True):
        if was == now:
            continue
        if isinstance(part, Program) and isinstance(was, tuple) and isinstance(now, tuple) and field != "attributes":
            yield from _list_faults(field.replace("_", " "), was, now)
        elif field == "name":
            if not _is_numbered(part, str(was), str(now), names):
                yield error(f"{_title(part)} is named `{was}` in the source", _span(part))
        elif field == "parameters" and (types := _types(now)) != (in_source := _types(was)):
            of = f"of type `{types}`, but in the source of type `{in_source}`"
            yield error(f"{_title(part)} is {of}", _span(part))
        else:
            yield error(f"the field `{field}` of {_title(part)} is not that of the source", _span(part))


def _is_numbered(part: Stated, stated: str, name: str, names: Collection[str]) -> bool:
    """Whether a struct or data got a number since another one has its name."""
    is_taken = isinstance(part, (Struct, Data)) and stated in names
    return is_taken and bool(re.fullmatch(rf"{re.escape(stated)}_?[0-9]+", name))


def _types(parameters: object) -> ContinuationType:
    assert isinstance(parameters, tuple)
    return ContinuationType(tuple([type for type, *_ in parameters]))


def _title(part: object) -> str:
    return "the program" if isinstance(part, Program) else f"`{getattr(part, 'name', part)}`"


def _span(part: object) -> Span | None:
    return getattr(part, "span", None)
