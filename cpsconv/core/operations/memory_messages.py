"""The messages of runtime errors of memory. The evaluator and the preludes of emitted programs write them.

``{place}`` is the message `index`, `byte` or `bytes`; ``{end}`` is `freed`, `closed` or `lifetime`; ``{object}`` is
`heap`, `resource`, `variable` or a name in backquotes; ``{verb}`` is ``freed`` or ``deallocated``. A `line` can be
empty; its file is stated (`line_of_file`) unless it is that of the error. Rooms that add operations of the environment
add messages, too.
"""

from __future__ import annotations

import re

from cpsconv.core.operations.names import CREATE

MESSAGES = {
    "wild": "this pointer points to no object",
    "null": "a null pointer is dereferenced",
    "null_offset": "a null pointer is dereferenced, at an offset of {distance}",
    "no_data": "{object} is a function, and has no data",
    "ended": "{end}, before this access",
    "bounds": "{place} out of bounds",
    "unwritten": "{place} used uninitialised",
    "constant": "{place} changed, but {object} is constant",
    "overlap": "{place} copied to an overlapping place",
    "size": "{elements} of {type} cannot be allocated",
    "end_wild": "this pointer, which points to no object, is {verb}",
    "end_null": "a null pointer is {verb}",
    "end_not_heap": f"{{object}}, which was not allocated by `{CREATE}`, is {{verb}}",
    "end_not_variable": "{object}, which is not a variable, is {verb}",
    "end_again": "{end}, and is {verb} again",
    "end_closed": "{end}, and is {verb}",
    "end_inside": "a pointer to byte {offset} of {object}, and not to its start, is {verb}",
    "call_wild": "this pointer, which points to no object, is called",
    "call_null": "a null pointer is called",
    "call_null_offset": "a null pointer is called, at an offset of {distance}",
    "call_data": "{object}, which is no function, is called",
    "call_inside": "a pointer to byte {offset} of {object} is called",
    "call_type": "{object} has the type `{type}`, but is called as `{expected}`",
    "index": "index {index} of {described} is",
    "byte": "byte {offset} of {described} is",
    "bytes": "bytes {first} to {last} of {described} are",
    "heap": "the memory allocated{line}",
    "resource": "the {kind} opened{line}",
    "variable": "a variable",
    "part": "a part of {object}",
    "elements": "{elements} of {type}",
    "declared": "{contents}, declared{line}",
    "freed": "{object} was freed{line}",
    "closed": "{object} was closed{line}",
    "lifetime": "the lifetime of {object} ended{line}",
    "line": " on line {line}",
    "line_of_file": " on line {line} of `{file}`",
}

NOTES: dict[str, str] = {}
"""By names of objects that the package creates: the note about the place of its creation, for a wrong access to it."""


def message(name: str, *fields: object) -> str:
    """The message of that name; `fields` are its fields in order."""
    first, *others = parts(name)
    return first + "".join(f"{field}{text}" for field, text in zip(fields, others, strict=True))


def without_file(text: str, file: str) -> str:
    """The text of an error in the file, with lines of that file without its name."""
    return re.sub(f"( on line [0-9]+) of `{re.escape(file)}`", r"\1", text)


def parts(name: str) -> list[str]:
    """The texts of a message before, between and after its fields."""
    return re.split(r"{\w+}", MESSAGES[name])
