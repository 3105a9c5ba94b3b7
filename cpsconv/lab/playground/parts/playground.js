// The page: controls and program make a request, and its answer is shown.
import { Program, ReadOnly } from "./code.js";
import facts from "./facts.js";
import { follow, stop } from "./requests.js";
import "./splitter.js";
import { decoded, encoded } from "./state.js";

const PAUSE = 250; // milliseconds without typing before the views follow

const byId = (id) => document.getElementById(id);
const controls = [...document.querySelectorAll("[name]:not(meta)")];
const program = new Program(byId("source"), changed);
const output = new ReadOnly(byId("output"), "Output of the command");
const reference = new ReadOnly(byId("reference"), "Program of the exercise");

let state = facts.defaults;
let shownView = null;

// --------------------------------------------------------------------------------------------------------- controls

function option(value, text = value, title = "") {
  return Object.assign(document.createElement("option"), { value, textContent: text, title });
}

function group(label, options) {
  const element = Object.assign(document.createElement("optgroup"), { label });
  element.append(...options);
  return element;
}

const control = (name) => controls.find((each) => each.name === name);

function fillControls() {
  control("language").append(...Object.keys(facts.languages).map((name) => option(name)));
  control("strategy").append(...described(facts.strategies));
  control("engine").append(...described(facts.engines));
  control("target").append(...facts.targets.map((name) => option(name)));
  control("exercise").append(...Object.keys(facts.exercises).map((name) => option(name)));
  for (const [title, items] of Object.entries(facts.menu)) {
    byId("menu").append(group(title, Object.keys(items).map((name) => option(`${title}/${name}`, name))));
  }
  byId("tabs").append(...Object.entries(facts.views).map(([name, title]) => tab(name, title)));
}

const described = (table) => Object.entries(table).map(([name, title]) => option(name, name, title));

