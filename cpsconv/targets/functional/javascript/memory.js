// Memory: the records of objects and their bytes, on which the definition of checked memory works (its functions have the
// names `memory_…`, and those of C), and fast paths for what succeeds: where they cannot decide, the definition does.
//
// A pointer is a BigInt: the number of an object in the upper 32 bits, and an offset, with a sign, in the lower ones.
// Behind the bytes of an object are their marks: 1 for each byte that was never written, 0 for each other one.

/** The functions of DataView, and those for integers of 128 bits. */
const ACCESSES = {
  __proto__: DataView.prototype,
  getBigUint128(at, isLittle) {
    return this.getBigUint64(at, isLittle) | (this.getBigUint64(at + 8, isLittle) << 64n);
  },
  getBigInt128(at, isLittle) {
    return this.getBigUint64(at, isLittle) | (this.getBigInt64(at + 8, isLittle) << 64n);
  },
  setBigUint128(at, value, isLittle) {
    this.setBigUint64(at, value, isLittle);
    this.setBigUint64(at + 8, value >> 64n, isLittle);
  },
  setBigInt128(at, value, isLittle) {
    this.setBigUint64(at, value, isLittle);
    this.setBigUint64(at + 8, value >> 64n, isLittle);
  },
};

/** The type of objects in memory. A scalar has the functions that read and write it. */
class Type {
  constructor(name, size, view, convert = (value) => value) {
    this.name = name;
    this.size = size;
    this.read = ACCESSES[`get${view}`];
    this.write = ACCESSES[`set${view}`];
    this.convert = convert; // what is read
  }
}

const CHAR = new Type("char", 1, "Int8");

const POINTER = new Type("ptr", 8, "BigUint64");

const VARIABLE = 1; // an origin
const DATA = 3;
const FUNCTION = 4;

/** The record of an object. The `unit` is the type of its elements, or 0; `title`, `start` and `end` are texts, or 0. */
class MemoryObject {
  constructor(size, unit, title, start, origin, isSingle, isResource) {
    this.size = size;
    this.unit = unit;
    this.title = title;
    this.start = start;
    this.end = 0;
    this.origin = origin;
    this.isSingle = isSingle;
    this.isResource = isResource;
    this.constant = 0n;
    this.bytes = new Uint8Array(2 * size);
    this.view = new DataView(this.bytes.buffer);
  }
}

/** The `constant` parts of an object are a list: the bytes from `start` to before `end`, and the `next` part, or 0n. */
const newPart = () => ({ next: 0n, start: 0, end: 0 });

/** The record of null, which permits no access. */
const nullObject = () => Object.assign(new MemoryObject(0, 0, "", 0, 0), { end: "" });

/** All objects by number. */
let objects = [nullObject()];

function created(object) {
  objects.push(object);
  return BigInt(objects.length - 1) << 32n;
}

const numberOf = (pointer) => Number(BigInt.asUintN(64, pointer + 2147483648n) >> 32n);

const offsetOf = (pointer) => Number(BigInt.asIntN(32, pointer));

/** The pointer to the same object at another offset; one that is too far away becomes the last or first one. */
function moved(pointer, distance) {
  const offset = offsetOf(pointer);
  const target = Math.max(-2147483648, Math.min(offset + distance, 2147483647));
  return BigInt.asUintN(64, pointer + BigInt(target - offset));
}

const elementAt = (type, pointer, index) => moved(pointer, Number(index) * type.size);

const field = (offset, pointer) => moved(pointer, offset);

// What the definition uses. A place is a record, and the index of a byte or mark.

let told = "";

let lastRecord = null;

/** The results of a function of the definition. */
function results(called, ...values) {
  let found;
  lastRecord = null;
  for (let step = called(...values, (...passed) => void (found = passed)); step; ) step = step();
  return found;
}

const result = (...call) => results(...call)[0];

const objectCount = () => BigInt(objects.length);

const recordAt = (number) => (lastRecord = objects[Number(number)]);

const placeOf = (record) => ({ record, at: 0 });

const placeAt = ({ record, at }, distance) => ({ record, at: at + Number(distance) });

const releaseBytes = ({ record }) => Object.assign(record, { bytes: new Uint8Array(0), view: null });

const tell = (text) => void (told += text);

/** A fault of an operation on an object. */
class MemoryFault extends Fault {
  constructor(message, object) {
    super(readString(message)); // as bytes
    this.object = object;
  }
}

function memory_stop(text) {
  const message = (told + text).replace("runtime error: ", "");
  told = "";
  throw new MemoryFault(message, lastRecord);
}

function memory_write_text(text, ret) {
  const shown = text === 1 ? CHAR.name : (text.name ?? text);
  const isType = shown.endsWith("_|_"); // of a function
  tell(isType ? shown.replaceAll("->", "\u2192").replaceAll("_|_", "\u22a5") : shown);
  return ret;
}

function memory_write_natural(number, ret) {
  tell(`${number}`);
  return ret;
}

const memory_write_integer = memory_write_natural;

