import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import { type Address, createAddress } from "../model/names.ts";

type HeldRoles = ReadonlyMap<string, Fields>;

interface Roles {
  /** What the server holds. */
  readonly live: HeldRoles;
  /** The changes of roles that are pending. */
  readonly changes: readonly Change[];
  /** Of these, roles in which something is secret, as they may be shown. */
  readonly redact: ReadonlyMap<string, Change>;
  /** Roles that stay as they are, of which the repository keeps a query secret. */
  readonly secret?: ReadonlySet<Address> | undefined;
}

/**
 * Live roles of which not everything may be shown: the server has as plain text what the repository keeps secret,
 * under whichever name. Only facts that a saved plan has as well decide this, so that applying it shows the same.
 *
 * @returns what replaces them before the plan, and what replaces those that stay
 */
export function hideRoleQueries({ live, changes, redact, secret = new Set() }: Roles): {
  readonly old: HeldRoles;
  readonly kept: HeldRoles;
} {
  const changed = new Set(changes.filter(({ family }) => family === "roles").map(({ name }) => name));
  const isKept = (name: string): boolean => secret.has(createAddress("roles", name)) && !changed.has(name);
  const texts = new Set([
    ...[...redact.values()].flatMap(({ before = {}, after = {} }) => [...secretTexts(before), ...secretTexts(after)]),
    ...[...live].flatMap(([name, role]) => (isKept(name) ? queriesOf(role) : [])),
  ]);
  if (texts.size === 0) return { old: new Map(), kept: new Map() };
  const hidden = [...live].flatMap(([name, role]) =>
    queriesOf(role).some((text) => texts.has(text))
      ? [[name, withoutQueries(role, isKept(name) ? undefined : texts)] as const]
      : [],
  );
  const replaced = [...redact].flatMap(([name, { before }]) => (before ? [[name, before] as const] : []));
  return { old: new Map([...hidden, ...replaced]), kept: new Map(hidden.filter(([name]) => !changed.has(name))) };
}

function secretTexts(value: Value): readonly string[] {
  if (value instanceof Secret) return value.resolved ? [value.reveal()] : [];
  if (isList(value)) return value.flatMap(secretTexts);
  return isObject(value) ? Object.values(value).flatMap(secretTexts) : [];
}

function queriesOf({ index_permissions: elements }: Fields): readonly string[] {
  if (!isList(elements)) return [];
  return elements.flatMap((element) => (isObject(element) && typeof element.dls === "string" ? element.dls : []));
}

/** @param texts these alone; of a role that is kept, whichever of its queries it is */
function withoutQueries(role: Fields, texts: ReadonlySet<string> | undefined): Fields {
  const { index_permissions: elements } = role;
  if (!isList(elements)) return role;
  const without = (element: Value): Value => {
    if (!isObject(element) || typeof element.dls !== "string" || texts?.has(element.dls) === false) return element;
    return { ...element, dls: new Secret("live", element.dls) };
  };
  return { ...role, index_permissions: elements.map(without) };
}
