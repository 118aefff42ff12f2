// What init asks on a terminal, and what it never asks.
import { expect, test } from "vitest";
import { askForInit, type InitFlags } from "../../../src/cli/init-answers.ts";
import type { Io } from "../../../src/cli/io.ts";
import { ioOf } from "./io.ts";

const flags: InitFlags = { format: "text", color: "never" };
const silent = { write: () => {}, isTTY: true, columns: 80 };

/** On a terminal where these lines are typed, one for each question, and then the end of input. */
function terminalOf(lines: readonly string[], env: Io["env"] = {}) {
  const asked: string[] = [];
  const answers = lines.values();
  const ask = async (question: string) => {
    asked.push(question);
    return answers.next().value;
  };
  return { asked, io: { ...ioOf({ stdout: silent, stderr: silent, env }), interactive: true, ask } };
}

test("asks for all that no flag says; an empty line takes what is usual", async () => {
  const { io, asked } = terminalOf(["https://search.example:9200", "ci", "", "", "gitlab"]);
  expect(await askForInit(io, flags)).toEqual({
    flags: { ...flags, url: ["https://search.example:9200"], username: "ci" },
    name: "prod",
    folder: "access",
    forge: "gitlab",
  });
  expect(asked.map((question) => question.split(/[,;[]/)[0]?.trim())).toEqual([
    "URL of the cluster",
    "User name",
    "Name of the cluster in gate-sync.yaml",
    "Folder for the state files",
    "Jobs for github",
  ]);
});

test("asks nothing that flags and the environment say", async () => {
  const { io, asked } = terminalOf([], { GATE_SYNC_USERNAME: "ci" });
  const all: InitFlags = { ...flags, url: ["https://a"], name: "x", out: "y/", ci: "none" };
  expect(await askForInit(io, all)).toEqual({ flags: all, name: "x", folder: "y", forge: undefined });
  expect(asked).toEqual([]);
});

test.each<[lines: readonly string[], what: RegExp]>([
  [["", "", "", "", ""], /No server is named/],
  [["https://a", "ci"], /not answered/],
  [["https://a", "ci", "a b", "", ""], /"a b" cannot be the name/],
  [["https://a", "ci", "", "", "gitbub"], /no jobs for "gitbub"/],
])("of %j is no repository made", async (lines, what) => {
  await expect(askForInit(terminalOf(lines).io, flags)).rejects.toThrow(what);
});
