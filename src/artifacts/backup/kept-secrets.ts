import { configPlaces } from "../../families/config.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isEqual, isList, isObject, type Value } from "../../json/value.ts";
import type { Manifest } from "../../model/backup.ts";
import type { LiveFamily, LiveState } from "../../model/live.ts";
import { isResourceFamily } from "../../model/names.ts";

/**
 * The live state with every string of those entries hidden into which the run wrote a secret. Which of the strings is the
 * secret is stored nowhere: the manifest has no digest of these entries.
 */
export function withHiddenStrings(live: LiveState, { changes }: Manifest): LiveState {
  const held = changes.filter(({ family, action, after }) => {
    // No server shows the password of a user.
    if (family === "internal_users") return false;
    return isResourceFamily(family) && action !== "delete" && after === undefined;
  });
  const hidden = (family: string, resources: LiveFamily): LiveFamily => {
    const names = new Set(held.filter((change) => change.family === family).map(({ name }) => name));
    if (names.size === 0) return resources;
    const entries = [...resources].map(([name, resource]) => {
      const { value, wire } = resource;
      if (!names.has(name)) return [name, resource] as const;
      const texts = { value: hideStrings(value) as Fields, ...(wire !== undefined && { wire: hideStrings(wire) }) };
      return [name, { ...resource, ...texts }] as const;
    });
    return new Map(entries);
  };
  const resources = [...live.resources].map(([family, of]) => [family, hidden(family, of)] as const);
  return { ...live, resources: new Map(resources) };
}

/** Members of lists are names and patterns, which may hold no secret. */
function hideStrings(value: Value): Value {
  if (isList(value)) return value.map((item) => (isObject(item) ? hideStrings(item) : item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, item]) => {
    return [key, typeof item === "string" && item !== "" ? new Secret("live", item) : hideStrings(item)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Children of a backed-up config, each placeholder of a secret replaced by the secret that the server holds in its place.
 * Where it holds none, the whole entry (`authc/ldap`) or child stays as the server has it now, and `lost` names it: half
 * an entry would be worse than none.
 */
export function withKeptSecrets(
  backedUp: Fields,
  live: Fields,
): { readonly children: Fields; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const whole = (wanted: Value, now: Value | undefined, place: string): Value | undefined => {
    const kept = fillPlaceholders(wanted, now);
    if (kept !== undefined) return kept;
    lost.push(place);
    return now;
  };
  const children = Object.entries(backedUp).map(([name, child]) => {
    const now = memberOf(live, name);
    if (configPlaces[name]?.kind !== "named" || !isObject(child)) return [name, whole(child, now, name)] as const;
    const entries = Object.entries(child).map(
      ([each, item]) => [each, whole(item, memberOf(now, each), `${name}/${each}`)] as const,
    );
    return [name, withoutAbsent(entries)] as const;
  });
  return { children: withoutAbsent(children), lost };
}

function withoutAbsent(entries: readonly (readonly [string, Value | undefined])[]): Fields {
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

function memberOf(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Undefined where the server has no value for a placeholder. */
function fillPlaceholders(wanted: Value, now: Value | undefined): Value | undefined {
  if (isPlaceholder(wanted))
    return now === "" || now === null || (typeof now === "object" && !(now instanceof Secret)) ? undefined : now;
  if (isList(wanted)) {
    if (!holdsPlaceholder(wanted)) return wanted;
    // Members have no names: only where all the rest is the same is it known which is which.
    return isEqual(blankPlaceholders(wanted), blankAtPlaceholders(now, wanted)) ? now : undefined;
  }
  if (!isObject(wanted)) return wanted;
  const members = Object.entries(wanted).map(
    ([name, item]) => [name, fillPlaceholders(item, memberOf(now, name))] as const,
  );
  return members.some(([, item]) => item === undefined) ? undefined : withoutAbsent(members);
}

function isPlaceholder(value: Value | undefined): value is Secret {
  return value instanceof Secret && !value.resolved;
}

function holdsPlaceholder(value: Value): boolean {
  if (isList(value)) return value.some(holdsPlaceholder);
  return isObject(value) ? Object.values(value).some(holdsPlaceholder) : isPlaceholder(value);
}

function blankPlaceholders(value: Value): Value {
  if (isList(value)) return value.map(blankPlaceholders);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, blankPlaceholders(item)]));
  return isPlaceholder(value) ? "" : value;
}

/** The value, an empty string replacing whatever is where the other one has a placeholder. */
function blankAtPlaceholders(value: Value | undefined, other: Value): Value {
  if (isPlaceholder(other)) return "";
  if (isList(value) && isList(other)) return value.map((item, at) => blankAtPlaceholders(item, other[at] ?? null));
  if (isObject(value) && isObject(other)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, blankAtPlaceholders(item, memberOf(other, name) ?? null)]),
    );
  }
  return value ?? null;
}
