// Python with cpsconv in a worker: its first message states that it is ready, the others are answers to requests.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const packages = fetch("packages.zip").then((response) => response.arrayBuffer());
const pyodide = await loadPyodide({ indexURL: "./pyodide/" });
const [folder] = pyodide.runPython("import site; site.getsitepackages()").toJs();
pyodide.unpackArchive(await packages, "zip", { extractDir: folder });
const { answer_text: answer } = pyodide.pyimport("cpsconv.cli.playground");
onmessage = ({ data }) => postMessage(answer(data));
postMessage("ready");
