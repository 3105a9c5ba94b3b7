// Objects in memory, and the checks of each access to them.
//
// This program defines checked memory by memory that is not checked: its own accesses go to an object that exists. Each
// object of the checked memory has a record, which has the pointer to its bytes. Behind the bytes are their marks: 1 for
// each byte that was never written, 0 for each other one.
//
// A checked pointer has the number of an object in its upper 32 bits, and an offset with a sign in its lower ones. The
// records by number are at `records`: there are `count` of them, and room for `room`. The texts of messages have numbers,
// too; 0 is none. `constant` is a list of the parts that may not be changed: their first bytes, and those after them. The text `unit` is the type of the elements, or of a function. The text `start` is the line of the object;
// `end` is that of the end of its lifetime, 0 before.

struct part {
  next : ptr,
  start : unsigned long,
  end : unsigned long
}

struct record {
  bytes : ptr,
  size : unsigned long,
  constant : ptr,
  unit : int,
  title : int,
  start : int,
  end : int,
  origin : int,
  is_single : bool,
  is_resource : bool
}

// Pointers. An offset that would be too large, or too small, is the largest or smallest one.

moved(p : ptr, index : long, size : long, ret : ptr → ⊥) → ⊥ {
  offset := long(unsigned long(p) + 2147483648ul & 4294967295ul) - 2147483648l;
  let
    bound := (i : long) → ⊥
      target := offset + i * size;
      let
        high := () → ⊥
          branch(target > 2147483647l, λ(). to(2147483647l), λ(). to(target))
        to := (t : long) → ⊥
          ret(ptr(unsigned long(p) + unsigned long(t - offset)))
      in
      branch(target < -2147483648l, λ(). to(-2147483648l), high)
    far := () → ⊥
      branch(index < 0l, λ(). bound(-4294967295l), λ(). bound(4294967295l))
  in
  branch(unsigned long(index + 4294967295l) < 8589934591ul, λ(). bound(index), far)
}

moved_unsigned(p : ptr, index : unsigned long, size : long, ret : ptr → ⊥) → ⊥ {
  branch(index < 4294967295ul, λ(). moved(p, long(index), size, ret), λ(). moved(p, 4294967295l, size, ret))
}

// The number of the object of a pointer, and the offset, which is larger than each size if it is negative.

parts(p : ptr, ret : (unsigned long, unsigned long) → ⊥) → ⊥ {
  n := unsigned long(p) + 2147483648ul;
  ret(n >> 32, (n & 4294967295ul) - 2147483648ul)
}

// The record of the object with the bytes at the pointer, and the place of the bytes.

place(p : ptr, size : unsigned long, unit : int, ret : (ptr, ptr) → ⊥) → ⊥ {
  n := unsigned long(p) + 2147483648ul;
  number := n >> 32;
  offset := (n & 4294967295ul) - 2147483648ul;
  let
    known := () → ⊥
      r := record.at(ptr[records], number);
      whole := unsigned long[record.size(r)];
      is_inside := (offset <= whole) & (size <= whole - offset) & (int[record.end(r)] == 0);
      branch(is_inside, λ(). ret(r, char.at(ptr[record.bytes(r)], offset)), wrong)
    wrong := () → ⊥
      wrong_access(p, size, unit)
  in
  branch(number < unsigned long[count], known, wrong)
}

changed_place(p : ptr, size : unsigned long, unit : int, ret : (ptr, ptr) → ⊥) → ⊥ {
  place(p, size, unit, λ(r : ptr, at : ptr).
  c := ptr[record.constant(r)];
  branch(c == null, λ(). ret(r, at), λ(). require_changeable(c, p, size, unit, λ(). ret(r, at))))
}

require_changeable(first : ptr, p : ptr, size : unsigned long, unit : int, ret : () → ⊥) → ⊥ {
  parts(p, λ(number : unsigned long, offset : unsigned long).
  let
    next := (c : ptr) → ⊥
      branch(c == null, λ(). ret(), λ(). compare(c))
    compare := (c : ptr) → ⊥
      is_changed := (offset < unsigned long[part.end(c)]) & (unsigned long[part.start(c)] < offset + size);
      branch(is_changed, λ(). wrong_change(p, size, unit, c), λ(). next(ptr[part.next(c)]))
  in
  next(first))
}

// Bytes. The words of a copy may overlap.

fill(at : ptr, size : unsigned long, byte : unsigned char, ret : () → ⊥) → ⊥ {
  word := unsigned long(byte) * 72340172838076673ul;
  let
    words := (i : unsigned long) → ⊥
      let
        next := () → ⊥
          unsigned long[char.at(at, i)] := word;
          words(i + 8ul)
      in
      branch(i + 8ul <= size, next, λ(). rest(i))
    rest := (i : unsigned long) → ⊥
      let
        next := () → ⊥
          unsigned char[at, i] := byte;
          rest(i + 1ul)
      in
      branch(i < size, next, λ(). ret())
  in
  words(0ul)
}

