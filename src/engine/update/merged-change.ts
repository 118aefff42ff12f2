// What of a difference the server alone changed, and what the files have changed since.
import { mergeFields } from "../../diff/merge.ts";
import { fillSettings } from "../../families/fill.ts";
import { factsOf } from "../../families/index.ts";
import { plainTextReference, Secret } from "../../json/secret.ts";
import { type Fields, isEqual, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { LeftDifference } from "../../model/file-update.ts";
import { createAddress, isResourceFamily } from "../../model/names.ts";
import { createLeftDifference, type UpdateContext } from "./attempts.ts";
import type { EntryBase } from "./bases.ts";
import { findRange } from "./explained.ts";

interface SplitChange {
  /** To what is to be written; absent: nothing is. */
  readonly taken?: Change;
  readonly left: readonly LeftDifference[];
  /** Whether the files have edits that are not applied yet. */
  readonly isAhead: boolean;
}

type Declared = Pick<UpdateContext, "declared">;

export function splitChange(change: Change, base: EntryBase, context: Declared): SplitChange {
  const { action, before, after } = change;
  const take: SplitChange = { taken: change, left: [], isAhead: false };
  const leave = (why: string): SplitChange => ({ left: [createLeftDifference(change, why, context)], isAhead: false });
  // That HEAD was applied is not known.
  const keep = (why: string): SplitChange =>
    base.from === "applied" ? { left: [], isAhead: true } : leave(`${why} since HEAD; ${notApplied}`);
  if (change.family === "license") return take;
  if (after === undefined) {
    // What stays all the same was not taken out of the files to have it deleted.
    if (action !== "delete" || !base.declared) return take;
    const isUntouched = base.change?.edits.length === 0 && !base.change.unknown;
    const isGone = "the files do not have it any more";
    return isUntouched ? keep(isGone) : leave(`${isGone}, and the server changed it`);
  }
  if (base.from === "unknown") return leave("whether the files or the server changed it is unknown");
  if (before === undefined) {
    if (!base.declared) return keep("the files have it as a new one");
    if (base.isWithoutPlainSecrets && Object.values(after).some(isPlain))
      return leave("the server does not have it any more, and whether the files changed its secret is unknown");
    if (isEqual(base.declared, after)) return take;
    return leave("the files changed it, and the server does not have it any more");
  }
  return mergeBoth({ ...change, before, after }, base, context);
}

function isPlain(value: Value): boolean {
  return value instanceof Secret && value.reference === plainTextReference;
}

const notApplied = "whether that is applied is unknown";

function mergeBoth(
  change: Change & { readonly before: Fields; readonly after: Fields },
  base: EntryBase,
  context: Declared,
): SplitChange {
  const { family, before, after } = change;
  const facts = isResourceFamily(family) ? factsOf[family].fields : "open";
  const then =
    base.change?.after ??
    (facts === "open" ? before : fillSettings(base.declared ?? {}, before, facts, change.live?.defaults));
  const { value, kept } = mergeFields(then, after, before, facts);
  const isListed = (isBoth: boolean) => isBoth || base.from !== "applied";
  return {
    ...(!isEqual(value, after) && { taken: { ...change, before: value } }),
    left: kept.flatMap(({ path, element, isBoth }) => {
      if (!isListed(isBoth)) return [];
      const field = path.join(".");
      const why = isBoth
        ? `${field} was changed in the files and on the server`
        : `the files changed ${field} since HEAD; ${notApplied}`;
      const range = findWritten(change, path, context);
      return [{ ...createLeftDifference(change, why, context, range), part: { path, ...(element && { element }) } }];
    }),
    isAhead: kept.some(({ isBoth }) => !isListed(isBoth)),
  };
}

/** Where the files say it: in an override first. */
function findWritten({ family, name }: Change, path: readonly string[], { declared }: Declared) {
  const address = createAddress(family, name);
  const entries = [...(declared.overrides.get(address) ?? []), declared.base.get(address)];
  const ofConfig = declared.sections.filter(({ section }) => section.family === family && family === "config");
  const nodes = [...entries, ...ofConfig].map((one) => one?.place?.node);
  return nodes.map((node) => findRange(node, path)).find((range) => range !== undefined);
}
