// ----------------------------------------------------------------------------------------------------- machine
//
// The meaning of a program, as `cpsconv/evaluator/machine.py` has it. Nothing ever returns, so there is no stack: all
// that the machine knows is which continuation runs next, and in which frame. A frame (a Map from definitions to
// values) holds the values of one activation of a function, for all of its continuations. A call makes a closure of its
// return continuation with the frame. Programs that come from C are first-order: each closure is entered once at most,
// so a frame need never be copied.
//
// Each step, one transfer, notes what it overwrites. So the machine also goes back.

/** The definitions of a program in its JSON form (`docs/json.md`), by number; each with what it is called. */
class Definitions {
  constructor({ functions, names }) {
    this.byNumber = new Map();
    this.functions = new Map();
    for (const each of functions) {
      this.functions.set(each.name, each);
      for (const member of [each, ...each.continuations]) this.add(member, each, names);
    }
  }

  add(member, home, names) {
    member.home = home;
    for (const each of [member, ...member.parameters, ...member.body]) {
      each.shown = names[each.id] ?? (each === home ? each.name : null); // what stands in place has no name
      this.byNumber.set(each.id, each);
    }
  }

  typeOf(value) {
    return typeof value === "number" ? this.byNumber.get(value).type : value.type;
  }
}

/** The value of a constant in JSON. */
function constant({ type, value }) {
  if (type in INTEGERS) return BigInt(value);
  if (type === "bool" || type === "string") return value;
  return typeof value === "number" ? value : ({ inf: Infinity, "-inf": -Infinity }[value] ?? NaN);
}

class Machine {
  /** Ready to run the function `entry` on `values`. */
  constructor(definitions, entry, values) {
    this.definitions = definitions;
    this.entry = entry;
    this.output = [];
    this.outcome = null; // how it ended
    this.transfer = ""; // what was done last
    this.past = [];
    this.at = entry;
    this.frame = new Map();
    const outside = { outside: "return" };
    entry.parameters.forEach((each, index) => this.frame.set(each.id, index < values.length ? values[index] : outside));
  }

  get steps() {
    return this.past.length;
  }

  /** Run the continuation and make its transfer. */
  step() {
    const { at, frame, transfer, output } = this;
    this.moment = { at, frame, transfer, outputs: output.length, overwritten: [] };
    this.past.push(this.moment);
    let site;
    try {
      for (site of at.body) this.define(frame, site.id, this.compute(site));
      site = at.transfer;
      this.make(site);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.transfer = "";
      this.outcome = { kind: "fault", message: fault.message, span: site.span ?? null };
    }
  }

  /** Undo the last step. */
  back() {
    const { at, frame, transfer, outputs, overwritten } = this.past.pop();
    for (const [changed, number, was] of overwritten.reverse()) {
      if (was === undefined) changed.delete(number);
      else changed.set(number, was);
    }
    this.output.length = outputs;
    Object.assign(this, { at, frame, transfer, outcome: null });
  }

  define(frame, number, value) {
    this.moment.overwritten.push([frame, number, frame.get(number)]);
    frame.set(number, value);
  }

  value(value) {
    if (typeof value !== "number") {
      if ("external" in value) return { outside: value.external };
      return "undef" in value ? new Undefined(value.undef) : constant(value);
    }
    const definition = this.definitions.byNumber.get(value);
    return definition.transfer ? { enter: definition, frame: this.frame } : this.frame.get(value);
  }

  // ------------------------------------------------------------------------------------------------- statements

  compute({ kind, op, operands, type }) {
    const values = operands.map((operand) => defined(this.value(operand)));
    if (kind === "effect") return EFFECTS[op](this, ...values);
    return operation(op, this.definitions.typeOf(operands[0]), type)(...values);
  }

  write(text, isError = false) {
    if (text) this.output.push({ text, isError });
  }

  // -------------------------------------------------------------------------------------------------- transfers

  make(transfer) {
    switch (transfer.kind) {
      case "jump":
        return this.follow(transfer.edge);
      case "branch": {
        const decided = defined(this.value(transfer.condition));
        return this.choose("branch", transfer.condition, decided ? transfer.then : transfer.else);
      }
      case "switch": {
        const decided = defined(this.value(transfer.value));
        const index = transfer.cases.findIndex((each) => BigInt(each) === decided);
        return this.choose("switch", transfer.value, transfer.targets[index] ?? transfer.default);
      }
      case "call": {
        const values = transfer.arguments.map((each) => this.value(each));
        const callee = this.definitions.byNumber.get(transfer.callee);
        const passed = [...values, this.value(transfer.then.target)];
        this.transfer = this.told(callee.name, { enter: callee }, passed);
        return this.enter(callee, new Map(), passed);
      }
    }
  }

  choose(word, operand, edge) {
    const decided = this.shown(this.value(operand), this.definitions.typeOf(operand));
    this.follow(edge);
    const way = edge.arguments.length ? this.transfer : this.transfer.replace("()", "");
    this.transfer = `${word}(${decided}) → ${way}`;
  }

