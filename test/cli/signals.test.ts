// Before the first write a signal ends the run at once; after it, the request in flight is finished and the rest is told.
import { describe, expect, test } from "vitest";
import { type HeldServer, holdAnswer } from "../support/held.ts";
import { type Ground, onGround, twoFamilies } from "./ground.ts";

const firstWrite = "PUT /_gate/api/tenants/support";
const secondWrite = "PUT /_gate/api/blocks/lab";

/** Does something while the answer to a request is kept back. */
function whileHeld(of: string, work: (ground: Ground, server: HeldServer) => Promise<void>): Promise<void> {
  return onGround({ files: twoFamilies }, async (ground) => {
    const server = await holdAnswer(ground.url, of);
    try {
      await work(ground, server);
    } finally {
      await server.close();
    }
  });
}

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

  test.for(["SIGINT", "SIGTERM"] as const)(
    "%s after the first write finishes it, and reports the rest",
    (signal, { expect }) =>
      whileHeld(firstWrite, async ({ start, writes }, { url, held, release }) => {
        const running = start(`apply --yes --url ${url} access`);
        await held;
        running.child.kill(signal);
        await running.said("Finishing the request in flight");
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
      await running.said("Finishing the request in flight");
      release();
      const { code, stdout } = await running.ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("2 created.") });
    }));

  test("the JSON report of an interrupted run says what was not attempted", () =>
    whileHeld(firstWrite, async ({ start }, { url, held, release }) => {
      const running = start(`apply --yes --url ${url} access --format json`);
      await held;
      running.child.kill("SIGINT");
      await running.said("Finishing the request in flight");
      release();
      const { code, stdout } = await running.ended;
      expect(code).toBe(6);
      expect(JSON.parse(stdout).operations).toMatchObject([{ outcome: "done" }, { outcome: "not-attempted" }]);
    }));

  test("a second signal does not wait for the answer", () =>
    whileHeld(firstWrite, async ({ start }, { url, held }) => {
      const running = start(`apply --yes --url ${url} access`);
      await held;
      running.child.kill("SIGINT");
      await running.said("Finishing the request in flight");
      running.child.kill("SIGINT");
      const { code, stderr } = await running.ended;
      expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining("nobody knows") });
    }));
});
