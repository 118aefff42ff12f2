// Who may log in as whom is access: a config by which others say who users are is shown under Access, and refused.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { InitialState } from "../../src/emulator/index.ts";
import { type Files, inFolder } from "../support/command.ts";
import { type Env, gateSyncAnyhow, type Harness, onHarness } from "./harness.ts";

const basic = {
  http_enabled: true,
  order: 1,
  http_authenticator: { type: "basic", challenge: true, config: {} },
  authentication_backend: { type: "intern", config: {} },
};

const domain = (type: string, config: object, backend = "noop", more: object = {}) => ({
  http_enabled: true,
  order: 2,
  http_authenticator: { type, challenge: false, config },
  authentication_backend: { type: backend, config: {} },
  ...more,
});

const jwt = (signing_key: string) => domain("jwt", { signing_key, roles_key: "roles" });
const openid = (roles_key = "roles", host = "idp.example") =>
  domain("openid", { openid_connect_url: `https://${host}/.well-known/openid-configuration`, roles_key });
const ldap = (host: string, config: object = {}) => ({
  ...domain("basic", {}, "ldap"),
  authentication_backend: { type: "ldap", config: { hosts: [host], usersearch: "(uid={0})", ...config } },
});
const roles = (config: object) => ({
  http_enabled: true,
  authorization_backend: { type: "ldap", config: { hosts: ["ldap.example:636"], ...config } },
});

const config = (dynamic: object) => ({ dynamic: { authc: { basic }, ...dynamic } });
const authc = (more: object) => config({ authc: { basic, ...more } });

const key = "a-signing-key-of-many-characters";

/** What was there, what is declared, at which addresses that is refused, and a part of what Access says. */
type Case = readonly [about: string, before: object, after: object, addresses: readonly string[], says: RegExp];

