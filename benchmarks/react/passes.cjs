// Reads texts of JavaScript, as JSON on standard input, and prints what the React compiler constructs, as JSON: for each
// text its functions with their graphs before the pass `SSA` and the φ functions after it and after
// `EliminateRedundantPhi`, and the errors. Requires `babel-plugin-react-compiler` and `@babel/core`.

const { parseSync, transformFromAstSync, traverse } = require("@babel/core");
const compiler = require("babel-plugin-react-compiler");

/** The places in a part of the representation, but not those in the bodies of inner functions. */
function places(part, found = []) {
  if (Array.isArray(part)) for (const each of part) places(each, found);
  else if (part && typeof part === "object") {
    if (part.kind === "Identifier" && part.identifier) found.push(part);
    else if (part.loweredFunc) places(part.loweredFunc.func.context, found);
    else for (const [key, each] of Object.entries(part)) if (key !== "loc" && key !== "type") places(each, found);
  }
  return found;
}

/** The places that an instruction defines. Those of context variables are not renamed: they are no definitions. */
function definitions({ lvalue, value }) {
  const stores = ["DeclareLocal", "StoreLocal", "Destructure", "PrefixUpdate", "PostfixUpdate"];
  return [...(stores.includes(value.kind) ? places(value.lvalue) : []), ...places(lvalue)];
}

const number = (place) => place.identifier.declarationId;
const parameter = (each) => (each.kind === "Identifier" ? each : each.place);

/** The places that an instruction uses. A function uses what it does not define: such look-ups leave it at its entry. */
function uses(instruction) {
  const { value } = instruction, defined = new Set(definitions(instruction));
  const used = value.kind === "DeclareContext" ? [] : places(value).filter((place) => !defined.has(place));
  return value.loweredFunc ? [...used, ...undefinedIn(value.loweredFunc.func)] : used;
}

/** The places that a function uses, and defines nowhere. */
function undefinedIn({ params, body }) {
  const blocks = [...body.blocks.values()], instructions = blocks.flatMap((block) => block.instructions);
  const used = [...instructions.flatMap(uses), ...blocks.flatMap((block) => places(block.terminal))];
  const defined = new Set([...params.map(parameter), ...instructions.flatMap(definitions)].map(number));
  return used.filter((place) => !defined.has(number(place)));
}

/** The context variables of a function, which it stores in a context. */
function contextual({ body }) {
  const values = [...body.blocks.values()].flatMap((block) => block.instructions.map((each) => each.value));
  return values.filter(({ kind }) => kind === "DeclareContext" || kind === "StoreContext").map(({ lvalue }) => lvalue.place);
}

/** The targets of the edges that leave a block, as `EnterSSA` counts them. */
function successors(terminal) {
  switch (terminal.kind) {
    case "goto": case "do-while": case "label": case "sequence": case "try":
      return [terminal.block ?? terminal.loop];
    case "if": case "branch": return [terminal.consequent, terminal.alternate];
    case "switch": return terminal.cases.map((each) => each.block);
    case "optional": case "ternary": case "logical": case "while": return [terminal.test];
    case "for": case "for-of": case "for-in": return [terminal.init];
    case "maybe-throw": return [terminal.continuation, terminal.handler];
    default: return [];
  }
}

const DONE = new Error("the passes are done");
const position = (loc) => `${loc?.start?.line}:${loc?.start?.column}`;

/** The lines of what has no location in the graph: of `default` by that of `switch`, and of `catch` by that of `try`. */
function clauses(tree) {
  const lines = new Map();
  traverse(tree, {
    SwitchStatement({ node }) {
      lines.set(position(node.loc), node.cases.find((each) => each.test === null)?.loc.start.line);
    },
    TryStatement({ node }) {
      lines.set(position(node.loc), node.handler?.loc.start.line);
    },
  });
  return lines;
}

