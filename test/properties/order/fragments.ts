// The smallest edits that lead from one fixture to another: what a request could make together with others of its family, or
// leave for a later one. Any set of them is a state on the way.

import { type Fields, isEqual, isList, isObject, type Value } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { fixtureOf, type Resources, resourcesOf } from "./resources.ts";

export interface Fragment {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly make: (fields: Fields) => Fields;
}

/** Sorted by family, and within it by name. */
export function fragmentsBetween(before: Fixture, after: Fixture): readonly Fragment[] {
  const [was, is] = [resourcesOf(before), resourcesOf(after)];
  return [...was.keys()].flatMap((family) => {
    const names = new Set([...(was.get(family)?.keys() ?? []), ...(is.get(family)?.keys() ?? [])]);
    return [...names].sort().flatMap((name) => {
      return fragmentsOf(family, was.get(family)?.get(name), is.get(family)?.get(name)).map((make) => ({
        family,
        name,
        make,
      }));
    });
  });
}

/** The fixture in which just these have been made. */
export function fixtureWith(
  made: ReadonlySet<Fragment>,
  fragments: readonly Fragment[],
  before: Fixture,
  after: Fixture,
): Fixture {
  const [was, is] = [resourcesOf(before), resourcesOf(after)];
  const families = [...was.keys()].map((family) => {
    const values = new Map(was.get(family));
    for (const name of new Set(
      fragments.filter((fragment) => fragment.family === family).map((fragment) => fragment.name),
    )) {
      const relevant = fragments.filter((fragment) => fragment.family === family && fragment.name === name);
      const done = relevant.filter((fragment) => made.has(fragment));
      const value = done.reduce<Fields>((fields, { make }) => make(fields), values.get(name) ?? {});
      const last = is.get(family)?.get(name);
      const isWhole = done.length === relevant.length;
      if (isWhole && !last) values.delete(name);
      else if (done.length > 0) values.set(name, isWhole && last ? last : value);
    }
    return [family, values] as const;
  });
  const resources: Resources = new Map(families);
  return fixtureOf(resources, before);
}

type Make = Fragment["make"];

/** There with the first of them, gone with the last. */
function fragmentsOf(family: ResourceFamily, was: Fields | undefined, is: Fields | undefined): readonly Make[] {
  if (isEqual(was, is)) return [];
  // No server takes a block without a verdict, or one about nothing.
  if (family === "blocks" && (!was || !is)) return [() => is ?? {}];
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])].sort();
  const makes = fields.flatMap((field) => fieldFragments(field, was?.[field], is?.[field]));
  // A resource that is empty comes, or goes.
  return makes.length > 0 ? makes : [(value) => value];
}

function fieldFragments(field: string, was: Value = [], is: Value = []): readonly Make[] {
  const areLists = [isTexts, isPermissions].some((isSuch) => isSuch(was) && isSuch(is));
  if (!areLists) return isEqual(was, is) ? [] : [(fields) => ({ ...fields, [field]: is })];
  const [old, wanted] = [listOf(was), listOf(is)];
  const [goes, comes] = [without(old, wanted), without(wanted, old)];
  return (
    fragmentsInside(field, old, goes, comes) ?? [
      ...goes.map((item) => on(field, (list) => withoutOne(list, item))),
      ...comes.map((item) => on(field, (list) => [...list, item])),
    ]
  );
}

/** Where one permission comes for another, and they differ in one list alone, its members are the fragments. */
function fragmentsInside(
  field: string,
  list: readonly Value[],
  [from, ...others]: readonly Value[],
  [to, ...more]: readonly Value[],
): readonly Make[] | undefined {
  if (!isObject(from) || !isObject(to) || others.length + more.length > 0) return undefined;
  const inner = new Set([...Object.keys(from), ...Object.keys(to)]);
  const differing = [...inner].filter((name) => !isEqual(from[name], to[name]));
  const [name] = differing;
  if (name === undefined || differing.length > 1) return undefined;
  if (!isTexts(from[name] ?? []) || !isTexts(to[name] ?? [])) return undefined;
  const place = list.indexOf(from);
  return fieldFragments(name, from[name], to[name]).map((make) =>
    on(field, (items) => items.map((item, at) => (at === place && isObject(item) ? make(item) : item))),
  );
}

function on(field: string, change: (list: readonly Value[]) => readonly Value[]): Make {
  return (fields) => {
    const list = change(listOf(fields[field]));
    if (list.length > 0) return { ...fields, [field]: list };
    const { [field]: _, ...rest } = fields;
    return rest;
  };
}

function without(list: readonly Value[], others: readonly Value[]): readonly Value[] {
  return others.reduce<readonly Value[]>(withoutOne, list);
}

function withoutOne(list: readonly Value[], item: Value): readonly Value[] {
  const at = list.findIndex((one) => isEqual(one, item));
  return at === -1 ? list : list.toSpliced(at, 1);
}

function isTexts(value: Value): boolean {
  return isList(value) && value.every((item) => typeof item === "string");
}

function isPermissions(value: Value): boolean {
  return isList(value) && value.every((item) => isObject(item));
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}
