maximum(a : int, b : int, ret : int → ⊥) → ⊥ {
  branch(a > b, λ(). ret(a), λ(). ret(b))
}
