// The machine that evaluates a program, as `cpsconv/engines/machine/machine.py` does.
//
// No continuation returns, so there is no stack: the state is the continuation that runs next, and its frame. A frame (a
// Map from the numbers of definitions to values) has the values of one activation of a function, for all of its
// continuations. A call passes its return continuation as a closure with the frame. Programs converted from C are
// first-order: each closure is entered at most once, so that a frame need not be copied.
//
// Each step makes one transfer and records the values that it overwrites, so that it can be undone. The operations are
// those of the JavaScript target (`OPERATIONS`, `EFFECTS`), with its representation of values.

const MAX_ARGUMENTS = 8; // arguments shown of a transfer

/** The definitions of a program in its JSON form (`docs/json.md`) by number, each with its name in the text. */
class Definitions {
  constructor({ functions, names, around, formats, memory, refused }) {
    this.formats = formats; // the print effects of each format
    this.memory = memory; // see `_memory` in `cpsconv/lab/page/data.py`; null for a program without memory
    this.refused = refused; // why the page cannot evaluate the program, or null
    this.byNumber = new Map();
    this.functions = new Map();
    for (const each of memory?.data ?? []) this.byNumber.set(each.id, { ...each, type: "ptr", isData: true });
    for (const each of memory?.externals ?? []) this.add({ ...each, body: [], isExternal: true }, null, names);
    for (const each of functions) {
      this.functions.set(each.name, each);
      for (const member of [each, ...each.continuations]) this.add(member, each, names);
    }
    for (const [below, above] of Object.entries(around))
      this.byNumber.get(Number(below)).around = this.byNumber.get(above);
  }

  add(member, home, names) {
    member.home = home;
    for (const each of [member, ...member.parameters, ...member.body]) {
      each.shown = names[each.id] ?? (each === home || !home ? each.name : null); // values in place have no name
      this.byNumber.set(each.id, each);
    }
  }

  typeOf(value) {
    return typeof value === "number" ? this.byNumber.get(value).type : value.type;
  }
}

/** The value of a constant in JSON. */
function constant({ type, value }) {
  if (type === "ptr") return BigInt(value);
  if (type in INTEGERS) return INTEGERS[type](value);
  if (type === "bool" || type === "string") return value;
  return typeof value === "number" ? value : ({ inf: Infinity, "-inf": -Infinity }[value] ?? NaN);
}

/** The function that computes a primitive. */
function operation(op, types, result) {
  return OPERATIONS[`${op}(${types.join(", ")}): ${result}`];
}

/** The machine that makes a step: the output of effects is its output. */
let running = null;

const write = (text) => running.write(text, false);

const writeError = (text) => running.write(text, true);
const readInput = () => [];

class Machine {
  /** A machine that is about to run the function `entry` on `values`. */
  constructor(definitions, entry, values) {
    this.definitions = definitions;
    this.entry = entry;
    this.values = values; // the arguments
    this.output = [];
    this.outcome = definitions.refused ? { kind: "refused", message: definitions.refused } : null; // null until the program ends
    this.transfer = ""; // the text of the last transfer
    this.past = [];
    this.at = entry;
    this.taken = null; // the edge of the last transfer: the continuation that it leaves, and its index
    this.memory = new RunMemory(definitions);
    this.frame = new Map();
    [...values, { external: "return" }].forEach((value, index) => this.frame.set(entry.parameters[index].id, value));
  }

  get steps() {
    return this.past.length;
  }

  /** Run the continuation and make its transfer. */
  step() {
    running = this;
    const { at, frame, transfer, taken, output } = this;
    this.memory.use();
    this.memory.start();
    this.moment = { at, frame, transfer, taken, outputs: output.length, overwritten: [], memory: this.memory.step };
    this.past.push(this.moment);
    let site;
    try {
      for (site of at.body) this.define(frame, site.id, this.compute(site));
      site = at.transfer;
      this.make(site);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.transfer = "";
      const message = fault instanceof MemoryFault ? decoded(fault.message) : fault.message;
      this.outcome = { kind: "fault", message, span: site.span ?? null, object: fault.object ?? null };
    }
  }

