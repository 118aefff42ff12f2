// Who moved, where no commit is named: since the last run on record, or since a reviewed plan was applied.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { type Env, type Harness, onHarness } from "./harness.ts";

const schema = readSchema("drift");
const ajv = createAjv({ isStrict: false });

/** Roles by name, each with one permission. */
type Roles = Readonly<Record<string, string>>;

const bodies = (roles: Roles) =>
  Object.fromEntries(Object.entries(roles).map(([name, action]) => [name, { cluster_permissions: [action] }]));

function rolesFile(roles: Roles): string {
  return `roles: ${JSON.stringify(bodies(roles))}\n`;
}

/** Without a process of its own. */
function within({ folder, url }: Harness, line: string, env: Env = {}) {
  return gateSyncWithin(
    line.split(" ").map((word) => (word === "URL" ? url : word)),
    { cwd: folder, env },
  );
}

/** Exit code, and for each difference who moved. */
async function drift(harness: Harness, line = "", env: Env = {}) {
  const words = `drift --url URL access --format json${line}`;
  const { code, stdout } = await within(harness, words, env);
  const explained = JSON.parse(stdout);
  ajv.validate(schema, explained);
  expect(ajv.errors ?? []).toEqual([]);
  const differences: readonly { readonly address: string; readonly moved: string }[] = explained.differences;
  return {
    code,
    moved: differences.map(({ address, moved }) => `${address.replace("roles/", "")} ${moved}`).join(", "),
    baseline: Object.keys(explained.baseline ?? {})[0],
    notes: explained.notes.join(" "),
  };
}

/** Everything at once: `g` moved in git, `l` on the server, `b` on both, `h` was made by hand, `s` stayed. */
const was = { b: "c:1", g: "c:1", l: "c:1", s: "c:1" };
const now = { b: "c:2", g: "c:2", l: "c:1", s: "c:1" };
const live = { b: "c:3", g: "c:1", h: "c:1", l: "c:3", s: "c:1" };

/** After these roles were declared, and something was done with them, the files and the server move on. */
function onMoved(
  apply: (harness: Harness) => Promise<void>,
  work: (harness: Harness) => Promise<void>,
  server: Partial<EmulatorOptions> = {},
): Promise<void> {
  return onHarness({ files: { "access/roles.yml": rolesFile(was) }, ...server }, async (harness) => {
    await apply(harness);
    writeFileSync(join(harness.folder, "access/roles.yml"), rolesFile(now));
    harness.emulator.replaceState({ roles: bodies(live) });
    await work(harness);
  });
}

async function done(harness: Harness, line: string, env: Env = {}): Promise<void> {
  const { code, stdout, stderr } = await within(harness, line, env);
  expect({ code, reported: stdout + stderr }).toMatchObject({ code: 0 });
}

const applied = (harness: Harness) => done(harness, "apply --yes --url URL access");

