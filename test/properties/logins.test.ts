// Whatever change of a config gives a party the power to assert a user name, a backend role or an address that it could not assert
// before, or to try more passwords, the guard refuses; what only takes from them, or is said to be harmless, it does not. The parties
// are simulated here, each with what it controls, by none of the code that is tested.
import { describe, expect, it } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import { diffConfig } from "../../src/diff/config.ts";
import type { Fields, JsonObject } from "../../src/json/value.ts";
import { canonicaliseConfig } from "../../src/normalise/config.ts";
import { authentication } from "../../src/plan/guards/authentication.ts";
import type { GuardInput } from "../../src/plan/guards/guard.ts";
import { hideSecrets } from "../../src/secrets/config-fields.ts";
import { type Random, randomFrom } from "../fixtures/random.ts";
import { seeds } from "./seed.ts";

type Entries = Record<string, JsonObject>;
interface Config {
  authc: Entries;
  authz: Entries;
  http: { anonymous_auth_enabled: boolean; xff: JsonObject };
  auth_failure_listeners: Entries;
  on_behalf_of?: JsonObject;
}

/** What a party chooses itself, and what others decide about it. */
const claims: Readonly<Record<string, "any" | "fixed">> = { sub: "fixed", nick: "any", roles: "fixed", hobby: "any" };
const attributes: Readonly<Record<string, "any" | "fixed">> = {
  uid: "fixed",
  description: "any",
  memberOf: "fixed",
  cn: "fixed",
};
const addresses = ["10.0.0.1", "203.0.113.9"];

function draw(random: Random): Config {
  const authc: Entries = {};
  const kinds = random.some(["openid", "saml", "jwt", "ldap", "proxy", "intern"], 1, 4);
  for (const [at, kind] of kinds.entries()) authc[`${kind}_domain`] = domainOf(kind, at, random);
  const http = {
    anonymous_auth_enabled: random.chance(0.2),
    xff: {
      enabled: random.chance(0.5),
      internalProxies: random.pick(["10\\.0\\.0\\.1", ".*", "10\\..*", "192\\.168\\.0\\.1"]),
      remoteIpHeader: random.pick(["x-forwarded-for", "x-real-ip"]),
    },
  };
  const ldapRoles = {
    http_enabled: random.chance(0.8),
    transport_enabled: false,
    authorization_backend: { type: "ldap", config: { ...rolesOf(random), hosts: [random.pick(["l1:636", "l2:636"])] } },
  };
  return {
    authc,
    authz: random.chance(0.5) ? { roles: ldapRoles } : {},
    http,
    auth_failure_listeners: random.chance(0.6)
      ? Object.fromEntries(random.some(["ip", "other"], 1, 2).map((name) => [name, limitOf(random)]))
      : {},
  };
}

function limitOf(random: Random): JsonObject {
  return {
    type: "ip",
    allowed_tries: random.pick([3, 10, 100, 0]),
    time_window_seconds: random.pick([60, 3600, 2_147_484]),
    ...(random.chance(0.3) && { ignore_hosts: [random.pick(addresses)] }),
  };
}

function domainOf(kind: string, order: number, random: Random): JsonObject {
  const key = random.chance(0.7) ? { roles_key: random.pick(["roles", "hobby"]) } : {};
  const subject_key = random.pick(["sub", "nick"]);
  const part: Readonly<Record<string, () => readonly [type: string, config: JsonObject, backend: string]>> = {
    openid: () => [
      "openid",
      { openid_connect_url: `https://${random.pick(["a", "b"])}.example/c`, subject_key, ...key },
      "noop",
    ],
    saml: () => ["saml", { idp: { entity_id: random.pick(["urn:a", "urn:b"]) }, subject_key, ...key }, "noop"],
    jwt: () => ["jwt", { signing_key: random.pick(["key-one", "key-two"]), subject_key, ...key }, "noop"],
    ldap: () => ["basic", {}, "ldap"],
    proxy: () => ["proxy", { user_header: "x-user", ...(random.chance(0.5) && { roles_header: "x-roles" }) }, "noop"],
    intern: () => ["basic", {}, "intern"],
  };
  const [type, config, backend] = part[kind]?.() ?? ["basic", {}, "intern"];
  const directory =
    backend === "ldap"
      ? {
          config: {
            hosts: [random.pick(["l1:636", "l2:636"])],
            username_attribute: random.pick(["uid", "description"]),
          },
        }
      : {};
  return {
    http_enabled: random.chance(0.8),
    transport_enabled: false,
    order,
    description: "d",
    http_authenticator: { type, challenge: false, config },
    authentication_backend: { type: backend, ...directory },
  };
}