copy_bytes(from : ptr, to : ptr, size : unsigned long, ret : () → ⊥) → ⊥ {
  let
    up := (i : unsigned long) → ⊥
      let
        word := () → ⊥
          unsigned long[char.at(to, i)] := unsigned long[char.at(from, i)];
          up(i + 8ul)
        byte := () → ⊥
          char[to, i] := char[from, i];
          up(i + 1ul)
      in
      branch(i + 8ul <= size, word, λ(). branch(i < size, byte, λ(). ret()))
    down := (i : unsigned long) → ⊥
      let
        word := () → ⊥
          unsigned long[char.at(to, i - 8ul)] := unsigned long[char.at(from, i - 8ul)];
          down(i - 8ul)
        byte := () → ⊥
          char[to, i - 1ul] := char[from, i - 1ul];
          down(i - 1ul)
      in
      branch(i >= 8ul, word, λ(). branch(i > 0ul, byte, λ(). ret()))
  in
  branch(to < from, λ(). up(0ul), λ(). down(size))
}

// Copies the marks of the bytes, too. (An undefined pointer is an error before any other.)

move(source : ptr, target : ptr, size : unsigned long, unit : int, ret : () → ⊥) → ⊥ {
  start := unsigned long(source);
  goal := unsigned long(target);
  place(ptr(start), size, unit, λ(r : ptr, from : ptr).
  changed_place(ptr(goal), size, unit, λ(s : ptr, to : ptr).
  copy_bytes(from, to, size, λ().
  copy_bytes(char.at(from, unsigned long[record.size(r)]), char.at(to, unsigned long[record.size(s)]), size, ret))))
}

// The start and the end of objects.

create(
  size : unsigned long,
  unit : int,
  title : int,
  start : int,
  origin : int,
  is_single : bool,
  is_resource : bool,
  byte : unsigned char,
  ret : ptr → ⊥
) → ⊥ {
  number := unsigned long[count];
  let
    add := () → ⊥
      r := record.at(ptr[records], number);
      bytes := calloc(2ul, size);
      ptr[record.bytes(r)] := bytes;
      unsigned long[record.size(r)] := size;
      int[record.unit(r)] := unit;
      int[record.title(r)] := title;
      int[record.start(r)] := start;
      int[record.origin(r)] := origin;
      bool[record.is_single(r)] := is_single;
      bool[record.is_resource(r)] := is_resource;
      unsigned long[count] := number + 1ul;
      fill(char.at(bytes, size), size, byte, λ(). ret(ptr(number << 32)))
    grow := () → ⊥
      old := ptr[records];
      ptr[records] := calloc(number * 2ul, 48ul);
      unsigned long[room] := number * 2ul;
      copy_bytes(old, ptr[records], number * 48ul, λ(). add())
  in
  branch(number < unsigned long[room], add, grow)
}

variable(
  elements : unsigned long,
  is_signed : bool,
  is_single : bool,
  size : unsigned long,
  unit : int,
  title : int,
  start : int,
  ret : ptr → ⊥
) → ⊥ {
  let
    make := () → ⊥
      create(elements * size, unit, title, start, 1, is_single, false, 1uc, ret)
  in
  branch(size == 0ul, make, λ(). branch(elements <= 2147483647ul / size, make, λ(). wrong_size(elements, is_signed, unit)))
}

on_heap(number : unsigned long, size : unsigned long, byte : unsigned char, title : int, is_resource : bool, ret : ptr → ⊥) → ⊥ {
  let
    make := () → ⊥
      create(number * size, 0, title, 0, 2, false, is_resource, byte, ret)
  in
  branch(size == 0ul, make, λ(). branch(number <= 2147483647ul / size, make, λ(). ret(null)))
}

// Passes the record; the bytes still exist.

ended(p : ptr, origin : int, line : int, ret : ptr → ⊥) → ⊥ {
  parts(p, λ(number : unsigned long, offset : unsigned long).
  let
    known := () → ⊥
      r := record.at(ptr[records], number);
      is_start := (int[record.end(r)] == 0) & (int[record.origin(r)] == origin) & (offset == 0ul);
      let
        finish := () → ⊥
          int[record.end(r)] := line;
          ret(r)
      in
      branch(is_start, finish, wrong)
    wrong := () → ⊥
      wrong_end(p, origin)
  in
  branch(number < unsigned long[count], known, wrong))
}

