// The memory of a run. The functions of the runtime (`MEMORY`, `EXTERNALS`) work on `objects` and check each access; here,
// the objects of a run are created, and each step records what it read and changed, so that it can be shown and undone.

/** Read a `long double`, the type that JavaScript lacks, as the nearest number, to show it. */
function getLongDouble(at) {
  const [bits, end] = [this.getBigUint64(at, true), this.getUint16(at + 8, true)];
  const [sign, exponent] = [end >> 15 ? -1 : 1, (end & 0x7fff) - 16446];
  if ((end & 0x7fff) === 0x7fff) return bits << 1n & 0xffffffffffffffffn ? NaN : sign * Infinity;
  const half = Math.trunc(exponent / 2); // a power of the whole exponent may be too large, or 0
  return sign * Number(bits) * 2 ** half * 2 ** (exponent - half);
}

/** The types of objects of a program. An array has `element` and `length`, a struct `fields`. */
class ObjectTypes {
  constructor(structs) {
    this.structs = new Map();
    for (const { name, size, fields } of structs) {
      const typed = fields.map(({ name, type, offset }) => ({ name, offset, type: this.of(type) }));
      this.structs.set(name, Object.assign(new Type(name, size), { fields: typed }));
    }
  }

  /** The type for its JSON form. */
  of(json) {
    if (json === "long double") return Object.assign(new Type(json, 16), { read: getLongDouble });
    if (typeof json === "string") return TYPES[json];
    if ("struct" in json) return this.structs.get(json.struct);
    const element = this.of(json.array);
    const [base, lengths] = [element.base ?? element.name, `[${json.length}]${element.lengths ?? ""}`];
    const type = new Type(base + lengths, element.size * json.length);
    return Object.assign(type, { base, lengths, element, length: json.length });
  }
}

/** The type of a function as text. */
function typeText(type) {
  if (typeof type === "string") return type;
  const texts = type.parameters.map(typeText);
  return typeof type.parameters[0] === "string" && texts.length === 1 ? `${texts} → ⊥` : `(${texts.join(", ")}) → ⊥`;
}

const HEAP = 2; // an origin

class RunMemory {
  constructor(definitions) {
    const { structs, data: items, lines } = definitions.memory ?? { structs: [], data: [], lines: {} };
    this.definitions = definitions;
    this.types = new ObjectTypes(structs);
    this.pointers = new Map(); // to data and functions, by their numbers
    this.shapes = new Map(); // the types of objects of malloc, by their numbers, as the accesses show
    this.objects = [nullObject()];
    this.start();
    this.use();
    for (const each of items) this.pointers.set(each.id, this.created(each, lines));
    for (const each of functionsWithAddress(definitions)) this.pointers.set(each.id, this.functionPointer(each, lines));
    for (const { id, addresses } of items) {
      for (const { at, target, offset } of addresses) {
        setPointer(this.pointers.get(id), at, moved(this.pointers.get(target), offset));
      }
    }
    this.start();
  }

  /** Let the runtime work on these objects. */
  use() {
    objects = this.objects;
  }

  created({ id, name, type, content, constant, attributes }, lines) {
    const found = this.types.of(type);
    const [element, count] = found.element ? [found.element, found.length] : [found, null];
    const stated = attributes?.constant_bytes?.matchAll(/(\d+)-(\d+)/g) ?? [];
    const parts = constant ? [0, (count ?? 1) * element.size] : [...stated].flatMap(([, start, end]) => [+start, +end + 1]);
    return data(element, count, name, lines[id], content, parts);
  }

  functionPointer(definition, lines) {
    const signature = typeText({ parameters: definition.parameters.map(({ type }) => type) });
    return defineFunction(definition, signature, definition.name, lines[definition.id]);
  }

  // ------------------------------------------------------------------------------------------------ operations

  /** Perform an operation. The type of its static operand is also that of what it reads or changes. */
  perform({ id, op }, values) {
    const [given, facts] = this.definitions.memory.calls[id];
    const isField = given?.offset !== undefined;
    const type = given && (isField ? this.types.of({ struct: given.struct }) : this.types.of(given));
    this.note(op, type, values);
    return MEMORY[op](...(given ? [isField ? given.offset : type] : []), ...values, ...facts);
  }

  note(op, type, values) {
    if (["load", "load_or"].includes(op)) this.access(values[0], type.size);
    if (op === "store") this.change(values[1], type.size);
    if (op === "copy") this.access(values[0], type.size);
    if (op === "copy") this.change(values[1], type.size);
    if (["deallocate", "free", "realloc"].includes(op)) this.change(values[0], 0);
    if (["element", "field", "load", "load_or"].includes(op)) this.learn(values[0], type);
    if (op === "store") this.learn(values[1], type);
  }

