// The texts that C's printf writes for values, as strings of bytes. `precision` is negative if it is missing; a negative
// `width` pads on the right.
//
// JavaScript does not distinguish the signs of NaNs; each NaN is shown as x86-64 computes it, `-nan`.

const MAX_SIZE = 1_000_000; // of a width or precision

function size(n) {
  if (Math.abs(n) > MAX_SIZE) throw new Fault("a width or precision of printf is too large");
  return n;
}

/** The text up to its first zero byte, where a C string ends. */
function cString(text) {
  return text.split("\0", 1)[0];
}

/** Print by a format that is not a constant. */
function selectFormat(format, printed) {
  return (printed.get(format) ?? misfit)();
}

function misfit() {
  throw new Fault("the format of printf does not fit its arguments");
}

const unused = (value) => "";

const character = (code) => String.fromCharCode(code);

const shownCharacter = (flags, width, code) => padded(flags, width, "", character(code));

function shownString(flags, width, precision, text) {
  return padded(flags, width, "", cString(text).slice(0, precision < 0 ? undefined : precision));
}

/** Pad to the width: with zeros, between prefix and body, if `zeros` and the flags allow that. */
function padded(flags, width, prefix, body, zeros = false) {
  if (flags.includes("-") || width < 0) return (prefix + body).padEnd(Math.abs(width));
  if (zeros && flags.includes("0")) return prefix + body.padStart(width - prefix.length, "0");
  return (prefix + body).padStart(width);
}

function signOf(flags, isNegative) {
  return isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

/** An integer, a number or a BigInt, in the range of its type. */
function shownInteger(conversion, flags, width, precision, value) {
  const base = { o: 8, x: 16, X: 16 }[conversion] ?? 10;
  let digits = (value < 0 ? -value : value).toString(base);
  if (conversion === "X") digits = digits.toUpperCase();
  if (precision >= 0) digits = value || precision ? digits.padStart(precision, "0") : "";
  let prefix = "di".includes(conversion) ? signOf(flags, value < 0) : "";
  if (flags.includes("#") && base === 8 && !digits.startsWith("0")) digits = "0" + digits;
  if (flags.includes("#") && base === 16 && value) prefix = "0" + conversion;
  return padded(flags, width, prefix, digits, precision < 0);
}

function shownFloat(conversion, flags, width, precision, value) {
  let sign = signOf(flags, value < 0 || Object.is(value, -0) || Number.isNaN(value));
  let text = Number.isNaN(value) ? "nan" : "inf";
  if (Number.isFinite(value)) {
    if ("aA".includes(conversion)) sign += "0x";
    text = FLOAT_FORMS[conversion.toLowerCase()](Math.abs(value), precision, flags.includes("#"));
  }
  if (conversion !== conversion.toLowerCase()) [sign, text] = [sign.toUpperCase(), text.toUpperCase()];
  return padded(flags, width, sign, text, Number.isFinite(value));
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
  const places = precision < 0 ? 6 : precision;
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
  const places = precision < 0 ? 6 : precision;
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
  const digits = precision < 0 ? 6 : Math.max(1, precision);
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
  const dropped = precision < 0 ? 0 : Math.max(0, FRACTION_DIGITS - precision);
  mantissa = dividedEvenly(mantissa, 1n << BigInt(4 * dropped));
  const kept = FRACTION_DIGITS - dropped;
  const leading = (mantissa >> BigInt(4 * kept)).toString(16);
  let fraction = kept ? mantissa.toString(16).padStart(kept, "0").slice(-kept) : "";
  fraction = precision < 0 ? fraction.replace(/0+$/, "") : fraction.padEnd(precision, "0");
  exponent = magnitude ? exponent + 52 : 0;
  return `${leading}${fraction || alternate ? "." : ""}${fraction}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
