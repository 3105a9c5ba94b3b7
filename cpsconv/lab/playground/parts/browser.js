// The engine in the browser, in a worker: the end of the worker ends a run, and a new worker starts.
let engine = start();

function start() {
  const worker = new Worker("worker.js", { type: "module" });
  const ready = new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = (event) => reject(new Error(event.message || "it cannot be loaded"));
  });
  return { worker, ready };
}

export function ask(request, signal, started) {
  const { worker, ready } = engine;
  return new Promise((resolve, reject) => {
    let runs = false;
    const fail = (reason) => {
      if (runs) {
        worker.terminate();
        engine = start();
      }
      reject(new Error(reason));
    };
    signal.addEventListener("abort", () => fail("stopped"));
    ready.then(() => {
      if (signal.aborted) return;
      runs = true;
      started();
      worker.onmessage = ({ data }) => {
        runs = false;
        resolve(JSON.parse(data));
      };
      worker.onerror = ({ message }) => fail(message);
      worker.postMessage(JSON.stringify(request));
    }, reject);
  });
}
