// A property that nothing can break says nothing: a client that sends again blindly breaks it, wherever an answer leaves open
// whether the write took effect.
import { expect, test } from "vitest";
import { isSilence } from "../../../src/live/client/connection.ts";
import { playAll } from "./every-request.ts";
import { type InjectedFault, pairsOfMishaps, writeMishaps } from "./injected-faults.ts";
import { gate } from "./kinds.ts";
import type { Wrap } from "./memory.ts";

/** What many clients do: whatever fails is sent once more, writes too. */
const blindly: Wrap = (line) => ({
  ...line,
  send: async (outgoing) => {
    const first = await line.send(outgoing);
    return isSilence(first) || first.status >= 500 ? line.send(outgoing) : first;
  },
});

test("a client that repeats writes blindly is found out", async () => {
  const changes = [[{ family: "roles", action: "update" }]] as const;
  const { broken, failed } = await playAll(gate, { changes, wrap: blindly });
  const explained = broken.filter((line) => line.includes("sent again blindly"));
  const open = [...writeMishaps, ...pairsOfMishaps].filter(leavesOpen);
  expect(failed).toBe(explained.length);
  // Some more where a read that a run can do without goes wrong, and what follows, too.
  expect(explained.length).toBeGreaterThanOrEqual(open.length);
  expect(open.length).toBeGreaterThan(40);
});

/** So that such a client sends once more, and the first time may have taken effect. */
function leavesOpen(injectedFault: InjectedFault): boolean {
  if (!("member" in injectedFault) || injectedFault.member === "refused") return false;
  const { answer } = injectedFault.member;
  return typeof answer === "object" ? answer.status >= 500 : ["reset", "hang", "truncate"].includes(answer);
}
