// Requests to the engine, one after the other. While one runs, only the latest later one waits.
import { ask } from "./engine.js";

const LIMIT = 10; // seconds for an answer
const STALE = 2; // seconds for an answer that nothing waits for any more

let works = false;
let waiting = null;
let controller = null;
let timer;

// Calls `work` with a function that asks the engine, unless a later call replaces it before it starts. The function
// calls its second argument when the engine, which may have to be loaded, starts to work; it rejects if a later call
// makes the answer useless, and answers with `stopped` if the limit or the user stops the run.
export function follow(work) {
  waiting = work;
  if (works) limit(STALE);
  else workOff();
}

export function stop(reason = "stopped") {
  controller?.abort(reason);
}

async function workOff() {
  works = true;
  while (waiting) {
    const work = waiting;
    waiting = null;
    try {
      await work(answerOf);
    } catch (failure) {
      if (!(failure instanceof Stale)) console.error(failure);
    }
  }
  works = false;
}

class Stale extends Error {}

async function answerOf(request, started) {
  if (waiting) throw new Stale();
  controller = new AbortController();
  const { signal } = controller;
  const start = () => {
    limit(LIMIT);
    started?.();
  };
  let answer;
  try {
    answer = await ask(request, signal, start);
  } catch (failure) {
    const stopped = signal.aborted ? signal.reason : `the engine failed: ${failure.message}`;
    answer = { command: "", status: null, output: "", errors: "", stopped };
  }
  clearTimeout(timer);
  if (waiting) throw new Stale();
  return answer;
}

// Stop the run after so many seconds from now, unless it ends earlier.
function limit(seconds) {
  clearTimeout(timer);
  timer = setTimeout(() => stop(`stopped after ${LIMIT} seconds`), 1000 * seconds);
}
