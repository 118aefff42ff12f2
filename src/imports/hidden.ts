// The secrets of entries, and what repeats one.
import { groupItems } from "../json/collections.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import { hideSecrets } from "../secrets/config-fields.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import { isReporting } from "../secrets/repeats.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings, quoteOrigin } from "./findings.ts";
import { addSecret, isSecretName } from "./login-secrets.ts";
import {
  createPlaceholder,
  describePlaceholders,
  expandPlaceholders,
  findOnlyPlaceholder,
  holdsPlaceholder,
} from "./placeholders.ts";

/** Entries with each secret of them marked as one; those that cannot be written without one are left. */
export function hideEntries(entries: readonly FoundEntry[], findings: ImportFindings): readonly FoundEntry[] {
  const hidden = entries.flatMap((entry) => hideEntry(entry, findings));
  for (const [name, texts] of findings.assigned)
    if (!isNameOfOne.test(name)) for (const text of texts) addSecret(name, text, findings);
  const secrets = new Set([...findings.secrets, ...hidden.flatMap(({ body }) => listSecrets(body))]);
  const known = findKnown(
    [...secrets],
    hidden.map(({ name }) => name),
    findings,
  );
  const kept =
    known.texts.size + known.variables.size === 0
      ? hidden
      : hidden.flatMap((entry) => hideRepeated(entry, known, findings));
  findings.left.forEach((part, at) => {
    findings.left[at] = { ...part, what: withoutSecrets(part.what, known) };
  });
  return kept;
}

/** `SECRET=opensearch-admin`, `--secret=NAME`: tools know a secret by its name. */
const isNameOfOne = /^secret$/i;

function withoutSecrets(text: string, { find }: Known): string {
  return find(text).reduce((shown, secret) => shown.replaceAll(secret, "…"), text);
}

/** What no file may repeat. */
interface Known {
  readonly texts: ReadonlySet<string>;
  /** Those of them that a text holds; a short one is in any text. */
  readonly find: (text: string) => readonly string[];
  /** Those that are a secret as a whole, by name and source. */
  readonly variables: ReadonlySet<string>;
}

/** What an entry is called is shown in any case. */
function findKnown(secrets: readonly string[], names: readonly string[], { assigned }: ImportFindings): Known {
  const shown = new Set([...names, ...names.flatMap(listVariables)]);
  const variables = secrets.flatMap((secret) => (findOnlyPlaceholder(secret) ? listVariables(secret) : []));
  const filled = new Set<string>();
  const beside = secrets.flatMap((secret) => listBeside(secret, filled));
  const given = [...filled].flatMap((name) => [...(assigned.get(name) ?? [])].flatMap(listParts));
  const all = new Set([...beside, ...given].flatMap(listForms));
  for (const name of shown) all.delete(name);
  return {
    texts: all,
    find: createFinder([...all].filter(isReporting)),
    variables: new Set(variables.filter((variable) => !shown.has(variable))),
  };
}

const shortest = 6;

/** By how they begin, as there may be thousands. */
function createFinder(secrets: readonly string[]): (text: string) => readonly string[] {
  const start = (secret: string) => secret.slice(0, shortest);
  const byStart = new Map(groupItems(secrets, start).map((group) => [start(group[0]), group]));
  return (text) =>
    Array.from({ length: Math.max(0, text.length - shortest + 1) }, (_, at) =>
      (byStart.get(text.slice(at, at + shortest)) ?? []).filter((secret) => text.startsWith(secret, at)),
    ).flat();
}

/** As it is, in a URL, and in base64. */
function listForms(secret: string): readonly string[] {
  if (!isReporting(secret)) return [secret];
  // Half of a pair of code units has no form in a URL.
  const inUrl = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ""));
  return [secret, inUrl, Buffer.from(secret).toString("base64").replace(/=+$/, "")];
}

/** Of a secret with variables: what is beside them, and their defaults. */
function listBeside(secret: string, variables: Set<string>): readonly string[] {
  if (!holdsPlaceholder(secret)) return [secret];
  const { beside, defaults, names } = takeApart(secret);
  for (const name of names) variables.add(name);
  return [...beside.filter(isReporting), ...defaults];
}

/** Scripts cut `user:password` and its like into parts; of another variable its default is known. */
function listParts(text: string): readonly string[] {
  const { beside, defaults } = takeApart(text);
  return [...beside, ...defaults].flatMap((one) => [one, ...one.split(/[\s:;,|/=]+/)]).filter(isReporting);
}

