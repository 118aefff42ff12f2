// Applications and ApplicationSets of Argo CD: the values that they give to a chart.
import { findMapEntry, type MapNode, type Node, type ScalarNode } from "../model/node.ts";
import { parseEmbeddedText } from "./embedded.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";
import { takeNested } from "./nested.ts";
import { readText } from "./node-text.ts";

export function isArgoApplication(object: MapNode): boolean {
  const isArgo = readText(object, "apiVersion")?.startsWith("argoproj.io/") ?? false;
  return isArgo && /^Application(?:Set)?$/.test(readText(object, "kind") ?? "");
}

/** Takes the entries of all its values; false where there are none. */
export function takeArgoApplication(title: string, object: MapNode, findings: ImportFindings): boolean {
  const before = findings.left.length;
  let isTaken = false;
  for (const helm of listCharts(object)) {
    const values = readParameters(title, helm, readValues(helm, findings), findings);
    if (values?.kind === "map" && takeNested(values, findings)) isTaken = true;
    leaveFiles(title, helm, findings);
  }
  return isTaken || findings.left.length > before;
}

/** Of `source`, of `sources`, and of the template of a set. */
function listCharts(node: Node): readonly MapNode[] {
  if (node.kind === "list") return node.items.flatMap(listCharts);
  if (node.kind === "scalar") return [];
  return node.entries.flatMap(({ key, value }) => {
    if (key !== "helm") return listCharts(value);
    return value.kind === "map" ? [value] : [];
  });
}

/** Where both are there, Argo CD takes `valuesObject`. */
function readValues(helm: MapNode, findings: ImportFindings): Node | undefined {
  const [object, text] = ["valuesObject", "values"].map((key) => findMapEntry(helm, key)?.value);
  if (object?.kind === "map" && object.entries.length > 0) return object;
  if (text?.kind !== "scalar" || typeof text.value !== "string") return undefined;
  return parseEmbeddedText("values", text, findings)[0];
}

/** Each replaces what the values have at its place. */
function readParameters(
  title: string,
  helm: MapNode,
  values: Node | undefined,
  findings: ImportFindings,
): Node | undefined {
  const parameters = findMapEntry(helm, "parameters")?.value;
  let result = values;
  for (const parameter of parameters?.kind === "list" ? parameters.items : []) {
    const name = readText(parameter, "name");
    const value = findMapEntry(parameter, "value")?.value;
    if (name === undefined || value?.kind !== "scalar") continue;
    const isText = findMapEntry(parameter, "forceString")?.value;
    const parsed = isText?.kind === "scalar" && isText.value === true ? value : parseParameter(value);
    const set = setAt(result, parsePath(name), parsed);
    if (set) result = set;
    else addLeftOut(findings, `${title}: the parameter ${name}`, "its place is not in the values", parameter);
  }
  return result;
}

/** As `helm --set` reads it: `a.b[0]`, where `\.` is a dot of a name. */
function parsePath(name: string): readonly (string | number)[] {
  const parts = name.matchAll(/\[(\d{1,9})\]|((?:\\.|[^.[\\])+)/g);
  return [...parts].map(([, at, key = ""]) => (at === undefined ? key.replace(/\\(.)/g, "$1") : Number(at)));
}

function parseParameter(node: ScalarNode): Node {
  const { value, file, start, end } = node;
  if (typeof value !== "string") return node;
  const [, list] = /^\{([^{}]*)\}$/.exec(value) ?? [];
  const create = (text: string): ScalarNode => ({ kind: "scalar", value: parseScalar(text), file, start, end });
  if (list !== undefined) return { kind: "list", items: list.split(",").map(create), file, start, end };
  return parseScalar(value) === value ? node : create(value);
}

function parseScalar(text: string): ScalarNode["value"] {
  if (/^(?:true|false|null)$/.test(text)) return JSON.parse(text);
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

function setAt(node: Node | undefined, path: readonly (string | number)[], value: Node): Node | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const { file, start, end } = value;
  if (typeof first === "number") {
    const items = node?.kind === "list" ? node.items : [];
    const item = first > items.length ? undefined : setAt(items[first], rest, value);
    return (
      item && { kind: "list", items: [...items.slice(0, first), item, ...items.slice(first + 1)], file, start, end }
    );
  }
  const entries = node?.kind === "map" ? node.entries : [];
  const at = entries.findIndex(({ key }) => key === first);
  const below = setAt(entries[at]?.value, rest, value);
  if (!below) return undefined;
  const entry = { key: first, keyRange: entries[at]?.keyRange ?? value, value: below };
  const all = at === -1 ? [...entries, entry] : entries.map((one, index) => (index === at ? entry : one));
  return { kind: "map", entries: all, file, start, end };
}

function leaveFiles(title: string, helm: MapNode, findings: ImportFindings): void {
  for (const key of ["valueFiles", "fileParameters"]) {
    const files = findMapEntry(helm, key)?.value;
    const why = "these files are in the repository of the chart: import those that hold entries, too";
    if (files?.kind === "list" && files.items.length > 0) addLeftOut(findings, `${title}: ${key}`, why, files);
  }
}
