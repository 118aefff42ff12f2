// Whichever request fails, in whatever way: no write is repeated blindly, what is reported is true, and running again converges.
import { expect, test } from "vitest";
import {
  type Emulator,
  type EmulatorOptions,
  type FaultAnswer,
  type FaultCase,
  startEmulator,
} from "../../src/emulator/index.ts";
import type { DecidedPlan, Operation, Report } from "../../src/index.ts";
import { generateFixture, smallFixtures } from "../fixtures/index.ts";
import { everyNth } from "../support/extent.ts";
import { license } from "../support/license.ts";
import { applyPlan, filesOf, openWorkspace, type Workspace } from "../support/workspace.ts";
import { type Licensed, type Raw, rawOf, stage, wrongs } from "./oracle.ts";
import { seed } from "./seed.ts";

/** One fault: to which operation of the plan, whether it takes effect all the same, what is answered, how often. */
interface InjectedFault {
  readonly index: number;
  readonly at: "before" | "after";
  readonly answer: FaultAnswer;
  readonly times: number;
  /** Whether from then on nothing can be read either. */
  readonly blind?: boolean;
}

/** `empty` and `not-json` replace the answer that all is well. */
const once: readonly FaultAnswer[] = [{ status: 500 }, { status: 409 }, "reset", "truncate", "empty", "not-json"];
const always: readonly FaultAnswer[] = [{ status: 503, body: "busy" }, "reset"];

function mishapsOf(operations: number): InjectedFault[] {
  const indices = Array.from({ length: operations }, (_, index) => index);
  return indices.flatMap((index) =>
    (["before", "after"] as const).flatMap((at) => [
      ...once.map((answer) => ({ index, at, answer, times: 1 })),
      ...always.map((answer) => ({ index, at, answer, times: Number.POSITIVE_INFINITY })),
      { index, at, answer: "reset" as const, times: 1, blind: true },
    ]),
  );
}

async function brokenProperties(
  fixture: Licensed,
  injectedFault: InjectedFault,
  emulator: Emulator,
  workspace: Workspace,
): Promise<string[]> {
  const before = stage(fixture, emulator);
  const planned = await workspace.plan(emulator.url);
  const target = planned.plan.operations[injectedFault.index];
  if (!target) return [];
  const requests: FaultCase[] = [];
  let left = injectedFault.times;
  emulator.fault = (request) => {
    requests.push(request);
    const isMeant = request.method === target.method && request.path === target.path;
    if (isMeant && left-- > 0) return injectedFault;
    return injectedFault.blind && left < injectedFault.times ? { at: "before", answer: { status: 503 } } : undefined;
  };
  const report = await applyPlan(impatient(planned));
  emulator.fault = () => undefined;
  const afterwards = rawOf(emulator);

  const again = await workspace.plan(emulator.url);
  await applyPlan(again);
  const third = await workspace.plan(emulator.url);
  return [
    ...blindRepetitions(requests),
    ...untruths(fixture, injectedFault, report, before, afterwards),
    ...wrongs(fixture, before, rawOf(emulator)).map((wrong) => `after running again: ${wrong}`),
    ...third.plan.operations.map(({ method, path }) => `after running again, still to do: ${method} ${path}`),
  ];
}

/** Gives up a write after a few looks: each of them costs this test real time. */
function impatient(planned: DecidedPlan): DecidedPlan {
  return { ...planned, target: { ...planned.target, timeouts: { write: 5_000 } } };
}

/** The same write twice with no look at the family in between. */
function blindRepetitions(requests: readonly FaultCase[]): string[] {
  return requests.flatMap((request, index) => {
    const since = requests.slice(0, index).findLastIndex((other) => isSameWrite(request, other));
    if (request.method === "GET" || since === -1) return [];
    const looked = requests.slice(since + 1, index).some(({ method, path }) => {
      return method === "GET" && collectionIn(path) === collectionIn(request.path);
    });
    return looked ? [] : [`sent again without looking: ${request.method} ${request.path}`];
  });
}

function isSameWrite(a: FaultCase, b: FaultCase): boolean {
  return a.method === b.method && a.path === b.path && a.body === b.body;
}

function collectionIn(path: string): string | undefined {
  return path.split("/")[3];
}

