(* The operations of CPS programs in OCaml, section by section as in
   cpsconv/core/operations/semantics.py and engines/machine/. An emitted file contains the
   pieces that it uses. A piece with TYPE is a template for each integer type
   of up to 32 bits. *)

(* The end of a program. abort exits with the status that a shell reports for it. *)

let halt status = exit (status land 255)
let halt_with_long status = halt (Int64.to_int status)
let halt_with_bool status = halt (Bool.to_int status)
let abort () = exit 134

let runtime_error message =
  flush stdout;
  prerr_endline ("runtime error: " ^ message);
  exit 3

(* A value that may be undefined is an option. None may be passed, but not
   used. *)
let defined = function
  | Some value -> value
  | None -> runtime_error "a variable is used uninitialised"

(* Integers of up to 32 bits are int, which has 63 bits. They wrap around. *)

let TYPE n = WRAPPED

(* Both operands are evaluated, and must be defined. *)

let both a b = a && b
let either a b = a || b

(* A `float` of C is a float rounded to 32 bits. *)
let single x = Int32.float_of_bits (Int32.bits_of_float x)

(* Half of an unsigned number, with a last bit that preserves the rounding. *)
let half n = Int64.logor (Int64.shift_right_logical n 1) (Int64.logand n 1L)

let double_of_unsigned_long n =
  if n >= 0L then Int64.to_float n else 2. *. Int64.to_float (half n)

(* Rounds once, not first to the 53 bits of a float and then to 24: the bits
   beyond the 53 become one sticky bit. *)
let single_of_long n =
  let rest = Int64.logand n 2047L in
  let is_exact = rest = 0L || Int64.abs n < 0x20000000000000L in
  let kept = if is_exact then n else Int64.logor (Int64.sub n rest) 2048L in
  single (Int64.to_float kept)

let single_of_unsigned_long n =
  if n >= 0L then single_of_long n else 2. *. single_of_long (half n)

(* Truncation as on x86-64: the smallest integer if the result is out of
   range. *)

let int_of_double x =
  if x > -2147483649. && x < 2147483648. then int_of_float x else -2147483648

let long_of_double x =
  if x >= -0x1p63 && x < 0x1p63 then Int64.of_float x else Int64.min_int

let unsigned_long_of_double x =
  if x >= 0x1p63 then Int64.add (long_of_double (x -. 0x1p63)) Int64.min_int
  else long_of_double x

(* OCaml's own nan may be a signalling one, of which a power may be a NaN. *)
let nan = Int64.float_of_bits 0x7ff8000000000000L

(* A C string ends at its first zero byte. *)
let c_string text = List.hd (String.split_on_char '\000' text)
