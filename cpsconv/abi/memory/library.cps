// The functions of C's library that programs do not define themselves.

strlen(s : ptr, ret : unsigned long → ⊥) → ⊥ {
  length_of(s, -1l, ret)
}

strcpy(target : ptr, source : ptr, ret : ptr → ⊥) → ⊥ {
  length_of(source, -1l, λ(n : unsigned long). memcpy(target, source, n + 1ul, ret))
}

strcmp(one : ptr, other : ptr, ret : int → ⊥) → ⊥ {
  length_of(one, -1l, λ(m : unsigned long).
  length_of(other, -1l, λ(n : unsigned long). memcmp(one, other, n + 1ul, ret)))
}

memcpy(target : ptr, source : ptr, size : unsigned long, ret : ptr → ⊥) → ⊥ {
  let
    check := (distance : unsigned long) → ⊥
      branch((distance != 0ul) & (distance < size), overlap, λ(). memmove(target, source, size, ret))
    overlap := () → ⊥
      place(source, size, 0, λ(r : ptr, from : ptr).
      place(target, size, 0, λ(s : ptr, to : ptr). overlapping(source, size)))
  in
  branch(target < source, λ(). check(unsigned long(source) - unsigned long(target)), λ(). check(unsigned long(target) - unsigned long(source)))
}

memmove(target : ptr, source : ptr, size : unsigned long, ret : ptr → ⊥) → ⊥ {
  branch(size == 0ul, λ(). ret(target), λ(). move(source, target, size, 0, λ(). ret(target)))
}

memset(target : ptr, value : int, size : unsigned long, ret : ptr → ⊥) → ⊥ {
  byte := unsigned char(value);
  let
    set := () → ⊥
      place(target, size, 0, λ(r : ptr, at : ptr).
      require_changeable_bytes(ptr[record.constant(r)], target, size, λ().
      fill(at, size, byte, λ().
      fill(char.at(at, unsigned long[record.size(r)]), size, 0uc, λ(). ret(target)))))
  in
  branch(size == 0ul, λ(). ret(target), set)
}

// Checks the bytes in turn, as stores of a `char` do.

require_changeable_bytes(first : ptr, p : ptr, size : unsigned long, ret : () → ⊥) → ⊥ {
  let
    next := (i : unsigned long) → ⊥
      let
        check := () → ⊥
          moved(p, long(i), 1l, λ(q : ptr).
          require_changeable(first, q, 1ul, UNIT_OF_CHAR, λ(). next(i + 1ul)))
      in
      branch((first != null) & (i < size), check, λ(). ret())
  in
  next(0ul)
}

memcmp(one : ptr, other : ptr, size : unsigned long, ret : int → ⊥) → ⊥ {
  known_order(one, other, size, λ(order : int).
  branch(order > 1, λ(). order_by_bytes(one, other, size, ret), λ(). ret(order)))
}

order_by_bytes(one : ptr, other : ptr, size : unsigned long, ret : int → ⊥) → ⊥ {
  let
    next := (i : unsigned long) → ⊥
      let
        compare := () → ⊥
          moved(one, long(i), 1l, λ(p : ptr).
          load_char(p, λ(a : char).
          moved(other, long(i), 1l, λ(q : ptr).
          load_char(q, λ(b : char).
          differ(unsigned char(a), unsigned char(b))))))
        differ := (a : unsigned char, b : unsigned char) → ⊥
          branch(a == b, λ(). next(i + 1ul), λ(). branch(a < b, λ(). ret(-1), λ(). ret(1)))
      in
      branch(i == size, λ(). ret(0), compare)
  in
  next(0ul)
}

// System calls. A negative result is an error number of Linux: there are no files, and no clock.

checked_read(descriptor : int, target : ptr, size : unsigned long, ret : long → ⊥) → ⊥ {
  let
    check := () → ⊥
      place(target, size, 0, λ(r : ptr, at : ptr).
      __read(descriptor, at, size, λ(n : long).
      branch(n <= 0l, λ(). ret(n), λ(). require_changeable_bytes(ptr[record.constant(r)], target, unsigned long(n), λ().
      fill(char.at(at, unsigned long[record.size(r)]), unsigned long(n), 0uc, λ(). ret(n))))))
  in
  branch(size == 0ul, λ(). __read(descriptor, null, 0ul, ret), check)
}

checked_write(descriptor : int, source : ptr, size : unsigned long, ret : long → ⊥) → ⊥ {
  let
    check := () → ⊥
      place(source, size, 0, λ(r : ptr, at : ptr). __write(descriptor, at, size, ret))
  in
  branch(size == 0ul, λ(). __write(descriptor, null, 0ul, ret), check)
}

__open(path : ptr, flags : int, ret : int → ⊥) → ⊥ { ret(-13) }

__close(descriptor : int, ret : int → ⊥) → ⊥ { branch(unsigned(descriptor) > 2u, λ(). ret(-9), λ(). ret(0)) }

__redirect(descriptor : int, ret : int → ⊥) → ⊥ { ret(-9) }

__seek(descriptor : int, offset : long, whence : int, ret : long → ⊥) → ⊥ {
  branch(unsigned(descriptor) > 2u, λ(). ret(-9l), λ(). ret(-29l))
}

__environment(name : ptr, target : ptr, size : unsigned long, ret : long → ⊥) → ⊥ { ret(-2l) }

__unlink(path : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__rename(old : ptr, path : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__make_directory(path : ptr, mode : unsigned, ret : int → ⊥) → ⊥ { ret(-13) }

__remove_directory(path : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__current_directory(target : ptr, size : unsigned long, ret : long → ⊥) → ⊥ { ret(-13l) }

__entry(path : ptr, index : long, target : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__status(path : ptr, descriptor : int, target : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__change_mode(path : ptr, descriptor : int, mode : unsigned, ret : int → ⊥) → ⊥ { ret(-13) }

__change_times(path : ptr, descriptor : int, times : ptr, ret : int → ⊥) → ⊥ { ret(-13) }

__time(ret : long → ⊥) → ⊥ { ret(-1l) }

__clock(ret : long → ⊥) → ⊥ { ret(-1l) }
