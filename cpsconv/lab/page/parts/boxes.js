// The picture of memory: a box for each object, with its elements and fields, and arrows for pointers. Arrows from variables
// reach boxes from the left; arrows between boxes are on their right.

const MAX_BOXES = 40;

const MAX_CALLS = 4; // activations whose pointers are shown

class Boxes {
  constructor(root) {
    this.root = root;
    this.arrows = new Arrows(root);
  }

  /** Show the memory of a machine; nothing without one. `isVariable` tells, by function, names of variables from others. */
  show(machine, isVariable) {
    this.arrows.clear();
    this.root.replaceChildren();
    if (!machine?.definitions.memory) return;
    this.memory = machine.memory;
    this.fault = machine.outcome?.object;
    const calls = callsOf(machine).slice(0, MAX_CALLS).map((each) => pointersOf(each, machine.definitions, isVariable));
    const variables = calls.flatMap((each) => each.pointers);
    const layouts = this.layouts(variables);
    const frames = this.frames(calls);
    const boxes = [...layouts].map(([number, layout]) => this.box(number, layout.rows));
    this.root.append(...frames, element("div", { class: "objects" }, ...boxes, ...this.omitted(layouts)));
    this.scroll();
    this.arrows.draw(this.memory);
  }

  /** Scroll to what the last step did; the variables, which are on the left, stay in view. */
  scroll() {
    const marked = this.root.querySelector(".fault") ?? this.root.querySelector(".changed, .new");
    const scroll = this.root.parentElement;
    const { scrollLeft } = scroll;
    marked?.scrollIntoView({ block: "nearest", inline: "nearest" });
    scroll.scrollLeft = scrollLeft;
  }

  /** The type and number of elements, as in `RunMemory`. A struct may end with an array of any length. */
  shapeOf(number) {
    const [shape, { origin, size }] = [this.memory.shapeOf(number), this.memory.objects[number]];
    const found = origin === HEAP ? extended(shape.element, size) : null;
    return found ? { element: found, count: null } : shape;
  }

  // ---------------------------------------------------------------------------------------------------- selection

  /** The layouts of the objects to show, by their numbers. They show the places to which pointers among them point. */
  layouts(variables) {
    const { saved, accessed } = this.memory.step;
    this.changes = rangesOf(saved);
    const used = [...this.changes, ...rangesOf(accessed)].flatMap(([number, ranges]) => {
      return ranges.flatMap(({ start, end }) => [[number, start], [number, end - 1]]);
    });
    const places = [...used, ...variables.map(({ value }) => [numberOf(value), offsetOf(value)])];
    const first = this.layoutsAt(places);
    const pointers = [...first.values()].flatMap((layout) => pointersIn(layout));
    return this.layoutsAt([...places, ...pointers.map((value) => [numberOf(value), offsetOf(value)])]);
  }

  layoutsAt(places) {
    const { objects } = this.memory;
    const offsets = (number) => [...new Set(places.filter(([each]) => each === number).map(([, offset]) => offset))];
    const chosen = this.chosen([objects.indexOf(this.fault), ...places.map(([number]) => number)]);
    const layout = (number) => new ObjectLayout(objects[number], this.shapeOf(number), offsets(number));
    return new Map(chosen.map((number) => [number, layout(number)]));
  }

  /** The numbers of the objects to show: some first, then the newest; without others that are variables no more. */
  chosen(first) {
    const { objects } = this.memory;
    const isLeft = (number) => objects[number].origin === VARIABLE && objects[number].end !== 0;
    const others = [...objects.keys()].reverse().filter((number) => !isLeft(number));
    const all = [...first, ...others].filter((number) => hasBox(objects[number]));
    const isData = (number) => objects[number].origin === DATA;
    const order = (one, other) => isData(one) - isData(other) || one - other; // what changes most comes first
    return [...new Set(all)].slice(0, MAX_BOXES).sort(order);
  }

  /** The number of objects without a box. */
  omitted(layouts) {
    const others = this.memory.objects.filter((each, number) => hasBox(each) && !layouts.has(number));
    const ended = others.filter((each) => each.end !== 0).length;
    const texts = [others.length > ended && counted(others.length - ended, "more object"), ended && counted(ended, "ended object")];
    if (!layouts.size && !others.length) return [element("p", { class: "gap" }, "no objects")];
    return others.length ? [element("p", { class: "gap" }, `… ${texts.filter(Boolean).join(" and ")}`)] : [];
  }

  // ------------------------------------------------------------------------------------------------------- boxes

  /** The pointers of the current activation, and of its callers, with a table for each. */
  frames(calls) {
    const tables = calls.filter(({ pointers }) => pointers.length).map((each) => this.frame(each));
    return tables.length ? [element("div", { class: "frames" }, ...tables)] : [];
  }

  frame({ home, pointers }) {
    const rows = pointers.map(({ name, value }) => {
      const cell = element("td", {}, this.memory.pointerText(value));
      this.arrows.add({ from: cell, value, isVariable: true });
      return element("tr", {}, element("th", { scope: "row" }, element("span", { class: "name", "data-name": name }, name)), cell);
    });
    return element("table", { class: "variables" }, element("caption", {}, element("small", {}, `pointers of ${home.name}`)), ...rows);
  }

  box(number, rows) {
    const object = this.memory.objects[number];
    const kind = ["object", object.end !== 0 && "ended", number >= this.memory.step.count && "new", object === this.fault && "fault"];
    const title = element("b", {}, this.memory.titleOf(number));
    const box = element(
      "table",
      { class: kind.filter(Boolean).join(" "), "data-object": number },
      element("caption", {}, title, " ", element("small", {}, this.description(number))),
      ...(object.end === 0 ? rows : []).map((row) => this.row(number, row)),
    );
    this.arrows.addTarget({ number, element: box.caption, isTitle: true });
    return box;
  }

