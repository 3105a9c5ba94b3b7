// Memory: objects of bytes, and the operations on them, with every access checked, as `cpsconv/engines/machine/memory.py`
// defines them.
//
// A pointer is a BigInt: the number of an object in the upper 32 bits, and an offset, with a sign, in the lower ones. An
// object has, beside its bytes, a mark for each byte that was written. After its lifetime, it has no bytes.

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

class MemoryObject {
  constructor(origin, size, about) {
    Object.assign(this, { origin, size, name: null, type: null, count: null, start: null, constant: [] }, about);
    this.view = new DataView(new ArrayBuffer(this.ended ? 0 : size));
    this.bytes = new Uint8Array(this.view.buffer);
    this.written = new Uint8Array(this.bytes.length);
  }
}

/** All objects by number; the first one is null. */
let objects = [new MemoryObject("null", 0)];

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

// Accesses.

/** The object that has the bytes at the pointer. `type` is that of the access, if it has one. */
function objectAt(pointer, size, type) {
  const number = numberOf(pointer);
  const offset = offsetOf(pointer);
  const found = objects[number];
  const isInside = found && offset >= 0 && offset + Number(size) <= found.size;
  if (!isInside || found.ended || !number) throw wrongAccess(found, offset, size, type);
  return found;
}

function load(type, pointer) {
  const found = objectAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  for (let at = offset; at < offset + type.size; at++) {
    if (!found.written[at]) throw new MemoryFault(`«unwritten | placeText(found, offset, type.size, type)»`, found);
  }
  return type.convert(type.read.call(found.view, offset, true));
}

/** A load in which bytes that were never written are those of the default. */
function loadOr(type, pointer, byDefault) {
  const found = objectAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  const marks = found.written.slice(offset, offset + type.size);
  const view = new DataView(new ArrayBuffer(type.size));
  if (marks.includes(0)) {
    if (byDefault instanceof Undefined) return byDefault;
    type.write.call(view, 0, byDefault, true);
  }
  marks.forEach((mark, at) => mark && view.setUint8(at, found.bytes[offset + at]));
  return type.convert(type.read.call(view, 0, true));
}

/** A store of an undefined value removes the marks. */
function store(type, value, pointer) {
  const found = changedAt(pointer, type.size, type);
  const offset = offsetOf(pointer);
  const isDefined = !(value instanceof Undefined);
  if (isDefined) type.write.call(found.view, offset, value, true);
  found.written.fill(Number(isDefined), offset, offset + type.size);
}

/** The object at the pointer, whose bytes may not be constant: `constant` has the starts and ends of such bytes. */
function changedAt(pointer, size, type) {
  const found = objectAt(pointer, size, type);
  const offset = offsetOf(pointer);
  for (let at = 0; at < found.constant.length; at += 2) {
    const [start, end] = found.constant.slice(at, at + 2);
    if (offset < end && start < offset + Number(size)) {
      const title = end - start < found.size ? `«part | titleOf(found)»` : titleOf(found);
      throw new MemoryFault(`«constant | placeText(found, offset, size, type) | title»`, found);
    }
  }
  return found;
}

const copy = (type, source, target) => moveBytes(source, target, type.size, type);

/** Copy bytes, with their marks. The places may overlap. */
function moveBytes(source, target, size, type) {
  const read = objectAt(source, size, type);
  const changed = changedAt(target, size, type);
  const [from, end] = [offsetOf(source), offsetOf(source) + Number(size)];
  changed.bytes.set(read.bytes.slice(from, end), offsetOf(target));
  changed.written.set(read.written.slice(from, end), offsetOf(target));
}

// Allocation and deallocation.

const MAX_OBJECT = 2147483647;

function allocate(type, count, name, line) {
  const size = Number(count ?? 1) * type.size;
  if (size < 0 || size > MAX_OBJECT) throw new Fault(`«size | counted(count ?? 1, "element") | type.name»`);
  return created(new MemoryObject("variable", size, { name, type, count, start: line }));
}

const deallocate = (pointer, line) => void endOf(pointer, "variable", line);

function makeConstant(pointer, line) {
  const { size } = objectAt(pointer, 0);
  if (offsetOf(pointer) === 0) makeBytesConstant(pointer, size, line);
}

function makeBytesConstant(pointer, size, line) {
  const found = objectAt(pointer, size);
  const offset = offsetOf(pointer);
  if (found.origin === "variable") found.constant.push(offset, offset + Number(size));
}

function malloc(size, line) {
  return size > MAX_OBJECT ? 0n : created(new MemoryObject("heap", Number(size), { start: line }));
}

function calloc(count, size, line) {
  const pointer = malloc(count * size, line);
  if (pointer) objects[numberOf(pointer)].written.fill(1);
  return pointer;
}

