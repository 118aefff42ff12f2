// Families anywhere in a map: values of Helm charts, variables of Ansible.
import { guessEntryKind, isBareBody } from "../load/evidence.ts";
import { findFamiliesByName } from "../load/file-names.ts";
import { isHeader, parseHeader } from "../load/header.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type ListNode, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { isRequestTask } from "./ansible.ts";
import { parseBody } from "./body.ts";
import { findEachOf } from "./combined.ts";
import { isEmbeddedFile, takeEmbeddedFile } from "./embedded.ts";
import { addLeftOut, createFindings, type ImportFindings, noEntriesWhy } from "./findings.ts";
import { readText } from "./node-text.ts";
import { takeOperatorList } from "./operator.ts";
import { listApiPaths } from "./requests.ts";
import { takeNativeMap } from "./state-document.ts";

/**
 * Takes all families below a map.
 *
 * @returns the keys below which nothing was taken; undefined where nothing was taken at all
 */
export function takeNested(root: MapNode | ListNode, findings: ImportFindings): readonly MapEntry[] | undefined {
  const before = countFound(findings);
  const rest = root.kind === "map" ? takeBelow(root, findings) : [];
  if (root.kind === "list") takeItems("item", root, findings);
  return countFound(findings) === before ? undefined : rest;
}

function countFound({ entries, left, requests }: ImportFindings): number {
  return entries.length + left.length + requests.length;
}

function takeItems(key: string, list: ListNode, findings: ImportFindings): void {
  for (const item of list.items) {
    if (item.kind === "map") takeInside(key, item, findings);
    else leaveRequests(item, findings);
  }
}

/** The keys of a map below which nothing was taken. */
function takeBelow(root: MapNode, findings: ImportFindings): readonly MapEntry[] {
  const before = findings.requests.length;
  const rest = root.entries.filter((entry) => !takeTask(entry, root, findings) && !takeEntry(entry, findings));
  if (root.entries.some(({ key }) => key === "when")) doubtSince(before, conditional, findings);
  return rest;
}

function doubtSince(before: number, doubt: string, findings: ImportFindings): void {
  for (const request of findings.requests.splice(before)) findings.requests.push({ doubt, ...request });
}

const conditional = "its task has a condition, and may not run";

const otherwise = "handlers and rescue run in some cases only";

/** A request that a task of Ansible sends. */
function takeTask({ key, value }: MapEntry, task: MapNode, findings: ImportFindings): boolean {
  if (!isRequestTask({ key, value })) return false;
  const isRepeated = task.entries.some((entry) => /^(loop|with_\w+)$/.test(entry.key));
  const [url = "", method] = ["url", "method"].map((field) => readText(value, field));
  const written = findMapEntry(value, "body")?.value;
  const mistakes = createFindings();
  const isText = written?.kind === "scalar" && typeof written.value === "string";
  const body = isText ? parseBody(String(written.value), written, mistakes) : written;
  const isMap = body?.kind === "map" || body?.kind === "list";
  const doubt = written && (mistakes.diagnostics.length > 0 || !isMap) ? unknownBody : undefined;
  const eachOf = findEachOf(task, written);
  findings.requests.push({
    ...(eachOf !== undefined && { eachOf }),
    method: (method ?? "GET").toUpperCase(),
    path: url,
    place: value,
    ...(body && doubt === undefined && { body }),
    ...(isRepeated && { isRepeated: true }),
    ...(doubt !== undefined && { doubt }),
  });
  return true;
}

const unknownBody = "its body is a variable or a template, whose value is not in this file, or no JSON";

/** The same, where the keys are named at once if something else beside them was taken. */
function takeInside(path: string, map: MapNode, findings: ImportFindings): void {
  const below = takeBelow(map, findings);
  const rest = map.entries.some(isTaskList) ? below.filter(({ key }) => key === "vars") : below;
  const isTask = map.entries.some(isRequestTask);
  if (rest.length > 0 && rest.length < map.entries.length && !isTask) listRest(path, rest, findings);
}

/** A play, a block, or a task that sets values: what else it has says how it runs. */
function isTaskList({ key, value }: MapEntry): boolean {
  return /^(?:block|tasks|pre_tasks|post_tasks)$/.test(key) ? value.kind === "list" : /(?:^|\.)set_fact$/.test(key);
}

