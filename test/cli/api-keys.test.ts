import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/value.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { gateSyncAnyhow, onHarness } from "./harness.ts";

const key = (name: string, more: JsonObject = {}): JsonObject => ({
  id: `id-${name}`,
  name,
  iat: 1_780_000_000_000,
  expires_at: 0,
  cluster_permissions: ["cluster_monitor"],
  index_permissions: [{ index_pattern: ["hr-*"], allowed_actions: ["readers"] }],
  created_by: "ana",
  ...more,
});

const apiKeys = [
  key("ci"),
  key("old", { revoked_at: 1_780_000_000_001 }),
  key("past", { expires_at: 1_780_000_000_001 }),
  key("later", { expires_at: 99_999_999_999_999, cluster_permissions: ["*"], index_permissions: [] }),
];

/** A role with the very name under which a key is shown, and a mapping that is about everybody. */
const state = {
  roles: { "api key ci": { cluster_permissions: ["*"] }, everyones: { cluster_permissions: ["cluster:admin/all"] } },
  role_mappings: { "api key ci": { users: ["bo"] }, everyones: { users: ["*"], backend_roles: ["*"] } },
  action_groups: { readers: { allowed_actions: ["indices:data/read/*"], type: "index" } },
};

const server = { product: "opensearch", release: "3.8", state, apiKeys } as const;

describe("API keys of a server", () => {
  test("are principals with what they have themselves, as long as they last", () =>
    onHarness(server, async ({ run }) => {
      const found = await run("access who-can search hr-1 --server --url URL");
      expect([found.code, found.stderr]).toEqual([0, ""]);
      expect(found.stdout).toContain("1 can search hr-1, of 5 principals evaluated.");
      expect(found.stdout).toMatch(/api key ci\s+api key ci on hr-\* > readers > indices:data\/read\/\*/);
      expect(found.stdout).toContain("API keys are asleep, as api_tokens is off");
      const health = (await run("access who-can health --server --url URL --format json")).stdout;
      const { principals } = JSON.parse(health) as { principals: { entry: unknown }[] };
      expect(principals.map(({ entry }) => entry)).toEqual([
        { field: "users", entries: ["bo"] },
        { field: "api_keys", entries: ["ci"] },
        { field: "api_keys", entries: ["later"] },
      ]);
    }));

  test("get nothing by a mapping for everybody, or by a role that is called as they are", () =>
    onHarness(server, async ({ run }) => {
      const asked = "access who-can cluster:admin/all --server --url URL --format json";
      const { principals } = JSON.parse((await run(asked)).stdout) as {
        principals: { entry: { entries: string[] } }[];
      };
      expect(principals.map(({ entry }) => entry.entries.join())).toEqual(["*", "bo", "*", "later"]);
    }));

  test("are rows of the map, with the columns that they alone bring", () =>
    onHarness(server, async ({ run }) => {
      const { columns, principals } = JSON.parse((await run("access map --server --url URL --format json")).stdout) as {
        columns: { name: string }[];
        principals: { entry: { field: string; entries: string[] }; cells: { column: { name: string } }[] }[];
      };
      expect(columns.map(({ name }) => name)).toContain("hr-*");
      const ofKeys = principals.filter(({ entry }) => entry.field === "api_keys");
      expect(ofKeys.map(({ entry, cells }) => [...entry.entries, ...cells.map(({ column }) => column.name)])).toEqual([
        ["ci", "*", "hr-*", ""],
        ["later", ""],
      ]);
    }));

  test("that may not be read are noted", () =>
    onHarness(
      {
        ...server,
        users: [{ name: "ro", password: "pw", rights: "read", disabled: { APITOKENS: ["GET"] } }],
      },
      async ({ run }) => {
        const login = { GATE_SYNC_USERNAME: "ro", GATE_SYNC_PASSWORD: "pw" };
        const { stdout } = await run("access who-can search hr-1 --server --url URL", login);
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "API keys could not be read (the server answers 403 to GET /_plugins/_security/api/apitokens): what they may do is not included.",
        );
        expect(stdout).not.toContain("api key ci on");
      },
    ));

  test("are not asked for where a release has none", () =>
    onHarness({ ...server, release: "3.6" }, async ({ run, emulator }) => {
      const { stdout } = await run("access who-can search hr-1 --server --url URL");
      expect(stdout).not.toMatch(/API key|api key ci on/);
      expect(emulator.requests.filter(({ path }) => path.endsWith("/apitokens"))).toEqual([]);
    }));

  test("have a name of their own where a variable asks for one, which no index has", () =>
    onHarness(
      {
        ...server,
        apiKeys: [key("ci", { index_permissions: [{ index_pattern: ["${user.name}*"], allowed_actions: ["read"] }] })],
      },
      async ({ run }) => {
        const { stdout } = await run("access who-can search ci-x --server --url URL");
        expect(stdout).toContain("No principal can search ci-x");
      },
    ));

  test("are kept in a snapshot", () =>
    onHarness(server, async ({ run }) => {
      expect((await run("export --url URL --snapshot s.json")).code).toBe(0);
      expect((await run("access who-can search hr-1 --live s.json")).stdout).toContain("api key ci on hr-*");
    }));
});

