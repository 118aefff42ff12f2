// The verdict of a real server behind each lint rule, as it was recorded; GATE_SYNC_RECORDINGS names the folder.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LintCode, lintCodes } from "../../../src/diagnostics/catalogue.ts";

const products = { os: "os-2.19.1", seven: "sg-7.5.1", six: "sg-6.5.4" } as const;
type Recorded = keyof typeof products;
const all = ["os", "seven", "six"] as const;

/** A request in a fixture of the recordings, and what came of it. */
interface Proof {
  readonly on: readonly Recorded[];
  /** Fixture, user, method and path; `*` at the end of a path for what follows. */
  readonly request: string;
  readonly verdict: string;
  /** Found in the line as it is. */
  readonly holds?: string;
  readonly lacks?: string;
}

/** Shown by the real servers in a test of their own, which makes what the recordings lack. */
const shownBySuite: ReadonlySet<LintCode> = new Set([
  "alias-drops-restriction", // conformance/suite/aliases.test.ts
  "dls-not-json", // unit/dialects/dls-query.test.ts
  "unknown-query",
  "variable-in-expression", // unit/access/evaluate/refused-expressions.test.ts, conformance/suite/agreement.test.ts
]);

/** About what readers see, or take for another thing than YAML does, whatever servers do. */
const aboutReaders: ReadonlySet<LintCode> = new Set(["mixed-scripts", "unquoted-dn", "joined-items", "unknown-user"]);

