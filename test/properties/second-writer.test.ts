// Where the server honours `test`: whatever a PATCH updates or deletes, and another writer changes between the reading and
// that PATCH, makes the server refuse the whole of it. Exhaustively over the small fixtures, two names that bulk PATCHes carry.
import { describe, expect, test } from "vitest";
import type { Plan } from "../../src/index.ts";
import { isEqual, isList, isObject, type Json, type JsonObject } from "../../src/json/value.ts";
import { hasTests } from "../../src/model/operation.ts";
import type { Product } from "../../src/model/plan.ts";
import { count, type Fixture, smallFixtures, smallNames } from "../fixtures/index.ts";
import { everyNth, isWhole } from "../support/extent.ts";
import type { FamilyName } from "../support/strict/forms.ts";
import { applyPlan, filesOf } from "../support/workspace.ts";
import type { Harness } from "./cycle.ts";
import { onEvery, useGrounds } from "./harness.ts";
import { rawOf, stage } from "./oracle.ts";

interface Kind {
  readonly product: Product;
  readonly release: string;
  readonly families: readonly FamilyName[];
  /** The fixtures come in the form of 7.x. */
  readonly form?: (family: FamilyName, entry: Json) => Json;
  /** What is at its default is not tested: a change that leaves all else alone is not seen. */
  readonly byFields?: true;
}

const shared = ["action_groups", "tenants", "roles"] as const;
const kinds: readonly Kind[] = [
  { product: "search-guard", release: "7.x-38", families: [...shared, "role_mappings"] },
  { product: "search-guard", release: "7.x-53", families: ["roles"] },
  { product: "search-guard", release: "6", families: ["action_groups", "roles"], form: ofSix },
  { product: "search-guard", release: "FLX", families: ["roles"], byFields: true },
  { product: "opensearch", release: "2.9", families: ["roles"] },
  { product: "gate", release: "7.x-43.0.0", families: [...shared, "role_mappings", "blocks"], byFields: true },
  { product: "gate", release: "6.x-25", families: ["action_groups"], byFields: true },
];

/** What another writer does to an entry; the value is none that a small fixture asks for. */
const deeds: Readonly<Record<string, (family: FamilyName, entry: Json) => Json | undefined>> = {
  "replaces a field": (family, entry) => ({ ...fieldsOf(entry), ...another[family] }),
  "sets one more field": (family, entry) => ({ ...fieldsOf(entry), ...more[family] }),
  "deletes it": () => undefined,
};

const another: Readonly<Record<FamilyName, JsonObject>> = {
  action_groups: { allowed_actions: ["moved"] },
  tenants: { description: "moved" },
  roles: { cluster_permissions: ["moved"] },
  role_mappings: { users: ["moved"] },
  blocks: { value: "moved" },
};

const more: Readonly<Record<FamilyName, JsonObject>> = {
  action_groups: { allowed_actions: ["r", "w", "moved"] },
  tenants: { description: "more" },
  roles: { tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: ["SGS_KIBANA_ALL_READ"] }] },
  role_mappings: { backend_roles: ["moved"] },
  blocks: { description: "moved" },
};

describe.each(kinds)("$product $release", (kind) => {
  const { product, release, families } = kind;
  const grounds = useGrounds(3, { server: { product, release }, stated: { product, release } });
  test.each(families)(
    "%s",
    async (family) => {
      const broken: string[] = [];
      let tried = 0;
      await onEvery(grounds(), everyNth(4, fixturesOf(family, kind)), async (fixture, harness) => {
        const found = await brokenProperties(fixture, family, harness, kind);
        tried += found.tried;
        broken.push(...found.lines.map((line) => `${fixture.seed}: ${line}`));
      });
      expect(broken).toEqual([]);
      expect(tried).toBeGreaterThan((family === "tenants" && kind.byFields ? 10 : 50) / (isWhole ? 1 : 10));
    },
    600_000,
  );
});

/** Those in which something is updated, or deleted together with something else: the rest is PUT and DELETE. */
function* fixturesOf(family: FamilyName, { release, form = (_, entry) => entry }: Kind): Generator<Fixture> {
  const options = { families: [family], pairs: 0, conflicts: false };
  for (const fixture of smallFixtures(release === "6.x-25" ? { ...options, release } : options)) {
    if (count(fixture, "update") + count(fixture, "delete") === 0) continue;
    yield renamed(fixture, (entry) => form(family, withoutFlags(entry)));
  }
}

/** No PATCH carries the second name of the small fixtures. */
function renamed(fixture: Fixture, form: (entry: Json) => Json): Fixture {
  const [, hard] = smallNames;
  const inEvery = <T, U>(families: ReadonlyMap<FamilyName, ReadonlyMap<string, T>>, as: (entry: T) => U) =>
    new Map(
      [...families].map(([family, entries]) => [
        family,
        new Map([...entries].map(([name, entry]) => [name === hard ? "b/ c" : name, as(entry)] as const)),
      ]),
    );
  return {
    ...fixture,
    desired: { resources: inEvery(fixture.desired.resources, (entry) => entry) },
    live: { resources: inEvery(fixture.live.resources, form) },
    expected: inEvery(fixture.expected, (changeOutcome) => changeOutcome),
  };
}

