// The naive judge, held to real servers: every recorded request that is a matter of rights to named indices, tenants
// or the cluster. GATE_SYNC_RECORDINGS names the folder of the recordings.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judge, tenantsOf } from "../../support/judge.ts";
import { rolesOf } from "../../support/judge-who.ts";
import type { Access, World } from "../../support/judged.ts";
import {
  type Case,
  type Document,
  isEverything,
  recordedCases,
  type Target,
  targetsOf,
} from "../../support/recorded-access.ts";
import { type Needs, needsOf, type Part } from "../../support/recorded-needs.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";

const open = { mappings: { all: { users: ["*"] } }, groups: {}, roles: {} };

/** Blocks were in no recorded server; these are the documented ones, and the tests of Search Guard itself. */
test.each<[string, World["blocks"], host: string, isIn: boolean]>([
  ["nothing", [], "10.0.0.1", true],
  ["the user", [{ type: "name", value: ["wo*"], verdict: "disallow" }], "10.0.0.1", false],
  ["somebody else alone let in", [{ type: "name", value: ["data"], verdict: "allow" }], "10.0.0.1", false],
  ["the network", [{ type: "net_mask", value: ["10.0.0.0/24"], verdict: "disallow" }], "10.0.0.1", false],
  ["another network", [{ type: "net_mask", value: ["10.0.1.0/24"], verdict: "disallow" }], "10.0.0.1", true],
  ["the address", [{ type: "ip", value: ["10.0.0.1"], verdict: "disallow" }], "10.0.0.1", false],
  [
    "the name let in, the address not",
    [
      { type: "name", value: ["worf"], verdict: "allow" },
      { type: "ip", value: ["10.0.0.2"], verdict: "allow" },
    ],
    "10.0.0.1",
    false,
  ],
])("blocked: %s", (_, blocks = [], host, isIn) => {
  const world: World = { ...open, product: "search-guard-7", blocks };
  expect(judge(world, { user: "worf", backendRoles: [], host }, [])).toEqual(isIn ? [] : false);
});

type Compared = "verdicts" | "documents" | "fields" | "numbers" | "indices" | "mappings";

/**
 * Of 3 692 verdicts 3 482 are compared, with what else an answer tells: its documents, their fields and masks, how many
 * there are, the names of indices, the fields of mappings. Never fewer than these.
 */
const recordings: readonly { readonly file: string; readonly least: Readonly<Record<Compared, number>> }[] = [
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

const isThere = recordings.every(({ file }) => existsSync(join(folder, file)));

describe.skipIf(!isThere)("recordings (skipped where GATE_SYNC_RECORDINGS names no folder of them)", () => {
  test.for(recordings)("$file", ({ file, least }) => {
    const counted = new Map<Compared, number>();
    const count = (what: Compared) => counted.set(what, (counted.get(what) ?? 0) + 1);
    for (const recorded of recordedCases(join(folder, file))) {
      if (whyNotJudged(recorded) !== undefined) continue;
      count("verdicts");
      const { w, u, m, p, b } = recorded.told;
      const [judged, said] = recorded.told.roles ? asTold(recorded) : compared(recorded, count);
      expect([w, u, m, p, b, judged]).toEqual([w, u, m, p, b, said]);
    }
    for (const [what, number] of Object.entries(least)) {
      expect(counted.get(what as Compared), what).toBeGreaterThanOrEqual(number);
    }
  });
});

/** Left out: a reason, and how many of OpenSearch, Search Guard 7 and 6 there are. */
function whyNotJudged({ head, told, isRefused }: Case): string | undefined {
  const { w, u, n = "", p, m, s, a } = told;
  // 76, 28, 29
  if (/^\/_(plugins\/_security|searchguard)\/api\//.test(p)) return "the administration API: roles, not rights";
  // 4, 4, 0
  if (w.startsWith("mapping-ip-hostname")) return "names of hosts";
  // 2, 0, 0
  if (isRefused) return "a user that the server did not take";
  // 2, 2, 2
  if (w === "dlsfls" && /^bad/.test(u)) return "a query that no server can read: 500";
  // 0, 0, 1
  if (w === "tenants" && u === "own" && head.kind === "sg6") return "a tenant with a dot, which 6 takes apart";
  // 0, 0, 3
  if (w === "cycle" && head.kind === "sg6") return "a ring of groups, which breaks Search Guard 6";
  // 5, 2, 2
  if (w === "staticname" || n.startsWith("after ")) return "the world was changed in between";
  // 2, 2, 2
  const opener = / opened by (.*)$/.exec(n)?.[1];
  if (opener !== undefined && opener !== u) return "a scroll of somebody else";
  // 8, 8, 8
  if (s === 400 && told.reason !== "all shards failed") return "refused before anybody's rights were looked at";
  // 6, 6, 6
  const isWrite = m !== "GET" && !String(a).includes("refresh");
  if (isWrite && p.includes(`/${head.securityIndex}/`)) return "writes to the index of the configuration";
  return undefined;
}

/** Roles and tenants, as authinfo tells them. */
function asTold({ world, person, told }: Case): readonly [unknown, unknown] {
  const tenants = [...tenantsOf(world, person)].sort();
  return [
    [rolesOf(world, person), tenants],
    [told.roles, Object.entries(told.tenants ?? {}).sort()],
  ];
}

/** What the judge says, and what the server said, as far as both can be held together. */
function compared(recorded: Case, count: (what: Compared) => void): readonly [unknown, unknown] {
  const { told, head, world, person } = recorded;
  const needs = needsOf(recorded);
  const isIn = judge(world, person, needs.cluster) !== false;
  const seen = needs.parts.map((part) => (isIn ? seenOf(recorded, part, needs) : undefined));
  const isDenied = !isIn || (seen.length > 0 && seen.every((part) => part === undefined));
  const judged: unknown[] = [isDenied];
  const said: unknown[] = [told.v === "denied"];
  if (needs.areItems && isIn && told.items) {
    judged.push(seen.map((part) => part === undefined));
    said.push(told.items.map((item) => /security_exception| 403$|^403/.test(item)));
  }
  if (isDenied || told.v === "denied" || (told.s >= 400 && told.s !== 404)) return [judged, said];

  const documents = needs.parts.flatMap((part, i) => (seen[i] ?? []).flatMap((each) => documentsOf(head, part, each)));
  if (told.count !== undefined) {
    judged.push(documents.length);
    said.push(told.count);
    count("numbers");
  }
  const granted = seen.flatMap((part) => part ?? []);
  // There OpenSearch lets `_field_caps` pass by that one action, and then answers with nothing.
  if (Array.isArray(told.indices) && told.w !== "actions") {
    judged.push(granted.map(([{ name }]) => name).sort());
    said.push(told.indices);
    count("indices");
  }
  if (/_(mapping|field_caps)\b/.test(told.p) && told.fields && told.w !== "system") {
    const shown = leaves.filter((path) => granted.some(([, { field }]) => field(path) !== "hidden"));
    const names = told.p.endsWith("_mapping") ? shown.map((path) => path.replace(/\..*/, "")) : shown;
    judged.push([...new Set(names)].sort());
    said.push(told.fields);
    count("mappings");
  }
  if (!readsDocuments(told)) return [judged, said];
  count("documents");
  const names = new Set(documents.map(({ name }) => name));
  judged.push([...names].sort());
  said.push(told.docs ?? []);
  if (told.fields === undefined || told.p.includes("_source=false")) return [judged, said];
  count("fields");
  const shown = documents.flatMap(({ source, access }) =>
    leavesOf(source).flatMap((path) => {
      const look = access.field(path);
      return look === "hidden" ? [] : [{ path, isMasked: look !== "shown" }];
    }),
  );
  const masked = new Set(shown.filter(({ isMasked }) => isMasked).map(({ path }) => path));
  judged.push([...new Set(shown.map(({ path }) => path))].sort(), [...masked].sort());
  said.push(told.fields, told.masked ?? []);
  return [judged, said];
}

/** Whose answer is whole documents, all of them. */
function readsDocuments({ w, p, b, m, docs }: Case["told"]): boolean {
  const isRead = m === "GET" || /_m(get|search)$/.test(p);
  if (w === "actions" || typeof docs === "number" || !isRead || /[?&](size=1\b|q=)/.test(p)) return false;
  const isAll = b === undefined || p.endsWith("_mget") || /^\[.*"match_all":\{\}\}\}\]$/.test(JSON.stringify(b));
  return isAll && /_search\?|\/_doc\/\w+$|_mget$|_msearch$/.test(p);
}

