// What is left of a run that was killed, cut off or out of disk: gate-sync status reports it, and apply finishes it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { everyNth, isFull } from "../support/extent.ts";
import { forgeJournal } from "../support/forge.ts";
import { holdAnswer } from "../support/held.ts";
import { type Harness, onHarness } from "./harness.ts";

const schema = JSON.parse(readFileSync(new URL("../../schemas/status.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020.default({ strict: false, allErrors: true });
const faults = fileURLToPath(new URL("../support/journal-faults.mjs", import.meta.url));

const support = "tenants:\n  support: { description: First line }\n";
const two = "roles:\n  a: { cluster_permissions: ['c:1'] }\n  b: { cluster_permissions: ['c:1'] }\n";
const files = { "access/tenants.yml": support, "access/roles.yml": two };
const tenant = "PUT /_gate/api/tenants/support";
const roles = "PATCH /_gate/api/roles";

interface Explained {
  readonly unfinished: boolean;
  readonly run?: { readonly ending: string; readonly summary: Readonly<Record<string, number>> };
  readonly entries: readonly { readonly address: string; readonly outcome: string; readonly found: string }[];
}

/** Without a process of its own. */
function within({ folder, url }: Pick<Harness, "folder" | "url">, line: string) {
  const words = line.split(" ").map((word) => (word === "URL" ? url : word));
  return gateSyncWithin(words, { cwd: folder });
}

async function statusOf(harness: Pick<Harness, "folder" | "url">) {
  const { code, stdout } = await within(harness, "status --url URL --format json");
  const explained = JSON.parse(stdout) as Explained;
  ajv.validate(schema, explained);
  expect(ajv.errors ?? []).toEqual([]);
  const entries = explained.entries.map(({ address, outcome, found }) => `${address} ${outcome}: ${found}`);
  return { code, ending: explained.run?.ending, entries };
}

/** What happens to a journal after so many bytes. */
function fault(kind: "kill" | "full", bytes: number) {
  return { NODE_OPTIONS: `--import=${faults}`, JOURNAL_FAULT: kind, JOURNAL_BYTES: String(bytes) };
}

function journalIn(folder: string): string {
  const [first = ""] = readdirSync(join(folder, ".gate-sync/journal"));
  return readFileSync(join(folder, ".gate-sync/journal", first), "utf8");
}

/** The journal of a run that nothing disturbs; times and ids are as long in every other. */
async function wholeJournal(): Promise<string> {
  let journal = "";
  await onHarness({ files, spawned: true }, async (harness) => {
    expect(await harness.run("apply --yes --url URL access")).toMatchObject({ code: 0 });
    journal = journalIn(harness.folder);
  });
  return journal;
}

const whole = await wholeJournal();
const lines = whole.trimEnd().split("\n");
const kinds = lines.map((line) => (JSON.parse(line).record ?? "begin") as string);
/** Bytes up to the end of each record. */
const ends = lines.map((_, at) => Buffer.byteLength(lines.slice(0, at + 1).join("\n")) + 1);
/** Bytes with which the program is killed: none, each record whole, and some in between; in CI many. */
const cuts = [
  0,
  ...ends.slice(1),
  ...ends.slice(1).map((end, at) => end - 1 - (at % 3)),
  ...(isFull ? Array.from({ length: Math.floor(whole.length / 100) }, (_, at) => 100 * at + 7) : []),
];

test("a journal says what was waived for its run", () =>
  onHarness({ files, state: { tenants: { a: {}, b: {}, c: {}, d: {} } } }, async ({ run, folder }) => {
    expect((await run("apply --yes --url URL --allow deletions access")).code).toBe(0);
    const plan = JSON.parse(journalIn(folder).split("\n")[1] ?? "");
    const addresses = ["tenants/a", "tenants/b", "tenants/c", "tenants/d"];
    expect(plan.waived).toEqual([{ rule: "deletions", addresses }]);
  }));

test("a journal has a record before and after each request, synced in this order", () => {
  const request = ["intention", "answer", "outcome"];
  expect(kinds).toEqual(["begin", "plan", ...request, ...request, "end"]);
});

describe.concurrent("killed with so many bytes of its journal on the disk", () => {
  test.for(everyNth(6, cuts))("%i", (bytes, { expect }) =>
    onHarness({ files, spawned: true }, async (harness) => {
      const { run, emulator, writes } = harness;
      const killed = await run("apply --yes --url URL access", fault("kill", bytes));
      expect(killed.code).toBeUndefined();
      // What is on record goes before what is sent, never after it.
      const reached = kinds.filter((kind, at) => kind === "intention" && (ends[at] ?? 0) <= bytes).length;
      const answered = kinds.filter((kind, at) => kind === "answer" && (ends[at - 1] ?? 0) < bytes).length;
      expect(writes().length).toBeLessThanOrEqual(reached);
      expect(writes().length).toBeGreaterThanOrEqual(Math.min(answered, reached));

      // A record that only lacks its newline is whole.
      const isPlanned = bytes >= (ends[1] ?? 0) - 1;
      const isEnded = bytes >= whole.length - 1;
      const { ending, entries, code } = await statusOf(harness);
      const { tenants, roles: found } = emulator.state();
      const there = new Set([...tenants.keys(), ...found.keys()]);
      const left = ["tenants/support", "roles/a", "roles/b"].filter(
        (address) => !there.has(address.split("/")[1] ?? ""),
      );
      if (isPlanned) {
        expect(ending).toBe(isEnded ? "ended" : "killed");
        // Nothing that is not there is called done, and what took effect is known.
        const open = entries.filter((entry) => !entry.endsWith("as-wanted"));
        expect(open.map((entry) => entry.split(" ")[0])).toEqual(left);
        expect(open.filter((entry) => !entry.endsWith(": as-before"))).toEqual([]);
        expect(code).toBe(left.length > 0 ? 2 : 0);
      } else expect({ code, left: left.length }).toEqual({ code: 0, left: 3 });

      const again = await within(harness, "apply --yes --url URL access");
      expect(again).toMatchObject({ code: 0 });
      const explained = /^The last apply here \([-0-9: ]+ UTC\) was killed or is still running: /.test(again.stderr);
      expect(explained).toBe(isPlanned && !isEnded);
      expect(await statusOf(harness)).toEqual({ code: 0, ending: "ended", entries: [] });
      expect((await within(harness, "apply --yes --url URL access")).stderr).toBe("");
    }),
  );
});

test("killed while an answer is awaited: the request is unknown, and what the server holds decides", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    const server = await holdAnswer(harness.url, tenant);
    const through = { ...harness, url: server.url };
    try {
      const running = harness.start(`apply --yes --url ${server.url} access`);
      await server.held;
      running.child.kill("SIGKILL");
      await running.ended;
      server.release();
      const text = await within(through, "status --url URL");
      expect(text.code).toBe(2);
      expect(
        text.stdout
          .slice(text.stdout.indexOf("changes "))
          .replace(/20\d+T[\d.]+Z/g, "TIME")
          .split("\n"),
      ).toEqual([
        "changes   1 unknown, 2 not attempted",
        "journal   TIME-127.0.0.1",
        "backup    TIME-127.0.0.1",
        "",
        `  tenants/support${" ".repeat(49)}unknown`,
        "      it took effect",
        `  roles/a${" ".repeat(57)}not attempted`,
        `  roles/b${" ".repeat(57)}not attempted`,
        "      each of these 2: as it was before",
        "",
        "Something is left open. Run gate-sync apply again: it reads the server first and",
        "finishes.",
        "",
      ]);
      const again = await within(through, "apply --yes --url URL access");
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("2 created.") });
      expect(harness.writes()).toEqual([tenant, roles]);
    } finally {
      await server.close();
    }
  }));

