// Values as text: the output of printf, and literals of CPS text, as cpsconv prints and reads them.

/** The text of a printf: `effects` are those of its format; integers among the values are BigInts. */
function formatted(effects, values) {
  const rest = [...values];
  return effects.map((effect) => (typeof effect === "string" ? effect : converted(effect, rest))).join("");
}

/** The text of a directive, which takes arguments from `rest`. */
function converted({ directive, conversion, flags, sizes, kind, bits, signed }, rest) {
  if (!kind) throw new Fault(`\`${directive}\` in a printf format is not a conversion that is supported`);
  const [width, precision] = sizes.map((size) => {
    return size === "*" ? Number(BigInt.asIntN(32, nextArgument("integer", directive, rest))) : size;
  });
  if (Math.max(Math.abs(width), precision) > MAX_SIZE) {
    throw new Fault(`the width or precision of \`${directive}\` is too large`);
  }
  const value = nextArgument(kind, directive, rest);
  if (conversion === "s") {
    const text = value.address === undefined ? value : stringAt(value.address, precision);
    return shownString(flags, width, precision, text);
  }
  if (conversion === "p") return shownPointer(conversion, flags, width, precision, value.address);
  if (kind === "float") return shownFloat(conversion, flags, width, precision, value);
  if (kind === "unbounded") return shownInteger(conversion, flags, width, precision, value);
  const integer = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  if (conversion === "c") return shownCharacter(flags, width, Number(integer));
  return shownInteger(conversion, flags, width, precision, integer);
}

/** Remove the next argument from `rest` and return it. Throws a Fault if it is not of the kind. */
function nextArgument(kind, directive, rest) {
  const [types, noun] = KINDS[kind];
  if (!rest.length) throw new Fault(`\`${directive}\` in a printf format has no argument`);
  const value = rest.shift();
  if (!types.includes(typeof value)) throw new Fault(`\`${directive}\` in a printf format needs ${noun}`);
  return value;
}

/** The JavaScript types of the arguments for each kind, and the noun for them. A pointer is an object. */
const KINDS = {
  integer: [["bigint"], "an integer"],
  unbounded: [["bigint"], "an integer"],
  float: [["number"], "a double"],
  "long double": [[], "a long double"], // which a program that the page evaluates does not have
  string: [["string", "object"], "a string"],
  pointer: [["object"], "a pointer"],
};

/** The text of a string of bytes in UTF-8. */
function decoded(text) {
  return new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
}

/** Plain data as a literal of CPS text. */
function shownLiteral(value, type) {
  if (value instanceof Undefined) return "undef";
  if (type === "char") return CHARACTERS[value & 255];
  if (type === "float") return floatLiteral(value);
  return `${shownValue(value, type)}${SUFFIXES[type] ?? ""}`;
}

/** Plain data as `cpsconv run` prints the value of a function. */
function shownValue(value, type) {
  if (type === "string") return JSON.stringify(value);
  return ["float", "double", "long double"].includes(type) ? shownNumber(value) : `${value}`;
}

/** The shortest decimal that denotes the `float`. */
function floatLiteral(value) {
  if (!Number.isFinite(value)) return `${shownNumber(value)}f`;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  let [text, digits] = ["", 0];
  while (Math.fround(Number(text || NaN)) !== Math.abs(value)) text = general(Math.abs(value), ++digits, false);
  return `${sign}${text}f`;
}

/** The value of a type that a text denotes. Throws a RangeError that states what is wrong. */
function readValue(type, text) {
  return READERS[type](type === "float" || type === "double" ? text.trim() : text);
}