function tab(view, title) {
  const button = Object.assign(document.createElement("button"), { type: "button", id: `tab-${view}`, textContent: title });
  button.setAttribute("role", "tab");
  button.setAttribute("aria-controls", "panel");
  button.addEventListener("click", () => update({ view }));
  button.addEventListener("keydown", (event) => {
    const tabs = [...byId("tabs").children];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && tabs[(tabs.indexOf(button) + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  });
  return button;
}

const isBox = (each) => each.type === "checkbox";

function showState() {
  for (const each of controls) {
    if (isBox(each)) each.checked = state[each.name];
    else if (each.tagName === "SELECT" && ![...each.options].some(({ value }) => value === state[each.name])) {
      each.append(option(state[each.name]));
    }
    if (!isBox(each) && each.value !== state[each.name]) each.value = state[each.name];
  }
  for (const each of document.querySelectorAll("[data-views]")) each.hidden = !each.dataset.views.split(" ").includes(state.view);
  for (const each of byId("tabs").children) {
    const isSelected = each.id === `tab-${state.view}`;
    each.setAttribute("aria-selected", isSelected);
    each.tabIndex = isSelected ? 0 : -1;
    if (isSelected) byId("panel").setAttribute("aria-labelledby", each.id);
  }
  program.load(state.text, state.language);
  if (state.view === "exercise") reference.show((facts.exercises[state.exercise] ?? "").trimEnd(), "c");
}

// ------------------------------------------------------------------------------------------------------------ state

// Change the state, and ask for answers. A `remembered` change is one step back in the history of the browser.
async function update(changes, { remembered = false } = {}) {
  state = { ...state, ...changes };
  showState();
  program.markStep(null);
  isCurrent = false;
  follow(answerAll);
  await showAddress(remembered ? "pushState" : "replaceState");
}

async function showAddress(how = "replaceState") {
  const fragment = await encoded(state);
  history[how](null, "", `#${fragment}`);
}

let pause;
function changed() {
  clearTimeout(pause);
  pause = setTimeout(() => update({ text: program.text }), PAUSE);
}

async function restore() {
  const first = { ...facts.defaults, ...Object.values(facts.menu)[0]["fig8.c"] };
  update((await decoded(location.hash.slice(1))) ?? first);
}

function open(path) {
  const [title, name] = path.split("/");
  const { name: why, function: start, input, place } = facts.defaults;
  const view = state.view === "exercise" ? facts.defaults.view : state.view;
  update({ view, name: why, function: start, input, place, ...facts.menu[title][name] }, { remembered: true });
}

// ---------------------------------------------------------------------------------------------------------- answers

async function answerAll(ask) {
  const asked = state;
  byId("stop").disabled = false;
  byId("busy").textContent = "loading the engine …";
  try {
    showAnswer(await ask(asked, () => (byId("busy").textContent = "working …")), asked);
    showProblems(await ask({ ...asked, view: "check" }));
    if (asked.view === "why") showNames(await ask({ ...asked, view: "names" }));
  } finally {
    byId("stop").disabled = true;
    byId("busy").textContent = "";
  }
}

const LANGUAGES_OF_VIEWS = { cps: () => "cps", phi: () => "cps", emit: ({ target }) => target };

function showAnswer(answer, { view, ...settings }) {
  const isPage = view === "page";
  const failed = answer.status !== 0 && answer.output === "";
  byId("command").textContent = answer.command;
  byId("status").textContent = answer.stopped ?? (answer.status ? `exit status ${answer.status}` : "");
  byId("errors").textContent = answer.errors;
  byId("errors").hidden = answer.errors === "";
  byId("panel").classList.toggle("stale", failed && view === shownView);
  if (failed && view === shownView) return;
  shownView = view;
  byId("frame").hidden = !isPage || failed;
  byId("output").hidden = isPage || failed;
  if (isPage) showPage(answer.output, settings.place);
  else output.show(answer.output.trimEnd(), LANGUAGES_OF_VIEWS[view]?.(settings));
}

let address = "";
let isCurrent = false; // whether the page is about the current state
function showPage(text, place) {
  isCurrent = true;
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  byId("frame").src = `${address}#${place}`;
}

// The page in the frame sends its place, and the part of the program that its step is about. It asks to copy the link:
// its own address leads nowhere.
async function hear({ source, data }) {
  if (source !== byId("frame").contentWindow || data.page !== address) return;
  if (isCurrent) {
    program.markStep(data.part);
    state = { ...state, place: data.place };
    await showAddress();
  }
  if (data.isCopied) source.postMessage({ copied: await copyLink() }, "*");
}

function showProblems({ errors }) {
  const lines = errors.split("\n").filter((line) => line.startsWith("{"));
  const problems = lines.map((line) => JSON.parse(line)).filter(({ spans }) => spans.length);
  program.mark(problems);
  byId("problems").replaceChildren(...problems.map(problem));
}

function problem({ severity, message, help, spans: [{ start }] }) {
  const text = `${start.line}:${start.column}: ${severity}: ${message}${help ? ` (${help})` : ""}`;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  button.className = severity;
  button.addEventListener("click", () => program.visit(start));
  return button;
}

// The names for `why`: the parameters of each function, and its variables at the start of each continuation.
function showNames({ output: text, status }) {
  if (status !== 0) return;
  const groups = [JSON.parse(text)].flat().map(({ function: name, parameters, variables, continuations }) => {
    const others = variables.flatMap((variable) => continuations.map((each) => `${variable}@${each}`));
    return group(name, [...parameters, ...others].map((each) => option(`${name}:${each}`, each)));
  });
  control("name").replaceChildren(option("", "all names"), ...groups);
  showState();
}

// Copy the address to the clipboard. Returns a sentence about the outcome.
async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    return "link copied";
  } catch {
    return "not permitted here: copy the address of the page";
  }
}

fillControls();
for (const each of controls) {
  each.addEventListener(isBox(each) || each.tagName === "SELECT" ? "change" : "input", () =>
    update({ [each.name]: isBox(each) ? each.checked : each.value, ...(each.closest("header") && { place: "" }) }),
  );
}
byId("menu").addEventListener("change", ({ target }) => {
  if (target.value) open(target.value);
  target.value = "";
});
byId("stop").addEventListener("click", () => stop());
byId("link").addEventListener("click", async () => (byId("busy").textContent = await copyLink()));
addEventListener("message", hear);
addEventListener("popstate", restore);
restore();
