import { counted } from "../../families/index.ts";
import type { Change, Reason } from "../../model/change.ts";
import { addressOf, type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { Policies } from "../../model/policy.ts";
import type { Finding, Guard } from "./guard.ts";

export const deletionDefaults = { count: 25, percent: 20, least: 3 } as const;

/** Declared so, an entry says nothing about what is ours: the files that products ship hold little else. */
const serversOwn: ReadonlySet<Reason> = new Set(["server-owned", "reserved", "static"]);

export const deletions: Guard = {
  rule: "deletions",
  refuses: "A plan that deletes more of a family than a limit, or all of it because the family is declared empty.",
  byDefault: `${deletionDefaults.count}, or ${deletionDefaults.percent} % of what could be deleted, from ${deletionDefaults.least} on`,
  setBy: "families.FAMILY.deletions: {count, percent} in gate-sync.yaml",
  judge({ changes, policies }) {
    return resourceFamilies.flatMap((family) => {
      const ours = changes.filter((change) => change.family === family);
      const doomed = ours.filter(({ action }) => action === "delete");
      const deletable = ours.filter(
        ({ action, reason, before }) => before && (action !== "leave" || reason === "in-sync"),
      );
      const why = doomed.length === 0 ? undefined : tooMany(family, doomed.length, deletable.length, ours, policies);
      return why === undefined ? [] : [finding(family, doomed, deletable.length, why)];
    });
  },
};

function tooMany(
  family: ResourceFamily,
  doomed: number,
  deletable: number,
  changes: readonly Change[],
  policies: Policies,
): string | undefined {
  const count = policies[family]?.deletions?.count ?? deletionDefaults.count;
  const percent = policies[family]?.deletions?.percent ?? deletionDefaults.percent;
  const isDeclaredEmpty = !changes.some(
    ({ origin, reason }) => reason === "taken-back" || (origin && !serversOwn.has(reason)),
  );
  if (isDeclaredEmpty)
    return `The family ${family} is declared empty, or without anything that is ours: all that is ours in it would go.`;
  if (doomed > count) return `The limit is ${count} in a family (families.${family}.deletions.count).`;
  if (doomed >= deletionDefaults.least && doomed * 100 > deletable * percent) {
    return (
      `The limit is ${percent} % of what could be deleted in a family, from ${deletionDefaults.least} on ` +
      `(families.${family}.deletions.percent).`
    );
  }
  return undefined;
}

function finding(family: ResourceFamily, doomed: readonly Change[], deletable: number, why: string): Finding {
  return {
    rule: "deletions",
    family,
    what: `${doomed.length} of ${counted(deletable, family)} would be deleted.`,
    why,
    addresses: doomed.map(({ name }) => addressOf(family, name)),
  };
}
