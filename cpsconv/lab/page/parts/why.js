// The panel *Why is it here?*: the evidence for a parameter, and the steps about it.

class WhyPanel {
  /** `onStep` shows a step, `onPaths` shows the paths of the evidence, or none. */
  constructor(onStep, onPaths) {
    Object.assign(this, { onStep, onPaths });
    byId("close").addEventListener("click", () => this.close());
  }

  /** Switch to another function. */
  enter(view) {
    this.view = view;
    this.close();
  }

  isParameter(name) {
    return Object.hasOwn(this.view.why, name) || this.placedAt(name) !== undefined;
  }

  /** The home of a placed parameter, and the numbers of the steps that place, complete, examine or remove it. */
  placedAt(name) {
    return Object.hasOwn(this.view.parameters, name) ? this.view.parameters[name] : undefined;
  }

  /** Show the evidence for a parameter of the finished function, or else that it was removed. */
  open(name) {
    const steps = this.placedAt(name)?.steps ?? [];
    this.focused = document.activeElement;
    byId("why-title").replaceChildren(...whyTitle(name));
    byId("reason").textContent = Object.hasOwn(this.view.why, name) ? this.view.why[name] : this.absence(name);
    byId("history").replaceChildren(...steps.map((step) => this.historyItem(step)));
    byId("why").classList.toggle("supplied", steps.length === 0);
    byId("why").hidden = false;
    this.onPaths(this.view.paths[name] ?? []);
    byId("why-title").focus({ preventScroll: true });
  }

  absence(name) {
    const { home } = this.placedAt(name);
    return `The parameter \`${name}\` of \`${home}\` was placed, but is not in the finished function.\n`;
  }

  historyItem(step) {
    const button = element("button", { type: "button" }, `step ${step + 1}`);
    button.addEventListener("click", () => this.onStep(step));
    return element("li", {}, button, " ", ...sentence(this.view.steps[step].text));
  }

  close() {
    if (byId("why").hidden) return;
    byId("why").hidden = true;
    this.onPaths([]);
    if (this.focused.isConnected) this.focused.focus({ preventScroll: true });
    else focusCard(this.focused.dataset.name);
  }
}

function whyTitle(name) {
  return sentence(`Why is \`${unquoted(name)}\` here?`);
}
