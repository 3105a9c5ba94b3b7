// The control flow: one card for each continuation, in source order, and the edges beside them as arcs, forward edges on
// the right, back edges on the left. A card shows its lines, each ``[number of the card, kind, details …]``. From one step
// to another, forward or back, only the cards with other lines are redrawn.

class Flow {
  constructor(root) {
    this.root = root;
    this.arcs = new Arcs(root);
    new ResizeObserver(() => this.drawEdges()).observe(root);
  }

  /** Switch to another function. */
  enter(view, names, relations) {
    Object.assign(this, { view, names, relations, activation: null });
    this.content = new EditedLines(view, "flow");
    this.order = new Map(view.cards.map((name, index) => [name, index]));
    this.cards = new Map(
      view.cards.map((name) => [name, element("article", { class: "card", "data-card": name, hidden: true })]),
    );
    this.slots = new Map();
    fill(this.root, this.cards.values());
    this.arcs.clear();
  }

  /** Show the picture after a step; `values` has the current continuation of a run, its values, and the edge taken. */
  show(step, values = null) {
    const { at, within } = this.view.steps[step];
    const touched = new Set(this.content.goTo(step).map(([card]) => this.view.cards[card]));
    for (const name of [this.activation?.at, values?.at]) if (name) touched.add(name);
    this.activation = values;
    const lines = this.linesByCard();
    for (const name of touched) this.draw(name, lines.get(this.order.get(name)) ?? []);
    const isLookUp = within || this.view.steps[step].path.length > 1;
    this.mark({ here: [values?.at ?? at], ...(isLookUp ? this.lookUp(step) : {}) });
    this.drawEdges();
    this.cards.get(values?.at ?? at)?.scrollIntoView({ block: "nearest" });
  }

  linesByCard() {
    const found = new Map();
    for (const [card, kind, ...details] of this.content.lines) {
      if (!found.has(card)) found.set(card, []);
      found.get(card).push({ kind, details });
    }
    return found;
  }

  /** The continuations on the stack of the look-up that contains the step, from its start, and those visited before. */
  lookUp(step) {
    let first = step;
    while (first > 0 && this.view.steps[first].within) first--;
    const { at: start } = this.view.steps[first];
    const visited = new Set([start]);
    const stack = new Set();
    let done = [];
    for (const each of this.view.steps.slice(first, step + 1)) {
      for (const name of done) stack.delete(name);
      for (const name of each.path) stack.add(name) && visited.add(name);
      ({ done } = each);
    }
    stack.add(start);
    return { path: stack, visited: [...visited].filter((name) => !stack.has(name)) };
  }

  /** Mark the cards of some continuations, and no others. */
  mark(marked) {
    for (const each of this.root.querySelectorAll(".here, .path, .visited"))
      each.classList.remove("here", "path", "visited");
    for (const [mark, names] of Object.entries(marked))
      for (const name of names) this.cards.get(name)?.classList.add(mark);
  }

  /** Draw a card; one without lines is not created yet. */
  draw(name, lines) {
    const card = this.cards.get(name);
    const values = this.activation?.at === name ? this.activation.values : null;
    const of = (kind) => lines.filter((line) => line.kind === kind).map(({ details }) => details);
    const [[classes, state] = ["", ""]] = of("state");
    const slots = edgesOf(lines).map((edge) => ({ target: edge.target, slot: this.edge(edge) }));
    const header = [
      element("h3", {}, element("span", { class: "name", "data-name": name }, name)),
      ...of("parameter").map(([parameter, proxy]) => this.parameter(parameter, proxy, values)),
      ...(state ? [element("p", { class: "state" }, state)] : []),
    ];
    card.hidden = lines.length === 0;
    card.className = `card ${classes}`.trim();
    card.replaceChildren(
      ...(card.hidden ? [] : [element("header", {}, ...header)]),
      ...of("statement").map(([text]) => this.line("statement", text)),
      ...of("value").map(([variable, text]) =>
        this.line("values", text, `${this.relations.variableName(variable)} ↦ `),
      ),
      ...of("transfer").map(([text]) => this.line("transfer", text)),
      ...slots.map(({ slot }) => slot),
    );
    this.slots.set(name, slots);
  }

  parameter(name, proxy, values) {
    const value = values?.get(name);
    const shown = value === undefined ? [] : [element("span", { class: "value" }, ` = ${value}`)];
    if (proxy) shown.push(element("small", {}, ` ${proxy}`));
    return element("button", { type: "button", class: "parameter name", "data-name": name }, name, ...shown);
  }

