(* Output. Functions whose name ends in a prime return C's result. *)

let puts text = print_string (c_string text ^ "\n")

let puts' text =
  puts text;
  String.length (c_string text) + 1

let putchar code = print_char (Char.chr (code land 255))

let putchar' code =
  putchar code;
  code land 255

let eprint text =
  flush stdout;
  prerr_string (c_string text);
  flush stderr

let printf' format =
  let print text =
    print_string text;
    String.length text
  in
  Printf.ksprintf print format

(* The texts of directives that OCaml lacks. A negative width pads on the
   right, a negative precision is a missing one. *)

let padded flags width text =
  let missing = String.make (max 0 (abs width - String.length text)) ' ' in
  if String.contains flags '-' || width < 0 then text ^ missing
  else missing ^ text

let shown_character flags width code = padded flags width (String.make 1 (Char.chr code))

let shown_string flags width precision text =
  let text = c_string text in
  let length = String.length text in
  padded flags width
    (String.sub text 0 (if precision < 0 then length else min precision length))

(* C's printf, with which OCaml implements its own. *)

external format_int64 : string -> int64 -> string = "caml_int64_format"
external format_double : string -> float -> string = "caml_format_float"

let directive flags width precision conversion =
  let width = if width = 0 then "" else string_of_int width in
  let precision = if precision < 0 then "" else Printf.sprintf ".%d" precision in
  Printf.sprintf "%%%s%s%s%s" flags width precision conversion

let shown_integer conversion flags width precision n =
  let flags = if width < 0 then "-" ^ flags else flags in
  format_int64 (directive flags (abs width) precision conversion) n

let shown_pointer _ flags width precision p =
  if p = 0L then padded flags width "(nil)"
  else shown_integer "x" ("#" ^ flags) width precision p

let shown_float conversion flags width precision x =
  let flags = if width < 0 then "-" ^ flags else flags in
  format_double (directive flags (abs width) precision conversion) x

let size n =
  if abs n > 1_000_000 then
    runtime_error "a width or precision of printf is too large";
  n

let misfit () = runtime_error "the format of printf does not fit its arguments"

(* A format that is not constant selects the action. *)
let select_format format printed =
  (Option.value (List.assoc_opt format printed) ~default:misfit) ()

let unused _ = ""
