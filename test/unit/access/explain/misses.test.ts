// What comes near, where something is refused.
import { expect, test } from "vitest";
import { createPermission, evaluatePermission } from "../../../../src/access/evaluate/permission.ts";
import { findMisses, type Miss } from "../../../../src/access/explain/misses.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const fixture = `
roles:
  reader: { index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: [SGS_READ] }] }
  writer: { index_permissions: [{ index_patterns: ['hr-2025', 'other-*'], allowed_actions: ['indices:data/write/*', 'indices:data/write/bulk'] }] }
  admin: { index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: ['indices:admin/delete'] }] }
  lost: { cluster_permissions: ['indices:data/read/search'] }
role_mappings:
  reader: { users: [ana] }
  writer: { users: [ana] }
  admin: { backend_roles: [ops] }
  lost: { users: [bo] }
  nowhere: { users: [bo] }
blocks: { worf: { type: name, value: worf, verdict: disallow } }
`;

function misses(who: string, action: string, index: string | undefined): readonly Miss[] {
  const model = modelFrom(fixture, "gate", "7.x-43.0.0");
  const name = index === undefined ? undefined : { name: index };
  const evaluation = evaluatePermission(model, subjectFrom(who), createPermission(action, name));
  return findMisses(model, subjectFrom(who), { action, evaluation, ...(name && { index: name }) });
}

test.each<[about: string, question: readonly [string, string, string | undefined], expected: readonly object[]]>([
  [
    "the index has other actions, and others have it",
    ["ana @1.1.1.1", "indices:admin/delete", "hr-2026"],
    [
      { kind: "other-actions", role: "reader", pattern: "hr-*" },
      { kind: "not-held", role: "admin", members: [{ field: "backend_roles", entries: ["ops"] }] },
    ],
  ],
  [
    "the nearest pattern first",
    ["ana @1.1.1.1", "indices:data/write/index", "hr-2026"],
    [
      { kind: "other-actions", role: "reader" },
      { kind: "other-indices", role: "writer", patterns: ["hr-2025", "other-*"] },
    ],
  ],
  [
    "a cluster permission among those on indices",
    ["ana @1.1.1.1", "indices:data/write/bulk", undefined],
    [{ kind: "wrong-level", role: "writer", granted: { pattern: "indices:data/write/bulk" } }],
  ],
  [
    "an index permission among those of the cluster, and a role that is not there",
    ["bo @1.1.1.1", "indices:data/read/search", "hr-1"],
    [
      { kind: "wrong-level", role: "lost" },
      { kind: "no-such-role", role: "nowhere" },
    ],
  ],
  [
    "a block",
    ["worf @1.1.1.1", "indices:data/read/search", "hr-1"],
    [{ kind: "blocked", blocks: ["worf"] }, { kind: "no-role" }],
  ],
])("%s", (_, [who, action, index], expected) => {
  const found = misses(who, action, index);
  expect(found.slice(0, expected.length)).toMatchObject(expected);
});
