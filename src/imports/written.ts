// Entries as state files have them: a reference in the place of each secret and of each value that a template or another tool fills in.

import { serverFields } from "../dialects/codec.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Json, type Value } from "../json/value.ts";
import { escapeReferences } from "../load/reference-text.ts";
import type { NeededVariable } from "../model/import-account.ts";
import type { Family } from "../model/names.ts";
import { createImportedAddress, type FoundEntry, type ImportFindings } from "./findings.ts";
import { hideEntries } from "./hidden.ts";
import {
  createPlaceholder,
  describePlaceholders,
  expandPlaceholders,
  findOnlyPlaceholder,
  isNameless,
  type UnknownValue,
} from "./placeholders.ts";

export interface WrittenDocument {
  readonly family: Family;
  readonly value: ReadonlyMap<string, Json>;
}

export interface WrittenEntries {
  readonly documents: readonly WrittenDocument[];
  /** Of the environment, for secrets. */
  readonly secrets: readonly NeededVariable[];
  /** Of the target's `vars`. */
  readonly variables: readonly NeededVariable[];
}

/** In code-unit order of the names. What cannot be written is left out, with the reason. */
export function writeEntries(
  entries: readonly FoundEntry[],
  order: readonly Family[],
  findings: ImportFindings,
): WrittenEntries {
  const hidden = hideEntries(entries, findings);
  const names: Names = { secrets: new NameSpace(), variables: new NameSpace() };
  const documents = order.flatMap((family): readonly WrittenDocument[] => {
    const own = hidden.filter((entry) => entry.family === family);
    if (own.length === 0) return [];
    if (family === "config") return own.map((entry) => ({ family, value: writeConfig(entry, names) }));
    const sorted = [...own].sort((a, b) => compareByCodeUnit(a.name, b.name));
    const value = new Map(
      sorted.map((entry) => [
        writeText(entry.name, entry, names),
        writeValue(entry.body, [entry.family, entry.name], entry, names),
      ]),
    );
    return [{ family, value }];
  });
  return {
    documents,
    secrets: names.secrets.list(({ passwordFrom }) => passwordFrom),
    variables: names.variables.list(),
  };
}

interface Names {
  readonly secrets: NameSpace;
  readonly variables: NameSpace;
}

/** A number is added to a name that another value has: what may differ never becomes one variable. */
class NameSpace {
  private readonly names = new Map<string, string>();
  private readonly lists = new Set<string>();
  private readonly uses = new Map<string, Map<string, FoundEntry>>();

  /**
   * @param value which value it is; undefined: one that no other place has
   * @param entry which needs it; absent where it has a default, or the entry is never written
   */
  choose(value: string | undefined, wanted: string, entry?: FoundEntry): string {
    const name = (value === undefined ? undefined : this.names.get(value)) ?? this.findFree(wanted);
    if (value !== undefined) this.names.set(value, name);
    const uses = this.uses.get(name) ?? new Map<string, FoundEntry>();
    this.uses.set(name, uses);
    if (!entry) return name;
    const address = createImportedAddress(entry);
    if (!uses.has(address)) uses.set(address, entry);
    return name;
  }

  noteList(name: string): void {
    this.lists.add(name);
  }

  list(findPlace: (entry: FoundEntry) => string | undefined = () => undefined): readonly NeededVariable[] {
    return [...this.uses]
      .map(([name, uses]) => ({
        name,
        ...(this.lists.has(name) && { isList: true as const }),
        uses: [...uses].map(([address, entry]) => {
          const from = findPlace(entry);
          return {
            address: describePlaceholders(address),
            place: entry.place,
            ...(from !== undefined && { from: describePlaceholders(from) }),
          };
        }),
      }))
      .filter(({ uses }) => uses.length > 0);
  }

  private findFree(name: string): string {
    let free = name;
    for (let number = 2; this.uses.has(free); number++) free = `${name}_${number}`;
    return free;
  }
}

function writeConfig(entry: FoundEntry, names: Names): ReadonlyMap<string, Json> {
  const fields = isObject(entry.body) ? Object.entries(entry.body) : [];
  return new Map(fields.map(([key, value]) => [key, writeValue(value, [key === "dynamic" ? "" : key], entry, names)]));
}

