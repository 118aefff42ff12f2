// Hand-made plans that the tests of this module render: the scenario of hr_reader, and names and values that mean harm.
import type { SourceFile, SourceRange } from "../../../src/diagnostics/source.ts";
import { canonicaliseFields } from "../../../src/families/canonical.ts";
import { factsOf } from "../../../src/families/index.ts";
import { findEdits } from "../../../src/json/patch.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change, Reason } from "../../../src/model/change.ts";
import { type Family, isResourceFamily } from "../../../src/model/names.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Report } from "../../../src/model/outcome.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Style } from "../../../src/render/style.ts";

export const plain: Style = { color: false, width: 80, full: false, verbose: false };

export const secretText = "hunter2-very-secret";

function env(name: string): string {
  return `\${env:${name}}`;
}

export function fileOf(path: string, text: string): SourceFile {
  return { path, text };
}

/** The start of a line of a file that has so many. */
export function at(path: string, line: number): SourceRange {
  return { file: fileOf(path, "\n".repeat(line)), start: line - 1, end: line - 1 };
}

export function planOf(parts: Partial<Plan>, target: Partial<Plan["target"]> = {}): Plan {
  return {
    target: {
      name: "staging",
      url: "https://search.staging.example:9200",
      server: { product: "search-guard", release: "7.x-43.0.0", clusterName: "staging", how: "detected" },
      identity: "ci-plan (read-only)",
      snapshot: false,
      ...target,
    },
    changes: [],
    operations: [],
    violations: [],
    waived: [],
    notes: [],
    referenceOnly: [],
    fingerprint: "0123456789abcdef0123456789abcdef",
    ...parts,
  };
}

export function create(family: Family, name: string, after: Fields, origin?: SourceRange): Change {
  const value = canonical(family, after);
  return { family, name, action: "create", reason: "declared", edits: [], after: value, ...originOf(origin) };
}

export function update(family: Family, name: string, before: Fields, after: Fields, origin?: SourceRange): Change {
  const [old, now] = [canonical(family, before), canonical(family, after)];
  const edits = findEdits(old, now);
  return { family, name, action: "update", reason: "declared", edits, before: old, after: now, ...originOf(origin) };
}

export function remove(family: Family, name: string, before: Fields = {}): Change {
  return { family, name, action: "delete", reason: "not-declared", edits: [], before: canonical(family, before) };
}

export function leave(family: Family, name: string, reason: Reason = "in-sync"): Change {
  return { family, name, action: "leave", reason, edits: [] };
}

export function leaveAll(family: Family, count: number, reason: Reason = "in-sync"): readonly Change[] {
  return Array.from({ length: count }, (_, index) => leave(family, `${reason}_${index}`, reason));
}

function canonical(family: Family, value: Fields): Fields {
  return isResourceFamily(family) ? canonicaliseFields(value, factsOf[family].fields) : value;
}

function originOf(origin: SourceRange | undefined): { origin?: SourceRange } {
  return origin === undefined ? {} : { origin };
}

const hrBefore: Fields = {
  cluster_permissions: ["cluster_monitor"],
  index_permissions: [
    { index_patterns: ["hr-*"], dls: '{"term": {"dept": "hr"}}', fls: ["~ssn"], allowed_actions: ["READ"] },
    { index_patterns: ["public-*"], allowed_actions: ["READ"] },
  ],
};

const hrAfter: Fields = {
  cluster_permissions: ["cluster_composite_ops_ro", "cluster_monitor"],
  index_permissions: [
    { index_patterns: ["public-*"], allowed_actions: ["READ"] },
    {
      index_patterns: ["hr-*"],
      dls: '{"terms": {"dept": ["hr", "people"]}}',
      fls: ["~salary", "~ssn"],
      allowed_actions: ["READ"],
    },
  ],
};

const hrOperations: readonly Operation[] = [
  {
    family: "roles",
    method: "PATCH",
    path: "/_searchguard/api/roles",
    body: [{ op: "add", path: "/hr_writer", value: { index_permissions: [{ index_patterns: ["hr-*"] }] } }],
    names: ["hr_reader", "hr_writer", "legacy_reader"],
    bulk: true,
  },
  {
    family: "role_mappings",
    method: "PATCH",
    path: "/_searchguard/api/rolesmapping/hr_reader",
    body: [{ op: "add", path: "/backend_roles", value: ["analysts", "hr"] }],
    names: ["hr_reader"],
    bulk: false,
    reason: "after the roles, because it refers to one that is created there",
  },
];

/** The scenario of ux.md. */
export const hrScenario: Plan = planOf({
  changes: [
    ...leaveAll("tenants", 6),
    ...leaveAll("roles", 41),
    ...leaveAll("roles", 7, "reserved"),
    ...leaveAll("roles", 2, "static"),
    ...leaveAll("roles", 3, "unmanaged"),
    update("roles", "hr_reader", hrBefore, hrAfter, at("roles/hr.yml", 12)),
    create(
      "roles",
      "hr_writer",
      { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["WRITE"] }] },
      at("roles/hr.yml", 31),
    ),
    remove("roles", "legacy_reader", { cluster_permissions: ["cluster_monitor"] }),
    ...leaveAll("role_mappings", 44),
    update(
      "role_mappings",
      "hr_reader",
      { backend_roles: ["hr"] },
      { backend_roles: ["analysts", "hr"] },
      at("mappings.yml", 8),
    ),
  ],
  operations: hrOperations,
  notes: ["The release was not stated; 7.x-43.0.0 was read from the license endpoint."],
  referenceOnly: ["action_groups"],
});

