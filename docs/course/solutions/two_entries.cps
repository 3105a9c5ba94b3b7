two_entries(second : int, n : int, step : int, ret : int → ⊥) → ⊥ {
  let
    top := (n1 : int, rounds : int) → ⊥
      middle(n1, rounds + 1)
    middle := (n2 : int, rounds1 : int) → ⊥
      n3 := n2 - step * step - 1;
      branch(n3 > 0, λ(). top(n3, rounds1), λ(). ret(rounds1))
  in
  branch(second != 0, λ(). middle(n, 0), λ(). top(n, 0))
}
