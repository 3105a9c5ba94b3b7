(* AND and OR evaluate the right operand only if the left one does not decide. *)
(* why: NIL and indices tested before their use, conditions as values, ELSIF, early RETURN *)
(* run: *)
(* expect: -1 FALSE *)
(* expect: 4 TRUE *)
(* expect: -1 FALSE *)
(* expect: 0 FALSE *)
MODULE conditions;

FROM InOut IMPORT WriteInt, WriteString, WriteLn;

TYPE
  Link = POINTER TO RECORD value: INTEGER; next: Link END;

PROCEDURE Find(n: INTEGER): INTEGER;
VAR list, node: Link; i: INTEGER;
BEGIN
  IF n = 0 THEN RETURN -1
  ELSIF n = 1 THEN RETURN 0
  ELSIF (n = 2) OR (n = 3) THEN RETURN 1
  ELSE i := 7
  END;
  list := NIL;
  WHILE i > 0 DO
    NEW(node);
    node^.value := i; node^.next := list;
    list := node;
    i := i - 1
  END;
  WHILE (list # NIL) AND (list^.value # n) DO
    list := list^.next; i := i + 1
  END;
  IF list = NIL THEN RETURN -1 END;
  RETURN i
END Find;

PROCEDURE Show(n: INTEGER);
VAR found: BOOLEAN; place: INTEGER;
BEGIN
  place := Find(n);
  found := NOT (place < 0) AND (100 DIV (place + 1) > 0) AND (place # 0) OR FALSE;
  WriteInt(place, 0);
  IF found = TRUE THEN WriteString(" TRUE") ELSIF found <= FALSE THEN WriteString(" FALSE") END;
  WriteLn
END Show;

BEGIN
  Show(0); Show(5); Show(9); Show(1)
END conditions.
