// Internal users that gate-sync writes: only what is asked for, never without a password, and nothing of one is shown.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { computePasswordHash } from "../../src/emulator/products/internal-users.ts";
import { onHarness } from "./harness.ts";

const products = [
  { product: "opensearch", release: "2.19", field: "opendistro_security_roles", api: "/_plugins/_security/api" },
  { product: "search-guard", release: "7.x-38", field: "search_guard_roles", api: "/_searchguard/api" },
  { product: "search-guard", release: "FLX", field: "search_guard_roles", api: "/_searchguard/api" },
] as const;

const hash = computePasswordHash("canary-One!77");
const other = computePasswordHash("canary-Two!77");
const password = "canary-Three!77";

const roles = {
  hr_reader: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:data/read*"] }] },
};

describe.each(products)("on $product $release", ({ product, release, field, api }) => {
  const state = {
    roles,
    role_mappings: { hr_reader: { backend_roles: ["hr"] } },
    internal_users: new Map([
      ["eve", { hash, backend_roles: ["hr"], attributes: { dept: "hr" }, description: "d" }],
      ["kibanaserver", { hash, reserved: true }],
    ]),
  };
  const server: Partial<EmulatorOptions> = { product, release, state };
  const config = "defaults: { families: { internal_users: { mode: manage } } }\n";
  const files = (users: object, more: object = {}) => ({
    "gate-sync.yaml": config,
    "access/users.yml": JSON.stringify({ internal_users: users }),
    ...more,
  });
  const eve = { hash, backend_roles: ["hr"], attributes: { dept: "hr" }, description: "d" };
  const secrets = /canary|\$2y/;

  type Play = Parameters<typeof onHarness>[1];
  const play = (users: object, work: Play) => onHarness({ ...server, files: files(users) }, work);

  it.each<[string, object, readonly string[]]>([
    ["is created with a role of its own", { ana: { hash: other, [field]: ["hr_reader"] } }, ["internal_users/ana"]],
    ["gets a role of its own", { eve: { ...eve, backend_roles: [], [field]: ["hr_reader"] } }, ["internal_users/eve"]],
    ["is created with a backend role that is excepted", { ana: { hash: other, backend_roles: ["hr"] } }, []],
    ["has what is excepted, and another role", { eve: { ...eve, [field]: ["hr_reader"] } }, []],
    [
      "is excepted no longer",
      { eve: { ...eve, backend_roles: ["x"], [field]: ["hr_reader"] } },
      ["internal_users/eve"],
    ],
  ])("access tests of everybody else are about a user that %s", async (_, users, refused) => {
    const access_tests = [{ name: "only", only: { backend_roles: ["hr"] }, action: "search", index: "hr-1" }];
    const declared = { "access/r.yml": JSON.stringify({ roles, role_mappings: state.role_mappings, access_tests }) };
    await onHarness({ ...server, files: files({ eve, ...users }, declared) }, async ({ run }) => {
      const { stdout } = await run("plan --url URL access --format json");
      const violations: readonly { rule: string; addresses: readonly string[] }[] = JSON.parse(stdout).violations;
      expect(violations.filter(({ rule }) => rule === "access-tests").flatMap(({ addresses }) => addresses)).toEqual(
        refused,
      );
    });
  });

  it("a user is created with its hash or password, in one request, and in sync then", () =>
    play(
      { eve, ana: { hash: other, backend_roles: ["hr"] }, bob: { password: `\${env:BOB}`, [field]: ["hr_reader"] } },
      async ({ run, emulator, folder }) => {
        const env = { BOB: password };
        const plan = await run("plan --url URL access --full", env);
        expect(plan.stdout).toContain("2 to create");
        expect(plan.stdout).toContain("+ users ana, bob: read hr-* (role hr_reader)");
        const apply = await run("apply --url URL access --yes", env);
        expect(apply.code).toBe(0);
        const users = emulator.state().internal_users;
        expect(users.get("ana")).toMatchObject({ hash: other, backend_roles: ["hr"] });
        expect(users.get("bob")).toMatchObject({ hash: computePasswordHash(password), [field]: ["hr_reader"] });
        expect(users.get("eve")).toMatchObject({ hash });
        const again = await run("plan --url URL access --detailed-exitcode");
        expect(again.code).toBe(0);
        expect(again.stdout.replace(/\s+/g, " ")).toContain(
          "Unknown whether the passwords of 3 internal users are as declared",
        );
        const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((file) => file.isFile() && file.parentPath.includes(".gate-sync"))
          .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
        expect(kept.length).toBeGreaterThan(0);
        for (const text of [plan, apply, again].map(({ stdout, stderr }) => stdout + stderr).concat(kept))
          expect(text).not.toMatch(/canary/);
        for (const text of kept) expect(text).not.toMatch(secrets);
      },
    ));

  it("of users that are only compared, no password is promised to be written", () =>
    onHarness(
      { ...server, files: { "access/users.yml": JSON.stringify({ internal_users: { eve } }) } },
      async ({ run }) => {
        const { stdout } = await run("plan --url URL access");
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "no server shows them. Nothing of internal users is written while they are only compared",
        );
        expect(stdout).not.toContain("--rotate");
      },
    ));

  it("single fields are written, and the password stays", () =>
    play({ eve: { ...eve, description: "e", backend_roles: ["hr", "x"] } }, async ({ run, emulator }) => {
      const apply = await run("apply --url URL access --yes");
      expect(apply.code).toBe(0);
      const [write, ...others] = emulator.requests.filter(({ method }) => method !== "GET");
      expect(others).toEqual([]);
      expect(write).toMatchObject({ method: "PATCH", path: `${api}/internalusers/eve` });
      expect(emulator.state().internal_users.get("eve")).toMatchObject({
        hash,
        description: "e",
        attributes: { dept: "hr" },
      });
    }));

  it("a changed hash is written with --rotate alone", () =>
    play({ eve: { ...eve, hash: other } }, async ({ run, emulator }) => {
      expect((await run("plan --url URL access --detailed-exitcode")).code).toBe(0);
      const rotated = await run("plan --url URL access --rotate internal_users/eve --detailed-exitcode");
      expect(rotated.code).toBe(2);
      expect((await run("apply --url URL access --rotate internal_users/eve --yes")).code).toBe(0);
      expect(emulator.state().internal_users.get("eve")).toMatchObject({ hash: other, backend_roles: ["hr"] });
      const undo = await run("rollback --url URL --yes");
      expect(undo.stdout.replace(/\s+/g, " ")).toContain("the password of internal_users/eve");
      expect(undo.stdout + undo.stderr).not.toMatch(secrets);
    }));

  it("a hash that changed in git is not in sync, and written with --rotate alone", () =>
    play({ eve }, async ({ run, folder }) => {
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: folder });
      git("init", "--quiet");
      git("add", ".");
      git("commit", "--quiet", "--message", "first");
      const same = await run("plan --url URL access --base HEAD");
      expect(same.stdout).toContain("in sync");
      writeFileSync(
        join(folder, "access/users.yml"),
        JSON.stringify({ internal_users: { eve: { ...eve, hash: other } } }),
      );
      const plan = await run("plan --url URL access --base HEAD --detailed-exitcode");
      expect(plan.code).toBe(0);
      expect(plan.stdout).toContain("password changed, not written");
      expect(plan.stdout).not.toContain("1 in sync");
      expect(plan.stdout.replace(/\s+/g, " ")).toContain(
        "internal_users/eve changed in git since HEAD, and is not written: --rotate internal_users/eve writes it.",
      );
      expect(plan.stdout).not.toMatch(secrets);
      const drift = await run("drift --url URL access --applied-ref HEAD");
      expect(drift.code).toBe(0);
      expect(drift.stdout).toContain("No drift. 1 password changed in git, not written.");
      expect(drift.stdout).toContain("1 differs, 0 in sync");
      expect(drift.stdout).not.toMatch(secrets);
      const page = await run("drift --url URL access --applied-ref HEAD --format html");
      expect(page.stdout).toContain("No drift, but for passwords");
      const json = JSON.parse((await run("drift --url URL access --applied-ref HEAD --format json")).stdout);
      expect(json).toMatchObject({ drift: false, summary: { git: 1 }, differences: [{ reason: "not-rotated" }] });
      const rotated = await run("plan --url URL access --base HEAD --rotate internal_users/eve");
      expect(rotated.stdout).not.toContain("is not written");
    }));

  it("passwords that are unknown are not said to be in sync, in any format", () =>
    play({ eve }, async ({ run, emulator }) => {
      const words = async (line: string) => {
        const { stdout, stderr, code } = await run(line);
        expect(code, stderr).toBe(0);
        return stdout.replace(/\s+/g, " ");
      };
      const plan = await words("plan --url URL access --detailed-exitcode");
      expect(plan).toContain("in sync, but for passwords, which the server does not show (1 internal user). Nothing");
      const nothing = "Nothing to do. Passwords are unknown: the server does not show them.";
      expect(await words("plan --url URL access --verbose")).toContain(nothing);
      expect(await words("plan --url URL access --verbose")).toContain("1 in sync but for passwords, 1 reserved");
      for (const format of ["markdown", "junit"]) {
        expect(await words(`plan --url URL access --format ${format}`)).toContain(nothing);
      }
      const html = await words("plan --url URL access --format html");
      expect(html).toContain("In sync, but for passwords");
      expect(html).toContain(nothing);
      const json = JSON.parse(await words("plan --url URL access --format json --unchanged"));
      expect(json.summary).toMatchObject({ leave: 2, unknown_passwords: 1 });
      expect(json.changes[0]).toMatchObject({ name: "eve", reason: "in-sync", password_unknown: true });
      expect(json.changes[1].password_unknown).toBeUndefined();
      const noDrift = "No drift. Passwords are unknown: the server does not show them.";
      for (const format of ["text", "markdown", "html"]) {
        expect(await words(`drift --url URL access --format ${format}`)).toContain(noDrift);
      }
      expect(await words("drift --url URL access")).toContain("1 in sync but for passwords");
      expect(await words("drift --url URL access --format html")).toContain("No drift, but for passwords");
      expect(await words("drift --url URL access --format junit")).toContain(
        "internal_users in sync but for passwords",
      );
      expect(JSON.parse(await words("drift --url URL access --format json")).summary.unknown_passwords).toBe(1);
      emulator.replaceState({ ...state, internal_users: new Map() });
      expect((await run("plan --url URL access")).stdout).not.toContain("Passwords are unknown");
    }));

  it("of several targets, too", () =>
    onHarness(
      { ...server, files: files({ eve }, { "access/tenants.yml": "tenants: {}\n" }) },
      async ({ run, url, folder }) => {
        const target = `{ url: "${url}", state: [access], auth: { token: "\${env:T}" } }`;
        writeFileSync(join(folder, "gate-sync.yaml"), `targets:\n  one: ${target}\n  two: ${target}\n`);
        const env = { T: "t" };
        const text = (await run("plan --all-targets", env)).stdout.replace(/\s+/g, " ");
        expect(text).toContain("2 targets: 2 in sync. Passwords on 2 targets are unknown: no server shows them.");
        const drift = (await run("drift --all-targets", env)).stdout.replace(/\s+/g, " ");
        expect(drift).toContain("2 targets: 2 in sync. Passwords on 2 targets are unknown: no server shows them.");
        const report = await run("plan --all-targets --format json", env);
        expect(JSON.parse(report.stdout).targets).toMatchObject([{ unknown_passwords: 1 }, { unknown_passwords: 1 }]);
        writeFileSync(join(folder, "part.json"), report.stdout);
        const combined = (await run("report part.json", env)).stdout.replace(/\s+/g, " ");
        expect(combined).toContain("Passwords on 2 targets are unknown");
        writeFileSync(
          join(folder, "access/users.yml"),
          JSON.stringify({ internal_users: { eve: { ...eve, description: "x" } } }),
        );
        const observed = (await run("plan --all-targets", env)).stdout.replace(/\s+/g, " ");
        expect(observed).toContain("2 targets: 2 in sync. On 2 targets, differences are left as they are.");
      },
    ));

  it("status does not know whether a rotation took effect whose answer was lost", () =>
    play({ eve: { ...eve, hash: other } }, async ({ run, emulator, folder }) => {
      emulator.fault = ({ method }) => (method === "GET" ? undefined : { at: "after", answer: "reset" });
      const lost = await run("apply --url URL access --rotate internal_users/eve --yes");
      expect(lost.code).not.toBe(0);
      emulator.fault = () => undefined;
      const status = await run("status --url URL --format json");
      expect(JSON.parse(status.stdout).entries).toMatchObject([{ address: "internal_users/eve", found: "unknown" }]);
      const say = async (line: string) => (await run(`${line} --url URL`)).stdout.replace(/\s+/g, " ");
      const again = "gate-sync apply again with --rotate internal_users/eve: without it no password is written.";
      expect(await say("status")).toContain(`Something is left open. Run ${again}`);
      // Neither an apply with nothing to send writes the password, nor one that writes something else.
      expect((await run("apply --url URL access --yes")).code).toBe(0);
      expect(await say("status")).toContain(`Something is left open. Run ${again}`);
      writeFileSync(
        join(folder, "access/users.yml"),
        JSON.stringify({ internal_users: { eve: { ...eve, hash: other, description: "changed" } } }),
      );
      expect((await run("apply --url URL access --yes")).code).toBe(0);
      const changed = await run("status --url URL");
      expect(changed.code).toBe(2);
      expect(changed.stdout.replace(/\s+/g, " ")).toContain(again);
      expect((await run("apply --url URL access --rotate internal_users/eve --yes")).code).toBe(0);
      expect(await say("status")).toContain("Nothing is left to do.");
    }));

  it("a user is deleted with a waiver alone, and no rollback brings it back", () =>
    play({ ana: { hash: other } }, async ({ run, emulator }) => {
      const refused = await run("apply --url URL access --yes --allow deletions");
      expect(refused.code).toBe(4);
      expect(refused.stdout).toContain("user-deletions");
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      const flags = "--allow deletions --allow user-deletions=internal_users/eve";
      expect((await run(`apply --url URL access --yes ${flags}`)).code).toBe(0);
      expect([...emulator.state().internal_users.keys()].sort()).toEqual(["ana", "kibanaserver"]);
      const undo = await run("rollback --url URL --yes --allow user-deletions --allow deletions");
      expect(undo.stdout.replace(/\s+/g, " ")).toContain("internal_users/eve cannot be restored");
      expect(undo.stdout).toContain("1 to delete, in 1 request. 1 entry cannot be restored.");
      expect([...emulator.state().internal_users.keys()]).toEqual(["kibanaserver"]);
    }));

  it("a rollback that can restore nothing is not in sync", () =>
    play({}, async ({ run }) => {
      const flags = "--allow deletions --allow user-deletions";
      const deleted = await run(`apply --url URL access --yes ${flags}`);
      expect(deleted.code, deleted.stdout + deleted.stderr).toBe(0);
      const { code, stdout } = await run("rollback --url URL --yes");
      expect(code).toBe(0);
      expect(stdout).toContain("Nothing to do. 1 entry cannot be restored.");
      expect(stdout).not.toMatch(/: in sync/);
    }));

  it.each([
    ["neither", {}, "user-without-password"],
    ["both", { hash, password: "x" }, "exclusive-fields"],
    ["a cut hash", { hash: hash.slice(0, 40) }, "bad-hash"],
    ["an empty hash", { hash: "" }, "wrong-type"],
    ["a password that is not set", { password: `\${env:NOT_SET}` }, "unset-secret"],
  ])("no user is created with %s", (_, fields, code) =>
    play({ eve, ana: fields }, async ({ run, emulator }) => {
      const apply = await run("apply --url URL access --yes");
      expect(apply.code).toBe(3);
      expect(apply.stderr).toContain(code);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }),
  );

  it("the vendors' hash is an error, but for a server on this machine", () =>
    onHarness(
      {
        ...server,
        files: {
          ...files({ eve, ana: { hash: "$2a$12$VcCDgh2NDk07JGN0rjGbM.Ad41qVR/YFJcgHp0UGns5JDymv..TOG" } }),
          "far.yaml": `${config}targets: { far: { url: https://search.example:9200, product: ${product} } }\n`,
        },
      },
      async ({ run }) => {
        const far = await run("validate access --config far.yaml");
        expect(far.stdout + far.stderr).toContain("error  demo-password");
        expect(far.stdout + far.stderr).not.toContain("VcCDgh2");
        expect((await run("plan --url URL access")).code).toBe(0);
      },
    ));

  it("a password in plain text is refused", () =>
    play({ eve, ana: { password } }, async ({ run }) => {
      const plan = await run("plan --url URL access");
      expect(plan.code).toBe(4);
      expect(plan.stdout).toContain("plain-secrets");
    }));

  it("what a new user gains is in the access diff, and administering is an escalation", () =>
    onHarness(
      {
        ...server,
        state: {
          ...state,
          role_mappings: { ...state.role_mappings, all_access: { users: ["ana"] }, SGS_ALL_ACCESS: { users: ["ana"] } },
        },
        files: files({ eve, ana: { hash, backend_roles: ["hr"] } }),
      },
      async ({ run }) => {
        const plan = await run("plan --url URL access");
        expect(plan.stdout.replace(/\s+/g, " ")).toMatch(/user ana/);
        expect(plan.stdout).toContain("escalation");
        expect(plan.code).toBe(4);
      },
    ));

  it("an attribute that changes what a role grants is in the access diff", () => {
    const index = { index_patterns: ["team-${attr.internal.dept}-*"], allowed_actions: ["indices:data/read*"] };
    const team = { index_permissions: [index] };
    const initial = { ...state, roles: { team }, role_mappings: { team: { backend_roles: ["hr"] } } };
    return onHarness(
      { ...server, state: initial, files: files({ eve: { ...eve, attributes: { dept: "it" } } }) },
      async ({ run }) => {
        const { stdout } = await run("plan --url URL access");
        expect(stdout).not.toMatch(/Access +no change/);
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "unknown: what user eve gains and loses by role team: an attribute of the user changes that is used in team-${attr.internal.dept}-*.",
        );
        expect(stdout).not.toContain("team-it");
      },
    );
  });

  it.each([
    [
      "${user.roles}",
      { backend_roles: ["hr", "it"] },
      "backend roles of the user change that are used in a document query",
    ],
    ["${attr.internal.dept}", { backend_roles: ["hr", "it"] }, undefined],
    ["${user.roles}", { description: "e" }, undefined],
  ])("a query that uses %s, and a user with %j", (variable, change, words) => {
    const index = {
      index_patterns: ["hr"],
      allowed_actions: ["indices:data/read*"],
      dls: `{"terms":{"d":[${variable}]}}`,
    };
    const initial = {
      ...state,
      roles: { team: { index_permissions: [index] } },
      role_mappings: { team: { users: ["eve"] } },
    };
    return onHarness({ ...server, state: initial, files: files({ eve: { ...eve, ...change } }) }, async ({ run }) => {
      const { stdout } = await run("plan --url URL access");
      expect(stdout).toContain("eve");
      const output = stdout.replace(/\s+/g, " ");
      if (words) expect(output).toContain(`unknown: what user eve gains and loses by role team: ${words}.`);
      else expect(output).not.toContain("unknown: what user");
      expect(/Access +no change/.test(stdout)).toBe(words === undefined && "backend_roles" in change);
    });
  });

  it("a role that is taken from a user is lost by it", () =>
    play({ eve: { ...eve, backend_roles: [] } }, async ({ run }) => {
      const plan = await run("plan --url URL access --format json");
      const { statements } = JSON.parse(plan.stdout).access;
      expect(statements).toMatchObject([{ who: [{ users: ["eve"] }] }]);
      expect(JSON.stringify(statements)).toContain('"lost"');
    }));

  it("the account that applies is neither rotated nor deleted without a waiver", () =>
    onHarness(
      {
        ...server,
        files: {
          ...files({ eve: { ...eve, hash: other } }),
          "gate-sync.yaml": "defaults: { families: { internal_users: { mode: manage } }, apply_as: { user: eve } }\n",
        },
      },
      async ({ run }) => {
        const plan = await run("plan --url URL access --rotate internal_users/eve");
        expect(plan.stdout).toContain("lock-out");
        expect(plan.code).toBe(4);
      },
    ));

  it("a saved plan is applied as reviewed, its password read again", () =>
    play({ eve, bob: { password: `\${env:BOB}` } }, async ({ run, emulator, folder }) => {
      const env = { BOB: password, GATE_SYNC_PLAN_KEY: "0123456789abcdef0123456789abcdef" };
      expect((await run("plan --url URL access --out plan.json", env)).code).toBe(0);
      expect(readFileSync(join(folder, "plan.json"), "utf8")).not.toMatch(secrets);
      expect((await run("apply --url URL plan.json --yes", env)).code).toBe(0);
      expect(emulator.state().internal_users.get("bob")).toMatchObject({ hash: computePasswordHash(password) });
    }));
});

