// The worlds of the naive judge as src/access takes them.
import { type AccessModel, modelOf } from "../../src/access/model.ts";
import type { AccessSettings, AccessState } from "../../src/access/state.ts";
import type { Subject } from "../../src/access/subject.ts";
import { dialectFor } from "../../src/dialects/index.ts";
import { judgingOf } from "../../src/dialects/judging.ts";
import type { Fields } from "../../src/json/value.ts";
import type { Person, World } from "./judged.ts";

const judging = {
  opensearch: judgingOf(dialectFor("opensearch", "2.19")),
  "search-guard-7": judgingOf(dialectFor("search-guard", "7.x-38")),
  "search-guard-6": judgingOf(dialectFor("search-guard", "6")),
} as const;

export function stateOf(world: World, more: AccessSettings = {}): AccessState {
  const { multi_rolespan_enabled, dfm_empty_overrides_all, roles_mapping_resolution } = world.settings ?? {};
  const held = (values: object): ReadonlyMap<string, Fields> => new Map(Object.entries(values));
  return {
    judging: judging[world.product],
    roles: held(world.roles),
    mappings: held(world.mappings),
    groups: held(Object.fromEntries(Object.entries(world.groups).map(([name, texts]) => [name, groupOf(texts)]))),
    tenants: held(Object.fromEntries((world.tenants ?? []).map((name) => [name, tenant]))),
    blocks: held(Object.fromEntries((world.blocks ?? []).map((block, at) => [`b${at}`, block]))),
    ...(world.users && { users: { kind: "known", byName: new Map(Object.entries(world.users)) } }),
    settings: {
      ...more,
      ...(multi_rolespan_enabled !== undefined && { spansRoles: multi_rolespan_enabled }),
      ...(dfm_empty_overrides_all !== undefined && { emptyLifts: dfm_empty_overrides_all }),
      ...(roles_mapping_resolution !== undefined && { mappingResolution: roles_mapping_resolution }),
    },
  };
}

const tenant: Fields = {};
const groups = new WeakMap<object, Fields>();

/** The same for the same list: what has not changed is told by that. */
function groupOf(texts: readonly string[]): Fields {
  const group = groups.get(texts) ?? { allowed_actions: texts };
  groups.set(texts, group);
  return group;
}

export function modelOfWorld(world: World, more?: AccessSettings): AccessModel {
  return modelOf(stateOf(world, more));
}

export function subjectOfPerson({ user, backendRoles, host, attributes, roles }: Person): Subject {
  return {
    user: { name: user },
    backendRoles: backendRoles.map((name) => ({ name })),
    ...(host !== undefined && { host: { name: host } }),
    attributes: Object.fromEntries(
      Object.entries(attributes ?? {}).map(([name, value]) => [`internal.${name}`, value]),
    ),
    ...(roles && { roles }),
  };
}
