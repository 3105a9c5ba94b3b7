// The host: how a program runs, writes, starts and ends under Node.

// A step of the program is a function that returns the next step.
function run(step) {
  try {
    while (step) step = step();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    fail("runtime error", fault.message, 3);
  }
}

// Output is bytes, one for each character.

let output = "";

function write(text) {
  output += text;
  if (output.length > 65536) flush();
}

function writeError(text) {
  flush();
  writeAll(2, text);
}

/** At most so many bytes of standard input, none at its end. */
function readInput(size) {
  flush();
  const bytes = Buffer.alloc(size);
  for (;;) {
    try {
      return bytes.subarray(0, fs.readSync(0, bytes, 0, size, null));
    } catch (error) {
      if (error.code === "EOF") return bytes.subarray(0, 0);
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function flush() {
  writeAll(1, output);
  output = "";
}

function writeAll(stream, text) {
  const bytes = Buffer.from(text, "latin1");
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(stream, bytes, done);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(141);
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

// The end of a program: no step is left. A shell shows SIGABRT as 134.

function end(status) {
  flush();
  process.exitCode = status;
}

const halt = (status) => end(exitStatus(defined(status)));

const haltWithBool = (value) => halt(Number(defined(value)));

const abort = () => end(134);

function fail(kind, message, status) {
  writeError(`${kind}: ${message}\n`);
  process.exitCode = status;
}

// The start of a program without main: each parameter of its function takes one word of the command line.

function start(callee, readers, ret) {
  const values = commandLine(readers);
  if (values) run(() => callee(...values, ...ret));
}

function commandLine(readers) {
  const words = process.argv.slice(2);
  try {
    if (words.length !== readers.length) throw new RangeError("the number of arguments is wrong");
    return readers.map((read, index) => read(words[index]));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail("error", error.message, 1);
  }
}

// The words of the command line of a program with main, as bytes, with a 0 at the end of each.

const argumentBytes = process.argv.slice(2).map((word) => Buffer.from(`${word}\0`));

/** A byte of a word; -1 if there is no such word. */
const __argument_byte = (index, at, ret) => () => ret(argumentBytes[index]?.[at] ?? -1);

// Its returned value is printed.

function report(text) {
  write(`${text}\n`);
  end(0);
}

const reportInteger = (value) => report(`${defined(value)}`);

const reportUnbounded = (value) => report(`${defined(value)}`);

const reportFloat = (value) => report(shownNumber(defined(value)));

const reportBool = (value) => report(`${defined(value)}`);

const reportString = (value) => report(defined(value));

const reportNothing = () => end(0);
