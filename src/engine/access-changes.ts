import { compareAccess } from "../access/compare/compare.ts";
import { modelOf } from "../access/model.ts";
import { settingsIn } from "../access/settings.ts";
import type { AccessState, Held } from "../access/state.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { judgingOf } from "../dialects/judging.ts";
import { shippedWith } from "../dialects/shipped/index.ts";
import { nounOf } from "../families/index.ts";
import { readState } from "../live/read.ts";
import type { AccessDifferences } from "../model/access.ts";
import { type Change, isPending } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import { heldAfter, heldBefore } from "../plan/guards/steps.ts";
import { holdsSecret, veiled } from "../render/secrets.ts";

/** What says who may do what. */
const telling: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups", "tenants", "blocks"];

/** Without these nothing can be said. */
const needed: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups"];

/**
 * Who gains and who loses by changes. What of the live state the plan had no need of is read for it, one GET a family;
 * nothing, where nothing changes that says who may do what.
 */
export async function accessChanges(
  {
    changes,
    live,
    dialect,
  }: { readonly changes: readonly Change[]; readonly live: LiveState; readonly dialect: Dialect },
  reader: ReadPort,
): Promise<AccessDifferences | undefined> {
  const pending = changes.filter(isPending);
  if (!pending.some(({ family }) => (telling as readonly string[]).includes(family))) return undefined;
  const missing = telling.filter((family) => !live.resources.has(family) && family in dialect.collections);
  const others = await readState(reader, dialect, { needed: [], reference: missing });
  const whole: LiveState = { ...live, resources: new Map([...live.resources, ...others.resources]) };
  const unread = needed.filter((family) => !whole.resources.has(family));
  if (unread.length > 0) {
    const families = unread.map((family) => nounOf(family, 2)).join(" and ");
    return { entering: [], statements: [], untold: [`who gains and who loses: ${families} may not be read.`] };
  }
  const veil = new Map(changes.filter(hasSecret).map((change) => [change.name, veiled(change)]));
  const judged = {
    live: whole,
    pending: pending.map((change) => (hasSecret(change) ? (veil.get(change.name) ?? change) : change)),
  };
  const before = stateOf((family) => veiledIn(family, heldBefore(family, judged), veil), dialect, whole);
  const kept = new Map([...veil].filter(([, change]) => !isPending(change)));
  const touched = new Set(pending.map(({ family }) => family));
  const after = stateOf(
    (family) => (touched.has(family) ? veiledIn(family, heldAfter(family, judged), kept) : held(before, family)),
    dialect,
    whole,
  );
  return compareAccess(modelOf(before), modelOf(after));
}

/** A query may be a secret; of other fields that say who may do what, none is. */
function hasSecret({ family, before, after }: Change): boolean {
  return family === "roles" && (holdsSecret(after ?? {}) || holdsSecret(before ?? {}));
}

/** The server shows as plain text what the repository keeps secret. */
function veiledIn(family: ResourceFamily, values: Held, veil: ReadonlyMap<string, Change>): Held {
  if (family !== "roles" || veil.size === 0) return values;
  return new Map([...values].map(([name, value]) => [name, veil.get(name)?.before ?? value]));
}

function stateOf(heldIn: (family: ResourceFamily) => Held, dialect: Dialect, { config }: LiveState): AccessState {
  return {
    judging: judgingOf(dialect),
    roles: heldIn("roles"),
    mappings: heldIn("role_mappings"),
    // Those that are part of a product are not always shown.
    groups: new Map([...shippedWith(dialect).action_groups, ...heldIn("action_groups")]),
    tenants: heldIn("tenants"),
    blocks: heldIn("blocks"),
    settings: config ? settingsIn(config.document) : {},
  };
}

function held({ roles, mappings, groups, tenants, blocks }: AccessState, family: ResourceFamily): Held {
  return { roles, role_mappings: mappings, action_groups: groups, tenants, blocks }[family];
}
