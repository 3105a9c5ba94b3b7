primes(n : int, ret : int → ⊥) → ⊥ {
  let
    numbers := (i : int, count : int) → ⊥
      let
        divisors := (d : int) → ⊥
          let
            try := () → ⊥
              let
                composite := () → ⊥
                  numbers(i + 1, count)
                other := () → ⊥
                  divisors(d + 1)
              in
              branch(i % d == 0, composite, other)
            prime := () → ⊥
              numbers(i + 1, count + 1)
          in
          branch(d * d <= i, try, prime)
      in
      branch(i <= n, λ(). divisors(2), λ(). ret(count))
  in
  numbers(2, 0)
}
