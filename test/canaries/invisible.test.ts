// Every kind of name, in every command and format: nothing invisible that is part of it comes out as it is.
import { execFileSync } from "node:child_process";

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/json/value.ts";
import { type Files, gateSyncWithin, inFolder } from "../support/command.ts";
import { everyNth } from "../support/extent.ts";

/** One of each class; of the others `escape.test.ts` asks one function. */
const carried = ["\u001b", "\u202e", "\u3164", "\ufe0f", "\u3000", "\u2800", "\ufffc", "\ue000", "\u0378", "\u{e0041}"];
/** What is in every name. `breaks`: what no check of the whole output could find, as lines end so. */
const kinds = { unseen: `q${carried.join("q")}q`, breaks: "q\nq" } as const;
type Kind = keyof typeof kinds;

const found: Readonly<Record<Kind, RegExp>> = {
  unseen: new RegExp(`q(?:${carried.join("|")})`, "u"),
  breaks: /q\r?\nq/,
};

/** A state in which every name and every text has the mark; `version` decides about the values. */
function stateOf(mark: string, version: string): JsonObject {
  const name = (base: string) => `${base}${mark}`;
  const groups = { [name("group")]: { allowed_actions: [name("indices:d"), name(`indices:${version}`)] } };
  return {
    roles: {
      [name(`role-${version}`)]: { cluster_permissions: [name("cluster:a")] },
      [name("role")]: {
        description: name(version),
        cluster_permissions: [name("cluster:b"), name("group")],
        index_permissions: [
          {
            index_patterns: [name(`logs-${version}-`), `/${name("x")}.*/`],
            allowed_actions: ["READ", name("indices:c")],
            dls: `{"term": {"${name("f").replaceAll("\n", "\\n")}": "${version}"}}`,
            fls: [name("field")],
            masked_fields: [name("masked")],
          },
        ],
        tenant_permissions: [{ tenant_patterns: [name("tenant")], allowed_actions: [name("kibana:x")] }],
      },
    },
    role_mappings: {
      [name("role")]: {
        users: [name("user"), name(`user-${version}`)],
        backend_roles: [name("backend"), name(`backend-${version}`)],
        hosts: [name("host")],
      },
      [name(`role-${version}`)]: { users: [name("a")] },
    },
    action_groups: groups,
    ...(version === "old" && { action_groups: { ...groups, [name("gone")]: { allowed_actions: ["a"] } } }),
    tenants: { [name("tenant")]: { description: name(version) }, [name(`tenant-${version}`)]: {} },
    internal_users: {
      [name("ana")]: {
        hash: "$2y$12$BBNkM6B7CVwYgxTTOLrhz.I8xwEPT0HsHcYYMIYa6YhVr2UYmHrGu",
        backend_roles: [name("backend")],
        description: name(version),
        attributes: { [name("attribute")]: name(version) },
      },
    },
  };
}

const testsOf = (mark: string): JsonObject => ({
  personas: { [`persona${mark}`]: { user: `user${mark}`, backend_roles: [`backend${mark}`] } },
  access_tests: [
    {
      name: `test${mark}`,
      as: `persona${mark}`,
      action: "search",
      index: "logs-new-1",
      expect: "denied",
    },
  ],
});

const data = ["text", "json"];
const review = [...data, "markdown", "junit", "html", "sarif", "code-quality", "github", "dotenv"];

interface Command {
  readonly words: (mark: string) => readonly string[];
  readonly formats?: readonly string[];
  readonly before?: readonly string[];
  /** A file with errors is beside the others. */
  readonly isBroken?: true;
}

