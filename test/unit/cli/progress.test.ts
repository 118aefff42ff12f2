// What is printed on stderr while a write is under way; the tests set the time.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProgressReporter, watchWrites } from "../../../src/cli/progress.ts";
import { createWaitReporter, reportWaitsOf } from "../../../src/cli/waits.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { LostAnswer } from "../../../src/model/ports.ts";
import type { Target } from "../../../src/model/target.ts";
import type { WaitState } from "../../../src/model/watch.ts";
import { ioOf } from "./io.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nothing = { status: 200, body: {}, text: "{}", milliseconds: 1 };
const target: Target = { name: "t", state: [], vars: new Map(), families: {}, acceptFields: [] };
const operation: Operation = { family: "roles", method: "PUT", path: "/api/roles/r", names: ["r"], bulk: false };

function begun(quiet = false) {
  const reported: string[] = [];
  const output = { write: (text: string) => void reported.push(text.trim()), isTTY: false, columns: 80 };
  const waits = createWaitReporter(output);
  const io = { ...ioOf({ stdout: { ...output, write: () => {} }, stderr: output }), waits };
  const progress = createProgressReporter(io, { format: "text", color: "never", quiet }, 0);
  progress.starting?.(operation, 0, 1);
  return { reported, progress, waits, io };
}

const minutes = (count: number) => count * 60_000;

describe("an answer that does not come", () => {
  it("is reported after ten seconds, then ever more sparingly, at most once a minute, until it comes", async () => {
    const { reported, waits } = begun();
    const end = waits("role r", minutes(10));
    await vi.advanceTimersByTimeAsync(minutes(4));
    const times = ["10 s", "20 s", "40 s", "80 s", "2 min", "3 min"];
    expect(reported).toEqual(times.map((time) => `role r: no answer yet ... ${time} of at most 10 min`));
    end();
    await vi.advanceTimersByTimeAsync(minutes(4));
    expect(reported).toHaveLength(times.length);
  });

  it("is not reported where it comes in time", async () => {
    const { reported, waits } = begun();
    const end = waits("role r", minutes(10));
    await vi.advanceTimersByTimeAsync(9_000);
    end();
    await vi.advanceTimersByTimeAsync(minutes(1));
    expect(reported).toEqual([]);
  });

  it("of several is the one that was asked for first", async () => {
    const { reported, waits } = begun();
    const [first] = ["GET /a", "GET /b"].map((request) => waits(request, minutes(5)));
    await vi.advanceTimersByTimeAsync(15_000);
    first?.();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).toEqual([
      "GET /a: no answer yet ... 10 s of at most 5 min",
      "GET /b: no answer yet ... 20 s of at most 5 min",
    ]);
  });

  it("of several targets is reported for each", async () => {
    const { reported, io } = begun();
    const waits = ["prod-eu", "prod-us"].map((name) => reportWaitsOf(name, io).waits);
    const ends = waits.map((watch) => watch?.("GET /", 30_000));
    await vi.advanceTimersByTimeAsync(15_000);
    for (const end of ends) end?.();
    const line = (name: string) => `${name}: GET /: no answer yet ... 10 s of at most 30 s`;
    expect(reported).toEqual([line("prod-eu"), line("prod-us")]);
    expect(reportWaitsOf("prod-eu", { stderr: io.stderr })).toEqual({});
  });

  it("is reported for a write by what it is about, as long as it is under way", async () => {
    const { reported, waits } = begun();
    let answer = (_: LostAnswer): void => {};
    const send = () => new Promise<LostAnswer>((resolve) => (answer = resolve));
    const port = watchWrites(() => ({ send, get: async () => nothing, close: async () => {} }), waits)(target);
    const sent = port.send(operation, { timeout: minutes(10) });
    await vi.advanceTimersByTimeAsync(12_000);
    expect(reported).toEqual(["role r: no answer yet ... 10 s of at most 10 min"]);
    answer({ lost: "it broke", unsent: false, milliseconds: 1 });
    await sent;
    await vi.advanceTimersByTimeAsync(minutes(2));
    expect(reported).toHaveLength(1);
  });
});

describe("a server that is read again and again", () => {
  const wait = (found: WaitState["found"], elapsed: number, limit = minutes(10)) => ({ found, elapsed, limit });

  it("is reported ever more sparingly, at most once a minute", () => {
    const { reported, progress } = begun();
    for (let elapsed = 500; elapsed < minutes(4); elapsed += 500) {
      progress.waiting?.(operation, wait("as-before", elapsed));
    }
    const times = ["2 s", "4 s", "8 s", "16 s", "32 s", "64 s", "2 min", "3 min"];
    const what = "role r: not there yet; reading again what the server holds";
    expect(reported).toEqual(times.map((time) => `${what} ... ${time} of at most 10 min`));
  });

  it("is reported at once where it is gone, and again for the next request", () => {
    const { reported, progress } = begun();
    progress.waiting?.(operation, wait("as-before", 60_000));
    progress.waiting?.(operation, wait("unreachable", 61_000, 91_000));
    progress.starting?.(operation, 0, 1);
    progress.waiting?.(operation, wait("unreachable", 3_000, 33_000));
    expect(reported).toEqual([
      "role r: not there yet; reading again what the server holds ... 60 s of at most 10 min",
      "role r: the server cannot be reached; trying again ... 61 s of at most 91 s",
      "role r: the server cannot be reached; trying again ... 3 s of at most 33 s",
    ]);
  });

  it("is not reported where it shall be quiet", () => {
    const { reported, progress } = begun(true);
    progress.waiting?.(operation, wait("as-before", 60_000));
    expect(reported).toEqual([]);
  });
});
