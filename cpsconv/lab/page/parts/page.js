"use strict";

// This page shows a conversion: imperative source, and the functional program in continuation-passing style that the
// construction of Braun et al. (CC 2013, section 5.2) creates from it. The converter computed everything about the
// construction in advance; the page contains the results as JSON, and the script displays them. The script itself only
// evaluates programs on inputs that the user types: its machine is the counterpart of the reference evaluator.
//
// The data: `strategies`, for each of them the `program` as JSON, the `listing` of its algorithms, and a *view* of each
// function. A view has the `steps` of the construction, each with the edits that it makes to the panes, and the
// number of the front end's `request` to which it belongs; the `parameters` that were placed; the mentions of variables
// in the source; and `why` each parameter is there.
//
// The parts: `Flow` draws continuations as cards with edges beside them; `SourcePane`, `TextPane` and `ListingPane`
// show texts; `Highlighter` highlights names and the names related to them; `WhyPanel` shows the evidence for a
// parameter; `Prediction` asks what the next step is; `Evaluation` runs the program with a `Machine`; `Boxes` draws the objects in memory; `Controls` shows the
// choices. `Page`, in this file, handles the events of the user and updates the other parts. The picture depends on one
// number, the step. Texts of the program are inserted as text nodes only, never as markup.

let page = null;

document.addEventListener("DOMContentLoaded", () => (page = new Page(readData())));

/** The data of the page; each conversion with its program and texts, which conversions with equal programs share. */
function readData() {
  const { programs, ...data } = JSON.parse(byId("data").textContent);
  for (const conversion of Object.values(data.strategies)) {
    const { program, texts } = programs[conversion.program];
    conversion.program = program;
    for (const [name, view] of Object.entries(conversion.functions)) Object.assign(view, texts[name]);
  }
  return data;
}

class Page {
  constructor(data) {
    this.data = data;
    this.strategy = data.strategy;
    this.function = Object.keys(this.functions)[0];
    this.mode = "construction";
    this.source = new SourcePane(document.querySelector("#source pre"), data.source.text);
    this.cps = new TextPane(document.querySelector("#cps pre"), "cps");
    this.phi = new TextPane(document.querySelector("#phi pre"), "phi", isNameInPhi);
    this.listing = new ListingPane(byId("algorithms"));
    this.beside = new Beside(byId("flow"), () => this.chooseBeside());
    this.flow = new Flow(byId("flow"));
    this.highlighter = new Highlighter(document.querySelector("main"), (subject) => this.describe(subject));
    this.boxes = new Boxes(document.querySelector("#memory .boxes"));
    this.why = new WhyPanel((step) => this.showStepOfConstruction(step), (paths) => this.flow.showPaths(paths));
    this.evaluation = new Evaluation(this.conversion.program, this.firstEntry, () => this.startRun());
    this.prediction = new Prediction((step) => this.showPredicted(step));
    this.stops = new Stops(() => this.chooseStops());
    this.player = new Player(() => this.advance());
    this.address = new Address((choices) => this.visit(choices));
    this.controls = new Controls(this);
    this.arrangement = new Arrangement(document.querySelector("main"));
    const choices = this.address.choices();
    this.listen();
    this.enter();
    this.begin(0);
    this.visit(choices);
  }

  get conversion() {
    return this.data.strategies[this.strategy];
  }

  get functions() {
    return this.conversion.functions;
  }

  get view() {
    return this.functions[this.function];
  }

  /** The function that an evaluation starts with: the requested one, or else `main`, or else the first one. */
  get firstEntry() {
    const [first, ...others] = Object.keys(this.functions);
    return others.includes("main") ? "main" : first;
  }

  get isEvaluating() {
    return this.mode === "evaluation";
  }

  get isPredicting() {
    return this.mode === "prediction";
  }

  /** The number of the last step. */
  get last() {
    return this.isEvaluating ? (this.evaluation.machine ? this.evaluation.total : 0) : this.view.steps.length - 1;
  }

  // ------------------------------------------------------------------------------------------------- choices

