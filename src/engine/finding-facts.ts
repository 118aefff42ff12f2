import { catalogue } from "../diagnostics/catalogue.ts";
import { type FindingText, findingTexts } from "../diagnostics/finding-texts.ts";
import { findForgePlaces } from "../load/forge.ts";
import { listGuards } from "../plan/guards/listed.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";

/** What reports of findings say besides what was found. */
export async function describeFindings(request: RunRequest) {
  const target = await openTarget(request, "leave").then(
    ({ name }) => name,
    // Of a run that found no target: its report is the same one all the same.
    () => request.flags.target ?? "default",
  );
  const { commit, ...places } = await findForgePlaces(request, target);
  return { target, places, rules: listFindingRules(), ...(commit !== undefined && { commit }) };
}

/** What `gate-sync explain` says of every code, guard and kind of finding, by its name. */
function listFindingRules(): ReadonlyMap<string, FindingText> {
  const guards = listGuards().map(({ rule, refuses, why, fix }) => [rule, { title: refuses, why, fix }] as const);
  return new Map<string, FindingText>([...Object.entries(catalogue), ...Object.entries(findingTexts), ...guards]);
}
