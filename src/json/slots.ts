import { keyedDigest } from "./canonical.ts";
import { Secret } from "./secret.ts";
import { isList, isObject, type Json, type Value } from "./value.ts";

/** Secrets by their text. */
export type KnownSecrets = ReadonlyMap<string, Secret>;

/** Every secret in these values that has one, by its text; what the repository calls it goes before `live`. */
export function secretsIn(values: readonly Value[]): KnownSecrets {
  const found = new Map<string, Secret>();
  const visit = (value: Value): void => {
    if (value instanceof Secret) {
      if (!value.resolved || value.reveal() === "") return;
      const before = found.get(value.reveal());
      if (before === undefined || before.reference === "live") found.set(value.reveal(), value);
    } else if (isList(value)) {
      for (const item of value) visit(item);
    } else if (isObject(value)) {
      for (const item of Object.values(value)) visit(item);
    }
  };
  for (const value of values) visit(value);
  return found;
}

/**
 * Plain JSON in which `{"$secret": REFERENCE}` stands for a secret and for every text that is one of the known ones.
 * With a key each has an `hmac` of its text besides. Asterisks, which servers show for a secret, stay what they are.
 */
export function withSlots(value: Value, known: KnownSecrets, key: string | undefined): Json {
  const visit = (item: Value): Json => {
    if (typeof item === "string") return known.has(item) ? slot(known.get(item) as Secret, key) : item;
    if (item instanceof Secret) return isMask(item) ? item.reveal() : slot(item, key);
    if (isList(item)) return item.map(visit);
    if (!isObject(item)) return item;
    const members = Object.fromEntries(Object.entries(item).map(([name, member]) => [name, visit(member)]));
    // So that nobody's field is ever taken for a slot.
    return Object.hasOwn(item, "$secret") || Object.hasOwn(item, "$plain") ? { $plain: members } : members;
  };
  return visit(value);
}

/** The value again, each slot filled by what is handed in. */
export function fillSlots(value: Json, secretOf: (reference: string, hmac: string | undefined) => Value): Value {
  const visit = (item: Json): Value => {
    if (isList(item)) return item.map(visit);
    if (typeof item !== "object" || item === null) return item;
    const object = item as { readonly [key: string]: Json };
    const { $secret, $plain, hmac } = object;
    if (typeof $secret === "string") return secretOf($secret, typeof hmac === "string" ? hmac : undefined);
    const members = isObject($plain) ? ($plain as { readonly [key: string]: Json }) : object;
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, visit(member)]));
  };
  return visit(value);
}

/** What a slot says of a secret's text: nothing to whoever has no key. */
export function secretDigest(text: string, key: string): string {
  return keyedDigest(`secret\n${text}`, key);
}

function slot(secret: Secret, key: string | undefined): Json {
  const isKeyed = key !== undefined && secret.resolved;
  return { $secret: secret.reference, ...(isKeyed && { hmac: secretDigest(secret.reveal(), key) }) };
}

function isMask(secret: Secret): boolean {
  return secret.resolved && /^\*+$/.test(secret.reveal());
}
