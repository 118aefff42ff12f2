// A folder and a server with a secret in every place there is, and everything that a run leaves behind.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { type Files, gateSyncWithin, inFolder, type Run } from "../support/command.ts";
import { license } from "../support/license.ts";
import { type Canaries, canariesOf, finderOf, type Kind } from "./canaries.ts";
import { type Mirror, openMirror } from "./mirror.ts";

export interface Harness {
  readonly folder: string;
  readonly emulator: Emulator;
  readonly mirror: Mirror;
  readonly canaries: Canaries;
  /** What a run of the built program there is handed. */
  readonly env: Readonly<Record<string, string>>;
  /** The words of a command line, in this process. */
  readonly run: (line: string) => Promise<Run>;
  /** The places whose secrets are in these texts, or in any file but these that was not there at the beginning. */
  readonly leaks: (texts: readonly string[], except?: readonly string[]) => readonly string[];
  readonly git: (line: string) => void;
}

const [heldLicense, wantedLicense] = [license("held"), license("wanted")];

export async function onHarness<T>(kind: Kind, work: (harness: Harness) => Promise<T>): Promise<T> {
  const canaries = canariesOf(kind);
  const state = {
    config: liveConfig(canaries),
    license: heldLicense,
    tenants: { noted: { description: "old" } },
    role_mappings: { admins: { users: ["ann"] } },
  };
  const emulator = await startEmulator({ product: "gate", allowConfigModification: true, state });
  const mirror = await openMirror(
    () => emulator.url,
    () => emulator.state().config,
  );
  const files = { ...stateFiles(canaries), ...settings(canaries, mirror) };
  // In parts: a whole license is never printed, and a line of it gives it away as well.
  const batches = { held: heldLicense.slice(60, 120), wanted: wantedLicense.slice(60, 120) };
  const find = finderOf(kind, batches);
  try {
    return await inFolder(files, async (folder) => {
      chmodSync(join(folder, "bin/git"), 0o755);
      const env = envOf(canaries, mirror, folder);
      return work({
        folder,
        emulator,
        mirror,
        canaries,
        env,
        run: (line) => gateSyncWithin(line.split(" "), { cwd: folder, env }),
        leaks: (texts, except = []) => [...new Set([...texts, ...newFiles(folder, files, except)].flatMap(find))],
        git: (line) => {
          const identity = {
            GIT_AUTHOR_NAME: "a",
            GIT_AUTHOR_EMAIL: "a@b",
            GIT_COMMITTER_NAME: "a",
            GIT_COMMITTER_EMAIL: "a@b",
          };
          execFileSync("git", line.split(" "), {
            cwd: folder,
            env: { PATH: process.env.PATH, ...identity },
            stdio: "pipe",
          });
        },
      });
    });
  } finally {
    await mirror.close();
    await emulator.close();
  }
}

function envOf(canaries: Canaries, { port }: Mirror, folder: string): Record<string, string> {
  return {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    TMPDIR: folder,
    PASSWORD: canaries.password,
    TOKEN: canaries.token,
    HEADER: canaries.header,
    PRINTED: canaries.printed,
    BIND: canaries.bind,
    NOTE: canaries.description,
    GATE_SYNC_KEY_PASSPHRASE: canaries.passphrase,
    GATE_SYNC_PLAN_KEY: canaries["plan-key"],
    HTTP_PROXY: `http://ci:${encodeURIComponent(canaries.proxy)}@127.0.0.1:${port}`,
  };
}

