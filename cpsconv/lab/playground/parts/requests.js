// Requests to the engine, one after the other. While one runs, only the latest later one waits.
import { ask } from "./engine.js";

const LIMIT = 10; // seconds for an answer
const STALE = 2; // seconds for an answer that nothing waits for any more

let running = null;
let waiting = null;

// Calls `work` with a function that asks the engine, unless a later call replaces it before it starts. The function
// calls its second argument when the engine, which may have to be loaded, starts to work; it rejects if a later call
// makes the answer useless, and answers with `stopped` if the limit or the user stops the run.
export function follow(work) {
  waiting = work;
  if (!running) start();
  else running.limit(STALE);
}

export function stop() {
  running?.stop("stopped");
}

async function start() {
  while (waiting) {
    running = new Running();
    const work = waiting;
    waiting = null;
    try {
      await work((request, started) => running.ask(request, started));
    } catch (failure) {
      if (!(failure instanceof Stale)) console.error(failure);
    }
    running.end();
  }
  running = null;
}

class Stale extends Error {}

class Running {
  #controller = new AbortController();
  #timer;

  async ask(request, started) {
    if (waiting) throw new Stale();
    let answer;
    try {
      const { signal } = this.#controller;
      answer = await ask(request, signal, () => {
        this.limit(LIMIT);
        started?.();
      });
    } catch (failure) {
      const stopped = this.#controller.signal.aborted ? this.reason : `the engine does not answer: ${failure.message}`;
      answer = { command: "", status: null, output: "", errors: "", stopped };
    }
    this.end();
    if (waiting) throw new Stale();
    return answer;
  }

  // Stop the run after so many seconds from now, unless it ends earlier.
  limit(seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(`stopped after ${LIMIT} seconds`), 1000 * seconds);
  }

  stop(reason) {
    this.reason = reason;
    this.#controller.abort();
  }

  end() {
    clearTimeout(this.#timer);
  }
}