const gains: readonly Case[] = [
  [
    "a new JWT domain",
    authc({}),
    authc({ jwt: jwt(key) }),
    ["config/authc/jwt"],
    /\+ .* can sign tokens .*any user name, backend roles of its claim "roles" \(ADMIN is mapped to backend role admin/,
  ],
  [
    "a new OpenID domain",
    authc({}),
    authc({ idp: openid() }),
    ["config/authc/idp"],
    /\+ whoever https:\/\/idp\.example signs in \(authc idp, new\): any user name, backend roles of its claim "roles" \(ADMIN is mapped to backend role admin/,
  ],
  [
    "a new SAML domain",
    authc({}),
    authc({
      saml: domain("saml", { idp: { entity_id: "urn:idp", metadata_url: "https://idp.example/m" }, roles_key: "r" }),
    }),
    ["config/authc/saml"],
    /urn:idp signs in/,
  ],
  [
    "a known signing key",
    authc({ jwt: jwt(key) }),
    authc({ jwt: jwt("another-key-that-is-known") }),
    ["config/authc/jwt"],
    /another signing_key/,
  ],
  [
    "another provider",
    authc({ idp: openid() }),
    authc({ idp: openid("roles", "evil.example") }),
    ["config/authc/idp"],
    /https:\/\/evil\.example signs in/,
  ],
  ...(["two-bind-password", "", null] as const).map(
    (password): Case => [
      `the password by which the server searches: ${JSON.stringify(password)}`,
      authc({ ldap: ldap("l", { password: "one-bind-password" }) }),
      authc({ ldap: ldap("l", { password }) }),
      ["config/authc/ldap"],
      password === "two-bind-password" ? /another password \(secret in the state file\)/ : /(another|without) password/,
    ],
  ),
  [
    "another claim",
    authc({ idp: openid() }),
    authc({ idp: openid("groups") }),
    ["config/authc/idp"],
    /another roles_key.*claim "groups"/,
  ],
  [
    "another LDAP server",
    authc({ ldap: ldap("ldap.example") }),
    authc({ ldap: ldap("evil.example") }),
    ["config/authc/ldap"],
    /evil\.example lets in by password/,
  ],
  [
    "another attribute of names",
    authc({ ldap: ldap("l", { username_attribute: "uid" }) }),
    authc({ ldap: ldap("l", { username_attribute: "description" }) }),
    ["config/authc/ldap"],
    /username_attribute/,
  ],
  [
    "a search for every role",
    config({ authz: { r: roles({ rolesearch: "(member={0})" }) } }),
    config({ authz: { r: roles({ rolesearch: "(objectClass=*)" }) } }),
    ["config/authz/r"],
    /another rolesearch.*any backend roles/,
  ],
  [
    "roles by an attribute of one's own",
    config({ authz: { r: roles({ userrolename: "memberOf" }) } }),
    config({ authz: { r: roles({ userrolename: "description" }) } }),
    ["config/authz/r"],
    /userrolename/,
  ],
  [
    "another name of roles",
    config({ authz: { r: roles({ rolename: "cn" }) } }),
    config({ authz: { r: roles({ rolename: "mail" }) } }),
    ["config/authz/r"],
    /rolename/,
  ],
  [
    "roles by a class that is called nearly as one that adds none",
    config({}),
    config({ authz: { r: { http_enabled: true, authorization_backend: { type: "com.example.NoopRolesBackend" } } } }),
    ["config/authz/r"],
    /\? the backend com\.example\.NoopRolesBackend \(authz r, new\): any backend roles/,
  ],
  [
    "roles of internal users",
    config({}),
    config({ authz: { r: { http_enabled: true, authorization_backend: { type: "internal" } } } }),
    ["config/authz/r"],
    /internal users of the same name \(authz r, new\)/,
  ],
  [
    "a class that is called nearly as a known one",
    authc({}),
    authc({ d: domain("com.example.MyBasicAuthenticator", {}, "intern") }),
    ["config/authc/d"],
    /\? whoever the authenticator com\.example\.MyBasicAuthenticator lets in \(authc d, new\)/,
  ],
  [
    "a domain that is turned on",
    authc({ idp: { ...openid(), http_enabled: false } }),
    authc({ idp: openid() }),
    ["config/authc/idp"],
    /authc idp, turned on/,
  ],
  [
    "a domain that does not say that it is on",
    authc({ idp: { ...openid(), http_enabled: false } }),
    authc({ idp: { ...openid(), http_enabled: undefined } }),
    ["config/authc/idp"],
    /authc idp, turned on/,
  ],
  [
    "proxies at every address",
    config({ http: { xff: { enabled: true, internalProxies: "10\\.0\\.0\\.1" } } }),
    config({ http: { xff: { enabled: true, internalProxies: ".*" } } }),
    ["config/http"],
    /from \.\* .*any client address.*hosts? 10\.9/,
  ],
  [
    "trust in proxies",
    config({ http: { xff: { enabled: false } } }),
    config({ http: { xff: { enabled: true } } }),
    ["config/http"],
    /http\.xff, turned on/,
  ],
  [
    "another header of addresses",
    config({ http: { xff: { enabled: true, remoteIpHeader: "x-a" } } }),
    config({ http: { xff: { enabled: true, remoteIpHeader: "x-b" } } }),
    ["config/http"],
    /remoteIpHeader/,
  ],
  [
    "anonymous users",
    config({ http: { anonymous_auth_enabled: false } }),
    config({ http: { anonymous_auth_enabled: true } }),
    ["config/http"],
    /anyone without a login/,
  ],
  [
    "limits that go",
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5 } } }),
    config({ auth_failure_listeners: {} }),
    ["config/auth_failure_listeners/ip"],
    /wrong passwords are limited no more/,
  ],
  [
    "weaker limits",
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5 } } }),
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 500 } } }),
    ["config/auth_failure_listeners/ip"],
    /more wrong passwords/,
  ],
  ...Object.entries({
    no_tries: { allowed_tries: 0 },
    negative_tries: { allowed_tries: -1 },
    "a time that no server can count": { time_window_seconds: 2_147_484 },
    "no time": { block_expiry_seconds: 0 },
    "room for none": { max_tracked_clients: 0 },
    "another backend": { authentication_backend: "ldap" },
  }).map(
    ([about, more]): Case => [
      `limits by ${about}`,
      config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5 } } }),
      config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5, ...more } } }),
      ["config/auth_failure_listeners/ip"],
      new RegExp(
        `more wrong passwords are let through by ip \\(auth_failure_listeners, (another|new) ${Object.entries(more).map(([name, value]) => `${name} ${JSON.stringify(value)}`)}\\)`,
      ),
    ],
  ),
  [
    "a new limit that no server can use",
    config({ auth_failure_listeners: {} }),
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 0 } } }),
    ["config/auth_failure_listeners/ip"],
    /more wrong passwords/,
  ],
  [
    "another order",
    authc({ idp: openid() }),
    authc({ idp: { ...openid(), order: 0 } }),
    ["config/authc/idp"],
    /\? authc idp \(another order\)/,
  ],
  [
    "a domain that another one of its order hid",
    authc({ idp: openid(), jwt: jwt(key) }),
    authc({ idp: openid() }),
    ["config/authc/idp"],
    /\? authc idp \(another order\)/,
  ],
  [
    "host names by DNS",
    config({ hosts_resolver_mode: "ip-only" }),
    config({ hosts_resolver_mode: "ip-hostname-lookup" }),
    ["config/hosts_resolver_mode"],
    /any name of a host/,
  ],
  [
    "a setting that nobody knows",
    authc({ idp: openid() }),
    authc({ idp: domain("openid", { ...openid().http_authenticator.config, trust_all: true }) }),
    ["config/authc/idp"],
    /new trust_all true/,
  ],
];