/** A new command is a line here. */
const commands: readonly Command[] = [
  { words: () => ["validate", "--verbose"], formats: [...data, "junit", "sarif", "code-quality", "github", "dotenv"] },
  {
    words: () => ["validate"],
    formats: [...data, "junit", "sarif", "code-quality", "github", "dotenv"],
    isBroken: true,
  },
  { words: () => ["plan"], formats: review, isBroken: true },
  { words: () => ["validate", "--fix"] },
  { words: () => ["fmt", "--check"] },
  { words: () => ["fmt"] },
  { words: () => ["test", "--full"], formats: [...data, "junit", "html", "sarif", "code-quality", "github"] },
  { words: () => ["plan"], formats: data },
  { words: () => ["plan", "--full", "--verbose"], formats: review },
  { words: () => ["plan", "--base", "HEAD"], formats: review },
  { words: () => ["plan", "--live", "snapshot.json"], before: ["export --snapshot snapshot.json"] },
  { words: (mark) => ["plan", "--out", `plan${mark}.json`], formats: data },
  { words: () => ["apply", "--yes", "--full", "--verbose"], formats: data },
  { words: () => ["apply", "plan.json"], before: ["plan --out plan.json"] },
  { words: () => ["status"], formats: data, before: ["apply --yes"] },
  { words: () => ["drift", "--full", "--verbose"], formats: review },
  { words: () => ["drift", "--applied-ref", "HEAD"], formats: review },
  { words: () => ["rollback", "--yes"], formats: data, before: ["apply --yes"] },
  {
    words: (mark) => ["access", "can-i", "READ", `logs-new-${mark}`, "--user", `user${mark}`],
    formats: data,
  },
  { words: (mark) => ["access", "who-can", "READ", `logs-new-${mark}`], formats: data },
  { words: (mark) => ["access", "what-can", `persona${mark}`], formats: data },
  { words: () => ["access", "map"], formats: [...data, "markdown", "html", "csv"] },
  { words: () => ["access", "map", "--since", "HEAD"], formats: [...data, "markdown", "html", "csv"] },
  { words: (mark) => ["import", `access${mark}`, "--out", `written${mark}`], formats: data },
  { words: (mark) => ["export", "--out", `written${mark}`], formats: data },
  { words: () => ["export", "--update", "--dry-run"], formats: data },
  { words: () => ["targets"], formats: data },
  { words: () => ["render"], formats: ["yaml", "json"] },
  { words: (mark) => ["diff-targets", `target${mark}`, `other${mark}`], formats: [...data, "markdown"] },
  { words: (mark) => ["convert", "--to", "search-guard-7", "--out", `written${mark}`], formats: data },
  { words: () => ["doctor", "--verbose"], formats: data },
  { words: (mark) => ["explain", `word${mark}`] },
  { words: (mark) => [`command${mark}`] },
  { words: (mark) => ["plan", `--flag${mark}`] },
  { words: (mark) => ["plan", "--target", `none${mark}`], formats: data },
  { words: (mark) => ["plan", `none${mark}`], formats: data },
  // A guard refuses one deletion, and names what waives it.
  { words: () => ["plan", "--family", "action_groups"], formats: review },
  { words: () => ["guards"], formats: data },
  { words: () => ["schema", "--live"] },
];

function filesOf(kind: Kind, url: string, { isBroken }: Command): Files {
  const mark = kinds[kind];
  const target = {
    url,
    product: "opensearch",
    release: "2.19",
    state: [`access${mark}/`],
    families: { internal_users: { mode: "manage" } },
  };
  return {
    "gate-sync.yaml": JSON.stringify({
      default_target: `target${mark}`,
      targets: { [`target${mark}`]: target, [`other${mark}`]: target },
    }),
    [`access${mark}/state${mark}.yml`]: JSON.stringify({ ...stateOf(mark, "new"), ...testsOf(mark) }),
    ...(isBroken && {
      [`access${mark}/broken${mark}.yml`]: JSON.stringify({ tenants: { [`broken${mark}`]: { [`field${mark}`]: 1 } } }),
    }),
  };
}

/** Programs read these names: where annotations are, and gate-sync's own records. */
function withoutProgramNames(text: string): string {
  return text.replace(/^(::\w+ )file=[^,]*/gm, "$1");
}

/** What people are shown of the JSON of SARIF and Code Quality. */
function readShownTexts(stdout: string, format: string): readonly string[] {
  if ((format !== "sarif" && format !== "code-quality") || stdout === "") return [];
  const texts: string[] = [];
  JSON.parse(stdout, (key, value) => {
    if (/^(?:text|markdown|description)$/.test(key)) texts.push(value);
    return value;
  });
  return texts;
}

/** State files and reports that a run wrote. */
function readWritten(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /^written|\.report$/.test(name) || /\/written/.test(parentPath))
    .flatMap((entry) => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : []));
}

const runs = commands.flatMap((command) => (command.formats ?? [""]).map((format) => ({ command, format })));

test.each(Object.keys(kinds) as Kind[])(
  "%s",
  async (kind) => {
    const mark = kinds[kind];
    const leaks: string[] = [];
    for (const { command, format } of everyNth(12, runs)) {
      const emulator = await startEmulator({ product: "opensearch", release: "2.19", state: stateOf(mark, "old") });
      await inFolder(filesOf(kind, emulator.url, command), async (cwd) => {
        const run = (args: readonly string[]) => gateSyncWithin(args, { cwd, env: { PATH: process.env.PATH ?? "" } });
        for (const line of ["init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m a"])
          execFileSync("git", line.split(" "), { cwd, stdio: "pipe" });
        for (const line of command.before ?? []) await run(line.split(" "));
        const args = [...command.words(mark), ...(format === "" ? [] : ["--format", format])];
        const { stdout, stderr } = await run(args);
        expect(stdout + stderr).not.toBe("");
        for (const text of [
          withoutProgramNames(stdout),
          stderr,
          ...readShownTexts(stdout, format),
          ...readWritten(cwd),
        ]) {
          const at = text.search(found[kind]);
          if (at !== -1) leaks.push(JSON.stringify([args, text.slice(Math.max(0, at - 60), at + 20)]));
        }
      });
      await emulator.close();
    }
    expect(leaks).toEqual([]);
  },
  600_000,
);
