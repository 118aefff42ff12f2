// Collections of Postman (format 2.0 and 2.1): requests in folders, and variables.
import { findMapEntry, type MapNode, type Node, type ScalarNode, toValue } from "../model/node.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import { parseBody } from "./body.ts";
import { addAssigned, addLeftOut, createFindings, type FoundRequest, type ImportFindings } from "./findings.ts";
import { toPlainJson } from "./http-file.ts";
import { addBodySecrets, addHeader, addUrlLogin, isSecretName } from "./login-secrets.ts";
import { readText } from "./node-text.ts";
import { createPlaceholder, expandPlaceholders } from "./placeholders.ts";
import { listApiPaths } from "./requests.ts";

export function isPostmanCollection(node: Node): node is MapNode {
  const info = findMapEntry(node, "info")?.value;
  if (info === undefined || findMapEntry(node, "item")?.value.kind !== "list") return false;
  return readText(info, "schema")?.includes("/collection/v2") ?? findMapEntry(info, "_postman_id") !== undefined;
}

/** Values of an environment, which replace those of a collection. */
export function isPostmanEnvironment(node: Node): boolean {
  return readText(node, "_postman_variable_scope") !== undefined;
}

/** Adds its requests in the order of the folders, each with what may keep it from being sent so. */
export function takePostmanCollection(collection: MapNode, findings: ImportFindings): void {
  const scripts = listScripts(collection);
  for (const script of scripts)
    for (const path of new Set(listApiPaths(String(script.value)))) addLeftOut(findings, path, inScript, script);
  const texts = scripts.map(({ value }) => String(value));
  const isSteered = texts.some((text) => /setNextRequest|skipRequest/.test(text));
  takeFolder(collection, { findings, variables: new Map(), set: findSetNames(texts), isSteered });
}

const inScript = "a script of the collection names it, and scripts are not run";

interface Around {
  readonly findings: ImportFindings;
  readonly variables: ReadonlyMap<string, string>;
  /** Names that scripts give a value to; undefined: any. */
  readonly set: ReadonlySet<string> | undefined;
  /** Scripts decide which requests are sent. */
  readonly isSteered: boolean;
}

function listItems(node: Node | undefined, key: string): readonly Node[] {
  const list = findMapEntry(node, key)?.value;
  return list?.kind === "list" ? list.items : [];
}

function readFlag(node: Node | undefined, key: string): boolean {
  const flag = findMapEntry(node, key)?.value;
  return flag?.kind === "scalar" && flag.value === true;
}

function listScripts(node: Node): readonly ScalarNode[] {
  const own = listItems(node, "event").flatMap((event) => {
    const lines = findMapEntry(findMapEntry(event, "script")?.value, "exec")?.value;
    const all = lines?.kind === "list" ? lines.items : lines ? [lines] : [];
    return all.filter((line): line is ScalarNode => line.kind === "scalar");
  });
  return [...own, ...listItems(node, "item").flatMap(listScripts)];
}

