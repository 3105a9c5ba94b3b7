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
  %mark = call $I @cpsconv.marks_in.$type(ptr %base, i64 %wide, i64 %root, i64 %offset)
  ret $I %mark
}

;; marks_in
define internal $I @cpsconv.marks_in.$type(ptr %base, i64 %size, i64 %root, i64 %offset) alwaysinline {
  %at = getelementptr i8, ptr %base, i64 %offset
  %mark.at = getelementptr i8, ptr %at, i64 %size
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
; A store in a program in which some bytes of an object may be constant: those of its mask that are not 0. If there are
; such bytes in the object, its size for stores is 0.
define internal void @cpsconv.protected_store$whole.$type($T %value, $I %mark, i64 %root, i64 %offset, i32 %site) {
  $find_root
  %writable.at = getelementptr i8, ptr %object, i64 12
  %writable = load i32, ptr %writable.at, align 4$OBJECT
  %is.free = icmp eq i32 %writable, %size
  br i1 %is.free, label %fine, label %protected
protected:
  %places = call i64 @llvm.usub.sat.i64(i64 %wide, i64 $before)
  %is.inside = icmp ult i64 %offset, %places
  br i1 %is.inside, label %inside, label %fine
inside:
  %shifted = add i64 %root, 2147483648
  %number = lshr i64 %shifted, 32
  %masks = load ptr, ptr @cpsconv.masks
  %mask.at = getelementptr ptr, ptr %masks, i64 %number
  %mask = load ptr, ptr %mask.at
  %bytes.at = getelementptr i8, ptr %mask, i64 %offset
  %bytes = load $I, ptr %bytes.at, align 1
  %is.changeable = icmp eq $I %bytes, 0
  br i1 %is.changeable, label %fine, label %fault
fine:
  call void @cpsconv.store_in$whole.$type($T %value, $I %mark, ptr %base, i64 %wide, i64 %root, i64 %offset, i32 %site)
  ret void
$fault
}
