sum(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (i : int, s : int) → ⊥
      let
        body := () → ⊥
          loop(i + 1, s + i)
      in
      branch(i <= n, body, λ(). ret(s))
  in
  loop(1, 0)
}