function settings(canaries: Canaries, { url, port }: Mirror): Files {
  const headers = { "X-Proxy": "${env:HEADER}", "X-Literal": canaries["literal-header"] };
  const target = { url, state: ["access/"], headers };
  const targets: Record<string, Json> = {
    password: { ...target, auth: { username: "ci", password: "${env:PASSWORD}" } },
    file: { ...target, auth: { username: "ci", password: "${file:password.txt}" } },
    token: { ...target, auth: { token: "${env:TOKEN}" } },
    exec: { ...target, auth: { exec: ["node", "login.mjs"] } },
    proxied: { ...target, url: "http://search.example:9200", auth: { username: "ci", password: "${env:PASSWORD}" } },
    // The whole state is in plain text.
    literal: { ...target, state: ["literal/"], auth: { token: "${env:TOKEN}" } },
    refused: { ...target, url: "http://127.0.0.1:1" },
    "not-tls": { ...target, url: `https://127.0.0.1:${port}` },
    "no-key": { ...target, url: `https://127.0.0.1:${port}`, tls: { cert: "key.pem", key: "key.pem" } },
    "key-in-variable": { ...target, tls: { cert: "${env:NOTE}", key: "${env:BIND}" } },
    "half-printed": { ...target, auth: { exec: ["node", "half.mjs"] } },
    "failing-program": { ...target, auth: { exec: ["node", "fails.mjs"] } },
    "no-variable": { ...target, auth: { password: "${env:NOT_SET}", username: "ci" } },
  };
  const only = (url: string) => JSON.stringify({ targets: { only: { ...target, url } } }, null, 2);
  return {
    "gate-sync.yaml": JSON.stringify({ default_target: "password", targets }, null, 2),
    "userinfo.yaml": only(`http://ci:${encodeURIComponent(canaries.url)}@127.0.0.1:${port}`),
    "broken-userinfo.yaml": only(`htp://ci:${canaries.url}@127.0.0.1:${port}`),
    "password.txt": `${canaries["password-file"]}\n`,
    "key.pem": `-----BEGIN PRIVATE KEY-----\n${canaries["key-file"]}\n-----END PRIVATE KEY-----\n`,
    "login.mjs": `${spy}console.log(JSON.stringify({ username: "ci", password: process.env.PRINTED }));\n`,
    "half.mjs": `${spy}console.log(JSON.stringify({ password: process.env.PRINTED }));\n`,
    "fails.mjs": `${spy}console.log(process.env.PRINTED); console.error("error: cannot use " + process.env.PRINTED); process.exit(1);\n`,
    "bin/git": gitWithSpy,
  };
}

/** What any user of the machine sees of a program that runs, and of the one that started it. */
const spy = `import { appendFileSync, readFileSync } from "node:fs";
for (const id of ["self", process.ppid]) appendFileSync("seen.txt", readFileSync("/proc/" + id + "/cmdline", "utf8") + "\\n");
`;

/** Git needs none of our secrets, not even in its environment. */
const gitWithSpy = `#!/bin/sh
{ cat /proc/$$/cmdline; env; } >> "$(dirname "$0")/../seen.txt"
PATH="\${PATH#*:}" exec git "$@"
`;

function stateFiles(canaries: Canaries): Files {
  const config = configOf({ bind: "${env:BIND}", keystore: "${file:../keystore.txt}", note: "${env:NOTE}" });
  const literal = configOf({ bind: canaries.literal, keystore: canaries.literal, note: canaries.literal });
  return {
    "access/config.yml": JSON.stringify({ config }),
    "access/license.yml": JSON.stringify({ license: { text: "${file:../license.txt}" } }),
    "access/others.yml": JSON.stringify({
      tenants: { noted: note, fresh: note },
      role_mappings: { admins: { users: ["bob"] } },
    }),
    "access/internal_users.yml": JSON.stringify({ ana: { hash: canaries.hash } }),
    "literal/config.yml": JSON.stringify({ config: literal, license: { text: wantedLicense } }),
    "license.txt": wantedLicense,
    "keystore.txt": canaries.keystore,
    ".gitignore": "bin\nseen.txt\n",
  };
}

const note = { description: "new" };

/** Two login domains, the one of a directory with a certificate store, and what a server adds of its own. */
function configOf({
  bind,
  keystore,
  note,
}: {
  readonly bind: Json;
  readonly keystore: Json;
  readonly note: Json;
}): JsonObject {
  const backend = {
    type: "ldap",
    config: { bind_dn: "cn=admin", password: bind, keystore_password: keystore, client_secret: note },
  };
  return {
    dynamic: {
      authc: {
        ldap: { order: 1, http_authenticator: { type: "basic", challenge: true }, authentication_backend: backend },
      },
    },
  };
}

function liveConfig(canaries: Canaries): JsonObject {
  const { dynamic } = configOf({
    bind: canaries["live-bind"],
    keystore: canaries["live-keystore"],
    note: canaries["live-description"],
  });
  const jwt = (key: string) => ({
    order: 0,
    http_authenticator: { type: "jwt", challenge: false, config: { signing_key: key } },
    authentication_backend: { type: "noop" },
  });
  const { authc } = dynamic as { readonly authc: JsonObject };
  return { dynamic: { authc: { ...authc, gone: jwt(canaries["live-gone"]) }, other: jwt(canaries["live-key"]) } };
}

/** Of all that was not there at the beginning, or is otherwise now: its name and its text. */
function newFiles(folder: string, files: Files, except: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/.git/"))
    .map((path) => ({ name: path.slice(folder.length + 1), text: readFileSync(path, "utf8") }))
    .filter(({ name, text }) => files[name] !== text && !except.includes(name))
    .map(({ name, text }) => `${name}\n${text}`);
}
