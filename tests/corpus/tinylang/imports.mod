(* Two modules, which have procedures and variables of the same names. *)
(* why: both forms of import, qualified names, bodies run in the order of the imports *)
(* run: *)
(* expect: 4 3 2 1 *)
(* expect: 0 0 TRUE *)
MODULE imports;

IMPORT Stack;
FROM Stack IMPORT Pop, depth;
FROM InOut IMPORT WriteInt, WriteString, WriteLn;

VAR top, limit: INTEGER;

PROCEDURE Push(n: INTEGER);
BEGIN
  WHILE n > 0 DO
    Stack.Push(top + 1);
    top := top + 1;
    n := n - 1
  END
END Push;

BEGIN
  Push(6);
  WHILE depth > 1 DO
    WriteInt(Pop(), 0); WriteString(" ")
  END;
  WriteInt(Stack.Pop(), 0); WriteLn;
  WriteInt(depth, 0); WriteInt(limit, 2);
  IF (Stack.top = NIL) AND NOT (limit # 0) THEN WriteString(' TRUE') END;
  WriteLn
END imports.
