// The state of the page: the settings of a request. A link contains those that differ from the defaults.
import facts from "./facts.js";

export async function encoded(state) {
  const given = Object.entries(state).filter(([name, value]) => value !== facts.defaults[name]);
  const bytes = await through(new CompressionStream("deflate-raw"), JSON.stringify(Object.fromEntries(given)));
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The state in a fragment; null if the fragment contains none.
export async function decoded(fragment) {
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const given = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
    const known = Object.entries(given).filter(([name, value]) => typeof value === typeof facts.defaults[name]);
    return fragment ? { ...facts.defaults, ...Object.fromEntries(known) } : null;
  } catch {
    return null;
  }
}

const through = (stream, data) => new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer();
