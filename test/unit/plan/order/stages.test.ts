import { describe, expect, it } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import { listStages } from "../../../../src/plan/order/stages.ts";

function check(configPath: readonly string[] | undefined, expected: string) {
  const change = { family: "config", name: "config", action: "update", reason: "declared" } as const;
  const changes: Change[] = configPath ? [{ ...change, edits: [{ path: configPath, after: true }] }] : [];
  expect(
    listStages(changes)
      .map(({ family }) => family)
      .join(" "),
  ).toBe(expected);
}

const resources = "action_groups tenants roles role_mappings internal_users blocks nodes_dn audit whitelist allowlist";

describe("the order of writes", () => {
  it("without a config: each family after what it refers to", () => check(undefined, `license ${resources}`));
  it("a config goes first, its license right after it", () =>
    check(["dynamic", "do_not_fail_on_forbidden"], `config license ${resources}`));
  for (const child of ["authc", "authz", "http"]) {
    it(`a config that decides who logs in (${child}) goes last`, () =>
      check(["dynamic", child, "x"], `${resources} config license`));
  }
});
