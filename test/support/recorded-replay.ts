// Recorded verdicts of real servers, asked of an evaluator again: what is compared, and what is not.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Access } from "./evaluated.ts";
import {
  type Case,
  type Document,
  isEverything,
  isOfV4,
  recordedCases,
  type Target,
  targetsOf,
} from "./recorded-access.ts";
import { type Needs, needsOf, type Part } from "./recorded-needs.ts";

/** Says who may do what in the fixtures of the recordings; `unknown` where it cannot be known. */
export interface Opinion {
  readonly mayCluster: (recorded: Case, actions: readonly string[]) => boolean | "unknown";
  /** Those of the targets that a request is let to, none where it is denied. @param asked what it is evaluated by */
  readonly granted: (
    recorded: Case,
    actions: readonly string[],
    asked: "everything" | readonly Target[],
    targets: readonly Target[],
    expression: string | undefined,
  ) => readonly Target[] | "denied" | "unknown";
  /** What is seen of an index, whether anything restricts it, and whether the server fails over that. */
  readonly sees: (
    recorded: Case,
    target: Target,
    actions: readonly string[],
  ) => { readonly access: Access; readonly isRestricted: boolean; readonly fails?: boolean } | "unknown";
  /** Sorted; `unsure`: those that are unknown. */
  readonly roles: (recorded: Case) => { readonly sure: readonly string[]; readonly unsure: ReadonlySet<string> };
  /** Whether each that is open may be written, too. */
  readonly tenants: (recorded: Case) => readonly (readonly [string, boolean])[];
}

export type Compared = "verdicts" | "documents" | "fields" | "numbers" | "indices" | "mappings";

/** Newer than the naive evaluator, whose second opinion ends with 2.19. */
export const newestRecordings: typeof recordings = [
  {
    file: "access-os-3.8.0.jsonl",
    least: { verdicts: 1228, documents: 455, fields: 391, numbers: 14, indices: 35, mappings: 12 },
  },
  {
    file: "access-os-3.8.0-v4.jsonl",
    least: { verdicts: 1220, documents: 455, fields: 391, numbers: 14, indices: 35, mappings: 12 },
  },
];

/** Never fewer than these are compared. */
export const recordings: readonly { readonly file: string; readonly least: Readonly<Record<Compared, number>> }[] = [
  {
    file: "access-os-2.19.1.jsonl",
    least: { verdicts: 1229, documents: 455, fields: 391, numbers: 16, indices: 35, mappings: 12 },
  },
  {
    file: "access-sg-7.5.1.jsonl",
    least: { verdicts: 1162, documents: 406, fields: 351, numbers: 16, indices: 26, mappings: 12 },
  },
  {
    file: "access-sg-6.5.4.jsonl",
    least: { verdicts: 1091, documents: 372, fields: 326, numbers: 14, indices: 20, mappings: 12 },
  },
];

export interface Replayed {
  readonly counted: ReadonlyMap<Compared, number>;
  readonly unknown: readonly Case[];
}

/** Holds an opinion to a recording. */
export function replay(file: string, opinion: Opinion): Replayed {
  const counted = new Map<Compared, number>();
  const count = (what: Compared) => counted.set(what, (counted.get(what) ?? 0) + 1);
  const unknown: Case[] = [];
  const otherwise: unknown[] = [];
  for (const recorded of recordedCases(file)) {
    if (whyNotEvaluated(recorded) !== undefined) continue;
    const { w, u, m, p, b } = recorded.explained;
    const found = recorded.explained.roles ? asExplained(recorded, opinion) : compared(recorded, opinion, count);
    if (found === "unknown") {
      unknown.push(recorded);
      continue;
    }
    count("verdicts");
    const [evaluated, reported] = found;
    if (!isDeepStrictEqual(evaluated, reported)) otherwise.push({ request: [w, u, m, p, b], evaluated, reported });
  }
  expect(otherwise).toEqual([]);
  return { counted, unknown };
}

