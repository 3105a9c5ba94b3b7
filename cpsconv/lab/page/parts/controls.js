// The controls of the page that show the choices of the user: function, strategy, mode, and the pane of a narrow screen.

const PANES = { source: "Source", flow: "Flow", cps: "CPS", phi: "φ form", listing: "Algorithm", run: "Evaluation", memory: "Memory" };

class Controls {
  constructor(page) {
    this.page = page;
    this.create();
  }

  create() {
    byId("function").replaceChildren(...options(Object.keys(this.page.functions)));
    for (const name of Object.keys(this.page.data.strategies)) byId("strategies").append(this.strategyChoice(name));
    for (const [pane, title] of Object.entries(PANES)) {
      byId("panes").append(element("button", { type: "button", "data-pane": pane }, title));
    }
    this.markPane("flow");
    byId("settings").open = matchMedia("(min-width: 80em)").matches;
  }

  strategyChoice(name) {
    const counts = element("small", { "data-counts": name });
    return element("button", { type: "button", value: name }, element("b", {}, name), " ", counts);
  }

  /** Show the choices that hold now. */
  show() {
    const { data, function: shown, strategy, mode, conversion } = this.page;
    for (const each of document.querySelectorAll("[data-counts]")) {
      const { description, functions } = data.strategies[each.dataset.counts];
      const { counts } = functions[shown];
      each.textContent = shortCounts(counts);
      each.parentElement.title = this.page.isPredicting ? description : `${description}\n${longCounts(counts)}`;
    }
    byId("described").replaceChildren(...sentence(`\`${strategy}\`: ${conversion.description}.`));
    byId("function").value = shown;
    byId("chosen").textContent = `${shown}, ${strategy}, ${mode}`;
    markChosen(byId("strategies"), strategy);
    markChosen(byId("modes"), mode);
  }

  /** Select the pane that a narrow screen shows. */
  markPane(pane) {
    document.body.dataset.pane = pane;
    for (const each of byId("panes").children) each.setAttribute("aria-pressed", String(each.dataset.pane === pane));
  }
}

/** Mark the chosen button of a group. */
function markChosen(group, value) {
  for (const each of group.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each.value === value));
}
