(* The start of a program without main: its parameters are the arguments of the
   command line, by number. *)

let wrong complaint =
  prerr_endline ("error: " ^ complaint);
  exit 1

let wrong_argument index what =
  wrong (Printf.sprintf "`%s` is not %s" Sys.argv.(index) what)

let expect_arguments count =
  if Array.length Sys.argv <> count + 1 then
    wrong "the number of arguments is wrong"

(* A byte of a word of the command line, for main: 0 at its end; -1 if there is
   no such word. *)
let __argument_byte index at ret =
  if index + 1 >= Array.length Sys.argv then ret (-1)
  else
    let word = Sys.argv.(index + 1) in
    ret (if at < String.length word then Char.code word.[at] else 0)

let starts_with prefixes text =
  List.exists (fun prefix -> String.starts_with ~prefix text) prefixes

let without_first count text =
  String.sub text count (String.length text - count)

let unsigned_of_digits prefix digits =
  let is_digit = function
    | '0' .. '9' -> true
    | 'a' .. 'f' | 'A' .. 'F' -> prefix = "0x"
    | _ -> false
  in
  if digits <> "" && String.for_all is_digit digits then
    Int64.of_string_opt (prefix ^ digits)
  else None

(* A decimal or hexadecimal integer from -`below` to `above`, which are
   unsigned. *)
let integer_argument index below above =
  let text = Sys.argv.(index) in
  let is_signed = starts_with [ "-"; "+" ] text in
  let is_negative = starts_with [ "-" ] text in
  let written = if is_signed then without_first 1 text else text in
  let magnitude =
    if starts_with [ "0x"; "0X" ] written then
      unsigned_of_digits "0x" (without_first 2 written)
    else unsigned_of_digits "0u" written
  in
  let limit = if is_negative then below else above in
  match magnitude with
  | Some n when Int64.unsigned_compare n limit <= 0 ->
      if is_negative then Int64.neg n else n
  | _ -> wrong_argument index "an integer of its type"

let TYPE_argument index =
  Int64.to_int (integer_argument index MAGNITUDEL HIGHESTL)

let long_argument index = integer_argument index Int64.min_int Int64.max_int
let unsigned_long_argument index = integer_argument index 0L (-1L)

(* A character that is no digit denotes its code, as does any character in quotes. *)

let TYPE_character index =
  match List.of_seq (String.to_seq Sys.argv.(index)) with
  | [ '0' .. '9' ] -> TYPE_argument index
  | [ character ] | [ '\''; character; '\'' ] -> TYPE (Char.code character)
  | _ -> TYPE_argument index

let bool_argument index =
  match Sys.argv.(index) with
  | "true" | "1" -> true
  | "false" | "0" -> false
  | _ -> wrong_argument index "a truth value"

let double_argument index =
  let text = Sys.argv.(index) in
  let is_decimal = String.for_all (String.contains "0123456789.eE+-") text in
  let special = [ "inf"; "+inf"; "-inf"; "nan" ] in
  let is_special = List.mem (String.lowercase_ascii text) special in
  match float_of_string_opt text with
  | Some x when is_decimal || is_special -> x
  | _ -> wrong_argument index "a number"

let float_argument index = single (double_argument index)
let string_argument index = Sys.argv.(index)

(* The result of the program is printed. *)

let report_nothing () = ()
let report_int n = print_endline (string_of_int n)
let report_long n = print_endline (Int64.to_string n)
let report_unsigned_long n = print_endline (Printf.sprintf "%Lu" n)
let report_bool value = print_endline (string_of_bool value)
let report_string text = print_endline text

(* The fewest digits, more than `precision`, that identify the number, and the
   exponent of the first. *)
let rec shortest_digits precision x =
  let text = Printf.sprintf "%.*e" precision x in
  let mantissa, exponent =
    match String.split_on_char 'e' text with
    | [ mantissa; exponent ] -> (mantissa, int_of_string exponent)
    | _ -> assert false
  in
  let digits = String.concat "" (String.split_on_char '.' mantissa) in
  let nearest = int_of_string digits in
  let is_exact n =
    float_of_string (Printf.sprintf "%de%d" n (exponent - precision)) = x
  in
  match List.find_opt is_exact [ nearest; nearest + 1 ] with
  | Some n -> (string_of_int n, exponent)
  | None -> shortest_digits (precision + 1) x

let rec shortest x =
  if Float.is_nan x then "nan"
  else if Float.sign_bit x then "-" ^ shortest (-.x)
  else if x = infinity then "inf"
  else if x = 0. then "0.0"
  else
    let digits, exponent = shortest_digits 0 x in
    let count = String.length digits in
    let part first last = String.sub digits first (last - first) in
    if exponent < -4 || exponent >= 16 then
      let point = if count > 1 then "." else "" in
      Printf.sprintf "%s%s%se%+03d" (part 0 1) point (part 1 count) exponent
    else if exponent < 0 then "0." ^ String.make (-1 - exponent) '0' ^ digits
    else if count <= exponent + 1 then
      digits ^ String.make (exponent + 1 - count) '0' ^ ".0"
    else part 0 (exponent + 1) ^ "." ^ part (exponent + 1) count

let report_float x = print_endline (shortest x)