/** @param path of the map that has them; empty for a document */
export function listRest(path: string, rest: readonly MapEntry[], findings: ImportFindings): void {
  const [first] = rest;
  const nameKey = ({ key }: MapEntry) => (path === "" ? key : `${path}.${key}`);
  if (first && rest.length <= mostKeys)
    addLeftOut(findings, rest.map(nameKey).join(", "), noEntriesWhy, first.keyRange);
  else for (const entry of rest) addLeftOut(findings, nameKey(entry), noEntriesWhy, entry.keyRange);
}

/** Of one part of the account. */
const mostKeys = 6;

function takeEntry({ key, value }: MapEntry, findings: ImportFindings): boolean {
  const before = countFound(findings);
  const requests = findings.requests.length;
  const entries = findings.entries.length;
  const name = toSnakeCase(key);
  if (value.kind === "scalar") {
    if (typeof value.value === "string" && isEmbeddedFile(key, value.value)) takeEmbeddedFile(key, value, findings);
    else leaveRequests(value, findings);
  } else if (value.kind === "map") {
    const family = findFamilyOf(name, value);
    if (family !== undefined)
      takeNativeMap(family, family === "tenants" ? value : leaveNulls(value, findings), findings);
    else {
      leaveUnnamed(key, value, findings);
      takeInside(key, value, findings);
    }
  } else if (!takeOperatorList(key, value.items, findings) && !takeNamedList(name, value, findings))
    takeItems(key, value, findings);
  if (findings.entries.length > entries && isOfOpenSearch(key, name)) findings.products.add("opensearch");
  if (key === "handlers" || key === "rescue") doubtSince(requests, otherwise, findings);
  return countFound(findings) > before;
}

/** Where such files are laid over others, nothing in an entry's place takes it out there. A tenant may be as short. */
function leaveNulls(map: MapNode, findings: ImportFindings): MapNode {
  const isLeft = (entry: MapEntry) => isNullNode(entry.value) && !isHeader(entry);
  for (const { key, keyRange } of map.entries.filter(isLeft))
    addLeftOut(findings, key, "it is null, by which values take an entry out", keyRange);
  return { ...map, entries: map.entries.filter((entry) => !isLeft(entry)) };
}

/** `securityConfig` is a key of the charts of OpenSearch and Open Distro. */
function isOfOpenSearch(key: string, name: string): boolean {
  return name.startsWith("opensearch_") || key === "securityConfig";
}

/** Entries as the items of a list, each with its name in a field. */
function takeNamedList(key: string, list: ListNode, findings: ImportFindings): boolean {
  const entries = list.items.map((item): MapEntry | undefined => {
    const key = namesOfEntries.find((one) => findMapEntry(item, one));
    const field = key === undefined ? undefined : findMapEntry(item, key);
    const name = field?.value;
    if (item.kind !== "map" || name?.kind !== "scalar" || typeof name.value !== "string") return undefined;
    const rest = item.entries.filter((one) => one !== field);
    return { key: name.value, keyRange: name, value: { ...item, entries: rest } };
  });
  const named = entries.filter((entry) => entry !== undefined);
  if (named.length === 0 || named.length < entries.length || hasRepeatedNames(named)) return false;
  const { file, start, end } = list;
  const map: MapNode = { kind: "map", entries: named, file, start, end };
  const family = findFamilyOf(key, map);
  if (family === undefined || family === "config") return false;
  takeNativeMap(family, map, findings);
  return true;
}

const namesOfEntries = ["name", "username", "role_name", "tenant_name", "role"];

function hasRepeatedNames(entries: readonly MapEntry[]): boolean {
  return new Set(entries.map(({ key }) => key)).size < entries.length;
}

/** Names requests in texts, such as those of a `shell` task. */
function leaveRequests(node: Node, findings: ImportFindings): void {
  if (node.kind !== "scalar" || typeof node.value !== "string") return;
  const why = "requests in a text of another file are not read: import that text as a script of its own";
  for (const path of new Set(listApiPaths(node.value))) addLeftOut(findings, path, why, node);
}

