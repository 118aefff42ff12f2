import { factsOf } from "../families/index.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { MapEntry, MapNode, Node } from "../model/node.ts";

/** What the body of an entry may be. */
export type EntryKind = ResourceFamily;

/** Fields that several kinds of entry have: they are no evidence. */
export const sharedFields: readonly string[] = ["description", "reserved", "hidden", "static", "readonly", "type"];

/** Fields that only one kind of entry has, in every format of every release. */
const reporting: Readonly<Record<EntryKind, readonly string[]>> = {
  ...mapFamilies((family) => {
    const { fields, sixWords = [] } = factsOf[family];
    const own = [...Object.keys(fields), ...sixWords, ...(family === "role_mappings" ? ["ips"] : [])];
    return own.filter((field) => !sharedFields.includes(field));
  }),
  // Mappings resemble them: what both have is evidence of a mapping.
  internal_users: ["hash", "password", "opendistro_security_roles", "search_guard_roles"],
  // Their words are those of many programs: the header or the name of a file says what it is.
  audit: [],
  whitelist: [],
  allowlist: [],
};

function mapFamilies<T>(of: (family: ResourceFamily) => T): Readonly<Record<ResourceFamily, T>> {
  return Object.fromEntries(resourceFamilies.map((family) => [family, of(family)])) as Record<ResourceFamily, T>;
}

/** Every field that is evidence: by these a file may be recognised as state. */
export const fieldWords: readonly string[] = Object.values(reporting).flat();

/** What an entry's fields say that it is; undefined where they say nothing, or several things at once. */
export function guessEntryKind(body: Node): EntryKind | undefined {
  if (body.kind === "list") return body.items.every((item) => item.kind === "scalar") ? "action_groups" : undefined;
  if (body.kind !== "map") return undefined;
  // A user has backend roles as well; the password decides.
  if (reportingFields(body, "internal_users").length > 0) return "internal_users";
  const counts = resourceFamilies.map((kind) => ({ kind, count: reportingFields(body, kind).length }));
  const most = Math.max(...counts.map(({ count }) => count));
  const best = counts.filter(({ count }) => count === most);
  return most > 0 && best.length === 1 ? best[0]?.kind : undefined;
}

/** The kind that a whole map is one entry of, not a map of entries: all its keys are fields. */
export function guessBodyKind(root: Node): EntryKind | undefined {
  if (root.kind !== "map") return undefined;
  const kind = guessEntryKind(root);
  if (kind === undefined || root.entries.length === 0) return undefined;
  const fields = [...reporting[kind], ...sharedFields, ...(kind === "internal_users" ? userFields : [])];
  return root.entries.every(({ key }) => fields.includes(key)) ? kind : undefined;
}

const userFields = [...Object.keys(factsOf.internal_users.fields), "roles"];

/** `users:[ana]`, one text, as no space is after the colon: the field that is meant. */
export function findGluedField(value: Node): string | undefined {
  const word = value.kind === "scalar" && typeof value.value === "string" && /^(\w+):(?=\S)/.exec(value.value)?.[1];
  return word && fieldWords.includes(word) ? word : undefined;
}

/** Nothing but flags and a description: an entry of any family. */
export function isBareBody(body: Node): boolean {
  return (
    body.kind === "map" &&
    body.entries.length > 0 &&
    body.entries.every(({ key, value }) => sharedFields.includes(key) && value.kind === "scalar")
  );
}

/** A role named `users` under `roles:` is a map where a field of that name would be a list; 6.x has maps of its own. */
function reportingFields(body: MapNode, kind: EntryKind): readonly MapEntry[] {
  const mayBeMap = ["indices", "tenants"];
  return body.entries.filter(({ key, value }) => {
    if (!reporting[kind].includes(key)) return false;
    return (
      value.kind !== "map" ||
      (mayBeMap.includes(key) && value.entries.length > 0 && guessEntryKind(value) === undefined && !isBareBody(value))
    );
  });
}
