import { products } from "../dialects/index.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import { families, isResourceFamily } from "../model/names.ts";

// What the tool's own records are held against when they are read again: somebody, or a disk, may have changed them.

export type Fits = (value: Value | undefined) => boolean;

export const isString: Fits = (value) => typeof value === "string";
export const isBoolean: Fits = (value) => typeof value === "boolean";
/** From 1 on. */
export const isNumber: Fits = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
export const isFamily = oneOf(...families);

export function oneOf(...allowed: readonly Value[]): Fits {
  return (value) => value !== undefined && allowed.includes(value);
}

/** Absent, or what fits. */
export function maybe(fits: Fits): Fits {
  return (value) => value === undefined || fits(value);
}

export function listOf(fits: Fits): Fits {
  return (value) => isList(value) && value.every(fits);
}

/** An object with these fields; what else it has is a later version's. */
export function having(fields: Readonly<Record<string, Fits>>): Fits {
  return (value) => isObject(value) && Object.entries(fields).every(([name, fits]) => fits(memberOf(value, name)));
}

/** As `Date` writes it. */
export const isTime: Fits = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

export const isAddress: Fits = (value) =>
  typeof value === "string" &&
  families.some((family) => (isResourceFamily(family) ? value.startsWith(`${family}/`) : value === family));

/** A target as a run knew it. */
export const isTarget = having({
  name: isString,
  url: isString,
  server: having({
    product: oneOf(...products),
    release: isString,
    how: isString,
    engine: maybe(isString),
    clusterName: maybe(isString),
    clusterUuid: maybe(isString),
  }),
});

function memberOf(value: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