/** What each block is to the statement or operator that it belongs to: its kind, the part, and the line. */
function roles(blocks, clauses) {
  const found = new Map();
  for (const { terminal } of blocks.values()) {
    const { kind, loc } = terminal, line = loc?.start?.line ?? 0, clause = clauses.get(position(loc));
    if (kind === "branch" || kind === "maybe-throw") continue; // parts of the statements and operators
    for (const part of ["init", "update", "loop", "handler", "test", "fallthrough"])
      if (typeof terminal[part] === "number") found.set(terminal[part], [kind, part, part === "handler" ? clause : line]);
    for (const each of kind === "switch" ? terminal.cases : [])
      if (each.block !== terminal.fallthrough) found.set(each.block, [kind, "case", each.test?.loc.start.line ?? clause]);
  }
  return found;
}

const isCopy = ({ value }) => value.kind === "LoadLocal" || value.kind === "StoreLocal";

/** The graph of a function: its blocks in the order of the visit, with the numbers of the variables that each instruction
 * reads and writes, and whether it only copies; predecessors are those of the edges. */
function graph(body, clauses) {
  const role = roles(body.blocks, clauses);
  return [...body.blocks.values()].map((block) => ({
    id: block.id,
    role: role.get(block.id) ?? [block.kind, "", block.terminal.loc?.start?.line ?? 0],
    steps: block.instructions.map((each) => [uses(each).map(number), definitions(each).map(number), isCopy(each)]),
    uses: places(block.terminal).map(number),
    successors: successors(block.terminal),
  }));
}

/** A function and those in it, outer ones first. */
function* all(func) {
  yield func;
  for (const block of func.body.blocks.values())
    for (const { value } of block.instructions) if (value.loweredFunc) yield* all(value.loweredFunc.func);
}

/** The name in the source of a variable, which the compiler may have renamed; empty for the value of an operator. */
function name({ identifier }, text) {
  const { start, end } = identifier.loc, found = text.slice(start?.index, end?.index);
  return identifier.name !== null && /^[\p{L}\p{N}_$]+$/u.test(found) ? found : "";
}

/** The names of the variables of several functions, by number. */
function names(functions, text) {
  const parts = functions.flatMap(({ params, context, body }) => [
    ...params.map(parameter), ...context,
    ...[...body.blocks.values()].flatMap((block) => [block.instructions, block.terminal]),
  ]);
  return Object.fromEntries(places(parts).map((place) => [number(place), name(place, text)]));
}

const phis = (func) =>
  [...func.body.blocks.values()].flatMap((block) => [...block.phis].map((phi) => [number(phi.place), block.id]));

function run(text) {
  const found = [], errors = [];
  let current = [], lines;
  const passes = {
    MergeConsecutiveBlocks(func) {
      const functions = [...all(func)];
      const known = names(functions, text), inContext = functions.flatMap(contextual).map(number);
      current = functions.map((each) => ({
        start: [each.loc.start.line, each.loc.start.column],
        parameters: each.params.map(parameter).map(number),
        context: each.context.map(number),
        names: known,
        contextual: [...new Set(inContext)],
        blocks: graph(each.body, lines),
      }));
    },
    SSA(func) {
      [...all(func)].forEach((each, index) => (current[index].placed = phis(each)));
    },
    EliminateRedundantPhi(func) {
      [...all(func)].forEach((each, index) => (current[index].kept = phis(each)));
      found.push(...current);
      throw DONE; // the passes that follow may take minutes
    },
  };
  const logger = {
    logEvent(_, event) {
      if (event.kind === "CompileError" || event.kind === "PipelineError") {
        const detail = event.detail, reason = detail?.reason ?? detail?.options?.reason ?? event.data ?? String(detail);
        if (!String(reason).includes(DONE.message)) errors.push([event.fnLoc?.start?.line ?? 0, String(reason).split("\n")[0]]);
      }
    },
    debugLogIRs(pass) {
      passes[pass.name]?.(pass.value);
    },
  };
  try {
    const options = { ast: false, code: false, configFile: false, babelrc: false, filename: "functions.js" };
    const tree = parseSync(text, { ...options, parserOpts: { plugins: ["jsx"] } });
    lines = clauses(tree);
    const settings = { compilationMode: "all", panicThreshold: "none", logger };
    transformFromAstSync(tree, text, { ...options, plugins: [[compiler, settings]] });
  } catch (error) {
    errors.push([0, error.message.split("\n")[0]]);
  }
  return { functions: found, errors };
}

const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(run)));
