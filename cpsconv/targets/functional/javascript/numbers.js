// Values read from text and shown as text. Strings have one character for each byte.

/** A double in Python's notation: the shortest digits, with a point or an exponent. */
function shownNumber(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (Object.is(value, -0)) return "-0.0";
  const exponent = value ? Number(value.toExponential().split("e")[1]) : 0;
  if (exponent < -4 || exponent >= 16) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const text = value.toString();
  return text.includes(".") ? text : `${text}.0`;
}

const readTYPE = (text) => KIND(readInteger("NAME", LOWESTn, BigInt(HIGHEST), readString(text)));

/** An integer of a type. Throws a RangeError if the text is not an integer, or is out of range. */
function readInteger(type, lowest, highest, text) {
  const isCharacter = highest - lowest === 255n;
  const character = isCharacter && /^(?:'([\x00-\xff])'|([\x00-/:-\xff]))$/.exec(text);
  if (character) {
    const code = BigInt((character[1] ?? character[2]).charCodeAt(0));
    return code > highest ? code - 256n : code;
  }
  const value = readUnbounded(text);
  if (lowest <= value && value <= highest) return value;
  throw new RangeError(`${text} is out of the range of \`${type}\`, ${lowest} to ${highest}`);
}

/** An integer of any size. Throws a RangeError if the text is not an integer. */
function readUnbounded(text) {
  const written = /^([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)$/.exec(text);
  if (!written) throw new RangeError(`\`${text}\` is not an integer`);
  return BigInt(written[2]) * (written[1] === "-" ? -1n : 1n);
}

function readDouble(text) {
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(text);
  const isWritten = special || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  if (!isWritten) throw new RangeError(`\`${text}\` is not a number`);
  return special ? (special[2] ? Infinity : NaN) * (special[1] === "-" ? -1 : 1) : Number(text);
}

const readFloat = (text) => Math.fround(readDouble(text));

function readBool(text) {
  if (!["true", "false", "1", "0"].includes(text)) throw new RangeError(`\`${text}\` is neither \`true\` nor \`false\``);
  return text === "true" || text === "1";
}

const readString = (text) => Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
