// Values that the inputs themselves give to variables of templates, such as `team: hr` among variables of Ansible.
import { getPosition } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import { findMapEntry, type Node, type ScalarNode } from "../model/node.ts";
import { hideSecrets } from "../secrets/config-fields.ts";
import { isAllSecret, isSecretKey, maskInString } from "../secrets/masked-text.ts";
import { isReporting } from "../secrets/repeats.ts";
import { listCombined, listTemplateNames } from "./combined.ts";
import { type FoundEntry, type GivenValue, type ImportFindings, noEntriesWhy } from "./findings.ts";
import { expandPlaceholders, holdsPlaceholder } from "./placeholders.ts";

/** Notes the values at the top of a document that is no state; of tasks, the names that they may set. */
export function addGivenValues(document: Node, findings: ImportFindings): void {
  if (document.kind === "list") addTaskNames(document, findings);
  if (document.kind !== "map") return;
  for (const { key, value } of document.entries) findings.given.push(createGiven(key, value));
}

function createGiven(name: string, node: Node): GivenValue {
  if (node.kind === "map") return { name, place: node, below: node };
  const text = node.kind === "scalar" ? readGiven(node) : undefined;
  const names = node.kind === "scalar" && typeof node.value === "string" ? listCombined(node.value) : undefined;
  return { name, place: node, ...(text !== undefined && { text }), ...(names && { names }) };
}

/** What `set_fact`, `vars` and `register` say of a name depends on the run. */
function addTaskNames(node: Node, findings: ImportFindings): void {
  if (node.kind === "list") for (const item of node.items) addTaskNames(item, findings);
  if (node.kind !== "map") return;
  for (const { key, value } of node.entries) {
    findings.given.push({ name: key, place: value });
    if (key === "register" && value.kind === "scalar") findings.given.push({ name: String(value.value), place: value });
    addTaskNames(value, findings);
  }
}

/** A short text that all tools read alike; undefined for any other, and for one with a login in it. */
function readGiven({ value, file, start, end }: ScalarNode): string | undefined {
  const written = file.text.slice(start, end);
  if (typeof value === "number") return /^[1-9]\d{0,5}$/.test(written) ? written : undefined;
  if (typeof value !== "string" || !/^[^\n\r]{1,100}$/.test(value)) return undefined;
  // YAML 1.1 reads some words and numbers otherwise.
  const isPlain = written === value;
  if (isPlain && (!/^[a-z]/i.test(value) || /^(?:y|n|yes|no|on|off)$/i.test(value))) return undefined;
  const isTemplate = holdsPlaceholder(value) || /\{\{|\{%|<%|^\$ANSIBLE_VAULT/.test(value);
  return isTemplate || maskInString(value, true) !== value ? undefined : value;
}

/** Fills in what has exactly one value in all inputs, never where a secret belongs; the notes say what, and what not. */
export function fillGivenValues(findings: ImportFindings): void {
  const given = groupByName(findings.given);
  if (given.size === 0) return;
  const secrets = findings.entries.flatMap(({ family, body }) =>
    listSecretTexts(family === "config" ? hideSecrets(body) : body, false),
  );
  const used = new Map<string, Use>();
  const fill = (text: string) =>
    expandPlaceholders(text, ({ name, source, written }) => {
      if (!sources.has(source)) return written;
      const use = used.get(name) ?? findUse(name, findGiven(name, given), secrets);
      used.set(name, use);
      return use.text ?? written;
    });
  findings.entries = findings.entries.map((entry) => (entry.family === "config" ? entry : fillEntry(entry, fill)));
  noteUses(used, findings);
  dropUsed(used, findings);
}

function groupByName(values: readonly GivenValue[]): ReadonlyMap<string, readonly GivenValue[]> {
  const groups = new Map<string, GivenValue[]>();
  for (const one of values) {
    const group = groups.get(one.name);
    if (group) group.push(one);
    else groups.set(one.name, [one]);
  }
  return groups;
}

/** Of `global.env`, what each `global` has below `env`; one that is no map may give it another value. */
function findGiven(name: string, given: ReadonlyMap<string, readonly GivenValue[]>): readonly GivenValue[] {
  const [first = "", ...path] = name.split(".");
  return path.reduce<readonly GivenValue[]>(
    (values, key) => values.flatMap((value) => findBelow(value, key)),
    given.get(first) ?? [],
  );
}

function findBelow({ name, place, below }: GivenValue, key: string): readonly GivenValue[] {
  if (below === undefined) return [{ name: `${name}.${key}`, place }];
  const found = findMapEntry(below, key);
  return found ? [createGiven(`${name}.${key}`, found.value)] : [];
}

/** Of templates and of charts; the variables of scripts and collections are theirs alone. */
const sources = new Set(["", "Values"]);

/** What was found of a variable that entries need. */
interface Use {
  /** Absent where the inputs have no value of it, or several. */
  readonly text?: string;
  /** Empty for what may be a secret, too. */
  readonly values: readonly GivenValue[];
}

function findUse(name: string, values: readonly GivenValue[], secrets: readonly string[]): Use {
  if (
    name.split(".").some((key) => isSecretKey(key) || isAllSecret(key)) ||
    secrets.some((secret) => repeats(secret, name, values))
  )
    return { values: [] };
  const [text, ...others] = new Set(values.map((one) => one.text));
  return { values, ...(text !== undefined && others.length === 0 && { text }) };
}

/** A variable of a secret is one wherever it is. */
function repeats(secret: string, name: string, values: readonly GivenValue[]): boolean {
  let isUsed = false;
  expandPlaceholders(secret, (value) => {
    isUsed ||= value.name === name;
    return "";
  });
  return isUsed || values.some(({ text }) => text === secret || (isReporting(secret) && text?.includes(secret)));
}

function fillEntry(entry: FoundEntry, fill: (text: string) => string): FoundEntry {
  return { ...entry, name: fill(entry.name), body: fillValue(entry.body, fill) };
}

function fillValue(value: Value, fill: (text: string) => string): Value {
  if (typeof value === "string") return fill(value);
  if (isList(value)) return value.map((item) => fillValue(item, fill));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, item]): [string, Value] => [fill(key), fillValue(item, fill)]);
  return Object.fromEntries(fields);
}

