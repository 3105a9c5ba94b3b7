// Usage: node compile.mjs ARCHIVE. Replaces modules in the archive of packages by bytecode of the Python of Pyodide.
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [path] = process.argv.slice(2);
const archive = new Uint8Array(readFileSync(path));
const pyodide = await loadPyodide();
pyodide.unpackArchive(archive, "zip", { extractDir: pyodide.runPython("import site; site.getsitepackages()[0]") });
pyodide.FS.writeFile("/packages.zip", archive);
pyodide.runPython(readFileSync("compile.py", "utf8"));
writeFileSync(path, pyodide.FS.readFile("/packages.zip"));
