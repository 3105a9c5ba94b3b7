// The picture of memory: a box for each object, with its elements and fields, and arrows for pointers. Arrows from variables
// reach boxes from the left; arrows between boxes are on their right. An object of many elements shows the first two and the
// last one, and those around the elements that were accessed, that changed, or to which pointers point.

const MAX_BOXES = 40;

const MAX_ROWS = 16; // of an object that is shown as a whole

const MAX_CHARACTERS = 4; // likewise, of an array of characters, whose text is shown, too

class Boxes {
  constructor(root) {
    this.root = root;
    this.arrows = [];
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("aria-hidden", "true"); // each pointer is also a text
    this.picture.setAttribute("width", "1"); // the arrows overflow, so that the picture does not enlarge the pane
    this.picture.setAttribute("height", "1");
    new ResizeObserver(() => this.drawArrows()).observe(root);
    root.parentElement.addEventListener("scroll", () => this.drawArrows()); // the variables stay in view
  }

  /** Show the memory of a machine; nothing without one. `isVariable` tells names of variables from those of other values. */
  show(machine, isVariable) {
    this.arrows = [];
    this.root.replaceChildren();
    if (!machine?.definitions.memory) return;
    this.memory = machine.memory;
    const variables = pointersOf(machine).filter(({ name }) => isVariable(name));
    const shown = this.chosen(variables, machine.outcome?.object);
    this.rows = new Map(); // the row of each leaf that is shown, by object and offset
    const pointers = this.variableBox(variables);
    const boxes = shown.map((number) => this.box(number, machine.outcome?.object));
    const omitted = this.memory.objects.filter(isShown).length - shown.length;
    const rest = omitted > 0 ? [element("p", { class: "gap" }, `… ${omitted} more objects`)] : [];
    this.root.append(...pointers, element("div", { class: "objects" }, ...boxes, ...rest), this.picture);
    if (!boxes.length) this.root.append(element("p", { class: "gap" }, "no objects"));
    const marked = this.root.querySelector(".fault") ?? this.root.querySelector(".changed, .new");
    const scroll = this.root.parentElement;
    const { scrollLeft } = scroll; // stays: the variables are on the left
    marked?.scrollIntoView({ block: "nearest", inline: "nearest" });
    scroll.scrollLeft = scrollLeft;
    this.drawArrows();
  }

  /** The numbers of the objects to show: first those of the last step and of pointers, then the newest. */
  chosen(variables, faulty) {
    const { objects, step } = this.memory;
    const first = [objects.indexOf(faulty), ...step.saved.map((each) => each.number)];
    first.push(...step.accessed.map((each) => each.number), ...variables.map(({ value }) => numberOf(value)));
    const all = [...first, ...objects.keys().toArray().reverse()].filter((number) => isShown(objects[number]));
    const isData = (number) => objects[number].origin === "data";
    const order = (one, other) => isData(one) - isData(other) || one - other; // what changes most comes first
    return [...new Set(all)].slice(0, MAX_BOXES).sort(order);
  }

  variableBox(variables) {
    if (!variables.length) return [];
    const rows = variables.map(({ name, value }) => {
      const cell = element("td", {}, this.memory.pointerText(value));
      this.arrows.push({ from: cell, value, isVariable: true });
      return element("tr", {}, element("th", { scope: "row" }, element("span", { class: "name", "data-name": name }, name)), cell);
    });
    return [element("table", { class: "variables" }, element("caption", {}, element("small", {}, "pointers")), ...rows)];
  }

  // ------------------------------------------------------------------------------------------------------- boxes

  box(number, faulty) {
    const { objects, step } = this.memory;
    const object = objects[number];
    const kind = ["object", object.ended && "ended", number >= step.count && "new", object === faulty && "fault"];
    const title = element("b", {}, this.memory.titleOf(number));
    const text = this.characters(number);
    const rows = object.ended ? [] : this.rowsOf(number);
    return element(
      "table",
      { class: kind.filter(Boolean).join(" "), "data-object": number },
      element("caption", {}, title, " ", text && `${text} `, element("small", {}, this.description(number))),
      ...rows,
    );
  }

