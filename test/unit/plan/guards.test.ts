import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { createAccessModel } from "../../../src/access/model/access-model.ts";
import { getSemantics } from "../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { findEdits } from "../../../src/json/patch.ts";
import { plainTextReference, Secret } from "../../../src/json/secret.ts";
import type { Fields, Value } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Family } from "../../../src/model/names.ts";
import { changes as changesGuard } from "../../../src/plan/guards/changes.ts";
import type { Guard, GuardInput, LoginFacts } from "../../../src/plan/guards/guard.ts";
import { listGuards } from "../../../src/plan/guards/listed.ts";
import { login } from "../../../src/plan/guards/login.ts";
import { order } from "../../../src/plan/guards/order.ts";
import { plainSecrets } from "../../../src/plan/guards/plain-secrets.ts";
import { protectedAddresses } from "../../../src/plan/guards/protected.ts";
import { countingRules, waivableRules } from "../../../src/plan/guards/rules.ts";
import { evaluated } from "./evaluated.ts";

function change(family: Family, name: string, before: Fields | undefined, after: Fields | undefined): Change {
  const action = before === undefined ? "create" : after === undefined ? "delete" : "update";
  const edits = findEdits(before ?? {}, after ?? {});
  return { family, name, action, reason: "declared", edits, ...(before && { before }), ...(after && { after }) };
}

function refuses(
  guard: Guard,
  changes: readonly Change[],
  addresses: readonly string[],
  more: Partial<GuardInput> = {},
) {
  expect(guard.evaluate(evaluated(changes, more)).flatMap((finding) => finding.addresses)).toEqual(addresses);
}

describe("protected", () => {
  const changes = [
    change("roles", "all_access", { cluster_permissions: ["a"] }, { cluster_permissions: ["b"] }),
    change("roles", "hr", undefined, { cluster_permissions: ["b"] }),
    change("role_mappings", "hr", { users: ["a"] }, undefined),
    change("config", "config", { dynamic: {} }, { dynamic: {} }),
  ];
  test.for<[protect: readonly string[], addresses: readonly string[]]>([
    [[], []],
    [["roles/all_access"], ["roles/all_access"]],
    [["roles/*"], ["roles/all_access", "roles/hr"]],
    [["*/hr"], ["roles/hr", "role_mappings/hr"]],
    [["config"], ["config"]],
    [["all_access", "tenants/*"], []],
  ])("%j: %j", ([protect, addresses]) => refuses(protectedAddresses, changes, addresses, { protect }));
});

describe("changes", () => {
  const count = (updated: number, inSync: number, created = 0): readonly Change[] => [
    ...Array.from({ length: updated }, (_, at) => change("roles", `u${at}`, {}, { description: "d" })),
    ...Array.from({ length: created }, (_, at) => change("roles", `c${at}`, undefined, {})),
    ...Array.from(
      { length: inSync },
      (_, at) => ({ ...change("roles", `s${at}`, {}, {}), action: "leave", reason: "in-sync" }) as const,
    ),
  ];
  const check = (changes: readonly Change[], refused: boolean, limits?: { count?: number; percent?: number }) =>
    expect(
      changesGuard.evaluate(evaluated(changes, limits && { policies: { roles: { changes: limits } } })).length > 0,
    ).toBe(refused);
  it("lets 24 of 24 change: fewer than 25 are never a share", () => check(count(24, 0), false));
  it("lets 25 of 50 change", () => check(count(25, 25), false));
  it("refuses 26 of 51", () => check(count(26, 25), true));
  it("counts no creations", () => check(count(25, 25, 100), false));
  it("takes the family's own limits", () => {
    check(count(2, 98), true, { count: 1 });
    check(count(60, 40), false, { percent: 60 });
    check(count(25, 75), true, { percent: 20 });
  });
});