describe("drift since the last run on record", () => {
  test("says who changed it, as it does since a commit", () =>
    onMoved(applied, async (harness) => {
      const moved = "b both, g git, h live, l live";
      expect(await drift(harness)).toEqual({ code: 2, moved, baseline: "journal", notes: expect.any(String) });
      const { stdout } = await within(harness, "drift --url URL access");
      expect(stdout).toMatch(/^Compared with what the last run declared \([-0-9: ]+ UTC, run \w{8}\)\.$/m);
    }));

  test("of the files as they were when nothing was left to do, too", () =>
    onMoved(
      async (harness) => {
        await applied(harness);
        writeFileSync(join(harness.folder, "access/roles.yml"), rolesFile({ ...was, l: "c:9" }));
        harness.emulator.replaceState({ roles: bodies({ ...was, l: "c:9" }) });
        await applied(harness);
        await applied(harness);
        expect(readdirSync(join(harness.folder, ".gate-sync/journal")).length).toBe(2);
      },
      async (harness) => expect((await drift(harness)).moved).toBe("b both, g git, h live, l both"),
    ));

  test("of --family knows nothing of the others", () =>
    onMoved(
      async (harness) => {
        writeFileSync(join(harness.folder, "access/tenants.yml"), "tenants: { t: { description: one } }\n");
        await done(harness, "apply --yes --url URL access --family tenants");
      },
      async (harness) => {
        const { moved } = await drift(harness);
        expect(moved).toBe("tenants/t live, b unknown, g unknown, h unknown, l unknown");
      },
    ));

  const refuseWrites = (harness: Harness, isMeant: (path: string) => boolean = () => true) => {
    harness.emulator.fault = ({ method, path }) =>
      method === "GET" || !isMeant(path) ? undefined : { at: "before", answer: { status: 403, body: "{}" } };
  };

  test("that took another one back counts for what it restored, and one that did nothing for nothing", () =>
    onMoved(applied, async (harness) => {
      await done(harness, "rollback --yes --url URL --allow deletions");
      const back = { moved: "b git, g git, h live, l git, s git", baseline: "journal" };
      expect(await drift(harness)).toMatchObject(back);
      refuseWrites(harness);
      expect((await within(harness, "apply --yes --url URL access --allow deletions --allow not-ours")).code).toBe(1);
      harness.emulator.fault = () => undefined;
      expect(await drift(harness)).toMatchObject(back);
      harness.emulator.replaceState({ roles: bodies({ g: "c:1", h: "c:1" }) });
      expect(await drift(harness)).toMatchObject({ moved: "b git, g both, h live, l git, s git" });
    }));

  test("that did a part counts for that part, and runs before it for the rest", () =>
    onMoved(
      async (harness) => {
        await applied(harness);
        const [roles, tenants] = [rolesFile({ ...was, l: "c:2" }), "tenants: { t: { description: one } }\n"];
        writeFileSync(join(harness.folder, "access/roles.yml"), roles);
        writeFileSync(join(harness.folder, "access/tenants.yml"), tenants);
        refuseWrites(harness, (path) => path.includes("/roles"));
        expect((await within(harness, "apply --yes --url URL access")).code).toBe(6);
        harness.emulator.fault = () => undefined;
      },
      async (harness) => {
        // Of the run that failed there: `t` was made, `l` was not written.
        expect((await drift(harness)).moved).toBe("tenants/t live, b both, g git, h live, l live");
        const { stdout } = await within(harness, "drift --url URL access");
        expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
          /Compared with what the last run \([-0-9: ]+ UTC, run \w{8}\) and 1 run before it declared: each entry/,
        );
      },
    ));

  test("with --only keeps the older baseline of all others", () =>
    onMoved(
      async (harness) => {
        await applied(harness);
        writeFileSync(join(harness.folder, "access/roles.yml"), rolesFile({ ...was, s: "c:2", g: "c:9", n: "c:1" }));
        await done(harness, "apply --yes --url URL access --only roles/s");
      },
      async (harness) => {
        expect((await drift(harness)).moved).toBe("b both, g git, h live, l live");
        writeFileSync(join(harness.folder, "access/roles.yml"), rolesFile({ ...now, n: "c:1" }));
        expect((await drift(harness)).moved).toBe("b both, g git, h live, l live, n git");
      },
    ));

  test("of a type that no run managed yet: git is what is newly declared", () =>
    onMoved(applied, async (harness) => {
      writeFileSync(join(harness.folder, "access/tenants.yml"), "tenants: { t: { description: one } }\n");
      expect((await drift(harness)).moved).toBe("tenants/t git, b both, g git, h live, l live");
    }));

  test("before a run whose journal cannot be read does not count", () =>
    onMoved(applied, async (harness) => {
      await done(harness, "apply --yes --url URL access --allow deletions --allow not-ours");
      const folder = join(harness.folder, ".gate-sync/journal");
      const [, last = ""] = readdirSync(folder);
      const [first = ""] = readFileSync(join(folder, last), "utf8").split("\n");
      writeFileSync(join(folder, last), `${first}\nno JSON\nno JSON\n`);
      harness.emulator.replaceState({ roles: bodies(live) });
      const unread = await drift(harness);
      expect(unread).toMatchObject({ baseline: undefined, notes: expect.stringContaining("cannot be read") });
      expect(unread.moved).toMatch(/^b unknown, /);
    }));

  test("is not asked where it is of another state folder", () =>
    onMoved(applied, async (harness) => {
      expect(await drift(harness, " --state-dir other")).toMatchObject({ code: 2, baseline: undefined });
    }));
});

