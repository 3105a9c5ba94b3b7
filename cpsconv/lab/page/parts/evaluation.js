// The evaluation: a program runs to its end, or to `MAX_TRANSFERS`; the machine then moves to the step of the slider.

const MAX_TRANSFERS = 100_000;

class Evaluation {
  constructor(program, first, onStart) {
    this.onStart = onStart;
    this.setProgram(program);
    byId("input").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    byId("entry").replaceChildren(...options(this.definitions.functions.keys()));
    this.chooseEntry(first);
  }

  /** The same source, converted with another strategy: the machine runs on the same arguments. */
  setProgram(program) {
    this.definitions = new Definitions(program);
    if (this.machine) this.run(this.machine.entry.name, this.machine.values);
  }

  /** Ask for the arguments of a function. */
  chooseEntry(name) {
    byId("entry").value = name;
    this.machine = null;
    byId("arguments").replaceChildren(...this.parameters.map(argumentField));
    byId("input-errors").replaceChildren();
  }

  /** The parameters of the chosen function, without its return continuation. */
  get parameters() {
    return this.definitions.functions.get(byId("entry").value).parameters.slice(0, -1);
  }

  /** What to do before a run. */
  get prompt() {
    return `to start \`${byId("entry").value}\`, ${this.parameters.length ? "type its arguments and " : ""}press Run`;
  }

  /** Run the program on the typed arguments, and show its start; or show the errors in them. */
  start() {
    const errors = [];
    const fields = this.definitions.refused ? [] : [...byId("arguments").querySelectorAll("input")];
    const values = fields.map((field, index) => {
      try {
        field.removeAttribute("aria-invalid");
        return readArgument(this.parameters[index].type, field.value);
      } catch (wrong) {
        if (!(wrong instanceof RangeError)) throw wrong;
        field.setAttribute("aria-invalid", "true");
        errors.push(`\`${field.name}\`: ${wrong.message}`);
      }
    });
    byId("input-errors").replaceChildren(...sentence(errors.join("; ")));
    if (errors.length) return byId("arguments").querySelector("[aria-invalid]").focus();
    this.run(byId("entry").value, values);
    this.onStart();
  }

  run(name, values) {
    this.machine = new Machine(this.definitions, this.definitions.functions.get(name), values);
    while (!this.machine.outcome && this.machine.steps < MAX_TRANSFERS) this.machine.step();
    this.total = this.machine.steps;
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
      refused: () => outcome.message,
    };
    return `${transfer ? `${transfer}: ` : ""}${endings[outcome.kind]()}`;
  }

  /** The values in scope, by their names in the text, the outermost first. */
  get values() {
    const { machine } = this;
    const named = machine.scope.filter((each) => each.shown && each.type !== "void");
    return new Map(named.map((each) => [each.shown, machine.shown(machine.frame.get(each.id), each.type)]));
  }

  get output() {
    return decoded(this.machine.output.map((each) => each.text).join(""));
  }

  /** The span of the current transfer, or of the statement that failed. */
  get span() {
    return this.machine.outcome?.span ?? this.machine.at.transfer.span ?? null;
  }
}

function argumentField({ shown, type }) {
  const field = element("input", { name: shown, value: "1", size: 6 });
  return element("label", { class: "field" }, `${shown} : ${type} `, field);
}

/** The value that the text of a field denotes. Throws a RangeError that states what is wrong. */
function readArgument(type, text) {
  if (type !== "string" && !text.trim()) throw new RangeError(`type a value of type ${type}`);
  return readValue(type, text);
}

/** Show the values and the output of a run. */
function showValues(values, output) {
  const name = (each) => element("span", { class: "name", "data-name": each }, each);
  const row = ([each, value]) => element("tr", {}, element("td", {}, name(each)), element("td", {}, value));
  byId("values")
    .querySelector("tbody")
    .replaceChildren(...[...values].map(row));
  byId("output").textContent = output;
}
