(* Indices are checked, those of parts of arrays too. *)
(* why: an index outside of an inner array, but inside of the outer one *)
(* refused: ocaml, haskell *)
(* run: 1 3 *)
(* expect: 1 *)
(* run: 0 4 *)
(* status: 3 *)
(* run: 0 -1 *)
(* status: 3 *)
(* run: 2 0 *)
(* status: 3 *)
MODULE bounds;

FROM InOut IMPORT WriteInt, WriteLn;

TYPE Grid = ARRAY [2] OF ARRAY [4] OF INTEGER;

PROCEDURE Try(i, j: INTEGER);
VAR grid: Grid;
BEGIN
  grid[i][j] := 1;
  WriteInt(grid[i][j], 0); WriteLn
END Try;

END bounds.
