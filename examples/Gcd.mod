(* The greatest common divisor, in tinylang. *)
(* why: the running example of Learn LLVM 17; a loop that carries two variables *)
(* run: 12 18 *)
(* expect: 6 *)
(* run: 17 5 *)
(* expect: 1 *)
MODULE Gcd;

PROCEDURE GCD(a, b: INTEGER): INTEGER;
VAR rest: INTEGER;
BEGIN
  WHILE b # 0 DO
    rest := a MOD b;
    a := b;
    b := rest
  END;
  RETURN a
END GCD;

END Gcd.
