// The fixtures of the proofs on the model as lists of values: they hold so few resources that each has a place of its own.
import { decodeResource, encodeResource } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { memoiseByKey, memoiseByObject } from "../../../src/json/memoise.ts";
import { type Fields, isEqual } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Family, ResourceFamily } from "../../../src/model/names.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { remembered } from "./remembered.ts";
import { fixtureOf, resourcesOf } from "./resources.ts";

/** All that the fixtures may hold, in the usual order of writes. */
export const slots: readonly (readonly [family: ResourceFamily, name: string])[] = [
  ["action_groups", "g"],
  ["tenants", "t1"],
  ["roles", "r"],
  ["roles", "s"],
  ["role_mappings", "r"],
  ["role_mappings", "s"],
  ["blocks", "b0"],
];

/** A value for each slot, canonical. */
export type Values = readonly (Fields | undefined)[];

/** As the server would show it; the same value where fixtures say the same. */
export function valuesOf(fixture: Fixture, dialect: Dialect): Values {
  const resources = resourcesOf(fixture);
  return slots.map(([family, name]) => {
    const value = resources.get(family)?.get(name);
    return value && shownBy(dialect)(family)(JSON.stringify(value));
  });
}

const shownBy = memoiseByObject((dialect: Dialect) =>
  memoiseByKey((family: ResourceFamily) =>
    remembered((text) => decodeResource(dialect, family, encodeResource(dialect, family, JSON.parse(text)))),
  ),
);

export function fixtureAt(values: Values, like: Pick<Fixture, "product" | "settings">): Fixture {
  const held = new Map(slots.map(([family]) => [family, new Map<string, Fields>()]));
  for (const [at, [family, name]] of slots.entries()) {
    const value = values[at];
    if (value) held.get(family)?.set(name, value);
  }
  return fixtureOf(held, { groups: {}, roles: {}, mappings: {}, ...like });
}

/** By slot; undefined where nothing changes. */
export function changesBetween(old: Values, wanted: Values): readonly (Change | undefined)[] {
  return slots.map(([family, name], at): Change | undefined => {
    const [before, after] = [old[at], wanted[at]];
    if (before === after || (before && after && isEqual(before, after))) return undefined;
    const action = !before ? "create" : after ? "update" : "delete";
    return { family, name, action, reason: "declared", edits: [], ...(before && { before }), ...(after && { after }) };
  });
}

/** What is there once the changes are made. */
export function made(values: Values, changes: readonly Change[]): Values {
  const after = [...values];
  for (const { family, name, after: value } of changes) {
    after[slotOf(family, name)] = value;
  }
  return after;
}

export function slotOf(family: Family, name: string): number {
  return slots.findIndex((slot) => slot[0] === family && slot[1] === name);
}
