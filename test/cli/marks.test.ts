// `plan --base REF`: what a branch does itself, what was pending before it, what it takes back.
import { describe, expect, test } from "vitest";
import type { Files } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { git, hasGit, onHistory } from "./history.ts";

if (!hasGit) console.warn("git is not installed: marks of plan --base are not tested.");

const role = (...indices: readonly string[]) => ({
  index_permissions: [{ index_patterns: indices, allowed_actions: ["SGS_READ"] }],
});
const mapped = (...names: readonly string[]) => ({ backend_roles: names });
type State = Readonly<Record<string, object>>;
const layOut = (roles: State, mappings: State, mode = "manage"): Files => ({
  "gate-sync.yaml": `targets: { prod: { url: "URL", state: [access] } }\ndefaults: { families: { roles: { mode: ${mode} } } }\n`,
  "access/r.yml": `${JSON.stringify({ roles, role_mappings: mappings })}\n`,
});
const mappings = { a: mapped("dev"), b: mapped("ops") };
const state = {
  roles: { a: role("logs-*"), b: role("logs-*", "secret-*"), hand: role("x-*") },
  role_mappings: mappings,
};
const base = layOut({ a: role("logs-*"), b: role("logs-*") }, mappings);
const title = /^(This branch|Pending before|Taken back|Left as)/;

/** The lines of a plan between its verdict and its requests. */
function listShown(stdout: string): readonly string[] {
  const lines = stdout.split("\n").filter((line) => title.test(line) || /^ {2}[-+~?] /.test(line));
  return lines.map((line) => line.trim().replace(/ {2,}.*/, ""));
}

