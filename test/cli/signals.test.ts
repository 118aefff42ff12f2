// Before the first write a signal ends the run at once; after it, the request in flight is finished and the rest is reported.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { everyNth } from "../support/extent.ts";
import { type HeldServer, holdAnswer } from "../support/held.ts";
import { type Harness, onHarness, twoFamilies } from "./harness.ts";

const firstWrite = "PUT /_gate/api/tenants/support";
const secondWrite = "PUT /_gate/api/blocks/lab";

/** Does something while the answer to a request is kept back. */
function whileHeld(of: string, work: (harness: Harness, server: HeldServer) => Promise<void>): Promise<void> {
  return onHarness({ files: twoFamilies }, async (harness) => {
    const server = await holdAnswer(harness.url, of);
    try {
      await work(harness, server);
    } finally {
      await server.close();
    }
  });
}

/** The text of a file once it is there. */
async function appearing(path: string): Promise<string> {
  await vi.waitUntil(() => existsSync(path), { timeout: 60_000, interval: 10 });
  return readFileSync(path, "utf8");
}

function runs(id: number): boolean {
  try {
    process.kill(id, 0);
    // One that has ended, and that was not asked for since, is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The program treats both alike, so that one of them shows it; in CI both. */
const signals = everyNth(2, ["SIGINT", "SIGTERM"] as const);

describe.concurrent("signals", () => {
  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s before the first write ends the run with %i", ([signal, code], { expect }) =>
    whileHeld("GET /_gate/api/blocks", async ({ start, writes }, { url, held }) => {
      const running = start(`apply --yes --url ${url} access`);
      await held;
      running.child.kill(signal);
      expect(await running.ended).toEqual({ code, stdout: "", stderr: "" });
      expect(writes()).toEqual([]);
    }),
  );

  test.for(signals)("%s after the first write finishes it, and reports the rest", (signal, { expect }) =>
    whileHeld(firstWrite, async ({ start, writes }, { url, held, release }) => {
      const running = start(`apply --yes --url ${url} access`);
      await held;
      running.child.kill(signal);
      await running.reported("Finishing the request in flight");
      release();
      const { code, stdout } = await running.ended;
      expect(code).toBe(6);
      expect(stdout).toMatch(/1\/2 {2}PUT +tenant support +done/);
      expect(stdout).toMatch(/2\/2 {2}PUT +block lab +not attempted/);
      expect(stdout).toContain("Stopped. Done: 1 of 2 changes. Not attempted: 1.");
      expect(writes()).toEqual([firstWrite]);
    }),
  );

  test("a signal during the last write changes nothing: all is done", () =>
    whileHeld(secondWrite, async ({ start }, { url, held, release }) => {
      const running = start(`apply --yes --url ${url} access`);
      await held;
      running.child.kill("SIGINT");
      await running.reported("Finishing the request in flight");
      release();
      const { code, stdout } = await running.ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("2 created.") });
    }));

  test("the JSON report of an interrupted run says what was not attempted", () =>
    whileHeld(firstWrite, async ({ start }, { url, held, release }) => {
      const running = start(`apply --yes --url ${url} access --format json`);
      await held;
      running.child.kill("SIGINT");
      await running.reported("Finishing the request in flight");
      release();
      const { code, stdout } = await running.ended;
      expect(code).toBe(6);
      expect(JSON.parse(stdout).operations).toMatchObject([{ outcome: "done" }, { outcome: "not-attempted" }]);
    }));

  test("a second signal with --format json says so in JSON", () =>
    whileHeld(firstWrite, async ({ start }, { url, held }) => {
      const running = start(`apply --yes --url ${url} access --format json`);
      await held;
      running.child.kill("SIGINT");
      await running.reported("Finishing the request in flight");
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      expect(code).toBe(6);
      expect(JSON.parse(stdout)).toMatchObject({
        kind: "error",
        error: { what: expect.stringContaining("in flight") },
      });
    }));

  test.for(signals)("%s ends a program that is to print the login", (signal, { expect }) => {
    const program = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    const wait = `require("fs").writeFileSync("id.tmp", String(process.pid)); require("fs").renameSync("id.tmp", "id"); ${program}`;
    const target = { url: "http://127.0.0.1:1", state: ["access/"], auth: { exec: ["node", "waits.cjs"] } };
    const config = JSON.stringify({ targets: { only: target } });
    return onHarness({ files: { ...twoFamilies, "gate-sync.yaml": config, "waits.cjs": wait } }, async (harness) => {
      const running = harness.start("plan");
      const id = Number(await appearing(join(harness.folder, "id")));
      running.child.kill(signal);
      await running.ended;
      await expect.poll(() => runs(id)).toBe(false);
    });
  });

  test("a second signal does not wait for the answer", () =>
    whileHeld(firstWrite, async ({ start }, { url, held }) => {
      const running = start(`apply --yes --url ${url} access`);
      await held;
      running.child.kill("SIGINT");
      await running.reported("Finishing the request in flight");
      running.child.kill("SIGINT");
      const { code, stderr } = await running.ended;
      expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining("in flight") });
    }));
});
