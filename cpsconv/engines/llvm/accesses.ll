; Loads and stores in checked memory: a definition for each type. Those for objects that are written completely have the
; suffix `_whole`, and neither check nor record marks.

;; load
define internal $T @cpsconv.load$whole.$type(i64 %root, i64 %offset, i32 %site) alwaysinline {
  $find_root
  %value = call $T @cpsconv.load_in$whole.$type(ptr %base, i64 %wide, i64 %root, i64 %offset, i32 %site)
  ret $T %value
}

;; load_in
define internal $T @cpsconv.load_in$whole.$type(ptr %base, i64 %size, i64 %root, i64 %offset, i32 %site) alwaysinline {
  %places = call i64 @llvm.usub.sat.i64(i64 %size, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fault
inside:
  %at = getelementptr i8, ptr %base, i64 %offset$check
  %raw = load $M, ptr %at, align 1$DATA
  $loaded
  ret $T %value
$fault
}

;; marks
; The marks of a place that is correct.
define internal $I @cpsconv.marks.$type(i64 %root, i64 %offset) alwaysinline {
  $find_root
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %wide
  %mark = load $I, ptr %mark.at, align 1$MARK
  ret $I %mark
}

;; load_or
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

;; store
define internal void @cpsconv.store$whole.$type($T %value, $I %mark, i64 %root, i64 %offset, i32 %site) alwaysinline {
  $find_writable_root
  call void @cpsconv.store_in$whole.$type($T %value, $I %mark, ptr %base, i64 %wide, i64 %root, i64 %offset, i32 %site)
  ret void
}

;; store_in
define internal void @cpsconv.store_in$whole.$type($T %value, $I %mark, ptr %base, i64 %size, i64 %root, i64 %offset,
  i32 %site) alwaysinline {
  %places = call i64 @llvm.usub.sat.i64(i64 %size, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fault
inside:
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %size
  $stored
  store $M %raw, ptr %at, align 1$DATA$record
  ret void
$fault
}

;; protected_store
; A store in a program in which some bytes of an object may be constant: the host decides, if any byte of it is.
define internal void @cpsconv.protected_store$whole.$type($T %value, $I %mark, i64 %root, i64 %offset, i32 %site) {
  $find_writable_root
  %places = call i64 @llvm.usub.sat.i64(i64 %wide, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %fine, label %doubtful
doubtful:
  %limited = call i64 @cpsconv.limited(i64 %offset)
  %pointer = call i64 @cpsconv.pointer(i64 %root, i64 %limited)
  %result = call i64 @cpsconv.slowly(i32 %site, i32 0, i64 %pointer, i64 0, i64 0)
  br label %fine
fine:
  %whole.at = getelementptr i8, ptr %object, i64 8
  %whole = load i32, ptr %whole.at, align 8$OBJECT
  %whole.wide = zext i32 %whole to i64
  call void @cpsconv.store_in$whole.$type($T %value, $I %mark, ptr %base, i64 %whole.wide, i64 %root, i64 %offset, i32 %site)
  ret void
}
