// The layout of an object: the rows of its box. A row has a label, a nesting depth, its offset and size in the object, a
// kind, and parts, which are scalars of the object with their offsets and sizes:
//
//   value  one scalar                             group  none; its fields and elements are the following rows
//   cells  the elements of an array of scalars, or the fields of a struct within another object that has only scalars
//   text   the characters of an array of `char`   gap    none; `count` fields or elements are not shown
//
// In memory of `malloc`, the last field of a struct has the elements for which there is memory if it is an array without any.
//
// An array or struct with many elements or fields shows the first two, the last one, and those around given places. Among
// the parts of cells and of a text, a part with the property `gap` is a number of parts that are not shown.

const MAX_ROOM = 128; // values that an object shows, if no places are given

const MIN_ROOM = 4; // otherwise, an array or struct is a gap

const MAX_ROWS = 16; // of the elements or fields of one array or struct

const MAX_CELLS = 32;

const MAX_CHARACTERS = 24;

const MAX_DEPTH = 12; // of rows within each other

class ObjectLayout {
  /** The layout of an object whose elements have a type. `count` is null for a single one; `places` are offsets. */
  constructor(object, { element: type, count }, places) {
    Object.assign(this, { object, places, rows: [] });
    if (type) this.add({ label: "", offset: 0, type: count === null ? type : arrayOf(type, count) }, 0, MAX_ROOM);
  }

  /** Add the rows of a part, which has room for so many values. */
  add(part, depth, room) {
    const { label, offset, type } = part;
    const isWithin = label !== "";
    if (isText(type)) return this.addRow("text", part, depth, this.characters(offset, type.length));
    if (!type.element && !type.fields) return this.addRow("value", part, depth, [{ type, offset, size: type.size }]);
    const isCells = type.element ? isNumber(type.element) : isWithin && type.fields.every((each) => isNumber(each.type));
    if (isCells) return this.addRow("cells", part, depth, this.cells(type, offset, room));
    const isTooSmall = room <= MIN_ROOM && leavesOf(type) > room && !this.isPlace(offset, type.size);
    if (isTooSmall || depth > MAX_DEPTH) return this.addGap(lengthOf(type), depth, part);
    if (isWithin) this.addRow("group", part, depth++, []);
    const indexes = this.indexes(type, offset, Math.min(room, MAX_ROWS));
    const skip = (count) => this.addGap(count, depth);
    for (const index of withGaps(indexes, lengthOf(type), skip)) {
      this.add(childAt(type, offset, index), depth, Math.floor(room / indexes.length));
    }
  }

  addRow(kind, { label, offset, type }, depth, parts) {
    this.rows.push({ kind, label, depth, parts, offset, size: type.size });
  }

  addGap(count, depth, part = { label: "" }) {
    if (count) this.rows.push({ ...part, kind: "gap", depth, parts: [], count, size: part.type?.size });
  }

  isPlace(offset, size) {
    return this.places.some((place) => offset <= place && place < offset + size);
  }

  /** The scalars of an array or struct, and gaps. */
  cells(type, offset, room) {
    const cells = [];
    const indexes = this.indexes(type, offset, Math.min(room, MAX_CELLS));
    for (const index of withGaps(indexes, lengthOf(type), (gap) => cells.push({ gap }))) {
      const { label, offset: start, type: inner } = childAt(type, offset, index);
      cells.push({ label: type.element ? `${index}` : label, type: inner, offset: start, size: inner.size });
    }
    return cells;
  }

  /** The indexes of the elements or fields that are shown: all if there are at most `limit`, or few. */
  indexes(type, offset, limit) {
    const total = lengthOf(type);
    if (total <= Math.max(MIN_ROOM, limit)) return [...Array(total).keys()];
    const places = this.places.filter((place) => offset <= place && place < offset + type.size);
    const near = places.map((place) => childIndex(type, place - offset)).flatMap((index) => [index - 1, index, index + 1]);
    const found = new Set([0, 1, ...near, total - 1].filter((index) => 0 <= index && index < total));
    return [...found].sort((one, other) => one - other).slice(0, 2 * MAX_ROWS);
  }

