collatz(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (m : int, steps : int) → ⊥
      let
        step := () → ⊥
          let
            even := () → ⊥
              loop(m / 2, steps + 1)
            odd := () → ⊥
              loop(3 * m + 1, steps + 1)
          in
          branch(m % 2 == 0, even, odd)
      in
      branch(m > 1, step, λ(). ret(steps))
  in
  loop(n, 0)
}
