// The fixtures of the naive evaluator as src/access takes them.
import { type AccessModel, createAccessModel } from "../../src/access/model/access-model.ts";
import type { AccessSettings, AccessState } from "../../src/access/model/state.ts";
import type { Subject } from "../../src/access/model/subject.ts";
import { decodeAliases } from "../../src/dialects/aliases.ts";
import { getSemantics } from "../../src/dialects/find-semantics.ts";
import { createDialect } from "../../src/dialects/index.ts";
import type { Semantics } from "../../src/dialects/semantics.ts";
import { memoiseByKey, memoiseByObject } from "../../src/json/memoise.ts";
import type { Fields } from "../../src/json/value.ts";
import type { Fixture, Person } from "./evaluated.ts";

const semantics = {
  opensearch: getSemantics(createDialect("opensearch", "2.19")),
  "search-guard-7": getSemantics(createDialect("search-guard", "7.x-38")),
  "search-guard-6": getSemantics(createDialect("search-guard", "6")),
} as const;

const semanticsOf = memoiseByKey((release: string) =>
  memoiseByKey((evaluation: string) => getSemantics(createDialect("opensearch", release), evaluation)),
);

/** The same for the same aliases: what has not changed is known by that. */
const withAliases = memoiseByObject((base: Semantics) =>
  memoiseByKey((aliases: string): Semantics => {
    const ofIndex = Object.entries(JSON.parse(aliases) as Readonly<Record<string, readonly string[]>>);
    const shown = ofIndex.map(([index, names]) => [index, { aliases: Object.fromEntries(names.map((n) => [n, {}])) }]);
    const decoded = decodeAliases(Object.fromEntries(shown));
    // The naive evaluator knows nothing of restrictions that apply otherwise because of an alias: tried on real servers.
    return { ...base, aliasesSplitRestrictions: false, ...(decoded && { aliases: decoded }) };
  }),
);

export function stateOf(fixture: Fixture, more: AccessSettings = {}): AccessState {
  const { multi_rolespan_enabled, do_not_fail_on_forbidden, dfm_empty_overrides_all, roles_mapping_resolution } =
    fixture.settings ?? {};
  const held = (values: object): ReadonlyMap<string, Fields> => new Map(Object.entries(values));
  const base = fixture.release ? semanticsOf(fixture.release)(fixture.evaluation ?? "") : semantics[fixture.product];
  return {
    semantics: fixture.aliases ? withAliases(base)(JSON.stringify(fixture.aliases)) : base,
    roles: held(fixture.roles),
    mappings: held(fixture.mappings),
    groups: held(Object.fromEntries(Object.entries(fixture.groups).map(([name, texts]) => [name, groupOf(texts)]))),
    tenants: held(Object.fromEntries((fixture.tenants ?? []).map((name) => [name, tenant]))),
    blocks: held(Object.fromEntries((fixture.blocks ?? []).map((block, at) => [`b${at}`, block]))),
    ...(fixture.users && { users: { kind: "known", byName: new Map(Object.entries(fixture.users)) } }),
    settings: {
      ...more,
      ...(multi_rolespan_enabled !== undefined && { spansRoles: multi_rolespan_enabled }),
      ...(do_not_fail_on_forbidden !== undefined && { reducesRequests: do_not_fail_on_forbidden }),
      ...(dfm_empty_overrides_all !== undefined && { emptyRemoves: dfm_empty_overrides_all }),
      ...(roles_mapping_resolution !== undefined && { mappingResolution: roles_mapping_resolution }),
    },
  };
}

const tenant: Fields = {};
const groups = new WeakMap<object, Fields>();

/** The same for the same list: what has not changed is known by that. */
function groupOf(texts: readonly string[]): Fields {
  const group = groups.get(texts) ?? { allowed_actions: texts };
  groups.set(texts, group);
  return group;
}

export function modelOfFixture(fixture: Fixture, more?: AccessSettings): AccessModel {
  return createAccessModel(stateOf(fixture, more));
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
