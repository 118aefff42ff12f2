import type { Dialect } from "../../dialects/dialect.ts";
import { getReadableConfig, readState } from "../../live/read.ts";
import { listFamiliesToRead } from "../../live/wanted.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { AccessStates } from "../../plan/guards/guard.ts";
import { findAccessStates } from "../pipeline/access-states.ts";
import { decideChanges } from "../pipeline/changes.ts";
import { type CheckedFiles, checkFiles } from "../pipeline/checked-files.ts";
import type { BaseFiles } from "../protection/side.ts";

/** What the files of the base would do to the same live state: whatever of it a plan does as well is not the branch's. */
export interface BasePlan {
  readonly files: CheckedFiles;
  readonly live: LiveState;
  readonly changes: readonly Change[];
  /** Absent where it changes no access, and no access test asks. */
  readonly access?: AccessStates;
}

interface DecidedAgainst {
  readonly live: LiveState;
  readonly dialect: Dialect;
  readonly reader: ReadPort;
}

export async function decideBasePlan(
  { repository, target, problems }: Pick<BaseFiles, "repository" | "target" | "problems">,
  { live: read, dialect, reader }: DecidedAgainst,
): Promise<BasePlan> {
  const files = checkFiles({ repository, whole: repository }, dialect, target);
  const { desired, tests, personas } = files;
  // Of files with errors nothing follows that would excuse what a plan does.
  if (problems.length > 0) return { files, live: read, changes: [] };
  const live = await readMore(desired, target.families, { live: read, dialect, reader });
  const { changes, secret } = decideChanges({
    desired,
    live,
    policies: target.families,
    target,
    files,
    request: {},
  });
  const access = await findAccessStates({ changes, live, dialect, secret }, { tests, personas }, reader);
  return { files, live, changes, ...(access && { access }) };
}

/** What the files of today have no need of. */
async function readMore(
  desired: DesiredState,
  policies: Parameters<typeof listFamiliesToRead>[1],
  { live, dialect, reader }: DecidedAgainst,
): Promise<LiveState> {
  const { needed, reference } = listFamiliesToRead(desired, policies);
  const missing = [...needed, ...reference].filter(
    (family) => family !== "config" && family !== "license" && !live.resources.has(family),
  ) as typeof reference;
  const more = await readState(reader, dialect, { needed: [], reference: missing }, desired);
  const config = live.config ?? (desired.config && (await getReadableConfig(reader, dialect)));
  return { ...live, resources: new Map([...live.resources, ...more.resources]), ...(config && { config }) };
}
