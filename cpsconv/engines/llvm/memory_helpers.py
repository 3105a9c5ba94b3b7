"""Templates of the helpers for checked memory (`checked_memory`), in LLVM IR.

`@cpsconv.object` finds the entry of an object in the table (see `native_objects`): base, size, writable size. An object
whose lifetime has ended has the size 0; a constant one the writable size 0. Behind the `size` bytes of an object are as
many marks, -1 for a byte that was written and 0 for another one. Type-based alias information states that data, marks
and table do not overlap, so that LLVM moves look-ups out of loops.

A helper that cannot perform the operation calls the host through `@cpsconv.slow`, with the number of the site and the
operands of the operation.
"""

from __future__ import annotations

from string import Template

from cpsconv.emit.llvm.vocabulary import type_word
from cpsconv.ir import BOOL, Scalar

OBJECTS = 1 << 24
"""The number of objects in the table, with null."""

LOOKUP = """
@cpsconv.objects = global ptr null
declare i64 @llvm.umin.i64(i64, i64)
define ptr @cpsconv.object(i64 %pointer) alwaysinline {
  %shifted = add i64 %pointer, 2147483648
  %number = lshr i64 %shifted, 32
  %index = call i64 @llvm.umin.i64(i64 %number, i64 $objects)
  %table = load ptr, ptr @cpsconv.objects
  %object = getelementptr { ptr, i32, i32 }, ptr %table, i64 %index
  ret ptr %object
}
""".replace("$objects", str(OBJECTS))
"""The module with the look-up. It is linked after the first optimisation, for which the look-up is a pure function."""

_OBJECT = ", !tbaa !4"
_MARK = ", !tbaa !5"
_DATA = ", !tbaa !6"

