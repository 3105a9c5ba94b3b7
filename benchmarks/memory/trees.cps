struct node { left : ptr, right : ptr }

make(depth : int, ret : ptr → ⊥) → ⊥ {
  p := malloc(16ul);
  let
    left := (l : ptr) → ⊥
      ptr[node.left(p)] := l;
      let
        k := () → ⊥
          make(depth - 1, right)
        right := (r : ptr) → ⊥
          ptr[node.right(p)] := r;
          ret(p)
      in
      branch(depth > 0, k, λ(). right(null))
    k1 := () → ⊥
      make(depth - 1, left)
  in
  branch(depth > 0, k1, λ(). left(null))
}

check(p : ptr, ret : int → ⊥) → ⊥ {
  l := ptr[node.left(p)];
  let
    k := () → ⊥
      l1 := ptr[node.left(p)];
      check(l1, λ(a : int).
      r := ptr[node.right(p)];
      check(r, λ(b : int).
      ret(a + b + 1)))
  in
  branch(l == null, λ(). ret(1), k)
}

drop(p : ptr, ret : () → ⊥) → ⊥ {
  l := ptr[node.left(p)];
  let
    inner := () → ⊥
      l1 := ptr[node.left(p)];
      drop(l1, λ().
      r := ptr[node.right(p)];
      drop(r, leaf))
    leaf := () → ⊥
      free(p);
      ret()
  in
  branch(l != null, inner, leaf)
}

work(n : int, ret : int → ⊥) → ⊥ {
  let
    for := (total : int, i : int) → ⊥
      let
        body := () → ⊥
          make(n, λ(p : ptr).
          check(p, λ(count : int).
          drop(p, λ().
          for(total + count, i + 1))))
        exit := () → ⊥
          ret(total)
      in
      branch(i < 4, body, exit)
  in
  for(0, 0)
}
