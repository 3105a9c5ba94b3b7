work(n : int, ret : int → ⊥) → ⊥ {
  composite := calloc(unsigned long(n), 1ul);
  let
    for := (count : int, i : int) → ⊥
      let
        body := () → ⊥
          c := char[composite, i];
          let
            prime := () → ⊥
              let
                for1 := (j : int) → ⊥
                  let
                    body1 := () → ⊥
                      char[composite, j] := '\x01';
                      for1(j + i)
                    done := () → ⊥
                      for(count + 1, i + 1)
                  in
                  branch(j < n, body1, done)
              in
              for1(2 * i)
            next := () → ⊥
              for(count, i + 1)
          in
          branch(int(c) == 0, prime, next)
        exit := () → ⊥
          free(composite);
          ret(count)
      in
      branch(i < n, body, exit)
  in
  for(0, 2)
}
