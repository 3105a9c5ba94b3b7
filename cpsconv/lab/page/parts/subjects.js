// Subjects: what the user points at or chooses from the list of names. A subject is `{ name }`, a name in the program;
// `{ variable }`, the number of a variable of the source; or `{ mention }`, the number of an occurrence in the source.

/** The options of the list of names of one function. */
function findOptions(view, relations, names) {
  const group = (label, options) => (options.length ? [element("optgroup", { label }, ...options)] : []);
  const option = (subject, text) => element("option", { value: optionOf(subject) }, text);
  const named = (name) => option({ name }, name);
  const others = new Set([...view.cards, ...view.values]);
  const parameters = [...names].filter((name) => !others.has(name));
  return [
    option(null, "nothing"),
    ...group("Variables", view.variables.map((_, variable) => option({ variable }, relations.variableName(variable)))),
    ...group("Parameters", parameters.map(named)),
    ...group("Values", view.values.map(named)),
    ...group("Continuations", view.cards.map(named)),
  ];
}

/** The value of the option for a subject; for an occurrence in the source, that of the first option, `nothing`. */
function optionOf(subject) {
  const { name, variable } = subject ?? {};
  return name !== undefined ? `name ${name}` : variable !== undefined ? `variable ${variable}` : "";
}

/** The subject of an option. */
function subjectOf(value) {
  const [kind, ...rest] = value.split(" ");
  return { variable: { variable: Number(rest[0]) }, name: { name: rest.join(" ") } }[kind] ?? null;
}

/** A sentence about a subject. */
function description({ name, mention, variable }, view, relations, isParameter) {
  if (name !== undefined) {
    const kind = view.cards.includes(name) ? "continuation" : isParameter ? "parameter" : "value";
    const variables = relations.variablesOf(name);
    return `\`${unquoted(name)}\`: a ${kind}${variables.length ? `; a value of ${listed(variables)}` : ""}`;
  }
  const number = variable ?? view.mentions[mention][2];
  const { name: called, line } = view.variables[number];
  const values = mention === undefined ? [...relations.namesByVariable[number]] : view.mentions[mention][3];
  const place = line ? ` of line ${line}` : "";
  const verb = mention === undefined ? "its values are" : "here it is";
  return `\`${called}\`: a variable${place}${values.length ? `; ${verb} ${listed(values)}` : ""}`;
}

/**
 * The subject of `after` for a highlighted subject of `before`, the same function with another strategy; null for values
 * and parameters, since a name of theirs can denote another one there.
 */
function sameSubject(subject, before, after) {
  const { name, mention, variable } = subject ?? {};
  if (name !== undefined) return after.cards.includes(name) ? subject : null;
  if (variable !== undefined) {
    const known = before.variables[variable];
    const number = after.variables.findIndex((each) => each.name === known.name && each.line === known.line);
    return number < 0 ? null : { variable: number };
  }
  if (mention === undefined) return null;
  const number = after.mentions.findIndex(([start]) => start === before.mentions[mention][0]);
  return number < 0 ? null : { mention: number };
}

function unquoted(name) {
  return name.replaceAll("`", "");
}

function listed(names) {
  const shown = names.slice(0, 6).map((name) => `\`${unquoted(name)}\``);
  return names.length > 6 ? `${shown.join(", ")} and ${names.length - 6} more` : shown.join(", ");
}