const onlyOpenSearch: readonly Case[] = [
  [
    "tokens on behalf of others",
    config({ on_behalf_of: { enabled: false } }),
    config({ on_behalf_of: { enabled: true, signing_key: key, encryption_key: key } }),
    ["config/on_behalf_of"],
    /token of on_behalf_of \(turned on, new encryption_key \(secret in the state file\), new signing_key/,
  ],
];

const silent: readonly (readonly [about: string, before: object, after: object, says: RegExp])[] = [
  ["domains that stay", authc({ idp: openid(), jwt: jwt(key) }), authc({ idp: openid(), jwt: jwt(key) }), /^$/],
  ["a domain that goes", authc({ idp: openid() }), authc({}), /- authc idp \(removed\)/],
  [
    "a domain that is turned off",
    authc({ idp: openid() }),
    authc({ idp: { ...openid(), http_enabled: false, transport_enabled: false } }),
    /- authc idp \(turned off\)/,
  ],
  [
    "a domain that is new, and off",
    authc({}),
    authc({ idp: { ...openid(), http_enabled: false, transport_enabled: false } }),
    /no change/,
  ],
  [
    "a description, and challenges",
    authc({ idp: openid() }),
    authc({ idp: domain("openid", openid().http_authenticator.config, "noop", { description: "x" }) }),
    /^$/,
  ],
  ["another name of the same domain", authc({ idp: openid() }), authc({ sso: openid() }), /no change/],
  [
    "stronger limits",
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 50 } } }),
    config({ auth_failure_listeners: { ip: { type: "ip", allowed_tries: 5 } } }),
    /no change/,
  ],
  [
    "one of two equal limits, a renamed one, and defaults that are written out",
    config({
      auth_failure_listeners: { a: { type: "ip" }, b: { type: "ip" }, c: { type: "username", allowed_tries: 5 } },
    }),
    config({
      auth_failure_listeners: {
        a: { type: "ip", allowed_tries: 10, time_window_seconds: 3600, block_expiry_seconds: 600 },
        d: { type: "username", allowed_tries: 5 },
        e: { type: "username", allowed_tries: 50 },
      },
    }),
    /no change/,
  ],
  [
    "no anonymous users any more",
    config({ http: { anonymous_auth_enabled: true } }),
    config({ http: { anonymous_auth_enabled: false } }),
    /- anyone without a login/,
  ],
];

interface Product {
  readonly product: "gate" | "search-guard" | "opensearch";
  readonly release?: string;
  /** The tables are hundreds of runs that differ in nothing that a process adds. */
  readonly spawned?: false;
}

const products: readonly (readonly [string, Product])[] = [
  ["gate", { product: "gate", spawned: false }],
  ["search-guard 7", { product: "search-guard", spawned: false }],
  ["opensearch", { product: "opensearch", release: "2.19.1", spawned: false }],
];

async function planned(
  product: Product,
  before: object,
  after: object,
  work: (
    harness: Harness & { readonly plan: (more?: string, env?: Env) => ReturnType<Harness["run"]> },
  ) => Promise<void>,
  byAddress: object = { role_mappings: { HOSTS: { hosts: ["10.9.9.9"] } } },
): Promise<void> {
  const state = {
    roles: { ADMIN: { cluster_permissions: ["*"] } },
    ...byAddress,
    role_mappings: { ADMIN: { backend_roles: ["admin"] }, ...(byAddress as InitialState).role_mappings },
    config: before,
  } as InitialState;
  const files = {
    "gate-sync.yaml": "targets: { dev: { url: 'http://127.0.0.1:1', state: [access], admin_roles: [ADMIN] } }",
    "access/c.json": JSON.stringify({ config: after }),
  };
  await onHarness({ ...product, state, files, allowConfigModification: true }, async (harness) => {
    const plan = (more = "", env: Env = {}) => harness.run(`plan --target dev --url URL ${more}`, env);
    await work({ ...harness, plan });
  });
}

