sort(a : ptr, low : int, high : int, ret : () → ⊥) → ⊥ {
  pivot := int[a, long((low + high) / 2)];
  let
    while := (i : int, j : int) → ⊥
      let
        body := () → ⊥
          let
            up := (i1 : int) → ⊥
              x := int[a, long(i1)];
              let
                k := () → ⊥
                  up(i1 + 1)
                down := (j1 : int) → ⊥
                  y := int[a, long(j1)];
                  let
                    k1 := () → ⊥
                      down(j1 - 1)
                    both := () → ⊥
                      let
                        swap := () → ⊥
                          u := int[a, long(i1)];
                          v := int[a, long(j1)];
                          int[a, long(i1)] := v;
                          int[a, long(j1)] := u;
                          while(i1 + 1, j1 - 1)
                      in
                      branch(i1 <= j1, swap, λ(). while(i1, j1))
                  in
                  branch(pivot < y, k1, both)
              in
              branch(x < pivot, k, λ(). down(j))
          in
          up(i)
        left := () → ⊥
          let
            k2 := () → ⊥
              sort(a, low, j, right)
            right := () → ⊥
              let
                k3 := () → ⊥
                  sort(a, i, high, exit)
                exit := () → ⊥
                  ret()
              in
              branch(i < high, k3, exit)
          in
          branch(low < j, k2, right)
      in
      branch(i <= j, body, left)
  in
  while(low, high)
}

work(n : int, ret : int → ⊥) → ⊥ {
  a := malloc(unsigned long(n) * 4ul);
  let
    for := (seed : unsigned, i : int) → ⊥
      let
        fill := () → ⊥
          seed1 := seed * 1664525u + 1013904223u;
          int[a, long(i)] := int(seed1 >> 8);
          for(seed1, i + 1)
        filled := () → ⊥
          sort(a, 0, n - 1, λ().
          let
            for1 := (sum : int, i1 : int) → ⊥
              let
                add := () → ⊥
                  x := int[a, long(i1)];
                  for1((sum * 31 + x) % 1000003, i1 + 1)
                exit := () → ⊥
                  free(a);
                  ret(sum)
              in
              branch(i1 < n, add, exit)
          in
          for1(0, 0))
      in
      branch(i < n, fill, filled)
  in
  for(42u, 0)
}
