(* Procedure values whose code calls siblings, inner procedures and itself. *)
(* why: the code of a closure has its own nested functions, with the variables of the closure *)
(* run: *)
(* expect: 1053   30 *)
MODULE closures;
FROM InOut IMPORT WriteInt, WriteLn;
TYPE Action = PROCEDURE (INTEGER);
VAR depth: INTEGER;
PROCEDURE Twice(action: Action; n: INTEGER);
BEGIN action(n); action(n + 1) END Twice;
PROCEDURE Outer(n: INTEGER; VAR out: INTEGER);
VAR sum, fixed: INTEGER; unset: INTEGER;
  PROCEDURE Sibling(k: INTEGER);
  BEGIN
    sum := sum + k * fixed;
    IF k > 2 THEN Sibling(k - 1) END;
    IF k = 1 THEN Add(0) END
  END Sibling;
  PROCEDURE Add(k: INTEGER);
  VAR own: INTEGER;
    PROCEDURE Inner(j: INTEGER);
    BEGIN
      own := own + j; sum := sum + own; out := out + n;
      IF j > 0 THEN Inner(j - 1); Sibling(j) END
    END Inner;
    PROCEDURE Deep(j: INTEGER);
    BEGIN
      own := own + j + fixed; Inner(1)
    END Deep;
  BEGIN
    own := k;
    depth := depth + 1;
    IF k > 0 THEN Inner(k); IF depth < 6 THEN Twice(Deep, k); Twice(Add, k - 1) END END;
    IF k > 3 THEN Add(k - 1) END;
    out := out + own
  END Add;
BEGIN
  fixed := n * 2;
  sum := 0;
  Twice(Add, n);
  Add(n);
  Sibling(3);
  IF n > 0 THEN Outer(n - 1, sum) END;
  out := out + sum
END Outer;
VAR r: INTEGER;
BEGIN
  r := 0; depth := 0;
  Outer(3, r);
  WriteInt(r, 0); WriteInt(depth, 5); WriteLn
END closures.
