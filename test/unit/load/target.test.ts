import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { findConfigFile } from "../../../src/load/config-file.ts";
import { toValue } from "../../../src/model/node.ts";
import type { Variables } from "../../../src/model/target.ts";
import { folderWith } from "./folder.ts";
import { fails, type Given, readFoundTarget, target } from "./targets.ts";

const two =
  "targets:\n  dev: {url: 'http://dev:9200', state: [dev/]}\n  prod: {url: 'https://prod:9200'}\ndefaults: {state: [base/]}\n";

const valuesOf = (vars: Variables) => Object.fromEntries([...vars].map(([name, node]) => [name, toValue(node)]));

describe("which target", () => {
  it("the only one", async () => expect((await target({ yaml: "targets: {a: {}}" })).name).toBe("a"));
  it("the one named, else the default", async () => {
    expect((await target({ yaml: two, flags: { target: "prod" } })).name).toBe("prod");
    expect((await target({ yaml: `${two}default_target: dev\n` })).name).toBe("dev");
  });
  it("several and none chosen is a mistake in use", () => fails({ yaml: two }, "usage", "dev, prod"));
  it("an unknown one as well", () =>
    fails({ yaml: two, flags: { target: "prd" } }, "usage", 'Did you mean \\"prod\\"?'));
  it("without a file it is named after the host", async () => {
    const named = await target({ flags: { url: "http://127.0.0.1:9200/", statePaths: ["access/"] } });
    expect(named).toEqual({
      name: "127.0.0.1",
      url: "http://127.0.0.1:9200",
      state: ["access/"],
      vars: new Map(),
      families: {},
      acceptFields: [],
    });
  });
  it("without anything there is one all the same, for commands that need no server", async () => {
    expect(await target({})).toMatchObject({ name: "default", state: [] });
  });
});

describe("what it inherits", () => {
  const yaml = [
    "defaults:",
    "  state: [base/]",
    "  vars: {env: none, team: hr}",
    "  accept_fields: [every]",
    "  protect: [roles/a, roles/b]",
    "  families: {roles: {mode: adopt, exclude: [x*], deletions: {count: 3}}, blocks: {mode: observe}}",
    "  tls: {server_name: x}",
    "  auth: {username: u, password: p}",
    "  timeouts: {read: 1, write: 2}",
    "targets:",
    "  a:",
    "    vars: {env: prod}",
    "    families: {roles: {mode: manage, deletions: {percent: 7}}}",
    "    product: opensearch",
    "    accept_fields: [f]",
    "    protect: []",
    "    auth: {token: t}",
    "    timeouts: {write: 3}",
    "  b: {}",
    "",
  ].join("\n");
  it("is laid under its own, field by field; lists, logins and variables as a whole", async () => {
    const { vars: given, ...others } = await target({ yaml, flags: { target: "a" } });
    expect({ ...others, vars: valuesOf(given) }).toEqual({
      name: "a",
      isOneOfSeveral: true,
      product: "opensearch",
      state: ["base"],
      vars: { env: "prod", team: "hr" },
      families: {
        roles: { mode: "manage", exclude: ["x*"], deletions: { count: 3, percent: 7 } },
        blocks: { mode: "observe" },
      },
      tls: { serverName: "x" },
      auth: { kind: "bearer", token: expect.objectContaining({}) },
      timeouts: { read: 1000, write: 3000 },
      acceptFields: ["f"],
    });
    const { auth, protect } = await target({ yaml, flags: { target: "b" } });
    expect([auth?.kind, protect]).toEqual(["basic", ["roles/a", "roles/b"]]);
  });
  it("flags go before all of it", async () => {
    const flags = { url: "http://x:1", product: "gate", release: "6.x-24", statePaths: ["s"] } as const;
    expect(await target({ yaml, flags: { ...flags, target: "a" } })).toMatchObject({
      url: "http://x:1",
      product: "gate",
      release: "6.x-24",
      state: ["s"],
    });
  });
  it("state paths of a file elsewhere are shown from where the user is", async () => {
    const cwd = folderWith({ "conf/gate-sync.yaml": "defaults: {state: [../access/, roles.yml]}\ntargets: {a: {}}\n" });
    const { found } = await findConfigFile(cwd, "conf/gate-sync.yaml");
    const { state } = readFoundTarget(found?.root, { flags: { statePaths: [] }, env: {}, cwd });
    expect(state).toEqual(["access", "conf/roles.yml"]);
  });
  it("variables may be in its settings, and hold no secrets", async () => {
    const file = `defaults: { vars: {host: s.example} }\ntargets:\n  a: {url: 'https://\${var:host}:9200'}\n`;
    expect((await target({ yaml: file })).url).toBe("https://s.example:9200");
    const chain = `defaults: { vars: {a: '\${var:b}', b: '\${var:c}:9200', c: x, d: '$\${var:c}', e: '\${var:d}'} }\ntargets: {t: {url: 'http://\${var:a}'}}\n`;
    const { url, vars } = await target({ yaml: chain });
    expect([url, valuesOf(vars)]).toEqual([
      "http://x:9200",
      { a: "x:9200", b: "x:9200", c: "x", d: `\${var:c}`, e: `\${var:c}` },
    ]);
    const secret = `targets:\n  a:\n    vars: {pw: '\${env:PW}'}\n`;
    await fails({ yaml: secret, env: { PW: "x" } }, "invalid", "vars.pw", "secret-in-name gate-sync.yaml:3:16");
  });
});