  follow(edge) {
    const target = this.value(edge.target);
    const values = edge.arguments.map((each) => this.value(each));
    const types = edge.arguments.map((each) => this.definitions.typeOf(each));
    this.transfer = this.told(this.nameOf(edge.target), target, values, types);
    if (target.outside) this.end(target.outside, values.map(defined));
    else this.enter(target.enter, target.frame, values);
  }

  enter(continuation, frame, values) {
    continuation.parameters.forEach((parameter, index) => this.define(frame, parameter.id, values[index]));
    this.at = continuation;
    this.frame = frame;
  }

  end(outside, [value]) {
    if (outside === "halt") this.outcome = { kind: "halted", status: Number(BigInt.asUintN(8, value)) };
    else if (outside === "abort") this.outcome = { kind: "aborted" };
    else this.outcome = { kind: "returned", value };
  }

  // ------------------------------------------------------------------------------------------------- what is told

  nameOf(target) {
    return typeof target === "number" ? this.definitions.byNumber.get(target).shown : target.external;
  }

  /** A transfer as `cpsconv run --trace` tells it: `next(a = 23)`, `ret(a = 1) → main.after_f`. */
  told(name, target, values, types) {
    const parameters = target.enter?.parameters ?? [];
    const argument = (value, index) => {
      const shown = this.shown(value, types ? types[index] : parameters[index].type);
      return parameters[index] ? `${parameters[index].shown} = ${shown}` : shown;
    };
    const passed = values.slice(0, MOST_LISTED).map(argument);
    if (values.length > MOST_LISTED) passed.push(`… ${values.length - MOST_LISTED} more`);
    const place = this.place(target);
    return `${name}(${passed.join(", ")})${place === name ? "" : ` → ${place}`}`;
  }

  /** A value as the text of the program has it. */
  shown(value, type) {
    return value?.enter || value?.outside ? this.place(value) : shownValue(value, type);
  }

  /** A continuation, as seen from the function that is running. What comes after the first function is the end. */
  place({ enter, outside }) {
    if (outside) return outside === "return" ? "end" : outside;
    const isNear = enter.home === this.at.home || enter.home === enter;
    return isNear ? enter.shown : `${enter.home.name}.${enter.shown}`;
  }

  /** The exit status that the process has: see `cpsconv run`. */
  get status() {
    const { kind, status, value } = this.outcome;
    if (kind === "fault") return 3;
    if (kind === "aborted") return 134;
    if (kind === "halted") return status;
    return this.entry.name === "main" && typeof value === "bigint" ? Number(BigInt.asUintN(8, value)) : 0;
  }
}

const EFFECTS = {
  printf(machine, format, ...values) {
    const isDouble = (value) => typeof value === "number";
    const text = formatted(
      format,
      values.map((value) => (isDouble(value) ? Object(value) : value)),
    );
    machine.write(text);
    return BigInt(text.length);
  },
  puts: (machine, text) => EFFECTS.printf(machine, "%s\n", text),
  putchar(machine, code) {
    const byte = BigInt.asUintN(8, code);
    machine.write(String.fromCharCode(Number(byte)));
    return byte;
  },
  eprint(machine, text) {
    machine.write(cString(text), true);
  },
};

const MOST_LISTED = 8; // arguments

const SUFFIXES = { unsigned: "u", long: "l", "unsigned long": "ul", short: "s", "unsigned short": "us" };
Object.assign(SUFFIXES, { "signed char": "sc", "unsigned char": "uc" });

/** A value of plain data as a literal of CPS text. */
function shownValue(value, type) {
  if (value instanceof Undefined) return "undef";
  if (typeof value === "string") return JSON.stringify(value);
  if (type === "char") return shownCharacter(Number(BigInt.asUintN(8, value)));
  if (type === "float") return shownFloat(value);
  return typeof value === "number" ? shownNumber(value) : `${value}${SUFFIXES[type] ?? ""}`;
}

const ESCAPES = { 10: "n", 9: "t", 13: "r", 7: "a", 8: "b", 12: "f", 11: "v", 92: "\\", 39: "'", 0: "0" };

function shownCharacter(code) {
  if (code in ESCAPES) return `'\\${ESCAPES[code]}'`;
  const isPlain = 32 <= code && code <= 126;
  return isPlain ? `'${String.fromCharCode(code)}'` : `'\\x${code.toString(16).padStart(2, "0")}'`;
}

/** The shortest decimal that is read back as a `float`. */
function shownFloat(value) {
  if (!Number.isFinite(value)) return `${shownNumber(value)}f`;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  let [text, digits] = ["", 0];
  while (Math.fround(Number(text || NaN)) !== Math.abs(value)) text = general(Math.abs(value), ++digits, false);
  return `${sign}${text}f`;
}

/** The value that a text means for a parameter of that type. Throws a RangeError that says what is wrong. */
function readValue(type, text) {
  if (type === "string") return text;
  if (type === "bool") {
    if (["true", "false", "1", "0"].includes(text)) return text === "true" || text === "1";
    throw new RangeError(`\`${text}\` is neither \`true\` nor \`false\``);
  }
  return type in INTEGERS ? readInteger(type, text) : readFloat(type, text.trim());
}
