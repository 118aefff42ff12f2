// Whatever users and servers named: no format shows a character that a terminal or a browser would obey or hide.
import { expect, it } from "vitest";
import type { TestedAccess } from "../../../src/access/questions/tested.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import type { AccessDifferences, Member, Region } from "../../../src/model/access.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Report } from "../../../src/model/outcome.ts";
import { renderTestsJson } from "../../../src/render/json/access-tests.ts";
import { encodeJson } from "../../../src/render/json/encode.ts";
import { renderTestsJunit } from "../../../src/render/junit/access-tests.ts";
import { renderFailureMarkdown } from "../../../src/render/markdown/diagnostics.ts";
import { renderTestsText } from "../../../src/render/text/access-tests.ts";
import { renderMessageText } from "../../../src/render/text/message.ts";
import { createTestsView } from "../../../src/render/views/access-tests.ts";
import {
  driftHtml,
  driftJson,
  driftJunit,
  driftMarkdown,
  driftText,
  planHtml,
  planJson,
  planMarkdown,
  planText,
  reportJson,
  reportText,
} from "../../support/rendered.ts";
import { at, create, leave, plain, planOf, remove, update } from "./plans.ts";

const bad = "a\u001b[31mb\u202ec\u200bd\u2028e\u0007\u009b1mf\ud800g";
const styles = [plain, { ...plain, full: true, verbose: true }, { ...plain, width: 40 }];

const region: Region = { terms: [{ allOf: [bad], noneOf: [bad] }], examples: [bad] };
const own: Region = { terms: [{ allOf: [`${bad}-ana`], noneOf: [] }], examples: [bad] };
const several: Region = { terms: [{ allOf: [bad, "b*"], noneOf: [] }], examples: [bad] };
const many: Region = { terms: Array.from({ length: 3 }, () => ({ allOf: [bad, "b*"], noneOf: [] })), examples: [bad] };
const member: Member = { field: "users", entries: [bad] };
const members: readonly Member[] = [
  { field: "itself", entries: [bad] },
  { field: "and_backend_roles", entries: [bad, bad] },
  { field: "hosts", entries: Array.from({ length: 8 }, () => bad) },
];
const limits = {
  documents: [{ key: bad, shown: bad }],
  fields: { only: [bad], not: [bad], masks: [bad] },
  unsure: [bad],
  restricted: "yes",
} as const;
const via = { role: bad, member, groups: [bad] };
const witness = { action: bad, index: bad };
const difference = { level: "index", actions: region, indices: region, witness, via, after: limits } as const;
const access: AccessDifferences = {
  blockedDiff: [{ who: { type: "name", value: bad }, before: "no", after: "yes" }],
  statements: [
    {
      who: [
        { kind: "principal", member },
        { kind: "persona", name: bad },
        { kind: "pair", members: [member, member] },
      ],
      differences: [
        { ...difference, kind: "gained", lacks: bad },
        { ...difference, kind: "may-gain", depends: [{ kind: "pattern", pattern: `\${user_name}${bad}` }] },
        { ...difference, kind: "may-change", depends: [{ kind: "role", role: bad }] },
        { ...difference, kind: "lost", lacks: bad, indices: several },
        { ...difference, kind: "lost", indices: many },
      ],
      levels: [],
      tenants: [{ tenant: bad, before: "nothing", after: "write" }],
    },
    ...members.map((one) => ({
      who: [{ kind: "principal", member: one }] as const,
      differences: [{ ...difference, kind: "lost" } as const],
      levels: [],
      tenants: [],
    })),
    // An index pattern of everybody that holds the user's name, and a user who matches it.
    {
      who: [{ kind: "principal", member: { field: "users", entries: ["*"] } }],
      differences: [
        { ...difference, kind: "may-gain", depends: [{ kind: "pattern", pattern: `${bad}-\${user_name}` }] },
      ],
      levels: [],
      tenants: [],
    },
    {
      who: [{ kind: "principal", member: { field: "users", entries: ["ana"] } }],
      differences: [{ ...difference, kind: "gained", indices: own }],
      levels: [],
      tenants: [],
    },
  ],
  unchanged: [
    { kind: "pattern", pattern: `\${user_name}${bad}` } as const,
    { kind: "role", role: bad } as const,
    { kind: "pattern", pattern: bad } as const,
  ].map((condition) => ({ role: bad, depends: [condition], members: [member] })),
  unknowns: [bad],
};
const origin = at(bad, 3);
const changes = [
  create("action_groups", bad, { allowed_actions: [bad] }, origin),
  ...Array.from({ length: 30 }, (_, index) => create("role_mappings", `${bad}${index}`, { users: ["x"] }, origin)),
  create("roles", bad, { [bad]: { [bad]: bad }, cluster_permissions: [bad] }, origin),
  update(
    "roles",
    `${bad}2`,
    { description: bad },
    { index_permissions: [{ index_patterns: [bad], dls: bad }] },
    origin,
  ),
  remove("tenants", bad, { description: bad }),
  {
    ...update("tenants", `${bad}2`, {}, {}),
    action: "leave",
    unknown: [{ path: [bad], value: { [bad]: bad } }],
  } as const,
  leave("tenants", `${bad}3`, "reserved"),
];
const operation: Operation = { family: "roles", method: "PUT", path: "/", names: [bad], bulk: false, reason: bad };
const violation = { rule: bad, what: bad, why: bad, addresses: [bad], remedies: [{ how: "for this run", text: bad }] };
const server = { product: "gate", release: bad, engine: bad, clusterName: bad, clusterUuid: bad, how: bad } as const;
const plan = planOf(
  {
    changes,
    operations: [operation],
    violations: [violation],
    access,
    orderExplanation: [access],
    notes: [bad],
    since: { ref: bad, commit: "f".repeat(40), turned: [{ family: "roles", was: "adopt" }], ceased: [] },
  },
  { name: bad, url: bad, identity: bad, server },
);
const baselines = [
  { kind: "journal", journal: bad, run: bad, time: bad },
  { kind: "commit", ref: bad, commit: "f".repeat(40) },
  { kind: "plan-file", path: bad, fingerprint: "f".repeat(32) },
] as const;
const drift = {
  target: plan.target,
  changes,
  differences: changes
    .filter(({ reason }) => reason !== "reserved")
    .map((change) => {
      return { change, moved: "live", counts: true, author: { name: bad, commit: "f".repeat(40) } } as const;
    }),
  notes: [bad],
  baseline: baselines[0],
} as const;
const report: Report = {
  plan,
  outcomes: [{ operation, kind: "not-attempted", detail: bad }],
  verified: false,
  differing: [bad],
  backup: { name: bad, folder: bad, undo: bad },
  again: { command: "gate-sync apply", reviewed: true },
};
const tested: TestedAccess = {
  test: { origin } as TestedAccess["test"],
  title: bad,
  outcome: "failed",
  passes: false,
  findings: [{ who: bad, asked: bad, expected: "denied", outcome: "failed", verdict: "yes", shares: [] }],
};
const tests = createTestsView({
  results: [tested],
  places: undefined as never,
  basis: bad,
  assumptions: [bad],
  notes: [bad],
});
const error = new RunError("stale", { what: bad, why: bad, fix: bad });

