(* Nested procedures use variables of all enclosing procedures. *)
(* why: values and cells as captured variables, recursion of and between nested procedures, each call with its own *)
(* run: *)
(* expect: 3.3 2.2 1.1 *)
(* expect: 14 4 *)
(* expect: *)
(* expect: 0 1 *)
MODULE nesting;

FROM InOut IMPORT WriteInt, WriteString, WriteLn;

TYPE Pair = RECORD sum, calls: INTEGER END;

PROCEDURE Outer(n: INTEGER);
VAR i, unused: INTEGER; result: Pair; squares: ARRAY [10] OF INTEGER;

  PROCEDURE Own(level: INTEGER);
  VAR mine: INTEGER;
    PROCEDURE Show;
    BEGIN
      WriteInt(level, 0); WriteString("."); WriteInt(mine, 0);
      IF level > 1 THEN WriteString(" ") END
    END Show;
  BEGIN
    mine := level;
    IF level > 0 THEN
      Show;
      Own(level - 1);
      IF mine # level THEN Show END
    END
  END Own;

  PROCEDURE Even(k: INTEGER): BOOLEAN;
  BEGIN
    result.calls := result.calls + 1;
    IF k = 0 THEN RETURN TRUE END;
    RETURN Odd(k - 1)
  END Even;

  PROCEDURE Odd(k: INTEGER): BOOLEAN;
    PROCEDURE Add;
    BEGIN
      IF k < n THEN result.sum := result.sum + squares[k + 1] END
    END Add;
  BEGIN
    result.calls := result.calls + 1;
    Add;
    IF k = 0 THEN RETURN FALSE END;
    RETURN Even(k - 1)
  END Odd;

BEGIN
  result.sum := 0; result.calls := 0;
  i := 0;
  WHILE i <= n DO squares[i] := i * i; i := i + 1 END;
  Own(n); WriteLn;
  IF Even(n) = ((n MOD 2) = 0) THEN i := 0 END;
  IF n = 3 THEN result.sum := result.sum + squares[2] + i END;
  WriteInt(result.sum, 0); WriteInt(result.calls, 2); WriteLn
END Outer;

BEGIN
  Outer(3); Outer(0)
END nesting.
