// What has changed on a server since the run that a backup was made for.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions, InitialState } from "../../src/emulator/index.ts";
import { forge } from "../support/forge.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { type Env, type Harness, onHarness } from "./harness.ts";

const read = "indices:data/read/*";
const role = (pattern: string, more: object = {}) => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: [read], ...more }],
});
const dls = (dept: string) => ({ dls: JSON.stringify({ term: { dept } }) });

const before = {
  action_groups: { look: { allowed_actions: [read] } },
  roles: {
    changed: role("a-*"),
    deleted: role("b-*"),
    same: role("c-*"),
    grouped: { index_permissions: [{ index_patterns: ["g-*"], allowed_actions: ["look"] }] },
    own: { reserved: true, ...role("r-*") },
  },
  role_mappings: Object.fromEntries(
    ["changed", "deleted", "same", "grouped", "own"].map((name) => [name, { users: [`${name}-user`] }]),
  ),
};

const { own: _, deleted: __, ...others } = before.roles;
/** Changes one role, creates one and deletes one. */
const wanted = {
  roles: { ...others, changed: role("a2-*"), created: role("d-*") },
};

type Initial = InitialState & Readonly<Record<string, unknown>>;

const allowed = "--allow deletions --allow changes --allow order --allow lock-out";

interface Applied extends Harness {
  readonly backup: string;
  /** The entries of a family that others write. */
  set(family: string, entries: Readonly<Record<string, object | undefined>>): void;
}

/** A server on which `apply` made the files true, and the backup of that run. */
async function afterApply(
  work: (harness: Applied) => Promise<void>,
  {
    files = { "access/state.yml": JSON.stringify(wanted) },
    env = {},
    ...options
  }: { files?: Record<string, string>; env?: Env } & Partial<EmulatorOptions> = {},
): Promise<void> {
  await onHarness({ files, state: before, allowConfigModification: true, ...options }, async (harness) => {
    const { emulator, folder } = harness;
    const { code, stderr } = await harness.run(`apply --yes --url URL access ${allowed}`, env);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const [backup = ""] = readdirSync(join(folder, ".gate-sync/backups"));
    await work({
      ...harness,
      backup,
      set(family, entries) {
        const state = Object.fromEntries(
          Object.entries(emulator.state()).map(([name, held]) => [
            name,
            held instanceof Map ? Object.fromEntries(held) : held,
          ]),
        ) as Initial;
        const held = { ...(state[family] as object), ...entries };
        const left = Object.fromEntries(Object.entries(held).filter(([, value]) => value !== undefined));
        emulator.replaceState({ ...state, [family]: left });
      },
    });
  });
}

const ofServer = "access map --server --url URL --since";

/** Who gained and lost what, without the chain. */
async function listChanges({ run }: Harness, since: string, env: Env = {}): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(`${ofServer} ${since} --format csv`, env);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\r\n").slice(1);
  return lines.map((line) => line.replace(/ \(.*/, "").replaceAll(",", " ")).sort();
}

/** What is written above the changes. */
async function readTop({ run }: Harness, since: string, env: Env = {}): Promise<string> {
  const { code, stdout } = await run(`${ofServer} ${since}`, env);
  expect(code).toBe(0);
  return stdout.slice(0, stdout.indexOf("\n\nAccess ")).replaceAll(/\s+/g, " ");
}

const ofRun = [
  "user changed-user gained read a2-*",
  "user changed-user lost read a-*",
  "user deleted-user lost read b-*",
];