it.each<[format: string, texts: readonly string[]]>([
  ["a plan as text", styles.map((style) => planText(plan, style))],
  ["a plan as a page", [planHtml(plan)]],
  ["drift as a page", [driftHtml(drift)]],
  ["a plan as Markdown", [planMarkdown(plan), planMarkdown(plan, { full: true })]],
  ["a plan as JSON", [encodeJson(planJson(plan))]],
  ["drift as text", styles.flatMap((style) => baselines.map((baseline) => driftText({ ...drift, baseline }, style)))],
  ["drift as Markdown", [driftMarkdown(drift)]],
  ["drift as JSON", [encodeJson(driftJson(drift))]],
  ["drift as JUnit", [driftJunit(drift)]],
  ["a report as text", styles.map((style) => reportText(report, style))],
  ["a report of nothing", [reportText({ ...report, outcomes: [] }, plain)]],
  ["a report as JSON", [encodeJson(reportJson(report))]],
  ["access tests as text", styles.map((style) => renderTestsText(tests, style))],
  ["access tests as JSON", [encodeJson(renderTestsJson(tests))]],
  ["access tests as JUnit", [renderTestsJunit(tests)]],
  ["a failure as text", styles.map((style) => renderMessageText(error, style))],
  ["a failure as Markdown", [renderFailureMarkdown(error)]],
])("%s shows nothing that is obeyed or hidden", (_format, texts) => {
  for (const text of texts) {
    expect(text).toContain("\\u001b[31mb\\u202ec");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  }
});