/** The family that a key names, where what is below it are entries of that family. */
function findFamilyOf(name: string, value: MapNode): Family | undefined {
  const entries = value.entries.filter((entry) => !isHeader(entry)).map(withoutState);
  if (isConfig(name, value)) return "config";
  if (entries.length === 0 || !entries.every((entry) => entry.value.kind !== "scalar" || isNullNode(entry.value))) {
    return undefined;
  }
  const header = parseHeader(value);
  if (header && "family" in header) return header.family;
  const kinds = new Set(entries.map((entry) => guessEntryKind(entry.value)));
  if (
    /^(?:(?:opensearch|opendistro|elasticsearch|search_?guard)_(?:security_)?)?users$/.test(name) &&
    entries.every(isUser)
  )
    return "internal_users";
  if (
    /^(?:opensearch|opendistro|elasticsearch|search_?guard)_(?:security_)?users$/.test(name) &&
    value.entries.every(isGoneOrUser)
  )
    return "internal_users";
  const named = findFamiliesByName(name);
  const family = named.filter(isResourceFamily).find((one) => kinds.has(one));
  if (family !== undefined) return family;
  if (value.entries.every(isAbsent)) return named.find(isResourceFamily);
  if (named.includes("tenants") && entries.every((entry) => isBareBody(entry.value) || isEmpty(entry.value)))
    return "tenants";
  // No other kind has these fields.
  return kinds.size === 1 && kinds.has("roles") && entries.every(hasPermissions) ? "roles" : undefined;
}

/** `opensearch_roles: {hr: …}` of Ansible, in a file that may be called `roles.yml`: its keys are no entries. */
export function isNamedBelow(document: Node): boolean {
  return (
    document.kind === "map" &&
    !document.entries.some(isHeader) &&
    document.entries.some(
      ({ key, value }) => /^(?:opensearch|opendistro|elasticsearch|search_?guard)_/.test(key) && isEntries(key, value),
    )
  );
}

function isEntries(key: string, value: Node): boolean {
  if (value.kind === "list") return value.items.length > 0 && value.items.every((item) => item.kind === "map");
  return (
    value.kind === "map" && guessEntryKind(value) === undefined && findFamilyOf(toSnakeCase(key), value) !== undefined
  );
}

function isConfig(name: string, value: MapNode): boolean {
  if (!findFamiliesByName(name).includes("config")) return false;
  return findMapEntry(findMapEntry(value, "config")?.value, "dynamic") !== undefined;
}

/** The entry as its family has it. */
function withoutState(entry: MapEntry): MapEntry {
  if (readText(entry.value, "state") === undefined || entry.value.kind !== "map") return entry;
  return { ...entry, value: { ...entry.value, entries: entry.value.entries.filter(({ key }) => key !== "state") } };
}

function isGoneOrUser(entry: MapEntry): boolean {
  return isAbsent(entry) || isUser(entry);
}

function isAbsent({ value }: MapEntry): boolean {
  return readText(value, "state") === "absent";
}

/** Other programs have users with passwords as well. */
function isUser({ value }: MapEntry): boolean {
  return ["hash", "backend_roles", "opendistro_security_roles", "search_guard_roles"].some((field) =>
    findMapEntry(value, field),
  );
}

function hasPermissions({ value }: MapEntry): boolean {
  return ["cluster_permissions", "index_permissions", "tenant_permissions"].some((field) => findMapEntry(value, field));
}

function isEmpty(node: Node): boolean {
  return isNullNode(node) || (node.kind === "map" && node.entries.length === 0);
}

/** Entries that are surely of the security plugin, below a key that names no family: nothing of them is guessed. */
function leaveUnnamed(key: string, value: MapNode, findings: ImportFindings): void {
  for (const entry of value.entries) {
    const kind = entry.value.kind === "map" ? guessEntryKind(entry.value) : undefined;
    if (kind === undefined || kind === "blocks") continue;
    if ((kind === "role_mappings" && !isMapping(entry.value)) || (kind === "roles" && !hasPermissions(entry))) continue;
    const why = `it looks like ${kind}, and the key ${key} above it names no resource type`;
    addLeftOut(findings, entry.key, why, entry.keyRange);
  }
}

/** Other programs have lists of hosts and users as well. */
function isMapping(body: Node): boolean {
  return findMapEntry(body, "backend_roles") !== undefined;
}

/** `rolesMapping` as `roles_mapping`. */
function toSnakeCase(key: string): string {
  return key.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
}
