// The source pane: the source with line numbers, and the mentions of the variables of the function that is shown.

/** The source with the mentions of one function's variables. Offsets count code points. */
class SourcePane {
  constructor(root, text) {
    this.root = root;
    this.characters = [...text];
    this.text = text;
    this.highlight = globalThis.Highlight && CSS.highlights ? new Highlight() : null;
    if (this.highlight) CSS.highlights.set("step", this.highlight);
    root.addEventListener("keydown", (event) => this.moveFocus(event));
  }

  /** Switch to one of the functions, at its first line. */
  enter(functions, name) {
    const { mentions, steps } = functions[name];
    this.pieces = []; // the text nodes, with their offsets
    this.lines = [];
    this.first = new Map(); // for each line with steps, the first step, and its function
    const waiting = mentions.map((mention, number) => ({ start: mention[0], end: mention[1], number }));
    let start = 0;
    for (const text of this.text.split(/(?<=\n)/)) {
      const line = element("span", { class: "line", "data-number": this.lines.length + 1 });
      const end = start + [...text].length;
      this.fill(line, start, end, waiting);
      this.lines.push({ line, end });
      start = end;
    }
    for (const each of [name, ...Object.keys(functions)]) this.addFirstSteps(functions[each].steps, each);
    for (const { line } of this.lines) line.prepend(this.number(line));
    fill(
      this.root,
      this.lines.map(({ line }) => line),
    );
    this.now = null;
    this.start = steps.find(({ span }) => span)?.span[0] ?? 0;
    this.showStart();
  }

  /** Scroll to the first line of the function; the text before it, such as a header comment, is above the pane. */
  showStart() {
    this.lineAt(this.start)?.scrollIntoView({ block: "start" });
  }

  lineAt(offset) {
    return partAt(this.lines, offset)?.line;
  }

  addFirstSteps(steps, name) {
    steps.forEach(({ span }, step) => {
      const line = span && this.lineAt(span[0]);
      if (line && !this.first.has(line)) this.first.set(line, [step, name]);
    });
  }

  /** The number of a line, as a button if the line has steps. Up and Down move the focus from one button to the next. */
  number(line) {
    const { number } = line.dataset;
    if (!this.first.has(line)) return element("span", { class: "number", "data-number": number });
    const label = `first step of line ${number}`;
    return element("button", { type: "button", class: "number", tabindex: -1, "data-number": number, "aria-label": label });
  }

  /** The first step of a line, by the button of its number, and the function of the step. */
  firstStepOf(number) {
    return this.first.get(number.closest(".line"));
  }

  /** Let Tab reach the button of one line only. */
  reach(line) {
    this.root.querySelector("button.number[tabindex='0']")?.setAttribute("tabindex", -1);
    (line?.querySelector("button.number") ?? this.root.querySelector("button.number"))?.setAttribute("tabindex", 0);
  }

  moveFocus(event) {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!direction || !event.target.matches("button.number") || hasModifier(event)) return;
    const numbers = [...this.root.querySelectorAll("button.number")];
    numbers[numbers.indexOf(event.target) + direction]?.focus();
    event.preventDefault();
  }

  fill(line, start, end, waiting) {
    while (waiting.length && waiting[0].start < end) {
      const mention = waiting.shift();
      line.append(this.piece(start, mention.start));
      const word = element("span", { class: "name", "data-mention": mention.number });
      word.append(this.piece(mention.start, mention.end));
      line.append(word);
      start = mention.end;
    }
    line.append(this.piece(start, end));
  }

  piece(start, end) {
    const node = document.createTextNode(this.slice(start, end));
    if (end > start) this.pieces.push({ node, start, end });
    return node;
  }

  /** The offsets of a span in the text of the source as JavaScript counts them; null for no span. */
  offsets(span) {
    return span && span.map((at) => this.slice(0, at).length);
  }

  slice(start, end) {
    return this.characters.slice(start, end).join("");
  }

  /** Mark the span of a step; null marks nothing. */
  mark(span) {
    this.highlight?.clear();
    this.now?.classList.remove("now");
    this.now = span && this.lineAt(span[0]);
    this.reach(this.now);
    if (!this.now) return;
    this.now.classList.add("now");
    this.now.scrollIntoView({ block: "nearest" });
    this.highlight?.add(this.range(...span));
  }

  range(start, end) {
    const range = new Range();
    const [first, last] = [partAt(this.pieces, start), partAt(this.pieces, Math.max(start, end - 1))];
    range.setStart(first.node, this.slice(first.start, start).length);
    range.setEnd(last.node, this.slice(last.start, end).length);
    return range;
  }
}

/** The part that contains an offset: the first one that ends behind it. */
function partAt(parts, offset) {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle].end > offset) high = middle;
    else low = middle + 1;
  }
  return parts[low];
}
