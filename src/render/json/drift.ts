import type { JsonObject } from "../../json/value.ts";
import { type Baseline, type DriftDifference, type DriftReport, type DriftSide, isDrift } from "../../model/drift.ts";
import { countInSync } from "../views/drift.ts";
import { groupByFamily } from "../views/words.ts";
import { formatVersion, omitAbsent, renderChangeJson, renderTargetJson } from "./parts.ts";

/** As `schemas/drift.schema.json` describes it. A secret is written as `(secret ${env:NAME})`. */
export function renderDriftJson(report: DriftReport): JsonObject {
  const { target, baseline, differences, notes } = report;
  const count = (moved: DriftSide) => differences.filter((one) => one.counts && one.moved === moved).length;
  return {
    format_version: formatVersion,
    kind: "drift",
    target: renderTargetJson(target),
    ...(baseline && { baseline: baselineJson(baseline) }),
    drift: differences.some(isDrift),
    summary: {
      git: count("git"),
      live: count("live"),
      both: count("both"),
      unknown: count("unknown"),
      left: differences.filter(({ counts }) => !counts).length,
    },
    families: groupByFamily(report).map(({ family, changes }) => ({
      family,
      in_sync: countInSync(changes),
      differing: differences.filter(({ change }) => change.family === family).length,
    })),
    differences: differences.map(differenceJson),
    notes,
  };
}

function baselineJson(baseline: Baseline): JsonObject {
  switch (baseline.kind) {
    case "commit":
      return { applied_ref: baseline.ref, commit: baseline.commit };
    case "plan-file":
      return { plan_file: baseline.path, fingerprint: baseline.fingerprint };
    case "journal":
      return { journal: baseline.journal, run: baseline.run, time: baseline.time };
  }
}

function differenceJson({ change, moved, counts, author }: DriftDifference): JsonObject {
  const signed = author && { name: author.name, commit: author.commit };
  return { ...renderChangeJson(change), moved, counts, ...omitAbsent({ author: signed }) };
}