describe("secrets", () => {
  const canary = "Canary-5e1f";
  const secret = { BIND: `${canary}-bind` };
  const role = (action: string, dls = '{"match_all":{}}') => ({
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
    onHarness({ files: { "access/all.json": state("c:1", 1) }, allowConfigModification: true }, async (harness) => {
      await done(harness, "apply --yes --url URL --allow authentication access", secret);
      const [journal = ""] = readdirSync(join(harness.folder, ".gate-sync/journal"));
      const text = readFileSync(join(harness.folder, ".gate-sync/journal", journal), "utf8");
      expect(text).toContain('{"$secret":"${env:BIND}"}');
      expect(text).not.toContain(canary);

      expect(await drift(harness, "", secret)).toMatchObject({ code: 0, moved: "" });
      writeFileSync(join(harness.folder, "access/all.json"), state("c:2", 1));
      expect(await drift(harness, "", secret)).toMatchObject({ code: 0, moved: "r git" });
      harness.emulator.replaceState({
        roles: { r: role("c:1", '{"match_none":{}}') },
        config: harness.emulator.state().config,
      });
      expect(await drift(harness, "", secret)).toMatchObject({ code: 2, moved: "r both" });
      writeFileSync(join(harness.folder, "access/all.json"), state("c:1", 2));
      expect(await drift(harness, "", secret)).toMatchObject({ code: 2, moved: "r live, config git" });
    }));
});

describe("drift --baseline", () => {
  const planned = (line: string) => async (harness: Harness) => {
    await done(harness, `plan --url URL access --out plan.json${line}`);
    await done(harness, "apply --url URL plan.json");
  };

  test("says who changed what the plan changes", () =>
    onMoved(planned(""), async (harness) => {
      const explained = await drift(harness, " --baseline plan.json");
      expect(explained).toMatchObject({ code: 2, moved: "b both, g git, h live, l live", baseline: "plan_file" });
    }));

  test("and of what it leaves alone, nothing; what was not there then was made since", () =>
    onMoved(
      planned(""),
      async (harness) => {
        const moved = "b both, g unknown, h live, l unknown";
        expect((await drift(harness, " --baseline plan.json")).moved).toBe(moved);
        // The journal of that run knows as much.
        expect(await drift(harness)).toMatchObject({ moved, baseline: "journal" });
      },
      { state: { roles: bodies({ ...was, b: "c:0" }) } },
    ));

  test.for([
    ["--baseline plan.json --applied-ref HEAD", "Two baselines"],
    [
      "--baseline access/roles.yml",
      "The baseline access/roles.yml is not a saved plan: gate-sync plan --out did not write it.",
    ],
    ["--baseline nowhere.json", "The baseline nowhere.json cannot be read in the folder FOLDER: it does not exist"],
    ["--baseline access", "The baseline access cannot be read in the folder FOLDER: it is no regular file."],
    ["--product search-guard --release 7 --baseline plan.json", "for another cluster"],
  ] as const)("%s is refused", ([flags, reported], { expect }) =>
    onMoved(planned(""), async (harness) => {
      const server = flags.startsWith("--product");
      if (server)
        harness.emulator.fault = ({ path }) =>
          path.startsWith("/_searchguard") ? { at: "before", answer: { status: 200, body: "{}" } } : undefined;
      const { code, stderr } = await within(harness, `drift --url URL access ${flags}`);
      expect({ code, reported: stderr.replaceAll(harness.folder, "FOLDER").replace(/\s+/g, " ") }).toEqual({
        code: 64,
        reported: expect.stringContaining(reported),
      });
    }),
  );
});
