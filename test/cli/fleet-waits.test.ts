// What a run about several targets says while one of them does not answer; the tests set the time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { gateSyncWithin, inFolder, type Run } from "../support/command.ts";
import { holdAnswer } from "../support/held.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const write = "PUT /_gate/api/tenants/support";

const slowStart = "  slow: GET /: no answer yet ... 10 s of at most 30 s";

test.each([
  ["plan --all-targets", "GET /", slowStart],
  ["drift --all-targets", "GET /", slowStart],
  ["apply --all-targets --yes", "GET /", slowStart],
  ["apply --all-targets --yes", write, "  slow: tenant support: no answer yet ... 10 s of at most 10 min"],
])("%s says after ten seconds which target keeps %s waiting", async (line, request, reported) => {
  const waits = async (words: string) =>
    (await runHeld(words, request)).stderr.split("\n").filter((one) => one.includes("no answer yet"));
  // The other one may be on its way meanwhile.
  expect((await waits(line)).filter((one) => !one.startsWith("  quick: "))).toEqual([reported]);
  expect(await waits(`${line} --quiet`)).toEqual([]);
});

test("an apply says at once for which target it reads again what the server holds", async () => {
  const { stdout, stderr } = await runTwo("apply --all-targets --yes", (url) => url, true);
  const again = "not there yet; reading again what the server holds";
  expect(stderr).toContain(`  slow: tenant support: ${again} ... `);
  expect(stdout).not.toContain(again);
});

/** Two targets, of which the first keeps the answer to the request back for ten seconds. */
async function runHeld(line: string, request: string): Promise<Run> {
  let held: Awaited<ReturnType<typeof holdAnswer>> | undefined;
  const hold = async (url: string) => {
    const holding = await holdAnswer(url, request);
    held = holding;
    holding.held.then(async () => {
      vi.advanceTimersByTime(10_000);
      await import("../../src/render/text/outcome.ts");
      setImmediate(holding.release);
    });
    return holding.url;
  };
  try {
    return await runTwo(line, hold);
  } finally {
    await held?.close();
  }
}

async function runTwo(line: string, urlOf: (url: string) => string | Promise<string>, isBroken = false): Promise<Run> {
  const [first, second] = await Promise.all(
    ["one", "two"].map((clusterUuid) => startEmulator({ product: "gate", clusterUuid })),
  );
  if (!first || !second) throw new Error("There are two.");
  const failed = { at: "before", answer: { status: 500, body: "{}" } } as const;
  first.fault = ({ method }) => (isBroken && method !== "GET" ? failed : undefined);
  const files = {
    "gate-sync.yaml": `defaults: { product: gate, state: [access/], auth: { username: ci, password: "\${env:PW}" } }
targets: { slow: { url: "${await urlOf(first.url)}" }, quick: { url: "${second.url}" } }
`,
    "access/tenants.yml": "tenants: { support: { description: all } }\n",
  };
  try {
    return await inFolder(files, (cwd) => gateSyncWithin(line.split(" "), { cwd, env: { PW: "s3cret" } }));
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}