describe("since a backup", () => {
  test("an entry that the run changed, created or deleted is what it was; all others are as now", () =>
    afterApply(async (harness) => {
      expect(await listChanges(harness, harness.backup)).toEqual(ofRun);
      harness.set("role_mappings", { created: { users: ["eve"] }, own: { users: ["own-user", "mia"] } });
      // The backup has roles alone, so that eve had her mapping then, too.
      const now = [...ofRun, "user eve gained read d-*"];
      expect(await listChanges(harness, harness.backup)).toEqual(now);
      // What apply may do today does not matter.
      const observing = "defaults: { families: { roles: { mode: observe } } }";
      writeFileSync(join(harness.folder, "gate-sync.yaml"), observing);
      expect(await listChanges(harness, harness.backup)).toEqual(now);
    }));

  test("what others changed afterwards counts in a family that the backup has", () =>
    afterApply(async (harness) => {
      const { role_mappings } = before;
      const was = { ...wanted, role_mappings: { ...role_mappings, same: { users: ["same-user", "zoe"] } } };
      writeFileSync(join(harness.folder, "access/state.yml"), JSON.stringify(was));
      expect((await harness.run(`apply --yes --url URL access ${allowed}`)).code).toBe(0);
      const [, second = ""] = readdirSync(join(harness.folder, ".gate-sync/backups")).sort();
      harness.set("role_mappings", { same: { users: ["hand"] }, grouped: undefined, created: { users: ["late"] } });
      expect(await listChanges(harness, second)).toEqual([
        "user grouped-user lost read g-*",
        "user hand gained read c-*",
        "user late gained read d-*",
        "user same-user lost read c-*",
      ]);
    }));

  test("an action group is what it was", () =>
    afterApply(
      async (harness) => {
        expect(await listChanges(harness, harness.backup)).toEqual([expect.stringContaining("grouped-user gained")]);
        expect(await readTop(harness, harness.backup)).toMatch(
          /taken as it is now: tenants, roles, role mappings, blocks/,
        );
      },
      {
        files: {
          "access/state.yml": JSON.stringify({
            action_groups: { look: { allowed_actions: [read, "indices:data/write/*"] } },
          }),
        },
      },
    ));

  test("reserved entries and those out of scope are as now", () =>
    afterApply(
      async (harness) => {
        harness.set("roles", { own: { reserved: true, ...role("r2-*") }, x_late: role("x-*") });
        harness.set("role_mappings", { x_late: { users: ["xena"] } });
        expect(await listChanges(harness, harness.backup)).toEqual(ofRun);
        harness.set("roles", { late: role("late-*") });
        harness.set("role_mappings", { late: { users: ["xena"] } });
        expect(await listChanges(harness, harness.backup)).toEqual([...ofRun, "user xena gained read late-*"]);
      },
      {
        files: {
          "gate-sync.yaml": "defaults: { families: { roles: { exclude: [x_*] } } }",
          "access/state.yml": JSON.stringify(wanted),
        },
      },
    ));

  test("fields that gate-sync does not know are as now", () =>
    afterApply(
      async (harness) => {
        expect(await listChanges(harness, harness.backup)).toEqual(
          ofRun.filter((line) => !line.startsWith("user deleted-user")),
        );
        expect(await readTop(harness, harness.backup)).toContain(
          "Not in the backup, so left out: x_note of roles/deleted.",
        );
      },
      {
        files: {
          "access/state.yml": JSON.stringify({
            roles: { ...wanted.roles, grouped: { ...before.roles.grouped, cluster_permissions: ["none"] } },
          }),
        },
        state: {
          ...before,
          roles: {
            ...before.roles,
            same: { ...before.roles.same, x_note: "kept" },
            grouped: { ...before.roles.grouped, x_note: "kept" },
            deleted: { cluster_permissions: [], x_note: "gone" },
          },
        },
      },
    ));

  test("settings of the config are what they were", () =>
    afterApply(
      async (harness) => {
        const { stdout } = await harness.run(`${ofServer} ${harness.backup}`);
        expect(stdout).toContain("who gains and who loses by do_not_fail_on_forbidden of the config");
        expect(stdout).toContain("what the backup holds: config.");
      },
      {
        state: { ...before, config: { dynamic: {} } },
        files: { "access/c.yml": "config: { dynamic: { do_not_fail_on_forbidden: true } }" },
      },
    ));

  test("names the run that made it, and what is taken as it is now, in each format", () =>
    afterApply(async (harness) => {
      const { backup, run, folder } = harness;
      const title = `Access since backup ${backup} \\(before the apply of 20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z, run [0-9a-f]+\\)`;
      const taken =
        "Not in the backup, so taken as it is now: action groups, tenants, role mappings, blocks, config, reserved entries, entries outside the scope of the target.";
      expect(await readTop(harness, backup)).toMatch(new RegExp(`^${title} ${taken}$`));
      const page = await run(`${ofServer} ${backup} --format json --format html=a.html --format markdown=a.md`);
      const json = JSON.parse(page.stdout);
      expect(createAjv({ isStrict: false }).validate(readSchema("access"), json)).toBe(true);
      expect([json.as_now, json.commits]).toEqual([[taken], []]);
      expect(json.since).toMatch(new RegExp(title.replace("Access since ", "^")));
      const markdown = readFileSync(join(folder, "a.md"), "utf8");
      expect(markdown.indexOf(taken)).toBeGreaterThan(0);
      expect(markdown.indexOf(taken)).toBeLessThan(markdown.indexOf("Access: **"));
      const html = readFileSync(join(folder, "a.html"), "utf8");
      expect(html.indexOf(`<p>${taken}</p>`)).toBeGreaterThan(0);
      expect(html.indexOf(taken)).toBeLessThan(html.indexOf("changed-user"));
      rmSync(join(folder, ".gate-sync/journal"), { recursive: true });
      expect(await readTop(harness, backup)).toMatch(/^Access since backup \S+ \(20[-\d]+T[\d:.]+Z\) Not in/);
    }));

  test("internal users are as now", () =>
    afterApply(
      async (harness) => {
        expect(await readTop(harness, harness.backup)).toContain(", config, internal users, reserved entries");
      },
      { product: "opensearch", release: "2.19" },
    ));

  test("by the path of its folder, or with --state-dir", () =>
    afterApply(async (harness) => {
      const { backup, folder } = harness;
      expect(await listChanges(harness, `.gate-sync/backups/${backup}/`)).toEqual(ofRun);
      renameSync(join(folder, ".gate-sync"), join(folder, "kept"));
      expect(await listChanges(harness, `${backup} --state-dir kept`)).toEqual(ofRun);
      expect(await listChanges(harness, join(folder, "kept/backups", backup))).toEqual(ofRun);
    }));
});