  /** Call an external function. Returns its result. */
  call(name, values) {
    const [target, source, size] = values;
    if (["memcpy", "memmove", "memset"].includes(name)) this.change(target, Number(size));
    if (["memcpy", "memmove", "memcmp"].includes(name)) this.access(source, Number(size));
    if (name === "strcpy") this.change(target, Infinity);
    if (name !== "memset") values.forEach((value) => typeof value === "bigint" && this.access(value, 1));
    return result(EXTERNALS[name], ...values);
  }

  /** Memory of malloc has the type of the first accesses, but preferably a struct. */
  learn(pointer, type) {
    const number = numberOf(pointer);
    const found = objects[number];
    const known = this.shapes.get(number);
    if (found?.origin !== HEAP || !type.size || (known && (known.fields || !type.fields))) return;
    if (found.size % type.size === 0 && offsetOf(pointer) % type.size === 0) this.shapes.set(number, type);
  }

  // --------------------------------------------------------------------------------------------- steps and undo

  /** Begin a step. */
  start() {
    this.step = this.newStep();
  }

  newStep() {
    return { count: this.objects.length, saved: [], accessed: [] };
  }

  access(pointer, size) {
    const start = offsetOf(pointer);
    this.step.accessed.push({ number: numberOf(pointer), start, end: start + size });
  }

  /** Save the bytes that will be changed, and the record, which the end of the object's lifetime changes. */
  change(pointer, size) {
    const number = numberOf(pointer);
    const found = objects[number];
    if (!found) return;
    const [start, end] = [offsetOf(pointer), offsetOf(pointer) + size].map((at) => Math.max(0, Math.min(at, found.size)));
    const [bytes, marks] = [0, found.size].map((shift) => found.bytes.slice(shift + start, shift + end));
    this.step.saved.push({ number, record: { ...found }, start, end, bytes, marks });
  }

  /** Undo a step, given its record, and go on after the one before. */
  undo({ count, saved }, before) {
    this.objects.length = count;
    for (const { number, record, start, bytes, marks } of saved.toReversed()) {
      if (number >= count) continue;
      const found = Object.assign(this.objects[number], record);
      found.bytes.set(bytes, start);
      found.bytes.set(marks, found.size + start);
    }
    this.step = before ?? this.newStep();
  }

  // ------------------------------------------------------------------------------------------------------- texts

  /** The type of the elements of an object, and their number; none in memory of malloc without known accesses. */
  shapeOf(number) {
    const { unit, isSingle, size } = this.objects[number];
    const found = unit || this.shapes.get(number);
    const isWhole = unit ? isSingle : found?.size === size;
    return { element: found, count: isWhole ? null : found && size / found.size };
  }

  titleOf(number) {
    const { title, origin } = this.objects[number];
    return origin !== HEAP && title.startsWith("`") ? title.slice(1, -1) : `#${number}`;
  }

  /** A pointer as in traces: `buffer`, `&a[3].x`, `#2 + 4 bytes`. */
  pointerText(pointer) {
    const [number, offset] = [numberOf(pointer), offsetOf(pointer)];
    if (!number || number >= this.objects.length) return pointer ? `0x${pointer.toString(16)}` : "null";
    if (!offset) return this.titleOf(number);
    const { element, count } = this.shapeOf(number);
    const path = this.objects[number].unit || element?.fields ? pathTo({ type: element, count }, offset) : null;
    return path === null ? `${this.titleOf(number)} + ${offset} bytes` : `&${this.titleOf(number)}${path}`;
  }
}

/** The functions whose address a program takes, in the order of the evaluator. */
function functionsWithAddress({ memory, functions, byNumber }) {
  const found = new Set();
  const add = (number) => byNumber.get(number)?.parameters && found.add(byNumber.get(number));
  for (const { addresses } of memory?.data ?? []) addresses.forEach(({ target }) => add(target));
  for (const each of memory ? functions.values() : []) {
    for (const { body } of [each, ...each.continuations]) {
      body.forEach(({ operands }) => operands.forEach((operand) => typeof operand === "number" && add(operand)));
    }
  }
  return found;
}

/** The path to a part of an object: `[3].x`; null if there is none at the offset. */
function pathTo({ type, count }, offset) {
  if (!type?.size) return null;
  const index = Math.floor(offset / type.size);
  const inner = pathIn(type, offset - index * type.size);
  return inner === null ? null : (count === null && !index ? "" : `[${index}]`) + inner;
}

function pathIn(type, offset) {
  let path = "";
  while (offset) {
    if (type.element?.size) {
      const index = Math.floor(offset / type.element.size);
      path += `[${index}]`;
      offset -= index * type.element.size;
      type = type.element;
    } else {
      const field = type.fields?.find((each) => each.offset <= offset && offset < each.offset + each.type.size);
      if (!field) return null;
      path += `.${field.name}`;
      offset -= field.offset;
      type = field.type;
    }
  }
  return path;
}
