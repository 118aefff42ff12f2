import { describe, expect, it, test } from "vitest";
import { guards } from "../../src/plan/guards/index.ts";
import { onGround } from "./ground.ts";

const files = { "access/a.yml": "tenants: { t: {} }\n" };

describe("gate-sync guards", () => {
  it("lists every guard, in text and as JSON", () =>
    onGround({ files }, async ({ run }) => {
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
  test.for<[word: string, said: string]>([
    ["deltions", "Did you mean deletions?"],
    ["poisoned", "The guards that can be lifted are"],
    ["deletions=role", "It takes deletions, deletions=FAMILY or deletions=FAMILY/NAME."],
    ["deletions=", "It takes deletions, deletions=FAMILY or deletions=FAMILY/NAME."],
  ])("%s is no guard that can be lifted", ([word, said]) =>
    onGround({ files }, async ({ run }) => {
      const { code, stderr } = await run(`plan --url URL access --allow ${word}`);
      expect(code).toBe(64);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(said);
    }),
  );
});

test("consents.yaml declares nothing, even where state files are named", () =>
  onGround(
    {
      files: {
        ...files,
        "gate-sync.yaml": "{}\n",
        "consents.yaml": "roles: { sneaky: { cluster_permissions: ['*'] } }\n",
      },
    },
    async ({ run }) => {
      const { code, stdout, stderr } = await run("plan --url URL access");
      expect(code).toBe(3);
      expect(`${stdout}${stderr}`).toContain("consents.yaml:1:1  error  unknown-field");
    },
  ));
