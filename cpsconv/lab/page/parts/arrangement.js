// The arrangement of the panes: separators between them change their sizes, and one pane can be maximised. The browser
// remembers both, for all pages, where it permits this.

const MEMORY_KEY = "cpsconv.panes";

const MIN_SHARE = 0.08; // of a pane, of the two beside a separator

class Arrangement {
  constructor(main) {
    Object.assign(this, { main, groups: [main, ...main.querySelectorAll(".column")], maximised: null });
    const remembered = recalled();
    this.sizes = this.groups.map((group, index) => sizesOf(group, remembered.sizes?.[index]));
    this.groups.forEach((group, index) => separatorsOf(group).forEach((each, at) => this.listen(each, index, at)));
    for (const pane of main.querySelectorAll(".pane")) this.addButton(pane);
    this.apply();
    this.maximise(main.querySelector(`.pane[id="${CSS.escape(remembered.maximised ?? "")}"]`));
  }

  // -------------------------------------------------------------------------------------------------- separators

  /** React to the separator behind the pane number `at` of a group. */
  listen(separator, index, at) {
    const isUpright = separator.ariaOrientation === "vertical";
    const [back, forward] = isUpright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const lengthOf = (pane) => pane.getBoundingClientRect()[isUpright ? "width" : "height"];
    separator.addEventListener("pointerdown", (event) => separator.setPointerCapture(event.pointerId));
    separator.addEventListener("pointermove", (event) => {
      if (!separator.hasPointerCapture(event.pointerId)) return;
      const [moved, length] = [isUpright ? event.movementX : event.movementY, lengthOf(this.groups[index])];
      this.resize(index, at, (moved / length) * this.sizes[index].reduce((sum, size) => sum + size));
    });
    separator.addEventListener("dblclick", () => this.reset(index));
    separator.addEventListener("keydown", (event) => {
      const step = { [back]: -0.1, [forward]: 0.1 }[event.key];
      if (hasModifier(event) || (!step && event.key !== "Enter")) return;
      event.preventDefault();
      if (step) this.resize(index, at, step);
      else this.reset(index);
    });
  }

  /** Enlarge a pane of a group at the cost of the next one. */
  resize(index, at, amount) {
    const { [index]: sizes } = this.sizes;
    const both = sizes[at] + sizes[at + 1];
    sizes[at] = Math.max(MIN_SHARE * both, Math.min(sizes[at] + amount, (1 - MIN_SHARE) * both));
    sizes[at + 1] = both - sizes[at];
    this.apply();
  }

  reset(index) {
    this.sizes[index] = sizesOf(this.groups[index]);
    this.apply();
  }

  apply() {
    this.groups.forEach((group, index) => {
      const sizes = this.sizes[index];
      sizes.forEach((size, at) => group.style.setProperty(`--size${at}`, `${size}fr`));
      separatorsOf(group).forEach((each, at) => {
        each.setAttribute("aria-valuenow", Math.round((100 * sizes[at]) / (sizes[at] + sizes[at + 1])));
      });
    });
    this.remember();
  }

  // --------------------------------------------------------------------------------------------------- one pane

  addButton(pane) {
    const button = element("button", { type: "button", class: "maximise", "aria-pressed": "false" });
    const title = pane.querySelector("h2").textContent;
    Object.assign(button, { title: "maximise", ariaLabel: `maximise ${title}` });
    button.addEventListener("click", () => this.maximise(this.maximised === pane ? null : pane));
    pane.querySelector(".bar").append(button);
  }

  /** Show one pane only, or all. */
  maximise(pane) {
    this.maximised = pane;
    this.main.classList.toggle("one", Boolean(pane));
    for (const each of this.main.querySelectorAll(".pane, .column")) {
      each.classList.toggle("maximised", Boolean(pane) && each.contains(pane));
      each.querySelector(":scope > .bar > .maximise")?.setAttribute("aria-pressed", String(each === pane));
    }
    this.remember();
  }

  /** Show all panes if the page does not show the maximised one now; a narrow screen shows the one that was chosen. */
  check() {
    if (!this.maximised || !matchMedia("(min-width: 64em)").matches) return;
    if (getComputedStyle(this.maximised).display === "none") this.maximise(null);
  }

  remember() {
    try {
      const { sizes, maximised } = this;
      localStorage.setItem(MEMORY_KEY, JSON.stringify({ sizes, maximised: maximised?.id ?? null }));
    } catch {
      // the browser permits no storage here: the page forgets its arrangement
    }
  }
}

/** What the browser remembers. */
function recalled() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY_KEY)) ?? {};
  } catch {
    return {}; // not permitted here, or another text
  }
}

/** The sizes of the panes of a group, if they are sizes of so many panes; otherwise the defaults. */
function sizesOf(group, given) {
  const defaults = group.dataset.sizes.split(" ").map(Number);
  const isValid = Array.isArray(given) && given.length === defaults.length && given.every((size) => size > 0 && size < 100);
  return isValid ? [...given] : defaults;
}

const separatorsOf = (group) => [...group.querySelectorAll(":scope > .separator")];