  line(kind, text, before = "") {
    return element("p", { class: kind }, before, withNames(text, this.names));
  }

  edge({ label, target, passed }) {
    const given = passed.flatMap(([parameter, value], index) => [
      index ? ", " : "",
      ...(parameter ? [withNames(parameter, this.names), " = "] : []),
      withNames(value, this.names),
    ]);
    const brackets = passed.length ? ["(", ")"] : ["", ""];
    return element(
      "p",
      { class: "edge" },
      element("small", {}, label ? `${label} ` : ""),
      "→ ",
      withNames(target, this.names),
      brackets[0],
      ...given,
      brackets[1],
    );
  }

  drawEdges() {
    if (!this.view) return;
    const edges = [];
    for (const [name, slots] of this.slots) {
      slots.forEach(({ target, slot }, index) => {
        const end = this.cards.get(target);
        if (end && !end.hidden && !this.cards.get(name).hidden) edges.push(this.edgeBetween(name, target, slot, index));
      });
    }
    this.arcs.draw(edges);
  }

  /** Whether the last transfer of the run took the edge of the card. */
  isTaken(name, index) {
    const { taken } = this.activation;
    return taken?.from.shown === name && taken.index === index;
  }

  edgeBetween(name, target, slot, index) {
    const [from, to] = [this.cards.get(name), this.cards.get(target)];
    return {
      key: `${index} ${name}`,
      isBack: this.order.get(target) <= this.order.get(name),
      isOn: this.activation
        ? this.isTaken(name, index)
        : from.classList.contains("here") || to.classList.contains("here"),
      isPath: from.classList.contains("path") && to.classList.contains("path"),
      left: from.offsetLeft,
      right: from.offsetLeft + from.offsetWidth,
      start: slot.offsetTop + slot.offsetHeight / 2,
      end: to.offsetTop + 14,
    };
  }
}

/** The edges of a card; `passed` has the parameter and the text of each argument. */
function edgesOf(lines) {
  const edges = [];
  for (const { kind, details } of lines) {
    if (kind === "edge") edges.push({ label: details[0], target: details[1], passed: [] });
    if (kind === "argument") edges.at(-1).passed.push(details);
  }
  return edges;
}

/** The arcs beside the cards. */
class Arcs {
  constructor(root) {
    this.root = root;
    this.paths = new Map();
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("aria-hidden", "true"); // each edge is also a line of its card
    this.picture.setAttribute("width", "1"); // the arcs overflow, so that the picture does not enlarge the pane
    this.picture.setAttribute("height", "1");
  }

  clear() {
    this.paths.clear();
    this.picture.replaceChildren();
    this.root.append(this.picture);
  }

  draw(edges) {
    const left = new Set(this.paths.keys());
    for (const edge of edges) {
      left.delete(edge.key);
      this.place(edge);
    }
    for (const key of left) {
      this.paths.get(key).remove();
      this.paths.delete(key);
    }
  }

  place(edge) {
    let path = this.paths.get(edge.key);
    if (!path) {
      path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      this.paths.set(edge.key, path);
      this.picture.append(path);
    }
    const shape = arc(edge);
    const kind = `arc${edge.isBack ? " back" : ""}${edge.isOn ? " on" : ""}${edge.isPath ? " path" : ""}`;
    if (path.getAttribute("d") !== shape) path.setAttribute("d", shape);
    if (path.getAttribute("class") !== kind) path.setAttribute("class", kind);
  }
}

/** The path from the line of an edge into the margin, along it, and back to the target, with an arrow head. */
function arc({ isBack, left, right, start, end }) {
  const side = isBack ? -1 : 1;
  const x = isBack ? left : right;
  const out = x + side * Math.min(34, 5 + 4 * Math.log2(1 + Math.abs(end - start) / 12));
  const turn = Math.min(5, Math.abs(end - start) / 2) * Math.sign(end - start);
  const head = `M ${x + side * 6} ${end - 4} L ${x + side} ${end} L ${x + side * 6} ${end + 4}`;
  const corner = out - side * 5;
  const away = `M ${x} ${start} H ${corner} Q ${out} ${start} ${out} ${start + turn}`;
  const back = `V ${end - turn} Q ${out} ${end} ${corner} ${end} H ${x + side}`;
  return `${away} ${back} ${head}`;
}
