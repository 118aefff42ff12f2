// gate-sync from end to end, where it meets others: the server's own entries, odd names, a second writer, other rights.
import { expect } from "vitest";
import { gateSync, inFolder } from "../../support/command.ts";
import { type Case, onServers, where } from "./case.ts";
import { inRepository, quickstart, role } from "./repository.ts";
import type { Facts, Stage } from "./stage.ts";
import type { Words } from "./words.ts";

onServers("each-product", "gate-sync and others", (words, facts) => [...others(words, facts), ...identities(facts)]);

/** Where gate-sync's names meet those of the server. */
function others({ families, static: builtin }: Words, facts: Facts): readonly Case[] {
  const flagged = ["suite_reserved", ...(builtin ? [builtin.name] : [])];
  return [
    {
      title: "reserved, static and hidden entries stay as they are, also where the family is declared empty",
      steps: (stage) =>
        inRepository(
          stage,
          { "a.json": { roles: { suite_a: role("a") } } },
          async (repository) => {
            const before = await allOf(stage, flagged);
            await repository.applied("--allow", "deletions");
            repository.declare({ "a.json": { roles: {} } });
            expect(await repository.applied("--allow", "deletions")).toHaveLength(1);
            expect(await allOf(stage, flagged)).toEqual(before);
            await repository.inSync();
          },
          { include: "suite_*" },
        ),
    },
    {
      title: "a reserved or hidden entry that is declared with other fields is never written",
      steps: async (stage) => {
        for (const who of ["admin", "certificate"] as const) {
          await inRepository(
            stage,
            { "a.json": { roles: { suite_reserved: role("mine") } } },
            async (repository) => {
              const before = await allOf(stage, flagged);
              await repository.run("apply", "--yes");
              expect(repository.gateway.writes()).toEqual([]);
              expect(await allOf(stage, flagged)).toEqual(before);
            },
            { who, include: "suite_*" },
          );
        }
      },
    },
    ...where(facts.product === "opensearch", [
      {
        title: "an entry of one's own that is marked reserved is made and changed by the certificate, and no password",
        steps: (stage) => {
          const declared = (permission: string) => ({
            "a.json": {
              roles: Object.fromEntries(["a", "b"].map((name) => [`suite_${name}`, marked(permission)])),
              role_mappings: { suite_a: { reserved: true, users: [permission] } },
            },
          });
          const optIn = Object.fromEntries(
            ["roles", "role_mappings"].map((family) => [family, { include: ["suite_*"], reserved: "write" } as const]),
          );
          return inRepository(
            stage,
            declared("x"),
            (other) =>
              inRepository(
                stage,
                declared("a"),
                async (repository) => {
                  for (const permission of ["a", "b"]) {
                    repository.declare(declared(permission));
                    await repository.applied();
                    await repository.inSync();
                    const { json } = await stage.ask({ method: "GET", path: "roles/suite_b" });
                    expect(json).toMatchObject({ suite_b: { reserved: true, cluster_permissions: [permission] } });
                  }
                  expect((await other.run("apply", "--yes")).code).toBe(64);
                  expect(other.gateway.writes()).toEqual([]);
                },
                { optIn },
              ),
            { who: "admin", optIn },
          );
        },
      },
    ]),
    {
      title: "names that hurt are created, changed and deleted, and nothing else is",
      steps: (stage) =>
        inRepository(stage, named(facts, "first"), async (repository) => {
          const before = await namesOf(stage, families[2]?.path ?? "");
          await repository.applied();
          await repository.inSync();
          const made = (await namesOf(stage, "actiongroups")).filter((one) => !before.includes(one));
          expect(made).toEqual([...hurting(facts)].sort());
          repository.declare(named(facts, "second"));
          await repository.applied();
          await repository.inSync();
          repository.declare({ "a.json": { action_groups: {} } });
          await repository.applied("--allow", "deletions");
          expect(await namesOf(stage, "actiongroups")).toEqual(before);
          await repository.inSync();
        }),
    },
    ...where(facts.name === "search-guard-6", [
      {
        title: "a name with a dot is refused while planning",
        steps: (stage) =>
          inRepository(
            stage,
            { "a.json": { action_groups: { "su.ite": { allowed_actions: ["x"] } } } },
            async (repository) => {
              const { code, stderr } = await repository.run("plan");
              expect([code, stderr]).toEqual([3, expect.stringContaining("su.ite")]);
              expect(repository.gateway.writes()).toEqual([]);
            },
          ),
      },
      {
        title: "what this product cannot hold is reported while planning, with its place",
        steps: (stage) =>
          inRepository(stage, { "a.yml": "tenants:\n  hr: { description: Human resources }\n" }, async (repository) => {
            const { code, stderr } = await repository.run("plan");
            expect([code, stderr]).toEqual([3, expect.stringContaining("access/a.yml:")]);
            expect(repository.gateway.writes()).toEqual([]);
          }),
      },
    ]),
    ...where(facts.product === "search-guard", [
      {
        title: "a cycle of action groups that a role uses is refused while planning",
        steps: (stage) =>
          inRepository(stage, { "a.json": cycle }, async (repository) => {
            const { code, stderr } = await repository.run("plan");
            expect([code, stderr]).toEqual([3, expect.stringContaining("SUITE_A")]);
            expect(repository.gateway.writes()).toEqual([]);
          }),
      },
    ]),
    {
      title: "null among index patterns is refused while planning",
      steps: (stage) =>
        inRepository(
          stage,
          { "a.json": { roles: { suite_a: { index_permissions: [{ index_patterns: [null] }] } } } },
          async (repository) => {
            const { code, stderr } = await repository.run("plan");
            expect([code, stderr]).toEqual([3, expect.stringContaining("access/a.json:1")]);
            expect(repository.gateway.writes()).toEqual([]);
          },
        ),
    },
    ...where(facts.product === "search-guard", [
      {
        title: "what another writer changed between reading and writing, alone or with others, is not overwritten",
        steps: (stage) =>
          inRepository(stage, pair("first", "first"), async (repository) => {
            await repository.applied();
            for (const [mine, theirs] of [
              [pair("first", "second"), families[0]?.first],
              [pair("third", "third"), families[0]?.second],
            ] as const) {
              repository.declare(mine);
              const before = await stage.ask({ method: "GET", path: "roles/suite_a" });
              repository.gateway.meddle(() => stage.ask({ method: "PUT", path: "roles/suite_b", send: theirs }));
              repository.gateway.forget();
              const { code, stdout } = await repository.run("apply", "--yes");
              expect([code, stdout]).toEqual([5, expect.stringContaining("roles/suite_b changed on the server")]);
              expect(repository.gateway.writes()).toHaveLength(1);
              expect((await stage.ask({ method: "GET", path: "roles/suite_a" })).json).toEqual(before.json);
              expect(await repository.applied()).toHaveLength(1);
              await repository.inSync();
            }
          }),
      },
    ]),
    {
      title: "of two writers at once each ends with what it declares, or says that it did not",
      steps: async (stage) => {
        const files = (who: string) => ({
          "a.json": { roles: Object.fromEntries([1, 2, 3].map((number) => [`suite_${who}_${number}`, role(who)])) },
        });
        await inRepository(
          stage,
          files("a"),
          (one) =>
            inRepository(
              stage,
              files("b"),
              async (two) => {
                const [a, b] = await Promise.all([one.run("apply", "--yes"), two.run("apply", "--yes")]);
                const there = await namesOf(stage, "roles");
                for (const [who, { code, stdout, stderr }] of [
                  ["a", a],
                  ["b", b],
                ] as const) {
                  const all = [1, 2, 3].every((number) => there.includes(`suite_${who}_${number}`));
                  expect(code === 0, `${code}\n${stdout}${stderr}\n${there}`).toBe(all);
                }
                await one.applied();
                await two.applied();
                await one.inSync();
                await two.inSync();
              },
              { include: "suite_b_*" },
            ),
          { include: "suite_a_*" },
        );
      },
    },
  ];
}