/** As in `pm.environment.set("name", …)`. */
function findSetNames(texts: readonly string[]): ReadonlySet<string> | undefined {
  const calls = texts.flatMap((text) => [...text.matchAll(/\.set\(\s*(?:(["'`])([^"'`$]*)\1\s*,)?/g)]);
  if (calls.some(([, , name]) => name === undefined)) return undefined;
  return new Set(calls.map(([, , name = ""]) => name));
}

function takeFolder(folder: Node, given: Around): void {
  const around = { ...given, variables: readVariables(folder, given) };
  addOwnLogin(folder, around);
  for (const item of listItems(folder, "item")) {
    const request = findMapEntry(item, "request")?.value;
    if (request) around.findings.requests.push(readRequest(request, item, around));
    else if (findMapEntry(item, "item")?.value.kind !== "list")
      addLeftOut(around.findings, readText(item, "name") ?? "an item", "it is no request, and no folder of them", item);
    takeFolder(item, around);
  }
}

/** A value that a script may replace is unknown. */
function readVariables(folder: Node, around: Around): ReadonlyMap<string, string> {
  const known = new Map(around.variables);
  for (const variable of listItems(folder, "variable")) {
    const name = readText(variable, "key") ?? readText(variable, "id");
    const value = findMapEntry(variable, "value")?.value;
    const isOff = readFlag(variable, "disabled");
    if (name !== undefined && isSecret(name, variable) && value?.kind === "scalar" && value.value)
      around.findings.secrets.add(String(value.value));
    if (name !== undefined && value?.kind === "scalar")
      addAssigned(around.findings, cleanName(name), [String(value.value)]);
    if (name === undefined || isOff || isSecret(name, variable) || value?.kind !== "scalar" || value.value === null)
      continue;
    if (around.set && !around.set.has(name))
      known.set(name, fill(String(value.value), { ...around, variables: known }));
    else known.delete(name);
  }
  return known;
}

/** Its value is in no file, whatever field it is used in. */
function isSecret(name: string, variable: Node): boolean {
  return isSecretKey(name) || isSecretName(name) || readText(variable, "type") === "secret";
}

/** Of a folder or a request: methods of login with lists of keys, in format 2.0 with maps of them, and headers. */
function addOwnLogin(node: Node, around: Around): void {
  const { findings } = around;
  const auth = findMapEntry(node, "auth")?.value;
  const methods = auth?.kind === "map" ? auth.entries.map(({ value }) => value) : [];
  // Of a key in a header, the name of the header is another.
  for (const [key, value] of methods.flatMap(listPairs))
    if ((isSecretKey(key) || key === "value" || key === "authKey") && value !== "")
      findings.secrets.add(fill(value, around));
  const headers = findMapEntry(node, "header")?.value;
  const lines = headers?.kind === "scalar" ? String(headers.value).split("\n") : [];
  const pairs = headers ? listPairs(headers) : [];
  for (const line of [...lines, ...pairs.map((pair) => pair.join(": "))]) addHeader(fill(line, around), findings);
}

function listPairs(node: Node): readonly (readonly [key: string, value: string])[] {
  if (node.kind === "list")
    return node.items.map((item) => [readText(item, "key") ?? "", readText(item, "value") ?? ""] as const);
  if (node.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) =>
    value.kind === "scalar" ? [[key, String(value.value)] as const] : [],
  );
}

function readRequest(request: Node, item: Node, around: Around): FoundRequest {
  addOwnLogin(request, around);
  const sent = findMapEntry(request, "body")?.value;
  const isOff = readFlag(sent, "disabled");
  addBodySecrets(toValue(request), around.findings);
  const written = isOff ? undefined : findMapEntry(sent, "raw")?.value;
  const place = { file: item.file, start: item.start, end: item.start + 1 };
  const text = written?.kind === "scalar" && typeof written.value === "string" ? written.value.trim() : "";
  const mistakes = createFindings();
  const body = written && text !== "" ? parseBody(toPlainJson(fill(text, around)), written, mistakes) : undefined;
  const isBroken = mistakes.diagnostics.length > 0;
  const doubt = isBroken ? "its body is no JSON" : around.isSteered ? steered : undefined;
  const path = fill(readUrl(request), around);
  addUrlLogin(path, around.findings);
  return {
    method: (readText(request, "method") ?? "GET").toUpperCase(),
    path,
    place,
    ...(body && !isBroken && { body }),
    ...(doubt !== undefined && { doubt }),
  };
}

const steered = "scripts of the collection decide which requests are sent";

/** Its path may have variables of its own: `/roles/:name`. */
function readUrl(request: Node): string {
  if (request.kind === "scalar") return String(request.value);
  const url = findMapEntry(request, "url")?.value;
  if (url?.kind === "scalar") return String(url.value);
  const join = (key: string, mark: string) =>
    listItems(url, key)
      .map((part) => (part.kind === "scalar" ? String(part.value) : ""))
      .join(mark);
  const raw = (url && readText(url, "raw")) ?? `${join("host", ".")}/${join("path", "/")}`;
  return listItems(url, "variable").reduce<string>((path, variable) => {
    const [name, value] = ["key", "value"].map((key) => readText(variable, key));
    if (name === undefined) return path;
    const filled = value === undefined || value === "" ? `{{${name}}}` : value;
    return path
      .split("/")
      .map((part) => (part.replace(/[?#].*/s, "") === `:${name}` ? filled + part.slice(name.length + 1) : part))
      .join("/");
  }, raw);
}

/** With the values that the collection has itself, each expanded once: in a value that is too long, none is. */
function fill(text: string, { variables, findings }: Around): string {
  const braced = expandPlaceholders(text, ({ name }) => `{{${name}}}`);
  const parts = braced.split(/\{\{\s*([^{}]+?)\s*\}\}/).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part.startsWith("$")) return createPlaceholder(cleanName(part.slice(1)), findings.createSource());
    return variables.get(part) ?? createPlaceholder(cleanName(part), `postman ${Buffer.from(part).toString("hex")}`);
  });
  return parts.reduce((length, part) => length + part.length, 0) > longest ? braced : parts.join("");
}

const longest = 1_000_000;

function cleanName(written: string): string {
  return written.replace(/[^\w.-]/g, "_");
}
