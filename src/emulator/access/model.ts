import { type AccessModel, createAccessModel } from "../../access/model/access-model.ts";
import type { AccessSettings, HeldEntries } from "../../access/model/state.ts";
import { createBuiltins } from "../../dialects/builtin/index.ts";
import { decodeResource } from "../../dialects/codec.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { decodeInternalUsers } from "../../dialects/internal-users.ts";
import { getSemantics } from "../../dialects/semantics.ts";
import { isObject, type Json } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { EmulatorState } from "../state.ts";

/** The access model of what a server holds: its entries, and the product's built-in action groups, listed or not. */
export function createModels(dialect: Dialect): (held: EmulatorState) => AccessModel {
  const groups = createBuiltins(dialect).action_groups;
  // It has no aliases.
  const semantics = { ...getSemantics(dialect), aliasesDropRestrictions: false };
  return (held) => {
    const own = (family: ResourceFamily): HeldEntries =>
      new Map([...held[family]].map(([name, wire]) => [name, decodeResource(dialect, family, wire)]));
    const users = decodeInternalUsers(dialect, Object.fromEntries(held.internalUsers ?? []));
    return createAccessModel({
      semantics,
      roles: own("roles"),
      mappings: own("role_mappings"),
      groups: new Map([...groups, ...own("action_groups")]),
      tenants: own("tenants"),
      blocks: own("blocks"),
      settings: settingsIn(held.config.dynamic),
      ...(users && { users: { kind: "known", byName: users } }),
    });
  };
}

/** Search Guard 6 keeps booleans as texts. */
function settingsIn(dynamic: Json | undefined): AccessSettings {
  const config = isObject(dynamic) ? dynamic : {};
  const flag = (name: string): boolean | undefined =>
    config[name] === undefined || config[name] === null ? undefined : String(config[name]) === "true";
  const spansRoles = flag("multi_rolespan_enabled");
  return {
    ...(spansRoles !== undefined && { spansRoles }),
    reducesRequests: flag("do_not_fail_on_forbidden") ?? false,
    reducesToNothing: flag("do_not_fail_on_forbidden_empty") ?? false,
    resolvesHosts: config.hosts_resolver_mode === "ip-hostname-lookup",
  };
}
