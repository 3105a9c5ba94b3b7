// The operations of CPS programs, as `cpsconv/core/operations/semantics.py` and `cpsconv/core/operations/printing.py` define them.
//
// An emitted file contains the functions that it calls; the page contains all of them. There is one copy of each paragraph
// with the word `TYPE` for each integer type. The host, Node or the page, defines `write`, `writeError` and `readInput`.

/** A runtime error of the program. */
class Fault extends Error {}

/** The value of a variable that was declared without a value. It can be passed on; its use is a fault. */
class Undefined {
  constructor(name) {
    this.name = name;
  }
}

function defined(value) {
  if (value instanceof Undefined) throw new Fault(`\`${value.name}\` is used uninitialised`);
  return value;
}

// Integers.

const toTYPE = (n) => WRAPPED;

// Unbounded integers. A product has a million bits at most.

const MAX_INTEGER = 1n << 1000000n;

const MIN_INTEGER = -MAX_INTEGER;

function multiplyInteger(a, b) {
  const product = a * b;
  if (MIN_INTEGER < product && product < MAX_INTEGER) return product;
  throw new Fault("the product has more than 1000000 bits");
}

const absInteger = (a) => (a < 0n ? -a : a);

// Booleans. These are functions, not operators, so that both operands are evaluated.

const both = (a, b) => a && b;

const either = (a, b) => a || b;

// Conversions of floating numbers.

/** The integral part of a number, as the instruction cvttsd2si of x86-64 gives it: out of range, the lowest integer. */
function truncateToInt(x) {
  return -2147483649 < x && x < 2147483648 ? x | 0 : -2147483648;
}

function truncateToLong(x) {
  return -(2 ** 63) <= x && x < 2 ** 63 ? BigInt(Math.trunc(x)) : -9223372036854775808n;
}

/** The 32-bit float nearest to an integer, ties to even, rounded once (not first to 64 bits). */
function nearestFloat(value) {
  const magnitude = value < 0n ? -value : value;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const rounded = Number(dividedEvenly(magnitude, 1n << excess) << excess);
  return Math.fround(value < 0n ? -rounded : rounded); // infinite beyond the range
}

/** The integer nearest to the quotient of two integers that are not negative, ties to even. */
function dividedEvenly(dividend, divisor) {
  const quotient = dividend / divisor;
  const rest = 2n * (dividend % divisor);
  return rest > divisor || (rest === divisor && quotient % 2n) ? quotient + 1n : quotient;
}

// Functions of <math.h> that are not those of `Math`.

/** The sign of a NaN, which JavaScript does not tell, counts as positive. */
const copySign = (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a));

const powerOfTwo = (a) => 2 ** a;

const floatRemainder = (a, b) => a % b;

const power = (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b);

/** The nearest integral number; halfway cases are rounded away from zero. */
function rounded(a) {
  const whole = Math.trunc(a);
  return Math.abs(a - whole) >= 0.5 ? whole + Math.sign(a) : whole;
}

function lacking() {
  throw new Fault("JavaScript lacks this function of <math.h>");
}

// Output. Each function returns what the function of C returns.

function printf(...texts) {
  const text = texts.join("");
  write(text);
  return text.length;
}

const puts = (text) => printf(cString(text), "\n");

function putchar(code) {
  write(String.fromCharCode(code & 255));
  return code & 255;
}

const eprint = (text) => writeError(cString(text));

/** The exit status of a process for an integer or truth value. */
const exitStatus = (value) => Number(BigInt.asUintN(8, BigInt(value)));
