import { formatCount, getNoun } from "../../families/index.ts";
import { type Fields, isList, isObject, type Value } from "../../json/value.ts";
import type { Change, Reason } from "../../model/change.ts";
import { createAddress, isResourceFamily, type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { Policies } from "../../model/policy.ts";
import type { Guard, GuardFinding } from "./guard.ts";

export const deletionDefaults = { count: 25, percent: 20, least: 3 } as const;

/** A family that loses all of its entries is refused from this many on: that its only entry goes is mostly a rename. */
const allFrom = 2;

/** An entry declared with such a flag is not managed: the files that products come with hold little else. */
const serversOwn: ReadonlySet<Reason> = new Set(["server-owned", "reserved", "static", "service-account"]);

export const deletions: Guard = {
  rule: "deletions",
  refuses: "A plan that deletes or empties too many entries of one resource type, or all of them.",
  why: "A renamed folder, a wrong target or an empty file can delete many entries at once. An entry that loses its last grant or member counts as deleted. What a rollback deletes, as its run created it and nobody changed it since, does not count.",
  fix: "Check the names that are listed. If files are missing, restore them. If another team manages these entries, exclude them in gate-sync.yaml.",
  byDefault: `per resource type: more than ${deletionDefaults.count} entries; or at least ${deletionDefaults.least} that are more than ${deletionDefaults.percent} % of it; or at least ${allFrom} that are all of it`,
  setBy: "families.NAME.deletions: {count, percent} under defaults or a target of gate-sync.yaml",
  waivedFor: "family",
  countsEntries: true,
  evaluate({ changes, policies }) {
    return resourceFamilies.flatMap((family) => {
      const relevant = changes.filter((change) => change.family === family && change.reason !== "undone");
      const doomed = relevant.filter((change) => change.action === "delete" || isEmptied(change));
      const deletable = relevant.filter(
        ({ action, reason, before }) => before && (action !== "leave" || keptReasons.has(reason)),
      );
      const why = doomed.length === 0 ? undefined : tooMany(family, doomed, deletable.length, relevant, policies);
      return why === undefined ? [] : [finding(family, doomed, deletable.length, why)];
    });
  },
};

/** Of entries that this plan leaves, and that another could delete. */
const keptReasons: ReadonlySet<Change["reason"]> = new Set(["in-sync", "left-out", "not-rotated", "other-hash"]);

/** An entry that is left and does nothing any more is as good as deleted; a role without any index left, too. */
export function isEmptied({ family, action, before, after }: Change): boolean {
  if (action !== "update" || !isResourceFamily(family)) return false;
  if (family === "roles" && grantsIndices(before) && !grantsIndices(after)) return true;
  return states(family, before) && !states(family, after);
}

function grantsIndices(role: Fields = {}): boolean {
  return grants(role, "index_permissions", "index_patterns", "allowed_actions");
}

/** Whether an element of a field has something in each of these lists. */
function grants(entry: Fields, field: string, ...lists: readonly string[]): boolean {
  const elements = entry[field];
  return isList(elements) && elements.some((one) => isObject(one) && lists.every((list) => isFilled(one[list])));
}

/** Whether an entry gives anybody anything. */
function states(family: ResourceFamily, entry: Fields = {}): boolean {
  const has = (field: string): boolean => isFilled(entry[field]);
  switch (family) {
    case "roles":
      return (
        has("cluster_permissions") || grantsIndices(entry) || grants(entry, "tenant_permissions", "tenant_patterns")
      );
    case "role_mappings":
      return ["users", "backend_roles", "and_backend_roles", "hosts"].some(has);
    case "action_groups":
      return has("allowed_actions");
    case "blocks":
      return has("value");
    default:
      return true;
  }
}

function isFilled(value: Value | undefined): boolean {
  return isList(value) && value.length > 0;
}

function tooMany(
  family: ResourceFamily,
  doomed: readonly Change[],
  deletable: number,
  changes: readonly Change[],
  policies: Policies,
): string | undefined {
  const count = policies[family]?.deletions?.count ?? deletionDefaults.count;
  const percent = policies[family]?.deletions?.percent ?? deletionDefaults.percent;
  const isDeclaredEmpty = !changes.some(
    ({ origin, reason }) => reason === "reverted" || (origin && !serversOwn.has(reason)),
  );
  if (isDeclaredEmpty)
    return `The files declare no ${getNoun(family, 2)} that can be managed: all managed ${getNoun(family, 2)} would be deleted.`;
  if (doomed.length > count) return `The limit is ${formatCount(count, family)} (families.${family}.deletions.count).`;
  const isRollback = doomed.every(({ reason }) => reason === "reverted");
  if (doomed.length >= allFrom && doomed.length === deletable && percent < 100 && !isRollback) {
    return `None of the ${getNoun(family, 2)} that are there now would be left (families.${family}.deletions.percent: 100 allows it).`;
  }
  if (doomed.length >= deletionDefaults.least && doomed.length * 100 > deletable * percent) {
    return (
      `From ${deletionDefaults.least} deletions on, the limit is ${percent} % of the ${getNoun(family, 2)} that could be deleted ` +
      `(families.${family}.deletions.percent).`
    );
  }
  return undefined;
}

function finding(family: ResourceFamily, doomed: readonly Change[], deletable: number, why: string): GuardFinding {
  const deleted = doomed.filter(({ action }) => action === "delete").length;
  const how = deleted === doomed.length ? "deleted" : deleted === 0 ? "emptied" : "deleted or emptied";
  return {
    family,
    what: `${doomed.length} of ${formatCount(deletable, family)} would be ${how}.`,
    why,
    addresses: doomed.map(({ name }) => createAddress(family, name)),
  };
}
