import { getExitCode } from "../../../src/cli/apply-plan.ts";
import type { InitialState } from "../../../src/emulator/state.ts";
import { apply, type DecidedPlan, plan, type Report, RunError } from "../../../src/index.ts";
import type { Json } from "../../../src/json/value.ts";
import { createSharedFiles } from "../../../src/load/shared-files.ts";
import { type FewFixture, plain } from "../../fixtures/few.ts";
import { license } from "../../support/license.ts";
import type { FamilyName } from "../../support/strict/forms.ts";
import { filesOf, hastyClock, type Workspace } from "../../support/workspace.ts";
import type { InjectedFault } from "./injected-faults.ts";
import type { Kind } from "./kinds.ts";
import { type Holds, type InBetween, type Memory, memoryServer, type Passage, type Wrap } from "./memory.ts";

/** A fixture on a server: how a run goes that nothing disturbs. */
export interface Scene {
  readonly fixture: FewFixture;
  readonly memory: Memory;
  /** `gate-sync plan` in its folder, the files of which are read once for all its runs. */
  readonly plan: () => Promise<DecidedPlan>;
  /** Has the server hold again what it held before. */
  readonly rewind: () => void;
  readonly before: Holds;
  readonly planned: DecidedPlan;
  /** The requests of planning alone, and of the whole run. */
  readonly planning: readonly Passage[];
  readonly passages: readonly Passage[];
  /** As desired. */
  readonly end: Holds;
  /** How a run goes that begins where another one ended. */
  readonly sequels: Map<string, Sequel>;
  /** What is planned undisturbed, by what the server holds. */
  readonly plans: Map<string, DecidedPlan>;
}

export interface Course {
  readonly planned?: DecidedPlan;
  readonly error?: RunError;
  readonly report?: Report;
  readonly exit: number;
  readonly passages: readonly Passage[];
  readonly after: Holds;
  /** What another writer's deed left at its addresses, and before which request it was done. */
  readonly deed?: { readonly at: number; readonly made: Holds; readonly addresses: readonly string[] };
}

export interface Sequel {
  readonly course: Course;
  /** What a third run would still do: `METHOD path`. */
  readonly left: readonly string[];
}

export async function openScene(fixture: FewFixture, kind: Kind, workspace: Workspace, wrap?: Wrap): Promise<Scene> {
  const memory = memoryServer(kind.product, kind.release, wrap);
  workspace.write(
    filesOf(fixture, fixture.changesLicense ? { "license.json": { license: { text: license("new") } } } : {}),
  );
  memory.served.replaceState(initialOf(fixture, kind));
  const [rewind, before] = [memory.served.rememberState(), memory.holds()];
  const shared = createSharedFiles(workspace.folder, undefined);
  const planNow = () => plan({ ...workspace.request("http://memory"), shared }, { connect: memory.connect });
  const planned = await planNow();
  const planning = [...memory.passages];
  const report = await applyOn(memory, planned);
  if (report.verified !== true)
    throw new Error(`${fixture.seed}: undisturbed, it is not verified: ${report.differing}`);
  const passages = [...memory.passages];
  const end = memory.holds();
  const plans = new Map([[textOf(before), planned]]);
  const known = { sequels: new Map(), plans };
  return { fixture, memory, plan: planNow, rewind, before, planned, planning, passages, end, ...known };
}

function initialOf({ live, changesLicense }: FewFixture, { form = (_, entry) => entry }: Kind): InitialState {
  const resources = [...live.resources].map(([family, entries]) => {
    return [family, new Map([...entries].map(([name, entry]) => [name, form(family, entry)] as const))] as const;
  });
  return {
    ...Object.fromEntries(resources),
    ...(live.config && { config: live.config }),
    ...(changesLicense && { license: license("old") }),
  };
}

export function moved({ form = (_, entry) => entry }: Kind): (family: FamilyName) => Json {
  return (family) => form(family, plain[family]("moved"));
}

/** One run that a fault hits at its nth request, from 0 on. */
export async function play(scene: Scene, injectedFault: InjectedFault, at: number): Promise<Course> {
  const { memory, rewind, planning, planned } = scene;
  rewind();
  memory.passages.length = 0;
  // Up to its fault it goes as the undisturbed one.
  const isPlanned = at >= planning.length;
  if (isPlanned) memory.passages.push(...planning);
  const deed = inject(memory, injectedFault, at);
  try {
    return { ...(await courseOf(memory, () => (isPlanned ? planned : scene.plan()))), ...deed() };
  } finally {
    memory.inBetween = () => undefined;
  }
}

function inject(memory: Memory, injectedFault: InjectedFault, at: number): () => Pick<Course, "deed"> {
  let made: Holds | undefined;
  memory.inBetween = (_, index): InBetween | undefined => {
    if ("member" in injectedFault) {
      if (index === at) return injectedFault.member;
      return index === at + 1
        ? (injectedFault.next ?? injectedFault.onward)
        : index > at
          ? injectedFault.onward
          : undefined;
    }
    if (index === at && !made) {
      memory.served.replaceState(injectedFault.deed.done(memory.served.state()));
      const held = memory.holds();
      made = new Map([...held].filter(([address]) => injectedFault.deed.addresses.includes(address)));
    }
    return undefined;
  };
  return () => (made && "deed" in injectedFault ? { deed: { at, made, addresses: injectedFault.deed.addresses } } : {});
}

async function courseOf(memory: Memory, planning: () => DecidedPlan | Promise<DecidedPlan>): Promise<Course> {
  let planned: DecidedPlan | undefined;
  try {
    planned = await planning();
    const report = await applyOn(memory, planned);
    return { planned, report, exit: getExitCode(report), ...endOf(memory) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { ...(planned && { planned }), error, exit: error.exitCode, ...endOf(memory) };
  }
}

function endOf(memory: Memory): Pick<Course, "passages" | "after"> {
  return { passages: [...memory.passages], after: memory.holds() };
}

/** Two more runs, which nothing disturbs, from what the server now holds. */
export async function sequelOf(scene: Scene, after: Holds): Promise<Sequel> {
  const { memory, sequels } = scene;
  const key = textOf(after);
  const known = sequels.get(key);
  if (known) return known;
  memory.passages.length = 0;
  const course = await courseOf(memory, () => planUndisturbed(scene));
  const third = await planUndisturbed(scene);
  const sequel = { course, left: third.plan.operations.map(({ method, path }) => `${method} ${path}`) };
  sequels.set(key, sequel);
  return sequel;
}

/** The files are the same for a whole scene: only what the server holds makes a plan another one. */
async function planUndisturbed(scene: Scene): Promise<DecidedPlan> {
  const { plans } = scene;
  const key = textOf(scene.memory.holds());
  const planned = plans.get(key) ?? (await scene.plan());
  plans.set(key, planned);
  return planned;
}

/** Neither an address nor a text has a line break. */
function textOf(holds: Holds): string {
  return Array.from(holds, ([address, text]) => `${address} ${text}`).join("\n");
}

function applyOn(memory: Memory, planned: DecidedPlan): Promise<Report> {
  return apply(planned, memory.connect, { settled: () => {}, stopped: () => false }, hastyClock());
}
