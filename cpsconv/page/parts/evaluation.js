// -------------------------------------------------------------------------------------------------- evaluation
//
// A program is run to its end, or as far as one wants to look at; then the machine goes wherever the slider is.

const MOST_TRANSFERS = 100_000;

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

  /** Run the program on what was typed, as far as it goes, and begin with its first step. */
  start() {
    const { entry } = this;
    const typed = [...byId("arguments").querySelectorAll("input")];
    const complaints = [];
    const values = typed.map((field, index) => {
      try {
        field.removeAttribute("aria-invalid");
        return readValue(entry.parameters[index].type, field.value);
      } catch (wrong) {
        if (!(wrong instanceof RangeError)) throw wrong;
        field.setAttribute("aria-invalid", "true");
        complaints.push(`${field.name}: ${wrong.message}`);
      }
    });
    byId("complaint").replaceChildren(...sentence(complaints.join("; ")));
    if (complaints.length) return;
    this.machine = new Machine(this.definitions, entry, values);
    while (!this.machine.outcome && this.machine.steps < MOST_TRANSFERS) this.machine.step();
    this.total = this.machine.steps;
    this.onStart();
  }

  goTo(step) {
    while (this.machine.steps > step) this.machine.back();
    while (this.machine.steps < step) this.machine.step();
  }

  /** What happened last, in words. */
  get told() {
    const { machine } = this;
    const { outcome, transfer } = machine;
    if (!outcome) {
      const limit =
        machine.steps === MOST_TRANSFERS ? `; the program is not done after ${MOST_TRANSFERS} transfers` : "";
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

  /** What is known in the current activation, by the names that the text shows. */
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

  /** The span of the source that is being worked on. */
  get span() {
    return this.machine.outcome?.span ?? this.machine.at.transfer.span ?? null;
  }
}
