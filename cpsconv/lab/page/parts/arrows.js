// The arrows of the picture of memory, from the elements of pointers to those of what they point to.

class Arrows {
  constructor(root) {
    this.root = root;
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("aria-hidden", "true"); // each pointer is also a text
    this.picture.setAttribute("width", "1"); // the arrows overflow, so that the picture does not enlarge the pane
    this.picture.setAttribute("height", "1");
    this.clear();
    new ResizeObserver(() => this.redraw()).observe(root);
    root.parentElement.addEventListener("scroll", () => this.redraw()); // the variables stay in view
  }

  clear() {
    this.arrows = [];
    this.targets = new Map(); // by the numbers of objects
    this.memory = null;
  }

  /** Add an arrow, given the element of a pointer and its value. */
  add(arrow) {
    this.arrows.push(arrow);
  }

  /** Add a target: the element of some bytes of an object, or its title. */
  addTarget(target) {
    if (!this.targets.has(target.number)) this.targets.set(target.number, []);
    this.targets.get(target.number).push(target);
  }

  draw(memory) {
    this.memory = memory;
    this.root.append(this.picture);
    this.redraw();
  }

  redraw() {
    if (!this.memory) return;
    const origin = this.root.getBoundingClientRect();
    this.picture.replaceChildren(...this.arrows.flatMap((arrow) => this.path(arrow, origin)));
  }

  path({ from, value, isVariable, isChanged }, origin) {
    const target = this.targetOf(value);
    if (!target) return [];
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const start = from.getBoundingClientRect();
    const [x, y] = [start.right - origin.left, start.top + start.height / 2 - origin.top];
    path.setAttribute("d", curve(x, y, tipOf(target, isVariable, origin), isVariable));
    const isDangling = this.memory.objects[numberOf(value)].end !== 0;
    path.setAttribute("class", ["arrow", isChanged && "changed", isDangling && "dangling"].filter(Boolean).join(" "));
    return [path];
  }

  /** The element to which a pointer points: that which begins there, or the smallest that has the byte, or the title. */
  targetOf(value) {
    const [found, offset] = [this.targets.get(numberOf(value)) ?? [], offsetOf(value)];
    const around = found.filter(({ start, end }) => start <= offset && offset < end).sort((one, other) => sizeOf(one) - sizeOf(other));
    const target = found.find(({ start }) => start === offset) ?? around[0] ?? found.find(({ isTitle }) => isTitle);
    return target?.element;
  }
}

const sizeOf = ({ start, end }) => end - start;

/** The point at which an arrow ends: below a part of a strip, or at a side of the box. `margin` is the `x` of that side. */
function tipOf(target, isVariable, origin) {
  const { left, right, top, bottom, height } = target.getBoundingClientRect();
  const box = target.closest("table").getBoundingClientRect();
  const margin = (isVariable ? box.left : box.right) - origin.left;
  if (target.closest(".strip")) return { x: (left + right) / 2 - origin.left, y: bottom - origin.top, margin, isUp: true };
  return { x: isVariable ? margin : right - origin.left, y: top + height / 2 - origin.top, margin, isUp: false };
}

/** The line from a point to the tip of an arrow, with its head. Lines are beside the boxes as long as possible. */
function curve(x1, y1, { x, y, margin, isUp }, isVariable) {
  const side = isVariable ? -1 : 1;
  const bend = 24 + Math.min(44, Math.abs(y - y1) / 6);
  const out = isVariable ? Math.max(x1 + 24, x1 + (margin - x1) / 2) : Math.max(x1, margin) + bend;
  if (!isUp) {
    const near = isVariable ? Math.min(x - 24, out) : out;
    return `M ${x1} ${y1} C ${out} ${y1}, ${near} ${y}, ${x + side} ${y} ${head(x + side, y, side, 0)}`;
  }
  const beside = isVariable ? margin - 10 : margin + bend / 2;
  const to = `C ${out} ${y1}, ${beside} ${(y1 + y) / 2}, ${beside} ${y} C ${beside} ${y + 12}, ${x} ${y + 16}, ${x} ${y + 1}`;
  return `M ${x1} ${y1} ${to} ${head(x, y + 1, 0, 1)}`;
}

/** The head of an arrow at a point; the line comes from the direction. */
function head(x, y, dx, dy) {
  const [backX, backY] = [x + 7 * dx, y + 7 * dy];
  return `M ${backX - 4 * dy} ${backY - 4 * dx} L ${x} ${y} L ${backX + 4 * dy} ${backY + 4 * dx}`;
}
