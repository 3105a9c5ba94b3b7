// The accesses to values of one type, a template: TYPE is the type, SIZE its size, UNIT the text with its title, and
// WRITTEN whether all marks at `marks` are 0, MARK the statements that set them to 0.

load_TYPE(p : ptr, ret : TYPE → ⊥) → ⊥ {
  place(p, SIZEul, UNIT, λ(r : ptr, at : ptr).
  marks := char.at(at, unsigned long[record.size(r)]);
  let
    read := () → ⊥
      x := TYPE[at];
      ret(x)
  in
  branch(WRITTEN, read, λ(). unwritten(p, SIZEul, UNIT)))
}

// Bytes that were never written are those of the default value. If that is undefined, so is the result.

load_or_TYPE(p : ptr, default : TYPE, ret : TYPE → ⊥) → ⊥ {
  place(p, SIZEul, UNIT, λ(r : ptr, at : ptr).
  marks := char.at(at, unsigned long[record.size(r)]);
  value := scratch;
  let
    read := () → ⊥
      x := TYPE[at];
      ret(x)
    merge := () → ⊥
      TYPE[value] := default;
      next(0ul)
    next := (i : unsigned long) → ⊥
      let
        byte := () → ⊥
          branch(char[marks, i] == '\x00', keep, λ(). next(i + 1ul))
        keep := () → ⊥
          char[value, i] := char[at, i];
          next(i + 1ul)
        merged := () → ⊥
          y := TYPE[value];
          ret(y)
      in
      branch(i < SIZEul, byte, merged)
  in
  branch(WRITTEN, read, λ(). is_defined_TYPE(default, λ(is_defined : bool). branch(is_defined, merge, λ(). ret(default)))))
}

store_TYPE(x : TYPE, p : ptr, ret : () → ⊥) → ⊥ {
  changed_place(p, SIZEul, UNIT, λ(r : ptr, at : ptr).
  marks := char.at(at, unsigned long[record.size(r)]);
  TYPE[at] := x;
  MARK
  ret())
}

// The bytes of an undefined value are unwritten.

store_undefined_TYPE(x : TYPE, p : ptr, ret : () → ⊥) → ⊥ {
  is_defined_TYPE(x, λ(is_defined : bool).
  let
    erase := () → ⊥
      changed_place(p, SIZEul, UNIT, λ(r : ptr, at : ptr).
      fill(char.at(at, unsigned long[record.size(r)]), SIZEul, 1uc, ret))
  in
  branch(is_defined, λ(). store_TYPE(x, p, ret), erase))
}

// A store of an undefined value leaves what was there, or makes it unwritten.

is_defined_TYPE(x : TYPE, ret : bool → ⊥) → ⊥ {
  value := scratch;
  unsigned char[value] := 0uc;
  TYPE[value] := x;
  zero := load_or(value, 0uc);
  unsigned char[value] := 1uc;
  TYPE[value] := x;
  ret(zero == load_or(value, 1uc))
}