function rolesOf(random: Random): JsonObject {
  return {
    rolesearch: random.pick(["(member={0})", "(objectClass=*)"]),
    userrolename: random.pick(["memberOf", "description"]),
    rolename: random.pick(["cn", "description"]),
  };
}

/** What each party can do under a config, where hosts are mapped to roles or not: `PARTY: WHAT`. */
function simulate(
  { authc, authz, http, auth_failure_listeners, on_behalf_of }: Config,
  mapsHosts: boolean,
): ReadonlySet<string> {
  const powers = new Set<string>();
  const add = (party: string, ...what: readonly string[]) => {
    for (const one of what) powers.add(`${party}: ${one}`);
  };
  const served = (entries: Entries) => Object.values(entries).filter(({ http_enabled }) => http_enabled !== false);
  const { xff } = http;
  for (const domain of served(authc)) {
    const { type, config } = domain.http_authenticator as { type: string; config: Record<string, string> };
    const backend = domain.authentication_backend as { type: string; config?: Record<string, string> };
    const issuer = {
      openid: config.openid_connect_url,
      saml: (config.idp as unknown as Fields)?.entity_id,
      jwt: config.signing_key,
    }[type];
    if (issuer !== undefined) {
      add(`${type} ${issuer}`, "any user", ...(config.roles_key === undefined ? [] : ["any role"]));
      // One of its users, who has what it says, and chooses some of it.
      const name = claims[config.subject_key ?? "sub"] === "any" ? "any user" : "user ana";
      const role =
        config.roles_key === undefined ? [] : [claims[config.roles_key] === "any" ? "any role" : "role staff"];
      add(`ana of ${type} ${issuer}`, name, ...role);
    }
    if (backend.type === "ldap") {
      add(`ldap ${backend.config?.hosts}`, "any user");
      add(
        `ben of ldap ${backend.config?.hosts}`,
        attributes[backend.config?.username_attribute ?? "uid"] === "any" ? "any user" : "user ben",
      );
    }
    if (type === "proxy" && xff.enabled === true) {
      for (const address of addresses.filter((one) => new RegExp(`^(?:${xff.internalProxies})$`).test(one)))
        add(`requests from ${address}`, "any user", ...(config.roles_header === undefined ? [] : ["any role"]));
    }
    if (backend.type === "intern") add("internal users", "their names");
  }
  for (const domain of served(authz)) {
    const { hosts, rolesearch, userrolename, rolename } = (
      domain.authorization_backend as { config: Record<string, string> }
    ).config;
    add(`ldap ${hosts}`, "any role");
    const chooses = [userrolename, rolename].some((name) => attributes[name ?? ""] === "any");
    add(
      `ben of ldap ${hosts}`,
      "role staff",
      ...(chooses ? ["any role"] : []),
      ...(rolesearch === "(objectClass=*)" ? ["every group"] : []),
    );
  }
  for (const address of addresses) {
    const isProxy = xff.enabled === true && new RegExp(`^(?:${xff.internalProxies})$`).test(address);
    if (isProxy) add(`requests from ${address}`, `any address in ${xff.remoteIpHeader}`);
    else if (mapsHosts) add(`clients behind ${address}`, `the address ${address}`);
  }
  if (http.anonymous_auth_enabled) add("anyone", "the anonymous user");
  if (on_behalf_of?.enabled === true) add(`holders of ${on_behalf_of.signing_key}`, "any user");
  // With no limit, all of these; with one, those that pass it.
  const limits = Object.values(auth_failure_listeners) as unknown as {
    allowed_tries: number;
    time_window_seconds: number;
    ignore_hosts?: readonly string[];
  }[];
  const isLoaded = limits.every(
    ({ allowed_tries, time_window_seconds }) => allowed_tries > 0 && (time_window_seconds * 1000) >> 0 > 0,
  );
  if (!isLoaded) add("a restarted node", "no limits and no logins");
  for (const address of addresses)
    for (const tries of [5, 50, 500])
      for (const within of [30, 600]) {
        const isHeld = limits.some(
          ({ allowed_tries, time_window_seconds, ignore_hosts = [] }) =>
            tries > allowed_tries && within < time_window_seconds && !ignore_hosts.includes(address),
        );
        if (!isLoaded || !isHeld) add(`anyone at ${address}`, `${tries} wrong passwords in ${within} s`);
      }
  return powers;
}

