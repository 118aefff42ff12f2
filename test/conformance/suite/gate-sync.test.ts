// gate-sync from end to end: the built program against a server, through a gateway that counts what passes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isFull } from "../../support/extent.ts";
import { type Case, onServers, where } from "./case.ts";
import { type Config, configOf } from "./documents.ts";
import { inRepository, quickstart, role } from "./repository.ts";
import type { Facts } from "./stage.ts";
import type { Words } from "./words.ts";

onServers("each-product", "gate-sync", (words, facts) => [
  ...first(words, facts),
  ...many(words, facts),
  ...where(facts.configWritable, config(words, facts)),
  ...license(facts),
]);

function first({ families }: Words, facts: Facts): readonly Case[] {
  const withConfig = facts.configWritable ? 1 : 0;
  return [
    {
      title: "the quickstart is planned, applied with one write for each family, and planned empty",
      steps: (stage) =>
        inRepository(stage, quickstart(facts), async (repository) => {
          const { code, stdout, stderr } = await repository.run("plan", "--detailed-exitcode");
          expect(code, stdout + stderr).toBe(2);
          expect(repository.gateway.writes()).toEqual([]);
          expect(await repository.applied()).toHaveLength(families.length + withConfig);
          await repository.inSync();
        }),
    },
    {
      title: "the quickstart is exported as it was declared, and planned empty from that",
      steps: (stage) =>
        inRepository(stage, quickstart(facts), async (repository) => {
          await repository.applied();
          const exported = await repository.run("export", "--out", "exported");
          expect(exported.code, exported.stderr).toBe(0);
          expect(readFileSync(join(repository.folder, "exported/roles.yml"), "utf8")).toContain("log_reader");
          repository.gateway.forget();
          const { code, stdout, stderr } = await repository.run("plan", "--detailed-exitcode", "exported");
          expect(code, stdout + stderr).toBe(0);
          expect(repository.gateway.writes()).toEqual([]);
        }),
    },
    {
      title: "all that the server ships is exported, and planned empty",
      steps: (stage) =>
        inRepository(
          stage,
          {},
          async (repository) => {
            const exported = await repository.run("export", "--out", "access");
            expect(exported.code, exported.stderr).toBe(0);
            await repository.inSync();
          },
          { include: "*" },
        ),
    },
    {
      title:
        "what another writer changed is shown, and put right, the mappings in two parts so that no one holds too much in between",
      steps: (stage) =>
        inRepository(stage, quickstart(facts), async (repository) => {
          await repository.applied();
          const [roles, mappings] = families;
          await stage.ask({ method: "PUT", path: "roles/hr_reader", send: roles?.first });
          await stage.ask({ method: "DELETE", path: "rolesmapping/log_reader" });
          await stage.ask({ method: "PUT", path: "rolesmapping/hr_writer", send: mappings?.first });
          const { stdout } = await repository.run("plan");
          expect(stdout).toMatch(/1 to create, 2 to change/);
          expect(await repository.applied()).toHaveLength(3);
          await repository.inSync();
        }),
    },
  ];
}

function many({ families, api }: Words, { name, real }: Facts): readonly Case[] {
  const count = real || isFull ? 200 : 30;
  const of = (version: string) => {
    const names = Array.from({ length: count }, (_, index) => `suite_${String(index).padStart(3, "0")}`);
    const all = <T>(entry: (index: number) => T) => Object.fromEntries(names.map((one, index) => [one, entry(index)]));
    return {
      "all.json": {
        roles: all((index) => role(version, `cluster:monitor/${index}`)),
        role_mappings: all((index) => ({ users: [version, `user-${index}`] })),
        action_groups: Object.fromEntries(
          Object.entries(all((index) => ({ allowed_actions: [version, `indices:data/read/${index}`] }))).map(
            ([one, group]) => [`GROUP_${one}`, group],
          ),
        ),
        ...(name !== "search-guard-6" && { tenants: all((index) => ({ description: `${version} ${index}` })) }),
      },
    };
  };
  const none = { roles: {}, role_mappings: {}, action_groups: {}, ...(name !== "search-guard-6" && { tenants: {} }) };
  const patches = families.map(({ path }) => `PATCH ${api}/${path}`).sort();
  const sorted = (requests: readonly string[]) => requests.map((request) => request.replace(/\/$/, "")).sort();
  return [
    {
      title: "many of each family are created, changed and deleted by one PATCH for each family",
      steps: (stage) =>
        inRepository(stage, of("first"), async (repository) => {
          expect(sorted(await repository.applied())).toEqual(patches);
          await repository.inSync();
          repository.declare(of("second"));
          expect((await repository.run("apply", "--yes")).code).toBe(4);
          expect(sorted(await repository.applied("--allow", "changes"))).toEqual(patches);
          await repository.inSync();
          repository.declare({ "all.json": none });
          const refused = await repository.run("apply", "--yes");
          expect(refused.code).toBe(4);
          expect(sorted(await repository.applied("--allow", "deletions"))).toEqual(patches);
          await repository.inSync();
        }),
    },
    {
      title: "one entry alone is created by PUT, changed by PATCH and deleted by DELETE",
      steps: (stage) =>
        inRepository(stage, { "a.json": { roles: { suite_a: role("a"), suite_b: role("b") } } }, async (repository) => {
          await repository.applied();
          repository.declare({ "a.json": { roles: { suite_a: role("a"), suite_b: role("b"), suite_c: role("c") } } });
          expect(await repository.applied()).toEqual([`PUT ${api}/roles/suite_c`]);
          repository.declare({
            "a.json": { roles: { suite_a: role("a", "x"), suite_b: role("b"), suite_c: role("c") } },
          });
          expect(await repository.applied()).toEqual([`PATCH ${api}/roles/suite_a`]);
          repository.declare({ "a.json": { roles: { suite_b: role("b"), suite_c: role("c") } } });
          expect(await repository.applied()).toEqual([`DELETE ${api}/roles/suite_a`]);
          await repository.inSync();
          expect((await stage.ask({ method: "GET", path: "roles/suite_a" })).status).toBe(404);
        }),
    },
  ];
}

