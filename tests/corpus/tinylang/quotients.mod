(* Quotients and remainders truncate, and numbers have 64 bits. *)
(* why: all signs, overflow, hexadecimal numbers, constant expressions *)
(* run: *)
(* expect: 3 1 -8 *)
(* expect: -3-1 -8 *)
(* expect: -3 1 -8 *)
(* expect: 3-1 -8 *)
(* status: error *)
MODULE quotients;

FROM InOut IMPORT WriteInt, WriteLn;

CONST
  Two = 2;
  Four = Two * (1 + 1);
  Large = 7FFFFFFFFFFFFFFFH;

PROCEDURE Divide(a, b: INTEGER);
BEGIN
  WriteInt(a DIV b, 0); WriteInt(a MOD b, 2 + (a MOD b - 1) DIV 2);
  WriteInt((Large + Large) * Four, 3);
  WriteLn
END Divide;

BEGIN
  Divide(7, 2); Divide(-7, 2); Divide(7, -2); Divide(-7, -2);
  Divide(1, 0)
END quotients.
