(* A stack in memory, which other modules import. *)
(* why: module variables, pointers to records, the body of an imported module *)
MODULE Stack;

TYPE
  Link = POINTER TO Node;
  Node = RECORD value: INTEGER; below: Link END;

VAR
  top: Link;
  depth, limit: INTEGER;

PROCEDURE Push(value: INTEGER);
VAR node: Link;
BEGIN
  IF depth < limit THEN
    NEW(node);
    node^.value := value;
    node^.below := top;
    top := node;
    depth := depth + 1
  END
END Push;

PROCEDURE Pop(): INTEGER;
VAR value: INTEGER; node: Link;
BEGIN
  node := top;
  value := node^.value;
  top := node^.below;
  DISPOSE(node);
  depth := depth - 1;
  RETURN value
END Pop;

BEGIN
  limit := 4
END Stack.
