// The prediction: the step after the current one is hidden if it has a question, until the user has answered that, or goes
// on without an answer. The answers are kept for each function and strategy, by the numbers of the steps.

class Prediction {
  /** `onStep` shows a step. */
  constructor(onStep) {
    this.onStep = onStep;
    this.rounds = new Map(); // by view, the choices by step: numbers, or null without an answer
    byId("choices").addEventListener("click", ({ target }) => this.choose(target.closest("button")));
    byId("seek").addEventListener("click", () => this.seek());
    byId("reset").addEventListener("click", () => this.reset());
  }

  /** Switch to another function or strategy. */
  enter(view) {
    if (!this.rounds.has(view)) this.rounds.set(view, new Map());
    Object.assign(this, { steps: view.steps, choices: this.rounds.get(view) });
  }

  toggle(isOn) {
    byId("prediction").hidden = !isOn;
  }

  // --------------------------------------------------------------------------------------------------- answers

  /** The question that the step after the current one answers, unless it was asked already. */
  get asked() {
    return this.choices.has(this.step + 1) ? undefined : this.steps[this.step + 1]?.question;
  }

  /** The step before the next question, or -1. */
  get stepBeforeQuestion() {
    return this.steps.findIndex(({ question }, step) => question && step > this.step && !this.choices.has(step)) - 1;
  }

  /** Go on from an answer to the next question, or from that to the step. Returns whether there was any. */
  advance() {
    if (!this.asked) return false;
    if (this.isAnswer) this.update(false);
    else this.answer(null);
    return true;
  }

  choose(button) {
    if (button && !this.isAnswer) this.answer(Number(button.value));
  }

  answer(choice) {
    this.choices.set(this.step + 1, choice);
    this.onStep(this.step + 1);
  }

  /** Show the next question. */
  seek() {
    this.onStep(this.stepBeforeQuestion);
    this.update(false);
  }

  reset() {
    this.choices.clear();
    this.onStep(0);
  }

  /** The choice of a key: its number, from 1. */
  actionByKey(event) {
    const button = hasModifier(event) ? undefined : byId("choices").children[Number(event.key) - 1];
    return button && !this.isAnswer ? () => this.choose(button) : undefined;
  }

  // ------------------------------------------------------------------------------------------------------ display

  /** Show the answer of a step, or else the question about the next one. */
  show(step) {
    this.step = step;
    this.update(this.choices.has(step));
  }

  update(isAnswer) {
    this.isAnswer = isAnswer;
    const question = isAnswer ? this.steps[this.step].question : this.asked;
    const chosen = isAnswer ? this.choices.get(this.step) : undefined;
    byId("prediction").classList.toggle("answered", isAnswer);
    byId("prediction").classList.toggle("asking", !isAnswer && Boolean(question));
    byId("seek").hidden = (question && !isAnswer) || this.stepBeforeQuestion < 0;
    byId("question").replaceChildren(...sentence(question?.text ?? ""));
    byId("choices").replaceChildren(...(question?.choices ?? []).map((_, number) => this.button(question, number, chosen)));
    byId("verdict").replaceChildren(...sentence(isAnswer ? verdict(question, chosen) : ""));
    const right = [...this.choices].filter(([step, choice]) => choice === this.steps[step].question.right);
    byId("score").textContent = `${right.length} of ${this.choices.size} right`;
  }

  /** The button of a choice; after the answer, marked. */
  button({ choices, right }, number, chosen) {
    const isRight = this.isAnswer && number === right;
    const isWrong = this.isAnswer && number === chosen && !isRight;
    const mark = isRight ? "✓" : isWrong ? "✗" : number + 1;
    const attributes = { type: "button", value: number, disabled: this.isAnswer, class: isRight ? "right" : isWrong && "wrong" };
    return element("button", attributes, element("kbd", {}, String(mark)), ...sentence(choices[number][0]));
  }
}

/** A sentence about an answer; null is none. */
function verdict({ choices, right }, chosen) {
  if (chosen === right) return "Right.";
  const [answer] = choices[right];
  if (chosen === null) return `The answer is: ${answer}.`;
  const [, remark] = choices[chosen];
  return `Wrong${remark && `: ${remark}`}. The answer is: ${answer}.`;
}
