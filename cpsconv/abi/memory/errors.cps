// The runtime errors of memory: each writes its message, and ends the program.

wrong_access(p : ptr, size : unsigned long, unit : int) → ⊥ {
  eprint("runtime error: ");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  r := record.at(ptr[records], number);
  let
    known := () → ⊥
      branch(number == 0ul, λ(). null_pointer(long(offset)), object)
    null_pointer := (distance : long) → ⊥
      branch(distance == 0l, λ(). stop("«null.0»"), λ(). eprint("«null_offset.0»"); write_counted(distance, "byte", λ(). stop("«null_offset.1»")))
    object := () → ⊥
      branch(int[record.origin(r)] == 4, function, data)
    function := () → ⊥
      eprint("«no_data.0»");
      write_text(int[record.title(r)], λ(). stop("«no_data.1»"))
    data := () → ⊥
      branch(int[record.end(r)] != 0, λ(). eprint("«ended.0»"); write_end(r, λ(). stop("«ended.1»")), outside)
    outside := () → ⊥
      eprint("«bounds.0»");
      write_place(r, long(offset), size, unit, λ(). stop("«bounds.1»"))
  in
  branch(number < unsigned long[count], known, λ(). stop("«wild.0»")))
}

wrong_change(p : ptr, size : unsigned long, unit : int, c : ptr) → ⊥ {
  eprint("runtime error: «constant.0»");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  r := record.at(ptr[records], number);
  let
    in_part := () → ⊥
      eprint("«part.0»");
      write_text(int[record.title(r)], λ(). eprint("«part.1»"); stop("«constant.2»"))
    whole := () → ⊥
      write_text(int[record.title(r)], λ(). stop("«constant.2»"))
  in
  write_place(r, long(offset), size, unit, λ().
  eprint("«constant.1»");
  branch(unsigned long[part.end(c)] - unsigned long[part.start(c)] < unsigned long[record.size(r)], in_part, whole)))
}

unwritten(p : ptr, size : unsigned long, unit : int) → ⊥ {
  eprint("runtime error: «unwritten.0»");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  write_place(record.at(ptr[records], number), long(offset), size, unit, λ(). stop("«unwritten.1»")))
}

overlapping(p : ptr, size : unsigned long) → ⊥ {
  eprint("runtime error: «overlap.0»");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  write_place(record.at(ptr[records], number), long(offset), size, 0, λ(). stop("«overlap.1»")))
}

wrong_size(elements : unsigned long, is_signed : bool, unit : int) → ⊥ {
  eprint("runtime error: «size.0»");
  let
    more := () → ⊥
      write_plural(elements, "element", of)
    of := () → ⊥
      eprint("«size.1»");
      write_text(unit, λ(). stop("«size.2»"))
  in
  branch(is_signed, λ(). write_counted(long(elements), "element", of), more)
}

wrong_end(p : ptr, origin : int) → ⊥ {
  eprint("runtime error: ");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  r := record.at(ptr[records], number);
  let
    known := () → ⊥
      branch(number == 0ul, λ(). eprint("«end_null.0»"); verb("«end_null.1»"), object)
    object := () → ⊥
      branch(int[record.origin(r)] != origin, λ(). write_text(int[record.title(r)], other), own)
    other := () → ⊥
      branch(origin == 2, λ(). eprint("«end_not_heap.1»"); verb("«end_not_heap.2»"), λ(). eprint("«end_not_variable.1»"); verb("«end_not_variable.2»"))
    own := () → ⊥
      branch(int[record.end(r)] == 0, inside, λ(). write_end(r, again))
    again := () → ⊥
      branch(bool[record.is_resource(r)], λ(). eprint("«end_closed.1»"); verb("«end_closed.2»"), λ(). eprint("«end_again.1»"); verb("«end_again.2»"))
    inside := () → ⊥
      eprint("«end_inside.0»");
      write_integer(long(offset), λ().
      eprint("«end_inside.1»");
      write_text(int[record.title(r)], λ().
      eprint("«end_inside.2»");
      verb("«end_inside.3»")))
    verb := (text : string) → ⊥
      branch(origin == 2, λ(). eprint("freed"); stop(text), λ(). eprint("deallocated"); stop(text))
  in
  branch(number < unsigned long[count], known, λ(). eprint("«end_wild.0»"); verb("«end_wild.1»")))
}

