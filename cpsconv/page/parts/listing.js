// The algorithm pane: the listing of a strategy, with the lines that a step carries out.

/** The algorithms of a strategy. */
class ListingPane {
  constructor(root) {
    this.root = root;
  }

  enter(listing) {
    this.lines = new Map();
    this.root.replaceChildren(...listing.flatMap((algorithm) => this.algorithm(algorithm)));
    this.now = null;
  }

  algorithm({ source, title, lines }) {
    const items = lines.map(([name, text], index) => {
      const item = element("li", {}, text);
      this.lines.set(name, { item, shown: `${source}, line ${index + 1}: ${text}` });
      return item;
    });
    return [element("h3", {}, element("b", {}, source), ` ${title}`), element("ol", {}, ...items)];
  }

  /** Mark the line that a step carries out. Returns its text with its place in the paper. */
  mark(name) {
    this.now?.removeAttribute("aria-current");
    const found = this.lines.get(name);
    this.now = found?.item;
    this.now?.setAttribute("aria-current", "step");
    this.now?.scrollIntoView({ block: "nearest" });
    return found?.shown ?? "";
  }
}
