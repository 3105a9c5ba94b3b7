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

type argument = Int of int | Long of int64 | Double of float | String of string

let misfit () = runtime_error "an argument of printf does not fit its format"

(* The lower bits of an integer argument as a signed or unsigned number. *)
let integer ~bits ~signed argument =
  let n =
    match argument with
    | Int n -> Int64.of_int n
    | Long n -> n
    | Double _ | String _ -> misfit ()
  in
  let top = Int64.shift_left n (64 - bits) in
  if signed then Int64.shift_right top (64 - bits)
  else Int64.shift_right_logical top (64 - bits)

(* C's printf, with which OCaml implements its own. *)

external format_int64 : string -> int64 -> string = "caml_int64_format"
external format_double : string -> float -> string = "caml_format_float"

(* The text of a directive of printf. A negative precision is a missing one. *)
let converted flags width precision length conversion argument =
  let directive =
    let width = if width = 0 then "" else string_of_int width in
    let precision = if precision < 0 then "" else Printf.sprintf ".%d" precision in
    Printf.sprintf "%%%s%s%s%c" flags width precision conversion
  in
  let padded text =
    let missing = String.make (max 0 (width - String.length text)) ' ' in
    if String.contains flags '-' then text ^ missing else missing ^ text
  in
  let bits = match length with "hh" -> 8 | "h" -> 16 | "" -> 32 | _ -> 64 in
  match (conversion, length, argument) with
  | ('d' | 'i'), ("" | "hh" | "h" | "l" | "ll" | "j" | "z" | "t"), _ ->
      format_int64 directive (integer ~bits ~signed:true argument)
  | ('u' | 'o' | 'x' | 'X'), ("" | "hh" | "h" | "l" | "ll" | "j" | "z" | "t"), _
    ->
      format_int64 directive (integer ~bits ~signed:false argument)
  | ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A'), ("" | "l"), Double x ->
      format_double directive x
  | ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A'), ("" | "l"), _ -> misfit ()
  | 'c', "", _ ->
      let code = Int64.to_int (integer ~bits:8 ~signed:false argument) in
      padded (String.make 1 (Char.chr code))
  | 's', "", String text ->
      let text = c_string text in
      let length = String.length text in
      let shown = if precision < 0 then length else min precision length in
      padded (String.sub text 0 shown)
  | 's', "", _ -> misfit ()
  | _ -> runtime_error "a conversion of a printf format is not supported"

(* Directives %[flags][width][.precision][length]conversion of a format, and
   the text between them. *)
let formatted format (arguments : argument list) =
  let format = c_string format in
  let result = Buffer.create 80 and rest = ref arguments in
  let take () =
    match !rest with
    | [] -> misfit ()
    | first :: others ->
        rest := others;
        first
  in
  let at i = if i < String.length format then format.[i] else '\000' in
  let part first last = String.sub format first (last - first) in
  let rec skip wanted i =
    if String.contains wanted (at i) then skip wanted (i + 1) else i
  in
  let after_number i = if at i = '*' then i + 1 else skip "0123456789" i in
  let number first last =
    let n =
      if at first = '*' then
        Int64.to_int (integer ~bits:32 ~signed:true (take ()))
      else
        let digits = "0" ^ part first last in
        Option.value (int_of_string_opt digits) ~default:max_int
    in
    if abs n > 1_000_000 then
      runtime_error "a width or precision of printf is too large";
    n
  in
  let directive first =
    let flags_end = skip "-+ #0" first in
    let width_end = after_number flags_end in
    let is_precise = at width_end = '.' in
    let precision_end =
      if is_precise then after_number (width_end + 1) else width_end
    in
    let length_end = skip "hljztL" precision_end in
    let width = number flags_end width_end in
    let precision =
      if is_precise then number (width_end + 1) precision_end else -1
    in
    let is_given flag =
      String.contains (part first flags_end) flag || (flag = '-' && width < 0)
    in
    let flags = String.of_seq (Seq.filter is_given (String.to_seq "-+ #0")) in
    let length = part precision_end length_end in
    let conversion = at length_end in
    Buffer.add_string result
      (converted flags (abs width) precision length conversion (take ()));
    length_end + 1
  in
  let rec go_on i =
    if i = String.length format then Buffer.contents result
    else if at i <> '%' then (
      Buffer.add_char result (at i);
      go_on (i + 1))
    else if at (i + 1) = '%' then (
      Buffer.add_char result '%';
      go_on (i + 2))
    else go_on (directive (i + 1))
  in
  go_on 0

let printf format arguments = print_string (formatted format arguments)

let printf' format arguments =
  let text = formatted format arguments in
  print_string text;
  String.length text
