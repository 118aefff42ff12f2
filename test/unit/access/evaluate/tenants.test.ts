import { expect, test } from "vitest";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

function writes(action: string, release: string): string {
  const text = `
roles: { r: { tenant_permissions: [{ tenant_patterns: [hr], allowed_actions: ['${action}'] }] } }
role_mappings: { r: { users: [ana] } }
tenants: { hr: {} }
`;
  const access = evaluateTenantAccess(modelFrom(text, "search-guard", release), subjectFrom("ana @1.1.1.1", {}), "hr");
  expect(access.reads).toBe("yes");
  return access.writes;
}

const [text, star, pattern, other] = ["kibana:saved_objects/*/write", "*", "kibana:*", "kibana:saved_objects/*/read"];

test.for<[release: string, ofStar: string, ofPattern: string]>([
  ["7.x-37.0.0", "no", "no"],
  ["7.x-38.0.0", "no", "no"],
  ["7.x-39.0.0", "unknown", "unknown"],
  ["7", "unknown", "unknown"],
  ["7.x-40.0.0", "yes", "yes"],
  ["7.x-48.0.0", "yes", "yes"],
  ["7.x-49.0.0", "yes", "no"],
  ["7.x-52.0.0", "yes", "no"],
  ["7.x-53.0.0", "yes", "no"],
  ["FLX", "yes", "yes"],
])("Search Guard %s: * is %s, a pattern that matches the text %s", ([release, ofStar, ofPattern]) => {
  expect([star, pattern, text, other].map((action) => writes(action, release))).toEqual([
    ofStar,
    ofPattern,
    "yes",
    "no",
  ]);
});
