// What a change of the config does to who signs in: each condition of the comparison by the case that it decides.
import { describe, expect, it, test } from "vitest";
import { collectReferences, listUnknownSettings } from "../../../../src/access/compare/login-settings.ts";
import { compareLogins, listRoleSources } from "../../../../src/access/compare/logins.ts";
import { formatMapped } from "../../../../src/access/explain/mapped-roles.ts";
import { Secret } from "../../../../src/json/secret.ts";
import type { Fields } from "../../../../src/json/value.ts";

const domain = (type: string, config: Fields = {}, backend = "noop", more: Fields = {}): Fields => ({
  http_authenticator: { type, config },
  authentication_backend: { type: backend },
  transport_enabled: false,
  ...more,
});
const jwt = (config: Fields = {}, more: Fields = {}) => domain("jwt", { signing_key: "k", ...config }, "noop", more);
const authc = (domains: Fields): Fields => ({ authc: domains });
const mapped: Fields = { users: ["ana"], backend_roles: ["admin"], and_backend_roles: ["x", "y"], hosts: ["10.0.0.1"] };
const byName = new Map<string, Fields>([
  ["AAA", { users: ["eve"] }],
  ["ADMIN", mapped],
]);
const none = new Map<string, Fields>();

function look(before: Fields, after: Fields, state?: { mappings: typeof byName; blocks: typeof byName }) {
  const found = compareLogins(
    { before: { dynamic: before }, after: { dynamic: after } },
    { servesTransport: true },
    state,
    ["ADMIN"],
  );
  const signs = { gained: "+", lost: "-", renewed: "~", unknown: "?" };
  return {
    refused: found.filter(({ kind }) => kind === "gained" || kind === "unknown").flatMap(({ addresses }) => addresses),
    text: found.map((one) => `${signs[one.kind]} ${one.what}${formatMapped(one)}`).join("\n"),
  };
}

const tokens = { enabled: true, signing_key: "k" };
const limits = (more: Fields): Fields => ({ auth_failure_listeners: { l: { type: "ip", ...more } } });

test.for<[about: string, before: Fields, after: Fields, at: string, says: RegExp]>([
  ["anonymous users, as a text", {}, { http: { anonymous_auth_enabled: "true" } }, "http", /anyone without a login/],
  [
    "tokens with the same key",
    { on_behalf_of: { ...tokens, enabled: false } },
    { on_behalf_of: tokens },
    "on_behalf_of",
    /turned on/,
  ],
  [
    "tokens of a provider",
    {},
    { auth_token_provider: { jwt_signing_key_hs512: "k" } },
    "auth_token_provider",
    /turned on/,
  ],
  ["API keys", {}, { api_tokens: { enabled: true } }, "api_tokens", /turned on/],
  [
    "the name of transport clients",
    {},
    { transport_userrname_attribute: "cn" },
    "transport_userrname_attribute",
    /^\? /,
  ],
  ["logins that are taken again", { disable_rest_auth: true }, {}, "disable_rest_auth", /^\? /],
  ["no logins between nodes", {}, { disable_intertransport_auth: true }, "disable_intertransport_auth", /^\? /],
  ["a setting of http that is not known", {}, { http: { trust: 1 } }, "http", /by http\.trust/],
  [
    "a domain for transport clients",
    authc({ d: jwt({}, { http_enabled: false }) }),
    authc({ d: jwt({}, { http_enabled: false, transport_enabled: true }) }),
    "authc/d",
    /new|turned on/,
  ],
  [
    "a domain that takes the place of another",
    authc({ a: jwt(), b: jwt({ signing_key: "l" }, { order: 1 }) }),
    authc({ a: jwt({ signing_key: "l" }) }),
    "authc/a",
    /another signing_key/,
  ],
  [
    "another name, turned on",
    authc({ a: jwt({}, { http_enabled: false, transport_enabled: true }) }),
    authc({ b: jwt() }),
    "authc/b",
    /turned on/,
  ],
  [
    "fewer who are left out",
    authc({ d: jwt({}, { skip_users: ["a", "b"] }) }),
    authc({ d: jwt({}, { skip_users: ["a"] }) }),
    "authc/d",
    /another skip_users/,
  ],
  [
    "a default in place of a stricter limit",
    limits({ allowed_tries: 5 }),
    limits({}),
    "auth_failure_listeners/l",
    /another allowed_tries/,
  ],
  [
    "a backend that is not known",
    authc({}),
    authc({ d: domain("jwt", {}, "com.example.Backend") }),
    "authc/d",
    /^\? .*any user name, any backend roles/,
  ],
  [
    "a directory",
    authc({}),
    authc({ d: domain("clientcert", {}, "ldap") }),
    "authc/d",
    /user names that its LDAP server knows/,
  ],
  [
    "passwords that a class checks",
    authc({}),
    authc({ d: domain("basic", {}, "com.example.Backend") }),
    "authc/d",
    /^\? .*the backend com/,
  ],
  [
    "an identity provider by its name in one word",
    authc({}),
    authc({ d: domain("saml", { "idp.entity_id": "urn:x" }) }),
    "authc/d",
    /urn:x signs in/,
  ],
])("counts %s", ([, before, after, at, says]) => {
  const { refused, text } = look(before, after);
  expect([refused, text]).toEqual([[`config/${at}`], expect.stringMatching(says)]);
});

