// -------------------------------------------------------------------------------------------------- arithmetic
//
// What each primitive computes, as `cpsconv/operations.py` has it. An integer is a BigInt in the range of its type, a
// `float` or `double` a number (a `float` is rounded to 32 bits), a `bool` a boolean, a string a string of bytes.

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

/** The program did what has no meaning. Where, the machine adds. */
class Fault extends Error {}

/** What a variable holds that nothing was assigned to. It can be moved around; to use it is a fault. */
class Undefined {
  constructor(name) {
    this.name = name;
  }
}

function defined(value) {
  if (value instanceof Undefined) throw new Fault(`\`${value.name}\` is used uninitialised`);
  return value;
}

function wrap({ bits, signed }, value) {
  return signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

function rangeOf({ bits, signed }) {
  const half = 1n << BigInt(bits - 1);
  return signed ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** The function for an operator, from the values of its operands to the result. */
function operation(op, operand, result) {
  if (op === "convert") return conversion(operand, result);
  if (op in COMPARISONS) return COMPARISONS[op];
  if (operand in INTEGERS) return onIntegers(op, INTEGERS[operand], operand);
  if (operand === "bool") return ON_BOOLS[op];
  return operand === "float" ? (...values) => Math.fround(ON_FLOATS[op](...values)) : ON_FLOATS[op];
}

const COMPARISONS = {
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

const ON_BOOLS = {
  "&": (left, right) => left && right,
  "|": (left, right) => left || right,
  "^": (left, right) => left !== right,
  "!": (operand) => !operand,
};

const ON_FLOATS = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  neg: (operand) => -operand,
  abs: Math.abs,
};

function onIntegers(op, type, name) {
  const exact = op === "/" || op === "%" ? division(op, type, name) : exactIntegers(BigInt(type.bits))[op];
  return (left, right) => wrap(type, exact(left, right));
}

/** The operations on unbounded integers; a shift count is taken modulo `bits`. */
function exactIntegers(bits) {
  const shift = (count) => ((count % bits) + bits) % bits;
  return {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "&": (left, right) => left & right,
    "|": (left, right) => left | right,
    "^": (left, right) => left ^ right,
    "<<": (left, count) => left << shift(count),
    ">>": (left, count) => left >> shift(count),
    neg: (operand) => -operand,
    "~": (operand) => ~operand,
    abs: (operand) => (operand < 0n ? -operand : operand),
  };
}

/** Division that truncates toward zero, or its remainder; both trap where C leaves them undefined. */
function division(op, type, name) {
  const [, highest] = rangeOf(type);
  return (left, right) => {
    if (right === 0n) throw new Fault("division by zero");
    if (left / right > highest) throw new Fault(`${left} ${op} ${right} overflows \`${name}\``);
    return op === "/" ? left / right : left % right;
  };
}

/** The function that converts a value as a C cast does. */
function conversion(source, target) {
  if (target === "bool")
    return source in INTEGERS ? (value) => value !== 0n : (value) => value !== 0 && value !== false;
  if (target in INTEGERS) {
    return source === "float" || source === "double"
      ? truncation(INTEGERS[target])
      : (value) => wrap(INTEGERS[target], BigInt(value));
  }
  if (target === "double") return Number;
  return source in INTEGERS ? nearestFloat : (value) => Math.fround(Number(value));
}

/** Truncation. What C leaves undefined (out of range, NaN) is what the instruction cvttsd2si of x86-64 gives. */
function truncation(type) {
  const big = 2 ** 63;
  if (!type.signed && type.bits === 64) {
    return (value) => wrap(type, value >= big ? truncated(value - big, 64) + BigInt(big) : truncated(value, 64));
  }
  const bits = type.bits === 64 || (type.bits === 32 && !type.signed) ? 64 : 32;
  return (value) => wrap(type, truncated(value, bits));
}

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
