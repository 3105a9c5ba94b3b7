fibonacci(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (left : int, a : int, b : int) → ⊥
      let
        body := () → ⊥
          loop(left - 1, b, a + b)
      in
      branch(left > 0, body, λ(). ret(a))
  in
  loop(n, 0, 1)
}
