// Every setting of the audit configuration that a release has: what is put is shown again, is drift where the files leave it out, and
// is exported; what is left out comes to the server's own default.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { listLackedSettings } from "../../src/dialects/audit.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import type { Field } from "../../src/families/facts.ts";
import { factsOf } from "../../src/families/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { gateSyncWithin } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "gate-sync-audit-"));
afterAll(() => rmSync(folder, { recursive: true }));

function createOther(fields: Readonly<Record<string, Field>>, lacked: readonly string[]): JsonObject {
  const own = Object.entries(fields).filter(([name]) => !lacked.includes(name));
  return Object.fromEntries(own.map(([name, field]) => [name, getOther(field, lacked)]));
}

/** No default of any release. */
function getOther(field: Field, lacked: readonly string[]): Json {
  if (field.kind === "settings") return createOther(field.element ?? {}, lacked);
  if (field.kind === "flag") return field.default !== true;
  if (field.kind === "lists") return { one: ["a"] };
  return field.upperCase ? ["BAD_HEADERS"] : ["a"];
}

function listPaths(value: JsonObject, path = ""): readonly string[] {
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === "object" && item !== null && !Array.isArray(item) && name !== "action_groups"
      ? listPaths(item as JsonObject, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

test.each(["2.11", "2.19", "3.7", "3.8", "3.9"])("of OpenSearch %s", async (release) => {
  const emulator = await startEmulator({ product: "opensearch", release });
  const cwd = mkdtempSync(join(folder, "target-"));
  const file = join(cwd, "state.yml");
  const declare = (config: JsonObject) => writeFileSync(file, stringify({ audit: { config } }));
  const run = (line: string) => gateSyncWithin(line.split(" "), { cwd, env: {} });
  try {
    const families = { audit: { mode: "manage" } };
    const target = { url: emulator.url, product: "opensearch", release, state: ["state.yml"], families };
    writeFileSync(join(cwd, "gate-sync.yaml"), JSON.stringify({ targets: { t: target } }));
    for (const config of [
      { enabled: true },
      { audit: {}, enabled: true },
      { audit: { ignore_users: ["b"] }, compliance: {} },
    ]) {
      declare(config);
      await run("apply --yes");
      const left = await run("drift");
      expect(left.code, left.stdout + left.stderr).toBe(0);
    }
    const other = createOther(factsOf.audit.fields, listLackedSettings(release));
    declare(other);
    const { stdout, stderr } = await run("apply --yes");
    const applied = await run("drift");
    expect(applied.code, stdout + stderr + applied.stdout).toBe(0);

    declare({ enabled: true });
    const drifted = await run("drift --format json");
    const { differences } = JSON.parse(drifted.stdout);
    expect(differences, stdout + drifted.stdout).toHaveLength(1);
    const edited = differences[0].edits.map(({ path }: { path: readonly string[] }) => `${path.join(".")}.`);
    const paths = listPaths(other);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !edited.some((one: string) => one.startsWith(path)))).toEqual([]);

    await run("export --family audit --out exported");
    const exported = readFileSync(join(cwd, "exported/audit.yml"), "utf8");
    expect(paths.filter((path) => !exported.includes(`${path.split(".").at(-1)}:`))).toEqual([]);

    declare(createOther(factsOf.audit.fields, []));
    const refused = await run("validate");
    for (const name of listLackedSettings(release)) expect(refused.stdout).toContain(`has no audit.${name}`);
    expect(refused.code).toBe(listLackedSettings(release).length === 0 ? 0 : 3);
  } finally {
    await emulator.close();
  }
});
