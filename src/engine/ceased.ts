import type { Dialect } from "../dialects/dialect.ts";
import { counted, nounOf } from "../families/index.ts";
import { inScope } from "../families/scope.ts";
import { readState } from "../live/read.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import { newestJournal } from "../store/journal.ts";
import { knownRun } from "./records/known-run.ts";

/** A family that was managed, and that no file declares any more. */
export interface Ceased {
  readonly family: Family;
  /** `origin/main`, or when the last run was. */
  readonly since: string;
}

/** What the last run from here declared of a target and no file declares now; nothing where none is known. */
export async function ceasedSinceRun(
  stateDir: string | undefined,
  target: Pick<TargetSummary, "name" | "url">,
  now: readonly Family[],
): Promise<readonly Ceased[]> {
  const journal = stateDir === undefined ? undefined : await newestJournal(stateDir, target);
  const run = journal && knownRun(journal);
  if (!run || run.begin.command === "rollback") return [];
  const since = `the last run (${run.begin.time})`;
  return run.plan.declared.filter((family) => !now.includes(family)).map((family) => ({ family, since }));
}

/** One sentence each: what is left on the server that nothing manages. */
export async function ceasedNotes(
  ceased: readonly Ceased[],
  { reader, dialect, policies }: { readonly reader: ReadPort; readonly dialect: Dialect; readonly policies: Policies },
): Promise<readonly string[]> {
  if (ceased.length === 0) return [];
  const families = ceased.map(({ family }) => family).filter(isResourceFamily);
  const reference = families.filter((family) => family in dialect.collections);
  const { resources } = await readState(reader, dialect, { needed: [], reference });
  return ceased.map(({ family, since }) => {
    const held = isResourceFamily(family) ? resources.get(family) : undefined;
    const left = [...(held?.values() ?? [])].filter(
      ({ name, ownership }) => ownership === "open" && isResourceFamily(family) && inScope(policies[family], name),
    );
    const is = isResourceFamily(family) ? "are" : "is";
    const what = held
      ? `${counted(left.length, family)} on the server ${left.length === 1 ? "is" : "are"} left as ${left.length === 1 ? "it is" : "they are"}, unmanaged.`
      : "What the server has stays as it is, unmanaged.";
    const name = nounOf(family, isResourceFamily(family) ? 2 : 1);
    return `Since ${since}, ${name} ${is} not managed any more: no file declares ${is === "are" ? "them" : "it"}. ${what}`;
  });
}
