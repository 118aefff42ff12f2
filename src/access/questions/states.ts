import type { Dialect } from "../../dialects/dialect.ts";
import { judgingOf } from "../../dialects/judging.ts";
import { shippedWith } from "../../dialects/shipped/index.ts";
import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { AccessSettings, AccessState, Held } from "../state.ts";

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
    settings: settingsOf(config?.value),
  };
}

/** What a server shows of itself. */
export function liveAccess({ resources, config }: LiveState, dialect: Dialect): AccessState {
  const live = (family: ResourceFamily): Held =>
    new Map([...(resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
  return {
    judging: judgingOf(dialect),
    roles: live("roles"),
    mappings: live("role_mappings"),
    groups: live("action_groups"),
    tenants: live("tenants"),
    blocks: live("blocks"),
    settings: settingsOf(config?.document),
  };
}

function settingsOf(config: Fields | undefined): AccessSettings {
  const dynamic = isObject(config?.dynamic) ? config.dynamic : {};
  const [spans, reduces, toNothing] = [
    truth(dynamic.multi_rolespan_enabled),
    truth(dynamic.do_not_fail_on_forbidden),
    truth(dynamic.do_not_fail_on_forbidden_empty),
  ];
  return {
    ...(spans !== undefined && { spansRoles: spans }),
    ...(reduces !== undefined && { reducesRequests: reduces }),
    ...(toNothing !== undefined && { reducesToNothing: toNothing }),
    resolvesHosts: dynamic.hosts_resolver_mode === "ip-hostname-lookup",
  };
}

/** Some releases keep it as a text. */
function truth(value: Value | undefined): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}
