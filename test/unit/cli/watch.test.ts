// How a run is followed: one line at a terminal, lines where they are asked for, else nothing; time is ours.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eraseProgress } from "../../../src/cli/erasers.ts";
import type { Io } from "../../../src/cli/io.ts";
import { createWatch } from "../../../src/cli/watch.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { ioOf } from "./io.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const operation: Operation = {
  family: "roles",
  method: "PATCH",
  path: "/api/roles",
  names: ["a", "b"],
  bulk: true,
};
const sending = { step: "sending", operation, index: 1, total: 3 } as const;
const answered = (path: string) =>
  ({ step: "answered", path, status: 200, bytes: 2_100_000, milliseconds: 300 }) as const;

interface Setting {
  readonly isTTY?: boolean;
  readonly env?: Io["env"];
  readonly columns?: number;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** A run whose both streams are one screen. */
function begun({ isTTY = true, env = {}, columns = 80, ...flags }: Setting = {}) {
  const screen = { text: "" };
  const write = (text: string) => {
    screen.text += text;
  };
  const output = { write, isTTY, columns };
  const io = ioOf({ stdout: output, stderr: output, env });
  const { end, io: followed } = createWatch(io, { format: "text", color: "never", ...flags });
  return { screen, end, io: followed, watch: followed.watch };
}

/** What stays of it once the cursor has gone back and forth. */
function seen(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .split("\r")
        .reduce((shown, written) => (written.includes("\u001b[K") ? written.replace("\u001b[K", "") : shown + written)),
    );
}

describe("at a terminal", () => {
  it("nothing is printed of a run of less than a second", () => {
    const { screen, end, watch } = begun();
    watch?.({ step: "files", read: 0, of: 3 });
    vi.advanceTimersByTime(900);
    watch?.({ step: "files", read: 3, of: 3 });
    end();
    vi.advanceTimersByTime(5_000);
    expect(screen.text).toBe("");
  });

  it("one line says what is waited for, and for how long", () => {
    const { screen, watch } = begun();
    watch?.({ step: "files", read: 4, of: 12 });
    vi.advanceTimersByTime(2_000);
    expect(seen(screen.text)).toEqual(["Reading files: 4 of 12 ... 2 s"]);
    watch?.({ step: "asked", path: "/a" });
    watch?.({ step: "asked", path: "/b" });
    watch?.(answered("/b"));
    vi.advanceTimersByTime(4_000);
    expect(seen(screen.text)).toEqual(["Reading the server: 1 of 2 answers ... 4 s"]);
    watch?.({ step: "comparing" });
    vi.advanceTimersByTime(1_000);
    expect(seen(screen.text)).toEqual(["Comparing ... 1 s"]);
    watch?.({ step: "compared", resources: 9 });
    expect(seen(screen.text)).toEqual([""]);
  });

  it("what computes for long is reported by its own steps", () => {
    const { screen, watch } = begun();
    watch?.({ step: "files", read: 0, of: 2 });
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3_000);
    watch?.({ step: "files", read: 1, of: 2 });
    clock.mockRestore();
    expect(seen(screen.text)).toEqual(["Reading files: 1 of 2 ... 3 s"]);
  });

  it("a remark is above it, and it comes back", () => {
    const { screen, io, watch } = begun();
    watch?.(sending);
    vi.advanceTimersByTime(1_200);
    io.stderr.write("no answer yet\n");
    expect(seen(screen.text)).toEqual(["no answer yet", ""]);
    vi.advanceTimersByTime(1_000);
    expect(seen(screen.text)).toEqual(["no answer yet", "Request 2 of 3: PATCH roles, 2 changes ... 2 s"]);
  });

  it.each<[string, (run: ReturnType<typeof begun>) => void, readonly string[]]>([
    ["a result", ({ io }) => io.stdout.write("done\n"), ["done", ""]],
    ["a question", ({ io }) => void io.ask("?"), [""]],
    ["the end of the run", ({ end }) => end(), [""]],
    ["the end of a request", ({ watch }) => watch?.({ step: "sent" }), [""]],
  ])("%s ends it", (_, happens, left) => {
    const run = begun();
    run.watch?.(sending);
    vi.advanceTimersByTime(1_500);
    happens(run);
    vi.advanceTimersByTime(5_000);
    expect(seen(run.screen.text)).toEqual(left);
  });

  it("a process that ends takes it along", () => {
    const { screen, watch } = begun();
    watch?.(sending);
    vi.advanceTimersByTime(1_500);
    eraseProgress();
    expect(seen(screen.text)).toEqual([""]);
  });

  it("it is never as wide as the terminal", () => {
    const { screen, watch } = begun({ columns: 20 });
    watch?.(sending);
    vi.advanceTimersByTime(1_500);
    expect(seen(screen.text)).toEqual(["Request 2 of 3: PAT"]);
  });
});

it.each<[string, Setting]>([
  ["no terminal", { isTTY: false }],
  ["a terminal that cannot", { env: { TERM: "dumb" } }],
  ["a pipeline", { env: { CI: "true" } }],
  ["one who wants quiet", { quiet: true }],
  ["one who wants quiet and steps", { quiet: true, verbose: true }],
])("nothing is printed to %s", (_, setting) => {
  const { screen, watch } = begun(setting);
  expect(watch).toBeUndefined();
  expect(screen.text).toBe("");
});

it("steps are lines where they are asked for, answers in the order in which they were asked for", () => {
  const { screen, watch } = begun({ isTTY: false, verbose: true, env: { CI: "true" } });
  watch?.({ step: "files", read: 0, of: 2 });
  vi.advanceTimersByTime(1_500);
  watch?.({ step: "files", read: 2, of: 2 });
  for (const path of ["/a", "/b", "/c"]) watch?.({ step: "asked", path });
  watch?.(answered("/b"));
  expect(screen.text).toBe("Read 2 files  1.5 s\n");
  watch?.({ step: "answered", path: "/a", bytes: 0, milliseconds: 20 });
  watch?.(answered("/c"));
  watch?.({ step: "comparing" });
  watch?.({ step: "compared", resources: 1 });
  watch?.(sending);
  watch?.({ step: "sent" });
  expect(screen.text.split("\n")).toEqual([
    "Read 2 files  1.5 s",
    "GET /a  no answer  20 ms",
    "GET /b  200  2.1 MB  0.3 s",
    "GET /c  200  2.1 MB  0.3 s",
    "Compared 1 resource  0 ms",
    "Request 2 of 3: PATCH roles, 2 changes",
    "",
  ]);
});
