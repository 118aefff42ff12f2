// Requests to the API of the security plugin, in the order in which they are sent: what the server would hold after all of them.
import { type Family, isSingleEntryFamily, singleEntryName } from "../model/names.ts";
import { toValue } from "../model/node.ts";
import type { Product } from "../model/plan.ts";
import { isTakenVariable } from "./combined.ts";
import {
  addLeftOut,
  createImportedAddress,
  type FoundRequest,
  type ImportFindings,
  otherRequestWhy,
  partialNote,
  readWhy,
} from "./findings.ts";
import { type ImportedState, putEntry } from "./imported-state.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { addBodySecrets } from "./login-secrets.ts";
import { createPlaceholder, describePlaceholders, expandPlaceholders, holdsPlaceholder } from "./placeholders.ts";
import { addServerUrl } from "./server-url.ts";

/** Takes what is held after all requests; each that adds nothing is in the account. */
export function takeRequests(findings: ImportFindings, stated?: Product): void {
  const held: ImportedState = new Map();
  let host = "";
  let hostNote = "";
  for (const request of findings.requests) {
    if (request.body) addBodySecrets(toValue(request.body), findings);
    const target = findTarget(request);
    const own = findHost(request.path);
    const isElsewhere = host !== "" && own !== "" && own !== host;
    const why = target
      ? (refuseRequest(request) ??
        (isElsewhere ? explainOtherHost([own, noteDefault(request.path)], [host, hostNote]) : undefined))
      : explainOther(request);
    if (isTakenEach(request, target, findings)) {
      noteServer(request.path, findings);
      continue;
    }
    if (why !== undefined) leaveRequest(request, why, findings);
    else if (target) {
      if (host === "") hostNote = noteDefault(request.path);
      host ||= own;
      if (!request.isPayload) noteProduct(request.path, findings);
      noteServer(request.path, findings);
      applyRequest(target, request, findProduct(request, findings, stated), held, findings);
    }
  }
  for (const entry of held.values()) findings.entries.push(entry);
  if (held.size > 0) findings.notes.add(partialNote);
}

function noteServer(path: string, findings: ImportFindings): void {
  addServerUrl(path.slice(0, Math.max(path.search(api), 0)), findings);
}

/** A loop over a variable whose entries were taken from where it is set. */
function isTakenEach(
  { method, eachOf }: FoundRequest,
  target: RequestTarget | undefined,
  findings: ImportFindings,
): boolean {
  return method === "PUT" && eachOf !== undefined && isTakenVariable(eachOf, findings, target?.family);
}

type NotedHost = readonly [host: string, note: string];

function explainOtherHost([own, ownNote]: NotedHost, [first, firstNote]: NotedHost): string {
  const show = (host: string) =>
    host
      .replace(/\/.*$/s, "")
      .replace(/ \w+/g, "")
      .replace(/\^([a-z])/g, (_, character: string) => character.toUpperCase());
  const [there, here] = [show(own), show(first)];
  return there === here
    ? "its host is a variable that may have another value than before; import the requests of each cluster alone"
    : `it is sent to ${there}${ownNote}, and requests before it to ${here}${firstNote}: if that is one cluster, write the same host in both; if not, import the requests of each cluster alone`;
}

/** The variable whose default the host is. */
function noteDefault(path: string): string {
  let note = "";
  expandPlaceholders(path.slice(0, Math.max(path.search(api), 0)), ({ name, fallback }) => {
    if (fallback) note = ` (the default of ${name})`;
    return "";
  });
  return note;
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
  findings.products.add(getProductOfPath(path));
}

function getProductOfPath(path: string): Product {
  if (/_(?:plugins|opendistro)\/_security\/api\//.test(path)) return "opensearch";
  return path.includes("_searchguard/api/") ? "search-guard" : "gate";
}

/** Of a payload, which product it is for is unknown where neither the user nor the other inputs say it. */
function findProduct(
  { isPayload, path }: FoundRequest,
  { products }: ImportFindings,
  stated: Product | undefined,
): Product | undefined {
  if (!isPayload) return getProductOfPath(path);
  const [shown, ...others] = products;
  return stated ?? (others.length === 0 ? shown : undefined);
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
  // A variable that may be the URL of the API as well.
  const isBase = holdsPlaceholder(path) && Object.hasOwn(segments, known.split("/")[1] ?? "");
  if (isBase) return doubt ?? unknownPath;
  const isKnown = known === "" ? !holdsPlaceholder(path) : !holdsPlaceholder(known);
  return isKnown ? otherRequestWhy : (doubt ?? unknownPath);
}

const unknownPath = "its path is a variable, whose value is unknown";

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
  if (method === "GET" || method === "HEAD") return readWhy;
  if (!["PUT", "PATCH", "DELETE"].includes(method)) return "only PUT, PATCH and DELETE change entries";
  if (doubt !== undefined) return doubt;
  const holdsVariable =
    holdsPlaceholder(api.exec(path)?.[0] ?? "") || (body && holdsPlaceholder(JSON.stringify(toValue(body))));
  if (isRepeated && holdsVariable) return "it is in a loop, and its variables differ each time";
  return undefined;
}

function leaveRequest(request: FoundRequest, why: string, findings: ImportFindings): void {
  const { method, path, place, isPayload, bodyFile } = request;
  if (isPayload) {
    const [, segment = "", name = ""] = api.exec(path) ?? [];
    addLeftOut(
      findings,
      `${method} ${describePlaceholders(decodeName(`${segment}/${name}`.replace(/\/$/, "")))}`,
      why,
      place,
    );
    return;
  }
  const [shown = ""] = /\/?_(?:plugins|opendistro|searchguard|gate)\/[^?#]*/.exec(path) ?? [
    withoutHost(withoutDefaults(path)).replace(/\?.*/s, ""),
  ];
  // Of a damaged script, a word in this place may be anything.
  const isPath = shown === "" || shown.includes("/") || holdsPlaceholder(shown);
  const known = describePlaceholders(shown === "" ? "/" : shown);
  const cleaned = isPath ? known.replace(/[\s"'].*/s, "…").replace(/[^/]*:[^/]*@[^/]*/g, "…") : "…";
  const file = bodyFile === undefined ? "" : ` (${bodyFile})`;
  addLeftOut(findings, `${method} ${cleaned}${file}`, why, place);
}

/** A default may be a URL itself: the variable says where it is sent. */
function withoutDefaults(path: string): string {
  return expandPlaceholders(path, ({ name, source }) => createPlaceholder(name, source));
}

/** A login may be in it. A scheme that is a variable says where it is sent as the input does. */
function withoutHost(path: string): string {
  return variableScheme.test(path) ? path : path.replace(/^(?:[a-z]+:\/\/[^/]*|[^/]*[@:][^/]*)/i, "");
}

const variableScheme =
  /^\ue000[^\ue001:]*\ue001:\/\/(?:\ue000[^\ue001]*\ue001|[\w.-])*(?::(?:\d+|\ue000[^\ue001]*\ue001))?(?=[/?]|$)/;

function applyRequest(
  { family, name }: RequestTarget,
  request: FoundRequest,
  product: Product | undefined,
  held: ImportedState,
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
  if (method === "PATCH") {
    const failure = applyJsonPatch({ family, above: name, product, held, findings }, body);
    if (failure !== undefined) leaveRequest(request, failure, findings);
  } else putEntry(family, name, body, held, findings);
}
