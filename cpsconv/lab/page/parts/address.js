// The address of the page. Its fragment has the function, the strategy and the step, counted from 1, of the construction:
// ``#fn=f&strategy=marker&step=61``; and ``predict=1`` in a prediction. The playground shows the page in a frame, at an
// address that nobody else can open: it receives the fragment, as a place, and the part of the source, and copies a link.

const isFramed = location.protocol === "blob:" && parent !== window;

const ADDRESS_DELAY = 250; // milliseconds: browsers refuse many changes of the address in a short time

class Address {
  constructor(onVisit) {
    this.fragment = "";
    addEventListener("hashchange", () => onVisit(this.choices()));
    addEventListener("message", ({ source, data }) => source === parent && isFramed && this.state(data.copied));
    byId("copy").addEventListener("click", () => this.copy());
  }

  /** The function, strategy and step that the fragment names, as far as it does; a step is a number from 0. */
  choices() {
    const { fn, strategy, step, predict } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const number = /^[0-9]{1,9}$/.test(step) ? Number(step) - 1 : undefined;
    return { function: fn, strategy, step: number, isPredicting: predict === "1" };
  }

  /** Show what the page shows, soon; `part` are the offsets of the part of the source that the step is about, or null. */
  write({ function: fn, strategy, step, isPredicting, part }) {
    this.part = part;
    this.fragment = `#${new URLSearchParams({ fn, strategy, step: step + 1, ...(isPredicting && { predict: 1 }) })}`;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.replace(), ADDRESS_DELAY);
  }

  replace() {
    try {
      if (location.hash !== this.fragment) history.replaceState(null, "", this.fragment);
    } catch (refusal) {
      if (!(refusal instanceof DOMException)) throw refusal; // a page within another one may have no address of its own
    }
    if (isFramed) this.send(false);
  }

  send(isCopied) {
    const [page] = location.href.split("#");
    parent.postMessage({ page, place: this.fragment.slice(1), part: this.part, isCopied }, "*");
  }

  async copy() {
    const [page] = location.href.split("#");
    if (isFramed) this.send(true);
    else this.state(await copied(`${page}${this.fragment}`));
  }

  /** State the outcome of a copy, for some seconds. */
  state(outcome) {
    byId("copied").textContent = outcome;
    setTimeout(() => (byId("copied").textContent = ""), 4000);
  }
}

/** Copy a text to the clipboard. Returns a sentence about the outcome. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "not permitted here: copy the address of the page";
  }
}
