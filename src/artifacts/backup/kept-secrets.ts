import { configPlaces } from "../../families/config.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isEqual, isList, isObject, type Value } from "../../json/value.ts";
import type { Manifest } from "../../model/backup.ts";
import type { LiveFamily, LiveState } from "../../model/live.ts";
import { isResourceFamily } from "../../model/names.ts";

/**
 * The live state with all strings of those entries hidden into which that run wrote a secret. The manifest has no
 * digest for these entries; which of the strings is the secret is stored nowhere.
 */
export function withHiddenTexts(live: LiveState, { changes }: Manifest): LiveState {
  const held = changes.filter(({ family, action, after }) => {
    return isResourceFamily(family) && action !== "delete" && after === undefined;
  });
  const hidden = (family: string, resources: LiveFamily): LiveFamily => {
    const names = new Set(held.filter((change) => change.family === family).map(({ name }) => name));
    if (names.size === 0) return resources;
    const entries = [...resources].map(([name, resource]) => {
      const { value, wire } = resource;
      if (!names.has(name)) return [name, resource] as const;
      const texts = { value: hiddenTexts(value) as Fields, ...(wire !== undefined && { wire: hiddenTexts(wire) }) };
      return [name, { ...resource, ...texts }] as const;
    });
    return new Map(entries);
  };
  const resources = [...live.resources].map(([family, of]) => [family, hidden(family, of)] as const);
  return { ...live, resources: new Map(resources) };
}

/** Members of lists are names and patterns, which may hold no secret. */
function hiddenTexts(value: Value): Value {
  if (isList(value)) return value.map((item) => (isObject(item) ? hiddenTexts(item) : item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, item]) => {
    return [key, typeof item === "string" && item !== "" ? new Secret("live", item) : hiddenTexts(item)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Children of a backed-up config with each placeholder for a secret replaced by what the server holds in its place.
 * Where it holds nothing there, the whole of the entry (`authc/ldap`) or child is as the server has it now: half of it
 * would be worse than none. `lost` names those.
 */
export function withKeptSecrets(
  backedUp: Fields,
  live: Fields,
): { readonly children: Fields; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const whole = (wanted: Value, now: Value | undefined, place: string): Value | undefined => {
    const kept = filled(wanted, now);
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
    return [name, present(entries)] as const;
  });
  return { children: present(children), lost };
}

function present(entries: readonly (readonly [string, Value | undefined])[]): Fields {
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

function memberOf(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Undefined where the server has no value for a placeholder. */
function filled(wanted: Value, now: Value | undefined): Value | undefined {
  if (isPlaceholder(wanted))
    return now === "" || now === null || (typeof now === "object" && !(now instanceof Secret)) ? undefined : now;
  if (isList(wanted)) {
    if (!holdsPlaceholder(wanted)) return wanted;
    // Members have no names: only where all the rest is the same is it known which is which.
    return isEqual(blank(wanted), blankLike(now, wanted)) ? now : undefined;
  }
  if (!isObject(wanted)) return wanted;
  const members = Object.entries(wanted).map(([name, item]) => [name, filled(item, memberOf(now, name))] as const);
  return members.some(([, item]) => item === undefined) ? undefined : present(members);
}

function isPlaceholder(value: Value | undefined): value is Secret {
  return value instanceof Secret && !value.resolved;
}

function holdsPlaceholder(value: Value): boolean {
  if (isList(value)) return value.some(holdsPlaceholder);
  return isObject(value) ? Object.values(value).some(holdsPlaceholder) : isPlaceholder(value);
}

function blank(value: Value): Value {
  if (isList(value)) return value.map(blank);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, blank(item)]));
  return isPlaceholder(value) ? "" : value;
}

/** The value with an empty string wherever the other one has a placeholder. */
function blankLike(value: Value | undefined, other: Value): Value {
  if (isPlaceholder(other)) return "";
  if (isList(value) && isList(other)) return value.map((item, at) => blankLike(item, other[at] ?? null));
  if (isObject(value) && isObject(other)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, blankLike(item, memberOf(other, name) ?? null)]),
    );
  }
  return value ?? null;
}