_TYPED = {
    "load": """
define internal $T @cpsconv.load.$type(i64 %root, i64 %offset, i32 %site) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %root)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 8
  %size = load i32, ptr %size.at, align 8$OBJECT
  %wide = zext i32 %size to i64
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
fault:
  call void @cpsconv.fault(i32 %site, i64 %root, i64 %offset)
  unreachable
}
""",
    "marks": """
; The marks of a place that is correct.
define internal $I @cpsconv.marks.$type(i64 %root, i64 %offset) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %root)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 8
  %size = load i32, ptr %size.at, align 8$OBJECT
  %wide = zext i32 %size to i64
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %wide
  %mark = load $I, ptr %mark.at, align 1$MARK
  ret $I %mark
}
""",
    "load_or": """
; The bytes that were written, and the others of the default value.
define internal $T @cpsconv.load_or.$type($T %value, i64 %root, i64 %offset, i32 %site) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %root)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 8
  %size = load i32, ptr %size.at, align 8$OBJECT
  %wide = zext i32 %size to i64
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
fault:
  call void @cpsconv.fault(i32 %site, i64 %root, i64 %offset)
  unreachable
}
""",
    "store": """
define internal void @cpsconv.store.$type($T %value, $I %mark, i64 %root, i64 %offset, i32 %site) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %root)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 12
  %size = load i32, ptr %size.at, align 4$OBJECT
  %wide = zext i32 %size to i64
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
fault:
  call void @cpsconv.fault(i32 %site, i64 %root, i64 %offset)
  unreachable
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
    memory = "i8" if type is BOOL else word
    loaded = "icmp ne i8 %raw, 0" if type is BOOL else f"bitcast {word} %raw to {word}"
    returned = f"ret {word} %result"
    if type is BOOL:
        returned = "%flag = icmp ne i8 %result, 0\n  ret i1 %flag"
    stored = "zext i1 %value to i8" if type is BOOL else f"bitcast {word} %value to {word}"
    return Template(_TYPED[kind]).substitute(
        T=word,
        M=memory,
        I=f"i{type.bits}",
        type=type.name.replace(" ", "_"),
        before=str(type.size - 1),
        loaded=f"%value = {loaded}",
        stored=f"%raw = {stored}",
        returned=returned,
        OBJECT=_OBJECT,
        MARK=_MARK,
        DATA=_DATA,
    )


def is_typed(kind: str) -> bool:
    """Whether helpers of the kind depend on a type."""
    return kind in _TYPED


_GLOBALS = {
    "records": "ptr null",
    "slow": "ptr null",
    "next": "i64 1",
    "left": "i64 0",
    "oldest": "i32 0",
    "latest": "i32 0",
    "site": "i32 0",
}
"""The state of a run, apart from the table of objects.

The table of records, the slow path of the host, the number of the next object, the number of bytes that may still be
allocated, the queue of dead objects, whose numbers are used again at last, and the site of a library call.
"""

_FUNCTIONS = {
    "object": """
; The entry of the object of a pointer, which always exists.
declare noundef nonnull align 16 dereferenceable(16) ptr @cpsconv.object(i64)
  memory(none) speculatable nounwind willreturn
!0 = !{!"cpsconv"}
!1 = !{!"object", !0, i64 0}
!2 = !{!"mark", !0, i64 0}
!3 = !{!"data", !0, i64 0}
!4 = !{!1, !1, i64 0}
!5 = !{!2, !2, i64 0}
!6 = !{!3, !3, i64 0}
""",
    "offset": """
define internal i64 @cpsconv.offset(i64 %pointer) alwaysinline {
  %low = trunc i64 %pointer to i32
  %offset = sext i32 %low to i64
  ret i64 %offset
}
""",
    "limited": """
define internal i64 @cpsconv.limited(i64 %offset) alwaysinline {
  %not.below = call i64 @llvm.smax.i64(i64 %offset, i64 -2147483648)
  %limited = call i64 @llvm.smin.i64(i64 %not.below, i64 2147483647)
  ret i64 %limited
}
""",
    "pointer": """
define internal i64 @cpsconv.pointer(i64 %root, i64 %offset) alwaysinline {
  %old = call i64 @cpsconv.offset(i64 %root)
  %start = sub i64 %root, %old
  %pointer = add i64 %start, %offset
  ret i64 %pointer
}
""",
    "record": """
; Origin, site of the end, kind, and next number in the queue of dead objects.
define internal ptr @cpsconv.record(i64 %pointer) alwaysinline {
  %shifted = add i64 %pointer, 2147483648
  %number = lshr i64 %shifted, 32
  %index = call i64 @llvm.umin.i64(i64 %number, i64 $objects)
  %table = load ptr, ptr @cpsconv.records
  %record = getelementptr { i32, i32, i32, i32 }, ptr %table, i64 %index
  ret ptr %record
}
""",
    "fault": """
define internal void @cpsconv.fault(i32 %site, i64 %root, i64 %offset) cold noinline noreturn {
  %limited = call i64 @cpsconv.limited(i64 %offset)
  %pointer = call i64 @cpsconv.pointer(i64 %root, i64 %limited)
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  call void @llvm.trap()
  unreachable
}
""",
    "slowly": """
define internal i64 @cpsconv.slowly(i32 %site, i32 %library, i64 %a, i64 %b, i64 %c) cold noinline {
  %host = load ptr, ptr @cpsconv.slow
  %result = call i64 %host(i32 %site, i32 %library, i64 %a, i64 %b, i64 %c)
  ret i64 %result
}
""",
    "move": """
; Copies bytes with their marks, if both places are correct.
define internal i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size) alwaysinline {
  %from = call ptr @cpsconv.object(i64 %source)
  %from.base = load ptr, ptr %from, align 16$OBJECT
  %from.size.at = getelementptr i8, ptr %from, i64 8
  %from.size = load i32, ptr %from.size.at, align 8$OBJECT
  %from.wide = zext i32 %from.size to i64
  %to = call ptr @cpsconv.object(i64 %target)
  %to.base = load ptr, ptr %to, align 16$OBJECT
  %to.size.at = getelementptr i8, ptr %to, i64 12
  %to.size = load i32, ptr %to.size.at, align 4$OBJECT
  %to.wide = zext i32 %to.size to i64
  %before = sub i64 %size, 1
  %from.places = call i64 @llvm.usub.sat.i64(i64 %from.wide, i64 %before)
  %to.places = call i64 @llvm.usub.sat.i64(i64 %to.wide, i64 %before)
  %is.readable = icmp ult i64 %start, %from.places
  %is.writable = icmp ult i64 %end, %to.places
  %is.fine = and i1 %is.readable, %is.writable
  br i1 %is.fine, label %fine, label %done
fine:
  %read = getelementptr i8, ptr %from.base, i64 %start
  %write = getelementptr i8, ptr %to.base, i64 %end
  %read.marks = getelementptr i8, ptr %read, i64 %from.wide
  %write.marks = getelementptr i8, ptr %write, i64 %to.wide
  call void @llvm.memmove.p0.p0.i64(ptr %write, ptr %read, i64 %size, i1 false)$DATA
  call void @llvm.memmove.p0.p0.i64(ptr %write.marks, ptr %read.marks, i64 %size, i1 false)$MARK
  br label %done
done:
  ret i1 %is.fine
}
""",
    "copy": """