it.each(products)("an empty attribute of a user is in sync on $product $release after it was applied", (server) => {
  const { product, release, api } = server;
  const users = {
    eve: { hash, backend_roles: ["hr"], attributes: { dept: "", site: "x" } },
    ana: { hash: other, attributes: { dept: "" } },
    bob: { hash: other, attributes: { dept: "hr" } },
  };
  const files = {
    "gate-sync.yaml": "defaults: { families: { internal_users: { mode: adopt } } }\n",
    "access/users.yml": JSON.stringify({ internal_users: users }),
  };
  return onHarness({ product, release, files }, async ({ run, emulator, url }) => {
    expect(await run("apply --url URL access --yes")).toMatchObject({ code: 0 });
    expect((await run("plan --url URL access --detailed-exitcode")).code).toBe(0);
    const body = JSON.stringify([{ op: "add", path: "/zoe", value: { hash, attributes: { dept: "" } } }]);
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}${api}/internalusers`, { method: "PATCH", headers, body })).status).toBe(200);
    expect((await run("plan --url URL access --detailed-exitcode")).code).toBe(0);
    const kept = emulator.state().internal_users.get("eve")?.attributes;
    expect(kept).toEqual(product === "opensearch" ? { site: "x" } : { dept: "", site: "x" });
  });
});

it("a user with a literal hash is planned with --out and applied, and the plan file does not show the hash", () => {
  const files = {
    "gate-sync.yaml": "defaults: { families: { internal_users: { mode: adopt } } }\n",
    "access/users.yml": JSON.stringify({ internal_users: { ana: { hash: other, backend_roles: ["hr"] } } }),
  };
  const env = { GATE_SYNC_PLAN_KEY: "the key of these tests" };
  return onHarness({ product: "opensearch", release: "2.19", files }, async ({ run, emulator, folder }) => {
    const planned = await run("plan --url URL access --out plan.json", env);
    expect(planned.code, planned.stderr).toBe(0);
    expect(readFileSync(join(folder, "plan.json"), "utf8")).not.toContain(other.slice(0, 20));
    writeFileSync(join(folder, "access/users.yml"), "");
    const applied = await run("apply --url URL plan.json", env);
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: "" });
    expect(emulator.state().internal_users.get("ana")).toMatchObject({ hash: other, backend_roles: ["hr"] });
  });
});
