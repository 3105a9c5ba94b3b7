// What the operations of a CPS program mean (section by section as in cpsconv/operations/semantics.py and evaluator/).
//
// Integers of up to 32 bits and floating numbers are numbers, integers of 64 bits BigInts. A file that is emitted has what
// it uses of this; `TYPE` and the facts about it stand for each type of integers.

// What a variable is to which nothing was assigned is undefined. It may be passed on, but not used.
function defined(value) {
  if (value === undefined) throw new Fault("a variable is used uninitialised");
  return value;
}

// Integers of a type wrap around.

const toTYPE = (n) => WRAPPED;

function divideTYPE(a, b) {
  checkDivision(a, b, HIGHEST);
  return toTYPE(a / b);
}

function remainderTYPE(a, b) {
  checkDivision(a, b, HIGHEST);
  return toTYPE(a % b);
}

function checkDivision(a, b, highest) {
  if (b == 0) throw new Fault("division by zero");
  if (b == -1 && -a > highest) throw new Fault("a quotient is out of range");
}

const absLong = (a) => (a < 0n ? toLong(-a) : a);

// Booleans: functions, as both operands must be defined, even where one is enough.

const both = (a, b) => a && b;

const either = (a, b) => a || b;

// The whole part of a floating number; what does not fit is as on x86-64.

function truncateToInt(x) {
  return -2147483649 < x && x < 2147483648 ? x | 0 : -2147483648;
}

const truncateToChar = (x) => toChar(truncateToInt(x));

const truncateToSignedChar = (x) => toSignedChar(truncateToInt(x));

const truncateToUnsignedChar = (x) => toUnsignedChar(truncateToInt(x));

const truncateToShort = (x) => toShort(truncateToInt(x));

const truncateToUnsignedShort = (x) => toUnsignedShort(truncateToInt(x));

const truncateToUnsigned = (x) => Number(BigInt.asUintN(32, truncated(x, 64)));

const truncateToLong = (x) => truncated(x, 64);

function truncateToUnsignedLong(x) {
  const half = 2 ** 63;
  return toUnsignedLong(x >= half ? truncated(x - half, 64) + BigInt(half) : truncated(x, 64));
}

// Output; each function gives what C's does.

function printf(format, ...values) {
  const text = formatted(format, values);
  write(text);
  return text.length;
}

const puts = (text) => printf("%s\n", text);

function putchar(code) {
  write(String.fromCharCode(code & 255));
  return code & 255;
}

function eprint(text) {
  flush();
  writeAll(2, cString(text));
}

// How a program ends. To be aborted ends it as a shell shows the signal.

const halt = (status) => end(Number(BigInt.asUintN(8, BigInt(defined(status)))));

const haltWithBool = (value) => halt(Number(defined(value)));

const abort = () => end(134);