describe.skipIf(!hasGit)("whose a change is", () => {
  test.for<[string, Files, Files, readonly string[], string]>([
    [
      "the branch's, and what was changed by hand on the server",
      base,
      layOut({ a: role("logs-*", "refunds-*"), b: role("logs-*") }, mappings),
      [
        "This branch",
        "~ a",
        "+ backend role dev: read refunds-* (role a)",
        "Pending before this branch",
        "~ b",
        "- hand",
        "- backend role ops: read secret-* (role b)",
      ],
      "1 by this branch, 2 pending before it.",
    ],
    [
      "one entry by different edits, one field otherwise",
      base,
      layOut({ a: role("logs-*"), b: role("logs-*", "hr-*"), hand: { ...role("x-*") } }, mappings),
      [
        "This branch",
        "+ backend role ops: read hr-* (role b)",
        "This branch, and otherwise before it",
        "~ b",
        "Pending before this branch",
        "- backend role ops: read secret-* (role b)",
        "Taken back by this branch",
        "- hand",
      ],
      "1 by both.",
    ],
    [
      "nothing of the base: no sections",
      layOut({ a: role("logs-*"), b: role("logs-*", "secret-*"), hand: role("x-*") }, mappings),
      layOut({ a: role("logs-*"), b: role("logs-*", "secret-*"), hand: role("y-*") }, mappings),
      ["~ hand"],
      "1 by this branch.",
    ],
    [
      "all is taken back",
      base,
      layOut({ a: role("logs-*"), b: role("logs-*", "secret-*"), hand: role("x-*") }, mappings),
      ["Taken back by this branch", "~ b", "- hand"],
      "",
    ],
    [
      "what differs and is left",
      layOut({ a: role("logs-*"), b: role("logs-*") }, mappings, "observe"),
      layOut({ a: role("logs-*"), b: role("logs-*") }, { ...mappings, a: mapped("qa") }, "observe"),
      ["? b", "? hand", "~ a", "- backend role dev: read logs-* (role a)", "+ backend role qa: read logs-* (role a)"],
      "1 by this branch.",
    ],
  ])("%s", ([, was, now, shown, counted]) =>
    onHistory({ was, now, state }, async (run) => {
      const { stdout } = await run("plan --base main --allow deletions --allow lock-out");
      expect(listShown(stdout), stdout).toEqual(shown);
      expect(/in \d request\.(.*?)( 2 differences.*)?$/m.exec(stdout)?.[1]?.trim() ?? "").toBe(counted);
      const json = await run("plan --base main --format json");
      createAjv({ isStrict: false }).validate(readSchema("plan"), JSON.parse(json.stdout));
      const markdown = await run("plan --base main --format markdown");
      const titles = [...markdown.stdout.matchAll(/^\*\*(.*)\*\*$/gm)].map(([, one]) => one);
      expect(titles).toEqual(shown.filter((line) => title.test(line)));
    }),
  );

  test("is counted for each of several targets", () => {
    const inFleet = (files: Files, more = ""): Files => {
      const target = (name: string, paths: string) => `  ${name}: { url: "URL", state: [${paths}] }\n`;
      const settings = "defaults: { auth: { username: a, password: b } }\n";
      return {
        ...files,
        "gate-sync.yaml": `targets:\n${target("prod", "access")}${target("lab", `access${more}`)}${settings}`,
        "lab/r.yml": JSON.stringify({ roles: { more: role("y-*"), hand: role("x-*") } }),
      };
    };
    const now = layOut({ a: role("logs-*", "refunds-*"), b: role("logs-*") }, mappings);
    return onHistory({ was: inFleet(base), now: inFleet(now, ", lab"), state }, async (run) => {
      for (const format of ["text", "markdown"]) {
        const { stdout } = await run(`plan --all-targets --base main --allow deletions --format ${format}`);
        const notes = stdout.match(/Compared with the plan of main: .*/g) ?? [];
        expect(notes.sort(), stdout).toEqual([
          "Compared with the plan of main: 1 by this branch, 2 pending before it.",
          "Compared with the plan of main: 2 by this branch, 1 pending before it.",
        ]);
        expect(stdout).toMatch(/[-~] +hand .*pending before this branch/);
        expect(stdout).not.toMatch(/[+~] +a .*this branch/);
        const named = stdout.match(/(Pending before|Taken back by) this branch: .*/g) ?? [];
        expect(named.sort(), stdout).toEqual([
          "Pending before this branch: roles/b, roles/hand.",
          "Pending before this branch: roles/b.",
          "Taken back by this branch: roles/hand.",
        ]);
      }
    });
  });

  test("files of the base that lack the target, or have errors, mark nothing", async () => {
    const now = layOut({ a: role("logs-*", "refunds-*") }, mappings);
    for (const was of [
      { ...base, "gate-sync.yaml": 'targets: { other: { url: "http://127.0.0.1:1", state: [access] } }\n' },
      { ...base, "access/r.yml": "roles: [\n" },
    ]) {
      await onHistory({ was, now, state }, async (run) => {
        const { since, notes } = JSON.parse((await run("plan --base main --format json")).stdout);
        expect(since).not.toHaveProperty("pending_before");
        expect(notes.filter((note: string) => note.includes("main"))).toHaveLength(1);
      });
    }
  });

  test("a branch that lacks commits of the base says so, where the history is there", () =>
    onHistory({ was: base, now: base, state }, async (run, folder) => {
      const lacks = /HEAD lacks commits of later/;
      git(folder, "checkout", "-q", "-b", "later");
      git(folder, "commit", "-q", "--allow-empty", "-m", "x");
      git(folder, "checkout", "-q", "main");
      expect((await run("plan --base later")).stdout).toMatch(lacks);
      git(folder, "checkout", "-q", "later");
      expect((await run("plan --base main")).stdout).not.toMatch(/HEAD lacks/);
      git(folder, "commit", "-q", "--allow-empty", "-m", "y");
      expect((await run("plan --base later")).stdout).not.toMatch(lacks);
    }));

  const targets = (urls: string, state = "access") => `targets: { prod: { url: ${urls}, state: [${state}] } }\n`;
  const [here, elsewhere] = ['"URL"', '"http://127.0.0.1:1"'];
  const granted = { "access/r.yml": JSON.stringify({ roles: { new: role("*") } }) };
  test.for<[string, Files, Files, number | undefined]>([
    ["at another server", { "gate-sync.yaml": targets(elsewhere) }, { "gate-sync.yaml": targets(here) }, undefined],
    [
      "at another server, too",
      { "gate-sync.yaml": targets(elsewhere) },
      { "gate-sync.yaml": targets(`[${here}, ${elsewhere}]`) },
      undefined,
    ],
    [
      "at another server in a second gate-sync.yaml that goes",
      { "lab/gate-sync.yaml": targets(elsewhere, "../access"), "one/gate-sync.yaml": targets(here, "none") },
      { "gate-sync.yaml": targets(here) },
      0,
    ],
    [
      "at fewer servers",
      { "gate-sync.yaml": targets(`[${elsewhere}, ${here}]`) },
      { "gate-sync.yaml": targets(here) },
      1,
    ],
  ])("a target of the base %s", ([, was, now, pending]) =>
    onHistory({ was: { ...was, ...granted }, now: { ...now, ...granted } }, async (run) => {
      const { stdout } = await run("plan --base main --format json");
      expect(JSON.parse(stdout).since.pending_before?.length, stdout).toBe(pending);
    }),
  );

  test("what a run leaves out is not taken back", () =>
    onHistory({ was: base, now: layOut({ a: role("logs-*") }, { a: mapped("qa") }), state }, async (run) => {
      const { stdout } = await run("plan --base main --family role_mappings --format json");
      expect(JSON.parse(stdout).since.taken_back).toEqual([]);
    }));
});
