import { afterEach, describe, expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";
import {
  findApplyingIdentity,
  findPlanningLogin,
  withOwnRoles,
} from "../../../src/engine/pipeline/applying-identity.ts";
import { Secret } from "../../../src/json/secret.ts";
import { connectToRead } from "../../../src/live/client/http.ts";
import type { Change } from "../../../src/model/change.ts";
import type { ApplyingIdentity, PlanningLogin } from "../../../src/model/identity.ts";
import type { InternalUsers } from "../../../src/model/internal-user.ts";
import type { Target } from "../../../src/model/target.ts";

const started: Emulator[] = [];
afterEach(async () => {
  for (const emulator of started.splice(0)) await emulator.close();
});

const loses = {
  family: "role_mappings",
  name: "all",
  action: "delete",
  reason: "declared",
  edits: [],
  before: { users: ["ci"] },
} as const satisfies Change;
const accessDiff: Change = { ...loses, action: "update", after: { users: ["ci", "bob"] } };
const anything: Target = { name: "t", state: [], vars: new Map(), families: {}, acceptFields: [] };
const ci = { name: "ci", password: "pass-ci", rights: "all", backendRoles: ["ops"] } as const;

const servers = {
  gate: { product: "gate", release: "7.x-43.0.0" },
  seven: { product: "search-guard", release: "7" },
  six: { product: "search-guard", release: "6" },
  open: { product: "opensearch", release: "2.19" },
} as const satisfies Record<string, EmulatorOptions>;

async function applyingIdentity(
  server: keyof typeof servers,
  target: Partial<Target>,
  { applies = true, change = loses as Change, certificate = undefined as string | undefined } = {},
): Promise<{
  readonly applyingIdentity: ApplyingIdentity | undefined;
  readonly requests: number;
  readonly planningLogin: PlanningLogin | undefined;
}> {
  const stated = servers[server];
  const state = { role_mappings: { all: { users: ["ci"] } } };
  const emulator = await startEmulator({ ...stated, state, users: [ci], adminHeader: "x-admin" });
  started.push(emulator);
  const password = new Secret("password", ci.password);
  const asked = {
    ...anything,
    ...target,
    url: emulator.url,
    ...(certificate
      ? { headers: { "x-admin": new Secret("certificate", certificate) } }
      : { auth: { kind: "basic", username: ci.name, password } as const }),
  };
  const reader = connectToRead(asked);
  try {
    const dialect = createDialect(stated.product, stated.release);
    const found = await findApplyingIdentity(
      { ...anything, ...target },
      { changes: [change], dialect, reader, applies },
    );
    const requests = emulator.requests.length;
    const planningLogin = await findPlanningLogin(asked, { changes: [change], dialect, reader });
    return { applyingIdentity: found, requests, planningLogin };
  } finally {
    await reader.close();
  }
}

const address = expect.stringMatching(/^[\d.:]+$/);

describe("who applies", () => {
  it.each([
    ["seven", ["SGS_ALL_ACCESS"]],
    ["six", ["sg_all_access"]],
    ["open", ["all_access", "security_rest_api_access"]],
  ] as const)("says the server itself: %s", async (server, adminRoles) => {
    const identity = { user: "ci", backendRoles: ["ops"], roles: ["all"], address };
    expect((await applyingIdentity(server, {})).applyingIdentity).toEqual({
      kind: "known",
      identities: [identity],
      adminRoles,
    });
  });

  it("says it even where gate-sync.yaml names another writer, who keeps the right, too", async () => {
    const root = { user: "root", backendRoles: [] };
    const target = { applyAs: root, adminRoles: ["all"] };
    const both = { identities: [{ user: "ci" }, root], adminRoles: ["all"] };
    expect((await applyingIdentity("open", target)).applyingIdentity).toMatchObject(both);
    const byCertificate = await applyingIdentity("open", target, { certificate: "CN=kirk" });
    expect(byCertificate.applyingIdentity).toMatchObject({ identities: [root] });
  });

  it("is not believed to be an administrator's certificate where the server says that it is none", async () => {
    expect((await applyingIdentity("open", { adminCertificate: true })).applyingIdentity).toMatchObject({
      kind: "known",
    });
  });

  it.each(["seven", "six", "open"] as const)("an administrator's certificate: %s", async (server) => {
    expect((await applyingIdentity(server, {}, { certificate: "CN=kirk" })).applyingIdentity).toEqual({
      kind: "admin-certificate",
    });
  });

  it("does not say who asks: gate", async () => {
    expect((await applyingIdentity("gate", {})).applyingIdentity).toEqual({ kind: "not-known" });
    const applyAs = { user: "ci", backendRoles: ["ops"] };
    expect((await applyingIdentity("gate", { applyAs })).applyingIdentity).toEqual({
      kind: "known",
      identities: [applyAs],
      adminRoles: [],
    });
    expect((await applyingIdentity("gate", { adminCertificate: true })).applyingIdentity).toEqual({
      kind: "admin-certificate",
    });
  });
});

describe("a run that only plans asks for no more than what internal users have", () => {
  const plans = { applies: false };
  it.each<[Partial<Target>, ApplyingIdentity["kind"], number]>([
    [{}, "checked-at-apply", 0],
    [{ applyAs: { user: "root", backendRoles: [] } }, "known", 1],
    [{ adminCertificate: true }, "admin-certificate", 0],
  ])("%j: %s", async (target, kind, requests) => {
    const explained = await applyingIdentity("open", target, plans);
    expect([explained.applyingIdentity?.kind, explained.requests]).toEqual([kind, requests]);
  });
});

describe("the login of a run that only plans", () => {
  const applyAs = { user: "root", backendRoles: [] };
  it("says the server, by its roles; gate says nothing, and its name is that of the login", async () => {
    const identity = { user: "ci", backendRoles: ["ops"], roles: ["all"], address };
    const found = await applyingIdentity("open", { applyAs });
    expect(found.planningLogin).toEqual({
      kind: "known",
      identity,
      adminRoles: ["all_access", "security_rest_api_access"],
    });
    expect((await applyingIdentity("gate", { applyAs })).planningLogin).toEqual({
      kind: "known",
      identity: { user: "ci", backendRoles: [] },
      adminRoles: [],
    });
    const nameless = { certificate: "CN=kirk" };
    expect((await applyingIdentity("gate", { applyAs }, nameless)).planningLogin).toEqual({ kind: "not-known" });
  });

  it("is nothing of its own where it is the one of gate-sync.yaml, or an administrator's certificate", async () => {
    const same = { applyAs: { user: "ci", backendRoles: [] } };
    expect((await applyingIdentity("open", same)).planningLogin).toBeUndefined();
    for (const server of ["seven", "six", "open"] as const) {
      const found = await applyingIdentity(server, { applyAs }, { certificate: "CN=kirk" });
      expect(found.planningLogin).toBeUndefined();
    }
  });
});

describe("what an internal user has of its own", () => {
  const own = { roles: ["all_access"], backendRoles: ["ops"] };
  const users: InternalUsers = { kind: "known", byName: new Map([["ci", own]]) };

  it("counts for whom gate-sync.yaml names", () => {
    expect(withOwnRoles({ user: "ci", backendRoles: ["hr"] }, users)).toEqual({
      user: "ci",
      backendRoles: ["hr", "ops"],
      ownRoles: ["all_access"],
    });
    const other = { user: "root", backendRoles: [] };
    expect(withOwnRoles(other, users)).toEqual(other);
  });

  it("counts for who asks as far as the server says the same", () => {
    const seen = { user: "ci", backendRoles: ["hr"], roles: ["reader"] };
    expect(withOwnRoles(seen, users)).toEqual({ ...seen, ownRoles: [] });
    const both = { ...seen, roles: ["all_access", "reader"] };
    expect(withOwnRoles(both, users)).toEqual({ ...both, ownRoles: ["all_access"] });
  });

  it("is unknown where internal users cannot be read", () => {
    const why = "the server answers 403";
    const identity = { user: "ci", backendRoles: [] };
    expect(withOwnRoles(identity, { kind: "unread", why })).toEqual({ ...identity, mayHaveMore: why });
  });
});

it("where no one can lose anything, no one is asked", async () => {
  expect(await applyingIdentity("open", {}, { change: accessDiff })).toEqual({
    applyingIdentity: undefined,
    requests: 0,
    planningLogin: undefined,
  });
});
