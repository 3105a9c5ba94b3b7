; Checked memory (checked_memory.py): the table of objects, allocation, copies, and calls through pointers.
;
; @cpsconv.object finds the entry of an object in the table (native_objects.py): base, size, writable size. An object
; whose lifetime has ended has the size 0; a constant one the writable size 0. After the bytes of an object are as many
; marks, -1 for a byte that was written and 0 for another one. Type-based alias information states that data, marks and
; table do not overlap, so that LLVM moves look-ups out of loops.
;
; A helper that cannot perform the operation calls the host through @cpsconv.slow, with the number of the site and the
; operands of the operation.

;; lookup
@cpsconv.objects = dso_local global ptr null
declare i64 @llvm.umin.i64(i64, i64)
define ptr @cpsconv.object(i64 %pointer) alwaysinline {
  %shifted = add i64 %pointer, 2147483648
  %number = lshr i64 %shifted, 32
  %index = call i64 @llvm.umin.i64(i64 %number, i64 $objects)
  %table = load ptr, ptr @cpsconv.objects
  %object = getelementptr { ptr, i32, i32 }, ptr %table, i64 %index
  ret ptr %object
}

;; object
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

;; address
; The address of the bytes of a new variable.
define internal ptr @cpsconv.address(i64 %pointer) alwaysinline {
  %object = call ptr @cpsconv.object(i64 %pointer)
  %base = load ptr, ptr %object, align 16$OBJECT
  ret ptr %base
}

;; offset
define internal i64 @cpsconv.offset(i64 %pointer) alwaysinline {
  %low = trunc i64 %pointer to i32
  %offset = sext i32 %low to i64
  ret i64 %offset
}

;; limited
define internal i64 @cpsconv.limited(i64 %offset) alwaysinline {
  %not.below = call i64 @llvm.smax.i64(i64 %offset, i64 -2147483648)
  %limited = call i64 @llvm.smin.i64(i64 %not.below, i64 2147483647)
  ret i64 %limited
}

;; pointer
define internal i64 @cpsconv.pointer(i64 %root, i64 %offset) alwaysinline {
  %old = call i64 @cpsconv.offset(i64 %root)
  %start = sub i64 %root, %old
  %pointer = add i64 %start, %offset
  ret i64 %pointer
}

;; record
; Origin, site of the end, kind, and next number in the queue of dead objects.
define internal ptr @cpsconv.record(i64 %pointer) alwaysinline {
  %shifted = add i64 %pointer, 2147483648
  %number = lshr i64 %shifted, 32
  %index = call i64 @llvm.umin.i64(i64 %number, i64 $objects)
  %table = load ptr, ptr @cpsconv.records
  %record = getelementptr { i32, i32, i32, i32 }, ptr %table, i64 %index
  ret ptr %record
}

;; fault
define internal void @cpsconv.fault(i32 %site, i64 %root, i64 %offset) cold noinline noreturn {
  %limited = call i64 @cpsconv.limited(i64 %offset)
  %pointer = call i64 @cpsconv.pointer(i64 %root, i64 %limited)
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  call void @llvm.trap()
  unreachable
}

;; slowly
define internal i64 @cpsconv.slowly(i32 %site, i32 %library, i64 %a, i64 %b, i64 %c) cold noinline {
  %host = load ptr, ptr @cpsconv.slow
  %result = call i64 %host(i32 %site, i32 %library, i64 %a, i64 %b, i64 %c)
  %failed = load i32, ptr @cpsconv.failed
  %is.failed = icmp ne i32 %failed, 0
  br i1 %is.failed, label %fault, label %fine
fine:
  ret i64 %result
fault:
  call void @cpsconv.unwind()
  unreachable
}

;; move
; Copies bytes with their marks, if both places are correct.
define internal i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size) alwaysinline {
  $find_source
  $find_target
  %before = sub i64 %size, 1
  %source.places = call i64 @llvm.usub.sat.i64(i64 %source.wide, i64 %before)
  %target.places = call i64 @llvm.usub.sat.i64(i64 %target.wide, i64 %before)
  %is.readable = icmp ult i64 %start, %source.places
  %is.writable = icmp ult i64 %end, %target.places
  %is.fine = and i1 %is.readable, %is.writable
  br i1 %is.fine, label %fine, label %done
fine:
  %read = getelementptr i8, ptr %source.base, i64 %start
  %write = getelementptr i8, ptr %target.base, i64 %end
  %read.marks = getelementptr i8, ptr %read, i64 %source.wide
  %write.marks = getelementptr i8, ptr %write, i64 %target.wide
  call void @llvm.memmove.p0.p0.i64(ptr %write, ptr %read, i64 %size, i1 false)$DATA
  call void @llvm.memmove.p0.p0.i64(ptr %write.marks, ptr %read.marks, i64 %size, i1 false)$MARK
  br label %done
done:
  ret i1 %is.fine
}

