// The least that any plan costs: read the files, get the families, compare by name up to each first difference. No places,
// no checks, no plan. Prints how many entries differ, and the milliseconds of each stage.
// node floor.cjs YAML-PARSER FOLDER URL FAMILY=PATH …
const { readdirSync, readFileSync } = require("node:fs");
const { get } = require("node:http");
const [parser, folder, url, ...families] = process.argv.slice(2);
const stages = { read: 0, parse: 0, wait: 0, json: 0, compare: 0 };

async function main() {
  const { loadAll, CORE_SCHEMA, mergeTag } = await import(parser).then((module) => module.default ?? module);
  const schema = CORE_SCHEMA.withTags(mergeTag);
  const asked = families.map((family) => new Promise((resolve) => get(url + family.split("=")[1], resolve)).then(text));
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate); // The requests are sent before the first file.
  const [wanted, paths] = [{}, readdirSync(folder, { recursive: true }).filter((name) => /\.(ya?ml|json)$/.test(name))];
  for (const path of paths) {
    const file = timed("read", () => readFileSync(`${folder}/${path}`, "utf8"));
    const parse = () => (path.endsWith("json") ? [JSON.parse(file)] : loadAll(file, { schema }));
    for (const document of timed("parse", parse))
      for (const family in document) wanted[family] = Object.assign(wanted[family] ?? {}, document[family]);
    await new Promise(setImmediate); // The answers come in meanwhile.
  }
  const began = performance.now();
  const bodies = await Promise.all(asked);
  stages.wait = performance.now() - began;
  const live = timed("json", () => bodies.map((body) => JSON.parse(body)));
  const counts = families.map((family, at) => timed("compare", () => compare(wanted[family.split("=")[0]], live[at])));
  console.log(JSON.stringify({ differences: counts.reduce((sum, count) => sum + count, 0), stages }));
}

const text = async (response) => Buffer.concat(await response.toArray()).toString();

function timed(stage, run) {
  const began = performance.now();
  const result = run();
  stages[stage] += performance.now() - began;
  return result;
}

function compare(wanted = {}, live = {}) {
  const changed = Object.keys(wanted).filter((name) => live[name] === undefined || !same(wanted[name], live[name]));
  const isGone = (name) => wanted[name] === undefined && !live[name].reserved && !live[name].readonly;
  return changed.length + Object.keys(live).filter(isGone).length;
}

/** What a file leaves out is empty or false; lists are sets, looked at again where their order differs. */
function same(want, live) {
  if (want === live || typeof want !== "object" || typeof live !== "object") return want === live;
  if (Array.isArray(want)) {
    if (want.length !== live.length || want.every((item, at) => same(item, live[at])))
      return want.length === live.length;
    const isThere = typeof want[0] === "object" ? (item) => live.some((each) => same(item, each)) : Set.prototype.has;
    return want.every(isThere, new Set(live));
  }
  const isSet = (key) => live[key] && live[key] !== "false" && live[key].length !== 0;
  for (const key in want) if (!(key in live) || !same(want[key], live[key])) return false;
  return Object.keys(live).every((key) => key in want || !isSet(key));
}

main();