function writeValue(value: Value, path: readonly string[], entry: FoundEntry, names: Names): Json {
  if (value instanceof Secret) return writeSecret(value, path, entry, names);
  if (isList(value)) return value.map((item, at) => writeValue(item, [...path, String(at)], entry, names));
  if (!isObject(value)) return typeof value === "string" ? writeText(value, entry, names, isListField(path)) : value;
  return writeFields(value, path, entry, names);
}

/** Fields whose value a server takes only as a list. */
const listFields = new Set(
  `users hosts backend_roles and_backend_roles cluster_permissions index_permissions tenant_permissions index_patterns
   tenant_patterns allowed_actions masked_fields fls opendistro_security_roles search_guard_roles nodes_dn`.split(
    /\s+/,
  ),
);

function isListField(path: readonly string[]): boolean {
  return path.length > 2 && !path.includes("attributes") && listFields.has(path.at(-1) ?? "");
}

function writeFields(fields: Fields, path: readonly string[], entry: FoundEntry, names: Names): Json {
  const known = path.length === 2 ? Object.entries(fields).filter(isNoFalseFlag) : Object.entries(fields);
  const written = known.map(([key, item]): [string, Json] => [
    writeText(key, entry, names),
    writeValue(item, [...path, key], entry, names),
  ]);
  return Object.fromEntries(written);
}

/** As servers list all flags, whether they are set or not. */
function isNoFalseFlag([key, value]: readonly [string, Value]): boolean {
  return !(serverFields.has(key) && value === false);
}

/** A text that is a variable of another tool is a variable of the same name; no value is kept. */
function writeSecret(secret: Secret, path: readonly string[], entry: FoundEntry, names: Names): string {
  if (secret.resolved && secret.reveal() === "") return "";
  const known = secret.resolved ? findOnlyVariable(secret.reveal()) : undefined;
  const wanted = known && !isNameless(known) ? toEnvironmentName(known.name) : createSecretName(path);
  // A default is not kept either: with another one, it is another secret.
  const value = known && JSON.stringify([known.source, known.name, known.fallback]);
  return `\${env:${names.secrets.choose(value, wanted, isOfServer(entry) ? undefined : entry)}}`;
}

/** gate-sync never writes it. */
function isOfServer({ family, body }: FoundEntry): boolean {
  const isSet = ([key, value]: readonly [string, Value]) =>
    serverFields.has(key) && (value === true || value === "true");
  return family !== "config" && isObject(body) && Object.entries(body).some(isSet);
}

/** The variable that is the whole of a text, as `${env.NAME}` of the vendors' tools or by a template. */
function findOnlyVariable(text: string): UnknownValue | undefined {
  return findOnlyPlaceholder(markVendorVariables(text));
}

/** `${envbc.NAME}` is the hash of the variable. */
function markVendorVariables(text: string): string {
  return text.replace(
    /\$\{(env(?:bc|base64)?)\.([A-Za-z_][\w.-]*)(?::?-([^{}$]*))?\}/g,
    (_, source: string, name: string, fallback?: string) => createPlaceholder(name, source, fallback),
  );
}

/** A public text: what its tool replaces becomes a variable of the target, and what gate-sync would replace is escaped. */
function writeText(text: string, entry: FoundEntry, names: Names, isList = false): string {
  const variables: string[] = [];
  const marked = expandPlaceholders(markVendorVariables(text), ({ name: wanted, source, fallback }) => {
    const name = names.variables.choose(
      JSON.stringify([source, wanted]),
      wanted,
      fallback === undefined ? entry : undefined,
    );
    if (isList && findOnlyPlaceholder(text)) names.variables.noteList(name);
    variables.push(fallback === undefined ? `\${var:${name}}` : `\${var:${name}:-${fallback}}`);
    return marker;
  });
  const parts = escapeReferences(marked).split(marker);
  return parts.map((part, at) => (at === 0 ? part : variables[at - 1] + part)).join("");
}

/** No text of a file holds it: it is no character. */
const marker = "\uffff";

function createSecretName(path: readonly string[]): string {
  const words = path.filter((part) => part !== "");
  return `SECRET_${words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")}`;
}

function toEnvironmentName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d|GATE_SYNC_)/, "_");
}
