import { listDistinct } from "../../json/collections.ts";
import type { Fields } from "../../json/value.ts";
import type { BlockedDiff } from "../../model/access.ts";
import { getBlockedCondition } from "../evaluate/blocked.ts";
import type { AccessModel } from "../model/access-model.ts";
import { createPrincipalSubject } from "../model/block-values.ts";
import type { Subject } from "../model/subject.ts";
import { compareConditions, toVerdict, type Verdict } from "../verdict.ts";
import { findUnnamed, listNamed, listNamedRanges, placeNamed } from "./named-by-blocks.ts";
import { listChangedNames } from "./touched.ts";

export function findBlockedDiff(before: AccessModel, after: AccessModel): readonly BlockedDiff[] {
  const states = [before.state, after.state];
  const blocks = states.map((state) => [...state.blocks.values()]);
  const touched = listChangedNames(before.state.blocks, after.state.blocks);
  if (touched.length === 0) return [];
  const [was = [], is = []] = blocks;
  const shutOut = (subject: Subject) => {
    // Of an address, whatever the name of the user there.
    const about = (block: Fields): boolean => block.type !== "name" || subject.user !== undefined;
    const [before, after] = [
      getBlockedCondition(was.filter(about), subject),
      getBlockedCondition(is.filter(about), subject),
    ];
    return { before: toVerdict(before), after: toVerdict(after), isSame: compareConditions(before, after) === "same" };
  };
  const unique = listDistinct(states.flatMap((state) => listNamed(state.blocks)));
  const ranges = listNamedRanges(unique);
  const unnamed: Subject = { backendRoles: [], user: { pattern: "*" }, host: "unknown", ...findUnnamed(unique) };
  const { isSame, ...anybody } = shutOut(unnamed);
  const others = isSame ? undefined : { who: "everybody" as const, ...anybody };
  const ofNamed = unique.flatMap((who): readonly BlockedDiff[] => {
    const place = placeNamed(who, ranges);
    // All of it is named by others, which have lines of their own.
    if (!place) return [];
    const subject = createPrincipalSubject(place.member, states);
    // By name from wherever, or by address whatever the name; and with an address or name that no block names. Where
    // only one of the two is blocked, the rest decides: an address that is let in, or a name.
    const [first, second] = [shutOut(subject), shutOut({ ...unnamed, ...subject })];
    if (first.isSame && second.isSame) return [];
    const depends = first.after !== second.after && ({ depends: who.type === "name" ? "address" : "user" } as const);
    return [
      {
        who,
        ...(place.except.length > 0 && { except: place.except }),
        before: mergeVerdicts(first.before, second.before),
        after: mergeVerdicts(first.after, second.after),
        ...depends,
      },
    ];
  });
  return [...(others ? [others] : []), ...ofNamed];
}

function mergeVerdicts(one: Verdict, other: Verdict): Verdict {
  return one === other ? one : "unknown";
}
