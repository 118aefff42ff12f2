import type { SourceRange } from "../diagnostics/source.ts";
import { diff } from "../diff/diff.ts";
import { findDrift, isDifferent } from "../diff/drift.ts";
import { findAuthors } from "../load/blame.ts";
import { createGit, type Git } from "../load/git.ts";
import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { DriftDifference, DriftReport, ListedApiKey } from "../model/drift.ts";
import { isResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { type BaselineFlags, findBaselines } from "./history/baseline.ts";
import { listApiKeys } from "./listed-api-keys.ts";
import { plan } from "./plan.ts";
import type { RunRequest } from "./request.ts";
import { openReader, type Source } from "./source.ts";

export interface DriftRequest extends RunRequest, BaselineFlags {
  /** The API keys of the server are listed, too. */
  readonly listsApiKeys?: boolean;
}

/** The report, and what there is to say of the files beside it. */
export interface DriftResult extends Pick<DecidedPlan, "diagnostics" | "notices" | "fileCount"> {
  readonly report: DriftReport;
}

/** Live against declared as a plan has it, and for each difference which of the two moved since the baseline. */
export async function reportDrift(request: DriftRequest, source: Source): Promise<DriftResult> {
  const planned = await plan({ ...request, allowed: [], withoutAccess: true, withoutForeign: true }, source);
  const { target, changes } = planned.plan;
  const { desired, live, policies } = planned;
  const question = {
    request,
    target: planned.target,
    cluster: target,
    dialect: planned.detected.dialect,
    declared: desired,
  };
  const baselines = await findBaselines(question, changes.filter(isDifferent));
  const { source: baseline, at } = baselines;
  const then = diff(baselines.desired, live, policies).filter(({ family, name }) => !at(family, name)?.isUnmanaged);
  const isExplained = ({ family, name }: Change) => {
    const base = at(family, name);
    return base !== undefined && !base.isIncomparable;
  };
  const differences = findDrift(changes, baseline && then, isExplained, policies);
  const apiKeys = request.listsApiKeys && (await readListedKeys(planned, request, source));
  const signed = await sign(createGit(request.env), differences, desired, request.cwd);
  return {
    report: {
      target,
      ...(baseline && { baseline }),
      differences: signed.differences,
      changes,
      notes: [...planned.plan.notes, ...baselines.notes, ...signed.notes],
      ...(apiKeys && { apiKeys }),
      ...(planned.ceased && planned.ceased.length > 0 && { ceased: planned.ceased.length }),
    },
    diagnostics: planned.diagnostics,
    notices: planned.notices,
    fileCount: planned.fileCount,
  };
}

async function readListedKeys(
  { target, detected: { dialect } }: Pick<DecidedPlan, "target" | "detected">,
  { cwd }: RunRequest,
  source: Source,
): Promise<readonly ListedApiKey[]> {
  const { reader } = await openReader(target, source, cwd);
  try {
    return await listApiKeys(reader, dialect, target);
  } finally {
    await reader.close();
  }
}

async function sign(
  git: Git,
  differences: readonly DriftDifference[],
  desired: DesiredState,
  cwd: string,
): Promise<Pick<DriftReport, "differences" | "notes">> {
  const { authors, notes } = await findAuthors(
    git,
    differences.map(({ change }) => rangesOf(change, desired)),
    cwd,
  );
  const signed = differences.map((difference, at) => {
    const author = authors[at];
    return author ? { ...difference, author } : difference;
  });
  return { differences: signed, notes };
}

/** What a difference is about in the files: the fields that differ, else the whole entry; nothing where none is declared. */
function rangesOf({ family, name, before, edits, origin }: Change, desired: DesiredState): readonly SourceRange[] {
  if (!origin) return [];
  const declared = isResourceFamily(family) ? desired.resources.get(family)?.get(name) : undefined;
  const node = family === "config" ? desired.config?.node : declared?.node;
  if (!node || node.file !== origin.file) return [origin];
  const fields = before === undefined ? [] : edits.flatMap(({ path }) => rangeOfField(node, path) ?? []);
  return fields.length > 0 ? fields : [{ ...origin, end: Math.max(origin.end, node.end) }];
}

/** The innermost key on a path, with its value; undefined where not even the first is written. */
function rangeOfField(node: Node, [token, ...rest]: readonly string[]): SourceRange | undefined {
  const entry = token === undefined ? undefined : findMapEntry(node, token);
  if (!entry) return undefined;
  const { keyRange, value } = entry;
  // The value of an alias, or of a merge key, is written elsewhere.
  const isBelow = value.file === keyRange.file && value.start >= keyRange.end;
  return rangeOfField(value, rest) ?? { ...keyRange, end: isBelow ? value.end : keyRange.end };
}
