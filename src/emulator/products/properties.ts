// The words that the classes of the servers are written in.
import type { ClassProperty, ServerClass } from "../values/classes.ts";

export const textProperty: ClassProperty = { kind: "text" };
export const flagProperty: ClassProperty = { kind: "flag" };
export const trueFlagProperty: ClassProperty = { kind: "flag", initial: true };
export const textsProperty: ClassProperty = { kind: "texts" };
export const freeProperty: ClassProperty = { kind: "free" };
export const createTextProperty = (initial: string): ClassProperty => ({ kind: "text", initial });

/** `known` where complaints list the properties in another order than answers. */
export function createClass(
  name: string,
  properties: Readonly<Record<string, ClassProperty>>,
  known = Object.keys(properties),
): ServerClass {
  return { name, properties, known };
}