describe("a plan that changes what the groups of a key hold", () => {
  const readers = ["indices:data/read/*"];
  const group = (...actions: readonly string[]) => ({
    "gate-sync.yaml": "targets: { t: { state: [a.yml] } }\n",
    "a.yml": JSON.stringify({ action_groups: { readers: { type: "index", allowed_actions: actions } } }),
  });

  test.each<[about: string, actions: readonly string[], shows: string]>([
    ["gains", [...readers, "indices:data/write/delete"], "+ api key ci: use indices:data/write/delete on hr-*"],
    ["loses", ["indices:data/read/get"], "- api key ci: search and use"],
  ])("says what it %s", (_, actions, shows) =>
    onHarness({ ...server, files: group(...actions) }, async ({ run }) => {
      const { code, stdout } = await run("plan --url URL");
      const words = stdout.replace(/\s+/g, " ");
      expect([code, words]).toEqual([0, expect.stringContaining("(its own permissions > readers)")]);
      expect(words).toContain(shows);
      expect(words).toContain("API keys are asleep");
      expect(words).not.toMatch(/api key (old|past|later)/);
      const plan = JSON.parse((await run("plan --url URL --format json")).stdout) as {
        access: { statements: { who: unknown }[] };
      };
      expect(createAjv({ isStrict: false }).validate(readSchema("plan"), plan)).toBe(true);
      expect(plan.access.statements.map(({ who }) => who)).toEqual([[{ api_keys: ["ci"] }]]);
    }),
  );

  test("says it though everybody gains the same", () =>
    onHarness(
      {
        ...server,
        files: group(...readers, "indices:data/write/delete"),
        state: {
          ...state,
          roles: { all: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["readers"] }] } },
          role_mappings: { all: { users: ["*"] } },
        },
      },
      async ({ run }) => {
        const { stdout } = await run("plan --url URL");
        expect(stdout).toContain("+ everybody: use indices:data/write/delete on hr-*");
        expect(stdout).toContain("+ api key ci: use indices:data/write/delete on hr-*");
      },
    ));

  test("refuses that it comes to administer access control", () =>
    onHarness(
      {
        ...server,
        apiKeys: [
          key("ci", { index_permissions: [{ index_pattern: [".opendistro_security"], allowed_actions: ["readers"] }] }),
        ],
        files: group("indices:data/write/*"),
      },
      async ({ run }) => {
        const { code, stdout } = await run("plan --url URL");
        expect([code, stdout.replace(/\s+/g, " ")]).toEqual([
          4,
          expect.stringContaining("api key ci would come to administer access control, by permissions of its own."),
        ]);
      },
    ));

  test("says that keys could not be read", () =>
    onHarness(
      {
        ...server,
        files: group(...readers, "indices:data/write/delete"),
        users: [{ name: "ro", password: "pw", rights: "read", disabled: { APITOKENS: ["GET"] } }],
      },
      async ({ run }) => {
        const login = { GATE_SYNC_USERNAME: "ro", GATE_SYNC_PASSWORD: "pw" };
        const { stdout } = await run("plan --url URL", login);
        expect(stdout).toContain("API keys could not be read");
      },
    ));

  test("asks for no keys where neither groups nor the config change", () =>
    onHarness({ ...server, files: { ...group(), "a.yml": "tenants: { some: {} }\n" } }, async ({ run, emulator }) => {
      expect((await run("plan --url URL")).stdout).toContain("1 to create");
      expect(emulator.requests.filter(({ path }) => path.endsWith("/apitokens"))).toEqual([]);
    }));
});

