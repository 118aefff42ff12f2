// What must hold of a run that one fault hit, worked out from the server's own record of what came to it.
import { isObject, type Value } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import { hasTests, type Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import type { InjectedFault } from "./injected-faults.ts";
import type { Holds, Passage } from "./memory.ts";
import { type Course, type Scene, type Sequel, sequelOf } from "./play.ts";
import { addressesOf, factsOf, isLook, same, union } from "./record.ts";

/** One line for each property that does not hold. */
export async function brokenProperties(
  scene: Scene,
  injectedFault: InjectedFault,
  course: Course,
): Promise<readonly string[]> {
  const sequel = await sequelOf(scene, course.after);
  return [
    ...losses(scene, course),
    ...outcomeProperties(scene, injectedFault, course),
    ...repetitions(scene, course),
    ...exitProperties(scene, course),
    ...guardProperties(scene, course),
    ...sequelProperties(scene, course, sequel),
  ];
}

/** What no request of the plan is about is as it was, or as another writer made it. */
function losses({ before, end }: Scene, { planned, after, deed }: Course): readonly string[] {
  const operations = planned?.plan.operations ?? [];
  const relevant = new Set(operations.flatMap((operation) => addressesOf(operation, before, end)));
  const was = deed ? withDeed(before, deed) : before;
  return union(was, after)
    .filter((address) => !relevant.has(address) && was.get(address) !== after.get(address))
    .map((address) => `lost: ${address} was ${was.get(address)}, is ${after.get(address)}`);
}

type Done = NonNullable<Course["deed"]>;

function withDeed(held: Holds, { addresses, made }: Done): Holds {
  return new Map([...[...held].filter(([address]) => !addresses.includes(address)), ...made]);
}

/** What is said of each operation is so. */
function outcomeProperties(scene: Scene, injectedFault: InjectedFault, course: Course): readonly string[] {
  return (course.report?.outcomes ?? []).flatMap(({ operation, kind, detail }) => {
    const what = `${operation.method} ${operation.path} is called ${kind} (${detail})`;
    const { addresses, sends, took } = factsOf(scene, course, operation);
    const touched = course.deed !== undefined && addresses.some((address) => course.deed?.addresses.includes(address));
    switch (kind) {
      case "done": {
        const wrong = addresses.filter((address) => !same(course.after.get(address), scene.end.get(address)));
        const later = (course.deed?.at ?? -1) > (took ?? -1);
        // Where no test guards it, what was written may have met something else than it was planned against.
        const explained = (address: string) => later || course.report?.differing.includes(address) === true;
        const open = wrong.filter((address) => !(course.deed?.addresses.includes(address) && explained(address)));
        return open.length > 0 ? [`${what}, and ${open} is not as desired`] : [];
      }
      case "failed":
        return took !== undefined ? [`${what}, and it took effect`] : [];
      case "not-attempted":
        return sends.length > 0 ? [`${what}, and it was sent`] : [];
      case "unknown": {
        const isBlind = "onward" in injectedFault && injectedFault.onward !== undefined;
        return isBlind || touched || operation.family === "license" ? [] : [`${what}, though it can be known`];
      }
    }
    return [];
  });
}

/** A write goes out again only where it never left, or where a look at its family showed that it took no effect. */
function repetitions(scene: Scene, course: Course): readonly string[] {
  return (course.planned?.plan.operations ?? []).flatMap((operation) => {
    const { addresses, sends } = factsOf(scene, course, operation);
    return sends.slice(1).flatMap((send, index) => {
      const earlier = sends[index] ?? 0;
      if (course.passages[earlier]?.unsent) return [];
      const looks = course.passages.slice(earlier + 1, send).filter((passage) => isLook(passage, operation));
      const last = looks.at(-1);
      const isIn = last && addresses.every((address) => same(last.before.get(address), scene.end.get(address)));
      if (last && !isIn) return [];
      return [`sent again blindly: ${operation.method} ${operation.path}${isIn ? ", which was seen to be done" : ""}`];
    });
  });
}

/** As README has it: what was done, and not what went wrong, decides. */
function exitProperties(scene: Scene, course: Course): readonly string[] {
  const { planned, report, exit, passages, error } = course;
  const wrote = passages.some(({ method }) => method !== "GET");
  if (!report) {
    return exit === 1 && !wrote
      ? []
      : [`planning ends with ${exit}${wrote ? ", and something was written" : ""}: ${error}`];
  }
  const operations = planned?.plan.operations ?? [];
  const facts = operations.map((operation) => factsOf(scene, course, operation));
  const took = facts.some((each) => each.took !== undefined);
  const isOpen = report.outcomes.some(({ kind }) => kind === "unknown");
  const allDone = report.outcomes.every(({ kind }) => kind === "done");
  const expected = allDone
    ? isSettled(scene, course)
      ? [0]
      : [1]
    : took || isOpen
      ? [6]
      : isStale(report.outcomes)
        ? [5]
        : [1];
  if (allDone && report.verified === undefined) expected.push(1);
  // Done by another writer: that nothing had to be written is no lie.
  if (!allDone && report.outcomes.some(({ kind }) => kind === "done")) expected.push(6);
  const named = unnamed(scene, course);
  return [...(expected.includes(exit) ? [] : [`ends with ${exit}, and not with ${expected}`]), ...named];
}

function isStale(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ cause }) => cause === "stale");
}

