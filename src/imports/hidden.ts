// The secrets of entries, and what repeats one.
import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import { hideSecrets } from "../secrets/config-fields.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import { isReporting } from "../secrets/repeats.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings } from "./findings.ts";
import { holdsPlaceholder } from "./placeholders.ts";

/** Entries with each secret of them marked as one; those that cannot be written without one are left. */
export function hideEntries(entries: readonly FoundEntry[], findings: ImportFindings): readonly FoundEntry[] {
  const hidden = entries.flatMap((entry) => hideEntry(entry, findings));
  // What an entry is called is shown in any case.
  const names = new Set(hidden.map(({ name }) => name));
  const secrets = [...new Set(hidden.flatMap(({ body }) => listSecrets(body)))];
  const known = secrets.filter((secret) => !holdsPlaceholder(secret) && !names.has(secret));
  return known.length === 0 ? hidden : hidden.flatMap((entry) => hideRepeated(entry, known, findings));
}

function hideEntry(entry: FoundEntry, findings: ImportFindings): readonly FoundEntry[] {
  if (entry.family === "config") return [{ ...entry, body: hideSecrets(entry.body) }];
  if (entry.family !== "internal_users") return [entry];
  if (isObject(entry.body)) return [{ ...entry, body: withHiddenLogin(entry, entry.body, findings) }];
  if (entry.body === null) return [entry];
  addLeftOut(
    findings,
    createImportedAddress(entry),
    "it is no map of fields, and may be a password: write password: below its name",
    entry.place,
  );
  return [];
}

const hashNote =
  "A template fills in hashes. Check that its variables are bcrypt hashes: some playbooks have plain passwords, which they hash later.";

const userSecrets = new Set(["hash", "password"]);

const userFields = new Set(
  `hash password backend_roles attributes description opendistro_security_roles search_guard_roles roles username
   reserved hidden static readonly`.split(/\s+/),
);

/** Without fields that no user has, as they might be secrets, and without a hash that is empty: it would lock the user out. */
function withHiddenLogin(entry: FoundEntry, body: Fields, findings: ImportFindings): Value {
  const address = createImportedAddress(entry);
  const fields = Object.entries(body).flatMap(([key, value]): [string, Value][] => {
    if (!userFields.has(key)) {
      // As of `{hash:$2y$…}`, which lacks a space.
      const shown = /^\w{1,40}$/.test(key) && !/^(?:hash|password)./.test(key) ? key : "a field";
      addLeftOut(findings, `${address}: ${shown}`, "no user has such a field", entry.place);
      return [];
    }
    if (key === "attributes" && isObject(value)) return [[key, withHiddenAttributes(value)]];
    if (!userSecrets.has(key)) return [[key, value]];
    if (key === "hash" && typeof value === "string" && holdsPlaceholder(value)) findings.notes.add(hashNote);
    if (value === "" || value === null) {
      addLeftOut(
        findings,
        `${address}: ${key}`,
        "it is empty, as servers show it; written, it would lock the user out",
        entry.place,
      );
      return [];
    }
    return [[key, hide(value)]];
  });
  return Object.fromEntries(fields);
}

/** Servers show them to all who may read users; a name may say that it is a secret nevertheless. */
function withHiddenAttributes(attributes: Fields): Value {
  const hidden = Object.entries(attributes).map(([key, value]): [string, Value] => [
    key,
    isSecretKey(key) && value !== "" && value !== null ? hide(value) : value,
  ]);
  return Object.fromEntries(hidden);
}

function hide(value: Value): Secret {
  return new Secret("", typeof value === "string" ? value : JSON.stringify(value));
}

/**
 * An entry without what repeats a secret: where that is said of a user it is a secret as well, an entry with it elsewhere is
 * left.
 */
function hideRepeated(entry: FoundEntry, known: readonly string[], findings: ImportFindings): readonly FoundEntry[] {
  const body = entry.family === "internal_users" ? withHiddenWords(entry.body, known) : entry.body;
  const repeatsOne = (text: string) => known.some((secret) => isReporting(secret) && text.includes(secret));
  const isNamed = repeatsOne(entry.name);
  if (!isNamed && !listTexts(body).some(repeatsOne)) return [{ ...entry, body }];
  const why = "it repeats a secret of the input where none belongs; take it out there, and import again";
  addLeftOut(findings, isNamed ? `an entry of ${entry.family}` : createImportedAddress(entry), why, entry.place);
  return [];
}

function withHiddenWords(body: Value, known: readonly string[]): Value {
  if (!isObject(body)) return body;
  const { attributes, description } = body;
  return {
    ...body,
    ...(isObject(attributes) && {
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [key, hideIfRepeated(value, known)]),
      ),
    }),
    ...(description !== undefined && { description: hideIfRepeated(description, known) }),
  };
}

/** A short secret is in any text: it counts only if it is all of one. */
function hideIfRepeated(value: Value, known: readonly string[]): Value {
  if (typeof value !== "string") return value;
  const repeats = known.some((secret) => (isReporting(secret) ? value.includes(secret) : value === secret));
  return repeats ? hide(value) : value;
}

function listSecrets(value: Value): readonly string[] {
  if (value instanceof Secret) return value.resolved && value.reveal() !== "" ? [value.reveal()] : [];
  if (isList(value)) return value.flatMap(listSecrets);
  return isObject(value) ? Object.values(value).flatMap(listSecrets) : [];
}

function listTexts(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(listTexts);
  if (value instanceof Secret || !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...listTexts(item)]);
}
