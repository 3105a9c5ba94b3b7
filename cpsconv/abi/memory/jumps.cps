// The continuations that `setjmp` saved, for `longjmp`. A buffer has the number of a saved continuation, which can be
// entered until the activation ends that saved it: the call of its function. The list `jumps` has those of the innermost
// activation first. The host keeps the continuations, each in a slot.

struct jump {
  below : ptr,
  buffer : ptr,
  number : long,
  objects : unsigned long,
  activation : int,
  slot : int
}

data jumps := jump { }
data last_jump := jumps
data saved := 0l
data activations := 0
extern __keep(slot : int, saved : int → ⊥, ret : () → ⊥) → ⊥
extern __enter(slot : int, value : int) → ⊥

begin_activation(ret : int → ⊥) → ⊥ {
  n := int[activations] + 1;
  int[activations] := n;
  ret(n)
}

end_activation(ret : int → ⊥) → ⊥ {
  n := int[activations] - 1;
  leave(n, λ(). ret(n))
}

// Ends the activations after the given one.

leave(activation : int, ret : () → ⊥) → ⊥ {
  int[activations] := activation;
  let
    next := () → ⊥
      j := ptr[last_jump];
      branch(int[jump.activation(j)] <= activation, λ(). ret(), λ(). drop(j))
    drop := (j : ptr) → ⊥
      ptr[last_jump] := ptr[jump.below(j)];
      free(j);
      next()
  in
  next()
}

save_jump(buffer : ptr, ret : int → ⊥) → ⊥ {
  number := long[saved] + 1l;
  long[saved] := number;
  store_long(number, buffer, λ().
  let
    find := (j : ptr) → ⊥
      branch(int[jump.activation(j)] != int[activations], add, λ().
      branch(ptr[jump.buffer(j)] == buffer, λ(). save(j), λ(). find(ptr[jump.below(j)])))
    add := () → ⊥
      top := ptr[last_jump];
      j := calloc(1ul, 40ul);
      ptr[jump.below(j)] := top;
      ptr[jump.buffer(j)] := buffer;
      int[jump.activation(j)] := int[activations];
      int[jump.slot(j)] := int[jump.slot(top)] + 1;
      ptr[last_jump] := j;
      save(j)
    save := (j : ptr) → ⊥
      long[jump.number(j)] := number;
      unsigned long[jump.objects(j)] := unsigned long[count];
      __keep(int[jump.slot(j)], ret, λ(). ret(0))
  in
  find(ptr[last_jump]))
}

enter_jump(buffer : ptr, value : int) → ⊥ {
  p := unsigned long(buffer);
  is_zero := value == 0;
  load_long(ptr(p), λ(number : long).
  let
    find := (j : ptr) → ⊥
      branch(int[jump.slot(j)] == 0, λ(). wrong_jump(number), λ().
      branch(long[jump.number(j)] == number, λ(). enter(j), λ(). find(ptr[jump.below(j)])))
    enter := (j : ptr) → ⊥
      leave(int[jump.activation(j)], λ().
      end_variables(unsigned long[jump.objects(j)], λ().
      unsigned long[jump.objects(j)] := unsigned long[count];
      branch(is_zero, λ(). __enter(int[jump.slot(j)], 1), λ(). __enter(int[jump.slot(j)], value))))
  in
  find(ptr[last_jump]))
}

wrong_jump(number : long) → ⊥ {
  eprint("runtime error: ");
  branch((number > 0l) & (number <= long[saved]), λ(). stop("«jump_returned.0»"), λ(). stop("«jump_unset.0»"))
}

// Ends the lifetimes of the variables from that object on.

end_variables(first : unsigned long, ret : () → ⊥) → ⊥ {
  let
    next := (number : unsigned long) → ⊥
      let
        examine := () → ⊥
          r := record.at(ptr[records], number);
          is_variable := (int[record.origin(r)] == 1) & (int[record.end(r)] == 0);
          branch(is_variable, λ(). end(ptr(number << 32), 1, NO_LINE, λ(). next(number + 1ul)), λ(). next(number + 1ul))
      in
      branch(number < unsigned long[count], examine, λ(). ret())
  in
  next(first)
}