const lines = (text: string): string => text.replace(/\n {6,}/g, " ");
const accessOf = (stdout: string): string => lines(/\nAccess[\s\S]*?\n\n/.exec(stdout)?.[0] ?? "");

describe.each(products)("%s", (name, product) => {
  test.for([...gains, ...(name === "opensearch" ? onlyOpenSearch : [])])(
    "refuses %s, and says who comes in",
    ([, before, after, addresses, says]) =>
      planned(product, before, after, async ({ run, plan }) => {
        const { code, stdout } = await plan();
        expect({ code, access: accessOf(stdout) }).toEqual({ code: 4, access: expect.stringMatching(says) });
        expect(stdout + JSON.stringify(await plan("--format json"))).not.toMatch(/many-characters|that-is-known/);
        const { violations } = JSON.parse((await plan("--no-access --format json")).stdout);
        const own = violations.filter(({ rule }: { rule: string }) => rule === "authentication");
        expect(own.flatMap(({ addresses: at }: { addresses: string[] }) => at)).toEqual(addresses);
        const allow = [
          ...addresses.map((address) => `--allow authentication=${address}`),
          "--allow login --allow plain-secrets",
        ].join(" ");
        expect(await run(`apply --target dev --url URL --yes ${allow}`)).toMatchObject({ code: 0 });
      }),
  );

  test.for(silent)("refuses nothing: %s", ([, before, after, says]) =>
    planned(product, before, after, async ({ plan }) => {
      const { code, stdout } = await plan("--allow plain-secrets");
      expect(stdout).not.toContain("guard authentication");
      expect([code, accessOf(stdout)]).toEqual([0, expect.stringMatching(says)]);
    }),
  );
});

