absolute(x : int, ret : int → ⊥) → ⊥ {
  let
    next := (y : int) → ⊥
      let
        odd := () → ⊥
          ret(2 * y)
      in
      branch(y % 2 == 1, odd, λ(). ret(y))
    negative := () → ⊥
      next(-x)
  in
  branch(x < 0, negative, λ(). next(x))
}
