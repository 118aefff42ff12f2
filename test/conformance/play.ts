import { afterAll, beforeAll, expect } from "vitest";
import type { DecidedPlan, Report } from "../../src/index.ts";
import type { Json } from "../../src/json/value.ts";
import type { Fixture } from "../fixtures/index.ts";
import { countedBy, type Raw } from "../properties/oracle.ts";
import {
  type StrictOptions,
  type StrictRequest,
  type StrictServer,
  startStrictServer,
} from "../support/strict-server.ts";
import { applyPlan, filesOf, type More, openWorkspace, type Workspace } from "../support/workspace.ts";

export type Variant = Omit<StrictOptions, "state">;

export interface Played {
  readonly server: StrictServer;
  readonly planned: DecidedPlan;
  readonly report: Report;
  readonly before: Raw;
}

/** A folder for the tests of one file. */
export function useWorkspace(): () => Workspace {
  let workspace: Workspace | undefined;
  beforeAll(() => {
    workspace = openWorkspace({ exclude: ["other_team_*"] });
  });
  afterAll(() => workspace?.close());
  return () => {
    if (!workspace) throw new Error("bug: the folder is not open yet");
    return workspace;
  };
}

/** Plans, applies and plans again; holds the server's record to what is true of every variant. */
export async function play(
  workspace: Workspace,
  fixture: Fixture,
  variant: Variant,
  { files = {}, explained = {} }: { readonly files?: Record<string, Json>; readonly explained?: More } = {},
): Promise<Played> {
  workspace.write(filesOf(fixture, files));
  const server = await startStrictServer({ state: fixture.live, configModification: true, ...variant });
  try {
    const before = rawOf(server);
    const planned = await workspace.plan(server.url, explained);
    expect(server.writes, "planning only reads").toEqual([]);
    expect(readsTooMany(server, variant)).toEqual([]);
    const report = await applyPlan(planned);
    const again = await workspace.plan(server.url, explained);
    expect(again.plan.operations, "planning again").toEqual([]);
    expect(server.violations).toEqual([]);
    expect(linesOf(taken(server, variant)), "what is shown is what is sent").toEqual(linesOf(planned.plan.operations));
    return { server, planned, report, before };
  } finally {
    await server.close();
  }
}

/**
 * The writes but for those that end with a test of ours. That happens in one place only: where GET shows other defaults
 * inside the permissions of a role than a PATCH meets, what to test is unknown, and it is sent once more without.
 */
export function taken(
  { writes }: StrictServer,
  { patchSees = "shown", defaults = "stored" }: Variant,
): StrictRequest[] {
  if (patchSees === "shown" || defaults === "stored") return [...writes];
  return writes.filter(({ method, status, family, body }, index) => {
    const next = writes[index + 1];
    const isTest = method === "PATCH" && family === "roles" && status === 400 && body.includes('"op":"test"');
    return !(isTest && next?.status === 200 && next.family === family && !next.body.includes('"op":"test"'));
  });
}

export function linesOf(requests: readonly { readonly method: string; readonly path: string }[]): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** In the form of the oracle. */
export function rawOf(server: StrictServer): Raw {
  const { resources, config = { dynamic: {} } } = server.state();
  return { resources, config };
}

/** One read for each family, and one more where the server wants a slash; three small ones besides. */
function readsTooMany({ reads }: StrictServer, { slash = "either" }: Variant): string[] {
  const { other = 0, ...families } = countedBy(reads.map(({ family }) => family));
  const most = (family: string) => (slash === "required" && family !== "config" && family !== "license" ? 2 : 1);
  const tooMany = Object.entries(families).filter(([family, count]) => count > most(family));
  return [...(other > 3 ? [`${other} small reads`] : []), ...tooMany.map(([family, count]) => `${count} of ${family}`)];
}
