import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBackup, writeBackup } from "../../../src/artifacts/backup/file.ts";
import { getStateDir } from "../../../src/artifacts/state-dir.ts";
import type { Manifest } from "../../../src/model/backup.ts";
import { inFolder } from "../../support/command.ts";

function manifest(time: string, name = "prod"): Manifest {
  const server = { product: "gate", release: "7.x-43.0.0", how: "stated" } as const;
  const target = { name, url: "http://127.0.0.1:9200", server };
  return { format_version: 1, time, target, families: [], changes: [], config_children: [], secrets_replaced: [] };
}

const [monday, tuesday] = ["2026-03-02T08:15:00.000Z", "2026-03-03T08:15:00.000Z"];
function withChange(action: string, more: object, families: readonly string[] = ["roles"]): string {
  return JSON.stringify({ ...manifest(monday), families, changes: [{ family: "roles", name: "a", action, ...more }] });
}

const files = [{ name: "tenants.yml", text: "tenants: {}\n" }];

describe("backups", () => {
  test("are found again as they were written, nothing unfinished beside them", () =>
    inFolder({}, async (folder) => {
      const written = await writeBackup(join(folder, "own"), manifest(monday), files);
      expect(readdirSync(join(folder, "own/backups"))).toEqual(["20260302T081500.000Z-prod"]);
      expect(readFileSync(join(written.folder, "state/tenants.yml"), "utf8")).toBe("tenants: {}\n");
      expect(await findBackup(join(folder, "own"), "prod", undefined)).toEqual(written);
    }));

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
      const names = async (target: string) => (await findBackup(folder, target, undefined)).name;
      expect(await names("prod")).toBe("20260302T081500.000Z-prod");
      expect(await names("../é prod")).toBe("20260303T081500.000Z-..___prod");
    }));

  test("that were never finished do not exist", () =>
    inFolder({}, async (folder) => {
      mkdirSync(join(folder, "backups/.20260302T081500.000Z-prod.unfinished"), { recursive: true });
      await expect(findBackup(folder, "prod", undefined)).rejects.toMatchObject({ kind: "usage" });
    }));

  test("that fail half-way leave nothing behind", () =>
    inFolder({}, async (folder) => {
      const broken = [...files, { name: "no/such/folder.yml", text: "" }];
      await expect(writeBackup(folder, manifest(monday), broken)).rejects.toMatchObject({
        kind: "failed",
        userMessage: { why: expect.stringContaining("nothing was sent") },
      });
      expect(readdirSync(join(folder, "backups"))).toEqual([]);
    }));

  test.for([
    ["no manifest", undefined],
    ["no JSON", "{"],
    ["another version", JSON.stringify({ ...manifest(monday), format_version: 2 })],
    ["unknown fields that are no list", withChange("delete", { unknown_fields: 7 })],
    ["digests that are no list", withChange("update", { intermediate: "x" })],
    ["a change of a family without state files", withChange("delete", {}, [])],
    ["a changed config without its state file", withChange("update", { family: "config", name: "config" }, [])],
    ["an action that is none", withChange("leave", {})],
    [
      "a server without a release",
      JSON.stringify({ ...manifest(monday), target: { name: "prod", url: "", server: {} } }),
    ],
    ["half a change", JSON.stringify({ ...manifest(monday), changes: [{ family: "roles" }] })],
  ] as const)("with %s are not half understood", ([, text], { expect }) =>
    inFolder({}, async (folder) => {
      mkdirSync(join(folder, "backups/20260302T081500.000Z-prod"), { recursive: true });
      if (text !== undefined) writeFileSync(join(folder, "backups/20260302T081500.000Z-prod/manifest.json"), text);
      await expect(findBackup(folder, "prod", undefined)).rejects.toMatchObject({
        userMessage: { what: expect.stringContaining("cannot be read") },
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
