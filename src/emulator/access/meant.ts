import { suggestNearest } from "../../diagnostics/suggest.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { failsRestricted, getActionLevel, type RequestKind, requestKinds } from "../../dialects/requests.ts";
import type { ExplainedRequest } from "./explanation.ts";

/** The request that an action is for people, or for servers; `wrong` says why it is none. */
export function parseMeantRequest(
  action: string,
  indices: readonly string[],
  dialect: Dialect,
): ExplainedRequest | { readonly wrong: string } {
  const kind = requestKinds.find(({ name, otherwise = [] }) => name === action || otherwise.includes(action));
  if (!kind && !action.includes(":")) return { wrong: noSuchAction(action) };
  const request = kind ? createMeantRequest(kind, indices, dialect) : singly(action, indices, dialect.release);
  if (request.index.length > 0 && indices.length === 0) return { wrong: `${action} is about an index: say which.` };
  return request;
}

export function createMeantRequest(
  kind: RequestKind,
  indices: readonly string[],
  { product, release }: Dialect,
): ExplainedRequest {
  const { cluster, index, sinceSeven = [], failsWhereRestricted } = kind;
  const actions = product !== "opensearch" && release.startsWith("6") ? index : [...index, ...sinceSeven];
  return {
    cluster,
    index: actions,
    on: actions.length > 0 ? named(indices) : [],
    failsWhereRestricted: failsWhereRestricted ? "yes" : "no",
  };
}

function singly(action: string, indices: readonly string[], release: string): ExplainedRequest {
  const isCluster = getActionLevel(action) === "cluster";
  const [cluster, index] = isCluster ? [[action], []] : [[], [action]];
  return {
    cluster,
    index,
    on: isCluster ? [] : named(indices),
    failsWhereRestricted: failsRestricted(action, release),
  };
}

function named(indices: readonly string[]) {
  return indices.map((name) => ({ name }));
}

function noSuchAction(action: string): string {
  const names = requestKinds.map(({ name }) => name);
  const others = requestKinds.flatMap(({ otherwise = [] }) => otherwise);
  const suggestion = suggestNearest(action, [...names, ...others]);
  return `There is no action ${action}.${suggestion || ` Say one of ${names.join(", ")}, or the server's own, such as indices:data/read/search.`}`;
}
