import type { JsonObject } from "../../json/value.ts";
import type { LastRun } from "../../model/status.ts";
import type { StatusView } from "../views/status.ts";
import { formatVersion, omitAbsent } from "./parts.ts";

/** As `schemas/status.schema.json` describes it. */
export function renderStatusJson({ status, isUnfinished }: StatusView): JsonObject {
  const { target, stateDir, run, unreadable, unfinished, unread, notes } = status;
  return {
    format_version: formatVersion,
    kind: "status",
    target: { name: target.name, url: target.url },
    state_dir: stateDir,
    ...(run && { run: runJson(run) }),
    ...(unreadable && { unreadable: { ...unreadable } }),
    unfinished: isUnfinished,
    entries: unfinished.map(({ address, outcome, detail, found }) => ({
      address,
      outcome,
      ...omitAbsent({ detail }),
      found,
    })),
    ...(unread && { unread: { what: unread.what, ...omitAbsent({ why: unread.why, fix: unread.fix }) } }),
    notes,
  };
}

function runJson({ counts, ...run }: LastRun): JsonObject {
  const count = (kind: string) => counts.find(([one]) => one === kind)?.[1] ?? 0;
  const { identity, backup } = run;
  return {
    journal: run.journal,
    command: run.command,
    run: run.run,
    ...omitAbsent({ identity, backup }),
    fingerprint: run.fingerprint,
    reviewed: run.reviewed,
    began: run.began,
    last: run.last,
    ending: run.ending,
    summary: {
      done: count("done"),
      in_part: count("in-part"),
      failed: count("failed"),
      unknown: count("unknown"),
      not_attempted: count("not-attempted"),
    },
  };
}
