// What export writes declares just what the server holds: planning against it right after finds nothing to do.
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { InitialState } from "../../src/emulator/index.ts";
import { findState } from "../../src/engine/init.ts";
import { connectToRead, exportState, RunError } from "../../src/index.ts";
import type { JsonObject } from "../../src/json/value.ts";
import type { Family } from "../../src/model/names.ts";
import { type Fixture, generateFixture, randomFrom, smallFixtures, quotedTexts as texts } from "../fixtures/index.ts";
import { families as strictFamilies } from "../support/strict/forms.ts";
import { userMessageOf } from "./cycle.ts";
import { useHarness } from "./harness.ts";
import { seed, seeds } from "./seed.ts";

const harness = useHarness();

interface Asked {
  readonly oneFile?: boolean;
  readonly withConfig?: boolean;
  /** Values of the references that represent secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Exports what the server holds into an empty folder and plans against it: what is pending then, and what was said. */
async function pendingAfterExport(state: InitialState, { oneFile = false, withConfig = false, env = {} }: Asked = {}) {
  const { emulator, workspace } = harness();
  emulator.replaceState(state);
  const families: readonly Family[] = withConfig ? [...strictFamilies, "config"] : strictFamilies;
  const exported = await exportState({ ...workspace.request(emulator.url), families, oneFile }, connectToRead);
  expect(exported.files.length).toBeGreaterThan(0);
  workspace.write(exported.files.map(({ name, text }) => [name, text]));
  const { plan } = await workspace.plan(emulator.url, { env }).catch(withDiagnostics);
  const pending = plan.changes.filter(({ action }) => action !== "leave");
  return {
    pending: pending.map(({ family, name, action, edits }) => ({ family, name, action, edits })),
    requests: plan.operations.map(({ method, path }) => `${method} ${path}`),
    secrets: exported.secrets,
  };
}

/** The characters themselves into the message of a failing test. */
function withDiagnostics(error: unknown): never {
  throw error instanceof RunError ? new Error(userMessageOf(error), { cause: error }) : error;
}

const nothing = { pending: [], requests: [], secrets: [] };

async function check({ live, seed: made }: Fixture, asked: Asked = {}) {
  const state = { ...Object.fromEntries(live.resources), ...(live.config && { config: live.config }) };
  expect(await pendingAfterExport(state, asked), made).toEqual(nothing);
}

test.each(seeds(8))("a random fixture with its config, seed %i", async (each) => {
  const fixture = generateFixture({ seed: each, size: each % 2 === 0 ? 40 : 7, nastyNames: 0.4, config: "in-sync" });
  await check(fixture, { withConfig: true, oneFile: each % 3 === 0 });
});

/** What `init` writes beside files that declare some of the entries, in the two files. */
async function exportTheRest({ live, seed: made }: Fixture, isDeclared: (at: number) => boolean) {
  const { emulator, workspace } = harness();
  emulator.replaceState(Object.fromEntries(live.resources));
  const request = { ...workspace.request(emulator.url), families: strictFamilies, oneFile: true };
  const [whole] = (await exportState(request, connectToRead)).files;
  const sections: JsonObject = parse(whole?.text ?? "", { maxAliasCount: -1 });
  let at = 0;
  const some = Object.entries(sections).map(([family, entries]) => [
    family,
    Object.fromEntries(Object.entries(entries as JsonObject).filter(() => isDeclared(at++))),
  ]);
  workspace.write([["own.json", JSON.stringify(Object.fromEntries(some))]]);
  const found = await findState(workspace.request(emulator.url));
  expect(found?.isWhole, made).toBe(true);
  const [rest] = (await exportState({ ...request, ...found }, connectToRead)).files;
  workspace.write([
    ["own.json", JSON.stringify(Object.fromEntries(some))],
    ["rest.yml", rest?.text ?? ""],
  ]);
  const { plan } = await workspace.plan(emulator.url).catch(withDiagnostics);
  const count = (text = "") =>
    Object.values(parse(text) ?? {}).reduce<number>((sum, entries) => sum + Object.keys(entries as object).length, 0);
  return {
    pending: plan.changes.filter(({ action }) => action !== "leave").map(({ family, name }) => `${family}/${name}`),
    entries: [at, at - count(rest?.text)],
  };
}

test.each(seeds(8))("files that declare a part, and the rest beside them, seed %i", async (each) => {
  const fixture = generateFixture({ seed: each, size: 20, nastyNames: 0.4 });
  const random = randomFrom(each);
  const isDeclared = Array.from({ length: 1000 }, () => random.chance(0.5));
  const { pending, entries } = await exportTheRest(fixture, (at) => isDeclared[at] ?? false);
  expect(pending, fixture.seed).toEqual([]);
  expect(entries[1]).toBe(isDeclared.slice(0, entries[0]).filter(Boolean).length);
});

test(`a sample of the small fixtures, seed ${seed}`, async () => {
  const fixtures = [...smallFixtures({ conflicts: false, seed })].filter(hasOpenResource);
  for (let index = seed % 11; index < fixtures.length; index += 11) await check(fixtures[index] as Fixture);
});

function hasOpenResource({ expected }: Fixture): boolean {
  const open = new Set(["update", "delete", "in-sync", "unmanaged"]);
  return [...expected.values()].some((changeOutcomes) =>
    [...changeOutcomes.values()].some((changeOutcome) => open.has(changeOutcome)),
  );
}

/** Every text in every place that takes any. */
function stateOfTexts(): InitialState {
  const named = (make: (text: string) => JsonObject) => new Map(texts.map((text, index) => [`n${index}`, make(text)]));
  const permission = (text: string) => ({ index_patterns: ["i"], dls: text, fls: [text], allowed_actions: [text] });
  return {
    tenants: new Map([...named((description) => ({ description })), ...texts.map((text) => [text, {}] as const)]),
    roles: named((text) => ({ cluster_permissions: [text, "a"], index_permissions: [permission(text)] })),
    role_mappings: named((text) => ({ users: [text], backend_roles: ["a", text], description: text })),
    action_groups: named((text) => ({ allowed_actions: [text] })),
    blocks: named((text) => ({ type: "name", value: text, verdict: "disallow", description: text })),
  };
}

test.each([false, true])("texts that have to be quoted, in one file: %s", async (oneFile) => {
  expect(await pendingAfterExport(stateOfTexts(), { oneFile })).toEqual(nothing);
});

test("secrets of the config become references, each to a variable of its own", async () => {
  const backend = (config: JsonObject) => ({ authentication_backend: { type: "ldap", config } });
  const authc = {
    ldap: {
      order: 1,
      ...backend({
        bind_dn: "cn=admin",
        password: "canary-1",
        hosts: ["a:389", "ldap://ann:canary-5@b"],
        note: "${env:HOME}",
      }),
    },
    jwt: { order: 0, http_authenticator: { type: "jwt", config: { signing_key: "canary-2" } } },
    "l-dap": { order: 2, ...backend({ password: "canary-3" }) },
    "l.dap": { order: 3, ...backend({ password: "" }) },
    "l:dap": { order: 4, ...backend({ password: "canary-4" }) },
  };
  const config = { dynamic: { authc, license: "stays where it is", x_vendor: { password: "stays, too" } } };
  const env = {
    SECRET_AUTHC_JWT_HTTP_AUTHENTICATOR_CONFIG_SIGNING_KEY: "canary-2",
    SECRET_AUTHC_L_DAP_AUTHENTICATION_BACKEND_CONFIG_PASSWORD: "canary-3",
    SECRET_AUTHC_L_DAP_AUTHENTICATION_BACKEND_CONFIG_PASSWORD_2: "canary-4",
    // As it is found by what it looks like.
    SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_HOSTS_1: "ldap://ann:canary-5@b",
    SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_PASSWORD: "canary-1",
  };
  const found = await pendingAfterExport({ config, tenants: { t: {} } }, { withConfig: true, env });
  expect({ ...found, secrets: [...found.secrets].sort() }).toEqual({ ...nothing, secrets: Object.keys(env).sort() });
});