describe("login", () => {
  const domain = (type: string, enabled: Value = true) => ({
    http_enabled: enabled,
    http_authenticator: { type, config: { signing_key: "k" } },
  });
  const config = (...domains: readonly Fields[]): Fields => ({
    dynamic: { authc: Object.fromEntries(domains.map((one, at) => [`d${at}`, { ...one, order: at }])) },
  });
  const [basic, jwt, certificate] = [domain("basic"), domain("jwt"), domain("clientcert")];
  test.for<[about: string, before: Fields, after: Fields, relevant: LoginFacts | undefined, refused: boolean]>([
    ["no domain at all", config(basic), { dynamic: {} }, undefined, true],
    ["none before either, and none declared", { dynamic: {} }, { dynamic: { http: {} } }, undefined, false],
    ["no domain enabled", config(basic), config(domain("basic", false), domain("jwt", "false")), undefined, true],
    ["another one is left", config(basic, jwt), config(jwt), undefined, false],
    ["but not the one that we use", config(basic, jwt), config(jwt), "password", true],
    ["one that takes tokens is left", config(basic, jwt), config(jwt), "token", false],
    ["the certificate's goes", config(basic, certificate), config(basic), "certificate", true],
    ["ours was off before", config(jwt), config(jwt, basic), "certificate", false],
    [
      "by the name of its class",
      config(basic),
      config(domain("com.floragunn.searchguard.http.HTTPBasicAuthenticator")),
      "password",
      false,
    ],
    [
      "by the name of a class that only another product has",
      config(basic),
      config(domain("org.opensearch.security.http.HTTPBasicAuthenticator")),
      "password",
      true,
    ],
    [
      "a domain that does not say so is enabled",
      config(basic),
      config({ http_authenticator: { type: "basic" } }),
      "password",
      false,
    ],
  ])("%s", ([, before, after, relevant, refused]) => {
    refuses(login, [change("config", "config", before, after)], refused ? ["config"] : [], { login: relevant });
  });
});

describe("login: domains that go", () => {
  const domain = (type: string, backend = "intern", enabled: Value = true): Fields => ({
    http_enabled: enabled,
    http_authenticator: { type, ...(type === "jwt" && { config: { signing_key: "k" } }) },
    authentication_backend: { type: backend },
  });
  const config = (authc: Fields): Fields => ({ dynamic: { authc } });
  const five = {
    a: domain("basic"),
    b: domain("jwt"),
    c: domain("basic", "ldap"),
    d: domain("kerberos"),
    e: domain("openid"),
  };
  test.for<[about: string, before: Fields, after: Fields, refused: boolean]>([
    ["4 of 5 are removed", five, { a: domain("basic") }, true],
    [
      "3 of 5 are turned off",
      five,
      {
        ...five,
        b: domain("jwt", "intern", false),
        c: domain("basic", "ldap", false),
        d: domain("kerberos", "intern", false),
      },
      true,
    ],
    ["2 of 5", five, { a: five.a, b: five.b, c: five.c }, false],
    [
      "types by their classes, and internal users by no word",
      { a: five.a, c: five.c },
      {
        a: { http_authenticator: { type: "com.floragunn.searchguard.http.HTTPBasicAuthenticator" } },
        c: domain("basic", "com.floragunn.dlic.auth.ldap.backend.LDAPAuthenticationBackend"),
      },
      false,
    ],
    ["all have other names", five, { v: five.a, w: five.b, x: five.c, y: five.d, z: five.e }, false],
    [
      "4 of 5 look elsewhere",
      five,
      {
        a: five.a,
        b: domain("jwt", "noop"),
        c: domain("basic"),
        d: domain("kerberos", "noop"),
        e: domain("openid", "noop"),
      },
      true,
    ],
    ["1 of 2", { a: five.a, b: five.b }, { a: five.a }, false],
    ["1 of 2 by password", { a: five.a, c: five.c }, { c: five.c }, false],
    [
      "one of which has no key any more",
      { a: five.a, b: five.b, c: five.c },
      { a: five.a, b: { ...five.b, http_authenticator: { type: "jwt" } } },
      true,
    ],
  ])("%s", ([, before, after, refused]) =>
    refuses(login, [change("config", "config", config(before), config(after))], refused ? ["config"] : []),
  );
});

describe("login: domains of one order", () => {
  const config = (...orders: readonly (number | undefined)[]): Fields => ({
    dynamic: {
      authc: Object.fromEntries(
        orders.map((order, at) => [
          `d${at}`,
          { http_authenticator: { type: "basic" }, ...(order !== undefined && { order }) },
        ]),
      ),
    },
  });
  test.for<[about: string, before: Fields, after: Fields, refused: boolean]>([
    ["a new one", config(1), config(1, 1), true],
    ["one without a word", config(0), config(0, undefined), true],
    ["one more of two", config(1, 1), config(1, 1, 1), true],
    ["as before", config(1, 1), config(1, 1), false],
    ["orders of their own", config(1), config(1, 2), false],
  ])("%s", ([, before, after, refused]) =>
    refuses(login, [change("config", "config", before, after)], refused ? ["config"] : []),
  );
});

