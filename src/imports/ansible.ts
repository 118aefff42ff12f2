// Playbooks and tasks of Ansible: which values their requests have, as far as the same file says it.
import { findMapEntry, type MapEntry, type MapNode, type Node, type ScalarNode } from "../model/node.ts";
import { findListed } from "./combined.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";
import { readText } from "./node-text.ts";
import { expandPlaceholders, findOnlyPlaceholder } from "./placeholders.ts";
import { isSecurityRequest } from "./requests.ts";

interface Variables {
  readonly values: ReadonlyMap<string, Node>;
  /** How much more may be filled in: values that name each other grow without end. */
  readonly work: { left: number };
}

/** In parts of values and characters. */
const mostWork = 1_000_000;

/** The same tasks with the values of `vars`, of `set_fact` and of loops over lists in their requests. */
export function fillTasks(document: Node): Node {
  return fillBelow(document, { values: new Map(), work: { left: mostWork } });
}

/** What is in other files; said once something of this file was taken. */
export function addLeftIncludes(node: Node, findings: ImportFindings): void {
  if (node.kind === "list") for (const item of node.items) addLeftIncludes(item, findings);
  if (node.kind !== "map") return;
  for (const { key, keyRange, value } of node.entries) {
    const [, word] = includes.exec(key) ?? [];
    if (word === undefined) addLeftIncludes(value, findings);
    else addLeftOut(findings, `${word}${nameIncluded(value)}`, otherFiles, keyRange);
  }
}

const includes =
  /^(?:ansible\.(?:builtin|legacy)\.)?(include_vars|vars_files|(?:include|import)_(?:tasks|role|playbook))$/;

const otherFiles = "what it names is in other files: import those that hold entries, too";

function nameIncluded(value: Node): string {
  if (value.kind === "scalar") return ` ${String(value.value)}`;
  const name = readText(value, "file") ?? readText(value, "name") ?? readText(value, "dir");
  return name === undefined ? "" : ` ${name}`;
}

export function isRequestTask({ key, value }: Pick<MapEntry, "key" | "value">): boolean {
  return /(^|\.)uri$/.test(key) && isSecurityRequest(readText(value, "url") ?? "");
}

function fillBelow(node: Node, variables: Variables): Node {
  if (node.kind === "list") return { ...node, items: fillList(node.items, variables) };
  if (node.kind === "scalar") return node;
  const own = addVariables(variables, node);
  return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: fillBelow(entry.value, own) })) };
}

/** In the order in which they run. */
function fillList(tasks: readonly Node[], given: Variables): readonly Node[] {
  let variables = given;
  return tasks.flatMap((task) => {
    if (task.kind !== "map") return [fillBelow(task, variables)];
    const filled = fillTask(task, variables);
    variables = addFacts(variables, task);
    return filled;
  });
}

/** `vars_files` replace `vars`. */
function addVariables(variables: Variables, { entries }: MapNode): Variables {
  if (entries.some(({ key }) => key === "vars_files")) return { ...variables, values: new Map() };
  const vars = entries.find(({ key }) => key === "vars")?.value;
  if (vars?.kind !== "map") return variables;
  const own = vars.entries.map(({ key, value }): [string, Node] => [key, value]);
  return { ...variables, values: new Map([...variables.values, ...own]) };
}

/** What the tasks after it see: of what may differ, nothing. */
function addFacts(variables: Variables, { entries }: MapNode): Variables {
  const isAny = entries.some(({ key }) => /(^|\.)include_vars$/.test(key));
  if (isAny) return { ...variables, values: new Map() };
  const isUnsure = entries.some(({ key }) => /^(?:when|loop|with_\w+|until)$/.test(key));
  const known = new Map(variables.values);
  for (const { key, value } of entries) {
    if (key === "register" && value.kind === "scalar") known.delete(String(value.value));
    if (!/(^|\.)set_fact$/.test(key) || value.kind !== "map") continue;
    for (const fact of value.entries)
      if (isUnsure) known.delete(fact.key);
      else known.set(fact.key, substitute(fact.value, variables));
  }
  return { ...variables, values: known };
}

