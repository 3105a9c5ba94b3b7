// The control flow: a graph with a card for each continuation, its edges with labels, and boxes around loops. A card shows
// its lines, each ``[number of the card, kind, details …]``. A card can be reduced to its name and parameters. The places of
// all cards and edges are fixed; at each step, those are shown that there are. From one step to another, forward or back,
// only the cards with other lines are redrawn.

const MAX_COMPLETE = 14; // cards, all of which are shown completely at first

const MAX_LABEL_LINES = 4; // in the label of an edge

const STATE_COLUMNS = 22; // of a card, for the state in words

class Flow {
  constructor(pane) {
    this.viewport = new Viewport(pane);
    this.root = pane.querySelector(".canvas");
    this.picture = drawn("svg", { "aria-hidden": "true" }); // each edge is also a line of its card
    this.frontiers = new Frontiers(pane, () => this.redraw([]));
    this.button = pane.querySelector(".names");
    this.button.addEventListener("click", () => this.reduce(!this.isReduced));
    this.root.addEventListener("click", ({ target }) => target.matches(".toggle") && this.toggle(target.closest(".card")));
  }

  /** Switch to another function: to its construction, or to the finished function, which needs less room. */
  enter(view, names, relations, isFinished) {
    Object.assign(this, { view, names, relations, isFinished, activation: null, evidence: [], others: new Set() });
    this.content = new EditedLines(view, "flow");
    this.step = undefined;
    this.order = new Map(view.cards.map((name, index) => [name, index]));
    this.extent = new Extent(view);
    this.cards = new Map(
      view.cards.map((name) => [name, element("article", { class: "card", "data-card": name, hidden: true })]),
    );
    this.edges = new Map(); // by card, those that there are
    this.reduce(view.cards.length > MAX_COMPLETE);
  }

  // ------------------------------------------------------------------------------------------------------ layout

  /** Show the construction, or the finished function; with cards of one width, no room shows which ones get parameters. */
  finish(isFinished, isUniform) {
    Object.assign(this, { isFinished, isUniform });
    this.arrange();
  }

  /** Show names and parameters only, or all lines, of all cards. */
  reduce(isReduced) {
    this.isReduced = isReduced;
    this.others.clear();
    this.button.setAttribute("aria-pressed", String(isReduced));
    this.arrange();
  }

  /** Show one card as the others are not shown. */
  toggle(card) {
    const { card: name } = card.dataset;
    if (!this.others.delete(name)) this.others.add(name);
    this.arrange();
    card.scrollIntoView({ block: "nearest", inline: "nearest" });
    card.querySelector(".toggle").focus({ preventScroll: true });
  }

  isComplete(name) {
    return this.isReduced === this.others.has(name);
  }

