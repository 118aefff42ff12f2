import { computeKeyedDigest } from "./canonical.ts";
import { Secret } from "./secret.ts";
import { type Fields, holdsSecret, isList, isObject, type Json, type JsonObject, type Value } from "./value.ts";

/** Secrets by their text. */
export type KnownSecrets = ReadonlyMap<string, Secret>;

/** Every secret in these values that has one, by its text; what the repository calls it goes before `live`. */
export function collectSecrets(values: readonly Value[]): KnownSecrets {
  const found = new Map<string, Secret>();
  const visit = (value: Value): void => {
    if (!holdsSecret(value)) return;
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

export interface SlotOptions {
  /** Secrets that may be in the value as plain text. */
  readonly known: KnownSecrets;
  /** With it, each slot has an `hmac` of its text. */
  readonly key?: string | undefined;
  /** Where the text can be had again, for `from`. */
  readonly from?: (secret: Secret) => string | undefined;
  /** Its text, encrypted, for `encrypted`: of a secret that cannot be had again. */
  readonly encrypt?: (secret: Secret) => string | undefined;
}

/**
 * Plain JSON in which `{"$secret": REFERENCE}` replaces a secret and every text that is one of the known ones.
 * Asterisks, which servers show for a secret, stay what they are.
 */
export function putSecretsInSlots(value: Value, options: SlotOptions): Json {
  const visit = (item: Value): Json => {
    if (isWithoutSlots(item, options.known)) return item;
    if (typeof item === "string") {
      const known = options.known.get(item);
      return known ? slot(known, options) : item;
    }
    if (item instanceof Secret) return isMask(item) ? item.reveal() : slot(item, options);
    if (isList(item)) return item.map(visit);
    if (!isObject(item)) return item;
    const members = Object.fromEntries(Object.entries(item).map(([name, member]) => [name, visit(member)]));
    // So that no field of a user is mistaken for a slot.
    return Object.hasOwn(item, "$secret") || Object.hasOwn(item, "$plain") ? { $plain: members } : members;
  };
  return visit(value);
}

/** Of nearly every value: it is its own form with slots, and not copied. */
function isWithoutSlots(value: Value, known: KnownSecrets): value is Json {
  if (typeof value === "string") return !known.has(value);
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Secret) return false;
  if (isList(value)) {
    for (const item of value) if (!isWithoutSlots(item, known)) return false;
    return true;
  }
  for (const name in value as Fields) {
    if (name === "$secret" || name === "$plain" || !isWithoutSlots((value as Fields)[name] ?? null, known))
      return false;
  }
  return true;
}

/** Where a place in the value itself is once slots are in it; undefined where it has nothing there. */
export function getSlottedValueAt(root: Json | undefined, path: readonly string[]): Json | undefined {
  let value = root;
  for (const token of path) {
    const members = isObject(value) && isObject(value.$plain) ? value.$plain : value;
    if (!isObject(members) || !Object.hasOwn(members, token)) return undefined;
    value = members[token] as Json;
  }
  return value;
}

export interface Slot {
  readonly reference: string;
  readonly hmac?: string;
  readonly from?: string;
  readonly encrypted?: string;
}

/** The value again, each slot filled by what is handed in. */
export function fillSlots(value: Json, fill: (slot: Slot) => Value): Value {
  const visit = (item: Json): Value => {
    if (isList(item)) return item.map(visit);
    if (!isJsonObject(item)) return item;
    const { $secret, $plain, hmac, from, encrypted } = item;
    if (typeof $secret === "string") {
      return fill({
        reference: $secret,
        ...(typeof hmac === "string" && { hmac }),
        ...(typeof from === "string" && { from }),
        ...(typeof encrypted === "string" && { encrypted }),
      });
    }
    const members = $plain !== undefined && isJsonObject($plain) ? $plain : item;
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, visit(member)]));
  };
  return visit(value);
}

/** The digest of a secret's text in a slot: useless without the key. */
export function computeSecretDigest(text: string, key: string): string {
  return computeKeyedDigest(`secret\n${text}`, key);
}

function slot(secret: Secret, { key, from, encrypt }: SlotOptions): Json {
  const source = from?.(secret);
  const encrypted = encrypt?.(secret);
  return {
    $secret: secret.reference,
    ...(key !== undefined && secret.resolved && { hmac: computeSecretDigest(secret.reveal(), key) }),
    ...(source !== undefined && { from: source }),
    ...(encrypted !== undefined && { encrypted }),
  };
}

function isMask(secret: Secret): boolean {
  return secret.resolved && /^\*+$/.test(secret.reveal());
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}