end(p : ptr, origin : int, line : int, ret : () → ⊥) → ⊥ {
  ended(p, origin, line, λ(r : ptr).
  free(ptr[record.bytes(r)]);
  ret())
}

release(p : ptr, line : int, ret : () → ⊥) → ⊥ {
  branch(p == null, λ(). ret(), λ(). end(p, 2, line, ret))
}

resized(p : ptr, size : unsigned long, title : int, is_resource : bool, line : int, ret : ptr → ⊥) → ⊥ {
  let
    resize := () → ⊥
      ended(p, 2, line, λ(r : ptr).
      bytes := ptr[record.bytes(r)];
      old := unsigned long[record.size(r)];
      on_heap(1ul, size, 1uc, title, is_resource, λ(q : ptr).
      place(q, size, 0, λ(s : ptr, at : ptr).
      let
        keep := (kept : unsigned long) → ⊥
          copy_bytes(bytes, at, kept, λ().
          copy_bytes(char.at(bytes, old), char.at(at, size), kept, λ().
          free(bytes);
          ret(q)))
      in
      branch(size < old, λ(). keep(size), λ(). keep(old)))))
    shrink := () → ⊥
      branch(size == 0ul, λ(). end(p, 2, line, λ(). ret(null)), resize)
  in
  branch(p == null, λ(). on_heap(1ul, size, 1uc, title, is_resource, ret), λ().
  branch(size > 2147483647ul, λ(). ret(null), shrink))
}

make_constant_object(p : ptr, ret : () → ⊥) → ⊥ {
  place(p, 0ul, 0, λ(r : ptr, at : ptr).
  parts(p, λ(number : unsigned long, offset : unsigned long).
  branch(offset == 0ul, λ(). make_part_constant(p, unsigned long[record.size(r)], ret), λ(). ret())))
}

make_part_constant(p : ptr, size : unsigned long, ret : () → ⊥) → ⊥ {
  place(p, size, 0, λ(r : ptr, at : ptr).
  parts(p, λ(number : unsigned long, offset : unsigned long).
  let
    add := () → ⊥
      c := calloc(1ul, 24ul);
      ptr[part.next(c)] := ptr[record.constant(r)];
      unsigned long[part.start(c)] := offset;
      unsigned long[part.end(c)] := offset + size;
      ptr[record.constant(r)] := c;
      ret()
  in
  branch(int[record.origin(r)] == 1, add, λ(). ret())))
}

// The number of the function of a type at a pointer.

function_at(p : ptr, type : int, ret : unsigned long → ⊥) → ⊥ {
  parts(p, λ(number : unsigned long, offset : unsigned long).
  let
    known := () → ⊥
      r := record.at(ptr[records], number);
      is_function := (int[record.origin(r)] == 4) & (int[record.unit(r)] == type) & (offset == 0ul);
      branch(is_function, λ(). ret(number), wrong)
    wrong := () → ⊥
      wrong_call(p, type)
  in
  branch(number < unsigned long[count], known, wrong))
}

// The bytes of the string at the pointer, up to the next zero byte or the `limit`-th byte, unless that is negative.

string_of(p : ptr, limit : long, ret : ptr → ⊥) → ⊥ {
  let
    found := (size : unsigned long) → ⊥
      let
        start := () → ⊥
          place(p, 0ul, 0, λ(r : ptr, at : ptr). ret(at))
      in
      branch((size == 0ul) & (limit == 0l), λ(). ret(p), start)
  in
  length_of(p, limit, λ(n : unsigned long). found(n))
}

length_of(p : ptr, limit : long, ret : unsigned long → ⊥) → ⊥ {
  known_length(p, limit, λ(n : unsigned long).
  branch(n == 18446744073709551615ul, λ(). length_by_bytes(p, limit, ret), λ(). ret(n)))
}

length_by_bytes(p : ptr, limit : long, ret : unsigned long → ⊥) → ⊥ {
  let
    next := (i : unsigned long) → ⊥
      let
        read := () → ⊥
          moved(p, long(i), 1l, λ(q : ptr).
          load_char(q, λ(byte : char).
          branch(byte == '\x00', λ(). ret(i), λ(). next(i + 1ul))))
      in
      branch(long(i) == limit, λ(). ret(i), read)
  in
  next(0ul)
}

// Primitives on bytes, which a host with a fast way replaces: the length of a string, and the order of two ranges, -1, 0 or 1,
// if no load of these bytes can fail. The largest length and the order 2 say that the bytes are to be loaded one by one.

known_length(p : ptr, limit : long, ret : unsigned long → ⊥) → ⊥ { ret(18446744073709551615ul) }

known_order(one : ptr, other : ptr, size : unsigned long, ret : int → ⊥) → ⊥ { ret(2) }