/** As with glibc, a size of 0 frees the memory. */
function realloc(pointer, size, line) {
  if (!pointer) return malloc(size, line);
  if (size > MAX_OBJECT) return 0n;
  const old = endOf(pointer, "heap", line);
  if (!size) return 0n;
  const grown = malloc(size, line);
  const found = objects[numberOf(grown)];
  const kept = Math.min(Number(size), old.size);
  found.bytes.set(old.bytes.subarray(0, kept));
  found.written.set(old.written.subarray(0, kept));
  return grown;
}

function free(pointer, line) {
  if (pointer) endOf(pointer, "heap", line);
}

/** End the lifetime of the object at the pointer. It is returned as it was. */
function endOf(pointer, origin, line) {
  const number = numberOf(pointer);
  const found = objects[number];
  if (!found || found.ended || found.origin !== origin || offsetOf(pointer)) {
    throw wrongEnd(found, offsetOf(pointer), origin);
  }
  const { size, name, type, count, start } = found;
  objects[number] = new MemoryObject(origin, size, { name, type, count, start, end: line, ended: true });
  return found;
}

// What exists from the start: data, whose content is a string of bytes or a list of numbers, and functions.

function data(type, count, name, line, content, constant) {
  const size = (count ?? 1) * type.size;
  const found = new MemoryObject("data", size, { name, type, count, start: line, constant });
  found.written.fill(1);
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
  const pointer = created(new MemoryObject("function", 0, { name, start: line, code, signature }));
  functionPointers.set(code, pointer);
  return pointer;
}

const functionPointers = new Map();

const addressOf = (code) => functionPointers.get(code);

/** The function of the type at the pointer. */
function functionAt(pointer, signature) {
  const found = objects[numberOf(pointer)];
  if (!found?.code || offsetOf(pointer) || found.signature !== signature) {
    throw wrongCall(found, offsetOf(pointer), signature);
  }
  return found.code;
}

// Strings in memory, and the external functions.

/** The bytes before the next zero, as characters, or the first `limit` ones unless it is negative. */
function stringAt(pointer, limit) {
  const found = objects[numberOf(pointer)];
  const start = offsetOf(pointer);
  let text = "";
  while (text.length !== limit) {
    if (!found?.written[start + text.length]) load(CHAR, moved(pointer, text.length)); // a fault
    const byte = found.bytes[start + text.length];
    if (!byte) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

function shownPointer(conversion, flags, width, precision, pointer) {
  if (!pointer) return padded(flags, width, "", "(nil)");
  return padded(flags, width, signOf(flags, false) + "0x", pointer.toString(16).padStart(precision, "0"), precision < 0);
}

function strlen(string, ret) {
  const size = BigInt(stringAt(string, -1).length);
  return () => ret(size);
}

function strcmp(one, other, ret) {
  const [left, right] = [stringAt(one, -1), stringAt(other, -1)];
  return () => ret((left > right) - (left < right));
}

function strcpy(target, source, ret) {
  return memcpy(target, source, stringAt(source, -1).length + 1, ret);
}

function memcpy(target, source, size, ret) {
  const distance = target < source ? source - target : target - source;
  if (distance && distance < size) {
    const found = objectAt(source, size);
    objectAt(target, size);
    throw new MemoryFault(`«overlap | placeText(found, offsetOf(source), size)»`, found);
  }
  return memmove(target, source, size, ret);
}

function memmove(target, source, size, ret) {
  if (size) moveBytes(source, target, size);
  return () => ret(target);
}

function memset(target, value, size, ret) {
  if (size) {
    const found = objectAt(target, size);
    const start = offsetOf(target);
    for (let at = 0; found.constant.length && at < size; at++) changedAt(moved(target, at), 1, CHAR);
    found.bytes.fill(value, start, start + Number(size));
    found.written.fill(1, start, start + Number(size));
  }
  return () => ret(target);
}

function memcmp(one, other, size, ret) {
  for (let index = 0; index < size; index++) {
    const [left, right] = [one, other].map((pointer) => load(CHAR, moved(pointer, index)) & 255);
    if (left !== right) return () => ret(left > right ? 1 : -1);
  }
  return () => ret(0);
}

// System calls. A negative result is an error number of Linux: there are no files, and no clock.

function __read(descriptor, target, size, ret) {
  objectAt(target, size);
  if (descriptor) return () => ret(-9n);
  const bytes = readInput(Number(size));
  bytes.forEach((byte, index) => store(CHAR, (byte << 24) >> 24, moved(target, index)));
  return () => ret(BigInt(bytes.length));
}

function __write(descriptor, source, size, ret) {
  const found = objectAt(source, size);
  const start = offsetOf(source);
  const text = Array.from(found.bytes.subarray(start, start + Number(size)), (byte) => String.fromCharCode(byte)).join("");
  if (descriptor !== 1 && descriptor !== 2) return () => ret(-9n);
  (descriptor === 1 ? write : writeError)(text);
  return () => ret(size);
}

const __open = (path, flags, ret) => () => ret(-13);

const __close = (descriptor, ret) => () => ret(descriptor < 0 || descriptor > 2 ? -9 : 0);

const __redirect = (descriptor, ret) => () => ret(-9);

const __seek = (descriptor, offset, whence, ret) => () => ret(descriptor < 0 || descriptor > 2 ? -9n : -29n);

const __environment = (name, target, size, ret) => () => ret(-2n);

const __unlink = (path, ret) => () => ret(-13);

const __rename = (old, path, ret) => () => ret(-13);

const __make_directory = (path, mode, ret) => () => ret(-13);

const __remove_directory = (path, ret) => () => ret(-13);

const __current_directory = (target, size, ret) => () => ret(-13n);

const __entry = (path, index, target, ret) => () => ret(-13);

const __status = (path, descriptor, target, ret) => () => ret(-13);

const __change_mode = (path, descriptor, mode, ret) => () => ret(-13);

const __change_times = (path, descriptor, times, ret) => () => ret(-13);

const __time = (ret) => () => ret(-1n);

const __clock = (ret) => () => ret(-1n);

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
    const { origin, ended } = objects[number];
    if (origin === "variable" && !ended) endOf(BigInt(number) << 32n, "variable", null);
  }
}

