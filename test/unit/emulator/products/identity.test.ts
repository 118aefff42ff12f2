import { expect, test } from "vitest";
import type { EmulatorOptions, EmulatorUser } from "../../../../src/emulator/index.ts";
import { started } from "./ask.ts";

const users: readonly EmulatorUser[] = [
  { name: "all", password: "x", rights: "all", roles: ["admin"], backendRoles: ["ops"] },
  { name: "read", password: "x", rights: "read", disabled: { LICENSE: ["*"] } },
  { name: "none", password: "x", rights: "none", monitors: false },
];
const state = { tenants: { t: {} }, role_mappings: { everybody: { users: ["*"] }, some: { users: ["a"] } } };
const dn = "CN=admin";

/** What each caller is answered on one path: its status, and its body where it is JSON. */
async function check(options: EmulatorOptions, path: string, expected: Readonly<Record<string, unknown>>) {
  const { url } = await started({ users, state, adminHeader: "x-admin", ...options });
  for (const [who, answer] of Object.entries(expected)) {
    const headers: Record<string, string> = who === "stranger" ? {} : { authorization: `Basic ${btoa(`${who}:x`)}` };
    const got = await fetch(`${url}${path}`, { headers: who === "cert" ? { "x-admin": dn } : headers });
    const isJson = got.headers.get("content-type")?.includes("json");
    expect({ who, status: got.status, ...(isJson && { body: await got.json() }) }).toMatchObject({
      who,
      ...(typeof answer === "number" ? { status: answer } : { status: 200, body: answer }),
    });
  }
}

const searchGuard = { product: "search-guard", release: "7" } as const;
const searchGuard6 = { product: "search-guard", release: "6" } as const;
const flx = { product: "search-guard", release: "FLX" } as const;
const openSearch = { product: "opensearch", release: "2.19" } as const;

const everything = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"];
const writing = ["POST", "PUT", "DELETE", "PATCH"];

test("callers learn who they are", async () => {
  await check(searchGuard, "/_searchguard/authinfo", {
    all: {
      user: "User [name=all, backend_roles=[ops], requestedTenant=null]",
      user_name: "all",
      sg_roles: ["admin"],
      sg_tenants: { all: true, t: true },
      principal: null,
    },
    none: { user_name: "none", sg_tenants: { none: true } },
    cert: { user_name: dn, sg_roles: ["everybody"], principal: dn, peer_certificates: "2", remote_address: null },
    stranger: 401,
  });
  await check(searchGuard6, "/_searchguard/authinfo", {
    all: { user: "User [name=all, roles=[ops], requestedTenant=null]" },
  });
  await check(flx, "/_searchguard/authinfo", { all: { attribute_names: [], cluster_name: "emulated" } });
  await check(openSearch, "/_plugins/_security/authinfo", {
    all: { roles: ["admin"], tenants: { all: true, t: true } },
  });
  await check(openSearch, "/_plugins/_security/api/account", {
    cert: { user_name: dn, is_internal_user: false },
    stranger: 401,
  });
  await check(openSearch, "/_opendistro/_security/authinfo", { all: { user_name: "all" } });
});

test("callers learn what they may not do, the certificate too, wrongly", async () => {
  await check(searchGuard, "/_searchguard/api/permissionsinfo", {
    all: { has_api_access: true, disabled_endpoints: {} },
    read: { has_api_access: true, disabled_endpoints: { ROLES: writing, SGCONFIG: writing, LICENSE: everything } },
    none: { has_api_access: false, disabled_endpoints: { ROLES: everything, PERMISSIONSINFO: everything } },
    cert: { user_name: dn, has_api_access: false },
    stranger: 401,
  });
  await check(openSearch, "/_plugins/_security/api/permissionsinfo", {
    read: { has_api_access: true, disabled_endpoints: { ROLES: writing, CONFIG: writing } },
  });
});

test("anybody may ask whether they are an administrator, where that can be asked", async () => {
  await check(openSearch, "/_plugins/_security/whoami", {
    all: { dn: null, is_admin: false },
    cert: { dn, is_admin: true },
    stranger: { dn: null, is_admin: false },
  });
  await check(flx, "/_searchguard/whoami", { cert: { whoami: { dn, is_admin: true, is_authenticated: true } } });
  await check(searchGuard, "/_searchguard/whoami", { cert: 405 });
});

test("health and license are open to all", async () => {
  const license = { cluster_name: "emulated", sg_license: { type: "TRIAL" } };
  await check(searchGuard, "/_searchguard/license", { stranger: license, all: license });
  await check(searchGuard, "/_searchguard/health?mode=lenient", { stranger: { status: "UP", mode: "lenient" } });
  await check(openSearch, "/_plugins/_security/health", { stranger: { status: "UP", mode: "strict" } });
});

test("who may not ask for the version may not ask for the plugins either", async () => {
  const forbidden = { all: 200, none: 403, stranger: 401, cert: 200 };
  await check(openSearch, "/", forbidden);
  await check(openSearch, "/_cat/plugins?format=json", forbidden);
  await check({ ...openSearch, rootAnswer: "absent" }, "/_cat/plugins", { all: 404 });
});