  /** Undo the last step. */
  back() {
    const { at, frame, transfer, taken, outputs, overwritten, memory } = this.past.pop();
    this.memory.undo(memory, this.past.at(-1)?.memory);
    for (const [changed, number, was] of overwritten.reverse()) {
      if (was === undefined) changed.delete(number);
      else changed.set(number, was);
    }
    this.output.length = outputs;
    Object.assign(this, { at, frame, transfer, taken, outcome: null });
  }

  define(frame, number, value) {
    this.moment.overwritten.push([frame, number, frame.get(number)]);
    frame.set(number, value);
  }

  value(value) {
    if (typeof value !== "number") {
      if ("external" in value) return { external: value.external };
      return "undef" in value ? new Undefined(value.undef) : constant(value);
    }
    const definition = this.definitions.byNumber.get(value);
    if (definition.isData) return this.memory.pointers.get(value);
    return definition.transfer ? { enter: definition, frame: this.frame, from: this.at } : this.frame.get(value);
  }

  // ------------------------------------------------------------------------------------------------- statements

  compute(statement) {
    const { kind, op, operands, type } = statement;
    if (op === "convert" && this.memory.pointers.has(operands[0])) return this.memory.pointers.get(operands[0]);
    const values = operands.map((operand, index) => {
      const mayBeUndefined = { store: 0, load_or: 1 }[op] === index;
      return mayBeUndefined ? this.value(operand) : defined(this.value(operand));
    });
    if (op in MEMORY) return this.memory.perform(statement, values);
    const types = operands.map((operand) => this.definitions.typeOf(operand));
    if (kind === "primitive") return operation(op, types, type)(...values);
    if (op === "puts" && types[0] === "ptr") return puts(stringAt(values[0], -1));
    if (op !== "printf") return EFFECTS[op](...values);
    const [format, ...shown] = values.map((value, index) => {
      if (types[index] === "ptr") return { address: value };
      return types[index] in INTEGERS || types[index] === "bool" ? BigInt(value) : value;
    });
    return printf(formatted(this.definitions.formats[format] ?? misfit(), shown));
  }

  write(text, isError) {
    if (text) this.output.push({ text, isError });
  }

  // -------------------------------------------------------------------------------------------------- transfers

  make(transfer) {
    switch (transfer.kind) {
      case "jump":
        return this.follow(transfer.edge);
      case "branch": {
        const decided = defined(this.value(transfer.condition));
        return this.choose("branch", transfer.condition, [transfer.then, transfer.else], decided ? 0 : 1);
      }
      case "switch": {
        const decided = defined(this.value(transfer.value));
        const index = transfer.cases.findIndex((each) => BigInt(each) === BigInt(decided));
        return this.choose("switch", transfer.value, [...transfer.targets, transfer.default], index);
      }
      case "call": {
        const values = transfer.arguments.map((each) => this.value(each));
        const callee = this.callee(transfer);
        const passed = [...values, this.value(transfer.then.target)];
        const name = transfer.pointer === undefined ? callee.name : (this.nameOf(transfer.pointer) ?? "call");
        this.transfer = this.transferText(name, { enter: callee }, passed);
        return callee.isExternal ? this.callExternal(callee, passed) : this.enter(callee, new Map(), passed);
      }
    }
  }

  /** The function that is called, by its number or at a pointer. */
  callee({ callee, pointer }) {
    if (pointer === undefined) return this.definitions.byNumber.get(callee);
    return functionAt(defined(this.value(pointer)), typeText(callee));
  }

  callExternal({ name, parameters }, passed) {
    const ret = passed.at(-1);
    const result = this.memory.call(name, passed.slice(0, -1).map(defined));
    if (ret.external) this.end(ret.external, [result], parameters.at(-1).type.parameters);
    else this.enter(ret.enter, ret.frame, [result], { ...ret, index: 0 });
  }

