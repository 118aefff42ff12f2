import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "../../src/json/value.ts";
import { isArray, isMap } from "../support/strict/json.ts";
import { type Random, randomFrom } from "./random.ts";
import type { World } from "./world.ts";

/** Writes the desired state of a world below a folder; the paths of the files, relative to it. */
export async function writeWorld(world: World, folder: string): Promise<string[]> {
  const files = layOut(world);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return [...files.keys()];
}

const paths = [
  "base.yaml",
  "teams/red/access.yml",
  "teams/blue/access.yaml",
  "teams/blue/more.json",
  "shared/all.yaml",
];

/** The files that hold a world's desired state, by family key: every name in one file, a family in any number. */
export function layOut(world: World): Map<string, string> {
  const random = randomFrom(`layout ${world.layout}`);
  const chosen = random.some(paths, 1, paths.length);
  const files = new Map(chosen.map((path) => [path, new Map<string, Map<string, Json>>()]));
  const put = (family: string, entries: Iterable<readonly [string, Json]>) => {
    for (const [name, value] of entries) {
      const file = files.get(random.pick(chosen));
      const section = file?.get(family) ?? new Map<string, Json>();
      section.set(name, value);
      file?.set(family, section);
    }
  };
  for (const [family, resources] of world.desired.resources) {
    put(family, resources);
    // Declared, and none of it wanted.
    if (resources.size === 0) files.get(random.pick(chosen))?.set(family, new Map());
  }
  // A single document stands in one place.
  if (world.desired.config)
    files.get(random.pick(chosen))?.set("config", new Map(Object.entries(world.desired.config)));
  const filled = [...files].filter(([, sections]) => sections.size > 0);
  return new Map(filled.map(([path, sections]) => [path, textOf(path, sections, random)]));
}

type Sections = ReadonlyMap<string, ReadonlyMap<string, Json>>;

function textOf(path: string, sections: Sections, random: Random): string {
  const whole = Object.fromEntries([...sections].map(([family, entries]) => [family, Object.fromEntries(entries)]));
  if (path.endsWith(".json")) return `${JSON.stringify(whole, null, 2)}\n`;
  const lines = [`# ${path}: made by the tests.`];
  for (const [family, entries] of sections) {
    lines.push("", `${family}:${entries.size === 0 ? " {}" : ""}`);
    for (const [name, value] of entries) {
      if (random.chance(0.1)) lines.push("  # Asked for by the team.");
      lines.push(...entryLines(name, value, "  ", random));
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Block style with every text in JSON's quotes, which YAML reads alike; short lists and maps now and then in one line. */
function entryLines(key: string, value: Json, indent: string, random: Random): string[] {
  const start = `${indent}${plain.test(key) ? key : JSON.stringify(key)}:`;
  if (isMap(value) && Object.keys(value).length > 0) {
    return [start, ...Object.entries(value).flatMap(([name, item]) => entryLines(name, item, `${indent}  `, random))];
  }
  if (isArray(value) && value.length > 0 && random.chance(0.7)) {
    return [start, ...value.flatMap((item) => itemLines(item, `${indent}  `, random))];
  }
  const comment = random.chance(0.05) ? " # see the wiki" : "";
  return [`${start} ${JSON.stringify(value)}${comment}`];
}

function itemLines(item: Json, indent: string, random: Random): string[] {
  if (!isMap(item) || Object.keys(item).length === 0) return [`${indent}- ${JSON.stringify(item)}`];
  const lines = Object.entries(item).flatMap(([key, value]) => entryLines(key, value, `${indent}  `, random));
  return [`${indent}- ${lines[0]?.trimStart()}`, ...lines.slice(1)];
}

/** Field names; no word that some YAML takes for a boolean or null. */
const plain = /^(?!(?:yes|no|on|off|true|false|null|y|n)$)[a-z][a-z_]*$/;
