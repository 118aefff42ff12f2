// The built program, as it ends unexpectedly: interrupted, crashed, or misunderstood.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Run, type Running, startGateSync } from "../support/command.ts";
import { everyNth } from "../support/extent.ts";
import { type Harness, onHarness } from "./harness.ts";

type Env = Readonly<Record<string, string>>;

function started({ folder, env }: Harness, line: string, more: Env = {}): Running {
  return startGateSync(line.split(" "), { cwd: folder, env: { ...env, ...more } });
}

/** It ended so, said this, and gave nothing away. */
function check({ leaks }: Harness, { code, stdout, stderr }: Run, expected: number, reported: string): void {
  expect((stdout + stderr).replace(/\s+/g, " ")).toContain(reported);
  expect({ code, leaks: leaks([stdout, stderr]) }).toEqual({ code: expected, leaks: [] });
}

/** `SECRETS` are all of its environment; `later` is once the program itself runs. */
const prelude = `const SECRETS = JSON.stringify(process.env);
const later = (crash) => {
  const timer = setInterval(() => {
    if (process.listenerCount("SIGINT") > 0) clearInterval(timer), crash();
  }, 5);
};
`;

/** Loaded before the program: what happens there happens in its midst. */
const crashes: Readonly<Record<string, string>> = {
  "an exception while the plan is saved": "Date.prototype.toISOString = () => { throw new Error(SECRETS); };",
  "an exception of many lines":
    "Date.prototype.toISOString = () => { throw new RangeError(SECRETS + '\\n    at ' + SECRETS); };",
  "an exception with a cause": "Date.prototype.toISOString = () => { throw new Error('x', { cause: SECRETS }); };",
  "something thrown that is no error": "Date.prototype.toISOString = () => { throw SECRETS; };",
  "an exception that is not awaited": "later(() => { throw new Error(SECRETS); });",
  "a rejection that is not awaited": "later(() => Promise.reject(new Error(SECRETS)));",
  "a rejection without an error": "later(() => Promise.reject(SECRETS));",
};

test.each(everyNth(3, Object.entries(crashes)))("crashes: %s", (_what, code) =>
  onHarness("long", async (harness) => {
    writeFileSync(join(harness.folder, "crash.cjs"), `${prelude}${code}\n`);
    const env = { NODE_OPTIONS: `--require=${join(harness.folder, "crash.cjs")}` };
    // What comes by itself comes while the server keeps its answer back.
    harness.mirror.hold = () => code.startsWith("later");
    const { ended } = started(harness, "plan --out plan.json --target password", env);
    check(harness, await ended, 1, "This is a bug in gate-sync; please report it");
  }),
);

test("starts a program that prints the login, and passes it nothing in its arguments", () =>
  onHarness("long", async (harness) => {
    const { code, stdout, stderr } = await started(harness, "plan --target exec --allow authentication").ended;
    check(harness, { code, stdout, stderr }, 0, "as a login, printed by node");
  }));

test("is interrupted half-way through an apply, and again", () =>
  onHarness("long", async (harness) => {
    let reached = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    harness.mirror.hold = ({ method }) => {
      if (method !== "GET") reached();
      return method !== "GET";
    };
    const running = started(
      harness,
      "apply --yes --target password --allow changes --allow login --allow authentication --allow deletions",
    );
    await arrived;
    running.child.kill("SIGINT");
    await running.reported("Finishing the request in flight");
    running.child.kill("SIGINT");
    check(harness, await running.ended, 6, "Stopped without waiting");
  }));

test("serves what the files declare, and says nothing of it", () =>
  onHarness("long", async (harness) => {
    const running = started(harness, "emulator --port 0 --target password --allow-config-modification --product gate");
    await running.reported("listening on");
    running.child.kill("SIGINT");
    check(harness, await running.ended, 0, "listening on");
  }));

test.each([
  ["plan --password=CANARY", "Unknown option"],
  ["plan --pasword-env=CANARY", "Unknown option"],
  ["plan --url http://ci:CANARY@127.0.0.1:1", "holds login data"],
])("a command line that is not understood: %s", (line, reported) =>
  onHarness("long", async (harness) => {
    const { literal } = harness.canaries;
    const words = line.split(" ").map((word) => word.replace("CANARY", encodeURIComponent(literal)));
    const { ended } = startGateSync(words, { cwd: harness.folder, env: harness.env });
    check(harness, await ended, 64, reported);
  }),
);