  /** The text of an array of characters up to its first zero, shortened; empty for other objects. */
  characters(number) {
    const { bytes, written } = this.memory.objects[number];
    const { element: type, count } = this.memory.shapeOf(number);
    if (type?.name !== "char" || count === null || !written[0]) return "";
    const end = bytes.findIndex((byte, index) => !byte || !written[index]);
    const text = decoded(String.fromCharCode(...bytes.subarray(0, end < 0 ? 24 : Math.min(end, 24))));
    return `${JSON.stringify(text)}${end < 0 || end > 24 ? "…" : ""}`;
  }

  /** The type and the lifetime of an object. */
  description(number) {
    const object = this.memory.objects[number];
    const { element: type, count } = this.memory.shapeOf(number);
    const described = !type ? counted(object.size, "byte") : count === null ? type.name : `${type.name}[${count}]`;
    const verb = object.origin === "heap" ? "freed" : "its lifetime ended";
    const end = object.ended ? [`${verb}${lineText(object.end)}`] : [];
    const place = object.origin === "heap" ? [`allocated${lineText(object.start)}`] : [];
    return [described, ...(object.isConstant ? ["constant"] : []), ...place, ...end].join(", ");
  }

  rowsOf(number) {
    const { element: type, count } = this.memory.shapeOf(number);
    if (!type) return [];
    const leaves = new Leaves(type, count);
    const rows = [];
    let next = 0;
    for (const index of this.indexes(number, leaves)) {
      if (index > next) rows.push(gap(index - next));
      rows.push(this.row(number, leaves.at(index)));
      next = index + 1;
    }
    if (next < leaves.total) rows.push(gap(leaves.total - next));
    return rows;
  }

  /** The indexes of the leaves of an object that are shown. */
  indexes(number, leaves) {
    const { total } = leaves;
    if (total <= (leaves.type.name === "char" ? MAX_CHARACTERS : MAX_ROWS)) return [...Array(total).keys()];
    const { saved, accessed } = this.memory.step;
    const places = [...saved, ...accessed].filter((each) => each.number === number).flatMap(({ start, end }) => [start, end - 1]);
    const pointers = this.arrows.map(({ value }) => value).filter((value) => numberOf(value) === number);
    places.push(...pointers.map(offsetOf)); // those of variables, and of the boxes before
    const near = places.map((offset) => leaves.indexOf(offset)).flatMap((index) => [index - 1, index, index + 1]);
    const found = new Set([0, 1, ...near, total - 1].filter((index) => 0 <= index && index < total));
    return [...found].sort((one, other) => one - other).slice(0, 2 * MAX_ROWS);
  }

  row(number, { path, type, offset }) {
    const object = this.memory.objects[number];
    const isWritten = object.written.subarray(offset, offset + type.size).every(Boolean);
    const isChanged = this.memory.step.saved.some((each) => each.number === number && each.start < offset + type.size && offset < each.end);
    const value = isWritten ? type.convert(type.read.call(object.view, offset, true)) : null;
    const cell = element("td", { class: isWritten ? false : "undefined" }, isWritten ? this.text(value, type) : "undef");
    const row = element("tr", { class: isChanged ? "changed" : false }, element("th", { scope: "row" }, path), cell);
    this.rows.set(`${number} ${offset}`, this.rows.get(`${number} ${offset}`) ?? row);
    if (isWritten && type.name === "ptr") this.arrows.push({ from: cell, value, isChanged });
    return row;
  }

  text(value, type) {
    return type.name === "ptr" ? this.memory.pointerText(value) : shownLiteral(value, type.name);
  }

  // ------------------------------------------------------------------------------------------------------ arrows

  drawArrows() {
    const origin = this.root.getBoundingClientRect();
    const paths = this.arrows.flatMap((arrow) => this.path(arrow, origin));
    this.picture.replaceChildren(...paths);
  }

  path({ from, value, isVariable, isChanged }, origin) {
    const number = numberOf(value);
    const box = this.root.querySelector(`[data-object="${number}"]`);
    if (!box) return [];
    const target = this.rowAt(number, offsetOf(value))?.lastChild ?? box.querySelector("caption");
    const [start, end] = [from, target].map((each) => each.getBoundingClientRect());
    const y = [start, end].map(({ top, height }) => top - origin.top + height / 2);
    const left = isVariable ? box.getBoundingClientRect().left : end.right;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", curve(start.right - origin.left, y[0], left - origin.left, y[1], isVariable));
    const isDangling = this.memory.objects[number].ended;
    path.setAttribute("class", `arrow${isChanged ? " changed" : ""}${isDangling ? " dangling" : ""}`);
    return [path];
  }

