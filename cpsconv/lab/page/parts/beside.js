// The comparison with another strategy: its control flow beside that of the chosen one, at the same place in the construction.

class Beside {
  /** The pane is a copy of that of the control flow, before either is used. */
  constructor(pane, onChange) {
    this.pane = pane.cloneNode(true);
    Object.assign(this.pane, { id: "beside", ariaLabel: "Control flow beside it" });
    this.pane.removeAttribute("aria-labelledby");
    this.title = this.pane.querySelector("h2");
    this.title.removeAttribute("id");
    const scroll = this.pane.querySelector(".scroll");
    scroll.removeAttribute("aria-labelledby");
    scroll.ariaLabel = "Control flow beside it";
    this.sentence = element("p", { class: "sentence" });
    scroll.before(this.sentence);
    byId("cps").parentElement.append(this.pane);
    this.flow = new Flow(this.pane);
    byId("other").addEventListener("change", ({ target }) => {
      this.strategy = target.value;
      onChange();
    });
  }

  /** Switch to a function, of all the `conversions`; the `strategy` of the page cannot be beside itself. */
  enter(conversions, name, strategy) {
    const others = Object.keys(conversions).filter((each) => each !== strategy);
    if (!others.includes(this.strategy)) this.strategy = "";
    byId("other").replaceChildren(element("option", { value: "" }, "nothing"), ...others.map((each) => element("option", {}, each)));
    byId("other").value = this.strategy;
    this.view = conversions[this.strategy]?.functions[name];
  }

  /** Show the step for that of the chosen strategy; nothing if it `isHidden`, in an evaluation or a prediction. */
  show(steps, step, isHidden) {
    const isShown = Boolean(this.view) && !isHidden;
    document.body.toggleAttribute("data-beside", isShown);
    if (!isShown) return;
    if (this.flow.view !== this.view) {
      const names = new Set([...this.view.cards, ...Object.keys(this.view.parameters), ...this.view.values]);
      this.flow.enter(this.view, names, new NameRelations(this.view), false);
      this.title.textContent = `Control flow, ${this.strategy}`;
    }
    const at = counterpart(steps, step, this.view.steps);
    this.flow.show(at);
    this.sentence.replaceChildren(`${at + 1} / ${this.view.steps.length} `, ...sentence(this.view.steps[at].text));
  }
}
