// From Node 22.1 on, what Node compiled is kept in the user's own folder; without one, nothing is kept and nothing is amiss.
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gateSync, inFolder } from "../support/command.ts";

const hasCache = "enableCompileCache" in module;
const files = { "access/tenants.yml": "tenants:\n  hr: {}\n" };
const args = ["validate", "access/"];

test("what was compiled is kept below the home folder", () =>
  inFolder(files, async (cwd) => {
    const run = await gateSync(args, { cwd, env: { HOME: cwd } });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(cwd, ".cache/gate-sync/compiled"))).toBe(hasCache);
    expect(await gateSync(args, { cwd, env: { HOME: cwd } })).toEqual(run);
  }));

test("--version keeps nothing", () =>
  inFolder({}, async (cwd) => {
    await gateSync(["--version"], { cwd, env: { HOME: cwd } });
    expect(existsSync(join(cwd, ".cache"))).toBe(false);
  }));

test("NODE_DISABLE_COMPILE_CACHE is respected", () =>
  inFolder(files, async (cwd) => {
    const run = await gateSync(args, { cwd, env: { HOME: cwd, NODE_DISABLE_COMPILE_CACHE: "1" } });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(cwd, ".cache"))).toBe(false);
  }));

test("a home that cannot be written is no failure", () =>
  inFolder(files, async (cwd) => {
    const run = await gateSync(args, { cwd, env: { HOME: join(cwd, "access/tenants.yml") } });
    expect(run).toMatchObject({ code: 0, stderr: "" });
  }));
