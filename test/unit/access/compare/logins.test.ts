// What a change of the config does to who signs in: each condition of the comparison by the case that it decides.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, test } from "vitest";
import { collectReferences, listUnknownSettings } from "../../../../src/access/compare/login-settings.ts";
import { compareLogins, listRoleSources } from "../../../../src/access/compare/logins.ts";
import { formatMapped } from "../../../../src/access/explain/mapped-roles.ts";
import { readAccessSettings } from "../../../../src/access/model/settings.ts";
import type { Dialect } from "../../../../src/dialects/dialect.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { getValueAt } from "../../../../src/json/pointer.ts";
import { Secret } from "../../../../src/json/secret.ts";
import { type Fields, isObject, type Value } from "../../../../src/json/value.ts";

const dialect = createDialect("search-guard", "7.x-47");
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

function look(
  before: Fields,
  after: Fields,
  state?: { mappings: typeof byName; blocks: typeof byName },
  on: Dialect = dialect,
) {
  const found = compareLogins({ before: { dynamic: before }, after: { dynamic: after } }, { dialect: on }, state, [
    "ADMIN",
  ]);
  const signs = { gained: "+", lost: "-", renewed: "~", unknown: "?" };
  return {
    refused: found.filter(({ kind }) => kind === "gained" || kind === "unknown").flatMap(({ addresses }) => addresses),
    text: found.map((one) => `${signs[one.kind]} ${one.what}${formatMapped(one)}`).join("\n"),
  };
}

