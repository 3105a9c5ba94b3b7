const pattern := "abbab\0"

occurrences(text : ptr, pattern1 : ptr, ret : int → ⊥) → ⊥ {
  let
    for := (count : int, i : int) → ⊥
      c := char[text, long(i)];
      let
        while := (j : int) → ⊥
          p := char[pattern1, long(j)];
          let
            same := () → ⊥
              t := char[text, long(i + j)];
              p1 := char[pattern1, long(j)];
              let
                k := () → ⊥
                  while(j + 1)
              in
              branch(int(t) == int(p1), k, ended)
            ended := () → ⊥
              q := char[pattern1, long(j)];
              let
                k1 := () → ⊥
                  for(count, i + 1)
                k2 := () → ⊥
                  for(count + 1, i + 1)
              in
              branch(int(q) != 0, k1, k2)
          in
          branch(int(p) != 0, same, ended)
        exit := () → ⊥
          ret(count)
      in
      branch(int(c) != 0, λ(). while(0), exit)
  in
  for(0, 0)
}

work(n : int, ret : int → ⊥) → ⊥ {
  text := malloc(unsigned long(n + 1));
  let
    for := (seed : unsigned, i : int) → ⊥
      let
        fill := () → ⊥
          seed1 := seed * 1664525u + 1013904223u;
          char[text, long(i)] := char(97u + (seed1 >> 24) % 2u);
          for(seed1, i + 1)
        filled := () → ⊥
          char[text, long(n)] := '\0';
          occurrences(text, pattern, λ(count : int).
          free(text);
          ret(count))
      in
      branch(i < n, fill, filled)
  in
  for(42u, 0)
}