describe("variables that are more than texts", () => {
  const vars = `targets: {t: {vars: {n: 5, on: true, list: [a, '\${var:more}'], more: [b, c], team: {name: '\${var:n}x', all: '\${var:list}', '\${var:n}': k}}}}\n`;
  it("keep their types, and refer to each other", async () => {
    const all = ["a", "b", "c"];
    expect(valuesOf((await target({ yaml: vars })).vars)).toEqual({
      n: 5,
      on: true,
      list: all,
      more: ["b", "c"],
      team: { name: "5x", all, "5": "k" },
    });
  });
  it("a text of the command line is before all of them, also before one value of a map", async () => {
    const given = await target({ yaml: vars, flags: { vars: { more: "z", "team.name": "q" } } });
    expect(valuesOf(given.vars)).toMatchObject({ list: ["a", "z"], more: "z", "team.name": "q" });
  });
  it.each([{ PW: "x" }, {}])("hold no secrets, however deep, set or not: %j", (env) =>
    fails(
      { yaml: "targets: {t: {vars:\n  {a: {b: [x, '${env:PW}']}}}}\n", env },
      "invalid",
      "vars.a",
      "secret-in-name gate-sync.yaml:2:15",
    ),
  );
  it("a list that is a part of a text is reported where it is", () =>
    fails(
      { yaml: "targets: {t: {vars:\n  {a: [x], b: 'y${var:a}'}}}\n" },
      "invalid",
      'The variable \\"a\\" is a list',
      "variable-type gate-sync.yaml:2:17",
    ));
});

describe("references in other settings", () => {
  const yaml = [
    "defaults:",
    "  vars: {team: hr, n: 1.10, list: [a]}",
    "  state: ['access/${var:team}/']",
    "  families: {roles: {exclude: ['${var:team}_*', 'v${var:n}', '${var:n}']}}",
    "  apply_as: {user: '${var:team}'}",
    "targets: {t: {}}",
  ].join("\n");
  it("are replaced: a pattern that stayed as it was written would protect nothing", async () => {
    const { state, families, applyAs } = await target({ yaml });
    expect({ state, families, user: applyAs?.user }).toEqual({
      state: ["access/hr"],
      families: { roles: { exclude: ["hr_*", "v1.10", "1.10"] } },
      user: "hr",
    });
  });
  it.each([
    ["${var:list}", "variable-type"],
    ["${var:tema}", "unknown-variable"],
    ["${env:HOME}", "secret-in-name"],
  ])("%s is an error at its place", (reference, code) =>
    fails(
      { yaml: yaml.replace("v${var:n}", reference), env: { HOME: "/x" } },
      "invalid",
      "families.roles.exclude",
      `${code} gate-sync.yaml:4:${code === "secret-in-name" ? 49 : 50}`,
    ),
  );
});

