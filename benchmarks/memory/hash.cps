struct entry { key : int, count : int }

insert(table : ptr, mask : int, key : int, ret : int → ⊥) → ⊥ {
  let
    while := (i : int) → ⊥
      c := int[entry.count(entry.at(table, long(i)))];
      let
        used := () → ⊥
          k := int[entry.key(entry.at(table, long(i)))];
          let
            k1 := () → ⊥
              while((i + 1) & mask)
          in
          branch(k != key, k1, found)
        found := () → ⊥
          int[entry.key(entry.at(table, long(i)))] := key;
          p := entry.count(entry.at(table, long(i)));
          v := int[p];
          w := v + 1;
          int[p] := w;
          ret(w)
      in
      branch(c != 0, used, found)
  in
  while((key * 7919) & mask)
}

work(n : int, ret : int → ⊥) → ⊥ {
  let
    while := (size : int) → ⊥
      let
        sized := () → ⊥
          table := calloc(unsigned long(size), 8ul);
          let
            for := (seed : unsigned, repeated : int, i : int) → ⊥
              let
                body := () → ⊥
                  seed1 := seed * 1664525u + 1013904223u;
                  insert(
                    table,
                    size - 1,
                    int((seed1 >> 8) % unsigned(n / 2)),
                    λ(count : int).
                  let
                    k := () → ⊥
                      for(seed1, repeated + 1, i + 1)
                    k1 := () → ⊥
                      for(seed1, repeated, i + 1)
                  in
                  branch(count > 1, k, k1))
                exit := () → ⊥
                  free(table);
                  ret(repeated)
              in
              branch(i < n, body, exit)
          in
          for(42u, 0, 0)
        k2 := () → ⊥
          while(size * 2)
      in
      branch(size < n, k2, sized)
  in
  while(1024)
}
