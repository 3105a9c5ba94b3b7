// Navigation: the kinds of steps at which the page stops, and the play, which goes from one stop to the next.

/** The kinds of steps, each with its events; all steps without events. */
const KINDS_OF_STEPS = {
  "every step": null,
  placements: ["proxy", "place"],
  removals: ["remove", "unused", "redundant"],
  seals: ["seal"],
  reads: ["read"],
};

/** The steps at which the page stops: those of a kind, and of a variable, that the user chooses. */
class Stops {
  constructor(onChange) {
    this.variable = null;
    byId("kind").replaceChildren(...options(Object.keys(KINDS_OF_STEPS)));
    byId("kind").addEventListener("change", onChange);
    byId("variable").addEventListener("change", ({ target }) => {
      this.variable = target.value ? Number(target.value) : null;
      onChange();
    });
  }

  /** Switch to another function, where the chosen variable is the one with the same name and line, if there is one. */
  enter(view, relations) {
    const chosen = this.variable === null ? null : sameSubject({ variable: this.variable }, this.view, view);
    const name = (variable) => element("option", { value: variable }, relations.variableName(variable));
    this.view = view;
    this.variable = chosen?.variable ?? null;
    byId("variable").replaceChildren(element("option", { value: "" }, "all variables"), ...[...view.variables.keys()].map(name));
    byId("variable").value = this.variable ?? "";
  }

  /** The next stop from a step on, in a direction (1 or -1); without one, the step itself. */
  from(step, direction) {
    const { steps } = this.view;
    let at = step + direction;
    while (steps[at] && !this.isStop(steps[at])) at += direction;
    return steps[at] ? at : step;
  }

  isStop({ event, variable }) {
    const events = KINDS_OF_STEPS[byId("kind").value];
    return (!events || events.includes(event)) && (this.variable === null || this.variable === variable);
  }
}

/** The play: it advances at regular intervals until it is stopped, or `advance` returns false. */
class Player {
  constructor(advance) {
    this.advance = advance;
    byId("play").addEventListener("click", () => (this.timer ? this.stop() : this.start()));
    byId("speed").addEventListener("change", () => this.timer && this.start());
  }

  start() {
    this.stop();
    this.timer = setInterval(() => this.advance() || this.stop(), 1000 * Number(byId("speed").value));
    byId("play").setAttribute("aria-pressed", "true");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").setAttribute("aria-pressed", "false");
  }
}
