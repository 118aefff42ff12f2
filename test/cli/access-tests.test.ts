// What a repository expects of who may do what: held by `test` and `validate` offline, by `plan` and `apply` on what the server would hold.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const roles = `roles:
  hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: ["indices:data/read/*"] }] }
role_mappings:
  hr: { backend_roles: [hr] }
`;
const noOneElse = `- name: only HR
  only: { backend_roles: [hr], roles: [SGS_ALL_ACCESS, SGS_READALL, SGS_KIBANA_SERVER] }
  action: search
  index: hr-*
`;
const files = { "access/a.yml": roles, "access/hr.access-test.yaml": noOneElse };
const denied = "- { as: { backend_roles: [hr] }, action: search, index: hr-1, expect: denied }\n";
/** Undeclared and unmanaged. */
const foreign = {
  roles: { odd: { index_permissions: [{ index_patterns: ["hr-2*"], allowed_actions: ["*"] }] } },
  role_mappings: { odd: { users: ["odd"] } },
};
const others = "defaults: { families: { roles: { exclude: [odd] }, role_mappings: { exclude: [odd] } } }\n";
const product = "--product search-guard --release 7.x-43.0.0";

describe("gate-sync test", () => {
  it("passes, and says how many", () =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product}`);
      expect(stdout).toContain("1 access test: 1 passes.");
      expect(code).toBe(0);
    }));
  it("fails with the chain that breaks a test, at its place", () =>
    onHarness({ files: { ...files, "access/hr.access-test.yaml": denied } }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product}`);
      expect(stdout.split("\n").slice(0, 6)).toEqual([
        "FAIL  backend role hr may not search hr-1  (access/hr.access-test.yaml:1)",
        "  backend role hr may search hr-1",
        "    indices:data/read/search",
        "      mapping hr (access/a.yml:4) > role hr on hr-* (access/a.yml:2) >",
        "        indices:data/read/*",
        "",
      ]);
      expect(stdout).toContain("\nMore: gate-sync explain failed-access-test\n");
      expect(code).toBe(4);
    }));
  it("says plainly that there are none", () =>
    onHarness({ files: { "access/a.yml": roles } }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product}`);
      expect(stdout).toContain("There are no access tests: nothing was checked.");
      expect(code).toBe(0);
    }));
  it("asks nothing of files with errors", () =>
    onHarness(
      { files: { "access/t.access-test.yml": "- {as: ana, action: health, expect: denied}\n" } },
      async ({ run }) => {
        const { code, stderr } = await run(`test access ${product}`);
        expect(stderr).toContain("access/t.access-test.yml:1:8  error  bad-access-test");
        expect(code).toBe(3);
      },
    ));
  it("says what looks misspelt, though it passes", () => {
    const misspelt =
      "- { as: { backend_roles: [hr] }, action: indices:data/write/idnex, index: hr-1, expect: denied }\n";
    return onHarness({ files: { ...files, "access/hr.access-test.yaml": misspelt } }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product}`);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        'access/hr.access-test.yaml:1:5: No action "indices:data/write/idnex" is known here. Did you mean "indices:data/write/index"?',
      );
      expect(code).toBe(0);
      expect((await run(`validate access ${product}`)).stdout).toContain("doubtful-access-test");
    });
  });
  it("says which role is none, as validate does, and as plan does by the server", () => {
    const test = "- { only: { backend_roles: [hr], roles: [SGS_ALL_ACESS, odd] }, action: search, index: gone }\n";
    return onHarness(
      {
        files: { ...files, "gate-sync.yaml": others, "access/hr.access-test.yaml": test },
        state: foreign,
        product: "search-guard",
      },
      async ({ run }) => {
        const explained = async (line: string) => {
          const { stdout, stderr } = await run(line);
          return `${stderr}${stdout}`.replaceAll(/\s+/g, " ");
        };
        const misspelt = 'There is no role "SGS_ALL_ACESS" in these files';
        const odd = 'There is no role "odd"';
        for (const line of [`test access ${product}`, `validate access ${product}`]) {
          const reported = await explained(line);
          expect(reported).toContain("access/hr.access-test.yaml:1:5");
          expect(reported).toContain(`${misspelt}, and search-guard 7.x-43 ships none. Did you mean "SGS_ALL_ACCESS"?`);
          expect(reported).toContain(`${odd} in these files.`);
        }
        const planned = await explained("plan --url URL access");
        expect(planned).toContain(`${misspelt} or on the server.`);
        expect(planned).not.toContain(odd);
      },
    );
  });
  it("writes JSON that fits its schema", () =>
    onHarness({ files: { ...files, "access/b.access-test.yml": denied } }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product} --format json`);
      const schema = JSON.parse(readFileSync(new URL("../../schemas/access.schema.json", import.meta.url), "utf8"));
      const validate = new Ajv2020.default({ strict: false }).compile(schema);
      const value = JSON.parse(stdout);
      validate(value);
      expect(validate.errors).toBe(null);
      expect(value).toMatchObject({ kind: "access-tests", passed: 1, failed: 1 });
      expect(code).toBe(4);
    }));
  it("writes JUnit, a suite for each file", () =>
    onHarness({ files: { ...files, "access/b.access-test.yml": denied } }, async ({ run }) => {
      const { code, stdout } = await run(`test access ${product} --format junit`);
      expect(stdout.match(/<testsuite [^>]*>/g)).toEqual([
        '<testsuite name="access/b.access-test.yml" tests="1" failures="1" errors="0" skipped="0">',
        '<testsuite name="access/hr.access-test.yaml" tests="1" failures="0" errors="0" skipped="0">',
      ]);
      expect(stdout).toContain('<failure type="failed" message="backend role hr may search hr-1">');
      expect(code).toBe(4);
    }));
});