describe("two keys of one name", () => {
  const two = {
    ...server,
    apiKeys: [key("ci"), key("ci", { id: "id-2", index_permissions: [] }), ...apiKeys.slice(1)],
  };

  test("are two principals", () =>
    onHarness(two, async ({ run }) => {
      const found = await run("access who-can search hr-1 --server --url URL");
      expect(found.stdout).toContain("1 can search hr-1, of 6 principals evaluated.");
      expect(found.stdout).toContain("api key ci (id-ci) on hr-*");
    }));

  test("are excepted together, or one alone", () =>
    onHarness(
      {
        ...two,
        files: {
          "gate-sync.yaml": "targets: { t: { state: [a.yml] } }\n",
          "a.yml": JSON.stringify({
            access_tests: [["ci"], ["ci (id-ci)"], ["ci (id-2)"]].map((api_keys) => ({
              name: `but ${api_keys[0]}`,
              only: { api_keys },
              action: "search",
              index: "hr-1",
            })),
          }),
        },
      },
      async ({ run }) => {
        const { stdout } = await run("test --server --url URL");
        expect(stdout).toContain("2 pass, 1 fails");
        expect(stdout).toMatch(/but ci \(id-2\)/);
      },
    ));
});

describe("what-can", () => {
  test("is asked about a key by its name", () =>
    onHarness(server, async ({ run }) => {
      const { code, stdout } = await run("access what-can later --server --url URL");
      expect([code, stdout]).toEqual([0, expect.stringContaining("api key later")]);
      expect(stdout).toContain("API keys are asleep");
    }));

  test("distinguishes a key from a user of its name", () =>
    onHarness({ ...server, apiKeys: [key("bo")] }, async ({ run, folder, url }) => {
      const { code, stderr } = await run("access what-can bo --server --url URL");
      expect([code, stderr]).toEqual([64, expect.stringContaining('Say which is meant: --user bo, "api key bo".')]);
      const { stdout } = await gateSyncAnyhow(["access", "what-can", "api key bo", "--server", "--url", url], {
        cwd: folder,
      });
      expect(stdout).toMatch(/^api key bo[\s\S]*hr-\*/);
    }));
});