test.for<[about: string, before: Fields, after: Fields, says: RegExp]>([
  ["a domain of old files that is off", authc({}), authc({ d: jwt({}, { enabled: false }) }), /^$/],
  ["off in another case", authc({}), authc({ d: jwt({}, { http_enabled: "False" }) }), /^$/],
  ["tokens that are on, as a text", { on_behalf_of: tokens }, { on_behalf_of: { ...tokens, enabled: "true" } }, /^$/],
  ["no names by DNS any more", { hosts_resolver_mode: "ip-hostname" }, {}, /^- names of hosts/],
  ["no transport clients any more", authc({ d: jwt({}, { transport_enabled: true }) }), authc({ d: jwt() }), /^$/],
  [
    "an order between the same domains",
    authc({ a: jwt({}, { order: 1 }), b: jwt({ roles_key: "r" }, { order: 5 }) }),
    authc({ a: jwt({}, { order: 1 }), b: jwt({ roles_key: "r" }, { order: 3 }) }),
    /^$/,
  ],
  [
    "roles of one of two directories",
    { authz: { a: { authorization_backend: { type: "ldap" } }, b: { authorization_backend: { type: "x" } } } },
    { authz: { b: { authorization_backend: { type: "x" } } } },
    /^- authz a/,
  ],
  ["roles of no backend", {}, { authz: { a: {} } }, /^$/],
  ["a limit that could not be used", limits({ allowed_tries: 0 }), limits({ allowed_tries: 50 }), /^$/],
  ["what has nothing to do with logins", {}, { filtered_alias_mode: "disallow" }, /^$/],
])("does not count %s", ([, before, after, says]) => {
  const { refused, text } = look(before, after);
  expect([refused, text]).toEqual([[], expect.stringMatching(says)]);
});

describe("the roles that are mapped", () => {
  const state = { mappings: byName, blocks: none };
  const lineOf = (config: Fields) => look(authc({}), authc({ d: jwt(config) }), state).text;
  it("are those of users where nothing says which backend roles, those that administer first", () =>
    expect(lineOf({})).toMatch(/\(ADMIN is mapped to user ana, AAA to user eve\)$/));
  it("are those of backend roles too, several together as one", () =>
    expect(lineOf({ roles_key: "r" })).toMatch(/ADMIN is mapped to backend role admin and .*x.*y/));
  it("are listed for internal users where no backend is named", () =>
    expect(look(authc({}), authc({ d: { http_authenticator: { type: "basic" } } }), state).text).toMatch(
      /has the password of an internal user/,
    ));
});

describe("fewer proxies", () => {
  const xff = (enabled: boolean): Fields => ({ http: { xff: { enabled, internalProxies: ".*" } } });
  it("count where mappings are unknown", () => expect(look(xff(true), xff(false)).refused).toEqual(["config/http"]));
  it("do not where names alone are blocked", () => {
    const blocks = new Map<string, Fields>([["b", { type: "name", value: ["eve"], verdict: "disallow" }]]);
    expect(look(xff(true), xff(false), { mappings: none, blocks }).refused).toEqual([]);
  });
  it("and more: with what proxies say of users", () => {
    const proxy = authc({ p: domain("proxy", { user_header: "x-user" }) });
    expect(look({ ...xff(false), ...proxy }, { ...xff(true), ...proxy }).text).toMatch(/by authc p any user name/);
  });
});

it("knows nothing of what is below a known setting", () =>
  expect(listUnknownSettings({}, { dynamic: { kibana: { index: { x: 1 } } } })).toEqual([["kibana", "index", "x"]]));

it("knows which sources assert any backend role", () => {
  const domains = { a: jwt({ roles_key: "r" }), b: jwt(), c: domain("basic", {}, "intern"), d: domain("x.Y") };
  expect(listRoleSources({ dynamic: { authc: domains } }, { servesTransport: true })).toEqual(["authc a", "authc d"]);
});

describe("a renewed secret", () => {
  const key = new Secret("${env:KEY}", "new", "${env:KEY}");
  const referencesThen = new Map([["/dynamic/authc/d/http_authenticator/config/signing_key", "${env:KEY}"]]);
  const compare = (was: Fields, is: Fields, then?: typeof referencesThen) =>
    compareLogins(
      {
        before: { dynamic: authc({ d: domain("jwt", was) }) },
        after: { dynamic: authc({ d: domain("jwt", is) }) },
      },
      { servesTransport: false, referencesThen: then },
    );
  const kinds = (was: Fields, now: Secret) =>
    compare(was, { signing_key: now }, referencesThen).map(({ kind }) => kind);
  it("has another value by the same reference", () => expect(kinds({ signing_key: "old" }, key)).toEqual(["renewed"]));
  it("was there", () => expect(kinds({}, key)).toEqual(["gained"]));
  it("is the whole text", () =>
    expect(kinds({ signing_key: "old" }, new Secret("${env:KEY}", "new"))).toEqual(["gained"]));
  it("may be one where no reference of before is known, and it is a secret that is another", () => {
    const may = (...sides: Parameters<typeof compare>) => compare(...sides).map(({ isOtherSecret }) => isOtherSecret);
    expect(may({ signing_key: "old" }, { signing_key: key })).toEqual([true]);
    expect(may({ signing_key: "old" }, { signing_key: key }, new Map())).toEqual([undefined]);
    expect(may({ roles_key: "a" }, { roles_key: "b" })).toEqual([undefined]);
  });
  it("was the whole text", () => expect(collectReferences({ a: new Secret("${env:KEY}", "x") })).toEqual([]));
});