  /** The characters of a text up to its zero, and those at places; a character of several bytes is one part. */
  characters(offset, length) {
    const isEnd = (index) => !isWritten(this.object, offset + index) || !this.object.bytes[offset + index];
    let end = 0;
    while (end < Math.min(length, MAX_CHARACTERS) && !isEnd(end)) end += this.characterAt(offset + end, length - end).size;
    const places = this.places.map((place) => place - offset).filter((at) => end <= at && at < length);
    const found = [];
    const skip = (gap) => found.push({ gap });
    const shown = [...Array(end).keys(), ...new Set(places.sort((one, other) => one - other).slice(0, MAX_ROWS))];
    let next = 0;
    for (const index of shown) {
      if (index < next) continue;
      if (index > next) skip(index - next);
      found.push(this.characterAt(offset + index, length - index));
      next = index + found.at(-1).size;
    }
    if (next < length && !(next === end && isEnd(next))) skip(length - next);
    return found;
  }

  /** The character at an offset, of at most `limit` bytes. */
  characterAt(offset, limit) {
    const { bytes } = this.object;
    const isPart = (byte, index) => isWritten(this.object, offset + index) && (!index || byte >> 6 === 2);
    if (!isWritten(this.object, offset)) return { offset, size: 1, text: "?", isUndefined: true };
    const found = bytes.subarray(offset, offset + Math.min(limit, utf8Size(bytes[offset])));
    const isWhole = found.length > 1 && found.every(isPart);
    if (isWhole) return { offset, size: found.length, text: new TextDecoder().decode(found) };
    const [literal] = CHARACTERS[bytes[offset]].match(/(?<=^').*(?='$)/);
    return { offset, size: 1, text: { '"': '\\"', "\\'": "'" }[literal] ?? literal };
  }
}

/** The number of bytes of the UTF-8 character that begins with a byte. */
function utf8Size(byte) {
  return byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
}

/** The indexes of what is shown of `total` items; `skip` receives the number of the others, where these are. */
function* withGaps(indexes, total, skip) {
  let next = 0;
  for (const index of indexes) {
    if (index > next) skip(index - next);
    yield index;
    next = index + 1;
  }
  if (next < total) skip(total - next);
}

const arrayOf = (element, length) => ({ element, length, size: element.size * length });

/** The number of scalars in a type. */
function leavesOf(type) {
  if (type.leaves !== undefined) return type.leaves;
  if (type.element) return type.length * leavesOf(type.element);
  type.leaves = type.fields ? type.fields.reduce((sum, each) => sum + leavesOf(each.type), 0) : 1;
  return type.leaves;
}

/** The struct with as many elements in its last field, an array without any, as an object of a size has; else null. */
function extended(type, size) {
  const last = type?.fields?.at(-1);
  if (!last?.type.element?.size || last.type.length) return null;
  const length = Math.floor((size - last.offset) / last.type.element.size);
  const fields = [...type.fields.slice(0, -1), { ...last, type: arrayOf(last.type.element, length) }];
  return { name: type.name, size, fields };
}

const isText = (type) => type.element?.name === "char";

/** Whether a type is that of a number. (The arrows of pointers begin at rows of their own.) */
const isNumber = (type) => !type.element && !type.fields && type.name !== "ptr";

const lengthOf = (type) => (type.element ? type.length : type.fields.length);

/** The element or field of an index, in an array or struct at an offset. */
function childAt(type, offset, index) {
  if (type.element) return { label: `[${index}]`, offset: offset + index * type.element.size, type: type.element };
  const { name, offset: within, type: inner } = type.fields[index];
  return { label: name, offset: offset + within, type: inner };
}

/** The index of the element or field that has the byte at an offset; that of a neighbour if none has it. */
function childIndex(type, offset) {
  return type.element ? Math.floor(offset / type.element.size) : type.fields.findLastIndex((each) => each.offset <= offset);
}