describe("a key that is rotated", () => {
  const work = (then: (harness: Harness & { plan: (key: string) => ReturnType<Harness["run"]> }) => Promise<void>) =>
    planned({ product: "search-guard" }, authc({}), authc({ jwt: jwt("${env:KEY}") }), async ({ run, ...rest }) => {
      const env = { KEY: "one-signing-key", OTHER: "other-signing-key" };
      expect(
        await run("apply --target dev --url URL --yes --allow authentication=config/authc/jwt", env),
      ).toMatchObject({ code: 0 });
      await then({ ...rest, run, plan: (KEY) => run("plan --target dev --url URL", { ...env, KEY }) });
    });

  it("is one line, by the record of the last run", () =>
    work(async ({ plan }) => {
      const { code, stdout } = await plan("two-signing-key");
      expect([code, accessOf(stdout)]).toEqual([
        0,
        expect.stringMatching(/~ authc jwt: signing_key \(secret \$\{env:KEY\}\) has another value/),
      ]);
    }));

  it("is refused where no record says which one was applied", () =>
    work(async ({ plan, folder }) => {
      rmSync(join(folder, ".gate-sync"), { recursive: true });
      const { code, stdout } = await plan("two-signing-key");
      expect({ code, stdout: stdout.replace(/\s+/g, " ") }).toEqual({
        code: 4,
        stdout: expect.stringContaining("is unknown, as neither"),
      });
    }));

  /** What is declared, other files, and the file that a branch brings in another form. */
  const brought: readonly (readonly [
    about: string,
    key: string,
    files: Files,
    path: string,
    from: string,
    to: string,
  ])[] = [
    ["another reference", "${env:KEY}", {}, "access/c.json", "${env:KEY}", "${env:OTHER}"],
    ["text around it", "${env:KEY}", {}, "access/c.json", "${env:KEY}", "${env:KEY}-known"],
    ["other text around it", "${env:KEY}-a", {}, "access/c.json", "-a", "-known"],
    ["another default", "${env:UNSET:-one-key}", {}, "access/c.json", "one-key", "known-key"],
    ["another default in a longer text", "${env:KEY}${env:UNSET:-a}", {}, "access/c.json", ":-a", ":-known"],
    ["a file of the repository", "${file:key.txt}", { "access/key.txt": "one-key" }, "access/key.txt", "one", "known"],
    ["a file by its whole path", "${file:FOLDER/key.txt}", { "key.txt": "one-key" }, "key.txt", "one", "known"],
    ["a file above", "${file:../k/key.txt}", { "k/key.txt": "one-key" }, "k/key.txt", "one", "known"],
    ["a variable", "${var:key}", { "vars.yaml": "key: one-key" }, "vars.yaml", "one", "known"],
    ["a variable in a longer text", "${env:KEY}${var:key}", { "vars.yaml": "key: a" }, "vars.yaml", "a", "known"],
  ];
  const replace = (folder: string, path: string, from: string, to: string) => {
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };

  test.for(brought)("is refused by %s", ([, key, files, path, from, to]) =>
    planned(
      { product: "search-guard", spawned: false },
      authc({}),
      authc({ jwt: jwt(key) }),
      async ({ run, plan, folder }) => {
        const env = { KEY: "one-signing-key", OTHER: "other-signing-key" };
        replace(folder, "access/c.json", "FOLDER", folder);
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), text);
        }
        if (files["vars.yaml"]) replace(folder, "gate-sync.yaml", "url:", "vars_files: [vars.yaml], url:");
        const allow = "--allow authentication=config/authc/jwt --allow plain-secrets";
        expect(await run(`apply --target dev --url URL --yes ${allow}`, env)).toMatchObject({ code: 0 });
        replace(folder, path, from, to);
        const { code, stdout } = await plan("--allow plain-secrets", env);
        expect([code, accessOf(stdout)]).toEqual([4, expect.stringMatching(/authc jwt, another signing_key/)]);
      },
    ),
  );

  const secrets = {
    "run/one/key.txt": "one-signing-key",
    "run/two/key.txt": "two-signing-key",
    "repo/gate-sync.yaml": "",
    "repo/sub/x": "",
  };
  const link = (folder: string, path: string, to: string) => {
    rmSync(join(folder, path), { force: true });
    symlinkSync(to, join(folder, path));
  };
  /** How a state file names the key, and what is brought: `AT` is where all of it is. */
  const elsewhere: readonly (readonly [
    about: string,
    key: string,
    before: (at: string) => void,
    after: (at: string) => void,
    isRotated: boolean,
  ])[] = [
    [
      "a file",
      "AT/run/one/key.txt",
      () => {},
      (at) => writeFileSync(join(at, "run/one/key.txt"), "three-signing-key"),
      true,
    ],
    [
      "a file as Kubernetes mounts it",
      "AT/run/key.txt",
      (at) => {
        link(at, "run/..data", "one");
        link(at, "run/key.txt", "..data/key.txt");
      },
      (at) => link(at, "run/..data", "two"),
      true,
    ],
    [
      "a link outside of every repository",
      "AT/run/key.txt",
      (at) => link(at, "run/key.txt", join(at, "run/one/key.txt")),
      (at) => link(at, "run/key.txt", "two/key.txt"),
      true,
    ],
    [
      "a link of the repository",
      "../sub/k",
      (at) => link(at, "repo/sub/k", join(at, "run/one/key.txt")),
      (at) => link(at, "repo/sub/k", join(at, "run/two/key.txt")),
      false,
    ],
    [
      "a link of the repository by its whole path",
      "AT/repo/sub/k",
      (at) => link(at, "repo/sub/k", "../../run/one/key.txt"),
      (at) => link(at, "repo/sub/k", "../../run/two/key.txt"),
      false,
    ],
    [
      "a link to a folder",
      "AT/repo/sub/k/key.txt",
      (at) => link(at, "repo/sub/k", join(at, "run/one")),
      (at) => link(at, "repo/sub/k", join(at, "run/two")),
      false,
    ],
    [
      "a link that leads over one of the repository",
      "AT/run/k",
      (at) => {
        link(at, "run/k", join(at, "repo/sub/k"));
        link(at, "repo/sub/k", join(at, "run/one/key.txt"));
      },
      (at) => link(at, "repo/sub/k", join(at, "run/two/key.txt")),
      false,
    ],
    [
      "a path that looks as if it had a default",
      "AT/run/one/key.txt",
      () => {},
      (at) => {
        writeFileSync(join(at, "repo/known"), "known-signing-key");
        const file = join(at, "repo/access/c.json");
        writeFileSync(file, readFileSync(file, "utf8").replace("key.txt", "key.txt:-/../../../repo/known"));
      },
      false,
    ],
    [
      "a state file that moves",
      "../../run/one/key.txt",
      () => {},
      (at) => {
        mkdirSync(join(at, "repo/run/one"), { recursive: true });
        mkdirSync(join(at, "repo/access/deep"));
        renameSync(join(at, "repo/access/c.json"), join(at, "repo/access/deep/c.json"));
        link(at, "repo/run/one/key.txt", join(at, "run/two/key.txt"));
      },
      false,
    ],
    [
      "a relative path out of the repository",
      "../../run/one/key.txt",
      () => {},
      (at) => writeFileSync(join(at, "run/one/key.txt"), "three-signing-key"),
      false,
    ],
  ];

  test.for(
    elsewhere.flatMap((each) => [
      [...each, true] as const,
      // Unpacked from an archive.
      [...each, false] as const,
    ]),
  )("in a file elsewhere, by %s: one line, or refused", ([, written, before, after, isRotated, hasRepository]) =>
    inFolder(secrets, (at) =>
      planned({ product: "search-guard", spawned: false }, authc({}), authc({}), async ({ folder, url }) => {
        const repo = join(at, "repo");
        cpSync(folder, repo, { recursive: true });
        if (hasRepository) mkdirSync(join(repo, ".git"));
        const key = `\${file:${written.replace("AT", at)}}`;
        writeFileSync(join(repo, "access/c.json"), JSON.stringify({ config: authc({ jwt: jwt(key) }) }));
        replace(repo, "gate-sync.yaml", "targets:", `secret_files: ["${at}/run"]\ntargets:`);
        before(at);
        const run = (line: string) => gateSyncAnyhow(line.split(" "), { cwd: repo, env: {} });
        // Records count in a repository where git says that it does not track them.
        const target = `--target dev --url ${url} --state-dir ${at}/records`;
        expect(await run(`apply ${target} --yes --allow authentication=config/authc/jwt`)).toMatchObject({ code: 0 });
        after(at);
        const { code, stdout } = await run(`plan ${target}`);
        expect([code, accessOf(stdout)]).toEqual(
          isRotated
            ? [0, expect.stringMatching(/~ authc jwt: signing_key .* has another value/)]
            : [4, expect.stringMatching(/authc jwt, another signing_key/)],
        );
      }),
    ),
  );

  it("is refused by the same reference in the address of another server", () => {
    const openid = (url: string) => ({
      idp: {
        http_enabled: true,
        order: 0,
        http_authenticator: { type: "openid", challenge: false, config: { openid_connect_url: url, roles_key: "r" } },
        authentication_backend: { type: "noop" },
      },
    });
    const env = { IDP: "idp.example" };
    const after = authc(openid("https://${env:IDP}/realm"));
    return planned({ product: "opensearch" }, authc({}), after, async ({ run, plan, folder }) => {
      await run("apply --target dev --url URL --yes --allow authentication=config/authc/idp", env);
      const file = join(folder, "access/c.json");
      writeFileSync(file, readFileSync(file, "utf8").replace("https://$", "https://evil.example/$"));
      expect(await plan("", env)).toMatchObject({ code: 4, stdout: expect.stringContaining("guard authentication") });
    });
  });

  it("is no other plan where a reviewed one is applied elsewhere", () =>
    work(async ({ run }) => {
      const env = { KEY: "two-signing-key", GATE_SYNC_PLAN_KEY: "a-long-random-key-of-the-plan-0123456789" };
      expect(await run("plan --target dev --url URL --out p.json", env)).toMatchObject({ code: 0 });
      expect(await run("apply --target dev --url URL --state-dir other p.json", env)).toMatchObject({ code: 0 });
    }));
});