function memory_size_of_unit(unit, ret) {
  const size = BigInt(unit === 1 ? CHAR.size : (unit.size ?? 0));
  return () => ret(size);
}

function memory_create(size, unit, title, start, origin, isSingle, isResource, byte, ret) {
  const made = new MemoryObject(Number(size), unit, title, start, origin, isSingle, isResource);
  if (byte) made.bytes.fill(byte, made.size);
  const pointer = created(made);
  return () => ret(pointer);
}

function memory_fill({ record, at }, size, byte, ret) {
  record.bytes.fill(byte, at, at + Number(size));
  return ret;
}

function memory_copy_bytes(from, to, size, ret) {
  to.record.bytes.set(from.record.bytes.subarray(from.at, from.at + Number(size)), to.at);
  return ret;
}

function memory_move(source, target, size, unit, ret) {
  moveBytes(source, target, Number(size), unit);
  return ret;
}

function memory_load_char(pointer, ret) {
  const value = load(CHAR, pointer);
  return () => ret(value);
}

function memory_known_length(pointer, limit, ret) {
  const [bytes, start, marks] = bytesFrom(pointer);
  const most = Number(limit);
  for (let at = 0; at !== most; at++) {
    if (bytes[marks + at] !== 0) return ret(18446744073709551615n);
    if (bytes[start + at] === 0) return ret(BigInt(at));
  }
  return ret(limit);
}

function memory_known_order(one, other, size, ret) {
  const [left, start, marks] = bytesFrom(one);
  const [right, from, otherMarks] = bytesFrom(other);
  const most = Number(size);
  for (let at = 0; at < most; at++) {
    if (left[marks + at] !== 0 || right[otherMarks + at] !== 0) return ret(2);
    const difference = left[start + at] - right[from + at];
    if (difference) return ret(difference < 0 ? -1 : 1);
  }
  return ret(0);
}

/** The bytes of the object, and the indices of the byte at the pointer and of its mark. */
function bytesFrom(pointer) {
  const start = offsetOf(pointer);
  const found = (start >= 0 && objects[numberOf(pointer)]) || objects[0];
  return [found.bytes, start, found.size + start];
}

// Accesses.

/** The record of the object that has the bytes at the pointer. */
function objectAt(pointer, size, unit) {
  const found = objects[numberOf(pointer)];
  const offset = offsetOf(pointer);
  if (found && offset >= 0 && offset + size <= found.size && found.end === 0) return found;
  return results(memory_place, pointer, BigInt(size), unit)[0];
}

/** The same, for a change. */
function changedAt(pointer, size, unit) {
  const found = objectAt(pointer, size, unit);
  for (let part = found.constant; part; part = part.next) {
    const offset = offsetOf(pointer);
    if (offset < part.end && part.start < offset + size) return results(memory_changed_place, pointer, BigInt(size), unit)[0];
  }
  return found;
}

function load(type, pointer) {
  const found = objectAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  const marks = found.size + offset;
  for (let at = marks; at < marks + type.size; at++) {
    if (found.bytes[at]) return result(memory_unwritten, pointer, BigInt(type.size), type);
  }
  return type.convert(type.read.call(found.view, offset, true));
}

/** A load in which bytes that were never written are those of the default. */
function loadOr(type, pointer, byDefault) {
  const found = objectAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  const marks = found.bytes.slice(found.size + offset, found.size + offset + type.size);
  const view = new DataView(new ArrayBuffer(type.size));
  if (marks.includes(1)) {
    if (byDefault instanceof Undefined) return byDefault;
    type.write.call(view, 0, byDefault, true);
  }
  marks.forEach((mark, at) => mark || view.setUint8(at, found.bytes[offset + at]));
  return type.convert(type.read.call(view, 0, true));
}

/** A store of an undefined value sets the marks. */
function store(type, value, pointer) {
  const found = changedAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  const isUndefined = value instanceof Undefined;
  if (!isUndefined) type.write.call(found.view, offset, value, true);
  found.bytes.fill(Number(isUndefined), found.size + offset, found.size + offset + type.size);
}

const copy = (type, source, target) => moveBytes(source, target, type.size, type);

/** Copy bytes, with their marks. The places may overlap. */
function moveBytes(source, target, size, unit) {
  const read = objectAt(source, size, unit);
  const changed = changedAt(target, size, unit);
  const [from, to] = [offsetOf(source), offsetOf(target)];
  changed.bytes.set(read.bytes.subarray(from, from + size), to);
  changed.bytes.set(read.bytes.subarray(read.size + from, read.size + from + size), changed.size + to);
}

// Objects.

function allocate(type, count, name, line) {
  const [number, isSigned] = [BigInt(count ?? 1), count < 0];
  const title = name ? `\`${name}\`` : "«variable»";
  const start = line === null ? 0 : lineText(line);
  return result(memory_variable, BigInt.asUintN(64, number), isSigned, count === null, BigInt(type.size), type, title, start);
}

const deallocate = (pointer, line) => void results(memory_end, pointer, VARIABLE, lineText(line));

