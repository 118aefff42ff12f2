// Files of other programs that lie beside state files: compose files, settings of dashboards, exports of Keycloak …
import { nearest } from "../diagnostics/suggest.ts";
import { families, isResourceFamily } from "../model/names.ts";
import { entryOf, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { isFamilyKey } from "./by-family.ts";
import { fieldWords, kindOf } from "./evidence.ts";
import { familiesByName } from "./file-names.ts";

interface OtherFile {
  readonly test: (root: MapNode) => boolean;
  /** In a sentence: `it is …`. */
  readonly noun: string;
}

/** What a file of another program is, in a sentence; undefined where it may be state. */
export function otherFile(root: MapNode): string | undefined {
  return otherFiles.find(({ test }) => test(root))?.noun;
}

const otherFiles: readonly OtherFile[] = [
  {
    test: (root) =>
      entriesBelow(root, "services").some(({ value }) => hasAny(value, "image", "build", "container_name")),
    noun: "it is a Docker Compose file",
  },
  { test: (root) => hasAll(root, "on", "jobs"), noun: "it is a workflow of a CI service" },
  { test: (root) => hasAll(root, "chapters"), noun: "it is a test of an API specification" },
  {
    test: (root) =>
      (isScalar(root, "realm") && hasAny(root, "clients", "roles", "users", "enabled", "sslRequired", "defaultRole")) ||
      (isScalar(root, "clientId") && hasAny(root, "protocol", "redirectUris", "publicClient")),
    noun: "it is an export of Keycloak",
  },
  {
    test: (root) => entriesBelow(root, "nodes").some(({ value }) => isListOfNodes(value) || isNode(value)),
    noun: "it is the list of nodes of Wazuh's certificate tool",
  },
  {
    test: (root) => hasAll(root, "ca") && hasAny(root, "nodes", "defaults", "clients"),
    noun: "it is the configuration of a certificate tool",
  },
  {
    test: (root) => {
      const kind = entryOf(root, "kind")?.value;
      return hasAll(root, "apiVersion") && kind?.kind === "scalar" && kubernetes.has(String(kind.value));
    },
    noun: "it is a Kubernetes object",
  },
  {
    test: (root) => root.entries.some(({ key }) => /^\w*beat(\.|$)/.test(key)),
    noun: "it is the configuration of a Beat",
  },
  {
    test: (root) =>
      hasAny(root, "rootLogger", "es.logger.level", "log4j2") || /(^|\/)log(ging|4j2?)\.ya?ml$/.test(root.file.path),
    noun: "it is the configuration of a logger",
  },
  {
    test: (root) => hasAny(root, "scrape_configs", "openapi", "swagger", "$schema"),
    noun: "it is a file of another program",
  },
  {
    test: (root) => hasAll(root, "name", "version") && hasAny(root, "dependencies", "scripts", "apiVersion"),
    noun: "it describes a package",
  },
  {
    test: (root) =>
      hasAny(root, "mappings", "settings", "template") && root.entries.every(({ key }) => template.has(key)),
    noun: "it describes an index",
  },
];

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
export function isNodeSettings({ entries }: MapNode): boolean {
  return entries.some(
    ({ key, value }) =>
      value.kind !== "map" && (nodeKey.test(key) || (value.kind === "scalar" && dashboardsKey.test(key))),
  );
}

const nodeKey = /^(cluster|node|network|path|http|discovery|plugins|searchguard|opendistro_security|xpack)\.\w/;
const dashboardsKey =
  /^(server|opensearch|opensearch_security|elasticsearch|kibana|logging|monitoring|telemetry|uiSettings|opensearchDashboards|csp|newsfeed|map|data|assistant|wazuh)\.\w/;

/** The same of a text that cannot be parsed: most of its lines that begin a key are settings. */
export function looksLikeNodeSettings(text: string): boolean {
  const keys = text.split("\n").flatMap((line) => /^([\w.]+)[ \t]*:/.exec(line)?.[1] ?? []);
  const settings = keys.filter((key) => nodeKey.test(key) || dashboardsKey.test(key));
  return settings.length > 0 && 2 * settings.length > keys.length;
}

/** A value stands where state has entries, and neither the outer keys nor those below them are words of state, or nearly so. */
export function holdsNoState(root: MapNode): boolean {
  if (familiesByName(root.file.path).some(isResourceFamily)) return false;
  const { entries } = root;
  if (entries.some(({ key }) => isFamilyKey(key) || nearest(key, families))) return false;
  if (!entries.some(({ value }) => value.kind === "scalar" && value.value !== null)) return false;
  const keys = entries.flatMap(({ key, value }) => [
    key,
    ...(value.kind === "map" ? value.entries.map((e) => e.key) : []),
  ]);
  return !keys.some((key) => nearest(key, fieldWords)) && !entries.some(({ value }) => isStrong(value));
}

/** A bare list may be anything. */
function isStrong(body: Node): boolean {
  return body.kind === "map" && kindOf(body) !== undefined;
}

function isListOfNodes(node: Node): boolean {
  return node.kind === "list" && node.items.some(isNode);
}

function isNode(node: Node): boolean {
  return hasAll(node, "name", "ip");
}

function hasAll(node: Node, ...keys: readonly string[]): boolean {
  return keys.every((key) => entryOf(node, key));
}

function hasAny(node: Node, ...keys: readonly string[]): boolean {
  return keys.some((key) => entryOf(node, key));
}

function isScalar(node: Node, key: string): boolean {
  return entryOf(node, key)?.value.kind === "scalar";
}

function entriesBelow(node: Node, key: string): readonly MapEntry[] {
  const below = entryOf(node, key)?.value;
  return below?.kind === "map" ? below.entries : [];
}
