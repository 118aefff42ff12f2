// On a server that is not needed afterwards: cases that ruin it, and those of a config that may not be written.
import { expect } from "vitest";
import { type Case, given, onServers, reported, where } from "./case.ts";
import { configOf } from "./documents.ts";
import { inRepository } from "./repository.ts";
import type { Facts, Stage } from "./stage.ts";

onServers("throw-away", "throw-away", (_, { product, name }) => [
  fixedConfig(name),
  ...where(product === "opensearch", [
    {
      title: "a config that may not be written is shown, and refuses every write, by certificate too",
      steps: [
        { ask: "GET securityconfig", status: 200 },
        ...(["admin", "certificate"] as const).flatMap((who) => [
          {
            ask: "PUT securityconfig/config",
            who,
            send: { dynamic: {} },
            status: 403,
            shows: reported(403, "Access denied"),
          },
          {
            ask: "PATCH securityconfig",
            who,
            send: [{ op: "add", path: "/config/dynamic/do_not_fail_on_forbidden", value: true }],
            status: 403,
            shows: reported(403, "Access denied"),
          },
        ]),
      ],
    },
  ]),
  ...where(name === "search-guard-7", [
    {
      title: "a config that may not be written has no routes to write it, which a GET of the one for PUT shows",
      steps: [
        { ask: "GET sg_config", status: 200 },
        { ask: "GET sg_config/sg_config", status: 400, shows: /no handler found/ },
        { ask: "PUT sg_config/sg_config", send: { dynamic: {} }, status: 400, shows: /no handler found/ },
        { ask: "PATCH sg_config", send: [], status: 405, shows: /allowed: \[GET\]/ },
      ],
    },
    recognised,
    createUnloadableMessage(
      "null among index patterns",
      "roles/suite_poison",
      { index_permissions: [{ index_patterns: [null] }] },
      [],
    ),
    createUnloadableMessage("null among index permissions", "roles/suite_poison", { index_permissions: [null] }, []),
    createUnloadableMessage(
      "a cycle of action groups that a role uses",
      "roles/suite_poison",
      { cluster_permissions: ["SUITE_A"] },
      [
        given("PUT actiongroups/SUITE_A", { allowed_actions: ["SUITE_B"] }),
        given("PUT actiongroups/SUITE_B", { allowed_actions: ["SUITE_A"] }),
      ],
    ),
  ]),
]);

/** Search Guard says it beforehand, OpenSearch when it is tried. */
function fixedConfig(name: Facts["name"]): Case {
  const files = { "a.json": { config: { dynamic: { do_not_fail_on_forbidden: true } } } };
  return {
    title: "gate-sync says that the config may not be written, and by which setting it could",
    steps: (stage) =>
      inRepository(stage, files, async (repository) => {
        const before = await configOf(stage);
        const { code, stdout, stderr } = await repository.run("apply", "--yes");
        expect(code, stdout + stderr).not.toBe(0);
        expect(stdout + stderr).toMatch(/allow_(sg|security)config_modification/);
        expect(repository.gateway.writes()).toHaveLength(name === "search-guard-7" ? 0 : 1);
        expect(await configOf(stage)).toEqual(before);
      }),
  };
}

const recognised: Case = {
  title:
    "gate-sync names the entry that a server chokes on, does not repeat its write, and plans what heals the server",
  steps: (stage) =>
    inRepository(
      stage,
      { "a.json": { tenants: { suite_a: { description: "a" } } } },
      async (repository) => {
        await stage.ask({ method: "PUT", path: "roles/suite_poison", send: { index_permissions: [null] } });
        const { code, stdout, stderr } = await repository.run("apply", "--yes");
        expect(stdout + stderr).toContain("suite_poison");
        expect(code, stdout + stderr).not.toBe(0);
        expect(repository.gateway.writes()).toHaveLength(1);
        repository.declare({ "a.json": { roles: {}, tenants: { suite_a: { description: "a" } } } });
        await repository.applied("--allow", "deletions");
        await repository.inSync();
        const healed = await stage.ask({ method: "PUT", path: "tenants/suite_b", send: { description: "b" } });
        expect(healed.status).toBe(201);
      },
      { include: "suite_*" },
    ),
};

/** So such input is never sent, and who meets it reads instead of trying again. */
function createUnloadableMessage(
  what: string,
  at: string,
  send: unknown,
  before: readonly { readonly ask: string; readonly send?: unknown; readonly status: number }[],
): Case {
  return {
    title: `${what} is stored though it is answered 500, and so is every later write until it is deleted`,
    steps: async (stage) => {
      const { ask } = stage;
      for (const step of before) {
        const [method = "", path = ""] = step.ask.split(" ");
        expect((await ask({ method, path, send: step.send })).status).toBe(step.status);
      }
      const config = await configOf(stage);
      const answer = await ask({ method: "PUT", path: at, send });
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining("Failed node")]);
      expect((await ask({ method: "GET", path: at })).status).toBe(200);
      const other = await ask({ method: "PUT", path: "tenants/suite_other", send: { description: "d" } });
      expect([other.status, other.text]).toEqual([500, expect.stringContaining("Failed node")]);
      expect(await descriptionOf(stage, "suite_other")).toBe("d");
      expect((await ask({ method: "DELETE", path: at })).status).toBe(200);
      const again = await ask({ method: "PUT", path: "tenants/suite_other", send: { description: "e" } });
      expect(again.status).toBe(200);
      expect(await configOf(stage)).toEqual(config);
    },
  };
}

async function descriptionOf({ ask }: Stage, tenant: string): Promise<unknown> {
  const { json } = await ask({ method: "GET", path: `tenants/${tenant}` });
  return (json as Record<string, { readonly description?: string }>)[tenant]?.description;
}
