// Families of OpenSearch beside those that grant access: compared where no mode is stated, written where one is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const api = "/_plugins/_security/api";
const server = { product: "opensearch", release: "2.19" } as const;
const audit = {
  "access/audit.yml": [
    "_meta: { type: audit, config_version: 2 }",
    "_readonly: []",
    "config:",
    "  audit: { enable_rest: false, disabled_rest_categories: [granted_privileges] }",
    "  compliance: { read_metadata_only: true, write_metadata_only: true, internal_config: true }",
  ].join("\n"),
};
const allowlist = (enabled: boolean) => ({
  "access/allowlist.yml": `config: { enabled: ${enabled}, requests: { /_cluster/settings: [GET] } }\n`,
});
const manage = (...families: readonly string[]) => ({
  "gate-sync.yaml": `defaults: { families: { ${families.map((family) => `${family}: { mode: manage }`).join(", ")} } }\n`,
});
const closed = { config: { enabled: true, requests: { "/_cluster/settings": ["GET"] } } };
const users = [{ name: "ci", password: "s3cret-canary", rights: "all" }] as const;
const login = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "s3cret-canary" };

describe("an audit configuration", () => {
  it("is compared and not written where no mode is stated", () =>
    onHarness({ ...server, files: audit }, async ({ run, writes }) => {
      const { code, stdout } = await run("apply --url URL --yes access");
      expect(code).toBe(0);
      expect(stdout).toContain("audit.enable_rest");
      expect(stdout).toContain("observed only");
      expect(writes()).toEqual([]);
    }));

  it("is written whole, with the server's defaults for what is not declared, and brought back by rollback", () =>
    onHarness({ ...server, files: { ...audit, ...manage("audit") } }, async ({ run, emulator, writes }) => {
      const before = emulator.state().audit.get("config");
      const applied = await run("apply --url URL --yes access");
      expect(applied.stdout).toContain("Read back: in sync.");
      expect(writes()).toEqual([`PUT ${api}/audit/config`]);
      const { audit: filter, compliance } = emulator.state().audit.get("config") as Record<string, object>;
      expect(filter).toMatchObject({ enable_rest: false, disabled_rest_categories: ["GRANTED_PRIVILEGES"] });
      expect(filter).toMatchObject({ ignore_users: ["kibanaserver"], log_request_body: true });
      expect(compliance).toMatchObject({ enabled: true, write_metadata_only: true });
      expect((await run("drift --url URL access")).code).toBe(0);
      expect((await run("rollback --url URL --yes")).code).toBe(0);
      expect(emulator.state().audit.get("config")).toEqual(before);
    }));

  it("is in sync where the server leaves out what is declared with its default", () => {
    const audit = "{ enabled: true, audit: { action_groups: {}, body_logging_exclusions: [], enable_rest: false } }";
    const files = { "access/audit.yml": `audit: { config: ${audit} }\n`, ...manage("audit") };
    return onHarness({ product: "opensearch", release: "3.9", files }, async ({ run, writes }) => {
      expect((await run("apply --url URL --yes access")).stdout).toContain("Read back: in sync.");
      const { code, stdout } = await run("apply --url URL --yes access");
      expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing to do.")]);
      expect(writes()).toHaveLength(1);
    });
  });

  it("is never deleted, though no file has it", () =>
    onHarness({ ...server, files: { "access/a.yml": "audit: {}\n", ...manage("audit") } }, async ({ run, writes }) => {
      expect((await run("apply --url URL --yes access")).code).toBe(0);
      expect(writes()).toEqual([]);
    }));

  it("with a fault warns where it is observed, and is an error where it is managed", () => {
    const files = { "access/audit.yml": "config: { enabled: yes please, audit: { ignore_user: [a] } }\n" };
    return onHarness({ ...server, files }, async ({ run }) => {
      expect((await run("plan --url URL access")).code).toBe(0);
      const { code, stdout } = await run("validate --product opensearch --release 2.19 access");
      expect([code, stdout]).toEqual([0, expect.stringContaining("ignore_user")]);
    }).then(() =>
      onHarness({ ...server, files: { ...files, ...manage("audit") } }, async ({ run, writes }) => {
        expect((await run("plan --url URL access")).code).toBe(3);
        expect(writes()).toEqual([]);
      }),
    );
  });

  it("is left out of an export without a mode, which names all that it leaves out and how one is written", () =>
    onHarness({ ...server, files: manage("nodes_dn") }, async ({ run }) => {
      const { stdout } = await run("export --url URL --out access");
      expect(stdout).toContain(`
not asked for, so left out: config, internal_users (without passwords), audit
only an admin certificate may read: whitelist, allowlist
to write one of them:
  gate-sync export --family internal_users --out internal_users
`);
    }));

  it("is written by name: a plan of that is in sync", () =>
    onHarness({ ...server, files: manage("audit") }, async ({ run }) => {
      expect((await run("export --url URL --family audit --out access")).code).toBe(0);
      expect((await run("plan --url URL access")).stdout).toContain("in sync (1 audit configuration)");
    }));

  it("is none of Search Guard's, which a note says", () =>
    onHarness({ product: "search-guard", release: "7.x-38", files: audit }, async ({ run }) => {
      const { code, stdout } = await run("plan --url URL access");
      expect(code).toBe(0);
      expect(stdout).toContain("search-guard 7.x-38 has no audit configurations");
    }));
});

