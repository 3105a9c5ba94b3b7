"""The helpers of native code with checked memory: templates in LLVM IR.

The templates are in ``memory.ll`` (objects), ``accesses.ll`` (loads and stores, for each type) and ``library.ll``
(external functions). Their ``$`` words are the abbreviations in `_MACROS`, and words that depend on the helper.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

from cpsconv.abi.prototypes import PROTOTYPES, PROVIDED
from cpsconv.core.ir import BOOL, INT, LONG_DOUBLE, ContinuationType, Scalar
from cpsconv.targets.llvm.support import templates
from cpsconv.targets.llvm.vocabulary import type_word, word_of

OBJECTS = 1 << 24
"""The number of objects in the table, with null."""

_OBJECT, _MARK, _DATA = (f", !tbaa !{number}" for number in (4, 5, 6))
"""The type-based alias information of accesses to the table of objects, to marks, and to data."""


def _found(pointer: str, size: str = "8", prefix: str = "") -> str:
    """The instructions that find the object of a pointer: its base, and its size (at 12 the writable one) as `wide`."""
    return f"""%{prefix}object = call ptr @cpsconv.object(i64 %{pointer})
  %{prefix}base = load ptr, ptr %{prefix}object, align 16{_OBJECT}
  %{prefix}size.at = getelementptr i8, ptr %{prefix}object, i64 {size}
  %{prefix}size = load i32, ptr %{prefix}size.at, align 4{_OBJECT}
  %{prefix}wide = zext i32 %{prefix}size to i64"""


_MACROS = {
    "OBJECT": _OBJECT,
    "MARK": _MARK,
    "DATA": _DATA,
    "objects": str(OBJECTS),
    "find_root": _found("root"),
    "find_writable_root": _found("root", "12"),
    "find_pointer": _found("pointer"),
    "find_pointer_for": _found("pointer", "%purpose"),
    "find_source": _found("source", prefix="source."),
    "find_target": _found("target", "12", "target."),
    "fault": "fault:\n  call void @cpsconv.fault(i32 %site, i64 %root, i64 %offset)\n  unreachable",
}

# ------------------------------------------------------------------------------------------------- loads and stores

_FOLDER = Path(__file__).parent

TYPED = templates(_FOLDER / "accesses.ll")
"""The templates of helpers for each type."""

_MARKS = {
    "check": f"""
  %mark.at = getelementptr i8, ptr %at, i64 %size
  %mark = load $I, ptr %mark.at, align 1{_MARK}
  %is.written = icmp eq $I %mark, -1
  br i1 %is.written, label %written, label %fault
