// A saved plan that is applied at any time: it never writes after a rollback or a change of the files, and is called applied
// only where the newest run is its own and the server holds all of it.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, onHarness } from "../cli/harness.ts";
import { type Random, randomFrom } from "../fixtures/random.ts";
import { everyNth } from "../support/extent.ts";
import { seed, seeds } from "./seed.ts";

/** Descriptions by name; of what is not there, undefined. */
type Held = Readonly<Record<string, string | undefined>>;

const names = ["a", "b"] as const;
/** What was made by hand is deleted, too. */
const allowed = "--allow deletions --allow not-ours";
const values = [undefined, "one", "two"] as const;

interface Changed {
  readonly before: Held;
  readonly after: Held;
}

interface Saved extends Changed {
  /** How many runs were on record when it was made. */
  readonly runs: number;
}

interface Fixture {
  readonly harness: Harness;
  readonly random: Random;
  readonly runs: (Changed & { readonly command: string })[];
  files: Held;
  saved?: Saved;
}

async function readServer({ url }: Harness): Promise<Held> {
  const held = (await (await fetch(`${url}/_gate/api/tenants`)).json()) as Record<string, { description?: string }>;
  return Object.fromEntries(names.map((name) => [name, held[name]?.description]));
}

function changedNames({ before, after }: Changed): readonly string[] {
  return names.filter((name) => before[name] !== after[name]);
}

function drawValues(random: Random): Held {
  return Object.fromEntries(names.map((name) => [name, random.pick(values)]));
}

/** A run counts once its journal is there; what it changed is seen on the server. */
async function run({ harness, runs }: Fixture, line: string) {
  const journals = () => {
    try {
      return readdirSync(join(harness.folder, ".gate-sync/journal")).length;
    } catch {
      return 0;
    }
  };
  const [before, known, sent] = [await readServer(harness), journals(), harness.writes().length];
  const { code, stdout, stderr } = await harness.run(line);
  const after = await readServer(harness);
  if (journals() > known) runs.push({ command: line.split(" ")[0] ?? "", before, after });
  return { code, text: stdout + stderr, writes: harness.writes().length > sent, after };
}

const steps = {
  files(fixture: Fixture) {
    fixture.files = drawValues(fixture.random);
    const entries = names.filter((name) => fixture.files[name] !== undefined);
    const tenants = Object.fromEntries(entries.map((name) => [name, { description: fixture.files[name] }]));
    writeFileSync(join(fixture.harness.folder, "access/a.yml"), JSON.stringify({ tenants }));
  },
  async plan(fixture: Fixture) {
    const before = await readServer(fixture.harness);
    const { code, text } = await run(fixture, `plan --out plan.json --quiet ${allowed}`);
    if (code !== 0) throw new Error(text);
    fixture.saved = { before, after: fixture.files, runs: fixture.runs.length };
  },
  async byHand({ harness, random }: Fixture) {
    const [name, description] = [random.pick(names), random.pick(values)];
    const sent = description === undefined ? {} : { body: JSON.stringify({ description }) };
    await fetch(`${harness.url}/_gate/api/tenants/${name}`, {
      method: description === undefined ? "DELETE" : "PUT",
      headers: { "content-type": "application/json" },
      ...sent,
    });
  },
  async apply(fixture: Fixture) {
    await run(fixture, `apply --yes ${allowed}`);
  },
  async rollback(fixture: Fixture) {
    await run(fixture, "rollback --yes --allow deletions");
  },
  async again(fixture: Fixture) {
    if (!fixture.saved) return;
    const wanted = expected(fixture, fixture.saved, await readServer(fixture.harness));
    const { code, text, writes, after } = await run(fixture, "apply plan.json");
    const isCalledApplied = text.includes("is applied already");
    expect({ code, writes, isCalledApplied }, text).toEqual(wanted);
    const { saved } = fixture;
    if (writes) expect(changedNames(saved).filter((name) => after[name] !== saved.after[name])).toEqual([]);
  },
};

/** From the rules alone. */
function expected({ files, runs }: Fixture, saved: Saved, server: Held) {
  const changed = changedNames(saved);
  const isSame = (one: Held, other: Held) => changed.every((name) => one[name] === other[name]);
  const isIts = (one: Fixture["runs"][number]) =>
    one.command === "apply" &&
    changedNames(one).join() === changed.join() &&
    isSame(one.before, saved.before) &&
    isSame(one.after, saved.after);
  const last = runs.findLastIndex(isIts);
  const wroteThere = runs.some(
    (one, at) => last >= 0 && at > last && at >= saved.runs && changedNames(one).some((name) => changed.includes(name)),
  );
  const [stale, applied] = [
    { code: 5, writes: false, isCalledApplied: false },
    { code: 0, writes: false, isCalledApplied: true },
  ];
  if (changed.length === 0) return { ...applied, isCalledApplied: false };
  if (wroteThere || !isSame(files, saved.after)) return stale;
  if (isSame(server, saved.before)) return { code: 0, writes: true, isCalledApplied: false };
  return isSame(server, saved.after) && last >= 0 && last === runs.length - 1 ? applied : stale;
}

async function play(at: number): Promise<void> {
  const random = randomFrom(at);
  const files = { "access/a.yml": "tenants: {}\n" };
  await onHarness({ files, state: { tenants: { a: { description: "one" } } } }, async (harness) => {
    writeFileSync(
      join(harness.folder, "gate-sync.yaml"),
      `targets: { prod: { url: "${harness.url}", product: gate, state: [access] } }\n`,
    );
    const fixture: Fixture = { harness, random, runs: [], files: {} };
    steps.files(fixture);
    await steps.plan(fixture);
    for (let step = 0; step < 10; step++) {
      await steps[random.pick(["again", "again", "again", "rollback", "apply", "byHand", "files", "plan"] as const)](
        fixture,
      );
    }
  });
}

test.for(everyNth(4, seeds(32)))(`seed ${seed}: fixture %i`, { timeout: 120_000 }, (at) => play(at));
