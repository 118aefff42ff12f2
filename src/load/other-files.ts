// Files of other programs that lie beside state files: compose files, settings of dashboards, exports of Keycloak …
// A word of theirs may also be the name of a role: what counts is a value that no entry of a state file can have.
import { findNearest } from "../diagnostics/suggest.ts";
import { families, isResourceFamily, isSingleEntryFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { isFamily, isFamilyKey } from "./by-family.ts";
import { fieldWords, findGluedField, guessBodyKind, guessEntryKind, isBareBody, sharedFields } from "./evidence.ts";
import { findFamiliesByName, getFamilyOfProductName } from "./file-names.ts";

const ownWords = families.filter((family) => !isSingleEntryFamily(family));

interface OtherFile {
  readonly test: (root: MapNode) => boolean;
  /** In a sentence: `it is …`. */
  readonly noun: string;
  /** Keys of this program below which there may be fields that a state file has as well. */
  readonly own?: RegExp;
}

/**
 * What a file of another program is, in a sentence; undefined where it may be state: by the name that the servers' tools
 * use, or because an entry looks like state.
 */
export function recogniseOtherFile(root: MapNode): string | undefined {
  if (getFamilyOfProductName(root.file.path) !== undefined) return undefined;
  return otherFiles.find(({ test, own }) => test(root) && !holdsState(root, own))?.noun;
}

const otherFiles: readonly OtherFile[] = [
  {
    test: (root) =>
      entriesBelow(root, "services").some(({ value }) => hasAny(value, "image", "build", "container_name")),
    noun: "it is a Docker Compose file",
  },
  {
    test: (root) =>
      hasAll(root, "on") && entriesBelow(root, "jobs").some(({ value }) => hasAny(value, "steps", "uses", "runs-on")),
    noun: "it is a workflow of a CI service",
  },
  { test: (root) => isListOfMaps(root, "chapters"), noun: "it is a test of an API specification" },
  { test: (root) => isText(root, "AWSTemplateFormatVersion"), noun: "it is a template of CloudFormation" },
  {
    test: (root) =>
      entriesBelow(root, "actions").some(({ value }) => isText(value, "action") && hasAny(value, "filters", "options")),
    noun: "it is a list of actions of Curator",
  },
  {
    test: (root) =>
      mapsBelow(root, "hosts").some((item) => item.entries.some(({ value }) => hasAll(value, "url", "port"))),
    noun: "it says where Wazuh's API is",
  },
  {
    test: (root) =>
      (isText(root, "realm") && hasAny(root, "clients", "roles", "users", "enabled", "sslRequired", "defaultRole")) ||
      (isText(root, "clientId") && hasAny(root, "protocol", "redirectUris", "publicClient")),
    noun: "it is an export of Keycloak",
    own: /^roles$/,
  },
  {
    test: (root) => entriesBelow(root, "nodes").some(({ value }) => isListOfNodes(value) || isNode(value)),
    noun: "it is the list of nodes of Wazuh's certificate tool",
  },
  {
    test: (root) =>
      hasAny(root, "nodes", "defaults", "clients") &&
      entriesBelow(root, "ca").some(({ value }) => hasAny(value, "dn", "keysize", "validityDays", "file")),
    noun: "it is the configuration of a certificate tool",
  },
  {
    test: (root) => {
      const kind = findMapEntry(root, "kind")?.value;
      return isText(root, "apiVersion") && kind?.kind === "scalar" && kubernetes.has(String(kind.value));
    },
    noun: "it is a Kubernetes object",
  },
  {
    test: (root) => root.entries.some(({ key, value }) => /^\w*beat(\.|$)/.test(key) && isNoEntry(value)),
    noun: "it is the configuration of a Beat",
    own: /^(\w*beat|output|setup|processors|logging|monitoring|queue|http|cloud|path)(\.|$)/,
  },
  {
    test: (root) =>
      ["rootLogger", "es.logger.level", "log4j2"].some((key) => isText(root, key)) ||
      (/(^|\/)log(ging|4j2?)\.ya?ml$/.test(root.file.path) && root.entries.some(({ value }) => isNoEntry(value))),
    noun: "it is the configuration of a logger",
  },
  {
    test: (root) =>
      isListOfMaps(root, "scrape_configs") || ["openapi", "swagger", "$schema"].some((key) => isText(root, key)),
    noun: "it is a file of another program",
  },
  {
    test: (root) =>
      isText(root, "name") && isText(root, "version") && hasAny(root, "dependencies", "scripts", "apiVersion"),
    noun: "it describes a package",
  },
  {
    test: (root) =>
      ["mappings", "settings", "template"].some((key) => isNoEntry(findMapEntry(root, key)?.value)) &&
      root.entries.every(({ key }) => template.has(key)),
    noun: "it describes an index",
  },
];

/** An entry that is state, or seems to be: a family key, or fields of an entry. */
function holdsState({ entries }: MapNode, own?: RegExp): boolean {
  return entries.some(
    ({ key, value }) => !own?.test(key) && (isSection(key, value) || isStrong(value) || holdsStrong(value)),
  );
}

/** Whether there are entries below a key that is no family: it may be misspelt. */
function holdsStrong(value: Node): boolean {
  return value.kind === "map" && value.entries.some((entry) => isStrong(entry.value));
}

/** `config` and `license` are keys of many programs; those of a search cluster were recognised before. */
function isSection(key: string, value: Node): boolean {
  if (isResourceFamily(key)) return value.kind === "map" || isNullNode(value);
  return isFamilyKey(key) && !isFamily(key) && value.kind !== "scalar";
}

/** A value that no entry of a state file has: not a map of its fields, nor empty, nor a list of actions. */
function isNoEntry(value: Node | undefined): boolean {
  if (value === undefined || isNullNode(value)) return false;
  if (value.kind === "scalar") return true;
  if (value.kind === "list") return value.items.some(({ kind }) => kind !== "scalar");
  if (value.entries.length === 0 || guessEntryKind(value) !== undefined || isBareBody(value)) return false;
  return !value.entries.some(({ key }) => sharedFields.includes(key) || findNearest(key, fieldWords));
}

/** Kinds that hold no files. */
const kubernetes = new Set(
  "Deployment StatefulSet DaemonSet Service Ingress Job CronJob Pod Namespace PersistentVolume PersistentVolumeClaim ServiceAccount Role RoleBinding ClusterRole ClusterRoleBinding NetworkPolicy Kustomization CustomResourceDefinition StorageClass Certificate Issuer".split(
    " ",
  ),
);

const template = new Set([
  "index_patterns",
  "template",
  "mappings",
  "settings",
  "aliases",
  "priority",
  "order",
  "version",
  "composed_of",
  "data_stream",
  "_meta",
]);

/** opensearch.yml, kibana.yml and their like under another name. */
export function isNodeSettings(root: MapNode): boolean {
  const isSetting = ({ key, value }: MapEntry) =>
    value.kind === "scalar" && value.value !== null && (nodeKey.test(key) || dashboardsKey.test(key));
  return (
    root.entries.some(isSetting) &&
    getFamilyOfProductName(root.file.path) === undefined &&
    !holdsOtherThanSettings(root)
  );
}

/** Lists below names of settings, and no value that could be nothing else: they may be action groups of old as well. */
export function mayBeNodeSettings(root: MapNode): boolean {
  return (
    findFamiliesByName(root.file.path).length === 0 &&
    root.entries.some(({ key, value }) => value.kind === "list" && nodeKey.test(key))
  );
}

/** Whether an entry looks like state, and is no group of settings, which may have a list of hosts. */
export function holdsOtherThanSettings(root: MapNode): boolean {
  const members = ["users", "backend_roles", "backendroles", "and_backend_roles"];
  return holdsState(root, settingsGroup) || root.entries.some(({ value }) => hasAny(value, ...members));
}

const nodeKey = /^(cluster|node|network|path|http|discovery|plugins|searchguard|opendistro_security|xpack)\.\w/;
const dashboardsKey =
  /^(server|opensearch|opensearch_security|elasticsearch|kibana|logging|monitoring|telemetry|uiSettings|opensearchDashboards|csp|newsfeed|map|data|assistant|wazuh)\.\w/;

const settingsGroup =
  /^(cluster|node|network|path|http|discovery|plugins|searchguard|opendistro_security|xpack|server|opensearch|opensearch_security|elasticsearch|kibana|logging|monitoring|telemetry|wazuh)(\.|$)/;

/** Whether a text that cannot be parsed is settings of a node: most of its lines that begin a key are. */
export function looksLikeNodeSettings(text: string): boolean {
  const keys = text.split("\n").flatMap((line) => /^([\w.]+)[ \t]*:/.exec(line)?.[1] ?? []);
  const settings = keys.filter((key) => nodeKey.test(key) || dashboardsKey.test(key));
  return settings.length > 0 && 2 * settings.length > keys.length;
}

/**
 * Whether values are where state has entries, and neither the outer keys nor those below them are words of state, or
 * similar to one.
 */
export function holdsNoState(root: MapNode): boolean {
  if (findFamiliesByName(root.file.path).some(isResourceFamily)) return false;
  const { entries } = root;
  if (entries.some(({ key }) => !isSingleEntryFamily(key) && (isFamilyKey(key) || findNearest(key, ownWords))))
    return false;
  if (!entries.some(({ value }) => value.kind === "scalar" && value.value !== null)) return false;
  if (entries.some(({ value }) => findGluedField(value))) return false;
  const keys = entries.flatMap(({ key, value }) => [
    key,
    ...(value.kind === "map" ? value.entries.map((e) => e.key) : []),
  ]);
  return !keys.some((key) => findNearest(key, fieldWords)) && !holdsState(root);
}

/** A bare list may be anything, and what internal users are known by, a password, is in many files. */
function isStrong(body: Node): boolean {
  return body.kind === "map" && ![undefined, "internal_users"].includes(guessEntryKind(body));
}

/** A list whose items are entries of a state file: `- hr: {users: [ana]}`, or `- {name: hr, users: [ana]}`. */
export function holdsEntries(root: Node): boolean {
  if (root.kind !== "list") return false;
  return root.items.some((item) => {
    if (item.kind !== "map") return false;
    const fields = { ...item, entries: item.entries.filter(({ key }) => key !== "name") };
    return (
      item.entries.some(({ value }) => isStrong(value)) ||
      ![undefined, "internal_users"].includes(guessBodyKind(fields))
    );
  });
}

function isListOfNodes(node: Node): boolean {
  return node.kind === "list" && node.items.some(isNode);
}

function isNode(node: Node): boolean {
  return hasAll(node, "name", "ip");
}

function hasAll(node: Node, ...keys: readonly string[]): boolean {
  return keys.every((key) => findMapEntry(node, key));
}

function hasAny(node: Node, ...keys: readonly string[]): boolean {
  return keys.some((key) => findMapEntry(node, key));
}

/** A key with a value of its own, which no name of an entry has. */
function isText(node: Node, key: string): boolean {
  const value = findMapEntry(node, key)?.value;
  return value?.kind === "scalar" && value.value !== null;
}

function isListOfMaps(node: Node, key: string): boolean {
  return mapsBelow(node, key).length > 0;
}

function mapsBelow(node: Node, key: string): readonly MapNode[] {
  const value = findMapEntry(node, key)?.value;
  return value?.kind === "list" ? value.items.filter((item) => item.kind === "map") : [];
}

function entriesBelow(node: Node, key: string): readonly MapEntry[] {
  const below = findMapEntry(node, key)?.value;
  return below?.kind === "map" ? below.entries : [];
}
