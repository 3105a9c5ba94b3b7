"""Templates of loads and stores in checked memory, in LLVM IR: one definition for each type (see `memory_helpers`)."""

from __future__ import annotations

from string import Template

from cpsconv.emit.llvm.vocabulary import type_word
from cpsconv.ir import BOOL, LONG_DOUBLE, Scalar

OBJECT = ", !tbaa !4"
MARK = ", !tbaa !5"
DATA = ", !tbaa !6"
"""The type-based alias information of accesses to the table of objects, to marks, and to data."""


def _found(pointer: str, size: str = "8", prefix: str = "") -> str:
    """The instructions that find the object of a pointer: its base, and its size (at 12 the writable one) as `wide`."""
    return f"""%{prefix}object = call ptr @cpsconv.object(i64 %{pointer})
  %{prefix}base = load ptr, ptr %{prefix}object, align 16{OBJECT}
  %{prefix}size.at = getelementptr i8, ptr %{prefix}object, i64 {size}
  %{prefix}size = load i32, ptr %{prefix}size.at, align 4{OBJECT}
  %{prefix}wide = zext i32 %{prefix}size to i64"""


MACROS = {
    "OBJECT": OBJECT,
    "MARK": MARK,
    "DATA": DATA,
    "find_root": _found("root"),
    "find_writable_root": _found("root", "12"),
    "find_pointer": _found("pointer"),
    "find_pointer_for": _found("pointer", "%purpose"),
    "find_source": _found("source", prefix="source."),
    "find_target": _found("target", "12", "target."),
    "fault": "fault:\n  call void @cpsconv.fault(i32 %site, i64 %root, i64 %offset)\n  unreachable",
}
"""The abbreviations in all templates."""

_TYPED = {
    "load": """
define internal $T @cpsconv.load.$type(i64 %root, i64 %offset, i32 %site) alwaysinline {
  $find_root
  %value = call $T @cpsconv.load_in.$type(ptr %base, i64 %wide, i64 %root, i64 %offset, i32 %site)
  ret $T %value
}
""",
    "load_in": """
define internal $T @cpsconv.load_in.$type(ptr %base, i64 %size, i64 %root, i64 %offset, i32 %site) alwaysinline {
  %places = call i64 @llvm.usub.sat.i64(i64 %size, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fault
inside:
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %size
  %mark = load $I, ptr %mark.at, align 1$MARK
  %is.written = icmp eq $I %mark, -1
  br i1 %is.written, label %written, label %fault
written:
  %raw = load $M, ptr %at, align 1$DATA
  $loaded
  ret $T %value
$fault
}
""",
    "marks": """
; The marks of a place that is correct.
define internal $I @cpsconv.marks.$type(i64 %root, i64 %offset) alwaysinline {
  $find_root
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %wide
  %mark = load $I, ptr %mark.at, align 1$MARK
  ret $I %mark
}
""",
    "load_or": """
; The bytes that were written, and the others of the default value.
define internal $T @cpsconv.load_or.$type($T %value, i64 %root, i64 %offset, i32 %site) alwaysinline {
  $find_root
  %places = call i64 @llvm.usub.sat.i64(i64 %wide, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fault
inside:
  $stored
  %given = bitcast $M %raw to $I
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark = call $I @cpsconv.marks.$type(i64 %root, i64 %offset)
  %found = load $I, ptr %at, align 1$DATA
  %own = and $I %found, %mark
  %missing = xor $I %mark, -1
  %rest = and $I %given, %missing
  %both = or $I %own, %rest
  %result = bitcast $I %both to $M
  $returned
$fault
}
""",
    "store": """
define internal void @cpsconv.store.$type($T %value, $I %mark, i64 %root, i64 %offset, i32 %site) alwaysinline {
  $find_writable_root
  call void @cpsconv.store_in.$type($T %value, $I %mark, ptr %base, i64 %wide, i64 %root, i64 %offset, i32 %site)
  ret void
}
""",
    "store_in": """
define internal void @cpsconv.store_in.$type($T %value, $I %mark, ptr %base, i64 %size, i64 %root, i64 %offset,
  i32 %site) alwaysinline {
  %places = call i64 @llvm.usub.sat.i64(i64 %size, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fault
inside:
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %size
  $stored
  store $M %raw, ptr %at, align 1$DATA
  store $I %mark, ptr %mark.at, align 1$MARK
  ret void
$fault
}
""",
}


_LOAD_OF_MARK = """
  %mark.at = getelementptr i8, ptr %at, i64 %size
  %mark = load $I, ptr %mark.at, align 1$MARK
  %is.written = icmp eq $I %mark, -1
  br i1 %is.written, label %written, label %fault
written:"""
_STORE_OF_MARK = """
  store $I %mark, ptr %mark.at, align 1$MARK"""


def _whole(kind: str) -> str:
    """The template for an object that is written completely, without marks."""
    text = _TYPED[kind].replace(_LOAD_OF_MARK, "").replace(_STORE_OF_MARK, "")
    for name in _KINDS:
        text = text.replace(f"@cpsconv.{name}.", f"@cpsconv.{name}_whole.")
    return text


_KINDS = [*_TYPED]
_TYPED |= {f"{kind}_whole": _whole(kind) for kind in _KINDS}


def typed_helper(kind: str, type: Scalar) -> str:
    """The definition of a load or store of values of the type. A `bool` takes a byte, and any byte but 0 is true."""
    word = type_word(type)
    memory = {BOOL: "i8", LONG_DOUBLE: "i128"}.get(type, word)
    returned = f"ret {word} %result"
    if memory != word:
        returned = f"{_from_memory(type, 'result', 'value.of.result')}\n  ret {word} %value.of.result"
    stored = {BOOL: "%raw = zext i1 %value to i8", LONG_DOUBLE: _EXTENDED}.get(type)
    return Template(_TYPED[kind]).substitute(
        T=word,
        M=memory,
        I=f"i{type.bits}",
        type=type.name.replace(" ", "_"),
        before=str(type.size - 1),
        loaded=_from_memory(type, "raw", "value"),
        stored=stored or f"%raw = bitcast {word} %value to {word}",
        returned=returned,
        **MACROS,
    )


_EXTENDED = "%bits = bitcast x86_fp80 %value to i80\n  %raw = zext i80 %bits to i128"


def _from_memory(type: Scalar, raw: str, value: str) -> str:
    """The instructions that convert what was loaded."""
    if type is BOOL:
        return f"%{value} = icmp ne i8 %{raw}, 0"
    if type is LONG_DOUBLE:
        return f"%{raw}.bits = trunc i128 %{raw} to i80\n  %{value} = bitcast i80 %{raw}.bits to x86_fp80"
    return f"%{value} = bitcast {type_word(type)} %{raw} to {type_word(type)}"


def is_typed(kind: str) -> bool:
    """Whether helpers of the kind depend on a type."""
    return kind in _TYPED
