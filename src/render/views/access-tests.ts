import type { PermissionExplanation } from "../../access/explain/explanation.ts";
import type { ChainStep, Places } from "../../access/explain/grant-path.ts";
import type { Lessening } from "../../access/explain/lessened.ts";
import type { Contradiction, TestedAccess } from "../../access/questions/tested.ts";
import { getPosition } from "../../diagnostics/source.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { formatDoubt, formatMiss, formatPlaceSuffix, formatStep } from "./access-reasons.ts";
import { createShareView, type ShareView } from "./access-share.ts";

/** Everything that a format shows of a run of access tests. Texts are fit to be shown. */
export interface TestsView {
  readonly tests: readonly TestView[];
  readonly isPassed: boolean;
  /** `5 access tests: 4 pass, 1 fails.` */
  readonly counts: string;
  /** What the evaluation is based on. */
  readonly basis: string;
  /** What is taken for granted, notes, and the basis. */
  readonly closing: readonly string[];
  /** As the model has it, for programs. */
  readonly run: Pick<EvaluatedRun, "basis" | "assumptions" | "notes">;
}

/** An access test and what became of it. */
export interface TestView extends Pick<TestedAccess, "outcome" | "passes" | "isLeftToPlan"> {
  readonly tested: TestedAccess;
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly findings: readonly FindingView[];
}

/** What contradicts a test, or is unknown of it. */
export interface FindingView {
  readonly what: string;
  /** Empty where there is nothing to explain it by. */
  readonly why: string;
  readonly shares: readonly ShareView[];
  /** What restricts what may be seen: `fields are masked by …`. */
  readonly restrictions: readonly string[];
  /** As the model has it, for programs. */
  readonly finding: Contradiction;
}

