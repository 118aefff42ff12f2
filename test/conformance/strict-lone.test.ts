// One change and nothing else, in each of the seven resources, against a server that knows nothing but api.md.
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { type Expected, type Fixture, generateFixture } from "../fixtures/index.ts";
import { wrongs } from "../properties/oracle.ts";
import { seeds } from "../properties/seed.ts";
import { license } from "../support/license.ts";
import { type FamilyName, families as strictFamilies } from "../support/strict/forms.ts";
import { isMap } from "../support/strict/json.ts";
import { type StrictServer, startStrictServer } from "../support/strict-server.ts";
import { applyPlan, filesOf } from "../support/workspace.ts";
import { linesOf, play, rawOf, useWorkspace, type Variant } from "./play.ts";

const workspace = useWorkspace();

const values: Readonly<Record<FamilyName, readonly [JsonObject, JsonObject]>> = {
  action_groups: [{ allowed_actions: ["read"] }, { allowed_actions: ["read", "write"] }],
  tenants: [{ description: "one" }, { description: "" }],
  roles: [
    { cluster_permissions: ["cluster:monitor/main"] },
    {
      index_permissions: [{ index_patterns: ["i"], dls: '{"term": {"a": 1}}', fls: ["a"], allowed_actions: ["read"] }],
    },
  ],
  role_mappings: [{ users: ["ann"] }, { backend_roles: ["CN=staff,DC=example"], hosts: ["*.example.com"] }],
  blocks: [
    { type: "ip", value: "10.0.0.1", verdict: "disallow" },
    { type: "net_mask", value: "10.0.0.0/8", verdict: "disallow", description: "all of it" },
  ],
};
const recordIn = (text: string): Json => JSON.parse(Buffer.from(text, "base64").toString("utf8"));
const segments = {
  action_groups: "actiongroups",
  tenants: "tenants",
  roles: "roles",
  role_mappings: "rolesmapping",
  blocks: "blocks",
};

const methods = [
  ["create", "PUT"],
  ["update", "PATCH"],
  ["delete", "DELETE"],
] as const;
const lone = strictFamilies.flatMap((family) => methods.map(([what, method]) => ({ family, what, method })));

const variants: readonly Variant[] = [
  {},
  { defaults: "filled" },
  { defaults: "omitted", patchSees: "stored", patchAnswer: "empty", putCreates: 201 },
];

/** One change, of a name that needs escapes in a URL, beside a resource that stays as it is. */
function loneFixture(family: FamilyName, what: "create" | "update" | "delete", from: Json, to: JsonObject): Fixture {
  const [name, other] = ["a b+ü", "stays"];
  const live = new Map<string, Json>([...(what === "create" ? [] : [[name, from] as const]), [other, from]]);
  const kept = isMap(from) ? from : { allowed_actions: from };
  const desired = new Map([...(what === "delete" ? [] : [[name, to] as const]), [other, kept]]);
  const changeOutcomes = new Map<string, Expected>([
    [name, what],
    [other, "in-sync"],
  ]);
  return {
    seed: `a lone ${what} in ${family}`,
    desired: { resources: new Map([[family, desired]]) },
    live: { resources: new Map([[family, live]]) },
    exclude: [],
    expected: new Map([[family, changeOutcomes]]),
    layout: "lone",
  };
}

describe.each(["7.x-43.0.0", "6.x-25"] as const)("a lone change, release %s", (release) => {
  const explained = { product: "gate", release } as const;
  test.each(lone)("$what in $family is a $method of that resource", async ({ family, what, method }) => {
    const wire = (value: JsonObject): Json =>
      family === "action_groups" && release === "6.x-25" ? (value.allowed_actions ?? []) : value;
    for (const variant of variants) {
      for (const [from, to] of [values[family], values[family].toReversed()] as const) {
        const fixture = loneFixture(family, what, wire(from ?? {}), to ?? {});
        const { server, before } = await play(workspace(), fixture, { release, ...variant }, { explained });
        expect(linesOf(server.writes)).toEqual([`${method} /_gate/api/${segments[family]}/a%20b%2B%C3%BC`]);
        expect(wrongs(fixture, before, rawOf(server))).toEqual([]);
      }
    }
  });
});

describe("config and license alone", () => {
  const nothing = generateFixture({ seed: 1, size: 0, families: [], serverOwned: false, unmanaged: 0 });

  test.each(seeds(12))("config, seed %i", async (seed) => {
    const fixture = generateFixture({ seed, size: 0, families: [], serverOwned: false, config: "drift" });
    const { server, before } = await play(workspace(), fixture, {});
    expect(linesOf(server.writes)).toEqual(["PUT /_gate/api/gate_config"]);
    expect(wrongs(fixture, before, rawOf(server))).toEqual([]);
  });

  test("config that may not be changed: nothing is, and the message names the setting", async () => {
    const fixture = generateFixture({ seed: 1, size: 2, drift: 1, config: "drift" });
    workspace().write(filesOf(fixture));
    const server = await startStrictServer({ state: fixture.live });
    const before = JSON.stringify(jsonOf(server));
    const report = await applyPlan(await workspace().plan(server.url));
    await server.close();
    const config = report.outcomes.find(({ operation }) => operation.family === "config");
    expect(config).toMatchObject({ kind: "failed", status: 405 });
    expect(config?.detail).toContain("gate.unsupported.restapi.allow_gateconfig_modification");
    expect(server.violations).toEqual([]);
    // It goes first where it decides no login, last where it does.
    const isFirst = report.outcomes[0] === config;
    expect(report.outcomes.filter(({ kind }) => kind === "done")).toHaveLength(
      isFirst ? 0 : report.outcomes.length - 1,
    );
    if (isFirst) expect(JSON.stringify(jsonOf(server))).toBe(before);
  });

  const text = license("mine");
  const opaque = "an opaque text";
  const rows: readonly (readonly [what: string, held: Json | undefined, wanted: string, write: boolean])[] = [
    ["none", undefined, text, true],
    ["none, of a text that cannot be read", undefined, opaque, true],
    ["the same", recordIn(text), text, false],
    ["the same, under a key", { gate_license: recordIn(text) }, text, false],
    ["another", recordIn(license("other")), text, true],
    ["one that it says nothing of", { installed: true }, text, false],
    ["one, and the text cannot be read", recordIn(text), opaque, false],
  ];
  test.each(rows)("a server that has %s", async (_what, held, wanted, write) => {
    for (const notFoundBody of [true, false]) {
      const fixture = { ...nothing, live: { ...nothing.live, ...(held !== undefined && { license: held }) } };
      const variant = { notFoundBody, showLicense: wanted === text ? recordIn : () => ({ installed: true }) };
      const { server } = await play(workspace(), fixture, variant, { files: licensed(wanted) });
      expect(server.writes.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual(
        write ? [["PUT", "/_gate/api/license/", { gate_license: wanted }]] : [],
      );
    }
  });

  test("a license that the server refuses", async () => {
    workspace().write(filesOf(nothing, licensed("expired")));
    const server = await startStrictServer({ state: nothing.live });
    const report = await applyPlan(await workspace().plan(server.url));
    await server.close();
    expect(report.outcomes.map(({ kind, status }) => [kind, status])).toEqual([["failed", 400]]);
    expect(server.violations).toEqual([]);
  });
});

function licensed(text: string): Record<string, Json> {
  return { "license.json": { license: { text } } };
}

function jsonOf(server: StrictServer): Json {
  const { resources, config = null } = server.state();
  return [config, ...[...resources].map(([family, entries]) => [family, Object.fromEntries(entries)])];
}
