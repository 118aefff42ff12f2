// Nothing listens when a write is due: a proxy that reloads, a server that restarts.
import { expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../src/emulator/index.ts";
import { apply, connectToWrite, type Report } from "../../../src/index.ts";
import { hastyClock, openWorkspace } from "../../support/workspace.ts";

const server = { product: "search-guard", release: "7" } as const;

/** @param back after how many pauses a server listens again */
async function playAbsence(back: number): Promise<{ readonly report: Report; readonly writes: number }> {
  let emulator: Emulator = await startEmulator(server);
  const { url } = emulator;
  const workspace = openWorkspace();
  try {
    workspace.write([["t.yml", "tenants:\n  t: {description: d}\n"]]);
    const planned = await workspace.plan(url, server);
    await emulator.close();
    const hasty = hastyClock();
    let pauses = 0;
    const clock = {
      ...hasty,
      wait: async (milliseconds: number) => {
        await hasty.wait(milliseconds);
        pauses += 1;
        if (pauses === back) emulator = await startEmulator({ ...server, port: Number(new URL(url).port) });
      },
    };
    const report = await apply(planned, connectToWrite, { settled: () => {}, stopped: () => false }, clock);
    return { report, writes: emulator.requests.filter(({ method }) => method !== "GET").length };
  } finally {
    workspace.close();
    await emulator.close().catch(() => {});
  }
}

it("is sent once a server listens again, and that is reported", async () => {
  const { report, writes } = await playAbsence(2);
  expect(writes).toBe(1);
  expect(report.verified).toBe(true);
  expect(report.outcomes).toMatchObject([
    { kind: "done", detail: expect.stringContaining("at first Nothing listens at") },
  ]);
});

it("fails with a message where no server comes back", async () => {
  const { report } = await playAbsence(Number.POSITIVE_INFINITY);
  const detail = expect.stringMatching(/^Nothing listens at .*\. Tried 4 times$/);
  expect(report.outcomes).toMatchObject([{ kind: "failed", detail }]);
});
