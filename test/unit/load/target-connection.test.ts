// How a target is reached: URLs, login, certificates, headers, proxies, time-outs.
import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { fails, type Given, target } from "./targets.ts";

const inTarget = (settings: string) => `targets:\n  a: {${settings}}\n`;

/** Secrets as they are, each behind an exclamation mark. */
function bare(value: unknown): unknown {
  if (value instanceof Secret) return `!${value.reveal()}`;
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, bare(member)]));
}

describe("several URLs", () => {
  const yaml = "targets:\n  a:\n    url: ['https://one:9200/', 'https://two/base/', 'https://one:9200']\n";
  it("are the first and the others, each once", async () => {
    expect(await target({ yaml })).toMatchObject({ url: "https://one:9200", otherUrls: ["https://two/base"] });
  });
  it("by flag replace those of the file", async () => {
    const { url, otherUrls } = await target({ yaml, flags: { url: ["http://x:1", "http://y:1"] } });
    expect([url, otherUrls]).toEqual(["http://x:1", ["http://y:1"]]);
    expect(await target({ yaml, flags: { url: ["http://x:1"] } })).not.toHaveProperty("otherUrls");
  });
  it("name the target after the first of them, where no file does", async () => {
    expect((await target({ flags: { url: ["http://x:1", "http://y:1"] } })).name).toBe("x");
  });
  it("may hold variables", async () => {
    const { otherUrls } = await target({ yaml: inTarget("vars: {h: s}, url: ['http://x', 'http://${var:h}']") });
    expect(otherUrls).toEqual(["http://s"]);
    await fails(
      { yaml: inTarget("url: ['http://x', 'http://${var:h}']") },
      "invalid",
      "url.1",
      "unknown-variable gate-sync.yaml:2:33",
    );
  });
  it("are all encrypted or none of them is", async () => {
    await fails({ flags: { url: ["https://x", "http://y"] } }, "usage", "--url mixes http and https");
    await fails({ yaml: inTarget("url: ['http://x', 'HTTPS://y']") }, "invalid", "mixes http and https");
  });
  it("are each that of a server, without a login", async () => {
    await fails({ yaml: inTarget("url: ['http://x', 'http://u:p@y']") }, "invalid", "holds login data");
    await fails({ yaml: inTarget("url: ['http://x', 'http://y/?token=z']") }, "invalid", "after a ? or #");
    await fails({ flags: { url: ["http://x", "y"] } }, "usage", "--url is not the URL of a server.");
  });
});

