import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeArtifact } from "../../../src/artifacts/artifact.ts";
import { findBackup, writeBackup } from "../../../src/artifacts/backup/file.ts";
import { getStateDir } from "../../../src/artifacts/state-dir.ts";
import type { Artifact } from "../../../src/model/artifact.ts";
import type { Manifest } from "../../../src/model/backup.ts";
import { inFolder } from "../../support/command.ts";
import { forge } from "../../support/forge.ts";

function manifest(time: string, name = "prod", more: Partial<Manifest> = {}): Artifact<Manifest> {
  const server = { product: "gate", release: "7.x-43.0.0" } as const;
  const target = { name, url: "http://127.0.0.1:9200", server };
  return {
    target,
    body: { time, families: [], files: {}, changes: [], config_children: [], secrets_replaced: [], ...more },
  };
}

const [monday, tuesday] = ["2026-03-02T08:15:00.000Z", "2026-03-03T08:15:00.000Z"];
const written = encodeArtifact("backup", manifest(monday));
const having = (change: (file: { targets: object[]; body: object }) => object) =>
  forge(written, (text) => {
    const file = JSON.parse(text);
    return JSON.stringify({ ...file, ...change(file) });
  });
function withChange(action: string, more: object, families: readonly string[] = ["roles"]): string {
  const changes = [{ family: "roles", name: "a", action, ...more }];
  return having(({ body }) => ({ body: { ...body, families, changes } }));
}

const edited = "manifest.json was changed since gate-sync wrote it";
const files = [{ name: "tenants.yml", text: "tenants: {}\n" }];

describe("backups", () => {
  test("are found again as they were written, nothing unfinished beside them", () =>
    inFolder({}, async (folder) => {
      const written = await writeBackup(join(folder, "own"), manifest(monday), files);
      expect(readdirSync(join(folder, "own/backups"))).toEqual(["20260302T081500.000Z-prod"]);
      expect(readFileSync(join(written.folder, "state/tenants.yml"), "utf8")).toBe("tenants: {}\n");
      expect(await findBackup(join(folder, "own"), "prod", undefined, {})).toEqual(written);
    }));

  test.for([
    ["edited", "tenants.yml", "tenants: { a: {} }\n", "Its digest is not the one in the manifest."],
    ["edited without effect", "tenants.yml", "tenants: {}\n\n", "Its digest is not the one in the manifest."],
    ["added", "roles.yml", "roles: {}\n", "The manifest does not list it."],
    ["added in a folder", "more", undefined, "The manifest does not list it."],
    ["removed", "tenants.yml", "", "It is gone, and what it held would be deleted."],
  ] as const)("of which a state file was %s are refused", ([, name, text, why], { expect }) =>
    inFolder({}, async (folder) => {
      const written = await writeBackup(folder, manifest(monday, "prod", { families: ["tenants"] }), files);
      const place = join(written.folder, "state", name);
      if (text === undefined) mkdirSync(place);
      else if (text === "") rmSync(place);
      else writeFileSync(place, text);
      await expect(findBackup(folder, "prod", undefined, {})).rejects.toMatchObject({
        kind: "usage",
        userMessage: {
          what: `${place} was changed since gate-sync wrote it.`,
          why: `${why} Nothing was sent.`,
          fix: expect.stringContaining("take another copy of this one"),
        },
      });
    }),
  );

  test("of one moment do not overwrite each other", () =>
    inFolder({}, async (folder) => {
      for (const _ of [1, 2, 3]) await writeBackup(folder, manifest(monday), files);
      const name = "20260302T081500.000Z-prod";
      expect(readdirSync(join(folder, "backups")).sort()).toEqual([name, `${name}-2`, `${name}-3`]);
    }));

  test("are taken by time, and of the target alone, whatever it is called", () =>
    inFolder({}, async (folder) => {
      await writeBackup(folder, manifest(tuesday, "../é prod"), files);
      await writeBackup(folder, manifest(monday), files);
      const names = async (target: string) => (await findBackup(folder, target, undefined, {})).name;
      expect(await names("prod")).toBe("20260302T081500.000Z-prod");
      expect(await names("../é prod")).toBe("20260303T081500.000Z-..___prod");
    }));

  test("that were never finished do not exist", () =>
    inFolder({}, async (folder) => {
      mkdirSync(join(folder, "backups/.20260302T081500.000Z-prod.unfinished"), { recursive: true });
      await expect(findBackup(folder, "prod", undefined, {})).rejects.toMatchObject({ kind: "usage" });
    }));

  test("that fail half-way leave nothing behind", () =>
    inFolder({}, async (folder) => {
      const broken = [...files, { name: "tenants.yml/not-below-a-file.yml", text: "" }];
      await expect(writeBackup(folder, manifest(monday), broken)).rejects.toMatchObject({
        kind: "failed",
        userMessage: { why: expect.stringContaining("nothing was sent") },
      });
      expect(readdirSync(join(folder, "backups"))).toEqual([]);
    }));

  test.for([
    ["no manifest", undefined, "cannot be read"],
    ["no JSON", "{", "is not a backup manifest"],
    ["another file of gate-sync", having(() => ({ format: "gate-sync/snapshot" })), "is not a backup manifest"],
    ["half of it", written.slice(0, 400), edited],
    ["another digest", written.replace(monday, tuesday), edited],
    ["another version", having(() => ({ format_version: 2 })), "has format version 2, and this gate-sync reads"],
    [
      "two targets",
      having(({ targets }) => ({ targets: [...targets, { ...targets[0], name: "dev" }] })),
      "is for 2 targets (prod, dev), and this gate-sync handles one",
    ],
    ["unknown fields that are no list", withChange("delete", { unknown_fields: 7 }), edited],
    ["digests that are no list", withChange("update", { intermediate: "x" }), edited],
    ["a change of a family without state files", withChange("delete", {}, []), edited],
    ["a changed config without its state file", withChange("update", { family: "config", name: "config" }, []), edited],
    ["an action that is none", withChange("leave", {}), edited],
    ["a server without a release", having(() => ({ targets: [{ name: "prod", url: "", server: {} }] })), edited],
    ["half a change", having(({ body }) => ({ body: { ...body, changes: [{ family: "roles" }] } })), edited],
  ] as const)("with %s are not half understood", ([, text, reported], { expect }) =>
    inFolder({}, async (folder) => {
      mkdirSync(join(folder, "backups/20260302T081500.000Z-prod"), { recursive: true });
      if (text !== undefined) writeFileSync(join(folder, "backups/20260302T081500.000Z-prod/manifest.json"), text);
      await expect(findBackup(folder, "prod", undefined, {})).rejects.toMatchObject({
        kind: "usage",
        userMessage: { what: expect.stringContaining(reported) },
      });
    }),
  );

  test("keep an ignore file that is there already", () =>
    inFolder({ ".gitignore": "mine\n" }, async (folder) => {
      await writeBackup(folder, manifest(monday), files);
      expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("mine\n");
      expect(existsSync(join(folder, "backups"))).toBe(true);
    }));
});

test.each([
  [undefined, undefined, "/repository/.gate-sync"],
  [undefined, "conf/gate-sync.yaml", "/repository/conf/.gate-sync"],
  ["../own", "conf/gate-sync.yaml", "/own"],
])("--state-dir %s with --config %s is %s", (given, config, place) => {
  expect(getStateDir("/repository", given, config)).toBe(place);
});
