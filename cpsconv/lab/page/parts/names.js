// Names are unique within a function, and the same in every pane. Each element that shows a name has the attribute
// `data-name`, so that the page can highlight all occurrences. The source contains *mentions* of variables
// (`data-mention`); the data have the variable of each mention, and the values that are read or written there.

/** An element with attributes and children; strings become text, never markup. */
function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) created.setAttribute(name, "");
    else if (value !== false && value !== undefined) created.setAttribute(name, value);
  }
  created.append(...children);
  return created;
}

/** Replace the children of an element by any number of others: an argument of a call each would exhaust the stack. */
function fill(parent, children) {
  const created = document.createDocumentFragment();
  for (const child of children) created.append(child);
  parent.replaceChildren(created);
}

/** Options of a list for some names. */
function options(names) {
  return [...names].map((name) => element("option", { value: name }, name));
}

const byId = (id) => document.getElementById(id);

/** A possible name in CPS text or φ form; or a token that may contain words that are not names. */
const WORD = /`[^`\n]*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|undef\([^)]*\)|\d[\w.]*|[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;

/** The text with its names as elements. */
function withNames(text, names, isName = () => true) {
  const found = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (!names.has(word) || !isName(text, match.index, word)) continue;
    found.append(text.slice(done, match.index), element("span", { class: "name", "data-name": word }, word));
    done = match.index + word.length;
  }
  found.append(text.slice(done));
  return found;
}

const PHI_WORDS = new Set(["if", "else", "goto", "return", "case", "default"]);

/** Whether a word of the φ form is a name: keywords are names in a label, after `goto` and in brackets only. */
function isNameInPhi(text, index, word) {
  return !PHI_WORDS.has(word) || index === 0 || /(goto |\[)$/.test(text.slice(0, index));
}

/** A sentence; text in backquotes becomes code. */
function sentence(text) {
  const pieces = text.split(/`([^`]*)`/);
  return pieces.map((piece, index) => (index % 2 ? element("code", {}, piece) : piece));
}

/** The relations between the names and variables of one function. */
class NameRelations {
  constructor(view) {
    this.variables = view.variables;
    this.mentions = view.mentions;
    this.variablesByName = new Map(Object.entries(view.denotes));
    this.namesByVariable = view.variables.map(() => new Set());
    for (const [name, numbers] of this.variablesByName) {
      for (const number of numbers) this.namesByVariable[number].add(name);
    }
  }

  /** The names and mentions to highlight for a name; `related` and `relatedMentions` are those of its variables. */
  ofName(name) {
    const variables = this.variablesByName.get(name) ?? [];
    const same = this.mentions.filter(([, , , values]) => values.includes(name));
    return { names: new Set([name]), mentions: new Set(same), ...this.withVariables(variables) };
  }

  ofMention(number) {
    const mention = this.mentions[number];
    const [, , variable, values] = mention;
    const same = this.mentions.filter((each) => each[2] === variable && each[3].some((name) => values.includes(name)));
    return { names: new Set(values), mentions: new Set([mention, ...same]), ...this.withVariables([variable]) };
  }

  ofVariable(number) {
    const { related, relatedMentions } = this.withVariables([number]);
    return { names: related, mentions: relatedMentions, related, relatedMentions };
  }

  withVariables(variables) {
    return {
      related: new Set(variables.flatMap((number) => [...this.namesByVariable[number]])),
      relatedMentions: new Set(this.mentions.filter(([, , variable]) => variables.includes(variable))),
    };
  }

  /** The name of a variable, with its line if another variable has the same name. */
  variableName(number) {
    const { name, line } = this.variables[number];
    const isAlone = this.variables.filter((each) => each.name === name).length < 2;
    return isAlone || !line ? name : `${name} (line ${line})`;
  }

  variablesOf(name) {
    return (this.variablesByName.get(name) ?? []).map((number) => this.variableName(number));
  }
}

/** Highlights names and mentions: the one under the pointer or focus, and otherwise the pinned one. */
class Highlighter {
  constructor(root, describe) {
    this.root = root;
    this.describe = describe;
    this.relations = null;
    this.pinned = null;
    this.isEnabled = true;
    root.addEventListener("pointerover", ({ target }) => this.point(subjectAt(target)));
    root.addEventListener("pointerleave", () => this.point(null));
    root.addEventListener("focusout", () => this.point(null));
    root.addEventListener("focusin", ({ target }) => this.point(subjectAt(target)));
  }

  /** Switch to another function. */
  enter(view) {
    this.relations = new NameRelations(view);
    this.pin(null);
  }

  /** Pin a subject: `{ name }`, `{ mention }`, `{ variable }` or null. */
  pin(subject) {
    this.pinned = subject;
    this.show(subject);
    this.describe(subject);
  }

  /** Permit highlights, or remove them and permit none. */
  enable(isEnabled) {
    this.isEnabled = isEnabled;
    this.pin(null);
  }

  point(subject) {
    this.show(subject ?? this.pinned);
  }

  /** Highlight the pinned subject again after the page has changed. */
  refresh() {
    this.show(this.pinned);
  }

  show(subject) {
    const classes = ["highlighted", "related"];
    for (const each of this.root.querySelectorAll(".highlighted, .related")) each.classList.remove(...classes);
    if (!subject || !this.isEnabled) return;
    const { names, mentions, related, relatedMentions } = this.related(subject);
    for (const each of this.root.querySelectorAll(".pane:not(#beside) [data-name]")) highlight(each, each.dataset.name, names, related);
    for (const each of this.root.querySelectorAll("[data-mention]")) {
      highlight(each, this.relations.mentions[each.dataset.mention], mentions, relatedMentions);
    }
  }

  related({ name, mention, variable }) {
    if (name !== undefined) return this.relations.ofName(name);
    return mention !== undefined ? this.relations.ofMention(mention) : this.relations.ofVariable(variable);
  }
}

function highlight(each, subject, same, related) {
  if (same.has(subject)) each.classList.add("highlighted");
  else if (related.has(subject)) each.classList.add("related");
}

/** The name or mention that an element shows, or null. The pane `beside` has names of another program. */
function subjectAt(target) {
  if (target.closest?.("#beside")) return null;
  const found = target.closest?.("[data-name], [data-mention]");
  if (!found) return null;
  return "name" in found.dataset ? { name: found.dataset.name } : { mention: Number(found.dataset.mention) };
}