async function brokenProperties(fixture: Fixture, family: FamilyName, harness: Harness, kind: Kind) {
  const { emulator, workspace, stated } = harness;
  workspace.write(filesOf(fixture));
  stage(fixture, emulator);
  const { plan, ...planned } = await workspace.plan(emulator.url, stated);
  const lines = untested(plan, family, kind);
  let tried = 0;
  for (const [name, entry] of patchedEntries(plan, fixture, family)) {
    for (const [deed, done] of Object.entries(deeds)) {
      const becomes = done(family, asSeven(family, entry));
      const moved = becomes && kind.form ? kind.form(family, becomes) : becomes;
      if (!isSeen(entry, moved, kind)) continue;
      const before = stage(withEntry(fixture, family, name, moved), emulator);
      const report = await applyPlan({ ...planned, plan });
      const [outcome] = report.outcomes;
      // A run that finds all done by another writer has nothing to report.
      const isDone = moved === undefined && plan.operations[0]?.names.length === 1 && isDeleted(plan, name);
      const isStale = outcome?.cause === "stale" && outcome.detail?.includes(`${family}/${name}`) === true;
      const isExplained = isDone ? outcome?.kind === "done" && outcome.cause === undefined : isStale;
      if (!isExplained) lines.push(`${name}, another writer ${deed}: ${outcome?.kind}, ${outcome?.detail}`);
      if (!isEqual(asJson(rawOf(emulator)), asJson(before)))
        lines.push(`${name}, another writer ${deed}: something was written`);
      tried += 1;
    }
  }
  return { lines, tried };
}

/** Only a PATCH has tests, and of a create none. */
function untested(plan: Plan, family: FamilyName, { byFields }: Kind): string[] {
  return plan.operations.flatMap((operation) => {
    const expected = operation.method === "PATCH" && operation.names.some((name) => isHeld(plan, name));
    return hasTests(operation) === expected || (expected && byFields && family === "tenants")
      ? []
      : [`${operation.method} ${operation.path} has ${expected ? "no tests" : "tests"}`];
  });
}

function patchedEntries(plan: Plan, { live }: Fixture, family: FamilyName): [string, Json][] {
  const names = plan.operations.filter(({ method }) => method === "PATCH").flatMap((operation) => operation.names);
  return [...(live.resources.get(family) ?? [])].filter(([name]) => names.includes(name) && isHeld(plan, name));
}

/** A server may know no mapping that is static: then it holds none. */
function isHeld({ changes }: Plan, name: string): boolean {
  return changes.some((change) => change.name === name && change.action !== "create");
}

function isDeleted({ changes }: Plan, name: string): boolean {
  return changes.some((change) => change.name === name && change.action === "delete");
}

function isSeen(entry: Json, moved: Json | undefined, { byFields }: Kind): boolean {
  if (!byFields) return !isEqual(entry, moved);
  const after = isList(moved) ? { allowed_actions: moved } : moved;
  return Object.entries(fieldsOf(entry)).some(
    ([field, value]) => value !== "" && !isEqual(value, fieldsOf(after)[field]),
  );
}

function withEntry(fixture: Fixture, family: FamilyName, name: string, entry: Json | undefined): Fixture {
  const entries = new Map(fixture.live.resources.get(family));
  if (entry === undefined) entries.delete(name);
  else entries.set(name, entry);
  return { ...fixture, live: { resources: new Map([...fixture.live.resources, [family, entries]]) } };
}

function fieldsOf(entry: Json | undefined): JsonObject {
  if (isList(entry)) return { allowed_actions: entry };
  return isObject(entry) ? (entry as JsonObject) : {};
}

/** What has no owner has no flags in files; servers of real products show them themselves. */
function withoutFlags(entry: Json): Json {
  if (!isObject(entry)) return entry;
  const { reserved, hidden: _hidden, static: _static, ...rest } = entry as JsonObject;
  return reserved === true ? entry : rest;
}

function asJson({ resources, config }: ReturnType<typeof rawOf>): Json {
  return [[...resources].map(([family, entries]) => [family, Object.fromEntries(entries)]), config];
}

/** As Search Guard 6 holds it. */
function ofSix(family: FamilyName, entry: Json): Json {
  const { reserved, hidden: _hidden, static: _static, ...fields } = fieldsOf(entry);
  const flag = reserved === true ? { readonly: "true" } : {};
  if (family === "action_groups") return { ...flag, permissions: fields.allowed_actions ?? [] };
  return {
    ...flag,
    cluster: fields.cluster_permissions ?? [],
    ...(fields.index_permissions !== undefined && { indices: { i: { "*": ["a"], _dls_: '{"match_all": {}}' } } }),
    ...(fields.tenant_permissions !== undefined && { tenants: { t: "RO" } }),
  };
}

function asSeven(family: FamilyName, entry: Json): Json {
  const { permissions, cluster, indices, ...rest } = fieldsOf(entry);
  if (family === "action_groups")
    return { ...rest, ...(permissions !== undefined && { allowed_actions: permissions }) };
  return {
    ...rest,
    ...(cluster !== undefined && { cluster_permissions: cluster }),
    ...(indices !== undefined && { index_permissions: [] }),
  };
}
