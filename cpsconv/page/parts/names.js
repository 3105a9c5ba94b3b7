// ------------------------------------------------------------------------------------------------------- names
//
// Names are unique within a function, and the same in every pane. So whatever shows a name is a `data-name` element,
// and to light something up is to find these. In the source stand *mentions* of variables (`data-mention`): the data
// say of each which variable it is of, and which values were read or written there.

/** An element with attributes and children; texts become text, never markup. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const byId = (id) => document.getElementById(id);

/** What may be a name in CPS text or φ form; and what may contain words that are none. */
const WORD = /`[^`\n]*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|undef\([^)]*\)|\d[\w.]*|[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;

/** A text in which the names are elements. */
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

/** In φ form some words are names only where a block is meant: in a label, after `goto`, in brackets. */
function isNameInPhi(text, index, word) {
  return !PHI_WORDS.has(word) || index === 0 || /(goto |\[)$/.test(text.slice(0, index));
}

/** A sentence in which what stands between back quotes is code. */
function sentence(text) {
  const pieces = text.split(/`([^`]*)`/);
  return pieces.map((piece, index) => (index % 2 ? element("code", {}, piece) : piece));
}

/** What one function's names and variables have to do with each other. */
class Kinship {
  constructor(view) {
    this.variables = view.variables;
    this.mentions = view.mentions;
    this.stands = new Map(Object.entries(view.stands));
    this.standing = view.variables.map(() => new Set());
    for (const [name, numbers] of this.stands) for (const number of numbers) this.standing[number].add(name);
  }

  /** Names and mentions that are one with something, and those that are of a variable of it. */
  ofName(name) {
    const variables = this.stands.get(name) ?? [];
    const same = this.mentions.filter(([, , , values]) => values.includes(name));
    return { names: new Set([name]), mentions: new Set(same), ...this.relatives(variables) };
  }

  ofMention(number) {
    const mention = this.mentions[number];
    const [, , variable, values] = mention;
    const same = this.mentions.filter((each) => each[2] === variable && each[3].some((name) => values.includes(name)));
    return { names: new Set(values), mentions: new Set([mention, ...same]), ...this.relatives([variable]) };
  }

  ofVariable(number) {
    const { kin, kinMentions } = this.relatives([number]);
    return { names: kin, mentions: kinMentions, kin, kinMentions };
  }

  relatives(variables) {
    return {
      kin: new Set(variables.flatMap((number) => [...this.standing[number]])),
      kinMentions: new Set(this.mentions.filter(([, , variable]) => variables.includes(variable))),
    };
  }

  /** A variable, with its line where another one has that name, too. */
  variableName(number) {
    const { name, line } = this.variables[number];
    const isAlone = this.variables.filter((each) => each.name === name).length < 2;
    return isAlone || !line ? name : `${name} (line ${line})`;
  }

  variablesOf(name) {
    return (this.stands.get(name) ?? []).map((number) => this.variableName(number));
  }
}

/** Lights things up: what is pointed at for as long as it is, and what was pinned until something else is. */
class Lights {
  constructor(root, describe) {
    this.root = root;
    this.describe = describe;
    this.kinship = null;
    this.pinned = null;
    root.addEventListener("pointerover", ({ target }) => this.point(subjectAt(target)));
    root.addEventListener("pointerleave", () => this.point(null));
    root.addEventListener("focusout", () => this.point(null));
    root.addEventListener("focusin", ({ target }) => this.point(subjectAt(target)));
  }

  /** Begin anew with another function. */
  enter(view) {
    this.kinship = new Kinship(view);
    this.pin(null);
  }

  /** Keep a subject lit: `{ name }`, `{ mention }` or `{ variable }`, or nothing. */
  pin(subject) {
    this.pinned = subject;
    this.show(subject);
    this.describe(subject);
  }

  point(subject) {
    this.show(subject ?? this.pinned);
  }

  /** Light up again what is pinned, when the page has changed. */
  renew() {
    this.show(this.pinned);
  }

  show(subject) {
    for (const each of this.root.querySelectorAll(".lit, .kin")) each.classList.remove("lit", "kin");
    if (!subject) return;
    const { names, mentions, kin, kinMentions } = this.relations(subject);
    for (const each of this.root.querySelectorAll("[data-name]")) light(each, each.dataset.name, names, kin);
    for (const each of this.root.querySelectorAll("[data-mention]")) {
      light(each, this.kinship.mentions[each.dataset.mention], mentions, kinMentions);
    }
  }

  relations({ name, mention, variable }) {
    if (name !== undefined) return this.kinship.ofName(name);
    return mention !== undefined ? this.kinship.ofMention(mention) : this.kinship.ofVariable(variable);
  }
}

function light(each, subject, same, kin) {
  if (same.has(subject)) each.classList.add("lit");
  else if (kin.has(subject)) each.classList.add("kin");
}

/** What an element stands for, if anything. */
function subjectAt(target) {
  const found = target.closest?.("[data-name], [data-mention]");
  if (!found) return null;
  return "name" in found.dataset ? { name: found.dataset.name } : { mention: Number(found.dataset.mention) };
}