test("another writer changed meanwhile what is unknown", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await harness.run("apply --yes --url URL access", fault("kill", ends[2] ?? 0));
    harness.emulator.replaceState({ tenants: { support: { description: "Another" } } });
    expect(await statusOf(harness)).toMatchObject({
      code: 2,
      entries: [
        "tenants/support unknown: otherwise",
        "roles/a not-attempted: as-before",
        "roles/b not-attempted: as-before",
      ],
    });
  }));

test("of a reviewed plan, it says to plan again", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await within(harness, "plan --url URL access --out plan.json");
    await harness.run("apply --url URL plan.json", fault("kill", ends[3] ?? 0));
    const { code, stdout } = await within(harness, "status --url URL");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^plan {6}[0-9a-f]{32} \(a saved plan\)$/m);
    expect(stdout.replace(/\s+/g, " ")).toContain("plan again with gate-sync plan --out");
    const again = await within(harness, "apply --url URL plan.json");
    expect(again).toMatchObject({ code: 5, stderr: expect.stringMatching(/^The last apply here /) });
    expect(await within(harness, "apply --yes --url URL access")).toMatchObject({ code: 0 });
    expect(await statusOf(harness)).toMatchObject({ code: 0, ending: "ended" });
  }));

test("of another cluster at the same URL, it says nothing", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await harness.run("apply --yes --url URL access", fault("kill", ends[2] ?? 0));
    const folder = join(harness.folder, ".gate-sync/journal");
    const [name = ""] = readdirSync(folder);
    const text = readFileSync(join(folder, name), "utf8");
    writeFileSync(
      join(folder, name),
      forgeJournal(text, (line) => line.replace(/"cluster_uuid":"[^"]*"/, '"cluster_uuid":"another"')),
    );
    const { code, stderr } = await within(harness, "status --url URL");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is of another cluster") });
    expect(await statusOf(harness)).toMatchObject({
      entries: expect.arrayContaining(["roles/a not-attempted: not-read"]),
    });
  }));

