// Questions and tests about what a server would hold after the plan: the same answers as it gives once that is applied.
import { expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const config = `targets:
  prod:
    state: [access]
    families:
      internal_users: { mode: manage }
      role_mappings: { exclude: [kept] }
      roles: { exclude: [kept, own] }
      config: { mode: adopt }
`;
const declared = `roles:
  ledger: { index_permissions: [{ index_patterns: [ledger-*], allowed_actions: [reading], fls: [open] }] }
role_mappings:
  ledger: { backend_roles: [ledger], users: [ana] }
action_groups:
  reading: { type: index, allowed_actions: ["indices:data/read/*"] }
tenants: { books: { description: theirs } }
internal_users:
  ana: { opendistro_security_roles: [own], hash: "$2y$12$iilTq9cvT/FYtmWrBSCW6.5bpAn2qjGqhyvJuVXVJvKYvJsBPY0tK" }
config: { dynamic: { do_not_fail_on_forbidden: true } }
`;
const tests = `access_tests:
  - { name: the ledger is read, as: { backend_roles: [ledger] }, action: search, index: ledger-1, expect: allowed }
  - { name: old is gone, as: { backend_roles: [old] }, action: search, index: ledger-1, expect: denied }
  - { name: kept is kept out, as: { backend_roles: [kept] }, action: search, index: ledger-1, expect: denied }
`;
const read = { index_permissions: [{ index_patterns: ["*"], allowed_actions: ["indices:data/read/*"] }] };
const state = {
  roles: { old: read, kept: read, own: read },
  role_mappings: { old: { backend_roles: ["old"] }, kept: { backend_roles: ["kept"] } },
  internal_users: { bo: { opendistro_security_roles: ["kept"] } },
};
const files = { "gate-sync.yaml": config, "access/a.yml": declared, "access/t.access-test.yml": tests };
const env = { NO_COLOR: "1" };
const asHeld = { files, state, product: "opensearch", allowConfigModification: true } as const;

it.each([
  ["a role and mapping to come", "--backend-role ledger", 2, 0],
  ["a mapping to be deleted", "--backend-role old", 0, 2],
  ["what is not managed", "--backend-role kept", 0, 0],
  ["a role of a user to come", "--user ana", 2, 0],
  ["a user to be deleted", "--user bo", 0, 2],
])("answers %s", (_, who, now, then) =>
  onHarness(asHeld, async ({ run, writes }) => {
    const line = `access can-i ${who} search ledger-1 --server --url URL`;
    expect((await run(line, env)).code).toBe(now);
    const { code, stdout, stderr } = await run(`${line} --planned`, env);
    expect(stderr).toBe("");
    expect(stdout.replace(/\s+/g, " ")).toMatch(/Based on what http\S+ would hold after the plan \(opensearch/);
    expect(code).toBe(then);
    expect(writes()).toEqual([]);
  }),
);

it("shows where the files grant it", () =>
  onHarness(asHeld, async ({ run }) => {
    const { stdout } = await run(
      "access can-i --backend-role ledger search ledger-1 --server --planned --url URL",
      env,
    );
    expect(stdout).toContain("mapping ledger (access/a.yml:4)");
  }));

it("maps the same before the plan is applied as after it", () =>
  onHarness(asHeld, async ({ run }) => {
    const mapped = async (flags: string) => {
      const { stdout } = await run(`access map --server ${flags} --url URL --format json`, env);
      const { columns, principals, unheld_roles } = JSON.parse(stdout);
      return JSON.parse(
        JSON.stringify({ columns, principals, unheld_roles }, (key, value) => (key === "place" ? undefined : value)),
      );
    };
    const [before, planned] = [await mapped(""), await mapped("--planned")];
    expect(planned).not.toEqual(before);
    const refused: readonly { rule: string }[] = JSON.parse(
      (await run("plan access/a.yml --url URL --format json", env)).stdout,
    ).violations;
    const allowed = refused.map(({ rule }) => `--allow ${rule}`).join(" ");
    const { code, stdout } = await run(`apply access/a.yml --url URL --yes ${allowed}`, env);
    expect(code, stdout).toBe(0);
    expect(await mapped("")).toEqual(planned);
  }));

it("tests what the server holds, and what it would hold: as plan does", () =>
  onHarness(asHeld, async ({ run, writes }) => {
    const outcomes = async (flags: string) => {
      const { code, stdout } = await run(`test ${flags} --format json`, env);
      const results: { title: string; outcome: string }[] = JSON.parse(stdout).tests;
      return { code, outcomes: results.map(({ outcome }) => outcome) };
    };
    expect(await outcomes("--product opensearch --release 2.19")).toEqual({
      code: 0,
      outcomes: ["passed", "unknown", "unknown"],
    });
    expect(await outcomes("--server --url URL")).toEqual({ code: 4, outcomes: ["failed", "failed", "failed"] });
    expect(await outcomes("--server --planned --url URL")).toEqual({
      code: 4,
      outcomes: ["passed", "passed", "failed"],
    });
    const plan = await run("plan --url URL", env);
    expect(plan.stdout).toContain('"kept is kept out"');
    expect(plan.stdout).not.toContain('"old is gone"');
    expect(writes()).toEqual([]);
  }));

it("says that the plan is refused as it is", () =>
  onHarness(asHeld, async ({ run }) => {
    const { stdout } = await run("access who-can search ledger-1 --server --planned --url URL", env);
    expect(stdout.replace(/\s+/g, " ")).toContain("The plan is refused as it is: ");
    expect(stdout).toContain("access-tests");
  }));

it.each([
  ["access who-can search x --planned", "--planned goes with --server."],
  ["test --planned", "--planned goes with --server."],
  ["access map --server --planned --since HEAD --url URL", "--planned and --since do not go together."],
])("refuses %s", (line, message) =>
  onHarness(asHeld, async ({ run }) => {
    const { code, stderr } = await run(line, env);
    expect(stderr).toContain(message);
    expect(code).toBe(64);
  }),
);
