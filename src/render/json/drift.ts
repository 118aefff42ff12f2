import type { JsonObject } from "../../json/value.ts";
import type { Baseline, DriftSide, ListedApiKey } from "../../model/drift.ts";
import type { DifferenceView, DriftView } from "../views/drift.ts";
import { formatVersion, omitAbsent, renderChangeJson, renderTargetJson } from "./parts.ts";

/** As `schemas/drift.schema.json` describes it. A secret is written as `(secret ${env:NAME})`. */
export function renderDriftJson({ families, isDrift, unknownPasswords, report }: DriftView): JsonObject {
  const { target, baseline, notes, apiKeys } = report;
  const differences = families.flatMap((family) => family.differences);
  const count = (moved: DriftSide) => differences.filter((one) => one.counts && one.moved === moved).length;
  return {
    format_version: formatVersion,
    kind: "drift",
    target: renderTargetJson(target),
    ...(baseline && { baseline: baselineJson(baseline) }),
    drift: isDrift,
    summary: {
      git: count("git"),
      live: count("live"),
      both: count("both"),
      unknown: count("unknown"),
      left: differences.filter(({ counts }) => !counts).length,
      ...(unknownPasswords > 0 && { unknown_passwords: unknownPasswords }),
    },
    families: families.map(({ family, inSync, differences: those }) => ({
      family,
      in_sync: inSync,
      differing: those.length,
    })),
    differences: differences.map(differenceJson),
    ...(apiKeys && { api_keys: apiKeys.map(apiKeyJson) }),
    notes,
  };
}

function apiKeyJson({ name, state, isNamed, createdBy }: ListedApiKey): JsonObject {
  return { name, state, named: isNamed, ...omitAbsent({ created_by: createdBy }) };
}

function baselineJson(baseline: Baseline): JsonObject {
  switch (baseline.kind) {
    case "commit":
      return { applied_ref: baseline.ref, commit: baseline.commit };
    case "plan-file":
      return { plan_file: baseline.path, fingerprint: baseline.fingerprint };
    case "journal":
      return {
        journal: baseline.journal,
        run: baseline.run,
        time: baseline.time,
        ...omitAbsent({ older_runs: baseline.older }),
      };
  }
}

function differenceJson(difference: DifferenceView): JsonObject {
  const { planned, moved, counts, author } = difference;
  const signed = author && { name: author.name, commit: author.commit };
  return { ...renderChangeJson(planned), moved, counts, ...omitAbsent({ author: signed }) };
}