describe("login: a run by password", () => {
  const domain = (backend?: string): Fields => ({
    http_authenticator: { type: "basic" },
    ...(backend && { authentication_backend: { type: backend } }),
  });
  const config = (...domains: readonly Fields[]): Fields => ({
    dynamic: { authc: Object.fromEntries(domains.map((one, at) => [`d${at}`, one])) },
  });
  const [none, intern, ldap] = [domain(), domain("internal"), domain("ldap")];
  test.for<[about: string, before: Fields, after: Fields, refused: boolean]>([
    ["internal users are looked for no more", config(intern, ldap), config(ldap), true],
    ["by the backend that servers take where none is named", config(none, ldap), config(ldap), true],
    ["by a backend that no server has", config(intern, ldap), config(domain("internal2"), ldap), true],
    ["another directory goes", config(intern, ldap), config(intern), false],
    ["internal users were never looked for", config(ldap, domain("ldap")), config(ldap), false],
  ])("%s", ([, before, after, refused]) =>
    refuses(login, [change("config", "config", before, after)], refused ? ["config"] : [], { login: "password" }),
  );
});

describe("login: who is let in without one", () => {
  const config = (on: Value): Fields => ({ dynamic: { http: { anonymous_auth_enabled: on }, authc: {} } });
  const model = (mapping: Fields) => {
    const held = (part: object) => new Map(Object.entries(part));
    return createAccessModel({
      semantics: getSemantics(createDialect("opensearch", "2.19")),
      roles: held({}),
      mappings: held({ r: mapping }),
      groups: held({}),
      tenants: held({}),
      blocks: held({}),
      settings: {},
    });
  };
  const check = (mapping: Fields, refused: boolean, before: Value = false, after: Value = true) =>
    refuses(login, [change("config", "config", config(before), config(after))], refused ? ["config"] : [], {
      access: { before: model(mapping), after: model(mapping) },
    });
  it("where everybody is mapped", () => check({ users: ["*"] }, true));
  it("by its own name", () => check({ users: ["opendistro_security_anonymous"] }, true));
  it("by its backend role", () => check({ backend_roles: ["opendistro_*_backendrole"] }, true));
  it("from any host", () => check({ hosts: ["*"] }, true));
  it("not where only others are mapped", () => check({ users: ["team-*"], hosts: ["10.*"] }, false));
  it("not where it was so before", () => check({ users: ["*"] }, false, true));
  it("not where it goes", () => check({ users: ["*"] }, false, true, false));
  it("where mappings are unknown", () => {
    refuses(login, [change("config", "config", config(false), config(true))], ["config"]);
  });
});

describe("login: by a proxy", () => {
  const config = (internalProxies: Value, type = "proxy", enabled: Value = true): Fields => ({
    dynamic: { http: { xff: { enabled, internalProxies } }, authc: { p: { http_authenticator: { type } } } },
  });
  test.for<[about: string, before: Fields, after: Fields, refused: boolean]>([
    [".*", config("10\\.0\\.0\\.1"), config(".*"), true],
    ["every IPv4 address", config("10\\.0\\.0\\.1"), config("\\d+\\.\\d+\\.\\d+\\.\\d+"), true],
    ["one network", config("10\\.0\\.0\\.1"), config("10\\.0\\..*|192\\.168\\.0\\.10"), false],
    ["as before", config(".*"), config(".*"), false],
    [
      "a domain that comes",
      config(".*", "basic"),
      config(".*", "com.floragunn.searchguard.http.HTTPProxyAuthenticator"),
      true,
    ],
    ["what is turned on", config(".*", "proxy", false), config(".*"), true],
    ["no proxy login", config("x", "basic"), config(".*", "basic"), false],
  ])("%s", ([, before, after, refused]) =>
    refuses(login, [change("config", "config", before, after)], refused ? ["config"] : []),
  );
});

describe("login: by any password", () => {
  const config = (type: string, backend: string): Fields => ({
    dynamic: { authc: { p: { http_authenticator: { type }, authentication_backend: { type: backend } } } },
  });
  test.for<[about: string, before: Fields, after: Fields, refused: boolean]>([
    ["a backend that checks nothing", config("basic", "intern"), config("basic", "noop"), true],
    [
      "by the names of classes",
      config("x", "x"),
      config(
        "com.floragunn.searchguard.http.HTTPBasicAuthenticator",
        "com.floragunn.searchguard.auth.internal.NoOpAuthenticationBackend",
      ),
      true,
    ],
    ["as before", config("basic", "noop"), config("basic", "noop"), false],
    ["certificates prove themselves", config("basic", "intern"), config("clientcert", "noop"), false],
  ])("%s", ([, before, after, refused]) =>
    refuses(login, [change("config", "config", before, after)], refused ? ["config"] : []),
  );
});

