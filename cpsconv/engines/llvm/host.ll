; The ends of a run, which are reported to the host.

;; fail
define internal void @cpsconv.fail(i8* %location, i8* %message) cold noinline noreturn {
  call void @cpsconv.host(i8* text"fault", i32 0, i8* %location, i8* %message)
  call void @cpsconv.unwind()
  unreachable
}

;; unwind
; Leaves all functions after a runtime error, which was reported to the host. Each pending call is recorded.
define internal void @cpsconv.unwind() cold noinline noreturn {
  %exception = call i8* @calloc(i64 1, i64 64)
  %stop = bitcast i32 (i32, i32, i64, i8*, i8*, i8*)* @cpsconv.stop to i8*
  %code = call i32 @_Unwind_ForcedUnwind(i8* %exception, i8* %stop, i8* null)
  call void @cpsconv.unwound()
  unreachable
}

;; no_unwind
; `unwind` on a system without an unwinder.
define internal void @cpsconv.unwind() cold noinline noreturn {
  call void @cpsconv.unwound()
  unreachable
}

;; stop
; Called for each function that is left, and at the end of the stack (16 is _UA_END_OF_STACK).
define internal i32 @cpsconv.stop(i32 %version, i32 %actions, i64 %class, i8* %exception, i8* %context, i8* %given) {
  %end = and i32 %actions, 16
  %is.end = icmp ne i32 %end, 0
  br i1 %is.end, label %done, label %onward
onward:
  ret i32 0
done:
  call void @cpsconv.unwound()
  unreachable
}

;; unwound
define internal void @cpsconv.unwound() cold noinline noreturn {
  call void @cpsconv.host(i8* text"unwound", i32 0, i8* null, i8* null)
  unreachable
}

;; pending
; The number of recorded pending calls.
@cpsconv.pending = dso_local global i64 0

;; chain
; The numbers of the first ones and of the last one.
@cpsconv.chain = dso_local global $chain zeroinitializer

;; called
define internal void @cpsconv.called(i32 %number) cold noinline nounwind {
  %before = load i64, i64* @cpsconv.pending
  %index = call i64 @llvm.umin.i64(i64 %before, i64 $calls)
  %at = getelementptr $chain, $chain* @cpsconv.chain, i64 0, i64 %index
  store i32 %number, i32* %at
  %after = add i64 %before, 1
  store i64 %after, i64* @cpsconv.pending
  ret void
}

;; exit
define internal void @cpsconv.exit(i32 %status) cold noinline noreturn {
  call void @cpsconv.host(i8* text"exit", i32 %status, i8* null, i8* null)
  unreachable
}

;; abort
define internal void @cpsconv.abort() cold noinline noreturn {
  call void @cpsconv.host(i8* text"abort", i32 0, i8* null, i8* null)
  unreachable
}

;; eprint
define internal void @cpsconv.eprint(i8* %text) {
  %flushed = call i32 @fflush(i8* null)
  %size = call i64 @strlen(i8* %text)
  call void @cpsconv.admit(i64 %size, i8* text"errors", i8* %text)
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* text"%s", i8* %text)
  %is.lost = icmp slt i32 %written, 0
  br i1 %is.lost, label %lost, label %fine
lost:
  call void @cpsconv.host(i8* text"lost", i32 0, i8* null, i8* null)
  unreachable
fine:
  ret void
}

;; budget
; The number of bytes that the program may still write; without a limit, the largest number.
@cpsconv.budget = dso_local global i64 -1

;; admit
; Called before so many bytes are written; of too many, as many as permitted, which begin at `text`.
define internal void @cpsconv.admit(i64 %size, i8* %stream, i8* %text) alwaysinline {
  %left = load i64, i64* @cpsconv.budget
  %is.too.much = icmp ugt i64 %size, %left
  br i1 %is.too.much, label %exhausted, label %fine
exhausted:
  %permitted = trunc i64 %left to i32
  call void @cpsconv.host(i8* %stream, i32 %permitted, i8* %text, i8* null)
  unreachable
fine:
  %fewer = sub i64 %left, %size
  store i64 %fewer, i64* @cpsconv.budget
  ret void
}

;; putchar
define internal i32 @cpsconv.putchar(i32 %character) alwaysinline {
  call void @cpsconv.admit(i64 1, i8* text"output", i8* null)
  %written = call i32 @putchar(i32 %character)
  ret i32 %written
}

;; puts
define internal i32 @cpsconv.puts(i8* %text) {
  %size = call i64 @strlen(i8* %text)
  %line = add i64 %size, 1
  call void @cpsconv.admit(i64 %line, i8* text"output", i8* %text)
  %written = call i32 @puts(i8* %text)
  ret i32 %written
}

