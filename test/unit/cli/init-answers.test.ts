// What init asks on a terminal, and what it never asks.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askForInit, type InitFlags } from "../../../src/cli/init-answers.ts";
import type { Io } from "../../../src/cli/io.ts";
import { ioOf } from "./io.ts";

const given = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "x" };
const flags: InitFlags = { format: "text", color: "never" };

/** On a terminal where these lines are typed, one for each question, and then the end of input. */
function terminalOf(lines: readonly string[], env: Io["env"] = {}) {
  const asked: string[] = [];
  const shown: string[] = [];
  const answers = lines.values();
  const output = { write: (text: string) => shown.push(text), isTTY: true, columns: 80 };
  const ask = async (question: string) => {
    asked.push(question);
    return answers.next().value;
  };
  return { asked, shown, io: { ...ioOf({ stdout: output, stderr: output, env }), interactive: true, ask } };
}

test("asks for all that no flag says; an empty line takes what is usual", async () => {
  const { io, asked } = terminalOf(["https://search.example:9200", "", "ci", "", "gitlab"]);
  expect(await askForInit(io, flags)).toEqual({
    flags: { ...flags, url: ["https://search.example:9200"], username: "ci" },
    name: "prod",
    folder: "access",
    forge: "gitlab",
  });
  expect(asked.map((question) => question.split(/[,;[]/)[0]?.trim())).toEqual([
    "URL of the cluster",
    "File with the CA certificate of the cluster",
    "User name",
    "Name of the cluster in gate-sync.yaml",
    "Jobs for github",
  ]);
});

test.each([
  ["git@github.com:acme/access.git", "github"],
  ["https://me:glpat@gitlab.acme.example/access.git", "gitlab"],
  ["ssh://git@git.acme.example:2222/github/access.git", "none"],
  ["../bare.git", "none"],
])("of a repository that is pushed to %s takes the forge %s", async (remote, forge) => {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    execFileSync("git", ["remote", "add", "origin", remote], { cwd: folder });
    const { io, asked, shown } = terminalOf(["http://search.stage.example", "", ""], { ...process.env, ...given });
    const answers = await askForInit({ ...io, cwd: folder }, flags);
    expect([answers.name, answers.forge ?? "none"]).toEqual(["stage", forge]);
    expect(asked.at(-1)).toBe(`Jobs for github, gitlab or none [${forge}]: `);
    // Below the top no job would run: there is no choice.
    mkdirSync(join(folder, "below"));
    const below = terminalOf(["http://a", ""], given);
    await askForInit({ ...below.io, cwd: join(folder, "below") }, flags);
    expect([below.asked.length, below.shown, shown]).toEqual([2, [expect.stringMatching(/^No jobs/)], []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("asks nothing that flags and the environment say", async () => {
  const { io, asked } = terminalOf([], { GATE_SYNC_USERNAME: "ci" });
  const all: InitFlags = { ...flags, url: ["https://a"], ca: "a.pem", name: "x", out: "y/", ci: "none" };
  expect(await askForInit(io, all)).toEqual({ flags: all, name: "x", folder: "y", forge: undefined });
  expect(asked).toEqual([]);
});

test.each<[lines: readonly string[], what: RegExp]>([
  [["", "http://a", "ci", "", ""], /No server is named/],
  [["search:9200", "http://a", "ci", "", ""], /This is not the URL of a server/],
  [["https://a", "no-such.pem", "", "ci", "", ""], /no file no-such\.pem/],
  [["http://a", "ci", "a b", "prod", ""], /"a b" cannot be the name/],
  [["http://a", "ci", "", "gitbub", ""], /no jobs for "gitbub"/],
])("of %j one answer is asked for again, and no other", async (lines, what) => {
  const { io, asked, shown } = terminalOf(lines, { GATE_SYNC_PASSWORD: "x" });
  expect(await askForInit(io, flags)).toMatchObject({ name: "prod", folder: "access", flags: { username: "ci" } });
  expect(shown).toEqual([expect.stringMatching(what)]);
  expect(asked.length).toBe(lines.length);
  expect(asked.filter((question, at) => question === asked[at - 1]).length).toBe(1);
});

test.each([[[]], [["http://a", "ci"]], [["http://a", "ci", "", "gitbub"]]])(
  "without an answer to all, as after %j, no repository is made",
  async (lines) => {
    await expect(askForInit(terminalOf(lines).io, flags)).rejects.toThrow(/not answered/);
  },
);

test("says before the first question that a password is read from the environment alone", async () => {
  const { io, shown } = terminalOf([]);
  await expect(askForInit(io, flags)).rejects.toThrow();
  expect(shown).toEqual([expect.stringMatching(/^GATE_SYNC_PASSWORD is not set/)]);
  const other = terminalOf([]);
  await expect(askForInit(other.io, { ...flags, passwordEnv: "X" })).rejects.toThrow();
  expect(other.shown).toEqual([]);
});
