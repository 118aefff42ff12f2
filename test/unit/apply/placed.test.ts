// What a server objects to is shown where the files ask for it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { startEmulator } from "../../../src/emulator/index.ts";
import type { Product } from "../../../src/model/plan.ts";
import { applyPlan, openWorkspace } from "../../support/workspace.ts";

interface Asked {
  readonly product?: Product;
  readonly release?: string;
  readonly text: string;
  readonly acceptFields?: readonly string[];
  readonly answer?: { readonly status: number; readonly body: string };
  readonly env?: Readonly<Record<string, string>>;
}

/** What is reported of the first write: place and words of each diagnostic. */
async function refused({ product = "search-guard", release = "7", text, acceptFields = [], answer, env = {} }: Asked) {
  const server = await startEmulator({ product, release });
  const workspace = openWorkspace();
  try {
    writeFileSync(
      join(workspace.folder, "gate-sync.yaml"),
      JSON.stringify({ targets: { t: { accept_fields: acceptFields } } }),
    );
    workspace.write([["state.yml", text]]);
    const planned = await workspace.plan(server.url, { product, release, env });
    if (answer) server.fault = ({ method }) => (method === "GET" ? undefined : { at: "before", answer });
    const { outcomes } = await applyPlan(planned);
    expect(outcomes[0]?.kind).toBe("failed");
    return (outcomes[0]?.diagnostics ?? []).map(({ range, what, why = "" }) => {
      return `${range ? formatLocation(range) : ""} ${what}${why && ` ${why}`}`.replace(/^.*access/, "access");
    });
  } finally {
    workspace.close();
    await server.close();
  }
}

const strange = "roles:\n  r:\n    frobnicate: 1\n    cluster_permissions: [x:y]\n";

test.for([
  ["search-guard", "6"],
  ["search-guard", "7"],
  ["opensearch", "2"],
] as const)("a field that %s %s does not know, at its key", async ([product, release]) => {
  expect(await refused({ product, release, text: strange, acceptFields: ["frobnicate"] })).toEqual([
    'access/state.yml:3:5 The role "r": this server knows no field "frobnicate".',
  ]);
});

test("a field below the top, in whichever of many entries it is", async () => {
  const role = (name: string, more = "") =>
    `  ${name}:\n    index_permissions:\n      - {index_patterns: [a], allowed_actions: [READ]${more}}\n`;
  const text = `roles:\n${role("a")}${role("b", ", frobnicate: 1")}`;
  expect(await refused({ text, acceptFields: ["frobnicate"] })).toEqual([
    'access/state.yml:7:56 The role "b": this server knows no field "frobnicate".',
  ]);
});

test("the type of a field, and what the server expects", async () => {
  const body = '{"status":"error","reason":"Wrong datatype","users":"Array expected"}';
  const text = "role_mappings:\n  m:\n    users: [u]\n";
  expect(await refused({ text, answer: { status: 400, body } })).toEqual([
    'access/state.yml:3:5 The role mapping "m": this server expects another type of "users". The server says: Array expected.',
  ]);
});

test("what is missing, at the entry", async () => {
  const body =
    '{"status":"error","reason":"Invalid configuration","missing_mandatory_keys":{"keys":"allowed_actions"}}';
  const text = "action_groups:\n  g:\n    allowed_actions: [x:y]\n";
  expect(await refused({ text, answer: { status: 400, body } })).toEqual([
    'access/state.yml:2:3 The action group "g": this server misses "allowed_actions".',
  ]);
});

test("a mapping of a role that is not there", async () => {
  const answer = { status: 404, body: `{"status":"NOT_FOUND","message":"role 'n' not found."}` };
  const text = "role_mappings:\n  m: {users: [u]}\n  n: {users: [u]}\n";
  expect(await refused({ text, answer })).toEqual([
    'access/state.yml:3:3 The role mapping "n": this server has no role of that name, and maps none that it does not have.',
  ]);
});

test("nothing where the answer says nothing of the body", async () => {
  expect(await refused({ text: "tenants: {t: {}}\n", answer: { status: 413, body: "" } })).toEqual([]);
});
