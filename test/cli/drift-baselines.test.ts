// Who moved, where no commit is named: since the last run on record, or since a reviewed plan was applied.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { type Env, type Ground, onGround } from "./ground.ts";

const schema = JSON.parse(readFileSync(new URL("../../schemas/drift.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020.default({ strict: false, allErrors: true });

/** Roles by name, each with one permission. */
type Roles = Readonly<Record<string, string>>;

const bodies = (roles: Roles) =>
  Object.fromEntries(Object.entries(roles).map(([name, action]) => [name, { cluster_permissions: [action] }]));

function rolesFile(roles: Roles): string {
  return `roles: ${JSON.stringify(bodies(roles))}\n`;
}

/** Without a process of its own. */
function within({ folder, url }: Ground, line: string, env: Env = {}) {
  return gateSyncWithin(
    line.split(" ").map((word) => (word === "URL" ? url : word)),
    { cwd: folder, env },
  );
}

/** Exit code, and for each difference who moved. */
async function drift(ground: Ground, line = "", env: Env = {}) {
  const words = `drift --url URL access --format json${line}`;
  const { code, stdout } = await within(ground, words, env);
  const told = JSON.parse(stdout);
  ajv.validate(schema, told);
  expect(ajv.errors ?? []).toEqual([]);
  const differences: readonly { readonly address: string; readonly moved: string }[] = told.differences;
  return {
    code,
    moved: differences.map(({ address, moved }) => `${address.replace("roles/", "")} ${moved}`).join(", "),
    baseline: Object.keys(told.baseline ?? {})[0],
    notes: told.notes.join(" "),
  };
}

/** Everything at once: `g` moved in git, `l` on the server, `b` on both, `h` was made by hand, `s` stayed. */
const was = { b: "c:1", g: "c:1", l: "c:1", s: "c:1" };
const now = { b: "c:2", g: "c:2", l: "c:1", s: "c:1" };
const live = { b: "c:3", g: "c:1", h: "c:1", l: "c:3", s: "c:1" };

/** After these roles were declared, and something was done with them, the files and the server move on. */
function onMoved(
  apply: (ground: Ground) => Promise<void>,
  work: (ground: Ground) => Promise<void>,
  server: Partial<EmulatorOptions> = {},
): Promise<void> {
  return onGround({ files: { "access/roles.yml": rolesFile(was) }, ...server }, async (ground) => {
    await apply(ground);
    writeFileSync(join(ground.folder, "access/roles.yml"), rolesFile(now));
    ground.emulator.replaceState({ roles: bodies(live) });
    await work(ground);
  });
}

async function done(ground: Ground, line: string, env: Env = {}): Promise<void> {
  const { code, stdout, stderr } = await within(ground, line, env);
  expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
}

const applied = (ground: Ground) => done(ground, "apply --yes --url URL access");

describe("drift since the last run on record", () => {
  test("tells who moved, as it does since a commit", () =>
    onMoved(applied, async (ground) => {
      const moved = "b both, g git, h live, l live";
      expect(await drift(ground)).toEqual({ code: 2, moved, baseline: "journal", notes: expect.any(String) });
      const { stdout } = await within(ground, "drift --url URL access");
      expect(stdout).toMatch(/^Compared with what the last run declared \([-0-9: ]+ UTC, run \w{8}\)\.$/m);
    }));

  test("of the files as they were when nothing was left to do, too", () =>
    onMoved(
      async (ground) => {
        await applied(ground);
        writeFileSync(join(ground.folder, "access/roles.yml"), rolesFile({ ...was, l: "c:9" }));
        ground.emulator.replaceState({ roles: bodies({ ...was, l: "c:9" }) });
        await applied(ground);
        await applied(ground);
        expect(readdirSync(join(ground.folder, ".gate-sync/journal")).length).toBe(2);
      },
      async (ground) => expect((await drift(ground)).moved).toBe("b both, g git, h live, l both"),
    ));

  test("of --family knows nothing of the others", () =>
    onMoved(
      async (ground) => {
        writeFileSync(join(ground.folder, "access/tenants.yml"), "tenants: { t: { description: one } }\n");
        await done(ground, "apply --yes --url URL access --family tenants");
      },
      async (ground) => {
        const { moved } = await drift(ground);
        expect(moved).toBe("tenants/t live, b unknown, g unknown, h unknown, l unknown");
      },
    ));

  test("that took another one back, or did not do all, is no baseline", () =>
    onMoved(applied, async (ground) => {
      await done(ground, "rollback --yes --url URL --allow deletions");
      const back = await drift(ground);
      expect(back).toMatchObject({ baseline: undefined, notes: expect.stringContaining("took another one back") });
      expect(back.moved).toMatch(/^b unknown, /);
      ground.emulator.fault = ({ method }) =>
        method === "GET" ? undefined : { at: "before", answer: { status: 403, body: "{}" } };
      expect((await within(ground, "apply --yes --url URL access --allow deletions")).code).toBe(1);
      ground.emulator.fault = () => undefined;
      const failed = await drift(ground);
      expect(failed).toMatchObject({ baseline: undefined, notes: expect.stringContaining("did not do all") });
    }));

  test("is not asked where it is of another state folder", () =>
    onMoved(applied, async (ground) => {
      expect(await drift(ground, " --state-dir other")).toMatchObject({ code: 2, baseline: undefined });
    }));
});

describe("secrets", () => {
  const canary = "Canary-5e1f";
  const secret = { BIND: `${canary}-bind` };
  const role = (action: string, dls = "[]") => ({
    index_permissions: [{ index_patterns: ["x"], dls, allowed_actions: ["READ"] }],
    cluster_permissions: [action],
  });
  const backend = { type: "ldap", config: { bind_dn: "cn=a", password: "${env:BIND}" } };
  const config = (order: number) => {
    const ldap = { order, http_enabled: true, http_authenticator: { type: "basic" }, authentication_backend: backend };
    return { dynamic: { authc: { ldap } } };
  };
  const state = (action: string, order: number) =>
    `${JSON.stringify({ roles: { r: role(action) }, config: config(order) })}\n`;

  test("are in no journal, and hide nothing of who moved", () =>
    onGround({ files: { "access/all.json": state("c:1", 1) }, allowConfigModification: true }, async (ground) => {
      await done(ground, "apply --yes --url URL access", secret);
      const [journal = ""] = readdirSync(join(ground.folder, ".gate-sync/journal"));
      const text = readFileSync(join(ground.folder, ".gate-sync/journal", journal), "utf8");
      expect(text).toContain('{"$secret":"${env:BIND}"}');
      expect(text).not.toContain(canary);

      expect(await drift(ground, "", secret)).toMatchObject({ code: 0, moved: "" });
      writeFileSync(join(ground.folder, "access/all.json"), state("c:2", 1));
      expect(await drift(ground, "", secret)).toMatchObject({ code: 0, moved: "r git" });
      ground.emulator.replaceState({ roles: { r: role("c:1", "{}") }, config: ground.emulator.state().config });
      expect(await drift(ground, "", secret)).toMatchObject({ code: 2, moved: "r both" });
      writeFileSync(join(ground.folder, "access/all.json"), state("c:1", 2));
      expect(await drift(ground, "", secret)).toMatchObject({ code: 2, moved: "r live, config git" });
    }));
});

describe("drift --baseline", () => {
  const planned = (line: string) => async (ground: Ground) => {
    await done(ground, `plan --url URL access --out plan.json${line}`);
    await done(ground, "apply --url URL plan.json");
  };

  test("tells of what the plan changes who moved", () =>
    onMoved(planned(""), async (ground) => {
      const told = await drift(ground, " --baseline plan.json");
      expect(told).toMatchObject({ code: 2, moved: "b both, g git, h live, l live", baseline: "plan_file" });
    }));

  test("and of what it leaves alone, nothing; what was not there then was made since", () =>
    onMoved(
      planned(""),
      async (ground) => {
        const moved = "b both, g unknown, h live, l unknown";
        expect((await drift(ground, " --baseline plan.json")).moved).toBe(moved);
        // The journal of that run knows as much.
        expect(await drift(ground)).toMatchObject({ moved, baseline: "journal" });
      },
      { state: { roles: bodies({ ...was, b: "c:0" }) } },
    ));

  test.for([
    ["--baseline plan.json --applied-ref HEAD", "Two baselines"],
    ["--baseline access/roles.yml", "is no reviewed plan"],
    ["--baseline nowhere.json", "is no reviewed plan"],
    ["--product search-guard --release 7 --baseline plan.json", "for another cluster"],
  ] as const)("%s is refused", ([flags, said], { expect }) =>
    onMoved(planned(""), async (ground) => {
      const server = flags.startsWith("--product");
      if (server)
        ground.emulator.fault = ({ path }) =>
          path.startsWith("/_searchguard") ? { at: "before", answer: { status: 200, body: "{}" } } : undefined;
      const { code, stderr } = await within(ground, `drift --url URL access ${flags}`);
      expect({ code, said: stderr.replace(/\s+/g, " ") }).toEqual({ code: 64, said: expect.stringContaining(said) });
    }),
  );
});
