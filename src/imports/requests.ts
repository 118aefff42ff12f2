// Requests to the API of the security plugin, in the order in which they are sent: what the server would hold after all of them.
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { fromPointer } from "../json/pointer.ts";
import { isObject, type Value } from "../json/value.ts";
import { type Family, isSingleEntryFamily, singleEntryName } from "../model/names.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import {
  addLeftOut,
  createImportedAddress,
  type FoundEntry,
  type FoundRequest,
  type ImportFindings,
  partialNote,
} from "./findings.ts";
import { patchValue } from "./patched-value.ts";
import { describePlaceholders, expandPlaceholders, holdsPlaceholder } from "./placeholders.ts";

type Held = Map<string, FoundEntry>;

/** Takes what is held after all requests; each that adds nothing is in the account. */
export function takeRequests(findings: ImportFindings): void {
  const held: Held = new Map();
  let host = "";
  for (const request of findings.requests) {
    const target = findTarget(request);
    const own = findHost(request.path);
    const isElsewhere = host !== "" && own !== "" && own !== host;
    const why = target
      ? (refuseRequest(request) ?? (isElsewhere ? explainOtherHost(own, host) : undefined))
      : explainOther(request);
    if (why !== undefined) leaveRequest(request, why, findings);
    else if (target) {
      host ||= own;
      noteProduct(request.path, findings);
      applyRequest(target, request, held, findings);
    }
  }
  for (const entry of held.values()) findings.entries.push(entry);
  if (held.size > 0) findings.notes.add(partialNote);
}

function explainOtherHost(own: string, first: string): string {
  const show = (host: string) =>
    host
      .replace(/\/.*$/s, "")
      .replace(/ \w+/g, "")
      .replace(/\^([a-z])/g, (_, character: string) => character.toUpperCase());
  const [there, here] = [show(own), show(first)];
  return there === here
    ? "its host is a variable that may have another value than before; import the requests of each cluster alone"
    : `it is sent to ${there}, and requests before it to ${here}: if that is one cluster, write the same host in both; if not, import the requests of each cluster alone`;
}

/**
 * Where a request is sent, without a login; empty where its file does not say. A default is the host, as the script itself
 * has it where the variable is not set.
 */
function findHost(path: string): string {
  const written = path.slice(0, Math.max(path.search(api), 0));
  // Names of variables differ by their case, hosts do not.
  const named = expandPlaceholders(
    written,
    ({ name, source, fallback }) => fallback || `$${name.replace(/[A-Z]/g, "^$&")} ${source}`,
  );
  return named
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^.*@/s, "")
    .replace(/\/+$/, "")
    .replace(/^127\.0\.0\.1(?=:|$)/, "localhost")
    .toLowerCase();
}

