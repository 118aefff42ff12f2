// The small recordings of our own: every line of them is answered by the emulator as it was by the real server.
import { expect, it } from "vitest";
import { fixtureFolder, fixtureProbes } from "./fixtures.ts";
import { replayed } from "./replay.ts";

it.each(fixtureProbes)("$file", { timeout: 60_000 }, async (probe) => {
  const { total, others, mismatches } = await replayed(probe, fixtureFolder);
  expect(total, "lines of this recording").toBeGreaterThan(300);
  expect(others, "lines of other families").toBe(0);
  const explained = mismatches.map(({ line, status, text }) => ({
    asked: `${line.line} ${line.who} ${line.method} ${line.path} ${line.body ?? ""}`.slice(0, 300),
    recorded: `${line.status} ${JSON.stringify(line.response)}`.slice(0, 400),
    answered: `${status} ${text}`.slice(0, 400),
  }));
  expect(explained).toEqual([]);
});
