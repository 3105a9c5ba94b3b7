// The panes that change from step to step. The data of a step has the edits of each pane, which lead from its lines before
// the step to those after it.

/** The lines of a pane, at one step after the other: edits are applied forwards, and reverted backwards. */
class EditedLines {
  /** `pane` is the key of the edits in the steps. */
  constructor(view, pane) {
    this.edits = view.steps.map((step) => step[pane] ?? []);
    this.deleted = []; // for each step up to the current one, the lines that each of its edits deleted
    this.lines = [];
  }

  /** Go to a step. Returns the lines that were deleted or added on the way. */
  goTo(step) {
    const touched = [];
    while (this.deleted.length <= step) this.forward(touched);
    while (this.deleted.length > step + 1) this.back(touched);
    return touched;
  }

  forward(touched) {
    const edits = this.edits[this.deleted.length];
    this.deleted.push(edits.map(([at, count, ...added]) => this.replace(at, count, added, touched)));
  }

  back(touched) {
    const deleted = this.deleted.pop();
    const edits = this.edits[this.deleted.length];
    for (let i = edits.length - 1; i >= 0; i--) this.replace(edits[i][0], edits[i].length - 2, deleted[i], touched);
  }

  /** Replace `count` lines, and return them. */
  replace(at, count, added, touched) {
    const deleted = this.lines.splice(at, count);
    for (let i = 0; i < added.length; i += 10_000) this.lines.splice(at + i, 0, ...added.slice(i, i + 10_000));
    for (const line of deleted) touched.push(line);
    for (const line of added) touched.push(line);
    return deleted;
  }
}

/** CPS text or φ form: lines of a text, each with the numbers of the continuations to which it belongs. */
class TextPane {
  /** `form` is the key of the edits in the steps. */
  constructor(root, form, isName) {
    Object.assign(this, { root, form, isName });
  }

  /** Switch to another function. */
  enter(view, names) {
    Object.assign(this, { view, names });
    this.content = new EditedLines(view, this.form);
    this.numbers = new Map(view.cards.map((name, index) => [name, index]));
    this.shown = new Map(); // the elements of the lines shown
    this.here = [];
    this.root.replaceChildren();
  }

  /** Show the text at a step, and mark the lines of a continuation: `here`, or the one that the step is about. */
  show(step, here = this.view.steps[step].at) {
    this.content.goTo(step);
    this.update();
    this.mark(this.numbers.get(here));
  }

  /** Show the current lines. The elements of lines that stay are kept. */
  update() {
    const { lines } = this.content;
    const current = new Set(lines);
    for (const [line, shown] of this.shown) {
      if (current.has(line)) continue;
      shown.remove();
      this.shown.delete(line);
    }
    let next = this.root.firstChild;
    for (const line of lines) {
      const shown = this.shown.get(line) ?? this.create(line);
      if (shown === next) next = next.nextSibling;
      else this.root.insertBefore(shown, next);
    }
  }

  create(line) {
    const created = element("span", { class: "line" }, withNames(line[0], this.names, this.isName), "\n");
    this.shown.set(line, created);
    return created;
  }

  mark(number) {
    for (const line of this.here) line.classList.remove("here");
    this.here = this.content.lines.filter((line) => line.includes(number, 1)).map((line) => this.shown.get(line));
    for (const line of this.here) line.classList.add("here");
    this.here[0]?.scrollIntoView({ block: "nearest" });
    this.here[0]?.querySelector(".name")?.scrollIntoView({ block: "nearest", inline: "center" }); // it may be deeply indented
  }
}