;; printf
define internal i32 @cpsconv.printf(i8* %format, ...) {
  %list = alloca [4 x i64], align 16
  %arguments = bitcast [4 x i64]* %list to i8*
  %left = load i64, i64* @cpsconv.budget
  %is.unlimited = icmp slt i64 %left, 0
  br i1 %is.unlimited, label %fine, label %measured
measured:
  call void @llvm.va_start.p0(i8* %arguments)
  %size = call i32 @cpsconv.vsnprintf(i8* null, i64 0, i8* %format, i8* %arguments)
  call void @llvm.va_end.p0(i8* %arguments)
  %wide = zext i32 %size to i64
  %is.too.much = icmp ugt i64 %wide, %left
  br i1 %is.too.much, label %exhausted, label %admitted
exhausted:
  %space = add i64 %left, 1
  %text = call i8* @calloc(i64 1, i64 %space)
  %is.missing = icmp eq i8* %text, null
  br i1 %is.missing, label %missing, label %exists
missing:
  call void @cpsconv.host(i8* text"memory", i32 0, i8* null, i8* null)
  unreachable
exists:
  call void @llvm.va_start.p0(i8* %arguments)
  %copied = call i32 @cpsconv.vsnprintf(i8* %text, i64 %space, i8* %format, i8* %arguments)
  %length = call i64 @strlen(i8* %text)
  %is.ended = icmp ult i64 %length, %left
  %has.failed = icmp slt i32 %copied, 0
  %is.short = and i1 %has.failed, %is.ended ; of a size that no `int` can represent, the text ends before it
  %least = select i1 %is.short, i64 %length, i64 %wide
  call void @cpsconv.admit(i64 %least, i8* text"output", i8* %text)
  call void @free(i8* %text)
  br label %fine
admitted:
  call void @cpsconv.admit(i64 %wide, i8* text"output", i8* null)
  br label %fine
fine:
  call void @llvm.va_start.p0(i8* %arguments)
  %written = call i32 @cpsconv.vprintf(i8* %format, i8* %arguments)
  %is.unprinted = icmp slt i32 %written, 0
  br i1 %is.unprinted, label %unprinted, label %printed
unprinted: ; for want of memory, the program ends
  call void @cpsconv.host(i8* text"unprinted", i32 0, i8* null, i8* null)
  br label %printed
printed:
  call void @llvm.va_end.p0(i8* %arguments)
  ret i32 %written
}
declare void @llvm.va_start.p0(i8*)
declare void @llvm.va_end.p0(i8*)

;; size
; The width or precision of a number, or the width or length of a string, beside the other one, so large that what may be
; written begins with the same bytes: the C library then takes few steps for a text beyond the limit. The digits of a
; number, without the zeros of its precision, are fewer than 32768.
define internal i32 @cpsconv.size(i32 %given, i32 %other) {
  %left = load i64, i64* @cpsconv.budget
  %is.less = icmp ult i64 %left, 4294967296
  %room = select i1 %is.less, i64 %left, i64 4294967296
  %wide = sext i32 %given to i64
  %beside = sext i32 %other to i64
  %is.negative = icmp slt i64 %wide, 0
  %opposite = sub i64 0, %wide
  %size = select i1 %is.negative, i64 %opposite, i64 %wide
  %is.left = icmp slt i64 %beside, 0
  %opposite.beside = sub i64 0, %beside
  %size.beside = select i1 %is.left, i64 %opposite.beside, i64 %beside
  %enough = add i64 %room, 32768
  %is.smaller = icmp ult i64 %size, %size.beside
  %smaller = select i1 %is.smaller, i64 %size, i64 %size.beside
  %is.small = icmp ule i64 %smaller, %enough
  %more = sub i64 %smaller, %enough
  %surplus = select i1 %is.small, i64 0, i64 %more ; of both
  %first = sub i64 %size, %surplus
  %second = sub i64 %size.beside, %surplus
  %most = add i64 %second, %enough
  %is.within = icmp ule i64 %first, %most
  %least = select i1 %is.within, i64 %first, i64 %most
  %negated = sub i64 0, %least
  %reduced = select i1 %is.negative, i64 %negated, i64 %least
  %result = trunc i64 %reduced to i32
  ret i32 %result
}

;; length
; The number of the characters of a string that a precision permits, with which `size` reduces a width.
define internal i32 @cpsconv.length(i8* %text, i32 %precision) {
  %is.negative = icmp slt i32 %precision, 0
  %most = select i1 %is.negative, i32 2147483647, i32 %precision
  %wide = zext i32 %most to i64
  %length = call i64 @strnlen(i8* %text, i64 %wide)
  %result = trunc i64 %length to i32
  ret i32 %result
}
declare i64 @strnlen(i8*, i64)

;; vprintf
declare i32 @cpsconv.vprintf(i8*, i8*)

;; vsnprintf
declare i32 @cpsconv.vsnprintf(i8*, i64, i8*, i8*)

;; deeper
define internal i32 @cpsconv.deeper(i32 %left, i32 %function) alwaysinline {
  %is.exceeded = icmp eq i32 %left, 0
  br i1 %is.exceeded, label %exceeded, label %fine
exceeded:
  call void @cpsconv.host(i8* text"depth", i32 %function, i8* null, i8* null)
  unreachable
fine:
  %fewer = sub i32 %left, 1
  ret i32 %fewer
}

;; host
declare void @cpsconv.host(i8*, i32, i8*, i8*) nounwind
declare i32 @_Unwind_ForcedUnwind(i8*, i8*, i8*)