/** What the report says against what the server holds. */
function untruths(fixture: Licensed, injectedFault: InjectedFault, report: Report, before: Raw, now: Raw): string[] {
  const open = wrongs(fixture, before, now);
  const untouched = new Set(wrongs(fixture, before, before));
  const mentions = ({ family, names }: Operation, wrong: string) =>
    family === "config"
      ? wrong.startsWith("config ") && !wrong.startsWith("config license")
      : family === "license"
        ? wrong.startsWith("config license")
        : names.some((name) => wrong.startsWith(`${family}/${name}: `));
  // That a server lies is found by reading back, when all is done.
  const lied =
    injectedFault.at === "before" && (injectedFault.answer === "empty" || injectedFault.answer === "not-json");
  return [
    ...(report.verified === undefined && lied ? ["a lie that is not found"] : []),
    ...(report.verified === true ? open.map((wrong) => `verified, but ${wrong}`) : []),
    ...(report.verified === false && open.length === 0 ? ["not verified, though all is well"] : []),
    ...report.outcomes.flatMap(({ kind, operation }) => {
      const wrong = open.filter((line) => mentions(operation, line));
      const what = `${operation.method} ${operation.path} is called ${kind}`;
      if (kind === "done") return wrong.length > 0 && !lied ? [`${what}, but ${wrong}`] : [];
      if (kind === "unknown") return [];
      const was = [...untouched].filter((line) => mentions(operation, line));
      return was.every((line) => wrong.includes(line)) ? [] : [`${what}, but the server took it`];
    }),
  ];
}

type Setting = Partial<EmulatorOptions>;

/** Every fault to every operation of every fixture, so many at once, as most of the time goes by in pauses. */
const crew = 48;

async function check(fixtures: readonly Licensed[], setting: Setting = {}) {
  const jobs = (await Promise.all(fixtures.map((fixture) => jobsOf(fixture, setting)))).flat();
  const broken: string[] = [];
  const work = async () => {
    for (let job = jobs.pop(); job; job = jobs.pop()) broken.push(...(await job()));
  };
  await Promise.all(Array.from({ length: crew }, work));
  for (const workspace of workspaces.splice(0)) workspace.close();
  expect(broken).toEqual([]);
}

const workspaces: Workspace[] = [];

async function jobsOf(fixture: Licensed, setting: Setting) {
  const workspace = openWorkspace({ exclude: ["other_team_*"] });
  workspaces.push(workspace);
  const text = fixture.license?.wanted;
  workspace.write(filesOf(fixture, text === undefined ? {} : { "license.json": { license: { text } } }));
  const operations = await withEmulator(setting, async (emulator) => {
    stage(fixture, emulator);
    return (await workspace.plan(emulator.url)).plan.operations;
  });
  expect(operations.length, fixture.seed).toBeGreaterThan(0);
  return everyNth(9, mishapsOf(operations.length)).map((injectedFault) => async () => {
    const operation = operations[injectedFault.index];
    const what = `${operation?.method} ${operation?.path}, ${JSON.stringify(injectedFault)}`;
    const found = await withEmulator(setting, (emulator) =>
      brokenProperties(fixture, injectedFault, emulator, workspace),
    );
    return found.map((line) => `${fixture.seed}: ${what}: ${line}`);
  });
}

async function withEmulator<T>(setting: Setting, use: (emulator: Emulator) => Promise<T>): Promise<T> {
  const emulator = await startEmulator({ product: "gate", allowConfigModification: true, ...setting });
  try {
    return await use(emulator);
  } finally {
    await emulator.close();
  }
}

const minutes = 600_000;

test(
  `all families, config and license, seed ${seed}`,
  () => {
    const licenses = { held: license("old"), wanted: license("new") };
    const fixture = generateFixture({ seed, size: 4, drift: 0.7, config: "drift" });
    return check([{ ...fixture, license: licenses }]);
  },
  minutes,
);

test(
  `an engine without PATCH of role mappings, seed ${seed}`,
  () => {
    const families = ["role_mappings", "roles"] as const;
    return check([generateFixture({ seed, size: 3, drift: 0.8, families })], { engine: "6.3.2" });
  },
  minutes,
);

test(
  "a lone write, a second one by a name that no bulk request carries",
  () => {
    const labels = [" 1- on --", " 1- on 0-", " -- on 0-", " 11 on 00"];
    const all = [...smallFixtures({ pairs: 0, families: ["roles", "blocks"] })];
    const fixtures = all.filter((fixture) => labels.some((label) => fixture.seed.endsWith(label)));
    expect(fixtures).toHaveLength(8);
    return check(fixtures);
  },
  minutes,
);
