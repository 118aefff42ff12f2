// The words that the classes of the servers are written in.
import type { Bean, Slot } from "../real/beans.ts";

export const text: Slot = { kind: "text" };
export const flag: Slot = { kind: "flag" };
export const yes: Slot = { kind: "flag", initial: true };
export const texts: Slot = { kind: "texts" };
export const free: Slot = { kind: "free" };
export const textBeing = (initial: string): Slot => ({ kind: "text", initial });

/** `known` where complaints list the properties in another order than answers. */
export function bean(name: string, slots: Readonly<Record<string, Slot>>, known = Object.keys(slots)): Bean {
  return { name, slots, known };
}