wrong_call(p : ptr, type : int) → ⊥ {
  eprint("runtime error: ");
  parts(p, λ(number : unsigned long, offset : unsigned long).
  r := record.at(ptr[records], number);
  let
    known := () → ⊥
      branch(number == 0ul, λ(). null_pointer(long(offset)), object)
    null_pointer := (distance : long) → ⊥
      branch(distance == 0l, λ(). stop("«call_null.0»"), λ(). eprint("«call_null_offset.0»"); write_counted(distance, "byte", λ(). stop("«call_null_offset.1»")))
    object := () → ⊥
      branch(int[record.origin(r)] == 4, function, λ(). eprint("«call_data.0»"); write_text(int[record.title(r)], λ(). stop("«call_data.1»")))
    function := () → ⊥
      branch(offset == 0ul, λ(). eprint("«call_type.0»"); write_text(int[record.title(r)], types), inside)
    types := () → ⊥
      eprint("«call_type.1»");
      write_text(int[record.unit(r)], λ().
      eprint("«call_type.2»");
      write_text(type, λ(). stop("«call_type.3»")))
    inside := () → ⊥
      eprint("«call_inside.0»");
      write_integer(long(offset), λ().
      eprint("«call_inside.1»");
      write_text(int[record.title(r)], λ(). stop("«call_inside.2»")))
  in
  branch(number < unsigned long[count], known, λ(). stop("«call_wild.0»")))
}

// A place: in units of the object, or on the heap of the access; in bytes if there are none, or for a part of a unit.

write_place(r : ptr, offset : long, size : unsigned long, unit : int, ret : () → ⊥) → ⊥ {
  whole := unsigned long[record.size(r)];
  let
    found := (own : int) → ⊥
      size_of_unit(own, λ(step : unsigned long).
      branch(step == 0ul, λ(). write_bytes(r, offset, size, own, ret), λ(). write_in_units(r, offset, size, own, step, ret)))
    of_access := () → ⊥
      size_of_unit(unit, λ(step : unsigned long).
      branch(step == 0ul, λ(). found(0), λ(). branch(whole % step == 0ul, λ(). found(unit), λ(). found(0))))
  in
  branch(int[record.unit(r)] == 0, of_access, λ(). found(int[record.unit(r)]))
}

write_in_units(r : ptr, offset : long, size : unsigned long, unit : int, step : unsigned long, ret : () → ⊥) → ⊥ {
  let
    before := () → ⊥
      index((offset - long(step) + 1l) / long(step))
    index := (i : long) → ⊥
      let
        whole := () → ⊥
          write_index(r, i, unit, ret)
        part := () → ⊥
          count := unsigned long[record.size(r)] / step;
          branch(i < 0l, whole, λ(). branch(unsigned long(i) < count, bytes, whole))
        bytes := () → ⊥
          write_bytes(r, offset, size, unit, ret)
      in
      branch((i * long(step) == offset) & (size == step), whole, part)
  in
  branch(offset < 0l, before, λ(). index(offset / long(step)))
}

write_index(r : ptr, index : long, unit : int, ret : () → ⊥) → ⊥ {
  eprint("«index.0»");
  write_integer(index, λ().
  eprint("«index.1»");
  write_described(r, unit, λ().
  eprint("«index.2»");
  ret()))
}

// The number of the last byte can have 65 bits.