define internal void @cpsconv.copy(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size, i32 %site) alwaysinline {
  %is.fine = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.fine, label %fine, label %slow
slow:
  call void @cpsconv.copy_slowly(i64 %source, i64 %start, i64 %target, i64 %end, i32 %site)
  br label %fine
fine:
  ret void
}
""",
    "copy_slowly": """
define internal void @cpsconv.copy_slowly(i64 %source, i64 %start, i64 %target, i64 %end, i32 %site) cold noinline {
  %limited.start = call i64 @cpsconv.limited(i64 %start)
  %from = call i64 @cpsconv.pointer(i64 %source, i64 %limited.start)
  %limited.end = call i64 @cpsconv.limited(i64 %end)
  %to = call i64 @cpsconv.pointer(i64 %target, i64 %limited.end)
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %from, i64 %to, i64 0)
  ret void
}
""",
    "function": """
; The code of the function at the pointer, which has the type of that number.
define internal ptr @cpsconv.function(i64 %pointer, i32 %type, i32 %site) alwaysinline {
  %record = call ptr @cpsconv.record(i64 %pointer)
  %kind.at = getelementptr i8, ptr %record, i64 8
  %kind = load i32, ptr %kind.at, align 8$OBJECT
  %is.right = icmp eq i32 %kind, %type
  %low = trunc i64 %pointer to i32
  %is.start = icmp eq i32 %low, 0
  %is.fine = and i1 %is.right, %is.start
  br i1 %is.fine, label %fine, label %fault
fine:
  %object = call ptr @cpsconv.object(i64 %pointer)
  %code = load ptr, ptr %object, align 16$OBJECT
  ret ptr %code
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  unreachable
}
""",
    "new": """
; A new object. Its kind is that of `checked_memory`.
define internal i64 @cpsconv.new(i64 %size, i32 %site, i32 %kind, i1 %is.written) noinline {
  %bytes = shl i64 %size, 1
  %next = load i64, ptr @cpsconv.next
  %is.fresh = icmp ult i64 %next, $objects
  %extra = select i1 %is.fresh, i64 48, i64 16
  %cost = add i64 %bytes, %extra
  %left = load i64, ptr @cpsconv.left
  %is.too.much = icmp ugt i64 %cost, %left
  br i1 %is.too.much, label %exhausted, label %enough
enough:
  %rest = sub i64 %left, %cost
  store i64 %rest, ptr @cpsconv.left
  br i1 %is.fresh, label %fresh, label %used
fresh:
  %following = add i64 %next, 1
  store i64 %following, ptr @cpsconv.next
  br label %ready
used:
  %oldest = load i32, ptr @cpsconv.oldest
  %has.none = icmp eq i32 %oldest, 0
  br i1 %has.none, label %exhausted, label %reused
reused:
  %reused.number = zext i32 %oldest to i64
  %reused.pointer = shl i64 %reused.number, 32
  %reused.record = call ptr @cpsconv.record(i64 %reused.pointer)
  %queued.at = getelementptr i8, ptr %reused.record, i64 12
  %queued = load i32, ptr %queued.at
  store i32 %queued, ptr @cpsconv.oldest
  br label %ready
ready:
  %number = phi i64 [ %next, %fresh ], [ %reused.number, %reused ]
  %allocated = add i64 %bytes, 1
  %base = call ptr @calloc(i64 1, i64 %allocated)
  %is.null = icmp eq ptr %base, null
  br i1 %is.null, label %exhausted, label %exists
exists:
  br i1 %is.written, label %written, label %complete
written:
  %marks = getelementptr i8, ptr %base, i64 %size
  call void @llvm.memset.p0.i64(ptr %marks, i8 -1, i64 %size, i1 false)
  br label %complete
complete:
  %pointer = shl i64 %number, 32
  %object = call ptr @cpsconv.object(i64 %pointer)
  store ptr %base, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 8
  %narrow = trunc i64 %size to i32
  store i32 %narrow, ptr %size.at, align 8$OBJECT
  %writable.at = getelementptr i8, ptr %object, i64 12
  store i32 %narrow, ptr %writable.at, align 4$OBJECT
  %record = call ptr @cpsconv.record(i64 %pointer)
  store i32 %site, ptr %record, align 16$OBJECT
  %kind.at = getelementptr i8, ptr %record, i64 8
  store i32 %kind, ptr %kind.at, align 8$OBJECT
  ret i64 %pointer
exhausted:
  call void @cpsconv.host(i8* text"memory", i32 0, i8* null, i8* null)
  unreachable
}
""",
    "ends": """