function config({ config: words }: Words, { name }: Facts): readonly Case[] {
  const files = { "a.json": { config: { dynamic: { do_not_fail_on_forbidden: true } } } };
  return [
    {
      title: "one child of the config is changed by one write, and the rest is as it was",
      steps: async (stage) => {
        const before = await configOf(stage);
        const license = name === "search-guard-7" ? { license: "-----BEGIN PGP MESSAGE-----" } : {};
        const licensed: Config = { dynamic: { ...before.dynamic, ...license } };
        expect((await stage.ask({ method: "PUT", path: words.put, send: licensed })).status).toBe(200);
        await inRepository(stage, files, async (repository) => {
          expect(await repository.applied()).toHaveLength(1);
          expect(await configOf(stage)).toEqual({ dynamic: { ...licensed.dynamic, do_not_fail_on_forbidden: true } });
          await repository.inSync();
        });
      },
    },
    {
      title: "the config is exported with its secrets left out, and planned empty once they are set",
      steps: async (stage) => {
        // What a server comes with there is a placeholder, and no secret.
        const builtin = await configOf(stage);
        const key = "c2lnbmluZyBrZXkgb2YgdGhlIHN1aXRl";
        const own: Config = JSON.parse(
          JSON.stringify(builtin).replace(JSON.stringify(signingKeyIn(builtin)), `"${key}"`),
        );
        expect((await stage.ask({ method: "PUT", path: words.put, send: own })).status).toBe(200);
        const variable = "SECRET_AUTHC_JWT_AUTH_DOMAIN_HTTP_AUTHENTICATOR_CONFIG_SIGNING_KEY";
        await inRepository(
          stage,
          {},
          async (repository) => {
            const { code, stdout, stderr } = await repository.run("export", "--family", "config", "--out", "access");
            expect(code, stderr).toBe(0);
            expect(stdout + stderr).toContain(variable);
            expect(readFileSync(join(repository.folder, "access/config.yml"), "utf8")).not.toContain(key);
            await repository.inSync();
          },
          { env: { [variable]: key } },
        );
      },
    },
    ...where(name === "search-guard-7", [
      {
        title: "the config is never written by PATCH",
        steps: (stage) =>
          inRepository(stage, files, async (repository) => {
            expect(await repository.applied()).toEqual(["PUT /_searchguard/api/sg_config/sg_config"]);
          }),
      },
    ]),
  ];
}

/** Of the domain for tokens that the products ship, switched off. */
function signingKeyIn({ dynamic }: Config): string {
  const { authc } = dynamic as { readonly authc: Readonly<Record<string, { readonly http_authenticator: unknown }>> };
  const authenticator = authc.jwt_auth_domain?.http_authenticator as {
    readonly config: { readonly signing_key: string };
  };
  return authenticator.config.signing_key;
}

function license({ product }: Facts): readonly Case[] {
  const files = { "a.json": { license: { text: "not a license" } } };
  return [
    ...where(product === "search-guard", [
      {
        title: "a string that shows nothing of its license cannot be compared, and is not sent",
        steps: (stage) =>
          inRepository(stage, files, async (repository) => {
            const { stdout } = await repository.run("apply", "--yes");
            expect(stdout).toContain("1 cannot be compared");
            expect(repository.gateway.writes()).toEqual([]);
            expect((await stage.ask({ method: "GET", path: "license" })).text).toContain('"TRIAL"');
          }),
      },
      {
        title: "a license cannot be exported: no server shows its text",
        steps: (stage) =>
          inRepository(stage, {}, async (repository) => {
            const { code, stderr } = await repository.run("export", "--family", "license", "--out", "access");
            expect([code, stderr]).toEqual([64, expect.stringContaining("A license cannot be exported")]);
          }),
      },
    ]),
    ...where(product === "opensearch", [
      {
        title: "a license is an error while planning: this product has none",
        steps: (stage) =>
          inRepository(stage, files, async (repository) => {
            const { code, stderr } = await repository.run("plan");
            expect([code, stderr]).toEqual([3, expect.stringContaining("license")]);
            expect(repository.gateway.writes()).toEqual([]);
          }),
      },
    ]),
  ];
}
