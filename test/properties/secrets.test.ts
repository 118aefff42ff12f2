// No secret appears in any output: every secret here holds the word canary, and no output may.
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { FaultAnswer, InitialState } from "../../src/emulator/index.ts";
import {
  apply,
  connectToRead,
  connectToWrite,
  type DecidedPlan,
  type Emulator,
  exportState,
  plan,
  type Report,
  RunError,
  startEmulator,
  takeSnapshot,
  writeSnapshot,
} from "../../src/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { renderErrorJson } from "../../src/render/json/diagnostics.ts";
import { renderMessageText } from "../../src/render/text/message.ts";
import { formatOutcomeLine } from "../../src/render/text/outcome.ts";
import { license } from "../support/license.ts";
import {
  diagnosticsJson,
  diagnosticsText,
  planJson,
  planMarkdown,
  planText,
  reportJson,
  reportText,
} from "../support/rendered.ts";
import { hastyClock, type More, openWorkspace, type Workspace } from "../support/workspace.ts";

const styles = [
  { color: false, width: 80, full: true, verbose: true },
  { color: true, width: 40, full: false, verbose: false },
];

/** Characters that are written otherwise in JSON, in YAML and in URLs. */
const odd = 'canary "in" \\quotes\\ / & ünï\ncode $& %22';
const secrets = {
  LDAP_PASSWORD: "canary-ldap-new",
  JWT_KEY: odd,
  NOTE: "canary-note",
  LOGIN: "canary-login",
} as const;
const [heldLicense, wantedLicense] = [license("held"), license("wanted")];

function config(password: Json, key: Json, note: Json): JsonObject {
  const backend = { type: "ldap", config: { bind_dn: "cn=admin", password, client_secret: note } };
  const authenticator = { type: "jwt", challenge: false, config: { signing_key: key } };
  return {
    dynamic: {
      authc: {
        ldap: { order: 1, http_authenticator: { type: "basic", challenge: true }, authentication_backend: backend },
        jwt: { order: 0, http_authenticator: authenticator, authentication_backend: { type: "noop" } },
      },
    },
  };
}

const live: InitialState = {
  config: config("canary-ldap-old", "canary-key-old", "canary-note-old"),
  license: heldLicense,
  tenants: { noted: { description: "old" } },
  role_mappings: { admins: { users: ["ann"] } },
};

/** References, a text in the open under a name that says what it is, and a file. */
const files = {
  config: config("${env:LDAP_PASSWORD}", "${env:JWT_KEY}", "${env:NOTE}"),
  license: { text: "${file:license.txt}" },
  tenants: {
    noted: { description: "new" },
    fresh: { description: "fresh" },
  },
  role_mappings: { admins: { users: ["bob"] } },
};

interface Harness {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
}

/** A server that holds secrets and asks for a password, and a folder whose files declare other secrets. */
async function onHarness<T>(declared: JsonObject, use: (harness: Harness) => Promise<T>): Promise<T> {
  const users = [{ name: "ci", password: secrets.LOGIN, rights: "all" }] as const;
  const emulator = await startEmulator({ product: "gate", allowConfigModification: true, users, state: live });
  const workspace = openWorkspace();
  workspace.write([
    ["access.json", JSON.stringify(declared)],
    ["license.txt", wantedLicense],
  ]);
  try {
    return await use({ emulator, workspace });
  } finally {
    workspace.close();
    await emulator.close();
  }
}

const explained = { username: "ci", passwordEnv: "LOGIN", env: secrets };

function outputsOf(planned: DecidedPlan): string[] {
  return [
    JSON.stringify(planJson(planned.plan)),
    JSON.stringify(diagnosticsJson(planned.diagnostics)),
    planMarkdown(planned.plan),
    ...styles.map((style) => planText(planned.plan, style)),
    ...styles.map((style) => diagnosticsText(planned.diagnostics, { files: 1, consequence: "" }, style)),
    // By accident, too: in a log, in a message, in a dump of what is wrong.
    JSON.stringify(planned.plan.operations),
    String(planned.plan.operations.map(({ body }) => body)),
    inspect(planned.plan.operations, { depth: 20 }),
    inspect(planned.target, { depth: 20 }),
  ];
}

