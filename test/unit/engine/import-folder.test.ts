import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { takeInputs } from "../../../src/engine/import.ts";
import { inFolder } from "../../support/command.ts";

test("import names what a folder holds and is not read", () => {
  const files = {
    "team/roles.yml": "roles: {hr: {cluster_permissions: [a]}}\n",
    "team/setup.sh": "curl -X PUT https://h/_plugins/_security/api/roles/a -d '{}'\n",
    "team/deep/roles.yml.j2": "roles: {}\n",
    "team/README.md": "# Roles\n",
    "team/.hidden.sh": "",
    "team/named.http": "PUT _plugins/_security/api/roles/b\n\n{}\n",
  };
  return inFolder(files, async (cwd) => {
    const { account } = await takeInputs({
      cwd,
      input: () => Readable.from([]),
      files: ["team", join("team", "named.http")],
      folder: "out",
    });
    expect(account.taken).toEqual([{ family: "roles", names: ["b", "hr"] }]);
    const why = "of a folder only .yml, .yaml and .json files are read: name it itself";
    expect(account.left.map(({ what, why: reason }) => ({ what, why: reason }))).toEqual([
      { what: "team/deep/roles.yml.j2", why },
      { what: "team/setup.sh", why },
    ]);
  });
});

test.each(["team", "nowhere"])("import says what to do where %s has nothing to read", (path) =>
  inFolder({ "team/setup.sh": "curl h\n" }, async (cwd) => {
    const run = takeInputs({ cwd, input: () => Readable.from([]), files: [path], folder: "out" });
    const why = "There is nothing to import.";
    await expect(run).rejects.toMatchObject({ diagnostics: [{ code: "missing-state", why }] });
  }),
);

test("import takes a script and the JSON Patch of what it writes together", () => {
  const files = {
    "setup.sh": 'curl -X PUT https://h/_plugins/_security/api/roles/hr -d \'{"cluster_permissions": ["a"]}\'\n',
    "patch.json": '[{"op": "add", "path": "/hr/description", "value": "HR"}]',
  };
  return inFolder(files, async (cwd) => {
    const request = { cwd, input: () => Readable.from([]), files: ["setup.sh", "patch.json"], folder: "out" };
    const alone = await takeInputs(request);
    expect(alone.account.left.map(({ why }) => why)).toEqual([
      expect.stringContaining("name its resource type with --family"),
    ]);
    const together = await takeInputs({ ...request, family: "roles" });
    expect(together.account.left).toEqual([]);
    expect(together.files[0]?.text).toContain("description: HR");
  });
});

test("import asks for no variable that has a default", () => {
  const roles = 'roles: {a: {description: "{{ x | default(\'svc\') }}"}, b: {description: "{{ y }}"}}\n';
  return inFolder({ "roles.yml.j2": roles }, async (cwd) => {
    const request = { cwd, input: () => Readable.from([]), files: ["roles.yml.j2"], folder: "out" };
    const { account, files } = await takeInputs(request);
    expect(files[0]?.text).toContain("${var:x:-svc}");
    expect(account.variables.map(({ name }) => name)).toEqual(["y"]);
  });
});
