power(base : int, n : int, ret : int → ⊥) → ⊥ {
  let
    more := () → ⊥
      power(base, n / 2, λ(half : int).
      let
        even := () → ⊥
          ret(half * half)
        odd := () → ⊥
          ret(base * half * half)
      in
      branch(n % 2 == 0, even, odd))
  in
  branch(n <= 0, λ(). ret(1), more)
}