function listSecretTexts(value: Value, isSecret: boolean): readonly string[] {
  if (value instanceof Secret) return value.resolved && value.reveal() !== "" ? [value.reveal()] : [];
  if (typeof value === "string") return isSecret && value !== "" ? [value] : [];
  if (isList(value)) return value.flatMap((item) => listSecretTexts(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => listSecretTexts(item, isSecret || isSecretKey(key)));
}

function noteUses(used: ReadonlyMap<string, Use>, findings: ImportFindings): void {
  const filled: string[] = [];
  for (const [name, { text, values }] of used) {
    const places = values.map(({ place: { file, start } }) => `${file.path}:${getPosition(file, start).line}`);
    if (text !== undefined) filled.push(`${name} is ${text} (${places[0]})`);
    else if (places.length > 0)
      findings.notes.add(`${name} stays a variable: the inputs give it no single value (${places.join(", ")}).`);
  }
  if (filled.length > 0) findings.notes.add(`Filled in, as the inputs have it: ${filled.join(", ")}.`);
}

/** What was filled in is not left; of a map, where all of it was. */
function dropUsed(used: ReadonlyMap<string, Use>, findings: ImportFindings): void {
  const isUsed = (name: string, path: string, node?: Node): boolean =>
    node?.kind === "map" && node.entries.length > 0
      ? node.entries.every(({ key, value }) => isUsed(`${name}.${key}`, path, value))
      : used.get(name)?.text !== undefined &&
        used.get(name)?.values.some(({ place }) => place.file.path === path) === true;
  const addresses = new Set(findings.requests.flatMap(({ path }) => listTemplateNames(path)));
  const helps = ({ name, place }: GivenValue, path: string) =>
    place.file.path === path && (addresses.has(name) || isUsed(name, path));
  const kept = findings.left.flatMap((part) => {
    const { path } = part.place.file;
    if (part.what === "the document" && findings.given.some((one) => helps(one, path))) return [];
    if (part.why !== noEntriesWhy) return [part];
    const below = (name: string) =>
      findings.given.find((one) => one.name === name && one.place.file.path === path)?.below;
    const names = part.what.split(", ").filter((name) => !isUsed(name, path, below(name)));
    return names.length === 0 ? [] : [{ ...part, what: names.join(", ") }];
  });
  findings.left.splice(0, Number.POSITIVE_INFINITY, ...kept);
}
