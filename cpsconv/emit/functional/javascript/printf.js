// C's printf, as `cpsconv/evaluator/effects.py` defines it: from a format and arguments to a string of bytes.
//
// JavaScript does not distinguish the signs of NaNs; each NaN is shown as x86-64 computes it, `-nan`. An argument of integer
// type is a BigInt or a number. A double is a number, or tagged as a double by a box (`Object(1.5)`).

const DIRECTIVE =
  /%(?<flags>[-+ #0]*)(?<width>\*|[0-9]*)(?:\.(?<precision>\*|[0-9]*))?(?<length>hh|h|ll|l|j|z|t|L|)(?<conversion>[\xc2-\xf4][\x80-\xbf]+|.?)/gs;
const MAX_WIDTH = 1_000_000; // also of a precision
const BITS = { hh: 8, h: 16, "": 32 }; // other lengths: 64

function formatted(format, values) {
  const rest = [...values];
  return cString(format).replace(DIRECTIVE, (text, ...groups) => {
    if (text === "%%") return "%";
    const found = groups.at(-1);
    if (!isSupported(found)) throw new Fault(`\`${text}\` in a printf format is not a conversion that is supported`);
    return converted(directive(text, found, rest), rest);
  });
}

/** The text up to its first zero byte, where a C string ends. */
function cString(text) {
  return text.split("\0", 1)[0];
}

function isSupported({ length, conversion }) {
  if (conversion === "") return false;
  if ("diouxX".includes(conversion)) return length !== "L";
  if ("fFeEgGaA".includes(conversion)) return length === "" || length === "l";
  return "cs".includes(conversion) && length === "";
}

/** A directive, with the arguments for its stars filled in. */
function directive(text, { flags, width, precision, length, conversion }, rest) {
  const argument = () => Number(BigInt.asIntN(32, nextInteger(text, rest)));
  const number = (written) => (written === "*" ? argument() : Number(written || 0));
  const wide = number(width);
  const precise = precision === undefined ? -1 : number(precision);
  if (Math.max(Math.abs(wide), precise) > MAX_WIDTH) {
    throw new Fault(`the width or precision of \`${text}\` is too large`);
  }
  return {
    text,
    flags: wide < 0 ? flags + "-" : flags,
    width: Math.abs(wide),
    precision: precise < 0 ? null : precise,
    bits: BITS[length] ?? 64,
    conversion,
  };
}

/** Remove the next argument from `rest` and return it. Throws a Fault if it has none of the JavaScript types. */
function nextValue(text, rest, needed, types) {
  if (!rest.length) throw new Fault(`\`${text}\` in a printf format has no argument`);
  const value = rest.shift();
  if (!types.includes(typeof value)) throw new Fault(`\`${text}\` in a printf format needs ${needed}`);
  return value;
}

function nextInteger(text, rest) {
  return BigInt(nextValue(text, rest, "an integer", ["bigint", "number"]));
}

function converted(given, rest) {
  const { text, conversion, bits, precision } = given;
  const integer = () => nextInteger(text, rest);
  if ("di".includes(conversion)) return integerText(given, BigInt.asIntN(bits, integer()), true);
  if ("uoxX".includes(conversion)) return integerText(given, BigInt.asUintN(bits, integer()), false);
  if (conversion === "c") return padded(given, "", String.fromCharCode(Number(BigInt.asUintN(8, integer()))));
  if (conversion !== "s") return floatText(given, Number(nextValue(text, rest, "a double", ["number", "object"])));
  return padded(given, "", cString(nextValue(text, rest, "a string", ["string"])).slice(0, precision ?? undefined));
}

/** Pad to the width: with zeros, between prefix and body, if `zeros` and the flags allow that. */
function padded({ flags, width }, prefix, body, zeros = false) {
  if (flags.includes("-")) return (prefix + body).padEnd(width);
  if (zeros && flags.includes("0")) return prefix + body.padStart(width - prefix.length, "0");
  return (prefix + body).padStart(width);
}

function signOf(flags, isNegative) {
  return isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function integerText(given, value, signed) {
  const { flags, precision, conversion } = given;
  const base = { o: 8, x: 16, X: 16 }[conversion] ?? 10;
  let digits = (value < 0n ? -value : value).toString(base);
  if (conversion === "X") digits = digits.toUpperCase();
  if (precision !== null) digits = value || precision ? digits.padStart(precision, "0") : "";
  let prefix = signed ? signOf(flags, value < 0n) : "";
  if (flags.includes("#") && base === 8 && !digits.startsWith("0")) digits = "0" + digits;
  if (flags.includes("#") && base === 16 && value) prefix = "0" + conversion;
  return padded(given, prefix, digits, precision === null);
}

function floatText(given, value) {
  const { flags, conversion } = given;
  let sign = signOf(flags, value < 0 || Object.is(value, -0) || Number.isNaN(value));
  let text = Number.isNaN(value) ? "nan" : "inf";
  if (Number.isFinite(value)) {
    if ("aA".includes(conversion)) sign += "0x";
    text = FLOAT_FORMS[conversion.toLowerCase()](Math.abs(value), given.precision, flags.includes("#"));
  }
  if (conversion !== conversion.toLowerCase()) [sign, text] = [sign.toUpperCase(), text.toUpperCase()];
  return padded(given, sign, text, Number.isFinite(value));
}

const FLOAT_FORMS = { f: fixed, e: (...given) => exponential(...given).text, g: general, a: hexadecimal };

/** The exact `[mantissa, exponent]` with `magnitude = mantissa * 2 ** exponent`, for a double that is not negative. */
function exactParts(magnitude) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, magnitude);
  const exponent = Number((bits.getBigUint64(0) >> 52n) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & ((1n << 52n) - 1n);
  return exponent ? [fraction | (1n << 52n), exponent - 1075] : [fraction, -1074];
}

/** The integer nearest to `magnitude * 10 ** places`, or as `divided` rounds it. */
function scaled(magnitude, places, divided = dividedEvenly) {
  const [mantissa, exponent] = exactParts(magnitude);
  const power = (base, count) => base ** BigInt(Math.max(0, count));
  return divided(mantissa * power(2n, exponent) * power(10n, places), power(2n, -exponent) * power(10n, -places));
}

function withPoint(digits, places, alternate) {
  const whole = digits.slice(0, digits.length - places);
  return places || alternate ? `${whole}.${digits.slice(digits.length - places)}` : whole;
}

function fixed(magnitude, precision, alternate) {
  const places = precision ?? 6;
  return withPoint(
    scaled(magnitude, places)
      .toString()
      .padStart(places + 1, "0"),
    places,
    alternate,
  );
}

/** The exponent of the first decimal digit. */
function exponentOf(magnitude) {
  const near = Math.floor(Math.log10(magnitude)); // the logarithm is rounded
  const first = scaled(magnitude, -near, (dividend, divisor) => dividend / divisor);
  return near + (first >= 10n) - (first < 1n);
}

function exponential(magnitude, precision, alternate) {
  const places = precision ?? 6;
  let exponent = magnitude ? exponentOf(magnitude) : 0;
  let digits = scaled(magnitude, places - exponent)
    .toString()
    .padStart(places + 1, "0");
  if (digits.length > places + 1) {
    exponent += 1; // 9.99 became 10.0
    digits = digits.slice(0, -1);
  }
  const power = `${exponent < 0 ? "-" : "+"}${Math.abs(exponent).toString().padStart(2, "0")}`;
  const number = withPoint(digits, places, alternate);
  return { exponent, number, power, text: `${number}e${power}` };
}

function general(magnitude, precision, alternate) {
  const digits = Math.max(1, precision ?? 6);
  const { exponent, number, power } = exponential(magnitude, digits - 1, alternate);
  const isFixed = -4 <= exponent && exponent < digits;
  const text = isFixed ? fixed(magnitude, digits - 1 - exponent, alternate) : number;
  const shortest = alternate || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
  return isFixed ? shortest : `${shortest}e${power}`;
}

const FRACTION_DIGITS = 13; // hexadecimal digits of a double

/** A hexadecimal fraction and an exponent of 2: `1.8p+0` for 1.5. */
function hexadecimal(magnitude, precision, alternate) {
  let [mantissa, exponent] = exactParts(magnitude);
  const dropped = precision === null ? 0 : Math.max(0, FRACTION_DIGITS - precision);
  mantissa = dividedEvenly(mantissa, 1n << BigInt(4 * dropped));
  const kept = FRACTION_DIGITS - dropped;
  const leading = (mantissa >> BigInt(4 * kept)).toString(16);
  let fraction = kept ? mantissa.toString(16).padStart(kept, "0").slice(-kept) : "";
  fraction = precision === null ? fraction.replace(/0+$/, "") : fraction.padEnd(precision, "0");
  exponent = magnitude ? exponent + 52 : 0;
  return `${leading}${fraction || alternate ? "." : ""}${fraction}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
