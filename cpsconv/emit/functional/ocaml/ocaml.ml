(* What the operations of a CPS program mean (section by section as in
   cpsconv/operations/semantics.py and evaluator/), in OCaml. A file that is emitted has
   what it uses of this. TYPE and the facts about it stand for each type of
   integers that has up to 32 bits. *)

(* How a program ends. To be aborted ends it as a shell shows the signal. *)

let halt status = exit (status land 255)

let halt_with_long status = halt (Int64.to_int status)

let halt_with_bool status = halt (Bool.to_int status)

let abort () = exit 134

let runtime_error message =
  flush stdout;
  prerr_endline ("runtime error: " ^ message);
  exit 3

(* What may come from a variable that nothing was assigned to is an option.
   It may be passed on, but not used. *)
let defined = function
  | Some value -> value
  | None -> runtime_error "a variable is used uninitialised"

(* Integers of up to 32 bits are kept as int, which has 63. They wrap around. *)

let TYPE n = WRAPPED

let check_division by_zero out_of_range =
  if by_zero then runtime_error "division by zero";
  if out_of_range then runtime_error "a quotient is out of range"

let TYPE_div a b =
  check_division (b = 0) (a = LOWEST && b = -1);
  a / b

let TYPE_rem a b =
  check_division (b = 0) (a = LOWEST && b = -1);
  a mod b

(* Those of 64 bits are int64. *)

let long_div a b =
  check_division (b = 0L) (a = Int64.min_int && b = -1L);
  Int64.div a b

let long_rem a b =
  check_division (b = 0L) (a = Int64.min_int && b = -1L);
  Int64.rem a b

let unsigned_long_div a b =
  check_division (b = 0L) false;
  Int64.unsigned_div a b

let unsigned_long_rem a b =
  check_division (b = 0L) false;
  Int64.unsigned_rem a b

(* Both operands must be defined, even where one is enough. *)

let both a b = a && b

let either a b = a || b

(* A `float` of C is a float that has been rounded to 32 bits. *)
let single x = Int32.float_of_bits (Int32.bits_of_float x)

(* Half of an unsigned number, which is rounded as the whole would be. *)
let half n = Int64.logor (Int64.shift_right_logical n 1) (Int64.logand n 1L)

let double_of_unsigned_long n =
  if n >= 0L then Int64.to_float n else 2. *. Int64.to_float (half n)

(* Rounded once, not first to the 53 bits of a float, then to 24: what these 53
   have no room for becomes one bit, which says that there is something. *)
let single_of_long n =
  let rest = Int64.logand n 2047L in
  let is_exact = rest = 0L || Int64.abs n < 0x20000000000000L in
  let kept = if is_exact then n else Int64.logor (Int64.sub n rest) 2048L in
  single (Int64.to_float kept)

let single_of_unsigned_long n =
  if n >= 0L then single_of_long n else 2. *. single_of_long (half n)

(* The whole part of a floating number as x86-64 has it: where it does not fit,
   the smallest number. *)

let int_of_double x =
  if x > -2147483649. && x < 2147483648. then int_of_float x else -2147483648

let long_of_double x =
  if x >= -0x1p63 && x < 0x1p63 then Int64.of_float x else Int64.min_int

let unsigned_of_double x = unsigned (Int64.to_int (long_of_double x))

let unsigned_long_of_double x =
  if x >= 0x1p63 then Int64.add (long_of_double (x -. 0x1p63)) Int64.min_int
  else long_of_double x

(* A C string ends at its first zero byte. *)
let c_string text = List.hd (String.split_on_char '\000' text)