describe("very many variables", () => {
  it("have their values at once, each after the one that it refers to", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `      v${at}: '\${var:v${at + 1}}'\n`);
    const defaults = `defaults:\n    vars:\n      v20000: z\n${lines.join("")}`;
    const { vars } = await target({ yaml: `${defaults}targets:\n  t:\n    vars:\n${lines.join("")}` });
    expect([vars.size, valuesOf(vars).v0]).toEqual([20_001, "z"]);
  });
  it("may not fill the memory", () => {
    const list = (item: string) => `[${Array.from({ length: 10 }, () => item).join()}]`;
    const lines = Array.from({ length: 9 }, (_, at) => `    l${at + 1}: ${list(`'\${var:l${at}}'`)}\n`);
    const yaml = `targets: {t: {}}\ndefaults:\n  vars:\n    l0: ${list("x")}\n${lines.join("")}`;
    return fails({ yaml }, "invalid", "expand to more than 1,000,000 values", "large-variables gate-sync.yaml:9:106");
  });
});

describe("variables in a cycle", () => {
  it.each([
    ["a: {b: ['${var:c.d}']}, c: {d: '${var:a}'}", "a > c > a", "2:9"],
    ["a: '${var:a}'", "a > a", "2:9"],
    ["a: '${var:b}', b: 'x${var:c:-y}', c: '${var:b}'", "b > c > b", "2:24"],
  ])("%s is reported", (vars, cycle, place) =>
    fails(
      { yaml: `targets: {t: {vars:\n    {${vars}}}}\n` },
      "invalid",
      cycle,
      `unknown-variable gate-sync.yaml:${place}`,
    ),
  );
});

describe("login", () => {
  const yaml = `targets:\n  a:\n    auth: {username: ci, password: '\${env:PW}'}\n`;
  async function login(given: Given) {
    const { auth } = await target(given);
    if (auth?.kind === "bearer") return `bearer ${auth.token.reveal()}`;
    if (auth?.kind === "basic") return `${auth.username} ${auth.password.reveal()} ${auth.password.reference}`;
    return auth;
  }
  it("comes from the target", async () => {
    expect(await login({ yaml, env: { PW: "s3" } })).toBe(`ci s3 \${env:PW}`);
    const token = `targets: {a: {auth: {token: '\${file:t}'}}}`;
    expect(await login({ yaml: token, files: { t: "tok\n" } })).toBe("bearer tok");
  });
  it("of the environment only fills what the target does not say", async () => {
    const env = { PW: "s3", GATE_SYNC_USERNAME: "u", GATE_SYNC_PASSWORD: "p" };
    expect(await login({ yaml, env })).toBe(`ci s3 \${env:PW}`);
    expect(await login({ env })).toBe(`u p \${env:GATE_SYNC_PASSWORD}`);
    expect(await login({ yaml: "targets: {a: {auth: {username: ci}}}", env })).toBe(`ci p \${env:GATE_SYNC_PASSWORD}`);
    expect(await login({ env: { GATE_SYNC_USERNAME: "" } })).toBeUndefined();
  });
  it("flags name a variable or a file", async () => {
    const env = { PW: "s3", MINE: "m" };
    expect(await login({ yaml, env, flags: { username: "me", passwordEnv: "MINE" } })).toBe(`me m \${env:MINE}`);
    expect(await login({ yaml, env, flags: { passwordFile: "p" }, files: { p: "f\n" } })).toBe(`ci f \${file:p}`);
  });
  it("half of one is a mistake", async () => {
    await fails({ flags: { username: "me" } }, "usage", "no password");
    await fails({ env: { GATE_SYNC_PASSWORD: "p" } }, "usage", "no user name");
    await fails({ flags: { username: "me", passwordEnv: "NOPE" } }, "usage", "not set");
    await fails({ flags: { username: "me", passwordFile: "nope" } }, "usage", "does not exist");
  });
  it("that is not set ends the run, at its place", () =>
    fails({ yaml }, "invalid", "PW is not set", "unset-secret gate-sync.yaml:3:37"));
  it("is not looked for where no server is asked", async () => {
    expect(await target({ yaml, secrets: "leave" })).not.toHaveProperty("auth");
  });
});

