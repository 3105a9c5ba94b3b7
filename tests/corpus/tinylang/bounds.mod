(* Indices are checked, those of parts of arrays too. *)
(* why: an index outside of an inner array, but inside of the outer one *)
(* run: *)
(* expect: 1 *)
(* status: error *)
MODULE bounds;

FROM InOut IMPORT WriteInt, WriteLn;

TYPE Grid = ARRAY [2] OF ARRAY [4] OF INTEGER;

PROCEDURE Try(i, j: INTEGER);
VAR grid: Grid;
BEGIN
  grid[i][j] := 1;
  WriteInt(grid[i][j], 0); WriteLn
END Try;

BEGIN
  Try(1, 3);
  Try(0, 4)
END bounds.
