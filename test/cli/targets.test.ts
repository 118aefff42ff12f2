// What gate-sync.yaml gives each target, and how gate-sync targets lists it.
import { describe, test } from "vitest";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const config = `x-proxy: &proxy { X-Token: "\${env:TOKEN}", Other: plain-s3cret }
default_target: dev
defaults:
  state: [access/, more/]
  auth: { username: ci, password: hunter2 }
  families:
    roles: { exclude: ["ops_*"], deletions: { count: 25 } }
targets:
  dev: { url: "http://127.0.0.1:1", vars: { engine: 1.10 } }
  prod:
    headers: *proxy
    auth: { token: "\${env:TOKEN}" }
    state: []
    families: { roles: { deletions: { percent: 5 } } }
`;

const files = { "gate-sync.yaml": config };

describe.concurrent("gate-sync targets", () => {
  test("lists what each ends up with, and where each setting comes from", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout, stderr } = await run("targets");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const lines = stdout.split("\n").map((line) => line.trim().replace(/\s{2,}/g, " | "));
      expect(lines).toEqual([
        "dev, taken where none is chosen",
        "state | access/, more/ | defaults, gate-sync.yaml:4",
        "auth.username | ci | defaults, gate-sync.yaml:5",
        "auth.password | ******** | defaults, gate-sync.yaml:5",
        "families.roles.exclude | ops_* | defaults, gate-sync.yaml:7",
        "families.roles.deletions.count | 25 | defaults, gate-sync.yaml:7",
        "url | http://127.0.0.1:1 | gate-sync.yaml:9",
        "vars.engine | 1.10 | gate-sync.yaml:9",
        "",
        "prod",
        "state | [] | gate-sync.yaml:13",
        // A login is taken as a whole.
        `auth.token | \${env:TOKEN} | gate-sync.yaml:12`,
        "families.roles.exclude | ops_* | defaults, gate-sync.yaml:7",
        "families.roles.deletions.count | 25 | defaults, gate-sync.yaml:7",
        "families.roles.deletions.percent | 5 | gate-sync.yaml:14",
        `headers.X-Token | \${env:TOKEN} | gate-sync.yaml:1`,
        "headers.Other | ******** | gate-sync.yaml:1",
        "",
      ]);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }));

  test("shows no secret of a login that is written in another way", ({ expect }) => {
    const logins = [
      "auth: { exec: [login, --password, hunter2, --key, ./ci.key] }",
      "auth: { exec: [sh, -c, 'TOKEN=hunter2 login'] }",
      "auth: { aws: { exec: [aws, --secret-key=hunter2] } }",
      ...["-", "=", ":", ":=", "?"].map((sign) => `auth: { token: "\${env:NOPE${sign}hunter2}" }`),
      "vars: { password: hunter2, nested: { api_token: hunter2 } }",
    ];
    const list = logins.map((login, at) => `  t${at}: { url: "https://h", state: [a/], ${login} }\n`);
    return onHarness({ files: { "gate-sync.yaml": `targets:\n${list.join("")}` } }, async ({ run }) => {
      for (const format of ["text", "json"]) {
        const { code, stdout, stderr } = await run(`targets --format ${format}`);
        expect(code).toBe(0);
        expect(stdout + stderr).not.toContain("hunter");
        expect(stdout).toContain("./ci.key");
      }
    });
  });

  test("shows the path of a private key, never the key, and no password of a program", ({ expect }) => {
    const keys = {
      pem: '{ cert: certs/c.pem, key: "-----BEGIN PRIVATE KEY-----\\nMIIhunter2" }',
      archive: `{ pkcs12: MIIhunter2${"A".repeat(60)}== }`,
      file: "{ cert: certs/c.pem, key: certs/key.pem }",
    };
    const targets = [
      ...Object.entries(keys).map(([name, tls]) => `  ${name}: { tls: ${tls} }\n`),
      "  program: { auth: { exec: [login, --password=hunter2] } }\n",
    ];
    return onHarness({ files: { "gate-sync.yaml": `targets:\n${targets.join("")}` } }, async ({ run }) => {
      for (const format of ["text", "json"]) {
        const { code, stdout } = await run(`targets --format ${format}`);
        expect([code, stdout.includes("hunter2"), stdout.includes("certs/key.pem")]).toEqual([0, false, true]);
      }
    });
  });

  test("as JSON for one target, by its schema", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run("targets --target prod --format json");
      expect(code).toBe(0);
      const listed = JSON.parse(stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("targets"), listed);
      expect(ajv.errors ?? []).toEqual([]);
      expect(stdout).not.toMatch(/hunter2|s3cret/);
      expect(listed.targets).toHaveLength(1);
      expect(listed.targets[0]).toMatchObject({ name: "prod", usual: false });
      expect(listed.targets[0].settings[0]).toMatchObject({
        path: ["state"],
        value: [],
        inherited: false,
        origin: { path: "gate-sync.yaml", line: 13, column: 5 },
      });
    }));

  test.for<[what: string, config: string | undefined, line: string, code: number, reported: RegExp]>([
    ["no gate-sync.yaml", undefined, "targets", 64, /This folder has no gate-sync\.yaml/],
    ["no such target", config, "targets --target prd", 64, /Did you mean "prod"\?/],
    [
      "a setting at the top, where it was once",
      "state: [access]\n",
      "targets",
      3,
      /or for\s+all of them under defaults/,
    ],
    [
      "settings that do not go with those inherited",
      "defaults: { tls: { cert: a, key: b } }\ntargets: { a: {}, b: { tls: { pkcs12: c } } }\n",
      "targets",
      3,
      /gate-sync\.yaml:2:[\s\S]*"pkcs12" and "cert" exclude each other\. Target "b" inherits a part of this\s+from defaults/,
    ],
  ])("%s is reported", ([, text, line, code, reported], { expect }) =>
    onHarness({ files: text === undefined ? {} : { "gate-sync.yaml": text } }, async ({ run }) => {
      const ended = await run(line);
      expect(ended.stderr).toMatch(reported);
      expect(ended.code).toBe(code);
    }),
  );

  test("a target without conflict is used, whatever another one has", ({ expect }) =>
    onHarness(
      {
        files: {
          "gate-sync.yaml":
            "defaults: { tls: { cert: a, key: b }, state: [s.yml] }\ntargets: { a: {}, b: { tls: { pkcs12: c } } }\n",
          "s.yml": "tenants: { t: {} }\n",
        },
      },
      async ({ run }) => {
        expect((await run("validate --target a --product gate")).code).toBe(0);
        expect((await run("validate --target b --product gate")).code).toBe(3);
      },
    ));
});
