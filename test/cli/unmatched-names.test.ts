// Names in gate-sync.yaml that match nothing, neither declared nor on the server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resourceFamilies } from "../../src/model/names.ts";
import { onHarness } from "./harness.ts";

const files = {
  "access/a.yml": `roles: { reader: { cluster_permissions: [a] } }
role_mappings: { reader: { backend_roles: [readers, "ops_*"], users: [alfred, "ci-*"] } }
`,
};
const state = {
  roles: {
    reader: { cluster_permissions: ["a"] },
    writer: { cluster_permissions: ["b"] },
    op: { cluster_permissions: ["c"] },
  },
  role_mappings: {
    reader: { backend_roles: ["readers", "ops_*"], users: ["alfred", "ci-*"] },
    writer: { backend_roles: ["writers"] },
  },
};

/** The warnings of plan for a gate-sync.yaml with these lines; `own` is below its one target. */
async function warningsFor(
  own: string,
  defaults = "defaults: { families: { roles: { mode: adopt } } }",
): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await onHarness({ files, state }, async ({ run, folder, url }) => {
    const target = `targets:\n  prod:\n    url: ${url}\n    state: [access]\n    ${own}\n`;
    writeFileSync(join(folder, "gate-sync.yaml"), `${target}${defaults}\n`);
    const { stdout } = await run("plan --target prod --format json --no-access");
    const { diagnostics } = JSON.parse(stdout);
    const unmatched = diagnostics.filter(({ code }: { code: string }) => code === "unmatched-name");
    found = unmatched.map(({ line, what }: { line: number; what: string }) => `${line}: ${what}`);
  });
  return found;
}

test.each([
  ["protect: [roles/redaer]", '5: No role "redaer" is declared or on the server. Did you mean "reader"?'],
  ["protect: [roles/elsewhere]", '5: No role "elsewhere" is declared or on the server.'],
  [
    "families: { roles: { exclude: [wirter] } }",
    '5: No role "wirter" is declared or on the server. Did you mean "writer"?',
  ],
  [
    "apply_as: { user: ci, backend_roles: [raeders] }",
    '5: No mapping has the backend role "raeders". Did you mean "readers"?',
  ],
  ["admin_roles: [reader, raeder]", '5: No role "raeder" is declared or on the server. Did you mean "reader"?'],
])("%s is reported at its place", async (own, reported) => {
  expect(await warningsFor(own)).toEqual([reported]);
});

test.each(["defaults: { protect: [roles/redaer] }", "defaults: { families: { roles: { exclude: [redaer] } } }"])(
  "%s for all targets is reported where there is one, and not where there are several",
  async (shared) => {
    expect(await warningsFor("product: gate", shared)).toHaveLength(1);
    const another = "  staging: { url: http://127.0.0.1:1, state: [access] }";
    expect(await warningsFor("product: gate", `${another}\n${shared}`)).toEqual([]);
  },
);

test.each(["oq", "o", "opp"])("%s is too near to a name of two characters to mean it", async (name) => {
  expect(await warningsFor(`protect: [roles/${name}]`)).toEqual([`5: No role "${name}" is declared or on the server.`]);
});

test.each([
  ["names that are declared, or on the server", "protect: [roles/reader, roles/writer, role_mappings/writer]"],
  ["patterns, which may be for entries that are yet to come", 'protect: [roles/ops_*, "*/x"]'],
  ["a family that was not read", "protect: [tenants/support]"],
  ["what is no entry by its name", "protect: [config]"],
  ["excluded names and patterns", 'families: { roles: { exclude: [writer, "ops_*"] } }'],
  [
    "backend roles that a member names, or matches",
    "apply_as: { user: ci, backend_roles: [readers, writers, ops_berlin] }",
  ],
  ["backend roles beside a user whom a mapping names", "apply_as: { user: alfred, backend_roles: [all_staff] }"],
  ["backend roles beside a user whom a pattern matches", "apply_as: { user: ci-apply, backend_roles: [all_staff] }"],
])("nothing is said of %s", async (_what, own) => {
  expect(await warningsFor(own)).toEqual([]);
});

test("protect names types that there are, or patterns of them", () =>
  onHarness({ files }, async ({ run, folder }) => {
    const codes = [];
    for (const address of [...resourceFamilies.map((family) => `${family}/x`), "config", "license", "r*/x", "role/x"]) {
      const target = { url: "http://127.0.0.1:1", product: "gate", state: ["access"], protect: [address] };
      writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ targets: { prod: target } }));
      codes.push((await run("validate")).code);
    }
    expect(codes).toEqual([...resourceFamilies.map(() => 0), 0, 0, 0, 3]);
  }));
