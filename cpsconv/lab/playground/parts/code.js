// Editors of texts, by CodeMirror: the program, with completion and marked errors, and read-only texts.
import facts from "./facts.js";

const { Compartment, Decoration, EditorState, EditorView, StreamLanguage, basicSetup, minimalSetup } = globalThis.editor;
const { classHighlighter, completeAnyWord, completeFromList, cppLanguage } = globalThis.editor;
const { ifNotIn, lintGutter, setDiagnostics, syntaxHighlighting } = globalThis.editor;

const STEP = Decoration.mark({ class: "step" });

// How tokens of the grammars are shown. All others are names or symbols.
const STYLES = {
  ATTRIBUTE: "meta",
  BOTTOM: "typeName",
  CHARACTER: "string",
  COMMENT: "comment",
  CONSTANT: "atom",
  FUNCTION: "macroName",
  LABEL: "labelName",
  LAMBDA: "keyword",
  NUMBER: "number",
  SCALAR: "typeName",
  STRING: "string",
  TRUTH: "atom",
};

function languageOf(name) {
  if (name === "c") return cppLanguage;
  if (!languages.has(name)) languages.set(name, streamLanguage(facts.languages[name]));
  return languages.get(name);
}
const languages = new Map();

// The highlighting by the tokens of a grammar. A comment that its token only opens ends at `*)`, and nests.
function streamLanguage({ keywords, patterns }) {
  const words = new Set(keywords);
  const tokens = Object.entries(patterns).map(([name, pattern]) => [STYLES[name], new RegExp(`^(?:${pattern})`)]);
  return StreamLanguage.define({
    startState: () => ({ depth: 0 }),
    token(stream, state) {
      if (state.depth) return inComment(stream, state);
      for (const [style, pattern] of tokens) {
        const found = stream.match(pattern);
        if (!found) continue;
        if (found[0] === "(*") state.depth = 1;
        return words.has(found[0]) ? "keyword" : (style ?? null);
      }
      const name = stream.match(/^\w+/);
      if (!name) stream.next();
      return name && words.has(name[0]) ? "keyword" : null;
    },
    languageData: { commentTokens: { line: /^[#;]/.exec(patterns.COMMENT)?.[0] ?? "//" } },
  });
}

function inComment(stream, state) {
  if (stream.match("(*")) state.depth++;
  else if (stream.match("*)")) state.depth--;
  else stream.next();
  return "comment";
}

// A text in an element, whose style sheets are its own: so styles of CodeMirror need no exception in the policy.
class Code {
  constructor(parent, label, extensions) {
    const root = parent.attachShadow({ mode: "open" });
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "code.css" });
    root.append(sheet);
    this.language = new Compartment();
    this.step = new Compartment();
    const named = EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" });
    const highlighting = syntaxHighlighting(classHighlighter);
    const all = [highlighting, named, this.language.of([]), this.step.of([]), extensions];
    this.view = new EditorView({ root, parent: root, state: EditorState.create({ extensions: all }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Show a text in a language of `facts`, or in none.
  show(text, language) {
    if (language !== this.shown) {
      this.view.dispatch({ effects: this.language.reconfigure(facts.languages[language] ? languageOf(language) : []) });
      this.shown = language;
    }
    if (text !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }
}

export class ReadOnly extends Code {
  constructor(parent, label) {
    super(parent, label, [minimalSetup, EditorState.readOnly.of(true)]);
  }
}

// The program. `changed` is called after each change by the user.
export class Program extends Code {
  constructor(parent, changed) {
    const keywords = ifNotIn(["Comment", "String"], (context) => completeFromList(this.keywords)(context));
    const sources = [{ autocomplete: keywords }, { autocomplete: completeAnyWord }];
    const completion = EditorState.languageData.of(() => sources);
    const listener = EditorView.updateListener.of((update) => {
      if (update.transactions.some((each) => each.docChanged && !this.isLoading)) changed();
    });
    super(parent, "Program", [basicSetup, EditorView.lineWrapping, completion, listener, lintGutter()]);
  }

  get keywords() {
    return (facts.languages[this.shown]?.keywords ?? []).map((label) => ({ label, type: "keyword" }));
  }

  load(text, language) {
    this.isLoading = true;
    this.show(text, language);
    this.isLoading = false;
  }

  // Mark the diagnostics, in the form of `--diagnostics=json`.
  mark(diagnostics) {
    const marks = diagnostics.map(({ severity, message, spans: [span] }) => {
      const from = this.position(span.start);
      return { from, to: Math.max(from, this.position(span.end)), severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  position({ line, column }) {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(line, doc.lines));
    return Math.min(found.from + column - 1, found.to);
  }

  // Mark the part that a step is about, from an offset to another one, and scroll to it; null for no part.
  markStep(part) {
    const { length } = this.view.state.doc;
    const [from, to] = (part ?? []).map((offset) => Math.min(offset, length));
    const isMarked = from < to;
    const marks = isMarked ? EditorView.decorations.of(Decoration.set([STEP.range(from, to)])) : [];
    const scroll = isMarked ? [EditorView.scrollIntoView(from)] : [];
    this.view.dispatch({ effects: [this.step.reconfigure(marks), ...scroll] });
  }

  // Move the cursor to a position of a diagnostic.
  visit(place) {
    this.view.dispatch({ selection: { anchor: this.position(place) }, scrollIntoView: true });
    this.view.focus();
  }
}