; Whether the pointer is to the start of a living object of the kind.
define internal i1 @cpsconv.ends(i64 %pointer, i32 %kind) alwaysinline {
  %record = call ptr @cpsconv.record(i64 %pointer)
  %kind.at = getelementptr i8, ptr %record, i64 8
  %found = load i32, ptr %kind.at, align 8$OBJECT
  %is.right = icmp eq i32 %found, %kind
  %low = trunc i64 %pointer to i32
  %is.start = icmp eq i32 %low, 0
  %is.fine = and i1 %is.right, %is.start
  ret i1 %is.fine
}
""",
    "end": """
; Ends the lifetime of an object, and appends it to the queue of dead ones.
define internal void @cpsconv.end(i64 %pointer, i32 %site) noinline {
  %object = call ptr @cpsconv.object(i64 %pointer)
  %base = load ptr, ptr %object, align 16$OBJECT
  call void @free(ptr %base)
  %size.at = getelementptr i8, ptr %object, i64 8
  %size = load i32, ptr %size.at, align 8$OBJECT
  %wide = zext i32 %size to i64
  %bytes = shl i64 %wide, 1
  %gained = add i64 %bytes, 16
  %left = load i64, ptr @cpsconv.left
  %more = add i64 %left, %gained
  store i64 %more, ptr @cpsconv.left
  store ptr null, ptr %object, align 16$OBJECT
  store i64 0, ptr %size.at, align 8$OBJECT
  %record = call ptr @cpsconv.record(i64 %pointer)
  %end.at = getelementptr i8, ptr %record, i64 4
  store i32 %site, ptr %end.at, align 4$OBJECT
  %kind.at = getelementptr i8, ptr %record, i64 8
  store i32 -1, ptr %kind.at, align 8$OBJECT
  %number = lshr i64 %pointer, 32
  %narrow = trunc i64 %number to i32
  %oldest = load i32, ptr @cpsconv.oldest
  %is.empty = icmp eq i32 %oldest, 0
  br i1 %is.empty, label %first, label %further
first:
  store i32 %narrow, ptr @cpsconv.oldest
  br label %done
further:
  %latest = load i32, ptr @cpsconv.latest
  %latest.number = zext i32 %latest to i64
  %latest.pointer = shl i64 %latest.number, 32
  %latest.record = call ptr @cpsconv.record(i64 %latest.pointer)
  %queue.at = getelementptr i8, ptr %latest.record, i64 12
  store i32 %narrow, ptr %queue.at, align 4$OBJECT
  br label %done
done:
  store i32 %narrow, ptr @cpsconv.latest
  %next.at = getelementptr i8, ptr %record, i64 12
  store i32 0, ptr %next.at, align 4$OBJECT
  ret void
}
""",
    "variable": """
define internal i64 @cpsconv.variable(i64 %count, i64 %most, i64 %size, i32 %site) alwaysinline {
  %is.too.large = icmp ugt i64 %count, %most
  br i1 %is.too.large, label %fault, label %fine
fine:
  %bytes = mul i64 %count, %size
  %pointer = call i64 @cpsconv.new(i64 %bytes, i32 %site, i32 1, i1 false)
  ret i64 %pointer
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %count, i64 0, i64 0)
  unreachable
}
""",
    "deallocate": """
define internal void @cpsconv.deallocate(i64 %pointer, i32 %site) alwaysinline {
  %is.fine = call i1 @cpsconv.ends(i64 %pointer, i32 1)
  br i1 %is.fine, label %fine, label %fault
fine:
  call void @cpsconv.end(i64 %pointer, i32 %site)
  ret void
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  unreachable
}
""",
    "malloc": """
