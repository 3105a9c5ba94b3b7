multiply(a : ptr, b : ptr, c : ptr, n : int, ret : () → ⊥) → ⊥ {
  let
    for := (i : int) → ⊥
      let
        rows := () → ⊥
          let
            for1 := (j : int) → ⊥
              let
                columns := () → ⊥
                  let
                    for2 := (sum : double, k : int) → ⊥
                      let
                        body := () → ⊥
                          x := double[a, long(i * n + k)];
                          y := double[b, long(k * n + j)];
                          for2(sum + x * y, k + 1)
                        done := () → ⊥
                          double[c, long(i * n + j)] := sum;
                          for1(j + 1)
                      in
                      branch(k < n, body, done)
                  in
                  for2(0.0, 0)
                next := () → ⊥
                  for(i + 1)
              in
              branch(j < n, columns, next)
          in
          for1(0)
        exit := () → ⊥
          ret()
      in
      branch(i < n, rows, exit)
  in
  for(0)
}

work(n : int, ret : int → ⊥) → ⊥ {
  size := unsigned long(n * n) * 8ul;
  a := malloc(size);
  b := malloc(size);
  c := malloc(size);
  let
    for := (i : int) → ⊥
      let
        fill := () → ⊥
          double[a, long(i)] := double(i % 7);
          double[b, long(i)] := double(i % 5);
          for(i + 1)
        filled := () → ⊥
          multiply(a, b, c, n, λ().
          let
            for1 := (trace : double, i1 : int) → ⊥
              let
                add := () → ⊥
                  x := double[c, long(i1 * n + i1)];
                  for1(trace + x, i1 + 1)
                exit := () → ⊥
                  free(a);
                  free(b);
                  free(c);
                  ret(int(trace))
              in
              branch(i1 < n, add, exit)
          in
          for1(0.0, 0))
      in
      branch(i < n * n, fill, filled)
  in
  for(0)
}
