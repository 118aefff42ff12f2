import { Secret } from "../json/secret.ts";
import { collectSecrets, type KnownSecrets } from "../json/slots.ts";
import { type Fields, holdsSecret, isList, isObject, isText, toComparable, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveFamily } from "../model/live.ts";
import { type Address, createAddress, isResourceFamily } from "../model/names.ts";
import { redactChange } from "./redact.ts";

/**
 * Entries of the server that have as plain text what the repository keeps secret of another entry, or what its secret
 * takes the place of: one that is deleted as a rule, for it had that secret under its old name.
 *
 * @param declared all that the files declare, of whichever families the plan is
 */
export function findMovedSecrets(changes: readonly Change[], { resources, config }: DesiredState): readonly Address[] {
  const declared = [...valuesIn(resources), ...(config ? [config.value] : [])].filter(holdsSecret);
  if (declared.length === 0) return [];
  const relevant = changes.filter(({ family, after }) => isResourceFamily(family) && after && holdsSecret(after));
  const known = collectSecrets([...declared, ...relevant.flatMap((change) => redactChange(change).before ?? [])]);
  if (known.size === 0) return [];
  return changes
    .filter((change) => isResourceFamily(change.family) && holdsUnsaid(change, known))
    .map(({ family, name }) => createAddress(family, name));
}

/** Entries of the server with a text that repeats the login of this run. */
export function findMovedLogin(changes: readonly Change[], hide: (text: string) => string): readonly Address[] {
  return changes
    .filter(
      ({ family, before }) => isResourceFamily(family) && before && holdsText(before, (text) => hide(text) !== text),
    )
    .map(({ family, name }) => createAddress(family, name));
}

/**
 * The changes with such entries as they may be shown. All that a reviewed plan knows is the address, so that of these
 * every text is hidden but for what the new value says itself.
 */
export function withoutSecretsElsewhere(changes: readonly Change[], secret: ReadonlySet<Address>): readonly Change[] {
  if (secret.size === 0) return changes;
  return changes.map((change) => {
    const isNamed = isResourceFamily(change.family) && secret.has(createAddress(change.family, change.name));
    return isNamed ? withOldTextsHidden(change) : change;
  });
}

/** What stood there, but for what the new value says itself. */
export function withOldTextsHidden(change: Change): Change {
  const { before, after, edits, unknown } = change;
  if (before === undefined) return change;
  const reported = new Set(after ? textsIn(after) : []);
  const hide = (value: Value): Value => hidden(value, (each) => (reported.has(each) ? undefined : asLive(each)));
  return {
    ...change,
    before: hide(before) as Fields,
    ...(unknown && { unknown: unknown.map(({ path, value }) => ({ path, value: hide(value) })) }),
    edits: edits.map((edit) => (edit.before === undefined ? edit : { ...edit, before: hide(edit.before) })),
  };
}

/**
 * Roles of a server with the secrets of these files hidden. In a role that the files declare with a secret, every text
 * is hidden that they do not declare in the open; such a text is hidden in all other roles as well.
 */
export function hideRolesBeside(held: LiveFamily, { resources: declared }: DesiredState): LiveFamily {
  const known = collectSecrets(valuesIn(declared));
  const kept = [...held].flatMap(([name, { value }]) => {
    const wanted = declared.get("roles")?.get(name)?.value;
    if (!wanted || !holdsSecret(wanted)) return [];
    const reported = new Set(plainTextsIn(wanted));
    return textsIn(value).filter((each) => !reported.has(each));
  });
  const secret = new Set(kept);
  const hide = (each: string) => known.get(each) ?? (secret.has(each) ? asLive(each) : undefined);
  return new Map([...held].map(([name, role]) => [name, { ...role, value: hidden(role.value, hide) as Fields }]));
}

function valuesIn(declared: DesiredState["resources"]): readonly Fields[] {
  return [...declared.values()].flatMap((family) => [...family.values()].map(({ value }) => value));
}

/** What the change hides by itself is hidden already, without the rest of it. */
function holdsUnsaid(change: Change, known: KnownSecrets): boolean {
  const { before, after } = redactChange(change);
  const found = before ? plainTextsIn(before).filter((each) => known.has(each)) : [];
  if (found.length === 0) return false;
  const reported = new Set(after ? textsIn(after) : []);
  return found.some((each) => !reported.has(each));
}

function textsIn(value: Value): readonly string[] {
  return scalarsIn(value).map(toComparable);
}

function plainTextsIn(value: Value): readonly string[] {
  return scalarsIn(value).flatMap((each) => (each instanceof Secret ? [] : [each]));
}

/** Whether one of `textsIn` passes a check, with no list made of them: there are as many as entries. */
function holdsText(value: Value, isSo: (text: string) => boolean): boolean {
  if (isText(value)) return isSo(toComparable(value));
  if (isList(value)) {
    for (const item of value) if (!isText(item) && holdsText(item, isSo)) return true;
  } else if (isObject(value)) {
    for (const item of Object.values(value)) if (holdsText(item, isSo)) return true;
  }
  return false;
}

/** Members of lists are names and patterns, which may hold no secret. */
function scalarsIn(value: Value): readonly (string | Secret)[] {
  if (isList(value)) return value.flatMap((item) => (isText(item) ? [] : scalarsIn(item)));
  if (isObject(value)) return Object.values(value).flatMap(scalarsIn);
  return isText(value) ? [value] : [];
}

/** @param hide what replaces a string; undefined where it may be shown */
function hidden(value: Value, hide: (text: string) => Secret | undefined): Value {
  if (isList(value)) return value.map((item) => (isText(item) ? item : hidden(item, hide)));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item, hide)]));
  }
  return typeof value === "string" && value !== "" ? (hide(value) ?? value) : value;
}

function asLive(text: string): Secret {
  return new Secret("live", text);
}
