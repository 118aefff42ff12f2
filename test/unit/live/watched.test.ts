// What is reported of reading a server, while the answers are what they were.
import { expect, it, test } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { watchReads } from "../../../src/live/watched.ts";
import type { ReadPort } from "../../../src/model/ports.ts";
import type { Target } from "../../../src/model/target.ts";
import type { WatchStep } from "../../../src/model/watch.ts";

const target: Target = { name: "t", state: [], vars: new Map(), families: {}, acceptFields: [] };
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
  const port = watchReads(connect, { watch: (step) => void steps.push(step) })(target);
  expect(await port.get("/a")).toBe(answer);
  await expect(port.get("/lost")).rejects.toThrow("No answer.");
  expect(steps).toEqual([
    { step: "asked", path: "/a" },
    { step: "answered", path: "/a", status: 200, bytes: 4, milliseconds: 7 },
    { step: "asked", path: "/lost" },
    { step: "answered", path: "/lost", bytes: 0, milliseconds: expect.any(Number) },
  ]);
});

it("each GET for as long as it is waited for, the time-out at most", async () => {
  const waits: string[] = [];
  const watches = {
    waits: (request: string, limit: number) => {
      waits.push(`${request} ${limit}`);
      return () => void waits.push("ended");
    },
  };
  const port = watchReads(connect, watches)({ ...target, timeouts: { read: 5_000 } });
  await port.get("/a");
  await expect(port.get("/lost")).rejects.toThrow("No answer.");
  expect(waits).toEqual(["GET /a 5000", "ended", "GET /lost 5000", "ended"]);
});

test.each<[what: string, more: Partial<Target>, root: number, other: number]>([
  ["nothing", {}, 30_000, 300_000],
  ["several URLs", { otherUrls: ["b", "c"] }, 90_000, 300_000],
  ["an answer", { timeouts: { read: 5_000 } }, 10_000, 5_000],
  ["an answer of several URLs", { timeouts: { read: 90_000 }, otherUrls: ["b"] }, 360_000, 90_000],
  ["connections that are made faster", { timeouts: { connect: 1_000 } }, 30_000, 300_000],
  ["connections that take longer", { timeouts: { connect: 60_000 } }, 80_000, 300_000],
  ["a program that logs in", { auth: { kind: "exec", command: { argv: ["x"], cwd: "/", env: {} } } }, 90_000, 300_000],
])("where a target states %s, who it is and what it holds are waited for", async (_, more, root, other) => {
  const limits: number[] = [];
  const waits = (__: string, limit: number) => {
    limits.push(limit);
    return () => {};
  };
  const port = watchReads(connect, { waits })({ ...target, ...more });
  for (const path of ["/", "/_plugins/_security/api/roles"]) await port.get(path);
  expect(limits).toEqual([root, other]);
});

it("nothing where no one watches", () => expect(watchReads(connect, {})).toBe(connect));