interface EvaluatedRun {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

export function createTestsView(run: EvaluatedRun): TestsView {
  const { results, places, basis, assumptions, notes } = run;
  return {
    tests: results.map((tested) => ({
      tested,
      title: escapeInvisible(tested.title),
      outcome: tested.outcome,
      passes: tested.passes,
      ...(tested.isLeftToPlan && { isLeftToPlan: true }),
      file: escapeInvisible(tested.test.origin.file.path),
      line: getPosition(tested.test.origin.file, tested.test.origin.start).line,
      findings: tested.findings.map((finding) => ({
        what: escapeInvisible(formatContradiction(finding)),
        why: escapeInvisible(formatContradictionReason(finding, places) ?? ""),
        shares: finding.shares.map((share) => createShareView(share, places)),
        restrictions: (finding.less ?? []).map(formatLessening),
        finding,
      })),
    })),
    isPassed: results.every(({ passes }) => passes),
    counts: formatTestCounts(results),
    basis: escapeInvisible(basis),
    closing: [...assumptions, ...notes, basis].map(escapeInvisible),
    run,
  };
}

/** `backend role analysts may search hr-*, on some of it (such as hr-2026)`. */
export function formatContradiction({ who, asked, expected, outcome, verdict, shares, less }: Contradiction): string {
  const example = shares.find(({ indices }) => indices && !indices.one)?.indices?.example;
  const some = verdict === "partly" && example !== undefined ? `, on some of it (such as ${example})` : "";
  if (less && outcome === "unknown") return `${who} may ${asked}, and whether they see all of it is unknown`;
  if (less) return `${who} may ${asked}, but does not see all of it`;
  if (outcome === "unknown") return `unknown: whether ${who} may ${asked}`;
  return `${who} may ${expected === "denied" ? "" : "not "}${asked}${some}`;
}

/** Why that is: the chain that grants it, what comes nearest where nothing does, or what it depends on. */
export function formatContradictionReason(
  { expected, outcome, shares, less, takesOneRole }: Contradiction,
  places: Places,
): string | undefined {
  if (less && outcome === "failed") return less.map(formatLessening).join("; ");
  const permissions = shares.flatMap((share) => share.permissions);
  if (outcome === "failed" && expected === "denied") {
    if (shares.some(({ answersAll }) => answersAll))
      return "with do_not_fail_on_forbidden_empty, OpenSearch answers this request about every index to everybody";
    const chain = permissions.find((permission) => permission.chain)?.chain;
    return chain ? formatStepChain(chain) : permissions.some(({ own }) => own) ? "a user's own tenant" : undefined;
  }
  const against = permissions.filter(({ verdict }) => verdict === (outcome === "failed" ? "no" : "unknown"));
  const [first] = against;
  if (first) return permissionWords(first, against, places);
  const [doubt] = shares.flatMap(({ unsure }) => unsure);
  if (doubt) return formatDoubt(doubt);
  if (shares.some(({ failsByQuery }) => failsByQuery)) return "the server fails over the DLS or FLS of the index";
  if (shares.some(({ failsByRoleOrder }) => failsByRoleOrder))
    return "the server fails over the order of ${user.roles} in DLS, FLS or masking";
  if (shares.some(({ failsAsRestricted }) => failsAsRestricted))
    return "updates fail wherever DLS, FLS or masking applies";
  if (takesOneRole && outcome !== "failed")
    return "one role has to grant all of these indices that exist, which are unknown, and none grants each of them";
  return outcome === "failed"
    ? "each of it is granted, but one role has to grant all of it"
    : "roles distinguish too many groups of these indices: ask about fewer";
}

/** `documents and fields are kept back by mapping hr (a.yml:9) > role hr on hr-* (a.yml:4)`. */
export function formatLessening({ takes, chain }: Lessening): string {
  const kept = takes.filter((one) => one !== "masked").join(" and ");
  const masked = takes.includes("masked") ? "fields are masked" : "";
  const what = [...(kept === "" ? [] : [`${kept} are kept back`]), ...(masked === "" ? [] : [masked])].join(", ");
  return `${what} by ${formatStepChain(chain)}`;
}

/** The steps of the first chain of it that lie in files: where to look. */
export function listPlacedSteps({ shares, less }: Contradiction): readonly ChainStep[] {
  const [first] = less ?? [];
  if (first) return first.chain.filter(({ place }) => place !== undefined);
  const chain = shares.flatMap(({ permissions }) => permissions).find((permission) => permission.chain)?.chain ?? [];
  return chain.filter(({ place }) => place !== undefined);
}

export const leftToPlan = "only a part is declared; plan decides";

/** `5 access tests: 4 pass, 1 fails.` */
function formatTestCounts(results: readonly TestedAccess[]): string {
  const count = (isMeant: (one: TestedAccess) => boolean): number => results.filter(isMeant).length;
  const [failed, unsure] = [
    count(({ outcome }) => outcome === "failed"),
    count(({ outcome, passes }) => outcome === "unknown" && !passes),
  ];
  const left = count(({ isLeftToPlan }) => isLeftToPlan === true);
  const passed = results.length - failed - unsure - left;
  const parts = [
    ...(passed > 0 ? [`${passed} ${passed === 1 ? "passes" : "pass"}`] : []),
    ...(failed > 0 ? [`${failed} ${failed === 1 ? "fails" : "fail"}`] : []),
    ...(unsure > 0 ? [`${unsure} unknown`] : []),
    ...(left > 0 ? [`${left} unknown (${leftToPlan})`] : []),
  ];
  return `${results.length} access test${results.length === 1 ? "" : "s"}: ${parts.join(", ")}.`;
}

export function formatTestPlace({ test }: TestedAccess): string {
  return formatPlaceSuffix(test.origin).trim();
}

export function formatStepChain(chain: readonly ChainStep[]): string {
  return chain.map(formatStep).join(" > ");
}

function permissionWords(
  first: PermissionExplanation,
  against: readonly PermissionExplanation[],
  places: Places,
): string {
  const [miss] = first.misses;
  const [doubt] = first.doubts;
  const actions = [...new Set(against.map(({ action }) => action))];
  const why = miss ? formatMiss(miss, places) : doubt ? formatDoubt(doubt) : "";
  const be = actions.length === 1 ? "is" : "are";
  const named = `${joinNames(actions.slice(0, 3))}${actions.length > 3 ? " …" : ""}`;
  const what = first.verdict === "no" ? `${named} ${be} not granted` : named;
  return why === "" ? what : `${what}: ${why}`;
}