/** One for each item of a loop over a list that is known. */
function fillTask(task: MapNode, given: Variables): readonly Node[] {
  const request = task.entries.find(isRequestTask);
  if (!request) return [fillBelow(task, given)];
  const variables = addVariables(given, task);
  const loop = task.entries.find(({ key }) => /^(?:loop|with_items|with_list)$/.test(key));
  const list = loop && (listPairs(loop.value, variables) ?? substitute(loop.value, variables));
  const isPlain = !task.entries.some(({ key }) => key === "loop_control");
  const isKnown = list?.kind === "list" && isPlain && list.items.length <= mostItems;
  const used = listNames(request.value);
  const rest = task.entries.flatMap((entry): readonly MapEntry[] => {
    if (entry === loop && isKnown) return [];
    return [entry.key === "vars" ? { ...entry, value: withoutUsed(entry.value, used) } : entry];
  });
  return (isKnown ? list.items : [undefined]).map((item) => {
    const own = item ? { ...variables, values: new Map([...variables.values, ["item", item]]) } : variables;
    const entries = rest.map((entry) =>
      entry === request ? { ...entry, value: substitute(entry.value, own) } : entry,
    );
    return { ...task, entries };
  });
}

/** `{{ a | dict2items }}` of a map that is known. */
function listPairs(loop: Node, variables: Variables): Node | undefined {
  const name = loop.kind === "scalar" && typeof loop.value === "string" ? findListed(loop.value) : undefined;
  const map = name === undefined ? undefined : findVariable(name, variables);
  if (map?.kind !== "map") return undefined;
  const { file, start, end } = map;
  const items = map.entries.map(({ key, keyRange, value }): Node => {
    const named: Node = { ...keyRange, kind: "scalar", value: key };
    return {
      ...keyRange,
      kind: "map",
      entries: [
        { key: "key", keyRange, value: named },
        { key: "value", keyRange, value },
      ],
    };
  });
  return { file, start, end, kind: "list", items };
}

/** Values of the request itself: they are in what is taken. */
function withoutUsed(vars: Node, used: ReadonlySet<string>): Node {
  if (vars.kind !== "map") return vars;
  return { ...vars, entries: vars.entries.filter(({ key }) => !used.has(key)) };
}

function listNames(node: Node): ReadonlySet<string> {
  if (node.kind === "list") return new Set(node.items.flatMap((item) => [...listNames(item)]));
  if (node.kind === "map") return new Set(node.entries.flatMap(({ value }) => [...listNames(value)]));
  const text = String(node.value);
  const names = [asJson.exec(text)?.[1] ?? ""];
  expandPlaceholders(text, ({ name }) => {
    names.push(name);
    return "";
  });
  return new Set(names.map((name) => name.replace(/\..*/s, "")));
}

const mostItems = 10_000;

/** How far a value that names another is followed. */
const deepest = 5;

function substitute(node: Node, variables: Variables, depth = 0): Node {
  if (depth > deepest || --variables.work.left < 0) return node;
  if (node.kind === "list") return { ...node, items: node.items.map((item) => substitute(item, variables, depth)) };
  if (node.kind === "map") {
    const entries = node.entries.map((entry) => ({ ...entry, value: substitute(entry.value, variables, depth) }));
    return { ...node, entries };
  }
  return typeof node.value === "string" ? substituteText(node, node.value, variables, depth) : node;
}

function substituteText(node: ScalarNode, text: string, variables: Variables, depth: number): Node {
  variables.work.left -= text.length;
  const name = findOnlyPlaceholder(text)?.name ?? asJson.exec(text)?.[1];
  const whole = name === undefined ? undefined : findVariable(name, variables);
  if (whole) return moveTo(node, substitute(whole, variables, depth + 1));
  const value = expandPlaceholders(text, (unknown) => {
    const known = findVariable(unknown.name, variables);
    const inner = known && substitute(known, variables, depth + 1);
    const isText = inner?.kind === "scalar" && inner.value !== null && typeof inner.value !== "object";
    return isText ? String(inner.value) : unknown.written;
  });
  return { ...node, value };
}

/** `{{ body | to_json }}` is the value as a text, which the server reads. */
const asJson = /^\{\{\s*([A-Za-z_][\w.]*)\s*\|\s*(?:to_json|to_nice_json|tojson)\s*\}\}$/;

/** At the place where it is used. */
function moveTo({ file, start, end }: ScalarNode, node: Node): Node {
  return { ...node, file, start, end };
}

function findVariable(path: string, { values }: Variables): Node | undefined {
  const [name = "", ...keys] = path.split(".");
  return keys.reduce<Node | undefined>((node, key) => findMapEntry(node, key)?.value, values.get(name));
}
