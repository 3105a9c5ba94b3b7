// ----------------------------------------------------------------------------------------------------- numbers
//
// What integers and floating numbers are: their ranges, how they are rounded, read and shown. Here an integer is a
// BigInt in the range of its type, a `float` or `double` a number (a `float` is rounded to 32 bits).

const INTEGERS = {
  char: { bits: 8, signed: true },
  "signed char": { bits: 8, signed: true },
  "unsigned char": { bits: 8, signed: false },
  short: { bits: 16, signed: true },
  "unsigned short": { bits: 16, signed: false },
  int: { bits: 32, signed: true },
  unsigned: { bits: 32, signed: false },
  long: { bits: 64, signed: true },
  "unsigned long": { bits: 64, signed: false },
};

/** The program did what has no meaning. */
class Fault extends Error {}

function wrap({ bits, signed }, value) {
  return signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

function rangeOf({ bits, signed }) {
  const half = 1n << BigInt(bits - 1);
  return signed ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** The whole part of a number, as the instruction cvttsd2si of x86-64 has it: where it does not fit, the smallest. */
function truncated(value, bits) {
  const lowest = -(1n << BigInt(bits - 1));
  return lowest - 1n < value && value < -lowest ? BigInt(Math.trunc(value)) : lowest;
}

/** The 32-bit float nearest to an integer, ties to even, rounded once (not first to 64 bits). */
function nearestFloat(value) {
  const magnitude = value < 0n ? -value : value;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const rounded = Number(dividedEvenly(magnitude, 1n << excess) << excess);
  return value < 0n ? -rounded : rounded;
}

/** The integer nearest to a quotient of two that are not negative; of two, the even one. */
function dividedEvenly(dividend, divisor) {
  const quotient = dividend / divisor;
  const rest = 2n * (dividend % divisor);
  return rest > divisor || (rest === divisor && quotient % 2n) ? quotient + 1n : quotient;
}

/** A double as Python shows it: the shortest digits, and with a point or an exponent. */
function shownNumber(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (Object.is(value, -0)) return "-0.0";
  const exponent = value ? Number(value.toExponential().split("e")[1]) : 0;
  if (exponent < -4 || exponent >= 16) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const text = value.toString();
  return text.includes(".") ? text : `${text}.0`;
}

function readFloat(type, text) {
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(text);
  const value = special ? (special[2] ? Infinity : NaN) * (special[1] === "-" ? -1 : 1) : Number(text);
  const isWritten = special || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  if (!isWritten) throw new RangeError(`\`${text}\` is not a number`);
  return type === "float" ? Math.fround(value) : value;
}

function readInteger(type, text) {
  const character = INTEGERS[type].bits === 8 && /^(?:'([\x00-\xff])'|([\x00-/:-\xff]))$/.exec(text);
  if (character) return wrap(INTEGERS[type], BigInt((character[1] ?? character[2]).charCodeAt(0)));
  const written = /^([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)$/.exec(text);
  if (!written) throw new RangeError(`\`${text}\` is not an integer`);
  const value = BigInt(written[2]) * (written[1] === "-" ? -1n : 1n);
  const [lowest, highest] = rangeOf(INTEGERS[type]);
  if (lowest <= value && value <= highest) return value;
  throw new RangeError(`${text} is out of the range of \`${type}\`, ${lowest} to ${highest}`);
}
