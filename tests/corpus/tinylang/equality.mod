(* Procedure values are compared, those of nested procedures too. *)
(* why: a procedure value equals itself wherever it is used; each call of the procedure around has values of its own *)
(* run: *)
(* expect: 1001111011011 *)
(* expect: 00001000101110101000101110101000101   19 *)
MODULE equality;
FROM InOut IMPORT WriteInt, WriteLn;
TYPE F = PROCEDURE (INTEGER): INTEGER;
     R = RECORD f: F; n: INTEGER END;
VAR p, q: F; a: ARRAY [2] OF F; r: R;
PROCEDURE Inc(n: INTEGER): INTEGER; BEGIN RETURN n + 1 END Inc;
PROCEDURE Dec(n: INTEGER): INTEGER; BEGIN RETURN n - 1 END Dec;
PROCEDURE B(b: BOOLEAN); BEGIN IF b THEN WriteInt(1, 0) ELSE WriteInt(0, 0) END END B;
PROCEDURE Same(f, g: F): BOOLEAN; BEGIN RETURN f = g END Same;
PROCEDURE Nested(n: INTEGER; given: F): INTEGER;
  VAR m: INTEGER;
  PROCEDURE Add(k: INTEGER): INTEGER;
    VAR own: F;
  BEGIN
    own := Add;
    B(own = given); B(own = Add);
    RETURN n + k + m
  END Add;
  PROCEDURE Sub(k: INTEGER): INTEGER;
  BEGIN
    B(Same(Add, Sub)); B(Same(Sub, Sub));
    RETURN n - k
  END Sub;
  PROCEDURE Twice(f: F): INTEGER;
  BEGIN B(f = Add); B(f # Sub); RETURN f(f(1)) END Twice;
BEGIN
  m := 2;
  B(given = Add);
  IF n > 0 THEN RETURN Nested(n - 1, Add) + Twice(Add) + Twice(Sub) END;
  m := m + given(1);
  RETURN Twice(Sub)
END Nested;
BEGIN
  p := Inc; q := Inc; a[0] := Dec; a[1] := Inc; r.f := Dec;
  B(p = q); B(p # q); B(p = a[0]); B(a[1] = p); B(r.f = a[0]); B(Inc = p); B(Inc # Dec); B(p = NIL); B(NIL # q);
  q := NIL; B(q = NIL); B(p = q); B(Same(q, NIL)); B(Same(p, Inc)); WriteLn;
  WriteInt(Nested(2, Inc), 5); WriteLn
END equality.
