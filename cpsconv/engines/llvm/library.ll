; The external functions that the engine provides, and helpers for strings and blocks. At `wrong`, the host performs the
; call of a function with its arguments, and raises the error.

;; text
; The bytes of a string with a zero, or of at most `limit` bytes (all if it is negative), if they are correct; or null.
define internal ptr @cpsconv.text(i64 %pointer, i64 %limit) {
  $find_pointer
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

;; written
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

;; string
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

;; place
; The data at the pointer, null unless so many bytes are correct, and their marks. 8 is for reading, 12 for writing.
define internal { ptr, ptr } @cpsconv.place(i64 %pointer, i64 %count, i64 %purpose) alwaysinline {
  $find_pointer_for
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

;; apart
; Whether places of this size do not overlap, or are the same.
define internal i1 @cpsconv.apart(i64 %one, i64 %other, i64 %size) alwaysinline {
  %difference = sub i64 %one, %other
  %distance = call i64 @llvm.abs.i64(i64 %difference, i1 false)
  %is.same = icmp eq i64 %difference, 0
  %is.distant = icmp uge i64 %distance, %size
  %is.apart = or i1 %is.same, %is.distant
  ret i1 %is.apart
}

;; sign
define internal i32 @cpsconv.sign(i32 %difference) alwaysinline {
  %not.above = call i32 @llvm.smin.i32(i32 %difference, i32 1)
  %sign = call i32 @llvm.smax.i32(i32 %not.above, i32 -1)
  ret i32 %sign
}

;; library.strlen
define internal i64 @cpsconv.library.strlen(i64 %string) {
  %text = call ptr @cpsconv.text(i64 %string, i64 -1)
  %is.wrong = icmp eq ptr %text, null
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %length = call i64 @strlen(ptr %text)
  ret i64 %length
$wrong
}

;; library.strcmp
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
$wrong
}

;; library.strcpy
define internal i64 @cpsconv.library.strcpy(i64 %target, i64 %source) {
  %text = call ptr @cpsconv.text(i64 %source, i64 -1)
  %is.wrong = icmp eq ptr %text, null
  br i1 %is.wrong, label %wrong, label %fine
fine:
  %length = call i64 @strlen(ptr %text)
  %size = add i64 %length, 1
  %is.apart = call i1 @cpsconv.apart(i64 %source, i64 %target, i64 %size)
  br i1 %is.apart, label %apart, label %wrong
apart:
  %start = call i64 @cpsconv.offset(i64 %source)
  %end = call i64 @cpsconv.offset(i64 %target)
  %is.done = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.done, label %done, label %wrong
done:
  ret i64 %target
$wrong
}

;; library.memcpy
define internal i64 @cpsconv.library.memcpy(i64 %target, i64 %source, i64 %size) {
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %done, label %some
some:
  %is.apart = call i1 @cpsconv.apart(i64 %source, i64 %target, i64 %size)
  br i1 %is.apart, label %apart, label %wrong
apart:
  %start = call i64 @cpsconv.offset(i64 %source)
  %end = call i64 @cpsconv.offset(i64 %target)
  %is.done = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.done, label %done, label %wrong
done:
  ret i64 %target
$wrong
}

;; library.memmove
define internal i64 @cpsconv.library.memmove(i64 %target, i64 %source, i64 %size) {
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %done, label %some
some:
  %start = call i64 @cpsconv.offset(i64 %source)
  %end = call i64 @cpsconv.offset(i64 %target)
  %is.done = call i1 @cpsconv.move(i64 %source, i64 %start, i64 %target, i64 %end, i64 %size)
  br i1 %is.done, label %done, label %wrong
done:
  ret i64 %target
$wrong
}

;; library.memset
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
$wrong
}

;; library.memcmp
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
  br i1 %is.outside, label %wrong, label %inside
inside:
  %left.marks = extractvalue { ptr, ptr } %left, 1
  %right.marks = extractvalue { ptr, ptr } %right, 1
  %is.left.written = call i1 @cpsconv.written(ptr %left.marks, i64 %size)
  %is.right.written = call i1 @cpsconv.written(ptr %right.marks, i64 %size)
  %is.written = and i1 %is.left.written, %is.right.written
  br i1 %is.written, label %fine, label %wrong
fine:
  %difference = call i32 @memcmp(ptr %left.at, ptr %right.at, i64 %size)
  %sign = call i32 @cpsconv.sign(i32 %difference)
  ret i32 %sign
$wrong
}