/** Only takes away, or is harmless: what decides about it is silent. */
function weaken(config: Config, random: Random, mapsHosts: boolean): Config {
  const after: Config = structuredClone(config);
  for (const entries of [after.authc, after.authz]) {
    for (const name of Object.keys(entries)) {
      const how = random.below(4);
      if (how === 0) delete entries[name];
      if (how === 1) entries[name] = { ...entries[name], http_enabled: false };
      if (how === 2) entries[name] = { ...entries[name], description: "another" };
    }
  }
  for (const [name, domain] of Object.entries(after.authc)) {
    if (random.chance(0.3)) {
      const authenticator = domain.http_authenticator as JsonObject;
      const config = { ...(authenticator.config as JsonObject), krb_debug: true };
      after.authc[name] = { ...domain, http_authenticator: { ...authenticator, challenge: true, config } };
    } else if (domain.http_enabled === false) after.authc[name] = { ...domain, order: 77 };
  }
  if (random.chance(0.3)) after.http.anonymous_auth_enabled = false;
  const goesByAddress = mapsHosts || JSON.stringify(config).includes("ignore_hosts");
  if (!goesByAddress && random.chance(0.3)) after.http.xff = { ...after.http.xff, enabled: false };
  for (const [name, one] of Object.entries(after.auth_failure_listeners))
    after.auth_failure_listeners[name] = { ...one, allowed_tries: 2, time_window_seconds: 7200 };
  // One more takes nothing, and of equal ones one is enough.
  const limits = Object.values(after.auth_failure_listeners);
  const areEqual = new Set(limits.map((one) => JSON.stringify(one))).size === 1;
  if (areEqual && random.chance(0.5)) after.auth_failure_listeners = { other_name: limits[0] as JsonObject };
  const weak = { type: "ip", allowed_tries: 100, time_window_seconds: 60 };
  if (random.chance(0.3)) after.auth_failure_listeners = { weak, ...after.auth_failure_listeners };
  return after;
}

const dialects = [
  ["gate", createDialect("gate", "7.x-43.0.0")],
  ["search-guard 7", createDialect("search-guard", "7.x-47")],
  ["opensearch", createDialect("opensearch", "2.19.1")],
] as const;

describe.each(dialects)("%s", (_, dialect) => {
  const refusals = (before: Config, after: Config, mapsHosts: boolean): readonly string[] => {
    const live = { document: { dynamic: hideSecrets({ ...before } as unknown as Fields) } as Fields };
    const value = canonicaliseConfig(dialect, { dynamic: { ...after } } as unknown as Fields);
    const origin = { file: { path: "c.yml", text: "" }, start: 0, end: 0 };
    const desired = { value, origin, native: false, node: { ...origin, kind: "scalar", value: null } } as const;
    const change = diffConfig(desired as unknown as Parameters<typeof diffConfig>[0], live, undefined);
    const pending = change.action === "leave" ? [] : [change];
    const mappings = new Map([["r", mapsHosts ? { hosts: ["10.0.0.1"] } : { users: ["ana"] }]]);
    const access = { after: { state: { mappings, blocks: new Map() } } };
    return authentication
      .evaluate({ pending, dialect, access } as unknown as GuardInput)
      .flatMap(({ addresses }) => addresses);
  };

  it("refuses whatever gives a party more", () => {
    const missed: string[] = [];
    let gains = 0;
    for (const seed of seeds(300)) {
      const random = randomFrom(`logins ${seed}`);
      const before = draw(random);
      const other = draw(random);
      // A part of another config, so that most of it stays.
      const keys = ["authc", "authz", "http", "auth_failure_listeners"] as const;
      const after = { ...before, ...Object.fromEntries(random.some(keys, 1, 2).map((key) => [key, other[key]])) };
      if (dialect.product === "opensearch" && random.chance(0.1))
        after.on_behalf_of = { enabled: true, signing_key: "obo" };
      const mapsHosts = random.chance(0.5);
      const had = simulate(before, mapsHosts);
      const gained = [...simulate(after, mapsHosts)].filter((power) => !had.has(power));
      if (gained.length > 0) gains += 1;
      if (gained.length > 0 && refusals(before, after, mapsHosts).length === 0)
        missed.push(`${seed}: ${gained.join(", ")}`);
    }
    expect(missed).toEqual([]);
    expect(gains).toBeGreaterThan(100);
  });

  it("refuses nothing that only takes, or is harmless", () => {
    const wrong: string[] = [];
    for (const seed of seeds(300)) {
      const random = randomFrom(`weaker ${seed}`);
      const before = draw(random);
      const mapsHosts = random.chance(0.5);
      const after = weaken(before, random, mapsHosts);
      const had = simulate(before, mapsHosts);
      expect([...simulate(after, mapsHosts)].filter((power) => !had.has(power))).toEqual([]);
      const found = refusals(before, after, mapsHosts);
      if (found.length > 0) wrong.push(`${seed}: ${found.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });
});
