import { type AccessModel, createAccessModel } from "../../access/model/access-model.ts";
import { readAccessSettings, readEvaluationType } from "../../access/model/settings.ts";
import type { HeldEntries } from "../../access/model/state.ts";
import { addAliases, decodeAliases } from "../../dialects/aliases.ts";
import { createBuiltins, findUnlistedRoles } from "../../dialects/builtin/index.ts";
import { decodeResource } from "../../dialects/codec.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { getSemantics } from "../../dialects/find-semantics.ts";
import { decodeInternalUsers } from "../../dialects/internal-users.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import type { JsonObject } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { EmulatorState } from "../state.ts";

/** The access model of what a server holds: its entries, and the product's built-in action groups, listed or not. */
export function createModels(dialect: Dialect, shown: JsonObject = {}): (held: EmulatorState) => AccessModel {
  const groups = createBuiltins(dialect).action_groups;
  const aliases = decodeAliases(shown);
  const semanticsOf = memoiseByKey((evaluation: string) => addAliases(getSemantics(dialect, evaluation), aliases));
  return (held) => {
    const own = (family: ResourceFamily): HeldEntries =>
      new Map([...held[family]].map(([name, wire]) => [name, decodeResource(dialect, family, wire)]));
    // It has no dashboards, and lets no one in without a login.
    const { dashboards: _, anonymous: __, ...settings } = readAccessSettings(held.config);
    const users = decodeInternalUsers(dialect, Object.fromEntries(held.internal_users));
    return createAccessModel({
      semantics: semanticsOf(readEvaluationType(held.config)),
      roles: own("roles"),
      unlisted: findUnlistedRoles(dialect),
      mappings: own("role_mappings"),
      groups: new Map([...groups, ...own("action_groups")]),
      tenants: own("tenants"),
      blocks: own("blocks"),
      settings,
      ...(users && { users: { kind: "known", byName: users } }),
    });
  };
}