describe("an API whitelist", () => {
  it.each([
    ["3.4", true],
    ["2.19", false],
  ])("is said to be an allowlist on OpenSearch %s: %s", (release, isReported) => {
    const files = { "access/whitelist.yml": "_meta: { type: whitelist, config_version: 2 }\nconfig: {}\n" };
    return onHarness({ product: "opensearch", release, files }, async ({ run }) => {
      const words = `opensearch ${release} has no API whitelists, but API allowlists.`;
      const shown = [
        await run(`validate --product opensearch --release ${release} access`),
        await run("plan --url URL access"),
      ];
      expect(shown.map(({ code }) => code)).toEqual([0, 0]);
      expect(shown.map(({ stdout, stderr }) => (stdout + stderr).includes(words))).toEqual([isReported, isReported]);
      expect(shown[1]?.stdout).not.toContain("is not used");
    });
  });
});

describe("an API allowlist", () => {
  it("is for the admin certificate alone: a note where it is observed, the reason where it is managed", () =>
    onHarness({ ...server, users, files: allowlist(false) }, async ({ run }) => {
      const { code, stdout } = await run("plan --url URL access", login);
      expect(code).toBe(0);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "The API allowlists in the files are not compared: the server shows its own to the admin certificate alone.",
      );
    }).then(() =>
      onHarness({ ...server, users, files: { ...allowlist(false), ...manage("allowlist") } }, async ({ run }) => {
        const { code, stderr } = await run("plan --url URL access", login);
        expect(code).toBe(1);
        expect(stderr.replace(/\s+/g, " ")).toContain("The server shows them to its admin certificate alone");
      }),
    ));

  it("that closes the API is refused where another identity applies, and a plan says what it does", () =>
    onHarness({ ...server, files: { ...allowlist(true), ...manage("allowlist") } }, async ({ run, writes }) => {
      const { code, stdout } = await run("apply --url URL --yes access");
      const shown = stdout.replace(/\s+/g, " ");
      expect(code).toBe(4);
      expect(shown).toContain(
        "refuses every request but those to the one path that it lists to all who log in without",
      );
      expect(shown).toContain("guard lock-out Only an admin certificate could revert that. allowlist/config");
      expect(writes()).toEqual([]);
      const plan = await run("plan --url URL access");
      expect(plan.stdout.replace(/\s+/g, " ")).toContain("users, Dashboards, monitoring");
    }));

  it("refuses all to who has a password, once it is enabled", () =>
    onHarness(
      { ...server, users, files: { "access/t.yml": "tenants: {}" }, state: { allowlist: closed } },
      async ({ run }) => {
        const { code, stderr } = await run("plan --url URL --product opensearch --release 2.19 access", login);
        expect([code, stderr]).toEqual([1, expect.stringContaining("not allowlisted")]);
        expect(stderr.replace(/\s+/g, " ")).toContain("The API allowlist of this server is enabled: use its admin");
      },
    ));
});

