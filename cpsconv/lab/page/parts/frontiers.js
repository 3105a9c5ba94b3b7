// The dominance frontiers of the graph after a step: dotted edges from a continuation to those that it does not strictly
// dominate, although it dominates one of their predecessors. Where the construction of Cytron et al. uses frontiers, they
// are shown unless the user hides them, and the edges that lead to new parameters are strong.

class Frontiers {
  constructor(pane, onChange) {
    this.button = pane.querySelector(".frontiers");
    this.group = drawn("g", {});
    this.chosen = null; // by the user
    this.button.addEventListener("click", () => {
      this.chosen = this.button.ariaPressed !== "true";
      onChange();
    });
  }

  /** Show the frontiers, or none, in the picture of a control flow. */
  show({ view, step, isFinished, edges, cards, layout, picture }) {
    const used = isFinished ? null : frontierUsed(view.steps, step);
    const isShown = this.chosen ?? Boolean(used);
    this.button.setAttribute("aria-pressed", String(isShown));
    this.group.replaceChildren();
    picture.append(this.group);
    for (const each of cards.values()) each.querySelector(".frontier")?.remove();
    if (!isShown) return;
    const targets = new Map([...edges].map(([name, found]) => [name, found.map(({ target }) => target).filter((each) => cards.has(each))]));
    const sources = new Set(used && [...used.writes, ...used.joins]);
    for (const [source, border] of frontiersOf(view.steps[0].at, targets)) {
      if (!border.size) continue;
      const text = `dominance frontier: ${[...border].join(", ")}`;
      cards.get(source).append(element("p", { class: "frontier" }, text)); // for screen readers
      for (const target of border) {
        const isUsed = sources.has(source) && used.joins.includes(target);
        const [from, to] = [source, target].map((name) => layout.cards.get(name));
        this.group.append(besideCards(from, to, isUsed ? "frontier used" : "frontier"));
      }
    }
  }
}

/** The step whose dominance frontier a step computes, or uses to place a parameter; null for others. */
function frontierUsed(steps, at) {
  while (steps[at].event === "place") at--;
  return steps[at].event === "frontier" ? steps[at] : null;
}

/** The dominance frontier of each node that is reached from the entry, by `targets`, the successors of each node. */
function frontiersOf(entry, targets) {
  const all = reached(entry, targets);
  const frontier = (node) => {
    const others = reached(entry, targets, node); // those that it does not dominate
    const leaving = [...all].filter((each) => !others.has(each)).flatMap((each) => targets.get(each));
    return new Set(leaving.filter((each) => others.has(each) || each === node));
  };
  return new Map([...all].map((node) => [node, frontier(node)]));
}

/** The nodes that are reached from the entry on paths without a node. */
function reached(entry, targets, without) {
  const found = new Set(entry === without ? [] : [entry]);
  for (const node of found) for (const target of targets.get(node)) if (target !== without) found.add(target);
  return found;
}

/** The arrow from one card to another, or to itself, on the right of both. */
function besideCards(from, to, kind) {
  const [x1, x2] = [from, to].map(({ x, width }) => x + width / 2);
  const [y1, y2] = from === to ? [from.y + 9, to.y - 9] : [from.y, to.y];
  const out = Math.max(x1, x2) + 20 + Math.min(40, Math.abs(y2 - y1) / 8);
  const arrow = drawn("g", { class: kind });
  arrow.append(
    drawn("path", { class: "line", d: `M ${x1} ${y1} C ${out} ${y1} ${out} ${y2} ${x2 + 8} ${y2}` }),
    drawn("path", { d: `M ${x2} ${y2} l 9 -5 v 10 z` }),
  );
  return arrow;
}