function takeApart(text: string) {
  const names: string[] = [];
  const defaults: string[] = [];
  const rest = expandPlaceholders(text, ({ name, fallback }) => {
    names.push(name);
    if (fallback) defaults.push(fallback);
    return "\0";
  });
  return { beside: rest.split("\0"), defaults, names };
}

function listVariables(text: string): readonly string[] {
  const variables: string[] = [];
  expandPlaceholders(text, ({ name, source, written }) => {
    variables.push(JSON.stringify([name, source]));
    return written;
  });
  return variables;
}

function hideEntry(entry: FoundEntry, findings: ImportFindings): readonly FoundEntry[] {
  if (entry.family === "config") return [{ ...entry, body: hideSecrets(entry.body) }];
  if (entry.family !== "internal_users") return [{ ...entry, body: withHiddenFields(entry.body) }];
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

/** What no entry of its family has is written all the same, so that it can be corrected. */
function withHiddenFields(body: Value): Value {
  if (!isObject(body)) return body;
  const isHidden = (key: string, value: Value) => isSecretName(key) && typeof value === "string" && value !== "";
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, isHidden(key, value) ? hide(value) : value]),
  );
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
    if (key === "attributes" && isObject(value)) return [[key, withoutSecretAttributes(entry, value, findings)]];
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

/** Servers show them to all who may read users, so no field of a file holds them as secrets: the target gives their values. */
function withoutSecretAttributes({ name }: FoundEntry, attributes: Fields, findings: ImportFindings): Value {
  const shown = Object.entries(attributes).map(([key, value]): [string, Value] => {
    if (!isSecretKey(key) || value === "" || value === null) return [key, value];
    findings.notes.add(attributeNote);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (findOnlyPlaceholder(text)) return [key, text];
    findings.secrets.add(text);
    return [key, createPlaceholder(createVariableName(`${name}_${key}`), findings.createSource())];
  });
  return Object.fromEntries(shown);
}

const attributeNote =
  "Servers show attributes to all who may read users. Those that are called like secrets became variables of the target: take them out of the file if they are secret.";

function createVariableName(words: string): string {
  return describePlaceholders(words)
    .replace(/\W/g, "_")
    .replace(/^(?=\d)/, "_");
}

function hide(value: Value): Secret {
  return new Secret("", typeof value === "string" ? value : JSON.stringify(value));
}

/** An entry without what repeats a secret: of a user that field is left, an entry with it elsewhere is. */
function hideRepeated(entry: FoundEntry, known: Known, findings: ImportFindings): readonly FoundEntry[] {
  const repeatsOne = (text: string) => known.find(text).length > 0 || holdsVariable(text, known);
  const isNamed = repeatsOne(entry.name);
  const isUser = entry.family === "internal_users" && !isNamed;
  const body = isUser ? withoutRepeats(entry, known, findings) : entry.body;
  if (!isNamed && !listTexts(body).some(repeatsOne)) return [{ ...entry, body }];
  const why = "it repeats a secret of the input where none belongs; take it out there, and import again";
  addLeftOut(findings, isNamed ? `an entry of ${entry.family}` : createImportedAddress(entry), why, entry.place);
  // Terraform keeps what was not taken.
  const at = entry.origin === undefined ? -1 : findings.letGo.indexOf(quoteOrigin(entry.origin));
  if (at !== -1) findings.letGo.splice(at, 1);
  return [];
}

function holdsVariable(text: string, { variables }: Known): boolean {
  return listVariables(text).some((variable) => variables.has(variable));
}

function withoutRepeats(entry: FoundEntry, known: Known, findings: ImportFindings): Value {
  const { body } = entry;
  if (!isObject(body)) return body;
  const keep = (fields: Fields, path: string, isIn: (key: string) => boolean): Fields =>
    Object.fromEntries(
      Object.entries(fields).filter(([key, value]) => {
        if (!isIn(key) || !isRepeat(value, known)) return true;
        addLeftOut(findings, `${createImportedAddress(entry)}: ${path}${key}`, repeatedField, entry.place);
        return false;
      }),
    );
  const { attributes, ...rest } = keep(body, "", (key) => key === "description");
  return attributes === undefined
    ? rest
    : { ...rest, attributes: isObject(attributes) ? keep(attributes, "attributes.", () => true) : attributes };
}

const repeatedField = "it repeats a secret of the input, and servers show it to all who may read users";

/** A short secret is in any text: it counts only if it is all of one. */
function isRepeat(value: Value, known: Known): boolean {
  if (typeof value !== "string") return false;
  return known.texts.has(value) || known.find(value).length > 0 || holdsVariable(value, known);
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