const makeConstant = (pointer, line) => void results(memory_make_constant_object, pointer);

const makeBytesConstant = (pointer, size, line) => void results(memory_make_part_constant, pointer, size);

const malloc = (size, line) => result(memory_on_heap, 1n, size, 1, heapText(line), false);

const calloc = (count, size, line) => result(memory_on_heap, count, size, 0, heapText(line), false);

const realloc = (pointer, size, line) => result(memory_resized, pointer, size, heapText(line), false, lineText(line));

const free = (pointer, line) => void results(memory_release, pointer, lineText(line));

const lineText = (line) => (line === null ? "" : `«line | line»`);

const heapText = (line) => `«heap | lineText(line)»`;

// What exists from the start: data, whose content is a string of bytes or a list of numbers, and functions.

function data(type, count, name, line, content, constant) {
  const start = line === null ? 0 : lineText(line);
  const found = new MemoryObject((count ?? 1) * type.size, type, `\`${name}\``, start, DATA, count === null, false);
  for (let at = 0; at < constant.length; at += 2) {
    found.constant = { next: found.constant, start: constant[at], end: constant[at + 1] };
  }
  [...content].forEach((value, index) => {
    if (typeof value === "string") found.bytes[index] = value.charCodeAt(0);
    else type.write.call(found.view, index * type.size, value, true);
  });
  return created(found);
}

/** Write a pointer into data, which may be constant. */
function setPointer(pointer, offset, target) {
  POINTER.write.call(objects[numberOf(pointer)].view, offset, target, true);
}

/** The pointer to a function. `signature` is its type. */
function defineFunction(code, signature, name, line) {
  const pointer = created(Object.assign(new MemoryObject(0, signature, `\`${name}\``, 0, FUNCTION), { code }));
  functionPointers.set(code, pointer);
  return pointer;
}

const functionPointers = new Map();

const addressOf = (code) => functionPointers.get(code);

/** The function of the type at the pointer. */
const functionAt = (pointer, signature) => objects[Number(result(memory_function_at, pointer, signature))].code;

// Strings in memory, and the functions of C on them.

/** The bytes before the next zero, as characters, or the first `limit` ones unless it is negative. */
function stringAt(pointer, limit) {
  const [bytes, start, marks] = bytesFrom(pointer);
  let text = "";
  for (let at = 0; at !== limit; at++) {
    if (bytes[marks + at] !== 0) return result(memory_length_by_bytes, pointer, BigInt(limit));
    if (bytes[start + at] === 0) break;
    text += String.fromCharCode(bytes[start + at]);
  }
  return text;
}

function shownPointer(conversion, flags, width, precision, pointer) {
  if (!pointer) return padded(flags, width, "", "(nil)");
  return padded(flags, width, signOf(flags, false) + "0x", pointer.toString(16).padStart(precision, "0"), precision < 0);
}

function memory_read(descriptor, place, size, ret) {
  const bytes = descriptor ? null : readInput(Number(size));
  if (bytes) place?.record.bytes.set(bytes, place.at);
  return () => ret(bytes ? BigInt(bytes.length) : -9n);
}

function memory_write(descriptor, place, size, ret) {
  if (descriptor !== 1 && descriptor !== 2) return () => ret(-9n);
  const bytes = place?.record.bytes.subarray(place.at, place.at + Number(size)) ?? [];
  (descriptor === 1 ? write : writeError)(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return () => ret(size);
}

// The continuations that `setjmp` saved, by activation and buffer, each with the number in the buffer and the number of
// objects, as in cpsconv/engines/machine/jumps.py.

const LONG = new Type("long", 8, "BigInt64");

const activations = [];

let savedJumps = 0n;

function __begin_activation(ret) {
  activations.push(new Map());
  return () => ret(activations.length);
}

function __end_activation(ret) {
  activations.pop();
  return () => ret(activations.length);
}

function setjmp(buffer, ret) {
  savedJumps++;
  store(LONG, savedJumps, buffer);
  activations.at(-1).set(buffer, { ret, number: savedJumps, objects: objects.length });
  return () => ret(0);
}

function longjmp(buffer, value) {
  const [place, result] = [defined(buffer), defined(value) || 1];
  const ret = entered(place);
  return () => ret(result);
}

/** The continuation in the buffer, after the end of what it leaves. */
function entered(buffer) {
  const number = load(LONG, buffer);
  for (let depth = activations.length; depth > 0; depth--) {
    for (const saved of activations[depth - 1].values()) {
      if (saved.number !== number) continue;
      activations.length = depth;
      endVariables(saved.objects);
      saved.objects = objects.length;
      return saved.ret;
    }
  }
  const isKnown = number > 0n && number <= savedJumps;
  throw new Fault(isKnown ? `«jump_returned»` : `«jump_unset»`);
}

function endVariables(first) {
  for (let number = first; number < objects.length; number++) {
    const { origin, end } = objects[number];
    if (origin === VARIABLE && end === 0) deallocate(BigInt(number) << 32n, null);
  }
}