define internal i64 @cpsconv.malloc(i64 %size, i32 %site) {
  %is.too.large = icmp ugt i64 %size, 2147483647
  br i1 %is.too.large, label %null, label %fine
fine:
  %pointer = call i64 @cpsconv.new(i64 %size, i32 %site, i32 2, i1 false)
  ret i64 %pointer
null:
  ret i64 0
}
""",
    "calloc": """
define internal i64 @cpsconv.calloc(i64 %count, i64 %size, i32 %site) {
  %product = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %size)
  %bytes = extractvalue { i64, i1 } %product, 0
  %is.over = extractvalue { i64, i1 } %product, 1
  %is.much = icmp ugt i64 %bytes, 2147483647
  %is.too.large = or i1 %is.over, %is.much
  br i1 %is.too.large, label %null, label %fine
fine:
  %pointer = call i64 @cpsconv.new(i64 %bytes, i32 %site, i32 2, i1 true)
  ret i64 %pointer
null:
  ret i64 0
}
""",
    "free": """
define internal void @cpsconv.free(i64 %pointer, i32 %site) {
  %is.null = icmp eq i64 %pointer, 0
  br i1 %is.null, label %done, label %some
some:
  %is.fine = call i1 @cpsconv.ends(i64 %pointer, i32 2)
  br i1 %is.fine, label %fine, label %fault
fine:
  call void @cpsconv.end(i64 %pointer, i32 %site)
  ret void
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  unreachable
done:
  ret void
}
""",
    "realloc": """
define internal i64 @cpsconv.realloc(i64 %pointer, i64 %size, i32 %site) {
  %is.null = icmp eq i64 %pointer, 0
  br i1 %is.null, label %new, label %some
new:
  %only = call i64 @cpsconv.malloc(i64 %size, i32 %site)
  ret i64 %only
some:
  %is.too.large = icmp ugt i64 %size, 2147483647
  br i1 %is.too.large, label %null, label %fits
null:
  ret i64 0
fits:
  %is.fine = call i1 @cpsconv.ends(i64 %pointer, i32 2)
  br i1 %is.fine, label %fine, label %fault
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 %size, i64 0)
  unreachable
fine:
  %is.free = icmp eq i64 %size, 0
  br i1 %is.free, label %ended, label %changed
ended:
  call void @cpsconv.end(i64 %pointer, i32 %site)
  ret i64 0
changed:
  %result.pointer = call i64 @cpsconv.new(i64 %size, i32 %site, i32 2, i1 false)
  %old = call ptr @cpsconv.object(i64 %pointer)
  %old.size.at = getelementptr i8, ptr %old, i64 8
  %old.size = load i32, ptr %old.size.at, align 8$OBJECT
  %old.wide = zext i32 %old.size to i64
  %kept = call i64 @llvm.umin.i64(i64 %old.wide, i64 %size)
  %moved = call i1 @cpsconv.move(i64 %pointer, i64 0, i64 %result.pointer, i64 0, i64 %kept)
  call void @cpsconv.end(i64 %pointer, i32 %site)
  ret i64 %result.pointer
}
""",
    "text": """
; The bytes of a string with a zero, or of at most `limit` bytes (all if it is negative), if they are correct; or null.
define internal ptr @cpsconv.text(i64 %pointer, i64 %limit) {
  %object = call ptr @cpsconv.object(i64 %pointer)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 8
  %size = load i32, ptr %size.at, align 8$OBJECT
  %wide = zext i32 %size to i64
  %offset = call i64 @cpsconv.offset(i64 %pointer)
  %is.inside = icmp ult i64 %offset, %wide
  br i1 %is.inside, label %inside, label %wrong
inside:
  %at = getelementptr i8, ptr %base, i64 %offset
  %available = sub i64 %wide, %offset
  %most = call i64 @llvm.umin.i64(i64 %available, i64 %limit)
  %zero = call ptr @memchr(ptr %at, i32 0, i64 %most)
  %has.zero = icmp ne ptr %zero, null
  %start = ptrtoint ptr %at to i64
  %end = ptrtoint ptr %zero to i64
  %distance = sub i64 %end, %start
  %length = add i64 %distance, 1
  %examined = select i1 %has.zero, i64 %length, i64 %most
  %is.limited = icmp eq i64 %most, %limit
  %has.end = or i1 %has.zero, %is.limited
  br i1 %has.end, label %ended, label %wrong
ended:
  %marks = getelementptr i8, ptr %at, i64 %wide
  %is.written = call i1 @cpsconv.written(ptr %marks, i64 %examined)
  br i1 %is.written, label %fine, label %wrong
fine:
  ret ptr %at
wrong:
  ret ptr null
}
""",
    "written": """
