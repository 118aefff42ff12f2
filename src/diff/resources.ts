import { factsOf } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { findUnknownFields } from "../families/unknown.ts";
import { type Edit, findEdits } from "../json/patch.ts";
import { isEqual } from "../json/value.ts";
import type { Change, Reason } from "../model/change.ts";
import type { DesiredFamily, DesiredResource } from "../model/desired.ts";
import type { LiveFamily, LiveResource } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { FamilyPolicy } from "../model/policy.ts";
import { keepUnknown } from "./keep-unknown.ts";

/** What becomes of every resource of one declared family, by name. */
export function diffResources(
  family: ResourceFamily,
  desired: DesiredFamily,
  live: LiveFamily,
  policy: FamilyPolicy | undefined,
): readonly Change[] {
  const names = [...new Set([...desired.keys(), ...live.keys()])].sort();
  return names.map((name) => {
    const wanted = desired.get(name);
    const found = live.get(name);
    if (wanted && found) return compared(family, wanted, found, policy);
    if (wanted) return appearing(family, wanted, policy);
    return undeclared(family, found as LiveResource, policy);
  });
}

function appearing(family: ResourceFamily, wanted: DesiredResource, policy: FamilyPolicy | undefined): Change {
  const change = { family, name: wanted.name, after: wanted.value, origin: wanted.origin };
  const edits = findEdits({}, wanted.value);
  if (wanted.serverOwned) return { ...change, action: "leave", reason: "server-owned", edits };
  if (policy?.mode === "observe") return { ...change, action: "leave", reason: "observed", edits };
  return { ...change, action: "create", reason: "declared", edits };
}

function compared(
  family: ResourceFamily,
  wanted: DesiredResource,
  live: LiveResource,
  policy: FamilyPolicy | undefined,
): Change {
  const isSame = isEqual(live.value, wanted.value);
  const after = isSame ? wanted.value : keepUnknown(wanted.value, live.value, factsOf[family].fields);
  const edits: readonly Edit[] = isSame || isEqual(live.value, after) ? none : findEdits(live.value, after);
  const { name, origin } = wanted;
  const unknown = isSame ? [] : findUnknownFields(live.value, wanted.value, factsOf[family].fields);
  const change = (action: "leave" | "update", reason: Reason): Change => {
    const found = { family, name, action, reason, edits, before: live.value, after, live, origin };
    const isManaged = live.ownership === "open" && !wanted.serverOwned && policy?.mode !== "observe";
    return isManaged && unknown.length > 0 ? { ...found, unknown } : found;
  };
  if (live.ownership !== "open") return change("leave", live.ownership);
  if (wanted.serverOwned) return change("leave", "server-owned");
  if (edits.length === 0) return change("leave", "in-sync");
  if (policy?.mode === "observe") return change("leave", "observed");
  return change("update", "declared");
}

function undeclared(family: ResourceFamily, live: LiveResource, policy: FamilyPolicy | undefined): Change {
  const change = { family, name: live.name, before: live.value, live };
  const leave = (reason: Reason): Change => ({ ...change, action: "leave", reason, edits: [] });
  if (live.ownership !== "open") return leave(live.ownership);
  if (!isInScope(policy, live.name)) return leave("out-of-scope");
  const edits = findEdits(live.value, {});
  switch (policy?.mode ?? "manage") {
    case "manage":
      return { ...change, action: "delete", reason: "no-longer-declared", edits };
    case "observe":
      return { ...change, action: "leave", reason: "observed", edits };
    case "adopt":
      return leave("unmanaged");
  }
}

const none: readonly Edit[] = [];