function outputsOfReport(report: Report): string[] {
  return [
    JSON.stringify(reportJson(report)),
    ...styles.map((style) => reportText(report, style)),
    ...styles.flatMap((style) => report.outcomes.map((outcome, index) => formatOutcomeLine(outcome, index, 9, style))),
    inspect(report.outcomes, { depth: 20 }),
  ];
}

function outputsOfError(error: unknown): string[] {
  if (!(error instanceof RunError)) throw error;
  const summary = { files: 1, consequence: error.userMessage.why ?? "" };
  return [
    JSON.stringify(renderErrorJson(error)),
    ...styles.map((style) => renderMessageText(error, style)),
    ...styles.map((style) => diagnosticsText(error.diagnostics, summary, style)),
    `${error.stack}`,
  ];
}

/** Any form of any of them: as it is, escaped once or twice, or in the header of a login. */
function check(outputs: readonly string[], least: number): void {
  expect(outputs.filter((text) => text !== "").length).toBeGreaterThanOrEqual(least);
  const login = Buffer.from(`ci:${secrets.LOGIN}`).toString("base64");
  for (const text of outputs) {
    for (const secret of ["canary", login, heldLicense, wantedLicense, heldLicense.slice(0, 40)]) {
      expect(text.includes(secret) ? `${secret} in:\n${text}` : "").toBe("");
    }
  }
}

test("a plan, in every form", () =>
  onHarness(files, async ({ emulator, workspace }) => {
    const planned = await workspace.plan(emulator.url, explained);
    const families = planned.plan.operations.map(({ family }) => family).sort();
    expect(families).toEqual(["config", "license", "role_mappings", "tenants"]);
    check(outputsOf(planned), 11);
  }));

test("an apply, and the plan after it", () =>
  onHarness(files, async ({ emulator, workspace }) => {
    const report = await applied(await workspace.plan(emulator.url, explained));
    expect(report.verified).toBe(true);
    const again = await workspace.plan(emulator.url, explained);
    expect(again.plan.operations).toEqual([]);
    check([...outputsOfReport(report), ...outputsOf(again)], 20);
  }));

async function applied(planned: DecidedPlan): Promise<Report> {
  const lines: string[] = [];
  const settled = (outcome: Report["outcomes"][number]) => {
    lines.push(...styles.map((style) => formatOutcomeLine(outcome, 0, 1, style)));
  };
  const report = await apply(planned, connectToWrite, { settled, stopped: () => false }, hastyClock());
  check(lines, report.outcomes.length);
  return report;
}

const { authc } = files.config.dynamic as { readonly authc: JsonObject };
/** Each secret alone as well: beside another one it could be overlooked. */
const declarations: readonly JsonObject[] = [
  ...Object.entries(files).map(([family, declared]) => ({ [family]: declared })),
  ...Object.entries(authc).map(([name, domain]) => ({ config: { dynamic: { authc: { [name]: domain } } } })),
];

/** Ways to say a body back: alone, in a message, in a message that was itself a message, in part. */
const echoes: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => JSON.stringify({ message: `cannot parse ${body}` }),
  (body) => JSON.stringify({ message: JSON.stringify({ reason: body }) }),
  (body) => JSON.stringify({ error: { reason: `cannot parse: ${body.slice(-400)}` } }),
  (body) => JSON.stringify({ reason: "Invalid", invalid_keys: { keys: body } }),
  (body) => JSON.stringify({ reason: "Invalid", details: JSON.parse(body) }),
  (body) => `<p>${body.replaceAll('"', "&quot;")}</p>`,
  (body) => encodeURIComponent(body),
];