describe("drift --api-keys", () => {
  const files = (named?: readonly string[]) => ({
    "gate-sync.yaml": JSON.stringify({ targets: { t: { state: ["a.yml"], ...(named && { api_keys: named }) } } }),
    "a.yml": "tenants: { global_tenant: { reserved: true } }\n",
  });

  test.each<[named: readonly string[] | undefined, code: number, summary: string]>([
    [["ci", "later"], 0, "No drift."],
    [["ci", "later", "gone"], 0, "No drift."],
    [["ci"], 2, "Drift: 1 API key not named."],
    [undefined, 2, "Drift: 2 API keys not named."],
  ])("with api_keys: %j ends with %i", (named, code, summary) =>
    onHarness({ ...server, files: files(named) }, async ({ run }) => {
      const text = await run("drift --api-keys --url URL");
      expect([text.code, text.stdout]).toEqual([code, expect.stringContaining(summary)]);
      const words = text.stdout.replace(/\s+/g, " ");
      const by = named?.includes("later") ? "named by api_keys" : "not named by api_keys of the target";
      expect(words).toContain(`API key later, made by ana: ${by}; asleep, as api_tokens is off in the config.`);
      expect(words).toContain("API key old, made by ana: not named by api_keys of the target; revoked.");
      const json = await run("drift --api-keys --url URL --format json");
      const report = JSON.parse(json.stdout) as { drift: boolean; api_keys: unknown };
      expect([json.code, report.drift]).toEqual([code, code === 2]);
      const listed = ["ci", "old", "past", "later"].map((name) => ({
        name,
        state:
          new Map([
            ["old", "revoked"],
            ["past", "expired"],
          ]).get(name) ?? "asleep",
        named: named?.includes(name) ?? false,
        created_by: "ana",
      }));
      expect(report.api_keys).toEqual(listed);
      expect(createAjv({ isStrict: false }).validate(readSchema("drift"), report)).toBe(true);
      const unasked = await run("drift --url URL");
      expect([unasked.code, unasked.stdout]).toEqual([0, expect.not.stringContaining("API key")]);
    }),
  );

  test("fails in JUnit for each that is not named", () =>
    onHarness({ ...server, files: files(["ci"]) }, async ({ run }) => {
      const { stdout } = await run("drift --api-keys --url URL --format junit");
      expect(stdout).toContain('failures="1"');
      expect(stdout).toMatch(/name="later">\s*<failure type="unnamed" message="not named by api_keys of the target/);
    }));

  test("does not take a list that it may not read for an empty one", () =>
    onHarness(
      {
        ...server,
        files: files(["ci"]),
        users: [{ name: "ro", password: "pw", rights: "read", disabled: { APITOKENS: ["GET"] } }],
      },
      async ({ run }) => {
        const login = { GATE_SYNC_USERNAME: "ro", GATE_SYNC_PASSWORD: "pw" };
        const { code, stderr } = await run("drift --api-keys --url URL", login);
        expect([code, stderr]).toEqual([1, expect.stringContaining("The API keys cannot be read")]);
      },
    ));

  test("finds none where a release has none", () =>
    onHarness({ ...server, release: "3.6", files: files() }, async ({ run }) => {
      const { code, stdout } = await run("drift --api-keys --url URL");
      expect([code, stdout]).toEqual([0, expect.stringContaining("The server has no API keys.")]);
    }));
});

describe("access tests with only", () => {
  const files = (only: object) => ({
    "gate-sync.yaml": "targets: { t: { state: [a.yml] } }\n",
    "a.yml": JSON.stringify({
      tenants: { t: {} },
      access_tests: [{ name: "hr alone", only, action: "search", index: "hr-1" }],
    }),
  });
  const everybody = { users: ["*"], backend_roles: ["*"], hosts: ["*"] };

  test.each<[about: string, only: object, code: number, shows: string]>([
    ["are broken by a key", {}, 4, "api key ci may search hr-1"],
    ["also where everybody else is excepted", everybody, 4, "api key ci may search hr-1"],
    ["or another key is", { api_keys: ["later"] }, 4, "api key ci may search hr-1"],
    ["not where that key is", { api_keys: ["ci"] }, 0, "API keys are asleep"],
  ])("%s", (_, only, code, shows) =>
    onHarness({ ...server, files: files(only) }, async ({ run }) => {
      const { code: ended, stdout } = await run("plan --url URL");
      expect([ended, stdout.replace(/\s+/g, " ")]).toEqual([code, expect.stringContaining(shows)]);
      expect((await run("test --product opensearch --release 3.8")).code).toBe(0);
    }),
  );

  test("are asked of a saved plan as they were planned", () =>
    onHarness({ ...server, files: files({ api_keys: ["ci"] }) }, async ({ run, writes }) => {
      expect((await run("plan --url URL --out plan.json")).code).toBe(0);
      expect((await run("apply plan.json --url URL --yes")).code).toBe(0);
      expect(writes()).toEqual(["PUT /_plugins/_security/api/tenants/t"]);
    }));

  test("say that keys could not be read", () =>
    onHarness(
      {
        ...server,
        files: files({}),
        users: [{ name: "ro", password: "pw", rights: "read", disabled: { APITOKENS: ["GET"] } }],
      },
      async ({ run }) => {
        const login = { GATE_SYNC_USERNAME: "ro", GATE_SYNC_PASSWORD: "pw" };
        const { code, stdout } = await run("plan --url URL", login);
        expect([code, stdout]).toEqual([0, expect.stringContaining("API keys could not be read")]);
        expect((await run("test --server --url URL", login)).stdout).toContain("API keys could not be read");
      },
    ));
});