/** All that may restrict, in an entry that stays and in one that changes. */
const rich = (name: string, action: string, release: string) => ({
  roles: {
    same: role("s-*", { ...dls("hr"), fls: ["~salary"], masked_fields: ["mail"] }),
    [name]: {
      cluster_permissions: ["cluster:monitor/main"],
      index_permissions: [
        { index_patterns: [`${name}-*`, "*-log"], allowed_actions: ["look"], ...dls(name), masked_fields: ["iban"] },
      ],
      tenant_permissions: [
        {
          tenant_patterns: ["team"],
          allowed_actions: [release === "6" ? "SGS_KIBANA_ALL_READ" : "kibana:saved_objects/*/read"],
        },
      ],
    },
    own: role("own-*", { fls: ["a"] }),
  },
  role_mappings: {
    same: { users: ["ana"], hosts: ["10.0.0.*"] },
    [name]: { backend_roles: ["b", "a"] },
    own: { users: ["own-*"] },
  },
  action_groups: { look: { ...(release === "FLX" && { type: "index" }), allowed_actions: [action] } },
  ...(release !== "6" && { tenants: { team: { description: name }, [name]: {} } }),
});

test.each([
  ["gate", "7.x-43.0.0"],
  ["opensearch", "2.19"],
  ["search-guard", "FLX"],
  ["search-guard", "6"],
] as const)("of %s %s says the same as a snapshot from before the run", (product, release) =>
  afterApply(
    async (harness) => {
      const { run, folder } = harness;
      await run("export --url URL --snapshot then.json");
      writeFileSync(join(folder, "access/state.yml"), JSON.stringify(rich("new", "indices:data/write/*", release)));
      const { code, stdout: applied } = await run(`apply --yes --url URL access ${allowed} --format json`);
      expect(code).toBe(0);
      const [backup, snapshot] = await Promise.all(
        [JSON.parse(applied).backup.name, "then.json"].map(async (since) => {
          const { stdout } = await run(`${ofServer} ${since} --format json`);
          return JSON.parse(stdout);
        }),
      );
      expect(backup.access).toEqual(snapshot.access);
      expect(JSON.stringify(snapshot.access)).toContain("new-*");
    },
    {
      product,
      release,
      state: {},
      files: { "access/state.yml": JSON.stringify(rich("old", read, release)) },
    },
  ),
);