;; copy
define internal void @cpsconv.copy(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size, i32 %site) alwaysinline {
  %is.fine = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.fine, label %fine, label %slow
slow:
  call void @cpsconv.copy_slowly(i64 %source, i64 %start, i64 %target, i64 %end, i32 %site)
  br label %fine
fine:
  ret void
}

;; copy_slowly
define internal void @cpsconv.copy_slowly(i64 %source, i64 %start, i64 %target, i64 %end, i32 %site) cold noinline {
  %limited.start = call i64 @cpsconv.limited(i64 %start)
  %from = call i64 @cpsconv.pointer(i64 %source, i64 %limited.start)
  %limited.end = call i64 @cpsconv.limited(i64 %end)
  %to = call i64 @cpsconv.pointer(i64 %target, i64 %limited.end)
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %from, i64 %to, i64 0)
  ret void
}

;; function
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

;; new
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

;; ends
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

;; end
; Ends the lifetime of an object, and appends it to the queue of dead ones.
define internal void @cpsconv.end(i64 %pointer, i32 %site) noinline {
  $find_pointer
  call void @free(ptr %base)
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

;; variable
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

;; deallocate
define internal void @cpsconv.deallocate(i64 %pointer, i32 %site) {
  %is.fine = call i1 @cpsconv.ends(i64 %pointer, i32 1)
  br i1 %is.fine, label %fine, label %fault
fine:
  call void @cpsconv.end(i64 %pointer, i32 %site)
  ret void
fault:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  unreachable
}

;; make_constant
define internal void @cpsconv.make_constant(i64 %pointer, i32 %site) noinline {
  %is.variable = call i1 @cpsconv.ends(i64 %pointer, i32 1)
  br i1 %is.variable, label %variable, label %other
variable:
  %object = call ptr @cpsconv.object(i64 %pointer)
  %writable.at = getelementptr i8, ptr %object, i64 12
  store i32 0, ptr %writable.at, align 4$OBJECT
  ret void
other:
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  ret void
}

;; make_bytes_constant
define internal void @cpsconv.make_bytes_constant(i64 %pointer, i64 %size, i32 %site) noinline {
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 %size, i64 0)
  ret void
}

;; malloc
define internal i64 @cpsconv.malloc(i64 %size, i32 %site) {
  %is.too.large = icmp ugt i64 %size, 2147483647
  br i1 %is.too.large, label %null, label %fine
fine:
  %pointer = call i64 @cpsconv.new(i64 %size, i32 %site, i32 2, i1 false)
  ret i64 %pointer
null:
  ret i64 0
}

;; calloc
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

;; free
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

;; realloc
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

;; save
; Saves the continuation after the next call of `_setjmp`, whose native buffer is followed by the number of objects.
define internal void @cpsconv.save(i64 %pointer, ptr %buffer, i32 %site) noinline {
  %address = ptrtoint ptr %buffer to i64
  %next = load i64, ptr @cpsconv.next
  %first.at = getelementptr i8, ptr %buffer, i64 200
  store i64 %next, ptr %first.at
  %result = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 %address, i64 0)
  ret void
}

;; jump
; Enters the continuation that was saved in a buffer, and ends the variables that were allocated since then.
define internal void @cpsconv.jump(i64 %pointer, i32 %value, i32 %site) noinline noreturn {
entry:
  %address = call i64 @cpsconv.slowly(i32 %site, i32 $library, i64 %pointer, i64 0, i64 0)
  %buffer = inttoptr i64 %address to ptr
  %first.at = getelementptr i8, ptr %buffer, i64 200
  %first = load i64, ptr %first.at
  %next = load i64, ptr @cpsconv.next
  br label %test
test:
  %number = phi i64 [ %first, %entry ], [ %following, %further ]
  %is.done = icmp uge i64 %number, %next
  br i1 %is.done, label %done, label %examine
examine:
  %object = shl i64 %number, 32
  %is.variable = call i1 @cpsconv.ends(i64 %object, i32 1)
  br i1 %is.variable, label %left, label %further
left:
  call void @cpsconv.end(i64 %object, i32 %site)
  br label %further
further:
  %following = add i64 %number, 1
  br label %test
done:
  store i64 %next, ptr %first.at
  call void @longjmp(ptr %buffer, i32 %value)
  unreachable
}
