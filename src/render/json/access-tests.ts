import type { Places } from "../../access/explain/grant-path.ts";
import type { Lessening } from "../../access/explain/lessened.ts";
import type { Contradiction, TestedAccess } from "../../access/questions/tested.ts";
import type { JsonObject } from "../../json/value.ts";
import { formatContradiction, formatContradictionReason } from "../views/access-tests.ts";
import { toSpan } from "../views/place.ts";
import { formatVerdict, renderShareJson, renderStepJson } from "./access.ts";
import { formatVersion } from "./parts.ts";

interface Explained {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/** As `schemas/access.schema.json` describes it. */
export function renderTestsJson({ results, places, basis, assumptions, notes }: Explained): JsonObject {
  const count = (passes: boolean) => results.filter((one) => one.passes === passes).length;
  return {
    format_version: formatVersion,
    kind: "access-tests",
    passed: count(true),
    failed: count(false),
    tests: results.map(({ test, title, outcome, passes, findings }) => ({
      title,
      at: toSpan(test.origin),
      outcome,
      passes,
      findings: findings.map((finding) => findingJson(finding, places)),
    })),
    basis,
    assumptions,
    notes,
  };
}

function lesseningJson({ takes, chain }: Lessening): JsonObject {
  return { takes, chain: chain.map(renderStepJson) };
}

function findingJson(finding: Contradiction, places: Places): JsonObject {
  const reason = formatContradictionReason(finding, places);
  return {
    who: finding.who,
    asked: finding.asked,
    verdict: formatVerdict(finding.verdict),
    what: formatContradiction(finding),
    ...(reason !== undefined && { why: reason }),
    shares: finding.shares.map(renderShareJson),
    ...(finding.less && { restricted_by: finding.less.map(lesseningJson) }),
  };
}
