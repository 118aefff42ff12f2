import { findFamiliesByName, findUnmanagedByName } from "../load/file-names.ts";
import { findMapEntry, type MapNode, type Node, type ScalarNode } from "../model/node.ts";
import { isArgoApplication, takeArgoApplication } from "./argo-cd.ts";
import { isEmbeddedFile, isFileKey, parseEmbeddedText, takeEmbeddedFile } from "./embedded.ts";
import { addLeftOut, createFindings, type ImportFindings, type OperatorCluster, partialNote } from "./findings.ts";
import { takeNested } from "./nested.ts";
import { readText } from "./node-text.ts";
import { addLeftResource, findOperatorKind, takeOperatorResource } from "./operator.ts";

/** Two roles may be called kind and apiVersion: their values are no texts. */
export function isKubernetesObject(node: Node): node is MapNode {
  return readText(node, "apiVersion") !== undefined && readText(node, "kind") !== undefined;
}

/** Takes the state that an object holds, and says of all else what it is. */
export function takeKubernetesObject(object: MapNode, findings: ImportFindings): void {
  const kind = readText(object, "kind") ?? "";
  const items = findMapEntry(object, "items")?.value;
  if (/List$/.test(kind) && items?.kind === "list") for (const item of items.items) takeItem(kind, item, findings);
  else if (kind === "ConfigMap" || kind === "Secret") takeData(kind, object, findings);
  else if (takeCustomResource(kind, object, findings)) return;
  else if (!takeValues(kind, object, findings))
    addLeftOut(findings, describeObject(kind, object), "this kind of object holds no entries", object);
}

/** Such as those of a HelmRelease. */
function takeValues(kind: string, object: MapNode, findings: ImportFindings): boolean {
  if (isArgoApplication(object)) return takeArgoApplication(describeObject(kind, object), object, findings);
  return takeNested(object, findings) !== undefined;
}

function takeCustomResource(kind: string, object: MapNode, findings: ImportFindings): boolean {
  const operator = findOperatorKind(kind);
  const [metadata, spec] = ["metadata", "spec"].map((key) => findMapEntry(object, key)?.value);
  const name = metadata && readText(metadata, "name");
  if (!operator || !metadata || name === undefined || spec?.kind !== "map") return false;
  const title = describeObject(kind, object);
  const uid = readText(metadata, "uid");
  const state = readText(findMapEntry(object, "status")?.value ?? object, "state");
  const resource = { name, title, spec, ...(uid !== undefined && { uid }) };
  const isDeleted = readText(metadata, "deletionTimestamp") !== undefined;
  const why = isDeleted ? deleting : state === "IGNORED" ? ignored : explainOtherCluster(metadata, spec, findings);
  if (why === undefined) takeOperatorResource(operator, resource, findings);
  else addLeftResource(operator, resource, { why, place: object }, findings);
  findings.notes.add(operatorNote);
  findings.notes.add(partialNote);
  return true;
}

const ignored = "the operator ignores it (status.state), most often as the cluster had an entry of that name before";
const deleting = "it is being deleted (metadata.deletionTimestamp)";

/** Clusters are of a namespace; one that is not stated is the same. Undefined: it is of the first one. */
function explainOtherCluster(metadata: Node, spec: MapNode, findings: ImportFindings): string | undefined {
  const reference = findMapEntry(spec, "opensearchCluster")?.value;
  const name = reference && readText(reference, "name");
  if (name === undefined) return undefined;
  const namespace = readText(metadata, "namespace");
  const cluster = { name, ...(namespace !== undefined && { namespace }) };
  findings.operatorCluster ??= cluster;
  const { operatorCluster: first } = findings;
  const isElsewhere = first.namespace !== undefined && namespace !== undefined && first.namespace !== namespace;
  if (first.name === name && !isElsewhere) return undefined;
  return `it is for the OpenSearchCluster ${nameCluster(cluster)}, and the first one of the input is ${nameCluster(first)}: import the resources of each cluster alone`;
}

function nameCluster({ name, namespace }: OperatorCluster): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

const operatorNote =
  "Stop the operator before you delete its resources, and remove their finalizers: else it deletes their entries.";

function takeItem(kind: string, item: Node, findings: ImportFindings): void {
  if (isKubernetesObject(item)) takeKubernetesObject(item, findings);
  else addLeftOut(findings, `an item of a ${kind}`, "it is no Kubernetes object", item);
}

/** Each key of the data, whether it is a file of the security plugin or not. */
function takeData(kind: "ConfigMap" | "Secret", object: MapNode, findings: ImportFindings): void {
  const title = describeObject(kind, object);
  if (kind === "Secret") findings.secretObjects.push(object);
  const before = findings.entries.length + findings.left.length;
  const texts = findMapEntry(object, "stringData")?.value;
  for (const field of ["data", "stringData", "binaryData"]) {
    const data = findMapEntry(object, field)?.value;
    const isEncoded = field === "binaryData" || (kind === "Secret" && field === "data");
    for (const { key, keyRange, value } of data?.kind === "map" ? data.entries : []) {
      if (field === "data" && kind === "Secret" && findMapEntry(texts, key)) {
        addLeftOut(findings, `${title}: ${key}`, "the same key in stringData replaces it", keyRange);
      } else if (takeValuesFile(key, value, isEncoded, findings)) {
        // A HelmRelease names it in valuesFrom.
      } else if (!mayBeFile(key, value, isEncoded)) {
        addLeftOut(findings, `${title}: ${key}`, "its name is no file of the security plugin", keyRange);
      } else takeEmbeddedFile(key, value, findings, isEncoded ? "base64" : "text");
    }
  }
  if (findings.entries.length + findings.left.length === before) addLeftOut(findings, title, "it has no data", object);
}

/** Values of a chart, as a HelmRelease names them in `valuesFrom`; false where they hold no entries, or are no YAML. */
function takeValuesFile(key: string, value: Node, isEncoded: boolean, findings: ImportFindings): boolean {
  if (value.kind !== "scalar" || !/^(?:.*[-_.])?values(?:[-_.].*)?\.ya?ml$/i.test(key)) return false;
  const documents = parseEmbeddedText(key, value, createFindings(), isEncoded ? "base64" : "text");
  const taken = documents.filter((one) => one.kind !== "scalar" && takeNested(one, findings) !== undefined);
  return taken.length > 0;
}

/** By its name, or by a header. */
function mayBeFile(key: string, value: Node, isEncoded: boolean): value is ScalarNode {
  if (value.kind !== "scalar") return false;
  if (isFileKey(key) || findFamiliesByName(key).length > 0 || findUnmanagedByName(key) !== undefined) return true;
  return !isEncoded && typeof value.value === "string" && isEmbeddedFile(key, value.value);
}

export function describeObject(kind: string, object: MapNode): string {
  const metadata = findMapEntry(object, "metadata")?.value;
  const name = metadata && readText(metadata, "name");
  return name === undefined ? kind : `${kind} ${name}`;
}