  /** The row that has the byte at an offset. */
  rowAt(number, offset) {
    const exact = this.rows.get(`${number} ${offset}`);
    const { element: type, count } = this.memory.shapeOf(number);
    if (exact || !type) return exact;
    const leaves = new Leaves(type, count);
    const index = leaves.indexOf(offset);
    return leaves.at(index) && this.rows.get(`${number} ${leaves.at(index).offset}`);
  }
}

/** Whether an object has a box. (Functions have none.) */
function isShown(object) {
  return object && ["data", "variable", "heap"].includes(object.origin);
}

/** The pointers among the values of the current activation. The name of an object in memory is at its box. */
function pointersOf({ frame, definitions }) {
  const known = [...frame].map(([number, value]) => ({ value, definition: definitions.byNumber.get(number) }));
  const pointers = known.filter(({ value, definition: { shown, type, op } }) => {
    return shown && type === "ptr" && typeof value === "bigint" && op !== "allocate";
  });
  return pointers.map(({ value, definition }) => ({ name: definition.shown, value }));
}

const gap = (count) => element("tr", { class: "gap" }, element("td", { colspan: 2 }, `… ${count} more`));

/** The line from a point to a box, with an arrow head: to its left side, or around to its right side. */
function curve(x1, y1, x2, y2, isFromLeft) {
  const side = isFromLeft ? -1 : 1;
  const out = isFromLeft ? Math.max(24, (x2 - x1) / 2) : Math.max(x1, x2) + 24 + Math.min(44, Math.abs(y2 - y1) / 6);
  const controls = isFromLeft ? `${x1 + out} ${y1}, ${x2 - out} ${y2}` : `${out} ${y1}, ${out} ${y2}`;
  const head = `M ${x2 + side * 7} ${y2 - 4} L ${x2 + side} ${y2} L ${x2 + side * 7} ${y2 + 4}`;
  return `M ${x1} ${y1} C ${controls}, ${x2 + side} ${y2} ${head}`;
}

/** The scalars of an object in order, without a list of them. A union has those of all its fields. */
class Leaves {
  constructor(type, count) {
    Object.assign(this, { type, count });
    this.each = leavesOf(type);
    this.total = this.each * (count ?? 1);
  }

  /** The leaf of an index: its path, type and offset. */
  at(index) {
    if (!(0 <= index && index < this.total)) return undefined;
    const element = Math.floor(index / this.each);
    let [path, offset, rest, type] = [this.count === null ? "" : `[${element}]`, element * this.type.size, index % this.each, this.type];
    while (type.element || type.fields) {
      const [step, within, inner, skipped] = childOf(type, rest);
      [path, offset, type, rest] = [path + step, offset + within, inner, rest - skipped];
    }
    return { path, offset, type };
  }

  /** The index of the leaf that has the byte at an offset; that of a neighbour if none has it. */
  indexOf(offset) {
    const element = Math.floor(offset / this.type.size);
    let [index, rest, type] = [element * this.each, offset - element * this.type.size, this.type];
    while (type.element || type.fields) {
      if (type.element) {
        const at = Math.floor(rest / type.element.size);
        [index, rest, type] = [index + at * leavesOf(type.element), rest - at * type.element.size, type.element];
      } else {
        const field = type.fields.findLast((each) => each.offset <= rest) ?? type.fields[0];
        if (!field) break;
        for (const each of type.fields.slice(0, type.fields.indexOf(field))) index += leavesOf(each.type);
        [rest, type] = [rest - field.offset, field.type];
      }
    }
    return index;
  }
}

/** The part of an array or struct that has the leaf of an index: its step in the path, offset, type, and leaves before it. */
function childOf(type, index) {
  if (type.element) {
    const at = Math.floor(index / leavesOf(type.element));
    return [`[${at}]`, at * type.element.size, type.element, at * leavesOf(type.element)];
  }
  let skipped = 0;
  for (const { name, offset, type: inner } of type.fields) {
    if (index < skipped + leavesOf(inner)) return [`.${name}`, offset, inner, skipped];
    skipped += leavesOf(inner);
  }
}

/** The number of scalars in a type. */
function leavesOf(type) {
  if (type.element) return type.length * leavesOf(type.element);
  if (type.leaves === undefined) type.leaves = type.fields ? type.fields.reduce((sum, each) => sum + leavesOf(each.type), 0) : 1;
  return type.leaves;
}