describe("a failing access test", () => {
  it("is refused by validate, which says where", () =>
    onHarness({ files: { ...files, "access/hr.access-test.yaml": denied } }, async ({ run }) => {
      const { code, stdout } = await run(`validate access ${product}`);
      expect(stdout).toContain("access/hr.access-test.yaml:1:5  error  failed-access-test");
      expect(code).toBe(4);
    }));
  it("is found in what is undeclared: plan and apply refuse, and nothing is sent", () =>
    onHarness(
      { files: { ...files, "gate-sync.yaml": others }, state: foreign, product: "search-guard" },
      async ({ run, writes }) => {
        expect((await run("test access --product search-guard")).code).toBe(0);
        const plan = await run("plan --url URL access");
        expect(plan.stdout.replaceAll(/\s+/g, " ")).toContain(
          '! The access test "only HR" (access/hr.access-test.yaml:1) fails: user odd may search hr-*, on some of it ' +
            "(such as hr-2-a). guard access-tests mapping odd > role odd on hr-2* > *. It fails on what the server holds now, too. " +
            "role_mappings/odd, roles/odd",
        );
        expect(plan.code).toBe(4);
        const apply = await run("apply --url URL access --yes");
        expect(apply.code).toBe(4);
        expect(writes()).toEqual([]);
      },
    ));
  it("is found where nothing is to be changed", () =>
    onHarness(
      { files: { ...files, "access/a.yml": "tenants: {}\n" }, state: foreign, product: "search-guard" },
      async ({ run }) => {
        const { code, stdout } = await run("plan --url URL access");
        expect(code).toBe(4);
        const flat = stdout.replaceAll(/\s+/g, " ");
        expect(flat).toContain(
          "Refused: no change is pending, and the access tests do not pass as it is. Nothing was sent.",
        );
      },
    ));
  it("is not waived: apply of the refused plan says what to do instead", () =>
    onHarness(
      { files: { ...files, "access/hr.access-test.yaml": denied }, product: "search-guard" },
      async ({ run }) => {
        expect((await run("plan --url URL access --out refused.json")).code).toBe(4);
        const { code, stderr } = await run("apply --url URL refused.json --yes");
        const flat = stderr.replaceAll(/\s+/g, " ");
        expect(flat).toContain(
          "Nothing waives this guard (gate-sync explain access-tests says what to do): change the files",
        );
        expect(flat).not.toContain("Lift the guard");
        expect(code).toBe(4);
      },
    ));
  it("makes a reviewed plan stale that passed when it was made", () =>
    onHarness({ files, product: "search-guard", release: "7.x-43.0.0" }, async ({ run, url, writes }) => {
      const made = await run("plan --url URL access --out plan.json");
      expect(made.stdout).toContain("Once the files are applied, the access test passes.");
      expect(made.code).toBe(0);
      const role = { index_permissions: [{ index_patterns: ["hr-1"], allowed_actions: ["*"] }] };
      for (const [path, body] of [
        ["roles/odd", role],
        ["rolesmapping/odd", { users: ["odd"] }],
      ] as const) {
        const request = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        expect((await fetch(`${url}/_searchguard/api/${path}`, request)).status).toBe(201);
      }
      const before = writes().length;
      const applied = await run("apply --url URL plan.json --yes");
      expect(applied.stderr.replaceAll(/\s+/g, " ")).toContain("the guard access-tests refuses it now");
      expect(applied.code).toBe(5);
      expect(writes()).toHaveLength(before);
    }));
  it("is evaluated by the config as it will be", () => {
    const grants = (...actions: readonly string[]) => [{ index_patterns: ["hr-*"], allowed_actions: actions }];
    const held = {
      roles: {
        a: {
          cluster_permissions: ["indices:data/write/bulk"],
          index_permissions: grants("indices:data/write/bulk[s]"),
        },
        b: { index_permissions: grants("indices:data/write/index") },
      },
      role_mappings: { a: { users: ["ana"] }, b: { users: ["ana"] } },
    };
    const config = (spans: boolean) => ({ dynamic: { multi_rolespan_enabled: spans } });
    const tests = [{ as: { user: "ana" }, action: "index", index: "hr-1", expect: "allowed" }];
    return onHarness(
      {
        files: {
          "access/a.yml": JSON.stringify({ config: config(false) }),
          "access/a.access-test.yaml": JSON.stringify(tests),
        },
        state: { ...held, config: config(true) },
        allowConfigModification: true,
      },
      async ({ run }) => {
        const { code, stdout } = await run("plan --url URL access");
        const text = stdout.replaceAll(/\s+/g, " ");
        expect(text).toContain("fails: user ana may not index hr-1.");
        expect(text).toContain("unknown: who gains and who loses by multi_rolespan_enabled of the config");
        expect(code).toBe(4);
      },
    );
  });
  it("is no matter of a reviewed plan that holds", () =>
    onHarness({ files, product: "search-guard", release: "7.x-43.0.0" }, async ({ run }) => {
      expect((await run("plan --url URL access --out plan.json")).code).toBe(0);
      expect((await run("apply --url URL plan.json --yes")).code).toBe(0);
    }));
});