describe("node certificate lists", () => {
  const files = { "access/nodes_dn.yml": "one: { nodes_dn: ['CN=b', 'CN=a'] }\ntwo: { nodes_dn: ['CN=c'] }\n" };
  it("are created in one request, and in sync afterwards", () =>
    onHarness({ ...server, files: { ...files, ...manage("nodes_dn") } }, async ({ run, writes }) => {
      const { stdout } = await run("apply --url URL --yes access");
      expect(stdout).toContain("Read back: in sync.");
      expect(writes()).toEqual([`PATCH ${api}/nodesdn`]);
    }));

  it("that any certificate matches are refused, and waived by name", () => {
    const any = { "access/nodes_dn.yml": "other: { nodes_dn: ['CN=*'] }\n", ...manage("nodes_dn") };
    return onHarness({ ...server, files: any }, async ({ run, writes }) => {
      const { code, stdout } = await run("apply --url URL --yes access");
      expect([code, stdout.replace(/\s+/g, " ")]).toEqual([4, expect.stringContaining('"CN=*" names none')]);
      expect(writes()).toEqual([]);
      expect((await run("apply --url URL --yes --allow wildcard=nodes_dn/other access")).code).toBe(0);
      expect(writes()).toEqual([`PUT ${api}/nodesdn/other`]);
    });
  });
});

describe("export --update", () => {
  const files = {
    "gate-sync.yaml": `defaults: { families: { audit: { mode: manage }, allowlist: { mode: manage } } }\ntargets: { it: { state: [access/] } }\n`,
    "access/audit.yml":
      "config: # ours\n  audit: { ignore_users: [z, bob], disabled_rest_categories: [authenticated] }\n",
    "access/allowlist.yml":
      "config: { enabled: false, requests: { /_cat/nodes: [HEAD, GET], /_cluster/settings: [GET] } }\n",
  };
  it("writes the settings that were changed, and neither defaults nor the order of others", () =>
    onHarness({ ...server, files }, async ({ run, folder, emulator }) => {
      expect((await run("apply --url URL --yes")).code).toBe(0);
      const { audit: filter } = emulator.state().audit.get("config") as Record<string, object>;
      const put = (path: string, body: object) =>
        fetch(`${emulator.url}${api}/${path}`, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      await put("audit/config", { audit: { ...filter, ignore_users: ["bob", "eve", "z"], enable_rest: false } });
      await put("allowlist", { enabled: false, requests: { "/_cat/nodes": ["GET", "HEAD"], "/": ["GET"] } });
      const { code, stdout } = await run("export --update --url URL");
      expect([code, stdout]).toEqual([0, expect.stringContaining("2 differences taken into 2 files.")]);
      const at = (name: string) => readFileSync(join(folder, "access", name), "utf8");
      expect(at("audit.yml")).toBe(
        files["access/audit.yml"].replace("bob]", "bob, eve]").replace("] }", "], enable_rest: false }"),
      );
      expect(at("allowlist.yml")).toBe(files["access/allowlist.yml"].replace("/_cluster/settings", "/"));
      expect((await run("plan --url URL --detailed-exitcode")).code).toBe(0);
    }));
});

describe("diff-targets", () => {
  const of = (settings: string) => `audit: { config: { audit: ${settings} } }\n`;
  const files = {
    "gate-sync.yaml": `defaults: { product: opensearch, release: "2.19" }\ntargets: { a: { state: [a.yml] }, b: { state: [b.yml] } }\n`,
    "a.yml": of("{ ignore_users: [kibanaserver], disabled_rest_categories: [AUTHENTICATED] }"),
  };
  const defaults =
    'disabled_rest_categories\n        - ["AUTHENTICATED"]\n        + ["AUTHENTICATED","GRANTED_PRIVILEGES"]';
  it.for<[settings: string, code: number, shown: string]>([
    ["{ disabled_rest_categories: [authenticated] }", 0, "the same"],
    ["{ enable_rest: true }", 2, defaults],
  ])("takes what one target leaves out as servers do: %s", ([settings, code, shown]) =>
    onHarness({ ...server, files: { ...files, "b.yml": of(settings) } }, async ({ run }) => {
      const { code: ended, stdout } = await run("diff-targets a b");
      expect([ended, stdout]).toEqual([code, expect.stringContaining(shown)]);
    }),
  );
});
