// -------------------------------------------------------------------------------------------------- arithmetic
//
// What each primitive computes, as `cpsconv/operations/semantics.py` has it. An integer is a BigInt in the range of its type, a
// `float` or `double` a number (a `float` is rounded to 32 bits), a `bool` a boolean, a string a string of bytes.

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