describe("the guard escalation", () => {
  const admin = { "access/a.yml": "role_mappings:\n  SGS_ALL_ACCESS: { users: [eve] }\n" };
  const waiver =
    "waivers:\n  - {rule: escalation, addresses: [role_mappings/SGS_ALL_ACCESS], reason: she administers}\n";

  it("refuses a plan that makes a principal an administrator, on an empty cluster too", () =>
    onHarness({ files: admin, product: "search-guard" }, async ({ run, writes }) => {
      const { code, stdout } = await run("plan --url URL access");
      const text = stdout.replaceAll(/\s+/g, " ");
      expect(text).toContain("user eve would come to administer access control, by the role SGS_ALL_ACCESS.");
      expect(text).toContain("--allow escalation=role_mappings/SGS_ALL_ACCESS");
      expect(code).toBe(4);
      expect((await run("plan --url URL access --no-access")).code).toBe(4);
      expect(writes()).toEqual([]);
    }));
  it("refuses to remove a block of an administrator, whatever else is left aside", () =>
    onHarness(
      {
        files: { "access/a.yml": "blocks: { other: { type: name, value: [bo], verdict: disallow } }\n" },
        state: {
          role_mappings: { SGS_ALL_ACCESS: { users: ["eve"] } },
          blocks: { eve: { type: "name", value: ["eve"], verdict: "disallow" } },
        },
        product: "search-guard",
        release: "7.x-43.0.0",
      },
      async ({ run }) => {
        const { code, stdout } = await run("plan --url URL access --allow deletions --no-access");
        expect(stdout.replaceAll(/\s+/g, " ")).toContain("user eve would come to administer");
        expect(code).toBe(4);
      },
    ));
  it("is waived by a waiver, for that mapping", () =>
    onHarness({ files: { ...admin, "access/c.yml": waiver }, product: "search-guard" }, async ({ run }) => {
      const { code, stdout } = await run("plan --url URL access");
      expect(stdout).toContain("she administers");
      expect(code).toBe(0);
    }));
  it("goes by admin_roles of the target", () =>
    onHarness(
      {
        files: {
          "access/a.yml": "role_mappings:\n  boss: { users: [eve] }\n  SGS_ALL_ACCESS: { users: [bo] }\n",
          "gate-sync.yaml": "targets: { t: { admin_roles: [boss], state: [access] } }\n",
        },
        product: "search-guard",
      },
      async ({ run }) => {
        const { code, stdout } = await run("plan --url URL");
        expect(stdout.match(/by the\s+role (\w+)\./g)?.map((one) => one.split(/\s+/).at(-1))).toEqual(["boss."]);
        expect(code).toBe(4);
      },
    ));
});
