import type { Dialect } from "../../dialects/dialect.ts";
import { createInternalUser } from "../../dialects/internal-users.ts";
import { memoiseReads } from "../../live/memo.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { InternalUsers } from "../../model/internal-user.ts";
import type { LiveFamily, LiveState } from "../../model/live.ts";
import { isResourceFamily } from "../../model/names.ts";
import type { ReadPort } from "../../model/ports.ts";
import { findAnswerPlaces } from "../../questions/places.ts";
import { redactChange } from "../../secrets/redact.ts";
import { openTarget } from "../open.ts";
import { plan } from "../plan.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { type OpenAccess, openHeld } from "./open.ts";

/** What a server would hold after the plan. */
export async function openPlanned(request: RunRequest, source: Source): Promise<OpenAccess> {
  const shared = shareReads(source);
  try {
    const how = { allowed: [], onlyPlans: true, withoutAccess: true, withoutForeign: true };
    const decided = await plan({ ...request, ...how }, shared.source);
    const { held, createModel, summary, ...access } = await openHeld(await openTarget(request), request, shared.source);
    const pending = decided.plan.changes.filter(isPending);
    const after = addChanges(held, pending.map(redactChange), access.dialect);
    const { product, release } = access.dialect;
    const count = pending.length === 1 ? "1 change" : `${pending.length} changes`;
    return {
      ...access,
      model: createModel(after),
      places: findAnswerPlaces(decided.desired),
      basis: `Based on what ${summary.url} would hold after the plan (${product} ${release}, ${count}).`,
      notes: [...access.notes, ...listRefusals(decided.plan.violations)],
    };
  } finally {
    await shared.close();
  }
}

/** The plan and the question are about the same answers. */
function shareReads(source: Source): { readonly source: Source; readonly close: () => Promise<void> } {
  if ("snapshot" in source) return { source, close: async () => {} };
  let reader: ReadPort | undefined;
  return {
    source: {
      connect(target) {
        reader ??= memoiseReads(source.connect(target));
        return { ...reader, close: async () => {} };
      },
    },
    close: async () => reader?.close(),
  };
}

function listRefusals(violations: readonly { readonly rule: string }[]): readonly string[] {
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  return rules.length === 0 ? [] : [`The plan is refused as it is: ${rules.join(", ")}. gate-sync plan says why.`];
}

function addChanges(held: LiveState, pending: readonly Change[], dialect: Dialect): LiveState {
  const families = new Set(pending.map(({ family }) => family).filter(isResourceFamily));
  const changed = [...families].map((family) => {
    const entries = new Map(held.resources.get(family));
    for (const change of pending) if (change.family === family) addChange(entries, family, change);
    return [family, entries as LiveFamily] as const;
  });
  const config = pending.find(({ family }) => family === "config")?.after;
  const { internalUsers } = held;
  return {
    ...held,
    resources: new Map([...held.resources, ...changed]),
    ...(config && { config: { document: config } }),
    ...(internalUsers && { internalUsers: addChangedUsers(internalUsers, pending, dialect) }),
  };
}

function addChange(entries: Map<string, unknown>, family: string, { name, after }: Change): void {
  if (after) entries.set(name, { family, name, value: after, ownership: "open" });
  else entries.delete(name);
}

function addChangedUsers(users: InternalUsers, pending: readonly Change[], dialect: Dialect): InternalUsers {
  if (users.kind === "unread") return users;
  const byName = new Map(users.byName);
  for (const { family, name, after } of pending) {
    if (family !== "internal_users") continue;
    if (after) byName.set(name, createInternalUser(after, dialect));
    else byName.delete(name);
  }
  return { kind: "known", byName };
}