export const inSync: Plan = planOf({
  changes: [
    ...leaveAll("tenants", 6),
    ...leaveAll("roles", 54),
    ...leaveAll("role_mappings", 45),
    ...leaveAll("roles", 9, "reserved"),
  ],
});

const mappings = ["ops_reader", "ops_writer", "siem_reader", "siem_writer", "audit", "audit_ro"];

export const refused: Plan = planOf({
  changes: [...leaveAll("role_mappings", 6), ...mappings.map((name) => remove("role_mappings", name))],
  operations: [
    {
      family: "role_mappings",
      method: "PATCH",
      path: "/_searchguard/api/rolesmapping",
      body: mappings.map((name) => ({ op: "remove", path: `/${name}` })),
      names: mappings,
      bulk: true,
    },
  ],
  violations: [
    {
      rule: "deletions",
      countsEntries: true,
      family: "role_mappings",
      what: "6 of 12 role mappings would be deleted",
      why: "limit: 20 % of the role mappings that could be deleted (at least 3), 25 role mappings",
      addresses: mappings.map((name) => `role_mappings/${name}`),
      remedies: [{ how: "for this run", text: "--allow deletions=role_mappings" }],
    },
  ],
});

const ldap = new Secret(env("LDAP_PASSWORD"), secretText);

/** Config with secrets on one side and on both, a license that cannot be compared, drift that is only observed. */
export const documents: Plan = planOf(
  {
    changes: [
      {
        ...update("roles", "kibana_user", { cluster_permissions: ["a"] }, { cluster_permissions: ["b"] }),
        action: "leave",
        reason: "observed",
      },
      update(
        "config",
        "config",
        {
          dynamic: {
            do_not_fail_on_forbidden: false,
            authc: { "ldap.domain": { order: 1, bind: { password: new Secret("live", "old"), note: "hunter1" } } },
            hosts: ["a", "b"],
          },
        },
        {
          dynamic: {
            do_not_fail_on_forbidden: true,
            authc: {
              "ldap.domain": { order: "1", bind: { password: ldap, note: ldap } },
              saml: { order: 2, skip: [] },
            },
            hosts: ["a", "c"],
          },
        },
        at("config.yml", 3),
      ),
      leave("license", "license", "unknown"),
    ],
    operations: [
      {
        family: "config",
        method: "PUT",
        path: "/_searchguard/api/sg_config/sg_config",
        body: { dynamic: { password: ldap } },
        names: ["config"],
        bulk: false,
      },
    ],
  },
  { snapshot: true, url: "snapshot live.json" },
);

const hostile = "evil\u001b[31m\r\n+ admin\u202e\u0000`|<b>@team";

/** Names and values that try to leave their place, and long ones. */
export const nasty: Plan = planOf(
  {
    changes: [
      create(
        "tenants",
        hostile,
        { description: `${"long ".repeat(60)}end` },
        at("a/very/long/path/that/goes/on/and/on/to/the/end/of/the/line/tenants.yml", 1),
      ),
      create("tenants", "__proto__", { description: "```\n</details>\n@everyone | <script>" }),
      create("tenants", "人事部 🦊", { description: " blank at its start" }, at("t.yml", 7)),
      update(
        "tenants",
        "x".repeat(90),
        { description: `${"same ".repeat(40)}old` },
        { description: `${"same ".repeat(40)}new` },
        at("t.yml", 9),
      ),
      update(
        "roles",
        "many",
        { cluster_permissions: Array.from({ length: 60 }, (_, index) => `cluster:${index}`), "x.y": { deep: 1 } },
        { cluster_permissions: [hostile], "x.y": { deep: 2 } },
      ),
      update(
        "role_mappings",
        "m",
        { users: ["worf", secretText] },
        { users: [new Secret(env("USER_NAME"), secretText), "picard, jl"] },
      ),
    ],
    operations: [
      {
        family: "tenants",
        method: "DELETE",
        path: "/x",
        names: [hostile],
        bulk: false,
        reason: `a name that no pointer can carry: ${hostile}`,
      },
    ],
    violations: [
      {
        rule: "names",
        what: `hostile ${hostile}`,
        addresses: [`tenants/${hostile}`],
        remedies: [{ how: "so", text: "a:\n  - b" }],
      },
    ],
    notes: [`note ${hostile}`, "```", "@team <b>"],
  },
  { name: "st`ag|ing" },
);

export function reportOf(plan: Plan, outcomes: Report["outcomes"], rest: Partial<Report> = {}): Report {
  return { plan, outcomes, differing: [], ...rest };
}

export const applied: Report = reportOf(
  hrScenario,
  hrOperations.map((operation) => ({ operation, kind: "done", status: 200, milliseconds: 412 })),
  { verified: true },
);

export const stopped: Report = reportOf(hrScenario, [
  { operation: hrOperations[0] as Operation, kind: "done", status: 200, milliseconds: 412 },
  {
    operation: hrOperations[1] as Operation,
    kind: "unknown",
    status: 500,
    milliseconds: 30_000,
    detail: `connection lost; the server did not answer for 10 min; "Error Failed node [x]" ${hostile}`,
  },
]);
