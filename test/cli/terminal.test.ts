// What a person at a terminal meets: a question before anything is written, colour, an interrupt that means it.
import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { bin, onScreenWithin, type Running, start } from "../support/command.ts";
import { everyNth, isFull } from "../support/extent.ts";
import { type Env, type Harness, oneTenant, onHarness } from "./harness.ts";

const question = "Type yes to apply:";
const write = "PUT /_gate/api/tenants/support";
const esc = "\u001b";

/** A pseudo terminal of 80 columns comes from script(1) of util-linux; elsewhere these tests are skipped, and say so. */
const hasTerminal = (() => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
})();

if (!hasTerminal) console.warn("test/cli/terminal.test.ts is skipped: script(1) of util-linux is not here.");

function onTerminal({ folder, url }: Harness, line: string, env: Env = {}): Running {
  const command = `stty cols 80 rows 24; exec '${process.execPath}' '${bin}' ${line.replace("URL", url)}`;
  return start("script", ["-qec", command, "/dev/null"], { cwd: folder, env: { TERM: "xterm", ...env } });
}

interface Expected {
  readonly code: number;
  readonly reported: string;
  readonly writes: readonly string[];
}

/** Lets a person apply a plan, and answer in some way once they are asked. */
function check(answer: string, expected: Expected) {
  return onHarness({ files: oneTenant }, (harness) => checkTyped(harness, () => answer, expected));
}

async function checkTyped(harness: Harness, answer: () => string, expected: Expected, flags = "") {
  const running = onTerminal(harness, `apply --url URL access ${flags}`);
  await running.reported(question);
  running.child.stdin?.write(answer());
  const { code, stdout } = await running.ended;
  checkEnd(harness, code, stdout, expected);
}

/** The same, of which a terminal is a part in CI alone. */
function checkAnswered(answer: (harness: Harness) => string, expected: Expected, flags = "") {
  return onHarness({ files: oneTenant }, async (harness) => {
    if (isFull) return checkTyped(harness, () => `${answer(harness)}\n`, expected, flags);
    const words = `apply --url ${harness.url} access ${flags}`.split(" ").filter(Boolean);
    const { code, text } = await onScreenWithin(words, { cwd: harness.folder, answer: () => answer(harness) });
    checkEnd(harness, code, text, expected);
  });
}

function checkEnd(harness: Harness, code: number | undefined, shown: string, { reported, ...expected }: Expected) {
  expect(stripVTControlCharacters(shown).replace(/\s+/g, " ")).toContain(reported);
  expect({ code, writes: harness.writes() }).toEqual(expected);
}

describe.skipIf(!hasTerminal)("on a terminal", { concurrent: true }, () => {
  test("yes applies what was shown", () => check("yes\n", { code: 0, reported: "1 created.", writes: [write] }));

  test("no sends nothing", () =>
    check("no\n", { code: 1, reported: "Not applied. exit 1 Nothing was sent.", writes: [] }));

  test("y is not yes", () =>
    checkAnswered(() => "y", { code: 1, reported: "Not applied. exit 1 Nothing was sent.", writes: [] }));

  test("the end of input is not yes", () => check("\u0004", { code: 1, reported: "Not applied.", writes: [] }));

  test("Ctrl-C at the question interrupts", () => check("\u0003", { code: 130, reported: question, writes: [] }));

  test("--quiet does not ask about what was not shown", () =>
    checkAnswered(() => "no", { code: 1, reported: "+ First line", writes: [] }, "--quiet"));

  test("--format json shows the plan to the one who is asked all the same", () =>
    checkAnswered(() => "no", { code: 1, reported: "+ First line", writes: [] }, "--format json"));

  test("what changed on the server before the answer: 5, and nothing is sent", () =>
    checkAnswered(
      ({ emulator }) => {
        emulator.replaceState({ tenants: { support: { description: "Another writer was faster" } } });
        return "yes";
      },
      { code: 5, reported: "Changed since: tenants/support", writes: [] },
    ));

  test.for([
    ["\u0004", "URL of the cluster"],
    ["https://search.example\n\u0004", "File with the CA"],
    ["http://search.example\nci\n\u0004", "Name of the cluster"],
  ])("init ends where its input ends: %j", ([typed, last], { expect }) =>
    onHarness({ files: {} }, async (harness) => {
      const running = onTerminal(harness, "init");
      await running.reported("URL of the cluster");
      running.child.stdin?.write(typed);
      const { code, stdout } = await running.ended;
      expect(stdout).toContain(last);
      expect(stdout).toContain("The questions were not answered.");
      expect(code).toBe(64);
    }),
  );

  test("--yes does not ask", () =>
    onHarness({ files: oneTenant }, async (harness) => {
      const { code, stdout } = await onTerminal(harness, "apply --yes --url URL access").ended;
      expect(stdout).not.toContain(question);
      expect({ code, writes: harness.writes() }).toEqual({ code: 0, writes: [write] });
    }));

  const environments: readonly [what: string, env: Env, isColoured: boolean][] = [
    ["colour", {}, true],
    ["no colour on a dumb terminal", { TERM: "dumb" }, false],
    ["no colour with NO_COLOR", { NO_COLOR: "1" }, false],
  ];
  test.for(everyNth(2, environments))("%s", ([, env, isColoured], { expect }) =>
    onHarness({ files: oneTenant }, async (harness) => {
      const { stdout } = await onTerminal(harness, "plan --url URL access", env).ended;
      expect(stdout).toContain("1 to create");
      // Of a slow run the progress is drawn, and rubbed out again: that is no colour.
      const painted = stdout
        .split(esc)
        .slice(1)
        .filter((rest) => /^\[[\d;]*m/.test(rest));
      expect(painted.length > 0).toBe(isColoured);
    }),
  );

  test("a terminal that does not know its width is taken for one of 80 columns", () =>
    onHarness({ files: oneTenant }, async ({ folder, url }) => {
      const command = `stty cols 0; exec '${process.execPath}' '${bin}' plan --url ${url} access --color never`;
      const { stdout } = await start("script", ["-qec", command, "/dev/null"], { cwd: folder }).ended;
      expect(stdout).toMatch(/\+ support {40,}access\/tenants\.yml:2/);
    }));
});
