import { formatCount, getNoun } from "../../families/index.ts";
import type { Change } from "../../model/change.ts";
import { createAddress, resourceFamilies } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

export const changeDefaults = { percent: 50, least: 25 } as const;

/** Creations do not count: nothing that is there becomes another by them. */
export const changes: Guard = {
  rule: "changes",
  refuses: "A plan that changes more entries of one resource type than a limit; new entries do not count.",
  why: "A change of most entries at once is often a script, a wrong base file or a wrong target.",
  fix: "Look at the edits, and split the change; or set the limit: families.NAME.changes: { percent: 80 }.",
  byDefault: `${changeDefaults.percent} % of those that are managed, from ${changeDefaults.least} on`,
  setBy: "families.NAME.changes: {count, percent} under defaults or a target of gate-sync.yaml",
  waivedFor: "family",
  countsEntries: true,
  evaluate({ changes: all, policies }) {
    return resourceFamilies.flatMap((family) => {
      const limits = policies[family]?.changes;
      const percent = limits?.percent ?? changeDefaults.percent;
      const relevant = all.filter(
        (change) =>
          change.family === family &&
          change.before &&
          (change.action !== "leave" || comparedReasons.has(change.reason)),
      );
      const updated = relevant.filter(({ action }) => action === "update");
      const tooMany = limits?.count !== undefined && updated.length > limits.count;
      const tooMuch = updated.length >= changeDefaults.least && updated.length * 100 > relevant.length * percent;
      if (!tooMany && !tooMuch) return [];
      const limit = tooMany
        ? `${formatCount(limits?.count ?? 0, family)} (families.${family}.changes.count)`
        : `${percent} % of the managed ${getNoun(family, 2)}, from ${changeDefaults.least} on (families.${family}.changes.percent)`;
      return [
        {
          family,
          what: `${updated.length} of ${formatCount(relevant.length, family)} would be changed.`,
          why: `The limit is ${limit}.`,
          addresses: updated.map(({ name }) => createAddress(family, name)),
        },
      ];
    });
  },
};

/** Of entries that are left, and that another plan could change. */
const comparedReasons: ReadonlySet<Change["reason"]> = new Set(["in-sync", "not-rotated", "other-hash"]);
