import { describe, expect, it, test } from "vitest";
import { guards } from "../../src/plan/guards/index.ts";
import { onHarness } from "./harness.ts";

const files = { "access/a.yml": "tenants: { t: {} }\n" };

describe("gate-sync guards", () => {
  it("lists every guard, in text and as JSON", () =>
    onHarness({ files }, async ({ run }) => {
      const rules = guards.map(({ rule }) => rule);
      const text = await run("guards");
      expect(text.code).toBe(0);
      expect(text.stdout.split("\n").filter((line) => rules.includes(line))).toEqual(rules);
      expect(text.stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
      const json = JSON.parse((await run("guards --format json")).stdout);
      expect(json.map(({ rule }: { rule: string }) => rule)).toEqual(rules);
    }));
});

describe("--allow", () => {
  test.for<[word: string, reported: string]>([
    ["deltions", 'Did you mean "deletions"?'],
    ["unloadable", "The guards that can be waived are"],
    ["deletions=role", "It takes deletions, deletions=TYPE or deletions=TYPE/NAME."],
    ["deletions=", "It takes deletions, deletions=TYPE or deletions=TYPE/NAME."],
  ])("%s is no guard that can be waived", ([word, reported]) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stderr } = await run(`plan --url URL access --allow ${word}`);
      expect(code).toBe(64);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(reported);
    }),
  );
});

test("waivers.yaml declares nothing, even where state files are named", () =>
  onHarness(
    {
      files: {
        ...files,
        "gate-sync.yaml": "{}\n",
        "waivers.yaml": "roles: { sneaky: { cluster_permissions: ['*'] } }\n",
      },
    },
    async ({ run }) => {
      const { code, stdout, stderr } = await run("plan --url URL access");
      expect(code).toBe(3);
      expect(`${stdout}${stderr}`).toContain("waivers.yaml:1:1  error  unknown-field");
    },
  ));