/** Left out: a reason, and how many of OpenSearch, Search Guard 7 and 6 there are. */
function whyNotEvaluated({ head, explained, isRefused }: Case): string | undefined {
  const { w, u, n = "", p, m, s, a } = explained;
  // 76, 28, 29
  if (/^\/_(plugins\/_security|searchguard)\/api\//.test(p)) return "the administration API: roles, not rights";
  // 4, 4, 0
  if (w.startsWith("mapping-ip-hostname")) return "names of hosts";
  // 2, 0, 0
  if (isRefused) return "a user that the server did not take";
  // 2, 2, 2
  if (w === "dlsfls" && /^bad/.test(u) && s === 500) return "a query that no server can read: 500";
  // 3.8 alone: 3
  if (s === 401) return "a user whose name the server lost";
  // 0, 0, 1
  if (w === "tenants" && u === "own" && head.kind === "sg6") return "a tenant with a dot, which 6 takes apart";
  // 0, 0, 3
  if (w === "cycle" && head.kind === "sg6") return "a cycle of groups, which breaks Search Guard 6";
  // 5, 2, 2
  if (w === "staticname" || n.startsWith("after ")) return "the fixture was changed in between";
  // 2, 2, 2
  const opener = / opened by (.*)$/.exec(n)?.[1];
  if (opener !== undefined && opener !== u) return "a scroll of another user";
  // 8, 8, 8
  if (s === 400 && explained.reason !== "all shards failed") return "refused before anybody's rights were looked at";
  // 6, 6, 6
  const isWrite = m !== "GET" && !String(a).includes("refresh");
  if (isWrite && p.includes(`/${head.securityIndex}/`)) return "writes to the index of the configuration";
  return undefined;
}

/** Roles and tenants, as authinfo shows them. */
function asExplained(recorded: Case, { roles, tenants }: Opinion): readonly [unknown, unknown] {
  const { explained } = recorded;
  const { sure, unsure } = roles(recorded);
  return [
    [sure, [...tenants(recorded)].sort()],
    [explained.roles?.filter((role) => !unsure.has(role)), Object.entries(explained.tenants ?? {}).sort()],
  ];
}

/** What the evaluator says, and what the server said, as far as both can be held together. */
function compared(
  recorded: Case,
  opinion: Opinion,
  count: (what: Compared) => void,
): readonly [unknown, unknown] | "unknown" {
  const { explained, head } = recorded;
  const needs = needsOf(recorded);
  const isIn = opinion.mayCluster(recorded, needs.cluster);
  const seen: (Seen | undefined)[] = [];
  for (const part of needs.parts) {
    const one = isIn === true ? seenOf(recorded, part, needs, opinion) : undefined;
    if (one === "unknown") return one;
    seen.push(one);
  }
  if (isIn === "unknown") return isIn;
  const isDenied = !isIn || (seen.length > 0 && seen.every((part) => part === undefined));
  const evaluated: unknown[] = [isDenied];
  const reported: unknown[] = [explained.v === "denied"];
  if (needs.areItems && isIn && explained.items) {
    evaluated.push(seen.map((part) => part === undefined));
    reported.push(explained.items.map((item) => /security_exception| 403$|^403/.test(item)));
  }
  if (isDenied || explained.v === "denied" || (explained.s >= 400 && explained.s !== 404)) return [evaluated, reported];

  const documents = needs.parts.flatMap((part, i) => (seen[i] ?? []).flatMap((each) => documentsOf(head, part, each)));
  if (explained.count !== undefined) {
    evaluated.push(documents.length);
    reported.push(explained.count);
    count("numbers");
  }
  const granted = seen.flatMap((part) => part ?? []);
  // There OpenSearch lets `_field_caps` pass by that one action, and then answers with nothing.
  if (Array.isArray(explained.indices) && explained.w !== "actions") {
    evaluated.push(granted.map(([{ name }]) => name).sort());
    reported.push(explained.indices);
    count("indices");
  }
  if (/_(mapping|field_caps)\b/.test(explained.p) && explained.fields && explained.w !== "system") {
    const shown = leaves.filter((path) => granted.some(([, { field }]) => field(path) !== "hidden"));
    const names = explained.p.endsWith("_mapping") ? shown.map((path) => path.replace(/\..*/, "")) : shown;
    evaluated.push([...new Set(names)].sort());
    reported.push(explained.fields);
    count("mappings");
  }
  if (!readsDocuments(explained)) return [evaluated, reported];
  count("documents");
  const names = new Set(documents.map(({ name }) => name));
  evaluated.push([...names].sort());
  reported.push(explained.docs ?? []);
  if (explained.fields === undefined || explained.p.includes("_source=false")) return [evaluated, reported];
  count("fields");
  const shown = documents.flatMap(({ source, access }) =>
    leavesOf(source).flatMap((path) => {
      const look = access.field(path);
      return look === "hidden" ? [] : [{ path, isMasked: look !== "shown" }];
    }),
  );
  const masked = new Set(shown.filter(({ isMasked }) => isMasked).map(({ path }) => path));
  evaluated.push([...new Set(shown.map(({ path }) => path))].sort(), [...masked].sort());
  reported.push(explained.fields, explained.masked ?? []);
  return [evaluated, reported];
}

/** Whose answer is whole documents, all of them. */
function readsDocuments({ w, p, b, m, docs }: Case["explained"]): boolean {
  const isRead = m === "GET" || /_m(get|search)$/.test(p);
  if (w === "actions" || typeof docs === "number" || !isRead || /[?&](size=1\b|q=)/.test(p)) return false;
  const isAll = b === undefined || p.endsWith("_mget") || /^\[.*"match_all":\{\}\}\}\]$/.test(JSON.stringify(b));
  return isAll && /_search\?|\/_doc\/\w+$|_mget$|_msearch$/.test(p);
}