describe("the addresses of requests", () => {
  const xff = (more: object, others: object = {}) => config({ http: { xff: { enabled: true, ...more } }, ...others });
  const wide = xff({ internalProxies: ".*" });
  const fewer: readonly (readonly [about: string, before: object, after: object, says: string])[] = [
    ["proxies are believed no more", wide, xff({ enabled: false, internalProxies: ".*" }), "turned off"],
    ["without a word", wide, config({ http: { xff: {} } }), "turned off"],
    ["fewer proxies", wide, xff({ internalProxies: "10\\.0\\.0\\.1" }), "only internalProxies 10\\.0\\.0\\.1"],
  ];
  const deciding: readonly (readonly [about: string, state: object, others?: object])[] = [
    ["hosts are mapped", { role_mappings: { HOSTS: { hosts: ["10.9.9.9"] } } }],
    ["addresses are blocked", { blocks: { b: { type: "ip", value: ["203.0.113.9"], verdict: "disallow" } } }],
    ["hosts have no limit", {}, { auth_failure_listeners: { ip: { type: "ip", ignore_hosts: ["10.*"] } } }],
    [
      "domains are for addresses",
      {},
      authc({ d: domain("jwt", {}, "noop", { enabled_only_for_ips: ["10.0.0.0/8"] }) }).dynamic,
    ],
  ];
  for (const [about, before, after, how] of fewer) {
    const withOthers = (one: object, others: object = {}) =>
      config({ ...(one as ReturnType<typeof config>).dynamic, ...others });
    test.for(deciding)(`are others where ${about}, and that is refused where %s`, ([, state, others]) =>
      planned(
        { product: "gate", spawned: false },
        withOthers(before, others),
        withOthers(after, others),
        async ({ plan }) => {
          for (const more of ["", "--no-access"]) {
            const { code, stdout } = await plan(more);
            expect(stdout.replace(/\s+/g, " ")).toContain(
              `whoever comes by a proxy (http.xff, ${how}): the address of the proxy`,
            );
            expect([code, stdout]).toEqual([4, expect.stringContaining("guard authentication")]);
          }
        },
        state,
      ),
    );

    it(`decide nothing where ${about}, and nothing goes by address`, () =>
      planned(
        { product: "gate", spawned: false },
        before,
        after,
        async ({ plan }) => {
          for (const more of ["", "--no-access"]) expect(await plan(more)).toMatchObject({ code: 0 });
          expect(lines((await plan()).stdout)).toContain(`- fewer are believed as proxies (http.xff, ${how})`);
        },
        {},
      ));
  }

  test.for([
    ["the default header", { remoteIpHeader: "x-forwarded-for" }, {}],
    ["a header in another case", { remoteIpHeader: "X-Real-IP" }, { remoteIpHeader: "x-real-ip" }],
    ["no proxies", { enabled: false, internalProxies: "a" }, { enabled: false, internalProxies: "b" }],
  ] as const)("are the same by %s", ([, before, after]) =>
    planned({ product: "gate", spawned: false }, xff(before), xff(after), async ({ plan }) => {
      const { code, stdout } = await plan();
      expect([code, accessOf(stdout)]).toEqual([0, expect.stringContaining("no change")]);
    }),
  );
});