function noteProduct(path: string, findings: ImportFindings): void {
  if (/_(?:plugins|opendistro)\/_security\/api\//.test(path)) findings.products.add("opensearch");
  else if (path.includes("_searchguard/api/")) findings.products.add("search-guard");
  else findings.products.add("gate");
}

interface RequestTarget {
  /** Undefined for what gate-sync does not manage. */
  readonly family: Family | undefined;
  /** Empty for a whole family, and for the config. */
  readonly name: string;
}

const api = /\/?_(?:(?:plugins|opendistro)\/_security|searchguard|gate)\/api\/([^/?#]+)(?:\/([^?#]*))?/;

const segments: Readonly<Record<string, Family>> = {
  roles: "roles",
  rolesmapping: "role_mappings",
  actiongroups: "action_groups",
  actiongroup: "action_groups",
  tenants: "tenants",
  blocks: "blocks",
  internalusers: "internal_users",
  user: "internal_users",
  nodesdn: "nodes_dn",
  audit: "audit",
  whitelist: "whitelist",
  allowlist: "allowlist",
  securityconfig: "config",
  sgconfig: "config",
  sg_config: "config",
  gate_config: "config",
};

function findTarget({ method, path }: FoundRequest): RequestTarget | undefined {
  const [, segment = "", rest = ""] = api.exec(path) ?? [];
  if (segment === "") return undefined;
  const family = Object.hasOwn(segments, segment) ? segments[segment] : undefined;
  const name = rest.replace(/\/+$/, "");
  // A PUT of a single document is of its one entry, whether the path has its name or not.
  if (family && isSingleEntryFamily(family) && method === "PUT") return { family, name: singleEntryName };
  return { family, name: family === "config" ? "" : decodeName(name) };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function explainOther({ path, doubt }: FoundRequest): string {
  const known = path.replace(/^[^/]*(?:\/\/[^/]*)?/, "");
  const isKnown = known === "" ? !holdsPlaceholder(path) : !holdsPlaceholder(known);
  return isKnown ? "no request to the security plugin" : (doubt ?? "its path is a variable, whose value is unknown");
}

/** A path of the API of the security plugin, up to what ends one. */
const apiPath = /\/?(?:_(?:plugins|opendistro)\/)?(?:_security|_searchguard|_gate)\/api\/[^\s"'`?#\\;,|()<>[\]]*/g;

/** The paths of the API that a text names, as people write them. */
export function listApiPaths(text: string): readonly string[] {
  return (text.match(apiPath) ?? []).map(describePlaceholders);
}

/** Whether a request is to the security plugin. */
export function isSecurityRequest(path: string): boolean {
  return api.test(path);
}

function refuseRequest({ method, path, isRepeated, body, doubt }: FoundRequest): string | undefined {
  if (method === "GET" || method === "HEAD") return "it changes nothing";
  if (!["PUT", "PATCH", "DELETE"].includes(method)) return "only PUT, PATCH and DELETE change entries";
  if (doubt !== undefined) return doubt;
  const holdsVariable =
    holdsPlaceholder(api.exec(path)?.[0] ?? "") || (body && holdsPlaceholder(JSON.stringify(toValue(body))));
  if (isRepeated && holdsVariable) return "it is in a loop, and its variables differ each time";
  return undefined;
}

function leaveRequest({ method, path, place }: FoundRequest, why: string, findings: ImportFindings): void {
  const [shown = ""] = /\/?_(?:plugins|opendistro|searchguard|gate)\/[^?#]*/.exec(path) ?? [
    path.replace(/^(?:[a-z]+:\/\/[^/]*|[^/]*[@:][^/]*)/i, "").replace(/\?.*/s, ""),
  ];
  addLeftOut(findings, `${method} ${describePlaceholders(shown === "" ? "/" : shown)}`, why, place);
}

function applyRequest(
  { family, name }: RequestTarget,
  request: FoundRequest,
  held: Held,
  findings: ImportFindings,
): void {
  const { method, body, place } = request;
  if (family === undefined) {
    leaveRequest(request, "not managed by gate-sync", findings);
    return;
  }
  const address = createImportedAddress({ family, name });
  if (method === "DELETE") {
    if (!held.delete(address)) leaveRequest(request, "a deletion of what the input does not hold", findings);
    else addLeftOut(findings, address, "deleted by a later request", place);
    return;
  }
  if (!body) {
    leaveRequest(request, "it has no body that can be read here", findings);
    return;
  }
  if (method === "PATCH") applyPatch(family, name, body, held, findings);
  else putEntry(family, name, body, held, findings);
}

function putEntry(family: Family, name: string, body: Node, held: Held, findings: ImportFindings): void {
  const address = createImportedAddress({ family, name });
  if (body.kind !== "map") {
    findings.diagnostics.push(refuseBody(body, "The body of a PUT is a map of fields."));
    return;
  }
  if (name === "" && family !== "config") {
    addLeftOut(findings, `PUT ${family}`, "it names no entry", body);
    return;
  }
  const earlier = held.get(address);
  if (earlier) addLeftOut(findings, address, "replaced by a later request", earlier.place);
  held.set(address, { family, name, body: toValue(family === "config" ? unwrapConfig(body) : body), place: body });
}

/** `{config: {dynamic: …}}` and its like as what is below. */
function unwrapConfig(body: Node): Node {
  for (const key of ["config", "sg_config", "gate_config"]) {
    const below = findMapEntry(body, key)?.value;
    if (findMapEntry(below, "dynamic") && below) return below;
  }
  return body;
}

function refuseBody(place: SourceRange, what: string) {
  return createDiagnostic(place, "wrong-type", {
    what,
    why: "What this request would do is unknown.",
    fix: "Correct the request, or take it out of the input.",
  });
}

/** @param name of the entry that the paths are in; empty where they begin with it */
function applyPatch(family: Family, name: string, body: Node, held: Held, findings: ImportFindings): void {
  if (body.kind !== "list") {
    findings.diagnostics.push(refuseBody(body, "The body of a PATCH is a list of operations."));
    return;
  }
  for (const operation of body.items) applyOperation(family, name, operation, held, findings);
}

function applyOperation(family: Family, above: string, operation: Node, held: Held, findings: ImportFindings): void {
  const [op, path] = ["op", "path"].map((key) => toText(findMapEntry(operation, key)?.value));
  if (op === undefined || path === undefined) {
    findings.diagnostics.push(refuseBody(operation, "An operation of a JSON Patch has an op and a path."));
    return;
  }
  const tokens = fromPointer(path.startsWith("/") || path === "" ? path : `/${path}`);
  const [name = "", ...rest] = above === "" && family !== "config" ? tokens : [above, ...tokens];
  // Of the config, the first token is the key that it is below.
  const inner = family === "config" && /^(sg_|gate_)?config$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
  const address = createImportedAddress({ family, name });
  const node = findMapEntry(operation, "value")?.value;
  const leave = (why: string) =>
    addLeftOut(
      findings,
      `${op} ${describePlaceholders(`${address}${inner.map((token) => `/${token}`).join("")}`)}`,
      why,
      operation,
    );
  const entry = held.get(address);
  if (!["add", "replace", "remove"].includes(op)) {
    leave("only add, replace and remove change entries");
  } else if (inner.length === 0 && op === "remove") {
    if (held.delete(address)) addLeftOut(findings, address, "deleted by a later request", operation);
    else leave("a deletion of what the input does not hold");
  } else if (inner.length === 0) {
    if (node) putEntry(family, name, node, held, findings);
    else leave("it has no value");
  } else if (!entry || !isObject(entry.body)) {
    leave("it changes a part of an entry that the input does not hold; gate-sync export writes the whole of it");
  } else {
    const body = patchValue(entry.body, inner, op === "remove" ? undefined : node && toValue(node));
    if (body === undefined) leave("its path leads nowhere in the entry");
    else held.set(address, { ...entry, body });
  }
}

function toText(node: Node | undefined): string | undefined {
  const value: Value | undefined = node?.kind === "scalar" ? node.value : undefined;
  return typeof value === "string" ? value : undefined;
}
