(* Records and arrays: copies, parts of parts, and value parameters. *)
(* why: split records, copies of records and arrays, VAR arguments that are parts, parameters changed in the callee *)
(* run: *)
(* expect: 2 12 126 *)
(* expect: 0 10 127 *)
MODULE aggregates;

FROM InOut IMPORT WriteInt, WriteLn;

TYPE
  Row = ARRAY [4] OF INTEGER;
  Matrix = ARRAY [2] OF Row;
  Shape = RECORD name: INTEGER; corners: RECORD from, to: RECORD x, y: INTEGER END END END;
  Table = RECORD matrix: Matrix; is_set: BOOLEAN END;

VAR table: Table;

PROCEDURE Sum(row: Row): INTEGER;
VAR i, sum: INTEGER;
BEGIN
  i := 0; sum := 0;
  WHILE i < 4 DO
    sum := sum + row[i];
    row[i] := 0;
    i := i + 1
  END;
  RETURN sum
END Sum;

PROCEDURE Set(VAR row: Row; VAR element: INTEGER; j: INTEGER);
BEGIN
  row[j] := 100;
  element := element + 10
END Set;

PROCEDURE Use(i, j: INTEGER);
VAR shape, other: Shape; matrix: Matrix; row: Row; k: INTEGER;
BEGIN
  shape.corners.from.x := i;
  shape.corners.to.x := i * j;
  k := 0;
  WHILE k < 4 DO row[k] := k; k := k + 1 END;
  matrix[0] := row; matrix[1] := row;
  Set(matrix[i], matrix[i][j], j);
  table.matrix := matrix;
  table.is_set := matrix[i][j] = 110;
  other.corners.to.x := 10 * i;
  other.name := 0;
  IF table.is_set THEN other.name := shape.corners.from.x END;
  WriteInt(shape.corners.to.x, 0);
  WriteInt(other.name * 2 + 10, 3);
  WriteInt(Sum(table.matrix[i]) + table.matrix[i][j] - 110 + 14 - i * 2, 4);
  WriteLn
END Use;

BEGIN
  Use(1, 2); Use(0, 3)
END aggregates.
