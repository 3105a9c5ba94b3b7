; Operations that take several instructions, and the ends of a program.

;; fail
; Ends the program with a runtime error. The place is empty or ends with a colon and a space.
define internal void @cpsconv.fail(i8* %place, i8* %message) cold noinline noreturn {
  %flushed = call i32 @fflush(i8* null)
  %format = bitcast i8* text"%sruntime error: %s\n" to i8*
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* %format, i8* %place, i8* %message)
  call void @exit(i32 3)
  unreachable
}

;; use
; Called before the use of a value that may be undefined. The message is null if the value is defined.
define internal void @cpsconv.use(i8* %message, i8* %place) alwaysinline {
  %defined = icmp eq i8* %message, null
  br i1 %defined, label %fine, label %fault
fine:
  ret void
fault:
  call void @cpsconv.fail(i8* %place, i8* %message)
  unreachable
}

;; returned
; The place where an undefined value was returned last.
@cpsconv.returned = internal global i8* null

;; abort
; Flushes the output and aborts the program.
define internal void @cpsconv.abort() cold noreturn {
  %flushed = call i32 @fflush(i8* null)
  call void @abort()
  unreachable
}

;; eprint
; Flushes the output and writes to standard error.
define internal void @cpsconv.eprint(i8* %text) {
  %flushed = call i32 @fflush(i8* null)
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* text"%s", i8* %text)
  ret void
}

;; stack
; Runs before main. Raises the limit of the stack as far as possible (3 is RLIMIT_STACK).
define internal void @cpsconv.stack() {
  %limits = alloca [2 x i64]
  %got = call i32 @getrlimit(i32 3, [2 x i64]* %limits)
  %soft = getelementptr [2 x i64], [2 x i64]* %limits, i64 0, i64 0
  %hard = getelementptr [2 x i64], [2 x i64]* %limits, i64 0, i64 1
  %most = load i64, i64* %hard
  store i64 %most, i64* %soft
  %set = call i32 @setrlimit(i32 3, [2 x i64]* %limits)
  ret void
}
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }]
  [{ i32, void ()*, i8* } { i32 65535, void ()* @cpsconv.stack, i8* null }]

;; check
; Called before an operation that raises a runtime error on some operands.
define internal void @cpsconv.check(i1 %is.fault, i8* %place, i8* %message) alwaysinline {
  br i1 %is.fault, label %fault, label %fine
fine:
  ret void
fault:
  call void @cpsconv.fail(i8* %place, i8* %message)
  unreachable
}

;; arithmetic
; LLVM does not define the sign of a NaN. On x86-64 it is that of the first NaN among the operands, else negative.
define internal $T @$name($T %left, $T %right) alwaysinline {
  %result = $instruction $T %left, %right
  %is.number = fcmp ord $T %result, $zero
  br i1 %is.number, label %number, label %nan
number:
  ret $T %result
nan:
  %left.is.nan = fcmp uno $T %left, $zero
  %right.is.nan = fcmp uno $T %right, $zero
  %right.or.new = select i1 %right.is.nan, $T %right, $T $nan
  %chosen = select i1 %left.is.nan, $T %left, $T %right.or.new
  ret $T %chosen
}

;; truncate
; As the instruction cvttsd2si: the least integer if the value is out of range.
define internal $T @$name($W %value) alwaysinline {
  %is.not.below = fcmp oge $W %value, $low
  %is.not.above = fcmp olt $W %value, $high
  %fits = and i1 %is.not.below, %is.not.above
  %fitting = select i1 %fits, $W %value, $W $zero
  %whole = fptosi $W %fitting to $T
  %result = select i1 %fits, $T %whole, $T $least
  ret $T %result
}

;; to_integer
define internal $T @$name($S %value) alwaysinline {
  %wide = $widen $S %value to $W
  %result = call $T @$truncate($W %wide)
  ret $T %result
}

;; to_unsigned_long
define internal $T @$name($S %value) alwaysinline {
  %wide = $widen $S %value to $W
  %is.large = fcmp oge $W %wide, $half
  %less = fsub $W %wide, $half
  %small = select i1 %is.large, $W %less, $W %wide
  %answer = call i64 @$truncate($W %small)
  %more = add i64 %answer, -9223372036854775808
  %result = select i1 %is.large, i64 %more, i64 %answer
  ret i64 %result
}

;; to_unsigned_int128
; The upper half and the rest are converted.
define internal i128 @$name($S %value) {
  %wide = $widen $S %value to $W
  %is.low = fcmp olt $W %wide, $lowest
  %number = select i1 %is.low, $W $zero, $W %wide
  %units = fdiv $W %number, $unit
  %high = call i64 @$part($W %units)
  %whole = uitofp i64 %high to $W
  %converted = fmul $W %whole, $unit
  %rest = fsub $W %number, %converted
  %low = call i64 @$part($W %rest)
  %high.wide = zext i64 %high to i128
  %low.wide = zext i64 %low to i128
  %upper = shl i128 %high.wide, 64
  %result = or i128 %upper, %low.wide
  ret i128 %result
}

;; to_int128
; The magnitude is converted.
define internal i128 @$name($S %value) {
  %wide = $widen $S %value to $W
  %magnitude = call $W @$absolute($W %wide)
  %converted = call i128 @$part($W %magnitude)
  %is.negative = fcmp olt $W %wide, $zero
  %negated = sub i128 0, %converted
  %result = select i1 %is.negative, i128 %negated, i128 %converted
  ret i128 %result
}

;; declarations
i32 @__gcc_personality_v0(...)
void @_exit(i32) noreturn
void @abort() noreturn
i8* @aligned_alloc(i64, i64)
i8* @calloc(i64, i64)
i32 @dprintf(i32, i8*, ...)
void @exit(i32) noreturn
i32 @fflush(i8*)
void @free(i8*)
i32 @getrlimit(i32, [2 x i64]*)
void @longjmp(i8*, i32) noreturn
i32 @_setjmp(i8*) returns_twice
i64 @llvm.abs.i64(i64, i1)
void @llvm.lifetime.end.p0(i64, ptr)
void @llvm.lifetime.start.p0(i64, ptr)
void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
void @llvm.memset.p0.i64(ptr, i8, i64, i1)
void @llvm.trap()
{ i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
i64 @llvm.usub.sat.i64(i64, i64)
i8* @malloc(i64)
i8* @memchr(i8*, i32, i64)
i32 @memcmp(i8*, i8*, i64)
i32 @printf(i8*, ...)
i32 @putchar(i32)
i32 @puts(i8*)
i8* @realloc(i8*, i64)
i32 @setrlimit(i32, [2 x i64]*)
i32 @strcmp(i8*, i8*)
i64 @strlen(i8*)
