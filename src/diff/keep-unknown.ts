import type { Field } from "../families/facts.ts";
import { getUnknownFields } from "../families/unknown.ts";
import { encodeCanonical } from "../json/canonical.ts";
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
  const partners = partnersOf(desired.filter(isObject), before, facts);
  return desired.map((element) => {
    const partner = isObject(element) ? partners.get(element) : undefined;
    return partner && isObject(element) ? { ...element, ...getUnknownFields(partner, facts) } : element;
  });
}

/**
 * For each desired permission the live one that it was, the most alike first: what is not known must not move to a
 * permission that is merely alike. Permissions without anything in common are different things.
 */
function partnersOf(
  desired: readonly Fields[],
  live: readonly Fields[],
  facts: Readonly<Record<string, Field>>,
): ReadonlyMap<Fields, Fields> {
  const known = live.map((element) => membersOf(knownOf(element, facts)));
  const candidates = desired.flatMap((element, at) => {
    const members = membersOf(element);
    return known.map((others, index) => ({ at, index, likeness: likeness(members, others) }));
  });
  candidates.sort((a, b) => b.likeness - a.likeness || a.at - b.at || a.index - b.index);
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, index, likeness } of candidates) {
    if (likeness === 0 || partners.has(at) || taken.has(index)) continue;
    partners.set(at, index);
    taken.add(index);
  }
  return new Map([...partners].map(([at, index]) => [desired[at] as Fields, live[index] as Fields]));
}

/** The share of members that two permissions have in common; 1 for equal ones. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((member) => b.has(member)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

function membersOf(element: Fields): ReadonlySet<string> {
  return new Set(
    Object.entries(element).flatMap(([name, value]) =>
      (isList(value) ? value : [value]).map((member) => `${name} ${encodeCanonical(member)}`),
    ),
  );
}

function knownOf(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(Object.entries(element).filter(([name]) => Object.hasOwn(facts, name)));
}
