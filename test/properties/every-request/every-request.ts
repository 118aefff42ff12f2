import { type FewChange, fewChanges, fewFixture } from "../../fixtures/few.ts";
import { randomFrom } from "../../fixtures/index.ts";
import { partOf } from "../../support/extent.ts";
import { openWorkspace } from "../../support/workspace.ts";
import { seed } from "../seed.ts";
import { brokenProperties } from "./evaluator.ts";
import { type InjectedFault, pairsOfMishaps, readMishaps, secondWriters, writeMishaps } from "./injected-faults.ts";
import type { Kind } from "./kinds.ts";
import type { Wrap } from "./memory.ts";
import { moved, openScene, play, type Scene } from "./play.ts";

export interface Tally {
  readonly fixtures: number;
  readonly scenarios: number;
  readonly broken: readonly string[];
  /** How many scenarios broke any property. */
  readonly failed: number;
}

export interface Extent {
  readonly changes: readonly (readonly FewChange[])[];
  /** How many of a fixture's scenarios, drawn by chance; all where absent. */
  readonly sample?: { readonly seed: number; readonly scenarios: number };
  readonly wrap?: Wrap;
}

/** So many fixtures at once: while one reads its files, another one plays. */
const crew = 6;

/** Plays every scenario of the fixtures on a kind of server. */
export async function playAll(kind: Kind, { changes, sample, wrap }: Extent): Promise<Tally> {
  const left = [...changes].reverse();
  const first = firstOfTheirFamilies(changes);
  const broken: string[] = [];
  let [scenarios, failed] = [0, 0];
  const work = async () => {
    const workspace = openWorkspace({ exclude: ["other_team_*"] });
    try {
      for (let next = left.pop(); next; next = left.pop()) {
        const scene = await openScene(fewFixture(next), kind, workspace, wrap);
        for (const [injectedFault, at] of chosen(scene, kind, first.has(next), sample)) {
          const lines = await brokenProperties(scene, injectedFault, await play(scene, injectedFault, at));
          scenarios += 1;
          failed += lines.length > 0 ? 1 : 0;
          const request = scene.passages[at];
          const where = `${scene.fixture.seed}: ${request?.method} ${request?.path} (request ${at}), ${injectedFault.title}`;
          broken.push(...lines.map((line) => `${where}: ${line}`));
        }
      }
    } finally {
      workspace.close();
    }
  };
  await Promise.all(Array.from({ length: crew }, work));
  return { fixtures: changes.length, scenarios, broken, failed };
}

function chosen(scene: Scene, kind: Kind, withPlanning: boolean, sample: Extent["sample"]) {
  const all = scenariosOf(scene, kind).filter(([, at]) => withPlanning || at >= scene.planning.length);
  return sample
    ? randomFrom(`${sample.seed} ${scene.fixture.seed}`).some(all, sample.scenarios, sample.scenarios)
    : all;
}

/**
 * What hits planning is played once for each set of families: of other fixtures with the same families it reads the
 * same, and nothing is written yet.
 */
function firstOfTheirFamilies(changes: Extent["changes"]): ReadonlySet<readonly FewChange[]> {
  const byFamilies = new Map<string, readonly FewChange[]>();
  for (const each of changes) {
    const families = [...new Set(each.map(({ family }) => family))].sort().join();
    if (!byFamilies.has(families)) byFamilies.set(families, each);
  }
  return new Set(byFamilies.values());
}

/** Every fault at every request of the run. */
function scenariosOf(scene: Scene, kind: Kind): readonly (readonly [InjectedFault, number])[] {
  const addresses = scene.planned.plan.operations.flatMap(({ family, names }) =>
    names.map((name) => `${family}/${name}`),
  );
  const writers = secondWriters(addresses, moved(kind));
  // What follows a write that went wrong is its own affair, whatever comes later.
  const ofWrites = scene.fixture.changes.length < 3 ? [...writeMishaps, ...pairsOfMishaps] : writeMishaps;
  return scene.passages.flatMap(({ method }, index) =>
    [...(method === "GET" ? readMishaps : ofWrites), ...(index === 0 ? [] : writers)].map(
      (injectedFault) => [injectedFault, index] as const,
    ),
  );
}

/** All choices of up to so many changes. */
function changesOf({ families }: Kind, most: number): readonly (readonly FewChange[])[] {
  const changes = families.flatMap((family): readonly FewChange[] =>
    family === "config" || family === "license"
      ? [{ family, action: "update" }]
      : (["create", "update", "delete"] as const).map((action) => ({ family, action })),
  );
  return [...fewChanges(changes, most)];
}

/** All fixtures or those of a part, with all of their scenarios; in a short run so many fixtures, and some scenarios of each. */
export function extentOf(kind: Kind, few: number): Extent {
  const all = changesOf(kind, 3);
  const changes = partOf(all);
  if (changes) return { changes };
  return { changes: randomFrom(`${seed} ${kind.title}`).some(all, few, few), sample: { seed, scenarios: 12 } };
}

/** Every fixture of a part has more scenarios than this. */
export const fewestScenarios = ({ changes, sample }: Extent): number => changes.length * (sample?.scenarios ?? 80);
