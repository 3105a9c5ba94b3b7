// CPS text and φ form: texts created once for each function, and marked at each step.

/** CPS text or φ form: lines with the continuations to which they belong. */
class TextPane {
  /** `form` is the name of the text in the view of a function. */
  constructor(root, form, isName) {
    Object.assign(this, { root, form, isName });
  }

  /** Switch to another function. */
  enter(view, names) {
    this.view = view;
    this.lines = view[this.form].map(([owners, text]) => {
      const line = element("span", { class: "line" }, withNames(text, names, this.isName), "\n");
      line.owners = owners;
      return line;
    });
    fill(this.root, this.lines);
    this.here = [];
  }

  /** Show the text at a step, and mark the lines of a continuation: `here`, or the one that the step is about. */
  show(step, here = this.view.steps[step].at) {
    this.mark(here);
  }

  mark(name) {
    for (const line of this.here) line.classList.remove("here");
    this.here = this.lines.filter((line) => line.owners.includes(name));
    for (const line of this.here) line.classList.add("here");
    this.here[0]?.scrollIntoView({ block: "nearest" });
    this.here[0]?.querySelector(".name")?.scrollIntoView({ block: "nearest", inline: "center" }); // it may be deeply indented
  }
}