const marked = (permission: string) => ({ reserved: true, ...role(permission) });

const cycle = {
  roles: { suite_a: role("SUITE_A") },
  action_groups: { SUITE_A: { allowed_actions: ["SUITE_B"] }, SUITE_B: { allowed_actions: ["SUITE_A"] } },
};

function hurting({ name }: Facts): readonly string[] {
  const all = [
    "su/ite",
    "su%ite",
    "su%2Fite",
    "suite.",
    "..",
    "su ite",
    'su"ite',
    "su\\ite",
    "su~ite",
    "su~0ite",
    "su~1ite",
    "su+ite",
    "süïte",
    "suite 😀",
    "__proto__",
    "557",
    "s".repeat(250),
  ];
  return name === "search-guard-6" ? all.filter((one) => !one.includes(".")) : all;
}

function named(facts: Facts, action: string) {
  const groups = hurting(facts).map((name) => `${JSON.stringify(name)}: {"allowed_actions": ["${action}"]}`);
  return { "a.json": `{"action_groups": {${groups.join(", ")}}}` };
}

function identities(facts: Facts): readonly Case[] {
  return [
    {
      title: "a read-only identity plans by GETs alone, and is refused when it applies",
      steps: (stage) =>
        inRepository(
          stage,
          { "a.json": { roles: { suite_a: role("a") } } },
          async (repository) => {
            const { code, stdout, stderr } = await repository.run("plan", "--detailed-exitcode");
            expect(code, stdout + stderr).toBe(2);
            expect(repository.gateway.passed.filter(({ method }) => method !== "GET")).toEqual([]);
            const refused = await repository.run("apply", "--yes");
            expect(refused.code, refused.stdout + refused.stderr).not.toBe(0);
            expect(refused.stdout + refused.stderr).toContain("403");
            expect(await namesOf(stage, "roles")).not.toContain("suite_a");
          },
          { who: "reader" },
        ),
    },
    {
      title: "by password it is applied like by certificate",
      steps: (stage) =>
        inRepository(
          stage,
          quickstart(facts),
          async (repository) => {
            await repository.applied();
            await repository.inSync();
          },
          { who: "admin" },
        ),
    },
    {
      title: "doctor shows what the server is, by GETs alone",
      steps: (stage) =>
        inRepository(stage, { "a.json": { roles: {} } }, async (repository) => {
          const { code, stdout, stderr } = await repository.run("doctor");
          expect(code, stdout + stderr).toBe(0);
          expect(stdout).toContain(facts.product);
          expect(repository.gateway.writes()).toEqual([]);
        }),
    },
    ...where(facts.real, [
      {
        title: "TLS: with the authority and a client certificate it plans, without the authority it says what is wrong",
        steps: (stage) => overTls(stage),
      },
    ]),
  ];
}