  /** Follow one of the edges; -1 is the index of the last one. */
  choose(word, operand, edges, index) {
    const decided = this.shown(this.value(operand), this.definitions.typeOf(operand));
    const edge = edges.at(index);
    this.follow(edge, (index + edges.length) % edges.length);
    const taken = edge.arguments.length ? this.transfer : this.transfer.replace("()", "");
    this.transfer = `${word}(${decided}) → ${taken}`;
  }

  /** Follow the edge with that index. A continuation that was passed is entered by the edge of the call. */
  follow(edge, index = 0) {
    const target = this.value(edge.target);
    const values = edge.arguments.map((each) => this.value(each));
    const types = edge.arguments.map((each) => this.definitions.typeOf(each));
    this.transfer = this.transferText(this.nameOf(edge.target), target, values, types);
    if (target.external) this.end(target.external, values.map(defined), types);
    else this.enter(target.enter, target.frame, values, { ...target, index });
  }

  enter(continuation, frame, values, { from, index } = {}) {
    continuation.parameters.forEach((parameter, index) => this.define(frame, parameter.id, values[index]));
    this.taken = from ? { from, index: from === this.at ? index : 0 } : null;
    this.at = continuation;
    this.frame = frame;
  }

  end(external, [value], [type]) {
    this.taken = null;
    if (external === "halt") this.outcome = { kind: "halted", status: exitStatus(value) };
    else if (external === "abort") this.outcome = { kind: "aborted" };
    else this.outcome = { kind: "returned", value, type };
  }

  /** The definitions that dominate the current place and have values: those of a statement if the program has ended. */
  get scope() {
    const found = [];
    for (let member = this.at; member; member = member.around) {
      const own = member === this.at ? member.body.filter(({ id }) => this.outcome && this.isDefined(id)) : member.body;
      found.unshift(...member.parameters, ...own);
    }
    return found.filter(({ id }) => this.frame.has(id));
  }

  /** Whether the last step defined the value. */
  isDefined(number) {
    return this.moment?.overwritten.some(([frame, each]) => frame === this.frame && each === number);
  }

  // ------------------------------------------------------------------------------------------------- texts

  nameOf(target) {
    return typeof target === "number" ? this.definitions.byNumber.get(target).shown : target?.external;
  }

  /** A transfer as `cpsconv run --trace` prints it: `next(a = 23)`, `ret(a = 1) → main.after_f`. */
  transferText(name, target, values, types) {
    const parameters = target.enter?.parameters ?? [];
    const argument = (value, index) => {
      const shown = this.shown(value, types ? types[index] : parameters[index].type);
      return parameters[index] ? `${parameters[index].shown} = ${shown}` : shown;
    };
    const passed = values.slice(0, MAX_ARGUMENTS).map(argument);
    if (values.length > MAX_ARGUMENTS) passed.push(`… ${values.length - MAX_ARGUMENTS} more`);
    const place = this.place(target);
    return `${name}(${passed.join(", ")})${place === name ? "" : ` → ${place}`}`;
  }

  /** A value as CPS text. */
  shown(value, type) {
    if (type === "ptr" && typeof value === "bigint") return this.memory.pointerText(value);
    return value?.enter || value?.external ? this.place(value) : shownLiteral(value, type);
  }

  /** The name of a continuation, seen from the function that runs; `end` is the return continuation of the entry. */
  place({ enter, external }) {
    if (external) return external === "return" ? "end" : external;
    if (enter.isExternal) return enter.name;
    const isNear = enter.home === this.at.home || enter.home === enter;
    return isNear ? enter.shown : `${enter.home.name}.${enter.shown}`;
  }

  /** The exit status of the process, as for `cpsconv run`. */
  get status() {
    const { kind, status, value, type } = this.outcome;
    if (kind === "fault") return 3;
    if (kind === "aborted") return 134;
    if (kind === "halted") return status;
    return this.entry.name === "main" && (type in INTEGERS || type === "bool") ? exitStatus(value) : 0;
  }
}
