// What is reported of reading a server, while the answers are what they were.
import { expect, it } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { watchReads } from "../../../src/live/watched.ts";
import type { ReadPort } from "../../../src/model/ports.ts";
import type { Target } from "../../../src/model/target.ts";
import type { WatchStep } from "../../../src/model/watch.ts";

const target: Target = { name: "t", state: [], vars: {}, families: {}, acceptFields: [] };
const answer = { status: 200, body: "ä", text: '"ä"', milliseconds: 7 };

function connect(): ReadPort {
  const get = async (path: string) => {
    if (path === "/lost") throw new RunError("failed", { what: "No answer." });
    return answer;
  };
  return { get, close: async () => {} };
}

it("each GET and its answer", async () => {
  const steps: WatchStep[] = [];
  const port = watchReads(connect, (step) => void steps.push(step))(target);
  expect(await port.get("/a")).toBe(answer);
  await expect(port.get("/lost")).rejects.toThrow("No answer.");
  expect(steps).toEqual([
    { step: "asked", path: "/a" },
    { step: "answered", path: "/a", status: 200, bytes: 4, milliseconds: 7 },
    { step: "asked", path: "/lost" },
    { step: "answered", path: "/lost", bytes: 0, milliseconds: expect.any(Number) },
  ]);
});

it("nothing where no one watches", () => expect(watchReads(connect, undefined)).toBe(connect));
