(* A dereference of NIL is a runtime error. *)
(* why: the output before it remains *)
(* run: *)
(* expect: 5 *)
(* status: error *)
MODULE nil;

FROM InOut IMPORT WriteInt, WriteLn;

TYPE Link = POINTER TO RECORD value: INTEGER; next: Link END;

VAR list: Link;

BEGIN
  NEW(list);
  list^.value := 5;
  list^.next := NIL;
  WriteInt(list^.value, 0); WriteLn;
  WriteInt(list^.next^.value, 0)
END nil.