const proofs: Readonly<Record<LintCode, readonly Proof[]>> = {
  "alias-drops-restriction": [],
  "dls-not-json": [],
  "unknown-query": [],
  "unquoted-dn": [],
  "joined-items": [],
  "unknown-user": [],
  "variable-in-expression": [],
  "write-without-bulk": [
    {
      on: all,
      request: "union noclu PUT /w-a/_doc/9",
      verdict: "denied",
      holds: '"missing":["indices:data/write/bulk"]',
    },
    { on: ["seven"], request: "union nobulk POST /_bulk", verdict: "denied", holds: "indices:data/write/bulk[s]" },
  ],
  "write-without-mapping": [],
  "plain-field-rule": [
    { on: all, request: "dlsfls flsre GET /logs-a/_search*", verdict: "allowed", holds: '"fields":[]' },
  ],
  "two-masks": [
    { on: ["os"], request: "dlsfls masktwo GET /logs-a/_search*", verdict: "error", holds: "all shards failed" },
  ],
  "restricted-writes": [
    { on: all, request: "dlsfls wred PUT /w-a/_doc/2", verdict: "allowed", holds: "that it may not read" },
    { on: all, request: "dlsfls wred DELETE /w-a/_doc/2", verdict: "allowed" },
    {
      on: ["os", "seven"],
      request: "dlsfls wfls POST /w-a/_update/1",
      verdict: "denied",
      holds: "Update is not supported",
    },
    {
      on: ["six"],
      request: "dlsfls wfls POST /w-a/_doc/1/_update",
      verdict: "denied",
      holds: "Update is not supported",
    },
  ],
  "cluster-action-on-index": [
    { on: all, request: "levels iall GET /_cluster/health", verdict: "denied" },
    {
      on: all,
      request: "levels iall POST /_msearch",
      verdict: "denied",
      holds: '"missing":["indices:data/read/msearch"]',
    },
  ],
  "index-action-on-cluster": [{ on: all, request: "levels cread GET /logs-a/_search*", verdict: "denied" }],
  "mixed-field-rules": [
    {
      on: all,
      request: "dlsfls oneincexc GET /logs-a/_search*",
      verdict: "allowed",
      holds: '"fields":["ip","level","owner"',
    },
    {
      on: all,
      request: "dlsfls incexc GET /logs-a/_search*",
      verdict: "allowed",
      holds: '"fields":["ip","level","owner"',
    },
  ],
  "restriction-stays": [
    { on: all, request: "dlsfls redplain GET /logs-a/_search*", verdict: "partly", holds: '"docs":["logs-a/1"]' },
  ],
  "anchored-regex": [
    { on: all, request: "patterns part GET /logs-a/_search*", verdict: "denied" },
    { on: ["os"], request: "mapping alice GET /_plugins/_security/authinfo", verdict: "allowed", lacks: '"regpart"' },
  ],
  "all-pattern": [
    { on: ["os"], request: "patterns under GET /logs-a/_search*", verdict: "denied" },
    { on: ["seven", "six"], request: "patterns under GET /logs-a/_search*", verdict: "allowed" },
  ],
  "filtered-alias": [
    {
      on: all,
      request: "patterns filtered GET /logs-a/_search*",
      verdict: "allowed",
      holds: '["logs-a/1","logs-a/2","logs-a/3"]',
    },
    { on: ["os"], request: "patterns filtered GET /al-f/_search*", verdict: "allowed", holds: '"docs":["logs-a/1"]' },
  ],
  "matches-nothing": [
    { on: all, request: "patterns comma GET /logs-a/_search*", verdict: "denied" },
    { on: all, request: "patterns halfre GET /logs-a/_search*", verdict: "denied" },
    { on: all, request: "patterns neg GET /logs-b/_search*", verdict: "allowed" },
    { on: ["os"], request: "tenants pupper GET /_plugins/_security/authinfo", verdict: "allowed", lacks: '"t1"' },
  ],
  "dotted-pattern": [{ on: ["six"], request: "patterns dotexact GET /day-2026.11.21/_search*", verdict: "denied" }],
  "variable-not-replaced": [
    { on: all, request: "variables act GET /logs-a/_search*", verdict: "denied", holds: "variable in an action" },
    { on: all, request: "variables role1 GET /team-red/_search*", verdict: "denied" },
    { on: all, request: "variables newattr GET /team-red/_search*", verdict: "denied" },
    { on: ["seven"], request: "tenants attr GET /_searchguard/authinfo", verdict: "allowed", lacks: '"t2"' },
  ],
  "chosen-name": [{ on: all, request: "variables logs-* GET /logs-a/_search*", verdict: "allowed" }],
  "cidr-in-hosts": [
    { on: ["os"], request: "mapping alice GET /_plugins/_security/authinfo", verdict: "allowed", lacks: '"h_cidr"' },
    {
      on: ["seven", "six"],
      request: "mapping alice GET /_searchguard/authinfo",
      verdict: "allowed",
      lacks: '"h_cidr"',
    },
  ],
  "star-backend-role": [
    { on: ["os"], request: "mapping alice GET /_plugins/_security/authinfo", verdict: "allowed", holds: '"b_all"' },
    { on: ["seven", "six"], request: "mapping alice GET /_searchguard/authinfo", verdict: "allowed", lacks: '"b_all"' },
  ],
  "wildcard-principal": [
    { on: ["os"], request: "mapping bob GET /_plugins/_security/authinfo", verdict: "allowed", holds: '"all"' },
    { on: ["seven", "six"], request: "mapping bob GET /_searchguard/authinfo", verdict: "allowed", holds: '"all"' },
  ],
  "tenant-not-writable": [
    { on: ["os"], request: "tenants prefix GET /_plugins/_security/authinfo", verdict: "allowed", holds: '"t1":false' },
    { on: ["os"], request: "tenants rx GET /_plugins/_security/authinfo", verdict: "allowed", holds: '"t1":false' },
    { on: ["seven"], request: "tenants unlimited GET /_searchguard/authinfo", verdict: "allowed", holds: '"t1":false' },
  ],
  "pattern-named-group": [
    { on: ["seven", "six"], request: "stargroup static GET /logs-a/_search*", verdict: "denied" },
    { on: ["os"], request: "stargroup static GET /logs-a/_search*", verdict: "allowed" },
  ],
  "builtin-named-group": [{ on: ["os"], request: "staticname u GET /logs-a/_search*", verdict: "denied" }],
  "mixed-scripts": [],
  "lookalike-name": [
    { on: ["os"], request: "mapping Alice GET /_plugins/_security/authinfo", verdict: "allowed", lacks: '"exact"' },
    {
      on: ["seven", "six"],
      request: "mapping Alice GET /_searchguard/authinfo",
      verdict: "allowed",
      lacks: '"exact"',
    },
  ],
  "unused-action-group": [{ on: all, request: "strings undef GET /logs-a/_search*", verdict: "denied" }],
  "unmapped-role": [{ on: all, request: "resolution same GET /logs-a/_search*", verdict: "denied" }],
  "unknown-role": [
    { on: ["os"], request: "mapping bob GET /_plugins/_security/authinfo", verdict: "allowed", holds: '"ghost"' },
  ],
  "unknown-action-group": [{ on: all, request: "strings undef GET /logs-a/_search*", verdict: "denied" }],
  "unknown-tenant": [
    { on: ["os"], request: "tenants missing GET /_plugins/_security/authinfo", verdict: "allowed", lacks: '"nosuch"' },
  ],
};

