// Every field of the config that a release has, each by itself: what is put is shown again, declared it comes to nothing else, and
// changed by hand it is drift, exported and taken into the file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { getConfigFields } from "../../src/dialects/config-fields.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import type { ConfigPlace } from "../../src/families/config.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import type { Product } from "../../src/model/plan.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import { isSecretField } from "../../src/secrets/config-fields.ts";
import { gateSyncWithin } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "gate-sync-config-fields-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Those between which fields came. */
const releases = [
  ["search-guard", "7.x-38"],
  ["search-guard", "7.x-40"],
  ["search-guard", "7.x-53"],
  ["opensearch", "1"],
  ["opensearch", "2.6"],
  ["opensearch", "2.11"],
  ["opensearch", "2.13"],
  ["opensearch", "2.19"],
  ["opensearch", "3.6"],
  ["opensearch", "3.7"],
  ["opensearch", "3.8"],
] as const;

interface KnownField {
  readonly path: readonly string[];
  readonly place: ConfigPlace;
}

/** Those that are no text of another endpoint, and that servers keep. */
function listFields(product: Product, release: string): readonly KnownField[] {
  const dialect = createDialect(product, release);
  const fields = getConfigFields(dialect) ?? {};
  return listBelow({ kind: "object", fields }, ["dynamic"]).filter(
    ({ path }) => path.at(-1) !== "license" && !dialect.config.forgets?.includes(path.at(-1) ?? ""),
  );
}

function listBelow(place: ConfigPlace, path: readonly string[]): readonly KnownField[] {
  if (place.kind === "named") return listBelow(place.each, [...path, "one"]);
  if (place.kind !== "object") return [{ path, place }];
  return Object.entries(place.fields).flatMap(([name, below]) => listBelow(below, [...path, name]));
}

/** Texts, but compared as settings of unknown types are. */
const keys = ["signing_key", "encryption_key"];
const isSecret = ({ path }: KnownField): boolean => isSecretField(path.at(-1) ?? "");

/** The default of servers, or some value where there is none. */
function getUsual({ path, place }: KnownField): Json {
  if (path.at(-1) === "type") return types[path[1] ?? ""]?.[0] ?? "noop";
  if (keys.includes(path.at(-1) ?? "")) return "eA==";
  if (place.kind === "list") return ["x"];
  if (place.kind === "free") return { a_setting: "x" };
  return place.kind === "text" || place.kind === "boolean" || place.kind === "integer"
    ? ((place.default as Json | undefined) ?? "x")
    : null;
}

function getOther(field: KnownField): Json {
  const { path, place } = field;
  if (path.at(-1) === "type") return types[path[1] ?? ""]?.[1] ?? "ldap";
  if (path.at(-1) === "privileges_evaluation_type") return "v4";
  if (keys.includes(path.at(-1) ?? "")) return "eQ==";
  if (place.kind === "boolean") return place.default !== true;
  if (place.kind === "integer") return 7;
  if (place.kind === "list") return ["y", "z"];
  return place.kind === "free" ? { a_setting: "y" } : "y";
}

/** Of what servers load. */
const types: Readonly<Record<string, readonly [string, string]>> = {
  auth_failure_listeners: ["ip", "username"],
};

function createConfig(fields: readonly KnownField[], getValue: (field: KnownField) => Json): JsonObject {
  return fields.reduce<JsonObject>((config, field) => setAt(config, field.path, getValue(field)), {});
}

function setAt(object: JsonObject, [name = "", ...rest]: readonly string[], value: Json): JsonObject {
  const below = (object[name] ?? {}) as JsonObject;
  return { ...object, [name]: rest.length === 0 ? value : setAt(below, rest, value) };
}

describe.each(releases)("%s %s", (product, release) => {
  test("each field is kept by the server, is drift, and is exported and taken into the file", async () => {
    const fields = listFields(product, release);
    expect(fields.length).toBeGreaterThan(30);
    const usual = createConfig(fields, getUsual);
    const other = createConfig(fields, getOther);
    const emulator = await startEmulator({ product, release, allowConfigModification: true, state: { config: usual } });
    const cwd = mkdtempSync(join(folder, "target-"));
    const file = join(cwd, "config.yml");
    const declare = (config: JsonObject) => writeFileSync(file, stringify({ config }));
    const run = (line: string) => gateSyncWithin(line.split(" "), { cwd, env: {} });
    try {
      const target = { url: emulator.url, product, release, state: ["config.yml"] };
      writeFileSync(join(cwd, "gate-sync.yaml"), JSON.stringify({ targets: { t: target } }));
      const apply = () => run(`apply --yes ${waived}`);
      declare(other);
      const { stdout, stderr } = await apply();
      const applied = await run("drift");
      expect(applied.code, stdout + stderr + applied.stdout).toBe(0);

      // What is changed by hand is what differs from what was applied last.
      const withoutSecrets = createConfig(fields, (field) => (isSecret(field) ? getOther(field) : getUsual(field)));
      declare(withoutSecrets);
      await apply();
      emulator.replaceState({ config: other });
      declare(usual);
      const { differences } = JSON.parse((await run("drift --format json")).stdout);
      const edited: readonly string[] = differences[0].edits.map(({ path }: KnownField) => `${path.join(".")}.`);
      const unseen = fields.filter(({ path }) => !edited.some((one) => one.startsWith(`${path.join(".")}.`)));
      expect(unseen).toEqual([]);

      await run("export --family config --out exported");
      const exported = readFileSync(join(cwd, "exported/config.yml"), "utf8");
      expect(fields.filter(({ path }) => !exported.includes(`${path.at(-1)}:`))).toEqual([]);

      declare(withoutSecrets);
      const updated = await run("export --update --family config");
      expect(parse(readFileSync(file, "utf8")), updated.stdout + updated.stderr).toEqual({ config: other });
    } finally {
      await emulator.close();
    }
  });
});

const waived = waivableRules.map((rule) => `--allow ${rule}`).join(" ");
