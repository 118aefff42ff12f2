import type { Dialect } from "../../dialects/dialect.ts";
import { judgingOf } from "../../dialects/judging.ts";
import { shippedWith } from "../../dialects/shipped/index.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { settingsIn } from "../settings.ts";
import type { AccessState, Held } from "../state.ts";

/** What the files declare, over what the product came with: what that is called like is taken from the files. */
export function declaredAccess({ resources, config }: DesiredState, dialect: Dialect): AccessState {
  const shipped = shippedWith(dialect);
  const declared = (family: ResourceFamily): Held =>
    new Map([...(resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
  return {
    judging: judgingOf(dialect),
    roles: new Map([...shipped.roles, ...declared("roles")]),
    mappings: new Map([...shipped.role_mappings, ...declared("role_mappings")]),
    groups: new Map([...shipped.action_groups, ...declared("action_groups")]),
    tenants: new Map([...shipped.tenants, ...declared("tenants")]),
    blocks: declared("blocks"),
    settings: config ? settingsIn(config.value) : {},
  };
}

/** What a server shows of itself. */
export function liveAccess({ resources, config, internalUsers }: LiveState, dialect: Dialect): AccessState {
  const live = (family: ResourceFamily): Held =>
    new Map([...(resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
  return {
    judging: judgingOf(dialect),
    roles: live("roles"),
    mappings: live("role_mappings"),
    // Those that are part of a product are not always shown.
    groups: new Map([...shippedWith(dialect).action_groups, ...live("action_groups")]),
    tenants: live("tenants"),
    blocks: live("blocks"),
    settings: config ? settingsIn(config.document) : {},
    ...(internalUsers && { users: internalUsers }),
  };
}
