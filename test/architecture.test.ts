// Holds the modules and adapters of src/README.md, and how things are named. Broken on purpose and seen to fail: see test/README.md.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** A module may import itself and modules on lower lines; modules on one line do not know each other. */
const ranks: readonly (readonly string[])[] = [
  ["json", "diagnostics"],
  ["model"],
  ["families"],
  ["secrets"],
  ["dialects"],
  ["normalise", "diff", "access"],
  ["convert", "load", "live", "validate", "plan", "apply", "render", "emulator"],
  ["questions", "artifacts", "lint", "imports", "edit", "language"],
  ["engine"],
  ["cli", "index.ts"],
  ["main.ts"],
];

/**
 * The same inside of access: a question goes one direction, from what a pattern matches to what a person is answered.
 * Beside these folders there is only `verdict.ts`, which all of them may import.
 */
const ranksOfAccess: readonly (readonly string[])[] = [
  ["verdict.ts"],
  ["patterns"],
  ["model"],
  ["evaluate"],
  ["explain"],
  ["questions", "compare"],
  ["unnamed"],
];

/** The files that may import each dependency, and each part of Node that does I/O. */
const adapters: Readonly<Record<string, readonly string[]>> = {
  yaml: ["load/yaml.ts"],
  "js-yaml": ["load/valid-yaml.ts"],
  ajv: ["validate/ajv.ts"],
  "#validators": ["validate/ajv.ts"],
  "#artifact-validators": ["validate/own-schema.ts"],
  "#fleet-validator": ["validate/fleet-schema.ts"],
  "fast-json-patch": ["json/patch.ts"],
  "fastest-levenshtein": ["diagnostics/suggest.ts"],
  "deep-diff": ["json/witness.ts"],
  undici: ["live/client/http.ts"],
  aws4fetch: ["live/client/aws.ts"],
  picomatch: ["load/state-pattern.ts"],
  zxcvbn: ["dialects/password-strength.ts"],
  "csv-parse": ["load/csv.ts"],
  commander: ["cli/commander.ts"],
  "vscode-jsonrpc": ["cli/language-server/connection.ts"],
  "vscode-languageserver-types": ["cli/language-server/protocol.ts"],
  "@bomb.sh/tab": ["cli/complete.ts"],
  "node:fs": ["load/*", "artifacts/*", "cli/crash.ts"],
  "node:fs/promises": ["load/*", "artifacts/*"],
  "node:http": ["emulator/http.ts"],
  "node:zlib": ["emulator/http.ts", "live/client/encoding.ts"],
  "node:tls": ["live/client/tls.ts", "live/client/presented.ts"],
  "node:https": [],
  "node:child_process": ["live/client/credential-command.ts", "live/check-command.ts", "load/git.ts"],
  "node:process": [],
  "node:module": [
    "load/csv.ts",
    "load/yaml.ts",
    "load/state-pattern.ts",
    "dialects/password-strength.ts",
    "cli/crash.ts",
    "cli/language-server/connection.ts",
    "main.ts",
  ],
  "node:readline/promises": ["main.ts"],
  "node:timers/promises": ["live/client/ports.ts"],
  "node:crypto": ["json/canonical.ts", "json/encryption.ts"],
  "node:url": ["load/package-files.ts", "cli/language-server/places.ts"],
  "node:sea": ["load/package-files.ts"],
  "node:os": ["artifacts/own-file.ts", "load/git.ts"],
};

/** Parts of Node that touch nothing. */
const harmless = new Set(["node:util", "node:path", "node:net", "node:buffer"]);

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = listFiles(src, /\.ts$/);
const imports = files.flatMap(importsOf);