; Whether all of these marks are set: the first is, and each equals the one before.
define internal i1 @cpsconv.written(ptr %marks, i64 %count) {
  %is.empty = icmp eq i64 %count, 0
  br i1 %is.empty, label %done, label %some
some:
  %first = load i8, ptr %marks
  %is.set = icmp eq i8 %first, -1
  br i1 %is.set, label %compare, label %done
compare:
  %rest = sub i64 %count, 1
  %second = getelementptr i8, ptr %marks, i64 1
  %difference = call i32 @memcmp(ptr %marks, ptr %second, i64 %rest)
  %is.equal = icmp eq i32 %difference, 0
  ret i1 %is.equal
done:
  ret i1 %is.empty
}
""",
    "string": """
define internal ptr @cpsconv.string(i64 %pointer, i64 %limit, i32 %site) {
  %text = call ptr @cpsconv.text(i64 %pointer, i64 %limit)
  %is.wrong = icmp eq ptr %text, null
  br i1 %is.wrong, label %wrong, label %fine
wrong:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 %limit, i64 0)
  ret ptr text""
fine:
  ret ptr %text
}
""",
    "place": """
; The data at the pointer, null unless so many bytes are correct, and their marks. 8 is for reading, 12 for writing.
define internal { ptr, ptr } @cpsconv.place(i64 %pointer, i64 %count, i64 %purpose) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %pointer)
  %base = load ptr, ptr %object, align 16$OBJECT
  %size.at = getelementptr i8, ptr %object, i64 %purpose
  %size = load i32, ptr %size.at, align 4$OBJECT
  %wide = zext i32 %size to i64
  %offset = call i64 @cpsconv.offset(i64 %pointer)
  %before = sub i64 %count, 1
  %places = call i64 @llvm.usub.sat.i64(i64 %wide, i64 %before)
  %is.inside = icmp ult i64 %offset, %places
  %at = getelementptr i8, ptr %base, i64 %offset
  %marks = getelementptr i8, ptr %at, i64 %wide
  %correct = select i1 %is.inside, ptr %at, ptr null
  %pair = insertvalue { ptr, ptr } undef, ptr %correct, 0
  %both = insertvalue { ptr, ptr } %pair, ptr %marks, 1
  ret { ptr, ptr } %both
}
""",
    "sign": """
define internal i32 @cpsconv.sign(i32 %difference) alwaysinline {
  %not.above = call i32 @llvm.smin.i32(i32 %difference, i32 1)
  %sign = call i32 @llvm.smax.i32(i32 %not.above, i32 -1)
  ret i32 %sign
}
""",
    "library.strlen": """
define internal i64 @cpsconv.library.strlen(i64 %string) {
  %text = call ptr @cpsconv.text(i64 %string, i64 -1)
  %is.wrong = icmp eq ptr %text, null
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %length = call i64 @strlen(ptr %text)
  ret i64 %length
wrong:
  %site = load i32, ptr @cpsconv.site
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %string, i64 0, i64 0)
  ret i64 %result
}
""",
    "library.strcmp": """
define internal i32 @cpsconv.library.strcmp(i64 %one, i64 %other) {
  %left = call ptr @cpsconv.text(i64 %one, i64 -1)
  %right = call ptr @cpsconv.text(i64 %other, i64 -1)
  %is.left.wrong = icmp eq ptr %left, null
  %is.right.wrong = icmp eq ptr %right, null
  %is.wrong = or i1 %is.left.wrong, %is.right.wrong
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %difference = call i32 @strcmp(ptr %left, ptr %right)
  %sign = call i32 @cpsconv.sign(i32 %difference)
  ret i32 %sign
wrong:
  %site = load i32, ptr @cpsconv.site
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %one, i64 %other, i64 0)
  %narrow = trunc i64 %result to i32
  ret i32 %narrow
}
""",
    "library.strcpy": """
