// The least that any plan costs: read the files, get the families, compare by name. No positions, no validation, no output
// but a count. node floor.mjs FOLDER URL FAMILY=SEGMENT …
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { request } from "undici";

const [folder, url, ...families] = process.argv.slice(2);
const wanted = {};
for (const path of readdirSync(folder, { recursive: true })) {
  if (!/\.ya?ml$/.test(path)) continue;
  for (const [family, entries] of Object.entries(load(readFileSync(join(folder, path), "utf8")))) {
    wanted[family] = Object.assign(wanted[family] ?? {}, entries);
  }
}
const differences = await Promise.all(
  families.map(async (family) => compared(wanted[family.split("=")[0]] ?? {}, await got(family))),
);
process.stdout.write(`${differences.reduce((sum, count) => sum + count, 0)}\n`);

async function got(family) {
  const { body } = await request(`${url}${family.split("=")[1]}`);
  return JSON.parse(await body.text());
}

function compared(want, live) {
  let count = 0;
  for (const name in want) if (live[name] === undefined || !same(want[name], live[name])) count++;
  for (const name in live) if (want[name] === undefined && !live[name].reserved) count++;
  return count;
}

/** What a file leaves out is empty; lists of texts are sets, looked at again where their order differs. */
function same(want, live) {
  if (want === live) return true;
  if (typeof want !== "object" || typeof live !== "object") return false;
  if (Array.isArray(want)) {
    if (want.length !== live.length) return false;
    return want.every((item, at) => same(item, live[at])) || want.every((item) => live.includes(item));
  }
  for (const key in want) if (live[key] === undefined || !same(want[key], live[key])) return false;
  for (const key in live) if (want[key] === undefined && live[key] && live[key].length !== 0) return false;
  return true;
}
