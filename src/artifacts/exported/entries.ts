import type { Dialect } from "../../dialects/dialect.ts";
import { type ConfigPlace, configPlaces, getPlaceBelow, licenseChild } from "../../families/config.ts";
import type { Field } from "../../families/facts.ts";
import { factsOf } from "../../families/index.ts";
import { isInScope } from "../../families/scope.ts";
import { ownMark } from "../../families/unknown.ts";
import { compareByCodeUnit, withSortedKeys } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isList, isObject, type Json, type Value } from "../../json/value.ts";
import { escapeReferences, keptOnServer } from "../../load/reference-text.ts";
import type { LiveFamily } from "../../model/live.ts";
import type { Family, ResourceFamily } from "../../model/names.ts";
import type { FamilyPolicy } from "../../model/policy.ts";
import { createSecretVariables, type SecretReferences } from "./references.ts";

/** What a state file has under the key of one family. */
export interface Document {
  readonly family: Family;
  /** By name. A map, because objects move names such as `557` to the front. */
  readonly value: ReadonlyMap<string, Json>;
}

/**
 * The managed entries of a family, in code-unit order of their names. Without the fields that gate-sync does not know: a
 * plan leaves these on the server.
 */
export function exportFamily(
  family: ResourceFamily,
  live: LiveFamily,
  policy: FamilyPolicy | undefined,
  dialect: Dialect,
): Document {
  const relevant = [...live.values()]
    .filter(({ ownership, name }) => ownership === "open" && isInScope(policy, name))
    .sort((a, b) => compareByCodeUnit(a.name, b.name));
  const entries = relevant.map(({ name, value }) => {
    const known = knownFields(withoutNulls(value) as Fields, factsOf[family].fields);
    return [escapeReferences(name), withoutSecrets(buildWrittenEntry(family, known, dialect))] as const;
  });
  return { family, value: new Map(entries) };
}

/** Without nulls in lists, which break servers: a plan of the files removes them. */
function withoutNulls(value: Value): Value {
  if (isList(value)) return value.filter((member) => member !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutNulls(item)]));
}

/** With what a state file has to say of an entry, and in the form in which people write it. */
export function buildWrittenEntry(family: ResourceFamily, value: Fields, dialect: Dialect): Fields {
  const complete = { ...listMandatory(family, value, dialect), ...value };
  return family === "blocks" ? withLoneValue(complete) : complete;
}

/** The mandatory lists, empty: without one the file would be refused. */
function listMandatory(family: ResourceFamily, value: Fields, dialect: Dialect): Fields {
  const lists =
    family === "role_mappings"
      ? dialect.mappingLists.some((list) => value[list] !== undefined)
        ? []
        : ["users"]
      : family === "action_groups"
        ? ["allowed_actions"]
        : [];
  return Object.fromEntries(lists.map((list) => [list, []]));
}

/** A list of one value as that value, as people write most blocks. */
function withLoneValue(block: Fields): Fields {
  const { value } = block;
  const [only] = isList(value) && value.length === 1 ? value : [];
  return only === undefined ? block : { ...block, value: only };
}

function knownFields(value: Fields, facts: Readonly<Record<string, Field>>): Fields {
  const known = Object.entries(value).filter(([name]) => name === ownMark || Object.hasOwn(facts, name));
  return Object.fromEntries(
    known.map(([name, item]): [string, Value] => {
      const element = facts[name]?.element;
      return [
        name,
        !element
          ? item
          : isList(item)
            ? item.map((part) => (isObject(part) ? knownFields(part, element) : part))
            : isObject(item)
              ? knownFields(item, element)
              : item,
      ];
    }),
  );
}

/**
 * The config without its license. Each secret becomes a reference to an environment variable that is named after its place.
 *
 * @param reference replaces every secret instead: backups have `${live:secret}`
 */
export function exportConfig(document: Fields, reference?: string): Document & { readonly secrets: readonly string[] } {
  const { refer, variables } = createSecretVariables();
  const dynamic = isObject(document.dynamic) ? document.dynamic : {};
  // A file with an unknown place would be refused; a plan leaves what is not declared.
  const { [licenseChild]: _, ...children } = knownPlaces({ kind: "object", fields: configPlaces }, dynamic) as Fields;
  const value = new Map([
    ["dynamic", writeReferences(withSortedKeys(children), [], (path, secret) => reference ?? refer(path, secret))],
  ]);
  return { family: "config", value, secrets: variables };
}

function knownPlaces(place: ConfigPlace | undefined, value: Value): Value {
  if (!isObject(value) || (place?.kind !== "object" && place?.kind !== "named")) return value;
  const known = Object.entries(value).flatMap(([name, item]): [string, Value][] => {
    const inside = getPlaceBelow(place, name);
    return inside ? [[name, knownPlaces(inside, item)]] : [];
  });
  return Object.fromEntries(known);
}

/** The value as a state file has it: each secret as a reference, and what would be taken for one escaped. */
export function writeReferences(value: Value, path: readonly string[], refer: SecretReferences["refer"]): Json {
  if (value instanceof Secret) return value.resolved && value.reveal() === "" ? "" : refer(path, value);
  if (isList(value)) return value.map((item, index) => writeReferences(item, [...path, String(index)], refer));
  if (!isObject(value)) return typeof value === "string" ? escapeReferences(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeReferences(key), writeReferences(item, [...path, key], refer)]),
  );
}

/** Servers show no secrets in resources, but a backup holds those that the repository calls secret. */
function withoutSecrets(value: Value): Json {
  return writeReferences(value, [], () => keptOnServer);
}