type Seen = readonly (readonly [Target, Access])[];

/** Undefined: denied. */
function seenOf(recorded: Case, part: Part, { parts }: Needs, opinion: Opinion): Seen | "unknown" | undefined {
  const { head, fixture, settings } = recorded;
  const { expression } = part;
  const isAll = isEverything(expression);
  const targets = targetsOf(head, isAll ? "*" : (expression ?? ""));
  // What one request does to one index is evaluated at once where one role has to grant it.
  const together = parts.filter((other) => other.expression === expression).flatMap(({ actions }) => actions);
  const actions = fixture.settings?.multi_rolespan_enabled === false || head.kind === "sg6" ? together : part.actions;
  const asked = isAll && head.kind !== "os" ? "everything" : targets;
  const granted = opinion.granted(recorded, actions, asked, targets, expression);
  if (granted === "unknown") return granted;
  const mayBeEmpty = isOfV4(head) || (isReduced(recorded, actions) && settings.do_not_fail_on_forbidden_empty);
  if (granted === "denied") return undefined;
  if (granted.length === 0 && targets.length > 0 && !mayBeEmpty) return undefined;
  const seen: {
    readonly target: Target;
    readonly access: Access;
    readonly isRestricted: boolean;
    readonly fails?: boolean;
  }[] = [];
  for (const target of granted) {
    const one = opinion.sees(recorded, target, actions);
    if (one === "unknown") return one;
    seen.push({ target, ...one });
  }
  if (seen.some(({ fails }) => fails)) return undefined;
  // No update of documents then; in a bulk, 3.x refuses that item alone, which is a matter of no right.
  const failsAlone = head.engine.startsWith("3.") && recorded.explained.p.includes("_bulk");
  const isUpdate = actions.includes("indices:data/write/update") && !failsAlone;
  if (isUpdate && seen.some(({ isRestricted }) => isRestricted)) return undefined;
  return seen.map(({ target, access }) => [target, access]);
}

/** Where forbidden indices are left out rather than fail the request. */
export function isReduced({ head: { kind }, settings }: Case, actions: readonly string[]): boolean {
  const others = ["admin/resolve/index", "admin/aliases/get", "monitor/stats", "monitor/settings/get"];
  const isOne = (action: string) =>
    action.startsWith("indices:data/read/") || (kind === "os" && others.some((name) => action === `indices:${name}`));
  return settings.do_not_fail_on_forbidden === true && actions.every(isOne);
}

/** Fields of the documents of the recordings, by their paths. */
export const leaves = ["team", "level", "owner", "email", "ip", "sub.a", "sub.b"];

function documentsOf({ indices }: Case["head"], { ids }: Part, [{ name, filter }, access]: Seen[number]) {
  return Object.entries(indices[name] ?? {}).flatMap(([id, source]) => {
    const isMatched = access.docs === "all" || access.docs.some((query) => matches(JSON.parse(query), source));
    const isAsked = ids === undefined || ids.includes(id);
    const isFound = filter === undefined || matches(filter, source);
    return isMatched && isAsked && isFound ? [{ name: `${name}/${id}`, source, access }] : [];
  });
}

/** The queries of the recordings. */
function matches(query: object, source: Document): boolean {
  const [[word, body] = []] = Object.entries(query);
  const [[field = "", value] = []] = Object.entries(body ?? {});
  switch (word) {
    case "match_all":
      return true;
    case "match_none":
      return false;
    case "term":
      return source[field] === value;
    case "terms":
      return (value as readonly unknown[]).includes(source[field]);
    default:
      throw new Error(`Not known here: ${word}`);
  }
}

function leavesOf(source: Document, before = ""): readonly string[] {
  return Object.entries(source).flatMap(([name, value]) =>
    typeof value === "object" ? leavesOf(value, `${before}${name}.`) : [before + name],
  );
}