/** Shown by no single request, but by the least set of permissions that each was found to take, or by what was written. */
const facts: readonly { readonly code: LintCode; readonly on: Recorded; readonly holds: string }[] = [
  ...all.map((on) => ({
    code: "write-without-mapping" as const,
    on,
    holds:
      '"indexnewfield":{"c":["indices:data/write/bulk"],"i":["indices:admin/mapping/put","indices:data/write/bulk[s]","indices:data/write/index"]',
  })),
  { code: "builtin-named-group", on: "os", holds: 'with the name of a shipped one, by certificate":"500 ' },
  { code: "builtin-named-group", on: "seven", holds: 'with the name of a shipped one, by certificate":"403 ' },
];

test("each lint rule has a proof", () => {
  expect(
    lintCodes.filter(
      (code) =>
        !shownBySuite.has(code) &&
        !aboutReaders.has(code) &&
        proofs[code].length === 0 &&
        !facts.some((fact) => fact.code === code),
    ),
  ).toEqual([]);
});

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
const fileOf = (on: Recorded) => join(folder, `access-${products[on]}.jsonl`);
const isThere = folder !== "" && existsSync(fileOf("os"));

describe.skipIf(!isThere)("recordings (skipped where GATE_SYNC_RECORDINGS names no folder)", () => {
  const linesOf = (on: Recorded): readonly string[] => readFileSync(fileOf(on), "utf8").split("\n");
  const lines = isThere ? { os: linesOf("os"), seven: linesOf("seven"), six: linesOf("six") } : undefined;

  test.each(
    Object.entries(proofs).flatMap(([code, some]) =>
      some.flatMap((proof) => proof.on.map((on) => [code, on, proof] as const)),
    ),
  )("%s on %s", (_, on, { request, verdict, holds = "", lacks }) => {
    const [fixture, user, method, path = ""] = request.split(" ");
    const isPath = (given: string) => (path.endsWith("*") ? given.startsWith(path.slice(0, -1)) : given === path);
    const found = (lines?.[on] ?? []).filter((line) => {
      if (!line.startsWith(`{"w":"${fixture}","u":"${user}"`)) return false;
      const { m, p, v, from } = JSON.parse(line) as Readonly<Record<string, string>>;
      return m === method && isPath(p ?? "") && v === verdict && from === undefined;
    });
    expect(found.filter((line) => line.includes(holds) && !(lacks && line.includes(lacks))).length).toBeGreaterThan(0);
  });

  test.each(facts.map((fact) => [fact.code, fact.on, fact] as const))("%s on %s, as a fact", (_, on, { holds }) => {
    expect(lines?.[on].filter((line) => line.includes('"fact":') && line.includes(holds)).length).toBeGreaterThan(0);
  });
});
