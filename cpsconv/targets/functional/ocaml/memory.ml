(* Memory that is not checked: the program checks each access itself. A pointer
   is the number of an array in its upper 32 bits, and an offset in its lower
   ones. *)

let arrays = ref (Array.make 64 Bytes.empty)
let used_arrays = ref 1
let free_arrays = ref []

let add_array bytes =
  let number =
    match !free_arrays with
    | first :: others ->
        free_arrays := others;
        first
    | [] ->
        let number = !used_arrays in
        used_arrays := number + 1;
        if number = Array.length !arrays then
          arrays := Array.append !arrays (Array.make number Bytes.empty);
        number
  in
  !arrays.(number) <- bytes;
  Int64.shift_left (Int64.of_int number) 32

let array_of p = !arrays.(Int64.to_int (Int64.shift_right_logical p 32))
let place_in p = Int64.to_int p land 0xffffffff

let create count size =
  add_array (Bytes.make (Int64.to_int (Int64.mul count size)) '\000')

let release p =
  let number = Int64.to_int (Int64.shift_right_logical p 32) in
  !arrays.(number) <- Bytes.empty;
  if number > 0 then free_arrays := number :: !free_arrays

let data size content =
  let bytes = Bytes.make size '\000' in
  Bytes.blit_string content 0 bytes 0 (String.length content);
  add_array bytes

let load_char p = Bytes.get_int8 (array_of p) (place_in p)
let load_signed_char = load_char
let load_unsigned_char p = Bytes.get_uint8 (array_of p) (place_in p)
let load_bool p = load_char p <> 0
let load_short p = Bytes.get_int16_le (array_of p) (place_in p)
let load_unsigned_short p = Bytes.get_uint16_le (array_of p) (place_in p)
let load_int p = Int32.to_int (Bytes.get_int32_le (array_of p) (place_in p))
let load_unsigned p = load_int p land 0xffffffff
let load_long p = Bytes.get_int64_le (array_of p) (place_in p)
let load_unsigned_long = load_long
let load_ptr = load_long
let load_float p = Int32.float_of_bits (Bytes.get_int32_le (array_of p) (place_in p))
let load_double p = Int64.float_of_bits (load_long p)
let store_char n p = Bytes.set_int8 (array_of p) (place_in p) n
let store_signed_char = store_char
let store_unsigned_char = store_char
let store_bool truth p = store_char (Bool.to_int truth) p
let store_short n p = Bytes.set_int16_le (array_of p) (place_in p) n
let store_unsigned_short = store_short
let store_int n p = Bytes.set_int32_le (array_of p) (place_in p) (Int32.of_int n)
let store_unsigned = store_int
let store_long n p = Bytes.set_int64_le (array_of p) (place_in p) n
let store_unsigned_long = store_long
let store_ptr = store_long
let store_float x p = store_int (Int32.to_int (Int32.bits_of_float x)) p
let store_double x p = store_long (Int64.bits_of_float x) p
let store_if_defined store value p = Option.iter (fun value -> store value p) value

(* The bytes up to the next zero, or the first `limit` ones unless it is negative. *)
let string_at p limit =
  let bytes, start = (array_of p, place_in p) in
  let rec size n = if n = limit || Bytes.get bytes (start + n) = '\000' then n else size (n + 1) in
  Bytes.sub_string bytes start (size 0)

(* The continuations that setjmp saved. *)

let kept_continuations = Hashtbl.create 16

let __keep slot saved ret =
  Hashtbl.replace kept_continuations slot saved;
  ret ()

let __enter slot value = (Hashtbl.find kept_continuations slot) value

(* System calls. A negative result is an error number of Linux. *)

let __read descriptor p size ret =
  if descriptor <> 0 then ret (-9L)
  else if size = 0L then ret 0L
  else (
    flush stdout;
    ret (Int64.of_int (input stdin (array_of p) (place_in p) (Int64.to_int size))))

let __write descriptor p size ret =
  let text () = Bytes.sub_string (array_of p) (place_in p) (Int64.to_int size) in
  match descriptor with
  | 1 ->
      print_string (text ());
      ret size
  | 2 ->
      flush stdout;
      prerr_string (text ());
      flush stderr;
      ret size
  | _ -> ret (-9L)
