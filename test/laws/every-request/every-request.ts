import { openWorkspace } from "../../support/workspace.ts";
import { type FewChange, fewChanges, fewWorld } from "../../world/few.ts";
import { randomFrom } from "../../world/index.ts";
import { seed } from "../seed.ts";
import { brokenLaws } from "./judge.ts";
import type { Kind } from "./kinds.ts";
import type { Wrap } from "./memory.ts";
import { type Mishap, pairsOfMishaps, readMishaps, secondWriters, writeMishaps } from "./mishaps.ts";
import { moved, openScene, play, type Scene } from "./play.ts";

export interface Tally {
  readonly worlds: number;
  readonly scenarios: number;
  readonly broken: readonly string[];
  /** How many scenarios broke any law. */
  readonly failed: number;
}

export interface Extent {
  readonly changes: readonly (readonly FewChange[])[];
  /** How many of a world's scenarios, drawn by chance; all where absent. */
  readonly sample?: { readonly seed: number; readonly scenarios: number };
  readonly wrap?: Wrap;
}

/** So many worlds at once: while one reads its files, another one plays. */
const crew = 6;

/** Plays every scenario of the worlds on a kind of server. */
export async function playAll(kind: Kind, { changes, sample, wrap }: Extent): Promise<Tally> {
  const left = [...changes].reverse();
  const first = firstOfTheirFamilies(changes);
  const broken: string[] = [];
  let [scenarios, failed] = [0, 0];
  const work = async () => {
    const workspace = openWorkspace({ exclude: ["other_team_*"] });
    try {
      for (let next = left.pop(); next; next = left.pop()) {
        const scene = await openScene(fewWorld(next), kind, workspace, wrap);
        for (const [mishap, at] of chosen(scene, kind, first.has(next), sample)) {
          const lines = await brokenLaws(scene, mishap, await play(scene, mishap, at));
          scenarios += 1;
          failed += lines.length > 0 ? 1 : 0;
          const request = scene.passages[at];
          const where = `${scene.world.seed}: ${request?.method} ${request?.path} (request ${at}), ${mishap.title}`;
          broken.push(...lines.map((line) => `${where}: ${line}`));
        }
      }
    } finally {
      workspace.close();
    }
  };
  await Promise.all(Array.from({ length: crew }, work));
  return { worlds: changes.length, scenarios, broken, failed };
}

function chosen(scene: Scene, kind: Kind, withPlanning: boolean, sample: Extent["sample"]) {
  const all = scenariosOf(scene, kind).filter(([, at]) => withPlanning || at >= scene.planning.length);
  return sample ? randomFrom(`${sample.seed} ${scene.world.seed}`).some(all, sample.scenarios, sample.scenarios) : all;
}

/**
 * What befalls planning is played once for each set of families: of other worlds with the same families it reads the
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

/** Every mishap at every request of the run. */
function scenariosOf(scene: Scene, kind: Kind): readonly (readonly [Mishap, number])[] {
  const addresses = scene.planned.plan.operations.flatMap(({ family, names }) =>
    names.map((name) => `${family}/${name}`),
  );
  const writers = secondWriters(addresses, moved(kind));
  // What follows a write that went wrong is its own affair, whatever comes later.
  const ofWrites = scene.world.changes.length < 3 ? [...writeMishaps, ...pairsOfMishaps] : writeMishaps;
  return scene.passages.flatMap(({ method }, index) =>
    [...(method === "GET" ? readMishaps : ofWrites), ...(index === 0 ? [] : writers)].map(
      (mishap) => [mishap, index] as const,
    ),
  );
}

/** All choices of up to so many changes. */
export function changesOf({ families }: Kind, most: number): readonly (readonly FewChange[])[] {
  const changes = families.flatMap((family): readonly FewChange[] =>
    family === "config" || family === "license"
      ? [{ family, action: "update" }]
      : (["create", "update", "delete"] as const).map((action) => ({ family, action })),
  );
  return [...fewChanges(changes, most)];
}

/** Drawn by chance: so many worlds, and so many scenarios of each. */
export function sampleOf(kind: Kind, worlds: number, scenarios = 12): Extent {
  const changes = randomFrom(`${seed} ${kind.title}`).some(changesOf(kind, 3), worlds, worlds);
  return { changes, sample: { seed, scenarios } };
}