test("what is known is shown although the server is away", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await harness.run("apply --yes --url URL access", fault("kill", ends[2] ?? 0));
    harness.emulator.fault = () => ({ at: "before", answer: { status: 404, body: "<html>" } });
    const { code, stdout, stderr } = await within(harness, "status --url URL");
    expect(code).toBe(1);
    expect(stdout).toContain("1 unknown, 2 not attempted");
    expect(stdout).toContain("The server could not be asked.");
    expect(stderr).toMatch(/^! /);
    const applied = await within(harness, "apply --yes --url URL access");
    expect(applied).toMatchObject({ code: 1, stderr: expect.stringMatching(/or is still\s+running: 1\s+unknown/) });
  }));

test("interrupted and recorded as such, a run has ended", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    const server = await holdAnswer(harness.url, tenant);
    try {
      const running = harness.start(`apply --yes --url ${server.url} access`);
      await server.held;
      running.child.kill("SIGINT");
      await running.reported("Finishing the request in flight");
      server.release();
      expect((await running.ended).code).toBe(6);
      expect(await statusOf({ ...harness, url: server.url })).toEqual({
        code: 2,
        ending: "interrupted",
        entries: ["roles/a not-attempted: as-before", "roles/b not-attempted: as-before"],
      });
    } finally {
      await server.close();
    }
  }));

describe("a journal that cannot be written", () => {
  test("from the beginning: nothing is sent", () =>
    onHarness({ files, spawned: true }, async ({ folder, url, writes }) => {
      mkdirSync(join(folder, ".gate-sync"));
      writeFileSync(join(folder, ".gate-sync/journal"), "");
      const { code, stderr } = await within({ folder, url }, "apply --yes --url URL access");
      expect({ code, writes: writes() }).toEqual({ code: 64, writes: [] });
      expect(stderr).toMatch(/^! The journal in .* cannot be read/s);
    }));

  test("before the second request: the first is done, nothing more is sent, and that is reported", () =>
    onHarness({ files, spawned: true }, async ({ run, writes, folder, url }) => {
      const { code, stdout, stderr } = await run("apply --yes --url URL access", fault("full", (ends[4] ?? 0) + 5));
      expect({ code, writes: writes() }).toEqual({ code: 6, writes: [tenant] });
      expect(stdout).toMatch(/1\/2 {2}PUT +tenant support +done/);
      expect(stdout.replace(/\s+/g, " ")).toContain("The journal cannot be written any more, so nothing was sent.");
      expect(stderr).toContain("ENOSPC");
      expect(await within({ folder, url }, "apply --yes --url URL access")).toMatchObject({ code: 0 });
    }));

  test("before the first request: nothing was sent", () =>
    onHarness({ files, spawned: true }, async ({ run, writes }) => {
      const { code } = await run("apply --yes --url URL access", fault("full", (ends[1] ?? 0) + 5));
      expect({ code, writes: writes() }).toEqual({ code: 1, writes: [] });
    }));

  test("after the last answer: all is done, and reported as done", () =>
    onHarness({ files, spawned: true }, async ({ run, folder, url }) => {
      const { code, stdout, stderr } = await run("apply --yes --url URL access", fault("full", (ends[6] ?? 0) + 5));
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("3 created.") });
      expect(stderr).toContain("! The journal could not be written to its end.");
      expect(await statusOf({ folder, url })).toMatchObject({ code: 0, ending: "killed" });
    }));
});

