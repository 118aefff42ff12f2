// Internal users have roles, backend roles and attributes of their own: questions, tests and plans count them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { onHarness } from "./harness.ts";

const roles = {
  hr_reader: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:data/read*"] }] },
  payer: { index_permissions: [{ index_patterns: ["pay-*"], allowed_actions: ["indices:data/read*"] }] },
  team: {
    index_permissions: [{ index_patterns: ["team-${attr.internal.dept}-*"], allowed_actions: ["indices:data/read*"] }],
  },
};

const products = [
  { product: "opensearch", release: "2.19", field: "opendistro_security_roles", api: "/_plugins/_security/api" },
  { product: "search-guard", release: "7.x-38", field: "search_guard_roles", api: "/_searchguard/api" },
] as const;

type Product = (typeof products)[number];

function serverOf({ product, release, field }: Product): Partial<EmulatorOptions> {
  const eve = {
    hash: "$2y$04$hash",
    backend_roles: ["payers"],
    attributes: { dept: "blue-canary" },
    [field]: ["hr_reader", "team"],
  };
  const state = {
    roles,
    role_mappings: { payer: { backend_roles: ["payers"] } },
    internal_users: new Map([["eve", eve]]),
  };
  return { product, release, state };
}

/** What each answer about an index takes for granted. */
const ofNames = "Indices are not known: a name is that of an existing index that is not hidden";
const ofIndices = `${ofNames} and that no alias leads to.`;