  listen() {
    const on = (id, kind, act) => byId(id).addEventListener(kind, act);
    const onButton = (id, act) =>
      on(id, "click", ({ target }) => {
        const button = target.closest("button");
        if (button) act(button);
      });
    on("function", "change", ({ target }) => this.chooseFunction(target.value));
    onButton("strategies", ({ value }) => this.chooseStrategy(value));
    onButton("modes", ({ value }) => this.chooseMode(value));
    onButton("panes", ({ dataset }) => this.showPane(dataset.pane));
    on("slider", "input", ({ target }) => this.slide(Number(target.value)));
    on("first", "click", () => this.goTo(0));
    on("previous", "click", () => this.goTo(this.stop(-1)));
    on("next", "click", () => this.advance());
    on("last", "click", () => this.goTo(this.last));
    on("find", "change", ({ target }) => this.find(target.value));
    on("ask", "click", () => this.why.open(this.highlighter.pinned.name));
    on("entry", "change", ({ target }) => this.chooseEntry(target.value));
    document.querySelector("main").addEventListener("click", ({ target }) => this.click(target));
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** Show another function from its first step; an evaluation starts with it. */
  chooseFunction(name) {
    this.function = name;
    this.evaluation.chooseEntry(name);
    this.enter();
    this.begin(0);
    focusSteps();
  }

  /** Choose the function that an evaluation starts with, and show it if the page has it. */
  chooseEntry(name) {
    if (Object.hasOwn(this.functions, name)) return this.chooseFunction(name);
    this.evaluation.chooseEntry(name);
    this.begin(0);
    focusSteps();
  }

  /** Show another strategy, at the same request of the front end; an evaluation, at the same transfer. */
  chooseStrategy(strategy) {
    const { functions, constructed, last, view, highlighter } = this;
    const { pinned } = highlighter;
    this.strategy = strategy;
    const [before, after] = [functions, this.functions].map((each) => each[constructed.function].steps);
    constructed.step = counterpart(before, constructed.step, after);
    this.evaluation.setProgram(this.conversion.program);
    this.enter();
    this.begin(!this.isEvaluating ? constructed.step : this.step === last ? this.last : this.step);
    this.pin(sameSubject(pinned, view, this.view), null);
    focusSteps();
  }

  /** Show another strategy beside the chosen one. */
  chooseBeside() {
    this.beside.enter(this.data.strategies, this.function, this.strategy);
    this.goTo(this.step);
    focusSteps();
  }

  chooseStops() {
    this.goTo(this.step);
    focusSteps();
  }

  /** Show the choices of an address, as far as the page has them. */
  visit({ function: name, strategy, step, isPredicting }) {
    const mode = isPredicting ? "prediction" : "construction";
    if (step !== undefined && mode !== this.mode) this.chooseMode(mode);
    if (Object.hasOwn(this.data.strategies, strategy) && strategy !== this.strategy) this.chooseStrategy(strategy);
    if (Object.hasOwn(this.functions, name) && name !== this.function) this.chooseFunction(name);
    if (step !== undefined) this.showStepOfConstruction(step);
  }

  /** Show the start of an evaluation. */
  startRun() {
    this.begin(0);
    focusSteps();
  }

  /** Show the construction, a prediction of it or the evaluation, where it was left. */
  chooseMode(mode) {
    const { constructed, evaluation } = this;
    this.mode = mode;
    document.body.dataset.mode = mode;
    this.controls.markPane(this.isEvaluating ? "run" : "flow");
    this.why.close();
    this.highlighter.enable(!this.isPredicting); // a highlight can show a value that a read will give
    this.prediction.toggle(this.isPredicting);
    this.controls.show();
    this.boxes.show(null);
    this.flow.finish(this.isEvaluating, this.isPredicting);
    const step = constructed.function === this.function ? constructed.step : 0;
    this.begin(this.isEvaluating ? (evaluation.machine?.steps ?? 0) : step);
    focusSteps();
  }

  /** Show a step of the construction of a function. */
  showStepOfConstruction(step, name = this.function) {
    if (name !== this.function) this.chooseFunction(name);
    if (this.isEvaluating) this.chooseMode("construction");
    this.goTo(step);
  }

  showPane(pane) {
    this.controls.markPane(pane);
    this.boxes.arrows.redraw();
    this.source.showStart(); // while it was hidden, it could not scroll
    this.goTo(this.step);
  }

  /** Show the selected function. */
  enter() {
    const { view } = this;
    const names = this.namesOf(view);
    this.source.enter(this.functions, this.function);
    this.cps.enter(view, names);
    this.phi.enter(view, names);
    this.listing.enter(this.conversion.listing);
    this.highlighter.enter(view);
    this.flow.enter(view, names, this.highlighter.relations, this.isEvaluating);
    this.prediction.enter(view);
    this.stops.enter(view, this.highlighter.relations);
    this.beside.enter(this.data.strategies, this.function, this.strategy);
    this.why.enter(view);
    this.controls.show();
    document.body.toggleAttribute("data-memory", Boolean(this.conversion.program.memory));
    byId("find").replaceChildren(...findOptions(view, this.highlighter.relations, names));
  }

  /** All names in a function: of continuations, parameters, and the values that its text shows. */
  namesOf(view) {
    return new Set([...view.cards, ...Object.keys(view.why), ...Object.keys(view.parameters), ...view.values]);
  }

  // --------------------------------------------------------------------------------------------------- steps

  /** Set up the slider, and show a step. */
  begin(step) {
    byId("slider").min = 0;
    byId("slider").max = this.last;
    this.goTo(step);
  }

  /** The step at which the page stops next, in a direction (1 or -1); the current step if there is none. */
  stop(direction) {
    if (this.mode === "construction") return this.stops.from(this.step, direction);
    return Math.max(0, Math.min(this.step + direction, this.last));
  }

  /** Go to the step of the slider; to the next step, with its question. */
  slide(step) {
    if (!this.isPredicting || step !== this.step + 1) return this.goTo(step);
    byId("slider").value = this.step;
    this.advance();
  }

  /** Show a step that a button of the prediction leads to. */
  showPredicted(step) {
    this.goTo(step);
    focusSteps();
  }

  /** Go to the next stop; in a prediction, ask the question before it first. Returns whether there is a further stop. */
  advance() {
    const next = this.stop(1);
    if (next !== this.step && !(this.isPredicting && this.prediction.advance())) this.goTo(next);
    return this.stop(1) !== this.step;
  }

  goTo(step) {
    const { activeElement } = document;
    this.step = Math.max(0, Math.min(step, this.last));
    if (this.isEvaluating) this.showRun();
    else this.showStep();
    if (!this.isEvaluating) {
      this.constructed = { function: this.function, step: this.step };
      const { strategy, isPredicting, source } = this;
      const part = source.offsets(this.view.steps[this.step].span);
      this.address.write({ ...this.constructed, strategy, isPredicting, part });
    }
    const { step: at, last } = this;
    const [number, total] = this.isEvaluating ? [at, last] : [at + 1, last + 1];
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", `${this.isEvaluating ? "transfer" : "step"} ${number} of ${total}`);
    byId("count").textContent = this.isEvaluating && !this.evaluation.machine ? "" : `${number} / ${total}`;
    const isDisabled = { first: at === 0, previous: this.stop(-1) === at, next: this.stop(1) === at, last: at === last };
    for (const [id, disabled] of Object.entries(isDisabled)) byId(id).setAttribute("aria-disabled", String(disabled));
    this.beside.show(this.view.steps, this.step, this.mode !== "construction");
    if (this.isPredicting) this.prediction.show(this.step);
    this.arrangement.check();
    this.highlighter.refresh();
    if (!activeElement.isConnected) focusCard(activeElement.dataset.name); // its card was redrawn
  }

  showStep() {
    const { text, lines, span } = this.view.steps[this.step];
    for (const pane of [this.flow, this.cps, this.phi]) pane.show(this.step);
    this.source.mark(span);
    byId("text").replaceChildren(...sentence(text));
    byId("line").replaceChildren(...sentence(this.listing.mark(lines)));
  }

  showRun() {
    const { evaluation } = this;
    const { machine } = evaluation;
    byId("line").textContent = "";
    if (!machine) {
      for (const pane of [this.flow, this.cps, this.phi]) pane.show(this.view.steps.length - 1);
      byId("text").replaceChildren(...sentence(evaluation.prompt));
      showValues(new Map(), "");
      this.boxes.show(null);
      return;
    }
    evaluation.goTo(this.step);
    this.follow(machine.at.home.name);
    const { values } = evaluation;
    const isShown = machine.at.home.name === this.function;
    const at = isShown ? machine.at.shown : null;
    const last = this.view.steps.length - 1;
    this.flow.show(last, isShown ? { at, values, taken: machine.taken } : null);
    for (const pane of [this.cps, this.phi]) pane.show(last, at);
    this.source.mark(evaluation.span);
    byId("text").replaceChildren(evaluation.text);
    showValues(values, evaluation.output);
    const isVariable = (home, name) => !this.functions[home] || this.functions[home].denotes[name]?.length > 0;
    this.boxes.show(machine, isVariable);
  }

  /** Switch to the running function, if the page has it. */
  follow(name) {
    if (name === this.function || !Object.hasOwn(this.functions, name)) return;
    this.function = name;
    this.enter();
  }

  press(event) {
    if (event.key === "Escape") {
      this.why.close();
      this.highlighter.pin(null);
    }
    if (openList(event)) return;
    const act = (this.isPredicting && this.prediction.actionByKey(event)) || actionByKey(event, this);
    if (!act) return;
    event.preventDefault();
    act();
  }

  // ------------------------------------------------------------------------------------------------- pointing

  click(target) {
    const number = target.closest("#source .number");
    if (number) return this.showStepOfConstruction(...this.source.firstStepOf(number));
    if (this.isPredicting) return;
    const subject = subjectAt(target);
    this.pin(subject, target.closest(".pane"));
    if (this.isParameter(subject)) this.why.open(subject.name);
  }

  find(chosen) {
    this.pin(subjectOf(chosen), null);
    focusSteps();
  }

  /** Pin a highlight, and scroll to it in all panes except the one that was clicked. */
  pin(subject, clicked) {
    this.highlighter.pin(subject);
    for (const pane of document.querySelectorAll(".pane")) {
      if (pane !== clicked) pane.querySelector(".highlighted")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  isParameter(subject) {
    return subject?.name !== undefined && this.why.isParameter(subject.name);
  }

  /** Describe the pinned subject: beside the controls, and in the list of names. */
  describe(subject) {
    const isParameter = this.isParameter(subject);
    const text = subject ? description(subject, this.view, this.highlighter.relations, isParameter) : "";
    byId("pointed").replaceChildren(...sentence(text));
    byId("find").value = optionOf(subject);
    byId("ask").hidden = !isParameter;
    byId("ask").replaceChildren(...(isParameter ? whyTitle(subject.name) : []));
  }
}
