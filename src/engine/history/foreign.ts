import { digestBefore } from "../../artifacts/journal/plan-record.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { listDistinct } from "../../json/collections.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import { createAddress } from "../../model/names.ts";
import { getDesiredValue } from "../../secrets/changed.ts";
import type { FoundForeign } from "../pipeline/context.ts";
import { type BaselineQuestion, type Baselines, findBaselines } from "./baseline.ts";
import { readCommit } from "./commit-then.ts";

/**
 * Entries that would be deleted, and that neither what was applied last nor HEAD declares, nor the files of other commits.
 *
 * @param deleted at least one
 * @param bases what the files of `--base` declare
 */
export async function findForeign(
  question: BaselineQuestion,
  deleted: readonly Change[],
  bases: readonly DesiredState[],
): Promise<FoundForeign> {
  const baselines = await openBaselines(question, deleted);
  if ("unread" in baselines) return { notes: [formatUnknown(deleted, baselines.unread)] };
  const { at, unfinished, notes } = baselines;
  const missing = explainMissing(question, baselines);
  if (missing !== undefined) return { notes: [...notes, formatUnknown(deleted, missing)] };
  const isDeclared = (states: readonly DesiredState[], { family, name }: Change) =>
    states.some((state) => getDesiredValue(state, family, name) !== undefined);
  const left = deleted.filter((change) => {
    const { family, name } = change;
    if (at(family, name)?.declared || isDeclared(bases, change)) return false;
    // A run that had no baseline was to delete it, and it is still the same.
    const digest = unfinished?.get(createAddress(family, name));
    return digest === undefined || digest !== digestBefore(change);
  });
  const head = left.length > 0 ? await openHead(question) : undefined;
  const sources = [
    nameSource(baselines),
    ...(head ? ["HEAD"] : []),
    ...(bases.length > 0 ? ["the commit of --base"] : []),
  ];
  const [first = "", ...others] = sources;
  const asked = others.length === 0 ? `not declared in ${first}` : `declared neither in ${sources.join(" nor in ")}`;
  return { entries: left.filter((change) => !(head && isDeclared([head], change))), asked, notes };
}

/** A stated commit that is there, and of which the files cannot be read, says nothing. */
async function openBaselines(
  question: BaselineQuestion,
  deleted: readonly Change[],
): Promise<Baselines | { readonly unread: string }> {
  try {
    return await findBaselines(question, deleted);
  } catch (error) {
    if (!(error instanceof RunError) || error.kind !== "invalid") throw error;
    return { unread: error.userMessage.what.replace(/\.$/, "") };
  }
}

function explainMissing({ target }: BaselineQuestion, { source, isOfTarget }: Baselines): string | undefined {
  if (isOfTarget) return undefined;
  if (source?.kind === "commit")
    return `${source.ref} holds no state files of the target ${target.name} that can be read`;
  const runs = source
    ? "no run on record here applied anything of this target"
    : "no run on this cluster is on record here";
  return `${runs}, and no --applied-ref or --baseline is given`;
}

/** What HEAD declares was reviewed, and the records of others lie elsewhere. */
async function openHead(question: BaselineQuestion): Promise<DesiredState | undefined> {
  try {
    const { desired, isOther } = await readCommit("HEAD", question);
    return isOther ? undefined : desired;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return undefined;
  }
}

function nameSource({ source }: Baselines): string {
  if (source?.kind === "commit") return source.ref;
  return source?.kind === "plan-file" ? `the plan ${source.path}` : "the runs on record";
}

function formatUnknown(deleted: readonly Change[], why: string): string {
  const families = listDistinct(deleted.map(({ family }) => family));
  const modes = families.map((family) => `${family}: {mode: adopt}`).join(", ");
  const entries =
    deleted.length === 1
      ? "the entry that this plan deletes is"
      : `the ${deleted.length} entries that this plan deletes are`;
  return `Unknown whether ${entries} ours (guard not-ours): ${why}. To leave what no file declares: families: {${modes}} in gate-sync.yaml.`;
}
