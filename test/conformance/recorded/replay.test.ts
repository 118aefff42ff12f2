// What real servers answered, asked of the emulator again. The recordings are no part of this repository;
// GATE_SYNC_RECORDINGS names the folder that holds them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { covers, type Exception, readExceptions } from "./exceptions.ts";
import { openSearchProbes } from "./opensearch.ts";
import { type Mismatch, replayed } from "./replay.ts";
import { searchGuardProbes } from "./search-guard.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
const present = folder !== "" && existsSync(folder);
/** Which lines each exception was needed for. */
const used = new Map<Exception, Set<number>>();

describe.skipIf(!present)("recordings of real servers (skipped where GATE_SYNC_RECORDINGS names no folder)", () => {
  const exceptions = readExceptions();

  it.each([...searchGuardProbes, ...openSearchProbes])("$file", { timeout: 120_000 }, async (probe) => {
    expect(existsSync(join(folder, probe.file)), "the recording is there").toBe(true);
    const { total, others, mismatches } = await replayed(probe, folder);
    const unlisted = mismatches.filter((mismatch) => !isListed(probe.file, mismatch, exceptions));
    const same = total - mismatches.length;
    const share = Math.floor((same / total) * 1000) / 10;
    console.log(
      `${probe.file}: ${same} of ${total} identical (${share} %); ${others} requests of other families left out`,
    );
    expect(unlisted.map(explained)).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(95);
  });

  it("every exception is needed, and every line that it names", () => {
    const idle = exceptions.map((exception) => {
      const seen = used.get(exception) ?? new Set();
      const lines = (exception.lines ?? []).filter((line) => !seen.has(line));
      return seen.size > 0 && lines.length === 0 ? [] : [{ ...exception, lines }];
    });
    expect(idle.flat()).toEqual([]);
  });
});

function isListed(file: string, { line }: Mismatch, exceptions: readonly Exception[]): boolean {
  const exception = exceptions.find((one) => covers(one, file, line));
  if (exception === undefined) return false;
  used.set(exception, (used.get(exception) ?? new Set()).add(line.line));
  return true;
}

/** Short enough to be read in a list. */
function explained({ line, status, text }: Mismatch): string {
  const recorded = JSON.stringify(line.response);
  const asked = `${line.line} ${line.section} ${line.who} ${line.method} ${line.path} ${line.body ?? ""}`.slice(0, 300);
  return `${asked}\n  recorded ${line.status} ${recorded.slice(0, 400)}\n  answered ${status} ${text.slice(0, 400)}`;
}
