// The evaluation: a program runs to its end, or to `MAX_TRANSFERS`; the machine then moves to the step of the slider.

const MAX_TRANSFERS = 100_000;

class Evaluation {
  constructor(program, first, onStart) {
    this.onStart = onStart;
    this.setProgram(program);
    byId("entry").addEventListener("change", () => this.askForArguments());
    byId("input").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    byId("entry").replaceChildren(...[...this.definitions.functions.keys()].map((name) => element("option", {}, name)));
    byId("entry").value = this.definitions.functions.has("main") ? "main" : first;
    this.askForArguments();
  }

  /** The same source, converted with another strategy. */
  setProgram(program) {
    this.definitions = new Definitions(program);
    this.machine = null;
  }

  get entry() {
    return this.definitions.functions.get(byId("entry").value);
  }

  askForArguments() {
    const fields = this.entry.parameters
      .slice(0, -1)
      .map(({ shown, type }) =>
        element(
          "label",
          { class: "field" },
          `${shown} : ${type} `,
          element("input", { name: shown, value: "1", size: 6 }),
        ),
      );
    byId("arguments").replaceChildren(...fields);
  }

  /** Run the program on the typed arguments, and show its first step. */
  start() {
    const { entry } = this;
    const typed = [...byId("arguments").querySelectorAll("input")];
    const errors = [];
    const values = typed.map((field, index) => {
      try {
        field.removeAttribute("aria-invalid");
        return readValue(entry.parameters[index].type, field.value);
      } catch (wrong) {
        if (!(wrong instanceof RangeError)) throw wrong;
        field.setAttribute("aria-invalid", "true");
        errors.push(`${field.name}: ${wrong.message}`);
      }
    });
    byId("input-errors").replaceChildren(...sentence(errors.join("; ")));
    if (errors.length) return;
    this.machine = new Machine(this.definitions, entry, values);
    while (!this.machine.outcome && this.machine.steps < MAX_TRANSFERS) this.machine.step();
    this.total = this.machine.steps;
    this.onStart();
  }

  goTo(step) {
    while (this.machine.steps > step) this.machine.back();
    while (this.machine.steps < step) this.machine.step();
  }

  /** The last transfer and the outcome, as text. */
  get text() {
    const { machine } = this;
    const { outcome, transfer } = machine;
    if (!outcome) {
      const limit =
        machine.steps === MAX_TRANSFERS ? `; the program is not done after ${MAX_TRANSFERS} transfers` : "";
      return (transfer || `start with ${machine.entry.name}`) + limit;
    }
    const endings = {
      returned: () =>
        machine.entry.name === "main" || outcome.value === undefined
          ? `done, exit status ${machine.status}`
          : `the value is ${shownValue(outcome.value, outcome.type)}`,
      halted: () => `halted, exit status ${machine.status}`,
      aborted: () => "aborted",
      fault: () => `runtime error: ${outcome.message}`,
    };
    return `${transfer ? `${transfer}: ` : ""}${endings[outcome.kind]()}`;
  }

  /** The values of the current activation, by their names in the text. */
  get values() {
    const { definitions, machine } = this;
    const known = [...machine.frame].map(([number, value]) => [definitions.byNumber.get(number), value]);
    const named = known.filter(([each]) => each.shown);
    return new Map(named.map(([each, value]) => [each.shown, machine.shown(value, each.type)]));
  }

  get output() {
    const text = this.machine.output.map((each) => each.text).join("");
    return new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  }

  /** The span of the current transfer, or of the statement that failed. */
  get span() {
    return this.machine.outcome?.span ?? this.machine.at.transfer.span ?? null;
  }
}
