import { meansEverybody } from "../../access/everybody.ts";
import { mentionsOf } from "../../families/mentions.ts";
import { canonicalText } from "../../json/canonical.ts";
import type { Edit } from "../../json/patch.ts";
import { type Fields, isList, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { LiveState } from "../../model/live.ts";
import { addressOf } from "../../model/names.ts";
import type { Guard } from "./guard.ts";
import { heldAfter } from "./steps.ts";

/**
 * Judged coarsely: whatever a role of everybody, or an action group that such a role uses, is changed to counts as a
 * gain, unless elements of its lists only go. What no mapping that was read says is not judged.
 */
export const wildcard: Guard = {
  rule: "wildcard",
  refuses: "A plan by which everybody (a mapping of `*`) gains something.",
  byDefault: "always",
  setBy: "nothing",
  judge({ pending, live }) {
    if (!pending.some(({ family }) => bearing.has(family))) return [];
    const mapped = pending.filter(
      ({ family, before, after }) => family === "role_mappings" && isEverybody(after) && !isEverybody(before),
    );
    const open = openToEverybody(pending, live);
    const widened = pending.filter(
      (change) => open.has(addressOf(change.family, change.name)) && change.after && !onlyNarrows(change),
    );
    const gains = [...mapped, ...widened];
    if (gains.length === 0) return [];
    return [
      {
        rule: "wildcard",
        what: "Everybody would gain something.",
        why: "Mapped by `*`: whoever logs in, and where anonymous login is on, whoever does not.",
        addresses: gains.map(({ family, name }) => addressOf(family, name)),
      },
    ];
  },
};

/** Without a change in any of these, nobody gains anything. */
const bearing: ReadonlySet<Change["family"]> = new Set(["role_mappings", "roles", "action_groups"]);

/** The roles that are mapped to everybody once the plan is done, and the action groups that these use. */
function openToEverybody(pending: readonly Change[], live: LiveState): ReadonlySet<string> {
  const [mappings, roles, groups] = (["role_mappings", "roles", "action_groups"] as const).map((family) =>
    heldAfter(family, { pending, live }),
  );
  const found = new Set<string>();
  const visit = (family: "roles" | "action_groups", name: string): void => {
    const address = addressOf(family, name);
    if (found.has(address)) return;
    found.add(address);
    const value = (family === "roles" ? roles : groups)?.get(name);
    for (const mention of value ? mentionsOf({ family, name, value }) : []) {
      if (mention.to === "action_groups") visit("action_groups", mention.name);
    }
  };
  for (const [name, value] of mappings ?? []) if (isEverybody(value)) visit("roles", name);
  return found;
}

function isEverybody(mapping: Fields | undefined): boolean {
  const has = (field: string, of: "names" | "addresses"): boolean =>
    listOf(mapping?.[field]).some((one) => typeof one === "string" && meansEverybody(one, of));
  return (
    ["users", "backend_roles", "and_backend_roles"].some((field) => has(field, "names")) || has("hosts", "addresses")
  );
}

function onlyNarrows({ before, edits }: Change): boolean {
  return before !== undefined && edits.every(takesAway);
}

const grants: ReadonlySet<string> = new Set([
  "cluster_permissions",
  "index_permissions",
  "tenant_permissions",
  "allowed_actions",
]);

/** Of a list of grants, elements only go. */
function takesAway({ path, before, after }: Edit): boolean {
  if (path.length !== 1 || path[0] === undefined) return false;
  if (path[0] === "description") return true;
  const kept = new Set(listOf(before).map(canonicalText));
  return grants.has(path[0]) && listOf(after).every((one) => kept.has(canonicalText(one)));
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}