describe("login at AWS", () => {
  const env = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "s3cret" };
  const keys = { accessKeyId: "AKIA1", secretAccessKey: "!s3cret" };
  const domain = "https://search-logs-abc.eu-west-1.es.amazonaws.com";
  const aws = async (settings: string, variables: Given["env"] = {}, url = domain) =>
    bare((await target({ yaml: inTarget(`url: '${url}', auth: ${settings}`), env: { ...env, ...variables } })).auth);

  it("takes its keys from the environment", async () => {
    expect(await aws("aws")).toEqual({ kind: "aws", region: "eu-west-1", service: "es", keys });
    expect(await aws("{aws: {}}", { AWS_SESSION_TOKEN: "st" })).toMatchObject({
      keys: { ...keys, sessionToken: "!st" },
    });
    const { auth } = await target({ yaml: inTarget(`url: '${domain}', auth: aws`), env });
    expect(JSON.stringify(auth)).not.toContain("s3cret");
  });
  it.each([
    [domain, "es", "eu-west-1"],
    ["https://search-logs-abc.cn-north-1.es.amazonaws.com.cn:443/base", "es", "cn-north-1"],
    ["https://abc.us-east-2.aoss.amazonaws.com", "aoss", "us-east-2"],
    ["https://logs-abc.aos.eu-west-1.on.aws", "es", "eu-west-1"],
    ["https://abc.aoss.us-east-2.on.aws", "aoss", "us-east-2"],
  ])("knows by %s: %s in %s", async (url, service, region) => {
    expect(await aws("aws", { AWS_REGION: "elsewhere-1" }, url)).toMatchObject({ service, region });
  });
  it("is given the region, or finds it in the environment, where a name of one's own is used", async () => {
    const own = "https://search.example";
    const variables = { AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "eu-west-2" };
    expect(await aws("aws", variables, own)).toMatchObject({ region: "eu-west-1", service: "es" });
    expect(await aws("aws", { ...variables, AWS_REGION: "" }, own)).toMatchObject({ region: "eu-west-2" });
    const stated = "{aws: {region: us-east-1, service: aoss}}";
    expect(await aws(stated, variables, domain)).toMatchObject({ region: "us-east-1", service: "aoss" });
    await fails(
      { yaml: inTarget(`url: '${own}', auth: aws`), env },
      "invalid",
      "region",
      "missing-field gate-sync.yaml:2:44",
    );
  });
  it("has both keys or says which is missing", async () => {
    const yaml = inTarget(`url: '${domain}', auth: {aws: {}}`);
    const place = "unset-secret gate-sync.yaml:2:78";
    await fails({ yaml }, "invalid", "AWS_ACCESS_KEY_ID is not set", place);
    await fails(
      { yaml, env: { ...env, AWS_SECRET_ACCESS_KEY: "" } },
      "invalid",
      "AWS_SECRET_ACCESS_KEY is not set",
      place,
    );
  });
  it("leaves the keys to a command, and then asks nothing of the environment", async () => {
    const yaml = inTarget(`url: '${domain}', auth: {aws: {exec: [aws, export]}}`);
    const { auth } = await target({ yaml, env: { X: "x" } });
    expect(auth).toMatchObject({ kind: "aws", keys: { argv: ["aws", "export"], env: { X: "x" } } });
  });
});

describe("login by a command", () => {
  it("knows its words, its folder and its environment, and is not run", async () => {
    const yaml =
      "defaults: { vars: {role: ci} }\ntargets: {a: {auth: {exec: [./no-such-login, '${var:role}', 'a b']}}}\n";
    const { auth } = await target({ yaml, env: { X: "x", GATE_SYNC_PASSWORD: "p" } });
    expect(auth).toEqual({
      kind: "exec",
      command: {
        argv: ["./no-such-login", "ci", "a b"],
        cwd: expect.stringMatching(/^\/.*gate-sync-load-/),
        env: { X: "x", GATE_SYNC_PASSWORD: "p", GATE_SYNC_TARGET: "a" },
      },
    });
  });
  it("shows its words to all the machine, so that they hold no secrets", () =>
    fails(
      { yaml: inTarget("auth: {exec: [login, '${env:PW}']}"), env: { PW: "x" } },
      "invalid",
      "auth.exec.1",
      "secret-in-name gate-sync.yaml:2:28",
    ));
  it("names a program", () =>
    fails(
      { yaml: inTarget("auth: {exec: ['', x]}") },
      "invalid",
      "names no program",
      "missing-field gate-sync.yaml:2:21",
    ));
  it("gives way to flags, and not to the environment", async () => {
    const [yaml, env] = [inTarget("auth: {exec: [login]}"), { GATE_SYNC_USERNAME: "u", GATE_SYNC_PASSWORD: "p" }];
    expect((await target({ yaml, env })).auth?.kind).toBe("exec");
    expect(bare((await target({ yaml, env, flags: { username: "me" } })).auth)).toEqual({
      kind: "basic",
      username: "me",
      password: "!p",
    });
  });
});

describe("a token", () => {
  it.each([
    ["of two lines", "tok\nen", "line break"],
    ["of other characters", "tök€n", "no header can carry"],
    ["of nothing", "", "is empty"],
  ])("%s cannot be sent", (_, t, reported) =>
    fails(
      { yaml: inTarget("auth: {token: '${file:t}'}"), files: { t } },
      "invalid",
      reported,
      "wrong-type gate-sync.yaml:2:21",
    ),
  );
});

