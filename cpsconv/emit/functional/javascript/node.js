// How a program runs, prints, starts and ends under Node.

// A step of the program is a function that does a little and gives the next step.
function run(step) {
  try {
    while (step) step = step();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    complain("runtime error", fault.message, 3);
  }
}

// Output is bytes, one for each character.

let output = "";

function write(text) {
  output += text;
  if (output.length > 65536) flush();
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

// How a program ends: no step is left.

function end(status) {
  flush();
  process.exitCode = status;
}

function complain(kind, message, status) {
  flush();
  writeAll(2, `${kind}: ${message}\n`);
  process.exitCode = status;
}

// How it starts, where it has no main: with the command line, of which each parameter takes a word.
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
    return complain("error", error.message, 1);
  }
}

const readTYPE = (word) => KIND(readInteger("NAME", readString(word)));

const readDouble = (word) => readFloat("double", word);

const readSingle = (word) => readFloat("float", word);

function readBool(word) {
  if (!["true", "false", "1", "0"].includes(word)) throw new RangeError(`\`${word}\` is neither \`true\` nor \`false\``);
  return word === "true" || word === "1";
}

const readString = (word) => Buffer.from(word).toString("latin1");

// What is shown of the value that is returned.

function report(text) {
  write(`${text}\n`);
  end(0);
}

const reportInteger = (value) => report(`${defined(value)}`);

const reportFloat = (value) => report(shownNumber(defined(value)));

const reportBool = (value) => report(`${defined(value)}`);

const reportString = (value) => report(defined(value));

const reportNothing = () => end(0);
