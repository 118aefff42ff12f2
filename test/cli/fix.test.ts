// `validate --fix`: what has one safe answer is written into the files, and they declare the same afterwards.
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";

const config = `targets:
  prod: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [access/] }
`;
const mappings = `# The team.
hr:
  users: ana   # alone
  backendroles: ["\${var:team}"]
`;
const base = `roles:
  hr: {cluster_permissions: [ "*" ]} # gate-sync-ignore all-pattern of old
tenants:
  one: # the first
  two: {}
`;
const laidOver = `overrides:
  tenants:
    two: { description: "" }
  roles:
    hr:
      +cluster_permissions: ["*", b]
`;
const files = {
  "gate-sync.yaml": config,
  "access/base.yml": base,
  "access/over.yml": laidOver,
  "access/sg_roles_mapping.yml": mappings,
};
const at = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const validate = (folder: string, ...words: string[]) =>
  gateSyncWithin(["validate", "--var", "team=hr", ...words], { cwd: folder });

const fixedMappings = mappings.replace("users: ana   # alone", "users:   # alone\n    - ana");
const fixedBase = base
  .replace(" # gate-sync-ignore all-pattern of old", "")
  .replace("one: # the first", "one: {} # the first");
const fixedOver = "overrides:\n  roles:\n    hr:\n      +cluster_permissions: [b]\n";

describe("validate --fix", () => {
  test("fixes what has one safe answer, and shows it as a diff", async () => {
    await inFolder(files, async (folder) => {
      const { stdout } = await validate(folder, "--fix");
      expect(at(folder, "access/base.yml")).toBe(fixedBase);
      expect(at(folder, "access/over.yml")).toBe(fixedOver);
      expect(at(folder, "access/sg_roles_mapping.yml")).toBe(fixedMappings);
      expect(stdout).toContain("-  users: ana   # alone\n+  users:   # alone\n+    - ana\n");
      expect(stdout).toContain("Fixed 5 problems in 3 files; what they declare is the same.\n");
      for (const code of ["scalar-for-list", "null-entry", "idle-override"]) expect(stdout).not.toContain(code);
      expect((await validate(folder, "--fix")).stdout).toContain("Nothing to fix");
    });
  });

  test("--dry-run shows the same diff, and writes nothing", async () => {
    await inFolder(files, async (folder) => {
      const { stdout } = await validate(folder, "--fix", "--dry-run");
      expect(stdout).toContain("+cluster_permissions: [b]\n");
      expect(stdout).toContain("5 problems in 3 files would be fixed; nothing was written.\n");
      expect(at(folder, "access/base.yml")).toBe(base);
      expect(at(folder, "access/over.yml")).toBe(laidOver);
    });
  });

  test("JSON has the messages alone on standard output", async () => {
    await inFolder(files, async (folder) => {
      const { stdout, stderr } = await validate(folder, "--fix", "--format", "json");
      expect(JSON.parse(stdout)).toMatchObject({ files: 3 });
      expect(stderr).toContain("Fixed 5 problems in 3 files");
    });
  });

  test.each([
    ["by its own name", "o/"],
    ["through a link", "linked/"],
  ])("what is idle for one target and not for another that reads it %s is left", (_how, path) =>
    inFolder(
      {
        "gate-sync.yaml": `targets:
  a: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [a/, o/] }
  b: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [b/, ${path}] }
`,
        "a/r.yml": "roles: { r: { cluster_permissions: [z] } }\n",
        "b/r.yml": "roles: { r: { cluster_permissions: [y] } }\n",
        "o/o.yml": "overrides: { roles: { r: { cluster_permissions: [z] } } }\n",
      },
      async (folder) => {
        symlinkSync("o", join(folder, "linked"));
        const { stdout } = await validate(folder, "--fix", "--target", "a");
        expect(stdout).toContain(
          "Nothing was fixed.\no/o.yml: 1 problem is left, because a fix would change what is declared or reported, here or for another target that reads the file.\n",
        );
        expect(at(folder, "o/o.yml")).toContain("cluster_permissions: [z]");
        await validate(folder, "--fix", "a/", "o/");
        expect(at(folder, "o/o.yml")).toContain("cluster_permissions: [z]");
      },
    ),
  );

  test("a comment that another target has need of is left, though it declares nothing", () => {
    const own = "roles:\n  r: { cluster_permissions: [x] } # gate-sync-ignore unmapped-role later\n";
    return inFolder(
      {
        "gate-sync.yaml": `targets:
  a: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [a/, o/] }
  b: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [b/, o/] }
`,
        "a/m.yml": "role_mappings: { r: { users: [ana] } }\n",
        "b/m.yml": "role_mappings: {}\n",
        "o/o.yml": own,
      },
      async (folder) => {
        const { stdout } = await validate(folder, "--fix", "--target", "a");
        expect(stdout).toContain("Nothing was fixed.\no/o.yml: 1 problem is left");
        expect(at(folder, "o/o.yml")).toBe(own);
      },
    );
  });

  test("what cannot be fixed does not hold back the rest of its file", () => {
    const others = "b: { description: x }, c: { description: x } }\n";
    const idle = "    b: { description: x }\n    c: { description: x }\n";
    const over = `overrides:\n  roles:\n    a: { cluster_permissions: [z] }\n${idle}`;
    return inFolder(
      {
        "gate-sync.yaml": `targets:
  a: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [a/, o/] }
  b: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [b/, o/] }
`,
        "a/r.yml": `roles: { a: { cluster_permissions: [z] }, ${others}`,
        "b/r.yml": `roles: { a: { cluster_permissions: [y] }, ${others}`,
        "o/o.yml": over,
      },
      async (folder) => {
        const { stdout } = await validate(folder, "--fix", "--target", "a");
        expect(stdout).toContain(
          "Fixed 2 problems in 1 file; what they declare is the same.\no/o.yml: 1 problem is left",
        );
        expect(at(folder, "o/o.yml")).toBe(over.replace(idle, ""));
      },
    );
  });

  test("the desired state is the same, as render shows it", async () => {
    await inFolder(files, async (folder) => {
      const render = async () => {
        const { stdout } = await gateSyncWithin(["render", "--var", "team=hr", "--format", "json"], { cwd: folder });
        return JSON.parse(stdout).documents.map(({ entries }: { entries: { name: string; value: unknown }[] }) =>
          entries.map(({ name, value }) => [name, value]),
        );
      };
      const before = await render();
      await validate(folder, "--fix");
      expect(await render()).toEqual(before);
    });
  });

  test.each([
    [["--dry-run"], "--dry-run goes with --fix."],
    [["--fix", "--all-targets"], "--fix is about one target."],
  ])("%j is refused", async (words, message) => {
    const two = `${config}  dev: { url: "https://127.0.0.1:1", state: [access/] }\n`;
    await inFolder({ ...files, "gate-sync.yaml": two }, async (folder) => {
      const { stderr, stdout } = await validate(folder, ...words);
      expect(stderr + stdout).toContain(message);
      expect(at(folder, "access/base.yml")).toBe(base);
    });
  });
});
