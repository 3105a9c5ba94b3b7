(* Procedures as values: variables, arguments, and nested ones that are called in other procedures. *)
(* why: closures of nested procedures, one for each call of the enclosing one; procedure types with VAR parameters *)
(* run: *)
(* expect: 6 60 12 *)
(* expect: 321321 *)
(* expect: 17 *)
MODULE values;

FROM InOut IMPORT WriteInt, WriteString, WriteLn;

TYPE
  Change = PROCEDURE (VAR INTEGER, INTEGER);
  Action = PROCEDURE;

VAR change: Change; x: INTEGER;

PROCEDURE Add(VAR a: INTEGER; b: INTEGER);
BEGIN
  a := a + b
END Add;

PROCEDURE Multiply(VAR a: INTEGER; b: INTEGER);
BEGIN
  a := a * b
END Multiply;

PROCEDURE Twice(change: Change; VAR a: INTEGER; b: INTEGER);
BEGIN
  change(a, b);
  change(a, b)
END Twice;

PROCEDURE Scaled(factor: INTEGER): INTEGER;
VAR total: INTEGER;
  PROCEDURE AddScaled(VAR a: INTEGER; b: INTEGER);
  BEGIN
    a := a + b;
    total := total + factor * b
  END AddScaled;
BEGIN
  total := factor;
  Twice(AddScaled, x, 1);
  RETURN total
END Scaled;

PROCEDURE Digits(n: INTEGER; rest: Action);
  PROCEDURE Digit;
  BEGIN
    rest;
    WriteInt(n, 0)
  END Digit;
BEGIN
  IF n > 0 THEN
    WriteInt(n, 0);
    Digits(n - 1, Digit)
  ELSE
    rest()
  END
END Digits;

PROCEDURE Nothing;
END Nothing;

PROCEDURE Later(): INTEGER;
VAR n: INTEGER; action: Action;
  PROCEDURE Double;
  BEGIN
    n := n * 2
  END Double;
  PROCEDURE Apply(action: Action);
    PROCEDURE Through;
    BEGIN
      action
    END Through;
  BEGIN
    n := n + 1;
    Through
  END Apply;
BEGIN
  n := 3;
  action := Double;
  n := n + 4;
  Apply(action);
  RETURN n + 1
END Later;

BEGIN
  x := 3;
  change := Add;
  change(x, 3); WriteInt(x, 0);
  change := Multiply;
  change(x, 10); WriteInt(x, 3);
  WriteInt(Scaled(4), 3); WriteLn;
  IF x # 62 THEN WriteString("?") END;
  Digits(3, Nothing); WriteLn;
  WriteInt(Later(), 0); WriteLn
END values.
