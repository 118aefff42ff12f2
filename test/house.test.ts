// Holds the rooms and doors of src/README.md. Broken on purpose and seen to fail: see test/README.md.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** A room may import itself and rooms on lower lines; rooms on one line are strangers. */
const ranks: readonly (readonly string[])[] = [
  ["json", "diagnostics"],
  ["model"],
  ["families"],
  ["dialects"],
  ["normalise", "diff", "access"],
  ["load", "store", "live", "validate", "plan", "apply", "render", "emulator"],
  ["engine"],
  ["cli", "index.ts"],
  ["main.ts"],
];

/** Where each dependency, and each part of Node that reaches the world, may enter. */
const doors: Readonly<Record<string, readonly string[]>> = {
  yaml: ["load/yaml.ts"],
  ajv: ["validate/ajv.ts"],
  "#validators": ["validate/ajv.ts"],
  "fast-json-patch": ["json/patch.ts"],
  "deep-diff": ["json/witness.ts"],
  undici: ["live/client/http.ts"],
  aws4fetch: ["live/client/aws.ts"],
  commander: ["cli/commander.ts"],
  "node:fs": ["load/*", "store/*"],
  "node:fs/promises": ["load/*", "store/*"],
  "node:http": ["emulator/http.ts"],
  "node:zlib": ["emulator/http.ts", "live/client/encoding.ts"],
  "node:tls": ["live/client/tls.ts", "live/client/presented.ts"],
  "node:https": [],
  "node:child_process": ["live/client/credential-command.ts", "load/git.ts"],
  "node:process": [],
  "node:readline/promises": ["main.ts"],
  "node:timers/promises": ["engine/clock.ts", "live/client/ports.ts"],
  "node:crypto": ["json/canonical.ts"],
  "node:url": ["store/schemas.ts"],
  "node:os": ["store/own-file.ts"],
  "node:v8": ["engine/machine.ts"],
  "node:vm": ["engine/machine.ts"],
};

/** Parts of Node that touch nothing. */
const harmless = new Set(["node:util", "node:path", "node:net", "node:buffer"]);

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)));
const imports = files.flatMap(importsOf);

describe("the house", () => {
  it("has no file in no room", () => {
    const rooms = new Set(ranks.flat());
    expect(files.filter((file) => !rooms.has(roomOf(file)))).toEqual([]);
  });

  it("imports only from its own room and from lower lines", () => {
    const wrong = imports
      .filter(({ to }) => to.endsWith(".ts"))
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && rankOf(roomOf(to)) >= rankOf(roomOf(from)));
    expect(wrong).toEqual([]);
  });

  it("has no cycles, type imports counted", () => {
    expect(cycles()).toEqual([]);
  });

  it("lets each dependency in through its one door", () => {
    const outside = imports.filter(({ to }) => !to.endsWith(".ts") && !harmless.has(to));
    const wrong = outside.filter(({ from, to }) => !(doors[packageOf(to)] ?? []).some((door) => fits(door, from)));
    expect(wrong).toEqual([]);
  });

  it("uses each door", () => {
    const used = new Set(imports.map(({ to }) => packageOf(to)));
    const declared = Object.keys(JSON.parse(readFileSync(join(src, "../package.json"), "utf8")).dependencies);
    expect(declared.filter((name) => !used.has(name) && name !== "ajv")).toEqual([]);
  });

  it("has one exit: only main touches the process", () => {
    const touching = files.filter((file) => /\bprocess\.|\bconsole\./.test(withoutComments(read(file))));
    expect(touching).toEqual(["main.ts"]);
  });

  it("knows neither clocks nor chance inside", () => {
    const inner = files.filter((file) => rankOf(roomOf(file)) <= 4 || /^(plan|render|validate|apply)\//.test(file));
    const guilty = inner.filter((file) => /\bDate\.now|new Date\(\)|Math\.random|randomUUID/.test(read(file)));
    expect(guilty).toEqual([]);
  });

  it("says of each thing once where it goes, by files that are there", () => {
    const [, table = ""] = read("README.md").split("## Where does X go?");
    const rows = [...table.matchAll(/^\| (?!you want to|---)(.+?) \| (.+) \|$/gm)].map(([, what = "", where = ""]) => ({
      what: what.replace(/:.*/, ""),
      files: [...where.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, file = ""]) => file),
    }));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ what }, at) => rows.findIndex((row) => row.what === what) !== at)).toEqual([]);
    const isThere = (file: string) => [src, join(src, "..")].some((folder) => existsSync(join(folder, file)));
    expect(rows.flatMap((row) => row.files).filter((file) => !isThere(file))).toEqual([]);
  });

  it("keeps files short enough to read", () => {
    const long = files.filter((file) => read(file).split("\n").length > 300);
    expect(long).toEqual([]);
  });
});

function importsOf(file: string): readonly Import[] {
  const source = withoutComments(read(file));
  const specifiers = [
    ...source.matchAll(/(?:^|\n)\s*(?:import|export)\s[^;"']*?from\s*["']([^"']+)["']/g),
    ...source.matchAll(/(?:^|\n)\s*import\s*["']([^"']+)["']/g),
    ...source.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g),
  ].map((match) => match[1] as string);
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith(".") ? relative(src, join(src, dirname(file), specifier)) : specifier,
  }));
}

function cycles(): readonly string[] {
  const targets = new Map(files.map((file) => [file, imports.filter(({ from }) => from === file).map(({ to }) => to)]));
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(" > "));
      return;
    }
    if (done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

function roomOf(file: string): string {
  return file.split("/")[0] as string;
}

function rankOf(room: string): number {
  return ranks.findIndex((line) => line.includes(room));
}

function packageOf(specifier: string): string {
  return specifier.startsWith("node:") || specifier.startsWith("#") ? specifier : (specifier.split("/")[0] as string);
}

function fits(door: string, file: string): boolean {
  return door.endsWith("/*") ? file.startsWith(door.slice(0, -1)) : door === file;
}

function read(file: string): string {
  return readFileSync(join(src, file), "utf8");
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
