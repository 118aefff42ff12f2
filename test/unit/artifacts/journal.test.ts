// Journals as they lie on the disk: what is left of one that was cut at any byte, and which is the newest.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeArtifact } from "../../../src/artifacts/artifact.ts";
import { createJournalFile, findLastRun, parseJournal } from "../../../src/artifacts/journal/file.ts";
import { parseKnownRun } from "../../../src/artifacts/journal/known-run.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import type { Artifact } from "../../../src/model/artifact.ts";
import type { JournalRecord, PlanRecord, RunBeginning } from "../../../src/model/journal.ts";
import { inFolder } from "../../support/command.ts";
import { forge } from "../../support/forge.ts";

const server = { product: "gate", release: "7.x-43.0.0" } as const;
const here = { name: "prod", url: "http://127.0.0.1:9200" };

function begin(time: string, target: Partial<typeof here> = {}): Artifact<RunBeginning> {
  return { target: { ...here, ...target, server }, body: { time, run: "abcd1234", command: "apply" } };
}

function written(beginning: Artifact<RunBeginning>, ...records: readonly JournalRecord[]): string {
  return encodeArtifact("journal", beginning) + records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const [monday, tuesday] = ["2026-03-02T08:15:00.000Z", "2026-03-03T08:15:00.000Z"];
const one = { method: "PUT", path: "/t", addresses: ["tenants/é€😀"] } as const;
const two = { method: "PATCH", path: "/r", addresses: ["roles/a", "roles/b"] } as const;
const plan: PlanRecord = {
  record: "plan",
  time: monday,
  fingerprint: "0",
  operations: [one, two],
  changes: [],
  waived: [{ rule: "wildcard", addresses: ["roles/a"] }],
  declared: ["roles"],
  desired: [],
  scope: { of: "all" },
};
const sent = (operation: number, what: typeof one | typeof two): readonly JournalRecord[] => [
  { record: "intention", time: monday, run: "abcd1234", operation, attempt: 1, ...what },
  { record: "answer", time: monday, operation, status: 200 },
  { record: "outcome", time: monday, operation, outcome: "done" },
];
const end = { record: "end", time: monday, interrupted: false, verified: true, differing: [] } as const;
const records: readonly JournalRecord[] = [plan, ...sent(1, one), ...sent(2, two), end];
const text = written(begin(monday), ...records);
const whole = text.split("\n").filter((line) => line !== "");

/** What became of each address, in a word, by how many of the lines are there. */
const known: readonly (string | undefined)[] = [
  undefined,
  undefined,
  "killed: not-attempted, not-attempted, not-attempted",
  "killed: unknown, not-attempted, not-attempted",
  "killed: unknown, not-attempted, not-attempted",
  "killed: done, not-attempted, not-attempted",
  "killed: done, unknown, unknown",
  "killed: done, unknown, unknown",
  "killed: done, done, done",
  "ended: done, done, done",
];

const without = (field: string) => (line: string) => JSON.stringify({ ...JSON.parse(line), [field]: undefined });
const having = (fields: object) => (line: string) => JSON.stringify({ ...JSON.parse(line), ...fields });
const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
const inDesired = (entry: object) => having({ desired: [{ family: "roles", name: "a", value: {}, ...entry }] });

const inBody = (fields: object) => (line: string) =>
  forge(line, (json) => JSON.stringify({ ...JSON.parse(json), body: { ...JSON.parse(json).body, ...fields } })).trim();
const inTarget = (fields: object) => (line: string) =>
  forge(line, (json) => JSON.stringify({ ...JSON.parse(json), targets: [{ ...here, server, ...fields }] })).trim();

/** JSON, and none of ours. */
const misshapen: readonly (readonly [string, JournalRecord["record"] | "begin", (line: string) => string])[] = [
  ["a bare plan", "plan", () => '{"record":"plan"}'],
  ["a list", "plan", () => "[]"],
  ["another record", "plan", having({ record: "constructor" })],
  ["no operations", "plan", without("operations")],
  ["an operation without addresses", "plan", having({ operations: [{ method: "PUT", path: "/" }] })],
  ["an address of no family", "plan", having({ operations: [{ ...one, addresses: ["nofamily"] }] })],
  ["no scope", "plan", without("scope")],
  ["half a scope", "plan", having({ scope: { of: "changes" } })],
  ["nothing desired", "plan", having({ desired: null })],
  ["a value that is none", "plan", inDesired({ value: 7 })],
  ["a value too deep", "plan", (line) => inDesired({ value: { a: 0 } })(line).replace('{"a":0}', deep)],
  ["no changes", "plan", having({ changes: null })],
  [
    "digests that are no list",
    "plan",
    having({ changes: [{ family: "roles", name: "a", action: "update", intermediate: "x" }] }),
  ],
  ["an unknown family", "plan", having({ declared: ["nope"] })],
  ["something waived without its rule", "plan", having({ waived: [{ addresses: [] }] })],
  ["a time that is a number", "begin", inBody({ time: 5 })],
  ["a time that is none", "begin", inBody({ time: "\u001b[31mX" })],
  ["another version", "begin", having({ format_version: 2 })],
  ["a server without a release", "begin", inTarget({ server: { ...server, release: {} } })],
  ["an unknown server", "begin", inTarget({ server: { ...server, product: "x" } })],
  ["an operation that is no number", "intention", having({ operation: "length" })],
  ["a status that is none", "answer", having({ status: {} })],
  ["an outcome that is none", "outcome", having({ outcome: "\u001b[31m" })],
  ["a detail that is no text", "outcome", having({ detail: {} })],
  ["no list of what differs", "end", having({ differing: null })],
];

function parsed(journal: string) {
  try {
    return parseJournal("j", journal);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return undefined;
  }
}

function wordsOf(found: ReturnType<typeof parsed>): string | undefined {
  const run = found && parseKnownRun(found);
  return run && `${run.ending}: ${[...run.changeOutcomes.values()].map(({ kind }) => kind).join(", ")}`;
}

describe("a journal", () => {
  test("cut at any byte says what the whole records before it say", () => {
    const bytes = Buffer.from(text);
    const wrong: number[] = [];
    for (let cut = 0; cut <= bytes.length; cut++) {
      // An unpaired surrogate becomes one that represents it; a line that only lacks its newline is whole.
      const left = bytes.subarray(0, cut).toString("utf8");
      const count = whole.filter((line) => left.includes(line)).length;
      const found = parsed(left);
      if (wordsOf(found) !== known[count] || found?.damaged) wrong.push(cut);
    }
    expect(wrong).toEqual([]);
  });

  test.for(whole.map((_, at) => at).slice(2, -1))(
    "with line %i corrupt calls unknown what may have come after it",
    (at, { expect }) => {
      const lines = text.split("\n");
      const corrupt = [...lines.slice(0, at), '{"record":"outcome","oper', ...lines.slice(at + 1)].join("\n");
      const found = parsed(corrupt);
      expect(found?.damaged).toBe(true);
      expect(wordsOf(found)).toBe(known[at]?.replaceAll("not-attempted", "unknown"));
    },
  );

  test.for(misshapen)("calls a line corrupt that is no record: %s", ([, of, spoil], { expect }) => {
    const at = 1 + records.findIndex(({ record }) => record === of);
    const lines = text.split("\n");
    const corrupt = lines.map((line, each) => (each === at ? spoil(line) : line)).join("\n");
    expect(corrupt).not.toBe(text);
    expect(() => JSON.parse(corrupt.split("\n")[at] ?? "")).not.toThrow();
    const found = parsed(corrupt);
    expect(found?.records.length).toBe(at === 0 ? undefined : at - 1);
    if (at > 0) expect(found?.damaged).toBe(true);
  });

  test("whose last line is whole and no record is corrupt too", () => {
    const found = parsed(`${text.split("\n").slice(0, 2).join("\n")}\n{"record":"intention"}\n`);
    expect(wordsOf(found)).toBe("killed: unknown, unknown, unknown");
  });

  test("of a run that planned again knows what was done before, and what the new plan is about", () => {
    const refused: JournalRecord = { record: "outcome", time: monday, operation: 2, outcome: "failed", detail: "405" };
    const lone = { method: "PUT", path: "/r/a", addresses: ["roles/a"] } as const;
    const again = { ...plan, operations: [lone, { ...lone, path: "/r/b", addresses: ["roles/b"] }] };
    const all = [...records.slice(0, 5), refused, again, ...sent(1, two).slice(0, 1)];
    const found = parsed(written(begin(monday), ...all));
    expect(wordsOf(found)).toBe("killed: done, unknown, not-attempted");
  });

  test("of a run whose writes were not there when they were read back calls them unknown", () => {
    const found = parsed(text.replace('"differing":[]', '"differing":["roles/b"]'));
    expect(wordsOf(found)).toBe("ended: done, done, unknown");
  });

  test("is for its owner alone, line by line as it is written, and never overwritten", () =>
    inFolder({}, async (folder) => {
      for (const _ of [1, 2]) {
        const file = await createJournalFile(join(folder, "own"), begin(monday), [plan]);
        for (const record of records.slice(1)) await file.append(record);
        await file.close();
        expect(readFileSync(file.path, "utf8")).toBe(text);
        expect(statSync(file.path).mode & 0o777).toBe(0o600);
      }
      const name = "20260302T081500.000Z-prod";
      expect(readdirSync(join(folder, "own/journal")).sort()).toEqual([`${name}-2.jsonl`, `${name}.jsonl`]);
      expect(readdirSync(join(folder, "own")).sort()).toEqual([".gitignore", "journal"]);
    }));

  test("is the newest of its target, and one that was never begun does not count", () =>
    inFolder({}, async (folder) => {
      const place = (file: string) => join(folder, "journal", `${file}.jsonl`);
      mkdirSync(join(folder, "journal"));
      const write = (file: string, ...all: Parameters<typeof written>) => writeFileSync(place(file), written(...all));
      write("1", begin(monday), plan);
      write("2", begin(tuesday), plan);
      write("3", begin(tuesday, { name: "dev" }), plan);
      write("4", begin(tuesday, { url: "http://other" }), plan);
      write("5", begin(tuesday));
      writeFileSync(place("6"), '{"format":"gate-sy');
      writeFileSync(place("7"), "");
      // Nothing was sent before its plan was on the disk.
      writeFileSync(place("8"), `${written(begin(tuesday))}{"record":"plan"}\n`);
      expect(await findLastRun(folder, here, {})).toMatchObject({ name: "2" });
      expect(await findLastRun(folder, { ...here, name: "dev" }, {})).toMatchObject({ name: "3" });
      expect(await findLastRun(folder, { ...here, name: "none" }, {})).toBeUndefined();
    }));

  test("that goes on behind a plan that cannot be read counts, and no older one in its place", () =>
    inFolder({}, async (folder) => {
      mkdirSync(join(folder, "journal"));
      writeFileSync(join(folder, "journal/1.jsonl"), text);
      const [first, , ...rest] = text.split("\n");
      writeFileSync(join(folder, "journal/2.jsonl"), [first, '{"record":"plan"}', ...rest].join("\n"));
      const found = await findLastRun(folder, here, {});
      expect(found).toMatchObject({ name: "2", begin: { command: "apply" } });
      expect(found?.plan).toBeUndefined();
    }));

  test("that cannot be begun is a message", () =>
    inFolder({ journal: "" }, async (folder) => {
      await expect(createJournalFile(folder, begin(monday), [plan])).rejects.toMatchObject({
        kind: "failed",
        userMessage: { why: expect.stringContaining("nothing was sent") },
      });
    }));
});
