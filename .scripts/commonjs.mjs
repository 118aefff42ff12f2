// From ES modules, as esbuild splits them, to CommonJS that loads each file, dependency and part of Node when it is first used.
// Node 20 takes milliseconds to start its loader of ES modules, and that loads all that is imported, needed in this run or not.
import { transform } from "esbuild";

/**
 * The text of one file that esbuild wrote with `format: "esm"`. Nothing in it may count on being loaded for its effects.
 * Reading 100 KB costs a run two milliseconds, so it is made short; our own names stay, for the frames of a crash.
 */
export async function toCommonJs(text, { generated }) {
  const { code } = await transform(text, {
    // By its ending: what a CommonJS module is to those who import it is what it is in Node.
    sourcefile: "chunk.mjs",
    format: "cjs",
    platform: "node",
    target: "node20.18",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "fileUrl" },
  });
  const whole = withPlainExports(withLoadingAtUse(code));
  const url = /\bfileUrl\b/.test(whole) ? 'const fileUrl = require("node:url").pathToFileURL(__filename).href;\n' : "";
  const short = { minifyWhitespace: true, minifySyntax: true, minifyIdentifiers: generated };
  return (await transform(url + whole, { ...short, format: "cjs", platform: "node", target: "node20.18" })).code;
}

/** `var import_x = require("x");` becomes an object whose fields require it. */
function withLoadingAtUse(code) {
  return code
    .replace(/^var (import_\w+) = (.*\brequire\("[^"]+"\).*);\n/gm, (_, name, load) => lazily(name, load, code))
    .replace(/^require\("[^"]+"\);\n/gm, "")
    .replace(/\brequire\("(\.[^"]+)\.js"\)/g, 'require("$1.cjs")');
}

function lazily(name, load, code) {
  const fields = new Set([...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, field]) => field));
  const getters = [...fields].map((field) => `\n  get ${field}() { return (${name}_ ??= ${load}).${field}; },`);
  return fields.size === 0 ? "" : `var ${name}_, ${name} = {${getters.join("")}\n};\n`;
}

/** Fields at the end, where esbuild would call two functions for each use; what is only passed on is still loaded at use. */
function withPlainExports(code) {
  const exporting = /^__export\((\w+), \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(\1\);\n/m;
  const [whole, , list] = exporting.exec(code) ?? [];
  if (whole === undefined) return code;
  const fields = list
    .replace(/: \(\) => (import_\w+\.\w+)/g, ": $1")
    .replace(/(\w+): (import_\w+\.\w+)/g, "get $1() { return $2; }");
  return `${code.replace(whole, "")}module.exports = {\n${fields.replace(/: \(\) => /g, ": ")}\n};\n`;
}