describe("client certificates", () => {
  const pem = (name: string) => `-----BEGIN ${name}-----\nx\n-----END ${name}-----\n`;
  const files = { "c.pem": pem("CERT"), "k.pem": pem("KEY"), "i.p12": new Uint8Array([0x30, 0x82, 0, 0xff, 0xfe]) };
  const tls = async (given: Given) => bare((await target({ files, ...given })).tls);

  it("are named by flags, with a passphrase from the environment", async () => {
    const flags = { cert: "c.pem", key: "k.pem" };
    const [cert, key] = [pem("CERT"), `!${pem("KEY")}`];
    expect(await tls({ flags })).toEqual({ cert, key });
    const env = { GATE_SYNC_KEY_PASSPHRASE: "pp" };
    const yaml = inTarget("tls: {pkcs12: i.p12, passphrase: other, server_name: s}");
    expect(await tls({ yaml, flags, env })).toEqual({ cert, key, passphrase: "!pp", serverName: "s" });
    expect(await tls({ yaml, flags })).toEqual({ cert, key, serverName: "s" });
  });
  it("need both flags", async () => {
    await fails({ flags: { cert: "c.pem" }, files }, "usage", "--cert without --key");
    await fails({ flags: { key: "k.pem" }, files }, "usage", "--key without --cert");
    await fails({ flags: { cert: "nope.pem", key: "k.pem" }, files }, "usage", "nope.pem of --cert");
  });
  it("may be PKCS #12: a file, or base64 by a reference", async () => {
    expect(await tls({ yaml: inTarget("tls: {pkcs12: i.p12, passphrase: '${env:PP}'}"), env: { PP: "pp" } })).toEqual({
      pkcs12: "!MIIA//4=",
      passphrase: "!pp",
    });
    const env = { P12: `MII${"A".repeat(80)}==`, GATE_SYNC_KEY_PASSPHRASE: "pp" };
    expect(await tls({ yaml: inTarget("tls: {pkcs12: '${env:P12}'}"), env })).toEqual({
      pkcs12: `!${env.P12}`,
      passphrase: "!pp",
    });
  });
  it("take no passphrase of the environment where there is no key", async () => {
    expect(await tls({ yaml: inTarget("tls: {ca: c.pem}"), env: { GATE_SYNC_KEY_PASSPHRASE: "pp" } })).toEqual({
      ca: pem("CERT"),
    });
  });
  it.each([
    ["pkcs12: '${file:i.p12}'", 21, "Name the file itself: pkcs12: certs/client.p12"],
    ["key: '${env:KEY}', cert: c.pem", 18, "Name the file itself: key: certs/client.pem"],
  ])("%s: what it represents is no path, and is not shown", async (settings, column, fix) => {
    const yaml = inTarget(`tls: {${settings}}`);
    const env = { KEY: "hunter2\nhunter2" };
    const given = { yaml, env, files: { ...files, "i.p12": "0\0hunter2" } };
    await fails(given, "invalid", "cannot be used", `unreadable-file gate-sync.yaml:2:${column}`);
    const error = await target(given).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).toContain(fix);
    expect(JSON.stringify(error).replaceAll("${env:KEY}", "")).not.toContain("hunter2");
  });
});

describe("headers", () => {
  it("are secrets, their names in lower case", async () => {
    const yaml = inTarget("headers: {X-Forwarded-User: ci, X-Token: '${env:T}'}");
    const { headers } = await target({ yaml, env: { T: "t0ken" } });
    expect(bare(headers)).toEqual({ "x-forwarded-user": "!ci", "x-token": "!t0ken" });
    expect(JSON.stringify(headers)).not.toMatch(/"ci"|t0ken/);
  });
  it("may log in where gate-sync does not", async () => {
    const yaml = inTarget("headers: {Authorization: '${env:T}'}");
    expect(bare((await target({ yaml, env: { T: "x" } })).headers)).toEqual({ authorization: "!x" });
    const env = { T: "x", GATE_SYNC_USERNAME: "u", GATE_SYNC_PASSWORD: "p" };
    await fails({ yaml, env }, "invalid", "headers.Authorization", "exclusive-fields gate-sync.yaml:2:32");
  });
  it.each([
    ["Content-Type: x", "bad-name", "written by gate-sync itself"],
    ["HOST: x", "bad-name", "written by gate-sync itself"],
    ["x-opaque-id: x", "bad-name", "written by gate-sync itself"],
    ["transfer-encoding: chunked", "bad-name", "written by gate-sync itself"],
    ["x y: x", "bad-name", "cannot be the name of a header"],
    ["'': x", "bad-name", "cannot be the name of a header"],
    ["x: 'a€'", "wrong-type", "no header can carry"],
    ['x: "a\\nb: c"', "wrong-type", "line break"],
  ])("%s is refused", async (header, code, reported) => {
    const yaml = `targets:\n  a:\n    headers:\n      ${header}\n`;
    await fails({ yaml }, "invalid", reported, `${code} gate-sync.yaml:4:${7 + header.indexOf(":") + 2}`);
  });
  it("are there once, upper case or not", () =>
    fails({ yaml: inTarget("headers: {x: a, X: b}") }, "invalid", "twice", "exclusive-fields gate-sync.yaml:2:26"));
});