  /** The type and the lifetime of an object. */
  description(number) {
    const object = this.memory.objects[number];
    const { element: type, count } = this.shapeOf(number);
    const described = type ? typeName(type, count) : counted(object.size, "byte");
    const isHeap = object.origin === HEAP;
    const end = object.end === 0 ? [] : [`${isHeap ? "freed" : "its lifetime ended"}${object.end}`];
    const place = isHeap ? [object.title.replace("the memory ", "")] : [];
    return [described, ...(object.constant ? ["constant"] : []), ...place, ...end].join(", ");
  }

  // -------------------------------------------------------------------------------------------------------- rows

  row(number, row) {
    const title = element("th", { scope: "row" }, row.label);
    title.style.setProperty("--depth", row.depth);
    return element("tr", { class: row.kind }, title, this.value(number, row));
  }

  /** The cell with the value of a row. An arrow to the start of the row ends at this cell. */
  value(number, { kind, parts, count, offset: start, size }) {
    if (kind === "value") return this.scalar("td", number, parts[0]);
    const cell = element("td", { class: kind }, ...(kind === "gap" ? [`… ${count} more`] : []));
    this.arrows.addTarget({ number, start, end: kind === "group" ? start : start + size, element: cell });
    if (kind === "cells") cell.append(strip(parts.map((each) => this.cell(number, each))));
    if (kind === "text") cell.append(strip(this.text(number, parts)));
    return cell;
  }

  cell(number, { gap, label, ...part }) {
    if (gap) return element("span", { class: "gap", title: `${gap} more` }, `… ${gap} more`);
    return element("span", { class: "cell" }, element("small", {}, label), this.scalar("span", number, part));
  }

  text(number, parts) {
    if (!parts.length && !isWritten(this.memory.objects[number], 0)) return [element("span", { class: "undefined" }, "undef")];
    const character = (part) => this.part("span", number, part, part.isUndefined, part.text);
    const gap = ({ gap: count }) => element("span", { class: "gap", title: `${count} more` }, "…");
    return ['"', ...parts.map((each) => (each.gap ? gap(each) : character(each))), '"'];
  }

  /** The element of a scalar, with its value. */
  scalar(tag, number, part) {
    const { type } = part;
    const value = valueOf(this.memory.objects[number], part);
    const text = value === null ? "undef" : type.name === "ptr" ? this.memory.pointerText(value) : shownLiteral(value, type.name);
    const created = this.part(tag, number, part, value === null, text);
    if (value !== null && type.name === "ptr") this.arrows.add({ from: created, value, isChanged: created.matches(".changed") });
    return created;
  }

  /** The element of a part of an object, which can be the target of an arrow. */
  part(tag, number, { offset: start, size }, isUndefined, text) {
    const end = start + size;
    const isChanged = this.changes.get(number)?.some((each) => each.start < end && start < each.end);
    const created = element(tag, { class: ["part", isChanged && "changed", isUndefined && "undefined"].filter(Boolean).join(" ") }, text);
    this.arrows.addTarget({ number, start, end, element: created });
    return created;
  }
}

const strip = (parts) => element("div", { class: "strip" }, ...parts);

/** Whether an object has a box. (Functions have none.) */
function hasBox(object) {
  return object && [DATA, VARIABLE, HEAP].includes(object.origin);
}

/** The type of `count` elements, or of one if that is null, as in a declaration. */
function typeName({ name, base, lengths }, count) {
  return count === null ? name : `${base ?? name}[${count}]${lengths ?? ""}`;
}

/** The ranges of bytes by the numbers of objects; those that overlap or adjoin are one. */
function rangesOf(places) {
  const found = new Map();
  for (const { number, start, end } of [...places].sort((one, other) => one.start - other.start)) {
    if (!found.has(number)) found.set(number, []);
    const last = found.get(number).at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.get(number).push({ start, end });
  }
  return found;
}

/** Whether a byte of an object was written, which has not ended. */
const isWritten = ({ bytes, size }, at) => bytes[size + at] === 0;

const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** The value of a scalar of an object; null if it is not written. */
function valueOf(object, { type, offset }) {
  const marks = object.bytes.subarray(object.size + offset, object.size + offset + type.size);
  return object.end === 0 && !marks.includes(1) ? type.convert(type.read.call(object.view, offset, true)) : null;
}

/** The values of the pointers in the rows of a layout. */
function pointersIn({ object, rows }) {
  const parts = rows.flatMap((each) => (each.kind === "value" && each.parts[0].type.name === "ptr" ? each.parts : []));
  return parts.map((part) => valueOf(object, part)).filter((value) => value !== null);
}

/** The activations that have not returned, from the current one on: the function of each, and its frame. */
function callsOf({ at, frame }) {
  const found = [];
  for (let next = { enter: at, frame }; next?.enter?.home; next = next.frame.get(next.enter.home.parameters.at(-1)?.id)) {
    found.push({ home: next.enter.home, frame: next.frame });
    if (found.length > MAX_CALLS) break;
  }
  return found;
}

/** The pointers among the variables of an activation. The name of an object in memory is at its box. */
function pointersOf({ home, frame }, definitions, isVariable) {
  const known = [...frame].map(([number, value]) => ({ value, definition: definitions.byNumber.get(number) }));
  const pointers = known.filter(({ value, definition: { shown, type, op } }) => {
    return shown && type === "ptr" && typeof value === "bigint" && op !== "allocate" && isVariable(home.name, shown);
  });
  return { home, pointers: pointers.map(({ value, definition }) => ({ name: definition.shown, value })) };
}
