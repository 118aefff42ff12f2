import { afterEach, describe, expect, it } from "vitest";
import { type Emulator, type EmulatorOptions, type EmulatorUser, startEmulator } from "../../../src/emulator/index.ts";
import { diagnose } from "../../../src/engine/doctor.ts";
import { Secret } from "../../../src/json/secret.ts";
import { connectToRead } from "../../../src/live/client/http.ts";
import type { Diagnosis } from "../../../src/model/doctor.ts";
import type { Family } from "../../../src/model/names.ts";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

const password = "Tuesday-9";

interface Asked {
  readonly families?: readonly Family[];
  /** In place of a client certificate of that name. */
  readonly certificate?: string;
  readonly stated?: Pick<EmulatorOptions, "product" | "release">;
  readonly fault?: Emulator["fault"];
}

async function diagnosed(
  { users, ...options }: EmulatorOptions,
  { families, certificate, stated, fault }: Asked = {},
): Promise<Diagnosis> {
  emulator = await startEmulator({ ...options, ...(users && { users }), adminHeader: "x-admin" });
  if (fault) emulator.fault = fault;
  const [user] = users ?? [];
  const env = user && !certificate ? { GATE_SYNC_USERNAME: user.name, GATE_SYNC_PASSWORD: user.password } : {};
  const request = {
    cwd: "/",
    env,
    flags: { statePaths: [], url: emulator.url, ...stated },
    ...(families && { families }),
  };
  const headers = certificate === undefined ? {} : { headers: { "x-admin": new Secret("t", certificate) } };
  return diagnose(request, (target) => connectToRead({ ...target, ...headers }));
}

function user(rest: Partial<EmulatorUser> = {}): readonly EmulatorUser[] {
  return [{ name: "ci", password, rights: "all", ...rest }];
}

/** `roles: read and write`, one line for each family that is there. */
function rightsOf({ families }: Diagnosis): Readonly<Record<string, string>> {
  const there = families.filter(({ state }) => state !== "absent");
  return Object.fromEntries(there.map(({ family, state, read, write }) => [family, `${state} ${read} ${write}`]));
}

const state = { roles: { r: { cluster_permissions: ["a"] } }, tenants: { t: {}, u: {} } };
const seven = { product: "search-guard", release: "7", state } as const;
const six = { product: "search-guard", release: "6" } as const;
const open = { product: "opensearch", release: "2.19", state } as const;
const everything = "readable yes yes";

describe("who we are, and what we may do", () => {
  it("as a role says it", async () => {
    const diagnosis = await diagnosed({ ...seven, users: user({ roles: ["SGS_ALL_ACCESS"] }) });
    expect(diagnosis.caller).toEqual({
      name: "ci",
      identity: { user: "ci", backendRoles: [] },
      how: "password",
      roles: ["SGS_ALL_ACCESS"],
      adminCertificate: "no",
    });
    expect(new Set(Object.values(rightsOf(diagnosis)))).toEqual(new Set([everything]));
    expect(diagnosis).toMatchObject({ usable: { plan: true, apply: true }, problems: [] });
  });

  it("where some methods are taken away", async () => {
    const denied = { ROLES: ["PUT", "DELETE", "PATCH"], TENANTS: ["PATCH"], LICENSE: ["GET", "PUT"] };
    const diagnosis = await diagnosed({ ...seven, users: user({ disabled: denied }) });
    expect(rightsOf(diagnosis)).toMatchObject({
      action_groups: everything,
      roles: "readable yes no",
      tenants: "readable yes no",
      license: "unreadable no no",
    });
    expect(diagnosis.usable).toEqual({ plan: true, apply: true });
  });

  it.each([seven, six, open])("of a read-only identity: enough for plan ($product $release)", async (server) => {
    const diagnosis = await diagnosed({ ...server, users: user({ rights: "read", monitors: false }) });
    expect(new Set(Object.values(rightsOf(diagnosis)))).toEqual(new Set(["readable yes no"]));
    expect(diagnosis.usable).toEqual({ plan: true, apply: false });
    expect(diagnosis.problems.map(({ what }) => what)).toEqual([expect.stringContaining("read and not write")]);
    expect(diagnosis.notes[0]).toMatch(/not read GET \/ .*does not see the name of the cluster/);
    const seeing = await diagnosed({ ...server, users: user({ rights: "read" }) });
    expect(seeing.notes.join()).not.toContain("name of the cluster");
  });

  it.each([seven, six, open])("of one that may do nothing: reported once ($product $release)", async (server) => {
    const diagnosis = await diagnosed({ ...server, users: user({ rights: "none" }) });
    expect(new Set(Object.values(rightsOf(diagnosis)))).toEqual(new Set(["unreadable no no"]));
    expect(diagnosis.usable).toEqual({ plan: false, apply: false });
    expect(diagnosis.problems).toMatchObject([{ why: expect.stringContaining("any role privileged") }]);
  });

  it.each([seven, six, open])("of an administrator's certificate ($product $release)", async (server) => {
    const diagnosis = await diagnosed({ ...server, users: user() }, { certificate: "CN=admin,O=x" });
    expect(diagnosis.caller).toMatchObject({ name: "CN=admin,O=x", adminCertificate: "yes" });
    expect(new Set(Object.values(rightsOf(diagnosis)))).toEqual(new Set([everything]));
    expect(diagnosis.usable.apply).toBe(true);
  });

  it("where nothing says so and it is refused: then it may not be read", async () => {
    const diagnosis = await diagnosed({ product: "gate", users: user({ rights: "none" }) });
    expect(rightsOf(diagnosis)).toMatchObject({ roles: "unreadable no unknown" });
  });

  it("where nothing says so: what was read may be read", async () => {
    const diagnosis = await diagnosed({ product: "gate", state });
    expect(diagnosis.caller).toEqual({ how: "no credentials", roles: [], adminCertificate: "unknown" });
    expect(new Set(Object.values(rightsOf(diagnosis)))).toEqual(new Set(["readable yes unknown"]));
  });
});

