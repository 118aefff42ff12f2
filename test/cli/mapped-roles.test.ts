// OpenSearch refuses the mapping of a role that it has not, or hides: the plan says so, and nothing is written.
import { describe, expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const permissions = "cluster_permissions: ['cluster:monitor/main']";

function filesOf(flag: string, settings = "{}"): Record<string, string> {
  const roles = `roles: { other: { ${permissions} }, mapped: { ${flag} ${permissions} } }\n`;
  const mappings = "role_mappings: { other: { users: [bo] }, mapped: { users: [ana] } }\n";
  return { "gate-sync.yaml": `${settings}\n`, "access/roles.yml": roles, "access/mappings.yml": mappings };
}

describe("a mapping of a role that will not be on the server", () => {
  it.each([
    ["hidden by its file", "unknown-role", filesOf("hidden: true,")],
    ["reserved by its file", "server-owned", filesOf("reserved: true,")],
    ["static by its file", "server-owned", filesOf("static: true,")],
    [
      "of a family that is only observed",
      "unknown-role",
      filesOf("", "defaults: { families: { roles: { mode: observe } } }"),
    ],
  ])("%s is an error on OpenSearch, before anything is written", (_, code, files) =>
    onHarness({ product: "opensearch", release: "2.19", files }, async ({ run, emulator }) => {
      const plan = await run("plan --url URL access");
      expect(plan.code).toBe(3);
      expect(`${plan.stdout}${plan.stderr}`).toContain(`access/mappings.yml:1:42  error  ${code}`);
      expect((await run("apply --url URL access --yes")).code).toBe(3);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }),
  );

  it("may be hidden on Search Guard, which takes its mapping", () =>
    onHarness({ product: "search-guard", release: "7.x-38", files: filesOf("hidden: true,") }, async ({ run }) => {
      expect((await run("apply --url URL access --yes")).code).toBe(0);
      expect((await run("plan --url URL access")).stdout).toMatch(/in sync|Nothing to do/);
    }));
});
