// The control flow: one card for each continuation, in source order, and the edges beside them as arcs, forward edges on
// the right, back edges on the left. The card at a step is the result of its changes up to the step, so that from one step
// to another, forward or back, only the cards with changes in between are redrawn.

const CHANGES = {
  made: (card, own) => Object.assign(card, { isMade: true, own }),
  entered: (card) => (card.isEntered = true),
  computed: (card, text) => card.statements.push(text),
  is: (card, variable, value) => card.holds.set(variable, value),
  fills: (card, transfer, edges) => Object.assign(card, { isFilled: true, transfer, edges: edges.map(edgeOf) }),
  sealed: (card) => (card.isSealed = true),
  placed: (card, name, variable, isProxy) => card.placed.set(name, { name, variable, isProxy }),
  passes: (card, edge, parameter, value) => card.edges[edge].passed.push([parameter, value]),
  withdraws: (card, edge, parameter) =>
    (card.edges[edge].passed = card.edges[edge].passed.filter(([name]) => name !== parameter)),
  receives: (card, name) => (card.placed.get(name).isProxy = false),
  stays: () => {},
  gone: (card, name, value) => Object.assign(card.placed.get(name), { isGone: true, value }),
  dropped: (card) => (card.isDropped = true),
  joined: (card, home) => (card.home = home),
  finished: (card, own, statements, transfer, edges) =>
    Object.assign(card, {
      isFinished: true,
      own,
      placed: new Map(),
      holds: new Map(),
      statements,
      transfer,
      edges: edges.map(edgeOf),
    }),
};

function edgeOf([label, target, passed]) {
  return { label, target, passed: [...passed] };
}

/** The card that changes up to a step make. */
function cardAt(changes, step) {
  const card = { own: [], placed: new Map(), statements: [], holds: new Map(), transfer: "", edges: [] };
  for (const [at, [kind, , ...said]] of changes) {
    if (at > step) break;
    CHANGES[kind](card, ...said);
  }
  return card;
}

/** Whether the continuation is removed. */
function isAway(card) {
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
  enter(view, names, kinship) {
    Object.assign(this, { view, names, kinship, step: -1, played: null });
    this.order = new Map(view.cards.map((name, index) => [name, index]));
    this.changes = new Map(view.cards.map((name) => [name, []]));
    view.steps.forEach((step, at) => step.changes.forEach((change) => this.changes.get(change[1]).push([at, change])));
    this.cards = new Map(
      view.cards.map((name) => [name, element("article", { class: "card", "data-card": name, hidden: true })]),
    );
    this.slots = new Map();
    this.root.replaceChildren(...this.cards.values());
    this.arcs.clear();
  }

  /** Show the picture after a step; `values` has the current continuation of a run, and its values. */
  show(step, values = null) {
    const { at, within } = this.view.steps[step];
    const touched = new Set(this.between(step));
    for (const name of [this.played?.at, values?.at]) if (name) touched.add(name);
    this.step = step;
    this.played = values;
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
    const values = this.played?.at === name ? this.played.values : null;
    place.hidden = !card.isMade;
    place.className = ["card", card.isFilled && "filled", card.isSealed && "sealed", isAway(card) && "away"]
      .filter(Boolean)
      .join(" ");
    const slots = card.edges.map((edge) => this.edge(edge));
    place.replaceChildren(this.heading(name, card, values), ...this.body(card), ...slots);
    this.slots.set(name, isAway(card) ? [] : card.edges.map(({ target }, index) => ({ target, slot: slots[index] })));
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

  placed({ name, isProxy, isGone, value }) {
    const button = this.parameter(name);
    if (isProxy) button.append(element("small", {}, " proxy"));
    if (!isGone) return button;
    button.classList.add("gone");
    const replacement = value === null ? " not used" : [" → ", withNames(value, this.names)];
    return element("span", {}, button, element("small", {}, " removed", ...replacement));
  }

  body(card) {
    const line = (text, kind) => element("p", { class: kind }, withNames(text, this.names));
    const holds = [...card.holds].map(([variable, value]) =>
      element("p", { class: "holds" }, `${this.kinship.variableName(variable)} is `, withNames(value, this.names)),
    );
    return [
      ...card.statements.map((text) => line(text, "statement")),
      ...holds,
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
    const [shape, kind] = [
      arc(edge),
      `arc${edge.isBack ? " back" : ""}${edge.isOn ? " on" : ""}${edge.isPath ? " looked" : ""}`,
    ];
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