describe("a waiver", () => {
  const waiver = (address: string) => ({
    rule: "authentication",
    addresses: [address],
    reason: "OPS-1",
  });
  const withWaiver = (address: string, work: Parameters<typeof planned>[3]) =>
    planned({ product: "gate" }, authc({}), authc({ idp: openid() }), async (harness) => {
      writeFileSync(join(harness.folder, "waivers.yaml"), JSON.stringify({ waivers: [waiver(address)] }));
      await work(harness);
    });

  it("is about one place of the config, also of a reviewed plan", () =>
    withWaiver("config/authc/idp", async ({ run }) => {
      const { code, stdout } = await run("plan --target dev --url URL --out p.json");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("note: Waived at waivers.yaml") });
      expect(await run("apply --target dev --url URL p.json")).toMatchObject({ code: 0 });
    }));

  it("for another place, or the config as a whole, waives nothing", async () => {
    for (const address of ["config/authc/other", "config"])
      await withWaiver(address, async ({ plan }) => expect(await plan()).toMatchObject({ code: 4 }));
  });
});

it("refuses a rollback by which a source comes back", () =>
  planned({ product: "search-guard" }, authc({ idp: openid() }), authc({}), async ({ run }) => {
    expect(await run("apply --target dev --url URL --yes")).toMatchObject({ code: 0 });
    const { code, stdout } = await run("rollback --target dev --url URL --yes");
    expect([code, accessOf(stdout)]).toEqual([4, expect.stringMatching(/idp\.example signs in \(authc idp, new\)/)]);
    const back = await run("rollback --target dev --url URL --yes --allow authentication=config/authc/idp");
    expect(back).toMatchObject({ code: 0 });
  }));

it.each([
  ["search-guard", "7", "org.opensearch.security"],
  ["opensearch", "2.19", "com.floragunn.searchguard"],
  ["opensearch", "1.3", "com.amazon.opendistroforelasticsearch.security"],
] as const)("the class of internal users of another product is another backend: %s %s", (product, release, home) => {
  const foreign = { type: `${home}.auth.internal.InternalAuthenticationBackend`, config: {} };
  const [own, other] = [config({}), config({ authc: { basic: { ...basic, authentication_backend: foreign } } })];
  return planned({ product, release, spawned: false }, other, own, async ({ plan }) => {
    const { code, stdout } = await plan();
    expect([code, accessOf(stdout)]).toEqual([4, expect.stringMatching(/authc basic, another authentication_backend/)]);
  });
});

it("changes no verdict of access tests, and says once which sources can assert any backend role", () =>
  planned({ product: "search-guard" }, authc({ idp: openid() }), authc({ idp: openid() }), async ({ plan, folder }) => {
    const tests = [{ only: { roles: ["ADMIN"] }, action: "indices:data/read/search", index: "hr" }];
    writeFileSync(join(folder, "access/t.json"), JSON.stringify({ access_tests: tests }));
    const { code, stdout } = await plan();
    const notes = lines(stdout).match(/any backend role can be asserted by authc idp\./g);
    expect({ code, notes, stdout }).toEqual({ code: 0, notes: [expect.anything()], stdout: expect.anything() });
  }));

