import type { Field } from "../families/facts.ts";
import { canonicalText } from "../json/canonical.ts";
import { equal, type Fields, isList, isObject, type Value } from "../json/value.ts";

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
  const withUnknown = live.filter(isObject).filter((element) => Object.keys(unknownOf(element, facts)).length > 0);
  if (withUnknown.length === 0) return desired;
  const left = new Set(withUnknown);
  // Exact partners first, so that a permission merely alike does not take another one's fields.
  const partners = new Map<Value, Fields>();
  for (const alike of [sameContent, samePatterns]) {
    for (const element of desired) {
      if (partners.has(element) || !isObject(element)) continue;
      const partner = [...left].find((candidate) => alike(element, knownOf(candidate, facts)));
      if (!partner) continue;
      partners.set(element, partner);
      left.delete(partner);
    }
  }
  return desired.map((element) => {
    const partner = partners.get(element);
    return partner && isObject(element) ? { ...element, ...unknownOf(partner, facts) } : element;
  });
}

function sameContent(a: Fields, b: Fields): boolean {
  return canonicalText(a) === canonicalText(b);
}

function samePatterns(a: Fields, b: Fields): boolean {
  return equal(a.index_patterns, b.index_patterns) && equal(a.tenant_patterns, b.tenant_patterns);
}

function knownOf(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(Object.entries(element).filter(([name]) => Object.hasOwn(facts, name)));
}

function unknownOf(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(Object.entries(element).filter(([name]) => !Object.hasOwn(facts, name)));
}