describe("the architecture", () => {
  it("has every file in a module", () => {
    const modules = new Set(ranks.flat());
    expect(files.filter((file) => !modules.has(moduleOf(file)))).toEqual([]);
  });

  it("imports only from its own module and from lower lines", () => {
    const wrong = imports
      .filter(({ to }) => to.endsWith(".ts"))
      .filter(({ from, to }) => moduleOf(from) !== moduleOf(to) && rankOf(moduleOf(to)) >= rankOf(moduleOf(from)));
    expect(wrong).toEqual([]);
  });

  it("answers questions about access in one direction: folders import lower ones only", () => {
    const rankIn = (file: string) => ranksOfAccess.findIndex((line) => line.includes(folderOf(file)));
    const own = imports.filter(({ from, to }) => moduleOf(from) === "access" && moduleOf(to) === "access");
    expect(own.length).toBeGreaterThan(200);
    expect(own.filter(({ from }) => rankIn(from) === -1)).toEqual([]);
    const wrong = own.filter(({ from, to }) => folderOf(from) !== folderOf(to) && rankIn(to) >= rankIn(from));
    expect(wrong).toEqual([]);
  });

  it("has no cycles, type imports counted", () => {
    expect(cycles()).toEqual([]);
  });

  it("imports each dependency in its adapter only", () => {
    const outside = imports.filter(({ to }) => !to.endsWith(".ts") && !harmless.has(to));
    const wrong = outside.filter(
      ({ from, to }) => !(adapters[packageOf(to)] ?? []).some((adapter) => fits(adapter, from)),
    );
    expect(wrong).toEqual([]);
  });

  it("uses each dependency", () => {
    const used = new Set(imports.map(({ to }) => packageOf(to)));
    const declared = Object.keys(JSON.parse(readFileSync(join(src, "../package.json"), "utf8")).dependencies);
    expect(declared.filter((name) => !used.has(name))).toEqual([]);
  });

  it("touches the process in main only", () => {
    const touching = files.filter((file) => /\bprocess\.|\bconsole\./.test(withoutComments(read(file))));
    expect(touching).toEqual(["main.ts"]);
  });

  it("reads no clock and no random numbers in pure modules", () => {
    const inner = files.filter((file) => rankOf(moduleOf(file)) <= 4 || /^(plan|render|validate|apply)\//.test(file));
    const guilty = inner.filter((file) => /\bDate\.now|new Date\(\)|Math\.random|randomUUID/.test(read(file)));
    expect(guilty).toEqual([]);
  });

  it("lists in its README where each change goes, by files that exist", () => {
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

  it("names in its texts files that exist, and functions that these hold", () => {
    const texts = ["README.md", "DECISIONS.md"].map(read).join("\n");
    const isThere = (file: string) => [src, join(src, "..")].some((folder) => existsSync(join(folder, file)));
    const named = [...texts.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|mjs|json))`/g)].map(([, file = ""]) => file);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !isThere(file))).toEqual([]);
    const pairs = [...texts.matchAll(/`(\w+)` in `([\w./-]+\.ts)`/g)];
    expect(pairs.length).toBeGreaterThan(1);
    expect(pairs.filter(([, name = "", file = ""]) => !read(file).includes(name)).map(([text]) => text)).toEqual([]);
  });

  it("has one docstring for each thing", () => {
    const twice = files.filter((file) => /\*\/\s*\n\s*\/\*\*/.test(read(file)));
    expect(twice).toEqual([]);
  });

  it("keeps files short enough to read", () => {
    const long = files.filter((file) => read(file).split("\n").length > 300);
    expect(long).toEqual([]);
  });
});

/** First words of the names of exported functions: verbs and predicates. A name says what a function does or whether something holds. */
const verbs = new Set(
  `add admit align answer apply are ask assert bind blank breaks build can canonicalise capitalise carry catch
   challenge check choose classify clean collect combine compare compile compress compute confirm connect convert
   copy could count counts covers create cut decide decode decrypt decompress define delete describe detect diagnose diff
   differs digest edit emulate encode encrypt erase escape estimate evaluate exceeds exclude expand explain export extract fail
   fails fence fill find finish fits fix flow fold format free from get grants group guard guess has hide holds
   identify includes index infer intern intersects is join keep keeps lay leaves limit list listen load locate
   look looks mask match matches may means measure memoise merge names narrow needs negate normalise omit open order overlap
   overlaps overlay pad paint pair parse partition patch pause perform pick place plan pluralise print probe prune put quote
   read recognise record redact refuse remove removes render repeats replace report require resolve restore reveal rewind
   run save search send settle show shows sign skip sleep sort split spread start starts stop suggest summarise
   survey sync take takes to touches try unescape unite update validate wait waive wants warn watch weigh widen with
   without wrap write writes`.split(/\s+/),
);

/** Words of this project's own dialect that were replaced by the field's words, and what is said instead. */
const replaced: Readonly<Record<string, string>> = {
  letter: "message",
  letters: "messages",
  told: "explained",
  telling: "reporting",
  tells: "reports",
  said: "reported",
  judge: "evaluate",
  judged: "evaluated",
  judging: "semantics",
  judgement: "evaluation",
  way: "member, grant path",
  ways: "members, grant paths",
  midway: "intermediate",
  moment: "intermediate state",
  moments: "intermediate states",
  stake: "constraint",
  stakes: "constraints",
  atom: "fragment, cell",
  atoms: "fragments, cells",
  piece: "batch",
  pieces: "batches",
  lane: "sequence",
  lanes: "sequences",
  turn: "position",
  turns: "positions",
  entering: "blocked",
  lift: "waive",
  lifted: "waived",
  consent: "waiver",
  consents: "waivers",
  trap: "lint rule",
  traps: "lint rules",
  poison: "unloadable",
  poisoned: "unloadable",
  cure: "remedy",
  cures: "remedies",
  treatment: "remedy",
  ailment: "degradation",
  ailing: "degraded",
  ring: "cycle",
  rings: "cycles",
  veil: "redact",
  veiled: "redacted",
  fate: "outcome",
  fates: "outcomes",
  story: "explanation, scenario",
  stories: "scenarios",
  filed: "saved",
  meets: "matches",
  met: "matched",
  blanks: "spaces",
  capitals: "upper case",
  spelt: "written",
  spelling: "format",
  spoilt: "corrupt",
  mended: "fixed",
  mishap: "fault",
  shipped: "builtin",
  ours: "managed",
  applier: "applying identity",
  door: "adapter",
  doors: "adapters",
  room: "module",
  rooms: "modules",
  house: "architecture",
  world: "fixture",
  worlds: "fixtures",
  ground: "harness",
  law: "property",
  laws: "properties",
  nobody: "nothing, none",
  somebody: "principal",
  whoever: "principal",
};

/** Names that others chose: fields of recorded answers and of users that tests bring. */
const namesOfOthers: ReadonlyMap<string, readonly string[]> = new Map([
  ["world", ["test/support/recorded-access.ts", "test/unit/access/recorded-mappings.test.ts"]],
  [
    "shipped",
    [
      "test/support/recorded-access.ts",
      "test/unit/dialects/builtin.test.ts",
      "test/unit/emulator/products/releases.test.ts",
    ],
  ],
]);

describe("names", () => {
  const exported = files.flatMap((file) => exportsOf(file).map((one) => ({ ...one, file })));

  it("are exported once: no two files export the same name", () => {
    expect(exported.length).toBeGreaterThan(1500);
    const twice = exported.filter(({ name }, at) => exported.findIndex((other) => other.name === name) !== at);
    expect(twice).toEqual([]);
  });

  it("of functions start with a verb or a predicate", () => {
    const functions = exported.filter(({ kind }) => kind === "function");
    expect(functions.length).toBeGreaterThan(900);
    expect(functions.filter(({ name }) => !verbs.has(wordsOf(name)[0] ?? ""))).toEqual([]);
  });

  it("have no word that was replaced", () => {
    const all = [
      ...files.map((file) => `src/${file}`),
      ...listFiles(join(src, "../test"), /\.(ts|mjs)$/).map((file) => `test/${file}`),
    ].filter((file) => file !== "test/architecture.test.ts");
    const found = all.flatMap((file) => {
      const names = [...new Set(identifiersIn(readFileSync(join(src, "..", file), "utf8")))];
      const own = names.filter((name) => !(namesOfOthers.get(name) ?? []).some((place) => file.startsWith(place)));
      return [...own, file].flatMap((name) =>
        wordsOf(name).flatMap((word) =>
          Object.hasOwn(replaced, word) ? [`${file}: ${name} (say ${replaced[word]})`] : [],
        ),
      );
    });
    expect(found).toEqual([]);
  });
});

/** Words of the same dialect, and archaic ones, that comments, messages and schemas do not use. */
const unplain =
  /\b(told|tell(s|ing|able)|judge[ds]?|judging|midway|stakes?|atoms?|lanes?|lifted|consents?|traps?|poison(ed)?|ailments?|veil(ed)?|fates?|filed|stands|capitals|spelt|spoilt|mended|mishaps?|shipped|applier|somebody|whoever|thereof|untellable|anew|letters?)\b/gi;

/** Where one of them is right: the characters of a secret, the name of a setting or of a value, words of recordings. */
const unplainExceptions: readonly string[] = [
  "test/conformance/recorded/search-guard.ts: poison",
  "test/support/recorded-access.ts: shipped",
  "test/unit/dialects/builtin.test.ts: shipped",
  "test/unit/emulator/products/releases.test.ts: shipped",
  "test/unit/lint/proofs.test.ts: shipped",
  // Whom a source of logins signs in.
  "src/access/compare/login-children.ts: whoever",
  "src/access/compare/login-source.ts: whoever",
  "test/cli/authentication.test.ts: whoever",
  "src/secrets/repeats.ts: Letters",
  "src/secrets/repeats.ts: letters",
];

describe("prose", () => {
  it("of src, schemas and tests is plain", () => {
    const [schemas, tests] = [join(src, "../schemas"), join(src, "../test")];
    const all = [
      ...listFiles(tests, /\.(ts|mjs|md)$/).map((file) => `test/${file}`),
      ...files.map((file) => `src/${file}`),
      ...listFiles(schemas, /\.json$/).map((file) => `schemas/${file}`),
    ];
    const found = all.flatMap((file) => {
      if (file === "test/architecture.test.ts") return [];
      const words = readFileSync(join(src, "..", file), "utf8").match(unplain) ?? [];
      return [...new Set(words)].map((word) => `${file}: ${word}`);
    });
    expect(all.length).toBeGreaterThan(1000);
    expect(found.filter((each) => !unplainExceptions.includes(each))).toEqual([]);
  });
});

/** Exported functions, classes, types and constants. An arrow function is a function. */
function exportsOf(file: string): readonly { readonly name: string; readonly kind: "function" | "other" }[] {
  const source = withoutComments(read(file));
  const find = (pattern: RegExp, kindOf: (rest: string) => "function" | "other") =>
    [...source.matchAll(pattern)].map(([, name = "", rest = ""]) => ({ name, kind: kindOf(rest) }));
  const isArrow = (rest: string) =>
    /^[^=]*= (?:async )?(?:\(|\w+ =>)[^;]*=>/.test(rest) || /^ = (?:async )?\($/.test(rest);
  return [
    ...find(/^export (?:async )?function\*? (\w+)/gm, () => "function"),
    ...find(/^export (?:abstract )?(?:class|interface|type|enum) (\w+)/gm, () => "other"),
    ...find(/^export const (\w+)(.*)/gm, (rest) => (isArrow(rest) ? "function" : "other")),
  ];
}

/** Without what is inside of strings: that is prose, or what others chose. */
function identifiersIn(source: string): readonly string[] {
  const code = withoutComments(source)
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`[^`]*`/g, (text) => (text.match(/\$\{[^}]*\}/g) ?? []).join(" "))
    .replace(/(?<=[=(,:!&|?[]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, "");
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** `readStateFile` is read, state, file. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

function listFiles(folder: string, names: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

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

function moduleOf(file: string): string {
  return file.split("/")[0] as string;
}

/** Of a file in a module, the folder or file that it is in there. */
function folderOf(file: string): string {
  return file.split("/")[1] as string;
}

function rankOf(module: string): number {
  return ranks.findIndex((line) => line.includes(module));
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:") || specifier.startsWith("#")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function fits(adapter: string, file: string): boolean {
  return adapter.endsWith("/*") ? file.startsWith(adapter.slice(0, -1)) : adapter === file;
}

function read(file: string): string {
  return readFileSync(join(src, file), "utf8");
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
