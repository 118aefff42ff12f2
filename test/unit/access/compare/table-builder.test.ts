// Whom a table is shared with: what a principal may do is worked out once for all who hold the same.
import { expect, test } from "vitest";
import { createTableBuilder } from "../../../../src/access/compare/table/table-builder.ts";
import type { Subject } from "../../../../src/access/model/subject.ts";
import { modelFrom } from "../questions/state.ts";

const model = modelFrom(`
roles:
  own: { index_permissions: [{ index_patterns: ["x-\${user.name}"], allowed_actions: ["*"] }] }
  hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: ["*"], masked_fields: [name] }] }
  both: { index_permissions: [{ index_patterns: [x-ana, x-ben], allowed_actions: ["indices:monitor/*"] }] }
role_mappings:
  both: { backend_roles: [both] }
  own: { backend_roles: [staff] }
  hr: { backend_roles: [staff, hr], users: [ana, ben, zoe] }
`);
const of = (user: string | undefined, ...roles: readonly string[]): Subject => ({
  ...(user !== undefined && { user: { name: user } }),
  backendRoles: roles.map((name) => ({ name })),
});

test.each<[string, boolean, Subject, Subject, boolean?]>([
  ["a role that is given once more", true, of(undefined, "staff"), of(undefined, "staff", "hr")],
  ["a name that no pattern takes", true, of("ana"), of("ben")],
  ["a name that a pattern takes", false, of("ana", "staff"), of("ben", "staff")],
  [
    "a name that a pattern takes, of parts that are the same",
    false,
    of("ana", "staff", "both"),
    of("ben", "staff", "both"),
    true,
  ],
  ["another role", false, of(undefined, "staff"), of(undefined, "hr")],
])("%s: shared is %s", (_, isShared, one, other, areParts = isShared) => {
  const { build, grantsOf } = createTableBuilder();
  const [mine, theirs] = [one, other].map((subject) => build([model], subject, [grantsOf(model, subject)]));
  expect(mine?.columns[0] === theirs?.columns[0]).toBe(isShared);
  expect(mine?.indices === theirs?.indices).toBe(areParts);
});