describe("what the server is", () => {
  it("counts what it holds, and names what it lacks", async () => {
    const { families } = await diagnosed(seven);
    expect(families.find(({ family }) => family === "tenants")).toMatchObject({ count: 3 });
    expect(families.filter((finding) => finding.state === "absent").map(({ family }) => family)).toEqual(["blocks"]);
  });

  it("finds out for itself that a family is not there, where the release might have it", async () => {
    const { families } = await diagnosed(seven, { stated: { product: "search-guard", release: "7" } });
    expect(families.find(({ family }) => family === "blocks")).toEqual({
      family: "blocks",
      state: "absent",
      read: "no",
      write: "no",
    });
  });

  it.each([
    [{ ...seven, allowConfigModification: true }, "yes"],
    [seven, "no"],
    [six, "no"],
    [open, "unknown"],
  ] as const)("says whether the config may be changed, by reading alone: %o", async (server, on) => {
    expect((await diagnosed(server)).configWrites?.on).toBe(on);
    expect(new Set(emulator?.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("reads the license where the API does not show it to us", async () => {
    const diagnosis = await diagnosed({ ...seven, users: user({ disabled: { LICENSE: ["*"] } }) });
    expect(diagnosis.license).toEqual({ installed: true, type: "TRIAL", daysLeft: 60, valid: true });
  });

  it("knows of no license where the product has none", async () =>
    expect((await diagnosed(open)).license).toBeUndefined());

  it("asks for nothing but the families that were named", async () => {
    const { families, configWrites, license } = await diagnosed(seven, { families: ["roles"] });
    expect(families.map(({ family }) => family)).toEqual(["roles"]);
    expect({ configWrites, license }).toEqual({});
  });

  it("says where what is stated is not what it finds", async () => {
    const stated = { product: "search-guard", release: "7.x-40" } as const;
    const { notes, target } = await diagnosed(seven, { stated });
    expect(target.server.release).toBe("7.x-40");
    expect(notes.join()).toContain("search-guard 7.x-40 is stated; the server itself looks like search-guard 7.x-38");
    await expect(diagnosed(six, { stated })).rejects.toMatchObject({ kind: "usage" });
  });

  it("names what a Search Guard 7 chokes on", async () => {
    const cycle = { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } };
    const roles = { r: { cluster_permissions: ["a"] } };
    const diagnosis = await diagnosed({ ...seven, state: { action_groups: cycle, roles } });
    expect(diagnosis.unloadable).toMatchObject([{ address: "roles/r" }]);
    expect(diagnosis.usable).toEqual({ plan: true, apply: false });
    expect(diagnosis.problems).toMatchObject([{ fix: expect.stringContaining("action_groups/a") }]);
  });
});

describe("a check that fails", () => {
  it("leaves the others alone, and is a problem", async () => {
    const diagnosis = await diagnosed(seven, {
      fault: ({ path }) =>
        path.endsWith("/rolesmapping") ? { at: "before", answer: { status: 500, body: "boom" } } : undefined,
    });
    expect(rightsOf(diagnosis)).toMatchObject({ roles: everything, role_mappings: "unreadable yes yes" });
    expect(diagnosis.problems).toMatchObject([{ what: expect.stringContaining("500 to GET") }]);
    expect(diagnosis.usable).toEqual({ plan: false, apply: false });
  });

  it("of who we are: what was read is known all the same", async () => {
    const diagnosis = await diagnosed(
      { ...seven, users: user() },
      { fault: ({ path }) => (/info$/.test(path) ? { at: "before", answer: { status: 500 } } : undefined) },
    );
    expect(diagnosis.caller).toMatchObject({
      name: "ci",
      unanswered: expect.stringMatching(/500 to GET .*authinfo; 500/),
    });
    expect(rightsOf(diagnosis).roles).toBe("readable yes unknown");
  });
});