describe("plain-secrets", () => {
  const config = (password: Value): Fields => ({ dynamic: { authc: { ldap: { config: { password } } } } });
  const check = (before: Value, after: Value) =>
    plainSecrets.evaluate(evaluated([change("config", "config", config(before), config(after))]));
  it("names the place, never the secret", () => {
    const [finding] = check("old", new Secret(plainTextReference, "hunter2"));
    expect(finding?.what).toContain("dynamic.authc.ldap.config.password");
    expect(JSON.stringify(finding)).not.toContain("hunter2");
  });
  it("takes a reference", () => expect(check("old", new Secret("${env:PASSWORD}", "hunter2"))).toEqual([]));
  const armored = (kind: string, body = "MIIB\nAbc+/w==\n") =>
    `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----\n`;
  it.each([
    ["an empty text", "", 0],
    ["blanks", " \n", 0],
    ["a public key", armored("PUBLIC KEY"), 0],
    ["a public key in one line", armored("RSA PUBLIC KEY").replaceAll("\n", " "), 0],
    ["a public key with line breaks of JSON", armored("EC PUBLIC KEY").replaceAll("\n", "\\n"), 0],
    ["certificates", armored("CERTIFICATE") + armored("CERTIFICATE"), 0],
    [
      "certificates below comments",
      `# of the directory\n\n# root\n${armored("CERTIFICATE")}# next\n${armored("CERTIFICATE")}`,
      0,
    ],
    ["a certificate as openssl prints it", `subject=CN = ca\r\nissuer=CN = ca\r\n${armored("CERTIFICATE")}`, 0],
    ["comments alone", "# hunter2", 1],
    ["many marks of comments", `${"# ".repeat(10_000)}hunter2`, 1],
    ["a private key below a comment", `# key\n${armored("PRIVATE KEY")}`, 1],
    ["the built-in placeholder", "base64 encoded HMAC key or public RSA/ECDSA pem key", 0],
    ["a private key", armored("PRIVATE KEY"), 1],
    ["a private key beside a public one", armored("PUBLIC KEY") + armored("EC PRIVATE KEY"), 1],
    ["another text beside a public key", `${armored("PUBLIC KEY")}hunter2`, 1],
    ["a public key that holds something else", armored("PUBLIC KEY", "hunter-2!\n"), 1],
    ["a text that begins like the placeholder", "base64 encoded HMAC key or hunter2", 1],
  ])("evaluates %s", (_, text, findings) =>
    expect(check("old", new Secret(plainTextReference, text))).toHaveLength(findings),
  );
  it("does not evaluate what stays", () => {
    expect(check(new Secret(plainTextReference, "x"), new Secret(plainTextReference, "x"))).toEqual([]);
  });
});

it("what was not evaluated of the order is about all entries: none of them is shown before others", () => {
  const given = evaluated([change("roles", "a", {}, { description: "x" })]);
  const [finding] = order.evaluate({ ...given, order: { faults: [], undecided: ["there are too many pairs"] } });
  expect(finding).toMatchObject({ addresses: ["roles/a"], countsEntries: true });
});

it("those that count entries are waived for a family, and name no entry that is dangerous by itself", () => {
  expect(countingRules).toEqual(["deletions", "changes"]);
  expect(listGuards().flatMap(({ allow }) => allow ?? [])).toEqual([
    "login=config",
    "authentication=ADDRESS",
    "lock-out=ADDRESS",
    "protected=ADDRESS",
    "user-deletions=ADDRESS",
    "not-ours=ADDRESS",
    "deletions=TYPE",
    "changes=TYPE",
    "wildcard=ADDRESS",
    "escalation=ADDRESS",
    "order",
    "plain-secrets=ADDRESS",
    "protection=ADDRESS",
  ]);
});

it("those that can be waived are the rules that a waiver may name", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../schemas/state.schema.json", import.meta.url), "utf8"));
  expect(schema.$defs.waiver.properties.rule.enum).toEqual(waivableRules);
});