test.each([400, 500])("a server that answers %i to writes and says the body back", async (status) => {
  const jobs = declarations.flatMap((declared) =>
    echoes.map((echo) =>
      onHarness(declared, async ({ emulator, workspace }) => {
        const planned = await workspace.plan(emulator.url, explained);
        emulator.fault = ({ method, body }) =>
          method === "GET" ? undefined : { at: "before", answer: { status, body: echo(body) } };
        const report = await applied(planned);
        expect(report.outcomes.map(({ kind }) => kind)).not.toContain("done");
        return outputsOfReport(report);
      }),
    ),
  );
  check((await Promise.all(jobs)).flat(), jobs.length * 6);
});

const login = secrets.LOGIN;
const failures: readonly (readonly [what: string, more: More, answer: FaultAnswer | undefined])[] = [
  ["the login is refused", { passwordEnv: "NOTE" }, undefined],
  ["a reference has no value", { env: { LOGIN: login, NOTE: secrets.NOTE } }, undefined],
  ["the server says the password back", {}, { status: 500, body: `bad login ci:${login}` }],
  ["the server says the password back in JSON", {}, { status: 403, body: `{"message": "not ${login}"}` }],
  ["the server says the login back", {}, { status: 500, body: Buffer.from(`ci:${login}`).toString("base64") }],
];

test.each(failures)("errors: %s", (_what, more, answer) =>
  onHarness(files, async ({ emulator, workspace }) => {
    if (answer) emulator.fault = () => ({ at: "before", answer });
    check(outputsOfError(await failureOf(workspace.plan(emulator.url, { ...explained, ...more }))), 4);
  }),
);

test.each(["http://ci:canary@127.0.0.1:9", "htp://ci:canary@127.0.0.1:9", "http://canary@127.0.0.1:9"])(
  "errors: a password in the URL %s",
  (url) => onHarness(files, async ({ workspace }) => check(outputsOfError(await failureOf(workspace.plan(url))), 4)),
);

const misplaced: readonly JsonObject[] = [
  // In the open, beside an error whose line is shown.
  { config: { dynamic: { authc: { a: { order: "x", http_authenticator: { config: { signing_key: "canary" } } } } } } },
  { config: { dynamic: { authc: { a: { authentication_backend: { config: { password: "canary" }, typ: "x" } } } } } },
  { license: { text: "canary", txt: "x" } },
  { config: { dynamic: { authc, ldap_password: "${env:NOTE}" } } },
  { tenants: { noted: { description: "${env:JWT_KEY}" } } },
  { roles: { r: { cluster_permissions: ["${env:NOTE}"] } }, tenants: { t: { description: ["${env:NOTE}"] } } },
  { tenants: { "t${env:NOTE}": { description: "${env:NOTE}", more: "${env:NOTE}" } } },
  { blocks: { b: { type: "${env:NOTE}", value: "${env:NOTE}", verdict: "disallow" } } },
  { role_mappings: { "${env:NOTE}": { users: "${env:JWT_KEY}", hosts: [["${env:NOTE}"]] } } },
];

test.each(misplaced)("diagnostics about secrets in the wrong place: %j", (declared) =>
  onHarness(declared, async ({ emulator, workspace }) => {
    check(outputsOfError(await failureOf(workspace.plan(emulator.url, explained))), 6);
  }),
);

async function failureOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => expect.unreachable("it should have failed"),
    (problem: unknown) => problem,
  );
}

test("an export and a snapshot hold no secret of the config", () =>
  onHarness(files, async ({ emulator, workspace }) => {
    emulator.replaceState({ ...live, config: config("canary-1", "canary-2", "canary-3"), tenants: {} });
    const request = workspace.request(emulator.url, explained);
    const exported = await exportState({ ...request, families: ["config"], oneFile: true }, connectToRead);
    const snapshot = await takeSnapshot(request, connectToRead);
    const texts = [...exported.files.map(({ text }) => text), ...exported.summary, JSON.stringify(snapshot)];
    check(texts, 2);
    await writeSnapshot(workspace.folder, "snapshot.json", snapshot);
    check(outputsOf(await plan(request, { snapshot: join(workspace.folder, "snapshot.json") })), 11);
  }));