test("a public key is named by its end, in one line", () => {
  const pem = (body: string) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`;
  const key = (end: string) =>
    jwt({ signing_key: pem(`MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtZiQRHJ9\n${end}`) });
  expect(
    look(authc({ a: key("aaaa/abcdefgh/aaaawIDAQAB") }), authc({ a: key("bbbb/abcdefgh/aaaawIDAQAB") })).text,
  ).toContain("can sign tokens for the public key …bbb/abcdefgh/aaaawIDAQAB (");
});

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
  [
    "a setting of http that is not known",
    {},
    { http: { trust: 1 } },
    "http",
    /new http\.trust 1: what it decides about logins is unknown/,
  ],
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
    /without allowed_tries/,
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
  ...(
    [
      ["of a package that nobody knows", "com.example.http.HTTPBasicAuthenticator"],
      ["that is called so elsewhere", "com.floragunn.searchguard.other.HTTPBasicAuthenticator"],
      ["without a package", "HTTPBasicAuthenticator"],
      ["in another case", "Basic"],
      ["that is another way", "proxy"],
    ] as const
  ).map(
    ([about, type]) =>
      [
        `a type ${about}`,
        authc({ d: domain("basic", {}, "intern") }),
        authc({ d: domain(type, {}, "intern") }),
        "authc/d",
        new RegExp(`another http_authenticator.type "${type}"`),
      ] as [string, Fields, Fields, string, RegExp],
  ),
  ...([undefined, [], ["10.0.0.0/8", "0.0.0.0/0"], "10.0.0.0/8"] as const).map(
    (is) =>
      [
        `a domain for more addresses: ${JSON.stringify(is)}`,
        authc({ d: jwt({}, { enabled_only_for_ips: ["10.0.0.0/8"] }) }),
        authc({ d: jwt({}, is && { enabled_only_for_ips: is }) }),
        "authc/d",
        is ? /another enabled_only_for_ips / : /without enabled_only_for_ips/,
      ] as [string, Fields, Fields, string, RegExp],
  ),
  [
    "the type proxy2 in place of proxy",
    authc({ d: domain("proxy") }),
    authc({ d: domain("proxy2") }),
    "authc/d",
    /another http_authenticator.type "proxy2"/,
  ],
  [
    "a setting that is there in two forms",
    authc({ d: domain("saml", { idp: { entity_id: "urn:x" } }) }),
    authc({ d: domain("saml", { idp: { entity_id: "urn:evil" }, "idp.entity_id": "urn:x" }) }),
    "authc/d",
    /another idp\.entity_id "urn:evil"/,
  ],
  [
    "two forms, the values of which change places",
    authc({ d: domain("saml", { idp: { entity_id: "urn:evil" }, "idp.entity_id": "urn:x" }) }),
    authc({ d: domain("saml", { idp: { entity_id: "urn:x" }, "idp.entity_id": "urn:evil" }) }),
    "authc/d",
    /another idp\.entity_id "urn:evil"/,
  ],
  [
    "fewer users without roles of a directory",
    { authz: { r: { authorization_backend: { type: "ldap", config: { skip_users: ["a", "b"] } } } } },
    { authz: { r: { authorization_backend: { type: "ldap", config: { skip_users: ["b", "c"] } } } } },
    "authz/r",
    /another skip_users \["b","c"\]/,
  ],
  [
    "the password of a backend that nobody knows",
    authc({
      d: domain("basic", {}, "x", { authentication_backend: { type: "com.example.B", config: { password: "a" } } }),
    }),
    authc({
      d: domain("basic", {}, "x", { authentication_backend: { type: "com.example.B", config: { password: "b" } } }),
    }),
    "authc/d",
    /another password/,
  ],
  [
    "a provider of tokens with another key",
    { auth_token_provider: { enabled: true, jwt_signing_key_hs512: "k" } },
    { auth_token_provider: { enabled: true, jwt_signing_key_hs512: "k", jwt_aud: "x" } },
    "auth_token_provider",
    /new jwt_aud "x"/,
  ],
  ...(
    [
      ["admin", ["other"]],
      ["admin", undefined],
      ["admin,root", ["admin,root", "x"]],
      [["admin"], "admin,"],
    ] as const
  ).map(([was, is]): [string, Fields, Fields, string, RegExp] => {
    const skipping = (skip_users?: Fields[string]) => ({
      authz: { r: { authorization_backend: { type: "ldap", config: skip_users ? { skip_users } : {} } } },
    });
    const about = `others without roles of a directory: ${JSON.stringify([was, is])}`;
    return [about, skipping(was), skipping(is), "authz/r", /(another|without) skip_users/];
  }),
  ...([undefined, { hosts: ["h"] }] as const).map((password): [string, Fields, Fields, string, RegExp] => {
    const directory = (more: Fields) =>
      authc({
        d: domain("basic", {}, "x", { authentication_backend: { type: "ldap", config: { bind_dn: "b", ...more } } }),
      });
    const is = directory(password ? { password } : {});
    return [
      `a password that is ${password}`,
      directory({ password: "a" }),
      is,
      "authc/d",
      /(without|another) password/,
    ];
  }),
  [
    "a name that every object has",
    authc({}),
    authc({ constructor: jwt() }),
    "authc/constructor",
    /^\+ .*\(authc constructor, new\): any user name$/,
  ],
  [
    "another name beside a domain of the same order",
    authc({ a: jwt({}, { order: 1 }), b: jwt({ roles_key: "r" }, { order: 1 }) }),
    authc({ a: jwt({}, { order: 1 }), c: jwt({ roles_key: "r" }, { order: 1 }) }),
    "authc/c",
    /^\? authc c \(another name\)/,
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

/** Each setting that a source of users is known to have, by the part of a domain that has it. */
const settings: readonly (readonly [type: string, part: string, names: string])[] = [
  [
    "openid",
    "http_authenticator",
    "openid_connect_url jwks_uri subject_key roles_key jwt_header jwt_url_parameter required_audience required_issuer " +
      "jwt_clock_skew_tolerance_seconds openid_connect_idp.enable_ssl openid_connect_idp.verify_hostnames " +
      "openid_connect_idp.pemtrustedcas_filepath openid_connect_idp.enable_ssl_client_auth cache_jwks_endpoint",
  ],
  [
    "saml",
    "http_authenticator",
    "idp.metadata_url idp.metadata_file idp.metadata_content idp.entity_id idp.pemtrustedcas_filepath sp.entity_id " +
      "kibana_url exchange_key subject_key roles_key roles_seperator sp.signature_private_key sp.forceAuthn",
  ],
  [
    "jwt",
    "http_authenticator",
    "signing_key jwks_uri jwt_header jwt_url_parameter roles_key subject_key required_audience required_issuer",
  ],
  ["kerberos", "http_authenticator", "strip_realm_from_principal acceptor_principal acceptor_keytab_filepath"],
  ["clientcert", "http_authenticator", "username_attribute roles_attribute skip_users"],
  ["proxy", "http_authenticator", "user_header roles_header roles_separator attr_header_prefix auth_mode allowed_dn_s"],
  ["host", "http_authenticator", "whatever"],
  [
    "ldap",
    "authentication_backend",
    "hosts bind_dn userbase usersearch username_attribute enable_ssl verify_hostnames users.a.base users.a.search",
  ],
  [
    "ldap",
    "authorization_backend",
    "hosts bind_dn rolebase rolesearch userroleattribute userrolename rolename resolve_nested_roles roles.a.base " +
      "roles.a.search userbase usersearch custom_return_attributes exclude_roles",
  ],
];
const eachSetting = settings.flatMap(([type, part, names]) =>
  names.split(" ").map((name) => [type, part, name] as const),
);

describe("whichever setting of a source is another, its line shows it with its value:", () => {
  const nest = (name: string, value: Fields[string]): Fields =>
    name.split(".").reduceRight<Fields[string]>((inner, key) => ({ [key]: inner }), value) as Fields;
  test.for(eachSetting)("%s %s.config.%s", ([type, part, name]) => {
    const child = part === "authorization_backend" ? "authz" : "authc";
    const change = (config: Fields): Fields => ({
      [child]: { d: { http_authenticator: { type: "basic" }, [part]: { type, config } } },
    });
    const values = ["https://evil.example/realms/b", ["x", "evil"], 7];
    for (const value of values)
      for (const write of [nest, (key: string, one: Fields[string]) => ({ [key]: one })])
        for (const old of [undefined, "https://a.example/other"]) {
          // Others are there, and stay or are another, too.
          const others: Fields = { openid_connect_url: "https://idp.example/c", entity_id: "urn:idp", more: "a" };
          const after: Fields = { ...others, a1: 1, a2: 2, a3: 3, a4: 4, a5: 5, ...write(name, value) };
          const before = change({ ...others, ...(old !== undefined && write(name, old)) });
          const { refused, text } = look(before, change(after));
          expect(refused).toEqual([`config/${child}/d`]);
          expect(text).toContain(typeof value === "string" ? ` ${value}` : JSON.stringify(value));
          expect(text).toContain(name);
        }
    expect(look(change({ [name]: "x" }), change({})).text).toContain(`without ${name}`);
    const secret = new Secret("${env:X}", "hidden-text");
    expect(look(change({ [name]: "x" }), change({ [name]: secret })).text).toContain(`${name} (secret \${env:X})`);
  });
});

test.for<[about: string, config: Fields, backend: string, who: string]>([
  [
    "openid",
    { openid_connect_url: "https://idp.example/.well-known/openid-configuration", jwks_uri: "https://evil.example/k" },
    "noop",
    "https://evil.example/k or https://idp.example signs in",
  ],
  [
    "openid",
    { openid_connect_url: "https://idp.example@evil.example/realms/a/.well-known/openid-configuration" },
    "noop",
    "https://evil.example/realms/a signs in",
  ],
  [
    "saml",
    { idp: { entity_id: "urn:idp", metadata_url: "https://evil.example/m" } },
    "noop",
    "https://evil.example/m or urn:idp signs in",
  ],
  [
    "saml",
    { idp: { entity_id: "urn:idp", metadata_content: "<EntityDescriptor/>" } },
    "noop",
    "the metadata_content of the config or urn:idp signs in",
  ],
  [
    "jwt",
    { jwks_uri: "https://evil.example/k", roles_key: ["a", "b"] },
    "noop",
    'can sign tokens for https://evil.example/k (authc d, new): any user name, backend roles of its claim ["a","b"]',
  ],
])("names all that may decide of %s", ([type, config, backend, who]) =>
  expect(look({}, authc({ d: domain(type, config, backend) })).text).toContain(who),
);

it("says a limit that no server can use beside one that is as strict", () => {
  const both = (l: Fields): Fields => ({ auth_failure_listeners: { l, m: { type: "ip" } } });
  expect(look(limits({}), both({ type: "nope" })).refused).toEqual(["config/auth_failure_listeners/l"]);
  expect(look(both({ type: "nope" }), both({ type: "nope" })).refused).toEqual([]);
  expect(look(both({}), both({})).refused).toEqual([]);
});

/**
 * Values of a limit in place of the 5 that is there, and of hosts in place of `10.0.0.1`: those that 2.19.4 refuses, cannot use, or reads
 * as more are counted (each of them asked of a real one).
 */
const notANumber = ["0x5", "5.9", "1e3", "five", "٥", true, false, [5], ["5"], {}, 2 ** 31, "", 0, -1, "-5", 0.5, null];
test.for<[field: string, counted: readonly Value[], silent: readonly Value[]]>([
  ["allowed_tries", [...notANumber, 6, "06", 5.9 + 1], [5, "5", " 5 ", "+5", "05", 5.9, 1, 4]],
  ["time_window_seconds", [...notANumber, 4, 2_147_484], [5, "5", " 5 ", "+5", "05", 5.9, 6, 2_147_483]],
  ["block_expiry_seconds", [...notANumber, 4, 2_147_484], [5, "5", " 5 ", "+5", "05", 5.9, 6, 2_147_483]],
  ["max_blocked_clients", [...notANumber, 4], [5, "5", " 5 ", "+5", "05", 5.9, 6, 2_147_484]],
  ["max_tracked_clients", [...notANumber, 4], [5, "5", " 5 ", "+5", "05", 5.9, 6, 2_147_484]],
  [
    "ignore_hosts",
    ["*", "10.0.0.1", "10.0.0.1,*", "", true, 5, {}, { a: "*" }, [["10.0.0.1"]], [5], ["10.0.0.1", "*"], [null]],
    [[], ["10.0.0.1"], null],
  ],
  ["type", ["x", "IP", "ip ", "", 5, true, null, [], ["ip"], {}, "java.lang.String"], ["ip"]],
])(
  "of the values of %s, those that let more through, or that no server can use, are said",
  ([field, counted, same]) => {
    const was = limits({ type: "ip", ...(field === "ignore_hosts" ? { [field]: ["10.0.0.1"] } : { [field]: 5 }) });
    const before = field === "type" ? limits({}) : was;
    const isRefused = (from: Fields, value: Value) => look(from, limits({ [field]: value })).refused.length > 0;
    expect(counted.filter((value) => !isRefused(before, value))).toEqual([]);
    expect(same.filter((value) => isRefused(before, value))).toEqual([]);
    // Of a new one, too, what no server can use: it could not load its config.
    const larger = [4, 6, "06", 5.9 + 1, ["10.0.0.1", "*"], [5]].map((one) => JSON.stringify(one));
    const unusable = counted.filter((value) => !larger.includes(JSON.stringify(value)));
    expect(unusable.filter((value) => !isRefused({}, value))).toEqual([]);
  },
);

it("shows of a long value what is another, and how long it is", () => {
  const long = (end: string): Fields => ({ d: jwt({ required_issuer: `${"a,".repeat(1000)}${end}` }) });
  const { text } = look(authc(long("")), authc(long("evil.example")));
  expect(text).toMatch(/another required_issuer ….*evil\.example"… \(2014 characters\)/);
  expect(text.length).toBeLessThan(600);
});

test.for([
  ["odfe-1.x", true],
  ["1.3", true],
  ["2", false],
  ["2.0", false],
  ["3.8", false],
] as const)("OpenSearch %s lets in transport clients: %s", ([release, is]) => {
  const off = authc({ d: jwt({}, { http_enabled: false, transport_enabled: true }) });
  expect(look({}, off, undefined, createDialect("opensearch", release)).refused).toEqual(is ? ["config/authc/d"] : []);
});

describe("the class of a type is the same", () => {
  const jwtClass = "auth.http.jwt.HTTPJwtAuthenticator";
  const basicClass = "http.HTTPBasicAuthenticator";
  const [dlic, current, odfe, sg, sgDlic] = [
    "com.amazon.dlic.",
    "org.opensearch.security.",
    "com.amazon.opendistroforelasticsearch.security.",
    "com.floragunn.searchguard.",
    "com.floragunn.dlic.",
  ];
  // Of 2.19.4 measured, of the others by their source.
  it.for<[product: "opensearch" | "search-guard", release: string, same: readonly string[]]>([
    ["opensearch", "odfe-1.x", [odfe + basicClass, dlic + jwtClass]],
    ["opensearch", "2.19", [current + basicClass, dlic + jwtClass]],
    ["opensearch", "3.0", [current + basicClass, current + jwtClass]],
    ["opensearch", "3", [current + basicClass, `${current}auth.http.jwt.keybyjwks.HTTPJwtKeyByJWKSAuthenticator`]],
    ["search-guard", "7.x-47", [sg + basicClass, sgDlic + jwtClass]],
  ])("only where this server has it: %s %s", ([product, release, same]) => {
    const classes = [dlic, current, odfe, sg, sgDlic].flatMap((one) => [one + jwtClass, one + basicClass]);
    const silent = [...new Set([...classes, ...same])].filter((name) => {
      const isJwt = name.includes("jwt");
      const [was, is] = [isJwt ? "jwt" : "basic", name].map((type) =>
        authc({ d: domain(type, isJwt ? { signing_key: "k" } : {}, "intern") }),
      ) as [Fields, Fields];
      const on = createDialect(product, release);
      const texts = [look(was, is, undefined, on).text, look(is, was, undefined, on).text];
      expect(texts[0] === "").toBe(texts[1] === "");
      return texts[0] === "";
    });
    expect(silent.sort()).toEqual([...same].sort());
  });
});

test.for<[about: string, before: Fields, after: Fields, says: RegExp]>([
  [
    "the class of a type",
    authc({ d: jwt() }),
    authc({
      d: jwt(
        {},
        {
          http_authenticator: {
            type: "com.floragunn.dlic.auth.http.jwt.HTTPJwtAuthenticator",
            config: { signing_key: "k" },
          },
        },
      ),
    }),
    /^$/,
  ],
  [
    "another name, and the class of a backend",
    authc({ d: domain("basic", {}, "intern") }),
    authc({
      e: domain(
        "com.floragunn.searchguard.http.HTTPBasicAuthenticator",
        {},
        "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend",
      ),
    }),
    /^$/,
  ],
  [
    "another name, where the server filled in a list",
    authc({ d: { ...jwt(), skip_users: [] } }),
    authc({ e: jwt() }),
    /^$/,
  ],
  [
    "no backend, which is that of internal users",
    authc({
      d: domain("basic", {}, "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend"),
    }),
    authc({ d: { http_authenticator: { type: "basic" }, transport_enabled: false } }),
    /^$/,
  ],
  [
    "a name in two words in place of one",
    authc({ d: domain("saml", { "idp.entity_id": "urn:x", "idp.metadata_url": "https://a.example" }) }),
    authc({ d: domain("saml", { idp: { entity_id: "urn:x", metadata_url: "https://a.example" } }) }),
    /^$/,
  ],
  ...(
    [
      [undefined, ["10.0.0.0/8"]],
      [[], ["10.0.0.0/8"]],
      [["10.0.0.0/8", "10.1.0.0/16"], ["10.1.0.0/16"]],
    ] as const
  ).map(
    ([was, is]) =>
      [
        `a domain for fewer addresses: ${JSON.stringify([was, is])}`,
        authc({ d: jwt({}, was && { enabled_only_for_ips: was }) }),
        authc({ d: jwt({}, { enabled_only_for_ips: is }) }),
        /^- authc d: more users are left out \(enabled_only_for_ips\)$/,
      ] as [string, Fields, Fields, RegExp],
  ),
  [
    "more users without roles of a directory",
    { authz: { r: { authorization_backend: { type: "ldap", config: { skip_users: ["a"] } } } } },
    { authz: { r: { authorization_backend: { type: "ldap", config: { skip_users: ["a", "b"] } } } } },
    /^- authz r: more users are left out \(skip_users\)$/,
  ],

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
  [
    "roles of the class that adds none",
    {},
    {
      authz: {
        a: { authorization_backend: { type: "com.floragunn.searchguard.auth.internal.NoOpAuthorizationBackend" } },
      },
    },
    /^$/,
  ],
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
  it("are those of who has no login, by its own name, backend role or address", () => {
    const mappings = new Map<string, Fields>([
      ["ADMIN", { backend_roles: ["sg_anonymous_backendrole"], users: ["ana"] }],
      ["ALL", { users: ["*"], and_backend_roles: ["sg_anon*"] }],
      ["HOSTS", { hosts: ["10.0.0.1"] }],
      ["OTHER", { users: ["sg_anonymou"], backend_roles: ["x"], and_backend_roles: ["sg_*", "x"] }],
    ]);
    expect(look({}, { http: { anonymous_auth_enabled: true } }, { mappings, blocks: none }).text).toMatch(
      /: user sg_anonymous, backend role sg_anonymous_backendrole \(ADMIN is mapped to backend role sg_anonymous_backendrole, ALL to (?=.*user \*).*backend role.*, HOSTS to .*10\.0\.0\.1\)$/,
    );
  });
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

describe("whatever is written anywhere in the config", () => {
  const whole: Fields = {
    authc: {
      a: domain("openid", { openid_connect_url: "https://a", idp: { x: 1 } }, "noop", { order: 1 }),
      b: domain("basic", {}, "intern", { order: 2, skip_users: ["x"] }),
      c: domain("proxy", { user_header: "u" }, "ldap", { order: 3, description: "d" }),
    },
    authz: { r: { authorization_backend: { type: "ldap", config: { hosts: ["h"], users: { p: { base: "b" } } } } } },
    http: { anonymous_auth_enabled: true, xff: { enabled: true, internalProxies: "10\\..*", remoteIpHeader: "x-a" } },
    auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5 } },
    on_behalf_of: tokens,
    auth_token_provider: { enabled: true, jwt_signing_key_hs512: "k" },
    api_tokens: { enabled: true },
    kibana: { index: ".kibana" },
    hosts_resolver_mode: "ip-hostname-lookup",
    transport_userrname_attribute: "cn",
    disable_rest_auth: false,
    filtered_alias_mode: "warn",
  };
  const put = (value: Fields, [key = "", ...rest]: readonly string[], given: Value | undefined): Fields => {
    const { [key]: old, ...others } = value;
    const next = rest.length === 0 ? given : put(old as Fields, rest, given);
    return { ...others, ...(next !== undefined && { [key]: next }) };
  };
  const listPaths = (value: Value, path: readonly string[] = []): (readonly string[])[] =>
    isObject(value) ? [path, ...Object.entries(value).flatMap(([key, one]) => listPaths(one, [...path, key]))] : [path];
  const paths = listPaths(whole);
  const isSilent = (after: Fields): boolean =>
    look(whole, after).text === "" &&
    listUnknownSettings({ dynamic: whole }, { dynamic: after }).length === 0 &&
    isDeepStrictEqual(readAccessSettings({ dynamic: whole }), readAccessSettings({ dynamic: after }));
  const keys = ["x", "a.b", "config.roles_key", "idp.x", "*", "**", "constructor", "roles_Key", "", "descriptıon", "0"];
  const values: readonly Value[] = [
    1,
    "x",
    "",
    null,
    true,
    false,
    ["x"],
    [],
    { x: 1 },
    { x: {}, y: [null] },
    [{ x: 1 }],
  ];

  it("is no change by no key that is not known", () => {
    const found = paths
      .filter((path) => isObject(getValueAt(whole, path)))
      .flatMap((path) =>
        keys.flatMap((key) =>
          values
            .filter((value) => !isDeepStrictEqual(value, getValueAt(whole, [...path, key])))
            .filter((value) => isSilent(put(whole, [...path, key], value)))
            .map((value) => `${[...path, key].join("/")} ${JSON.stringify(value)}`),
        ),
      );
    // A domain without a backend adds no roles, whatever else it has.
    expect(found.filter((one) => !/^authz\/[^/]* \{/.test(one))).toEqual([]);
  });

  it("is no change by no value that is another, but where that takes away, or is said otherwise", () => {
    const found = paths.slice(1).flatMap((path) =>
      [undefined, ...values, "TRUE", "1", 7.5]
        .filter((value) => JSON.stringify(value) !== JSON.stringify(getValueAt(whole, path)))
        .filter((value) => isSilent(put(whole, path, value)))
        .map((value) => `${path.join("/")} ${JSON.stringify(value) ?? "without"}`),
    );
    const same = [
      /\/description /,
      // Domains are asked in the order in which they were.
      /^authc\/(a\/order |c\/order 7\.5$)/,
      // By default, or as the server reads it, it is this.
      /\/config without$|^authc\/b\/authentication_backend(\/type)? (without|null)$/,
      /\/enabled |^disable_rest_auth (without|""|null)$/,
      /^kibana(\/index)? (without|""|null|\[.*|\{.*)$/,
      /\/allowed_tries (1|true|"1")$/,
    ];
    expect(found.filter((one) => !same.some((pattern) => pattern.test(one)))).toEqual([]);
  });
});

it("knows nothing of what is below a known setting", () =>
  expect(listUnknownSettings({}, { dynamic: { kibana: { index: { x: 1 } } } })).toEqual([["kibana", "index", "x"]]));

it("knows which sources assert any backend role", () => {
  const domains = { a: jwt({ roles_key: "r" }), b: jwt(), c: domain("basic", {}, "intern"), d: domain("x.Y") };
  expect(listRoleSources({ dynamic: { authc: domains } }, { dialect })).toEqual(["authc a", "authc d"]);
});

/** Every place that holds a key, a password or a certificate, or may be given as one. */
const keyed: readonly (readonly [place: string, names: string])[] = [
  ["authc/d/http_authenticator jwt", "signing_key jwks_uri"],
  [
    "authc/d/http_authenticator openid",
    "jwks_uri client_secret openid_connect_idp.pemtrustedcas_content openid_connect_idp.pemkey_content",
  ],
  [
    "authc/d/http_authenticator saml",
    "exchange_key sp.signature_private_key sp.signature_private_key_password idp.metadata_content",
  ],
  ["authc/d/http_authenticator kerberos", "acceptor_keytab_filepath"],
  ["authc/d/http_authenticator clientcert", "username_attribute"],
  ["authc/d/http_authenticator proxy", "user_header roles_header"],
  ["authc/d/authentication_backend ldap", "password pemtrustedcas_content pemkey_content pemkey_password"],
  ["authc/d/authentication_backend com.floragunn.dlic.auth.ldap.backend.LDAPAuthenticationBackend", "password"],
  ["authz/d/authorization_backend ldap", "password pemtrustedcas_content pemkey_content pemkey_password"],
  ["on_behalf_of", "signing_key encryption_key"],
  ["auth_token_provider", "jwt_signing_key_hs512 jwt_encryption_key_a256kw"],
  ["api_tokens", "signing_key encryption_key"],
];

describe("of two values of a key", () => {
  const [one, other] = ["${env:ONE}", "${env:OTHER}"].map(
    (reference) => (value: string) => new Secret(reference, value, reference),
  ) as [(value: string) => Secret, (value: string) => Secret];
  const plain = (value: string) => new Secret("in the state file", value);
  /** What is live, what is declared, and which reference was applied. */
  const cases: readonly (readonly [about: string, was: Value | undefined, is: Value | undefined, then: string])[] = [
    ["the same reference", "old", one("new"), "${env:ONE}"],
    ["the same reference, which is empty now", "old", one(""), "${env:ONE}"],
    ["another reference", "old", other("new"), "${env:ONE}"],
    ["a reference in place of a text", "old", one("new"), ""],
    ["a reference that is a part of a text", "old", new Secret("${env:ONE}", "new"), "${env:ONE}"],
    ["a text in place of a reference", "old", plain("new"), "${env:ONE}"],
    ["a text that nobody knows as a secret", "old", "new", "${env:ONE}"],
    ["an empty text", "old", "", "${env:ONE}"],
    ["a secret that is empty", "old", plain(""), ""],
    ["null", "old", null, "${env:ONE}"],
    ["none any more", "old", undefined, "${env:ONE}"],
    ["one where there was none", undefined, one("new"), ""],
    ["one where it was empty", "", one("new"), "${env:ONE}"],
    ["a list", "old", ["new"], "${env:ONE}"],
  ];
  const places = keyed.flatMap(([place, names]) => names.split(" ").map((name) => [place, name] as const));
  const write = (place: string, name: string, value: Value | undefined) => {
    const [where = "", type] = place.split(" ");
    const own: Fields = value === undefined ? {} : { [name]: value };
    const steps = where.split("/");
    const leaf = type === undefined ? { enabled: true, more: "x", ...own } : { type, config: { hosts: ["h"], ...own } };
    const dynamic = steps.reduceRight<Fields>((inner, step) => ({ [step]: inner }), leaf);
    return { fields: { dynamic }, at: steps.slice(0, 2), pointer: [...steps, ...(type ? ["config"] : []), name] };
  };
  it.each(cases)("%s is a change, but for a key that is rotated", (about, old, now, then) => {
    for (const [place, name] of places) {
      const [was, is] = [write(place, name, old), write(place, name, now)];
      const referencesThen = new Map(then === "" ? [] : [[`/dynamic/${was.pointer.join("/")}`, then]]);
      const found = compareLogins({ before: was.fields, after: is.fields }, { dialect, referencesThen });
      const kinds = found.map(({ kind, addresses }) => `${kind} ${addresses.join()} ${place} ${name}`);
      const kind = about === "the same reference" ? "renewed" : expect.stringMatching(/^(gained|unknown)$/);
      expect(
        found.map((each) => each.kind),
        kinds.join(),
      ).toEqual([kind]);
      expect(found[0]?.addresses).toEqual([["config", ...was.at].join("/")]);
      // Where nothing says which reference was applied, nothing is known to be the same; of a directory's password that is no matter.
      const unsaid = compareLogins({ before: was.fields, after: is.fields }, { dialect });
      const isOnlyOwn =
        name === "password" && /reference$|^a reference in place/.test(about) && !about.startsWith("a text");
      const known = isOnlyOwn ? "renewed" : expect.stringMatching(/^(gained|unknown)$/);
      expect(unsaid.map((each) => each.kind)).toEqual([known]);
    }
  });
  it("the same value is none, by whichever reference", () => {
    for (const [place, name] of places)
      for (const value of [one("old"), other("old"), plain("old")]) {
        const [was, is] = [write(place, name, "old"), write(place, name, value)];
        expect(compareLogins({ before: was.fields, after: is.fields }, { dialect })).toEqual([]);
      }
  });
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
      { dialect, referencesThen: then },
    );
  const kinds = (was: Fields, now: Secret) =>
    compare(was, { signing_key: now }, referencesThen).map(({ kind }) => kind);
  it("has another value by the same reference", () => expect(kinds({ signing_key: "old" }, key)).toEqual(["renewed"]));
  it("is one of a list of keys", () => {
    const other = new Secret("${env:OTHER}", "new", "${env:OTHER}");
    const inList = (at: number) =>
      new Map([[`/dynamic/authc/d/http_authenticator/config/signing_key/${at}`, "${env:KEY}"]]);
    const cases: readonly (readonly [was: Value, is: Value, at: number, kind: string])[] = [
      [["old"], [key], 0, "renewed"],
      [["a", "old"], ["a", key], 1, "renewed"],
      [["old"], [key], 1, "gained"],
      [["old"], [other], 0, "gained"],
      [["old"], [key, "a"], 0, "gained"],
      [["old", "a"], [key], 0, "gained"],
      [["old", "a"], [key, "b"], 0, "gained"],
      ["old", [key], 0, "gained"],
      [[["old"]], [[key]], 0, "gained"],
      [[""], [key], 0, "gained"],
    ];
    for (const [was, is, at, kind] of cases)
      expect([was, is, compare({ signing_key: was }, { signing_key: is }, inList(at)).map((one) => one.kind)]).toEqual([
        was,
        is,
        [kind],
      ]);
  });
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
