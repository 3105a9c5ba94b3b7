// The control flow: one card for each continuation, in source order, and the edges beside them as arcs, forward edges on
// the right, back edges on the left. The card at a step is the result of its changes up to the step, so that from one step
// to another, forward or back, only the cards with changes in between are redrawn.

const CHANGES = {
  created: (card, own) => Object.assign(card, { isCreated: true, own }),
  entered: (card) => (card.isEntered = true),
  computed: (card, text) => card.statements.push(text),
  assigned: (card, variable, value) => card.values.set(variable, value),
  filled: (card, transfer, edges) => Object.assign(card, { isFilled: true, transfer, edges: edges.map(edgeOf) }),
  sealed: (card) => (card.isSealed = true),
  placed: (card, name, variable, isProxy) => card.placed.set(name, { name, variable, isProxy }),
  passed: (card, edge, parameter, value) => card.edges[edge].passed.push([parameter, value]),
  withdrawn: (card, edge, parameter) =>
    (card.edges[edge].passed = card.edges[edge].passed.filter(([name]) => name !== parameter)),
  completed: (card, name) => (card.placed.get(name).isProxy = false),
  kept: () => {},
  removed: (card, name, value) => Object.assign(card.placed.get(name), { isRemoved: true, value }),
  dropped: (card) => (card.isDropped = true),
  merged: (card, home) => (card.home = home),
  finished: (card, own, statements, transfer, edges) =>
    Object.assign(card, {
      isFinished: true,
      own,
      placed: new Map(),
      values: new Map(),
      statements,
      transfer,
      edges: edges.map(edgeOf),
    }),
};

function edgeOf([label, target, passed]) {
  return { label, target, passed: [...passed] };
}

/** The card after all changes up to a step. */
function cardAt(changes, step) {
  const card = { own: [], placed: new Map(), statements: [], values: new Map(), transfer: "", edges: [] };
  for (const [at, [kind, , ...details]] of changes) {
    if (at > step) break;
    CHANGES[kind](card, ...details);
  }
  return card;
}

/** Whether the continuation is removed. */
function isRemoved(card) {
  return card.isDropped || Boolean(card.home);
}

/** The state of a continuation, in words. */
function stateText(card) {
  if (card.isDropped) return "dropped: unreachable";
  if (card.home) return `now part of ${card.home}`;
  if (card.isFinished) return "";
  const filled = card.isFilled ? "filled" : card.isEntered ? "being filled" : "not filled";
  return `${filled}, ${card.isSealed ? "sealed" : "not sealed"}`;
}

class Flow {
  constructor(root) {
    this.root = root;
    this.arcs = new Arcs(root);
    new ResizeObserver(() => this.drawEdges()).observe(root);
  }

  /** Switch to another function. */
  enter(view, names, relations) {
    Object.assign(this, { view, names, relations, step: -1, activation: null });
    this.order = new Map(view.cards.map((name, index) => [name, index]));
    this.changes = new Map(view.cards.map((name) => [name, []]));
    view.steps.forEach((step, at) => step.changes.forEach((change) => this.changes.get(change[1]).push([at, change])));
    this.cards = new Map(
      view.cards.map((name) => [name, element("article", { class: "card", "data-card": name, hidden: true })]),
    );
    this.slots = new Map();
    fill(this.root, this.cards.values());
    this.arcs.clear();
  }

  /** Show the picture after a step; `values` has the current continuation of a run, and its values. */
  show(step, values = null) {
    const { at, within } = this.view.steps[step];
    const touched = new Set(this.between(step));
    for (const name of [this.activation?.at, values?.at]) if (name) touched.add(name);
    this.step = step;
    this.activation = values;
    for (const name of touched) this.draw(name);
    this.mark({
      here: [values?.at ?? at],
      path: within || this.view.steps[step].path.length > 1 ? this.pathTo(step) : [],
    });
    this.drawEdges();
    this.cards.get(values?.at ?? at)?.scrollIntoView({ block: "nearest" });
  }

  /** The continuations that change between the step shown and another step. */
  *between(step) {
    const [from, to] = this.step < step ? [this.step, step] : [step, this.step];
    for (let at = from + 1; at <= to; at++) for (const [, name] of this.view.steps[at].changes) yield name;
  }

  /** The continuations on the path of the look-up that contains the step. */
  pathTo(step) {
    let first = step;
    while (first > 0 && this.view.steps[first].within) first--;
    return [this.view.steps[first].at, ...this.view.steps.slice(first, step + 1).flatMap(({ path }) => path)];
  }

  /** Mark the cards of some continuations, and no others. */
  mark(marked) {
    for (const each of this.root.querySelectorAll(".here, .path")) each.classList.remove("here", "path");
    for (const [mark, names] of Object.entries(marked))
      for (const name of names) this.cards.get(name)?.classList.add(mark);
  }

  draw(name) {
    const card = cardAt(this.changes.get(name), this.step);
    const place = this.cards.get(name);
    const values = this.activation?.at === name ? this.activation.values : null;
    place.hidden = !card.isCreated;
    const states = { filled: card.isFilled, sealed: card.isSealed, removed: isRemoved(card) };
    place.className = ["card", ...Object.keys(states).filter((state) => states[state])].join(" ");
    const slots = card.edges.map((edge) => this.edge(edge));
    place.replaceChildren(this.heading(name, card, values), ...this.body(card), ...slots);
    const edges = isRemoved(card) ? [] : card.edges;
    this.slots.set(
      name,
      edges.map(({ target }, index) => ({ target, slot: slots[index] })),
    );
  }

  heading(name, card, values) {
    const parameters = [
      ...card.own.map((each) => this.parameter(each, values)),
      ...[...card.placed.values()].map((each) => this.placed(each)),
    ];
    const title = element("h3", {}, element("span", { class: "name", "data-name": name }, name));
    const state = stateText(card);
    return element("header", {}, title, ...parameters, ...(state ? [element("p", { class: "state" }, state)] : []));
  }

  parameter(name, values) {
    const value = values?.get(name);
    const shown = value === undefined ? [name] : [name, element("span", { class: "value" }, ` = ${value}`)];
    return element("button", { type: "button", class: "parameter name", "data-name": name }, ...shown);
  }

  placed({ name, isProxy, isRemoved, value }) {
    const button = this.parameter(name);
    if (isProxy) button.append(element("small", {}, " proxy"));
    if (!isRemoved) return button;
    button.classList.add("removed");
    const replacement = value === null ? " not used" : [" → ", withNames(value, this.names)];
    return element("span", {}, button, element("small", {}, " removed", ...replacement));
  }

  body(card) {
    const line = (text, kind) => element("p", { class: kind }, withNames(text, this.names));
    const values = [...card.values].map(([variable, value]) =>
      element("p", { class: "values" }, `${this.relations.variableName(variable)} is `, withNames(value, this.names)),
    );
    return [
      ...card.statements.map((text) => line(text, "statement")),
      ...values,
      ...(card.transfer ? [line(card.transfer, "transfer")] : []),
    ];
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

  edgeBetween(name, target, slot, index) {
    const [from, to] = [this.cards.get(name), this.cards.get(target)];
    return {
      key: `${index} ${name}`,
      isBack: this.order.get(target) <= this.order.get(name),
      isOn: from.classList.contains("here") || to.classList.contains("here"),
      isPath: from.classList.contains("path") && to.classList.contains("path"),
      left: from.offsetLeft,
      right: from.offsetLeft + from.offsetWidth,
      start: slot.offsetTop + slot.offsetHeight / 2,
      end: to.offsetTop + 14,
    };
  }
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