type Seen = readonly (readonly [Target, Access])[];

/** Undefined: denied. */
function seenOf({ head, world, settings, person }: Case, part: Part, { parts }: Needs): Seen | undefined {
  const { expression } = part;
  const isAll = isEverything(expression);
  const targets = targetsOf(head, isAll ? "*" : (expression ?? ""));
  // What one request does to one index is judged at once where one role has to grant it.
  const together = parts.filter((other) => other.expression === expression).flatMap(({ actions }) => actions);
  const actions = world.settings?.multi_rolespan_enabled === false || head.kind === "sg6" ? together : part.actions;
  const asked = isAll && head.kind !== "os" ? [{ name: "_all" }] : targets;
  const doesReduce = settings.do_not_fail_on_forbidden && actions.every((action) => isReduced(head.kind, action));
  const mayEach = (target: Target) => doesReduce && judge(world, person, actions, [target]) !== false;
  const granted = judge(world, person, actions, asked) ? targets : targets.filter(mayEach);
  const mayBeEmpty = doesReduce && settings.do_not_fail_on_forbidden_empty;
  if (granted.length === 0 && targets.length > 0 && !mayBeEmpty) return undefined;
  const accesses = judge(world, person, [], granted) || [];
  if (actions.includes("indices:data/write/update") && accesses.some(isRestricted)) return undefined;
  return granted.flatMap((target, i) => {
    const access = accesses[i];
    return access ? [[target, access] as const] : [];
  });
}

/** Where forbidden indices are left out rather than fail the request. */
function isReduced(kind: Case["head"]["kind"], action: string): boolean {
  const others = ["admin/resolve/index", "admin/aliases/get", "monitor/stats", "monitor/settings/get"];
  return (
    action.startsWith("indices:data/read/") || (kind === "os" && others.some((name) => action === `indices:${name}`))
  );
}

/** No update of documents then. */
function isRestricted({ docs, field }: Access): boolean {
  return docs !== "all" || leaves.some((path) => field(path) !== "shown");
}

const leaves = ["team", "level", "owner", "email", "ip", "sub.a", "sub.b"];

function documentsOf({ indices }: Case["head"], { ids }: Part, [{ name, filter }, access]: Seen[number]) {
  return Object.entries(indices[name] ?? {}).flatMap(([id, source]) => {
    const isMet = access.docs === "all" || access.docs.some((query) => matches(JSON.parse(query), source));
    const isAsked = ids === undefined || ids.includes(id);
    const isFound = filter === undefined || matches(filter, source);
    return isMet && isAsked && isFound ? [{ name: `${name}/${id}`, source, access }] : [];
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