it.each([
  [{ server_username: "mallory" }, 'by kibana.server_username "mallory" of the config'],
  [{ multitenancy_enabled: false, server_username: "mallory" }, "by kibana.multitenancy_enabled of the config"],
])("names what of the dashboards is another: %j", (kibana, says) =>
  planned({ product: "opensearch" }, config({ kibana: {} }), config({ kibana }), async ({ plan }) => {
    const { code, stdout } = await plan();
    expect([code, accessOf(stdout)]).toEqual([0, expect.stringContaining(says)]);
  }),
);

const others = [
  [
    "without a login",
    { http: { anonymous_auth_enabled: true } },
    /^\nAccess +1 gained\n +\+ anyone without a login \(http\.anonymous_auth_enabled, turned on\): user opendistro_security_anonymous, backend role opendistro_security_anonymous_backendrole \(ADMIN is mapped to backend role opendistro_security_anonymous_backendrole, .*\)\n\n$/,
  ],
  [
    "by host names",
    { hosts_resolver_mode: "ip-hostname-lookup" },
    /^\nAccess +1 gained\n +\+ .*any name of a host \(HOSTS is mapped to hosts? 10\.9\.9\.9\)\n\n$/,
  ],
  [
    "by a setting that nobody knows",
    { filtered_alias_mode: "nowarn" },
    /^\nAccess .*\n +\? unknown: who gains and who loses by filtered_alias_mode of the config: what they decide is unknown\.\n\n$/,
  ],
  ["on the login page of the dashboards", { kibana: { sign_in_options: ["OPENID"] } }, /^$/],
] as const;
it.each(others)("says once what is another %s", (_, after, says) =>
  planned(
    { product: "opensearch", release: "2.19.1", spawned: false },
    config({}),
    config(after),
    async ({ plan }) => expect(accessOf((await plan()).stdout)).toMatch(says),
    {
      role_mappings: {
        HOSTS: { hosts: ["10.9.9.9"] },
        ADMIN: { backend_roles: ["opendistro_security_anonymous_backendrole"] },
      },
    },
  ),
);

it("writes what domains of later builds of Search Guard 7 have, and refuses what lets in more", () => {
  const limits = { skip_users: ["ana"], enabled_only_for_ips: ["10.0.0.0/8"] };
  const narrow = config({ authc: { basic: { ...basic, ...limits } }, authz: { r: { skipped_users: ["ana"] } } });
  const product = { product: "search-guard", release: "7.x-47", spawned: false } as const;
  return planned(product, config({ authz: { r: {} } }), narrow, async ({ run, plan, folder }) => {
    expect(accessOf((await plan()).stdout)).toContain(
      "- authc basic: more users are left out (skip_users and enabled_only_for_ips)",
    );
    expect(await run("apply --target dev --url URL --yes")).toMatchObject({ code: 0 });
    expect((await plan()).stdout).toContain("in sync (config)");
    writeFileSync(join(folder, "access/c.json"), JSON.stringify({ config: config({}) }));
    const { code, stdout } = await plan();
    expect([code, accessOf(stdout)]).toEqual([
      4,
      expect.stringMatching(/\(authc basic, without skip_users, without enabled_only_for_ips\)/),
    ]);
  });
});

it("does not doubt that users can log in after a change of a description", () => {
  const described = (description: string) => authc({ idp: { ...openid(), description } });
  return planned({ product: "search-guard", spawned: false }, described("a"), described("b"), async ({ plan }) => {
    const { code, stdout } = await plan();
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/[Ll]ock-out|locks/)]);
  });
});

it("shows what a domain is, and how many go, in text and Markdown", () => {
  const off = domain("kerberos", {}, "noop", { http_enabled: false });
  const six = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, off]));
  return planned(
    { product: "opensearch" },
    authc({ ...six, kerberos_auth_domain: off }),
    authc({ idp: { ...openid(), http_enabled: undefined } }),
    async ({ plan }) => {
      for (const more of ["", "--format markdown"]) {
        const { stdout } = await plan(more);
        expect(stdout).toMatch(/^ +authc is managed whole: 6 of 7 domains go$/m);
        expect(stdout).toMatch(/^ *- +kerberos_auth_domain \(disabled, kerberos\)$/m);
        expect(stdout).toMatch(/^ *\+ +idp \(enabled, openid\)\n *\+ +http_enabled: true$/m);
      }
    },
  );
});
