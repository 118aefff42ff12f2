import { failsRestricted, getActionLevel, type RequestKind, requestKinds } from "../../dialects/requests.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Verdict } from "../verdict.ts";
import { isReduced } from "./request.ts";

/** What a principal wants to do, as all permissions that a server asks for. */
export interface AskedRequest {
  /** As it was asked for: `search`, `indices:data/read/search`. */
  readonly name: string;
  readonly cluster: readonly string[];
  readonly index: readonly string[];
  /** Of what it names, documents come back. */
  readonly reads: boolean;
  readonly failsWhereRestricted: Verdict;
  /** `GET {index}/_search`; absent for an action by its own name. */
  readonly example?: string;
}

/** Whether a word looks like the name of one action, `indices:data/read/get`: no pattern, no list of names. */
export function isAction(word: string): boolean {
  return /^(indices|cluster|restapi|kibana|internal|searchguard|opendistro|opensearch|security)\w*:[^\s*?,]*$/.test(
    word,
  );
}

/** A word that people use, or an action by its own name; undefined where it is neither. */
export function findRequestKind(word: string, release: string): AskedRequest | undefined {
  const kind = requestKinds.find(({ name, otherwise = [] }) => name === word || otherwise.includes(word));
  if (kind) return { ...createKindRequest(kind, release), name: word };
  if (!isAction(word)) return undefined;
  const isCluster = getActionLevel(word) === "cluster";
  return {
    name: word,
    cluster: isCluster ? [word] : [],
    index: isCluster ? [] : [word],
    reads: !isCluster && word.startsWith("indices:data/read/"),
    failsWhereRestricted: failsRestricted(word, release),
  };
}

export function createKindRequest(kind: RequestKind, release: string): AskedRequest {
  const { name, cluster, index, sinceSeven = [], example, failsWhereRestricted } = kind;
  return {
    name,
    cluster,
    index: release.startsWith("6") ? index : [...index, ...sinceSeven],
    reads: index.some((action) => action.startsWith("indices:data/read/")),
    failsWhereRestricted: failsWhereRestricted ? "yes" : "no",
    example,
  };
}

export const requestWords: readonly string[] = requestKinds.flatMap(({ name, otherwise = [] }) => [name, ...otherwise]);

/** Whether a request for all indices, by the name `_all` or `*`, is evaluated as one name and not for each index. */
export function isOneName(model: AccessModel, { index }: AskedRequest): boolean {
  return model.state.semantics.everythingTakesOnePattern && !isReduced(model, index);
}