written:""",
    "record": f"\n  store $I %mark, ptr %mark.at, align 1{_MARK}",
}
"""The instructions on the marks of an object that may be written in part."""


def is_typed(kind: str) -> bool:
    """Whether helpers of the kind depend on a type."""
    return kind.removesuffix("_whole") in TYPED


def typed_helper(kind: str, type: Scalar) -> str:
    """The definition of a load or store of values of the type. A `bool` takes a byte, and any byte but 0 is true."""
    word, whole = type_word(type), "_whole" if kind.endswith("_whole") else ""
    memory = {BOOL: "i8", LONG_DOUBLE: "i128"}.get(type, word)
    returned = f"ret {word} %result"
    if memory != word:
        returned = f"{_from_memory(type, 'result', 'value.of.result')}\n  ret {word} %value.of.result"
    stored = {BOOL: "%raw = zext i1 %value to i8", LONG_DOUBLE: _EXTENDED}.get(type)
    words = {
        "T": word,
        "M": memory,
        "I": f"i{type.bits}",
        "type": word_of(type),
        "whole": whole,
        "before": str(type.size - 1),
        "loaded": _from_memory(type, "raw", "value"),
        "stored": stored or f"%raw = bitcast {word} %value to {word}",
        "returned": returned,
    }
    marks = {name: "" if whole else Template(text).substitute(words) for name, text in _MARKS.items()}
    return Template(TYPED[kind.removesuffix("_whole")]).substitute(_MACROS, **words, **marks)


_EXTENDED = "%bits = bitcast x86_fp80 %value to i80\n  %raw = zext i80 %bits to i128"


def _from_memory(type: Scalar, raw: str, value: str) -> str:
    """The instructions that convert what was loaded."""
    if type is BOOL:
        return f"%{value} = icmp ne i8 %{raw}, 0"
    if type is LONG_DOUBLE:
        return f"%{raw}.bits = trunc i128 %{raw} to i80\n  %{value} = bitcast i80 %{raw}.bits to x86_fp80"
    return f"%{value} = bitcast {type_word(type)} %{raw} to {type_word(type)}"


# ----------------------------------------------------------------------------------------------- external functions


def _wrong(template: str) -> str:
    """The end of an external function, at which the host performs the call with its arguments."""
    head, _ = template.split("{", 1)
    result, parameters = head.split()[2], re.findall(r"(i\d+) (%\w+)", head)
    lines = [f"{name}.wide = {_RESIZING[type, 'i64']} {type} {name} to i64" for type, name in parameters]
    operands = ", ".join([*(f"i64 {name}.wide" for _, name in parameters), "i64 0", "i64 0"][:3])
    lines += [
        "%site = load i32, ptr @cpsconv.site",
        f"%host.result = call i64 @cpsconv.slowly(i32 %site, i32 $library, {operands})",
        f"%result = {_RESIZING['i64', result]} i64 %host.result to {result}",
        f"ret {result} %result",
    ]
    return "\n  ".join(["wrong:", *lines])


_RESIZING = {("i32", "i64"): "sext", ("i64", "i32"): "trunc", ("i64", "i64"): "bitcast"}


def _system_call(name: str) -> str:
    """The template of a function that the host performs in any case."""
    *types, ret = PROTOTYPES[name].type.parameters
    assert isinstance(ret, ContinuationType)
    words = ["i32" if each is INT else "i64" for each in (*ret.parameters, *types)]
    parameters = ", ".join(f"{word} %p{number}" for number, word in enumerate(words[1:]))
    return f"define internal {words[0]} @cpsconv.library.{name}({parameters}) {{\n  br label %wrong\n$wrong\n}}"


_LIBRARY = templates(_FOLDER / "library.ll")
_LIBRARY |= {key: _system_call(name) for name in sorted(PROVIDED) if (key := f"library.{name}") not in _LIBRARY}

LIBRARY_FUNCTIONS = [name.removeprefix("library.") for name in _LIBRARY if name.startswith("library.")]
"""The external functions that the engine provides. The number of a function is its position, from 1 on."""


def _filled(name: str, template: str) -> str:
    words = {**_MACROS, "library": "0"}
    if name.startswith("library."):
        words["library"] = str(LIBRARY_FUNCTIONS.index(name.removeprefix("library.")) + 1)
        template = template.replace("$wrong", _wrong(template))
    return Template(template).substitute(words)


_GLOBALS = {
    "records": "ptr null",
    "masks": "ptr null",
    "slow": "ptr null",
    "next": "i64 1",
    "left": "i64 0",
    "oldest": "i32 0",
    "latest": "i32 0",
    "site": "i32 0",
    "library.call": "i32 -1",
    "failed": "i32 0",
}
"""The state of a run, apart from the table of objects.

The table of records, that of the masks of constant bytes, the slow path of the host, the number of the next object, the
number of bytes that may still be allocated, the queue of dead objects, whose numbers are used again at last, the
site of the call of a provided function, that of the last call of a function of the library, which has no locations, and
whether the host has reported an error.
"""

HELPERS = {
    **{name: f"@cpsconv.{name} = dso_local global {initial}" for name, initial in _GLOBALS.items()},
    **{name: _filled(name, text) for name, text in {**templates(_FOLDER / "memory.ll"), **_LIBRARY}.items()},
}
"""The definitions of all other helpers, by name."""

LOOKUP = HELPERS.pop("lookup")
"""The module with the look-up. It is linked after the first optimisation, for which the look-up is a pure function."""
