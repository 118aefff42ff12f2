// What is printed on stderr while a write is under way; the tests set the time.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createProgressReporter } from "../../../src/cli/progress.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { ioOf } from "./io.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const operation: Operation = { family: "roles", method: "PUT", path: "/api/roles/r", names: ["r"], bulk: false };

function begun(quiet = false) {
  const reported: string[] = [];
  const output = { write: (text: string) => void reported.push(text.trim()), isTTY: false, columns: 80 };
  const io = ioOf({ stdout: { ...output, write: () => {} }, stderr: output });
  const progress = createProgressReporter(io, { format: "text", color: "never", quiet }, 0);
  progress.starting?.(operation, 0, 1);
  return { reported, progress };
}

it("an answer that does not come is reported every 20 seconds, until it comes", () => {
  const { reported, progress } = begun();
  vi.advanceTimersByTime(45_000);
  expect(reported).toEqual(["role r: no answer yet ... 20 s", "role r: no answer yet ... 40 s"]);
  progress.settled({ operation, kind: "done" }, 0, 1);
  vi.advanceTimersByTime(60_000);
  expect(reported).toHaveLength(2);
});

it("once the server is read instead, that is reported", () => {
  const { reported, progress } = begun();
  progress.waiting?.(operation, 1_000, 600_000);
  progress.waiting?.(operation, 21_000, 600_000);
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual(["role r: not there yet; reading what the server holds ... 21 s of 10 min"]);
});

it("nothing of it is printed where it shall be quiet", () => {
  const { reported } = begun(true);
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([]);
});