async function overTls({ where: { url, ...where } }: Stage): Promise<void> {
  if (!("tls" in where)) return;
  const { ca, cert, key } = where.tls;
  const files = {
    "ca.pem": ca,
    "cert.pem": cert,
    "key.pem": key,
    "access/a.json": '{"roles":{"suite_a":{"cluster_permissions":["a"]}}}',
  };
  await inFolder(files, async (cwd) => {
    const plan = (...more: readonly string[]) =>
      gateSync(["plan", "--url", url, ...more, "--allow", "deletions", "access"], { cwd, env: { PASSWORD: "admin" } });
    const certificate = await plan("--ca", "ca.pem", "--cert", "cert.pem", "--key", "key.pem");
    expect(certificate.code, certificate.stderr).toBe(0);
    expect(certificate.stdout).toContain("suite_a");
    const password = await plan("--ca", "ca.pem", "--username", "admin", "--password-env", "PASSWORD");
    expect(password.code, password.stderr).toBe(0);
    const stranger = await plan("--username", "admin", "--password-env", "PASSWORD");
    expect(stranger.code).toBe(1);
    expect(stranger.stderr).toMatch(/certificate/);
  });
}

/** These entries of every family, as an administrator sees them. */
const pair = (a: string, b: string) => ({ "a.json": { roles: { suite_a: role(a), suite_b: role(b) } } });

async function allOf({ ask, words }: Stage, names: readonly string[]): Promise<unknown> {
  const shown = [];
  for (const { path } of words.families) {
    const { json } = await ask({ who: "admin", method: "GET", path });
    shown.push(names.map((name) => (json as Readonly<Record<string, unknown>>)[name]));
  }
  return shown;
}

async function namesOf({ ask }: Stage, path: string): Promise<readonly string[]> {
  const { json } = await ask({ who: "admin", method: "GET", path });
  return Object.keys(json as object).sort();
}