  /** Lay out the graph, and show it again. */
  arrange() {
    fill(this.root, [this.picture, ...this.cards.values()]);
    this.routes = new Map();
    this.labels = this.longestLabels();
    const unit = this.unit();
    const boxes = new Map(this.extent.cards.map((card) => [card.name, this.sizeOf(card, unit)]));
    const width = Math.max(...[...boxes.values()].map((box) => box.width));
    if (this.isUniform) for (const box of boxes.values()) box.width = width;
    const edges = new Map([...this.extent.edges].filter(([, { target }]) => this.cards.has(target)));
    for (const edge of edges.values()) edge.size = this.labelSize(edge, unit);
    const loops = this.view.loops.map(({ cards, ...loop }) => ({ ...loop, cards: cards.map((each) => this.view.cards[each]) }));
    this.layout = layered(boxes, edges, loops, this.order, this.isReduced ? 16 : 28);
    for (const [name, card] of this.cards) {
      const { x, y, width, height } = corner(this.layout.cards.get(name));
      Object.assign(card.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, minHeight: `${height}px` });
    }
    this.loops = loops.map((loop, index) => loopBox(loop, corner(this.layout.loops[index]), this.view.cards));
    this.picture.replaceChildren(...this.loops.map(({ box }) => box));
    this.viewport.enter(this.layout);
    this.content.goTo(this.step ?? -1);
    if (this.step !== undefined) this.redraw(this.cards.keys());
  }

  /** The room of a card, in pixels. */
  sizeOf({ name, now, most }, { column, line }) {
    const { rows: lines, columns: widest, header: parameters } = this.isFinished ? now : most;
    const header = Math.ceil(1.15 * name.length + 3 + parameters);
    const isComplete = this.isComplete(name);
    const columns = Math.min(MAX_COLUMNS, Math.max(header, isComplete && widest, isComplete && !this.isFinished && STATE_COLUMNS));
    const rows = 1.25 * Math.ceil(header / columns) + (isComplete ? lines + !this.isFinished : 0);
    return { width: column * (columns + 4), height: line * (rows + 0.8) };
  }

  /** The room of the label of an edge, in pixels; it is smaller than the text of cards. */
  labelSize(edge, { column, line }) {
    const lines = this.labels.get(edgeKey(edge.source, edge.label, edge.target)).map((text) => text.length);
    const columns = Math.min(MAX_LABEL, Math.max(0, ...lines));
    return columns ? { width: 0.9 * column * (columns + 1), height: 0.9 * line * lines.length } : { width: 0, height: 0 };
  }

  /** The lines of the label of an edge: its outcome, and the arguments; in one line if cards are reduced. */
  labelLines({ label, passed }) {
    if (this.isReduced) {
      const values = passed.map(([, value]) => value).join(", ");
      return [[label, values && `(${values})`].filter(Boolean).join(" ")].filter(Boolean);
    }
    const given = passed.map(([parameter, value]) => (parameter ? `${parameter} = ${value}` : value));
    const more = given.length > MAX_LABEL_LINES ? [`… ${given.length - MAX_LABEL_LINES + 1} more`] : [];
    return [label, ...(more.length ? given.slice(0, MAX_LABEL_LINES - 1) : given), ...more].filter(Boolean);
  }

  /** The longest labels of edges, by key: of the construction, before a renaming, of redirected jumps, and at the end. */
  longestLabels() {
    const { steps, cards } = this.view;
    const found = new Map([...this.extent.edges.keys()].map((key) => [key, []]));
    const redirected = steps.flatMap(({ event }, step) => (["search", "redirect", "replace"].includes(event) ? [step] : []));
    for (const step of [steps.findIndex(({ event }) => event === "close") - 1, ...redirected, steps.length - 1]) {
      this.content.goTo(step);
      for (const [number, lines] of this.linesByCard()) {
        for (const edge of edgesOf(lines)) {
          const key = edgeKey(cards[number], edge.label, edge.target);
          const label = this.labelLines(edge);
          if (found.has(key) && label.join("").length > found.get(key).join("").length) found.set(key, label);
        }
      }
    }
    return found;
  }

  /** The size of a character and of a line of a card, in pixels. */
  unit() {
    const probe = element("p", { class: "card probe" }, "0".repeat(100));
    this.root.append(probe);
    const { offsetWidth, offsetHeight } = probe;
    probe.remove();
    return { column: offsetWidth / 100 || 8, line: offsetHeight || 18 }; // the pane may be hidden
  }

  // ------------------------------------------------------------------------------------------------------- steps

  /** Show the picture after a step; `values` has the current continuation of a run, its values, and the edge taken. */
  show(step, values = null) {
    const touched = new Set(this.content.goTo(step).map(([card]) => this.view.cards[card]));
    for (const name of [this.activation?.at, values?.at]) if (name) touched.add(name);
    Object.assign(this, { step, activation: values });
    this.redraw(touched);
  }

  /** Draw some cards, and mark those that the step is about. */
  redraw(touched) {
    const { at, within, path, members = [], joins = [] } = this.view.steps[this.step];
    const here = this.activation?.at ?? at;
    this.members = new Set(this.activation ? [] : members);
    const lines = this.linesByCard();
    for (const name of touched) this.draw(name, lines.get(this.order.get(name)) ?? []);
    const homes = [...(this.activation ? [] : joins), ...[...this.members].map((name) => this.view.parameters[name].home)];
    const { stack, visited } = within || path.length > 1 ? this.lookUp(this.step) : { stack: [], visited: [] };
    this.mark({ here: [here], path: stack, visited, member: homes });
    for (const each of this.root.querySelectorAll(".parameter")) {
      each.classList.toggle("member", this.members.has(each.dataset.name));
    }
    this.drawEdges();
    this.frontiers.show(this);
    this.drawLoops();
    this.viewport.drawMap(this.boxes());
    this.viewport.reveal(this.cards.get(homes[0] ?? here));
  }

  /** Mark the two paths of the evidence for a parameter; none without them. */
  showPaths(paths) {
    this.evidence = paths;
    const [first = [], second = []] = paths;
    this.mark({ first, second });
    this.drawEdges();
    if (paths.length) this.viewport.reveal(this.cards.get(first.at(-1)));
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
    return { stack, visited: [...visited].filter((name) => !stack.has(name)) };
  }

  /** Give some cards each mark, and no others. */
  mark(marked) {
    for (const [mark, names] of Object.entries(marked)) {
      for (const each of this.root.querySelectorAll(`.card.${mark}`)) each.classList.remove(mark);
      for (const name of names) this.cards.get(name)?.classList.add(mark);
    }
  }

  /** Draw a card; one without lines is not created yet. */
  draw(name, lines) {
    const card = this.cards.get(name);
    const values = this.activation?.at === name ? this.activation.values : null;
    const of = (kind) => lines.filter((line) => line.kind === kind).map(({ details }) => details);
    const [[classes, state] = ["", ""]] = of("state");
    const edges = edgesOf(lines);
    const isComplete = this.isComplete(name);
    const title = isComplete ? "names only" : "all lines";
    const header = [
      element("button", { type: "button", class: "toggle", "aria-expanded": String(isComplete), "aria-label": `${name}: ${title}`, title }),
      element("h3", {}, element("span", { class: "name", "data-name": name }, name)),
      ...of("parameter").map(([parameter, proxy]) => this.parameter(parameter, proxy, values)),
      ...(state ? [element("p", { class: "state" }, state)] : []),
    ];
    card.hidden = lines.length === 0;
    const kept = ["first", "second"].filter((mark) => card.classList.contains(mark));
    card.className = ["card", classes, isComplete || "reduced", ...kept].filter((each) => each && each !== true).join(" ");
    card.replaceChildren(
      ...(card.hidden ? [] : [element("header", {}, ...header)]),
      ...of("statement").map(([text]) => this.line("statement", text)),
      ...of("value").map(([variable, text]) =>
        this.line("values", text, `${this.relations.variableName(variable)} ↦ `),
      ),
      ...of("transfer").map(([text]) => this.line("transfer", text)),
      ...edges.map((edge) => this.edge(edge)),
    );
    this.edges.set(name, edges);
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
      { class: this.cards.has(target) ? "edge" : "edge exit" }, // an edge to a card is a line of the graph
      element("small", {}, label ? `${label} ` : ""),
      "→ ",
      withNames(target, this.names),
      brackets[0],
      ...given,
      brackets[1],
    );
  }

  // ------------------------------------------------------------------------------------------------------- graph

  /** Draw the edges that there are. */
  drawEdges() {
    const left = new Set(this.routes.keys());
    for (const [name, edges] of this.edges) {
      edges.forEach((edge, index) => {
        const key = edgeKey(name, edge.label, edge.target);
        if (this.cards.get(edge.target)?.hidden !== false) return;
        left.delete(key);
        this.drawEdge(key, name, edge, index);
      });
    }
    for (const key of left) {
      for (const each of Object.values(this.routes.get(key))) each.remove?.();
      this.routes.delete(key);
    }
  }

  drawEdge(key, name, edge, index) {
    const [from, to] = [this.cards.get(name), this.cards.get(edge.target)];
    const isMarked = (mark) => from.classList.contains(mark) && to.classList.contains(mark);
    const isHere = [from, to].some((card) => card.classList.contains("here"));
    const isOn = this.activation ? this.isTaken(name, index) : isHere;
    const isBack = this.order.get(edge.target) <= this.order.get(name);
    const isOfSet = edge.passed.some((each) => each.every((value) => this.members.has(value)));
    const isOnPath = (number) => this.evidence[number]?.some((each, at, path) => each === name && path[at + 1] === edge.target);
    const marks = { back: isBack, on: isOn, path: isMarked("path"), member: isOfSet, first: isOnPath(0), second: isOnPath(1) };
    const kind = Object.keys(marks).filter((mark) => marks[mark]).join(" ");
    const lines = this.labelLines(edge);
    const shown = this.routes.get(key) ?? this.createRoute(key, name, edge);
    setAttribute(shown.line, "class", `route ${kind}`.trim());
    setAttribute(shown.label, "class", `label ${kind}`.trim());
    if (shown.text === lines.join("\n")) return;
    shown.text = lines.join("\n");
    shown.label.title = shown.text;
    shown.label.replaceChildren(...lines.map((line) => element("span", {}, withNames(line, this.names))));
  }

  createRoute(key, name, { label, target }) {
    const { points, x, y } = this.route(name, label, target);
    const line = drawn("path", { d: curveThrough(points) });
    const text = element("p", { "aria-hidden": "true" });
    Object.assign(text.style, { left: `${x}px`, top: `${y}px` });
    this.picture.append(line);
    this.picture.after(text);
    this.routes.set(key, { line, label: text });
    return this.routes.get(key);
  }

  /** The route of an edge. That of a continuation into which others were merged leads through the places of these. */
  route(name, label, target) {
    const passed = [];
    for (let at = name, left = this.cards.size; at !== undefined && left; left--) {
      const found = this.layout.routes.get(edgeKey(at, label, target));
      if (found) return { ...found, points: [...passed, ...found.points] };
      const jump = [...this.extent.edges.values()].find(({ source, label: outcome }) => source === at && !outcome);
      passed.push(...(this.layout.routes.get(jump && edgeKey(at, "", jump.target))?.points ?? []));
      at = jump?.target;
    }
    const points = [name, target].map((each) => this.layout.cards.get(each));
    return { points, ...points[0] };
  }

  /** Whether the last transfer of the run took the edge of the card. */
  isTaken(name, index) {
    const { taken } = this.activation;
    return taken?.from.shown === name && taken.index === index;
  }

  /** Show the boxes of the loops that have been entered. */
  drawLoops() {
    for (const { box, entries } of this.loops) {
      const isShown = entries.some((name) => !this.cards.get(name).hidden);
      setAttribute(box, "class", isShown ? "loop" : "loop absent");
    }
  }

  /** The boxes of the map. */
  boxes() {
    const shown = [...this.cards].filter(([, card]) => !card.hidden);
    const kind = (card) => (card.classList.contains("here") ? "here" : "");
    return shown.map(([name, card]) => ({ kind: kind(card), ...this.layout.cards.get(name) }));
  }
}

function setAttribute(each, name, value) {
  if (each.getAttribute(name) !== value) each.setAttribute(name, value);
}

/** The box around a loop, with a title, and the names of its entries. */
function loopBox({ entries }, place, cards) {
  const title = drawn("text", { x: place.x + 6, y: place.y + 3 });
  title.textContent = entries.length > 1 ? "irreducible loop" : "loop";
  const box = drawn("g", {});
  box.append(drawn("rect", { ...place, y: place.y - 10, height: place.height + 10, rx: 8 }), title);
  return { box, entries: entries.map((each) => cards[each]) };
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

