// The words that the classes of the servers are written in.
import type { Bean, BeanSlot } from "../values/classes.ts";

export const textSlot: BeanSlot = { kind: "text" };
export const flag: BeanSlot = { kind: "flag" };
export const yes: BeanSlot = { kind: "flag", initial: true };
export const textsSlot: BeanSlot = { kind: "texts" };
export const free: BeanSlot = { kind: "free" };
export const createTextSlot = (initial: string): BeanSlot => ({ kind: "text", initial });

/** `known` where complaints list the properties in another order than answers. */
export function createBean(name: string, slots: Readonly<Record<string, BeanSlot>>, known = Object.keys(slots)): Bean {
  return { name, slots, known };
}