/** What another writer changed before the result was read back is named. */
function unnamed(scene: Scene, course: Course): readonly string[] {
  if (course.report?.verified === undefined) return [];
  return notAsDesired(scene, course)
    .filter((address) => !course.report?.differing.includes(address))
    .map((address) => `read back as something else, and not named: ${address}`);
}

function isSettled(scene: Scene, course: Course): boolean {
  return notAsDesired(scene, course).length === 0;
}

/** Of the families of the plan, by their last reading. */
function notAsDesired({ end }: Scene, { passages, planned }: Course): readonly string[] {
  return (planned?.plan.operations ?? []).flatMap((operation) => {
    const read = passages.findLast((passage) => isLook(passage, operation));
    if (!read || operation.family === "config" || operation.family === "license") return [];
    const own = union(end, read.before).filter((address) => address.startsWith(`${operation.family}/`));
    return own.filter((address) => isRelevant(address) && !same(read.before.get(address), end.get(address)));
  });
}

function isRelevant(address: string): boolean {
  return !address.includes("/other_team_");
}

/** What a test guards is not overwritten: nothing is written, and the entry is named. */
function guardProperties(scene: Scene, course: Course): readonly string[] {
  const { deed, planned, report, passages } = course;
  if (!deed || !planned || !report) return [];
  return report.outcomes.flatMap(({ operation, kind, cause, detail }) => {
    const guarded = deed.addresses.filter((address) => isGuarded(address, operation));
    const { sends, took } = factsOf(scene, course, operation);
    const seen = planned.plan.changes.filter((change) => guarded.includes(`${change.family}/${change.name}`));
    const first = sends[0];
    // Planned with what another writer made, or sent before that.
    if (seen.length === 0 || first === undefined || first < deed.at || wasRead(operation, passages, deed.at)) return [];
    const isIn = deed.addresses.every((address) => same(deed.made.get(address), scene.end.get(address)));
    if (isIn) return [];
    if (took !== undefined) return [`overwritten, though a test guards it: ${guarded}`];
    const isExplained =
      kind === "failed" && cause === "stale" && seen.every(({ family, name }) => detail?.includes(`${family}/${name}`));
    return isExplained ? [] : [`${guarded} moved, and that is called ${kind}, ${cause}: ${detail}`];
  });
}

function wasRead(operation: Operation, passages: readonly Passage[], at: number): boolean {
  const firstWrite = passages.findIndex(({ method }) => method !== "GET");
  return passages.slice(at, firstWrite).some((passage) => isLook(passage, operation));
}

function isGuarded(address: string, operation: Operation): boolean {
  const [family, name = ""] = [address.slice(0, address.indexOf("/")), address.slice(address.indexOf("/") + 1)];
  if (family !== operation.family || !operation.names.includes(name) || !hasTests(operation)) return false;
  const steps = (operation.body ?? []) as readonly Value[];
  if (!operation.bulk) return true;
  return steps.some((step) => isObject(step) && step.op === "test" && `${step.path}/`.startsWith(`/${name}/`));
}

/** Running again finishes, overwrites only what it names, and leaves nothing to do. */
function sequelProperties({ end }: Scene, { after }: Course, { course, left }: Sequel): readonly string[] {
  const planned = (course.planned?.plan.changes ?? [])
    .filter(isPendingChange)
    .map(({ family, name }) => `${family}/${name}`);
  const wrong = union(end, course.after).filter((address) =>
    isRelevant(address) && !isForeignChild(address, end)
      ? !same(course.after.get(address), end.get(address))
      : course.after.get(address) !== after.get(address),
  );
  const quiet = union(after, course.after).filter(
    (address) =>
      !address.startsWith("config/") && after.get(address) !== course.after.get(address) && !planned.includes(address),
  );
  return [
    ...(course.exit === 0 ? [] : [`running again ends with ${course.exit}: ${course.error ?? ""}`]),
    ...wrong.map((address) => `after running again, not as desired: ${address} is ${course.after.get(address)}`),
    ...quiet.map((address) => `running again changes without a word: ${address}`),
    ...left.map((operation) => `after running again, still to do: ${operation}`),
  ];
}

function isForeignChild(address: string, end: Holds): boolean {
  return address.startsWith("config/") && !end.has(address);
}

function isPendingChange({ action }: Change): boolean {
  return action !== "leave";
}