describe("TLS", () => {
  const pem = (name: string) => `-----BEGIN ${name}-----\nx\n-----END ${name}-----\n`;
  it("reads PEM files beside gate-sync.yaml, and keeps the key secret", async () => {
    const yaml = `targets: {a: {tls: {ca: c/ca.pem, cert: cert.pem, key: '\${env:KEY}', passphrase: '\${env:PP}', server_name: s}}}`;
    const files = { "c/ca.pem": pem("CA"), "cert.pem": pem("CERT") };
    const { tls } = await target({ yaml, files, env: { KEY: pem("KEY"), PP: "pp" } });
    expect(tls).toMatchObject({ ca: pem("CA"), cert: pem("CERT"), serverName: "s" });
    expect([tls?.key?.reveal(), tls?.passphrase?.reveal()]).toEqual([pem("KEY"), "pp"]);
    expect(JSON.stringify(tls)).not.toContain("KEY-----");
  });
  it("flags go before it", async () => {
    const { tls } = await target({ flags: { ca: "x.pem", insecure: true }, files: { "x.pem": pem("X") } });
    expect(tls).toEqual({ ca: pem("X"), insecure: "--insecure" });
  });
  it("says which file is missing", async () => {
    await fails(
      { yaml: "targets:\n  a:\n    tls: {ca: nope.pem}\n" },
      "invalid",
      "nope.pem",
      "unreadable-file gate-sync.yaml:3:15",
    );
    await fails({ flags: { ca: "nope.pem" } }, "usage", "nope.pem");
  });
  it("does not wait for what is no regular file, nor read what is no certificate", async () => {
    await fails({ flags: { ca: "/dev/null" } }, "usage", "no regular file");
    await fails({ flags: { ca: "." } }, "usage", "a folder");
    const yaml = "targets:\n  a:\n    tls: {cert: /dev/null}\n";
    await fails({ yaml }, "invalid", "no regular file", "unreadable-file gate-sync.yaml:3:17");
    const files = { "big.pem": "x".repeat(1024 * 1024 + 1) };
    await fails({ flags: { ca: "big.pem" }, files }, "usage", "the limit is 1 MiB");
    await fails({ flags: { username: "me", passwordFile: "/dev/null" } }, "usage", "no regular file");
  });
});

describe("the URL", () => {
  it.each(["search:9200", "ftp://x", "not a url", "http://"])("%s is none of a server", (url) =>
    fails({ flags: { url } }, "usage", "--url"),
  );
  it.each([
    ["u:s3cret@h:9200", "not the URL of a server."],
    ["https//u:s3cret@h", "not the URL of a server."],
    ["https://u:s3cret@h:99999", "not the URL of a server."],
    ["ftp://u:s3cret@h:1/x?s3cret", "not the URL of a server: ftp://h:1."],
  ])("%s is none, and the password in it is not shown", async (url, what) => {
    const error = await target({ flags: { url } }).catch((thrown: unknown) => thrown);
    const userMessage = JSON.stringify(error instanceof RunError && error.userMessage);
    expect(userMessage).toContain(what);
    expect(userMessage).not.toContain("s3cret");
  });
  it("holds no login", async () => {
    await fails({ flags: { url: "https://me:s3cret@x:9200" } }, "usage", "login data");
    const error = await target({ flags: { url: "https://me:s3cret@x:9200" } }).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error instanceof RunError && error.userMessage)).not.toContain("s3cret");
  });
});

describe("finding gate-sync.yaml", () => {
  it("takes either ending, or the one named", async () => {
    const cwd = folderWith({ "gate-sync.yml": "defaults: { state: [a] }", "other.yaml": "defaults: { state: [b] }" });
    expect((await findConfigFile(cwd)).found?.file.path).toBe("gate-sync.yml");
    expect((await findConfigFile(cwd, "other.yaml")).found?.file.path).toBe("other.yaml");
    expect(await findConfigFile(join(cwd, "nowhere"))).toEqual({ diagnostics: [] });
  });
  it("refuses two side by side, and a named one that is missing", async () => {
    const cwd = folderWith({ "gate-sync.yml": "", "gate-sync.yaml": "" });
    await expect(findConfigFile(cwd)).rejects.toThrow("Both");
    await expect(findConfigFile(cwd, "nope.yaml")).rejects.toThrow("does not exist");
  });
  it("an empty one is an empty map", async () => {
    const { found } = await findConfigFile(folderWith({ "gate-sync.yaml": "# nothing yet\n" }));
    expect(found && toValue(found.root)).toEqual({});
  });
  it("reports what is wrong with it", async () => {
    for (const [text, code] of [
      ["a: b: c", "syntax"],
      ["a: {{ x }}", "rendered-template"],
      ["a: 1\n---\nb: 2", "syntax"],
      ["a: 1\na: 2", "duplicate-key"],
    ]) {
      const { found, diagnostics } = await findConfigFile(folderWith({ "gate-sync.yaml": text ?? "" }));
      expect([found, ...diagnostics.map((diagnostic) => diagnostic.code)]).toEqual([undefined, code]);
    }
  });
});
