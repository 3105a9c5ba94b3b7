// The source pane: the source with line numbers, and the mentions of the variables of the function that is shown.

/** The source with the mentions of one function's variables. Offsets count code points. */
class SourcePane {
  constructor(root, text) {
    this.root = root;
    this.characters = [...text];
    this.text = text;
    this.highlight = globalThis.Highlight && CSS.highlights ? new Highlight() : null;
    if (this.highlight) CSS.highlights.set("step", this.highlight);
  }

  /** Switch to another function, at its first line. */
  enter({ mentions, steps }) {
    this.pieces = []; // the text nodes, with their offsets
    this.lines = [];
    const waiting = mentions.map((mention, number) => ({ start: mention[0], end: mention[1], number }));
    let start = 0;
    for (const text of this.text.split(/(?<=\n)/)) {
      const line = element("span", { class: "line numbered", "data-number": this.lines.length + 1 });
      const end = start + [...text].length;
      this.fill(line, start, end, waiting);
      this.lines.push({ line, end });
      start = end;
    }
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
    return this.lines.find(({ end }) => offset < end)?.line;
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

  slice(start, end) {
    return this.characters.slice(start, end).join("");
  }

  /** Mark the span of a step; null marks nothing. */
  mark(span) {
    this.highlight?.clear();
    this.now?.classList.remove("now");
    this.now = span && this.lineAt(span[0]);
    if (!this.now) return;
    this.now.classList.add("now");
    this.now.scrollIntoView({ block: "nearest" });
    this.highlight?.add(this.range(...span));
  }

  range(start, end) {
    const range = new Range();
    const [first, last] = [this.pieceAt(start), this.pieceAt(Math.max(start, end - 1))];
    range.setStart(first.node, this.slice(first.start, start).length);
    range.setEnd(last.node, this.slice(last.start, end).length);
    return range;
  }

  pieceAt(offset) {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle].end > offset) high = middle;
      else low = middle + 1;
    }
    return this.pieces[low];
  }
}