describe("proxies", () => {
  const url = "https://search.example";
  const proxy = async (env: Given["env"], at = url) =>
    bare((await target({ flags: { url: at }, env: env ?? {} })).proxy);
  const proxies = { HTTPS_PROXY: "http://secure:3128", HTTP_PROXY: "http://plain:3128" };

  it("are those of the environment for the scheme of the URL", async () => {
    expect(await proxy(proxies)).toEqual({ https: "!http://secure:3128" });
    expect(await proxy(proxies, "http://search.example")).toEqual({ http: "!http://plain:3128" });
    expect(await proxy({ HTTP_PROXY: "http://plain:3128" })).toBeUndefined();
    expect(await proxy({ ...proxies, NO_PROXY: ".example,x" })).toEqual({
      https: "!http://secure:3128",
      none: ".example,x",
    });
  });
  it.each([
    "https://localhost:9200",
    "https://127.0.0.2",
    "https://[::1]:1",
    "https://a.localhost",
    "https://[::ffff:127.0.0.1]",
  ])("are not asked for %s", async (at) => {
    expect(await proxy({ HTTPS_PROXY: "socks5://p:1" }, at)).toBeUndefined();
  });
  it("may be written small, which goes first, and without a scheme", async () => {
    expect(await proxy({ ...proxies, https_proxy: "u:p@small:1", no_proxy: "a", NO_PROXY: "b" })).toEqual({
      https: "!http://u:p@small:1",
      none: "a",
    });
    expect(await proxy({ HTTPS_PROXY: " " })).toBeUndefined();
  });
  it.each(["socks5://u:hunter2@p:1", "http://u:hunter2@:x", "http://u:hunter2%@p:1"])(
    "%s is none",
    async (HTTPS_PROXY) => {
      const given = { flags: { url }, env: { HTTPS_PROXY } };
      await fails(given, "usage", "HTTPS_PROXY is not the URL of an HTTP proxy");
      const error = await target(given).catch((thrown: unknown) => thrown);
      expect(JSON.stringify(error)).not.toContain("hunter2");
    },
  );
});

it("time-outs are written in seconds", async () => {
  expect((await target({ yaml: inTarget("timeouts: {connect: 2.5, write: 1800}") })).timeouts).toEqual({
    connect: 2500,
    write: 1_800_000,
  });
});

it.each([
  ["10MB", 10 * 1024 * 1024],
  ["512k", 512 * 1024],
  ["1 Gb", 1024 ** 3],
])("the longest body is written as search engines and proxies do: %s", async (size, bytes) => {
  expect((await target({ yaml: inTarget(`max_body_size: ${size}`) })).maxBodySize).toBe(bytes);
});

it("none of it is looked for where no server is asked", async () => {
  const settings =
    "auth: {exec: [x, '${env:A}']}, tls: {pkcs12: nope.p12}, headers: {x: '${env:B}'}, url: 'https://s.example'";
  const env = { HTTPS_PROXY: "socks5://x" };
  expect(await target({ yaml: inTarget(settings), env, secrets: "leave" })).toEqual({
    name: "a",
    url: "https://s.example",
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
  });
});