// The texts of faults.

/** A fault of an operation on an object. */
class MemoryFault extends Fault {
  constructor(message, object) {
    super(readString(message)); // as bytes
    this.object = object;
  }
}

function wrongAccess(found, offset, size, type) {
  return new MemoryFault(accessProblem(found, offset, size, type), found);
}

function accessProblem(found, offset, size, type) {
  if (!found) return "«wild»";
  if (found.origin === "null") {
    if (!offset) return "«null»";
    return `«null_offset | counted(offset, "byte")»`;
  }
  if (found.origin === "function") return `«no_data | titleOf(found)»`;
  if (found.ended) return `«ended | endText(found)»`;
  return `«bounds | placeText(found, offset, size, type)»`;
}

function wrongEnd(found, offset, origin) {
  const isHeap = origin === "heap";
  return new MemoryFault(endProblem(found, offset, origin, isHeap ? "freed" : "deallocated", isHeap), found);
}

function endProblem(found, offset, origin, verb, isHeap) {
  if (!found) return `«end_wild | verb»`;
  if (found.origin === "null") return `«end_null | verb»`;
  if (found.origin !== origin) {
    if (isHeap) return `«end_not_heap | titleOf(found) | verb»`;
    return `«end_not_variable | titleOf(found) | verb»`;
  }
  if (found.ended) return `«end_again | endText(found) | verb»`;
  return `«end_inside | offset | titleOf(found) | verb»`;
}

function wrongCall(found, offset, signature) {
  return new MemoryFault(callProblem(found, offset, signature), found);
}

function callProblem(found, offset, signature) {
  if (!found) return "«call_wild»";
  if (found.origin === "null") {
    if (!offset) return "«call_null»";
    return `«call_null_offset | counted(offset, "byte")»`;
  }
  if (!found.code) return `«call_data | titleOf(found)»`;
  if (offset) return `«call_inside | offset | titleOf(found)»`;
  return `«call_type | titleOf(found) | inSymbols(found.signature) | inSymbols(signature)»`;
}

const inSymbols = (signature) => signature.replaceAll("->", "\u2192").replaceAll("_|_", "\u22a5");

/** "index 10 of `buffer` (10 elements of char, declared on line 4) is": in the units of the object, or of the access. */
function placeText(found, offset, size, type) {
  const fits = type?.size && found.size % type.size === 0;
  const unit = found.type ?? (fits ? type : null);
  const described = `${titleOf(found)} (${contentsText(found, unit)})`;
  if (!unit?.size) return bytesText(offset, size, described);
  const index = Math.floor(offset / unit.size);
  const isPart = offset !== index * unit.size || Number(size) !== unit.size;
  const isInside = index >= 0 && index < Math.floor(found.size / unit.size);
  return isPart && isInside ? bytesText(offset, size, described) : `«index | index | described»`;
}

function bytesText(offset, size, described) {
  if (Number(size) <= 1) return `«byte | offset | described»`;
  return `«bytes | offset | BigInt(offset) + BigInt(size) - 1n | described»`;
}

function titleOf(found) {
  if (found.origin === "heap") return `«heap | lineText(found.start)»`;
  return found.name ? `\`${found.name}\`` : "«variable»";
}

function contentsText(found, unit) {
  const isHeap = found.origin === "heap";
  let contents = counted(found.size, "byte");
  if (unit?.size) {
    const isSingle = !isHeap && found.count === null;
    contents = isSingle ? unit.name : `«elements | counted(Math.floor(found.size / unit.size), "element") | unit.name»`;
  }
  return isHeap || found.start === null ? contents : `«declared | contents | lineText(found.start)»`;
}

function endText(found) {
  if (found.origin === "heap") return `«freed | titleOf(found) | lineText(found.end)»`;
  return `«lifetime | titleOf(found) | lineText(found.end)»`;
}

const lineText = (line) => (line === null ? "" : `«line | line»`);

const counted = (count, thing) => `${count} ${thing}${Number(count) === 1 ? "" : "s"}`;
