// `gate-sync explain`: what a message names, explained offline.
import { describe, expect, it, test } from "vitest";
import { catalogue, lintCodes } from "../../src/diagnostics/catalogue.ts";
import { exitCodes } from "../../src/diagnostics/failure.ts";
import { guards } from "../../src/plan/guards/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { onHarness } from "./harness.ts";

const explain = async (words: string): Promise<string> => {
  let stdout = "";
  await onHarness({}, async ({ run }) => {
    const result = await run(`explain ${words}`);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    stdout = result.stdout;
  });
  return stdout;
};

/** All but code, which is to be copied and not wrapped. */
const tooLong = (text: string): readonly string[] =>
  text.split("\n").filter((line) => [...line].length > 80 && !line.startsWith("    "));

describe("gate-sync explain", () => {
  it("lists every code, guard and exit code, one a line, in groups", async () => {
    const text = await explain("");
    const names = [
      ...Object.keys(catalogue),
      ...guards.map(({ rule }) => rule),
      ...Object.values(exitCodes).map(String),
    ];
    const listed = text.split("\n").map((line) => /^ {2}(\S+) {2,}\S/.exec(line)?.[1]);
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
    expect(tooLong(text)).toEqual([]);
  });

  test.for<[word: string, parts: readonly string[]]>([
    ["unknown-field", ["unknown-field\n  A field is not known.\n", "\n  why       ", "\n  fix       "]],
    [
      "unmapped-role",
      ["# gate-sync-ignore unmapped-role REASON", "lint: { unmapped-role: off } under defaults or a target"],
    ],
    [
      "deletions",
      [
        "\n  default  per resource type: more than 25 entries; or at least 3 that are more\n",
        "\n  waived   by --allow deletions=TYPE for one run",
      ],
    ],
    ["access-tests", ["\n  waived   by nothing\n", "\nAccess tests\n\nWrite down beside the roles"]],
    ["5", ["5\n  The plan no longer holds; nothing was changed.\n", "Run gate-sync plan again"]],
    ["max_body_size", ["targets.NAME.max_body_size\n", '\n  default  "100MB"\n  example  "10MB"\n']],
    ["timeouts.read", ["targets.NAME.timeouts.read\n"]],
    ["dls", ["roles.NAME.index_permissions.dls\nroles.NAME.alias_permissions.dls\n"]],
    ["drift", ["Drift\n\n    $ gate-sync drift --target prod", "\n* --applied-ref REF\n    a commit: the state"]],
    ["topics", ["\n  saved-plans          Saved plans\n"]],
  ])("explains %s", async ([word, parts], { expect }) => {
    const text = await explain(word);
    const found = text.replaceAll("`", "");
    expect(parts.filter((part) => !found.includes(part))).toEqual([]);
    expect(tooLong(text)).toEqual([]);
  });

  it("explains every rule of a group", async () => {
    const text = await explain("rules");
    expect(text.split("\n").filter((line) => /^\S/.test(line))).toEqual([...lintCodes]);
  });

  it("gives JSON", async () => {
    const [entry, ...more] = JSON.parse(await explain("lock-out --format json"));
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ group: "guards", name: "lock-out", facts: { why: expect.any(String) } });
  });

  test.for([" ", "", "x", "\t"])("suggests nothing for %j", async (word, { expect }) => {
    const { code, stderr } = await gateSyncWithin(["explain", word], { cwd: "/" });
    expect(code).toBe(64);
    expect(stderr).not.toContain("Did you mean");
  });

  test("quotes the beginning of a long word", async ({ expect }) => {
    const { stderr } = await gateSyncWithin(["explain", "x".repeat(100_000)], { cwd: "/" });
    expect(stderr.length).toBeLessThan(400);
  });

  test.for([
    ["deletion", 'Did you mean "deletions"?'],
    ["max_body_sizes", 'Did you mean "max_body_size"?'],
    ["xyzzyxyzzy", "gate-sync explain lists everything"],
  ])("suggests the nearest to %s", ([word = "", words = ""], { expect }) =>
    onHarness({}, async ({ run }) => {
      const { code, stdout, stderr } = await run(`explain ${word}`);
      expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
      expect(stderr.replace(/\s+/g, " ")).toContain(words);
      expect(stderr).toMatch(/ exit 64\n/);
    }),
  );
});
