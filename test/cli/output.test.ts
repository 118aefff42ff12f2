// What others wrote into names and answers is shown, and nothing more: no command of a CI service, no login of ours.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "vitest";
import { cleanOutput } from "../../src/cli/clean-output.ts";
import { formsOf } from "../canaries/canaries.ts";
import { gateSyncWithin, inFolder } from "../support/command.ts";
import { onHarness } from "./harness.ts";

const commands = [
  "##[add-mask]x",
  "##vso[task.setvariable variable=x]y",
  "##teamcity[blockOpened name='x']",
  "a ##[error]x",
  "::set-output name=x::y",
  "::stop-commands::x",
  "  ::error::x",
];

/** As GitHub, Azure and TeamCity find a command in a log. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is meant
const obeyed = /##[a-z]*\[|^(?:\s|\u001b\[[0-9;]*m)*::/im;

const formats = {
  plan: ["text", "json", "markdown"],
  validate: ["text", "json"],
  "access who-can health --state access": ["text", "json"],
};

describe.each(commands)("%s", (command) => {
  test.for(
    Object.entries(formats).flatMap(([line, names]) =>
      names.flatMap((name) => ["never", "always"].map((color) => [line, name, color] as const)),
    ),
  )("in %s, %s, colour %s, is nothing that a CI service obeys", ([line, format, color], { expect }) => {
    const state = {
      tenants: { [command]: { description: command }, t: { description: `${"x".repeat(66)} ${command}` } },
      roles: { [command]: { description: command, cluster_permissions: [command] } },
      role_mappings: { [command]: { users: [command], backend_roles: [command] } },
      blocks: { b: { type: "ip", value: command, verdict: "disallow", tpe: command } },
    };
    const { blocks: _, ...valid } = state;
    const files = { "access/a.json": JSON.stringify(line === "validate" ? state : valid) };
    const held = { tenants: { gone: { description: command }, [`${command} old`]: {} } };
    return onHarness({ files, state: held }, async ({ run }) => {
      const server = line === "plan" ? " --url URL access --full --verbose" : line === "validate" ? " access" : "";
      const { stdout, stderr } = await run(`${line}${server} --format ${format} --color ${color}`);
      expect(obeyed.exec(stdout)?.[0] ?? obeyed.exec(stderr)?.[0]).toBeUndefined();
      if (format === "json" && line === "plan")
        expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(command));
    });
  });
});

test("what is written piece by piece is one line", ({ expect }) => {
  let shown = "";
  const write = (text: string) => {
    shown += text;
  };
  const to = cleanOutput({ write, isTTY: false, columns: 80 }, (text) => text);
  for (const batch of ["a", "::b\n", "  ", "::c", "\n", "::d\n", "e ::f\n"]) to.write(batch);
  expect(shown).toBe("a::b\n  \\u003a:c\n\\u003a:d\ne ::f\n");
});

type Answers = (path: string) => { readonly status?: number; readonly body: string | Buffer } | undefined;

async function withServer(answers: Answers, work: (url: string, methods: readonly string[]) => Promise<void>) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method ?? "");
    const { status = 200, body } = answers(request.url ?? "") ?? { status: 404, body: "{}" };
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const stated = "--product gate --release 7.x-43.0.0";
const files = { "access/a.yml": "tenants: { a: { description: new } }\n" };

describe("our password in an answer of 200", () => {
  const password = "Canary/pass 1";
  const login = Buffer.from(`ci:${password}`).toString("base64");
  test.for(
    [password, login, encodeURIComponent(password), `x ${password} y`].flatMap((echo) =>
      [
        ["a description", { a: { description: echo } }],
        ["a name", { [echo]: { description: "x" } }],
        ["a field that is not known", { a: { more: echo } }],
      ].map(([place, tenants]) => ({ echo, place, tenants })),
    ),
  )("is hidden: $echo as $place", ({ tenants, echo }, { expect }) =>
    withServer(
      (path) => {
        if (path === "/") return { body: JSON.stringify({ cluster_name: echo, version: { number: "7.10.2" } }) };
        return path.includes("tenants") ? { body: JSON.stringify(tenants) } : undefined;
      },
      (url) =>
        inFolder(files, async (cwd) => {
          for (const format of ["text", "json", "markdown"]) {
            const line = `plan ${stated} --url ${url} --username ci --no-access --full --verbose --format ${format} access`;
            const { code, stdout, stderr } = await gateSyncWithin(line.split(" "), {
              cwd,
              env: { GATE_SYNC_PASSWORD: password },
            });
            expect([0, 4]).toContain(code);
            expect(
              [password, login, encodeURIComponent(password)].filter((it) => (stdout + stderr).includes(it)),
            ).toEqual([]);
          }
        }),
    ),
  );
});

describe("a login that the server holds, in whatever form", () => {
  const password = `C4nary "p\\\\ass/w+d<é`;
  const login = Buffer.from(`ci:${password}`).toString("base64");
  const forms = [...new Set([password, login].flatMap(formsOf))];
  const echoes = [password, JSON.stringify(password), encodeURIComponent(password), login, encodeURIComponent(login)];
  const roles = Object.fromEntries(
    [...echoes, Buffer.from(password).toString("base64")].flatMap((echo, index) => [
      [`d${index}`, { description: `said ${echo} then` }],
      [
        `q${index}`,
        { index_permissions: [{ index_patterns: ["a"], allowed_actions: ["read"], dls: `{"x":"${echo}"}` }] },
      ],
      [`l${index}`, { cluster_permissions: [echo] }],
      [`n${echo}`, {}],
    ]),
  );
  const files = {
    "access/a.json": JSON.stringify({
      roles: Object.fromEntries(
        Object.keys(roles).flatMap((name) => (name.startsWith("n") ? [] : [[name, { description: "new" }]])),
      ),
    }),
  };
  const given = { files, state: { roles }, users: [{ name: "ci", password, rights: "all" }] } as const;
  const as = "--url URL --username ci";
  const found = (text: string) => forms.filter((form) => text.includes(form));

  test.for([
    ...["text", "json", "markdown"].map((format) => `plan ${as} --full --format ${format} access`),
    ...["text", "json", "markdown", "junit"].map((format) => `drift ${as} --format ${format} access`),
    `export ${as} --out there`,
    `export ${as} --snapshot snapshot.json`,
  ])("is neither shown nor written: %s", (line, { expect }) =>
    onHarness(given, async ({ folder, run }) => {
      const { code, stdout, stderr } = await run(line, { GATE_SYNC_PASSWORD: password });
      expect({ code: [0, 2, 4].includes(code ?? 0), found: found(stdout + stderr) }).toEqual({ code: true, found: [] });
      const written = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        /^(there.*yml|snapshot.json)$/s.test(name),
      );
      expect(written.length > 0).toBe(line.startsWith("export"));
      for (const name of written) {
        const text = readFileSync(join(folder, name), "utf8");
        expect({ name, found: found(text) }).toEqual({ name, found: [] });
        // Two names that are hidden alike are two entries all the same.
        if (name.includes("roles")) expect(text.match(/^ {2}\S/gm)).toHaveLength(Object.keys(roles).length);
      }
    }),
  );

  test("is not in a backup but for names and members of lists, and not shown by a rollback", ({ expect }) =>
    onHarness(given, async ({ folder, run }) => {
      const env = { GATE_SYNC_PASSWORD: password };
      const allowed = "--allow deletions --allow changes --allow plain-secrets";
      const applied = await run(`apply --yes ${as} ${allowed} access`, env);
      const taken = await run(`rollback --yes ${as} ${allowed}`, env);
      expect([applied.code, taken.code]).toEqual([0, 0]);
      expect(found(applied.stdout + applied.stderr + taken.stdout + taken.stderr)).toEqual([]);
      const backups = join(folder, ".gate-sync/backups");
      const texts = readdirSync(backups, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith("roles.yml"))
        .map((name) => readFileSync(join(backups, name), "utf8"));
      const lines = texts.flatMap((text) => text.split("\n")).filter((line) => /description|dls/.test(line));
      expect(lines.length).toBeGreaterThan(0);
      expect(found(lines.join("\n"))).toEqual([]);
    }));
});

describe("an answer of 200 that is not UTF-8", () => {
  const broken = Buffer.concat([Buffer.from('{"a'), Buffer.from([0xff]), Buffer.from('": {"description": "x"}}')]);
  test.for(["plan", "apply --yes --allow deletions", "drift", "export --out there"])("ends %s", (line, { expect }) =>
    withServer(
      (path) => (path === "/" ? { body: "{}" } : path.includes("tenants") ? { body: broken } : undefined),
      (url, methods) =>
        inFolder(files, async (cwd) => {
          const state = line.startsWith("export") ? "--family tenants" : "--no-access access";
          const words = `${line} ${stated} --url ${url} ${state}`.replace(
            /--no-access (?=access)/,
            line === "drift" ? "" : "--no-access ",
          );
          const { code, stderr } = await gateSyncWithin(words.split(" "), { cwd });
          expect([code, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("is not valid UTF-8")]);
          expect([...new Set(methods)]).toEqual(["GET"]);
        }),
    ),
  );
});
