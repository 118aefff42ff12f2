import type { Field } from "../families/facts.ts";
import { getUnknownFields } from "../families/unknown.ts";
import { pairMostAlike } from "../json/likeness.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";

/**
 * The desired value with everything of the live one that gate-sync does not know: unknown fields of the resource, and
 * unknown fields of the permissions inside it, which follow the permission they were on.
 */
export function keepUnknown(desired: Fields, live: Fields, facts: Readonly<Record<string, Field>>): Fields {
  const unknown = Object.entries(live).filter(([name]) => !Object.hasOwn(facts, name) && !Object.hasOwn(desired, name));
  const kept = Object.entries(desired).map(([name, value]): [string, Value] => {
    const element = facts[name]?.element;
    const before = live[name];
    return [name, element && isList(value) && isList(before) ? keepInElements(value, before, element) : value];
  });
  return Object.fromEntries([...kept, ...unknown]);
}

function keepInElements(
  desired: readonly Value[],
  live: readonly Value[],
  facts: Readonly<Record<string, Field>>,
): readonly Value[] {
  const before = live.filter(isObject);
  if (!before.some((element) => Object.keys(getUnknownFields(element, facts)).length > 0)) return desired;
  // What is not known must not move to a permission that is merely alike: the most alike are paired first, and
  // permissions without anything in common are different things.
  const known = before.map((element) => knownOf(element, facts));
  const elements = desired.filter(isObject);
  const partners = new Map(
    [...pairMostAlike(elements, known, Number.EPSILON)].map(([at, other]) => [elements[at], before[other]]),
  );
  return desired.map((element) => {
    const partner = isObject(element) ? partners.get(element) : undefined;
    return partner && isObject(element) ? { ...element, ...getUnknownFields(partner, facts) } : element;
  });
}

function knownOf(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(Object.entries(element).filter(([name]) => Object.hasOwn(facts, name)));
}
