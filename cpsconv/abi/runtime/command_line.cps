// The command line of an emitted program, which starts with one of the first two functions. Its environment supplies
// `byte_at`, which returns the byte of a word of the command line at a place: 0 at the end of the word, and a negative
// number if there is no such word. RESULT is the type of the return continuation of `main`, and NAME the program's name.

data argument := NAME
extern main_with_count(argc : int, ret : RESULT) → ⊥
extern main_with_vector(argc : int, argv : ptr, ret : RESULT) → ⊥

start_with_count(byte_at : (int, int, int → ⊥) → ⊥, ret : RESULT) → ⊥ {
  count(byte_at, λ(argc : int). main_with_count(argc, ret))
}

start_with_vector(byte_at : (int, int, int → ⊥) → ⊥, ret : RESULT) → ⊥ {
  count(byte_at, λ(argc : int).
  vector(byte_at, argument, argc, λ(argv : ptr).
  main_with_vector(argc, argv, ret)))
}

// The number of arguments of `main`: the name of the program, and the words.

count(byte_at : (int, int, int → ⊥) → ⊥, ret : int → ⊥) → ⊥ {
  let
    next := (n : int) → ⊥
      let
        check := (byte : int) → ⊥
          branch(byte < 0, λ(). ret(n), λ(). next(n + 1))
      in
      byte_at(n - 1, 0, check)
  in
  next(1)
}

// The arguments of `main`, a null pointer, and the empty list of environment variables, which is another one.

vector(byte_at : (int, int, int → ⊥) → ⊥, name : ptr, argc : int, ret : ptr → ⊥) → ⊥ {
  argv := allocate ptr[argc + 2];
  ptr[argv] := name;
  ptr[argv, argc] := null;
  ptr[argv, argc + 1] := null;
  let
    next := (n : int) → ⊥
      let
        add := () → ⊥
          word(byte_at, n - 1, λ(argument : ptr).
          ptr[argv, n] := argument;
          next(n + 1))
      in
      branch(n < argc, add, λ(). ret(argv))
  in
  next(1)
}

// A word as a string.

word(byte_at : (int, int, int → ⊥) → ⊥, index : int, ret : ptr → ⊥) → ⊥ {
  let
    measure := (size : int) → ⊥
      let
        check := (byte : int) → ⊥
          branch(byte == 0, λ(). write(size), λ(). measure(size + 1))
      in
      byte_at(index, size, check)
    write := (size : int) → ⊥
      argument := allocate char[size + 1];
      let
        next := (at : int) → ⊥
          let
            store := (byte : int) → ⊥
              char[argument, at] := char(byte);
              branch(byte == 0, λ(). ret(argument), λ(). next(at + 1))
          in
          byte_at(index, at, store)
      in
      next(0)
  in
  measure(0)
}