describe("an entry whose secret the backup leaves out is as now", () => {
  test("where it repeated the login of the run", () => {
    const env = { GATE_SYNC_USERNAME: "admin", GATE_SYNC_PASSWORD: "canary-password" };
    return afterApply(
      async (harness) => {
        expect(await listChanges(harness, harness.backup, env)).toEqual(["user deleted-user lost read b-*"]);
        expect(await readTop(harness, harness.backup, env)).toContain(
          "Secret in the backup, so taken as it is now: roles/changed.",
        );
      },
      {
        env,
        state: { ...before, roles: { ...before.roles, changed: role("a-*", dls("canary-password")) } },
      },
    );
  });

  test("where the backup has its address alone", () =>
    afterApply(async (harness) => {
      harness.set("roles", { hidden: role("h-*") });
      harness.set("role_mappings", { hidden: { users: ["hal"] } });
      expect(await listChanges(harness, harness.backup)).toEqual([...ofRun, "user hal gained read h-*"]);
      forgeManifest(harness, (body) => ({ ...body, secret: ["roles/hidden", "tenants/t"] }));
      expect(await listChanges(harness, harness.backup)).toEqual(ofRun);
      expect(await readTop(harness, harness.backup)).toContain(
        "Secret in the backup, so taken as it is now: roles/hidden.",
      );
    }));
});

function forgeManifest({ folder, backup }: Applied, change: (body: object) => object): void {
  const manifest = join(folder, ".gate-sync/backups", backup, "manifest.json");
  const edit = (text: string) => {
    const file = JSON.parse(text);
    return JSON.stringify({ ...file, body: change(file.body) });
  };
  writeFileSync(manifest, forge(readFileSync(manifest, "utf8"), edit));
}

test("a family that cannot be read has no say, then either", () =>
  afterApply(
    async (harness) => {
      harness.emulator.fault = ({ path }) =>
        path.endsWith("/tenants") ? { at: "before", answer: { kind: "status", status: 403 } } : undefined;
      expect(await listChanges(harness, harness.backup)).toEqual([]);
      const { stdout } = await harness.run(`${ofServer} ${harness.backup}`);
      expect(stdout).toContain("Could not be read, and has no say in this: tenants.");
    },
    {
      state: { ...before, tenants: { team: {} } },
      files: { "access/t.yml": "tenants: { other: {} }" },
    },
  ));

describe("refuses", () => {
  const refused = async ({ run }: Harness, line: string): Promise<string> => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([64, ""]);
    return stderr.replaceAll(/\s+/g, " ");
  };

  test("the backup of another cluster", () =>
    afterApply(async (harness) => {
      const manifest = join(harness.folder, ".gate-sync/backups", harness.backup, "manifest.json");
      const other = (text: string) => text.replace("emulated-cluster-0000", "emulated-cluster-0001");
      writeFileSync(manifest, forge(readFileSync(manifest, "utf8"), other));
      const message = await refused(harness, `${ofServer} ${harness.backup}`);
      expect(message).toContain(`The backup ${harness.backup} is of another cluster.`);
      expect(message).toContain("Nothing was compared.");
    }));

  test("a damaged backup, before the server is asked", () =>
    afterApply(async (harness) => {
      const folder = join(harness.folder, ".gate-sync/backups", harness.backup);
      writeFileSync(join(folder, "state/roles.yml"), "roles: {}\n");
      harness.emulator.clearRequests();
      expect(await refused(harness, `${ofServer} ${harness.backup}`)).toContain(
        "state/roles.yml was changed since gate-sync wrote it.",
      );
      rmSync(join(folder, "manifest.json"));
      expect(await refused(harness, `${ofServer} ${harness.backup}`)).toContain("cannot be read.");
      expect(harness.emulator.requests).toEqual([]);
    }));

  test.each(["nonsense", "..", "access", "../backups", ".gate-sync/backups"])("%s, which is no backup", (name) =>
    afterApply(async (harness) => {
      expect(await refused(harness, `${ofServer} ${name}`)).toContain(`There is no snapshot and no backup ${name}.`);
    }),
  );

  test("a backup where files or a snapshot are asked about", () =>
    afterApply(async (harness) => {
      await harness.run("export --url URL --snapshot now.json");
      for (const source of ["--state access --product gate", "--live now.json"]) {
        expect(await refused(harness, `access map ${source} --since ${harness.backup}`)).toContain(
          `${harness.backup} is a backup, and says what a server held.`,
        );
      }
    }));
});
