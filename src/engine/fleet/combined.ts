import { RunError } from "../../diagnostics/failure.ts";
import type { DecodedFleet } from "../../render/json/fleet-decoded.ts";
import type { FleetResult } from "../../render/views/fleet.ts";
import { createFailureItem } from "../../render/views/fleet-parts.ts";
import { findShard } from "./shard.ts";

/** A part and the file that it was read from. */
export interface NamedPart extends DecodedFleet {
  readonly path: string;
}

/**
 * The results of several runs that shared their targets, in the order of gate-sync.yaml; a target of a run that is missing is
 * reported as that.
 *
 * @throws RunError `usage` where the parts are not of one command and one division, or one is there twice
 */
export function combineParts(parts: readonly NamedPart[]): readonly FleetResult[] {
  const [first, ...others] = parts;
  if (!first) return [];
  const seen = new Map<string, string>();
  for (const { path, shard, command, results } of parts) {
    if (command !== first.command) {
      throw notTogether(`${first.path} is of ${first.command}, ${path} of ${command}`);
    }
    if (!shard !== !first.shard || shard?.of !== first.shard?.of) {
      throw notTogether(`${first.path} and ${path} divide the targets otherwise`);
    }
    for (const key of [...(shard ? [`part ${shard.index}`] : []), ...results.map(({ row }) => row.name)]) {
      const other = seen.get(key);
      if (other !== undefined) throw notTogether(`${key} is in ${other} and in ${path}`);
      seen.set(key, path);
    }
  }
  const results = new Map(parts.flatMap((part) => part.results.map((result) => [result.row.name, result] as const)));
  // They may have been started from different commits: what any of them knew of is expected.
  const all = new Set([first, ...others].flatMap(({ shard }) => shard?.all ?? []));
  return [...new Set([...all, ...results.keys()])].map((name) => results.get(name) ?? createMissing(name, first.shard));
}

function createMissing(name: string, shard: DecodedFleet["shard"]): FleetResult {
  const row = { name, state: "not reported", exitCode: 1, families: new Map(), requests: 0, fingerprint: "" } as const;
  if (!shard) return { row, items: [] };
  const part = findShard(name, shard.of);
  const error = new RunError("failed", {
    what: `Part ${part} of the parts 0 to ${shard.of - 1} is missing, or has not seen this target.`,
    why: "What there is to say of it is unknown.",
    fix: `Run gate-sync with --shard ${part}/${shard.of} again, and name the file that it writes.`,
  });
  return { row, items: [createFailureItem(error)] };
}

function notTogether(what: string): RunError {
  return new RunError("usage", {
    what: `These files are no parts of one run: ${what}.`,
    why: "A report of them would count something twice, or leave it out.",
    fix: "Name each part of one run once; remove those of earlier runs.",
  });
}
