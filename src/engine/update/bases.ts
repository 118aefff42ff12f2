// What each entry was when it was applied last; where nothing says that, what HEAD declares.

import { RunError } from "../../diagnostics/failure.ts";
import { diff } from "../../diff/diff.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Baseline } from "../../model/drift.ts";
import type { LiveState } from "../../model/live.ts";
import { type Address, createAddress } from "../../model/names.ts";
import { type BaselineQuestion, type Baselines, findBaselines } from "../history/baseline.ts";

export interface EntryBase {
  /** `applied`: a flag names it, or a run on record. `head`: it may not be applied. */
  readonly from: "applied" | "head" | "unknown";
  /** Canonical; absent where nothing declared it. */
  readonly declared?: Fields;
  /** Secrets that the files had as they are, such as hashes, are not in it: those of today are in their place. */
  readonly isWithoutPlainSecrets?: boolean;
  /** From what the server has to that; absent where either is not there. */
  readonly change?: Change;
}

export interface EntryBases {
  readonly of: (change: Change) => EntryBase;
  readonly source?: Baseline;
  readonly notes: readonly string[];
}

/**
 * @param changes those that are asked for
 * @throws RunError as {@link findBaselines}
 */
export async function openBases(
  question: BaselineQuestion,
  changes: readonly Change[],
  live: LiveState,
): Promise<EntryBases> {
  const applied = await findBaselines(question, changes);
  const { source, isOfTarget } = applied;
  const isUsable = source !== undefined && (source.kind !== "commit" || isOfTarget);
  const isKnown = ({ family, name }: Change) => isUsable && applied.at(family, name) !== undefined;
  const unknown = changes.filter((change) => !isKnown(change));
  const head = unknown.length > 0 ? await openHead(question) : undefined;
  const ofApplied = createLookup(applied, question, live);
  const ofHead = head && "at" in head ? createLookup(head, question, live) : undefined;
  return {
    of: (change) => {
      if (isKnown(change)) return { from: "applied", ...ofApplied(change) };
      return ofHead ? { from: "head", ...ofHead(change) } : { from: "unknown" };
    },
    ...(source && isUsable && { source }),
    notes: [
      ...applied.notes,
      ...(source && !isUsable
        ? [`${question.request.appliedRef} does not say what target ${question.target.name} had.`]
        : []),
      ...(head ? [describeUnknown(unknown.length, head)] : []),
    ],
  };
}

/** Why HEAD says nothing is the end of a sentence. */
async function openHead(question: BaselineQuestion): Promise<Baselines | { readonly unread: string }> {
  const { baseline, stateDir, ...request } = question.request;
  try {
    const found = await findBaselines({ ...question, request: { ...request, appliedRef: "HEAD" } }, []);
    return found.notes.length > 0 ? { unread: "at HEAD the state paths hold no files" } : found;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { unread: error.userMessage.what.replace(/\.$/, "") };
  }
}

function createLookup({ at, desired, source }: Baselines, { target }: BaselineQuestion, live: LiveState) {
  const changes = new Map<Address, Change>();
  for (const change of diff(desired, live, target.families))
    changes.set(createAddress(change.family, change.name), change);
  return ({ family, name }: Change): Omit<EntryBase, "from"> => {
    const declared = at(family, name)?.declared;
    const change = declared && changes.get(createAddress(family, name));
    return {
      ...(declared && { declared }),
      ...(change?.before && { change }),
      isWithoutPlainSecrets: source?.kind !== "commit",
    };
  };
}

function describeUnknown(count: number, head: Baselines | { readonly unread: string }): string {
  const subject = `What was applied last is unknown for ${count === 1 ? "1 entry" : `${count} entries`} that differ${count === 1 ? "s" : ""}`;
  const named = "name what was applied with --applied-ref or --baseline";
  if ("unread" in head)
    return `${subject}, and HEAD does not say it either (${head.unread}): what the files have stays. To take the server's, ${named}.`;
  return `${subject}: HEAD is used instead. What a commit that is not applied yet changed is taken back, and with --prune what it added is removed: to keep it, ${named}.`;
}