test("with a plan that cannot be read, it is reported as begun and unknown until another run has looked", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await within(harness, "apply --yes --url URL access");
    const folder = join(harness.folder, ".gate-sync/journal");
    const [name = ""] = readdirSync(folder);
    // An older one that is whole says nothing of the last run.
    const here = (journal: string) => forgeJournal(journal, (line) => line.replaceAll(/http:[^"]*/g, harness.url));
    writeFileSync(join(folder, "1.jsonl"), here(whole));
    writeFileSync(join(folder, name), here([lines[0], '{"record":"plan"}', ...lines.slice(2), ""].join("\n")));
    const { code, stdout } = await within(harness, "status --url URL");
    expect(code).toBe(2);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "What it did cannot be read: a line of its journal is damaged. Run gate-sync apply again",
    );
    const json = await within(harness, "status --url URL --format json");
    const explained = JSON.parse(json.stdout);
    expect({ code: json.code, valid: ajv.validate(schema, explained) }).toEqual({ code: 2, valid: true });
    expect(explained).toMatchObject({
      unfinished: true,
      unreadable: { journal: name.replace(".jsonl", ""), command: "apply" },
    });
    expect(explained.run).toBeUndefined();
    const drift = await within(harness, "drift --url URL access");
    expect(drift.stdout.replace(/\s+/g, " ")).toContain("left a journal that cannot be read: it is no baseline");
    const again = await within(harness, "apply --yes --url URL access");
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("left a journal that cannot be") });
    expect(await statusOf(harness)).toEqual({ code: 0, ending: "ended", entries: [] });
  }));

test("without a journal nothing is known, and nothing is wrong", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    expect(await statusOf(harness)).toEqual({ code: 0, ending: undefined, entries: [] });
    expect(readdirSync(harness.folder)).toEqual(["access"]);
  }));

test("a rollback is on record too, and holds nothing of what it leaves alone", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await within(harness, "apply --yes --url URL access");
    const state = harness.emulator.state();
    const other = { cluster_permissions: ["Canary"] };
    harness.emulator.replaceState({ ...state, roles: new Map([...state.roles, ["other", other]]) });
    await within(harness, "rollback --yes --url URL --allow deletions");
    const [, second = ""] = readdirSync(join(harness.folder, ".gate-sync/journal"));
    const journal = readFileSync(join(harness.folder, ".gate-sync/journal", second), "utf8");
    expect(journal).toMatch(/"command":"rollback"/);
    expect(journal).not.toContain("Canary");
    expect((await within(harness, "status --url URL")).stdout).toMatch(
      /last run {2}rollback of .*\nended .*\nplan .*\nchanges {3}3 done\n/,
    );
  }));

test("after the address of a target was changed, the journals of the old one are mentioned", () =>
  onHarness({ files, spawned: true }, async (harness) => {
    await within(harness, "apply --yes --url URL access");
    const moved = await within(harness, "status --url http://127.0.0.1:1");
    expect(moved.code).toBe(0);
    expect(moved.stdout.replace(/\s+/g, " ")).toContain(`a target of this name at another URL: ${harness.url}.`);
    expect((await within(harness, "status --url http://localhost:1")).stdout).not.toContain("another URL");
  }));
