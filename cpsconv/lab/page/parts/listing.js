// The algorithm pane: the listing of a strategy. A step carries out one of its lines; further lines record its results.

class ListingPane {
  constructor(root) {
    this.root = root;
  }

  /** Switch to another strategy. */
  enter(listing) {
    this.lines = new Map();
    this.marked = [];
    byId("legend").hidden = !listing.length;
    const none = "There is no listing for this strategy.";
    fill(this.root, listing.length ? listing.map((each) => this.algorithm(each)) : [none]);
  }

  algorithm({ source, heading, lines }) {
    const title = element("h3", {}, element("b", {}, source), ` ${heading}`);
    const section = element("section", {}, title);
    section.append(element("ol", {}, ...lines.map((line) => this.line(line, source, section))));
    const code = lines.filter((line) => line.pseudocode).map((line) => this.pseudocode(line));
    if (code.length)
      section.append(
        element("details", {}, element("summary", {}, "Pseudocode of the paper"), element("pre", {}, ...code)),
      );
    return section;
  }

  pseudocode({ number, indent, pseudocode }) {
    return `${number.padStart(2)} ${"  ".repeat(indent)}${pseudocode}\n`;
  }

  line({ name, number, text, indent, ours }, source, section) {
    const item = element("li", { "data-number": number, "aria-current": "false" }, text);
    if (ours) item.append(" ", element("span", { class: "ours" }, "ours"));
    item.style.setProperty("--indent", indent);
    this.lines.set(name, { item, section, source, shown: `line ${number}: ${text}` });
    return item;
  }

  /** Mark the lines of a step, the one that it carries out first. Returns their texts, with their places. */
  mark(names) {
    for (const { item } of this.marked) item.setAttribute("aria-current", "false");
    this.marked = names.map((name) => this.lines.get(name));
    for (const { item } of this.marked) item.setAttribute("aria-current", "true");
    const [first] = this.marked;
    first?.item.setAttribute("aria-current", "step");
    for (const each of [first?.section, first?.item]) each?.scrollIntoView({ block: "nearest" });
    const place = ({ source }, index) => (this.marked[index - 1]?.source === source ? "" : `${source}, `);
    return this.marked.map((line, index) => place(line, index) + line.shown).join("; ");
  }
}
