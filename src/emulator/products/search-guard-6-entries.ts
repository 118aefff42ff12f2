// Search Guard 6 keeps its configuration as settings of the search engine: flat names with dots, and texts.
import type { EntryModel, FamilyBodyRules, WrittenEntry } from "../product.ts";
import { bodyRequired, couldNotParse, type Reply } from "../reply.ts";
import type { StoredEntries } from "../state.ts";
import { type BodyRules, explainBodyRefusal, findBadMask, searchGuardChecks } from "../values/body-rules.ts";
import { getMember, type Tree } from "../values/tree.ts";
import { noBodyRules } from "./instance-entries.ts";

export function createSettingsEntries(bodyRules: FamilyBodyRules): EntryModel {
  return {
    bodyRules,
    check: (value, { family }) => refusalOf(value, bodyRules[family] ?? noBodyRules),
    store: (value) => ({ tree: exploded(value) }),
    load: (_, value) => exploded(value),
    show: (family, tree) => (family === "internal_users" ? withoutSecrets(tree) : tree),
    patchBase: (_, tree) => tree,
    flags: (tree) => ({ reserved: states(tree, "readonly"), hidden: states(tree, "hidden"), static: false }),
    write: writeEntry,
    halfThere,
    singleType: "text/plain; charset=UTF-8",
  };
}

function withoutSecrets(user: Tree): Tree {
  if (!(user instanceof Map)) return user;
  return new Map<string, Tree>([...[...user].filter(([name]) => name !== "password"), ["hash", ""]]);
}

/** Settings are objects, and their lists hold scalars; what is empty does not exist. */
function refusalOf(value: Tree, content: BodyRules): Reply | undefined {
  if (!(value instanceof Map) || !isSettings(value)) return couldNotParse;
  const flat = exploded(value);
  if (!(flat instanceof Map) || flat.size === 0) return bodyRequired;
  // An empty object at the top still has a type, though it is no key.
  const given = new Map(
    [...value].filter(([key]) => flat.has(key.split(".")[0] ?? "") || Object.hasOwn(content.keys, key)),
  );
  return explainBodyRefusal(given, content, searchGuardChecks) ?? badMasks(value);
}

function isSettings(value: Tree): boolean {
  if (Array.isArray(value)) return value.every((item) => item !== null && typeof item !== "object");
  return !(value instanceof Map) || [...value.values()].every(isSettings);
}

function badMasks(role: Map<string, Tree>): Reply | undefined {
  const indices = role.get("indices");
  const patterns = indices instanceof Map ? [...indices.values()] : [];
  return patterns
    .map((pattern) =>
      pattern instanceof Map ? findBadMask(pattern.get("_masked_fields_"), searchGuardChecks) : undefined,
    )
    .find((refusal) => refusal !== undefined);
}

function states(tree: Tree, flag: string): boolean {
  const value = getMember(tree, flag);
  return value === true || value === "true";
}

/** As settings give it back: names split at their dots, scalars turned into texts, empty objects gone. */
function exploded(value: Tree): Tree {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : String(item)));
  if (!(value instanceof Map)) return value === null ? null : String(value);
  const result = new Map<string, Tree>();
  for (const [key, item] of value) {
    const child = exploded(item);
    if (!(child instanceof Map && child.size === 0)) putAt(result, key.split("."), child);
  }
  return result;
}

/** False where something else than an object is in the way, or the place is taken. */
function putAt(into: Map<string, Tree>, [key = "", ...rest]: readonly string[], value: Tree): boolean {
  const there = into.get(key);
  if (rest.length > 0) {
    if (there !== undefined && !(there instanceof Map)) return false;
    const child = new Map(there ?? []);
    into.set(key, child);
    return putAt(child, rest, value);
  }
  if (there === undefined || !(there instanceof Map) || !(value instanceof Map)) {
    into.set(key, value);
    return there === undefined;
  }
  const merged = new Map(there);
  into.set(key, merged);
  return [...value].map(([name, item]) => putAt(merged, [name], item)).every((fits) => fits);
}

/** A name with dots ends up as a branch under its first part; once it is there, a second one cannot be stored. */
function writeEntry(entries: StoredEntries, name: string, tree: Tree): WrittenEntry {
  const result = new Map(entries);
  if (!name.includes(".")) return { entries: result.set(name, tree) };
  return putAt(result, name.split("."), tree) ? { entries: result } : { refusal: unableToUpdate };
}

/** The caller puts in the name of the family. */
const unableToUpdate: Reply = { status: 500, text: "ElasticsearchException[Unable to update [%]]" };

/** A name with dots is found by those who look for its settings, and not by those who look for its entry. */
function halfThere(entries: StoredEntries, name: string): Reply | undefined {
  if (entries.has(name) || !name.includes(".")) return undefined;
  const [first = "", ...rest] = name.split(".");
  const branch = rest.reduce(getMember, entries.get(first));
  const why = 'Cannot invoke "com.fasterxml.jackson.databind.JsonNode.deepCopy()" because "target" is null';
  return branch === undefined ? undefined : { status: 500, text: `java.lang.NullPointerException: ${why}` };
}