describe.each(products)("on $product", (product) => {
  const { field, api } = product;
  const server = serverOf(product);

  it("an internal user may do what her roles, backend roles and attributes grant", () =>
    onHarness(server, async ({ run, emulator }) => {
      const asked = async (question: string) => (await run(`access ${question} --server --url URL`)).code;
      expect(await asked("can-i search hr-2026 --user eve")).toBe(0);
      expect(await asked("can-i search pay-1 --user eve")).toBe(0);
      expect(await asked("can-i search team-blue-canary-1 --user eve")).toBe(0);
      expect(await asked("can-i search other --user eve")).toBe(2);
      expect(await asked("can-i search hr-2026 --user ana")).toBe(2);
      emulator.clearRequests();
      const who = await run("access who-can search hr-2026 --server --url URL --format json");
      expect(JSON.parse(who.stdout).principals).toMatchObject([{ entry: { field: "users", entries: ["eve"] } }]);
      expect(JSON.parse(who.stdout).assumptions).toEqual([`${ofNames}.`]);
      expect(emulator.requests.filter(({ path }) => path === `${api}/internalusers`)).toHaveLength(1);
      const what = await run("access what-can eve --server --url URL");
      expect(what.stdout).toContain("hr-*");
      expect(what.stdout).toContain("pay-*");
    }));

  it("a no for a named user is unknown where internal users may not be read", () =>
    onHarness(server, async ({ run, emulator }) => {
      emulator.fault = ({ path }) =>
        path.endsWith("/internalusers") ? { answer: { status: 403, body: "{}" }, at: "before" } : undefined;
      const eve = await run("access can-i search hr-2026 --user eve --server --url URL");
      expect(eve.code).toBe(7);
      expect(eve.stdout.replace(/\s+/g, " ")).toContain(
        `internal users could not be read (the server answers 403 to GET ${api}/internalusers)`,
      );
      expect((await run("access can-i search hr-2026 --backend-role x --server --url URL")).code).toBe(2);
      expect((await run("access can-i search pay-1 --user eve --backend-role payers --server --url URL")).code).toBe(0);
      const who = await run("access who-can search hr-2026 --server --url URL");
      expect(who.stdout).toContain("Internal users could not be read");
    }));

  const grant = {
    "access/roles.yml": JSON.stringify({
      roles: {
        hr_reader: {
          index_permissions: [{ index_patterns: ["hr-*", "board-*"], allowed_actions: ["indices:data/read*"] }],
        },
      },
    }),
  };
  const adopt = { "gate-sync.yaml": "defaults: { families: { roles: { mode: adopt } } }\n" };

  it("a plan says what an internal user gains by a role of her own, and reads internal users for that alone", () =>
    onHarness({ ...server, files: { ...grant, ...adopt } }, async ({ run, emulator }) => {
      const plan = await run("plan --url URL access");
      expect(plan.stdout).toContain("user eve");
      expect(plan.stdout).toContain("board-*");
      expect(plan.stdout).not.toContain("canary");
      emulator.clearRequests();
      await run("plan --url URL access --no-access");
      expect(emulator.requests.filter(({ path }) => path.endsWith("/internalusers"))).toEqual([]);
    }));

  it("an attribute whose variable has no value is unknown, neither the same nor another", () => {
    const users = {
      eve: {
        backend_roles: ["payers"],
        attributes: { dept: `\${env:DEPT}` },
        [field]: ["hr_reader", "team"],
      },
    };
    return onHarness(
      { ...server, files: { "access/u.yml": JSON.stringify({ internal_users: users }) } },
      async ({ run }) => {
        const summarise = async (env: object) => {
          const { stdout } = await run("plan --url URL access --format json --unchanged", { ...env });
          const { reason, password_unknown } = JSON.parse(stdout).changes.find(
            (one: { name: string }) => one.name === "eve",
          );
          return [reason, password_unknown];
        };
        expect(await summarise({})).toEqual(["in-sync", true]);
        expect(await summarise({ DEPT: "blue-canary" })).toEqual(["in-sync", undefined]);
        expect(await summarise({ DEPT: "red" })).toEqual(["observed", undefined]);
        const { stdout } = await run("plan --url URL access");
        expect(stdout).not.toMatch(/differs|blue-canary/);
      },
    );
  });

  it("values of attributes are never shown, in answers, plans and saved plans: patterns are as written", () => {
    const patterns = ["team-${attr.internal.dept}-*", "own-${attr.internal.dept}", "${attr.internal.dept}"];
    const team = { index_permissions: [{ index_patterns: patterns, allowed_actions: ["indices:data/*"] }] };
    const files = { ...adopt, "access/roles.yml": JSON.stringify({ roles: { team } }) };
    return onHarness({ ...server, files }, async ({ run, folder }) => {
      const outputs = [
        await run("access what-can eve --server --url URL"),
        await run("access what-can eve --server --url URL --format json"),
        await run("access can-i search team-* --user eve --server --url URL --format json"),
        await run("plan --url URL access --verbose --full"),
        await run("plan --url URL access --format markdown --full"),
        await run("plan --url URL access --format json --out plan.json --explain-order"),
        await run("drift --url URL access --format json"),
        await run("apply --url URL access --yes"),
      ].map(({ stdout, stderr }) => `${stdout}${stderr}`);
      for (const output of outputs) expect(output).not.toMatch(/canary/);
      expect(outputs[0]).toContain("team-${attr.internal.dept}-*");
      expect(outputs[3]?.replace(/\s+/g, " ")).toContain("own-${attr.internal.dept}");
      expect(readFileSync(join(folder, "plan.json"), "utf8")).not.toMatch(/canary/);
    });
  });

  it("an internal user gains what the pattern that names the user does not explain, as backend roles change ${user.roles}", () => {
    const wide = (pattern: string) => ({
      wide: { index_permissions: [{ index_patterns: [pattern], allowed_actions: ["indices:data/read*"] }] },
    });
    const state = {
      roles: wide("logs-${user.roles}*"),
      role_mappings: { wide: { users: ["d?"] } },
      internal_users: new Map([["di", { hash: "$2y$04$hash", backend_roles: ["z"], attributes: {} }]]),
    };
    const declared = JSON.stringify({ roles: wide("*"), role_mappings: state.role_mappings });
    const files = { "gate-sync.yaml": "{}\n", "access/state.yml": declared };
    return onHarness({ ...server, state, files }, async ({ run }) => {
      const { stdout } = await run("plan --url URL access --format json");
      const { statements } = JSON.parse(stdout).access;
      const ofDi = statements.find(({ who }: { who: unknown }) => JSON.stringify(who) === '[{"users":["di"]}]');
      // Without backend roles the user had logs-*. Servers quote the role z, and no index can be called logs-"z".
      expect(ofDi?.differences).toMatchObject([{ kind: "gained", indices: [{ all_of: ["*"], none_of: [] }] }]);
    });
  });

  it("a test that only some may do something sees an internal user who may", () => {
    const test = "- { only: { backend_roles: [hr] }, action: search, index: board-1 }\n";
    return onHarness(
      {
        ...server,
        files: {
          ...grant,
          ...adopt,
          "access/t.access-test.yml": test,
        },
      },
      async ({ run }) => {
        const plan = await run("plan --url URL access");
        expect(plan.code).toBe(4);
        expect(plan.stdout).toContain("user eve");
      },
    );
  });

  it("a snapshot keeps names and roles, and neither hashes nor values of attributes", () =>
    onHarness(server, async ({ run, folder }) => {
      expect((await run("export --url URL --snapshot live.json")).code).toBe(0);
      const text = readFileSync(join(folder, "live.json"), "utf8");
      expect(text).toContain("eve");
      expect(text).not.toMatch(/canary|"hash"/);
      expect((await run("access can-i search hr-2026 --user eve --live live.json")).code).toBe(0);
      expect((await run("access can-i search pay-1 --user eve --live live.json")).code).toBe(0);
      expect((await run("access can-i search team-blue-canary-1 --user eve --live live.json")).code).toBe(7);
    }));

  it("a file of internal users counts for questions of the files; without it the answer says what it assumes", () => {
    const users = {
      eve: { hash: "canary", backend_roles: ["payers"], attributes: { dept: "blue" }, [field]: ["hr_reader", "team"] },
    };
    const files = {
      "gate-sync.yaml": `product: ${product.product}\n`,
      "access/all.yml": JSON.stringify({ roles, role_mappings: { payer: { backend_roles: ["payers"] } } }),
    };
    const question = (index: string) =>
      `access can-i search ${index} --user eve --state access --product ${product.product} --release ${product.release} --format json`;
    return onHarness(
      { ...server, files: { ...files, "gate-sync.yaml": "{}\n", "access/internal_users.yml": JSON.stringify(users) } },
      async ({ run }) => {
        for (const index of ["hr-1", "pay-1", "team-blue-1"]) {
          const { code, stdout } = await run(question(index));
          expect(code).toBe(0);
          expect(stdout).not.toContain("canary");
          expect(JSON.parse(stdout).assumptions).toEqual([ofIndices]);
        }
      },
    ).then(() =>
      onHarness({ ...server, files: { ...files, "gate-sync.yaml": "{}\n" } }, async ({ run }) => {
        const { code, stdout } = await run(question("hr-1"));
        expect(code).toBe(2);
        // Without a role, she is granted no index by whatever name.
        expect(JSON.parse(stdout).assumptions).toEqual([
          "Internal users are not known: a user has what the question states, and nothing else.",
        ]);
      }),
    );
  });

  describe("declared without a mode", () => {
    const declared = (fields: object) => ({
      "gate-sync.yaml": "{}\n",
      "access/internal_users.yml": JSON.stringify({ _meta: { type: "internalusers", config_version: 2 }, ...fields }),
    });
    const eve = {
      hash: "$2y$04$canary",
      backend_roles: ["payers"],
      attributes: { dept: "blue-canary" },
      [field]: ["hr_reader", "team"],
    };

    it("they are compared, without their hashes, and never written", () =>
      onHarness({ ...server, files: declared({ eve, new: { backend_roles: ["x"] } }) }, async ({ run, emulator }) => {
        const plan = await run("plan --url URL access --detailed-exitcode");
        expect(plan.code).toBe(0);
        expect(plan.stdout).toContain("not on the server, observed only");
        // What to write so that they are.
        expect(plan.stdout.replace(/\s+/g, " ")).toContain(
          "families: { internal_users: { mode: manage } } in gate-sync",
        );
        expect(`${plan.stdout}${plan.stderr}`).not.toContain("canary");
        expect((await run("apply --url URL access --yes")).code).toBe(0);
        expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      }));

    it("those that are not declared are left unsaid, and what is wrong with one ends no run", () =>
      onHarness({ ...server, files: declared({ ana: { hash: "${env:NOT_SET}", nothing: 1 } }) }, async ({ run }) => {
        const plan = await run("plan --url URL access");
        expect(plan.code).toBe(0);
        expect(plan.stdout).not.toContain("eve");
        expect((await run("validate access")).stdout).toContain("warning  unknown-field");
        expect(plan.stderr).not.toContain("unset-secret");
      }));

    it("that they may not be read is a note", () =>
      onHarness({ ...server, files: declared({ eve }) }, async ({ run, emulator }) => {
        emulator.fault = ({ path }) =>
          path.endsWith("/internalusers") ? { answer: { status: 403, body: "{}" }, at: "before" } : undefined;
        const plan = await run("plan --url URL access");
        expect(plan.code).toBe(0);
        expect(plan.stdout.replace(/\s+/g, " ")).toContain("may not be read: they are not compared");
      }));
  });
});
