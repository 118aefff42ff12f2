import { products } from "../dialects/index.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import { families, isResourceFamily } from "../model/names.ts";

// Checks of gate-sync's own records when they are read again: they may have been edited, or damaged on the disk.

export type ShapeCheck = (value: Value | undefined) => boolean;

export const isString: ShapeCheck = (value) => typeof value === "string";
export const isBoolean: ShapeCheck = (value) => typeof value === "boolean";
/** From 1 on. */
export const isNumber: ShapeCheck = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
export const isKnownFamily = fitsOneOf(...families);

export function fitsOneOf(...allowed: readonly Value[]): ShapeCheck {
  return (value) => value !== undefined && allowed.includes(value);
}

/** Absent, or what fits. */
export function fitsOptional(fits: ShapeCheck): ShapeCheck {
  return (value) => value === undefined || fits(value);
}

export function fitsList(fits: ShapeCheck): ShapeCheck {
  return (value) => isList(value) && value.every(fits);
}

/** An object with these fields; what else it has is a later version's. */
export function fitsObject(fields: Readonly<Record<string, ShapeCheck>>): ShapeCheck {
  return (value) => isObject(value) && Object.entries(fields).every(([name, fits]) => fits(memberOf(value, name)));
}

/** As `Date` writes it. */
export const isTime: ShapeCheck = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

export const isAddress: ShapeCheck = (value) =>
  typeof value === "string" &&
  families.some((family) => (isResourceFamily(family) ? value.startsWith(`${family}/`) : value === family));

/** A target as a run knew it. */
export const isTarget = fitsObject({
  name: isString,
  url: isString,
  server: fitsObject({
    product: fitsOneOf(...products),
    release: isString,
    how: isString,
    engine: fitsOptional(isString),
    clusterName: fitsOptional(isString),
    clusterUuid: fitsOptional(isString),
  }),
});

function memberOf(value: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
