// OpenSearch reduces requests to what is permitted once do_not_fail_on_forbidden is on: what it asks for on all indices until
// then shows no documents, and a plan that turns it on has a safe order.
import { expect, it } from "vitest";
import { parse } from "yaml";
import { onHarness } from "./harness.ts";

const before = `
roles:
  own_names: { cluster_permissions: [cluster_composite_ops], index_permissions: [{ index_patterns: ["\${user_name}"], allowed_actions: ["*"] }] }
  keeper: { index_permissions: [{ index_patterns: ["*"], allowed_actions: ["indices:data/write/index", "indices:admin/create"] }] }
role_mappings:
  own_names: { users: ["*"] }
  keeper: { backend_roles: [keepers] }
`;
const reader = `
roles:
  hr_reader: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:data/read/search"], dls: '{"term":{"dept":"hr"}}' }] }
role_mappings:
  hr_reader: { backend_roles: [analysts] }
config: { dynamic: { do_not_fail_on_forbidden: true } }
`;

it("a plan that turns the reduction of requests on is not refused over what is asked on all indices", () =>
  onHarness(
    {
      product: "opensearch",
      release: "2.19",
      state: parse(before),
      files: { "access/all.yml": before, "access/reader.yml": reader },
    },
    async ({ run }) => {
      const { code, stdout, stderr } = await run("plan --url URL access --detailed-exitcode");
      expect(stdout + stderr).not.toContain("guard order");
      expect(code, stdout + stderr).toBe(2);
    },
  ));
