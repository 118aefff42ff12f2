// examples/container/Dockerfile, step by step without Docker; what it makes runs as another user, in a root that is read-only.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Files, inFolder, type Running, readUrl, startGateSync } from "../support/command.ts";
import { addVolume, type Image, startImage } from "../support/dockerfile.ts";
import { buildExampleImage } from "../support/example-image.ts";

const repositoryFor = (url: string): Files => ({
  "package.json": "{}",
  "package-lock.json": "{}",
  "gate-sync.yaml": `targets: { prod: { url: "${url}", product: gate, state: [access] } }\n`,
  "access/hr.yml": "tenants: { hr: { description: Human resources } }\n",
  ".env": "PASSWORD=secret\n",
});

const planned = "1 to create, 1 to delete";

let folder: string;
let url: string;
let emulator: Running;
let image: Image;

/** Of the repository with these files changed. */
const build = (name: string, changed: Files = {}) => {
  mkdirSync(join(folder, name));
  return inFolder({ ...repositoryFor(url), ...changed }, async (context) =>
    buildExampleImage(context, join(folder, name)),
  );
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
  // Open to nothing but its owner, as it is made.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "live.yml"), "tenants: { it: {} }\n");
  emulator = startGateSync(["emulator", "live.yml", "--port", "0", "--format", "json"], { cwd: folder });
  url = await readUrl(emulator);
  image = await build("images");
});

afterAll(async () => {
  execFileSync("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true });
  emulator.child.kill();
  await emulator.ended;
});

test("has the files that it needs and no others, and is not root", () => {
  const names = ["access", "gate-sync.yaml", "node_modules", "package-lock.json", "package.json"];
  expect(readdirSync(join(image.root, "app")).sort()).toEqual(names);
  // By number: of a name, Kubernetes cannot say whether it is root.
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

test("is not built of files with mistakes", async () => {
  const built = build("misspelt", { "access/hr.yml": "tenants: { hr: { descripton: x } }\n" });
  await expect(built).rejects.toMatchObject({ stdout: expect.stringContaining("descripton") });
});

test("plans, looks for drift and explains, where nothing can be written", async () => {
  expect(await startImage(image, []).ended).toMatchObject({ code: 0, stdout: expect.stringContaining(planned) });
  expect(await startImage(image, ["drift"]).ended).toMatchObject({ code: 2, stderr: "" });
  expect(await startImage(image, ["explain", "drift"]).ended).toMatchObject({ code: 0, stderr: "" });
});

test("applies nothing where it cannot keep a backup, and all where it has a volume for that", async () => {
  const words = ["apply", "--yes", "--allow", "deletions"];
  const refused = await startImage(image, words).ended;
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(".gate-sync") });
  expect((await startImage(image, []).ended).stdout).toContain(planned);
  // Everyone may write in it, so a folder in there is named.
  addVolume(image, "/records");
  const open = await startImage(image, [...words, "--state-dir", "/records"]).ended;
  expect(open).toMatchObject({ code: 1, stderr: expect.stringMatching(/which\s+you\s+may\s+write/) });
  const applied = await startImage(image, [...words, "--state-dir", "/records/prod"]).ended;
  expect(applied).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(join(image.root, "records/prod"))).toEqual(expect.arrayContaining(["backups", "journal"]));
  expect((await startImage(image, []).ended).stdout).toContain("in sync");
});
