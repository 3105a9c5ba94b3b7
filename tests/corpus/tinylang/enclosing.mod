(* The code of procedure values calls the procedures around. *)
(* why: each such call has variables of its own, and the siblings that both call need those of their own call *)
(* run: *)
(* expect:   0  0  0  013166 *)
(* expect: 1000   303 *)
MODULE enclosing;
FROM InOut IMPORT WriteInt, WriteLn;
TYPE F = PROCEDURE (INTEGER): INTEGER;
PROCEDURE Outer(n: INTEGER): INTEGER;
  VAR y: INTEGER;
  PROCEDURE E(d: INTEGER; given: F): INTEGER;
    VAR x: INTEGER;
    PROCEDURE S(k: INTEGER): INTEGER; BEGIN x := x + 1; RETURN x * 10 + k END S;
    PROCEDURE R(k: INTEGER): INTEGER;
    BEGIN
      y := y + 1;
      IF y < 7 THEN RETURN E(d - 1, R) + S(k) ELSE RETURN S(k) + y END
    END R;
  BEGIN
    x := d * 100;
    IF given = NIL THEN RETURN E(d, R) END;
    IF given = R THEN WriteInt(1, 3) ELSE WriteInt(0, 3) END;
    RETURN given(1) + S(2)
  END E;
BEGIN y := n; RETURN E(2, NIL) + y END Outer;
PROCEDURE Far(n: INTEGER): INTEGER;
  VAR y: INTEGER;
  PROCEDURE Sibling(k: INTEGER): INTEGER;
  BEGIN y := y + 1; RETURN Middle(k) + y END Sibling;
  PROCEDURE Middle(d: INTEGER): INTEGER;
    VAR x: INTEGER;
    PROCEDURE Within(e: INTEGER): INTEGER;
      VAR f: F; z: INTEGER;
      PROCEDURE Add(k: INTEGER): INTEGER; BEGIN z := z + k; x := x + z; RETURN x END Add;
      PROCEDURE Value(k: INTEGER): INTEGER;
        PROCEDURE Inner(j: INTEGER): INTEGER;
        BEGIN
          IF j <= 0 THEN RETURN Add(1) END;
          RETURN Within(j - 1) + Sibling(j - 1) + Add(j) + Value(j - 1)
        END Inner;
      BEGIN WriteInt(k, 0); RETURN Inner(k) + Add(k) END Value;
    BEGIN
      z := e + y; f := Value;
      IF e > 1 THEN RETURN Add(e) END;
      RETURN f(e) + Add(2)
    END Within;
  BEGIN x := d; RETURN Within(d) + x END Middle;
BEGIN y := n; RETURN Sibling(1) + y END Far;
BEGIN WriteInt(Outer(3), 5); WriteLn; WriteInt(Far(2), 6); WriteLn END enclosing.
