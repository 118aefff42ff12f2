// Whatever part of a config is declared: applied to a server that fills in its defaults, the next plan has nothing to do.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ConfigFields, getConfigFields } from "../../src/dialects/config-fields.ts";
import { assumedRelease, createDialect } from "../../src/dialects/index.ts";
import { apply, connectToRead, connectToWrite, plan, startEmulator } from "../../src/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";

const folder = mkdtempSync(join(tmpdir(), "gate-sync-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const domains: readonly JsonObject[] = [
  {},
  { http_enabled: false },
  { order: 3 },
  { http_authenticator: {} },
  { http_authenticator: { type: "basic" } },
  { http_authenticator: { challenge: false } },
  { authentication_backend: {} },
  ...["intern", "internal", "noop"].map((type) => ({ authentication_backend: { type } })),
  { authentication_backend: { type: "ldap", config: { hosts: ["h:1"], verify_hostnames: true } } },
  { description: "d", http_authenticator: { type: "basic", config: {} }, authentication_backend: { config: {} } },
];

const authorizations: readonly JsonObject[] = [
  {},
  { http_enabled: false },
  { authorization_backend: {} },
  { authorization_backend: { type: "ldap" } },
];

const listeners: readonly JsonObject[] = [{}, { type: "ip" }, { type: "ip", allowed_tries: 3 }];

function named(each: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(each.map((one, index) => [`d${index}`, one]));
}

/** Each child of `dynamic` by itself, with each of its fields by itself and with none. */
function* declarations(fields: ConfigFields): Generator<JsonObject> {
  yield { authc: named(domains) };
  yield { authz: named(authorizations) };
  yield { auth_failure_listeners: named(listeners) };
  yield { http: { xff: {} } };
  yield { http: { xff: { enabled: true } } };
  for (const child of ["kibana", "http", "on_behalf_of"]) {
    const known = fields[child];
    if (typeof known !== "object") continue;
    yield { [child]: {} };
    for (const name of Object.keys(known)) {
      const value = values[name];
      if (value !== undefined) yield { [child]: { [name]: value } };
    }
  }
}

const values: Readonly<Record<string, Json>> = {
  multitenancy_enabled: false,
  private_tenant_enabled: false,
  default_tenant: "t",
  server_username: "s",
  index: ".k",
  sign_in_options: ["OPENID"],
  anonymous_auth_enabled: true,
  enabled: true,
};

test.each([
  ["opensearch", assumedRelease.opensearch],
  ["search-guard", "7.x-38"],
] as const)("on %s %s", async (product, release) => {
  const emulator = await startEmulator({ product, release, allowConfigModification: true });
  try {
    writeFileSync(
      join(folder, "gate-sync.yaml"),
      `targets: {t: {url: "${emulator.url}", product: ${product}, release: "${release}"}}\n`,
    );
    const request = { cwd: folder, env: {}, flags: { statePaths: ["state.json"] }, allowed: waivableRules };
    const left: string[] = [];
    for (const dynamic of declarations(getConfigFields(createDialect(product, release)) ?? {})) {
      emulator.replaceState({});
      writeFileSync(join(folder, "state.json"), JSON.stringify({ config: { dynamic } }));
      const planned = await plan(request, { connect: connectToRead });
      const { outcomes } = await apply(planned, connectToWrite, { settled: () => {}, stopped: () => false });
      expect(
        outcomes.filter(({ kind }) => kind !== "done"),
        JSON.stringify(dynamic),
      ).toEqual([]);
      const again = await plan(request, { connect: connectToRead });
      if (again.plan.operations.length > 0) left.push(JSON.stringify(dynamic));
    }
    expect(left).toEqual([]);
  } finally {
    await emulator.close();
  }
});