define internal i64 @cpsconv.library.strcpy(i64 %target, i64 %source) {
  %text = call ptr @cpsconv.text(i64 %source, i64 -1)
  %is.wrong = icmp eq ptr %text, null
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %length = call i64 @strlen(ptr %text)
  %size = add i64 %length, 1
  %start = call i64 @cpsconv.offset(i64 %source)
  %end = call i64 @cpsconv.offset(i64 %target)
  %is.done = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.done, label %done, label %wrong
done:
  ret i64 %target
wrong:
  %site = load i32, ptr @cpsconv.site
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %target, i64 %source, i64 0)
  ret i64 %result
}
""",
    "library.memcpy": """
define internal i64 @cpsconv.library.memcpy(i64 %target, i64 %source, i64 %size) {
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %done, label %some
some:
  %start = call i64 @cpsconv.offset(i64 %source)
  %end = call i64 @cpsconv.offset(i64 %target)
  %is.done = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.done, label %done, label %wrong
done:
  ret i64 %target
wrong:
  %site = load i32, ptr @cpsconv.site
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %target, i64 %source, i64 %size)
  ret i64 %result
}
""",
    "library.memset": """
define internal i64 @cpsconv.library.memset(i64 %target, i32 %value, i64 %size) {
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %done, label %some
some:
  %place = call { ptr, ptr } @cpsconv.place(i64 %target, i64 %size, i64 12)
  %at = extractvalue { ptr, ptr } %place, 0
  %marks = extractvalue { ptr, ptr } %place, 1
  %is.wrong = icmp eq ptr %at, null
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %byte = trunc i32 %value to i8
  call void @llvm.memset.p0.i64(ptr %at, i8 %byte, i64 %size, i1 false)
  call void @llvm.memset.p0.i64(ptr %marks, i8 -1, i64 %size, i1 false)
  br label %done
done:
  ret i64 %target
wrong:
  %site = load i32, ptr @cpsconv.site
  %wide = sext i32 %value to i64
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %target, i64 %wide, i64 %size)
  ret i64 %result
}
""",
    "library.memcmp": """
define internal i32 @cpsconv.library.memcmp(i64 %one, i64 %other, i64 %size) {
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %same, label %some
same:
  ret i32 0
some:
  %left = call { ptr, ptr } @cpsconv.place(i64 %one, i64 %size, i64 8)
  %right = call { ptr, ptr } @cpsconv.place(i64 %other, i64 %size, i64 8)
  %left.at = extractvalue { ptr, ptr } %left, 0
  %right.at = extractvalue { ptr, ptr } %right, 0
  %is.left.wrong = icmp eq ptr %left.at, null
  %is.right.wrong = icmp eq ptr %right.at, null
  %is.outside = or i1 %is.left.wrong, %is.right.wrong
  br i1 %is.outside, label %slow, label %inside
inside:
  %left.marks = extractvalue { ptr, ptr } %left, 1
  %right.marks = extractvalue { ptr, ptr } %right, 1
  %is.left.written = call i1 @cpsconv.written(ptr %left.marks, i64 %size)
  %is.right.written = call i1 @cpsconv.written(ptr %right.marks, i64 %size)
  %is.written = and i1 %is.left.written, %is.right.written
  br i1 %is.written, label %fine, label %slow
fine:
  %difference = call i32 @memcmp(ptr %left.at, ptr %right.at, i64 %size)
  %sign = call i32 @cpsconv.sign(i32 %difference)
  ret i32 %sign
slow:
  %site = load i32, ptr @cpsconv.site
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %one, i64 %other, i64 %size)
  %narrow = trunc i64 %result to i32
  ret i32 %narrow
}
""",
}
_FUNCTIONS["library.memmove"] = _FUNCTIONS["library.memcpy"].replace("memcpy", "memmove")

LIBRARY_FUNCTIONS = [name.removeprefix("library.") for name in _FUNCTIONS if name.startswith("library.")]
"""The external functions that the engine provides. The number of a function is its position, from 1 on."""

_NUMBERS = {f"library.{name}": str(number) for number, name in enumerate(LIBRARY_FUNCTIONS, 1)}

HELPERS = {
    **{f"cpsconv.{name}": f"@cpsconv.{name} = global {initial}" for name, initial in _GLOBALS.items()},
    **{
        f"cpsconv.{name}": Template(text).substitute(
            OBJECT=_OBJECT, MARK=_MARK, DATA=_DATA, objects=str(OBJECTS), library=_NUMBERS.get(name, "0")
        )
        for name, text in _FUNCTIONS.items()
    },
}
"""The definitions of all other helpers, by name."""