write_bytes(r : ptr, offset : long, size : unsigned long, unit : int, ret : () → ⊥) → ⊥ {
  let
    one := () → ⊥
      eprint("«byte.0»");
      write_integer(offset, λ().
      eprint("«byte.1»");
      write_described(r, unit, λ().
      eprint("«byte.2»");
      ret()))
    several := () → ⊥
      eprint("«bytes.0»");
      write_integer(offset, λ(). eprint("«bytes.1»"); last())
    last := () → ⊥
      end := unsigned long(offset) + (size - 1ul);
      let
        beyond := () → ⊥
          write_natural(1844674407370955161ul + (end + 6ul) / 10ul, λ(). write_natural((end + 6ul) % 10ul, object))
        near := () → ⊥
          branch(end < unsigned long(offset), beyond, λ(). write_natural(end, object))
      in
      branch(offset < 0l, λ(). write_integer(long(end), object), near)
    object := () → ⊥
      eprint("«bytes.2»");
      write_described(r, unit, λ().
      eprint("«bytes.3»");
      ret())
  in
  branch(size <= 1ul, one, several)
}

write_described(r : ptr, unit : int, ret : () → ⊥) → ⊥ {
  write_text(int[record.title(r)], λ().
  eprint(" (");
  size_of_unit(unit, λ(step : unsigned long).
  whole := unsigned long[record.size(r)];
  let
    declared := () → ⊥
      branch(int[record.start(r)] == 0, close, λ(). eprint("«declared.1»"); write_text(int[record.start(r)], close))
    close := () → ⊥
      eprint(")");
      ret()
    elements := () → ⊥
      eprint("«elements.0»");
      write_plural(whole / step, "element", λ(). eprint("«elements.1»"); write_text(unit, λ(). eprint("«elements.2»"); declared()))
    units := () → ⊥
      branch(bool[record.is_single(r)], λ(). write_text(unit, declared), elements)
  in
  branch(step == 0ul, λ(). write_plural(whole, "byte", declared), units)))
}

write_end(r : ptr, ret : () → ⊥) → ⊥ {
  title := int[record.title(r)];
  let
    line := (text : string) → ⊥
      eprint(text);
      write_text(int[record.end(r)], ret)
    heap := () → ⊥
      eprint("«freed.0»");
      write_text(title, λ(). branch(bool[record.is_resource(r)], λ(). line("«closed.1»"), λ(). line("«freed.1»")))
    variable := () → ⊥
      eprint("«lifetime.0»");
      write_text(title, λ(). line("«lifetime.1»"))
  in
  branch(int[record.origin(r)] == 2, heap, variable)
}

// Numbers.

write_counted(n : long, thing : string, ret : () → ⊥) → ⊥ {
  branch(n < 0l, λ(). eprint("-"); write_natural(unsigned long(-n), λ(). eprint(" "); eprint(thing); eprint("s"); ret()), λ(). write_plural(unsigned long(n), thing, ret))
}

write_plural(n : unsigned long, thing : string, ret : () → ⊥) → ⊥ {
  write_natural(n, λ().
  eprint(" ");
  eprint(thing);
  branch(n == 1ul, λ(). ret(), λ(). eprint("s"); ret()))
}

write_integer(n : long, ret : () → ⊥) → ⊥ {
  branch(n < 0l, λ(). eprint("-"); write_natural(unsigned long(-n), ret), λ(). write_natural(unsigned long(n), ret))
}

write_natural(n : unsigned long, ret : () → ⊥) → ⊥ {
  let
    digit := () → ⊥
      write_digit(int(n % 10ul), ret)
  in
  branch(n < 10ul, digit, λ(). write_natural(n / 10ul, digit))
}

write_digit(n : int, ret : () → ⊥) → ⊥ {
  let
    show := (digit : string) → ⊥
      eprint(digit);
      ret()
  in
  switch(
    n,
    0 ⇒ λ(). show("0"),
    1 ⇒ λ(). show("1"),
    2 ⇒ λ(). show("2"),
    3 ⇒ λ(). show("3"),
    4 ⇒ λ(). show("4"),
    5 ⇒ λ(). show("5"),
    6 ⇒ λ(). show("6"),
    7 ⇒ λ(). show("7"),
    8 ⇒ λ(). show("8"),
    _ ⇒ λ(). show("9")
  )
}

stop(text : string) → ⊥ {
  eprint(text);
  eprint("\n");
  halt(3)
}
